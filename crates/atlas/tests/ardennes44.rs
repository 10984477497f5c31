//! The map of Ardennes '44 as the program carries it.

use atlas::{Map, packs};

fn map() -> &'static Map {
    packs::ardennes44_map().unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn it_is_sound() {
    let findings = map().validate();
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn it_holds_both_maps() {
    let map = map();
    assert_eq!(map.board.len(), 2624);
    assert_eq!(map.label(map.hex("2125").unwrap()), "E2125");
    assert_eq!(map.alias("1e", "W3321"), map.hex("W2927").ok());
}

#[test]
fn writing_and_reading_gives_the_same_map() {
    let map = map();
    let files = map.to_files("A note.");
    let mut texts = vec![packs::ARDENNES44[0]];
    texts.extend(files.iter().map(|(name, text)| (*name, text.as_str())));
    let again = Map::from_files(&texts).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(map.diff(&again), []);
    assert_eq!(files, again.to_files("A note."));
}

#[test]
fn it_holds_every_stated_fact() {
    let (file, facts) = packs::ARDENNES44_FACTS;
    let report = map().check(file, facts).unwrap_or_else(|e| panic!("{e}"));
    assert!(report.is_ok(), "{report}");
    assert!(report.passed() > 1500, "{report}");
}
