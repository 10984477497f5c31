//! Breakdown units (26).

use ardennes::{
    action::Action,
    flags::Flags,
    frame::Frame,
    pack::{Side, UnitId},
    phase::Phase,
    place::Place,
};

use crate::table::Table;

fn movement(edition: &str) -> Table {
    let mut table = Table::new("campaign", edition);
    table.at(5, Side::Allied, Phase::Movement, Frame::Movement);
    table
}

fn detached_from(table: &Table, of: UnitId) -> Vec<UnitId> {
    let all = (0..table.rules.pack.units.len() as u16).map(UnitId);
    all.filter(|u| table.s.unit(*u).parent() == Some(of)).collect()
}

// rule: 26.1
// rule: 26.2
#[test]
fn a_regiment_detaches_a_battalion_with_its_markers() {
    let mut table = movement("2e");
    let regiment = table.put("us-87-345", "E2416");
    table.mark(regiment, Flags::ENGAGED | Flags::OOS);
    table.act(Action::Breakdown { unit: regiment, whole: false }, &[]);
    assert!(table.s.unit(regiment).is(Flags::REDUCED));
    let battalion = detached_from(&table, regiment)[0];
    assert_eq!(table.s.unit(battalion).hex(), table.s.unit(regiment).hex());
    assert!(table.s.unit(battalion).flags.all(Flags::ENGAGED | Flags::OOS));
    // rule: 26.3
    assert_eq!(table.rules.steps(&table.s, battalion), 1);
    assert_eq!(table.rules.counter(battalion).colour, ardennes::pack::Colour::White);
    assert_eq!(table.rules.formation_of(&table.s, battalion), table.rules.counter(regiment).formation);
    // No second one from the reduced side.
    assert_eq!(table.refused(&Action::Breakdown { unit: regiment, whole: false }), "26.1");
}

// rule: 26.1
// rule: 26.4
#[test]
fn a_three_step_unit_breaks_down_as_a_whole_and_recombines() {
    let mut table = movement("2e");
    let regiment = table.put("us-87-345", "E2416");
    table.act(Action::Breakdown { unit: regiment, whole: true }, &[]);
    let parts = detached_from(&table, regiment);
    assert_eq!(parts.len(), 3);
    assert_eq!(table.s.unit(regiment).place(), Place::Pool);
    let remnant = *parts.iter().find(|u| table.rules.counter(**u).remnant_counter).expect("a Remnant");
    let battalions: Vec<_> = parts.iter().copied().filter(|u| *u != remnant).collect();
    assert_eq!(table.refused(&Action::Recombine { unit: remnant }), "26.4");
    table.act(Action::Recombine { unit: battalions[0] }, &[]);
    assert!(table.s.unit(regiment).is(Flags::REDUCED) && table.s.unit(regiment).is(Flags::MOVED));
    assert_eq!(table.s.unit(remnant).place(), Place::Pool);
    table.act(Action::Recombine { unit: battalions[1] }, &[]);
    assert!(!table.s.unit(regiment).is(Flags::REDUCED));
    assert_eq!(detached_from(&table, regiment), []);
}

// rule: 26.1
#[test]
fn a_unit_is_eliminated_with_the_remnant_that_stands_in_for_it() {
    let mut table = movement("2e");
    let regiment = table.put("us-87-345", "E2416");
    table.act(Action::Breakdown { unit: regiment, whole: true }, &[]);
    let parts = detached_from(&table, regiment);
    let remnant = *parts.iter().find(|u| table.rules.counter(**u).remnant_counter).expect("a Remnant");
    table.play(&[], |play| {
        play.eliminate(remnant, ardennes::event::Elimination::Losses);
        Ok(())
    });
    assert_eq!(table.s.unit(regiment).place(), Place::Dead);
    assert_eq!(table.s.unit(remnant).place(), Place::Pool);
}

// rule: 26.2
#[test]
fn who_may_not_break_down() {
    let mut table = movement("2e");
    let regiment = table.put("us-87-345", "E2416");
    let whole = Action::Breakdown { unit: regiment, whole: false };
    table.mark(regiment, Flags::DISRUPTED);
    assert_eq!(table.refused(&whole), "26.2");
    table.s.unit_mut(regiment).flags.clear(Flags::DISRUPTED);
    table.mark(regiment, Flags::MOVED);
    assert_eq!(table.refused(&whole), "26.2");
    // In the Combat Phase having moved does not matter; having disengaged does.
    table.s.phase = Phase::Combat;
    assert!(ardennes::breakdown::may_break_down(&table.rules, &table.s, regiment, false).is_ok());
    table.mark(regiment, Flags::DISENGAGED);
    assert!(ardennes::breakdown::may_break_down(&table.rules, &table.s, regiment, false).is_err());
    // Not in the enemy's turn.
    table.s.unit_mut(regiment).flags = Flags::NONE;
    table.s.side = Side::German;
    assert!(ardennes::breakdown::may_break_down(&table.rules, &table.s, regiment, false).is_err());
}

