//! Replacements (25.2).

use ardennes::{
    action::Action,
    flags::Flags,
    frame::Frame,
    pack::{Side, UnitId},
    phase::Phase,
    place::Place,
    subject::Subject,
};
use hexgrid::HexId;

use crate::table::Table;

fn night(edition: &str, side: Side, left: u8) -> Table {
    let mut table = Table::new("campaign", edition);
    table.at(8, side, Phase::NightReplacement, Frame::Replacements { side, left, infantry_done: false });
    table
}

fn restore(unit: UnitId) -> Action {
    Action::Replace { unit, hex: HexId::NONE }
}

// rule: 25.21
#[test]
fn the_track_says_how_many() {
    let mut table = Table::new("campaign", "2e");
    let on_track = |t: &Table, turn: u8| t.rules.pack.turn(turn).expect("on the track").replacements;
    for turn in (2..=22).step_by(2) {
        for side in Side::ALL {
            let steps = on_track(&table, turn)[side.index()];
            table.at(turn, side, Phase::NightReplacement, Frame::OpenReplacements);
            table.play(&[], |play| {
                play.pop();
                ardennes::replacements::open(play)
            });
            let asks = Frame::Replacements { side, left: steps, infantry_done: false };
            assert_eq!(table.s.top() == asks, steps > 0);
        }
    }
}

// rule: 25.21
#[test]
fn one_step_is_for_infantry() {
    let mut table = night("2e", Side::Allied, 1);
    let tank = table.put("us-707-tk", "E2416");
    let infantry = table.put("us-87-345", "E2414");
    table.mark(tank, Flags::REDUCED);
    table.mark(infantry, Flags::REDUCED);
    assert_eq!(table.refused(&restore(tank)), "25.21");
    assert!(table.check(&restore(infantry)).is_ok());
    // With two steps, the first may go to the tank, but then the last must not.
    let mut table = night("2e", Side::Allied, 2);
    let tank = table.put("us-707-tk", "E2416");
    let other = table.put("us-741-tk", "E2417");
    let infantry = table.put("us-87-345", "E2414");
    for unit in [tank, other, infantry] {
        table.mark(unit, Flags::REDUCED);
    }
    table.act(restore(tank), &[]);
    assert!(!table.s.unit(tank).is(Flags::REDUCED));
    assert_eq!(table.refused(&restore(other)), "25.21");
    table.act(restore(infantry), &[]);
    // rule: 25.24
    assert!(table.s.unit(infantry).is(Flags::REPLACED) && table.s.unit(tank).is(Flags::REPLACED));
    assert_eq!(table.s.top(), Frame::Sequence);
}

// rule: 25.22
// rule: 25.25
#[test]
fn markers_that_keep_steps_away() {
    let mut table = night("2e", Side::Allied, 2);
    let unit = table.put("us-87-345", "E2414");
    table.put("de-26vg-39", "E2314");
    table.mark(unit, Flags::REDUCED);
    // Being adjacent to the enemy does not matter.
    assert!(table.check(&restore(unit)).is_ok());
    for flag in [Flags::OOS, Flags::DISRUPTED, Flags::ENGAGED, Flags::NIGHT] {
        table.mark(unit, flag);
        assert_eq!(table.refused(&restore(unit)), "25.25", "{flag:?}");
        table.s.unit_mut(unit).flags.clear(flag);
    }
    table.s.unit_mut(unit).flags.clear(Flags::REDUCED);
    assert_eq!(table.refused(&restore(unit)), "25.21");
}

// rule: 25.25
#[test]
fn who_never_comes_back() {
    use ardennes::pack::Tag;
    let table = night("2e", Side::German, 2);
    let never = |u: UnitId| ardennes::replacements::never(&table.rules, u);
    for unit in (0..table.rules.pack.units.len() as u16).map(UnitId) {
        let c = table.rules.counter(unit);
        let tagged = [Tag::VonDerHeydte, Tag::Brigade150, Tag::Airborne, Tag::BlackBoxAttack];
        let heavy = c.side == Side::German && c.tank && c.tq[0] >= 5;
        if c.artillery || c.british || heavy || tagged.into_iter().any(|t| c.has(t)) {
            assert!(never(unit), "{}", table.rules.pack.unit(unit).id);
        }
    }
    assert!(!never(table.unit("us-87-345")) && !never(table.unit("de-26vg-39")));
}

