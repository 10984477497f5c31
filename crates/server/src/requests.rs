//! Requests of a client to a table, by socket or by HTTP.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use kernel::{Ask, Dice, Seat, Stop, Table, Viewer};
use tokio::sync::oneshot;

use crate::analysis;
use crate::bots::CancelOnDrop;
use crate::error::{Fault, Result};
use crate::guard;
use crate::hub::Hub;
use crate::limits;
use crate::naming::Naming;
use crate::protocol::{Answered, ErrorCode, Foreseen, Request};
use crate::room::Room;
use crate::store::rows::UserRow;

/// The longest text accepted as notation, in bytes.
const NOTATION: usize = 4096;

/// Answer a request. A request that changes the game is completed even if the client disconnects meanwhile.
pub async fn answer(
    hub: &Arc<Hub>,
    game: &str,
    user: Option<Arc<UserRow>>,
    client: Option<u64>,
    request: Request,
) -> Result<Answered> {
    if matches!(request, Request::Advise { .. } | Request::WhatIf { .. }) {
        // An analysis changes nothing, so it is cancelled when the client disconnects.
        let cancel = CancelOnDrop(Arc::default());
        return analysis::answer(hub, game, user.as_deref(), request, &cancel.0).await;
    }
    let (told, answer) = oneshot::channel();
    let tell = move |_, answered| drop(told.send(answered));
    reply(hub, game, user, client, request, tell).await;
    // `reply` always calls `tell`, unless its task panics.
    answer.await.unwrap_or_else(|error| Err(Fault::internal(error)))
}

/// Answer a request other than an analysis, and pass the answer to `tell` as soon as it is known.
pub async fn reply(
    hub: &Arc<Hub>,
    game: &str,
    user: Option<Arc<UserRow>>,
    client: Option<u64>,
    request: Request,
    tell: impl FnOnce(u32, Result<Answered>) + Send + 'static,
) {
    let id = request.id();
    let asks = matches!(
        request,
        Request::Options { .. } | Request::Verdict { .. } | Request::Ask { .. } | Request::Foresee { .. }
    );
    if asks {
        tell(id, safely(game, answer_here(hub, game, user.as_deref(), client, request)).await);
        return;
    }
    let (hub, game) = (Arc::clone(hub), game.to_owned());
    let task = async move {
        tell(id, safely(&game, answer_here(&hub, &game, user.as_deref(), client, request)).await);
    };
    if let Err(error) = tokio::spawn(task).await {
        tracing::error!(%error, "a request failed");
    }
}

/// The safety net below [`guard::rules`]: after a panic anywhere else, the game is loaded from disk again.
async fn safely(game: &str, work: impl Future<Output = Result<Answered>>) -> Result<Answered> {
    let caught = AssertUnwindSafe(work).catch_unwind().await;
    caught.unwrap_or_else(|panic| Err(guard::failed(game, "request", &*panic)))
}

