//! The kernel's test-kit on every scenario: options are legal, notation and states round-trip, replay and undo agree,
//! nothing hidden leaks.

use std::sync::Arc;

use ardennes::{Ardennes44, game, state::State};
use kernel::{Setup, Viewer, testkit::Kit};
use rand_core::RngCore;

/// The same position with other fuel dumps real: what the German must not know (32.1).
fn scramble(state: &State, viewer: Viewer, rng: &mut dyn RngCore) -> State {
    let mut other = *state;
    if viewer.knows(ardennes::play::seat(ardennes::pack::Side::Allied)) {
        return other;
    }
    let mut hidden: Vec<usize> = (0..other.dumps.len()).filter(|i| !other.dumps[*i].revealed).collect();
    if hidden.iter().any(|i| other.dumps[*i].real) && hidden.len() > 1 {
        let pick = hidden.remove(rng.next_u32() as usize % hidden.len());
        for dump in &mut other.dumps {
            if !dump.revealed {
                dump.real = false;
            }
        }
        other.dumps[pick].real = true;
    }
    other
}

fn check(scenario: &str, edition: &str, options: &[&str], seeds: std::ops::Range<u64>, every: u32) {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let setup = Setup {
        scenario: scenario.into(),
        edition: Some(edition.into()),
        options: options.iter().map(|o| (*o).to_owned()).collect(),
        ..Setup::default()
    };
    let rules = Arc::new(game.rules(&setup).expect("the scenario is known"));
    let start = game::start(&rules).expect("it opens");
    let mut kit = Kit::new(rules, start).seeds(seeds).max_decisions(100_000).every(every);
    if options.contains(&"fuel_dumps") {
        kit = kit.scramble(scramble);
    }
    if let Err(failure) = kit.run() {
        panic!("{scenario} {edition} {options:?}: {failure}");
    }
}

#[test]
fn six_turns() {
    check("six_turn", "2e", &[], 0..1, 40);
}

#[test]
fn six_turns_with_every_option() {
    check("six_turn", "2e", &["fuel_dumps", "roadblocks", "fifteen_factors"], 1..2, 40);
}

#[test]
fn six_turns_of_the_first_edition() {
    check("six_turn", "1e", &["fuel_dumps", "ccb9", "weak_engineers"], 2..3, 40);
}
