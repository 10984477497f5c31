//! Other ways to write the same head: fields below `[map]`, labels as marks of their own, passengers named by their vehicle.

use toml::{Table, Value};

use super::OWN;

/// Labels (5.9) that may be written as `fo = true`.
const LABELS: [&str; 6] = ["fo", "recon", "engineer", "chq", "bhq", "rhq"];

/// Classes of units, as in `kind`.
const CLASSES: [&str; 9] =
    ["vehicle", "leg", "infantry", "squad", "half_squad", "half-squad", "section", "towed", "gun"];

/// The head as the rest of the reader knows it.
pub(super) fn plain(head: &Table) -> Table {
    let mut head = head.clone();
    lift(&mut head);
    conditions(&mut head);
    if let Some(Value::String(edition)) = head.get_mut("edition")
        && let Some(word) = edition.strip_suffix(" game")
    {
        *edition = word.to_owned();
    }
    if let Some(batteries) = head.get_mut("battery").and_then(Value::as_array_mut) {
        batteries.iter_mut().filter_map(Value::as_table_mut).for_each(battery);
    }
    if let Some(units) = head.get_mut("unit").and_then(Value::as_array_mut) {
        units.iter_mut().filter_map(Value::as_table_mut).for_each(|unit| {
            labels(unit);
            class(unit);
            other_names(unit);
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
    // A counter written like terrain.
    for field in ["smoke", "barrage", "dust", "rubble", "wire", "block", "ditch", "mines", "on_fire"] {
        let terrain =
            head.get_mut("map").and_then(Value::as_table_mut).and_then(|map| map.get_mut("terrain"));
        if let Some(value) = terrain.and_then(Value::as_table_mut).and_then(|terrain| terrain.remove(field)) {
            head.entry(field).or_insert(value);
        }
    }
    for (other, name) in [
        ("brew_up", "bu"),
        ("brewed_up", "bu"),
        ("knocked_out", "ko"),
        ("roadblock", "block"),
        ("roadblocks", "block"),
        ("minefield", "mines"),
        ("minefields", "mines"),
        ("first_player", "first"),
        ("force_grades", "force_grade"),
        ("optional", "options"),
        ("optional_rules", "options"),
    ] {
        if let Some(value) = head.remove(other) {
            head.entry(name).or_insert(value);
        }
    }
    // One hex instead of a list.
    for field in ["smoke", "barrage", "dust", "bu", "ko"] {
        if let Some(one @ Value::String(_)) = head.get_mut(field) {
            *one = Value::Array(vec![one.clone()]);
        }
    }
    for field in ["area", "work"] {
        let tables = head.get_mut(field).and_then(Value::as_array_mut).into_iter().flatten();
        for table in tables.filter_map(Value::as_table_mut) {
            if let Some(kind) = table.remove("type") {
                table.entry("kind").or_insert(kind);
            }
            for key in ["kind", "sheaf"] {
                if let Some(Value::String(word)) = table.get_mut(key) {
                    *word = word.to_lowercase();
                }
            }
        }
    }
}

/// Special Conditions that stand at the head: `heat_haze = true`, `storeys = 2`.
fn conditions(head: &mut Table) {
    for field in ["heat_haze", "dust", "sun_blinding", "storeys", "all_storeys", "desert_buildings", "tracks"]
    {
        // `dust = ["C5"]` lays counters.
        if head.get(field).is_none_or(|value| field == "dust" && !value.is_bool()) {
            continue;
        }
        let Some(value) = head.remove(field) else { continue };
        let name = if field == "storeys" && value.is_integer() { "all_storeys" } else { field };
        let stated = head.entry("conditions").or_insert_with(|| Value::Table(Table::new()));
        if let Some(stated) = stated.as_table_mut() {
            stated.entry(name).or_insert(value);
        }
    }
}

/// `class = "medium"` is the card, `organic = "K"` level and formation (6.5.1.3).
fn battery(battery: &mut Table) {
    for other in ["class", "type"] {
        if let Some(value) = battery.remove(other) {
            battery.entry("card").or_insert(value);
        }
    }
    for level in ["attached", "organic"] {
        match battery.remove(level) {
            Some(Value::String(formation)) => {
                battery.entry("level").or_insert(level.into());
                battery.entry("formation").or_insert(formation.into());
            }
            Some(Value::Boolean(true)) => {
                battery.entry("level").or_insert(level.into());
            }
            _ => {}
        }
    }
    if let Some(Value::String(level)) = battery.get_mut("level") {
        *level = level.to_lowercase();
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
    for key in ["type", "card"] {
        let class = unit.get(key).and_then(Value::as_str).map(str::to_lowercase);
        let Some(class) = class.filter(|class| CLASSES.contains(&class.as_str())) else { continue };
        unit.remove(key);
        if class != "vehicle" {
            unit.entry("kind").or_insert(Value::String(class));
        }
    }
}

/// Other names of fields, and marks as players write them.
fn other_names(unit: &mut Table) {
    for (other, name) in [
        ("rof", "rate"),
        ("transported_by", "aboard"),
        ("label", "labels"),
        ("gp_effectiveness_max", "gp_effectiveness"),
        ("gp_defense", "gpd"),
        ("coax", "coax_mg"),
        ("c", "close_assault_c"),
        ("bailed_out", "bailed"),
        ("improved_position", "improved"),
        ("in_building", "inside"),
        ("passenger_of", "aboard"),
        ("crew_served", "attached"),
    ] {
        if let Some(value) = unit.remove(other) {
            unit.entry(name).or_insert(value);
        }
    }
    // 6.5.2.5: damage of the Advanced Game is to the turret or to the hull.
    let part =
        unit.get("damaged").and_then(Value::as_str).and_then(|part| match part.to_lowercase().as_str() {
            "turret" => Some("turret_damaged"),
            "hull" => Some("hull_damaged"),
            "track" => Some("track_hit"),
            _ => None,
        });
    if let Some(mark) = part {
        unit.remove("damaged");
        unit.insert(mark.into(), Value::Boolean(true));
    }
    for key in ["suppressed", "suppression"] {
        if let Some(Value::String(side)) = unit.get_mut(key)
            && let Some((_, on)) = side.rsplit_once('/')
        {
            *side = on.trim().to_owned(); // the counter's name: `Suppression/On`
        }
    }
    let cover = unit.get("full_cover").and_then(Value::as_str).map(str::to_lowercase);
    if let Some(cover) = cover.filter(|cover| matches!(cover.as_str(), "on" | "off")) {
        unit.insert("full_cover".into(), Value::Boolean(cover == "on"));
    }
    for (other, name, value) in [
        ("hd", "hull_down", "hd"),
        ("phd", "hull_down", "phd"),
        ("moving", "command", "move"),
        ("short_halt", "command", "short_halt"),
        ("overwatch", "command", "overwatch"),
        ("knocked_out", "place", "ko"),
        ("brewed_up", "place", "bu"),
    ] {
        if let Some(Value::Boolean(yes)) = unit.get(other).cloned() {
            unit.remove(other);
            if yes {
                unit.entry(name).or_insert(value.into());
            }
        }
    }
    if let Some(limit @ Value::Integer(_)) = unit.get_mut("ammo_limit") {
        *limit = limit.to_string().into();
    }
    // 6.6.4.4: the wheeled factor of a motorcycle unit.
    if let Some(Value::String(factor)) = unit.get("motorcycle").cloned() {
        unit.insert("motorcycle".into(), Value::Boolean(true));
        unit.entry("movement").or_insert(Value::String(factor.replacen(['W', 'w'], "M", 1)));
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
