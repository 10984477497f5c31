//! The only adapter between a lab file and a game. The rules know nothing of it: it plays what a file left out (the
//! only answer to a question, a plain "no", `done`) as decisions of the seats concerned, and asks the game only for
//! what [`Leniency`] names. Each game's `lab` module says how leniently its files are read.

use std::sync::Arc;

use rand_core::RngCore;
use serde_json::Value;

use super::LabTable;
use crate::{
    Applied, Ask, Dice, Entry, Erased, Log, OptionItem, Pending, Prompt, Refusal, Rules, Seat, Secrecy,
    SetupError, Stop, SubjectItem, Survey, Table, Verdict, View, Viewer, erased,
};

/// What happens next in a position.
#[derive(Clone, Debug, PartialEq)]
pub enum Next<A> {
    /// Somebody has a choice, or the game is over.
    Choice,
    /// A question with one answer.
    Forced(Seat, A),
    /// Something that runs without a decision.
    Runs,
}

type StateOf<L> = <<L as Leniency>::Rules as Rules>::State;
type ActionOf<L> = <<L as Leniency>::Rules as Rules>::Action;
type LogOf<L> = Log<<<L as Leniency>::Rules as Rules>::Event>;
/// A decision and the seat that takes it.
pub type By<L> = (Seat, ActionOf<L>);

