//! Retreats (17) and disorder (18).
//!
//! The attackers come from the north (1415), the Allied supply source is in the south (1410).

use UnitType::{Artillery, FootInfantry, SilhouetteTank};
use ardennes::{
    combat::retreat,
    flags::Flags,
    frame::Frame,
    pack::{DefenseMark, Side, UnitType},
};

use crate::table::{Spec, Table, allied, first, german, second};

const SOUTH: &str = "supply = { german = [\"1420\"], allied = [\"1410\"] }\n";

fn strong() -> Spec {
    german("A", FootInfantry, "1415", "24-6-3")
}

/// A result of the die in the column where 24 meets 4: 6-1.
fn driven(map: &str, mut units: Vec<Spec>, die: u8) -> Table {
    units.insert(0, strong());
    let mut t = second(&format!("{SOUTH}{map}"), Side::German, units).open(&[die]);
    t.act("done").act("attack 1414 with A");
    if t.top() == Frame::DeterminedDefense {
        t.act("give way");
    }
    t
}

const DR2: u8 = 5;
const DR3: u8 = 4;
const DR4: u8 = 3;

fn ends(t: &Table, unit: &str, hexes: u8) -> Vec<String> {
    let mut ends = Vec::new();
    retreat::routes(&t.rules, &t.s, t.id(unit), hexes, &mut |route| {
        ends.push(t.rules.label(route.end).to_owned());
    });
    ends.sort();
    ends.dedup();
    ends
}

fn plain() -> Spec {
    allied("C", FootInfantry, "1414", "4-4-3")
}

// rule: 17.1
#[test]
fn the_full_number_of_hexes_toward_supply() {
    let t = driven("", vec![plain()], DR2);
    assert_eq!(t.top(), Frame::Retreat);
    // Two hexes away, out of the attacker's ZOC (1514, 1314), and nearer to 1410.
    assert_eq!(ends(&t, "C", 2), ["1312", "1412", "1512"]);
    assert_eq!(t.refused("retreat C 1413"), "17.1");
    assert_eq!(t.refused("retreat C 1413 1414"), "17.1");
    assert_eq!(t.refused("retreat C 1413 1313"), "17.1");
    assert_eq!(t.refused("retreat C 1514 1614"), "17.1");
    assert_eq!(t.refused("retreat C 1415 1416"), "17.2");
}

// rule: 17.1
#[test]
fn enemy_zoc_only_as_the_first_hex_and_only_if_it_must_be() {
    // Enemies all round: every first hex is in a ZOC.
    let ring = vec![
        plain(),
        german("S", FootInfantry, "1412", "1-1-3"),
        german("W", FootInfantry, "1613", "1-1-3"),
        german("E", FootInfantry, "1213", "1-1-3"),
    ];
    let t = driven("", ring, DR2);
    // Only past the attacker, where the second hex is outside the ZOC again.
    assert_eq!(ends(&t, "C", 2), ["1215", "1615"]);
    // One enemy far to the south-west closes 1513 and 1413 but leaves 1313.
    let t = driven("", vec![plain(), german("W", FootInfantry, "1512", "1-1-3")], DR2);
    assert_eq!(t.at("C").as_deref(), Some("1312"), "the one way, so nobody is asked");
}

// rule: 17.1
#[test]
fn a_friendly_unit_negates_enemy_zoc() {
    let t = driven(
        "",
        vec![plain(), german("W", FootInfantry, "1512", "1-1-3"), allied("F", FootInfantry, "1413", "2-2-3")],
        DR2,
    );
    assert!(ends(&t, "C", 2).contains(&"1312".to_owned()));
    let mut t = t;
    t.act("retreat C 1413 1312");
    assert_eq!(t.at("C").as_deref(), Some("1312"));
}

// rule: 17.2
#[test]
fn a_unit_enclosed_by_bonds_is_eliminated() {
    // A Hex Bond through 1413 and Hexside Bonds beside it.
    let t = driven(
        "",
        vec![plain(), german("W", FootInfantry, "1513", "1-1-3"), german("E", FootInfantry, "1313", "1-1-3")],
        DR2,
    );
    assert!(!t.alive("C"));
}

