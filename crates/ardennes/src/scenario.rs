//! What scenarios add to play (31), and the hidden fuel dumps (32.1).

use kernel::Stop;

use crate::play::Play;

/// 32.1
pub fn hide_fuel_dumps(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}

/// 32.1: a German unit has come to this hex: dumps next to it are revealed.
pub fn german_near_dump(_play: &mut Play, _hex: hexgrid::HexId) -> Result<(), Stop> {
    Ok(())
}

/// 32.2: does the garrison of the real dump hold this hex against the Germans?
pub fn dump_guards(_rules: &crate::rules::Ardennes, _s: &crate::state::State, _hex: hexgrid::HexId) -> bool {
    false
}
