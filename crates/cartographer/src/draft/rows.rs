//! What the source files of a drafted map say, row by row.

use serde::Deserialize;

use crate::source::{self, LatLon};

#[derive(Debug, Deserialize)]
pub(super) struct Draft {
    pub hex: Vec<HexRow>,
    pub side: Vec<SideRow>,
    pub exit_road: Vec<ExitRow>,
    pub entry: Vec<EntryRow>,
    pub front_17_sep: FrontRow,
}

#[derive(Debug, Deserialize)]
pub(super) struct HexRow {
    pub id: String,
    pub terrain: String,
    #[serde(default)]
    pub woods: bool,
    pub town: Option<String>,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub river_through: Vec<String>,
    #[serde(default)]
    pub allied_17_sep: bool,
    #[serde(default)]
    pub unknown: bool,
    pub supply_head: Option<String>,
    #[serde(default)]
    pub victory: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct SideRow {
    pub id: String,
    pub water: Option<String>,
    pub river: Option<String>,
    pub road: Option<String>,
    pub bridge: Option<String>,
    pub railroad_bridge: Option<String>,
    pub ferry: Option<String>,
    pub bridge_state: Option<String>,
    #[serde(default)]
    pub no_demolition: bool,
    pub bridge_rule: Option<String>,
    #[serde(default)]
    pub bridge_stated: bool,
}

impl SideRow {
    /// The crossing's name and kind.
    pub fn crossing(&self) -> Option<(&String, &'static str)> {
        let kinds = [(&self.bridge, "road"), (&self.railroad_bridge, "railroad"), (&self.ferry, "ferry")];
        kinds.into_iter().find_map(|(name, kind)| Some((name.as_ref()?, kind)))
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct ExitRow {
    pub hex: String,
    pub direction: String,
    pub road: String,
    pub to: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct EntryRow {
    pub id: String,
    pub side: String,
    pub hexes: Vec<String>,
    pub road_hexes: Vec<String>,
    pub source: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct FrontRow {
    pub sides: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Rivers {
    pub river: Vec<River>,
    pub bridge: Vec<BridgeRow>,
}

#[derive(Debug, Deserialize)]
pub(super) struct River {
    pub name: String,
    pub into: Option<String>,
    pub reach: Vec<Reach>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Reach {
    pub class: String,
    pub points: Vec<LatLon>,
}

#[derive(Debug, Deserialize)]
pub(super) struct BridgeRow {
    pub place: String,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Features {
    pub town_hexes: Vec<source::TownHexes>,
    pub landmark: Vec<source::Landmark>,
    pub landing: Vec<Landing>,
    pub victory: Vec<Victory>,
    pub r#box: Vec<HoldingBox>,
    pub border: Vec<source::Border>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Landing {
    pub id: String,
    pub army: String,
    pub hexes: Vec<String>,
    pub source: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Victory {
    pub places: Vec<String>,
    pub source: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct HoldingBox {
    pub id: String,
    pub leads_to: String,
    pub source: String,
}
