//! `[[work]]`, `wire = [...]` and so on: counters that change the terrain (6.1.4.3).

use kernel::SetupError;
use toml::{Table, Value};

use super::side_named;
use crate::pack::{
    Scenario,
    advanced::{Feature, FeatureKind, Laid, Minefield},
};

fn bad(what: impl std::fmt::Display) -> SetupError {
    SetupError::Bad(what.to_string())
}

/// Kinds by the names that files use.
fn kind(name: &str) -> Result<FeatureKind, SetupError> {
    let plain = name.to_lowercase().replace([' ', '-'], "_");
    Ok(match plain.as_str() {
        "entrenchment" | "entrenched" | "hasty" | "hasty_entrenchment" => FeatureKind::HastyEntrenchment,
        "improved" | "ip" | "improved_position" => FeatureKind::ImprovedPosition,
        "minefield" | "mine" => FeatureKind::Mines,
        "on_fire" | "burning" => FeatureKind::Fire,
        "roadblock" => FeatureKind::Block,
        other => match FeatureKind::ALL.into_iter().find(|kind| kind.key() == other) {
            Some(kind) => kind,
            None => {
                return Err(SetupError::Unknown {
                    what: "work",
                    name: name.into(),
                    known: FeatureKind::ALL.map(FeatureKind::key).join(", "),
                });
            }
        },
    })
}

fn hexes(what: &str, value: &Value) -> Result<Vec<String>, SetupError> {
    let wrong = || bad(format!("{what}: must be a hex or a list of hexes"));
    match value {
        Value::String(one) => Ok(vec![one.clone()]),
        Value::Array(list) => list.iter().map(|v| v.as_str().map(str::to_owned).ok_or_else(wrong)).collect(),
        _ => Err(wrong()),
    }
}

fn plain(kind: FeatureKind, hexes: Vec<String>) -> Feature {
    let mines = (kind == FeatureKind::Mines).then_some((Minefield::Both, Laid::Hasty));
    Feature { kind, hexes, gpd: None, mines, hidden: false, capacity: 1, side: None, progress: None }
}

/// Add the works of the head to the scenario's features. Mines bring their rule into force (7.31).
pub(super) fn head(head: &Table, scenario: &mut Scenario) -> Result<(), SetupError> {
    let mut found = Vec::new();
    for (name, what) in [
        ("wire", FeatureKind::Wire),
        ("block", FeatureKind::Block),
        ("blocks", FeatureKind::Block),
        ("ditch", FeatureKind::Ditch),
        ("ditches", FeatureKind::Ditch),
        ("rubble", FeatureKind::Rubble),
        ("fire", FeatureKind::Fire),
        ("fires", FeatureKind::Fire),
        ("on_fire", FeatureKind::Fire),
        ("mines", FeatureKind::Mines),
        ("entrenchment", FeatureKind::HastyEntrenchment),
        ("entrenchments", FeatureKind::HastyEntrenchment),
        ("improved_position", FeatureKind::ImprovedPosition),
        ("improved_positions", FeatureKind::ImprovedPosition),
    ] {
        if let Some(value) = head.get(name) {
            found.push(plain(what, hexes(name, value)?));
        }
    }
    for name in ["work", "works", "feature", "features"] {
        let Some(value) = head.get(name) else { continue };
        let list = value.as_array().ok_or_else(|| bad(format!("{name}: write [[{name}]]")))?;
        for value in list {
            let table = value.as_table().ok_or_else(|| bad(format!("{name}: write [[{name}]]")))?;
            found.push(one(table)?);
        }
    }
    let Some(extras) = scenario.advanced.as_deref_mut() else { return Ok(()) };
    if found.iter().any(|feature| feature.kind == FeatureKind::Mines) {
        extras.optional.push("7.31".into());
    }
    extras.features.extend(found);
    Ok(())
}

fn one(table: &Table) -> Result<Feature, SetupError> {
    let known = ["kind", "hex", "hexes", "gpd", "capacity", "progress", "side", "hidden", "mines", "laid"];
    let remark = |key: &str| kernel::lab::REMARKS.contains(&key);
    if let Some(key) = table.keys().find(|key| !known.contains(&key.as_str()) && !remark(key)) {
        return Err(SetupError::Unknown {
            what: "field of a work",
            name: key.clone(),
            known: known.join(", "),
        });
    }
    let text = |key: &str| match table.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(bad(format!("work: {key} must be a text"))),
    };
    let number = |key: &str| match table.get(key) {
        None => Ok(None),
        Some(value) => {
            let number = value.as_integer().and_then(|n| u8::try_from(n).ok());
            number.map(Some).ok_or_else(|| bad(format!("work: {key} must be a number from 0 to 255")))
        }
    };
    let what = text("kind")?.ok_or_else(|| bad("work: kind is missing"))?;
    let place = table.get("hexes").or_else(|| table.get("hex"));
    let place = place.ok_or_else(|| bad("work: hexes is missing"))?;
    let mut feature = plain(kind(what)?, hexes("work.hexes", place)?);
    feature.gpd = number("gpd")?.filter(|gpd| *gpd > 0);
    if feature.gpd.is_some_and(|gpd| gpd > 10) {
        return Err(bad("work: gpd must be 1 to 10"));
    }
    feature.capacity = number("capacity")?.unwrap_or(1);
    feature.progress = number("progress")?;
    feature.hidden = table.get("hidden") == Some(&Value::Boolean(true));
    if let Some(name) = text("side")? {
        let side = side_named(name).ok_or_else(|| bad(format!("work: no side `{name}`")))?;
        feature.side = Some(side);
    }
    if let Some((minefield, laid)) = &mut feature.mines {
        if let Some(name) = text("mines")? {
            *minefield = match name.to_lowercase().replace([' ', '-'], "_").as_str() {
                "anti_personnel" | "ap" => Minefield::AntiPersonnel,
                "anti_vehicle" | "av" | "anti_tank" => Minefield::AntiVehicle,
                "both" => Minefield::Both,
                other => {
                    return Err(bad(format!(
                        "work: mines `{other}`; there is anti_personnel, anti_vehicle, both"
                    )));
                }
            };
        }
        if let Some(name) = text("laid")? {
            *laid = match name.to_lowercase().as_str() {
                "hasty" => Laid::Hasty,
                "deliberate" | "planned" => Laid::Deliberate,
                other => return Err(bad(format!("work: laid `{other}`; there is hasty, deliberate"))),
            };
        }
    }
    Ok(feature)
}
