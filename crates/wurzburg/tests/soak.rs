//! The soak test: random games of every scenario with random options. Every listed option must be accepted, every game
//! must end, and invariants are checked now and then: steps are neither created nor lost, no unit has too many, enemies
//! never share a hex, states and notation round-trip.
//!
//!     cargo test --profile soak -p wurzburg --test soak -- --ignored --nocapture    # GROGNARD_SOAK=N decisions, 5,000,000 if unset

use std::time::Instant;

use kernel::{Dice, Game as _, Log, Pending, Rules as _, Setup, Verdict, Viewer, erased::random_action};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore as _, SeedableRng as _};
use wurzburg::{
    AirAndArmor, Wurzburg, game,
    state::{Place, State, Variant},
    units::Side,
};

/// The longest game, in decisions.
const PATIENCE: u64 = 400_000;

/// Invariants of every position.
fn check(rules: &Wurzburg, state: &State) -> Result<(), String> {
    for (n, pool) in rules.pools.iter().enumerate() {
        let left: u32 = pool.units.iter().map(|unit| u32::from(state.unit(*unit).steps)).sum();
        let lost = u32::from(state.lost[n]);
        if left + lost > u32::from(pool.steps) {
            return Err(format!("{}: {left} steps and {lost} lost of {}", pool.id, pool.steps));
        }
    }
    for unit in state.ids() {
        let u = state.unit(unit);
        let counter = rules.counter(unit);
        let flies = !counter.symbol.ground();
        if !flies && u.steps > counter.max_steps {
            return Err(format!("{} has {} steps", counter.id, u.steps));
        }
        if u.place == Place::Spare && u.steps > 0 {
            return Err(format!("{} has {} steps in hand", counter.id, u.steps));
        }
        if u.on_map() != u.hex.some().is_some() && !matches!(u.place, Place::Bridge | Place::Exited) {
            return Err(format!("{} is {} with hex {:?}", counter.id, u.place.key(), u.hex));
        }
    }
    let storms = matches!(state.op.variant, Variant::Overrun | Variant::Close);
    let (wp, _) = rules.presence(state, Side::Wp);
    let (nato, _) = rules.presence(state, Side::Nato);
    if !storms && let Some(hex) = wp.iter().find(|hex| nato.contains(*hex)) {
        return Err(format!("enemies share {}", rules.field.label(hex)));
    }
    let text = serde_json::to_string(state).map_err(|e| e.to_string())?;
    let read: State = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    if read != *state { Err("the state read again is another".into()) } else { Ok(()) }
}

/// Play one game to its end, or for at most this many decisions.
fn play(rules: &Wurzburg, seed: u64, most: u64) -> Result<u64, String> {
    let mut state = game::start(rules).map_err(|e| e.to_string())?;
    let (mut dice, mut rng) = (Dice::from_number(seed), ChaCha8Rng::seed_from_u64(seed));
    let (mut subjects, mut actions, mut log) = (Vec::new(), Vec::new(), Log::default());
    let mut decisions = 0;
    while decisions < most {
        let seat = match rules.pending(&state) {
            Pending::One(seat) => seat,
            Pending::Over(_) => return Ok(decisions),
            Pending::Each(_) | Pending::Any(_) => return Err("nobody decides in secret here".into()),
        };
        let at = || format!("seed {seed}, decision {decisions} at {:?}, turn {}", state.top(), state.turn);
        let action = random_action(rules, &state, seat, &mut rng, &mut subjects, &mut actions)
            .ok_or_else(|| format!("{}: nothing to do", at()))?;
        if decisions % 97 == 0 {
            let text = rules.notate(&state, &action);
            if let Verdict::Illegal(no) = rules.verdict(&state, seat, &action) {
                return Err(format!("{}: `{text}` is listed and refused: {no:?}", at()));
            }
            match rules.parse(&state, seat, &text) {
                Ok(read) if read == action => {}
                other => return Err(format!("{}: `{text}` reads as {other:?}", at())),
            }
        }
        if decisions % 499 == 0 {
            check(rules, &state).map_err(|e| format!("{}: {e}", at()))?;
        }
        if decisions % 4999 == 0 {
            for viewer in [Viewer::Seat(seat), Viewer::Spectator] {
                let _ = rules.view(&state, viewer);
            }
        }
        log.clear();
        let text = rules.notate(&state, &action);
        if let Err(stop) = rules.apply(&mut state, seat, &action, &mut dice, &mut log) {
            return Err(format!("seed {seed}, decision {decisions}, turn {}: `{text}`: {stop}", state.turn));
        }
        decisions += 1;
    }
    if most < PATIENCE {
        Ok(decisions)
    } else {
        Err(format!("seed {seed}: no end after {decisions} decisions"))
    }
}

fn soak(total: u64, most: u64, options: impl Fn(&AirAndArmor, &mut ChaCha8Rng) -> Vec<String>) {
    let game = AirAndArmor::new().expect("the shipped pack is sound");
    let scenarios: Vec<String> = game.info().scenarios.iter().map(|s| s.id.clone()).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let begin = Instant::now();
    let (mut seed, mut done, mut games) = (0, 0, 0);
    while done < total {
        for scenario in &scenarios {
            let options = options(&game, &mut rng);
            let setup = Setup { scenario: scenario.clone(), options: options.clone(), ..Setup::default() };
            let rules = game.rules(&setup).expect("the scenario is known");
            match play(&rules, seed, most) {
                Ok(decisions) => done += decisions,
                Err(why) => panic!("{scenario} {options:?}: {why}"),
            }
            (seed, games) = (seed + 1, games + 1);
            if done >= total {
                break;
            }
        }
        let rate = done as f64 / begin.elapsed().as_secs_f64();
        println!("{done} decisions of {games} games, {rate:.0} a second");
    }
}

/// A little of every scenario.
#[test]
fn a_short_soak() {
    soak(7 * 300, 300, |_, _| vec!["gas".into()]);
}

#[test]
#[ignore = "takes long; run it with the profile soak"]
fn the_long_soak() {
    let total = std::env::var("GROGNARD_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(5_000_000);
    soak(total, PATIENCE, |game, rng| {
        let mut options: Vec<String> = game.info().options.iter().map(|o| o.id.clone()).collect();
        options.retain(|_| rng.next_u32() & 1 == 1);
        options
    });
}
