//! Tests of the test kit: a game with one fault must fail, for that fault.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use kernel::log::Event as Logged;
use kernel::testkit::{Failure, Kit, Property};
use kernel::{
    Ask, Audience, Dice, Entry, Log, Message, Pending, Prompt, Refusal, Rules, Seat, Stop, Template, Verdict,
    View, Viewer,
};
use rand_core::RngCore;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::outpost::{Action, Event, Frame, Order, Rulebook, State, Subject};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    ListsIllegal,
    HidesLegal,
    HidesAmount,
    ApplyRefuses,
    OtherWords,
    IgnoresSeat,
    LossyNotation,
    LossySubject,
    UnreadableTemplate,
    SampleMeddles,
    DeadEnd,
    Endless,
    Panics,
    Forgets,
    Moody,
    LeaksView,
    LeaksPrompt,
    LeaksOptions,
    LeaksVerdict,
    LeaksAnswer,
    LeaksOwnLog,
    LeaksReport,
    OddFacts,
    LeaksSecret,
    LeaksRoll,
    NeverResamples,
}

/// Outpost with one fault.
struct Broken {
    inner: Rulebook,
    fault: Fault,
    /// Rules must be stateless: this field breaks that.
    mood: AtomicU32,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Torn {
    inner: State,
    /// Lost when the state is serialized.
    #[serde(skip)]
    lost: u32,
}

impl Broken {
    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    /// Is this cell held by a hidden decoy of the enemy?
    fn knows_too_much(state: &State, seat: Seat, subject: Subject) -> bool {
        let Subject::Target(cell) = subject else { return false };
        state.at(seat.other(), cell).any(|p| state.piece(p).decoy && !state.piece(p).shown)
    }
}

impl Rules for Broken {
    type State = Torn;
    type Action = Action;
    type Subject = Subject;
    type Event = Event;

    fn pending(&self, state: &Torn) -> Pending {
        self.inner.pending(&state.inner)
    }

    fn prompt(&self, state: &Torn, seat: Seat) -> Prompt {
        let mut prompt = self.inner.prompt(&state.inner, seat);
        if self.is(Fault::LeaksPrompt)
            && state.inner.orders[usize::from(seat.other().0)] == Some(Order::Ambush)
        {
            prompt.message = Message::new("prompt.beware");
        }
        prompt
    }

    fn subjects(&self, state: &Torn, seat: Seat, out: &mut Vec<Subject>) {
        if !(self.is(Fault::DeadEnd) && matches!(state.inner.frame(), Frame::Ambush { .. })) {
            self.inner.subjects(&state.inner, seat, out);
        }
    }

    fn options(&self, state: &Torn, seat: Seat, subject: Subject, out: &mut Vec<Action>) {
        if self.is(Fault::LeaksOptions) && Broken::knows_too_much(&state.inner, seat, subject) {
            return;
        }
        self.inner.options(&state.inner, seat, subject, out);
        if self.is(Fault::HidesLegal) {
            out.retain(|action| !matches!(action, Action::Move { path, .. } if path.len() == 2));
        }
        if let (true, Subject::Piece(piece)) = (self.is(Fault::ListsIllegal), subject) {
            out.push(Action::Move { piece, path: Vec::new() });
        }
    }

    fn template(&self, state: &Torn, seat: Seat, action: &Action) -> Option<Template> {
        let mut template = self.inner.template(&state.inner, seat, action)?;
        if self.is(Fault::HidesAmount) {
            template.parts.truncate(1);
        }
        if self.is(Fault::UnreadableTemplate) {
            template.parts[0].words.push_str(" the help of");
        }
        Some(template)
    }

    fn sample(&self, state: &Torn, seat: Seat, action: &mut Action, rng: &mut dyn RngCore) -> bool {
        if self.is(Fault::SampleMeddles) && *action == Action::HoldFire {
            *action = Action::Done;
        }
        self.inner.sample(&state.inner, seat, action, rng)
    }

