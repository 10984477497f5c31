//! Distances to the nearest supply source, for retreats: over terrain that the unit may cross, and not through enemy
//! units. No path is shorter than the one on an empty map with all bridges intact, and from most hexes there is one
//! just as short, on which every step leads nearer; only for the others a longer path is searched. Results are kept
//! until enemy positions or bridges change.

use hexgrid::{Direction, HexId, HexSet};

use crate::{Bridges, HEXES, Span, Stamp, Topology};

/// What is known of a hex. `BARRED`: an enemy is in it, or every step from it that leads nearer to a source is barred.
/// `STRAIGHT`: there is a path to a source as short as on an empty map.
const UNKNOWN: u8 = 0;
const BARRED: u8 = 1;
const STRAIGHT: u8 = 2;

/// Results for one side and one kind of unit, kept from one query to the next.
#[derive(Debug)]
pub struct Known<B: Span> {
    /// What the results hold for: the table, the hexes of the enemy, the bridges.
    of: Option<(Stamp, HexSet, Bridges<B>)>,
    hexes: Box<[u8; HEXES]>,
    /// The length of the detour, for hexes that were queried.
    about: Vec<(HexId, u16)>,
    /// Hexes without a path to a source.
    cut: HexSet,
}

impl<B: Span> Default for Known<B> {
    fn default() -> Self {
        Known {
            of: None,
            hexes: Box::new([UNKNOWN; HEXES]),
            about: Vec::with_capacity(64),
            cut: HexSet::EMPTY,
        }
    }
}

/// Memory for searches.
#[derive(Debug)]
pub struct Room {
    /// The hexes of a straight path, each with the steps that have not been tried.
    trail: Vec<(HexId, u8)>,
    /// The distance of the hexes met so far from the start of a detour; [`NO_WAY`] for others.
    from_start: Box<[u16; HEXES]>,
    met: Vec<HexId>,
    /// Hexes whose neighbours have not been examined, by the least length of a path through them: the current length,
    /// one more, and two more.
    open: [Vec<HexId>; 3],
}

impl Default for Room {
    fn default() -> Self {
        Room {
            trail: Vec::with_capacity(128),
            from_start: Box::new([NO_WAY; HEXES]),
            met: Vec::with_capacity(HEXES),
            open: std::array::from_fn(|_| Vec::with_capacity(HEXES / 4)),
        }
    }
}

/// The destinations of units that retreat toward supply, and the terrain they may cross.
pub trait Homeward {
    type Bridge: Span;

    fn topology(&self) -> &Topology;
    /// The hexes of enemy units.
    fn enemy(&self) -> &HexSet;
    fn bridges(&self) -> &Bridges<Self::Bridge>;
    /// The supply sources of the side.
    fn sources(&self) -> &HexSet;
    /// The shortest paths to them on an empty map with all bridges intact.
    fn ways(&self) -> &[WayHome];
    /// The directions in which such a unit may go from a hex, with bridges as they are, as bits. Both sides of a
    /// hexside must agree.
    fn open(&self, hex: HexId) -> u8;
    /// Whether the movement of such a unit depends on bridges.
    fn needs_bridges(&self) -> bool;
}

/// The shortest path to a supply source on a map without enemies and with all bridges intact.
#[derive(Clone, Copy, Debug)]
pub struct WayHome {
    /// Its length; [`NO_WAY`] if there is none.
    pub hexes: u16,
    /// Bit `d`: the neighbour in direction `d` is one hex nearer.
    pub steps: u8,
    /// Those of the steps that are barred without a bridge.
    pub by_bridge: u8,
}

/// There is no path.
pub const NO_WAY: u16 = u16::MAX;

