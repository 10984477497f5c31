//! A game being played: table, journal and dice together, with undo, takebacks and what each viewer may read.

use std::collections::HashSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::dice::{Seed, commitment};
use crate::journal::{Deed, Fold, Journal, JournalError};
use crate::{
    Applied, Arg, Audience, Dice, Entry, Game, Message, Outcome, Pending, Refusal, Seat, SeatSet, Secrecy,
    Setup, Stop, Table, Viewer,
};

pub struct Session {
    game: Arc<dyn Game>,
    journal: Journal,
    fold: Fold,
    dice: Dice,
    /// What the decisions in force did: one for each entry of `fold.live`.
    decisions: Vec<Decision>,
    resigned: Option<Seat>,
    request: Option<Request>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("journal", &self.journal)
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}

/// A decision in force and its effects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Decision {
    record: usize,
    seat: Seat,
    #[serde(flatten)]
    applied: Applied,
    /// Taken in secret, as one of several simultaneous decisions.
    each: bool,
    /// The last of those: it reveals what was decided in secret.
    closes: bool,
}

impl Decision {
    /// May it still be undone without asking the others?
    fn free(&self) -> Result<(), Refusal> {
        if !self.applied.rolls.is_empty() {
            Err(refuse("kernel.undo_rolled"))
        } else if self.applied.revealed || self.closes {
            Err(refuse("kernel.undo_revealed"))
        } else {
            Ok(())
        }
    }
}

/// The effects of [`Session::act`], secrets included. [`Session::log`] tells what a viewer may read of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    pub applied: Applied,
    /// The log may read differently than before from this decision on: the decision itself, or the first of those that
    /// were secret until now.
    pub from: usize,
}

/// A takeback request that waits for an answer. It lapses when somebody takes a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub by: Seat,
    /// How many decisions would remain.
    pub to: usize,
    /// Who has agreed so far.
    pub agreed: SeatSet,
}

/// One line of the log, as a viewer may read it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The decision it belongs to, counted from 0.
    pub decision: usize,
    pub entry: Entry,
}

/// One decision, as a viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Move {
    pub seat: Seat,
    /// None while the decision is secret from this viewer; then its dice are hidden, too.
    pub action: Option<String>,
    /// What may be read of the decision while it is secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
    /// The dice that this viewer may see.
    pub rolls: Vec<u8>,
}

/// A session's state at one point of its journal. It only makes resuming faster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Number of journal records that led to the state.
    records: usize,
    /// Digest of the journal at that record.
    tip: String,
    state: Value,
    decisions: Vec<Decision>,
}

impl Snapshot {
    /// Number of journal records that led to the snapshot.
    pub fn records(&self) -> usize {
        self.records
    }
}

impl Session {
    /// A new game with dice fixed by a seed. The seed is not in the journal: keep it, and
    /// [`Journal::reveal`] it when the game is over.
    pub fn open(game: Arc<dyn Game>, setup: Setup, seed: Seed) -> Result<Self, JournalError> {
        let journal = Journal::new(setup, Some(&seed));
        Session::start(game, journal, Dice::seeded(seed, 0))
    }

    /// A new game with dice that show these values: for tests.
    pub fn scripted(game: Arc<dyn Game>, setup: Setup, values: Vec<u8>) -> Result<Self, JournalError> {
        Session::start(game, Journal::new(setup, None), Dice::scripted(values))
    }

    fn start(game: Arc<dyn Game>, journal: Journal, dice: Dice) -> Result<Self, JournalError> {
        let fold = Fold::start(journal.open(&*game)?);
        Ok(Session { game, journal, fold, dice, decisions: Vec::new(), resigned: None, request: None })
    }

