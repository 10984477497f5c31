//! Printed numbers of the games and what they say about adjacency.

use hexgrid::labels::{Figures, Parity, SchemeError, Sheet};
use hexgrid::{Board, Compass, Direction, Hex, LabelError, Labels, Layout, Orientation};
use proptest::prelude::*;

fn adjacent(labels: &Labels, a: &str, b: &str) -> bool {
    labels.parse(a).unwrap().is_adjacent(labels.parse(b).unwrap())
}

fn distance(labels: &Labels, a: &str, b: &str) -> u32 {
    labels.parse(a).unwrap().distance(labels.parse(b).unwrap())
}

/// Where `to` lies from `from` on the picture: (east, north).
fn bearing(labels: &Labels, from: &str, to: &str) -> (f64, f64) {
    let layout = Layout::new(labels.orientation(), 1.0);
    let a = layout.centre(labels.parse(from).unwrap());
    let b = layout.centre(labels.parse(to).unwrap());
    (b.x - a.x, a.y - b.y)
}

fn boards() -> Labels {
    let sheet = |prefix: &str, origin, turned| Sheet {
        prefix: prefix.into(),
        also: vec![],
        lines: (1, 29),
        places: (0, 17),
        origin,
        turned,
    };
    Labels::panzer(vec![sheet("39", Hex::ORIGIN, false), sheet("38", Hex::new(60, 0), true)]).unwrap()
}

#[test]
fn ardennes_adjacency() {
    let labels = Labels::ardennes();
    for (a, b) in [
        ("E1109", "E1210"),
        ("E1110", "E1211"),
        ("E2119", "E2020"),
        ("E2828", "E2928"),
        ("E1005", "E1006"),
        ("E1007", "E1008"),
        ("E3920", "W0820"),
        ("E3920", "W0821"),
        ("E3912", "W0812"),
        // The overlap: W01 is E33.
        ("E3210", "W0110"),
    ] {
        assert!(adjacent(&labels, a, b), "{a} {b}");
    }
    assert!(!adjacent(&labels, "E2119", "E2018"));
    assert!(!adjacent(&labels, "E2020", "E2118"));

    // Odd (C, R) touches even C±1 at R and R+1; even touches odd at R and R-1.
    for (hex, ring) in [
        ("E2119", ["E2120", "E2020", "E2019", "E2118", "E2219", "E2220"]),
        ("E2020", ["E2021", "E1920", "E1919", "E2019", "E2119", "E2120"]),
    ] {
        // N, NE, SE, S, SW, NW, which is the order of the directions.
        let around = labels.parse(hex).unwrap().neighbours();
        assert_eq!(around.map(|h| labels.label(h).unwrap()), ring);
    }
}

#[test]
fn ardennes_compass() {
    let labels = Labels::ardennes();
    let (east, north) = bearing(&labels, "E2119", "E2120");
    assert!(east.abs() < 1e-9 && north > 0.0);
    let (east, north) = bearing(&labels, "E2119", "E2219");
    assert!(east < 0.0 && north < 0.0, "a higher column lies west, even ones further south");
    let (east, north) = bearing(&labels, "E2119", "E1919");
    assert!(east > 0.0 && north.abs() < 1e-9);
}

#[test]
fn ardennes_maps() {
    let labels = Labels::ardennes();
    assert_eq!(labels.parse("2119"), labels.parse("E2119"));
    assert_eq!(labels.parse("e2119"), labels.parse(" E2119 "));
    assert_eq!(labels.parse("W0139"), labels.parse("E3339"));
    assert_eq!(labels.label(labels.parse("W0139").unwrap()).unwrap(), "E3339");
    assert_eq!(labels.label(labels.parse("W0812").unwrap()).unwrap(), "W0812");
    assert_eq!(labels.clone().bare().label(labels.parse("E2119").unwrap()).unwrap(), "2119");
    assert_eq!(labels.clone().bare().parse("E2119"), labels.parse("2119"));

    let first = Labels::ardennes_first_edition();
    // The errata bridges by their numbers in both editions.
    for (old, new) in
        [("W2927", "W2533"), ("W3321", "W2927"), ("W3421", "W3027"), ("W3420", "W3026"), ("E1811", "E1811")]
    {
        assert_eq!(first.parse(old), labels.parse(new), "{old}");
    }

    let board = Board::full(labels).unwrap();
    assert_eq!(board.len(), 2624);
    assert_eq!(board.label(board.find("W0141").unwrap()), "E3341");
    assert_eq!(
        board.find("E4001"),
        Err(LabelError::Unknown {
            label: "E4001".into(),
            expected: "E0101 to E3941, or W0101 to W3241".into()
        })
    );
}

