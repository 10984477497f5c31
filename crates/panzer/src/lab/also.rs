//! Where several rules forbid the same, a lab file may name any of them. Also words that mean the same.

use serde_json::Value;

/// Other rules that forbid the same as the rule that a refusal cites.
pub fn also(key: &str) -> &'static [&'static str] {
    let key = key.strip_prefix("no.").unwrap_or(key);
    match key.split_once('.') {
        Some(("fire", key)) => fire(key),
        Some(("command", key)) => command(key),
        Some(("assault" | "demolish", key)) => assault(key),
        Some(("air", key)) => air(key),
        Some(("indirect" | "plot", key)) => indirect(key),
        Some(("move", key)) => movement(key),
        Some(("transport", key)) => transport(key),
        Some(("overrun", key)) => overrun(key),
        Some(("rest", _)) => &["6.1.4.2", "6.8.1", "6.8.2"],
        Some(("show", _)) => &["4.4.3.2.2", "6.5.4.3", "6.6.1.1.2", "6.7.3.5"],
        Some(("smoke", _)) => &["6.1.4.3.10", "7.9", "7.22", "4.4.3.1", "3.5.2"],
        Some(("place", _)) => &["2.0", "2.1", "2.2", "4.5.1.1.2", "4.5.1.1.10", "5.13"],
        _ => &[],
    }
}

fn fire(key: &str) -> &'static [&'static str] {
    match key {
        "unarmed" => &["4.1.1", "4.2", "4.4.1", "6.6.7.2"],
        "no_ap" => &["4.4.3.2", "5.1.3", "6.5.2", "6.5.4"],
        "fired" => &["4.4.2", "5.14", "6.5.1", "6.5.1.7"],
        "no_command" => &["4.2", "4.4.1", "6.1.4.3.10", "6.2.1.1.3", "6.6.7.2"],
        "no_overwatch" => &["4.2", "4.2.1", "6.5.1", "6.5.3", "6.6.7.2"],
        "carrier_command" => &["4.2.1", "4.4.1", "4.4.2", "6.2.1.1.3"],
        "not_spotted" | "not_spotted_now" => &[
            "4.1.1",
            "4.1.3",
            "4.1.4",
            "4.2.1",
            "4.4.1",
            "4.4.3.1.4",
            "5.1.1",
            "5.10",
            "6.1.1",
            "6.1.2",
            "6.1.3",
            "6.1.3.1",
            "6.1.3.2",
        ],
        "not_triggered" | "crawled" => {
            &["4.4.2", "4.5", "6.5.3", "6.6.1.1", "6.6.1.1.3", "6.6.1.2", "6.6.4.3", "6.6.7.1.1", "6.6.10"]
        }
        "aimed" | "must" | "left_out" => &["4.2.1", "5.14", "6.2.1.1.4"],
        "range" => &["4.4.3", "4.4.3.2.1", "5.1.3.4", "6.5.2", "6.5.4.1"],
        "front_field" => &["4.4.3.1", "5.1.1", "5.2", "6.1.3.1"],
        "rear_field" => &["4.4.3.1"],
        "impossible" => &["6.5.2.4"],
        "too_near" => &["5.1.3.1", "6.5.1.13", "6.5.4.1"],
        "abandoned" => &["6.5.2.6", "6.5.2.6.1"],
        "not_vehicle" => &["5.1.3.3", "5.1.3.4", "6.5.4"],
        "no_ammo" => &["5.16", "5.16.2", "6.5.2"],
        "no_gp" => &["5.1.3", "5.1.3.2", "5.1.3.3", "5.1.3.4", "5.1.3.5"],
        "hull_down" => &["6.1.4.1", "6.1.4.3.1"],
        "upper_floor" => &["5.1.3.1", "5.1.3.4", "6.1.4.3.1"],
        "transported" => &["5.1.3", "5.1.3.1", "5.1.3.2", "5.1.3.4", "5.1.3.5"],
        "passenger" => &["6.5.4.2.3", "6.6.7"],
        "shared_target" | "shared_overwatch" => &["6.2.1.1.3"],
        "other_target" | "twice" => &["4.4.1", "5.1.1", "5.1.2", "5.10", "6.2.1.1.4"],
        "pinning" => &["6.5.4.3"],
        _ => &[],
    }
}

