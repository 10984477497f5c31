//! Distance in hexes to the nearest supply source (17.1 C, G-46), for retreats; computed by [`zocbond::combat::home`].

use std::cell::RefCell;

use hexgrid::{HexId, HexSet};
use zocbond::{
    Topology,
    combat::home::{Home, Homeward, Known, Room, WayHome},
};

use crate::{
    combat::ground::Way,
    pack::Side,
    rules::Ardennes,
    state::{Bridge, Bridges, State},
};

thread_local! {
    /// For each side, on foot and as a vehicle.
    static HOMES: RefCell<([Known<Bridge>; 4], Room)> = RefCell::default();
}

/// Calls `look` with the distances to the nearest friendly source that is not blocked (23.2); they are computed only if
/// they are needed.
pub fn with_home<T>(
    rules: &Ardennes,
    s: &State,
    side: Side,
    vehicle: bool,
    look: impl FnOnce(Home<Seeker, Bridge>) -> T,
) -> T {
    HOMES.with_borrow_mut(|(homes, room)| {
        let known = &mut homes[side.index() * 2 + usize::from(vehicle)];
        look(Home::new(&Seeker { rules, s, side, vehicle }, rules.stamp, known, room))
    })
}

/// Which kind of unit looks for supply, and the map.
#[derive(Clone, Copy, Debug)]
pub struct Seeker<'a> {
    rules: &'a Ardennes,
    s: &'a State,
    side: Side,
    vehicle: bool,
}

impl Homeward for Seeker<'_> {
    type Bridge = Bridge;

    #[inline]
    fn topology(&self) -> &Topology {
        self.rules.land.topology()
    }

    #[inline]
    fn enemy(&self) -> &HexSet {
        self.s.held(self.side.enemy())
    }

    fn bridges(&self) -> &Bridges {
        self.s.bridges()
    }

    /// 23.2
    fn sources(&self) -> &HexSet {
        &self.rules.land.sources[self.side.index()]
    }

    #[inline]
    fn ways(&self) -> &[WayHome] {
        &self.rules.land.ways_home[self.side.index()][usize::from(self.vehicle)]
    }

    /// 11.4–11.6
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

    #[inline]
    fn needs_bridges(&self) -> bool {
        self.vehicle
    }
}

#[cfg(test)]
mod tests {
    use zocbond::{combat::home::NO_WAY, field::Sets};

    use super::*;
    use crate::{Ardennes44, state::BridgeIs};

    /// Distances from the sources outwards.
    fn flood(seeker: &Seeker) -> Vec<u16> {
        let mut hexes = vec![NO_WAY; seeker.ways().len()];
        let mut queue: Vec<HexId> = (seeker.sources() - seeker.enemy()).iter().collect();
        for source in &queue {
            hexes[source.index()] = 0;
        }
        let mut next = 0;
        while let Some(hex) = queue.get(next).copied() {
            next += 1;
            for (d, to) in seeker.rules.map.board.neighbour_row(hex).iter().enumerate() {
                let new = seeker.open(hex) >> d & 1 == 1 && !seeker.enemy().contains(*to);
                if new && hexes[to.index()] == NO_WAY {
                    hexes[to.index()] = hexes[hex.index()] + 1;
                    queue.push(*to);
                }
            }
        }
        hexes
    }

    /// The distance found is the shortest, whatever units are in between and whichever bridges are down.
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
                // From few enemies to so many that only gaps are left.
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
                let right = flood(&Seeker { rules: &rules, s: &s, side, vehicle });
                with_home(&rules, &s, side, vehicle, |mut home| {
                    let mut hexes: Vec<HexId> = (&rules.land.in_play - s.held(side.enemy())).iter().collect();
                    let first = below(hexes.len());
                    hexes.rotate_left(first);
                    for hexes in hexes.windows(2).step_by(7) {
                        let [a, b] = [hexes[0], hexes[1]];
                        assert_eq!(home.distance(a), right[a.index()], "{side:?} {}", rules.label(a));
                        assert_eq!(home.is_nearer(b, a), right[b.index()] < right[a.index()]);
                    }
                    about += home.found_about();
                    cut += home.found_cut();
                });
            }
        }
        assert!(about > 1000 && cut > 1000, "neither was tried: {about}, {cut}");
    }
}
