//! The map in the form that the rules need: for every hex and hexside the costs, bonuses and prohibitions of the
//! Terrain Effects Chart, computed once when a table is opened.

mod build;

use hexgrid::{Direction, HexId, HexSet};
use zocbond::{Topology, combat::home::WayHome};

use crate::pack::{AreaId, BoxId, EntryId, Ground, HexsideFeature, Terrain};

/// No retreat is longer (16.1).
const RETREAT_REACH: u16 = 8;

/// 25.22: a rebuilt unit appears within this distance of another unit of its colour.
const COLOUR_REACH: u16 = 5;

/// This game counts movement points in quarters.
pub const PER_POINT: u16 = 4;

/// A cost that cannot be paid with movement points.
pub const NEVER: u8 = u8::MAX;

/// Movement classes of the chart (2.4, 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Foot,
    Mechanized,
}

/// Index into the cost arrays: class, then ground.
#[inline]
pub const fn cost_index(class: Class, ground: Ground) -> usize {
    class as usize * 2 + ground as usize
}

/// Kinds of movers that the step tables distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    Foot,
    MechInfantry,
    Vehicle,
    /// Strategic Movement and Trucks: by road at Mechanized rates (12.1, 12.62).
    March,
    /// Tactical Movement, which pays nothing (11.3).
    Tactical,
    TacticalVehicle,
}

impl Mover {
    pub const ALL: [Mover; 6] = [
        Mover::Foot,
        Mover::MechInfantry,
        Mover::Vehicle,
        Mover::March,
        Mover::Tactical,
        Mover::TacticalVehicle,
    ];
}

/// [`ASK`] marks a step that depends on a bridge, an army boundary, the start of the move or the like.
pub use zocbond::moves::{ASK, SHUT};

/// Facts about a hexside, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeBits(pub u16);

impl EdgeBits {
    /// River, the Meuse included.
    pub const RIVER: EdgeBits = EdgeBits(1);
    pub const MEUSE: EdgeBits = EdgeBits(1 << 1);
    pub const LAKE: EdgeBits = EdgeBits(1 << 2);
    /// A road of any class crosses it.
    pub const ROAD: EdgeBits = EdgeBits(1 << 3);
    /// That road gives the Road Bonus to an advance into the far hex (19.1).
    pub const ROAD_BONUS: EdgeBits = EdgeBits(1 << 4);
    /// One of the two hexes is Wooded Rough (11.6).
    pub const WOODED_ROUGH: EdgeBits = EdgeBits(1 << 5);
    /// Forest, West Wall or Wooded Rough on either side: vehicles only by road (11.5).
    pub const BY_ROAD_ONLY: EdgeBits = EdgeBits(1 << 6);
    /// An army boundary (11.10).
    pub const BOUNDARY: EdgeBits = EdgeBits(1 << 7);

    #[inline]
    pub const fn any(self, other: EdgeBits) -> bool {
        self.0 & other.0 != 0
    }

    fn set(&mut self, other: EdgeBits, on: bool) {
        if on {
            self.0 |= other.0;
        }
    }
}

/// A hexside seen from one of its hexes.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The hex beyond; [`HexId::NONE`] off the map in play.
    pub to: HexId,
    /// Index of the bridge on it, `u16::MAX` for none.
    bridge: u16,
    pub bits: EdgeBits,
    /// Quarter points to enter the hex beyond along the road, by [`cost_index`]; [`NEVER`] without a road.
    pub road: [u8; 4],
}

impl Edge {
    #[inline]
    pub const fn is(&self, bits: EdgeBits) -> bool {
        self.bits.any(bits)
    }

    #[inline]
    pub const fn bridge(&self) -> Option<u16> {
        if self.bridge == u16::MAX { None } else { Some(self.bridge) }
    }
}

