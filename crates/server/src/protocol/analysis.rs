//! Analysis: advice, and decisions played out beforehand.

use kernel::{Message, Seat};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// What a bot would do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Advice {
    /// The moment it is for: [`super::Now::moment`].
    pub moment: u32,
    /// In notation.
    pub action: String,
    /// Why, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub why: Option<Message>,
    pub level: String,
}

/// A decision played many times over, with other dice each time. What has to be decided on the way (losses, retreats,
/// advances) is decided quickly by a bot, for both sides, until whoever decided is asked the same again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct WhatIf {
    /// The moment it is for: [`super::Now::moment`].
    pub moment: u32,
    /// In canonical notation.
    pub action: String,
    /// How often it was played.
    pub times: u32,
    /// Of these, how often it would have shown something that is hidden from this seat: what comes of those is not told.
    pub hidden: u32,
    /// No die was rolled on the way: it always comes out like this.
    pub certain: bool,
    /// The game's own answer to the `question` of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub exact: Option<Value>,
    /// What the log told, most frequent first.
    pub told: Vec<Tally>,
    /// What became of pieces that did not always come out as they were.
    pub pieces: Vec<Fate>,
    /// For each seat, how many of its pieces were lost or reduced.
    pub losses: Vec<Losses>,
}

/// A line of the log and how often it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Tally {
    pub seat: Option<Seat>,
    pub message: Message,
    /// As [`kernel::Entry::level`].
    pub level: u8,
    /// The share of the games in which it came, from 0 to 1.
    pub share: f64,
}

/// What became of a piece: shares from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Fate {
    /// Its id in the view.
    pub piece: String,
    pub seat: Option<Seat>,
    /// No more to be seen, or in another box beside the map.
    pub gone: f64,
    pub reduced: f64,
    /// Where it stood in the end, most frequent first; at most eight places.
    pub places: Vec<(String, f64)>,
    /// States it got, such as `disrupted`.
    pub states: Vec<(String, f64)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Losses {
    pub seat: Seat,
    pub mean: f64,
    /// The share of the games with 0, 1, 2 … pieces lost or reduced.
    pub spread: Vec<f64>,
}

/// What a bot makes of a finished game.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Reviewed {
    /// The bot's level.
    pub level: String,
    /// How many decisions it looked at closely.
    #[ts(type = "number")]
    pub looked: usize,
    /// The dearest first.
    pub items: Vec<ReviewItem>,
}

/// A decision that could have been better.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ReviewItem {
    /// So many decisions had been taken before it.
    pub decision: u32,
    /// What was decided, and what the bot would have done, in notation.
    pub played: String,
    pub better: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub why: Option<Message>,
    /// Units more at the end of the turn, on the average.
    pub cost: f64,
}

/// What the worth of a roll is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Victory points at the end, as a bot expects them.
    Points,
    /// Units more than the other side; one that lost strength counts half.
    Units,
}

/// A die of a finished game: what it could be expected to bring, and what it brought.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct RollLuck {
    /// So many decisions had been taken before the one that it belongs to.
    pub decision: u32,
    pub turn: u16,
    /// Who rolled it.
    pub seat: Seat,
    /// Its line in the log.
    pub message: Message,
    /// What it was worth to whoever rolled, counted from the worst that could have come of the decision: expected when the die
    /// was about to fall, and as it fell.
    pub expected: f64,
    pub actual: f64,
    /// The standard error of their difference: both are means of many trials.
    pub error: f64,
}

/// How a side stood when a turn began.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, TS)]
pub struct Standing {
    pub turn: u16,
    /// So many decisions had been taken.
    pub decision: u32,
    /// To the first seat; the other one has it with the sign reversed.
    pub worth: f64,
}

/// The luck of a finished game.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Luck {
    pub measure: Measure,
    /// In the order in which they fell.
    pub rolls: Vec<RollLuck>,
    /// Dice whose worth could not be found out: those that ended the game, or came after the time was up.
    pub unreckoned: u32,
    pub course: Vec<Standing>,
}
