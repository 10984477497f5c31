//! Decisions without a policy of their own: choose the option that leads to the most valuable position.

use kernel::{Rules, Seat};
use rand_core::RngCore;

use crate::{
    Mind, Thought,
    mind::{Action, State},
    search::expected,
};

/// All legal options, as listed.
pub fn options<R: Rules>(rules: &R, state: &R::State, seat: Seat) -> Vec<R::Action> {
    let (mut subjects, mut actions) = (Vec::new(), Vec::new());
    rules.subjects(state, seat, &mut subjects);
    for subject in subjects {
        rules.options(state, seat, subject, &mut actions);
    }
    actions
}

/// The option that leads to the most valuable position, among at most `looks` that are evaluated.
pub fn best_of<M: Mind>(
    mind: &M,
    state: &State<M>,
    seat: Seat,
    looks: usize,
    rng: &mut dyn RngCore,
    out: &mut Vec<Thought<Action<M>>>,
) {
    let rules = &**mind.rules();
    let mut actions = options(rules, state, seat);
    if actions.len() == 1 {
        out.extend(actions.pop().map(Thought::plain));
        return;
    }
    if actions.len() > looks {
        // Every n-th item of a list in map order is a fair sample of it.
        let every = actions.len().div_ceil(looks);
        let first = actions[0].clone();
        actions = actions.into_iter().skip(1).step_by(every).collect();
        actions.push(first);
    }
    let mut best: Option<(f32, Action<M>)> = None;
    for mut action in actions {
        if !rules.sample(state, seat, &mut action, rng) {
            continue;
        }
        let Some(value) = expected(mind, state, seat, &action, rng) else { continue };
        if best.as_ref().is_none_or(|(most, _)| value > *most) {
            best = Some((value, action));
        }
    }
    out.extend(best.map(|(_, action)| Thought::plain(action)));
}
