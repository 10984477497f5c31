//! Advance after combat (19.1–19.3, 19.6, 19.7).

use hexgrid::{Direction, HexId};
use kernel::{Refusal, Stop};
use rulebook::flow::Question;
use zocbond::{Topology, combat::advance::ways};

use crate::{
    action::{Action, Path},
    bonds::Bond,
    breakdown,
    combat::ground::Way,
    event::{Event, Why},
    flags::Flags,
    frame::Frame,
    fuel_dumps, movement,
    pack::{AdvanceKind, Side, Tag, Terrain, UnitId},
    place::Place,
    play::{At, Cx, Play},
    rules::Ardennes,
    stacking::Overload,
    state::State,
    subject::Subject,
};

/// The longest advance: a Bonus Advance by road.
const MAX_HEXES: usize = 4;

/// Why a unit may not take a step of an advance, or not advance at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    NotAttacker,
    Artillery,
    /// 29.1
    RedCode,
    /// Already advanced.
    Again,
    OffMap,
    Enemy,
    /// 32.2
    FuelDump,
    Bond(Bond),
    /// 19.3
    SameZoc(UnitId),
    Lake,
    /// 19.2: an unbridged river after the first hex, or for a Vehicle unit at all.
    River,
    /// 19.2: a roadless Wooded Rough hexside.
    WoodedRough,
    /// 19.2: a Forest hex off the road.
    Forest,
    /// 11.5: a Vehicle unit off the road.
    VehicleRoad,
    /// 11.10
    Boundary,
    /// 27.3
    Meuse,
    /// 29.3
    Division,
    /// 1E 27.7
    ClosedArea,
    /// 1E 24.8
    Roadblock,
    /// 19.1: only the vacated hex.
    Limited,
    /// 19.1
    TooFar(u8),
    /// 19.6
    OutOfSupply,
    /// 13.8
    EntryFirst,
    /// 8.1
    Full(Overload),
    /// 19.7
    Strategic,
    Twice,
}

impl Bar {
    pub const fn rule(self) -> &'static str {
        match self {
            Bar::NotAttacker | Bar::Artillery | Bar::Again | Bar::OffMap | Bar::Enemy => "19.1",
            Bar::Limited | Bar::TooFar(_) | Bar::Twice => "19.1",
            Bar::FuelDump => "32.2",
            Bar::RedCode => "29.1",
            Bar::Bond(_) => "10.2",
            Bar::SameZoc(_) => "19.3",
            Bar::Lake | Bar::River | Bar::WoodedRough | Bar::Forest | Bar::VehicleRoad => "19.2",
            Bar::Boundary => "11.10",
            Bar::Meuse => "27.3",
            Bar::Division => "29.3",
            Bar::ClosedArea => "27.7",
            Bar::Roadblock => "24.8",
            Bar::OutOfSupply => "19.6",
            Bar::EntryFirst => "13.8",
            Bar::Full(_) => "8.1",
            Bar::Strategic => "19.7",
        }
    }

    /// The message key of the reason, without its prefix `no.`.
    pub const fn key(self) -> &'static str {
        match self {
            Bar::NotAttacker => "advance.not_attacker",
            Bar::Artillery => "advance.artillery",
            Bar::RedCode => "advance.red_code",
            Bar::Again => "advance.again",
            Bar::OffMap => "advance.off_map",
            Bar::Enemy => "advance.enemy",
            Bar::FuelDump => "advance.fuel_dump",
            Bar::Bond(_) => "advance.bond",
            Bar::SameZoc(_) => "advance.same_zoc",
            Bar::Lake => "advance.lake",
            Bar::River => "advance.river",
            Bar::WoodedRough => "advance.wooded_rough",
            Bar::Forest => "advance.forest",
            Bar::VehicleRoad => "advance.vehicle_road",
            Bar::Boundary => "advance.boundary",
            Bar::Meuse => "advance.meuse",
            Bar::Division => "advance.division",
            Bar::ClosedArea => "advance.closed_area",
            Bar::Roadblock => "advance.roadblock",
            Bar::Limited => "advance.limited",
            Bar::TooFar(_) => "advance.too_far",
            Bar::OutOfSupply => "advance.out_of_supply",
            Bar::EntryFirst => "advance.entry_first",
            Bar::Full(_) => "advance.full",
            Bar::Strategic => "advance.strategic",
            Bar::Twice => "advance.twice",
        }
    }
}

