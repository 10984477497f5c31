//! Advice, decisions played out beforehand, and bots that search for a long time.

use std::sync::Arc;
use std::time::Duration;

use kernel::{Seat, Verdict, Viewer};
use serde_json::json;
use server::protocol::{Answered, BotLevel, ErrorCode, Frame, Request, WhatIf};
use server::{BotChoice, BotProvider, Cancel};

use crate::client::{Person, Table};
use crate::harness::{Running, TestDatabase};

fn what_if(action: &str, times: u32) -> impl FnOnce(u32) -> Request {
    let action = action.to_owned();
    move |id| Request::WhatIf { id, seat: Seat(0), action, times: Some(times), question: None }
}

async fn played_out(table: &mut Table, action: &str, times: u32) -> WhatIf {
    match table.ask(what_if(action, times)).await.unwrap() {
        Answered::WhatIf(answer) => *answer,
        other => panic!("{other:?}"),
    }
}

/// A game with analysis in which Ann plays both sides.
async fn alone(server: &Running) -> (Person, String, Table) {
    let ann = server.person("Ann").await;
    let seats = json!([{ "kind": "me" }, { "kind": "hotseat" }]);
    let id = ann.create_with(seats, json!({ "analysis": true })).await.game.summary.id;
    let table = ann.sit(&id).await;
    (ann, id, table)
}

/// Red may move, and Blue waits in ambush.
async fn ambushed(table: &mut Table) {
    for (seat, action) in [(0, "decoy r4"), (1, "decoy b4"), (0, "order advance"), (1, "order ambush")] {
        table.must(seat, action).await;
    }
}

pub async fn only_where_it_is_allowed(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let seats = json!([{ "kind": "me" }, { "kind": "hotseat" }]);
    let plain = ann.create(seats.clone()).await;
    assert!(!plain.game.analysis);
    let mut table = ann.sit(&plain.game.summary.id).await;
    let refused = table.ask(what_if("decoy r1", 10)).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Forbidden);
    let refused = table.ask(|id| Request::Advise { id, seat: Seat(0), level: None }).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Forbidden);

    let made = ann.create_with(seats, json!({ "analysis": true })).await;
    assert!(made.game.analysis);
    let id = made.game.summary.id;
    let mut table = ann.sit(&id).await;
    let ben = server.person("Ben").await;
    for request in [what_if("decoy r1", 10)(1), Request::Advise { id: 1, seat: Seat(0), level: None }] {
        let refused = ben.call(&id, &request).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::NotYourSeat);
        assert!(ann.call(&id, &request).await.is_ok());
    }
    let illegal = table.ask(what_if("move r1 a1 a2", 10)).await.unwrap_err();
    assert_eq!(illegal.code, ErrorCode::Illegal);
    assert!(illegal.refusal.is_some());
    let unknown = |id| Request::Advise { id, seat: Seat(0), level: Some("genius".into()) };
    assert_eq!(table.ask(unknown).await.unwrap_err().code, ErrorCode::BadRequest);
    // The advised action is legal, and nothing has happened yet.
    match table.ask(|id| Request::Advise { id, seat: Seat(0), level: None }).await.unwrap() {
        Answered::Advice(advice) => {
            assert_eq!((advice.moment, advice.level.as_str()), (table.now().moment, "random"));
            let verdict = table
                .ask(|id| Request::Verdict {
                    id,
                    seat: Seat(0),
                    action: advice.action.clone(),
                    after: Vec::new(),
                })
                .await
                .unwrap();
            assert!(matches!(verdict, Answered::Verdict(Verdict::Legal)), "{advice:?}");
        }
        other => panic!("{other:?}"),
    }
    assert!(server.hub.room(&id).await.unwrap().session.is_empty());
    server.close().await;
}

pub async fn decisions_are_played_out(database: TestDatabase) {
    let server = database.open().await;
    let (_, id, mut table) = alone(&server).await;
    // No die is rolled, so one game is enough.
    let certain = played_out(&mut table, "decoy r1", 500).await;
    assert!(certain.certain && certain.times == 1, "{certain:?}");
    ambushed(&mut table).await;
    let (view, moment) = (table.view.clone(), table.now().moment);
    let room = server.hub.room(&id).await.unwrap();
    let start = room.session.table().view(Viewer::Seat(Seat(0)));
    let mine: Vec<String> =
        start.pieces.iter().filter(|p| p.seat == Some(Seat(0))).map(|p| p.id.clone()).collect();
    drop(room);
    // For a quiet move, the answer says where the piece goes.
    let options = match table
        .ask(|id| Request::Options { id, seat: Seat(0), subject: mine[0].clone(), after: Vec::new() })
        .await
        .unwrap()
    {
        Answered::Options(options) => options,
        other => panic!("{other:?}"),
    };
    let action = options[0].action.clone();
    let quiet = played_out(&mut table, &action, 100).await;
    assert_eq!((quiet.action.as_str(), quiet.moment), (action.as_str(), moment));
    let fate = quiet.pieces.iter().find(|f| f.piece == mine[0]).expect("it moved");
    assert_eq!(fate.places.len(), 1);
    assert!((fate.places[0].1 - 1.0).abs() < 1e-9 && fate.gone == 0.0, "{fate:?}");
    for losses in &quiet.losses {
        let sum: f64 = losses.spread.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9, "{losses:?}");
    }
    // The real game has not changed.
    assert_eq!(table.now().moment, moment);
    assert_eq!(server.hub.room(&id).await.unwrap().session.len(), 4);
    assert_eq!(table.view.pieces.len(), view.pieces.len());
    server.close().await;
}

