//! Random games to their end, under the eyes of the test-kit.

use holland::{Holland44, start};
use kernel::Setup;
use kernel::testkit::Kit;

fn play(scenario: &str, seeds: std::ops::Range<u64>, every: u32) {
    let setup = Setup { game: "holland44".into(), scenario: scenario.into(), ..Setup::default() };
    let rules = Holland44::new().unwrap().rules(&setup).unwrap();
    let state = start(&rules).unwrap();
    match Kit::new(rules, state).seeds(seeds).every(every).max_decisions(100_000).partly_listed().run() {
        Ok(summary) => eprintln!("{scenario}: {summary:?}"),
        Err(failure) => panic!("{scenario}: {failure}"),
    }
}

#[test]
fn nijmegen_ends() {
    play("nijmegen", 0..6, 6);
}

#[test]
fn arnhem_ends() {
    play("arnhem", 0..3, 10);
}

#[test]
fn the_short_game_ends() {
    play("short_game", 1..2, 150);
}

#[test]
fn the_campaign_ends() {
    play("campaign", 0..1, 400);
}
