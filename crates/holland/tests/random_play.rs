//! Random games to their end, under the eyes of the test-kit.

use holland::{Holland44, start};
use kernel::Setup;
use kernel::testkit::Kit;

fn play(scenario: &str, seeds: std::ops::Range<u64>, every: u32) {
    play_with(scenario, &[], seeds, every);
}

fn play_with(scenario: &str, options: &[&str], seeds: std::ops::Range<u64>, every: u32) {
    let options = options.iter().map(ToString::to_string).collect();
    let setup = Setup { game: "holland44".into(), scenario: scenario.into(), options, ..Setup::default() };
    let rules = Holland44::new().unwrap().rules(&setup).unwrap();
    let state = start(&rules).unwrap();
    match Kit::new(rules, state).seeds(seeds).every(every).max_decisions(100_000).run() {
        Ok(summary) => eprintln!("{scenario}: {summary:?}"),
        Err(failure) => panic!("{scenario}, {:?}: {failure}", setup.options),
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

/// Every switch of 27.3 together with some others, so that no reading leads play into a dead end.
#[test]
fn every_switch_plays() {
    let groups: [&[&str]; 7] = [
        &["disengagement", "isolation", "three_units"],
        &["zoc_across_rivers", "infiltrate_bonds", "polder_roads"],
        &["oosterbeek_stands", "minor_bridges", "nijmegen_rail"],
        &["defender_names", "highest_modifier", "late_reserve"],
        &["short_supply_heads", "disrupted_die", "long_advances"],
        &["exchange_engages", "landed_full", "full_retreat_zoc"],
        &["revealed_by_attack", "recon_slips", "cloudy_air", "disengagement"],
    ];
    for (i, options) in groups.iter().enumerate() {
        let scenario = if i % 2 == 0 { "nijmegen" } else { "arnhem" };
        let seed = i as u64;
        play_with(scenario, options, seed..seed + 1, 20);
    }
}
