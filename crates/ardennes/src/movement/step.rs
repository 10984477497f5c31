//! One step of a move: what it costs, whether it ends the move, or what forbids it (9, 10, 11).

use hexgrid::{Direction, HexId, HexSet};
use zocbond::moves::Pace;

use super::{
    bar::{Bar, What},
    crossing::Crossing,
    profile::Profile,
};
use crate::{
    action::Mode,
    pack::{Side, UnitId},
    rules::Ardennes,
    state::{DumpState, State},
    terrain::{Edge, EdgeBits, NEVER},
};

impl Ardennes {
    /// The step from a hex in a direction. `crossed` says that the unit has already made a hard crossing. A search
    /// computes the same in two parts: the terrain ([`StepCosts`](zocbond::moves::StepCosts)), and the obstacles in it
    /// ([`Obstacles`](zocbond::moves::Obstacles)).
    pub(crate) fn pace(
        &self,
        s: &State,
        p: &Profile,
        from: HexId,
        direction: Direction,
        crossed: bool,
    ) -> Result<Pace, Bar> {
        let edge = self.land.edge(from, direction);
        let to = edge.to;
        if to == HexId::NONE {
            return Err(Bar::hex("11.9", "off_map", from));
        }
        if s.enemy_in(p.side, to) || self.dump_bars(s, p.side, to) {
            return Err(Bar::hex("11.1", "enemy_there", to));
        }
        let crossing = self.crossing_bar(s, p, from, direction, crossed)?;
        if p.areas && self.foreign_area(p.unit, p.start, to) {
            return Err(Bar::hex("29.3", "division_boundary", to));
        }
        if p.west_of_meuse && !self.land.west_of_meuse.contains(to) {
            return Err(Bar::hex("27.3", "british.meuse", to));
        }
        if self.closed_area(s, p.side, to) {
            return Err(Bar::hex("27.7", "closed_area", to));
        }
        let ezoc = self.enemy_near(s, p, from, direction, to)?;
        if ezoc && p.no_ezoc {
            return Err(Bar::hex("18.2", "disrupted.ezoc", to));
        }
        let mut cost = 0;
        if !p.free {
            let terrain = self.terrain_cost(p, edge, crossing.road);
            if terrain == NEVER && !p.shift {
                return Err(Bar::hexside("11.6", "crossing.tactical", [from, to]));
            }
            cost = if terrain == NEVER { 0 } else { u16::from(terrain) };
            if from == p.start {
                cost += p.leave; // 9.2
            }
            cost += self.delay(s, p.side, to); // 12.3, 24.2, 24.7, 33.1
        }
        let echternach = self.crosses_at_echternach(p, from, to);
        let hard = !p.vehicle && crossing.hard() && !echternach;
        Ok(Pace { cost, stop: ezoc || echternach || self.roadblock_stops(s, p, to), hard })
    }

    /// Restrictions of the hexside: lakes, rivers, roads and boundaries (11.4–11.6, 11.10, 12.1).
    pub(super) fn crossing_bar(
        &self,
        s: &State,
        p: &Profile,
        from: HexId,
        direction: Direction,
        crossed: bool,
    ) -> Result<Crossing, Bar> {
        let edge = self.land.edge(from, direction);
        let across = [from, edge.to];
        let crossing = Self::crossing_of(s, edge);
        if crossing.lake {
            return Err(Bar::hexside("11.4", "lake", across));
        }
        if p.vehicle {
            if crossing.river_unbridged {
                return Err(Bar::hexside("11.4", "vehicle.river", across));
            }
            if !crossing.road && crossing.by_road_only {
                let rule = if edge.is(EdgeBits::WOODED_ROUGH) { "11.6" } else { "11.5" };
                return Err(Bar::hexside(rule, "vehicle_road", across));
            }
        } else if crossing.hard() && !self.crosses_at_echternach(p, from, edge.to) {
            let rule = if crossing.river_unbridged { "11.4" } else { "11.6" };
            // 1E 11.6: Wooded Rough may be entered by normal movement, rivers need Tactical Movement (1E 11.4).
            if !p.may_cross || crossing.river_unbridged && !p.free {
                return Err(Bar::hexside(rule, "crossing.tactical", across));
            }
            if crossed {
                return Err(Bar::hexside(rule, "crossing.second", across));
            }
            if !self.touches(p.origin, from, edge.to) {
                return Err(Bar::hexside(rule, "crossing.adjacent_start", across));
            }
        }
        if p.roads_only && !crossing.road {
            return Err(Bar::hexside("12.1", "strategic.road", across));
        }
        if p.boundaries && edge.is(EdgeBits::BOUNDARY) {
            return Err(Bar::hexside("11.10", "army_boundary", across));
        }
        Ok(crossing)
    }

