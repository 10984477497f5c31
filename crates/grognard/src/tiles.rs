//! The drawn map as tiles, rendered on demand and cached: in memory while the program runs, and as files for the next
//! start.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use atlas::render::{TILE, Tiles};
use kernel::{Game, Setup};
use server::MapRenderer;
use server::protocol::MapMeta;

/// The closest level: some 110 pixels from flat to flat of a hex.
const MAX_ZOOM: u8 = 5;
/// Up to this level tiles are drawn before they are requested: the whole map, and the first view on a screen.
const AHEAD: u8 = 3;
/// How many parsed drawings are kept in memory: each takes several hundred megabytes. The others are parsed again.
const READY: usize = 4;

type Slot = Arc<OnceLock<Option<Tiles>>>;

/// Pictures by game, scenario, edition, overlay and language. Each is parsed once, by the first request.
#[derive(Debug, Default)]
pub struct MapTiles {
    /// Most recently used last.
    pictures: Mutex<Vec<(String, Slot)>>,
    /// Where tiles are kept as files.
    folder: Option<PathBuf>,
    /// Number of requests that wait for a tile: drawing ahead pauses for them.
    waiting: AtomicUsize,
}

/// The board depends on scenario, edition and overlay, never on options.
fn key(setup: &Setup, lang: &str) -> String {
    format!("{} {} {:?} {:?} {lang}", setup.game, setup.scenario, setup.edition, setup.overlay)
}

impl MapTiles {
    /// Keeps tiles as files in a subfolder of `folder`. They belong to this build: another build may draw differently,
    /// so it has its own subfolder, and those of other builds are removed.
    pub fn kept_in(folder: &Path) -> Self {
        let folder = folder.join("grognard-maps");
        let own = folder.join(this_program());
        for other in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            if other.path() != own {
                let _ = std::fs::remove_dir_all(other.path());
            }
        }
        let made = std::fs::create_dir_all(&own).inspect_err(|e| tracing::warn!("{}: {e}", own.display()));
        MapTiles { folder: made.ok().map(|()| own), ..MapTiles::default() }
    }

    fn picture(&self, game: &dyn Game, setup: &Setup, lang: &str) -> Slot {
        let key = key(setup, lang);
        let slot = {
            let mut pictures = self.pictures.lock().unwrap_or_else(PoisonError::into_inner);
            let known = pictures.iter().position(|(known, _)| *known == key);
            let slot = known.map_or_else(Slot::default, |at| pictures.remove(at).1);
            pictures.push((key, Arc::clone(&slot)));
            if pictures.len() > READY {
                pictures.remove(0);
            }
            slot
        };
        slot.get_or_init(|| {
            let svg = game.map_svg(setup, lang).map_err(|e| tracing::warn!("map: {e}")).ok()?;
            Tiles::new(&svg).map_err(|e| tracing::warn!("map: {e}")).ok()
        });
        slot
    }

    /// The file of a tile. Overlays are numerous and personal: their tiles are not kept.
    fn file(&self, setup: &Setup, lang: &str, (z, x, y): (u8, u32, u32)) -> Option<PathBuf> {
        let folder = self.folder.as_ref().filter(|_| setup.overlay.is_none())?;
        let mut hasher = DefaultHasher::new();
        key(setup, lang).hash(&mut hasher);
        Some(folder.join(format!("{:016x}-{z}-{x}-{y}.png", hasher.finish())))
    }

    fn draw(&self, game: &dyn Game, setup: &Setup, lang: &str, (z, x, y): (u8, u32, u32)) -> Option<Vec<u8>> {
        let file = self.file(setup, lang, (z, x, y));
        if let Some(kept) = file.as_ref().and_then(|file| std::fs::read(file).ok()) {
            return Some(kept);
        }
        let slot = self.picture(game, setup, lang);
        let tile =
            slot.get()?.as_ref()?.tile(z, x, y).map_err(|e| tracing::warn!("tile: {e}")).ok().flatten()?;
        if let Some(file) = file {
            // Written completely or not at all, even if the program ends meanwhile.
            let part = file.with_extension(format!("{x}-{y}.part"));
            let written = std::fs::write(&part, &tile).and_then(|()| std::fs::rename(&part, &file));
            if let Err(error) = written {
                tracing::debug!("{}: {error}", file.display());
            }
        }
        Some(tile)
    }

    /// Draws each game's first map zoomed out, in English, on a separate thread, so that it is ready when first
    /// requested.
    pub fn draw_ahead(self: &Arc<Self>, games: Vec<Arc<dyn Game>>, overlays: BTreeMap<String, String>) {
        let me = Arc::clone(self);
        let ahead = move || {
            for level in 0..=AHEAD {
                for game in &games {
                    me.draw_level(&**game, overlays.get(&game.info().id), level);
                }
            }
        };
        if let Err(error) = std::thread::Builder::new().name("map-ahead".into()).spawn(ahead) {
            tracing::warn!("maps are drawn when they are asked for: {error}");
        }
    }

    fn draw_level(&self, game: &dyn Game, overlay: Option<&String>, z: u8) {
        let info = game.info();
        let Some(scenario) = info.scenarios.first() else { return };
        let (id, scenario) = (info.id.clone(), scenario.id.clone());
        let setup = Setup { game: id, scenario, overlay: overlay.cloned(), ..Setup::default() };
        let Some(meta) = self.meta(game, &setup) else { return };
        let tiles = |side: u32| side.div_ceil(TILE << (MAX_ZOOM - z));
        for (x, y) in (0..tiles(meta.height)).flat_map(|y| (0..tiles(meta.width)).map(move |x| (x, y))) {
            while self.waiting.load(Ordering::Relaxed) > 0 {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            self.draw(game, &setup, "en", (z, x, y));
        }
    }
}

