//! Maps of lab files: written out, or changes to the shipped one.

use std::collections::BTreeMap;
use std::sync::Arc;

use atlas::{Map, MapError};
use kernel::SetupError;
use rulebook::lab::{MapWords, chains, map_text, plain_map, sorted_ends};
use toml::Value;

use crate::pack::{Pack, Zone};

/// Hexes added around everything that the file names, if it does not give the size of its map.
const MARGIN: i16 = 4;

/// Kinds of hexsides that a file may list without the prefix `hexside.`.
const WATER: [&str; 4] = ["minor_river", "canal", "major_river", "lake"];

/// What the file says about its map besides terrain.
#[derive(Debug, Default)]
pub struct Written {
    /// States of bridges, as written.
    pub bridges: BTreeMap<String, String>,
    pub traffic: Vec<String>,
    pub unknown: Vec<String>,
    /// Sources of supply by side; `None` where the file names none.
    pub supply: [Option<Vec<String>>; 2],
    pub control: BTreeMap<String, String>,
    /// Hexes beyond the rivers (2.2.4).
    pub banks: [Vec<String>; 2],
}

fn bad(why: impl Into<String>) -> SetupError {
    SetupError::Bad(why.into())
}

fn from_map(error: &MapError) -> SetupError {
    bad(format!("map: {}", error.why))
}

fn labels(value: &Value) -> Vec<String> {
    match value {
        Value::String(one) => vec![one.clone()],
        Value::Integer(n) => vec![format!("{n:04}")],
        Value::Array(list) => list.iter().flat_map(labels).collect(),
        _ => Vec::new(),
    }
}

/// An Entry Area of the shipped map, by its letter.
fn is_area(label: &str) -> bool {
    matches!(label.as_bytes(), [letter] if letter.is_ascii_uppercase())
}

/// Other names for what a map has.
const MAP_WORDS: MapWords = MapWords {
    terrain: &["clear", "polder", "polder_woods", "woods", "marsh", "village", "town", "city"],
    also: &[
        ("polder_with_woods", "polder_woods"),
        ("polder_and_woods", "polder_woods"),
        ("wooded_polder", "polder_woods"),
        ("woods_polder", "polder_woods"),
        ("forest", "woods"),
        ("wood", "woods"),
        ("light_woods", "woods"),
        ("open", "clear"),
        ("swamp", "marsh"),
        ("cities", "city"),
    ],
    roads: &[],
    listed_bridge: None,
    side: rulebook::lab::side_1944,
};

/// Take out of the table what is not terrain, and bring the rest into the form of a map file.
fn take(table: &mut toml::Table) -> Result<Written, SetupError> {
    let mut written = Written::default();
    plain_map(table, &MAP_WORDS);
    if let Some(value) = table.remove("traffic") {
        written.traffic = labels(&value);
    }
    if let Some(value) = table.remove("unknown") {
        written.unknown = labels(&value);
    }
    for (i, name) in ["north_of_waal", "north_of_lower_rhine"].into_iter().enumerate() {
        if let Some(value) = table.remove(name) {
            written.banks[i] = labels(&value);
        }
    }
    if let Some(supply) = table.get_mut("supply").and_then(Value::as_table_mut) {
        for (side, value) in supply.iter_mut() {
            let mut list = labels(value);
            // A written map has no Entry Areas: a side supplied from one by its letter is always in supply.
            let areas = list.iter().any(|label| is_area(label));
            list.retain(|label| !is_area(label));
            *value = Value::Array(list.iter().cloned().map(Value::String).collect());
            let list = Some(list).filter(|list| !areas || !list.is_empty());
            match side.to_lowercase().as_str() {
                "allied" => written.supply[0] = list,
                "german" => written.supply[1] = list,
                other => {
                    return Err(bad(format!("map.supply: no side `{other}`; there is allied, german")));
                }
            }
        }
    }
    if let Some(Value::Table(control)) = table.remove("control") {
        for (name, value) in control {
            if ["allied", "german"].contains(&name.as_str()) {
                // By side, as `supply` is written.
                written.control.extend(labels(&value).into_iter().map(|hex| (hex, name.clone())));
            } else {
                written.control.insert(name, value.as_str().unwrap_or_default().to_owned());
            }
        }
        let each = written.control.iter().map(|(hex, side)| (hex.clone(), Value::String(side.clone())));
        table.insert("control".into(), Value::Table(each.collect()));
    }
    waters(table)?;
    bridges(table, &mut written)?;
    chains(table, between);
    Ok(written)
}

