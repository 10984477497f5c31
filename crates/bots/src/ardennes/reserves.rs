//! Reserves that answer a breach: Allied units march to towns on the German paths before the Germans get there.

use std::iter::once;

use ::ardennes::{
    action::{Action, Mode, Move},
    pack::{Side, UnitId},
};

use super::{
    field::{self, TURN},
    manoeuvre::{Draft, Moves},
    picture::{Picture, distances, menace},
    towns::{self, Open},
};
use crate::{
    garrison::{Offer, Post},
    reserve::{March, answer},
};

/// At most this many towns get reserves in one turn, those that are reached first.
const MOST_TOWNS: usize = 12;
/// At most this many moves of a unit are tried, the best first.
const MOST_WAYS: usize = 16;
/// Units this near to the enemy are no reserve: the evaluator judges best where they hinder it.
const FRONT: u8 = 6;
/// A unit under a Strategic Movement or Truck marker keeps this far from the enemy (12.5).
const COLUMN: u8 = 3;
/// The cost of each attack factor that is missed elsewhere, of sending a unit at all, and of each turn on the road.
const MISSED: f32 = 0.15;
const SENT: f32 = 0.5;
const ON_THE_ROAD: f32 = 0.5;

/// Which places get reserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// Those through which many roads lead: they come before all garrisons.
    Hubs,
    /// Those on the German paths.
    Paths,
}

/// Sends units towards towns that the Germans could reach within `weights.reserve` turns. `posted` units have a task.
/// Returns the units that march or have arrived; these stay.
pub fn send(draft: &mut Draft, picture: &Picture, posted: &[UnitId], moves: &Moves, to: To) -> Vec<UnitId> {
    let (staff, side) = (draft.staff, draft.side);
    let (rules, weights) = (&*staff.rules, &staff.weights);
    if side != Side::Allied || weights.reserve <= 0.0 || draft.unforeseen || draft.w.night {
        return Vec::new();
    }
    if to == To::Hubs && weights.hub_from <= 0.0 {
        return Vec::new();
    }
    let ahead = if to == To::Hubs { weights.towns.min(weights.reserve) } else { weights.reserve };
    let mut places = towns::open_within(staff, &draft.w, side, posted, ahead);
    places.retain(|place| match to {
        To::Hubs => staff.lore.hub(place.hex) >= weights.hub_from,
        To::Paths => picture.flow[place.hex.index()] >= weights.reserve_flow,
    });
    places.sort_by(|a, b| a.time.total_cmp(&b.time));
    let distance = distances(rules, &draft.w, side.enemy(), FRONT + 1);
    // Units at the front are not sent anywhere, but they may be in a town, and stay there.
    let there = |place: &Open| -> f32 {
        let stays = |unit: &UnitId| posted.contains(unit) || rules.counter(*unit).artillery;
        let units = draft.w.stack(place.hex).filter(stays);
        units.map(|unit| f32::from(rules.factors(&draft.w, unit).defense)).sum()
    };
    let menace = menace(rules, &draft.w, side.enemy());
    let wanted = |place: &Open| {
        let against = if weights.foresee > 0.0 {
            towns::coming(staff, &draft.w, side.enemy(), place.hex, weights.foresee)
        } else {
            menace[place.hex.index()]
        };
        towns::enough(weights, against) * draft.plan.hold
    };
    let mut posts: Vec<Post> = Vec::new();
    let mut held: Vec<f32> = Vec::new();
    places.retain(|place| {
        let (there, wanted) = (there(place), wanted(place));
        let need = wanted - there;
        let lacks = need > 0.0 && posts.len() < MOST_TOWNS;
        if lacks {
            // Everybody in the way of a road first, then a garrison, then all that is needed.
            let (picket, least) = match to {
                To::Hubs => (weights.picket - there, weights.enough - there),
                To::Paths => (0.0, need),
            };
            let weight = 1.0
                + weights.hub * staff.lore.hub(place.hex)
                + weights.reserve_weight * picture.flow[place.hex.index()];
            posts.push(Post { time: place.time, need, least, picket, weight });
            let all = draft.w.stack(place.hex).map(|unit| f32::from(rules.factors(&draft.w, unit).defense));
            held.push(weights.hold_out * (2.0 * all.sum::<f32>() / wanted).min(1.0));
        }
        lacks
    });
    let most = (weights.reserve * f32::from(TURN)) as u16;
    let mut marches: Vec<March<UnitId>> = Vec::new();
    // Moves on the way, the best first: where another unit has gone, there may be no room any more (12.2).
    let mut ways: Vec<Vec<Move>> = Vec::new();
    for (post, place) in places.iter().enumerate() {
        // The time that is left from each hex, on foot and for mechanized units.
        let left =
            [false, true].map(|quick| field::back(staff, &draft.w, side, quick, once(place.hex), most));
        for (unit, moves) in moves.iter().filter(|(unit, _)| !posted.contains(unit)) {
            let (counter, here) = (rules.counter(*unit), draft.w.unit(*unit).hex());
            let factors = rules.factors(&draft.w, *unit);
            let missed = MISSED * f32::from(factors.attack);
            let there = here == Some(place.hex);
            let strength = f32::from(factors.defense);
            let mut offer = Offer { unit: *unit, post, strength, cost: missed, there };
            if there {
                marches.push(March { offer, arrival: 0.0 });
                ways.push(Vec::new());
                continue;
            }
            // No town is held by giving up another.
            if to == To::Hubs && here.is_some_and(|hex| staff.lore.aims.iter().any(|aim| aim.hex == hex)) {
                continue;
            }
            // Whoever is at the front is needed there.
            if here.is_some_and(|hex| distance[hex.index()] <= FRONT) {
                continue;
            }
            let time = |how: &Move| {
                let quick = counter.mechanized || how.mode == Mode::Truck;
                left[usize::from(quick)][how.to.index()]
            };
            // 12.5: nobody ends near the enemy under a marker.
            let fit = |how: &&Move| {
                let column = matches!(how.mode, Mode::Strategic | Mode::Truck);
                distance[how.to.index()] > if column { COLUMN } else { 1 } || how.to == place.hex && !column
            };
            let now = here.map_or(most, |hex| left[usize::from(counter.mechanized)][hex.index()]);
            let nearer = |how: &&Move| fit(how) && time(how) < now;
            let mut on: Vec<Move> = moves.iter().filter(nearer).copied().collect();
            on.sort_by_key(time);
            on.truncate(MOST_WAYS);
            let Some(best) = on.first() else { continue };
            let arrival = f32::from(time(best)) / f32::from(TURN);
            offer.cost += SENT + ON_THE_ROAD * arrival;
            marches.push(March { offer, arrival });
            ways.push(on);
        }
    }
    let mut sent = Vec::new();
    for index in answer(&posts, &held, &marches) {
        let goes = |how: &Move| !draft.unforeseen && draft.act(Action::Move(*how));
        if ways[index].is_empty() || ways[index].iter().any(goes) {
            sent.push(marches[index].offer.unit);
        }
    }
    sent
}

