//! `grognard arena ardennes44 --player regular --player greedy`: who is stronger, and by how much.

use std::{path::PathBuf, process::ExitCode, time::Duration};

use anyhow::Result;
use clap::Args;
use study::player::Spec;

use super::table::Table;

#[derive(Debug, Args)]
pub struct Arena {
    #[command(flatten)]
    table: Table,
    /// Who plays: random, greedy, recruit, regular, veteran, elite, or program:COMMAND (docs/ENGINE.md)
    #[arg(long = "player", required = true, num_args = 1)]
    players: Vec<String>,
    /// Games for each pair, half of them from each side
    #[arg(long, default_value_t = 20)]
    games: u64,
    /// The first pair of games' seed; the others follow
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once (default: one per core)
    #[arg(long, default_value_t = 0)]
    jobs: usize,
    /// Seconds that a program has for one decision
    #[arg(long, default_value_t = study::arena::PATIENCE.as_secs_f64())]
    patience: f64,
    /// Keep the games in a file of JSON lines; an interrupted arena continues from it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print the standings as JSON
    #[arg(long)]
    json: bool,
}

impl Arena {
    pub fn run(self) -> Result<ExitCode> {
        let (game, setup) = self.table.open()?;
        let patience = Duration::try_from_secs_f64(self.patience)?;
        let players =
            self.players.iter().map(|player| Spec::parse(player, patience)).collect::<Result<_>>()?;
        let arena = study::arena::Arena {
            game,
            setup,
            players,
            games: self.games,
            seed: self.seed,
            jobs: self.jobs,
            out: self.out.as_deref(),
            progress: true,
        };
        let standings = arena.standings(&arena.run()?);
        if self.json {
            println!("{}", serde_json::to_string_pretty(&standings)?);
        } else {
            print!("{}", standings.table());
        }
        Ok(ExitCode::SUCCESS)
    }
}
