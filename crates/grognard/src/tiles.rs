//! The drawn map as tiles, rendered when somebody looks and kept while the program runs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use atlas::render::{TILE, Tiles};
use kernel::{Game, Setup};
use server::MapRenderer;
use server::protocol::MapMeta;

/// The closest level: some 110 pixels from flat to flat of a hex.
const MAX_ZOOM: u8 = 5;

type Slot = Arc<OnceLock<Option<Tiles>>>;

/// Pictures by game, scenario, edition, overlay and language. Each is parsed once, by whoever comes first.
#[derive(Debug, Default)]
pub struct MapTiles {
    pictures: Mutex<HashMap<(String, String), Slot>>,
}

impl MapTiles {
    fn picture(&self, game: &dyn Game, setup: &Setup, lang: &str) -> Slot {
        // The board depends on scenario, edition and overlay, never on options.
        let key = format!("{} {} {:?} {:?}", setup.game, setup.scenario, setup.edition, setup.overlay);
        let slot = {
            let mut pictures = self.pictures.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(pictures.entry((key, lang.to_owned())).or_default())
        };
        slot.get_or_init(|| {
            let svg = game.map_svg(setup, lang).map_err(|e| tracing::warn!("map: {e}")).ok()?;
            Tiles::new(&svg).map_err(|e| tracing::warn!("map: {e}")).ok()
        });
        slot
    }
}

impl MapRenderer for MapTiles {
    fn meta(&self, game: &dyn Game, setup: &Setup) -> Option<MapMeta> {
        let slot = self.picture(game, setup, "en");
        let (width, height) = slot.get()?.as_ref()?.pixels(MAX_ZOOM);
        Some(MapMeta { tile: TILE, min_zoom: 0, max_zoom: MAX_ZOOM, width, height })
    }

    fn tile(&self, game: &dyn Game, setup: &Setup, lang: &str, z: u8, x: u32, y: u32) -> Option<Vec<u8>> {
        if z > MAX_ZOOM {
            return None;
        }
        let slot = self.picture(game, setup, lang);
        slot.get()?.as_ref()?.tile(z, x, y).map_err(|e| tracing::warn!("tile: {e}")).ok().flatten()
    }
}
