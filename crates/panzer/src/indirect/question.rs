//! The questions of the Indirect Fire Step (6.5.1).

use kernel::{Refusal, Stop};
use rulebook::flow::Question;
use smallvec::SmallVec;

use super::{Mission, call, listing, mission, plan};
use crate::{
    action::{Action, Subject},
    frame::Frame,
    pack::Side,
    play::{At, Cx, Play},
    rules::Panzer,
    state::State,
};

/// 6.5.1: one side's calls for fire, and the continuation of its missions.
#[derive(Debug)]
pub struct Calls;

impl Question<Panzer> for Calls {
    fn asks(&self, _: &Panzer, s: &State, frame: Frame) -> Option<Side> {
        frame.player().and_then(|player| s.side_of(player))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let missions =
            cx.s.indirect.missions.iter().any(|m| m.side == cx.side && m.turn < cx.s.turn && !m.planned)
                || cx.s.indirect.plots.iter().any(|p| plan::may_announce(cx.rules, cx.s, cx.side, p.battery));
        let idle = !missions && !cx.rules.units_of(cx.side).iter().any(|unit| listing::could_call(cx, *unit));
        idle.then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let mine = cx.rules.units_of(cx.side).iter().copied();
        out.extend(mine.filter(|unit| listing::could_call(cx, *unit)).map(Subject::Unit));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => {
                let own = |m: &&Mission| m.side == cx.side && m.turn < cx.s.turn && !m.planned;
                for m in cx.s.indirect.missions.iter().filter(own) {
                    for go in [true, false] {
                        let action = Action::Mission { id: m.id, go, smoke: m.smoke };
                        out.extend(self.check(cx, &action).is_ok().then_some(action));
                    }
                }
                for plot in &cx.s.indirect.plots {
                    let announce = Action::Announce { battery: plot.battery };
                    out.extend(self.check(cx, &announce).is_ok().then_some(announce));
                }
                out.push(Action::Done);
            }
            Subject::Unit(observer) if cx.rules.vehicle(observer).side == cx.side => {
                out.extend(listing::adjustments(cx, observer).map(Action::Call));
                listing::calls(cx, observer, out);
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Done => Ok(()),
            Action::Mission { id, go, smoke } => call::check_mission(cx, *id, *go, *smoke),
            Action::Call(order) => call::check_call(cx, order),
            Action::Announce { battery } => {
                if plan::may_announce(cx.rules, cx.s, cx.side, *battery) {
                    Ok(())
                } else {
                    cx.rules.no("6.5.1.11.2", "plot.not_due").into()
                }
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Call(order) => mission::carry_out(play, at.side, order)?,
            Action::Announce { battery } => plan::begin(play, at.side, *battery)?,
            Action::Mission { id, go: true, smoke } => mission::go_on(play, *id, *smoke)?,
            Action::Mission { id, go: false, .. } => mission::cancel(play, *id),
            _ => {
                // 6.5.1.8: missions that are not continued or adjusted are checked.
                let old = |m: &&Mission| m.side == at.side && m.turn < play.s.turn;
                let ids: SmallVec<[u8; 8]> =
                    play.s.indirect.missions.iter().filter(old).map(|m| m.id).collect();
                for id in ids {
                    mission::cancel(play, id);
                }
                play.pop();
            }
        }
        Ok(())
    }
}

/// 6.5.1.12: misdirected fire falls on a friendly unit of the caller, which the other side chooses.
#[derive(Debug)]
pub struct Misdirect;

impl Question<Panzer> for Misdirect {
    fn asks(&self, _: &Panzer, s: &State, _: Frame) -> Option<Side> {
        s.indirect.missions.iter().find(|m| m.id == s.indirect.strayed).map(|m| m.side.enemy())
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let mission = cx.rules.mission(cx.s, cx.s.indirect.strayed);
        if let Some(m) = mission.filter(|_| subject == Subject::Phase) {
            out.extend(call::friends_near(cx.rules, cx.s, m.side, m.point).iter().map(Action::Impact));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Action::Impact(unit) = action else { return Err(cx.rules.not_now()) };
        let mission = cx.rules.mission(cx.s, cx.s.indirect.strayed); // its point is still the one called
        let near =
            mission.is_some_and(|m| call::friends_near(cx.rules, cx.s, m.side, m.point).contains(*unit));
        if near { Ok(()) } else { cx.rules.no("6.5.1.12", "indirect.not_near").unit("unit", *unit).into() }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        match action {
            Action::Impact(unit) => mission::misdirect(play, *unit),
            _ => Ok(()),
        }
    }
}
