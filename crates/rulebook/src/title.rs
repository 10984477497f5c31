//! A game's entry in the catalogue.

use std::sync::Arc;

use atlas::{Map, check::Report, render};
use kernel::{Game, SetupError};
use serde_json::Value;

use crate::bench::{CountAllocations, Figures};

/// A game as the program lists it: how to make it, its map, what is checked of its pack and what is measured of its
/// rules. Each game implements it once; nothing outside a game asks which game it is.
pub trait Title: Send + Sync {
    /// The game's id, the same as in [`kernel::GameInfo`].
    fn id(&self) -> &'static str;

    /// The game with its shipped pack.
    fn game(&self) -> Result<Arc<dyn Game>, SetupError>;

    /// The map the game is played on; of a game with geomorphic boards some of them, laid together to be looked at.
    fn map(&self) -> Result<&'static Map, SetupError>;

    /// The map of one scenario, or one board, where the game lays its map anew for each.
    fn map_of(&self, _scenario: Option<&str>, board: Option<u16>) -> Result<Option<Map>, SetupError> {
        match board {
            Some(_) => Err(SetupError::Bad(format!("{} has no boards", self.id()))),
            None => Ok(None),
        }
    }

    /// Title block and scale of the map sheet.
    fn sheet(&self) -> render::Options {
        render::Options::default()
    }

    /// Every stated fact about the map, tested.
    fn check_map(&self) -> Result<Report, SetupError>;

    /// What is wrong with the pack besides its map and its words, in words for its maker; empty if all holds.
    fn check_pack(&self) -> Vec<String>;

    /// Measure random play of the rules, in the game's largest scenario if none is named.
    fn bench(
        &self,
        scenario: Option<&str>,
        edition: Option<&str>,
        games: u32,
        allocations: CountAllocations,
    ) -> Result<Figures, SetupError>;

    /// Measure whatever else matters to this game, such as lines of sight.
    fn bench_more(&self, _scenario: Option<&str>) -> Result<Option<Measured>, SetupError> {
        Ok(None)
    }
}

/// Figures that only one game has.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Name of the figures in JSON.
    pub name: &'static str,
    pub figures: Value,
    /// The same for people, a line each.
    pub lines: Vec<String>,
}
