//! Positions written in a lab file (`docs/LAB.md`): a shipped scenario with changes, the shipped map, or a small map with its
//! units.

mod also;
mod leniency;
mod map;
mod position;
mod unit;
mod words;

use std::sync::Arc;

use kernel::SetupError;
use kernel::lab::{Head, Lab};

use self::leniency::LabFile;
use crate::frame::Phase;
use crate::game::Holland44;
use crate::options::Options;
use crate::pack::{Half, Pack, Scenario, ScenarioVictory, Side};
use crate::world::Holland;

fn bad(why: impl Into<String>) -> SetupError {
    SetupError::Bad(why.into())
}

fn unknown(what: &'static str, name: &str, known: &str) -> SetupError {
    SetupError::Unknown { what, name: name.into(), known: known.into() }
}

/// Fields of the head that only this game has.
const OWN: &[&str] = &[
    "weather",
    "unknown",
    "bridges",
    "traffic",
    "airlanding_points",
    "air",
    "control",
    "places",
    "landed_today",
    "resupplied",
    "out_of_supply",
    "attacked",
    "replacements",
    "garrisons",
    "looked",
];

pub fn open(game: &Holland44, table: &toml::Table) -> Result<Box<dyn kernel::lab::LabTable>, SetupError> {
    let head = Head::read(table)?;
    let own: Vec<&str> = OWN.iter().chain(kernel::lab::REMARKS).copied().collect();
    head.only(&own)?;
    let mut pack = game.pack().as_ref().clone();
    let written_out = head.scenario.is_none()
        && head
            .map
            .is_some_and(|m| m.keys().any(|k| !["traffic", "control", "unknown"].contains(&k.as_str())));
    let (map, written) = match head.map {
        Some(m) if written_out => map::inline(game.map(), &mut pack, &with_places(m, table), &head.units)?,
        Some(m) => map::overlay(game.map(), m)?,
        None => (Arc::clone(game.map()), map::Written::default()),
    };
    let pieces = unit::read_all(&mut pack, &head.units)?;
    let options = Options::read(&head.options).map_err(|name| unknown("option", &name, &Options::known()))?;
    let scenario = if written_out { lab_scenario(&pack)? } else { shipped(&pack, head.scenario)? };
    let mut rules = Holland::with(Arc::new(pack), map, scenario, options);
    if written_out {
        position::bind_land(&mut rules, &written)?;
    }
    position::rename_pool(&mut rules, &pieces)?;
    let at = moment(&rules, &head)?;
    let state = position::lay(&rules, &head, table, &written, &pieces, at, written_out)?;
    Ok(Box::new(Lab::open(LabFile { begins: at }, Arc::new(rules), state)?))
}

/// `places` belongs to the map; a file may also name them in its head.
fn with_places(map: &toml::Table, head: &toml::Table) -> toml::Table {
    let mut map = map.clone();
    if let Some(places) = head.get("places") {
        map.entry("places").or_insert_with(|| places.clone());
    }
    map
}

fn shipped(pack: &Pack, name: Option<&str>) -> Result<Scenario, SetupError> {
    let name = name.unwrap_or("campaign");
    let known: Vec<&str> = pack.scenarios.iter().map(|s| s.id.as_str()).collect();
    let id = name.to_ascii_lowercase();
    let id = if id == "short" { "short_game" } else { &id };
    pack.scenario(id).cloned().ok_or_else(|| unknown("scenario", name, &known.join(", ")))
}

/// A table without a shipped scenario: any turn of the track may be played.
fn lab_scenario(pack: &Pack) -> Result<Scenario, SetupError> {
    let campaign =
        pack.scenario("campaign").ok_or_else(|| bad("the pack has no scenario `campaign` to start from"))?;
    Ok(Scenario { id: "lab".into(), victory: ScenarioVictory::Campaign, ..campaign.clone() })
}

/// Where the file starts in the sequence of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub turn: u8,
    pub side: Side,
    pub phase: Phase,
}

/// The turn of a file that names none: no special rule for the first turns is in force.
const USUAL_DAY: u8 = 3;
const USUAL_NIGHT: u8 = 5;

fn moment(rules: &Holland, head: &Head) -> Result<Moment, SetupError> {
    let (phase, night) = match head.phase {
        Some(name) => phase_named(name)?,
        None if head.scenario.is_some() && head.units.is_empty() && head.turn.is_none() => {
            (Phase::Airlanding, false)
        }
        None => (Phase::Movement, false),
    };
    let side = match head.side {
        Some(name) => side_named(name)?,
        None if phase == Phase::Traffic => Side::German,
        None => Side::Allied,
    };
    let turn = match head.turn {
        Some(turn) => {
            let known =
                u8::try_from(turn).ok().filter(|t| (1..=rules.pack.turns.len()).contains(&usize::from(*t)));
            known.ok_or_else(|| bad(format!("turn: {turn} is not from 1 to {}", rules.pack.turns.len())))?
        }
        None if head.scenario.is_some() => rules.scenario.first_turn,
        None if night => USUAL_NIGHT,
        None => USUAL_DAY,
    };
    let dark = rules.pack.turns[usize::from(turn) - 1].half == Half::Night;
    let played = match phase {
        Phase::Replacement => dark,
        Phase::Artillery | Phase::Airlanding | Phase::Weather => !dark,
        _ => true,
    } && (side == Side::Allied || !matches!(phase, Phase::Airlanding | Phase::Weather))
        && (side == Side::German || phase != Phase::Traffic);
    if !played {
        return Err(bad(format!(
            "phase: the {} side has no {} phase on turn {turn} (3.2)",
            side.key(),
            phase.key()
        )));
    }
    Ok(Moment { turn, side, phase })
}

fn phase_named(name: &str) -> Result<(Phase, bool), SetupError> {
    let plain = name.trim().to_lowercase().replace([' ', '-'], "_");
    let plain = plain.strip_suffix("_phase").unwrap_or(&plain);
    let found = match plain {
        "artillery_supply" => Some((Phase::Artillery, false)),
        "rally" => Some((Phase::Recovery, false)),
        "replacements" | "replacement" => Some((Phase::Replacement, true)),
        "night_movement" | "night" => Some((Phase::Movement, true)),
        "night_combat" => Some((Phase::Combat, true)),
        "landing" | "airborne_landing" | "air_landing" => Some((Phase::Airlanding, false)),
        "traffic_marker" | "traffic_markers" => Some((Phase::Traffic, false)),
        "bridges" => Some((Phase::Bridge, false)),
        _ => None,
    };
    let found = found.or_else(|| Phase::ALL.into_iter().find(|p| p.key() == plain).map(|p| (p, false)));
    found.ok_or_else(|| unknown("phase", name, &Phase::ALL.map(Phase::key).join(", ")))
}

fn side_named(name: &str) -> Result<Side, SetupError> {
    let key = rulebook::lab::side_1944(name);
    Side::ALL
        .into_iter()
        .find(|s| Some(s.key()) == key)
        .ok_or_else(|| unknown("side", name, "allied, german"))
}