    /// Resumes a game. `seed` is for a journal that does not contain its own; without any seed the game can be read and
    /// replayed, but every roll of the dice fails.
    pub fn resume(
        game: Arc<dyn Game>,
        journal: Journal,
        seed: Option<Seed>,
        snapshot: Option<Snapshot>,
    ) -> Result<Self, JournalError> {
        journal.verify()?;
        let dice = match seed.or(journal.seed()?) {
            None => Dice::scripted(Vec::new()),
            Some(seed) if journal.commitment.as_ref().is_some_and(|c| *c != commitment(&seed)) => {
                return Err(JournalError::WrongSeed);
            }
            Some(seed) => Dice::seeded(seed, journal.dice_position()),
        };
        let head = Journal { records: Vec::new(), ..journal.clone() };
        let mut session = Session::start(game, head, dice)?;
        let mut from = 0;
        if let Some(snapshot) = snapshot {
            from = snapshot.records;
            let belongs = from
                .checked_sub(1)
                .and_then(|last| journal.records.get(last))
                .is_some_and(|record| record.digest == snapshot.tip);
            if !belongs {
                return Err(JournalError::ForeignSnapshot);
            }
            let start = session.fold.table;
            let mut table = start.clone_table();
            table.restore(&snapshot.state)?;
            let live = snapshot.decisions.iter().map(|d| d.record).collect();
            session.fold = Fold::from_snapshot(start, table, live);
            session.decisions = snapshot.decisions;
        }
        session.journal = journal;
        for n in from..session.journal.records.len() {
            session.fold_record(n)?;
        }
        // A resignation ends the journal and changes no state, so a snapshot may have been taken after it.
        session.resigned = session.journal.records.last().and_then(|r| match r.deed {
            Deed::Resign => Some(r.seat),
            _ => None,
        });
        Ok(session)
    }

    fn fold_record(&mut self, n: usize) -> Result<(), JournalError> {
        match &self.journal.records[n].deed {
            Deed::Act { .. } => {
                let seat = self.journal.records[n].seat;
                let each = self.secret();
                let applied = self.fold.act_recorded(&self.journal.records, n)?;
                self.note(n, seat, applied, each);
            }
            Deed::Takeback { strikes, .. } => {
                let strikes = strikes.clone();
                self.strike(&strikes)?;
            }
            Deed::Resign => {}
        }
        Ok(())
    }

    /// Are decisions being taken in secret at the moment?
    fn secret(&self) -> bool {
        matches!(self.fold.table.pending(), Pending::Each(_))
    }

    fn note(&mut self, record: usize, seat: Seat, applied: Applied, each: bool) {
        let closes = each && (applied.revealed || !self.secret());
        self.decisions.push(Decision { record, seat, applied, each, closes });
    }

    fn strike(&mut self, strikes: &[u32]) -> Result<(), JournalError> {
        let (untouched, again) = self.fold.strike(strikes, &self.journal.records)?;
        let rest = self.decisions.split_off(untouched);
        let kept = rest.into_iter().filter(|d| !strikes.contains(&(d.record as u32)));
        for (mut decision, applied) in kept.zip(again) {
            decision.applied = applied;
            self.decisions.push(decision);
        }
        Ok(())
    }

    /// Index of the first decision that is still secret; the number of all decisions if none is.
    fn secret_from(&self) -> usize {
        if !self.secret() {
            return self.decisions.len();
        }
        let open = self.decisions.iter().rev().take_while(|d| d.each && !d.closes).count();
        self.decisions.len() - open
    }

    pub fn game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    /// The position, for views, subjects, options, verdicts and questions.
    pub fn table(&self) -> &dyn Table {
        &*self.fold.table
    }

    /// The complete journal, including everything that is still secret. For storage, never for players.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The journal's record numbers of the decisions in force, in order.
    pub fn in_force(&self) -> &[usize] {
        &self.fold.live
    }

    /// How many decisions are in force.
    pub fn len(&self) -> usize {
        self.decisions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.decisions.is_empty()
    }

    /// The position after the first `count` decisions in force: for replays. Positions passed on the way are kept, so
    /// that the next step from there is cheap.
    pub fn table_at(&mut self, count: usize) -> Result<Box<dyn Table>, JournalError> {
        self.fold.at(count.min(self.decisions.len()), &self.journal.records)
    }

    /// Does the log or the history contain anything that not every seat may know?
    pub fn has_private_lines(&self) -> bool {
        self.decisions.iter().any(|d| {
            matches!(d.applied.secrecy, Secrecy::UntilOver | Secrecy::UntilDisclosed(_))
                || !d.applied.secret_rolls.is_empty()
                || d.applied.entries.iter().any(|e| e.audience != Audience::All)
        })
    }

