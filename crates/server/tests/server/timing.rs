//! Clocks.

use std::time::Duration;

use kernel::Seat;
use serde_json::json;
use server::protocol::{ErrorCode, HowEnded, NoticeKind, Notices, Status};

use crate::harness::TestDatabase;

pub async fn clocks_run_out(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let live = json!({ "clock": { "kind": "live", "base_s": 1, "increment_s": 0 } });
    let made = ann.create_with(json!([{ "kind": "me" }, { "kind": "hotseat" }]), live).await;
    let mut table = ann.sit(&made.game.summary.id).await;
    table.must(0, "decoy r1").await;
    let clocks = table.now().clocks.clone();
    assert!(!clocks[0].running && clocks[1].running, "{clocks:?}");
    assert!(clocks[0].left_ms > 0 && clocks[0].left_ms <= 1000);
    tokio::time::timeout(Duration::from_secs(15), table.until(|t| t.now().status == Status::Over))
        .await
        .expect("the clock falls");
    let result = table.now().result.clone().unwrap();
    assert_eq!((result.how, result.outcome.winner), (HowEnded::Timeout, Some(Seat(0))));
    let late = table.act(Seat(1), "decoy b1").await.unwrap_err();
    assert_eq!(late.code, ErrorCode::Over);
    server.close().await;
}

pub async fn a_short_clock_reminds_too(database: TestDatabase) {
    let server = database.open().await;
    let ann = server.person("Ann").await;
    let live = json!({ "clock": { "kind": "live", "base_s": 6, "increment_s": 0 } });
    let made = ann.create_with(json!([{ "kind": "me" }, { "kind": "hotseat" }]), live).await;
    let mut table = ann.sit(&made.game.summary.id).await;
    let told = async || {
        let reply: Notices = ann.get("/api/notices").await;
        reply.notices.iter().filter(|notice| notice.kind == NoticeKind::ClockLow).count()
    };
    assert_eq!(told().await, 0, "six seconds are left");
    tokio::time::timeout(Duration::from_secs(5), async {
        while told().await == 0 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    })
    .await
    .expect("reminded with half the time left");
    assert_eq!(told().await, 1, "once for each deadline");
    table.must(0, "decoy r1").await;
    server.close().await;
}
