//! What a unit reaches in one mode, found once for a position and looked at as often as needed.

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
    /// The position and the unit that it was made for.
    key: Option<(Stamp, UnitId)>,
    search: Search,
    /// Ways of at most a few hexes, each tried out.
    short: Vec<Way>,
    /// Where they lead, and at what cost.
    short_hexes: Vec<Goal>,
    is_short: bool,
    /// Where a hex stands among the short ways.
    place: Places,
}

/// For some hexes a number each.
#[derive(Debug, Default)]
struct Places {
    /// These have one. A set of its own, so that asking about the others does not fetch their numbers.
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

/// The few steps of a short way in one word, which is quicker to copy than a [`Path`]: a set bit, and below it three bits for
/// each step, the last one lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Trail(u64);

impl Trail {
    const EMPTY: Trail = Trail(1);
    /// Longer than any move whose hexes are counted.
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
    /// Was it found for this position and unit?
    #[inline]
    pub fn is_for(&self, position: Stamp, unit: UnitId) -> bool {
        self.key.is_some_and(|(stamp, whose)| stamp.same(position) && whose == unit)
    }

    /// Find what a unit reaches from these hexes: where it stands, or where it may come onto the map.
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
            // Coming onto the map counts as a hex.
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

    /// All ways on from the end of one, by at most so many hexes.
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
        // All six at once, so that the memory is fetched in parallel.
        let beyond = if last { [Row::UNKNOWN; 6] } else { around.map(|to| row_of(guide, steps, to)) };
        let row = row.steps();
        for direction in Direction::ALL {
            // No hex twice: it would be a way back.
            let to = around[direction.index()];
            if to == HexId::NONE || to == guide.start() {
                continue;
            }
            // Where every hex counts the same, the last one leads nowhere better.
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

    /// The hexes that a unit reaches with so much left, with their costs, cheapest first. Its own is among them unless hexes
    /// are counted.
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

    /// The cheapest way to a hex: where it begins, and the steps.
    pub fn way(&self, topology: &Topology, left: u16, hex: HexId) -> Option<(HexId, Path)> {
        if self.is_short {
            return self.short_way(hex).map(|way| (way.source, way.trail.path()));
        }
        self.cost(left, hex)?;
        self.search.way(topology, hex)
    }

    /// Is the cheapest way to the hex known to enter it in this direction?
    #[inline]
    pub fn enters(&self, hex: HexId, direction: Direction) -> bool {
        !self.is_short && self.search.enters(hex, direction)
    }
}

fn row_of<G: Guide>(guide: &G, steps: &mut Steps, hex: HexId) -> Row {
    if hex == HexId::NONE { Row::UNKNOWN } else { steps.row(guide, hex) }
}

/// A step that the land's row has this to say about, if it can be made.
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
        // The row holds for every unit that moves in this way: this one may do what others may not.
        return guide.pace(from, direction, crossed);
    }
    let open = !guide.obstacles().contains(to);
    let met = if open { Met::NOTHING } else { guide.meet(from, direction, to)? };
    let leave = if from == guide.start() { guide.leave() } else { 0 };
    Some(Pace { cost: u16::from(step) + leave + met.delay, stop: met.stop, hard: false })
}
