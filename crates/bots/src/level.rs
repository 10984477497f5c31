//! The strength of a bot.

use std::{fmt, str::FromStr};

/// Levels, and the two baselines that measure them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Any legal decision.
    Random,
    /// The decision that leads to the most valuable position, looking one step ahead.
    Greedy,
    /// Legal and hasty.
    Recruit,
    /// Plays by rules of thumb with exact odds and quick evaluation.
    Regular,
    /// Evaluates in full what its moves lead to; in some games it tries out several plans.
    Veteran,
    /// Like Veteran, with a better judgement or more plans tried out.
    Elite,
}

impl Level {
    pub const ALL: [Level; 6] =
        [Level::Random, Level::Greedy, Level::Recruit, Level::Regular, Level::Veteran, Level::Elite];
    /// The levels offered to people.
    pub const OPPONENTS: [Level; 4] = [Level::Recruit, Level::Regular, Level::Veteran, Level::Elite];

    /// As written in commands and in the protocol.
    pub const fn id(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Greedy => "greedy",
            Level::Recruit => "recruit",
            Level::Regular => "regular",
            Level::Veteran => "veteran",
            Level::Elite => "elite",
        }
    }

    /// Message key of its name.
    pub const fn key(self) -> &'static str {
        match self {
            Level::Random => "bot.random",
            Level::Greedy => "bot.greedy",
            Level::Recruit => "bot.recruit",
            Level::Regular => "bot.regular",
            Level::Veteran => "bot.veteran",
            Level::Elite => "bot.elite",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        let known = || Level::ALL.map(Level::id).join(", ");
        Level::ALL
            .into_iter()
            .find(|level| level.id() == text)
            .ok_or_else(|| format!("no level `{text}`; there is {}", known()))
    }
}
