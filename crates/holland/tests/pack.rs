//! The pack of Holland '44, checked for consistency, against the map, and against what is stated about the printed
//! game.

use std::collections::BTreeSet;

use holland::pack::{Pack, Side, Weather};

fn pack() -> &'static Pack {
    Pack::embedded().unwrap_or_else(|e| panic!("{e}"))
}

fn map() -> &'static atlas::Map {
    atlas::packs::holland44_map().unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn nothing_is_wrong_with_it() {
    let faults = pack().check(map());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_wrong_pack_is_found_out() {
    for (overlay, said) in [
        ("[[unit]]\nid = \"de-henke\"\nsetup = { hexes = [\"1303\"] }", "de-henke"),
        ("[[unit]]\nid = \"de-jenkel\"\nremove = true", "counters of the german side"),
        (
            "[[turn]]\nturn = 3\n[[unit]]\nid = \"de-helle\"\narrival = { turn = 2, entry = \"F\" }",
            "turn 1: arrivals",
        ),
        ("[[zone]]\nid = \"S\"\nhexes = [\"6419\"]", "zone S"),
        ("[unknown]\nhexes = [\"2608\"]", "as many counters as hexes"),
        ("[[bridge]]\nid = \"grave\"\ndemolition = \"never\"", "grave"),
        ("[[victory_place]]\nid = \"helmond\"\nvalue = 0\nretakeable = true", "helmond is a victory place"),
        ("[stacking]\npoints = 7", "6217 holds 8"),
    ] {
        let mut wrong = pack().clone();
        match wrong.apply_overlay(overlay) {
            Ok(_) => {
                let faults = wrong.check(map());
                assert!(faults.iter().any(|f| f.contains(said)), "{overlay}: {faults:#?}");
            }
            Err(e) => panic!("{overlay}: {e}"),
        }
    }
}

#[test]
fn an_overlay_says_what_it_changes_and_is_refused_whole() {
    let mut mine = pack().clone();
    let changes = mine
        .apply_overlay(
            "[[unit]]\nid = \"de-henke\"\nfront = { attack = 3 }\n[weather]\nair_support = { cloudy = 2 }",
        )
        .unwrap();
    let said: Vec<String> = changes.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["unit de-henke: front.attack 2 -> 3", "tables: weather.air_support.cloudy 1 -> 2"]);
    assert_eq!(mine.unit("de-henke").unwrap().front.attack, 3);
    for (overlay, said) in [
        ("[[unit]]\nid = \"nobody\"\nsteps = 2", "is not in the pack"),
        ("[[unit]]\nid = \"de-henke\"\nformation = \"none\"", "no formation 'none'"),
        ("[[unit]]\nid = \"de-henke\"\nfrontt = 1", "unknown field"),
        ("[wether]\nam = []", "unknown; an overlay has"),
        ("[[turn]]\nturn = 21\nadd = true", "neither added nor removed"),
    ] {
        let before = mine.unit("de-henke").unwrap().formation.clone();
        let error = mine.apply_overlay(overlay).unwrap_err().to_string();
        assert!(error.contains(said), "{overlay}: {error}");
        assert_eq!(mine.unit("de-henke").unwrap().formation, before);
    }
}

#[test]
// rule: 4.3
fn the_weather_table_is_the_cards() {
    let table = &pack().tables.weather;
    assert_eq!(table.am.map(|w| w as u8), [0, 1, 1, 2, 2, 2]);
    assert_eq!(table.pm.map(|w| w as u8), [0, 0, 0, 1, 1, 2]);
    assert_eq!(Weather::ALL.map(|w| table.airlanding_points.of(w)), [8, 4, 0]);
    let modifiers: Vec<(u8, i8)> = pack()
        .turns
        .iter()
        .filter(|t| t.weather_modifier != 0)
        .map(|t| (t.turn, t.weather_modifier))
        .collect();
    assert_eq!(modifiers, [(3, -1), (4, -1), (6, 2), (7, 2)]);
}

#[test]
// rule: 11.1
fn every_result_of_the_crt_is_explained_once() {
    let pack = pack();
    let used: BTreeSet<&String> = pack.tables.crt.rows.iter().flatten().collect();
    let known: BTreeSet<&String> = pack.results.iter().map(|r| &r.code).collect();
    assert_eq!(used, known);
    assert_eq!(pack.tables.crt.rows[0][0], "A1");
    assert_eq!(pack.tables.crt.rows[5][8], "DS");
    assert_eq!(pack.tables.crt.rows[1][4], "EX");
}

#[test]
// rule: 12.2
fn determined_defense_by_terrain() {
    use holland::pack::Column::{City, ClearOrPolder, Other};
    let table = &pack().tables.determined;
    let text = |column, die| {
        let cell = table.cell(column, die);
        format!("{}{}/{}", if cell.hold { "*" } else { "" }, cell.attacker, cell.defender)
    };
    let column = |column| (0..=8).map(|die| text(column, die)).collect::<Vec<_>>().join(" ");
    assert_eq!(column(ClearOrPolder), "0/1 0/1 0/0 0/0 0/0 *0/1 *1/1 *1/0 *1/0");
    assert_eq!(column(Other), "0/1 0/1 0/0 0/0 *0/1 *1/1 *0/0 *1/0 *1/0");
    assert_eq!(column(City), "0/1 0/1 0/0 *0/1 *1/1 *0/0 *0/0 *1/0 *1/0");
}

#[test]
fn every_value_says_where_it_comes_from() {
    for unit in &pack().units {
        assert!(unit.source.contains_key("values") && unit.source.contains_key("morale"), "{}", unit.id);
        assert_eq!(unit.source.contains_key("setup"), unit.setup.is_some(), "{}", unit.id);
        assert_eq!(unit.source.contains_key("arrival"), unit.arrival.is_some(), "{}", unit.id);
    }
    let allied = pack().units.iter().filter(|u| u.side == Side::Allied).count();
    assert_eq!((allied, pack().units.len()), (114, 254));
}
