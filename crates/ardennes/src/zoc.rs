//! Zones of control (9), computed by [`zocbond::zoc`].

use hexgrid::HexId;
use zocbond::zoc;

use crate::{
    pack::{Side, UnitId},
    rules::Ardennes,
    state::State,
};

impl Ardennes {
    /// Does the ZOC of the units of `from` reach its neighbour `to` (9.1, 9.4)?
    pub fn exerts_zoc(&self, s: &State, side: Side, from: HexId, to: HexId) -> bool {
        zoc::exerts(self, s, side, from, to)
    }

    /// Does one unit's ZOC reach a neighbouring hex (19.3)?
    pub fn unit_exerts_zoc(&self, s: &State, unit: UnitId, to: HexId) -> bool {
        zoc::unit_exerts(self, s, unit, to)
    }

    /// Enemy stacks whose ZOC covers the hex, for explanations.
    pub fn zoc_from<'a>(&'a self, s: &'a State, enemy: Side, hex: HexId) -> impl Iterator<Item = HexId> + 'a {
        zoc::sources(self, s, enemy, hex)
    }
}
