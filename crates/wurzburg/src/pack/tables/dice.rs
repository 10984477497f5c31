//! Tables decided by a die.

use serde::Deserialize;

use super::super::forces::TypeId;
use super::super::kinds::{Nation, Purse, Ratio, Side, Terrain};

/// A result for a range of modified rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row<T> {
    pub from: i8,
    pub to: i8,
    pub result: T,
}

/// First and last roll of a result, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Rolls([u8; 2]);

impl Rolls {
    pub fn contains(self, roll: u8) -> bool {
        (self.0[0]..=self.0[1]).contains(&roll)
    }

    pub fn range(self) -> [u8; 2] {
        self.0
    }
}

/// 20.2.1.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recon {
    /// First and last distance of each column.
    pub bands: Vec<[u8; 2]>,
    pub clear: Vec<u8>,
    pub light_woods: Vec<u8>,
    pub heavy_woods: Vec<u8>,
    pub town: Vec<u8>,
    pub city: Vec<u8>,
    /// A hex without units: modifiers do not apply, except for a military bridge (20.2.2).
    pub empty: Vec<u8>,
    pub night: i8,
    pub improved_position: i8,
    pub obstacle: i8,
    pub minefield: i8,
    /// Only cavalry of the 2/11 ACR in the hex (41.1.2).
    pub cavalry_alone: i8,
    pub smoke: i8,
    pub fog: i8,
}

impl Recon {
    /// The column of a distance; `None` beyond the last.
    pub fn band(&self, distance: u32) -> Option<usize> {
        band(&self.bands, distance)
    }

    /// The number to roll (or more) for a hex with units.
    pub fn number(&self, terrain: Terrain, distance: u32) -> Option<u8> {
        let row = match terrain {
            Terrain::Clear => &self.clear,
            Terrain::LightWoods => &self.light_woods,
            Terrain::HeavyWoods => &self.heavy_woods,
            Terrain::Town => &self.town,
            Terrain::City => &self.city,
        };
        row.get(self.band(distance)?).copied()
    }

    /// The same for a hex without units.
    pub fn empty_number(&self, distance: u32) -> Option<u8> {
        self.empty.get(self.band(distance)?).copied()
    }
}

fn band(bands: &[[u8; 2]], distance: u32) -> Option<usize> {
    bands.iter().position(|[first, last]| (u32::from(*first)..=u32::from(*last)).contains(&distance))
}

/// 23.4.2: numbers to roll (or more), by range band and kind of target artillery.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CounterBattery {
    pub bands: Vec<[u8; 2]>,
    pub towed: Vec<u8>,
    pub self_propelled: Vec<u8>,
    pub rocket: Vec<u8>,
}

/// The kind of artillery that counter-battery fire is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gun {
    Towed,
    SelfPropelled,
    Rocket,
}

impl CounterBattery {
    /// `None` if the table has no number: the attempt is not allowed.
    pub fn number(&self, gun: Gun, distance: u32) -> Option<u8> {
        let row = match gun {
            Gun::Towed => &self.towed,
            Gun::SelfPropelled => &self.self_propelled,
            Gun::Rocket => &self.rocket,
        };
        let number = *row.get(band(&self.bands, distance)?)?;
        (number > 0).then_some(number)
    }
}

/// 17.5.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Amphibious {
    /// The number of steps that cross, for modified rolls from 1 on.
    pub steps: Vec<u8>,
    pub engineer_at_site: i8,
}

impl Amphibious {
    pub fn steps(&self, modified: i8) -> u8 {
        let row = usize::from(modified.max(1) as u8).min(self.steps.len());
        self.steps.get(row - 1).copied().unwrap_or(0)
    }
}

