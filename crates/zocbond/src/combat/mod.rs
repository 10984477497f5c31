//! Combat: the ladder of odds, and the paths of retreats and advances.

pub mod advance;
pub mod home;
pub mod odds;
pub mod retreat;
