//! Recorded campaigns: a random game of each edition, kept in a file (`kernel::testkit::campaign`). A change in it is a
//! change in what the rules offer or do, and is reviewed like code. `GROGNARD_BLESS=1` rewrites the files.

use std::path::Path;

use ardennes::{Ardennes44, game, state::State};
use kernel::{
    Setup,
    testkit::{campaign, golden},
};
use serde_json::Value;

/// Counters, control, bridges and markers.
fn position(state: &State) -> Value {
    let all = serde_json::to_value(state).expect("a state is plain data");
    let field = &all["field"];
    let parts = [
        &field["units"],
        &field["control"],
        &all["improved"],
        &all["digging"],
        &field["bridges"],
        &all["traffic"],
        &all["roadblocks"],
        &all["advantages"],
    ];
    parts.into_iter().cloned().collect()
}

fn check(name: &str, edition: &str, options: &[&str], seed: u64) {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let setup = Setup {
        scenario: "campaign".into(),
        edition: Some(edition.into()),
        options: options.iter().map(|o| (*o).to_owned()).collect(),
        ..Setup::default()
    };
    let rules = game.rules(&setup).expect("it is shipped");
    let start = game::start(&rules).expect("it opens");
    let text = campaign(&rules, start, seed, usize::MAX, position).expect("it can be played");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    golden(&path, &text).unwrap_or_else(|change| panic!("{change}"));
}

#[test]
fn second_edition() {
    check("campaign-2e.txt", "2e", &["fuel_dumps", "roadblocks"], 44);
}

#[test]
fn first_edition() {
    check("campaign-1e.txt", "1e", &["fuel_dumps", "ccb9"], 44);
}
