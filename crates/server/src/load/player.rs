//! One player at one table. It parses only the parts of each frame that it needs, so that the measurement is of the
//! server.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use kernel::{OptionItem, Seat, Viewer};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore as _, SeedableRng as _};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::{LoadError, Progress, failed};
use crate::protocol::{ErrorBody, Request, Status};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The parts of [`crate::protocol::Frame`] that a player needs.
#[derive(Deserialize)]
struct ReceivedFrame<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    id: Option<u32>,
    now: Option<Now>,
    error: Option<ErrorBody>,
}

#[derive(Deserialize)]
struct Now {
    moment: u32,
    status: Status,
    asks: Vec<SeatAsk>,
}

#[derive(Clone, Deserialize)]
struct SeatAsk {
    seat: Seat,
    subjects: Vec<String>,
}

/// `{"result":{"options":[…]}}`
#[derive(Deserialize)]
struct Offered {
    result: Options,
}

#[derive(Deserialize)]
struct Options {
    options: OneOf,
}

/// One random element of a list of options, if there is any; the others are skipped without being parsed.
struct OneOf(Option<OptionItem>);

impl<'de> Deserialize<'de> for OneOf {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Pick;
        impl<'de> Visitor<'de> for Pick {
            type Value = OneOf;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of options")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<OneOf, A::Error> {
                let mut picked = None;
                for seen in 1_u32.. {
                    // Reservoir sampling: the n-th element replaces the one held with a chance of 1 in n.
                    let takes = DICE.with_borrow_mut(|dice| dice.next_u32() % seen) == 0;
                    if takes {
                        match list.next_element()? {
                            Some(option) => picked = Some(option),
                            None => break,
                        }
                    } else if list.next_element::<IgnoredAny>()?.is_none() {
                        break;
                    }
                }
                Ok(OneOf(picked))
            }
        }
        from.deserialize_seq(Pick)
    }
}

thread_local! {
    static DICE: RefCell<ChaCha8Rng> = RefCell::new(ChaCha8Rng::seed_from_u64(4444));
}

pub struct Player {
    socket: Socket,
    now: Now,
    rng: ChaCha8Rng,
    progress: Arc<Progress>,
    again: NewGameRequest,
}

/// What is needed to start another game.
#[derive(Clone)]
struct NewGameRequest {
    http: reqwest::Client,
    base: String,
    setup: Value,
    token: String,
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

impl Player {
    pub async fn sit(
        http: &reqwest::Client,
        base: &str,
        setup: &Value,
        n: u64,
        progress: &Arc<Progress>,
    ) -> Result<Self, LoadError> {
        let guest =
            post(http, &format!("{base}/api/guest"), None, &json!({ "name": format!("Load {n}") })).await?;
        let token = guest["token"].as_str().unwrap_or_default().to_owned();
        let again = NewGameRequest { http: http.clone(), base: base.to_owned(), setup: setup.clone(), token };
        Self::open(again, ChaCha8Rng::seed_from_u64(n), Arc::clone(progress)).await
    }

    async fn open(
        again: NewGameRequest,
        rng: ChaCha8Rng,
        progress: Arc<Progress>,
    ) -> Result<Self, LoadError> {
        let NewGameRequest { http, base, setup, token } = &again;
        let made = post(http, &format!("{base}/api/games"), Some(token), setup).await?;
        let id = made["game"]["id"].as_str().unwrap_or_default();
        let url = format!("{}/api/games/{id}/ws", base.replacen("http", "ws", 1));
        // The whole buffer is cleared for every read, so it is just large enough for a typical frame.
        let config = WebSocketConfig::default().read_buffer_size(8 << 10);
        let connecting = tokio_tungstenite::connect_async_with_config(url, Some(config), true);
        let (mut socket, _) = connecting.await.map_err(failed)?;
        let hello = json!({ "type": "hello", "protocol": crate::protocol::PROTOCOL, "token": token });
        socket.send(Message::text(hello.to_string())).await.map_err(failed)?;
        let now = loop {
            let text = hear(&mut socket, &progress).await?;
            if let Some(now) = read::<ReceivedFrame>(&text)?.now {
                break now;
            }
        };
        let mut player = Player { socket, now, rng, progress, again };
        // Look as one seat, like a player at a table of two; otherwise every change of the deciding seat sends a whole
        // view.
        player.send(&Request::Look { id: 3, viewer: Some(Viewer::Seat(Seat(0))) }).await?;
        Ok(player)
    }

    /// Play until asked to stop. Returns how long each decision took until its new view arrived.
    pub async fn play(
        mut self,
        progress: Arc<Progress>,
        pause: Duration,
    ) -> Result<Vec<Duration>, LoadError> {
        let mut times = Vec::new();
        while progress.is_playing() {
            if self.now.status != Status::Playing {
                self = Self::open(self.again, self.rng, self.progress).await?;
            }
            if !pause.is_zero() {
                let share = 2.0 * f64::from(self.rng.next_u32()) / f64::from(u32::MAX);
                tokio::time::sleep(pause.mul_f64(share)).await;
            }
            let Some(ask) = self.now.asks.first().cloned() else {
                return Err(failed("a player at every seat is asked nothing"));
            };
            let Some(action) = self.choose(&ask).await? else { continue };
            let began = Instant::now();
            if self.act(&ask, action).await? {
                times.push(began.elapsed());
                progress.actions.fetch_add(1, Ordering::Relaxed);
            } else {
                progress.refused.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(times)
    }

    async fn choose(&mut self, ask: &SeatAsk) -> Result<Option<String>, LoadError> {
        let subject = ask.subjects[self.pick(ask.subjects.len())].clone();
        self.send(&Request::Options { id: 1, seat: ask.seat, subject, after: Vec::new() }).await?;
        loop {
            let text = hear(&mut self.socket, &self.progress).await?;
            let heard: ReceivedFrame = read(&text)?;
            if heard.id != Some(1) {
                continue;
            }
            if let Some(error) = heard.error {
                return Err(failed(error.detail));
            }
            let offered: Offered = read(&text)?;
            return Ok(offered.result.options.0.map(|option| self.filled(option)));
        }
    }

    /// An action with its open parts filled in at random.
    fn filled(&mut self, option: OptionItem) -> String {
        let Some(template) = option.template else { return option.action };
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
        words.join(" ")
    }

    /// Returns false if the rules refuse the action.
    async fn act(&mut self, ask: &SeatAsk, action: String) -> Result<bool, LoadError> {
        self.send(&Request::Act { id: 2, seat: ask.seat, action, moment: self.now.moment }).await?;
        loop {
            let text = hear(&mut self.socket, &self.progress).await?;
            let heard: ReceivedFrame = read(&text)?;
            // The acknowledgement comes after the update.
            if let Some(now) = heard.now {
                self.now = now;
            }
            if heard.id == Some(2) {
                return Ok(heard.kind == "reply");
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

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, LoadError> {
    serde_json::from_str(text).map_err(failed)
}

async fn hear(
    socket: &mut Socket,
    progress: &Progress,
) -> Result<tokio_tungstenite::tungstenite::Utf8Bytes, LoadError> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => {
                progress.bytes.fetch_add(text.len() as u64, Ordering::Relaxed);
                return Ok(text);
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(_)) | None => return Err(failed("the server closed the connection")),
            Some(Err(error)) => return Err(failed(error)),
        }
    }
}
