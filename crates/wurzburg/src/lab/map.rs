//! Maps written in lab files: the keys of docs/PACKS.md, and the short forms of this game.

use atlas::Map;
use toml::{Table, Value};

/// Hexside kinds that may stand without `hexside.` before them.
const SIDES: [&str; 4] = ["main", "saale", "slope", "impassable_slope"];
const ROADS: [&str; 3] = ["autobahn", "bundesstrasse", "minor"];

/// ```toml
/// [map]
/// rows = [20, 30]                  # first two figures of a label
/// columns = [10, 20]               # last two
/// default = "clear"
/// terrain.town = ["2916"]
/// main = ["2114/2115"]             # saale, slope, impassable_slope likewise
/// uphill = ["2126>2227"]           # the hexside is a slope, the second hex higher
/// bundesstrasse = [["2916", "2917"]]
/// ```
pub fn read(kinds: &Map, written: &Table) -> Result<Map, String> {
    let mut written = written.clone();
    written.retain(|key, _| !kernel::lab::REMARKS.contains(&key));
    for key in SIDES {
        if let Some(list) = written.remove(key) {
            put(&mut written, "hexside", key, list)?;
        }
    }
    for key in ROADS {
        if let Some(list) = written.remove(key) {
            put(&mut written, "road", key, list)?;
        }
    }
    slopes(&mut written)?;
    let mut file = Table::new();
    file.insert("map".into(), Value::Table(written));
    let text = toml::to_string(&file).map_err(|e| format!("map: {e}"))?;
    kinds
        .inline("map", &text)
        .map_err(|e| format!("map: {}", e.why))?
        .ok_or_else(|| "map: expected a table".to_owned())
}

/// Whatever goes uphill is a slope, unless the file says what it is.
fn slopes(written: &mut Table) -> Result<(), String> {
    let Some(Value::Array(list)) = written.get("uphill") else { return Ok(()) };
    let sides: Vec<String> =
        list.iter().filter_map(Value::as_str).map(|side| side.replace('>', "/")).collect();
    let named = |table: &Table, key: &str| {
        let list = table.get("hexside").and_then(|inner| inner.get(key)).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(|v| v.as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    let known = [named(written, "slope"), named(written, "impassable_slope")].concat();
    let same = |a: &str, b: &str| a == b || b.split_once('/').is_some_and(|(x, y)| format!("{y}/{x}") == a);
    let new: Vec<Value> = sides
        .iter()
        .filter(|side| !known.iter().any(|other| same(other, side)))
        .map(|side| Value::String(side.clone()))
        .collect();
    if new.is_empty() {
        return Ok(());
    }
    match written.entry("hexside").or_insert_with(|| Value::Table(Table::new())) {
        Value::Table(inner) => match inner.entry("slope").or_insert_with(|| Value::Array(Vec::new())) {
            Value::Array(list) => list.extend(new),
            _ => return Err("map.slope: expected a list of hexsides".into()),
        },
        _ => return Err("map.hexside: expected a table".into()),
    }
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
