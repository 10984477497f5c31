//! A small client of the protocol, as any program could implement it.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use kernel::{Seat, View};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};
use reqwest::{Method, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use server::patch;
use server::protocol::{
    Answered, ChatLine, Created, ErrorBody, ErrorCode, Frame, FrameRate, GameDetail, LogLine, Now, Request,
    Welcomed,
};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

#[derive(Clone, Debug)]
pub struct Person {
    pub base: String,
    pub token: Option<String>,
    http: reqwest::Client,
}

impl Person {
    pub fn stranger(base: &str) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Person { base: base.into(), token: None, http }
    }

    pub async fn guest(base: &str, name: &str) -> Self {
        let mut person = Person::stranger(base);
        let welcomed: Welcomed = person.post("/api/guest", &json!({ "name": name })).await;
        person.token = Some(welcomed.token);
        person
    }

    pub fn with_token(&self, token: &str) -> Self {
        Person { token: Some(token.into()), ..self.clone() }
    }

    /// The same person after a restart of the server.
    pub fn moved_to(&self, base: &str) -> Self {
        Person { base: base.into(), ..self.clone() }
    }

    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> T {
        read(self.request(Method::GET, path)).await.unwrap_or_else(|e| panic!("{path}: {e:?}"))
    }

    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> T {
        self.try_post(path, body).await.unwrap_or_else(|e| panic!("{path}: {e:?}"))
    }

    pub async fn try_get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ErrorBody> {
        read(self.request(Method::GET, path)).await
    }

    pub async fn try_post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, ErrorBody> {
        read(self.request(Method::POST, path).json(body)).await
    }

    /// As [`Person::post`]; `None` once the server is dead.
    pub async fn while_it_lives<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Option<T> {
        let response = self.request(Method::POST, path).json(body).send().await.ok()?;
        let status = response.status();
        let text = response.text().await.ok()?;
        assert!(status.is_success(), "{status} {text}");
        serde_json::from_str(&text).ok()
    }

    pub async fn create(&self, seats: Value) -> Created {
        self.create_with(seats, json!({})).await
    }

    pub async fn create_with(&self, seats: Value, more: Value) -> Created {
        let mut body =
            json!({ "setup": { "game": "outpost", "scenario": "standard", "options": [] }, "seats": seats });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.post("/api/games", &body).await
    }

    pub async fn detail(&self, game: &str) -> GameDetail {
        self.get(&format!("/api/games/{game}")).await
    }

    pub async fn call(&self, game: &str, request: &Request) -> Result<Answered, ErrorBody> {
        self.try_post(&format!("/api/games/{game}/call"), request).await
    }

    pub async fn sit(&self, game: &str) -> Table {
        self.sit_since(game, None).await
    }

    pub async fn sit_since(&self, game: &str, since: Option<u32>) -> Table {
        let mut table = Table::connect(&self.base, game).await;
        let hello = json!({ "type": "hello", "protocol": server::protocol::PROTOCOL, "token": self.token, "since": since });
        table.send_raw(&hello.to_string()).await;
        table.until(|t| t.welcomed).await;
        table
    }
}

async fn read<T: DeserializeOwned>(request: reqwest::RequestBuilder) -> Result<T, ErrorBody> {
    let response = request.send().await.expect("the server answers");
    let status = response.status();
    let text = response.text().await.unwrap();
    if status.is_success() {
        let text = if status == StatusCode::NO_CONTENT { "null" } else { &text };
        return Ok(serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}")));
    }
    let mut body: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{status} {e}: {text}"));
    Err(serde_json::from_value(body["error"].take()).unwrap_or_else(|e| panic!("{e}: {text}")))
}

/// A socket at a table, with the state that a client keeps.
pub struct Table {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub welcomed: bool,
    /// What the server lets this socket send.
    pub rate: Option<FrameRate>,
    pub closed: bool,
    /// Why the server closed it.
    pub code: Option<u16>,
    pub detail: Option<GameDetail>,
    pub seats: Vec<Seat>,
    pub now: Option<Now>,
    pub view: View,
    pub lines: Vec<LogLine>,
    pub chat: Vec<ChatLine>,
    pub from: u32,
    /// Every frame as it was received.
    pub heard: Vec<String>,
    answers: Vec<(u32, Result<Answered, ErrorBody>)>,
    next: u32,
    rng: ChaCha8Rng,
}

const PATIENCE: Duration = Duration::from_secs(20);

