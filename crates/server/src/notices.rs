//! What the page tells people about games they are not looking at. Kept in memory: what must not be forgotten (whose
//! decision it is) is read from the games themselves.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use kernel::Seat;
use tokio::sync::watch;

use crate::protocol::{Notice, NoticeKind};
use crate::{ids, lock};

#[derive(Debug, Default)]
pub struct Notices {
    people: Mutex<HashMap<String, Inbox>>,
}

#[derive(Debug)]
struct Inbox {
    notices: VecDeque<Notice>,
    last: watch::Sender<i64>,
}

/// So many are kept for each person …
const MOST: usize = 100;
/// … for so long.
const KEEP_MS: i64 = 7 * 24 * 3_600_000;

impl Default for Inbox {
    fn default() -> Self {
        Inbox { notices: VecDeque::new(), last: watch::channel(0).0 }
    }
}

impl Notices {
    pub fn push(&self, user: &str, kind: NoticeKind, game: &str, title: &str, seat: Option<Seat>) {
        let at = ids::now_ms();
        let mut people = lock(&self.people);
        let inbox = people.entry(user.to_owned()).or_default();
        // Numbers rise also over a restart, so that `since` keeps its meaning.
        let n = at.max(*inbox.last.borrow() + 1);
        // The newest of a kind says it all.
        inbox.notices.retain(|old| old.game != game || old.kind != kind);
        inbox.notices.push_back(Notice { n, at, kind, game: game.into(), title: title.into(), seat });
        if inbox.notices.len() > MOST {
            inbox.notices.pop_front();
        }
        inbox.last.send_replace(n);
    }

    /// What came after `since`, and a way to wait for more.
    pub fn after(&self, user: &str, since: i64) -> (Vec<Notice>, watch::Receiver<i64>) {
        let mut people = lock(&self.people);
        let inbox = people.entry(user.to_owned()).or_default();
        (inbox.notices.iter().filter(|n| n.n > since).cloned().collect(), inbox.last.subscribe())
    }

    pub fn tidy(&self, now: i64) {
        lock(&self.people).retain(|_, inbox| {
            inbox.notices.retain(|n| now - n.at < KEEP_MS);
            !inbox.notices.is_empty() || inbox.last.receiver_count() > 0
        });
    }
}
