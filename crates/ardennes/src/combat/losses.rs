//! Step losses (16.3, 16.4).

use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    combat::record::Lead,
    event::{Elimination, Event},
    flags::Flags,
    frame::Frame,
    fuel_dumps,
    pack::{CombatResult, Side, UnitId},
    place::Place,
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// Why a unit may not take the loss.
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

/// 16.3: which unit loses a step.
#[derive(Debug)]
pub struct Loss;

impl Question<Ardennes> for Loss {
    fn asks(&self, _: &Ardennes, _: &State, frame: Frame) -> Option<Side> {
        let Frame::Loss(side) = frame else { return None };
        Some(side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let mut units = candidates(cx.s, cx.side);
        match (units.next(), units.next()) {
            (None, _) => Some(Action::Done),
            (Some(unit), None) => Some(Action::Lose { unit }),
            _ => None,
        }
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend(candidates(cx.s, cx.side).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let Subject::Unit(unit) = subject
            && spared(cx.s, cx.side, unit).is_none()
        {
            out.push(Action::Lose { unit });
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Action::Lose { unit } = *action else { return Err(cx.rules.not_now()) };
        let no = |rule, key| cx.rules.no(rule, key).unit("unit", unit);
        match spared(cx.s, cx.side, unit) {
            None => Ok(()),
            Some(Spared::NotFighting) => no("16.3", "loss.not_fighting").into(),
            Some(Spared::Lead(lead)) => no("16.3", "loss.lead").unit("lead", lead).into(),
            Some(Spared::ArmorShift) => no("16.3", "loss.armor_shift").into(),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let side = at.side;
        play.pop();
        play.s.combat.loss_on[side.index()] = Lead::NONE;
        match *action {
            Action::Lose { unit } => lose_step(play, unit),
            // No defender is left; any loss captures the garrison of a fuel dump (32.2).
            _ if side != play.s.combat.attacker && play.s.combat.defenders.is_empty() => capture_dump(play),
            _ => {}
        }
        Ok(())
    }
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

/// The unit leaves the map for the Dead Pile, and leaves the combat.
pub fn bury(play: &mut Play, unit: UnitId) {
    let hex = play.s.unit(unit).hex();
    play.eliminate(unit, Elimination::Losses);
    play.s.combat.forget(unit);
    if let Some(hex) = hex {
        super::vacate(play, hex);
    }
}

/// 16.4: a free Remnant counter, for a unit with 2 or more stacking points on its reduced side.
fn remnant_of(rules: &Ardennes, s: &State, unit: UnitId) -> Option<UnitId> {
    let counter = rules.counter(unit);
    if counter.sides < 2 || counter.back.stacking < 2 {
        return None;
    }
    let pool = &rules.pack.pools[counter.remnant?.index()];
    pool.counters().find(|c| s.unit(*c).place() == Place::Pool)
}

/// 16.4: would it leave a Remnant?
pub fn has_remnant(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    remnant_of(rules, s, unit).is_some()
}

/// 16.4: a Remnant is formed.
#[derive(Debug)]
pub struct Remnant;

impl Question<Ardennes> for Remnant {
    fn asks(&self, rules: &Ardennes, _: &State, frame: Frame) -> Option<Side> {
        let Frame::Remnant(unit) = frame else { return None };
        Some(rules.counter(unit).side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        // 16.4: the owner has no choice.
        let Frame::Remnant(unit) = cx.frame else { return None };
        Some(Action::Remnant { form: remnant_of(cx.rules, cx.s, unit).is_some() })
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        out.extend(self.forced(cx).filter(|_| subject == Subject::Phase));
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Frame::Remnant(unit) = cx.frame else { return Err(cx.rules.not_now()) };
        let Action::Remnant { form } = *action else { return Err(cx.rules.not_now()) };
        if form == remnant_of(cx.rules, cx.s, unit).is_some() {
            return Ok(());
        }
        let key = if form { "breakdown.no_remnant" } else { "remnant.always" };
        cx.rules.no("16.4", key).unit("unit", unit).into()
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let Frame::Remnant(unit) = at.frame else { return Ok(()) };
        form_remnant(play, unit, action);
        Ok(())
    }
}

fn form_remnant(play: &mut Play, unit: UnitId, action: &Action) {
    play.pop();
    let form = *action == Action::Remnant { form: true };
    let Some(counter) = remnant_of(play.rules, play.s, unit).filter(|_| form) else {
        return bury(play, unit);
    };
    let old = *play.s.unit(unit);
    let place = old.place();
    play.tell(Event::RemnantFormed { unit: counter, of: unit });
    // The Remnant is placed before the unit is removed, so that the hex is never empty in between.
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
