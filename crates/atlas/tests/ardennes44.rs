//! The map of Ardennes '44 as embedded in the program.

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
    assert_eq!(map.alias_of("1e", map.hex("W2533").unwrap()), Some("W2927"));
    assert_eq!(map.alias_of("1e", map.hex("E2125").unwrap()), Some("E2125"));
    // South of the first edition's West map.
    assert_eq!(map.alias_of("1e", map.hex("W3206").unwrap()), None);
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

#[test]
fn a_map_without_its_bridges_and_places_fails_its_facts() {
    let mut map = map().clone();
    let overlay = r#"
        [map.remove]
        bridge = ["E2119/E2020"]
        road = [["E2119", "E2020"]]
        victory = ["W1835"]
        place = ["ciney"]
    "#;
    // Ciney's Victory Hex would lose its place, so remove it too.
    let overlay = overlay.replace("[\"W1835\"]", "[\"W1835\", \"W2226\"]");
    map.apply_overlay("wrong.toml", &overlay).unwrap_or_else(|e| panic!("{e}"));
    let (file, facts) = packs::ARDENNES44_FACTS;
    let report = map.check(file, facts).unwrap_or_else(|e| panic!("{e}"));
    let failed: Vec<String> = report.failures().map(ToString::to_string).collect();
    for said in [
        "a bridge with a road on E2119/E2020  [rules 7.8]",
        "huy is a Victory Hex",
        "no place 'ciney'  [report]",
    ] {
        assert!(failed.iter().any(|f| f.contains(said)), "{said}: {failed:#?}");
    }
    assert!(failed.len() < 12, "{failed:#?}");
}

#[test]
fn set_up_hexes_are_tested() {
    let report = map().check_setup([("2 Pz", "E2016"), ("nobody", "E9999")]);
    assert_eq!(report.checks.iter().map(|c| c.ok).collect::<Vec<_>>(), [true, false]);
}
