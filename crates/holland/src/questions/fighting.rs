//! Combat Phases (9): attacks, support, losses (11), Determined Defense (12), advances (15), breakthroughs (16).

use kernel::{Refusal, Stop};
use rulebook::flow::Question;
use zocbond::UnitId;

use crate::action::{Action, Subject};
use crate::flow::{At, Cx, Play, assert_legal, keep_legal};
use crate::frame::{Ahead, Combat, CombatStep, Frame, Stage};
use crate::options::Switch;
use crate::pack::{Advance, Side};
use crate::questions::phases::end_phase;
use crate::refusal::{Legal, not_now, refuse};
use crate::state::{Fighters, Marks, State, Units};
use crate::world::Holland;

/// The combat on top.
fn combat<'a>(cx: &Cx<'a>) -> Option<&'a Combat> {
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

/// Who loses the step if there is no choice (11.3).
fn only_loser(candidates: &[UnitId]) -> Option<Action> {
    if let [only] = candidates { Some(Action::Lose(*only)) } else { None }
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
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        rules.decider(s)
    }

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

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        Ok(Self::may(cx, action)?)
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

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.combat", "9.1")
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
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        rules.decider(s)
    }

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

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        Ok(Self::may(cx, action)?)
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

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.call_off", "9.4")
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

/// A step that one of several units loses (11.3, 12.4).
fn check_loss(action: &Action, candidates: &[UnitId], rule: &'static str) -> Result<(), Refusal> {
    match action {
        Action::Lose(unit) if candidates.contains(unit) => Ok(()),
        Action::Lose(_) => Ok(refuse(rule, "refuse.loser")?),
        _ => Ok(not_now()?),
    }
}

fn list_losers(candidates: &[UnitId], out: &mut Vec<Subject>) {
    out.extend(candidates.iter().map(|unit| Subject::Unit(*unit)));
}

fn lose(play: &mut Play, action: &Action) -> Result<(), Stop> {
    if let Action::Lose(unit) = action {
        play.rules.take_loss(play.s, *unit, play.log);
    }
    Ok(())
}

/// 11.3
#[derive(Debug)]
pub struct AttackerLoss;

impl AttackerLoss {
    fn candidates(cx: &Cx) -> Fighters {
        combat(cx).map_or(Fighters::new(), |c| cx.rules.loss_candidates(cx.s, c))
    }
}

impl Question<Holland> for AttackerLoss {
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        let Frame::Combat(c) = s.frame() else { return None };
        let none = rules.effect(c).attacker_steps == 0 || c.attackers.is_empty();
        rules.decider(s).filter(|_| !none)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        only_loser(&Self::candidates(cx))
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        list_losers(&Self::candidates(cx), out);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let Subject::Unit(unit) = subject {
            out.extend(Self::candidates(cx).contains(unit).then_some(Action::Lose(unit)));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        check_loss(action, &Self::candidates(cx), "11.3") // 11.3
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        lose(play, action)
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.loss", "11.3")
    }
}

/// 11.3
#[derive(Debug)]
pub struct DefenderLoss;

impl DefenderLoss {
    fn candidates(rules: &Holland, s: &State) -> Fighters {
        match s.frame() {
            Frame::Combat(c) => rules.defenders(s, c.side.enemy(), c.target),
            _ => Fighters::new(),
        }
    }
}

impl Question<Holland> for DefenderLoss {
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        let Frame::Combat(c) = s.frame() else { return None };
        let none = rules.effect(c).defender_steps == 0 || Self::candidates(rules, s).is_empty();
        rules.decider(s).filter(|_| !none)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        only_loser(&Self::candidates(cx.rules, cx.s))
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        list_losers(&Self::candidates(cx.rules, cx.s), out);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let Subject::Unit(unit) = subject {
            out.extend(Self::candidates(cx.rules, cx.s).contains(unit).then_some(Action::Lose(unit)));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        check_loss(action, &Self::candidates(cx.rules, cx.s), "11.3") // 11.3
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        lose(play, action)
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.loss", "11.3")
    }
}

/// 12.4
#[derive(Debug)]
pub struct StandLoss;

