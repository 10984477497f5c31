//! Other ways to write the same head: fields below `[map]`, labels as marks of their own, passengers named by their vehicle.

use toml::{Table, Value};

use super::OWN;

/// Labels (5.9) that may be written as `fo = true`.
const LABELS: [&str; 6] = ["fo", "recon", "engineer", "chq", "bhq", "rhq"];

/// Classes of units, as in `kind`.
const CLASSES: [&str; 8] = ["vehicle", "leg", "squad", "half_squad", "half-squad", "section", "towed", "gun"];

/// The head as the rest of the reader knows it.
pub(super) fn plain(head: &Table) -> Table {
    let mut head = head.clone();
    lift(&mut head);
    if let Some(units) = head.get_mut("unit").and_then(Value::as_array_mut) {
        units.iter_mut().filter_map(Value::as_table_mut).for_each(|unit| {
            labels(unit);
            class(unit);
            figures(unit);
        });
        passengers(units);
    }
    head
}

/// Counters on the ground and the like that stand below `[map]`.
fn lift(head: &mut Table) {
    for field in OWN {
        if !head.contains_key(field)
            && let Some(value) =
                head.get_mut("map").and_then(Value::as_table_mut).and_then(|map| map.remove(field))
        {
            head.insert(field.into(), value);
        }
    }
}

/// `fo = true` is one of the `labels`.
fn labels(unit: &mut Table) {
    for label in LABELS {
        if unit.get(label) != Some(&Value::Boolean(true)) {
            continue;
        }
        unit.remove(label);
        let more = Value::String(label.into());
        match unit.get_mut("labels") {
            Some(Value::Array(list)) => list.push(more),
            Some(one) => *one = Value::Array(vec![one.clone(), more]),
            None => {
                unit.insert("labels".into(), Value::Array(vec![more]));
            }
        }
    }
}

/// `type = "squad"` names a class instead of a card: it is the unit's `kind`.
fn class(unit: &mut Table) {
    let class = unit.get("type").and_then(Value::as_str).map(str::to_lowercase);
    let Some(class) = class.filter(|class| CLASSES.contains(&class.as_str())) else { return };
    unit.remove("type");
    if class != "vehicle" {
        unit.entry("kind").or_insert(Value::String(class));
    }
}

/// `size = "L"` is a column of the spotting table (6.1.3), `size = "+1"` a number; `movement = "2L 3"` is printed so.
fn figures(unit: &mut Table) {
    if let Some(Value::String(size)) = unit.get("size").cloned() {
        if let Ok(number) = size.parse::<i64>() {
            unit.insert("size".into(), Value::Integer(number));
        } else if matches!(size.as_str(), "V" | "L" | "S") {
            unit.remove("size");
            unit.insert("spotted_as".into(), Value::String(size));
        }
    }
    let printed = unit.get("movement").and_then(Value::as_str).and_then(movement);
    if let Some(movement) = printed {
        unit.insert("movement".into(), Value::Table(movement));
    }
}

/// `2L 3`: cross-country allowance and Quickmarch (6.6.4.1); `1L 0` of a gun by hand (6.6.5).
fn movement(text: &str) -> Option<Table> {
    let (country, quick) = text.trim().split_once(' ')?;
    let number = |text: &str| text.trim().parse::<i64>().ok().map(Value::Integer);
    let mut table = Table::new();
    table.insert("cross_country".into(), number(country.strip_suffix(['L', 'l'])?)?);
    for way in ["path", "road"] {
        table.insert(way.into(), number(quick)?);
    }
    Some(table)
}

/// `passengers = ["P"]` of a vehicle says that P is aboard it.
fn passengers(units: &mut [Value]) {
    let mut aboard: Vec<(String, String)> = Vec::new();
    for unit in units.iter_mut().filter_map(Value::as_table_mut) {
        let Some(id) = unit.get("id").and_then(Value::as_str).map(str::to_owned) else { continue };
        if let Some(Value::Array(list)) = unit.remove("passengers") {
            let riders = list.iter().filter_map(Value::as_str);
            aboard.extend(riders.map(|rider| (rider.to_owned(), id.clone())));
        }
    }
    for (rider, vehicle) in aboard {
        let named = |unit: &&mut Table| unit.get("id").and_then(Value::as_str) == Some(&rider);
        if let Some(unit) = units.iter_mut().filter_map(Value::as_table_mut).find(named) {
            unit.entry("aboard").or_insert(Value::String(vehicle));
        }
    }
}
