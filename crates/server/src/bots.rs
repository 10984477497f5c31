//! Where opponents plug in. The server asks for a choice and never knows how it was made.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use kernel::{Message, Seat, Table};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng as _};

use crate::ids;
use crate::protocol::BotLevel;

pub trait BotProvider: Send + Sync {
    /// The levels for a game, weakest first; none if there is no opponent for it.
    fn levels(&self, game: &str) -> Vec<BotLevel>;

    /// Choose for a seat that must decide. Runs on a thread of its own; returns early, with the best found so far, when
    /// `cancel` is set, and may [`Cancel::tell`] how far it is.
    fn choose(
        &self,
        game: &str,
        table: &dyn Table,
        seat: Seat,
        level: &str,
        cancel: &Cancel,
    ) -> Option<BotChoice>;

    /// A sensible choice in microseconds, for playing a position out thousands of times.
    fn quick(&self, _game: &str, table: &dyn Table, seat: Seat, rng: &mut dyn RngCore) -> Option<String> {
        table.random_action(seat, rng)
    }

    /// What a position is worth to a seat in the end, in victory points, judged by one who sees everything. None where there
    /// is nobody to judge, or the game is over.
    fn worth(&self, _game: &str, _table: &dyn Table, _seat: Seat) -> Option<f64> {
        None
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotChoice {
    /// In notation.
    pub action: String,
    /// Why, in one sentence.
    pub why: Option<Message>,
}

/// How a search and whoever waits for it talk: stop, and how far it is.
#[derive(Debug, Default)]
pub struct Cancel {
    stop: AtomicBool,
    unwanted: AtomicBool,
    /// Thousandths; 0 before anything was told.
    progress: AtomicU32,
}

impl Cancel {
    /// The answer is no longer wanted.
    pub fn set(&self) {
        self.unwanted.store(true, Ordering::Relaxed);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The answer is wanted now: stop with what is found.
    pub fn hurry(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Shall the search stop?
    pub fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Does nobody want the answer any more?
    pub fn is_unwanted(&self) -> bool {
        self.unwanted.load(Ordering::Relaxed)
    }

    /// The flag itself, for searches that take one.
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// The search tells how far it is, from 0 to 1.
    pub fn tell(&self, share: f32) {
        self.progress.store((share.clamp(0.001, 1.0) * 1000.0) as u32, Ordering::Relaxed);
    }

    /// How far the search is, if it tells.
    pub fn progress(&self) -> Option<f32> {
        match self.progress.load(Ordering::Relaxed) {
            0 => None,
            n => Some(n as f32 / 1000.0),
        }
    }
}

/// Ends a search when whoever waits for it goes away.
#[derive(Debug)]
pub struct CancelOnDrop(pub Arc<Cancel>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// Picks any legal action.
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
