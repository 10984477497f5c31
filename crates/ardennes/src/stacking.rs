//! Stacking (8).

use hexgrid::HexId;
use zocbond::stacking::Weight;

use crate::{
    counter::Counter,
    flags::Flags,
    pack::{Stacking, UnitId},
    rules::Ardennes,
    state::State,
};

/// The totals of a stack that the limits apply to (8.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    pub points: u8,
    pub silhouette_steps: u8,
    pub artillery: u8,
    pub units: u8,
    /// Sum of DF (1E Battle Group).
    pub defense: u8,
}

/// Which limit a stack breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overload {
    Points,
    SilhouetteSteps,
    Artillery,
    /// 1E 8.1
    Units,
}

impl Load {
    #[inline]
    pub(crate) fn add(&mut self, more: Load) {
        self.units += more.units;
        self.defense += more.defense;
        self.silhouette_steps += more.silhouette_steps;
        self.artillery += more.artillery;
        self.points += more.points;
    }

    /// What a unit adds on its front side, and reduced.
    pub(crate) fn of(counter: &Counter) -> [Load; 2] {
        [(counter.front, counter.sides), (counter.back, 1)].map(|(factors, steps)| {
            let one = Load { units: 1, defense: factors.defense, ..Load::default() };
            if counter.silhouette {
                Load { silhouette_steps: steps, ..one } // 8.2
            } else if counter.artillery {
                Load { artillery: 1, ..one }
            } else {
                Load { points: factors.stacking, ..one }
            }
        })
    }
}

/// The number of kinds of unit that are distinguished by their weight.
pub(crate) const KINDS: usize = 5;

/// What a unit or stack counts against the limits of 8.1.
pub(crate) fn weight(load: Load) -> Weight {
    Weight::new([load.points, load.silhouette_steps, load.artillery, load.units])
}

pub(crate) fn weight_limits(limits: &Stacking) -> Weight {
    Weight::new([limits.points, limits.silhouette_steps, limits.artillery, limits.units])
}

impl Ardennes {
    /// The packed weight of a unit, for addition.
    #[inline]
    pub(crate) fn weight_of(&self, s: &State, unit: UnitId) -> Weight {
        self.weights[unit.index()][usize::from(s.unit(unit).is(Flags::REDUCED))]
    }

    /// The kind of a unit for stacking; none for a rare one, or where more than the weight matters (1E 8.2).
    #[inline]
    pub(crate) fn kind_of(&self, s: &State, unit: UnitId) -> Option<usize> {
        let weight = self.weight_of(s, unit);
        self.kinds.iter().position(|kind| *kind == weight).filter(|_| !self.checks_every_unit())
    }

    /// The kinds of unit that do not fit into this stack any more (8.1), as bits.
    pub(crate) fn kinds_without_room(&self, s: &State, hex: HexId) -> u8 {
        let mut stack = Weight::ZERO;
        s.stack(hex).for_each(|unit| stack.add(self.weight_of(s, unit)));
        let fits = |mut weight: Weight| {
            weight.add(stack);
            weight.within(self.weight_limits)
        };
        self.kinds.iter().enumerate().fold(0, |bits, (kind, weight)| bits | u8::from(!fits(*weight)) << kind)
    }

    /// The load of a hex with `extra` units in it; units that are already there are not counted twice.
    pub fn load(&self, s: &State, hex: HexId, extra: &[UnitId]) -> Load {
        let mut load = Load::default();
        for unit in s.stack(hex).filter(|u| !extra.contains(u)).chain(extra.iter().copied()) {
            self.add_to_load(s, &mut load, unit);
        }
        load
    }

    /// The load of a stack without one of its units.
    pub fn load_without(&self, s: &State, hex: HexId, without: UnitId) -> Load {
        let mut load = Load::default();
        for unit in s.stack(hex).filter(|u| *u != without) {
            self.add_to_load(s, &mut load, unit);
        }
        load
    }

    #[inline]
    pub fn add_to_load(&self, s: &State, load: &mut Load, unit: UnitId) {
        load.add(self.load_of(s, unit));
    }

    /// What a unit adds to a stack.
    #[inline]
    pub(crate) fn load_of(&self, s: &State, unit: UnitId) -> Load {
        self.loads[unit.index()][usize::from(s.unit(unit).is(Flags::REDUCED))]
    }

    /// The limit that the hex would exceed with these units (8.1).
    pub fn overload(&self, s: &State, hex: HexId, extra: &[UnitId]) -> Option<Overload> {
        let load = self.load(s, hex, extra);
        let limits = &self.tables().stacking;
        if load.points > limits.points {
            Some(Overload::Points)
        } else if load.silhouette_steps > limits.silhouette_steps {
            Some(Overload::SilhouetteSteps)
        } else if load.artillery > limits.artillery {
            Some(Overload::Artillery)
        } else if load.units > limits.units && !self.first_edition_stack(s, hex, extra, &load) {
            Some(Overload::Units)
        } else {
            None
        }
    }

    /// 1E 8.2: two units, where two silhouette tanks or two others of one division count as one when combined with a
    /// unit of that division (or a silhouette tank); or a Battle Group of three.
    fn first_edition_stack(&self, s: &State, hex: HexId, extra: &[UnitId], load: &Load) -> bool {
        let limits = &self.tables().stacking;
        // 8.2 (c)
        if load.units <= limits.battle_group_units
            && load.defense <= limits.battle_group_defense
            && load.artillery == 0
        {
            return true;
        }
        let units = || s.stack(hex).filter(|u| !extra.contains(u)).chain(extra.iter().copied());
        let formation = |unit: UnitId| self.counter(unit).formation;
        // 8.2 (a), (b): pairs of one division merge into one "unit".
        let count = |silhouette: bool| units().filter(|u| self.counter(*u).silhouette == silhouette).count();
        let one_division = |silhouette: bool| {
            let mut of = units().filter(|u| self.counter(*u).silhouette == silhouette).map(formation);
            of.next().flatten().is_some_and(|first| of.all(|f| f == Some(first)))
        };
        let (tanks, others) = (count(true), count(false));
        let tanks_as = match tanks {
            2 if one_division(true)
                && units().any(|u| {
                    !self.counter(u).silhouette
                        && formation(u).is_some()
                        && units().any(|t| self.counter(t).silhouette && formation(t) == formation(u))
                }) =>
            {
                1
            }
            n => n,
        };
        let others_as = match others {
            2 if one_division(false) => 1,
            n => n,
        };
        tanks_as + others_as <= usize::from(limits.units)
    }

    /// Is there room for these units to end their move here (8.3)? A unit under an SM marker shares its hex with no
    /// other unit (12.2, 19.7).
    pub fn room(&self, s: &State, hex: HexId, extra: &[UnitId]) -> bool {
        self.overload(s, hex, extra).is_none()
    }

    /// Does the hex hold a unit under an SM or Truck marker, other than these (12.2, 19.7)?
    pub fn strategic_in(&self, s: &State, hex: HexId, except: &[UnitId]) -> bool {
        s.stack(hex).any(|u| s.unit(u).is(Flags::ON_ROAD) && !except.contains(&u))
    }
}
