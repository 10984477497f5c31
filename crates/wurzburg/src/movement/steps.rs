//! Splitting steps off from units, and combining units (11.5, 11.6).

use kernel::Refusal;

use super::order::same_group;
use crate::{
    action::{Part, Parts, Units},
    event::Event,
    play::{Cx, Play},
    rules::Wurzburg,
    state::{Flags, Place, State},
    units::{OpKind, Side, UnitId, UnitSet},
};

/// 11.5, 11.5.1, 16.6.3: whether these steps may be split off from the unit.
pub fn check_part(rules: &Wurzburg, s: &State, part: Part) -> Result<(), Refusal> {
    let u = s.unit(part.unit);
    let Some(steps) = part.steps else { return Ok(()) };
    if steps > u.steps {
        return rules.no("11.5", "split.steps").unit("unit", part.unit).number("steps", u.steps).into();
    }
    if steps == u.steps {
        return Ok(());
    }
    if u.is(Flags::DISRUPTED) {
        return rules.no("11.5", "split.disrupted").unit("unit", part.unit).into();
    }
    if steps == 0 {
        if !rules.dummy_allowed(s, part.unit) {
            return rules.no("11.3.3", "split.dummies").unit("unit", part.unit).into();
        }
        if rules.next_to(s, u.hex, rules.counter(part.unit).side.enemy()) {
            return rules.no("11.3", "split.dummy_adjacent").unit("unit", part.unit).into();
        }
    }
    Ok(())
}

/// 11.5: whether there are enough free counters.
pub fn check_spares(rules: &Wurzburg, s: &State, parts: &Parts) -> Result<(), Refusal> {
    for part in parts {
        let pool = rules.counter(part.unit).pool;
        let splits = |p: &&Part| {
            rules.counter(p.unit).pool == pool && p.steps.is_some_and(|steps| steps < s.unit(p.unit).steps)
        };
        let wanted = parts.iter().filter(splits).count();
        let free = rules
            .pools
            .get(usize::from(pool))
            .map_or(0, |pool| pool.units.iter().filter(|unit| s.unit(**unit).place == Place::Spare).count());
        if wanted > free {
            return rules.no("11.5", "split.no_counter").unit("unit", part.unit).into();
        }
    }
    Ok(())
}

/// 11.6, 11.6.5: may a unit that was not committed become one with a unit of the operation?
fn check_outsider(cx: &Cx, unit: UnitId) -> Result<(), Refusal> {
    let op = &cx.s.op;
    let march = op.kind == OpKind::March;
    let no = |rule| cx.rules.no(rule, "combine.not_in_operation").unit("unit", unit).into();
    if cx.side == Side::Nato && !march {
        return no("11.6.5"); // in an attack only within a task force
    }
    // GAPS-w1 B21: an unused unit is committed by it, so it must be able to join a March that needs no plan.
    let joins = || march && op.base && cx.rules.activates_with(cx.s, unit, cx.s.active);
    if cx.s.unit(unit).is(Flags::USED) || joins() { Ok(()) } else { no("11.6") }
}

pub(super) fn check_combine(cx: &Cx, units: &Units) -> Result<(), Refusal> {
    let rules = cx.rules;
    let Some(first) = units.first().copied() else { return Err(rules.not_now()) };
    if units.len() < 2 {
        return Err(rules.not_now());
    }
    let member = units.iter().copied().find(|unit| cx.s.op.members.contains(*unit));
    let pool = rules.counter(first).pool;
    let mut steps = 0;
    for (n, unit) in units.iter().enumerate() {
        rules.own(cx.side, *unit)?;
        let u = cx.s.unit(*unit);
        let no = |rule, key| rules.no(rule, key).unit("unit", *unit).into();
        if !u.on_map() || u.hex != cx.s.unit(first).hex || units[..n].contains(unit) {
            return no("11.6", "combine.apart");
        }
        if rules.counter(*unit).pool != pool || rules.counter(*unit).max_steps < 2 {
            return no("11.6", "combine.other_kind");
        }
        if u.is(Flags::DISRUPTED) {
            // 11.6.3
            return no("11.6.3", "combine.disrupted");
        }
        let Some(member) = member else { return no("11.6", "combine.not_in_operation") };
        if !cx.s.op.members.contains(*unit) {
            check_outsider(cx, *unit)?;
        } else if !same_group(cx.s, member, *unit) {
            return no("11.6.5", "combine.not_in_operation"); // 11.6.5
        }
        if u.is(Flags::CONTAMINATED) != cx.s.unit(first).is(Flags::CONTAMINATED) {
            return no("44.4.3", "combine.contaminated"); // 44.4.3
        }
        if u.is(Flags::MASKED) != cx.s.unit(first).is(Flags::MASKED) {
            return no("14.4.1", "combine.masked");
        }
        steps += u.steps;
    }
    if steps > rules.counter(first).max_steps {
        return rules.no("11.6", "combine.too_many").number("limit", rules.counter(first).max_steps).into();
    }
    Ok(())
}

