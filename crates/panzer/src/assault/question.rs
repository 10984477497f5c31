//! The questions of the Assault Step (6.6.1).

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;
use smallvec::SmallVec;

use super::{Attacker, Attackers, assault_targets, attacking, declare, enter};
use crate::{
    action::{Action, Subject},
    event::Event,
    frame::Frame,
    pack::{Side, advanced::Module},
    play::{At, Cx, Play},
    rules::Panzer,
    state::State,
    units::{UnitId, UnitSet},
    works,
};

/// 6.6.1: one side declares its assaults, target by target.
#[derive(Debug)]
pub struct Assaults;

impl Question<Panzer> for Assaults {
    fn asks(&self, _: &Panzer, s: &State, frame: Frame) -> Option<Side> {
        frame.player().and_then(|player| s.side_of(player))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let idle = assault_targets(cx).next().is_none() && !works::could_demolish(cx);
        idle.then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(assault_targets(cx).map(Subject::Target));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => {
                out.push(Action::Done);
                works::demolitions(cx, out);
            }
            Subject::Target(target) if cx.rules.assaultable(cx.s, cx.side, target) => {
                let mut together = Attackers::new();
                let mut each: SmallVec<[Attacker; 32]> = SmallVec::new();
                for unit in cx.rules.units_of(cx.side) {
                    for way in cx.rules.ways(cx.s, *unit, target) {
                        if way.advance == HexId::NONE {
                            together.push(way);
                        }
                        each.push(way);
                    }
                }
                let add = |attackers: Attackers, out: &mut Vec<Action>| {
                    let action = Action::Assault { target, attackers };
                    if self.check(cx, &action).is_ok() {
                        out.push(action);
                    }
                };
                if together.len() > 1 {
                    add(together, out);
                }
                for way in each {
                    add(Attackers::from_slice(&[way]), out);
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        if let Action::Demolish { hex, units } = action {
            return works::check_demolish(cx, *hex, units); // 7.19
        }
        let Action::Assault { target, attackers } = action else {
            return if *action == Action::Done { Ok(()) } else { Err(cx.rules.not_now()) };
        };
        if !cx.rules.advanced.as_deref().is_some_and(|game| game.uses(Module::CloseAssault)) {
            return cx.rules.no("5.0", "assault.not_used").into();
        }
        if !cx.rules.assaultable(cx.s, cx.side, *target) {
            return cx.rules.no("6.6.1", "assault.target").unit("target", *target).into();
        }
        if cx.s.assault.targets.contains(*target) {
            let rule = if cx.rules.is_vehicle(*target) { "6.6.1.1" } else { "6.6.1.2" };
            return cx.rules.no(rule, "assault.together").unit("target", *target).into();
        }
        if attackers.is_empty() {
            return cx.rules.no("6.6.1.1", "assault.nobody").into();
        }
        let mut seen = UnitSet::EMPTY;
        for a in attackers {
            cx.rules.own(cx.side, a.unit)?;
            if seen.contains(a.unit) {
                return cx.rules.no("6.6.1.1", "assault.twice").unit("unit", a.unit).into();
            }
            seen.insert(a.unit);
            cx.rules.assaults(cx.s, *a, *target).map_err(|bar| bar.refuse(cx.rules, a.unit, *target))?;
            shared(cx, a.unit, *target)?;
        }
        Ok(())
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Assault { target, attackers } => declare(play, *target, attackers),
            Action::Demolish { hex, units } => works::demolish(play, *hex, units)?, // 7.19
            _ => {
                play.s.assault.targets = UnitSet::EMPTY;
                play.pop();
            }
        }
        Ok(())
    }
}

/// 6.6.11: units that share a Move may attack only the same target.
fn shared(cx: &Cx, unit: UnitId, target: UnitId) -> Result<(), Refusal> {
    match cx.rules.shared_attack(cx.s, unit, target) {
        Some(other) => cx.rules.no("6.6.11", "assault.shared").unit("unit", unit).unit("other", other).into(),
        None => Ok(()),
    }
}

/// 6.6.1.1.2: the owner of the target decides whether it is supported.
#[derive(Debug)]
pub struct Support;

impl Question<Panzer> for Support {
    fn asks(&self, rules: &Panzer, s: &State, _: Frame) -> Option<Side> {
        Some(rules.vehicle(s.assault.target).side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let target = cx.s.assault.target;
        cx.rules.support_for_all(cx.s, target).then_some(Action::Support(target))
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend([cx.s.assault.target, UnitId::NONE].map(Action::Support));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Support(unit) if *unit == cx.s.assault.target || unit.some().is_none() => Ok(()),
            Action::Support(unit) => {
                cx.rules.no("6.6.1.1.2", "assault.not_attacked").unit("unit", *unit).into()
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Action::Support(unit) = action {
            if unit.some().is_some() {
                play.s.assault.supported.insert(*unit);
            } else {
                play.s.assault.unsupported = true;
                play.tell(Event::SupportKept { unit: play.s.assault.target });
            }
        }
        Ok(())
    }
}

/// 6.6.1.1: the primary attacker among those that fight together.
#[derive(Debug)]
pub struct NamePrimary;

impl Question<Panzer> for NamePrimary {
    fn asks(&self, rules: &Panzer, s: &State, _: Frame) -> Option<Side> {
        Some(attacking(rules, s))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let fighting = &cx.s.assault.fighting;
        (fighting.len() == 1).then(|| Action::Primary(fighting[0]))
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend(cx.s.assault.fighting.iter().map(|unit| Action::Primary(*unit)));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Primary(unit) if cx.s.assault.fighting.contains(unit) => Ok(()),
            Action::Primary(unit) => cx.rules.no("6.6.1.1", "assault.not_in_it").unit("unit", *unit).into(),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        let fighting = &mut play.s.assault.fighting;
        if let Action::Primary(unit) = action
            && let Some(at) = fighting.iter().position(|u| u == unit)
        {
            fighting.swap(0, at);
        }
        Ok(())
    }
}

/// 6.6.1.1.3: which of the winners enter the hex.
#[derive(Debug)]
pub struct Occupy;

impl Question<Panzer> for Occupy {
    fn asks(&self, rules: &Panzer, s: &State, _: Frame) -> Option<Side> {
        Some(attacking(rules, s))
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject != Subject::Phase {
            return;
        }
        let fighting = &cx.s.assault.fighting;
        out.push(Action::Occupy(SmallVec::new()));
        out.push(Action::Occupy(fighting.iter().copied().collect()));
        if fighting.len() > 1 {
            out.extend(fighting.iter().map(|unit| Action::Occupy(SmallVec::from_slice(&[*unit]))));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Action::Occupy(units) = action else { return Err(cx.rules.not_now()) };
        match units.iter().find(|unit| !cx.s.assault.fighting.contains(unit)) {
            Some(unit) => cx.rules.no("6.6.1.1.3", "assault.not_in_it").unit("unit", *unit).into(),
            None => Ok(()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Action::Occupy(units) = action {
            for unit in units {
                enter(play, *unit)?;
            }
        }
        Ok(())
    }
}
