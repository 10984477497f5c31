//! Counters by number, and the capacities of every position.

use hexgrid::{HexId, set::BitSet};
use serde::{Deserialize, Serialize};

/// The most counters in a game, including pools and those defined in a lab file.
pub const MAX_UNITS: usize = 640;
/// The most hexes on a map.
pub const MAX_HEXES: usize = 3072;
pub const MAX_BRIDGES: usize = 512;

/// A counter: its index in the game's list of units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub u16);

impl UnitId {
    /// The id as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl hexgrid::set::Index for UnitId {
    #[inline]
    fn from_index(index: usize) -> Self {
        UnitId(index as u16)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of units.
pub type UnitSet = BitSet<UnitId, { MAX_UNITS / 64 }>;

/// A link of a stack: a unit's index, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Link(pub u16);

impl Link {
    pub const NONE: Link = Link(u16::MAX);

    #[inline]
    pub const fn unit(self) -> Option<UnitId> {
        if self.0 == u16::MAX { None } else { Some(UnitId(self.0)) }
    }
}

impl Default for Link {
    fn default() -> Self {
        Link::NONE
    }
}

/// Where a marker lies: a hex, or its holding box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MarkerAt(pub HexId);

impl Default for MarkerAt {
    fn default() -> Self {
        MarkerAt(HexId::NONE)
    }
}

impl MarkerAt {
    pub fn hex(self) -> Option<HexId> {
        self.0.some()
    }
}
