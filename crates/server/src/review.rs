//! A bot reviews a finished game: which decisions of a side cost most, and what it would have done instead. The cost of
//! a decision is found by playing on many times, once after the decision that was taken and once after the bot's.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::{Dice, Pending, Seat, Table, Viewer, dice::seed_from_number};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

use crate::bots::Cancel;
use crate::error::Result;
use crate::finished::{Finished, replay};
use crate::naming::Naming;
use crate::protocol::{Measure, ReviewItem, Reviewed};

/// How many decisions are examined closely, and how many are reported.
const CLOSELY: usize = 16;
const TOLD: usize = 5;
/// Time limit for the whole review.
const PATIENCE: Duration = Duration::from_secs(25);
/// How long the bot searches for one decision.
const PONDER: Duration = Duration::from_millis(700);
/// How often a position is played on, and for how many decisions at most.
const TIMES: u64 = 12;
const AHEAD: usize = 40;
/// A smaller difference is not told, nor one within so many standard errors.
const LEAST: f64 = 0.05;
const ERRORS: f64 = 2.0;
/// A loss is assumed to show at most this many decisions later.
const ECHO: usize = 6;

#[derive(Debug)]
pub struct Reader {
    pub finished: Finished,
    pub level: String,
    pub seat: Seat,
    pub measure: Measure,
    /// The cells of the map.
    pub cells: Arc<HashSet<String>>,
}

impl Reader {
    pub fn read(&self) -> Result<Reviewed> {
        let until = Instant::now() + PATIENCE;
        let moves = self.finished.moves()?;
        let mut table = self.finished.begin()?;
        // How the side stood before each decision, and after the last; the end of the game has no worth of its own.
        let mut worths = vec![self.worth(&*table).unwrap_or_default()];
        for one in &moves {
            replay(&mut *table, one)?;
            let before = worths.last().copied().unwrap_or_default();
            worths.push(self.worth(&*table).unwrap_or(before));
        }
        let mut candidates: Vec<(usize, f64)> = moves
            .iter()
            .enumerate()
            .filter(|(_, one)| one.seat == self.seat)
            .map(|(n, _)| {
                let later = worths[n..].iter().take(ECHO + 1).copied().fold(f64::INFINITY, f64::min);
                (n, later - worths[n])
            })
            .collect();
        candidates.sort_by(|a, b| a.1.total_cmp(&b.1));
        candidates.truncate(CLOSELY);

        // The positions before them; the worst is judged first, in case time runs out.
        let mut positions = HashMap::new();
        let mut table = self.finished.begin()?;
        for (n, one) in moves.iter().enumerate() {
            if candidates.iter().any(|(candidate, _)| *candidate == n) {
                positions.insert(n, table.clone_table());
            }
            replay(&mut *table, one)?;
        }
        let (mut looked, mut items) = (0, Vec::new());
        for (n, _) in candidates {
            if Instant::now() > until {
                break;
            }
            looked += 1;
            items.extend(self.judge(&*positions[&n], n, moves[n].action));
        }
        items.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        items.truncate(TOLD);
        Ok(Reviewed { level: self.level.clone(), measure: self.measure, looked, items })
    }

    /// The worth of a position to the reviewed side.
    fn worth(&self, table: &dyn Table) -> Option<f64> {
        self.finished.worth(self.measure, table, self.seat)
    }

    /// What the bot would have done, if that was better.
    fn judge(&self, table: &dyn Table, decision: usize, played: &str) -> Option<ReviewItem> {
        let cancel = Arc::new(Cancel::default());
        let alarm = Arc::clone(&cancel);
        let timer = std::thread::spawn(move || {
            std::thread::park_timeout(PONDER);
            alarm.hurry();
        });
        let choice =
            self.finished.bots.choose(self.finished.game_id(), table, self.seat, &self.level, &cancel);
        timer.thread().unpark();
        let choice = choice?;
        if choice.action == played {
            return None;
        }
        let naming = Naming::new(Arc::clone(&self.cells), &table.view(Viewer::Referee));
        let (cost, error) = self.cost(table, played, &choice.action)?;
        (cost > LEAST && cost > ERRORS * error).then(|| ReviewItem {
            decision: decision as u32,
            played_reading: naming.read(played),
            better_reading: naming.read(&choice.action),
            played: played.to_owned(),
            better: choice.action,
            why: choice.why,
            cost,
        })
    }

    /// How much better the side stands on average at the end of the turn after the other action, and the standard
    /// error. Both are played on with the same random numbers, so only the action makes a difference.
    fn cost(&self, table: &dyn Table, played: &str, better: &str) -> Option<(f64, f64)> {
        let costs: Option<Vec<f64>> = (0..TIMES)
            .map(|time| Some(self.ahead(table, better, time)? - self.ahead(table, played, time)?))
            .collect();
        let costs = costs?;
        let count = costs.len() as f64;
        let mean = costs.iter().sum::<f64>() / count;
        let spread = costs.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Some((mean, (spread / count).sqrt()))
    }

    /// How the side stands at the end of the turn after this action, in one continuation.
    fn ahead(&self, before: &dyn Table, action: &str, time: u64) -> Option<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(time);
        let mut dice = Dice::seeded(seed_from_number(time), 0);
        let turn = before.turn();
        let mut table = before.clone_table();
        table.apply(self.seat, action, &mut dice).ok()?;
        for _ in 0..AHEAD {
            let pending = table.pending();
            let Some(seat) = pending.first().filter(|_| table.turn() == turn) else { break };
            let Some(next) = self.finished.bots.quick(self.finished.game_id(), &*table, seat, &mut rng)
            else {
                break;
            };
            let kept = table.clone_table();
            if table.apply(seat, &next, &mut dice).is_err() {
                break;
            }
            if matches!(table.pending(), Pending::Over(_)) {
                return self.worth(&*kept);
            }
        }
        self.worth(&*table)
    }
}