/// Distinguishes builds: modification time and size of this program.
fn this_program() -> String {
    let mut hasher = DefaultHasher::new();
    if let Ok(about) = std::env::current_exe().and_then(std::fs::metadata) {
        (about.len(), about.modified().ok()).hash(&mut hasher);
    }
    format!("{} {:016x}", env!("CARGO_PKG_VERSION"), hasher.finish())
}

impl MapRenderer for MapTiles {
    fn meta(&self, game: &dyn Game, setup: &Setup) -> Option<MapMeta> {
        // The board has the size of its picture, and is available long before it.
        let board = game.board(setup).ok()?;
        let scale = TILE as f32 / board.width.max(board.height) * f32::from(1_u8 << MAX_ZOOM);
        let pixels = |side: f32| (side * scale).ceil() as u32;
        let (width, height) = (pixels(board.width), pixels(board.height));
        Some(MapMeta { tile: TILE, min_zoom: 0, max_zoom: MAX_ZOOM, width, height })
    }

    fn tile(&self, game: &dyn Game, setup: &Setup, lang: &str, z: u8, x: u32, y: u32) -> Option<Vec<u8>> {
        if z > MAX_ZOOM {
            return None;
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let tile = self.draw(game, setup, lang, (z, x, y));
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        tile
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_that_of_the_picture() {
        let game = crate::catalogue::game("ardennes44").unwrap();
        let scenario = game.info().scenarios.iter().min_by_key(|s| s.turns).unwrap().id.clone();
        let setup = Setup { game: "ardennes44".into(), scenario, ..Setup::default() };
        let folder = std::env::temp_dir().join(format!("grognard-tiles-{}", std::process::id()));
        let tiles = MapTiles::kept_in(&folder);
        let meta = tiles.meta(&*game, &setup).unwrap();
        let slot = tiles.picture(&*game, &setup, "en");
        assert_eq!((meta.width, meta.height), slot.get().unwrap().as_ref().unwrap().pixels(MAX_ZOOM));
        // A tile that was drawn once is a file; files of another build are removed.
        let drawn = tiles.tile(&*game, &setup, "en", 0, 0, 0).unwrap();
        let (other, stranger) = (folder.join("grognard-maps/0.0.0 other"), folder.join("mine"));
        std::fs::create_dir_all(&other).unwrap();
        std::fs::create_dir_all(&stranger).unwrap();
        let again = MapTiles::kept_in(&folder);
        assert!(!other.exists() && stranger.exists());
        assert_eq!(again.tile(&*game, &setup, "en", 0, 0, 0).unwrap(), drawn);
        assert!(again.pictures.lock().unwrap().is_empty(), "it was not drawn again");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
