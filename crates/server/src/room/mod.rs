//! One game being played: its session, its players and its spectators. A change holds the room's lock until it is on
//! disk, so no client is ever shown anything that could still be lost.

mod agree;
mod play;
mod show;

pub use show::{Change, encode};

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use kernel::journal::{FORMAT, Journal};
use kernel::{Game, Message, Seat, SeatSet, Session, Table, Viewer};
use tokio::sync::{mpsc, watch};

use crate::bots::Cancel;
use crate::clock::Clocks;
use crate::error::{Fault, Result};
use crate::ids;
use crate::naming::Naming;
use crate::protocol::{
    ChatLine, Clock, ErrorCode, GameDetail, GameSummary, Luck, ProposalView, SeatKind, SeatView, Status,
    Visibility,
};
use crate::record::{Record, RecordKind};
use crate::snapshot;
use crate::store::rows::{GameRow, SeatRow, SnapshotRow, StoredRecord};
use crate::store::{self, StoreError};

pub struct Room {
    pub row: GameRow,
    pub seats: Vec<SeatRow>,
    pub session: Session,
    /// The number of the last record.
    pub seq: u32,
    /// The number of the last record that changed the position.
    pub moment: u32,
    /// For each record of the journal: its number in this room's sequence, and its time.
    stamps: Vec<(u32, i64)>,
    /// Why bots decided as they did, by index of the journal record.
    notes: HashMap<usize, Message>,
    /// For each record that took decisions back or revealed earlier secret ones: its number, and how many decisions at
    /// the start of the log are unchanged.
    undone: Vec<(u32, u32)>,
    /// While several seats decide in secret: the moment at which that began, and which seat has decided (or undone its
    /// decision) at which moment since. The seats do not wait for each other, so one seat's decision does not make
    /// another's action stale.
    stage: (u32, Vec<(u32, Seat)>),
    /// The last record when the game was loaded.
    loaded: u32,
    chat: Vec<ChatLine>,
    timeout: bool,
    clocks: Clocks,
    /// The open proposal of a player.
    proposal: Option<ProposalView>,
    clients: Vec<Client>,
    next_client: u64,
    /// The position that was last sent to clients.
    shown: Box<dyn Table>,
    pub thinking: HashMap<Seat, Arc<Cancel>>,
    /// Analyses of this position that are still running.
    pub analyses: Vec<Weak<Cancel>>,
    /// The luck of the dice of a finished game, once a client has asked for it.
    pub luck: Option<Arc<Luck>>,
    /// Whether this game can hide anything from a seat.
    pub secrets: bool,
    /// The length of the journal at the last snapshot.
    snapshot: usize,
    /// The version that snapshots of this game must match; computed when the first is taken.
    pub version: Arc<OnceLock<Option<String>>>,
    changed: watch::Sender<u32>,
    /// Memory is ahead of the disk: load the game again.
    pub broken: bool,
    /// The rules have panicked since the last decision.
    failed: bool,
    /// The cells of the map, once they are needed.
    pub(crate) cells: OnceLock<Arc<HashSet<String>>>,
    /// The names that each seat knows at this moment, once they are needed.
    pub(crate) namings: Mutex<(u32, Vec<(Seat, Naming)>)>,
    used: Instant,
}

impl std::fmt::Debug for Room {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Room").field("id", &self.row.id).field("seq", &self.seq).finish_non_exhaustive()
    }
}

/// A connection to this table.
#[derive(Debug)]
struct Client {
    id: u64,
    user: Option<String>,
    seats: SeatSet,
    /// The viewer that the client has chosen, if any.
    look: Option<Viewer>,
    viewer: Viewer,
    frames: mpsc::Sender<Utf8Bytes>,
}

/// How many chat lines are kept in memory and sent at most.
const CHAT: usize = 500;

