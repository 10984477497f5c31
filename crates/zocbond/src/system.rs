//! What the shared code needs to know of a game.

use std::fmt::Debug;

use hexgrid::HexId;

use crate::{Field, Piece, Span, Topology, UnitId};

/// The two sides of a game.
pub trait Side: Copy + PartialEq + Debug + 'static {
    /// Both sides, in the order of [`Side::index`].
    const ALL: [Self; 2];

    /// 0 or 1.
    fn index(self) -> usize;

    #[must_use]
    fn enemy(self) -> Self;
}

/// A game of the family: its rules for one table.
pub trait System: Sized {
    type Side: Side;
    /// A counter in play.
    type Unit: Piece;
    type Bridge: Span;

    /// The part of the map in play, as a graph.
    fn topology(&self) -> &Topology;

    fn side_of(&self, unit: UnitId) -> Self::Side;

    /// The directions in which the ZOC of this unit reaches the adjacent hex, as bits; [`FULL_ZOC`] for a unit whose
    /// ZOC reaches all six regardless of terrain.
    fn zoc_reach(&self, field: &FieldOf<Self>, unit: UnitId, hex: HexId) -> u8;

    /// The same for all units of a side in a hex. Called only if none of them has [`FULL_ZOC`].
    fn stack_reach(&self, field: &FieldOf<Self>, side: Self::Side, hex: HexId) -> u8 {
        let own = field.stack(hex).filter(|unit| self.side_of(*unit) == side);
        own.fold(0, |reach, unit| reach | self.zoc_reach(field, unit, hex))
    }

    /// Whether this unit can be an end of a bond while it is in this hex.
    fn forms_bonds(&self, field: &FieldOf<Self>, unit: UnitId, hex: HexId) -> bool;

    /// Bit `d` (0–2): the terrain allows a bond through this hex from direction `d` to the opposite one.
    fn bond_axes(&self, field: &FieldOf<Self>, hex: HexId) -> u8;

    /// Bit `d` (0–5): the terrain allows a bond along the side of this hex in direction `d`. Both hexes of a hexside
    /// must give the same answer.
    fn bond_sides(&self, field: &FieldOf<Self>, hex: HexId) -> u8;
}

/// A ZOC into all six adjacent hexes, regardless of the terrain between.
pub const FULL_ZOC: u8 = u8::MAX;

/// The [`Field`] of a game.
pub type FieldOf<G> = Field<<G as System>::Side, <G as System>::Unit, <G as System>::Bridge>;

/// Where units of a game can be.
pub type PlaceOf<G> = <<G as System>::Unit as Piece>::Place;
