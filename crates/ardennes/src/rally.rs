//! Rally Phase (18.5).

use kernel::Stop;

use crate::{
    event::Event,
    flags::Flags,
    pack::{Morale, UnitId},
    place::Place,
    play::Play,
};

pub fn rally(play: &mut Play) -> Result<(), Stop> {
    let rules = play.rules;
    for unit in &rules.units_where(play.s, play.s.side, |u| u.is(Flags::DISRUPTED)) {
        rally_unit(play, unit)?;
    }
    Ok(())
}

fn rally_unit(play: &mut Play, unit: UnitId) -> Result<(), Stop> {
    let table = &play.rules.tables().rally;
    let counter = play.rules.counter(unit);
    let near = match play.s.unit(unit).place() {
        Place::Hex(hex) => play.s.near_enemy(counter.side, hex),
        Place::Box(_) | Place::Blocking(_) => false, // 17.6
        _ => return Ok(()),
    };
    // 11.10: not while it is on the wrong side of an army boundary.
    let bound = play.s.turn < play.rules.tables().movement.boundary_free_turn;
    if bound && play.s.unit(unit).is(Flags::ACROSS_BOUNDARY) {
        return Ok(());
    }
    let success = !near || {
        let drm = match counter.morale {
            Morale::Green => table.drm.green,
            Morale::Veteran => 0,
            Morale::Elite => table.drm.elite,
        };
        play.roll(counter.side, drm, "roll.rally", "18.5")? + drm <= table.success_max // 1E 18.4: to 3
    };
    play.tell(Event::Rally { unit, success });
    if success {
        // 18.4: Broken takes two steps.
        let level = if play.s.unit(unit).is(Flags::BROKEN) { Flags::BROKEN } else { Flags::DISRUPTED };
        play.unmark(unit, level);
    }
    Ok(())
}
