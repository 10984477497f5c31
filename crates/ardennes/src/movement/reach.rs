//! Where a unit can get to, at what cost and by which way. Searches are kept for the position they were made in, so that
//! listing moves and then making one searches once.

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};

use super::{
    bar::{Bar, What},
    lay::{Row, Steps, with_steps},
    obstacles::{Met, Obstacles},
    profile::{ANY_HEXES, Profile},
    spread::{Goal, Spread},
    step::Pace,
};
use crate::{
    action::{Mode, Path},
    list::List,
    pack::UnitId,
    rules::Ardennes,
    stamp::Stamp,
    state::State,
    terrain::{ASK, SHUT},
};

/// Entry Hexes of one unit, or the hexes of the west edge that stand for them (13.1, 31.2).
pub type Doors = List<Door, 48>;

/// A hex by which a unit may come onto the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Door {
    pub hex: HexId,
    /// Quarter points to stand in it: its own cost, and what was spent before (31.2).
    pub cost: u16,
}

impl crate::list::Slot for Door {
    const EMPTY: Self = Door { hex: HexId::NONE, cost: 0 };
}

/// The result of a search for one unit in one mode.
#[derive(Debug, Default)]
pub struct Reach {
    key: Option<(Stamp, UnitId)>,
    spread: Spread,
    /// Ways of at most a few hexes, each tried out (11.3).
    short: Vec<Way>,
    /// … where they lead, and at what cost.
    short_hexes: Vec<Goal>,
    is_short: bool,
    /// Where a hex stands among the short ways.
    place: Places,
}

/// For some hexes a number each.
#[derive(Debug, Default)]
struct Places {
    /// These have one: a small set, so that asking about the others does not fetch their numbers.
    hexes: HexSet,
    of: Vec<u16>,
}

impl Places {
    fn clear(&mut self, hexes: usize) {
        self.hexes = HexSet::EMPTY;
        if self.of.len() < hexes {
            self.of.resize(hexes, 0);
        }
    }

    fn has(&self, hex: HexId) -> bool {
        self.hexes.contains(hex)
    }

    fn get(&self, hex: HexId) -> Option<usize> {
        self.has(hex).then(|| usize::from(self.of[hex.index()]))
    }

    fn set(&mut self, hex: HexId, place: usize) {
        self.hexes.insert(hex);
        self.of[hex.index()] = place as u16;
    }
}

#[derive(Clone, Copy, Debug)]
struct Way {
    hex: HexId,
    cost: u16,
    entry: HexId,
    trail: Trail,
}

/// The few steps of a short way in one word, which is quicker to hand on than a [`Path`]: a bit, and below it three for each
/// step, the last one lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Trail(u64);

impl Trail {
    const EMPTY: Trail = Trail(1);
    /// Nobody who counts hexes goes as far.
    const MAX: u8 = 21;

    const fn is_empty(self) -> bool {
        self.0 == 1
    }

    const fn len(self) -> u32 {
        self.0.ilog2() / 3
    }

    const fn and(self, direction: Direction) -> Trail {
        Trail(self.0 << 3 | direction.index() as u64)
    }

    fn path(self) -> Path {
        let mut path = Path::default();
        let mut left = self.0;
        while left != 1 {
            path.push_front(Direction::from_index((left & 7) as usize));
            left >>= 3;
        }
        path
    }
}

thread_local! {
    static REACHES: RefCell<[Reach; Mode::ALL.len()]> = RefCell::new(std::array::from_fn(|_| Reach::default()));
}

/// Look at what a unit can reach.
pub fn with_reach<T>(rules: &Ardennes, s: &State, p: &Profile, look: impl FnOnce(&Reach) -> T) -> T {
    REACHES.with_borrow_mut(|reaches| {
        // Extended Movement goes on where normal movement ends: one search serves both (11.2), unless hexes are counted.
        let goes_on = p.mode == Mode::Extended && p.hexes == ANY_HEXES;
        let slot = if goes_on { Mode::Normal } else { p.mode };
        let reach = &mut reaches[slot as usize];
        let fresh = reach.key.is_some_and(|(stamp, unit)| stamp.same(s.stamp()) && unit == p.unit);
        if !fresh {
            reach.search(rules, s, p);
            reach.key = Some((s.stamp(), p.unit));
        }
        look(reach)
    })
}

