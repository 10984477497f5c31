//! Search that knows only the kernel and a [`Mind`]: the expected value of one decision, and trials of whole plans.

use std::time::{Duration, Instant};

use kernel::{Dice, DiceError, Log, Rules, Seat, Stop};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

use crate::{
    Level, Mind, Thought, Watch,
    mind::{Action, State},
};

/// Up to this many dice of one decision are tried on every face; with more, dice are sampled instead.
const FACES_TRIED: usize = 1;
/// A die with at most this many faces is tried on every face.
const MOST_FACES: u8 = 16;
/// The number of samples where trying every face would take too long.
const SAMPLES: u64 = 4;

/// The average value of a decision over its dice; none if it is not legal.
pub fn expected<M: Mind>(
    mind: &M,
    state: &State<M>,
    seat: Seat,
    action: &Action<M>,
    rng: &mut dyn RngCore,
) -> Option<f32> {
    let rules = &**mind.rules();
    let try_with = |dice: &mut Dice| -> Result<f32, Stop> {
        let mut after = state.clone();
        rules.apply(&mut after, seat, action, dice, &mut Log::default())?;
        Ok(mind.value(&after, seat))
    };
    match try_with(&mut Dice::scripted(Vec::new())) {
        Ok(value) => return Some(value),
        Err(Stop::Illegal(_)) => return None,
        Err(Stop::Dice(DiceError::NotOnDie { .. })) => return None,
        Err(Stop::Dice(DiceError::RanOut(_))) => {}
    }
    // Rolling an impossible face makes the refusal tell the number of sides.
    let sides = match try_with(&mut Dice::scripted(vec![u8::MAX])) {
        Err(Stop::Dice(DiceError::NotOnDie { sides, .. })) => sides,
        _ => 6,
    };
    let tried = sides.min(MOST_FACES);
    let mut sum = 0.0;
    let mut more = false;
    if FACES_TRIED > 0 {
        for face in 0..tried {
            // Every face, or faces evenly spread over a die that has too many.
            let face = 1 + (2 * u16::from(face) + 1) * u16::from(sides) / (2 * u16::from(tried));
            match try_with(&mut Dice::scripted(vec![(face as u8).min(sides)])) {
                Ok(value) => sum += value / f32::from(tried),
                Err(Stop::Dice(_)) => {
                    more = true;
                    break;
                }
                Err(Stop::Illegal(_)) => return None,
            }
        }
    }
    if !more {
        return Some(sum);
    }
    let seed = rng.next_u64();
    let mut sum = 0.0;
    for sample in 0..SAMPLES {
        sum += try_with(&mut Dice::from_number(seed ^ sample)).ok()? / SAMPLES as f32;
    }
    Some(sum)
}

/// How much effort is spent on a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Number of plans that are compared by their prospects.
    pub width: usize,
    /// How many of those are tried out.
    pub finalists: usize,
    /// Trials of each plan in the first round.
    pub trials: u32,
    /// Rounds; after each the worse half of the plans is dropped and the others are tried as often again.
    pub rounds: u32,
    /// How far a trial goes, as the mind counts it.
    pub depth: u8,
    /// The time limit of a decision, whatever is left to try.
    pub time: Duration,
}

/// A time limit as a weight says it, kept within reason.
pub fn time_limit(seconds: f32) -> Duration {
    Duration::from_secs_f32(seconds.clamp(0.1, 3_600.0))
}

impl Effort {
    /// The default effort of a level.
    pub fn usual(level: Level) -> Option<Effort> {
        match level {
            Level::Veteran => Some(Effort {
                width: 8,
                finalists: 1,
                trials: 0,
                rounds: 0,
                depth: 1,
                time: Duration::from_secs(10),
            }),
            Level::Elite => Some(Effort {
                width: 16,
                finalists: 4,
                trials: 4,
                rounds: 2,
                depth: 1,
                time: Duration::from_secs(30),
            }),
            _ => None,
        }
    }

    /// Plans that are compared by one round of trials.
    pub fn comparing(plans: usize, finalists: usize, seconds: f32) -> Effort {
        // This number of trials, or a multiple of it, shows every face of a die once.
        Effort { width: plans, finalists, trials: 6, rounds: 1, depth: 1, time: time_limit(seconds) }
    }

    /// The number of trials if nothing stops them.
    fn all_trials(&self) -> u32 {
        let (mut arms, mut trials, mut all) = (self.finalists as u32, self.trials, 0);
        for _ in 0..self.rounds {
            if arms > 1 {
                all += arms * trials;
                arms = arms.div_ceil(2);
                trials *= 2;
            }
        }
        all
    }
}

/// Progress of a comparison: by the work done or by the time used, whichever is further.
struct Work {
    started: Instant,
    time: Duration,
    done: u32,
    all: u32,
}

impl Work {
    /// Another plan or trial begins.
    fn step(&mut self, watch: &Watch<'_>) {
        let done = self.done as f32 / self.all.max(1) as f32;
        let time = self.started.elapsed().as_secs_f32() / self.time.as_secs_f32().max(0.001);
        watch.tell(done.max(time).min(1.0));
        self.done += 1;
    }
}

