//! Positions written in a lab file (`docs/LAB.md`): a shipped scenario with changes, or a small map with its units.

mod map;
mod position;
mod unit;

use std::sync::Arc;

use kernel::{Erased, Setup, SetupError, Table, lab::Head};

use crate::{
    game::{self, Ardennes44},
    options::Options,
    pack::{Edition, Maps, Pack, Scenario, SetupRule, Side, VictoryRule},
    phase::Phase,
    rules::{Ardennes, LabelStyle},
};

/// A table for a lab file's head.
pub fn open(game: &Ardennes44, table: &toml::Table) -> Result<Box<dyn Table>, SetupError> {
    let head = Head::read(table)?;
    head.only(&[])?;
    let edition = game::edition(head.edition)?;
    let mut pack = game.pack().as_ref().clone();
    let inline = head.scenario.is_none() && head.map.is_some();
    let map = match head.map {
        Some(written) if inline => map::inline(game.map(), &mut pack, written, &head.units)?,
        Some(written) => map::overlay(game.map(), written)?,
        None => Arc::clone(game.map()),
    };
    let pieces = unit::read_all(&mut pack, &head.units, edition)?;
    let pack = Arc::new(pack);
    let options: Vec<String> = head.options.iter().map(|id| (*id).to_owned()).collect();
    let mut rules = if inline {
        let scenario = scenario(&pack, head.turn.is_some())?;
        let options = Options::read(&pack, edition, &options).map_err(|name| SetupError::Unknown {
            what: "option",
            name,
            known: known_options(game),
        })?;
        Ardennes::new(pack, map, edition, scenario, options)?
    } else {
        let setup = Setup {
            game: "ardennes44".into(),
            edition: head.edition.map(str::to_owned),
            scenario: head.scenario.unwrap_or_default().to_owned(),
            options,
            overlay: None,
        };
        Ardennes44::with(pack, map).rules(&setup)?
    };
    rules.label_style = label_style(&head, inline);
    let at = moment(&rules, &head)?;
    // A file that names no phase begins wherever there is something to decide.
    rules.lab =
        at.map(|at| if at.stated { at.phase } else { Phase::Movement }).or(inline.then_some(Phase::Movement));
    let state = position::lay(&rules, &head, &pieces, at, inline)?;
    Ok(Box::new(Erased::new(Arc::new(rules), state)))
}

fn known_options(game: &Ardennes44) -> String {
    kernel::Game::info(game).options.iter().map(|o| o.id.as_str()).collect::<Vec<_>>().join(", ")
}

/// Where in the sequence of play the file begins; none: where the scenario begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub turn: u8,
    pub side: Side,
    pub phase: Phase,
    /// The file names the phase itself.
    pub stated: bool,
}

fn moment(rules: &Ardennes, head: &Head) -> Result<Option<Moment>, SetupError> {
    let bad = SetupError::Bad;
    if head.turn.is_none() && head.side.is_none() && head.phase.is_none() && head.units.is_empty() {
        return Ok(None);
    }
    let turn = match head.turn {
        None => rules.scenario.first_turn,
        Some(turn) => {
            u8::try_from(turn).ok().filter(|turn| rules.pack.turn(*turn).is_some()).ok_or_else(|| {
                bad(format!("turn: {turn} is not on the track; there is 1 to {}", rules.pack.turns.len()))
            })?
        }
    };
    let phase = match head.phase {
        None => None,
        Some(key) => Some(phase_named(key)?),
    };
    let mut side = match head.side {
        Some("allied") => Side::Allied,
        _ => Side::German,
    };
    if head.side.is_none() && phase == Some(Phase::Victory) {
        side = Side::Allied; // 30.1
    }
    let stated = phase.is_some();
    let phase = phase.unwrap_or(Phase::ArtillerySupply);
    let known = crate::phase::sequence(rules.edition, phase.is_night()).contains(&(side, phase));
    if !known {
        return Err(bad(format!("phase: the {side} side has no {} phase (4)", phase.key())));
    }
    Ok(Some(Moment { turn, side, phase, stated }))
}

fn phase_named(key: &str) -> Result<Phase, SetupError> {
    let same = |phase: &Phase| {
        let wanted = key.trim().to_lowercase().replace([' ', '-'], "_");
        let wanted = wanted.strip_suffix("_phase").unwrap_or(&wanted);
        phase.key() == wanted
    };
    let alias = match key {
        "supply_and_surrender" | "surrender" => Some(Phase::Supply),
        "fuel_shortage" => Some(Phase::Fuel),
        "traffic_marker" => Some(Phase::Traffic),
        "victory_check" => Some(Phase::Victory),
        "bridges" => Some(Phase::Bridge),
        "replacement" | "replacements" | "night_replacements" => Some(Phase::NightReplacement),
        _ => None,
    };
    alias.or_else(|| Phase::ALL.into_iter().find(same)).ok_or_else(|| SetupError::Unknown {
        what: "phase",
        name: key.to_owned(),
        known: Phase::ALL.map(Phase::key).join(", "),
    })
}

/// A table without a printed scenario: everything may happen on any turn of the track.
fn scenario(pack: &Pack, turn_stated: bool) -> Result<Scenario, SetupError> {
    let campaign = pack
        .scenario("campaign")
        .ok_or_else(|| SetupError::Bad("the pack has no scenario `campaign` to take the rest from".into()))?;
    Ok(Scenario {
        id: "lab".into(),
        editions: Edition::ALL.to_vec(),
        first_turn: 1,
        last_turn: pack.turns.len() as u8,
        maps: Maps::Both,
        setup: [SetupRule::Fixed; 2],
        placements: Vec::new(),
        improved_positions: Vec::new(),
        german_control: Vec::new(),
        dead: Vec::new(),
        removed: Vec::new(),
        bridges: Vec::new(),
        german_artillery_fired: false,
        greif_left: (1..=6).collect(),
        traffic_before_play: 0,
        isolated: Vec::new(),
        airborne: None,
        west_edge: Vec::new(),
        // What binds the first turns of the campaign (7.7, 29) binds a file that says that it plays then.
        turn_one_rules: turn_stated,
        victory: VictoryRule::Campaign,
        ..campaign.clone()
    })
}

/// How the file writes hexes: answers are given alike.
fn label_style(head: &Head, inline: bool) -> LabelStyle {
    let mut bare = false;
    for unit in &head.units {
        if let Some(hex) = unit.get("hex").and_then(toml::Value::as_str) {
            if hex.starts_with(['E', 'W']) {
                return if inline { LabelStyle::Lettered } else { LabelStyle::Printed };
            }
            bare |= hex.len() == 4 && hex.bytes().all(|b| b.is_ascii_digit());
        }
    }
    if bare && !inline { LabelStyle::Bare } else { LabelStyle::Printed }
}
