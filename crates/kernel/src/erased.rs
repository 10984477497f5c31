//! A game without its types: text and JSON, for server, lab, simulation and client.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Ask, Audience, Dice, Entry, GameInfo, Log, Message, Pending, Prompt, Refusal, Rules, Seat, SeatSet,
    Secrecy, Setup, SetupError, Stop, StudyInfo, Survey, Template, Verdict, View, Viewer,
    board::Board,
    lab::LabTable,
    log::{self, Event},
    view::Changes,
};

/// A game in the catalogue: what it offers, and how to open a table of it.
pub trait Game: Send + Sync {
    fn info(&self) -> &GameInfo;
    /// The seat with this name: its id, or another name of that side, such as one of its nations.
    fn seat(&self, name: &str) -> Option<Seat> {
        self.info().seats.iter().position(|seat| seat.id == name).map(|at| Seat(at as u8))
    }
    /// Can anything be hidden from a seat with this set-up? By default [`GameInfo::secrets`], which speaks for the game
    /// as a whole.
    fn secrets(&self, _setup: &Setup) -> bool {
        self.info().secrets
    }
    /// A fresh table, before the first decision.
    fn open(&self, setup: &Setup) -> Result<Box<dyn Table>, SetupError>;
    /// A table for a lab file's head: a shipped scenario changed by the file, or a map and units written in it.
    fn lab(&self, head: &toml::Table) -> Result<Box<dyn LabTable>, SetupError>;
    /// Message files: TOML text for a language (`en`, `ko`, `ja`).
    fn messages(&self, language: &str) -> Option<&'static str>;
    /// The playing surface of a set-up, for the client.
    fn board(&self, setup: &Setup) -> Result<Board, SetupError>;
    /// The map as SVG, in a language.
    fn map_svg(&self, setup: &Setup, language: &str) -> Result<String, SetupError>;
    /// What a pack overlay (TOML text) changes, one line for each change; or why it is refused.
    fn overlay_changes(&self, _overlay: &str) -> Result<Vec<String>, SetupError> {
        Err(SetupError::Bad(format!("{} takes no pack overlay", self.info().id)))
    }
    /// What reports on many games of a set-up show.
    fn study(&self, _: &Setup) -> StudyInfo {
        StudyInfo::default()
    }
}

/// One game being played: rules and state together.
pub trait Table: Send + Sync {
    fn pending(&self) -> Pending;
    fn prompt(&self, seat: Seat) -> Prompt;
    fn subjects(&self, seat: Seat) -> Vec<SubjectItem>;
    fn options(&self, seat: Seat, subject: &str) -> Result<Vec<OptionItem>, Refusal>;
    fn verdict(&self, seat: Seat, action: &str) -> Verdict;
    /// Apply an action given in notation. On an error nothing has changed.
    fn apply(&mut self, seat: Seat, action: &str, dice: &mut Dice) -> Result<Applied, Stop>;
    fn view(&self, viewer: Viewer) -> View;
    /// [`Rules::changes`] since an earlier state of the same table; none if the caller must compare the two views.
    fn changes(&self, _before: &dyn Table, _viewer: Viewer) -> Option<Changes> {
        None
    }
    /// The number of the turn being played.
    fn turn(&self) -> u16 {
        self.view(Viewer::Referee).turn.map_or(0, |turn| turn.number)
    }
    /// The position as counts: for statistics, never for players.
    fn survey(&self) -> Survey {
        Survey::of_view(&self.view(Viewer::Referee))
    }
    fn ask(&self, viewer: Viewer, question: &str) -> Result<Value, Ask>;
    /// The complete state as JSON: for snapshots and tests, never for players.
    fn snapshot(&self) -> Value;
    fn restore(&mut self, snapshot: &Value) -> Result<(), SetupError>;
    fn clone_table(&self) -> Box<dyn Table>;
    /// A random legal action of this seat in notation, if one is found: for the test kit and the weakest bot.
    fn random_action(&self, seat: Seat, rng: &mut dyn rand_core::RngCore) -> Option<String>;
    /// The table itself, for opponents that know the game's own types ([`Erased`]).
    fn as_any(&self) -> &dyn std::any::Any;
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubjectItem {
    pub subject: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct OptionItem {
    /// The action in canonical notation; a skeleton if there is a template.
    pub action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
    /// The label of its button.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Message>,
}

/// What an applied action did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Applied {
    /// The action as applied, in canonical notation.
    pub action: String,
    pub entries: Vec<Entry>,
    /// The dice as they fell.
    pub rolls: Vec<u8>,
    /// Was something hidden shown?
    pub revealed: bool,
    /// How long `action` is hidden from the other seats.
    #[serde(default)]
    pub secrecy: Secrecy,
    /// What the other seats may read while `action` is hidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
    /// Dice that are not public: their index in `rolls`, and who may see them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secret_rolls: Vec<(usize, SeatSet)>,
    /// Hidden decisions whose text becomes readable now ([`Secrecy::UntilDisclosed`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disclosed: Vec<u32>,
}

impl Applied {
    /// The dice that this viewer may see.
    pub fn rolls_for(&self, viewer: Viewer) -> Vec<u8> {
        let hidden = |at: usize| {
            self.secret_rolls.iter().any(|(n, seats)| *n == at && !Audience::Only(*seats).includes(viewer))
        };
        self.rolls.iter().enumerate().filter(|(at, _)| !hidden(*at)).map(|(_, value)| *value).collect()
    }
}

/// Any [`Rules`] with a state, as a [`Table`].
#[derive(Debug)]
pub struct Erased<R: Rules> {
    pub rules: Arc<R>,
    pub state: R::State,
}

impl<R: Rules> Clone for Erased<R> {
    fn clone(&self) -> Self {
        Erased { rules: Arc::clone(&self.rules), state: self.state.clone() }
    }
}

impl<R: Rules> Erased<R> {
    pub fn new(rules: Arc<R>, state: R::State) -> Self {
        Erased { rules, state }
    }
}

impl<R: Rules> Table for Erased<R> {
    fn pending(&self) -> Pending {
        self.rules.pending(&self.state)
    }

