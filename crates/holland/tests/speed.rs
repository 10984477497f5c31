//! Where the time of random players goes, by question. Run with `cargo test --release -p holland --test speed --
//! --ignored --nocapture`; the official figures are those of `grognard bench holland44`.

use holland::{Action, Holland44, HollandTitle, State, frame::Frame, start};
use kernel::Setup;
use rulebook::{
    Title as _,
    bench::{Request, by_question},
};

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

#[test]
#[ignore = "a measurement, not a check"]
fn where_the_time_goes() {
    let game = Holland44::new().expect("the shipped pack and map are sound");
    let setup = Setup { scenario: "campaign".into(), ..Setup::default() };
    let rules = game.rules(&setup).expect("it is shipped");
    let begin = start(&rules).expect("it opens");
    let name = |state: &State, action: &Action| {
        let done = if *action == Action::Done { " (done)" } else { "" };
        format!("{}{done}", question(state.frame()))
    };
    println!("{}", by_question(&*rules, &begin, games(), name).expect("it can be played"));
}
