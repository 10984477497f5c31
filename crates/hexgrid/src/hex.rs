//! A hex by its axial coordinates.

use std::fmt;
use std::iter;
use std::ops::{Add, Neg, Sub};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Direction;

/// A hex of the endless grid, in axial coordinates (the third cube coordinate is `-q - r`).
///
/// The coordinates wrap at the ends of `i16`, 32,767 hexes from the origin; no map comes near.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Hex {
    pub q: i16,
    pub r: i16,
}

/// Steps of [`Direction::ALL`].
const STEPS: [Hex; 6] =
    [Hex::new(0, -1), Hex::new(1, -1), Hex::new(1, 0), Hex::new(0, 1), Hex::new(-1, 1), Hex::new(-1, 0)];

impl Hex {
    pub const ORIGIN: Hex = Hex::new(0, 0);

    #[inline]
    pub const fn new(q: i16, r: i16) -> Hex {
        Hex { q, r }
    }

    /// The step from a hex to its neighbour in this direction.
    #[inline]
    pub const fn step(direction: Direction) -> Hex {
        STEPS[direction.index()]
    }

    #[inline]
    pub fn neighbour(self, direction: Direction) -> Hex {
        self + Hex::step(direction)
    }

    /// The six neighbours in the order of [`Direction::ALL`].
    #[inline]
    pub fn neighbours(self) -> [Hex; 6] {
        STEPS.map(|step| self + step)
    }

    /// Distance in steps: 0 to itself, 1 to a neighbour.
    #[inline]
    pub fn distance(self, other: Hex) -> u32 {
        let q = i32::from(self.q) - i32::from(other.q);
        let r = i32::from(self.r) - i32::from(other.r);
        q.unsigned_abs().max(r.unsigned_abs()).max((q + r).unsigned_abs())
    }

    /// The direction of a neighbour; `None` if the hexes do not touch.
    #[inline]
    pub fn direction_to(self, neighbour: Hex) -> Option<Direction> {
        let step = neighbour - self;
        let index = STEPS.iter().position(|&s| s == step)?;
        Some(Direction::from_index(index))
    }

    #[inline]
    pub fn is_adjacent(self, other: Hex) -> bool {
        self.distance(other) == 1
    }

    /// Rotated about the origin clockwise by this many sixths of a circle.
    pub fn rotate(self, sixths: i32) -> Hex {
        let turn = |h: Hex| Hex::new(h.r.wrapping_neg(), h.q.wrapping_add(h.r));
        (0..sixths.rem_euclid(6)).fold(self, |h, _| turn(h))
    }

    /// The hexes at exactly this distance, clockwise from straight in direction `D4`; the hex itself for 0.
    pub fn ring(self, radius: u16) -> impl Iterator<Item = Hex> + Clone {
        let radius = radius.min(i16::MAX as u16) as i16;
        let start = Hex::step(Direction::D4);
        let start = self + Hex::new(start.q.wrapping_mul(radius), start.r.wrapping_mul(radius));
        let centre = (radius == 0).then_some(self);
        let walk = Direction::ALL.into_iter().flat_map(move |d| (0..radius).map(move |_| d)).scan(
            start,
            |at, direction| {
                let here = *at;
                *at = at.neighbour(direction);
                Some(here)
            },
        );
        centre.into_iter().chain(walk)
    }

    /// The hexes up to this distance, itself first, ring by ring.
    pub fn range(self, radius: u16) -> impl Iterator<Item = Hex> + Clone {
        (0..=radius).flat_map(move |ring| self.ring(ring))
    }

    /// The straight row of hexes from here in one direction, this hex first; endless.
    pub fn ray(self, direction: Direction) -> impl Iterator<Item = Hex> + Clone {
        iter::successors(Some(self), move |h| Some(h.neighbour(direction)))
    }
}

impl Add for Hex {
    type Output = Hex;

    #[inline]
    fn add(self, other: Hex) -> Hex {
        Hex::new(self.q.wrapping_add(other.q), self.r.wrapping_add(other.r))
    }
}

impl Sub for Hex {
    type Output = Hex;

    #[inline]
    fn sub(self, other: Hex) -> Hex {
        Hex::new(self.q.wrapping_sub(other.q), self.r.wrapping_sub(other.r))
    }
}

impl Neg for Hex {
    type Output = Hex;

    #[inline]
    fn neg(self) -> Hex {
        Hex::ORIGIN - self
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.q, self.r)
    }
}

impl FromStr for Hex {
    type Err = BadHex;

    fn from_str(text: &str) -> Result<Self, BadHex> {
        let parse = || {
            let (q, r) = text.split_once(',')?;
            Some(Hex::new(q.trim().parse().ok()?, r.trim().parse().ok()?))
        };
        parse().ok_or_else(|| BadHex(text.to_owned()))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no axial hex: expected two whole numbers such as 3,-2")]
pub struct BadHex(pub String);
