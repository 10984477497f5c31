//! `grognard bench ardennes44`

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use rulebook::bench::Request;

use crate::catalogue;

#[derive(Debug, Args)]
pub struct Bench {
    /// The game
    game: String,
    /// The scenario (default: the game's largest)
    #[arg(long)]
    scenario: Option<String>,
    #[arg(long)]
    edition: Option<String>,
    /// Random games to play
    #[arg(long, default_value_t = 20)]
    games: u32,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub fn run(self) -> Result<ExitCode> {
        let request = Request {
            scenario: self.scenario.as_deref(),
            edition: self.edition.as_deref(),
            games: self.games,
            count_allocations: catalogue::count_allocations,
        };
        let title = catalogue::title(&self.game)?;
        let more = title.bench_more(request.scenario)?;
        let figures = title.bench(&request)?;
        if self.json {
            let mut value = serde_json::to_value(&figures)?;
            if let Some(more) = more {
                value[more.name] = more.figures;
            }
            println!("{}", serde_json::to_string_pretty(&value)?);
        } else {
            println!("{} {}, {} random games on one core", figures.game, figures.scenario, figures.games);
            println!("  {:>12.0} decisions per second", figures.decisions_per_second);
            println!(
                "  {:>12.1} ms a whole game ({} decisions)",
                figures.campaign_ms,
                figures.decisions / u64::from(figures.games.max(1))
            );
            println!("  {:>12.2} µs to copy the state ({} bytes)", figures.clone_us, figures.state_bytes);
            println!("  {:>12.4} allocations per decision", figures.allocations_per_decision);
            for line in more.iter().flat_map(|more| &more.lines) {
                println!("{line}");
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
