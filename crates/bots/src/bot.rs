//! The interface of a bot.

use std::sync::atomic::{AtomicBool, Ordering};

use kernel::{Message, Seat, Table};

/// A player that takes decisions.
pub trait Bot: Send {
    /// Chooses for a seat that must decide. Stops early (with some legal choice, or none) once `cancel` is set. None
    /// only if the seat is not asked, or the table belongs to a game that this bot does not play.
    fn choose(&mut self, table: &dyn Table, seat: Seat, cancel: &AtomicBool) -> Option<Choice> {
        self.ponder(table, seat, &Watch::new(cancel))
    }

    /// Like [`Bot::choose`], for callers that want progress reports.
    fn ponder(&mut self, table: &dyn Table, seat: Seat, watch: &Watch<'_>) -> Option<Choice>;

    /// The expected final value of the position to a seat, in victory points, with full knowledge of the position. None
    /// if the bot has no evaluator, or the game is over.
    fn worth(&mut self, _table: &dyn Table, _seat: Seat) -> Option<f64> {
        None
    }
}

/// The caller that waits for a decision: it may stop the search, and receives its progress.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    stop: &'a AtomicBool,
    tell: Option<&'a dyn Fn(f32)>,
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("stop", self.stop).finish_non_exhaustive()
    }
}

impl<'a> Watch<'a> {
    pub fn new(stop: &'a AtomicBool) -> Self {
        Watch { stop, tell: None }
    }

    /// `tell` is called with increasing shares from 0 to 1.
    pub fn telling(stop: &'a AtomicBool, tell: &'a dyn Fn(f32)) -> Self {
        Watch { stop, tell: Some(tell) }
    }

    /// The same for a part of the work, which reports its progress separately.
    pub fn part<'b>(&self, tell: &'b dyn Fn(f32)) -> Watch<'b>
    where
        'a: 'b,
    {
        Watch { stop: self.stop, tell: Some(tell) }
    }

    /// Should the search end with what it has?
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub fn tell(&self, share: f32) {
        if let Some(tell) = self.tell {
            tell(share);
        }
    }
}

/// A decision with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// In notation.
    pub action: String,
    /// The reason in one sentence, if there is one worth telling.
    pub why: Option<Message>,
}
