//! Scenarios (31): initial placement and special rules.

use serde::{Deserialize, Serialize};

use super::ids::{Edition, HexRef, Side, UnitId};
use super::world::BridgeState;

/// Which maps are in play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Maps {
    Both,
    /// Six- and eight-turn scenarios (31.2).
    East,
}

/// The part of the East map in play, for a scenario that needs less than a map (S1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// First and last column and row.
    pub columns: [u8; 2],
    pub rows: [u8; 2],
    /// Supply sources by side, in place of those at the map's edge (23.3).
    pub sources: [Vec<HexRef>; 2],
    /// What counts as Victory Hexes (30.1).
    pub objectives: Vec<HexRef>,
}

impl Part {
    pub fn contains(&self, hex: HexRef) -> bool {
        let within = |[first, last]: [u8; 2], n: u8| (first..=last).contains(&n);
        hex.is_east() && within(self.columns, hex.col) && within(self.rows, hex.row)
    }
}

/// A unit on the map at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    pub unit: UnitId,
    pub hex: HexRef,
    pub reduced: bool,
    /// Artillery only.
    pub fired: bool,
    /// For a Breakdown unit or Remnant placed at the start: the unit it came from.
    pub parent: Option<UnitId>,
}

/// Who decides the set-up of a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetupRule {
    /// Every unit is in its given hex.
    Fixed,
    /// Anywhere in its area; the placements are a ready deployment (31.1).
    Areas,
}

/// Units isolated at the start (31.4 F).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IsolatedGroup {
    pub name: String,
    pub side: Side,
    pub units: Vec<UnitId>,
    pub surrender_points: u8,
}

/// The airborne divisions of 31.2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AirborneArrival {
    pub turn: u8,
    /// Movement points already spent.
    pub spent: u8,
    /// SM markers that must be used.
    pub strategic_markers: u8,
}

/// A rule by which units whose Entry Hexes are on the West map enter at the west edge of the East map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WestEdgeEntry {
    /// Entry letters this row stands for.
    pub entries: super::unit::EntrySet,
    /// Rows of the west edge, from and to.
    pub rows: [u8; 2],
    pub spent: u8,
}

/// How a scenario is won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VictoryRule {
    /// By rule 30.
    Campaign,
    /// Rule 31.5: 30, and Bastogne with four West map hexes at the end.
    Extended,
    /// Rules 31.2–31.4: points at the end.
    Points {
        needed: u8,
        per_hex: u8,
        /// Attack factors off the west edge for one point; 0 where leaving the map scores nothing (S1).
        exit_attack: u8,
    },
}

impl VictoryRule {
    /// Do units that leave by the west edge count (31.2–31.4)?
    pub const fn counts_exits(self) -> bool {
        matches!(self, VictoryRule::Points { exit_attack: 1.., .. })
    }
}

/// A scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    /// `campaign`, `six_turn`, `eight_turn`, `patton`, `extended`, `patton_extended`, `st_vith`.
    pub id: String,
    pub rule: String,
    pub editions: Vec<Edition>,
    pub first_turn: u8,
    pub last_turn: u8,
    pub maps: Maps,
    /// Where only part of a map is in play. Units that the scenario does not place then take no part.
    pub part: Option<Part>,
    /// Rough playing time for two people in minutes, where it is not that of whole maps.
    pub minutes: Option<u16>,
    /// Is fuel rolled for (6)?
    pub fuel_shortage: bool,
    /// Are Traffic markers placed (24)?
    pub traffic: bool,
    /// Who sets up first.
    pub setup_order: [Side; 2],
    /// By side.
    pub setup: [SetupRule; 2],
    pub placements: Vec<Placement>,
    /// Hexes that start with a finished Improved Position.
    pub improved_positions: Vec<HexRef>,
    /// Hexes that the Germans control besides those they held on 16 December and those occupied by their units (30.1;
    /// towns matter for supply, 23.3).
    pub german_control: Vec<HexRef>,
    /// In the Dead Pile at the start.
    pub dead: Vec<UnitId>,
    /// Out of the game (surrendered, or never arriving).
    pub removed: Vec<UnitId>,
    /// Bridges by their two hexes; an edition is given only where they differ.
    pub bridges: Vec<ScenarioBridge>,
    /// All German artillery starts Fired (31.4 C).
    pub german_artillery_fired: bool,
    /// Greif markers still in the game.
    pub greif_left: Vec<u8>,
    /// Allied Traffic markers placed after set-up, before play (31.4 B).
    pub traffic_before_play: u8,
    pub isolated: Vec<IsolatedGroup>,
    pub airborne: Option<AirborneArrival>,
    pub west_edge: Vec<WestEdgeEntry>,
    /// Turn-1 special rules (29) are in force.
    pub turn_one_rules: bool,
    pub victory: VictoryRule,
}

/// A bridge that does not start intact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScenarioBridge {
    pub hexes: [HexRef; 2],
    pub state: BridgeState,
    /// Printed number, 0 = none.
    pub number: u8,
    /// Turn in whose German Bridge Phase it is completed (7.10); 0 = never by itself.
    pub completed_turn: u8,
}
