//! A game's entry in the catalogue.

use std::sync::Arc;

use atlas::{Map, check::Report, render};
use kernel::{Game, SetupError};
use serde_json::Value;

use crate::bench;

/// A game as the program lists it: how to create it, its map, the checks of its pack and the benchmarks of its rules.
/// Each game implements it once; code outside a game never asks which game it is.
pub trait Title: Send + Sync {
    /// The game's id, the same as in [`kernel::GameInfo`].
    fn id(&self) -> &'static str;

    /// The game with its shipped pack.
    fn game(&self) -> Result<Arc<dyn Game>, SetupError>;

    /// The map the game is played on; for a game with geomorphic boards, some of them laid together as a sample.
    fn map(&self) -> Result<&'static Map, SetupError>;

    /// The map of one scenario, or one board, if the game lays out its map anew for each.
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

    /// Tests every stated fact about the map.
    fn check_map(&self) -> Result<Report, SetupError>;

    /// Faults of the pack besides its map and its messages, in words for its author; empty if there are none.
    fn check_pack(&self) -> Vec<String>;

    /// Benchmarks random play of the rules, in the game's largest scenario if none is named.
    fn bench(&self, request: &bench::Request) -> Result<bench::Figures, SetupError>;

    /// Benchmarks whatever else matters to this game, such as lines of sight.
    fn bench_more(&self, _scenario: Option<&str>) -> Result<Option<Measured>, SetupError> {
        Ok(None)
    }
}

/// Figures that only one game has.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Name of the figures in JSON output.
    pub name: &'static str,
    pub figures: Value,
    /// The same for people, one line each.
    pub lines: Vec<String>,
}
