//! The tables of the Advanced Game: `packs/panzer/tables/advanced`, and the columns of the Basic Game's tables that
//! only it reads. Lookups are in [`super::lookup`].

use serde::Deserialize;

use super::{
    Altitude, Angle, BailResult, CloseAssaultModifier, GpModifier, HandToHandModifier, HindranceKind,
    Location, Passenger, Response, ResponseModifier, Sheaf,
};
use crate::field::Terrain;
use crate::pack::Cover;

/// All tables of chapters 5 to 7.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AdvancedTables {
    /// Spotting Range Table (6.1.3): by `2 - net` for V, L, S.
    pub spotting: [[u8; 3]; 8],
    pub spot_fire_small_arms: i8,
    pub spotter_suppressed: i8,
    pub spotter_full_cover: i8,
    pub target_full_cover: i8,
    /// By grade (6.2.1.1.2).
    pub command_range: [u8; 5],
    /// Added to the initiative roll, by Force Grade (6.3.2).
    pub initiative: [i8; 5],
    /// Commands for 1 to 10 active units, by grade (6.2.1.1.1).
    pub available: [[u8; 10]; 5],
    pub least_commands: u8,
    pub grades: [GradeRow; 5],
    /// 6.8.3.1.1, 6.8.3.1.2
    pub recovery_command: i8,
    pub recovery_fired_at: i8,
    pub ap: ApTables,
    pub gp: GpTables,
    pub bail_out: Vec<Bail>,
    pub indirect: IndirectTables,
    pub assault: AssaultTables,
    pub movement: MovementTables,
    pub air: AirTables,
    pub optional: OptionalTables,
    /// The Terrain Effects Chart by [`Terrain`].
    pub terrain: [Chart; Terrain::ALL.len()],
    pub alley: Chart,
    pub bridge: Chart,
    pub road: Chart,
    pub path: Chart,
    pub track: Chart,
    pub rubble: Chart,
    pub improved_position: Chart,
    pub block: Chart,
    pub ditch: Chart,
    pub wire: Chart,
    pub mines: Chart,
    /// Extra cost of hexsides for M, L, G; None = prohibited.
    pub wall: [Option<u8>; 3],
    pub hedgerow: [Option<u8>; 3],
    pub defilade: [Option<u8>; 3],
    /// By levels of height change, 1 and 2.
    pub levels: [[Option<u8>; 3]; 2],
}

/// Unit Grade Modifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GradeRow {
    /// By range factor (6.5.2.4, 6.5.4.3).
    pub ap: [i8; 5],
    pub gp: [i8; 5],
    /// 6.6.1.1.2, 6.6.1.2.2
    pub assault: i8,
    /// 6.6.4.2: suppressed on this roll or less.
    pub quickmarch: u8,
    /// 6.8.3: recovers on this roll or less.
    pub recovery: u8,
    /// 6.5.1.12.1
    pub response: i8,
    /// 6.5.2.6
    pub bail_out: i8,
}

/// 5.11: the modifier of one occurrence, and its height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hindrance {
    pub ap: i8,
    pub gp: i8,
    pub height: i8,
}

/// AP fire (6.5.2), ammunition (5.16), hindrances (5.11).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ApTables {
    pub shooter_suppressed: i8,
    pub ammo_limit: i8,
    pub both_limits: i8,
    pub transported_fire: i8,
    pub heat_haze: i8,
    /// 6.5.2.4, 6.5.4.3: the least range against V, L, S.
    pub heat_haze_range: [u8; 3],
    pub dual_fire_same: i8,
    pub dual_fire_other: i8,
    pub shooter_hesitating: i8,
    pub shooter_broken: i8,
    pub soft_target_die: i8,
    /// By [`HindranceKind`].
    pub hindrances: [Hindrance; HindranceKind::ALL.len()],
    /// By hit number less 1: up to which roll there are two hits at rate Q, R, F, and three at rate F (6.5.2.1).
    pub two_hits: [Vec<u8>; 3],
    pub three_hits: Vec<u8>,
    /// By [`Angle`] and index: the location, and whether a partially hull down target is missed there (6.5.2.2).
    pub locations: [[Option<(Location, bool)>; 10]; Angle::ALL.len()],
}

/// The outcome of GP fire (6.5.4.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    #[default]
    NoEffect,
    Suppressed,
    Effective,
}

