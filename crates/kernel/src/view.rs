//! What a viewer may see, in one shape for all games, so that one client shows them all.

use std::collections::BTreeMap;

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
    /// Lines over the map that belong to the position: orders given, fire declared, boundaries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<MapLine>,
    /// Data that only this game's client code needs.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub extra: Value,
}

/// The changes from one view to another of the same viewer. None, or an empty list: unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    pub turn: Option<TurnView>,
    /// New or changed pieces.
    pub pieces: Vec<Piece>,
    /// Ids of pieces that are no longer visible.
    pub gone: Vec<String>,
    /// New or changed panels.
    pub panels: Vec<Panel>,
    /// The ids of all panels in order, if some were added or removed.
    pub panel_order: Option<Vec<String>>,
    /// All of them, if one changed; the same applies below.
    pub markers: Option<Vec<Marker>>,
    pub lines: Option<Vec<MapLine>>,
    pub extra: Option<Value>,
}

impl Changes {
    /// Notes how the panels differ.
    pub fn compare_panels(&mut self, old: &[Panel], new: Vec<Panel>) {
        if !old.iter().map(|p| &p.id).eq(new.iter().map(|p| &p.id)) {
            self.panel_order = Some(new.iter().map(|p| p.id.clone()).collect());
        }
        let changed = |panel: &Panel| old.iter().find(|p| p.id == panel.id) != Some(panel);
        self.panels = new.into_iter().filter(changed).collect();
    }
}

/// The panels after a change: `changed` by id, in the order of `order` if some were added or removed.
pub fn changed_panels(old: Vec<Panel>, changed: Vec<Panel>, order: Option<&[String]>) -> Vec<Panel> {
    let mut panels = old;
    for panel in changed {
        match panels.iter_mut().find(|p| p.id == panel.id) {
            Some(known) => *known = panel,
            None => panels.push(panel),
        }
    }
    if let Some(order) = order {
        let place = |id: &str| order.iter().position(|wanted| wanted == id);
        panels.retain(|panel| place(&panel.id).is_some());
        panels.sort_by_key(|panel| place(&panel.id));
    }
    panels
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
    /// Those conditions that change the look of the map.
    #[serde(default)]
    pub mood: Mood,
    /// The phase as lab files name it; empty if they cannot start there.
    #[serde(default)]
    pub lab_phase: String,
    /// What else a lab file of this position needs, if the game can say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lab: Option<LabPosition>,
}

/// The parts of a lab file that only the game can write.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LabPosition {
    /// Lines of the head.
    pub head: String,
    /// The steps of each counter whose steps the viewer knows, by its id.
    pub steps: BTreeMap<String, u8>,
}

/// The light and the ground of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Mood {
    pub night: bool,
    pub overcast: bool,
    pub ground: Option<GroundLook>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum GroundLook {
    Mud,
    /// Snow or frost.
    Snow,
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
    /// Facing as degrees clockwise from north, where it matters: 0, 60, … on a flat-topped grid, 30, 90, … on a
    /// pointy-topped one. The client turns the counter, marks its front and keeps its writing upright.
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
    /// Left of the symbol: the regiment.
    #[serde(default)]
    pub left: String,
    /// Right of the symbol: the battalion.
    #[serde(default)]
    pub right: String,
    /// At the top, in the bar: the division; a vehicle's name.
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

/// A line over the map, centre to centre.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MapLine {
    /// What it means: `los`, `fire`, `order`, `path`…; named in words on hover by the message `line.KIND`.
    pub kind: String,
    /// The cells it joins; for a single hexside (`E2119/E2120`) it is drawn along the hexside.
    pub cells: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<crate::Seat>,
    /// How it is drawn: never by colour alone.
    #[serde(default)]
    pub tone: Tone,
    /// A straight line between two cells is free only so far (0 to 1); the rest is drawn as blocked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free: Option<f32>,
    /// Does it have an arrowhead at its end?
    #[serde(default)]
    pub arrow: bool,
    /// Short, written at its middle: a range, a cost.
    #[serde(default)]
    pub text: String,
}

/// What a line or an area means for the viewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// In the colour of its seat, or in ink.
    #[default]
    Plain,
    /// Free, in sight, in range.
    Good,
    /// Uncertain: hindered, obscured, at a price.
    Doubt,
    /// Blocked, forbidden, in danger.
    Bad,
}

/// What an answer paints on the map and says about it. Answers to the questions of [`crate::setup::OverlayInfo`] carry
/// one under the key `overlay`: a field of fire, a line of sight with its cross-section, a threat map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Overlay {
    /// One sentence: “E9 sees F12.” “The crest in E10 blocks.”
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Message>,
    /// The rule that decided it.
    #[serde(default)]
    pub rule: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<Area>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<MapLine>,
    /// How it was calculated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<Sheet>,
    /// Cross-section of the ground below a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<Section>,
}

impl Overlay {
    /// Cells of one side in its own colour, and nothing else.
    pub fn of_cells(seat: crate::Seat, rule: &str, cells: Vec<String>) -> Overlay {
        let areas = vec![Area { cells, seat: Some(seat), ..Area::default() }];
        Overlay { rule: rule.into(), areas, ..Overlay::default() }
    }
}

