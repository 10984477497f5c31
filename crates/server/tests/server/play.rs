//! Playing: alone, together, against a bot, across restarts.

use kernel::{Journal, Seat, Verdict, View, Viewer};
use serde_json::{Value, json};
use server::protocol::{Answered, Created, ErrorCode, HowEnded, Past, Replay, Request, Status, Welcome};

use crate::client::Table;
use crate::harness::TestDatabase;

pub async fn a_whole_game_and_its_proof(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let made = ann.create(json!([{ "kind": "me" }, { "kind": "hotseat", "name": "Ben" }])).await;
    let id = made.game.summary.id.clone();
    assert_eq!(made.game.seed, None);
    assert_eq!(made.game.summary.mine, [Seat(0), Seat(1)]);

    let mut table = ann.sit(&id).await;
    assert_eq!(table.now().status, Status::Playing);
    assert_eq!(table.now().asks.len(), 2, "both name their decoys");
    while table.now().status == Status::Playing {
        table.act_somehow().await;
        let seat = table.now().viewer;
        let (got, wanted) =
            (table.view.clone(), server.hub.room(&id).await.unwrap().session.table().view(seat));
        assert_eq!(sorted(got), sorted(wanted), "patches add up to the view");
    }
    let result = table.now().result.clone().expect("a result");
    assert_eq!(result.how, HowEnded::Played);
    // The seed is public now, so nobody may take back a decision and play on with it.
    let moment = table.now().moment;
    for seat in [Seat(0), Seat(1)] {
        let undone = table.ask(|id| Request::Undo { id, seat, moment }).await.unwrap_err();
        let back = table.ask(|id| Request::Takeback { id, seat, moment }).await.unwrap_err();
        assert_eq!((undone.code, back.code), (ErrorCode::Over, ErrorCode::Over));
    }
    // The dice match the commitment that was published before the first of them.
    let journal: Value = ann.get(&format!("/api/games/{id}/journal")).await;
    let journal = Journal::import(&journal.to_string()).unwrap();
    assert_eq!(journal.commitment.as_deref(), Some(made.game.commitment.as_str()));
    let proof = journal.prove(&*crate::outpost::game()).unwrap();
    assert!(proof.decisions > 10 && proof.dice > 0, "{proof:?}");
    assert_eq!(ann.detail(&id).await.seed, journal.seed);
    server.close().await;
}

fn sorted(mut view: View) -> View {
    view.pieces.sort_by(|a, b| a.id.cmp(&b.id));
    view
}

pub async fn two_people_and_their_secrets(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let ben = server.person("Ben").await;
    let made = ann.create(json!([{ "kind": "me" }, { "kind": "invite" }])).await;
    let id = made.game.summary.id.clone();
    let mut red = ann.sit(&id).await;
    assert_eq!(red.now().status, Status::Waiting);
    let early = red.act(Seat(0), "decoy r1").await.unwrap_err();
    assert_eq!(early.code, ErrorCode::Waiting);

    let code = &made.invites[0].code;
    let joined: server::protocol::GameDetail =
        ben.post(&format!("/api/games/{id}/join"), &json!({ "code": code })).await;
    assert_eq!(joined.summary.mine, [Seat(1)]);
    red.until(|t| t.now().status == Status::Playing).await;
    let again = ben.try_post::<Value>(&format!("/api/games/{id}/join"), &json!({ "code": code })).await;
    assert_eq!(again.unwrap_err().code, ErrorCode::NotFound, "an invitation is good once");

    let mut blue = ben.sit(&id).await;
    let mut guest = server.person("Cat").await.sit(&id).await;
    assert_eq!(guest.now().viewer, Viewer::Spectator);
    // A secret choice reaches no other client in any frame.
    red.must(0, "decoy r3").await;
    blue.until(|t| t.now().decision == 1).await;
    guest.until(|t| t.now().decision == 1).await;
    for heard in [&blue.heard, &guest.heard] {
        let after = &heard[1..];
        assert!(!after.is_empty() && !after.iter().any(|f| f.contains("r3")), "{after:?}");
    }
    assert!(blue.lines.is_empty() && guest.lines.is_empty());
    blue.must(1, "decoy b2").await;
    // A player may not see the other side's view while the game is being played.
    for path in ["replay?viewer=1", "at/1?viewer=1", "at/1?viewer=referee", "journal"] {
        let refused = ann.try_get::<Value>(&format!("/api/games/{id}/{path}")).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Secret, "{path}");
    }
    let look = red.ask(|id| Request::Look { id, viewer: Some(Viewer::Seat(Seat(1))) }).await.unwrap_err();
    assert_eq!(look.code, ErrorCode::Secret);
    let look = guest.ask(|id| Request::Look { id, viewer: Some(Viewer::Referee) }).await.unwrap_err();
    assert_eq!(look.code, ErrorCode::Secret);
    // Both play on; each sees all the lines meant for them.
    for _ in 0..40 {
        for table in [&mut red, &mut blue] {
            if !table.now().asks.is_empty() {
                table.act_somehow().await;
            }
        }
        let seq = red.now().seq.max(blue.now().seq);
        red.until(|t| t.now().seq >= seq).await;
        blue.until(|t| t.now().seq >= seq).await;
        if red.now().status == Status::Over {
            break;
        }
    }
    let room = server.hub.room(&id).await.unwrap();
    assert_eq!(red.lines, room.lines(Viewer::Seat(Seat(0)), 0));
    assert_eq!(blue.lines, room.lines(Viewer::Seat(Seat(1)), 0));
    drop(room);
    server.close().await;
}

