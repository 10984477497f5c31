//! Advance after combat and Breakthrough (19).

use UnitType::{FootInfantry, MechInfantry, SilhouetteTank};
use ardennes::{
    combat::advance,
    flags::Flags,
    frame::Frame,
    pack::{Side, UnitType},
};

use crate::table::{Spec, Table, allied, german, second};

const SOUTH: &str = "supply = { german = [\"1420\"], allied = [\"1410\"] }\n";

/// The defender (4) of 1414 is beaten; questions before the advance are answered.
fn won(map: &str, units: Vec<Spec>, dice: &[u8], attack: &str) -> Table {
    let mut t = second(&format!("{SOUTH}{map}"), Side::German, units).open(dice);
    t.act("done").act(attack);
    while t.top() != Frame::Advance {
        let way = match t.top() {
            Frame::DeterminedDefense => "give way".to_owned(),
            Frame::Recon => "accept".to_owned(),
            _ => t.options()[0].clone(),
        };
        t.act(&way);
    }
    t
}

fn ends(t: &Table, unit: &str) -> Vec<String> {
    let mut ends = Vec::new();
    advance::destinations(&t.rules, &t.s, t.id(unit), &mut |_, hex| ends.push(t.rules.label(hex).to_owned()));
    ends.sort();
    ends.dedup();
    ends
}

fn victim() -> Spec {
    allied("C", FootInfantry, "1414", "4-4-3")
}

/// 24 to 4 is 6-1.
const DR2: u8 = 5;
const DR4: u8 = 3;
const D1_STAR: u8 = 1;

// rule: 19.1
#[test]
fn regular_one_hex_and_two_by_road() {
    let road = "road.primary = [[\"1415\", \"1414\", \"1413\"]]\nroad.secondary = [[\"1413\", \"1412\"]]";
    let units = vec![
        german("A", FootInfantry, "1415", "12-6-3"),
        german("P", MechInfantry, "1415", "12-6-5"),
        victim(),
    ];
    let t = won(road, units, &[DR2], "attack 1414 with A P");
    assert_eq!(ends(&t, "A"), ["1314", "1315", "1414", "1416", "1514", "1515"]);
    assert!(ends(&t, "P").contains(&"1413".to_owned()));
    assert_eq!(t.refused("advance A 1414 1413"), "19.1");
    assert_eq!(t.refused("advance P 1414 1313"), "19.1");
}

// rule: 19.1
#[test]
fn bonus_two_hexes_and_three_by_road() {
    let road = "road.primary = [[\"1415\", \"1414\", \"1413\"]]\nroad.secondary = [[\"1413\", \"1412\"]]";
    let units = || {
        vec![
            german("A", FootInfantry, "1415", "12-6-3"),
            german("P", MechInfantry, "1415", "12-6-5"),
            victim(),
        ]
    };
    let mut t = won(road, units(), &[DR4], "attack 1414 with A P");
    assert!(ends(&t, "A").contains(&"1413".to_owned()));
    assert!(!ends(&t, "A").contains(&"1412".to_owned()));
    assert!(ends(&t, "P").contains(&"1412".to_owned()));
    t.act("advance P 1414 1413 1412");
    assert_eq!(t.refused("advance P 1411"), "19.1");
    t.act("stay");
    // rule: 19.6: out of supply, one hex and no Road Bonus.
    let mut units = units();
    units[1] = german("P", MechInfantry, "1415", "18-6-5").is(Flags::OOS);
    let t = won(road, units, &[DR4], "attack 1414 with A P");
    assert!(!ends(&t, "P").contains(&"1413".to_owned()));
    assert_eq!(t.refused("advance P 1414 1413"), "19.6");
}

// rule: 19.1
#[test]
fn forest_roads_give_no_bonus() {
    let map = "terrain.forest = [\"1413\"]\nroad.secondary = [[\"1415\", \"1414\", \"1413\"]]";
    let units = vec![german("P", MechInfantry, "1415", "24-6-5"), victim()];
    let t = won(map, units, &[DR2], "attack 1414 with P");
    assert!(!ends(&t, "P").contains(&"1413".to_owned())); // rule: 11.8
}

// rule: 19.2
#[test]
fn forest_and_rivers_only_first() {
    let map = "terrain.forest = [\"1413\", \"1315\"]\nriver = [\"1414/1513\", \"1415/1514\"]";
    let units = vec![
        german("A", FootInfantry, "1415", "12-6-3"),
        german("T", SilhouetteTank, "1415", "12-3-6"),
        victim(),
    ];
    let t = won(map, units, &[DR4], "attack 1414 with A T");
    assert_eq!(t.refused("advance A 1414 1413"), "19.2");
    assert_eq!(t.refused("advance A 1414 1513"), "19.2");
    assert_eq!(t.refused("advance T 1315"), "19.2");
    assert_eq!(t.refused("advance T 1514"), "19.2");
    assert!(ends(&t, "A").contains(&"1514".to_owned()));
}

