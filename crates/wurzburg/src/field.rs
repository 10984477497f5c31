//! The terrain of hexes (2.2.1) and hexsides, in a form that movement and fire can read quickly.

pub use crate::pack::Terrain;
use hexgrid::{Board, Direction, HexId, SideId};

impl Terrain {
    /// 2.2.1: close terrain (18.2.1).
    #[inline]
    pub const fn close(self) -> bool {
        matches!(self, Terrain::HeavyWoods | Terrain::Town | Terrain::City)
    }

    pub const fn built_up(self) -> bool {
        matches!(self, Terrain::Town | Terrain::City)
    }
}

/// What is on a hexside, seen from one of its hexes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edge(pub u16);

impl Edge {
    /// The Main (17.0).
    pub const MAIN: Edge = Edge(1);
    /// The Fränkische Saale (17.0).
    pub const SAALE: Edge = Edge(1 << 1);
    pub const MINOR: Edge = Edge(1 << 2);
    pub const BUNDESSTRASSE: Edge = Edge(1 << 3);
    pub const AUTOBAHN: Edge = Edge(1 << 4);
    /// Leaving the hex over this hexside is uphill.
    pub const UP: Edge = Edge(1 << 5);
    pub const DOWN: Edge = Edge(1 << 6);
    pub const IMPASSABLE: Edge = Edge(1 << 7);
    /// A civil bridge was here when play began (17.3).
    pub const CIVIL: Edge = Edge(1 << 8);

    pub const RIVER: Edge = Edge(Edge::MAIN.0 | Edge::SAALE.0);
    pub const ROAD: Edge = Edge(Edge::MINOR.0 | Edge::BUNDESSTRASSE.0 | Edge::AUTOBAHN.0);

    #[inline]
    pub const fn any(self, other: Edge) -> bool {
        self.0 & other.0 != 0
    }

    #[must_use]
    pub const fn with(self, other: Edge) -> Edge {
        Edge(self.0 | other.0)
    }

    #[must_use]
    pub const fn without(self, other: Edge) -> Edge {
        Edge(self.0 & !other.0)
    }

    /// The same hexside seen from the other hex.
    #[must_use]
    pub const fn seen_from_across(self) -> Edge {
        let plain = self.without(Edge(Edge::UP.0 | Edge::DOWN.0));
        match (self.any(Edge::UP), self.any(Edge::DOWN)) {
            (true, _) => plain.with(Edge::DOWN),
            (_, true) => plain.with(Edge::UP),
            _ => plain,
        }
    }
}

/// No river on the hexside.
pub const DRY: u16 = u16::MAX;

/// The terrain of one table.
#[derive(Clone, Debug)]
pub struct Field {
    pub board: Board,
    terrain: Vec<Terrain>,
    edges: Vec<[Edge; 6]>,
    /// For each hexside its number among the river hexsides, or [`DRY`].
    rivers: Vec<u16>,
    /// The river hexsides by number.
    pub river_sides: Vec<SideId>,
    /// Hexes where a road leaves the map, with its best class.
    pub exits: Vec<Edge>,
}

impl Field {
    /// Level, clear ground.
    pub fn level(board: Board) -> Field {
        let hexes = board.len();
        let sides = board.side_count();
        Field {
            terrain: vec![Terrain::Clear; hexes],
            edges: vec![[Edge::default(); 6]; hexes],
            rivers: vec![DRY; sides],
            river_sides: Vec::new(),
            exits: vec![Edge::default(); hexes],
            board,
        }
    }

    pub fn set_terrain(&mut self, hex: HexId, terrain: Terrain) {
        self.terrain[hex.index()] = terrain;
    }

    /// Add to what is on a hexside, for both of its hexes.
    pub fn add_edge(&mut self, hex: HexId, direction: Direction, edge: Edge) {
        let here = &mut self.edges[hex.index()][direction.index()];
        *here = here.with(edge);
        if let Some(other) = self.board.neighbour(hex, direction) {
            let there = &mut self.edges[other.index()][direction.opposite().index()];
            *there = there.with(edge.seen_from_across());
        }
    }

    /// Numbers the river hexsides; call when the map is complete.
    pub fn number_rivers(&mut self) {
        self.river_sides.clear();
        self.rivers.fill(DRY);
        for hex in self.board.ids() {
            for direction in Direction::ALL {
                if self.edge(hex, direction).any(Edge::RIVER)
                    && self.board.neighbour(hex, direction).is_some()
                {
                    let side = self.board.side(hex, direction);
                    if self.rivers[side.index()] == DRY {
                        self.rivers[side.index()] = self.river_sides.len() as u16;
                        self.river_sides.push(side);
                    }
                }
            }
        }
    }

    #[inline]
    pub fn terrain(&self, hex: HexId) -> Terrain {
        self.terrain[hex.index()]
    }

    #[inline]
    pub fn edge(&self, hex: HexId, direction: Direction) -> Edge {
        self.edges[hex.index()][direction.index()]
    }

    /// The number of a river hexside, or [`DRY`].
    #[inline]
    pub fn river(&self, hex: HexId, direction: Direction) -> u16 {
        self.rivers[self.board.side(hex, direction).index()]
    }

    pub fn river_of(&self, side: SideId) -> u16 {
        self.rivers[side.index()]
    }

    #[inline]
    pub fn neighbour(&self, hex: HexId, direction: Direction) -> Option<HexId> {
        self.board.neighbour(hex, direction)
    }

    /// The distance between two hexes; more than any real one if a hex is off the map.
    #[inline]
    pub fn distance(&self, a: HexId, b: HexId) -> u32 {
        if a == HexId::NONE || b == HexId::NONE {
            return u32::from(u16::MAX);
        }
        self.board.distance(a, b)
    }

    pub fn label(&self, hex: HexId) -> &str {
        self.board.label(hex)
    }

    pub fn find(&self, label: &str) -> Option<HexId> {
        self.board.find(label).ok()
    }

    /// The direction of an adjacent hex; `None` if one of the hexes is off the map.
    #[inline]
    pub fn toward(&self, a: HexId, b: HexId) -> Option<Direction> {
        self.board.direction_to(a.some()?, b.some()?)
    }

    pub fn adjacent(&self, a: HexId, b: HexId) -> bool {
        self.toward(a, b).is_some()
    }

    /// `2114/2115`
    pub fn side_label(&self, side: SideId) -> String {
        let [a, b] = self.board.side_hexes(side);
        let name = |hex: Option<HexId>| hex.map_or("-", |hex| self.label(hex));
        let (a, b) = (name(a), name(b));
        if a < b { format!("{a}/{b}") } else { format!("{b}/{a}") }
    }
}
