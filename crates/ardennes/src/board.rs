//! Placing and removing counters ([`zocbond::board`]), and what this game tells the shared code about counters and
//! terrain.

use hexgrid::HexId;
use zocbond::{System, Topology, system::FULL_ZOC};

use crate::{
    pack::{Side, Terrain, UnitId},
    place::Place,
    rules::Ardennes,
    state::{Bridge, Field, State, Unit},
};

impl System for Ardennes {
    type Side = Side;
    type Unit = Unit;
    type Bridge = Bridge;

    #[inline]
    fn topology(&self) -> &Topology {
        self.land.topology()
    }

    #[inline]
    fn side_of(&self, unit: UnitId) -> Side {
        self.counter(unit).side
    }

    /// 9.1, 9.4
    #[inline]
    fn zoc_reach(&self, _: &Field, unit: UnitId, hex: HexId) -> u8 {
        // The terrain table is large and seldom in the cache, so it is read only for silhouette tanks.
        if self.counter(unit).silhouette { self.land.hex(hex).silhouette_zoc } else { FULL_ZOC }
    }

    /// 9.4: units without a full ZOC are silhouette tanks.
    #[inline]
    fn stack_reach(&self, _: &Field, _: Side, hex: HexId) -> u8 {
        self.land.hex(hex).silhouette_zoc
    }

    /// 10.1; 10.3: silhouette tanks form no Bond from Wooded Rough. The 1st edition has no such rule.
    #[inline]
    fn forms_bonds(&self, _: &Field, unit: UnitId, hex: HexId) -> bool {
        let counter = self.counter(unit);
        let rough = || self.land.hex(hex).is(Terrain::WoodedRough);
        counter.bonds() && !(counter.silhouette && !self.silhouettes_bond_in_rough() && rough())
    }

    /// 10.3
    #[inline]
    fn bond_axes(&self, _: &Field, hex: HexId) -> u8 {
        self.land.hex(hex).bond_axes
    }

    /// 10.3
    #[inline]
    fn bond_sides(&self, _: &Field, hex: HexId) -> u8 {
        self.land.hex(hex).bond_sides
    }
}

impl Ardennes {
    /// Moves a unit to another place: the only way to move a counter.
    pub fn put(&self, s: &mut State, unit: UnitId, to: Place) {
        // 13.7: in a Box or Blocking Position a unit is in no hex, so it has no ZOC and no stacking limit.
        zocbond::board::put(self, s, unit, to);
    }

    /// Takes a unit off the map, permanently or temporarily: its markers are removed.
    pub fn take_off(&self, s: &mut State, unit: UnitId, to: Place) {
        zocbond::board::take_off(self, s, unit, to);
    }

    /// Recomputes all sets: after a position was set up by hand, and to check the incremental updates.
    pub fn refresh_all(&self, s: &mut State) {
        zocbond::board::refresh_all(self, s, Side::ALL.into_iter().flat_map(|side| self.units_of(side)));
    }
}