#[cfg(test)]
mod tests {
    use ::ardennes::place::Place;

    use super::*;
    use crate::ardennes::{areas::tests::campaign, plan::Plan};

    /// The campaign with an Allied unit a few hexes behind an open town, in the Allied Movement Phase.
    #[test]
    fn a_unit_behind_the_front_goes_to_an_open_town() {
        let (mut staff, mut s) = campaign();
        let rules = staff.rules.clone();
        (s.side, s.turn) = (Side::Allied, 3);
        (staff.weights.reserve, staff.weights.reserve_flow) = (4.0, 0.0);
        let open = towns::open_within(&staff, &s, Side::Allied, &[], 4.0);
        let far = distances(&rules, &s, Side::German, FRONT + 1);
        let behind = open.iter().filter(|town| far[town.hex.index()] > FRONT);
        let town = behind.min_by(|a, b| a.time.total_cmp(&b.time));
        let town = town.expect("some towns are further behind").hex;
        while let Some(unit) = s.stack(town).next() {
            rules.put(&mut s, unit, Place::Dead);
        }
        let fresh = |unit: &UnitId| {
            let counter = rules.counter(*unit);
            counter.mechanized && !counter.artillery && s.unit(*unit).hex().is_none()
        };
        let unit = rules.units_of(Side::Allied).find(fresh).expect("reinforcements are to come");
        let free = |hex: &hexgrid::HexId| !s.occupied(*hex) && far[hex.index()] > FRONT;
        let beside = rules.land.neighbours(town).find(free).expect("room beside it");
        rules.put(&mut s, unit, Place::Hex(beside));
        let plan = Plan::USUAL;
        let mut draft = Draft {
            staff: &staff,
            side: Side::Allied,
            plan: &plan,
            w: s,
            script: Vec::new(),
            unforeseen: false,
        };
        let there = |action| match action {
            Action::Move(how) if how.to == town => Some(how),
            _ => None,
        };
        let ways: Vec<Move> = draft.options(unit).into_iter().filter_map(there).collect();
        assert!(!ways.is_empty(), "it can get there");
        let picture = Picture::new(&staff, &s, &plan);
        let moves = vec![(unit, ways)];
        let busy = send(&mut draft.clone(), &picture, &[unit], &moves, To::Paths);
        assert!(busy.is_empty(), "it has another task");
        assert_eq!(send(&mut draft, &picture, &[], &moves, To::Paths), [unit]);
        assert_eq!(draft.w.unit(unit).hex(), Some(town));
    }
}