impl Room {
    pub fn load(
        game: Arc<dyn Game>,
        row: GameRow,
        seats: Vec<SeatRow>,
        stored: &[StoredRecord],
        snapshot: Option<SnapshotRow>,
    ) -> store::Result<Self> {
        let broken = |what: String| StoreError::Broken(format!("game {}: {what}", row.id));
        let seed = ids::unhex32(&row.seed).ok_or_else(|| broken("its seed is not 64 hex digits".into()))?;
        let mut journal = Journal {
            format: FORMAT,
            setup: row.setup.clone(),
            commitment: Some(row.commitment.clone()),
            seed: None,
            records: Vec::new(),
        };
        let mut records = Vec::with_capacity(stored.len());
        for one in stored {
            let record = Record::read(one)?;
            if let RecordKind::Deed { record, .. } = &record.what {
                journal.records.push(record.clone());
            }
            records.push((one, record));
        }
        let secrets = game.secrets(&row.setup);
        let (session, snapshot) =
            resume(game, &row, journal, seed, snapshot).map_err(|e| broken(e.to_string()))?;
        let shown = session.table().clone_table();
        let (changed, _) = watch::channel(0);
        let mut room = Room {
            clocks: Clocks::new(&row.clock, seats.len()),
            session,
            row,
            seats,
            seq: 0,
            moment: 0,
            stamps: Vec::new(),
            notes: HashMap::new(),
            undone: Vec::new(),
            loaded: 0,
            stage: (0, Vec::new()),
            chat: Vec::new(),
            timeout: false,
            proposal: None,
            clients: Vec::new(),
            next_client: 0,
            shown,
            thinking: HashMap::new(),
            analyses: Vec::new(),
            luck: None,
            secrets,
            snapshot,
            version: Arc::default(),
            changed,
            broken: false,
            failed: false,
            cells: OnceLock::new(),
            namings: Mutex::default(),
            used: Instant::now(),
        };
        for (one, record) in records {
            room.fold(one, record)?;
        }
        room.clocks.resume(&room.row.clock, ids::now_ms());
        room.changed.send_replace(room.seq);
        room.loaded = room.seq;
        room.stage.0 = room.moment;
        Ok(room)
    }

    /// Apply a stored record while loading. The session has already replayed the journal.
    fn fold(&mut self, stored: &StoredRecord, record: Record) -> store::Result<()> {
        self.seq = stored.seq;
        if let Some(clocks) = record.clocks {
            self.clocks = clocks;
        }
        match record.what {
            RecordKind::Start => self.moment = self.seq,
            RecordKind::Deed { record, timeout, note } => {
                let n = self.stamps.len();
                self.moment = self.seq;
                self.stamps.push((self.seq, stored.at));
                self.timeout |= timeout;
                if let Some(note) = note {
                    self.notes.insert(n, note);
                }
                if let kernel::journal::Deed::Takeback { strikes, .. } = record.deed {
                    self.note_takeback(self.seq, &strikes);
                }
                // A takeback request lapses as soon as a decision is taken.
                if let Some(request) = self.session.request() {
                    let _ = self.session.withdraw_takeback(request.by);
                }
            }
            RecordKind::Proposed { by, what } => {
                self.proposal = Some(ProposalView { by, what, agreed: SeatSet::one(by) });
            }
            RecordKind::ProposalAnswered { seat, yes: true } => {
                if let Some(proposal) = &mut self.proposal {
                    proposal.agreed = proposal.agreed.with(seat);
                }
            }
            RecordKind::ProposalAnswered { yes: false, .. }
            | RecordKind::Paused { .. }
            | RecordKind::SeatChanged { .. } => {
                self.proposal = None;
            }
            RecordKind::TakebackAsked { by, to } => {
                // The request was accepted when it was made; if it is refused now, it has lapsed.
                let _ = self.session.request_takeback(by, Some(to as usize));
            }
            RecordKind::TakebackAgreed { seat } => {
                let _ = self.session.answer_takeback(seat, true);
            }
            RecordKind::TakebackRefused { seat } => {
                let _ = self.session.answer_takeback(seat, false);
            }
            RecordKind::Chat { name, seat, text } => {
                self.push_chat(ChatLine { seq: stored.seq, at: stored.at, name, seat, text });
            }
        }
        Ok(())
    }

