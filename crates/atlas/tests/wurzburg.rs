//! The map of Air & Armor: Würzburg against every stated fact.

use atlas::{Map, packs};
use hexgrid::HexId;

fn map() -> &'static Map {
    packs::wurzburg_map().expect("the shipped map")
}

fn hex(label: &str) -> HexId {
    map().hex(label).unwrap()
}

fn near(h: HexId) -> Vec<HexId> {
    map().board.neighbours(h).map(|(_, n)| n).collect()
}

fn terrain(h: HexId) -> &'static str {
    &map().terrain_kind(map().settlement(h).unwrap_or_else(|| map().ground(h))).id
}

fn close(h: HexId) -> bool {
    ["heavy_woods", "town", "city"].contains(&terrain(h))
}

#[test]
fn every_fact_holds() {
    let (file, facts) = packs::WURZBURG_FACTS;
    let report = map().check(file, facts).unwrap();
    assert!(report.is_ok(), "{report}");
    assert!(report.passed() > 1000, "{report}");
}

#[test]
fn the_map_reads_back_as_it_is_written() {
    let written = map().to_files("note");
    let mut files = vec![packs::WURZBURG[0]];
    files.extend(written.iter().map(|(name, text)| (*name, text.as_str())));
    let again = Map::from_files(&files).unwrap();
    assert_eq!(again.to_files("note"), written);
    assert_eq!(map().diff(&again), []);
}

// rule: 16.1.1
#[test]
fn a_slope_knows_its_higher_hex() {
    let board = &map().board;
    let slopes: Vec<_> = board.side_ids().filter(|s| map().side(*s).uphill.is_some()).collect();
    assert_eq!(slopes.len(), 204);
    let kinds = [map().hexside_id("slope").unwrap(), map().hexside_id("impassable_slope").unwrap()];
    for s in board.side_ids() {
        let side = map().side(s);
        let slope = kinds.iter().any(|k| side.kinds.contains(*k));
        assert_eq!(slope, side.uphill.is_some(), "{}", map().side_label(s));
        assert!(!slope || !side.kinds.intersects(map().water_kinds()), "{}", map().side_label(s));
        assert!(!side.kinds.contains(kinds[1]) || side.road.is_none(), "{}", map().side_label(s));
    }
}

// rule: 18.6
// rule: 19.4
// rule: 41.2
#[test]
fn the_ground_of_the_worked_examples() {
    let pairs = |h: HexId| near(h).into_iter().flat_map(move |a| near(a).into_iter().map(move |b| (a, b)));
    assert!(
        near(hex("1615"))
            .into_iter()
            .any(|h| { terrain(h) == "light_woods" && ![hex("1614"), hex("1513")].contains(&h) })
    );
    let beside = near(hex("2120"));
    assert!(
        pairs(hex("2120")).any(|(a, b)| {
            terrain(a) == "light_woods" && terrain(b) == "light_woods" && beside.contains(&b)
        })
    );
    let road = |a, b| map().board.side_between(a, b).is_some_and(|s| map().side(s).road.is_some());
    assert!(pairs(hex("2828")).any(|(a, b)| {
        terrain(a) == "light_woods" && terrain(b) == "light_woods" && road(b, hex("2630"))
    }));
    assert!(pairs(hex("2528")).any(|(a, b)| {
        terrain(a) == "heavy_woods"
            && terrain(b) == "clear"
            && near(b).into_iter().any(|c| terrain(c) == "heavy_woods" && near(c).contains(&hex("2829")))
            && near(b).into_iter().any(close)
    }));
    assert!(near(hex("2730")).into_iter().filter(|e| terrain(*e) == "heavy_woods").any(|e| {
        near(e).into_iter().any(|d| terrain(d) == "light_woods" && map().board.distance(hex("2330"), d) <= 2)
    }));
}

// rule: 38.0
#[test]
fn autobahn_bridges_carry_autobahnen() {
    let main = map().hexside_id("main").unwrap();
    let autobahn = map().road_id("autobahn").unwrap();
    let over_main: Vec<_> =
        map().bridges.iter().filter(|b| map().side(b.side).kinds.contains(main)).collect();
    assert!(over_main.len() >= 18);
    assert_eq!(over_main.iter().filter(|b| map().side(b.side).road == Some(autobahn)).count(), 3);
}
