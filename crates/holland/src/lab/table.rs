//! The table of a lab file: as strict as any other about what is legal, but patient with how a file tells its story. A file may
//! write a decision that left no choice and was taken already, and it may pass over a question to which there is a plain "no".

use kernel::{
    Applied, Ask, Dice, Erased, OptionItem, Pending, Prompt, Refusal, Seat, Secrecy, SetupError, Stop,
    SubjectItem, Table, Verdict, View, Viewer,
};
use rand_core::RngCore;
use serde_json::Value;
use zocbond::Piece;

use super::also::also;
use crate::frame::{CombatStep, Frame, Phase};
use crate::state::State;
use crate::world::Holland;

/// More questions than this do not stand between two decisions of a file.
const MOST_PASSED: usize = 12;

#[derive(Debug)]
pub struct LabTable {
    inner: Erased<Holland>,
    /// What the last decision led to.
    told: Vec<Value>,
    /// The file's dice after it.
    dice: Dice,
}

impl LabTable {
    pub fn new(inner: Erased<Holland>) -> Self {
        LabTable { inner, told: Vec::new(), dice: Dice::scripted(Vec::new()) }
    }

    fn play(&mut self, seat: Seat, action: &str, dice: &mut Dice) -> Result<Applied, Stop> {
        let applied = self.inner.apply(seat, action, dice)?;
        self.dice = dice.clone();
        self.told = applied.entries.iter().map(|e| e.data.clone()).collect();
        Ok(applied)
    }

    /// Where in the last events one is of this kind, and of this unit if one is named.
    fn told_of(&self, kinds: &[&str], unit: Option<&str>) -> Option<usize> {
        self.told.iter().position(|data| {
            let text = |name: &str| data.get(name).and_then(Value::as_str);
            text("kind").is_some_and(|kind| kinds.contains(&kind)) && (unit.is_none() || text("unit") == unit)
        })
    }

    /// The decision was taken already, as there was no other: it may be written all the same.
    fn said_again(&mut self, action: &str) -> Option<Applied> {
        let words: Vec<&str> = action.split_whitespace().collect();
        let combat = matches!(self.inner.state.frame(), Frame::Combat(_));
        let at = match words[..] {
            ["lose", unit] => Some(self.told_of(&["lost", "eliminated"], Some(unit))?),
            ["support"] | ["no", "support"] => Some(self.told_of(&["result"], None)?),
            ["give", "way"] | ["give-way"] if !self.told.is_empty() => None,
            ["stay"] if !combat => None,
            ["remnant" | "remnant-formed"] => None,
            _ => return None,
        };
        if let Some(at) = at {
            self.told.remove(at);
        }
        Some(Applied {
            action: action.to_owned(),
            entries: Vec::new(),
            rolls: Vec::new(),
            revealed: false,
            secrecy: Secrecy::Open,
            redacted: None,
            secret_rolls: Vec::new(),
            disclosed: Vec::new(),
        })
    }

    /// The position after the questions that the file passes over, if the decision can be taken there.
    fn after_passing(&mut self, seat: Seat, action: &str, dice: &mut Dice) -> Option<Applied> {
        let mut trial = LabTable { inner: self.inner.clone(), told: Vec::new(), dice: dice.clone() };
        let mut trial_dice = dice.clone();
        for _ in 0..MOST_PASSED {
            let (by, no) = pass(&trial.inner.rules, &trial.inner.state, action)?;
            trial.play(by, &no, &mut trial_dice).ok()?;
            let mut later_dice = trial_dice.clone();
            let mut later =
                LabTable { inner: trial.inner.clone(), told: trial.told.clone(), dice: later_dice.clone() };
            let applied = later.play(seat, action, &mut later_dice).ok().or_else(|| later.said_again(action));
            if let Some(applied) = applied {
                (*self, *dice) = (later, later_dice);
                return Some(applied);
            }
        }
        None
    }

    /// What is said of a decision where it is asked for, after the questions that the file passes over.
    fn verdict_later(&self, seat: Seat, action: &str) -> Option<Verdict> {
        let mut trial = self.inner.clone();
        let mut dice = self.dice.clone();
        for _ in 0..MOST_PASSED {
            let (by, no) = pass(&trial.rules, &trial.state, action)?;
            trial.apply(by, &no, &mut dice).ok()?;
            match trial.verdict(seat, action) {
                Verdict::Illegal(refusal) if out_of_turn(&refusal) => {}
                found => return Some(found),
            }
        }
        None
    }

    /// A unit that has nothing but Tactical Movement need not say that it uses it.
    fn meant(&self, seat: Seat, action: &str, refusal: &Refusal) -> Option<String> {
        let only = refusal.why.key == "refuse.tactical_only" && action.trim_start().starts_with("move ");
        let line = format!("{} tactical", action.trim());
        (only && self.inner.verdict(seat, &line).is_legal()).then_some(line)
    }
}

/// How many hexes a retreat of the file goes (13.1).
fn length_of(rules: &Holland, s: &State, action: &str) -> Option<usize> {
    let words: Vec<&str> = action.split_whitespace().collect();
    let ["retreat", unit, hexes @ ..] = &words[..] else { return None };
    if hexes.last() == Some(&"out") {
        return Some(2);
    }
    let far = |to: &&str| {
        let from = s.unit(rules.unit_named(unit)?).hex()?;
        Some(rules.map.board.distance(from, rules.map.hex(to).ok()?) as usize)
    };
    if let [to] = hexes { far(to) } else { Some(hexes.len()) }
}

