//! Finds where a line of a file belongs that does not answer the question that waits: it repeats a decision that was
//! taken automatically, means another line, or answers a later question, after decisions that the file leaves out.

use super::{ActionOf, By, Lab, Leniency, Position, Said, Taken, nothing};
use crate::{Applied, Dice, Log, Refusal, Rules, Seat, Stop, Verdict};

impl<L: Leniency> Lab<L> {
    /// A decision that was already taken automatically because there was no other.
    fn recalled(&self, at: &mut Position<L>, said: Said) -> bool {
        let known = at.taken.iter().position(|taken| {
            let same = || {
                let action = self.rules().parse(&taken.at, said.seat, said.text);
                action.is_ok_and(|action| action == taken.by.1)
                    || self.rules().notate(&taken.at, &taken.by.1).eq_ignore_ascii_case(said.text.trim())
            };
            taken.by.0 == said.seat && self.leniency.recalls(&taken.by.1) && same()
        });
        known.map(|n| at.taken.remove(n)).is_some()
    }

    /// The decision has been taken already, or happened by itself.
    pub(super) fn said_again(&self, at: &mut Position<L>, said: Said, walked: bool) -> bool {
        (!walked && self.recalled(at, said))
            || (!self.strict
                && self.leniency.already_done(self.rules(), &at.state, &mut at.told, said, walked))
    }

    /// The decision that the file leaves out here if it goes on with `said`: the end of a step, or a plain "no".
    fn pass(&self, at: &Position<L>, said: Said, questions: bool) -> Option<By<L>> {
        let rules = self.rules();
        let wanted = self.read(at, said).ok()?;
        if self.strict && self.is_out_of_turn(at, said.seat, &wanted) {
            return None;
        }
        let leave = self.leniency.leave(rules, &at.state, said.seat, at.held.as_ref());
        let questions = questions && !self.strict;
        leave.or_else(|| questions.then(|| self.leniency.no(rules, &at.state, &wanted)).flatten())
    }

    /// Does the game itself refuse the decision because something else is asked now? Some games let a decision end the
    /// steps before it.
    fn is_out_of_turn(&self, at: &Position<L>, seat: Seat, wanted: &ActionOf<L>) -> bool {
        match self.rules().verdict(&at.state, seat, wanted) {
            Verdict::Illegal(refusal) => refusal.is_out_of_turn(),
            Verdict::Legal => false,
        }
    }

    /// The position after the decision that the file leaves out there.
    fn passed(&self, at: &Position<L>, said: Said, questions: bool, dice: &mut Dice) -> Option<Position<L>> {
        let by = self.pass(at, said, questions)?;
        self.leniency.check(self.rules(), &at.state, by.0, &by.1).ok()?;
        let mut at = at.clone();
        self.leniency.left_out(self.rules(), &mut at.state);
        self.play(&at, &by, dice, &mut Log::default()).ok()
    }

    /// Is it worth looking for a later question that a refused decision answers?
    pub(super) fn later(refusal: &Refusal) -> bool {
        refusal.is_out_of_turn() || L::LATER_STEPS
    }

    pub(super) fn ahead(&self) -> Dice {
        if L::ROLLS_AHEAD { self.now.dice.clone() } else { Dice::scripted(Vec::new()) }
    }

    /// Plays one line that stands for several. The first may be preceded by what the file leaves out, the others follow
    /// at once.
    fn say_in_parts(&self, said: Said, dice: &mut Dice) -> Option<(Position<L>, Applied)> {
        self.leniency.parts(said).iter().find_map(|lines| {
            let (first, more) = lines.split_first()?;
            let mut trial = dice.clone();
            let (mut end, mut applied) = self.found(Said { text: first, ..said }, &mut trial).ok()?;
            for line in more {
                let line = Said { text: line, ..said };
                match self.say(&end, line, &mut trial) {
                    Ok((later, more)) => {
                        end = later;
                        applied.entries.extend(more.entries);
                        applied.rolls.extend(more.rolls);
                    }
                    Err(_) if self.said_again(&mut end, line, false) => {}
                    Err(_) => return None,
                }
            }
            *dice = trial;
            Some((end, applied))
        })
    }

    /// Plays another line that the file means by this one.
    pub(super) fn say_otherwise(
        &self,
        said: Said,
        refusal: &Refusal,
        dice: &mut Dice,
    ) -> Option<(Position<L>, Applied)> {
        if self.strict {
            return None;
        }
        let intended = self.leniency.intended_line(self.rules(), &self.now.state, said, refusal);
        let found = intended.and_then(|text| self.say(&self.now, Said { text: &text, ..said }, dice).ok());
        found.or_else(|| self.say_in_parts(said, dice))
    }

    /// Plays the decision at a later question, after what the file leaves out.
    pub(super) fn say_later(
        &self,
        said: Said,
        questions: bool,
        dice: &mut Dice,
    ) -> Result<(Position<L>, Applied), Option<Refusal>> {
        let mut at = self.now.clone();
        let mut trial = dice.clone();
        let mut why = None;
        for _ in 0..L::MOST_PASSED {
            let Some(later) = self.passed(&at, said, questions, &mut trial) else { break };
            at = later;
            let mut later_dice = trial.clone();
            match self.say(&at, said, &mut later_dice) {
                Ok(found) => {
                    *dice = later_dice;
                    return Ok(found);
                }
                Err(stop) => {
                    let mut again = at.clone();
                    if self.said_again(&mut again, said, false) {
                        *dice = trial;
                        let applied = nothing(said.text, &again);
                        return Ok((again, applied));
                    }
                    match stop {
                        Stop::Illegal(refusal) if !refusal.is_out_of_turn() && why.is_none() => {
                            why = Some(refusal);
                        }
                        _ => {}
                    }
                }
            }
        }
        Err(why)
    }

    /// Why a decision was not open, if its question came up while the last decision was carried out and was answered
    /// automatically because it had only one answer.
    pub(super) fn not_open(&self, at: &Position<L>, said: Said) -> Option<Verdict> {
        let (leniency, rules) = (&*self.leniency, self.rules());
        let of_seat = |taken: &&Taken<L>| taken.by.0 == said.seat && leniency.recalls(&taken.by.1);
        at.taken.iter().rev().filter(of_seat).find_map(|taken| {
            let action = rules.parse(&taken.at, said.seat, said.text).ok()?;
            match leniency.check(rules, &taken.at, said.seat, &action) {
                Err(refusal) if !refusal.is_out_of_turn() => Some(Verdict::Illegal(refusal)),
                _ => None,
            }
        })
    }

    /// The verdict on a decision at the question where it is asked for, after what the file leaves out; or where it
    /// would have been asked for, had there been a choice.
    pub(super) fn verdict_later(&self, said: Said, questions: bool) -> Option<Verdict> {
        let mut at = self.now.clone();
        let mut dice = self.ahead();
        for _ in 0..L::MOST_PASSED {
            at = self.passed(&at, said, questions, &mut dice)?;
            match self.judge(&at, said) {
                Ok(_) => return Some(Verdict::Legal),
                Err(refusal) if refusal.is_out_of_turn() => {
                    if let Some(found) = self.not_open(&at, said) {
                        return Some(found);
                    }
                }
                Err(refusal) if questions => return Some(Verdict::Illegal(refusal)),
                Err(_) => {}
            }
        }
        None
    }
}