#[test]
fn wurzburg_adjacency() {
    let labels = Labels::wurzburg();
    // Pairs and distances that the worked examples state or need.
    let pairs = "2718 2619, 2609 2508, 6513 6614, 3114 3215, 5310 5211, 4203 4302, 5125 5026, 5026 4925, \
        3918 3819, 2916 3017, 3427 3526, 5719 5820, 2916 3017, 3115 3215, 3215 3214, 3214 3313, \
        3313 3312, 3114 3215, 3215 3314, 3214 3314, 4203 4302, 4403 4503, 4504 4503, 6513 6614, \
        4732 4733, 5310 5211, 5311 5312, 2126 2227, 2226 2227, 4422 4322, 2919 3020, 3817 3917, \
        3917 3918, 3819 3918, 3919 3918, 3327 3328, 3228 3328, 3427 3327, 6010 6011, 6011 6111, \
        6111 6211, 5911 6011, 2508 2609, 3526 3427, 3526 3527, 2817 2917, 2917 3017, 5225 5125, \
        5125 5026, 5026 4925, 2718 2619";
    for pair in pairs.split(", ") {
        let (a, b) = pair.split_once(' ').unwrap();
        assert!(adjacent(&labels, a, b), "{pair}");
    }
    for (a, b, hexes) in [
        ("2422", "2720", 3),
        ("2718", "3019", 3),
        ("3717", "3619", 2),
        ("2508", "2811", 4),
        ("2929", "3228", 3),
        ("2929", "3330", 4),
        ("2929", "3529", 6),
        ("3215", "3817", 6),
        ("3217", "3819", 6),
        ("3019", "3619", 6),
        ("3619", "3919", 3),
        ("2828", "2630", 3),
    ] {
        assert_eq!(distance(&labels, a, b), hexes, "{a} {b}");
    }
    // The gas zone of example 44.7 is the ring of 5719.
    let mut ring: Vec<String> =
        labels.parse("5719").unwrap().neighbours().iter().map(|&h| labels.label(h).unwrap()).collect();
    ring.sort();
    assert_eq!(ring, ["5619", "5620", "5718", "5720", "5819", "5820"]);
}

#[test]
fn wurzburg_compass() {
    let labels = Labels::wurzburg();
    // Karlstadt lies west of Schweinfurt and south of it; places in one row lie due west of each other.
    let (east, north) = bearing(&labels, "3214", "4732");
    assert!(east < 0.0 && north < 0.0);
    let (east, north) = bearing(&labels, "3214", "3215");
    assert!(east < 0.0 && north.abs() < 1e-9);
    let hex = labels.parse("3214").unwrap();
    let west = Orientation::Pointy.direction(Compass::W).unwrap();
    assert_eq!(labels.label(hex.neighbour(west)).unwrap(), "3215");
}

#[test]
fn panzer_adjacency() {
    let labels = boards();
    // rule: 1.2
    let chain = ["39T7", "39U6", "39V6", "39W5", "39X5"];
    for pair in chain.windows(2) {
        assert!(adjacent(&labels, pair[0], pair[1]), "{pair:?}");
    }
    // 38X3 to 38BB1 is one straight row of hexes, upside down or not.
    for board in ["38", "39"] {
        let row = ["X3", "Y2", "Z2", "AA1", "BB1"].map(|h| labels.parse(&format!("{board}{h}")).unwrap());
        let direction = row[0].direction_to(row[1]).unwrap();
        assert!(row.windows(2).all(|w| w[0].direction_to(w[1]) == Some(direction)));
        let compass = Orientation::Flat.compass(direction);
        assert_eq!(compass, if board == "39" { Compass::NE } else { Compass::SW });
    }
    for (hex, mut ring) in [
        ("39T7", ["39U6", "39U7", "39S6", "39S7", "39T6", "39T8"]),
        ("39U6", ["39V6", "39V7", "39T6", "39T7", "39U5", "39U7"]),
    ] {
        let mut around = labels.parse(hex).unwrap().neighbours().map(|h| labels.label(h).unwrap());
        around.sort();
        ring.sort_unstable();
        assert_eq!(around, ring);
    }
    assert_eq!(labels.label(labels.parse("39c0").unwrap()).unwrap(), "39C0");
    assert!(labels.parse("39D0").is_err(), "even columns begin with a whole hex");
    // Row-0 hexes of odd columns stand half a hex above the top of even columns' row 1.
    let (east, north) = bearing(&labels, "39D1", "39C0");
    assert!(east < 0.0 && north > 0.0);
}

#[test]
fn joined_boards_are_one_field() {
    // Board 39 upside down, west of board 34: their columns A touch back to back.
    let mut west = boards().sheets()[1].clone();
    let mut east = boards().sheets()[0].clone();
    east.prefix = "34".into();
    west.prefix = "39".into();
    west.origin = Hex::new(1, 9);
    let labels = Labels::panzer(vec![east, west]).unwrap();
    let a = labels.parse("39A4").unwrap();
    assert_eq!(labels.label(a + Hex::step(Direction::D2)).as_deref(), Some("34A5"));
    assert_eq!(labels.label(a + Hex::step(Direction::D1)).as_deref(), Some("34A4"));
    let board = Board::full(labels).unwrap();
    // 15 odd columns with their half hexes of row 0, 14 even ones without.
    assert_eq!(board.len(), 2 * (15 * 18 + 14 * 17));
}

