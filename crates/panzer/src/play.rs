//! The table while one decision is carried out: rules, state, dice and log together.

use kernel::{Dice, DiceError, Log, Seat};

use crate::{
    event::Event,
    frame::Frame,
    pack::Side,
    rules::Panzer,
    state::{Flags, Place, Spot, State},
    units::UnitId,
};

/// A question about a position: what one side may do at a frame.
pub type Cx<'a> = rulebook::flow::Cx<'a, Panzer>;

/// Who decided, and at which frame.
pub type At = rulebook::flow::At<Panzer>;

/// A position being changed.
#[derive(Debug)]
pub struct Play<'a> {
    pub rules: &'a Panzer,
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
    if seat.0 == 0 { Side::Axis } else { Side::Allied }
}

impl Play<'_> {
    /// 1.10, 3.2: Roll(100), tens and units as one number from 1 to 100. Each side rolls for its own vehicles (3.1).
    pub fn roll(&mut self, side: Side, purpose: &'static str, rule: &'static str) -> Result<u8, DiceError> {
        self.log.roll(self.dice, seat(side), 100, 0, purpose, rule)
    }

    /// 3.2: Roll(10), from 1 to 10.
    pub fn roll_ten(
        &mut self,
        side: Side,
        purpose: &'static str,
        rule: &'static str,
    ) -> Result<u8, DiceError> {
        self.log.roll(self.dice, seat(side), 10, 0, purpose, rule)
    }

    /// 1.11: a six-sided die, for optional rules that use one.
    pub fn roll_six(
        &mut self,
        side: Side,
        purpose: &'static str,
        rule: &'static str,
    ) -> Result<u8, DiceError> {
        self.log.roll(self.dice, seat(side), 6, 0, purpose, rule)
    }

    pub fn tell(&mut self, event: Event) {
        self.log.push(event);
    }

    /// Push frames so that the first of them comes first.
    pub fn then(&mut self, frames: &[Frame]) {
        self.s.frames.extend(frames.iter().rev().copied());
    }

    /// The top frame has done its work.
    pub fn pop(&mut self) {
        self.s.frames.pop();
    }

    /// 4.1.3: at most one Spot counter; the newer replaces the older.
    pub fn place_spot(&mut self, unit: UnitId, spot: Spot) {
        let u = self.s.unit_mut(unit);
        u.set(Flags::NEW_SPOT);
        if u.spot != spot {
            u.spot = spot;
            self.tell(Event::SpotCounter { unit, spot });
        }
    }

    /// Show a Command, if it is still hidden.
    pub fn reveal(&mut self, unit: UnitId) {
        let u = self.s.unit_mut(unit);
        if !u.is(Flags::REVEALED) {
            u.set(Flags::REVEALED);
            let command = u.command;
            self.tell(Event::Revealed { unit, command });
            self.log.disclose(unit.index() as u32);
        }
    }

    /// Remove a unit from play; only its wreck stays on the map (4.4.3.2.6).
    pub fn take_off(&mut self, unit: UnitId, place: Place) {
        let u = self.s.unit_mut(unit);
        u.place = place;
        u.hex = hexgrid::HexId::NONE;
        u.spot = Spot::None;
        u.clear(Flags::NEW_SPOT);
    }

    pub fn cx(&self, side: Side) -> Cx<'_> {
        Cx { rules: self.rules, s: self.s, side, frame: self.s.top() }
    }
}
