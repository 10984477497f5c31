//! Special units (27): those whose rules fit nowhere else.

use kernel::Stop;

use crate::{
    event::Event,
    flags::Flags,
    pack::{Side, Tag, UnitId},
    place::Place,
    play::Play,
};

/// 27.7: the 653 PzJ's roll; it becomes `Place::Due`, stays on the track, or is gone.
pub fn arrival_roll(play: &mut Play, unit: UnitId) -> Result<(), Stop> {
    let numbers = play.rules.tables().special;
    if play.s.turn < numbers.pzj653_first_turn || play.s.pzj653_settled {
        return Ok(());
    }
    let die = play.roll(Side::German, 0, "roll.pzj653", "27.7")?;
    let arrives = if die <= numbers.pzj653_arrives_max {
        Some(true)
    } else if die <= numbers.pzj653_delayed_max {
        None
    } else {
        Some(false)
    };
    play.tell(Event::Arrival { unit, arrives });
    play.s.pzj653_settled = arrives.is_some();
    match arrives {
        Some(true) => play.rules.put(play.s, unit, Place::Due),
        Some(false) => play.rules.take_off(play.s, unit, Place::Gone),
        None => {}
    }
    Ok(())
}

/// 27.8.1: the 150th Panzer Brigade is Exposed at the end of a turn in which it used its disguise.
pub fn end_of_turn(play: &mut Play) {
    let rules = play.rules;
    for unit in rules.units_of(Side::German).filter(|u| rules.counter(*u).has(Tag::DrSola)) {
        if play.s.unit(unit).is(Flags::DISGUISE_USED) {
            play.s.unit_mut(unit).flags.clear(Flags::DISGUISE_USED);
            play.mark(unit, Flags::EXPOSED);
        }
    }
}
