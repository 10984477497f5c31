//! Which spots of the sheet are taken, on a fine grid: textures avoid roads, water, houses and lettering.

use super::geom::{P, Rect};

#[derive(Debug)]
pub(crate) struct Mask {
    area: Rect,
    w: usize,
    h: usize,
    bits: Vec<u8>,
}

const CELL: f64 = 3.0;

/// What took a spot.
pub(crate) mod by {
    pub const ROAD: u8 = 1;
    pub const WATER: u8 = 2;
    pub const HOUSE: u8 = 4;
    pub const TEXT: u8 = 8;
    pub const MARK: u8 = 16;
}

impl Mask {
    pub fn over(area: Rect) -> Self {
        let w = (area.width() / CELL).ceil().max(1.0) as usize;
        let h = (area.height() / CELL).ceil().max(1.0) as usize;
        Self { area, w, h, bits: vec![0; w * h] }
    }

    fn range(&self, r: &Rect) -> (usize, usize, usize, usize) {
        let clamp = |v: f64, n: usize| v.clamp(0.0, n as f64) as usize;
        (
            clamp((r.x0 - self.area.x0) / CELL, self.w),
            clamp((r.x1 - self.area.x0) / CELL + 1.0, self.w),
            clamp((r.y0 - self.area.y0) / CELL, self.h),
            clamp((r.y1 - self.area.y0) / CELL + 1.0, self.h),
        )
    }

    pub fn rect(&mut self, r: &Rect, what: u8) {
        let (x0, x1, y0, y1) = self.range(r);
        for y in y0..y1 {
            for b in &mut self.bits[y * self.w + x0..y * self.w + x1.max(x0)] {
                *b |= what;
            }
        }
    }

    pub fn disc(&mut self, c: P, r: f64, what: u8) {
        let (x0, x1, y0, y1) = self.range(&Rect::around(c, 2.0 * r, 2.0 * r));
        for y in y0..y1 {
            for x in x0..x1 {
                let dx = self.area.x0 + (x as f64 + 0.5) * CELL - c.x;
                let dy = self.area.y0 + (y as f64 + 0.5) * CELL - c.y;
                if dx * dx + dy * dy <= r * r {
                    self.bits[y * self.w + x] |= what;
                }
            }
        }
    }

    pub fn line(&mut self, pts: &[P], half: f64, what: u8) {
        for q in pts {
            self.disc(*q, half, what);
        }
    }

    pub fn at(&self, q: P) -> u8 {
        let x = (q.x - self.area.x0) / CELL;
        let y = (q.y - self.area.y0) / CELL;
        if x < 0.0 || y < 0.0 || x >= self.w as f64 || y >= self.h as f64 {
            return 0;
        }
        self.bits[y as usize * self.w + x as usize]
    }

    /// How many cells in the box are taken by each kind: the weighted sum with `weight`.
    pub fn cost(&self, r: &Rect, weight: impl Fn(u8) -> f64) -> f64 {
        let (x0, x1, y0, y1) = self.range(r);
        let mut sum = 0.0;
        for y in y0..y1 {
            for b in &self.bits[y * self.w + x0..y * self.w + x1.max(x0)] {
                if *b != 0 {
                    sum += weight(*b);
                }
            }
        }
        sum * CELL * CELL
    }
}