/// GP fire (6.5.4).
#[derive(Clone, Debug, PartialEq)]
pub struct GpTables {
    /// `cells[gpd - 1][gpf - 1]`: N and S (6.5.4.4).
    pub cells: [[(i16, i16); 15]; 10],
    /// By [`GpModifier`]: direct, indirect, air; None = does not apply (6.5.4.3).
    pub modifiers: [[Option<i8>; 3]; GpModifier::ALL.len()],
    pub defense_min: u8,
    pub defense_max: u8,
    /// 6.5.4.2.2: Leg and towed units.
    pub moving: i8,
    /// 6.5.4.2.3
    pub covered_passenger: u8,
    pub open_passenger: u8,
    /// 6.5.4.4.2: last digit of damage and of a track hit; d10 up to it is turret damage.
    pub damage_digit: u8,
    pub track_digit: u8,
    pub turret_max: u8,
}

impl Default for GpTables {
    fn default() -> GpTables {
        GpTables {
            cells: [[(0, 0); 15]; 10],
            modifiers: [[None; 3]; GpModifier::ALL.len()],
            defense_min: 0,
            defense_max: 0,
            moving: 0,
            covered_passenger: 0,
            open_passenger: 0,
            damage_digit: 0,
            track_digit: 0,
            turret_max: 0,
        }
    }
}

/// A row of the Bail Out Table (6.5.2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bail {
    pub result: BailResult,
    pub who: Passenger,
    /// Survives on the value or more (a vehicle knocked out); otherwise bails out on the value or less.
    pub survives: bool,
    pub value: u8,
}

/// Indirect fire (6.5.1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IndirectTables {
    /// By [`Response`]: Attached, Organic, Unattached (6.5.1.12).
    pub response: [[u8; 3]; Response::ALL.len()],
    /// By [`ResponseModifier`] (6.5.1.12.1).
    pub modifiers: [i8; ResponseModifier::ALL.len()],
    /// 6.5.1.1: sources that an FO, a Command unit, a Recon unit may call.
    pub fo_sources: u8,
    pub command_sources: u8,
    pub recon_sources: u8,
    /// By [`Sheaf`]: steps from the target point (6.5.1.5).
    pub sheaf: [Vec<(i16, i16)>; Sheaf::ALL.len()],
    /// Further hexes of a Closed Linear sheaf.
    pub line: u8,
    pub adjust: u8,
    pub planned_adjust: u8,
    pub danger_close: u8,
    pub planned_turns: u8,
    pub planned_slip: u8,
    pub planned_rest: u8,
}

/// A column of Close Assault (6.6.1.1.1, 6.6.1.1.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CloseAssaultRow {
    pub gpf: u8,
    /// Brewed up on this d10 roll or less.
    pub brew_up: u8,
}

/// Close Assault, Hand-to-Hand, overrun (6.6.1, 6.6.10).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssaultTables {
    /// By [`LegSize`].
    pub close: [CloseAssaultRow; 3],
    pub close_modifiers: [i8; CloseAssaultModifier::ALL.len()],
    pub hand_modifiers: [i8; HandToHandModifier::ALL.len()],
    pub gpd_max: u8,
    /// Levels between attacker and target.
    pub height: u8,
    pub advance_cost: u8,
    pub support_squad: u8,
    pub support_half_squad: u8,
    pub overrun_range: u8,
    pub overrun_factor_max: u8,
}

/// 6.6.3: entering or leaving the inside of a building.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildingEntry {
    pub hit_max: u8,
    pub track_max: u8,
}

/// 6.6.9
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HullDownSearch {
    pub partial: i8,
    /// Size -2 to +2.
    pub size: [i8; 5],
    pub grade: [i8; 5],
}

/// 6.6.8: turns of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entrenchment {
    pub turns: u8,
    pub engineer_turns: u8,
    /// Engineers finishing work that others began.
    pub engineer_finishes: u8,
}

/// Movement (6.6).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MovementTables {
    pub crawl: u8,
    pub manhandle: u8,
    pub building_step: u8,
    pub quickmarch_height: u8,
    /// Levels in a one-hex move.
    pub height_leg: u8,
    pub height_weapon_section: u8,
    pub height_towed: u8,
    pub height_motorcycle: u8,
    /// Vehicles: extra cost of shell smoke and dust.
    pub shell_smoke: u8,
    pub dust: u8,
    pub entrenchment: Entrenchment,
    pub hull_down: HullDownSearch,
    pub building_gpd_factor: u8,
    /// Wood, brick, stone.
    pub building_entry: [BuildingEntry; 3],
}

