//! The table of a lab file: as strict as any other about what is legal, but patient with how a file tells its story. A
//! file may write a decision that left no choice and was taken for its side already, and it may pass over a question to
//! which there is a plain "no".

use kernel::{
    Applied, Ask, Dice, Erased, OptionItem, Pending, Prompt, Refusal, Seat, SetupError, Stop, SubjectItem,
    Table, Verdict, View, Viewer,
};
use rand_core::RngCore;
use serde_json::Value;

use super::{
    also::also,
    taken::{self, Taken},
};
use crate::{
    action::{Action, Mode},
    combat, flow,
    frame::Frame,
    notation,
    play::{Cx, seat, side},
    rules::Ardennes,
    state::State,
};

/// More questions than this do not stand between two decisions of a file.
const MOST_PASSED: usize = 12;

const DONE: &str = "done";

pub struct LabTable {
    inner: Erased<Ardennes>,
    /// Decisions without a choice that the last one led to.
    taken: Vec<Taken>,
}

impl LabTable {
    pub fn new(inner: Erased<Ardennes>) -> Self {
        LabTable { inner, taken: taken::take() }
    }

    fn play(&mut self, seat: Seat, action: &str, dice: &mut Dice) -> Result<Applied, Stop> {
        taken::take();
        let frame = self.inner.state.top();
        let mut applied = self.inner.apply(seat, action, dice)?;
        let mut taken = taken::take();
        // 20.1: one `done` ends the phase for a side that neither disengages nor has anybody to attack.
        if frame == Frame::Disengage && applied.action == DONE && self.nothing_to_attack(seat) {
            let at = Box::new(self.inner.state);
            if let Ok(later) = self.inner.apply(seat, DONE, dice) {
                applied.entries.extend(later.entries);
                applied.rolls.extend(later.rolls);
                taken.push(Taken { side: side(seat), text: DONE.to_owned(), at });
                taken.extend(taken::take());
            }
        }
        self.taken = taken;
        Ok(applied)
    }

    fn nothing_to_attack(&self, seat: Seat) -> bool {
        let (rules, s, side) = (&self.inner.rules, &self.inner.state, side(seat));
        let frame = s.top();
        frame == Frame::Attacks
            && flow::asks(rules, s, frame) == Some(side)
            && combat::forced(&Cx { rules, s, side, frame }).is_some()
    }

