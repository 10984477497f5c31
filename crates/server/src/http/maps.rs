//! The map as a drawing and as tiles. Each is drawn once and cached.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use kernel::{Game, Setup};
use tokio::sync::Semaphore;

use super::catalogue::MapQuery;
use super::{Query, Shared};
use crate::error::{Fault, Result};
use crate::hub::Hub;
use crate::protocol::MapMeta;
use crate::store::rows::as_json;
use crate::{ids, lock};

/// Cached drawings; the oldest are dropped first.
#[derive(Debug)]
pub struct TileCache {
    kept: Mutex<CachedPictures>,
    /// Drawing occupies a core: limit how many are drawn at once.
    pens: Semaphore,
}

#[derive(Debug, Default)]
struct CachedPictures {
    pictures: HashMap<Key, Arc<[u8]>>,
    order: VecDeque<Key>,
    bytes: usize,
}

/// The hash of a set-up, a language, and a tile; no tile means the whole map.
type Key = (String, &'static str, Option<(u8, u32, u32)>);

const CACHE_BYTES: usize = 192 << 20;

impl Default for TileCache {
    fn default() -> Self {
        TileCache { kept: Mutex::default(), pens: Semaphore::new(2) }
    }
}

impl TileCache {
    fn get(&self, key: &Key) -> Option<Arc<[u8]>> {
        lock(&self.kept).pictures.get(key).cloned()
    }

    async fn draw(
        &self,
        key: Key,
        draw: impl FnOnce() -> Result<Vec<u8>> + Send + 'static,
    ) -> Result<Arc<[u8]>> {
        if let Some(kept) = self.get(&key) {
            return Ok(kept);
        }
        let _pen = self.pens.acquire().await.map_err(Fault::internal)?;
        // Another request may have drawn it while this one waited.
        if let Some(kept) = self.get(&key) {
            return Ok(kept);
        }
        let picture: Arc<[u8]> = tokio::task::spawn_blocking(draw).await.map_err(Fault::internal)??.into();
        let mut kept = lock(&self.kept);
        kept.bytes += picture.len();
        kept.order.push_back(key.clone());
        kept.pictures.insert(key, Arc::clone(&picture));
        while kept.bytes > CACHE_BYTES {
            let Some(oldest) = kept.order.pop_front() else { break };
            if let Some(gone) = kept.pictures.remove(&oldest) {
                kept.bytes -= gone.len();
            }
        }
        Ok(picture)
    }
}

fn picture(bytes: &Arc<[u8]>, mime: &'static str) -> Response {
    let headers = [(header::CONTENT_TYPE, mime), (header::CACHE_CONTROL, "private, max-age=3600")];
    (headers, bytes.to_vec()).into_response()
}

/// Options do not change the map: set-ups that differ only in options share their drawings.
fn key_of(setup: &Setup) -> String {
    let bare = Setup { options: Vec::new(), ..setup.clone() };
    ids::hash(&as_json(&bare))
}

async fn svg(hub: &Hub, game: Arc<dyn Game>, setup: Setup, lang: &'static str) -> Result<Response> {
    let key = (key_of(&setup), lang, None);
    let drawn = hub.tiles.draw(key, move || Ok(game.map_svg(&setup, lang)?.into_bytes())).await?;
    Ok(picture(&drawn, "image/svg+xml"))
}

async fn tile(
    hub: &Arc<Hub>,
    game: Arc<dyn Game>,
    setup: Setup,
    lang: &'static str,
    (z, x, y): (u8, u32, u32),
) -> Result<Response> {
    let meta = hub.config.maps.meta(&*game, &setup).ok_or_else(Fault::not_found)?;
    if z < meta.min_zoom || z > meta.max_zoom {
        return Err(Fault::not_found());
    }
    // Nothing is drawn outside the map, so that empty tiles cannot fill the cache.
    let shrink = meta.max_zoom - z;
    let tiles = |size: u32| size.div_ceil(meta.tile.max(1).saturating_mul(1 << shrink.min(16)));
    if x >= tiles(meta.width) || y >= tiles(meta.height) {
        return Err(Fault::not_found());
    }
    let key = (key_of(&setup), lang, Some((z, x, y)));
    let maps = Arc::clone(&hub.config.maps);
    let draw = move || maps.tile(&*game, &setup, lang, z, x, y).ok_or_else(Fault::not_found);
    Ok(picture(&hub.tiles.draw(key, draw).await?, "image/png"))
}

/// Parse the last part of a tile's path, such as `7.png`.
fn row(y: &str) -> Result<u32> {
    y.strip_suffix(".png").and_then(|y| y.parse().ok()).ok_or_else(Fault::not_found)
}

pub async fn catalogue_svg(
    State(hub): Shared,
    Path(game): Path<String>,
    Query(which): Query<MapQuery>,
) -> Result<Response> {
    let game = Arc::clone(hub.game(&game)?);
    let setup = which.setup(&hub, &*game)?;
    svg(&hub, game, setup, which.language()).await
}

pub async fn catalogue_meta(
    State(hub): Shared,
    Path(game): Path<String>,
    Query(which): Query<MapQuery>,
) -> Result<Json<MapMeta>> {
    let game = hub.game(&game)?;
    hub.config.maps.meta(&**game, &which.setup(&hub, &**game)?).map(Json).ok_or_else(Fault::not_found)
}

pub async fn catalogue_tile(
    State(hub): Shared,
    Path((game, z, x, y)): Path<(String, u8, u32, String)>,
    Query(which): Query<MapQuery>,
) -> Result<Response> {
    let game = Arc::clone(hub.game(&game)?);
    let setup = which.setup(&hub, &*game)?;
    tile(&hub, game, setup, which.language(), (z, x, row(&y)?)).await
}

/// Images in a page carry no token, so anybody who knows the game's address (128 random bits) may fetch its map, even
/// that of a private game.
async fn of_game(hub: &Hub, id: &str) -> Result<(Arc<dyn Game>, Setup)> {
    let room = hub.room(id).await?;
    Ok((Arc::clone(room.game()), room.row.setup.clone()))
}

pub async fn game_svg(
    State(hub): Shared,
    Path(id): Path<String>,
    Query(which): Query<MapQuery>,
) -> Result<Response> {
    let (game, setup) = of_game(&hub, &id).await?;
    svg(&hub, game, setup, which.language()).await
}

pub async fn game_meta(State(hub): Shared, Path(id): Path<String>) -> Result<Json<MapMeta>> {
    let (game, setup) = of_game(&hub, &id).await?;
    hub.config.maps.meta(&*game, &setup).map(Json).ok_or_else(Fault::not_found)
}

pub async fn game_tile(
    State(hub): Shared,
    Path((id, z, x, y)): Path<(String, u8, u32, String)>,
    Query(which): Query<MapQuery>,
) -> Result<Response> {
    let (game, setup) = of_game(&hub, &id).await?;
    tile(&hub, game, setup, which.language(), (z, x, row(&y)?)).await
}
