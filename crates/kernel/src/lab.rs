//! The lab: any position, any question. `docs/LAB.md` is its contract with users.
//!
//! A file has a head (game, set-up, map, units, dice), which goes to the game's [`Game::lab`], and steps, which are
//! played and checked here. [`adapter`] plays what a file left out.

pub mod adapter;
mod file;
mod matching;
mod report;
mod usual;

use std::sync::Arc;

use serde_json::{Map, Value, json};

pub use adapter::{Lab, Leniency, Next};
pub use file::{Head, MAX_BYTES, MAX_STEPS, REMARKS};
pub use matching::{Mismatch, matches};
pub use report::{Report, Status, StepReport};

use crate::{
    Applied, Arg, Ask, Catalog, Dice, DiceError, Erased, Game, Message, Pending, Refusal, Rules, Seat, Stop,
    Table, Verdict, Viewer,
};
use file::{ANY_RULE, Deed, File, Step};
use matching::Spelling;

/// The table of a lab file.
pub trait LabTable: Table {
    /// From now on the file has to write every decision, and to cite the exact rule that forbids one.
    fn read_strictly(&mut self) {}
    /// May a file attribute this refusal to `rule`?
    fn forbidden_by(&self, refusal: &Refusal, rule: &str) -> bool {
        refusal.cites(rule)
    }
    /// Why a decision is refused exactly as it is written, although a lenient reading of it would be legal.
    fn refused_as_written(&self, _seat: Seat, _text: &str) -> Option<Refusal> {
        None
    }
    /// An answer, or the expectation for it, with places in one canonical spelling.
    fn normal(&self, value: Value) -> Value {
        value
    }
    /// The answer without the parts that a file may leave out and that `expect` does not mention.
    fn without_unmentioned(&self, answer: Value, _expect: &Value) -> Value {
        answer
    }
    /// Called before each decision: tells the table which decision the file takes or refuses after it, and those that it
    /// takes before its next question.
    fn foresee(&mut self, _next: Option<(Seat, &str)>, _then: Vec<(Seat, String)>) {}
}

/// A game whose files leave nothing out needs no adapter.
impl<R: Rules> LabTable for Erased<R> {}

/// How many of the file's later decisions a table is told about in advance.
const DECISIONS_AHEAD: usize = 16;

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The file may leave out a question with only one answer or a plain "no", and may name any rule that forbids a
    /// decision.
    Lenient,
    /// The file leaves nothing out, unless it says `lenient = true`.
    Strict,
}

/// Runs a lab file and reports in English. `file_name` is used in messages.
pub fn run(games: &[Arc<dyn Game>], text: &str, file_name: &str) -> Report {
    run_in(games, text, file_name, "en")
}

/// Run a lab file and report in a language.
pub fn run_in(games: &[Arc<dyn Game>], text: &str, file_name: &str, language: &str) -> Report {
    run_as(games, text, file_name, language, Reading::Lenient)
}

/// Run a lab file that is read leniently or strictly, and report in a language.
pub fn run_as(
    games: &[Arc<dyn Game>],
    text: &str,
    file_name: &str,
    language: &str,
    reading: Reading,
) -> Report {
    let mut report = Report::new(file_name);
    let file = match File::parse(text, reading) {
        Ok(file) => file,
        Err(error) => return report.invalid(error),
    };
    let Some(game) = games.iter().find(|g| g.info().id == file.game) else {
        let known: Vec<&str> = games.iter().map(|g| g.info().id.as_str()).collect();
        return report.invalid(format!("game: unknown game `{}`; there is {}", file.game, known.join(", ")));
    };
    if let Err(error) = check_side(&file.head, &**game) {
        return report.invalid(error);
    }
    let catalog = match Catalog::shared(&**game, language) {
        Ok(catalog) => catalog,
        Err(error) => return report.invalid(format!("message files: {error}")),
    };
    let mut table = match game.lab(&file.head) {
        Ok(table) => table,
        Err(error) => return report.invalid(error.to_string()),
    };
    let strict = reading == Reading::Strict && !file.lenient;
    if strict {
        table.read_strictly();
    }
    let words = if strict { Spelling::Exact } else { Spelling::Usual };
    let mut bench = Bench { game: &**game, catalog, table, dice: file.dice, spent: Vec::new(), words };
    for (number, step) in file.steps.iter().enumerate() {
        bench.foresee(&file.steps[number + 1..]);
        let done = bench.step(step, number + 1);
        let broken = done.error.is_some();
        report.push(done);
        if broken {
            break;
        }
    }
    let unused = bench.dice.unused();
    if unused > 0 && report.status != Status::Invalid {
        report.notes.push(format!("{unused} of the scripted dice were not rolled"));
    }
    report
}

