//! Zones of control (9).

use hexgrid::HexId;

use crate::{
    pack::{Side, UnitId},
    rules::Ardennes,
    state::State,
};

impl State {
    /// Does the hex lie in a ZOC of the enemies of `side` (9.1)?
    #[inline]
    pub fn in_ezoc(&self, side: Side, hex: HexId) -> bool {
        self.zoc[side.enemy().index()].contains(hex)
    }

    /// … and no friendly unit stands there to negate it (17.1, 23.3)?
    #[inline]
    pub fn in_open_ezoc(&self, side: Side, hex: HexId) -> bool {
        self.in_ezoc(side, hex) && !self.held[side.index()].contains(hex)
    }

    /// Is an enemy unit in the hex?
    #[inline]
    pub fn enemy_in(&self, side: Side, hex: HexId) -> bool {
        self.held[side.enemy().index()].contains(hex)
    }

    /// Is an enemy unit in a neighbouring hex, whether its ZOC reaches here or not (11.2, 12.2)?
    #[inline]
    pub fn near_enemy(&self, side: Side, hex: HexId) -> bool {
        self.near[side.enemy().index()].contains(hex)
    }
}

impl Ardennes {
    /// Does the ZOC of the units of `from` reach its neighbour `to` (9.1, 9.4)?
    pub fn exerts_zoc(&self, s: &State, side: Side, from: HexId, to: HexId) -> bool {
        s.held[side.index()].contains(from)
            && (s.full_zoc[side.index()].contains(from)
                || self
                    .land
                    .direction(from, to)
                    .is_some_and(|d| self.land.hex(from).silhouette_zoc >> d.index() & 1 == 1))
    }

    /// Does one unit's ZOC reach a neighbouring hex (19.3)?
    pub fn unit_exerts_zoc(&self, s: &State, unit: UnitId, to: HexId) -> bool {
        let Some(from) = s.unit(unit).hex() else { return false };
        let Some(direction) = self.land.direction(from, to) else { return false };
        !self.counter(unit).silhouette || self.land.hex(from).silhouette_zoc >> direction.index() & 1 == 1
    }

    /// Enemy stacks whose ZOC lies on the hex, for explanations.
    pub fn zoc_from<'a>(&'a self, s: &'a State, enemy: Side, hex: HexId) -> impl Iterator<Item = HexId> + 'a {
        self.land.neighbours(hex).filter(move |from| self.exerts_zoc(s, enemy, *from, hex))
    }
}
