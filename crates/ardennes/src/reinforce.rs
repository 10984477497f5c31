//! Reinforcements, Entry Hexes, Off-Map Boxes and Blocking Positions (13).

use kernel::Stop;

use crate::play::Play;

/// Who is due this turn (13.1).
pub fn open(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}

impl crate::rules::Ardennes {
    /// May this unit, off the map, enter at this hex (13.1, 13.5, 13.6)?
    pub fn is_entry_for(
        &self,
        _s: &crate::state::State,
        _unit: crate::pack::UnitId,
        hex: hexgrid::HexId,
    ) -> bool {
        self.land.entry_at(hex).is_some()
    }
}
