//! Panzer: North Africa. Single vehicles with facing on 100 m hexes, line of sight over heights, commands given in
//! secret, percentile fire, overwatch.
//!
//! [`field`] is the ground that is fought over, [`los`] what can be seen across it, [`pack`] the data cards, tables,
//! boards and scenarios, [`draw`] the map's picture.

pub mod draw;
pub mod field;
pub mod los;
pub mod pack;
