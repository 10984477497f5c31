//! Maps written in lab files: the keys of docs/PACKS.md, and the short forms of this game.

use atlas::Map;
use toml::{Table, Value};

use super::Field;

/// Hexside kinds that may be written without the prefix `hexside.`.
pub(super) const SIDES: [&str; 6] = ["slope", "cliff", "crest", "wall", "hedgerow", "defilade"];

/// Other names of terrain. Vehicles in a building hex are in its Alley, whatever the building's material (4.1.4.1.3).
const TERRAIN: [(&str, &str); 22] = [
    ("wadi", "gully"),
    ("building", "wood_building"),
    ("buildings", "wood_building"),
    ("wood_buildings", "wood_building"),
    ("brick_buildings", "brick_building"),
    ("stone_buildings", "stone_building"),
    ("light_groves", "light_grove"),
    ("medium_groves", "medium_grove"),
    ("bridges", "bridge"),
    ("grove", "medium_grove"),
    ("groves", "medium_grove"),
    ("wood", "wood_building"),
    ("brick", "brick_building"),
    ("stone", "stone_building"),
    ("rough_terrain", "rough"),
    ("rough_ground", "rough"),
    ("woods", "medium_grove"),
    ("forest", "medium_grove"),
    ("light_woods", "light_grove"),
    ("alley", "wood_building"),
    ("alleys", "wood_building"),
    ("desert", "clear"),
];

/// Other names of roads, from games whose roads differ only in quality.
const ROADS: [(&str, &str); 2] = [("primary", "road"), ("secondary", "path")];

/// The default size of a lab map: that of a board.
pub(crate) const COLUMNS: [i64; 2] = [1, 33];
pub(crate) const ROWS: [i64; 2] = [0, 16];

