//! Which units may attack what, with what support (14.1–14.4, 22, 27.3).

use UnitType::{Artillery, FootInfantry, MechInfantry, SilhouetteTank};
use ardennes::{
    flags::Flags,
    frame::Frame,
    pack::{Colour, Nation, Side, Tag, UnitType},
};

use crate::table::{Spec, Table, allied, german, second};

fn open(units: Vec<Spec>, dice: &[u8]) -> Table {
    let mut t = second("", Side::German, units).open(dice);
    if t.top() == Frame::Disengage {
        t.act("done");
    }
    t
}

fn pair(a: Spec) -> Vec<Spec> {
    vec![a, allied("C", FootInfantry, "1414", "4-4-3")]
}

fn foot() -> Spec {
    german("A", FootInfantry, "1415", "6-6-3")
}

// rule: 14.1
#[test]
fn who_may_not_attack() {
    let bars = [
        (Flags::DISRUPTED, "18.2"),
        (Flags::DUG, "15.8"),
        (Flags::REPLACED, "25.24"),
        (Flags::NIGHT, "25.35"),
    ];
    for (flag, rule) in bars {
        let second_unit = german("B", FootInfantry, "1413", "6-6-3");
        let mut units = pair(foot().is(flag));
        units.push(second_unit);
        let t = open(units, &[]);
        assert_eq!(t.refused("attack 1414 with A"), rule);
    }
    let mut units = pair(foot());
    units.push(german("G", Artillery, "1413", "3-2-1"));
    units.push(german("F", FootInfantry, "1418", "6-6-3"));
    let t = open(units, &[]);
    assert_eq!(t.refused("attack 1414 with G"), "22.9");
    assert_eq!(t.refused("attack 1414 with A F"), "14.1");
    assert_eq!(t.refused("attack 1412 with A"), "14.1");
    assert_eq!(t.refused("attack 1414 with A A"), "14.2");
    assert_eq!(t.refused("attack 1414 with C"), "-");
}

// rule: 14.1
#[test]
fn once_a_phase_for_attacker_and_defender() {
    let mut units = pair(foot());
    units.push(german("B", FootInfantry, "1413", "6-6-3"));
    units.push(allied("D", FootInfantry, "1416", "4-4-3"));
    units.push(german("E", FootInfantry, "1417", "6-6-3"));
    // 1-1, die 4: Eng.
    let mut t = open(units, &[4]);
    t.act("attack 1414 with A");
    assert!(t.flags("C").any(Flags::ENGAGED)); // rule: 16.5
    assert_eq!(t.refused("attack 1416 with A"), "14.1");
    assert_eq!(t.refused("attack 1414 with B"), "14.1");
    assert!(t.options().contains(&"attack 1416".to_owned()));
}

// rule: 14.31
#[test]
fn two_formations_with_one_attached_unit_each() {
    let at = |id: &str, hex: &str, formation: &str| german(id, FootInfantry, hex, "2-2-3").of(formation);
    let units = vec![
        at("A", "1415", "2pz"),
        at("B", "1413", "26vg"),
        at("L", "1415", "lehr"),
        at("M", "1413", "lehr"),
        at("N", "1513", "116pz"),
        at("O", "1314", "116pz"),
        german("I", FootInfantry, "1313", "2-2-3"),
        allied("C", FootInfantry, "1414", "4-4-3"),
    ];
    let t = open(units, &[1, 1, 1, 1]);
    assert!(t.options().contains(&"attack 1414".to_owned()));
    // rule: 14.32: Lehr's units are attached, one to each.
    let mut legal = t;
    assert_eq!(legal.refused("attack 1414 with A B O"), "14.31");
    assert_eq!(legal.refused("attack 1414 with A B I"), "14.31");
    assert_eq!(legal.refused("attack 1414 with A B L M N"), "14.31");
    legal.act("attack 1414 with A B L M");
}

// rule: 27.3
#[test]
fn british_and_us_units_attack_apart() {
    let units = vec![
        allied("A", FootInfantry, "1415", "6-6-3"),
        allied("B", FootInfantry, "1413", "6-6-3").with(|d| d.nation = Nation::British),
        german("C", FootInfantry, "1414", "4-4-3"),
    ];
    let mut t = second("", Side::Allied, units).open(&[]);
    if t.top() == Frame::Disengage {
        t.act("done");
    }
    assert_eq!(t.refused("attack 1414 with A B"), "27.3");
}

// rule: 22.6
#[test]
fn artillery_supports_its_own_colour_within_range() {
    let gun = |id: &str, hex: &str| german(id, Artillery, hex, "1-2-1").with(|d| d.range = 3);
    let mut units = pair(foot().with(|d| d.colour = Colour::Red));
    units.extend([
        gun("G", "1416").with(|d| d.colour = Colour::Red),
        gun("H", "1417").with(|d| d.colour = Colour::Red),
        gun("I", "1418").with(|d| d.colour = Colour::Red),
        gun("J", "1516").with(|d| d.colour = Colour::Grey),
        gun("K", "1316").with(|d| d.colour = Colour::Red).is(Flags::FIRED),
        gun("L", "1315").with(|d| d.colour = Colour::Red).is(Flags::PRIME_MOVER),
        gun("M", "1314").with(|d| d.colour = Colour::Red).is(Flags::DISRUPTED),
    ]);
    let mut t = open(units, &[6]);
    assert_eq!(t.refused("attack 1414 with A artillery I"), "22.4"); // rule: 22.4
    assert_eq!(t.refused("attack 1414 with A artillery J"), "22.6");
    assert_eq!(t.refused("attack 1414 with A artillery K"), "22.6"); // rule: 22.5
    assert_eq!(t.refused("attack 1414 with A artillery L"), "22.6"); // rule: 22.3
    assert_eq!(t.refused("attack 1414 with A artillery M"), "22.6");
    t.act("attack 1414 with A artillery G H");
    assert!(t.flags("G").any(Flags::FIRED) && t.flags("H").any(Flags::FIRED));
}

