//! Combat (14–19): declaring attacks, and every question that one combat asks.

pub mod ground;
mod record;
pub mod strength;

use kernel::{Refusal, Stop, Template};
use rand_core::RngCore;

use crate::{
    action::Action,
    frame::Frame,
    pack::Side,
    play::{Cx, Play},
    subject::Subject,
};

pub use record::{Combat, Defenders};

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

/// Frames of a combat that need nobody.
pub fn run(_play: &mut Play, _frame: Frame) -> Result<(), Stop> {
    Ok(())
}

/// The sheet for an attack's open parts.
pub fn template(_cx: &Cx, _action: &Action) -> Option<Template> {
    None
}

/// Fills a listed attack at random.
pub fn sample(_cx: &Cx, _action: &mut Action, _rng: &mut dyn RngCore) -> bool {
    true
}
