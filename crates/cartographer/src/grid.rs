//! Hexes of one continuous grid, in the numbering of the printed map's first sheet.
//!
//! Columns are counted from the east, rows from the south; even columns are half a hex south of odd ones. The plane is
//! metric: `x` east, `y` north, one unit = one hex from flat to flat. Corners have exact integer keys, so that a chain
//! of hexsides can be followed without comparing floats.

/// Column and row.
pub type Hex = (i32, i32);
/// A hexside: its two hexes, the smaller first.
pub type Edge = (Hex, Hex);
/// A point of the plane.
pub type Point = (f64, f64);
/// A corner: `x` in half circumradii, `y` in half hexes.
pub type Corner = (i32, i32);

/// Distance between two columns.
pub const COLUMN_PITCH: f64 = 0.866_025_403_784_438_6;
const HALF_CIRCUMRADIUS: f64 = 0.5 / (2.0 * COLUMN_PITCH);

/// Compass names of the six directions, in the order of [`neighbours`].
pub const DIRECTIONS: [&str; 6] = ["n", "ne", "se", "s", "sw", "nw"];

pub fn edge(a: Hex, b: Hex) -> Edge {
    if a <= b { (a, b) } else { (b, a) }
}

/// Continuous hex coordinates (column, row) of a hex's centre.
pub fn centre_uv(h: Hex) -> (f64, f64) {
    let lower = if h.0.rem_euclid(2) == 0 { 0.5 } else { 0.0 };
    (f64::from(h.0), f64::from(h.1) - lower)
}

pub fn plane(uv: (f64, f64)) -> Point {
    (-COLUMN_PITCH * uv.0, uv.1)
}

pub fn centre(h: Hex) -> Point {
    plane(centre_uv(h))
}

/// Six neighbours in the order N, NE, SE, S, SW, NW (east = lower column).
pub fn neighbours((c, r): Hex) -> [Hex; 6] {
    if c.rem_euclid(2) == 1 {
        [(c, r + 1), (c - 1, r + 1), (c - 1, r), (c, r - 1), (c + 1, r), (c + 1, r + 1)]
    } else {
        [(c, r + 1), (c - 1, r), (c - 1, r - 1), (c, r - 1), (c + 1, r - 1), (c + 1, r)]
    }
}

pub fn direction(a: Hex, b: Hex) -> Option<usize> {
    neighbours(a).iter().position(|n| *n == b)
}

pub fn adjacent(a: Hex, b: Hex) -> bool {
    direction(a, b).is_some()
}

/// Distance between two hexes.
pub fn distance(a: Hex, b: Hex) -> i32 {
    let dx = (a.0 - b.0).abs();
    let dy = ((2.0 * centre_uv(a).1) as i32 - (2.0 * centre_uv(b).1) as i32).abs();
    dx + ((dy - dx) / 2).max(0)
}

/// The hex whose centre is nearest to a point given in continuous hex coordinates.
pub fn nearest_hex((u, v): (f64, f64)) -> Hex {
    let mut best = (f64::INFINITY, (0, 0));
    let c0 = u.round() as i32;
    for c in c0 - 1..=c0 + 1 {
        let lower = if c.rem_euclid(2) == 0 { 0.5 } else { 0.0 };
        let r0 = (v + lower).round() as i32;
        for r in r0 - 1..=r0 + 1 {
            let dx = COLUMN_PITCH * (u - f64::from(c));
            let dy = v - (f64::from(r) - lower);
            let d = dx * dx + dy * dy;
            if d < best.0 {
                best = (d, (c, r));
            }
        }
    }
    best.1
}

pub fn hex_at(p: Point) -> Hex {
    nearest_hex((-p.0 / COLUMN_PITCH, p.1))
}

/// Corners counter-clockwise from east: E, NE, NW, W, SW, SE.
pub fn corners(h: Hex) -> [Corner; 6] {
    let x = -3 * h.0;
    let y = 2 * h.1 - i32::from(h.0.rem_euclid(2) == 0);
    [(x + 2, y), (x + 1, y + 1), (x - 1, y + 1), (x - 2, y), (x - 1, y - 1), (x + 1, y - 1)]
}

