//! Benchmarks of random play and lines of sight, without building the whole program. Run with `cargo test --release -p
//! panzer --test speed -- --ignored --nocapture`; the official figures are those of `grognard bench panzer`. `GAMES=5`
//! sets the number of games, `SCENARIO=tebaga-gap` another scenario.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use hexgrid::HexId;
use kernel::{Dice, Log, Pending, Rules as _, Seat, Setup, erased::random_action};
use panzer::{PanzerNorthAfrica, game, los::Los, pack::Pack, rules::Panzer, state::State};
use rand_core::{RngCore, SeedableRng};

/// Processor time of this thread in seconds, if the system reports it; otherwise wall-clock time.
fn processor_seconds(begun: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begun.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

fn opened() -> (Panzer, State) {
    let game = PanzerNorthAfrica::new().expect("the shipped pack is sound");
    let scenario = std::env::var("SCENARIO").unwrap_or_else(|_| "sidi-rezegh".into());
    let setup = Setup { scenario, ..Setup::default() };
    let rules = game.rules(&setup).expect("it is shipped");
    let start = game::start(&rules).expect("it opens");
    (rules, start)
}

/// The seat that decides next; if there are several, the first.
fn asked(pending: Pending) -> Option<Seat> {
    pending.first()
}

fn games() -> u64 {
    std::env::var("GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(20)
}

#[test]
#[ignore = "a measurement, not a check"]
fn random_games_per_second() {
    let (rules, start) = opened();
    let (mut subjects, mut actions, mut log) = (Vec::new(), Vec::new(), Log::default());
    let mut state = start.clone();
    let (mut decisions, mut before, begun) = (0u64, 0.0, Instant::now());
    // The first game warms up: buffers grow to their size, and visibility is computed.
    for seed in 0..=games() {
        if seed == 1 {
            (decisions, before) = (0, processor_seconds(begun));
        }
        state.clone_from(&start);
        let mut dice = Dice::from_number(seed);
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        while let Some(seat) = asked(rules.pending(&state)) {
            let action = random_action(&rules, &state, seat, &mut rng, &mut subjects, &mut actions)
                .expect("somebody who is asked can answer");
            log.clear();
            rules.apply(&mut state, seat, &action, &mut dice, &mut log).expect("listed options are legal");
            dice.forget();
            decisions += 1;
        }
    }
    let seconds = processor_seconds(begun) - before;
    println!("{decisions} decisions, {:.0} per second", decisions as f64 / seconds);
}

/// Time and count of one kind of question.
#[derive(Default)]
struct Share {
    decisions: u64,
    listed: u64,
    choosing: f64,
    doing: f64,
}

#[test]
#[ignore = "a measurement, not a check"]
fn where_the_time_goes() {
    let (rules, start) = opened();
    rules.los.prepare();
    let (mut subjects, mut actions, mut log) = (Vec::new(), Vec::new(), Log::default());
    let mut shares: BTreeMap<String, Share> = BTreeMap::new();
    for seed in 0..games() {
        let mut state = start.clone();
        let mut dice = Dice::from_number(seed);
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        while let Some(seat) = asked(rules.pending(&state)) {
            let frame = format!("{:?}", state.top());
            let name = frame.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_owned();
            let begun = Instant::now();
            let action = random_action(&rules, &state, seat, &mut rng, &mut subjects, &mut actions)
                .expect("somebody who is asked can answer");
            let chosen = Instant::now();
            log.clear();
            rules.apply(&mut state, seat, &action, &mut dice, &mut log).expect("listed options are legal");
            let done = Instant::now();
            dice.forget();
            let share = shares.entry(name).or_default();
            share.decisions += 1;
            share.listed += actions.len() as u64 + 1;
            share.choosing += (chosen - begun).as_secs_f64();
            share.doing += (done - chosen).as_secs_f64();
        }
    }
    let all: f64 = shares.values().map(|s| s.choosing + s.doing).sum();
    println!(
        "{:14} {:>9} {:>8} {:>9} {:>9} {:>6}",
        "question", "decisions", "options", "choose µs", "do µs", "share"
    );
    for (name, share) in &shares {
        let each = |time: f64| time * 1e6 / share.decisions as f64;
        println!(
            "{name:14} {:>9} {:>8.1} {:>9.2} {:>9.2} {:>5.1}%",
            share.decisions,
            share.listed as f64 / share.decisions as f64,
            each(share.choosing),
            each(share.doing),
            (share.choosing + share.doing) * 100.0 / all,
        );
    }
}

#[test]
#[ignore = "a measurement, not a check"]
fn lines_of_sight() {
    let pack = Pack::embedded().expect("the shipped pack is sound");
    let scenario = pack.scenario_for("aqqaqir").expect("it is shipped");
    let (_, field) = pack.field(&scenario).expect("it has a map");
    let begun = Instant::now();
    let mut mark = processor_seconds(begun);
    let mut lap = || {
        let before = std::mem::replace(&mut mark, processor_seconds(begun));
        (mark - before) * 1e6
    };
    let los = Los::new(&field, &pack.tables);
    println!("{} hexes, set-up {:.0} µs", field.count(), lap());
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let mut hex = || HexId((rng.next_u32() % field.count() as u32) as u16);
    const LINES: u32 = 200_000;
    let pairs: Vec<(HexId, HexId)> = (0..LINES).map(|_| (hex(), hex())).collect();
    lap();
    black_box(pairs.iter().filter(|(a, b)| los.between(*a, *b).clear).count());
    println!("{:.3} µs a line with its reason", lap() / f64::from(LINES));
    const HEXES: u32 = 300;
    let some: Vec<HexId> = (0..HEXES).map(|_| hex()).collect();
    lap();
    let mut seen = 0;
    for from in &some {
        // A fresh one each time, so that nothing is known from other hexes.
        seen += los.look_from(*from).len();
    }
    println!(
        "{:.1} µs everything seen from a hex ({} hexes on average)",
        lap() / f64::from(HEXES),
        seen / HEXES as usize
    );
}