pub async fn nothing_is_lost_or_repeated(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let ben = server.person("Ben").await;
    let made = ann.create(json!([{ "kind": "me" }, { "kind": "open" }])).await;
    let id = made.game.summary.id.clone();
    let _: Value = ben.post(&format!("/api/games/{id}/join"), &json!({})).await;
    let mut red = ann.sit(&id).await;
    let mut blue = ben.sit(&id).await;
    for round in 0..30 {
        // Blue's connection breaks again and again; Blue keeps what it has received.
        if round % 3 == 2 {
            let since = blue.now().seq;
            let before = std::mem::replace(&mut blue, ben.sit_since(&id, Some(since)).await);
            let missed = (blue.from, std::mem::take(&mut blue.lines), std::mem::take(&mut blue.chat));
            assert_eq!(missed.0, since, "it goes on where it was");
            let undone = blue.heard.iter().find_map(|f| {
                let frame: Value = serde_json::from_str(f).unwrap();
                frame["undone"].as_u64().map(|n| n as u32)
            });
            blue.lines = before.lines;
            blue.chat = before.chat;
            blue.add(undone, missed.1, missed.2);
        }
        let text = format!("round {round}");
        red.ask(|id| Request::Chat { id, seat: Some(Seat(0)), text }).await.unwrap();
        for (mine, other) in [(0, 1), (1, 0)] {
            let tables: [&mut Table; 2] = [&mut red, &mut blue];
            let table = tables.into_iter().nth(mine).unwrap();
            if !table.now().asks.is_empty() {
                table.act_somehow().await;
            }
            let seq = table.now().seq;
            let tables: [&mut Table; 2] = [&mut red, &mut blue];
            // Blue does not read before its connection breaks.
            if other == 0 || round % 3 != 1 {
                tables.into_iter().nth(other).unwrap().until(|t| t.now().seq >= seq).await;
            }
        }
        if red.now().status == Status::Over {
            break;
        }
        let seq = red.now().seq.max(blue.now().seq);
        red.until(|t| t.now().seq >= seq).await;
        if round % 3 != 1 {
            blue.until(|t| t.now().seq >= seq).await;
        }
    }
    let seq = red.now().seq;
    blue.until(|t| t.now().seq >= seq).await;
    let room = server.hub.room(&id).await.unwrap();
    assert_eq!(blue.lines, room.lines(Viewer::Seat(Seat(1)), 0));
    drop(room);
    assert_eq!(blue.chat, red.chat);
    assert!(blue.chat.len() > 5);
    server.close().await;
}

