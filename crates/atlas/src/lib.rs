//! Maps: terrain, hexsides, roads, places; reads, validates and draws map packs.

pub mod check;
mod format;
mod join;
mod load;
pub mod map;
pub mod names;
mod overlay;
pub mod packs;
pub mod render;
mod validate;
mod write;

pub use format::MapError;
pub use map::{
    Area, BoardPoint, Bridge, BridgeId, BridgeState, Entry, FactionId, Feature, HexsideId, HexsideKind,
    HexsideSet, Layer, Map, OffMapBox, Place, Props, RoadClass, RoadId, Side, Spot, SupplySource, TerrainId,
    TerrainKind, TerrainSet, VictoryHex, Watercourse,
};
pub use names::{Lang, Names};
pub use overlay::Change;
pub use validate::Finding;
