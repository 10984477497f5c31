//! Panzer: North Africa. Single vehicles with facing on 100 m hexes, line of sight over elevations, secret Commands,
//! percentile fire, Overwatch.
//!
//! The modules follow the rulebook: [`phase`] is the sequence of play, [`spotting`], [`command`], [`initiative`],
//! [`fire`], [`overwatch`], [`movement`] and [`adjustment`] are its chapters, [`victory`] decides the winner. [`state`]
//! is the complete state as plain data, [`action`] every decision with its text form in [`notation`]. [`field`] is the
//! terrain, [`los`] line of sight across it, [`pack`] the data cards, tables, boards and scenarios. The Advanced Game
//! adds [`piece`] (Leg and towed units, weapons, grades), [`formation`], [`cover`], [`gp`], [`ammo`], [`bail`],
//! [`suppress`], [`air`], [`works`] (entrenchments, obstacles, buildings, fires) and [`rest`] (Pivot and Full Cover).
//! [`flow`] dispatches to the module of the waiting frame; [`rules`] implements the kernel's trait.

pub mod action;
pub mod adjustment;
pub mod air;
pub mod ammo;
pub mod ask;
pub mod assault;
pub mod bail;
mod bench_sight;
pub mod brief;
pub mod command;
mod copy;
pub mod cover;
mod covers;
pub mod deployment;
pub mod event;
pub mod field;
pub mod fire;
pub mod flow;
pub mod formation;
pub mod frame;
pub mod game;
pub mod gp;
pub mod hidden;
pub mod indirect;
pub mod initiative;
pub mod lab;
mod label;
mod looks;
pub mod los;
pub mod messages;
pub mod morale;
pub mod movement;
pub mod notation;
pub mod overrun;
pub mod overwatch;
pub mod pack;
pub mod phase;
pub mod piece;
pub mod play;
pub mod portee;
pub mod refusal;
pub mod report;
mod report_advanced;
mod report_air;
mod report_works;
pub mod rest;
pub mod rules;
pub mod setup;
pub mod show;
pub mod spotting;
pub mod state;
pub mod study;
pub mod suppress;
mod title;
pub mod transport;
pub mod units;
pub mod victory;
pub mod view;
pub mod works;

pub use game::PanzerNorthAfrica;
pub use rules::Panzer;
pub use title::PanzerTitle;
