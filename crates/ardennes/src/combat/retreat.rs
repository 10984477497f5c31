//! Retreats (17): every route by the priorities of 17.1, every cause of elimination, and overstacking after a retreat.

use std::cell::RefCell;

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use rulebook::flow::Question;
use zocbond::{
    Topology,
    combat::{
        home::Home,
        retreat::{MAX_HEXES, Retreat},
    },
};

use crate::{
    action::{Action, Path},
    bonds::Bond,
    combat::{
        ground::Way,
        home::{Seeker, with_home},
        losses, resolve,
        routes::with_routes,
        vacate,
    },
    event::{Elimination, Event, Why},
    flags::Flags,
    frame::Frame,
    fuel_dumps,
    pack::{BoxId, Side, StateAfter, UnitId},
    place::Place,
    play::{At, Cx, Play},
    rules::Ardennes,
    state::{Bridge, State},
    subject::Subject,
};

/// A retreat of this length eliminates units that are already in trouble (18.2, 23.4, 27.1).
const LONG: u8 = 3;

/// May a retreat enter empty hexes in enemy ZOC (17.1 B, 20.3, 20.4)?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ezoc {
    /// As its first hex, if nothing else is possible.
    First,
    /// As its first hex, but not to stop there.
    FirstNotLast,
    Never,
}

/// A required retreat.
#[derive(Clone, Copy, Debug)]
pub struct Want<'a> {
    pub hexes: u8,
    pub ezoc: Ezoc,
    /// Units of the same combat: they do not negate EZOC for each other (17.1 B).
    pub party: &'a [UnitId],
}

/// How well a route meets the priorities of 17.1: smaller is better, the first field that differs decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// A (G-17): its end is nearer to its start than the full number of hexes.
    pub short: bool,
    /// B: its first hex is an empty hex in EZOC.
    pub ezoc: bool,
    /// C: its end is no nearer to a supply source.
    pub not_nearer_supply: bool,
    /// D: steps of a Vehicle unit off the road.
    pub off_road: u8,
}

/// One route of retreat; it may lead to an Off-Map Box (17.6).
pub type Route = zocbond::combat::retreat::Route<Rank, BoxId>;

/// What prohibits a step of a retreat (17.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    OffMap,
    Enemy,
    Twice,
    Ezoc,
    Lake,
    Meuse,
    /// 17.2, 21.5: a Vehicle unit over an unbridged river.
    VehicleRiver,
    /// 17.2, 21.5: a Vehicle unit off the road into or out of Forest, West Wall or Wooded Rough.
    VehicleRoad,
    Bond(Bond),
}

/// Values that one search needs repeatedly.
pub(super) struct Search<'a> {
    rules: &'a Ardennes,
    s: &'a State,
    side: Side,
    vehicle: bool,
    pub start: HexId,
    want: Want<'a>,
    home: RefCell<Home<'a, Seeker<'a>, Bridge>>,
}

pub(super) struct Step {
    pub to: HexId,
    ezoc: bool,
    road: bool,
}

