//! Cover of a unit, for spotting, against AP fire and against GP fire, and hull down vehicles (6.1.4, 6.5.4.2.2).

use hexgrid::HexId;

use crate::{
    field::{Edge, Terrain},
    fire::bearing,
    los::End,
    pack::{
        Cover,
        advanced::{Angle, Chart, lookup::HullDown},
    },
    rules::Panzer,
    state::{Flags, State},
    units::UnitId,
};

impl Panzer {
    /// The line of the Terrain Effects Chart for a unit in its hex: Leg units occupy the building (6.1.4.3.1); vehicles
    /// and guns are in the Alley unless they are inside.
    pub fn chart(&self, s: &State, unit: UnitId) -> Option<&Chart> {
        let tables = self.advanced.as_ref()?.tables();
        let u = s.unit(unit);
        let ground = self.field.ground(u.hex.some()?);
        let within = self.piece(unit).is_some_and(crate::piece::Piece::leg) || u.is(Flags::INSIDE);
        let rubble = self.rubble(s, u.hex);
        Some(if rubble && !ground.terrain.building() {
            &tables.rubble // 6.1.4.3.9: rubble of an Improved Position
        } else if rubble {
            &tables.terrain[ground.terrain as usize] // 6.1.4.3.9: cover as before, for all units
        } else if ground.bridge {
            &tables.bridge
        } else if ground.terrain.building() && !within {
            &tables.alley
        } else {
            &tables.terrain[ground.terrain as usize]
        })
    }

    /// Cover against spotting (4.1.3, 6.1.3).
    pub fn spotting_cover_of(&self, s: &State, unit: UnitId) -> Cover {
        let u = s.unit(unit);
        match self.chart(s, unit) {
            None => self.spotting_cover(s, u.hex),
            Some(_) if self.overstacked(s, u.hex) => Cover::None, // 4.1.3.2
            Some(_) if u.is(Flags::IMPROVED) => Cover::Heavy,     // 6.1.4.3.7
            Some(_) if self.on_roof(s, unit) => Cover::Light,     // 6.5.4.2.2
            Some(chart) => chart.cover_spot.max(self.works_cover(s, unit, u.hex, true)),
        }
    }

    /// Cover against AP fire and for the GP defense (4.4.3.2.2, 6.5.4.2.2).
    pub fn combat_cover_of(&self, s: &State, unit: UnitId) -> Cover {
        let u = s.unit(unit);
        match self.chart(s, unit) {
            None => self.combat_cover(s, u.hex),
            Some(_) if self.overstacked(s, u.hex) => Cover::None, // 3.8, 5.13
            Some(_) if u.is(Flags::IMPROVED) => Cover::Heavy,     // 6.1.4.3.7
            Some(_) if self.on_roof(s, unit) => Cover::Light,     // 6.5.4.2.2
            Some(chart) => chart.cover_combat.max(self.works_cover(s, unit, u.hex, false)),
        }
    }

    /// 6.5.4.3: cover of a vehicle against fire from above.
    pub fn overhead_cover_of(&self, s: &State, unit: UnitId) -> Cover {
        let u = s.unit(unit);
        match self.field.terrain(u.hex) {
            _ if u.is(Flags::IMPROVED) => Cover::Heavy,
            Terrain::StoneBuilding if u.is(Flags::INSIDE) => Cover::Heavy,
            Terrain::BrickBuilding if u.is(Flags::INSIDE) => Cover::Medium,
            _ => Cover::None,
        }
    }

    /// 6.1.4.3.1: a Leg unit on the roof of a desert building.
    fn on_roof(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        u.is(Flags::UP) && self.field.ground(u.hex).desert_buildings && !self.rubble(s, u.hex)
    }

    /// The height of a unit (4.1.4.1, 6.1.4.3.1).
    pub fn height_of(&self, s: &State, unit: UnitId) -> i8 {
        let u = s.unit(unit);
        let ground = self.field.ground(u.hex);
        let storeys = ground.storeys.max(1) as i8;
        let floor = match () {
            () if !u.is(Flags::UP) || !ground.terrain.building() => 0,
            () if ground.desert_buildings => storeys,
            () => storeys - 1,
        };
        self.field.height(u.hex) + floor
    }

