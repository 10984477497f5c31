//! Sentences for people, independent of language: a key into the game's message files and the values for its blanks.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A sentence to be shown in the reader's language: `key` names it in the message files
/// (`packs/GAME/i18n/{en,ko,ja}.toml`), `args` fill its `{blanks}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Message {
    pub key: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<(Cow<'static, str>, Arg)>,
}

/// What fills a blank. Units and places are linked to the map by the client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Arg {
    Number(#[cfg_attr(feature = "ts", ts(type = "number"))] i64),
    /// A piece, by its stable id.
    Unit(String),
    /// A place: a hex label, a hexside (`E2119/E2120`) or a box.
    Place(String),
    /// Another key of the message files (a phase, a terrain, a side).
    Term(Cow<'static, str>),
    /// Verbatim: a number with its unit, odds such as `3-1`.
    Text(String),
    /// Several values, joined by the language's own comma.
    List(Vec<Arg>),
    /// A sentence inside a sentence.
    Message(Box<Message>),
}

impl Message {
    pub fn new(key: impl Into<Cow<'static, str>>) -> Self {
        Message { key: key.into(), args: Vec::new() }
    }
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: Arg) -> Self {
        self.args.push((Cow::Borrowed(name), arg));
        self
    }
    #[must_use]
    pub fn number(self, name: &'static str, value: impl Into<i64>) -> Self {
        self.with(name, Arg::Number(value.into()))
    }
    #[must_use]
    pub fn unit(self, name: &'static str, id: impl Into<String>) -> Self {
        self.with(name, Arg::Unit(id.into()))
    }
    #[must_use]
    pub fn place(self, name: &'static str, label: impl Into<String>) -> Self {
        self.with(name, Arg::Place(label.into()))
    }
    #[must_use]
    pub fn term(self, name: &'static str, key: impl Into<Cow<'static, str>>) -> Self {
        self.with(name, Arg::Term(key.into()))
    }
    #[must_use]
    pub fn text(self, name: &'static str, text: impl Into<String>) -> Self {
        self.with(name, Arg::Text(text.into()))
    }
}
