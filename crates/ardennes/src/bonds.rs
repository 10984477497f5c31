//! ZOC Bonds (10).

use hexgrid::{Direction, HexId};

use crate::{pack::Side, rules::Ardennes, state::State};

/// A bond of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bond {
    /// Through this hex, between these two.
    Hex { through: HexId, ends: [HexId; 2] },
    /// Along the side between these two hexes; an end is [`HexId::NONE`] at the map's edge (10.6).
    Hexside { along: [HexId; 2], ends: [HexId; 2] },
}

impl Ardennes {
    /// 10.3: silhouette tanks form no Bond from Wooded Rough. The 1st edition has no such rule.
    pub(crate) fn silhouettes_bond_limited(&self) -> bool {
        !self.first_edition()
    }

    /// The Hex Bond of the enemies of `side` that closes a hex to it (10.2), unless one of its own units negates it
    /// (10.4).
    #[inline]
    pub fn hex_bond_against(&self, s: &State, side: Side, hex: HexId) -> Option<Bond> {
        if s.held[side.index()].contains(hex) {
            return None; // 10.4
        }
        self.hex_bond_of(s, side.enemy(), hex)
    }

    /// The bond that `owner` has through a hex, negation left aside.
    #[inline]
    fn hex_bond_of(&self, s: &State, owner: Side, hex: HexId) -> Option<Bond> {
        // Both ends are neighbours: most hexes need no closer look.
        if !s.near[owner.index()].contains(hex) {
            return None;
        }
        let bonding = &s.bonding[owner.index()];
        let around = self.land.around(hex);
        (0..3).find_map(|d| {
            let ends = [around[d], around[d + 3]];
            // 10.6: never with the map's edge. The land is seldom asked: it is not so near at hand as the set.
            let bound = ends.iter().all(|end| *end != HexId::NONE && bonding.contains(*end))
                && self.land.hex(hex).bond_axes >> d & 1 == 1; // 10.3
            bound.then_some(Bond::Hex { through: hex, ends })
        })
    }

    /// The Hexside Bond of the enemies of `side` that a unit standing in `from` would cross in this direction
    /// (10.2). It is negated while units of `side` are on both sides of it (10.4): the unit itself is on this one.
    #[inline]
    pub fn hexside_bond_against(&self, s: &State, side: Side, from: HexId, to: Direction) -> Option<Bond> {
        let beyond = self.land.neighbour(from, to)?;
        if s.held[side.index()].contains(beyond) {
            return None; // 10.4
        }
        self.hexside_bond_of(s, side.enemy(), from, to, beyond)
    }

    /// The same for a supply line or another trace, which no unit walks: both hexes must be held (10.4).
    pub fn hexside_bond_across(&self, s: &State, side: Side, from: HexId, to: Direction) -> Option<Bond> {
        let beyond = self.land.neighbour(from, to)?;
        let own = &s.held[side.index()];
        if own.contains(from) && own.contains(beyond) {
            return None;
        }
        self.hexside_bond_of(s, side.enemy(), from, to, beyond)
    }

    /// The bond that `owner` has along a hexside, negation left aside.
    fn hexside_bond_of(
        &self,
        s: &State,
        owner: Side,
        from: HexId,
        to: Direction,
        beyond: HexId,
    ) -> Option<Bond> {
        // An end that is a unit is a neighbour of both hexes.
        if !s.near[owner.index()].contains(from) {
            return None;
        }
        let bonding = &s.bonding[owner.index()];
        let around = self.land.around(from);
        let ends = [around[to.counter_clockwise().index()], around[to.clockwise().index()]];
        let units = ends.iter().filter(|end| **end != HexId::NONE && bonding.contains(**end)).count();
        let edge_of_map = ends.contains(&HexId::NONE);
        // 10.1; 10.6: the map's edge is a partner for Hexside Bonds.
        let paired = units == 2 || units == 1 && edge_of_map;
        let bound = paired && self.land.hex(from).bond_sides >> to.index() & 1 == 1; // 10.3
        bound.then_some(Bond::Hexside { along: [from, beyond], ends })
    }

    // 10.5: the Bonds of the other side are not looked at: crossing Bonds both stand.
    /// Every bond of a side that stands now, with both kinds of negation applied (10.4). Bonds of the two sides that
    /// cross each other both stand (10.5).
    pub fn bonds(&self, s: &State, owner: Side, mut each: impl FnMut(Bond)) {
        for hex in &self.land.in_play {
            if !s.near[owner.index()].contains(hex) {
                continue;
            }
            let around = self.land.around(hex);
            let land = self.land.hex(hex);
            let bonding = &s.bonding[owner.index()];
            let enemy = &s.held[owner.enemy().index()];
            for d in 0..3 {
                let ends = [around[d], around[d + 3]];
                let bound = land.bond_axes >> d & 1 == 1
                    && !enemy.contains(hex)
                    && ends.iter().all(|end| *end != HexId::NONE && bonding.contains(*end));
                if bound {
                    each(Bond::Hex { through: hex, ends });
                }
            }
            for direction in Direction::ALL {
                let Some(beyond) = around[direction.index()].some().filter(|b| *b > hex) else { continue };
                if !(enemy.contains(hex) && enemy.contains(beyond))
                    && let Some(bond) = self.hexside_bond_of(s, owner, hex, direction, beyond)
                {
                    each(bond);
                }
            }
        }
    }

    /// The enemy Bond that keeps a unit of `side` in `from` from stepping this way (10.2).
    #[inline]
    pub fn bond_bars(&self, s: &State, side: Side, from: HexId, to: Direction) -> Option<Bond> {
        let beyond = self.land.neighbour(from, to)?;
        self.hexside_bond_against(s, side, from, to).or_else(|| self.hex_bond_against(s, side, beyond))
    }

    /// The enemy Bond that stops a supply line or another trace of `side` on this step (10.2).
    #[inline]
    pub fn bond_bars_trace(&self, s: &State, side: Side, from: HexId, to: Direction) -> Option<Bond> {
        let beyond = self.land.neighbour(from, to)?;
        self.hexside_bond_across(s, side, from, to).or_else(|| self.hex_bond_against(s, side, beyond))
    }
}
