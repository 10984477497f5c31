//! `grognard sim ardennes44 --games 100`: many games without people.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ParallelProgressIterator, ProgressBar, ProgressStyle};
use kernel::{Dice, Game, Pending, Setup};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;
use serde::Serialize;

use crate::catalogue::{game, read_overlay};

#[derive(Debug, Args)]
pub struct Sim {
    /// The game
    game: String,
    #[arg(long, default_value = "campaign")]
    scenario: String,
    #[arg(long)]
    edition: Option<String>,
    /// Optional rules in force
    #[arg(long)]
    option: Vec<String>,
    /// Corrections to map and units (docs/PACKS.md)
    #[arg(long, value_name = "FILE")]
    pack_overlay: Option<std::path::PathBuf>,
    #[arg(long, default_value_t = 10)]
    games: u64,
    /// The first game's seed; the others follow
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once (default: one per core)
    #[arg(long)]
    jobs: Option<usize>,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Played {
    seed: u64,
    winner: Option<String>,
    by: String,
    rule: String,
    decisions: u64,
}

impl Sim {
    pub fn run(self) -> Result<ExitCode> {
        let game = game(&self.game)?;
        let setup = Setup {
            game: self.game.clone(),
            edition: self.edition.clone(),
            scenario: self.scenario.clone(),
            options: self.option.clone(),
            overlay: self.pack_overlay.as_deref().map(read_overlay).transpose()?,
        };
        game.open(&setup)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs.unwrap_or(0)).build()?;
        let bar = ProgressBar::new(self.games).with_style(
            ProgressStyle::with_template("{bar:30} {pos}/{len} games, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        let played: Vec<Played> = pool.install(|| {
            (self.seed..self.seed + self.games)
                .into_par_iter()
                .progress_with(bar.clone())
                .map(|seed| play(&game, &setup, seed).with_context(|| format!("seed {seed}")))
                .collect::<Result<_>>()
        })?;
        bar.finish_and_clear();
        if self.json {
            for game in &played {
                println!("{}", serde_json::to_string(game)?);
            }
        } else {
            summary(&played);
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn play(game: &Arc<dyn Game>, setup: &Setup, seed: u64) -> Result<Played> {
    const PATIENCE: u64 = 1_000_000;
    let mut table = game.open(setup)?;
    let (mut dice, mut rng) = (Dice::from_number(seed), ChaCha8Rng::seed_from_u64(seed));
    for decisions in 0..PATIENCE {
        let seat = match table.pending() {
            Pending::Over(outcome) => {
                let winner = outcome.winner.and_then(|seat| game.info().seats.get(usize::from(seat.0)));
                return Ok(Played {
                    seed,
                    winner: winner.map(|seat| seat.id.clone()),
                    by: outcome.why.key.into_owned(),
                    rule: outcome.rule,
                    decisions,
                });
            }
            Pending::One(seat) => seat,
            Pending::Each(seats) => {
                seats.iter().next().context("nobody is asked, and the game is not over")?
            }
        };
        let action = table.random_action(seat, &mut rng).context("no legal action was found")?;
        table.apply(seat, &action, &mut dice).with_context(|| action)?;
    }
    bail!("no end after {PATIENCE} decisions")
}

fn summary(played: &[Played]) {
    let mut wins: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for game in played {
        *wins.entry((game.winner.as_deref().unwrap_or("nobody"), &game.by)).or_default() += 1;
    }
    println!("{} games", played.len());
    for ((winner, by), count) in wins {
        println!("  {:>5.1} %  {winner} ({by})", 100.0 * count as f64 / played.len() as f64);
    }
}