impl Reach {
    fn search(&mut self, rules: &Ardennes, s: &State, p: &Profile) {
        thread_local! {
            static OBSTACLES: RefCell<Obstacles> = RefCell::default();
        }
        self.is_short = p.hexes != ANY_HEXES;
        OBSTACLES.with_borrow_mut(|obstacles| {
            obstacles.update(rules, s, p);
            self.search_among(rules, s, p, obstacles);
        });
    }

    fn search_among(&mut self, rules: &Ardennes, s: &State, p: &Profile, obstacles: &Obstacles) {
        with_steps(rules, s, p, |steps| {
            if self.is_short {
                self.search_short(rules, s, p, steps, obstacles);
                self.short_hexes.clear();
                self.short_hexes.extend(self.short.iter().map(|way| Goal::new(way.hex, way.cost)));
            } else {
                self.search_wide(rules, s, p, steps, obstacles);
            }
        });
    }

    fn search_wide(
        &mut self,
        rules: &Ardennes,
        s: &State,
        p: &Profile,
        steps: &mut Steps,
        obstacles: &Obstacles,
    ) {
        let budget = p.left + p.extension;
        if p.start != HexId::NONE {
            let start = [Door { hex: p.start, cost: 0 }];
            self.spread.search(rules, s, p, steps, obstacles, &start, budget);
            return;
        }
        let mut doors = rules.doors(s, p);
        doors.retain(|door| rules.door_bar(s, p, door.hex).is_none());
        self.spread.search(rules, s, p, steps, obstacles, &doors, budget);
    }

    fn search_short(
        &mut self,
        rules: &Ardennes,
        s: &State,
        p: &Profile,
        steps: &mut Steps,
        obstacles: &Obstacles,
    ) {
        self.short.clear();
        self.place.clear(rules.land.hexes.len());
        let hexes = p.hexes.min(Trail::MAX);
        let mut trial = Trial { rules, s, p, steps, obstacles };
        if p.start != HexId::NONE {
            let way = Way { hex: p.start, cost: 0, entry: HexId::NONE, trail: Trail::EMPTY };
            let row = trial.row(p.start);
            self.try_ways(&mut trial, way, row, hexes, false);
            return;
        }
        for door in &rules.doors(s, p) {
            let cost = if p.free { super::TACTICAL_HEX } else { door.cost };
            if hexes == 0 || rules.door_bar(s, p, door.hex).is_some() || !p.free && cost > p.left {
                continue;
            }
            let way = Way { hex: door.hex, cost, entry: door.hex, trail: Trail::EMPTY };
            self.note(way);
            if !s.in_ezoc(p.side, door.hex) {
                let row = trial.row(door.hex);
                self.try_ways(&mut trial, way, row, hexes - 1, false);
            }
        }
    }

    /// All ways on from the end of one, by at most so many hexes.
    fn try_ways(&mut self, trial: &mut Trial, from: Way, row: Row, hexes: u8, crossed: bool) {
        if hexes == 0 {
            return;
        }
        let p = trial.p;
        let last = hexes == 1;
        let around = *trial.rules.land.around(from.hex);
        // Read side by side rather than one after the other, since they come from far away.
        let beyond = if last { [Row::UNKNOWN; 6] } else { around.map(|to| trial.row(to)) };
        let row = row.steps();
        for direction in Direction::ALL {
            // No hex twice: it would be a way back.
            let to = around[direction.index()];
            if to == HexId::NONE || to == p.start {
                continue;
            }
            // Where every hex counts the same, the last one leads nowhere better (11.3).
            if p.free && last && self.place.has(to) {
                continue;
            }
            let Some(pace) = trial.pace(from.hex, direction, to, row[direction.index()], crossed) else {
                continue;
            };
            let cost = from.cost + if p.free { super::TACTICAL_HEX } else { pace.cost };
            let affordable = p.free || cost <= p.left || p.shift && from.trail.is_empty();
            if !affordable {
                continue;
            }
            let way = Way { hex: to, cost, trail: from.trail.and(direction), ..from };
            self.note(way);
            if !last && !pace.stop {
                self.try_ways(trial, way, beyond[direction.index()], hexes - 1, crossed || pace.hard);
            }
        }
    }

