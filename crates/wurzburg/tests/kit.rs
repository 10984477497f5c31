//! The kernel's test kit on every scenario: options are legal, notation and states round-trip, replay and undo agree,
//! and nothing hidden leaks.

use std::sync::Arc;

use kernel::{Setup, testkit::Kit};
use wurzburg::{
    AirAndArmor, Wurzburg, game,
    state::State,
    units::{Side, UnitId},
};

/// What a player may ask at any time, about both sides' units.
fn questions(rules: &Wurzburg, state: &State) -> Vec<String> {
    let mut list: Vec<String> =
        ["victory", "points", "operation", "zoc wp", "zoc nato"].map(str::to_owned).to_vec();
    for side in Side::ALL {
        let shown = |unit: &&UnitId| state.unit(**unit).on_map();
        for unit in rules.units_of(side).iter().filter(shown).take(3) {
            let id = rules.id(*unit);
            let hex = rules.field.label(state.unit(*unit).hex);
            list.extend([
                format!("unit {id}"),
                format!("stack {hex}"),
                format!("moves {id}"),
                format!("command {id}"),
                format!("fire {id} -> {hex} defensive"),
                format!("defense {id}"),
            ]);
        }
    }
    list.push("plan 24MRR".into());
    list
}

/// The rules of a scenario and its first position.
fn open(scenario: &str, options: &[&str]) -> (Arc<Wurzburg>, State) {
    let game = AirAndArmor::new().expect("the shipped pack is sound");
    let setup = Setup::of(scenario, options);
    let rules = Arc::new(game.rules(&setup).expect("the scenario is known"));
    let start = game::start(&rules).expect("it opens");
    (rules, start)
}

fn check(scenario: &str, options: &[&str], seeds: std::ops::Range<u64>, every: u32) {
    let (rules, start) = open(scenario, options);
    let asked = Arc::clone(&rules);
    let kit = Kit::new(rules, start)
        .seeds(seeds)
        .max_decisions(60_000)
        .every(every)
        .secrets()
        .questions(move |state, _| questions(&asked, state));
    if let Err(failure) = kit.run() {
        panic!("{scenario} {options:?}: {failure}");
    }
}

// The kit compares what each seat sees of two truths that it cannot tell apart.
// rule: 8.3
#[test]
fn first_contact() {
    check("first-contact", &[], 0..6, 5);
}

// rule: 42.0
// rule: 43.0
#[test]
fn first_contact_with_every_option() {
    check("first-contact", &["overrun", "close_attack"], 20..28, 8);
}

/// All scenarios are played to their end; the long ones are checked at few points.
#[test]
fn the_short_scenarios() {
    check("gate-at-hambach", &[], 10..12, 60);
    check("race-for-the-bridges", &[], 12..13, 100);
    check("mist-over-the-main", &["gas"], 13..14, 60);
}

#[test]
fn the_long_scenarios() {
    check("last-brigade", &["overrun", "close_attack"], 14..15, 90);
    check("bear-trap", &[], 15..16, 150);
}

// rule: 11.1
#[test]
fn the_players_set_up_themselves() {
    check("first-contact", &["free_setup"], 30..32, 40);
}

// rule: 11.1
#[test]
fn ready_made_deployments_are_legal_and_differ() {
    let game = AirAndArmor::new().expect("the shipped pack is sound");
    for scenario in ["first-contact", "mist-over-the-main", "last-brigade"] {
        let options = vec!["free_setup".to_owned()];
        let setup = Setup { scenario: scenario.into(), options, ..Setup::default() };
        let rules = game.rules(&setup).expect("the scenario is known");
        let state = game::start(&rules).expect("it opens");
        let side = Side::Nato;
        let [listed, forward] = wurzburg::deployment::Layout::ALL
            .map(|layout| wurzburg::deployment::places(&rules, &state, side, layout));
        assert_eq!(listed.len(), forward.len());
        assert_ne!(listed, forward, "{scenario}");
        let mut s = state.clone();
        for (unit, hex) in &forward {
            let piece = rules.piece_of(*unit).expect("the scenario lists it");
            let zone = rules.scenario.setup_zone(&rules.pack.forces, piece);
            let home = listed.iter().any(|place| place == &(*unit, *hex));
            assert!(home || zone.is_some_and(|zone| zone.contains(*hex)), "{scenario}: {}", rules.id(*unit));
            s.shift(*unit, *hex);
        }
        for (_, hex) in &forward {
            assert!(rules.stack_legal(&s, side, *hex), "{scenario}: {}", rules.field.label(*hex));
        }
    }
}

/// The first turns of the campaign.
#[test]
fn the_campaign_begins() {
    start_of("sixty-miles", &["gas"], 600);
}

/// Sixteen turns take many minutes in a build without optimization.
#[test]
#[ignore = "takes long; run it with --run-ignored"]
fn the_campaign() {
    check("sixty-miles", &["gas"], 16..17, 4000);
}

fn start_of(id: &str, options: &[&str], decisions: usize) {
    let (rules, start) = open(id, options);
    let kit = Kit::new(rules, start).seeds(0..1).max_decisions(decisions).may_stop().every(200);
    if let Err(failure) = kit.run() {
        panic!("{id}: {failure}");
    }
}

#[test]
fn options_that_are_not_listed_are_found() {
    let (rules, start) = open("first-contact", &[]);
    let kit = Kit::new(rules, start).seeds(0..4).max_decisions(400).may_stop();
    let verbs = ["plan", "move"];
    let missed: Vec<_> = verbs.into_iter().filter_map(|verb| kit.finds_unlisted(verb).err()).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}