    /// 29.2
    fn crosses_at_echternach(&self, p: &Profile, from: HexId, to: HexId) -> bool {
        p.echternach && self.land.echternach == Some([from, to])
    }

    /// The crossing at Echternach as a bit of the directions out of the hex where it begins.
    pub(super) fn echternach_bit(&self) -> u8 {
        let direction = self.land.echternach.and_then(|[from, to]| self.land.direction(from, to));
        direction.map_or(0, |d| 1 << d.index())
    }

    /// 11.7: quarter points of the terrain entered, by road if there is one; [`NEVER`] where only Tactical Movement can
    /// go.
    pub(super) fn terrain_cost(&self, p: &Profile, edge: &Edge, road: bool) -> u8 {
        let off_road = self.land.hex(edge.to).enter[p.cost];
        if road { edge.road[p.cost].min(off_road) } else { off_road }
    }

    /// Enemy units around the hex entered: their Bonds and their proximity forbid the step, their ZOC ends the move
    /// (9.2, 10.2, 12.2). Returns true in an EZOC.
    pub(super) fn enemy_near(
        &self,
        s: &State,
        p: &Profile,
        from: HexId,
        direction: Direction,
        to: HexId,
    ) -> Result<bool, Bar> {
        if let Some(bond) = self.bond_bars(s, p.side, from, direction) {
            return Err(Bar::bond(bond));
        }
        if p.away_from_enemy && self.too_near_for_strategic(s, p.side, to) {
            return Err(Bar::hex("12.2", "strategic.near_enemy", to));
        }
        // 9.3: it may move from one EZOC to another, and stops there.
        Ok(s.in_ezoc(p.side, to))
    }

    /// 11.4: does the hex touch the hexside between these two?
    pub(super) fn touches(&self, hex: HexId, a: HexId, b: HexId) -> bool {
        hex != HexId::NONE
            && (hex == a
                || hex == b
                || self.land.direction(hex, a).is_some() && self.land.direction(hex, b).is_some())
    }

    /// 29.3: another division's set-up area, or the Rear Zone, if the unit is not already in it. Corps troops may use
    /// every area of their corps (31.1).
    pub(crate) fn foreign_area(&self, unit: UnitId, start: HexId, to: HexId) -> bool {
        if self.land.rear_zone.contains(to) {
            return !starts_in(start, &self.land.rear_zone);
        }
        self.land.areas_of(to).next().is_some()
            && !self.land.areas_of(to).any(|area| self.is_at_home(unit, start, area.index()))
    }

    /// All hexes of set-up areas that are foreign to the unit.
    pub(super) fn foreign_areas(&self, unit: UnitId, start: HexId) -> HexSet {
        let (mut foreign, mut home) = (HexSet::EMPTY, HexSet::EMPTY);
        for (index, area) in self.land.areas.iter().enumerate() {
            if self.is_at_home(unit, start, index) { &mut home } else { &mut foreign }.union_with(area);
        }
        foreign.subtract(&home);
        foreign.subtract(&self.land.rear_zone);
        if !starts_in(start, &self.land.rear_zone) {
            foreign.union_with(&self.land.rear_zone);
        }
        foreign
    }

    /// Is it the unit's own area, or the one in which it was set up? It keeps to that area, whichever division it
    /// belongs to (corps troops).
    fn is_at_home(&self, unit: UnitId, start: HexId, index: usize) -> bool {
        let counter = self.counter(unit);
        let area = &self.pack.areas[index];
        Some(area.formation) == counter.formation
            || counter.formation.is_none() && counter.corps == Some(area.corps)
            || starts_in(start, &self.land.areas[index])
    }

    /// 1E 27.7: the Allies may not enter the 18th VG's area on turns 1 and 2 while it holds a German unit.
    pub fn closed_area(&self, s: &State, side: Side, hex: HexId) -> bool {
        self.area_is_closed(s, side) && self.land.areas[self.pack.places.closed_area_1e.index()].contains(hex)
    }

    pub(super) fn area_is_closed(&self, s: &State, side: Side) -> bool {
        self.closes_an_area()
            && side == Side::Allied
            && s.turn <= 2
            && self.scenario.turn_one_rules
            && !self.land.areas[self.pack.places.closed_area_1e.index()].is_disjoint(s.held(Side::German))
    }

    /// 1E 12.3: an enemy Roadblock ends Strategic Movement.
    pub(super) fn roadblock_stops(&self, s: &State, p: &Profile, hex: HexId) -> bool {
        self.roadblock_stops_columns()
            && matches!(p.mode, Mode::Strategic | Mode::Truck)
            && s.roadblocks[p.side.enemy().index()].iter().any(|at| at.hex() == Some(hex))
    }

