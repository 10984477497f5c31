//! Disengagement (20).

use UnitType::{FootInfantry, SilhouetteTank};
use ardennes::{
    flags::Flags,
    frame::Frame,
    pack::{Morale, Side, UnitType},
};

use crate::table::{Spec, Table, allied, first, german, second};

const NORTH: &str = "supply = { german = [\"1420\"], allied = [\"1410\"] }\n";

fn units(a: Spec) -> Vec<Spec> {
    vec![a, allied("C", FootInfantry, "1414", "4-4-3")]
}

fn foot() -> Spec {
    german("A", FootInfantry, "1415", "4-4-3")
}

fn open(a: Spec, dice: &[u8]) -> Table {
    second(NORTH, Side::German, units(a)).open(dice)
}

// rule: 20.3
#[test]
fn the_table() {
    // Yes: one or two hexes, the owner's choice.
    let mut t = open(foot().is(Flags::ENGAGED), &[3]);
    t.act("disengage A");
    assert_eq!(t.top(), Frame::DisengageRetreat);
    assert!(t.options().contains(&"retreat A 1416".to_owned()));
    assert!(t.options().contains(&"retreat A 1416 1417".to_owned()));
    t.act("retreat A 1416");
    assert!(!t.flags("A").any(Flags::DISRUPTED | Flags::ENGAGED));
    // Yes + D
    let mut t = open(foot().is(Flags::ENGAGED), &[4]);
    t.act("disengage A").act("retreat A 1416 1417");
    assert!(t.flags("A").any(Flags::DISRUPTED));
    // No
    let mut t = open(foot().is(Flags::ENGAGED), &[5]);
    t.act("disengage A");
    assert_eq!(t.at("A").as_deref(), Some("1415"));
    assert!(!t.flags("A").any(Flags::DISRUPTED));
    // No + D
    let mut t = open(foot(), &[6]);
    t.act("disengage A");
    assert!(t.flags("A").any(Flags::DISRUPTED));
}

// rule: 20.2
#[test]
fn modifiers_and_stacks() {
    let mut t = open(foot().morale(Morale::Green), &[5]);
    t.act("disengage A");
    assert!(t.flags("A").any(Flags::DISRUPTED), "5 + 1");
    // Elite tank: 5 - 2 is Yes. Rule: 21.5
    let tank = german("A", SilhouetteTank, "1415", "4-4-6").morale(Morale::Elite);
    let mut t = open(tank, &[5]);
    t.act("disengage A");
    assert_eq!(t.top(), Frame::DisengageRetreat);
    // A stack declares before it rolls.
    let mut all = units(foot());
    all.push(german("B", FootInfantry, "1415", "1-1-3"));
    let mut t = second(NORTH, Side::German, all).open(&[5]);
    assert!(t.options().iter().any(|o| o.starts_with("disengage") && o.len() > "disengage A".len()));
    t.act("disengage A");
    // No other unit may try: the phase proceeds to the attacks.
    assert_eq!(t.top(), Frame::Attacks);
    assert_eq!(t.refused("attack 1414 with A"), "20.1"); // rule: 20.1
}

// rule: 20.4
#[test]
fn units_that_are_not_engaged_stay_out_of_enemy_zoc() {
    // Enemies north and south: every route leads through a ZOC.
    let mut all = units(foot());
    all.push(allied("N", FootInfantry, "1417", "4-4-3"));
    all.push(allied("E", FootInfantry, "1315", "4-4-3"));
    all.push(allied("W", FootInfantry, "1515", "4-4-3"));
    let mut t = second(NORTH, Side::German, all).open(&[1]);
    t.act("disengage A");
    assert!(!t.alive("A"));
}

// rule: 20.1
#[test]
fn who_may_not() {
    let t = open(foot(), &[]);
    assert_eq!(t.refused("disengage C"), "-");
    let mut all = units(foot());
    all.push(german("F", FootInfantry, "1418", "1-1-3"));
    all.push(german("D", FootInfantry, "1513", "1-1-3").is(Flags::DISRUPTED));
    let t = second(NORTH, Side::German, all).open(&[]);
    assert_eq!(t.refused("disengage F"), "20.1");
    assert_eq!(t.refused("disengage D"), "20.1");
    assert_eq!(t.refused("disengage A F"), "20.2");
}

// rule: 20.5
#[test]
fn engaged_markers_go() {
    let mut t = open(foot().is(Flags::ENGAGED), &[]);
    t.act("done");
    assert!(!t.flags("A").any(Flags::ENGAGED));
    assert_eq!(t.top(), Frame::Attacks);
    // 1E 20.3: units that tried and failed stay Engaged.
    let mut t = first(NORTH, Side::German, units(foot().is(Flags::ENGAGED))).open(&[5]);
    t.act("disengage A");
    assert!(t.flags("A").any(Flags::ENGAGED));
}
