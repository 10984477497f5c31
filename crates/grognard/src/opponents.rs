//! The bots at the server's tables.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bots::{Bot, Level};
use kernel::{Seat, Table};
use server::protocol::BotLevel;
use server::{BotChoice, BotProvider, Cancel};

/// Bots that wait for their next table, by game and level. One that has thought about a phase keeps its plan, so the
/// last that played is asked first.
#[derive(Default)]
pub struct Opponents {
    idle: Mutex<HashMap<(String, Level), Vec<Box<dyn Bot>>>>,
}

impl Opponents {
    fn take(&self, game: &str, level: Level) -> Option<Box<dyn Bot>> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle.get_mut(&(game.to_owned(), level)).and_then(Vec::pop);
        drop(idle);
        waiting.or_else(|| bots::make(game, level, seed()))
    }

    fn give_back(&self, game: &str, level: Level, bot: Box<dyn Bot>) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.entry((game.to_owned(), level)).or_default().push(bot);
    }
}

/// Nobody shall foresee an opponent: its seed comes from the clock and a number that is never used twice.
fn seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::time::SystemTime::now())
}

impl BotProvider for Opponents {
    fn levels(&self, game: &str) -> Vec<BotLevel> {
        let level = |level: &Level| BotLevel { id: level.id().into(), name: level.key().into() };
        bots::levels(game).iter().map(level).collect()
    }

    fn choose(
        &self,
        game: &str,
        table: &dyn Table,
        seat: Seat,
        level: &str,
        cancel: &Cancel,
    ) -> Option<BotChoice> {
        let level: Level = level.parse().ok()?;
        let mut bot = self.take(game, level)?;
        let choice = bot.choose(table, seat, cancel.flag());
        self.give_back(game, level, bot);
        choice.map(|choice| BotChoice { action: choice.action, why: choice.why })
    }
}
