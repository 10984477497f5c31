//! Movement (4.5): where to, facing what, and in what order.

use ::panzer::{
    action::{Action, Go, Move, Part, Plan as Way},
    movement::{Cursor, reach},
    play::Cx,
    state::{Place, Spot},
    units::UnitId,
};
use hexgrid::{Direction, HexId};

use super::{
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

/// The best place that a vehicle can reach; `half`: with a Short Halt (3.7).
pub fn best(picture: &Picture, cx: &Cx, unit: UnitId, half: bool) -> Option<Best> {
    let u = cx.s.unit(unit);
    let mut found = None;
    if u.on_map() {
        from(picture, cx, unit, false, HexId::NONE, half, &mut found);
        if cx.rules.on_way(u.hex) && !half {
            from(picture, cx, unit, true, HexId::NONE, half, &mut found);
        }
    } else if u.place == Place::Held {
        for entry in &picture.commander.lore.entries[unit.index()] {
            from(picture, cx, unit, false, *entry, half, &mut found);
        }
    }
    if let Some(found) = &mut found {
        found.aim = picture.pull(unit, found.hex).1;
    }
    found
}

fn from(
    picture: &Picture,
    cx: &Cx,
    unit: UnitId,
    along: bool,
    entry: HexId,
    half: bool,
    found: &mut Option<Best>,
) {
    let Ok(start) = cx.rules.start(cx.s, unit, along, entry) else { return };
    ends(picture, cx, &start, along, entry, half, found);
}

fn ends(
    picture: &Picture,
    cx: &Cx,
    start: &Cursor,
    along: bool,
    entry: HexId,
    half: bool,
    found: &mut Option<Best>,
) {
    let unit = start.walk.unit;
    let most = if half { cx.rules.allowance(cx.s, &start.walk) / 2 } else { u8::MAX };
    reach::with_reach(cx.rules, cx.s, start, |reach| {
        reach.ends(cx.rules, cx.s, |hex, facing, cost| {
            if cost > most {
                return;
            }
            let value = picture.post(unit, hex, facing, Spot::Move, true);
            if found.is_none_or(|best| value > best.value) {
                *found = Some(Best { value, along, entry, hex, facing, aim: None });
            }
        });
    });
}

/// Leave the map where that is rewarded (4.5.1.1.9).
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

/// The next vehicle to move, and where: the one that gains most.
pub fn next(commander: &Commander, cx: &Cx, plan: &Plan, out: &mut Script) {
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
        let Some(best) = best(&picture, cx, *unit, false) else { continue };
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
        // Whoever gains nothing stays.
        out.push(Thought::plain(Action::Done));
    }
}

/// A move that was fired at goes on, or ends where it is better now.
pub fn revise(commander: &Commander, cx: &Cx, plan: &Plan, out: &mut Script) {
    let picture = Picture::new(commander, cx.s, cx.side, plan);
    let walking = cx.rules.walking(cx.s);
    let mut found = None;
    ends(&picture, cx, &walking, walking.walk.along, HexId::NONE, false, &mut found);
    if let Some(best) = found {
        let (unit, along) = (walking.walk.unit, walking.walk.along);
        if (best.hex, best.facing) == (walking.hex, walking.facing) {
            out.push(Thought::plain(Action::Stop));
        }
        let go = Go { unit, along, entry: HexId::NONE, to: best.hex, facing: best.facing };
        out.push(Thought::plain(Action::Go(go)));
    }
    out.extend([Action::GoOn, Action::Stop].map(Thought::plain));
}
