//! Soak test: random games of every scenario in both editions. Every listed option must be accepted and reported, and
//! every game must end; periodic checks compare verdict and notation, the state with its serialized form, and
//! incrementally maintained data with data computed from scratch, and build both sides' views.
//!
//! The ordinary test run plays a little of every edition with each of its options. The long soak plays games with a
//! random set of options until ten million decisions are taken (or `GROGNARD_SOAK` of them):
//!
//!     cargo test --profile soak -p ardennes --test soak -- --ignored --nocapture

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use ardennes::{
    Ardennes44, action::Action, frame::Frame, game, pack::Side, rules::Ardennes, state::State, supply,
};
use kernel::{
    Dice, Game as _, Log, Pending, Rules as _, Seat, Setup, Verdict, Viewer, erased::random_action,
};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore as _, SeedableRng as _};

/// No game takes more decisions than this.
const PATIENCE: u64 = 200_000;

/// How much was played of one scenario in one edition.
#[derive(Default)]
struct Played {
    games: u64,
    decisions: u64,
    dice: u64,
    longest: u64,
    endings: BTreeMap<String, u64>,
}

/// Every scenario of every edition.
fn set_ups(game: &Ardennes44) -> Vec<Setup> {
    let info = game.info();
    let of = |edition: &String, scenario: &str| Setup {
        game: info.id.clone(),
        edition: Some(edition.clone()),
        scenario: scenario.to_owned(),
        ..Setup::default()
    };
    let all = info.editions.iter().flat_map(|edition| info.scenarios.iter().map(|s| of(edition, &s.id)));
    all.filter(|setup| game.rules(setup).is_ok()).collect()
}

/// The options that the edition has.
fn options_of(game: &Ardennes44, edition: Option<&String>) -> Vec<String> {
    let fits = |of: &Vec<String>| of.is_empty() || edition.is_some_and(|edition| of.contains(edition));
    game.info().options.iter().filter(|o| fits(&o.editions)).map(|o| o.id.clone()).collect()
}

/// A random subset of the options.
fn some_options(game: &Ardennes44, edition: Option<&String>, rng: &mut ChaCha8Rng) -> Vec<String> {
    let mut options = options_of(game, edition);
    options.retain(|_| rng.next_u32() & 1 == 1);
    options
}

/// Incrementally maintained data equals data computed from scratch; a state survives serialization.
fn check_state(rules: &Ardennes, state: &State) -> Result<(), String> {
    let mut fresh = *state;
    rules.refresh_all(&mut fresh);
    if fresh != *state {
        return Err("the sets kept along the way differ from those worked out afresh".into());
    }
    for side in Side::ALL {
        let roads = supply::road_hexes(rules, state, side);
        let all = supply::supplied_hexes(rules, state, side);
        let differs =
            |hex: &hexgrid::HexId| supply::traces(rules, state, side, *hex, &roads) != all.contains(*hex);
        if let Some(hex) = state.held(side).iter().find(differs) {
            return Err(format!("supply of {}: one unit's line and all lines differ", rules.label(hex)));
        }
    }
    let text = serde_json::to_string(state).map_err(|e| e.to_string())?;
    let read: State = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    if read != *state { Err("the state read again is another".into()) } else { Ok(()) }
}