/// Decisions after which a trial is judged wherever it is.
const LONGEST_TRIAL: usize = 4_000;

/// A plan, and its script.
pub type Chosen<M> = (Vec<Thought<Action<M>>>, <M as Mind>::Plan);

/// Compares plans and returns the best with its script. All are ranked by the prospects of the position after their
/// script; the finalists are tried out: a trial carries out the script, plays on in the usual style for both sides, and
/// is judged.
pub fn plan<M: Mind>(
    mind: &M,
    state: &State<M>,
    seat: Seat,
    usual: &M::Plan,
    effort: &Effort,
    rng: &mut ChaCha8Rng,
    watch: &Watch<'_>,
) -> Option<Chosen<M>> {
    let started = Instant::now();
    let stop = || watch.stopped() || started.elapsed() > effort.time;
    let mut plans = Vec::new();
    mind.plans(state, seat, usual, effort.width, rng, &mut plans);
    if plans.len() < 2 {
        return None;
    }
    let mut work =
        Work { started, time: effort.time, done: 0, all: plans.len() as u32 + effort.all_trials() };
    let mut arms: Vec<Arm<M>> = Vec::new();
    for plan in plans {
        if !arms.is_empty() && stop() {
            break;
        }
        work.step(watch);
        let mut script = Vec::new();
        mind.script(state, seat, &plan, rng, &mut script);
        if script.is_empty() || arms.iter().any(|arm| same(&arm.script, &script)) {
            continue;
        }
        let promise = mind.outlook(&carry_out(mind, state, seat, &script), seat, usual);
        arms.push(Arm { script, plan, promise, sum: 0.0, trials: 0 });
    }
    arms.sort_by(|a, b| b.promise.total_cmp(&a.promise));
    arms.truncate(effort.finalists.max(1));
    let (seed, faith) = (rng.next_u64(), mind.faith(state));
    let mut number = 0;
    let mut trials = effort.trials;
    'search: for _ in 0..effort.rounds {
        if arms.len() < 2 {
            break;
        }
        for _ in 0..trials {
            // All plans get the same dice, so that only the plans differ.
            for arm in &mut arms {
                if stop() {
                    break 'search;
                }
                work.step(watch);
                let path = (&arm.script[..], &arm.plan);
                arm.sum += trial(mind, state, seat, path, usual, effort.depth, (seed, number));
                arm.trials += 1;
            }
            number += 1;
        }
        arms.sort_by(|a, b| b.standing(faith).total_cmp(&a.standing(faith)));
        arms.truncate(arms.len().div_ceil(2));
        trials *= 2;
    }
    let best = arms.into_iter().max_by(|a, b| a.standing(faith).total_cmp(&b.standing(faith)))?;
    Some((best.script, best.plan))
}

/// How a script is improved decision by decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polish {
    /// Trials by which a neighbour is compared with the script.
    pub tries: u32,
    /// How many times all neighbours are gone through at most.
    pub sweeps: u32,
    /// How far a trial goes, as the mind counts it.
    pub depth: u8,
    /// Trials in all after which no further neighbour is begun.
    pub runs: u32,
    pub time: Duration,
}

/// Trials after which a neighbour that does worse is abandoned.
const FIRST_TRIES: u32 = 4;

/// Goes through the neighbours of a script and adopts each that does clearly better in the same trials.
pub fn polish<M: Mind>(
    mind: &M,
    state: &State<M>,
    seat: Seat,
    usual: &M::Plan,
    (mut script, plan): Chosen<M>,
    polish: &Polish,
    rng: &mut ChaCha8Rng,
    watch: &Watch<'_>,
) -> Chosen<M> {
    let started = Instant::now();
    let stop = || watch.stopped() || started.elapsed() > polish.time;
    let seed = rng.next_u64();
    let run = |script: &[Thought<Action<M>>], number| {
        trial(mind, state, seat, (script, &plan), usual, polish.depth, (seed, number))
    };
    let mut neighbours = Vec::new();
    mind.neighbours(state, seat, &script, &mut neighbours);
    if neighbours.is_empty() {
        return (script, plan);
    }
    let mut known: Vec<f32> = (0..polish.tries).map(|number| run(&script, number)).collect();
    let mut runs = polish.tries;
    'sweeps: for sweep in 0..polish.sweeps {
        let mut changed = false;
        let mut at = 0;
        while at < neighbours.len() {
            if stop() || runs >= polish.runs {
                break 'sweeps;
            }
            watch.tell((sweep as f32 + at as f32 / neighbours.len() as f32) / polish.sweeps as f32);
            let (mut sum, mut squares) = (0.0, 0.0);
            let mut values = Vec::with_capacity(known.len());
            let mut better = false;
            for number in 0..polish.tries {
                let value = run(&neighbours[at], number);
                runs += 1;
                let gain = value - known[number as usize];
                values.push(value);
                sum += gain;
                squares += gain * gain;
                let tried = (number + 1) as f32;
                let mean = sum / tried;
                let error = ((squares / tried - mean * mean).max(0.0) / tried).sqrt();
                better = mean > error;
                if number + 1 >= FIRST_TRIES && mean <= 0.0 {
                    better = false;
                    break;
                }
            }
            if better {
                (script, known) = (std::mem::take(&mut neighbours[at]), values);
                changed = true;
                neighbours.clear();
                mind.neighbours(state, seat, &script, &mut neighbours);
            }
            at += 1;
        }
        if !changed {
            break;
        }
    }
    mind.explain(state, seat, &mut script);
    (script, plan)
}

