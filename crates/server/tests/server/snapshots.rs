//! Long games are loaded from a snapshot, or from their journal if no snapshot fits.

use std::time::Duration;

use kernel::Seat;
use serde_json::{Value, json};
use server::protocol::Request;
use server::store::Statement;

use crate::client::Person;
use crate::harness::{Running, TestDatabase};

/// A game with a journal long enough for a snapshot, most of which has been taken back.
async fn long_game(server: &Running) -> (Person, String) {
    let ann = server.person("Ann").await;
    let made = ann.create(json!([{ "kind": "me" }, { "kind": "hotseat" }])).await;
    let id = made.game.summary.id;
    let mut table = ann.sit(&id).await;
    for _ in 0..36 {
        table.must(0, "decoy r1").await;
        let moment = table.now().moment;
        table.ask(|id| Request::Undo { id, seat: Seat(0), moment }).await.unwrap();
    }
    for _ in 0..12 {
        table.act_somehow().await;
    }
    // The snapshot is written in the background.
    for _ in 0..100 {
        if server.hub.store.snapshot(&id).await.unwrap().is_some() {
            return (ann, id);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no snapshot is written");
}

/// What a player receives on coming to the table, except who is online.
async fn state(ann: &Person, id: &str) -> Value {
    let mut state: Value = ann.get(&format!("/api/games/{id}/state")).await;
    state["game"]["seats"].take();
    state
}

pub async fn a_long_game_is_taken_up_from_its_snapshot(database: TestDatabase) {
    let server = database.open().await;
    let (ann, id) = long_game(&server).await;
    let before = state(&ann, &id).await;
    server.close().await;

    let server = database.open().await;
    let ann = ann.moved_to(&server.base);
    assert_eq!(state(&ann, &id).await, before);
    assert!(server.hub.room(&id).await.unwrap().snapshot() >= 64);
    // Play goes on, and is taken back beyond the snapshot.
    let mut table = ann.sit(&id).await;
    table.act_somehow().await;
    for n in [0, 3, 12] {
        let _: Value = ann.get(&format!("/api/games/{id}/at/{n}?viewer=0")).await;
    }
    let journal: Value = ann.get(&format!("/api/games/{id}/journal")).await;
    let mut journal = kernel::Journal::import(&journal.to_string()).unwrap();
    let seed = server::ids::unhex32(&server.hub.room(&id).await.unwrap().row.seed).unwrap();
    journal.reveal(&seed);
    journal.prove(&*crate::outpost::game()).unwrap();
    server.close().await;
}

pub async fn a_snapshot_that_does_not_fit_is_ignored(database: TestDatabase) {
    let server = database.open().await;
    let (ann, id) = long_game(&server).await;
    let before = state(&ann, &id).await;
    let row = server.hub.store.snapshot(&id).await.unwrap().unwrap();
    server.close().await;
    let forged = row.body.replacen("decoy", "order", 1);
    assert_ne!(forged, row.body);
    let spoilt: [Statement; 4] = [
        // Damaged; from another program; of another journal, though intact; not a snapshot at all.
        Statement::new("UPDATE snapshots SET body = $1", [forged.into()]),
        Statement::new("UPDATE snapshots SET version = '0 0.0.1 x'", []),
        {
            let body = row.body.replacen("\"tip\":\"", "\"tip\":\"0", 1);
            let digest = server::ids::hash(&body);
            Statement::new("UPDATE snapshots SET body = $1, digest = $2", [body.into(), digest.into()])
        },
        Statement::new("UPDATE snapshots SET body = '{}', digest = $1", [server::ids::hash("{}").into()]),
    ];
    for spoil in spoilt {
        let server = database.open().await;
        server.hub.store.write(vec![row.clone().insert(), spoil]).await.unwrap();
        let ann = ann.moved_to(&server.base);
        assert_eq!(state(&ann, &id).await, before);
        assert_eq!(server.hub.room(&id).await.unwrap().snapshot(), 0, "it was played again from its start");
        server.close().await;
    }
}
