//! What a bot is to everybody else.

use std::sync::atomic::{AtomicBool, Ordering};

use kernel::{Message, Seat, Table};

/// Somebody who decides.
pub trait Bot: Send {
    /// Choose for a seat that must decide. Gives up early (with some legal choice, or none) once `cancel` is set. None
    /// only if the seat is not asked, or the table is of a game that this bot does not play.
    fn choose(&mut self, table: &dyn Table, seat: Seat, cancel: &AtomicBool) -> Option<Choice> {
        self.ponder(table, seat, &Watch::new(cancel))
    }

    /// As [`Bot::choose`], for somebody who wants to know how far it is.
    fn ponder(&mut self, table: &dyn Table, seat: Seat, watch: &Watch<'_>) -> Option<Choice>;

    /// What the position is worth to a seat in the end, in victory points, judged by one who sees everything. None where the
    /// bot has no judgement, or the game is over.
    fn worth(&mut self, _table: &dyn Table, _seat: Seat) -> Option<f64> {
        None
    }
}

/// Whoever waits for a decision: may stop the search, and is told how far it is.
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

    /// `tell` is called with shares from 0 to 1 that only rise.
    pub fn telling(stop: &'a AtomicBool, tell: &'a dyn Fn(f32)) -> Self {
        Watch { stop, tell: Some(tell) }
    }

    /// The same for a part of the work, which is told of in its own way.
    pub fn part<'b>(&self, tell: &'b dyn Fn(f32)) -> Watch<'b>
    where
        'a: 'b,
    {
        Watch { stop: self.stop, tell: Some(tell) }
    }

    /// Shall the search end with what it has?
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub fn tell(&self, share: f32) {
        if let Some(tell) = self.tell {
            tell(share);
        }
    }
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// In notation.
    pub action: String,
    /// Why, in one sentence; only where there is something to say.
    pub why: Option<Message>,
}
