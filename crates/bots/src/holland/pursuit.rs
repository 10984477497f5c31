//! Advances after combat (15): which unit goes where, the strongest first.

use ::holland::{
    Action, State,
    event::seat,
    frame::{CombatStep, Frame},
    pack::Side,
};
use hexgrid::HexId;
use kernel::{Dice, Log, Rules, Stop};
use zocbond::{Piece, UnitId};

use super::{
    combat, guards,
    plan::{Pick, Plan},
    posts::Picture,
    road,
    staff::{Script, Staff},
};
use crate::{Mind, Thought};

/// How many places of one unit are evaluated in full.
const LOOKS: usize = 5;

pub fn advance(staff: &Staff, s: &State, side: Side, plan: &Plan, out: &mut Script) {
    let rules = &*staff.rules;
    let Some(c) = combat::current(s) else { return };
    if plan.pick == Pick::None {
        out.push(Thought::plain(Action::Done));
        return;
    }
    let picture = Picture::new(staff, s);
    let mut w = s.clone();
    let mut units = c.attackers;
    let order = |unit: &UnitId| (rules.counter(*unit).categories.mechanized, rules.face(s, *unit).attack);
    units.sort_by_key(|unit| (std::cmp::Reverse(order(unit)), unit.0));
    let guards = guards::guards(staff, s, side);
    let stake = if side == Side::Allied { road::stake(staff, s) } else { None };
    for unit in units {
        if guards.contains(&unit) {
            continue;
        }
        let open = |s: &State| stake.as_ref().map_or(0, |stake| road::cuts(rules, s, stake).len());
        let open_here = open(&w);
        let Frame::Combat(now) = w.frame() else { break };
        let CombatStep::Advance(kind) = now.step else { break };
        let mut ways = rules.advances(&w, now, unit, kind);
        let score = |hex: HexId| glance(staff, &picture, &w, side, now.target, hex);
        ways.sort_by(|a, b| {
            let of = |way: &[HexId]| way.last().map_or(f32::MIN, |hex| score(*hex));
            of(b).total_cmp(&of(a)).then(a.len().cmp(&b.len()))
        });
        // Two paths to the same place are one choice.
        let mut seen: Vec<HexId> = Vec::new();
        ways.retain(|way| {
            let Some(end) = way.last().filter(|end| !seen.contains(end)) else { return false };
            seen.push(*end);
            true
        });
        let here = w.unit(unit).hex().map_or(f32::MIN, score);
        if plan.quick {
            ways.retain(|way| way.last().is_some_and(|hex| score(*hex) > here));
            ways.truncate(1);
        }
        ways.truncate(LOOKS);
        let stay = if plan.quick { f32::MIN } else { staff.value(&w, seat(side)) };
        let mut best: Option<(f32, Action, State)> = None;
        for path in ways {
            let action = Action::Advance { unit, path };
            let mut after = w.clone();
            let dice = &mut Dice::scripted(Vec::new());
            match rules.apply(&mut after, seat(side), &action, dice, &mut Log::default()) {
                Ok(()) => {}
                Err(Stop::Dice(_)) => {
                    // Something is revealed on the way: that is worth finding out.
                    out.push(Thought::plain(action));
                    return;
                }
                Err(Stop::Illegal(_)) => continue,
            }
            if open(&after) > open_here {
                continue;
            }
            let value = if plan.quick { 0.0 } else { staff.value(&after, seat(side)) };
            // The hex that was fought for is worth a little in itself.
            if value + 0.2 > best.as_ref().map_or(stay, |(most, ..)| *most) {
                best = Some((value, action, after));
            }
        }
        let Some((_, action, after)) = best else { continue };
        out.push(Thought::plain(action));
        w = after;
    }
    // When the last unit has advanced the combat is over: what follows is the next decision, not the whole phase.
    let goes_on = matches!(w.frame(), Frame::Combat(now) if matches!(now.step, CombatStep::Advance(_)));
    if goes_on {
        out.push(Thought::plain(Action::Done));
    }
}

/// A quick estimate of the value of a place.
fn glance(staff: &Staff, picture: &Picture, s: &State, side: Side, target: HexId, hex: HexId) -> f32 {
    let mut score = picture.flow[hex.index()].min(3.0);
    for aim in staff.lore.aims.iter().filter(|aim| aim.hexes.contains(&hex)) {
        if s.field.last_holder(hex) != side {
            score += aim.weight;
        }
    }
    if hex == target {
        score += 0.3;
    }
    if staff.rules.land.at(hex).doubled {
        score += 0.2;
    }
    score
}
