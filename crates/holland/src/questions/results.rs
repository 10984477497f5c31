//! What follows from the result of an attack: losses (11), Determined Defense (12), advances (15).

use kernel::{Refusal, Stop};
use rulebook::flow::Question;
use zocbond::UnitId;

use crate::action::{Action, Subject};
use crate::flow::{At, Cx, Play, assert_legal};
use crate::frame::{Ahead, Combat, CombatStep, Frame, Stage};
use crate::pack::{Advance, Side};
use crate::questions::fighting::combat;
use crate::refusal::{Legal, not_now, refuse};
use crate::state::{Fighters, Marks, State};
use crate::world::Holland;

/// Who loses the step if there is no choice (11.3).
fn only_loser(candidates: &[UnitId]) -> Option<Action> {
    if let [only] = candidates { Some(Action::Lose(*only)) } else { None }
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
                rules.advancing(s, c, *unit).check(kind, path)?;
                // No hex twice.
                let mut open = false;
                rules.advancing(s, c, *unit).each(kind, |way| {
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
    usual!("prompt.advance", "15.1");

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let (c, kind) = Self::now(cx)?;
        let any = c.attackers.iter().any(|u| cx.rules.advancing(cx.s, c, *u).is_possible(kind));
        (!any).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        if let Some((c, kind)) = Self::now(cx) {
            let able = c.attackers.iter().filter(|u| {
                cx.rules.advancing(cx.s, c, **u).is_possible(kind)
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
                cx.rules.advancing(cx.s, c, unit).each(kind, |path| {
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

    fn no(&self) -> Option<Action> {
        Some(Action::Done)
    }
}
