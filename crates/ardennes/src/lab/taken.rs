//! Decisions that were taken for somebody because there was nothing to choose, as long as a lab file may still name them.

use std::cell::RefCell;

use crate::{action::Action, notation, pack::Side, play::Cx, state::State};

/// A decision that was taken for a side: what it was, and where.
#[derive(Clone, Debug)]
pub struct Taken {
    pub side: Side,
    pub text: String,
    /// The position in which it was the only one.
    pub at: Box<State>,
}

thread_local! {
    static TAKEN: RefCell<Vec<Taken>> = const { RefCell::new(Vec::new()) };
}

/// A decision without a choice is about to be taken.
pub fn note(cx: &Cx, action: &Action) {
    let text = notation::write(cx.rules, cx.s, action);
    let taken = Taken { side: cx.side, text, at: Box::new(*cx.s) };
    TAKEN.with_borrow_mut(|all| all.push(taken));
}

/// Run something of which nothing is noted: it only tries what would happen.
pub fn unnoted<T>(run: impl FnOnce() -> T) -> T {
    let before = TAKEN.with_borrow(Vec::len);
    let result = run();
    TAKEN.with_borrow_mut(|taken| taken.truncate(before));
    result
}

/// What has been noted since this was last asked.
pub fn take() -> Vec<Taken> {
    TAKEN.take()
}
