//! Terrain Effects Chart. Movement points are counted in quarters, so that the half point of a primary road is an
//! integer.

use serde::{Deserialize, Serialize};

/// Terrain of a hex, by the names of the map pack and of lab files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Terrain {
    Clear,
    LightWoods,
    Forest,
    WoodedRough,
    WestWall,
    Village,
    Town,
    City,
}

impl Terrain {
    pub const ALL: [Self; 8] = [
        Self::Clear,
        Self::LightWoods,
        Self::Forest,
        Self::WoodedRough,
        Self::WestWall,
        Self::Village,
        Self::Town,
        Self::City,
    ];

    pub const fn index(self) -> usize {
        self as usize
    }

    /// The pack's name, e.g. `light_woods`.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::LightWoods => "light_woods",
            Self::Forest => "forest",
            Self::WoodedRough => "wooded_rough",
            Self::WestWall => "west_wall",
            Self::Village => "village",
            Self::Town => "town",
            Self::City => "city",
        }
    }
}

/// Ground state (28.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    Mud,
    Frozen,
}

/// Cost of entering a hex off the road.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cost {
    /// Quarters of a movement point.
    Quarters(u8),
    /// Only by Tactical Movement from an adjacent start (11.4, 11.6).
    Tactical,
    /// The cost of the other terrain in the hex (Village, Town, West Wall).
    OtherTerrain,
    /// Not at all.
    Prohibited,
}

/// Whether an Armor Shift is possible against a defender here (21.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArmorShift {
    Yes,
    No,
    /// Depends on the other terrain in the hex.
    OtherTerrain,
}

/// One row of the chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TerrainRow {
    /// `foot[ground]`: Non-Mechanized units.
    pub foot: [Cost; 2],
    /// `mech[ground]`: Mechanized units.
    pub mech: [Cost; 2],
    /// Vehicle units enter and leave only along a road (11.5, 11.6).
    pub vehicles_by_road_only: bool,
    /// Defensive Combat Bonus by defending side: German, Allied (15.1, 15.7).
    pub dcb: [u8; 2],
    pub armor_shift: ArmorShift,
    /// Units attacking out of it are halved (15.5).
    pub attack_out_halved: bool,
    /// Rule 27.2.
    pub drop_zone: bool,
}

/// Road classes. A Forest Road is a secondary road in a Forest or Wooded Rough hex (11.8).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Road {
    Primary,
    Secondary,
    ForestRoad,
}

impl Road {
    pub const ALL: [Self; 3] = [Self::Primary, Self::Secondary, Self::ForestRoad];

    pub const fn index(self) -> usize {
        self as usize
    }

    /// The pack's name.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Secondary => "secondary",
            Self::ForestRoad => "forest_road",
        }
    }
}

/// A road row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoadRow {
    /// Quarters for Non-Mechanized units.
    pub foot: u8,
    /// Quarters for Mechanized units, by ground.
    pub mech: [u8; 2],
    /// Gives the Road Bonus in an advance (19.1).
    pub advance_bonus: bool,
}

/// Hexside features that matter for movement and combat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HexsideFeature {
    River,
    Meuse,
    Lake,
    /// A Wooded Rough hexside without a road (11.6).
    WoodedRough,
}

impl HexsideFeature {
    pub const ALL: [Self; 4] = [Self::River, Self::Meuse, Self::Lake, Self::WoodedRough];

    pub const fn index(self) -> usize {
        self as usize
    }

    /// The pack's name.
    pub const fn key(self) -> &'static str {
        match self {
            Self::River => "river",
            Self::Meuse => "meuse",
            Self::Lake => "lake",
            Self::WoodedRough => "wooded_rough",
        }
    }
}

/// A hexside row; crossing without bridge or road.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HexsideRow {
    /// Infantry-type units, Mechanized or not.
    pub infantry: Cost,
    pub vehicle: Cost,
    /// Attackers across it are halved (15.3).
    pub attack_halved: bool,
    /// No attack across it.
    pub attack_prohibited: bool,
    /// Any unit that must retreat across it unbridged is eliminated (17.2).
    pub retreat_eliminates: bool,
}

/// The whole chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TerrainEffects {
    /// By [`Terrain::index`].
    pub terrain: [TerrainRow; 8],
    /// By [`Road::index`].
    pub roads: [RoadRow; 3],
    /// By [`HexsideFeature::index`].
    pub hexsides: [HexsideRow; 4],
    /// Rule 15.8.
    pub improved_position_dcb: u8,
    /// Rule 15.1: the maximum for a stack of silhouette tanks only.
    pub silhouette_dcb_cap: u8,
    /// Rule 15.1: the DCB is limited by the stack's own DF (2E).
    pub dcb_capped_by_defense: bool,
}

impl TerrainEffects {
    pub fn row(&self, terrain: Terrain) -> &TerrainRow {
        &self.terrain[terrain.index()]
    }
}
