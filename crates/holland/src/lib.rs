//! Holland '44: Operation Market Garden, September 1944, by its rules.

pub mod pack;
