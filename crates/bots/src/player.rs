//! The player of any game for which there is a [`Mind`].

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use kernel::{Dice, Erased, Log, Pending, Rules, Seat, Table};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

use crate::{
    Bot, Choice, Level, Mind, Thought, Watch, greedy,
    mind::{Action, State},
    search::{self, Effort, Polish},
};

/// How many scripts for expected positions are kept: a player may sit at several tables.
const KEPT: usize = 64;
/// How many options the fallback evaluates.
const FALLBACK_LOOKS: usize = 64;
/// A hasty player takes one decision in this many at random.
const HASTE: u32 = 3;

type Script<M> = VecDeque<Thought<Action<M>>>;

/// Plays by its mind's quick style; stronger levels compare plans first.
pub struct Player<M: Mind> {
    level: Level,
    rng: ChaCha8Rng,
    mind: Option<M>,
    study: Box<dyn Fn(Arc<M::Rules>) -> M + Send>,
    /// Scripts to be continued, by the seat and the position in which they continue: both seats may be asked at once.
    scripts: HashMap<(Seat, u64), Script<M>>,
    /// The style that was chosen for a turn, by seat.
    manners: HashMap<Seat, (u16, M::Plan)>,
}

impl<M: Mind> std::fmt::Debug for Player<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player").field("level", &self.level).finish_non_exhaustive()
    }
}

impl<M: Mind> Player<M> {
    pub fn new(level: Level, seed: u64) -> Self {
        Player::studying(level, seed, move |rules| M::with(rules, M::numbers(level)))
    }

    /// A player with a mind of its own.
    pub fn studying(level: Level, seed: u64, study: impl Fn(Arc<M::Rules>) -> M + Send + 'static) -> Self {
        let (rng, study) = (ChaCha8Rng::seed_from_u64(seed), Box::new(study));
        Player { level, rng, mind: None, study, scripts: HashMap::new(), manners: HashMap::new() }
    }

    /// At another table everything is studied again.
    fn sit_down(&mut self, rules: &Arc<M::Rules>) {
        if !self.mind.as_ref().is_some_and(|mind| Arc::ptr_eq(mind.rules(), rules)) {
            self.mind = Some((self.study)(Arc::clone(rules)));
            self.scripts.clear();
            self.manners.clear();
        }
    }
}

impl<M: Mind> Bot for Player<M> {
    fn ponder(&mut self, table: &dyn Table, seat: Seat, watch: &Watch<'_>) -> Option<Choice> {
        let erased = table.as_any().downcast_ref::<Erased<M::Rules>>()?;
        if !table.pending().awaits(seat) {
            return None;
        }
        self.sit_down(&erased.rules);
        let mind = self.mind.as_ref()?;
        let rules = &*erased.rules;
        let state = mind.believed(&erased.state, seat, &mut self.rng);
        let effort = mind.effort_at(self.level, &state);

        if self.level == Level::Recruit && self.rng.next_u32().is_multiple_of(HASTE) {
            let action = table.random_action(seat, &mut self.rng)?;
            return Some(Choice { action, why: None });
        }
        let mut script = self.scripts.remove(&(seat, mind.fingerprint(&state))).unwrap_or_default();
        let mut next = first_legal(rules, &state, seat, &mut script);
        if next.is_none() {
            let turn = table.turn();
            let kept = self.manners.get(&seat).filter(|(when, _)| *when == turn);
            let usual = kept.map_or_else(|| mind.usual(self.level), |(_, manner)| manner.clone());
            let polish = mind.polish(self.level);
            let (found, manner) = think(mind, &state, seat, usual, (effort, polish), &mut self.rng, watch);
            script = found.into();
            if M::KEEPS_MANNER {
                self.manners.insert(seat, (turn, manner));
            }
            next = first_legal(rules, &state, seat, &mut script);
        }
        let look =
            || greedy::best(mind, &state, seat, FALLBACK_LOOKS, &mut self.rng, watch).map(Thought::plain);
        let Some(thought) = next.or_else(look) else {
            let action = table.random_action(seat, &mut self.rng)?;
            return Some(Choice { action, why: None });
        };
        if !script.is_empty()
            && let Some(after) = foresee(rules, &state, seat, &thought.action)
        {
            if self.scripts.len() >= KEPT {
                self.scripts.clear();
            }
            self.scripts.insert((seat, mind.fingerprint(&after)), script);
        }
        Some(Choice { action: rules.notate(&erased.state, &thought.action), why: thought.why })
    }

    fn worth(&mut self, table: &dyn Table, seat: Seat) -> Option<f64> {
        let erased = table.as_any().downcast_ref::<Erased<M::Rules>>()?;
        self.sit_down(&erased.rules);
        judged(self.mind.as_ref()?, table, &erased.state, seat)
    }
}

/// [`Bot::worth`] of a bot with a mind.
pub(crate) fn judged<M: Mind>(mind: &M, table: &dyn Table, state: &State<M>, seat: Seat) -> Option<f64> {
    let over = matches!(table.pending(), Pending::Over(_));
    (!over).then(|| f64::from(mind.value(state, seat) / M::POINT))
}

fn think<M: Mind>(
    mind: &M,
    state: &State<M>,
    seat: Seat,
    usual: M::Plan,
    (effort, polish): (Option<Effort>, Option<Polish>),
    rng: &mut ChaCha8Rng,
    watch: &Watch<'_>,
) -> search::Chosen<M> {
    // Comparing plans is the first half of the work if polishing follows.
    let share = if polish.is_some() { 0.5 } else { 1.0 };
    let (first, second) = (|done: f32| watch.tell(share * done), |done: f32| watch.tell(0.5 + 0.5 * done));
    if let Some(effort) = effort
        && !watch.stopped()
        && let Some(chosen) = search::plan(mind, state, seat, &usual, &effort, rng, &watch.part(&first))
    {
        return match polish {
            Some(polish) => {
                search::polish(mind, state, seat, &usual, chosen, &polish, rng, &watch.part(&second))
            }
            None => chosen,
        };
    }
    let mut script = Vec::new();
    mind.script(state, seat, &usual, rng, &mut script);
    (script, usual)
}

fn first_legal<R: Rules>(
    rules: &R,
    state: &R::State,
    seat: Seat,
    script: &mut VecDeque<Thought<R::Action>>,
) -> Option<Thought<R::Action>> {
    while let Some(thought) = script.pop_front() {
        if rules.verdict(state, seat, &thought.action).is_legal() {
            return Some(thought);
        }
    }
    None
}

/// The position after a decision that needs no die and is followed by one of the same seat; none otherwise.
fn foresee<R: Rules>(rules: &R, state: &R::State, seat: Seat, action: &R::Action) -> Option<R::State> {
    let mut after = state.clone();
    let mut dice = Dice::scripted(Vec::new());
    rules.apply(&mut after, seat, action, &mut dice, &mut Log::default()).ok()?;
    rules.pending(&after).awaits(seat).then_some(after)
}