pub fn corner_point(k: Corner) -> Point {
    (HALF_CIRCUMRADIUS * f64::from(k.0), 0.5 * f64::from(k.1))
}

/// The two corners of the hexside between neighbours.
pub fn side_corners(a: Hex, b: Hex) -> Option<(Corner, Corner)> {
    const ENDS: [(usize, usize); 6] = [(1, 2), (0, 1), (5, 0), (4, 5), (3, 4), (2, 3)];
    let (i, j) = ENDS[direction(a, b)?];
    let k = corners(a);
    Some((k[i], k[j]))
}

/// The middle of a hexside of neighbours.
pub fn side_middle(e: Edge) -> Point {
    let (a, b) = (centre(e.0), centre(e.1));
    midpoint(a, b)
}

pub fn midpoint(a: Point, b: Point) -> Point {
    (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1))
}

pub fn dist(a: Point, b: Point) -> f64 {
    let (dx, dy) = (a.0 - b.0, a.1 - b.1);
    (dx * dx + dy * dy).sqrt()
}

/// Distance from a point to a segment.
pub fn segment_distance(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let len = dx * dx + dy * dy;
    let t = if len == 0.0 { 0.0 } else { (((p.0 - a.0) * dx + (p.1 - a.1) * dy) / len).clamp(0.0, 1.0) };
    (p.0 - a.0 - t * dx).hypot(p.1 - a.1 - t * dy)
}

/// A line sampled so densely that the nearest sample stands for the nearest point on it.
#[derive(Clone, Debug)]
pub struct Line(pub Vec<Point>);

impl Line {
    pub fn new(points: &[Point], step: f64) -> Self {
        let mut out: Vec<Point> = points.first().copied().into_iter().collect();
        for w in points.windows(2) {
            let (p, q) = (w[0], w[1]);
            let n = ((dist(p, q) / step) as usize).max(1);
            for i in 1..=n {
                let t = i as f64 / n as f64;
                out.push((p.0 + (q.0 - p.0) * t, p.1 + (q.1 - p.1) * t));
            }
        }
        Self(out)
    }

    pub fn distance(&self, p: Point) -> f64 {
        let squares = self.0.iter().map(|q| (q.0 - p.0) * (q.0 - p.0) + (q.1 - p.1) * (q.1 - p.1));
        squares.fold(f64::INFINITY, f64::min).sqrt()
    }

    /// Lower left and upper right of the line's box, grown by `margin`.
    pub fn bounds(&self, margin: f64) -> (Point, Point) {
        let mut lo = (f64::INFINITY, f64::INFINITY);
        let mut hi = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for p in &self.0 {
            lo = (lo.0.min(p.0), lo.1.min(p.1));
            hi = (hi.0.max(p.0), hi.1.max(p.1));
        }
        ((lo.0 - margin, lo.1 - margin), (hi.0 + margin, hi.1 + margin))
    }
}

/// A cost that can be ordered; costs are sums of finite positive numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost(pub f64);

impl Eq for Cost {}
impl Ord for Cost {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_agree_with_the_pairs_the_rulebooks_print() {
        for (a, b) in [
            ((10, 5), (10, 6)),
            ((11, 9), (12, 10)),
            ((11, 10), (12, 11)),
            ((21, 19), (20, 20)),
            ((28, 28), (29, 28)),
        ] {
            assert!(adjacent(a, b) && adjacent(b, a), "{a:?} {b:?}");
        }
    }

    #[test]
    fn hexsides_have_the_same_corners_from_both_hexes() {
        for h in [(10, 5), (11, 5)] {
            for n in neighbours(h) {
                let (a, b) = side_corners(h, n).unwrap();
                let (c, d) = side_corners(n, h).unwrap();
                assert_eq!((a.min(b), a.max(b)), (c.min(d), c.max(d)));
                assert_eq!(distance(h, n), 1);
            }
        }
    }

    #[test]
    fn nearest_hex_of_a_centre_is_the_hex() {
        for h in [(1, 1), (2, 1), (39, 41), (64, 20)] {
            assert_eq!(hex_at(centre(h)), h);
        }
    }
}
