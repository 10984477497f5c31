//! The contract between a game and everything else, on one screen.

use rand_core::RngCore;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    Brief, Dice, DiceError, Entry, Log, Message, Refusal, Seat, SeatSet, Survey, Verdict, View, Viewer,
    log::Event, view::Changes,
};

/// A game's rules: pack, map, edition and options in force. Immutable while a game is played; may keep
/// thread-local scratch memory, so that nothing here allocates in steady state.
pub trait Rules: Send + Sync + 'static {
    /// The complete state, secrets included: plain data, cheap to clone.
    type State: Clone + Send + Sync + Serialize + DeserializeOwned + PartialEq + 'static;
    /// One decision, complete, or a skeleton that [`Rules::template`] says how to fill.
    type Action: Clone + Send + Sync + PartialEq + std::fmt::Debug + 'static;
    /// What a seat may act with: the phase, a stack, a unit, a hex, a hexside. Small and `Copy`.
    type Subject: Copy + Send + PartialEq + std::fmt::Debug + 'static;
    /// What happened. Plain facts; words are made in [`Rules::report`].
    type Event: Clone + Send + std::fmt::Debug + 'static;

    /// Who must decide now.
    fn pending(&self, state: &Self::State) -> Pending;
    /// The question put to this seat, in words.
    fn prompt(&self, state: &Self::State, seat: Seat) -> Prompt;
    /// Step one of choosing: everything this seat may act with now (pushed onto `out`; never empty while the
    /// seat is pending).
    fn subjects(&self, state: &Self::State, seat: Seat, out: &mut Vec<Self::Subject>);
    /// Pick one subject by its index without building the list: `choose` is given the number of subjects, if there are
    /// any, and returns the index. Games that know both without the list leave `out` empty.
    fn one_subject(
        &self,
        state: &Self::State,
        seat: Seat,
        out: &mut Vec<Self::Subject>,
        choose: impl FnOnce(usize) -> usize,
    ) -> Option<Self::Subject> {
        self.subjects(state, seat, out);
        chosen(out, choose)
    }
    /// Step two: what may be done with the subject (pushed onto `out`). Each option is legal as it stands, unless
    /// [`Rules::template`] says that it has to be filled in.
    fn options(&self, state: &Self::State, seat: Seat, subject: Self::Subject, out: &mut Vec<Self::Action>);
    /// For an action with parts (an attack by any of a dozen units): what must and may be named.
    fn template(&self, _state: &Self::State, _seat: Seat, _action: &Self::Action) -> Option<Template> {
        None
    }
    /// The label of the action's button, if its notation names something other than counters and places. None: the
    /// client derives the label from the notation.
    fn label(&self, _state: &Self::State, _seat: Seat, _action: &Self::Action) -> Option<Message> {
        None
    }
    /// Fills a listed action's open parts at random, without allocating; returns false if the attempt fails. Leaves
    /// complete actions alone.
    fn sample(&self, _: &Self::State, _: Seat, _action: &mut Self::Action, _rng: &mut dyn RngCore) -> bool {
        true
    }
    /// Is it legal? Answers for any action that can be written down; a refusal is the same as that of `apply`.
    fn verdict(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> Verdict;
    /// Applies the action. On an error the state may be half-changed: callers that apply unchecked actions or scripted
    /// dice work on a copy ([`crate::Erased`] does).
    fn apply(
        &self,
        state: &mut Self::State,
        seat: Seat,
        action: &Self::Action,
        dice: &mut Dice,
        log: &mut Log<Self::Event>,
    ) -> Result<(), Stop>;

    /// Does choosing `listed` offer `action` too? Every legal action must be covered by a listed option: by itself, by
    /// a skeleton whose [`Template`] it fills, or as this function says. Games that list one path to each destination
    /// accept any other path here.
    fn covers(
        &self,
        _state: &Self::State,
        _seat: Seat,
        listed: &Self::Action,
        action: &Self::Action,
    ) -> bool {
        listed == action
    }

    /// How long a decision's own text (its line in the journal) stays hidden from the other seats. `before` is the
    /// state in which it is taken. Games with hidden pieces return [`Secrecy::UntilOver`] where naming the action would
    /// reveal more than the log does.
    fn secrecy(&self, before: &Self::State, _seat: Seat, _action: &Self::Action) -> Secrecy {
        match self.pending(before) {
            Pending::Each(_) => Secrecy::UntilRevealed,
            _ => Secrecy::Open,
        }
    }
    /// What the other seats may read of a decision while [`Rules::secrecy`] hides its text, such as `order …`. None:
    /// they learn only that something was decided.
    fn redacted(&self, _before: &Self::State, _seat: Seat, _action: &Self::Action) -> Option<String> {
        None
    }

    /// Another possible state that this viewer cannot tell from the real one: hidden things are placed anew at random.
    /// None where nothing is hidden from the viewer. The test kit uses it to look for leaks, and bots decide from it.
    /// The new state needs a new [`crate::Stamp`], if the game has one.
    fn resample(&self, _state: &Self::State, _viewer: Viewer, _rng: &mut dyn RngCore) -> Option<Self::State> {
        None
    }

    /// What this viewer may know. Secrets are removed here, once.
    fn view(&self, state: &Self::State, viewer: Viewer) -> View;
    /// The number of the turn being played.
    fn turn(&self, state: &Self::State) -> u16 {
        self.view(state, Viewer::Referee).turn.map_or(0, |turn| turn.number)
    }
    /// The position as counts for statistics; games that count more than their view shows override this.
    fn survey(&self, state: &Self::State) -> Survey {
        Survey::of_view(&self.view(state, Viewer::Referee))
    }
    /// The difference between the views of two states, found without building them: what a server sends after each
    /// decision. None where a game has no faster way than comparing the two views.
    fn changes(&self, _before: &Self::State, _after: &Self::State, _viewer: Viewer) -> Option<Changes> {
        None
    }
    /// Events as log entries, with their audiences. `after` is the state they led to.
    fn report(&self, after: &Self::State, event: &Event<Self::Event>, out: &mut Vec<Entry>);
    /// Answers a question about the position: the lab's `ask`, and what the client shows when the player points at
    /// something (`moves A`, `odds A+B -> 1313`). Never reveals what [`Rules::view`] hides.
    fn ask(&self, state: &Self::State, viewer: Viewer, question: &str) -> Result<serde_json::Value, Ask>;

    /// Decision aids for the question that this seat is asked: chances, how many remain, where each answer leads. It is
    /// the answer to the question `brief`; never reveals what [`Rules::view`] hides.
    fn brief(&self, _state: &Self::State, _seat: Seat) -> Brief {
        Brief::default()
    }

    /// Canonical notation, both ways (`docs/NOTATION.md`).
    fn notate(&self, state: &Self::State, action: &Self::Action) -> String;
    fn parse(&self, state: &Self::State, seat: Seat, text: &str) -> Result<Self::Action, Refusal>;
    fn notate_subject(&self, state: &Self::State, subject: Self::Subject) -> String;
    fn parse_subject(&self, state: &Self::State, text: &str) -> Result<Self::Subject, Refusal>;
}

