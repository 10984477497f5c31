//! The defense of Antwerp and special units (27.3, 27.7, 27.8.1).

use ardennes::{action::Action, antwerp, flags::Flags, frame::Frame, pack::Side, phase::Phase, place::Place};

use crate::table::Table;

// rule: 27.3
#[test]
fn british_units_go_to_antwerp_after_germans_have_exited() {
    let mut table = Table::new("campaign", "2e");
    let british: Vec<_> = table
        .rules
        .units_of(Side::Allied)
        .filter(|u| {
            let c = table.rules.counter(*u);
            c.british && !c.artillery && !c.breakdown_counter && !c.remnant_counter
        })
        .take(3)
        .collect();
    let hexes = ["W2938", "W2940", "W2936"].map(|h| table.hex(h));
    for (unit, hex) in british.iter().zip(hexes) {
        table.rules.put(&mut table.s, *unit, Place::Hex(hex));
    }
    let american = table.put("us-87-345", "W2634");
    table.at(20, Side::German, Phase::Supply, Frame::Antwerp);
    assert_eq!(table.forced(), Some(Action::Done), "nobody has left");
    table.s.exited_attack = 1;
    assert_eq!(antwerp::needed(&table.rules, &table.s), 7);
    assert!(antwerp::insufficient(&table.rules, &table.s));
    assert_eq!(table.forced(), None);
    assert_eq!(table.refused(&Action::Done), "27.3");
    assert_eq!(table.refused(&Action::Antwerp { unit: american }), "27.3");
    table.mark(british[0], Flags::ENGAGED);
    for unit in &british {
        if !antwerp::insufficient(&table.rules, &table.s) {
            break;
        }
        table.act(Action::Antwerp { unit: *unit }, &[]);
        assert_eq!(table.s.unit(*unit).place(), Place::Antwerp);
        assert!(!table.s.unit(*unit).is(Flags::ENGAGED));
    }
    assert!(!antwerp::insufficient(&table.rules, &table.s));
    assert_eq!(table.forced(), Some(Action::Done));
    // The excess counts for the next units that exit.
    let spare = antwerp::defense(&table.rules, &table.s) - antwerp::needed(&table.rules, &table.s);
    table.s.exited_attack += spare;
    assert!(!antwerp::insufficient(&table.rules, &table.s));
    table.s.exited_attack += 1;
    assert!(antwerp::insufficient(&table.rules, &table.s));
    // rule: 27.3
    // In the Allied turn nobody is asked; the 1st edition has no such rule.
    table.s.side = Side::Allied;
    assert_eq!(table.forced(), Some(Action::Done));
    let mut first = Table::new("campaign", "1e");
    first.s.exited_attack = 30;
    assert!(!antwerp::insufficient(&first.rules, &first.s));
}

// rule: 27.7
#[test]
fn the_arrival_of_653_pzj_is_rolled_for() {
    for (die, place) in [
        (1, Place::Due),
        (2, Place::Due),
        (3, Place::Track),
        (4, Place::Track),
        (5, Place::Gone),
        (6, Place::Gone),
    ] {
        let mut table = Table::new("campaign", "2e");
        let unit = table
            .rules
            .units_of(Side::German)
            .find(|u| table.rules.counter(*u).has(ardennes::pack::Tag::Pzj653));
        let unit = unit.expect("the 653 PzJ");
        table.rules.put(&mut table.s, unit, Place::Track);
        table.at(3, Side::German, Phase::Movement, Frame::OpenMovement);
        table.play(&[], |play| ardennes::special::arrival_roll(play, unit));
        assert_eq!(table.s.unit(unit).place(), Place::Track, "not before turn 4");
        table.s.turn = 4;
        table.play(&[die], |play| ardennes::special::arrival_roll(play, unit));
        assert_eq!(table.s.unit(unit).place(), place, "die {die}");
        if place == Place::Track {
            table.s.turn = 5;
            table.play(&[1], |play| ardennes::special::arrival_roll(play, unit));
            assert_eq!(table.s.unit(unit).place(), Place::Due);
        }
    }
}

// rule: 27.8.1
#[test]
fn a_disguise_lasts_one_turn() {
    let mut table = Table::new("campaign", "2e");
    let unit = table
        .rules
        .units_of(Side::German)
        .find(|u| table.rules.counter(*u).has(ardennes::pack::Tag::Brigade150));
    let unit = unit.expect("the 150th Panzer Brigade");
    let hex = table.hex("E2416");
    table.rules.put(&mut table.s, unit, Place::Hex(hex));
    table.play(&[], |play| {
        ardennes::special::end_of_turn(play);
        Ok(())
    });
    assert!(!table.s.unit(unit).is(Flags::EXPOSED));
    table.mark(unit, Flags::DISGUISE_USED);
    table.play(&[], |play| {
        ardennes::special::end_of_turn(play);
        Ok(())
    });
    assert!(table.s.unit(unit).is(Flags::EXPOSED) && !table.s.unit(unit).is(Flags::DISGUISE_USED));
}

// rule: 27.8
#[test]
fn first_edition_the_ccb_may_be_sent_to_st_vith() {
    let mut table = Table::with("campaign", "1e", &["ccb9"]);
    let unit = table.put("us-9arm-ccb", "E2131");
    table.at(2, Side::Allied, Phase::Movement, Frame::OpenMovement);
    table.play(&[4], ardennes::special::ccb9_roll);
    assert!(!table.s.ccb9_bound);
    table.play(&[3], ardennes::special::ccb9_roll);
    assert!(table.s.ccb9_bound);
    let (from, near, far) = (table.hex("E2131"), table.hex("E2128"), table.hex("E2134"));
    assert!(!table.rules.ccb9_strays(&table.s, unit, from, near));
    assert!(table.rules.ccb9_strays(&table.s, unit, from, far));
    table.s.turn = 4;
    assert!(!table.rules.ccb9_strays(&table.s, unit, from, far));
}
