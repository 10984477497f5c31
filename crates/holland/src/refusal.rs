//! Why something is not allowed: the rule and the message key. Lists try many actions that are refused, so a refusal is
//! small and `Copy`; it becomes a [`kernel::Refusal`] where somebody reads it.

use kernel::{Message, Refusal, RefusalKind, Stop};
use zocbond::Points;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    pub rule: &'static str,
    /// Key in the message files.
    pub key: &'static str,
    pub kind: RefusalKind,
    /// Movement points: what would be needed, and what there is.
    pub points: Option<[Points; 2]>,
}

pub type Legal = Result<(), Bar>;

impl Bar {
    pub const fn new(rule: &'static str, key: &'static str) -> Bar {
        Bar::of_kind(rule, key, RefusalKind::Forbidden)
    }

    pub const fn of_kind(rule: &'static str, key: &'static str, kind: RefusalKind) -> Bar {
        Bar { rule, key, kind, points: None }
    }

    /// A way that costs more points than there are.
    pub const fn too_dear(rule: &'static str, key: &'static str, needed: Points, left: Points) -> Bar {
        Bar { points: Some([needed, left]), ..Bar::new(rule, key) }
    }
}

impl std::fmt::Display for Bar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Refusal::from(*self).fmt(f)
    }
}

impl From<Bar> for Refusal {
    fn from(bar: Bar) -> Refusal {
        let mut why = Message::new(bar.key);
        if let Some([needed, left]) = bar.points {
            why = why.text("needed", needed.written()).text("left", left.written());
        }
        Refusal { kind: bar.kind, ..Refusal::new(bar.rule, why) }
    }
}

impl From<Bar> for Stop {
    fn from(bar: Bar) -> Stop {
        Stop::Illegal(bar.into())
    }
}

pub fn refuse<T>(rule: &'static str, key: &'static str) -> Result<T, Bar> {
    Err(Bar::new(rule, key))
}

/// Something else must be decided now.
pub const NOT_NOW: Bar = Bar::of_kind("-", "refuse.not_now", RefusalKind::OutOfTurn);

pub fn not_now<T>() -> Result<T, Bar> {
    Err(NOT_NOW)
}

/// The other seat decides.
pub fn not_awaited() -> Refusal {
    Bar::of_kind("-", "kernel.not_awaited", RefusalKind::OutOfTurn).into()
}
