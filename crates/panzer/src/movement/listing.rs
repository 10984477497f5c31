//! The moves that are offered for a unit.

use hexgrid::{Direction, HexId};
use rulebook::flow::Question;

use super::{Movement, Walk, reach};
use crate::{
    action::{Action, Go, Move, Part, Plan},
    play::Cx,
    state::Command,
    transport,
    units::UnitId,
};

/// Every possible end of the move.
pub(super) fn ends(cx: &Cx, unit: UnitId, along: bool, entry: HexId, out: &mut Vec<Action>) {
    let Ok(start) = cx.rules.begin(cx.s, unit, along, entry) else { return };
    let free = cx.s.unit(unit).group > 0 && !cx.rules.group_reachable(cx.s, unit);
    let column = cx.rules.in_column(cx.s, unit);
    reach::with_reach(cx.rules, cx.s, &start, |reach| {
        reach.ends(cx.rules, cx.s, |to, facing, _| {
            let here = (to, facing) == (start.hex, start.facing);
            let in_order =
                |plan: Plan| cx.rules.check_column(cx.s, &Move { unit, along, entry, plan }).is_ok();
            let kept = !column || along && reach.plan(cx.rules, cx.s, to, facing).is_some_and(in_order);
            let allowed = kept && (cx.rules.group_end(cx.s, unit, to) || free);
            if allowed && (!here || entry != HexId::NONE) {
                out.push(Action::Go(Go { unit, along, entry, to, facing }));
            }
        });
    });
}

/// A vehicle's passengers may dismount before it does anything else, each separately (6.6.7.1.1).
pub(super) fn unloads(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    let (rules, s) = (cx.rules, cx.s);
    let u = s.unit(unit);
    for passenger in rules.riders(s, unit, &Walk::default()) {
        let off = Part::Dismount { unit: passenger, hex: u.hex, facing: u.facing };
        let order = Move { unit, along: false, entry: HexId::NONE, plan: Plan::from_iter([off]) };
        out.extend(Movement.check(cx, &Action::Move(order)).is_ok().then_some(Action::Move(order)));
        transport::attacks(cx, passenger, u.hex, |hex, facing, target| {
            let off = Part::Dismount { unit: passenger, hex, facing };
            let plan = Plan::from_iter([off, Part::Assault(target)]);
            let order = Move { unit, along: false, entry: HexId::NONE, plan };
            out.extend(Movement.check(cx, &Action::Move(order)).is_ok().then_some(Action::Move(order)));
        });
    }
}

/// 6.6.10: every unit that the vehicle can reach and overrun, by the first path found.
pub(super) fn overruns(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    let (rules, s) = (cx.rules, cx.s);
    if rules.advanced.is_none() || s.unit(unit).command != Command::Move || !rules.armed(s, unit) {
        return;
    }
    let Ok(start) = rules.start(s, unit, false, HexId::NONE) else { return };
    let most = u32::from(rules.allowance(s, &start.walk)).max(1);
    for target in rules.units_of(cx.side.enemy()) {
        let to = s.unit(*target).hex;
        if to == HexId::NONE
            || rules.field.range(start.hex, to) > most
            || rules.bar_to_overrun(s, unit, *target, false).is_some()
        {
            continue;
        }
        let way = Direction::ALL.into_iter().find_map(|from| {
            let beside = rules.field.neighbour(to, from)?;
            let plan =
                reach::with_reach(rules, s, &start, |reach| reach.plan(rules, s, beside, from.opposite()));
            let mut plan = plan?;
            let order = plan.push(Part::Overrun(*target)).then_some(Move {
                unit,
                along: false,
                entry: HexId::NONE,
                plan,
            })?;
            Movement.check(cx, &Action::Move(order)).is_ok().then_some(order)
        });
        out.extend(way.map(Action::Move));
    }
}

/// 6.6.9: a search in the present hex, with the present facing.
pub(super) fn searches(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    let u = cx.s.unit(unit);
    if u.command != Command::Move || cx.rules.search_aim(cx.s, unit, false).is_none() {
        return;
    }
    for partial in [false, true] {
        let part = Part::Search { partial, reverse: false, facing: u.facing };
        let order = Move { unit, along: false, entry: HexId::NONE, plan: Plan::from_iter([part]) };
        out.extend(Movement.check(cx, &Action::Move(order)).is_ok().then_some(Action::Move(order)));
    }
}

/// Exits from the vehicle's hex, if the scenario counts them.
pub(super) fn exits(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    let u = cx.s.unit(unit);
    if !cx.rules.exits[cx.side.index()].contains(u.hex) {
        return;
    }
    for direction in Direction::ALL {
        if cx.rules.field.neighbour(u.hex, direction).is_some() {
            continue;
        }
        let mut plan = Plan::default();
        if direction != u.facing {
            plan.push(Part::Turn(direction));
        }
        plan.push(Part::Exit { back: false });
        let order = Move { unit, along: false, entry: HexId::NONE, plan };
        if cx.rules.check_move(cx.s, &order).is_ok() {
            out.push(Action::Move(order));
        }
    }
}
