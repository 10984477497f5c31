//! Random type-erased games of every scenario of every game: listed options are legal and apply, and each game's
//! journal replays to the same position with dice that can be proved.
//!
//! The long run, with assertions:
//!
//!     cargo test --profile soak -p grognard soak -- --ignored --nocapture
//!
//! `GROGNARD_SOAK` is the number of games of each scenario (3 if unset), `GROGNARD_SOAK_GAME` names one game.

use kernel::{Setup, testkit};

/// No game takes more decisions than this.
const LONGEST: usize = 200_000;

#[test]
#[ignore = "takes minutes"]
fn every_scenario_is_played_to_its_end() {
    let games: u64 = std::env::var("GROGNARD_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let only = std::env::var("GROGNARD_SOAK_GAME").unwrap_or_default();
    let mut failed = Vec::new();
    for game in crate::catalogue::games() {
        let info = game.info();
        if !only.is_empty() && info.id != only {
            continue;
        }
        let editions: Vec<Option<String>> = match &info.editions[..] {
            [] => vec![None],
            all => all.iter().cloned().map(Some).collect(),
        };
        for scenario in &info.scenarios {
            for edition in &editions {
                let setup = Setup {
                    game: info.id.clone(),
                    scenario: scenario.id.clone(),
                    edition: edition.clone(),
                    ..Setup::default()
                };
                // Not every edition has every scenario.
                if game.open(&setup).is_err() {
                    continue;
                }
                let edition = edition.as_deref().unwrap_or_default();
                match testkit::check_game(&game, &setup, 0..games, LONGEST) {
                    Ok(played) => {
                        println!("{} {} {edition}: {} decisions", info.id, scenario.id, played.decisions);
                    }
                    Err(failure) => failed.push(format!("{} {} {edition}: {failure}", info.id, scenario.id)),
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
