//! Refusals that cite the rule and name what is in the way.

use std::cell::Cell;

use hexgrid::{HexId, SideId};
use kernel::{Message, Refusal};

use crate::{
    rules::Wurzburg,
    units::{FormationId, Side, UnitId},
};

/// A refusal under construction: rule, message key, then the values for its blanks.
#[derive(Debug)]
pub struct No<'a> {
    rules: &'a Wurzburg,
    rule: &'static str,
    /// `None` while nobody reads it.
    message: Option<Message>,
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Restores the flag, even after a panic.
struct Loud(bool);

impl Drop for Loud {
    fn drop(&mut self) {
        QUIET.set(self.0);
    }
}

/// Test what may be done without building the reasons: lists try thousands of actions, and building refusals that
/// nobody reads was most of their cost. Whether something is refused does not change.
pub fn quietly<T>(look: impl FnOnce() -> T) -> T {
    let _loud = Loud(QUIET.replace(true));
    look()
}

impl Wurzburg {
    /// `self.no("16.8", "move.adjacent").unit("unit", a).into()`; the message key is this key with the prefix `no.`.
    #[inline]
    pub fn no(&self, rule: &'static str, key: &'static str) -> No<'_> {
        let message = (!QUIET.get()).then(|| Message::new(format!("no.{key}")));
        No { rules: self, rule, message }
    }

    /// Not a decision that is asked for now.
    pub fn not_now(&self) -> Refusal {
        Refusal::out_of_turn("-", Message::new("no.not_now"))
    }

    /// Is it this side's counter?
    pub fn own(&self, side: Side, unit: UnitId) -> Result<(), Refusal> {
        if self.counter(unit).side == side {
            return Ok(());
        }
        self.no("13.0", "not_yours").unit("unit", unit).into()
    }
}

impl<'a> No<'a> {
    /// Fill a blank, unless nobody reads it.
    #[inline]
    fn fill(self, fill: impl FnOnce(Message, &'a Wurzburg) -> Message) -> Self {
        if self.message.is_none() {
            return self;
        }
        let rules = self.rules;
        No { message: self.message.map(|message| fill(message, rules)), ..self }
    }

    #[inline]
    #[must_use]
    pub fn unit(self, name: &'static str, unit: UnitId) -> Self {
        self.fill(|message, rules| message.unit(name, rules.id(unit)))
    }

    #[inline]
    #[must_use]
    pub fn hex(self, name: &'static str, hex: HexId) -> Self {
        self.fill(|message, rules| message.place(name, rules.field.label(hex)))
    }

    /// A hexside, by its two hexes.
    #[inline]
    #[must_use]
    pub fn side(self, name: &'static str, side: SideId) -> Self {
        self.fill(|message, rules| message.text(name, rules.field.side_label(side)))
    }

    #[inline]
    #[must_use]
    pub fn formation(self, name: &'static str, formation: FormationId) -> Self {
        self.fill(|message, rules| message.text(name, rules.formation(formation).id.clone()))
    }

    #[inline]
    #[must_use]
    pub fn number(self, name: &'static str, number: impl Into<i64>) -> Self {
        self.fill(|message, _| message.number(name, number))
    }

    #[inline]
    #[must_use]
    pub fn text(self, name: &'static str, text: impl Into<String>) -> Self {
        self.fill(|message, _| message.text(name, text))
    }

    /// Another key of the message files.
    #[inline]
    #[must_use]
    pub fn term(self, name: &'static str, key: impl Into<std::borrow::Cow<'static, str>>) -> Self {
        self.fill(|message, _| message.term(name, key))
    }
}

impl From<No<'_>> for Refusal {
    fn from(no: No<'_>) -> Refusal {
        Refusal::new(no.rule, no.message.unwrap_or_else(|| Message::new("no.not_now")))
    }
}

impl<T> From<No<'_>> for Result<T, Refusal> {
    fn from(no: No<'_>) -> Self {
        Err(no.into())
    }
}
