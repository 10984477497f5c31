//! The record of a game: set-up, commitment and every decision with its dice. The state is a fold over it.
//!
//! Records are only ever appended: a takeback is itself a record that strikes earlier ones out, so the dice of what
//! was taken back stay on record and the stream never rewinds. Each record carries a digest of itself and the one
//! before it; changing, removing or inserting one breaks the chain from there on.
//!
//! As a file it is one JSON object:
//!
//! ```json
//! { "format": 1, "setup": { "game": "ardennes44", "scenario": "campaign" }, "commitment": "5e4f…", "seed": "00ab…",
//!   "records": [ { "seat": 0, "kind": "act", "action": "attack 1313 with A B", "rolls": [4, 2], "at": 2, "digest": "…" },
//!                { "seat": 0, "kind": "takeback", "strikes": [0], "agreed": 2, "digest": "…" },
//!                { "seat": 1, "kind": "resign", "digest": "…" } ] }
//! ```
//!
//! `seed` is missing until the game is over; then anybody can [`Journal::prove`] that the dice were fixed before the
//! first decision.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::dice::{self, Seed, commitment};
use crate::{Applied, Dice, Game, Seat, SeatSet, Setup, SetupError, Stop, Table};

/// The format this program writes. Older ones are migrated when read.
pub const FORMAT: u32 = 1;

/// A longer file is refused before it is read.
pub const MAX_BYTES: usize = 64 << 20;

/// One step of the migration path: from format *n* to *n + 1*, on the raw JSON.
type Migration = fn(Value) -> Result<Value, String>;

