//! The six directions of a hex, and what they are called on a map.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One of the six directions from a hex to its neighbours, numbered clockwise.
///
/// On a flat-topped grid `D0` is north and the order is N, NE, SE, S, SW, NW; on a
/// pointy-topped grid `D0` is north-west and the order is NW, NE, E, SE, SW, W.
/// [`Orientation`] translates to and from the compass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
#[repr(u8)]
pub enum Direction {
    D0,
    D1,
    D2,
    D3,
    D4,
    D5,
}

impl Direction {
    /// All six, clockwise.
    pub const ALL: [Direction; 6] =
        [Direction::D0, Direction::D1, Direction::D2, Direction::D3, Direction::D4, Direction::D5];

    /// The direction with this number, counted modulo six.
    #[inline]
    pub const fn from_index(index: usize) -> Direction {
        Self::ALL[index % 6]
    }

    /// 0 to 5.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    #[inline]
    pub const fn opposite(self) -> Direction {
        Self::from_index(self.index() + 3)
    }

    /// Turned clockwise by this many sixths of a circle; negative turns the other way.
    #[inline]
    pub const fn rotate(self, sixths: i32) -> Direction {
        Self::from_index((self.index() as i32 + sixths).rem_euclid(6) as usize)
    }

    /// The next direction clockwise.
    #[inline]
    pub const fn clockwise(self) -> Direction {
        Self::from_index(self.index() + 1)
    }

    /// The next direction counter-clockwise.
    #[inline]
    pub const fn counter_clockwise(self) -> Direction {
        Self::from_index(self.index() + 5)
    }

    /// Sixths of a circle between two directions, the short way round: 0 to 3.
    #[inline]
    pub const fn angle_to(self, other: Direction) -> u8 {
        let turn = (other.index() + 6 - self.index()) % 6;
        (if turn > 3 { 6 - turn } else { turn }) as u8
    }
}

impl From<Direction> for u8 {
    fn from(direction: Direction) -> u8 {
        direction as u8
    }
}

impl TryFrom<u8> for Direction {
    type Error = BadDirection;

    #[inline]
    fn try_from(number: u8) -> Result<Self, BadDirection> {
        Self::ALL.get(number as usize).copied().ok_or(BadDirection(number))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no hex direction: expected 0 to 5")]
pub struct BadDirection(pub u8);

/// A point of the compass. A grid has six of the eight, which depends on its [`Orientation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compass {
    N,
    NE,
    E,
    SE,
    S,
    SW,
    W,
    NW,
}

impl Compass {
    pub const ALL: [Compass; 8] =
        [Compass::N, Compass::NE, Compass::E, Compass::SE, Compass::S, Compass::SW, Compass::W, Compass::NW];

    /// `n`, `ne`, `e` …
    pub const fn name(self) -> &'static str {
        match self {
            Compass::N => "n",
            Compass::NE => "ne",
            Compass::E => "e",
            Compass::SE => "se",
            Compass::S => "s",
            Compass::SW => "sw",
            Compass::W => "w",
            Compass::NW => "nw",
        }
    }
}

impl fmt::Display for Compass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Compass {
    type Err = BadCompass;

    /// Upper or lower case.
    fn from_str(text: &str) -> Result<Self, BadCompass> {
        Self::ALL
            .into_iter()
            .find(|point| point.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| BadCompass(text.to_owned()))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no point of the compass: expected n, ne, e, se, s, sw, w or nw")]
pub struct BadCompass(pub String);

/// Orientation of the hexes of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Orientation {
    /// Flat sides north and south: straight columns, ragged rows.
    Flat,
    /// Corners north and south: straight rows, ragged columns.
    Pointy,
}

impl Orientation {
    const FLAT: [Compass; 6] = [Compass::N, Compass::NE, Compass::SE, Compass::S, Compass::SW, Compass::NW];
    const POINTY: [Compass; 6] = [Compass::NW, Compass::NE, Compass::E, Compass::SE, Compass::SW, Compass::W];

    /// The six compass points of this grid in the order of [`Direction::ALL`].
    pub const fn compass_points(self) -> [Compass; 6] {
        match self {
            Orientation::Flat => Self::FLAT,
            Orientation::Pointy => Self::POINTY,
        }
    }

    /// The compass name of a direction on this grid.
    pub const fn compass(self, direction: Direction) -> Compass {
        self.compass_points()[direction.index()]
    }

    /// The direction of a compass point; `None` for the two that this grid has no hexside for.
    pub fn direction(self, point: Compass) -> Option<Direction> {
        let index = self.compass_points().iter().position(|&p| p == point)?;
        Some(Direction::from_index(index))
    }
}
