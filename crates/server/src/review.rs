//! A bot reviews a finished game: which decisions of a side cost most, and what it would have done instead. The cost of
//! a decision is found by playing on many times, once after the decision that was taken and once after the bot's.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::{Dice, Pending, Seat, Table, Viewer};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

use crate::bots::Cancel;
use crate::error::Result;
use crate::finished::{Finished, replay, units};
use crate::ids;
use crate::naming::Naming;
use crate::protocol::{ReviewItem, Reviewed};

/// How many decisions are examined closely, and how many are reported.
const CLOSELY: usize = 16;
const TOLD: usize = 5;
/// Time limit for the whole review.
const PATIENCE: Duration = Duration::from_secs(25);
/// How long the bot searches for one decision.
const PONDER: Duration = Duration::from_millis(700);
/// How often a position is played on, and for how many decisions at most.
const TIMES: u32 = 12;
const AHEAD: usize = 40;
/// A loss is assumed to show at most this many decisions later.
const ECHO: usize = 6;

#[derive(Debug)]
pub struct Reader {
    pub finished: Finished,
    pub level: String,
    pub seat: Seat,
    /// The cells of the map.
    pub cells: Arc<HashSet<String>>,
}

impl Reader {
    pub fn read(&self) -> Result<Reviewed> {
        let until = Instant::now() + PATIENCE;
        let moves = self.finished.moves()?;
        let mut table = self.finished.begin()?;
        // How the side stood before each decision, and after the last.
        let mut worths = vec![units(&*table, self.seat)];
        for one in &moves {
            replay(&mut *table, one)?;
            worths.push(units(&*table, self.seat));
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
        candidates.sort_by_key(|(n, _)| *n);

        let mut table = self.finished.begin()?;
        let (mut at, mut looked, mut items) = (0, 0, Vec::new());
        for (n, _) in candidates {
            while at < n {
                replay(&mut *table, &moves[at])?;
                at += 1;
            }
            if Instant::now() > until {
                break;
            }
            looked += 1;
            if let Some(item) = self.judge(&*table, n, moves[n].action) {
                items.push(item);
            }
        }
        items.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        items.truncate(TOLD);
        Ok(Reviewed { level: self.level.clone(), looked, items })
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
        let cost = self.ahead(table, &choice.action)? - self.ahead(table, played)?;
        (cost > 0.05).then(|| ReviewItem {
            decision: decision as u32,
            played_reading: naming.read(played),
            better_reading: naming.read(&choice.action),
            played: played.to_owned(),
            better: choice.action,
            why: choice.why,
            cost,
        })
    }

    /// How the side stands on average at the end of the turn after this action.
    fn ahead(&self, table: &dyn Table, action: &str) -> Option<f64> {
        let mut rng = ChaCha8Rng::from_seed(ids::random());
        let mut dice = Dice::seeded(ids::random(), 0);
        let turn = table.turn();
        let mut sum = 0.0;
        for _ in 0..TIMES {
            let mut copy = table.clone_table();
            copy.apply(self.seat, action, &mut dice).ok()?;
            for _ in 0..AHEAD {
                let Pending::One(seat) = copy.pending() else { break };
                if copy.turn() != turn {
                    break;
                }
                let next = self.finished.bots.quick(self.finished.game_id(), &*copy, seat, &mut rng);
                if next.is_none_or(|next| copy.apply(seat, &next, &mut dice).is_err()) {
                    break;
                }
            }
            sum += units(&*copy, self.seat);
        }
        Some(sum / f64::from(TIMES))
    }
}
