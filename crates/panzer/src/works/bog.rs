//! Bogging Down (7.29): house rules. Vehicles may get stuck in soft sand, gullies and rubble.

use kernel::Stop;

use crate::{event::Event, field::Terrain, pack::Traction, play::Play, state::Flags, units::UnitId};

/// 7.29: a vehicle has entered a hex, or searches in it. True if it is stuck.
pub fn bog(play: &mut Play, unit: UnitId) -> Result<bool, Stop> {
    let Some(game) = play.rules.advanced.as_deref().filter(|_| play.rules.optional(29)) else {
        return Ok(false);
    };
    let u = play.s.unit(unit);
    let Some(hex) = u.hex.some().filter(|_| play.rules.is_vehicle(unit)) else { return Ok(false) };
    let soft = matches!(play.rules.field.terrain(hex), Terrain::SoftSand | Terrain::Gully)
        && !play.rules.field.ground(hex).bridge
        && !play.s.walk.along
        || play.rules.rubble(play.s, hex);
    if !soft {
        return Ok(false);
    }
    let table = &game.tables().optional.bogging;
    let most = match play.rules.vehicle(unit).movement.traction {
        Traction::Tracked => table.tracked,
        Traction::HalfTracked => table.half_tracked,
        _ => table.wheeled,
    };
    let roll = play.roll(play.rules.vehicle(unit).side, "roll.bogging", "7.29")?;
    let stuck = roll <= most;
    if stuck {
        play.s.unit_mut(unit).set(Flags::BOGGED);
        play.s.walk.halted = true;
        play.tell(Event::Bogged { unit, free: false });
    }
    Ok(stuck)
}

/// 7.29: a bogged vehicle with Move tries to get free before it moves. False if it stays.
pub fn free(play: &mut Play, unit: UnitId) -> Result<bool, Stop> {
    let Some(game) = play.rules.advanced.as_deref() else { return Ok(true) };
    let roll = play.roll(play.rules.vehicle(unit).side, "roll.bogging", "7.29")?;
    let free = roll <= game.tables().optional.bogging.free_max;
    if free {
        play.s.unit_mut(unit).clear(Flags::BOGGED);
        play.tell(Event::Bogged { unit, free: true });
    }
    Ok(free)
}