impl Search<'_> {
    /// A friendly unit that does not retreat from the same combat (17.1 B).
    fn friend_in(&self, hex: HexId) -> bool {
        self.s.held(self.side).contains(hex) && self.s.stack(hex).any(|unit| !self.want.party.contains(&unit))
    }

    pub fn step(&self, from: HexId, direction: Direction, first: bool) -> Result<Step, Bar> {
        let edge = self.rules.land.edge(from, direction);
        let to = edge.to.some().ok_or(Bar::OffMap)?;
        let garrison = self.side == Side::German && fuel_dumps::seen(self.rules, self.s, to); // 32.2
        if self.s.enemy_in(self.side, to) || garrison {
            return Err(Bar::Enemy);
        }
        let ezoc = self.s.in_ezoc(self.side, to) && !self.friend_in(to);
        if ezoc && (!first || self.want.ezoc == Ezoc::Never) {
            return Err(Bar::Ezoc);
        }
        let way = Way::of(self.s, edge);
        if way.lake {
            return Err(Bar::Lake);
        }
        if way.meuse && way.unbridged {
            return Err(Bar::Meuse);
        }
        if self.vehicle && way.unbridged {
            return Err(Bar::VehicleRiver);
        }
        if self.vehicle && !way.open_to_vehicles() {
            return Err(Bar::VehicleRoad);
        }
        if let Some(bond) = self.rules.bond_bars(self.s, self.side, from, direction) {
            return Err(Bar::Bond(bond));
        }
        Ok(Step { to, ezoc, road: way.road })
    }

    /// 17.6: Allied units may leave the map by the south, west and north edges.
    fn box_beyond(&self, from: HexId) -> Option<BoxId> {
        let edge = self.rules.land.edges(from).iter().any(|edge| edge.to == HexId::NONE);
        (self.side == Side::Allied && edge).then(|| self.rules.land.exit_box[from.index()]).flatten()
    }

    /// Is the end nearer to the start than the full number of hexes?
    fn is_short(&self, end: HexId) -> bool {
        self.rules.distance(self.start, end) < u32::from(self.want.hexes)
    }

    fn rank_of(&self, end: HexId, met: Tally) -> Rank {
        Rank {
            short: self.is_short(end),
            ezoc: met.ezoc,
            not_nearer_supply: !self.home.borrow_mut().is_nearer(end, self.start),
            off_road: if self.vehicle { met.off_road } else { 0 },
        }
    }
}

/// What a route has encountered so far (17.1 B, D).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    ezoc: bool,
    off_road: u8,
}

impl Retreat for Search<'_> {
    type Tally = Tally;
    type Rank = Rank;
    type Exit = BoxId;

    fn topology(&self) -> &Topology {
        self.rules.land.topology()
    }

    fn start(&self) -> HexId {
        self.start
    }

    fn hexes(&self) -> u8 {
        self.want.hexes
    }

    fn away(&self, hex: HexId) -> u32 {
        self.rules.distance(self.start, hex)
    }

    fn step(&self, met: Tally, from: HexId, direction: Direction, _: HexId, first: bool) -> Option<Tally> {
        let step = Search::step(self, from, direction, first).ok()?;
        Some(Tally { ezoc: met.ezoc || step.ezoc, off_road: met.off_road + u8::from(!step.road) })
    }

    fn rank(&self, end: HexId, met: Tally, best: Option<Rank>) -> Option<Rank> {
        // The distance to supply is computed only where it matters.
        let worse = |best: &Rank| (best.short, best.ezoc) < (self.is_short(end), met.ezoc);
        let stops_in_ezoc = met.ezoc && self.want.hexes == 1 && self.want.ezoc == Ezoc::FirstNotLast;
        (!stops_in_ezoc && !best.as_ref().is_some_and(worse)).then(|| self.rank_of(end, met))
    }

    fn way_out(&self, from: HexId, met: Tally) -> Option<(BoxId, Rank)> {
        self.box_beyond(from).map(|out| (out, Rank::off_map(met)))
    }

    fn may_wind(&self) -> bool {
        self.side == Side::Allied && self.rules.land.near_exit.contains(self.start)
    }
}

impl Rank {
    /// 17.6: a route that leads off the map.
    fn off_map(met: Tally) -> Rank {
        Rank { short: false, ezoc: met.ezoc, not_nearer_supply: false, off_road: met.off_road }
    }
}

/// Runs a search for a unit; none if it is not on the map.
pub(super) fn search<T>(
    rules: &Ardennes,
    s: &State,
    unit: UnitId,
    want: Want,
    run: impl FnOnce(&Search) -> T,
) -> Option<T> {
    let start = s.unit(unit).hex()?;
    let counter = rules.counter(unit);
    let want = Want { hexes: want.hexes.min(MAX_HEXES as u8), ..want };
    let (side, vehicle) = (counter.side, counter.vehicle);
    Some(with_home(rules, s, side, vehicle, |home| {
        run(&Search { rules, s, side, vehicle, start, want, home: RefCell::new(home) })
    }))
}

/// The routes that meet the priorities best, one after the other. None: the unit is eliminated if it must retreat.
pub fn wanted_routes(rules: &Ardennes, s: &State, unit: UnitId, want: Want, each: &mut dyn FnMut(&Route)) {
    with_routes(rules, s, unit, want, |routes| routes.iter().for_each(each));
}

