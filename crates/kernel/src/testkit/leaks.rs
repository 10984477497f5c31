//! Two states that differ only in what a viewer may not know must look the same to that viewer.

use rand_chacha::ChaCha8Rng;
use rand_core::RngCore;
use serde_json::{Value, json};

use super::{Fault, Kit, Property, Trail, fault, pick};
use crate::log::Event;
use crate::{Audience, Dice, Log, Pending, Rules, Seat, Viewer};

/// How many subjects' options are compared at a position.
const SUBJECTS: usize = 3;

impl<R: Rules> Kit<'_, R> {
    pub(super) fn leaks(
        &self,
        state: &R::State,
        seat: Seat,
        action: &R::Action,
        remembered: &[(Seat, R::Action)],
        dice: &Dice,
        rng: &mut ChaCha8Rng,
        trail: &mut Trail,
    ) -> Result<(), Fault> {
        self.secrets_of(state, seat, dice, rng)?;
        self.secret_rolls(state, seat, action, dice, rng)?;
        for viewer in self.viewers() {
            let Some(other) = self.resampled(state, viewer, rng)? else { continue };
            trail.summary.resampled += 1;
            self.same_position(state, &other, viewer, rng)?;
            for (seat, action) in remembered.iter().filter(|(seat, _)| viewer == Viewer::Seat(*seat)) {
                self.same_verdict(state, &other, *seat, action)?;
            }
            if viewer == Viewer::Seat(seat) {
                self.same_deed(state, &other, seat, action, dice)?;
            }
            self.same_report(state, seat, action, viewer, dice, rng)?;
        }
        Ok(())
    }

    /// Another possible state in this viewer's eyes, if anything is hidden from it. It is serialized and read again: a
    /// copy might carry the stamp of the original, so that cached results of the original would be used for the copy.
    fn resampled(
        &self,
        state: &R::State,
        viewer: Viewer,
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<R::State>, Fault> {
        let Some(other) = self.rules.resample(state, viewer, rng) else { return Ok(None) };
        let other: R::State = serde_json::to_value(&other)
            .and_then(serde_json::from_value)
            .map_err(|error| fault(Property::Serialization, format!("a resampled state: {error}")))?;
        Ok((other != *state).then_some(other))
    }

    /// A die that a viewer may not see changes nothing for it: with other values it reads and sees the same.
    fn secret_rolls(
        &self,
        state: &R::State,
        seat: Seat,
        action: &R::Action,
        dice: &Dice,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), Fault> {
        let mut log = Log::default();
        let applied = self.rules.apply(&mut state.clone(), seat, action, &mut dice.clone(), &mut log);
        if applied.is_err() || audiences(log.events()).all(|audience| audience == Audience::All) {
            return Ok(());
        }
        let other_dice = Dice::from_number(u64::from(rng.next_u32()));
        for viewer in self.viewers() {
            let (Some(a), Some(b)) = (
                self.try_out(state, seat, action, viewer, dice),
                self.try_out(state, seat, action, viewer, &other_dice),
            ) else {
                return Ok(());
            };
            let hidden = |seen: &Seen| seen.rolls.iter().all(|audience| !audience.includes(viewer));
            if hidden(&a) && hidden(&b) && !a.revealed && !b.revealed {
                let what = format!("a die of {action:?} that {viewer:?} may not see");
                compare(&what, &a, &b, (Property::RollLeak, Property::RollLeak))?;
            }
        }
        Ok(())
    }

    fn same_position(
        &self,
        state: &R::State,
        other: &R::State,
        viewer: Viewer,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), Fault> {
        let leak = |what: &str, a: &Value, b: &Value| {
            let (a, b) = difference(a, b);
            Err(fault(Property::ViewLeak, format!("{what} of {viewer:?}: {a} or {b}")))
        };
        let (a, b) = (self.view(state, viewer), self.view(other, viewer));
        if a != b {
            return leak("the view", &a, &b);
        }
        let (a, b) = (json!(self.rules.pending(state)), json!(self.rules.pending(other)));
        if a != b {
            return leak("who is asked, in the eyes", &a, &b);
        }
        if let Some(questions) = &self.questions {
            for question in questions(state, viewer) {
                let answer =
                    |state| json!(self.rules.ask(state, viewer, &question).map_err(|e| e.to_string()));
                let (a, b) = (answer(state), answer(other));
                if a != b {
                    return leak(&format!("the answer to `{question}`"), &a, &b);
                }
            }
        }
        let Viewer::Seat(seat) = viewer else { return Ok(()) };
        let (a, b) = (json!(self.rules.prompt(state, seat)), json!(self.rules.prompt(other, seat)));
        if a != b {
            return leak("the prompt", &a, &b);
        }
        if !self.rules.pending(state).awaits(seat) {
            return Ok(());
        }
        let subjects = |state| {
            let mut subjects = Vec::new();
            self.rules.subjects(state, seat, &mut subjects);
            subjects
        };
        let (mine, others) = (subjects(state), subjects(other));
        let names = |state, list: &[R::Subject]| -> Value {
            list.iter().map(|s| self.rules.notate_subject(state, *s)).collect()
        };
        let (a, b) = (names(state, &mine), names(other, &others));
        if a != b {
            return leak("the subjects", &a, &b);
        }
        for _ in 0..SUBJECTS.min(mine.len()) {
            let subject = mine[pick(rng, mine.len())];
            let (a, b) = (self.listed(state, seat, subject), self.listed(other, seat, subject));
            if a != b {
                return leak(&format!("the options of {subject:?}"), &a, &b);
            }
        }
        Ok(())
    }

    fn view(&self, state: &R::State, viewer: Viewer) -> Value {
        json!(self.rules.view(state, viewer))
    }

    fn listed(&self, state: &R::State, seat: Seat, subject: R::Subject) -> Value {
        let mut options = Vec::new();
        self.rules.options(state, seat, subject, &mut options);
        options
            .iter()
            .map(|action| json!([self.rules.notate(state, action), self.rules.template(state, seat, action)]))
            .collect()
    }

    /// A viewer's own decision is legal in both states or in neither, and as long as it shows nothing hidden it has the
    /// same log and the same result.
    fn same_deed(
        &self,
        state: &R::State,
        other: &R::State,
        seat: Seat,
        action: &R::Action,
        dice: &Dice,
    ) -> Result<(), Fault> {
        let viewer = Viewer::Seat(seat);
        self.same_verdict(state, other, seat, action)?;
        let (Some(a), Some(b)) = (
            self.try_out(state, seat, action, viewer, dice),
            self.try_out(other, seat, action, viewer, dice),
        ) else {
            return Ok(());
        };
        if a.revealed || b.revealed {
            return Ok(());
        }
        compare(&format!("{viewer:?}'s own {action:?}"), &a, &b, (Property::LogLeak, Property::ViewLeak))
    }

    fn same_verdict(
        &self,
        state: &R::State,
        other: &R::State,
        seat: Seat,
        action: &R::Action,
    ) -> Result<(), Fault> {
        let (a, b) = (self.rules.verdict(state, seat, action), self.rules.verdict(other, seat, action));
        if a == b {
            return Ok(());
        }
        Err(fault(
            Property::ViewLeak,
            format!("the verdict on {action:?} of seat {}: {a:?} or {b:?}", seat.0),
        ))
    }

    /// The log entries a viewer may read do not depend on what the new state hides from it.
    fn same_report(
        &self,
        state: &R::State,
        seat: Seat,
        action: &R::Action,
        viewer: Viewer,
        dice: &Dice,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), Fault> {
        let Some((after, log)) = self.applied(state, seat, action, dice) else { return Ok(()) };
        let Some(other) = self.resampled(&after, viewer, rng)? else { return Ok(()) };
        let (a, b) = (self.read(&after, log.events(), viewer), self.read(&other, log.events(), viewer));
        if a != b {
            let (a, b) = difference(&a, &b);
            let what = format!("the log of {action:?} for {viewer:?}: {a} or {b}");
            return Err(fault(Property::LogLeak, what));
        }
        Ok(())
    }

    /// While decisions are taken in secret, the others see the same whichever way a seat decides.
    fn secrets_of(
        &self,
        state: &R::State,
        seat: Seat,
        dice: &Dice,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), Fault> {
        if !matches!(self.rules.pending(state), Pending::Each(_)) {
            return Ok(());
        }
        let mut random =
            || crate::erased::random_action(&*self.rules, state, seat, rng, &mut Vec::new(), &mut Vec::new());
        let (Some(one), Some(two)) = (random(), random()) else { return Ok(()) };
        for viewer in self.viewers().filter(|v| *v != Viewer::Seat(seat)) {
            let (Some(a), Some(b)) = (
                self.try_out(state, seat, &one, viewer, dice),
                self.try_out(state, seat, &two, viewer, dice),
            ) else {
                return Ok(());
            };
            let open = matches!(a.pending, Pending::Each(_)) && a.pending == b.pending;
            if open && !a.revealed && !b.revealed {
                let what = format!("the secret {one:?} or {two:?} of seat {}, to {viewer:?}", seat.0);
                compare(&what, &a, &b, (Property::SecretLeak, Property::SecretLeak))?;
            }
        }
        Ok(())
    }

    /// The state after an action, and its log; none if it is refused.
    fn applied(
        &self,
        state: &R::State,
        seat: Seat,
        action: &R::Action,
        dice: &Dice,
    ) -> Option<(R::State, Log<R::Event>)> {
        let (mut after, mut log) = (state.clone(), Log::default());
        self.rules.apply(&mut after, seat, action, &mut dice.clone(), &mut log).ok()?;
        Some((after, log))
    }

    /// What a viewer reads and sees after an action is applied to a copy.
    fn try_out(
        &self,
        state: &R::State,
        seat: Seat,
        action: &R::Action,
        viewer: Viewer,
        dice: &Dice,
    ) -> Option<Seen> {
        let (after, log) = self.applied(state, seat, action, dice)?;
        Some(Seen {
            entries: self.read(&after, log.events(), viewer),
            view: self.view(&after, viewer),
            pending: self.rules.pending(&after),
            revealed: log.revealed_to(viewer),
            rolls: audiences(log.events()).collect(),
        })
    }

    fn read(&self, after: &R::State, events: &[Event<R::Event>], viewer: Viewer) -> Value {
        let entries = crate::log::entries(&*self.rules, after, events);
        entries.iter().filter(|e| e.audience.includes(viewer)).map(|e| json!(e)).collect()
    }
}

