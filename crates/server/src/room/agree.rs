//! Agreements between the players of a table other than takebacks: pausing the clocks, and letting a bot play for an
//! absent player.

use kernel::{Seat, SeatSet};

use super::{Change, Room};
use crate::error::{Fault, Result};
use crate::hub::Hub;
use crate::ids;
use crate::protocol::{Clock, ErrorCode, Proposal, ProposalView, SeatKind, Vacation};
use crate::record::RecordKind;
use crate::store::Statement;
use crate::store::rows::SeatRow;

/// The longest vacation, in days.
const LONGEST: u16 = 60;
const DAY_MS: i64 = 24 * 3_600_000;

impl Room {
    pub fn proposal(&self) -> Option<&ProposalView> {
        self.proposal.as_ref()
    }

    /// Propose something to the other seats. Bots, and seats played at the same screen, agree at once.
    pub async fn propose(&mut self, hub: &Hub, seat: Seat, what: Proposal) -> Result<u32> {
        self.must_play()?;
        match &what {
            Proposal::Pause { .. } if self.row.clock == Clock::None => {
                return Err(Fault::bad("this game has no clock"));
            }
            Proposal::Pause { .. } if self.clocks.paused => {
                return Err(Fault::bad("the clocks stand already"));
            }
            Proposal::Pause { days } if days.is_some_and(|days| !(1..=LONGEST).contains(&days)) => {
                return Err(Fault::bad(format!("1 to {LONGEST} days")));
            }
            Proposal::Pause { .. } => {}
            Proposal::Bot { level } => {
                let levels = hub.config.bots.levels(&self.row.setup.game);
                if !levels.iter().any(|l| l.id == *level) {
                    return Err(Fault::bad(format!("no bot level `{level}`")));
                }
            }
        }
        if self.proposal.is_some() {
            return Err(Fault::bad("something else has been proposed"));
        }
        self.proposal = Some(ProposalView { by: seat, what: what.clone(), agreed: SeatSet::one(seat) });
        let mut seq = self.commit(hub, RecordKind::Proposed { by: seat, what }, Change::default()).await?;
        let asker = self.seats.iter().find(|s| s.seat == seat).and_then(|s| s.user.clone());
        let agreeing: Vec<Seat> = self
            .seats
            .iter()
            .filter(|s| s.seat != seat && (s.kind == SeatKind::Bot || (s.user == asker && asker.is_some())))
            .map(|s| s.seat)
            .collect();
        for other in agreeing {
            if self.proposal.is_some() {
                seq = self.answer_proposal(hub, other, true).await?;
            }
        }
        // No other person has to agree.
        if let Some(proposal) = self.proposal.clone()
            && self.everybody(proposal.agreed)
        {
            seq = self.carry_out(hub, proposal).await?;
        }
        Ok(seq)
    }

    /// Accept or reject a proposal. The seat that made it withdraws it by rejecting it.
    pub async fn answer_proposal(&mut self, hub: &Hub, seat: Seat, yes: bool) -> Result<u32> {
        let Some(proposal) = &mut self.proposal else {
            return Err(Fault::new(ErrorCode::NoTakeback, "nothing has been proposed"));
        };
        if !yes {
            self.proposal = None;
            return self.commit(hub, RecordKind::ProposalAnswered { seat, yes }, Change::default()).await;
        }
        proposal.agreed = proposal.agreed.with(seat);
        let proposal = proposal.clone();
        if self.everybody(proposal.agreed) {
            return self.carry_out(hub, proposal).await;
        }
        self.commit(hub, RecordKind::ProposalAnswered { seat, yes }, Change::default()).await
    }

    fn everybody(&self, agreed: SeatSet) -> bool {
        self.seats.iter().all(|s| agreed.contains(s.seat))
    }

    async fn carry_out(&mut self, hub: &Hub, proposal: ProposalView) -> Result<u32> {
        self.proposal = None;
        match proposal.what {
            Proposal::Pause { days } => {
                let now = ids::now_ms();
                let until = |days| Vacation { by: proposal.by, until: now + i64::from(days) * DAY_MS };
                self.clocks.pause(now, days.map(until));
                self.commit(hub, RecordKind::Paused { on: true }, Change::default()).await
            }
            Proposal::Bot { level } => {
                self.change_seat(hub, proposal.by, |row| {
                    row.kind = SeatKind::Bot;
                    row.level = Some(level);
                })
                .await
            }
        }
    }

    /// Restart the clocks. A vacation ends on its last day, or earlier if the absent player ends it.
    pub async fn go_on(&mut self, hub: &Hub, by: Option<Seat>) -> Result<u32> {
        self.must_play()?;
        if !self.clocks.paused {
            return Err(Fault::bad("the clocks run"));
        }
        if self.clocks.vacation.is_some_and(|away| by.is_some_and(|seat| seat != away.by)) {
            return Err(Fault::new(ErrorCode::Forbidden, "the clocks stand until a day that was agreed on"));
        }
        let pending = self.session.pending();
        self.clocks.go_on(&pending, ids::now_ms());
        self.commit(hub, RecordKind::Paused { on: false }, Change::default()).await
    }

    /// The player who left a seat to a bot takes it back.
    pub async fn take_back_seat(&mut self, hub: &Hub, user: &str, seat: Seat) -> Result<u32> {
        self.must_play()?;
        let mine = |s: &SeatRow| s.seat == seat && s.kind == SeatKind::Bot && s.user.as_deref() == Some(user);
        if !self.seats.iter().any(mine) {
            return Err(Fault::new(ErrorCode::NotYourSeat, "no computer sits there for you"));
        }
        if let Some(thinking) = self.thinking.get(&seat) {
            thinking.set();
        }
        self.change_seat(hub, seat, |row| {
            row.kind = SeatKind::Person;
            row.level = None;
        })
        .await
    }

    async fn change_seat(&mut self, hub: &Hub, seat: Seat, change: impl FnOnce(&mut SeatRow)) -> Result<u32> {
        let Some(at) = self.seats.iter().position(|s| s.seat == seat) else {
            return Err(Fault::not_found());
        };
        change(&mut self.seats[at]);
        let statements: Vec<Statement> = vec![self.seats[at].update()];
        let what = RecordKind::SeatChanged { seat };
        let now = ids::now_ms();
        let seq = self.commit_with(hub, what, Change::default(), now, statements).await?;
        self.reseat();
        hub.wake_bots(self);
        Ok(seq)
    }
}