/// What keeps a unit from advancing at all (19.1, 29.1).
fn unit_bar(rules: &Ardennes, s: &State, unit: UnitId) -> Option<Bar> {
    let counter = rules.counter(unit);
    if !s.combat.attackers.contains(unit) {
        Some(Bar::NotAttacker)
    } else if counter.artillery {
        Some(Bar::Artillery)
    } else if rules.counter(rules.origin(s, unit)).red_code && rules.turn_one(s) {
        Some(Bar::RedCode)
    } else {
        None
    }
}

/// What would keep the unit from advancing into the defender's hex if it were empty (16.2: Lead Unit)?
pub fn entry_bar(rules: &Ardennes, s: &State, unit: UnitId) -> Option<Bar> {
    let target = s.combat.target;
    unit_bar(rules, s, unit).or_else(|| match s.unit(unit).hex() {
        Some(from) => {
            let direction = rules.land.direction(from, target)?;
            terrain_bar(rules, s, unit, from, direction, true)
        }
        None => None, // 13.8
    })
}

/// Terrain and restrictions of a side (11.10, 19.2, 27.3, 29.3).
fn terrain_bar(
    rules: &Ardennes,
    s: &State,
    unit: UnitId,
    from: HexId,
    direction: Direction,
    first: bool,
) -> Option<Bar> {
    let edge = rules.land.edge(from, direction);
    let Some(to) = edge.to.some() else { return Some(Bar::OffMap) };
    let counter = rules.counter(unit);
    let way = Way::of(s, edge);
    if way.lake {
        return Some(Bar::Lake);
    }
    if way.unbridged && (counter.vehicle || !first) {
        return Some(Bar::River);
    }
    if way.rough && (counter.vehicle || !first) {
        return Some(Bar::WoodedRough);
    }
    if counter.vehicle && !way.open_to_vehicles() {
        return Some(Bar::VehicleRoad);
    }
    if !first && !way.road && rules.land.hex(to).is(Terrain::Forest) {
        return Some(Bar::Forest);
    }
    side_bar(rules, s, unit, to, way.boundary)
}

fn side_bar(rules: &Ardennes, s: &State, unit: UnitId, to: HexId, boundary: bool) -> Option<Bar> {
    let counter = rules.counter(unit);
    match counter.side {
        Side::German => {
            if boundary && s.turn < rules.tables().movement.boundary_free_turn {
                return Some(Bar::Boundary);
            }
            // 29.3: not into another division's area, nor to the rear.
            let start = s.unit(unit).hex().unwrap_or(HexId::NONE);
            if rules.turn_one(s) && rules.foreign_area(unit, start, to) {
                return Some(Bar::Division);
            }
        }
        Side::Allied => {
            let west = &rules.land.west_of_meuse;
            // On a map without the Meuse nobody is restricted by it.
            if counter.british && !rules.british_free(s, unit) && !west.is_empty() && !west.contains(to) {
                return Some(Bar::Meuse);
            }
            if rules.closed_area(s, Side::Allied, to) {
                return Some(Bar::ClosedArea);
            }
        }
    }
    None
}

