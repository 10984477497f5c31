//! The live connection: one socket, one table.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::sync::mpsc::{self, error::TrySendError};

use crate::analysis;
use crate::bots::Cancel;
use crate::error::{Fault, Result};
use crate::guard;
use crate::hub::Hub;
use crate::limits::{Bucket, Rate};
use crate::lock;
use crate::protocol::{ErrorCode, Frame, FrameRate, Hello, PROTOCOL, Request};
use crate::requests;
use crate::room::encode;
use crate::store::rows::UserRow;

/// How long a new socket may wait before its hello.
const HELLO: Duration = Duration::from_secs(10);
/// How long a client may leave pings unanswered before it counts as gone.
const SILENCE: Duration = Duration::from_secs(75);
const PING: Duration = Duration::from_secs(30);
/// How many frames may wait for a slow client; beyond that it must reconnect.
const WAITING: usize = 256;

pub async fn serve(hub: Arc<Hub>, game: String, address: IpAddr, mut socket: WebSocket) {
    let Ok(_place) = Place::take(&hub, address) else {
        close(&mut socket, 1013, "too many connections").await;
        return;
    };
    if let Err(fault) = talk(&hub, &game, &mut socket).await {
        let (code, reason) = match fault.code() {
            ErrorCode::Internal => (1011, "internal"),
            ErrorCode::RulesFailed => (4500, "rules_failed"),
            ErrorCode::RateLimited => (1013, "rate_limited"),
            ErrorCode::NotFound => (4404, "not_found"),
            ErrorCode::Unauthorized => (4401, "unauthorized"),
            ErrorCode::Outdated => (4426, "outdated"),
            _ => (1008, "bad_request"),
        };
        close(&mut socket, code, reason).await;
    }
}

async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) {
    let _ =
        socket.send(Message::Close(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }))).await;
}

/// A counted connection.
struct Place {
    hub: Arc<Hub>,
    address: IpAddr,
}

impl Place {
    fn take(hub: &Arc<Hub>, address: IpAddr) -> Result<Self> {
        let mut sockets = lock(&hub.sockets);
        let all: usize = sockets.values().sum();
        let here = sockets.entry(address).or_default();
        let limits = hub.config.limits;
        if all >= limits.sockets || *here >= limits.sockets_per_address {
            return Err(Fault::new(ErrorCode::RateLimited, "too many connections"));
        }
        *here += 1;
        Ok(Place { hub: Arc::clone(hub), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut sockets = lock(&self.hub.sockets);
        if let Some(count) = sockets.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                sockets.remove(&self.address);
            }
        }
    }
}

async fn talk(hub: &Arc<Hub>, game: &str, socket: &mut WebSocket) -> Result<()> {
    let (user, since) = greet(hub, socket).await?;
    let id = user.as_ref().map(|u| u.id.clone());
    let (frames, mut outbox) = mpsc::channel::<Utf8Bytes>(WAITING);
    let client = {
        let mut room = hub.room(game).await?;
        room.may_look(id.as_deref())?;
        let Rate { per_second, burst } = hub.config.limits.frames;
        let rate = FrameRate { per_second, burst };
        guard::rules(game, "welcome", || room.enter(id, since, rate, frames.clone()))?
    };
    // Only the room holds a strong sender: when it drops this client, the outbox closes.
    let replies = frames.downgrade();
    drop(frames);
    let result = converse(hub, game, user, client, socket, &mut outbox, &replies).await;
    if let Ok(mut room) = hub.room(game).await {
        room.leave(client);
    }
    result
}

