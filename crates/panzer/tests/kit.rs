//! The kernel's test kit on every scenario: options are legal, notation and states round-trip, replay and undo agree,
//! and hidden Commands never leak.

use std::sync::Arc;

use kernel::{Setup, testkit::Kit};
use panzer::{PanzerNorthAfrica, game, pack::Side, rules::Panzer, state::State};

/// What a player may ask at any time, about both sides' vehicles.
fn questions(rules: &Panzer, state: &State) -> Vec<String> {
    let mut list =
        vec!["victory".to_owned(), "order".into(), "commands axis".into(), "commands allied".into()];
    let shown = |unit: &panzer::units::UnitId| state.unit(*unit).on_map();
    let first = |side: Side| rules.units_of(side).iter().copied().find(shown);
    if let (Some(a), Some(b)) = (first(Side::Axis), first(Side::Allied)) {
        let (a, b) = (rules.id(a), rules.id(b));
        for (one, two) in [(a, b), (b, a)] {
            list.extend([
                format!("unit {one}"),
                format!("ap {one} -> {two}"),
                format!("spot {one} {two}"),
                format!("los {one} {two}"),
                format!("moves {one}"),
                format!("allowance {one}"),
                format!("field {one}"),
                format!("sheet fire {two} with {one}"),
                format!("card {one}"),
            ]);
        }
    }
    list
}

/// The rules of a scenario and its first position.
fn open(scenario: &str, options: &[&str]) -> (Arc<Panzer>, State) {
    let game = PanzerNorthAfrica::new().expect("the shipped pack is sound");
    let setup = Setup::of(scenario, options);
    let rules = Arc::new(game.rules(&setup).expect("the scenario is known"));
    let start = game::start(&rules).expect("it opens");
    (rules, start)
}

fn check(scenario: &str, options: &[&str], seeds: std::ops::Range<u64>, every: u32) {
    let (rules, start) = open(scenario, options);
    assert_eq!(start.hidden.is_empty(), !options.contains(&"hidden_units"), "units that are hidden (7.2)");
    let asked = Arc::clone(&rules);
    let kit = Kit::new(rules, start)
        .seeds(seeds)
        .max_decisions(200_000)
        .every(every)
        .secrets()
        .questions(move |state, _| questions(&asked, state));
    if let Err(failure) = kit.run() {
        panic!("{scenario} {options:?}: {failure}");
    }
}

// rule: 4.2.1
#[test]
fn the_duel() {
    check("hafid-duel", &[], 0..6, 3);
}

#[test]
fn the_duel_with_every_option() {
    check("hafid-duel", &["initiative_choice", "smoke_at_any_height"], 6..10, 3);
}

#[test]
fn every_scenario() {
    let game = PanzerNorthAfrica::new().expect("the shipped pack is sound");
    for (n, scenario) in game.pack().scenarios.iter().enumerate() {
        // A small scenario has few positions, so check more of them.
        let every = if scenario.units.len() < 6 { 3 } else { 60 };
        check(&scenario.id, &[], n as u64..n as u64 + 1, every);
    }
}

// rule: 6.0, 6.8
#[test]
fn a_small_advanced_scenario() {
    check("picket-at-the-well", &[], 0..4, 5);
}

// rule: 6.2.1.1, 6.6.6, 6.6.7
#[test]
fn every_advanced_scenario() {
    let game = PanzerNorthAfrica::new().expect("the shipped pack is sound");
    for (n, scenario) in game.pack().advanced.scenarios.iter().enumerate() {
        check(&scenario.id, &[], n as u64..n as u64 + 1, 151);
    }
}

// rule: 7.2
#[test]
fn hidden_units_are_known_to_their_owner_only() {
    check("picket-at-the-well", &["hidden_units"], 20..24, 3);
    for (n, scenario) in ["outpost-snipe", "longstop"].into_iter().enumerate() {
        check(scenario, &["hidden_units"], 30 + n as u64..31 + n as u64, 67);
    }
}

#[test]
fn options_that_are_not_listed_are_found() {
    let (rules, start) = open("picket-at-the-well", &[]);
    let kit = Kit::new(rules, start).seeds(0..4).max_decisions(150).may_stop();
    let verbs = ["command", "move", "pivot"];
    let missed: Vec<_> = verbs.into_iter().filter_map(|verb| kit.finds_unlisted(verb).err()).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}
