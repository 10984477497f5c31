//! Reinforcements, Entry Hexes, Off-Map Boxes and Blocking Positions (13).

use kernel::Stop;

use crate::play::Play;

/// Who is due this turn (13.1).
pub fn open(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}
