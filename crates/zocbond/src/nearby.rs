//! The nineteen hexes within two hexes of a hex, read from a set of hexes in five steps. On a board numbered by columns
//! they form five runs of consecutive numbers: the hex's own column, the two beside it, and the two beyond those.

use hexgrid::{HexId, HexSet};

/// How the columns of a board are numbered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Columns {
    /// The difference in number between a hex and the one two columns on.
    two: usize,
    /// Hexes whose neighbours, and the neighbours of those, are all in the five runs. Hexes near the map edges are not.
    inland: HexSet,
}

/// The first number of each of the five runs: the hex's own column, the columns to the east and to the west, and those
/// beyond them. Numbers grow from south to north.
#[derive(Clone, Copy, Debug)]
pub struct Nearby([usize; 5]);

/// Which of the nineteen hexes are members of a set.
#[derive(Clone, Copy, Debug)]
pub struct Members(u32);

/// How many hexes each run has.
const RUNS: [usize; 5] = [5, 4, 4, 3, 3];

/// By direction: the neighbours of the neighbour there, as bits of [`Members`].
const BESIDE: [u32; 6] = [
    seen([0b10100, 0b1100, 0b1100, 0, 0]),
    seen([0b01100, 0b1010, 0, 0b110, 0]),
    seen([0b00110, 0b0101, 0, 0b011, 0]),
    seen([0b00101, 0b0011, 0b0011, 0, 0]),
    seen([0b00110, 0, 0b0101, 0, 0b011]),
    seen([0b01100, 0, 0b1010, 0, 0b110]),
];

/// The hexes of five runs, packed side by side.
#[inline]
const fn seen([own, east, west, far_east, far_west]: [u32; 5]) -> u32 {
    own | east << 5 | west << 9 | far_east << 13 | far_west << 16
}

impl Columns {
    pub fn new(around: &[[HexId; 6]]) -> Columns {
        let all = || (0..around.len() as u16).map(HexId);
        let beyond = |hex: HexId, direction: usize| around.get(hex.index()).map(|row| row[direction]);
        let two_on = |hex: HexId| Some(beyond(beyond(hex, 1)?, 2)?.some()?.index().wrapping_sub(hex.index()));
        let two = all().find_map(two_on).unwrap_or_default();
        let inland = all().filter(|hex| Nearby::of(*hex, &around[hex.index()], two).fits(around)).collect();
        Columns { two, inland }
    }

    /// The runs around a hex with these neighbours.
    #[inline]
    pub fn nearby(&self, hex: HexId, neighbours: &[HexId; 6]) -> Option<Nearby> {
        self.inland.contains(hex).then(|| Nearby::of(hex, neighbours, self.two))
    }
}

impl Nearby {
    #[inline]
    fn of(hex: HexId, neighbours: &[HexId; 6], two: usize) -> Nearby {
        let [hex, east, west] = [hex, neighbours[2], neighbours[4]].map(HexId::index);
        let starts = [hex.wrapping_sub(1), east, west, hex.wrapping_add(two), hex.wrapping_sub(two)];
        Nearby(starts.map(|start| start.wrapping_sub(1)))
    }

    /// Whether the runs contain every hex adjacent to a neighbour.
    fn fits(self, around: &[[HexId; 6]]) -> bool {
        let mut hexes = [0; 19];
        let mut places = hexes.iter_mut();
        for (start, length) in self.0.into_iter().zip(RUNS) {
            places.by_ref().take(length).enumerate().for_each(|(n, hex)| *hex = start.wrapping_add(n));
        }
        // The hex itself is the third of its run.
        BESIDE.into_iter().zip(&around[hexes[2]]).all(|(beside, neighbour)| {
            let row = around.get(neighbour.index()).map_or([usize::MAX; 6], |row| row.map(HexId::index));
            hexes.iter().enumerate().all(|(n, hex)| beside >> n & 1 == 0 || row.contains(hex))
        })
    }

    /// Which of the nineteen hexes are members of a set.
    #[inline]
    pub fn members(self, set: &HexSet) -> Members {
        let run = |n: usize| set.bits_at(self.0[n]) as u32 & ((1 << RUNS[n]) - 1);
        Members(seen([run(0), run(1), run(2), run(3), run(4)]))
    }

    /// Add the neighbours in these directions to a set.
    #[inline]
    pub fn insert(self, set: &mut HexSet, directions: u8) {
        for (start, bits) in self.beside(directions) {
            set.insert_at(start, bits);
        }
    }

    /// Remove the neighbours in these directions from a set.
    #[inline]
    pub fn remove(self, set: &mut HexSet, directions: u8) {
        for (start, bits) in self.beside(directions) {
            set.remove_at(start, bits);
        }
    }

    /// The neighbours in these directions as bits of the first three runs.
    #[inline]
    fn beside(self, directions: u8) -> [(usize, u64); 3] {
        let [own, east, west, ..] = self.0;
        let bit = |direction: u8, place: u8| u64::from(directions >> direction & 1) << place;
        [(own, bit(3, 1) | bit(0, 3)), (east, bit(2, 1) | bit(1, 2)), (west, bit(4, 1) | bit(5, 2))]
    }
}

impl Members {
    /// The directions whose neighbour is adjacent to a member, as bits.
    #[inline]
    pub fn beside_neighbours(self) -> u8 {
        let bit = |d: usize| u8::from(self.0 & BESIDE[d] != 0) << d;
        bit(0) | bit(1) | bit(2) | bit(3) | bit(4) | bit(5)
    }
}