async fn converse(
    hub: &Arc<Hub>,
    game: &str,
    user: Option<Arc<UserRow>>,
    client: u64,
    socket: &mut WebSocket,
    outbox: &mut mpsc::Receiver<Utf8Bytes>,
    replies: &mpsc::WeakSender<Utf8Bytes>,
) -> Result<()> {
    let (mut sink, mut stream) = socket.split();
    let limits = hub.config.limits;
    let mut bucket = Bucket::full(limits.frames);
    let mut chat = Bucket::full(limits.chat);
    let mut ping = tokio::time::interval(PING);
    let mut heard = tokio::time::Instant::now();
    // Requests are answered one after another, concurrently with reading and writing frames.
    let (asked, mut queue) = mpsc::channel::<Request>(64);
    let mut analyses = Analyses::default();
    let answering = {
        let (hub, game, replies, user) = (Arc::clone(hub), game.to_owned(), replies.clone(), user.clone());
        async move {
            while let Some(request) = queue.recv().await {
                // The reply is sent together with the frames before it where both are ready. Holding a sender meanwhile
                // makes sure that it is sent even if the request unloads the room and thereby drops all its clients.
                let replies = replies.upgrade();
                let reply = move |id, answered| {
                    let frame = match answered {
                        Ok(result) => Frame::Reply { id, result },
                        Err(Fault(error)) => Frame::Refused { id, error },
                    };
                    if let Some(out) = replies
                        && let Err(TrySendError::Full(frame)) = out.try_send(encode(&frame))
                    {
                        // The client reads slowly: wait for it without holding up anybody else.
                        tokio::spawn(async move { out.send(frame).await });
                    }
                };
                requests::reply(&hub, &game, user.clone(), Some(client), request, reply).await;
            }
        }
    };
    let refuse = async |id: u32, fault: Fault| {
        if let Some(out) = replies.upgrade() {
            let _ = out.try_send(encode(&Frame::Refused { id, error: fault.0 }));
        }
    };
    let pump = async {
        loop {
            tokio::select! {
                frame = outbox.recv() => {
                    let Some(frame) = frame else {
                        let reason = Utf8Bytes::from_static("come_back");
                        let _ = sink.send(Message::Close(Some(CloseFrame { code: 1012, reason }))).await;
                        return Ok(());
                    };
                    let mut sent = sink.feed(Message::Text(frame)).await;
                    while let (Ok(()), Ok(next)) = (&sent, outbox.try_recv()) {
                        sent = sink.feed(Message::Text(next)).await;
                    }
                    if sent.is_err() || sink.flush().await.is_err() {
                        return Ok(());
                    }
                }
                message = stream.next() => {
                    heard = tokio::time::Instant::now();
                    let text = match message {
                        Some(Ok(Message::Text(text))) => text,
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                        Some(Ok(Message::Binary(_))) => return Err(Fault::bad("text frames only")),
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return Ok(()),
                    };
                    if bucket.take(limits.frames).is_err() {
                        return Err(Fault::new(ErrorCode::RateLimited, "too many frames"));
                    }
                    match serde_json::from_str::<Request>(&text) {
                        Ok(request) => {
                            let id = request.id();
                            if let Request::Cancel { of, .. } = request {
                                analyses.stop(of);
                            }
                            if matches!(request, Request::Chat { .. })
                                && let Err(fault) = chat.take(limits.chat)
                            {
                                refuse(id, fault).await;
                            } else if matches!(request, Request::Advise { .. } | Request::WhatIf { .. }) {
                                // An analysis takes seconds: run it concurrently, so that other requests do not wait.
                                let Some(cancel) = analyses.begin(id) else {
                                    let busy = "wait for the analyses that go on";
                                    refuse(id, Fault::new(ErrorCode::RateLimited, busy)).await;
                                    continue;
                                };
                                let ask = (Arc::clone(hub), game.to_owned(), user.clone(), replies.clone());
                                tokio::spawn(analyse(ask, request, cancel));
                            } else if asked.try_send(request).is_err() {
                                let busy = "wait for answers before asking more";
                                refuse(id, Fault::new(ErrorCode::RateLimited, busy)).await;
                            }
                        }
                        Err(error) => refuse(0, Fault::bad(error.to_string())).await,
                    }
                }
                _ = ping.tick() => {
                    if heard.elapsed() > SILENCE || sink.send(Message::Ping(Vec::new().into())).await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    };
    // The side that ends first ends both; work that a request has started continues on its own.
    tokio::select! {
        result = pump => result,
        () = answering => Ok(()),
    }
}

/// The running analyses of a socket, by request id. They are cancelled with it.
#[derive(Default)]
struct Analyses(Vec<(u32, Arc<Cancel>)>);

impl Analyses {
    /// The most analyses at the same time.
    const MOST: usize = 2;

    fn begin(&mut self, id: u32) -> Option<Arc<Cancel>> {
        // An analysis that has finished no longer holds its `Arc`.
        self.0.retain(|(_, cancel)| Arc::strong_count(cancel) > 1 && !cancel.is_unwanted());
        if self.0.len() >= Self::MOST {
            return None;
        }
        let cancel = Arc::<Cancel>::default();
        self.0.push((id, Arc::clone(&cancel)));
        Some(cancel)
    }

    fn stop(&mut self, id: u32) {
        for (_, cancel) in self.0.extract_if(.., |(n, _)| *n == id) {
            cancel.set();
        }
    }
}

impl Drop for Analyses {
    fn drop(&mut self) {
        for (_, cancel) in &self.0 {
            cancel.set();
        }
    }
}

type AnalysisRequest = (Arc<Hub>, String, Option<Arc<UserRow>>, mpsc::WeakSender<Utf8Bytes>);

async fn analyse((hub, game, user, replies): AnalysisRequest, request: Request, cancel: Arc<Cancel>) {
    let id = request.id();
    let frame = match analysis::answer(&hub, &game, user.as_deref(), request, &cancel).await {
        Ok(result) => Frame::Reply { id, result },
        Err(Fault(error)) => Frame::Refused { id, error },
    };
    // Release the place, so that the client may ask again once it has the answer.
    drop(cancel);
    if let Some(out) = replies.upgrade() {
        let _ = out.send(encode(&frame)).await;
    }
}

/// The protocol version named in a hello.
#[derive(serde::Deserialize)]
struct HelloVersion {
    protocol: u32,
}

async fn greet(hub: &Arc<Hub>, socket: &mut WebSocket) -> Result<(Option<Arc<UserRow>>, Option<u32>)> {
    let first = tokio::time::timeout(HELLO, socket.next());
    let Ok(Some(Ok(Message::Text(text)))) = first.await else {
        return Err(Fault::bad("the first frame is hello"));
    };
    // Read only the version first: the rest of another version's hello may differ.
    if let Ok(HelloVersion { protocol }) = serde_json::from_str(&text)
        && protocol != PROTOCOL
    {
        return Err(Fault::new(ErrorCode::Outdated, format!("this server speaks protocol {PROTOCOL}")));
    }
    let Hello::Hello { token, since, .. } =
        serde_json::from_str(&text).map_err(|e| Fault::bad(e.to_string()))?;
    let user = match &token {
        None => None,
        Some(token) => {
            let unknown = || Fault::new(ErrorCode::Unauthorized, "unknown token");
            Some(Arc::new(hub.store.user_by_token(token).await?.ok_or_else(unknown)?))
        }
    };
    Ok((user, since))
}