fn command(key: &str) -> &'static [&'static str] {
    match key {
        "no_target" | "unarmed" | "no_ap" => &["4.2", "4.2.1", "6.2.1.1.3", "6.6.7.2"],
        "full_cover" => &["6.2.1.1.3", "6.6.4.1", "6.6.4.3", "6.6.5"],
        "towed" => &["6.2.1.1.3"],
        "weapon_section" => &["5.1.2", "6.2.1.1.3"],
        "passenger" => &["6.2.1.1", "6.2.1.1.3"],
        "none_left" => &["6.2", "6.2.1.1.1", "6.2.1.1.3"],
        "too_far" => &["6.2.1.1.3"],
        "track" | "immobile" => &["4.2.1", "6.2.1.1.3", "6.6.5"],
        "abandoned" => &["4.2.1", "6.2.1.1", "6.5.2.6.1"],
        "held" => &["4.5.1.1.9"],
        _ => &[],
    }
}

/// Hand-to-Hand combat is declared like a Close Assault.
fn assault(key: &str) -> &'static [&'static str] {
    match key {
        "suppressed" => &["5.10", "6.6.1.2", "6.6.2"],
        "command" => &["4.2.1", "6.6.1.2"],
        "mounted" => &["6.6.1.2", "6.6.7"],
        "not_spotted" => &["4.1", "4.1.1", "6.6.1.2"],
        "full_cover" => &["6.6.1.1", "6.6.1.2"],
        "target" => &["6.6.1.1", "6.6.1.2"],
        "shared" | "shared_target" => &["6.2.1.1.4"],
        "morale" => &["6.6.1.1", "6.6.1.2", "7.1.5.1", "7.1.5.2"],
        "not_in_it" | "not_won" => &["6.6.1.1.3", "6.6.1.2", "6.6.1.2.3"],
        "engineers" | "nothing" | "unable" => &["6.5.4.2.5", "6.6.1.1", "7.19"],
        _ => &["6.6.1.2"],
    }
}

fn air(key: &str) -> &'static [&'static str] {
    match key {
        "aa_command" => &["4.4.2", "6.7.4.1.1"],
        "aa_field" => &["5.2", "7.16"],
        "aa_fired" => &["6.7.4"],
        "aa_range" => &["6.7.4", "6.7.4.2"],
        "aa_sight" => &["6.7.3.1.3", "6.7.4.1.1"],
        "aa_tracking" | "aa_inside" => &["6.7.4.1"],
        "no_aa" => &["6.7.2"],
        "fast_no_turn" => &["6.7.2.2"],
        "needs_fo" => &["6.1.1", "6.7.3.1.1"],
        "no_arms" => &["6.7.1", "6.7.3"],
        "not_low" => &["6.7.2.2", "6.7.2.3.2", "6.7.3.2", "6.7.3.4"],
        "not_acquired" => &["6.7.3.1", "6.7.3"],
        "not_seen" => &["6.1.2", "6.7.3.1", "6.7.3.1.3"],
        "no_target" => &["6.7.3", "6.7.3.1.1", "6.7.3.2", "6.7.3.3", "6.7.3.4"],
        "not_at_edge" => &["6.7.2.1"],
        "slow_only" => &["6.7.2.3.2", "6.7.4.2.1"],
        _ => &[],
    }
}

fn indirect(key: &str) -> &'static [&'static str] {
    match key {
        "no_target" => &["6.5.1", "6.5.1.7", "6.5.1.8", "6.5.1.8.1", "6.5.1.8.2", "7.37"],
        "sees" => &["6.5.1.7"],
        "no_observer" => &["6.5.1.1.1", "6.5.1.1.2", "6.5.1.1.3", "5.9"],
        "sources" => &["6.5.1.1.1", "6.5.1.1.2", "6.5.1.1.3", "6.5.1.1.4"],
        "needs_overwatch" => &["6.5.1.7", "6.5.1.8", "6.5.1.9", "6.6.7.2"],
        "needs_fire" => &["4.2.1", "6.5.1.7", "6.5.1.8"],
        "observer_used" | "observer_busy" | "other_observer" | "source_busy" | "source_used" => {
            &["5.9.4", "6.5.1", "6.5.1.1", "6.5.1.7", "6.5.1.8", "6.5.1.9", "6.5.1.11.1", "6.7.3.1.2"]
        }
        "range" => &["3.5.2", "5.6", "6.5.1.7"],
        "field_of_fire" => &["5.2", "6.5.1", "4.4.3.1"],
        "lost" => &["6.5.1.8", "6.5.1.8.1", "6.5.1.10"],
        "no_smoke" => &["5.16.1", "6.1.4.3.10", "6.5.1.6.1"],
        "no_light" => &["6.5.1.6", "7.27"],
        "not_near" => &["6.5.1.10"],
        "no_mission" => &["6.5.1", "6.5.1.8.1", "6.5.1.8.2", "6.5.1.9"],
        "upper_floor" => &["5.1.3.1", "6.1.4.3.1"],
        "arrival" | "turns" | "shift" | "not_due" | "none" => &["6.5.1.11", "6.5.1.11.1", "6.5.1.11.2"],
        _ => &[],
    }
}

