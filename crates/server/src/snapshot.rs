//! Snapshots of long games, so that loading one does not replay it from its first decision. They only save time: a
//! snapshot that is missing, damaged or made by another version of the program is ignored.

use kernel::session::Snapshot;
use kernel::{Game, Setup};

use crate::ids;
use crate::store::rows::{SnapshotRow, as_json};

/// The format version of a snapshot's body. Increase it when [`Snapshot`] is serialized differently.
const FORMAT: u32 = 1;

/// The least number of records between two snapshots.
const LEAST: usize = 64;

/// Whether a snapshot is due: the journal has grown by a quarter since the last, so that the cost of all snapshots
/// together stays proportional to that of the last.
pub fn is_due(records: usize, last: usize) -> bool {
    records.saturating_sub(last) >= LEAST.max(last / 4)
}

/// What a snapshot must match: this program, and the starting position of the game. A corrected pack or a changed
/// layout of the state changes it. All snapshots of a game share it.
pub fn version(game: &dyn Game, setup: &Setup) -> Option<String> {
    let start = game.open(setup).ok()?.snapshot();
    Some(format!("{FORMAT} {} {}", env!("CARGO_PKG_VERSION"), ids::hash(&start.to_string())))
}

/// Serialize a snapshot for the database.
pub fn pack(version: &str, id: &str, snapshot: &Snapshot) -> SnapshotRow {
    let body = as_json(snapshot);
    SnapshotRow {
        game: id.to_owned(),
        records: snapshot.records() as i64,
        version: version.to_owned(),
        digest: ids::hash(&body),
        body,
    }
}

/// Read a snapshot from the database, if it is intact and fits.
pub fn unpack(game: &dyn Game, setup: &Setup, row: &SnapshotRow) -> Result<Snapshot, &'static str> {
    if ids::hash(&row.body) != row.digest {
        return Err("its digest does not fit");
    }
    if version(game, setup).as_ref() != Some(&row.version) {
        return Err("it was written by another version");
    }
    serde_json::from_str(&row.body).map_err(|_| "it cannot be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_become_rarer_as_the_game_grows() {
        let mut last = 0;
        let mut taken = Vec::new();
        for records in 0..5000 {
            if is_due(records, last) {
                last = records;
                taken.push(records);
            }
        }
        assert_eq!(taken[..4], [64, 128, 192, 256]);
        assert!(taken.len() < 20, "{taken:?}");
    }
}
