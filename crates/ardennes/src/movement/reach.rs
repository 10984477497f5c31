//! Where a unit can get to, at what cost and by which way. Searches are kept for the position they were made in, so that
//! listing moves and then making one searches once.

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};

use super::{
    bar::{Bar, What},
    profile::{ANY_HEXES, Profile},
    spread::Spread,
    step::Pace,
};
use crate::{
    action::{Mode, Path},
    list::List,
    pack::UnitId,
    rules::Ardennes,
    stamp::Stamp,
    state::State,
    terrain::ASK,
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
    /// What must be asked about; see `Ardennes::special_hexes`.
    special: HexSet,
    spread: Spread,
    /// Ways of at most a few hexes, each tried out (11.3).
    short: Vec<Way>,
    is_short: bool,
}

#[derive(Clone, Copy, Debug)]
struct Way {
    hex: HexId,
    cost: u16,
    entry: HexId,
    path: Path,
}

thread_local! {
    static REACHES: RefCell<[Reach; Mode::ALL.len()]> = RefCell::new(std::array::from_fn(|_| Reach::default()));
}

/// Look at what a unit can reach.
pub fn with_reach<T>(rules: &Ardennes, s: &State, p: &Profile, look: impl FnOnce(&Reach) -> T) -> T {
    REACHES.with_borrow_mut(|reaches| {
        // Extended Movement goes on where normal movement ends: one search serves both (11.2).
        let slot = if p.mode == Mode::Extended { Mode::Normal } else { p.mode };
        let reach = &mut reaches[slot as usize];
        let fresh = reach.key.is_some_and(|(stamp, unit)| stamp.same(s.stamp) && unit == p.unit);
        if !fresh {
            reach.search(rules, s, p);
            reach.key = Some((s.stamp, p.unit));
        }
        look(reach)
    })
}

impl Reach {
    fn search(&mut self, rules: &Ardennes, s: &State, p: &Profile) {
        rules.special_hexes(s, p.side, &mut self.special);
        self.is_short = p.hexes != ANY_HEXES;
        if self.is_short {
            self.search_short(rules, s, p);
        } else {
            self.search_wide(rules, s, p);
        }
    }

    fn search_wide(&mut self, rules: &Ardennes, s: &State, p: &Profile) {
        let budget = p.left + p.extension;
        if p.start != HexId::NONE {
            let start = [Door { hex: p.start, cost: 0 }];
            self.spread.search(rules, s, p, &self.special, &start, budget);
            return;
        }
        let mut doors = rules.doors(s, p);
        doors.retain(|door| rules.door_bar(s, p, door.hex).is_none());
        self.spread.search(rules, s, p, &self.special, &doors, budget);
    }

    fn search_short(&mut self, rules: &Ardennes, s: &State, p: &Profile) {
        self.short.clear();
        if p.start != HexId::NONE {
            let way = Way { hex: p.start, cost: 0, entry: HexId::NONE, path: Path::default() };
            self.try_ways(rules, s, p, way, p.hexes, false);
            return;
        }
        for door in &rules.doors(s, p) {
            let cost = if p.free { super::TACTICAL_HEX } else { door.cost };
            if p.hexes == 0 || rules.door_bar(s, p, door.hex).is_some() || !p.free && cost > p.left {
                continue;
            }
            let way = Way { hex: door.hex, cost, entry: door.hex, path: Path::default() };
            self.note(way);
            if !s.in_ezoc(p.side, door.hex) {
                self.try_ways(rules, s, p, way, p.hexes - 1, false);
            }
        }
    }

    fn try_ways(&mut self, rules: &Ardennes, s: &State, p: &Profile, from: Way, hexes: u8, crossed: bool) {
        if hexes == 0 {
            return;
        }
        for direction in Direction::ALL {
            let Some(pace) = self.try_pace(rules, s, p, from.hex, direction, crossed) else { continue };
            let cost = from.cost + if p.free { super::TACTICAL_HEX } else { pace.cost };
            let affordable = p.free || cost <= p.left || p.shift && from.path.is_empty();
            // No hex twice: it would be a way back.
            let to = rules.land.edge(from.hex, direction).to;
            if !affordable || to == p.start {
                continue;
            }
            let mut way = Way { hex: to, cost, ..from };
            way.path.push(direction);
            self.note(way);
            if !pace.stop {
                self.try_ways(rules, s, p, way, hexes - 1, crossed || pace.hard);
            }
        }
    }

    fn try_pace(
        &self,
        rules: &Ardennes,
        s: &State,
        p: &Profile,
        from: HexId,
        direction: Direction,
        crossed: bool,
    ) -> Option<Pace> {
        let known = rules.land.steps(p.mover, rules.ground(s))[from.index()][direction.index()];
        let to = rules.land.edge(from, direction).to;
        let plain =
            to != HexId::NONE && !self.special.contains(to) && !self.special.contains(from) && !p.slow;
        if plain && known < ASK {
            return Some(Pace { cost: u16::from(known), stop: false, hard: false });
        }
        rules.pace(s, p, from, direction, crossed).ok()
    }

    /// Keep the cheaper of two ways; of equals, the shorter.
    fn note(&mut self, way: Way) {
        match self.short.iter_mut().find(|known| known.hex == way.hex) {
            Some(known) => {
                if (way.cost, way.path.len()) < (known.cost, known.path.len()) {
                    *known = way;
                }
            }
            None => self.short.push(way),
        }
    }

    /// The hexes that a unit reaches with their costs in quarter points, the start not among them; nearest first.
    pub fn each(&self, p: &Profile, mut each: impl FnMut(HexId, u16)) {
        let start = p.start;
        if self.is_short {
            for way in &self.short {
                each(way.hex, way.cost);
            }
            return;
        }
        for hex in self.spread.reached() {
            if *hex != start
                && let Some(cost) = self.spread.cost(*hex)
            {
                if cost > p.left {
                    break; // cheapest first
                }
                each(*hex, cost);
            }
        }
    }

    pub fn cost(&self, p: &Profile, hex: HexId) -> Option<u16> {
        if self.is_short {
            self.short.iter().find(|way| way.hex == hex).map(|way| way.cost)
        } else {
            self.spread.cost(hex).filter(|cost| *cost <= p.left)
        }
    }

    /// The cheapest way to a hex: the Entry Hex it comes by (none for a unit on the map), and the steps.
    pub fn way(&self, rules: &Ardennes, p: &Profile, hex: HexId) -> Option<(HexId, Path)> {
        if self.is_short {
            return self.short.iter().find(|way| way.hex == hex).map(|way| (way.entry, way.path));
        }
        self.cost(p, hex)?;
        let (source, path) = self.spread.way(rules, hex)?;
        Some((if p.start == HexId::NONE { source } else { HexId::NONE }, path))
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
            return Some(Bar::hex("12.1", "strategic.road", hex));
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
                return Err(Bar::hex("9.2", "ezoc.stop", at));
            }
            let pace = self.pace(s, p, at, direction, crossed)?;
            crossed |= pace.hard;
            hexes += 1;
            cost += pace.cost;
            at = self.land.edge(at, direction).to;
            if hexes > p.hexes {
                let rule = if p.free { "11.3" } else { "11.1" };
                return Err(Bar::count(rule, "too_far", p.hexes));
            }
            let shifting = p.shift && number == 0;
            if !p.free && cost > p.left && !shifting {
                let what = What::Points { hex: at, needed: cost, left: p.left };
                return Err(Bar { rule: "11.1", key: "points", what });
            }
            stopped = pace.stop;
        }
        Ok(cost)
    }
}
