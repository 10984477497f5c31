//! A test of the test: options are taken out of a game's lists, and the kit must notice.

use std::sync::Arc;

use rand_core::RngCore;
use serde_json::Value;

use super::{Fault, Kit, Property, Summary, Trail};
use crate::{
    Ask, Brief, Dice, Entry, Log, Message, Pending, Prompt, Refusal, Rules, Seat, Secrecy, Stop, Template,
    Verdict, View, Viewer, log::Event,
};

/// A game that forgets to list some of its options.
struct Forgetful<R: Rules> {
    inner: Arc<R>,
    /// The first word of the options that are forgotten.
    verb: &'static str,
}

impl<R: Rules> Kit<'_, R> {
    /// Whether the kit, with the same settings, notices that one in three of the options that begin with `verb` is not listed. An error says what it found instead.
    pub fn finds_unlisted(&self, verb: &'static str) -> Result<(), String> {
        let forgetful = Forgetful { inner: Arc::clone(&self.rules), verb };
        let kit = Kit {
            rules: Arc::new(forgetful),
            start: self.start.clone(),
            seats: self.seats,
            seeds: self.seeds.clone(),
            max_decisions: self.max_decisions,
            must_end: self.must_end,
            every: self.every,
            secrets: false,
            questions: None,
        };
        let mut tried = Summary::default();
        for seed in kit.seeds.clone() {
            let mut trail = Trail::default();
            match kit.walk(seed, kit.max_decisions, &mut trail) {
                Ok(()) => tried.add(trail.summary),
                Err(Fault { property: Property::LegalIsListed, .. }) => return Ok(()),
                Err(Fault { property, what }) => {
                    return Err(format!("`{verb}`: {property:?}, seed {seed}: {what}"));
                }
            }
        }
        let Summary { covered, varied, .. } = tried;
        Err(format!("`{verb}`: nothing found; {covered} legal actions tried, {varied} of them varied"))
    }
}

impl<R: Rules> Forgetful<R> {
    /// Chosen by its text, so that an option is forgotten each time it is asked for.
    fn forgets(&self, state: &R::State, action: &R::Action) -> bool {
        let text = self.inner.notate(state, action);
        let sum = text.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        text.split_whitespace().next() == Some(self.verb) && (sum >> 4).is_multiple_of(3)
    }

    /// Whether there is only one subject to act with.
    fn is_only(&self, state: &R::State, seat: Seat) -> bool {
        let mut subjects = Vec::new();
        self.inner.subjects(state, seat, &mut subjects);
        subjects.len() < 2
    }
}

impl<R: Rules> Rules for Forgetful<R> {
    type State = R::State;
    type Action = R::Action;
    type Subject = R::Subject;
    type Event = R::Event;

    fn options(&self, state: &R::State, seat: Seat, subject: R::Subject, out: &mut Vec<R::Action>) {
        let mut all = Vec::new();
        self.inner.options(state, seat, subject, &mut all);
        let (before, last) = (out.len(), all.last().cloned());
        all.retain(|action| !self.forgets(state, action));
        out.append(&mut all);
        if out.len() == before && self.is_only(state, seat) {
            out.extend(last); // somebody must be able to act
        }
    }

    fn pending(&self, state: &R::State) -> Pending {
        self.inner.pending(state)
    }
    fn prompt(&self, state: &R::State, seat: Seat) -> Prompt {
        self.inner.prompt(state, seat)
    }
    fn subjects(&self, state: &R::State, seat: Seat, out: &mut Vec<R::Subject>) {
        self.inner.subjects(state, seat, out);
    }
    fn template(&self, state: &R::State, seat: Seat, action: &R::Action) -> Option<Template> {
        self.inner.template(state, seat, action)
    }
    fn label(&self, state: &R::State, seat: Seat, action: &R::Action) -> Option<Message> {
        self.inner.label(state, seat, action)
    }
    fn sample(&self, state: &R::State, seat: Seat, action: &mut R::Action, rng: &mut dyn RngCore) -> bool {
        self.inner.sample(state, seat, action, rng)
    }
    fn verdict(&self, state: &R::State, seat: Seat, action: &R::Action) -> Verdict {
        self.inner.verdict(state, seat, action)
    }
    fn apply(
        &self,
        state: &mut R::State,
        seat: Seat,
        action: &R::Action,
        dice: &mut Dice,
        log: &mut Log<R::Event>,
    ) -> Result<(), Stop> {
        self.inner.apply(state, seat, action, dice, log)
    }
    fn covers(&self, state: &R::State, seat: Seat, listed: &R::Action, action: &R::Action) -> bool {
        self.inner.covers(state, seat, listed, action)
    }
    fn secrecy(&self, before: &R::State, seat: Seat, action: &R::Action) -> Secrecy {
        self.inner.secrecy(before, seat, action)
    }
    fn redacted(&self, before: &R::State, seat: Seat, action: &R::Action) -> Option<String> {
        self.inner.redacted(before, seat, action)
    }
    fn resample(&self, state: &R::State, viewer: Viewer, rng: &mut dyn RngCore) -> Option<R::State> {
        self.inner.resample(state, viewer, rng)
    }
    fn view(&self, state: &R::State, viewer: Viewer) -> View {
        self.inner.view(state, viewer)
    }
    fn report(&self, after: &R::State, event: &Event<R::Event>, out: &mut Vec<Entry>) {
        self.inner.report(after, event, out);
    }
    fn ask(&self, state: &R::State, viewer: Viewer, question: &str) -> Result<Value, Ask> {
        self.inner.ask(state, viewer, question)
    }
    fn brief(&self, state: &R::State, seat: Seat) -> Brief {
        self.inner.brief(state, seat)
    }
    fn notate(&self, state: &R::State, action: &R::Action) -> String {
        self.inner.notate(state, action)
    }
    fn parse(&self, state: &R::State, seat: Seat, text: &str) -> Result<R::Action, Refusal> {
        self.inner.parse(state, seat, text)
    }
    fn notate_subject(&self, state: &R::State, subject: R::Subject) -> String {
        self.inner.notate_subject(state, subject)
    }
    fn parse_subject(&self, state: &R::State, text: &str) -> Result<R::Subject, Refusal> {
        self.inner.parse_subject(state, text)
    }
}
