//! Ardennes '44 in both editions, on the shared code of [`zocbond`].
//!
//! The modules follow the rulebook: one module per group of chapters. [`phase`] is the sequence of play, [`state`] the
//! complete state as plain data, [`action`] every decision with its text form in [`notation`]. [`flow`] dispatches to
//! the module of the current frame; [`rules`] is the contract with the kernel.

pub mod action;
pub mod antwerp;
pub mod artillery_supply;
pub mod ask;
pub mod board;
pub mod bonds;
pub mod breakdown;
pub mod bridges;
pub mod brief;
pub mod changes;
pub mod combat;
pub mod confirm;
pub mod counter;
mod covers;
pub mod disengage;
mod editions;
pub mod event;
pub mod explain;
pub mod flags;
pub mod flow;
pub mod frame;
pub mod fuel;
pub mod fuel_dumps;
pub mod game;
pub mod lab;
mod looks;
pub mod messages;
pub mod movement;
pub mod night;
pub mod notation;
pub mod odds;
pub mod options;
pub mod pack;
pub mod phase;
pub mod place;
pub mod play;
pub mod rally;
pub mod refusal;
pub mod reinforce;
pub mod replacements;
pub mod report;
pub mod rules;
pub mod setup;
pub mod special;
pub mod stacking;
pub mod state;
pub mod study;
pub mod subject;
pub mod supply;
pub mod surrender;
pub mod terrain;
mod title;
pub mod traffic;
pub mod victory;
pub mod view;
pub mod zoc;

pub use game::Ardennes44;
pub use rules::Ardennes;
pub use title::ArdennesTitle;
pub use zocbond::{list, stamp};
