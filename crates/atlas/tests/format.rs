//! Reading maps: small ones written in a lab file, whole ones on other grids, and the messages about mistakes.

use atlas::{BridgeState, Map, packs};

fn pack() -> &'static Map {
    packs::ardennes44_map().unwrap_or_else(|e| panic!("{e}"))
}

fn inline(text: &str) -> Result<Map, String> {
    match pack().inline("test.toml", text) {
        Ok(Some(map)) => Ok(map),
        Ok(None) => Err("no map".to_owned()),
        Err(e) => Err(e.to_string()),
    }
}

const SMALL: &str = r#"
game = "ardennes44"
[map]
rows = [10, 20]
columns = [10, 20]
default = "clear"
terrain.forest = ["1212", "1213"]
terrain.town = ["1515"]
river = ["1212/1213", "1313/1314"]
bridge = { "1212/1213" = "blown" }
road.primary = [["1010", "1110", "1211", "1212", "1213"]]
road.secondary = []
supply = { german = ["1010"], allied = ["2020"] }
control = { "1515" = "german" }
places = { "1515" = "Clervaux" }
[[unit]]
id = "A"
"#;

#[test]
fn a_map_written_in_a_lab_file() {
    let map = inline(SMALL).unwrap();
    assert_eq!(map.board.len(), 121);
    let hex = |label: &str| map.hex(label).unwrap();
    let kind = |id: &str| map.terrain_id(id).unwrap();
    assert_eq!(map.label(hex("E1212")), "1212");
    assert_eq!(map.ground(hex("1212")), kind("forest"));
    assert_eq!(map.ground(hex("1515")), kind("clear"));
    assert_eq!(map.settlement(hex("1515")), Some(kind("town")));
    assert_eq!(map.control(hex("1515")), map.faction_id("german"));
    let side = map.board.find_side("1213/1212").unwrap();
    assert!(map.side(side).kinds.contains(map.hexside_id("river").unwrap()));
    assert_eq!(map.bridge(side).unwrap().state, BridgeState::Blown);
    assert_eq!(map.side(side).road, map.road_id("primary"));
    assert_eq!(map.supply.len(), 2);
    assert_eq!(map.place("1515").unwrap().name.en, "Clervaux");
}

#[test]
fn a_lab_file_without_a_map() {
    assert_eq!(pack().inline("test.toml", "game = \"ardennes44\"").map(|m| m.is_none()), Ok(true));
}

#[test]
fn mistakes_are_named_with_their_line() {
    let cases = [
        ("unknown hex", "terrain.town = [\"9999\"]", "test.toml:8: "),
        ("off the rectangle", "terrain.town = [\"2515\"]", "test.toml:8: "),
        ("terrain kind", "terrain.swamp = [\"1515\"]", "terrain 'swamp' is not known: expected clear, "),
        ("hexside", "river = [\"1212/1414\"]", "the hexes do not touch"),
        ("road", "road.primary = [[\"1010\", \"1212\"]]", "1010 and 1212 are not neighbours"),
        ("bridge", "bridge = { \"1212/1213\" = \"open\" }", "unknown variant `open`"),
        (
            "faction",
            "control = { \"1515\" = \"swiss\" }",
            "side 'swiss' is not known: expected german, allied",
        ),
        ("key", "rivers = []", "unknown field `rivers`"),
        ("type", "default = 3", "test.toml:8: "),
    ];
    for (what, line, said) in cases {
        let text = format!("[map]\nrows = [10, 20]\ncolumns = [10, 20]\n\n\n\n\n{line}\n");
        let why = inline(&text).expect_err(what);
        assert!(why.contains(said) && why.starts_with("test.toml:8"), "{what}: {why}");
    }
}

#[test]
fn a_rectangle_is_needed_and_must_be_one() {
    assert!(inline("[map]\nrows = [1, 2]").unwrap_err().contains("map.columns is missing"));
    assert!(inline("[map]\nrows = [1, 2]\ncolumns = [5, 2]").unwrap_err().contains("expected [first, last]"));
    assert!(inline("[map]\nrows = [1, 2]\ncolumns = [500, 501]").is_err());
}

