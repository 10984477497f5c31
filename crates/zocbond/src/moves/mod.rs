//! Where a unit can move, at what cost and by which path.
//!
//! Costs are counted in a fraction of a movement point that the game chooses for each [`Guide`]: the largest of which
//! all its costs are multiples, such as a quarter or a sixth. [`Points`](crate::Points) can represent them all.
//!
//! [`StepCosts`] holds what the terrain says, [`Obstacles`] what stands in the way, [`Search`] is the fast search over
//! both, and [`Reach`] is its result for players. [`layered`] is the search for rules in which the cost of a step
//! depends on the path before it; the fast ones are tested against it. [`escalating`] is the fast search where steps of one
//! kind cost more after the first few. [`LandSteps`] stores what the terrain says for these two.

pub mod costs;
pub mod escalating;
pub mod layered;
mod obstacles;
pub mod reach;
pub mod search;

use hexgrid::{Direction, HexId, HexSet};

pub use costs::{LandSteps, StepCosts, Steps};
pub use escalating::EscalatingSearch;
pub use layered::Layered;
pub use obstacles::Obstacles;
pub use reach::Reach;
pub use search::Search;

use crate::{Slot, Topology};

/// More than any unit can spend, in the game's fraction of a point: 31 points in quarters, 21 in sixths.
pub const MAX_BUDGET: usize = 126;

/// The cost of a step that no mover of this kind can ever take: more than any budget.
pub const SHUT: u8 = i8::MAX as u8;
/// The cost of a step that terrain alone does not decide: ask [`Guide::pace`].
pub const ASK: u8 = u8::MAX;

/// No limit on the number of hexes.
pub const ANY_HEXES: u8 = u8::MAX;

/// A legal step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    pub cost: u16,
    /// The move ends here.
    pub stop: bool,
    /// The step is a crossing that counts against a limit of the move.
    pub hard: bool,
}

/// The effect of entering a hex with an obstacle, on top of the terrain cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    pub delay: u16,
    /// The move ends there.
    pub stop: bool,
}

impl Met {
    pub const NOTHING: Met = Met { delay: 0, stop: false };
}

/// A hex from which a move starts: where the unit is, or where it may enter the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Door {
    pub hex: HexId,
    /// The cost already spent there.
    pub cost: u16,
}

impl Slot for Door {
    const EMPTY: Self = Door { hex: HexId::NONE, cost: 0 };
}

/// A hex that is reached, in the lower half of a word, and its cost in the upper half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal(u32);

impl Goal {
    pub const NONE: Goal = Goal(0);

    #[inline]
    pub fn new(hex: HexId, cost: u16) -> Goal {
        Goal(u32::from(hex.0) | u32::from(cost) << 16)
    }

    #[inline]
    pub fn hex(self) -> HexId {
        HexId(self.0 as u16)
    }

    #[inline]
    pub fn cost(self) -> u16 {
        (self.0 >> 16) as u16
    }
}

/// What a search needs to know about the move of one unit in one mode.
pub trait Guide {
    fn topology(&self) -> &Topology;

    /// The hex of the unit; [`HexId::NONE`] if it is off the map.
    fn start(&self) -> HexId;

    /// What the unit may spend.
    fn left(&self) -> u16;

    /// How far beyond [`Guide::left`] the search looks, so that its result also serves a mode that goes further.
    fn extension(&self) -> u16 {
        0
    }

    /// How many hexes the unit may enter; [`ANY_HEXES`] if they are not counted. With a limit, every path is tried.
    fn hexes(&self) -> u8 {
        ANY_HEXES
    }

    /// The cost of a hex in lists, if every hex costs the same regardless of its terrain.
    fn flat_cost(&self) -> Option<u16> {
        None
    }

    /// Whether the unit can always afford its first step. Asked only where hexes are counted.
    fn first_step_free(&self) -> bool {
        false
    }

    /// The cost of leaving the start.
    fn leave(&self) -> u16;

    /// Directions out of the start, as bits, for which this unit must be asked regardless of terrain.
    fn ask_from_start(&self) -> u8 {
        0
    }

    /// For every unit that moves in this mode: the costs of the steps out of a hex by direction, [`SHUT`] or [`ASK`].
    fn land_steps(&self, hex: HexId) -> [u8; 6];

    /// Hexes in which something other than terrain matters.
    fn obstacles(&self) -> &HexSet;

    /// The effect of a step that the terrain allows into one of those hexes; `None` if something there bars it.
    fn meet(&self, from: HexId, direction: Direction, to: HexId) -> Option<Met>;

    /// The complete rule for one step; `None` if it is not possible. `crossed` if a hard crossing was made before.
    fn pace(&self, from: HexId, direction: Direction, crossed: bool) -> Option<Pace>;

    /// A quick test whether a step with the cost [`SHUT`] or [`ASK`] is barred. It may return false and leave the
    /// decision to [`Guide::pace`].
    fn surely_barred(&self, _step: u8, _from: HexId, _to: HexId, _crossed: bool) -> bool {
        false
    }

    /// Whether a unit that enters the map in this hex must stop there.
    fn stops_in(&self, hex: HexId) -> bool;
}
