//! The part of the map in play as a graph of hexes, independent of terrain.

use hexgrid::{Board, Direction, HexId, HexSet};

use crate::nearby::Lines;
pub use crate::nearby::{Members, Nearby};

/// Capacity for every hex of a board: a power of two, so that indices need no bounds check.
pub const HEXES: usize = HexSet::CAPACITY;

/// Which hexes are in play, and which are adjacent.
#[derive(Debug)]
pub struct Topology {
    /// The six hexes around each hex, by direction; [`HexId::NONE`] if not in play. Stored apart from other data about
    /// hexes, so that it stays in the cache.
    around: Vec<[HexId; 6]>,
    /// The same on the whole board.
    on_board: Vec<[HexId; 6]>,
    lines: Lines,
    in_play: HexSet,
}

impl Topology {
    /// The part of a board that is in play.
    pub fn new(board: &Board, in_play: &HexSet) -> Topology {
        let beyond = |hex: HexId, direction| {
            board.neighbour(hex, direction).filter(|to| in_play.contains(*to)).unwrap_or(HexId::NONE)
        };
        let around: Vec<[HexId; 6]> =
            board.ids().map(|hex| Direction::ALL.map(|direction| beyond(hex, direction))).collect();
        let on_board = board.ids().map(|hex| *board.neighbour_row(hex)).collect();
        let lines = Lines::new(&around);
        Topology { around, on_board, lines, in_play: *in_play }
    }

    pub fn in_play(&self) -> &HexSet {
        &self.in_play
    }

    /// The number of hexes of the whole board.
    pub fn len(&self) -> usize {
        self.around.len()
    }

    pub fn is_empty(&self) -> bool {
        self.around.is_empty()
    }

    /// The six hexes around a hex, by direction; [`HexId::NONE`] if not in play.
    #[inline]
    pub fn around(&self, hex: HexId) -> &[HexId; 6] {
        &self.around[hex.index()]
    }

    /// The six hexes around a hex on the whole board, whether in play or not.
    #[inline]
    pub fn around_on_board(&self, hex: HexId) -> &[HexId; 6] {
        &self.on_board[hex.index()]
    }

    /// The adjacent hex in a direction; [`HexId::NONE`] if not in play.
    #[inline]
    pub fn beyond(&self, hex: HexId, direction: Direction) -> HexId {
        self.around[hex.index()][direction.index()]
    }

    /// The neighbour in a direction, if it is in play.
    #[inline]
    pub fn neighbour(&self, hex: HexId, direction: Direction) -> Option<HexId> {
        self.beyond(hex, direction).some()
    }

    /// The neighbours in play.
    #[inline]
    pub fn neighbours(&self, hex: HexId) -> impl Iterator<Item = HexId> + '_ {
        self.around(hex).iter().filter_map(|hex| hex.some())
    }

    /// The direction from a hex to its neighbour.
    #[inline]
    pub fn direction(&self, from: HexId, to: HexId) -> Option<Direction> {
        let index = self.around(from).iter().position(|hex| *hex == to)?;
        Some(Direction::from_index(index))
    }

    /// The hexes within two hexes of a hex as runs of numbers; `None` near the map edges, and on boards that are not
    /// numbered line by line.
    #[inline]
    pub fn nearby(&self, hex: HexId) -> Option<Nearby> {
        self.lines.nearby(hex, self.around(hex))
    }
}
