//! Pickets: somebody stands in every town that the Germans could otherwise walk into in their next phase.

use ::ardennes::{
    action::Action,
    pack::{Side, UnitId},
    place::Place,
};
use hexgrid::HexId;

use super::{
    field::{Field, TURN},
    manoeuvre::{Draft, Moves},
};

/// The cost of a picket by its attack and defense factors: the weakest unit goes.
const ATTACK: f32 = 0.15;
const DEFENSE: f32 = 0.1;

/// Puts the cheapest unit that can get there into each empty town that the Germans could enter within `weights.screen`
/// turns past everybody who stands in their way, the most urgent town first. Each picket may bar the way to others, so the
/// search is made again after it. `busy` units have a task. Returns the pickets.
pub fn post(draft: &mut Draft, busy: &[UnitId], moves: &Moves) -> Vec<UnitId> {
    let (staff, side) = (draft.staff, draft.side);
    let weights = &staff.weights;
    let mut pickets: Vec<UnitId> = Vec::new();
    if side != Side::Allied || weights.screen <= 0.0 || draft.w.night {
        return pickets;
    }
    let mut hopeless: Vec<HexId> = Vec::new();
    while !draft.unforeseen {
        let field = Field::within(staff, &draft.w, side.enemy(), weights.screen);
        let urgency =
            |hex: HexId, hub: f32| f32::from(field.at(hex)) / f32::from(TURN) / (1.0 + weights.hub * hub);
        let open = staff.lore.aims.iter().filter(|aim| {
            draft.w.control(aim.hex) == side
                && draft.w.stack(aim.hex).next().is_none()
                && f32::from(field.at(aim.hex)) <= weights.screen * f32::from(TURN)
                && !hopeless.contains(&aim.hex)
        });
        let Some(town) = open.min_by(|a, b| urgency(a.hex, a.hub).total_cmp(&urgency(b.hex, b.hub))) else {
            break;
        };
        let town = town.hex;
        match cheapest(draft, busy, &pickets, moves, town) {
            Some((unit, action)) if draft.act(action) => pickets.push(unit),
            _ => hopeless.push(town),
        }
    }
    pickets
}

/// The unit that is missed least elsewhere, and how it gets to a town. Units in towns and in contact with the enemy stay.
fn cheapest(
    draft: &Draft,
    busy: &[UnitId],
    pickets: &[UnitId],
    moves: &Moves,
    town: HexId,
) -> Option<(UnitId, Action)> {
    let (staff, side) = (draft.staff, draft.side);
    let (rules, weights) = (&*staff.rules, &staff.weights);
    let free = |unit: &UnitId| !busy.contains(unit) && !pickets.contains(unit);
    let facing = draft.w.near(side.enemy());
    let stays = |hex: HexId| facing.contains(hex) || staff.lore.aims.iter().any(|aim| aim.hex == hex);
    let price = |unit: UnitId| {
        let factors = rules.factors(&draft.w, unit);
        ATTACK * f32::from(factors.attack) + DEFENSE * f32::from(factors.defense)
    };
    let mut best: Option<(f32, UnitId, Action)> = None;
    let mut offer = |unit: UnitId, action: Action| {
        let price = price(unit);
        if best.is_none_or(|(least, ..)| price < least) {
            best = Some((price, unit, action));
        }
    };
    for (unit, moves) in moves.iter().filter(|(unit, _)| free(unit)) {
        let defense = f32::from(rules.factors(&draft.w, *unit).defense);
        let here = draft.w.unit(*unit).hex();
        if defense <= 0.0 || defense > weights.screen_most || here.is_some_and(stays) {
            continue;
        }
        if let Some(how) = moves.iter().find(|how| how.to == town) {
            offer(*unit, Action::Move(*how));
        }
    }
    // 13.2: US Engineers are placed in a town when they arrive.
    let due =
        |unit: &UnitId| rules.is_engineer(*unit) && draft.w.unit(*unit).place() == Place::Due && free(unit);
    for unit in rules.units_of(side).filter(due) {
        let there = |action: &Action| matches!(action, Action::Place { hex, .. } if *hex == town);
        if let Some(action) = draft.options(unit).into_iter().find(there) {
            offer(unit, action);
        }
    }
    best.map(|(_, unit, action)| (unit, action))
}

