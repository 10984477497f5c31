//! Scenarios: forces, map area, arrivals, points (46).

mod read;

use std::collections::BTreeMap;

use hexgrid::{HexId, HexSet, SideId};
use serde::Deserialize;

use super::forces::{Forces, FormationId, PieceId, PoolId, TypeId};
use super::kinds::{Echelon, Operation, Optional, PointKind, Purse, Side, System, VictoryLevel};

pub(super) use read::read;

/// Combat Support Points of each kind, in the order of [`PointKind`].
pub type Points = [u8; PointKind::ALL.len()];

/// What a side has in a scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideSetup {
    /// Every counter in play, including those that arrive later.
    pub pieces: Vec<PieceId>,
    /// Set-up zones by what they apply to: a counter's id, a formation, a category, or `all`.
    zone_of: BTreeMap<String, String>,
    /// Edge hexes by which its units may enter and leave.
    pub edges: HexSet,
    /// Per turn.
    pub off_map_cp: Vec<u8>,
    pub off_map_rp: Vec<u8>,
    pub sam: Vec<u8>,
    pub points: BTreeMap<Purse, Points>,
    /// Points added on later turns.
    pub points_later: Vec<(u8, BTreeMap<Purse, Points>)>,
    /// Helicopter steps by type, and those of later turns.
    pub helicopters: Vec<(TypeId, u8)>,
    pub helicopters_later: Vec<(u8, TypeId, u8)>,
    pub main_effort: Vec<FormationId>,
    /// HQs with an EW Asset.
    pub ew_hqs: Vec<PieceId>,
    pub paradrop: Option<Paradrop>,
    pub smoke: u8,
    pub improved_positions: u8,
    pub improved_at: Vec<HexId>,
    pub obstacles: u8,
    pub minefields_real: u8,
    pub minefields_dummy: u8,
    /// The turn from which Set Charges may be used (38.1).
    pub set_charges_from: Option<u8>,
    pub blown_before_play: Option<BlownBeforePlay>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Paradrop {
    pub formation: FormationId,
    pub turns: Vec<u8>,
}

/// Bridges that NATO may have blown before the first turn.
#[derive(Clone, Debug, PartialEq)]
pub struct BlownBeforePlay {
    pub road: u8,
    pub autobahn: u8,
    pub never: Vec<SideId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArrivalMode {
    Ground,
    Air,
}

/// The formation arrives early if enough maneuver steps are far enough south.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// This many own maneuver steps on this line or south of it release it for the next turn.
    pub steps: u8,
    pub line: u8,
    /// The turn on which it arrives in any case.
    pub latest: u8,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Arrival {
    pub side: Side,
    pub turn: u8,
    pub release: Option<Release>,
    pub pieces: Vec<PieceId>,
    /// The formations as written; bases are written as their node.
    pub formations: Vec<FormationId>,
    pub zone: String,
    pub mode: ArrivalMode,
    /// HQs and artillery start on the Off-map Display (40.1).
    pub display: bool,
    pub paradrop: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    pub piece: PieceId,
    pub hex: HexId,
    pub steps: u8,
}

/// Who pays for a planned operation (12.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payer {
    Nobody,
    Hq(PieceId),
    OffMap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    pub formation: FormationId,
    pub operation: Operation,
    pub payer: Payer,
}

/// A source of points, besides the losses that count in every scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct VictoryRule {
    pub side: Side,
    pub points: u8,
    pub what: VictoryWhat,
}

