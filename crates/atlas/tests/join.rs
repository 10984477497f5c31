//! Boards of a geomorphic game laid side by side, one of them upside down.

use atlas::{Map, Names};
use hexgrid::{Hex, Labels, labels::Sheet};

/// A board of 4 by 4 hexes with a hill in B2, scrub in C3, a wall between B2 and B3 and a path through column A's row
/// 1.
fn board(number: &str) -> Map {
    let text = format!(
        r#"
        id = "board-{number}"
        name = "Board {number}"
        [grid.labels]
        orientation = "flat"
        lines_grow = "e"
        places_grow = "s"
        raised = "odd"
        line = "letters"
        place = "plain"
        sheets = [{{ prefix = "{number}", lines = [1, 4], places = [1, 4] }}]
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
        [[road_class]]
        id = "path"
        name = "Path"
        [terrain]
        scrub = ["{number}C3"]
        [elevation]
        2 = ["{number}B2"]
        [hexside]
        wall = ["{number}B2/{number}B3"]
        [road]
        path = [["{number}A1", "{number}A2"]]
        [[place]]
        id = "well"
        hex = "{number}D4"
        name = "Well"
        class = "landmark"
        at = [0.2, 0.1]
        "#
    );
    Map::from_toml("board.toml", &text).unwrap_or_else(|e| panic!("{e}"))
}

fn sheet(number: &str, origin: Hex, turned: bool) -> Sheet {
    Sheet { prefix: number.to_owned(), also: Vec::new(), lines: (1, 4), places: (1, 4), origin, turned }
}

#[test]
fn boards_keep_their_labels_and_what_is_on_them() {
    let (a, b) = (board("1"), board("2"));
    // The second board is upside down, east of the first.
    let labels =
        Labels::panzer(vec![sheet("1", Hex::ORIGIN, false), sheet("2", Hex::new(9, 0), true)]).unwrap();
    let map = Map::join("both", Names::plain("Both"), labels, &[&a, &b]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(map.board.len(), 32);
    let scrub = map.terrain_id("scrub").unwrap();
    for n in ["1", "2"] {
        let hex = |label: &str| map.hex(&format!("{n}{label}")).unwrap();
        assert_eq!(map.elevation(hex("B2")), 2);
        assert!(map.terrain(hex("C3")).contains(scrub));
        let wall = map.board.side_between(hex("B2"), hex("B3")).unwrap();
        assert!(map.side(wall).kinds.contains(map.hexside_id("wall").unwrap()));
        let path = map.board.side_between(hex("A1"), hex("A2")).unwrap();
        assert!(map.side(path).road.is_some());
        assert_eq!(map.place(&format!("board-{n}-well")).unwrap().hex, hex("D4"));
    }
    // Upside down, a point east of its hex's centre is west of it.
    let layout = hexgrid::Layout::new(map.board.orientation(), 1.0);
    let well = map.place("board-2-well").unwrap();
    let centre = layout.centre(map.board.hex(well.hex));
    let [x, y] = well.at.unwrap();
    assert!((f64::from(x) - centre.x + 0.2).abs() < 1e-4 && (f64::from(y) - centre.y + 0.1).abs() < 1e-4);
}

#[test]
fn boards_that_do_not_cover_the_sheets_are_refused() {
    let a = board("1");
    let labels =
        Labels::panzer(vec![sheet("1", Hex::ORIGIN, false), sheet("2", Hex::new(9, 0), true)]).unwrap();
    let why = Map::join("both", Names::plain("Both"), labels, &[&a]).unwrap_err().to_string();
    assert!(why.contains("no board covers 2"), "{why}");
    let labels = Labels::panzer(vec![sheet("1", Hex::ORIGIN, false)]).unwrap();
    let why = Map::join("both", Names::plain("Both"), labels, &[&a, &board("2")]).unwrap_err().to_string();
    assert!(why.contains("'2A1' is no hex"), "{why}");
}
