//! `grognard play` and `grognard serve`: the table.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use kernel::Game;
use server::{Config, Server};

use crate::assets::WebClient;
use crate::catalogue::{games, read_overlay};
use crate::opponents::Opponents;
use crate::tiles::MapTiles;

/// The port the table is served on.
const PORT: u16 = 4444;

#[derive(Debug, Args)]
pub struct Play {
    #[command(flatten)]
    table: TableArgs,
    /// Only print the address
    #[arg(long)]
    no_browser: bool,
}

#[derive(Debug, Args)]
pub struct Serve {
    #[command(flatten)]
    table: TableArgs,
    /// The address to listen on
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Where people reach the server, for links in messages, such as <https://example.org>
    #[arg(long)]
    public_url: Option<String>,
    /// Behind a reverse proxy: take the caller's address from X-Forwarded-For
    #[arg(long)]
    behind_proxy: bool,
    /// Allow webhooks to addresses in the local network: only if all players are trusted
    #[arg(long)]
    private_webhooks: bool,
    /// No limits per address, for `grognard load` from this machine
    #[arg(long)]
    no_limits: bool,
}

#[derive(Debug, Args)]
struct TableArgs {
    /// The port to listen on; 0 takes any free one
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// The database: sqlite:FILE or postgres://… (default: a file in your data folder)
    #[arg(long, env = "GROGNARD_DATABASE", hide_env_values = true)]
    database: Option<String>,
    /// Where drawn maps are kept for the next start (default: your cache folder)
    #[arg(long, env = "GROGNARD_CACHE", value_name = "FOLDER")]
    cache: Option<PathBuf>,
    /// Corrections to a game's pack for new games (docs/PACKS.md); GAME= may be left out if only one game takes them
    #[arg(long, value_name = "[GAME=]FILE")]
    pack_overlay: Vec<String>,
    /// Log level: error, warn, info, debug
    #[arg(long, env = "GROGNARD_LOG", default_value = "warn")]
    log: String,
}

impl Play {
    pub fn run(self) -> Result<ExitCode> {
        let browser = !self.no_browser;
        serve(&self.table, IpAddr::V4(Ipv4Addr::LOCALHOST), |_| {}, browser)
    }
}

impl Serve {
    pub fn run(self) -> Result<ExitCode> {
        if self.no_limits && !self.host.is_loopback() {
            bail!("--no-limits is for this machine only, not for {}", self.host);
        }
        let more = |config: &mut Config| {
            config.public_url = self.public_url;
            config.behind_proxy = self.behind_proxy;
            config.private_webhooks = self.private_webhooks;
            if self.no_limits {
                config.limits = server::Limits::generous();
            }
        };
        serve(&self.table, self.host, more, false)
    }
}

fn serve(args: &TableArgs, host: IpAddr, more: impl FnOnce(&mut Config), browser: bool) -> Result<ExitCode> {
    let filter =
        tracing_subscriber::EnvFilter::try_new(&args.log).with_context(|| format!("--log {}", args.log))?;
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let database = args.database.clone().map_or_else(default_database, Ok)?;
    let mut config = Config::new(database, games());
    config.overlays = overlays(&config.games, &args.pack_overlay)?;
    config.listen = SocketAddr::new(host, args.port);
    config.assets = Arc::new(WebClient);
    let cache = args.cache.clone().or_else(dirs::cache_dir);
    let maps = Arc::new(cache.map_or_else(MapTiles::default, |folder| MapTiles::kept_in(&folder)));
    maps.draw_ahead(config.games.clone(), config.overlays.clone());
    config.maps = maps;
    config.bots = Arc::new(Opponents::default());
    more(&mut config);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = Server::bind(config).await?;
        let address = format!("http://localhost:{}", server.address().port());
        println!("The table is at {address} (Ctrl-C closes it)");
        if browser && open::that_detached(&address).is_err() {
            println!("No browser was found here: open the address above in yours.");
        }
        server.serve(server::asked_to_stop()).await
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The overlays named on the command line; each is applied on trial and its changes are printed.
fn overlays(games: &[Arc<dyn Game>], given: &[String]) -> Result<BTreeMap<String, String>> {
    let takers: Vec<&Arc<dyn Game>> = games.iter().filter(|game| game.info().overlay).collect();
    let mut overlays = BTreeMap::new();
    for given in given {
        let named = given.split_once('=').and_then(|(id, file)| Some((game_named(games, id)?, file)));
        let (game, file) = match (named, &takers[..]) {
            (Some(named), _) => named,
            (None, [only]) => (*only, given.as_str()),
            (None, _) => bail!("--pack-overlay {given}: say of which game: GAME=FILE"),
        };
        let id = &game.info().id;
        let text = read_overlay(Path::new(file))?;
        let changes = game.overlay_changes(&text).with_context(|| format!("{file}, for {id}"))?;
        println!("{id} with {file}: {} changes", changes.len());
        for change in &changes {
            println!("  {change}");
        }
        if overlays.insert(id.clone(), text).is_some() {
            bail!("--pack-overlay {given}: {id} has one already; one file holds all corrections");
        }
    }
    Ok(overlays)
}

fn game_named<'a>(games: &'a [Arc<dyn Game>], id: &str) -> Option<&'a Arc<dyn Game>> {
    games.iter().find(|game| game.info().id == id)
}

/// A file in the user's data folder.
fn default_database() -> Result<String> {
    let folder: PathBuf =
        dirs::data_dir().context("no data folder: name a database with --database")?.join("grognard");
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    Ok(format!("sqlite:{}", folder.join("games.sqlite").display()))
}
