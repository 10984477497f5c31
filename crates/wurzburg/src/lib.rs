//! Air & Armor: Würzburg. Formations with headquarters and chains of command, operations planned in secret, reactions
//! and interrupts by either side.

pub mod pack;
