//! Whether a force may make a move, and which path is meant.

use hexgrid::{Direction, HexId};
use kernel::Refusal;

use super::{Mover, Path, Reach, check_part, check_spares, divide};
use crate::{
    action::{Hexes, Part, Parts, Units},
    play::{Cx, Play},
    rules::Wurzburg,
    state::{Flags, Group, State, Variant},
    units::{OpKind, Side, UnitId, UnitSet},
};

/// Whether the force can step directly into a hex. A detour may be cheaper.
fn direct(mover: &Mover, to: HexId) -> bool {
    let Some(direction) = mover.rules.field.toward(mover.from, to) else { return false };
    let spent = mover.allowance.saturating_sub(mover.mp);
    let step = mover.step(mover.from, direction, spent, false);
    let reached = || Reach::with(mover, |reach| reach.cost(to)).is_some();
    step.is_some_and(|(_, step)| mover.affords(spent, step.cost, true)) || !reached()
}

/// The path that is meant: hex by hex, or the cheapest to a single distant hex.
pub fn resolve(mover: &Mover, path: &Hexes) -> Option<Path> {
    if let [to] = path[..]
        && !direct(mover, to)
    {
        return Reach::with(mover, |reach| reach.path(mover, to));
    }
    Some(path.iter().copied().collect())
}

pub(super) fn check_move(cx: &Cx, parts: &Parts, path: &Hexes) -> Result<(), Refusal> {
    let rules = cx.rules;
    let Some(first) = parts.first() else { return Err(rules.not_now()) };
    if crate::storm::straight(cx).is_some() {
        return rules.no("42.0", "move.straight").unit("unit", first.unit).into(); // step 1
    }
    let from = cx.s.unit(first.unit).hex;
    let mut seen = UnitSet::EMPTY;
    for part in parts {
        rules.own(cx.side, part.unit)?;
        let u = cx.s.unit(part.unit);
        let here = u.on_map() || rules.enters(cx.s, part.unit);
        // 13.7.2, 16.8.4: units adjacent to an enemy take no part in a Reserve operation.
        let member = cx.s.op.members.contains(part.unit);
        if !member && cx.s.op.kind == OpKind::Reserve && rules.next_to(cx.s, u.hex, cx.side.enemy()) {
            let rule = if cx.side == Side::Wp { "13.7.2" } else { "16.8.4" };
            return rules.no(rule, "commit.adjacent").unit("unit", part.unit).into();
        }
        if !here || !member && !picks_up(cx, part.unit) {
            return rules.no("13.0", "move.not_in_operation").unit("unit", part.unit).into();
        }
        if cx.s.op.done.contains(part.unit) {
            return rules.no("16.6.4", "move.done").unit("unit", part.unit).into();
        }
        if member && !rules.movable(cx.s, part.unit) || !same_group(cx.s, first.unit, part.unit) {
            return rules.no("13.4", "move.other_group").unit("unit", part.unit).into();
        }
        // 14.1
        if u.hex != from || !seen.insert(part.unit) {
            return rules.no("14.1", "move.apart").unit("unit", part.unit).into();
        }
        check_part(cx.rules, cx.s, *part)?;
    }
    check_spares(rules, cx.s, parts)?;
    // 11.5: steps that split off and stay in the hex.
    if path.is_empty() && matches!(parts[..], [part] if splits_off(cx.s, part)) {
        return Ok(());
    }
    let partial = parts.iter().any(|part| splits_off(cx.s, *part));
    let picked = parts.iter().any(|part| !cx.s.op.members.contains(part.unit));
    if partial || picked {
        let mut later = cx.s.draft();
        let mp = least_mp(cx.s, from, parts.iter().map(|part| part.unit));
        for part in parts {
            if !later.op.members.contains(part.unit) {
                later.op.members.insert(part.unit);
                later.unit_mut(part.unit).mp = mp;
            }
        }
        let force = divide(rules, &mut later, parts);
        return check_way(rules, &later, cx.side, force, path);
    }
    check_way(rules, cx.s, cx.side, seen, path)
}

/// Are these some of the unit's steps, but not all?
pub(super) fn splits_off(s: &State, part: Part) -> bool {
    part.steps.is_some_and(|steps| steps < s.unit(part.unit).steps)
}

/// What those of the units that are in the operation have left, at the least; if none is, all of the operation in the hex.
fn least_mp(s: &State, hex: HexId, units: impl Iterator<Item = UnitId>) -> u8 {
    let named = units.filter(|unit| s.op.members.contains(*unit)).map(|unit| s.unit(unit).mp).min();
    let here =
        || s.op.members.iter().filter(|unit| s.unit(*unit).hex == hex).map(|unit| s.unit(unit).mp).min();
    named.or_else(here).unwrap_or(0)
}

