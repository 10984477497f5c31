//! Combat Phases (9): attacks, support, breakthroughs (16).

use kernel::{Refusal, Stop};
use rulebook::flow::Question;
use zocbond::UnitId;

use crate::action::{Action, Subject};
use crate::flow::{At, Cx, Play, assert_legal, keep_legal};
use crate::frame::{Combat, CombatStep, Frame, Stage};
use crate::options::Switch;
use crate::pack::Side;
use crate::questions::phases::end_phase;
use crate::refusal::{Legal, not_now, refuse};
use crate::state::{Fighters, State, Units};
use crate::world::Holland;

/// The combat on top.
pub(super) fn combat<'a>(cx: &Cx<'a>) -> Option<&'a Combat> {
    match cx.s.frame() {
        Frame::Combat(c) => Some(c),
        _ => None,
    }
}

/// An attack on this hex whose parts are still to be named.
fn skeleton(target: hexgrid::HexId) -> Action {
    Action::Attack { target, with: Fighters::new(), lead: None, attached: None }
}

/// Each hex that may be attacked.
fn list_targets(cx: &Cx, out: &mut Vec<Subject>) {
    cx.rules.each_target(cx.s, cx.side, |hex| {
        out.push(Subject::Hex(hex));
        true
    });
}

/// An attack as it was declared (9.4 step 1).
fn may_declare(cx: &Cx, action: &Action) -> Legal {
    let (rules, s, side) = (cx.rules, cx.s, cx.side);
    match action {
        Action::Attack { target, with, lead, attached }
        | Action::Planned { target, with, lead, attached, .. } => {
            let Some(lead) = lead else { return refuse("10.2", "refuse.no_lead") }; // 10.2
            rules.check_attack(s, side, *target, with, *lead, *attached)?;
            match action {
                Action::Planned { guns, air, .. } => rules.check_support(s, side, *target, with, guns, *air),
                _ => Ok(()),
            }
        }
        _ => not_now(),
    }
}

fn declare(play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
    let Play { rules, s, dice, log } = play;
    match action {
        Action::Attack { target, with, lead: Some(lead), attached } => {
            rules.declare(s, at.side, *target, with, *lead, *attached, None, dice, log)
        }
        Action::Planned { target, with, lead: Some(lead), attached, guns, air } => {
            rules.declare(s, at.side, *target, with, *lead, *attached, Some((*guns, *air)), dice, log)
        }
        _ => Ok(()),
    }
}

/// 9.1
#[derive(Debug)]
pub struct Attacks;

impl Attacks {
    fn may(cx: &Cx, action: &Action) -> Legal {
        let (rules, s, side) = (cx.rules, cx.s, cx.side);
        match action {
            Action::Breakdown(unit) => {
                rules.own(side, *unit)?;
                rules.check_breakdown(s, side, *unit)
            }
            Action::Disengage(units) => rules.check_disengage(s, side, units),
            Action::Done => rules.check_end_of_attacks(s, side),
            _ => may_declare(cx, action),
        }
    }
}

impl Question<Holland> for Attacks {
    usual!("prompt.combat", "9.1");

    /// A phase in which nobody attacks or disengages ends by itself: units may break down in the next Movement Phase as well.
    fn forced(&self, cx: &Cx) -> Option<Action> {
        let (rules, s, side) = (cx.rules, cx.s, cx.side);
        let any = rules.any_target(s, side)
            || rules.on(Switch::Disengagement)
                && rules.units().any(|u| rules.check_disengage(s, side, &[u]).is_ok());
        (!any).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend(Self::may(cx, &Action::Done).is_ok().then_some(Subject::Phase));
        list_targets(cx, out);
        let Cx { rules, s, side, .. } = *cx;
        let leaves = rules.on(Switch::Disengagement) && s.attacked.is_empty();
        let able = |u: &UnitId| {
            rules.check_breakdown(s, side, *u).is_ok()
                || leaves && rules.check_disengage(s, side, &[*u]).is_ok()
        };
        out.extend(s.field.in_game(side).iter().filter(able).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let from = out.len();
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) => out.extend([Action::Disengage(Units::one(unit)), Action::Breakdown(unit)]),
            Subject::Hex(target) => {
                return out.extend(cx.rules.is_target(cx.s, cx.side, target).then(|| skeleton(target)));
            }
            _ => {}
        }
        keep_legal(out, from, |action| Self::may(cx, action));
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Breakdown(unit) => {
                play.rules.break_down(play.s, *unit, play.log);
                Ok(())
            }
            Action::Disengage(units) => play.rules.disengage(play.s, units, play.dice, play.log),
            Action::Done => end_phase(play, at),
            _ => declare(play, at, action),
        }
    }
}

