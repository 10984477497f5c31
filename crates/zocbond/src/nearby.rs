//! The nineteen hexes within two hexes of a hex, read from a set of hexes in five steps. On a board numbered line by line
//! they form five runs of consecutive numbers: the hex's own line, the two beside it, and the two beyond those. Lines are
//! the columns of a flat-topped board and the rows of a pointy-topped one; whichever way their numbers grow counts as
//! north here, and directions are turned accordingly.

use hexgrid::{HexId, HexSet};

/// How the lines of a board are numbered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    /// The index of the direction in which numbers grow.
    north: usize,
    /// The difference in number between a hex and the one two lines on.
    two: usize,
    /// Hexes whose neighbours, and the neighbours of those, are all in the five runs. Hexes near the map edges are not.
    inland: HexSet,
}

/// The nineteen hexes around a hex.
#[derive(Clone, Copy, Debug)]
pub struct Nearby {
    /// The first number of each of the five runs: the hex's own line, the lines to the east and to the west, and those
    /// beyond them.
    starts: [usize; 5],
    /// See [`Lines::north`].
    north: usize,
}

/// Which of the nineteen hexes are members of a set.
#[derive(Clone, Copy, Debug)]
pub struct Members {
    hexes: u32,
    north: usize,
}

/// How many hexes each run has.
const RUNS: [usize; 5] = [5, 4, 4, 3, 3];

/// By direction, counted from north: the neighbours of the neighbour there, as bits of [`Members`].
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

/// One bit for each direction: turned so that the bits of directions count from `north`.
#[inline]
const fn from_north(directions: u8, north: usize) -> u8 {
    let six = directions as u16 & 0b11_1111;
    ((six >> north | six << (6 - north)) & 0b11_1111) as u8
}

/// The reverse.
#[inline]
const fn to_north(directions: u8, north: usize) -> u8 {
    let six = directions as u16;
    ((six << north | six >> (6 - north)) & 0b11_1111) as u8
}

impl Lines {
    pub fn new(around: &[[HexId; 6]]) -> Lines {
        let all = || (0..around.len() as u16).map(HexId);
        let growing = |hex: HexId| around[hex.index()].iter().position(|to| to.index() == hex.index() + 1);
        let north = all().find_map(growing).unwrap_or_default();
        let beyond =
            |hex: HexId, direction: usize| around.get(hex.index()).map(|row| row[(direction + north) % 6]);
        let two_on = |hex: HexId| Some(beyond(beyond(hex, 1)?, 2)?.some()?.index().wrapping_sub(hex.index()));
        let two = all().find_map(two_on).unwrap_or_default();
        let lines = Lines { north, two, inland: HexSet::EMPTY };
        let inland = all().filter(|hex| lines.runs(*hex, &around[hex.index()]).fits(around)).collect();
        Lines { inland, ..lines }
    }

    /// The runs around a hex with these neighbours.
    #[inline]
    pub fn nearby(&self, hex: HexId, neighbours: &[HexId; 6]) -> Option<Nearby> {
        self.inland.contains(hex).then(|| self.runs(hex, neighbours))
    }

    #[inline]
    fn runs(&self, hex: HexId, neighbours: &[HexId; 6]) -> Nearby {
        let Lines { north, two, .. } = *self;
        let [hex, east, west] =
            [hex, neighbours[(2 + north) % 6], neighbours[(4 + north) % 6]].map(HexId::index);
        let starts = [hex.wrapping_sub(1), east, west, hex.wrapping_add(two), hex.wrapping_sub(two)];
        Nearby { starts: starts.map(|start| start.wrapping_sub(1)), north }
    }
}

impl Nearby {
    /// Whether the runs contain every hex adjacent to a neighbour.
    fn fits(self, around: &[[HexId; 6]]) -> bool {
        let mut hexes = [0; 19];
        let mut places = hexes.iter_mut();
        for (start, length) in self.starts.into_iter().zip(RUNS) {
            places.by_ref().take(length).enumerate().for_each(|(n, hex)| *hex = start.wrapping_add(n));
        }
        // The hex itself is the third of its run.
        (0..6).zip(BESIDE).all(|(direction, beside)| {
            let neighbour = around[hexes[2]][(direction + self.north) % 6];
            let row = around.get(neighbour.index()).map_or([usize::MAX; 6], |row| row.map(HexId::index));
            hexes.iter().enumerate().all(|(n, hex)| beside >> n & 1 == 0 || row.contains(hex))
        })
    }

    /// Which of the nineteen hexes are members of a set.
    #[inline]
    pub fn members(self, set: &HexSet) -> Members {
        let run = |n: usize| set.bits_at(self.starts[n]) as u32 & ((1 << RUNS[n]) - 1);
        Members { hexes: seen([run(0), run(1), run(2), run(3), run(4)]), north: self.north }
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
        let [own, east, west, ..] = self.starts;
        let directions = from_north(directions, self.north);
        let bit = |direction: u8, place: u8| u64::from(directions >> direction & 1) << place;
        [(own, bit(3, 1) | bit(0, 3)), (east, bit(2, 1) | bit(1, 2)), (west, bit(4, 1) | bit(5, 2))]
    }
}

impl Members {
    /// The directions whose neighbour is adjacent to a member, as bits.
    #[inline]
    pub fn beside_neighbours(self) -> u8 {
        let bit = |d: usize| u8::from(self.hexes & BESIDE[d] != 0) << d;
        to_north(bit(0) | bit(1) | bit(2) | bit(3) | bit(4) | bit(5), self.north)
    }
}
