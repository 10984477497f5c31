//! What crossing a hexside involves, with bridges in their present state (11.4–11.6).

use hexgrid::{Direction, HexId};

use crate::{
    rules::Ardennes,
    state::State,
    terrain::{Edge, EdgeBits},
};

/// A hexside as it can be crossed now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crossing {
    /// A road leads across; its bridge, if it needs one, is intact.
    pub road: bool,
    /// A river, including the Meuse, without an intact bridge (7.6, 11.4).
    pub river_unbridged: bool,
    /// A side of a Wooded Rough hex without a road (11.6).
    pub rough_roadless: bool,
    /// A side of a Forest, West Wall or Wooded Rough hex: vehicles need the road (11.5, 11.6).
    pub by_road_only: bool,
    pub lake: bool,
}

impl Crossing {
    /// May a Vehicle unit cross at all?
    pub const fn open_to_vehicles(self) -> bool {
        !self.lake && !self.river_unbridged && (self.road || !self.by_road_only)
    }

    /// Is it a crossing that infantry makes only if it starts adjacent to it (11.4, 11.6), or only as the first hex of
    /// an advance (19.2)?
    pub const fn hard(self) -> bool {
        self.river_unbridged || self.rough_roadless
    }
}

impl Ardennes {
    /// The hexside from a hex in a direction, as it can be crossed now.
    #[inline]
    pub fn crossing(&self, s: &State, from: HexId, direction: Direction) -> Crossing {
        Self::crossing_of(s, self.land.edge(from, direction))
    }

    #[inline]
    pub(crate) fn crossing_of(s: &State, edge: &Edge) -> Crossing {
        let river = edge.is(EdgeBits::RIVER);
        let bridged = river && edge.bridge().is_some_and(|b| s.bridge(b as usize).intact());
        let has_road = edge.is(EdgeBits::ROAD);
        Crossing {
            road: has_road && (!river || bridged),
            river_unbridged: river && !bridged,
            rough_roadless: edge.is(EdgeBits::WOODED_ROUGH) && !has_road,
            by_road_only: edge.is(EdgeBits::BY_ROAD_ONLY),
            lake: edge.is(EdgeBits::LAKE),
        }
    }
}
