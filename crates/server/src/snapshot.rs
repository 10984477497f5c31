//! Snapshots of long games, so that taking one up does not play it again from its first decision. They are an
//! acceleration and nothing more: one that is missing, damaged, or of another program is ignored.

use kernel::session::Snapshot;
use kernel::{Game, Setup};

use crate::ids;
use crate::store::rows::{SnapshotRow, as_json};

/// What a snapshot's body means. It rises when [`Snapshot`] is written differently.
const FORMAT: u32 = 1;

/// Fewest records between two snapshots.
const LEAST: usize = 64;

/// Whether a snapshot is due: the journal has grown by a quarter, so that writing all snapshots costs little more than writing the last.
pub fn is_due(records: usize, last: usize) -> bool {
    records.saturating_sub(last) >= LEAST.max(last / 4)
}

/// What a snapshot must fit: this program, and the position this game starts from. A corrected pack or another layout of
/// the state changes it. It is the same for all snapshots of a game.
pub fn version(game: &dyn Game, setup: &Setup) -> Option<String> {
    let start = game.open(setup).ok()?.snapshot();
    Some(format!("{FORMAT} {} {}", env!("CARGO_PKG_VERSION"), ids::hash(&start.to_string())))
}

/// To the disk.
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

/// From the disk, if it fits and is whole.
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
