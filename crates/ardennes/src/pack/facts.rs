//! The stated and reported facts (`facts.toml`), and the counter mix (`mix.toml`).
//!
//! They are kept apart from the data they constrain, so that a mistake in a unit file is found and an overlay that
//! departs from a rulebook is reported.

use serde::Deserialize;

use super::Pack;
use super::check::Findings;
use super::ids::{Edition, HexRef, UnitId};
use super::raw::RawFactors;
use super::unit::{ArrivalBy, Factors, Morale, SetupCode, Start, Tag, UnitDef, UnitType, Vehicle};

const FACTS: &str = include_str!("../../../../packs/ardennes44/facts.toml");
const MIX: &str = include_str!("../../../../packs/ardennes44/mix.toml");

/// What a source states about units; only the stated fields are given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fact {
    /// The units concerned, by slug.
    #[serde(default)]
    units: Vec<String>,
    /// The units concerned: all of these classes.
    #[serde(default)]
    classes: Vec<String>,
    /// The units concerned: every counter of these pools.
    #[serde(default)]
    pools: Vec<String>,
    /// How many there are in all.
    count: Option<usize>,
    front: Option<RawFactors>,
    front_1e: Option<RawFactors>,
    reduced: Option<RawFactors>,
    /// Only the movement allowance.
    movement: Option<u8>,
    /// Artillery: movement of the Ready side.
    ready_movement: Option<u8>,
    stacking: Option<u8>,
    steps: Option<u8>,
    steps_at_least: Option<u8>,
    remnant: Option<RawFactors>,
    morale: Option<Morale>,
    tq: Option<u8>,
    tq_red: Option<bool>,
    #[serde(rename = "type")]
    unit_type: Option<UnitType>,
    vehicle: Option<Vehicle>,
    formation: Option<String>,
    corps: Option<String>,
    optional: Option<bool>,
    setup_hex: Option<HexRef>,
    setup_code: Option<SetupCode>,
    improved_position: Option<bool>,
    arrival_turn: Option<u8>,
    entries: Option<String>,
    replaceable: Option<bool>,
    tag: Option<Tag>,
    /// Rule or report.
    source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    fact: Vec<Fact>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mix {
    /// Counters in the box.
    total: usize,
    #[serde(rename = "source")]
    _source: String,
    /// Markers that do not limit play.
    other_markers: std::collections::BTreeMap<String, usize>,
}

/// Facts that are not met are warnings, because a printed counter may prove a report wrong.
pub(super) fn check(pack: &Pack, found: &mut Findings) {
    match toml::from_str::<Facts>(FACTS) {
        Ok(facts) => {
            for fact in &facts.fact {
                check_fact(pack, fact, found);
            }
        }
        Err(e) => found.error("facts.toml", e.to_string()),
    }
    match toml::from_str::<Mix>(MIX) {
        Ok(mix) => check_mix(pack, &mix, found),
        Err(e) => found.error("mix.toml", e.to_string()),
    }
}

/// Rule 1.2: the box holds 570 counters.
fn check_mix(pack: &Pack, mix: &Mix, found: &mut Findings) {
    let markers = &pack.tables(Edition::Second).markers;
    let both = |pair: [u8; 2]| usize::from(pair[0]) + usize::from(pair[1]);
    let air = pack.tables(Edition::Second).air.cells.iter().max().copied().unwrap_or(0);
    // Prime Movers and Trucks are the backs of SM markers (22.3, 12.61).
    let limiting = both(markers.strategic)
        + both(markers.traffic)
        + both(markers.roadblocks)
        + both(markers.night)
        + usize::from(air)
        + usize::from(markers.fuel_dumps);
    let other: usize = mix.other_markers.values().sum();
    let sum = pack.units.len() + limiting + other;
    if sum != mix.total {
        found.warn(
            "counter mix",
            format!(
                "{} units and pool counters, {limiting} markers that limit play and {other} others \
                 make {sum}, not {} (1.2)",
                pack.units.len(),
                mix.total
            ),
        );
    }
}

fn subjects(pack: &Pack, fact: &Fact, found: &mut Findings) -> Vec<UnitId> {
    let mut ids = Vec::new();
    for slug in &fact.units {
        match pack.units.iter().position(|u| &u.id == slug) {
            Some(i) => ids.push(UnitId(i as u16)),
            None => found.warn(format!("unit {slug}"), format!("is stated ({})", fact.source)),
        }
    }
    for class in fact.classes.iter().chain(&fact.pools) {
        let before = ids.len();
        ids.extend(
            (0..pack.units.len()).filter(|&i| &pack.units[i].class == class).map(|i| UnitId(i as u16)),
        );
        if ids.len() == before {
            found.warn(format!("class {class}"), format!("has no units ({})", fact.source));
        }
    }
    ids
}

fn check_fact(pack: &Pack, fact: &Fact, found: &mut Findings) {
    let ids = subjects(pack, fact, found);
    if let Some(count) = fact.count
        && ids.len() != count
    {
        let what = fact.units.iter().chain(&fact.classes).chain(&fact.pools).next();
        let item = what.cloned().unwrap_or_default();
        found.warn(item, format!("{count} units are stated ({}), not {}", fact.source, ids.len()));
    }
    for id in ids {
        for message in unmet(pack, pack.unit(id), fact) {
            found.warn(format!("unit {}", pack.unit(id).id), format!("{message} ({})", fact.source));
        }
    }
}

