//! Hexes to the nearest supply source (17.1 C, G-46), for retreats: over ground that the unit may cross, not through enemy
//! units. Distances are measured from the sources as far as the unit that asks, for a hex beyond is no nearer to supply than it
//! is. The map of distances is kept, and once it is whole it is mended where an enemy unit came or went: from one retreat
//! to the next little changes.

use std::cell::RefCell;

use hexgrid::{HexId, HexSet};

use crate::{
    combat::ground::Way,
    list::Array,
    pack::Side,
    rules::Ardennes,
    stamp::Stamp,
    state::{Bridge, MAX_BRIDGES, State, same_bridges},
};

/// No way home.
pub const NO_WAY: u16 = u16::MAX;
/// More hexes than this in the shadow of a new enemy are measured afresh.
const LARGE_SHADOW: usize = 48;
/// Where no more enemy stacks than this came or went it is the same phase, and more such changes will follow.
const FEW_CHANGES: usize = 6;

/// Distances for one side, on foot or on wheels.
#[derive(Debug, Default)]
struct Home {
    /// What they hold for: the table, the enemy's hexes, the bridges.
    of: Option<(Stamp, HexSet, Array<Bridge, MAX_BRIDGES>)>,
    hexes: Vec<u16>,
    /// Room for all hexes with a distance, their number, and the first of them whose neighbours have not been looked at.
    queue: Vec<HexId>,
    count: usize,
    next: usize,
    /// Hexes whose way home is cut, with the distance they had.
    shadow: Vec<(HexId, u16)>,
}

thread_local! {
    /// By side, on foot and on wheels.
    static HOMES: RefCell<[Home; 4]> = RefCell::default();
}

/// Look at the distances from the nearest friendly source that is not shut (23.2), right for all hexes up to that of `start`;
/// beyond it they may be [`NO_WAY`].
pub fn with_home<T>(
    rules: &Ardennes,
    s: &State,
    side: Side,
    vehicle: bool,
    start: HexId,
    look: impl FnOnce(&[u16]) -> T,
) -> T {
    HOMES.with_borrow_mut(|homes| {
        let home = &mut homes[side.index() * 2 + usize::from(vehicle)];
        home.update(&Ground { rules, s, side, vehicle }, Some(start));
        look(&home.hexes)
    })
}

/// Who goes home, over which map.
struct Ground<'a> {
    rules: &'a Ardennes,
    s: &'a State,
    side: Side,
    vehicle: bool,
}

impl Ground<'_> {
    /// The neighbours that the unit may go to; hexsides are the same from both sides.
    fn around(&self, hex: HexId) -> impl Iterator<Item = HexId> + '_ {
        let mut open = self.open(hex);
        let neighbours = self.rules.map.board.neighbour_row(hex);
        std::iter::from_fn(move || {
            let next = neighbours.get(open.trailing_zeros() as usize)?;
            open &= open - 1;
            Some(*next)
        })
    }

    /// The directions in which the unit may go, as bits.
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

    fn is_source(&self, hex: HexId) -> bool {
        self.rules.land.sources[self.side.index()].contains(hex)
    }
}

impl Home {
    /// Distances as far as `until`, or all.
    fn update(&mut self, ground: &Ground, until: Option<HexId>) {
        let enemy = &ground.s.held[ground.side.enemy().index()];
        let before = self.of.as_ref().and_then(|(table, held, bridges)| {
            let same = table.same(ground.rules.stamp)
                && (!ground.vehicle || same_bridges(bridges, &ground.s.bridges));
            same.then_some(*held)
        });
        if before.is_some_and(|held| held == *enemy) {
            self.spread(ground, enemy, until);
            return;
        }
        let whole = self.next == self.count;
        if !before.is_some_and(|held| whole && self.mend(ground, &held, enemy)) {
            let changes = |held: HexSet| (&held - enemy).len() + (enemy - &held).len();
            let many = before.is_none_or(|held| changes(held) > FEW_CHANGES);
            self.measure(ground, enemy, until.filter(|_| many));
        }
        self.of = Some((ground.rules.stamp, *enemy, ground.s.bridges));
    }

    /// Distances afresh.
    fn measure(&mut self, ground: &Ground, enemy: &HexSet, until: Option<HexId>) {
        let hexes = ground.rules.land.hexes.len();
        self.hexes.clear();
        self.hexes.resize(hexes, NO_WAY);
        self.queue.resize(hexes + 1, HexId::NONE);
        self.shadow.reserve(LARGE_SHADOW + 7);
        (self.count, self.next) = (0, 0);
        for source in &(&ground.rules.land.sources[ground.side.index()] - enemy) {
            self.hexes[source.index()] = 0;
            self.queue[self.count] = source;
            self.count += 1;
        }
        self.spread(ground, enemy, until);
    }

    /// From the hexes in the queue outwards, to all that are nearer this way, or until this one is reached.
    fn spread(&mut self, ground: &Ground, enemy: &HexSet, until: Option<HexId>) {
        let Home { hexes, queue, count, next, .. } = self;
        while *next < *count {
            if until.is_some_and(|until| hexes[until.index()] != NO_WAY) {
                return;
            }
            let hex = queue[*next];
            *next += 1;
            let further = hexes[hex.index()] + 1;
            let neighbours = ground.rules.map.board.neighbour_row(hex);
            let mut open = ground.open(hex);
            while let Some(&to) = neighbours.get(open.trailing_zeros() as usize) {
                open &= open - 1;
                let distance = &mut hexes[to.index()];
                let nearer = (*distance > further) & !enemy.contains(to);
                *distance = if nearer { further } else { *distance };
                // It is put in the queue in any case, and stays there if it is nearer: nobody could guess which.
                queue[*count] = to;
                *count += usize::from(nearer);
            }
        }
    }

