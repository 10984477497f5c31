//! What all games share, above the kernel and the atlas and below any single game.
//!
//! [`Title`] is a game's entry in the catalogue: all that the program needs to know of a game. [`bench`] measures
//! random play of any game's rules. [`flow`] leads from a frame to its question. [`files`] reads the files of a pack,
//! [`doc`] merges them with overlays, [`changes`] lists what an overlay changes. [`board()`] is the map as the client
//! draws it. [`lab`] reads the maps and the fields of lab files in the words of readers. [`keyed!`] declares the closed
//! lists of words.

pub mod bench;
mod board;
pub mod changes;
pub mod doc;
pub mod files;
pub mod flow;
mod keyed;
pub mod lab;
mod overlay;
mod title;

pub use board::{board, terrain_of};
pub use title::{Measured, Title};
