//! Traffic markers (24) and Roadblocks (33).

use ardennes::{action::Action, frame::Frame, pack::Side, phase::Phase, state::MarkerAt, subject::Subject};

use crate::table::Table;

fn phase(side: Side, turn: u8, edition: &str, options: &[&str]) -> Table {
    let mut table = Table::with("campaign", edition, options);
    table.at(turn, side, Phase::Traffic, Frame::PlaceMarkers);
    table
}

// rule: 24.3
// rule: 24.4
#[test]
fn traffic_markers_keep_their_distance() {
    let mut table = phase(Side::Allied, 1, "2e", &[]);
    let at = |t: &Table, number: u8, hex: &str| Action::Traffic { number, hex: t.hex(hex) };
    table.act(at(&table, 3, "E2416"), &[]);
    assert_eq!(table.refused(&at(&table, 3, "E3030")), "24.3");
    assert_eq!(table.refused(&at(&table, 2, "E2416")), "24.4");
    assert_eq!(table.refused(&at(&table, 2, "E2417")), "24.4");
    assert!(table.check(&at(&table, 2, "E2418")).is_ok());
    // Not in the Bottleneck, but beside it.
    let bottleneck = table.rules.land.bottleneck.iter().next().expect("three hexes");
    assert_eq!(table.refused(&Action::Traffic { number: 1, hex: bottleneck }), "24.4");
    // Enemy units and markers do not matter.
    let german = table.hex("E2012");
    table.put("de-26vg-39", "E2012");
    table.s.traffic[Side::German.index()][0] = MarkerAt(german);
    assert!(table.check(&Action::Traffic { number: 1, hex: german }).is_ok());
    // Germans may use the Bottleneck.
    let mut table = phase(Side::German, 3, "2e", &[]);
    assert!(table.check(&Action::Traffic { number: 1, hex: bottleneck }).is_ok());
    // rule: 24.5
    table.at(2, Side::German, Phase::Traffic, Frame::PlaceMarkers);
    assert_eq!(table.refused(&Action::Traffic { number: 1, hex: bottleneck }), "24.5");
    assert_eq!(table.forced(), Some(Action::Done));
}

// rule: 24.3
#[test]
fn two_dice_take_markers_back() {
    let mut table = phase(Side::Allied, 1, "2e", &[]);
    for (number, hex) in [(1, "E2410"), (2, "E2413"), (4, "E2416")] {
        let hex = table.hex(hex);
        table.act(Action::Traffic { number, hex }, &[]);
    }
    table.play(&[2, 4], ardennes::traffic::remove);
    let left: Vec<_> = table.s.traffic[Side::Allied.index()].iter().map(|at| at.hex().is_some()).collect();
    assert_eq!(left, [true, false, false, false, false, false]);
    // Doubles remove one.
    table.play(&[1, 1], ardennes::traffic::remove);
    assert!(table.s.traffic[Side::Allied.index()].iter().all(|at| at.hex().is_none()));
    // Nothing on the map, nothing to roll for.
    table.play(&[], ardennes::traffic::remove);
}

// rule: 24.6
#[test]
fn greif_leaves_by_the_schedule() {
    let mut table = phase(Side::German, 8, "2e", &[]);
    let hex = table.hex("E2416");
    table.act(Action::Traffic { number: 1, hex }, &[]);
    for (turn, gone) in [(8, 0b1), (9, 0b1), (10, 0b11), (18, 0b10_0011)] {
        table.s.turn = turn;
        table.play(&[], ardennes::traffic::remove_greif);
        assert_eq!(table.s.greif_removed, gone, "turn {turn}");
    }
    assert_eq!(table.s.traffic[Side::German.index()][0].hex(), None);
    assert_eq!(table.refused(&Action::Traffic { number: 1, hex }), "24.6");
    // None for the Allies.
    table.s.side = Side::Allied;
    table.s.turn = 12;
    table.play(&[], ardennes::traffic::remove_greif);
    assert_eq!(table.s.greif_removed, 0b10_0011);
}

// rule: 31.4
#[test]
fn patton_begins_with_up_to_six() {
    let mut table = Table::with("patton", "2e", &[]);
    table.at(13, Side::German, Phase::ArtillerySupply, Frame::TrafficBeforePlay);
    assert_eq!(table.cx().side, Side::Allied);
    for (number, hex) in [(1, "E2401"), (2, "E2404"), (3, "E2407"), (4, "E2410"), (5, "E2413"), (6, "E2416")]
    {
        assert!(table.subjects().contains(&Subject::Phase));
        let hex = table.hex(hex);
        table.act(Action::Traffic { number, hex }, &[]);
    }
    table.act(Action::Done, &[6, 6]);
    assert_eq!(table.s.traffic[Side::Allied.index()][5].hex(), None);
}

