//! Flights: the path of a helicopter unit, hex by hex, and what happens on arrival (25.2, 26.4, 27.2).

use std::{cell::RefCell, cmp::Reverse, collections::BinaryHeap};

use hexgrid::{HexId, HexSet};
use kernel::{Refusal, Stop};
use smallvec::SmallVec;

use super::{Flight, Leg, track};
use crate::{
    action::{Action, Hexes, Subject, Units},
    event::Event,
    fire::FireKind,
    frame::Frame,
    kept::Position,
    pack::AntiAircraftResult,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::{Flags, Place, State},
    units::{Side, Symbol, UnitId},
};

pub type Path = SmallVec<[HexId; 24]>;

/// The weight of a hex under Flak Fire in the search for a path, in ordinary hexes.
const DANGER: u32 = 60;
/// The steps assumed for a unit whose steps the enemy cannot see.
const EXPECTED_STEPS: u32 = 2;

/// Memory of a path search, reused by the next one.
#[derive(Default)]
struct Search {
    /// The cost of each hex, the least cost of reaching it, and the hex before it.
    costs: Vec<u32>,
    best: Vec<u32>,
    back: Vec<HexId>,
    queue: BinaryHeap<Reverse<(u32, HexId)>>,
    /// The last path found, with its query: the list, the check and the decision need the same one.
    last: Option<(Position, Trip, Option<Path>)>,
}

/// A query for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Trip {
    flyer: Side,
    /// `None`: from the friendly edge.
    from: Option<HexId>,
    /// `None`: home, to the friendly edge.
    to: Option<HexId>,
}

thread_local! {
    static SEARCH: RefCell<Search> = RefCell::default();
}

impl Wurzburg {
    /// 27.2: whether any enemy ground unit is near enough to fire Flak at a hex.
    pub fn under_flak(&self, s: &State, flyer: Side, hex: HexId) -> bool {
        let range = u32::from(self.tables.flak.range);
        self.units_of(flyer.enemy()).iter().any(|unit| {
            let u = s.unit(*unit);
            // 34.3: also an engineer on its bridge, from either of the two hexes.
            let banks = (u.place == Place::Bridge).then(|| self.bridge_of(s, *unit)).flatten();
            let near = |at: HexId| self.field.distance(at, hex) <= range;
            banks.is_some_and(|(_, banks)| banks.into_iter().any(near))
                || u.on_map() && self.counter(*unit).symbol.ground() && near(u.hex)
        })
    }

    /// 27.2.1: the Flak Strength against a helicopter unit in a hex.
    pub fn helicopter_flak(&self, s: &State, flyer: Side, hex: HexId) -> (bool, u8) {
        let flak = &self.tables.flak;
        let table = if self.night(s) { &flak.helicopter_at_night } else { &flak.helicopter_by_day };
        self.flak(s, flyer.enemy(), hex, table)
    }

    /// 28.1: whether Flak Fire can force a Hit Check in this hex.
    pub fn flak_can_force(&self, s: &State, flyer: Side, hex: HexId) -> bool {
        let (any, strength) = self.helicopter_flak(s, flyer, hex);
        let best = i8::try_from(strength).unwrap_or(i8::MAX).saturating_add(10);
        let forced = self.tables.anti_aircraft.result(best) == AntiAircraftResult::HitCheckAndAbort;
        any && forced
    }

    /// The cost of each hex for a flyer that knows only what its side knows.
    fn dangers(&self, s: &State, flyer: Side, costs: &mut Vec<u32>) {
        costs.clear();
        costs.resize(self.field.board.len(), 1);
        for unit in self.units_of(flyer.enemy()) {
            let u = s.unit(*unit);
            if !u.on_map() || !self.counter(*unit).symbol.ground() {
                continue;
            }
            let seen = self.always_known(*unit) || self.detected(s, flyer, *unit);
            let steps = if seen { u32::from(u.steps) } else { EXPECTED_STEPS };
            for hex in self.field.board.range(u.hex, u16::from(self.tables.flak.range)) {
                let close = self.field.distance(u.hex, hex) < u32::from(self.tables.flak.range);
                costs[hex.index()] += DANGER + steps * if close { 30 } else { 10 };
            }
        }
    }

