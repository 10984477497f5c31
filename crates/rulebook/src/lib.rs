//! What every game repeats, above the kernel and the atlas and below any game.
//!
//! [`Title`] is a game's entry in the catalogue: the one thing that the program needs to know of a game. [`bench`]
//! measures random play of any game's rules. [`doc`] merges the files of a pack with overlays.

pub mod bench;
pub mod doc;
mod title;

pub use title::{Measured, Title};
