//! Attempts to cheat or to break the server: they are refused, nothing is lost, nothing leaks.

use kernel::Seat;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use server::limits::Rate;
use server::protocol::{ErrorCode, GameDetail, Me, Request, Welcome};
use server::{Limits, ids};

use crate::client::{Person, Table};
use crate::harness::{Running, TestDatabase};

async fn journal_len(server: &Running, id: &str) -> usize {
    server.hub.room(id).await.unwrap().session.journal().records.len()
}

pub async fn acting_for_another(database: TestDatabase) {
    let server = database.open().await;
    let (ann, ben, id) = server.game_of_two().await;
    let mallory = server.person("Mallory").await;
    let nobody = Person::stranger(&server.base);
    let moment = server.hub.room(&id).await.unwrap().moment;
    let mine = Seat(0);
    let requests = [
        Request::Act { id: 1, seat: mine, action: "decoy r1".into(), moment },
        Request::Undo { id: 1, seat: mine, moment },
        Request::Takeback { id: 1, seat: mine, moment },
        Request::Answer { id: 1, seat: mine, yes: true },
        Request::Resign { id: 1, seat: mine },
        Request::Chat { id: 1, seat: Some(mine), text: "I am Ann".into() },
        Request::Options { id: 1, seat: mine, subject: "phase".into(), after: Vec::new() },
        Request::Verdict { id: 1, seat: mine, action: "decoy r1".into(), after: Vec::new() },
        // A seat that does not exist.
        Request::Act { id: 1, seat: Seat(200), action: "decoy r1".into(), moment },
    ];
    for who in [&ben, &mallory] {
        let mut table = who.sit(&id).await;
        for request in &requests {
            let by_call = who.call(&id, request).await.unwrap_err();
            assert_eq!(by_call.code, ErrorCode::NotYourSeat, "{request:?}");
            let request = request.clone();
            let by_socket = table.ask(|id| renumbered(request, id)).await.unwrap_err();
            assert_eq!(by_socket.code, ErrorCode::NotYourSeat);
        }
        let asked = table
            .ask(|id| Request::Ask { id, seat: Some(mine), question: "moves r1".into(), after: Vec::new() })
            .await;
        assert_eq!(asked.unwrap_err().code, ErrorCode::Secret);
    }
    for request in &requests {
        let refused = nobody.call(&id, request).await.unwrap_err();
        assert!(matches!(refused.code, ErrorCode::NotYourSeat | ErrorCode::Unauthorized), "{refused:?}");
    }
    assert_eq!(journal_len(&server, &id).await, 0);
    let mut table = ann.sit(&id).await;
    table.must(0, "decoy r1").await;
    server.close().await;
}

fn renumbered(request: Request, id: u32) -> Request {
    let mut value = serde_json::to_value(request).unwrap();
    value["id"] = json!(id);
    serde_json::from_value(value).unwrap()
}

pub async fn replayed_messages(database: TestDatabase) {
    let server = database.open().await;
    let (ann, ben, id) = server.game_of_two().await;
    let mut red = ann.sit(&id).await;
    let mut blue = ben.sit(&id).await;
    let moment = red.now().moment;
    let act = Request::Act { id: 1, seat: Seat(0), action: "decoy r1".into(), moment };
    ann.call(&id, &act).await.unwrap();
    for _ in 0..5 {
        let again = ann.call(&id, &act).await.unwrap_err();
        assert_eq!(again.code, ErrorCode::Stale);
    }
    // Not even after the position is back at the same decision.
    red.until(|t| t.now().decision == 1).await;
    let then = red.now().moment;
    red.ask(|id| Request::Undo { id, seat: Seat(0), moment: then }).await.unwrap();
    assert_eq!(ann.call(&id, &act).await.unwrap_err().code, ErrorCode::Stale);
    // The same action sent several times at once on one socket counts once.
    let moment = red.now().moment;
    for n in 100..110 {
        let act = Request::Act { id: n, seat: Seat(0), action: "decoy r2".into(), moment };
        red.send_raw(&serde_json::to_string(&act).unwrap()).await;
    }
    let mut done = 0;
    for n in 100..110 {
        match red.answer(n).await {
            Ok(_) => done += 1,
            Err(error) => assert_eq!(error.code, ErrorCode::Stale),
        }
    }
    assert_eq!(done, 1);
    blue.until(|t| t.now().decision == 1).await;
    // A second hello is not a request.
    red.send_raw(
        &json!({ "type": "hello", "protocol": server::protocol::PROTOCOL, "token": ben.token }).to_string(),
    )
    .await;
    assert_eq!(red.answer(0).await.unwrap_err().code, ErrorCode::BadRequest);
    assert_eq!(red.seats, [Seat(0)]);
    server.close().await;
}

