//! The mind for Ardennes '44.
//!
//! [`lore`] is what is known before the game: roads, distances, the value of each Victory Hex. [`field`] computes how
//! long a side would take to reach each hex from the current position, with enemy units, zones of control and ZOC Bonds
//! in its way; [`value`] evaluates a position with it. [`odds`] evaluates an attack, die by die. [`manoeuvre`] plans a
//! Movement Phase, [`combat`] and [`duties`] take the other decisions.

mod areas;
mod combat;
mod duties;
mod field;
mod guards;
mod learned;
mod lore;
mod manoeuvre;
mod odds;
mod picture;
mod plan;
mod posts;
mod pursuit;
mod reserves;
mod screen;
mod staff;
mod towns;
mod value;
mod ways;
mod weights;
mod why;

pub use plan::Plan;
pub use staff::{GAME, Staff};
pub use value::Foresight;
pub use weights::Weights;

use kernel::{Erased, Table};

/// German progress in the scenario's own terms: victory points (31.2), or Victory Hexes on the West map plus a share
/// for those on the way to it (30.2). None for a table of another game.
pub fn score(table: &dyn Table) -> Option<f32> {
    let erased = table.as_any().downcast_ref::<Erased<::ardennes::Ardennes>>()?;
    Some(value::score(&erased.rules, &erased.state))
}
