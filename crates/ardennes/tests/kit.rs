//! The kernel's test kit on every scenario: options are legal, notation and states round-trip, replay and undo agree,
//! nothing hidden leaks.

use std::sync::Arc;

use ardennes::{Ardennes44, game, rules::Ardennes};
use kernel::{Setup, testkit::Kit};

fn kit(scenario: &str, edition: &str, options: &[&str]) -> Kit<'static, Ardennes> {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let setup = Setup { edition: Some(edition.into()), ..Setup::of(scenario, options) };
    let rules = Arc::new(game.rules(&setup).expect("the scenario is known"));
    let start = game::start(&rules).expect("it opens");
    Kit::new(rules, start).max_decisions(100_000)
}

fn check(scenario: &str, edition: &str, options: &[&str], seeds: std::ops::Range<u64>, every: u32) {
    let mut kit = kit(scenario, edition, options).seeds(seeds).every(every);
    if options.contains(&"fuel_dumps") {
        kit = kit.secrets();
    }
    if let Err(failure) = kit.run() {
        panic!("{scenario} {edition} {options:?}: {failure}");
    }
}

#[test]
fn st_vith() {
    check("st_vith", "2e", &[], 0..4, 5);
}

#[test]
fn six_turns() {
    check("six_turn", "2e", &[], 0..1, 40);
}

#[test]
fn six_turns_with_every_option() {
    check("six_turn", "2e", &["fuel_dumps", "roadblocks", "fifteen_factors"], 1..2, 40);
}

#[test]
fn six_turns_of_the_first_edition() {
    check("six_turn", "1e", &["fuel_dumps", "ccb9", "weak_engineers"], 2..3, 40);
}

#[test]
fn options_that_are_not_listed_are_found() {
    let kit = kit("st_vith", "2e", &[]).seeds(0..4).max_decisions(400).may_stop().every(1);
    let verbs = ["move", "attack", "advance", "retreat", "lose", "support", "disengage"];
    let missed: Vec<_> = verbs.into_iter().filter_map(|verb| kit.finds_unlisted(verb).err()).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}