/// The chosen item of a list, if the list is not empty ([`Rules::one_subject`]).
pub fn chosen<T: Copy>(list: &[T], choose: impl FnOnce(usize) -> usize) -> Option<T> {
    if list.is_empty() { None } else { list.get(choose(list.len())).copied() }
}

/// Who must decide now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Pending {
    One(Seat),
    /// Each of these, in secret; nothing is shown until all have decided.
    Each(SeatSet),
    /// Any of these, in the open and in any order. A seat that has said that it is done, or has a [`crate::Standing`]
    /// answer, is no longer among them.
    Any(SeatSet),
    Over(Outcome),
}

impl Pending {
    pub fn awaits(&self, seat: Seat) -> bool {
        self.seats().contains(seat)
    }

    /// Everybody who may decide now; nobody when the game is over.
    pub fn seats(&self) -> SeatSet {
        match self {
            Pending::One(seat) => SeatSet::one(*seat),
            Pending::Each(seats) | Pending::Any(seats) => *seats,
            Pending::Over(_) => SeatSet::default(),
        }
    }

    /// The first of these seats: for programs that play all seats one after the other.
    pub fn first(&self) -> Option<Seat> {
        self.seats().iter().next()
    }
}

/// How long the text of a decision is hidden from the seats that did not take it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Secrecy {
    #[default]
    Open,
    /// Until every seat of this [`Pending::Each`] has decided.
    UntilRevealed,
    /// Until the game calls [`Log::disclose`] with this number, or is over. Of several decisions with the same number
    /// only the last is disclosed: an order that was changed later stays hidden.
    UntilDisclosed(u32),
    /// Until the game is over.
    UntilOver,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Outcome {
    /// None for a draw.
    pub winner: Option<Seat>,
    /// How it was won: the victory condition, with its rule.
    pub why: Message,
    pub rule: String,
}

