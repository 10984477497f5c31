//! Every message that the program can show exists in all three languages: the keys are collected from the code.

use std::collections::BTreeSet;

use ardennes::{Ardennes44, action::Mode, flags::Flags, pack::Terrain, phase::Phase};
use kernel::testkit::words::{check_words, literals};

/// First parts of keys that appear in the code in full.
const TABLES: &[&str] = &[
    "no",
    "log",
    "prompt",
    "roll",
    "side",
    "turn",
    "ground",
    "sky",
    "bridge",
    "map",
    "marker",
    "terrain",
    "sheet",
    "slot",
    "panel",
    "elimination",
    "game",
];

#[test]
fn every_key_of_the_code_has_words_in_every_language() {
    let game = Ardennes44::new().expect("the shipped pack loads");
    let mut keys = BTreeSet::new();
    for literal in literals(env!("CARGO_MANIFEST_DIR")) {
        let text = &literal.text;
        if !literal.is_key() {
            continue;
        }
        // `no("10.2", "bond.hex")`, `Bar::unit("11.1", "points")`, `("7.6", "bridge.tried")`; events carry rules too.
        if literal.follows_rule() && literal.file != "event.rs" {
            keys.insert(format!("no.{text}"));
            // A player who gets the refusal can look up the rule.
            if literal.previous != "-" {
                keys.extend(["title", "text"].map(|part| format!("rule.{}.{part}", literal.previous)));
            }
        } else if literal.opens("no") {
            // `no("fire_fight.lead")` if the rule is given before.
            keys.insert(format!("no.{text}"));
        } else if literal.opens("key") && literal.file == "report.rs" {
            // `key("moved")` of the battle report.
            keys.insert(format!("log.{text}"));
        } else if literal.is_key_of(TABLES) {
            keys.insert(literal.text);
        }
    }
    // Two literals of a choice follow `key(if …`.
    for key in [
        "ip.finished",
        "ip.started",
        "traffic.placed",
        "traffic.removed",
        "dump.real",
        "dump.dummy",
        "step.move",
    ] {
        keys.insert(format!("log.{key}"));
    }
    keys.extend(Phase::ALL.map(|phase| format!("phase.{}", phase.key())));
    keys.extend(Mode::ALL.map(|mode| format!("mode.{}", mode.word())));
    keys.extend(Flags::NAMED.iter().map(|(_, name)| format!("state.{name}")));
    keys.extend(Terrain::ALL.map(|terrain| format!("terrain.{}", terrain.key())));
    keys.extend((1..=34).flat_map(|n| [format!("rule.{n}.title"), format!("rule.{n}.text")]));
    check_words(&game, keys, 350).unwrap_or_else(|faults| panic!("{faults}"));
}
