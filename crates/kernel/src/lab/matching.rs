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

/// How an expectation may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// As the answer is.
    Exact,
    /// In other letters (`No Effect` for `no_effect`), a number as a text, a single value for a list of one.
    Usual,
}

/// Where `answer` differs from what is expected; nowhere if it matches.
pub fn matches(expected: &Value, answer: &Value) -> Vec<Mismatch> {
    compared(expected, answer, Spelling::Exact)
}

pub(super) fn compared(expected: &Value, answer: &Value, words: Spelling) -> Vec<Mismatch> {
    let mut out = Vec::new();
    compare(expected, Some(answer), "", words, &mut out);
    out
}

/// Checks a decision's events: an expected table must match one of them, and so must each table of an expected list.
pub(super) fn events(expected: &Value, events: &[Value], words: Spelling) -> Vec<Mismatch> {
    let wanted = match expected {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    wanted
        .iter()
        .filter(|wanted| !events.iter().any(|event| fits(wanted, event, words)))
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

fn fits(expected: &Value, answer: &Value, words: Spelling) -> bool {
    match (expected, answer) {
        (Value::Object(wanted), Value::Object(has)) => wanted.iter().all(|(key, value)| {
            has.get(key).is_some_and(|found| cited(key, value, found) || fits(value, found, words))
        }),
        (Value::Array(wanted), Value::Array(has)) => {
            wanted.iter().all(|w| has.iter().any(|h| fits(w, h, words)))
                && has.iter().all(|h| wanted.iter().any(|w| fits(w, h, words)))
        }
        (Value::Number(a), Value::Number(b)) => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= NEAR,
            _ => false,
        },
        (Value::String(wanted), Value::String(has)) => {
            wanted == has
                || same_hexside(wanted, has)
                || same_odds(wanted, has)
                || words == Spelling::Usual && same_word(wanted, has)
        }
        _ => expected == answer || words == Spelling::Usual && same_value(expected, answer),
    }
}

/// `No Effect`, `no-effect` and `no_effect` are one word; `1212-1213` is a hexside, `3:1` are odds.
fn same_word(wanted: &str, has: &str) -> bool {
    let plain = |text: &str| -> String {
        let letter = |c: char| match c {
            ' ' | '-' | '_' | ':' => '_',
            '–' | '—' => '_',
            c => c.to_ascii_lowercase(),
        };
        text.trim().chars().map(letter).collect()
    };
    let (wanted, has) = (plain(wanted), plain(has));
    let hexes = |text: &str| text.len() == 9 && text.bytes().filter(u8::is_ascii_digit).count() == 8;
    wanted == has
        || hexes(&wanted) && hexes(&has) && same_hexside(&wanted.replace('_', "/"), &has.replace('_', "/"))
}

/// A list of one is its only element; a number may be written as a text, and yes as `true`.
fn same_value(expected: &Value, answer: &Value) -> bool {
    let fits = |a: &Value, b: &Value| fits(a, b, Spelling::Usual);
    match (expected, answer) {
        (Value::Array(list), one) if !one.is_array() && list.len() == 1 => fits(&list[0], one),
        (one, Value::Array(list)) if list.len() == 1 => fits(one, &list[0]),
        (Value::Number(number), Value::String(text)) | (Value::String(text), Value::Number(number)) => {
            let read = text.trim().trim_start_matches('+').parse::<f64>();
            read.is_ok_and(|read| number.as_f64().is_some_and(|number| (number - read).abs() <= NEAR))
        }
        (Value::Bool(truth), Value::String(word)) | (Value::String(word), Value::Bool(truth)) => {
            ["yes", "true"].iter().any(|yes| word.eq_ignore_ascii_case(yes)) && *truth
                || ["no", "false"].iter().any(|no| word.eq_ignore_ascii_case(no)) && !*truth
        }
        _ => false,
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

fn compare(expected: &Value, answer: Option<&Value>, path: &str, words: Spelling, out: &mut Vec<Mismatch>) {
    let inner = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (expected, answer) {
        (Value::Object(wanted), Some(Value::Object(has))) => {
            for (key, value) in wanted {
                if !has.get(key).is_some_and(|found| cited(key, value, found)) {
                    compare(value, has.get(key), &inner(key), words, out);
                }
            }
        }
        (Value::Array(wanted), Some(Value::Array(has))) => {
            for missing in wanted.iter().filter(|w| !has.iter().any(|h| fits(w, h, words))) {
                out.push(Mismatch { path: path.into(), expected: Some(missing.clone()), found: None });
            }
            for extra in has.iter().filter(|h| !wanted.iter().any(|w| fits(w, h, words))) {
                out.push(Mismatch { path: path.into(), expected: None, found: Some(extra.clone()) });
            }
        }
        (_, Some(answer)) if fits(expected, answer, words) => {}
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
        assert_eq!(mismatches.is_empty(), fits(&expected, &answer, Spelling::Exact), "{expected} {answer}");
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
    fn a_file_may_write_it_in_its_own_words() {
        let usual = |expected: Value, answer: Value| compared(&expected, &answer, Spelling::Usual).is_empty();
        for (wanted, has) in [
            (json!("No Effect"), json!("no_effect")),
            (json!({ "side": "German" }), json!({ "side": "german" })),
            (json!("1213-1212"), json!("1212/1213")),
            (json!("3:1"), json!("3-1")),
            (json!("+2"), json!(2)),
            (json!(1212), json!("1212")),
            (json!("yes"), json!(true)),
            (json!(["C8"]), json!("C8")),
            (json!("C8"), json!(["C8"])),
            (json!({ "ends": [1212, 1414] }), json!({ "ends": ["1414", "1212"] })),
        ] {
            assert!(usual(wanted.clone(), has.clone()), "{wanted} {has}");
            assert!(!matches(&wanted, &has).is_empty(), "{wanted} {has}");
        }
        for (wanted, has) in [
            (json!("effective"), json!("no_effect")),
            (json!("3-1"), json!("-31")),
            (json!("1212"), json!("1213")),
            (json!("no"), json!(true)),
            (json!(["A", "B"]), json!("A")),
            (json!(2), json!("2-1")),
            (json!(1), json!(true)),
        ] {
            assert!(!usual(wanted.clone(), has.clone()), "{wanted} {has}");
        }
    }

    #[test]
    fn a_decision_is_judged_by_its_events() {
        let happened = [json!({ "kind": "roll", "value": 4 }), json!({ "kind": "move", "to": "b2" })];
        let exact = |expected: Value| events(&expected, &happened, Spelling::Exact);
        assert!(exact(json!({ "kind": "roll" })).is_empty());
        assert!(exact(json!([{ "value": 4 }, { "to": "b2" }])).is_empty());
        let failed = exact(json!([{ "kind": "roll", "value": 5 }, { "to": "b2" }]));
        assert_eq!(failed.len(), 1);
        assert_eq!(failed[0].found, Some(json!({ "kind": "roll", "value": 4 })));
    }
}
