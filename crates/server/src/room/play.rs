//! What can be done at a table. Each change is made in memory, then written to disk, then sent to clients.

use kernel::journal::Deed;
use kernel::{Message, Pending, Seat, SeatSet};

use super::Room;
use super::show::Change;
use crate::error::{Fault, Result};
use crate::guard;
use crate::hub::Hub;
use crate::ids;
use crate::notices::Draft;
use crate::protocol::{ChatLine, Clock, ErrorCode, SeatKind, Status};
use crate::record::{Record, RecordKind};
use crate::snapshot;
use crate::store::Statement;

impl Room {
    pub fn must_play(&self) -> Result<()> {
        match self.status() {
            Status::Playing => Ok(()),
            Status::Waiting => Err(Fault::new(ErrorCode::Waiting, "not every seat is taken yet")),
            Status::Over => Err(Fault::new(ErrorCode::Over, "the game is over")),
        }
    }

    /// An action is valid at one moment only: one that was meant for another position, or arrives twice, is refused.
    fn must_be_now(&self, seat: Seat, moment: u32) -> Result<()> {
        let (began, decided) = &self.stage;
        let apart = moment >= *began && decided.iter().all(|(at, by)| *at <= moment || *by != seat);
        if moment == self.moment || (moment < self.moment && apart && !decided.is_empty()) {
            Ok(())
        } else {
            Err(Fault::new(
                ErrorCode::Stale,
                format!("the game has moved on: it is at moment {}, not {moment}", self.moment),
            ))
        }
    }

    /// Record that `seat` has decided or undone something. `before` says who had to decide until then.
    fn note_stage(&mut self, before: &Pending, seat: Seat) {
        let after = self.session.pending();
        let same = match (before, &after) {
            (Pending::Each(before), Pending::Each(after)) => before.without(seat) == after.without(seat),
            _ => false,
        };
        let next = self.seq + 1;
        if same {
            self.stage.1.push((next, seat));
        } else {
            self.stage = (next, Vec::new());
        }
    }

    /// Start the game and its clocks: every seat is taken. `statements` seat the last player and are written in the
    /// same transaction.
    pub async fn start(&mut self, hub: &Hub, statements: Vec<Statement>) -> Result<u32> {
        let change = Change { position: true, ..Change::default() };
        self.commit_with(hub, RecordKind::Start, change, ids::now_ms(), statements).await
    }

    pub async fn act(
        &mut self,
        hub: &Hub,
        seat: Seat,
        action: &str,
        moment: u32,
        note: Option<Message>,
    ) -> Result<u32> {
        self.must_play()?;
        self.must_be_now(seat, moment)?;
        let before = self.session.len();
        let pending = self.session.pending();
        // The session applies a decision to a copy of the position, so a panic leaves it unchanged.
        let done = guard::rules(&self.row.id, action, || self.session.act(seat, action));
        let done = done.inspect_err(|_| self.tell_failure())??;
        self.note_stage(&pending, seat);
        if done.from < before {
            self.undone.push((self.seq + 1, done.from as u32));
        }
        let change = Change {
            position: true,
            lines_from: Some(done.from),
            // Decisions that were secret until now appear in the log at their own places.
            undone: (done.from < before).then_some(done.from as u32),
            ..Change::default()
        };
        self.commit_deed(hub, false, note, change).await
    }

    pub async fn undo(&mut self, hub: &Hub, seat: Seat, moment: u32) -> Result<u32> {
        self.must_be_now(seat, moment)?;
        // The seed is published when the game is over: playing on with dice that can be predicted is not allowed.
        self.must_play()?;
        let pending = self.session.pending();
        let undone = guard::rules(&self.row.id, "undo", || self.session.undo(seat));
        let from = undone.inspect_err(|_| self.broken = true)?.map_err(|refusal| {
            let mut fault = Fault::illegal(refusal);
            fault.0.code = ErrorCode::NothingToUndo;
            fault
        })?;
        self.note_stage(&pending, seat);
        self.commit_deed(hub, false, None, Change::back_to(from)).await
    }

    /// Ask the other seats for a takeback. Bots, and seats played at the same screen, agree at once.
    pub async fn ask_takeback(&mut self, hub: &Hub, seat: Seat, moment: u32) -> Result<u32> {
        self.must_be_now(seat, moment)?;
        self.must_play()?;
        let request = self.session.request_takeback(seat, None).map_err(Fault::illegal)?;
        let what = RecordKind::TakebackAsked { by: seat, to: request.to as u32 };
        let mut seq = self.commit(hub, what, Change::default()).await?;
        let asker = self.seats.iter().find(|s| s.seat == seat).and_then(|s| s.user.clone());
        let agreeing: Vec<Seat> = self
            .seats
            .iter()
            .filter(|s| {
                s.seat != seat
                    && (s.kind == SeatKind::Bot && s.user.is_none() || (s.user == asker && asker.is_some()))
            })
            .map(|s| s.seat)
            .collect();
        for other in agreeing {
            if self.session.request().is_some() {
                seq = self.answer_takeback(hub, other, true).await?;
            }
        }
        Ok(seq)
    }