pub async fn malformed_and_huge(database: TestDatabase) {
    let server = database.open().await;
    let (ann, _ben, id) = server.game_of_two().await;
    let mut table = ann.sit(&id).await;
    let deep = "[".repeat(20_000);
    let long = format!(r#"{{"type":"verdict","id":1,"seat":0,"action":"{}"}}"#, "x".repeat(20_000));
    for (frame, code) in [
        ("", ErrorCode::BadRequest),
        ("null", ErrorCode::BadRequest),
        ("{}", ErrorCode::BadRequest),
        (r#"{"type":"act"}"#, ErrorCode::BadRequest),
        (r#"{"type":"drop_tables","id":1}"#, ErrorCode::BadRequest),
        (r#"{"type":"act","id":1,"seat":-1,"action":"x","moment":1}"#, ErrorCode::BadRequest),
        (r#"{"type":"act","id":1,"seat":0,"action":7,"moment":1}"#, ErrorCode::BadRequest),
        (r#"{"type":"act","id":99999999999,"seat":0,"action":"x","moment":1}"#, ErrorCode::BadRequest),
        (r#"{"type":"ping","id":1,"extra":true}"#, ErrorCode::BadRequest),
        (deep.as_str(), ErrorCode::BadRequest),
    ] {
        table.send_raw(frame).await;
        assert_eq!(table.answer(0).await.unwrap_err().code, code, "{frame:.80}");
    }
    table.send_raw(&long).await;
    assert_eq!(table.answer(1).await.unwrap_err().code, ErrorCode::TooLarge);
    for action in [
        "",
        " ",
        "\u{0}",
        "decoy",
        "decoy r9",
        "move r1 \u{202e}",
        "💥",
        "decoy r1\ndecoy r2",
        "%s%n",
        "../../etc",
    ] {
        let refused = table.act(Seat(0), action).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Illegal, "{action:?}");
        assert!(refused.refusal.is_some());
    }
    // A frame beyond the limit ends the connection, not the server.
    table.send_raw(&"x".repeat(1 << 20)).await;
    while !table.closed {
        table.hear().await;
    }
    // So does a socket that sends no hello, a malformed one, or one for a game that does not exist.
    for (game, first, code) in [
        (id.as_str(), "what?", 1008),
        // An outdated page is told so, whatever else its hello contains.
        (id.as_str(), r#"{"type":"hello","protocol":1}"#, 4426),
        (id.as_str(), r#"{"type":"greeting","protocol":99,"more":[]}"#, 4426),
        (id.as_str(), r#"{"type":"hello","protocol":2,"token":"not a token"}"#, 4401),
        ("nosuchgame", r#"{"type":"hello","protocol":2}"#, 4404),
    ] {
        let mut socket = Table::connect(&server.base, game).await;
        socket.send_raw(first).await;
        while !socket.closed {
            socket.hear().await;
        }
        assert!(socket.heard.is_empty());
        assert_eq!(socket.code, Some(code), "{first}");
    }
    // Oversized bodies, on a separate connection, which the server closes.
    let huge = Person::stranger(&server.base)
        .request(Method::POST, "/api/guest")
        .body("x".repeat(1 << 20))
        .header("content-type", "application/json");
    // The server may close the connection before the whole body is sent; then there is no answer to read.
    if let Ok(answer) = huge.send().await {
        assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }
    for (path, body) in [
        ("/api/guest", "{"),
        ("/api/guest", r#"{"name":"x","admin":true}"#),
        ("/api/games", r#"{"setup":{"game":"outpost","scenario":"standard"},"seats":[]}"#),
        (
            "/api/games",
            r#"{"setup":{"game":"outpost","scenario":"../../etc"},"seats":[{"kind":"me"},{"kind":"me"}]}"#,
        ),
        (
            "/api/games",
            r#"{"setup":{"game":"outpost","scenario":"standard"},"seats":[{"kind":"me"},{"kind":"me"}],"host":"eve"}"#,
        ),
        ("/api/import", r#"{"journal":"{}","seats":[{"kind":"me"},{"kind":"me"}],"setup":{}}"#),
        ("/api/import", r#"{"journal":"{}","seats":[{"kind":"me"},{"kind":"me"}]}"#),
    ] {
        let request = ann.request(Method::POST, path).body(body).header("content-type", "application/json");
        assert_eq!(request.send().await.unwrap().status(), StatusCode::BAD_REQUEST, "{path} {body}");
    }
    let unknown = r#"{"setup":{"game":"chess","scenario":"x"},"seats":[]}"#;
    let request =
        ann.request(Method::POST, "/api/games").body(unknown).header("content-type", "application/json");
    assert_eq!(request.send().await.unwrap().status(), StatusCode::NOT_FOUND);
    // Nothing has changed, and the game goes on.
    assert_eq!(journal_len(&server, &id).await, 0);
    ann.sit(&id).await.must(0, "decoy r1").await;
    server.close().await;
}

pub async fn guessed_links(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let eve = server.person("Eve").await;
    let made = ann
        .create_with(json!([{ "kind": "me" }, { "kind": "invite" }]), json!({ "visibility": "private" }))
        .await;
    let id = made.game.summary.id;
    let code = &made.invites[0].code;
    assert!(id.len() >= 22 && code.len() >= 32, "128 bits and more");
    // A stranger who knows the address of a private game learns no more than one who does not.
    let strange = ids::id();
    for path in ["", "/state", "/journal", "/replay", "/at/0", "/board"] {
        let known = eve.try_get::<Value>(&format!("/api/games/{id}{path}")).await.unwrap_err();
        let unknown = eve.try_get::<Value>(&format!("/api/games/{strange}{path}")).await.unwrap_err();
        assert_eq!(known, unknown, "{path}");
        assert_eq!(known.code, ErrorCode::NotFound);
    }
    let mut guesses =
        vec![String::new(), code[..code.len() - 1].to_owned(), code.to_lowercase() + "A", ids::secret()];
    guesses.push(ids::hash(code));
    for guess in guesses {
        let refused = eve
            .try_post::<Value>(&format!("/api/games/{id}/join"), &json!({ "code": guess }))
            .await
            .unwrap_err();
        assert_eq!(refused.code, ErrorCode::NotFound);
    }
    let without = eve.try_post::<Value>(&format!("/api/games/{id}/join"), &json!({ "seat": 1 })).await;
    assert_eq!(without.unwrap_err().code, ErrorCode::NotFound);
    let not_host = eve.try_post::<Value>(&format!("/api/games/{id}/invite"), &json!({ "seat": 1 })).await;
    assert_eq!(not_host.unwrap_err().code, ErrorCode::NotFound);
    for token in ["", "x", &ids::secret(), &ids::hash(ann.token.as_deref().unwrap())] {
        let refused = eve.with_token(token).try_get::<Me>("/api/me").await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Unauthorized);
    }
    // A new invitation voids the old one.
    let fresh: server::protocol::Invite =
        ann.post(&format!("/api/games/{id}/invite"), &json!({ "seat": 1 })).await;
    let old = eve.try_post::<Value>(&format!("/api/games/{id}/join"), &json!({ "code": code })).await;
    assert_eq!(old.unwrap_err().code, ErrorCode::NotFound);
    let _: GameDetail = eve.post(&format!("/api/games/{id}/join"), &json!({ "code": fresh.code })).await;
    // The slots of guessed games do not stay in memory.
    assert_eq!(server.hub.loaded(), 1);
    server.close().await;
}

pub async fn sql_and_html(database: TestDatabase) {
    let server = database.open().await;
    let nasty = "'; DROP TABLE users; --<b>x</b>";
    let html = "<img src=x onerror=alert(1)>\"'&\u{1F3B2}";
    let ann = server.person(nasty).await;
    assert_eq!(ann.get::<Me>("/api/me").await.name, nasty);
    let made = ann
        .create_with(
            json!([{ "kind": "me" }, { "kind": "hotseat", "name": html }]),
            json!({ "title": nasty, "visibility": "public" }),
        )
        .await;
    let id = made.game.summary.id;
    let mut table = ann.sit(&id).await;
    for text in [nasty, html, "$1 ? :name \\x00 %"] {
        table.ask(|id| Request::Chat { id, seat: None, text: text.into() }).await.unwrap();
    }
    // Chat is returned word for word as text, and the response is declared as JSON.
    let state: Welcome = ann.get(&format!("/api/games/{id}/state")).await;
    let said: Vec<&str> = state.chat.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(said, [nasty, html, "$1 ? :name \\x00 %"]);
    assert_eq!(state.chat[0].name, nasty);
    assert_eq!(state.game.summary.title, nasty);
    let answer = ann.request(Method::GET, &format!("/api/games/{id}/state")).send().await.unwrap();
    assert_eq!(answer.headers()["content-type"], "application/json");
    assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
    for bad in ["", "   ", "a\u{0}b", "a\nb", "\u{202e}evil", &"x".repeat(41)] {
        let request = ann.request(Method::PATCH, "/api/me").json(&json!({ "name": bad }));
        assert_eq!(request.send().await.unwrap().status(), StatusCode::BAD_REQUEST, "{bad:?}");
    }
    let long = "x".repeat(1001);
    let refused = table.ask(|id| Request::Chat { id, seat: None, text: long }).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::TooLarge);
    for login in ["' OR '1'='1", "admin'--", "a b"] {
        let credentials = json!({ "login": login, "password": "' OR '1'='1" });
        let refused = ann.try_post::<Value>("/api/login", &credentials).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::BadLogin);
    }
    for path in [
        "/api/games/'%20OR%201=1",
        "/api/games/..%2f..%2fetc",
        "/api/games?list=%27",
        "/api/catalogue/%00/board",
    ] {
        let answer = ann.request(Method::GET, path).send().await.unwrap();
        assert!(answer.status().is_client_error(), "{path}");
    }
    // The same after a restart, read from disk.
    server.close().await;
    let server = database.open().await;
    let ann = ann.moved_to(&server.base);
    let again: Welcome = ann.get(&format!("/api/games/{id}/state")).await;
    assert_eq!(again.chat, state.chat);
    assert_eq!(ann.get::<Me>("/api/me").await.name, nasty);
    server.close().await;
}

pub async fn floods(database: TestDatabase) {
    let mut config = database.config();
    config.limits = Limits::default();
    let server = database.open_with(config).await;
    let ann = server.person("Ann").await;
    let made = ann.create(json!([{ "kind": "me" }, { "kind": "hotseat" }])).await;
    let id = made.game.summary.id;
    // Chat has its own, lower limit.
    let mut table = ann.sit(&id).await;
    let mut limited = 0;
    for n in 0..15 {
        let text = format!("{n}");
        if let Err(error) = table.ask(|id| Request::Chat { id, seat: None, text }).await {
            assert_eq!(error.code, ErrorCode::RateLimited);
            limited += 1;
        }
    }
    assert!((3..=5).contains(&limited), "{limited}");
    // A socket that floods is closed.
    for _ in 0..2000 {
        table.send_raw(r#"{"type":"ping","id":1}"#).await;
    }
    while !table.closed {
        table.hear().await;
    }
    // A client that keeps creating guests or trying codes is stopped.
    let mut codes = Vec::new();
    for _ in 0..40 {
        codes.push(ann.request(Method::POST, "/api/guest").json(&json!({})).send().await.unwrap().status());
    }
    assert!(codes.contains(&StatusCode::TOO_MANY_REQUESTS));
    // The number of open sockets is limited.
    let mut open = Vec::new();
    for _ in 0..70 {
        let mut socket = Table::connect(&server.base, &id).await;
        socket.send_raw(r#"{"type":"hello","protocol":2}"#).await;
        open.push(socket);
    }
    let mut refused = 0;
    for socket in &mut open {
        while !socket.welcomed && !socket.closed {
            socket.hear().await;
        }
        refused += u32::from(socket.closed);
    }
    assert!((6..=10).contains(&refused), "{refused}");
    // Whoever came in was told how much may be sent.
    let told = open.iter().find(|socket| socket.welcomed).and_then(|socket| socket.rate).expect("a rate");
    let Rate { per_second, burst } = Limits::default().frames;
    assert_eq!((told.per_second, told.burst), (per_second, burst));
    drop(open);
    server.close().await;
}

pub async fn other_sites(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let page = ann
        .request(Method::GET, "/api/catalogue")
        .header("origin", "https://evil.example")
        .send()
        .await
        .unwrap();
    let headers = page.headers();
    assert!(headers.keys().all(|name| !name.as_str().starts_with("access-control")), "no CORS");
    let csp = headers["content-security-policy"].to_str().unwrap();
    assert!(csp.contains("script-src 'self'") && csp.contains("frame-ancestors 'none'"), "{csp}");
    for name in ["x-frame-options", "referrer-policy", "cross-origin-opener-policy", "cache-control"] {
        assert!(headers.contains_key(name), "{name}");
    }
    assert!(!headers.contains_key("set-cookie"));
    let post =
        ann.request(Method::POST, "/api/guest").header("origin", "https://evil.example").json(&json!({}));
    assert_eq!(post.send().await.unwrap().status(), StatusCode::FORBIDDEN);
    let options = ann
        .request(Method::OPTIONS, "/api/guest")
        .header("origin", "https://evil.example")
        .send()
        .await
        .unwrap();
    assert!(!options.status().is_success());
    let own = ann.request(Method::POST, "/api/guest").header("origin", &server.base).json(&json!({}));
    assert!(own.send().await.unwrap().status().is_success());
    server.close().await;
}

/// Everything the server writes to its log at the most verbose level.
pub async fn tokens_stay_out_of_logs(database: TestDatabase) {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);
    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter("debug,server=trace,sqlx=trace")
        .with_writer(move || writer.clone())
        .finish();
    // Another scenario in this process may have installed its subscriber first; then there is nothing to read here.
    if tracing::subscriber::set_global_default(subscriber).is_err() {
        return;
    }
    let server = database.open().await;
    let (ann, ben, id) = server.game_of_two().await;
    let code: server::protocol::DeviceCode = ann.post("/api/device", &json!({})).await;
    let _: server::protocol::Welcomed = ann.post("/api/device/claim", &json!({ "code": code.code })).await;
    let mut table = ann.sit(&id).await;
    table.must(0, "decoy r1").await;
    let _ = ben.call(&id, &Request::Resign { id: 1, seat: Seat(0) }).await;
    let secret = json!({ "login": "ann", "password": "correct horse" });
    let _: Me = ann.post("/api/account", &secret).await;
    let _ = ann.try_post::<Value>("/api/login", &secret).await;
    server.close().await;
    let log = String::from_utf8_lossy(&lines.0.lock().unwrap()).into_owned();
    assert!(!log.is_empty());
    for secret in [ann.token.as_deref().unwrap(), ben.token.as_deref().unwrap(), &code.code, "correct horse"]
    {
        assert!(!log.contains(secret), "a secret is in the log");
    }
}
