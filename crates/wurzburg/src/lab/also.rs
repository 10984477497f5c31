//! Other rules that forbid the same as the one a refusal cites: a file may name any of them.

use serde_json::Value;

/// By the rule and the key of the refusal.
pub fn also(rule: &str, key: &str) -> &'static [&'static str] {
    // The steps of an Overrun and of a Close Attack name their conditions again.
    match rule {
        "42.1" => return &["42.0"],
        "43.1" => return &["43.0"],
        _ => {}
    }
    match key.strip_prefix("no.").unwrap_or(key) {
        "gun.pool" => &["22.3.1", "12.8.2", "30.3.2"],
        "move.not_in_operation" | "commit.used" => &["11.4.1", "12.6", "13.0", "13.6.1", "16.1.3"],
        "commit.march_only" => &["12.6", "12.9.1"],
        "commit.adjacent" => &["13.7", "13.7.2", "16.8.4"],
        "move.adjacent" => &["12.3.2.4", "13.2", "16.1.2", "16.3", "16.8"],
        "variant.out_of_reach" => &["42.1"],
        "react.stacking" => &["14.4", "19.0"],
        "enter.one_hex" => &["40.4", "46.6"],
        "move.done" => &["11.4.1", "11.7", "13.4", "16.1.2", "16.6.4", "29.3.1", "37.4", "40.4", "41.2.2"],
        "move.dummy_bridge" => &["11.3", "17.3"],
        "react.masked" => &["19.0"],
        "fire.again" => &["18.7", "18.9.1"],
        "commit.not_planned" => &["31.2"],
        "work.zoc" => &["34.2", "34.5", "38.2"],
        "march.not_active" => &["12.5.1", "13.2.1"],
        "air.night" => &["24.2"],
        "air.no_points" => &["24.2"],
        "call.no_observer" => &["25.0"],
        "move.main" => &["34.4", "38.3.2"],
        "strike.unseen" => &["23.5.2", "44.2.1"],
        "pay.out_of_action" => &["12.7", "12.7.5", "23.3.1"],
        "commit.engineer" => &["12.6", "12.9.1", "12.9.2"],
        "lead.not_maneuver" => &["12.9.2"],
        "move.leg" | "move.too_far" | "move.too_dear" => &["11.3", "16.1.2", "16.2", "29.3.1"],
        "fire.no_target" => &["13.5.1", "18.7.5"],
        "recon.disrupted" => &["20.1", "30.0"],
        "recon.no_relay" | "pay.no_brigade_hq" => &["30.4.2", "30.4.4"],
        "plan.disrupted" => &["23.3.1"],
        "clean.hq" => &["44.6"],
        "lift.ground" => &["26.4.5", "37.4"],
        "lift.adjacent" | "lift.flak" | "lift.way" => &["26.4.6", "29.3.4", "29.4.2"],
        "retreat.reinforced" => &["18.4.2"],
        "storm.not_adjacent" | "storm.started_elsewhere" => &["42.0", "43.0"],
        "air.helicopter_night" => &["25.0", "25.6"],
        _ => &[],
    }
}

/// An answer that is a single figure is that figure; an eliminated counter may be called `dead` or `spare`; nothing is `false`.
pub fn normal(value: Value) -> Value {
    let mut fields = match value {
        Value::Object(fields) => fields,
        Value::Array(list) => return Value::Array(list.into_iter().map(normal).collect()),
        other => return other,
    };
    if fields.len() == 1
        && let Some(distance) = fields.remove("distance")
    {
        return distance;
    }
    // Nothing may be expected as `false`: a file cannot write `null`.
    for value in fields.values_mut().filter(|value| value.is_null()) {
        *value = Value::Bool(false);
    }
    // An aircraft may be named as it is printed: `A-10`.
    if let Some(Value::String(aircraft)) = fields.get_mut("aircraft") {
        *aircraft = super::named::plain(aircraft.strip_prefix("air-").unwrap_or(aircraft));
    }
    if fields.get("place").is_some_and(|place| place == "dead") {
        fields.insert("place".into(), "spare".into());
    }
    Value::Object(fields)
}
