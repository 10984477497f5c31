//! Tables and numbers of the rules: one set per edition.
//!
//! Everything here is read from `tables/2e.toml`; `tables/1e.toml` names only what differs.

use serde::{Deserialize, Serialize};

use super::ids::{FormationId, Side};
use super::unit::Army;

/// A table entered with a modified die roll: rolls below the first cell use the first, rolls above the last use the
/// last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DieTable<T> {
    /// The modified die of the first cell.
    pub low: i8,
    /// One cell per die value, upwards from `low`; never empty.
    pub cells: Vec<T>,
}

impl<T: Copy> DieTable<T> {
    /// The result of a modified die.
    pub fn get(&self, die: i8) -> T {
        let last = self.cells.len() - 1;
        let at = (i16::from(die) - i16::from(self.low)).clamp(0, last as i16);
        self.cells[at as usize]
    }
}

/// A result code of the CRT or the Fire Fight Table (16.1, 16.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum CombatResult {
    #[serde(rename = "D1*")]
    D1Star,
    /// 1st edition: DR4 with Breakthrough.
    #[serde(rename = "DR4*")]
    Dr4Star,
    #[serde(rename = "DR4")]
    Dr4,
    #[serde(rename = "DR3")]
    Dr3,
    #[serde(rename = "DR2")]
    Dr2,
    #[serde(rename = "FF")]
    Ff,
    #[serde(rename = "FF(+1)")]
    FfPlus1,
    #[serde(rename = "EX")]
    Ex,
    #[serde(rename = "Eng")]
    Eng,
    #[serde(rename = "A1/Eng")]
    A1Eng,
    #[serde(rename = "A1")]
    A1,
    #[serde(rename = "D1")]
    D1,
    #[serde(rename = "A1/D1")]
    A1D1,
    #[serde(rename = "A1/DR2")]
    A1Dr2,
    #[serde(rename = "Eng+")]
    EngPlus,
}

impl CombatResult {
    pub const ALL: [Self; 15] = [
        Self::D1Star,
        Self::Dr4Star,
        Self::Dr4,
        Self::Dr3,
        Self::Dr2,
        Self::Ff,
        Self::FfPlus1,
        Self::Ex,
        Self::Eng,
        Self::A1Eng,
        Self::A1,
        Self::D1,
        Self::A1D1,
        Self::A1Dr2,
        Self::EngPlus,
    ];

    pub const fn index(self) -> usize {
        self as usize
    }
}

/// State of an undisrupted unit after the retreat (18.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateAfter {
    #[default]
    Unchanged,
    Disrupted,
    Broken,
}

/// Kinds of advance (19.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdvanceKind {
    #[default]
    None,
    /// The vacated hex only, and only if the result emptied it.
    Limited,
    Regular,
    Bonus,
}

/// What a result does (16.1, 16.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResultEffect {
    pub attacker_steps: u8,
    pub defender_steps: u8,
    /// Length of the retreat in hexes.
    pub retreat: u8,
    pub state: StateAfter,
    /// Survivors of the defense are Engaged (16.5).
    pub engaged: bool,
    /// Determined Defense may be tried (16.71).
    pub determined_defense: bool,
    pub advance: AdvanceKind,
    /// Breakthrough Combat (19.4).
    pub breakthrough: bool,
    /// The attacker may roll on the Fire Fight Table instead of Eng (16.2).
    pub fire_fight: bool,
    /// DRM of that roll.
    pub fire_fight_drm: i8,
    /// An Attacker's Advantage marker (16.6).
    pub attackers_advantage: bool,
}

/// An odds column: `attack` to `defense`, e.g. 3-1 or 1-2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Odds {
    pub attack: u8,
    pub defense: u8,
}

/// Combat Results Table (16.1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CombatResultsTable {
    /// Columns from worst to best for the attacker. The first also stands for all worse odds, the last for all better
    /// odds (14.5).
    pub columns: Vec<Odds>,
    /// `rows[die - 1][column]`.
    pub rows: [Vec<CombatResult>; 6],
}

