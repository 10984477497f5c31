//! The tables of the player-aid card, the Terrain Effects Chart, the turn track and the scenarios.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::unit::Side;

/// 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weather {
    Clear,
    Cloudy,
    Overcast,
}

impl Weather {
    pub const ALL: [Weather; 3] = [Weather::Clear, Weather::Cloudy, Weather::Overcast];

    pub const fn key(self) -> &'static str {
        match self {
            Weather::Clear => "clear",
            Weather::Cloudy => "cloudy",
            Weather::Overcast => "overcast",
        }
    }
}

/// A number for each kind of weather.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByWeather {
    pub clear: u8,
    pub cloudy: u8,
    pub overcast: u8,
}

impl ByWeather {
    pub const fn of(self, weather: Weather) -> u8 {
        match weather {
            Weather::Clear => self.clear,
            Weather::Cloudy => self.cloudy,
            Weather::Overcast => self.overcast,
        }
    }
}

/// A number for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BySide {
    pub german: u8,
    pub allied: u8,
}

impl BySide {
    pub const fn of(self, side: Side) -> u8 {
        match side {
            Side::Allied => self.allied,
            Side::German => self.german,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeatherTable {
    pub am: [Weather; 6],
    pub pm: [Weather; 6],
    pub airlanding_points: ByWeather,
    pub air_support: ByWeather,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demolition {
    pub blown_from: i8,
    pub turn_one_modifier: i8,
    pub repair_phases: u8,
    pub automatic_repair_phases: u8,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crt {
    pub columns: Vec<String>,
    /// By die, then by column.
    pub rows: Vec<Vec<String>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chooser {
    #[default]
    Owner,
    Opponent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disorder {
    Disrupted,
    FullRetreat,
}

/// 15.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Advance {
    Limited,
    Regular,
    Bonus,
}

/// What a result of the CRT does (11.1).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CombatResult {
    pub code: String,
    #[serde(default)]
    pub attacker_steps: u8,
    #[serde(default)]
    pub defender_steps: u8,
    #[serde(default)]
    pub chooser: Chooser,
    /// Least and most hexes.
    pub retreat: Option<[u8; 2]>,
    pub state: Option<Disorder>,
    #[serde(default)]
    pub engaged: bool,
    #[serde(default)]
    pub determined_defense: bool,
    pub advance: Option<Advance>,
    #[serde(default)]
    pub breakthrough: bool,
}

/// A cell of the Determined Defense table (12.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stand {
    pub hold: bool,
    pub attacker: u8,
    pub defender: u8,
}

/// Columns of the Determined Defense table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    ClearOrPolder,
    Other,
    City,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Determined {
    pub elite: i8,
    pub low: i8,
    pub artillery: i8,
    pub clear_or_polder: [Stand; 7],
    pub other: [Stand; 7],
    pub city: [Stand; 7],
}

impl Determined {
    /// A die below 1 counts as 1, above 7 as 7.
    pub fn cell(&self, column: Column, die: i8) -> Stand {
        let row = usize::from(die.clamp(1, 7).unsigned_abs()) - 1;
        match column {
            Column::ClearOrPolder => self.clear_or_polder[row],
            Column::Other => self.other[row],
            Column::City => self.city[row],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LandingRow {
    /// The highest modified die of the row.
    pub up_to: i8,
    pub scattered: bool,
    pub steps: u8,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Landing {
    pub rows: Vec<LandingRow>,
    pub polder: i8,
    pub contested: i8,
    pub enemy_controlled: i8,
    pub woods_or_town: i8,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    pub from: i8,
    pub elite: i8,
    pub low: i8,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Disengagement {
    pub fails_up_to: i8,
    pub step_at: i8,
    pub armor: i8,
    pub elite: i8,
    pub low: i8,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Isolation {
    pub loss_up_to: i8,
    pub elite_or_allied: i8,
    pub low: i8,
    pub city: i8,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stacking {
    pub points: u8,
    pub artillery: u8,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Movement {
    pub leave_ezoc: u8,
    pub extended_bonus: u8,
    pub tactical_hexes: u8,
    pub dismounted: u8,
    pub artillery_moved: u8,
    pub exit_map: u8,
    pub engineer_steps: u8,
    pub ferry_steps: u8,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdvanceTable {
    pub regular: u8,
    pub bonus: u8,
    pub road_bonus: u8,
    pub recon_circle: u8,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Artillery {
    pub german_ready: u8,
    pub moved_markers: BySide,
    pub attack_guns: u8,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Supply {
    pub overland: u8,
    pub supply_head_overland: u8,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    pub markers: u8,
    pub extra_cost: u8,
    pub distance_from_german: u8,
}

/// A row of the Terrain Effects Chart for hexes; absent values come from the other terrain in the hex.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HexRow {
    pub foot: Option<u8>,
    pub mech: Option<u8>,
    /// For each hex entered off the road after two of them (8.6.1).
    pub extra_after_two: u8,
    pub vehicles_by_road_only: bool,
    pub no_armor_shift: bool,
    pub vehicles_halved: bool,
    pub doubles_if_all_attack_out: bool,
    pub doubled: bool,
    pub stops_advance: bool,
    pub column: Option<Column>,
    pub infiltration: bool,
    /// Modifier of the Landing Table; no landing where absent.
    pub landing: Option<i8>,
}

/// A road class; costs in twelfths of a movement point (8.8).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoadRow {
    pub foot: u16,
    pub mech: u16,
    #[serde(default)]
    pub advance_bonus: bool,
}

/// How unbridged water is crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Crossing {
    /// By Tactical Movement from an adjacent start (8.5.2).
    Tactical,
    /// The same with an Engineer (8.5.3).
    Engineer,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SideRow {
    pub foot: u8,
    pub mech: u8,
    pub crossing: Option<Crossing>,
    pub vehicles_by_road_only: bool,
    pub vehicles_halved: bool,
    pub halved: bool,
    pub blocks_zoc: bool,
    pub never_bridged_zoc: bool,
    pub retreat_kills: bool,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RailRow {
    pub foot: u8,
    pub mech: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Half {
    Am,
    Pm,
    Night,
}

impl Half {
    pub const fn key(self) -> &'static str {
        match self {
            Half::Am => "am",
            Half::Pm => "pm",
            Half::Night => "night",
        }
    }
}

/// A turn of the track (3.1).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    pub turn: u8,
    pub day: u8,
    pub half: Half,
    /// Weather that is fixed and not rolled.
    pub weather: Option<Weather>,
    #[serde(default)]
    pub weather_roll: bool,
    #[serde(default)]
    pub weather_modifier: i8,
    #[serde(default)]
    pub replacements: BySide,
    #[serde(default)]
    pub traffic: bool,
    #[serde(default)]
    pub supply_head_check: bool,
}

/// An Entry Area (19.2); its hexes are defined by the map.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    pub id: String,
    pub side: Side,
    /// Boxes beside its box (19.6).
    #[serde(default)]
    pub next: Vec<String>,
}

/// A landing zone (22.4).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Zone {
    pub id: String,
    pub formation: String,
    pub hexes: Vec<String>,
    pub source: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DemolitionRule {
    Never,
    /// Only if a German unit, or an unrevealed one, is in one of its hexes or adjacent (5.7).
    GermanNear,
}

/// A bridge or ferry that a rule or scenario names.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedCrossing {
    pub id: String,
    pub hexes: [String; 2],
    pub demolition: Option<DemolitionRule>,
}

/// Ground beyond rivers (2.2.4).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bank {
    pub id: String,
    pub from_area: String,
    pub rivers: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HoldingBox {
    pub id: String,
    pub entry: String,
    pub from_turn: u8,
}

/// The pool of Unknown units (25.1).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unknown {
    pub garrisons: u8,
    pub units: Vec<String>,
    pub hexes: Vec<String>,
}

/// Numbers of victory (26), in half points.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Victory {
    pub german_automatic: u16,
    pub three_step_unit: u16,
    pub other_unit: u16,
    pub supply_head: u16,
    pub retaken_place: u16,
    pub allied_needed: u16,
    pub bridgehead_unit: u16,
    pub bridgehead_most: u16,
    pub decisive_units: u16,
    pub short_last_turn: u8,
    pub short_units: u16,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VictoryPlace {
    pub id: String,
    /// Allied half points.
    pub value: u16,
    pub hexes: Vec<String>,
    #[serde(default)]
    pub retakeable: bool,
    pub source: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ScenarioVictory {
    /// 26.3, 26.4.
    Campaign,
    /// 26.3, 26.5.
    Short,
    /// S3.4; the limit in half points.
    Arnhem { hex: String, loss_limit: u16 },
    /// S4.4.
    Nijmegen { bridges: Vec<Vec<String>>, zones: Vec<String>, hex: String, needed: u8 },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioPlace {
    pub unit: String,
    pub hex: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    pub id: String,
    pub rule: String,
    pub first_turn: u8,
    pub last_turn: u8,
    /// First and last row of the map in play.
    pub rows: Option<[u8; 2]>,
    /// The Allied formations that take part, if not all do.
    pub allied: Option<Vec<String>>,
    pub german_areas: Option<Vec<String>>,
    #[serde(default)]
    pub german_also: Vec<String>,
    pub german_sources: Option<Vec<String>>,
    pub airlanding_points: Option<ByWeather>,
    pub air_support: Option<ByWeather>,
    /// Replacement steps of every Night turn, if not those of the turn track.
    pub replacements: Option<BySide>,
    #[serde(default = "yes")]
    pub traffic: bool,
    /// Units whose set-up differs from the set-up card.
    #[serde(default)]
    pub place: Vec<ScenarioPlace>,
    #[serde(default)]
    pub boxes: Vec<String>,
    pub victory: ScenarioVictory,
    pub source: String,
}

fn yes() -> bool {
    true
}

/// A Breakdown unit that starts on the map (21.1).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Detached {
    pub pool: String,
    pub label: String,
    pub parent: String,
    pub hex: String,
    pub landing: String,
}

/// Everything in the pack except units.
#[derive(Clone, Debug, Deserialize)]
pub struct Tables {
    pub weather: WeatherTable,
    pub demolition: Demolition,
    pub crt: Crt,
    pub determined: Determined,
    pub landing: Landing,
    pub recovery: Recovery,
    pub disengagement: Disengagement,
    pub isolation: Isolation,
    pub stacking: Stacking,
    pub movement: Movement,
    pub advance: AdvanceTable,
    pub artillery: Artillery,
    pub supply: Supply,
    pub traffic: Traffic,
    pub hex: BTreeMap<String, HexRow>,
    pub road: BTreeMap<String, RoadRow>,
    pub hexside: BTreeMap<String, SideRow>,
    pub railroad_bridge: RailRow,
}
