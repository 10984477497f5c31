//! Maps: terrain, hexsides, roads, places; reads, validates and draws map packs.
//!
//! ```
//! let map = atlas::packs::ardennes44_map()?;
//! let st_vith = map.hex("E2125").unwrap();
//! let town = map.terrain_id("town").unwrap();
//! assert!(map.terrain(st_vith).contains(town));
//! assert_eq!(map.roads_of(st_vith).count(), 5);
//!
//! let bridge = map.board.find_side("E2115/E2016").unwrap();
//! assert_eq!(map.bridge(bridge).unwrap().state, atlas::BridgeState::UnderConstruction);
//! # Ok::<(), &'static atlas::MapError>(())
//! ```
//!
//! A map is corrected by an overlay, and tested against the facts that its rulebook states:
//!
//! ```
//! let mut map = atlas::packs::ardennes44_map()?.clone();
//! let changes = map.apply_overlay("mine.toml", "[map]\nterrain.forest = [\"E0103\"]").unwrap();
//! assert_eq!(changes[0].to_string(), "E0103: clear, held by german → forest, held by german");
//!
//! let (file, facts) = atlas::packs::ARDENNES44_FACTS;
//! assert!(map.check(file, facts).unwrap().is_ok());
//! # Ok::<(), &'static atlas::MapError>(())
//! ```

pub mod check;
mod format;
mod join;
mod load;
pub mod map;
pub mod names;
mod overlay;
pub mod packs;
mod plan;
pub mod render;
mod validate;
mod write;

pub use format::MapError;
pub use map::{
    Area, BoardPoint, Bridge, BridgeId, BridgeKind, BridgeState, Entry, FactionId, Feature, HexsideId,
    HexsideKind, HexsideSet, Layer, Map, OffMapBox, Place, Props, RoadClass, RoadId, Side, Spot,
    SupplySource, TerrainId, TerrainKind, TerrainSet, VictoryHex, Watercourse,
};
pub use names::{Lang, Names};
pub use overlay::Change;
pub use plan::{Plan, PlanHex};
pub use validate::Finding;