/// Columns shifted by each cause (summary printed with 16.1). All numbers are positive; the field name says whom the
/// shift helps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shifts {
    /// Rule 21.1, right
    pub armor_attacker: u8,
    /// Rule 21.1, left
    pub armor_defender: u8,
    /// Rule 22.7, right, for each unit
    pub artillery_attacker: u8,
    /// Rule 22.7.
    pub artillery_attacker_max_units: u8,
    /// Rule 18.2, right
    pub defender_disrupted: u8,
    /// Rule 12.5, right
    pub defender_strategic: u8,
    /// Rule 16.6, right
    pub attackers_advantage: u8,
    /// Rule 15.6, right, for each marker
    pub air_support: u8,
    /// Rule 15.6.
    pub air_support_max_markers: u8,
    /// Rule 27.8.3, right
    pub surprise: u8,
    /// Rule 23.4, left
    pub attacker_oos: u8,
    /// Rule 1E 23.4, right: all defenders OOS
    pub defender_oos: u8,
}

/// Determined Defense (16.72).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DefenseRow {
    pub success: bool,
    /// Steps the defender's Lead Unit loses.
    pub defender_steps: u8,
    /// Steps one attacking unit loses.
    pub attacker_steps: u8,
    /// 1E: CA, counterattack.
    pub counterattack: bool,
}

/// Disengagement (20.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DisengagementRow {
    pub retreat: bool,
    pub disrupted: bool,
}

/// DRMs by morale, used by Fire Fight, Determined Defense, Rally and Disengagement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoraleDrm {
    pub green: i8,
    pub elite: i8,
}

/// Fire Fight (16.2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FireFight {
    pub table: DieTable<CombatResult>,
    pub drm: MoraleDrm,
    /// 2E: an Elite Lead Unit must be a Tank if the defender has one, or its DRM is lost.
    pub elite_must_be_tank: bool,
    /// 1E: DRM for a Lead Unit with a grey TQ not exceeded by the defender.
    pub tank_quality_drm: i8,
}

/// Determined Defense (16.7).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeterminedDefense {
    pub table: DieTable<DefenseRow>,
    pub drm: MoraleDrm,
    /// 2E: the hex's DCB is subtracted (16.73).
    pub minus_dcb: bool,
    /// 1E: only in Village, Town, City, West Wall or an Improved Position.
    pub only_in_cover: bool,
    /// 1E DRM in a City.
    pub city_drm: i8,
    /// 1E DRM as in the Fire Fight: grey TQ at least equal.
    pub tank_quality_drm: i8,
    /// 1E DRM if a red-TQ unit is with the defender.
    pub red_tq_drm: i8,
}

/// Disengagement (20).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disengagement {
    pub table: DieTable<DisengagementRow>,
    pub drm: MoraleDrm,
    /// Tank or Recon unit.
    pub tank_or_recon_drm: i8,
    /// Rule 1E 20.3: a failed unit stays Engaged.
    pub failure_keeps_engaged: bool,
}

/// Surrender (23.7, 23.8).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Surrender {
    /// Surrender points added, by modified die roll.
    pub table: DieTable<i8>,
    /// DRM of Allied groups.
    pub allied_drm: i8,
    /// Turn from which that DRM applies (28.2).
    pub allied_drm_from_turn: u8,
    /// Points at which a group surrenders.
    pub limit_all_green: u8,
    pub limit_normal: u8,
    pub limit_with_elite: u8,
}

/// Who chooses the division hit by a fuel shortage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FuelResult {
    NoShortage,
    /// One of these, the German player's choice (one entry: no choice).
    OneOf(FormationId, Option<FormationId>),
    /// Both divisions.
    Both(FormationId, FormationId),
    /// Rule 2E 6.4: the Allied player picks a division of the army; only its units on the West map.
    WestMap(Army),
    /// Rule 2E 6.4: the Allied player picks any Panzer division of the army.
    AnyPanzerDivision(Army),
    /// Rule 1E 6.5: the Allied player picks a division of the army with a unit west of the Ourthe.
    WestOfOurthe(Army),
}

