//! What has changed in a field since somebody last brought a summary of it up to date. It says nothing about the game: all
//! compare equal, and it is not written down.

use hexgrid::HexId;

use crate::{List, UnitId};

/// So many units are noted one by one: a stack that moves, the one that it left, and more.
const UNITS: usize = 24;
/// So many stacks are noted one by one: after a Combat Phase more have changed than after a move.
const STACKS: usize = 96;

/// Units and stacks that have changed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changes {
    units: List<UnitId, UNITS>,
    /// The last unit noted.
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
    /// The units that may have changed, of both sides; none if any may have.
    pub fn units(&self) -> Option<&List<UnitId, UNITS>> {
        (!self.all_units).then_some(&self.units)
    }

    /// The hexes whose stacks may weigh or hold something else; none if any may.
    pub fn stacks(&self) -> Option<&List<HexId, STACKS>> {
        (!self.all_stacks).then_some(&self.stacks)
    }

    /// Has no unit changed?
    #[inline]
    pub fn none(&self) -> bool {
        self.units.is_empty() && !self.all_units
    }

    /// Did a counter come onto the map or leave it?
    pub fn came_or_went(&self) -> bool {
        self.came_or_went
    }

    /// A unit that stands there is about to change.
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

    /// The stack of a hex changes.
    pub(crate) fn restack(&mut self, hex: HexId) {
        if self.stacks.last() != Some(&hex) {
            self.all_stacks |= !self.stacks.push(hex);
        }
    }

    pub(crate) fn come_or_go(&mut self) {
        self.came_or_went = true;
    }

    /// Every unit is about to change, but not what stacks weigh.
    pub(crate) fn touch_all_units(&mut self) {
        self.all_units = true;
    }

    pub(crate) fn clear(&mut self) {
        self.units.clear();
        self.stacks.clear();
        self.last = None;
        (self.all_units, self.all_stacks, self.came_or_went) = (false, false, false);
    }
}
