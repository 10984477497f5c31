//! Recorded games (`kernel::testkit::campaign`). A change in them is a change in what the rules offer or do, and is
//! reviewed like code. Rewritten with `GROGNARD_BLESS=1`.

use std::path::Path;

use kernel::{
    Setup,
    testkit::{campaign, golden},
};
use panzer::{PanzerNorthAfrica, game};

fn check(scenario: &str) {
    let game = PanzerNorthAfrica::new().expect("the shipped pack is sound");
    let setup = Setup { scenario: scenario.into(), ..Setup::default() };
    let rules = game.rules(&setup).expect("the scenario is known");
    let start = game::start(&rules).expect("it opens");
    let position = |state: &_| serde_json::to_value(state).expect("a state is plain data");
    let text = campaign(&rules, start, 44, usize::MAX, position).expect("it can be played");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{scenario}.txt"));
    golden(&path, &text).unwrap_or_else(|change| panic!("{change}"));
}

#[test]
fn basic_game() {
    check("hafid-duel");
}

#[test]
fn advanced_game() {
    check("tebaga-gap");
}
