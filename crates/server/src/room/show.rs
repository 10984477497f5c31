//! What each client is sent: every record once, as its viewer may see it.

use std::collections::HashMap;
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use kernel::{Audience, Entry, Pending, Seat, SeatSet, Topic, Viewer};
use tokio::sync::mpsc;

use super::{Client, Room};
use crate::ids;
use crate::patch;
use crate::protocol::{
    ChatLine, Frame, FrameRate, GameResult, HowEnded, LogLine, Looked, Now, PROTOCOL, SeatKind, Status,
    TakebackView, Update, Welcome,
};
use crate::store::rows::as_json;

/// What a record changed.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// The position or who must decide has changed.
    pub position: bool,
    /// Send the log again from this decision on.
    pub lines_from: Option<usize>,
    /// How many decisions at the start of the log are unchanged.
    pub undone: Option<u32>,
    pub chat: Option<ChatLine>,
}

impl Change {
    /// Whether somebody asks for a takeback or agrees to one.
    pub fn is_request(&self) -> bool {
        !self.position && self.chat.is_none()
    }

    pub fn back_to(decisions: usize) -> Self {
        Change { position: true, lines_from: Some(decisions), undone: Some(decisions as u32), chat: None }
    }
}

impl Room {
    /// The viewer of a client that holds these seats and has not chosen one: a seat that must decide, else the viewer
    /// it had before.
    fn follow(&self, seats: SeatSet, before: Viewer) -> Viewer {
        let deciding = self.session.pending().seats().and(seats);
        match (deciding.iter().next(), before) {
            (_, Viewer::Seat(seat)) if deciding.contains(seat) => before,
            (Some(seat), _) => Viewer::Seat(seat),
            (None, Viewer::Seat(seat)) if seats.contains(seat) => before,
            (None, _) => seats.iter().next().map_or(Viewer::Spectator, Viewer::Seat),
        }
    }

    pub fn viewer_of(&self, seats: SeatSet) -> Viewer {
        self.follow(seats, Viewer::Spectator)
    }

    /// Whether the seats held by one client know different things now, so the screen must be handed over behind a
    /// curtain.
    fn curtain(&self, seats: SeatSet) -> bool {
        let mut seats = seats.iter();
        let (Some(first), Some(second)) = (seats.next(), seats.next()) else { return false };
        if self.session.is_over() {
            return false;
        }
        if matches!(self.session.pending(), Pending::Each(_)) {
            return true;
        }
        if !self.secrets {
            return false;
        }
        let view = |seat| self.session.table().view(Viewer::Seat(seat));
        let one = view(first);
        [second].into_iter().chain(seats).any(|seat| view(seat) != one) || self.session.has_private_lines()
    }

    pub fn now(&self, viewer: Viewer, seats: SeatSet) -> Now {
        let status = self.status();
        let pending = self.session.pending();
        let table = self.session.table();
        let mut asks = Vec::new();
        if status == Status::Playing {
            for seat in seats.iter().filter(|s| pending.awaits(*s)) {
                asks.push(self.naming_now(seat).ask(table, seat));
            }
        }
        let result = match &pending {
            Pending::Over(outcome) => Some(GameResult { how: self.how_ended(), outcome: outcome.clone() }),
            _ => None,
        };
        Now {
            seq: self.seq,
            moment: self.moment,
            decision: self.session.len() as u32,
            viewer,
            status,
            asks,
            curtain: self.curtain(seats),
            undo: match status {
                Status::Waiting | Status::Over => Vec::new(),
                Status::Playing => seats.iter().filter(|s| self.session.undoable(*s).is_ok()).collect(),
            },
            paused: self.clocks.paused,
            vacation: self.clocks.vacation,
            proposal: self.proposal.clone(),
            takeback: self.session.request().map(|r| TakebackView { by: r.by, agreed: r.agreed }),
            clocks: self.clocks.view(&self.row.clock, ids::now_ms()),
            pending,
            result,
        }
    }

    fn how_ended(&self) -> HowEnded {
        use kernel::journal::Deed;
        match self.session.journal().records.last().map(|r| &r.deed) {
            Some(Deed::Resign) if self.timeout => HowEnded::Timeout,
            Some(Deed::Resign) => HowEnded::Resigned,
            _ => HowEnded::Played,
        }
    }

