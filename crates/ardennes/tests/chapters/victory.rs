//! Victory (30) and the ends of the scenarios (31).

use ardennes::{
    flags::Flags,
    frame::Frame,
    pack::{Side, VictoryKind},
    phase::Phase,
    state::{Condition, Ending},
};

use crate::table::Table;

fn check(table: &mut Table, turn: u8) -> Option<Ending> {
    table.at(turn, Side::Allied, Phase::Victory, Frame::CheckVictory);
    table.s.ending = None;
    table.play(&[], ardennes::victory::check);
    table.s.ending
}

fn german(by: Condition) -> Option<Ending> {
    Some(Ending { winner: Some(Side::German), by })
}

/// The whole map is German except for what a test takes away: every road is open.
fn conquered(scenario: &str, edition: &str) -> Table {
    let mut table = Table::new(scenario, edition);
    table.s.set_control_of_all(&table.rules.land.in_play, Side::German);
    for site in &table.rules.land.victory {
        table.s.set_control(site.hex, Side::Allied);
    }
    table
}

fn take(table: &mut Table, count: usize, fits: impl Fn(&Table, VictoryKind, hexgrid::HexId) -> bool) {
    let sites: Vec<_> = table.rules.land.victory.iter().map(|site| (site.kind, site.hex)).collect();
    let sites: Vec<_> =
        sites.into_iter().filter(|(kind, hex)| fits(table, *kind, *hex)).take(count).collect();
    assert_eq!(sites.len(), count, "there are as many");
    for (_, hex) in sites {
        table.s.set_control(hex, Side::German);
    }
}

// rule: 30.2
#[test]
fn liege() {
    let mut table = conquered("campaign", "2e");
    take(&mut table, 3, |_, kind, _| kind == VictoryKind::Liege);
    assert_eq!(check(&mut table, 10), None);
    take(&mut table, 4, |_, kind, _| kind == VictoryKind::Liege);
    assert_eq!(check(&mut table, 10), german(Condition::Liege));
}

// rule: 30.2
#[test]
fn the_meuse() {
    let mut table = conquered("campaign", "2e");
    take(&mut table, 3, |_, kind, _| kind == VictoryKind::Meuse);
    assert_eq!(check(&mut table, 10), None);
    take(&mut table, 4, |_, kind, _| kind == VictoryKind::Meuse);
    assert_eq!(check(&mut table, 10), german(Condition::Meuse));
}

// rule: 30.2
#[test]
fn the_west_map() {
    let mut table = conquered("campaign", "2e");
    let west = |t: &Table, kind: VictoryKind, hex| {
        t.rules.land.west_map.contains(hex) && !matches!(kind, VictoryKind::Meuse | VictoryKind::Liege)
    };
    take(&mut table, 5, west);
    assert_eq!(check(&mut table, 10), None);
    take(&mut table, 6, west);
    assert_eq!(check(&mut table, 10), german(Condition::WestMap));
}

/// Enemies stand on every supply source of a side (23.2).
fn shut_sources(table: &mut Table, of: Side) {
    for source in table.rules.land.sources[of.index()].iter().collect::<Vec<_>>() {
        let label = table.rules.label(source).to_owned();
        let free = table.rules.units_of(of.enemy()).find(|u| table.s.unit(*u).hex().is_none());
        let slug = table.rules.pack.unit(free.expect("units enough")).id.clone();
        table.put(&slug, &label);
    }
}

// rule: 30.1
#[test]
fn control_needs_a_supply_line() {
    let mut table = conquered("campaign", "2e");
    take(&mut table, 4, |_, kind, _| kind == VictoryKind::Liege);
    shut_sources(&mut table, Side::German);
    assert_eq!(check(&mut table, 10), None);
}

// rule: 30.2
#[test]
fn antwerp() {
    let mut table = conquered("campaign", "2e");
    table.s.exited_attack = 23;
    assert_eq!(check(&mut table, 10), None);
    table.s.exited_attack = 24;
    assert_eq!(check(&mut table, 10), german(Condition::Antwerp));
    // Without a line to F or G the exit does not count.
    table.s.set_control_of_all(&table.rules.land.in_play, Side::Allied);
    for (slug, entry) in [("us-87-345", 'F'), ("us-87-346", 'G')] {
        let hex = table.rules.pack.entries.iter().find(|e| e.letter == entry).expect("an Entry Hex").hex;
        table.put(slug, &hex.to_string());
    }
    assert_eq!(check(&mut table, 10), None);
}

