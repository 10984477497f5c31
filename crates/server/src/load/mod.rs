//! Load generator: many games at once, each played over a socket that decides as soon as it may.
//!
//! It runs only against this machine: the address must be a loopback address.

mod cpu;
mod player;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use kernel::Game;
use serde_json::{Value, json};
use thiserror::Error;

use player::Player;

#[derive(Clone, Debug)]
pub struct Plan {
    /// Tables that are played at the same time.
    pub games: usize,
    pub seconds: u64,
    /// Mean pause of each player before a decision. Without a pause, the rate measured is the server's capacity and the
    /// times include queueing; with one, the times show how fast the server answers at that rate.
    pub pause: Duration,
    /// Id of a game of the catalogue; the first game if none is given.
    pub game: Option<String>,
    pub scenario: Option<String>,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { games: 1000, seconds: 20, pause: Duration::from_millis(450), game: None, scenario: None }
    }
}

/// The most tables that a run may ask for.
pub const MOST_GAMES: usize = 5000;

/// Tables that are set up at the same time.
const OPENING: usize = 16;

#[derive(Clone, Debug, serde::Serialize)]
pub struct Report {
    pub game: String,
    pub scenario: String,
    pub games: usize,
    pub seconds: f64,
    /// Actions that were acknowledged and are therefore durable.
    pub actions: u64,
    pub actions_per_second: f64,
    /// From sending an action to receiving the new view, in milliseconds.
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
    /// Decisions refused by the rules: a template filled at random is not always legal.
    pub refused: u64,
    /// Mean bytes received by the player per action, options and view together.
    pub bytes_per_action: f64,
    /// Transactions committed, if the server runs in this process.
    pub commits: Option<u64>,
    /// Microseconds of processor time per action, if the server runs in this process: of the server with its database,
    /// and of the players. Unlike the times above, they do not depend on the other load of the machine.
    pub server_us: Option<f64>,
    pub players_us: Option<f64>,
}

#[derive(Debug, Error)]
pub enum LoadError {
    #[error("only a server on this machine is loaded, not {0}")]
    NotHere(String),
    #[error("from 1 to {MOST_GAMES} games")]
    Games,
    #[error("{0}")]
    Failed(String),
    #[error(transparent)]
    Server(#[from] crate::ServerError),
}

fn failed(error: impl std::fmt::Display) -> LoadError {
    LoadError::Failed(error.to_string())
}

/// The progress of a run, for display.
#[derive(Debug, Default)]
pub struct Progress {
    seated: AtomicUsize,
    actions: AtomicU64,
    playing: AtomicBool,
    refused: AtomicU64,
    bytes: AtomicU64,
}

impl Progress {
    /// Tables that have been set up.
    pub fn seated(&self) -> usize {
        self.seated.load(Ordering::Relaxed)
    }

    /// Whether all tables are set up and play has begun.
    pub fn is_playing(&self) -> bool {
        self.playing.load(Ordering::Relaxed)
    }

    /// Actions acknowledged so far.
    pub fn actions(&self) -> u64 {
        self.actions.load(Ordering::Relaxed)
    }
}

/// Name of the players' thread, by which its processor time is told apart from the server's.
const PLAYERS: &str = "load-players";

/// Start a server in this process, with limits that let one address do everything, on a database at `database`.
pub async fn run_here(
    games: Vec<Arc<dyn Game>>,
    database: &str,
    plan: &Plan,
    progress: &Arc<Progress>,
) -> Result<Report, LoadError> {
    let mut config = crate::Config::new(database, games);
    config.listen.set_port(0);
    config.limits = crate::Limits::generous();
    let server = crate::Server::bind(config).await?;
    let url = format!("http://{}", server.address());
    let hub = Arc::clone(server.hub());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(server.serve(async move {
        let _ = stopped.await;
    }));
    // The players run on a thread of their own, as real players would on machines of their own.
    let (told, report) = tokio::sync::oneshot::channel();
    let (plan, progress) = (plan.clone(), Arc::clone(progress));
    let commits = Arc::clone(&hub);
    std::thread::Builder::new()
        .name(PLAYERS.into())
        .spawn(move || {
            let outcome =
                tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed).and_then(
                    |runtime| {
                        runtime.block_on(play(&url, &plan, &progress, || Some(commits.store.commits())))
                    },
                );
            let _ = told.send(outcome);
        })
        .map_err(failed)?;
    let report = report.await.map_err(failed)?;
    let _ = stop.send(());
    serving.await.map_err(failed)??;
    report
}

