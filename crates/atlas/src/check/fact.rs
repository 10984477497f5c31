//! The kinds of facts that a file can state about a map.

use serde::Deserialize;

use crate::{BridgeKind, BridgeState};

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Edge {
    North,
    East,
    South,
    West,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Bank {
    Left,
    Right,
}

/// A fact. Hexes and hexsides are labels, places, rivers and areas are ids.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Fact {
    Adjacent {
        hexes: [String; 2],
    },
    NotAdjacent {
        hexes: [String; 2],
    },
    Distance {
        hexes: [String; 2],
        is: u32,
    },
    HexCount {
        count: usize,
    },
    /// The single terrain that a hex counts as, in a game where a settlement replaces the ground.
    ChiefTerrain {
        hexes: Vec<String>,
        any: Vec<String>,
    },
    /// How many neighbours of a hex count as one of these terrains.
    Neighbours {
        of: String,
        terrain: Vec<String>,
        count: usize,
    },
    Hexside {
        hexside: String,
        is: Option<String>,
        #[serde(default)]
        not: Vec<String>,
        /// The higher hex.
        uphill: Option<String>,
        not_uphill: Option<String>,
        bridge: Option<bool>,
        /// A road class, or `none`.
        road: Option<String>,
    },
    HexsidesOf {
        hex: String,
        is: String,
        bridge: Option<bool>,
        at_least: usize,
    },
    /// The length of the shortest path along roads of these classes.
    RoadPath {
        from: String,
        to: String,
        classes: Vec<String>,
        hexes: u32,
    },
    InArea {
        area: String,
        hexes: Vec<String>,
    },
    /// No road of a class runs between hexes of an area.
    NoRoadOf {
        area: String,
        class: String,
    },
    RoadNear {
        hex: String,
        class: String,
        within: u32,
    },
    /// The number of parts into which rivers divide the map.
    Halves {
        rivers: Vec<String>,
        count: usize,
    },
    OnMap {
        hex: String,
    },
    Alias {
        numbering: String,
        label: String,
        hex: String,
    },
    Place {
        place: String,
    },
    PlaceIn {
        place: String,
        hex: String,
    },
    PlaceNear {
        place: String,
        hex: String,
        within: u32,
    },
    Roads {
        place: Option<String>,
        hex: Option<String>,
        at_least: usize,
    },
    Bridge {
        hexside: String,
        river: Option<String>,
        #[serde(default)]
        road: bool,
    },
    BridgeIn {
        hex: String,
        river: Option<String>,
        state: Option<BridgeState>,
        count: Option<usize>,
    },
    /// A crossing by its English name: what it is and what it joins.
    Crossing {
        name: String,
        #[serde(default)]
        kind_is: BridgeKind,
        hexside: Option<String>,
        /// A hex at one end of it.
        touches: Option<String>,
        /// Places at its two ends.
        joins: Option<[String; 2]>,
        river: Option<String>,
        water: Option<String>,
        state: Option<BridgeState>,
        road: Option<String>,
        /// A property that it has.
        prop: Option<String>,
    },
    CrossingCount {
        river: String,
        kind_is: BridgeKind,
        count: usize,
    },
    /// What can be reached from a hex without crossing the rivers or entering the `stop` hexes.
    Parted {
        from: String,
        rivers: Vec<String>,
        #[serde(default)]
        stop: Vec<String>,
        #[serde(default)]
        with: Vec<String>,
        #[serde(default)]
        without: Vec<String>,
    },
    /// One unbroken road of a class from a hex through others.
    RoadThrough {
        class: String,
        from: String,
        through: Vec<String>,
    },
    RoadExit {
        to: String,
        class: String,
    },
    /// The exact hexes of an area.
    Area {
        id: String,
        hexes: Vec<String>,
    },
    /// A hex, not a place, on a bank.
    HexOnBank {
        hex: String,
        river: String,
        bank: Bank,
    },
    /// An edge hex of an entry area, which belongs to no other.
    EntryHex {
        id: String,
        hex: String,
    },
    /// Features of a kind are in exactly these hexes.
    Features {
        kind_is: String,
        hexes: Vec<String>,
    },
    NoBridge {
        hexside: String,
    },
    BridgeNumber {
        number: u8,
        state: BridgeState,
        rivers: Vec<String>,
    },
    BridgeBetween {
        number: u8,
        hexes: [String; 2],
    },
    BridgeOf {
        place: String,
        hexside: String,
    },
    River {
        hexside: String,
        river: String,
    },
    OnRiver {
        hex: String,
        river: String,
    },
    OnKind {
        place: String,
        hexside: String,
    },
    RiverThrough {
        place: String,
        river: Option<String>,
    },
    /// A hex that a river runs through, in a game where it may also run along its hexsides.
    Through {
        hex: String,
        river: String,
    },
    RiverOnMap {
        river: String,
    },
    RiverInCorner {
        river: String,
        sheet: String,
        rows_below: u16,
    },
    Bank {
        place: String,
        river: String,
        bank: Bank,
    },
    BothBanks {
        place: String,
        hexside: String,
    },
    Terrain {
        hex: String,
        is: Option<String>,
        not: Option<String>,
    },
    TerrainRows {
        terrain: String,
        at_least: usize,
    },
    Settlement {
        place: String,
        is: String,
        hex: Option<String>,
        hexes: usize,
    },
    Held {
        hex: String,
        side: String,
    },
    Setup {
        hex: String,
        division: String,
    },
    SetupTerrain {
        division: String,
        terrain: String,
        count: usize,
    },
    SetupCrossesFront {
        division: String,
    },
    Entry {
        id: String,
        hex: Option<String>,
        side: Option<String>,
        sector: Option<String>,
        edge: Option<Edge>,
    },
    EntryNorthOf {
        id: String,
        hex: String,
    },
    EntriesOnSouthEdge {
        count: usize,
        west_of: String,
    },
    OffMapNeighbours {
        hex: String,
        at_least: usize,
    },
    TouchesEdge {
        place: String,
    },
    BoxHasEntry {
        r#box: String,
    },
    Victory {
        place: String,
        sheet: String,
    },
    VictoryCount {
        sheet: String,
        at_least: usize,
    },
    Bottleneck {
        count: usize,
        place: String,
        within: u32,
    },
    Boundary {
        between: [String; 2],
        north_of: Option<String>,
        within: Option<u32>,
    },
    Armies {
        count: usize,
    },
    /// A road of the campaign: from each place to the next without a long detour.
    Route {
        name: String,
        places: Vec<String>,
    },
}
