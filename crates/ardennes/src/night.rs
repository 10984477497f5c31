//! Night turns (25.1, 25.3). [`crate::movement`] asks for moves, [`crate::combat`] for attacks.

use kernel::Stop;

use crate::{flags::Flags, frame::Walk, pack::Side, play::Play, rules::Ardennes, state::State};

/// Flags of the day's actions, which do not restrict a unit at night.
const OF_THE_DAY: Flags = Flags(Flags::MOVED.0 | Flags::TACTICAL.0 | Flags::ARRIVED.0);

/// Flags that keep a unit with a Night marker from acting at night (25.34).
const UNFIT: Flags = Flags(Flags::ENGAGED.0 | Flags::OOS.0 | Flags::DISRUPTED.0);
/// 1E 25.3: being Engaged does not matter.
const UNFIT_1E: Flags = Flags(Flags::OOS.0 | Flags::DISRUPTED.0);

/// 25.34: night falls; units with a Night marker that could not be given one now will neither move nor attack.
pub fn falls(rules: &Ardennes, s: &mut State) {
    let unfit = if rules.night_fitness() { UNFIT_1E } else { UNFIT };
    for side in Side::ALL {
        for unit in &rules.units_where(s, side, |u| u.is(Flags::NIGHT) && u.is(unfit)) {
            s.unit_mut(unit).flags.set(Flags::UNFIT_FOR_NIGHT);
        }
    }
}

/// 25.31: the phasing player's stacks with Night markers may move, with their full allowance. Without a marker nobody
/// is asked (25.33).
pub fn open(play: &mut Play) -> Result<(), Stop> {
    play.s.walk = Walk::default();
    play.s.roadblock_passed = [false; 2];
    play.s.recombined = 0;
    crate::bridges::allow_attempts(play.rules, play.s); // 25.36
    play.rules.begin_afresh(play.s, play.s.side, OF_THE_DAY);
    Ok(())
}

/// The night is over: its markers are removed.
pub fn over(play: &mut Play) {
    for side in Side::ALL {
        for unit in &play.rules.units_where(play.s, side, |u| u.is(Flags::NIGHT)) {
            play.unmark(unit, Flags::NIGHT);
            play.s.unit_mut(unit).flags.clear(Flags::UNFIT_FOR_NIGHT);
        }
        play.s.night_stacks[side.index()] = 0;
    }
}