    /// Record number `seq` has taken back the decisions of these journal records. While a game is loaded, decisions that
    /// were taken back later are already missing from the session; the later takeback counts them.
    fn note_takeback(&mut self, seq: u32, strikes: &[u32]) {
        let first = strikes.iter().min().map_or(usize::MAX, |n| *n as usize);
        let untouched = self.session.in_force().partition_point(|n| *n < first);
        self.undone.push((seq, untouched as u32));
    }

    fn push_chat(&mut self, line: ChatLine) {
        if self.chat.len() >= CHAT {
            self.chat.remove(0);
        }
        self.chat.push(line);
    }

    pub fn game(&self) -> &Arc<dyn Game> {
        self.session.game()
    }

    pub fn status(&self) -> Status {
        if self.session.is_over() {
            Status::Over
        } else if self.seats.iter().any(|s| matches!(s.kind, SeatKind::Open | SeatKind::Invited)) {
            Status::Waiting
        } else {
            Status::Playing
        }
    }

    /// The seats that a user holds.
    pub fn held(&self, user: Option<&str>) -> SeatSet {
        let mut held = SeatSet::default();
        if let Some(user) = user {
            for seat in self.seats.iter().filter(|s| s.holder() == Some(user)) {
                held = held.with(seat.seat);
            }
        }
        held
    }

    /// Only the holder of a seat may act for it.
    pub fn must_hold(&self, user: Option<&str>, seat: Seat) -> Result<()> {
        if self.held(user).contains(seat) {
            Ok(())
        } else {
            Err(Fault::new(ErrorCode::NotYourSeat, format!("you do not hold seat {}", seat.0)))
        }
    }

    /// Whether this user may know that the game exists.
    pub fn may_look(&self, user: Option<&str>) -> Result<()> {
        let party = user
            .is_some_and(|u| self.row.host == u || self.seats.iter().any(|s| s.user.as_deref() == Some(u)));
        if self.row.visibility != Visibility::Private || party { Ok(()) } else { Err(Fault::not_found()) }
    }

    /// Whether this user may see what `viewer` sees. When the game is over, everybody sees everything.
    pub fn may_be(&self, user: Option<&str>, viewer: Viewer) -> Result<()> {
        let allowed = match viewer {
            Viewer::Spectator => true,
            Viewer::Seat(seat) => {
                let exists = usize::from(seat.0) < self.seats.len();
                exists && (self.held(user).contains(seat) || self.session.is_over())
            }
            Viewer::Referee => self.session.is_over(),
        };
        if allowed {
            Ok(())
        } else {
            Err(Fault::new(ErrorCode::Secret, "you may not see through these eyes"))
        }
    }

    /// The rules panicked: show this to everybody at the table until the game continues.
    pub fn tell_failure(&mut self) {
        self.failed = true;
        self.show_table(None);
    }

    /// Whether a connected client holds this seat.
    pub fn online(&self, seat: Seat) -> bool {
        self.clients.iter().any(|c| c.seats.contains(seat))
    }

    pub fn is_empty(&self) -> bool {
        self.clients.is_empty()
    }

    /// Whether the room was used within the last two minutes.
    pub fn is_recent(&self) -> bool {
        self.used.elapsed() < std::time::Duration::from_secs(120)
    }

    /// The journal's length at the newest snapshot: the one the game was loaded from, or one taken since.
    pub fn snapshot(&self) -> usize {
        self.snapshot
    }

    /// A channel that receives the number of every new record.
    pub fn watch(&self) -> watch::Receiver<u32> {
        self.changed.subscribe()
    }

    pub fn summary(&self, user: Option<&str>) -> GameSummary {
        summary(&self.row, &self.seats, user, |seat| self.online(seat))
    }

    pub fn detail(&self, user: Option<&str>) -> GameDetail {
        GameDetail {
            summary: self.summary(user),
            setup: self.row.setup.clone(),
            host: user == Some(self.row.host.as_str()),
            analysis: self.row.analysis,
            secrets: self.secrets,
            commitment: self.row.commitment.clone(),
            seed: self.session.is_over().then(|| self.row.seed.clone()),
            imported: self.row.imported.map(|n| n as u32),
            failed: self.failed,
            rematch: self.row.rematch.clone(),
        }
    }