/// The migration path. `MIGRATIONS[0]` leads from format 1 to 2, and so on; a change of format adds one. A step that
/// changes what the digests cover first checks the old chain, then writes a new one.
const MIGRATIONS: [Migration; FORMAT as usize - 1] = [];

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Journal {
    pub format: u32,
    pub setup: Setup,
    /// The hash of the seed, published before the first decision. None for scripted dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// The seed in hex: only where it may be known (the server's own copy, a finished game).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    pub records: Vec<Record>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub seat: Seat,
    #[serde(flatten)]
    pub deed: Deed,
    pub digest: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Deed {
    /// A decision, in canonical notation.
    Act {
        action: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rolls: Vec<u8>,
        /// Position in the dice stream after the decision.
        at: u64,
    },
    /// Strikes out earlier decisions, by their record numbers: an undo, or a takeback that `agreed` allowed.
    Takeback {
        strikes: Vec<u32>,
        #[serde(default)]
        agreed: SeatSet,
    },
    Resign,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JournalError {
    #[error("not a journal: {0}")]
    NotJournal(String),
    #[error("the journal is longer than {MAX_BYTES} bytes")]
    TooLong,
    #[error("the journal has format {found}, this program reads 1 to {FORMAT}")]
    Format { found: u64 },
    #[error("the journal could not be brought from format {from} to {to}: {why}", to = from + 1)]
    Migration { from: u32, why: String },
    #[error("record {record} does not fit the digest chain: it, or what comes before it, was changed")]
    Chain { record: usize },
    #[error("record {record} takes back record {strikes}, which is not a decision in force")]
    Strikes { record: usize, strikes: u32 },
    #[error("record {record} comes after a resignation")]
    AfterEnd { record: usize },
    #[error("the journal is of `{found}`, not of `{wanted}`")]
    OtherGame { found: String, wanted: String },
    #[error("set-up: {0}")]
    Setup(#[from] SetupError),
    #[error("record {record}, `{action}`: {stop}")]
    Refused { record: usize, action: String, stop: Stop },
    #[error(
        "record {record}, `{action}`: the dice recorded do not fit: {recorded:?} recorded, {rolled:?} rolled"
    )]
    Rolls { record: usize, action: String, recorded: Vec<u8>, rolled: Vec<u8> },
    #[error("record {record} says the dice stand at {recorded}, they stand at {found}")]
    Position { record: usize, recorded: u64, found: u64 },
    #[error("the journal holds no seed, so its dice cannot be proved")]
    NoSeed,
    #[error("the journal holds no commitment, so its dice cannot be proved")]
    NoCommitment,
    #[error("the seed is not 64 hex digits")]
    BadSeed,
    #[error("the seed is not the one that was committed to")]
    WrongSeed,
    #[error("the snapshot does not belong to this journal")]
    ForeignSnapshot,
}

impl Journal {
    /// An empty journal. Given a seed, its commitment is stored and the seed itself is left out.
    pub fn new(setup: Setup, seed: Option<&Seed>) -> Self {
        Journal { format: FORMAT, setup, commitment: seed.map(commitment), seed: None, records: Vec::new() }
    }

    /// Append a deed, with its digest.
    pub fn push(&mut self, seat: Seat, deed: Deed) {
        let digest = digest(&self.tip(), seat, &deed);
        self.records.push(Record { seat, deed, digest });
    }

    /// The digest that identifies the whole journal: that of its last record, or of its head.
    pub fn tip(&self) -> String {
        self.records.last().map_or_else(|| self.head(), |r| r.digest.clone())
    }

    fn head(&self) -> String {
        let setup = filled_fields(&self.setup);
        let commitment = self.commitment.as_deref().unwrap_or("-");
        hash(&["grognard journal 1", &setup, commitment])
    }

    /// The journal as one file.
    pub fn export(&self) -> String {
        to_json(self)
    }

    /// Reads a file of any format up to [`FORMAT`] and checks the chain. Whether the decisions are legal is for
    /// [`Journal::replay`] to find.
    pub fn import(text: &str) -> Result<Self, JournalError> {
        if text.len() > MAX_BYTES {
            return Err(JournalError::TooLong);
        }
        let value: Value = serde_json::from_str(text).map_err(|e| JournalError::NotJournal(e.to_string()))?;
        let value = migrate(value, &MIGRATIONS)?;
        let journal: Journal =
            serde_json::from_value(value).map_err(|e| JournalError::NotJournal(e.to_string()))?;
        journal.verify()?;
        Ok(journal)
    }

    /// Is the chain intact, and does every takeback strike out decisions that are in force?
    pub fn verify(&self) -> Result<(), JournalError> {
        let mut before = self.head();
        for (n, record) in self.records.iter().enumerate() {
            if digest(&before, record.seat, &record.deed) != record.digest {
                return Err(JournalError::Chain { record: n });
            }
            before.clone_from(&record.digest);
        }
        self.in_force().map(|_| ())
    }

    /// The record numbers of the decisions in force: all but those taken back.
    pub fn in_force(&self) -> Result<Vec<usize>, JournalError> {
        let mut live = Vec::new();
        let mut over = false;
        for (n, record) in self.records.iter().enumerate() {
            if over {
                return Err(JournalError::AfterEnd { record: n });
            }
            match &record.deed {
                Deed::Act { .. } => live.push(n),
                Deed::Takeback { strikes, .. } => {
                    for &strike in strikes {
                        // `live` is sorted, so a binary search keeps a damaged file from making this slow.
                        let Ok(at) = live.binary_search(&(strike as usize)) else {
                            return Err(JournalError::Strikes { record: n, strikes: strike });
                        };
                        live.remove(at);
                    }
                }
                Deed::Resign => over = true,
            }
        }
        Ok(live)
    }

    /// Position in the dice stream at the end. Taken-back decisions count: their dice are spent.
    pub fn dice_position(&self) -> u64 {
        self.records
            .iter()
            .rev()
            .find_map(|r| match r.deed {
                Deed::Act { at, .. } => Some(at),
                _ => None,
            })
            .unwrap_or(0)
    }

    /// The table after all decisions in force, with the dice as recorded.
    pub fn replay(&self, game: &dyn Game) -> Result<Box<dyn Table>, JournalError> {
        let live = self.in_force()?;
        let mut table = self.open(game)?;
        for n in live {
            apply_recorded(&mut *table, &self.records, n)?;
        }
        Ok(table)
    }

    pub(crate) fn open(&self, game: &dyn Game) -> Result<Box<dyn Table>, JournalError> {
        let wanted = &game.info().id;
        if self.setup.game != *wanted {
            return Err(JournalError::OtherGame { found: self.setup.game.clone(), wanted: wanted.clone() });
        }
        Ok(game.open(&self.setup)?)
    }

    /// The seed, if the journal has one and it is well formed.
    pub fn seed(&self) -> Result<Option<Seed>, JournalError> {
        self.seed.as_deref().map(|text| seed_from_hex(text).ok_or(JournalError::BadSeed)).transpose()
    }

    /// Write the seed into the journal: the game is over, or this copy never leaves the server.
    pub fn reveal(&mut self, seed: &Seed) {
        self.seed = Some(dice::hex(seed));
    }

    /// A copy without the seed: for players, while the game goes on, if nothing in it is secret.
    pub fn published(&self) -> Journal {
        Journal { seed: None, ..self.clone() }
    }

    /// The proof: the chain is intact, the seed is the one committed to, and every die ever rolled (including those of
    /// decisions taken back) is the one that the seed's stream gives at that position.
    pub fn prove(&self, game: &dyn Game) -> Result<Proof, JournalError> {
        self.verify()?;
        let seed = self.seed()?.ok_or(JournalError::NoSeed)?;
        if commitment(&seed) != *self.commitment.as_ref().ok_or(JournalError::NoCommitment)? {
            return Err(JournalError::WrongSeed);
        }
        let mut fold = Fold::start(self.open(game)?);
        let mut dice = Dice::seeded(seed, 0);
        let mut proof = Proof::default();
        for (n, record) in self.records.iter().enumerate() {
            match &record.deed {
                Deed::Act { action, rolls, at } => {
                    let refused = |stop| JournalError::Refused { record: n, action: action.clone(), stop };
                    let applied = fold.act(n, record.seat, action, &mut dice).map_err(refused)?;
                    if applied.rolls != *rolls {
                        return Err(JournalError::Rolls {
                            record: n,
                            action: action.clone(),
                            recorded: rolls.clone(),
                            rolled: applied.rolls,
                        });
                    }
                    if dice.position() != *at {
                        let found = dice.position();
                        return Err(JournalError::Position { record: n, recorded: *at, found });
                    }
                    proof.decisions += 1;
                    proof.dice += rolls.len();
                }
                Deed::Takeback { strikes, .. } => {
                    fold.strike(strikes, &self.records)?;
                }
                Deed::Resign => {}
            }
        }
        Ok(proof)
    }
}

/// What [`Journal::prove`] has checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Proof {
    pub decisions: usize,
    pub dice: usize,
}

