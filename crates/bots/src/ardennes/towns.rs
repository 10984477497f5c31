//! Garrisons of the towns that the Germans could soon walk into.

use ::ardennes::{
    action::{Action, Move},
    pack::{Side, UnitId},
    place::Place,
};

use super::{
    field::{Field, TURN},
    manoeuvre::{Draft, Moves},
    picture::{Picture, menace},
};
use crate::garrison::{Offer, Post, assign};

/// Cost of sending a unit at all, and of taking one away that faces the enemy.
const SENT: f32 = 1.0;
const FACING: f32 = 4.0;
/// What an attack factor is missed elsewhere.
const MISSED: f32 = 0.15;
/// Nobody is sent for more than this.
const DEAREST: f32 = 4.0;

/// Bind defenders to towns that the Germans could reach if nobody stood in any of them, and send others to those that lack them. Who
/// got a town is returned; who stands in it may still attack from there.
pub fn man(draft: &mut Draft, picture: &Picture, busy: &[UnitId], moves: &Moves) -> Vec<UnitId> {
    let staff = draft.staff;
    let (rules, weights) = (&*staff.rules, &staff.weights);
    if draft.side != Side::Allied || draft.unforeseen || weights.towns <= 0.0 {
        return Vec::new();
    }
    let ours = |aim: &&super::lore::Aim| draft.w.control(aim.hex) == Side::Allied;
    let mut left = draft.w;
    for aim in staff.lore.aims.iter().filter(ours) {
        for unit in draft.w.stack(aim.hex).filter(|unit| !busy.contains(unit)) {
            rules.put(&mut left, unit, Place::Dead);
        }
    }
    let field = Field::within(staff, &left, Side::German, weights.towns);
    let soon = |aim: &super::lore::Aim| f32::from(field.at(aim.hex)) / f32::from(TURN);
    let towns: Vec<&super::lore::Aim> =
        staff.lore.aims.iter().filter(ours).filter(|aim| soon(aim) <= weights.towns).collect();
    let menace = menace(rules, &draft.w, Side::German);
    let need = |aim: &super::lore::Aim| {
        let more = weights.stout * menace[aim.hex.index()];
        (weights.enough + more).min(weights.stoutest * weights.enough) * draft.plan.hold
    };
    let posts: Vec<Post> = towns.iter().map(|aim| Post { time: soon(aim), need: need(aim) }).collect();
    let facing = draft.w.near(Side::German);
    let mut offers: Vec<Offer<UnitId>> = Vec::new();
    let mut ways: Vec<Option<Move>> = Vec::new();
    for (unit, moves) in moves.iter().filter(|(unit, _)| !busy.contains(unit)) {
        let factors = rules.factors(&draft.w, *unit);
        let missed = MISSED * f32::from(factors.attack);
        let here = draft.w.unit(*unit).hex();
        let away = SENT + if here.is_some_and(|hex| facing.contains(hex)) { FACING } else { 0.0 };
        for (post, aim) in towns.iter().enumerate() {
            let (cost, way) = if here == Some(aim.hex) {
                (missed, None)
            } else if let Some(how) = moves.iter().find(|how| how.to == aim.hex) {
                (missed + away, Some(*how))
            } else {
                continue;
            };
            if cost <= DEAREST || way.is_none() {
                offers.push(Offer { unit: *unit, post, strength: f32::from(factors.defense), cost });
                ways.push(way);
            }
        }
    }
    let mut bound = Vec::new();
    for index in assign(&posts, &offers) {
        if let Some(how) = ways[index]
            && (draft.unforeseen || !draft.act(Action::Move(how)))
        {
            continue;
        }
        bound.push(offers[index].unit);
    }
    if weights.positions > 0.0 {
        let stands = |unit: &UnitId| {
            draft.w.unit(*unit).hex().is_some_and(|hex| {
                draft.w.improved.contains(hex)
                    && menace[hex.index()] >= weights.positions
                    && picture.flow[hex.index()] >= weights.position_flow
            })
        };
        let free = |unit: &UnitId| !busy.contains(unit) && !bound.contains(unit);
        let stay: Vec<UnitId> = moves.iter().map(|(unit, _)| *unit).filter(free).filter(stands).collect();
        bound.extend(stay);
    }
    bound
}
