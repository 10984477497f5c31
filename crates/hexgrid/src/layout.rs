//! Positions of hexes on a picture: x grows east, y grows south, as on screens.

use serde::{Deserialize, Serialize};

use crate::{Direction, Hex, Hexside, Orientation, Vertex};

/// A point of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    pub fn midpoint(self, other: Point) -> Point {
        Point::new(f64::midpoint(self.x, other.x), f64::midpoint(self.y, other.y))
    }

    /// Linear interpolation: 0 is this point, 1 is `other`.
    pub fn lerp(self, other: Point, t: f64) -> Point {
        Point::new(self.x + (other.x - self.x) * t, self.y + (other.y - self.y) * t)
    }

    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// Converts between hexes and points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    pub orientation: Orientation,
    /// From the centre of a hex to a corner.
    pub size: f64,
    /// The centre of [`Hex::ORIGIN`].
    #[serde(default)]
    pub origin: Point,
}

const SQRT3: f64 = 1.732_050_807_568_877_2;
const HALF_SQRT3: f64 = SQRT3 / 2.0;

/// Corners of a unit hex, clockwise; corner 0 lies between directions `D0` and `D1`.
const FLAT_CORNERS: [(f64, f64); 6] =
    [(0.5, -HALF_SQRT3), (1.0, 0.0), (0.5, HALF_SQRT3), (-0.5, HALF_SQRT3), (-1.0, 0.0), (-0.5, -HALF_SQRT3)];
const POINTY_CORNERS: [(f64, f64); 6] =
    [(0.0, -1.0), (HALF_SQRT3, -0.5), (HALF_SQRT3, 0.5), (0.0, 1.0), (-HALF_SQRT3, 0.5), (-HALF_SQRT3, -0.5)];

impl Layout {
    pub const fn new(orientation: Orientation, size: f64) -> Layout {
        Layout { orientation, size, origin: Point::new(0.0, 0.0) }
    }

    /// The same layout with the given hexes' bounding box moved to (`margin`, `margin`).
    pub fn fitted(self, hexes: impl IntoIterator<Item = Hex>, margin: f64) -> Layout {
        let Some((least, _)) = self.bounds(hexes) else { return self };
        let origin = Point::new(self.origin.x - least.x + margin, self.origin.y - least.y + margin);
        Layout { origin, ..self }
    }

    /// Distance between the centres of neighbouring hexes, also from flat to flat.
    pub fn pitch(&self) -> f64 {
        self.size * SQRT3
    }

    pub fn centre(&self, hex: Hex) -> Point {
        self.fractional(f64::from(hex.q), f64::from(hex.r))
    }

    /// The point of fractional axial coordinates.
    fn fractional(&self, q: f64, r: f64) -> Point {
        let (x, y) = match self.orientation {
            Orientation::Flat => (1.5 * q, SQRT3 * (r + q / 2.0)),
            Orientation::Pointy => (SQRT3 * (q + r / 2.0), 1.5 * r),
        };
        Point::new(self.origin.x + self.size * x, self.origin.y + self.size * y)
    }

    /// The hex under a point.
    pub fn hex_at(&self, point: Point) -> Hex {
        let x = (point.x - self.origin.x) / self.size;
        let y = (point.y - self.origin.y) / self.size;
        let (q, r) = match self.orientation {
            Orientation::Flat => (x / 1.5, y / SQRT3 - x / 3.0),
            Orientation::Pointy => (x / SQRT3 - y / 3.0, y / 1.5),
        };
        let s = -q - r;
        let (mut rq, mut rr, rs) = (q.round(), r.round(), s.round());
        let (dq, dr, ds) = ((rq - q).abs(), (rr - r).abs(), (rs - s).abs());
        // The coordinate that rounding changed most is recomputed from the others.
        if dq > dr && dq > ds {
            rq = -rr - rs;
        } else if dr > ds {
            rr = -rq - rs;
        }
        Hex::new(rq as i16, rr as i16)
    }

    /// The corner of a hex between the side in direction `corner` and the next side clockwise.
    pub fn corner(&self, hex: Hex, corner: Direction) -> Point {
        let (x, y) = match self.orientation {
            Orientation::Flat => FLAT_CORNERS[corner.index()],
            Orientation::Pointy => POINTY_CORNERS[corner.index()],
        };
        let centre = self.centre(hex);
        Point::new(centre.x + self.size * x, centre.y + self.size * y)
    }

    /// The six corners, clockwise; the side in direction `d` runs from corner `d - 1` to corner `d`.
    pub fn corners(&self, hex: Hex) -> [Point; 6] {
        Direction::ALL.map(|corner| self.corner(hex, corner))
    }

    pub fn vertex(&self, vertex: Vertex) -> Point {
        self.corner(vertex.hex(), vertex.corner())
    }

    /// The two ends of a hexside, in the order of [`Hexside::vertices`].
    pub fn side(&self, side: Hexside) -> [Point; 2] {
        side.vertices().map(|vertex| self.vertex(vertex))
    }

    pub fn side_midpoint(&self, side: Hexside) -> Point {
        let [a, b] = side.hexes();
        self.centre(a).midpoint(self.centre(b))
    }

    /// The box around all corners of the given hexes: north-west and south-east point; `None` for no hexes.
    pub fn bounds(&self, hexes: impl IntoIterator<Item = Hex>) -> Option<(Point, Point)> {
        hexes.into_iter().flat_map(|hex| self.corners(hex)).fold(None, |bounds, p| {
            let (least, most) = bounds.unwrap_or((p, p));
            Some((
                Point::new(least.x.min(p.x), least.y.min(p.y)),
                Point::new(most.x.max(p.x), most.y.max(p.y)),
            ))
        })
    }
}
