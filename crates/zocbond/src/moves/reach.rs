//! What a unit can reach in one mode, computed once per position and then read as often as needed.

use hexgrid::{Direction, HexId, HexSet};

use super::{
    ANY_HEXES, ASK, Door, Goal, Guide, Met, Pace, SHUT,
    costs::{Row, Steps},
    search::Search,
};
use crate::{Path, Stamp, Topology, UnitId};

/// The result of a search for one unit in one mode.
#[derive(Debug, Default)]
pub struct Reach {
    /// The position and the unit that it was computed for.
    key: Option<(Stamp, UnitId)>,
    search: Search,
    /// Paths of at most a few hexes, found by trying all of them.
    short: Vec<Way>,
    /// Their ends and costs.
    short_hexes: Vec<Goal>,
    is_short: bool,
    /// The index of each hex among the short paths.
    place: Places,
}

/// A number for each of some hexes.
#[derive(Debug, Default)]
struct Places {
    /// The hexes that have a number. A separate set, so that a test of the others does not load their numbers.
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
    source: HexId,
    trail: Trail,
}

/// The few steps of a short path in one word, which is faster to copy than a [`Path`]: a marker bit, and below it three
/// bits for each step, the last step lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Trail(u64);

impl Trail {
    const EMPTY: Trail = Trail(1);
    /// More than any move whose hexes are counted.
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

impl Reach {
    /// Whether it was computed for this position and unit.
    #[inline]
    pub fn is_for(&self, position: Stamp, unit: UnitId) -> bool {
        self.key.is_some_and(|(stamp, whose)| stamp.same(position) && whose == unit)
    }

    /// Compute what a unit reaches from these hexes: where it is, or where it may enter the map.
    pub fn find<G: Guide>(
        &mut self,
        position: Stamp,
        unit: UnitId,
        guide: &G,
        steps: &mut Steps,
        sources: &[Door],
    ) {
        self.is_short = guide.hexes() != ANY_HEXES;
        if self.is_short {
            self.find_short(guide, steps, sources);
            self.short_hexes.clear();
            self.short_hexes.extend(self.short.iter().map(|way| Goal::new(way.hex, way.cost)));
        } else {
            self.search.search(guide, steps, sources, guide.left() + guide.extension());
        }
        self.key = Some((position, unit));
    }

    fn find_short<G: Guide>(&mut self, guide: &G, steps: &mut Steps, sources: &[Door]) {
        self.short.clear();
        self.place.clear(guide.topology().len());
        let hexes = guide.hexes().min(Trail::MAX);
        for door in sources {
            let way = |cost| Way { hex: door.hex, cost, source: door.hex, trail: Trail::EMPTY };
            if door.hex == guide.start() {
                let row = row_of(guide, steps, door.hex);
                self.try_ways(guide, steps, way(door.cost), row, hexes, false);
                continue;
            }
            // Entering the map counts as a hex.
            let cost = guide.flat_cost().unwrap_or(door.cost);
            if hexes == 0 || guide.flat_cost().is_none() && cost > guide.left() {
                continue;
            }
            self.note(way(cost));
            if !guide.stops_in(door.hex) {
                let row = row_of(guide, steps, door.hex);
                self.try_ways(guide, steps, way(cost), row, hexes - 1, false);
            }
        }
    }

    /// Try all continuations of a path by at most this many hexes.
    fn try_ways<G: Guide>(
        &mut self,
        guide: &G,
        steps: &mut Steps,
        from: Way,
        row: Row,
        hexes: u8,
        crossed: bool,
    ) {
        if hexes == 0 {
            return;
        }
        let flat = guide.flat_cost();
        let last = hexes == 1;
        let around = *guide.topology().around(from.hex);
        // Load all six at once, so that the memory accesses overlap.
        let beyond = if last { [Row::UNKNOWN; 6] } else { around.map(|to| row_of(guide, steps, to)) };
        let row = row.steps();
        for direction in Direction::ALL {
            // A path never returns to its start.
            let to = around[direction.index()];
            if to == HexId::NONE || to == guide.start() {
                continue;
            }
            // Where every hex costs the same, the last step cannot lead to a better path to a known hex.
            if flat.is_some() && last && self.place.has(to) {
                continue;
            }
            let Some(pace) = pace(guide, from.hex, direction, to, row[direction.index()], crossed) else {
                continue;
            };
            let cost = from.cost + flat.unwrap_or(pace.cost);
            let affordable =
                flat.is_some() || cost <= guide.left() || guide.first_step_free() && from.trail.is_empty();
            if !affordable {
                continue;
            }
            let way = Way { hex: to, cost, trail: from.trail.and(direction), ..from };
            self.note(way);
            if !last && !pace.stop {
                self.try_ways(guide, steps, way, beyond[direction.index()], hexes - 1, crossed || pace.hard);
            }
        }
    }

    /// Keep the cheaper of two paths; if they are equal, the shorter.
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

    /// The hexes that the unit reaches if it can spend `left`, with their costs, cheapest first. Its own hex is
    /// included unless hexes are counted.
    #[inline]
    pub fn hexes(&self, left: u16) -> &[Goal] {
        if self.is_short {
            return &self.short_hexes;
        }
        let reached = self.search.reached();
        let beyond = reached.partition_point(|goal| goal.cost() <= left);
        &reached[..beyond]
    }

    pub fn cost(&self, left: u16, hex: HexId) -> Option<u16> {
        if self.is_short {
            self.short_way(hex).map(|way| way.cost)
        } else {
            self.search.cost(hex).filter(|cost| *cost <= left)
        }
    }

    fn short_way(&self, hex: HexId) -> Option<&Way> {
        self.place.get(hex).map(|at| &self.short[at])
    }

    /// The cheapest path to a hex: its start and its steps.
    pub fn way(&self, topology: &Topology, left: u16, hex: HexId) -> Option<(HexId, Path)> {
        if self.is_short {
            return self.short_way(hex).map(|way| (way.source, way.trail.path()));
        }
        self.cost(left, hex)?;
        self.search.way(topology, hex)
    }

    /// Whether the cheapest path to the hex is known to enter it in this direction.
    #[inline]
    pub fn enters(&self, hex: HexId, direction: Direction) -> bool {
        !self.is_short && self.search.enters(hex, direction)
    }
}

fn row_of<G: Guide>(guide: &G, steps: &mut Steps, hex: HexId) -> Row {
    if hex == HexId::NONE { Row::UNKNOWN } else { steps.row(guide, hex) }
}

/// A step with this cost in its terrain row, if it is possible.
#[inline]
fn pace<G: Guide>(
    guide: &G,
    from: HexId,
    direction: Direction,
    to: HexId,
    step: u8,
    crossed: bool,
) -> Option<Pace> {
    if matches!(step, SHUT | ASK) {
        if guide.surely_barred(step, from, to, crossed) {
            debug_assert!(guide.pace(from, direction, crossed).is_none());
            return None;
        }
        // The row holds for every unit that moves in this mode, but this unit may have exceptions.
        return guide.pace(from, direction, crossed);
    }
    let open = !guide.obstacles().contains(to);
    let met = if open { Met::NOTHING } else { guide.meet(from, direction, to)? };
    let leave = if from == guide.start() { guide.leave() } else { 0 };
    Some(Pace { cost: u16::from(step) + leave + met.delay, stop: met.stop, hard: false })
}
