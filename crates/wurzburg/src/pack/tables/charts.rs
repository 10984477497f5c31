//! Charts of effects, and tracks.

use serde::{Deserialize, Serialize};

use super::super::forces::{FormationId, TypeId};
use super::super::kinds::{Column, Operation, Ratio, Road, Side, Terrain};

/// The effects of terrain (16.1.1, 15.0, 18.2.1, 18.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainRow {
    /// Movement Points to enter.
    pub mp: u8,
    pub close: bool,
    /// Whether ground units exert a ZOC into it.
    pub zoc: bool,
    pub(super) strike: [u8; 5],
    /// Added to the defense against fire that is neither Offensive Fire nor a Strike.
    pub other: u8,
}

impl TerrainRow {
    /// Added to the defense against Offensive Fire and Strikes.
    pub fn strike(&self, column: Column) -> u8 {
        self.strike[column.index()]
    }
}

/// Off-map Display (40.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DisplayRow {
    /// Distance to the map edge, in hexes.
    pub hexes: u8,
    /// Movement Points left for a unit that enters.
    pub mp: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OffMap {
    pub five: DisplayRow,
    pub ten: DisplayRow,
    pub between_rows: u8,
    pub terrain: Terrain,
}

/// Movement costs besides terrain, in Movement Points; roads in quarters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Movement {
    pub saale_unbridged: u8,
    /// Across a bridge, except for road movement across a civil one.
    pub bridge: u8,
    pub slope_up: u8,
    pub(super) road_quarters: [u8; 3],
    pub minor_into_town_or_city: u8,
    pub reaction_along_any: u8,
    pub obstacle: u8,
    pub smoke: u8,
    pub minefield_forced_exit: u8,
}

impl Movement {
    /// Quarters of a Movement Point for a hex by road movement (16.4).
    pub fn road_quarters(&self, road: Road) -> u8 {
        self.road_quarters[road.index()]
    }
}

/// Rows of the Fire Effects Chart (18.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    CloseTerrain,
    Disrupted,
    InMinefield,
    Smoke,
    UpSlope,
    InGasZone,
    Contaminated,
    AcrossMain,
    SittingDuck,
    InfiltrationIntoClear,
    RetreatIntoClear,
    InfantryInCloseObjective,
    PointBlank,
    ThermalAtNight,
    ArtilleryDirect,
    NoObserverLeft,
}

impl Effect {
    pub const ALL: [Effect; 16] = [
        Effect::CloseTerrain,
        Effect::Disrupted,
        Effect::InMinefield,
        Effect::Smoke,
        Effect::UpSlope,
        Effect::InGasZone,
        Effect::Contaminated,
        Effect::AcrossMain,
        Effect::SittingDuck,
        Effect::InfiltrationIntoClear,
        Effect::RetreatIntoClear,
        Effect::InfantryInCloseObjective,
        Effect::PointBlank,
        Effect::ThermalAtNight,
        Effect::ArtilleryDirect,
        Effect::NoObserverLeft,
    ];

    /// The word in files, lab answers and messages.
    pub const fn key(self) -> &'static str {
        match self {
            Effect::CloseTerrain => "close_terrain",
            Effect::Disrupted => "disrupted",
            Effect::InMinefield => "in_minefield",
            Effect::Smoke => "smoke",
            Effect::UpSlope => "up_slope",
            Effect::InGasZone => "in_gas_zone",
            Effect::Contaminated => "contaminated",
            Effect::AcrossMain => "across_main",
            Effect::SittingDuck => "sitting_duck",
            Effect::InfiltrationIntoClear => "infiltration_into_clear",
            Effect::RetreatIntoClear => "retreat_into_clear",
            Effect::InfantryInCloseObjective => "infantry_in_close_objective",
            Effect::PointBlank => "point_blank",
            Effect::ThermalAtNight => "thermal_at_night",
            Effect::ArtilleryDirect => "artillery_direct",
            Effect::NoObserverLeft => "no_observer_left",
        }
    }
}

/// The modes of fire: columns of the Fire Effects Chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FireMode {
    Direct,
    Indirect,
    Air,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FireEffects {
    pub(super) factors: [[Ratio; 3]; 16],
    /// The highest multiple of its basic strength that a unit may fire with.
    pub cap: u8,
}

