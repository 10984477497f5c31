//! Supply, isolation and surrender (23).

use ardennes::{
    flags::Flags,
    frame::Frame,
    pack::{Morale, Side, UnitId},
    phase::Phase,
    place::Place,
    supply,
};

use crate::table::Table;

fn check(table: &mut Table, side: Side, dice: &[u8]) {
    table.at(5, side, Phase::Supply, Frame::CheckSupply);
    table.play(&[], supply::check_supply);
    table.play(dice, ardennes::surrender::check_surrender);
}

/// Puts enemies of a side on all its sources.
fn shut(table: &mut Table, side: Side) {
    for source in table.rules.land.sources[side.index()].iter().collect::<Vec<_>>() {
        if !table.s.occupied(source) {
            let enemy = table.rules.units_of(side.enemy()).find(|u| table.s.unit(*u).place() == Place::Gone);
            table.rules.put(&mut table.s, enemy.expect("units enough"), Place::Hex(source));
        }
    }
}

// rule: 23.1
// rule: 23.2
// rule: 23.3
#[test]
fn a_line_leads_overland_and_by_road_to_a_source() {
    let mut table = Table::new("campaign", "2e");
    let unit = table.put("us-87-345", "E3413");
    assert!(supply::supplied(&table.rules, &table.s, unit));
    let line = supply::line(&table.rules, &table.s, Side::Allied, table.hex("E3413")).expect("a line");
    assert!(table.rules.land.sources[Side::Allied.index()].contains(*line.last().expect("not empty")));
    for pair in line.windows(2) {
        assert!(table.rules.land.direction(pair[0], pair[1]).is_some(), "hex by hex");
    }
    shut(&mut table, Side::Allied);
    assert!(!supply::supplied(&table.rules, &table.s, unit));
    check(&mut table, Side::Allied, &[3]);
    assert!(table.s.unit(unit).flags.all(Flags::OOS | Flags::ISOLATED));
    assert_eq!(table.s.unit(unit).points, 1);
    // In an Off-Map Box a unit is always in supply.
    table.rules.put(&mut table.s, unit, Place::Box(ardennes::pack::BoxId(0)));
    check(&mut table, Side::Allied, &[]);
    assert!(!table.s.unit(unit).is(Flags::OOS));
    // rule: 23.10
    assert_eq!((table.s.unit(unit).group, table.s.unit(unit).points), (0, 0));
}

/// A unit that is surrounded by four enemies, two hexes out, so that Bonds close the ring.
fn pocket(table: &mut Table, slug: &str, hex: &str) -> UnitId {
    let unit = table.put(slug, hex);
    let centre = table.hex(hex);
    let side = table.rules.counter(unit).side;
    let around: Vec<_> = table.rules.land.neighbours(centre).collect();
    for hex in around {
        if !table.s.occupied(hex) {
            let enemy = table
                .rules
                .units_of(side.enemy())
                .find(|u| table.s.unit(*u).place() == Place::Gone && !table.rules.counter(*u).artillery);
            table.rules.put(&mut table.s, enemy.expect("units enough"), Place::Hex(hex));
        }
    }
    unit
}

// rule: 23.6
// rule: 23.7
// rule: 23.8
#[test]
fn an_isolated_group_surrenders_at_its_limit() {
    let mut table = Table::new("campaign", "2e");
    let unit = pocket(&mut table, "us-87-345", "E3413");
    let limit = match table.rules.counter(unit).morale {
        Morale::Green => 3,
        Morale::Veteran => 4,
        Morale::Elite => 5,
    };
    for round in 1..limit {
        check(&mut table, Side::Allied, &[6]);
        assert_eq!(table.s.unit(unit).points, round);
        check(&mut table, Side::Allied, &[2]);
        assert_eq!(table.s.unit(unit).points, round);
    }
    check(&mut table, Side::Allied, &[3]);
    assert_eq!(table.s.unit(unit).place(), Place::Gone, "never to the Dead Pile");
}

// rule: 28.2
#[test]
fn air_drops_help_the_allies() {
    let mut table = Table::new("campaign", "2e");
    let unit = pocket(&mut table, "us-87-345", "E3413");
    check(&mut table, Side::Allied, &[6]);
    table.at(15, Side::Allied, Phase::Supply, Frame::CheckSurrender);
    // 4 - 2 = 2: nothing; 2 - 2 = 0: a point less.
    table.play(&[4], ardennes::surrender::check_surrender);
    assert_eq!(table.s.unit(unit).points, 1);
    table.play(&[2], ardennes::surrender::check_surrender);
    assert_eq!(table.s.unit(unit).points, 0);
}

