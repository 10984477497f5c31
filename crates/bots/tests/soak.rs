//! Soak test of Ardennes '44 with bots: games of every scenario and edition, with every option, between bots of all
//! levels. Every choice must be legal, every event reported, every position shown to both sides, and every game must
//! end.
//!
//! The ordinary test run plays a little of each; the long soak continues until `GROGNARD_SOAK` decisions are taken (a
//! million if it is not set):
//!
//!     cargo test --release -p bots --test soak -- --ignored --nocapture

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use ardennes::Ardennes44;
use bots::{
    Level,
    ardennes::{GAME, Staff},
    named,
};
use kernel::{Dice, Game, Pending, Seat, Setup, Viewer};

/// No game takes more decisions than this.
const PATIENCE: u64 = 20_000;

/// Every scenario of every edition without options, and the campaign with each option by itself.
fn set_ups(game: &Ardennes44) -> Vec<Setup> {
    let info = game.info();
    let mut all = Vec::new();
    for edition in &info.editions {
        for scenario in &info.scenarios {
            let plain = Setup {
                game: info.id.clone(),
                edition: Some(edition.clone()),
                scenario: scenario.id.clone(),
                ..Setup::default()
            };
            if game.rules(&plain).is_err() {
                continue; // not in this edition
            }
            if scenario.id == "campaign" {
                let fits = |of: &[String]| of.is_empty() || of.contains(edition);
                for option in info.options.iter().filter(|option| fits(&option.editions)) {
                    all.push(Setup { options: vec![option.id.clone()], ..plain.clone() });
                }
            }
            all.push(plain);
        }
    }
    all
}

/// Plays until the game is over, or until `stop` returns true. Returns the decisions.
fn play(
    game: &Ardennes44,
    setup: &Setup,
    levels: [Level; 2],
    seed: u64,
    stop: impl Fn(u64) -> bool,
) -> Result<u64, String> {
    let mut table = game.open(setup).map_err(|e| e.to_string())?;
    let mut bots = levels.map(|level| {
        let maker = named::<Staff>(GAME, level.id()).expect("every level has a bot");
        maker(seed).expect("every level has a bot")
    });
    let mut dice = Dice::from_number(seed);
    let cancel = AtomicBool::new(false);
    let mut decisions = 0;
    while !stop(decisions) {
        let Pending::One(asked) = table.pending() else { break };
        let number = decisions;
        let at = |what: String| format!("decision {number}: {what}");
        let choice = bots[usize::from(asked.0)]
            .choose(&*table, asked, &cancel)
            .ok_or_else(|| at("no choice".into()))?;
        table
            .apply(asked, &choice.action, &mut dice)
            .map_err(|stop| at(format!("{}: {stop}", choice.action)))?;
        dice.forget();
        if decisions % 50 == 0 {
            for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator] {
                assert!(table.view(viewer).turn.is_some(), "every view has its turn");
            }
        }
        decisions += 1;
        if decisions > PATIENCE {
            return Err("no end".into());
        }
    }
    Ok(decisions)
}

#[test]
fn a_moment_of_everything() {
    const EACH: Duration = Duration::from_millis(1200);
    const LONGEST: Duration = Duration::from_secs(40);
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let begun = Instant::now();
    for (seed, setup) in set_ups(&game).iter().enumerate().take_while(|_| begun.elapsed() < LONGEST) {
        let started = Instant::now();
        let levels =
            if seed % 2 == 0 { [Level::Recruit, Level::Regular] } else { [Level::Regular, Level::Recruit] };
        play(&game, setup, levels, seed as u64, |_| started.elapsed() > EACH)
            .unwrap_or_else(|fault| panic!("{setup:?} seed {seed}: {fault}"));
    }
}

#[test]
#[ignore = "takes minutes"]
fn soak() {
    const PAIRS: [[Level; 2]; 4] = [
        [Level::Regular, Level::Regular],
        [Level::Recruit, Level::Random],
        [Level::Random, Level::Regular],
        [Level::Recruit, Level::Recruit],
    ];
    let wanted = std::env::var("GROGNARD_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000u64);
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let set_ups = set_ups(&game);
    let (mut done, mut failures, begun) = (0, Vec::new(), Instant::now());
    for (seed, setup) in set_ups.iter().cycle().enumerate() {
        if done >= wanted || failures.len() >= 5 {
            break;
        }
        let levels = PAIRS[seed / set_ups.len() % PAIRS.len()];
        match catch_unwind(AssertUnwindSafe(|| play(&game, setup, levels, seed as u64, |_| false))) {
            Ok(Ok(decisions)) => done += decisions,
            Ok(Err(fault)) => failures.push(format!("{setup:?} {levels:?} seed {seed}: {fault}")),
            Err(_) => failures.push(format!("{setup:?} {levels:?} seed {seed}: a panic (above)")),
        }
    }
    println!("{done} decisions in {:.1} s", begun.elapsed().as_secs_f64());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
