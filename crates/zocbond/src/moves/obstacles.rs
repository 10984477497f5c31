//! What a unit meets on its way besides terrain: enemy units, their ZOC and bonds, delay markers, and hexes closed to
//! this unit only. Most hexes have none of these, which one test of a set shows.

use hexgrid::{HexId, HexSet};

use crate::{Field, Piece, Side, Span, Stamp};

/// The obstacles of one search. Those that apply to every unit of a side are kept until they change: while one side
/// moves, the other stands still. `M` is what else they depend on, such as the hexes of delay markers.
#[derive(Debug)]
pub struct Obstacles<M> {
    of: Option<Of<M>>,
    /// Obstacles for every unit: enemies, hexes adjacent to them, and hexes that delay.
    common: HexSet,
    /// Hexes that may delay.
    slow: HexSet,
    /// Hexes closed to this unit by rules of its own.
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
    /// The stamp of the enemy's placement.
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
    /// Compute the obstacles for the next search, for a unit of `side`. `slow` finds the hexes that may delay, which
    /// depend only on `table` and `markers`; `closed` are those closed to this unit by rules of its own.
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

    /// Outside these hexes only terrain matters.
    #[inline]
    pub fn all(&self) -> &HexSet {
        if self.any_closed { &self.own } else { &self.common }
    }

    /// Whether the hex is closed to this unit by rules of its own.
    #[inline]
    pub fn is_closed(&self, hex: HexId) -> bool {
        self.any_closed && self.closed.contains(hex)
    }

    /// Whether the hex may delay.
    #[inline]
    pub fn may_delay(&self, hex: HexId) -> bool {
        self.slow.contains(hex)
    }
}
