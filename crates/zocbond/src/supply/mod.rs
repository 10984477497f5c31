//! Supply: roads to a source, and overland lines to such a road.

pub mod overland;
pub mod roads;

pub use roads::{Roads, SupplyRoads};
