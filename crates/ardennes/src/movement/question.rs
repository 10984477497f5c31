//! The questions asked while units move (8.3, 11.1, 27.8.2), one for each frame.

use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use super::{
    candidates, cured_by_losses, deeds, go, kept_by, list_moves, may_end, may_unload, nobody_can_act,
    overstacked, refuse, unit_options, walk,
};
use crate::{
    action::Action,
    event::Elimination,
    flags::Flags,
    frame::Frame,
    pack::Side,
    play::{At, Cx, Play},
    reinforce,
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// 11.1: a side moves its units, one after the other, and does whatever else belongs to the phase.
#[derive(Debug)]
pub struct Movement;

impl Question<Ardennes> for Movement {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let idle = !cx.rules.may_roll_air(cx.s, cx.side) && nobody_can_act(cx);
        idle.then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let able = candidates::able(cx);
        able.each(|unit| out.push(Subject::Unit(unit)));
        out.extend(deeds::fillers(cx, &able).map(Subject::Unit));
    }

    fn one_subject(
        &self,
        cx: &Cx,
        _: &mut Vec<Subject>,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Option<Subject> {
        let able = candidates::able(cx);
        let fillers = || deeds::fillers(cx, &able);
        match choose(1 + able.len() + fillers().count()).checked_sub(1) {
            None => Some(Subject::Phase),
            Some(at) => able.iter().chain(fillers()).nth(at).map(Subject::Unit),
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => {
                if cx.rules.may_roll_air(cx.s, cx.side) {
                    out.push(Action::Air);
                }
                if kept_by(cx).is_none() {
                    out.push(Action::Done);
                }
            }
            Subject::Unit(unit) => unit_options(cx, unit, out),
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let (rules, s, side) = (cx.rules, cx.s, cx.side);
        match action {
            Action::Done => may_end(cx),
            Action::Move(mv) => rules.check_move(s, side, mv).map(|_| ()),
            Action::Air if rules.may_roll_air(s, side) => Ok(()),
            Action::Air => rules.no("15.6", "air.not_now").into(),
            Action::Place { unit, hex } => {
                refuse(rules, s, *unit, rules.may_place_engineer(s, side, *unit, *hex))
            }
            Action::Send { unit, to } => refuse(rules, s, *unit, rules.may_send(s, side, *unit, *to)),
            Action::Block { unit, entry } => refuse(rules, s, *unit, rules.may_block(s, side, *unit, *entry)),
            Action::Dig { unit } => refuse(rules, s, *unit, rules.may_dig(s, side, *unit)).map(|_| ()),
            Action::Finish { unit } => refuse(rules, s, *unit, rules.may_finish(s, side, *unit)).map(|_| ()),
            Action::Fill { unit } => refuse(rules, s, *unit, rules.may_fill(s, side, *unit)),
            Action::Load { unit } => refuse(rules, s, *unit, rules.may_load(s, side, *unit)),
            Action::Unload { unit } => refuse(rules, s, *unit, may_unload(rules, s, side, *unit)),
            Action::Night { units } => {
                rules.may_mark_night(s, side, units).map_err(|(unit, bar)| bar.refuse(rules, s, unit))
            }
            Action::Drop { unit, hex } => {
                let may = rules.may_drop(s, side, *unit);
                let may = may.and_then(|()| rules.drop_bar(s, side, *hex).map_or(Ok(()), Err));
                refuse(rules, s, *unit, may)
            }
            Action::Breakdown { .. } | Action::Recombine { .. } => crate::breakdown::check(cx, action),
            _ => Err(rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        match *action {
            Action::Done => match overstacked(play.rules, play.s, at.side) {
                Some(hex) => play.then(&[Frame::Overstacked(hex)]),
                None => play.pop(),
            },
            Action::Move(ref mv) => go(play, at.side, mv)?,
            Action::Air => deeds::roll_air(play)?,
            Action::Place { unit, hex } => reinforce::place_engineer(play, unit, hex),
            Action::Send { unit, to } => reinforce::send(play, unit, to),
            Action::Block { unit, entry } => reinforce::block(play, unit, entry),
            Action::Dig { unit } => deeds::dig(play, unit),
            Action::Finish { unit } => {
                if let Some(hex) = play.s.unit(unit).hex() {
                    deeds::finish_position(play, hex);
                }
            }
            Action::Fill { unit } => {
                if let Some(hex) = play.s.unit(unit).hex() {
                    deeds::fill_position(play, hex);
                }
            }
            Action::Load { unit } => deeds::load(play, unit),
            Action::Unload { unit } => play.unmark(unit, Flags::ON_ROAD),
            Action::Night { units } => deeds::mark_night(play, at.side, &units),
            Action::Drop { unit, hex } => deeds::drop_unit(play, unit, hex)?,
            Action::Breakdown { .. } | Action::Recombine { .. } => crate::breakdown::apply(play, action)?,
            _ => {}
        }
        Ok(())
    }
}

/// An interrupted move is continued, or ends where it is.
#[derive(Debug)]
pub struct InterruptedMove;

impl Question<Ardennes> for InterruptedMove {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        (!cx.rules.walk_goes_on(cx.s, cx.side)).then_some(Action::Halt)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        out.extend(cx.s.walk.units.first().map(|u| Subject::Unit(*u)));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.push(Action::Halt),
            Subject::Unit(unit) if cx.s.walk.units.first() == Some(&unit) => {
                let (mode, units) = (cx.s.walk.mode, &cx.s.walk.units);
                list_moves(cx, units, 1 << mode as u8, out);
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Halt => Ok(()),
            Action::Move(mv) if mv.units != cx.s.walk.units || mv.mode != cx.s.walk.mode => {
                cx.rules.no("11.1", "walk.other").into()
            }
            Action::Move(mv) => cx.rules.check_move(cx.s, cx.side, mv).map(|_| ()),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Action::Move(mv) = action {
            return go(play, at.side, mv);
        }
        let hex = play.s.walk.units.first().and_then(|u| play.s.unit(*u).hex());
        walk::finish(play);
        // 8.3: a move broken off in a full hex
        if let Some(hex) = hex.filter(|hex| play.rules.overload(play.s, *hex, &[]).is_some()) {
            play.then(&[Frame::Overstacked(hex)]);
        }
        Ok(())
    }
}

/// 27.8.2: the 150th Panzer Brigade tries to infiltrate, or does not.
#[derive(Debug)]
pub struct Infiltrate;

impl Question<Ardennes> for Infiltrate {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some(s.side)
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend([true, false].map(|attempt| Action::Infiltrate { attempt }));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Infiltrate { .. } => Ok(()),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        match *action {
            Action::Infiltrate { attempt } => walk::infiltrate(play, attempt),
            _ => Ok(()),
        }
    }
}

/// 8.3: a hex is overstacked; its owner chooses the units to be removed.
#[derive(Debug)]
pub struct Overstacked;

impl Question<Ardennes> for Overstacked {
    fn asks(&self, _: &Ardennes, s: &State, frame: Frame) -> Option<Side> {
        let Frame::Overstacked(hex) = frame else { return None };
        s.holder(hex)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        if let Frame::Overstacked(hex) = cx.frame {
            out.extend(cx.s.stack(hex).map(Subject::Unit));
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if let (Frame::Overstacked(hex), Subject::Unit(unit)) = (cx.frame, subject)
            && cx.s.unit(unit).hex() == Some(hex)
        {
            out.push(Action::Remove { unit });
            if cured_by_losses(cx) {
                out.push(Action::Lose { unit });
            }
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Frame::Overstacked(hex) = cx.frame else { return Err(cx.rules.not_now()) };
        match action {
            Action::Remove { unit } if cx.s.unit(*unit).hex() == Some(hex) => Ok(()),
            Action::Lose { unit } if cx.s.unit(*unit).hex() == Some(hex) && cured_by_losses(cx) => Ok(()),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        match *action {
            Action::Lose { unit } => {
                // Remaining overstacking is found at the end of the phase.
                play.pop();
                crate::combat::losses::lose_step(play, unit);
            }
            Action::Remove { unit } => {
                play.eliminate(unit, Elimination::Stacking);
                if let Frame::Overstacked(hex) = at.frame
                    && play.rules.overload(play.s, hex, &[]).is_none()
                {
                    play.pop();
                }
            }
            _ => {}
        }
        Ok(())
    }
}
