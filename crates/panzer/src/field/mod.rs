//! The terrain of one game as dense arrays: joined boards, or a map written in a lab file.
//!
//! Boards and lab maps are first [`atlas::Map`]s, which read, check and draw them; [`Field`] is what the rules need.

mod build;
pub mod lab;
mod spelling;

pub use build::FieldError;

use hexgrid::{Board, Direction};
pub use hexgrid::{HexId, HexSet};
use serde::{Deserialize, Serialize};

/// The principal terrain of a hex (1.2), as the Terrain Effects Chart names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Terrain {
    #[default]
    Clear,
    Brush,
    Scrub,
    Rough,
    Sand,
    SoftSand,
    Gully,
    LightGrove,
    MediumGrove,
    WoodBuilding,
    BrickBuilding,
    StoneBuilding,
    Water,
}

impl Terrain {
    pub const ALL: [Terrain; 13] = [
        Terrain::Clear,
        Terrain::Brush,
        Terrain::Scrub,
        Terrain::Rough,
        Terrain::Sand,
        Terrain::SoftSand,
        Terrain::Gully,
        Terrain::LightGrove,
        Terrain::MediumGrove,
        Terrain::WoodBuilding,
        Terrain::BrickBuilding,
        Terrain::StoneBuilding,
        Terrain::Water,
    ];

    /// The name in packs, lab files and message keys (`terrain.X`).
    pub const fn key(self) -> &'static str {
        match self {
            Terrain::Clear => "clear",
            Terrain::Brush => "brush",
            Terrain::Scrub => "scrub",
            Terrain::Rough => "rough",
            Terrain::Sand => "sand",
            Terrain::SoftSand => "soft_sand",
            Terrain::Gully => "gully",
            Terrain::LightGrove => "light_grove",
            Terrain::MediumGrove => "medium_grove",
            Terrain::WoodBuilding => "wood_building",
            Terrain::BrickBuilding => "brick_building",
            Terrain::StoneBuilding => "stone_building",
            Terrain::Water => "water",
        }
    }

    pub fn parse(key: &str) -> Option<Terrain> {
        Terrain::ALL.into_iter().find(|t| t.key() == key)
    }

    /// 4.1.4.1.3
    pub const fn building(self) -> bool {
        matches!(self, Terrain::WoodBuilding | Terrain::BrickBuilding | Terrain::StoneBuilding)
    }

    /// 4.1.4.1.7
    pub const fn grove(self) -> bool {
        matches!(self, Terrain::LightGrove | Terrain::MediumGrove)
    }
}

/// What is on a hexside or crosses it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edge(pub u16);

impl Edge {
    /// A slope between two elevations (4.1.4.1.5).
    pub const SLOPE: Edge = Edge(1);
    pub const CREST: Edge = Edge(1 << 1);
    /// The edge of a hill without a slope: no vehicle can cross it (4.1.4.1.5).
    pub const CLIFF: Edge = Edge(1 << 2);
    pub const WALL: Edge = Edge(1 << 3);
    pub const HEDGEROW: Edge = Edge(1 << 4);
    pub const DEFILADE: Edge = Edge(1 << 5);
    /// A road, path or track crosses the hexside (4.5.1.1.5, 4.5.1.1.11).
    pub const ROAD: Edge = Edge(1 << 6);
    pub const PATH: Edge = Edge(1 << 7);
    pub const TRACK: Edge = Edge(1 << 8);
    /// Everything that a vehicle may follow at 1 point per hex.
    pub const WAY: Edge = Edge(Edge::ROAD.0 | Edge::PATH.0 | Edge::TRACK.0);

    #[inline]
    pub const fn any(self, of: Edge) -> bool {
        self.0 & of.0 != 0
    }

    #[must_use]
    pub const fn with(self, more: Edge) -> Edge {
        Edge(self.0 | more.0)
    }
}

/// A hex's own facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ground {
    pub terrain: Terrain,
    /// Ground level: 1 or more on hills (4.1.4.1.4). A gully hex has the level of the ground around it.
    pub elevation: i8,
    /// Buildings: storeys (4.1.4.1.3); 0 for none.
    pub storeys: u8,
    /// A bridge carries the road or path over the hex (4.5.1.1.6).
    pub bridge: bool,
    /// Flat-roofed buildings (4.1.4.1.3.1).
    pub desert_buildings: bool,
    /// A ditch was dug across it (6.1.4.3.4).
    pub ditch: bool,
}

/// The ground of one game.
#[derive(Clone, Debug)]
pub struct Field {
    pub board: Board,
    ground: Vec<Ground>,
    edges: Vec<[Edge; 6]>,
    /// West, east, north and south end of the map, in the units of [`Field::place`].
    extent: [f64; 4],
}

