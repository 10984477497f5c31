//! Agreements between players, plans, and games that continue from another.

use kernel::Seat;
use serde_json::{Value, json};
use server::protocol::{Answered, Created, ErrorCode, GameDetail, Proposal, Request, SeatKind, Status};

use crate::harness::TestDatabase;

/// The clocks stop once both players have agreed, and run again when one of them says so; a bot plays for a player who
/// asks for it.
pub async fn pauses_and_stand_ins(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let ben = server.person("Ben").await;
    let clock = json!({ "clock": { "kind": "turn", "hours": 24 } });
    let made = ann.create_with(json!([{ "kind": "me" }, { "kind": "open" }]), clock).await;
    let id = made.game.summary.id;
    let _: GameDetail = ben.post(&format!("/api/games/{id}/join"), &json!({ "seat": 1 })).await;
    let mut at_ann = ann.sit(&id).await;
    let pause = |id| Request::Propose { id, seat: Seat(0), what: Proposal::Pause { days: None } };
    at_ann.ask(pause).await.unwrap();
    assert!(at_ann.now().proposal.is_some());
    assert!(!at_ann.now().paused, "one is not both");
    assert_eq!(at_ann.ask(pause).await.unwrap_err().code, ErrorCode::BadRequest);
    // Only holders of a seat may propose.
    let cat = server.person("Cat").await;
    let meddle = cat.call(&id, &Request::AnswerProposal { id: 1, seat: Seat(1), yes: true }).await;
    assert_eq!(meddle.unwrap_err().code, ErrorCode::NotYourSeat);
    ben.call(&id, &Request::AnswerProposal { id: 1, seat: Seat(1), yes: true }).await.unwrap();
    at_ann.until(|table| table.now().paused).await;
    assert!(at_ann.now().clocks.iter().all(|clock| !clock.running));
    ben.call(&id, &Request::GoOn { id: 1, seat: Seat(1) }).await.unwrap();
    at_ann.until(|table| !table.now().paused).await;

    // A vacation ends on a fixed day; only the absent player may end it earlier.
    let vacation =
        |days| move |id| Request::Propose { id, seat: Seat(0), what: Proposal::Pause { days: Some(days) } };
    assert_eq!(at_ann.ask(vacation(0)).await.unwrap_err().code, ErrorCode::BadRequest);
    at_ann.ask(vacation(7)).await.unwrap();
    ben.call(&id, &Request::AnswerProposal { id: 1, seat: Seat(1), yes: true }).await.unwrap();
    at_ann.until(|table| table.now().vacation.is_some_and(|away| away.by == Seat(0))).await;
    let early = ben.call(&id, &Request::GoOn { id: 1, seat: Seat(1) }).await;
    assert_eq!(early.unwrap_err().code, ErrorCode::Forbidden);
    ann.call(&id, &Request::GoOn { id: 1, seat: Seat(0) }).await.unwrap();
    at_ann.until(|table| !table.now().paused && table.now().vacation.is_none()).await;

    // Refused: nothing changes.
    let level = "random".to_owned();
    let stand_in = |id| Request::Propose { id, seat: Seat(0), what: Proposal::Bot { level: level.clone() } };
    at_ann.ask(stand_in).await.unwrap();
    ben.call(&id, &Request::AnswerProposal { id: 1, seat: Seat(1), yes: false }).await.unwrap();
    at_ann.until(|table| table.now().proposal.is_none()).await;
    at_ann.ask(stand_in).await.unwrap();
    ben.call(&id, &Request::AnswerProposal { id: 1, seat: Seat(1), yes: true }).await.unwrap();
    let seats = ann.detail(&id).await.summary.seats;
    assert_eq!((seats[0].kind, seats[0].away), (SeatKind::Bot, true));
    // The stand-in does not reveal her secrets to the other side, and only she can take the seat back.
    let journal = ben.try_get::<Value>(&format!("/api/games/{id}/journal")).await;
    assert_eq!(journal.unwrap_err().code, ErrorCode::Secret);
    let back = Request::TakeSeat { id: 1, seat: Seat(0) };
    assert_eq!(ben.call(&id, &back).await.unwrap_err().code, ErrorCode::NotYourSeat);
    ann.call(&id, &back).await.unwrap();
    assert_eq!(ann.detail(&id).await.summary.seats[0].kind, SeatKind::Person);
}

/// A plan shows where it would lead and decides nothing; a game can be continued from any moment; a lab file can be
/// run.
pub async fn plans_branches_labs(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let made = ann.create(json!([{ "kind": "me" }, { "kind": "hotseat" }])).await;
    let id = made.game.summary.id;
    let mut table = ann.sit(&id).await;
    let before = table.now().decision;
    let bad = |id| Request::Foresee { id, seat: Seat(0), actions: vec!["move r1 a1 a2".into()] };
    assert!(table.ask(bad).await.is_err());
    match table.ask(|id| Request::Foresee { id, seat: Seat(0), actions: Vec::new() }).await.unwrap() {
        Answered::Foreseen(foreseen) => assert!(!foreseen.view.pieces.is_empty()),
        other => panic!("{other:?}"),
    }
    assert_eq!(table.now().decision, before);
    for _ in 0..4 {
        table.act_somehow().await;
    }
    let terms = json!({ "decision": 2, "seats": [{ "kind": "me" }, { "kind": "hotseat" }] });
    let branch: Created = ann.post(&format!("/api/games/{id}/branch"), &terms).await;
    assert_eq!(branch.game.summary.status, Status::Playing);
    assert_ne!(branch.game.commitment, made.game.commitment, "with dice of its own");
    assert_eq!(ann.sit(&branch.game.summary.id).await.now().decision, 2);
    // A stranger cannot read a game with secrets by branching from it.
    let ben = server.person("Ben").await;
    let stolen = ben.try_post::<Created>(&format!("/api/games/{id}/branch"), &terms).await;
    assert_eq!(stolen.unwrap_err().code, ErrorCode::Secret);
    let report: Value = ann.post("/api/lab", &json!({ "text": "game = \"nothing\"" })).await;
    assert_eq!(report["ok"], json!(false));
    let report: Value =
        ann.post("/api/lab", &json!({ "text": "game = \"outpost\"\nscenario = \"standard\"\n" })).await;
    assert!(report["steps"].is_array(), "{report}");
}