fn movement(key: &str) -> &'static [&'static str] {
    match key {
        "prohibited" => {
            &["6.1.4.3.3", "6.1.4.3.4", "6.1.4.3.9", "6.1.4.3.11", "6.6.3", "6.6.4.1", "6.6.4.4", "6.6.5"]
        }
        "wall" | "defilade" | "hedgerow" | "cliff" => &["4.5.1.1.2", "6.1.4.3.2", "6.6.4.4", "6.6.5"],
        "levels" => &["6.6.4.1", "6.6.4.2", "6.6.4.4", "6.6.5"],
        "allowance" | "too_far" | "turn_allowance" => &[
            "3.7",
            "4.5.1.1",
            "5.12",
            "6.5.2.2.4",
            "6.6.2",
            "6.6.4.1",
            "6.6.4.2",
            "6.6.4.3",
            "6.6.5",
            "6.6.7.1.1",
            "6.6.9",
            "6.6.10",
        ],
        "foot_enemy" | "ends_with_enemy" => &["6.6.4.1", "6.6.10", "6.6.10.1"],
        "door_open_top" | "door_tracks" | "no_door" | "door_passengers" | "door_reverse" | "inside"
        | "no_building" => &["6.1.4.3.1", "6.6.3"],
        "crawl_ground" | "crawl_height" | "crawl_near" | "crawl_one_hex" | "crawl_suppressed" => {
            &["6.1.4.2", "6.6.4.3"]
        }
        "quick_unit" | "off_way" | "no_hex_along" => &["6.6.4.1", "6.6.4.2", "6.6.4.4"],
        "floor_leg" | "no_floor" | "upstairs" => &["6.1.4.3.1", "6.6.4.1", "6.6.4.3"],
        "moved" => &["4.5", "4.5.1", "6.6.1"],
        "no_command" => {
            &["4.2", "4.5.1", "6.6.4", "6.6.7", "6.6.7.1", "6.6.7.1.1", "6.6.7.1.2", "6.6.9", "6.6.10"]
        }
        "passenger" => &["6.6.7.1"],
        "group" => &["6.2.1.1.2", "6.6.11"],
        "track" => &["6.2.1.1.4"],
        "improved_position" => &["6.6.10"],
        _ => &[],
    }
}

fn transport(key: &str) -> &'static [&'static str] {
    match key {
        "full_cover" => &["6.6.4.3", "6.6.7.1.1"],
        "needs_move" => &["4.2.1", "6.6.7", "6.6.7.1", "6.6.7.1.1", "6.6.7.1.2"],
        "enemy" | "terrain" => &["6.6.7.1.1", "6.6.1.1"],
        "reverse" => &["4.5.1.1", "6.6.7"],
        _ => &["6.6.7", "6.6.7.1", "6.6.7.1.1"],
    }
}

fn overrun(key: &str) -> &'static [&'static str] {
    match key {
        "command" => &["4.2.1"],
        "spotted" => &["4.1", "4.1.1"],
        "morale" => &["6.6.10", "7.1.5.1", "7.1.5.2"],
        "shared" => &["6.2.1.1.4", "6.6.10"],
        "unit" => &["6.6.4.4"],
        _ => &["6.6.10"],
    }
}

/// Bring synonyms into one form before an expectation is compared.
pub fn normal(value: Value) -> Value {
    match value {
        Value::String(text) => match text.as_str() {
            "none" => Value::Null,
            "phd" | "partial_hull_down" => "partial".into(),
            "hd" => "full".into(),
            "n/c" | "nc" => "no_command".into(),
            "ow" => "overwatch".into(),
            "no effect" | "no-effect" => "no_effect".into(),
            "ko" => "knocked_out".into(),
            "bu" => "brewed_up".into(),
            "n" | "ne" | "se" | "s" | "sw" | "nw" => text.to_uppercase().into(),
            _ => Value::String(text),
        },
        Value::Array(list) => Value::Array(list.into_iter().map(normal).collect()),
        Value::Object(map) => {
            Value::Object(map.into_iter().map(|(key, value)| (key, normal(value))).collect())
        }
        // A file cannot write that there is nothing but as `false`.
        Value::Bool(false) => Value::Null,
        other => other,
    }
}
