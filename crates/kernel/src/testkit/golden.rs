//! Golden games: a random game as text, kept in a file. A change in it is reviewed like code.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{pick, rng, waiting};
use crate::dice::{self, seed_from_number};
use crate::erased::random_action;
use crate::log::Event;
use crate::{Catalog, Dice, Game, Log, Pending, Rules, Seat, Session, Setup, Viewer};

/// Set this environment variable to rewrite golden files.
pub const BLESS: &str = "GROGNARD_BLESS";

/// A random game, decision by decision: who was asked what, what was decided, the dice, the log as each viewer read it
/// at that moment, and a digest of each viewer's view.
pub fn playthrough(
    game: &Arc<dyn Game>,
    setup: &Setup,
    seed: u64,
    max_decisions: usize,
) -> Result<String, Box<dyn std::error::Error>> {
    let catalog = Catalog::of_game(&**game, "en")?;
    let seats = &game.info().seats;
    let mut viewers: Vec<(&str, Viewer)> =
        seats.iter().enumerate().map(|(n, s)| (s.id.as_str(), Viewer::Seat(Seat(n as u8)))).collect();
    viewers.push(("spectator", Viewer::Spectator));
    let mut session = Session::open(Arc::clone(game), setup.clone(), seed_from_number(seed))?;
    let mut rng = rng(seed);
    let mut out = format!("{} {}, seed {seed}\n", setup.game, setup.scenario);
    for n in 0..max_decisions {
        let asked = waiting(&session.pending());
        if asked.is_empty() {
            break;
        }
        let seat = asked[pick(&mut rng, asked.len())];
        let prompt = session.table().prompt(seat);
        let Some(action) = session.table().random_action(seat, &mut rng) else { break };
        let done = session.act(seat, &action)?;
        let side = seats.get(usize::from(seat.0)).map_or("?", |s| s.id.as_str());
        let asked = catalog.render(&prompt.message, &());
        writeln!(out, "\n{n} {side}: {} [{asked} {}]", done.applied.action, prompt.rule)?;
        if !done.applied.rolls.is_empty() {
            writeln!(out, "  dice {:?}", done.applied.rolls)?;
        }
        let read: Vec<Vec<String>> = viewers
            .iter()
            .map(|(_, viewer)| {
                let lines = session.log(*viewer, done.from);
                lines.iter().map(|line| catalog.render(&line.entry.message, &())).collect()
            })
            .collect();
        if read.iter().all(|lines| *lines == read[0]) {
            for line in &read[0] {
                writeln!(out, "  all read: {line}")?;
            }
        } else {
            for ((name, _), lines) in viewers.iter().zip(&read) {
                for line in lines {
                    writeln!(out, "  {name} reads: {line}")?;
                }
            }
        }
        for (name, viewer) in &viewers {
            let view = sorted(serde_json::to_value(session.table().view(*viewer))?).to_string();
            writeln!(out, "  {name} sees {}", &dice::hex(&Sha256::digest(view))[..16])?;
        }
    }
    if let Pending::Over(outcome) = session.pending() {
        let why = catalog.render(&outcome.why, &());
        let winner =
            outcome.winner.and_then(|w| seats.get(usize::from(w.0))).map_or("nobody", |s| s.id.as_str());
        writeln!(out, "\nover: {winner} wins. {why} [{}]", outcome.rule)?;
    }
    let view = sorted(serde_json::to_value(session.table().view(Viewer::Spectator))?);
    writeln!(out, "\nthe spectator's view at the end:\n{}", serde_json::to_string_pretty(&view)?)?;
    Ok(out)
}

/// How many decisions of each kind of question a recorded campaign writes out in full.
const WRITTEN_OUT: u32 = 4;