/// A hex.
#[derive(Clone, Copy, Debug)]
pub struct HexLand {
    pub ground: Terrain,
    /// Village, Town or City.
    pub settlement: Option<Terrain>,
    pub west_wall: bool,
    /// Quarter points to enter it off the road, by [`cost_index`]; [`NEVER`] where only Tactical Movement enters.
    pub enter: [u8; 4],
    /// Most favourable terrain bonus by defending side (15.1), without Improved Position.
    pub dcb: [u8; 2],
    /// An Armor Shift against a defender here is possible (21.3).
    pub armor_shift: bool,
    /// Von der Heydte may land here (27.2).
    pub drop_zone: bool,
    /// Bit `d` (0–2): a Hex Bond may run through this hex from direction `d` to the opposite one (10.3).
    pub bond_axes: u8,
    /// Bit `d` (0–5): a Hexside Bond may run along the side in direction `d` (10.3).
    pub bond_sides: u8,
    /// Bit `d`: the ZOC of silhouette tanks here reaches the neighbour in direction `d` (9.4).
    pub silhouette_zoc: u8,
    /// Bit `d`: a road leaves in direction `d`.
    pub roads: u8,
    /// Roads that cross no river, and roads that cross one by a bridge, as such bits.
    pub dry_roads: u8,
    pub bridge_roads: u8,
    /// Bit `d`: no lake separates the hex from its neighbour in direction `d`.
    pub on_foot: u8,
    /// Bit `d`: Vehicle units may cross in direction `d` (11.4–11.6), whatever the state of bridges.
    pub on_wheels: u8,
    /// Bit `d`: whether they may depends on a bridge.
    pub by_bridge: u8,
}

impl HexLand {
    pub fn is(&self, terrain: Terrain) -> bool {
        self.ground == terrain
            || self.settlement == Some(terrain)
            || (terrain == Terrain::WestWall && self.west_wall)
    }

    /// City or Town (13.2, 23.3, 25.22).
    pub fn town_or_city(&self) -> bool {
        matches!(self.settlement, Some(Terrain::Town | Terrain::City))
    }

    pub fn has_road(&self) -> bool {
        self.roads != 0
    }
}

/// The whole map in play.
#[derive(Debug)]
pub struct Land {
    pub hexes: Vec<HexLand>,
    pub edges: Vec<[Edge; 6]>,
    topology: Topology,
    /// For each kind of mover and ground: the cost of each step, as far as the map alone determines it.
    steps: [Vec<[u8; 6]>; 2 * Mover::ALL.len()],
    /// Hexes from which a side may leave the map (11.9, 31.2).
    pub exits: [HexSet; 2],
    /// Hexes by which Germans leave for Antwerp (11.9).
    pub antwerp_exits: HexSet,
    /// Quarter points to enter a hex along its best road, by [`cost_index`]; [`NEVER`] without one (13.1).
    pub road_into: Vec<[u8; 4]>,
    /// The hexes in play: all, or the East map's (31.2).
    pub in_play: HexSet,
    /// West map hexes (6.4, 30.2).
    pub west_map: HexSet,
    /// West of the Ourthe (1E 6.5); Victory Hexes count as such.
    pub west_of_ourthe: HexSet,
    /// West of the Meuse (27.3).
    pub west_of_meuse: HexSet,
    /// Supply sources of a side (23.2).
    pub sources: [HexSet; 2],
    /// For each side, for units on foot and Vehicle units: the distance from each hex to a supply source on an empty
    /// map (17.1).
    pub ways_home: [[Vec<WayHome>; 2]; 2],
    /// Cities and Towns in play (13.2, 23.3, 25.22).
    pub towns: HexSet,
    /// Cities, Towns and Villages in play (15.8).
    pub settlements: HexSet,
    /// Entry Hexes by [`EntryId`]; none if it is not on the map in play.
    pub entries: Vec<Option<HexId>>,
    /// Entry Hexes as a set.
    pub entry_hexes: HexSet,
    /// Cities, Towns and Entry Hexes, lowest first, each with the hexes from which a unit of the same colour qualifies
    /// it for rebuilding (25.22).
    pub rebuild_sites: Vec<(HexId, HexSet)>,
    /// The Off-Map Box beyond an edge hex (11.9).
    pub exit_box: Vec<Option<BoxId>>,
    /// Hexes from which a retreat may lead off the map (17.6).
    pub near_exit: HexSet,
    /// West edge of the map in play (31.2).
    pub west_edge: HexSet,
    /// St-Vith and the Bottleneck hexes (24.7).
    pub st_vith: Option<HexId>,
    pub bottleneck: HexSet,
    /// Hexes that may delay or stop a side's movement although no enemy is near: the Bottleneck (24.7), fuel dumps (32.2).
    pub slow: [HexSet; 2],
    /// German set-up areas by [`AreaId`] (31.1), and those closed to red-coded units.
    pub areas: Vec<HexSet>,
    pub areas_closed_to_red: Vec<HexSet>,
    /// The union of all set-up areas.
    pub set_up: HexSet,
    /// Hexes behind the set-up areas (29.3).
    pub rear_zone: HexSet,
    /// Hexes through whose middle a river flows (3.3, 7.7).
    pub river_through: HexSet,
    /// The two hexes of each bridge.
    pub bridges: Vec<[HexId; 2]>,
    /// The Ouren bridge (7.8).
    pub ouren: Option<u16>,
    /// 29.2: from, to.
    pub echternach: Option<[HexId; 2]>,
    /// 32.1
    pub dump_sites: Vec<HexId>,
    /// Victory Hexes in play (30.1).
    pub victory: Vec<VictorySite>,
    /// 31.5
    pub bastogne: HexSet,
}

