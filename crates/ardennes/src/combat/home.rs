//! Hexes to the nearest supply source (17.1 C, G-46), for retreats: over ground that the unit may cross, not through enemy
//! units. No way is shorter than on an empty map with all bridges standing, and most hexes have one just as short, on which every
//! step leads nearer; only for the others a longer one is searched. What was found is kept while the enemy stands.

use std::cell::RefCell;

use hexgrid::{HexId, HexSet};

use crate::{
    combat::ground::Way,
    pack::Side,
    rules::Ardennes,
    stamp::Stamp,
    state::{Bridges, State},
    terrain::{HEXES, NO_WAY, WayHome},
};

/// What is known of a hex: nothing, that every step from it leads away or aside or to an enemy (who may stand there himself),
/// that a way leads home which is as short as any on an empty map.
const UNKNOWN: u8 = 0;
const BARRED: u8 = 1;
const STRAIGHT: u8 = 2;

/// What is known for one side, on foot or on wheels.
#[derive(Debug)]
struct Known {
    /// What it holds for: the table, the enemy's hexes, the bridges.
    of: Option<(Stamp, HexSet, Bridges)>,
    hexes: Box<[u8; HEXES]>,
    /// The length of the way about, where somebody asked for it.
    about: Vec<(HexId, u16)>,
    /// From here no way leads home.
    cut: HexSet,
}

impl Default for Known {
    fn default() -> Self {
        Known {
            of: None,
            hexes: Box::new([UNKNOWN; HEXES]),
            about: Vec::with_capacity(64),
            cut: HexSet::EMPTY,
        }
    }
}

/// Room for a search.
#[derive(Debug)]
struct Room {
    /// The hexes of a straight way, each with the steps that have not been tried.
    trail: Vec<(HexId, u8)>,
    /// How far the start of a way about is from the hexes met so far; else [`NO_WAY`].
    from_start: Box<[u16; HEXES]>,
    met: Vec<HexId>,
    /// Hexes whose neighbours have not been looked at, by the length that a way through them has at least: this length, and
    /// one or two more.
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

thread_local! {
    /// By side, on foot and on wheels.
    static HOMES: RefCell<([Known; 4], Room)> = RefCell::default();
}

/// Ask how far it is to the nearest friendly source that is not shut (23.2), if anything depends on it.
pub fn with_home<T>(
    rules: &Ardennes,
    s: &State,
    side: Side,
    vehicle: bool,
    look: impl FnOnce(Home) -> T,
) -> T {
    HOMES.with_borrow_mut(|(homes, room)| {
        let known = &mut homes[side.index() * 2 + usize::from(vehicle)];
        let ways = &rules.land.ways_home[side.index()][usize::from(vehicle)];
        look(Home { rules, s, side, vehicle, ways, current: false, known, room })
    })
}

/// Who goes home, over which map.
#[derive(Debug)]
pub struct Home<'a> {
    rules: &'a Ardennes,
    s: &'a State,
    side: Side,
    vehicle: bool,
    /// On an empty map.
    ways: &'a [WayHome],
    /// What is known is known of this position.
    current: bool,
    known: &'a mut Known,
    room: &'a mut Room,
}