    /// The least dangerous path, from the friendly edge if there is no start, to the friendly edge if there is no goal;
    /// the first hex is included unless the flyer is in it.
    pub fn safest_way(
        &self,
        s: &State,
        flyer: Side,
        from: Option<HexId>,
        to: Option<HexId>,
        avoid: &HexSet,
    ) -> Option<Path> {
        let trip = Trip { flyer, from, to };
        SEARCH.with_borrow_mut(|search| {
            let of = Position::of(self, s).filter(|_| avoid.is_empty());
            if let (Some(of), Some((position, last, way))) = (&of, &search.last)
                && of.same(position)
                && *last == trip
            {
                let way = way.clone();
                debug_assert_eq!(
                    way,
                    self.search(s, trip, avoid, search),
                    "the way that was kept is another"
                );
                return way;
            }
            let way = self.search(s, trip, avoid, search);
            search.last = of.map(|of| (of, trip, way.clone()));
            way
        })
    }

    fn search(
        &self,
        s: &State,
        Trip { flyer, from, to }: Trip,
        avoid: &HexSet,
        Search { costs, best, back, queue, .. }: &mut Search,
    ) -> Option<Path> {
        let edges = &self.helicopter_edges[flyer.index()];
        self.dangers(s, flyer, costs);
        best.clear();
        best.resize(costs.len(), u32::MAX);
        back.clear();
        back.resize(costs.len(), HexId::NONE);
        queue.clear();
        match from {
            Some(hex) => {
                best[hex.index()] = 0;
                queue.push(Reverse((0, hex)));
            }
            None => {
                for hex in edges.iter().filter(|hex| !avoid.contains(*hex)) {
                    best[hex.index()] = costs[hex.index()];
                    queue.push(Reverse((costs[hex.index()], hex)));
                }
            }
        }
        while let Some(Reverse((cost, hex))) = queue.pop() {
            if cost > best[hex.index()] {
                continue;
            }
            if to.map_or_else(|| edges.contains(hex), |to| hex == to) {
                let mut way: Path = SmallVec::new();
                let mut at = hex;
                while at != HexId::NONE && Some(at) != from {
                    way.push(at);
                    at = back[at.index()];
                }
                way.reverse();
                return Some(way);
            }
            for (_, next) in self.field.board.neighbours(hex) {
                let total = cost + costs[next.index()];
                if self.area.contains(next) && !avoid.contains(next) && total < best[next.index()] {
                    best[next.index()] = total;
                    back[next.index()] = hex;
                    queue.push(Reverse((total, next)));
                }
            }
        }
        None
    }

    /// The path home.
    pub fn way_home(&self, s: &State, unit: UnitId) -> Option<Path> {
        self.safest_way(s, self.counter(unit).side, s.unit(unit).hex.some(), None, &HexSet::EMPTY)
    }

    /// The hexes that a called attack helicopter unit may fire at (25.0).
    pub fn helicopter_targets(&self, s: &State) -> SmallVec<[HexId; 6]> {
        if let Some(raid) = &s.sky.raid {
            return [raid.hex].into_iter().collect();
        }
        let side = s.sky.flight.as_ref().map(|flight| self.counter(flight.unit).side);
        if side == Some(s.op.side) {
            return s.op.objective.some().into_iter().collect();
        }
        let mut hexes: SmallVec<[HexId; 6]> = SmallVec::new();
        for unit in &s.op.members {
            let hex = s.unit(unit).hex;
            if !hexes.contains(&hex) && self.defensive_target(s, unit) {
                hexes.push(hex);
            }
        }
        hexes
    }

    /// Whether a hex is a firing position (25.2).
    fn firing_position(&self, s: &State, unit: UnitId, hex: HexId) -> bool {
        let range = self.helicopter_range(unit);
        self.helicopter_targets(s).iter().any(|target| self.field.distance(hex, *target) <= range)
    }