/// One step (19.2, 19.3).
fn step_bar(
    rules: &Ardennes,
    s: &State,
    unit: UnitId,
    from: HexId,
    direction: Direction,
    first: bool,
) -> Option<Bar> {
    let side = rules.counter(unit).side;
    let Some(to) = rules.land.neighbour(from, direction) else { return Some(Bar::OffMap) };
    if s.enemy_in(side, to) {
        return Some(Bar::Enemy);
    }
    if side == Side::German && fuel_dumps::closes(rules, s, to) {
        return Some(Bar::FuelDump);
    }
    if let Some(bar) = terrain_bar(rules, s, unit, from, direction, first) {
        return Some(bar);
    }
    // 19.3: the vacated hex may be entered in spite of Bonds.
    if to != s.combat.target
        && let Some(bond) = rules.bond_bars(s, side, from, direction)
    {
        return Some(Bar::Bond(bond));
    }
    if !first && let Some(enemy) = same_zoc(rules, s, side, from, to) {
        return Some(Bar::SameZoc(enemy));
    }
    None
}

/// 19.3, G-18: an enemy unit whose ZOC covers both hexes.
fn same_zoc(rules: &Ardennes, s: &State, side: Side, from: HexId, to: HexId) -> Option<UnitId> {
    if !s.in_ezoc(side, from) || !s.in_ezoc(side, to) {
        return None;
    }
    let enemy = s.held(side.enemy());
    rules
        .land
        .neighbours(from)
        .filter(|hex| enemy.contains(*hex) && rules.land.direction(*hex, to).is_some())
        .flat_map(|hex| s.stack(hex))
        .find(|unit| rules.unit_exerts_zoc(s, *unit, from) && rules.unit_exerts_zoc(s, *unit, to))
}

/// How far a unit may advance: in general, and if every step is along roads (19.1, 19.6).
fn reach(rules: &Ardennes, s: &State, unit: UnitId) -> (u8, u8) {
    let table = &rules.tables().advance;
    let oos = s.unit(unit).is(Flags::OOS);
    let hexes = match s.combat.advance {
        AdvanceKind::None => return (0, 0),
        AdvanceKind::Limited => return (1, 1),
        AdvanceKind::Regular => table.regular,
        AdvanceKind::Bonus => table.bonus,
    };
    if oos {
        let hexes = hexes.min(table.out_of_supply_max);
        return (hexes, hexes);
    }
    let bonus = if rules.counter(unit).mechanized { table.road_bonus } else { 0 };
    (hexes, hexes + bonus)
}

/// May an advance end here (8.3, 19.7)?
fn end_bar(rules: &Ardennes, s: &State, unit: UnitId, hex: HexId) -> Option<Bar> {
    if rules.strategic_in(s, hex, &[unit]) {
        return Some(Bar::Strategic);
    }
    rules.overload(s, hex, &[unit]).map(Bar::Full)
}

/// 1E 24.8: an enemy Roadblock ends the advance.
fn stops_at(rules: &Ardennes, s: &State, side: Side, hex: HexId) -> bool {
    rules.roadblock_stops_columns()
        && s.roadblocks[side.enemy().index()].iter().any(|at| at.hex() == Some(hex))
}

/// Every advance of a unit after the combat being fought: path and end. The path of a unit in a Blocking Position
/// begins in the Entry Hex (13.8).
pub fn destinations(rules: &Ardennes, s: &State, unit: UnitId, each: &mut dyn FnMut(Path, HexId)) {
    if unit_bar(rules, s, unit).is_some() || s.unit(unit).is(Flags::ADVANCED) {
        return;
    }
    let (plain, by_road) = reach(rules, s, unit);
    if plain == 0 {
        return;
    }
    let search = Advance { rules, s, unit, plain, by_road };
    match s.unit(unit).place() {
        Place::Hex(from) => {
            ways(&search, from, 0, each);
        }
        Place::Blocking(_) => {
            let target = s.combat.target;
            if s.occupied(target) && s.enemy_in(rules.counter(unit).side, target) {
                return;
            }
            if end_bar(rules, s, unit, target).is_none() {
                each(Path::default(), target);
            }
            if s.combat.advance != AdvanceKind::Limited {
                ways(&search, target, 1, each);
            }
        }
        _ => {}
    }
}

struct Advance<'a> {
    rules: &'a Ardennes,
    s: &'a State,
    unit: UnitId,
    plain: u8,
    by_road: u8,
}

