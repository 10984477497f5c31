//! Refusals that cite the rule and name what is in the way. Where only yes or no matters ([`unread`]) their sentences
//! are not built.

use std::cell::Cell;

use hexgrid::HexId;
use kernel::{Message, Refusal};

use crate::{pack::Side, rules::Panzer, units::UnitId};

thread_local! {
    static UNREAD: Cell<bool> = const { Cell::new(false) };
}

/// Do something that uses refusals only as yes or no, as listings do: no text is built and nothing is allocated.
pub(crate) fn unread<T>(what: impl FnOnce() -> T) -> T {
    let before = UNREAD.replace(true);
    let result = what();
    UNREAD.set(before);
    result
}

/// A refusal under construction: rule, message key, then the values for its blanks.
#[derive(Debug)]
pub struct No<'a> {
    rules: &'a Panzer,
    rule: &'static str,
    /// `None` where nobody reads it.
    message: Option<Message>,
}

impl Panzer {
    /// `self.no("4.4.1", "fire.not_spotted").unit("unit", a).into()`; the message key is this key with the prefix
    /// `no.`.
    pub fn no(&self, rule: &'static str, key: &'static str) -> No<'_> {
        let message = (!UNREAD.get()).then(|| Message::new(format!("no.{key}")));
        No { rules: self, rule, message }
    }

    /// Not a decision that is asked for now.
    pub fn not_now(&self) -> Refusal {
        Refusal::out_of_turn("-", Message::new("no.not_now"))
    }

    /// Whether it is this side's vehicle.
    pub fn own(&self, side: Side, unit: UnitId) -> Result<(), Refusal> {
        if self.vehicle(unit).side == side {
            return Ok(());
        }
        // 3.1: players act only with their own vehicles.
        self.no("3.1", "not_yours").unit("unit", unit).into()
    }
}

impl No<'_> {
    #[must_use]
    pub fn unit(mut self, name: &'static str, unit: UnitId) -> Self {
        self.message = self.message.map(|message| message.unit(name, self.rules.id(unit)));
        self
    }

    #[must_use]
    pub fn hex(mut self, name: &'static str, hex: HexId) -> Self {
        self.message = self.message.map(|message| message.place(name, self.rules.field.label(hex)));
        self
    }

    #[must_use]
    pub fn number(mut self, name: &'static str, number: impl Into<i64>) -> Self {
        self.message = self.message.map(|message| message.number(name, number));
        self
    }

    /// Another key of the message files.
    #[must_use]
    pub fn term(mut self, name: &'static str, key: impl Into<std::borrow::Cow<'static, str>>) -> Self {
        self.message = self.message.map(|message| message.term(name, key));
        self
    }
}

impl From<No<'_>> for Refusal {
    fn from(no: No<'_>) -> Refusal {
        Refusal::new(no.rule, no.message.unwrap_or_else(|| Message::new("no")))
    }
}

impl<T> From<No<'_>> for Result<T, Refusal> {
    fn from(no: No<'_>) -> Self {
        Err(no.into())
    }
}