// rule: 17.2
#[test]
fn vehicles_keep_to_roads_and_bridges() {
    let tank = || allied("T", SilhouetteTank, "1414", "4-4-6");
    let woods = r#"terrain.forest = ["1413", "1513", "1313", "1314", "1514"]
road.primary = [["1414", "1413", "1412"]]"#;
    // One road leads out: one route, and nobody is asked.
    let t = driven(woods, vec![tank()], DR2);
    assert_eq!(t.at("T").as_deref(), Some("1412"));
    let river = r#"river = ["1414/1413", "1414/1513", "1414/1313", "1414/1314", "1414/1514"]"#;
    assert!(!driven(river, vec![tank()], DR2).alive("T"));
    // Infantry may cross the river.
    assert!(driven(river, vec![plain()], DR2).alive("C"));
    let meuse = river.replace("river", "meuse");
    assert!(!driven(&meuse, vec![plain()], DR2).alive("C"));
    let lake = river.replace("river", "lake");
    assert!(!driven(&lake, vec![plain()], DR2).alive("C"));
}

// rule: 17.1
#[test]
fn vehicles_take_the_road_where_there_is_one() {
    let tank = allied("T", SilhouetteTank, "1414", "4-4-6");
    let t = driven("road.secondary = [[\"1414\", \"1413\", \"1412\", \"1411\"]]", vec![tank], DR2);
    assert_eq!(t.at("T").as_deref(), Some("1412"));
}

// rule: 18.1
#[test]
fn two_hexes_disrupt_and_more_break() {
    let walk = |die: u8, flags: Flags| {
        let mut t = driven("", vec![plain().is(flags)], die);
        if t.alive("C") {
            let way = t.options()[0].clone();
            t.act(&way);
        }
        t
    };
    let t = walk(DR2, Flags::NONE);
    assert!(t.flags("C").any(Flags::DISRUPTED) && !t.flags("C").any(Flags::BROKEN));
    assert!(walk(DR3, Flags::NONE).flags("C").any(Flags::BROKEN));
    // rule: 18.2: Disrupted units (one shift right: die 6 is DR2 at 7-1).
    assert!(walk(6, Flags::DISRUPTED).flags("C").any(Flags::BROKEN));
    assert!(!walk(5, Flags::DISRUPTED).alive("C"));
    // rule: 18.4
    assert!(!walk(6, Flags::DISRUPTED | Flags::BROKEN).alive("C"));
    // rule: 23.4
    assert!(walk(DR2, Flags::OOS).alive("C"));
    assert!(!walk(DR3, Flags::OOS).alive("C"));
}

// rule: 18 (1E)
#[test]
fn the_first_edition_knows_no_broken_units() {
    let units = vec![strong(), plain().is(Flags::DISRUPTED).reduced(2, 2, 1)];
    let mut t = first(SOUTH, Side::German, units).open(&[5]);
    t.act("done").act("attack 1414 with A");
    let way = t.options()[0].clone();
    t.act(&way);
    assert!(t.flags("C").any(Flags::REDUCED) && t.flags("C").any(Flags::DISRUPTED));
    assert!(!t.flags("C").any(Flags::BROKEN));
}

// rule: 27.1
#[test]
fn engineers_do_not_survive_a_long_retreat() {
    let engineer = || plain().with(|d| d.defense_mark = DefenseMark::Outlined);
    assert!(driven("", vec![engineer()], DR2).alive("C"));
    assert!(!driven("", vec![engineer()], DR4).alive("C"));
}

// rule: 17.3
#[test]
fn the_advance_stands_although_nobody_retreats() {
    let t = driven("", vec![plain().is(Flags::DISRUPTED)], 5);
    assert!(!t.alive("C"));
    assert_eq!(t.top(), Frame::Advance);
    assert!(t.options().contains(&"advance A 1414 1413".to_owned()));
}

// rule: 17.4
#[test]
fn units_retreat_further_from_a_hex_without_room() {
    // One road, and its end is fully stacked.
    let full = |id: &str, hex: &str| allied(id, SilhouetteTank, hex, "1-3-6").reduced(1, 1, 0);
    let woods = r#"terrain.forest = ["1413", "1513", "1313", "1314", "1514"]
road.primary = [["1414", "1413", "1412", "1411"]]"#;
    let mut t = driven(woods, vec![full("T", "1414"), full("F", "1412")], 6);
    if t.top() == Frame::Retreat {
        t.act("retreat T 1413 1412");
    }
    assert!(matches!(t.top(), Frame::RetreatOn(_)), "{:?} {:?}", t.top(), t.at("T"));
    assert_eq!(t.refused("remove T"), "17.4");
    t.act("retreat T 1411");
    assert_eq!(t.at("T").as_deref(), Some("1411"));
}

