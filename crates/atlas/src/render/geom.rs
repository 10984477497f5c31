//! Plane geometry for drawing: points, polylines, hash noise, and conversion of polylines to smooth SVG paths.
//!
//! All of it is deterministic: noise comes from integer hashes of positions and keys, never from a random generator.

use std::f64::consts::TAU;
use std::ops::{Add, Mul, Sub};

/// A point or vector on the sheet. `x` grows to the right, `y` down; a hex measures [`HEX`] from flat to flat.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct P {
    pub x: f64,
    pub y: f64,
}

/// Sheet units from flat side to flat side of a hex.
pub(crate) const HEX: f64 = 100.0;

pub(crate) const fn p(x: f64, y: f64) -> P {
    P { x, y }
}

impl Add for P {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        p(self.x + o.x, self.y + o.y)
    }
}

impl Sub for P {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        p(self.x - o.x, self.y - o.y)
    }
}

impl Mul<f64> for P {
    type Output = Self;
    fn mul(self, k: f64) -> Self {
        p(self.x * k, self.y * k)
    }
}

impl P {
    pub fn dot(self, o: Self) -> f64 {
        self.x * o.x + self.y * o.y
    }

    pub fn cross(self, o: Self) -> f64 {
        self.x * o.y - self.y * o.x
    }

    pub fn len(self) -> f64 {
        self.x.hypot(self.y)
    }

    pub fn dist(self, o: Self) -> f64 {
        (self - o).len()
    }

    /// Unit vector, or east for the zero vector, so that no NaN ever reaches the picture.
    pub fn unit(self) -> Self {
        let n = self.len();
        if n > 1e-9 { self * (1.0 / n) } else { p(1.0, 0.0) }
    }

    /// Turned a quarter to the right (clockwise on the sheet).
    pub fn right(self) -> Self {
        p(-self.y, self.x)
    }

    pub fn lerp(self, o: Self, t: f64) -> Self {
        self + (o - self) * t
    }

    /// The point at `angle` (radians, clockwise from east) and distance `r`.
    pub fn polar(self, angle: f64, r: f64) -> Self {
        p(self.x + r * angle.cos(), self.y + r * angle.sin())
    }
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub x0: f64,
    pub y0: f64,
    pub x1: f64,
    pub y1: f64,
}

impl Rect {
    pub const EMPTY: Self =
        Self { x0: f64::INFINITY, y0: f64::INFINITY, x1: f64::NEG_INFINITY, y1: f64::NEG_INFINITY };

    pub fn around(c: P, w: f64, h: f64) -> Self {
        Self { x0: c.x - w / 2.0, y0: c.y - h / 2.0, x1: c.x + w / 2.0, y1: c.y + h / 2.0 }
    }

    pub fn of(points: impl IntoIterator<Item = P>) -> Self {
        points.into_iter().fold(Self::EMPTY, |r, q| Self {
            x0: r.x0.min(q.x),
            y0: r.y0.min(q.y),
            x1: r.x1.max(q.x),
            y1: r.y1.max(q.y),
        })
    }

    pub fn grown(self, m: f64) -> Self {
        Self { x0: self.x0 - m, y0: self.y0 - m, x1: self.x1 + m, y1: self.y1 + m }
    }

    pub fn contains(&self, q: P) -> bool {
        q.x >= self.x0 && q.x <= self.x1 && q.y >= self.y0 && q.y <= self.y1
    }

    pub fn covers(&self, o: &Self) -> bool {
        o.x0 >= self.x0 && o.x1 <= self.x1 && o.y0 >= self.y0 && o.y1 <= self.y1
    }

    pub fn meets(&self, o: &Self) -> bool {
        self.x0 < o.x1 && o.x0 < self.x1 && self.y0 < o.y1 && o.y0 < self.y1
    }

    pub fn width(&self) -> f64 {
        self.x1 - self.x0
    }

    pub fn height(&self) -> f64 {
        self.y1 - self.y0
    }

    pub fn centre(&self) -> P {
        p(f64::midpoint(self.x0, self.x1), f64::midpoint(self.y0, self.y1))
    }
}

/// Well-mixed 32 bits of two keys and a seed.
pub(crate) fn hash(a: i64, b: i64, seed: u32) -> u32 {
    let mut z = (a as u64)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add((b as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
        .wrapping_add(u64::from(seed).wrapping_mul(0x1656_67B1_9E37_79F9));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) as u32
}

/// Hash to `[0, 1)`.
pub(crate) fn unit(a: i64, b: i64, seed: u32) -> f64 {
    f64::from(hash(a, b, seed)) / 4_294_967_296.0
}

/// Hash to `[-1, 1)`.
pub(crate) fn swing(a: i64, b: i64, seed: u32) -> f64 {
    unit(a, b, seed) * 2.0 - 1.0
}

/// Smooth value noise in `[-1, 1]`, lattice pitch 1.
pub(crate) fn noise(x: f64, y: f64, seed: u32) -> f64 {
    Noise::new(seed).at(x, y)
}

/// [`noise`] for many adjacent points: the corners of the last cell are cached.
#[derive(Clone, Copy, Debug)]
struct Noise {
    seed: u32,
    cell: Option<(i64, i64)>,
    corners: [f64; 4],
}

impl Noise {
    fn new(seed: u32) -> Self {
        Noise { seed, cell: None, corners: [0.0; 4] }
    }

    fn at(&mut self, x: f64, y: f64) -> f64 {
        let (xi, yi) = (x.floor(), y.floor());
        let (fx, fy) = (x - xi, y - yi);
        let (sx, sy) = (fx * fx * (3.0 - 2.0 * fx), fy * fy * (3.0 - 2.0 * fy));
        let (i, j) = (xi as i64, yi as i64);
        if self.cell != Some((i, j)) {
            self.cell = Some((i, j));
            self.corners =
                [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)].map(|(i, j)| swing(i, j, self.seed));
        }
        let [a, b, c, d] = self.corners;
        (a + (b - a) * sx) * (1.0 - sy) + (c + (d - c) * sx) * sy
    }
}