pub async fn what_is_hidden_stays_hidden(database: TestDatabase) {
    let server = database.open().await;
    let (_, _, mut table) = alone(&server).await;
    assert!(table.now().curtain, "both choose in secret");
    ambushed(&mut table).await;
    assert!(table.now().curtain, "each knows its own decoy only");
    // Play on until an attack is possible, which reveals the defender.
    for _ in 0..400 {
        let asks = table.now().asks.clone();
        let Some(ask) = asks.first() else { break };
        let target = ask.subjects.iter().find(|s| s.starts_with("target ")).cloned();
        if let (Some(subject), Seat(0)) = (target, ask.seat) {
            let options = table
                .ask(|id| Request::Options { id, seat: Seat(0), subject, after: Vec::new() })
                .await
                .unwrap();
            let Answered::Options(options) = options else { panic!("{options:?}") };
            if let Some(template) = options.first().and_then(|o| o.template.as_ref()) {
                let slot = &template.parts[0];
                let action = format!("{} {}", slot.words, slot.candidates[0]);
                if table.ask(what_if(&action, 40)).await.is_ok() {
                    let answer = played_out(&mut table, &action, 40).await;
                    assert_eq!((answer.times, answer.hidden), (40, 40), "{answer:?}");
                    assert!(answer.told.is_empty() && answer.pieces.is_empty());
                    server.close().await;
                    return;
                }
            }
        }
        table.act_somehow().await;
        if table.now().result.is_some() {
            break;
        }
    }
    // This line of play led to no attack by Red, so nothing was revealed and the test proves nothing.
    panic!("nobody was ever attacked");
}

/// Searches until it is asked to stop, and reports its progress.
struct Slow;

impl BotProvider for Slow {
    fn levels(&self, _: &str) -> Vec<BotLevel> {
        vec![BotLevel { id: "slow".into(), name: "bot.slow".into() }]
    }

    fn choose(
        &self,
        _: &str,
        table: &dyn kernel::Table,
        seat: Seat,
        _: &str,
        cancel: &Cancel,
    ) -> Option<BotChoice> {
        for n in 0..2000 {
            if cancel.is_set() {
                break;
            }
            cancel.tell(n as f32 / 2000.0);
            std::thread::sleep(Duration::from_millis(10));
        }
        let subject = table.subjects(seat).first()?.subject.clone();
        let action = table.options(seat, &subject).ok()?.first()?.action.clone();
        Some(BotChoice { action, why: None })
    }
}

pub async fn advice_can_be_withdrawn(database: TestDatabase) {
    let mut config = database.config();
    config.bots = Arc::new(Slow);
    let server = database.open_with(config).await;
    let (_, _, mut table) = alone(&server).await;
    let advise = |id| Request::Advise { id, seat: Seat(0), level: None };
    table.send_raw(&serde_json::to_string(&advise(900)).unwrap()).await;
    // Other requests are answered meanwhile.
    table
        .ask(|id| Request::Verdict { id, seat: Seat(0), action: "decoy r1".into(), after: Vec::new() })
        .await
        .unwrap();
    table.ask(|id| Request::Cancel { id, of: 900 }).await.unwrap();
    assert_eq!(table.answer(900).await.unwrap_err().code, ErrorCode::Cancelled);
    // A decision of the player cancels the advice.
    table.send_raw(&serde_json::to_string(&advise(901)).unwrap()).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    table.must(0, "decoy r1").await;
    assert_eq!(table.answer(901).await.unwrap_err().code, ErrorCode::Cancelled);
    // The number of concurrent analyses is limited.
    for id in 910..913 {
        let ask = Request::Advise { id, seat: Seat(1), level: None };
        table.send_raw(&serde_json::to_string(&ask).unwrap()).await;
    }
    assert_eq!(table.answer(912).await.unwrap_err().code, ErrorCode::RateLimited);
    server.close().await;
}

pub async fn a_pondering_bot_can_be_hurried(database: TestDatabase) {
    let mut config = database.config();
    config.bots = Arc::new(Slow);
    let server = database.open_with(config).await;
    let ann = server.person("Ann").await;
    let made = ann.create(json!([{ "kind": "me" }, { "kind": "bot", "level": "slow" }])).await;
    let id = made.game.summary.id;
    let mut table = ann.sit(&id).await;
    let progress = |table: &Table| {
        let thinking = |text: &String| match serde_json::from_str(text) {
            Ok(Frame::Thinking { seat: Seat(1), on: true, progress }) => progress,
            _ => None,
        };
        table.heard.iter().filter_map(thinking).next_back()
    };
    table.until(|t| progress(t).is_some_and(|p| p > 0.0 && p < 1.0)).await;
    assert_eq!(table.now().decision, 0);
    let ben = server.person("Ben").await;
    let refused = ben.call(&id, &Request::Hurry { id: 1, seat: Seat(1) }).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotYourSeat);
    table.ask(|id| Request::Hurry { id, seat: Seat(1) }).await.unwrap();
    table.until(|t| t.now().decision == 1).await;
    assert_eq!(server.hub.room(&id).await.unwrap().session.journal().records[0].seat, Seat(1));
    server.close().await;
}
