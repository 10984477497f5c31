//! The mind for Panzer: North Africa.
//!
//! [`lore`] is what is known before the game: what each gun does to each vehicle at each range, how long the ways to
//! objectives are. [`gunnery`] is what a shot is worth. [`picture`] is the position as one side sees it: what it
//! can expect to hit, and to lose, in every hex; [`exchange`] is what both sides' fire would make of each other. From them [`commands`] chooses Commands, [`manoeuvre`] moves, [`shooting`]
//! declares fire, [`combined`] knows what only the Advanced Game has, [`artillery`] its indirect fire and smoke, and [`value`] makes one number of a position.

mod artillery;
mod combined;
mod commander;
mod commands;
mod exchange;
mod gunnery;
mod lore;
mod manoeuvre;
mod picture;
mod plan;
mod shooting;
mod value;
mod weights;
mod why;

pub use commander::{Commander, GAME};
pub use plan::Plan;
pub use weights::Weights;

use kernel::{Erased, Table};

/// The Axis lead in victory points. None for a table of another game.
pub fn score(table: &dyn Table) -> Option<f32> {
    let erased = table.as_any().downcast_ref::<Erased<::panzer::Panzer>>()?;
    let [axis, allied] =
        ::panzer::pack::Side::ALL.map(|side| erased.rules.points(&erased.state, side).total());
    Some((axis - allied) as f32)
}
