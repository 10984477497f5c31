//! Traffic markers (24) and Roadblocks (33).

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

pub fn apply(play: &mut Play, _frame: Frame, _side: Side, _action: &Action) -> Result<(), Stop> {
    play.pop();
    Ok(())
}

/// 33.3
pub fn check_roadblocks(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}

/// 24.3: the removal roll.
pub fn remove(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}

/// 24.6
pub fn remove_greif(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}

/// 33.3: at the end of a Movement or Combat Phase of `side`, enemy Roadblocks that it passed are removed
/// (`State::roadblock_passed`).
pub fn after_enemy_passed(_play: &mut Play, _side: Side) -> Result<(), Stop> {
    Ok(())
}
