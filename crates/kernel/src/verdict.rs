//! Is an action legal? And if not: which rule forbids it, and why.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::Message;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Legal,
    Illegal(Refusal),
}

/// Why an action is not legal, in the same words whether asked beforehand (`verdict`) or tried (`apply`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Refusal {
    /// The rule's number in the game's rulebook, such as `10.2`; `-` for what no rule needs to say
    /// (not your turn, no such unit).
    pub rule: Cow<'static, str>,
    pub why: Message,
    /// For programs; `why` is for people.
    #[serde(default)]
    pub kind: RefusalKind,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// A rule forbids the action, or its text cannot be read.
    #[default]
    Forbidden,
    /// Something else, or somebody else, is to be decided now.
    OutOfTurn,
    /// Not legal in this way, but legal in another mode of movement, which the action would have to name.
    OtherMode,
    /// The path is longer than the mode of movement allows.
    TooFar,
}

impl Refusal {
    pub fn new(rule: impl Into<Cow<'static, str>>, why: Message) -> Self {
        Refusal { rule: rule.into(), why, kind: RefusalKind::Forbidden }
    }
    /// A refusal that no rule needs to state: malformed, unknown.
    pub fn plain(why: Message) -> Self {
        Refusal::new("-", why)
    }
    /// Something else, or somebody else, is to be decided now.
    pub fn out_of_turn(rule: impl Into<Cow<'static, str>>, why: Message) -> Self {
        Refusal { kind: RefusalKind::OutOfTurn, ..Refusal::new(rule, why) }
    }
    /// Not legal in this way, but perhaps in another that the action would have to name.
    #[must_use]
    pub fn other_mode(self) -> Self {
        Refusal { kind: RefusalKind::OtherMode, ..self }
    }
    /// The path is longer than the mode of movement allows.
    #[must_use]
    pub fn too_far(self) -> Self {
        Refusal { kind: RefusalKind::TooFar, ..self }
    }
    pub fn is_out_of_turn(&self) -> bool {
        self.kind == RefusalKind::OutOfTurn
    }
    /// Does this refusal cite `rule` or a rule below it? Below `16.7` are `16.71` and `16.7.1`: rulebooks number
    /// both ways.
    pub fn cites(&self, rule: &str) -> bool {
        at_or_below(&self.rule, rule)
    }
}

/// Is `rule` the rule `wanted` or one below it?
pub fn at_or_below(rule: &str, wanted: &str) -> bool {
    rule.strip_prefix(wanted).is_some_and(|rest| {
        rest.is_empty()
            || rest.starts_with('.')
            || (wanted.contains('.') && rest.starts_with(|c: char| c.is_ascii_digit()))
    })
}

impl Verdict {
    pub fn is_legal(&self) -> bool {
        matches!(self, Verdict::Legal)
    }
}

impl From<Result<(), Refusal>> for Verdict {
    fn from(result: Result<(), Refusal>) -> Self {
        match result {
            Ok(()) => Verdict::Legal,
            Err(refusal) => Verdict::Illegal(refusal),
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.why.key, self.rule)
    }
}

impl std::error::Error for Refusal {}
