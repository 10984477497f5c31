//! Movement on foot (6.6.4, 6.6.5): Leg costs, Quickmarch, crawling, guns moved by hand.

use hexgrid::{Direction, HexId};

use super::{Bar, Cursor};
use crate::{
    field::Edge,
    pack::Traction,
    rules::Panzer,
    state::{Command, Flags, State},
    units::UnitId,
};

impl Panzer {
    /// 4.5.1.1.2, 6.6.4.1: the cost of entering a hex by its terrain; `None` if it is prohibited. Leg units occupy the
    /// building of a building hex, all others its Alley (6.1.4.3.1).
    pub fn terrain_cost(&self, traction: Traction, hex: HexId) -> Option<u8> {
        if let Some(cost) = self.effects(hex).cost.get(traction as usize) {
            return *cost;
        }
        let tables = self.advanced.as_deref()?.tables();
        let ground = self.field.ground(hex);
        let chart = if ground.bridge {
            &tables.bridge
        } else if ground.terrain.building() && !matches!(traction, Traction::Leg | Traction::Motorcycle) {
            &tables.alley
        } else {
            &tables.terrain[ground.terrain as usize]
        };
        chart.cost[traction as usize]
    }

    /// The same at path or road speed (4.5.1.1.5).
    pub fn road_cost(&self, traction: Traction) -> Option<u8> {
        if let Some(cost) = self.tables().road.cost.get(traction as usize) {
            return *cost;
        }
        self.advanced.as_deref().and_then(|game| game.tables().road.cost[traction as usize])
    }

    /// 6.6.4.2: Clear, path or road.
    pub(super) fn quick_ground(&self, hex: HexId) -> bool {
        let way = Edge::ROAD.with(Edge::PATH);
        let on_way = Direction::ALL.into_iter().any(|d| self.field.edge(hex, d).any(way));
        let terrain = self.field.terrain(hex);
        on_way
            || self.advanced.as_deref().is_some_and(|game| game.tables().terrain[terrain as usize].quickmarch)
    }

    /// 6.6.4.2: whether the unit may use its Quickmarch allowance.
    pub fn may_march(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        let v = self.vehicle(unit);
        v.movement.traction == Traction::Leg
            && v.movement.road > 0
            && u.command == Command::Move
            && !u.suppressed()
            && !u.is(Flags(Flags::FULL_COVER.0 | Flags::HESITATES.0 | Flags::BROKEN.0)) // 7.1.5
    }

    /// 6.6.4.3: a Leg unit in Full Cover moves by crawling, motorcyclists too (6.6.4.4).
    pub fn crawls(&self, s: &State, unit: UnitId) -> bool {
        s.unit(unit).is(Flags::FULL_COVER) && self.piece(unit).is_some_and(crate::piece::Piece::leg)
    }

    /// 6.6.4.3: whether the unit crawls this turn. In Full Cover a Command to move always means crawling, before and
    /// after it is carried out.
    pub fn crawling(&self, s: &State, unit: UnitId, moving: bool) -> bool {
        s.unit(unit).is(Flags::CRAWLED) || moving && self.crawls(s, unit)
    }

    /// 6.1.4.2: is Full Cover possible for a Leg unit in a hex?
    pub fn full_cover_at(&self, s: &State, hex: HexId) -> bool {
        let Some(game) = self.advanced.as_deref() else { return false };
        let (tables, ground) = (game.tables(), self.field.ground(hex));
        match () {
            () if self.rubble(s, hex) => tables.rubble.full_cover,
            () if ground.bridge => tables.bridge.full_cover,
            () => tables.terrain[ground.terrain as usize].full_cover,
        }
    }

    /// 4.5.1.1.10: whether an enemy of the unit is in a hex. Abandoned vehicles belong to neither side (5.15).
    pub fn enemies_in(&self, s: &State, unit: UnitId, hex: HexId) -> bool {
        let side = self.vehicle(unit).side;
        s.in_hex(hex).any(|other| self.vehicle(other).side != side && !s.unit(other).is(Flags::BAILED))
    }

    /// 3.7, 6.6.2: how often the state of a unit halves its allowance.
    pub fn halved(&self, s: &State, unit: UnitId) -> u8 {
        let u = s.unit(unit);
        u8::from(u.is(Flags(Flags::DAMAGED.0 | Flags::HULL.0))) + u8::from(u.suppressed())
    }

    /// 6.6.4.3: what prevents a unit in Full Cover from crawling to its next hex.
    fn crawl_step(&self, s: &State, at: &Cursor, to: HexId, levels: u8) -> Result<(), Bar> {
        let unit = at.walk.unit;
        let near = |enemy: &UnitId| {
            let e = s.unit(*enemy);
            e.on_map() && !s.spotters[enemy.index()].is_empty() && self.field.range(e.hex, to) <= 1
        };
        match () {
            () if !self.crawls(s, unit) => Ok(()),
            () if s.unit(unit).suppressed() => Err(Bar::CrawlSuppressed),
            () if at.walk.hexes >= 1 => Err(Bar::CrawlOneHex),
            () if levels > 0 => Err(Bar::CrawlHeight),
            () if !self.full_cover_at(s, to) => Err(Bar::CrawlGround(to)), // 6.1.4.2
            () if self.units_of(self.vehicle(unit).side.enemy()).iter().any(near) => Err(Bar::CrawlNear(to)),
            () => Ok(()),
        }
    }

    /// 6.6.4.4: what prevents a motorcycle unit from riding to its next hex: it is a Leg unit for all that does not
    /// follow from its wheels.
    pub(super) fn ride_step(
        &self,
        s: &State,
        at: &Cursor,
        to: HexId,
        direction: Direction,
    ) -> Result<(), Bar> {
        if self.vehicle(at.walk.unit).movement.traction != Traction::Motorcycle {
            return Ok(());
        }
        if self.enemies_in(s, at.walk.unit, to) {
            return Err(Bar::FootEnemy(to)); // 4.5.1.1.10
        }
        self.crawl_step(s, at, to, self.levels(at.hex, to, self.field.edge(at.hex, direction)))
    }

    /// What prevents a unit on foot from entering its next hex; otherwise the levels that it climbs or descends.
    pub(super) fn foot_step(
        &self,
        s: &State,
        at: &Cursor,
        to: HexId,
        direction: Direction,
    ) -> Result<u8, Bar> {
        let (unit, walk) = (at.walk.unit, &at.walk);
        let levels = self.levels(at.hex, to, self.field.edge(at.hex, direction));
        if self.enemies_in(s, unit, to) {
            return Err(Bar::FootEnemy(to)); // they fight from the adjacent hex (6.6.1)
        }
        let section = self.piece(unit).is_some_and(crate::piece::Piece::weapon_section);
        let most = self.advanced.as_deref().map_or(0, |game| game.tables().movement.height_weapon_section);
        if section && levels > most {
            return Err(Bar::SectionHeight(levels)); // 6.6.4.1
        }
        if self.vehicle(unit).movement.traction == Traction::Gun && walk.hexes >= 1 {
            return Err(Bar::HandOneHex); // 6.6.5
        }
        self.crawl_step(s, at, to, levels)?;
        if walk.along {
            // 6.6.4.2
            if !self.may_march(s, unit) {
                return Err(Bar::QuickUnit);
            }
            let most = self.advanced.as_deref().map_or(0, |game| game.tables().movement.quickmarch_height);
            if walk.climbed + levels > most {
                return Err(Bar::QuickHeight);
            }
        }
        Ok(levels)
    }
}