#[test]
fn sides_by_label() {
    let labels = Labels::ardennes().bare();
    let side = labels.parse_side("1213/1212").unwrap();
    assert_eq!(labels.side_label(side).unwrap(), "1212/1213");
    assert!(matches!(labels.parse_side("1212"), Err(LabelError::NoSide { .. })));
    assert!(matches!(labels.parse_side("1212/1214"), Err(LabelError::NotAdjacent { .. })));
    assert!(matches!(labels.parse_side("1212/x"), Err(LabelError::Unknown { .. })));
}

#[test]
fn senseless_schemes_are_refused() {
    let sheet = boards().sheets()[0].clone();
    let make = |lines, places, sheets| Labels::new(Orientation::Flat, lines, places, Parity::Even, sheets);
    let (digits, plain) = (Figures::TwoDigits, Figures::Plain);
    let sheets = vec![sheet.clone()];
    let error = make((Compass::N, digits), (Compass::S, digits), sheets.clone()).unwrap_err();
    assert_eq!(error.to_string(), "lines_grow = \"n\": lines of a flat-topped grid grow e or w");
    let error = make((Compass::E, digits), (Compass::NE, digits), sheets.clone()).unwrap_err();
    assert!(matches!(error, SchemeError::PlacesGrow(..)));
    let error = make((Compass::E, plain), (Compass::S, plain), sheets.clone()).unwrap_err();
    assert_eq!(error, SchemeError::PlainLine);
    let error = make((Compass::E, digits), (Compass::S, Figures::Letters), sheets).unwrap_err();
    assert_eq!(error, SchemeError::LetteredPlace);
    let error = make((Compass::E, digits), (Compass::S, digits), vec![]).unwrap_err();
    assert_eq!(error, SchemeError::NoSheet);
    let wide = Sheet { lines: (1, 100), ..sheet };
    let error = make((Compass::E, digits), (Compass::S, digits), vec![wide]).unwrap_err();
    assert!(matches!(error, SchemeError::Extent { field: "lines", .. }));
}

#[test]
fn schemes_are_data() {
    for labels in [Labels::ardennes(), Labels::wurzburg(), boards()] {
        let text = serde_json::to_string(&labels).unwrap();
        assert_eq!(serde_json::from_str::<Labels>(&text).unwrap(), labels);
    }
    let text = serde_json::to_string(&boards()).unwrap().replace("\"lines\":[1,29]", "\"lines\":[9,2]");
    let error = serde_json::from_str::<Labels>(&text).unwrap_err().to_string();
    assert!(error.contains("lines = [9, 2]"), "{error}");
}

fn schemes() -> impl Strategy<Value = Labels> {
    let even = |orientation, grow: [Compass; 2]| {
        let sheet = Labels::wurzburg().sheets()[0].clone();
        let figures = Figures::TwoDigits;
        Labels::new(orientation, (grow[0], figures), (grow[1], figures), Parity::Even, vec![sheet]).unwrap()
    };
    prop_oneof![
        Just(Labels::ardennes()),
        Just(Labels::ardennes_first_edition()),
        Just(Labels::wurzburg()),
        Just(boards()),
        Just(Labels::ccrr(Orientation::Flat, 60, 40).unwrap()),
        Just(Labels::ccrr(Orientation::Pointy, 60, 40).unwrap()),
        Just(even(Orientation::Flat, [Compass::W, Compass::S])),
        Just(even(Orientation::Pointy, [Compass::N, Compass::E])),
    ]
}

proptest! {
    #[test]
    fn every_label_round_trips(labels in schemes(), pick in any::<prop::sample::Index>()) {
        let hexes: Vec<Hex> = labels.hexes().collect();
        let hex = *pick.get(&hexes);
        let label = labels.label(hex).unwrap();
        prop_assert_eq!(labels.parse(&label), Ok(hex));
        prop_assert_eq!(labels.parse(&label.to_lowercase()), Ok(hex));
    }

    #[test]
    fn neighbours_differ_by_at_most_one_line_and_place(labels in schemes(), pick in any::<prop::sample::Index>()) {
        let hexes: Vec<Hex> = labels.hexes().collect();
        let hex = *pick.get(&hexes);
        let (sheet, line, place) = labels.numbers(hex).unwrap();
        for neighbour in hex.neighbours() {
            if let Some((other, l, p)) = labels.numbers(neighbour).filter(|(s, ..)| s.prefix == sheet.prefix) {
                prop_assert!(l.abs_diff(line) <= 1 && p.abs_diff(place) <= 1, "{:?}", other);
            }
        }
    }

    #[test]
    fn any_text_parses_or_is_refused(labels in schemes(), text in "\\PC{0,12}") {
        if let Ok(hex) = labels.parse(&text) {
            prop_assert!(labels.label(hex).is_some());
        }
        let _ = labels.parse_side(&text);
    }

    #[test]
    fn nearly_labels_parse_or_are_refused(labels in schemes(), text in "[EWew39TZ]{0,3}[0-9A-Ca-cß]{0,6}(/[0-9A-Z]{0,5})?") {
        if let Ok(hex) = labels.parse(&text) {
            let label = labels.label(hex).unwrap();
            prop_assert_eq!(labels.parse(&label), Ok(hex));
        }
        let _ = labels.parse_side(&text);
    }
}
