//! How much a server bears: many games at once, each a socket that decides as soon as it may.
//!
//! Only ever against this machine: the address must be a loopback one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use kernel::{Game, Seat, Viewer};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore as _, SeedableRng as _};
use serde_json::{Value, json};
use thiserror::Error;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::protocol::{Answered, Frame, Now, Request, SeatAsk, Status};

#[derive(Clone, Debug)]
pub struct Plan {
    /// Tables played at the same time.
    pub games: usize,
    pub seconds: u64,
    /// Pause of each player before a decision, on average. Without any, the figures tell how much the server bears and the
    /// times how long the queue is; with one, how quick it is at that rate.
    pub pause: Duration,
    /// Which game of the catalogue; the first if none.
    pub game: Option<String>,
    pub scenario: Option<String>,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { games: 1000, seconds: 20, pause: Duration::from_millis(450), game: None, scenario: None }
    }
}

/// More tables than this are not asked of one machine.
pub const MOST_GAMES: usize = 5000;

#[derive(Clone, Debug, serde::Serialize)]
pub struct Report {
    pub games: usize,
    pub seconds: f64,
    /// Acknowledged, therefore durable.
    pub actions: u64,
    pub actions_per_second: f64,
    /// From sending an action to having the new view, in milliseconds.
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
    /// Decisions refused by the rules: a random filling of a template is not always legal.
    pub refused: u64,
    /// Transactions, where the server runs in this process.
    pub commits: Option<u64>,
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

/// A server of our own in this process, with limits that let one address do everything, on a database at `database`.
pub async fn run_here(games: Vec<Arc<dyn Game>>, database: &str, plan: &Plan) -> Result<Report, LoadError> {
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
    let before = hub.store.commits();
    let mut report = run(&url, plan).await;
    if let Ok(report) = &mut report {
        report.commits = Some(hub.store.commits() - before);
    }
    let _ = stop.send(());
    serving.await.map_err(failed)??;
    report
}

/// Against a server that runs on this machine.
pub async fn run(url: &str, plan: &Plan) -> Result<Report, LoadError> {
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
    let state = Arc::new(Shared { running: AtomicBool::new(false), refused: AtomicU64::new(0) });
    // A player for each table, who sits on all its chairs.
    let mut tables = Vec::with_capacity(plan.games);
    for n in 0..plan.games {
        tables.push(Player::sit(&http, &base, &setup, n as u64).await?);
    }
    state.running.store(true, Ordering::Relaxed);
    let began = Instant::now();
    let tasks: Vec<_> =
        tables.into_iter().map(|player| tokio::spawn(player.play(Arc::clone(&state), plan.pause))).collect();
    tokio::time::sleep(Duration::from_secs(plan.seconds)).await;
    state.running.store(false, Ordering::Relaxed);
    let seconds = began.elapsed().as_secs_f64();
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await.map_err(failed)??);
    }
    times.sort_unstable();
    let at = |share: f64| {
        let n = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times.get(n).map_or(0.0, |t| t.as_secs_f64() * 1000.0)
    };
    Ok(Report {
        games: plan.games,
        seconds,
        actions: times.len() as u64,
        actions_per_second: times.len() as f64 / seconds,
        p50_ms: at(0.5),
        p99_ms: at(0.99),
        max_ms: at(1.0),
        refused: state.refused.load(Ordering::Relaxed),
        commits: None,
    })
}

struct Shared {
    running: AtomicBool,
    refused: AtomicU64,
}