/// A desert board with heights and obstacles on hexsides, as Panzer's are, and letters for its columns.
const DESERT: &str = r#"
id = "board-39"
name = "Board 39"
factions = ["axis", "allied"]
[grid.labels]
orientation = "flat"
lines_grow = "e"
places_grow = "s"
raised = "odd"
line = "letters"
place = "plain"
sheets = [{ prefix = "39", lines = [1, 6], places = [0, 8] }]
[[terrain_kind]]
id = "sand"
name = "Sand"
[[terrain_kind]]
id = "scrub"
name = "Scrub"
layer = "extra"
[[hexside_kind]]
id = "wall"
name = "Wall"
[[hexside_kind]]
id = "stream"
name = "Stream"
water = true
[[road_class]]
id = "path"
name = "Path"
[terrain]
scrub = ["39B2", "39B3"]
[elevation]
1 = ["39C3", "39C4"]
2 = ["39D4"]
-1 = ["39A1"]
[hexside]
wall = ["39C3/39C4"]
"#;

#[test]
fn another_grid_with_heights_and_obstacles() {
    let map = Map::from_toml("board.toml", DESERT).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(map.board.len(), 51);
    assert_eq!(map.elevation(map.hex("39D4").unwrap()), 2);
    assert_eq!(map.elevation(map.hex("39A1").unwrap()), -1);
    let wall = map.board.find_side("39C3/39C4").unwrap();
    assert!(map.side(wall).kinds.contains(map.hexside_id("wall").unwrap()));
    assert_eq!(map.validate(), []);
    let files = map.to_files("");
    let mut texts = vec![("board.toml", DESERT)];
    texts.extend(files.iter().map(|(n, t)| (*n, t.as_str())));
    assert_eq!(map.diff(&Map::from_files(&texts).unwrap_or_else(|e| panic!("{e}"))), []);
}

#[test]
fn wurzburg_numbers_make_a_board() {
    let head = DESERT
        .replace(&DESERT[DESERT.find("[grid.labels]").unwrap()..DESERT.find("[[terrain_kind]]").unwrap()], "")
        .replace("factions", "grid = { labels = \"wurzburg\", rows = [1, 34], columns = [1, 99] }\nfactions");
    let head = &head[..head.find("[terrain]").unwrap()];
    let map = Map::from_toml("wurzburg.toml", head).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(map.board.len(), 34 * 99);
    assert!(map.hex("3499").is_ok() && map.hex("3501").is_err());
}

#[test]
fn the_validator_finds_what_is_wrong() {
    let find = |extra: &str, said: &str| {
        let map = inline(&format!("[map]\nrows = [10, 20]\ncolumns = [10, 20]\n{extra}")).unwrap();
        let all = map.validate().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        assert!(all.contains(said), "{extra}: {all}");
    };
    find("bridge = { \"1212/1213\" = \"intact\" }", "a bridge without water");
    find(
        "river = [\"1212/1213\"]\nroad.primary = [[\"1212\", \"1213\"]]",
        "a road over water without a bridge",
    );
    find("lake = [\"1212/1213\"]\nbridge = { \"1212/1213\" = \"intact\" }", "a bridge over a lake");
    find("road.primary = [[\"1212\", \"1213\"]]", "a road ends here at nothing");
    find(
        "road.primary = [[\"1212\", \"1213\"], [\"1512\", \"1513\"]]\nplaces = { \"1212\" = \"A\", \"1213\" = \"B\", \"1512\" = \"C\", \"1513\" = \"D\" }",
        "cut off",
    );
    find(
        "river = [\"1212/1213\", \"1515/1516\"]\n[[map.watercourse]]\nid = \"x\"\nname = \"X\"\nhexsides = [\"1212/1213\", \"1515/1516\"]",
        "not one continuous river",
    );
    find("[[map.watercourse]]\nid = \"x\"\nname = \"X\"\nhexsides = [\"1212/1213\"]", "not a water hexside");
    find("[[map.entry]]\nid = \"A\"\nside = \"german\"\nhexes = [\"1515\"]", "is not on the map's edge");
}
