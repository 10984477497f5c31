//! Chapters 5–7 and 23–33, rule by rule, on the shipped map with the shipped counters.

mod antwerp;
mod breakdown;
mod bridges;
mod dumps;
mod fuel;
mod markers;
mod night;
mod replacements;
mod supply;
mod table;
mod victory;
