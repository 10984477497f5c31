//! `grognard sim ardennes44 --games 1000 --german regular --allied regular`: many games without people.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgMatches, Args, FromArgMatches, Subcommand};
use kernel::Game;
use study::{
    play::Record,
    player::Spec,
    report::{self, film::Film},
    sim::{self, Run, Study},
};

use super::table::Table;
use crate::catalogue::game;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Sim {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    play: Play,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Merge the files of several runs (docs/SIM.md)
    Merge(Merge),
}

#[derive(Debug, Args)]
struct Play {
    #[command(flatten)]
    table: Table,
    #[command(flatten)]
    seats: Seats,
    #[arg(long, default_value_t = 10)]
    games: u64,
    /// The first game's seed; the others follow
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once (default: one per core)
    #[arg(long, default_value_t = 0)]
    jobs: usize,
    /// Play each game also with each other edition and each option, to measure their effect on the balance
    #[arg(long)]
    variants: bool,
    /// Film the first game: one HTML file with the map and all units turn by turn
    #[arg(long, value_name = "FILE")]
    film: Option<PathBuf>,
    /// Seconds that a program has for one decision
    #[arg(long, default_value_t = study::arena::PATIENCE.as_secs_f64())]
    patience: f64,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
struct Merge {
    /// Files of JSON lines, of the same study with other seeds
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Args)]
struct Output {
    /// Keep the games in a file of JSON lines; an interrupted run continues from it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a report for people: one HTML file
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write the report's figures as tables in Markdown
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
    /// The report's language: en, ko or ja
    #[arg(long, default_value = "en")]
    language: String,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

/// `--german regular --allied veteran`: an argument for each seat of each game.
#[derive(Clone, Debug, Default)]
struct Seats(Vec<(String, String)>);

/// The seats of all games; a test keeps the list complete.
const SEATS: [&str; 5] = ["german", "allied", "axis", "nato", "wp"];

impl Args for Seats {
    fn augment_args(command: clap::Command) -> clap::Command {
        SEATS.iter().fold(command, |command, seat| {
            let help =
                "Who plays this side: random, greedy, recruit, regular, veteran, elite, or program:COMMAND";
            let known = matches!(*seat, "german" | "allied");
            command.arg(Arg::new(*seat).long(*seat).value_name("PLAYER").help(help).hide(!known))
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Seats {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |seat: &&str| {
            let player = matches.get_one::<String>(seat)?;
            Some(((*seat).to_owned(), player.clone()))
        };
        Ok(Seats(SEATS.iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Seats {
    /// Players by seat; a seat that is not named plays at random.
    fn players(&self, game: &dyn Game, patience: Duration) -> Result<Vec<Spec>> {
        let seats = &game.info().seats;
        if let Some((other, _)) = self.0.iter().find(|(id, _)| !seats.iter().any(|seat| seat.id == *id)) {
            let known: Vec<String> = seats.iter().map(|seat| format!("--{}", seat.id)).collect();
            bail!("{} has no seat --{other}; there is {}", game.info().id, known.join(", "));
        }
        let player = |id: &str| self.0.iter().find(|(seat, _)| seat == id).map_or("random", |(_, p)| p);
        seats.iter().map(|seat| Spec::parse(player(&seat.id), patience)).collect()
    }
}

impl Sim {
    pub fn run(self) -> Result<ExitCode> {
        match self.what {
            Some(What::Merge(merge)) => merge.run()?,
            None => self.play.run()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Play {
    fn run(&self) -> Result<()> {
        let (game, setup) = self.table.open()?;
        let players = self.seats.players(&*game, Duration::try_from_secs_f64(self.patience)?)?;
        let mut study = Study::new(setup, &players);
        if self.variants {
            study = study.with_all_variants(&*game);
        }
        let run = Run {
            first: self.seed,
            games: self.games,
            jobs: self.jobs,
            out: self.output.out.as_deref(),
            progress: !self.output.json,
        };
        if let Some(file) = &self.film {
            let film = Film::take(&game, &study, &players, self.seed)?;
            write(file, &film.html(&*game, &study, &self.output.language)?)?;
        }
        let (records, clocks) = sim::run_timed(&game, &study, &players, &run)?;
        self.output.show(&*game, &study, &records)?;
        if !self.output.json {
            print!("{}", report::thinking(&*game, &clocks, &self.output.language)?);
        }
        Ok(())
    }
}

impl Merge {
    fn run(&self) -> Result<()> {
        let (study, records) = sim::merge(&self.files)?;
        let game = game(&study.setup.game)?;
        if let Some(out) = &self.output.out {
            sim::write(out, &study, &records)?;
        }
        self.output.show(&*game, &study, &records)
    }
}

impl Output {
    fn show(&self, game: &dyn Game, study: &Study, records: &[Record]) -> Result<()> {
        if let Some(file) = &self.report {
            write(file, &report::html(game, study, records, &self.language)?)?;
        }
        if let Some(file) = &self.tables {
            write(file, &report::tables(game, study, records, &self.language)?)?;
        }
        if self.json {
            for record in records {
                println!("{}", serde_json::to_string(record)?);
            }
        } else {
            print!("{}", report::text(game, study, records, &self.language)?);
        }
        Ok(())
    }
}

fn write(file: &Path, text: &str) -> Result<()> {
    std::fs::write(file, text).with_context(|| file.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seat_of_every_game_has_its_argument() {
        for game in crate::catalogue::games() {
            for seat in &game.info().seats {
                assert!(SEATS.contains(&seat.id.as_str()), "{}: --{}", game.info().id, seat.id);
            }
        }
    }
}