impl zocbond::combat::advance::Advance for Advance<'_> {
    fn topology(&self) -> &Topology {
        self.rules.land.topology()
    }

    /// 19.1
    fn hexes(&self, by_road: bool) -> u8 {
        if by_road { self.by_road } else { self.plain }
    }

    fn road_bonus(&self, from: HexId, direction: Direction) -> bool {
        Way::of(self.s, self.rules.land.edge(from, direction)).road_bonus
    }

    fn may_step(&self, from: HexId, direction: Direction, to: HexId, first: bool) -> bool {
        let limited = self.s.combat.advance == AdvanceKind::Limited && to != self.s.combat.target;
        !limited && step_bar(self.rules, self.s, self.unit, from, direction, first).is_none()
    }

    fn may_end(&self, hex: HexId) -> bool {
        end_bar(self.rules, self.s, self.unit, hex).is_none()
    }

    fn stops_in(&self, hex: HexId) -> bool {
        stops_at(self.rules, self.s, self.rules.counter(self.unit).side, hex)
    }
}

fn fault(rules: &Ardennes, s: &State, unit: UnitId, path: Path) -> Option<(Bar, HexId)> {
    let target = s.combat.target;
    let here = s.unit(unit).hex();
    if let Some(bar) = unit_bar(rules, s, unit) {
        return Some((bar, target));
    }
    if s.unit(unit).is(Flags::ADVANCED) {
        return Some((Bar::Again, target));
    }
    let (plain, by_road) = reach(rules, s, unit);
    let entered = u8::from(here.is_none());
    let mut at = here.unwrap_or(target);
    if here.is_none() && s.enemy_in(rules.counter(unit).side, target) {
        return Some((Bar::EntryFirst, target));
    }
    if here.is_some() && path.is_empty() {
        return Some((Bar::TooFar(plain), at));
    }
    let mut trail = [HexId::NONE; MAX_HEXES + 1];
    trail[0] = at;
    let mut road = true;
    for (depth, direction) in path.iter().enumerate() {
        let used = entered + depth as u8;
        let Some(to) = rules.land.neighbour(at, direction) else { return Some((Bar::OffMap, at)) };
        if s.combat.advance == AdvanceKind::Limited && to != target {
            return Some((Bar::Limited, to));
        }
        road = road && Way::of(s, rules.land.edge(at, direction)).road_bonus;
        if depth >= MAX_HEXES || used + 1 > if road { by_road } else { plain } {
            let oos = s.unit(unit).is(Flags::OOS);
            return Some((if oos { Bar::OutOfSupply } else { Bar::TooFar(plain) }, to));
        }
        if trail[..=depth].contains(&to) {
            return Some((Bar::Twice, to));
        }
        if depth > 0 && stops_at(rules, s, rules.counter(unit).side, at) {
            return Some((Bar::Roadblock, at));
        }
        if let Some(bar) = step_bar(rules, s, unit, at, direction, used == 0) {
            return Some((bar, to));
        }
        trail[depth + 1] = to;
        at = to;
    }
    end_bar(rules, s, unit, at).map(|bar| (bar, at))
}

fn refuse(rules: &Ardennes, s: &State, unit: UnitId, bar: Bar, hex: HexId) -> Refusal {
    let no = rules.no(bar.rule(), bar.key()).unit("unit", unit).hex("hex", hex);
    match bar {
        Bar::Bond(bond) => rules.refuse_bond(s, bond),
        Bar::Full(over) => rules.refuse_overload(s, hex, over, rules.load(s, hex, &[unit])),
        Bar::SameZoc(enemy) => no.unit("enemy", enemy).into(),
        Bar::TooFar(hexes) => no.number("hexes", hexes).into(),
        _ => no.into(),
    }
}

fn can_advance(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    let mut any = false;
    destinations(rules, s, unit, &mut |_, _| any = true);
    any
}

/// 19: which units advance, and where to.
#[derive(Debug)]
pub struct Advances;

