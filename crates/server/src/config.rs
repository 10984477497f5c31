//! What the binary passes to the server: where to listen, which games to offer, which files to serve.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use kernel::{Game, Setup};

use crate::bots::{BotProvider, RandomBots};
use crate::limits::Limits;
use crate::protocol::MapMeta;

pub struct Config {
    /// `sqlite:PATH` or `postgres://…`.
    pub database: String,
    pub listen: SocketAddr,
    pub games: Vec<Arc<dyn Game>>,
    pub bots: Arc<dyn BotProvider>,
    pub assets: Arc<dyn Assets>,
    pub maps: Arc<dyn MapRenderer>,
    /// Pack overlays by game, used for new games that bring no overlay of their own.
    pub overlays: BTreeMap<String, String>,
    pub limits: Limits,
    /// The least time a bot takes per decision, so that people can follow what it does.
    pub bot_pause: Duration,
    /// How many bots may search at the same time.
    pub bot_threads: usize,
    /// Whether webhooks may go to private and loopback addresses. Only for tests and closed networks.
    pub private_webhooks: bool,
    /// The public address of the server for links in webhooks, such as `https://example.org`.
    pub public_url: Option<String>,
    /// The server is behind a trusted proxy: take the client's address from the last entry of `X-Forwarded-For`.
    pub behind_proxy: bool,
}

impl std::fmt::Debug for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The database URL may hold a password.
        f.debug_struct("Config").field("listen", &self.listen).finish_non_exhaustive()
    }
}

impl Config {
    pub fn new(database: impl Into<String>, games: Vec<Arc<dyn Game>>) -> Self {
        Config {
            database: database.into(),
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 4444)),
            games,
            bots: Arc::new(RandomBots),
            assets: Arc::new(NoAssets),
            maps: Arc::new(NoMaps),
            overlays: BTreeMap::new(),
            limits: Limits::default(),
            bot_pause: Duration::from_millis(150),
            bot_threads: 2,
            private_webhooks: false,
            public_url: None,
            behind_proxy: false,
        }
    }
}

/// The web client's files.
pub trait Assets: Send + Sync {
    /// `path` has no leading slash; `index.html` is the start page.
    fn get(&self, path: &str) -> Option<Asset>;
}

#[derive(Clone, Debug)]
pub struct Asset {
    pub bytes: Cow<'static, [u8]>,
    pub mime: Cow<'static, str>,
    /// The name contains a hash of the content, so the file may be cached forever.
    pub immutable: bool,
    /// `gzip` or `br`, if the bytes are compressed.
    pub encoding: Option<&'static str>,
}

#[derive(Clone, Copy, Debug)]
pub struct NoAssets;

impl Assets for NoAssets {
    fn get(&self, _: &str) -> Option<Asset> {
        None
    }
}

/// Draws a game's map as tiles. Called on blocking threads; the server caches the results.
pub trait MapRenderer: Send + Sync {
    fn meta(&self, game: &dyn Game, setup: &Setup) -> Option<MapMeta>;
    /// A tile as PNG. `lang` is one of the game's languages.
    fn tile(&self, game: &dyn Game, setup: &Setup, lang: &str, z: u8, x: u32, y: u32) -> Option<Vec<u8>>;
}

#[derive(Clone, Copy, Debug)]
pub struct NoMaps;

impl MapRenderer for NoMaps {
    fn meta(&self, _: &dyn Game, _: &Setup) -> Option<MapMeta> {
        None
    }
    fn tile(&self, _: &dyn Game, _: &Setup, _: &str, _: u8, _: u32, _: u32) -> Option<Vec<u8>> {
        None
    }
}
