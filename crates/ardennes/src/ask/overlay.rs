//! Map overlays, as the client paints them: `overlay zoc german`, `overlay supply A`.

use hexgrid::{HexId, HexSet};
use kernel::{
    Ask,
    view::{MapLine, Overlay},
};
use serde_json::{Value, json};

use super::{arrivals, ground, movement, words::Words};
use crate::{
    bonds::Bond,
    pack::{Side, UnitId},
    play::seat,
    rules::Ardennes,
    state::State,
    supply,
};

pub fn overlay(rules: &Ardennes, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let id = words.next()?;
    if id == "supply" && words.peek_side().is_none() {
        return Ok(json!({ "overlay": supply_line(rules, s, words.unit()?) }));
    }
    let side = words.side()?;
    let cells = |rule: &str, hexes: &HexSet| {
        let labels = hexes.iter().map(|hex| rules.label(hex).to_owned()).collect();
        json!({ "overlay": Overlay::of_cells(seat(side), rule, labels) })
    };
    Ok(match id {
        "zoc" => cells("9.1", &(s.zoc(side) & &rules.land.in_play)),
        "control" => cells("30.1", &ground::controlled(rules, s, side)),
        "threat" => cells("11.1", &movement::threatened(rules, s, side)),
        "bonds" => json!({ "overlay": bonds(rules, s, side) }),
        "supply" => ground::supplied(rules, s, side),
        "arrivals" => arrivals::arrivals(rules, s, side),
        _ => return Err(Ask::Bad(format!("there is no overlay `{id}`"))),
    })
}

/// 23.3
fn supply_line(rules: &Ardennes, s: &State, unit: UnitId) -> Overlay {
    let side = rules.counter(unit).side;
    let line = s.unit(unit).hex().and_then(|hex| supply::line(rules, s, side, hex)).unwrap_or_default();
    let line = MapLine {
        kind: "supply".into(),
        cells: line.iter().map(|hex| rules.label(*hex).to_owned()).collect(),
        seat: Some(seat(side)),
        ..MapLine::default()
    };
    Overlay { rule: "23.3".into(), lines: vec![line], ..Overlay::default() }
}

/// 10
fn bonds(rules: &Ardennes, s: &State, side: Side) -> Overlay {
    let label = |hex: HexId| hex.some().map(|hex| rules.label(hex).to_owned());
    let line = |cells: Vec<String>| MapLine {
        kind: "bond".into(),
        cells,
        seat: Some(seat(side)),
        ..MapLine::default()
    };
    let mut lines = Vec::new();
    rules.bonds(s, side, |bond| match bond {
        Bond::Hex { through, ends: [a, b] } => {
            lines.push(line([a, through, b].into_iter().filter_map(label).collect()));
        }
        Bond::Hexside { along, ends } => {
            let mut along = along.map(|hex| rules.label(hex).to_owned());
            along.sort();
            lines.push(line(vec![along.join("/")]));
            lines.push(line(ends.into_iter().filter_map(label).collect()));
        }
    });
    Overlay { rule: "10.1".into(), lines, ..Overlay::default() }
}