    /// The log from decision `from` on, as this viewer may read it.
    pub fn lines(&self, viewer: Viewer, from: usize) -> Vec<LogLine> {
        let mut lines: Vec<LogLine> = self
            .session
            .log(viewer, from)
            .into_iter()
            .map(|line| self.line(line.decision, line.entry))
            .collect();
        // A bot's reasons could give away what it hides.
        if !self.notes.is_empty() && (!self.secrets || self.session.is_over()) {
            for (decision, record) in self.session.in_force().iter().enumerate().skip(from) {
                if let Some(note) = self.notes.get(record) {
                    let entry = Entry {
                        audience: Audience::All,
                        seat: Some(self.session.journal().records[*record].seat),
                        topic: Topic::Reason,
                        message: note.clone(),
                        level: 2,
                        data: serde_json::json!({ "kind": "reason" }),
                    };
                    let at = lines.partition_point(|l| l.decision <= decision as u32 + 1);
                    lines.insert(at, self.line(decision, entry));
                }
            }
        }
        lines
    }

    /// The log lines of one decision.
    pub fn lines_of(&self, viewer: Viewer, decision: usize) -> Vec<LogLine> {
        let mut lines = self.lines(viewer, decision);
        lines.retain(|line| line.decision == decision as u32 + 1);
        lines
    }

    fn line(&self, decision: usize, entry: Entry) -> LogLine {
        let stamp = self.session.in_force().get(decision).and_then(|n| self.stamps.get(*n));
        let (seq, at) = stamp.copied().unwrap_or((self.seq, 0));
        LogLine { seq, decision: decision as u32 + 1, at, entry }
    }

    /// Everything a client needs on entering; after a broken connection, only the part of the log and the chat that it
    /// missed.
    pub fn welcome(&self, user: Option<&str>, viewer: Viewer, since: Option<u32>) -> Welcome {
        let seats = self.held(user);
        // Resuming a log in a game with secrets has two limits: a client with several seats is sent the log of the seat
        // it looks through, which may have changed; and when a secret was revealed is known only since the game was
        // loaded.
        let resumable = |s: u32| !self.secrets || (seats.iter().count() < 2 && s >= self.loaded);
        let since = since.filter(|s| *s > 0 && *s <= self.seq && resumable(*s)).unwrap_or(0);
        let (from, undone) = self.missed(since);
        Welcome {
            protocol: PROTOCOL,
            game: self.detail(user),
            seats: seats.iter().collect(),
            now: self.now(viewer, seats),
            view: self.session.table().view(viewer),
            from: since,
            undone,
            lines: self.lines(viewer, from),
            chat: self.chat.iter().filter(|c| c.seq > since).cloned().collect(),
            frames: None,
        }
    }

    /// The decision from which on the log differs from the one at `since`, and, if decisions were taken back since, how
    /// many at the start are unchanged.
    fn missed(&self, since: u32) -> (usize, Option<u32>) {
        if since == 0 {
            return (0, None);
        }
        let known = self
            .session
            .in_force()
            .iter()
            .take_while(|n| self.stamps.get(**n).is_some_and(|s| s.0 <= since))
            .count();
        let undone = self.undone.iter().filter(|(seq, _)| *seq > since).map(|(_, n)| *n as usize).min();
        let untouched = known.min(undone.unwrap_or(known));
        (untouched, undone.map(|_| untouched as u32))
    }

    /// Add a client: from now on it is sent every record.
    pub fn enter(
        &mut self,
        user: Option<String>,
        since: Option<u32>,
        rate: FrameRate,
        frames: mpsc::Sender<Utf8Bytes>,
    ) -> u64 {
        let seats = self.held(user.as_deref());
        let viewer = self.viewer_of(seats);
        let welcome = Welcome { frames: Some(rate), ..self.welcome(user.as_deref(), viewer, since) };
        let frame = Frame::Welcome(Box::new(welcome));
        // The channel is new and empty, so this cannot fail.
        let _ = frames.try_send(encode(&frame));
        for (seat, cancel) in &self.thinking {
            let thinking = Frame::Thinking { seat: *seat, on: true, progress: cancel.progress() };
            let _ = frames.try_send(encode(&thinking));
        }
        let id = self.next_client;
        self.next_client += 1;
        let arrives = !seats.is_empty() && !seats.iter().all(|s| self.online(s));
        self.clients.push(Client { id, user, seats, look: None, viewer, frames });
        if arrives {
            self.show_table(Some(id));
        }
        id
    }

    pub fn leave(&mut self, client: u64) {
        let Some(at) = self.clients.iter().position(|c| c.id == client) else { return };
        let gone = self.clients.swap_remove(at);
        self.used = Instant::now();
        if !gone.seats.is_empty() {
            self.show_table(None);
        }
    }

    /// Disconnect all clients, because the server is stopping.
    pub fn dismiss(&mut self) {
        self.clients.clear();
        for cancel in self.thinking.values() {
            cancel.set();
        }
    }