/// Four octaves of [`noise`], about `[-1, 1]`, for many adjacent points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fbm([Noise; 4]);

impl Fbm {
    pub fn new(seed: u32) -> Self {
        Fbm([0, 1, 2, 3].map(|octave| Noise::new(seed.wrapping_add(octave * 101))))
    }

    pub fn at(&mut self, x: f64, y: f64) -> f64 {
        let mut sum = 0.0;
        let (mut amp, mut f) = (0.53, 1.0);
        for octave in &mut self.0 {
            sum += amp * octave.at(x * f, y * f);
            amp *= 0.5;
            f *= 2.03;
        }
        sum
    }
}

/// Points along a Catmull-Rom spline (centripetal in effect by its clamped tangents) through `pts`, `n` per piece.
pub(crate) fn spline(pts: &[P], n: usize, closed: bool) -> Vec<P> {
    let len = pts.len();
    if len < 3 {
        return pts.to_vec();
    }
    let at = |i: isize| -> P {
        if closed {
            pts[i.rem_euclid(len as isize) as usize]
        } else {
            pts[i.clamp(0, len as isize - 1) as usize]
        }
    };
    let pieces = if closed { len } else { len - 1 };
    let mut out = Vec::with_capacity(pieces * n + 1);
    for i in 0..pieces as isize {
        let (a, b, c, d) = (at(i - 1), at(i), at(i + 1), at(i + 2));
        let (m0, m1) = tangents(a, b, c, d);
        for k in 0..n {
            let t = k as f64 / n as f64;
            out.push(hermite(b, m0, c, m1, t));
        }
    }
    if !closed {
        out.push(pts[len - 1]);
    }
    out
}

/// Tangents of the piece `b`–`c`, no longer than the piece itself, so that uneven spacing makes no loops.
fn tangents(a: P, b: P, c: P, d: P) -> (P, P) {
    let l = b.dist(c);
    let fit = |v: P| -> P {
        let n = v.len();
        if n > l && n > 1e-9 { v * (l / n) } else { v }
    };
    (fit((c - a) * 0.5), fit((d - b) * 0.5))
}

fn hermite(b: P, m0: P, c: P, m1: P, t: f64) -> P {
    let (t2, t3) = (t * t, t * t * t);
    b * (2.0 * t3 - 3.0 * t2 + 1.0) + m0 * (t3 - 2.0 * t2 + t) + c * (3.0 * t2 - 2.0 * t3) + m1 * (t3 - t2)
}

/// Moving average along a polyline, ends kept: removes wriggles shorter than `radius` points.
pub(crate) fn relaxed(pts: &[P], radius: usize) -> Vec<P> {
    let n = pts.len();
    (0..n)
        .map(|i| {
            let r = radius.min(i).min(n - 1 - i);
            let sum = pts[i - r..=i + r].iter().fold(P::default(), |s, q| s + *q);
            sum * (1.0 / (2 * r + 1) as f64)
        })
        .collect()
}

/// Length of a polyline.
pub(crate) fn length(pts: &[P]) -> f64 {
    pts.windows(2).map(|w| w[0].dist(w[1])).sum()
}

/// The polyline with points at equal distances of about `step`.
pub(crate) fn resampled(pts: &[P], step: f64) -> Vec<P> {
    let total = length(pts);
    if pts.len() < 2 || total < 1e-6 {
        return pts.to_vec();
    }
    let n = (total / step).ceil().max(1.0) as usize;
    let pitch = total / n as f64;
    let mut out = Vec::with_capacity(n + 1);
    out.push(pts[0]);
    let (mut next, mut run) = (pitch, 0.0);
    for w in pts.windows(2) {
        let l = w[0].dist(w[1]);
        while next <= run + l + 1e-9 && out.len() < n {
            out.push(w[0].lerp(w[1], ((next - run) / l.max(1e-9)).clamp(0.0, 1.0)));
            next += pitch;
        }
        run += l;
    }
    out.push(pts[pts.len() - 1]);
    out
}

/// A polyline moved sideways (positive = to the right of its direction).
pub(crate) fn offset(pts: &[P], by: f64) -> Vec<P> {
    let n = pts.len();
    (0..n)
        .map(|i| {
            let t = (pts[(i + 1).min(n - 1)] - pts[i.saturating_sub(1)]).unit();
            pts[i] + t.right() * by
        })
        .collect()
}