    /// Grant or refuse a takeback. The seat that asked withdraws the request by refusing it.
    pub async fn answer_takeback(&mut self, hub: &Hub, seat: Seat, yes: bool) -> Result<u32> {
        let none = |refusal| {
            let mut fault = Fault::illegal(refusal);
            fault.0.code = ErrorCode::NoTakeback;
            fault
        };
        let request = self
            .session
            .request()
            .ok_or_else(|| Fault::new(ErrorCode::NoTakeback, "nobody has asked for a takeback"))?;
        if request.by == seat && !yes {
            self.session.withdraw_takeback(seat).map_err(none)?;
            return self.commit(hub, RecordKind::TakebackRefused { seat }, Change::default()).await;
        }
        let answered = guard::rules(&self.row.id, "takeback", || self.session.answer_takeback(seat, yes));
        if answered.inspect_err(|_| self.broken = true)?.map_err(none)? {
            self.stage = (self.seq + 1, Vec::new());
            return self.commit_deed(hub, false, None, Change::back_to(request.to)).await;
        }
        let what =
            if yes { RecordKind::TakebackAgreed { seat } } else { RecordKind::TakebackRefused { seat } };
        self.commit(hub, what, Change::default()).await
    }

    pub async fn resign(&mut self, hub: &Hub, seat: Seat, timeout: bool) -> Result<u32> {
        self.must_play()?;
        self.session.resign(seat).map_err(Fault::illegal)?;
        self.timeout |= timeout;
        let change = Change { position: true, ..Change::default() };
        self.commit_deed(hub, timeout, None, change).await
    }

    pub async fn chat(&mut self, hub: &Hub, name: String, seat: Option<Seat>, text: String) -> Result<u32> {
        let what = RecordKind::Chat { name: name.clone(), seat, text: text.clone() };
        let now = ids::now_ms();
        let line = ChatLine { seq: self.seq + 1, at: now, name, seat, text };
        self.push_chat(line.clone());
        self.commit_at(hub, what, Change { chat: Some(line), ..Change::default() }, now).await
    }

    /// Write the journal's last record to disk and send it to all clients.
    async fn commit_deed(
        &mut self,
        hub: &Hub,
        timeout: bool,
        note: Option<Message>,
        change: Change,
    ) -> Result<u32> {
        let records = &self.session.journal().records;
        let n = records.len() - 1;
        let record = records[n].clone();
        // Memory and disk must hold the same time.
        let now = ids::now_ms();
        self.stamps.push((self.seq + 1, now));
        if let Deed::Takeback { strikes, .. } = &record.deed {
            self.note_takeback(self.seq + 1, strikes);
        }
        if let Some(note) = &note {
            self.notes.insert(n, note.clone());
        }
        self.commit_at(hub, RecordKind::Deed { record, timeout, note }, change, now).await
    }

    pub(super) async fn commit(&mut self, hub: &Hub, what: RecordKind, change: Change) -> Result<u32> {
        self.commit_at(hub, what, change, ids::now_ms()).await
    }

    async fn commit_at(&mut self, hub: &Hub, what: RecordKind, change: Change, now: i64) -> Result<u32> {
        self.commit_with(hub, what, change, now, Vec::new()).await
    }

    pub(super) async fn commit_with(
        &mut self,
        hub: &Hub,
        what: RecordKind,
        change: Change,
        now: i64,
        mut statements: Vec<Statement>,
    ) -> Result<u32> {
        let id = self.row.id.clone();
        // Prepare the frames before writing: if the rules cannot show the new position, the decision is refused.
        let prepared = guard::rules(&id, "showing what a decision led to", || {
            if change.position {
                let pending = self.session.pending();
                self.clocks.pass(&self.row.clock, &pending, now);
            }
            self.seq += 1;
            if change.position {
                self.moment = self.seq;
            }
            let clocks = (self.row.clock != Clock::None).then(|| self.clocks.clone());
            let before = SeatSet(self.row.awaiting as u8);
            statements.push(Record { what, clocks }.store(self.seq, now).insert(&self.row.id));
            if self.refresh_row(now) {
                statements.push(self.row.update());
            }
            let drafts = hub.drafts(self, before, &change);
            statements.extend(drafts.iter().map(Draft::insert));
            (drafts, self.prepare(&change))
        });
        // The session cannot step back: after an error it is discarded and the game is loaded from disk again.
        let (drafts, frames) = prepared.inspect_err(|_| self.broken = true)?;
        hub.store.write(statements).await.inspect_err(|_| self.broken = true)?;
        self.deliver(&change, frames);
        if change.position && std::mem::take(&mut self.failed) {
            self.show_table(None);
        }
        hub.tell(self, &drafts);
        if change.position {
            // Analyses of the old position are no longer wanted.
            for analysis in self.analyses.drain(..).filter_map(|a| a.upgrade()) {
                analysis.set();
            }
            hub.wake_bots(self);
            let records = self.session.journal().records.len();
            if snapshot::is_due(records, self.snapshot) {
                self.snapshot = records;
                hub.take_snapshot(&self.row.id);
            }
        }
        Ok(self.seq)
    }
}