#[cfg(test)]
mod tests {
    use ::ardennes::{action::Move, state::State};

    use super::{super::staff::Staff, *};
    use crate::ardennes::{areas::tests::campaign, plan::Plan};

    /// Where a unit could go, of all its moves those into a town.
    fn ways(draft: &Draft, unit: UnitId, town: HexId) -> Vec<Move> {
        let go = |action| if let Action::Move(how) = action { Some(how) } else { None };
        draft.options(unit).into_iter().filter_map(go).filter(|how| how.to == town).collect()
    }

    fn draft<'a>(staff: &'a Staff, plan: &'a Plan, s: &State) -> Draft<'a> {
        Draft { staff, side: Side::Allied, plan, w: *s, script: Vec::new(), unforeseen: false }
    }

    /// The campaign on its third turn, before the Allies move, with a town that nobody holds within reach of the Germans, and a
    /// weak and a strong unit beside it that could go there.
    fn open_town() -> (Staff, State, HexId, [UnitId; 2]) {
        let (mut staff, mut s) = campaign();
        let rules = staff.rules.clone();
        (s.side, s.turn) = (Side::Allied, 3);
        (staff.weights.screen, staff.weights.screen_most) = (3.0, 4.0);
        let field = Field::within(&staff, &s, Side::German, 3.0);
        let away = |unit: &UnitId| s.unit(*unit).hex().is_none() && !rules.counter(*unit).artillery;
        let find = |fit: &dyn Fn(u8) -> bool| {
            let of = |unit: &UnitId| {
                rules.counter(*unit).mechanized && away(unit) && fit(rules.factors(&s, *unit).defense)
            };
            rules.units_of(Side::Allied).find(of).expect("reinforcements are to come")
        };
        let units = [find(&|defense| (1..=4).contains(&defense)), find(&|defense| defense > 4)];
        let open =
            |hex: HexId| s.control(hex) == Side::Allied && !s.occupied(hex) && field.at(hex) <= 3 * TURN;
        let quiet = |hex: &HexId| !s.occupied(*hex) && !s.near(Side::German).contains(*hex);
        for town in staff.lore.aims.iter().map(|aim| aim.hex).filter(|hex| open(*hex)) {
            for beside in rules.land.neighbours(town).filter(quiet) {
                let mut with = s;
                for unit in units {
                    rules.put(&mut with, unit, Place::Hex(beside));
                }
                let plan = Plan::USUAL;
                let able = |unit: &UnitId| !ways(&draft(&staff, &plan, &with), *unit, town).is_empty();
                if staff.lore.aims.iter().all(|aim| aim.hex != beside) && units.iter().all(able) {
                    return (staff, with, town, units);
                }
            }
        }
        panic!("some towns are open")
    }

    #[test]
    fn a_weak_unit_stands_in_an_empty_town_that_the_enemy_could_enter() {
        let (mut staff, s, town, units) = open_town();
        let plan = Plan::USUAL;
        let sent = |staff: &Staff, units: &[UnitId]| {
            let mut draft = draft(staff, &plan, &s);
            let moves: Moves = units.iter().map(|unit| (*unit, ways(&draft, *unit, town))).collect();
            let pickets = post(&mut draft, &[], &moves);
            assert!(pickets.iter().all(|unit| draft.w.unit(*unit).hex() == Some(town)));
            pickets
        };
        assert_eq!(sent(&staff, &units), units[..1], "one is enough, and the weaker one is missed less");
        assert!(sent(&staff, &units[1..]).is_empty(), "it is too good for that");
        staff.weights.screen = 0.0;
        assert!(sent(&staff, &units).is_empty());
    }
}
