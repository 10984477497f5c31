//! Facts relevant to a question before it is answered (`kernel::Brief`). Dice are tried only if they depend on nothing
//! that the enemy hides.

use kernel::{Brief, Seat, brief::by_dice};

use crate::{
    frame::Frame,
    play::side,
    rules::Wurzburg,
    state::{Place, State},
};

/// The weight of a step in the tone of a chance.
const STEP: f32 = 0.3;

pub fn brief(rules: &Wurzburg, s: &State, seat: Seat) -> Brief {
    let open = matches!(
        s.top(),
        Frame::CounterBattery
            | Frame::Jamming
            | Frame::AirChoice
            | Frame::Stand
            | Frame::Demolition
            | Frame::Withdraw(_)
    );
    if !open || rules.cx(s, seat).is_none() {
        return Brief::default();
    }
    // Only the side's own steps: those of the enemy may be hidden.
    let own = |s: &State| -> f32 {
        let units = rules.units_of(side(seat)).iter().map(|unit| s.unit(*unit));
        units.filter(|unit| unit.place == Place::Map).map(|unit| f32::from(unit.steps) * STEP).sum()
    };
    Brief { answers: by_dice(rules, s, seat, own), ..Brief::default() }
}