impl Question<Holland> for StandLoss {
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        rules.decider(s)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        only_loser(&combat(cx)?.attackers)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        if let Some(c) = combat(cx) {
            list_losers(&c.attackers, out);
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let (Some(c), Subject::Unit(unit)) = (combat(cx), subject) {
            out.extend(c.attackers.contains(unit).then_some(Action::Lose(unit)));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        check_loss(action, combat(cx).map_or(&[], |c| &c.attackers), "12.4") // 12.4
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        lose(play, action)
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.loss", "12.4")
    }
}

/// 12.1
#[derive(Debug)]
pub struct Stand;

impl Question<Holland> for Stand {
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        rules.decider(s)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let nobody = combat(cx).is_some_and(|c| cx.rules.may_stand(cx.s, c).is_empty());
        nobody.then_some(Action::GiveWay)
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let (Some(c), Subject::Phase) = (combat(cx), subject) else { return };
        let (rules, s, from) = (cx.rules, cx.s, out.len());
        out.push(Action::GiveWay);
        let guns = rules.guns(s, cx.side, c.target, &rules.defenders(s, cx.side, c.target));
        for lead in rules.may_stand(s, c) {
            out.push(Action::Stand { lead, gun: None });
            out.extend(guns.iter().map(|g| Action::Stand { lead, gun: Some(*g) }));
        }
        assert_legal(cx, &out[from..]);
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let (rules, s) = (cx.rules, cx.s);
        let Some(c) = combat(cx) else { return Ok(not_now()?) };
        match action {
            Action::GiveWay => Ok(()),
            Action::Stand { lead, .. } if !rules.may_stand(s, c).contains(*lead) => {
                Ok(refuse("12.3", "refuse.stand")?) // 12.3
            }
            Action::Stand { gun: Some(gun), .. } => {
                let units = rules.defenders(s, cx.side, c.target);
                Ok(rules.check_gun(s, cx.side, c.target, &units, *gun)?) // 17.6.3
            }
            Action::Stand { gun: None, .. } => Ok(()),
            _ => Ok(not_now()?),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Stand { lead, gun } => play.rules.stand(play.s, *lead, *gun, play.dice, play.log)?,
            _ => {
                if let Frame::Combat(c) = *play.s.frame() {
                    play.rules.begin_retreat(play.s, c);
                }
            }
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.stand", "12.1")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::GiveWay)
    }
}

/// 15.1
#[derive(Debug)]
pub struct Advances;

impl Advances {
    /// The combat on top, and the kind of its advance.
    fn now<'a>(cx: &Cx<'a>) -> Option<(&'a Combat, Advance)> {
        let c = combat(cx)?;
        if let CombatStep::Advance(kind) = c.step { Some((c, kind)) } else { None }
    }

    fn may(cx: &Cx, action: &Action) -> Legal {
        let (rules, s, side) = (cx.rules, cx.s, cx.side);
        let Some((c, kind)) = Self::now(cx) else { return not_now() };
        match action {
            Action::Breakdown(unit) => {
                rules.own(side, *unit)?;
                if !c.attackers.contains(*unit) {
                    return refuse("21.1", "refuse.breakdown"); // 21.1
                }
                rules.check_breakdown(s, side, *unit)
            }
            Action::Advance { unit, path } => {
                rules.own(side, *unit)?;
                rules.check_advance(s, c, *unit, kind, path)?;
                // No hex twice.
                let mut open = false;
                rules.each_advance(s, c, *unit, kind, |way| {
                    open = way == *path;
                    !open
                });
                if open {
                    Ok(())
                } else {
                    refuse("15.2", "refuse.advance") // 15.2
                }
            }
            Action::Done => Ok(()),
            _ => not_now(),
        }
    }
}

impl Question<Holland> for Advances {
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        rules.decider(s)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let (c, kind) = Self::now(cx)?;
        let any = c.attackers.iter().any(|u| cx.rules.could_advance(cx.s, c, *u, kind));
        (!any).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        if let Some((c, kind)) = Self::now(cx) {
            let able = c.attackers.iter().filter(|u| {
                cx.rules.could_advance(cx.s, c, **u, kind)
                    || cx.rules.check_breakdown(cx.s, cx.side, **u).is_ok()
            });
            out.extend(able.map(|u| Subject::Unit(*u)));
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let (Some((c, kind)), from) = (Self::now(cx), out.len()) else { return };
        match subject {
            Subject::Phase => out.push(Action::Done),
            Subject::Unit(unit) if cx.rules.counter(unit).side == cx.side => {
                cx.rules.each_advance(cx.s, c, unit, kind, |path| {
                    out.push(Action::Advance { unit, path });
                    true
                });
                out.push(Action::Breakdown(unit));
                if Self::may(cx, &Action::Breakdown(unit)).is_err() {
                    out.pop();
                }
                assert_legal(cx, &out[from..]);
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        Ok(Self::may(cx, action)?)
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Breakdown(unit) => {
                let piece = play.rules.break_down(play.s, *unit, play.log);
                if let (Some(piece), Some(c)) = (piece, play.combat()) {
                    c.attackers.add(piece); // 21.1: before it advances
                    play.s.unit_mut(piece).mark(Marks::ATTACKED, true);
                }
            }
            Action::Advance { unit, path } => {
                let going = play.combat().and_then(|c| c.ahead.take()).filter(|(going, _)| going == unit);
                let before = going.map_or(Ahead::START, |(_, ahead)| ahead);
                play.s.frames.push(Frame::Advancing { unit: *unit, way: *path, done: 0, before });
            }
            _ => {
                if let Frame::Combat(c) = *play.s.frame() {
                    play.rules.end_advance(play.s, c);
                }
            }
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.advance", "15.1")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
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
