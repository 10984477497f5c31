//! Combat: the ladder of odds, the ways of retreats and advances.

pub mod advance;
pub mod home;
pub mod odds;
pub mod retreat;