    /// 25.2.2, 26.4.4: check a path written by a player: contiguous, inside the area in play, from the friendly edge.
    fn check_way_of(&self, s: &State, unit: UnitId, path: &[HexId]) -> Result<(), Refusal> {
        let side = self.counter(unit).side;
        let mut at = s.unit(unit).hex.some();
        for hex in path {
            let no = |rule, key| self.no(rule, key).unit("unit", unit).hex("hex", *hex).into();
            if !self.area.contains(*hex) {
                return no("25.2.2", "air.outside");
            }
            match at {
                None if !self.helicopter_edges[side.index()].contains(*hex) => {
                    return no("25.2.1", "air.edge");
                }
                Some(from) if !self.field.adjacent(from, *hex) => return no("25.2", "air.way"),
                _ => at = Some(*hex),
            }
        }
        Ok(())
    }
}

/// The path that is meant: hex by hex, or the least dangerous one to a single hex.
fn resolve(rules: &Wurzburg, s: &State, unit: UnitId, path: &Hexes) -> Option<Path> {
    let from = s.unit(unit).hex.some();
    if let [to] = path[..]
        && from.is_none_or(|from| !rules.field.adjacent(from, to))
    {
        return rules.safest_way(s, rules.counter(unit).side, from, Some(to), &HexSet::EMPTY);
    }
    Some(path.iter().copied().collect())
}

/// 25.2: the firing position of a called attack helicopter unit, and the path there.
#[derive(Debug)]
pub struct Fly;

fn flyer(s: &State) -> Option<UnitId> {
    s.sky.flight.as_ref().map(|flight| flight.unit)
}

fn owner(rules: &Wurzburg, s: &State) -> Side {
    flyer(s).map_or(Side::Wp, |unit| rules.counter(unit).side)
}

fn check_fly(cx: &Cx, path: &Hexes) -> Result<(), Refusal> {
    let (rules, s) = (cx.rules, cx.s);
    let Some(unit) = flyer(s) else { return Err(rules.not_now()) };
    let Some(way) = resolve(rules, s, unit, path).filter(|way| !way.is_empty()) else {
        return Err(rules.not_now());
    };
    rules.check_way_of(s, unit, &way)?;
    let last = way[way.len() - 1];
    if rules.firing_position(s, unit, last) {
        Ok(())
    } else {
        rules.no("25.2", "air.out_of_range").unit("unit", unit).hex("hex", last).into()
    }
}

fn set_way(play: &mut Play, way: Path) {
    let Some(flight) = &mut play.s.sky.flight else { return };
    let from = play.s.units[flight.unit.index()].hex;
    flight.set_out(flight.leg, from, way);
}