async fn answer_here(
    hub: &Hub,
    game: &str,
    user: Option<&UserRow>,
    client: Option<u64>,
    request: Request,
) -> Result<Answered> {
    let id = user.map(|u| u.id.as_str());
    let mut room = hub.room(game).await?;
    room.may_look(id)?;
    let done = |seq| Answered::Done { seq };
    match request {
        Request::Options { seat, subject, after, .. } => {
            room.must_hold(id, seat)?;
            short(&subject)?;
            let planned = planned(&room, seat, &after)?;
            let table = planned.as_deref().unwrap_or_else(|| room.session.table());
            guard::rules(game, &subject, || {
                let options = table.options(seat, &subject)?;
                let naming = names(&room, planned.as_deref(), seat);
                Ok(Answered::Options(options.into_iter().map(|option| naming.offer(option)).collect()))
            })?
            .map_err(Fault::illegal)
        }
        Request::Verdict { seat, action, after, .. } => {
            room.must_hold(id, seat)?;
            short(&action)?;
            let planned = planned(&room, seat, &after)?;
            let table = planned.as_deref().unwrap_or_else(|| room.session.table());
            guard::rules(game, &action, || table.verdict(seat, &action)).map(Answered::Verdict)
        }
        Request::Ask { seat, question, after, .. } => {
            short(&question)?;
            let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
            room.may_be(id, viewer)?;
            let planned = match seat {
                Some(seat) if !after.is_empty() => {
                    room.must_hold(id, seat)?;
                    planned(&room, seat, &after)?
                }
                _ => None,
            };
            let table = planned.as_deref().unwrap_or_else(|| room.session.table());
            let answer = guard::rules(game, &question, || {
                let mut answer = table.ask(viewer, &question)?;
                if let (Some(seat), Some(brief)) = (seat, answer.get_mut("brief")) {
                    read_brief(brief, &names(&room, planned.as_deref(), seat));
                }
                Ok(answer)
            })?;
            answer.map(Answered::Answer).map_err(|error| match error {
                Ask::Secret => Fault::new(ErrorCode::Secret, error.to_string()),
                Ask::Unknown(_) | Ask::Bad(_) => Fault::bad(error.to_string()),
            })
        }
        Request::Foresee { seat, actions, .. } => {
            room.must_hold(id, seat)?;
            room.must_play()?;
            let planned = planned(&room, seat, &actions)?;
            let table = planned.as_deref().unwrap_or_else(|| room.session.table());
            guard::rules(game, "a plan", || {
                let awaits = table.pending().awaits(seat);
                let ask = awaits.then(|| names(&room, planned.as_deref(), seat).ask(table, seat));
                Answered::Foreseen(Box::new(Foreseen { view: table.view(Viewer::Seat(seat)), ask }))
            })
        }
        Request::Act { seat, action, moment, .. } => {
            room.must_hold(id, seat)?;
            short(&action)?;
            room.act(hub, seat, &action, moment, None).await.map(done)
        }
        Request::Undo { seat, moment, .. } => {
            room.must_hold(id, seat)?;
            room.undo(hub, seat, moment).await.map(done)
        }
        Request::Takeback { seat, moment, .. } => {
            room.must_hold(id, seat)?;
            room.ask_takeback(hub, seat, moment).await.map(done)
        }
        Request::Answer { seat, yes, .. } => {
            room.must_hold(id, seat)?;
            room.answer_takeback(hub, seat, yes).await.map(done)
        }
        Request::Propose { seat, what, .. } => {
            room.must_hold(id, seat)?;
            room.propose(hub, seat, what).await.map(done)
        }
        Request::AnswerProposal { seat, yes, .. } => {
            room.must_hold(id, seat)?;
            room.answer_proposal(hub, seat, yes).await.map(done)
        }
        Request::GoOn { seat, .. } => {
            room.must_hold(id, seat)?;
            room.go_on(hub, Some(seat)).await.map(done)
        }
        Request::TakeSeat { seat, .. } => {
            let id = id.ok_or_else(|| Fault::new(ErrorCode::Unauthorized, "who are you?"))?;
            room.take_back_seat(hub, id, seat).await.map(done)
        }
        Request::Resign { seat, .. } => {
            room.must_hold(id, seat)?;
            room.resign(hub, seat, false).await.map(done)
        }
        Request::Chat { seat, text, .. } => {
            let user = user.ok_or_else(|| Fault::new(ErrorCode::Unauthorized, "who are you?"))?;
            if let Some(seat) = seat {
                room.must_hold(id, seat)?;
            }
            let text = limits::chat(&text)?;
            room.chat(hub, user.name.clone(), seat, text).await.map(done)
        }
        Request::Look { viewer, .. } => {
            if let Some(viewer) = viewer {
                room.may_be(id, viewer)?;
            }
            let client = client.ok_or_else(|| Fault::bad("only a socket looks"))?;
            guard::rules(game, "look", || room.look(client, viewer))?;
            let seq = room.seq;
            Ok(done(seq))
        }
        Request::Hurry { seat, .. } => {
            if room.held(id).is_empty() {
                return Err(Fault::new(ErrorCode::NotYourSeat, "only players hurry a bot"));
            }
            if let Some(thinking) = room.thinking.get(&seat) {
                thinking.hurry();
            }
            Ok(done(room.seq))
        }
        // The socket has already cancelled it; without a socket there is nothing to cancel.
        Request::Cancel { .. } => Ok(done(room.seq)),
        Request::Advise { .. } | Request::WhatIf { .. } => Err(Fault::bad("asked elsewhere")),
        Request::Ping { .. } => Ok(Answered::Pong),
    }
}

/// The names at the table, or at the one that is planned.
fn names(room: &Room, planned: Option<&dyn Table>, seat: Seat) -> Naming {
    planned.map_or_else(|| room.naming_now(seat), |table| room.naming(table, seat))
}

/// Take the answers of a [`kernel::Brief`] apart.
fn read_brief(brief: &mut serde_json::Value, naming: &Naming) {
    for answer in brief.get_mut("answers").and_then(|all| all.as_array_mut()).into_iter().flatten() {
        let Some(action) = answer.get("action").and_then(|action| action.as_str()) else { continue };
        answer["reading"] = serde_json::json!(naming.read(action));
    }
}

/// The most decisions in a plan.
const PLANNED: usize = 64;

/// The table after decisions that are only planned; `None` if there are none. A plan ends where a die would be rolled
/// or something hidden would be revealed: it must not tell what only the real decision would.
fn planned(room: &Room, seat: Seat, actions: &[String]) -> Result<Option<Box<dyn Table>>> {
    if actions.is_empty() {
        return Ok(None);
    }
    if actions.len() > PLANNED {
        return Err(Fault::new(ErrorCode::TooLarge, format!("at most {PLANNED} decisions in a plan")));
    }
    let mut table = room.session.table().clone_table();
    for action in actions {
        short(action)?;
        let mut none = Dice::scripted(Vec::new());
        let applied = guard::rules(&room.row.id, action, || table.apply(seat, action, &mut none))?;
        let applied = applied.map_err(|stop| match stop {
            Stop::Illegal(refusal) => Fault::illegal(refusal),
            Stop::Dice(_) => Fault::new(ErrorCode::PlanEnds, "a die would be rolled here"),
        })?;
        if applied.revealed {
            return Err(Fault::new(ErrorCode::PlanEnds, "something hidden would be shown here"));
        }
    }
    Ok(Some(table))
}

pub fn short(text: &str) -> Result<()> {
    if text.len() > NOTATION {
        return Err(Fault::new(ErrorCode::TooLarge, format!("at most {NOTATION} bytes of notation")));
    }
    Ok(())
}
