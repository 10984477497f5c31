//! The context in which one decision is carried out: rules, state, dice and log together.

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
pub type Cx<'a> = rulebook::flow::Cx<'a, Ardennes>;

/// Who decided, and at which frame.
pub type At = rulebook::flow::At<Ardennes>;

/// A position being changed.
#[derive(Debug)]
pub struct Play<'a> {
    pub rules: &'a Ardennes,
    pub s: &'a mut State,
    pub dice: &'a mut Dice,
    pub log: &'a mut Log<Event>,
}

/// The seat of a side.
pub const fn seat(side: Side) -> Seat {
    Seat(side as u8)
}

/// The side of a seat.
pub const fn side(seat: Seat) -> Side {
    if seat.0 == 0 { Side::German } else { Side::Allied }
}

impl Play<'_> {
    /// Rolls one d6 for a side. `drm` is recorded with the roll; the caller adds it.
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

    /// Pushes frames so that the first of them runs first.
    pub fn then(&mut self, frames: &[Frame]) {
        self.s.push_frames(frames);
    }

    /// Pops the top frame, which is done.
    pub fn pop(&mut self) {
        self.s.frames.pop();
    }

    /// Puts a marker on a unit, and logs it if it is new.
    pub fn mark(&mut self, unit: UnitId, flag: Flags) {
        if !self.s.unit(unit).flags.all(flag) {
            self.s.unit_mut(unit).flags.set(flag);
            for flag in flag.names() {
                self.tell(Event::Marked { unit, flag });
            }
        }
    }

    /// Removes a marker from a unit, and logs it if it was there.
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

    /// Sends a unit to the Dead Pile, or a pool counter back to its pool (16.4, 26.2).
    pub fn eliminate(&mut self, unit: UnitId, why: Elimination) {
        let counter = self.rules.counter(unit);
        let pool = counter.remnant_counter || counter.breakdown_counter;
        // 26.1: if a Remnant stands in for a unit after a whole breakdown, that unit is eliminated with it.
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