// rule: 22.8
#[test]
fn defensive_artillery_rolls_and_becomes_fired() {
    let shoot = |die: u8, rest: &[u8]| {
        let mut t = second("", Side::German, {
            let mut again = pair(foot().reduced(3, 3, 1));
            again[1] = allied("C", FootInfantry, "1414", "2-2-3").with(|d| d.colour = Colour::Maroon);
            again.push(allied("G", Artillery, "1411", "1-2-6").with(|d| {
                d.range = 4;
                d.colour = Colour::Maroon;
            }));
            again
        })
        .open(&[&[die], rest].concat());
        if t.top() == Frame::Disengage {
            t.act("done");
        }
        t.act("attack 1414 with A");
        assert_eq!(t.top(), Frame::Support);
        assert!(t.allied_decides());
        t.act("support G");
        assert!(t.flags("G").any(Flags::FIRED));
        t
    };
    // TOT: a step, and the attack is over without a roll.
    let t = shoot(1, &[]);
    assert!(t.flags("A").any(Flags::REDUCED) && !t.flags("C").any(Flags::ENGAGED));
    // Two shifts left: 3-1 becomes 1-1, where a 4 engages.
    let t = shoot(2, &[4]);
    assert!(t.flags("C").any(Flags::ENGAGED));
}

// rule: 15.6
#[test]
fn jabos_fly_before_every_german_attack_in_clear_weather() {
    // 18 against 4 is 4-1; Jabos 1: three shifts left to 1-1, where a 6 costs the attacker a step.
    let units = vec![
        german("A", FootInfantry, "1415", "18-6-3").reduced(9, 3, 1),
        allied("C", FootInfantry, "1414", "4-4-3"),
    ];
    let mut t = second("", Side::German, units).turn(15).open(&[1, 6]);
    t.act("done").act("attack 1414 with A");
    assert!(t.flags("A").any(Flags::REDUCED));
}

// rule: 15.6
#[test]
fn air_support_needs_a_marker() {
    let units = vec![allied("A", FootInfantry, "1415", "6-6-3"), german("C", FootInfantry, "1414", "4-4-3")];
    let mut t = second("", Side::Allied, units).turn(15).open(&[4]);
    t.act("done");
    assert_eq!(t.refused("attack 1414 with A air"), "15.6");
    t.s.air_left = 1;
    t.act("attack 1414 with A air");
    assert_eq!(t.s.air_left, 0);
}

// rule: 7.4
#[test]
fn the_defender_blows_the_bridge_and_the_attacker_calls_off() {
    let map = "river = [\"1414/1415\"]\nbridge = { \"1414/1415\" = \"intact\" }\nroad.primary = [[\"1415\", \"1414\"]]";
    let units = || {
        vec![
            german("T", SilhouetteTank, "1415", "6-3-6").tq(4, false),
            allied("C", FootInfantry, "1414", "4-4-3"),
        ]
    };
    // 3 + 1 for the enemy's phase: blown.
    let mut t = second(map, Side::German, units()).open(&[3]);
    t.act("done").act("attack 1414 with T");
    assert_eq!(t.top(), Frame::BlowBridge);
    t.act("blow 1414/1415");
    assert_eq!(t.top(), Frame::CallOff); // rule: 14.4
    t.act("call off");
    assert!(!t.flags("T").any(Flags::ATTACKED) && !t.flags("C").any(Flags::DEFENDED));
    // The attack continues: 3 against 4 is 1-2, die 2 is FF(+1), and no unit can lead across the river: Eng.
    let mut t = second(map, Side::German, units()).open(&[3, 2]);
    t.act("done").act("attack 1414 with T").act("blow 1414/1415").act("go on");
    assert!(t.flags("C").any(Flags::ENGAGED)); // rule: 16.2
    // rule: 7.7: not on the first two turns.
    let mut t = second(map, Side::German, units()).turn(2).open(&[1]);
    t.act("done").act("attack 1414 with T");
    assert_ne!(t.top(), Frame::BlowBridge);
}

// rule: 27.8.3
#[test]
fn the_150th_brigade_may_surprise_once() {
    let sola = || {
        german("S", MechInfantry, "1415", "4-4-5")
            .with(|d| d.tags = d.tags.with(Tag::Brigade150))
            .reduced(2, 3, 1)
    };
    let units = || vec![sola(), allied("C", FootInfantry, "1414", "4-4-3")];
    // 1-1 and surprise 2: 2-1, where a 5 engages (at 1-1 it would cost a step).
    let mut t = second("", Side::German, units()).open(&[2, 5]);
    t.act("done").act("attack 1414 with S surprise");
    assert!(t.flags("S").any(Flags::EXPOSED) && !t.flags("S").any(Flags::REDUCED));
    let exposed = vec![sola().is(Flags::EXPOSED), allied("C", FootInfantry, "1414", "4-4-3")];
    let mut t = second("", Side::German, exposed).open(&[]);
    t.act("done");
    assert_eq!(t.refused("attack 1414 with S surprise"), "27.8.3");
}
