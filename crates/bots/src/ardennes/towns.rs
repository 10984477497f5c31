//! Garrisons of the towns that the enemy could soon enter unopposed.

use std::iter::once;

use ::ardennes::{
    action::Action,
    flags::Flags,
    pack::{Side, UnitId},
    place::Place,
    state::State,
};
use hexgrid::HexId;

use super::{
    areas::Entry,
    field::{self, Field, TURN},
    lore::Aim,
    manoeuvre::{Draft, Moves},
    picture::{Picture, menace},
    staff::Staff,
    weights::Weights,
};
use crate::garrison::{Offer, Post, assign};

/// The cost of sending a unit at all, and of withdrawing one that faces the enemy.
const SENT: f32 = 1.0;
const FACING: f32 = 4.0;
/// The cost of each attack factor that is missed elsewhere.
const MISSED: f32 = 0.15;
/// Later arrivals are not searched for.
const LATEST: u16 = 6 * TURN;
/// No unit is sent at a higher cost than this.
const DEAREST: f32 = 4.0;

/// A place of a side that the enemy could soon enter unopposed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub hex: HexId,
    /// Turns until then.
    pub time: f32,
}

/// How many turns ahead a side sends garrisons.
fn ahead(weights: &Weights, side: Side) -> f32 {
    match side {
        Side::German => weights.rear,
        Side::Allied => weights.towns,
    }
}

/// The towns of a side that would be open if all of them were left; `busy` units stay in any case. Units that are already
/// there think further ahead than those that would have to be sent.
fn open_towns(staff: &Staff, s: &State, side: Side, busy: &[UnitId]) -> Vec<Open> {
    let weights = &staff.weights;
    let picket = if side == Side::Allied { weights.linger.max(weights.scout) } else { 0.0 };
    open_within(staff, s, side, busy, ahead(weights, side).max(picket))
}

/// The defense factors of an Allied garrison against this many attack factors.
pub(super) fn enough(weights: &Weights, menace: f32) -> f32 {
    (weights.enough + weights.stout * menace).min(weights.stoutest * weights.enough)
}

/// The attack factors that a side could bring against a place: of the units that are there first in full, of those that
/// come later less, until nothing counts that comes `after` turns later. Whoever is in the place now does not hinder them;
/// everybody else does.
pub(super) fn coming(staff: &Staff, s: &State, side: Side, hex: HexId, after: f32) -> f32 {
    let rules = &*staff.rules;
    let mut left = *s;
    for unit in s.stack(hex) {
        rules.put(&mut left, unit, Place::Dead);
    }
    let time = [false, true].map(|quick| field::back(staff, &left, side, quick, once(hex), LATEST));
    let mut arrivals: Vec<(u16, f32)> = Vec::new();
    for unit in rules.on_map(s, side).filter(|unit| !rules.counter(*unit).artillery) {
        let Some(from) = s.unit(unit).hex() else { continue };
        let time = time[usize::from(rules.counter(unit).mechanized)][from.index()];
        let late = if s.unit(unit).is(Flags::ENGAGED | Flags::DISRUPTED | Flags::OOS) { TURN } else { 0 };
        if time + late < LATEST {
            arrivals.push((time + late, f32::from(rules.factors(s, unit).attack)));
        }
    }
    let first = arrivals.iter().map(|(time, _)| *time).min().unwrap_or(0);
    let share = |time: u16| (1.0 - f32::from(time - first) / f32::from(TURN) / after).max(0.0);
    arrivals.iter().map(|(time, attack)| attack * share(*time)).sum()
}

/// The towns of a side that would be open within this many turns.
pub(super) fn open_within(staff: &Staff, s: &State, side: Side, busy: &[UnitId], ahead: f32) -> Vec<Open> {
    if ahead <= 0.0 {
        return Vec::new();
    }
    let ours = |aim: &&Aim| s.control(aim.hex) == side;
    let mut left = *s;
    for aim in staff.lore.aims.iter().filter(ours) {
        for unit in s.stack(aim.hex).filter(|unit| !busy.contains(unit)) {
            staff.rules.put(&mut left, unit, Place::Dead);
        }
    }
    let field = Field::within(staff, &left, side.enemy(), ahead);
    let soon = |aim: &Aim| f32::from(field.at(aim.hex)) / f32::from(TURN);
    let towns = staff.lore.aims.iter().filter(ours).map(|aim| Open { hex: aim.hex, time: soon(aim) });
    towns.filter(|town| town.time <= ahead).collect()
}

