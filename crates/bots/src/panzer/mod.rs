//! The mind for Panzer: North Africa.
//!
//! [`lore`] is what is known before the game: the effect of each gun on each vehicle at each range, distances to
//! objectives. [`gunnery`] evaluates a shot. [`picture`] is the position as one side sees it: what it can expect to
//! hit, and to lose, in every hex; [`exchange`] computes the effect of both sides' fire on each other. From them
//! [`commands`] chooses Commands, [`manoeuvre`] moves, [`shooting`] declares fire, [`combined`] handles what only the
//! Advanced Game has, [`artillery`] its indirect fire and smoke, [`ambush`] hidden enemies, and [`value`] evaluates a
//! position.

mod ambush;
mod artillery;
mod combined;
mod commander;
mod commands;
mod exchange;
mod gunnery;
mod lore;
mod luck;
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
