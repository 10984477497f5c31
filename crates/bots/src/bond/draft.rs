//! Decisions taken on a copy of the position while a phase is planned.

use kernel::{Dice, Log, Rules, Seat, Stop};

/// What follows a legal decision.
#[derive(Debug)]
pub enum Follows<State> {
    /// The position after it.
    Known(State),
    /// A die decides.
    Unforeseen,
}

/// What follows a decision; none if it is not legal.
pub fn take<R: Rules>(rules: &R, s: &R::State, seat: Seat, action: &R::Action) -> Option<Follows<R::State>> {
    let mut after = s.clone();
    match rules.apply(&mut after, seat, action, &mut Dice::scripted(Vec::new()), &mut Log::default()) {
        Ok(()) => Some(Follows::Known(after)),
        Err(Stop::Dice(_)) => Some(Follows::Unforeseen),
        Err(Stop::Illegal(_)) => None,
    }
}