/// How a game's lab files may be written, and the parts of [`Rules::apply`], so that the adapter can stop between them.
/// A game implements it in its `lab` module; the value itself remembers the position in which the file begins.
pub trait Leniency: Send + Sync + Sized + 'static {
    type Rules: Rules;

    /// [`Rules::verdict`] for exactly this question, without looking ahead.
    fn check(
        &self,
        rules: &Self::Rules,
        s: &StateOf<Self>,
        seat: Seat,
        action: &ActionOf<Self>,
    ) -> Result<(), Refusal>;
    /// Applies a decision that was checked, without anything that follows from it.
    fn decide(
        &self,
        rules: &Self::Rules,
        s: &mut StateOf<Self>,
        by: &By<Self>,
        dice: &mut Dice,
        log: &mut LogOf<Self>,
    ) -> Result<(), Stop>;
    /// What follows from the position.
    fn next(&self, rules: &Self::Rules, s: &StateOf<Self>) -> Next<ActionOf<Self>>;
    /// Runs one step that needs no decision ([`Next::Runs`]); false if it turns out that somebody is asked.
    fn run(
        &self,
        rules: &Self::Rules,
        s: &mut StateOf<Self>,
        dice: &mut Dice,
        log: &mut LogOf<Self>,
    ) -> Result<bool, Stop>;

    /// Does a file answer this question itself, although there is only one answer? For example, so that only `done`
    /// leaves the phase in which the file begins.
    fn waits(&self, _rules: &Self::Rules, _s: &StateOf<Self>, _last: Option<&Last<Self>>) -> bool {
        false
    }
    /// Does the next automatic step open another phase? If the file has no dice for what that phase rolls, the table
    /// waits there.
    fn phase_ends(&self, _s: &StateOf<Self>) -> bool {
        false
    }
    /// Makes the position wait for `done`; false if the game has no such pause.
    fn pause(&self, _s: &mut StateOf<Self>) -> bool {
        false
    }
    /// The answer to a question that is asked only so that its absence reveals nothing. A file never has to answer it.
    fn moot(&self, _rules: &Self::Rules, _s: &StateOf<Self>) -> Option<By<Self>> {
        None
    }

    /// The plain "no" to the current question, if a file that goes on with `wanted` may skip it.
    fn no(&self, _rules: &Self::Rules, _s: &StateOf<Self>, _wanted: &ActionOf<Self>) -> Option<By<Self>> {
        None
    }
    /// Called before a decision that the file leaves out is carried out: what the file then means to be settled already.
    fn left_out(&self, _rules: &Self::Rules, _s: &mut StateOf<Self>) {}
    /// The decision that ends the current step, if `seat` skips the rest of it by taking a decision of a later step.
    fn leave(
        &self,
        _rules: &Self::Rules,
        _s: &StateOf<Self>,
        _seat: Seat,
        _held: Option<&By<Self>>,
    ) -> Option<By<Self>> {
        None
    }
    /// The most questions skipped between two decisions of a file.
    const MOST_PASSED: usize = 12;
    /// May a decision that a rule forbids here be meant for a later step?
    const LATER_STEPS: bool = false;
    /// Is a refused decision judged by a question that the last decision passed automatically, rather than by a later
    /// one of the same kind?
    const PASSED_QUESTIONS_FIRST: bool = false;
    /// Are the file's dice rolled to find where a refused decision, or a question, belongs?
    const ROLLS_AHEAD: bool = false;
    /// Completes a decision with the parts that a file may leave out.
    fn complete(&self, _rules: &Self::Rules, _s: &StateOf<Self>, action: ActionOf<Self>) -> ActionOf<Self> {
        action
    }
    /// A decision that the file implies before one of its own.
    fn before(&self, _rules: &Self::Rules, _s: &StateOf<Self>, _wanted: &By<Self>) -> Option<By<Self>> {
        None
    }
    /// The plain answer to a question that comes up while a decision is carried out, for a file whose next decision is
    /// not about that question.
    fn passed_over(&self, _rules: &Self::Rules, _s: &StateOf<Self>) -> Option<By<Self>> {
        None
    }
    /// A decision that must be taken in any case before a question is answered.
    fn before_ask(&self, _rules: &Self::Rules, _s: &StateOf<Self>) -> Option<By<Self>> {
        None
    }
    /// May a file still write this decision after it was taken automatically?
    fn recalls(&self, _action: &ActionOf<Self>) -> bool {
        true
    }
    /// Has this already happened by itself, or does it change nothing? `told` are the facts of the last decision's log;
    /// `walked` is true once all later questions were searched and none is answered by it.
    fn already(
        &self,
        _rules: &Self::Rules,
        _s: &StateOf<Self>,
        _told: &mut Vec<Value>,
        _said: Said,
        _walked: bool,
    ) -> bool {
        false
    }
    /// What a refused line of the file may mean instead, as a line that can be read.
    fn meant(
        &self,
        _rules: &Self::Rules,
        _s: &StateOf<Self>,
        _said: Said,
        _refusal: &Refusal,
    ) -> Option<String> {
        None
    }
    /// Does the verdict on the line of [`Leniency::meant`] hold for the refused one?
    fn stands_for(&self, _meant: &Verdict) -> bool {
        true
    }
    /// Lists of lines that a refused one may combine, in the order in which they are tried. Each line stands for less
    /// than the refused one.
    fn parts(&self, _said: Said) -> Vec<Vec<String>> {
        Vec::new()
    }
    /// The refusal of a decision that nobody is asked for now: the one that the game would give at the question for
    /// such a decision.
    fn unasked(&self, _rules: &Self::Rules, _s: &StateOf<Self>, _by: &By<Self>) -> Option<Refusal> {
        None
    }
    /// Rules that forbid the same thing, besides the one that the refusal cites.
    fn also(&self, _s: &StateOf<Self>, _refusal: &Refusal) -> &'static [&'static str] {
        &[]
    }
    /// An answer, or the expectation for it, with places in one canonical spelling.
    fn normal(&self, value: Value) -> Value {
        value
    }
    /// The answer without the parts that a file may leave out and that `expect` does not mention.
    fn heeded(&self, answer: Value, _expect: &Value) -> Value {
        answer
    }
}

/// A line of a file, and the seat that says it.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    pub seat: Seat,
    pub text: &'a str,
}

/// The decision that led to a position.
#[expect(missing_debug_implementations, reason = "a state need not have one")]
pub struct Last<L: Leniency> {
    /// The position in which it was taken.
    pub at: StateOf<L>,
    pub by: By<L>,
}

/// A decision that was taken automatically.
struct Taken<L: Leniency> {
    at: StateOf<L>,
    by: By<L>,
}

impl<L: Leniency> Clone for Taken<L> {
    fn clone(&self) -> Self {
        Taken { at: self.at.clone(), by: self.by.clone() }
    }
}

/// A position, and what led to it.
struct Position<L: Leniency> {
    state: StateOf<L>,
    /// Decisions that followed from the last one and were taken automatically.
    taken: Vec<Taken<L>>,
    /// The facts of the last decision's log.
    told: Vec<Value>,
    /// That log itself.
    entries: Vec<Entry>,
    /// The only answer to the current question, if it is left to the file.
    held: Option<By<L>>,
    /// The file's dice after the last decision.
    dice: Dice,
}