/// The shortest paths to these sources for units that may go in the directions given by `open`; `by_bridge` are those
/// of them that need a bridge.
pub fn ways_home(
    topology: &Topology,
    sources: &HexSet,
    open: impl Fn(HexId) -> u8,
    by_bridge: impl Fn(HexId) -> u8,
) -> Vec<WayHome> {
    let mut ways = vec![WayHome { hexes: NO_WAY, steps: 0, by_bridge: 0 }; topology.len()];
    let mut queue: Vec<HexId> = sources.iter().collect();
    for source in &queue {
        ways[source.index()].hexes = 0;
    }
    let mut next = 0;
    while let Some(hex) = queue.get(next).copied() {
        next += 1;
        let hexes = ways[hex.index()].hexes;
        let open = open(hex);
        for (d, to) in topology.around(hex).iter().enumerate() {
            if *to == HexId::NONE || open >> d & 1 == 0 {
                continue;
            }
            if ways[to.index()].hexes == NO_WAY {
                ways[to.index()].hexes = hexes + 1;
                queue.push(*to);
            }
            if ways[to.index()].hexes < hexes {
                ways[hex.index()].steps |= 1 << d;
            }
        }
    }
    for hex in queue {
        let way = &mut ways[hex.index()];
        way.by_bridge = way.steps & by_bridge(hex);
    }
    ways
}

/// The hexes that are fewer steps from one of these sources than `start`; if `start` has no path, every hex that has
/// one. `open(hex, d, to)`: whether a unit in `to`, the neighbour of `hex` in direction `d`, may enter `hex`.
pub fn nearer_than(
    topology: &Topology,
    sources: &HexSet,
    start: HexId,
    open: impl Fn(HexId, Direction, HexId) -> bool,
) -> HexSet {
    let mut nearer = HexSet::new();
    let mut ring = *sources;
    while !ring.is_empty() && !ring.contains(start) {
        nearer.union_with(&ring);
        let mut next = HexSet::new();
        ring.each(|hex| {
            for (d, to) in topology.around(hex).iter().copied().enumerate() {
                if to != HexId::NONE && !nearer.contains(to) && open(hex, Direction::from_index(d), to) {
                    next.insert(to);
                }
            }
        });
        ring = next;
    }
    nearer
}

/// Distances to a source, for one kind of unit.
#[derive(Debug)]
pub struct Home<'a, H, B: Span> {
    guide: &'a H,
    table: Stamp,
    /// Whether the results have been updated for this position.
    current: bool,
    known: &'a mut Known<B>,
    room: &'a mut Room,
}

impl<'a, B: Span, H: Homeward<Bridge = B>> Home<'a, H, B> {
    /// `table` identifies the rules and the kind of unit that `known` was computed for.
    pub fn new(guide: &'a H, table: Stamp, known: &'a mut Known<B>, room: &'a mut Room) -> Self {
        Home { guide, table, current: false, known, room }
    }

    /// Whether `hex` is nearer to a source than `than`.
    pub fn is_nearer(&mut self, hex: HexId, than: HexId) -> bool {
        let limit = self.distance(than);
        let at_least = self.guide.ways()[hex.index()].hexes;
        // Without a straight path, it is at least one hex more.
        at_least < limit && (self.is_straight(hex) || at_least + 1 < limit && self.distance(hex) < limit)
    }

    /// Hexes to the nearest source that no enemy unit occupies; [`NO_WAY`] if there is none.
    pub fn distance(&mut self, hex: HexId) -> u16 {
        self.update();
        let at_least = self.guide.ways()[hex.index()].hexes;
        if at_least == NO_WAY || self.known.cut.contains(hex) {
            return NO_WAY;
        }
        if self.is_straight(hex) {
            return at_least;
        }
        if let Some((_, distance)) = self.known.about.iter().find(|(known, _)| *known == hex) {
            return *distance;
        }
        let distance = self.go_about(hex);
        if distance == NO_WAY {
            self.known.cut.extend(self.room.met.iter().copied());
        } else {
            self.known.about.push((hex, distance));
        }
        for hex in self.room.met.drain(..) {
            self.room.from_start[hex.index() % HEXES] = NO_WAY;
        }
        distance
    }

    /// The number of hexes for which a detour was searched and found.
    pub fn found_about(&self) -> usize {
        self.known.about.len()
    }

