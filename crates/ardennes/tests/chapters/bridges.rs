//! Bridges: demolition and repair (7).

use ardennes::{
    action::Action, flags::Flags, frame::Frame, pack::Side, phase::Phase, state::BridgeIs, subject::Subject,
};

use crate::table::Table;

/// A bridge away from all units, with both its hexes.
fn bridge(table: &Table) -> u16 {
    bridge_between(table, "E3919", "E3920")
}

fn bridge_between(table: &Table, a: &str, b: &str) -> u16 {
    let (a, b) = (table.hex(a), table.hex(b));
    table.rules.land.between(a, b).and_then(ardennes::terrain::Edge::bridge).expect("a bridge")
}

fn phase(side: Side, turn: u8) -> Table {
    let mut table = Table::new("campaign", "2e");
    table.at(turn, side, Phase::Bridge, Frame::Bridges);
    table
}

// rule: 7.2
// rule: 7.3
// rule: 7.5
#[test]
fn demolition_needs_friend_and_enemy_within_one_hex() {
    let mut table = phase(Side::Allied, 5);
    let bridge = bridge(&table);
    let blow = Action::Blow { bridge, unit: None };
    assert!(!table.subjects().contains(&Subject::Bridge(bridge)));
    assert_eq!(table.refused(&blow), "7.3");
    let us = table.put("us-87-345", "E3920");
    assert_eq!(table.refused(&blow), "7.3");
    table.put("de-26vg-39", "E3918");
    assert!(table.subjects().contains(&Subject::Bridge(bridge)));
    table.act(blow, &[5]);
    assert!(table.s.bridge(usize::from(bridge)).intact());
    // One attempt per player turn.
    assert_eq!(table.refused(&blow), "7.2");
    table.play(&[], ardennes::bridges::complete);
    table.mark(us, Flags::DISRUPTED | Flags::ENGAGED);
    // +2 once: 3 is a failure, 2 blows it.
    table.act(blow, &[3]);
    assert!(table.s.bridge(usize::from(bridge)).intact());
    table.play(&[], ardennes::bridges::complete);
    table.act(blow, &[2]);
    assert_eq!(table.s.bridge(usize::from(bridge)).is(), BridgeIs::Blown);
    assert_eq!(table.refused(&blow), "7.6");
}

// rule: 7.7
#[test]
fn when_and_by_whom_no_bridge_is_blown() {
    let mut table = phase(Side::Allied, 2);
    let bridge = bridge(&table);
    let blow = Action::Blow { bridge, unit: None };
    let us = table.put("us-87-345", "E3920");
    table.put("de-26vg-39", "E3918");
    assert_eq!(table.refused(&blow), "7.7");
    table.s.turn = 3;
    assert!(table.check(&blow).is_ok());
    for flag in [Flags::STRATEGIC, Flags::TRUCK] {
        table.mark(us, flag);
        assert_eq!(table.refused(&blow), "7.7");
        table.s.unit_mut(us).flags.clear(flag);
    }
    // Being Out of Supply does not matter.
    table.mark(us, Flags::OOS);
    assert!(table.check(&blow).is_ok());
    // The enemy's unit.
    let german = table.unit("de-26vg-39");
    assert!(table.check(&Action::Blow { bridge, unit: Some(german) }).is_err());
}

// rule: 7.9
#[test]
fn rebuilding_takes_two_bridge_phases() {
    let mut table = phase(Side::Allied, 5);
    let bridge = bridge(&table);
    let at = usize::from(bridge);
    let repair = Action::Repair { bridge };
    assert_eq!(table.refused(&repair), "7.9", "it stands");
    table.s.bridge_mut(at).set(BridgeIs::Blown);
    table.s.renew_stamp();
    // No unit is needed where no enemy ZOC reaches.
    table.act(repair, &[]);
    assert_eq!(table.s.bridge(at).is(), BridgeIs::UnderConstruction(Side::Allied));
    assert!(!table.s.bridge(at).intact(), "7.6");
    // An EZOC on a hex without a friendly unit: the construction is lost.
    table.put("de-26vg-39", "E3918");
    table.play(&[], ardennes::bridges::complete);
    assert_eq!(table.s.bridge(at).is(), BridgeIs::Blown);
    assert_eq!(table.refused(&repair), "7.9");
    // With a unit in the hex the EZOC does not count.
    table.put("us-87-345", "E3919");
    table.act(repair, &[]);
    table.play(&[], ardennes::bridges::complete);
    assert!(table.s.bridge(at).intact());
}

// rule: 7.10
#[test]
fn dasburg_and_gemuend_are_done_on_turn_two() {
    let mut table = Table::opened("campaign", "2e", &[]);
    let building = |t: &Table| {
        let all = t.s.bridges().iter().take(t.rules.land.bridges.len());
        all.filter(|b| b.is() == BridgeIs::UnderConstruction(Side::German)).count()
    };
    assert_eq!(building(&table), 2, "Dasburg and Gemünd");
    table.at(1, Side::German, Phase::Bridge, Frame::Bridges);
    table.play(&[], ardennes::bridges::complete);
    assert_eq!(building(&table), 2);
    table.s.turn = 2;
    table.play(&[], ardennes::bridges::complete);
    assert_eq!(building(&table), 0);
}

// rule: 7.8
#[test]
fn ouren_is_rolled_for_once() {
    for (die, stands) in [(4, false), (5, true)] {
        let mut table = Table::new("campaign", "2e");
        let bridge = usize::from(table.rules.land.ouren.expect("on the map"));
        table.play(&[die], ardennes::bridges::ouren);
        assert_eq!(table.s.bridge(bridge).intact(), stands);
        table.play(&[], ardennes::bridges::ouren);
    }
}

// rule: 7.4
#[test]
fn in_the_enemy_combat_phase_it_is_harder() {
    let mut table = phase(Side::German, 5);
    let bridge = bridge(&table);
    let us = table.put("us-87-345", "E3920");
    let target = table.hex("E3920");
    let who = ardennes::bridges::blower_in_combat(&table.rules, &table.s, target, bridge, None);
    assert_eq!(who, Ok(us));
    table.play(&[4], |play| ardennes::bridges::attempt(play, bridge, us, true).map(|blown| assert!(!blown)));
    table.play(&[3], |play| ardennes::bridges::attempt(play, bridge, us, true).map(|blown| assert!(blown)));
}

// rule: 7.9
#[test]
fn first_edition_repairs_from_a_held_bank() {
    let mut table = Table::new("campaign", "1e");
    table.at(5, Side::Allied, Phase::Bridge, Frame::Bridges);
    let bridge = bridge(&table);
    table.s.bridge_mut(usize::from(bridge)).set(BridgeIs::Blown);
    assert_eq!(table.refused(&Action::Repair { bridge }), "7.9");
    let us = table.put("us-87-345", "E3919");
    assert!(table.check(&Action::Repair { bridge }).is_ok());
    table.mark(us, Flags::OOS);
    assert_eq!(table.refused(&Action::Repair { bridge }), "7.9");
}