fn invade(table: &mut Table, areas: usize) {
    let slugs = ["us-87-345", "us-87-346", "us-87-347", "us-30-117"];
    for (at, slug) in slugs.into_iter().take(areas).enumerate() {
        // Adjacent areas share hexes only in the 1st edition: take a hex of this area alone.
        let mut hexes = table.rules.land.areas[at].iter();
        let hex = hexes.find(|hex| table.rules.land.areas_of(*hex).count() == 1).expect("its own hex");
        let label = table.rules.label(hex).to_owned();
        table.put(slug, &label);
    }
}

// rule: 30.3
#[test]
fn three_german_areas_in_two_checks_override_everything() {
    let mut table = conquered("campaign", "2e");
    take(&mut table, 4, |_, kind, _| kind == VictoryKind::Liege);
    invade(&mut table, 3);
    // The first check: the German condition still counts.
    assert_eq!(check(&mut table, 10), german(Condition::Liege));
    assert_eq!(
        check(&mut table, 11),
        Some(Ending { winner: Some(Side::Allied), by: Condition::GermanAreas })
    );
    // Not consecutive.
    let mut table = Table::new("campaign", "2e");
    invade(&mut table, 3);
    assert_eq!(check(&mut table, 10), None);
    let unit = table.unit("us-87-347");
    table.mark(unit, Flags::OOS);
    assert_eq!(check(&mut table, 11), None);
    table.s.unit_mut(unit).flags.clear(Flags::OOS);
    assert_eq!(check(&mut table, 12), None);
    assert!(check(&mut table, 13).is_some());
}

// rule: 30.3
#[test]
fn first_edition_two_adjoining_areas_at_once() {
    let mut table = Table::new("campaign", "1e");
    let own = |t: &Table, at: usize| {
        t.rules.land.areas[at].iter().find(|h| t.rules.land.areas_of(*h).count() == 1).expect("its own hex")
    };
    let touch = |t: &Table, one: usize, other: usize| {
        let (land, other) = (&t.rules.land, &t.rules.land.areas[other]);
        land.areas[one].iter().any(|hex| land.neighbours(hex).any(|near| other.contains(near)))
    };
    let last = table.rules.land.areas.len() - 1;
    let pair =
        (0..last).find_map(|one| (one + 1..last).find(|at| touch(&table, one, *at)).map(|at| (one, at)));
    let (one, neighbour) = pair.expect("areas lie side by side");
    assert!(!touch(&table, one, last) && !touch(&table, neighbour, last), "the last one is far away");
    let first = table.rules.label(own(&table, one)).to_owned();
    table.put("us-87-345", &first);
    assert_eq!(check(&mut table, 10), None);
    // A distant area adds nothing; its neighbour decides.
    let far = table.rules.label(own(&table, last)).to_owned();
    table.put("us-87-346", &far);
    assert_eq!(check(&mut table, 10), None);
    let near = table.rules.label(own(&table, neighbour)).to_owned();
    table.put("us-87-347", &near);
    assert_eq!(
        check(&mut table, 10),
        Some(Ending { winner: Some(Side::Allied), by: Condition::GermanAreas })
    );
}

// rule: 30.2
#[test]
fn first_edition_needs_the_east_map_too() {
    let mut table = conquered("campaign", "1e");
    take(&mut table, 4, |_, kind, _| kind == VictoryKind::Liege);
    assert_eq!(check(&mut table, 10), None);
    take(&mut table, 20, |t, _, hex| !t.rules.land.west_map.contains(hex));
    // Having passed through is not enough for the four hexes: a unit in supply must be there.
    assert_eq!(check(&mut table, 10), None);
    let liege = table.rules.land.victory.iter().filter(|site| site.kind == VictoryKind::Liege);
    let hexes: Vec<String> = liege.map(|site| table.rules.label(site.hex).to_owned()).collect();
    for (slug, hex) in ["de-2pz-304", "de-2pz-2-pzg", "de-26vg-39", "de-26vg-77"].iter().zip(&hexes) {
        table.put(slug, hex);
    }
    assert_eq!(check(&mut table, 10), german(Condition::Liege));
}

// rule: 30.3
#[test]
fn time_runs_out() {
    let mut table = Table::new("campaign", "2e");
    assert_eq!(check(&mut table, 21), None);
    assert_eq!(check(&mut table, 22), Some(Ending { winner: Some(Side::Allied), by: Condition::Prevented }));
}

