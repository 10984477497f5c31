//! One game being played: its session, who sits where, who looks on. Whoever wants to change it holds its lock
//! until the change is on disk, so nobody ever sees what could still be lost.

mod agree;
mod play;
mod show;

pub use show::{Change, encode};

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use kernel::journal::{FORMAT, Journal};
use kernel::{Game, Message, Seat, SeatSet, Session, Table, Viewer};
use tokio::sync::{mpsc, watch};

use crate::bots::Cancel;
use crate::clock::Clocks;
use crate::error::{Fault, Result};
use crate::ids;
use crate::protocol::{
    ChatLine, Clock, ErrorCode, GameDetail, GameSummary, Luck, ProposalView, SeatKind, SeatView, Status,
    Visibility,
};
use crate::record::{Record, What};
use crate::snapshot;
use crate::store::rows::{GameRow, SeatRow, SnapshotRow, StoredRecord};
use crate::store::{self, StoreError};

pub struct Room {
    pub row: GameRow,
    pub seats: Vec<SeatRow>,
    pub session: Session,
    /// The last record's number.
    pub seq: u32,
    /// The number of the last record that changed the position.
    pub moment: u32,
    /// For each record of the journal: its number here, and when.
    stamps: Vec<(u32, i64)>,
    /// The journal's record of each decision in force.
    in_force: Vec<usize>,
    /// Why bots decided as they did, by record of the journal.
    notes: HashMap<usize, Message>,
    /// For each record that took decisions back, or told what was secret before: its number, and up to which decision
    /// the log stands untouched.
    undone: Vec<(u32, u32)>,
    /// While several decide in secret: since which moment, and who has decided (or undone it) at which since then.
    /// They do not wait for each other, so what the others do meanwhile makes nobody's action stale.
    stage: (u32, Vec<(u32, Seat)>),
    /// The last record when the game was taken up.
    loaded: u32,
    chat: Vec<ChatLine>,
    timeout: bool,
    clocks: Clocks,
    /// What somebody proposes to the others.
    proposal: Option<ProposalView>,
    clients: Vec<Client>,
    next_client: u64,
    /// The position that clients were last sent.
    shown: Box<dyn Table>,
    pub thinking: HashMap<Seat, Arc<Cancel>>,
    /// What is being found out about this position.
    pub analyses: Vec<Weak<Cancel>>,
    /// What the dice of the finished game were worth, once somebody has asked.
    pub luck: Option<Arc<Luck>>,
    /// Can anything be hidden from a seat?
    pub secrets: bool,
    /// The journal's length when the last snapshot was taken.
    snapshot: usize,
    /// What its snapshots fit; found when the first is taken.
    pub version: Arc<OnceLock<Option<String>>>,
    changed: watch::Sender<u32>,
    /// Memory is ahead of the disk: read it again.
    pub broken: bool,
    /// The rules panicked since the last decision.
    failed: bool,
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
    /// Through whose eyes, if the client has said so.
    look: Option<Viewer>,
    viewer: Viewer,
    frames: mpsc::Sender<Utf8Bytes>,
}

