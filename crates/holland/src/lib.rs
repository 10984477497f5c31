//! Holland '44: Operation Market Garden, September 1944, by its rules.

mod action;
pub mod airlanding;
mod ask;
mod bridges;
mod brief;
pub mod combat;
pub mod event;
mod flow;
pub mod frame;
mod game;
mod lab;
pub mod land;
mod listing;
mod march;
pub mod movement;
mod options;
pub mod overlays;
pub mod pack;
mod pieces;
mod play;
mod reach;
pub mod refusal;
mod setup;
mod special;
pub mod state;
pub mod supply;
mod victory;
mod view;
mod walk;
mod world;

pub use action::{Action, Subject};
pub use event::Event;
pub use game::{Holland44, HollandTitle, start};
pub use state::State;
pub use world::Holland;
