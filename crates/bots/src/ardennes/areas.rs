//! 30.3: the German set-up areas, where Allied units decide the campaign: which are entered, and how soon others could
//! be.

use std::cell::OnceCell;

use ::ardennes::{pack::Side, state::State, supply};
use hexgrid::{HexId, HexSet};

use super::{
    field::{Field, TURN},
    staff::Staff,
};

/// How many turns ahead Allied units are counted as a threat.
const AHEAD: f32 = 2.0;
/// Distance in turns at which a raid has a chance of one half, and how steeply the chance grows with nearness.
const EVEN: f32 = 1.0;
const ABRUPT: f32 = 3.0;
/// The weight of an area that they occupy, and the share of it that remains if the units there are cut off.
const INSIDE: f32 = 1.2;
const CUT_OFF: f32 = 0.5;
/// How many areas short of victory each area begins to count, how abruptly, and how much each counts.
const SHORT: f32 = 0.5;
const STEEP: f32 = 2.0;
const EACH: f32 = 0.3;

/// An area as the Allies see it.
pub struct Entry {
    /// The hex of the area that they could reach first, and in how many turns.
    pub hex: HexId,
    pub turns: f32,
    /// The hexes of the area that they occupy.
    pub held: HexSet,
}

impl Entry {
    /// The areas, and how the Allies could get there within `ahead` turns.
    pub fn all(staff: &Staff, s: &State, ahead: f32) -> impl Iterator<Item = Entry> {
        let field = Field::within(staff, s, Side::Allied, ahead);
        let allied = s.held(Side::Allied);
        staff.rules.land.areas.iter().filter_map(move |area| {
            let hex = area.iter().min_by_key(|hex| field.at(*hex))?;
            Some(Entry { hex, turns: f32::from(field.at(hex)) / f32::from(TURN), held: area & allied })
        })
    }
}

/// How near the Allies are to victory by units in these areas, counting both units there and units that could be there
/// soon; above 1 they have more than enough. Every area beyond what they need is one more that must be closed to them.
pub fn danger(staff: &Staff, s: &State) -> f32 {
    if staff.weights.expose <= 0.0 || !staff.lore.decisive {
        return 0.0;
    }
    let rules = &*staff.rules;
    let supplied = OnceCell::new();
    let in_supply =
        |hex| supplied.get_or_init(|| supply::supplied_hexes(rules, s, Side::Allied)).contains(hex);
    let chance = |entry: Entry| {
        if entry.held.is_empty() {
            1.0 / (1.0 + (ABRUPT * (entry.turns - EVEN)).exp())
        } else {
            INSIDE * if entry.held.iter().any(in_supply) { 1.0 } else { CUT_OFF }
        }
    };
    let sum: f32 = Entry::all(staff, s, AHEAD).map(chance).sum();
    let more = STEEP * (sum - f32::from(rules.tables().victory.allied_areas) + SHORT);
    (1.0 + f32::from(s.areas_checks)) * EACH * more.exp().ln_1p() / STEEP
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::atomic::AtomicBool;

    use ::ardennes::{Ardennes, Ardennes44, frame::Frame, pack::UnitId, place::Place};
    use kernel::{Dice, Erased, Game, Pending, Setup};

    use super::*;
    use crate::{Level, Mind, ardennes::GAME, make};

    /// The campaign before the first unit moves, as Elite judges it.
    pub fn campaign() -> (Staff, State) {
        let game = Ardennes44::new().expect("the shipped pack and map are sound");
        let setup = Setup { game: GAME.into(), scenario: "campaign".into(), ..Setup::default() };
        let mut table = game.open(&setup).expect("the scenario is known");
        let mut bot = make(GAME, Level::Recruit, 1).expect("there is such a bot");
        loop {
            let erased = table.as_any().downcast_ref::<Erased<Ardennes>>().expect("it is that game's table");
            if erased.state.top() == Frame::Movement {
                let staff = Staff::with(erased.rules.clone(), Staff::numbers(Level::Elite));
                return (staff, erased.state);
            }
            let Pending::One(seat) = table.pending() else { panic!("one is asked") };
            let choice = bot.choose(&*table, seat, &AtomicBool::new(false)).expect("the seat is asked");
            table.apply(seat, &choice.action, &mut Dice::from_number(1)).expect("it is legal");
        }
    }

    // rule: 30.3
    #[test]
    fn areas_without_anybody_before_them_are_a_danger() {
        let (staff, s) = campaign();
        let manned = danger(&staff, &s);
        let mut open = s;
        for area in &staff.rules.land.areas[..4] {
            for hex in area {
                while let Some(unit) = open.stack(hex).next() {
                    staff.rules.put(&mut open, unit, Place::Dead);
                }
            }
        }
        assert!(danger(&staff, &open) > manned + 0.2, "{manned} {}", danger(&staff, &open));
    }

    // rule: 30.3, 23.3
    #[test]
    fn an_intruder_who_is_cut_off_counts_less() {
        let (staff, s) = campaign();
        let rules = &*staff.rules;
        // A unit that is far away, so that it is not missed elsewhere.
        let unit: UnitId =
            rules.units_of(Side::Allied).find(|unit| s.unit(*unit).hex().is_none()).expect("many come later");
        let mut found = [None; 2];
        for hex in rules.land.areas.iter().flatten().filter(|hex| !s.occupied(*hex)) {
            let mut inside = s;
            rules.put(&mut inside, unit, Place::Hex(hex));
            let supplied = supply::supplied_hexes(rules, &inside, Side::Allied).contains(hex);
            found[usize::from(supplied)] = Some(danger(&staff, &inside));
        }
        let [Some(cut_off), Some(supplied)] = found else { panic!("both happen: {found:?}") };
        let before = danger(&staff, &s);
        assert!(before < supplied && cut_off < supplied, "{before} {cut_off} {supplied}");
    }
}
