//! Zones of control.

use hexgrid::HexId;

use crate::{Field, FieldOf, Piece, Side, Span, System, UnitId};

impl<S: Side, U: Piece, B: Span> Field<S, U, B> {
    /// Whether the hex is in a ZOC of the enemies of `side`.
    #[inline]
    pub fn in_ezoc(&self, side: S, hex: HexId) -> bool {
        self.zoc(side.enemy()).contains(hex)
    }

    /// Whether the hex is in an enemy ZOC that no friendly unit there negates for retreats and supply.
    #[inline]
    pub fn in_open_ezoc(&self, side: S, hex: HexId) -> bool {
        self.in_ezoc(side, hex) && !self.held(side).contains(hex)
    }

    /// Whether an enemy unit is in the hex.
    #[inline]
    pub fn enemy_in(&self, side: S, hex: HexId) -> bool {
        self.held(side.enemy()).contains(hex)
    }

    /// Whether an enemy unit is adjacent to the hex, whether its ZOC reaches the hex or not.
    #[inline]
    pub fn near_enemy(&self, side: S, hex: HexId) -> bool {
        self.near(side.enemy()).contains(hex)
    }
}

/// Whether the ZOC of the units in `from` reaches the adjacent hex `to`.
pub fn exerts<G: System>(rules: &G, field: &FieldOf<G>, side: G::Side, from: HexId, to: HexId) -> bool {
    field.held(side).contains(from)
        && (field.full_zoc[side.index()].contains(from)
            || rules
                .topology()
                .direction(from, to)
                .is_some_and(|d| rules.stack_reach(field, side, from) >> d.index() & 1 == 1))
}

/// Whether the ZOC of one unit reaches an adjacent hex.
pub fn unit_exerts<G: System>(rules: &G, field: &FieldOf<G>, unit: UnitId, to: HexId) -> bool {
    let Some(from) = field.unit(unit).hex() else { return false };
    let Some(direction) = rules.topology().direction(from, to) else { return false };
    rules.zoc_reach(field, unit, from) >> direction.index() & 1 == 1
}

/// The stacks of a side whose ZOC covers the hex.
pub fn sources<'a, G: System>(
    rules: &'a G,
    field: &'a FieldOf<G>,
    side: G::Side,
    hex: HexId,
) -> impl Iterator<Item = HexId> + 'a {
    rules.topology().neighbours(hex).filter(move |from| exerts(rules, field, side, *from, hex))
}