    /// 32.2: the garrison of the real fuel dump. A dump that has not been revealed blocks a plan whether it is real or
    /// not: otherwise the plan would reveal it (32.1).
    pub(super) fn dump_bars(&self, s: &State, side: Side, hex: HexId) -> bool {
        self.options.fuel_dumps
            && side == Side::German
            && self.land.dump_sites.iter().zip(&s.dumps).any(|(site, dump)| {
                *site == hex && dump.state == DumpState::Allied && (dump.real || !dump.revealed)
            })
    }

    /// May the unit end its move here? The same as [`Ardennes::end_bar`], with only one look at the stack if that is
    /// enough.
    pub(super) fn may_end_in(&self, s: &State, p: &Profile, units: &[UnitId], hex: HexId) -> bool {
        let &[unit] = units else { return self.end_bar(s, p, units, hex).is_none() };
        if p.roads_only || s.ccb9_bound || self.checks_every_unit() {
            // 12.2: usually another unit is there, without a marker that could be shared.
            let stacked = || s.stack(hex).any(|other| other != unit && !self.shares_marker(s, unit, other));
            return !(p.roads_only && stacked()) && self.end_bar(s, p, units, hex).is_none();
        }
        if p.mode == Mode::Extended && s.near_enemy(p.side, hex) {
            return false; // 11.2
        }
        if !s.occupied(hex) {
            return true;
        }
        let mut weight = self.weight_of(s, unit);
        let mut marked = false;
        for other in s.stack(hex).filter(|other| *other != unit) {
            weight.add(self.weight_of(s, other));
            marked |= under_marker_now(s, other); // 12.2
        }
        let may = !marked && weight.within(self.weight_limits);
        debug_assert_eq!(may, self.end_bar(s, p, units, hex).is_none());
        may
    }

    /// May these units end their move here (8.3, 11.2, 12.2)?
    pub(crate) fn end_bar(&self, s: &State, p: &Profile, units: &[UnitId], hex: HexId) -> Option<Bar> {
        if s.ccb9_bound && units.iter().any(|u| self.ccb9_strays(s, *u, p.origin, hex)) {
            return Some(Bar::hex("27.8", "ccb9", hex));
        }
        let occupied = s.occupied(hex);
        if (occupied || units.len() > 1)
            && let Some(over) = self.overload(s, hex, units)
        {
            let load = self.load(s, hex, units);
            return Some(Bar { rule: "8.1", key: "stacking", what: What::Full(hex, over, load) });
        }
        let strategic = p.roads_only;
        if !occupied && !strategic && p.mode != Mode::Extended {
            return None;
        }
        if p.mode == Mode::Extended {
            // 11.2
            let near = if self.zoc_is_near() { s.in_ezoc(p.side, hex) } else { s.near_enemy(p.side, hex) };
            if near {
                return Some(Bar::hex("11.2", "extended.near_enemy", hex));
            }
        }
        let others = || s.stack(hex).filter(|u| !units.contains(u));
        if strategic && others().any(|u| !self.shares_marker(s, p.unit, u)) {
            return Some(Bar::hex("12.2", "strategic.stacked", hex));
        }
        if !strategic && others().any(|u| under_marker_now(s, u)) {
            return Some(Bar::hex("12.2", "strategic.joined", hex));
        }
        if strategic {
            for (direction, &beyond) in self.land.around(hex).iter().enumerate() {
                let by_road = || self.land.hex(hex).roads >> direction & 1 == 1;
                let marked = |u: UnitId| under_marker_now(s, u) && !units.contains(&u);
                if s.held(p.side).contains(beyond) && s.stack(beyond).any(marked) && by_road() {
                    return Some(Bar::hex("12.2", "strategic.adjacent", beyond));
                }
            }
        }
        None
    }

    /// 12.4: two units of one regiment or brigade under one marker.
    fn shares_marker(&self, s: &State, a: UnitId, b: UnitId) -> bool {
        self.one_marker_for(s, a, b) && under_marker_now(s, b)
    }
}

/// Under an SM or Truck marker used in this phase.
fn under_marker_now(s: &State, unit: UnitId) -> bool {
    use crate::flags::Flags;
    let u = s.unit(unit);
    u.is(Flags::ON_ROAD) && u.is(Flags::MARKER_USED | Flags::MARKER_LAID)
}

fn starts_in(start: HexId, hexes: &HexSet) -> bool {
    start != HexId::NONE && hexes.contains(start)
}