/// A Victory Hex on the map in play.
#[derive(Clone, Copy, Debug)]
pub struct VictorySite {
    pub hex: HexId,
    pub kind: crate::pack::VictoryKind,
    pub points: u8,
}

impl Land {
    #[inline]
    pub fn hex(&self, hex: HexId) -> &HexLand {
        &self.hexes[hex.index()]
    }

    #[inline]
    pub fn edges(&self, hex: HexId) -> &[Edge; 6] {
        &self.edges[hex.index()]
    }

    #[inline]
    pub fn edge(&self, hex: HexId, direction: Direction) -> &Edge {
        &self.edges[hex.index()][direction.index()]
    }

    /// The map in play as a graph of hexes.
    #[inline]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The six hexes around one, by direction; [`HexId::NONE`] off the map in play.
    #[inline]
    pub fn around(&self, hex: HexId) -> &[HexId; 6] {
        self.topology.around(hex)
    }

    /// The hex in a direction; [`HexId::NONE`] off the map in play.
    #[inline]
    pub fn beyond(&self, hex: HexId, direction: Direction) -> HexId {
        self.topology.beyond(hex, direction)
    }

    /// The step table for a kind of mover: cost, [`SHUT`] or [`ASK`] by hex and direction.
    #[inline]
    pub fn steps(&self, mover: Mover, ground: Ground) -> &[[u8; 6]] {
        &self.steps[mover as usize * 2 + ground as usize]
    }

    /// The neighbour in a direction, if it is in play.
    #[inline]
    pub fn neighbour(&self, hex: HexId, direction: Direction) -> Option<HexId> {
        self.topology.neighbour(hex, direction)
    }

    /// The neighbours in play.
    #[inline]
    pub fn neighbours(&self, hex: HexId) -> impl Iterator<Item = HexId> + '_ {
        self.topology.neighbours(hex)
    }

    /// The direction from a hex to its neighbour.
    #[inline]
    pub fn direction(&self, from: HexId, to: HexId) -> Option<Direction> {
        self.topology.direction(from, to)
    }

    /// The hexside between two neighbours, seen from the first.
    #[inline]
    pub fn between(&self, from: HexId, to: HexId) -> Option<&Edge> {
        self.edges[from.index()].iter().find(|edge| edge.to == to)
    }

    /// The Entry Hex at this hex, if it is one.
    pub fn entry_at(&self, hex: HexId) -> Option<EntryId> {
        if !self.entry_hexes.contains(hex) {
            return None;
        }
        self.entries.iter().position(|e| *e == Some(hex)).map(|i| EntryId(i as u8))
    }

    pub fn entry_hex(&self, entry: EntryId) -> Option<HexId> {
        self.entries.get(entry.index()).copied().flatten()
    }

    /// Set-up areas that contain a hex (31.1); two divisions may share one.
    pub fn areas_of(&self, hex: HexId) -> impl Iterator<Item = AreaId> + '_ {
        self.areas.iter().enumerate().filter(move |(_, a)| a.contains(hex)).map(|(i, _)| AreaId(i as u8))
    }
}

/// The chart's hexside row that applies, for the combat rules.
pub fn hexside_feature(edge: &Edge) -> Option<HexsideFeature> {
    if edge.is(EdgeBits::LAKE) {
        Some(HexsideFeature::Lake)
    } else if edge.is(EdgeBits::MEUSE) {
        Some(HexsideFeature::Meuse)
    } else if edge.is(EdgeBits::RIVER) {
        Some(HexsideFeature::River)
    } else if edge.is(EdgeBits::WOODED_ROUGH) && !edge.is(EdgeBits::ROAD) {
        Some(HexsideFeature::WoodedRough)
    } else {
        None
    }
}
