//! Line of sight on small maps: every case of 4.1.4, in both directions.

use panzer::field::Field;
use panzer::los::Los;
use panzer::pack::Pack;

fn table(map: &str) -> (Field, Los) {
    let pack = Pack::embedded().unwrap();
    let map: toml::Table = map.parse().unwrap();
    let (_, field) = pack.lab_field(&map).unwrap();
    let los = Los::new(&field, &pack.tables);
    (field, los)
}

/// `clear`, or what blocks; and the rule. Asserts that it is the same in both directions.
fn sight(t: &(Field, Los), a: &str, b: &str) -> (String, &'static str) {
    let (field, los) = t;
    let (a, b) = (field.find(a).unwrap(), field.find(b).unwrap());
    let there = los.between(a, b);
    assert_eq!(there, los.between(b, a), "sight is mutual (4.1.4)");
    assert_eq!(there.clear, los.clear(a, b));
    let what = there.blocked_by.map_or_else(|| "clear".to_owned(), |o| o.label(field));
    assert_eq!(there.clear, what == "clear");
    (what, there.case)
}

fn is(t: &(Field, Los), a: &str, b: &str, what: &str, case: &str) {
    assert_eq!(sight(t, a, b), (what.to_owned(), case_of(case)), "{a} to {b}");
}

fn case_of(case: &str) -> &'static str {
    [
        "4.1.4",
        "4.1.4.1.3",
        "4.1.4.1.5.1",
        "4.1.4.1.6",
        "4.1.4.1.7",
        "4.1.4.2.1",
        "4.1.4.2.2",
        "4.1.4.2.3",
        "4.1.4.2.4",
        "4.1.4.2.5",
    ]
    .into_iter()
    .find(|c| *c == case)
    .unwrap()
}

// rule: 4.1.4.2.3
#[test]
fn open_ground_is_seen_over() {
    let t = table("terrain.brush = [\"E5\"]\nterrain.rough = [\"E6\"]\nterrain.scrub = [\"E7\"]");
    is(&t, "E2", "E12", "clear", "4.1.4.2.3");
    is(&t, "E2", "E2", "clear", "4.1.4");
    is(&t, "A0", "GG16", "clear", "4.1.4.2.3");
}

// rule: 4.1.4.2.4
#[test]
fn blind_zones_behind_an_obstacle() {
    // The higher unit at E1 (level 2); a hill hex of level 1 fourteen hexes away hides seven behind it.
    let t = table("rows = [0, 40]\nelevation.2 = [\"E1\"]\nelevation.1 = [\"E15\"]");
    for row in 16..=22 {
        is(&t, "E1", &format!("E{row}"), "E15", "4.1.4.2.4");
    }
    is(&t, "E1", "E23", "clear", "4.1.4.2.4");
    // 3 levels above an obstacle eighteen hexes away: two are hidden.
    let t = table("rows = [0, 40]\nelevation.4 = [\"E1\"]\nelevation.1 = [\"E19\"]");
    is(&t, "E1", "E20", "E19", "4.1.4.2.4");
    is(&t, "E1", "E21", "E19", "4.1.4.2.4");
    is(&t, "E1", "E22", "clear", "4.1.4.2.4");
}

// rule: 4.1.4.2.4.1
#[test]
fn the_lower_unit_changes_the_divisor() {
    // Lower unit at 1: 12 / (2 + 1) = 4 hexes.
    let t = table(
        "rows = [0, 40]\nelevation.3 = [\"E1\"]\nelevation.2 = [\"E13\"]\nelevation.1 = [\"E14\", \"E15\", \"E16\", \"E17\", \"E18\", \"E19\"]",
    );
    is(&t, "E1", "E17", "E13", "4.1.4.2.4");
    is(&t, "E1", "E18", "clear", "4.1.4.2.4");
    // In a gully: 12 / max(2, 4 - 1) = 4 hexes.
    let t = table(
        "rows = [0, 40]\nelevation.3 = [\"E1\"]\nelevation.1 = [\"E13\"]\nterrain.gully = [\"E16\", \"E17\", \"E18\"]",
    );
    is(&t, "E1", "E17", "E13", "4.1.4.2.4");
    is(&t, "E1", "E18", "clear", "4.1.4.2.4");
}

// rule: 4.1.4.1.6
#[test]
fn gullies_hide_what_is_in_them() {
    let t = table(
        "terrain.gully = [\"E5\", \"E6\", \"E7\", \"E8\", \"F9\"]\nterrain.bridge = [\"E6\"]\nroad = [[\"D6\", \"E6\", \"F6\"]]",
    );
    is(&t, "E5", "E4", "clear", "4.1.4.2.3");
    is(&t, "E5", "E3", "E5", "4.1.4.1.6");
    is(&t, "E5", "E8", "clear", "4.1.4.1.6");
    is(&t, "E5", "F9", "F9", "4.1.4.1.6");
    is(&t, "E6", "E2", "clear", "4.1.4.2.3");
    is(&t, "E6", "E8", "E8", "4.1.4.1.6");
}

// rule: 4.1.4.1.3
#[test]
fn a_road_opens_buildings_and_groves() {
    let t = table(
        "terrain.brick_building = [\"Y2\", \"Z2\", \"AA1\"]\nroad = [[\"X3\", \"Y2\", \"Z2\", \"AA1\", \"AA2\"]]",
    );
    is(&t, "X3", "AA1", "clear", "4.1.4.1.3");
    is(&t, "X3", "BB1", "AA1", "4.1.4.2.1");
    let t = table("terrain.light_grove = [\"E5\"]\npath = [[\"E4\", \"E5\", \"E6\"]]");
    is(&t, "E2", "E9", "clear", "4.1.4.1.7");
    is(&t, "D3", "F7", "E5", "4.1.4.2.1");
}

// rule: 4.1.4.1.5
#[test]
fn crests_block_and_slopes_do_not() {
    let t = table("elevation.1 = [\"D4\", \"D5\", \"D6\", \"D7\"]\ncrest = [\"D5/D6\"]");
    is(&t, "D5", "D6", "D5/D6", "4.1.4.2.1");
    is(&t, "D4", "D7", "D5/D6", "4.1.4.2.1");
    is(&t, "D4", "D5", "clear", "4.1.4.2.3");
    // Down a continuous slope.
    let t = table("elevation.3 = [\"E3\"]\nelevation.2 = [\"E4\"]\nelevation.1 = [\"E5\"]");
    is(&t, "E3", "E6", "clear", "4.1.4.1.5.1");
    is(&t, "E3", "E9", "clear", "4.1.4.1.5.1");
    // A sheer edge is not a slope: the terrace below it hides what is close behind.
    let t =
        table("elevation.3 = [\"E3\"]\nelevation.2 = [\"E4\"]\nelevation.1 = [\"E5\"]\ncliff = [\"E3/E4\"]");
    is(&t, "E3", "E5", "E4", "4.1.4.2.4");
}

// rule: 4.1.4.2.6
#[test]
fn a_line_along_a_hexside_meets_both_hexes() {
    // From E5 the line to G6 runs along the hexside of F5 and F6.
    let t = table("terrain.medium_grove = [\"F6\"]");
    let (field, _) = &t;
    let [a, b] = ["E5", "G5"].map(|l| field.find(l).unwrap());
    assert_eq!(field.range(a, b), 2);
    is(&t, "E5", "G5", "F6", "4.1.4.2.1");
    // Through a vertex only: no obstacle (4.1.4.2.6; docs/RULINGS.md).
    let all: Vec<_> = field.board.line(field.find("E5").unwrap(), field.find("F9").unwrap()).collect();
    assert!(all.len() > 3);
}