pub async fn undo_and_takeback(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let ben = server.person("Ben").await;
    let made = ann.create(json!([{ "kind": "me" }, { "kind": "open" }])).await;
    let id = made.game.summary.id.clone();
    let _: Value = ben.post(&format!("/api/games/{id}/join"), &json!({ "seat": 1 })).await;
    let mut red = ann.sit(&id).await;
    let mut blue = ben.sit(&id).await;
    red.must(0, "decoy r1").await;
    blue.until(|t| t.now().decision == 1).await;
    blue.must(1, "decoy b1").await;
    red.until(|t| t.now().decision == 2).await;
    red.must(0, "order advance").await;
    assert_eq!(red.now().undo, [Seat(0)], "the other's order is still open");
    let moment = red.now().moment;
    red.ask(|id| Request::Undo { id, seat: Seat(0), moment }).await.unwrap();
    assert_eq!(red.now().decision, 2);
    red.must(0, "order ambush").await;
    // Blue does not know of it: seats that decide in secret do not wait for each other.
    assert_eq!(blue.now().decision, 2);
    blue.must(1, "order advance").await;
    red.until(|t| t.now().decision == 4).await;
    // Both orders are revealed: neither side can undo alone.
    assert!(red.now().undo.is_empty());
    let moment = red.now().moment;
    let refused = red.ask(|id| Request::Undo { id, seat: Seat(0), moment }).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::NothingToUndo);
    // Ask for a takeback, and be refused.
    red.ask(|id| Request::Takeback { id, seat: Seat(0), moment }).await.unwrap();
    blue.until(|t| t.now().takeback.is_some()).await;
    let own = red.ask(|id| Request::Answer { id, seat: Seat(0), yes: true }).await.unwrap_err();
    assert_eq!(own.code, ErrorCode::NoTakeback, "nobody grants their own request");
    blue.ask(|id| Request::Answer { id, seat: Seat(1), yes: false }).await.unwrap();
    red.until(|t| t.now().takeback.is_none()).await;
    assert_eq!(red.now().decision, 4);
    // Ask again, and be allowed.
    red.ask(|id| Request::Takeback { id, seat: Seat(0), moment }).await.unwrap();
    blue.until(|t| t.now().takeback.is_some()).await;
    blue.ask(|id| Request::Answer { id, seat: Seat(1), yes: true }).await.unwrap();
    red.until(|t| t.now().decision == 2).await;
    blue.until(|t| t.now().decision == 2).await;
    let room = server.hub.room(&id).await.unwrap();
    assert_eq!(red.lines, room.lines(Viewer::Seat(Seat(0)), 0));
    assert_eq!(blue.lines, room.lines(Viewer::Seat(Seat(1)), 0));
    drop(room);
    server.close().await;
}

pub async fn a_bot_plays(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let made = ann.create(json!([{ "kind": "bot", "level": "random" }, { "kind": "me" }])).await;
    let id = made.game.summary.id;
    let mut table = ann.sit(&id).await;
    while table.now().status == Status::Playing {
        table.until(|t| !t.now().asks.is_empty() || t.now().status != Status::Playing).await;
        if table.now().status == Status::Playing {
            table.act_somehow().await;
        }
    }
    // A bot lets its opponent take back even what dice have settled.
    assert!(table.now().result.is_some());
    // Two bots play without any person.
    let made =
        ann.create(json!([{ "kind": "bot", "level": "random" }, { "kind": "bot", "level": "random" }])).await;
    let mut table = ann.sit(&made.game.summary.id).await;
    table.until(|t| t.now().status == Status::Over).await;
    let unknown = ann
        .try_post::<Created>(
            "/api/games",
            &json!({ "setup": { "game": "outpost", "scenario": "standard", "options": [] },
                     "seats": [{ "kind": "me" }, { "kind": "bot", "level": "genius" }] }),
        )
        .await
        .unwrap_err();
    assert_eq!(unknown.code, ErrorCode::BadRequest);
    server.close().await;
}

pub async fn a_restart_changes_nothing(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let made = ann.create(json!([{ "kind": "me" }, { "kind": "hotseat" }])).await;
    let id = made.game.summary.id;
    let mut table = ann.sit(&id).await;
    for _ in 0..12 {
        table.act_somehow().await;
    }
    table.ask(|id| Request::Chat { id, seat: None, text: "good night".into() }).await.unwrap();
    let path = format!("/api/games/{id}/state");
    let before: Value = ann.get(&path).await;
    server.close().await;

    let server = database.open().await;
    let ann = ann.moved_to(&server.base);
    let mut after: Value = ann.get(&path).await;
    // Who is online is not stored.
    let mut before = before;
    for state in [&mut before, &mut after] {
        state["game"]["seats"].take();
    }
    assert_eq!(before, after);
    let mut table = ann.sit(&id).await;
    table.act_somehow().await;
    server.close().await;
}

