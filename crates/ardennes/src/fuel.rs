//! Fuel Shortage Phase (6), and the removal of a captured fuel dump (32.2).

use kernel::{Refusal, Stop};

use crate::{
    action::Action,
    frame::Frame,
    pack::Side,
    play::{Cx, Play},
    subject::Subject,
};

pub fn forced(_cx: &Cx) -> Option<Action> {
    Some(Action::Done)
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

pub fn apply(play: &mut Play, _frame: Frame, _action: &Action) -> Result<(), Stop> {
    play.pop();
    Ok(())
}

/// Who picks the division: the German for "X or Y", the Allied player for the results of 6.4.
pub fn picker(_rules: &crate::rules::Ardennes, _table: u8, _die: u8) -> Side {
    Side::German
}

/// 6.1
pub fn roll(_play: &mut Play, _table: u8) -> Result<(), Stop> {
    Ok(())
}

/// 32.2
pub fn remove_dump(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}

/// 6.3: was this division named by a shortage of this turn?
pub fn is_short(
    _rules: &crate::rules::Ardennes,
    _s: &crate::state::State,
    _formation: crate::pack::FormationId,
) -> bool {
    false
}
