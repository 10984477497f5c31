//! Indices of the kinds that a map declares, and sets of them.

/// Index of a terrain kind: into [`super::Map::terrain_kinds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TerrainId(pub u8);

/// Index of a hexside kind: into [`super::Map::hexside_kinds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HexsideId(pub u8);

/// Index of a road class: into [`super::Map::road_classes`], best road first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoadId(pub u8);

/// Index of a bridge: into [`super::Map::bridges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BridgeId(pub u16);

/// Index of a player side (`german`, `allied` …): into [`super::Map::factions`]. Called faction here because "side" means
/// hexside on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactionId(pub u8);

/// A set of terrain kinds; a hex has one ground and may have more on it (a village in the woods, a fortified line).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TerrainSet(pub u64);

impl TerrainSet {
    /// How many terrain kinds a map may declare.
    pub const MAX: usize = 64;

    #[inline]
    pub const fn contains(self, kind: TerrainId) -> bool {
        self.0 >> kind.0 & 1 == 1
    }

    /// Whether the two sets share a kind: the cheap test for "any of these terrains".
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub fn insert(&mut self, kind: TerrainId) {
        self.0 |= 1 << kind.0;
    }

    pub fn remove(&mut self, kind: TerrainId) {
        self.0 &= !(1 << kind.0);
    }

    pub fn iter(self) -> impl Iterator<Item = TerrainId> {
        (0..Self::MAX as u8).map(TerrainId).filter(move |k| self.contains(*k))
    }
}

impl FromIterator<TerrainId> for TerrainSet {
    fn from_iter<I: IntoIterator<Item = TerrainId>>(kinds: I) -> Self {
        let mut set = Self::default();
        for kind in kinds {
            set.insert(kind);
        }
        set
    }
}

/// A set of hexside kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct HexsideSet(pub u32);

impl HexsideSet {
    /// How many hexside kinds a map may declare.
    pub const MAX: usize = 32;

    #[inline]
    pub const fn contains(self, kind: HexsideId) -> bool {
        self.0 >> kind.0 & 1 == 1
    }

    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn insert(&mut self, kind: HexsideId) {
        self.0 |= 1 << kind.0;
    }

    pub fn remove(&mut self, kind: HexsideId) {
        self.0 &= !(1 << kind.0);
    }

    pub fn iter(self) -> impl Iterator<Item = HexsideId> {
        (0..Self::MAX as u8).map(HexsideId).filter(move |k| self.contains(*k))
    }
}

impl FromIterator<HexsideId> for HexsideSet {
    fn from_iter<I: IntoIterator<Item = HexsideId>>(kinds: I) -> Self {
        let mut set = Self::default();
        for kind in kinds {
            set.insert(kind);
        }
        set
    }
}