impl Home<'_> {
    /// Is this hex nearer to a source than that one?
    pub fn is_nearer(&mut self, hex: HexId, than: HexId) -> bool {
        let limit = self.distance(than);
        let at_least = self.ways[hex.index()].hexes;
        // Where no straight way leads, it is one hex more at least.
        at_least < limit && (self.is_straight(hex) || at_least + 1 < limit && self.distance(hex) < limit)
    }

    /// [`NO_WAY`] if there is none.
    fn distance(&mut self, hex: HexId) -> u16 {
        self.update();
        let at_least = self.ways[hex.index()].hexes;
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

    fn enemy(&self) -> &HexSet {
        self.s.held(self.side.enemy())
    }

    fn update(&mut self) {
        if self.current {
            return;
        }
        self.current = true;
        let same = self.known.of.as_ref().is_some_and(|(table, enemy, bridges)| {
            table.same(self.rules.stamp)
                && enemy == self.enemy()
                && (!self.vehicle || bridges.same_intact(self.s.bridges()))
        });
        if same {
            return;
        }
        let enemy = *self.enemy();
        self.known.hexes.fill(UNKNOWN);
        enemy.each(|hex| self.known.hexes[hex.index() % HEXES] = BARRED);
        (&self.rules.land.sources[self.side.index()] - &enemy)
            .each(|source| self.known.hexes[source.index() % HEXES] = STRAIGHT);
        self.known.about.clear();
        self.known.cut.clear();
        self.known.of = Some((self.rules.stamp, enemy, *self.s.bridges()));
    }

    /// The directions in which the unit may go, as bits; hexsides are the same from both sides.
    #[inline]
    fn open(&self, hex: HexId) -> u8 {
        let land = self.rules.land.hex(hex);
        if !self.vehicle {
            return land.on_foot;
        }
        if land.by_bridge == 0 {
            return land.on_wheels;
        }
        let edges = self.rules.land.edges(hex).iter().enumerate();
        edges.filter(|(d, _)| land.by_bridge >> d & 1 == 1).fold(land.on_wheels, |open, (d, edge)| {
            open | u8::from(Way::of(self.s, edge).open_to_vehicles()) << d
        })
    }

    /// Those that lead nearer.
    #[inline]
    fn steps(&self, hex: HexId) -> u8 {
        let WayHome { steps, by_bridge, .. } = self.ways[hex.index()];
        if by_bridge == 0 { steps } else { steps & self.open(hex) }
    }

    /// Does a way lead home on which every step is one nearer? All hexes tried share the answer.
    fn is_straight(&mut self, start: HexId) -> bool {
        let known = self.known.hexes[start.index() % HEXES];
        if known != UNKNOWN {
            return known == STRAIGHT;
        }
        self.room.trail.clear();
        self.room.trail.push((start, self.steps(start)));
        while let Some((hex, steps)) = self.room.trail.last_mut() {
            let neighbours = self.rules.land.around(*hex);
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

    /// The length of the shortest way from a hex without a straight one. Hexes are looked at in the order of what a way through
    /// them takes at least, until there is a straight way from one; the hexes met are left in the room.
    fn go_about(&mut self, start: HexId) -> u16 {
        let at_least = |home: &Self, hex: HexId| home.ways[hex.index()].hexes + 1;
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
                continue; // a shorter way to it was found since, and followed
            }
            let neighbours = self.rules.land.around(hex);
            let mut open = self.open(hex);
            while let Some(&to) = neighbours.get(open.trailing_zeros() as usize) {
                open &= open - 1;
                if self.enemy().contains(to) {
                    continue;
                }
                if self.is_straight(to) {
                    best = best.min(further + self.ways[to.index()].hexes);
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

#[cfg(test)]
mod tests {
    use zocbond::field::Sets;

    use super::*;
    use crate::{Ardennes44, state::BridgeIs};

    /// Distances from the sources outwards.
    fn flood(home: &Home) -> Vec<u16> {
        let mut hexes = vec![NO_WAY; home.ways.len()];
        let mut queue: Vec<HexId> =
            (&home.rules.land.sources[home.side.index()] - home.enemy()).iter().collect();
        for source in &queue {
            hexes[source.index()] = 0;
        }
        let mut next = 0;
        while let Some(hex) = queue.get(next).copied() {
            next += 1;
            for (d, to) in home.rules.map.board.neighbour_row(hex).iter().enumerate() {
                let new = home.open(hex) >> d & 1 == 1 && !home.enemy().contains(*to);
                if new && hexes[to.index()] == NO_WAY {
                    hexes[to.index()] = hexes[hex.index()] + 1;
                    queue.push(*to);
                }
            }
        }
        hexes
    }

    /// Whatever way is found, none is shorter, whoever stands in between and whichever bridge is down.
    // rule: 17.1
    #[test]
    fn ways_home_are_the_shortest() {
        let game = Ardennes44::new().expect("the shipped pack and map are sound");
        let setup = kernel::Setup { scenario: "campaign".into(), ..kernel::Setup::default() };
        let rules = game.rules(&setup).expect("it is shipped");
        let mut s = crate::game::start(&rules).expect("it opens");
        let mut random = 44u64;
        let mut below = |limit: usize| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) as usize % limit
        };
        let (mut about, mut cut) = (0, 0);
        for round in 0..60 {
            for side in Side::ALL {
                // From few enemies to so many that there are holes only.
                let enemy = (0..round * round).map(|_| HexId(below(rules.land.hexes.len()) as u16)).collect();
                let none = HexSet::EMPTY;
                s.invent(side.enemy(), &Sets { held: enemy, near: none, bonding: none, zoc: none });
            }
            for _ in 0..8 {
                let is = if below(2) == 0 { BridgeIs::Blown } else { BridgeIs::Intact };
                s.bridge_mut(below(rules.land.bridges.len())).set(is);
            }
            for (side, vehicle) in
                [(Side::German, false), (Side::German, true), (Side::Allied, false), (Side::Allied, true)]
            {
                with_home(&rules, &s, side, vehicle, |mut home| {
                    let right = flood(&home);
                    let mut hexes: Vec<HexId> = (&rules.land.in_play - home.enemy()).iter().collect();
                    let first = below(hexes.len());
                    hexes.rotate_left(first);
                    for hexes in hexes.windows(2).step_by(7) {
                        let [a, b] = [hexes[0], hexes[1]];
                        assert_eq!(home.distance(a), right[a.index()], "{side:?} {}", rules.label(a));
                        assert_eq!(home.is_nearer(b, a), right[b.index()] < right[a.index()]);
                    }
                    about += home.known.about.len();
                    cut += home.known.cut.len();
                });
            }
        }
        assert!(about > 1000 && cut > 1000, "neither was tried: {about}, {cut}");
    }
}