/// How well the best route meets the priorities; none if there is no route.
pub fn best_rank(rules: &Ardennes, s: &State, unit: UnitId, want: Want) -> Option<Rank> {
    with_routes(rules, s, unit, want, |routes| routes.first().map(|route| route.rank))
}

/// Every legal retreat of a unit by this number of hexes (17.1, 17.2).
pub fn routes(rules: &Ardennes, s: &State, unit: UnitId, hexes: u8, each: &mut dyn FnMut(&Route)) {
    wanted_routes(rules, s, unit, want(s, unit, hexes), each);
}

/// The retreat that the current combat requires.
fn want(s: &State, unit: UnitId, hexes: u8) -> Want<'_> {
    let party: &[UnitId] = if s.combat.defenders.contains(unit) { &s.combat.defenders } else { &[] };
    Want { hexes, ezoc: Ezoc::First, party }
}

/// Why a unit is eliminated as soon as a retreat of this many hexes is required, regardless of routes.
pub fn doomed(rules: &Ardennes, s: &State, unit: UnitId, hexes: u8) -> Option<Elimination> {
    let counter = rules.counter(unit);
    let flags = s.unit(unit).flags;
    if flags.any(Flags::BROKEN) {
        return Some(Elimination::Broken); // 18.4
    }
    if flags.any(Flags::DISRUPTED) && hexes >= LONG && !rules.survives_long_retreats() {
        return Some(Elimination::Broken); // 18.2
    }
    // 1E 23.4 has no such loss.
    if flags.any(Flags::OOS) && hexes >= LONG && !rules.survives_long_retreats() {
        return Some(Elimination::OutOfSupply); // 23.4
    }
    // 27.1; the 1st edition has it only as an option, for shorter retreats.
    if counter.outlined && hexes >= LONG && !rules.survives_long_retreats() {
        return Some(Elimination::Engineers);
    }
    // 1E option: Engineers fighting alone.
    if rules.options.weak_engineers && counter.outlined && hexes >= 2 && s.combat.defenders.len() == 1 {
        return Some(Elimination::Engineers);
    }
    if counter.artillery && counter.side == Side::German && !flags.any(Flags::PRIME_MOVER) {
        return Some(Elimination::Artillery); // 17.7
    }
    None
}

// The decision

/// Two routes are enough to know that somebody must choose.
fn count_routes(rules: &Ardennes, s: &State, unit: UnitId, hexes: u8) -> (u32, Option<Route>) {
    let (mut count, mut one) = (0, None);
    routes(rules, s, unit, hexes, &mut |route| {
        count += 1;
        one = Some(*route);
    });
    (count, one)
}

/// 17: where the defender retreats to.
#[derive(Debug)]
pub struct Retreats;

impl Question<Ardennes> for Retreats {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.attacker.enemy())
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let combat = &cx.s.combat;
        for unit in &combat.retreating {
            if best_rank(cx.rules, cx.s, *unit, want(cx.s, *unit, combat.retreat)).is_none() {
                return Some(Action::Retreat { unit: *unit, path: Path::default(), out: false }); // 17.2
            }
        }
        match combat.retreating[..] {
            [] => Some(Action::Done),
            [unit] => match count_routes(cx.rules, cx.s, unit, combat.retreat) {
                (1, Some(route)) => Some(action(unit, &route)),
                _ => None,
            },
            _ => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend(cx.s.combat.retreating.iter().map(|u| Subject::Unit(*u)));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let Subject::Unit(unit) = subject else { return };
        if cx.s.combat.retreating.contains(unit) {
            routes(cx.rules, cx.s, unit, cx.s.combat.retreat, &mut |route| out.push(action(unit, route)));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Action::Retreat { unit, path, out } = *action else { return Err(cx.rules.not_now()) };
        if !cx.s.combat.retreating.contains(unit) {
            return cx.rules.no("17.1", "retreat.not_asked").unit("unit", unit).into();
        }
        check_route(cx.rules, cx.s, unit, want(cx.s, unit, cx.s.combat.retreat), path, out)
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let Action::Retreat { unit, path, out } = *action else {
            play.pop(); // everybody is gone
            return Ok(());
        };
        play.s.combat.retreating.retain(|u| u != unit);
        if path.is_empty() && !out {
            resolve::kill(play, unit, Elimination::NoRetreat);
            return Ok(());
        }
        let state = play.s.combat.state_after;
        let from = play.s.unit(unit).hex();
        let crossed = go_back(play, unit, path, out);
        let disrupt = match state {
            StateAfter::Unchanged => crossed && play.rules.boundary_disrupts(), // 1E 11.10
            _ => true,
        };
        if disrupt {
            disorder(play, unit, state);
        }
        if let Some(hex) = from {
            vacate(play, hex);
        }
        Ok(())
    }
}

