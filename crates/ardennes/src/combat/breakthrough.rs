//! Breakthrough Combat (19.4–19.6): one stack attacks again, alone or with others.

use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::{Action, Attack},
    combat::{declare, resolve},
    flags::Flags,
    frame::Frame,
    list::List,
    pack::{Side, UnitId},
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// Why a unit of the attack cannot be in the Breakthrough Group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Out {
    /// It took no part in the attack that broke through, or did not advance.
    NotAdvanced,
    /// 19.6
    OutOfSupply,
    Disrupted,
}

pub fn may_attack(rules: &Ardennes, s: &State, unit: UnitId) -> Option<Out> {
    let flags = s.unit(unit).flags;
    if !s.combat.attackers.contains(unit) || !flags.any(Flags::ADVANCED) || rules.counter(unit).artillery {
        Some(Out::NotAdvanced)
    } else if flags.any(Flags::OOS) {
        Some(Out::OutOfSupply)
    } else if flags.any(Flags::DISRUPTED) {
        Some(Out::Disrupted)
    } else {
        None
    }
}

/// Why a unit of an attack that broke through may not attack again: the rule and the message key.
pub fn refused(rules: &Ardennes, s: &State, unit: UnitId) -> Option<(&'static str, &'static str)> {
    if !s.combat.breakthrough_allowed || !s.combat.attackers.contains(unit) {
        return None;
    }
    if s.unit(unit).is(Flags::OOS) {
        Some(("19.6", "breakthrough.out_of_supply"))
    } else if s.combat.far.contains(unit) && !rules.counter(unit).mechanized {
        Some(("19.4", "breakthrough.too_far"))
    } else {
        None
    }
}

/// What is wrong with the group that an attack names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No unit of the group takes part.
    NoGroup,
    /// 19.4: one stack only.
    TwoStacks,
    /// 19.4: the group is on foot or mixed, and this unit advanced too far.
    TooFar(UnitId),
    /// 19.5, 14.1: others may join only against a hex that has not been attacked.
    Attacked,
}

pub fn group_fault(rules: &Ardennes, s: &State, attack: &Attack) -> Option<Fault> {
    let member = |unit: &&UnitId| may_attack(rules, s, **unit).is_none();
    let group = || attack.units.iter().filter(member);
    let Some(first) = group().next() else { return Some(Fault::NoGroup) };
    let hex = s.unit(*first).hex();
    if group().any(|unit| s.unit(*unit).hex() != hex) {
        return Some(Fault::TwoStacks);
    }
    let mechanized = group().all(|unit| rules.counter(*unit).mechanized);
    if !mechanized && let Some(unit) = group().find(|unit| s.combat.far.contains(**unit)) {
        return Some(Fault::TooFar(*unit));
    }
    // 19.5
    let joined = attack.units.iter().any(|unit| may_attack(rules, s, *unit).is_some());
    (joined && s.occupied(attack.target) && declare::attacked_already(s, attack.target))
        .then_some(Fault::Attacked)
}

pub fn refuse(rules: &Ardennes, attack: &Attack, fault: Fault) -> Refusal {
    let no = |rule, key| rules.no(rule, key).hex("hex", attack.target);
    match fault {
        Fault::NoGroup => no("19.4", "breakthrough.no_group").into(),
        Fault::TwoStacks => no("19.4", "breakthrough.two_stacks").into(),
        Fault::TooFar(unit) => no("19.4", "breakthrough.too_far").unit("unit", unit).into(),
        Fault::Attacked => no("19.5", "breakthrough.attacked_already").into(),
    }
}

/// Is a target next to some member of a group?
fn open_to_group(cx: &Cx, target: hexgrid::HexId) -> bool {
    let mut any = false;
    declare::able_until(cx, target, |unit| {
        any = declare::legal(cx, &Attack { units: List::one(unit), ..declare::blank(target) });
        any
    });
    any
}

/// 19.4, 19.5: one stack attacks again, or stays.
#[derive(Debug)]
pub struct Breakthrough;

impl Question<Ardennes> for Breakthrough {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.combat.attacker)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let mut any = false;
        declare::targets(cx, |hex| {
            any = open_to_group(cx, hex);
            any
        });
        (!any).then_some(Action::Stay)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        declare::targets(cx, |hex| {
            if open_to_group(cx, hex) {
                out.push(Subject::Hex(hex));
            }
            false
        });
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Stay),
            Subject::Hex(target) if cx.rules.land.in_play.contains(target) && open_to_group(cx, target) => {
                declare::skeleton(cx, target, out);
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Stay => Ok(()),
            Action::Attack(attack) => declare::check_attack(cx, attack),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        match action {
            Action::Attack(attack) => {
                super::close_before_next(play);
                resolve::begin(play, attack, true)
            }
            _ => Ok(()),
        }
    }
}
