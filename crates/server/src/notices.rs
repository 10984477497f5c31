//! What the page tells people about games they are not looking at. On disk with what they are about: in one transaction
//! with the record that caused them, so they survive whatever the record survives.

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
    /// The highest number given.
    last: AtomicI64,
    /// Those who wait for news.
    waiting: Mutex<HashMap<String, watch::Sender<i64>>>,
}

/// For so long they are kept.
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

    /// A new notice with its number. Numbers rise, also over a restart, so that `since` keeps its meaning.
    pub fn draft(&self, user: &str, kind: NoticeKind, game: &str, title: &str, seat: Option<Seat>) -> Draft {
        let at = ids::now_ms();
        let before =
            self.last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(at.max(last + 1)));
        // The closure always gives a number.
        let n = at.max(before.unwrap_or_default() + 1);
        let notice = Notice { n, at, kind, game: game.into(), title: title.into(), seat };
        Draft { user: user.to_owned(), notice }
    }

    /// It is on disk: wake whoever waits for it.
    pub fn written(&self, draft: &Draft) {
        if let Some(waiting) = lock(&self.waiting).get(&draft.user) {
            waiting.send_replace(draft.notice.n);
        }
    }

    /// To wait for news of a user.
    pub fn watch(&self, user: &str) -> watch::Receiver<i64> {
        let mut waiting = lock(&self.waiting);
        waiting.entry(user.to_owned()).or_insert_with(|| watch::channel(0).0).subscribe()
    }

    /// Forget those who no longer wait; what to delete on disk.
    pub fn tidy(&self, now: i64) -> Statement {
        lock(&self.waiting).retain(|_, sender| sender.receiver_count() > 0);
        Statement::new("DELETE FROM notices WHERE at < $1", [(now - KEEP_MS).into()])
    }

    /// All notices of one user become another's.
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
