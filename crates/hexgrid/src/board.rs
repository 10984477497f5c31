//! A board: the hexes of one map under dense ids, with tables instead of arithmetic.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::set::Index;
use crate::{Direction, Hex, HexSet, Hexside, LabelError, Labels, Orientation, SideSet};

/// A hex of one [`Board`], numbered from 0 in the order in which the board was given its hexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HexId(pub u16);

impl HexId {
    /// No hex: for tables that have no room for an `Option`. It is on no board.
    pub const NONE: HexId = HexId(u16::MAX);

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// `None` for [`HexId::NONE`].
    #[inline]
    pub const fn some(self) -> Option<HexId> {
        if self.0 == u16::MAX { None } else { Some(self) }
    }
}

impl Default for HexId {
    fn default() -> Self {
        HexId::NONE
    }
}

/// A hexside of one [`Board`], the map's edge included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SideId(pub u16);

impl SideId {
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Index for HexId {
    #[inline]
    fn from_index(index: usize) -> Self {
        HexId(index as u16)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl Index for SideId {
    #[inline]
    fn from_index(index: usize) -> Self {
        SideId(index as u16)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The hexes of a map.
///
/// A [`HexId`] or [`SideId`] of another board may panic or name a wrong hex; ids from outside go through
/// [`Board::checked`].
#[derive(Clone, Debug)]
pub struct Board {
    labels: Labels,
    hexes: Vec<Hex>,
    names: Vec<Box<str>>,
    neighbours: Vec<[HexId; 6]>,
    hex_sides: Vec<[SideId; 6]>,
    sides: Vec<Hexside>,
    /// The hexes of each side, in the order of [`Hexside::hexes`].
    side_hexes: Vec<[HexId; 2]>,
    /// Ids by axial coordinates in the box around all hexes.
    lookup: Vec<HexId>,
    least: Hex,
    width: usize,
}

/// Why a list of hexes cannot form a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    #[error("a board needs at least one hex")]
    Empty,
    #[error("a board holds at most {limit} hexes, not {count}")]
    TooMany { count: usize, limit: usize },
    #[error("a board holds at most {limit} hexsides, not {count}")]
    TooManySides { count: usize, limit: usize },
    #[error("hex {0} is listed twice")]
    Twice(String),
    #[error("hex {0} (axial) has no label in the board's scheme")]
    Unlabelled(Hex),
    #[error("the hexes lie too far apart for one board: {first} and {last}")]
    TooWide { first: String, last: String },
    #[error(transparent)]
    Label(#[from] LabelError),
}

/// Cells of the lookup table. A full board laid out as a ragged parallelogram takes a few thousand.
const MAX_LOOKUP: usize = 1 << 20;

impl Board {
    /// The most hexes that a board can hold.
    pub const MAX_HEXES: usize = HexSet::CAPACITY;

    /// A board of these hexes, numbered in this order.
    pub fn new(labels: Labels, hexes: impl IntoIterator<Item = Hex>) -> Result<Board, BoardError> {
        let hexes: Vec<Hex> = hexes.into_iter().collect();
        if hexes.len() > Self::MAX_HEXES {
            return Err(BoardError::TooMany { count: hexes.len(), limit: Self::MAX_HEXES });
        }
        let names = hexes
            .iter()
            .map(|&hex| labels.label(hex).map(Into::into).ok_or(BoardError::Unlabelled(hex)))
            .collect::<Result<Vec<Box<str>>, _>>()?;

        let min = |of: fn(&Hex) -> i16| hexes.iter().map(of).min().ok_or(BoardError::Empty);
        let max = |of: fn(&Hex) -> i16| hexes.iter().map(of).max().ok_or(BoardError::Empty);
        let least = Hex::new(min(|h| h.q)?, min(|h| h.r)?);
        let span = |least: i16, most: i16| (i32::from(most) - i32::from(least)) as usize + 1;
        let width = span(least.q, max(|h| h.q)?);
        let height = span(least.r, max(|h| h.r)?);
        if width * height > MAX_LOOKUP {
            // Labels count to at most a thousand each way, so only sheets placed far apart get here.
            let (first, last) = (names[0].to_string(), names[names.len() - 1].to_string());
            return Err(BoardError::TooWide { first, last });
        }

        let mut board = Board {
            labels,
            neighbours: Vec::with_capacity(hexes.len()),
            hex_sides: Vec::with_capacity(hexes.len()),
            sides: Vec::new(),
            side_hexes: Vec::new(),
            lookup: vec![HexId::NONE; width * height],
            least,
            width,
            names,
            hexes,
        };
        board.number_hexes()?;
        board.number_sides()?;
        Ok(board)
    }

    /// A board of every hex of every sheet of a label scheme.
    pub fn full(labels: Labels) -> Result<Board, BoardError> {
        let hexes: Vec<Hex> = labels.hexes().take(Self::MAX_HEXES + 1).collect();
        Self::new(labels, hexes)
    }

    /// A board of the hexes with these labels.
    pub fn from_labels<'a>(
        labels: Labels,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Board, BoardError> {
        let hexes: Result<Vec<Hex>, _> = names.into_iter().map(|name| labels.parse(name)).collect();
        Self::new(labels, hexes?)
    }

    fn number_hexes(&mut self) -> Result<(), BoardError> {
        for (index, &hex) in self.hexes.iter().enumerate() {
            let cell = (i32::from(hex.r) - i32::from(self.least.r)) as usize * self.width
                + (i32::from(hex.q) - i32::from(self.least.q)) as usize;
            if self.lookup[cell] != HexId::NONE {
                return Err(BoardError::Twice(self.names[index].to_string()));
            }
            self.lookup[cell] = HexId(index as u16);
        }
        for &hex in &self.hexes {
            self.neighbours.push(hex.neighbours().map(|h| self.id(h).unwrap_or(HexId::NONE)));
        }
        Ok(())
    }

    fn number_sides(&mut self) -> Result<(), BoardError> {
        let mut numbers: HashMap<Hexside, usize> = HashMap::new();
        for &hex in &self.hexes {
            let sides = Direction::ALL.map(|direction| {
                let side = Hexside::new(hex, direction);
                let next = numbers.len();
                let number = *numbers.entry(side).or_insert(next);
                if number == next {
                    self.sides.push(side);
                }
                SideId(number as u16)
            });
            self.hex_sides.push(sides);
        }
        if self.sides.len() > SideSet::CAPACITY {
            let limit = SideSet::CAPACITY;
            return Err(BoardError::TooManySides { count: self.sides.len(), limit });
        }
        let ids = |side: &Hexside| side.hexes().map(|hex| self.id(hex).unwrap_or(HexId::NONE));
        self.side_hexes = self.sides.iter().map(ids).collect();
        Ok(())
    }

    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    pub fn orientation(&self) -> Orientation {
        self.labels.orientation()
    }

    /// How many hexes.
    pub fn len(&self) -> usize {
        self.hexes.len()
    }

    /// Always false: a board has at least one hex.
    pub fn is_empty(&self) -> bool {
        self.hexes.is_empty()
    }

    /// The number of hexsides, including the map's edge.
    pub fn side_count(&self) -> usize {
        self.sides.len()
    }

    /// All hexes in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = HexId> + Clone + use<> {
        (0..self.hexes.len() as u16).map(HexId)
    }

    /// All hexsides in order.
    pub fn side_ids(&self) -> impl ExactSizeIterator<Item = SideId> + Clone + use<> {
        (0..self.sides.len() as u16).map(SideId)
    }

    /// All hexes as a set.
    pub fn all(&self) -> HexSet {
        HexSet::first(self.len())
    }

    /// All hexsides as a set.
    pub fn all_sides(&self) -> SideSet {
        SideSet::first(self.side_count())
    }

    /// The id itself if this board has it.
    pub fn checked(&self, id: HexId) -> Option<HexId> {
        (id.index() < self.hexes.len()).then_some(id)
    }

    #[inline]
    pub fn hex(&self, id: HexId) -> Hex {
        self.hexes[id.index()]
    }

    /// The id of a hex; `None` if it is not on the board.
    #[inline]
    pub fn id(&self, hex: Hex) -> Option<HexId> {
        let q = usize::try_from(i32::from(hex.q) - i32::from(self.least.q)).ok()?;
        let r = usize::try_from(i32::from(hex.r) - i32::from(self.least.r)).ok()?;
        if q >= self.width {
            return None;
        }
        self.lookup.get(r * self.width + q)?.some()
    }

    /// The label printed in a hex.
    pub fn label(&self, id: HexId) -> &str {
        &self.names[id.index()]
    }

    /// The hex with this label.
    pub fn find(&self, label: &str) -> Result<HexId, LabelError> {
        self.id(self.labels.parse(label)?)
            .ok_or_else(|| LabelError::NotOnMap { label: label.trim().to_owned() })
    }

    /// The neighbour in a direction; `None` beyond the map's edge.
    #[inline]
    pub fn neighbour(&self, id: HexId, direction: Direction) -> Option<HexId> {
        self.neighbours[id.index()][direction.index()].some()
    }

    /// The row of the neighbour table: [`HexId::NONE`] beyond the map's edge.
    #[inline]
    pub fn neighbour_row(&self, id: HexId) -> &[HexId; 6] {
        &self.neighbours[id.index()]
    }

    /// The neighbours on the board, clockwise, each with its direction.
    #[inline]
    pub fn neighbours(&self, id: HexId) -> impl Iterator<Item = (Direction, HexId)> + Clone + '_ {
        Direction::ALL.into_iter().zip(self.neighbours[id.index()]).filter(|(_, n)| *n != HexId::NONE)
    }

    /// Does the hex lack a neighbour?
    pub fn is_edge(&self, id: HexId) -> bool {
        self.neighbours[id.index()].contains(&HexId::NONE)
    }

    /// The direction of a neighbour; `None` if the hexes do not touch.
    #[inline]
    pub fn direction_to(&self, from: HexId, to: HexId) -> Option<Direction> {
        if to == HexId::NONE {
            return None;
        }
        let index = self.neighbours[from.index()].iter().position(|&n| n == to)?;
        Some(Direction::from_index(index))
    }

    /// Distance in hexes, ignoring terrain.
    #[inline]
    pub fn distance(&self, a: HexId, b: HexId) -> u32 {
        self.hex(a).distance(self.hex(b))
    }

    /// The hexes of the board up to this distance, itself first, ring by ring.
    pub fn range(&self, centre: HexId, radius: u16) -> impl Iterator<Item = HexId> + '_ {
        self.hex(centre).range(radius).filter_map(|hex| self.id(hex))
    }

    /// The hexes of the board at exactly this distance, clockwise.
    pub fn ring(&self, centre: HexId, radius: u16) -> impl Iterator<Item = HexId> + '_ {
        self.hex(centre).ring(radius).filter_map(|hex| self.id(hex))
    }

    /// The side of a hex in a direction; the map's edge has one too.
    #[inline]
    pub fn side(&self, id: HexId, direction: Direction) -> SideId {
        self.hex_sides[id.index()][direction.index()]
    }

    /// The six sides of a hex in the order of [`Direction::ALL`].
    #[inline]
    pub fn sides(&self, id: HexId) -> &[SideId; 6] {
        &self.hex_sides[id.index()]
    }

    /// The side that two hexes share.
    #[inline]
    pub fn side_between(&self, a: HexId, b: HexId) -> Option<SideId> {
        Some(self.side(a, self.direction_to(a, b)?))
    }

    #[inline]
    pub fn hexside(&self, id: SideId) -> Hexside {
        self.sides[id.index()]
    }

    /// The id of a hexside; `None` if it touches no hex of the board.
    pub fn side_id(&self, side: Hexside) -> Option<SideId> {
        let [a, b] = side.hexes();
        if let Some(near) = self.id(a) {
            return Some(self.side(near, side.direction()));
        }
        Some(self.side(self.id(b)?, side.direction().opposite()))
    }

    /// The hexes on both sides; `None` for the one beyond the map's edge.
    #[inline]
    pub fn side_hexes(&self, id: SideId) -> [Option<HexId>; 2] {
        self.side_hexes[id.index()].map(HexId::some)
    }

    /// The side named by its two hexes: `1212/1213`.
    pub fn find_side(&self, label: &str) -> Result<SideId, LabelError> {
        let side = self.labels.parse_side(label)?;
        match (side.hexes().map(|hex| self.id(hex)), self.side_id(side)) {
            ([Some(_), Some(_)], Some(id)) => Ok(id),
            _ => Err(LabelError::NotOnMap { label: label.trim().to_owned() }),
        }
    }
}
