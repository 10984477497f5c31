//! The playing surface as a client needs it: places with positions. The kernel knows no hexes; a cell is a
//! named point with an outline.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Board {
    /// Size of the map picture, in the units of the positions below.
    pub width: f32,
    pub height: f32,
    /// Outline of a cell around its centre.
    pub outline: Vec<(f32, f32)>,
    pub cells: Vec<Cell>,
    /// Places off the map: boxes, tracks, holding areas.
    pub boxes: Vec<BoxInfo>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Cell {
    /// The label that notation uses.
    pub id: String,
    pub x: f32,
    pub y: f32,
    /// Message key or proper name of the place, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Localised names, by language code: `{"ko": "바스토뉴"}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
    /// Message keys of the terrain and features in the cell, for tooltips and screen readers.
    pub terrain: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BoxInfo {
    pub id: String,
    pub name: String,
    /// Where the box is drawn, if it is on the map picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<(f32, f32)>,
}

impl BoxInfo {
    /// A box beside the map whose name is the message `box.ID`.
    pub fn new(id: &str) -> Self {
        BoxInfo { id: id.into(), name: format!("box.{id}"), at: None }
    }
}
