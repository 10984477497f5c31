//! Why not: refusals that cite the rule and name what is in the way.

use std::cell::Cell;

use hexgrid::{HexId, SideId};
use kernel::{Message, Refusal};

use crate::{
    rules::Wurzburg,
    units::{FormationId, Side, UnitId},
};

/// A refusal being written: rule, message key, then what fills its blanks.
#[derive(Debug)]
pub struct No<'a> {
    rules: &'a Wurzburg,
    rule: &'static str,
    /// None while nobody reads it.
    message: Option<Message>,
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Puts the flag back, also when the look ends in a panic.
struct Loud(bool);

impl Drop for Loud {
    fn drop(&mut self) {
        QUIET.set(self.0);
    }
}

/// Looks at what may be done without saying why not: lists try thousands of actions, and writing refusals that nobody reads
/// was most of their cost. Whether something is refused does not change.
pub fn quietly<T>(look: impl FnOnce() -> T) -> T {
    let _loud = Loud(QUIET.replace(true));
    look()
}

impl Wurzburg {
    /// `self.no("16.8", "move.adjacent").unit("unit", a).into()`; the key of the sentence is `no.` and this.
    pub fn no(&self, rule: &'static str, key: &'static str) -> No<'_> {
        let message = (!QUIET.get()).then(|| Message::new(format!("no.{key}")));
        No { rules: self, rule, message }
    }

    /// Not the kind of decision that is asked for now.
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

    /// A hexside, by its two hexes.
    #[must_use]
    pub fn side(mut self, name: &'static str, side: SideId) -> Self {
        self.message = self.message.map(|message| message.text(name, self.rules.field.side_label(side)));
        self
    }

    #[must_use]
    pub fn formation(mut self, name: &'static str, formation: FormationId) -> Self {
        let id = &self.rules.formation(formation).id;
        self.message = self.message.map(|message| message.text(name, id.clone()));
        self
    }

    #[must_use]
    pub fn number(mut self, name: &'static str, number: impl Into<i64>) -> Self {
        self.message = self.message.map(|message| message.number(name, number));
        self
    }

    #[must_use]
    pub fn text(mut self, name: &'static str, text: impl Into<String>) -> Self {
        self.message = self.message.map(|message| message.text(name, text));
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
        Refusal::new(no.rule, no.message.unwrap_or_else(|| Message::new("no.not_now")))
    }
}

impl<T> From<No<'_>> for Result<T, Refusal> {
    fn from(no: No<'_>) -> Self {
        Err(no.into())
    }
}
