//! Chapters 5–7 and 23–33, rule by rule, on the shipped map with the shipped counters.

mod breakdown;
mod replacements;
mod table;
mod victory;
