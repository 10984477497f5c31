//! Every message that the program can show exists in all three languages: the keys are collected from the code.

use std::collections::BTreeSet;

use kernel::testkit::words::{check_words, literals};
use panzer::{
    PanzerNorthAfrica,
    field::Terrain,
    fire::{Cause, Result},
    frame::Trigger,
    pack::Cover,
    phase::Phase,
    state::{Command, Spot},
};

/// First parts of keys that appear in the code in full.
const TABLES: &[&str] = &[
    "no", "log", "prompt", "roll", "side", "turn", "sheet", "slot", "panel", "outcome", "result", "game",
    "option", "modifier", "overlay", "card", "note", "aims",
];

#[test]
fn every_key_of_the_code_has_words_in_every_language() {
    let game = PanzerNorthAfrica::new().expect("the shipped pack loads");
    let mut keys = BTreeSet::new();
    for literal in literals(env!("CARGO_MANIFEST_DIR")) {
        if literal.is_key_of(TABLES) {
            keys.insert(literal.text);
        } else if literal.is_key() && literal.follows_rule_of("no") {
            // `no("4.4.1", "fire.must")`
            keys.insert(format!("no.{}", literal.text));
        }
    }
    let mut add =
        |table: &str, names: &[&str]| keys.extend(names.iter().map(|name| format!("{table}.{name}")));
    add("phase", &Phase::ALL.map(Phase::key));
    add("command", &Command::ALL.map(Command::key));
    add("mode", &Command::ALL.map(Command::key));
    add("terrain", &Terrain::ALL.map(Terrain::key));
    add("terrain", &["bridge", "hill_1", "hill_2", "hill_3", "hill_4", "hill_5", "hill_6"]);
    add("result", &Result::ALL.map(Result::key));
    add("log.result", &Result::ALL.map(Result::key));
    add("log.spot", &[Spot::None, Spot::Move, Spot::Fire].map(Spot::key));
    add("log.declared", &["direct", "overwatch"]);
    add("trigger", &[Trigger::Turn, Trigger::Hex, Trigger::Stay].map(Trigger::key));
    add("facing", &["n", "ne", "se", "s", "sw", "nw"]);
    add("angle", &["front", "rear", "line"]);
    add("box", &["held", "exited", "eliminated"]);
    add("marker", &["wreck", "brew_up", "objective"]);
    let causes = [
        Cause::TargetSize,
        Cause::TargetMoving,
        Cause::Cover(Cover::Light),
        Cause::Cover(Cover::Medium),
        Cause::Cover(Cover::Heavy),
        Cause::ShortHalt,
        Cause::ShooterDamaged,
        Cause::Smoke(1),
        Cause::Overwatch,
        Cause::OverwatchAdjust,
    ];
    add("modifier", &causes.map(Cause::key));
    let mounts = game.pack().cards.iter().flat_map(|card| &card.mounts).filter(|mount| mount.ap.is_none());
    keys.extend(mounts.map(|mount| format!("weapon.{}", mount.weapon)));
    check_words(&game, keys, 150).unwrap_or_else(|faults| panic!("{faults}"));
}
