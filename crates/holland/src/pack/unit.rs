//! Units, pools, formations and types as defined in the pack.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The two sides (1.2). The Allied player turn comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Allied,
    German,
}

impl Side {
    pub const ALL: [Side; 2] = [Side::Allied, Side::German];

    pub const fn index(self) -> usize {
        self as usize
    }

    #[must_use]
    pub const fn enemy(self) -> Side {
        match self {
            Side::Allied => Side::German,
            Side::German => Side::Allied,
        }
    }

    pub const fn key(self) -> &'static str {
        match self {
            Side::Allied => "allied",
            Side::German => "german",
        }
    }
}

/// The values of one side of a counter (2.3). `stacking` is the number in the black box: its steps and stacking points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Face {
    /// 0 for artillery, which only gives support (17).
    pub attack: u8,
    pub defense: u8,
    #[serde(rename = "move")]
    pub allowance: u8,
    pub stacking: u8,
}

/// 2.6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Morale {
    Low,
    Regular,
    Elite,
}

/// The kind of unit that an Armor Rating is printed on (10.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArmorKind {
    Tank,
    /// Attacks with its rating less one (10.3.3).
    Jagdpanzer,
    /// Only denies shifts and halves tanks (10.3.3).
    Flak,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// 2.4.5: forms no Bonds.
    Support,
    /// 22.
    Airborne,
    /// 2.4.6: the allowance in a green circle.
    ReconCircle,
    /// 23.7: the allowance in a black box.
    GarrisonBox,
    /// 25.
    UnknownPool,
    /// Allowance 0 (2.3.4).
    Immobile,
    Fortress,
    /// 18.3: the defense of a Supply Head.
    ParenthesisedDefense,
}

/// Where a unit starts: hexes to choose from, a box, or the pool of Unknown units.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Setup {
    pub hexes: Vec<String>,
    /// Its landing zone (22.8).
    pub landing: Option<String>,
    pub reduced: bool,
    pub r#box: Option<String>,
    pub pool: Option<String>,
}

/// When and where a unit arrives (19.1, 22.2).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrival {
    pub turn: u8,
    /// Entry Area.
    pub entry: Option<String>,
    /// Landing zone.
    pub landing: Option<String>,
    /// The rule that says how it arrives (23.6).
    pub special: Option<String>,
    #[serde(default)]
    pub reduced: bool,
}

/// A counter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    pub id: String,
    pub label: String,
    pub name: String,
    pub side: Side,
    pub nation: String,
    pub r#type: String,
    pub symbol: String,
    pub vehicle: Option<String>,
    pub size: String,
    pub formation: String,
    /// Another formation that it counts as (23.8).
    pub also_command: Option<String>,
    pub front: Face,
    pub reduced: Option<Face>,
    pub fired: Option<Face>,
    pub ferry: Option<Face>,
    pub depleted: Option<Face>,
    pub steps: u8,
    pub morale: Morale,
    pub armor: Option<u8>,
    pub armor_kind: Option<ArmorKind>,
    pub range: Option<u8>,
    pub remnant: Option<String>,
    pub breakdown: Option<String>,
    pub setup: Option<Setup>,
    pub arrival: Option<Arrival>,
    pub replaceable: bool,
    #[serde(default)]
    pub flags: Vec<Flag>,
    /// The source of each group of values: stated, estimate.
    pub source: BTreeMap<String, String>,
}

impl Unit {
    pub fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PoolKind {
    Remnant,
    Breakdown,
}

/// The other face of a pool's counters.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackFace {
    pub r#type: String,
    pub attack: u8,
    pub defense: u8,
    #[serde(rename = "move")]
    pub allowance: u8,
    pub stacking: u8,
}

/// Remnants or Breakdown units of one kind; the number of counters is a limit (11.4, 21.2).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pool {
    pub id: String,
    pub kind: PoolKind,
    pub side: Side,
    pub nation: String,
    pub r#type: String,
    pub front: Face,
    pub back: Option<BackFace>,
    pub armor: Option<u8>,
    pub armor_kind: Option<ArmorKind>,
    pub morale: Morale,
    #[serde(default)]
    pub flags: Vec<Flag>,
    pub count: u8,
    #[serde(default)]
    pub labels: Vec<String>,
}

/// A group for the Lead Formation (2.5, 10.2).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formation {
    pub id: String,
    pub side: Side,
    /// Colour, for German commands.
    pub colour: Option<String>,
    /// The Supply Head that it draws on (18.3.2).
    pub supply_head: Option<String>,
}

/// Categories of a unit type (2.4).
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Categories {
    pub mechanized: bool,
    pub infantry: bool,
    pub vehicle: bool,
    pub armor: bool,
    pub artillery: bool,
    pub train: bool,
    pub may_dismount: bool,
}
