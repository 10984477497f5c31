//! Computer opponents.
//!
//! The general part knows only the kernel: [`Player`] plays any game that has a [`Mind`], by its quick style alone or
//! with [`search`] on top; [`random`] and [`greedy`] are the baselines that every bot must beat. What is particular to
//! a game (the value of a position, which plans are worth considering) is in its mind: [`ardennes`], [`holland`],
//! [`panzer`], [`wurzburg`].
//!
//! A bot decides from what its seat may see: anything hidden from it is sampled first ([`Mind::believed`]).

pub mod ardennes;
pub mod arena;
mod bond;
mod bot;
pub mod garrison;
pub mod greedy;
pub mod holland;
mod level;
mod mind;
mod numbers;
pub mod panzer;
mod player;
pub mod random;
pub mod reserve;
pub mod search;
pub mod wurzburg;

pub use bot::{Bot, Choice, Watch};
pub use level::Level;
pub use mind::{Mind, Thought};
pub use numbers::{Numbers, named};
pub use player::Player;

/// The levels a person may choose from, weakest first; a game without a mind has only the random one.
pub fn levels(game: &str) -> &'static [Level] {
    match game {
        ardennes::GAME | holland::GAME | panzer::GAME => &Level::OPPONENTS,
        wurzburg::GAME => &[Level::Random, Level::Greedy],
        _ => &[Level::Random],
    }
}

/// A bot by name: a level (`regular`), or one with other weights (`regular:towns=2,enough=6`).
pub fn make_named(game: &str, text: &str, seed: u64) -> Result<Box<dyn Bot>, String> {
    fn of<M: Mind>(game: &'static str, text: &str, seed: u64) -> Result<Option<Box<dyn Bot>>, String> {
        Ok(named::<M>(game, text)?(seed))
    }
    let bot = match game {
        ardennes::GAME => of::<ardennes::Staff>(ardennes::GAME, text, seed)?,
        holland::GAME => of::<holland::Staff>(holland::GAME, text, seed)?,
        panzer::GAME => of::<panzer::Commander>(panzer::GAME, text, seed)?,
        _ => make(game, text.parse()?, seed),
    };
    bot.ok_or_else(|| format!("{text} does not play {game} yet; random does"))
}

/// A bot for a game. The same seed gives the same play. None if there is no such opponent.
pub fn make(game: &str, level: Level, seed: u64) -> Option<Box<dyn Bot>> {
    match (game, level) {
        (_, Level::Random) => Some(Box::new(random::Random::new(seed))),
        (ardennes::GAME, Level::Greedy) => Some(Box::new(greedy::Greedy::<ardennes::Staff>::new(seed))),
        (ardennes::GAME, _) => Some(Box::new(Player::<ardennes::Staff>::new(level, seed))),
        (holland::GAME, Level::Greedy) => Some(Box::new(greedy::Greedy::<holland::Staff>::new(seed))),
        (holland::GAME, _) => Some(Box::new(Player::<holland::Staff>::new(level, seed))),
        (panzer::GAME, Level::Greedy) => Some(Box::new(greedy::Greedy::<panzer::Commander>::new(seed))),
        (panzer::GAME, _) => Some(Box::new(Player::<panzer::Commander>::new(level, seed))),
        (wurzburg::GAME, Level::Greedy) => Some(Box::new(wurzburg::Officer::new(seed))),
        _ => None,
    }
}