impl Question<Wurzburg> for Fly {
    fn asks(&self, rules: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(owner(rules, s))
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let (Subject::Phase, Some(unit)) = (subject, flyer(cx.s)) else { return };
        let range = cx.rules.helicopter_range(unit);
        let mut seen = HexSet::EMPTY;
        for target in cx.rules.helicopter_targets(cx.s) {
            for hex in cx.rules.field.board.range(target, range as u16) {
                if cx.rules.area.contains(hex) && seen.insert(hex) {
                    out.push(Action::Fly(Hexes::from_slice(&[hex])));
                }
            }
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Fly(path) => check_fly(cx, path),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let rules = play.rules;
        let way = match (action, flyer(play.s)) {
            (Action::Fly(path), Some(unit)) => play.s.unchanged(|s| resolve(rules, s, unit, path)),
            _ => None,
        };
        play.pop();
        if let Some(way) = way {
            set_way(play, way);
            play.push(Frame::Flight);
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.fly", "25.2")
    }
}

/// 25.2: after a Flak combat the owner of an attack helicopter unit continues, stops in a firing position, or aborts.
#[derive(Debug)]
pub struct OnTheWay;

fn may_stop(cx: &Cx) -> bool {
    flyer(cx.s).is_some_and(|unit| cx.rules.firing_position(cx.s, unit, cx.s.unit(unit).hex))
}

impl Question<Wurzburg> for OnTheWay {
    fn asks(&self, rules: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(owner(rules, s))
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject != Subject::Phase {
            return;
        }
        out.push(Action::GoOn);
        let more = cx.s.sky.flight.as_ref().is_some_and(|flight| flight.next().is_some());
        if more && may_stop(cx) {
            out.push(Action::Stop);
        }
        out.push(Action::Abort);
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::GoOn | Action::Abort => Ok(()),
            Action::Stop if may_stop(cx) => Ok(()),
            Action::Stop => {
                let unit = flyer(cx.s).unwrap_or_default();
                cx.rules
                    .no("25.2", "air.out_of_range")
                    .unit("unit", unit)
                    .hex("hex", cx.s.unit(unit).hex)
                    .into()
            }
            Action::Fly(path) => check_fly(cx, path),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, At { side, .. }: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        match action {
            Action::Abort => abort(play, side),
            Action::Stop => set_way(play, Path::new()),
            Action::Fly(path) => {
                if let Some(unit) = flyer(play.s)
                    && let Some(way) = resolve(play.rules, play.s, unit, path)
                {
                    set_way(play, way);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.on_the_way", "25.2")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::GoOn)
    }
}

/// 27.3.2: abort the mission; the frame below continues the flight.
pub(super) fn abort(play: &mut Play, side: Side) {
    if let Some(flight) = &mut play.s.sky.flight {
        flight.aborted = true;
        let unit = flight.unit;
        play.tell(Event::FlightAborted { side, unit });
    }
}

/// 25.2.4, 27.3.2: the path home.
#[derive(Debug)]
pub struct FlyHome;

impl Question<Wurzburg> for FlyHome {
    fn asks(&self, rules: &Wurzburg, s: &State, frame: Frame) -> Option<Side> {
        Some(if let Frame::FlyHome(unit) = frame { rules.counter(unit).side } else { owner(rules, s) })
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let Frame::FlyHome(unit) = cx.frame else { return Some(Action::Home) };
        let way = cx.rules.way_home(cx.s, unit).unwrap_or_default();
        // All paths on which nothing can be forced are equally good (28.1).
        (!way.iter().any(|hex| cx.rules.flak_can_force(cx.s, cx.side, *hex))).then_some(Action::Home)
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.push(Action::Home);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Frame::FlyHome(unit) = cx.frame else { return Err(cx.rules.not_now()) };
        match action {
            Action::Home => Ok(()),
            Action::Fly(path) => {
                let way = resolve(cx.rules, cx.s, unit, path).unwrap_or_default();
                cx.rules.check_way_of(cx.s, unit, &way)?;
                let last = way.last().copied().unwrap_or(cx.s.unit(unit).hex);
                if cx.rules.helicopter_edges[cx.side.index()].contains(last) {
                    Ok(())
                } else {
                    cx.rules.no("25.2.4", "air.edge").unit("unit", unit).hex("hex", last).into()
                }
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let Frame::FlyHome(unit) = play.s.top() else { return Ok(()) };
        if !play.s.unit(unit).on_map() {
            play.pop();
            return Ok(());
        }
        let rules = play.rules;
        let path = play.s.unchanged(|s| match action {
            Action::Fly(path) => resolve(rules, s, unit, path),
            _ => rules.way_home(s, unit),
        });
        play.pop();
        let mut flight =
            play.s.sky.flight.take().filter(|f| f.unit == unit).unwrap_or_else(|| Flight::new(unit));
        flight.set_out(Leg::Home, play.s.unit(unit).hex, path.unwrap_or_default());
        play.s.sky.flight = Some(flight);
        play.push(Frame::Flight);
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.fly_home", "25.2.4")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Home)
    }
}

/// Fly until Flak Fire interrupts or the unit arrives; the frame has already been popped.
pub fn run(play: &mut Play) -> Result<(), Stop> {
    let Some(flight) = &play.s.sky.flight else { return Ok(()) };
    let unit = flight.unit;
    let side = play.rules.counter(unit).side;
    if flight.aborted && !flight.bound_home() {
        return break_off(play);
    }
    let mut way: Hexes = Hexes::new();
    let from = play.s.unit(unit).hex;
    loop {
        let Some(flight) = &mut play.s.sky.flight else { return Ok(()) };
        let Some(hex) = flight.next() else { break };
        flight.at += 1;
        let home = flight.bound_home();
        play.s.put(unit, Place::Map, hex);
        way.push(hex);
        // 28.1: on the way home only Flak Fire that can force a Hit Check is rolled.
        let met = if home {
            play.rules.flak_can_force(play.s, side, hex)
        } else {
            play.rules.under_flak(play.s, side, hex)
        };
        if met {
            play.tell(Event::Flew { unit, from, path: way });
            play.then(&[Frame::FlakFire, Frame::Flight]);
            return Ok(());
        }
    }
    if !way.is_empty() {
        play.tell(Event::Flew { unit, from, path: way });
    }
    arrived(play)
}

/// The end of a leg.
fn arrived(play: &mut Play) -> Result<(), Stop> {
    let Some(flight) = play.s.sky.flight.clone() else { return Ok(()) };
    let utility = play.rules.counter(flight.unit).symbol == Symbol::UtilityHelicopter;
    match flight.leg {
        Leg::Out if utility => super::lift::board(play),
        Leg::Out => play.s.sky.flight = None,
        Leg::Loaded => super::lift::land(play, flight.lz, false)?,
        Leg::Returning => super::lift::land(play, flight.pickup, true)?,
        Leg::Home => {
            play.s.sky.flight = None;
            track::arrive(play, flight.unit);
        }
    }
    Ok(())
}

/// 26.4.7, 27.3.2: an aborted unit turns back.
fn break_off(play: &mut Play) -> Result<(), Stop> {
    let Some(flight) = play.s.sky.flight.clone() else { return Ok(()) };
    if flight.passengers.is_empty() || flight.leg == Leg::Out {
        play.push(Frame::FlyHome(flight.unit));
        return Ok(());
    }
    let side = play.rules.counter(flight.unit).side;
    let from = play.s.unit(flight.unit).hex.some();
    let way = match flight.pickup.some() {
        Some(pickup) => play.rules.safest_way(play.s, side, from, Some(pickup), &HexSet::EMPTY),
        None => play.rules.way_home(play.s, flight.unit),
    };
    if let Some(flight) = &mut play.s.sky.flight {
        flight.set_out(Leg::Returning, from.unwrap_or_default(), way.unwrap_or_default());
    }
    play.push(Frame::Flight);
    Ok(())
}

/// 25.4, 21.2.1: the Strike that waited for its helicopters; artillery fires whatever happened to them.
pub fn raid(play: &mut Play) -> Result<(), Stop> {
    let Some(raid) = play.s.sky.raid.take() else { return Ok(()) };
    let side = play.rules.counter(raid.helicopter).side;
    let mut with: Units = raid.guns.clone();
    if play.rules.helicopter_reaches(play.s, raid.helicopter, raid.hex) {
        with.push(raid.helicopter);
    }
    if with.is_empty() {
        return Ok(());
    }
    let targets = play.rules.stack(play.s, side.enemy(), raid.hex);
    crate::support::resolve_strike(play, FireKind::Strike, raid.hex, &with, &targets)
}

/// A helicopter unit loses a step (27.3.1, 27.3.3). Returns whether any is left.
pub(super) fn lose_step(play: &mut Play, unit: UnitId) -> bool {
    let side = play.rules.counter(unit).side;
    play.s.sides[side.enemy().index()].helicopter_kills += 1;
    let u = play.s.unit_mut(unit);
    u.steps = u.steps.saturating_sub(1);
    let left = u.steps > 0;
    if !left {
        u.flags = Flags(0);
        play.s.put(unit, Place::Spare, HexId::NONE);
        play.s.op.called.remove(unit);
    }
    play.tell(Event::StepsLost { unit, steps: 1, eliminated: !left });
    left
}

/// 13.4: a called attack helicopter unit takes off.
pub fn open(play: &mut Play, unit: UnitId) {
    play.s.sky.flight = Some(Flight::new(unit));
    play.push(Frame::Fly);
}