/// Plays one game to its end, or up to this many decisions.
fn play(rules: &Ardennes, seed: u64, most: u64, played: &mut Played) -> Result<(), String> {
    let mut state = game::start(rules).map_err(|e| e.to_string())?;
    let (mut dice, mut rng) = (Dice::from_number(seed), ChaCha8Rng::seed_from_u64(seed));
    let (mut subjects, mut actions, mut log) = (Vec::new(), Vec::new(), Log::default());
    let (mut decisions, mut lines) = (0, Vec::new());
    while decisions < most {
        let seat = match rules.pending(&state) {
            Pending::One(seat) => seat,
            Pending::Over(over) => {
                *played.endings.entry(over.why.key.into_owned()).or_default() += 1;
                break;
            }
            Pending::Each(_) | Pending::Any(_) => return Err("nobody decides in secret here".into()),
        };
        let at = || format!("decision {decisions} at {:?}, turn {}", state.top(), state.turn);
        let mut action = random_action(rules, &state, seat, &mut rng, &mut subjects, &mut actions)
            .ok_or_else(|| format!("{}: nothing to do", at()))?;
        // A short run does not spend its decisions on placing counters.
        if most < PATIENCE && matches!(state.top(), Frame::SetUp(_)) {
            let placed = rules.verdict(&state, seat, &Action::Done) == Verdict::Legal;
            action = if placed { Action::Done } else { Action::Deploy };
        }
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
        if decisions % 4999 == 0 {
            check_state(rules, &state).map_err(|e| format!("{}: {e}", at()))?;
        }
        log.clear();
        if let Err(stop) = rules.apply(&mut state, seat, &action, &mut dice, &mut log) {
            return Err(format!("decision {decisions}: {action:?} was listed and refused: {stop:?}"));
        }
        for event in log.events() {
            rules.report(&state, event, &mut lines);
        }
        lines.clear();
        if decisions % 211 == 0 {
            for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator] {
                let view = rules.view(&state, viewer);
                assert!(view.turn.is_some(), "every view has its turn");
            }
        }
        played.dice += dice.rolled() as u64;
        dice.forget();
        decisions += 1;
        if decisions > PATIENCE {
            return Err(format!("no end after {decisions} decisions"));
        }
    }
    check_state(rules, &state)?;
    played.games += 1;
    played.decisions += decisions;
    played.longest = played.longest.max(decisions);
    Ok(())
}

/// A short run of every scenario and edition, and of every option by itself.
#[test]
fn a_moment_of_everything() {
    const DECISIONS: u64 = 250;
    const LONGEST: Duration = Duration::from_secs(40);
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let mut all = set_ups(&game);
    for setup in set_ups(&game).into_iter().filter(|setup| setup.scenario == "campaign") {
        for option in options_of(&game, setup.edition.as_ref()) {
            all.push(Setup { options: vec![option], ..setup.clone() });
        }
    }
    let begun = Instant::now();
    for (seed, setup) in all.iter().enumerate().take_while(|_| begun.elapsed() < LONGEST) {
        let rules = game.rules(setup).expect("every option belongs to its edition");
        if let Err(fault) = play(&rules, seed as u64, DECISIONS, &mut Played::default()) {
            panic!("{setup:?} seed {seed}: {fault}");
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn soak() {
    let wanted = std::env::var("GROGNARD_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000_000u64);
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let set_ups = set_ups(&game);
    let mut shares: BTreeMap<String, Played> = BTreeMap::new();
    let mut options = ChaCha8Rng::seed_from_u64(1944);
    let (mut done, mut failures) = (0, Vec::new());
    let begun = Instant::now();
    for (seed, setup) in set_ups.iter().cycle().enumerate() {
        if done >= wanted || failures.len() >= 5 {
            break;
        }
        let chosen = some_options(&game, setup.edition.as_ref(), &mut options);
        let setup = Setup { options: chosen, ..setup.clone() };
        let rules = game.rules(&setup).expect("every option belongs to its edition");
        let name = format!("{} {}", setup.edition.as_deref().unwrap_or_default(), setup.scenario);
        let share = shares.entry(name).or_default();
        let before = share.decisions;
        let result = catch_unwind(AssertUnwindSafe(|| play(&rules, seed as u64, u64::MAX, share)));
        done += share.decisions - before;
        match result {
            Ok(Ok(())) => {}
            Ok(Err(fault)) => failures.push(format!("{setup:?} seed {seed}: {fault}")),
            Err(_) => failures.push(format!("{setup:?} seed {seed}: a panic (above)")),
        }
    }
    for (name, share) in &shares {
        println!(
            "{name:28} {:>6} games {:>9} decisions {:>9} dice, longest {:>6}: {:?}",
            share.games, share.decisions, share.dice, share.longest, share.endings
        );
    }
    println!("{done} decisions in {:.1} s", begun.elapsed().as_secs_f64());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
