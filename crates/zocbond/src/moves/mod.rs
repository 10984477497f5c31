//! Where a unit can get to, at what cost and by which way.
//!
//! Costs are counted in a unit that the game chooses, [`Guide`] by guide: the largest fraction of a movement point of which
//! all its costs are multiples, a quarter or a sixth. [`Points`](crate::Points) hold them all.
//!
//! [`StepCosts`] is what the land says, [`Obstacles`] what stands in it, [`Search`] the quick search over both, and
//! [`Reach`] what a player wants to know. [`layered`] is the search for rules in which a step's cost depends on the way
//! before it, and the one that the quick one is compared with; [`LandSteps`] keeps what the land says for it.

pub mod costs;
pub mod layered;
mod obstacles;
pub mod reach;
pub mod search;

use hexgrid::{Direction, HexId, HexSet};

pub use costs::{LandSteps, StepCosts, Steps};
pub use layered::Layered;
pub use obstacles::Obstacles;
pub use reach::Reach;
pub use search::Search;

use crate::{Slot, Topology};

/// More than any unit has to spend, in the game's unit of account: 31 points in quarters, 21 in sixths.
pub const MAX_BUDGET: usize = 126;

/// A step that no mover of the kind ever makes: costs more than any budget.
pub const SHUT: u8 = i8::MAX as u8;
/// A step that the land alone does not decide: ask [`Guide::pace`].
pub const ASK: u8 = u8::MAX;

/// No limit on the number of hexes.
pub const ANY_HEXES: u8 = u8::MAX;

/// A legal step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    pub cost: u16,
    /// The move ends here.
    pub stop: bool,
    /// One of the crossings that count: a move may have a limit on them.
    pub hard: bool,
}

/// What a step into a hex with an obstacle comes to, on top of what the land costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    pub delay: u16,
    /// The move ends there.
    pub stop: bool,
}

impl Met {
    pub const NOTHING: Met = Met { delay: 0, stop: false };
}

/// A hex from which a move begins: where the unit stands, or where it may come onto the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Door {
    pub hex: HexId,
    /// What it costs to stand there.
    pub cost: u16,
}

impl Slot for Door {
    const EMPTY: Self = Door { hex: HexId::NONE, cost: 0 };
}

/// A hex that is reached, in the lower half of a word, and its cost.
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

/// What a search asks about the move of one unit in one mode.
pub trait Guide {
    fn topology(&self) -> &Topology;

    /// Where the unit stands; [`HexId::NONE`] off the map.
    fn start(&self) -> HexId;

    /// What it may spend.
    fn left(&self) -> u16;

    /// How far beyond [`Guide::left`] a search looks, so that it serves a mode that goes further.
    fn extension(&self) -> u16 {
        0
    }

    /// How many hexes it may enter; [`ANY_HEXES`] if they are not counted. Ways with a limit are tried out one by one.
    fn hexes(&self) -> u8 {
        ANY_HEXES
    }

    /// Where every hex costs the same whatever lies in it: what a hex counts in lists.
    fn flat_cost(&self) -> Option<u16> {
        None
    }

    /// Can it pay for its first step whatever that costs? Only asked where hexes are counted.
    fn first_step_free(&self) -> bool {
        false
    }

    /// What it costs to leave the start.
    fn leave(&self) -> u16;

    /// Directions out of the start, as bits, in which this unit must be asked about whatever the land says.
    fn ask_from_start(&self) -> u8 {
        0
    }

    /// For every unit that moves in this way: the costs of the steps out of a hex by direction, [`SHUT`] or [`ASK`].
    fn land_steps(&self, hex: HexId) -> [u8; 6];

    /// Hexes in which something other than the land counts.
    fn obstacles(&self) -> &HexSet;

    /// A step that the land allows, into one of those hexes; none if something there bars it.
    fn meet(&self, from: HexId, direction: Direction, to: HexId) -> Option<Met>;

    /// The whole rule of one step; none if it cannot be made. `crossed` says that a hard crossing was made before.
    fn pace(&self, from: HexId, direction: Direction, crossed: bool) -> Option<Pace>;

    /// Is a step that the land calls [`SHUT`] or [`ASK`] barred at first sight? It may say no and leave it to
    /// [`Guide::pace`].
    fn surely_barred(&self, _step: u8, _from: HexId, _to: HexId, _crossed: bool) -> bool {
        false
    }

    /// Does a unit that comes onto the map in this hex stop there?
    fn stops_in(&self, hex: HexId) -> bool;
}
