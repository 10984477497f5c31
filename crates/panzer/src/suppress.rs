//! Suppression (5.10) and recovery from it (6.8.3).

use kernel::Stop;

use crate::{
    event::Event,
    movement,
    pack::Side,
    play::Play,
    state::{Command, Flags},
    units::UnitId,
};

/// 5.10: Suppression/On, whatever lay there before.
pub fn suppress(play: &mut Play, unit: UnitId) {
    let u = play.s.unit_mut(unit);
    let before = u.suppressed();
    u.clear(Flags::SUPPRESSED_OFF);
    u.set(Flags::SUPPRESSED_ON);
    play.tell(Event::Suppressed { unit });
    crate::morale::shaken(play, unit); // 7.1.2
    // 6.6.2: suppressed on its way.
    if !before && play.s.walk.active && play.s.walk.unit == unit {
        movement::slowed(play.s);
    }
}

/// 6.8.3: each Suppression/Off may come off. 6.8.4: then Suppression/On is turned to Off.
pub fn recover(play: &mut Play) -> Result<(), Stop> {
    let Some(game) = play.rules.advanced.as_deref() else { return Ok(()) };
    let tables = game.tables();
    for side in Side::ALL {
        for unit in play.rules.units_of(side) {
            let u = *play.s.unit(*unit);
            if !u.on_map() || !u.is(Flags::SUPPRESSED_OFF) {
                continue;
            }
            let mut modifier = 0;
            // 6.8.3.1.1: a passenger has the Command of its vehicle.
            let command = u.aboard.some().map_or(u.command, |vehicle| play.s.unit(vehicle).command);
            if command != Command::NoCommand {
                modifier += tables.recovery_command;
            }
            if u.is(Flags::UNDER_FIRE) {
                modifier += tables.recovery_fired_at; // 6.8.3.1.2
            }
            play.log.reveal(); // the modifier tells whether it had a Command
            let roll = play.roll(side, "roll.recovery", "6.8.3")?;
            let total = i16::from(roll) + i16::from(modifier);
            let most = tables.grades[game.pieces[unit.index()].grade.index()].recovery;
            let recovered = total <= i16::from(most);
            // 6.8.3.2: else the counter stays as it is.
            if recovered {
                play.s.unit_mut(*unit).clear(Flags::SUPPRESSED);
            }
            play.tell(Event::Recovery { unit: *unit, roll, modifier, most, recovered });
        }
    }
    for unit in play.s.ids() {
        let u = play.s.unit_mut(unit);
        if u.is(Flags::SUPPRESSED_ON) {
            u.clear(Flags::SUPPRESSED_ON);
            u.set(Flags::SUPPRESSED_OFF);
        }
    }
    Ok(())
}
