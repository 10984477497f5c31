//! What scenarios add to play (31), and the hidden fuel dumps (32.1).

use kernel::Stop;

use crate::play::Play;

/// 32.1
pub fn hide_fuel_dumps(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}