/// Apply record `n`, a decision, with its recorded dice.
fn apply_recorded(table: &mut dyn Table, records: &[Record], n: usize) -> Result<Applied, JournalError> {
    let Some(Record { seat, deed: Deed::Act { action, rolls, .. }, .. }) = records.get(n) else {
        return Err(JournalError::Strikes { record: n, strikes: n as u32 });
    };
    if !table.pending().awaits(*seat) {
        let refusal = crate::session::not_awaited(&table.pending());
        return Err(JournalError::Refused { record: n, action: action.clone(), stop: refusal.into() });
    }
    let mut dice = Dice::scripted(rolls.clone());
    let applied = table.apply(*seat, action, &mut dice).map_err(|stop| JournalError::Refused {
        record: n,
        action: action.clone(),
        stop,
    })?;
    if dice.unused() > 0 {
        return Err(JournalError::Rolls {
            record: n,
            action: action.clone(),
            recorded: rolls.clone(),
            rolled: applied.rolls,
        });
    }
    Ok(applied)
}

/// A table with copies of its earlier states, so that going back is cheap.
pub(crate) struct Fold {
    pub table: Box<dyn Table>,
    /// Record numbers of the decisions in force.
    pub live: Vec<usize>,
    /// Copies with the number of decisions in force after which each was made. The first is the start of the game.
    marks: Vec<(usize, Box<dyn Table>)>,
}