/// The towns of a side, of those that are `wanted`, that would be open within this many turns if each were left while all others are held.
pub(super) fn open_alone(
    staff: &Staff,
    s: &State,
    side: Side,
    busy: &[UnitId],
    ahead: f32,
    wanted: impl Fn(&Aim) -> bool,
) -> Vec<Open> {
    let rules = &*staff.rules;
    let ours = |aim: &&Aim| s.control(aim.hex) == side && wanted(aim);
    let open = |aim: &Aim| {
        let mut left = *s;
        // A town may have more than one hex.
        let town = staff.lore.aims.iter().filter(|other| rules.distance(other.hex, aim.hex) <= 1);
        for unit in town.flat_map(|other| s.stack(other.hex)).filter(|unit| !busy.contains(unit)) {
            rules.put(&mut left, unit, Place::Dead);
        }
        let time = Field::within(staff, &left, side.enemy(), ahead).at(aim.hex);
        Open { hex: aim.hex, time: f32::from(time) / f32::from(TURN) }
    };
    staff.lore.aims.iter().filter(ours).map(open).filter(|town| town.time <= ahead).collect()
}

/// The first line first: a town that the enemy could only enter in more than `towns` turns as long as all others are held keeps
/// who is in it, but gets no more than a picket, and chooses later.
fn second_line(draft: &Draft, towns: &[Open], busy: &[UnitId], marched: &[UnitId], posts: &mut [Post]) {
    let (staff, side) = (draft.staff, draft.side);
    let (rules, weights) = (&*staff.rules, &staff.weights);
    let ahead = weights.towns.max(weights.linger).max(weights.scout);
    let known = |aim: &Aim| towns.iter().any(|town| town.hex == aim.hex);
    let alone = open_alone(staff, &draft.w, side, busy, ahead, known);
    for (post, town) in posts.iter_mut().zip(towns) {
        let time = alone.iter().find(|open| open.hex == town.hex).map_or(ahead, |open| open.time);
        post.time = time;
        if time > weights.towns {
            let free = |unit: &UnitId| !busy.contains(unit) && !marched.contains(unit);
            let units = draft.w.stack(town.hex).filter(free);
            let there: f32 = units.map(|unit| f32::from(rules.factors(&draft.w, unit).defense)).sum();
            post.need = post.need.min(there.max(weights.picket));
            post.least = post.least.min(post.need);
        }
    }
}

/// 30.3: the German set-up areas that the Allies could enter if all of them were empty, each with the hex they would
/// reach first: the most urgent ones, as many as must be closed to keep the Allies below the number that decides the
/// game. `busy` units stay in any case.
fn open_areas(staff: &Staff, s: &State, busy: &[UnitId]) -> Vec<Open> {
    let (rules, weights) = (&*staff.rules, &staff.weights);
    if !staff.lore.decisive || weights.rear <= 0.0 || f32::from(s.turn) < weights.rear_from {
        return Vec::new();
    }
    let mut left = *s;
    for hex in s.held(Side::German).iter().filter(|hex| staff.lore.areas[hex.index()] != 0) {
        for unit in s.stack(hex).filter(|unit| !busy.contains(unit)) {
            rules.put(&mut left, unit, Place::Dead);
        }
    }
    let mut entered = 0;
    let mut open = Vec::new();
    for area in Entry::all(staff, &left, weights.rear) {
        if !area.held.is_empty() {
            entered += 1;
        } else if area.turns <= weights.rear {
            open.push(Open { hex: area.hex, time: area.turns });
        }
    }
    let spare = usize::from(rules.tables().victory.allied_areas).saturating_sub(1 + entered);
    open.sort_by(|a, b| a.time.total_cmp(&b.time));
    open.truncate(open.len().saturating_sub(spare));
    open
}

