//! Words that lab files may write in several ways.

use serde_json::Value;

use crate::ask::OF_THE_MOMENT;

/// An answer, or the expectation of a file, with the words that answers use.
pub fn normal(value: Value) -> Value {
    match value {
        Value::String(word) => Value::String(match word.as_str() {
            "oos" | "oos_1" => "out_of_supply".into(),
            "oos_2" | "oos2" => "out_of_supply_2".into(),
            "under_repair" | "under_construction" => "repair".into(),
            _ => word,
        }),
        Value::Array(list) => list.into_iter().map(normal).collect(),
        Value::Object(object) => object.into_iter().map(|(key, value)| (key, normal(value))).collect(),
        other => other,
    }
}

/// Momentary states (`moved`, `retreated`) count only if a file mentions them, and a single state needs no list.
pub fn without_unmentioned(mut answer: Value, expect: &Value) -> Value {
    for key in ["state", "states", "markers"] {
        let (Some(wanted), Some(Value::Array(states))) = (expect.get(key), answer.get_mut(key)) else {
            continue;
        };
        let one = std::slice::from_ref(wanted);
        let named = wanted.as_array().map_or(one, Vec::as_slice);
        states.retain(|state| {
            named.contains(state) || !state.as_str().is_some_and(|word| OF_THE_MOMENT.contains(&word))
        });
        if wanted.is_string() && states.as_slice() == one {
            answer[key] = wanted.clone();
        }
    }
    answer
}
