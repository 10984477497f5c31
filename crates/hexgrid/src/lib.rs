//! Hex geometry: hexes, hexsides, vertices, boards, floods and lines. It knows no game.
//!
//! The endless grid has [`Hex`], [`Direction`], [`Hexside`] and [`Vertex`]; a [`Layout`] gives their positions on a
//! picture, [`Labels`] their printed numbers:
//!
//! ```
//! use hexgrid::{Compass, Labels, Orientation};
//!
//! let labels = Labels::ardennes();
//! let hex = labels.parse("E2119")?;
//! let north_east = Orientation::Flat.direction(Compass::NE).unwrap();
//! assert_eq!(labels.label(hex.neighbour(north_east)).as_deref(), Some("E2020"));
//! assert_eq!(hex.distance(labels.parse("W0119")?), 12);
//! # Ok::<(), hexgrid::LabelError>(())
//! ```
//!
//! A [`Board`] gives the hexes of one map dense ids and tables. A [`Flood`] finds where a unit can move on it; the game
//! says what each step costs:
//!
//! ```
//! use hexgrid::{Board, Flood, Labels, Orientation, Step};
//!
//! let board = Board::full(Labels::ccrr(Orientation::Flat, 12, 10)?)?;
//! let swamp = board.find("0505")?;
//! let mut flood = Flood::new();
//! flood.run(&board, board.find("0504")?, 8, |_, _, to| {
//!     if to == swamp { Step::EnterAndStop(8) } else { Step::Enter(4) }
//! });
//! assert_eq!(flood.cost(swamp), Some(8));
//! // All of the 19 hexes within two steps but the one behind the swamp.
//! assert_eq!(flood.reached().len(), 18);
//! assert_eq!(flood.path(&board, swamp).len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Line`] runs exactly from centre to centre, and knows when it runs along a hexside or through a vertex:
//!
//! ```
//! use hexgrid::{Hex, Line, LineStep};
//!
//! let steps: Vec<LineStep> = Line::new(Hex::new(0, 0), Hex::new(1, 1)).collect();
//! assert!(matches!(
//!     steps[..],
//!     [LineStep::Hex(_), LineStep::Along { left: Hex { q: 1, r: 0 }, right: Hex { q: 0, r: 1 }, .. }, LineStep::Hex(_)]
//! ));
//! ```

mod board;
mod direction;
mod flood;
mod hex;
pub mod labels;
mod layout;
mod line;
pub mod set;
mod side;

pub use board::{Board, BoardError, HexId, SideId};
pub use direction::{BadCompass, BadDirection, Compass, Direction, Orientation};
pub use flood::{Flood, Step};
pub use hex::{BadHex, Hex};
pub use labels::{LabelError, Labels};
pub use layout::{Layout, Point};
pub use line::{BoardLine, BoardLineStep, Line, LineStep, Move, Moves};
pub use set::{HexSet, SideSet};
pub use side::{Hexside, Vertex};
