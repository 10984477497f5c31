//! kill -9 under load loses no action that was acknowledged.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kernel::journal::Deed;
use serde_json::json;
use server::protocol::{Answered, Request};
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::client::Person;
use crate::harness::TestDatabase;

const DATABASE: &str = "GROGNARD_TEST_KILL_DATABASE";

/// The server is not killed before so many actions were acknowledged: a busy machine takes longer for them.
const ENOUGH: usize = 60;

/// Not a test of its own: the server that the test below starts and kills.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "started by the test that kills it"]
async fn child() {
    let Ok(url) = std::env::var(DATABASE) else { return };
    let database = TestDatabase::at(url);
    let server = server::Server::bind(database.config()).await.unwrap();
    println!("LISTENING http://{}", server.address());
    server.serve(std::future::pending()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost() {
    kill_twice(&TestDatabase::sqlite()).await;
}

/// The same test on any database.
pub async fn kill_twice(database: &TestDatabase) {
    for round in 0..2 {
        kill_once(database, round).await;
    }
}

async fn kill_once(database: &TestDatabase, round: u64) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "kill::child", "--ignored", "--nocapture"])
        .env(DATABASE, &database.url)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = tokio::process::Command::from(command).kill_on_drop(true).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let base = loop {
        let line = lines.next_line().await.unwrap().expect("the child listens");
        // The test harness may have written the beginning of the line.
        if let Some((_, address)) = line.split_once("LISTENING ") {
            break address.trim().to_owned();
        }
    };
    // Many tables at once, each playing as fast as it is answered.
    let mut players = Vec::new();
    let count = Arc::new(AtomicUsize::new(0));
    for _ in 0..12 {
        players.push(tokio::spawn(play_until_it_dies(base.clone(), Arc::clone(&count))));
    }
    tokio::time::sleep(Duration::from_millis(1200 + 500 * round)).await;
    for _ in 0..600 {
        if count.load(Ordering::Relaxed) >= ENOUGH {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    child.kill().await.unwrap();
    let mut acknowledged = Vec::new();
    for player in players {
        acknowledged.extend(player.await.unwrap());
    }
    let total: usize = acknowledged.iter().map(|(_, actions)| actions.len()).sum();
    assert!(total >= ENOUGH, "only {total} actions before the end");

    let server = database.open().await;
    for (id, actions) in acknowledged {
        let room = server.hub.room(&id).await.expect("an acknowledged game is there");
        let records = &room.session.journal().records;
        let stored: Vec<&str> = records
            .iter()
            .map(|r| match &r.deed {
                Deed::Act { action, .. } => action.as_str(),
                other => panic!("{other:?}"),
            })
            .collect();
        // At most the action that was in flight may be stored without having been acknowledged.
        assert!(stored.len() >= actions.len() && stored.len() <= actions.len() + 1, "{stored:?} {actions:?}");
        assert_eq!(stored[..actions.len()], actions, "word for word, in order");
    }
    server.close().await;
}

/// The games that were created, each with its acknowledged actions.
async fn play_until_it_dies(base: String, count: Arc<AtomicUsize>) -> Vec<(String, Vec<String>)> {
    let person = Person::guest(&base, "Kay").await;
    let mut games = Vec::new();
    loop {
        let new = json!({ "setup": { "game": "outpost", "scenario": "standard", "options": [] },
                          "seats": [{ "kind": "me" }, { "kind": "hotseat" }] });
        let Some(made) = person.while_it_lives::<server::protocol::Created>("/api/games", &new).await else {
            return games;
        };
        let id = made.game.summary.id;
        games.push((id.clone(), Vec::new()));
        // A local copy of the game tells what is legal; the server's dice are not known here.
        let local = crate::outpost::game();
        let table = local.open(&made.game.setup).unwrap();
        let mut moment = 1;
        for (seat, action) in opening(&*table) {
            let request = Request::Act { id: 1, seat, action: action.clone(), moment };
            let path = format!("/api/games/{id}/call");
            match person.while_it_lives::<Answered>(&path, &request).await {
                Some(Answered::Done { seq }) => {
                    moment = seq;
                    games.last_mut().unwrap().1.push(action);
                    count.fetch_add(1, Ordering::Relaxed);
                }
                Some(other) => panic!("{other:?}"),
                None => return games,
            }
        }
    }
}

/// Decisions that are legal from the start, whatever the dice.
fn opening(table: &dyn kernel::Table) -> Vec<(kernel::Seat, String)> {
    let mut table = table.clone_table();
    let mut dice = kernel::Dice::scripted(Vec::new());
    let mut rng = <rand_chacha::ChaCha8Rng as rand_core::SeedableRng>::seed_from_u64(3);
    let mut line = Vec::new();
    for _ in 0..200 {
        let pending = table.pending();
        let Some(seat) = (0..2).map(kernel::Seat).find(|s| pending.awaits(*s)) else { break };
        let Some(action) = table.random_action(seat, &mut rng) else { break };
        // Actions that need a die are left out: the dice have run out.
        if let Ok(applied) = table.apply(seat, &action, &mut dice) {
            line.push((seat, applied.action));
        }
    }
    line
}
