//! The words, in each language.

/// The message file of a language.
pub fn of(_language: &str) -> Option<&'static str> {
    None
}
