//! Suppression (5.10) and recovery from it (6.8.3).

use kernel::Stop;

use crate::{
    event::Event,
    movement,
    pack::Side,
    play::Play,
    rules::Panzer,
    state::{Command, Flags, State},
    units::UnitId,
};

/// 5.10: Suppression/On, replacing any earlier counter.
pub fn suppress(play: &mut Play, unit: UnitId) {
    let u = play.s.unit_mut(unit);
    let before = u.suppressed();
    u.clear(Flags::SUPPRESSED_OFF);
    u.set(Flags::SUPPRESSED_ON);
    play.tell(Event::Suppressed { unit });
    crate::morale::shaken(play, unit); // 7.1.2
    // 6.6.2: suppressed while moving.
    if !before && play.s.walk.active && play.s.walk.unit == unit {
        movement::slowed(play.s);
    }
}

impl Panzer {
    /// 6.8.3.1: the modifiers of the recovery roll, for a Command and for having been fired at.
    pub fn recovery_modifiers(&self, s: &State, unit: UnitId) -> [i8; 2] {
        let Some(game) = self.advanced.as_deref() else { return [0; 2] };
        let (tables, u) = (game.tables(), s.unit(unit));
        // 6.8.3.1.1: a passenger has the Command of its vehicle.
        let command = u.aboard.some().map_or(u.command, |vehicle| s.unit(vehicle).command);
        let given = if command == Command::NoCommand { 0 } else { tables.recovery_command };
        let fired_at = if u.is(Flags::UNDER_FIRE) { tables.recovery_fired_at } else { 0 }; // 6.8.3.1.2
        [given, fired_at]
    }
}

/// 6.8.3: each Suppression/Off may be removed. 6.8.4: then Suppression/On is turned to Off.
pub fn recover(play: &mut Play) -> Result<(), Stop> {
    let Some(game) = play.rules.advanced.as_deref() else { return Ok(()) };
    let tables = game.tables();
    for side in Side::ALL {
        for unit in play.rules.units_of(side) {
            let u = *play.s.unit(*unit);
            // 5.15: an abandoned vehicle has no crew.
            if !u.on_map() || !u.is(Flags::SUPPRESSED_OFF) || u.is(Flags::BAILED) {
                continue;
            }
            let modifier = play.rules.recovery_modifiers(play.s, *unit).iter().sum::<i8>();
            play.log.reveal(); // the modifier reveals whether it had a Command
            let roll = play.roll(side, "roll.recovery", "6.8.3")?;
            let total = i16::from(roll) + i16::from(modifier);
            let most = tables.grades[game.pieces[unit.index()].grade.index()].recovery;
            let recovered = total <= i16::from(most);
            // 6.8.3.2: otherwise the counter stays.
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