impl<L: Leniency> Clone for Position<L> {
    fn clone(&self) -> Self {
        Position {
            state: self.state.clone(),
            taken: self.taken.clone(),
            told: self.told.clone(),
            entries: self.entries.clone(),
            held: self.held.clone(),
            dice: self.dice.clone(),
        }
    }
}

/// The table of a lab file.
pub struct Lab<L: Leniency> {
    leniency: Arc<L>,
    inner: Erased<L::Rules>,
    now: Position<L>,
    /// The file's next decision.
    next: Option<(Seat, String)>,
    strict: bool,
}

impl<L: Leniency> std::fmt::Debug for Lab<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lab").field("strict", &self.strict).finish_non_exhaustive()
    }
}

impl<L: Leniency> Lab<L> {
    /// The table of a file that begins with `state`, which is run to its first question. If dice would be rolled before
    /// that question, the table waits for `done`.
    pub fn open(leniency: L, rules: Arc<L::Rules>, state: StateOf<L>) -> Result<Self, SetupError> {
        let mut lab = Lab {
            leniency: Arc::new(leniency),
            now: Position {
                state: state.clone(),
                taken: Vec::new(),
                told: Vec::new(),
                entries: Vec::new(),
                held: None,
                dice: Dice::scripted(Vec::new()),
            },
            inner: Erased::new(rules, state),
            next: None,
            strict: false,
        };
        let mut first = lab.now.clone();
        match lab.settle(&mut first, None, &mut Dice::scripted(Vec::new()), &mut Log::default()) {
            Ok(()) => lab.set(first),
            Err(stop) => {
                let mut waiting = lab.now.clone();
                let rolled = matches!(stop, Stop::Dice(_));
                if !rolled || !lab.leniency.pause(&mut waiting.state) {
                    return Err(SetupError::Bad(format!("before the first decision: {stop}")));
                }
                lab.set(waiting);
            }
        }
        Ok(lab)
    }

    /// Change the position before the first decision.
    pub fn adjust(&mut self, change: impl FnOnce(&L::Rules, &mut StateOf<L>)) {
        let mut now = self.now.clone();
        change(&self.inner.rules, &mut now.state);
        self.set(now);
    }

    fn set(&mut self, now: Position<L>) {
        self.inner.state = now.state.clone();
        self.now = now;
    }

    fn rules(&self) -> &L::Rules {
        &self.inner.rules
    }

