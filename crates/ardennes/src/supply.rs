//! Supply, isolation and surrender (23).

use kernel::Stop;

use crate::play::Play;

/// 23.1
pub fn check_supply(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}

/// 23.6, 23.7
pub fn check_surrender(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}
