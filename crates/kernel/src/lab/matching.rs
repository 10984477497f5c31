//! Does an answer match what was expected? Every key given must match, lists compare as sets, numbers within 1e-6.

use serde::Serialize;
use serde_json::Value;

const NEAR: f64 = 1e-6;

/// One place where answer and expectation differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mismatch {
    /// Keys joined by dots; empty for the whole answer.
    pub path: String,
    /// The expected value. None: nothing more was expected here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Value>,
    /// The value found. None: there is nothing here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Value>,
}

/// Where `answer` differs from what is expected; nowhere if it matches.
pub fn matches(expected: &Value, answer: &Value) -> Vec<Mismatch> {
    let mut out = Vec::new();
    compare(expected, Some(answer), "", &mut out);
    out
}

/// Checks a decision's events: an expected table must match one of them, and so must each table of an expected list.
pub(super) fn events(expected: &Value, events: &[Value]) -> Vec<Mismatch> {
    let wanted = match expected {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    wanted
        .iter()
        .filter(|wanted| !events.iter().any(|event| fits(wanted, event)))
        .map(|wanted| Mismatch {
            path: "events".into(),
            expected: Some(wanted.clone()),
            found: nearest(wanted, events),
        })
        .collect()
}

/// The event that comes closest, so that a failed expectation shows both values.
fn nearest(wanted: &Value, events: &[Value]) -> Option<Value> {
    let differences = |event: &&Value| matches(wanted, event).len();
    let nearest = events.iter().min_by_key(differences)?;
    let keys = wanted.as_object()?;
    let shown = keys.keys().filter_map(|k| nearest.get(k).map(|v| (k.clone(), v.clone())));
    Some(Value::Object(shown.collect()))
}

fn fits(expected: &Value, answer: &Value) -> bool {
    match (expected, answer) {
        (Value::Object(wanted), Value::Object(has)) => wanted.iter().all(|(key, value)| {
            has.get(key).is_some_and(|found| cited(key, value, found) || fits(value, found))
        }),
        (Value::Array(wanted), Value::Array(has)) => {
            wanted.iter().all(|w| has.iter().any(|h| fits(w, h)))
                && has.iter().all(|h| wanted.iter().any(|w| fits(w, h)))
        }
        (Value::Number(a), Value::Number(b)) => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= NEAR,
            _ => false,
        },
        (Value::String(wanted), Value::String(has)) => {
            wanted == has || same_hexside(wanted, has) || same_odds(wanted, has)
        }
        _ => expected == answer,
    }
}

/// A hexside is named by its two hexes, in either order.
fn same_hexside(wanted: &str, has: &str) -> bool {
    let hex = |text: &str| text.len() > 2 && text.bytes().any(|b| b.is_ascii_digit());
    match (wanted.split_once('/'), has.split_once('/')) {
        (Some((a, b)), Some((c, d))) => hex(a) && hex(b) && (a, b) == (d, c),
        _ => false,
    }
}

/// The last column of an odds table is written `7-1` or `7-1+`.
fn same_odds(wanted: &str, has: &str) -> bool {
    let plain = |text: &'_ str| -> Option<String> {
        let (a, b) = text.strip_suffix('+').unwrap_or(text).split_once('-')?;
        let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        (number(a) && number(b)).then(|| format!("{a}-{b}"))
    };
    plain(wanted).is_some_and(|wanted| plain(has) == Some(wanted))
}

/// A `rule` is matched by that rule or one below it, as with `illegal`.
fn cited(key: &str, expected: &Value, found: &Value) -> bool {
    match (key, expected, found) {
        ("rule", Value::String(wanted), Value::String(rule)) => crate::verdict::at_or_below(rule, wanted),
        _ => false,
    }
}

