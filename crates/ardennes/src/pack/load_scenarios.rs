//! Scenarios: `extends`, placements, bridges.

use rulebook::changes::merge;

use super::doc::{Doc, Item};
use super::error::PackError;
use super::ids::UnitId;
use super::load::{Index, item_error, parse};
use super::raw::{RawPlace, RawPlacements, RawScenario, RawVictory};
use super::scenario::{IsolatedGroup, Part, Placement, Scenario, ScenarioBridge, VictoryRule, WestEdgeEntry};
use super::unit::{Start, UnitDef};
use super::world::PoolDef;

pub(super) fn scenarios(
    doc: &Doc,
    index: &Index<'_>,
    units: &[UnitDef],
    pools: &[PoolDef],
) -> Result<Vec<Scenario>, PackError> {
    doc.scenarios
        .iter()
        .map(|item| {
            let item = extended(doc, item)?;
            scenario(&item, index, units, pools)
        })
        .collect()
}

/// The scenario merged with the one it extends.
fn extended(doc: &Doc, item: &Item) -> Result<Item, PackError> {
    let Some(base) = item.table.get("extends") else { return Ok(item.clone()) };
    let base = base.as_str().and_then(|name| doc.scenarios.iter().find(|s| s.key == name));
    let Some(base) = base else {
        return Err(item_error(item, "scenario", "`extends` names no scenario"));
    };
    if base.table.contains_key("extends") {
        return Err(item_error(item, "scenario", "`extends` must name a scenario that extends none"));
    }
    let mut table = base.table.clone();
    for key in ["victory", "airborne"] {
        // These are replaced as a whole, never merged.
        if item.table.contains_key(key) {
            table.remove(key);
        }
    }
    merge(&mut table, &item.table);
    Ok(Item { file: item.file.clone(), key: item.key.clone(), table })
}

fn scenario(
    item: &Item,
    index: &Index<'_>,
    units: &[UnitDef],
    pools: &[PoolDef],
) -> Result<Scenario, PackError> {
    let raw: RawScenario = parse(item, "scenario")?;
    let error = |message: String| item_error(item, "scenario", message);
    let mut improved_positions = raw.improved_positions;
    let placements = match raw.placements {
        RawPlacements::Units => {
            for unit in units {
                if let Start::Hex { hex, improved_position: true, .. } = unit.start {
                    improved_positions.push(hex);
                }
            }
            improved_positions.sort_unstable();
            improved_positions.dedup();
            own_setups(units)
        }
        RawPlacements::Listed => listed(&raw.place, index, pools).map_err(error)?,
    };
    let ids =
        |names: &[String]| names.iter().map(|name| index.unit(name)).collect::<Result<Vec<UnitId>, String>>();
    let isolated = raw
        .isolated
        .iter()
        .map(|group| IsolatedGroup {
            name: group.name.clone(),
            side: group.side,
            units: placements
                .iter()
                .filter(|p| group.hexes.contains(&p.hex) && units[p.unit.index()].side == group.side)
                .map(|p| p.unit)
                .collect(),
            surrender_points: group.surrender_points,
        })
        .collect();
    let mut west_edge = Vec::new();
    for edge in &raw.west_edge {
        let entries = index.entry_set(&edge.entries).map_err(error)?;
        west_edge.push(WestEdgeEntry { entries, rows: edge.rows, spent: edge.spent });
    }
    let victory = match raw.victory {
        RawVictory::Named(name) if name == "campaign" => VictoryRule::Campaign,
        RawVictory::Named(name) if name == "extended" => VictoryRule::Extended,
        RawVictory::Named(name) => {
            return Err(error(format!("victory `{name}` is neither `campaign` nor `extended`")));
        }
        RawVictory::Points { points, per_hex, exit_attack, .. } => {
            VictoryRule::Points { needed: points, per_hex, exit_attack }
        }
    };
    Ok(Scenario {
        id: raw.id,
        rule: raw.rule,
        editions: raw.editions,
        first_turn: raw.first_turn,
        last_turn: raw.last_turn,
        maps: raw.maps,
        part: raw.part.map(|part| Part {
            columns: part.columns,
            rows: part.rows,
            sources: [part.german_sources, part.allied_sources],
            objectives: part.objectives,
        }),
        minutes: raw.minutes,
        fuel_shortage: raw.fuel_shortage,
        traffic: raw.traffic,
        setup_order: raw.setup_order,
        setup: [raw.setup.german, raw.setup.allied],
        placements,
        improved_positions,
        german_control: raw.german_control,
        dead: ids(&raw.dead).map_err(error)?,
        removed: ids(&raw.removed).map_err(error)?,
        bridges: raw
            .bridge
            .iter()
            .map(|b| ScenarioBridge {
                hexes: b.hexes,
                state: b.state,
                number: b.number,
                completed_turn: b.completed_turn,
            })
            .collect(),
        german_artillery_fired: raw.german_artillery_fired,
        greif_left: raw.greif_left,
        traffic_before_play: raw.traffic_before_play,
        isolated,
        airborne: raw.airborne,
        west_edge,
        turn_one_rules: raw.turn_one_rules,
        victory,
    })
}

/// The set-up stated by the units themselves.
fn own_setups(units: &[UnitDef]) -> Vec<Placement> {
    let mut placements = Vec::new();
    for (i, unit) in units.iter().enumerate() {
        let (hex, reduced) = match unit.start {
            Start::Hex { hex, reduced, .. } => (hex, reduced),
            Start::Area { default_hex, .. } => (default_hex, false),
            Start::Arrival(_) | Start::Pool => continue,
        };
        placements.push(Placement {
            unit: UnitId(i as u16),
            hex,
            reduced,
            fired: false, // 31.1: all artillery starts Ready
            parent: None,
        });
    }
    placements
}

fn listed(places: &[RawPlace], index: &Index<'_>, pools: &[PoolDef]) -> Result<Vec<Placement>, String> {
    let mut used = vec![0; pools.len()];
    let mut placements = Vec::new();
    for place in places {
        let unit = match (&place.unit, &place.pool) {
            (Some(name), None) => index.unit(name)?,
            (None, Some(name)) => {
                let pool = index.pools.get(name)?;
                let next = used[pool];
                used[pool] += 1;
                if next >= u16::from(pools[pool].count) {
                    return Err(format!("more than {} counters of `{name}`", pools[pool].count));
                }
                UnitId(pools[pool].first.0 + next)
            }
            _ => return Err(format!("a place at {} needs `unit` or `pool`", place.hex)),
        };
        let parent = place.parent.as_deref().map(|name| index.unit(name)).transpose()?;
        placements.push(Placement {
            unit,
            hex: place.hex,
            reduced: place.reduced,
            fired: place.fired,
            parent,
        });
    }
    Ok(placements)
}
