//! Advances after combat (19): which unit goes where, the strongest first.

use ::ardennes::{
    action::Action,
    combat::advance::destinations,
    frame::Frame,
    pack::{Side, UnitId},
    play::{Cx, seat},
    state::State,
};
use hexgrid::HexId;
use kernel::{Dice, Log, Rules, Stop};

use super::{
    plan::Plan,
    staff::{Script, Staff},
    towns,
};
use crate::{Mind, Thought};

/// How many places of one unit are evaluated in full.
const LOOKS: usize = 6;

pub fn advance(staff: &Staff, cx: &Cx, plan: &Plan, out: &mut Script) {
    let (rules, me) = (cx.rules, seat(cx.side));
    let mut w = *cx.s;
    let mut units: Vec<UnitId> = cx.s.combat.attack().units.iter().copied().collect();
    let order = |u: &UnitId| (rules.counter(*u).mechanized, rules.factors(cx.s, *u).attack);
    units.sort_by_key(|u| std::cmp::Reverse(order(u)));
    let mut now: Option<f32> = None;
    let keepers = if plan.quick { Vec::new() } else { towns::keepers(staff, cx.s, cx.side) };
    for unit in units.into_iter().filter(|unit| !keepers.contains(unit)) {
        let mut places: Vec<(f32, Action, HexId)> = Vec::new();
        destinations(rules, &w, unit, &mut |path, to| {
            places.push((promise(staff, &w, cx.side, unit, to), Action::Advance { unit, path }, to));
        });
        places.sort_by(|a, b| b.0.total_cmp(&a.0));
        // Two paths to the same place are one choice.
        let mut seen: Vec<HexId> = Vec::new();
        places.retain(|(_, _, to)| {
            !seen.contains(to) && {
                seen.push(*to);
                true
            }
        });
        if plan.quick {
            let here = w.unit(unit).hex().map_or(0.0, |hex| promise(staff, &w, cx.side, unit, hex));
            places.retain(|(promise, ..)| *promise > here);
            places.truncate(1);
        } else {
            places.truncate(LOOKS);
        }
        let mut best: Option<(f32, Action, State)> = None;
        for (_, action, _) in places {
            let mut after = w;
            match rules.apply(&mut after, me, &action, &mut Dice::scripted(Vec::new()), &mut Log::default()) {
                Ok(()) => {}
                Err(Stop::Dice(_)) => {
                    // The fate of a bridge is unknown (7.8): that is worth finding out.
                    out.push(Thought::plain(action));
                    return;
                }
                Err(Stop::Illegal(_)) => continue,
            }
            if plan.quick {
                best = Some((0.0, action, after));
                break;
            }
            let stay = *now.get_or_insert_with(|| staff.value(&w, me));
            let value = staff.value(&after, me);
            if value > best.as_ref().map_or(stay, |(most, ..)| *most) {
                best = Some((value, action, after));
            }
        }
        let Some((value, action, after)) = best else { continue };
        out.push(Thought::plain(action));
        if after.top() != Frame::Advance {
            return;
        }
        (w, now) = (after, (!plan.quick).then_some(value));
    }
    out.push(Thought::plain(Action::Stay));
}

/// A quick estimate of the value of a place to a unit.
fn promise(staff: &Staff, s: &State, side: Side, unit: UnitId, hex: HexId) -> f32 {
    let (rules, weights) = (&*staff.rules, &staff.weights);
    let factors = rules.factors(s, unit);
    let mut pull: f32 = 0.0;
    let mut score = 0.0;
    for aim in &staff.lore.aims {
        if s.control(aim.hex) == Side::Allied {
            pull = pull.max(aim.near[hex.index()] * aim.wanted(0.4, 0.6));
        }
        if aim.hex == hex && s.control(hex) != side {
            score += weights.hex * aim.weight;
        }
    }
    score += match side {
        Side::German => weights.urge_german * f32::from(factors.attack) * pull,
        Side::Allied => weights.urge_allied * f32::from(factors.defense) * pull,
    };
    // The hex that was fought for is good terrain, and on the enemy's line of retreat.
    if hex == s.combat.target {
        score += 0.3;
    }
    score + 0.05 * f32::from(rules.land.hex(hex).dcb[side.index()])
}
