//! What a unit meets on its way that is not land: enemy units, their ZOC and bonds, delay markers, and the hexes closed to
//! it alone. Most hexes hold nothing of the kind, and one look at a set tells.

use hexgrid::{HexId, HexSet};

use crate::{Field, Piece, Side, Span, Stamp};

/// The obstacles of one search. Those that hold for every unit of a side are kept as long as they are the same: while one
/// side moves, the other stands. `M` is what else they depend on, such as where delay markers lie.
#[derive(Debug)]
pub struct Obstacles<M> {
    of: Option<Of<M>>,
    /// What holds for every unit: enemies, hexes next to them, and what delays.
    common: HexSet,
    /// Hexes in which there may be something that delays.
    slow: HexSet,
    /// Hexes closed to the unit by rules of its own.
    closed: HexSet,
    /// `common` and `closed` together.
    own: HexSet,
    any_closed: bool,
}

/// What the common obstacles depend on.
#[derive(Debug)]
struct Of<M> {
    table: Stamp,
    side: usize,
    /// Where the enemy stands.
    stands: Stamp,
    markers: M,
}

impl<M> Default for Obstacles<M> {
    fn default() -> Self {
        Obstacles {
            of: None,
            common: HexSet::EMPTY,
            slow: HexSet::EMPTY,
            closed: HexSet::EMPTY,
            own: HexSet::EMPTY,
            any_closed: false,
        }
    }
}

impl<M: PartialEq> Obstacles<M> {
    /// Those of the next search, of a unit of `side`. `slow` finds the hexes that may delay, which depend on `table` and
    /// `markers` alone; `closed` are those closed to the unit by rules of its own.
    pub fn update<S: Side, U: Piece, B: Span>(
        &mut self,
        table: Stamp,
        field: &Field<S, U, B>,
        side: S,
        markers: M,
        slow: impl FnOnce() -> HexSet,
        closed: Option<HexSet>,
    ) {
        let enemy = side.enemy();
        let same = self.of.as_ref().is_some_and(|of| {
            of.table.same(table)
                && of.side == side.index()
                && of.stands.same(field.stands(enemy))
                && of.markers == markers
        });
        if !same {
            self.slow = slow();
            self.common = HexSet::union_of([field.near(enemy), field.held(enemy), &self.slow]);
            self.of = Some(Of { table, side: side.index(), stands: field.stands(enemy), markers });
        }
        debug_assert!(self.common == HexSet::union_of([field.near(enemy), field.held(enemy), &self.slow]));
        self.any_closed = closed.is_some();
        if let Some(closed) = closed {
            self.closed = closed;
            self.own = &self.common | &self.closed;
        }
    }

    /// Outside these hexes nothing but the land counts.
    #[inline]
    pub fn all(&self) -> &HexSet {
        if self.any_closed { &self.own } else { &self.common }
    }

    /// Is the hex closed to the unit by rules of its own?
    #[inline]
    pub fn is_closed(&self, hex: HexId) -> bool {
        self.any_closed && self.closed.contains(hex)
    }

    /// May there be something that delays?
    #[inline]
    pub fn may_delay(&self, hex: HexId) -> bool {
        self.slow.contains(hex)
    }
}
