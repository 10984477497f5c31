//! Benchmarks of random play, without building the whole program. Run with `cargo test --release -p wurzburg --test
//! speed -- --ignored --nocapture`; the official figures are those of `grognard bench wurzburg`. `GAMES=5` sets the
//! number of games, `SCENARIO=bear-trap` another scenario.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use kernel::{Dice, Log, Pending, Rules as _, Setup, erased::random_action};
use rand_core::SeedableRng as _;
use rulebook::{Title as _, bench::Request};
use wurzburg::{AirAndArmor, Wurzburg, WurzburgTitle, game, state::State};

fn scenario() -> String {
    std::env::var("SCENARIO").unwrap_or_else(|_| "sixty-miles".into())
}

fn games() -> u32 {
    std::env::var("GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(5)
}

fn opened() -> (Wurzburg, State) {
    let game = AirAndArmor::new().expect("the shipped pack is sound");
    let setup = Setup { scenario: scenario(), ..Setup::default() };
    let rules = game.rules(&setup).expect("the scenario is known");
    let start = game::start(&rules).expect("it opens");
    (rules, start)
}

/// The figures of `grognard bench wurzburg`.
#[test]
#[ignore = "a measurement, not a check"]
fn random_games_per_second() {
    let scenario = scenario();
    let request = Request {
        scenario: Some(&scenario),
        edition: None,
        games: games(),
        count_allocations: |work| allocation_counter::measure(work).count_total,
    };
    let figures = WurzburgTitle.bench(&request).expect("games end");
    println!("{figures:#?}");
}

/// Time and count of one kind of question.
#[derive(Default)]
struct Share {
    decisions: u64,
    listed: u64,
    allocations: u64,
    choosing: Duration,
    doing: Duration,
}

/// Where the time goes, by question.
#[test]
#[ignore = "a measurement, not a check"]
fn where_the_time_goes() {
    let (rules, start) = opened();
    let (mut subjects, mut actions, mut log) = (Vec::new(), Vec::new(), Log::default());
    let mut shares: BTreeMap<String, Share> = BTreeMap::new();
    for seed in 0..u64::from(games()) {
        let mut state = start.clone();
        let mut dice = Dice::from_number(seed);
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        while let Pending::One(seat) = rules.pending(&state) {
            let frame = format!("{:?}", state.top());
            let name = frame.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
            let begun = Instant::now();
            let (mut chosen, mut done) = (begun, begun);
            let allocations = allocation_counter::measure(|| {
                let action = random_action(&rules, &state, seat, &mut rng, &mut subjects, &mut actions)
                    .expect("somebody who is asked can answer");
                chosen = Instant::now();
                log.clear();
                rules
                    .apply(&mut state, seat, &action, &mut dice, &mut log)
                    .expect("listed options are legal");
                done = Instant::now();
            });
            dice.forget();
            let share = shares.entry(name.into()).or_default();
            share.decisions += 1;
            share.listed += actions.len() as u64;
            share.allocations += allocations.count_total;
            share.choosing += chosen - begun;
            share.doing += done - chosen;
        }
    }
    let all: Duration = shares.values().map(|s| s.choosing + s.doing).sum();
    println!(
        "{:18} {:>9} {:>8} {:>11} {:>9} {:>9} {:>6}",
        "question", "decisions", "options", "allocations", "choose µs", "do µs", "share"
    );
    for (name, share) in &shares {
        let each = |number: f64| number / share.decisions as f64;
        println!(
            "{name:18} {:>9} {:>8.1} {:>11.2} {:>9.2} {:>9.2} {:>5.1}%",
            share.decisions,
            each(share.listed as f64),
            each(share.allocations as f64),
            each(share.choosing.as_secs_f64() * 1e6),
            each(share.doing.as_secs_f64() * 1e6),
            (share.choosing + share.doing).as_secs_f64() * 100.0 / all.as_secs_f64(),
        );
    }
    let decisions: u64 = shares.values().map(|s| s.decisions).sum();
    println!("{decisions} decisions in {:.1} ms", all.as_secs_f64() * 1e3);
}
