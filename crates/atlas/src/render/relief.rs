//! Shaded relief. Packs give heights for few maps, so the shape of the land is inferred from what they do give: water
//! lies low, rough ground is steep, and hash noise supplies the rest. Lit from the north-west, as maps are.

use super::field::Field;
use super::geom::{Fbm, HEX, P, Rect, path_ring, simplified};
use super::ink::Pen;
use super::sheet::Sheet;
use super::water::{Water, Waters};

/// Height of the land (about 0 to 100, invented for the picture) and how strongly it is shaded.
#[derive(Debug)]
pub(crate) struct Relief {
    pub height: Field,
    shade: Field,
}

const STEP: f64 = 12.0;

pub(crate) fn relief(sheet: &Sheet, waters: &Waters, steepness: impl Fn(usize) -> f64) -> Relief {
    let area = sheet.frame.grown(HEX);
    let mut height = Field::over(area, STEP);
    let classes = [
        (Water::Stream, 34.0, 0.75 * HEX),
        (Water::River, 52.0, 1.15 * HEX),
        (Water::Major, 70.0, 1.7 * HEX),
    ];
    let far = 78.0f32;
    height.v.fill(far);
    for (class, depth, reach) in classes {
        let mut d = Field::over(area, STEP);
        d.v.fill(1e6);
        for r in &waters.ribbons {
            let as_class = match r.water {
                Water::Wadi | Water::Stream | Water::Canal => Water::Stream,
                Water::River => Water::River,
                Water::Major | Water::Lake => Water::Major,
            };
            if as_class == class {
                for q in &r.line {
                    let i = d.nearest(*q);
                    d.v[i] = 0.0;
                }
            }
        }
        chamfer(&mut d);
        for (h, x) in height.v.iter_mut().zip(&d.v) {
            // A valley: flat floor, steep shoulder, then the plateau.
            let t = f64::from(*x) / reach;
            let valley = far as f64 - depth * (-(t * t)).exp() - 0.25 * depth * (-t / 2.2).exp();
            *h = h.min(valley as f32);
        }
    }
    // Drained country is as flat as its water; its dry parts are hardly higher.
    let low = (0..sheet.centre.len()).any(|h| super::ground::is_polder(sheet, h));
    let peak = sheet.map.elevation.iter().copied().max().unwrap_or(0);
    let mut rise = Field::over(area, STEP);
    let mut steep = Field::over(area, STEP);
    let flat = if low { 0.42 } else { 1.0 };
    steep.fill(|_, q| (flat * sheet.hex_at(q).map_or(0.8, &steepness)) as f32);
    steep.blur(3, 2);
    if peak > 0 {
        rise.fill(|_, q| sheet.hex_at(q).map_or(0.0, |h| 26.0 * f32::from(sheet.map.elevation[h])));
        rise.blur(2, 3);
    }
    let (mut wide, mut fine) = (Fbm::new(51), Fbm::new(52));
    for i in 0..height.v.len() {
        let q = height.node(i);
        let rolling = 15.0 * wide.at(q.x / 300.0, q.y / 300.0) + 6.5 * fine.at(q.x / 105.0, q.y / 105.0);
        height.v[i] += rolling as f32 + rise.v[i];
    }
    height.blur(1, 2);
    let mut shade = Field::over(area, STEP);
    let (w, h) = (shade.w, shade.h);
    for y in 0..h {
        for x in 0..w {
            let g = |x: usize, y: usize| height.v[y.min(h - 1) * w + x.min(w - 1)];
            let gx = g(x + 1, y) - g(x.saturating_sub(1), y);
            let gy = g(x, y + 1) - g(x, y.saturating_sub(1));
            shade.v[y * w + x] = (gx * 0.62 + gy * 0.78) * steep.v[y * w + x];
        }
    }
    Relief { height, shade }
}

/// Distance transform in two passes, in sheet units.
fn chamfer(d: &mut Field) {
    let (w, h) = (d.w, d.h);
    let s = d.step as f32;
    let diag = s * std::f32::consts::SQRT_2;
    for y in 0..h {
        for x in 0..w {
            let mut v = d.v[y * w + x];
            if x > 0 {
                v = v.min(d.v[y * w + x - 1] + s);
            }
            if y > 0 {
                v = v.min(d.v[(y - 1) * w + x] + s);
                if x > 0 {
                    v = v.min(d.v[(y - 1) * w + x - 1] + diag);
                }
                if x + 1 < w {
                    v = v.min(d.v[(y - 1) * w + x + 1] + diag);
                }
            }
            d.v[y * w + x] = v;
        }
    }
    for y in (0..h).rev() {
        for x in (0..w).rev() {
            let mut v = d.v[y * w + x];
            if x + 1 < w {
                v = v.min(d.v[y * w + x + 1] + s);
            }
            if y + 1 < h {
                v = v.min(d.v[(y + 1) * w + x] + s);
                if x > 0 {
                    v = v.min(d.v[(y + 1) * w + x - 1] + diag);
                }
                if x + 1 < w {
                    v = v.min(d.v[(y + 1) * w + x + 1] + diag);
                }
            }
            d.v[y * w + x] = v;
        }
    }
}

pub(crate) fn draw(pen: &mut Pen, sheet: &Sheet, relief: &Relief) {
    pen.open("relief", "stroke=\"none\"");
    // Many thin steps look like a smooth grey, not like contours.
    for k in 0..11 {
        let level = 0.9 + 0.62 * (k as f32).powf(1.28);
        bands(pen, sheet, &relief.shade, -1.0, level, "#644a22", 0.026);
    }
    for k in 0..8 {
        let level = 1.0 + 0.8 * (k as f32).powf(1.3);
        bands(pen, sheet, &relief.shade, 1.0, level, "#fffaec", 0.085);
    }
    pen.close();
}

fn bands(pen: &mut Pen, sheet: &Sheet, shade: &Field, sign: f32, level: f32, colour: &str, alpha: f64) {
    let mut f = shade.clone();
    for v in &mut f.v {
        *v *= sign;
    }
    let mut d = String::new();
    for ring in f.contours(level) {
        if ring.len() >= 6 && Rect::of(ring.iter().copied()).meets(&sheet.view) {
            let ring: Vec<P> = simplified(&ring, 0.9);
            path_ring(&mut d, &ring);
        }
    }
    pen.path(&d, &format!("fill=\"{colour}\" fill-opacity=\"{alpha}\""));
}