// rule: 23.6
#[test]
fn a_line_of_communication_to_a_supplied_unit_is_enough() {
    let mut table = Table::new("campaign", "2e");
    let unit = table.put("us-87-345", "E3413");
    let friend = table.put("us-87-346", "E3415");
    table.at(5, Side::Allied, Phase::Supply, Frame::CheckSurrender);
    table.mark(unit, Flags::OOS);
    table.play(&[], ardennes::surrender::check_surrender);
    assert!(!table.s.unit(unit).is(Flags::ISOLATED), "the friend is in supply");
    table.mark(friend, Flags::OOS);
    // rule: 23.6
    // Now both are isolated and form one group: one die.
    table.play(&[4], ardennes::surrender::check_surrender);
    assert_eq!(table.s.unit(unit).group, table.s.unit(friend).group);
    assert_eq!(table.s.unit(friend).points, 1);
}

// rule: 23.9
#[test]
fn groups_split_and_merge() {
    for (edition, merged) in [("2e", 2), ("1e", 1)] {
        let mut table = Table::new("campaign", edition);
        // Two groups: two medium units with 2 points, one strong unit with 1.
        let a = table.put("us-87-345", "E3413");
        let b = table.put("us-87-346", "E3414");
        let c = table.put("us-3arm-cca", "E3417");
        for (unit, group, points) in [(a, 1, 2), (b, 1, 2), (c, 2, 1)] {
            table.mark(unit, Flags::OOS);
            (table.s.unit_mut(unit).group, table.s.unit_mut(unit).points) = (group, points);
        }
        let attack = |t: &Table, u: UnitId| t.rules.factors(&t.s, u).attack;
        assert!(attack(&table, a) + attack(&table, b) > attack(&table, c));
        assert!(attack(&table, c) > attack(&table, a).max(attack(&table, b)));
        table.at(5, Side::Allied, Phase::Supply, Frame::CheckSurrender);
        // Die 1 adds nothing: what remains are the points of the larger group.
        table.play(&[1], ardennes::surrender::check_surrender);
        for unit in [a, b, c] {
            assert_eq!(table.s.unit(unit).points, merged, "{edition}");
        }
        // Far apart: each part keeps the points.
        let far = table.hex("E2002");
        table.rules.put(&mut table.s, c, Place::Hex(far));
        table.play(&[1, 1], ardennes::surrender::check_surrender);
        assert_ne!(table.s.unit(a).group, table.s.unit(c).group);
        assert_eq!(table.s.unit(c).points, merged);
    }
}

// rule: 23.9
#[test]
fn points_written_down_without_a_group_count() {
    let mut table = Table::new("campaign", "2e");
    let unit = pocket(&mut table, "us-87-345", "E3413");
    table.mark(unit, Flags::OOS | Flags::ISOLATED);
    table.s.unit_mut(unit).points = 2;
    check(&mut table, Side::Allied, &[1]);
    assert_eq!(table.s.unit(unit).points, 2);
}

// rule: 23.3
#[test]
fn overland_is_four_hexes_and_one_ezoc_at_its_start() {
    let table = Table::new("campaign", "2e");
    let goal_hex = table.hex("W2020");
    let mut goal = hexgrid::HexSet::new();
    goal.insert(goal_hex);
    let reach = supply::overland(&table.rules, &table.s, Side::Allied, &goal);
    for hex in &table.rules.land.in_play {
        assert_eq!(
            reach.contains(hex),
            table.rules.distance(hex, goal_hex) <= 4,
            "{}",
            table.rules.label(hex)
        );
    }
}

// rule: 23.3
#[test]
fn an_enemy_town_stops_the_road_in_the_second_edition_only() {
    for (edition, open) in [("2e", false), ("1e", true)] {
        let mut table = Table::new("campaign", edition);
        let hex = table.hex("E3413");
        let before = supply::road_hexes(&table.rules, &table.s, Side::Allied);
        assert!(before.contains(hex));
        // Every Town and City is German, every other hex Allied.
        for town in table.rules.land.in_play.iter().filter(|h| table.rules.land.hex(*h).town_or_city()) {
            table.s.set_control(town, Side::German);
        }
        let after = supply::road_hexes(&table.rules, &table.s, Side::Allied);
        assert_eq!(after == before, open, "{edition}");
        assert!(after.is_subset(&before));
    }
}

// rule: 23.3
#[test]
fn a_blown_bridge_stops_the_road() {
    let mut table = Table::new("campaign", "2e");
    let before = supply::road_hexes(&table.rules, &table.s, Side::German);
    for bridge in 0..table.rules.land.bridges.len() {
        table.s.bridge_mut(bridge).set(ardennes::state::BridgeIs::Blown);
    }
    let after = supply::road_hexes(&table.rules, &table.s, Side::German);
    assert!(after.is_subset(&before) && after.len() < before.len());
}
