//! The program's entry point. Each command is a module in [`commands`]; this file names them.

mod assets;
mod catalogue;
mod commands;
mod opponents;
mod position;
#[cfg(test)]
mod soak;
mod tiles;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Board wargames by their full rules: play, look things up, simulate.
#[derive(Debug, Parser)]
#[command(name = "grognard", version, propagate_version = true)]
#[command(after_help = "Start with `grognard play`: it opens the table in your browser.")]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the table in a browser: choose a game, choose who sits where, play
    Play(commands::serve::Play),
    /// Serve the table to others, without opening a browser
    Serve(commands::serve::Serve),
    /// Settle a rules argument: set up any position, play decisions, ask questions
    Lab(commands::lab::Lab),
    /// Draw a game's map, or check it against everything the rulebooks state
    Map(commands::map::Map),
    /// List the games; check their packs; show what an overlay changes
    Packs(commands::packs::Packs),
    /// Play many games without people, and write a report for people
    Sim(Box<commands::sim::Sim>),
    /// Play a tournament between players and rate them
    Arena(commands::arena::Arena),
    /// Our bots for other programs: a line protocol on standard input and output
    Engine(commands::engine::Engine),
    /// Measure the speed of a game's rules on this machine
    Bench(commands::bench::Bench),
    /// Play many games at once on a server and measure its performance
    Load(commands::load::Load),
    /// Step through a recorded game, or prove that its dice were fair
    Replay(commands::replay::Replay),
    /// Write shell completions to standard output
    Completions(commands::completions::Completions),
}

fn main() -> ExitCode {
    let result = match Program::parse().command {
        Command::Play(args) => args.run(),
        Command::Serve(args) => args.run(),
        Command::Lab(args) => args.run(),
        Command::Map(args) => args.run(),
        Command::Packs(args) => args.run(),
        Command::Sim(args) => args.run(),
        Command::Arena(args) => args.run(),
        Command::Engine(args) => args.run(),
        Command::Bench(args) => args.run(),
        Command::Load(args) => args.run(),
        Command::Replay(args) => args.run(),
        Command::Completions(args) => args.run::<Program>(),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