struct Seen {
    entries: Value,
    view: Value,
    pending: Pending,
    revealed: bool,
    /// Who may know each die.
    rolls: Vec<Audience>,
}

/// Who may know each die.
fn audiences<E>(events: &[Event<E>]) -> impl Iterator<Item = Audience> + '_ {
    events.iter().filter_map(|event| match event {
        Event::Roll(roll) => Some(roll.audience),
        Event::Game(_) => None,
    })
}

/// `leaks` names the property broken by a difference in the log, and the one broken by a difference in the view.
fn compare(what: &str, a: &Seen, b: &Seen, leaks: (Property, Property)) -> Result<(), Fault> {
    let parts = [("in the log", &a.entries, &b.entries, leaks.0), ("in the view", &a.view, &b.view, leaks.1)];
    for (part, a, b, leak) in parts {
        if a != b {
            let (a, b) = difference(a, b);
            return Err(fault(leak, format!("{what}, shows {part}: {a} or {b}")));
        }
    }
    Ok(())
}

/// The smallest parts in which two values differ, so that a failure can be read.
fn difference<'a>(a: &'a Value, b: &'a Value) -> (&'a Value, &'a Value) {
    let inner = match (a, b) {
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => x.iter().zip(y).find(|(x, y)| x != y),
        (Value::Object(x), Value::Object(y)) if x.keys().eq(y.keys()) => {
            x.values().zip(y.values()).find(|(x, y)| x != y)
        }
        _ => None,
    };
    match inner {
        // An object that differs in a plain value is shown whole, so that the reader sees what it is about.
        Some((x, y)) if x.is_array() || x.is_object() => {
            if y.is_array() || y.is_object() {
                difference(x, y)
            } else {
                (a, b)
            }
        }
        _ => (a, b),
    }
}