fn action(unit: UnitId, route: &Route) -> Action {
    Action::Retreat { unit, path: route.path, out: route.out.is_some() }
}

/// Is this one of the routes that meet the priorities best? If not: which step or which priority fails.
pub fn check_route(
    rules: &Ardennes,
    s: &State,
    unit: UnitId,
    want: Want,
    path: Path,
    out: bool,
) -> Result<(), Refusal> {
    let best = best_rank(rules, s, unit, want);
    let judge = |search: &Search| -> Result<(), Refusal> {
        let no = |rule, key| rules.no(rule, key).unit("unit", unit);
        let Some(best) = best else {
            // There is no route: only elimination is left.
            return if path.is_empty() && !out { Ok(()) } else { no("17.2", "retreat.nowhere").into() };
        };
        let rank = match walked(search, path, out) {
            Ok(rank) => rank,
            Err(Fault::Length) => {
                let hexes = want.hexes;
                return no("17.1", "retreat.length").number("hexes", hexes).into();
            }
            Err(Fault::StopInEzoc(hex)) => return no("20.3", "retreat.stop_in_ezoc").hex("hex", hex).into(),
            Err(Fault::Step { from, direction, bar }) => {
                return Err(refuse_step(search, from, direction, bar));
            }
        };
        if rank == best {
            return Ok(());
        }
        let key = if rank.short != best.short {
            "retreat.full"
        } else if rank.ezoc != best.ezoc {
            "retreat.avoid_ezoc"
        } else if rank.not_nearer_supply != best.not_nearer_supply {
            "retreat.supply"
        } else {
            "retreat.road"
        };
        no("17.1", key).number("hexes", want.hexes).into()
    };
    search(rules, s, unit, want, judge).unwrap_or_else(|| Err(rules.not_now()))
}

enum Fault {
    Length,
    StopInEzoc(HexId),
    Step { from: HexId, direction: Direction, bar: Bar },
}

fn walked(search: &Search, path: Path, out: bool) -> Result<Rank, Fault> {
    let full = usize::from(search.want.hexes);
    if path.len() > full || path.len() < full && !out || path.len() == full && out {
        return Err(Fault::Length);
    }
    let mut trail = [HexId::NONE; MAX_HEXES + 1];
    trail[0] = search.start;
    let mut met = Tally::default();
    for (depth, direction) in path.iter().enumerate() {
        let from = trail[depth];
        let fault = |bar| Fault::Step { from, direction, bar };
        if search.rules.land.neighbour(from, direction).is_some_and(|to| trail[..=depth].contains(&to)) {
            return Err(fault(Bar::Twice));
        }
        let step = search.step(from, direction, depth == 0).map_err(fault)?;
        trail[depth + 1] = step.to;
        met.ezoc |= step.ezoc;
        met.off_road += u8::from(!step.road);
    }
    let end = trail[path.len()];
    if out {
        search.box_beyond(end).ok_or(Fault::Length)?;
        return Ok(Rank::off_map(met));
    }
    if met.ezoc && full == 1 && search.want.ezoc == Ezoc::FirstNotLast {
        return Err(Fault::StopInEzoc(end));
    }
    Ok(search.rank_of(end, met))
}

