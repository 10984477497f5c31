//! What is wrong with a pack's file.

/// Why a pack cannot be used: where, and what would do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {why}")]
pub struct PackError {
    /// The file, and the item in it.
    pub at: String,
    pub why: String,
}

impl PackError {
    pub fn at(at: &str, why: impl Into<String>) -> PackError {
        PackError { at: at.to_owned(), why: why.into() }
    }
}
