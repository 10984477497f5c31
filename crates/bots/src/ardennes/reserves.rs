//! Reserves that answer a breach: Allied units march to towns on the German paths before the Germans get there.

use std::iter::once;

use ::ardennes::{
    action::{Action, Mode, Move},
    flags::Flags,
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
/// The cost of each attack factor that is missed elsewhere, and of sending a unit at all.
const MISSED: f32 = 0.15;
const SENT: f32 = 0.5;

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
    let mut places = match to {
        To::Hubs if weights.hub_alone > 0.0 => {
            towns::open_alone(staff, &draft.w, side, posted, ahead, |aim| aim.hub >= weights.hub_from)
        }
        To::Paths if weights.front > 0.0 => towns::open_alone(staff, &draft.w, side, posted, ahead, |_| true),
        _ => towns::open_within(staff, &draft.w, side, posted, ahead),
    };
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
            // First a unit on each road, then a garrison, then everything that is needed.
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
                let column = needs_marker(how);
                distance[how.to.index()] > if column { COLUMN } else { 1 } || how.to == place.hex && !column
            };
            let now = here.map_or(most, |hex| left[usize::from(counter.mechanized)][hex.index()]);
            let nearer = |how: &&Move| fit(how) && time(how) < now;
            let mut on: Vec<Move> = moves.iter().filter(nearer).copied().collect();
            let sparing = weights.markers > 0.0;
            on.sort_by_key(|how| (time(how), sparing && needs_marker(how)));
            // The markers may all be used by others (12.4): then it goes as far as it can by itself.
            let alone = |how: &&Move| sparing && !needs_marker(how);
            let by_itself: Vec<Move> = on.iter().filter(alone).take(MOST_WAYS).copied().collect();
            on.truncate(MOST_WAYS);
            on.extend(by_itself);
            let Some(best) = on.first() else { continue };
            let arrival = f32::from(time(best)) / f32::from(TURN);
            offer.cost += SENT + weights.on_the_road * arrival;
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

/// Does a move use a Strategic Movement or Truck marker (12.4)?
fn needs_marker(how: &Move) -> bool {
    matches!(how.mode, Mode::Strategic | Mode::Truck)
}

/// Takes the Trucks of units that have arrived in a place which the Germans could reach within `weights.reserve` turns: others
/// need their markers (12.4, 12.7), and nobody fights well from the road (12.5).
pub fn dismount(draft: &mut Draft) {
    let (staff, side) = (draft.staff, draft.side);
    let (rules, weights) = (&*staff.rules, &staff.weights);
    if side != Side::Allied || weights.markers <= 0.0 || draft.unforeseen || draft.w.night {
        return;
    }
    let riding = |unit: &UnitId| draft.w.unit(*unit).is(Flags::ON_ROAD);
    let riders: Vec<UnitId> = rules.on_map(&draft.w, side).filter(riding).collect();
    if riders.is_empty() {
        return;
    }
    let places = towns::open_within(staff, &draft.w, side, &[], weights.reserve);
    for unit in riders {
        let hex = draft.w.unit(unit).hex();
        if places.iter().any(|place| hex == Some(place.hex)) {
            draft.act(Action::Unload { unit });
        }
    }
}

#[cfg(test)]
mod tests {
    use ::ardennes::{place::Place, state::State};
    use hexgrid::HexId;

    use super::{super::staff::Staff, *};
    use crate::ardennes::{areas::tests::campaign, plan::Plan};

    /// The campaign on its third turn, before the Allies move, and an open town behind the front with nobody in it.
    fn behind_the_front() -> (Staff, State, HexId) {
        let (mut staff, mut s) = campaign();
        let rules = staff.rules.clone();
        (s.side, s.turn) = (Side::Allied, 3);
        (staff.weights.reserve, staff.weights.reserve_flow, staff.weights.markers) = (4.0, 0.0, 1.0);
        let open = towns::open_within(&staff, &s, Side::Allied, &[], 4.0);
        let far = distances(&rules, &s, Side::German, FRONT + 1);
        let behind = open.iter().filter(|town| far[town.hex.index()] > FRONT);
        let town = behind.min_by(|a, b| a.time.total_cmp(&b.time));
        let town = town.expect("some towns are further behind").hex;
        while let Some(unit) = s.stack(town).next() {
            rules.put(&mut s, unit, Place::Dead);
        }
        (staff, s, town)
    }