pub async fn the_past_can_be_seen(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let made = ann.create(json!([{ "kind": "me" }, { "kind": "hotseat" }])).await;
    let id = made.game.summary.id;
    let mut table = ann.sit(&id).await;
    let eyes = Viewer::Seat(Seat(0));
    let mut views = Vec::new();
    for _ in 0..45 {
        if table.now().status == Status::Over {
            break;
        }
        views.push(server.hub.room(&id).await.unwrap().session.table().view(eyes));
        table.act_somehow().await;
    }
    for (n, view) in views.iter().enumerate() {
        let past: Past = ann.get(&format!("/api/games/{id}/at/{n}?viewer=0")).await;
        assert_eq!(past.view, *view, "after {n} decisions");
        assert!(past.lines.iter().all(|l| l.decision == n as u32));
    }
    let replay: Replay = ann.get(&format!("/api/games/{id}/replay?viewer=0")).await;
    assert_eq!(replay.decisions as usize, views.len());
    let beyond = ann.try_get::<Value>(&format!("/api/games/{id}/at/9999")).await.unwrap_err();
    assert_eq!(beyond.code, ErrorCode::NotFound);
    // When it is over, everybody may see everything.
    if table.now().status == Status::Playing {
        table.ask(|id| Request::Resign { id, seat: Seat(1) }).await.unwrap();
    }
    let dan = server.person("Dan").await;
    let _: Past = dan.get(&format!("/api/games/{id}/at/3?viewer=referee")).await;
    let nobody = dan.try_get::<Past>(&format!("/api/games/{id}/at/3?viewer=200")).await.unwrap_err();
    assert_eq!(nobody.code, ErrorCode::Secret);
    server.close().await;
}

pub async fn files_go_out_and_in(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let seats = json!([{ "kind": "me" }, { "kind": "hotseat" }]);
    let made = ann.create(seats.clone()).await;
    let id = made.game.summary.id;
    let mut table = ann.sit(&id).await;
    for _ in 0..20 {
        table.act_somehow().await;
    }
    // While the game is being played, its file does not hold the seed, even if nobody else plays.
    let bare = ann.get::<Value>(&format!("/api/games/{id}/journal")).await;
    assert_eq!(bare.get("seed"), None);
    // A file with its seed continues with the same dice.
    let seed = server.hub.room(&id).await.unwrap().row.seed.clone();
    let mut file = bare.clone();
    file["seed"] = json!(seed);
    let copy: Created =
        ann.post("/api/import", &json!({ "journal": file.to_string(), "seats": seats })).await;
    assert_eq!(copy.game.commitment, made.game.commitment);
    assert_eq!(copy.game.imported, None);
    let state: Welcome = ann.get(&format!("/api/games/{}/state", copy.game.summary.id)).await;
    assert_eq!(state.now.decision, 20);
    // Without the seed, the dice so far are kept and new ones follow.
    let copy: Created =
        ann.post("/api/import", &json!({ "journal": bare.to_string(), "seats": seats })).await;
    assert_ne!(copy.game.commitment, made.game.commitment);
    assert_eq!(copy.game.imported, Some(20));
    let mut table = ann.sit(&copy.game.summary.id).await;
    while table.now().status == Status::Playing {
        table.act_somehow().await;
    }
    // A file that was tampered with is refused.
    let mut forged = file.clone();
    let action = &mut forged["records"][3]["action"];
    *action = json!("done");
    let refused = ann
        .try_post::<Created>("/api/import", &json!({ "journal": forged.to_string(), "seats": seats }))
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::BadJournal);
    // Questions can be asked without a socket.
    let verdict = ann
        .call(
            &id,
            &Request::Verdict { id: 0, seat: Seat(0), action: "attack z9 with r1".into(), after: Vec::new() },
        )
        .await;
    assert!(matches!(verdict, Ok(Answered::Verdict(Verdict::Illegal(_)))), "{verdict:?}");
    server.close().await;
}