    /// Change the viewer of a client; `None` follows the seat that must decide.
    pub fn look(&mut self, client: u64, look: Option<Viewer>) {
        let Some(at) = self.clients.iter().position(|c| c.id == client) else { return };
        let seats = self.clients[at].seats;
        let viewer = look.unwrap_or_else(|| self.follow(seats, self.clients[at].viewer));
        self.clients[at].look = look;
        self.clients[at].viewer = viewer;
        let view = self.session.table().view(viewer);
        let lines = self.lines(viewer, 0);
        let frame = encode(&Frame::Looked(Box::new(Looked { now: self.now(viewer, seats), view, lines })));
        self.send(at, frame);
    }

    /// Seats may have changed hands: determine again which seats each client holds.
    pub fn reseat(&mut self) {
        for at in 0..self.clients.len() {
            let seats = self.held(self.clients[at].user.as_deref());
            if seats != self.clients[at].seats {
                self.clients[at].seats = seats;
                let id = self.clients[at].id;
                self.look(id, None);
            }
        }
        self.show_table(None);
    }

    /// Send who holds which seat and who is online to all clients but one.
    pub fn show_table(&mut self, but: Option<u64>) {
        for at in 0..self.clients.len() {
            if Some(self.clients[at].id) != but {
                let game = Box::new(self.detail(self.clients[at].user.as_deref()));
                self.send(at, encode(&Frame::Table { game }));
            }
        }
        self.drop_slow();
    }

    pub fn show_thinking(&mut self, seat: Seat, on: bool, progress: Option<f32>) {
        let frame = encode(&Frame::Thinking { seat, on, progress });
        for at in 0..self.clients.len() {
            self.send(at, frame.clone());
        }
        self.drop_slow();
    }

    /// The viewer and the frame of a new record for each client, in the order of the clients.
    pub(super) fn prepare(&self, change: &Change) -> Vec<(Viewer, Utf8Bytes)> {
        if change.position {
            self.try_absent();
        }
        // Clients with the same viewers and seats are sent the same bytes.
        let mut frames: HashMap<(Viewer, Viewer, u8), Utf8Bytes> = HashMap::new();
        self.clients
            .iter()
            .map(|client| {
                let (before, seats) = (client.viewer, client.seats);
                let viewer = client.look.unwrap_or_else(|| self.follow(seats, before));
                let frame = frames.entry((before, viewer, seats.0)).or_insert_with(|| {
                    let update = self.update(change, before, viewer, seats);
                    encode(&Frame::Update(Box::new(update)))
                });
                (viewer, frame.clone())
            })
            .collect()
    }

    /// Check that the position can be shown to players who are away, so that they can come back to it.
    fn try_absent(&self) {
        for seat in self.seats.iter().filter(|s| s.kind == SeatKind::Person && !self.online(s.seat)) {
            let _ = self.now(Viewer::Seat(seat.seat), SeatSet::default().with(seat.seat));
            let _ = self.session.table().view(Viewer::Seat(seat.seat));
        }
    }

    /// Send a new record to all clients.
    pub(super) fn deliver(&mut self, change: &Change, frames: Vec<(Viewer, Utf8Bytes)>) {
        for (at, (viewer, frame)) in frames.into_iter().enumerate() {
            self.clients[at].viewer = viewer;
            self.send(at, frame);
        }
        if change.position {
            self.shown = self.session.table().clone_table();
        }
        self.drop_slow();
        self.changed.send_replace(self.seq);
    }

    fn update(&self, change: &Change, before: Viewer, viewer: Viewer, seats: SeatSet) -> Update {
        let turned = before != viewer;
        let mut update = Update {
            now: self.now(viewer, seats),
            patch: None,
            view: None,
            undone: change.undone,
            lines: change.lines_from.map_or_else(Vec::new, |from| self.lines(viewer, from)),
            chat: change.chat.iter().cloned().collect(),
        };
        if change.position || turned {
            let table = self.session.table();
            if !turned {
                update.patch = patch::since(&*self.shown, table, viewer);
            }
            if update.patch.is_none() {
                update.view = Some(table.view(viewer));
            }
        }
        if turned && self.secrets {
            update.undone = Some(0);
            update.lines = self.lines(viewer, 0);
        }
        update
    }

    fn send(&mut self, at: usize, frame: Utf8Bytes) {
        let client = &mut self.clients[at];
        if client.frames.try_send(frame).is_err() {
            // Disconnected or too slow: the client will reconnect and be sent what it missed.
            client.id = SLOW;
        }
    }

    fn drop_slow(&mut self) {
        self.clients.retain(|c| c.id != SLOW);
    }
}

/// Marks a client that is to be dropped.
const SLOW: u64 = u64::MAX;

pub fn encode(frame: &Frame) -> Utf8Bytes {
    Utf8Bytes::from(as_json(frame))
}
