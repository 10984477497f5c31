//! Guests, accounts, devices; lists, rematches, notices.

use kernel::Seat;
use reqwest::Method;
use serde_json::{Value, json};
use server::protocol::{
    DeviceCode, ErrorCode, GameDetail, GameSummary, Me, NoticeKind, Notices, Request, Status, Welcomed,
};
use tokio::io::AsyncReadExt;

use crate::harness::TestDatabase;

pub async fn guests_accounts_devices(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let me: Me = ann.get("/api/me").await;
    assert_eq!((me.name.as_str(), me.account), ("Ann", false));
    let made = ann.create(json!([{ "kind": "me" }, { "kind": "hotseat" }])).await;
    let id = made.game.summary.id;

    // Moving to another device: a code that works once.
    let code: DeviceCode = ann.post("/api/device", &json!({})).await;
    let claimed: Welcomed = ann.post("/api/device/claim", &json!({ "code": code.code })).await;
    assert_eq!(claimed.user.id, me.id);
    let tablet = ann.with_token(&claimed.token);
    assert_eq!(tablet.detail(&id).await.summary.mine.len(), 2);
    let again = ann.try_post::<Value>("/api/device/claim", &json!({ "code": code.code })).await.unwrap_err();
    assert_eq!(again.code, ErrorCode::NotFound);
    let _: Value = tablet.post("/api/logout", &json!({})).await;
    assert_eq!(tablet.try_get::<Me>("/api/me").await.unwrap_err().code, ErrorCode::Unauthorized);

    // An account collects a player's games.
    let short = ann.try_post::<Me>("/api/account", &json!({ "login": "ann", "password": "short" })).await;
    assert_eq!(short.unwrap_err().code, ErrorCode::BadPassword);
    let secret = json!({ "login": "Ann.Example", "password": "correct horse" });
    let account: Me = ann.post("/api/account", &secret).await;
    assert_eq!(account.login.as_deref(), Some("ann.example"));
    let ben = server.person("Ben").await;
    let taken = ben.try_post::<Me>("/api/account", &secret).await.unwrap_err();
    assert_eq!(taken.code, ErrorCode::LoginTaken);
    for wrong in [
        json!({ "login": "ann.example", "password": "wrong horse" }),
        json!({ "login": "nobody", "password": "correct horse" }),
    ] {
        assert_eq!(
            ben.try_post::<Welcomed>("/api/login", &wrong).await.unwrap_err().code,
            ErrorCode::BadLogin
        );
    }
    // A guest with a game logs in, and the game moves to the account.
    let guest = server.person("Phone").await;
    let other = guest.create(json!([{ "kind": "hotseat" }, { "kind": "me" }])).await.game.summary.id;
    let welcomed: Welcomed = guest.post("/api/login", &secret).await;
    let phone = guest.with_token(&welcomed.token);
    let mut mine: Vec<String> =
        phone.get::<Vec<GameSummary>>("/api/games?list=mine").await.into_iter().map(|g| g.id).collect();
    mine.sort();
    let mut wanted = vec![id, other];
    wanted.sort();
    assert_eq!(mine, wanted);
    server.close().await;
    // Only hashes are stored.
    let bytes = database.bytes();
    for secret in [ann.token.as_deref().unwrap(), &claimed.token, &code.code, "correct horse"] {
        assert!(!bytes.windows(secret.len()).any(|w| w == secret.as_bytes()), "a secret is in the database");
    }
}

pub async fn rematch_archive_lists(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let ben = server.person("Ben").await;
    let made = ann
        .create_with(
            json!([{ "kind": "me" }, { "kind": "open" }]),
            json!({ "visibility": "public", "title": "Evening" }),
        )
        .await;
    let id = made.game.summary.id;
    let open: Vec<GameSummary> = ben.get("/api/games?list=open").await;
    assert_eq!(open.iter().map(|g| g.title.as_str()).collect::<Vec<_>>(), ["Evening"]);
    let early =
        ann.try_post::<GameDetail>(&format!("/api/games/{id}/rematch"), &json!({ "swap": true })).await;
    assert_eq!(early.unwrap_err().code, ErrorCode::NotOver);
    let _: GameDetail = ben.post(&format!("/api/games/{id}/join"), &json!({ "seat": 1 })).await;
    let full = server.person("Cat").await;
    let taken = full.try_post::<GameDetail>(&format!("/api/games/{id}/join"), &json!({ "seat": 1 })).await;
    assert_eq!(taken.unwrap_err().code, ErrorCode::Taken);
    assert!(ben.get::<Vec<GameSummary>>("/api/games?list=open").await.is_empty());
    assert_eq!(ben.get::<Vec<GameSummary>>("/api/games?list=public").await.len(), 1);
    ann.call(&id, &Request::Resign { id: 1, seat: Seat(0) }).await.unwrap();
    let over = ann.call(&id, &Request::Resign { id: 1, seat: Seat(0) }).await.unwrap_err();
    assert_eq!(over.code, ErrorCode::Over);

    // Both ask for a rematch with sides changed; it starts when the second has asked.
    let next: GameDetail = ann.post(&format!("/api/games/{id}/rematch"), &json!({ "swap": true })).await;
    assert_eq!((next.summary.status, next.summary.mine.clone()), (Status::Waiting, vec![Seat(1)]));
    let stranger =
        full.try_post::<GameDetail>(&format!("/api/games/{}/join", next.summary.id), &json!({})).await;
    assert_eq!(stranger.unwrap_err().code, ErrorCode::Taken, "the seat is kept for Ben");
    let same: GameDetail = ben.post(&format!("/api/games/{id}/rematch"), &json!({ "swap": true })).await;
    assert_eq!((same.summary.id, same.summary.status), (next.summary.id.clone(), Status::Playing));
    assert_eq!(same.summary.mine, [Seat(0)]);
    assert_ne!(same.commitment, made.game.commitment);

    // Archiving a game for one player does not archive it for the other.
    let _: Value = ann.post(&format!("/api/games/{id}/archive"), &json!({ "archived": true })).await;
    let ids = |games: Vec<GameSummary>| games.into_iter().map(|g| g.id).collect::<Vec<_>>();
    assert_eq!(ids(ann.get("/api/games?list=archived").await), vec![id.clone()]);
    assert_eq!(ids(ann.get("/api/games?list=mine").await), [next.summary.id]);
    assert_eq!(ben.get::<Vec<GameSummary>>("/api/games?list=mine").await.len(), 2);
    let foreign =
        full.try_post::<Value>(&format!("/api/games/{id}/archive"), &json!({ "archived": true })).await;
    assert_eq!(foreign.unwrap_err().code, ErrorCode::NotFound);
    server.close().await;
}