/// The units that must not leave their town after combat, because they are alone in it and the enemy could enter.
pub fn keepers(staff: &Staff, s: &State, side: Side) -> Vec<UnitId> {
    if staff.weights.keep <= 0.0 {
        return Vec::new();
    }
    let towns = open_towns(staff, s, side, &[]);
    let fit = |unit: &UnitId| !staff.rules.counter(*unit).artillery;
    // Of several units the best defender stays, and the others may go.
    let keeper =
        |town: Open| s.stack(town.hex).filter(fit).max_by_key(|unit| staff.rules.factors(s, *unit).defense);
    towns.into_iter().filter_map(keeper).collect()
}

/// Binds defenders to towns that the enemy could reach if all of them were empty, and sends others to those that lack a
/// garrison. `marched` units have been sent somewhere, and count where they are. Returns the units assigned to a town; a
/// unit already in its town may still attack from there.
pub fn man(
    draft: &mut Draft,
    picture: &Picture,
    busy: &[UnitId],
    marched: &[UnitId],
    moves: &Moves,
) -> Vec<UnitId> {
    let (staff, side) = (draft.staff, draft.side);
    let (rules, weights) = (&*staff.rules, &staff.weights);
    if draft.unforeseen || ahead(weights, side) <= 0.0 {
        return Vec::new();
    }
    let mut towns = open_towns(staff, &draft.w, side, busy);
    if side == Side::German {
        towns.extend(open_areas(staff, &draft.w, busy));
    }
    let menace = menace(rules, &draft.w, side.enemy());
    let soon = |town: &Open| town.time <= ahead(weights, side);
    // At least one unit where many roads meet.
    let hub = |hex: HexId| weights.hub_from > 0.0 && staff.lore.hub(hex) >= weights.hub_from;
    let picket = |town: &Open| if soon(town) && hub(town.hex) { weights.picket } else { 0.0 };
    let post = |town: &Open| {
        let (hex, time) = (town.hex, town.time);
        if side == Side::German {
            let least = weights.rear_enough;
            let wins = |aim: &Aim| aim.hex == hex && aim.weight >= 1.0;
            let mut need = least;
            if weights.rear_stout > 0.0 && staff.lore.decisive && staff.lore.aims.iter().any(wins) {
                need += weights.rear_stout * coming(staff, &draft.w, side.enemy(), hex, 1.0);
                need = need.min(weights.stoutest * least);
            }
            return Post { time, need, least, picket: 0.0, weight: 1.0 };
        }
        if weights.foresee > 0.0 {
            let most = enough(weights, coming(staff, &draft.w, side.enemy(), hex, weights.foresee));
            let least = if soon(town) { weights.enough } else { weights.picket };
            let need = (least + most - weights.enough) * draft.plan.hold;
            let weight = 1.0 + weights.hub * staff.lore.hub(hex);
            return Post { time, need, least: least * draft.plan.hold, picket: picket(town), weight };
        }
        // No enemy is near: one unit in the way is enough.
        let need = if !soon(town) || menace[hex.index()] <= 0.0 {
            weights.picket
        } else {
            enough(weights, menace[hex.index()]) * draft.plan.hold
        };
        let weight = 1.0 + weights.hub * staff.lore.hub(hex);
        Post { time, need, least: need, picket: picket(town), weight }
    };
    let come = |hex: HexId| -> f32 {
        let units = draft.w.stack(hex).filter(|unit| marched.contains(unit));
        units.map(|unit| f32::from(rules.factors(&draft.w, unit).defense)).sum()
    };
    let lacking = |town: &Open| {
        let (post, come) = (post(town), come(town.hex));
        Post { need: post.need - come, least: post.least - come, picket: post.picket - come, ..post }
    };
    let mut posts: Vec<Post> = towns.iter().map(lacking).collect();
    if side == Side::Allied && weights.front > 0.0 {
        second_line(draft, &towns, busy, marched, &mut posts);
    }
    let facing = draft.w.near(side.enemy());
    let mut offers: Vec<Offer<UnitId>> = Vec::new();
    let mut ways: Vec<Option<Action>> = Vec::new();
    let too_late = |town: &Open| !soon(town) && town.time > weights.scout;
    // A strong unit is wanted where more roads lead through.
    let too_good = |town: &Open, defense: u8| {
        weights.backwater > staff.lore.hub(town.hex) && f32::from(defense) > weights.backwater_most
    };
    let free = |unit: &UnitId| !busy.contains(unit) && !marched.contains(unit);
    for (unit, moves) in moves.iter().filter(|(unit, _)| free(unit)) {
        let factors = rules.factors(&draft.w, *unit);
        let missed = MISSED * f32::from(factors.attack);
        let here = draft.w.unit(*unit).hex();
        let away = SENT + if here.is_some_and(|hex| facing.contains(hex)) { FACING } else { 0.0 };
        for (post, town) in towns.iter().enumerate() {
            let (cost, way) = if here == Some(town.hex) {
                (missed, None)
            } else if too_late(town) || too_good(town, factors.defense) {
                continue;
            } else if let Some(how) = moves.iter().find(|how| how.to == town.hex) {
                (missed + away, Some(Action::Move(*how)))
            } else {
                continue;
            };
            if cost <= DEAREST || way.is_none() {
                let (strength, there) = (f32::from(factors.defense), way.is_none());
                offers.push(Offer { unit: *unit, post, strength, cost, there });
                ways.push(way);
            }
        }
    }
    // 13.2: US Engineers are placed in a town when they arrive.
    let due = rules.units_of(side).filter(|unit| {
        rules.is_engineer(*unit) && draft.w.unit(*unit).place() == Place::Due && !busy.contains(unit)
    });
    for unit in due {
        let strength = f32::from(rules.factors(&draft.w, unit).defense);
        for action in draft.options(unit) {
            let Action::Place { hex, .. } = action else { continue };
            if let Some(post) = towns.iter().position(|town| town.hex == hex) {
                offers.push(Offer { unit, post, strength, cost: 0.0, there: false });
                ways.push(Some(action));
            }
        }
    }
    let mut bound = Vec::new();
    for index in assign(&posts, &offers) {
        if let Some(action) = ways[index]
            && (draft.unforeseen || !draft.act(action))
        {
            continue;
        }
        bound.push(offers[index].unit);
    }
    if side == Side::Allied && weights.positions > 0.0 {
        let stands = |unit: &UnitId| {
            draft.w.unit(*unit).hex().is_some_and(|hex| {
                draft.w.improved.contains(hex)
                    && menace[hex.index()] >= weights.positions
                    && picture.flow[hex.index()] >= weights.position_flow
            })
        };
        let free = |unit: &UnitId| free(unit) && !bound.contains(unit);
        let stay: Vec<UnitId> = moves.iter().map(|(unit, _)| *unit).filter(free).filter(stands).collect();
        bound.extend(stay);
    }
    bound
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ardennes::areas::tests::campaign;

    #[test]
    fn nobody_alone_leaves_a_town_that_the_enemy_could_walk_into() {
        let (mut staff, mut s) = campaign();
        let rules = staff.rules.clone();
        staff.weights.towns = 3.0;
        let hex = open_towns(&staff, &s, Side::Allied, &[]).first().expect("the front is near").hex;
        while let Some(unit) = s.stack(hex).next() {
            rules.put(&mut s, unit, Place::Dead);
        }
        // A unit that is not on the map yet, so that it is not missed elsewhere.
        let fresh = |unit: &UnitId| !rules.counter(*unit).artillery && s.unit(*unit).hex().is_none();
        let mut come: Vec<UnitId> = rules.units_of(Side::Allied).filter(fresh).collect();
        come.sort_by_key(|unit| rules.factors(&s, *unit).defense);
        let (alone, other) = (come[0], come[come.len() - 1]);
        rules.put(&mut s, alone, Place::Hex(hex));
        staff.weights.keep = 0.0;
        assert!(keepers(&staff, &s, Side::Allied).is_empty(), "nobody is kept");
        staff.weights.keep = 1.0;
        assert!(keepers(&staff, &s, Side::Allied).contains(&alone));
        // With a stronger unit beside it the unit may leave.
        let mut two = s;
        rules.put(&mut two, other, Place::Hex(hex));
        let kept = keepers(&staff, &two, Side::Allied);
        assert!(kept.contains(&other) && !kept.contains(&alone));
    }

    #[test]
    fn the_german_rear_is_looked_after_as_far_ahead_as_asked() {
        let (mut staff, mut s) = campaign();
        let rules = staff.rules.clone();
        let near = |aim: &&Aim| s.held(Side::Allied).contains(aim.hex);
        let hex = staff.lore.aims.iter().find(near).expect("some towns are held").hex;
        while let Some(unit) = s.stack(hex).next() {
            rules.put(&mut s, unit, Place::Dead);
        }
        s.set_control(hex, Side::German);
        staff.weights.rear = 0.0;
        assert!(open_towns(&staff, &s, Side::German, &[]).is_empty(), "no look ahead");
        staff.weights.rear = 2.0;
        assert!(open_towns(&staff, &s, Side::German, &[]).iter().any(|town| town.hex == hex));
    }

    #[test]
    fn who_comes_later_counts_less_and_the_garrison_not_at_all() {
        let (staff, s) = campaign();
        let rules = &*staff.rules;
        let manned = |aim: &&Aim| s.control(aim.hex) == Side::Allied && s.stack(aim.hex).next().is_some();
        let town = staff.lore.aims.iter().find(manned).expect("the front is manned").hex;
        let by = |s: &State, after| coming(&staff, s, Side::German, town, after);
        let all: f32 =
            rules.on_map(&s, Side::German).map(|unit| f32::from(rules.factors(&s, unit).attack)).sum();
        assert!(0.0 < by(&s, 0.5) && by(&s, 0.5) < by(&s, 2.0) && by(&s, 2.0) < all);
        let mut empty = s;
        while let Some(unit) = empty.stack(town).next() {
            rules.put(&mut empty, unit, Place::Dead);
        }
        assert_eq!(by(&s, 2.0), by(&empty, 2.0));
    }

    #[test]
    fn a_town_behind_others_that_hold_keeps_who_is_there_and_gets_no_more_than_a_picket() {
        let (mut staff, s) = campaign();
        staff.weights.towns = 1.5;
        let all = open_within(&staff, &s, Side::Allied, &[], 4.0);
        let alone = open_alone(&staff, &s, Side::Allied, &[], 4.0, |_| true);
        let time = |hex: HexId| alone.iter().find(|town| town.hex == hex).map_or(4.0, |town| town.time);
        assert!(all.iter().all(|town| time(town.hex) >= town.time), "others only hinder");
        assert!(all.iter().any(|town| time(town.hex) > town.time), "some stand behind others");
        let plan = crate::ardennes::plan::Plan::USUAL;
        let draft = Draft {
            staff: &staff,
            side: Side::Allied,
            plan: &plan,
            w: s,
            script: Vec::new(),
            unforeseen: false,
        };
        let wanted = |town: &Open| Post { time: town.time, need: 15.0, least: 6.0, picket: 0.0, weight: 1.0 };
        let mut posts: Vec<Post> = all.iter().map(wanted).collect();
        second_line(&draft, &all, &[], &[], &mut posts);
        let there = |town: &Open| -> f32 {
            s.stack(town.hex).map(|unit| f32::from(staff.rules.factors(&s, unit).defense)).sum()
        };
        let (first, second): (Vec<_>, Vec<_>) =
            all.iter().zip(&posts).partition(|(town, _)| time(town.hex) <= staff.weights.towns);
        assert!(!first.is_empty() && first.iter().all(|(_, post)| post.need == 15.0));
        assert!(!second.is_empty());
        for (town, post) in second {
            assert_eq!(post.need, there(town).clamp(staff.weights.picket, 15.0));
        }
    }

    // rule: 30.3
    #[test]
    fn set_up_areas_that_could_be_entered_are_posts_from_their_turn_on() {
        let (mut staff, mut s) = campaign();
        staff.weights.rear = 1.2;
        staff.weights.rear_from = 4.0;
        assert!(open_areas(&staff, &s, &[]).is_empty(), "everybody is wanted at the front");
        s.turn = 4;
        let open = open_areas(&staff, &s, &[]);
        assert!(!open.is_empty() && open.iter().all(|area| staff.lore.areas[area.hex.index()] != 0));
        // A unit with another task stays where it is, and is not missed.
        let all: Vec<UnitId> = staff.rules.on_map(&s, Side::German).collect();
        assert!(open_areas(&staff, &s, &all).len() < open.len());
    }
}
