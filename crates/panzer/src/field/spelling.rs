//! Other ways to write the map of a lab file: heights under another name, lines and hexsides below `terrain`.

use toml::{Table, Value};

use super::lab::SIDES;

/// The map in the words that [`super::lab::read`] knows.
pub(super) fn plain(written: &mut Table) {
    // `hill.1 = ["C5"]` and `height = { "C5" = 3 }`.
    for other in ["hill", "hills", "level", "levels", "height", "heights", "elevations"] {
        if let Some(Value::Table(levels)) = written.remove(other) {
            let given = written.entry("elevation").or_insert_with(|| Value::Table(Table::new()));
            if let Some(given) = given.as_table_mut() {
                given.extend(levels);
            }
        }
    }
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