/// Where a unit can go: the answer to `reach UNIT [MODE]`, under the key `reach`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Reach {
    /// What the unit has to spend in this mode, in movement points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub allowance: Option<f64>,
    /// Cells, and what it costs to get there.
    pub cells: Vec<(String, f64)>,
}

/// The path of a unit to a cell: the answer to `way UNIT CELL [MODE]`, under the key `way`. If there is no path, the
/// answer carries a [`crate::Refusal`] under the key `refusal`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Way {
    /// From the unit's cell (if that is on the map) to the destination.
    pub cells: Vec<String>,
    /// The cost to enter each cell but the first.
    pub costs: Vec<f64>,
}

/// The parts of an answer that a client can draw, each under its key. An answer may hold more, for the lab.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Drawn {
    #[cfg_attr(feature = "ts", ts(optional))]
    pub reach: Option<Reach>,
    #[cfg_attr(feature = "ts", ts(optional))]
    pub way: Option<Way>,
    #[cfg_attr(feature = "ts", ts(optional))]
    pub refusal: Option<crate::Refusal>,
    #[cfg_attr(feature = "ts", ts(optional))]
    pub sheet: Option<Sheet>,
    #[cfg_attr(feature = "ts", ts(optional))]
    pub overlay: Option<Overlay>,
    #[cfg_attr(feature = "ts", ts(optional))]
    pub brief: Option<crate::Brief>,
    #[cfg_attr(feature = "ts", ts(optional))]
    pub card: Option<Card>,
    /// The state of victory: `victory`.
    #[cfg_attr(feature = "ts", ts(optional))]
    pub panel: Option<Panel>,
}

/// The answer to a question that asks for a [`Way`].
pub fn way_or_refusal(found: Result<Way, crate::Refusal>) -> Value {
    match found {
        Ok(way) => serde_json::json!({ "way": way }),
        Err(refusal) => serde_json::json!({ "refusal": refusal }),
    }
}

/// Cells painted alike.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Area {
    /// For the legend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Message>,
    pub cells: Vec<String>,
    /// Labels for the cells, one for each of them, or none at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<crate::Seat>,
    #[serde(default)]
    pub tone: Tone,
}

/// Cross-section of the ground along a line: heights and what stands on them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Section {
    /// In order, from the first cell to the last.
    pub points: Vec<SectionPoint>,
    /// Height of the eye at the start, and of what it looks at.
    pub from: f32,
    pub to: f32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SectionPoint {
    pub cell: String,
    /// How far along the line, 0 to 1.
    pub at: f32,
    /// Height of the ground.
    pub ground: f32,
    /// Height of what stands there (trees, walls, wrecks); equal to `ground` where nothing does.
    pub top: f32,
    /// Does it stop the line?
    #[serde(default)]
    pub blocks: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Message>,
}

/// A data card: everything printed about a unit that does not fit on its counter. The answer to `card UNIT` carries one
/// under the key `card`, if [`crate::GameInfo::cards`] says so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Card {
    pub title: Option<Message>,
    /// Under the title: nation, years, kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Message>,
    pub sections: Vec<CardSection>,
}

/// A small table: `columns` are its headings; without them each row is a label and its values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CardSection {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Message>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Message>,
    pub rows: Vec<CardRow>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CardRow {
    pub label: Message,
    /// As printed: `8T 10-12`, `+1`; one value, or one for each column. An empty string leaves its cell blank.
    pub values: Vec<String>,
    /// The rule that uses it.
    #[serde(default)]
    pub rule: String,
    /// Marks what applies now: the column of this range, the side that is hit.
    #[serde(default)]
    pub current: bool,
}

/// An explanation as lines and chances: the odds sheet, the fire sheet. The client asks `sheet ACTION` for an action
/// that is being filled in or confirmed; the answer carries it under the key `sheet`. An option whose template has
/// words only is shown with its sheet before it is confirmed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Sheet {
    pub title: Option<Message>,
    pub lines: Vec<SheetLine>,
    /// Possible outcomes, from bad to good for the deciding seat; the probabilities sum to 1.
    pub chances: Vec<Chance>,
    /// The outcome in two or three lines, each with its own probability (they need not sum to 1): the hex is taken, a
    /// step is lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leads: Vec<Chance>,
    /// Painted on the map while the sheet is open: the area it would cover, where it may scatter to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<Area>,
    /// Drawings of the target and its parts, one for each side from which it can be hit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figure>,
}

/// A drawing of something that is hit in one of its parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Figure {
    /// What is drawn; clients know how to draw a `vehicle`.
    pub kind: String,
    pub label: Message,
    pub parts: Vec<FigurePart>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FigurePart {
    /// Where it is drawn: `turret`, `hull`, `tracks` of a vehicle, followed by the side that shows (`hull_front`).
    pub place: String,
    pub label: Message,
    /// How likely a hit strikes this part.
    pub p: f64,
    /// The armor, as shown.
    pub value: String,
    /// Whether a hit there does anything.
    #[serde(default)]
    pub tone: Tone,
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
