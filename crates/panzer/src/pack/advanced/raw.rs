//! The table files of the Advanced Game as they are written.

use serde::Deserialize;

use super::{
    Altitude, Angle, BailResult, GpModifier, Grade, HindranceKind, LegSize, Location, Response, Sheaf,
};
use crate::pack::Cover;

#[derive(Debug, Deserialize)]
pub(super) struct SpotFile {
    pub(super) row: Vec<SpotRow>,
}

#[derive(Debug, Deserialize)]
pub(super) struct SpotRow {
    pub(super) net: i8,
    #[serde(rename = "V")]
    pub(super) vehicle: u8,
    #[serde(rename = "L")]
    pub(super) large: u8,
    #[serde(rename = "S")]
    pub(super) small: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct CommandFile {
    pub(super) spotting: SpotShifts,
    pub(super) command_range: ByGrade<u8>,
    pub(super) initiative: ByGrade<i8>,
    pub(super) available: AvailableTable,
}

#[derive(Debug, Deserialize)]
pub(super) struct SpotShifts {
    pub(super) spot_fire_small_arms: i8,
    pub(super) spotter_suppressed: i8,
    pub(super) spotter_full_cover: i8,
    pub(super) target_full_cover: i8,
}

#[derive(Debug, Deserialize)]
pub(super) struct ByGrade<T> {
    #[serde(alias = "hexes")]
    pub(super) modifier: [T; 5],
}

#[derive(Debug, Deserialize)]
pub(super) struct AvailableTable {
    pub(super) minimum: u8,
    pub(super) row: Vec<AvailableRow>,
}

#[derive(Debug, Deserialize)]
pub(super) struct AvailableRow {
    pub(super) grade: Grade,
    pub(super) commands: [u8; 10],
}

#[derive(Debug, Deserialize)]
pub(super) struct GradeFile {
    pub(super) grade: Vec<RawGrade>,
    pub(super) recovery: RawRecovery,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawGrade {
    pub(super) grade: Grade,
    pub(super) ap: [i8; 5],
    pub(super) gp: [i8; 5],
    pub(super) hth_ca: i8,
    pub(super) quickmarch_max: u8,
    pub(super) recovery_max: u8,
    pub(super) if_response: i8,
    pub(super) bail_out: i8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawRecovery {
    pub(super) command: i8,
    pub(super) fired_at: i8,
}

#[derive(Debug, Deserialize)]
pub(super) struct ApFile {
    pub(super) modifier: RawApModifiers,
    pub(super) hindrance: Vec<RawHindrance>,
    pub(super) hits: RawHits,
    pub(super) location: Vec<RawLocation>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawApModifiers {
    pub(super) shooter_suppressed: i8,
    pub(super) ammo_limit: i8,
    pub(super) both_limits: i8,
    pub(super) transported_fire: i8,
    pub(super) heat_haze: i8,
    pub(super) heat_haze_range: [u8; 3],
    pub(super) dual_fire_same: i8,
    pub(super) dual_fire_other: i8,
    pub(super) shooter_hesitating: i8,
    pub(super) shooter_broken: i8,
    pub(super) soft_target_die: i8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawHindrance {
    pub(super) id: HindranceKind,
    pub(super) ap: i8,
    pub(super) gp: i8,
    pub(super) height: i8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawHits {
    pub(super) f3: Vec<u8>,
    pub(super) f2: Vec<u8>,
    pub(super) r2: Vec<u8>,
    pub(super) q2: Vec<u8>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawLocation {
    pub(super) angle: Angle,
    pub(super) location: [Location; 10],
    pub(super) star: [bool; 10],
}

#[derive(Debug, Deserialize)]
pub(super) struct GpFile {
    pub(super) row: Vec<RawGpRow>,
    pub(super) modifier: Vec<RawGpModifier>,
    pub(super) defense: RawDefense,
    pub(super) vehicle: RawVehicleResult,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawGpRow {
    pub(super) gpd: u8,
    pub(super) n: [i16; 15],
    pub(super) s: [i16; 15],
}

#[derive(Debug, Deserialize)]
pub(super) struct RawGpModifier {
    pub(super) id: GpModifier,
    pub(super) df: Option<i8>,
    #[serde(rename = "if")]
    pub(super) indirect: Option<i8>,
    pub(super) air: Option<i8>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawDefense {
    pub(super) minimum: u8,
    pub(super) maximum: u8,
    pub(super) moving: i8,
    pub(super) covered_passenger: u8,
    pub(super) open_passenger: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawVehicleResult {
    pub(super) damage_digit: u8,
    pub(super) track_digit: u8,
    pub(super) turret_max: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct BailFile {
    pub(super) row: Vec<RawBail>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawBail {
    pub(super) result: BailResult,
    pub(super) who: String,
    pub(super) test: BailTest,
    pub(super) value: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum BailTest {
    Le,
    Ge,
}

#[derive(Debug, Deserialize)]
pub(super) struct IndirectFile {
    pub(super) response: Vec<RawResponse>,
    pub(super) modifier: toml::Table,
    pub(super) sources: RawSources,
    pub(super) sheaf: Vec<RawSheaf>,
    pub(super) limits: RawLimits,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawResponse {
    pub(super) observer: Response,
    pub(super) factor: [u8; 3],
}

#[derive(Debug, Deserialize)]
pub(super) struct RawSources {
    pub(super) fo: u8,
    pub(super) command: u8,
    pub(super) recon: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawSheaf {
    pub(super) id: Sheaf,
    #[serde(default)]
    pub(super) offsets: Vec<(i16, i16)>,
    pub(super) line: Option<u8>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawLimits {
    pub(super) adjust: u8,
    pub(super) planned_adjust: u8,
    pub(super) danger_close: u8,
    pub(super) planned_turns: u8,
    pub(super) planned_slip: u8,
    pub(super) planned_rest: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct AssaultFile {
    pub(super) close_assault: Vec<RawCloseAssault>,
    pub(super) close_assault_modifier: toml::Table,
    pub(super) hand_to_hand_modifier: toml::Table,
    pub(super) limits: RawAssaultLimits,
    pub(super) overrun: RawOverrun,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawCloseAssault {
    pub(super) attacker: LegSize,
    pub(super) gpf: u8,
    pub(super) brew_up_max: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawAssaultLimits {
    pub(super) gpd_max: u8,
    pub(super) height: u8,
    pub(super) advance_cost: u8,
    pub(super) support_squad: u8,
    pub(super) support_half_squad: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawOverrun {
    pub(super) range: u8,
    pub(super) factor_max: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct MovementFile {
    pub(super) foot: RawFoot,
    pub(super) height_per_hex: RawHeights,
    pub(super) smoke: RawSmoke,
    pub(super) entrenchment: RawEntrenchment,
    pub(super) hull_down: RawHullDown,
    pub(super) building: RawBuilding,
    pub(super) building_entry: Vec<RawBuildingEntry>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawFoot {
    pub(super) crawl: u8,
    pub(super) manhandle: u8,
    pub(super) building_step: u8,
    pub(super) quickmarch_height: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawHeights {
    pub(super) leg: u8,
    pub(super) weapon_section: u8,
    pub(super) towed: u8,
    pub(super) motorcycle: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawSmoke {
    pub(super) shell_smoke: u8,
    pub(super) dust: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawEntrenchment {
    pub(super) turns: u8,
    pub(super) engineer_turns: u8,
    pub(super) engineer_finishes: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawHullDown {
    pub(super) partial: i8,
    pub(super) size: [i8; 5],
    pub(super) grade: [i8; 5],
}

#[derive(Debug, Deserialize)]
pub(super) struct RawBuilding {
    pub(super) gpd_factor: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawBuildingEntry {
    #[serde(rename = "type")]
    pub(super) building: String,
    pub(super) hit_max: u8,
    pub(super) track_max: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct AirFile {
    pub(super) altitude: Vec<RawAltitude>,
    pub(super) aa: RawAa,
    pub(super) limits: RawAirLimits,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawAltitude {
    pub(super) id: Altitude,
    pub(super) acquisition: [u8; 2],
    pub(super) tracking: [u8; 2],
    pub(super) base_height: i8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawAa {
    pub(super) fast: i8,
    pub(super) high: i8,
    pub(super) low: i8,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawAirLimits {
    pub(super) loiter_turns: u8,
    pub(super) suppressed_multiplier: u8,
    pub(super) damage_to_eliminate: u8,
    pub(super) crash_factor: u8,
    pub(super) slow_turns: u8,
    pub(super) rocket_range: [u8; 2],
    pub(super) strafing_slow: u8,
    pub(super) strafing_fast: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct TerrainFile {
    pub(super) terrain: Vec<RawTerrain>,
    pub(super) hexside: Vec<RawSide>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawTerrain {
    pub(super) id: String,
    pub(super) height: i8,
    pub(super) cover_spot: RawCover,
    pub(super) cover_combat: RawCover,
    pub(super) cost: RawCost,
    pub(super) turn: u8,
    pub(super) hull_down_max: i16,
    pub(super) support: bool,
    pub(super) gpd: i8,
    pub(super) quickmarch: bool,
    pub(super) dust: bool,
    pub(super) full_cover: bool,
    pub(super) aircraft_need_fo: bool,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawCover {
    #[serde(alias = "other")]
    None,
    Light,
    Medium,
    Heavy,
}

impl RawCover {
    pub(super) const fn read(self) -> Cover {
        match self {
            RawCover::None => Cover::None,
            RawCover::Light => Cover::Light,
            RawCover::Medium => Cover::Medium,
            RawCover::Heavy => Cover::Heavy,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCost {
    #[serde(rename = "T")]
    pub(super) tracked: i8,
    #[serde(rename = "H")]
    pub(super) half_tracked: i8,
    #[serde(rename = "W")]
    pub(super) wheeled: i8,
    #[serde(rename = "M")]
    pub(super) motorcycle: i8,
    #[serde(rename = "L")]
    pub(super) leg: i8,
    #[serde(rename = "G")]
    pub(super) gun: i8,
}

impl RawCost {
    pub(super) fn all(self) -> [Option<u8>; 6] {
        let RawCost { tracked, half_tracked, wheeled, motorcycle, leg, gun } = self;
        [tracked, half_tracked, wheeled, motorcycle, leg, gun].map(|cost| u8::try_from(cost).ok())
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct RawSide {
    pub(super) id: String,
    pub(super) extra: Option<RawCost>,
}
