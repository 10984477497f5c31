//! What can be chosen before a game begins.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A game as the lobby shows it. Names and descriptions are message keys of the game's catalogue.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GameInfo {
    pub id: String,
    pub name: String,
    pub about: String,
    pub seats: Vec<SeatInfo>,
    /// The first is the default.
    pub editions: Vec<String>,
    pub scenarios: Vec<ScenarioInfo>,
    pub options: Vec<OptionInfo>,
    /// Is anything ever hidden from a seat, with any options? [`crate::Game::secrets`] answers it for one set-up.
    pub secrets: bool,
    /// Map overlays that the client toggles with a key, in the order of the menu.
    #[serde(default)]
    pub overlays: Vec<OverlayInfo>,
    /// Does the game answer `card UNIT` with a [`crate::view::Card`]?
    #[serde(default)]
    pub cards: bool,
    /// Does the game accept a pack overlay ([`crate::Game::overlay_changes`])?
    #[serde(default)]
    pub overlay: bool,
    /// How the client draws states and markers.
    #[serde(default)]
    pub looks: crate::looks::Looks,
}

/// A map overlay: zones of control, supply, a line of sight.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct OverlayInfo {
    pub id: String,
    /// A letter, lower case.
    pub key: String,
    /// Message key.
    pub name: String,
    /// The question that paints it. `{seat}` asks once for each side, `{unit}` for the selected unit, `{from}` and
    /// `{to}` for two cells that the player clicks or drags between: a tool such as `los {from} {to}`. The answer holds
    /// a [`crate::view::Overlay`] under `overlay`.
    pub question: String,
    #[serde(default)]
    pub rule: String,
}

impl OverlayInfo {
    /// Overlays as id, key, question and rule.
    pub fn list(overlays: &[(&str, &str, &str, &str)]) -> Vec<Self> {
        overlays.iter().map(|&(id, key, question, rule)| OverlayInfo::new(id, key, question, rule)).collect()
    }

    /// An overlay whose name is the message `overlay.ID`.
    pub fn new(id: &str, key: &str, question: impl Into<String>, rule: &str) -> Self {
        OverlayInfo {
            id: id.into(),
            key: key.into(),
            name: format!("overlay.{id}"),
            question: question.into(),
            rule: rule.into(),
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SeatInfo {
    /// The id used by notation and the lab: `german`, `allied`.
    pub id: String,
    pub name: String,
    /// CSS colour of the side.
    pub colour: String,
}

impl SeatInfo {
    /// A seat whose name is the message `side.ID`.
    pub fn new(id: &str, colour: &str) -> Self {
        SeatInfo { id: id.into(), name: format!("side.{id}"), colour: colour.into() }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ScenarioInfo {
    pub id: String,
    pub name: String,
    pub about: String,
    pub turns: u16,
    /// The number of its first turn.
    #[serde(default = "first")]
    pub first: u16,
    /// Rough playing time for two people, in minutes.
    pub minutes: u16,
    /// Only for these editions; empty = all.
    #[serde(default)]
    pub editions: Vec<String>,
}

const fn first() -> u16 {
    1
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct OptionInfo {
    pub id: String,
    pub name: String,
    pub rule: String,
    #[serde(default)]
    pub default: bool,
    /// Only for these editions; empty = all.
    #[serde(default)]
    pub editions: Vec<String>,
    /// Only for these scenarios; empty = all.
    #[serde(default)]
    pub scenarios: Vec<String>,
}

impl OptionInfo {
    /// An option for every edition and scenario, off by default, whose name is the message `option.ID`.
    pub fn new(id: &str, rule: &str) -> Self {
        OptionInfo {
            id: id.into(),
            name: format!("option.{id}"),
            rule: rule.into(),
            default: false,
            editions: Vec::new(),
            scenarios: Vec::new(),
        }
    }

    /// The same option, offered only in those scenarios in which it changes anything.
    pub fn where_it_matters<'a>(mut self, scenarios: impl IntoIterator<Item = (&'a str, bool)>) -> Self {
        let (within, without): (Vec<_>, Vec<_>) = scenarios.into_iter().partition(|(_, matters)| *matters);
        if !without.is_empty() {
            self.scenarios = within.into_iter().map(|(id, _)| id.to_owned()).collect();
        }
        self
    }
}

/// Everything that determines a game's start, except its dice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Setup {
    pub game: String,
    #[serde(default)]
    pub edition: Option<String>,
    pub scenario: String,
    #[serde(default)]
    pub options: Vec<String>,
    /// A pack overlay (TOML text): corrections to units and map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay: Option<String>,
}

impl Setup {
    /// A scenario with options, of the first edition and without an overlay.
    pub fn of(scenario: &str, options: &[&str]) -> Setup {
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        Setup { scenario: scenario.to_owned(), options, ..Setup::default() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    #[error("unknown game `{0}`")]
    UnknownGame(String),
    #[error("unknown {what} `{name}`; there is {known}")]
    Unknown { what: &'static str, name: String, known: String },
    #[error("{0}")]
    Bad(String),
}

impl SetupError {
    /// Any other error, in its own words.
    pub fn bad(error: impl std::fmt::Display) -> Self {
        SetupError::Bad(error.to_string())
    }
}
