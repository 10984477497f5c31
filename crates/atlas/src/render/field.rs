//! A scalar field on a square grid, and its contours by marching squares.

use super::geom::{P, Rect, p};

/// Values at the nodes of a square grid.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub x0: f64,
    pub y0: f64,
    pub step: f64,
    pub w: usize,
    pub h: usize,
    pub v: Vec<f32>,
}

impl Field {
    /// A grid of zeros over `area`.
    pub fn over(area: Rect, step: f64) -> Self {
        let w = (area.width() / step).ceil().max(1.0) as usize + 1;
        let h = (area.height() / step).ceil().max(1.0) as usize + 1;
        Self { x0: area.x0, y0: area.y0, step, w, h, v: vec![0.0; w * h] }
    }

    pub fn node(&self, i: usize) -> P {
        p(self.x0 + (i % self.w) as f64 * self.step, self.y0 + (i / self.w) as f64 * self.step)
    }

    pub fn fill(&mut self, mut f: impl FnMut(usize, P) -> f32) {
        for i in 0..self.v.len() {
            self.v[i] = f(i, self.node(i));
        }
    }

    /// Index of the node nearest to `q`, clamped to the grid.
    pub fn nearest(&self, q: P) -> usize {
        let x = ((q.x - self.x0) / self.step).round().clamp(0.0, (self.w - 1) as f64) as usize;
        let y = ((q.y - self.y0) / self.step).round().clamp(0.0, (self.h - 1) as f64) as usize;
        y * self.w + x
    }

    /// Value at `q`, bilinear, clamped at the border.
    pub fn at(&self, q: P) -> f64 {
        let fx = ((q.x - self.x0) / self.step).clamp(0.0, (self.w - 1) as f64);
        let fy = ((q.y - self.y0) / self.step).clamp(0.0, (self.h - 1) as f64);
        let (i, j) = (fx as usize, fy as usize);
        let (i1, j1) = ((i + 1).min(self.w - 1), (j + 1).min(self.h - 1));
        let (tx, ty) = (fx - i as f64, fy - j as f64);
        let g = |x: usize, y: usize| f64::from(self.v[y * self.w + x]);
        (g(i, j) * (1.0 - tx) + g(i1, j) * tx) * (1.0 - ty) + (g(i, j1) * (1.0 - tx) + g(i1, j1) * tx) * ty
    }

    /// Slope at `q` by central differences, per sheet unit.
    pub fn gradient(&self, q: P) -> P {
        let d = self.step;
        p(
            (self.at(p(q.x + d, q.y)) - self.at(p(q.x - d, q.y))) / (2.0 * d),
            (self.at(p(q.x, q.y + d)) - self.at(p(q.x, q.y - d))) / (2.0 * d),
        )
    }

    /// Box blur of `r` nodes, `passes` times (three come close to a Gaussian).
    pub fn blur(&mut self, r: usize, passes: usize) {
        let mut tmp = vec![0.0f32; self.v.len()];
        for _ in 0..passes {
            for y in 0..self.h {
                let row = y * self.w;
                blur_line(self.w, r, |i| self.v[row + i], |i, v| tmp[row + i] = v);
            }
            for x in 0..self.w {
                let w = self.w;
                blur_line(self.h, r, |i| tmp[i * w + x], |i, v| self.v[i * w + x] = v);
            }
        }
    }

