//! Canonical notation of decisions (`docs/NOTATION.md`), both ways.

mod read;
mod write;

pub use read::{read, read_subject};
pub use write::{write, write_subject};