fn check_way(rules: &Wurzburg, s: &State, side: Side, force: UnitSet, path: &Hexes) -> Result<(), Refusal> {
    if force.iter().any(|unit| rules.enters(s, unit)) {
        // A force enters by one hex and continues from there.
        let [hex] = path[..] else { return rules.no("46.6.3", "enter.one_hex").into() };
        return rules.check_entry(s, side, &force, hex);
    }
    let mut mover = rules.mover(s, side, force);
    let steps: u32 = force
        .iter()
        .filter(|unit| rules.counter(*unit).symbol.maneuver())
        .map(|unit| u32::from(s.unit(unit).steps))
        .sum();
    if steps > u32::from(rules.step_limit(side)) {
        return rules.no("16.6.1", "move.too_many").number("limit", rules.step_limit(side)).into();
    }
    let Some(last) = path.last().copied() else { return Err(rules.not_now()) };
    if last == mover.from && path.len() == 1 || mover.from == HexId::NONE {
        return rules.no("16.0", "move.nowhere").into();
    }
    if let Some(rally) = s.op.rally.some()
        && mover.fresh
        && mover.from != rally
        && last != rally
    {
        return rules.no("16.6.2", "move.rally").hex("hex", rally).into();
    }
    // 42.0, 43.0 step 2: units that do not storm may not move adjacent to the enemy.
    let storms = match s.op.variant {
        Variant::Overrun => rules.field.adjacent(last, s.op.objective),
        Variant::Close => false,
        Variant::Plain | Variant::Gegenangriff => true,
    };
    if !storms && mover.near(last) {
        let rule = if s.op.variant == Variant::Overrun { "42.0" } else { "43.0" };
        return rules.no(rule, "move.storm").hex("hex", last).into();
    }
    let Some(way) = resolve(&mover, path) else {
        // Find the reason, as far as the last hex gives it.
        let near = mover.near(last);
        let refusal = if near { mover.refusal_at(last) } else { None };
        return match refusal {
            Some(refusal) => Err(refusal),
            None => rules.no("16.1.2", "move.too_far").hex("hex", last).into(),
        };
    };
    if let Some(refusal) = mover.end_refusal(last) {
        return Err(refusal);
    }
    // 37.4 item 3: one hex out of a minefield is a careful exit.
    mover.careful = way.len() == 1;
    let (mut at, mut spent, mut tactical) = (mover.from, mover.allowance.saturating_sub(mover.mp), false);
    for (n, to) in way.iter().enumerate() {
        if let Some(refusal) = mover.refusal(at, *to) {
            return Err(refusal);
        }
        let Some(direction) = rules.field.toward(at, *to) else {
            return Err(rules.not_now());
        };
        let Some((_, step)) = mover.step(at, direction, spent, tactical) else { return Err(rules.not_now()) };
        if !mover.affords(spent, step.cost, n == 0 && way.len() == 1) {
            if mover.leg {
                return rules.no("16.1.2", "move.leg").into();
            }
            return rules.no("16.1.2", "move.too_dear").hex("hex", *to).into();
        }
        spent = spent.saturating_add(step.cost).min(mover.allowance);
        (at, tactical) = (*to, step.tactical);
    }
    if s.op.variant == Variant::Overrun && rules.field.adjacent(last, s.op.objective) {
        return crate::storm::check_approach(rules, s, &force, last, mover.allowance.saturating_sub(spent));
    }
    Ok(())
}

impl Mover<'_> {
    /// Why a hex cannot be entered, whichever hex the force comes from.
    pub fn refusal_at(&self, to: HexId) -> Option<Refusal> {
        let around = Direction::ALL.into_iter().filter_map(|d| self.rules.field.neighbour(to, d));
        let mut all = around.map(|from| self.refusal(from, to));
        let first = all.next().flatten()?;
        all.all(|other| other.is_some()).then_some(first)
    }
}

/// 16.6.1: a NATO March picks up unused units that may activate in this cycle, which commits them.
pub(super) fn picks_up(cx: &Cx, unit: UnitId) -> bool {
    let u = cx.s.unit(unit);
    cx.s.op.kind == OpKind::March
        && cx.side == Side::Nato
        && u.on_map()
        && !u.is(Flags::USED)
        && cx.rules.counter(unit).symbol.ground()
        && cx.rules.activates_with(cx.s, unit, cx.s.active)
        && cx.s.op.moved.iter().any(|other| cx.s.unit(other).hex == u.hex)
}

/// Units that are picked up take part from now on, with the Movement Points that the force has left.
pub(super) fn commit_picked(play: &mut Play, units: impl Iterator<Item = UnitId>) {
    let units: Units = units.collect();
    let Some(hex) = units.first().map(|unit| play.s.unit(*unit).hex) else { return };
    let least = least_mp(play.s, hex, units.iter().copied());
    let active = play.s.active;
    let taken = |group: &Group| units.iter().any(|unit| group.members.contains(*unit));
    let group = play.s.op.groups.iter().position(taken).unwrap_or_default();
    for unit in units {
        if play.s.op.members.contains(unit) {
            continue;
        }
        play.s.op.members.insert(unit);
        if let Some(group) = play.s.op.groups.get_mut(group) {
            group.members.insert(unit);
        }
        let base = play.rules.formation(play.rules.counter(unit).formation).base;
        let u = play.s.unit_mut(unit);
        u.mp = least;
        u.clear(Flags::TACTICAL);
        if base {
            u.cycle = active;
        }
    }
}

pub(super) fn same_group(s: &State, a: UnitId, b: UnitId) -> bool {
    s.op.groups.len() < 2
        || s.op.groups.iter().any(|group| group.members.contains(a) && group.members.contains(b))
}