// rule: 26.2
#[test]
fn the_counter_mix_is_the_limit() {
    let mut table = movement("2e");
    let pool = table.rules.pack.pools.iter().find(|p| p.id == "us_infantry_battalion").expect("a pool");
    let counters: Vec<_> = pool.counters().collect();
    let far = table.hex("E2501");
    for counter in &counters[1..] {
        table.rules.put(&mut table.s, *counter, Place::Hex(far));
    }
    let regiment = table.put("us-87-345", "E2416");
    assert_eq!(table.refused(&Action::Breakdown { unit: regiment, whole: true }), "26.2");
    table.act(Action::Breakdown { unit: regiment, whole: false }, &[]);
    let other = table.put("us-87-346", "E2414");
    assert_eq!(table.refused(&Action::Breakdown { unit: other, whole: false }), "26.2");
}

// rule: 26.4
#[test]
fn recombining_is_for_one_hex_and_a_reduced_parent() {
    let mut table = movement("2e");
    let regiment = table.put("us-87-345", "E2416");
    table.act(Action::Breakdown { unit: regiment, whole: false }, &[]);
    let battalion = detached_from(&table, regiment)[0];
    let away = table.hex("E2417");
    table.rules.put(&mut table.s, battalion, Place::Hex(away));
    assert_eq!(table.refused(&Action::Recombine { unit: battalion }), "26.4");
    let home = table.hex("E2416");
    table.rules.put(&mut table.s, battalion, Place::Hex(home));
    table.s.unit_mut(regiment).flags.clear(Flags::REDUCED);
    assert_eq!(table.refused(&Action::Recombine { unit: battalion }), "26.4");
}

// rule: 26.4
#[test]
fn first_edition_two_recombinations_but_breakdown_at_any_time() {
    let mut table = movement("1e");
    let mut battalions = Vec::new();
    for (slug, hex) in [("us-87-345", "E2416"), ("us-87-346", "E2414"), ("us-87-347", "E2412")] {
        let regiment = table.put(slug, hex);
        // 1E 26.1: only Combat Commands break down as a whole.
        assert_eq!(table.refused(&Action::Breakdown { unit: regiment, whole: true }), "26.1");
        table.act(Action::Breakdown { unit: regiment, whole: false }, &[]);
        battalions.push(detached_from(&table, regiment)[0]);
    }
    for battalion in &battalions[..2] {
        table.act(Action::Recombine { unit: *battalion }, &[]);
    }
    assert_eq!(table.refused(&Action::Recombine { unit: battalions[2] }), "26.4");
    // rule: 26.1
    let late = table.put("us-30-117", "E1706");
    // 1E 26.2: other units may have moved.
    table.act(Action::Breakdown { unit: late, whole: false }, &[]);
}

// rule: 29.1
#[test]
fn a_bound_unit_breaks_down_and_stays_bound() {
    let mut table = Table::opened("campaign", "2e", &[]);
    table.at(1, Side::German, Phase::Movement, Frame::Movement);
    let red = table.rules.units_of(Side::German).find(|u| {
        let c = table.rules.counter(*u);
        c.red_code && c.breakdown.is_some() && table.s.unit(*u).hex().is_some()
    });
    if let Some(unit) = red {
        table.act(Action::Breakdown { unit, whole: false }, &[]);
    }
    let rrd =
        table.rules.units_of(Side::Allied).find(|u| table.rules.counter(*u).has(ardennes::pack::Tag::Rrd));
    table.at(1, Side::Allied, Phase::Movement, Frame::Movement);
    // rule: 27.6
    let unit = rrd.expect("two of them");
    table.act(Action::Breakdown { unit, whole: false }, &[]);
    let part = table.rules.units_of(Side::Allied).find(|u| table.s.unit(*u).parent() == Some(unit));
    let hex = table.hex("E1736");
    for unit in [unit, part.expect("a battalion")] {
        let step = Action::Move(ardennes::action::Move::to(unit, hex, ardennes::action::Mode::Normal));
        assert_eq!(table.refused(&step), "27.6");
    }
}
