//! Random games to their end, checked by the test kit.

use holland::{Holland44, start};
use kernel::testkit::{Kit, Summary};
use kernel::{Game as _, Setup, Viewer};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore as _, SeedableRng as _};

fn play(scenario: &str, seeds: std::ops::Range<u64>, every: u32) {
    play_with(scenario, &[], seeds, every);
}

fn play_with(scenario: &str, options: &[&str], seeds: std::ops::Range<u64>, every: u32) -> Summary {
    let options = options.iter().map(ToString::to_string).collect();
    let setup = Setup { game: "holland44".into(), scenario: scenario.into(), options, ..Setup::default() };
    let rules = Holland44::new().unwrap().rules(&setup).unwrap();
    let state = start(&rules).unwrap();
    match Kit::new(rules, state).seeds(seeds).every(every).max_decisions(100_000).run() {
        Ok(summary) => {
            eprintln!("{scenario}: {summary:?}");
            summary
        }
        Err(failure) => panic!("{scenario}, {:?}: {failure}", setup.options),
    }
}

#[test]
fn nijmegen_ends() {
    play("nijmegen", 0..6, 6);
}

#[test]
fn eindhoven_ends() {
    play("eindhoven", 0..6, 6);
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

/// Every switch of 27.3 in combination with others, so that no reading can lead to a dead end.
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

/// 25.5, H-20: nobody but the German player learns what he saw under the Unknown counters.
#[test]
fn unknown_units_stay_secret() {
    let options = vec!["revealed_by_attack".to_owned()];
    let setup = Setup { game: "holland44".into(), scenario: "nijmegen".into(), options, ..Setup::default() };
    let game = Holland44::new().unwrap();
    assert!(game.secrets(&setup), "the table is told that there are secrets");
    let rules = game.rules(&setup).unwrap();
    let state = start(&rules).unwrap();
    let asked =
        |_: &_, _: Viewer| ["looked", "unknown", "hex 4816", "unit de-police"].map(String::from).to_vec();
    let kit = Kit::new(rules, state).seeds(0..3).every(12).max_decisions(100_000).questions(asked);
    let summary = kit.secrets().run().unwrap_or_else(|failure| panic!("{failure}"));
    assert!(summary.resampled > 0, "{summary:?}");
}

/// The long soak: campaigns and every other scenario with random switches, until `GROGNARD_SOAK` decisions are taken.
///
///     cargo test --profile soak -p holland --test random_play -- --ignored --nocapture
#[test]
#[ignore = "takes minutes"]
fn soak() {
    let wanted = std::env::var("GROGNARD_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000_000);
    let info = Holland44::new().unwrap().info().clone();
    let mut rng = ChaCha8Rng::seed_from_u64(1944);
    let (mut done, mut games) = (0, 0);
    for (seed, scenario) in (1_000u64..).zip(info.scenarios.iter().cycle()) {
        if done >= wanted {
            break;
        }
        let options: Vec<&str> =
            info.options.iter().filter(|_| rng.next_u32() & 3 == 3).map(|o| o.id.as_str()).collect();
        let summary = play_with(&scenario.id, &options, seed..seed + 1, 997);
        assert_eq!(summary.games, summary.ended, "{} seed {seed} does not end", scenario.id);
        done += summary.decisions;
        games += 1;
    }
    println!("{done} decisions in {games} games");
}
