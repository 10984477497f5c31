//! Analysis: advice, and decisions played out beforehand.

use kernel::{Message, Reading, Seat, Topic};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// What a bot would do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Advice {
    /// The moment it is for: [`super::Now::moment`].
    pub moment: u32,
    /// In notation, and taken apart.
    pub action: String,
    pub reading: Reading,
    /// The reason, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub why: Option<Message>,
    pub level: String,
}

/// A decision played out many times, with different dice each time. What must be decided on the way (losses, retreats,
/// advances) is decided quickly by a bot for both sides, until the seat that decided is asked the same question again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct WhatIf {
    /// The moment it is for: [`super::Now::moment`].
    pub moment: u32,
    /// In canonical notation.
    pub action: String,
    /// How often it was played out.
    pub times: u32,
    /// How many of these games would have revealed something hidden from this seat; their results are not reported.
    pub hidden: u32,
    /// No die was rolled and nothing was decided on the way: the result is always the same.
    pub certain: bool,
    /// The game's own answer to the `question` of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub exact: Option<Value>,
    /// Lines of the log, most frequent first.
    pub told: Vec<Tally>,
    /// What became of the pieces that changed in at least one game.
    pub pieces: Vec<Fate>,
    /// For each seat, how many of its pieces were lost or reduced.
    pub losses: Vec<Losses>,
}

/// A line of the log and how often it appeared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Tally {
    pub seat: Option<Seat>,
    pub topic: Topic,
    pub message: Message,
    /// As [`kernel::Entry::level`].
    pub level: u8,
    /// The share of the games in which it appeared, from 0 to 1.
    pub share: f64,
}

/// What became of a piece: shares from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Fate {
    /// Its id in the view.
    pub piece: String,
    pub seat: Option<Seat>,
    /// No longer visible, or moved off the map.
    pub gone: f64,
    pub reduced: f64,
    /// Where it stood in the end, most frequent first; at most eight places.
    pub places: Vec<(String, f64)>,
    /// States it gained, such as `disrupted`.
    pub states: Vec<(String, f64)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Losses {
    pub seat: Seat,
    pub mean: f64,
    /// The share of the games with 0, 1, 2 and so on pieces lost or reduced.
    pub spread: Vec<f64>,
}

/// A bot's review of a finished game.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Reviewed {
    /// The bot's level.
    pub level: String,
    /// The unit of the costs.
    pub measure: Measure,
    /// How many decisions it examined closely.
    #[ts(type = "number")]
    pub looked: usize,
    /// The most costly first.
    pub items: Vec<ReviewItem>,
}

/// A decision that could have been better.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ReviewItem {
    /// How many decisions had been taken before it.
    pub decision: u32,
    /// What was decided, and what the bot would have done, in notation.
    pub played: String,
    pub better: String,
    /// Both taken apart.
    pub played_reading: Reading,
    pub better_reading: Reading,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub why: Option<Message>,
    /// How many more units the bot's decision leaves at the end of the turn, on average.
    pub cost: f64,
}

/// The unit in which the worth of a roll or a decision is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Points by which a bot judges a position: those of its evaluation, not of the game's score.
    Points,
    /// Units more than the other side; a unit that has lost strength counts half.
    Units,
}

/// A die of a finished game: what it was expected to be worth, and what it was worth.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct RollLuck {
    /// How many decisions had been taken before the one that rolled it.
    pub decision: u32,
    pub turn: u16,
    /// Who rolled it.
    pub seat: Seat,
    /// Its line in the log.
    pub message: Message,
    /// Its worth to the seat that rolled, counted from the worst result found for the decision: as expected just before
    /// it fell, and as it fell.
    pub expected: f64,
    pub actual: f64,
    /// The standard error of the difference: both are means of many trials.
    pub error: f64,
}

/// How a side stood at the beginning of a turn.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, TS)]
pub struct Standing {
    pub turn: u16,
    /// How many decisions had been taken.
    pub decision: u32,
    /// The worth to the first seat; reverse the sign for the other.
    pub worth: f64,
}

/// The luck of a finished game.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Luck {
    pub measure: Measure,
    /// In the order in which they were rolled.
    pub rolls: Vec<RollLuck>,
    /// Dice without a worth: those that ended the game, and those for which there was no time left.
    pub unreckoned: u32,
    pub course: Vec<Standing>,
}
