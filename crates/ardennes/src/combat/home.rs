//! Hexes to the nearest supply source (17.1 C, G-46), for retreats: over ground that the unit may cross, not through enemy
//! units. The map of distances is kept, and mended where an enemy unit came or went: from one retreat to the next little
//! changes.

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

/// Distances for one side, on foot or on wheels.
#[derive(Debug, Default)]
struct Home {
    /// What they hold for: the table, the enemy's hexes, the bridges.
    of: Option<(Stamp, HexSet, Array<Bridge, MAX_BRIDGES>)>,
    hexes: Vec<u16>,
    queue: Vec<HexId>,
    /// Hexes whose way home is cut, with the distance they had.
    shadow: Vec<(HexId, u16)>,
}

thread_local! {
    /// By side, on foot and on wheels.
    static HOMES: RefCell<[Home; 4]> = RefCell::default();
}

/// Look at the distances of all hexes from the nearest friendly source that is not shut (23.2).
pub fn with_home<T>(
    rules: &Ardennes,
    s: &State,
    side: Side,
    vehicle: bool,
    look: impl FnOnce(&[u16]) -> T,
) -> T {
    HOMES.with_borrow_mut(|homes| {
        let home = &mut homes[side.index() * 2 + usize::from(vehicle)];
        home.update(&Ground { rules, s, side, vehicle });
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
        let (land, edges) = (self.rules.land.hex(hex), self.rules.land.edges(hex));
        let mut open = if self.vehicle { land.on_wheels } else { land.on_foot };
        if self.vehicle && land.by_bridge != 0 {
            for (d, edge) in edges.iter().enumerate().filter(|(d, _)| land.by_bridge >> d & 1 == 1) {
                open |= u8::from(Way::of(self.s, edge).open_to_vehicles()) << d;
            }
        }
        std::iter::from_fn(move || {
            let next = edges.get(open.trailing_zeros() as usize)?;
            open &= open - 1;
            Some(next.to)
        })
    }

    fn is_source(&self, hex: HexId) -> bool {
        self.rules.land.sources[self.side.index()].contains(hex)
    }
}

impl Home {
    fn update(&mut self, ground: &Ground) {
        let enemy = &ground.s.held[ground.side.enemy().index()];
        let before = self.of.as_ref().and_then(|(table, held, bridges)| {
            let same = table.same(ground.rules.stamp)
                && (!ground.vehicle || same_bridges(bridges, &ground.s.bridges));
            same.then_some(*held)
        });
        if before.is_some_and(|held| held == *enemy) {
            return;
        }
        if !before.is_some_and(|held| self.mend(ground, &held, enemy)) {
            self.measure(ground, enemy);
        }
        self.of = Some((ground.rules.stamp, *enemy, ground.s.bridges));
    }

    /// All distances afresh.
    fn measure(&mut self, ground: &Ground, enemy: &HexSet) {
        self.hexes.clear();
        self.hexes.resize(ground.rules.land.hexes.len(), NO_WAY);
        self.queue.clear();
        for source in &(&ground.rules.land.sources[ground.side.index()] - enemy) {
            self.hexes[source.index()] = 0;
            self.queue.push(source);
        }
        self.spread(ground, enemy);
    }

    /// From the hexes in the queue outwards, to all that are nearer this way.
    fn spread(&mut self, ground: &Ground, enemy: &HexSet) {
        let mut next = 0;
        while let Some(hex) = self.queue.get(next).copied() {
            next += 1;
            let further = self.hexes[hex.index()] + 1;
            for to in ground.around(hex) {
                if self.hexes[to.index()] > further && !enemy.contains(to) {
                    self.hexes[to.index()] = further;
                    self.queue.push(to);
                }
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
            self.queue.clear();
            self.queue.push(hex);
            self.spread(ground, enemy);
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
                kept.update(&ground);
                fresh.measure(&ground, &enemy);
                assert!(kept.hexes == fresh.hexes, "{side:?}");
                mended += usize::from(kept.queue.len() < fresh.queue.len());
            }
        }
        assert!(mended > 600, "most changes are mended, not measured: {mended}");
    }
}
