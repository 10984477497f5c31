//! The games in the box.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use kernel::Game;

/// Every game this program plays.
pub fn games() -> Vec<Arc<dyn Game>> {
    vec![]
}

/// A game by its id.
pub fn game(id: &str) -> Result<Arc<dyn Game>> {
    let games = games();
    let known: Vec<String> = games.iter().map(|game| game.info().id.clone()).collect();
    games
        .into_iter()
        .find(|game| game.info().id == id)
        .ok_or_else(|| anyhow!("no game `{id}`; there is {}", known.join(", ")))
}

/// What is wrong with a game's pack, in words for its maker; empty if all holds.
pub fn pack_findings(_id: &str) -> Vec<String> {
    Vec::new()
}