// rule: 33.2
// rule: 33.4
#[test]
fn a_roadblock_needs_a_unit_and_a_line() {
    let mut table = phase(Side::Allied, 1, "2e", &["roadblocks"]);
    let block = |t: &Table, hex: &str| Action::Roadblock { hex: t.hex(hex) };
    assert_eq!(table.refused(&block(&table, "E3414")), "33.2");
    table.put("us-87-345", "E3413");
    table.act(block(&table, "E3414"), &[]);
    assert_eq!(table.s.control(table.hex("E3414")), Side::Allied);
    // Not adjacent to another Roadblock, an own Traffic marker or the enemy.
    assert_eq!(table.refused(&block(&table, "E3413")), "33.2");
    // rule: 33.3
    table.act(Action::Lift { hex: table.hex("E3414") }, &[]);
    assert_eq!(table.refused(&Action::Lift { hex: table.hex("E3414") }), "33.3");
    table.put("de-26vg-39", "E3415");
    assert_eq!(table.refused(&block(&table, "E3414")), "33.2");
    // Without the option there are none.
    let mut plain = phase(Side::Allied, 1, "2e", &[]);
    plain.put("us-87-345", "E3413");
    assert_eq!(plain.refused(&block(&plain, "E3414")), "33.1");
}

// rule: 33.1
// rule: 33.3
#[test]
fn a_roadblock_holds_its_hex_until_the_enemy_has_passed() {
    let mut table = phase(Side::Allied, 3, "2e", &["roadblocks"]);
    let hex = table.hex("E3414");
    table.s.set_control(hex, Side::German);
    table.s.roadblocks[Side::Allied.index()][0] = MarkerAt(hex);
    assert_eq!(table.s.control(hex), Side::Allied);
    table.s.roadblock_passed[0] = true;
    table.play(&[], |play| ardennes::traffic::after_enemy_passed(play, Side::German));
    assert_eq!(table.s.roadblocks[Side::Allied.index()][0].hex(), None);
    assert_eq!(table.s.control(hex), Side::German);
}

// rule: 33.1
#[test]
fn enemy_supply_does_not_pass_a_roadblock() {
    let mut table = phase(Side::Allied, 3, "2e", &["roadblocks"]);
    table.s.set_control_of_all(&table.rules.land.in_play, Side::German);
    let sources: Vec<_> = table.rules.land.sources[Side::German.index()].iter().collect();
    for source in &sources[1..] {
        let label = table.rules.label(*source).to_owned();
        let free = table.rules.units_of(Side::Allied).find(|u| table.s.unit(*u).hex().is_none());
        let slug = table.rules.pack.unit(free.expect("units enough")).id.clone();
        table.put(&slug, &label);
    }
    let roads = |t: &Table| ardennes::supply::road_hexes(&t.rules, &t.s, Side::German).len();
    assert!(roads(&table) > 1);
    table.s.roadblocks[Side::Allied.index()][0] = MarkerAt(sources[0]);
    assert_eq!(roads(&table), 1, "only who stands on the source");
}

// rule: 33.3
#[test]
fn a_roadblock_without_a_line_comes_off() {
    let mut table = phase(Side::Allied, 3, "2e", &["roadblocks"]);
    let hex = table.hex("E3414");
    table.s.roadblocks[Side::Allied.index()][0] = MarkerAt(hex);
    table.play(&[], ardennes::traffic::check_roadblocks);
    assert_eq!(table.s.roadblocks[Side::Allied.index()][0].hex(), Some(hex));
    for around in table.rules.land.neighbours(hex).collect::<Vec<_>>() {
        let label = table.rules.label(around).to_owned();
        let free = table.rules.units_of(Side::German).find(|u| table.s.unit(*u).hex().is_none());
        let slug = table.rules.pack.unit(free.expect("units enough")).id.clone();
        table.put(&slug, &label);
    }
    table.play(&[], ardennes::traffic::check_roadblocks);
    assert_eq!(table.s.roadblocks[Side::Allied.index()][0].hex(), None);
}

// rule: 24.8
#[test]
fn first_edition_no_three_delay_markers_in_a_row() {
    let mut table = phase(Side::Allied, 3, "1e", &[]);
    // E-1E-24.8-1: Roadblock, Traffic marker, Roadblock.
    let own = Side::Allied.index();
    table.s.roadblocks[own] = [MarkerAt(table.hex("E3413")), MarkerAt::default()];
    let next = Action::Traffic { number: 1, hex: table.hex("E3414") };
    assert!(table.check(&next).is_ok(), "two are allowed side by side");
    table.act(next, &[]);
    table.put("us-87-345", "E3416");
    assert_eq!(table.refused(&Action::Roadblock { hex: table.hex("E3415") }), "24.8");
    table.s.roadblocks[own][1] = MarkerAt(table.hex("E3415"));
    // Not on friendly units.
    table.s.roadblocks[own] = [MarkerAt::default(); 2];
    assert_eq!(table.refused(&Action::Roadblock { hex: table.hex("E3416") }), "24.8");
}

// rule: 24.8
#[test]
fn first_edition_begins_with_two_roadblocks() {
    let table = Table::opened("campaign", "1e", &[]);
    let hexes = ["E2311", "E2111"].map(|h| Some(table.hex(h)));
    assert_eq!(table.s.roadblocks[Side::Allied.index()].map(MarkerAt::hex), hexes);
    let second = Table::opened("campaign", "2e", &["roadblocks"]);
    assert_eq!(second.s.roadblocks[Side::Allied.index()].map(MarkerAt::hex), [None; 2]);
}
