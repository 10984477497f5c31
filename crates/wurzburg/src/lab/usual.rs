//! Other spellings of a file's head and map, turned into those of docs/LAB.md before they are read.

use toml::{Table, Value};

/// Names of fields with the one they stand for.
const FIELDS: [(&str, &str); 11] = [
    ("obstacles", "obstacle"),
    ("minefields", "minefield"),
    ("mines", "minefield"),
    ("improved_positions", "improved_position"),
    ("gas_zone", "gas"),
    ("gas_zones", "gas"),
    ("main_effort", "effort"),
    ("lead_unit", "lead"),
    ("planned", "plan"),
    ("ew_assets", "ew"),
    ("segment", "phase"),
];

/// Fields that both a map or a unit and the head have.
const SHARED: [&str; 4] = ["control", "cp", "rp", "turn"];

/// The file in the usual spelling; `own` are the fields of the head.
pub fn usual(table: &Table, own: &[&str]) -> Table {
    let mut table = table.clone();
    raise(&mut table, own);
    for (name, field) in FIELDS {
        if let Some(value) = table.remove(name) {
            table.entry(field).or_insert(value);
        }
    }
    options(&mut table);
    positions(&mut table);
    zones(&mut table);
    purses(&mut table);
    if table.get("weather").and_then(Value::as_str) == Some("fog") {
        table.remove("weather");
        table.insert("fog".into(), Value::Boolean(true));
    }
    // NATO's points are American unless a nation is named.
    if let Some(points) = table.get_mut("points").and_then(Value::as_table_mut)
        && let Some(value) = points.remove("nato")
    {
        points.entry("us").or_insert(value);
    }
    formations(&mut table);
    // Beside a scenario, the table changes a map that has its size.
    let extent = if table.contains_key("scenario") { None } else { extent(&table) };
    if let Some(map) = table.get_mut("map").and_then(Value::as_table_mut) {
        ground(map);
        if let Some((rows, columns)) =
            extent.filter(|_| !map.contains_key("rows") && !map.contains_key("columns"))
        {
            map.insert("rows".into(), rows);
            map.insert("columns".into(), columns);
        }
    }
    table
}

/// TOML assigns to `[map]` and to the last `[[unit]]` whatever is written below them.
fn raise(table: &mut Table, own: &[&str]) {
    let purses = ["air_points", "mine_points", "adm_points", "bridging_points", "gas_points"];
    let others = FIELDS.map(|(name, _)| name).into_iter().chain(["weather"]).chain(purses);
    let names: Vec<&str> = own.iter().copied().chain(others).filter(|name| !SHARED.contains(name)).collect();
    for name in names {
        let below = |value: &mut Value| value.as_table_mut().and_then(|inner| inner.remove(name));
        let mut found = table.get_mut("map").and_then(below);
        if found.is_none() {
            let units = table.get_mut("unit").and_then(Value::as_array_mut);
            found = units.and_then(|units| units.last_mut()).and_then(below);
        }
        if let Some(value) = found {
            table.entry(name).or_insert(value);
        }
    }
}

/// `regiment`, `brigade` or `division` of a unit: its formation is the lowest of them.
fn formations(table: &mut Table) {
    let Some(units) = table.get_mut("unit").and_then(Value::as_array_mut) else { return };
    for unit in units.iter_mut().filter_map(Value::as_table_mut) {
        for level in ["regiment", "brigade", "division"] {
            if let Some(name) = unit.remove(level) {
                unit.entry("formation").or_insert(name);
            }
        }
    }
}

/// `Close Attack`, `43.0`
fn options(table: &mut Table) {
    let Some(list) = table.get_mut("options").and_then(Value::as_array_mut) else { return };
    for value in list {
        let Some(word) = value.as_str() else { continue };
        let word = word.to_lowercase().replace([' ', '-'], "_");
        let word = match word.as_str() {
            "42" | "42.0" | "overruns" => "overrun".to_owned(),
            "43" | "43.0" | "close_attacks" | "close" => "close_attack".to_owned(),
            "44" | "44.0" | "poison_gas" | "chemical" => "gas".to_owned(),
            _ => word,
        };
        *value = Value::String(word);
    }
}

/// `improved_position = ["2515"]`: of the side that stands there, or else of NATO.
fn positions(table: &mut Table) {
    let Some(Value::Array(list)) = table.get("improved_position") else { return };
    let units = table.get("unit").and_then(Value::as_array);
    let side = |hex: &str| {
        let here = |unit: &&Value| unit.get("hex").and_then(Value::as_str) == Some(hex);
        let unit = units.into_iter().flatten().find(here)?;
        let name = |key: &str| unit.get(key).and_then(Value::as_str);
        if let Some(side) = name("side").or_else(|| name("nation")).and_then(super::side_named) {
            return Some(side.word());
        }
        let id = name("pack").or_else(|| name("type")).or_else(|| name("id"))?;
        // Only the formations of the Warsaw Pact are divisions and regiments of rifles and tanks.
        let formation = id.split('-').next().unwrap_or_default();
        let wp = ["mrr", "tr", "mrd", "td", "dtb", "itr", "gtd"].iter().any(|end| formation.ends_with(end))
            || ["wp", "su", "eg"].contains(&formation);
        Some(if wp { "wp" } else { "nato" })
    };
    let marks: Table = list
        .iter()
        .filter_map(Value::as_str)
        .map(|hex| (hex.to_owned(), Value::String(side(hex).unwrap_or("nato").into())))
        .collect();
    table.insert("improved_position".into(), Value::Table(marks));
}

