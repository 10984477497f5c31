//! Errors in a pack, worded so that its author can fix them.

use std::fmt;

/// A pack that cannot be used: which file, which item in it, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackError {
    /// Path inside the pack, or `overlay`.
    pub file: String,
    /// E.g. `unit de-2pz-304-pzg`; empty for the file as a whole.
    pub item: String,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl PackError {
    pub(super) fn new(file: impl Into<String>, item: impl Into<String>, message: impl Into<String>) -> Self {
        Self { file: file.into(), item: item.into(), message: message.into() }
    }
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if !self.item.is_empty() {
            write!(f, "{}: ", self.item)?;
        }
        f.write_str(self.message.trim())
    }
}

impl std::error::Error for PackError {}
