//! Items as the files write them, with names instead of ids.

use std::str::FromStr;

use serde::{Deserialize, Deserializer};

use super::ids::{Edition, HexRef, Side, Source};
use super::scenario::{AirborneArrival, Maps, SetupRule};
use super::terrain::{ArmorShift, Ground};
use super::unit::{
    Army, ArrivalCondition, Colour, DefenseMark, Factors, Morale, Nation, SetupCode, Size, Strength, Symbol,
    Tag, UnitSources, UnitType, Vehicle,
};
use super::world::{BridgeState, FormationKind, Sky, VictoryKind};

/// `attack-defense-move`, e.g. `6-6-3`; stacking points are a separate field.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawFactors(pub Factors);

impl FromStr for RawFactors {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let bad = || format!("`{s}` is not `attack-defense-move`, e.g. \"6-6-3\"");
        let numbers: Vec<u8> =
            s.split('-').map(|part| part.trim().parse().map_err(|_| bad())).collect::<Result<_, _>>()?;
        match numbers[..] {
            [attack, defense, movement] if attack < 100 && defense < 100 && movement < 100 => {
                Ok(Self(Factors { attack, defense, movement, stacking: 0 }))
            }
            _ => Err(bad()),
        }
    }
}

impl<'de> Deserialize<'de> for RawFactors {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawType {
    #[serde(default)]
    pub mechanized: bool,
    #[serde(default)]
    pub vehicle: bool,
    #[serde(default)]
    pub infantry: bool,
    #[serde(default)]
    pub artillery: bool,
    #[serde(default)]
    pub tank: bool,
    #[serde(rename = "source")]
    _source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSetup {
    /// Allied: the printed hex. German: the shipped deployment.
    pub hex: HexRef,
    pub code: SetupCode,
    #[serde(default)]
    pub improved_position: bool,
    #[serde(default)]
    pub reduced: bool,
    /// The division whose area it is.
    pub area: Option<String>,
    /// The corps any of whose divisions' areas it may use.
    pub corps: Option<String>,
    #[serde(rename = "place")]
    _place: Option<String>,
}

#[derive(Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawBy {
    #[default]
    Entry,
    Roll,
    TownOrCity,
    Drop,
    Box,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawArrival {
    pub turn: u8,
    #[serde(default)]
    pub by: RawBy,
    #[serde(default)]
    pub entry: Vec<String>,
    #[serde(rename = "box")]
    pub off_map_box: Option<String>,
    pub condition: Option<ArrivalCondition>,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawUnit {
    pub id: String,
    pub label: String,
    pub name: String,
    pub side: Side,
    pub nation: Nation,
    pub class: String,
    #[serde(rename = "type")]
    pub unit_type: UnitType,
    pub symbol: Option<Symbol>,
    pub vehicle: Option<Vehicle>,
    pub size: Size,
    #[serde(default)]
    pub strength: Strength,
    pub formation: Option<String>,
    pub regiment: Option<String>,
    pub colour: Colour,
    pub army: Option<Army>,
    pub corps: Option<String>,
    pub front: RawFactors,
    pub reduced: Option<RawFactors>,
    pub fired: Option<RawFactors>,
    pub front_1e: Option<RawFactors>,
    pub stacking: Vec<u8>,
    pub steps: u8,
    pub morale: Morale,
    pub tq: Option<u8>,
    pub tq_reduced: Option<u8>,
    #[serde(default)]
    pub tq_red: bool,
    #[serde(default)]
    pub range: u8,
    #[serde(default)]
    pub defense_mark: DefenseMark,
    pub remnant: Option<String>,
    pub breakdown: Option<String>,
    #[serde(default = "yes")]
    pub replaceable: bool,
    pub setup: Option<RawSetup>,
    pub arrival: Option<RawArrival>,
    pub optional: Option<String>,
    #[serde(default)]
    pub tags: Vec<Tag>,
    #[serde(default)]
    pub source: UnitSources,
    #[serde(default)]
    pub note: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PoolKind {
    Breakdown,
    Remnant,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawPoolSource {
    pub front: Source,
    pub morale: Source,
    pub count: Source,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPool {
    pub id: String,
    pub kind: PoolKind,
    pub label: String,
    pub name: String,
    pub side: Side,
    pub nation: Nation,
    #[serde(rename = "type")]
    pub unit_type: UnitType,
    pub symbol: Option<Symbol>,
    pub size: Size,
    pub colour: Colour,
    pub front: RawFactors,
    pub stacking: u8,
    pub morale: Morale,
    pub tq: Option<u8>,
    pub count: u8,
    #[serde(default)]
    pub source: RawPoolSource,
    #[serde(default)]
    pub note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCorps {
    pub id: String,
    pub label: String,
    pub side: Side,
    pub army: Option<Army>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawFormation {
    pub id: String,
    pub label: String,
    pub side: Side,
    pub kind: FormationKind,
    pub army: Option<Army>,
    pub corps: Option<String>,
    pub colour: Colour,
    #[serde(default)]
    pub fuel_table: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawOptional {
    pub id: String,
    pub side: Side,
    pub rule: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Half {
    Am,
    Pm,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawReplacements {
    pub german: u8,
    pub allied: u8,
    pub source: Source,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTurn {
    pub turn: u8,
    pub day: u8,
    pub half: Half,
    pub ground: Ground,
    pub sky: Sky,
    pub replacements: Option<RawReplacements>,
    #[serde(default)]
    pub greif_removed: u8,
    #[serde(default)]
    pub events: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEntry {
    pub letter: char,
    pub hex: HexRef,
    pub side: Side,
    #[serde(rename = "box")]
    pub off_map_box: Option<String>,
    #[serde(default)]
    pub antwerp_exit: bool,
    pub army: Option<Army>,
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBox {
    pub id: String,
    pub adjacent: Vec<String>,
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawArea {
    pub formation: String,
    pub hexes: Vec<HexRef>,
    #[serde(default)]
    pub closed_to_red: Vec<HexRef>,
}

fn one() -> u8 {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawVictoryHex {
    pub hex: HexRef,
    pub place: String,
    pub kind: VictoryKind,
    #[serde(default = "one")]
    pub points: u8,
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPlaces {
    pub st_vith: HexRef,
    pub bottleneck: Vec<HexRef>,
    pub ouren: [HexRef; 2],
    pub echternach_crossing: [HexRef; 2],
    pub echternach_formation: String,
    pub bastogne: Vec<HexRef>,
    pub fuel_dumps: Vec<HexRef>,
    pub roadblocks_1e: Vec<HexRef>,
    pub closed_area_1e: String,
}

/// A cost as the chart writes it.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum RawCost {
    Points(f64),
    Word(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawByGround<T> {
    pub mud: T,
    pub frozen: T,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTerrain {
    pub foot: RawByGround<RawCost>,
    pub mech: RawByGround<RawCost>,
    #[serde(default)]
    pub vehicles_by_road_only: bool,
    pub dcb: Option<u8>,
    pub dcb_german: Option<u8>,
    pub dcb_allied: Option<u8>,
    pub armor_shift: RawArmorShift,
    #[serde(default)]
    pub attack_out_halved: bool,
    #[serde(default)]
    pub drop_zone: bool,
    pub source: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawArmorShift {
    Yes,
    No,
    Other,
}

impl From<RawArmorShift> for ArmorShift {
    fn from(raw: RawArmorShift) -> Self {
        match raw {
            RawArmorShift::Yes => Self::Yes,
            RawArmorShift::No => Self::No,
            RawArmorShift::Other => Self::OtherTerrain,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRoad {
    pub foot: f64,
    pub mech: RawByGround<f64>,
    pub advance_bonus: bool,
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawHexside {
    pub infantry: RawCost,
    pub vehicle: RawCost,
    #[serde(default)]
    pub attack_halved: bool,
    #[serde(default)]
    pub attack_prohibited: bool,
    #[serde(default)]
    pub retreat_eliminates: bool,
    pub source: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum RawVictory {
    /// `campaign` or `extended`.
    Named(String),
    Points {
        points: u8,
        #[serde(default, rename = "printed")]
        _printed: u8,
        per_hex: u8,
        exit_attack: u8,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBridge {
    pub hexes: [HexRef; 2],
    pub state: BridgeState,
    #[serde(default)]
    pub number: u8,
    #[serde(default)]
    pub completed_turn: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawIsolated {
    pub name: String,
    pub side: Side,
    pub hexes: Vec<HexRef>,
    pub surrender_points: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawWestEdge {
    pub entries: Vec<String>,
    pub rows: [u8; 2],
    pub spent: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPlace {
    pub unit: Option<String>,
    pub pool: Option<String>,
    pub parent: Option<String>,
    pub hex: HexRef,
    #[serde(default)]
    pub reduced: bool,
    #[serde(default)]
    pub fired: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPart {
    pub columns: [u8; 2],
    pub rows: [u8; 2],
    pub german_sources: Vec<HexRef>,
    pub allied_sources: Vec<HexRef>,
    pub objectives: Vec<HexRef>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawPlacements {
    /// As stated by each unit's own set-up.
    Units,
    /// By the scenario's `[[place]]` list.
    Listed,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSetupRules {
    pub german: SetupRule,
    pub allied: SetupRule,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawScenario {
    pub id: String,
    pub rule: String,
    pub editions: Vec<Edition>,
    #[serde(rename = "extends")]
    _extends: Option<String>,
    pub first_turn: u8,
    pub last_turn: u8,
    pub maps: Maps,
    pub part: Option<RawPart>,
    pub minutes: Option<u16>,
    #[serde(default = "yes")]
    pub fuel_shortage: bool,
    #[serde(default = "yes")]
    pub traffic: bool,
    pub setup_order: [Side; 2],
    pub setup: RawSetupRules,
    pub placements: RawPlacements,
    #[serde(default)]
    pub place: Vec<RawPlace>,
    #[serde(default)]
    pub improved_positions: Vec<HexRef>,
    #[serde(default)]
    pub german_control: Vec<HexRef>,
    #[serde(default)]
    pub dead: Vec<String>,
    #[serde(default)]
    pub removed: Vec<String>,
    #[serde(default)]
    pub bridge: Vec<RawBridge>,
    #[serde(default)]
    pub german_artillery_fired: bool,
    pub greif_left: Vec<u8>,
    #[serde(default)]
    pub traffic_before_play: u8,
    #[serde(default)]
    pub isolated: Vec<RawIsolated>,
    pub airborne: Option<AirborneArrival>,
    #[serde(default)]
    pub west_edge: Vec<RawWestEdge>,
    #[serde(default)]
    pub turn_one_rules: bool,
    pub victory: RawVictory,
}
