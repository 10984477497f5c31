//! The one place where a panic of a game's rules is caught. The room survives it: the request is refused with
//! [`ErrorCode::RulesFailed`], the journal is unchanged, and the server's log says what happened and where.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{Fault, Result};
use crate::protocol::ErrorCode;

/// Call into the rules of `game` (a table's id); `doing` describes the call for the log.
///
/// Callers either only read, or work on data that is discarded after an error: a decision is applied to a copy of the
/// position, and a room that is ahead of the disk is marked as broken and loaded again.
pub fn rules<T>(game: &str, doing: &str, work: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| failed(game, doing, &*panic))
}

/// The fault that a caught panic becomes.
pub fn failed(game: &str, doing: &str, panic: &(dyn Any + Send)) -> Fault {
    let why = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    tracing::error!(game, doing, why, "the rules panicked");
    Fault::new(ErrorCode::RulesFailed, "the rules failed; nothing has changed")
}