/// A random game from `state`, short enough to be reviewed: the first answers to each kind of question in full, and for
/// every turn a digest of all its decisions and of the position at its start. `position` picks the part of the state
/// that counts.
pub fn campaign<R: Rules>(
    rules: &R,
    mut state: R::State,
    seed: u64,
    max_decisions: usize,
    position: impl Fn(&R::State) -> Value,
) -> Result<String, Box<dyn std::error::Error>> {
    let mut dice = Dice::from_number(seed);
    let mut rng = rng(seed);
    let (mut subjects, mut actions, mut log) = (Vec::new(), Vec::new(), Log::default());
    let mut written: HashMap<(Seat, Cow<'static, str>), u32> = HashMap::new();
    let mut out = String::new();
    let mut turn = None;
    let (mut decisions, mut told) = (0, Sha256::new());
    for n in 0..=max_decisions {
        let asked = waiting(&rules.pending(&state));
        let now = Some(rules.turn(&state)).filter(|_| !asked.is_empty() && n < max_decisions);
        if now != turn {
            if let Some(turn) = turn {
                let hash = dice::hex(&std::mem::take(&mut told).finalize());
                writeln!(out, "turn {turn}: {decisions} decisions {}", &hash[..16])?;
            }
            let hash = dice::hex(&Sha256::digest(sorted(position(&state)).to_string()));
            writeln!(out, "= {} {}", now.map_or("the end".to_owned(), |n| format!("turn {n}")), &hash[..16])?;
            (turn, decisions) = (now, 0);
        }
        if now.is_none() {
            break;
        }
        let seat = asked[pick(&mut rng, asked.len())];
        let action = random_action(rules, &state, seat, &mut rng, &mut subjects, &mut actions)
            .ok_or("somebody who is asked cannot answer")?;
        let question = rules.prompt(&state, seat).message.key;
        let text = rules.notate(&state, &action);
        log.clear();
        rules.apply(&mut state, seat, &action, &mut dice, &mut log)?;
        let rolls: Vec<String> = log
            .events()
            .iter()
            .filter_map(|event| match event {
                Event::Roll(roll) => Some(roll.value.to_string()),
                Event::Game(_) => None,
            })
            .collect();
        let mut line = format!("{} {question}, {} options: {text}", seat.0, actions.len() + 1);
        if !rolls.is_empty() {
            line += &format!(" [{}]", rolls.join(" "));
        }
        told.update(&line);
        decisions += 1;
        let count = written.entry((seat, question)).or_default();
        *count += 1;
        if *count <= WRITTEN_OUT {
            writeln!(out, "{line}")?;
        }
        dice.forget();
    }
    if let Pending::Over(over) = rules.pending(&state) {
        let winner = over.winner.map_or("nobody".to_owned(), |seat| format!("seat {}", seat.0));
        writeln!(out, "over: {winner} wins, {} [{}]", over.why.key, over.rule)?;
    }
    Ok(out)
}

/// Sorts the keys, so that the result does not depend on how the JSON library was built.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut keys: Vec<(String, Value)> = object.into_iter().map(|(k, v)| (k, sorted(v))).collect();
            keys.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(keys.into_iter().collect())
        }
        Value::Array(list) => list.into_iter().map(sorted).collect(),
        other => other,
    }
}

/// Compare with a golden file, or write it if [`BLESS`] is set.
pub fn golden(path: &Path, text: &str) -> Result<(), String> {
    let name = path.display();
    if std::env::var_os(BLESS).is_some() {
        return std::fs::write(path, text).map_err(|e| format!("{name}: {e}"));
    }
    let wanted =
        std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}; set {BLESS}=1 to write it"))?;
    if wanted == text {
        return Ok(());
    }
    let line = wanted.lines().zip(text.lines()).take_while(|(a, b)| a == b).count();
    let at = |text: &str| text.lines().nth(line).unwrap_or("(the end)").to_owned();
    Err(format!(
        "{name}:{}: the golden game has\n  {}\nnow it is\n  {}\nif that is right, set {BLESS}=1 and review the change",
        line + 1,
        at(&wanted),
        at(text)
    ))
}
