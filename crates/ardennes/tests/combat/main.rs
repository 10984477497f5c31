//! Combat, rule by rule, on small maps with scripted dice.

mod advances;
mod declaring;
mod disengaging;
mod odds;
mod results;
mod retreats;
mod table;
