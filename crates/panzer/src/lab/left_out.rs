//! What a lab file may leave out between two decisions: the end of a step in which nothing is left to do, the plain "no" to a
//! question. And what it may write although nobody was asked.

use kernel::{Dice, Log, Refusal, Seat};

use crate::{
    action::Action,
    flow,
    pack::Side,
    play::{Cx, Play},
    rules::Panzer,
    state::State,
};

/// What was left out before a decision.
pub enum LeftOut {
    /// The decision is judged as it stands.
    Nothing,
    /// A "no" to a question that was not asked.
    NotAsked,
    /// This comes first.
    Before(Side, Action),
}

impl From<(Side, Action)> for LeftOut {
    fn from((side, action): (Side, Action)) -> Self {
        LeftOut::Before(side, action)
    }
}

impl Panzer {
    /// What a lab file may leave out: the end of a step in which nothing is left to do, the plain "no" to a question.
    fn pass(&self, s: &State, questions_too: bool) -> Option<(Side, Action)> {
        let side = flow::asks(self, s, s.top()).filter(|_| s.ending.is_none())?;
        let cx = Cx { rules: self, s, side, frame: s.top() };
        let no = || flow::plain_no(&cx).filter(|_| questions_too);
        flow::idle(&cx).or_else(no).map(|action| (side, action))
    }

    fn check(&self, s: &State, seat: Seat, action: &Action) -> Result<(), Refusal> {
        flow::check(&self.cx(s, seat).ok_or_else(flow::not_your_turn)?, action)
    }

    /// What a lab file left out before a decision that is not possible at this moment.
    pub(crate) fn left_out(&self, s: &State, seat: Seat, action: &Action) -> LeftOut {
        self.lab.map_or(LeftOut::Nothing, |_| self.look_ahead(s, seat, action))
    }

    fn look_ahead(&self, s: &State, seat: Seat, action: &Action) -> LeftOut {
        let Err(refusal) = self.check(s, seat, action) else { return LeftOut::Nothing };
        let plain_no = matches!(action, Action::Hold | Action::HoldMove | Action::Decline);
        // A decision that breaks a rule here may be meant for a later step, but not for a later question.
        let questions_too = refusal.is_out_of_turn() && !plain_no;
        let first = self.pass(s, questions_too);
        let (mut next, mut at) = (first.clone(), None);
        while let Some((side, pass)) = next {
            let Some(later) = self.passed(at.as_ref().unwrap_or(s), side, &pass) else {
                // Dice are needed to see further.
                return first.filter(|_| questions_too).map_or(LeftOut::Nothing, LeftOut::from);
            };
            match self.check(&later, seat, action) {
                Err(refusal) if !questions_too || refusal.is_out_of_turn() => {}
                _ => return first.map_or(LeftOut::Nothing, LeftOut::from),
            }
            next = self.pass(&later, questions_too);
            at = Some(later);
        }
        // Nobody was asked, as nobody could: it may be written all the same.
        if plain_no && refusal.is_out_of_turn() { LeftOut::NotAsked } else { LeftOut::Nothing }
    }

    /// The position after something that a lab file left out; none if dice would be needed.
    pub(crate) fn passed(&self, s: &State, side: Side, action: &Action) -> Option<State> {
        let (mut later, mut dice, mut log) = (s.clone(), Dice::scripted(Vec::new()), Log::default());
        let play = &mut Play { rules: self, s: &mut later, dice: &mut dice, log: &mut log };
        flow::apply(play, play.s.top(), side, action).ok()?;
        flow::settle(play).ok()?;
        later.stamp.renew();
        Some(later)
    }
}
