//! Vehicles that enter or leave the building of their hex (6.6.3, 6.1.4.3.1), and Leg units on upper floors.

use hexgrid::HexId;
use kernel::Stop;

use crate::{
    event::Event,
    field::Terrain,
    gp,
    movement::Bar,
    pack::Traction,
    piece::Defense,
    play::Play,
    rules::Panzer,
    state::{Flags, State},
    units::UnitId,
};

/// The test that a vehicle makes before it enters or leaves a building.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Modifier of the roll, for each point of GP defense.
    pub add: u8,
    /// Damage up to this total; then a track hit up to the second number, damage above it.
    pub hit_max: u8,
    pub track_max: u8,
    pub cost: u8,
}

impl Panzer {
    /// A building that still stands.
    pub fn building_at(&self, s: &State, hex: HexId) -> Option<Terrain> {
        let terrain = self.field.terrain(hex);
        (terrain.building() && !self.rubble(s, hex)).then_some(terrain)
    }

    /// 6.1.4.3.1, 6.6.3: only closed tracked vehicles without passengers, and never in reverse.
    pub fn may_use_door(&self, s: &State, unit: UnitId, hex: HexId) -> Result<Terrain, Bar> {
        let building = self.building_at(s, hex).ok_or(Bar::NoBuilding(hex))?;
        let Some(piece) = self.piece(unit).filter(|piece| piece.vehicle()) else {
            return Err(Bar::NoDoor);
        };
        match () {
            () if self.vehicle(unit).movement.traction != Traction::Tracked => Err(Bar::DoorTracks),
            () if !piece.overhead_cover || self.card(unit).open_top => Err(Bar::DoorOpenTop),
            () if !self.passengers(s, unit).is_empty() => Err(Bar::DoorPassengers),
            () => Ok(building),
        }
    }

    /// The test of 6.6.3 for a vehicle in a hex.
    pub fn building_entry(&self, s: &State, unit: UnitId, hex: HexId) -> Result<Entry, Bar> {
        let building = self.may_use_door(s, unit, hex)?;
        let tables = self.advanced.as_deref().ok_or(Bar::NoDoor)?.tables();
        let row = match building {
            Terrain::WoodBuilding => tables.movement.building_entry[0],
            Terrain::BrickBuilding => tables.movement.building_entry[1],
            _ => tables.movement.building_entry[2],
        };
        let gpd = match self.piece(unit).map(|piece| piece.gpd) {
            Some(Defense::Vehicle(gpd)) => gpd.value,
            _ => 0,
        };
        let cost = tables.terrain[building as usize].cost[Traction::Tracked as usize];
        Ok(Entry {
            add: gpd.saturating_mul(tables.movement.building_gpd_factor),
            hit_max: row.hit_max,
            track_max: row.track_max,
            cost: cost.ok_or(Bar::NoBuilding(hex))?,
        })
    }

    /// 6.1.4.3.1: an upper floor, or the roof of a desert building.
    pub fn upper_floor(&self, s: &State, hex: HexId) -> bool {
        let ground = self.field.ground(hex);
        self.building_at(s, hex).is_some() && (ground.storeys >= 2 || ground.desert_buildings)
    }
}

/// The test before a vehicle passes the wall: returns false if it stays on this side (6.6.3).
pub fn doors(play: &mut Play, unit: UnitId, hex: HexId) -> Result<bool, Stop> {
    let Ok(entry) = play.rules.building_entry(play.s, unit, hex) else { return Ok(false) };
    let side = play.rules.vehicle(unit).side;
    let roll = play.roll(side, "roll.building", "6.6.3")?;
    let total = i16::from(roll) + i16::from(entry.add);
    let harmed = (1..=i16::from(entry.hit_max)).contains(&total);
    play.tell(Event::DoorTest { unit, roll, total, most: entry.hit_max, harmed });
    if !harmed {
        return Ok(true);
    }
    let second = play.roll(side, "roll.building_harm", "6.6.3")?;
    if second <= entry.track_max {
        gp::track_hit(play, unit)?;
    } else {
        let mut turret = false;
        if play.rules.armed(play.s, unit) {
            let die = play.roll_ten(side, "roll.damage", "6.6.3")?;
            let game = play.rules.advanced.as_deref();
            turret = game.is_some_and(|game| game.tables().damages_turret(die, true));
        }
        gp::damage(play, unit, turret);
    }
    // 5.15: only fire makes a crew bail out.
    play.s.bail.retain(|case| case.unit != unit);
    let u = play.s.unit(unit);
    Ok(u.on_map() && !u.is(Flags::TRACK))
}