    fn prompt(&self, seat: Seat) -> Prompt {
        self.rules.prompt(&self.state, seat)
    }

    fn subjects(&self, seat: Seat) -> Vec<SubjectItem> {
        let mut subjects = Vec::new();
        if self.pending().awaits(seat) {
            self.rules.subjects(&self.state, seat, &mut subjects);
        }
        subjects
            .into_iter()
            .map(|subject| SubjectItem { subject: self.rules.notate_subject(&self.state, subject) })
            .collect()
    }

    fn options(&self, seat: Seat, subject: &str) -> Result<Vec<OptionItem>, Refusal> {
        let subject = self.rules.parse_subject(&self.state, subject)?;
        let mut actions = Vec::new();
        if self.pending().awaits(seat) {
            self.rules.options(&self.state, seat, subject, &mut actions);
        }
        Ok(actions
            .iter()
            .map(|action| OptionItem {
                action: self.rules.notate(&self.state, action),
                template: self.rules.template(&self.state, seat, action),
                label: self.rules.label(&self.state, seat, action),
            })
            .collect())
    }

    fn verdict(&self, seat: Seat, action: &str) -> Verdict {
        match self.rules.parse(&self.state, seat, action) {
            Ok(action) => self.rules.verdict(&self.state, seat, &action),
            Err(refusal) => Verdict::Illegal(refusal),
        }
    }

    fn apply(&mut self, seat: Seat, action: &str, dice: &mut Dice) -> Result<Applied, Stop> {
        let action = self.rules.parse(&self.state, seat, action)?;
        let text = self.rules.notate(&self.state, &action);
        let secrecy = self.rules.secrecy(&self.state, seat, &action);
        let redacted = match secrecy {
            Secrecy::Open => None,
            _ => self.rules.redacted(&self.state, seat, &action),
        };
        let mut state = self.state.clone();
        let mut log = Log::default();
        // A failed attempt must not use up dice either.
        let mut trial = dice.clone();
        trial.forget();
        self.rules.apply(&mut state, seat, &action, &mut trial, &mut log)?;
        let rolls = trial.take_rolled();
        let applied = Applied { redacted, ..applied(&*self.rules, &state, text, secrecy, rolls, &log) };
        // Nothing has changed up to here: a panic above leaves table and dice as they were.
        *dice = trial;
        self.state = state;
        Ok(applied)
    }

    fn view(&self, viewer: Viewer) -> View {
        self.rules.view(&self.state, viewer)
    }

    fn turn(&self) -> u16 {
        self.rules.turn(&self.state)
    }

    fn survey(&self) -> Survey {
        self.rules.survey(&self.state)
    }

    fn changes(&self, before: &dyn Table, viewer: Viewer) -> Option<Changes> {
        let before = before.as_any().downcast_ref::<Self>()?;
        self.rules.changes(&before.state, &self.state, viewer)
    }