    /// Who must decide now. A resignation also ends the game.
    pub fn pending(&self) -> Pending {
        let Some(loser) = self.resigned else { return self.fold.table.pending() };
        let seats = &self.game.info().seats;
        let name = seats.get(usize::from(loser.0)).map_or_else(String::new, |s| s.name.clone());
        Pending::Over(Outcome {
            winner: (seats.len() == 2 && loser.0 < 2).then(|| loser.other()),
            why: Message::new("kernel.resigned").with("side", Arg::Term(name.into())),
            rule: "-".into(),
        })
    }

    pub fn is_over(&self) -> bool {
        matches!(self.pending(), Pending::Over(_))
    }

    /// Take a decision, given in notation. On an error nothing has changed.
    pub fn act(&mut self, seat: Seat, text: &str) -> Result<Done, Stop> {
        let pending = self.pending();
        if !pending.awaits(seat) {
            return Err(not_awaited(&pending).into());
        }
        let secret_from = self.secret_from();
        let each = self.secret();
        let record = self.journal.records.len();
        let applied = self.fold.act(record, seat, text, &mut self.dice)?;
        self.journal.push(
            seat,
            Deed::Act {
                action: applied.action.clone(),
                rolls: applied.rolls.clone(),
                at: self.dice.position(),
            },
        );
        self.request = None;
        let from = if each { secret_from } else { self.decisions.len() };
        self.note(record, seat, applied.clone(), each);
        Ok(Done { applied, from })
    }

