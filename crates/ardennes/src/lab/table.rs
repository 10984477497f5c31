//! The table of a lab file: as strict as any other about what is legal, but patient with how a file tells its story. A
//! file may write a decision that left no choice and was taken for its side already, and it may pass over a question to
//! which there is a plain "no".

use kernel::{
    Applied, Ask, Dice, Erased, OptionItem, Pending, Prompt, Refusal, Seat, SetupError, Stop, SubjectItem,
    Table, Verdict, View, Viewer,
};
use rand_core::RngCore;
use serde_json::Value;

use super::taken;
use crate::{
    action::Action,
    flow,
    frame::Frame,
    notation,
    pack::Side,
    play::{seat, side},
    rules::Ardennes,
    state::State,
};

/// More questions than this do not stand between two decisions of a file.
const MOST_PASSED: usize = 12;

pub struct LabTable {
    inner: Erased<Ardennes>,
    /// Decisions without a choice that the last one led to.
    taken: Vec<(Side, String)>,
}

impl LabTable {
    pub fn new(inner: Erased<Ardennes>) -> Self {
        LabTable { inner, taken: Vec::new() }
    }

    fn play(&mut self, seat: Seat, action: &str, dice: &mut Dice) -> Result<Applied, Stop> {
        taken::take();
        let applied = self.inner.apply(seat, action, dice)?;
        self.taken = taken::take();
        Ok(applied)
    }

    /// The decision was taken already, as there was no other: it may be written all the same.
    fn said_again(&mut self, seat: Seat, action: &str) -> Option<Applied> {
        let rules = &self.inner.rules;
        let at = self.taken.iter().position(|(by, text)| *by == side(seat) && same(rules, text, action));
        let at = at.or_else(|| self.finished(action))?;
        let (_, action) = self.taken.remove(at);
        Some(Applied {
            action,
            entries: Vec::new(),
            rolls: Vec::new(),
            revealed: false,
            secrecy: kernel::Secrecy::Open,
        })
    }

    /// 15.8: an Improved Position that was finished when the phase began.
    fn finished(&mut self, action: &str) -> Option<usize> {
        let unit = action.trim().strip_prefix("finish ")?;
        let unit = self.inner.rules.pack.unit_by_slug(unit.trim())?;
        let hex = self.inner.state.unit(unit).hex()?;
        if !self.inner.state.improved.contains(hex) {
            return None;
        }
        self.taken.push((self.inner.rules.counter(unit).side, action.to_owned()));
        Some(self.taken.len() - 1)
    }

    /// The position after the questions that the file passes over, if the decision can be taken there.
    fn after_passing(&mut self, seat: Seat, action: &str, dice: &mut Dice) -> Option<Applied> {
        let mut trial = self.inner.clone();
        let mut trial_dice = dice.clone();
        for _ in 0..MOST_PASSED {
            let (by, pass) = pass(&trial.rules, &trial.state)?;
            taken::take();
            trial.apply(by, &pass, &mut trial_dice).ok()?;
            let mut later = LabTable { inner: trial.clone(), taken: taken::take() };
            let mut later_dice = trial_dice.clone();
            let applied =
                later.play(seat, action, &mut later_dice).ok().or_else(|| later.said_again(seat, action));
            if let Some(applied) = applied {
                *self = later;
                *dice = later_dice;
                return Some(applied);
            }
        }
        None
    }
}

/// Do two lines mean the same decision, hexes with or without the letter of their map?
fn same(rules: &Ardennes, a: &str, b: &str) -> bool {
    let alike = |(a, b): (&str, &str)| {
        a.eq_ignore_ascii_case(b)
            || matches!((rules.map.board.find(a), rules.map.board.find(b)), (Ok(a), Ok(b)) if a == b)
    };
    let words = |text: &'_ str| text.split_whitespace().count();
    words(a) == words(b) && a.split_whitespace().zip(b.split_whitespace()).all(alike)
}

/// The plain "no" to the question that is asked now.
fn pass(rules: &Ardennes, s: &State) -> Option<(Seat, String)> {
    if s.ending.is_some() {
        return None;
    }
    let frame = s.top();
    let action = match frame {
        Frame::BlowBridge => Action::HoldFire,
        Frame::CallOff => Action::GoOn,
        Frame::Support => Action::NoSupport,
        Frame::FireFight => Action::Engage,
        Frame::Recon => Action::Accept,
        Frame::Remnant(_) => Action::Remnant { form: true },
        Frame::DeterminedDefense => Action::GiveWay,
        Frame::Advance | Frame::Breakthrough | Frame::Counterattack => Action::Stay,
        Frame::Walk => Action::Halt,
        Frame::Infiltrate => Action::Infiltrate { attempt: false },
        Frame::Begin => Action::Done,
        _ => return None,
    };
    let asked = flow::asks(rules, s, frame)?;
    Some((seat(asked), notation::write(rules, s, &action)))
}

/// Was the decision refused because another question is asked?
fn out_of_turn(refusal: &Refusal) -> bool {
    matches!(&*refusal.why.key, "no.not_now" | "no.not_your_turn")
}

impl Table for LabTable {
    fn apply(&mut self, seat: Seat, action: &str, dice: &mut Dice) -> Result<Applied, Stop> {
        let stop = match self.play(seat, action, dice) {
            Err(stop @ Stop::Illegal(_)) => stop,
            other => return other,
        };
        if let Some(applied) = self.said_again(seat, action) {
            return Ok(applied);
        }
        match &stop {
            Stop::Illegal(refusal) if out_of_turn(refusal) => {
                self.after_passing(seat, action, dice).ok_or(stop)
            }
            _ => Err(stop),
        }
    }

    fn verdict(&self, seat: Seat, action: &str) -> Verdict {
        let verdict = self.inner.verdict(seat, action);
        let mut trial = self.inner.clone();
        let mut dice = Dice::scripted(Vec::new());
        for _ in 0..MOST_PASSED {
            let later = match &verdict {
                Verdict::Illegal(refusal) if out_of_turn(refusal) => pass(&trial.rules, &trial.state),
                _ => None,
            };
            let Some((by, pass)) = later else { break };
            if trial.apply(by, &pass, &mut dice).is_err() {
                break;
            }
            match trial.verdict(seat, action) {
                Verdict::Illegal(refusal) if out_of_turn(&refusal) => {}
                found => return found,
            }
        }
        verdict
    }

    fn patient(&self) -> bool {
        true
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
        self.inner.ask(viewer, question)
    }

    fn snapshot(&self) -> Value {
        self.inner.snapshot()
    }

    fn restore(&mut self, snapshot: &Value) -> Result<(), SetupError> {
        self.inner.restore(snapshot)
    }

    fn clone_table(&self) -> Box<dyn Table> {
        Box::new(LabTable { inner: self.inner.clone(), taken: self.taken.clone() })
    }

    fn random_action(&self, seat: Seat, rng: &mut dyn RngCore) -> Option<String> {
        self.inner.random_action(seat, rng)
    }
}
