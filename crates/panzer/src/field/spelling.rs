//! Other ways to write the map of a lab file: heights under another name, lines and hexsides below `terrain`.

use toml::{Table, Value};

use super::lab::SIDES;

/// The map in the words that [`super::lab::read`] knows.
pub(super) fn plain(written: &mut Table) {
    for (other, name) in [("roads", "road"), ("paths", "path"), ("tracks", "track"), ("hexsides", "hexside")]
    {
        if let Some(value) = written.remove(other) {
            written.entry(name).or_insert(value);
        }
    }
    for (key, first) in [("columns", 1), ("rows", 0)] {
        if let Some(range @ Value::Integer(_)) = written.get_mut(key) {
            *range = Value::Array(vec![first.into(), range.clone()]);
        }
    }
    if let Some(Value::String(name)) = written.get_mut("default") {
        *name = kind(name);
    }
    if let Some(Value::Table(terrain)) = written.get_mut("terrain") {
        let named = std::mem::take(terrain).into_iter();
        *terrain = named.map(|(name, hexes)| (kind(&name), listed(hexes))).collect();
    }
    // `hill.1 = ["C5"]` and `height = { "C5" = 3 }`.
    for other in ["hill", "hills", "level", "levels", "height", "heights", "elevations"] {
        if let Some(Value::Table(levels)) = written.remove(other) {
            let given = written.entry("elevation").or_insert_with(|| Value::Table(Table::new()));
            if let Some(given) = given.as_table_mut() {
                given.extend(levels);
            }
        }
    }
    hills(written);
    // `terrain.wall = ["C5/C6"]`, `terrain.road = ["C5", "C6"]`.
    for line in SIDES.into_iter().chain(["road", "path", "track"]) {
        for name in [line.to_owned(), format!("{line}s")] {
            let below = written.get_mut("terrain").and_then(Value::as_table_mut);
            if let Some(list) = below.and_then(|terrain| terrain.remove(&name))
                && !written.contains_key(line)
            {
                written.insert(line.into(), list);
            }
        }
    }
    for line in SIDES.into_iter().chain(["road", "path", "track"]) {
        if let Some(one @ Value::String(_)) = written.get_mut(line) {
            *one = listed(one.clone());
        }
    }
    for way in ["road", "path", "track"] {
        match written.get_mut(way) {
            Some(Value::Array(chains)) => *chains = chain(std::mem::take(chains)),
            Some(Value::Table(kinds)) => {
                for chains in kinds.iter_mut().filter_map(|(_, chains)| chains.as_array_mut()) {
                    *chains = chain(std::mem::take(chains));
                }
            }
            _ => {}
        }
    }
}

/// Hills below `terrain`: `hill = ["C5"]` is level 1, `hill_2 = ["C5"]` and `hill.2 = ["C5"]` are level 2.
fn hills(written: &mut Table) {
    let Some(Value::Table(terrain)) = written.get_mut("terrain") else { return };
    let mut levels: Vec<(String, Value)> = Vec::new();
    let names = ["hill", "hills", "hill_1", "hill_2", "hill_3", "hill_4", "hill_5", "hill_6"];
    for name in names {
        match terrain.remove(name) {
            Some(Value::Table(inner)) => levels.extend(inner),
            Some(hexes) => {
                levels.push((name.strip_prefix("hill_").unwrap_or("1").to_owned(), listed(hexes)));
            }
            None => {}
        }
    }
    if levels.is_empty() {
        return;
    }
    let given = written.entry("elevation").or_insert_with(|| Value::Table(Table::new()));
    let Some(given) = given.as_table_mut() else { return };
    for (level, hexes) in levels {
        match (given.get_mut(&level), hexes) {
            (Some(Value::Array(list)), Value::Array(more)) => list.extend(more),
            (_, hexes) => {
                given.insert(level, hexes);
            }
        }
    }
}

/// A kind of terrain as a key: `Soft Sand` is `soft_sand`.
fn kind(name: &str) -> String {
    name.to_lowercase().replace([' ', '-'], "_")
}

/// One hex or hexside instead of a list.
fn listed(value: Value) -> Value {
    match value {
        Value::String(_) => Value::Array(vec![value]),
        list => list,
    }
}

/// A list of labels is one chain, `"C5-C6-C7"` too.
fn chain(list: Vec<Value>) -> Vec<Value> {
    let parts = |text: &str| -> Vec<Value> {
        text.split(['-', '/', ' ', ',']).filter(|label| !label.is_empty()).map(Value::from).collect()
    };
    let texts: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
    match texts {
        Some(texts) if !texts.is_empty() => {
            let chains: Vec<Vec<Value>> = texts.iter().map(|text| parts(text)).collect();
            if chains.iter().all(|chain| chain.len() == 1) {
                vec![Value::Array(chains.concat())]
            } else {
                chains.into_iter().map(Value::Array).collect()
            }
        }
        _ => list,
    }
}
