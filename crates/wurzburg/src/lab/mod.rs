//! Positions written in a lab file (`docs/LAB.md`): a shipped scenario with changes, the shipped map with the units of
//! the file, or a small map of its own.

mod also;
mod leniency;
mod map;
mod named;
mod operation;
mod position;
mod unit;
mod usual;

use std::sync::Arc;

use kernel::{
    SetupError,
    lab::{Head, Lab, LabTable, REMARKS},
};

pub(crate) use named::formation as formation_named;
pub use operation::{head, known_steps, phase};

use crate::{
    pack::Pack,
    rules::{Options, Wurzburg},
    setup,
    units::Side,
};

/// The fields of a head that only this game has.
const OWN: [&str; 36] = [
    "active",
    "initiative",
    "plan",
    "lead",
    "attached",
    "shattered",
    "off_map_cp",
    "off_map_rp",
    "cp",
    "rp",
    "points",
    "sam",
    "ew",
    "improved_position",
    "obstacle",
    "smoke",
    "minefield",
    "dummy_minefield",
    "blown",
    "military_bridge",
    "acquired",
    "control",
    "turns",
    "night",
    "fog",
    "gas",
    "charges",
    "effort",
    "paradrop",
    "smoke_markers",
    "gas_used",
    "field_works",
    "activated",
    "executed",
    "entered",
    "operation",
];

/// A side by its name or by that of one of its nations.
pub fn side_named(name: &str) -> Option<Side> {
    match name.to_lowercase().as_str() {
        "wp" | "warsaw_pact" | "warsaw pact" | "su" | "soviet" | "eg" => Some(Side::Wp),
        "nato" | "us" | "wg" | "ca" => Some(Side::Nato),
        _ => None,
    }
}

fn bad(what: impl std::fmt::Display) -> SetupError {
    SetupError::Bad(what.to_string())
}

/// `paradrop = "35GAAB"`: the brigade may drop on any turn (29.5).
fn air(rules: &mut Wurzburg, table: &toml::Table) -> Result<(), SetupError> {
    let turns: Vec<u8> = (1..=rules.scenario.turns).collect();
    if let Some(name) = table.get("paradrop").and_then(toml::Value::as_str) {
        let formation =
            named::formation(rules, name).ok_or_else(|| bad(format!("paradrop: no formation `{name}`")))?;
        let side = rules.formation(formation).side;
        rules.scenario.side_mut(side).paradrop = Some(crate::pack::Paradrop { formation, turns });
    }
    Ok(())
}

/// A table for a lab file's head.
pub fn open(pack: &Arc<Pack>, table: &toml::Table) -> Result<Box<dyn LabTable>, SetupError> {
    let table = &map::military_bridges(&usual::usual(table, &OWN));
    let head = Head::read(table)?;
    head.only(&[&OWN[..], REMARKS].concat())?;
    if let Some(edition) = head.edition.filter(|e| *e != "standard") {
        return Err(SetupError::Unknown { what: "edition", name: edition.into(), known: "standard".into() });
    }
    let options = Options::read(&head.options)?;
    let mut rules = match (head.scenario, head.map) {
        (Some(id), written) => {
            let scenario = pack.scenario(id).ok_or_else(|| SetupError::Unknown {
                what: "scenario",
                name: id.to_owned(),
                known: pack.scenarios.iter().map(|s| s.id.clone()).collect::<Vec<_>>().join(", "),
            })?;
            let map = match written {
                Some(written) => map::change(&pack.map, written).map_err(SetupError::Bad)?,
                None => pack.map.clone(),
            };
            Wurzburg::new(pack, map, scenario.clone(), options)?
        }
        (None, Some(written)) => {
            let labels: Vec<&str> =
                head.units.iter().filter_map(|unit| unit.get("hex").and_then(toml::Value::as_str)).collect();
            let map = map::read(&pack.map, written, &labels).map_err(SetupError::Bad)?;
            Wurzburg::bare(pack, map, options)?
        }
        (None, None) => Wurzburg::bare(pack, pack.map.clone(), options)?,
    };
    rules.scenario.plans_unattached = true;
    if let Some(turns) = table.get("turns").and_then(toml::Value::as_integer) {
        rules.scenario.turns = u8::try_from(turns).map_err(|_| bad("turns: must be a number of turns"))?;
    }
    for (field, to) in [("night", true), ("fog", false)] {
        match table.get(field) {
            None => {}
            Some(toml::Value::Boolean(yes)) if to => rules.always_night = Some(*yes),
            Some(toml::Value::Boolean(yes)) => {
                rules.scenario.fog_turns = if *yes { (1..=99).collect() } else { Vec::new() };
            }
            Some(other) => return Err(bad(format!("{field}: must be true or false, not {other}"))),
        }
    }
    air(&mut rules, table)?;
    let pieces = unit::read_all(&head.units, &mut rules, head.scenario.is_none())?;
    rules.settle_ground();
    let stated =
        head.phase.is_some() || head.turn.is_some() || !head.units.is_empty() || table.contains_key("active");
    let state = if stated || head.scenario.is_none() {
        position::lay(&rules, table, &head, &pieces)?
    } else {
        let state = setup::start(&rules);
        crate::game::settled(&rules, state)?
    };
    // The plans of a scenario, and those made in the Planning Phase, are known.
    let planned = |formation: &crate::units::Formation| {
        let plans = table.get("plan").and_then(toml::Value::as_table);
        plans.is_some_and(|plans| plans.keys().any(|name| name.eq_ignore_ascii_case(&formation.id)))
    };
    let open = head.scenario.is_none() && state.phase != crate::turn::Phase::Planning;
    let unsaid = rules.formations.iter().map(|formation| open && !planned(formation)).collect();
    Ok(Box::new(Lab::open(leniency::LabFile { unsaid }, Arc::new(rules), state)?))
}
