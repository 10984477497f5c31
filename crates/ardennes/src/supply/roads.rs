//! Road elements of supply lines (23.3): from which hexes a road leads to a source. [`zocbond::supply::roads`]
//! maintains the road net.

use std::cell::RefCell;

use hexgrid::{HexId, HexSet};
use zocbond::{
    Stamp,
    supply::roads::{Nets, SupplyRoads},
};

use crate::{
    pack::Side,
    rules::Ardennes,
    state::{Bridge, Field, MarkerAt, State},
};

pub(super) use zocbond::supply::roads::open_sources;

/// The roads of a side in a position.
pub type Roads<'a> = zocbond::supply::Roads<'a, Ardennes>;

/// Roadblocks of both sides (33.1).
type Roadblocks = [[MarkerAt; 2]; 2];

thread_local! {
    static NETS: RefCell<Nets<Bridge, Roadblocks>> = RefCell::default();
}

/// Every hex from which a Road element leads to a source (23.3).
pub fn road_hexes(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    with_roads(rules, s, side, |roads: &mut Roads| roads.all())
}

/// Calls a function that may ask from which hexes a Road element leads to a source.
pub fn with_roads<T>(rules: &Ardennes, s: &State, side: Side, look: impl FnOnce(&mut Roads) -> T) -> T {
    NETS.with_borrow_mut(|nets| look(&mut nets.roads(rules, s, side)))
}

impl SupplyRoads for Ardennes {
    type Position = State;
    type Markers = Roadblocks;

    fn table(&self) -> Stamp {
        self.stamp
    }

    fn bridge_ends(&self) -> &[[HexId; 2]] {
        &self.land.bridges
    }

    /// 23.2
    fn sources(&self, side: Side) -> &HexSet {
        &self.land.sources[side.index()]
    }

    fn roads(&self, hex: HexId) -> u8 {
        self.land.hex(hex).roads
    }

    /// 7.6
    fn open_roads(&self, field: &Field, hex: HexId) -> u8 {
        let land = self.land.hex(hex);
        let intact = |d: &usize| {
            let bridge = self.land.edges(hex)[*d].bridge();
            bridge.is_some_and(|bridge| field.bridge(usize::from(bridge)).intact())
        };
        (0..6)
            .filter(|d| land.bridge_roads >> d & 1 == 1)
            .filter(intact)
            .fold(land.dry_roads, |open, d| open | 1 << d)
    }

    fn markers(&self, s: &State) -> Roadblocks {
        s.roadblocks
    }

    /// [`super::road_enters`] for the whole map.
    fn closed_to_roads(&self, s: &State, side: Side) -> HexSet {
        closed_to_roads(self, s, side)
    }
}

/// The hexes that no Road element enters: [`super::road_enters`] for the whole map.
fn closed_to_roads(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    let enemy = side.enemy();
    let mut closed = *s.zoc(enemy);
    // 1E 23.3: an enemy-controlled Town does not block.
    if !rules.towns_let_supply_pass() {
        let mut hostile = rules.land.towns;
        match enemy {
            Side::German => hostile.intersect_with(s.german_control()),
            Side::Allied => hostile.subtract(s.german_control()),
        }
        // 33.1: a Roadblock controls its hex.
        for hex in s.roadblocks.iter().flatten().filter_map(|at| at.hex()) {
            hostile.remove(hex);
            if rules.land.towns.contains(hex) && s.control(hex) == enemy {
                hostile.insert(hex);
            }
        }
        closed.union_with(&hostile);
    }
    closed.subtract(s.held(side));
    if rules.options.ezoc_spares_sources {
        closed.subtract(&rules.land.sources[side.index()]); // 23.2
    }
    closed.union_with(s.held(enemy));
    closed.extend(s.roadblocks[enemy.index()].iter().filter_map(|at| at.hex()));
    closed
}

#[cfg(test)]
mod tests {
    use zocbond::field::Sets;

    use super::*;
    use crate::{Ardennes44, state::BridgeIs};

    /// Following roads from a hex and the net computed from the sources agree, wherever units are.
    // rule: 23.3
    #[test]
    fn following_roads_finds_the_net() {
        let game = Ardennes44::new().expect("the shipped pack and map are sound");
        let mut random = 44u64;
        let mut below = |limit: usize| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) as usize % limit
        };
        let (mut joined, mut cut) = (0, 0);
        for edition in ["2e", "1e"] {
            let setup = kernel::Setup {
                scenario: "campaign".into(),
                edition: Some(edition.into()),
                ..kernel::Setup::default()
            };
            let rules = game.rules(&setup).expect("it is shipped");
            let mut s = crate::game::start(&rules).expect("it opens");
            let mut hexes: Vec<HexId> = rules.land.in_play.iter().collect();
            for round in 0..120 {
                let mut held: [HexSet; 2] =
                    Side::ALL.map(|_| (0..2 * round).map(|_| hexes[below(hexes.len())]).collect());
                // Also around hexes with many roads.
                for hex in hexes.iter().filter(|hex| rules.land.hex(**hex).roads.count_ones() > 4) {
                    let around = rules.land.neighbours(*hex).filter(|_| below(3) == 0);
                    held[round % 2].extend(around);
                }
                let taken = held[0];
                held[1].subtract(&taken);
                for (side, held) in Side::ALL.into_iter().zip(held) {
                    let near: HexSet = held.iter().flat_map(|hex| rules.land.neighbours(hex)).collect();
                    // Few ZOCs, so that many Bonds matter.
                    let zoc = near.iter().filter(|_| below(4) == 0).collect();
                    s.invent(side, &Sets { held, near, bonding: held, zoc });
                }
                s.set_control_of_all(&rules.land.in_play, Side::Allied);
                let german = hexes.iter().copied().filter(|_| below(4) == 0).collect();
                s.set_control_of_all(&german, Side::German);
                for _ in 0..8 {
                    let is = if below(2) == 0 { BridgeIs::Blown } else { BridgeIs::Intact };
                    s.bridge_mut(below(rules.land.bridges.len())).set(is);
                }
                let first = below(hexes.len());
                hexes.rotate_left(first);
                for side in Side::ALL {
                    let all = road_hexes(&rules, &s, side);
                    with_roads(&rules, &s, side, |roads| {
                        for hex in &hexes {
                            let leads = roads.lead_home(*hex);
                            assert_eq!(leads, all.contains(*hex), "{edition} {side:?} {}", rules.label(*hex));
                            joined += usize::from(leads);
                            cut += usize::from(!leads && rules.land.hex(*hex).has_road());
                        }
                    });
                }
            }
        }
        assert!(joined > 10_000 && cut > 10_000, "neither is rare: {joined}, {cut}");
    }
}
