//! Many games without people: how strong opponents are, how a scenario plays.
//!
//! - [`player`]: who may play here: our bots, and any program that speaks the line protocol ([`program`]).
//! - [`play`]: one game between such players, recorded as a [`play::Record`].
//! - [`course`]: what happens in a turn, counted from the battle report.
//! - [`batch`]: many of them in parallel, in order, so that a file is the same whatever the number of jobs, and an
//!   interrupted one can be continued.
//! - [`sim`] and [`report`]: a scenario played many times, and a report about it for people.
//! - [`arena`] and [`elo`]: players against each other, and their resulting ratings.
//! - [`engine`]: the other end of the line protocol, our bots for other people's programs (`docs/ENGINE.md`).
//!
//! Nothing here knows a game: a game says by [`kernel::Survey`] what is counted, and by [`kernel::StudyInfo`] what is
//! shown.

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
