//! `grognard packs`: lists the games and checks their packs.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use kernel::SetupError;
use kernel::catalog::Catalog;

use crate::catalogue::{self, games};

#[derive(Debug, Args)]
pub struct Packs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The games, their editions, scenarios and options
    List {
        #[arg(long)]
        json: bool,
    },
    /// What an overlay file would change, or why it is refused
    Diff {
        game: String,
        /// The overlay (docs/PACKS.md)
        file: std::path::PathBuf,
    },
    /// Check every pack: maps, units, tables, scenarios, words in three languages
    Check {
        /// Only this game
        game: Option<String>,
    },
}

impl Packs {
    pub fn run(self) -> Result<ExitCode> {
        match self.what {
            What::List { json } => list(json),
            What::Diff { game, file } => {
                let changes = catalogue::game(&game)?.overlay_changes(&catalogue::read_overlay(&file)?)?;
                for change in &changes {
                    println!("{change}");
                }
                println!("{} changes", changes.len());
                Ok(ExitCode::SUCCESS)
            }
            What::Check { game } => check(game.as_deref()),
        }
    }
}

fn list(json: bool) -> Result<ExitCode> {
    let games = games();
    if json {
        let infos: Vec<_> = games.iter().map(|game| game.info()).collect();
        println!("{}", serde_json::to_string_pretty(&infos)?);
        return Ok(ExitCode::SUCCESS);
    }
    for game in &games {
        let info = game.info();
        let words = Catalog::of_game(&**game, "en")?;
        let say = |key: &str| words.text(key).unwrap_or(key).to_owned();
        println!("{}: {}", info.id, say(&info.name));
        println!("  editions   {}", info.editions.join(", "));
        for scenario in &info.scenarios {
            println!("  scenario   {:<14} {} ({} turns)", scenario.id, say(&scenario.name), scenario.turns);
        }
        for option in &info.options {
            println!("  option     {:<22} {} ({})", option.id, say(&option.name), option.rule);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn check(only: Option<&str>) -> Result<ExitCode> {
    let mut failed = 0;
    for game in games() {
        let id = game.info().id.clone();
        if only.is_some_and(|only| only != id) {
            continue;
        }
        let mut findings = catalogue::pack_findings(catalogue::title(&id)?);
        findings.extend(Catalog::check_game(&*game)?.iter().map(ToString::to_string));
        for scenario in &game.info().scenarios {
            let editions =
                if scenario.editions.is_empty() { &game.info().editions } else { &scenario.editions };
            for edition in editions {
                let setup = kernel::Setup {
                    game: id.clone(),
                    edition: Some(edition.clone()),
                    scenario: scenario.id.clone(),
                    ..kernel::Setup::default()
                };
                match game.open(&setup) {
                    Ok(_) => {}
                    // A scenario need not exist in every edition.
                    Err(SetupError::Unknown { what: "scenario", .. })
                        if edition != &game.info().editions[0] => {}
                    Err(error) => findings.push(format!("scenario {} ({edition}): {error}", scenario.id)),
                }
            }
        }
        if findings.is_empty() {
            println!("{id}: map, units, tables, scenarios and words hold");
        }
        for finding in &findings {
            println!("{id}: {finding}");
        }
        failed += findings.len();
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