    /// Update the row that the game lists are made from. True if the row must be written.
    fn refresh_row(&mut self, now: i64) -> bool {
        let status = self.status();
        let awaiting =
            if status == Status::Playing { self.session.pending().seats() } else { SeatSet::default() };
        let bot = |s: &&SeatRow| s.kind == SeatKind::Bot && awaiting.contains(s.seat);
        let bot_due = i64::from(self.seats.iter().any(|s| bot(&s)));
        let deadline = match (&self.row.clock, status) {
            (Clock::None, _) => None,
            (_, Status::Playing) => self.clocks.deadline(),
            _ => None,
        };
        let turn = i64::from(self.session.table().turn());
        let new = (status, i64::from(awaiting.0), bot_due, deadline, turn);
        let row = &mut self.row;
        let old = (row.status, row.awaiting, row.bot_due, row.deadline, row.turn);
        // Lists are sorted by time to the minute, so a change of time alone is written once a minute.
        let fresh = now - row.updated < 60_000;
        if new == old && fresh {
            return false;
        }
        (row.status, row.awaiting, row.bot_due, row.deadline, row.turn) = new;
        row.updated = now;
        true
    }

    /// The seat that has run out of time, if any.
    pub fn check_clocks(&mut self, now: i64) -> Option<Seat> {
        if self.status() == Status::Playing { self.clocks.fallen(now) } else { None }
    }

    /// Whether the players have agreed to stop the clocks.
    pub fn is_paused(&self) -> bool {
        self.clocks.paused
    }

    /// Whether a vacation is over.
    pub fn is_back(&self, now: i64) -> bool {
        self.status() == Status::Playing && self.clocks.back(now)
    }

    pub fn clock_row(&mut self, now: i64) -> Option<store::Statement> {
        self.refresh_row(now).then(|| self.row.update())
    }
}

/// Restore the session, from its snapshot if one fits. Also returns the journal's length at that snapshot.
fn resume(
    game: Arc<dyn Game>,
    row: &GameRow,
    journal: Journal,
    seed: [u8; 32],
    stored: Option<SnapshotRow>,
) -> std::result::Result<(Session, usize), kernel::JournalError> {
    if let Some(stored) = stored {
        let found = snapshot::unpack(&*game, &row.setup, &stored).map_err(str::to_owned).and_then(|found| {
            let records = found.records();
            let session = Session::resume(Arc::clone(&game), journal.clone(), Some(seed), Some(found));
            session.map(|session| (session, records)).map_err(|error| error.to_string())
        });
        match found {
            Ok(found) => return Ok(found),
            Err(why) => tracing::warn!(game = row.id, why, "the snapshot is not used"),
        }
    }
    Ok((Session::resume(game, journal, Some(seed), None)?, 0))
}

impl SeatRow {
    /// The user who acts for this seat.
    pub fn holder(&self) -> Option<&str> {
        if self.kind == SeatKind::Person { self.user.as_deref() } else { None }
    }
}

pub fn summary(
    row: &GameRow,
    seats: &[SeatRow],
    user: Option<&str>,
    online: impl Fn(Seat) -> bool,
) -> GameSummary {
    let me = |s: &SeatRow| user.is_some() && s.holder() == user;
    GameSummary {
        id: row.id.clone(),
        game: row.setup.game.clone(),
        scenario: row.setup.scenario.clone(),
        title: row.title.clone(),
        status: row.status,
        visibility: row.visibility,
        clock: row.clock.clone(),
        seats: seats
            .iter()
            .map(|s| SeatView {
                seat: s.seat,
                kind: s.kind,
                name: s.name.clone(),
                away: s.kind == SeatKind::Bot && s.user.is_some() && s.user.as_deref() == user,
                level: s.level.clone(),
                me: me(s),
                online: online(s.seat),
            })
            .collect(),
        mine: seats.iter().filter(|s| me(s)).map(|s| s.seat).collect(),
        awaiting: SeatSet(row.awaiting as u8),
        turn: row.turn as u16,
        created: row.created,
        updated: row.updated,
        archived: seats.iter().any(|s| s.archived && s.user.as_deref() == user && user.is_some()),
    }
}
