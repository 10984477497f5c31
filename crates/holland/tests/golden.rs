//! A recorded game (`kernel::testkit::campaign`). A change in it is a change in what the rules offer or do, and is
//! reviewed like code. Rewritten with `GROGNARD_BLESS=1`.

use std::path::Path;

use holland::{Holland44, start};
use kernel::{
    Setup,
    testkit::{campaign, golden},
};

#[test]
fn a_short_game() {
    let setup = Setup { game: "holland44".into(), scenario: "short_game".into(), ..Setup::default() };
    let rules = Holland44::new().expect("the shipped pack is sound").rules(&setup).expect("it is shipped");
    let state = start(&rules).expect("it opens");
    let position = |state: &_| serde_json::to_value(state).expect("a state is plain data");
    let text = campaign(&*rules, state, 44, usize::MAX, position).expect("it can be played");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/short-game.txt");
    golden(&path, &text).unwrap_or_else(|change| panic!("{change}"));
}
