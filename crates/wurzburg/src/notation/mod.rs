//! The canonical notation, both ways (`docs/NOTATION.md`). Reading is generous: several ways to write a thing are
//! understood, one is written.

mod read;
mod write;

pub use read::read;
pub use write::{write, write_part};