    fn verdict(&self, state: &Torn, seat: Seat, action: &Action) -> Verdict {
        let verdict = self.inner.verdict(&state.inner, seat, action);
        match &verdict {
            Verdict::Legal => verdict,
            Verdict::Illegal(refusal) => {
                if let (true, Action::Attack { target, .. }) = (self.is(Fault::LeaksVerdict), action)
                    && Broken::knows_too_much(&state.inner, seat, Subject::Target(*target))
                {
                    return Verdict::Illegal(Refusal::plain(Message::new("refuse.pointless")));
                }
                if self.is(Fault::OtherWords) && refusal.rule == "4.2" {
                    return Verdict::Illegal(Refusal::new("4.1", refusal.why.clone()));
                }
                if self.is(Fault::IgnoresSeat)
                    && self.inner.verdict(&state.inner, seat.other(), action).is_legal()
                {
                    return Verdict::Legal;
                }
                verdict
            }
        }
    }

    fn apply(
        &self,
        state: &mut Torn,
        seat: Seat,
        action: &Action,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let inner = self.inner.verdict(&state.inner, seat, action);
        if self.is(Fault::IgnoresSeat) && !inner.is_legal() && self.verdict(state, seat, action).is_legal() {
            return self.inner.apply(&mut state.inner, seat.other(), action, dice, log);
        }
        // Where the verdict refuses because of the fault, so does this: the fault shows only to those who can tell.
        if let (true, Verdict::Illegal(refusal)) =
            (self.is(Fault::LeaksVerdict), self.verdict(state, seat, action))
        {
            return Err(refusal.into());
        }
        if let (true, Action::Fire(_)) = (self.is(Fault::ApplyRefuses), action) {
            return Err(Refusal::plain(Message::new("refuse.jammed")).into());
        }
        let before = state.inner.clone();
        self.inner.apply(&mut state.inner, seat, action, dice, log)?;
        match self.fault {
            Fault::Panics if matches!(action, Action::Fire(_)) => panic!("the gun burst"),
            Fault::Endless if *state.inner.frame() == Frame::Over => state.inner = before,
            Fault::Forgets => state.lost += 1,
            // Once a game has ended, another game with the same decisions takes a different course.
            Fault::Moody if *state.inner.frame() == Frame::Over => {
                self.mood.fetch_add(1, Ordering::Relaxed);
            }
            Fault::Moody if *action == Action::Done && self.mood.load(Ordering::Relaxed) > 0 => {
                state.inner.shells[0] = state.inner.shells[0].saturating_sub(1);
            }
            Fault::LeaksOwnLog => {
                let hidden = State::of(seat.other()).find(|p| state.inner.piece(*p).decoy);
                log.push(Event::Removed { piece: hidden.unwrap_or(0) });
            }
            _ => {}
        }
        Ok(())
    }

    fn resample(&self, state: &Torn, viewer: Viewer, rng: &mut dyn RngCore) -> Option<Torn> {
        let inner = self.inner.resample(&state.inner, viewer, rng)?;
        let same = self.is(Fault::NeverResamples);
        Some(if same { state.clone() } else { Torn { inner, lost: state.lost } })
    }

    fn view(&self, state: &Torn, viewer: Viewer) -> View {
        let mut view = self.inner.view(&state.inner, viewer);
        if self.is(Fault::LeaksView) && matches!(state.inner.frame(), Frame::Ambush { .. }) {
            view.pieces = self.inner.view(&state.inner, Viewer::Referee).pieces;
        }
        view
    }

    fn report(&self, after: &Torn, event: &Logged<Event>, out: &mut Vec<Entry>) {
        self.inner.report(&after.inner, event, out);
        let Some(entry) = out.last_mut() else { return };
        match event {
            Logged::Game(Event::Ordered { .. }) if self.is(Fault::LeaksSecret) => {
                entry.audience = Audience::All;
            }
            Logged::Game(Event::FoundNothing { .. }) if self.is(Fault::LeaksRoll) => {
                entry.audience = Audience::All;
            }
            Logged::Game(Event::Stepped { piece, .. }) if self.is(Fault::LeaksReport) => {
                entry.data["decoy"] = after.inner.piece(*piece).decoy.into();
            }
            Logged::Game(Event::Stepped { piece, .. }) if self.is(Fault::OddFacts) => {
                entry.data["unit"] = (*piece).into();
            }
            _ => {}
        }
    }

    fn ask(&self, state: &Torn, viewer: Viewer, question: &str) -> Result<Value, Ask> {
        let viewer = if self.is(Fault::LeaksAnswer) { Viewer::Referee } else { viewer };
        self.inner.ask(&state.inner, viewer, question)
    }

