//! Where the time of random players goes, by question. Run with `cargo test --release -p holland --test speed --
//! --ignored --nocapture`; the official figures are those of `grognard bench holland44`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use holland::{Action, Holland44, HollandTitle, frame::Frame, start};
use kernel::{Dice, Log, Pending, Rules as _, Setup, erased::random_action};
use rand_core::SeedableRng;
use rulebook::{Title as _, bench::Request};

/// `GROGNARD_GAMES=1`: for profilers, which are slow.
fn games() -> u32 {
    std::env::var("GROGNARD_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(10)
}

/// The figures of `grognard bench holland44` without building all of it.
#[test]
#[ignore = "a measurement, not a check"]
fn random_campaigns_per_second() {
    for scenario in ["campaign", "nijmegen"] {
        let request = Request {
            scenario: Some(scenario),
            edition: None,
            games: games(),
            count_allocations: |work| allocation_counter::measure(work).count_total,
        };
        let figures = HollandTitle.bench(&request).expect("it can be played");
        println!(
            "{scenario}: {:.0} decisions per second, {:.2} ms a game, {:.2} µs a copy of {} bytes, {:.4} allocations a decision",
            figures.decisions_per_second,
            figures.campaign_ms,
            figures.clone_us,
            figures.state_bytes,
            figures.allocations_per_decision
        );
    }
}

/// The question in a word.
fn question(frame: &Frame) -> String {
    let whole = match frame {
        Frame::Phase(_, phase) => format!("{phase:?}"),
        Frame::Combat(combat) => format!("Combat{:?}", combat.step),
        other => format!("{other:?}"),
    };
    whole.chars().take_while(|c| c.is_alphabetic()).collect()
}

/// Time and count of one kind of question.
#[derive(Default)]
struct Share {
    decisions: u64,
    listed: u64,
    choosing: Duration,
    doing: Duration,
}

#[test]
#[ignore = "a measurement, not a check"]
fn where_the_time_goes() {
    let game = Holland44::new().expect("the shipped pack and map are sound");
    let setup = Setup { scenario: "campaign".into(), ..Setup::default() };
    let rules = game.rules(&setup).expect("it is shipped");
    let begin = start(&rules).expect("it opens");
    let (mut subjects, mut actions, mut log) = (Vec::new(), Vec::new(), Log::default());
    let mut shares: BTreeMap<String, Share> = BTreeMap::new();
    for seed in 0..u64::from(games()) {
        let mut state = begin.clone();
        let mut dice = Dice::from_number(seed);
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        while let Pending::One(seat) = rules.pending(&state) {
            let name = question(state.frame());
            let begun = Instant::now();
            let action = random_action(&*rules, &state, seat, &mut rng, &mut subjects, &mut actions)
                .expect("somebody who is asked can answer");
            let chosen = Instant::now();
            log.clear();
            rules.apply(&mut state, seat, &action, &mut dice, &mut log).expect("listed options are legal");
            let done = Instant::now();
            dice.forget();
            let done_with = if action == Action::Done { " (done)" } else { "" };
            let share = shares.entry(format!("{name}{done_with}")).or_default();
            share.decisions += 1;
            share.listed += actions.len() as u64 + 1;
            share.choosing += chosen - begun;
            share.doing += done - chosen;
        }
    }
    let all: Duration = shares.values().map(|s| s.choosing + s.doing).sum();
    println!(
        "{:28} {:>9} {:>8} {:>9} {:>9} {:>6}",
        "question", "decisions", "options", "choose µs", "do µs", "share"
    );
    for (name, share) in &shares {
        let each = |time: Duration| time.as_secs_f64() * 1e6 / share.decisions as f64;
        println!(
            "{name:28} {:>9} {:>8.1} {:>9.2} {:>9.2} {:>5.1}%",
            share.decisions,
            share.listed as f64 / share.decisions as f64,
            each(share.choosing),
            each(share.doing),
            (share.choosing + share.doing).as_secs_f64() * 100.0 / all.as_secs_f64(),
        );
    }
    let decisions: u64 = shares.values().map(|s| s.decisions).sum();
    println!("{decisions} decisions in {:.1} ms", all.as_secs_f64() * 1e3);
}
