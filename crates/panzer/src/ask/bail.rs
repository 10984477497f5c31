//! Bail-out (5.15): the tests that a crew, or a passenger, would take.

use kernel::Ask;
use serde_json::{Map, Value, json};

use super::words::Words;
use crate::{pack::advanced::BailResult, rules::Panzer, state::State, units::UnitId};

/// `bail A`: for each result against its vehicle the test of a crew or passenger, with the chance that the unit leaves the
/// vehicle; of a vehicle also those of its passengers (6.5.2.6, 6.5.4.5).
pub fn bail(rules: &Panzer, s: &State, words: &mut Words) -> Result<Value, Ask> {
    let unit = words.unit()?;
    if rules.advanced.is_none() {
        return Err(Ask::Unknown("bail".into()));
    }
    let mut answer = tests(rules, unit);
    let riders = rules.passengers(s, unit);
    if !riders.is_empty() {
        let each =
            riders.iter().map(|rider| (rules.id(*rider).to_owned(), Value::Object(tests(rules, *rider))));
        answer.insert("passengers".into(), Value::Object(each.collect()));
    }
    answer.insert("rule".into(), json!("6.5.2.6"));
    Ok(Value::Object(answer))
}

fn tests(rules: &Panzer, unit: UnitId) -> Map<String, Value> {
    let each = BailResult::ALL.into_iter().filter_map(|result| {
        let test = rules.bail_test(unit, result)?;
        let out = (1..=100).filter(|roll| test.out(*roll)).count() as f64 / 100.0;
        // One that survives the loss of its vehicle leaves it, too.
        let bound = if test.survives { "least" } else { "most" };
        let test =
            json!({ bound: test.value, "modifier": test.modifier, "survives": test.survives, "chance": out });
        Some((result.key().to_owned(), test))
    });
    each.collect()
}
