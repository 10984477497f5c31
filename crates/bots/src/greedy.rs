//! One ply: evaluates every decision it could take now, and takes the one that leads to the most valuable position. It
//! is the baseline that every planning bot must beat.

use std::sync::Arc;

use kernel::{Erased, Rules, Seat, Table};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

use crate::{
    Bot, Choice, Mind, Watch,
    mind::{Action, State},
    search::expected,
};

/// The most options it evaluates for one decision.
const LOOKS: usize = 256;
/// The most options it evaluates if it is hurried from the start.
const HASTY_LOOKS: usize = 24;
/// Decisions in one turn after which it chooses at random: looking one step ahead may lead in circles.
const PATIENCE: u32 = 1000;

#[derive(Debug)]
pub struct Greedy<M> {
    rng: ChaCha8Rng,
    mind: Option<M>,
    /// The turn, and decisions made in it.
    turn: (u16, u32),
}

impl<M: Mind> Greedy<M> {
    pub fn new(seed: u64) -> Self {
        Greedy { rng: ChaCha8Rng::seed_from_u64(seed), mind: None, turn: (0, 0) }
    }
}

impl<M: Mind> Bot for Greedy<M> {
    fn ponder(&mut self, table: &dyn Table, seat: Seat, watch: &Watch<'_>) -> Option<Choice> {
        let erased = table.as_any().downcast_ref::<Erased<M::Rules>>()?;
        if !self.mind.as_ref().is_some_and(|mind| Arc::ptr_eq(mind.rules(), &erased.rules)) {
            self.mind = Some(M::study(Arc::clone(&erased.rules)));
        }
        let turn = table.turn();
        self.turn = if self.turn.0 == turn { (turn, self.turn.1 + 1) } else { (turn, 1) };
        // In a hurry it plays many positions out: the decisions are not those of one game.
        if self.turn.1 > PATIENCE && !watch.stopped() {
            return Some(Choice { action: table.random_action(seat, &mut self.rng)?, why: None });
        }
        let mind = self.mind.as_ref()?;
        let state = mind.believed(&erased.state, seat, &mut self.rng);
        let action = best(mind, &state, seat, LOOKS, &mut self.rng, watch);
        match action {
            Some(action) => Some(Choice { action: erased.rules.notate(&erased.state, &action), why: None }),
            None => Some(Choice { action: table.random_action(seat, &mut self.rng)?, why: None }),
        }
    }
}

/// The option with the best expected value among at most `looks` evaluated ones, sampled at random if there are more. If
/// hurried from the start, it evaluates a few.
pub fn best<M: Mind>(
    mind: &M,
    state: &State<M>,
    seat: Seat,
    looks: usize,
    rng: &mut ChaCha8Rng,
    watch: &Watch<'_>,
) -> Option<Action<M>> {
    let rules = &**mind.rules();
    let hasty = watch.stopped();
    let looks = if hasty { looks.min(HASTY_LOOKS) } else { looks };
    let mut options = list(rules, state, seat, rng);
    // Too many options are sampled; the first subject is the phase itself, whose options are kept.
    if options.len() > looks {
        for at in 0..looks {
            let other = at + rng.next_u32() as usize % (options.len() - at);
            options.swap(at, other);
        }
        let mut phase = Vec::new();
        let mut subjects = Vec::new();
        rules.subjects(state, seat, &mut subjects);
        if let Some(first) = subjects.first() {
            rules.options(state, seat, *first, &mut phase);
        }
        options.truncate(looks);
        for action in phase {
            if !options.contains(&action) {
                options.push(action);
            }
        }
    }
    let mut best: Option<(f32, Action<M>)> = None;
    for action in options {
        if !hasty && watch.stopped() && best.is_some() {
            break;
        }
        let Some(value) = expected(mind, state, seat, &action, rng) else { continue };
        if best.as_ref().is_none_or(|(most, _)| value > *most) {
            best = Some((value, action));
        }
    }
    best.map(|(_, action)| action)
}

/// All options, with open parts filled at random.
pub fn list<R: Rules>(rules: &R, state: &R::State, seat: Seat, rng: &mut ChaCha8Rng) -> Vec<R::Action> {
    let (mut subjects, mut actions, mut out) = (Vec::new(), Vec::new(), Vec::new());
    rules.subjects(state, seat, &mut subjects);
    for subject in subjects {
        actions.clear();
        rules.options(state, seat, subject, &mut actions);
        for action in &actions {
            let mut filled = action.clone();
            if rules.sample(state, seat, &mut filled, rng) {
                out.push(filled);
            }
        }
    }
    out
}
