//! The luck of a finished game: what each die was worth, compared with what it was expected to be worth.
//!
//! A decision that rolled dice is replayed many times. With the first `k` dice as they fell and the others random, the
//! mean worth of what follows is the expectation just before die `k + 1`; with that die fixed as well, it is the worth
//! that the die brought. The difference is the luck of that die, regardless of the order in which a game rolls and
//! reads its dice.

use std::time::{Duration, Instant};

use kernel::{Dice, Pending, Seat, Table, dice::seed_from_number};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

use crate::error::Result;
use crate::finished::{Finished, Move, replay};
use crate::protocol::{Luck, Measure, RollLuck, Standing};

/// Time limit for the whole computation.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a decision is replayed, and the fewest replays for its dice to be reported.
const TIMES: usize = 24;
const LEAST: usize = 4;
/// How many decisions after the replayed one are played at most.
const FOLLOW: usize = 12;
/// How many dice of one decision are computed individually; any further ones count together with the last.
const DICE: usize = 4;

#[derive(Debug)]
pub struct LuckAnalysis {
    pub finished: Finished,
    pub measure: Measure,
}

/// A die as the log reported it.
struct Fallen {
    seat: Seat,
    entry: kernel::Entry,
}

impl LuckAnalysis {
    pub fn compute(&self) -> Result<Luck> {
        let until = Instant::now() + PATIENCE;
        let moves = self.finished.moves()?;
        let mut table = self.finished.begin()?;
        let mut luck = Luck { measure: self.measure, rolls: Vec::new(), unreckoned: 0, course: Vec::new() };
        let mut left = moves.iter().filter(|one| !one.rolls.is_empty()).count();
        let mut turn = None;
        for (n, one) in moves.iter().enumerate() {
            if turn != Some(table.turn()) {
                turn = Some(table.turn());
                let standing = |worth| Standing { turn: table.turn(), decision: n as u32, worth };
                luck.course.extend(self.worth(&*table).map(standing));
            }
            let before = (!one.rolls.is_empty()).then(|| table.clone_table());
            let applied = replay(&mut *table, one)?;
            let Some(before) = before else { continue };
            let dice: Vec<Fallen> = applied
                .entries
                .into_iter()
                .filter(|entry| entry.data.get("kind").is_some_and(|kind| kind == "roll"))
                .filter_map(|entry| entry.seat.map(|seat| Fallen { seat, entry }))
                .collect();
            let now = Instant::now();
            let share = until.saturating_duration_since(now) / (left.max(1) as u32);
            left -= 1;
            match self.trials(&*before, one, now + share) {
                Some(trials) if dice.len() == one.rolls.len() => {
                    Self::tell(&*before, n, &dice, &trials, &mut luck);
                }
                _ => luck.unreckoned += one.rolls.len() as u32,
            }
        }
        Ok(luck)
    }

    /// The worth of a position to the first seat.
    fn worth(&self, table: &dyn Table) -> Option<f64> {
        self.finished.worth(self.measure, table, Seat(0))
    }

    /// For no die, one die, two dice and so on as they fell: the worth to the first seat of what follows, in each
    /// trial.
    fn trials(&self, before: &dyn Table, one: &Move<'_>, until: Instant) -> Option<Vec<Vec<f64>>> {
        let steps: Vec<usize> = (0..one.rolls.len().min(DICE)).chain([one.rolls.len()]).collect();
        let mut found = vec![Vec::new(); steps.len()];
        for time in 0..TIMES {
            // All of them use the same random numbers afterwards, so only the dice in question differ.
            let worths: Option<Vec<f64>> =
                steps.iter().map(|fixed| self.once(before, one, *fixed, time as u64)).collect();
            if let Some(worths) = worths {
                for (list, worth) in found.iter_mut().zip(worths) {
                    list.push(worth);
                }
            }
            if time + 1 >= LEAST && Instant::now() > until {
                break;
            }
        }
        (found[0].len() >= LEAST).then_some(found)
    }

    /// Replay the decision with its first dice fixed and play on until the same seat is asked the same question again
    /// or the next phase begins. `None` if the game ends: then there is no worth to compare.
    fn once(&self, before: &dyn Table, one: &Move<'_>, fixed: usize, time: u64) -> Option<f64> {
        let mut dice = Dice::scripted_then(one.rolls[..fixed].to_vec(), seed_from_number(time));
        let mut rng = ChaCha8Rng::seed_from_u64(time);
        let asked = before.prompt(one.seat).message.key;
        let mut table = before.clone_table();
        let mut heading =
            table.apply(one.seat, one.action, &mut dice).ok()?.entries.iter().any(|entry| entry.level == 0);
        for _ in 0..FOLLOW {
            let pending = table.pending();
            let Some(seat) = pending.first().filter(|_| !matches!(pending, Pending::Each(_))) else { break };
            if heading || (seat == one.seat && table.prompt(seat).message.key == asked) {
                break;
            }
            let quick = self.finished.bots.quick(self.finished.game_id(), &*table, seat, &mut rng);
            let Some(next) = quick else { break };
            let Ok(applied) = table.apply(seat, &next, &mut dice) else { break };
            heading = applied.entries.iter().any(|entry| entry.level == 0);
        }
        if matches!(table.pending(), Pending::Over(_)) { None } else { self.worth(&*table) }
    }

    fn tell(before: &dyn Table, decision: usize, dice: &[Fallen], trials: &[Vec<f64>], luck: &mut Luck) {
        let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
        for (n, pair) in trials.windows(2).enumerate() {
            let Some(Fallen { seat, entry }) = dice.get(n) else { break };
            // Turn the worth to the first seat into the worth to the seat that rolled.
            let sign = if *seat == Seat(0) { 1.0 } else { -1.0 };
            let worst = trials.iter().flatten().map(|worth| sign * worth).fold(f64::INFINITY, f64::min);
            // Trials with the same random numbers are compared pairwise.
            let gains: Vec<f64> =
                pair[0].iter().zip(&pair[1]).map(|(before, after)| after - before).collect();
            let (gain, count) = (mean(&gains), gains.len() as f64);
            let spread = gains.iter().map(|one| (one - gain).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
            luck.rolls.push(RollLuck {
                decision: decision as u32,
                turn: before.turn(),
                seat: *seat,
                message: entry.message.clone(),
                expected: sign * mean(&pair[0]) - worst,
                actual: sign * mean(&pair[1]) - worst,
                error: (spread / count).sqrt(),
            });
        }
    }
}
