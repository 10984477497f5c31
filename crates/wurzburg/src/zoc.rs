//! Zones of Control and adjacency (15).

use hexgrid::{Direction, HexId, HexSet};
use kernel::Viewer;

use crate::{
    event::Units,
    rules::Wurzburg,
    state::State,
    units::{Side, Symbol, UnitId},
};

impl Wurzburg {
    /// Does a unit exert a ZOC into an adjacent hex (15.0)?
    pub fn zoc_into(&self, s: &State, unit: UnitId, hex: HexId) -> bool {
        !s.unit(unit).dummy() && self.seems_zoc(s, unit, hex)
    }

    /// The same assuming that the unit is real, which its opponent may not know.
    fn seems_zoc(&self, s: &State, unit: UnitId, hex: HexId) -> bool {
        let counter = self.counter(unit);
        let u = s.unit(unit);
        if u.place == crate::state::Place::Bridge {
            // 34.3: an engineer on its bridge exerts ZOC into the two hexes beside it.
            let banks = self.bridge_of(s, unit).map(|(_, banks)| banks);
            return banks.is_some_and(|banks| banks.contains(&hex)) && !self.field.terrain(hex).close();
        }
        if !u.on_map() {
            return false;
        }
        match counter.symbol {
            // 15.0 items 1 to 3.
            Symbol::Air | Symbol::UtilityHelicopter | Symbol::Hq | Symbol::Ew | Symbol::RocketArtillery => {
                false
            }
            // Item 5: also its own hex, close terrain or not.
            Symbol::AttackHelicopter => u.hex == hex || self.field.adjacent(u.hex, hex),
            // Item 4: never into close terrain.
            _ => !self.field.terrain(hex).close() && self.field.adjacent(u.hex, hex),
        }
    }

    /// Is a hex in a Zone of Control of a side?
    pub fn in_zoc(&self, s: &State, side: Side, hex: HexId) -> bool {
        let Some(hex) = hex.some() else { return false };
        let exerts = |unit: UnitId| self.counter(unit).side == side && self.zoc_into(s, unit, hex);
        let row = self.field.board.neighbour_row(hex).iter();
        // 34.3: also an engineer on a bridge beside it.
        let engineers = Direction::ALL
            .into_iter()
            .filter_map(|direction| s.crossings.get(usize::from(self.field.river(hex, direction)))?.engineer);
        row.copied().chain([hex]).any(|near| s.in_hex(near).any(exerts)) || engineers.into_iter().any(exerts)
    }

    /// Every hex in a side's Zones of Control, as far as a viewer can know: a unit that may be a dummy counts as real.
    pub fn zoc(&self, s: &State, viewer: Viewer, side: Side) -> HexSet {
        let mut set = HexSet::EMPTY;
        for unit in self.units_of(side) {
            set.union_with(&self.zoc_of(s, viewer, *unit));
        }
        set
    }

    /// The same for one unit.
    pub fn zoc_of(&self, s: &State, viewer: Viewer, unit: UnitId) -> HexSet {
        let mut set = HexSet::EMPTY;
        let u = s.unit(unit);
        if let Some((_, banks)) = self.bridge_of(s, unit) {
            for hex in banks.into_iter().filter(|hex| self.seems_zoc(s, unit, *hex)) {
                set.insert(hex);
            }
        }
        let dummy = u.dummy() && self.knows_steps(s, viewer, unit);
        if u.on_map() && !dummy {
            let around = Direction::ALL.into_iter().filter_map(|d| self.field.neighbour(u.hex, d));
            for hex in around.chain([u.hex]).filter(|hex| self.seems_zoc(s, unit, *hex)) {
                set.insert(hex);
            }
        }
        set
    }

    /// A side's ground units in the hexes adjacent to a hex.
    pub fn around(&self, s: &State, hex: HexId, side: Side) -> Units {
        let mut out = Units::new();
        if hex == HexId::NONE {
            return out;
        }
        for near in self.field.board.neighbour_row(hex) {
            out.extend(s.in_hex(*near).filter(|unit| self.stands(side, *unit)));
        }
        out.sort_unstable();
        out
    }

    /// Whether a hex is adjacent to a ground unit of a side.
    pub fn next_to(&self, s: &State, hex: HexId, side: Side) -> bool {
        hex != HexId::NONE
            && self.field.board.neighbour_row(hex).iter().any(|near| self.holds(s, *near, side))
    }

    /// Whether a ground unit of a side is in the hex.
    pub fn holds(&self, s: &State, hex: HexId, side: Side) -> bool {
        s.in_hex(hex).any(|unit| self.stands(side, unit))
    }

    /// Is it a ground unit of a side?
    fn stands(&self, side: Side, unit: UnitId) -> bool {
        self.ground_units(side).contains(unit)
    }

    /// The hexes with ground units of a side, and the hexes adjacent to them.
    pub fn presence(&self, s: &State, side: Side) -> (HexSet, HexSet) {
        let (mut here, mut near) = (HexSet::EMPTY, HexSet::EMPTY);
        for unit in self.units_of(side) {
            let u = s.unit(*unit);
            if u.on_map() && self.stands(side, *unit) && here.insert(u.hex) {
                for hex in self.field.board.neighbour_row(u.hex) {
                    near.insert(*hex);
                }
            }
        }
        (here, near)
    }
}
