//! Maps written in lab files: the keys of docs/PACKS.md, and the short forms of this game.

use atlas::Map;
use toml::{Table, Value};

/// Hexside kinds that may be written without the prefix `hexside.`.
const SIDES: [&str; 4] = ["main", "saale", "slope", "impassable_slope"];
pub(super) const ROADS: [&str; 3] = ["autobahn", "bundesstrasse", "minor"];

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
pub fn read(kinds: &Map, written: &Table, labels: &[&str]) -> Result<Map, String> {
    let mut written = written.clone();
    turn(&mut written, labels);
    kinds
        .inline("map", &text_of(written)?)
        .map_err(|e| format!("map: {}", e.why))?
        .ok_or_else(|| "map: expected a table".to_owned())
}

/// Changes to the shipped map: the same table beside `scenario`.
pub fn change(shipped: &Map, written: &Table) -> Result<Map, String> {
    for key in ["rows", "columns"] {
        if written.contains_key(key) {
            return Err(format!("map.{key}: the map of the scenario has its size"));
        }
    }
    let mut written = written.clone();
    shipped.remove_replaced_features(&mut written)?;
    let mut map = shipped.clone();
    map.apply_overlay("map", &text_of(written)?).map_err(|e| format!("map: {}", e.why))?;
    Ok(map)
}

/// The table in the words of map files.
fn text_of(mut written: Table) -> Result<String, String> {
    rivers(&mut written)?;
    bridges(&mut written);
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
    toml::to_string(&file).map_err(|e| format!("map: {e}"))
}

/// If the rectangle holds none of the units, but would with rows and columns exchanged, exchange them: on other maps
/// the column comes first in a label.
fn turn(written: &mut Table, labels: &[&str]) {
    let span = |table: &Table, key: &str| {
        let list = table.get(key)?.as_array()?;
        Some((list.first()?.as_integer()?, list.last()?.as_integer()?))
    };
    let (Some(rows), Some(columns)) = (span(written, "rows"), span(written, "columns")) else { return };
    let inside = |(first, last): (i64, i64), (from, to): (i64, i64)| {
        labels.iter().all(|label| {
            let figures =
                |at: std::ops::Range<usize>| label.get(at).and_then(|text| text.parse::<i64>().ok());
            let (Some(a), Some(b)) = (figures(0..2), figures(2..4)) else { return false };
            (first..=last).contains(&a) && (from..=to).contains(&b)
        })
    };
    if !labels.is_empty() && !inside(rows, columns) && inside(columns, rows) {
        let (Some(a), Some(b)) = (written.remove("rows"), written.remove("columns")) else { return };
        written.insert("rows".into(), b);
        written.insert("columns".into(), a);
    }
}

/// `river.main = [...]`, `river.saale = [...]`; a plain `river = [...]` is the Main.
fn rivers(written: &mut Table) -> Result<(), String> {
    match written.remove("river") {
        None => Ok(()),
        Some(Value::Table(rivers)) => rivers.into_iter().try_for_each(|(name, list)| {
            let key = match name.as_str() {
                "main" | "major" => "main",
                "saale" | "minor" => "saale",
                other => return Err(format!("map.river: there is main, saale, not `{other}`")),
            };
            put(written, "hexside", key, list)
        }),
        Some(list) => put(written, "hexside", "main", list),
    }
}

/// `bridge = ["2020/2119"]`: they stand.
fn bridges(written: &mut Table) {
    let Some(Value::Array(list)) = written.get("bridge") else { return };
    let sides = list.iter().filter_map(Value::as_str);
    let intact: Table = sides.map(|side| (side.to_owned(), Value::String("intact".into()))).collect();
    written.insert("bridge".into(), Value::Table(intact));
}

/// `bridge = { "2020/2119" = "military" }` of a map becomes a military bridge of the position.
pub fn military_bridges(table: &Table) -> Table {
    let mut table = table.clone();
    let mut found = Vec::new();
    let bridges = table.get_mut("map").and_then(|map| map.get_mut("bridge")).and_then(Value::as_table_mut);
    if let Some(bridges) = bridges {
        bridges.retain(|side, state| {
            let military = state.as_str() == Some("military");
            if military {
                found.push(side.to_owned());
            }
            !military
        });
    }
    if !found.is_empty() {
        let list = table.entry("military_bridge").or_insert_with(|| Value::Table(Table::new()));
        if let Value::Table(list) = list {
            list.extend(found.into_iter().map(|side| (side, Value::String("wp".into()))));
        }
    }
    table
}

/// Everything listed as uphill is a slope, unless the file says otherwise.
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
