//! Ardennes '44, and the family of ZOC-bond games.

pub mod pack;
