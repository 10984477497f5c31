//! Where opponents plug in. The server asks for a choice and never knows how it was made.

use std::sync::atomic::{AtomicBool, Ordering};

use kernel::{Message, Seat, Table};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

use crate::ids;
use crate::protocol::BotLevel;

pub trait BotProvider: Send + Sync {
    /// The levels for a game, weakest first; none if there is no opponent for it.
    fn levels(&self, game: &str) -> Vec<BotLevel>;

    /// Choose for a seat that must decide. Runs on a thread of its own; returns early when `cancel` is set.
    fn choose(
        &self,
        game: &str,
        table: &dyn Table,
        seat: Seat,
        level: &str,
        cancel: &Cancel,
    ) -> Option<BotChoice>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotChoice {
    /// In notation.
    pub action: String,
    /// Why, in one sentence.
    pub why: Option<Message>,
}

/// Set when the answer is no longer wanted.
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
    /// The flag itself, for searches that take one.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
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