fn same(stated: RawFactors, ours: Factors) -> bool {
    let s = stated.0;
    (s.attack, s.defense, s.movement) == (ours.attack, ours.defense, ours.movement)
}

fn text(f: Factors) -> String {
    format!("{}-{}-{}", f.attack, f.defense, f.movement)
}

/// Where a unit differs from the stated facts.
fn unmet(pack: &Pack, unit: &UnitDef, fact: &Fact) -> Vec<String> {
    let mut out = Vec::new();
    let mut need = |holds: bool, what: String| {
        if !holds {
            out.push(what);
        }
    };
    if let Some(front) = fact.front {
        need(same(front, unit.front), format!("front is {}, not {}", text(unit.front), text(front.0)));
    }
    if let Some(front) = fact.front_1e {
        let ours = unit.factors(Edition::First, false);
        need(same(front, ours), format!("1E front is {}, not {}", text(ours), text(front.0)));
    }
    if let Some(back) = fact.reduced {
        let ours = unit.reduced.unwrap_or_default();
        need(same(back, ours), format!("reduced side is {}, not {}", text(ours), text(back.0)));
    }
    if let Some(ma) = fact.movement {
        need(unit.front.movement == ma, format!("MA is {}, not {ma}", unit.front.movement));
    }
    if let Some(ma) = fact.ready_movement {
        need(unit.front.movement == ma, format!("Ready MA is {}, not {ma}", unit.front.movement));
    }
    if let Some(points) = fact.stacking {
        need(unit.front.stacking == points, format!("{} SP, not {points}", unit.front.stacking));
    }
    if let Some(steps) = fact.steps {
        need(unit.steps == steps, format!("{} steps, not {steps}", unit.steps));
    }
    if let Some(steps) = fact.steps_at_least {
        need(unit.steps >= steps, format!("{} steps, not at least {steps}", unit.steps));
    }
    if let Some(remnant) = fact.remnant {
        let ours = unit.remnant.map(|p| pack.unit(pack.pools[p.index()].first).front);
        need(ours.is_some_and(|ours| same(remnant, ours)), format!("Remnant is not {}", text(remnant.0)));
    }
    if let Some(morale) = fact.morale {
        need(unit.morale == morale, format!("morale is {:?}, not {morale:?}", unit.morale));
    }
    if let Some(tq) = fact.tq {
        let ours = unit.tq.map(|t| (t.front, t.reduced));
        need(ours == Some((tq, tq)), format!("TQ is not {tq}"));
    }
    if let Some(red) = fact.tq_red {
        need(unit.tq.is_some_and(|t| t.red == red), format!("red TQ is not {red}"));
    }
    if let Some(unit_type) = fact.unit_type {
        need(unit.unit_type == unit_type, format!("type is not {unit_type:?}"));
    }
    if let Some(vehicle) = fact.vehicle {
        need(unit.vehicle == Some(vehicle), format!("vehicle is not {vehicle:?}"));
    }
    if let Some(name) = &fact.formation {
        let ours = unit.formation.map(|f| &pack.formation(f).id);
        need(ours == Some(name), format!("formation is not {name}"));
    }
    if let Some(name) = &fact.corps {
        let ours = unit.corps.map(|c| &pack.corps[c.index()].id);
        need(ours == Some(name), format!("corps is not {name}"));
    }
    if let Some(optional) = fact.optional {
        need(unit.optional.is_some() == optional, format!("optional is not {optional}"));
    }
    let (hex, code, dug_in) = match &unit.start {
        Start::Hex { hex, code, improved_position, .. } => (Some(*hex), Some(*code), *improved_position),
        Start::Area { code, .. } => (None, Some(*code), false),
        _ => (None, None, false),
    };
    if let Some(stated) = fact.setup_hex {
        need(hex == Some(stated), format!("does not set up in {stated}"));
    }
    if let Some(stated) = fact.setup_code {
        need(code == Some(stated), format!("set-up code is not {stated:?}"));
    }
    if let Some(stated) = fact.improved_position {
        need(dug_in == stated, format!("Improved Position is not {stated}"));
    }
    if let Some(turn) = fact.arrival_turn {
        let ours = unit.arrival().map(|a| a.turn);
        need(ours == Some(turn), format!("does not arrive on turn {turn}"));
    }
    if let Some(letters) = &fact.entries {
        let ours: Option<String> = unit.arrival().and_then(|a| match a.by {
            ArrivalBy::Entry(set) | ArrivalBy::Roll(set) => {
                Some(set.iter().map(|e| pack.entries[e.index()].letter).collect())
            }
            _ => None,
        });
        need(ours.as_ref() == Some(letters), format!("does not enter at {letters}"));
    }
    if let Some(replaceable) = fact.replaceable {
        need(unit.replaceable == replaceable, format!("replaceable is not {replaceable}"));
    }
    if let Some(tag) = fact.tag {
        need(unit.tags.has(tag), format!("lacks {tag:?}"));
    }
    out
}
