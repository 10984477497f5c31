//! The kernel's test kit on every scenario: options are legal, notation and states round-trip, replay and undo agree,
//! nothing hidden leaks.

use std::sync::Arc;

use ardennes::{Ardennes44, game};
use kernel::{Setup, testkit::Kit};

fn check(scenario: &str, edition: &str, options: &[&str], seeds: std::ops::Range<u64>, every: u32) {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let setup = Setup {
        scenario: scenario.into(),
        edition: Some(edition.into()),
        options: options.iter().map(|o| (*o).to_owned()).collect(),
        ..Setup::default()
    };
    let rules = Arc::new(game.rules(&setup).expect("the scenario is known"));
    let start = game::start(&rules).expect("it opens");
    let mut kit = Kit::new(rules, start).seeds(seeds).max_decisions(100_000).every(every);
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
