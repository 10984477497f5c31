//! Why not: refusals that cite the rule and name what is in the way. Where only yes or no is wanted ([`unread`]) their
//! sentences are not written.

use std::cell::Cell;

use hexgrid::HexId;
use kernel::{Message, Refusal};

use crate::{pack::Side, rules::Panzer, units::UnitId};

thread_local! {
    static UNREAD: Cell<bool> = const { Cell::new(false) };
}

/// Do something that looks at refusals for yes or no only, as listings do: nothing is put into words, nothing allocated.
pub(crate) fn unread<T>(what: impl FnOnce() -> T) -> T {
    let before = UNREAD.replace(true);
    let result = what();
    UNREAD.set(before);
    result
}

/// A refusal being written: rule, message key, then what fills its blanks.
#[derive(Debug)]
pub struct No<'a> {
    rules: &'a Panzer,
    rule: &'static str,
    /// None where nobody reads it.
    message: Option<Message>,
}

impl Panzer {
    /// `self.no("4.4.1", "fire.not_spotted").unit("unit", a).into()`; the key of the sentence is `no.` and this.
    pub fn no(&self, rule: &'static str, key: &'static str) -> No<'_> {
        let message = (!UNREAD.get()).then(|| Message::new(format!("no.{key}")));
        No { rules: self, rule, message }
    }

    /// Not the kind of decision that is asked for now.
    pub fn not_now(&self) -> Refusal {
        Refusal::out_of_turn("-", Message::new("no.not_now"))
    }

    /// Is it this side's vehicle, and on the map?
    pub fn own(&self, side: Side, unit: UnitId) -> Result<(), Refusal> {
        if self.vehicle(unit).side == side {
            return Ok(());
        }
        // 3.1: everybody acts for the vehicles he commands.
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
