//! `grognard engine ardennes44`: our bots for other programs (docs/ENGINE.md).

use std::{io::BufReader, process::ExitCode};

use anyhow::{Result, anyhow};
use clap::Args;

use crate::catalogue::game;

#[derive(Debug, Args)]
pub struct Engine {
    /// The game
    game: String,
    /// How strong: random, greedy, recruit, regular, veteran, elite
    #[arg(long, default_value = "regular")]
    level: String,
}

impl Engine {
    pub fn run(self) -> Result<ExitCode> {
        let game = game(&self.game)?;
        let level = self.level.parse().map_err(|why: String| anyhow!(why))?;
        study::engine::serve(&game, level, BufReader::new(std::io::stdin()), std::io::stdout().lock())?;
        Ok(ExitCode::SUCCESS)
    }
}