/// Fuel Shortage (6).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fuel {
    pub first_turn: u8,
    pub drm: i8,
    pub drm_from_turn: u8,
    /// Tables 1 (5th Panzer Army) and 2 (6th Panzer Army).
    pub tables: [DieTable<FuelResult>; 2],
}

/// Bridge demolition (7.2–7.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BridgeDemolition {
    /// Modified die up to which the bridge is blown.
    pub blown_max: i8,
    /// In the enemy's Combat Phase.
    pub enemy_phase_drm: i8,
    /// The unit is Disrupted or Engaged (1E: or under SM).
    pub disordered_drm: i8,
    /// Rule 2E 7.7: units under SM, Truck or Prime Mover may not; 1E counts SM as disordered.
    pub strategic_forbidden: bool,
    /// First turn on which bridges may be blown (7.7).
    pub first_turn: u8,
    /// Ouren (7.8): unmodified die up to which it is blown.
    pub ouren_blown_max: i8,
}

/// One cell of the Defensive Artillery Table (22.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DefensiveFire {
    pub shifts_left: u8,
    /// Time On Target: the attacker loses a step and the attack ends.
    pub tot: bool,
}

/// Defensive artillery (22.8).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefensiveArtillery {
    pub max_units: u8,
    /// 1E: DRM when two units support.
    pub second_unit_drm: i8,
    /// By defending side.
    pub tables: [DieTable<DefensiveFire>; 2],
}

impl DefensiveArtillery {
    /// The cell for a defender's modified die roll.
    pub fn get(&self, defender: Side, die: i8) -> DefensiveFire {
        self.tables[defender.index()].get(die)
    }
}

/// Von der Heydte's landing (27.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Landing {
    Full,
    Reduced,
    Eliminated,
}

/// Rally next to the enemy (18.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rally {
    pub success_max: i8,
    pub drm: MoraleDrm,
}

/// Single-unit rolls (27), unmodified d6.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecialRolls {
    /// Rule 653 PzJ (27.7): first turn, arrives up to, delayed up to, else never.
    pub pzj653_first_turn: u8,
    pub pzj653_arrives_max: i8,
    pub pzj653_delayed_max: i8,
    /// Rule 150 Pz Bde (27.8).
    pub infiltration_max: i8,
    pub surprise_max: i8,
    /// Rule 1E 27.8: 9th Armored CCB must go to St-Vith up to this die; 0 = no such roll.
    pub ccb9_st_vith_max: i8,
    /// Fuel dump destroyed (32.3), in the Allied Bridge Phase and in the German Combat Phase.
    pub dump_bridge_phase_max: i8,
    pub dump_combat_phase_max: i8,
}

/// Stacking limits (8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stacking {
    pub points: u8,
    /// Steps of silhouette tanks; 255 = no such limit.
    pub silhouette_steps: u8,
    /// Artillery units; 255 = no such limit.
    pub artillery: u8,
    /// 1E: units in a hex; 255 = no such limit.
    pub units: u8,
    /// 1E: Battle Group.
    pub battle_group_units: u8,
    pub battle_group_defense: u8,
    /// An attack from a Blocking Position (13.8).
    pub blocking_points: u8,
    pub blocking_silhouette_steps: u8,
}

/// Advance after combat (19.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Advance {
    pub regular: u8,
    pub bonus: u8,
    /// Extra hex of a Mechanized unit along roads.
    pub road_bonus: u8,
    /// Rule 19.6.
    pub out_of_supply_max: u8,
    /// Rule 19.4: a Breakthrough Group that is not all Mechanized.
    pub breakthrough_foot_max: u8,
    /// Rule 19.4: further Breakthroughs after the first (1E: none).
    pub breakthrough_chain: bool,
}

