//! The kernel's conformance tests: a small game that uses everything, and what the kernel does with it.

mod broken;
mod checks;
mod docs;
mod journal;
mod lab;
mod outpost;
mod properties;
mod session;

use kernel::Catalog;
use kernel::testkit::{Kit, check_game, golden, playthrough};

#[test]
fn outpost_passes_the_testkit() {
    let summary = Kit::new(outpost::rules(), outpost::State::start())
        .seeds(0..20)
        .max_decisions(400)
        .secrets()
        .questions(|_, _| ["piece r1", "piece b2", "troops red", "troops blue"].map(String::from).to_vec())
        .run()
        .unwrap();
    // Every feature occurred; otherwise the check would prove nothing.
    assert_eq!(summary.ended, 20);
    assert!(summary.dice > 30 && summary.options > 1000, "{summary:?}");
    assert!(summary.covered > 200 && summary.varied > 100, "{summary:?}");
    assert!(summary.refusals > 1000 && summary.undone > 50 && summary.resampled > 500, "{summary:?}");
}

#[test]
fn outpost_passes_without_its_types() {
    let summary = check_game(&outpost::game(), &outpost::setup(), 0..20, 400).unwrap();
    assert_eq!(summary.ended, 20);
}

#[test]
fn outposts_languages_agree() {
    assert_eq!(Catalog::check_game(&*outpost::game()).unwrap(), []);
}

#[test]
fn outposts_golden_game_is_unchanged() {
    let text = playthrough(&outpost::game(), &outpost::setup(), 3, 400).unwrap();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance/golden/outpost-3.txt");
    golden(std::path::Path::new(path), &text).unwrap();
}
