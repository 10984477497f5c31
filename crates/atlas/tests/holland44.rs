//! The map of Holland '44 as embedded in the program.

use std::collections::BTreeSet;

use atlas::{BridgeState, Map, Plan, packs};
use hexgrid::Orientation;

fn map() -> &'static Map {
    packs::holland44_map().unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn it_is_sound() {
    let findings = map().validate();
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn every_hex_of_the_sheet_is_there_under_its_number() {
    let board = &map().board;
    assert_eq!((board.orientation(), board.len()), (Orientation::Pointy, 29 * 60));
    let labels: Vec<&str> = board.ids().map(|h| board.label(h)).collect();
    for (i, label) in labels.iter().enumerate() {
        assert_eq!(*label, format!("{:02}{:02}", 10 + i / 29, 1 + i % 29));
    }
    // Odd rows are half a hex east of even ones.
    let hex = |label: &str| board.find(label).unwrap();
    assert_eq!(board.distance(hex("1303"), hex("1404")), 1);
    assert_eq!(board.distance(hex("1303"), hex("1402")), 2);
    assert_eq!(board.distance(hex("1402"), hex("1502")), 1);
}

#[test]
fn writing_and_reading_gives_the_same_map() {
    let map = map();
    let files = map.to_files("A note.");
    let mut texts = vec![packs::HOLLAND44[0]];
    texts.extend(files.iter().map(|(name, text)| (*name, text.as_str())));
    let again = Map::from_files(&texts).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(map.diff(&again), []);
    assert_eq!(files, again.to_files("A note."));
    assert_eq!(map.bridges, again.bridges);
}

#[test]
fn it_holds_every_stated_fact() {
    let (file, facts) = packs::HOLLAND44_FACTS;
    let report = map().check(file, facts).unwrap_or_else(|e| panic!("{e}"));
    assert!(report.is_ok(), "{report}");
    assert!(report.passed() > 1900, "{report}");
}

#[test]
fn a_map_without_its_bridges_fails_its_facts() {
    let mut map = map().clone();
    let overlay = r#"
        [map]
        bridge = { "1303/1404" = "blown" }
        [map.remove]
        bridge = ["6119/6219"]
    "#;
    map.apply_overlay("wrong.toml", overlay).unwrap_or_else(|e| panic!("{e}"));
    let (file, facts) = packs::HOLLAND44_FACTS;
    let report = map.check(file, facts).unwrap_or_else(|e| panic!("{e}"));
    let failed: Vec<String> = report.failures().map(ToString::to_string).collect();
    for said in ["Joe's Bridge is a road crossing at 1303/1404", "0 crossings are named 'Heveadorp ferry'"] {
        assert!(failed.iter().any(|f| f.contains(said)), "{said}: {failed:#?}");
    }
}

#[test]
fn the_stated_bridges_alone_have_a_stated_state() {
    let stated: BTreeSet<String> = map()
        .bridges
        .iter()
        .filter(|b| b.source == "rules errata")
        .map(|b| map().side_label(b.side))
        .collect();
    let five = ["1109/1210", "1303/1404", "1306/1407", "1307/1408", "1402/1502"];
    assert_eq!(stated, five.map(str::to_owned).into());
    let blown = map().bridges.iter().filter(|b| b.state != BridgeState::Intact).count();
    assert_eq!(blown, 4, "no other bridge is blown at the start");
}

#[test]
fn entry_areas_lie_as_history_lays_them() {
    let map = map();
    let place = |id: &str| -> Vec<(u16, u16)> {
        let entry = map.entry(id).unwrap_or_else(|| panic!("{id}"));
        let number = |label: &str| (label[..2].parse().unwrap(), label[2..].parse().unwrap());
        entry.hexes.iter().map(|h| number(map.label(*h))).collect()
    };
    assert!("ABC".chars().all(|id| place(&id.to_string()).iter().all(|(_, column)| *column == 1)));
    assert!("HIJK".chars().all(|id| place(&id.to_string()).iter().all(|(_, column)| *column == 29)));
    let row = |id: &str, last: bool| {
        let rows = place(id).into_iter().map(|(row, _)| row);
        if last { rows.max().unwrap() } else { rows.min().unwrap() }
    };
    assert!(row("K", true) < row("J", false) && row("H", false) > row("I", true));
    let middle = |id: &str| {
        let columns = place(id).into_iter().map(|(_, column)| f64::from(column));
        columns.clone().sum::<f64>() / columns.count() as f64
    };
    assert!(middle("O") < middle("N") && middle("N") < middle("M"));
    for e in &map.entries {
        let roads = e.props["road_hexes"].as_array().unwrap();
        assert!(!roads.is_empty(), "a road leads into {}", e.id);
        for hex in roads {
            let h = map.hex(hex.as_str().unwrap()).unwrap();
            assert!(e.hexes.contains(&h));
            assert!(map.roads_of(h).any(|(d, _)| map.board.neighbour(h, d).is_none()), "{hex} in {}", e.id);
        }
    }
}

#[test]
fn every_kind_of_the_chart_is_on_the_map() {
    let map = map();
    for kind in ["clear", "woods", "polder", "polder_woods", "marsh", "village", "town", "city"] {
        let id = map.terrain_id(kind).unwrap();
        assert!(map.board.ids().any(|h| map.terrain(h).contains(id)), "{kind}");
    }
    for kind in ["major_river", "canal", "minor_river"] {
        let id = map.hexside_id(kind).unwrap();
        assert!(map.board.side_ids().any(|s| map.side(s).kinds.contains(id)), "{kind}");
    }
}

#[test]
fn ferries_cross_great_rivers_between_roads() {
    let map = map();
    let major = map.hexside_id("major_river").unwrap();
    let near_road = |h| {
        map.roads_of(h).next().is_some()
            || map.board.neighbours(h).any(|(_, n)| map.roads_of(n).next().is_some())
    };
    let ferries: Vec<_> = map.bridges.iter().filter(|b| b.kind == atlas::BridgeKind::Ferry).collect();
    assert_eq!(ferries.len(), 9);
    for b in ferries {
        assert!(map.side(b.side).kinds.contains(major), "{}", b.name.en);
        assert!(map.board.side_hexes(b.side).into_iter().flatten().all(near_road), "{}", b.name.en);
    }
}

#[test]
fn its_plan_has_pointed_tops() {
    let map = map();
    let plan = Plan::new(map, map.board.ids());
    // A corner to the north and none to the east: this tells the client the orientation of the grid.
    assert!(plan.outline.iter().any(|(x, y)| x.abs() < 0.1 && *y < 0.0));
    assert!(!plan.outline.iter().any(|(x, y)| y.abs() < 0.1 && *x > 0.0));
    let at = |label: &str| {
        let id = map.hex(label).unwrap();
        plan.hexes.iter().find(|h| h.id == id).map(|h| (h.x, h.y)).unwrap()
    };
    assert!(at("6901").1 < at("1001").1, "rows count from the south");
    assert!(at("1002").0 > at("1001").0, "places count from the west");
    assert!(at("1101").0 > at("1001").0, "odd rows stand further east");
}
