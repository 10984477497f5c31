//! Night turns (25.1, 25.3), and KG Peiper in the first of them (27.5).

use kernel::Stop;

use crate::{
    flags::Flags,
    frame::Walk,
    pack::{Side, Tag, UnitId},
    play::Play,
    state::State,
};

/// What a unit did by day does not bind it at night.
const OF_THE_DAY: Flags = Flags(Flags::MOVED.0 | Flags::TACTICAL.0 | Flags::ARRIVED.0 | Flags::MARKER_USED.0);

/// 25.31: the phasing player's marked stacks may move, with their full allowance. Without a marker nobody is asked
/// (25.33).
pub fn open(play: &mut Play) -> Result<(), Stop> {
    play.s.walk = Walk::default();
    play.s.roadblock_passed = [false; 2];
    play.s.recombined = 0;
    for unit in play.rules.units_of(play.s.side) {
        let u = play.s.unit_mut(unit);
        u.spent = 0;
        u.flags.clear(OF_THE_DAY);
    }
    Ok(())
}

/// 27.5: who ends the first night's movement with KG Peiper may attack with it.
pub fn close(play: &mut Play) {
    if play.s.side != Side::German || !play.rules.first_night(play.s) {
        return;
    }
    let rules = play.rules;
    for leader in rules.units_of(Side::German).filter(|u| rules.counter(*u).has(Tag::KgPeiper)) {
        let Some(hex) = play.s.unit(leader).hex() else { continue };
        let mut next = play.s.stack(hex).next();
        while let Some(unit) = next {
            play.s.unit_mut(unit).flags.set(Flags::PEIPER_NIGHT);
            next = play.s.stack(hex).skip_while(|u| *u != unit).nth(1);
        }
    }
}

/// 25.32, 27.5: may the unit attack at night?
pub fn may_attack(s: &State, unit: UnitId) -> bool {
    s.unit(unit).is(Flags::NIGHT | Flags::PEIPER_NIGHT)
}

/// The night is over: its markers come off.
pub fn over(play: &mut Play) {
    for side in Side::ALL {
        for unit in play.rules.units_of(side) {
            play.unmark(unit, Flags::NIGHT | Flags::PEIPER_NIGHT);
        }
        play.s.night_stacks[side.index()] = 0;
    }
}
