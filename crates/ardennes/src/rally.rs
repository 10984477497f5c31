//! Rally Phase (18.5).

use kernel::Stop;

use crate::play::Play;

pub fn rally(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}