    fn ask(&self, viewer: Viewer, question: &str) -> Result<Value, Ask> {
        if question.trim() == "brief" {
            let brief = match viewer {
                Viewer::Seat(seat) if self.pending().awaits(seat) => self.rules.brief(&self.state, seat),
                _ => crate::Brief::default(),
            };
            return Ok(serde_json::json!({ "brief": brief }));
        }
        self.rules.ask(&self.state, viewer, question)
    }

    fn snapshot(&self) -> Value {
        // A state is plain data: it has no map with non-string keys and no failing serializer.
        serde_json::to_value(&self.state).unwrap_or(Value::Null)
    }

    fn restore(&mut self, snapshot: &Value) -> Result<(), SetupError> {
        self.state =
            R::State::deserialize(snapshot).map_err(|e| SetupError::Bad(format!("snapshot: {e}")))?;
        Ok(())
    }

    fn clone_table(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }

    fn random_action(&self, seat: Seat, rng: &mut dyn rand_core::RngCore) -> Option<String> {
        let action = random_action(&*self.rules, &self.state, seat, rng, &mut Vec::new(), &mut Vec::new())?;
        Some(self.rules.notate(&self.state, &action))
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// The effects of a decision that led to `after`.
pub(crate) fn applied<R: Rules>(
    rules: &R,
    after: &R::State,
    action: String,
    secrecy: Secrecy,
    rolls: Vec<u8>,
    log: &Log<R::Event>,
) -> Applied {
    Applied {
        action,
        entries: log::entries(rules, after, log.events()),
        revealed: log.revealed(),
        secrecy,
        redacted: None,
        secret_rolls: secret_rolls(log, rolls.len()),
        disclosed: log.disclosed().to_vec(),
        rolls,
    }
}

/// Which of `count` dice are not public, and who may see them.
fn secret_rolls<E>(log: &Log<E>, count: usize) -> Vec<(usize, SeatSet)> {
    let rolls = || {
        log.events().iter().filter_map(|event| match event {
            Event::Roll(roll) => Some(roll.audience),
            Event::Game(_) => None,
        })
    };
    let mut secret: Vec<(usize, SeatSet)> = rolls()
        .enumerate()
        .filter_map(|(at, audience)| match audience {
            Audience::All => None,
            Audience::Only(seats) => Some((at, seats)),
        })
        .collect();
    // The game rolled dice without logging them: which die is which cannot be told.
    if !secret.is_empty() && rolls().count() != count {
        secret = (0..count).map(|at| (at, SeatSet::default())).collect();
    }
    secret
}

/// A random legal action: a random subject, a random option of it, its open parts filled at random. The two
/// buffers are reused by callers that must not allocate.
pub fn random_action<R: Rules>(
    rules: &R,
    state: &R::State,
    seat: Seat,
    rng: &mut dyn rand_core::RngCore,
    subjects: &mut Vec<R::Subject>,
    actions: &mut Vec<R::Action>,
) -> Option<R::Action> {
    const TRIES: usize = 64;
    let below = |rng: &mut dyn rand_core::RngCore, count: usize| rng.next_u32() as usize % count;
    subjects.clear();
    let mut at = 0;
    let mut subject = rules.one_subject(state, seat, subjects, |count| {
        at = below(rng, count);
        at
    })?;
    debug_assert!(is_listed(rules, state, seat, subjects, at, subject), "{subject:?} is not number {at}");
    for _ in 0..TRIES {
        actions.clear();
        rules.options(state, seat, subject, actions);
        let idle = actions.is_empty();
        if !idle {
            let mut action = actions.swap_remove(below(rng, actions.len()));
            if rules.sample(state, seat, &mut action, rng) {
                return Some(action);
            }
        }
        if subjects.is_empty() {
            rules.subjects(state, seat, subjects);
        }
        if idle {
            subjects.swap_remove(at);
        }
        if subjects.is_empty() {
            return None;
        }
        at = below(rng, subjects.len());
        subject = subjects[at];
    }
    None
}

/// Does the list contain this action?
fn is_listed<R: Rules>(
    rules: &R,
    state: &R::State,
    seat: Seat,
    room: &mut Vec<R::Subject>,
    at: usize,
    subject: R::Subject,
) -> bool {
    room.clear();
    rules.subjects(state, seat, room);
    room.get(at) == Some(&subject)
}
