//! Maps of lab files: complete maps, or changes to the shipped one.

use std::sync::Arc;

use atlas::{Map, MapError, Watercourse};
use kernel::SetupError;
use rulebook::lab::{chains, map_text, sorted_ends};

use crate::pack::{HexRef, Pack};

/// Hexes added around everything that the file names, if it does not give the size of its map.
const MARGIN: u16 = 4;

fn bad(error: &MapError) -> SetupError {
    SetupError::Bad(format!("map: {}", error.why))
}

/// Markers that a file writes in `[map]` although they are not part of it: hexes by side.
pub const MARKERS: [&str; 2] = ["traffic", "roadblocks"];
/// Fuel dumps (32): the hex and its state.
pub const DUMPS: &str = "fuel_dumps";

/// The `[map]` table without the markers.
fn land_of(written: &toml::Table) -> toml::Table {
    let marker = |key: &str| key == DUMPS || MARKERS.contains(&key);
    written.iter().filter(|(key, _)| !marker(key)).map(|(k, v)| (k.clone(), v.clone())).collect()
}

/// A map written in the file. What the pack says about numbered hexes of the shipped map does not apply to it, except
/// for places that the file names and for hexsides that rules give by number.
pub fn inline(
    shipped: &Map,
    pack: &mut Pack,
    written: &toml::Table,
    units: &[&toml::Table],
) -> Result<Arc<Map>, SetupError> {
    let dumps = written.get(DUMPS).and_then(toml::Value::as_table).cloned().unwrap_or_default();
    let mut written = land_of(written);
    bound(&mut written, units);
    chains(&mut written, between);
    rivers_under_bridges(&mut written);
    let text = map_text(&written)?;
    let mut map = shipped
        .inline("map", &text)
        .map_err(|e| bad(&e))?
        .ok_or_else(|| SetupError::Bad("map: must be a table".into()))?;
    bind_places(shipped, pack, &mut map);
    pack.places.fuel_dumps = dumps.keys().filter_map(|label| label.parse().ok()).collect();
    Ok(Arc::new(map))
}

/// Changes to the shipped map: the `[map]` of a file that starts from a scenario.
pub fn overlay(shipped: &Arc<Map>, written: &toml::Table) -> Result<Arc<Map>, SetupError> {
    if written.contains_key("rows") || written.contains_key("columns") {
        return Err(SetupError::Bad(
            "map.rows, map.columns: a file starts from a scenario or from a map of its own, not from both"
                .into(),
        ));
    }
    let mut written = land_of(written);
    chains(&mut written, between);
    rivers_under_bridges(&mut written);
    shipped.remove_replaced_features(&mut written).map_err(SetupError::Bad)?;
    let mut map = Arc::clone(shipped);
    Arc::make_mut(&mut map).apply_overlay("map", &map_text(&written)?).map_err(|e| bad(&e))?;
    Ok(map)
}

/// Sorts the ends of `rows` and `columns`; if the file leaves them out, the map covers everything that it names and a
/// margin.
fn bound(written: &mut toml::Table, units: &[&toml::Table]) {
    sorted_ends(written);
    if written.contains_key("rows") && written.contains_key("columns") {
        return;
    }
    let mut labels = Vec::new();
    for value in written.values() {
        hexes_in(value, &mut labels);
    }
    for unit in units {
        if let Some(hex) = unit.get("hex") {
            hexes_in(hex, &mut labels);
        }
    }
    let range = |pick: fn(&HexRef) -> u8| {
        let first = labels.iter().map(pick).min().unwrap_or(1);
        let last = labels.iter().map(pick).max().unwrap_or(1);
        let first = u16::from(first).saturating_sub(MARGIN).max(1);
        toml::Value::Array(vec![i64::from(first).into(), i64::from(u16::from(last) + MARGIN).into()])
    };
    let (columns, rows) = (range(|hex| hex.col), range(|hex| hex.row));
    written.entry("columns").or_insert(columns);
    written.entry("rows").or_insert(rows);
}

fn hexes_in(value: &toml::Value, out: &mut Vec<HexRef>) {
    match value {
        toml::Value::String(text) => {
            out.extend(text.split('/').filter_map(|part| part.trim().parse::<HexRef>().ok()));
        }
        toml::Value::Array(list) => list.iter().for_each(|item| hexes_in(item, out)),
        toml::Value::Table(table) => {
            for (key, item) in table {
                out.extend(key.split('/').filter_map(|part| part.trim().parse::<HexRef>().ok()));
                hexes_in(item, out);
            }
        }
        _ => {}
    }
}

