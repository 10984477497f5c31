//! A small load, as `grognard load` generates it. docs/PERFORMANCE.md has the figures of a full one.

use std::sync::Arc;
use std::time::Duration;

use server::load::{LoadError, Plan, Progress, run, run_here};

use crate::harness::TestDatabase;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_tables_at_once() {
    let database = TestDatabase::sqlite();
    let games = std::env::var("GROGNARD_LOAD_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let seconds = std::env::var("GROGNARD_LOAD_SECONDS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let pause = std::env::var("GROGNARD_LOAD_PAUSE_MS").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let plan = Plan { games, seconds, pause: Duration::from_millis(pause), ..Plan::default() };
    let progress = Arc::new(Progress::default());
    let report = run_here(vec![crate::outpost::game()], &database.url, &plan, &progress).await.unwrap();
    println!("{report:#?}");
    assert!(report.actions > 20, "{report:?}");
    // Many actions share a transaction.
    assert!(report.commits.unwrap() < report.actions + 100, "{report:?}");
}

#[tokio::test]
async fn only_this_machine_is_loaded() {
    let progress = Arc::new(Progress::default());
    for url in ["http://example.org", "http://192.0.2.1:4444", "http://0.0.0.0:4444"] {
        assert!(matches!(run(url, &Plan::default(), &progress).await, Err(LoadError::NotHere(_))), "{url}");
    }
    let many = Plan { games: 1_000_000, ..Plan::default() };
    assert!(matches!(run("http://127.0.0.1:1", &many, &progress).await, Err(LoadError::Games)));
}