async fn setup(http: &reqwest::Client, base: &str, plan: &Plan) -> Result<Value, LoadError> {
    let catalogue: Vec<Value> = get(http, &format!("{base}/api/catalogue")).await?;
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

async fn get<T: serde::de::DeserializeOwned>(http: &reqwest::Client, url: &str) -> Result<T, LoadError> {
    http.get(url).send().await.map_err(failed)?.json().await.map_err(failed)
}

async fn post(
    http: &reqwest::Client,
    url: &str,
    token: Option<&str>,
    body: &Value,
) -> Result<Value, LoadError> {
    let mut request = http.post(url).json(body);
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    let response = request.send().await.map_err(failed)?;
    let status = response.status();
    let answer: Value = response.json().await.map_err(failed)?;
    if status.is_success() { Ok(answer) } else { Err(failed(format!("{status}: {answer}"))) }
}

struct Player {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    now: Now,
    rng: ChaCha8Rng,
    again: (reqwest::Client, String, Value, String),
}

impl Player {
    async fn sit(http: &reqwest::Client, base: &str, setup: &Value, n: u64) -> Result<Self, LoadError> {
        let guest =
            post(http, &format!("{base}/api/guest"), None, &json!({ "name": format!("Load {n}") })).await?;
        let token = guest["token"].as_str().unwrap_or_default().to_owned();
        let rng = ChaCha8Rng::seed_from_u64(n);
        Self::open(http.clone(), base.to_owned(), setup.clone(), token, rng).await
    }

    async fn open(
        http: reqwest::Client,
        base: String,
        setup: Value,
        token: String,
        rng: ChaCha8Rng,
    ) -> Result<Self, LoadError> {
        let made = post(&http, &format!("{base}/api/games"), Some(&token), &setup).await?;
        let id = made["game"]["id"].as_str().unwrap_or_default();
        let url = format!("{}/api/games/{id}/ws", base.replacen("http", "ws", 1));
        let (mut socket, _) = tokio_tungstenite::connect_async(url).await.map_err(failed)?;
        let hello = json!({ "type": "hello", "protocol": 1, "token": token });
        socket.send(Message::text(hello.to_string())).await.map_err(failed)?;
        let now = loop {
            if let Frame::Welcome(welcome) = hear(&mut socket).await? {
                break welcome.now;
            }
        };
        let mut player = Player { socket, now, rng, again: (http, base, setup, token) };
        // Through one pair of eyes, as a player at a table of two looks; else every change of seats sends a whole view.
        player.send(&Request::Look { id: 3, viewer: Some(Viewer::Seat(Seat(0))) }).await?;
        Ok(player)
    }

    /// Play until told to stop; how long each decision took until its new view was here.
    async fn play(mut self, state: Arc<Shared>, pause: Duration) -> Result<Vec<Duration>, LoadError> {
        let mut times = Vec::new();
        while state.running.load(Ordering::Relaxed) {
            if self.now.status != Status::Playing {
                let (http, base, setup, token) = self.again;
                self = Self::open(http, base, setup, token, self.rng).await?;
            }
            if !pause.is_zero() {
                tokio::time::sleep(pause.mul_f64(2.0 * f64::from(self.rng.next_u32()) / f64::from(u32::MAX)))
                    .await;
            }
            let Some(ask) = self.now.asks.first().cloned() else {
                return Err(failed("a player at every seat is asked nothing"));
            };
            let Some(action) = self.choose(&ask).await? else { continue };
            let began = Instant::now();
            if self.act(&ask, action).await? {
                times.push(began.elapsed());
            } else {
                state.refused.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(times)
    }

    async fn choose(&mut self, ask: &SeatAsk) -> Result<Option<String>, LoadError> {
        let subject = ask.subjects[self.pick(ask.subjects.len())].clone();
        self.send(&Request::Options { id: 1, seat: ask.seat, subject }).await?;
        let options = loop {
            match hear(&mut self.socket).await? {
                Frame::Reply { result: Answered::Options(options), .. } => break options,
                Frame::Refused { error, .. } => return Err(failed(error.detail)),
                _ => {}
            }
        };
        if options.is_empty() {
            return Ok(None);
        }
        let option = options[self.pick(options.len())].clone();
        let Some(template) = option.template else { return Ok(Some(option.action)) };
        let mut words = Vec::new();
        for slot in template.parts {
            let most = usize::from(slot.max).min(slot.candidates.len());
            let least = usize::from(slot.min).min(most);
            let count = least + self.pick(most - least + 1);
            if count > 0 || slot.candidates.is_empty() {
                words.push(slot.words);
            }
            let mut left = slot.candidates;
            for _ in 0..count {
                let at = self.pick(left.len());
                words.push(left.swap_remove(at));
            }
        }
        words.retain(|w| !w.is_empty());
        Ok(Some(words.join(" ")))
    }

    /// False if the rules refuse it.
    async fn act(&mut self, ask: &SeatAsk, action: String) -> Result<bool, LoadError> {
        self.send(&Request::Act { id: 2, seat: ask.seat, action, moment: self.now.moment }).await?;
        loop {
            match hear(&mut self.socket).await? {
                // The acknowledgement follows its update.
                Frame::Update(update) => self.now = update.now,
                Frame::Reply { id: 2, .. } => return Ok(true),
                Frame::Refused { id: 2, .. } => return Ok(false),
                _ => {}
            }
        }
    }

    async fn send(&mut self, request: &Request) -> Result<(), LoadError> {
        let text = crate::store::rows::as_json(request);
        self.socket.send(Message::text(text)).await.map_err(failed)
    }

    fn pick(&mut self, of: usize) -> usize {
        self.rng.next_u32() as usize % of.max(1)
    }
}

async fn hear(socket: &mut WebSocketStream<MaybeTlsStream<TcpStream>>) -> Result<Frame, LoadError> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => return serde_json::from_str(&text).map_err(failed),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(_)) | None => return Err(failed("the server closed the connection")),
            Some(Err(error)) => return Err(failed(error)),
        }
    }
}