// rule: 17.5
#[test]
fn retreated_units_add_nothing_and_are_eliminated_with_the_defenders() {
    let units = vec![
        german("B", FootInfantry, "1413", "24-6-3"),
        plain(),
        allied("F", FootInfantry, "1414", "9-9-3").is(Flags::RETREATED | Flags::DISRUPTED | Flags::DEFENDED),
    ];
    let mut t = second(SOUTH, Side::German, units).open(&[4]);
    t.act("done");
    // Opening the phase clears the flags of the last one: set them again.
    let f = t.id("F");
    t.s.unit_mut(f).flags.set(Flags::RETREATED | Flags::DEFENDED);
    let sheet = t.sheet("attack 1414 with B");
    assert_eq!(sheet.defense, 4);
    // 6-1 and one shift for the Disrupted: die 4 at 7-1 is DR4.
    t.act("attack 1414 with B");
    assert!(!t.alive("F") && t.alive("C"));
}

// rule: 17.6
#[test]
fn over_the_edge_of_the_map() {
    // German units are eliminated beyond it; the small map has no Off-Map Boxes.
    let units = vec![
        allied("A", FootInfantry, "1419", "24-6-3"),
        allied("B", FootInfantry, "1519", "1-6-3"),
        allied("D", FootInfantry, "1319", "1-6-3"),
        german("C", FootInfantry, "1420", "4-4-3"),
    ];
    let mut t = second("", Side::Allied, units).open(&[DR2]);
    t.act("done").act("attack 1420 with A");
    if t.top() == Frame::DeterminedDefense {
        t.act("give way");
    }
    assert!(!t.alive("C"));
}

// rule: 17.7
#[test]
fn artillery_in_retreat() {
    let gun = |id: &str, side: Side| {
        let make = if side == Side::German { german } else { allied };
        make(id, Artillery, "1414", "1-4-6")
    };
    let mut t = driven("", vec![gun("C", Side::Allied)], DR2);
    let way = t.options()[0].clone();
    t.act(&way);
    assert!(t.flags("C").any(Flags::FIRED));
    let against = |flags| {
        let units = vec![allied("A", FootInfantry, "1415", "24-6-3"), gun("C", Side::German).is(flags)];
        let mut t = second(SOUTH, Side::Allied, units).open(&[DR2]);
        t.act("done").act("attack 1414 with A");
        if t.top() == Frame::DeterminedDefense {
            t.act("give way");
        }
        t.alive("C")
    };
    assert!(!against(Flags::NONE));
    assert!(against(Flags::PRIME_MOVER));
}

// rule: 12.7
#[test]
fn markers_that_a_retreat_takes_off() {
    let mut t = driven("", vec![plain().is(Flags::TRUCK | Flags::ENGAGED)], 6);
    if t.top() == Frame::Retreat {
        let way = t.options()[0].clone();
        t.act(&way);
    }
    assert!(!t.flags("C").any(Flags::TRUCK | Flags::ENGAGED)); // rule: 17.8
}

// rule: 15.8
#[test]
fn an_improved_position_goes_with_its_defenders() {
    let mut t = second(SOUTH, Side::German, vec![strong(), plain()]).open(&[4]);
    let hex = t.hex("1414");
    t.s.improved.insert(hex);
    // 24 to 6 is 4-1; die 3 would be DR2; die 4: FF. Use die 2, which forces a retreat.
    t.dice = kernel::Dice::scripted(vec![2]);
    t.act("done").act("attack 1414 with A");
    let way = t.options()[0].clone();
    t.act(&way);
    assert!(!t.s.improved.contains(hex));
}

// rule: 18.5
#[test]
fn rally() {
    let rally = |flags, hex: &str, dice: &[u8]| {
        let units = vec![
            german("A", FootInfantry, hex, "4-4-3").is(flags),
            allied("C", FootInfantry, "1414", "4-4-3"),
        ];
        let mut t = second("", Side::German, units).position();
        t.dice = kernel::Dice::scripted(dice.to_vec());
        let mut log = kernel::Log::default();
        let (rules, s, dice) = (&t.rules, &mut t.s, &mut t.dice);
        ardennes::rally::rally(&mut ardennes::play::Play { rules, s, dice, log: &mut log })
            .expect("dice enough");
        t.flags("A")
    };
    let (disrupted, broken) = (Flags::DISRUPTED, Flags::DISRUPTED | Flags::BROKEN);
    assert!(!rally(disrupted, "1417", &[]).any(Flags::DISRUPTED));
    assert_eq!(rally(broken, "1417", &[]), Flags::DISRUPTED);
    assert!(!rally(disrupted, "1415", &[2]).any(Flags::DISRUPTED));
    assert!(rally(disrupted, "1415", &[3]).any(Flags::DISRUPTED));
    // rule: 11.10: not across the army boundary before turn 5; the small table plays turn 5.
    assert!(!rally(disrupted | Flags::ACROSS_BOUNDARY, "1417", &[]).any(Flags::DISRUPTED));
}
