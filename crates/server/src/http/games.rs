//! Games: create, list, join, read, replay.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use kernel::{Seat, Viewer};
use serde::Deserialize;

use super::identity::LONGEST;
use super::{Address, Anyone, Json, Known, Query, Shared};
use crate::error::{Fault, Result};
use crate::finished::Finished;
use crate::guard;
use crate::hub::Hub;
use crate::luck::LuckAnalysis;
use crate::protocol::{
    Answered, Archive, BranchGame, Created, ErrorCode, GameDetail, GameSummary, ImportGame, Invite, JoinGame,
    LabFile, Luck, Measure, NewGame, Past, Rematch, Replay, Request, Reviewed, SeatOnly, Welcome,
};
use crate::review::Reader;
use crate::room::{Room, summary};
use crate::store::Listing;
use crate::{lobby, requests, socket as live};

type Answer<T> = Result<axum::Json<T>>;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListName {
    #[default]
    Mine,
    Open,
    Public,
    Archived,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ListQuery {
    list: ListName,
}

pub async fn list(
    State(hub): Shared,
    Anyone(user): Anyone,
    Query(query): Query<ListQuery>,
) -> Answer<Vec<GameSummary>> {
    let me = user.as_ref().map(|u| u.id.as_str());
    let listing = match (query.list, me) {
        (ListName::Open, _) => Listing::Open,
        (ListName::Public, _) => Listing::Public,
        (ListName::Mine, Some(user)) => Listing::Mine { user, archived: false },
        (ListName::Archived, Some(user)) => Listing::Mine { user, archived: true },
        (ListName::Mine | ListName::Archived, None) => return Ok(axum::Json(Vec::new())),
    };
    let games = hub.store.list(listing).await?;
    Ok(axum::Json(games.iter().map(|(row, seats)| summary(row, seats, me, |_| false)).collect()))
}

pub async fn create(
    State(hub): Shared,
    Address(from): Address,
    Known(user): Known,
    Json(new): Json<NewGame>,
) -> Answer<Created> {
    hub.create_limit.take(from)?;
    Ok(axum::Json(lobby::create(&hub, &user, new).await?))
}

pub async fn import(
    State(hub): Shared,
    Address(from): Address,
    Known(user): Known,
    Json(new): Json<ImportGame>,
) -> Answer<Created> {
    hub.create_limit.take(from)?;
    Ok(axum::Json(lobby::import(&hub, &user, new).await?))
}

pub async fn branch(
    State(hub): Shared,
    Address(from): Address,
    Known(user): Known,
    Path(id): Path<String>,
    Json(new): Json<BranchGame>,
) -> Answer<Created> {
    hub.create_limit.take(from)?;
    Ok(axum::Json(lobby::branch(&hub, &user, &id, new).await?))
}

/// A finished game, to be replayed.
fn finished(hub: &Hub, room: &Room) -> Result<Finished> {
    if !room.session.is_over() {
        return Err(Fault::new(ErrorCode::NotOver, "the game is not over"));
    }
    Ok(Finished {
        game: Arc::clone(room.game()),
        bots: Arc::clone(&hub.config.bots),
        journal: room.session.journal().clone(),
    })
}

/// The decisions of a side that cost most, as a bot sees them. Only after the game is over.
pub async fn review(
    State(hub): Shared,
    Address(from): Address,
    Known(user): Known,
    Path((id, seat)): Path<(String, u8)>,
) -> Answer<Reviewed> {
    hub.create_limit.take(from)?;
    let reader = {
        let room = hub.room(&id).await?;
        room.may_look(Some(&user.id))?;
        let finished = finished(&hub, &room)?;
        if usize::from(seat) >= room.seats.len() {
            return Err(Fault::not_found());
        }
        let levels = hub.config.bots.levels(&room.row.setup.game);
        let level = levels.iter().find(|l| l.id == "veteran").or(levels.last());
        let level = level.ok_or_else(|| Fault::bad("there is no bot for this game"))?.id.clone();
        let measure = measure(&hub, &room.row.setup.game);
        Reader { finished, level, seat: Seat(seat), measure, cells: room.cells() }
    };
    let permit = Arc::clone(&hub.analysis_permits).acquire_owned().await.map_err(Fault::internal)?;
    let read = move || {
        let _permit = permit;
        guard::rules("review", "a review", || reader.read())?
    };
    tokio::task::spawn_blocking(read).await.map_err(Fault::internal)?.map(axum::Json)
}

/// In games that a bot can judge, positions are worth points.
fn measure(hub: &Hub, game: &str) -> Measure {
    if hub.config.bots.levels(game).len() > 1 { Measure::Points } else { Measure::Units }
}

/// What every die was worth, compared with what was expected. Only after the game is over; computed once.
pub async fn luck(
    State(hub): Shared,
    Address(from): Address,
    Anyone(user): Anyone,
    Path(id): Path<String>,
) -> Answer<Luck> {
    let me = user.as_ref().map(|u| u.id.as_str());
    let analysis = {
        let room = hub.room(&id).await?;
        room.may_look(me)?;
        if let Some(luck) = &room.luck {
            return Ok(axum::Json(Luck::clone(luck)));
        }
        let finished = finished(&hub, &room)?;
        let measure = measure(&hub, &room.row.setup.game);
        LuckAnalysis { finished, measure }
    };
    hub.create_limit.take(from)?;
    let permit = Arc::clone(&hub.analysis_permits).acquire_owned().await.map_err(Fault::internal)?;
    let reckon = move || {
        let _permit = permit;
        guard::rules("luck", "computing the luck of the dice", || analysis.compute())?
    };
    let luck = tokio::task::spawn_blocking(reckon).await.map_err(Fault::internal)??;
    hub.room(&id).await?.luck = Some(Arc::new(luck.clone()));
    Ok(axum::Json(luck))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct LabQuery {
    decision: Option<u32>,
}

/// A lab file that plays the game up to a given moment.
pub async fn lab_text(
    State(hub): Shared,
    Anyone(user): Anyone,
    Path(id): Path<String>,
    Query(query): Query<LabQuery>,
) -> Result<Response> {
    let decision = query.decision.unwrap_or(u32::MAX);
    let text = lobby::lab_text(&hub, user.as_deref(), &id, decision).await?;
    Ok(([(header::CONTENT_TYPE, "application/toml; charset=utf-8")], text).into_response())
}

/// Run a lab file; the report is as `grognard lab --json` prints it.
pub async fn lab(
    State(hub): Shared,
    Address(from): Address,
    Json(file): Json<LabFile>,
) -> Answer<serde_json::Value> {
    hub.create_limit.take(from)?;
    let waiting = Arc::clone(&hub.analysis_permits).acquire_owned();
    let permit = waiting.await.map_err(Fault::internal)?;
    let games = hub.config.games.clone();
    let run = move || {
        let _permit = permit;
        let language = file.language.as_deref().filter(|l| matches!(*l, "ko" | "ja")).unwrap_or("en");
        guard::rules("lab", "a lab file", || {
            kernel::lab::run_in(&games, &file.text, "lab.toml", language).json()
        })
    };
    tokio::task::spawn_blocking(run).await.map_err(Fault::internal)?.map(axum::Json)
}

pub async fn detail(State(hub): Shared, Anyone(user): Anyone, Path(id): Path<String>) -> Answer<GameDetail> {
    let me = user.as_ref().map(|u| u.id.as_str());
    let room = hub.room(&id).await?;
    room.may_look(me)?;
    Ok(axum::Json(room.detail(me)))
}

pub async fn join(
    State(hub): Shared,
    Address(from): Address,
    Known(user): Known,
    Path(id): Path<String>,
    Json(join): Json<JoinGame>,
) -> Answer<GameDetail> {
    hub.identity_limit.take(from)?;
    Ok(axum::Json(lobby::join(&hub, &user, &id, join).await?))
}

pub async fn invite(
    State(hub): Shared,
    Known(user): Known,
    Path(id): Path<String>,
    Json(seat): Json<SeatOnly>,
) -> Answer<Invite> {
    Ok(axum::Json(lobby::invite(&hub, &user, &id, seat.seat).await?))
}

pub async fn rematch(
    State(hub): Shared,
    Known(user): Known,
    Path(id): Path<String>,
    Json(rematch): Json<Rematch>,
) -> Answer<GameDetail> {
    Ok(axum::Json(lobby::rematch(&hub, &user, &id, rematch.swap).await?))
}

pub async fn archive(
    State(hub): Shared,
    Known(user): Known,
    Path(id): Path<String>,
    Json(archive): Json<Archive>,
) -> Result<StatusCode> {
    lobby::archive(&hub, &user, &id, archive.archived).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub async fn journal(State(hub): Shared, Anyone(user): Anyone, Path(id): Path<String>) -> Result<Response> {
    let text = lobby::export(&hub, user.as_deref(), &id).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"game.grognard.json\""),
    ];
    Ok((headers, text).into_response())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ViewerQuery {
    /// The number of a seat, `spectator` or `referee`.
    viewer: Option<String>,
}

impl ViewerQuery {
    fn viewer(&self, or: Viewer) -> Result<Viewer> {
        match self.viewer.as_deref() {
            None => Ok(or),
            Some("spectator") => Ok(Viewer::Spectator),
            Some("referee") => Ok(Viewer::Referee),
            Some(seat) => seat
                .parse()
                .map(|seat| Viewer::Seat(Seat(seat)))
                .map_err(|_| Fault::bad("viewer: a seat's number, `spectator` or `referee`")),
        }
    }
}

pub async fn replay(
    State(hub): Shared,
    Anyone(user): Anyone,
    Path(id): Path<String>,
    Query(eyes): Query<ViewerQuery>,
) -> Answer<Replay> {
    let me = user.as_ref().map(|u| u.id.as_str());
    let room = hub.room(&id).await?;
    room.may_look(me)?;
    let viewer = eyes.viewer(room.viewer_of(room.held(me)))?;
    room.may_be(me, viewer)?;
    Ok(axum::Json(Replay { decisions: room.session.len() as u32, lines: room.lines(viewer, 0) }))
}

pub async fn at(
    State(hub): Shared,
    Anyone(user): Anyone,
    Path((id, n)): Path<(String, u32)>,
    Query(eyes): Query<ViewerQuery>,
) -> Answer<Past> {
    let me = user.as_ref().map(|u| u.id.as_str());
    let room = hub.room(&id).await?;
    room.may_look(me)?;
    let viewer = eyes.viewer(room.viewer_of(room.held(me)))?;
    room.may_be(me, viewer)?;
    let of = room.session.len() as u32;
    if n > of {
        return Err(Fault::not_found());
    }
    // Replaying may take long.
    let mut room = room;
    let past = move || {
        let table = room.session.table_at(n as usize).map_err(Fault::internal)?;
        let lines = match n.checked_sub(1) {
            Some(from) => room.lines_of(viewer, from as usize),
            None => Vec::new(),
        };
        drop(room);
        Ok(Past { decision: n, of, view: table.view(viewer), pending: table.pending(), lines })
    };
    tokio::task::spawn_blocking(past).await.map_err(Fault::internal)?.map(axum::Json)
}

/// The socket's requests without a socket. The id of the request has no meaning here.
pub async fn call(
    State(hub): Shared,
    Anyone(user): Anyone,
    Path(id): Path<String>,
    Json(request): Json<Request>,
) -> Answer<Answered> {
    Ok(axum::Json(requests::answer(&hub, &id, user, None, request).await?))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct StateQuery {
    since: Option<u32>,
    wait: u64,
}

/// The current state of the game, for programs without a socket; with `wait`, as soon as there is something new after
/// `since`.
pub async fn state(
    State(hub): Shared,
    Anyone(user): Anyone,
    Path(id): Path<String>,
    Query(query): Query<StateQuery>,
) -> Answer<Welcome> {
    let me = user.as_ref().map(|u| u.id.as_str());
    let since = query.since.unwrap_or(0);
    let mut news = {
        let room = hub.room(&id).await?;
        room.may_look(me)?;
        room.watch()
    };
    let patience = Duration::from_secs(query.wait).min(LONGEST);
    if query.since.is_some() && !patience.is_zero() {
        let mut closing = hub.closing();
        tokio::select! {
            _ = news.wait_for(|seq| *seq > since) => {}
            _ = closing.wait_for(|closing| *closing) => {}
            () = tokio::time::sleep(patience) => {}
        }
    }
    let room = hub.room(&id).await?;
    room.may_look(me)?;
    let viewer = guard::rules(&id, "welcome", || room.viewer_of(room.held(me)))?;
    guard::rules(&id, "welcome", || room.welcome(me, viewer, query.since)).map(axum::Json)
}

const READ_BUFFER: usize = 2 << 10;

pub async fn socket(
    State(hub): Shared,
    Address(from): Address,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let most = hub.config.limits.frame_bytes;
    let hub = Arc::clone(&hub);
    upgrade
        // Clients send short frames, and the whole buffer is cleared for every read.
        .read_buffer_size(READ_BUFFER)
        .max_message_size(most)
        .max_frame_size(most)
        .on_upgrade(move |socket| live::serve(hub, id, from, socket))
}
