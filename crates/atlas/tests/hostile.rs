//! Untrusted files: whatever they contain, reading a map ends in a map or in an error that names the file.

use atlas::{Map, packs};
use proptest::prelude::*;

const LAB: &str = r#"
[map]
rows = [10, 14]
columns = [10, 14]
default = "clear"
terrain.forest = ["1212", "1213"]
terrain.town = ["1312"]
hexside.lake = ["1112/1113"]
river = ["1212/1213", "1313/1314"]
bridge = { "1212/1213" = { state = "blown", number = 1 } }
road.primary = [["1010", "1110", "1211", "1212", "1213"]]
road_exit = { "1010:se" = { class = "primary", to = "nowhere" } }
supply = { german = ["1010"] }
control = { "1312" = "german" }
places = { "1312" = "Clervaux" }
elevation.2 = ["1413"]
[[map.watercourse]]
id = "x"
name = { en = "X", ko = "엑스" }
hexsides = ["1212/1213"]
[[map.area]]
id = "a"
kind = "setup"
hexes = ["1010"]
line = ["1010/1011"]
[[map.entry]]
id = "A"
side = "german"
hexes = ["1010"]
[[map.feature]]
kind = "dump"
hex = "1111"
props = { n = 1 }
[map.remove]
road = [["1010", "1110"]]
"#;

/// A text with pieces cut out, doubled or replaced by troublesome input.
fn mangled(text: &'static str) -> impl Strategy<Value = String> {
    let hurt = prop_oneof![
        Just(String::new()),
        Just("\"".to_owned()),
        Just("[".to_owned()),
        Just("= -1".to_owned()),
        Just("9999".to_owned()),
        Just("E9999/E0000:".to_owned()),
        Just("é\u{0}".to_owned()),
        "[0-9A-Za-z/:\\[\\]{}=,. \"\n]{0,12}",
    ];
    prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, hurt), 1..5).prop_map(move |cuts| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, length, with) in cuts {
            let start = at.index(chars.len() + 1);
            let end = (start + length).min(chars.len());
            chars.splice(start..end, with.chars());
        }
        chars.into_iter().collect()
    })
}

fn pack() -> &'static Map {
    packs::ardennes44_map().unwrap_or_else(|e| panic!("{e}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn lab_maps(text in mangled(LAB)) {
        match pack().inline("lab.toml", &text) {
            Ok(Some(map)) => { map.validate(); map.to_files(""); }
            Ok(None) => {}
            Err(e) => prop_assert!(e.to_string().starts_with("lab.toml")),
        }
    }

    #[test]
    fn heads(text in mangled(packs::ARDENNES44[0].1)) {
        if let Err(e) = Map::from_toml("map.toml", &text) {
            prop_assert!(e.to_string().starts_with("map.toml"));
        }
    }

    #[test]
    fn facts(text in mangled("fact = [\n{ kind = \"bank\", place = \"liege\", river = \"meuse\", bank = \"left\", source = \"x\" },\n{ kind = \"roads\", hex = \"E2125\", at_least = 3, source = \"x\" }]\n")) {
        if let Err(e) = small().check("facts.toml", &text) {
            prop_assert!(e.to_string().starts_with("facts.toml"));
        }
    }

    #[test]
    fn overlays(text in mangled(LAB)) {
        // The rectangle is refused in an overlay: remove it so that the rest is read.
        let text = text.replace("rows = [10, 14]", "").replace("columns = [10, 14]", "");
        let mut map = small();
        if let Err(e) = map.apply_overlay("overlay.toml", &text) {
            prop_assert!(e.to_string().starts_with("overlay.toml"));
        }
    }
}

fn small() -> Map {
    let text = "[map]\nrows = [10, 14]\ncolumns = [10, 14]";
    pack().inline("small.toml", text).ok().flatten().unwrap_or_else(|| panic!("the small map is valid"))
}
