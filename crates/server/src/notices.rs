//! Notices tell people about games they are not looking at. Each is written in the same transaction as the record that
//! caused it, so that the two are lost or kept together.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use kernel::Seat;
use tokio::sync::watch;

use crate::protocol::{Notice, NoticeKind};
use crate::store::Statement;
use crate::store::rows::insert_notice;
use crate::{ids, lock};

#[derive(Debug)]
pub struct Notices {
    /// The highest number given so far.
    last: AtomicI64,
    /// Requests that wait for notices, by user.
    waiting: Mutex<HashMap<String, watch::Sender<i64>>>,
}

/// How long notices are kept.
const KEEP_MS: i64 = 7 * 24 * 3_600_000;

/// A notice that is being written.
#[derive(Clone, Debug)]
pub struct Draft {
    pub user: String,
    pub notice: Notice,
}

impl Draft {
    pub fn insert(&self) -> Statement {
        insert_notice(&self.user, &self.notice)
    }
}

impl Notices {
    /// `last` is the highest number on disk.
    pub fn new(last: i64) -> Self {
        Notices { last: AtomicI64::new(last), waiting: Mutex::default() }
    }

    /// A new notice with its number. Numbers keep rising across restarts, so that `since` stays valid.
    pub fn draft(&self, user: &str, kind: NoticeKind, game: &str, title: &str, seat: Option<Seat>) -> Draft {
        let at = ids::now_ms();
        let before =
            self.last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(at.max(last + 1)));
        // The closure always returns `Some`, so the default is never used.
        let n = at.max(before.unwrap_or_default() + 1);
        let notice = Notice { n, at, kind, game: game.into(), title: title.into(), seat };
        Draft { user: user.to_owned(), notice }
    }

    /// The notice is on disk: wake the requests that wait for it.
    pub fn written(&self, draft: &Draft) {
        if let Some(waiting) = lock(&self.waiting).get(&draft.user) {
            waiting.send_replace(draft.notice.n);
        }
    }

    /// Wait for notices of a user.
    pub fn watch(&self, user: &str) -> watch::Receiver<i64> {
        let mut waiting = lock(&self.waiting);
        waiting.entry(user.to_owned()).or_insert_with(|| watch::channel(0).0).subscribe()
    }

    /// Drop channels without receivers; returns the statement that deletes old notices.
    pub fn tidy(&self, now: i64) -> Statement {
        lock(&self.waiting).retain(|_, sender| sender.receiver_count() > 0);
        Statement::new("DELETE FROM notices WHERE at < $1", [(now - KEEP_MS).into()])
    }

    /// Move all notices of one user to another.
    pub fn move_to(from: &str, to: &str) -> [Statement; 2] {
        [
            Statement::new(
                "DELETE FROM notices WHERE user_id = $1 AND EXISTS (SELECT 1 FROM notices o WHERE o.user_id = $2 \
                 AND o.game_id = notices.game_id AND o.kind = notices.kind)",
                [from.into(), to.into()],
            ),
            Statement::new("UPDATE notices SET user_id = $1 WHERE user_id = $2", [to.into(), from.into()]),
        ]
    }
}
