//! Random games to their end, checked by the test kit.

use holland::state::Place;
use holland::{Holland, Holland44, start};
use kernel::testkit::{Kit, Summary};
use kernel::{Game as _, Rules as _, Setup, Viewer};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore as _, SeedableRng as _};

fn play(scenario: &str, seeds: std::ops::Range<u64>, every: u32) {
    play_with(scenario, &[], seeds, every);
}

fn kit(scenario: &str, options: &[&str]) -> Kit<'static, Holland> {
    let rules = Holland44::new().unwrap().rules(&Setup::of(scenario, options)).unwrap();
    let state = start(&rules).unwrap();
    Kit::new(rules, state).max_decisions(100_000)
}

fn play_with(scenario: &str, options: &[&str], seeds: std::ops::Range<u64>, every: u32) -> Summary {
    match kit(scenario, options).seeds(seeds).every(every).run() {
        Ok(summary) => {
            eprintln!("{scenario}: {summary:?}");
            summary
        }
        Err(failure) => panic!("{scenario}, {options:?}: {failure}"),
    }
}

#[test]
fn options_that_are_not_listed_are_found() {
    let kit = kit("nijmegen", &[]).seeds(0..4).max_decisions(400).may_stop().every(1);
    let verbs = ["move", "retreat", "land"];
    let missed: Vec<_> = verbs.into_iter().filter_map(|verb| kit.finds_unlisted(verb).err()).collect();
    assert!(missed.is_empty(), "{missed:#?}");
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

// rule: 22.8
#[test]
fn the_first_drop_can_be_landed_at_once() {
    let setup = Setup { game: "holland44".into(), scenario: "short_game".into(), ..Setup::default() };
    let rules = Holland44::new().unwrap().rules(&setup).unwrap();
    let at = |s: &holland::state::State, unit| s.unit(unit).at();
    let mut ends = Vec::new();
    for how in ["deploy", "deploy close"] {
        let mut s = start(&rules).unwrap();
        let (mut dice, mut log) = (kernel::Dice::from_number(7), kernel::Log::default());
        let seat = kernel::Seat(0);
        assert!(
            !rules.verdict(&s, seat, &rules.parse(&s, seat, "done").unwrap()).is_legal(),
            "all must land first"
        );
        let waiting = |s: &_| rules.units().filter(|u| at(s, *u) == Place::Airlanding).count();
        let mut asked = 0;
        while waiting(&s) > 0 {
            // A bridge that is threatened by a landing is a question to the other side.
            let (who, text) = if rules.pending(&s).seats().contains(seat) {
                (seat, how)
            } else {
                (kernel::Seat(1), "hold")
            };
            let action = rules.parse(&s, who, text).unwrap();
            assert_eq!(rules.notate(&s, &action), text);
            rules.apply(&mut s, who, &action, &mut dice, &mut log).unwrap();
            asked += 1;
            assert!(asked < 12, "{how}: {:?}", rules.pending(&s));
        }
        ends.push(rules.units().map(|u| at(&s, u)).collect::<Vec<_>>());
    }
    assert_ne!(ends[0], ends[1], "the card leaves some a choice");
}
