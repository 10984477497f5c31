//! How fast random players are. Run with `cargo test --release -p ardennes --test speed -- --ignored --nocapture`; the
//! figures that count are those of `grognard bench ardennes44`.

use std::time::Instant;

use ardennes::{Ardennes44, game};
use kernel::{Dice, Log, Pending, Rules as _, Setup, erased::random_action};
use rand_core::SeedableRng;

#[test]
#[ignore = "a measurement, not a check"]
fn random_campaigns_per_second() {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let rules =
        game.rules(&Setup { scenario: "campaign".into(), ..Setup::default() }).expect("it is shipped");
    let start = game::start(&rules).expect("it opens");
    let (mut subjects, mut actions, mut log) = (Vec::new(), Vec::new(), Log::default());
    let (mut decisions, mut listed, games) = (0u64, 0u64, 20);
    let begun = Instant::now();
    for seed in 0..games {
        let mut state = start.clone();
        let mut dice = Dice::from_number(seed);
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        while let Pending::One(seat) = rules.pending(&state) {
            let action = random_action(&rules, &state, seat, &mut rng, &mut subjects, &mut actions)
                .expect("somebody who is asked can answer");
            listed += actions.len() as u64;
            log.clear();
            rules.apply(&mut state, seat, &action, &mut dice, &mut log).expect("listed options are legal");
            dice.forget();
            decisions += 1;
        }
    }
    let time = begun.elapsed();
    println!("{decisions} decisions, {:.1} options each", listed as f64 / decisions as f64);
    println!(
        "{:.0} decisions/s, {:.2} ms a campaign",
        decisions as f64 / time.as_secs_f64(),
        time.as_secs_f64() * 1000.0 / games as f64
    );
    let begun = Instant::now();
    let mut copies = start.clone();
    for _ in 0..100_000 {
        copies = std::hint::black_box(copies.clone());
    }
    println!(
        "{:.2} µs a copy, {} bytes",
        begun.elapsed().as_secs_f64() * 10.0,
        std::mem::size_of_val(&copies)
    );
}
