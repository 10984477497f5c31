//! Night turns (25.1, 25.3).

use kernel::Stop;

use crate::play::Play;

/// 25.33: is there anybody to move tonight?
pub fn open(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}
