//! Random play, with a thorough check of some positions on the way.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::RngCore;

use super::{Fault, Kit, Property, Step, Trail, fault, listed::Offered, pick, rng, varied::Sources, waiting};
use crate::dice::seed_from_number;
use crate::erased::random_action;
use crate::{Dice, Facts, Game, Log, Pending, Rules, Seat, Setup, SlotKind, Stop, Template, Verdict};

/// How many subjects, options of each, and remembered actions are tried at a position.
const SUBJECTS: usize = 4;
const OPTIONS: usize = 3;
const REMEMBERED: usize = 24;

/// Actions that were options earlier in the game.
struct Memory<A> {
    actions: Vec<(Seat, A)>,
    sources: Sources,
}

impl<A> Default for Memory<A> {
    fn default() -> Self {
        Memory { actions: Vec::new(), sources: Sources::default() }
    }
}

impl<A> Memory<A> {
    fn keep(&mut self, seat: Seat, action: A, rng: &mut ChaCha8Rng) {
        if self.actions.len() < REMEMBERED {
            self.actions.push((seat, action));
        } else {
            self.actions[pick(rng, REMEMBERED)] = (seat, action);
        }
    }
}

impl<R: Rules> Kit<'_, R> {
    pub(super) fn walk(&self, seed: u64, limit: usize, trail: &mut Trail) -> Result<(), Fault> {
        let mut rng = rng(seed);
        let mut dice = Dice::seeded(seed_from_number(seed), 0);
        let mut state = self.start.clone();
        let mut memory = Memory::default();
        let (mut subjects, mut actions) = (Vec::new(), Vec::new());
        trail.summary.games = 1;
        loop {
            let pending = self.rules.pending(&state);
            if matches!(pending, Pending::Over(_)) {
                trail.summary.ended = 1;
                break;
            }
            if trail.steps.len() >= limit {
                if self.must_end {
                    return Err(fault(Property::Endless, format!("not over after {limit} decisions")));
                }
                break;
            }
            let seats = waiting(&pending);
            if seats.is_empty() {
                return Err(fault(Property::DeadEnd, "several are to decide, but nobody is named"));
            }
            let seat = seats[pick(&mut rng, seats.len())];
            let close = rng.next_u32().is_multiple_of(self.every);
            if close {
                self.look(&state, seat, &dice, &mut memory, &mut rng, trail)?;
            }
            let action = random_action(&*self.rules, &state, seat, &mut rng, &mut subjects, &mut actions)
                .ok_or_else(|| {
                    fault(Property::DeadEnd, format!("seat {} is asked, but no action is found", seat.0))
                })?;
            let text = self.rules.notate(&state, &action);
            if close {
                self.leaks(&state, seat, &action, &memory.actions, &dice, &mut rng, trail)?;
                self.others_may_not_act(&state, &pending, &action, &text)?;
            }
            let mut log = Log::default();
            let legal = self.rules.verdict(&state, seat, &action);
            if let Err(stop) = self.rules.apply(&mut state, seat, &action, &mut dice, &mut log) {
                let property = match legal {
                    Verdict::Legal => Property::VerdictAgrees,
                    Verdict::Illegal(_) => Property::OptionsAreLegal,
                };
                return Err(fault(property, format!("`{text}` was picked at random, but: {stop}")));
            }
            self.facts_have_types(&state, &log)?;
            let rolls = dice.take_rolled();
            trail.summary.decisions += 1;
            trail.summary.dice += rolls.len();
            trail.steps.push(Step { seat, action: text, rolls });
        }
        trail.end = to_json(&state)?;
        Ok(())
    }

    /// The facts of the log have the types that clients expect.
    fn facts_have_types(&self, after: &R::State, log: &Log<R::Event>) -> Result<(), Fault> {
        for entry in crate::log::entries(&*self.rules, after, log.events()) {
            if !entry.data.is_null()
                && let Err(error) = serde_json::from_value::<Facts>(entry.data.clone())
            {
                return Err(fault(Property::Facts, format!("{}: {error}", entry.data)));
            }
        }
        Ok(())
    }

    /// Checks a position thoroughly.
    fn look(
        &self,
        state: &R::State,
        seat: Seat,
        dice: &Dice,
        memory: &mut Memory<R::Action>,
        rng: &mut ChaCha8Rng,
        trail: &mut Trail,
    ) -> Result<(), Fault> {
        let json = to_json(state)?;
        let text = json.to_string();
        match serde_json::from_str::<R::State>(&text) {
            Ok(back) if back == *state => {}
            Ok(_) => return Err(fault(Property::Serialization, "a state read back is another state")),
            Err(error) => return Err(fault(Property::Serialization, format!("not read back: {error}"))),
        }
        let mut subjects = Vec::new();
        self.rules.subjects(state, seat, &mut subjects);
        if subjects.is_empty() {
            return Err(fault(
                Property::DeadEnd,
                format!("seat {} is asked, but has no subject to act with", seat.0),
            ));
        }
        let (mut seen, mut offered) = (Vec::new(), Offered::default());
        for _ in 0..SUBJECTS {
            let subject = subjects[pick(rng, subjects.len())];
            let text = self.rules.notate_subject(state, subject);
            let back = self.rules.parse_subject(state, &text);
            if back.as_ref() != Ok(&subject) {
                return Err(fault(
                    Property::SubjectNotation,
                    format!("{subject:?} is written `{text}`, which is read as {back:?}"),
                ));
            }
            let mut options = Vec::new();
            self.rules.options(state, seat, subject, &mut options);
            for _ in 0..OPTIONS.min(options.len()) {
                let action = options[pick(rng, options.len())].clone();
                seen.extend(self.option(state, seat, action, dice, memory, &mut offered, rng, trail)?);
            }
        }
        for action in &seen {
            memory.sources.note(seat, self.rules.notate(state, action), rng);
        }
        self.varied(state, seat, &memory.sources, dice, &mut offered, rng, trail)?;
        for _ in 0..memory.actions.len() / 4 {
            let (seat, action) = memory.actions[pick(rng, memory.actions.len())].clone();
            self.judge(state, seat, &action, dice, &mut offered, trail)?;
            self.garbled(state, seat, &action, dice, &mut offered, rng, trail)?;
        }
        Ok(())
    }

    /// A listed option must be legal, have notation, and apply. Returns it with its open parts filled in, or none if that failed.
    fn option(
        &self,
        state: &R::State,
        seat: Seat,
        mut action: R::Action,
        dice: &Dice,
        memory: &mut Memory<R::Action>,
        offered: &mut Offered<R::Action>,
        rng: &mut ChaCha8Rng,
        trail: &mut Trail,
    ) -> Result<Option<R::Action>, Fault> {
        self.round_trip(state, seat, &action)?;
        let mut filled = false;
        if let Some(template) = self.rules.template(state, seat, &action) {
            self.template(state, seat, &template, rng)?;
            if !self.rules.sample(state, seat, &mut action, rng) {
                return Ok(None);
            }
            self.round_trip(state, seat, &action)?;
            filled = true;
        } else {
            let before = action.clone();
            let kept = self.rules.sample(state, seat, &mut action, rng);
            if !kept || action != before {
                return Err(fault(
                    Property::Template,
                    format!("`sample` changed the complete action {before:?} to {action:?}"),
                ));
            }
        }
        if let Verdict::Illegal(refusal) = self.rules.verdict(state, seat, &action) {
            let text = self.rules.notate(state, &action);
            return Err(fault(
                Property::OptionsAreLegal,
                format!("`{text}` is listed, but refused: {refusal}"),
            ));
        }
        self.agree(state, seat, &action, dice, trail)?;
        if filled {
            self.covered(state, seat, &action, offered, trail)?;
        }
        trail.summary.options += 1;
        memory.keep(seat, action.clone(), rng);
        Ok(Some(action))
    }

    pub(super) fn round_trip(&self, state: &R::State, seat: Seat, action: &R::Action) -> Result<(), Fault> {
        let text = self.rules.notate(state, action);
        let back = self.rules.parse(state, seat, &text);
        if back.as_ref() == Ok(action) {
            return Ok(());
        }
        Err(fault(Property::Notation, format!("{action:?} is written `{text}`, which is read as {back:?}")))
    }

    /// A template's limits make sense, and a text filled in at random can be read (it need not be legal).
    fn template(
        &self,
        state: &R::State,
        seat: Seat,
        template: &Template,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), Fault> {
        let mut words = Vec::new();
        let suggested: Vec<Vec<String>> = template.parts.iter().map(|slot| slot.suggested.clone()).collect();
        for (index, slot) in template.parts.iter().enumerate() {
            if let Some(barred) = slot.suggested.iter().find(|s| !template.allows(index, s, &suggested)) {
                return Err(fault(
                    Property::Template,
                    format!("`{barred}` is suggested in {slot:?}, but what other slots suggest rules it out"),
                ));
            }
            if slot.kind == SlotKind::Amount && slot.min <= slot.max {
                let amount = slot.min + pick(rng, usize::from(slot.max - slot.min) + 1) as u16;
                words.extend([slot.words.clone(), amount.to_string()]);
                continue;
            }
            let most = slot.candidates.len().min(usize::from(slot.max));
            let least = usize::from(slot.min);
            if slot.kind != SlotKind::Words && (slot.min > slot.max || least > most) {
                return Err(fault(
                    Property::Template,
                    format!("no filling fits the slot {slot:?}: too few candidates, or min > max"),
                ));
            }
            if let Some(stranger) = slot.suggested.iter().find(|s| !slot.candidates.contains(s)) {
                return Err(fault(
                    Property::Template,
                    format!("`{stranger}` is suggested, but is no candidate of {slot:?}"),
                ));
            }
            let count = least + pick(rng, most - least.min(most) + 1);
            let mut candidates: Vec<&str> = slot.candidates.iter().map(String::as_str).collect();
            let mut filling = Vec::new();
            for _ in 0..count.min(most) {
                filling.push(candidates.swap_remove(pick(rng, candidates.len())));
            }
            if slot.kind == SlotKind::Words || !filling.is_empty() {
                words.push(slot.words.clone());
                words.extend(filling.into_iter().map(str::to_owned));
            }
        }
        words.retain(|word| !word.is_empty());
        let text = words.join(" ");
        match self.rules.parse(state, seat, &text) {
            Ok(_) => Ok(()),
            Err(refusal) => Err(fault(
                Property::Template,
                format!("`{text}`, filled in from a template, cannot be read: {refusal}"),
            )),
        }
    }

    /// `verdict` agrees with `apply` for any action, and what is legal is listed. Returns whether it is legal.
    pub(super) fn judge(
        &self,
        state: &R::State,
        seat: Seat,
        action: &R::Action,
        dice: &Dice,
        offered: &mut Offered<R::Action>,
        trail: &mut Trail,
    ) -> Result<bool, Fault> {
        let legal = self.agree(state, seat, action, dice, trail)?;
        if legal {
            self.covered(state, seat, action, offered, trail)?;
        }
        Ok(legal)
    }

    /// `verdict` agrees with `apply` for any action. Returns whether it is legal.
    fn agree(
        &self,
        state: &R::State,
        seat: Seat,
        action: &R::Action,
        dice: &Dice,
        trail: &mut Trail,
    ) -> Result<bool, Fault> {
        let verdict = self.rules.verdict(state, seat, action);
        let result =
            self.rules.apply(&mut state.clone(), seat, action, &mut dice.clone(), &mut Log::default());
        let said = match (&verdict, &result) {
            (Verdict::Legal, Ok(())) => return Ok(true),
            (Verdict::Illegal(a), Err(Stop::Illegal(b))) if a == b => {
                trail.summary.refusals += 1;
                return Ok(false);
            }
            (Verdict::Legal, _) => "legal".to_owned(),
            (Verdict::Illegal(refusal), _) => format!("{refusal:?}"),
        };
        let text = self.rules.notate(state, action);
        let did = result.map_or_else(|stop| format!("{stop:?}"), |()| "applied".into());
        Err(fault(Property::VerdictAgrees, format!("`{text}` for seat {}: {said}, but: {did}", seat.0)))
    }

    /// A seat that is not asked may do nothing.
    fn others_may_not_act(
        &self,
        state: &R::State,
        pending: &Pending,
        action: &R::Action,
        text: &str,
    ) -> Result<(), Fault> {
        for seat in (0..self.seats).map(Seat).filter(|s| !pending.awaits(*s)) {
            if self.rules.verdict(state, seat, action).is_legal() {
                let what = format!("`{text}` is legal for seat {}, which is not asked", seat.0);
                return Err(fault(Property::SeatIsChecked, what));
            }
        }
        Ok(())
    }

    /// A garbled text is refused, or read as something that can be written again.
    fn garbled(
        &self,
        state: &R::State,
        seat: Seat,
        action: &R::Action,
        dice: &Dice,
        offered: &mut Offered<R::Action>,
        rng: &mut ChaCha8Rng,
        trail: &mut Trail,
    ) -> Result<(), Fault> {
        let text = garble(&self.rules.notate(state, action), rng);
        if let Ok(action) = self.rules.parse(state, seat, &text) {
            self.round_trip(state, seat, &action)?;
            self.judge(state, seat, &action, dice, offered, trail)?;
        }
        Ok(())
    }
}

