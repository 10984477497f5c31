//! Hex geometry: hexes, hexsides, vertices, boards, floods and lines. Knows no game.

mod board;
mod direction;
mod hex;
pub mod labels;
mod layout;
mod set;
mod side;

pub use board::{Board, BoardError, HexId, SideId};
pub use direction::{BadCompass, BadDirection, Compass, Direction, Orientation};
pub use hex::{BadHex, Hex};
pub use labels::{LabelError, Labels};
pub use layout::{Layout, Point};
pub use set::{HexSet, SideSet};
pub use side::{Hexside, Vertex};
