//! Checks any game by random play. A game's test is three lines:
//!
//! ```ignore
//! Kit::new(rules, start).seeds(0..20).max_decisions(5_000).secrets().run().unwrap();
//! ```
//!
//! What is checked, at positions of random games:
//! - play reaches an end, without a dead end or a panic;
//! - every listed option is legal and applies; `verdict` and `apply` agree, in the same words, also for actions that
//!   are not listed (those of earlier positions, garbled texts), and a seat that is not asked may do nothing;
//! - whatever is legal is listed, or covered by something listed ([`Rules::covers`]): tried with actions that differ from
//!   listed ones in one part, another hex or one unit more or less ([`Kit::finds_unlisted`] shows that this works);
//! - notation round-trips for actions and subjects, and a filled template can be read;
//! - a state's serialized form round-trips;
//! - replay from the journal, resuming from a snapshot, undo and takeback give the same state, and the dice can be
//!   proved;
//! - views leak nothing: where two states differ only in what a viewer may not know ([`Rules::resample`] makes the
//!   second), the viewer's view, prompt, subjects, options, answers and log are equal; while decisions are taken in
//!   secret, what one seat decides changes nothing that another sees; and neither does a die that it may not see.
//!
//! A [`Failure`] holds the shortest game found that breaks the property.

mod golden;
mod labs;
mod leaks;
mod listed;
mod replay;
mod unlisted;
mod varied;
mod walk;
pub mod words;

use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

pub use golden::{BLESS, campaign, golden, playthrough};
pub use labs::{LAB, labs};

use crate::{Erased, Game, Pending, Rules, Seat, Setup, Viewer};

type Questions<'a, R> = Box<dyn Fn(&<R as Rules>::State, Viewer) -> Vec<String> + 'a>;

pub struct Kit<'a, R: Rules> {
    rules: Arc<R>,
    start: R::State,
    seats: u8,
    seeds: Range<u64>,
    max_decisions: usize,
    must_end: bool,
    every: u32,
    secrets: bool,
    questions: Option<Questions<'a, R>>,
}

impl<R: Rules> fmt::Debug for Kit<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kit")
            .field("seeds", &self.seeds)
            .field("max_decisions", &self.max_decisions)
            .finish_non_exhaustive()
    }
}

/// The short form, without secrets: see [`Kit`] for all settings.
pub fn check<R: Rules>(
    rules: Arc<R>,
    start: R::State,
    seeds: Range<u64>,
    max_decisions: usize,
) -> Result<Summary, Failure> {
    Kit::new(rules, start).seeds(seeds).max_decisions(max_decisions).run()
}

/// The same check for a type-erased game. It cannot look for leaks.
pub fn check_game(
    game: &Arc<dyn Game>,
    setup: &Setup,
    seeds: Range<u64>,
    max_decisions: usize,
) -> Result<Summary, Failure> {
    shortest(seeds, max_decisions, |seed, limit, trail| {
        walk::erased(game, setup, seed, limit, trail)?;
        replay::check(game, setup, seed, trail)
    })
}

impl<'a, R: Rules> Kit<'a, R> {
    pub fn new(rules: Arc<R>, start: R::State) -> Self {
        Kit {
            rules,
            start,
            seats: 2,
            seeds: 0..10,
            max_decisions: 10_000,
            must_end: true,
            every: 1,
            secrets: false,
            questions: None,
        }
    }

    #[must_use]
    pub fn seats(mut self, seats: u8) -> Self {
        self.seats = seats;
        self
    }

    #[must_use]
    pub fn seeds(mut self, seeds: Range<u64>) -> Self {
        self.seeds = seeds;
        self
    }

    /// A game that is not over after this many decisions fails, unless it [`Kit::may_stop`].
    #[must_use]
    pub fn max_decisions(mut self, max: usize) -> Self {
        self.max_decisions = max;
        self
    }

    /// Reaching the greatest number of decisions is no failure: for a quick look into long games.
    #[must_use]
    pub fn may_stop(mut self) -> Self {
        self.must_end = false;
        self
    }

    /// Examines only one position in this many closely (chosen at random).
    #[must_use]
    pub fn every(mut self, positions: u32) -> Self {
        self.every = positions.max(1);
        self
    }

    /// The game has secrets: a run in which [`Rules::resample`] changed nothing fails.
    #[must_use]
    pub fn secrets(mut self) -> Self {
        self.secrets = true;
        self
    }

    /// Questions whose answers must not leak secrets either.
    #[must_use]
    pub fn questions(mut self, questions: impl Fn(&R::State, Viewer) -> Vec<String> + 'a) -> Self {
        self.questions = Some(Box::new(questions));
        self
    }

    pub fn run(&self) -> Result<Summary, Failure> {
        let start = Box::new(Erased::new(Arc::clone(&self.rules), self.start.clone()));
        let game = replay::fixed(start, self.seats);
        let setup = replay::fixed_setup();
        let summary = shortest(self.seeds.clone(), self.max_decisions, |seed, limit, trail| {
            self.walk(seed, limit, trail)?;
            replay::check(&game, &setup, seed, trail)
        })?;
        if self.secrets && summary.resampled == 0 {
            let what = "`resample` changed nothing at any position, so no leak could be found".to_owned();
            return Err(Failure {
                seed: self.seeds.start,
                property: Property::Vacuous,
                what,
                journal: Vec::new(),
            });
        }
        Ok(summary)
    }

