//! The bots at the server's tables.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use bots::{Bot, Level, Watch};
use kernel::{Seat, Table};
use server::protocol::BotLevel;
use server::{BotChoice, BotProvider, Cancel};

#[derive(Default)]
pub struct Opponents {
    players: Idle,
    /// Bots that play positions out: their plans must not affect a real game.
    hasty: Idle,
}

/// Bots waiting for their next table, by game and level. A bot that has planned a phase keeps its plan, so the one that
/// played last is asked first.
#[derive(Default)]
struct Idle(Mutex<HashMap<(String, Level), Vec<Box<dyn Bot>>>>);

impl Idle {
    /// Asks one of them; none if there is no such opponent.
    fn ask<T>(&self, game: &str, level: Level, question: impl FnOnce(&mut dyn Bot) -> T) -> Option<T> {
        let key = (game.to_owned(), level);
        let waiting = self.lock().get_mut(&key).and_then(Vec::pop);
        let mut bot = waiting.or_else(|| bots::make(game, level, seed()))?;
        let answer = question(&mut *bot);
        self.lock().entry(key).or_default().push(bot);
        Some(answer)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<(String, Level), Vec<Box<dyn Bot>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An opponent must not be predictable: its seed comes from the clock and a number that is never used twice.
fn seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::time::SystemTime::now())
}

/// The quickest level of a game that judges positions; none if its bots play at random.
fn judging(game: &str) -> Option<Level> {
    let levels = bots::levels(game);
    [Level::Regular, Level::Greedy].into_iter().find(|level| levels.contains(level))
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
        let tell = |share| cancel.tell(share);
        let watch = Watch::telling(cancel.flag(), &tell);
        let choice = self.players.ask(game, level.parse().ok()?, |bot| bot.ponder(table, seat, &watch))??;
        Some(BotChoice { action: choice.action, why: choice.why })
    }

    /// Decides by quick evaluation, without comparing plans: a game without a planning bot by what one decision leads to.
    fn quick(
        &self,
        game: &str,
        table: &dyn Table,
        seat: Seat,
        rng: &mut dyn rand_core::RngCore,
    ) -> Option<String> {
        let hurry = AtomicBool::new(true);
        let choice = judging(game)
            .and_then(|level| self.hasty.ask(game, level, |bot| bot.choose(table, seat, &hurry)).flatten());
        choice.map(|choice| choice.action).or_else(|| table.random_action(seat, rng))
    }

    fn worth(&self, game: &str, table: &dyn Table, seat: Seat) -> Option<f64> {
        self.hasty.ask(game, judging(game)?, |bot| bot.worth(table, seat)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::Ordering;

    use kernel::{Dice, Game, Setup};
    use rand_core::SeedableRng as _;

    use super::*;

    fn table(game: &Arc<dyn Game>) -> Box<dyn Table> {
        let scenario = game.info().scenarios.iter().min_by_key(|s| s.turns).expect("it has scenarios");
        let setup = Setup { game: game.info().id.clone(), scenario: scenario.id.clone(), ..Setup::default() };
        game.open(&setup).expect("a shipped scenario opens")
    }

    fn asked(table: &dyn Table) -> Option<Seat> {
        table.pending().first()
    }

    #[test]
    fn a_position_is_played_on_quickly_and_legally_in_every_game() {
        let opponents = Opponents::default();
        for game in crate::catalogue::games() {
            let mut table = table(&game);
            let mut dice = Dice::from_number(4);
            let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(4);
            for _ in 0..40 {
                let Some(seat) = asked(&*table) else { break };
                let action =
                    opponents.quick(&game.info().id, &*table, seat, &mut rng).expect("a choice is made");
                table.apply(seat, &action, &mut dice).expect("it is legal");
            }
        }
    }

    /// A player who waits for a strong opponent sees its progress, and may cut it short.
    #[test]
    fn a_pondering_opponent_tells_how_far_it_is_and_can_be_hurried() {
        let opponents = Opponents::default();
        let game = crate::catalogue::game("panzer").expect("it is in the catalogue");
        let mut table = table(&game);
        let mut dice = Dice::from_number(4);
        // Up to the first decision that needs a plan.
        for _ in 0..60 {
            let seat = asked(&*table).expect("somebody is asked");
            let (cancel, done) = (Cancel::default(), AtomicBool::new(false));
            let choice = std::thread::scope(|scope| {
                scope.spawn(|| {
                    while cancel.progress().is_none() && !done.load(Ordering::Relaxed) {
                        std::thread::sleep(std::time::Duration::from_millis(2));
                    }
                    cancel.hurry();
                });
                let choice = opponents.choose(&game.info().id, &*table, seat, "elite", &cancel);
                done.store(true, Ordering::Relaxed);
                choice.expect("a choice is made")
            });
            if let Some(share) = cancel.progress() {
                assert!(share < 0.9, "it was cut short: {share}");
                assert!(table.verdict(seat, &choice.action).is_legal());
                return;
            }
            table.apply(seat, &choice.action, &mut dice).expect("it is legal");
        }
        panic!("nothing was told");
    }
}
