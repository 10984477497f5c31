//! The mind for Holland '44.
//!
//! [`lore`] is what a staff officer knows before the game: what wins, and what every step takes. [`sight`] is how soon either
//! side could be where, as the position stands; [`value`] makes one number of a position from it. [`odds`] is what an
//! attack is worth, die by die. [`manoeuvre`] plans a Movement Phase, [`combat`], [`landing`] and [`duties`] take the other
//! decisions. What it has in common with the mind for Ardennes '44 is in [`crate::bond`].

mod combat;
mod duties;
mod landing;
mod lore;
mod manoeuvre;
mod odds;
mod plan;
mod posts;
mod pursuit;
mod sight;
mod staff;
mod value;
mod weights;
mod why;

pub use plan::Plan;
pub use staff::{GAME, Staff};
pub use weights::Weights;

use kernel::{Erased, Table};

/// How far the Allies have come, in the scenario's own terms. None for a table of another game.
pub fn score(table: &dyn Table) -> Option<f32> {
    let erased = table.as_any().downcast_ref::<Erased<::holland::Holland>>()?;
    Some(value::score(&erased.rules, &erased.state))
}