impl FireEffects {
    pub fn factor(&self, effect: Effect, mode: FireMode) -> Ratio {
        self.factors[effect as usize][mode as usize]
    }
}

/// The purpose of a call for fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallFor {
    Offensive,
    Defensive,
    FireStrike,
    MilitaryBridge,
    CivilBridge,
    Adm,
    Gas,
    CounterBattery,
}

/// A restriction on the artillery of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnlyArtillery {
    Dag,
    Adm,
    UsTube,
}

/// The sides that a row of a chart applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Sides {
    #[serde(rename = "both")]
    Both,
    #[serde(rename = "WP")]
    Wp,
    #[serde(rename = "NATO")]
    Nato,
}

/// The units that may answer a call for fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Support {
    pub(super) fire: CallFor,
    pub(super) r#in: Option<Operation>,
    pub(super) side: Sides,
    pub artillery: u8,
    pub only: Option<OnlyArtillery>,
    pub rocket: bool,
    pub attack_helicopters: u8,
    pub air: u8,
}

/// 23.5.4, 44.2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdmGas {
    pub least_fire_strength: u8,
    pub least_air_steps: u8,
    pub adm_artillery: Vec<TypeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnrevealedSteps {
    pub wp_regiment: u8,
    pub wp_dtb: u8,
    pub nato: u8,
}

/// 27.2.1: Flak Strength per step at 0, 1 and 2 hexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flak {
    pub range: u8,
    pub air: [Ratio; 3],
    pub paradrop: [Ratio; 3],
    pub helicopter_by_day: [Ratio; 3],
    pub helicopter_at_night: [Ratio; 3],
    pub firer_in_smoke: [Ratio; 3],
    pub disrupted: Ratio,
    /// In a Gas Zone or contaminated; applied once.
    pub gas: Ratio,
    pub unrevealed_steps: UnrevealedSteps,
}

/// What a retreat must avoid if possible (18.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Avoid {
    AdjacentToFirer,
    AdjacentToEnemy,
    Minefield,
    GasZone,
    StackingViolation,
    NotNearestToSuperiorHq,
}

/// 12.2.1, 16.1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationRow {
    pub cp: u8,
    pub mp: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operations {
    march: OperationRow,
    hasty_attack: OperationRow,
    assault: OperationRow,
    reserve: OperationRow,
    pub reaction: OperationRow,
    /// The part of the allowance left to contaminated units.
    pub contaminated: Ratio,
    /// The part of the allowance that Attack from March may spend by road (16.5).
    pub road_half: Ratio,
}

impl Operations {
    pub fn of(&self, operation: Operation) -> OperationRow {
        match operation {
            Operation::March => self.march,
            Operation::HastyAttack => self.hasty_attack,
            Operation::Assault => self.assault,
            Operation::Reserve => self.reserve,
        }
    }
}

/// A figure for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BySide {
    #[serde(rename = "WP")]
    wp: u8,
    #[serde(rename = "NATO")]
    nato: u8,
}

impl BySide {
    pub fn of(self, side: Side) -> u8 {
        match side {
            Side::Wp => self.wp,
            Side::Nato => self.nato,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stacking {
    pub maneuver_steps: BySide,
    pub counters_hidden_mode: BySide,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MainEffort {
    pub cost_off_map_cp: u8,
    pub chits_face_down: u8,
    pub extra_off_map_rp: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Command {
    pub lead_unit_range: u8,
    pub attach_changes: u8,
    pub point_blank_rounds: u8,
}

/// 11.3.4: the total number of dummy markers, and those reserved for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dummies {
    pub markers: u8,
    pub each_side: u8,
}

/// Points for enemy losses in every scenario (46.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VictoryPoints {
    pub maneuver_step: u8,
    pub artillery_or_engineer_step: u8,
    pub hq: u8,
    pub air_step: u8,
    pub helicopter_step: u8,
    pub passenger_step: u8,
    pub gas_point_spent: u8,
    pub gas_zone_touches_city: u8,
}

/// A box of the Game Turn Track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnBox {
    pub day: u8,
    pub hour: u8,
    #[serde(default)]
    pub night: bool,
}

/// The artillery that an HQ may call (22.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArtilleryPool {
    pub always: Vec<FormationId>,
    /// Only for Strikes other than counter-battery, and in an own Assault (22.3.1).
    pub limited: Vec<FormationId>,
}
