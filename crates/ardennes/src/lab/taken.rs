//! Decisions that were taken for somebody because there was nothing to choose, as long as a lab file may still name them.

use std::cell::RefCell;

use crate::{action::Action, notation, pack::Side, play::Cx};

thread_local! {
    static TAKEN: RefCell<Vec<(Side, String)>> = const { RefCell::new(Vec::new()) };
}

/// A decision without a choice is about to be taken.
pub fn note(cx: &Cx, action: &Action) {
    let text = notation::write(cx.rules, cx.s, action);
    TAKEN.with_borrow_mut(|taken| taken.push((cx.side, text)));
}

/// Run something of which nothing is noted: it only tries what would happen.
pub fn unnoted<T>(run: impl FnOnce() -> T) -> T {
    let before = TAKEN.with_borrow(Vec::len);
    let result = run();
    TAKEN.with_borrow_mut(|taken| taken.truncate(before));
    result
}

/// What has been noted since this was last asked.
pub fn take() -> Vec<(Side, String)> {
    TAKEN.take()
}
