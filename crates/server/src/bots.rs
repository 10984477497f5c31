//! The interface to computer opponents. The server asks for a choice and does not know how it is made.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use kernel::{Message, Seat, Table};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng as _};

use crate::ids;
use crate::protocol::BotLevel;

pub trait BotProvider: Send + Sync {
    /// The levels for a game, weakest first; empty if there is no opponent for it.
    fn levels(&self, game: &str) -> Vec<BotLevel>;

    /// Choose an action for a seat that must decide. Runs on its own thread; returns early with the best action found
    /// so far when `cancel` is set, and may report its progress with [`Cancel::tell`].
    fn choose(
        &self,
        game: &str,
        table: &dyn Table,
        seat: Seat,
        level: &str,
        cancel: &Cancel,
    ) -> Option<BotChoice>;

    /// A sensible choice within microseconds, for playing a position out thousands of times.
    fn quick(&self, _game: &str, table: &dyn Table, seat: Seat, rng: &mut dyn RngCore) -> Option<String> {
        table.random_action(seat, rng)
    }

    /// The expected final worth of a position to a seat, in victory points, judged with full knowledge. `None` if there
    /// is no judge for this game, or the game is over.
    fn worth(&self, _game: &str, _table: &dyn Table, _seat: Seat) -> Option<f64> {
        None
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotChoice {
    /// The action, in notation.
    pub action: String,
    /// The reason, in one sentence.
    pub why: Option<Message>,
}

/// The link between a search and its caller: requests to stop in one direction, progress in the other.
#[derive(Debug, Default)]
pub struct Cancel {
    stop: AtomicBool,
    unwanted: AtomicBool,
    /// In thousandths; 0 until the search has reported something.
    progress: AtomicU32,
}

impl Cancel {
    /// Stop: the answer is no longer wanted.
    pub fn set(&self) {
        self.unwanted.store(true, Ordering::Relaxed);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Stop and answer with the best found so far.
    pub fn hurry(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search should stop.
    pub fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the answer is no longer wanted.
    pub fn is_unwanted(&self) -> bool {
        self.unwanted.load(Ordering::Relaxed)
    }

    /// The stop flag itself, for searches that take one.
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Report the progress of the search, from 0 to 1.
    pub fn tell(&self, share: f32) {
        self.progress.store((share.clamp(0.001, 1.0) * 1000.0) as u32, Ordering::Relaxed);
    }

    /// The progress of the search, if it has reported any.
    pub fn progress(&self) -> Option<f32> {
        match self.progress.load(Ordering::Relaxed) {
            0 => None,
            n => Some(n as f32 / 1000.0),
        }
    }
}

/// Cancels a search when its caller is dropped.
#[derive(Debug)]
pub struct CancelOnDrop(pub Arc<Cancel>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// Picks a random legal action.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomBots;

pub const RANDOM: &str = "random";

impl BotProvider for RandomBots {
    fn levels(&self, _game: &str) -> Vec<BotLevel> {
        vec![BotLevel { id: RANDOM.into(), name: "bot.random".into() }]
    }

    fn choose(&self, _: &str, table: &dyn Table, seat: Seat, _: &str, _: &Cancel) -> Option<BotChoice> {
        let mut rng = ChaCha8Rng::from_seed(ids::random());
        Some(BotChoice { action: table.random_action(seat, &mut rng)?, why: None })
    }
}
