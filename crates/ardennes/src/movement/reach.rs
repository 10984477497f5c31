//! Where a unit can move to, at what cost and along which path ([`zocbond::moves`]). Searches are cached for the
//! position in which they were made, so that listing moves and then making one searches once.

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};
use zocbond::{
    Topology,
    moves::{Guide, Met, Obstacles, Pace, Reach as Found, StepCosts},
};

use super::{
    bar::{Bar, What},
    profile::{ANY_HEXES, Profile},
};
use crate::{
    action::{Mode, Path},
    list::List,
    rules::Ardennes,
    state::{Bridge, MarkerAt, State},
    terrain::{ASK, Mover, NEVER, SHUT},
};

pub use zocbond::moves::{Door, Goal};

/// Entry Hexes of one unit, or the west edge hexes that replace them (13.1, 31.2). The cost of a door is the cost of
/// its hex plus what was spent before (31.2).
pub type Doors = List<Door, 48>;

/// Where enemy Traffic markers and Roadblocks are (24.2, 33.1).
type Markers = ([MarkerAt; 6], [MarkerAt; 2]);

/// What is kept from one search to the next.
#[derive(Default)]
struct Memory {
    found: [Found; Mode::ALL.len()],
    obstacles: Obstacles<Markers>,
    /// For mud and frost, without and with army boundaries (11.10).
    costs: [Option<StepCosts<Bridge, { Mover::ALL.len() }>>; 4],
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// The hexes that a unit reaches.
#[derive(Clone, Copy, Debug)]
pub struct Reach<'a> {
    found: &'a Found,
    topology: &'a Topology,
}

/// Calls a function with what a unit can reach.
pub fn with_reach<T>(rules: &Ardennes, s: &State, p: &Profile, look: impl FnOnce(Reach) -> T) -> T {
    MEMORY.with_borrow_mut(|memory| {
        // Extended Movement continues where normal movement ends: one search serves both (11.2), unless hexes are
        // counted.
        let goes_on = p.mode == Mode::Extended && p.hexes == ANY_HEXES;
        let slot = if goes_on { Mode::Normal } else { p.mode };
        let Memory { found, obstacles, costs } = memory;
        let found = &mut found[slot as usize];
        if !found.is_for(s.stamp(), p.unit) {
            let closed = (p.bound || p.no_ezoc).then(|| rules.closed_to(s, p));
            let enemy = p.side.enemy().index();
            let markers = (s.traffic[enemy], s.roadblocks[enemy]);
            obstacles.update(rules.stamp, s, p.side, markers, || rules.slow_hexes(s, p.side), closed);
            let chart = rules.ground(s) as usize * 2 + usize::from(p.boundaries);
            let costs = costs[chart].get_or_insert_default();
            let mut steps =
                costs.steps(rules.stamp, s.stamp(), s.bridges(), &rules.land.bridges, p.mover as usize);
            let guide = Walker { rules, s, p, obstacles };
            if p.start == HexId::NONE {
                let mut doors = rules.doors(s, p);
                doors.retain(|door| rules.door_bar(s, p, door.hex).is_none());
                found.find(s.stamp(), p.unit, &guide, &mut steps, &doors);
            } else {
                let start = [Door { hex: p.start, cost: 0 }];
                found.find(s.stamp(), p.unit, &guide, &mut steps, &start);
            }
        }
        look(Reach { found, topology: rules.land.topology() })
    })
}

impl<'a> Reach<'a> {
    /// The hexes that a unit reaches with their costs in quarter points, cheapest first. Its own hex is among them
    /// unless it moves by single hexes.
    #[inline]
    pub(super) fn hexes(self, p: &Profile) -> &'a [Goal] {
        self.found.hexes(p.left)
    }

    /// Calls a function for each hex except its own.
    pub fn each(self, p: &Profile, mut each: impl FnMut(HexId, u16)) {
        for goal in self.hexes(p).iter().filter(|goal| goal.hex() != p.start) {
            each(goal.hex(), goal.cost());
        }
    }

    pub fn cost(self, p: &Profile, hex: HexId) -> Option<u16> {
        self.found.cost(p.left, hex)
    }

    /// The cheapest path to a hex: its Entry Hex (none for a unit on the map), and the steps.
    pub fn way(self, p: &Profile, hex: HexId) -> Option<(HexId, Path)> {
        let (source, path) = self.found.way(self.topology, p.left, hex)?;
        Some((if p.start == HexId::NONE { source } else { HexId::NONE }, path))
    }

    /// The steps of the cheapest path to the hex that is adjacent to the start in this direction.
    pub fn path_beside(self, p: &Profile, hex: HexId, direction: Direction) -> Path {
        if self.found.enters(hex, direction) {
            return Path::from_iter([direction]);
        }
        self.way(p, hex).map_or_else(Path::default, |(_, path)| path)
    }
}