/// `gas = ["5719"]`, `gas = "5719"`: where a file does not say which, gas is persistent.
fn zones(table: &mut Table) {
    let list = match table.get("gas") {
        Some(Value::Array(list)) => list.clone(),
        Some(Value::String(one)) => vec![Value::String(one.clone())],
        _ => return,
    };
    let named = |zone: &Value| {
        let own = |key: &str| zone.get(key).and_then(Value::as_str);
        let hex = zone.as_str().or_else(|| own("hex")).or_else(|| own("at"))?;
        let kind = own("kind").or_else(|| own("type")).unwrap_or("persistent");
        Some((hex.to_owned(), Value::String(kind.to_lowercase().replace([' ', '-'], "_"))))
    };
    let zones: Table = list.iter().filter_map(named).collect();
    table.insert("gas".into(), Value::Table(zones));
}

/// `air_points = { nato = 2 }`, `air_points = 2` of the side of the file: `points.us.air`.
fn purses(table: &mut Table) {
    let side = table.get("side").and_then(Value::as_str).and_then(super::side_named).unwrap_or_default();
    // Of either kind, where a file does not say which.
    if let Some(value) = table.remove("gas_points") {
        table.entry("gas_persistent_points").or_insert(value.clone());
        table.entry("gas_non_persistent_points").or_insert(value);
    }
    for kind in ["air", "mine", "adm", "bridging", "gas_persistent", "gas_non_persistent"] {
        let Some(value) = table.remove(&format!("{kind}_points")) else { continue };
        let list = match value {
            Value::Table(list) => list,
            one => [(side.word().to_owned(), one)].into_iter().collect(),
        };
        let points = table.entry("points").or_insert_with(|| Value::Table(Table::new()));
        let Some(points) = points.as_table_mut() else { continue };
        for (name, value) in list {
            let name = if name == "nato" { "us".to_owned() } else { name };
            let purse = points.entry(name).or_insert_with(|| Value::Table(Table::new()));
            if let Some(purse) = purse.as_table_mut() {
                purse.entry(kind).or_insert(value);
            }
        }
    }
}

/// Names of the ground, and arrows where the map has hexsides.
fn ground(map: &mut Table) {
    if let Some(terrain) = map.get_mut("terrain").and_then(Value::as_table_mut) {
        for (name, kind) in
            [("woods", "light_woods"), ("light woods", "light_woods"), ("heavy woods", "heavy_woods")]
        {
            if let Some(list) = terrain.remove(name) {
                terrain.entry(kind).or_insert(list);
            }
        }
    }
    for (name, field) in [("roads", "road"), ("rivers", "river"), ("bridges", "bridge")] {
        if let Some(value) = map.remove(name) {
            map.entry(field).or_insert(value);
        }
    }
    if let Some(list) = map.remove("impassable") {
        map.entry("impassable_slope").or_insert(list);
    }
    // The second hex of an arrow is the higher one.
    let mut arrows = Vec::new();
    if let Some(Value::Array(list)) = map.get_mut("slope") {
        list.retain(|side| {
            let arrow = side.as_str().is_some_and(|side| side.contains('>'));
            if arrow {
                arrows.push(side.clone());
            }
            !arrow
        });
    }
    if !arrows.is_empty()
        && let Value::Array(list) = map.entry("uphill").or_insert_with(|| Value::Array(Vec::new()))
    {
        list.extend(arrows);
    }
    if let Some(Value::Array(list)) = map.get_mut("uphill") {
        for side in list {
            if let Value::String(side) = side {
                *side = side.replace('/', ">");
            }
        }
    }
    // One road may be written without the list around it.
    let chain = |roads: &mut Table, key: &str| {
        if let Some(Value::Array(list)) = roads.get_mut(key)
            && !list.is_empty()
            && list.iter().all(Value::is_str)
        {
            let one = Value::Array(std::mem::take(list));
            list.push(one);
        }
    };
    for key in super::map::ROADS {
        chain(map, key);
        if let Some(roads) = map.get_mut("road").and_then(Value::as_table_mut) {
            chain(roads, key);
        }
    }
}

/// Rows and columns with everything that the file names, and three hexes around.
fn extent(table: &Table) -> Option<(Value, Value)> {
    let mut labels = Vec::new();
    let named =
        ["map", "unit", "step", "lead", "control", "obstacle", "minefield", "improved_position", "smoke"];
    for value in named.iter().filter_map(|key| table.get(*key)) {
        collect(value, &mut labels);
    }
    let range = |of: fn(&(i64, i64)) -> i64| {
        let (least, most) = (labels.iter().map(of).min()?, labels.iter().map(of).max()?);
        Some(Value::Array(vec![Value::Integer((least - 3).max(1)), Value::Integer((most + 3).min(99))]))
    };
    Some((range(|label| label.0)?, range(|label| label.1)?))
}

fn collect(value: &Value, labels: &mut Vec<(i64, i64)>) {
    match value {
        Value::String(text) => {
            for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
                let figures = word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
                if let Some(label) = word.parse::<i64>().ok().filter(|_| figures) {
                    labels.push((label / 100, label % 100));
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect(value, labels)),
        Value::Table(inner) => {
            for (key, value) in inner {
                collect(&Value::String(key.clone()), labels);
                collect(value, labels);
            }
        }
        _ => {}
    }
}
