//! The American fuel dumps (32).

use ardennes::{
    action::Action, frame::Frame, fuel_dumps, pack::Side, phase::Phase, state::DumpState, subject::Subject,
};
use kernel::Rules as _;

use crate::table::Table;

fn table(edition: &str) -> Table {
    let mut table = Table::with("campaign", edition, &["fuel_dumps"]);
    table.at(1, Side::German, Phase::ArtillerySupply, Frame::HideFuelDumps);
    table
}

// rule: 32.1
#[test]
fn one_of_three_is_real_and_the_die_is_secret() {
    let mut table = table("2e");
    assert_eq!(table.cx().side, Side::Allied);
    assert_eq!(table.subjects(), [Subject::Phase]);
    let secrecy = table.rules.secrecy(&table.s, kernel::Seat(1), &Action::Done);
    assert_eq!(secrecy, kernel::Secrecy::UntilOver);
    table.act(Action::Done, &[5]);
    let real: Vec<_> = table.s.dumps.iter().map(|d| d.real).collect();
    assert_eq!(real, [false, true, false]);
    // A German unit moves adjacent: a dummy is removed, the real one stays.
    let sites = table.rules.land.dump_sites.clone();
    let beside = |t: &Table, site| t.rules.land.neighbours(site).next().expect("a neighbour");
    let (dummy, real) = (beside(&table, sites[0]), beside(&table, sites[1]));
    table.play(&[], |play| {
        fuel_dumps::german_near(play, dummy);
        fuel_dumps::german_near(play, real);
        Ok(())
    });
    assert_eq!(table.s.dumps[0].state, DumpState::Absent);
    assert!(table.s.dumps[1].revealed && fuel_dumps::guards(&table.rules, &table.s, sites[1]));
}

// rule: 32.2
#[test]
fn captured_fuel_cancels_the_shortage_for_two_turns() {
    let mut table = table("2e");
    table.act(Action::Done, &[1]);
    let site = table.rules.land.dump_sites[0];
    table.s.set_control_of_all(&table.rules.land.in_play, Side::German);
    table.play(&[], |play| {
        fuel_dumps::capture(play, site);
        Ok(())
    });
    assert_eq!(table.s.dumps[0].state, DumpState::Captured);
    // The Allies recapture it, and lose it again.
    table.play(&[], |play| {
        fuel_dumps::allied_enters(play, site);
        Ok(())
    });
    assert!(fuel_dumps::guards(&table.rules, &table.s, site));
    table.play(&[], |play| {
        fuel_dumps::capture(play, site);
        Ok(())
    });
    table.at(5, Side::German, Phase::Fuel, Frame::RemoveFuelDump);
    table.play(&[], fuel_dumps::remove);
    assert_eq!(table.s.dumps[0].state, DumpState::Secured);
    for (turn, waived) in [(6, false), (7, true), (8, true), (9, false)] {
        table.s.turn = turn;
        assert_eq!(fuel_dumps::shortage_waived(&table.rules, &table.s), waived, "turn {turn}");
    }
    // 32.3: after turn 6 the others are removed.
    table.s.turn = 7;
    table.play(&[], fuel_dumps::remove);
    assert!(table.s.dumps[1..].iter().all(|d| d.state == DumpState::Absent));
}

// rule: 32.3
#[test]
fn a_dump_burns_when_germans_stand_beside_it() {
    let mut table = table("2e");
    table.act(Action::Done, &[1]);
    table.at(4, Side::Allied, Phase::Bridge, Frame::Bridges);
    let site = table.rules.land.dump_sites[0];
    let burn = Action::Burn { hex: site };
    assert_eq!(table.refused(&burn), "32.3");
    let beside = table.rules.land.neighbours(site).next().expect("a neighbour");
    let label = table.rules.label(beside).to_owned();
    table.put("de-26vg-39", &label);
    assert_eq!(table.options(Subject::Hex(site)), [burn]);
    table.act(burn, &[5]);
    assert_eq!(table.s.dumps[0].state, DumpState::Allied);
    assert_eq!(table.refused(&burn), "32.3", "once a turn");
    table.play(&[], ardennes::bridges::complete);
    table.act(burn, &[4]);
    assert_eq!(table.s.dumps[0].state, DumpState::Absent);
    // Under attack only 1 and 2 succeed.
    table.s.dumps[1].state = DumpState::Allied;
    let other = table.rules.land.dump_sites[1];
    table.play(&[3], |play| fuel_dumps::burn_under_attack(play, other));
    assert_eq!(table.s.dumps[1].state, DumpState::Allied);
    table.play(&[2], |play| fuel_dumps::burn_under_attack(play, other));
    assert_eq!(table.s.dumps[1].state, DumpState::Absent);
}

// rule: 32
#[test]
fn first_edition_fuel_helps_one_roll() {
    let mut table = table("1e");
    table.act(Action::Done, &[1]);
    table.s.dumps[0].state = DumpState::Secured;
    table.at(7, Side::German, Phase::Fuel, Frame::RollFuel { table: 0 });
    assert!(!fuel_dumps::shortage_waived(&table.rules, &table.s));
    table.play(&[], |play| {
        assert_eq!(fuel_dumps::spend(play), -2);
        assert_eq!(fuel_dumps::spend(play), 0);
        Ok(())
    });
}