fn garble(text: &str, rng: &mut dyn RngCore) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=pick(rng, 2) {
        if chars.is_empty() {
            break;
        }
        let at = pick(rng, chars.len());
        let other = chars[pick(rng, chars.len())];
        match pick(rng, 4) {
            0 => {
                chars.remove(at);
            }
            1 => chars.insert(at, other),
            2 => chars[at] = other,
            _ => chars.insert(at, ['é', '0', ' ', '/', '-', '9'][pick(rng, 6)]),
        }
    }
    chars.into_iter().collect()
}

/// Random play of a type-erased game.
pub(super) fn erased(
    game: &Arc<dyn Game>,
    setup: &Setup,
    seed: u64,
    limit: usize,
    trail: &mut Trail,
) -> Result<(), Fault> {
    let mut rng = rng(seed);
    let mut dice = Dice::seeded(seed_from_number(seed), 0);
    let mut table = game.open(setup).map_err(|e| fault(Property::Replay, format!("cannot open: {e}")))?;
    trail.summary.games = 1;
    loop {
        let pending = table.pending();
        if matches!(pending, Pending::Over(_)) {
            trail.summary.ended = 1;
            break;
        }
        if trail.steps.len() >= limit {
            return Err(fault(Property::Endless, format!("not over after {limit} decisions")));
        }
        let seats = waiting(&pending);
        if seats.is_empty() {
            return Err(fault(Property::DeadEnd, "several are to decide, but nobody is named"));
        }
        let seat = seats[pick(&mut rng, seats.len())];
        let subjects = table.subjects(seat);
        if subjects.is_empty() {
            return Err(fault(Property::DeadEnd, format!("seat {} has no subject", seat.0)));
        }
        let subject = &subjects[pick(&mut rng, subjects.len())].subject;
        let options = table.options(seat, subject).map_err(|refusal| {
            fault(Property::SubjectNotation, format!("`{subject}` is listed, but not read: {refusal}"))
        })?;
        if !options.is_empty() {
            let option = &options[pick(&mut rng, options.len())];
            if option.template.is_none() {
                if let Verdict::Illegal(refusal) = table.verdict(seat, &option.action) {
                    return Err(fault(
                        Property::OptionsAreLegal,
                        format!("`{}` is listed, but refused: {refusal}", option.action),
                    ));
                }
                table.clone_table().apply(seat, &option.action, &mut dice.clone()).map_err(|stop| {
                    fault(Property::VerdictAgrees, format!("`{}` is legal, but: {stop}", option.action))
                })?;
                trail.summary.options += 1;
            }
        }
        let action = table.random_action(seat, &mut rng).ok_or_else(|| {
            fault(Property::DeadEnd, format!("seat {} is asked, but no action is found", seat.0))
        })?;
        let applied = table.apply(seat, &action, &mut dice).map_err(|stop| {
            fault(Property::OptionsAreLegal, format!("`{action}`, picked at random: {stop}"))
        })?;
        trail.summary.decisions += 1;
        trail.summary.dice += applied.rolls.len();
        trail.steps.push(Step { seat, action: applied.action, rolls: applied.rolls });
    }
    trail.end = table.snapshot();
    Ok(())
}

fn to_json(state: &impl serde::Serialize) -> Result<serde_json::Value, Fault> {
    serde_json::to_value(state).map_err(|e| fault(Property::Serialization, format!("not written: {e}")))
}