/// The most chat lines that are kept in memory and sent.
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
            if let What::Deed { record, .. } = &record.what {
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
            in_force: Vec::new(),
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

    /// Take up a stored record. The session has folded the journal already.
    fn fold(&mut self, stored: &StoredRecord, record: Record) -> store::Result<()> {
        self.seq = stored.seq;
        if let Some(clocks) = record.clocks {
            self.clocks = clocks;
        }
        match record.what {
            What::Start => self.moment = self.seq,
            What::Deed { record, timeout, note } => {
                let n = self.stamps.len();
                self.moment = self.seq;
                self.stamps.push((self.seq, stored.at));
                self.timeout |= timeout;
                if let Some(note) = note {
                    self.notes.insert(n, note);
                }
                match record.deed {
                    kernel::journal::Deed::Act { .. } => self.in_force.push(n),
                    kernel::journal::Deed::Takeback { strikes, .. } => {
                        self.strike(&strikes);
                    }
                    kernel::journal::Deed::Resign => {}
                }
                // A request lapses when something is decided.
                if let Some(request) = self.session.request() {
                    let _ = self.session.withdraw_takeback(request.by);
                }
            }
            What::Proposed { by, what } => {
                self.proposal = Some(ProposalView { by, what, agreed: SeatSet::one(by) });
            }
            What::ProposalAnswered { seat, yes: true } => {
                if let Some(proposal) = &mut self.proposal {
                    proposal.agreed = proposal.agreed.with(seat);
                }
            }
            What::ProposalAnswered { yes: false, .. } | What::Paused { .. } | What::SeatChanged { .. } => {
                self.proposal = None;
            }
            What::TakebackAsked { by, to } => {
                // It was accepted when it was made; if it no longer can be, it has lapsed.
                let _ = self.session.request_takeback(by, Some(to as usize));
            }
            What::TakebackAgreed { seat } => {
                let _ = self.session.answer_takeback(seat, true);
            }
            What::TakebackRefused { seat } => {
                let _ = self.session.answer_takeback(seat, false);
            }
            What::Chat { name, seat, text } => {
                self.push_chat(ChatLine { seq: stored.seq, at: stored.at, name, seat, text });
            }
        }
        Ok(())
    }

    fn strike(&mut self, strikes: &[u32]) {
        let first = self.in_force.iter().position(|n| strikes.contains(&(*n as u32)));
        let untouched = first.unwrap_or(self.in_force.len());
        self.in_force.retain(|n| !strikes.contains(&(*n as u32)));
        self.undone.push((self.seq, untouched as u32));
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

    /// The seats of a user.
    pub fn held(&self, user: Option<&str>) -> SeatSet {
        let mut held = SeatSet::default();
        if let Some(user) = user {
            for seat in self.seats.iter().filter(|s| s.holder() == Some(user)) {
                held = held.with(seat.seat);
            }
        }
        held
    }

    /// Only the seat's holder acts.
    pub fn must_hold(&self, user: Option<&str>, seat: Seat) -> Result<()> {
        if self.held(user).contains(seat) {
            Ok(())
        } else {
            Err(Fault::new(ErrorCode::NotYourSeat, format!("you do not hold seat {}", seat.0)))
        }
    }

    /// May this user know that the game exists?
    pub fn may_look(&self, user: Option<&str>) -> Result<()> {
        let party = user
            .is_some_and(|u| self.row.host == u || self.seats.iter().any(|s| s.user.as_deref() == Some(u)));
        if self.row.visibility != Visibility::Private || party { Ok(()) } else { Err(Fault::not_found()) }
    }

    /// May this user see through these eyes? Everybody sees everything when the game is over.
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

    /// The rules panicked: everybody at the table is told, until the game goes on.
    pub fn tell_failure(&mut self) {
        self.failed = true;
        self.show_table(None);
    }

    /// Whoever is here with a client of their own.
    pub fn online(&self, seat: Seat) -> bool {
        self.clients.iter().any(|c| c.seats.contains(seat))
    }

    pub fn is_empty(&self) -> bool {
        self.clients.is_empty()
    }

    /// Somebody used it a moment ago.
    pub fn is_recent(&self) -> bool {
        self.used.elapsed() < std::time::Duration::from_secs(120)
    }

    /// How long the journal was when the snapshot was taken that this game was taken up from, or that was taken since.
    pub fn snapshot(&self) -> usize {
        self.snapshot
    }

    /// Tells the number of the last record, whenever there is a new one.
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

    /// Bring the row that lists show up to date. True if something has changed that must be written at once.
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
        // Lists sort by the minute.
        let fresh = now - row.updated < 60_000;
        if new == old && fresh {
            return false;
        }
        (row.status, row.awaiting, row.bot_due, row.deadline, row.turn) = new;
        row.updated = now;
        true
    }

    /// The clock the row announced may have been set back by a restart; returns what to write, or who has lost.
    pub fn check_clocks(&mut self, now: i64) -> Option<Seat> {
        if self.status() == Status::Playing { self.clocks.fallen(now) } else { None }
    }

    /// Do the clocks stand by agreement?
    pub fn is_paused(&self) -> bool {
        self.clocks.paused
    }

    /// A vacation is over.
    pub fn is_back(&self, now: i64) -> bool {
        self.status() == Status::Playing && self.clocks.back(now)
    }

    pub fn clock_row(&mut self, now: i64) -> Option<store::Statement> {
        self.refresh_row(now).then(|| self.row.update())
    }
}

/// The session, from its snapshot if there is one that fits, and how long the journal was when that was taken.
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
    /// Who acts for it.
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
