//! Positions written in a lab file (`docs/LAB.md`): a shipped scenario with changes, or a small map with its vehicles.

mod advanced;
mod air;
mod also;
mod arms;
mod cards;
mod extent;
mod figures;
mod leniency;
mod position;
mod scenario;
mod spelling;
mod unasked;
mod unit;
mod works;

use std::sync::Arc;

use kernel::{
    SetupError,
    lab::{Head, Lab, LabTable, REMARKS},
};

use crate::{
    pack::{Card, Pack, Scenario, Side},
    phase::Phase,
    rules::{Options, Panzer},
};

use leniency::LabFile;

/// The fields of a head that only this game has.
const OWN: [&str; 41] = [
    "first",
    "turns",
    "objective",
    "victory",
    "wrecks",
    "ko",
    "bu",
    "smoke",
    "barrage",
    "dust",
    "mission",
    "missions",
    "zones",
    "conditions",
    "formation",
    "force_grade",
    "grades",
    "command_control",
    "without",
    "date",
    "battery",
    "area",
    "work",
    "works",
    "feature",
    "features",
    "wire",
    "block",
    "blocks",
    "ditch",
    "ditches",
    "rubble",
    "fire",
    "fires",
    "on_fire",
    "mines",
    "entrenchment",
    "entrenchments",
    "improved_position",
    "improved_positions",
    "aircraft",
];

/// A side by its name or by that of one of its nations.
pub fn side_named(name: &str) -> Option<Side> {
    match name.to_lowercase().as_str() {
        "axis" | "german" | "germany" | "italian" | "italy" => Some(Side::Axis),
        "allied" | "allies" | "british" | "commonwealth" | "american" | "us" | "usa" | "french" => {
            Some(Side::Allied)
        }
        _ => None,
    }
}

/// A card of the pack by id, printed number or name.
pub fn find_card<'a>(cards: &'a [Card], name: &str) -> Option<&'a Card> {
    cards::find(cards, name, None)
}

/// A table for a lab file's head. A file that names no edition is one of the Basic Game, or of the Advanced Game if
/// only that has what it names: guns, Leg units, formations.
pub fn open(pack: &Arc<Pack>, table: &toml::Table) -> Result<Box<dyn LabTable>, SetupError> {
    open_edition(pack, table).or_else(|error| {
        if table.contains_key("edition") {
            return Err(error);
        }
        let mut advanced = table.clone();
        advanced.insert("edition".into(), "advanced".into());
        open_edition(pack, &advanced).map_err(|_| error)
    })
}

fn open_edition(pack: &Arc<Pack>, table: &toml::Table) -> Result<Box<dyn LabTable>, SetupError> {
    let table = &spelling::plain(table);
    let head = Head::read(table)?;
    head.only(&[&OWN[..], REMARKS].concat())?;
    if let Some(edition) = head.edition.filter(|e| !matches!(*e, "basic" | "advanced")) {
        return Err(SetupError::Unknown {
            what: "edition",
            name: edition.into(),
            known: "basic, advanced".into(),
        });
    }
    let special = scenario::special(table)?;
    let (mut base, mut ground) = match head.scenario {
        Some(id) => {
            let mut base = pack.scenario_for(id).map_err(|e| SetupError::Bad(e.to_string()))?;
            let ground = match head.map {
                Some(written) => pack.changed_field(&mut base, written).map_err(SetupError::Bad)?,
                None => pack.field(&base).map_err(|e| SetupError::Bad(e.to_string()))?,
            };
            (base, ground)
        }
        None => {
            let mut written = head.map.cloned().unwrap_or_default();
            extent::widen(&mut written, table);
            let ground = pack.lab_field(&written).map_err(SetupError::Bad)?;
            let turns = head.turn.and_then(|turn| u8::try_from(turn).ok()).unwrap_or(0).max(20);
            (Scenario { id: "lab".into(), turns, ..Scenario::default() }, ground)
        }
    };
    if let Some(special) = special {
        special.lay(&mut ground.1).map_err(|why| SetupError::Bad(format!("conditions: {why}")))?;
        base.special = special;
    }
    if let Some(date) = table.get("date").and_then(toml::Value::as_str) {
        date.clone_into(&mut base.date);
    }
    let of_advanced = head.edition == Some("advanced") || base.advanced.is_some();
    let mut cards = if of_advanced { crate::piece::cards(&pack.advanced) } else { pack.cards.clone() };
    let pieces = unit::read_all(&head.units, &mut base, &mut cards, of_advanced.then_some(&*pack.advanced))?;
    scenario::read(table, &mut base)?;
    if of_advanced {
        advanced::head(table, &mut base, &pack.advanced)?;
        works::head(table, &mut base)?;
        if let Some(extras) = base.advanced.as_mut().filter(|_| pieces.iter().any(|piece| piece.hidden)) {
            extras.optional.push("7.2".into()); // hidden units bring their rule into force
        }
        air::head(table, &mut base, &pack.advanced)?;
    }
    let options = Options::read(&head.options)?;
    let mut rules = Panzer::new(pack, cards, ground, base, options)?;
    if let Some(game) = rules.advanced.as_deref_mut() {
        for (piece, table) in pieces.iter().zip(&head.units) {
            let id = table.get("id").and_then(toml::Value::as_str).unwrap_or_default();
            advanced::figures(game, piece.unit.index(), id, table)?;
            arms::read(&mut game.pieces[piece.unit.index()], &pack.advanced, id, table)?;
        }
        rules.arm_guns();
    }
    let moment = position::moment(&rules, &head, &pieces)?;
    let mut file = LabFile {
        turn: moment.turn,
        stated: !matches!(moment.phase, Phase::Spotting | Phase::Command | Phase::Initiative),
        adjusts: moment.phase == Phase::Adjustment,
    };
    let stated = head.phase.is_some() || head.turn.is_some() || head.side.is_some() || !head.units.is_empty();
    let state = if stated || head.scenario.is_none() {
        position::lay(&rules, table, &pieces, &moment)?
    } else {
        file = LabFile { turn: 1, stated: false, adjusts: false };
        crate::game::start(&rules)?
    };
    Ok(Box::new(Lab::open(file, Arc::new(rules), state)?))
}