/// `canal = [...]` means `hexside.canal = [...]`; `river` means a Minor River.
fn waters(table: &mut toml::Table) -> Result<(), SetupError> {
    for name in WATER.into_iter().chain(["river"]) {
        let Some(value) = table.remove(name) else { continue };
        let kind = if name == "river" { "minor_river" } else { name };
        let sides = table.entry("hexside").or_insert_with(|| Value::Table(toml::Table::new()));
        let sides = sides.as_table_mut().ok_or_else(|| bad("map.hexside: must be a table"))?;
        let list = sides.entry(kind).or_insert_with(|| Value::Array(Vec::new()));
        let list =
            list.as_array_mut().ok_or_else(|| bad(format!("map.{name}: must be a list of hexsides")))?;
        list.extend(labels(&value).into_iter().map(Value::String));
    }
    Ok(())
}

/// A hexside with its two hexes exchanged.
fn turned(side: &str) -> Option<String> {
    side.split_once('/').map(|(a, b)| format!("{b}/{a}"))
}

fn names(list: &[String], side: &str) -> bool {
    list.iter().any(|s| s == side || turned(s).as_deref() == Some(side))
}

/// Bridges with the game's own states; `ferry` and `railroad_bridge` as lists. A road bridge implies a road and water,
/// and a road that crosses water implies a bridge, whether the file lists both or not.
fn bridges(table: &mut toml::Table, written: &mut Written) -> Result<(), SetupError> {
    let mut all = toml::Table::new();
    for (name, kind) in [
        ("ferry", "ferry"),
        ("ferries", "ferry"),
        ("railroad_bridge", "railroad"),
        ("railway_bridge", "railroad"),
        ("rail_bridge", "railroad"),
    ] {
        let Some(value) = table.remove(name) else { continue };
        let states: Vec<(String, String)> = match &value {
            Value::Table(t) => {
                t.iter().map(|(k, v)| (k.clone(), v.as_str().unwrap_or("intact").to_owned())).collect()
            }
            other => labels(other).into_iter().map(|side| (side, String::new())).collect(),
        };
        for (side, state) in states {
            let mut bridge = toml::Table::new();
            bridge.insert("kind".into(), kind.into());
            if !state.is_empty() {
                bridge.insert("state".into(), state.into());
            }
            all.insert(side, Value::Table(bridge));
        }
    }
    match table.remove("bridge") {
        None => {}
        Some(Value::Table(t)) => all.extend(t),
        Some(list) => {
            all.extend(labels(&list).into_iter().map(|side| (side, Value::Table(toml::Table::new()))));
        }
    }
    let mut wet = Vec::new();
    if let Some(sides) = table.get("hexside").and_then(Value::as_table) {
        for name in WATER {
            wet.extend(sides.get(name).map(labels).unwrap_or_default());
        }
    }
    let mut paved = Vec::new();
    if let Some(roads) = table.get("road").and_then(Value::as_table) {
        for class in roads.values().filter_map(Value::as_array) {
            let one = class.iter().all(Value::is_str);
            let lists: Vec<Vec<String>> = if one {
                vec![labels(&Value::Array(class.clone()))]
            } else {
                class.iter().map(labels).collect()
            };
            for chain in lists {
                paved.extend(chain.windows(2).map(|p| format!("{}/{}", p[0], p[1])));
            }
        }
    }
    for side in &paved {
        let known = all.keys().any(|k| k == side || turned(k).as_deref() == Some(side.as_str()));
        if names(&wet, side) && !known {
            all.insert(side.clone(), "intact".into());
        }
    }
    let mut dry = Vec::new();
    let mut unpaved = Vec::new();
    let mut out = toml::Table::new();
    for (side, value) in all {
        let mut bridge = match value {
            Value::Table(t) => t,
            Value::String(state) => toml::Table::from_iter([("state".to_owned(), Value::String(state))]),
            _ => return Err(bad(format!("map.bridge: {side}: must be a state, such as \"wired\""))),
        };
        if matches!(bridge.get("kind").and_then(Value::as_str), Some("railway" | "rail" | "train")) {
            bridge.insert("kind".into(), "railroad".into());
        }
        let ferry = bridge.get("kind").and_then(Value::as_str) == Some("ferry");
        let road = !ferry && bridge.get("kind").and_then(Value::as_str) != Some("railroad");
        if let Some(state) = bridge.remove("state") {
            let state = state.as_str().unwrap_or_default().to_owned();
            let blown = ["blown", "destroyed"].contains(&state.as_str())
                || state.starts_with("under")
                || state == "repair";
            bridge.insert("state".into(), if blown { "blown" } else { "intact" }.into());
            written.bridges.insert(side.clone(), state);
        }
        if !names(&wet, &side) {
            dry.push((side.clone(), if ferry { "major_river" } else { "canal" }));
        }
        if road && !names(&paved, &side) {
            unpaved.push(side.clone());
        }
        out.insert(side, Value::Table(bridge));
    }
    if !out.is_empty() {
        table.insert("bridge".into(), Value::Table(out));
    }
    for (side, kind) in dry {
        let sides = table.entry("hexside").or_insert_with(|| Value::Table(toml::Table::new()));
        if let Some(sides) = sides.as_table_mut() {
            let list = sides.entry(kind).or_insert_with(|| Value::Array(Vec::new()));
            if let Some(list) = list.as_array_mut() {
                list.push(side.into());
            }
        }
    }
    for side in unpaved {
        let Some((a, b)) = side.split_once('/') else { continue };
        let roads = table.entry("road").or_insert_with(|| Value::Table(toml::Table::new()));
        if let Some(roads) = roads.as_table_mut() {
            let list = roads.entry("minor").or_insert_with(|| Value::Array(Vec::new()));
            if let Some(list) = list.as_array_mut() {
                if !list.is_empty() && list.iter().all(Value::is_str) {
                    *list = vec![Value::Array(std::mem::take(list))];
                }
                list.push(Value::Array(vec![a.trim().into(), b.trim().into()]));
            }
        }
    }
    Ok(())
}

