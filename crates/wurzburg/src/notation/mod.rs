//! The canonical notation, in both directions (`docs/NOTATION.md`). Reading is lenient: several spellings are accepted,
//! but only one is written.

mod read;
mod respell;
mod write;

pub use read::read;
pub use write::{write, write_part};
