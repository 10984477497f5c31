//! Areas over the terrain: smoke, barrages, fires and dust.

use hexgrid::{HexId, HexSet};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Area;

/// All areas, with the set of hexes that any of them covers: most hexes are under none, which one bit shows.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Areas {
    list: Vec<Area>,
    covered: HexSet,
}

crate::copy::in_place!(Areas { list, covered });

impl Areas {
    /// Whether any area covers the hex.
    #[inline]
    pub fn cover(&self, hex: HexId) -> bool {
        self.covered.contains(hex)
    }

    pub fn push(&mut self, area: Area) {
        for hex in &area.hexes {
            self.covered.insert(*hex);
        }
        self.list.push(area);
    }

    /// The area with this index also covers these hexes.
    pub fn extend(&mut self, area: usize, hexes: &[HexId]) {
        for hex in hexes {
            if !self.list[area].hexes.contains(hex) {
                self.list[area].hexes.push(*hex);
                self.covered.insert(*hex);
            }
        }
    }

    pub fn retain(&mut self, keep: impl FnMut(&Area) -> bool) {
        self.list.retain(keep);
        self.covered.clear();
        for hex in self.list.iter().flat_map(|area| &area.hexes) {
            self.covered.insert(*hex);
        }
    }

    /// Changes marks of areas, without changing their hexes.
    pub fn each(&mut self, mut change: impl FnMut(&mut Marks)) {
        for area in &mut self.list {
            let mut marks =
                Marks { mission: area.mission, kind: area.kind, off: area.off, young: area.young };
            change(&mut marks);
            (area.mission, area.off, area.young) = (marks.mission, marks.off, marks.young);
        }
    }

    /// Turn the counter of the area with this index to On.
    pub fn turn_on(&mut self, area: usize) {
        self.list[area].off = false;
    }
}

/// What may change about an area while it is on the map.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    pub mission: u8,
    pub kind: crate::pack::advanced::HindranceKind,
    pub off: bool,
    pub young: bool,
}

impl std::ops::Deref for Areas {
    type Target = [Area];

    fn deref(&self) -> &[Area] {
        &self.list
    }
}

impl<'a> IntoIterator for &'a Areas {
    type Item = &'a Area;
    type IntoIter = std::slice::Iter<'a, Area>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl Serialize for Areas {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Areas {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut areas = Areas::default();
        for area in Vec::<Area>::deserialize(deserializer)? {
            areas.push(area);
        }
        Ok(areas)
    }
}