/// The movement rules as a search needs them.
struct Walker<'a> {
    rules: &'a Ardennes,
    s: &'a State,
    p: &'a Profile,
    obstacles: &'a Obstacles<Markers>,
}

impl Guide for Walker<'_> {
    #[inline]
    fn topology(&self) -> &Topology {
        self.rules.land.topology()
    }

    #[inline]
    fn start(&self) -> HexId {
        self.p.start
    }

    #[inline]
    fn left(&self) -> u16 {
        self.p.left
    }

    #[inline]
    fn extension(&self) -> u16 {
        self.p.extension
    }

    #[inline]
    fn hexes(&self) -> u8 {
        self.p.hexes
    }

    /// 11.3
    #[inline]
    fn flat_cost(&self) -> Option<u16> {
        self.p.free.then_some(super::TACTICAL_HEX)
    }

    /// 22.2
    #[inline]
    fn first_step_free(&self) -> bool {
        self.p.shift
    }

    /// 9.2
    #[inline]
    fn leave(&self) -> u16 {
        self.p.leave
    }

    /// 29.2
    #[inline]
    fn ask_from_start(&self) -> u8 {
        if self.p.echternach { self.rules.echternach_bit() } else { 0 }
    }

    fn land_steps(&self, hex: HexId) -> [u8; 6] {
        let anybody = self.p.anybody();
        let table = self.rules.land.steps(self.p.mover, self.rules.ground(self.s))[hex.index()];
        Direction::ALL.map(|direction| match table[direction.index()] {
            ASK => self.rules.step_of_anybody(self.s, &anybody, hex, direction),
            known => known,
        })
    }

    #[inline]
    fn obstacles(&self) -> &HexSet {
        self.obstacles.all()
    }

    fn meet(&self, from: HexId, direction: Direction, to: HexId) -> Option<Met> {
        let Walker { rules, s, p, obstacles } = *self;
        if obstacles.is_closed(to) || s.enemy_in(p.side, to) || rules.dump_bars(s, p.side, to) {
            return None;
        }
        let ezoc =
            if s.near_enemy(p.side, to) { rules.enemy_near(s, p, from, direction, to).ok()? } else { false };
        let delay = if p.free || !obstacles.may_delay(to) { 0 } else { rules.delay(s, p.side, to) };
        Some(Met { delay, stop: ezoc || rules.roadblock_stops(s, p, to) })
    }

    /// A wide search never meets a second hard crossing: one is made from the start or adjacent to it (1E 11.4).
    fn pace(&self, from: HexId, direction: Direction, crossed: bool) -> Option<Pace> {
        self.rules.pace(self.s, self.p, from, direction, crossed).ok()
    }

    /// Tactical Movement must check hard crossings only: most are ruled out at once (11.4, 11.6, 29.2).
    #[inline]
    fn surely_barred(&self, step: u8, from: HexId, to: HexId, crossed: bool) -> bool {
        let p = self.p;
        let too_hard =
            || !p.echternach && (crossed || !p.may_cross || !self.rules.touches(p.origin, from, to));
        p.free && (step == SHUT || too_hard())
    }

    /// 13.1
    fn stops_in(&self, hex: HexId) -> bool {
        self.s.in_ezoc(self.p.side, hex)
    }
}

impl Ardennes {
    /// Hexes where something may delay or stop units of a side although no enemy is near.
    fn slow_hexes(&self, s: &State, side: crate::pack::Side) -> HexSet {
        let enemy = side.enemy().index();
        let mut slow = self.land.slow[side.index()];
        slow.extend(s.traffic[enemy].iter().chain(&s.roadblocks[enemy]).filter_map(|at| at.hex()));
        slow
    }

    /// Hexes closed to this unit, whatever units are there (18.2, 27.3, 27.7, 29.3).
    fn closed_to(&self, s: &State, p: &Profile) -> HexSet {
        let mut closed = HexSet::EMPTY;
        if p.areas {
            closed = self.foreign_areas(p.unit, p.start);
        }
        if p.west_of_meuse {
            closed.union_with(&(&self.land.in_play - &self.land.west_of_meuse));
        }
        if self.area_is_closed(s, p.side) {
            closed.union_with(&self.land.areas[self.pack.places.closed_area_1e.index()]);
        }
        if p.no_ezoc {
            closed.union_with(s.zoc(p.side.enemy()));
        }
        closed
    }
}