pub async fn notices_and_webhooks(database: TestDatabase) {
    let mut config = database.config();
    config.public_url = Some("https://table.example".into());
    let server = database.open_with(config).await;
    let ann = server.person("Ann").await;
    let ben = server.person("Ben").await;
    let hook = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", hook.local_addr().unwrap());
    let me = ben.request(Method::PATCH, "/api/me").json(&json!({ "webhook": url })).send().await.unwrap();
    assert!(me.status().is_success());
    for (change, wanted) in
        [(json!({ "name": "Ben" }), Some(url.clone())), (json!({ "webhook": null }), None)]
    {
        let me = ann.with_token(ben.token.as_deref().unwrap());
        let changed = me.request(Method::PATCH, "/api/me").json(&change).send().await.unwrap();
        assert_eq!(changed.json::<Me>().await.unwrap().webhook, wanted);
    }
    let again = ben.request(Method::PATCH, "/api/me").json(&json!({ "webhook": url })).send().await.unwrap();
    assert!(again.status().is_success());

    let made = ann
        .create_with(
            json!([{ "kind": "me" }, { "kind": "invite" }]),
            json!({ "clock": { "kind": "turn", "hours": 24 }, "title": "By post" }),
        )
        .await;
    let id = made.game.summary.id;
    // A waiting request receives a notice at once.
    let waiting = tokio::spawn({
        let ann = ann.clone();
        async move { ann.get::<Notices>("/api/notices?wait=20").await }
    });
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    let _: GameDetail =
        ben.post(&format!("/api/games/{id}/join"), &json!({ "code": made.invites[0].code })).await;
    let news = waiting.await.unwrap();
    assert!(!news.notices.is_empty());
    let all: Notices = ann.get("/api/notices").await;
    let kinds: Vec<NoticeKind> = all.notices.iter().map(|n| n.kind).collect();
    assert!(kinds.contains(&NoticeKind::Joined) && kinds.contains(&NoticeKind::YourTurn), "{kinds:?}");
    assert_eq!(all.awaiting.len(), 1);
    let later: Notices = ann.get(&format!("/api/notices?since={}", all.next)).await;
    assert!(later.notices.is_empty());

    let (mut call, _) = tokio::time::timeout(std::time::Duration::from_secs(10), hook.accept())
        .await
        .expect("the webhook is called")
        .unwrap();
    let mut text = Vec::new();
    while !String::from_utf8_lossy(&text).contains("By post") {
        let mut part = [0; 1024];
        let n = call.read(&mut part).await.unwrap();
        assert!(n > 0, "{}", String::from_utf8_lossy(&text));
        text.extend(&part[..n]);
    }
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("POST /hook") && text.contains("your_turn"), "{text}");
    // The link is the address that the page itself uses for a table.
    assert!(text.contains(&format!("https://table.example/#/table/{id}\"")), "{text}");
    drop(call);
    server.close().await;
}

pub async fn notices_survive_a_restart(database: TestDatabase) {
    let server = database.open().await;
    let (ann, ben, id) = server.game_of_two().await;
    let told: Notices = ann.get("/api/notices").await;
    let kinds: Vec<NoticeKind> = told.notices.iter().map(|n| n.kind).collect();
    assert!(kinds.contains(&NoticeKind::Joined) && kinds.contains(&NoticeKind::YourTurn), "{kinds:?}");
    server.close().await;

    let server = database.open().await;
    let (ann, ben) = (ann.moved_to(&server.base), ben.moved_to(&server.base));
    let again: Notices = ann.get("/api/notices").await;
    assert_eq!(again.notices, told.notices);
    // A later notice has a higher number and replaces an older one of the same kind.
    ben.call(&id, &Request::Chat { id: 1, seat: Some(Seat(1)), text: "one".into() }).await.unwrap();
    ben.call(&id, &Request::Chat { id: 1, seat: Some(Seat(1)), text: "two".into() }).await.unwrap();
    let news: Notices = ann.get(&format!("/api/notices?since={}", told.next)).await;
    assert_eq!(news.notices.iter().map(|n| n.kind).collect::<Vec<_>>(), [NoticeKind::Chat]);
    assert!(news.next > told.next);
    // A guest's notices move to the account.
    let login = json!({ "login": "ann.example", "password": "correct horse" });
    let _: Me = server.person("Ann elsewhere").await.post("/api/account", &login).await;
    let welcomed: Welcomed = ann.post("/api/login", &login).await;
    let moved: Notices = ann.with_token(&welcomed.token).get("/api/notices").await;
    assert_eq!(moved.notices.len(), again.notices.len() + 1);
    server.close().await;
}