/// Decisions between two kept copies of the state.
const MARK_EVERY: usize = 32;
/// At most this many copies are kept; beyond it older ones are thinned out.
const MARKS: usize = 48;

impl Fold {
    pub fn start(table: Box<dyn Table>) -> Self {
        Fold { marks: vec![(0, table.clone_table())], table, live: Vec::new() }
    }

    /// Continue from a restored table after `live` decisions. `start` is the game before the first.
    pub fn from_snapshot(start: Box<dyn Table>, table: Box<dyn Table>, live: Vec<usize>) -> Self {
        let marks = vec![(0, start), (live.len(), table.clone_table())];
        Fold { table, live, marks }
    }

    /// Takes a new decision, which will be record `n`.
    pub fn act(&mut self, n: usize, seat: Seat, action: &str, dice: &mut Dice) -> Result<Applied, Stop> {
        if !self.table.pending().awaits(seat) {
            return Err(crate::session::not_awaited(&self.table.pending()).into());
        }
        let applied = self.table.apply(seat, action, dice)?;
        self.done(n);
        Ok(applied)
    }

    /// Takes the decision of record `n`.
    pub fn act_recorded(&mut self, records: &[Record], n: usize) -> Result<Applied, JournalError> {
        let applied = apply_recorded(&mut *self.table, records, n)?;
        self.done(n);
        Ok(applied)
    }

    fn done(&mut self, n: usize) {
        self.live.push(n);
        if self.live.len().is_multiple_of(MARK_EVERY) {
            self.keep(self.live.len(), self.table.clone_table());
        }
    }

    /// Keeps a copy of the table after `count` decisions.
    fn keep(&mut self, count: usize, table: Box<dyn Table>) {
        let at = self.marks.partition_point(|(from, _)| *from < count);
        if self.marks.get(at).is_some_and(|(from, _)| *from == count) {
            return;
        }
        self.marks.insert(at, (count, table));
        if self.marks.len() > MARKS {
            let keep_from = self.marks.len() - MARKS / 4;
            let mut at = 0;
            self.marks.retain(|_| {
                at += 1;
                at % 2 == 1 || at > keep_from
            });
        }
    }

    /// The table after the first `count` decisions in force. Replaying a long stretch leaves copies behind.
    pub fn at(&mut self, count: usize, records: &[Record]) -> Result<Box<dyn Table>, JournalError> {
        let count = count.min(self.live.len());
        let (from, mark) = self.mark(count);
        let mut table = mark.clone_table();
        for at in from..count {
            apply_recorded(&mut *table, records, self.live[at])?;
            // On a very long stretch mark only the end: positions far back are unlikely to be asked for next.
            if (at + 1).is_multiple_of(MARK_EVERY) && at + MARK_EVERY * MARKS / 4 > count {
                self.keep(at + 1, table.clone_table());
            }
        }
        Ok(table)
    }

    fn mark(&self, count: usize) -> (usize, &dyn Table) {
        let (from, table) = self
            .marks
            .iter()
            .rev()
            .find(|(from, _)| *from <= count)
            // The first mark is after 0 decisions and is never removed.
            .expect("there is always a first mark");
        (*from, &**table)
    }

