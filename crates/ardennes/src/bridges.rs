//! Bridges (7): demolition and repair in the Bridge Phase, and what combat and movement ask of bridges.

use kernel::{Refusal, Stop};

use crate::{
    action::Action,
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

pub fn apply(play: &mut Play, _side: Side, _action: &Action) -> Result<(), Stop> {
    play.pop();
    Ok(())
}

/// 7.9, 7.10: constructions begun earlier are completed or fall back.
pub fn complete(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}

/// 7.8: the one roll for the Ouren bridge.
pub fn ouren(_play: &mut Play) -> Result<(), Stop> {
    Ok(())
}
