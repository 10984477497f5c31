//! Many games without people: what opponents are worth, what a scenario is like.
//!
//! - [`player`]: who may sit at a table here: our bots, and any program that speaks the line protocol ([`program`]).
//! - [`play`]: one game between such players, written down as a [`play::Record`].
//! - [`course`]: what happens in a turn, counted from the battle report.
//! - [`batch`]: many of them at once, in order, so that a file is the same whatever the number of jobs, and an interrupted
//!   one is taken up again.
//! - [`sim`] and [`report`]: a scenario played many times, and pages for people about it.
//! - [`arena`] and [`elo`]: players against each other, and how strong that shows them to be.
//! - [`engine`]: the other end of the line protocol, our bots for other people's programs (`docs/ENGINE.md`).
//!
//! Nothing here knows a game: a game says by [`kernel::Survey`] what is counted, by [`kernel::StudyInfo`] what is shown.

pub mod arena;
pub mod batch;
pub mod course;
pub mod elo;
pub mod engine;
pub mod play;
pub mod player;
pub mod program;
pub mod protocol;
pub mod report;
pub mod sim;
pub mod stats;