    /// The number of hexes for which no path was found.
    pub fn found_cut(&self) -> usize {
        self.known.cut.len()
    }

    fn update(&mut self) {
        if self.current {
            return;
        }
        self.current = true;
        let same = self.known.of.as_ref().is_some_and(|(table, enemy, bridges)| {
            table.same(self.table)
                && enemy == self.guide.enemy()
                && (!self.guide.needs_bridges() || bridges.same_intact(self.guide.bridges()))
        });
        if same {
            return;
        }
        let enemy = *self.guide.enemy();
        self.known.hexes.fill(UNKNOWN);
        enemy.each(|hex| self.known.hexes[hex.index() % HEXES] = BARRED);
        (self.guide.sources() - &enemy).each(|source| self.known.hexes[source.index() % HEXES] = STRAIGHT);
        self.known.about.clear();
        self.known.cut.clear();
        self.known.of = Some((self.table, enemy, *self.guide.bridges()));
    }

    /// The directions that lead nearer.
    #[inline]
    fn steps(&self, hex: HexId) -> u8 {
        let WayHome { steps, by_bridge, .. } = self.guide.ways()[hex.index()];
        if by_bridge == 0 { steps } else { steps & self.guide.open(hex) }
    }

    /// Whether there is a path to a source on which every step leads one hex nearer. All hexes tried share the answer.
    fn is_straight(&mut self, start: HexId) -> bool {
        let known = self.known.hexes[start.index() % HEXES];
        if known != UNKNOWN {
            return known == STRAIGHT;
        }
        self.room.trail.clear();
        self.room.trail.push((start, self.steps(start)));
        while let Some((hex, steps)) = self.room.trail.last_mut() {
            let neighbours = self.guide.topology().around(*hex);
            let Some(&to) = neighbours.get(steps.trailing_zeros() as usize) else {
                self.known.hexes[hex.index() % HEXES] = BARRED;
                self.room.trail.pop();
                continue;
            };
            *steps &= *steps - 1;
            match self.known.hexes[to.index() % HEXES] {
                UNKNOWN => self.room.trail.push((to, self.steps(to))),
                STRAIGHT => {
                    for (hex, _) in &self.room.trail {
                        self.known.hexes[hex.index() % HEXES] = STRAIGHT;
                    }
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// The length of the shortest path from a hex without a straight one. Hexes are examined in the order of the least
    /// length of a path through them, until one of them has a straight path; the hexes met stay in `room`.
    fn go_about(&mut self, start: HexId) -> u16 {
        let at_least = |home: &Self, hex: HexId| home.guide.ways()[hex.index()].hexes + 1;
        let mut length = at_least(self, start);
        let mut best = NO_WAY;
        self.room.open.iter_mut().for_each(Vec::clear);
        self.room.open[usize::from(length) % 3].push(start);
        self.room.from_start[start.index() % HEXES] = 0;
        self.room.met.push(start);
        while best > length && self.room.open.iter().any(|open| !open.is_empty()) {
            let Some(hex) = self.room.open[usize::from(length) % 3].pop() else {
                length += 1;
                continue;
            };
            let further = self.room.from_start[hex.index() % HEXES] + 1;
            if further + at_least(self, hex) <= length {
                continue; // a shorter path to it was found and followed since
            }
            let neighbours = self.guide.topology().around(hex);
            let mut open = self.guide.open(hex);
            while let Some(&to) = neighbours.get(open.trailing_zeros() as usize) {
                open &= open - 1;
                if to == HexId::NONE || self.guide.enemy().contains(to) {
                    continue;
                }
                if self.is_straight(to) {
                    best = best.min(further + self.guide.ways()[to.index()].hexes);
                    continue;
                }
                let before = &mut self.room.from_start[to.index() % HEXES];
                if further >= *before {
                    continue;
                }
                if *before == NO_WAY {
                    self.room.met.push(to);
                }
                *before = further;
                let length = further + at_least(self, to);
                self.room.open[usize::from(length) % 3].push(to);
            }
        }
        best
    }
}
