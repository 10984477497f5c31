//! What somebody must know about a game to play it well. Everything else in this crate knows only this.

use std::sync::Arc;

use kernel::{Message, Rules, Seat, Viewer};
use rand_core::RngCore;

use crate::{
    Level, Numbers,
    search::{Effort, Polish},
};

/// A decision, and why.
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

/// The knowledge of one game, for one table's rules.
pub trait Mind: Send + Sync + Sized + 'static {
    type Rules: Rules;
    /// A manner of play: what the side is after in its turn, how bold it is.
    type Plan: Clone + Send + std::fmt::Debug;

    /// The numbers of its judgement.
    type Numbers: Numbers;

    /// Study the board and the pieces of a table once.
    fn study(rules: Arc<Self::Rules>) -> Self {
        Self::with(rules, Self::Numbers::default())
    }
    /// The numbers by which a level judges.
    fn numbers(_: Level) -> Self::Numbers {
        Self::Numbers::default()
    }
    /// Study with these numbers.
    fn with(rules: Arc<Self::Rules>, numbers: Self::Numbers) -> Self;
    fn rules(&self) -> &Arc<Self::Rules>;

    /// How much of [`Mind::value`] is one victory point.
    const POINT: f32 = 1.0;
    /// What a position is worth to a seat; more is better. A game that is over is worth more or less than any other.
    fn value(&self, state: &State<Self>, seat: Seat) -> f32;
    /// The position as the seat may believe it to be: whatever it may not know is sampled ([`Rules::resample`]), then made
    /// plausible.
    fn believed(&self, state: &State<Self>, seat: Seat, rng: &mut dyn RngCore) -> State<Self> {
        let sampled = self.rules().resample(state, Viewer::Seat(seat), rng);
        let mut state = sampled.unwrap_or_else(|| state.clone());
        self.make_plausible(&mut state, seat, rng);
        state
    }
    /// Change what was sampled into something that the other side is likelier to have. It never sees what is true.
    fn make_plausible(&self, _state: &mut State<Self>, _seat: Seat, _rng: &mut dyn RngCore) {}
    /// Tells positions apart; equal ones give equal numbers.
    fn fingerprint(&self, state: &State<Self>) -> u64;

    /// The usual manner of a level.
    fn usual(&self, level: Level) -> Self::Plan;
    /// Does a manner that was chosen stay until the turn ends, or only for what its script says?
    const KEEPS_MANNER: bool = false;
    /// How much thought a level gives to its plans; none: it plays in its usual manner.
    fn effort(&self, level: Level) -> Option<Effort> {
        Effort::usual(level)
    }
    /// A manner as it is played in trials, where time is short.
    fn in_haste(&self, plan: &Self::Plan) -> Self::Plan;
    /// Manners worth comparing at this decision, the usual one first; nothing where there is no plan to make.
    fn plans(
        &self,
        state: &State<Self>,
        seat: Seat,
        usual: &Self::Plan,
        width: usize,
        rng: &mut dyn RngCore,
        out: &mut Vec<Self::Plan>,
    );
    /// What to do now in a manner: at least one decision, and those that are meant to follow it while nothing unforeseen
    /// happens.
    fn script(
        &self,
        state: &State<Self>,
        seat: Seat,
        plan: &Self::Plan,
        rng: &mut dyn RngCore,
        out: &mut Vec<Thought<Action<Self>>>,
    );
    /// What a position promises a seat that has moved and is about to fight: its value, what its attacks would bring, and
    /// what the enemy could do to it.
    fn outlook(&self, state: &State<Self>, seat: Seat, usual: &Self::Plan) -> f32;
    /// Faces of the die, in a game that rolls only one kind: trials then share luck out evenly.
    fn die(&self) -> Option<u8> {
        None
    }
    /// Can luck be told from skill? Then [`Mind::luck`] is asked after every decision of a trial.
    const KNOWS_LUCK: bool = false;
    /// How much better for a seat dice have fallen than they could be expected to, by a reckoning made before they fell: a
    /// trial is judged without it, so that fewer trials tell more. `before` is the position in which they fell.
    fn luck(
        &self,
        _before: &State<Self>,
        _log: &kernel::Log<<Self::Rules as Rules>::Event>,
        _seat: Seat,
    ) -> f32 {
        0.0
    }
    /// What a position is worth in which a trial ends, without the luck that led there.
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
    /// Say anew why, when decisions of a script have been changed.
    fn explain(&self, _state: &State<Self>, _seat: Seat, _script: &mut Vec<Thought<Action<Self>>>) {}
    /// How much thought a level gives to the neighbours of its best script; none: it takes it as it is.
    fn polish(&self, _level: Level) -> Option<Polish> {
        None
    }
    /// Has a trial that began in `start` gone far enough to be judged?
    fn judged(&self, start: &State<Self>, now: &State<Self>, depth: u8) -> bool;
}

pub type State<M> = <<M as Mind>::Rules as Rules>::State;
pub type Action<M> = <<M as Mind>::Rules as Rules>::Action;
