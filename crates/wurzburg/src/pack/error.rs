//! Errors in the files of a pack.

/// Why a pack cannot be used: where the fault is, and what would be valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {why}")]
pub struct PackError {
    /// The file, and the item in it.
    pub at: String,
    pub why: String,
}

impl PackError {
    pub fn at(at: impl Into<String>, why: impl Into<String>) -> PackError {
        PackError { at: at.into(), why: why.into() }
    }
}