struct Arm<M: Mind> {
    script: Vec<Thought<Action<M>>>,
    plan: M::Plan,
    promise: f32,
    sum: f32,
    trials: u32,
}

impl<M: Mind> Arm<M> {
    /// Its prospects, by the mind's faith in them, and its trial results: there are few trials, and dice are noisy.
    fn standing(&self, faith: f32) -> f32 {
        if self.trials == 0 {
            self.promise
        } else {
            faith * self.promise + (1.0 - faith) * self.sum / self.trials as f32
        }
    }
}

/// The position after a script, as far as it needs no dice.
fn carry_out<M: Mind>(mind: &M, start: &State<M>, seat: Seat, script: &[Thought<Action<M>>]) -> State<M> {
    let mut state = start.clone();
    for thought in script {
        let mut after = state.clone();
        let mut dice = Dice::scripted(Vec::new());
        match mind.rules().apply(&mut after, seat, &thought.action, &mut dice, &mut Log::default()) {
            Ok(()) => state = after,
            Err(Stop::Illegal(_)) => {}
            Err(Stop::Dice(_)) => break,
        }
    }
    state
}

/// The dice of a trial. Over as many trials of one seed as a die has faces, the first die shows every face once, and so
/// does the second die, and so on: good and bad luck are distributed evenly.
fn luck(faces: u8, seed: u64, number: u32) -> Vec<u8> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ u64::from(number / u32::from(faces)));
    let shown = number as usize % usize::from(faces);
    let mut order: Vec<u8> = (1..=faces).collect();
    let mut roll = || {
        for at in 0..order.len() {
            let other = at + rng.next_u32() as usize % (order.len() - at);
            order.swap(at, other);
        }
        order[shown]
    };
    (0..LONGEST_TRIAL).map(|_| roll()).collect()
}

fn same<A: PartialEq>(a: &[Thought<A>], b: &[Thought<A>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.action == b.action)
}

fn trial<M: Mind>(
    mind: &M,
    start: &State<M>,
    seat: Seat,
    (script, plan): (&[Thought<Action<M>>], &M::Plan),
    usual: &M::Plan,
    depth: u8,
    (seed, number): (u64, u32),
) -> f32 {
    let rules = &**mind.rules();
    let mut state = start.clone();
    let mut dice = match mind.die() {
        Some(faces) => Dice::scripted(luck(faces, seed, number)),
        None => Dice::from_number(seed.wrapping_add(u64::from(number))),
    };
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ u64::from(number));
    let mut log = Log::default();
    let (usual, own) = (mind.in_haste(usual), mind.in_haste(plan));
    let mut queue: Vec<Thought<Action<M>>> = Vec::new();
    queue.extend(script.iter().rev().cloned());
    let mut owner = seat;
    let mut luck = 0.0;
    for _ in 0..LONGEST_TRIAL {
        // If several seats are asked, in secret or in any order, they decide one after the other.
        let Some(asked) = rules.pending(&state).first() else { break };
        if mind.judged(start, &state, depth) {
            break;
        }
        if asked != owner {
            queue.clear();
            owner = asked;
        }
        let next = loop {
            match queue.pop() {
                Some(thought) if rules.verdict(&state, asked, &thought.action).is_legal() => {
                    break Some(thought.action);
                }
                Some(_) => {}
                None => break None,
            }
        };
        let action = next.or_else(|| {
            let plan = if asked == seat { &own } else { &usual };
            queue.clear();
            mind.script(&state, asked, plan, &mut rng, &mut queue);
            queue.reverse();
            let first = queue.pop().map(|thought| thought.action);
            first.filter(|action| rules.verdict(&state, asked, action).is_legal()).or_else(|| {
                let (mut subjects, mut actions) = (Vec::new(), Vec::new());
                kernel::erased::random_action(rules, &state, asked, &mut rng, &mut subjects, &mut actions)
            })
        });
        let Some(action) = action else { break };
        log.clear();
        dice.forget();
        let before = mind.risky(&state, &action).then(|| state.clone());
        if rules.apply(&mut state, asked, &action, &mut dice, &mut log).is_err() {
            break;
        }
        if let Some(before) = before {
            luck += mind.luck(&before, &state, &log, seat);
        }
    }
    mind.judge(&state, seat, luck)
}