/// 9.4 step 2: a bridge was blown under the attack.
#[derive(Debug)]
pub struct CallOff;

impl CallOff {
    fn may(cx: &Cx, action: &Action) -> Legal {
        let Some(c) = combat(cx) else { return not_now() };
        match action {
            Action::CallOff => Ok(()),
            Action::GoOn => {
                // 9.4 step 2: at least one attacker can still attack; otherwise the refusal of the first one
                let mut may = c.attackers.iter().map(|u| cx.rules.may_attack(cx.s, *u, c.target));
                let first = may.next().unwrap_or(Ok(()));
                first.or_else(|bar| if may.any(|may| may.is_ok()) { Ok(()) } else { Err(bar) })
            }
            _ => not_now(),
        }
    }
}

impl Question<Holland> for CallOff {
    usual!("prompt.call_off", "9.4");

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let nobody = combat(cx).is_some_and(|c| cx.rules.nobody_attacks(cx.s, c));
        nobody.then_some(Action::CallOff)
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            let from = out.len();
            out.extend([Action::GoOn, Action::CallOff]);
            keep_legal(out, from, |action| Self::may(cx, action));
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        if *action == Action::GoOn {
            if let Some(c) = play.combat() {
                (c.step, c.plan) = (CombatStep::Support, None);
            }
        } else if let Frame::Combat(c) = *play.s.frame() {
            play.rules.call_off(play.s, c, play.log);
        }
        Ok(())
    }

    fn no(&self) -> Option<Action> {
        Some(Action::GoOn)
    }
}

/// 9.4 step 4
#[derive(Debug)]
pub struct Support;

impl Question<Holland> for Support {
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        rules.decider(s)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let (rules, s, c) = (cx.rules, cx.s, combat(cx)?);
        let air = c.side == Side::Allied && s.air > 0;
        let none = rules.is_automatic(s, c) || !air && !rules.any_gun(s, c.side, c.target, &c.attackers);
        none.then(|| Action::Support { guns: Units::new(), air: false })
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let (Some(c), Subject::Phase) = (combat(cx), subject) else { return };
        let from = out.len();
        let guns = cx.rules.guns(cx.s, cx.side, c.target, &c.attackers);
        let air = cx.side == Side::Allied && cx.s.air > 0;
        let most = usize::from(cx.rules.pack.tables.artillery.attack_guns);
        let mut list = |guns: Units| {
            out.push(Action::Support { guns, air: false });
            if air {
                out.push(Action::Support { guns, air: true });
            }
        };
        list(Units::new());
        if most >= 1 {
            guns.iter().for_each(|gun| list(Units::one(*gun)));
        }
        for (i, a) in guns.iter().enumerate().filter(|_| most >= 2) {
            guns[i + 1..].iter().for_each(|b| list(Units::of(&[*a, *b])));
        }
        assert_legal(cx, &out[from..]);
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Some(c) = combat(cx) else { return Ok(not_now()?) };
        match action {
            Action::Support { guns, air } => {
                Ok(cx.rules.check_support(cx.s, cx.side, c.target, &c.attackers, guns, *air)?)
            }
            _ => Ok(not_now()?),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        if let (Action::Support { guns, air }, Some(c)) = (action, play.combat()) {
            (c.guns, c.air) = (*guns, *air);
        }
        play.rules.roll_combat(play.s, play.dice, play.log)
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.support", "9.4")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Support { guns: Units::new(), air: false })
    }
}

/// 16
#[derive(Debug)]
pub struct Breakthrough;

impl Question<Holland> for Breakthrough {
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        rules.decider(s)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        (!cx.rules.any_target(cx.s, cx.side)).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        list_targets(cx, out);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Hex(target) => {
                out.extend(cx.rules.is_target(cx.s, cx.side, target).then(|| skeleton(target)));
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        if *action == Action::Done { Ok(()) } else { Ok(may_declare(cx, action)?) }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        if *action != Action::Done {
            return declare(play, at, action);
        }
        if let Frame::Combat(c) = *play.s.frame() {
            play.rules.end_breakthrough(play.s, &c, &[]);
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.breakthrough", "16.1")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}