/// 24.2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AirCall {
    pub(super) aircraft: [[TypeId; 10]; 2],
    /// Least and most points of a call.
    pub points: [u8; 2],
    pub adm_or_gas_points: [u8; 2],
    /// The aircraft of a NATO ADM or Gas Strike, without a roll (23.5.4, 44.2).
    pub special: Vec<SpecialAir>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecialAir {
    pub strike: SpecialStrike,
    /// The nation whose Air Points pay.
    pub nation: Nation,
    pub aircraft: TypeId,
    /// The nation whose ADM or Gas Point is spent.
    pub spends: Purse,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpecialStrike {
    Adm,
    Gas,
}

impl AirCall {
    /// The aircraft for a roll of 1 to 10.
    pub fn aircraft(&self, side: Side, roll: u8) -> TypeId {
        let row = &self.aircraft[side.index()];
        row[usize::from(roll.clamp(1, 10)) - 1]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AntiAircraftResult {
    NoEffect,
    HitCheckOrAbort,
    HitCheckAndAbort,
}

impl AntiAircraftResult {
    pub const fn key(self) -> &'static str {
        match self {
            AntiAircraftResult::NoEffect => "no_effect",
            AntiAircraftResult::HitCheckOrAbort => "hit_check_or_abort",
            AntiAircraftResult::HitCheckAndAbort => "hit_check_and_abort",
        }
    }
}

/// 27.1 to 27.3.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AntiAircraft {
    pub rows: Vec<Row<AntiAircraftResult>>,
    pub sam_against_standoff: i8,
}

impl AntiAircraft {
    pub fn result(&self, modified: i8) -> AntiAircraftResult {
        let row = self.rows.iter().find(|r| (r.from..=r.to).contains(&modified));
        row.map_or(AntiAircraftResult::NoEffect, |r| r.result)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MineResult {
    StepLost,
    NoEffect,
}

/// 37.5.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MineAttack {
    pub rows: Vec<Row<MineResult>>,
    pub careful_exit: i8,
    pub engineer_in_force: i8,
}

impl MineAttack {
    pub fn result(&self, modified: i8) -> MineResult {
        let row = self.rows.iter().find(|r| (r.from..=r.to).contains(&modified));
        row.map_or(MineResult::NoEffect, |r| r.result)
    }
}

/// A figure for each kind of civil bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByBridge {
    pub road: u8,
    pub autobahn: u8,
}

/// 38.1, 38.2: blown by this roll or more.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demolition {
    pub set_charges: ByBridge,
    pub engineer_charges: ByBridge,
    pub set_charges_wp_unit_in_either_hex: i8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BridgeFactor {
    pub autobahn: u8,
    pub road: u8,
    pub military: u8,
}

/// 38.4: destroyed by a roll of at most the total strength divided by the factor.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BridgeStrike {
    pub factor: BridgeFactor,
    pub artillery: Ratio,
    pub low_air: Ratio,
    pub high_air: Ratio,
}

/// What jamming leaves to the defender (39.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JammingRow {
    pub from: i8,
    pub to: i8,
    /// The most artillery and attack helicopter units of the Defensive Fire Call.
    pub artillery: u8,
    pub attack_helicopters: u8,
    pub reaction: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jamming {
    /// Unmodified rolls that fail and lose the EW Asset.
    pub asset_lost: Rolls,
    pub rows: Vec<JammingRow>,
    pub improved_position: i8,
    pub nato_hasty_attack: i8,
    pub close_terrain: i8,
    pub nato_in_town_or_city: i8,
    pub defenders_out_of_command_range: i8,
}

impl Jamming {
    /// The index of the row of a modified roll: the higher, the worse for the defender.
    pub fn row(&self, modified: i8) -> usize {
        self.rows.iter().position(|r| (r.from..=r.to).contains(&modified)).unwrap_or(0)
    }
}

/// A figure for each terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByTerrain {
    clear: u8,
    light_woods: u8,
    heavy_woods: u8,
    town: u8,
    city: u8,
}

impl ByTerrain {
    pub fn of(self, terrain: Terrain) -> u8 {
        match terrain {
            Terrain::Clear => self.clear,
            Terrain::LightWoods => self.light_woods,
            Terrain::HeavyWoods => self.heavy_woods,
            Terrain::Town => self.town,
            Terrain::City => self.city,
        }
    }
}

/// 45.3: steps by the modified roll of 1 to 14.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revelation {
    pub wp_regiment: Vec<u8>,
    pub wp_dtb: Vec<u8>,
    pub nato_large: Vec<u8>,
    pub nato_medium: Vec<u8>,
    pub nato_small: Vec<u8>,
    pub nato_single: Vec<u8>,
    /// The least number of steps per counter of the full pool, in tenths, for each NATO column.
    pub large_from: u8,
    pub medium_from: u8,
    pub small_from: u8,
    pub offensive_operation: i8,
    pub deliberate_defense: i8,
}
