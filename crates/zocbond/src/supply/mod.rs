//! Supply: roads to a source, and the lines that lead overland to such a road.

pub mod overland;
pub mod roads;

pub use roads::{Roads, SupplyRoads};
