//! What a lab file may leave out between two decisions: the plain "no" to a question, the end of a step.

use kernel::{Dice, Log, Seat};

use crate::{action::Action, flow, play::Play, rules::Wurzburg, state::State, units::Side};

impl Wurzburg {
    /// Was this the only thing that could be done, and has it been done? A lab file may write it all the same.
    pub(crate) fn went_without_saying(&self, s: &State, seat: Seat, action: &Action) -> bool {
        self.lab
            && s.forced.iter().any(|(side, done)| crate::play::seat(*side) == seat && done == action)
            && flow::check(self, s, seat, action).is_err()
    }

    /// The "no" to the question that waits.
    fn pass(&self, s: &State) -> Option<(Side, Action)> {
        let frame = s.top();
        let question = flow::question(frame).filter(|_| s.ending.is_none())?;
        let side = question.asks(self, s, frame);
        question.no().map(|action| (side, action))
    }

    /// What a lab file left out before a decision that is not possible at this moment.
    pub(crate) fn left_out(&self, s: &State, seat: Seat, action: &Action) -> Option<(Side, Action)> {
        if !self.lab {
            return None;
        }
        let refusal = flow::check(self, s, seat, action).err()?;
        if !refusal.is_out_of_turn() {
            return None;
        }
        let first = self.pass(s)?;
        let (mut next, mut at) = (Some(first.clone()), None);
        // No file leaves out more than the questions of one operation.
        for _ in 0..12 {
            let (side, pass) = next?;
            let Some(later) = self.passed(at.as_ref().unwrap_or(s), side, &pass) else {
                // Dice are needed to see further.
                return Some(first);
            };
            match flow::check(self, &later, seat, action) {
                Err(refusal) if refusal.is_out_of_turn() => {}
                _ => return Some(first),
            }
            next = self.pass(&later);
            at = Some(later);
        }
        None
    }

    /// The position after something that a lab file left out; none if dice would be needed.
    pub(crate) fn passed(&self, s: &State, side: Side, action: &Action) -> Option<State> {
        let (mut later, mut dice, mut log) = (s.clone(), Dice::scripted(Vec::new()), Log::default());
        let play = &mut Play { rules: self, s: &mut later, dice: &mut dice, log: &mut log };
        flow::apply(play, side, action).ok()?;
        flow::settle(play).ok()?;
        later.stamp.renew();
        Some(later)
    }
}