    /// Keep the cheaper of two ways; of equals, the shorter.
    fn note(&mut self, way: Way) {
        if let Some(at) = self.place.get(way.hex) {
            let known = &mut self.short[at];
            if (way.cost, way.trail.len()) < (known.cost, known.trail.len()) {
                *known = way;
            }
        } else {
            self.place.set(way.hex, self.short.len());
            self.short.push(way);
        }
    }

    /// The hexes that a unit reaches with their costs in quarter points, nearest first. Its own is among them unless it moves
    /// by single hexes.
    #[inline]
    pub(super) fn hexes(&self, p: &Profile) -> &[Goal] {
        if self.is_short {
            return &self.short_hexes;
        }
        let reached = self.spread.reached();
        let beyond = reached.partition_point(|goal| goal.cost() <= p.left);
        &reached[..beyond]
    }

    /// … each in turn, its own left out.
    pub fn each(&self, p: &Profile, mut each: impl FnMut(HexId, u16)) {
        for goal in self.hexes(p).iter().filter(|goal| goal.hex() != p.start) {
            each(goal.hex(), goal.cost());
        }
    }

    pub fn cost(&self, p: &Profile, hex: HexId) -> Option<u16> {
        if self.is_short {
            self.short_way(hex).map(|way| way.cost)
        } else {
            self.spread.cost(hex).filter(|cost| *cost <= p.left)
        }
    }

    fn short_way(&self, hex: HexId) -> Option<&Way> {
        self.place.get(hex).map(|at| &self.short[at])
    }

    /// The cheapest way to a hex: the Entry Hex it comes by (none for a unit on the map), and the steps.
    pub fn way(&self, rules: &Ardennes, p: &Profile, hex: HexId) -> Option<(HexId, Path)> {
        if self.is_short {
            return self.short_way(hex).map(|way| (way.entry, way.trail.path()));
        }
        self.cost(p, hex)?;
        let (source, path) = self.spread.way(rules, hex)?;
        Some((if p.start == HexId::NONE { source } else { HexId::NONE }, path))
    }

    /// The steps of the cheapest way to the hex that is next to the start in this direction.
    pub fn path_beside(&self, rules: &Ardennes, p: &Profile, hex: HexId, direction: Direction) -> Path {
        if !self.is_short && self.spread.enters(hex, direction) {
            return Path::from_iter([direction]);
        }
        self.way(rules, p, hex).map_or_else(Path::default, |(_, path)| path)
    }
}

/// What ways are tried out with.
struct Trial<'a, 'b> {
    rules: &'a Ardennes,
    s: &'a State,
    p: &'a Profile,
    steps: &'a mut Steps<'b>,
    obstacles: &'a Obstacles,
}

impl Trial<'_, '_> {
    fn row(&mut self, hex: HexId) -> Row {
        if hex == HexId::NONE { Row::UNKNOWN } else { self.steps.row(self.rules, self.s, self.p, hex) }
    }

    /// A step that the land's row has this to say about, if it can be made.
    #[inline]
    fn pace(&self, from: HexId, direction: Direction, to: HexId, step: u8, crossed: bool) -> Option<Pace> {
        let Trial { rules, s, p, obstacles, .. } = *self;
        if p.free && (step == SHUT || step == ASK && self.too_hard(from, to, crossed)) {
            debug_assert!(rules.pace(s, p, from, direction, crossed).is_err());
            return None;
        }
        if matches!(step, SHUT | ASK) {
            // Artillery that shifts its position goes where others do not.
            return rules.pace(s, p, from, direction, crossed).ok();
        }
        let open = !obstacles.anything().contains(to);
        let met = if open { Met::NOTHING } else { obstacles.met(rules, s, p, from, direction, to)? };
        let leave = if from == p.start { p.leave } else { 0 };
        Some(Pace { cost: u16::from(step) + leave + met.delay, stop: met.stop, hard: false })
    }

    /// What Tactical Movement must ask about are hard crossings: most are out of the question (11.4, 11.6, 29.2).
    fn too_hard(&self, from: HexId, to: HexId, crossed: bool) -> bool {
        let p = self.p;
        !p.echternach && (crossed || !p.may_cross || !self.rules.touches(p.origin, from, to))
    }
}

impl Ardennes {
    /// What keeps a unit from coming in by this hex.
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

    /// A whole way, step by step: its cost, or what forbids it and where.
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
                // A Bond beyond says more than the zone of control that ends the move before it.
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
