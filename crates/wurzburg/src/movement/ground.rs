//! Roads, rivers and plain costs of hexsides, and what is in front of a side (16.1.1, 16.4, 17).

use hexgrid::{Direction, HexId, HexSet};

use super::cost::{Front, Ground, QUARTERS, River};
use crate::{
    field::{DRY, Edge, Field},
    pack::Road,
    rules::Wurzburg,
    state::State,
    units::{Side, UnitSet},
};

impl Wurzburg {
    /// The state of a river hexside for a side.
    pub fn river(&self, s: &State, side: Side, hex: HexId, direction: Direction) -> River {
        let edge = self.field.edge(hex, direction);
        if !edge.any(Edge::RIVER) {
            return River::None;
        }
        let n = self.field.river(hex, direction);
        if n == DRY {
            return River::None;
        }
        let crossing = &s.crossings[usize::from(n)];
        if edge.any(Edge::CIVIL) && !crossing.blown {
            return River::Civil;
        }
        // 34.4: a maintained bridge serves only the side of its engineer.
        let maintained = crossing.engineer.map(|unit| self.counter(unit).side);
        if crossing.military.is_some() && maintained.is_none_or(|owner| owner == side) {
            return River::Military;
        }
        if edge.any(Edge::MAIN) { River::Main } else { River::Saale }
    }

    /// 16.4.2, 16.4.5: the road over a hexside; a blown bridge has none (17.3, 38.5.1).
    pub fn road(&self, s: &State, hex: HexId, direction: Direction) -> Option<Road> {
        let edge = self.field.edge(hex, direction);
        let road = Field::road_of(edge)?;
        if edge.any(Edge::RIVER) {
            let n = self.field.river(hex, direction);
            if n != DRY && s.crossings[usize::from(n)].blown {
                return None;
            }
        }
        Some(road)
    }

    /// 16.3: whether a close-terrain hex adjacent to the enemy is protected for a force.
    pub fn protected(&self, s: &State, side: Side, force: &UnitSet, hex: HexId) -> bool {
        self.field.terrain(hex).close()
            && s.in_hex(hex).any(|unit| {
                let counter = self.counter(unit);
                counter.side == side
                    && counter.symbol.maneuver()
                    && !force.contains(unit)
                    && (!s.op.members.contains(unit) || !s.op.moved.contains(unit))
            })
    }
}

impl Field {
    /// The best road on a hexside.
    pub fn road_of(edge: Edge) -> Option<Road> {
        if edge.any(Edge::AUTOBAHN) {
            Some(Road::Autobahn)
        } else if edge.any(Edge::BUNDESSTRASSE) {
            Some(Road::Bundesstrasse)
        } else if edge.any(Edge::MINOR) {
            Some(Road::Minor)
        } else {
            None
        }
    }
}

impl Wurzburg {
    /// The same for every force of a side, computed once for searches over many hexes.
    pub fn front(&self, s: &State, side: Side) -> Front {
        let (enemy, near) = self.presence(s, side.enemy());
        let mut marked = HexSet::EMPTY;
        for mark in &s.marks {
            marked.insert(mark.hex);
        }
        let mut special = marked;
        special |= &enemy;
        special |= &near;
        Front { enemy, near, marked, special }
    }

    /// The six hexsides of a hex.
    pub(crate) fn ground(&self, hex: HexId) -> [Ground; 6] {
        Direction::ALL.map(|direction| {
            let Some(to) = self.field.neighbour(hex, direction).filter(|to| self.area.contains(*to)) else {
                return Ground { to: HexId::NONE, plain: 0, road: 0, ordinary: false };
            };
            let (edge, terrain) = (self.field.edge(hex, direction), self.field.terrain(to));
            let movement = &self.tables.movement;
            let slope = if edge.any(Edge::UP) { movement.slope_up } else { 0 };
            let plain = (self.tables.terrain(terrain).mp + slope) * QUARTERS;
            let road = Field::road_of(edge).map_or(0, |road| self.road_quarters(road, to));
            let barrier = edge.any(Edge::RIVER) || edge.any(Edge::IMPASSABLE);
            Ground { to, plain, road, ordinary: !barrier && terrain != crate::field::Terrain::City }
        })
    }

    /// 16.4.1: the cost of a hex by road.
    pub(super) fn road_quarters(&self, road: Road, to: HexId) -> u8 {
        let movement = &self.tables.movement;
        match road {
            // A minor road ends at a Town or City.
            Road::Minor if self.field.terrain(to).built_up() => movement.minor_into_town_or_city * QUARTERS,
            road => movement.road_quarters(road),
        }
    }
}
