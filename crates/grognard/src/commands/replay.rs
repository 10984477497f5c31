//! `grognard replay FILE`: step through a recorded game, or prove its dice.

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use kernel::catalog::Catalog;
use kernel::journal::Journal;
use kernel::session::{Line, Session};
use kernel::{GameInfo, Pending, Viewer};

use crate::catalogue::game;

#[derive(Debug, Args)]
pub struct Replay {
    /// A journal, as the table exports it
    file: PathBuf,
    /// Check that every die was fixed by the seed before the first decision
    #[arg(long)]
    prove: bool,
    /// Print the whole battle report at once instead of waiting for Enter
    #[arg(long)]
    all: bool,
    /// Language of the report: en, ko or ja
    #[arg(long, default_value = "en")]
    language: String,
    /// Print JSON, one object per decision
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub fn run(self) -> Result<ExitCode> {
        let name = self.file.display().to_string();
        let text = std::fs::read_to_string(&self.file).with_context(|| name.clone())?;
        let journal = Journal::import(&text).with_context(|| name.clone())?;
        let game = game(&journal.setup.game)?;
        if self.prove {
            let proof = journal.prove(&*game).with_context(|| name)?;
            if self.json {
                println!("{}", serde_json::to_string(&proof)?);
            } else {
                println!(
                    "proved: {} decisions, {} dice, all as the seed fixed them",
                    proof.decisions, proof.dice
                );
            }
            return Ok(ExitCode::SUCCESS);
        }
        let catalog = Catalog::of_game(&*game, &self.language)?;
        let info = game.info().clone();
        let session = Session::resume(game, journal, None, None).with_context(|| name)?;
        let lines = session.log(Viewer::Referee, 0);
        let mut wait = !self.all && !self.json && std::io::stdin().is_terminal();
        for (number, decision) in session.history(Viewer::Referee).iter().enumerate() {
            let told: Vec<&Line> = lines.iter().filter(|line| line.decision == number).collect();
            if self.json {
                println!(
                    "{}",
                    serde_json::json!({ "decision": number, "seat": seat_name(&info, decision.seat.0),
                        "action": decision.action, "rolls": decision.rolls, "log": told })
                );
                continue;
            }
            println!(
                "{:>5}  {}: {}",
                number + 1,
                seat_name(&info, decision.seat.0),
                decision.action.as_deref().unwrap_or("…")
            );
            for line in told {
                println!("       {}", catalog.render(&line.entry.message, &()));
            }
            if wait {
                print!("       [Enter: next, q: stop, a: all] ");
                std::io::stdout().flush()?;
                let mut answer = String::new();
                std::io::stdin().lock().read_line(&mut answer)?;
                match answer.trim() {
                    "q" => return Ok(ExitCode::SUCCESS),
                    "a" => wait = false,
                    _ => {}
                }
            }
        }
        if let Pending::Over(outcome) = session.pending() {
            if self.json {
                println!("{}", serde_json::json!({ "over": outcome }));
            } else {
                println!("       {}", catalog.render(&outcome.why, &()));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn seat_name(info: &GameInfo, seat: u8) -> &str {
    info.seats.get(usize::from(seat)).map_or("?", |seat| &seat.id)
}
