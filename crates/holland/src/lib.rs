//! Holland '44: Operation Market Garden, September 1944, by its rules.

mod action;
mod airlanding;
mod ask;
mod bridges;
mod combat;
mod event;
mod flow;
mod frame;
mod game;
mod lab;
mod land;
mod movement;
pub mod pack;
mod play;
mod setup;
mod state;
mod supply;
mod view;
mod world;

pub use action::{Action, Subject};
pub use event::Event;
pub use game::{Holland44, HollandTitle, start};
pub use state::State;
pub use world::Holland;
