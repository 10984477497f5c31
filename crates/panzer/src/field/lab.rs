//! Maps written in lab files: the keys of docs/PACKS.md, and the short forms of this game.

use atlas::Map;
use toml::{Table, Value};

use super::Field;

/// Hexside kinds that may stand without `hexside.` before them.
const SIDES: [&str; 6] = ["slope", "cliff", "crest", "wall", "hedgerow", "defilade"];

/// What a lab map is where the file does not say: a board's size.
const COLUMNS: [i64; 2] = [1, 33];
const ROWS: [i64; 2] = [0, 16];

/// A map written in the `[map]` table of a lab file; `kinds` is the pack's map without boards.
///
/// ```toml
/// [map]
/// columns = [1, 12]                 # A to L; left out: a board's 33 columns
/// rows = [0, 9]                     # row 0 are the half hexes of odd columns
/// default = "clear"
/// terrain.medium_grove = ["C3"]
/// terrain.bridge = ["E5"]           # over a gully
/// elevation.1 = ["D4", "D5"]
/// storeys = { "F6" = 2 }            # of buildings; 1 where nothing is said
/// crest = ["D4/D5"]                 # or hexside.crest; wall, hedgerow, defilade, cliff, slope likewise
/// road = [["A1", "B1", "C1"]]       # or road.road; path and track likewise
/// ```
pub fn read(kinds: &Map, written: &Table) -> Result<(Map, Field), String> {
    let mut written = written.clone();
    let storeys = written.remove("storeys");
    let desert = match written.remove("desert_buildings") {
        None => false,
        Some(Value::Boolean(desert)) => desert,
        Some(_) => return Err("map.desert_buildings: expected true or false".into()),
    };
    for key in SIDES {
        if let Some(list) = written.remove(key) {
            put(&mut written, "hexside", key, list)?;
        }
    }
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
    let range = |[first, last]: [i64; 2]| Value::Array(vec![first.into(), last.into()]);
    written.entry("columns").or_insert(range(COLUMNS));
    written.entry("rows").or_insert(range(ROWS));
    let mut file = Table::new();
    file.insert("map".into(), Value::Table(written));
    let text = toml::to_string(&file).map_err(|e| format!("map: {e}"))?;
    let map = kinds
        .inline("map", &text)
        .map_err(|e| format!("map: {}", e.why))?
        .ok_or_else(|| "map: expected a table".to_owned())?;
    let mut field = Field::from_map(&map).map_err(|e| format!("map: {e}"))?;
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
    Ok((map, field))
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