impl Field {
    /// A field of clear, level hexes.
    pub fn level(board: Board) -> Field {
        let count = board.len();
        let mut extent = [f64::MAX, f64::MIN, f64::MAX, f64::MIN];
        for hex in board.ids() {
            let (x, y) = place(&board, hex);
            extent = [extent[0].min(x), extent[1].max(x), extent[2].min(y), extent[3].max(y)];
        }
        let (ground, edges) = (vec![Ground::default(); count], vec![[Edge::default(); 6]; count]);
        Field { board, ground, edges, extent }
    }

    /// The centre of a hex, in hex heights: eastward and southward.
    pub fn place(&self, hex: HexId) -> (f64, f64) {
        place(&self.board, hex)
    }

    /// West, east, north and south end of the map.
    pub const fn extent(&self) -> [f64; 4] {
        self.extent
    }

    /// The number of hexes.
    pub fn count(&self) -> usize {
        self.ground.len()
    }

    pub fn hexes(&self) -> impl ExactSizeIterator<Item = HexId> + Clone + use<> {
        self.board.ids()
    }

    #[inline]
    pub fn ground(&self, hex: HexId) -> &Ground {
        &self.ground[hex.index()]
    }

    pub fn ground_mut(&mut self, hex: HexId) -> &mut Ground {
        &mut self.ground[hex.index()]
    }

    #[inline]
    pub fn terrain(&self, hex: HexId) -> Terrain {
        self.ground[hex.index()].terrain
    }

    #[inline]
    pub fn elevation(&self, hex: HexId) -> i8 {
        self.ground[hex.index()].elevation
    }

    /// Height of a vehicle in the hex (4.1.4.1): the ground's, one less in a gully without a bridge (4.1.4.1.6).
    #[inline]
    pub fn height(&self, hex: HexId) -> i8 {
        let ground = self.ground(hex);
        let gully = ground.terrain == Terrain::Gully && !ground.bridge;
        ground.elevation - i8::from(gully || ground.ditch)
    }

    #[inline]
    pub fn edge(&self, hex: HexId, direction: Direction) -> Edge {
        self.edges[hex.index()][direction.index()]
    }

    /// Add something to a hexside, on both its hexes.
    pub fn add_edge(&mut self, hex: HexId, direction: Direction, edge: Edge) {
        let here = &mut self.edges[hex.index()][direction.index()];
        *here = here.with(edge);
        if let Some(there) = self.board.neighbour(hex, direction) {
            let across = &mut self.edges[there.index()][direction.opposite().index()];
            *across = across.with(edge);
        }
    }

    #[inline]
    pub fn neighbour(&self, hex: HexId, direction: Direction) -> Option<HexId> {
        self.board.neighbour(hex, direction)
    }

    /// 4.1.4.1.3.1: the scenario's Special Conditions call for flat-roofed buildings.
    pub fn use_desert_buildings(&mut self) {
        for ground in self.ground.iter_mut().filter(|g| g.terrain.building()) {
            ground.desert_buildings = true;
        }
    }

    /// 4.5.1.1.11: the scenario's Special Conditions turn roads, paths or both into tracks, everywhere or only where
    /// both hexes of the hexside are in `only`.
    pub fn ways_to_tracks(&mut self, roads: bool, paths: bool, only: Option<&HexSet>) {
        let chosen = Edge(if roads { Edge::ROAD.0 } else { 0 } | if paths { Edge::PATH.0 } else { 0 });
        for hex in self.board.ids() {
            for direction in Direction::ALL {
                let ends = [Some(hex), self.board.neighbour(hex, direction)];
                let meant = only.is_none_or(|only| ends.into_iter().flatten().all(|hex| only.contains(hex)));
                let edge = &mut self.edges[hex.index()][direction.index()];
                if meant && edge.any(chosen) {
                    *edge = Edge(edge.0 & !chosen.0 | Edge::TRACK.0);
                }
            }
        }
    }

    /// 3.5.1
    #[inline]
    pub fn range(&self, a: HexId, b: HexId) -> u32 {
        self.board.distance(a, b)
    }

    pub fn label(&self, hex: HexId) -> &str {
        self.board.label(hex)
    }

    pub fn find(&self, label: &str) -> Option<HexId> {
        self.board.find(label).ok()
    }
}

fn place(board: &Board, hex: HexId) -> (f64, f64) {
    let h = board.hex(hex);
    (f64::from(h.q) * 3f64.sqrt() / 2.0, f64::from(h.r) + f64::from(h.q) / 2.0)
}
