//! ZOC Bonds (10), computed by [`zocbond::bonds`]. A Bond is negated by units in it (10.4); Bonds of the two sides that
//! cross each other both stand (10.5); the map edge is a partner for Hexside Bonds only (10.6).

use hexgrid::{Direction, HexId};
use zocbond::bonds;

use crate::{pack::Side, rules::Ardennes, state::State};

pub use zocbond::Bond;

impl Ardennes {
    /// The Hex Bond of the enemies of `side` that closes a hex to it (10.2), unless one of its own units negates it
    /// (10.4).
    #[inline]
    pub fn hex_bond_against(&self, s: &State, side: Side, hex: HexId) -> Option<Bond> {
        // 10.4: the shared code leaves out a Bond that a unit of `side` negates.
        bonds::hex_bond_against(self, s, side, hex)
    }

    /// Every Bond of a side that is in force now (10.1, 10.4).
    pub fn bonds(&self, s: &State, owner: Side, each: impl FnMut(Bond)) {
        // 10.5: only the owner's Bonds are examined, so crossing Bonds of both sides stand.
        // 10.6: the map edge is a partner for Hexside Bonds, never for Hex Bonds.
        bonds::all(self, s, owner, each);
    }

    /// The enemy Bond that prevents a unit of `side` in `from` from moving in this direction (10.2).
    #[inline]
    pub fn bond_bars(&self, s: &State, side: Side, from: HexId, to: Direction) -> Option<Bond> {
        bonds::bars(self, s, side, from, to)
    }

    /// The enemy Bond that blocks a supply line or another trace of `side` on this step (10.2).
    #[inline]
    pub fn bond_bars_trace(&self, s: &State, side: Side, from: HexId, to: Direction) -> Option<Bond> {
        bonds::bars_trace(self, s, side, from, to)
    }
}