    fn viewers(&self) -> impl Iterator<Item = Viewer> {
        (0..self.seats).map(|n| Viewer::Seat(Seat(n))).chain([Viewer::Spectator])
    }
}

/// How much was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub games: usize,
    /// Games that reached their end.
    pub ended: usize,
    pub decisions: usize,
    pub dice: usize,
    /// Options tried on a copy.
    pub options: usize,
    /// Refusals compared between `verdict` and `apply`.
    pub refusals: usize,
    /// Decisions undone in a session.
    pub undone: usize,
    /// States that [`Rules::resample`] did change.
    pub resampled: usize,
    /// Legal actions for which a covering option was looked for.
    pub covered: usize,
    /// How many of `covered` differ from a listed option in one part.
    pub varied: usize,
}

impl Summary {
    fn add(&mut self, other: Summary) {
        self.games += other.games;
        self.ended += other.ended;
        self.decisions += other.decisions;
        self.dice += other.dice;
        self.options += other.options;
        self.refusals += other.refusals;
        self.undone += other.undone;
        self.resampled += other.resampled;
        self.covered += other.covered;
        self.varied += other.varied;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// Something panicked.
    Panic,
    /// A seat is asked but has nothing to choose from.
    DeadEnd,
    /// The game does not end within the greatest number of decisions.
    Endless,
    /// A listed option is refused.
    OptionsAreLegal,
    /// A legal action is not listed.
    LegalIsListed,
    /// `verdict` and `apply` say different things.
    VerdictAgrees,
    /// A seat that is not asked may act.
    SeatIsChecked,
    Notation,
    SubjectNotation,
    Template,
    Serialization,
    /// The same decisions and dice lead to a different state.
    Replay,
    Undo,
    /// A viewer sees what it must not know.
    ViewLeak,
    /// The log reveals something its reader must not know.
    LogLeak,
    /// A decision taken in secret shows before all have decided.
    SecretLeak,
    /// A seat can tell the value of a die that it may not see.
    RollLeak,
    /// A fact of the log has another type than clients expect ([`crate::Facts`]).
    Facts,
    /// Nothing was checked.
    Vacuous,
}

/// The shortest game found that breaks a property.
#[derive(Clone, PartialEq, Eq)]
pub struct Failure {
    pub seed: u64,
    pub property: Property,
    pub what: String,
    /// The decisions up to there: `seat: notation [dice]`.
    pub journal: Vec<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?} fails (seed {}): {}", self.property, self.seed, self.what)?;
        writeln!(f, "after {} decisions:", self.journal.len())?;
        for line in &self.journal {
            writeln!(f, "  {line}")?;
        }
        Ok(())
    }
}

/// So that `unwrap` in a test prints it readably.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl std::error::Error for Failure {}

struct Fault {
    property: Property,
    what: String,
}

fn fault(property: Property, what: impl Into<String>) -> Fault {
    Fault { property, what: what.into() }
}

/// A random game as it was played.
#[derive(Default)]
struct Trail {
    steps: Vec<Step>,
    summary: Summary,
    /// The last state as JSON.
    end: serde_json::Value,
}

struct Step {
    seat: Seat,
    action: String,
    rolls: Vec<u8>,
}

impl Trail {
    fn journal(&self) -> Vec<String> {
        let line = |step: &Step| {
            let dice = if step.rolls.is_empty() { String::new() } else { format!(" {:?}", step.rolls) };
            format!("{}: {}{dice}", step.seat.0, step.action)
        };
        self.steps.iter().map(line).collect()
    }
}

/// Play each seed; after a failure look among the remaining seeds for a shorter one of the same kind.
fn shortest(
    seeds: Range<u64>,
    max_decisions: usize,
    play: impl Fn(u64, usize, &mut Trail) -> Result<(), Fault>,
) -> Result<Summary, Failure> {
    let mut summary = Summary::default();
    let mut worst: Option<Failure> = None;
    for seed in seeds {
        let limit = worst.as_ref().map_or(max_decisions, |f| f.journal.len().saturating_sub(1));
        if limit == 0 {
            break;
        }
        let mut trail = Trail::default();
        let result = catch_unwind(AssertUnwindSafe(|| play(seed, limit, &mut trail)))
            .unwrap_or_else(|panic| Err(fault(Property::Panic, panic_text(&*panic))));
        match result {
            Ok(()) => summary.add(trail.summary),
            Err(Fault { property, what }) => {
                let same = worst.as_ref().is_none_or(|f| f.property == property);
                // A game that was cut short by the limit has not failed.
                if same && !(worst.is_some() && property == Property::Endless) {
                    worst = Some(Failure { seed, property, what, journal: trail.journal() });
                }
            }
        }
    }
    worst.map_or(Ok(summary), Err)
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap_or_else(|| "a panic without words".into())
}

fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A random index below `count`, which is not 0.
fn pick(rng: &mut dyn RngCore, count: usize) -> usize {
    rng.next_u32() as usize % count
}

fn waiting(pending: &Pending) -> Vec<Seat> {
    pending.seats().iter().collect()
}