/// A map written in the file. What the pack says about numbered hexes of the shipped map does not apply to it.
pub fn inline(
    shipped: &Map,
    pack: &mut Pack,
    table: &toml::Table,
    units: &[&toml::Table],
) -> Result<(Arc<Map>, Written), SetupError> {
    let mut table = table.clone();
    let zones =
        ["zones", "zone", "landing_zones", "landing_zone"].iter().find_map(|name| table.remove(*name));
    bound(&mut table, units);
    entries(&mut table, pack)?;
    let written = take(&mut table)?;
    let text = map_text(&table)?;
    let map = shipped.inline("map", &text).map_err(|e| from_map(&e))?;
    let map = map.ok_or_else(|| bad("map: must be a table"))?;
    bind(shipped, pack, &map);
    if let Some(zones) = zones {
        // A zone without a letter is that of the units without a formation.
        let zones = match zones {
            Value::Table(zones) => zones,
            list if !labels(&list).is_empty() => toml::Table::from_iter([("lab".to_owned(), list)]),
            _ => return Err(bad("map.zones: must be hexes by letter")),
        };
        for (letter, hexes) in &zones {
            let formation = pack.zones.iter().find(|z| z.id == *letter).map(|z| z.formation.clone());
            let formation = formation.unwrap_or_else(|| "lab-allied".into());
            pack.zones.retain(|z| z.id != *letter);
            pack.zones.push(Zone {
                id: letter.clone(),
                formation,
                hexes: labels(hexes),
                source: "lab".into(),
            });
        }
    }
    Ok((Arc::new(map), written))
}

/// Changes to the shipped map.
pub fn overlay(shipped: &Arc<Map>, table: &toml::Table) -> Result<(Arc<Map>, Written), SetupError> {
    if table.contains_key("rows") || table.contains_key("columns") {
        return Err(bad(
            "map.rows, map.columns: a file starts from a scenario or from a map of its own, not from both",
        ));
    }
    let mut table = table.clone();
    let written = take(&mut table)?;
    shipped.remove_replaced_features(&mut table).map_err(bad)?;
    let mut map = Arc::clone(shipped);
    Arc::make_mut(&mut map).apply_overlay("map", &map_text(&table)?).map_err(|e| from_map(&e))?;
    Ok((map, written))
}

/// Entry Areas by their letters, `entry = { A = ["1005", "1006"] }`, in the form of a map file. The side is that of the
/// shipped area unless the file gives it: `{ A = { side = "german", hexes = [...] } }`.
fn entries(table: &mut toml::Table, pack: &Pack) -> Result<(), SetupError> {
    let names = ["entry", "entries", "entry_area", "entry_areas"];
    let Some(written) = names.iter().find_map(|name| table.remove(*name)) else { return Ok(()) };
    let Value::Table(areas) = written else {
        table.insert("entry".into(), written);
        return Ok(());
    };
    let mut all = Vec::new();
    for (letter, value) in areas {
        let known = || pack.areas.iter().map(|area| area.id.as_str()).collect::<Vec<_>>().join(", ");
        let area = pack.areas.iter().find(|area| area.id.eq_ignore_ascii_case(&letter));
        let area = area.ok_or_else(|| bad(format!("map.entry: no area `{letter}`; there is {}", known())))?;
        let mut entry = toml::Table::new();
        entry.insert("id".into(), area.id.clone().into());
        entry.insert("side".into(), area.side.key().into());
        match value {
            Value::Table(fields) => entry.extend(fields),
            hexes => {
                let list = labels(&hexes).into_iter().map(Value::String).collect();
                entry.insert("hexes".into(), Value::Array(list));
            }
        }
        all.push(Value::Table(entry));
    }
    table.insert("entry".into(), Value::Array(all));
    Ok(())
}

