//! What has changed in a field since a summary of it was last updated. It is not part of the game: all values compare
//! equal, and it is not serialized.

use hexgrid::HexId;

use crate::{List, Stamp, UnitId};

/// How many units are recorded individually: enough for a stack that moves, the stack it left, and some more.
const UNITS: usize = 24;
/// How many stacks are recorded individually: more change in a Combat Phase than in a move.
const STACKS: usize = 96;

/// Units and stacks that have changed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changes {
    /// The stamp of the position from which they are counted, if it is known.
    since: Option<Stamp>,
    units: List<UnitId, UNITS>,
    /// The last unit recorded.
    last: Option<UnitId>,
    stacks: List<HexId, STACKS>,
    all_units: bool,
    all_stacks: bool,
    came_or_went: bool,
}

impl PartialEq for Changes {
    fn eq(&self, _: &Changes) -> bool {
        true
    }
}

impl Changes {
    /// The units of both sides that may have changed; `None` if any may have.
    pub fn units(&self) -> Option<&List<UnitId, UNITS>> {
        (!self.all_units).then_some(&self.units)
    }

    /// The hexes whose stacks may have changed in weight or content; `None` if any may have.
    pub fn stacks(&self) -> Option<&List<HexId, STACKS>> {
        (!self.all_stacks).then_some(&self.stacks)
    }

    /// Whether no unit has changed.
    #[inline]
    pub fn none(&self) -> bool {
        self.units.is_empty() && !self.all_units
    }

    /// Whether a counter has entered or left the map.
    pub fn came_or_went(&self) -> bool {
        self.came_or_went
    }

    /// Record that a unit in this hex is about to change.
    #[inline]
    pub(crate) fn touch(&mut self, unit: UnitId, hex: Option<HexId>) {
        if self.last != Some(unit) {
            self.note(unit, hex);
        }
    }

    fn note(&mut self, unit: UnitId, hex: Option<HexId>) {
        self.last = Some(unit);
        self.all_units |= !self.units.push(unit);
        if let Some(hex) = hex {
            self.restack(hex);
        }
    }

    /// Record that the stack of a hex changes.
    pub(crate) fn restack(&mut self, hex: HexId) {
        if self.stacks.last() != Some(&hex) {
            self.all_stacks |= !self.stacks.push(hex);
        }
    }

    pub(crate) fn come_or_go(&mut self) {
        self.came_or_went = true;
    }

    /// Record that every unit is about to change, while the weights of stacks stay the same.
    pub(crate) fn touch_all_units(&mut self) {
        self.all_units = true;
    }

    pub(crate) fn since(&self, position: Stamp) -> bool {
        self.since.is_some_and(|since| since.same(position))
    }

    pub(crate) fn clear(&mut self, now: Stamp) {
        self.since = Some(now);
        self.units.clear();
        self.stacks.clear();
        self.last = None;
        (self.all_units, self.all_stacks, self.came_or_went) = (false, false, false);
    }
}
