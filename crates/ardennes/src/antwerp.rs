//! The Antwerp defense (27.3).

use kernel::{Refusal, Stop};

use crate::{
    action::Action,
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

pub fn apply(play: &mut Play, _action: &Action) -> Result<(), Stop> {
    play.pop();
    Ok(())
}

/// 27.3: must British reinforcements go to the Antwerp Box?
pub fn insufficient(_rules: &crate::rules::Ardennes, _s: &crate::state::State) -> bool {
    false
}
