//! What a game says to the adapter: how its lab files may be written, and the parts of [`Rules::apply`] between which
//! the adapter stops. A game implements [`Leniency`] in its `lab` module.

use serde_json::Value;

use crate::{Dice, Log, Refusal, Rules, Seat, Stop, Verdict};

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

pub(super) type StateOf<L> = <<L as Leniency>::Rules as Rules>::State;
pub(super) type ActionOf<L> = <<L as Leniency>::Rules as Rules>::Action;
pub(super) type LogOf<L> = Log<<<L as Leniency>::Rules as Rules>::Event>;
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
    /// The answer to a decoy: a question that is asked only so that its absence reveals nothing. A file never has to
    /// answer it.
    fn decoy_answer(&self, _rules: &Self::Rules, _s: &StateOf<Self>) -> Option<By<Self>> {
        None
    }

    /// The plain "no" to the current question, if a file that goes on with `wanted` may skip it.
    fn no(&self, _rules: &Self::Rules, _s: &StateOf<Self>, _wanted: &ActionOf<Self>) -> Option<By<Self>> {
        None
    }
    /// Called before a decision that the file leaves out is carried out: settles what such a file assumes to be settled.
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
    /// A decision that is taken before any question of the file is answered.
    fn before_ask(&self, _rules: &Self::Rules, _s: &StateOf<Self>) -> Option<By<Self>> {
        None
    }
    /// May a file still write this decision after it was taken automatically?
    fn recalls(&self, _action: &ActionOf<Self>) -> bool {
        true
    }
    /// Has this already happened by itself, or does it change nothing? `told` are the facts of the last decision's log;
    /// `walked` is true once all later questions were searched and none is answered by it.
    fn already_done(
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
    fn intended_line(
        &self,
        _rules: &Self::Rules,
        _s: &StateOf<Self>,
        _said: Said,
        _refusal: &Refusal,
    ) -> Option<String> {
        None
    }
    /// Does the verdict on the line of [`Leniency::meant`] hold for the refused one?
    fn stands_for(&self, _intended: &Verdict) -> bool {
        true
    }
    /// Lists of lines that a refused one may combine, in the order in which they are tried. Each line stands for less
    /// than the refused one.
    fn parts(&self, _said: Said) -> Vec<Vec<String>> {
        Vec::new()
    }
    /// Does a line repeat an answer that was given automatically, although the question that waits could take it, too?
    /// `told` are the facts of the last decision's log.
    fn echoes(&self, _rules: &Self::Rules, _s: &StateOf<Self>, _told: &[Value], _said: Said) -> bool {
        false
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
    fn without_unmentioned(&self, answer: Value, _expect: &Value) -> Value {
        answer
    }
}

/// A line of a file, and the seat that says it.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    pub seat: Seat,
    pub text: &'a str,
    /// The decisions that the file takes after it, as long as no question is between them.
    pub then: &'a [(Seat, String)],
}

/// The decision that led to a position.
#[expect(missing_debug_implementations, reason = "a state need not have one")]
pub struct Last<L: Leniency> {
    /// The position in which it was taken.
    pub at: StateOf<L>,
    pub by: By<L>,
}
