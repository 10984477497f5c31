//! Overlays: a player corrects the map against the boxed game.

use atlas::{Map, packs};

fn map() -> Map {
    packs::ardennes44_map().unwrap_or_else(|e| panic!("{e}")).clone()
}

#[test]
fn an_overlay_changes_what_it_says_and_nothing_else() {
    let mut map = map();
    let before = map.clone();
    let overlay = r#"
        [map]
        terrain.forest = ["E0103"]
        terrain.village = ["E0104"]
        road.secondary = [["E0103", "E0104"]]
        bridge = { "E1105/E1006" = { state = "intact", name = "Echternach" } }
        [[map.place]]
        id = "newtown"
        hex = "E0104"
        name = { en = "Newtown", ko = "뉴타운", ja = "ニュータウン" }
        class = "village"
        [map.remove]
        victory = ["E1105"]
        [[unit]]
        id = "someone-elses"
    "#;
    let changes: Vec<String> = map
        .apply_overlay("mine.toml", overlay)
        .unwrap_or_else(|e| panic!("{e}"))
        .iter()
        .map(ToString::to_string)
        .collect();
    let said = changes.join("\n");
    assert!(said.contains("E0103: clear, held by german → forest, held by german"), "{said}");
    assert!(said.contains("E0104: clear, held by german → clear, village, held by german"), "{said}");
    assert!(said.contains("E0103/E0104: nothing → secondary road"), "{said}");
    assert!(
        said.contains(
            "E1006/E1105: river, bridge (blown), primary road → river, bridge (intact), primary road"
        ),
        "{said}"
    );
    assert!(
        said.contains("E1105: clear, town, held by allied, Victory Hex → clear, town, held by allied"),
        "{said}"
    );
    assert!(said.contains("place newtown: nothing → Newtown in E0104"), "{said}");
    assert_eq!(changes.len(), 6, "{said}");
    assert_eq!(before.diff(&map).len(), 6);
}

#[test]
fn an_overlay_that_breaks_the_map_is_refused_and_leaves_it_alone() {
    let mut map = map();
    let before = map.clone();
    for (overlay, said) in [
        ("[map]\nterrain.forest = [\"E9999\"]", "bad.toml:2"),
        ("[map]\nroad.primary = [[\"E1005\", \"E1006\"]]", "a road over water without a bridge"),
        ("[map.remove]\nbridge = [\"E0101/E0102\"]", "no bridge on E0101/E0102"),
        ("[map.remove]\nterrain.forest = [\"E0101\"]", "a ground is not removed"),
        ("[map.remove]\nhexside.river = [\"E1105/E1006\"]", "would not be sound"),
        ("[map]\ngrid = { labels = \"wurzburg\" }", "cannot change the grid"),
        ("[map]\nfactions = [\"a\"]", "cannot change it"),
        ("[map]\nterain.forest = []", "unknown field `terain`"),
    ] {
        let why = map.apply_overlay("bad.toml", overlay).expect_err(overlay).to_string();
        assert!(why.contains(said), "{overlay}: {why}");
        assert_eq!(before.diff(&map), []);
    }
}

#[test]
fn an_overlay_without_a_map_changes_nothing() {
    assert_eq!(map().apply_overlay("units.toml", "[[unit]]\nid = \"x\""), Ok(Vec::new()));
}
