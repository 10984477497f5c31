//! Movement (4.5): destination, facing, and order.

use ::panzer::{
    action::{Action, Go, Move, Part, Plan as Way},
    movement::{Cursor, reach},
    play::Cx,
    state::{Place, Spot},
    units::UnitId,
};
use hexgrid::{Direction, HexId};

use super::{
    combined,
    commander::{Commander, Script},
    picture::Picture,
    plan::Plan,
    why,
};
use crate::Thought;

/// Where a vehicle would go.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    pub value: f32,
    pub along: bool,
    pub entry: HexId,
    pub hex: HexId,
    pub facing: Direction,
    pub aim: Option<usize>,
}

/// The best place that a vehicle can reach, and the best with a Short Halt (3.7).
pub fn best(picture: &Picture, cx: &Cx, unit: UnitId) -> [Option<Best>; 2] {
    let u = cx.s.unit(unit);
    let mut found = [None; 2];
    let mut from = |along: bool, entry: HexId| {
        if let Ok(start) = cx.rules.start(cx.s, unit, along, entry) {
            ends(picture, cx, &start, along, entry, &mut found);
        }
    };
    if u.on_map() {
        from(false, HexId::NONE);
        if cx.rules.on_way(u.hex) || cx.rules.may_march(cx.s, unit) {
            from(true, HexId::NONE);
        }
    } else if u.place == Place::Held {
        for entry in &picture.commander.lore.entries[unit.index()] {
            from(false, *entry);
        }
    }
    for best in found.iter_mut().flatten() {
        best.aim = picture.pull(unit, best.hex).1;
    }
    found
}

fn ends(
    picture: &Picture,
    cx: &Cx,
    start: &Cursor,
    along: bool,
    entry: HexId,
    [far, near]: &mut [Option<Best>; 2],
) {
    let unit = start.walk.unit;
    let half = if along { None } else { Some(cx.rules.allowance(cx.s, &start.walk) / 2) };
    reach::with_reach(cx.rules, cx.s, start, |reach| {
        // All facings of a hex are consecutive.
        let mut posts = (HexId::NONE, [0.0; 6]);
        reach.ends(cx.rules, cx.s, |hex, facing, cost| {
            if posts.0 != hex {
                posts = (hex, picture.posts(unit, hex, Spot::Move, true));
            }
            let value = posts.1[facing.index()];
            let best = Best { value, along, entry, hex, facing, aim: None };
            if far.is_none_or(|best| value > best.value) {
                *far = Some(best);
            }
            if half.is_some_and(|half| cost <= half) && near.is_none_or(|best| value > best.value) {
                *near = Some(best);
            }
        });
    });
}

/// Exits the map where that is rewarded (4.5.1.1.9).
fn leave(picture: &Picture, cx: &Cx, unit: UnitId) -> Option<Action> {
    let lore = &picture.commander.lore;
    let edge = lore.exit[cx.side.index()]?;
    let u = cx.s.unit(unit);
    if !u.on_map() || !lore.aims[edge].hexes.contains(u.hex) {
        return None;
    }
    Direction::ALL.into_iter().find_map(|direction| {
        if cx.rules.field.neighbour(u.hex, direction).is_some() {
            return None;
        }
        let mut plan = Way::default();
        if direction != u.facing {
            plan.push(Part::Turn(direction));
        }
        plan.push(Part::Exit { back: false });
        let order = Move { unit, along: false, entry: HexId::NONE, plan };
        cx.rules.check_move(cx.s, &order).is_ok().then_some(Action::Move(order))
    })
}

/// The next vehicle to move, and its destination: the one that gains most.
pub fn next(commander: &Commander, cx: &Cx, plan: &Plan, out: &mut Script) {
    if cx.rules.advanced.is_some()
        && let Some(action) = combined::transport(commander, cx)
    {
        out.push(Thought::plain(action));
        // If it is not possible, the next one is tried.
    }
    let picture = Picture::new(commander, cx.s, cx.side, plan);
    let mut chosen: Option<(f32, Best, UnitId)> = None;
    for unit in cx.rules.units_of(cx.side) {
        if !cx.rules.may_move(cx.s, *unit) {
            continue;
        }
        if let Some(action) = leave(&picture, cx, *unit) {
            out.push(Thought::plain(action));
            return;
        }
        let u = cx.s.unit(*unit);
        let stay =
            if u.on_map() { picture.post(*unit, u.hex, u.facing, Spot::Move, true) } else { f32::MIN / 2.0 };
        let [Some(best), _] = best(&picture, cx, *unit) else { continue };
        let here = (best.hex, best.facing) == (u.hex, u.facing);
        let gain = best.value - stay;
        if !here && gain > 0.0 && chosen.is_none_or(|(most, ..)| gain > most) {
            chosen = Some((gain, best, *unit));
        }
        if plan.quick && chosen.is_some() {
            break;
        }
    }
    if let Some((_, best, unit)) = chosen {
        let go = Go { unit, along: best.along, entry: best.entry, to: best.hex, facing: best.facing };
        let why = why::moves(&picture, unit, &best);
        out.push(Thought { action: Action::Go(go), why });
    } else {
        // A unit that gains nothing stays.
        out.push(Thought::plain(Action::Done));
    }
}

/// A move that was fired at continues, or ends where that is better now.
pub fn revise(commander: &Commander, cx: &Cx, plan: &Plan, out: &mut Script) {
    let picture = Picture::new(commander, cx.s, cx.side, plan);
    let walking = cx.rules.walking(cx.s);
    let mut found = [None; 2];
    ends(&picture, cx, &walking, walking.walk.along, HexId::NONE, &mut found);
    if let [Some(best), _] = found {
        let (unit, along) = (walking.walk.unit, walking.walk.along);
        if (best.hex, best.facing) == (walking.hex, walking.facing) {
            out.push(Thought::plain(Action::Stop));
        }
        let go = Go { unit, along, entry: HexId::NONE, to: best.hex, facing: best.facing };
        out.push(Thought::plain(Action::Go(go)));
    }
    out.extend([Action::GoOn, Action::Stop].map(Thought::plain));
}