fn compare(expected: &Value, answer: Option<&Value>, path: &str, out: &mut Vec<Mismatch>) {
    let inner = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (expected, answer) {
        (Value::Object(wanted), Some(Value::Object(has))) => {
            for (key, value) in wanted {
                if !has.get(key).is_some_and(|found| cited(key, value, found)) {
                    compare(value, has.get(key), &inner(key), out);
                }
            }
        }
        (Value::Array(wanted), Some(Value::Array(has))) => {
            for missing in wanted.iter().filter(|w| !has.iter().any(|h| fits(w, h))) {
                out.push(Mismatch { path: path.into(), expected: Some(missing.clone()), found: None });
            }
            for extra in has.iter().filter(|h| !wanted.iter().any(|w| fits(w, h))) {
                out.push(Mismatch { path: path.into(), expected: None, found: Some(extra.clone()) });
            }
        }
        (_, Some(answer)) if fits(expected, answer) => {}
        _ => {
            out.push(Mismatch {
                path: path.into(),
                expected: Some(expected.clone()),
                found: answer.cloned(),
            });
        }
    }
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        match (&self.expected, &self.found) {
            (Some(expected), Some(found)) => write!(f, "expected {expected}, found {found}"),
            (Some(expected), None) => write!(f, "expected {expected}, which is not there"),
            (None, Some(found)) => write!(f, "found {found}, which is not expected"),
            (None, None) => write!(f, "differs"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn differ(expected: Value, answer: Value) -> Vec<String> {
        let mismatches = matches(&expected, &answer);
        assert_eq!(mismatches.is_empty(), fits(&expected, &answer), "{expected} {answer}");
        mismatches.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_key_given_must_match() {
        let answer = json!({ "attack": 12, "odds": "2-1", "shifts": { "terrain": -1, "armor": 1 } });
        assert!(differ(json!({}), answer.clone()).is_empty());
        assert!(differ(json!({ "attack": 12.0000005, "shifts": { "armor": 1 } }), answer.clone()).is_empty());
        assert_eq!(
            differ(json!({ "attack": 12.00001, "shifts": { "armor": 2 }, "gone": true }), answer.clone()),
            [
                "attack: expected 12.00001, found 12",
                "gone: expected true, which is not there",
                "shifts.armor: expected 2, found 1",
            ]
        );
        assert_eq!(differ(json!("2-1"), answer).len(), 1);
    }

    #[test]
    fn a_rule_is_matched_by_one_below_it() {
        let answer = json!({ "rule": "16.71", "shifts": [{ "rule": "22.7", "columns": 2 }] });
        assert!(differ(json!({ "rule": "16.7", "shifts": [{ "rule": "22" }] }), answer.clone()).is_empty());
        assert_eq!(differ(json!({ "rule": "16.72" }), answer.clone()).len(), 1);
        assert_eq!(differ(json!({ "rule": "1" }), answer).len(), 1);
    }

    #[test]
    fn lists_compare_as_sets() {
        assert!(differ(json!(["a", "b"]), json!(["b", "a", "b"])).is_empty());
        assert!(differ(json!([{ "x": 1 }]), json!([{ "x": 1, "y": 2 }])).is_empty());
        assert_eq!(
            differ(json!({ "l": ["a", "c"] }), json!({ "l": ["a", "b"] })),
            ["l: expected \"c\", which is not there", "l: found \"b\", which is not expected"]
        );
        assert_eq!(differ(json!([]), json!(["a"])).len(), 1);
    }

    #[test]
    fn a_hexside_has_no_direction() {
        assert!(differ(json!({ "along": "1213/1212" }), json!({ "along": "1212/1213" })).is_empty());
        assert_eq!(differ(json!("D1/A1"), json!("A1/D1")).len(), 1);
        assert!(differ(json!("7-1+"), json!("7-1")).is_empty());
        assert_eq!(differ(json!("Eng"), json!("Eng+")).len(), 1);
    }

    #[test]
    fn texts_numbers_and_truth_are_not_confused() {
        for (a, b) in [(json!(1), json!("1")), (json!(true), json!(1)), (json!([1]), json!(1))] {
            assert_eq!(differ(a, b).len(), 1);
        }
    }

    #[test]
    fn a_decision_is_judged_by_its_events() {
        let happened = [json!({ "kind": "roll", "value": 4 }), json!({ "kind": "move", "to": "b2" })];
        assert!(events(&json!({ "kind": "roll" }), &happened).is_empty());
        assert!(events(&json!([{ "value": 4 }, { "to": "b2" }]), &happened).is_empty());
        let failed = events(&json!([{ "kind": "roll", "value": 5 }, { "to": "b2" }]), &happened);
        assert_eq!(failed.len(), 1);
        assert_eq!(failed[0].found, Some(json!({ "kind": "roll", "value": 4 })));
    }
}
