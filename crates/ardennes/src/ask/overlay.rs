//! Map overlays, as the client paints them: `overlay zoc german`, `overlay supply A`.

use hexgrid::{HexId, HexSet};
use kernel::{
    Ask,
    view::{MapLine, Overlay},
};
use serde_json::{Value, json};
use zocbond::overlay;

use super::{arrivals, ground, movement, words::Words};
use crate::{pack::UnitId, play::seat, rules::Ardennes, state::State, supply};

pub fn answer(rules: &Ardennes, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let id = words.next()?;
    if id == "supply" && words.peek_side().is_none() {
        return Ok(json!({ "overlay": supply_line(rules, s, words.unit()?) }));
    }
    let side = words.side()?;
    let label = |hex: HexId| rules.label(hex).to_owned();
    let cells = |rule: &str, hexes: &HexSet| {
        let labels = hexes.iter().map(|hex| rules.label(hex).to_owned()).collect();
        json!({ "overlay": Overlay::of_cells(seat(side), rule, labels) })
    };
    Ok(match id {
        "zoc" => json!({ "overlay": overlay::zone(rules, s, side, (seat(side), "9.1"), label) }),
        "control" => cells("30.1", &ground::controlled(rules, s, side)),
        "threat" => cells("11.1", &movement::threatened(rules, s, side)),
        "bonds" => json!({ "overlay": overlay::bonds(rules, s, side, (seat(side), "10.1"), label) }),
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
