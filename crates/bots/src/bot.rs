//! What a bot is to everybody else.

use std::sync::atomic::AtomicBool;

use kernel::{Message, Seat, Table};

/// Somebody who decides.
pub trait Bot: Send {
    /// Choose for a seat that must decide. Gives up early (with some legal choice, or none) once `cancel` is set. None
    /// only if the seat is not asked, or the table is of a game that this bot does not play.
    fn choose(&mut self, table: &dyn Table, seat: Seat, cancel: &AtomicBool) -> Option<Choice>;
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// In notation.
    pub action: String,
    /// Why, in one sentence; only where there is something to say.
    pub why: Option<Message>,
}