impl Table {
    pub async fn connect(base: &str, game: &str) -> Self {
        let url = format!("{}/api/games/{game}/ws", base.replacen("http", "ws", 1));
        let (socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
        Table {
            socket,
            welcomed: false,
            rate: None,
            closed: false,
            code: None,
            detail: None,
            seats: Vec::new(),
            now: None,
            view: View::default(),
            lines: Vec::new(),
            chat: Vec::new(),
            from: 0,
            heard: Vec::new(),
            answers: Vec::new(),
            next: 1,
            rng: ChaCha8Rng::seed_from_u64(7),
        }
    }

    pub fn now(&self) -> &Now {
        self.now.as_ref().expect("welcomed")
    }

    pub async fn send_raw(&mut self, text: &str) {
        // If the server has closed the socket, reading will show it.
        let _ = self.socket.send(Message::text(text)).await;
    }

    /// Read frames until a condition holds.
    pub async fn until(&mut self, done: impl Fn(&Table) -> bool) {
        tokio::time::timeout(PATIENCE, async {
            while !done(self) {
                assert!(!self.closed, "the socket closed; last frames: {:?}", self.heard.last());
                self.hear().await;
            }
        })
        .await
        .expect("it happens in time");
    }

    pub async fn hear(&mut self) {
        match self.socket.next().await {
            Some(Ok(Message::Text(text))) => self.take(&text),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Close(why))) => {
                self.closed = true;
                self.code = why.map(|frame| frame.code.into());
            }
            Some(Ok(_) | Err(_)) | None => self.closed = true,
        }
    }

    fn take(&mut self, text: &str) {
        self.heard.push(text.to_owned());
        let frame: Frame = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
        match frame {
            Frame::Welcome(welcome) => {
                self.welcomed = true;
                self.rate = welcome.frames;
                self.seats = welcome.seats;
                self.detail = Some(welcome.game);
                self.now = Some(welcome.now);
                self.view = welcome.view;
                self.from = welcome.from;
                if welcome.from == 0 {
                    self.lines.clear();
                    self.chat.clear();
                }
                self.add(welcome.undone, welcome.lines, welcome.chat);
            }
            Frame::Update(update) => {
                // There is no gap and no repetition.
                assert_eq!(update.now.seq, self.now().seq + 1);
                if let Some(patch) = update.patch {
                    patch::apply(&mut self.view, patch);
                }
                if let Some(view) = update.view {
                    self.view = view;
                }
                self.now = Some(update.now);
                self.add(update.undone, update.lines, update.chat);
            }
            Frame::Looked(looked) => {
                self.now = Some(looked.now);
                self.view = looked.view;
                self.lines = looked.lines;
            }
            Frame::Table { game } => self.detail = Some(*game),
            Frame::Thinking { .. } => {}
            Frame::Reply { id, result } => self.answers.push((id, Ok(result))),
            Frame::Refused { id, error } => self.answers.push((id, Err(error))),
        }
    }

    pub fn add(&mut self, undone: Option<u32>, lines: Vec<LogLine>, chat: Vec<ChatLine>) {
        if let Some(remain) = undone {
            self.lines.retain(|line| line.decision <= remain);
        }
        self.lines.extend(lines);
        self.chat.extend(chat);
    }

    /// Ask and wait for the answer.
    pub async fn ask(&mut self, make: impl FnOnce(u32) -> Request) -> Result<Answered, ErrorBody> {
        let id = self.next;
        self.next += 1;
        self.send_raw(&serde_json::to_string(&make(id)).unwrap()).await;
        self.answer(id).await
    }

    /// The answer to a request that was sent.
    pub async fn answer(&mut self, id: u32) -> Result<Answered, ErrorBody> {
        self.until(|t| t.answers.iter().any(|(n, _)| *n == id)).await;
        let at = self.answers.iter().position(|(n, _)| *n == id).unwrap();
        self.answers.remove(at).1
    }

    pub async fn act(&mut self, seat: Seat, action: &str) -> Result<u32, ErrorBody> {
        let moment = self.now().moment;
        let action = action.to_owned();
        match self.ask(|id| Request::Act { id, seat, action, moment }).await? {
            Answered::Done { seq } => Ok(seq),
            other => panic!("{other:?}"),
        }
    }

    pub async fn must(&mut self, seat: u8, action: &str) {
        self.act(Seat(seat), action).await.unwrap_or_else(|e| panic!("{action}: {e:?}"));
    }

    /// Take any legal decision, found only through the protocol.
    pub async fn act_somehow(&mut self) {
        assert!(!self.now().asks.is_empty(), "something is asked");
        for _ in 0..200 {
            // Where both sides may decide openly, the other may have been quicker.
            let Some(asked) = self.now().asks.first().cloned() else { return };
            let subject = asked.subjects[self.pick(asked.subjects.len())].clone();
            let seat = asked.seat;
            let options = match self.ask(|id| Request::Options { id, seat, subject, after: Vec::new() }).await
            {
                Ok(Answered::Options(options)) => options,
                Ok(other) => panic!("{other:?}"),
                Err(error) if error.code == ErrorCode::Stale => continue,
                Err(error) => panic!("{error:?}"),
            };
            if options.is_empty() {
                continue;
            }
            let option = &options[self.pick(options.len())];
            let action = match &option.template {
                None => option.action.clone(),
                Some(template) => {
                    let mut words = Vec::new();
                    for slot in &template.parts {
                        let most = usize::from(slot.max).min(slot.candidates.len());
                        let least = usize::from(slot.min).min(most);
                        let count = least + self.pick(most - least + 1);
                        if count > 0 || slot.min == 0 && slot.candidates.is_empty() {
                            words.push(slot.words.clone());
                        }
                        let mut left = slot.candidates.clone();
                        for _ in 0..count {
                            let at = self.pick(left.len());
                            words.push(left.remove(at));
                        }
                    }
                    words.retain(|w| !w.is_empty());
                    words.join(" ")
                }
            };
            match self.act(seat, &action).await {
                Ok(_) => return,
                Err(error) => {
                    let known = matches!(error.code, ErrorCode::Illegal | ErrorCode::Stale);
                    assert!(known, "{action}: {error:?}");
                }
            }
        }
        panic!("no legal decision is found");
    }

    fn pick(&mut self, of: usize) -> usize {
        self.rng.next_u32() as usize % of.max(1)
    }
}