/// Aircraft by altitude (6.7.3.1.1, 6.7.4.1.1, 6.7.3.1.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AirRow {
    /// Slow, Fast.
    pub acquisition: [u8; 2],
    pub tracking: [u8; 2],
    pub base_height: i8,
}

/// Aircraft and AA fire (6.7).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AirTables {
    /// By [`Altitude`].
    pub altitude: [AirRow; Altitude::ALL.len()],
    pub aa_vs_fast: i8,
    pub aa_vs_high: i8,
    pub aa_vs_low: i8,
    pub loiter_turns: u8,
    pub suppressed_multiplier: u8,
    pub damage_to_eliminate: u8,
    pub crash_factor: u8,
    pub slow_turns: u8,
    pub rocket_range: [u8; 2],
    pub strafing_slow: u8,
    pub strafing_fast: u8,
}

/// Chapter 7: house rules based on what other chapters say.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionalTables {
    pub mines: Mines,
    pub scatter: Scatter,
    pub morale: Morale,
    pub bogging: Bogging,
    pub fires: Fires,
    pub brew_up: BrewUp,
    pub variable_penetration: VariablePenetration,
    pub attached_weapon_loss: WeaponLoss,
    pub engineers: Engineers,
    pub infantry_smoke: InfantrySmoke,
    pub night: Night,
    pub illumination: Illumination,
    pub command_span: CommandSpan,
    pub hidden_units: HiddenUnits,
    pub variable_track_damage: VariableTrackDamage,
}

/// A table of chapter 7 with its `source`.
macro_rules! house_rules {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty),* $(,)? })*) => {
        $($(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $(pub $field: $kind,)*
            pub source: String,
        })*
    };
}

house_rules! {
    /// 7.2: how far from the hex that the scenario lists a hidden unit may be set up.
    HiddenUnits { set_up: u8 }
    /// 7.21: the track breaks on this d10 roll or less.
    VariableTrackDamage { breaks_max: u8 }
    /// 7.31: GP factor of the attack, by kind and method of laying.
    Mines {
        anti_personnel_hasty: u8, anti_personnel_deliberate: u8, anti_vehicle_hasty: u8,
        anti_vehicle_deliberate: u8, clearing_turns: u8,
    }
    /// 7.26: the distance by which a mission scatters.
    Scatter { hexes: Vec<[u8; 2]>, grade: [i8; 5], unseen: i8, suppressed_aircraft: i8, adjusted: i8 }
    /// 7.1
    Morale {
        cohesion_percent: [u8; 5], break_point: [u8; 5], hesitation: u8, command_unit_in_range: i8,
        broken_unit_in_range: i8, suppressed_or_damaged: i8, recovery_hesitating: i8, recovery_broken: i8,
    }
    /// 7.29
    Bogging { tracked: u8, half_tracked: u8, wheeled: u8, free_max: u8 }
    /// 7.35
    Fires { wood_building: u8, brick_building: u8, stone_building: u8, light_grove: u8, medium_grove: u8 }
    /// 7.11
    BrewUp { modifier: i8 }
    /// 7.12
    VariablePenetration { change: Vec<[i8; 2]> }
    /// 7.17
    WeaponLoss { lost_max: u8 }
    /// 7.19
    Engineers { squad: u8, half_squad: u8, section: u8 }
    /// 7.22
    InfantrySmoke { ammo_limit: u8 }
    /// 7.36
    Night { spotting_row: i8 }
    /// 7.27: hexes around the pattern that are also illuminated.
    Illumination { around: u8 }
    /// 7.52: added to the command range of a formation with a Command unit.
    CommandSpan { hexes: u8 }
}

/// A line of the Terrain Effects Chart as the Advanced Game reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    pub height: i8,
    pub cover_spot: Cover,
    pub cover_combat: Cover,
    /// Cost to enter for T, H, W, M (motorcycle), L (Leg), G (a gun by hand); None = prohibited.
    pub cost: [Option<u8>; 6],
    pub turn: u8,
    /// 6.6.9: None where no search is possible.
    pub hull_down: Option<u8>,
    /// 6.6.1.1.2: vehicles there need support.
    pub support: bool,
    /// 6.5.4.2.5: None cannot be attacked, 0 by the scenario.
    pub gpd: Option<u8>,
    pub quickmarch: bool,
    pub dust: bool,
    pub full_cover: bool,
    /// 6.7.3.1.1
    pub aircraft_need_fo: bool,
}