pub(super) fn refuse_step(search: &Search, from: HexId, direction: Direction, bar: Bar) -> Refusal {
    let rules = search.rules;
    let to = rules.land.neighbour(from, direction).unwrap_or(from);
    let no = |rule, key| rules.no(rule, key).hex("hex", to).hex("from", from);
    // 10.2: if a Bond closes the step as well, it explains more than the zone of control.
    let bond = rules.bond_bars(search.s, search.side, from, direction);
    let bar = bond.filter(|_| bar == Bar::Ezoc).map_or(bar, Bar::Bond);
    match bar {
        Bar::OffMap => no("17.6", "retreat.off_map").into(),
        Bar::Enemy => no("17.2", "retreat.enemy").stack("units", search.s, to).into(),
        Bar::Twice => no("17.1", "retreat.twice").into(),
        Bar::Ezoc => {
            let rule = if search.want.ezoc == Ezoc::Never { "20.4" } else { "17.2" };
            no(rule, "retreat.ezoc").zoc("by", search.s, search.side, to).into()
        }
        Bar::Lake => no("17.2", "retreat.lake").into(),
        Bar::Meuse => no("17.2", "retreat.meuse").into(),
        Bar::VehicleRiver => no("17.2", "retreat.vehicle_river").into(),
        Bar::VehicleRoad => no("17.2", "retreat.vehicle_road").into(),
        Bar::Bond(bond) => rules.refuse_bond(search.s, bond),
    }
}

/// Moves the unit along its route; markers that do not survive a retreat are removed (12.7, 17.7, 17.8). Returns true
/// if it crossed an army boundary.
pub fn go_back(play: &mut Play, unit: UnitId, path: Path, out: bool) -> bool {
    let (rules, side) = (play.rules, play.rules.counter(unit).side);
    let Some(start) = play.s.unit(unit).hex() else { return false };
    let mut at = start;
    let mut crossed = false;
    if play.s.combat.gone_back.get() != Some(unit) {
        play.s.combat.gone_back = unit.into();
        play.s.combat.left_behind.clear();
    }
    for direction in path.iter() {
        let Some(to) = rules.land.neighbour(at, direction) else { break };
        play.s.combat.left_behind.add(at);
        let way = Way::of(play.s, rules.land.edge(at, direction));
        crossed ^= way.boundary;
        play.tell(Event::Step { unit, from: Some(at), to, why: Why::Retreat });
        play.s.set_control(to, side);
        at = to;
    }
    play.unmark(unit, Flags::ENGAGED | Flags::ON_ROAD); // 17.8, 12.7
    if rules.counter(unit).artillery {
        play.mark(unit, Flags::FIRED); // 17.7
    }
    play.s.unit_mut(unit).flags.set(Flags::RETREATED);
    let bound = side == Side::German && play.s.turn < rules.tables().movement.boundary_free_turn;
    if crossed && bound {
        play.s.unit_mut(unit).flags.0 ^= Flags::ACROSS_BOUNDARY.0; // 11.10
    }
    if let Some(to) = rules.land.exit_box[at.index()].filter(|_| out) {
        rules.put(play.s, unit, Place::Box(to));
        play.tell(Event::ToBox { unit, to }); // 17.6
        return crossed && bound;
    }
    rules.put(play.s, unit, Place::Hex(at));
    // 17.4; 1E allows it until the next Movement Phase.
    if !rules.overstacks_for_a_while() && rules.overload(play.s, at, &[]).is_some() {
        play.then(&[Frame::RetreatOn(unit)]);
    }
    crossed && bound
}

// 1E 18.2
/// 18.1, 18.2: one level worse. 1E 18: a Disrupted unit loses a step instead.
pub fn disorder(play: &mut Play, unit: UnitId, state: StateAfter) {
    let already = play.s.unit(unit).is(Flags::DISRUPTED);
    if play.rules.disorder_costs_a_step() {
        play.mark(unit, Flags::DISRUPTED);
        if already {
            losses::lose_step(play, unit);
        }
        return;
    }
    play.mark(unit, Flags::DISRUPTED);
    if already || state == StateAfter::Broken {
        play.mark(unit, Flags::BROKEN);
    }
}