    /// One end of a line: the hex of a unit and its height there.
    pub fn end(&self, s: &State, unit: UnitId) -> End {
        (s.unit(unit).hex, self.height_of(s, unit))
    }

    /// 6.1.4.3.2: whether a shot crosses a wall or defilade hexside of a hex, or runs exactly along it.
    pub fn behind_hexside(&self, from: HexId, hex: HexId) -> bool {
        hexgrid::Direction::ALL.into_iter().any(|d| {
            self.field.edge(hex, d).any(Edge::WALL.with(Edge::DEFILADE))
                && self.field.neighbour(hex, d).is_some()
                && bearing::crosses(d, self.field.board.hex(hex), self.field.board.hex(from))
        })
    }

    /// 6.1.4.1: how well a vehicle is hull down against a shot at this angle. The best of all sources counts, each with
    /// its own angles.
    pub fn hull_down(&self, s: &State, firer: UnitId, target: UnitId, angle: Angle) -> HullDown {
        let t = s.unit(target);
        let from = s.unit(firer).hex;
        let mut best = self.hull_down_from(s, from, target, angle);
        // 6.1.4.1.3: from below, at a range no greater than the difference in height.
        let above = i32::from(self.height_of(s, target)) - i32::from(self.height_of(s, firer));
        if above > 0 && self.field.range(from, t.hex) as i32 <= above {
            best = best.max(HullDown::Partial);
        }
        best
    }

    /// 6.5.4.4.2: whether the track of a vehicle is covered against direct GP fire. On a dividing line its owner has
    /// the better side.
    pub fn covered_track(&self, s: &State, firer: UnitId, target: UnitId) -> bool {
        let (t, from) = (s.unit(target), s.unit(firer).hex);
        let (Some(to), Some(from)) = (t.hex.some(), from.some()) else { return false };
        let board = &self.field.board;
        let angles = bearing::hit_sides(t.facing, board.hex(to), board.hex(from));
        angles.into_iter().any(|angle| self.hull_down_from(s, from, target, angle) != HullDown::None)
    }

    /// The same without what depends on the heights of both units (6.1.4.1.3), which counts only against AP fire.
    fn hull_down_from(&self, s: &State, from: HexId, target: UnitId, angle: Angle) -> HullDown {
        let t = s.unit(target);
        let mut best = HullDown::None;
        let mut source = |state: HullDown| best = best.max(state);
        let open = if t.is(Flags::HULL_DOWN_REVERSE) {
            matches!(angle, Angle::Front | Angle::FrontSide) // 6.6.9
        } else {
            matches!(angle, Angle::Rear | Angle::RearSide)
        };
        if t.is(Flags::HULL_DOWN) && !open {
            source(HullDown::Full); // 6.1.4.1.1
        }
        if t.is(Flags::PARTLY_HULL_DOWN) && !open {
            source(HullDown::Partial);
        }
        let stone = matches!(self.field.terrain(t.hex), Terrain::BrickBuilding | Terrain::StoneBuilding);
        if t.is(Flags::INSIDE) && stone {
            source(HullDown::Full); // 6.1.4.3.1
        }
        // 6.1.4.3.7: from all directions but the open side, which does not turn with the vehicle.
        if t.is(Flags::IMPROVED) && !self.through_open_side(t, from) {
            let partly = t.is(Flags::IMPROVED_PARTLY);
            source(if partly { HullDown::Partial } else { HullDown::Full });
        }
        if self.behind_hexside(from, t.hex) {
            source(HullDown::Full); // 6.1.4.3.2
        }
        best
    }

    /// 6.1.4.3.7: whether a shot comes through the open side of a unit's Improved Position.
    fn through_open_side(&self, t: &crate::state::Unit, from: HexId) -> bool {
        let board = &self.field.board;
        from != t.hex && bearing::in_sector(t.open_side, board.hex(t.hex), board.hex(from))
    }

    /// 6.1.4.1.2: whether the vehicle is hull down all round or by a search, so that a restricted weapon cannot fire.
    pub fn sits_hull_down(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        let stone = matches!(self.field.terrain(u.hex), Terrain::BrickBuilding | Terrain::StoneBuilding);
        let improved = u.is(Flags::IMPROVED) && !u.is(Flags::IMPROVED_PARTLY);
        u.is(Flags::HULL_DOWN) || improved || u.is(Flags::INSIDE) && stone
    }
}
