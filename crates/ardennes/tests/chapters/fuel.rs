//! Artillery supply (5) and fuel shortage (6).

use ardennes::{
    action::Action,
    flags::Flags,
    frame::Frame,
    pack::{FormationId, Side, UnitId},
    phase::Phase,
    place::Place,
};

use crate::table::Table;

fn artillery(table: &Table, side: Side, count: usize) -> Vec<UnitId> {
    table.rules.units_of(side).filter(|u| table.rules.counter(*u).artillery).take(count).collect()
}

// rule: 5.2
// rule: 5.4
#[test]
fn germans_ready_three_and_on_turn_two_six() {
    for (turn, allowed) in [(1, 3), (2, 6), (3, 3)] {
        let mut table = Table::new("campaign", "2e");
        let guns = artillery(&table, Side::German, 8);
        let hexes: Vec<_> = table.rules.land.in_play.iter().take(8).collect();
        for (gun, hex) in guns.iter().zip(hexes) {
            table.rules.put(&mut table.s, *gun, Place::Hex(hex));
            table.mark(*gun, Flags::FIRED);
        }
        table.at(turn, Side::German, Phase::ArtillerySupply, Frame::ReadyArtillery { left: u8::MAX });
        for gun in &guns[..allowed] {
            assert_eq!(table.forced(), None);
            table.act(Action::Ready { unit: *gun }, &[]);
        }
        assert_eq!(table.forced(), Some(Action::Done));
    }
}

// rule: 5.3
#[test]
fn who_stays_fired() {
    let mut table = Table::new("campaign", "2e");
    let gun = artillery(&table, Side::Allied, 1)[0];
    let hex = table.hex("E2416");
    table.rules.put(&mut table.s, gun, Place::Hex(hex));
    table.put("de-26vg-39", "E2316");
    table.at(5, Side::Allied, Phase::ArtillerySupply, Frame::ReadyArtillery { left: u8::MAX });
    let ready = Action::Ready { unit: gun };
    assert_eq!(table.refused(&ready), "5.1");
    table.mark(gun, Flags::FIRED | Flags::ENGAGED);
    assert!(table.check(&ready).is_ok(), "neither EZOC nor Engaged is an obstacle");
    for flag in [Flags::DISRUPTED, Flags::OOS, Flags::STRATEGIC] {
        table.mark(gun, flag);
        assert_eq!(table.refused(&ready), "5.3");
        assert_eq!(table.forced(), Some(Action::Done));
        table.s.unit_mut(gun).flags.clear(flag);
        table.s.renew_stamp();
    }
    // The Allied player readies all units: nobody is asked.
    assert_eq!(table.forced(), Some(ready));
}

fn formation(table: &Table, id: &str) -> FormationId {
    let at = table.rules.pack.formations.iter().position(|f| f.id == id);
    FormationId(at.unwrap_or_else(|| panic!("{id} is a formation")) as u8)
}

/// The first units of a formation on the map, from this hex on.
fn deploy(table: &mut Table, id: &str, hex: &str, count: usize) -> Vec<UnitId> {
    let formation = formation(table, id);
    let units: Vec<_> = table.rules.pack.formation(formation).units.iter().copied().take(count).collect();
    let hex = table.hex(hex);
    for unit in &units {
        table.rules.put(&mut table.s, *unit, Place::Hex(hex));
    }
    units
}

fn roll(table: &mut Table, turn: u8, which: u8, die: u8) {
    table.at(turn, Side::German, Phase::Fuel, Frame::RollFuel { table: which });
    table.play(&[die], |play| {
        play.pop();
        ardennes::fuel::roll(play, which)
    });
    table.s.renew_stamp();
}

// rule: 6.1
#[test]
fn from_turn_seven_a_named_division_is_out_of_supply() {
    let mut table = Table::new("campaign", "2e");
    let units = deploy(&mut table, "116pz", "E2416", 3);
    table.at(6, Side::German, Phase::Fuel, Frame::RollFuel { table: 0 });
    table.play(&[], |play| ardennes::fuel::roll(play, 0));
    roll(&mut table, 7, 0, 6);
    let named = formation(&table, "116pz");
    assert_eq!(table.forced(), Some(Action::Fuel { formation: named }));
    table.act(Action::Fuel { formation: named }, &[]);
    assert!(units.iter().all(|u| table.s.unit(*u).flags.all(Flags::OOS | Flags::NO_FUEL)));
    // rule: 23.1
    // The German Supply Phase ends it.
    table.at(7, Side::German, Phase::Supply, Frame::CheckSupply);
    table.play(&[], ardennes::supply::check_supply);
    assert!(units.iter().all(|u| !table.s.unit(*u).is(Flags::OOS | Flags::NO_FUEL)));
}