    /// Give the game up.
    pub fn resign(&mut self, seat: Seat) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(refuse("kernel.game_over"));
        }
        if usize::from(seat.0) >= self.game.info().seats.len() {
            return Err(refuse("kernel.not_awaited"));
        }
        self.journal.push(seat, Deed::Resign);
        self.resigned = Some(seat);
        self.request = None;
        Ok(())
    }

    /// The decision that [`Session::undo`] would undo for this seat.
    pub fn undoable(&self, seat: Seat) -> Result<usize, Refusal> {
        if self.resigned.is_some() {
            return Err(refuse("kernel.game_over"));
        }
        let open = self.secret_from();
        // Secret decisions that others take meanwhile do not prevent an undo.
        let own = self.decisions[open..].iter().rposition(|d| d.seat == seat).map(|at| open + at);
        let last =
            own.or(self.decisions.len().checked_sub(1)).ok_or_else(|| refuse("kernel.undo_nothing"))?;
        let decision = &self.decisions[last];
        if decision.seat != seat {
            return Err(refuse("kernel.undo_other"));
        }
        decision.free()?;
        Ok(last)
    }

    /// Undoes one's own last decision, if no die has been rolled, nothing hidden has been shown and nobody else has
    /// decided since then. Returns the number of the decision undone.
    pub fn undo(&mut self, seat: Seat) -> Result<usize, Refusal> {
        let at = self.undoable(seat)?;
        let strikes = vec![self.decisions[at].record as u32];
        self.take_back(seat, strikes, SeatSet::default())?;
        Ok(at)
    }

    /// Asks to go back further than [`Session::undo`] allows, so that `to` decisions remain (by default: to before
    /// one's own last). All other seats must agree. The dice stream continues where it is: nothing can be rolled again.
    pub fn request_takeback(&mut self, seat: Seat, to: Option<usize>) -> Result<Request, Refusal> {
        if self.resigned.is_some() {
            return Err(refuse("kernel.game_over"));
        }
        if self.request.is_some() {
            return Err(refuse("kernel.takeback_open"));
        }
        if usize::from(seat.0) >= self.game.info().seats.len() {
            return Err(refuse("kernel.not_awaited"));
        }
        let own = || self.decisions.iter().rposition(|d| d.seat == seat);
        let to = to.or_else(own).ok_or_else(|| refuse("kernel.undo_nothing"))?;
        if to >= self.decisions.len() {
            let all = self.decisions.len() as i64;
            return Err(Refusal::plain(Message::new("kernel.takeback_range").number("n", all)));
        }
        let request = Request { by: seat, to, agreed: SeatSet::default() };
        self.request = Some(request);
        Ok(request)
    }

    /// The takeback request that waits for an answer.
    pub fn request(&self) -> Option<Request> {
        self.request
    }

    /// Agrees to a takeback or declines it. Returns true if it took place now.
    pub fn answer_takeback(&mut self, seat: Seat, agree: bool) -> Result<bool, Refusal> {
        let mut request = self.request.ok_or_else(|| refuse("kernel.takeback_none"))?;
        let seats = self.game.info().seats.len();
        if seat == request.by || usize::from(seat.0) >= seats {
            return Err(refuse("kernel.takeback_own"));
        }
        if !agree {
            self.request = None;
            return Ok(false);
        }
        request.agreed = request.agreed.with(seat);
        self.request = Some(request);
        if request.agreed.iter().count() + 1 < seats {
            return Ok(false);
        }
        self.request = None;
        let strikes = self.decisions[request.to..].iter().map(|d| d.record as u32).collect();
        self.take_back(request.by, strikes, request.agreed)?;
        Ok(true)
    }

    /// Withdraw one's own request.
    pub fn withdraw_takeback(&mut self, seat: Seat) -> Result<(), Refusal> {
        match self.request {
            Some(request) if request.by == seat => {
                self.request = None;
                Ok(())
            }
            Some(_) => Err(refuse("kernel.takeback_own")),
            None => Err(refuse("kernel.takeback_none")),
        }
    }

    fn take_back(&mut self, seat: Seat, strikes: Vec<u32>, agreed: SeatSet) -> Result<(), Refusal> {
        self.strike(&strikes).map_err(|_| refuse("kernel.undo_bound"))?;
        self.journal.push(seat, Deed::Takeback { strikes, agreed });
        self.request = None;
        Ok(())
    }

    /// The log from a decision on, as this viewer may read it. Decisions taken in secret are told to nobody else until
    /// all have decided, whatever audience the game gave them.
    pub fn log(&self, viewer: Viewer, from: usize) -> Vec<Line> {
        let secret_from = self.secret_from();
        let mut lines = Vec::new();
        for (n, decision) in self.decisions.iter().enumerate().skip(from) {
            if n >= secret_from && !viewer.knows(decision.seat) {
                continue;
            }
            for entry in decision.applied.entries.iter().filter(|e| e.audience.includes(viewer)) {
                lines.push(Line { decision: n, entry: entry.clone() });
            }
        }
        lines
    }

    /// The decisions in force, as this viewer may know them.
    pub fn history(&self, viewer: Viewer) -> Vec<Move> {
        let secret_from = self.secret_from();
        let over = self.is_over();
        // The moves are built from last to first, so this holds what later decisions disclosed.
        let mut disclosed = HashSet::new();
        let mut moves: Vec<Move> = Vec::with_capacity(self.decisions.len());
        for (n, decision) in self.decisions.iter().enumerate().rev() {
            let applied = &decision.applied;
            disclosed.extend(applied.disclosed.iter().copied());
            let hidden = match applied.secrecy {
                // A decision taken while others decide in secret is secret, whatever the game says.
                Secrecy::Open | Secrecy::UntilRevealed => n >= secret_from,
                // Of several decisions with this number the last is disclosed.
                Secrecy::UntilDisclosed(number) => {
                    let shown = disclosed.remove(&number);
                    n >= secret_from || !over && !shown
                }
                Secrecy::UntilOver => !over,
            };
            let hidden = hidden && !viewer.knows(decision.seat);
            let reader = if over { Viewer::Referee } else { viewer };
            moves.push(Move {
                seat: decision.seat,
                action: (!hidden).then(|| applied.action.clone()),
                redacted: applied.redacted.clone().filter(|_| hidden && n < secret_from),
                rolls: if hidden { Vec::new() } else { applied.rolls_for(reader) },
            });
        }
        moves.reverse();
        moves
    }

    /// A snapshot to resume faster. None before the first record, when there is nothing to save.
    pub fn snapshot(&self) -> Option<Snapshot> {
        let tip = self.journal.records.last()?.digest.clone();
        Some(Snapshot {
            records: self.journal.records.len(),
            tip,
            state: self.fold.table.snapshot(),
            decisions: self.decisions.clone(),
        })
    }
}

pub(crate) fn not_awaited(pending: &Pending) -> Refusal {
    let key = if matches!(pending, Pending::Over(_)) { "kernel.game_over" } else { "kernel.not_awaited" };
    Refusal::out_of_turn("-", Message::new(key))
}

fn refuse(key: &'static str) -> Refusal {
    Refusal::plain(Message::new(key))
}
