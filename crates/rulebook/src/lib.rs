//! What all games share, above the kernel and the atlas and below any single game.
//!
//! [`Title`] is a game's entry in the catalogue: all that the program needs to know of a game. [`bench`] measures
//! random play of any game's rules. [`flow`] leads from a frame to its question. [`doc`] merges the files of a pack
//! with overlays.

pub mod bench;
pub mod doc;
pub mod flow;
mod title;

pub use title::{Measured, Title};
