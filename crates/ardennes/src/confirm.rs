//! A question with the single answer `done`: the game waits for the player before it goes on.

use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use crate::{
    action::Action,
    frame::Frame,
    pack::Side,
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// Unlike other questions with one answer it is not answered automatically.
#[derive(Debug)]
pub struct Confirm {
    pub asks: fn(&State) -> Side,
    /// What happens once it is answered.
    pub then: fn(&mut Play) -> Result<(), Stop>,
}

impl Question<Ardennes> for Confirm {
    fn asks(&self, _: &Ardennes, s: &State, _: Frame) -> Option<Side> {
        Some((self.asks)(s))
    }

    fn options(&self, _: &Cx, subject: Subject, out: &mut Vec<Action>) {
        out.extend((subject == Subject::Phase).then_some(Action::Done));
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        if *action == Action::Done { Ok(()) } else { Err(cx.rules.not_now()) }
    }

    fn apply(&self, play: &mut Play, _: At, _: &Action) -> Result<(), Stop> {
        play.pop();
        (self.then)(play)
    }
}