pub(super) fn check_remove(cx: &Cx, unit: UnitId) -> Result<(), Refusal> {
    cx.rules.own(cx.side, unit)?;
    if cx.s.unit(unit).dummy() {
        Ok(())
    } else {
        cx.rules.no("11.3.1", "remove.real").unit("unit", unit).into()
    }
}

/// Split off the parts without reporting it; returns the moving force.
pub fn divide(rules: &Wurzburg, s: &mut State, parts: &Parts) -> UnitSet {
    let mut force = UnitSet::EMPTY;
    for part in parts {
        force.insert(split(rules, s, *part).unwrap_or(part.unit));
    }
    force
}

/// 11.5.2, 11.5.3: the named steps are split off to a free counter, which gets all the unit's markers; `None` if all
/// steps go.
pub fn split(rules: &Wurzburg, s: &mut State, part: Part) -> Option<UnitId> {
    let steps = part.steps.filter(|steps| *steps < s.unit(part.unit).steps)?;
    let new = rules.spare_for(s, part.unit)?;
    let old = *s.unit(part.unit);
    s.units.replace(new, old);
    s.unit_mut(new).steps = steps;
    s.unit_mut(part.unit).steps -= steps;
    let op = &mut s.op;
    for set in [
        &mut op.members,
        &mut op.near_lead,
        &mut op.began_adjacent,
        &mut op.moved,
        &mut op.done,
        &mut op.sheltered,
        &mut op.retreated,
        &mut op.fired,
        &mut op.gave,
        &mut op.tried,
        &mut op.stopped,
        &mut s.sky.flown,
    ] {
        if set.contains(part.unit) {
            set.insert(new);
        }
    }
    for group in &mut op.groups {
        if group.members.contains(part.unit) {
            group.members.insert(new);
        }
    }
    Some(new)
}

/// Split off the parts, and report it.
pub fn part_off(play: &mut Play, parts: &Parts) -> UnitSet {
    let mut force = UnitSet::EMPTY;
    for part in parts {
        let new = split(play.rules, play.s, *part);
        if let Some(new) = new {
            play.tell(Event::Detached { from: part.unit, new });
            let steps = play.s.unit(new).steps;
            play.tell(Event::Split { from: part.unit, new, steps });
        }
        force.insert(new.unwrap_or(part.unit));
    }
    force
}

/// 11.6, 11.6.2, 11.6.4: the first counter takes the steps and markers of the others; if any was used it goes no farther.
pub fn combine(play: &mut Play, units: &Units) {
    let Some((into, rest)) = units.split_first() else { return };
    for gone in rest {
        let old = *play.s.unit(*gone);
        let moved = play.s.op.moved.contains(*gone);
        let done = play.s.op.done.contains(*gone);
        let far = !play.s.op.near_lead.contains(*gone);
        if play.s.sky.flown.contains(*gone) {
            play.s.sky.flown.insert(*into);
        }
        let u = play.s.unit_mut(*into);
        u.steps += old.steps;
        u.flags.0 |= old.flags.0;
        u.mp = u.mp.min(old.mp); // 11.6.1
        let used = u.is(Flags::USED);
        let op = &mut play.s.op;
        if moved {
            op.moved.insert(*into);
        }
        if done || used {
            op.done.insert(*into);
        }
        if far {
            op.near_lead.remove(*into);
        }
        for set in [&mut op.tried, &mut op.stopped] {
            if set.contains(*gone) {
                set.insert(*into);
            }
        }
        play.take_off(*gone, Place::Spare);
        play.tell(Event::Combined { into: *into, gone: *gone });
    }
}
