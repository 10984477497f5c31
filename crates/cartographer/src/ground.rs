//! Woods, gorges and settlements: the terrain of a hex.

use crate::{
    Error,
    grid::{self, Point},
    source::WoodClass,
    world::{Ground, Size, World},
};

/// Sample points of a hex, as offsets from its centre.
fn samples() -> Vec<Point> {
    const N: i32 = 5;
    let mut out = Vec::new();
    for i in -N..=N {
        for j in -N..=N {
            let (x, y) = (f64::from(i) / f64::from(2 * N) * 1.15, f64::from(j) / f64::from(2 * N));
            if y.abs() <= 0.5 && x.abs() * 3f64.sqrt() + y.abs() <= 1.0 {
                out.push((x, y));
            }
        }
    }
    out
}

fn inside(poly: &[Point], p: Point) -> bool {
    let mut odd = false;
    for (i, a) in poly.iter().enumerate() {
        let b = poly[(i + 1) % poly.len()];
        if (a.1 > p.1) != (b.1 > p.1) && p.0 < (b.0 - a.0) * (p.1 - a.1) / (b.1 - a.1) + a.0 {
            odd = !odd;
        }
    }
    odd
}

impl World<'_> {
    /// A hex is forest when half of it is forest, light woods when nearly half of it is wooded at all.
    pub fn lay_ground(&mut self) -> Result<(), Error> {
        let polys: Vec<(WoodClass, Vec<Point>, (Point, Point))> = self
            .src
            .woods
            .iter()
            .map(|w| {
                let p = self.points(&w.poly);
                let bounds = grid::Line(p.clone()).bounds(0.0);
                (w.class, p, bounds)
            })
            .collect();
        let offsets = samples();
        for &h in &self.hexes {
            let c = grid::centre(h);
            let mut cover = vec![0i32; offsets.len()];
            for (class, poly, (lo, hi)) in &polys {
                if hi.0 < c.0 - 1.0 || lo.0 > c.0 + 1.0 || hi.1 < c.1 - 1.0 || lo.1 > c.1 + 1.0 {
                    continue;
                }
                for (cover, o) in cover.iter_mut().zip(&offsets) {
                    if inside(poly, (c.0 + o.0, c.1 + o.1)) {
                        *cover = match class {
                            WoodClass::Clear => 0,
                            WoodClass::Light => (*cover).max(1),
                            WoodClass::Forest => 2,
                        };
                    }
                }
            }
            let n = cover.len() as f64;
            let forest = cover.iter().filter(|c| **c == 2).count() as f64 / n;
            let wooded = cover.iter().filter(|c| **c > 0).count() as f64 / n;
            let ground = if forest >= 0.5 {
                Ground::Forest
            } else if wooded >= 0.45 {
                Ground::LightWoods
            } else {
                Ground::Clear
            };
            self.ground.insert(h, ground);
        }
        self.wooded_rough.clone_from(&self.valley);
        for x in &self.src.features.wooded_rough {
            for s in &x.hexes {
                self.wooded_rough.insert(self.hex(s, "features.toml")?);
            }
        }
        Ok(())
    }

    /// Villages, towns and cities; a hex takes the name of its largest place.
    pub fn lay_towns(&mut self) -> Result<(), Error> {
        for p in &self.places {
            // Validated when the gazetteer was read.
            let size = Size::parse(&p.row.class).unwrap_or(Size::None);
            if !self.hexset.contains(&p.hex) {
                continue;
            }
            self.names.entry(p.hex).or_default().push((size, p.row.name.clone()));
            if size != Size::None && self.towns.get(&p.hex).is_none_or(|old| size > old.0) {
                self.towns.insert(p.hex, (size, p.row.name.clone()));
            }
        }
        for t in &self.src.features.town_hexes {
            let size = Size::parse(&t.class).filter(|s| *s != Size::None).ok_or_else(|| Error::Field {
                file: "features.toml",
                item: t.place.clone(),
                why: format!("class '{}': expected village, town or city", t.class),
            })?;
            for s in &t.hexes {
                let h = self.hex(s, "features.toml")?;
                self.towns.insert(h, (size, t.place.clone()));
            }
        }
        for (h, (size, _)) in &self.towns {
            if *size >= Size::Town {
                self.wooded_rough.remove(h);
            }
            // A built-up place in the forest stands in a clearing.
            if self.ground.get(h) == Some(&Ground::Forest) {
                self.ground.insert(*h, Ground::LightWoods);
            }
        }
        for h in &self.wooded_rough {
            self.ground.insert(*h, Ground::WoodedRough);
        }
        Ok(())
    }
}
