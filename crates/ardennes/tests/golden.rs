//! Recorded campaigns: a random game of each edition, decision by decision, kept in a file. A change in it is a change in what
//! the rules offer or do, and is reviewed like code. Written anew with `GROGNARD_BLESS=1`.
//!
//! A line is a decision: who, of how many subjects and options, what, the dice. At every new turn stands a digest of the
//! position.

use std::fmt::Write as _;
use std::path::Path;

use ardennes::{Ardennes44, game, state::State};
use kernel::{Dice, Log, Pending, Rules as _, Setup, erased::random_action, log::Event, testkit::golden};
use rand_core::SeedableRng;

/// A number for the position: counters, control, bridges and markers (FNV-1a of their JSON).
fn digest(state: &State) -> u64 {
    let all = serde_json::to_value(state).expect("a state is plain data");
    let field = &all["field"];
    let parts = [
        &field["units"],
        &field["control"],
        &all["improved"],
        &all["digging"],
        &field["bridges"],
        &all["traffic"],
        &all["roadblocks"],
        &all["advantages"],
    ];
    let text = parts.map(ToString::to_string).concat();
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A random campaign as text.
fn campaign(edition: &str, options: &[&str], seed: u64) -> String {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let setup = Setup {
        scenario: "campaign".into(),
        edition: Some(edition.into()),
        options: options.iter().map(|o| (*o).to_owned()).collect(),
        ..Setup::default()
    };
    let rules = game.rules(&setup).expect("it is shipped");
    let mut state = game::start(&rules).expect("it opens");
    let mut dice = Dice::from_number(seed);
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let (mut subjects, mut actions, mut log) = (Vec::new(), Vec::new(), Log::default());
    let mut out = format!("campaign {edition} {}, seed {seed}\n", options.join(" "));
    let mut turn = (0, false);
    loop {
        if turn != (state.turn, state.night) {
            turn = (state.turn, state.night);
            let night = if turn.1 { " night" } else { "" };
            writeln!(out, "= {}{night} {:016x}", turn.0, digest(&state)).expect("a string takes everything");
        }
        let seat = match rules.pending(&state) {
            Pending::One(seat) => seat,
            Pending::Over(over) => {
                writeln!(out, "over {:?} {} {}", over.winner.map(|w| w.0), over.why.key, over.rule)
                    .expect("a string takes everything");
                return out;
            }
            Pending::Each(_) | Pending::Any(_) => panic!("nobody decides in secret here"),
        };
        let action = random_action(&rules, &state, seat, &mut rng, &mut subjects, &mut actions)
            .expect("somebody who is asked can answer");
        let text = rules.notate(&state, &action);
        log.clear();
        rules.apply(&mut state, seat, &action, &mut dice, &mut log).expect("listed options are legal");
        let rolls = log.events().iter().filter_map(|event| match event {
            Event::Roll(roll) => Some(roll.value.to_string()),
            Event::Game(_) => None,
        });
        let rolls = rolls.collect::<Vec<_>>().concat();
        let bracket = if rolls.is_empty() { String::new() } else { format!(" [{rolls}]") };
        writeln!(out, "{} {}/{} {text}{bracket}", seat.0, subjects.len(), actions.len() + 1)
            .expect("a string takes everything");
        dice.forget();
    }
}

fn check(name: &str, edition: &str, options: &[&str], seed: u64) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    golden(&path, &campaign(edition, options, seed)).unwrap_or_else(|change| panic!("{change}"));
}

#[test]
fn second_edition() {
    check("campaign-2e.txt", "2e", &["fuel_dumps", "roadblocks"], 44);
}

#[test]
fn first_edition() {
    check("campaign-1e.txt", "1e", &["fuel_dumps", "ccb9"], 44);
}
