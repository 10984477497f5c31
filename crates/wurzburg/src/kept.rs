//! Results computed for a position, kept for the next question about it.

use kernel::Stamp;

use crate::{rules::Wurzburg, state::State};

/// The position that a result was computed for.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    rules: *const Wurzburg,
    stamp: Stamp,
}

impl Position {
    /// `None` while the position is being changed: no result may be kept for it.
    pub fn of(rules: &Wurzburg, s: &State) -> Option<Position> {
        (!s.changing).then_some(Position { rules, stamp: s.stamp })
    }

    /// Whether it is the same unchanged position.
    pub fn same(&self, other: &Position) -> bool {
        std::ptr::eq(self.rules, other.rules) && self.stamp.same(other.stamp)
    }
}
