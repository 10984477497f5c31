//! The mind for Holland '44.
//!
//! [`lore`] is what is known before the game: what wins, and the time of every step. [`sight`] computes how soon either
//! side could reach which hex from the current position; [`value`] evaluates a position with it. [`odds`] evaluates an
//! attack, die by die. [`manoeuvre`] plans a Movement Phase, [`combat`], [`landing`] and [`duties`] take the other
//! decisions. What it shares with the mind for Ardennes '44 is in [`crate::bond`].

mod combat;
mod duties;
mod guards;
mod landing;
mod lore;
mod manoeuvre;
mod odds;
mod plan;
mod posts;
mod pursuit;
mod road;
mod sight;
mod staff;
mod value;
mod weights;
mod why;

pub use plan::Plan;
pub use staff::{GAME, Staff};
pub use weights::Weights;

use kernel::{Erased, Table};

/// Allied progress in the scenario's own terms. None for a table of another game.
pub fn score(table: &dyn Table) -> Option<f32> {
    let erased = table.as_any().downcast_ref::<Erased<::holland::Holland>>()?;
    Some(value::score(&erased.rules, &erased.state))
}
