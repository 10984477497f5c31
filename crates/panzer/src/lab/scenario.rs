//! `turns`, `[[objective]]`, `[victory]`, `[zones]`: a scenario written in a lab file.

use kernel::SetupError;
use toml::{Table, Value};

use super::side_named;
use crate::pack::{Capture, Objective, Scenario, Side, Special};

fn bad(what: impl std::fmt::Display) -> SetupError {
    SetupError::Bad(what.to_string())
}

/// Apply what the head says about the scenario.
pub(super) fn read(head: &Table, scenario: &mut Scenario) -> Result<(), SetupError> {
    if let Some(turns) = head.get("turns") {
        let turns = turns.as_integer().and_then(|n| u8::try_from(n).ok()).filter(|n| *n > 0);
        scenario.turns = turns.ok_or_else(|| bad("turns: must be 1 to 255"))?;
    }
    if let Some(list) = head.get("objective") {
        let list = list.as_array().ok_or_else(|| bad("objective: write [[objective]]"))?;
        for (n, value) in list.iter().enumerate() {
            let table = value.as_table().ok_or_else(|| bad("objective: write [[objective]]"))?;
            scenario.objectives.push(objective(n, table)?);
        }
    }
    if let Some(value) = head.get("victory") {
        victory(value.as_table().ok_or_else(|| bad("victory: must be a table"))?, scenario)?;
    }
    if let Some(value) = head.get("zones") {
        let table = value.as_table().ok_or_else(|| bad("zones: must be a table of lists of hexes"))?;
        for (name, list) in table {
            scenario.zones[side(name)?.index()] = texts("zones", list)?;
        }
    }
    Ok(())
}

/// `[conditions]`: Special Conditions, as a scenario states them.
pub(super) fn special(head: &Table) -> Result<Option<Special>, SetupError> {
    let read = |value: &Value| {
        let mut ground = value.clone();
        if let Value::Table(table) = &mut ground {
            // Light and weather are the Advanced Game's.
            let light = ["heat_haze", "dust", "sun_blinding"];
            table.retain(|key, _| !light.contains(&key));
        }
        ground.try_into().map_err(|e| bad(format!("conditions: {}", e.message())))
    };
    head.get("conditions").map(read).transpose()
}

fn side(name: &str) -> Result<Side, SetupError> {
    side_named(name).ok_or_else(|| SetupError::Unknown {
        what: "side",
        name: name.into(),
        known: "axis, allied".into(),
    })
}

fn texts(field: &str, value: &Value) -> Result<Vec<String>, SetupError> {
    let wrong = || bad(format!("{field}: must be a hex or a list of hexes"));
    match value {
        Value::String(one) => Ok(vec![one.clone()]),
        Value::Array(list) => list.iter().map(|v| v.as_str().map(str::to_owned).ok_or_else(wrong)).collect(),
        _ => Err(wrong()),
    }
}

/// A number for both sides, or `{ axis = 5, allied = 3 }`.
fn both(field: &str, value: &Value) -> Result<[u16; 2], SetupError> {
    let number = |value: &Value| {
        value
            .as_integer()
            .and_then(|n| u16::try_from(n).ok())
            .ok_or_else(|| bad(format!("{field}: must be a number from 0")))
    };
    match value {
        Value::Table(table) => {
            let mut points = [0; 2];
            for (name, value) in table {
                points[side(name)?.index()] = number(value)?;
            }
            Ok(points)
        }
        value => Ok([number(value)?; 2]),
    }
}

fn objective(n: usize, table: &Table) -> Result<Objective, SetupError> {
    let known = ["id", "hex", "hexes", "points", "capture", "held_by", "control"];
    let remark = |key: &str| kernel::lab::REMARKS.contains(&key);
    if let Some(key) = table.keys().find(|key| !known.contains(&key.as_str()) && !remark(key)) {
        return Err(SetupError::Unknown {
            what: "field of an objective",
            name: key.clone(),
            known: known.join(", "),
        });
    }
    let hexes =
        table.get("hexes").or_else(|| table.get("hex")).ok_or_else(|| bad("objective: hexes is missing"))?;
    let capture = match table.get("capture").and_then(Value::as_str) {
        None | Some("whole_turn") => Capture::WholeTurn,
        Some("entered") => Capture::Entered,
        Some("occupied") => Capture::Occupied,
        Some(other) => {
            return Err(bad(format!("objective: capture `{other}`; there is whole_turn, entered, occupied")));
        }
    };
    let held_by = table
        .get("held_by")
        .or_else(|| table.get("control"))
        .and_then(Value::as_str)
        .map(side)
        .transpose()?;
    Ok(Objective {
        id: table
            .get("id")
            .and_then(Value::as_str)
            .map_or_else(|| format!("objective{}", n + 1), str::to_owned),
        hexes: texts("objective.hexes", hexes)?,
        points: table.get("points").map_or(Ok([1; 2]), |value| both("objective.points", value))?,
        capture,
        held_by,
    })
}

fn victory(table: &Table, scenario: &mut Scenario) -> Result<(), SetupError> {
    let terms = &mut scenario.victory;
    for (key, value) in table {
        match key.as_str() {
            "per_vehicle" => terms.per_vehicle = both(key, value)?,
            "per_exit" => terms.per_exit = both(key, value)?,
            "damaged_percent" => {
                let percent = value.as_integer().and_then(|n| u8::try_from(n).ok()).filter(|n| *n <= 100);
                terms.damaged_percent =
                    percent.ok_or_else(|| bad("victory.damaged_percent: must be 0 to 100"))?;
            }
            "exit_hexes" => {
                let table =
                    value.as_table().ok_or_else(|| bad("victory.exit_hexes: must be a table by side"))?;
                for (name, list) in table {
                    terms.exit_hexes[side(name)?.index()] = texts("victory.exit_hexes", list)?;
                }
            }
            "levels" => {
                let table = value.as_table().ok_or_else(|| bad("victory.levels: must be a table by side"))?;
                for (name, levels) in table {
                    let levels = levels.as_table().ok_or_else(|| bad("victory.levels: name = least lead"))?;
                    let mut list = Vec::new();
                    for (level, lead) in levels {
                        let lead = lead.as_integer().and_then(|n| i32::try_from(n).ok());
                        list.push((
                            level.clone(),
                            lead.ok_or_else(|| bad("victory.levels: a lead is a number"))?,
                        ));
                    }
                    list.sort_by_key(|(_, lead)| std::cmp::Reverse(*lead));
                    terms.levels[side(name)?.index()] = list;
                }
            }
            other => {
                return Err(SetupError::Unknown {
                    what: "field of victory",
                    name: other.into(),
                    known: "per_vehicle, damaged_percent, per_exit, exit_hexes, levels".into(),
                });
            }
        }
    }
    Ok(())
}
