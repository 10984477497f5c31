//! Rules that the program cites: each is one of the game's, and what a question says about itself holds.

use std::collections::BTreeSet;

use holland::{Holland44, start};
use kernel::testkit::words::literals;
use kernel::{Rules as _, Seat, Setup};

const RULES: &str = include_str!("../../../packs/holland44/rules.tsv");

fn known() -> BTreeSet<&'static str> {
    RULES.lines().filter_map(|line| line.split('\t').next()).collect()
}

/// A chapter, a dot and more numbers: `10.3.1`, `S3.4`.
fn is_number(text: &str) -> bool {
    let cells: Vec<&str> = text.strip_prefix('S').unwrap_or(text).split('.').collect();
    let digits = |cell: &&str| (1..=2).contains(&cell.len()) && cell.bytes().all(|b| b.is_ascii_digit());
    cells.len() > 1 && cells.iter().all(digits)
}

#[test]
fn every_cited_rule_is_one_of_the_game() {
    let known = known();
    let cited: Vec<_> =
        literals(env!("CARGO_MANIFEST_DIR")).into_iter().filter(|literal| is_number(&literal.text)).collect();
    assert!(cited.len() > 200, "only {} found", cited.len());
    let unknown: Vec<_> = cited
        .iter()
        .filter(|literal| !known.contains(literal.text.as_str()))
        .map(|literal| format!("{} in {}", literal.text, literal.file))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// 22.8: on turn 1 every airborne unit lands, and no points are counted.
#[test]
fn points_are_told_where_they_count() {
    let game = Holland44::new().expect("the shipped pack and map are sound");
    let rules =
        game.rules(&Setup { scenario: "campaign".into(), ..Setup::default() }).expect("it is shipped");
    let mut state = start(&rules).expect("it opens");
    let told = |state: &_| rules.brief(state, Seat(0)).facts.into_iter().map(|fact| fact.rule).collect();
    let first: Vec<String> = told(&state);
    assert!(first.is_empty(), "{first:?}");
    state.turn = 3;
    let later: Vec<String> = told(&state);
    assert_eq!(later, ["22.2"]);
}
