//! Every message that the program can show exists in all three languages: the keys are collected from the code.

use std::collections::BTreeSet;

use kernel::testkit::words::{check_words, literals};
use wurzburg::{
    AirAndArmor,
    action::Work,
    fire::FireKind,
    frame::Segment,
    pack::{AirProfile, Effect, Operation, Terrain, VictoryLevel},
    turn::Phase,
    view::BOXES,
};

/// First parts of keys that appear in the code in full.
const TABLES: &[&str] = &[
    "no", "log", "prompt", "roll", "side", "turn", "slot", "panel", "outcome", "game", "option", "label",
    "nest", "sheet", "overlay", "phase",
];

#[test]
fn every_key_of_the_code_has_words_in_every_language() {
    let game = AirAndArmor::new().expect("the shipped pack loads");
    let mut keys = BTreeSet::new();
    for literal in literals(env!("CARGO_MANIFEST_DIR")) {
        // `no("18.4.1", "retreat.worse")`, also where the rule comes from a variable.
        let named = literal.text.contains('.');
        let refusal =
            literal.follows_rule_of("no") || named && (literal.follows_rule() || literal.opens("no"));
        if literal.is_key_of(TABLES) {
            keys.insert(literal.text);
        } else if refusal && literal.is_key() {
            keys.insert(format!("no.{}", literal.text));
        }
    }
    // Every question has a short name for the panel of nested interrupts.
    let questions: Vec<String> = keys
        .iter()
        .filter_map(|key| key.strip_prefix("prompt."))
        .filter(|name| !["wait", "over"].contains(name))
        .map(|name| format!("nest.{name}"))
        .collect();
    keys.extend(questions);
    let mut add =
        |table: &str, names: &[&str]| keys.extend(names.iter().map(|name| format!("{table}.{name}")));
    add("phase", &Phase::ALL.map(Phase::key));
    add("segment", &Segment::ALL.map(Segment::key));
    add("operation", &Operation::ALL.map(Operation::key));
    add("terrain", &Terrain::ALL.map(Terrain::key));
    add("fire", &FireKind::ALL.map(FireKind::key));
    add("level", &VictoryLevel::ALL.map(VictoryLevel::key));
    add("box", &BOXES);
    add("effect", &Effect::ALL.map(Effect::key));
    add("profile", &AirProfile::ALL.map(AirProfile::key));
    add("work", &Work::ALL.map(Work::key));
    add("label.airmobile", &Operation::ALL.map(Operation::key));
    add("label.variant", &["plain", "gegenangriff", "overrun", "close"]);
    add("state", &["used", "disrupted", "fired", "contaminated", "masked", "participating", "flying"]);
    add("line", &["flown", "flight"]);
    add("log.bridge", &["blown", "charges_failed", "built", "recovered", "destroyed"]);
    check_words(&game, keys, 200).unwrap_or_else(|faults| panic!("{faults}"));
}