    fn notate(&self, state: &Torn, action: &Action) -> String {
        let text = self.inner.notate(&state.inner, action);
        match action {
            Action::Move { path, .. } if self.is(Fault::LossyNotation) && path.len() == 2 => {
                text[..text.len() - 3].to_owned()
            }
            _ => text,
        }
    }

    fn parse(&self, state: &Torn, seat: Seat, text: &str) -> Result<Action, Refusal> {
        self.inner.parse(&state.inner, seat, text)
    }

    fn notate_subject(&self, state: &Torn, subject: Subject) -> String {
        match subject {
            Subject::Target(_) if self.is(Fault::LossySubject) => "phase".into(),
            _ => self.inner.notate_subject(&state.inner, subject),
        }
    }

    fn parse_subject(&self, state: &Torn, text: &str) -> Result<Subject, Refusal> {
        self.inner.parse_subject(&state.inner, text)
    }
}

fn run(fault: Fault) -> Result<(), Failure> {
    // A scout that finds nothing is rare.
    let seeds = if fault == Fault::LeaksRoll { 0..14 } else { 0..8 };
    let rules = Arc::new(Broken { inner: Rulebook, fault, mood: AtomicU32::new(0) });
    Kit::new(rules, Torn { inner: State::start(), lost: 0 })
        .seeds(seeds)
        .max_decisions(300)
        .secrets()
        .questions(|_, _| vec!["piece b2".into(), "piece r3".into()])
        .run()
        .map(|_| ())
}

#[test]
fn every_fault_is_found() {
    // Without a fault the wrapper passes, so the failures below are due to the fault.
    run(Fault::None).unwrap();
    let mut wrong = Vec::new();
    for (fault, property) in [
        (Fault::ListsIllegal, Property::OptionsAreLegal),
        (Fault::HidesLegal, Property::LegalIsListed),
        (Fault::HidesAmount, Property::LegalIsListed),
        (Fault::ApplyRefuses, Property::VerdictAgrees),
        (Fault::OtherWords, Property::VerdictAgrees),
        (Fault::IgnoresSeat, Property::SeatIsChecked),
        (Fault::LossyNotation, Property::Notation),
        (Fault::LossySubject, Property::SubjectNotation),
        (Fault::UnreadableTemplate, Property::Template),
        (Fault::SampleMeddles, Property::Template),
        (Fault::DeadEnd, Property::DeadEnd),
        (Fault::Endless, Property::Endless),
        (Fault::Panics, Property::Panic),
        (Fault::Forgets, Property::Serialization),
        (Fault::Moody, Property::Replay),
        (Fault::LeaksView, Property::ViewLeak),
        (Fault::LeaksPrompt, Property::ViewLeak),
        (Fault::LeaksOptions, Property::ViewLeak),
        (Fault::LeaksVerdict, Property::ViewLeak),
        (Fault::LeaksAnswer, Property::ViewLeak),
        (Fault::LeaksOwnLog, Property::LogLeak),
        (Fault::LeaksReport, Property::LogLeak),
        (Fault::OddFacts, Property::Facts),
        (Fault::LeaksSecret, Property::SecretLeak),
        (Fault::LeaksRoll, Property::RollLeak),
    ] {
        let found = run(fault).err().map(|failure| failure.property);
        if found != Some(property) {
            wrong.push(format!("{fault:?}: {found:?} instead of {property:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Options of each kind are taken out of the lists; the kit notices each time.
#[test]
fn unlisted_options_are_found() {
    let kit = Kit::new(super::outpost::rules(), State::start()).seeds(0..30).max_decisions(300);
    let missed: Vec<_> = ["move", "scout", "attack", "draw"]
        .into_iter()
        .filter_map(|verb| kit.finds_unlisted(verb).err())
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_resampling_that_changes_nothing_is_found() {
    assert_eq!(run(Fault::NeverResamples).unwrap_err().property, Property::Vacuous);
}

#[test]
fn a_failure_tells_seed_and_journal() {
    let text = run(Fault::Panics).unwrap_err().to_string();
    assert!(text.contains("the gun burst") && text.contains("seed"), "{text}");
    // Both decoys and both orders come before anything can be fired at.
    assert!(text.contains(": decoy ") && text.contains(": order ambush"), "{text}");
}
