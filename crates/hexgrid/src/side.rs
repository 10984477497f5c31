//! Hexsides and vertices: the edges and corners that neighbouring hexes share.

use serde::{Deserialize, Serialize};

use crate::{Direction, Hex};

/// The side between two neighbouring hexes. The same value from either hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "RawSide")]
pub struct Hexside {
    hex: Hex,
    /// `D0`, `D1` or `D2`: the other three belong to the neighbour.
    direction: Direction,
}

/// A hexside as serialized, perhaps from the far hex.
#[derive(Deserialize)]
struct RawSide {
    hex: Hex,
    direction: Direction,
}

impl From<RawSide> for Hexside {
    fn from(raw: RawSide) -> Self {
        Hexside::new(raw.hex, raw.direction)
    }
}

impl Hexside {
    #[inline]
    pub fn new(hex: Hex, direction: Direction) -> Hexside {
        if direction.index() < 3 {
            Hexside { hex, direction }
        } else {
            Hexside { hex: hex.neighbour(direction), direction: direction.opposite() }
        }
    }

    /// The side that two hexes share; `None` if they do not touch.
    pub fn between(a: Hex, b: Hex) -> Option<Hexside> {
        Some(Hexside::new(a, a.direction_to(b)?))
    }

    /// The two hexes; [`direction`](Self::direction) leads from the first to the second.
    #[inline]
    pub fn hexes(self) -> [Hex; 2] {
        [self.hex, self.hex.neighbour(self.direction)]
    }

    /// The hex it is stored under, the first of [`hexes`](Self::hexes).
    #[inline]
    pub fn hex(self) -> Hex {
        self.hex
    }

    /// From the first of [`hexes`](Self::hexes) to the second: `D0`, `D1` or `D2`.
    #[inline]
    pub fn direction(self) -> Direction {
        self.direction
    }

    /// The hex beyond this side; `None` if the side is not one of `hex`'s.
    pub fn across(self, hex: Hex) -> Option<Hex> {
        let [a, b] = self.hexes();
        if hex == a {
            Some(b)
        } else if hex == b {
            Some(a)
        } else {
            None
        }
    }

    /// Its two ends; seen from the first of [`hexes`](Self::hexes), left then right.
    #[inline]
    pub fn vertices(self) -> [Vertex; 2] {
        [Vertex::new(self.hex, self.direction.counter_clockwise()), Vertex::new(self.hex, self.direction)]
    }

    /// The four hexsides that meet its ends.
    pub fn adjacent_sides(self) -> [Hexside; 4] {
        let d = self.direction;
        let [near, far] = self.hexes();
        [
            Hexside::new(near, d.counter_clockwise()),
            Hexside::new(near, d.clockwise()),
            Hexside::new(far, d.opposite().counter_clockwise()),
            Hexside::new(far, d.opposite().clockwise()),
        ]
    }
}

/// A corner where three hexes meet. The same value from any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "RawVertex")]
pub struct Vertex {
    hex: Hex,
    /// `D0` or `D1`: the other corners of a hex belong to its neighbours.
    corner: Direction,
}

#[derive(Deserialize)]
struct RawVertex {
    hex: Hex,
    corner: Direction,
}

impl From<RawVertex> for Vertex {
    fn from(raw: RawVertex) -> Self {
        Vertex::new(raw.hex, raw.corner)
    }
}

impl Vertex {
    /// The corner of `hex` between the side in direction `corner` and the next side clockwise.
    #[inline]
    pub fn new(hex: Hex, corner: Direction) -> Vertex {
        // Corner c of a hex is corner c+2 of its neighbour in direction c and c+4 of the one in c+1.
        let (hex, corner) = match corner {
            Direction::D0 | Direction::D1 => (hex, corner),
            Direction::D2 | Direction::D3 => (hex.neighbour(corner.clockwise()), corner.rotate(4)),
            Direction::D4 | Direction::D5 => (hex.neighbour(corner), corner.rotate(2)),
        };
        Vertex { hex, corner }
    }

    /// The hex it is stored under.
    #[inline]
    pub fn hex(self) -> Hex {
        self.hex
    }

    /// Which corner of [`hex`](Self::hex) it is: `D0` or `D1`.
    #[inline]
    pub fn corner(self) -> Direction {
        self.corner
    }

    /// The three hexes that meet here, clockwise.
    pub fn hexes(self) -> [Hex; 3] {
        [self.hex, self.hex.neighbour(self.corner), self.hex.neighbour(self.corner.clockwise())]
    }

    /// The three hexsides that meet here, clockwise.
    pub fn sides(self) -> [Hexside; 3] {
        [
            Hexside::new(self.hex, self.corner),
            Hexside::new(self.hex.neighbour(self.corner), self.corner.rotate(2)),
            Hexside::new(self.hex, self.corner.clockwise()),
        ]
    }

    /// The three vertices at the far ends of [`sides`](Self::sides), in the same order.
    pub fn neighbours(self) -> [Vertex; 3] {
        self.sides().map(|side| {
            let [a, b] = side.vertices();
            if a == self { b } else { a }
        })
    }

    /// The hexside to another vertex; `None` if no single side joins them.
    pub fn side_to(self, other: Vertex) -> Option<Hexside> {
        self.sides().into_iter().find(|side| self != other && side.vertices().contains(&other))
    }
}
