//! One module per command.

pub mod arena;
pub mod bench;
pub mod completions;
pub mod engine;
pub mod lab;
pub mod load;
pub mod map;
pub mod packs;
pub mod replay;
pub mod serve;
pub mod sim;
pub mod table;