/// The plain "no" to the question that is asked now, before a decision of the file.
fn pass(rules: &Holland, s: &State, action: &str) -> Option<(Seat, String)> {
    let seat = rules.awaited(s)?;
    let no = match s.frame() {
        Frame::Demolition { .. } => "hold",
        Frame::Halted { .. } => "halt",
        Frame::Phase(
            _,
            Phase::Weather | Phase::Replacement | Phase::Artillery | Phase::Bridge | Phase::Airlanding,
        ) => "done",
        Frame::Combat(c) => match c.step {
            CombatStep::CallOff => "go on",
            CombatStep::Support => "support",
            CombatStep::Stand => "give-way",
            CombatStep::Advance(_) | CombatStep::Breakthrough => "done",
            CombatStep::Length => {
                // A retreat that is written out says how long it is.
                let length = length_of(rules, s, action)?;
                return Some((seat, format!("length {length}")));
            }
            _ => return None,
        },
        _ => return None,
    };
    Some((seat, no.to_owned()))
}

/// Was the decision refused because another question is asked?
fn out_of_turn(refusal: &Refusal) -> bool {
    matches!(&*refusal.why.key, "refuse.not_now" | "kernel.not_awaited")
}

impl kernel::lab::LabTable for LabTable {
    fn forbidden_by(&self, refusal: &Refusal, rule: &str) -> bool {
        let others = also(&refusal.why.key, self.inner.state.frame());
        refusal.cites(rule) || others.iter().any(|other| kernel::verdict::at_or_below(other, rule))
    }
}

impl Table for LabTable {
    fn apply(&mut self, seat: Seat, action: &str, dice: &mut Dice) -> Result<Applied, Stop> {
        let stop = match self.play(seat, action, dice) {
            Err(stop @ Stop::Illegal(_)) => stop,
            other => return other,
        };
        let Stop::Illegal(refusal) = &stop else { return Err(stop) };
        if let Some(line) = self.meant(seat, action, refusal) {
            return self.play(seat, &line, dice);
        }
        if out_of_turn(refusal) {
            if let Some(applied) = self.said_again(action) {
                return Ok(applied);
            }
            return self.after_passing(seat, action, dice).ok_or(stop);
        }
        if let Some(applied) = self.said_again(action) {
            return Ok(applied);
        }
        Err(stop)
    }

    fn verdict(&self, seat: Seat, action: &str) -> Verdict {
        let verdict = self.inner.verdict(seat, action);
        match &verdict {
            Verdict::Illegal(refusal) if out_of_turn(refusal) => {
                self.verdict_later(seat, action).unwrap_or(verdict)
            }
            Verdict::Illegal(refusal) if refusal.why.key == "refuse.tactical_only" => {
                // What forbids the move in the only mode that the unit has, but for its length.
                match self.inner.verdict(seat, &format!("{} tactical", action.trim())) {
                    Verdict::Illegal(why) if why.why.key != "refuse.too_far" => Verdict::Illegal(why),
                    Verdict::Legal if action.trim_start().starts_with("move ") => Verdict::Legal,
                    _ => verdict,
                }
            }
            _ => verdict,
        }
    }

    fn turn(&self) -> u16 {
        self.inner.turn()
    }

    fn survey(&self) -> kernel::Survey {
        self.inner.survey()
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self.inner.as_any()
    }

    fn pending(&self) -> Pending {
        self.inner.pending()
    }

    fn prompt(&self, seat: Seat) -> Prompt {
        self.inner.prompt(seat)
    }

    fn subjects(&self, seat: Seat) -> Vec<SubjectItem> {
        self.inner.subjects(seat)
    }

    fn options(&self, seat: Seat, subject: &str) -> Result<Vec<OptionItem>, Refusal> {
        self.inner.options(seat, subject)
    }

    fn view(&self, viewer: Viewer) -> View {
        self.inner.view(viewer)
    }

    fn ask(&self, viewer: Viewer, question: &str) -> Result<Value, Ask> {
        // An attack that names no support has none: questions about what came of it are answered when it has been rolled.
        let mut trial = self.inner.clone();
        if matches!(trial.state.frame(), Frame::Combat(c) if c.step == CombatStep::Support && c.plan.is_none())
            && !question.trim_start().starts_with("legal")
            && let Some((by, no)) = pass(&trial.rules, &trial.state, "")
            && trial.apply(by, &no, &mut self.dice.clone()).is_ok()
        {
            return trial.ask(viewer, question);
        }
        self.inner.ask(viewer, question)
    }

    fn snapshot(&self) -> Value {
        self.inner.snapshot()
    }

    fn restore(&mut self, snapshot: &Value) -> Result<(), SetupError> {
        self.inner.restore(snapshot)
    }

    fn clone_table(&self) -> Box<dyn Table> {
        Box::new(LabTable { inner: self.inner.clone(), told: self.told.clone(), dice: self.dice.clone() })
    }

    fn random_action(&self, seat: Seat, rng: &mut dyn RngCore) -> Option<String> {
        self.inner.random_action(seat, rng)
    }
}