impl Profile {
    /// A generic unit that moves in the same way, without restrictions of its own.
    fn anybody(&self) -> Profile {
        Profile {
            start: HexId::NONE,
            origin: HexId::NONE,
            shift: false,
            may_cross: false,
            leave: 0,
            echternach: false,
            vehicle: matches!(self.mover, Mover::Vehicle | Mover::TacticalVehicle),
            ..*self
        }
    }
}

impl Ardennes {
    /// The cost of a step that depends on a bridge or a boundary, in their present state.
    fn step_of_anybody(&self, s: &State, p: &Profile, from: HexId, direction: Direction) -> u8 {
        let edge = self.land.edge(from, direction);
        let crossing = Self::crossing_of(s, edge);
        // 11.4, 11.6: from an adjacent start, by Tactical Movement; 1E 11.4: in any mode. 22.2: artillery may shift
        // into any hex.
        let crosses = match p.mover {
            Mover::Tactical => true,
            Mover::Foot | Mover::MechInfantry => self.crosses_in_any_mode(),
            Mover::Vehicle | Mover::TacticalVehicle | Mover::March => false,
        };
        let dear = !p.free && self.land.hex(edge.to).enter[p.cost] == NEVER && !crossing.road;
        if crosses && crossing.hard() || dear {
            return ASK;
        }
        if self.crossing_bar(s, p, from, direction, false).is_err() {
            return SHUT;
        }
        if p.free { 0 } else { self.terrain_cost(p, edge, crossing.road).min(SHUT) }
    }
}

impl Ardennes {
    /// What keeps a unit from entering by this hex.
    pub(crate) fn door_bar(&self, s: &State, p: &Profile, hex: HexId) -> Option<Bar> {
        if s.enemy_in(p.side, hex) {
            return Some(Bar::hex("13.4", "enemy_there", hex));
        }
        if p.no_ezoc && s.in_ezoc(p.side, hex) {
            return Some(Bar::hex("18.2", "disrupted.ezoc", hex));
        }
        if p.west_of_meuse && !self.land.west_of_meuse.contains(hex) {
            return Some(Bar::hex("27.3", "british.meuse", hex));
        }
        if p.roads_only && !self.land.hex(hex).has_road() {
            return Some(Bar::hex("12.1", "strategic.no_road", hex));
        }
        if p.away_from_enemy && self.too_near_for_strategic(s, p.side, hex) {
            return Some(Bar::hex("12.2", "strategic.near_enemy", hex));
        }
        None
    }

    /// Walks a whole path step by step: its cost, or what forbids it and where.
    pub(crate) fn walk_cost(&self, s: &State, p: &Profile, entry: HexId, path: &Path) -> Result<u16, Bar> {
        let (mut at, mut cost, mut hexes) = (p.start, 0, 0);
        let mut stopped = false;
        if at == HexId::NONE {
            let doors = self.doors(s, p);
            let door = doors.iter().find(|door| door.hex == entry);
            let Some(door) = door else { return Err(self.no_door(s, p, entry)) };
            if let Some(bar) = self.door_bar(s, p, entry) {
                return Err(bar);
            }
            (at, cost, hexes) = (entry, if p.free { 0 } else { door.cost }, 1);
            stopped = s.in_ezoc(p.side, entry);
            if cost > p.left && !p.free {
                let what = What::Points { hex: at, needed: cost, left: p.left };
                return Err(Bar { rule: "13.1", key: "points", what });
            }
        }
        let mut crossed = false;
        for (number, direction) in path.iter().enumerate() {
            if stopped {
                // A Bond beyond explains more than the zone of control that ends the move before it.
                return Err(match self.bond_bars(s, p.side, at, direction) {
                    Some(bond) => Bar::bond(bond),
                    None if s.in_ezoc(p.side, at) => Bar::hex("9.2", "ezoc.stop", at),
                    None if p.roads_only => Bar::hex("12.3", "strategic.roadblock", at),
                    None => Bar::hex("29.2", "echternach.stop", at),
                });
            }
            let pace = self.pace(s, p, at, direction, crossed)?;
            crossed |= pace.hard;
            hexes += 1;
            cost += pace.cost;
            at = self.land.beyond(at, direction);
            if hexes > p.hexes {
                return Err(Bar::count(self.rule_of_hexes(s, p), "too_far", p.hexes));
            }
            let shifting = p.shift && number == 0;
            if !p.free && cost > p.left && !shifting {
                let what = What::Points { hex: at, needed: cost, left: p.left };
                return Err(Bar { rule: super::profile::rule_of_points(s, p.unit), key: "points", what });
            }
            stopped = pace.stop;
        }
        Ok(cost)
    }
}