    /// Strikes out decisions by record number and applies again what followed them. Returns the number of decisions
    /// that were left untouched, and what the others did this time. On an error nothing has changed.
    pub fn strike(
        &mut self,
        strikes: &[u32],
        records: &[Record],
    ) -> Result<(usize, Vec<Applied>), JournalError> {
        let struck: std::collections::HashSet<u32> = strikes.iter().copied().collect();
        let mut live = self.live.clone();
        live.retain(|n| !struck.contains(&(*n as u32)));
        let untouched = live.iter().zip(&self.live).take_while(|(new, old)| new == old).count();
        let mut table = self.at(untouched, records)?;
        let mut again = Vec::new();
        for &n in &live[untouched..] {
            again.push(apply_recorded(&mut *table, records, n)?);
        }
        self.marks.retain(|(from, _)| *from <= untouched);
        self.table = table;
        self.live = live;
        Ok((untouched, again))
    }
}

fn migrate(mut value: Value, path: &[Migration]) -> Result<Value, JournalError> {
    let newest = path.len() as u64 + 1;
    let found = value
        .get("format")
        .and_then(Value::as_u64)
        .ok_or_else(|| JournalError::NotJournal("`format` is missing or not a number".into()))?;
    if found == 0 || found > newest {
        return Err(JournalError::Format { found });
    }
    for from in found..newest {
        value = path[from as usize - 1](value)
            .map_err(|why| JournalError::Migration { from: from as u32, why })?;
        value["format"] = (from + 1).into();
    }
    Ok(value)
}

fn digest(before: &str, seat: Seat, deed: &Deed) -> String {
    #[derive(Serialize)]
    struct Body<'a> {
        seat: Seat,
        #[serde(flatten)]
        deed: &'a Deed,
    }
    hash(&[before, &to_json(&Body { seat, deed })])
}

/// Only the fields that are set, by name: a field that a later version adds does not change the digest of an old
/// journal.
fn filled_fields(setup: &Setup) -> String {
    let mut fields = serde_json::to_value(setup).unwrap_or_default();
    if let Value::Object(object) = &mut fields {
        object.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()));
        object.sort_keys();
    }
    fields.to_string()
}

fn hash(lines: &[&str]) -> String {
    let mut hash = Sha256::new();
    for line in lines {
        hash.update(line);
        hash.update(b"\n");
    }
    dice::hex(&hash.finalize())
}

fn to_json(value: &impl Serialize) -> String {
    // Only our own plain types come here: strings, numbers and lists, which always serialize.
    serde_json::to_string(value).expect("plain data serializes")
}

fn seed_from_hex(text: &str) -> Option<Seed> {
    let mut seed = [0; 32];
    if text.len() != 64 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, pair) in seed.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_migration_path_is_walked_step_by_step() {
        fn rename(mut value: Value) -> Result<Value, String> {
            let old = value.as_object_mut().and_then(|o| o.remove("moves")).ok_or("`moves` is missing")?;
            value["records"] = old;
            Ok(value)
        }
        fn fill(mut value: Value) -> Result<Value, String> {
            value["records"].as_array_mut().ok_or("`records` is no list")?.push(7.into());
            Ok(value)
        }
        let path: [Migration; 2] = [rename, fill];
        let old = serde_json::json!({ "format": 1, "moves": [] });
        let new = serde_json::json!({ "format": 3, "records": [7] });
        assert_eq!(migrate(old, &path).unwrap(), new);
        assert_eq!(migrate(new.clone(), &path).unwrap(), new);
        let torn = serde_json::json!({ "format": 1 });
        assert_eq!(
            migrate(torn, &path),
            Err(JournalError::Migration { from: 1, why: "`moves` is missing".into() })
        );
        assert_eq!(
            migrate(serde_json::json!({ "format": 4 }), &path),
            Err(JournalError::Format { found: 4 })
        );
    }

    #[test]
    fn seeds_are_read_back() {
        let seed = dice::seed_from_number(7);
        assert_eq!(seed_from_hex(&dice::hex(&seed)), Some(seed));
        assert_eq!(seed_from_hex("12"), None);
        assert_eq!(seed_from_hex(&"+1".repeat(32)), None);
        assert_eq!(seed_from_hex(&"é1".repeat(21)), None);
    }
}