    /// Runs everything that needs no decision from the file.
    fn settle(
        &self,
        at: &mut Position<L>,
        last: Option<&Last<L>>,
        dice: &mut Dice,
        log: &mut LogOf<L>,
    ) -> Result<(), Stop> {
        let (leniency, rules) = (&*self.leniency, self.rules());
        while !self.settle_phase(at, last, dice, log)? {
            leniency.run(rules, &mut at.state, dice, log)?;
            // Are there enough dice for everything that the new phase rolls before somebody decides?
            let mut trial = at.clone();
            if let Err(Stop::Dice(_)) =
                self.settle_phase(&mut trial, None, &mut dice.clone(), &mut Log::default())
                && leniency.pause(&mut at.state)
            {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Like `settle`, but only to the end of the phase. Returns whether a seat is asked before it ends.
    fn settle_phase(
        &self,
        at: &mut Position<L>,
        last: Option<&Last<L>>,
        dice: &mut Dice,
        log: &mut LogOf<L>,
    ) -> Result<bool, Stop> {
        let (leniency, rules) = (&*self.leniency, self.rules());
        loop {
            let by = match leniency.next(rules, &at.state) {
                Next::Runs if leniency.phase_ends(&at.state) => return Ok(false),
                Next::Runs if leniency.run(rules, &mut at.state, dice, log)? => continue,
                Next::Forced(seat, action) => (seat, action),
                Next::Choice | Next::Runs => match leniency.moot(rules, &at.state).filter(|_| !self.strict) {
                    Some(by) => by,
                    None => return Ok(true),
                },
            };
            if leniency.waits(rules, &at.state, last) {
                at.held = Some(by);
                return Ok(true);
            }
            at.taken.push(Taken { at: at.state.clone(), by: by.clone() });
            leniency.decide(rules, &mut at.state, &by, dice, log)?;
        }
    }

    fn read(&self, at: &Position<L>, said: Said) -> Result<ActionOf<L>, Refusal> {
        let action = self.rules().parse(&at.state, said.seat, said.text)?;
        Ok(if self.strict { action } else { self.leniency.complete(self.rules(), &at.state, action) })
    }

    /// What the game says of a decision at the current question.
    fn judge(&self, at: &Position<L>, said: Said) -> Result<ActionOf<L>, Refusal> {
        let action = self.read(at, said)?;
        self.leniency.check(self.rules(), &at.state, said.seat, &action)?;
        Ok(action)
    }

    /// Applies a decision that was checked.
    fn play(
        &self,
        at: &Position<L>,
        by: &By<L>,
        dice: &mut Dice,
        log: &mut LogOf<L>,
    ) -> Result<Position<L>, Stop> {
        let rules = self.rules();
        let mut after = Position {
            state: at.state.clone(),
            taken: Vec::new(),
            told: Vec::new(),
            entries: Vec::new(),
            held: None,
            dice: Dice::scripted(Vec::new()),
        };
        self.leniency.decide(rules, &mut after.state, by, dice, log)?;
        let last = Last { at: at.state.clone(), by: by.clone() };
        self.settle(&mut after, Some(&last), dice, log)?;
        let entries = crate::log::entries(rules, &after.state, log.events());
        after.told = entries.iter().map(|entry| entry.data.clone()).collect();
        after.entries = entries;
        after.dice = dice.clone();
        Ok(after)
    }

    /// Plays a line of the file literally.
    fn say(&self, at: &Position<L>, said: Said, dice: &mut Dice) -> Result<(Position<L>, Applied), Stop> {
        let action = self.judge(at, said)?;
        let mut log = Log::default();
        let mut trial = dice.clone();
        trial.forget();
        let rules = self.rules();
        let mut now = at.clone();
        let by = (said.seat, action);
        while let Some(first) = self.leniency.before(rules, &now.state, &by).filter(|_| !self.strict) {
            self.leniency.decide(rules, &mut now.state, &first, &mut trial, &mut log)?;
        }
        let text = rules.notate(&now.state, &by.1);
        let secrecy = rules.secrecy(&now.state, by.0, &by.1);
        let after = self.play(&now, &by, &mut trial, &mut log)?;
        let applied = erased::applied(rules, &after.state, text, secrecy, trial.take_rolled(), &log);
        *dice = trial;
        Ok((after, applied))
    }

    /// A decision that was already taken automatically because there was no other.
    fn recalled(&self, at: &mut Position<L>, said: Said) -> bool {
        let known = at.taken.iter().position(|taken| {
            let same = || {
                let action = self.rules().parse(&taken.at, said.seat, said.text);
                action.is_ok_and(|action| action == taken.by.1)
                    || self.rules().notate(&taken.at, &taken.by.1).eq_ignore_ascii_case(said.text.trim())
            };
            taken.by.0 == said.seat && self.leniency.recalls(&taken.by.1) && same()
        });
        known.map(|n| at.taken.remove(n)).is_some()
    }

    /// The decision has been taken already, or happened by itself.
    fn said_again(&self, at: &mut Position<L>, said: Said, walked: bool) -> bool {
        (!walked && self.recalled(at, said))
            || (!self.strict && self.leniency.already(self.rules(), &at.state, &mut at.told, said, walked))
    }

    /// The decision that the file leaves out here if it goes on with `said`: the end of a step, or a plain "no".
    fn pass(&self, at: &Position<L>, said: Said, questions: bool) -> Option<By<L>> {
        let rules = self.rules();
        let wanted = self.read(at, said).ok()?;
        if self.strict && self.is_out_of_turn(at, said.seat, &wanted) {
            return None;
        }
        let leave = self.leniency.leave(rules, &at.state, said.seat, at.held.as_ref());
        let questions = questions && !self.strict;
        leave.or_else(|| questions.then(|| self.leniency.no(rules, &at.state, &wanted)).flatten())
    }

    /// Does the game itself refuse the decision because something else is asked now? Some games let a decision end the
    /// steps before it.
    fn is_out_of_turn(&self, at: &Position<L>, seat: Seat, wanted: &ActionOf<L>) -> bool {
        match self.rules().verdict(&at.state, seat, wanted) {
            Verdict::Illegal(refusal) => refusal.is_out_of_turn(),
            Verdict::Legal => false,
        }
    }

    /// The position after the decision that the file leaves out there.
    fn passed(&self, at: &Position<L>, said: Said, questions: bool, dice: &mut Dice) -> Option<Position<L>> {
        let by = self.pass(at, said, questions)?;
        self.leniency.check(self.rules(), &at.state, by.0, &by.1).ok()?;
        let mut at = at.clone();
        self.leniency.left_out(self.rules(), &mut at.state);
        self.play(&at, &by, dice, &mut Log::default()).ok()
    }

    /// Is it worth looking for a later question that a refused decision answers?
    fn later(refusal: &Refusal) -> bool {
        refusal.is_out_of_turn() || L::LATER_STEPS
    }

    fn ahead(&self) -> Dice {
        if L::ROLLS_AHEAD { self.now.dice.clone() } else { Dice::scripted(Vec::new()) }
    }

    /// Plays one line that stands for several. The first may be preceded by what the file leaves out, the others follow
    /// at once.
    fn say_in_parts(&self, said: Said, dice: &mut Dice) -> Option<(Position<L>, Applied)> {
        self.leniency.parts(said).iter().find_map(|lines| {
            let (first, more) = lines.split_first()?;
            let mut trial = dice.clone();
            let (mut end, mut applied) = self.found(Said { text: first, ..said }, &mut trial).ok()?;
            for line in more {
                let line = Said { text: line, ..said };
                match self.say(&end, line, &mut trial) {
                    Ok((later, more)) => {
                        end = later;
                        applied.entries.extend(more.entries);
                        applied.rolls.extend(more.rolls);
                    }
                    Err(_) if self.said_again(&mut end, line, false) => {}
                    Err(_) => return None,
                }
            }
            *dice = trial;
            Some((end, applied))
        })
    }

    /// Plays another line that the file means by this one.
    fn say_otherwise(
        &self,
        said: Said,
        refusal: &Refusal,
        dice: &mut Dice,
    ) -> Option<(Position<L>, Applied)> {
        if self.strict {
            return None;
        }
        let meant = self.leniency.meant(self.rules(), &self.now.state, said, refusal);
        let found = meant.and_then(|text| self.say(&self.now, Said { text: &text, ..said }, dice).ok());
        found.or_else(|| self.say_in_parts(said, dice))
    }

    /// Plays the decision at a later question, after what the file leaves out.
    fn say_later(
        &self,
        said: Said,
        questions: bool,
        dice: &mut Dice,
    ) -> Result<(Position<L>, Applied), Option<Refusal>> {
        let mut at = self.now.clone();
        let mut trial = dice.clone();
        let mut why = None;
        for _ in 0..L::MOST_PASSED {
            let Some(later) = self.passed(&at, said, questions, &mut trial) else { break };
            at = later;
            let mut later_dice = trial.clone();
            match self.say(&at, said, &mut later_dice) {
                Ok(found) => {
                    *dice = later_dice;
                    return Ok(found);
                }
                Err(stop) => {
                    let mut again = at.clone();
                    if self.said_again(&mut again, said, false) {
                        *dice = trial;
                        let applied = nothing(said.text, &again);
                        return Ok((again, applied));
                    }
                    match stop {
                        Stop::Illegal(refusal) if !refusal.is_out_of_turn() && why.is_none() => {
                            why = Some(refusal);
                        }
                        _ => {}
                    }
                }
            }
        }
        Err(why)
    }

    /// Why a decision was not open, if its question came up while the last decision was carried out and was answered
    /// automatically because it had only one answer.
    fn not_open(&self, at: &Position<L>, said: Said) -> Option<Verdict> {
        let (leniency, rules) = (&*self.leniency, self.rules());
        let of_seat = |taken: &&Taken<L>| taken.by.0 == said.seat && leniency.recalls(&taken.by.1);
        at.taken.iter().rev().filter(of_seat).find_map(|taken| {
            let action = rules.parse(&taken.at, said.seat, said.text).ok()?;
            match leniency.check(rules, &taken.at, said.seat, &action) {
                Err(refusal) if !refusal.is_out_of_turn() => Some(Verdict::Illegal(refusal)),
                _ => None,
            }
        })
    }

    /// The verdict on a decision at the question where it is asked for, after what the file leaves out; or where it
    /// would have been asked for, had there been a choice.
    fn verdict_later(&self, said: Said, questions: bool) -> Option<Verdict> {
        let mut at = self.now.clone();
        let mut dice = self.ahead();
        for _ in 0..L::MOST_PASSED {
            at = self.passed(&at, said, questions, &mut dice)?;
            match self.judge(&at, said) {
                Ok(_) => return Some(Verdict::Legal),
                Err(refusal) if refusal.is_out_of_turn() => {
                    if let Some(found) = self.not_open(&at, said) {
                        return Some(found);
                    }
                }
                Err(refusal) if questions => return Some(Verdict::Illegal(refusal)),
                Err(_) => {}
            }
        }
        None
    }

    /// A decision of the file: where it leads.
    fn found(&self, said: Said, dice: &mut Dice) -> Result<(Position<L>, Applied), Stop> {
        let refusal = match self.say(&self.now, said, dice) {
            Err(Stop::Illegal(refusal)) => refusal,
            other => return other,
        };
        let mut now = self.now.clone();
        if self.said_again(&mut now, said, false) {
            let applied = nothing(said.text, &now);
            return Ok((now, applied));
        }
        let found = match self.say_otherwise(said, &refusal, dice) {
            Some(found) => Ok(found),
            None if Self::later(&refusal) => self.say_later(said, refusal.is_out_of_turn(), dice),
            None => Err(None),
        };
        match found {
            Ok(found) => Ok(found),
            Err(_) if refusal.is_out_of_turn() && self.said_again(&mut now, said, true) => {
                let applied = nothing(said.text, &now);
                Ok((now, applied))
            }
            Err(later) => Err(later.filter(|_| refusal.is_out_of_turn()).unwrap_or(refusal).into()),
        }
    }

    fn take(&mut self, said: Said, dice: &mut Dice) -> Result<Applied, Stop> {
        let (now, applied) = self.found(said, dice)?;
        self.set(now);
        Ok(applied)
    }

    /// Is the file's next decision, rightly or wrongly, an answer to the question that waits?
    fn next_answers(&self) -> bool {
        let Some((seat, text)) = &self.next else { return false };
        let Ok(action) = self.read(&self.now, Said { seat: *seat, text }) else { return false };
        match self.leniency.check(self.rules(), &self.now.state, *seat, &action) {
            Ok(()) => true,
            Err(refusal) => !refusal.is_out_of_turn(),
        }
    }

    /// Plays what the file passes over after a decision; where its dice do not suffice, the question waits.
    fn pass_over(&mut self, applied: &mut Applied, dice: &mut Dice) {
        while let Some(by) = self.leniency.passed_over(self.rules(), &self.now.state) {
            if self.strict || self.next_answers() {
                return;
            }
            let mut log = Log::default();
            let mut trial = dice.clone();
            trial.forget();
            let Ok(mut after) = self.play(&self.now, &by, &mut trial, &mut log) else { return };
            applied.entries.extend(crate::log::entries(self.rules(), &after.state, log.events()));
            applied.rolls.extend(trial.take_rolled());
            after.taken.splice(0..0, self.now.taken.iter().cloned());
            after.told.splice(0..0, self.now.told.iter().cloned());
            *dice = trial;
            self.set(after);
        }
    }

    /// The position in which a question is answered.
    fn asked(&self) -> Option<Erased<L::Rules>> {
        let mut at = self.now.clone();
        let mut dice = self.ahead();
        let mut any = false;
        while let Some(by) = self.leniency.before_ask(self.rules(), &at.state).filter(|_| !self.strict) {
            at = self.play(&at, &by, &mut dice, &mut Log::default()).ok()?;
            any = true;
        }
        any.then(|| Erased::new(Arc::clone(&self.inner.rules), at.state))
    }
}

/// The lines for which one stands that names several units with one of these verbs and the same way for all:
/// `retreat A B C 1314` or `retreat A+B+C 1314`. None if it names fewer than two, or no way.
pub fn one_by_one(text: &str, verbs: &[&str], is_place: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let between = |c: char| c.is_whitespace() || c == '+' || c == ',';
    let is_name = |word: &&str| !word.is_empty() && !word.eq_ignore_ascii_case("and");
    let words: Vec<&str> = text.split(between).filter(is_name).collect();
    let (verb, rest) = words.split_first()?;
    let known = verbs.iter().any(|known| verb.eq_ignore_ascii_case(known));
    let begins = |word: &&str| is_place(word) || ["to", "out"].iter().any(|w| word.eq_ignore_ascii_case(w));
    let (names, way) = rest.split_at(rest.iter().position(begins)?);
    let way = way.join(" ");
    (known && names.len() > 1).then(|| names.iter().map(|name| format!("{verb} {name} {way}")).collect())
}

/// A decision that changed nothing because the lab had taken it already: its log entries are those of the decision
/// before.
fn nothing<L: Leniency>(text: &str, at: &Position<L>) -> Applied {
    Applied {
        action: text.to_owned(),
        entries: at.entries.clone(),
        rolls: Vec::new(),
        revealed: false,
        secrecy: Secrecy::Open,
        redacted: None,
        secret_rolls: Vec::new(),
        disclosed: Vec::new(),
    }
}

impl<L: Leniency> LabTable for Lab<L> {
    fn read_strictly(&mut self) {
        self.strict = true;
    }

    fn forbidden_by(&self, refusal: &Refusal, rule: &str) -> bool {
        let also = || self.leniency.also(&self.now.state, refusal);
        refusal.cites(rule)
            || !self.strict && also().iter().any(|other| crate::verdict::at_or_below(other, rule))
    }

    fn normal(&self, value: Value) -> Value {
        self.leniency.normal(value)
    }

    fn heeded(&self, answer: Value, expect: &Value) -> Value {
        self.leniency.heeded(answer, expect)
    }

    fn foresee(&mut self, next: Option<(Seat, &str)>) {
        self.next = next.map(|(seat, text)| (seat, text.to_owned()));
    }
}

impl<L: Leniency> Table for Lab<L> {
    fn apply(&mut self, seat: Seat, text: &str, dice: &mut Dice) -> Result<Applied, Stop> {
        let mut applied = self.take(Said { seat, text }, dice)?;
        self.pass_over(&mut applied, dice);
        Ok(applied)
    }

    fn verdict(&self, seat: Seat, text: &str) -> Verdict {
        let said = Said { seat, text };
        let Err(refusal) = self.judge(&self.now, said) else { return Verdict::Legal };
        if !self.strict
            && let Some(line) = self.leniency.meant(self.rules(), &self.now.state, said, &refusal)
        {
            let meant: Verdict = self.judge(&self.now, Said { seat, text: &line }).map(|_| ()).into();
            if self.leniency.stands_for(&meant) {
                return meant;
            }
        }
        if refusal.is_out_of_turn()
            && let Ok(action) = self.read(&self.now, said)
            && let Some(why) = self.leniency.unasked(self.rules(), &self.now.state, &(seat, action))
        {
            return Verdict::Illegal(why);
        }
        let later =
            || Self::later(&refusal).then(|| self.verdict_later(said, refusal.is_out_of_turn())).flatten();
        let passed = || self.not_open(&self.now, said).filter(|_| refusal.is_out_of_turn());
        let found = if L::PASSED_QUESTIONS_FIRST { passed().or_else(later) } else { later().or_else(passed) };
        found.unwrap_or_else(|| Verdict::Illegal(refusal.clone()))
    }

    fn ask(&self, viewer: Viewer, question: &str) -> Result<Value, Ask> {
        match self.asked() {
            Some(after) if !question.trim_start().starts_with("legal") => after.ask(viewer, question),
            _ => self.inner.ask(viewer, question),
        }
    }

    fn turn(&self) -> u16 {
        self.inner.turn()
    }

    fn survey(&self) -> Survey {
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

    fn snapshot(&self) -> Value {
        self.inner.snapshot()
    }

    fn restore(&mut self, snapshot: &Value) -> Result<(), SetupError> {
        self.inner.restore(snapshot)?;
        let state = self.inner.state.clone();
        let dice = self.now.dice.clone();
        let (taken, told, entries) = (Vec::new(), Vec::new(), Vec::new());
        self.now = Position { state, taken, told, entries, held: None, dice };
        Ok(())
    }

    fn clone_table(&self) -> Box<dyn Table> {
        Box::new(Lab {
            leniency: Arc::clone(&self.leniency),
            inner: self.inner.clone(),
            now: self.now.clone(),
            next: self.next.clone(),
            strict: self.strict,
        })
    }

    fn random_action(&self, seat: Seat, rng: &mut dyn RngCore) -> Option<String> {
        self.inner.random_action(seat, rng)
    }
}