/// The sentence at the top of the table that says what is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Prompt {
    pub message: Message,
    pub rule: String,
    /// Is a side being set up?
    #[serde(default)]
    pub set_up: bool,
}

impl Prompt {
    pub fn new(message: Message, rule: impl Into<String>) -> Prompt {
        Prompt { message, rule: rule.into(), set_up: false }
    }
}

/// An action with parts. The client shows a sheet to fill in; the filled text goes to `verdict`.
/// Its notation is `words` and filled slots in order, separated by blanks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Template {
    pub parts: Vec<Slot>,
    /// How slots depend on each other.
    pub ties: Vec<Tie>,
}

impl Template {
    /// A template whose slots do not depend on each other.
    pub fn of(parts: Vec<Slot>) -> Template {
        Template { parts, ties: Vec::new() }
    }

    /// Whether a value may be named in a slot, given what each slot names.
    pub fn allows<T: AsRef<str>>(&self, slot: usize, value: &str, filling: &[Vec<T>]) -> bool {
        self.ties.iter().filter(|tie| usize::from(tie.slot) == slot).all(|tie| {
            let named = filling.get(usize::from(tie.on)).map_or(&[][..], Vec::as_slice);
            match tie.kind {
                TieKind::Among => named.iter().any(|other| other.as_ref() == value),
                TieKind::Apart => !named.iter().any(|other| tie.excludes(other.as_ref(), value)),
            }
        })
    }
}

/// How what is named in one slot of a template restricts another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Tie {
    /// The slot that depends on another, and the other, as indices into [`Template::parts`].
    pub slot: u16,
    pub on: u16,
    pub kind: TieKind,
    /// For [`TieKind::Apart`]: sets of values of which only one of the two slots may name any.
    pub groups: Vec<Vec<String>>,
}

impl Tie {
    /// With [`TieKind::Apart`]: does naming `one` in the other slot exclude `other` from this one?
    fn excludes(&self, one: &str, other: &str) -> bool {
        let both = |group: &Vec<String>| group.iter().any(|v| v == one) && group.iter().any(|v| v == other);
        one == other || self.groups.iter().any(both)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TieKind {
    /// It may name only what the other slot names.
    Among,
    /// It may name nothing that the other slot names, and nothing of the same group.
    Apart,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Slot {
    /// Words that stand before the slot's values, such as `attack 1313 with`; left out when an optional slot
    /// stays empty.
    pub words: String,
    pub kind: SlotKind,
    /// Message key of the slot's heading, such as `slot.attackers`.
    pub label: String,
    /// What may be named here, in notation. Empty for pure words and amounts.
    pub candidates: Vec<String>,
    /// How many values may be named; for [`SlotKind::Amount`] the smallest and the greatest number.
    pub min: u16,
    pub max: u16,
    /// The values that a sensible player would start from.
    pub suggested: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SlotKind {
    Words,
    Units,
    Places,
    /// One of some words.
    Choice,
    /// Named by pointing out a path, hex by hex.
    Path,
    /// A number from `min` to `max`; left out, it is `min`.
    Amount,
}

/// Why `apply` stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    #[error("{0}")]
    Illegal(#[from] Refusal),
    #[error("{0}")]
    Dice(#[from] DiceError),
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Ask {
    #[error("unknown question `{0}`")]
    Unknown(String),
    #[error("{0}")]
    Bad(String),
    #[error("this viewer may not know that")]
    Secret,
}