/// Movement numbers outside the Terrain Effects Chart. Movement points are in quarters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Movement {
    /// Rule 9.2.
    pub leave_ezoc_quarters: u8,
    /// Rule 24.2.
    pub traffic_quarters: u8,
    /// Rule 33.1.
    pub roadblock_quarters: u8,
    /// Rule 24.7, and while the Germans hold St-Vith
    pub bottleneck_quarters: u8,
    pub bottleneck_held_quarters: u8,
    /// Rule 11.9.
    pub exit_quarters: u8,
    /// Rule 11.2.
    pub extended_bonus: u8,
    /// Rule 11.3.
    pub tactical_hexes: u8,
    /// Rule 12.1: MA multiplier of Strategic Movement
    pub strategic_factor: u8,
    /// Rule 12.62.
    pub truck_allowance: u8,
    /// Rule 22.3.
    pub prime_mover_allowance: u8,
    /// Rule 18.2: hexes a Disrupted unit may move
    pub disrupted_hexes: u8,
    /// Rule 11.10: the turn from which army boundaries are gone
    pub boundary_free_turn: u8,
}

/// Artillery units readied in the owner's Artillery Supply Phase (5.2, 5.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArtillerySupply {
    pub german: u8,
    pub german_turn_2: u8,
}

/// Markers whose number limits play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Markers {
    /// Rule 12.4, German and Allied; the Allied backs are Trucks (12.61).
    pub strategic: [u8; 2],
    /// Rule 22.3, by army: 6th Panzer, 5th Panzer, 7th.
    pub prime_movers: [u8; 3],
    /// Rule 24.1.
    pub traffic: [u8; 2],
    /// Rule 24.5: first turn of their Traffic Marker Phase
    pub traffic_first_turn: [u8; 2],
    /// Rule 24.3.
    pub traffic_removal_dice: u8,
    /// Rule 33.
    pub roadblocks: [u8; 2],
    pub roadblock_first_turn: [u8; 2],
    pub roadblock_reach: u8,
    /// Rule 25.33.
    pub night: [u8; 2],
    /// Rule 32.1.
    pub fuel_dumps: u8,
    pub fuel_dump_defense: u8,
}

/// Victory (30). German conditions are alternatives unless `needs_east_points`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Victory {
    pub exit_attack: u16,
    pub liege_hexes: u8,
    pub meuse_hexes: u8,
    pub west_map_hexes: u8,
    /// 1E: this many East map Victory Hexes are needed as well; 0 = no.
    pub east_points: u8,
    /// Rule 30.3.
    pub allied_areas: u8,
    pub allied_checks: u8,
    /// Rule 31.5.
    pub extended_west_hexes: u8,
    /// Rule 27.3: the DF in Antwerp must exceed the factors that exited by this much.
    pub antwerp_margin: u8,
    /// Rule 27.3: turn on which the 29th Armoured Brigade is free.
    pub arm29_free_turn: u8,
    /// Rule 13.4: DF that blocks an Entry Hex.
    pub blocking_defense: u8,
}

/// All tables of one edition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tables {
    pub crt: CombatResultsTable,
    /// By [`CombatResult::index`].
    pub results: [ResultEffect; 15],
    pub shifts: Shifts,
    pub fire_fight: FireFight,
    pub determined_defense: DeterminedDefense,
    pub disengagement: Disengagement,
    pub surrender: Surrender,
    pub fuel: Fuel,
    pub bridge: BridgeDemolition,
    /// Shifts left of Allied air support on the defense (15.6).
    pub jabos: DieTable<u8>,
    /// Air support markers for the Allied attack (15.6).
    pub air: DieTable<u8>,
    /// Rule 15.6, 28.2
    pub air_from_turn: u8,
    pub defensive_artillery: DefensiveArtillery,
    pub von_der_heydte: DieTable<Landing>,
    pub von_der_heydte_turn: u8,
    pub rally: Rally,
    pub special: SpecialRolls,
    pub stacking: Stacking,
    pub advance: Advance,
    pub movement: Movement,
    pub artillery_supply: ArtillerySupply,
    pub markers: Markers,
    pub victory: Victory,
    pub terrain: super::terrain::TerrainEffects,
    /// Where each group of numbers comes from, e.g. `("crt", "rules 16.1")`.
    pub sources: Vec<(String, String)>,
}
