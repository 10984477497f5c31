//! A number that changes whenever a state changes, so that results computed for a position can be reused for the same
//! position. It is not part of the game: all stamps compare equal, and stamps are not serialized.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Each thread owns a range of 2^40 numbers, so that no two threads hand out the same stamp.
static THREADS: AtomicU64 = AtomicU64::new(1);
const BETWEEN: u32 = 40;

thread_local! {
    static NEXT: Cell<u64> = Cell::new(THREADS.fetch_add(1, Ordering::Relaxed) << BETWEEN);
}

#[derive(Clone, Copy, Debug)]
pub struct Stamp(u64);

impl Stamp {
    #[inline]
    pub fn renew(&mut self) {
        *self = Stamp::default();
    }

    /// Do both stamps belong to the same unchanged position?
    #[inline]
    pub fn same(self, other: Stamp) -> bool {
        self.0 == other.0
    }
}

impl Default for Stamp {
    #[inline]
    fn default() -> Self {
        Stamp(NEXT.replace(NEXT.get() + 1))
    }
}

impl PartialEq for Stamp {
    fn eq(&self, _: &Stamp) -> bool {
        true
    }
}
