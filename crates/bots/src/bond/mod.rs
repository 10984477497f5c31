//! What the minds of the ZOC-bond games share: how soon a side could be where, in whose way it stands, which attacks are
//! prepared first. What differs between the games (costs of the ground, results of a combat, what wins) they bring along.

pub mod around;
pub mod arrival;
pub mod attacks;
pub mod chance;
pub mod choose;
