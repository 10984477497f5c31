//! The example bot in Python plays a whole game.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use server::protocol::Status;

use crate::harness::TestDatabase;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_example_plays_legally() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bot.py");
    assert!(example.is_file(), "{}", example.display());
    let lines = std::fs::read_to_string(&example).unwrap().lines().count();
    assert!(lines <= 60, "an example stays short: {lines} lines");
    if !std::process::Command::new("python3").arg("--version").output().is_ok_and(|o| o.status.success()) {
        println!("NOTICE: skipped, no python3 is installed");
        return;
    }
    let database = TestDatabase::sqlite();
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let made = ann.create(json!([{ "kind": "bot", "level": "random" }, { "kind": "invite" }])).await;
    let id = made.game.summary.id;
    let mut bot = tokio::process::Command::new("python3")
        .arg(&example)
        .args([&server.base, &id, &made.invites[0].code])
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let status = tokio::time::timeout(Duration::from_secs(60), bot.wait()).await.expect("it ends").unwrap();
    assert!(status.success());
    let room = server.hub.room(&id).await.unwrap();
    assert_eq!(room.status(), Status::Over);
    let its = room.session.journal().records.iter().filter(|r| r.seat.0 == 1).count();
    assert!(its > 5, "it took {its} decisions");
    drop(room);
    server.close().await;
}