/// A map written in the `[map]` table of a lab file; `kinds` is the pack's map without boards.
///
/// ```toml
/// [map]
/// columns = ["A", "L"]              # or [1, 12]; left out: a board's 33 columns
/// rows = [0, 9]                     # row 0 are the half hexes of odd columns
/// default = "clear"
/// terrain.medium_grove = ["C3"]
/// terrain.bridge = ["E5"]           # over a gully; or bridge = ["E5"]
/// elevation.1 = ["D4", "D5"]        # or elevation = { "D4" = 1, "D5" = 1 }
/// storeys = { "F6" = 2 }            # of buildings; 1 where nothing is said
/// crest = ["D4/D5"]                 # or hexside.crest; wall, hedgerow, defilade, cliff, slope likewise
/// road = [["A1", "B1", "C1"]]       # or road.road; path and track likewise
/// overlays = ["LG2 34O4(6)"]        # 1.3; `lay` puts them on the map
/// ```
pub fn read(
    kinds: &Map,
    written: &Table,
    lay: impl FnOnce(&mut Map, &[&str]) -> Result<(), String>,
) -> Result<(Map, Field), String> {
    let Written { mut table, storeys, overlays, desert } = take(written)?;
    if let Some(Value::Array(range)) = table.get_mut("columns") {
        range.iter_mut().try_for_each(column)?;
    }
    let range = |[first, last]: [i64; 2]| Value::Array(vec![first.into(), last.into()]);
    table.entry("columns").or_insert(range(COLUMNS));
    table.entry("rows").or_insert(range(ROWS));
    let mut map = kinds
        .inline("map", &text_of(table)?)
        .map_err(|e| format!("map: {}", e.why))?
        .ok_or_else(|| "map: expected a table".to_owned())?;
    if let Some(overlays) = overlays {
        let list = overlays.as_array().and_then(|list| list.iter().map(Value::as_str).collect());
        let list: Vec<&str> = list.ok_or(r#"map.overlays: expected such as ["LG2 34O4(6)"]"#)?;
        lay(&mut map, &list)?;
    }
    let mut field = Field::from_map(&map).map_err(|e| format!("map: {e}"))?;
    buildings(&mut field, storeys, desert)?;
    Ok((map, field))
}

/// Changes to the joined boards of a scenario: the same `[map]` table beside `scenario`, with the boards' labels. `build` makes
/// the terrain of the changed map as the scenario has it.
pub fn change(
    mut map: Map,
    written: &Table,
    build: impl FnOnce(&Map) -> Result<Field, String>,
) -> Result<(Map, Field), String> {
    let Written { mut table, storeys, overlays, desert } = take(written)?;
    for key in ["columns", "rows"] {
        if table.contains_key(key) {
            return Err(format!("map.{key}: the boards of the scenario have their size"));
        }
    }
    if overlays.is_some() {
        return Err("map.overlays: the scenario lays its own".into());
    }
    map.remove_replaced_features(&mut table)?;
    map.apply_overlay("map", &text_of(table)?).map_err(|e| format!("map: {}", e.why))?;
    let mut field = build(&map)?;
    buildings(&mut field, storeys, desert)?;
    Ok((map, field))
}

/// A `[map]` table in the words of map files, and what they have no words for.
struct Written {
    table: Table,
    storeys: Option<Value>,
    overlays: Option<Value>,
    desert: bool,
}

fn take(written: &Table) -> Result<Written, String> {
    let mut written = written.clone();
    written.retain(|key, _| !kernel::lab::REMARKS.contains(&key));
    super::spelling::plain(&mut written);
    let storeys = written.remove("storeys");
    let overlays = written.remove("overlays").or_else(|| written.remove("overlay"));
    let desert = match written.remove("desert_buildings") {
        None => false,
        Some(Value::Boolean(desert)) => desert,
        Some(_) => return Err("map.desert_buildings: expected true or false".into()),
    };
    for key in SIDES {
        for name in [key.to_owned(), format!("{key}s")] {
            if let Some(list) = written.remove(&name) {
                put(&mut written, "hexside", key, list)?;
            }
        }
    }
    if let Some(bridges) = written.remove("bridge").or_else(|| written.remove("bridges")) {
        let list = match bridges {
            // As a map of hexsides writes them: `{ "E5" = "intact" }`.
            Value::Table(table) => Value::Array(table.keys().cloned().map(Value::String).collect()),
            list => list,
        };
        put(&mut written, "terrain", "bridge", list)?;
    }
    rename(&mut written, "terrain", &TERRAIN)?;
    elevations(&mut written)?;
    if let Some(Value::Array(chains)) = written.get("road") {
        let chains = Value::Array(chains.clone());
        written.remove("road");
        put(&mut written, "road", "road", chains)?;
    }
    for key in ["path", "track"] {
        if let Some(chains) = written.remove(key) {
            put(&mut written, "road", key, chains)?;
        }
    }
    rename(&mut written, "road", &ROADS)?;
    Ok(Written { table: written, storeys, overlays, desert })
}

fn text_of(written: Table) -> Result<String, String> {
    let mut file = Table::new();
    file.insert("map".into(), Value::Table(written));
    toml::to_string(&file).map_err(|e| format!("map: {e}"))
}

/// Storeys of buildings, and what they are made of.
fn buildings(field: &mut Field, storeys: Option<Value>, desert: bool) -> Result<(), String> {
    if let Some(storeys) = storeys {
        let Value::Table(storeys) = storeys else {
            return Err("map.storeys: expected a table such as { \"F6\" = 2 }".into());
        };
        for (label, value) in &storeys {
            let hex = field.find(label).ok_or_else(|| format!("map.storeys: no hex {label} on this map"))?;
            let count = value.as_integer().and_then(|n| u8::try_from(n).ok()).filter(|n| (1..=9).contains(n));
            let count = count.ok_or_else(|| format!("map.storeys.{label}: expected 1 to 9"))?;
            if !field.terrain(hex).building() {
                return Err(format!("map.storeys.{label}: there is no building (4.1.4.1.3)"));
            }
            field.ground_mut(hex).storeys = count;
        }
    }
    if desert {
        field.use_desert_buildings();
    }
    Ok(())
}

/// A column by its letters: A is 1, AA is 27, BB is 28 (1.2).
pub(crate) fn column(value: &mut Value) -> Result<(), String> {
    let Value::String(letters) = value else { return Ok(()) };
    let first =
        letters.bytes().next().filter(u8::is_ascii_alphabetic).map(|letter| letter.to_ascii_uppercase());
    let same = |first: &u8| letters.bytes().all(|letter| letter.to_ascii_uppercase() == *first);
    let Some(first) = first.filter(same) else {
        return Err(format!("map.columns: `{letters}` is no column; A to Z, AA, BB and so on are"));
    };
    *value = Value::Integer(i64::from(first - b'A') + 1 + 26 * (letters.len() as i64 - 1));
    Ok(())
}

/// Replace synonyms in one of the map's tables.
fn rename(written: &mut Table, table: &str, names: &[(&str, &str)]) -> Result<(), String> {
    for (other, name) in names {
        let found = match written.get_mut(table) {
            Some(Value::Table(inner)) => inner.remove(*other),
            _ => None,
        };
        if let Some(value) = found {
            put(written, table, name, value)?;
        }
    }
    Ok(())
}

/// `elevation = { "D4" = 1 }` as `elevation.1 = ["D4"]`.
fn elevations(written: &mut Table) -> Result<(), String> {
    let Some(Value::Table(given)) = written.get("elevation") else { return Ok(()) };
    let mut levels = Table::new();
    for (key, value) in given.clone() {
        let (level, hexes) = match value {
            Value::Integer(level) => (level.to_string(), vec![Value::String(key)]),
            Value::Array(hexes) => (key, hexes),
            other => return Err(format!("map.elevation.{key}: expected hexes or a level, not {other}")),
        };
        match levels.entry(level).or_insert_with(|| Value::Array(Vec::new())) {
            Value::Array(list) => list.extend(hexes),
            _ => return Err("map.elevation: expected lists of hexes".into()),
        }
    }
    written.insert("elevation".into(), Value::Table(levels));
    Ok(())
}

fn put(written: &mut Table, table: &str, key: &str, value: Value) -> Result<(), String> {
    match written.entry(table).or_insert_with(|| Value::Table(Table::new())) {
        Value::Table(inner) if inner.contains_key(key) => Err(format!("map.{key}: given twice")),
        Value::Table(inner) => {
            inner.insert(key.to_owned(), value);
            Ok(())
        }
        _ => Err(format!("map.{table}: expected a table")),
    }
}
