//! Other ways to write the fields that all games share, turned into those of docs/LAB.md before a file is read.

use toml::{Table, Value};

/// Lists in the plural, and other words for the parts of a step.
const FIELDS: [(&str, &str); 2] = [("units", "unit"), ("steps", "step")];
const STEP_FIELDS: [(&str, &str); 9] = [
    ("action", "do"),
    ("decision", "do"),
    ("question", "ask"),
    ("query", "ask"),
    ("expected", "expect"),
    ("expects", "expect"),
    ("answer", "expect"),
    ("illegal_by", "illegal"),
    ("viewer", "as"),
];
/// Fields of a map whose numbers are plain numbers, not labels of hexes.
const NUMERIC_MAP_FIELDS: [&str; 2] = ["rows", "columns"];
/// Fields of the head whose numbers are plain numbers, not labels of hexes.
const NUMERIC_HEAD_FIELDS: [&str; 3] = ["dice", "seed", "turn"];

/// The head and the steps of a file in the usual spelling.
pub(super) fn usual(file: &mut Table) {
    rename(file, &FIELDS);
    match file.get_mut("dice") {
        Some(die @ Value::Integer(_)) => *die = Value::Array(vec![die.clone()]),
        Some(Value::String(dice)) => {
            let read = |word: &str| word.parse().ok().map(Value::Integer);
            let figures = |c: char| c.is_whitespace() || c == ',';
            let words = dice.split(figures).filter(|word| !word.is_empty());
            if let Some(list) = words.map(read).collect::<Option<Vec<Value>>>() {
                file.insert("dice".into(), Value::Array(list));
            }
        }
        _ => {}
    }
    if let Some(option @ Value::String(_)) = file.get_mut("options") {
        *option = Value::Array(vec![option.clone()]);
    }
    hexes(file);
    sides(file);
    for step in tables(file, "step") {
        rename(step, &STEP_FIELDS);
        if let Some(rule) = step.get_mut("illegal") {
            cited(rule);
        }
        // `side = "german"` beside `do = "done"`.
        if let (Some(side), Some(Value::String(text))) = (step.remove("side"), step.get_mut("do"))
            && let Value::String(side) = side
        {
            *text = format!("{side}: {text}");
        }
    }
}

fn rename(table: &mut Table, names: &[(&str, &str)]) {
    for (other, name) in names {
        if !table.contains_key(*name)
            && let Some(value) = table.remove(*other)
        {
            table.insert((*name).to_owned(), value);
        }
    }
}

fn tables<'a>(file: &'a mut Table, name: &str) -> impl Iterator<Item = &'a mut Table> {
    let list = file.get_mut(name).and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_table_mut)
}

/// `illegal = 10.2`, `illegal = "rule 10.2"`, `illegal = ["10.2", "10.3"]`, and `illegal = true` for whatever rule.
fn cited(rule: &mut Value) {
    let one = |rule: &Value| match rule {
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::String(text) => {
            let text = text.trim();
            let lower = text.to_ascii_lowercase();
            let number = ["rules ", "rule ", "§"].iter().find_map(|word| lower.strip_prefix(word));
            Some(number.map_or(text.to_owned(), |number| number.trim().to_owned()))
        }
        _ => None,
    };
    let text = match &*rule {
        Value::Boolean(true) => Some(super::file::ANY_RULE.to_owned()),
        Value::Array(list) => list.iter().map(one).collect::<Option<Vec<_>>>().map(|rules| rules.join(", ")),
        rule => one(rule),
    };
    if let Some(text) = text {
        *rule = Value::String(text);
    }
}

/// Hexes that are written as numbers: `hex = 1212`, `terrain.forest = [1212, 1213]`.
fn hexes(file: &mut Table) {
    for unit in tables(file, "unit") {
        if let Some(hex) = unit.get_mut("hex") {
            label(hex);
        }
    }
    for (name, value) in file.iter_mut() {
        match (name.as_str(), value) {
            ("map", Value::Table(map)) => {
                for (_, value) in
                    map.iter_mut().filter(|(name, _)| !NUMERIC_MAP_FIELDS.contains(&name.as_str()))
                {
                    labels(value);
                }
            }
            (name, Value::Array(list)) if !NUMERIC_HEAD_FIELDS.contains(&name) => {
                list.iter_mut().for_each(label);
            }
            _ => {}
        }
    }
}

/// Turns every number of a list, and of the tables and lists in it, into a label.
fn labels(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(labels),
        // The numbers of a table that stand alone may be levels: `{ "D4" = 1 }`.
        Value::Table(table) => table.iter_mut().for_each(|(_, value)| labels(value)),
        number => label(number),
    }
}

