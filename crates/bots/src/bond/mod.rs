//! What the minds of the ZOC-bond games share: how soon a side could reach which hex, whose paths it blocks, which
//! attacks are prepared first. Each game supplies what differs: terrain costs, combat results, victory conditions.

pub mod around;
pub mod arrival;
pub mod attacks;
pub mod chance;
pub mod choose;
pub mod draft;
pub mod line;