impl Question<Ardennes> for Advances {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.attacker)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let any = cx.s.combat.attackers.iter().any(|unit| can_advance(cx.rules, cx.s, *unit));
        (!any).then_some(Action::Stay)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let units = cx.s.combat.attackers.iter().filter(|unit| can_advance(cx.rules, cx.s, **unit));
        out.extend(units.map(|unit| Subject::Unit(*unit)));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Stay),
            Subject::Unit(unit) => {
                let before = out.len();
                destinations(cx.rules, cx.s, unit, &mut |path, _| out.push(Action::Advance { unit, path }));
                if out.len() > before {
                    breakdown::options(cx, unit, out); // 26.2: before it advances
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Stay => Ok(()),
            Action::Advance { unit, path } => match fault(cx.rules, cx.s, unit, path) {
                None => Ok(()),
                Some((bar, hex)) => Err(refuse(cx.rules, cx.s, unit, bar, hex)),
            },
            Action::Breakdown { unit, .. } => match unit_bar(cx.rules, cx.s, unit) {
                Some(bar) => Err(refuse(cx.rules, cx.s, unit, bar, cx.s.combat.target)),
                None if cx.s.unit(unit).is(Flags::ADVANCED) => {
                    Err(refuse(cx.rules, cx.s, unit, Bar::Again, cx.s.combat.target))
                }
                None => breakdown::check(cx, action),
            },
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        if let Action::Breakdown { .. } = *action {
            return breakdown::apply(play, action);
        }
        let Action::Advance { unit, path } = *action else {
            play.pop();
            return Ok(());
        };
        let rules = play.rules;
        let start = play.s.unit(unit).hex();
        let mut at = start;
        let mut hexes = 0;
        if start.is_none() {
            // 13.8
            at = Some(play.s.combat.target);
            enter(play, unit, None, play.s.combat.target)?;
            hexes += 1;
        }
        for direction in path.iter() {
            let Some(from) = at else { break };
            let edge = *rules.land.edge(from, direction);
            let Some(to) = edge.to.some() else { break };
            if edge.bridge().is_some()
                && edge.bridge() == rules.land.ouren
                && german(rules, unit)
                && !rules.ouren_rolled_beside_it()
            {
                crate::bridges::ouren(play)?; // 7.8
                if step_bar(rules, play.s, unit, from, direction, hexes == 0).is_some() {
                    break; // the bridge was blown under it: it stays where it is
                }
            }
            enter(play, unit, Some(from), to)?;
            at = Some(to);
            hexes += 1;
        }
        play.s.unit_mut(unit).flags.set(Flags::ADVANCED);
        if hexes > rules.tables().advance.breakthrough_foot_max {
            play.s.combat.far.add(unit); // 19.4
        }
        Ok(())
    }
}

fn german(rules: &Ardennes, unit: UnitId) -> bool {
    rules.counter(unit).side == Side::German
}

/// Enters one hex of an advance, with everything that this triggers.
fn enter(play: &mut Play, unit: UnitId, from: Option<HexId>, to: HexId) -> Result<(), Stop> {
    let rules = play.rules;
    let side = rules.counter(unit).side;
    play.tell(Event::Step { unit, from, to, why: Why::Advance });
    rules.put(play.s, unit, Place::Hex(to));
    match side {
        Side::German => release_artillery(play, to),
        Side::Allied => fuel_dumps::allied_enters(play, to), // 32.2
    }
    // Control, Roadblocks passed, the Meuse, hidden dumps.
    movement::entered(play, side, to)
}

/// 29.1: a German advance adjacent to V/187 or V/406 releases that artillery.
fn release_artillery(play: &mut Play, hex: HexId) {
    if !play.rules.turn_one(play.s) || play.rules.first_turn_silences_guns() {
        return;
    }
    for edge in play.rules.land.edges(hex) {
        let Some(near) = edge.to.some().filter(|near| play.s.enemy_in(Side::German, *near)) else { continue };
        let gun = play.s.stack(near).find(|u| play.rules.counter(*u).has(Tag::MonschauArtillery));
        if let Some(gun) = gun {
            play.mark(gun, Flags::RELEASED);
        }
    }
}
