//! The table while one decision is carried out: rules, state, dice and log together.

use kernel::{Dice, DiceError, Log, Seat};

use crate::{
    event::{Elimination, Event},
    flags::Flags,
    frame::Frame,
    pack::{Side, UnitId},
    place::Place,
    rules::Ardennes,
    state::State,
};

/// A question about a position: what one side may do at a frame.
#[derive(Clone, Copy, Debug)]
pub struct Cx<'a> {
    pub rules: &'a Ardennes,
    pub s: &'a State,
    /// Who decides.
    pub side: Side,
    pub frame: Frame,
}

/// A position being changed.
#[derive(Debug)]
pub struct Play<'a> {
    pub rules: &'a Ardennes,
    pub s: &'a mut State,
    pub dice: &'a mut Dice,
    pub log: &'a mut Log<Event>,
}

/// The chair of a side.
pub const fn seat(side: Side) -> Seat {
    Seat(side as u8)
}

/// The side of a chair.
pub const fn side(seat: Seat) -> Side {
    if seat.0 == 0 { Side::German } else { Side::Allied }
}

impl Play<'_> {
    /// One d6 of a side. `drm` is noted with the roll; the caller adds it.
    pub fn roll(
        &mut self,
        side: Side,
        drm: i8,
        purpose: &'static str,
        rule: &'static str,
    ) -> Result<i8, DiceError> {
        Ok(self.log.roll(self.dice, seat(side), 6, drm, purpose, rule)? as i8)
    }

    pub fn tell(&mut self, event: Event) {
        self.log.push(event);
    }

    /// Put frames on the stack so that the first of them comes first.
    pub fn then(&mut self, frames: &[Frame]) {
        self.s.push_frames(frames);
    }

    /// The top frame has done its work.
    pub fn pop(&mut self) {
        self.s.frames.pop();
    }

    /// Put a marker on a unit, and say so if it is new.
    pub fn mark(&mut self, unit: UnitId, flag: Flags) {
        if !self.s.unit(unit).flags.all(flag) {
            self.s.unit_mut(unit).flags.set(flag);
            for flag in flag.names() {
                self.tell(Event::Marked { unit, flag });
            }
        }
    }

    /// Take a marker off a unit, and say so if it was there.
    #[inline]
    pub fn unmark(&mut self, unit: UnitId, flag: Flags) {
        let here = Flags(self.s.unit(unit).flags.0 & flag.0);
        if here != Flags::NONE {
            self.take_off_markers(unit, here);
        }
    }

    #[inline(never)]
    fn take_off_markers(&mut self, unit: UnitId, flags: Flags) {
        self.s.unit_mut(unit).flags.clear(flags);
        for flag in flags.names() {
            self.tell(Event::Unmarked { unit, flag });
        }
    }

    /// To the Dead Pile, a pool counter back to its pool (16.4, 26.2).
    pub fn eliminate(&mut self, unit: UnitId, why: Elimination) {
        let counter = self.rules.counter(unit);
        let pool = counter.remnant_counter || counter.breakdown_counter;
        // 26.1: the unit for which a Remnant stands in after a whole breakdown dies with it.
        let stood_in = self
            .s
            .unit(unit)
            .parent()
            .filter(|p| counter.remnant_counter && self.s.unit(*p).place() == Place::Pool);
        if let Some(parent) = stood_in {
            self.rules.take_off(self.s, parent, Place::Dead);
        }
        self.tell(Event::Eliminated { unit, why });
        self.rules.take_off(self.s, unit, if pool { Place::Pool } else { Place::Dead });
        self.s.unit_mut(unit).set_parent(None);
    }

    pub fn cx(&self, side: Side) -> Cx<'_> {
        Cx { rules: self.rules, s: self.s, side, frame: self.s.top() }
    }
}
