//! Night turns (25.1, 25.3) and weather (28).

use ardennes::{
    flags::Flags,
    frame::Frame,
    pack::{Ground, Side, Sky},
    phase::{self, Phase},
};

use crate::table::Table;

// rule: 25.1
#[test]
fn the_night_has_its_own_sequence() {
    use Phase::{NightCombat, NightMovement, NightReplacement};
    use Side::{Allied, German};
    let second = phase::sequence(ardennes::pack::Edition::Second, true);
    let half = [NightReplacement, NightMovement, NightCombat];
    let expected: Vec<_> = [Allied, German].into_iter().flat_map(|s| half.map(|p| (s, p))).collect();
    assert_eq!(second, expected);
    // 1E: one common Replacement Phase first.
    let first = phase::sequence(ardennes::pack::Edition::First, true);
    assert_eq!(first[..2], [(German, NightReplacement), (Allied, NightReplacement)]);
}

// rule: 25.31
// rule: 25.36
#[test]
fn what_was_done_by_day_does_not_bind_at_night() {
    let mut table = Table::new("campaign", "2e");
    let unit = table.put("us-87-345", "E3413");
    table.mark(unit, Flags::MOVED | Flags::NIGHT);
    table.s.unit_mut(unit).spent = 4;
    table.s.bridge_mut(0).set_tried(true);
    table.at(8, Side::Allied, Phase::NightMovement, Frame::OpenNight);
    table.play(&[], ardennes::night::open);
    assert!(!table.s.unit(unit).is(Flags::MOVED) && table.s.unit(unit).spent == 0);
    assert!(!table.s.bridge(0).tried());
    assert!(table.rules.may_move(&table.s, Side::Allied, unit).is_ok());
    let other = table.put("us-87-346", "E3414");
    assert!(table.rules.may_move(&table.s, Side::Allied, other).is_err());
    table.play(&[], |play| {
        ardennes::night::over(play);
        Ok(())
    });
    assert!(!table.s.unit(unit).is(Flags::NIGHT));
}

// rule: 25.33
#[test]
fn without_markers_the_night_passes_by_itself() {
    let mut table = Table::new("campaign", "2e");
    table.put("us-87-345", "E3413");
    table.put("de-26vg-39", "E2012");
    table.at(8, Side::Allied, Phase::NightMovement, Frame::Movement);
    assert_eq!(table.forced(), Some(ardennes::action::Action::Done));
}

// rule: 27.5
#[test]
fn kg_peiper_moves_in_the_first_night() {
    let mut table = Table::new("campaign", "2e");
    let unit = table
        .rules
        .units_of(Side::German)
        .find(|u| table.rules.counter(*u).has(ardennes::pack::Tag::KgPeiper));
    let unit = unit.expect("four of them");
    let hex = table.hex("E2416");
    table.rules.put(&mut table.s, unit, ardennes::place::Place::Hex(hex));
    for (turn, free) in [(2, true), (4, false)] {
        table.at(turn, Side::German, Phase::NightMovement, Frame::OpenNight);
        table.mark(unit, Flags::MOVED);
        table.play(&[], ardennes::night::open);
        assert_eq!(table.rules.may_move(&table.s, Side::German, unit).is_ok(), free, "turn {turn}");
    }
}

// rule: 28.1
// rule: 28.2
#[test]
fn the_weather_is_fixed() {
    let table = Table::new("campaign", "2e");
    for turn in 1..=30 {
        let on_track = table.rules.pack.turn(turn).expect("on the track");
        assert_eq!(on_track.ground == Ground::Frozen, turn >= 11, "turn {turn}");
        assert_eq!(on_track.sky == Sky::Clear, turn >= 15, "turn {turn}");
    }
}
