//! Step losses (16.3, 16.4).

use kernel::{Refusal, Stop};

use crate::{
    action::Action,
    combat::record::Lead,
    event::{Elimination, Event},
    flags::Flags,
    frame::Frame,
    fuel_dumps,
    pack::{CombatResult, Side, UnitId},
    place::Place,
    play::{Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// Why a unit may not take this loss.
enum Spared {
    NotFighting,
    /// 16.2, 16.71
    Lead(UnitId),
    /// 16.3
    ArmorShift,
}

fn spared(s: &State, side: Side, unit: UnitId) -> Option<Spared> {
    let combat = &s.combat;
    let fights = if side == combat.attacker {
        combat.attackers.contains(unit)
    } else {
        combat.defenders.contains(unit)
    };
    if !fights {
        return Some(Spared::NotFighting);
    }
    if let Some(lead) = combat.loss_on[side.index()].get() {
        return (unit != lead).then_some(Spared::Lead(lead));
    }
    let tanks_pay = combat.result == Some(CombatResult::Ex) && combat.armor_shift == Some(side);
    let alive = || combat.armor.iter().any(|tank| s.unit(*tank).hex().is_some() || combat.from_blocking);
    (tanks_pay && alive() && !combat.armor.contains(unit)).then_some(Spared::ArmorShift)
}

fn candidates(s: &State, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    let combat = &s.combat;
    let units: &[UnitId] = if side == combat.attacker { &combat.attackers } else { &combat.defenders };
    units.iter().copied().filter(move |unit| spared(s, side, *unit).is_none())
}

pub fn forced(cx: &Cx) -> Option<Action> {
    let mut units = candidates(cx.s, cx.side);
    match (units.next(), units.next()) {
        (None, _) => Some(Action::Done),
        (Some(unit), None) => Some(Action::Lose { unit }),
        _ => None,
    }
}

pub fn subjects(cx: &Cx, out: &mut Vec<Subject>) {
    out.extend(candidates(cx.s, cx.side).map(Subject::Unit));
}

pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    if let Subject::Unit(unit) = subject
        && spared(cx.s, cx.side, unit).is_none()
    {
        out.push(Action::Lose { unit });
    }
}

pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    let Action::Lose { unit } = *action else { return Err(cx.rules.not_now()) };
    let no = |rule, key| cx.rules.no(rule, key).unit("unit", unit);
    match spared(cx.s, cx.side, unit) {
        None => Ok(()),
        Some(Spared::NotFighting) => no("16.3", "loss.not_fighting").into(),
        Some(Spared::Lead(lead)) => no("16.3", "loss.lead").unit("lead", lead).into(),
        Some(Spared::ArmorShift) => no("16.3", "loss.armor_shift").into(),
    }
}

pub fn apply(play: &mut Play, side: Side, action: &Action) -> Result<(), Stop> {
    play.pop();
    play.s.combat.loss_on[side.index()] = Lead::NONE;
    match *action {
        Action::Lose { unit } => lose_step(play, unit),
        // Nobody is left; the garrison of a fuel dump is captured by any loss (32.2).
        _ if side != play.s.combat.attacker && play.s.combat.defenders.is_empty() => capture_dump(play),
        _ => {}
    }
    Ok(())
}

/// 16.4: one step of a unit.
pub fn lose_step(play: &mut Play, unit: UnitId) {
    play.tell(Event::StepLost { unit });
    if play.rules.steps(play.s, unit) > 1 {
        play.s.unit_mut(unit).flags.set(Flags::REDUCED);
    } else if remnant_of(play.rules, play.s, unit).is_some() {
        play.then(&[Frame::Remnant(unit)]);
    } else {
        bury(play, unit);
    }
}

/// Out of the game for now, and out of the combat.
pub fn bury(play: &mut Play, unit: UnitId) {
    let hex = play.s.unit(unit).hex();
    play.eliminate(unit, Elimination::Losses);
    play.s.combat.forget(unit);
    if let Some(hex) = hex {
        super::vacate(play, hex);
    }
}

/// 16.4: a free counter of its Remnant, for a unit with 2 or more stacking points on its reduced side.
fn remnant_of(rules: &Ardennes, s: &State, unit: UnitId) -> Option<UnitId> {
    let counter = rules.counter(unit);
    if counter.sides < 2 || counter.back.stacking < 2 {
        return None;
    }
    let pool = &rules.pack.pools[counter.remnant?.index()];
    pool.counters().find(|c| s.unit(*c).place() == Place::Pool)
}

/// 16.4: would a Remnant be left of it?
pub fn has_remnant(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    remnant_of(rules, s, unit).is_some()
}

/// 16.4: the owner has no choice.
pub fn remnant_forced(cx: &Cx, unit: UnitId) -> Option<Action> {
    Some(Action::Remnant { form: remnant_of(cx.rules, cx.s, unit).is_some() })
}

pub fn remnant_check(cx: &Cx, unit: UnitId, action: &Action) -> Result<(), Refusal> {
    let Action::Remnant { form } = *action else { return Err(cx.rules.not_now()) };
    if form == remnant_of(cx.rules, cx.s, unit).is_some() {
        return Ok(());
    }
    let key = if form { "breakdown.no_remnant" } else { "remnant.always" };
    cx.rules.no("16.4", key).unit("unit", unit).into()
}

pub fn remnant_apply(play: &mut Play, unit: UnitId, action: &Action) {
    play.pop();
    let form = *action == Action::Remnant { form: true };
    let Some(counter) = remnant_of(play.rules, play.s, unit).filter(|_| form) else {
        return bury(play, unit);
    };
    let old = *play.s.unit(unit);
    let place = old.place();
    play.tell(Event::RemnantFormed { unit: counter, of: unit });
    // The Remnant stands there before the unit goes: the hex is never empty between them.
    play.rules.put(play.s, counter, place);
    let new = play.s.unit_mut(counter);
    new.flags = old.flags.without(Flags::REDUCED);
    (new.spent, new.group, new.points) = (old.spent, old.group, old.points);
    new.set_parent(Some(unit));
    play.s.combat.replace(unit, counter);
    for marker in play.s.advantages.iter_mut() {
        if let Some(under) = marker.units.iter_mut().find(|u| **u == unit) {
            *under = counter;
        }
    }
    play.eliminate(unit, Elimination::Losses);
}

/// 32.2
pub fn capture_dump(play: &mut Play) {
    if !play.s.combat.dump {
        return;
    }
    play.s.combat.dump = false;
    fuel_dumps::capture(play, play.s.combat.target);
}