// rule: 6.1
// rule: 6.3
#[test]
fn x_or_y_is_the_germans_choice_between_those_on_the_map() {
    let mut table = Table::new("campaign", "2e");
    deploy(&mut table, "2pz", "E2416", 2);
    let lehr = formation(&table, "lehr");
    roll(&mut table, 8, 0, 5);
    // Lehr is not in play: no choice.
    let two = formation(&table, "2pz");
    assert_eq!(table.forced(), Some(Action::Fuel { formation: two }));
    assert_eq!(table.refused(&Action::Fuel { formation: lehr }), "6.3");
    // Lehr is only arriving: the division on the map must be taken.
    let units = table.rules.pack.formation(lehr).units.clone();
    table.rules.put(&mut table.s, units[0], Place::Due);
    assert_eq!(table.forced(), Some(Action::Fuel { formation: two }));
    // Both on the map.
    deploy(&mut table, "lehr", "E2414", 1);
    assert_eq!(table.forced(), None);
    assert_eq!(table.cx().side, Side::German);
    table.act(Action::Fuel { formation: lehr }, &[]);
    assert!(table.s.unit(units[0]).is(Flags::OOS));
}

// rule: 6.3
#[test]
fn an_arriving_division_enters_out_of_supply() {
    let mut table = Table::new("campaign", "2e");
    let named = formation(&table, "116pz");
    let unit = table.rules.pack.formation(named).units[0];
    table.rules.put(&mut table.s, unit, Place::Due);
    roll(&mut table, 9, 0, 6);
    table.act(Action::Fuel { formation: named }, &[]);
    assert!(table.s.unit(unit).flags.all(Flags::OOS | Flags::NO_FUEL));
    // rule: 6.3
    // No division in play: no shortage.
    let mut table = Table::new("campaign", "2e");
    roll(&mut table, 9, 0, 6);
    assert_eq!(table.forced(), Some(Action::Done));
}

// rule: 6.2
#[test]
fn clear_skies_add_one() {
    let mut table = Table::new("campaign", "2e");
    deploy(&mut table, "116pz", "E2416", 1);
    roll(&mut table, 15, 0, 5);
    let named = formation(&table, "116pz");
    assert_eq!(table.forced(), Some(Action::Fuel { formation: named }), "5 + 1 = 6");
}

// rule: 6.4
#[test]
fn the_allied_player_picks_on_the_west_map() {
    let mut table = Table::new("campaign", "2e");
    let west = deploy(&mut table, "2pz", "W2020", 1);
    let named = formation(&table, "2pz");
    let east = table.rules.pack.formation(named).units[1];
    let hex = table.hex("E2416");
    table.rules.put(&mut table.s, east, Place::Hex(hex));
    deploy(&mut table, "lehr", "E2414", 2);
    deploy(&mut table, "9pz", "W2022", 2);
    roll(&mut table, 10, 0, 2);
    assert_eq!(table.cx().side, Side::Allied);
    assert_eq!(table.forced(), None);
    let lehr = formation(&table, "lehr");
    assert_eq!(table.refused(&Action::Fuel { formation: lehr }), "6.4");
    table.act(Action::Fuel { formation: named }, &[]);
    assert!(table.s.unit(west[0]).is(Flags::OOS) && !table.s.unit(east).is(Flags::OOS));
}

// rule: 6.4
#[test]
fn a_breakdown_unit_shares_its_divisions_shortage() {
    let mut table = Table::new("campaign", "2e");
    let named = formation(&table, "116pz");
    let parent = table.rules.pack.formation(named).units.iter().copied().find(|u| {
        let c = table.rules.counter(*u);
        c.breakdown.is_some() && c.sides > 1
    });
    let parent = parent.expect("a regiment that breaks down");
    let hex = table.hex("E2416");
    table.rules.put(&mut table.s, parent, Place::Hex(hex));
    table.at(7, Side::German, Phase::Movement, Frame::Movement);
    table.act(Action::Breakdown { unit: parent, whole: false }, &[]);
    let piece = table.s.stack(hex).find(|u| *u != parent).expect("the Breakdown unit");
    roll(&mut table, 7, 0, 6);
    table.act(Action::Fuel { formation: named }, &[]);
    assert!(table.s.unit(piece).is(Flags::OOS));
}

// rule: 6.4
#[test]
fn first_edition_west_of_the_ourthe_hits_the_whole_division() {
    let mut table = Table::new("campaign", "1e");
    let west = deploy(&mut table, "2pz", "W2020", 1);
    let named = formation(&table, "2pz");
    let east = table.rules.pack.formation(named).units[1];
    let hex = table.hex("E2013");
    table.rules.put(&mut table.s, east, Place::Hex(hex));
    roll(&mut table, 10, 0, 2);
    table.act(Action::Fuel { formation: named }, &[]);
    assert!(table.s.unit(west[0]).is(Flags::OOS) && table.s.unit(east).is(Flags::OOS));
}