    /// Enemy units have come and gone. False if too much depends on that.
    fn mend(&mut self, ground: &Ground, before: &HexSet, enemy: &HexSet) -> bool {
        (enemy - before).iter().all(|hex| self.close(ground, hex)) && {
            (before - enemy).iter().for_each(|hex| self.reopen(ground, enemy, hex));
            true
        }
    }

    /// An enemy unit has come: hexes whose every shortest way led through it are measured again.
    fn close(&mut self, ground: &Ground, hex: HexId) -> bool {
        let hexes = &mut self.hexes;
        let at = std::mem::replace(&mut hexes[hex.index()], NO_WAY);
        if at == NO_WAY {
            return true;
        }
        self.shadow.clear();
        self.shadow.push((hex, at));
        let mut next = 0;
        while let Some((from, distance)) = self.shadow.get(next).copied() {
            next += 1;
            for to in ground.around(from) {
                let cut = hexes[to.index()] == distance + 1
                    && !ground.around(to).any(|other| hexes[other.index()] == distance);
                if cut {
                    hexes[to.index()] = NO_WAY;
                    self.shadow.push((to, distance + 1));
                }
            }
            if self.shadow.len() > LARGE_SHADOW {
                return false;
            }
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (hex, _) in &self.shadow[1..] {
                let nearest = ground.around(*hex).map(|next| hexes[next.index()]).min().unwrap_or(NO_WAY);
                if nearest.saturating_add(1) < hexes[hex.index()] {
                    hexes[hex.index()] = nearest + 1;
                    changed = true;
                }
            }
        }
        true
    }

    /// An enemy unit has gone: ways through its hex may be shorter.
    fn reopen(&mut self, ground: &Ground, enemy: &HexSet, hex: HexId) {
        let nearest = ground.around(hex).map(|next| self.hexes[next.index()]).min().unwrap_or(NO_WAY);
        let at = if ground.is_source(hex) { 0 } else { nearest.saturating_add(1) };
        if at < self.hexes[hex.index()] {
            self.hexes[hex.index()] = at;
            self.queue[0] = hex;
            (self.count, self.next) = (1, 0);
            self.spread(ground, enemy, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ardennes44;

    /// Mended distances are the measured ones, whoever comes and goes.
    // rule: 17.1
    #[test]
    fn mending_is_measuring() {
        let game = Ardennes44::new().expect("the shipped pack and map are sound");
        let setup = kernel::Setup { scenario: "campaign".into(), ..kernel::Setup::default() };
        let rules = game.rules(&setup).expect("it is shipped");
        let mut s = crate::game::start(&rules).expect("it opens");
        let hexes = rules.land.hexes.len() as u64;
        let mut random = 44u64;
        let mut mended = 0;
        for (side, vehicle) in [(Side::German, false), (Side::German, true), (Side::Allied, true)] {
            let (mut kept, mut fresh) = (Home::default(), Home::default());
            for _ in 0..400 {
                for _ in 0..3 {
                    random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let hex = HexId((random >> 33) as u16 % hexes as u16);
                    let enemy = &mut s.held[side.enemy().index()];
                    if !enemy.remove(hex) {
                        enemy.insert(hex);
                    }
                }
                let ground = Ground { rules: &rules, s: &s, side, vehicle };
                let enemy = s.held[side.enemy().index()];
                kept.update(&ground, None);
                fresh.measure(&ground, &enemy, None);
                assert!(kept.hexes == fresh.hexes, "{side:?}");
                mended += usize::from(kept.count < fresh.count);
            }
        }
        assert!(mended > 600, "most changes are mended, not measured: {mended}");
    }

    /// What is measured only as far as a hex is right up to there.
    // rule: 17.1
    #[test]
    fn nearer_hexes_are_measured() {
        let game = Ardennes44::new().expect("the shipped pack and map are sound");
        let setup = kernel::Setup { scenario: "campaign".into(), ..kernel::Setup::default() };
        let rules = game.rules(&setup).expect("it is shipped");
        let s = crate::game::start(&rules).expect("it opens");
        for (side, vehicle) in [(Side::German, false), (Side::Allied, true)] {
            let ground = Ground { rules: &rules, s: &s, side, vehicle };
            let enemy = s.held[side.enemy().index()];
            let (mut part, mut whole) = (Home::default(), Home::default());
            whole.measure(&ground, &enemy, None);
            for start in rules.land.in_play.iter().step_by(37) {
                part.update(&ground, Some(start));
                let limit = whole.hexes[start.index()];
                assert_eq!(part.hexes[start.index()], limit);
                for hex in &rules.land.in_play {
                    let (found, right) = (part.hexes[hex.index()], whole.hexes[hex.index()]);
                    assert!(found == right || found == NO_WAY && right >= limit);
                }
            }
        }
    }
}