/// A number of four figures is a label.
fn label(value: &mut Value) {
    if let Value::Integer(number @ 100..=9999) = value {
        *value = Value::String(format!("{number:04}"));
    }
}

/// Fields of a map whose lists are chains of hexes.
const CHAINS: [&str; 7] = ["road", "path", "track", "autobahn", "bundesstrasse", "minor", "railroad"];

/// `1212-1213` for a hexside, and `1010-1011-1012` for a road from hex to hex.
fn sides(file: &mut Table) {
    for (name, value) in file.iter_mut() {
        match name.as_str() {
            "map" => {
                for (name, value) in value.as_table_mut().into_iter().flatten() {
                    let chain = CHAINS.contains(&name.as_str());
                    joined(value, &|hexes| chain || hexes.len() == 2, chain);
                }
            }
            "unit" | "step" | "dice" | "note" | "title" | "comment" | "description" | "source" | "rule" => {}
            // Elsewhere a pair of words may be anything but two labels of four figures.
            _ => joined(value, &|hexes| hexes.len() == 2 && hexes.iter().all(|hex| hex.len() == 4), false),
        }
    }
}

/// The hexes that a text names one after the other.
fn chain_of(text: &str) -> Option<Vec<&str>> {
    let hexes: Vec<&str> = text.split(['-', '–', ' ']).filter(|hex| !hex.is_empty()).collect();
    let is_hex = |hex: &&str| {
        let mut bytes = hex.bytes();
        (2..=6).contains(&hex.len())
            && bytes.all(|b| b.is_ascii_alphanumeric())
            && hex.ends_with(|c: char| c.is_ascii_digit())
    };
    (hexes.len() > 1 && hexes.iter().all(is_hex)).then_some(hexes)
}

fn joined(value: &mut Value, meant: &impl Fn(&[&str]) -> bool, chain: bool) {
    match value {
        Value::String(text) => {
            let Some(hexes) = chain_of(text).filter(|hexes| meant(hexes)) else { return };
            *value = if chain {
                Value::Array(hexes.into_iter().map(|hex| Value::String(hex.into())).collect())
            } else {
                Value::String(hexes.join("/"))
            };
        }
        Value::Array(list) => list.iter_mut().for_each(|value| joined(value, meant, chain)),
        Value::Table(table) => {
            let keys: Vec<String> = table.keys().cloned().collect();
            for key in keys {
                let side = chain_of(&key).filter(|hexes| hexes.len() == 2 && !chain);
                if let Some(side) = side.map(|hexes| hexes.join("/"))
                    && let Some(value) = table.remove(&key)
                {
                    table.insert(side, value);
                }
            }
            table.iter_mut().for_each(|(_, value)| joined(value, meant, chain));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual_of(text: &str) -> Table {
        let mut file: Table = text.parse().expect("TOML");
        usual(&mut file);
        file
    }

    #[test]
    fn a_file_with_numbers_for_texts() {
        let found = usual_of(
            r#"
            dice = "4, 2 6"
            options = "roadblocks"
            obstacle = [1212]
            turn = 12
            [map]
            rows = [10, 20]
            terrain.forest = [1212, 909]
            road.primary = [[1010, 1011]]
            supply = { german = 1010 }
            river = ["1212-1213"]
            bridge = { "1212-1213" = "intact" }
            road.secondary = ["1012-1013-1014"]
            [[units]]
            hex = 1213
            attack = 6
            "#,
        );
        let expected: Table = r#"
            dice = [4, 2, 6]
            options = ["roadblocks"]
            obstacle = ["1212"]
            turn = 12
            [map]
            rows = [10, 20]
            terrain.forest = ["1212", "0909"]
            road.primary = [["1010", "1011"]]
            supply = { german = "1010" }
            river = ["1212/1213"]
            bridge = { "1212/1213" = "intact" }
            road.secondary = [["1012", "1013", "1014"]]
            [[unit]]
            hex = "1213"
            attack = 6
            "#
        .parse()
        .expect("TOML");
        assert_eq!(found, expected);
    }

    #[test]
    fn steps_in_other_words() {
        let found = usual_of(
            r#"
            steps = [
                { side = "german", do = "done", illegal = 10.2 },
                { do = "german: done", illegal = "Rule 10.2" },
                { do = "german: done", illegal = ["10.2", 7] },
                { do = "german: done", illegal = true },
                { question = "moves A", answer = 4 },
            ]
            "#,
        );
        let expected: Table = r#"
            step = [
                { do = "german: done", illegal = "10.2" },
                { do = "german: done", illegal = "10.2" },
                { do = "german: done", illegal = "10.2, 7" },
                { do = "german: done", illegal = "any" },
                { ask = "moves A", expect = 4 },
            ]
            "#
        .parse()
        .expect("TOML");
        assert_eq!(found, expected);
    }
}
