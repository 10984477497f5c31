//! Arguments shared by `sim` and `arena`: game, scenario, edition, options.

use std::{path::PathBuf, sync::Arc};

use anyhow::{Result, bail};
use clap::Args;
use kernel::{Game, Setup};

use crate::catalogue::{game, read_overlay};

#[derive(Debug, Args)]
pub struct Table {
    /// The game
    game: Option<String>,
    /// The scenario (default: the game's first)
    #[arg(long)]
    scenario: Option<String>,
    #[arg(long)]
    edition: Option<String>,
    /// Optional rules in force
    #[arg(long)]
    option: Vec<String>,
    /// Corrections to map and units (docs/PACKS.md)
    #[arg(long, value_name = "FILE")]
    pack_overlay: Option<PathBuf>,
}

impl Table {
    /// The game, and a valid set-up of it.
    pub fn open(&self) -> Result<(Arc<dyn Game>, Setup)> {
        let Some(id) = &self.game else { bail!("which game? there is ardennes44, for one") };
        let game = game(id)?;
        let first = || game.info().scenarios.first().map(|scenario| scenario.id.clone()).unwrap_or_default();
        let setup = Setup {
            game: id.clone(),
            edition: self.edition.clone(),
            scenario: self.scenario.clone().unwrap_or_else(first),
            options: self.option.clone(),
            overlay: self.pack_overlay.as_deref().map(read_overlay).transpose()?,
        };
        game.open(&setup)?;
        Ok((game, setup))
    }
}
