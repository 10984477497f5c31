//! Questions that few games reach. For each, a short game that leads to it is kept in a file, which the browser tests
//! use to open their tables. After a change of the rules they are searched for again, which takes a minute:
//!
//!     cargo test --release -p ardennes --test questions -- --ignored
//!
//! A section of the file is a game: `= QUESTION SETUP`, its seed, then a line for each decision: the seat, the action,
//! [the dice], and the position in the dice stream after it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ardennes::{Ardennes44, action::Action, frame::Frame, game, pack::Side, rules::Ardennes, state::State};
use kernel::{
    Dice, Log, Pending, Rules as _, Seat, Setup, dice::seed_from_number, erased::random_action,
    session::Session,
};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore as _, SeedableRng as _};

/// A question and a game in which it may be asked: scenario, edition.
const QUESTIONS: [(&str, &str, &str); 9] = [
    ("walk", "six_turn", "2e"),
    ("infiltrate", "six_turn", "2e"),
    ("overstacked", "six_turn", "2e"),
    ("call_off", "six_turn", "2e"),
    ("recon", "six_turn", "2e"),
    ("advantage", "six_turn", "2e"),
    ("breakthrough", "six_turn", "2e"),
    ("counterattack", "campaign", "1e"),
    ("antwerp", "patton", "2e"),
];

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/e2e/questions.txt")
}

fn setup(scenario: &str, edition: &str) -> Setup {
    Setup {
        game: "ardennes44".into(),
        scenario: scenario.into(),
        edition: Some(edition.into()),
        ..Setup::default()
    }
}

fn asked(rules: &Ardennes, state: &State) -> Option<(Seat, String)> {
    let Pending::One(seat) = rules.pending(state) else { return None };
    Some((seat, rules.prompt(state, seat).message.key.replacen("prompt.", "", 1)))
}

type Line = (Seat, Action);

struct Finder<'a> {
    rules: &'a Ardennes,
    start: State,
    question: &'static str,
}

impl Finder<'_> {
    /// Plays those lines that are legal until the question is asked, and returns them.
    fn replay(&self, lines: &[Line], seed: u64) -> Option<Vec<Line>> {
        let (mut state, mut dice, mut log) = (self.start, Dice::from_number(seed), Log::default());
        let mut played = Vec::new();
        for (seat, action) in lines {
            if self.reached(&state)? {
                break;
            }
            log.clear();
            let awaited = self.rules.pending(&state) == Pending::One(*seat);
            if awaited
                && self.rules.verdict(&state, *seat, action).is_legal()
                && self.rules.apply(&mut state, *seat, action, &mut dice, &mut log).is_ok()
            {
                played.push((*seat, *action));
            }
            dice.forget();
        }
        self.reached(&state)?.then_some(played)
    }

    /// Is the question asked, with something to choose? None: the game is over.
    fn reached(&self, state: &State) -> Option<bool> {
        let (seat, key) = asked(self.rules, state)?;
        if key != self.question {
            return Some(false);
        }
        let (mut subjects, mut options) = (Vec::new(), Vec::new());
        self.rules.subjects(state, seat, &mut subjects);
        for subject in subjects {
            self.rules.options(state, seat, subject, &mut options);
        }
        Some(options.len() > 1)
    }

    /// A random game with few moves and many attacks, in which German units head for the exits if the question needs
    /// it.
    fn play(&self, seed: u64, most: usize) -> Option<Vec<Line>> {
        let (mut state, mut dice, mut log) = (self.start, Dice::from_number(seed), Log::default());
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut lines = Vec::new();
        while !self.reached(&state)? {
            if lines.len() >= most {
                return None;
            }
            let Pending::One(seat) = self.rules.pending(&state) else { return None };
            let action = self.choose(&state, seat, &mut rng)?;
            log.clear();
            self.rules.apply(&mut state, seat, &action, &mut dice, &mut log).ok()?;
            dice.forget();
            lines.push((seat, action));
        }
        Some(lines)
    }

    fn choose(&self, state: &State, seat: Seat, rng: &mut ChaCha8Rng) -> Option<Action> {
        let legal = |action: &Action| self.rules.verdict(state, seat, action).is_legal();
        let frame = state.top();
        if matches!(frame, Frame::SetUp(_)) {
            let deploy = self.rules.parse(state, seat, "deploy").ok();
            return Some(Action::Done).filter(legal).or(deploy);
        }
        if frame == Frame::Movement && self.question == "antwerp" {
            return self.westward(state, seat, rng).or(Some(Action::Done));
        }
        let on = match frame {
            Frame::Movement => 85,
            Frame::Attacks => 90,
            _ => 50,
        };
        if rng.next_u32() % 100 >= on && legal(&Action::Done) {
            return Some(Action::Done);
        }
        random_action(self.rules, state, seat, rng, &mut Vec::new(), &mut Vec::new())
    }

    /// A German move towards the roads to Antwerp (11.9).
    fn westward(&self, state: &State, seat: Seat, rng: &mut ChaCha8Rng) -> Option<Action> {
        if state.side != Side::German {
            return None;
        }
        let exit = self.rules.map.board.find("W3233").ok()?;
        let far = |hex| self.rules.map.board.distance(hex, exit);
        let (mut subjects, mut options) = (Vec::new(), Vec::new());
        self.rules.subjects(state, seat, &mut subjects);
        for _ in 0..12 {
            let subject = subjects[rng.next_u32() as usize % subjects.len()];
            options.clear();
            self.rules.options(state, seat, subject, &mut options);
            let best = options
                .iter()
                .filter_map(|action| match action {
                    Action::Move(mv) => {
                        let from = mv.units.first().and_then(|unit| state.unit(*unit).hex())?;
                        let gain = far(from) as i32 - far(mv.to) as i32;
                        Some((if mv.out { 1000 } else { gain }, action))
                    }
                    _ => None,
                })
                .max_by_key(|(gain, _)| *gain);
            if let Some((gain, action)) = best
                && gain > 2
            {
                return Some(*action);
            }
        }
        None
    }

    /// Removes every line that can be removed, trying other dice.
    fn shorten(&self, mut lines: Vec<Line>, mut seed: u64) -> (Vec<Line>, u64) {
        let mut chunk = lines.len() / 2;
        while chunk > 0 {
            let mut shorter = false;
            let mut at = 0;
            while at < lines.len() {
                let mut rest = lines.clone();
                rest.drain(at..(at + chunk).min(lines.len()));
                let others = if lines.len() < 150 { 40 } else { 1 };
                let fits = (0..others).map(|n| if n == 0 { seed } else { 1000 + n }).find_map(|dice| {
                    self.replay(&rest, dice).filter(|l| l.len() < lines.len()).map(|l| (l, dice))
                });
                if let Some((found, dice)) = fits {
                    (lines, seed, shorter) = (found, dice, true);
                } else {
                    at += chunk;
                }
            }
            if !shorter {
                chunk /= 2;
            }
            chunk = chunk.min(lines.len());
        }
        (lines, seed)
    }

    fn find(&self) -> Option<(Vec<Line>, u64)> {
        let most = if self.question == "antwerp" { 3000 } else { 900 };
        let found = (0..3000).filter_map(|seed| self.play(seed, most).map(|lines| (lines, seed)));
        found.take(3).map(|(lines, seed)| self.shorten(lines, seed)).min_by_key(|(lines, _)| lines.len())
    }
}

