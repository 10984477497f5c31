//! What something was worked out for, so that it can be kept until the position changes.

use hexgrid::HexSet;
use zocbond::Stamp;

use crate::state::State;
use crate::world::Holland;

/// A position as far as units, bridges, control and Unknown units go.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    table: Stamp,
    field: Stamp,
    unknown: HexSet,
}

impl Position {
    pub fn of(rules: &Holland, s: &State) -> Position {
        Position { table: rules.stamp, field: s.field.stamp(), unknown: s.unknown }
    }

    pub fn is(&self, rules: &Holland, s: &State) -> bool {
        self.table.same(rules.stamp) && self.field.same(s.field.stamp()) && self.unknown == s.unknown
    }
}