#[derive(Clone, Debug, PartialEq)]
pub enum VictoryWhat {
    /// For each of these hexes held at the end.
    Control { hexes: Vec<HexId> },
    /// For holding all of them together.
    ControlAll { hexes: Vec<HexId> },
    /// For each maneuver step that left through the zone.
    Exit { zone: String },
    /// If no enemy maneuver step left the map.
    NoExit,
    /// For each maneuver step in the zone at the end.
    RegionSteps { zone: String },
    /// For each of these bridges that is blown at the end.
    BridgeBlown { bridges: Vec<SideId> },
    /// For each that is intact with own units in both hexes.
    BridgeHeld { bridges: Vec<SideId> },
    /// If a road leads from one of these hexes to one of these edges.
    LocOpen { from_any: Vec<HexId>, to: Vec<String> },
    /// If the road is cut in these hexes at the end; with extra points for each earlier turn.
    LocCut { road: String, hexes: Vec<HexId>, each_turn_before: u8 },
    /// For each enemy formation of this echelon that is shattered.
    Shattered { of: Echelon },
    /// If the formation was not released before this turn.
    LateRelease { formation: FormationId, before: u8 },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Automatic {
    /// When this many maneuver steps have left through the zone.
    Exited { zone: String, steps: u8, result: VictoryLevel },
    /// At the end, if no enemy maneuver step was ever in the zone.
    NeverIn { zone: String, result: VictoryLevel },
}

/// A level of victory by WP points minus NATO points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    pub min: i16,
    pub max: i16,
    pub result: VictoryLevel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShortVersion {
    pub turns: u8,
    /// Added to the bounds of the levels.
    pub levels_shift: i16,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name is the message `scenario.ID.name`, its history `scenario.ID.history`.
    pub id: String,
    pub number: u8,
    pub maps: Vec<String>,
    pub turns: u8,
    /// The box of the Game Turn Track on which it begins, from 1.
    pub start_box: u8,
    pub fog_turns: Vec<u8>,
    pub minutes: u16,
    pub short_version: Option<ShortVersion>,
    pub optional: Vec<Optional>,
    pub left_out: Vec<System>,
    /// The scenario does not say where formations belong: plans are made without attachments (12.5.3).
    pub plans_unattached: bool,
    /// The hexes in play.
    pub area: HexSet,
    pub zones: BTreeMap<String, HexSet>,
    sides: [SideSetup; 2],
    pub arrivals: Vec<Arrival>,
    /// Formations with an Activation Cycle of their own, by side.
    pub cycles: [Vec<FormationId>; 2],
    /// Independent formations that begin attached, and to what.
    pub attached: Vec<(FormationId, FormationId)>,
    /// Pools below their full strength.
    pub strength: BTreeMap<PoolId, u8>,
    pub setup: Vec<Placement>,
    /// Counters in play that are available for splits and dummies at the start.
    pub spare: Vec<PieceId>,
    /// Operations of turn 1 that a first game may use as planned.
    pub plan: Vec<Planned>,
    pub victory: Vec<VictoryRule>,
    /// Best for the Warsaw Pact first.
    pub levels: Vec<Level>,
    pub automatic: Vec<Automatic>,
}

impl Scenario {
    pub fn side(&self, side: Side) -> &SideSetup {
        &self.sides[side.index()]
    }

    /// For lab files and tests, which change what a side has.
    pub fn side_mut(&mut self, side: Side) -> &mut SideSetup {
        &mut self.sides[side.index()]
    }

    pub fn zone(&self, id: &str) -> Option<HexSet> {
        self.zones.get(id).copied()
    }

    /// The steps of a pool in this scenario.
    pub fn pool_steps(&self, forces: &Forces, pool: PoolId) -> u8 {
        self.strength.get(&pool).copied().unwrap_or(forces.pools[pool.index()].steps)
    }

    /// The set-up zone of a counter: its own, its formation's, its category's, that of a formation above, or the
    /// side's.
    pub fn setup_zone(&self, forces: &Forces, piece: PieceId) -> Option<HexSet> {
        let p = &forces.pieces[piece.index()];
        let names = &self.side(p.side).zone_of;
        let formation = |f: FormationId| forces.formations[f.index()].id.as_str();
        let first = [p.id.as_str(), formation(p.formation), p.category.key()];
        let above = forces.ancestors(p.formation).map(formation);
        let zone = first.into_iter().chain(above).chain(["all"]).find_map(|key| names.get(key))?;
        self.zone(zone)
    }

    /// Whether the scenario uses this system; early scenarios leave some chapters out.
    pub fn has(&self, system: System) -> bool {
        !self.left_out.contains(&system)
    }

    /// 44.2: whether anybody ever has a Gas Point.
    pub fn has_gas(&self) -> bool {
        let gas = |points: &Points| {
            points[PointKind::GasPersistent.index()] + points[PointKind::GasNonPersistent.index()] > 0
        };
        let ever = |side: &SideSetup| {
            let later = side.points_later.iter().flat_map(|(_, points)| points.values());
            side.points.values().chain(later).any(gas)
        };
        self.has(System::Gas) && self.sides.iter().any(ever)
    }
}

impl Forces {
    /// A formation and those above it.
    pub fn ancestors(&self, formation: FormationId) -> impl Iterator<Item = FormationId> + '_ {
        std::iter::successors(Some(formation), |f| self.formations[f.index()].parent)
    }
}