/// A hex of the grid: row, and position in the row.
fn number(label: &str) -> Option<(i16, i16)> {
    let label = label.trim();
    if label.len() != 4 || !label.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some((label[..2].parse().ok()?, label[2..].parse().ok()?))
}

fn hexes_in(value: &Value, out: &mut Vec<(i16, i16)>) {
    match value {
        Value::String(text) => out.extend(text.split('/').filter_map(number)),
        Value::Array(list) => list.iter().for_each(|item| hexes_in(item, out)),
        Value::Table(table) => {
            for (key, item) in table {
                out.extend(key.split('/').filter_map(number));
                hexes_in(item, out);
            }
        }
        _ => {}
    }
}

/// `rows` and `columns` in either order; if the file leaves them out, everything it names and some hexes around.
fn bound(table: &mut toml::Table, units: &[&toml::Table]) {
    if let Some(places) = table.remove("cols") {
        table.insert("columns".into(), places);
    }
    sorted_ends(table);
    if table.contains_key("rows") && table.contains_key("columns") {
        return;
    }
    let mut found = Vec::new();
    table.values().for_each(|value| hexes_in(value, &mut found));
    for unit in units {
        for name in ["hex", "at"] {
            if let Some(hex) = unit.get(name) {
                hexes_in(hex, &mut found);
            }
        }
    }
    let range = |pick: fn(&(i16, i16)) -> i16, low: i16, high: i16| {
        let first = found.iter().map(pick).min().unwrap_or(low);
        let last = found.iter().map(pick).max().unwrap_or(high);
        let ends = [(first - MARGIN).max(low), (last + MARGIN).min(high)];
        Value::Array(ends.into_iter().map(|n| Value::Integer(n.into())).collect())
    };
    let (rows, columns) = (range(|h| h.0, 10, 69), range(|h| h.1, 1, 29));
    table.entry("rows").or_insert(rows);
    table.entry("columns").or_insert(columns);
}

/// 2.2.1: the first hex that is adjacent to both of two hexes that are not adjacent.
fn between(a: &str, b: &str) -> Option<String> {
    let around = |(row, place): (i16, i16)| {
        let low = place - 1 + row % 2;
        [
            (row, place - 1),
            (row, place + 1),
            (row + 1, low),
            (row + 1, low + 1),
            (row - 1, low),
            (row - 1, low + 1),
        ]
    };
    let (a, b) = (number(a)?, number(b)?);
    if a == b || around(a).contains(&b) {
        return None;
    }
    let (row, place) = around(a).into_iter().find(|hex| around(*hex).contains(&b))?;
    Some(format!("{row:02}{place:02}"))
}

/// What the pack places by hex number is not on a written map, except places and bridges that the file names.
fn bind(shipped: &Map, pack: &mut Pack, map: &Map) {
    pack.unknown.hexes.clear();
    pack.ferries.clear();
    for zone in &mut pack.zones {
        zone.hexes.clear();
    }
    let plain =
        |name: &str| -> String { name.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect() };
    let labels_of = |name: &str| -> Vec<String> {
        let wanted = plain(name);
        let named = map
            .places
            .iter()
            .filter(|p| [&p.name.en, &p.name.local].iter().any(|n| !n.is_empty() && plain(n) == wanted));
        named.map(|p| map.label(p.hex).to_owned()).collect()
    };
    for place in &mut pack.victory_places {
        place.hexes = labels_of(&place.id);
    }
    pack.victory_places.retain(|p| !p.hexes.is_empty());
    for bridge in &mut pack.bridges {
        let old = shipped.board.find_side(&bridge.hexes.join("/")).ok().and_then(|s| shipped.bridge(s));
        let title = old.map(|b| plain(&b.name.en)).unwrap_or_default();
        let here = map.bridges.iter().find(|b| {
            let name = plain(&b.name.en);
            !name.is_empty() && (name == plain(&bridge.id) || name == title)
        });
        bridge.hexes = match here.map(|b| map.board.side_hexes(b.side)) {
            Some([Some(a), Some(z)]) => [a, z].map(|h| map.label(h).to_owned()),
            _ => [String::new(), String::new()],
        };
    }
    pack.bridges.retain(|b| !b.hexes[0].is_empty());
}