fn written(game: &Arc<Ardennes44>, question: &str, setup: &Setup, lines: &[Line], seed: u64) -> String {
    let rules = game.rules(setup).expect("it is shipped");
    let mut state = game::start(&rules).expect("it opens");
    let (mut dice, mut log) = (Dice::from_number(seed), Log::default());
    let head = serde_json::to_string(setup).expect("plain data");
    let mut out = format!("= {question} {head}\nseed ");
    for byte in seed_from_number(seed) {
        write!(out, "{byte:02x}").expect("a string takes everything");
    }
    out.push('\n');
    for (seat, action) in lines {
        let text = rules.notate(&state, action);
        log.clear();
        rules.apply(&mut state, *seat, action, &mut dice, &mut log).expect("it was played");
        let rolls: String = dice.take_rolled().iter().map(u8::to_string).collect();
        let bracket = if rolls.is_empty() { String::new() } else { format!(" [{rolls}]") };
        writeln!(out, "{} {text}{bracket} @{}", seat.0, dice.position()).expect("a string takes everything");
    }
    out
}

#[test]
#[ignore = "writes the file anew"]
fn find_them_anew() {
    let game = Arc::new(Ardennes44::new().expect("the shipped pack and map are sound"));
    let only = std::env::var("GROGNARD_QUESTION").ok();
    let mut out = String::new();
    for (question, scenario, edition) in QUESTIONS {
        if only.as_deref().is_some_and(|only| only != question) {
            continue;
        }
        let setup = setup(scenario, edition);
        let rules = game.rules(&setup).expect("it is shipped");
        let start = game::start(&rules).expect("it opens");
        let finder = Finder { rules: &rules, start, question };
        let Some((lines, seed)) = finder.find() else { panic!("{question} is never asked") };
        eprintln!("{question}: {} decisions, seed {seed}", lines.len());
        out += &written(&game, question, &setup, &lines, seed);
    }
    match only {
        None => std::fs::write(file(), out).expect("the file can be written"),
        Some(_) => println!("{out}"),
    }
}

/// The recorded games still lead to their questions, with the recorded dice.
#[test]
fn kept_games_ask_them() {
    let game = Arc::new(Ardennes44::new().expect("the shipped pack and map are sound"));
    let text = std::fs::read_to_string(file()).expect("the file is there");
    let mut kept = Vec::new();
    for section in text.split("= ").skip(1) {
        let mut lines = section.lines();
        let (question, head) = lines.next().and_then(|line| line.split_once(' ')).expect("a head");
        let setup: Setup = serde_json::from_str(head).expect("a set-up");
        let seed = lines.next().and_then(|line| line.strip_prefix("seed ")).expect("a seed");
        let byte = |n: usize| u8::from_str_radix(&seed[2 * n..2 * n + 2], 16).expect("64 hex digits");
        let mut session = Session::open(game.clone(), setup, std::array::from_fn(byte)).expect("it opens");
        for line in lines {
            let (seat, rest) = line.split_once(' ').expect("who and what");
            let (rest, at) = rest.rsplit_once(" @").expect("where the dice stand");
            let (action, rolls) =
                rest.strip_suffix(']').and_then(|r| r.rsplit_once(" [")).unwrap_or((rest, ""));
            let seat = Seat(seat.parse().expect("a seat"));
            let done =
                session.act(seat, action).unwrap_or_else(|stop| panic!("{question}: `{action}`: {stop}"));
            let rolled: String = done.applied.rolls.iter().map(u8::to_string).collect();
            assert_eq!(
                (rolled.as_str(), session.journal().dice_position().to_string().as_str()),
                (rolls, at),
                "{question}: {action}"
            );
        }
        let Pending::One(seat) = session.pending() else { panic!("{question}: nobody is asked") };
        assert_eq!(session.table().prompt(seat).message.key, format!("prompt.{question}"));
        kept.push(question.to_owned());
    }
    assert_eq!(kept, QUESTIONS.map(|(question, ..)| question));
}
