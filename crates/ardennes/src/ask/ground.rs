//! Questions about hexes: zones of control, Bonds, control, supply.

use hexgrid::{HexId, HexSet};
use kernel::{
    Message, Viewer,
    view::{Area, Overlay, Tone},
};
use serde_json::{Value, json};

use crate::{
    bonds::Bond,
    pack::{Side, Terrain},
    rules::Ardennes,
    state::State,
    supply,
};

pub fn labels(rules: &Ardennes, hexes: &HexSet) -> Value {
    hexes.iter().map(|hex| Value::from(rules.label(hex))).collect()
}

/// 9.1, 9.4
pub fn zoc(rules: &Ardennes, s: &State, side: Side) -> Value {
    labels(rules, &(s.zoc(side) & &rules.land.in_play))
}

/// 10
pub fn bonds(rules: &Ardennes, s: &State, side: Side) -> Value {
    let end = |hex: HexId| hex.some().map_or("edge", |hex| rules.label(hex)).to_owned();
    let mut list = Vec::new();
    rules.bonds(s, side, |bond| {
        list.push(match bond {
            Bond::Hex { through, ends } => {
                json!({ "kind": "hex", "through": rules.label(through), "ends": ends.map(end) })
            }
            Bond::Hexside { along, ends } => {
                let mut along = along.map(|hex| rules.label(hex).to_owned());
                along.sort();
                json!({ "kind": "hexside", "along": along.join("/"), "ends": ends.map(end) })
            }
        });
    });
    Value::Array(list)
}

/// 30.1
pub fn control(rules: &Ardennes, s: &State, side: Side) -> Value {
    labels(rules, &controlled(rules, s, side))
}

pub fn controlled(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    let german = s.german_control() & &rules.land.in_play;
    match side {
        Side::German => german,
        Side::Allied => &rules.land.in_play - &german,
    }
}

/// The hexes from which a unit of the side traces supply (23.3).
pub fn supply_of_side(rules: &Ardennes, s: &State, side: Side) -> Value {
    labels(rules, &(&supply::supplied_hexes(rules, s, side) & &rules.land.in_play))
}

/// For the map: the hexes from which a side traces supply, and its units that are cut off (23.3).
pub fn supplied(rules: &Ardennes, s: &State, side: Side) -> Value {
    let fed = &supply::supplied_hexes(rules, s, side) & &rules.land.in_play;
    let cut: HexSet = s.held(side).iter().filter(|hex| !fed.contains(*hex)).collect();
    let units: Vec<kernel::Arg> =
        cut.iter().flat_map(|hex| s.stack(hex)).map(|unit| kernel::Arg::Unit(rules.unit_id(unit))).collect();
    let area = |key: &'static str, hexes: &HexSet, tone| Area {
        label: Some(Message::new(key).term("side", crate::report::side_key(side))),
        cells: hexes.iter().map(|hex| rules.label(hex).to_owned()).collect(),
        texts: Vec::new(),
        seat: Some(crate::play::seat(side)),
        tone,
    };
    let mut areas = vec![area("supply.reach", &fed, Tone::Plain)];
    if !cut.is_empty() {
        areas.push(area("supply.cut_off", &cut, Tone::Bad));
    }
    let note = Message::new(if units.is_empty() { "supply.all" } else { "supply.some" })
        .term("side", crate::report::side_key(side))
        .number("n", units.len() as i64)
        .with("units", kernel::Arg::List(units));
    let overlay = Overlay { note: Some(note), rule: "23.3".into(), areas, ..Overlay::default() };
    json!({ "overlay": overlay })
}

/// Describes a hex: terrain, control, the units and markers in it.
pub fn hex(rules: &Ardennes, s: &State, _viewer: Viewer, hex: HexId) -> Value {
    let land = rules.land.hex(hex);
    let terrain: Vec<&str> = Terrain::ALL.into_iter().filter(|t| land.is(*t)).map(Terrain::key).collect();
    let units: Vec<String> = s.stack(hex).map(|u| rules.unit_id(u)).collect();
    let zoc: Vec<String> =
        Side::ALL.into_iter().filter(|side| s.zoc(*side).contains(hex)).map(|s| s.to_string()).collect();
    // 24.1: a Traffic marker is known by its number; 33.1
    let mut traffic = serde_json::Map::new();
    let mut roadblocks = Vec::new();
    for side in Side::ALL {
        let markers = &s.traffic[side.index()];
        if let Some(number) = markers.iter().position(|at| at.hex() == Some(hex)) {
            traffic.insert(side.to_string(), (number + 1).into());
        }
        if s.roadblocks[side.index()].iter().any(|at| at.hex() == Some(hex)) {
            roadblocks.push(side.to_string());
        }
    }
    json!({
        "hex": rules.label(hex),
        "terrain": terrain,
        "control": s.control(hex).to_string(),
        "units": units,
        "zoc": zoc,
        "improved_position": s.improved.contains(hex),
        "building_ip": s.digging.contains(hex),
        "dcb": { "german": land.dcb[0], "allied": land.dcb[1] },
        "road": land.has_road(),
        "traffic": traffic,
        "roadblocks": roadblocks,
    })
}