// rule: 25.22
#[test]
fn rebuilt_in_a_supplied_town_near_its_own() {
    let mut table = night("2e", Side::Allied, 2);
    // A unit of VIII Corps whose reduced side (or only side) is small.
    let dead = table.dead("us-707-tk");
    table.put("us-87-345", "E3414");
    let at = |hex: &str, table: &Table| Action::Replace { unit: dead, hex: table.hex(hex) };
    assert!(table.check(&at("E3413", &table)).is_ok());
    assert_eq!(table.refused(&Action::Replace { unit: dead, hex: HexId::NONE }), "25.22");
    // Not a Town, not controlled, too far from its colour.
    assert_eq!(table.refused(&at("E3410", &table)), "25.22");
    assert_eq!(table.refused(&at("E2540", &table)), "25.22");
    let bastogne = table.hex("E3413");
    table.s.set_control(bastogne, Side::German);
    table.s.renew_stamp();
    assert_eq!(table.refused(&at("E3413", &table)), "25.22");
    table.s.set_control(bastogne, Side::Allied);
    // Next to an enemy.
    table.put("de-26vg-39", "E3412");
    assert_eq!(table.refused(&at("E3413", &table)), "25.22");
}

// rule: 25.22
#[test]
fn germans_come_back_at_their_own_entry_hexes() {
    let mut table = night("2e", Side::German, 2);
    // No unit of its colour is on the map.
    let dead = table.rules.units_of(Side::German).find(|u| {
        let c = table.rules.counter(*u);
        c.infantry
            && c.back.stacking < 2
            && !ardennes::replacements::never(&table.rules, *u)
            && !c.breakdown_counter
            && !c.remnant_counter
    });
    let dead = dead.expect("a small German unit");
    table.rules.take_off(&mut table.s, dead, Place::Dead);
    table.s.renew_stamp();
    let entries = table.rules.pack.entries.iter().filter(|e| e.side == Side::German).count();
    assert_eq!(table.options(Subject::Unit(dead)).len(), entries);
    let entry = table.rules.pack.entries.iter().find(|e| e.side == Side::German).expect("K");
    let hex = table.hex(&entry.hex.to_string());
    let beside = table.rules.land.neighbours(hex).next().expect("a neighbour");
    let label = table.rules.label(beside).to_owned();
    table.put("us-87-345", &label);
    assert_eq!(table.refused(&Action::Replace { unit: dead, hex }), "25.22");
}

// rule: 25.23
#[test]
fn a_large_unit_needs_a_remnant() {
    let mut table = night("2e", Side::Allied, 2);
    let regiment = table.dead("us-87-345");
    table.put("us-87-346", "E3415");
    let town = table.hex("E3414");
    assert_eq!(table.refused(&Action::Replace { unit: regiment, hex: town }), "25.23");
    let pool = table.rules.counter(regiment).remnant.expect("a regiment has one");
    let remnant = table.rules.pack.pools[pool.index()].counters().next().expect("one counter");
    let field = table.hex("E3410");
    table.rules.put(&mut table.s, remnant, Place::Hex(field));
    let relieve = Action::Replace { unit: regiment, hex: field };
    table.mark(remnant, Flags::ENGAGED);
    assert_eq!(table.refused(&relieve), "25.23");
    table.s.unit_mut(remnant).flags.clear(Flags::ENGAGED);
    table.s.renew_stamp();
    assert_eq!(table.options(Subject::Unit(regiment)), [relieve]);
    table.act(relieve, &[]);
    assert_eq!(table.s.unit(remnant).place(), Place::Pool);
    assert_eq!(table.s.unit(regiment).hex(), Some(field));
    assert!(table.s.unit(regiment).flags.all(Flags::REDUCED | Flags::REPLACED));
}

// rule: 25.21
#[test]
fn first_edition_two_at_the_front() {
    let mut table = night("1e", Side::Allied, 6);
    let units = [("us-87-345", "E3414"), ("us-87-346", "E3417"), ("us-87-347", "E3420")]
        .map(|(slug, hex)| table.put(slug, hex));
    for (slug, hex) in [("de-26vg-39", "E3313"), ("de-26vg-77", "E3316"), ("de-26vg-78", "E3319")] {
        table.put(slug, hex);
    }
    for unit in units {
        table.mark(unit, Flags::REDUCED);
    }
    // 1E 25.22: they retreat first, to a hex that must be named if there are several.
    assert_eq!(table.refused(&restore(units[0])), "25.22");
    for (unit, hex) in [(units[0], "E3514"), (units[1], "E3517")] {
        let hex = table.hex(hex);
        table.act(Action::Replace { unit, hex }, &[]);
        assert_eq!(table.s.unit(unit).hex(), Some(hex));
    }
    assert_eq!(table.refused(&restore(units[2])), "25.21");
}
