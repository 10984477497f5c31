//! The system shared by the ZOC-bond games: what the games of the family have in common, independent of any of them.
//!
//! A game defines one type of its own and states through [`System`] what differs: which side owns a counter, how far
//! its zone of control reaches, which bonds the terrain allows. Everything here is generic over that type, so that the
//! compiler generates separate code for each game.
//!
//! [`Field`] is the part of a position that the shared code knows: counters, stacks, zones of control, control of
//! hexes, bridges. Its state is private, and every change renews its stamp. [`board`] moves counters and keeps the sets
//! up to date; [`zoc`] and [`bonds`] read them.

pub mod board;
pub mod bonds;
pub mod bridges;
pub mod changes;
pub mod combat;
pub mod field;
pub mod ids;
pub mod list;
pub mod moves;
mod nearby;
pub mod overlay;
pub mod path;
pub mod points;
pub mod stacking;
pub mod stamp;
pub mod supply;
pub mod system;
pub mod topology;
pub mod zoc;

pub use bonds::Bond;
pub use bridges::{Bridges, Span};
pub use field::{Field, Key, Piece, Stack};
pub use ids::{Link, MAX_BRIDGES, MAX_HEXES, MAX_UNITS, MarkerAt, UnitId, UnitSet};
pub use list::{Array, List, Slot};
pub use path::Path;
pub use points::Points;
pub use stamp::Stamp;
pub use system::{FieldOf, PlaceOf, Side, System};
pub use topology::{HEXES, Topology};