    /// Closed rings around everything above `level`. The outside of the grid counts as below.
    pub fn contours(&self, level: f32) -> Vec<Vec<P>> {
        // One ring of nodes below the level is added around the grid, so that every contour closes.
        let (w, h) = (self.w + 2, self.h + 2);
        let low = level - 1.0;
        let val = |x: usize, y: usize| -> f32 {
            if x == 0 || y == 0 || x > self.w || y > self.h {
                low
            } else {
                self.v[(y - 1) * self.w + (x - 1)]
            }
        };
        // Edge ids: 2 * node for the edge to the right of a node, 2 * node + 1 for the edge below it.
        let mut next = vec![u32::MAX; 2 * w * h];
        let mut starts = Vec::new();
        for y in 0..h - 1 {
            for x in 0..w - 1 {
                let (a, b, c, d) = (val(x, y), val(x + 1, y), val(x + 1, y + 1), val(x, y + 1));
                let case = u8::from(a > level)
                    | u8::from(b > level) << 1
                    | u8::from(c > level) << 2
                    | u8::from(d > level) << 3;
                if case == 0 || case == 15 {
                    continue;
                }
                let n = (y * w + x) as u32;
                let top = 2 * n;
                let left = 2 * n + 1;
                let right = 2 * (n + 1) + 1;
                let bottom = 2 * (n + w as u32);
                let mut link = |from: u32, to: u32| {
                    next[from as usize] = to;
                    starts.push(from);
                };
                // The inside is on the left of the direction of travel.
                match case {
                    1 => link(left, top),
                    2 => link(top, right),
                    3 => link(left, right),
                    4 => link(right, bottom),
                    6 => link(top, bottom),
                    7 => link(left, bottom),
                    8 => link(bottom, left),
                    9 => link(bottom, top),
                    11 => link(bottom, right),
                    12 => link(right, left),
                    13 => link(right, top),
                    14 => link(top, left),
                    // Saddles: the mean decides whether the two insides join.
                    5 if (a + b + c + d) / 4.0 > level => {
                        link(left, bottom);
                        link(right, top);
                    }
                    5 => {
                        link(left, top);
                        link(right, bottom);
                    }
                    10 if (a + b + c + d) / 4.0 > level => {
                        link(top, left);
                        link(bottom, right);
                    }
                    _ => {
                        link(top, right);
                        link(bottom, left);
                    }
                }
            }
        }
        let point = |e: u32| -> P {
            let n = (e / 2) as usize;
            let (x, y) = (n % w, n / w);
            let (x2, y2) = if e.is_multiple_of(2) { (x + 1, y) } else { (x, y + 1) };
            let (u, v) = (val(x, y), val(x2, y2));
            let t = if (v - u).abs() < 1e-9 { 0.5 } else { f64::from((level - u) / (v - u)) };
            let t = t.clamp(0.0, 1.0);
            p(
                self.x0 + (x as f64 - 1.0 + t * (x2 as f64 - x as f64)) * self.step,
                self.y0 + (y as f64 - 1.0 + t * (y2 as f64 - y as f64)) * self.step,
            )
        };
        let mut rings = Vec::new();
        for s in starts {
            if next[s as usize] == u32::MAX {
                continue;
            }
            let mut ring = Vec::new();
            let mut e = s;
            while next[e as usize] != u32::MAX {
                ring.push(point(e));
                e = std::mem::replace(&mut next[e as usize], u32::MAX);
            }
            rings.push(ring);
        }
        rings
    }
}

fn blur_line(n: usize, r: usize, get: impl Fn(usize) -> f32, mut set: impl FnMut(usize, f32)) {
    let last = n - 1;
    let k = 1.0 / (2 * r + 1) as f32;
    let mut sum: f32 = (0..=2 * r).map(|i| get(i.saturating_sub(r).min(last))).sum();
    for i in 0..n {
        set(i, sum * k);
        sum += get((i + r + 1).min(last)) - get(i.saturating_sub(r));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_has_one_ring_of_its_radius() {
        let mut f = Field::over(Rect { x0: 0.0, y0: 0.0, x1: 100.0, y1: 100.0 }, 2.0);
        f.fill(|_, q| (30.0 - q.dist(p(50.0, 50.0))) as f32);
        let rings = f.contours(0.0);
        assert_eq!(rings.len(), 1);
        for q in &rings[0] {
            assert!((q.dist(p(50.0, 50.0)) - 30.0).abs() < 0.3);
        }
    }

    #[test]
    fn a_full_field_closes_at_the_border() {
        let mut f = Field::over(Rect { x0: 0.0, y0: 0.0, x1: 10.0, y1: 10.0 }, 1.0);
        f.fill(|_, _| 1.0);
        let rings = f.contours(0.5);
        assert_eq!(rings.len(), 1);
        let r = Rect::of(rings[0].iter().copied());
        assert!(r.x0 <= 0.0 && r.x1 >= 10.0);
    }

    #[test]
    fn blur_keeps_a_constant() {
        let mut f = Field::over(Rect { x0: 0.0, y0: 0.0, x1: 9.0, y1: 5.0 }, 1.0);
        f.fill(|_, _| 2.0);
        f.blur(2, 3);
        assert!(f.v.iter().all(|v| (v - 2.0).abs() < 1e-4));
    }
}
