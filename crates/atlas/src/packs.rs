//! The maps embedded in the program.

use std::sync::OnceLock;

use crate::{Map, MapError};

/// The files of the map of Ardennes '44, head first.
pub const ARDENNES44: [(&str, &str); 6] = [
    ("packs/ardennes44/map/map.toml", include_str!("../../../packs/ardennes44/map/map.toml")),
    ("packs/ardennes44/map/terrain.toml", include_str!("../../../packs/ardennes44/map/terrain.toml")),
    ("packs/ardennes44/map/water.toml", include_str!("../../../packs/ardennes44/map/water.toml")),
    ("packs/ardennes44/map/roads.toml", include_str!("../../../packs/ardennes44/map/roads.toml")),
    ("packs/ardennes44/map/places.toml", include_str!("../../../packs/ardennes44/map/places.toml")),
    ("packs/ardennes44/map/areas.toml", include_str!("../../../packs/ardennes44/map/areas.toml")),
];

/// Facts that the map of Ardennes '44 must satisfy.
pub const ARDENNES44_FACTS: (&str, &str) =
    ("packs/ardennes44/map/facts.toml", include_str!("../../../packs/ardennes44/map/facts.toml"));

/// The files of the map of Holland '44, head first.
pub const HOLLAND44: [(&str, &str); 6] = [
    ("packs/holland44/map/map.toml", include_str!("../../../packs/holland44/map/map.toml")),
    ("packs/holland44/map/terrain.toml", include_str!("../../../packs/holland44/map/terrain.toml")),
    ("packs/holland44/map/water.toml", include_str!("../../../packs/holland44/map/water.toml")),
    ("packs/holland44/map/roads.toml", include_str!("../../../packs/holland44/map/roads.toml")),
    ("packs/holland44/map/places.toml", include_str!("../../../packs/holland44/map/places.toml")),
    ("packs/holland44/map/areas.toml", include_str!("../../../packs/holland44/map/areas.toml")),
];

/// Facts that the map of Holland '44 must satisfy.
pub const HOLLAND44_FACTS: (&str, &str) =
    ("packs/holland44/map/facts.toml", include_str!("../../../packs/holland44/map/facts.toml"));

/// The map of Holland '44, read once.
pub fn holland44_map() -> Result<&'static Map, &'static MapError> {
    static MAP: OnceLock<Result<Map, MapError>> = OnceLock::new();
    MAP.get_or_init(|| Map::from_files(&HOLLAND44)).as_ref()
}

/// The map of Ardennes '44, read once.
pub fn ardennes44_map() -> Result<&'static Map, &'static MapError> {
    static MAP: OnceLock<Result<Map, MapError>> = OnceLock::new();
    MAP.get_or_init(|| Map::from_files(&ARDENNES44)).as_ref()
}

/// The files of the map of Air & Armor: Würzburg, head first.
pub const WURZBURG: [(&str, &str); 6] = [
    ("packs/wurzburg/map/map.toml", include_str!("../../../packs/wurzburg/map/map.toml")),
    ("packs/wurzburg/map/terrain.toml", include_str!("../../../packs/wurzburg/map/terrain.toml")),
    ("packs/wurzburg/map/water.toml", include_str!("../../../packs/wurzburg/map/water.toml")),
    ("packs/wurzburg/map/roads.toml", include_str!("../../../packs/wurzburg/map/roads.toml")),
    ("packs/wurzburg/map/places.toml", include_str!("../../../packs/wurzburg/map/places.toml")),
    ("packs/wurzburg/map/areas.toml", include_str!("../../../packs/wurzburg/map/areas.toml")),
];

/// Facts that the map of Air & Armor: Würzburg must satisfy.
pub const WURZBURG_FACTS: (&str, &str) =
    ("packs/wurzburg/map/facts.toml", include_str!("../../../packs/wurzburg/map/facts.toml"));

/// The map of Air & Armor: Würzburg, read once.
pub fn wurzburg_map() -> Result<&'static Map, &'static MapError> {
    static MAP: OnceLock<Result<Map, MapError>> = OnceLock::new();
    MAP.get_or_init(|| Map::from_files(&WURZBURG)).as_ref()
}