/// The first hex adjacent to both of two hexes that are not adjacent to each other.
fn between(a: &str, b: &str) -> Option<String> {
    let at = |label: &str| label.parse::<HexRef>().ok().map(|hex| (i16::from(hex.col), i16::from(hex.row)));
    let around = |(col, row): (i16, i16)| {
        // Odd columns are half a hex further north.
        let low = row - 1 + col % 2;
        [
            (col, row + 1),
            (col, row - 1),
            (col + 1, low),
            (col + 1, low + 1),
            (col - 1, low),
            (col - 1, low + 1),
        ]
    };
    let (a, b) = (at(a)?, at(b)?);
    if a == b || around(a).contains(&b) {
        return None;
    }
    let (col, row) = around(a).into_iter().find(|hex| around(*hex).contains(&b))?;
    Some(HexRef::new(u8::try_from(col).ok()?, u8::try_from(row).ok()?).to_string())
}

/// A bridge implies a river, whether or not the file lists the river.
fn rivers_under_bridges(written: &mut toml::Table) {
    let Some(toml::Value::Table(bridges)) = written.get("bridge") else { return };
    let mut wet = Vec::new();
    for name in ["river", "meuse", "lake"] {
        if let Some(toml::Value::Array(list)) = written.get(name) {
            wet.extend(list.iter().filter_map(toml::Value::as_str).map(str::to_owned));
        }
    }
    let turned = |side: &str| side.split_once('/').map(|(a, b)| format!("{b}/{a}"));
    let dry: Vec<toml::Value> = bridges
        .keys()
        .filter(|side| !wet.contains(side) && turned(side).is_none_or(|side| !wet.contains(&side)))
        .map(|side| toml::Value::String(side.clone()))
        .collect();
    let rivers = written.entry("river").or_insert_with(|| toml::Value::Array(Vec::new()));
    if let toml::Value::Array(rivers) = rivers {
        rivers.extend(dry);
    }
}

/// A hex that is not on the grid: what the pack places by number is not on a map written in a file.
const NOWHERE: HexRef = HexRef { col: 99, row: 99 };

fn bind_places(shipped: &Map, pack: &mut Pack, map: &mut Map) {
    for area in &mut pack.areas {
        area.hexes.clear();
        area.closed_to_red.clear();
    }
    for entry in &mut pack.entries {
        let letter = entry.letter.to_string();
        let written = map.entry(&letter).and_then(|e| e.hexes.first());
        entry.hex = written.and_then(|hex| map.board.label(*hex).parse().ok()).unwrap_or(NOWHERE);
    }
    let victory = std::mem::take(&mut pack.victory_hexes);
    for hex in &map.victory {
        if let Ok(number) = map.board.label(hex.hex).parse() {
            pack.victory_hexes.push(crate::pack::VictoryHex {
                hex: number,
                place: hex.place.clone(),
                kind: crate::pack::VictoryKind::Town,
                points: 1,
                source: "lab".into(),
            });
        }
    }
    let (st_vith, bottleneck) = (pack.places.st_vith, std::mem::take(&mut pack.places.bottleneck));
    pack.places.st_vith = NOWHERE;
    let bastogne = std::mem::take(&mut pack.places.bastogne);
    let through: Vec<_> = shipped.watercourses.iter().flat_map(|w| w.through.iter().copied()).collect();
    let mut wet = Vec::new();
    for place in &map.places {
        let Ok(here) = map.board.label(place.hex).parse::<HexRef>() else { continue };
        let Some(original) = shipped.places.iter().find(|p| same_name(p, place)) else { continue };
        let Ok(number) = shipped.board.label(original.hex).parse::<HexRef>() else { continue };
        if through.contains(&original.hex) {
            wet.push(place.hex); // 3.3, 7.7
        }
        if number == st_vith {
            pack.places.st_vith = here;
            if here == number {
                pack.places.bottleneck.clone_from(&bottleneck);
            }
        }
        if bastogne.contains(&number) {
            pack.places.bastogne.push(here);
        }
        if let Some(original) = victory.iter().find(|v| v.hex == number) {
            pack.victory_hexes.retain(|v| v.hex != here);
            pack.victory_hexes.push(crate::pack::VictoryHex { hex: here, ..original.clone() });
        }
    }
    if !wet.is_empty() {
        map.watercourses.push(Watercourse {
            id: "lab-through".into(),
            name: atlas::Names::default(),
            into: None,
            hexsides: Vec::new(),
            through: wet,
            course: Vec::new(),
            source: "lab".into(),
        });
    }
}

fn same_name(a: &atlas::Place, b: &atlas::Place) -> bool {
    let plain = |name: &str| -> String {
        let name = name.to_lowercase().replace("saint", "st").replace("sankt", "st");
        name.chars().filter(|c| c.is_alphanumeric()).collect()
    };
    let all = |place: &atlas::Place| {
        let name = &place.name;
        [&name.en, &name.ko, &name.ja, &name.local].map(|name| plain(name))
    };
    let ours = all(a);
    all(b).iter().any(|name| !name.is_empty() && ours.contains(name))
}
