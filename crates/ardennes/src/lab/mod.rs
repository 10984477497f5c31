//! Positions written in a lab file (`docs/LAB.md`): a shipped scenario with changes, or a small map with its units.

mod also;
mod leniency;
mod map;
mod position;
mod unit;

use std::sync::Arc;

use kernel::{
    Setup, SetupError,
    lab::{Head, Lab, LabTable},
};
use rulebook::lab::{MapWords, plain_map, side_1944};

use self::leniency::LabFile;
use crate::{
    game::{self, Ardennes44},
    options::Options,
    pack::{Edition, Maps, Pack, Scenario, SetupRule, Side, VictoryRule},
    phase::Phase,
    rules::{Ardennes, LabelStyle},
};

/// A table for a lab file's head.
pub fn open(game: &Ardennes44, table: &toml::Table) -> Result<Box<dyn LabTable>, SetupError> {
    let table = &in_plain_words(table);
    let head = Head::read(table)?;
    head.only(kernel::lab::REMARKS)?;
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
    // 1E 24.8: Roadblocks are a standard rule in the 1st edition.
    let standard = |id: &String| edition == Edition::First && id == "roadblocks";
    let options: Vec<String> =
        head.options.iter().map(|id| option_named(id)).filter(|id| !standard(id)).collect();
    let mut rules = if inline {
        let scenario = scenario(&pack, head.turn.is_some())?;
        let options = Options::read(&pack, edition, &options).map_err(|name| SetupError::Unknown {
            what: "option",
            name,
            known: known_options(game, edition),
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
    // A file that names no phase begins at the first decision.
    let begins = at.filter(|at| at.stated).map_or(Phase::Movement, |at| at.phase);
    let rules = Arc::new(rules);
    // 27.7: without dice the roll for 653 PzJ cannot be made; the unit stays on the track.
    let settled = !rolls(table);
    let Some(at) = at.or_else(|| inline.then_some(position::START)) else {
        let mut state = game::start(&rules)?;
        state.pzj653_settled |= settled;
        return Ok(Box::new(Lab::open(LabFile { begins }, rules, state)?));
    };
    let mut state = position::set_up(&rules, &head, &pieces, at, inline)?;
    state.pzj653_settled |= settled;
    let mut lab = Lab::open(LabFile { begins }, rules, state)?;
    lab.adjust(|rules, s| position::after_opening(rules, s, &pieces, at));
    Ok(Box::new(lab))
}

/// Has the file any dice?
fn rolls(table: &toml::Table) -> bool {
    let none = |dice: &toml::Value| dice.as_array().is_some_and(Vec::is_empty);
    table.contains_key("seed") || table.get("dice").is_some_and(|dice| !none(dice))
}

/// Other names for what a map has.
const MAP_WORDS: MapWords = MapWords {
    terrain: &["clear", "light_woods", "forest", "wooded_rough", "west_wall", "village", "town", "city"],
    also: &[
        ("open", "clear"),
        ("heavy_woods", "forest"),
        ("rough", "wooded_rough"),
        ("westwall", "west_wall"),
        ("cities", "city"),
    ],
    roads: &[
        ("main", "primary"),
        ("major", "primary"),
        ("highway", "primary"),
        ("minor", "secondary"),
        ("secondary_road", "secondary"),
        ("primary_road", "primary"),
    ],
    listed_bridge: Some("intact"),
    side: side_1944,
};

/// The head in the words of this reader. `places` belongs to the map; a file may name them in its head as well.
fn in_plain_words(table: &toml::Table) -> toml::Table {
    let mut table = table.clone();
    if let Some(side) = table.get("side").and_then(toml::Value::as_str).and_then(side_1944) {
        table.insert("side".into(), side.into());
    }
    if let Some(map) = table.get_mut("map").and_then(toml::Value::as_table_mut) {
        plain_map(map, &MAP_WORDS);
    }
    if let Some(places) = table.remove("places") {
        let map = table.entry("map").or_insert_with(|| toml::Value::Table(toml::Table::new()));
        if let Some(map) = map.as_table_mut() {
            map.entry("places").or_insert(places);
        }
    }
    table
}

/// A side by its name or one of its nations.
pub fn side_named(name: &str) -> Option<Side> {
    side_1944(name).map(|side| if side == "german" { Side::German } else { Side::Allied })
}

/// Optional rules by their ids, or by their names in the rulebook.
fn option_named(id: &str) -> String {
    let plain = id.trim().to_lowercase().replace([' ', '-'], "_");
    match plain.as_str() {
        "roadblock" | "33" => "roadblocks",
        "fuel_dump" | "dumps" | "32" => "fuel_dumps",
        "fifteen_factor_limit"
        | "fifteen_factor"
        | "15_factor_limit"
        | "15_factors"
        | "15_factor"
        | "factor_limit"
        | "34" => "fifteen_factors",
        other => other,
    }
    .to_owned()
}

fn known_options(game: &Ardennes44, edition: Edition) -> String {
    let here = |of: &[String]| of.is_empty() || of.iter().any(|key| key == edition.key());
    let info = kernel::Game::info(game);
    let ids = info.options.iter().filter(|option| here(&option.editions)).map(|option| option.id.as_str());
    ids.collect::<Vec<_>>().join(", ")
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
    let phase = match head.phase {
        None => None,
        Some(key) => Some(phase_named(key)?),
    };
    let turn = match head.turn {
        None => usual_turn(rules, phase),
        Some(turn) => {
            u8::try_from(turn).ok().filter(|turn| rules.pack.turn(*turn).is_some()).ok_or_else(|| {
                bad(format!("turn: {turn} is not on the track; there is 1 to {}", rules.pack.turns.len()))
            })?
        }
    };
    let mut side = head.side.and_then(side_named).unwrap_or(Side::German);
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

/// The turn of a file that names none: the first, or one that has such a phase.
fn usual_turn(rules: &Ardennes, phase: Option<Phase>) -> u8 {
    let first = rules.scenario.first_turn;
    match phase {
        Some(Phase::Fuel) => first.max(rules.tables().fuel.first_turn), // 6.1
        // 25.1: after a PM turn; the night of the 16th has its own rules (27.5).
        Some(phase) if phase.is_night() => {
            let pm = rules.pack.turns.iter().filter(|turn| turn.night_follows()).map(|turn| turn.turn);
            pm.filter(|turn| *turn > 2 && *turn >= first).min().unwrap_or(first)
        }
        _ => first,
    }
}

fn phase_named(key: &str) -> Result<Phase, SetupError> {
    let wanted = key.trim().to_lowercase().replace([' ', '-'], "_");
    let wanted = wanted.strip_suffix("_phase").unwrap_or(&wanted);
    let alias = match wanted {
        "supply_and_surrender" | "surrender" | "supply_surrender" => Some(Phase::Supply),
        "fuel_shortage" => Some(Phase::Fuel),
        "traffic_marker" | "traffic_markers" => Some(Phase::Traffic),
        "victory_check" => Some(Phase::Victory),
        "bridges" => Some(Phase::Bridge),
        "artillery" => Some(Phase::ArtillerySupply),
        "replacement" | "replacements" | "night_replacements" => Some(Phase::NightReplacement),
        "night_replacement_and_movement" => Some(Phase::NightReplacement),
        "night" => Some(Phase::NightMovement),
        _ => None,
    };
    alias.or_else(|| Phase::ALL.into_iter().find(|phase| phase.key() == wanted)).ok_or_else(|| {
        SetupError::Unknown {
            what: "phase",
            name: key.to_owned(),
            known: Phase::ALL.map(Phase::key).join(", "),
        }
    })
}

/// A table without a printed scenario: everything may happen on any turn of the turn track.
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
        // The restrictions on the first turns of the campaign (7.7, 29) apply to a file that states such a turn.
        turn_one_rules: turn_stated,
        victory: VictoryRule::Campaign,
        ..campaign.clone()
    })
}

/// How the file spells hexes; answers use the same spelling.
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
