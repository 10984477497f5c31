//! Players for simulations and arenas.

use std::{sync::atomic::AtomicBool, time::Duration};

use anyhow::{Result, bail};
use kernel::{Applied, GameInfo, Seat, Setup, Table};

use crate::program::Program;

/// Decides for one seat of one game.
pub trait Player: Send {
    /// The decision for the current position, in notation.
    fn decide(&mut self, table: &dyn Table, seat: Seat) -> Result<String, Forfeit>;
    /// Called after every decision, by any seat.
    fn note(&mut self, _seat: Seat, _applied: &Applied) {}
    /// The game is over.
    fn over(&mut self, _winner: Option<Seat>) {}
}

/// Why a player lost without being beaten: a sentence for the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit(pub String);

/// The start of a game, for a player.
#[derive(Clone, Debug)]
pub struct Start<'a> {
    pub info: &'a GameInfo,
    pub setup: &'a Setup,
    pub seat: Seat,
    pub seed: u64,
}

/// A player as commands name it: a level of our bots, or `program:COMMAND` for one that speaks the line protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// A level, with other weights if some are named (`regular:towns=2`).
    Bot(String),
    Program {
        command: String,
        patience: Duration,
    },
}

impl Spec {
    /// Reads a name; `patience` is the time a program has for one decision.
    pub fn parse(text: &str, patience: Duration) -> Result<Spec> {
        match text.strip_prefix("program:") {
            Some(command) if command.trim().is_empty() => bail!("`program:` wants a command behind it"),
            Some(command) => Ok(Spec::Program { command: command.trim().to_owned(), patience }),
            None => match text.split(':').next().unwrap_or(text).parse::<bots::Level>() {
                Ok(_) => Ok(Spec::Bot(text.to_owned())),
                Err(why) => bail!("{why}, and program:COMMAND"),
            },
        }
    }

    /// As it was written.
    pub fn name(&self) -> String {
        match self {
            Spec::Bot(name) => name.clone(),
            Spec::Program { command, .. } => format!("program:{command}"),
        }
    }

    /// Can it play this game at all?
    pub fn check(&self, game: &str) -> Result<()> {
        match self {
            Spec::Bot(name) => match bots::make_named(game, name, 0) {
                Ok(_) => Ok(()),
                Err(why) => bail!("{why}"),
            },
            Spec::Program { .. } => Ok(()),
        }
    }

    /// Takes a seat. The same seed gives the same play, as far as we control it.
    pub fn sit(&self, start: &Start) -> Result<Box<dyn Player>, Forfeit> {
        match self {
            Spec::Bot(name) => {
                let seed = mix(start.seed, u64::from(start.seat.0));
                let bot = bots::make_named(&start.info.id, name, seed).map_err(Forfeit)?;
                Ok(Box::new(Local { bot, cancel: AtomicBool::new(false) }))
            }
            Spec::Program { command, patience } => Ok(Box::new(Program::start(command, *patience, start)?)),
        }
    }
}

/// One of our bots.
struct Local {
    bot: Box<dyn bots::Bot>,
    cancel: AtomicBool,
}

impl Player for Local {
    fn decide(&mut self, table: &dyn Table, seat: Seat) -> Result<String, Forfeit> {
        match self.bot.choose(table, seat, &self.cancel) {
            Some(choice) => Ok(choice.action),
            None => Err(Forfeit("found nothing to do".to_owned())),
        }
    }
}

/// Mixes two numbers into one seed (splitmix64): neighbouring seeds give unrelated play.
pub fn mix(seed: u64, salt: u64) -> u64 {
    let mut z = seed.wrapping_add(salt.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_refused_with_what_there_is() {
        let patience = Duration::from_secs(1);
        assert_eq!(Spec::parse("random", patience).unwrap().name(), "random");
        assert_eq!(Spec::parse("program: ./x --y", patience).unwrap().name(), "program:./x --y");
        let why = Spec::parse("napoleon", patience).unwrap_err().to_string();
        assert!(why.contains("napoleon") && why.contains("random") && why.contains("program:"), "{why}");
        assert!(Spec::parse("program:", patience).is_err());
        // The weights are checked by the game's mind.
        let tuned = Spec::parse("regular:towns=2", patience).unwrap();
        assert!(tuned.check("ardennes44").is_ok() && tuned.name() == "regular:towns=2");
        let why = Spec::parse("regular:valour=2", patience).unwrap().check("ardennes44").unwrap_err();
        assert!(why.to_string().contains("valour"), "{why}");
    }
}
