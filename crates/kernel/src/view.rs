//! What a viewer may see, in one shape for all games, so that one client shows them all.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Message;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct View {
    pub turn: Option<TurnView>,
    pub pieces: Vec<Piece>,
    pub markers: Vec<Marker>,
    /// Tracks and tables beside the map: turn track, reinforcements, dead pile, victory.
    pub panels: Vec<Panel>,
    /// What one game has and no other needs to know.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub extra: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TurnView {
    pub number: u16,
    pub last: u16,
    /// Such as “16 Dec AM”.
    pub name: Message,
    pub phase: Message,
    pub rule: String,
    /// Whose phase it is.
    pub seat: Option<crate::Seat>,
    /// Weather, ground, night: short labels with their meaning.
    pub conditions: Vec<Message>,
}

/// A counter on the map or in a box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Piece {
    pub id: String,
    pub seat: Option<crate::Seat>,
    /// A cell or box id.
    pub at: String,
    /// Order in the stack, top = 0.
    pub layer: u8,
    /// Facing as degrees clockwise from north, where it matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facing: Option<u16>,
    pub face: Face,
    /// States such as `disrupted`: drawn as shapes, named in words on hover (message keys `state.X`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// Can its owner still act with it in this phase?
    #[serde(default)]
    pub active: bool,
}

/// What is printed on a counter. The client draws it; `None` or empty means not printed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Face {
    /// Ground colour by nation, such as `us`, `uk`, `de`, `ss`, `fj`; `hidden` shows a back.
    pub ground: String,
    /// Army or corps bar: a CSS colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bar: Option<String>,
    /// Symbol: `infantry`, `mech_infantry`, `armor`, `recon`, `artillery`, … or `silhouette:NAME`.
    pub symbol: String,
    /// Size mark: `II`, `III`, `X`.
    #[serde(default)]
    pub size: String,
    #[serde(default)]
    pub left: String,
    #[serde(default)]
    pub right: String,
    #[serde(default)]
    pub title: String,
    /// The figures at the bottom, left to right, as printed: `["6","6","3"]`, `["(2)"]`.
    #[serde(default)]
    pub factors: Vec<String>,
    /// Small figures: `morale`, `tq`, `stacking`, `range`, `steps`, `colour`….
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub badges: Vec<Badge>,
    #[serde(default)]
    pub reduced: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Badge {
    pub kind: String,
    pub text: String,
    #[serde(default)]
    pub tone: String,
}

/// Something on the map that is not a unit: a blown bridge, control, traffic, an improved position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Marker {
    pub kind: String,
    /// A cell, or an edge as two cells: `E2119/E2120`.
    pub at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<crate::Seat>,
    #[serde(default)]
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Panel {
    pub id: String,
    pub title: Message,
    pub rows: Vec<PanelRow>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PanelRow {
    pub label: Message,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Message>,
    /// Pieces shown in this row, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<String>,
    /// Marks the row that holds now (this turn), or is met (victory).
    #[serde(default)]
    pub current: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// An explanation as lines and chances: the odds sheet, the fire sheet. Answers to `odds`, `outcomes`, `ap`,
/// `fire` carry one under the key `sheet`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Sheet {
    pub title: Option<Message>,
    pub lines: Vec<SheetLine>,
    /// From bad to good for whoever decides; sums to 1.
    pub chances: Vec<Chance>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SheetLine {
    pub label: Message,
    /// As shown: `6`, `½ 3`, `+2`, `→ 1`.
    pub value: String,
    #[serde(default)]
    pub rule: String,
    /// 0 = heading or total, 1 = a line, 2 = a remark.
    #[serde(default)]
    pub level: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Chance {
    pub label: Message,
    pub p: f64,
    /// -1 bad … +1 good for the deciding side.
    pub tone: f32,
}