// rule: 31.2
// rule: 31.3
#[test]
fn points_at_the_end() {
    for (scenario, last, needed) in [("six_turn", 6, 10), ("eight_turn", 8, 14)] {
        let mut table = conquered(scenario, "2e");
        take(&mut table, needed - 1, |_, _, _| true);
        table.s.exited_attack = 3;
        let exit = table.rules.land.west_edge.iter().find(|hex| table.rules.land.hex(*hex).has_road());
        table.s.exit_hexes.add(exit.expect("a road leads west"));
        assert_eq!(check(&mut table, last - 1), None, "not before the end");
        assert_eq!(
            check(&mut table, last),
            Some(Ending { winner: Some(Side::Allied), by: Condition::Prevented })
        );
        // Four attack factors that left by a supplied hex are a point.
        table.s.exited_attack = 4;
        assert_eq!(check(&mut table, last), german(Condition::Points));
    }
}

// rule: 31.4
#[test]
fn patton_is_won_by_points_too() {
    let mut table = conquered("patton", "2e");
    let ardennes::pack::VictoryRule::Points { needed, per_hex, .. } = table.rules.scenario.victory else {
        panic!("31.4 is won by points")
    };
    assert_eq!(per_hex, 1);
    let on_roads = ardennes::supply::road_hexes(&table.rules, &conquered_all("patton").s, Side::German);
    take(&mut table, usize::from(needed) - 1, |_, _, hex| on_roads.contains(hex));
    assert!(check(&mut table, 22).is_some_and(|e| e.winner == Some(Side::Allied)));
    take(&mut table, usize::from(needed), |_, _, hex| on_roads.contains(hex));
    assert_eq!(check(&mut table, 22), german(Condition::Points));
}

// rule: S1.1, S1.3
#[test]
fn st_vith_is_won_by_its_five_places() {
    let mut table = conquered("st_vith", "2e");
    let places: Vec<&str> = table.rules.land.victory.iter().map(|site| table.rules.label(site.hex)).collect();
    assert_eq!(places, ["E2125", "E2324", "E2326", "E2626", "E2826"]);
    let ardennes::pack::VictoryRule::Points { needed, .. } = table.rules.scenario.victory else {
        panic!("S1 is won by points")
    };
    take(&mut table, usize::from(needed) - 1, |_, _, _| true);
    // Leaving the map scores nothing.
    table.s.exited_attack = 40;
    assert!(check(&mut table, 13).is_some_and(|e| e.winner == Some(Side::Allied)));
    take(&mut table, usize::from(needed), |_, _, _| true);
    assert_eq!(check(&mut table, 12), None, "only at the end");
    assert_eq!(check(&mut table, 13), german(Condition::Points));
}

/// Every hex German.
fn conquered_all(scenario: &str) -> Table {
    let mut table = Table::new(scenario, "2e");
    table.s.set_control_of_all(&table.rules.land.in_play, Side::German);
    table
}

// rule: 31.5
#[test]
fn bastogne_at_the_end_of_the_extended_game() {
    let mut table = conquered("extended", "2e");
    take(&mut table, 4, |t, kind, hex| {
        t.rules.land.west_map.contains(hex) && !matches!(kind, VictoryKind::Meuse | VictoryKind::Liege)
    });
    take(&mut table, 2, |_, kind, _| kind == VictoryKind::Bastogne);
    assert_eq!(check(&mut table, 29), None, "only at the end");
    assert_eq!(check(&mut table, 30), german(Condition::Bastogne));
    // Held by the Allies but without a Line of Communication counts as well.
    let unit = table.put("us-87-345", "E3414");
    shut_sources(&mut table, Side::Allied);
    let hex = table.s.unit(unit).hex().expect("in Bastogne");
    assert!(!ardennes::supply::supplied_hexes(&table.rules, &table.s, Side::Allied).contains(hex));
    assert_eq!(check(&mut table, 30), german(Condition::Bastogne));
    // With the Allied roads open it does not.
    let mut table = conquered("extended", "2e");
    table.put("us-87-345", "E3414");
    let bastogne = table.hex("E3413");
    table.s.set_control(bastogne, Side::German);
    take(&mut table, 4, |t, kind, hex| {
        t.rules.land.west_map.contains(hex) && !matches!(kind, VictoryKind::Meuse | VictoryKind::Liege)
    });
    let end = check(&mut table, 30).expect("the end");
    assert_eq!(end.winner, Some(Side::Allied));
}