/// Run against a server that is already running on this machine.
pub async fn run(url: &str, plan: &Plan, progress: &Arc<Progress>) -> Result<Report, LoadError> {
    let mut report = play(url, plan, progress, || None).await?;
    // The server is another process, so its processor time is unknown.
    (report.server_us, report.players_us) = (None, None);
    Ok(report)
}

async fn play(
    url: &str,
    plan: &Plan,
    progress: &Arc<Progress>,
    commits: impl Fn() -> Option<u64>,
) -> Result<Report, LoadError> {
    let parsed = reqwest::Url::parse(url).map_err(failed)?;
    let host = parsed.host_str().unwrap_or_default();
    let loopback = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
    if !loopback && host != "localhost" {
        return Err(LoadError::NotHere(host.to_owned()));
    }
    if plan.games == 0 || plan.games > MOST_GAMES {
        return Err(LoadError::Games);
    }
    let base = url.trim_end_matches('/').to_owned();
    let http = reqwest::Client::builder().no_proxy().build().map_err(failed)?;
    let setup = setup(&http, &base, plan).await?;
    // One player for each table, who holds all its seats.
    let players: Vec<Player> = stream::iter(0..plan.games as u64)
        .map(|n| {
            let (http, base, setup) = (&http, &base, &setup);
            async move {
                let player = Player::sit(http, base, setup, n, progress).await;
                progress.seated.fetch_add(1, Ordering::Relaxed);
                player
            }
        })
        .buffer_unordered(OPENING)
        .try_collect()
        .await?;
    progress.playing.store(true, Ordering::Relaxed);
    progress.bytes.store(0, Ordering::Relaxed);
    let (before, spent) = (commits(), cpu::Spent::now(PLAYERS));
    let began = Instant::now();
    let tasks: Vec<_> = players
        .into_iter()
        .map(|player| tokio::spawn(player.play(Arc::clone(progress), plan.pause)))
        .collect();
    tokio::time::sleep(Duration::from_secs(plan.seconds)).await;
    progress.playing.store(false, Ordering::Relaxed);
    let seconds = began.elapsed().as_secs_f64();
    let spent = spent.zip(cpu::Spent::now(PLAYERS)).map(|(from, to)| to - from);
    let commits = commits().zip(before).map(|(after, before)| after - before);
    let actions = progress.actions();
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await.map_err(failed)??);
    }
    times.sort_unstable();
    let at = |share: f64| {
        let n = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times.get(n).map_or(0.0, |t| t.as_secs_f64() * 1000.0)
    };
    let each = |seconds: f64| seconds * 1e6 / actions.max(1) as f64;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(Report {
        game: text(&setup["setup"]["game"]),
        scenario: text(&setup["setup"]["scenario"]),
        games: plan.games,
        seconds,
        actions,
        actions_per_second: actions as f64 / seconds,
        p50_ms: at(0.5),
        p99_ms: at(0.99),
        max_ms: at(1.0),
        refused: progress.refused.load(Ordering::Relaxed),
        bytes_per_action: progress.bytes.load(Ordering::Relaxed) as f64 / actions.max(1) as f64,
        commits,
        server_us: spent.map(|s| each(s.process - s.named)),
        players_us: spent.map(|s| each(s.named)),
    })
}

async fn setup(http: &reqwest::Client, base: &str, plan: &Plan) -> Result<Value, LoadError> {
    let answer = http.get(format!("{base}/api/catalogue")).send().await.map_err(failed)?;
    let catalogue: Vec<Value> = answer.json().await.map_err(failed)?;
    let wanted = |item: &&Value| plan.game.as_deref().is_none_or(|id| item["info"]["id"] == id);
    let item = catalogue.iter().find(wanted).ok_or_else(|| failed("no such game in the catalogue"))?;
    let scenario =
        plan.scenario.clone().map_or_else(|| item["info"]["scenarios"][0]["id"].clone(), Value::from);
    let seats = item["info"]["seats"].as_array().map_or(0, Vec::len);
    Ok(json!({
        "setup": { "game": item["info"]["id"], "scenario": scenario, "options": [] },
        "seats": vec![json!({ "kind": "me" }); seats],
    }))
}