/// Douglas–Peucker: drops points that lie within `tol` of the rest.
pub(crate) fn simplified(pts: &[P], tol: f64) -> Vec<P> {
    if pts.len() < 3 {
        return pts.to_vec();
    }
    let mut keep = vec![false; pts.len()];
    keep[0] = true;
    keep[pts.len() - 1] = true;
    let mut stack = vec![(0, pts.len() - 1)];
    while let Some((a, b)) = stack.pop() {
        let d = pts[b] - pts[a];
        let l = d.len();
        let (mut worst, mut at) = (tol, None);
        for (i, q) in pts.iter().enumerate().take(b).skip(a + 1) {
            let e = if l < 1e-9 { q.dist(pts[a]) } else { (d.cross(*q - pts[a]) / l).abs() };
            if e > worst {
                (worst, at) = (e, Some(i));
            }
        }
        if let Some(i) = at {
            keep[i] = true;
            stack.push((a, i));
            stack.push((i, b));
        }
    }
    pts.iter().zip(keep).filter(|(_, k)| *k).map(|(q, _)| *q).collect()
}

/// Writes a number with one decimal at most; anything not finite becomes 0 so that the file stays well formed.
pub(crate) fn num(out: &mut String, v: f64) {
    let t = if v.is_finite() { (v * 10.0).round() as i64 } else { 0 };
    if t < 0 {
        out.push('-');
    }
    // A map has millions of these, so the digits are written by hand, last first.
    let (mut whole, tenth) = (t.unsigned_abs() / 10, t.unsigned_abs() % 10);
    let digit = |n: u64| char::from(b'0' + (n % 10) as u8);
    let mut digits = ['0'; 20];
    let mut count = 0;
    while count == 0 || whole > 0 {
        digits[count] = digit(whole);
        whole /= 10;
        count += 1;
    }
    out.extend(digits[..count].iter().rev());
    if tenth != 0 {
        out.push('.');
        out.push(digit(tenth));
    }
}

/// Writes `x y` after an optional command letter.
pub(crate) fn pair(out: &mut String, cmd: &str, q: P) {
    out.push_str(cmd);
    num(out, q.x);
    out.push(' ');
    num(out, q.y);
}

/// Straight segments.
pub(crate) fn path_lines(out: &mut String, pts: &[P], closed: bool) {
    for (i, q) in pts.iter().enumerate() {
        pair(out, if i == 0 { "M" } else { "L" }, *q);
    }
    if closed && !pts.is_empty() {
        out.push('Z');
    }
}

/// A smooth open curve through the points (cubic pieces of a Catmull-Rom spline).
pub(crate) fn path_spline(out: &mut String, pts: &[P]) {
    if pts.len() < 3 {
        path_lines(out, pts, false);
        return;
    }
    pair(out, "M", pts[0]);
    let n = pts.len();
    for i in 0..n - 1 {
        let (b, c) = (pts[i], pts[i + 1]);
        let (m0, m1) = tangents(pts[i.saturating_sub(1)], b, c, pts[(i + 2).min(n - 1)]);
        pair(out, "C", b + m0 * (1.0 / 3.0));
        pair(out, " ", c - m1 * (1.0 / 3.0));
        pair(out, " ", c);
    }
}

/// A smooth closed curve that rounds the corners of the ring (quadratic pieces between midpoints).
pub(crate) fn path_ring(out: &mut String, ring: &[P]) {
    let n = ring.len();
    if n < 3 {
        return;
    }
    pair(out, "M", ring[n - 1].lerp(ring[0], 0.5));
    for i in 0..n {
        pair(out, "Q", ring[i]);
        pair(out, " ", ring[i].lerp(ring[(i + 1) % n], 0.5));
    }
    out.push('Z');
}

/// A full circle as two arcs.
pub(crate) fn path_circle(out: &mut String, c: P, r: f64) {
    pair(out, "M", p(c.x - r, c.y));
    let mut arc = String::with_capacity(24);
    arc.push('a');
    num(&mut arc, r);
    arc.push(' ');
    num(&mut arc, r);
    arc.push_str(" 0 1 1 ");
    out.push_str(&arc);
    num(out, 2.0 * r);
    out.push_str(" 0");
    out.push_str(&arc);
    num(out, -2.0 * r);
    out.push_str(" 0");
}

/// A rectangle turned by the direction `u`.
pub(crate) fn turned_rect(c: P, u: P, w: f64, h: f64) -> [P; 4] {
    let (a, b) = (u * (w / 2.0), u.right() * (h / 2.0));
    [c - a - b, c + a - b, c + a + b, c - a + b]
}

/// A regular star with `n` points, one of them up.
pub(crate) fn star(c: P, n: usize, outer: f64, inner: f64) -> Vec<P> {
    (0..2 * n)
        .map(|i| {
            let r = if i % 2 == 0 { outer } else { inner };
            c.polar(TAU * i as f64 / (2 * n) as f64 - TAU / 4.0, r)
        })
        .collect()
}
