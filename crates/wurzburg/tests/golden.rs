//! Recorded games (`kernel::testkit::campaign`). A change in them is a change in what the rules offer or do, or in what
//! somebody sees, and is reviewed like code. Rewritten with `GROGNARD_BLESS=1`.

use std::path::Path;

use kernel::{
    Rules, Setup, Viewer,
    testkit::{campaign, golden},
};
use serde_json::json;
use wurzburg::{AirAndArmor, game, play::seat, state::State, units::Side};

fn check(scenario: &str) {
    let setup = Setup { scenario: scenario.into(), ..Setup::default() };
    let rules = AirAndArmor::new().expect("the shipped pack is sound").rules(&setup).expect("it is shipped");
    let start = game::start(&rules).expect("it opens");
    let viewers = [Viewer::Seat(seat(Side::Wp)), Viewer::Seat(seat(Side::Nato)), Viewer::Spectator];
    let position = |state: &State| json!([state, viewers.map(|viewer| rules.view(state, viewer))]);
    let text = campaign(&rules, start, 5, usize::MAX, position).expect("it can be played");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{scenario}.txt"));
    golden(&path, &text).unwrap_or_else(|change| panic!("{change}"));
}

#[test]
fn first_contact() {
    check("first-contact");
}

#[test]
fn bear_trap() {
    check("bear-trap");
}
