//! Where the time of random players goes, by the question that is asked. Run with `cargo test --release -p ardennes
//! --test speed -- --ignored --nocapture`; the authoritative figures are those of `grognard bench ardennes44`.

use std::time::Instant;

use ardennes::{Ardennes44, action::Action, game, state::State};
use kernel::{Dice, Log, Pending, Rules as _, Setup, erased::random_action};
use rand_core::SeedableRng;

/// Processor time of this thread in seconds, if the system provides it; otherwise wall-clock time.
fn processor_seconds(begun: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begun.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

/// The figures of `grognard bench ardennes44`, without building the whole program.
#[test]
#[ignore = "a measurement, not a check"]
fn random_campaigns_per_second() {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let rules =
        game.rules(&Setup { scenario: "campaign".into(), ..Setup::default() }).expect("it is shipped");
    let start = game::start(&rules).expect("it opens");
    let (mut subjects, mut actions, mut log) = (Vec::new(), Vec::new(), Log::default());
    let mut state = start;
    let (mut decisions, begun) = (0u64, Instant::now());
    let mut before = 0.0;
    // `GROGNARD_GAMES=2`: for slow tools that count instructions.
    let games: u64 = std::env::var("GROGNARD_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(20);
    // The first game lets every buffer grow to its final size.
    for seed in 0..=games {
        if seed == 1 {
            (decisions, before) = (0, processor_seconds(begun));
        }
        state.clone_from(&start);
        let mut dice = Dice::from_number(seed);
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        while let Pending::One(seat) = rules.pending(&state) {
            let action = random_action(&rules, &state, seat, &mut rng, &mut subjects, &mut actions)
                .expect("somebody who is asked can answer");
            log.clear();
            rules.apply(&mut state, seat, &action, &mut dice, &mut log).expect("listed options are legal");
            dice.forget();
            decisions += 1;
        }
    }
    let seconds = processor_seconds(begun) - before;
    println!(
        "{:.0} decisions per second, {:.2} ms a campaign",
        decisions as f64 / seconds,
        seconds * 1e3 / games as f64
    );
}

#[test]
#[ignore = "a measurement, not a check"]
fn copies_of_the_state() {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let rules =
        game.rules(&Setup { scenario: "campaign".into(), ..Setup::default() }).expect("it is shipped");
    let start = game::start(&rules).expect("it opens");
    let mut state = start;
    let begun = Instant::now();
    let before = processor_seconds(begun);
    const COPIES: u32 = 100_000;
    for _ in 0..COPIES {
        state.clone_from(std::hint::black_box(&start));
        std::hint::black_box(&state);
    }
    let each = (processor_seconds(begun) - before) * 1e6 / f64::from(COPIES);
    println!("{each:.2} µs a copy, {} bytes", std::mem::size_of_val(&state));
}

#[test]
#[ignore = "a measurement, not a check"]
fn where_the_time_goes() {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let rules =
        game.rules(&Setup { scenario: "campaign".into(), ..Setup::default() }).expect("it is shipped");
    let start = game::start(&rules).expect("it opens");
    let name = |state: &State, action: &Action| {
        let frame = format!("{:?}", state.top());
        let name = frame.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        format!("{name}{}", if *action == Action::Done { " (done)" } else { "" })
    };
    println!("{}", rulebook::bench::by_question(&rules, &start, 20, name).expect("it can be played"));
}