// rule: 19.3
#[test]
fn bonds_bar_but_for_the_vacated_hex() {
    // Allied units at 1314 and 1514 form Bonds over 1414 itself (not in line) and the hexes beyond.
    let units = vec![
        german("A", FootInfantry, "1415", "24-6-3"),
        victim(),
        allied("E", FootInfantry, "1313", "9-9-3"),
        allied("W", FootInfantry, "1513", "9-9-3"),
    ];
    let t = won("", units, &[DR4], "attack 1414 with A");
    assert!(ends(&t, "A").contains(&"1414".to_owned()));
    assert_eq!(t.refused("advance A 1414 1413"), "10.2"); // rule: 10.2
}

// rule: 19.3
#[test]
fn from_a_zoc_to_the_same_zoc_only_first() {
    let units = vec![
        german("A", FootInfantry, "1415", "24-6-3"),
        victim(),
        allied("W", FootInfantry, "1513", "9-9-3"),
    ];
    let t = won("", units, &[DR4], "attack 1414 with A");
    // 1414 and 1413 are both in W's ZOC.
    assert_eq!(t.refused("advance A 1414 1413"), "19.3");
    // So are 1514 and 1414, but nothing forbids that as the first step.
    assert!(ends(&t, "A").contains(&"1414".to_owned()) && ends(&t, "A").contains(&"1514".to_owned()));
}

// rule: 19.7
#[test]
fn no_room_no_advance() {
    let units = vec![
        german("A", FootInfantry, "1415", "12-6-3").with(|d| d.front.stacking = 2),
        german("B", FootInfantry, "1513", "12-6-3").with(|d| d.front.stacking = 2),
        german("S", FootInfantry, "1416", "1-1-3").is(Flags::TRUCK),
        victim(),
    ];
    let mut t = won("", units, &[DR2], "attack 1414 with A B");
    assert_eq!(t.refused("advance A 1416"), "19.7");
    t.act("advance A 1414");
    assert_eq!(t.refused("advance B 1414"), "8.1"); // rule: 8.3
}

// rule: 29.1
#[test]
fn red_codes_hold_on_turn_one() {
    let red = |d: &mut ardennes::pack::UnitDef| {
        d.start = ardennes::pack::Start::Area {
            areas: Vec::new(),
            code: ardennes::pack::SetupCode::Red,
            default_hex: "E1515".parse().expect("a hex"),
        };
    };
    let units = vec![german("A", FootInfantry, "1415", "24-6-3").with(red), victim()];
    let mut t = second(SOUTH, Side::German, units).turn(1).open(&[DR2, 1, 1, 1, 1]);
    t.act("attack 1414 with A").act("give way");
    if t.top() == Frame::Retreat {
        let way = t.options()[0].clone();
        t.act(&way);
    }
    assert_ne!(t.top(), Frame::Advance, "nobody may advance, so nobody is asked");
}

// rule: 19.4
#[test]
fn a_breakthrough_group_attacks_again() {
    let units = || {
        vec![
            german("P", MechInfantry, "1415", "12-6-5"),
            german("A", FootInfantry, "1514", "12-6-3"),
            victim(),
            allied("D", FootInfantry, "1412", "1-1-3"),
            allied("E", FootInfantry, "1311", "1-1-3"),
        ]
    };
    let mut t = won("", units(), &[D1_STAR, 6], "attack 1414 with A P");
    assert!(!t.alive("C"));
    t.act("advance P 1414 1413");
    t.act("advance A 1414");
    // All units have advanced: nobody is asked whether to stay.
    assert_eq!(t.top(), Frame::Breakthrough);
    assert_eq!(t.refused("attack 1412 with A"), "14.1");
    t.act("attack 1412 with P");
    // 12-1, die 6 on 7-1: DR2.
    assert_eq!(t.top(), Frame::DeterminedDefense);
    // On foot or mixed: one hex, if it is to attack again.
    let mut t = won("", units(), &[D1_STAR], "attack 1414 with A P");
    t.act("advance A 1414 1413").act("stay");
    assert_ne!(t.top(), Frame::Breakthrough, "it advanced too far to attack again");
}

// rule: 19.4
#[test]
fn breakthroughs_follow_each_other() {
    let units = vec![
        german("P", MechInfantry, "1415", "24-6-5"),
        victim(),
        allied("D", FootInfantry, "1412", "2-2-3"),
        allied("E", FootInfantry, "1410", "2-2-3"),
    ];
    let mut t = won("", units, &[D1_STAR, 1, 1], "attack 1414 with P");
    t.act("advance P 1414 1413").act("attack 1412 with P");
    assert!(!t.alive("D"));
    t.act("advance P 1412 1411").act("attack 1410 with P");
    assert!(!t.alive("E"));
}

// rule: 19.5
#[test]
fn the_group_joins_another_attack() {
    let units = vec![
        german("P", MechInfantry, "1415", "24-6-5"),
        german("B", FootInfantry, "1411", "3-3-3"),
        victim(),
        allied("D", FootInfantry, "1412", "4-9-3"),
    ];
    let mut t = won("", units, &[D1_STAR, 5], "attack 1414 with P");
    t.act("advance P 1414 1413");
    // 27 to 9 is 3-1; die 5: FF(+1).
    assert_eq!(t.refused("attack 1412 with B"), "19.4");
    t.act("attack 1412 with P B");
    assert_eq!(t.top(), Frame::FireFight);
    assert!(t.flags("B").any(Flags::ATTACKED));
}
