//! Questions during a move: whether the force continues, and what an empty Objective Hex means for it.

use hexgrid::HexId;
use kernel::{Refusal, Stop};

use super::walk;
use crate::{
    action::{Action, Subject},
    event::Event,
    frame::Frame,
    play::{At, Cx, Play, Question},
    rules::Wurzburg,
    state::State,
    units::Side,
};

/// 16.8.1 step 6: the force stops or continues.
#[derive(Debug)]
pub struct Decide;

impl Question<Wurzburg> for Decide {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.op.side)
    }

    fn subjects(&self, _: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.push(Action::GoOn);
            if self.check(cx, &Action::Stop).is_ok() {
                out.push(Action::Stop);
            }
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::GoOn => Ok(()),
            // 29.3.4: an airmobile unit may pass through here, but not stay.
            Action::Stop if cx.s.op.airmobile => {
                let mover = cx.rules.mover(cx.s, cx.side, cx.s.walk.force);
                mover.end_refusal(mover.from).map_or(Ok(()), Err)
            }
            Action::Stop => Ok(()),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if *action == Action::Stop {
            // The frame below continues the move.
            play.pop();
            walk::finish(play);
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.go_on", "16.8.1")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::GoOn)
    }
}

/// 13.5.3, 41.2.5: keep the empty Objective Hex or name another.
#[derive(Debug)]
pub struct NewObjective;

impl NewObjective {
    fn choices<'a>(cx: &'a Cx<'a>) -> impl Iterator<Item = HexId> + 'a {
        let near = move |hex: &HexId| cx.rules.field.distance(*hex, cx.s.op.objective) <= 8;
        let mut seen = hexgrid::HexSet::EMPTY;
        let enemies = cx.rules.units_of(cx.side.enemy()).iter().map(|unit| cx.s.unit(*unit));
        let hexes = enemies.filter(|u| u.on_map()).map(|u| u.hex);
        let legal = |hex: &HexId| NewObjective.check(cx, &Action::Objective(*hex)).is_ok();
        hexes.filter(near).filter(move |hex| seen.insert(*hex)).filter(legal)
    }
}

impl Question<Wurzburg> for NewObjective {
    fn asks(&self, _: &Wurzburg, s: &State, _: Frame) -> Option<Side> {
        Some(s.op.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        NewObjective::choices(cx).next().is_none().then_some(Action::Keep)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(NewObjective::choices(cx).map(Subject::Hex));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Keep),
            Subject::Hex(hex) if self.check(cx, &Action::Objective(hex)).is_ok() => {
                out.push(Action::Objective(hex));
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Keep => Ok(()),
            Action::Objective(hex) => {
                crate::air::check_objective(cx, &cx.s.op.members, *hex)?;
                let op = &cx.s.op;
                crate::operation::check_ground(cx, op.variant, *hex)?; // 42.1, 43.1
                crate::air::check_airmobile(cx, op.kind, &op.members, *hex, op.airmobile)
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        match action {
            Action::Objective(hex) => {
                play.s.op.objective = *hex;
                play.tell(Event::Objective { hex: *hex });
            }
            _ => play.s.op.kept = true,
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.new_objective", "13.5.3")
    }
}
