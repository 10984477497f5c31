//! What a lab file of this game may leave out between two decisions (`kernel::lab::adapter`): the plain "no" to a question, the
//! end of a step.

use kernel::{
    Dice, Log, Refusal, Seat, Stop,
    lab::{
        Leniency, Next,
        adapter::{By, Last},
    },
};

use crate::{
    action::Action,
    event::Event,
    flow::{self, Does},
    frame::Frame,
    play::{Cx, Play, seat, side},
    rules::Wurzburg,
    state::State,
};

/// A file goes on step by step.
#[derive(Clone, Copy, Debug)]
pub struct LabFile;

impl Leniency for LabFile {
    type Rules = Wurzburg;

    fn check(&self, rules: &Wurzburg, s: &State, seat: Seat, action: &Action) -> Result<(), Refusal> {
        flow::check(rules, s, seat, action)
    }

    fn decide(
        &self,
        rules: &Wurzburg,
        s: &mut State,
        (seat, action): &By<Self>,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        flow::apply(&mut Play { rules, s, dice, log }, side(*seat), action)?;
        s.stamp.renew();
        Ok(())
    }

    fn next(&self, rules: &Wurzburg, s: &State) -> Next<Action> {
        let frame = s.top();
        match flow::does(frame) {
            _ if s.ending.is_some() => Next::Choice,
            Does::Runs(_) => Next::Runs,
            Does::Asks(question) => {
                let side = question.asks(rules, s, frame);
                let forced = question.forced(&Cx { rules, s, side, frame });
                forced.map_or(Next::Choice, |action| Next::Forced(seat(side), action))
            }
        }
    }

    fn run(
        &self,
        rules: &Wurzburg,
        s: &mut State,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<bool, Stop> {
        let ran = flow::run_top(&mut Play { rules, s, dice, log })?;
        s.stamp.renew();
        Ok(ran)
    }

    /// Where a phase or segment would end by itself, it waits to be passed.
    fn waits(&self, _: &Wurzburg, s: &State, _: Option<&Last<Self>>) -> bool {
        matches!(
            s.top(),
            Frame::Planning
                | Frame::Maneuver
                | Frame::Operations
                | Frame::Movement
                | Frame::Reaction
                | Frame::Recon
                | Frame::Strike
                | Frame::Demolition
                | Frame::Reserve(_)
                | Frame::Engineering(_)
        )
    }

    fn no(&self, rules: &Wurzburg, s: &State, _: &Action) -> Option<By<Self>> {
        let frame = s.top();
        let question = flow::question(frame).filter(|_| s.ending.is_none())?;
        let side = question.asks(rules, s, frame);
        question.no().map(|action| (seat(side), action))
    }
}