/// `side` names a seat in every game.
fn check_side(head: &toml::Table, game: &dyn Game) -> Result<(), String> {
    match head.get("side").and_then(toml::Value::as_str) {
        Some(side) => seat_of(game, side).map(|_| ()).map_err(|e| format!("side: {e}")),
        None => Ok(()),
    }
}

fn seat_of(game: &dyn Game, name: &str) -> Result<Seat, String> {
    game.seat(name).or_else(|| game.seat(&name.to_lowercase())).ok_or_else(|| {
        let known: Vec<&str> = game.info().seats.iter().map(|s| s.id.as_str()).collect();
        format!("unknown side `{name}`; there is {}", known.join(", "))
    })
}

fn viewer_of(game: &dyn Game, name: &str) -> Result<Viewer, String> {
    match name {
        "referee" => Ok(Viewer::Referee),
        "spectator" => Ok(Viewer::Spectator),
        _ => seat_of(game, name).map(Viewer::Seat).map_err(|e| format!("{e}, spectator, referee")),
    }
}

/// The position being examined.
struct Bench<'a> {
    game: &'a dyn Game,
    catalog: Arc<Catalog>,
    table: Box<dyn LabTable>,
    dice: Dice,
    /// What the dice rolled so far were for, as rule and value.
    spent: Vec<(String, i64)>,
    /// How the file may write what it expects.
    words: Spelling,
}

/// Compares an expectation with what was found.
type Compare = fn(&Value, &Value, Spelling) -> Vec<Mismatch>;

/// Checks a decision's events against the expectation.
fn of_events(expect: &Value, events: &Value, words: Spelling) -> Vec<Mismatch> {
    matching::events(expect, events.as_array().map_or(&[], Vec::as_slice), words)
}

