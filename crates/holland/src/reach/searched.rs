//! What searches and paths were found for, so that they are found again instead of anew.

use hexgrid::HexId;
use zocbond::{MarkerAt, UnitId};

use crate::frame::Mode;
use crate::kept::Position;
use crate::movement::Mover;
use crate::state::{EnteredAt, State, Way};
use crate::world::Holland;

/// Everything that the result of a fast search depends on.
#[derive(Debug)]
pub struct Searched {
    position: Position,
    turn: u8,
    traffic: [MarkerAt; 6],
    entered_at: EnteredAt,
    unit: UnitId,
    kind: usize,
    budget: u16,
}

impl Searched {
    pub fn now(rules: &Holland, s: &State, m: &Mover, budget: u16) -> Searched {
        Searched {
            position: Position::of(rules, s),
            turn: s.turn,
            traffic: s.traffic,
            entered_at: s.entered_at,
            unit: m.unit,
            kind: Holland::kind(m),
            budget,
        }
    }

    /// Whether the same search would find what this one has found, as far as the budget goes.
    pub fn serves(&self, rules: &Holland, s: &State, m: &Mover, budget: u16) -> bool {
        self.kind == Holland::kind(m) && self.budget >= budget && self.holds(rules, s, m.unit)
    }

    /// Whether it was made for this unit, and nothing has changed since.
    fn holds(&self, rules: &Holland, s: &State, unit: UnitId) -> bool {
        (self.turn, self.unit) == (s.turn, unit)
            && self.position.is(rules, s)
            && self.traffic == s.traffic
            && self.entered_at == s.entered_at
    }
}

/// The path that was found last: a move is checked and then carried out.
#[derive(Debug)]
pub struct Told {
    pub of: Searched,
    pub mode: Mode,
    pub to: HexId,
    pub way: Way,
}

impl Told {
    /// The path, if it is asked for again.
    pub fn again(&self, rules: &Holland, s: &State, unit: UnitId, mode: Mode, to: HexId) -> Option<Way> {
        ((self.to, self.mode) == (to, mode) && self.of.holds(rules, s, unit)).then_some(self.way)
    }
}
