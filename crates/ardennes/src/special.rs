//! Special units (27).

use kernel::Stop;

use crate::{pack::UnitId, play::Play};

/// 27.7: the 653 PzJ's roll; it becomes `Place::Due`, stays on the track, or is gone.
pub fn arrival_roll(_play: &mut Play, _unit: UnitId) -> Result<(), Stop> {
    Ok(())
}