impl Bench<'_> {
    /// Tells the table which decisions follow the current step.
    fn foresee(&mut self, later: &[Step]) {
        let decision = |step: &Step| match &step.deed {
            Deed::Do { side, action, .. } => {
                Some((self.seat(side, &self.table.pending()).ok()?, action.clone()))
            }
            Deed::Ask { .. } => None,
        };
        let next = later.iter().find_map(decision);
        let ahead =
            later.iter().take(DECISIONS_AHEAD).take_while(|step| matches!(step.deed, Deed::Do { .. }));
        let refused = |step: &&Step| matches!(step.deed, Deed::Do { illegal: Some(_), .. });
        let then = ahead.filter(|step| !refused(step)).filter_map(decision).collect();
        self.table.foresee(next.as_ref().map(|(seat, text)| (*seat, text.as_str())), then);
    }

    fn step(&mut self, step: &Step, number: usize) -> StepReport {
        let mut report = StepReport::new(number, step);
        let result = match &step.deed {
            Deed::Do { side, action, illegal: None } => self.act(side, action, step, &mut report),
            Deed::Do { side, action, illegal: Some(rule) } => {
                self.refused(side, action, rule, step, &mut report)
            }
            Deed::Ask { question, viewer } => self.ask(question, viewer.as_deref(), step, &mut report),
        };
        report.error = result.err();
        report
    }

    /// Where the answer differs from the expectation, regardless of how the file spells places.
    fn differences(&self, expect: &Value, answer: &Value, compare: Compare) -> Vec<Mismatch> {
        let found = compare(expect, answer, self.words);
        if found.is_empty() {
            return found;
        }
        let normal = |value: &Value| self.table.normal(value.clone());
        let wanted = normal(expect);
        let answer = self.table.without_unmentioned(normal(answer), &wanted);
        if compare(&wanted, &answer, self.words).is_empty() { Vec::new() } else { found }
    }

    /// The seat that is named; if none is named, the one that must decide.
    fn seat(&self, side: &str, pending: &Pending) -> Result<Seat, String> {
        match pending {
            Pending::One(seat) if side.is_empty() => Ok(*seat),
            _ if side.is_empty() => Err("do: must be `SIDE: DECISION`, such as `german: done`".into()),
            _ => seat_of(self.game, side),
        }
    }

    fn act(&mut self, side: &str, action: &str, step: &Step, report: &mut StepReport) -> Result<(), String> {
        let pending = self.table.pending();
        let seat = self.seat(side, &pending)?;
        let applied = self.table.apply(seat, action, &mut self.dice).map_err(|stop| match stop {
            Stop::Illegal(refusal) if pending.awaits(seat) => self.words(&refusal),
            Stop::Illegal(refusal) => {
                format!("{} It is decided by: {}.", self.words(&refusal), self.who(&pending))
            }
            Stop::Dice(error) => self.without_dice(&error),
        })?;
        let events = self.events(&applied);
        self.spent.extend(applied.entries.iter().filter_map(|entry| {
            let data = entry.data.as_object().filter(|data| data.get("kind") == Some(&json!("roll")))?;
            Some((data.get("rule")?.as_str()?.to_owned(), data.get("value")?.as_i64()?))
        }));
        if let Some(expect) = &step.expect {
            report.mismatches = self.differences(expect, &Value::Array(events.clone()), of_events);
        }
        report.rolls = applied.rolls;
        report.result = Some(Value::Array(events));
        Ok(())
    }

    /// A die is missing: says what those before it were rolled for.
    fn without_dice(&self, error: &DiceError) -> String {
        let spent: Vec<String> =
            self.spent.iter().map(|(rule, value)| format!("{value} for rule {rule}")).collect();
        if spent.is_empty() { error.to_string() } else { format!("{error} ({})", spent.join(", ")) }
    }

    fn refused(
        &self,
        side: &str,
        action: &str,
        rule: &str,
        step: &Step,
        report: &mut StepReport,
    ) -> Result<(), String> {
        let pending = self.table.pending();
        let seat = self.seat(side, &pending)?;
        let cites = |refusal: &Refusal| {
            rule == ANY_RULE || rule.split(", ").any(|rule| self.table.forbidden_by(refusal, rule))
        };
        // A line that is refused as written counts as refused, even if a lenient reading of it is legal.
        let as_written = || self.table.refused_as_written(seat, action).filter(cites);
        // The game's own refusal comes first: a rule may say why it is not this side's turn.
        let refusal = match self.table.verdict(seat, action) {
            Verdict::Illegal(refusal) if cites(&refusal) => refusal,
            Verdict::Illegal(refusal) => as_written().unwrap_or(refusal),
            Verdict::Legal if !pending.awaits(seat) => crate::session::not_awaited(&pending),
            Verdict::Legal => match as_written() {
                Some(refusal) => refusal,
                None => {
                    report.mismatches.push(Mismatch {
                        path: "illegal".into(),
                        expected: Some(json!(rule)),
                        found: Some(json!("legal")),
                    });
                    return Ok(());
                }
            },
        };
        if !cites(&refusal) {
            report.mismatches.push(Mismatch {
                path: "illegal".into(),
                expected: Some(json!(rule)),
                found: Some(json!(self.words(&refusal))),
            });
        }
        let answer = self.refusal(&refusal);
        if let Some(expect) = &step.expect {
            report.mismatches.extend(self.differences(expect, &answer, matching::compared));
        }
        report.result = Some(answer);
        Ok(())
    }

    fn ask(
        &self,
        question: &str,
        viewer: Option<&str>,
        step: &Step,
        report: &mut StepReport,
    ) -> Result<(), String> {
        let viewer = viewer.map_or(Ok(Viewer::Referee), |name| viewer_of(self.game, name))?;
        let answer = match self.table.ask(viewer, question) {
            Err(Ask::Unknown(_)) => self.common(viewer, question)?,
            other => other.map_err(|e| e.to_string())?,
        };
        let answer = self.in_words(answer);
        if let Some(expect) = &step.expect {
            report.mismatches = self.differences(expect, &answer, matching::compared);
        }
        report.result = Some(answer);
        Ok(())
    }

    /// Adds the sentence for every reason that a game gives as a message: `reason` beside `why`.
    fn in_words(&self, answer: Value) -> Value {
        match answer {
            Value::Object(object) => {
                let message =
                    object.get("why").and_then(|why| serde_json::from_value::<Message>(why.clone()).ok());
                let mut object: Map<String, Value> =
                    object.into_iter().map(|(key, value)| (key, self.in_words(value))).collect();
                if let Some(message) = message {
                    object.entry("reason").or_insert_with(|| json!(self.catalog.render(&message, &())));
                }
                Value::Object(object)
            }
            Value::Array(list) => list.into_iter().map(|item| self.in_words(item)).collect(),
            other => other,
        }
    }

    /// Questions that are answered for every game in the same way, unless the game has its own answer.
    fn common(&self, viewer: Viewer, question: &str) -> Result<Value, String> {
        let lower = question.to_lowercase();
        let asked = if self.words == Spelling::Usual { lower.trim_end_matches('?') } else { question };
        let words: Vec<&str> = asked.split_whitespace().collect();
        match words[..] {
            ["pending"] => Ok(self.pending()),
            ["legal"] => {
                let asked: Vec<Seat> = match self.table.pending() {
                    Pending::One(seat) => vec![seat],
                    Pending::Each(seats) | Pending::Any(seats) => {
                        seats.iter().filter(|seat| viewer.knows(*seat)).collect()
                    }
                    Pending::Over(_) => Vec::new(),
                };
                let mut all = Vec::new();
                for seat in asked {
                    all.extend(self.legal(viewer, seat)?);
                }
                Ok(Value::Array(all))
            }
            ["legal", side] => self.legal(viewer, seat_of(self.game, side)?).map(Value::Array),
            ["prompt", side] => {
                let prompt = self.table.prompt(seat_of(self.game, side)?);
                Ok(json!({ "rule": prompt.rule, "key": prompt.message.key,
                           "text": self.catalog.render(&prompt.message, &()) }))
            }
            ["view", who] => {
                let wanted = viewer_of(self.game, who)?;
                if viewer != Viewer::Referee && viewer != wanted {
                    return Err(Ask::Secret.to_string());
                }
                serde_json::to_value(self.table.view(wanted)).map_err(|e| e.to_string())
            }
            _ => Err(Ask::Unknown(question.into()).to_string()),
        }
    }

    fn pending(&self) -> Value {
        let id = |seat: Seat| self.seats(std::iter::once(seat));
        match self.table.pending() {
            Pending::One(seat) => json!({ "one": id(seat) }),
            Pending::Each(seats) => json!({ "each": seats.iter().map(id).collect::<Vec<_>>() }),
            Pending::Any(seats) => json!({ "any": seats.iter().map(id).collect::<Vec<_>>() }),
            Pending::Over(outcome) => json!({ "over": {
                "winner": outcome.winner.map(id),
                "rule": outcome.rule,
                "key": outcome.why.key,
                "text": self.catalog.render(&outcome.why, &()),
            } }),
        }
    }

    fn legal(&self, viewer: Viewer, seat: Seat) -> Result<Vec<Value>, String> {
        if !viewer.knows(seat) {
            return Err(Ask::Secret.to_string());
        }
        let mut actions = Vec::new();
        for item in self.table.subjects(seat) {
            let options = self.table.options(seat, &item.subject).map_err(|r| self.words(&r))?;
            actions.extend(options.into_iter().map(|o| Value::String(o.action)));
        }
        Ok(actions)
    }

    fn seats(&self, seats: impl Iterator<Item = Seat>) -> String {
        let all = &self.game.info().seats;
        let ids: Vec<&str> = seats.filter_map(|s| all.get(usize::from(s.0))).map(|s| s.id.as_str()).collect();
        ids.join(", ")
    }

    fn who(&self, pending: &Pending) -> String {
        match pending {
            Pending::Over(_) => "nobody".into(),
            pending => self.seats(pending.seats().iter()),
        }
    }

    /// A refusal as a sentence with its rule.
    fn words(&self, refusal: &Refusal) -> String {
        let text = self.catalog.render(&refusal.why, &());
        if refusal.rule == "-" { text } else { format!("{text} ({})", refusal.rule) }
    }

    fn refusal(&self, refusal: &Refusal) -> Value {
        let mut object = Map::new();
        object.insert("rule".into(), json!(refusal.rule));
        self.message(&refusal.why, &mut object);
        Value::Object(object)
    }

    /// The log entries of a decision: the game's facts, then the sentence's parts under their names, then `key`,
    /// `text`, `level` and `seat`.
    fn events(&self, applied: &Applied) -> Vec<Value> {
        let event = |entry: &crate::Entry| {
            let mut object = match &entry.data {
                Value::Object(data) => data.clone(),
                Value::Null => Map::new(),
                other => Map::from_iter([("data".to_owned(), other.clone())]),
            };
            self.message(&entry.message, &mut object);
            object.insert("level".into(), json!(entry.level));
            if let Some(seat) = entry.seat {
                object.insert("seat".into(), json!(self.seats(std::iter::once(seat))));
            }
            Value::Object(object)
        };
        applied.entries.iter().map(event).collect()
    }

    fn message(&self, message: &Message, object: &mut Map<String, Value>) {
        for (name, arg) in &message.args {
            if !object.contains_key(&**name) {
                object.insert(name.to_string(), self.arg(arg));
            }
        }
        object.insert("key".into(), json!(message.key));
        object.insert("text".into(), json!(self.catalog.render(message, &())));
    }

    fn arg(&self, arg: &Arg) -> Value {
        match arg {
            Arg::Number(n) => json!(n),
            Arg::Unit(text) | Arg::Place(text) | Arg::Text(text) => json!(text),
            Arg::Term(key) => json!(key),
            Arg::List(items) => items.iter().map(|arg| self.arg(arg)).collect(),
            Arg::Message(message) => json!(self.catalog.render(message, &())),
        }
    }
}
