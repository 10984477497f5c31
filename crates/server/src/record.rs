//! What is stored of a game: a sequence of records that never change.

use kernel::{Message, Seat};
use serde::{Deserialize, Serialize};

use crate::clock::Clocks;
use crate::protocol::Proposal;
use crate::store::rows::{StoredRecord, as_json};
use crate::store::{Result, StoreError};

/// The body of a stored record, as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    #[serde(flatten)]
    pub what: RecordKind,
    /// The clocks after it, if the game has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum RecordKind {
    /// Every seat is taken.
    Start,
    /// A record of the kernel's journal: a decision, a takeback, a resignation.
    Deed {
        record: kernel::journal::Record,
        /// True for a resignation because time ran out.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        timeout: bool,
        /// Why a bot decided so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Message>,
    },
    Proposed {
        by: Seat,
        what: Proposal,
    },
    ProposalAnswered {
        seat: Seat,
        yes: bool,
    },
    /// The clocks were stopped or restarted.
    Paused {
        on: bool,
    },
    /// A bot takes over for a player, or the player is back.
    SeatChanged {
        seat: Seat,
    },
    TakebackAsked {
        by: Seat,
        to: u32,
    },
    TakebackAgreed {
        seat: Seat,
    },
    TakebackRefused {
        seat: Seat,
    },
    Chat {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        text: String,
    },
}

impl Record {
    pub fn read(stored: &StoredRecord) -> Result<Self> {
        serde_json::from_str(&stored.body)
            .map_err(|e| StoreError::Broken(format!("record {}: {e}", stored.seq)))
    }

    pub fn store(&self, seq: u32, at: i64) -> StoredRecord {
        StoredRecord { seq, at, body: as_json(self) }
    }
}
