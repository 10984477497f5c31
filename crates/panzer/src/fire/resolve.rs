//! The AP procedure shot by shot (4.4.3.2), and what a hit does (4.4.3.2.6).

use kernel::Stop;

use super::{Angle, Result, Shooting};
use crate::{
    event::Event,
    frame::Frame,
    play::Play,
    state::{Command, Flags, Place, Spot},
    units::UnitId,
};

/// The next shot of the fire declared; nothing when all are fired.
pub fn next_shot(play: &mut Play) -> std::result::Result<(), Stop> {
    let fire = &play.s.fire;
    let kind = fire.kind;
    let Some(shot) = fire.shots.get(usize::from(fire.next)).copied() else { return Ok(()) };
    let target = shot.target(fire.target);
    play.s.fire.next += 1;
    play.then(&[Frame::Shot]);
    // 4.4.2: it has fired. 6.6.7.2: passengers are part of their vehicle.
    play.s.triggers.insert(play.s.unit(shot.unit).aboard.some().unwrap_or(shot.unit));
    let moving = play.rules.known_to_move(play.s, target);
    if play.rules.advanced.is_some() {
        return super::strike::fire(play, shot, target, kind);
    }
    let shooting = Shooting::new(shot, target, kind, moving);
    // 4.4.1: a target that is gone is still fired at; 4.4.3.2.3: a revealed Command may make the shot impossible.
    let aim = if play.s.unit(target).on_map() { play.rules.aim(play.s, &shooting) } else { None };
    let Some(aim) = aim.filter(|aim| aim.number > 0) else {
        play.place_spot(shot.unit, Spot::Fire);
        play.tell(Event::Wasted { unit: shot.unit, target });
        return Ok(());
    };
    let side = play.rules.vehicle(shot.unit).side;
    let roll = play.roll(side, "roll.ap_hit", "4.4.3.2.3")?;
    let hit = roll <= aim.number;
    play.tell(Event::Fired {
        unit: shot.unit,
        target,
        factor: aim.factor as u8,
        net: aim.net,
        number: aim.number,
        roll,
        hit,
    });
    play.place_spot(shot.unit, Spot::Fire); // 4.4.1
    if hit {
        let armor = play.rules.vehicle(target).armor;
        let frame = match aim.angle {
            Angle::Front => Frame::Penetration { rear: false },
            Angle::Rear => Frame::Penetration { rear: true },
            Angle::Line if armor[0] == armor[1] => Frame::Penetration { rear: false },
            Angle::Line => Frame::HitAngle, // 4.4.3.2.4
        };
        play.then(&[frame]);
    }
    Ok(())
}

/// 4.4.3.2.5, 4.4.3.2.6
pub fn penetrate(play: &mut Play, rear: bool) {
    let fire = &play.s.fire;
    let target = fire.target;
    let Some(shot) = fire.shots.get(usize::from(fire.next).wrapping_sub(1)).copied() else { return };
    let moving = play.rules.known_to_move(play.s, target);
    let shooting = Shooting::new(shot, target, fire.kind, moving);
    let Some(aim) = play.rules.aim(play.s, &shooting) else { return };
    let armor = play.rules.vehicle(target).armor[usize::from(rear)];
    let mut result = play.rules.damage(aim.penetration, armor);
    if result == Result::Damaged && play.s.unit(target).is(Flags::DAMAGED) {
        result = Result::KnockedOut; // 4.4.3.2.6: a second time
    }
    play.tell(Event::Hit { unit: shot.unit, target, rear, penetration: aim.penetration, armor, result });
    match result {
        Result::NoEffect | Result::NoDamage => {}
        Result::Damaged => damaged(play, target),
        Result::KnockedOut => eliminated(play, target, Place::KnockedOut),
        Result::BrewedUp => eliminated(play, target, Place::BrewedUp),
    }
}

fn damaged(play: &mut Play, unit: UnitId) {
    play.s.unit_mut(unit).set(Flags::DAMAGED);
    if play.s.walk.active && play.s.walk.unit == unit {
        crate::movement::slowed(play.s);
    }
}

/// 4.1.4.1.8: the vehicle is removed, its wreck stays. One counter per hex; BU replaces KO.
pub fn eliminated(play: &mut Play, unit: UnitId, place: Place) {
    let hex = play.s.unit(unit).hex;
    play.s.wrecks.insert(hex);
    if place == Place::BrewedUp && play.s.smoke.insert(hex) {
        play.s.new_smoke.insert(hex); // 4.1.4.1.9, 4.4.3.2.2
    }
    play.take_off(unit, place);
    // Its counters are removed unseen.
    play.s.unit_mut(unit).command = Command::NoCommand;
}
