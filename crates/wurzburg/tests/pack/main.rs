//! The pack compared with every value that the rulebook states, and every constraint between its parts.

mod errors;
mod forces;
mod scenarios;
mod tables;
mod words;

use wurzburg::pack::{FormationId, Pack, Piece};

pub fn pack() -> &'static Pack {
    Pack::embedded().expect("the shipped pack is sound")
}

pub fn formation(id: &str) -> FormationId {
    pack().find_formation(id).unwrap_or_else(|| panic!("no formation {id}"))
}

/// The counters of a formation.
pub fn of(id: &str) -> Vec<&'static Piece> {
    let id = formation(id);
    pack().forces.pieces.iter().filter(|p| p.formation == id).collect()
}
