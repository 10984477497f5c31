//! Ground movement (16): the Movement Step, moving forces, and their interruptions.

mod cost;
mod ground;
mod onward;
mod order;
mod question;
mod reach;
mod refusal;
mod steps;
mod transfer;
mod walk;

use hexgrid::HexId;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

pub use cost::{Front, Ground, Mover, QUARTERS, River, Step, Traits, Way};
pub use onward::{Decide, NewObjective};
pub use question::Movement;
pub use reach::{Reach, Reached};
pub use steps::{check_part, check_spares, combine, divide, part_off, split};
pub use walk::{begin_reaction, run, start};

use crate::{
    rules::Wurzburg,
    state::{Flags, Place, State},
    units::{OpKind, Side, UnitId, UnitSet},
};

/// The hexes of a move without the start; a March by road is the longest.
pub type Path = SmallVec<[HexId; 32]>;

/// A moving force.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Walk {
    pub force: UnitSet,
    /// The hexes still to be entered.
    pub path: Path,
    /// How many of them have been entered.
    pub at: u8,
    /// It entered the hex it is in by this movement (18.6).
    pub entered: bool,
    /// A unit of either side was not known before: whether to stop or continue is a question (16.8.1).
    pub surprised: bool,
    /// 41.2: one attempt per force.
    pub screened: bool,
    pub reaction: bool,
    /// 37.4: the force must stop here.
    pub halted: bool,
    /// 17.4, 17.5: it crosses the Main by ferry or amphibious crossing.
    pub crossing: bool,
    /// 37.4 item 3: it leaves a minefield carefully and stops in the next hex.
    pub careful: bool,
}

impl Walk {
    pub fn next(&self) -> Option<HexId> {
        self.path.get(usize::from(self.at)).copied()
    }
}

impl Wurzburg {
    /// 16.1.2: the Movement Allowance in quarters.
    pub fn allowance(&self, s: &State, unit: UnitId, way: Way) -> u8 {
        let table = &self.tables.operations;
        let mp = match way {
            Way::Operation(kind) => table.of(kind).mp,
            Way::Reaction => table.reaction.mp,
        };
        let quarters = mp * QUARTERS;
        if s.unit(unit).is(Flags::CONTAMINATED) {
            // 44.4.4
            let ratio = table.contaminated;
            return (u16::from(quarters) * u16::from(ratio.num) / u16::from(ratio.den)) as u8;
        }
        quarters
    }

    /// Whether a unit may still move in the current Movement Step.
    pub fn movable(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        let op = &s.op;
        let group = op.groups.get(usize::from(op.group));
        let mine = op.groups.len() < 2
            || group.is_some_and(|group| group.members.contains(unit))
            // 13.4: another regiment or task force starts only when this one is done.
            || !op.moved.contains(unit);
        (u.on_map() || self.enters(s, unit)) && op.members.contains(unit) && !op.done.contains(unit) && mine
    }

    /// The mover for units in an operation.
    pub fn mover<'a>(&'a self, s: &'a State, side: Side, force: UnitSet) -> Mover<'a> {
        Mover::new(self, s, side, Way::Operation(s.op.kind), force)
    }

    /// A free counter for steps that split off from a unit (11.5).
    pub fn spare_for(&self, s: &State, unit: UnitId) -> Option<UnitId> {
        let pool = self.pools.get(usize::from(self.counter(unit).pool))?;
        pool.units.iter().copied().find(|other| s.unit(*other).place == Place::Spare)
    }

    /// Dummies of this unit's kind, and its real steps on the map.
    fn dummies_and_steps(&self, s: &State, unit: UnitId) -> (usize, usize) {
        let Some(pool) = self.pools.get(usize::from(self.counter(unit).pool)) else { return (0, 0) };
        let dummies = pool.units.iter().filter(|other| s.unit(**other).dummy()).count();
        let real = pool
            .units
            .iter()
            .filter(|other| s.unit(**other).on_map())
            .map(|other| usize::from(s.unit(*other).steps))
            .sum();
        (dummies, real)
    }

    /// 11.3.3: whether there are no more dummies of this unit's kind than steps.
    pub fn dummies_fit(&self, s: &State, unit: UnitId) -> bool {
        let (dummies, real) = self.dummies_and_steps(s, unit);
        dummies <= real
    }

    /// 11.3.3: whether one more dummy of this unit's kind may be on the map.
    pub fn dummy_allowed(&self, s: &State, unit: UnitId) -> bool {
        let (dummies, real) = self.dummies_and_steps(s, unit);
        dummies < real && self.dummy_markers(s, self.counter(unit).side)
    }

    /// 11.3.4: whether a dummy marker is left. Each is the back of a 9-step marker; each side has some of its own.
    pub fn dummy_markers(&self, s: &State, side: Side) -> bool {
        let table = &self.tables.dummies;
        let dummies = |side: Side| {
            let out = |unit: &&UnitId| {
                let u = s.unit(**unit);
                u.steps == 0
                    && matches!(u.place, Place::Map | Place::Column | Place::Later | Place::Waiting)
                    && self.counter(**unit).symbol.ground()
            };
            self.units_of(side).iter().filter(out).count()
        };
        let own = dummies(side);
        if own < usize::from(table.each_side) {
            return true;
        }
        let nines = self.units_of(Side::Wp).iter().filter(|unit| s.unit(**unit).steps == 9).count();
        own + dummies(side.enemy()) + nines < usize::from(table.markers)
    }

    /// Whether the current operation is a Hasty Attack or an Assault.
    pub fn offensive(&self, s: &State) -> bool {
        matches!(s.op.kind, OpKind::HastyAttack | OpKind::Assault)
    }
}
