//! Movement (11, 12).

use kernel::{Refusal, Stop};

use crate::{
    action::Action,
    frame::Frame,
    pack::Side,
    play::{Cx, Play},
    subject::Subject,
};

pub fn forced(_cx: &Cx) -> Option<Action> {
    None
}

pub fn subjects(_cx: &Cx, out: &mut Vec<Subject>) {
    out.push(Subject::Phase);
}

pub fn options(_cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    if subject == Subject::Phase {
        out.push(Action::Done);
    }
}

pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    if *action == Action::Done { Ok(()) } else { Err(cx.rules.not_now()) }
}

pub fn apply(play: &mut Play, _frame: Frame, _side: Side, _action: &Action) -> Result<(), Stop> {
    play.pop();
    Ok(())
}

/// 12.7
pub fn open(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}

/// 15.8, 8.3
pub fn close(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}

/// 25.34
pub fn may_have_night_marker(
    rules: &crate::rules::Ardennes,
    _s: &crate::state::State,
    side: Side,
    unit: crate::pack::UnitId,
) -> Result<(), Refusal> {
    if rules.counter(unit).side == side { Ok(()) } else { Err(rules.refuse_owner(unit, side)) }
}