    fn draft<'a>(staff: &'a Staff, plan: &'a Plan, s: &State) -> Draft<'a> {
        Draft { staff, side: Side::Allied, plan, w: *s, script: Vec::new(), unforeseen: false }
    }

    fn fresh(staff: &Staff, s: &State, mechanized: bool) -> UnitId {
        let rules = &*staff.rules;
        let fit = |unit: &UnitId| {
            let counter = rules.counter(*unit);
            counter.mechanized == mechanized && !counter.artillery && s.unit(*unit).hex().is_none()
        };
        rules.units_of(Side::Allied).find(fit).expect("reinforcements are to come")
    }

    #[test]
    fn a_unit_behind_the_front_goes_to_an_open_town() {
        let (staff, mut s, town) = behind_the_front();
        let rules = &*staff.rules;
        let far = distances(rules, &s, Side::German, FRONT + 1);
        let unit = fresh(&staff, &s, true);
        let free = |hex: &HexId| !s.occupied(*hex) && far[hex.index()] > FRONT;
        let beside = rules.land.neighbours(town).find(free).expect("room beside it");
        rules.put(&mut s, unit, Place::Hex(beside));
        let plan = Plan::USUAL;
        let mut draft = draft(&staff, &plan, &s);
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

    // rule: 12.4
    #[test]
    fn a_reserve_without_a_marker_goes_by_itself() {
        let (staff, mut s, town) = behind_the_front();
        let rules = &*staff.rules;
        let unit = fresh(&staff, &s, true);
        let far = distances(rules, &s, Side::German, FRONT + 1);
        let quiet = |hex: &HexId| !s.occupied(*hex) && far[hex.index()] > FRONT;
        let road =
            |hex: &HexId| rules.land.hex(*hex).has_road() && (4..7).contains(&rules.distance(*hex, town));
        let from = rules.land.in_play.iter().find(|hex| quiet(hex) && road(hex)).expect("a road leads there");
        rules.put(&mut s, unit, Place::Hex(from));
        let plan = Plan::USUAL;
        let mut draft = draft(&staff, &plan, &s);
        let moves = |draft: &Draft| -> Vec<Move> {
            let go = |action| if let Action::Move(how) = action { Some(how) } else { None };
            draft.options(unit).into_iter().filter_map(go).collect()
        };
        let before = moves(&draft);
        assert!(before.iter().any(needs_marker) && !before.iter().all(needs_marker));
        // All markers are on other units by now.
        let others: Vec<UnitId> =
            rules.on_map(&draft.w, Side::Allied).filter(|other| *other != unit).collect();
        for other in others {
            if rules.markers_left(&draft.w, Side::Allied) > 0 {
                draft.w.unit_mut(other).flags.set(Flags::STRATEGIC);
                draft.w.unit_mut(other).flags.set(Flags::MARKER_USED);
            }
        }
        assert!(!moves(&draft).iter().any(needs_marker));
        let picture = Picture::new(&staff, &s, &plan);
        assert_eq!(send(&mut draft, &picture, &[], &vec![(unit, before)], To::Paths), [unit]);
        assert_ne!(draft.w.unit(unit).hex(), Some(from), "it is on its way");
    }

    // rule: 12.7
    #[test]
    fn who_has_arrived_gives_the_truck_back() {
        let (staff, mut s, town) = behind_the_front();
        let rules = &*staff.rules;
        let unit = fresh(&staff, &s, false);
        rules.put(&mut s, unit, Place::Hex(town));
        s.unit_mut(unit).flags.set(Flags::TRUCK);
        let plan = Plan::USUAL;
        let mut draft = draft(&staff, &plan, &s);
        let left = rules.markers_left(&draft.w, Side::Allied);
        dismount(&mut draft);
        assert!(!draft.w.unit(unit).is(Flags::ON_ROAD));
        assert_eq!(rules.markers_left(&draft.w, Side::Allied), left + 1);
    }
}