    /// The decision was taken already, as there was no other: it may be written all the same.
    fn said_again(&mut self, seat: Seat, action: &str) -> Option<Applied> {
        let rules = &self.inner.rules;
        let at = self.taken.iter().position(|t| t.side == side(seat) && same(rules, &t.text, action));
        let at = at.or_else(|| self.finished(action))?;
        Some(Applied {
            action: self.taken.remove(at).text,
            entries: Vec::new(),
            rolls: Vec::new(),
            revealed: false,
            secrecy: kernel::Secrecy::Open,
            redacted: None,
            secret_rolls: Vec::new(),
            disclosed: Vec::new(),
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
        let (side, at) = (self.inner.rules.counter(unit).side, Box::new(self.inner.state));
        self.taken.push(Taken { side, text: action.to_owned(), at });
        Some(self.taken.len() - 1)
    }

    /// A decision that came up while the last one was carried out and was not asked for, as there was only one answer: why
    /// this one was not open.
    fn not_open(&self, seat: Seat, action: &str) -> Option<Verdict> {
        let rules = &self.inner.rules;
        self.taken.iter().rev().filter(|taken| taken.side == side(seat)).find_map(|taken| {
            let action = notation::read(rules, &taken.at, taken.side, action).ok()?;
            match flow::check(&Cx { rules, s: &taken.at, side: taken.side, frame: taken.at.top() }, &action) {
                Err(refusal) if !refusal.is_out_of_turn() => Some(Verdict::Illegal(refusal)),
                _ => None,
            }
        })
    }

    /// What is said of a decision where it is asked for, after the questions that the file passes over; or where it would have
    /// been asked for, had there been anything to choose.
    fn verdict_later(&self, seat: Seat, action: &str) -> Option<Verdict> {
        let mut trial = self.inner.clone();
        let mut dice = Dice::scripted(Vec::new());
        for _ in 0..MOST_PASSED {
            let (by, pass) =
                pass(&trial.rules, &trial.state).or_else(|| leave(&trial.rules, &trial.state))?;
            taken::take();
            trial.apply(by, &pass, &mut dice).ok()?;
            let taken = taken::take();
            match trial.verdict(seat, action) {
                Verdict::Illegal(refusal) if refusal.is_out_of_turn() => {
                    let there = LabTable { inner: trial.clone(), taken };
                    if let Some(found) = there.not_open(seat, action) {
                        return Some(found);
                    }
                }
                found => return Some(found),
            }
        }
        None
    }

    /// The position after what must be decided in any case and a file may leave unsaid: where an Attacker's Advantage marker
    /// goes (16.6), and that a Remnant is formed (16.4).
    fn decided(&self) -> Option<Erased<Ardennes>> {
        let mut trial = self.inner.clone();
        let mut any = false;
        for _ in 0..MOST_PASSED {
            if !matches!(trial.state.top(), Frame::PlaceAdvantage | Frame::Remnant(_)) {
                break;
            }
            let (by, pass) = pass(&trial.rules, &trial.state)?;
            trial.apply(by, &pass, &mut Dice::scripted(Vec::new())).ok()?;
            any = true;
        }
        any.then_some(trial)
    }

    /// 17.4: a retreat and the hexes that its unit must go on, written as one.
    fn retreat_and_on(&mut self, seat: Seat, action: &str, dice: &mut Dice) -> Option<Applied> {
        let words: Vec<&str> = action.split_whitespace().collect();
        let [verb @ "retreat", unit, hexes @ ..] = &words[..] else { return None };
        for length in (1..hexes.len()).rev() {
            let (first, on) = hexes.split_at(length);
            let mut later = LabTable { inner: self.inner.clone(), taken: Vec::new() };
            let mut later_dice = dice.clone();
            let line = |hexes: &[&str]| format!("{verb} {unit} {}", hexes.join(" "));
            let Ok(mut applied) = later.play(seat, &line(first), &mut later_dice) else { continue };
            let next = line(on);
            let Some(rest) =
                later.play(seat, &next, &mut later_dice).ok().or_else(|| later.said_again(seat, &next))
            else {
                continue;
            };
            applied.entries.extend(rest.entries);
            applied.rolls.extend(rest.rolls);
            (*self, *dice) = (later, later_dice);
            return Some(applied);
        }
        None
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

/// What the side that is asked at a frame sees.
fn cx<'a>(rules: &'a Ardennes, s: &'a State, frame: Frame) -> Option<Cx<'a>> {
    Some(Cx { rules, s, side: flow::asks(rules, s, frame)?, frame })
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
        // 14.4: as the attack was written.
        Frame::AttackSupport => combat::attack_support::as_planned(&cx(rules, s, frame)?),
        Frame::Support => Action::NoSupport,
        Frame::FireFight => Action::Engage,
        Frame::Recon => Action::Accept,
        Frame::Remnant(_) => Action::Remnant { form: true },
        Frame::DeterminedDefense => Action::GiveWay,
        Frame::Advance | Frame::Breakthrough | Frame::Counterattack => Action::Stay,
        Frame::Walk => Action::Halt,
        Frame::Infiltrate => Action::Infiltrate { attempt: false },
        Frame::Begin => Action::Done,
        // 1E 32.2: a file that does not say otherwise spends it at once.
        Frame::SpendFuel { .. } => Action::SpendFuel { spend: true },
        // 16.6: the marker must go somewhere.
        Frame::PlaceAdvantage => Action::Advantage { unit: *s.combat.attackers.first()? },
        _ => return None,
    };
    let asked = flow::asks(rules, s, frame)?;
    Some((seat(asked), notation::write(rules, s, &action)))
}

/// Nobody else disengages (20.1): what comes after is asked about.
fn leave(rules: &Ardennes, s: &State) -> Option<(Seat, String)> {
    let asked =
        flow::asks(rules, s, s.top()).filter(|_| s.ending.is_none() && s.top() == Frame::Disengage)?;
    Some((seat(asked), notation::write(rules, s, &Action::Done)))
}

/// Has the unit nothing but Tactical Movement (13.2, 18.2, 23.4), or a Prime Mover (22.3)? A file need not say then that
/// it uses it.
fn only_mode(refusal: &Refusal) -> Option<&'static str> {
    if refusal.why.key.ends_with(".tactical_only") {
        Some(Mode::Tactical.word())
    } else {
        (refusal.why.key == "no.artillery.prime_mover").then_some(Mode::PrimeMover.word())
    }
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
        if let Stop::Illegal(refusal) = &stop
            && let Some(mode) = only_mode(refusal)
            && let Ok(applied) = self.play(seat, &format!("{action} {mode}"), dice)
        {
            return Ok(applied);
        }
        match &stop {
            Stop::Illegal(refusal) if refusal.why.key == "no.retreat.length" => {
                self.retreat_and_on(seat, action, dice).ok_or(stop)
            }
            Stop::Illegal(refusal) if refusal.is_out_of_turn() => {
                self.after_passing(seat, action, dice).ok_or(stop)
            }
            _ => Err(stop),
        }
    }

    fn verdict(&self, seat: Seat, action: &str) -> Verdict {
        let verdict = self.inner.verdict(seat, action);
        match &verdict {
            Verdict::Illegal(refusal) if refusal.is_out_of_turn() => {
                self.verdict_later(seat, action).or_else(|| self.not_open(seat, action)).unwrap_or(verdict)
            }
            Verdict::Illegal(refusal) => {
                let meant =
                    only_mode(refusal).map(|mode| self.inner.verdict(seat, &format!("{action} {mode}")));
                match meant {
                    // What forbids the move in the only mode that the unit has, but for its length.
                    Some(Verdict::Illegal(why)) if only_mode(&why).is_none() && why.rule != "11.3" => {
                        Verdict::Illegal(why)
                    }
                    _ => verdict,
                }
            }
            Verdict::Legal => verdict,
        }
    }

    fn also_forbidden_by(&self, refusal: &Refusal) -> &'static [&'static str] {
        also(&refusal.why.key, self.inner.state.top())
    }

    fn spelled(&self, value: Value) -> Value {
        crate::ask::bare(value)
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
        match self.decided() {
            Some(after) if !question.trim_start().starts_with("legal") => after.ask(viewer, question),
            _ => self.inner.ask(viewer, question),
        }
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
