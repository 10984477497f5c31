//! Air & Armor: Würzburg. Formations with headquarters and chains of command, operations planned in secret, reactions
//! and interrupts by either side.
//!
//! The modules follow the rulebook: [`turn`] is the Sequence of Play, [`planning`] and [`maneuver`] command and
//! activation, [`operation`] the operations, [`movement`], [`zoc`], [`stacking`], [`fire`], [`reaction`], [`mines`] and
//! [`shatter`] their chapters, [`air`] helicopters and paradrops, [`victory`] decides the winner. [`chain`] knows the
//! chains of command. [`state`] is the complete state as plain data, [`action`] every decision with its text form in
//! [`notation`]; [`frame`] is the state of the sequence of play, and [`flow`] has the one table from frames to what
//! they do. [`pack`] holds map, counters, tables and scenarios.

pub mod action;
pub mod air;
pub mod ask;
pub mod attach;
pub mod brief;
pub mod cavalry;
pub mod chain;
pub mod crossing;
pub mod deployment;
pub mod effort;
pub mod engineers;
pub mod entry;
pub mod event;
pub mod field;
pub mod fire;
pub mod flow;
pub mod frame;
pub mod game;
pub mod gas;
pub mod jamming;
mod kept;
pub mod lab;
mod looks;
pub mod maneuver;
pub mod messages;
pub mod mines;
pub mod movement;
pub mod notation;
pub mod operation;
pub mod pack;
pub mod planning;
pub mod play;
pub mod reaction;
pub mod recon;
pub mod refusal;
pub mod report;
mod resample;
pub mod roster;
pub mod rules;
pub mod setup;
pub mod shatter;
pub mod smoke;
mod spelling;
pub mod stacking;
pub mod state;
pub mod storm;
pub mod support;
pub mod table;
pub mod title;
pub mod turn;
pub mod units;
pub mod victory;
pub mod view;
pub mod works;
pub mod zoc;

pub use game::AirAndArmor;
pub use rules::Wurzburg;
pub use title::WurzburgTitle;
