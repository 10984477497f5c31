//! The knowledge of a game that is needed to play it well. The rest of this crate depends only on this trait.

use std::sync::Arc;

use kernel::{Message, Rules, Seat, Viewer};
use rand_core::RngCore;

use crate::{
    Level, Numbers,
    search::{Effort, Polish},
};

/// A decision, and its reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<A> {
    pub action: A,
    pub why: Option<Message>,
}

impl<A> Thought<A> {
    pub fn plain(action: A) -> Thought<A> {
        Thought { action, why: None }
    }
}

/// The knowledge of one game, for the rules of one table.
pub trait Mind: Send + Sync + Sized + 'static {
    type Rules: Rules;
    /// A style of play: what the side aims for in its turn, how bold it is.
    type Plan: Clone + Send + std::fmt::Debug;

    /// The weights of its judgement.
    type Numbers: Numbers;

    /// Studies the board and the pieces of a table once.
    fn study(rules: Arc<Self::Rules>) -> Self {
        Self::with(rules, Self::Numbers::default())
    }
    /// The weights by which a level judges.
    fn numbers(_: Level) -> Self::Numbers {
        Self::Numbers::default()
    }
    /// Studies with these weights.
    fn with(rules: Arc<Self::Rules>, numbers: Self::Numbers) -> Self;
    fn rules(&self) -> &Arc<Self::Rules>;

    /// How much of [`Mind::value`] is one victory point.
    const POINT: f32 = 1.0;
    /// The value of a position to a seat; more is better. A decided game is worth more or less than any other position.
    fn value(&self, state: &State<Self>, seat: Seat) -> f32;
    /// A position that the seat may consider possible: anything it may not know is sampled ([`Rules::resample`]), then
    /// made plausible.
    fn believed(&self, state: &State<Self>, seat: Seat, rng: &mut dyn RngCore) -> State<Self> {
        let sampled = self.rules().resample(state, Viewer::Seat(seat), rng);
        let mut state = sampled.unwrap_or_else(|| state.clone());
        self.make_plausible(&mut state, seat, rng);
        state
    }
    /// Replaces what was sampled by something that the other side is more likely to have. It never sees the truth.
    fn make_plausible(&self, _state: &mut State<Self>, _seat: Seat, _rng: &mut dyn RngCore) {}
    /// A hash of the position; equal positions give equal numbers.
    fn fingerprint(&self, state: &State<Self>) -> u64;

    /// The usual style of a level.
    fn usual(&self, level: Level) -> Self::Plan;
    /// Does a chosen style stay until the end of the turn, or only as long as its script?
    const KEEPS_MANNER: bool = false;
    /// How much effort a level spends on comparing plans; none: it plays in its usual style.
    fn effort(&self, level: Level) -> Option<Effort> {
        Effort::usual(level)
    }
    /// The effort for one decision.
    fn effort_at(&self, level: Level, _state: &State<Self>) -> Option<Effort> {
        self.effort(level)
    }
    /// A style as it is played in trials, where time is short.
    fn in_haste(&self, plan: &Self::Plan) -> Self::Plan;
    /// The weight of a plan's prospects ([`Mind::outlook`]) beside the results of its trials, from 0 to 1.
    fn faith(&self, _start: &State<Self>) -> f32 {
        0.5
    }
    /// Styles worth comparing at this decision, the usual one first; empty if there is no plan to make.
    fn plans(
        &self,
        state: &State<Self>,
        seat: Seat,
        usual: &Self::Plan,
        width: usize,
        rng: &mut dyn RngCore,
        out: &mut Vec<Self::Plan>,
    );
    /// What to do now in a style: at least one decision, and those meant to follow it as long as nothing unforeseen
    /// happens.
    fn script(
        &self,
        state: &State<Self>,
        seat: Seat,
        plan: &Self::Plan,
        rng: &mut dyn RngCore,
        out: &mut Vec<Thought<Action<Self>>>,
    );
    /// The prospects of a seat that has moved and is about to fight: its value, the expected gain of its attacks, and
    /// what the enemy could do to it.
    fn outlook(&self, state: &State<Self>, seat: Seat, usual: &Self::Plan) -> f32;
    /// Faces of the die, in a game that rolls only one kind: trials then distribute luck evenly.
    fn die(&self) -> Option<u8> {
        None
    }
    /// May dice decide something here whose luck can be separated from skill? Then [`Mind::luck`] is called after this
    /// decision of a trial.
    fn risky(&self, _state: &State<Self>, _action: &Action<Self>) -> bool {
        false
    }
    /// How much better the dice fell for a seat than expected beforehand: a trial is judged without this luck, so that
    /// fewer trials are needed. `before` is the position in which they were rolled, `after` the one that followed.
    fn luck(
        &self,
        _before: &State<Self>,
        _after: &State<Self>,
        _log: &kernel::Log<<Self::Rules as Rules>::Event>,
        _seat: Seat,
    ) -> f32 {
        0.0
    }
    /// The value of the final position of a trial, without the luck that led there.
    fn judge(&self, state: &State<Self>, seat: Seat, luck: f32) -> f32 {
        self.value(state, seat) - luck
    }
    /// Scripts that differ from this one in one decision, and might be better.
    fn neighbours(
        &self,
        _state: &State<Self>,
        _seat: Seat,
        _script: &[Thought<Action<Self>>],
        _out: &mut Vec<Vec<Thought<Action<Self>>>>,
    ) {
    }
    /// Rewrites the reasons after decisions of a script have been changed.
    fn explain(&self, _state: &State<Self>, _seat: Seat, _script: &mut Vec<Thought<Action<Self>>>) {}
    /// How much effort a level spends on the neighbours of its best script; none: it takes the script as it is.
    fn polish(&self, _level: Level) -> Option<Polish> {
        None
    }
    /// Has a trial that began in `start` gone far enough to be judged?
    fn judged(&self, start: &State<Self>, now: &State<Self>, depth: u8) -> bool;
}

pub type State<M> = <<M as Mind>::Rules as Rules>::State;
pub type Action<M> = <<M as Mind>::Rules as Rules>::Action;
