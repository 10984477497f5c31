//! The ground: adjacent terrain of one kind forms one area with an irregular edge, filled by its style. The textures on it are drawn by [`super::texture`].

use super::desert;
use super::field::Field;
use super::geom::{Fbm, HEX, Rect, p, path_ring, simplified};
use super::hexsides;
use super::ink::Pen;
use super::sheet::Sheet;
use crate::map::Layer;

/// How ground is drawn; chosen by the style that a terrain kind declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ground {
    Clear,
    LightWoods,
    Forest,
    WoodedRough,
    Rough,
    Swamp,
    Sand,
    Scrub,
    Orchard,
    Polder,
    WetWoods,
    Heights,
    Sea,
    BuiltUp,
    DryBrush,
    DryScrub,
    Stones,
    DrySand,
    Dunes,
    WadiBed,
    Palms,
    PalmGrove,
}

impl Ground {
    pub fn by_style(style: &str) -> Self {
        match style {
            "light_woods" | "woods" | "open_woods" | "trees" => Self::LightWoods,
            "forest" | "heavy_woods" | "dense_woods" => Self::Forest,
            "wooded_rough" | "forest_rough" | "wooded_hills" => Self::WoodedRough,
            "rough" | "broken" | "rocky" | "stony" | "hamada" | "slope" | "slopes" => Self::Rough,
            "swamp" | "marsh" | "bog" | "sebkha" | "salt_marsh" => Self::Swamp,
            "sand" | "soft_sand" | "dunes" | "deep_sand" => Self::Sand,
            "scrub" | "brush" | "heath" => Self::Scrub,
            "orchard" | "vineyard" | "palms" | "olive_grove" => Self::Orchard,
            "polder" | "flooded" => Self::Polder,
            "wet_woods" | "polder_woods" => Self::WetWoods,
            "heights" | "hill" | "hills" | "height" => Self::Heights,
            "sea" | "water" | "lake" => Self::Sea,
            "city" | "built_up" | "urban" => Self::BuiltUp,
            "desert_brush" => Self::DryBrush,
            "desert_scrub" => Self::DryScrub,
            "desert_rough" | "stones" => Self::Stones,
            "desert_sand" => Self::DrySand,
            "desert_dunes" => Self::Dunes,
            "wadi_bed" => Self::WadiBed,
            "palm_trees" => Self::Palms,
            "palm_grove" => Self::PalmGrove,
            _ => Self::Clear,
        }
    }

    pub fn fill(self) -> &'static str {
        match self {
            Self::Clear => "#ece7d8",
            Self::LightWoods => "#d6dab5",
            Self::Forest => "#acbf8c",
            Self::WoodedRough => "#8d9b6c",
            Self::Rough => "#d9c9a8",
            Self::Swamp => "#d4dccb",
            Self::Sand => "#ead9ae",
            Self::Scrub => "#e0dcb6",
            Self::Orchard => "#dbe0bb",
            Self::Polder => "#d5e3d0",
            Self::WetWoods => "#c4d6b4",
            Self::Heights => "#dccaa4",
            Self::Sea => "#9cc3d6",
            Self::BuiltUp => "#d6c6b8",
            Self::DryBrush => "#e3d6a3",
            Self::DryScrub => "#d9cd95",
            Self::Stones => "#dcc69a",
            Self::DrySand => "#f3e3b4",
            Self::Dunes => "#f1d896",
            Self::WadiBed => "#d2b483",
            Self::Palms => "#d3d39b",
            Self::PalmGrove => "#bcc486",
        }
    }

    /// Steepness for the shading of relief.
    pub fn steepness(self) -> f64 {
        match self {
            Self::WoodedRough => 1.75,
            Self::Rough | Self::Heights | Self::Dunes => 1.5,
            Self::Stones => 1.2,
            Self::WadiBed | Self::Palms | Self::PalmGrove => 0.5,
            Self::Forest => 1.05,
            Self::LightWoods => 0.85,
            Self::Swamp | Self::Polder | Self::WetWoods | Self::Sea => 0.1,
            _ => 0.72,
        }
    }

    /// Kinds that lie within the area of this one: forest within woods, rough ground within forest.
    fn covers(self, other: Self) -> bool {
        let woods = [Self::LightWoods, Self::Forest, Self::WoodedRough];
        self == other
            || (self, other) == (Self::Polder, Self::WetWoods)
            || (self, other) == (Self::Palms, Self::PalmGrove)
            || (self, other) == (Self::DrySand, Self::Dunes)
            || matches!(
                (woods.iter().position(|g| *g == self), woods.iter().position(|g| *g == other)),
                (Some(a), Some(b)) if a < b
            )
    }
}

/// The area of each ground style as a field that is above one half inside.
#[derive(Debug)]
pub(crate) struct Grounds {
    pub(super) areas: Vec<(Ground, Field)>,
    /// Land at or above each height of the map, lowest first.
    heights: Vec<Field>,
}

pub(super) const STEP: f64 = 5.0;

impl Grounds {
    /// The field of one style, where the map has any.
    pub fn area(&self, g: Ground) -> Option<&Field> {
        self.areas.iter().find(|(k, _)| *k == g).map(|(_, f)| f)
    }
}

/// Whether a hex is polder.
pub(crate) fn is_polder(sheet: &Sheet, h: usize) -> bool {
    let kind = &sheet.map.terrain_kinds[sheet.map.ground[h].0 as usize];
    Ground::by_style(if kind.style.is_empty() { &kind.id } else { &kind.style }) == Ground::Polder
}

pub(crate) fn styles(sheet: &Sheet) -> Vec<Ground> {
    let map = sheet.map;
    (0..sheet.centre.len())
        .map(|h| {
            map.terrain_kinds
                .get(map.ground[h].0 as usize)
                .filter(|k| k.layer == Layer::Ground)
                .map_or(Ground::Clear, |k| {
                    Ground::by_style(if k.style.is_empty() { &k.id } else { &k.style })
                })
        })
        .collect()
}

/// `of` is the ground style of each hex.
pub(crate) fn grounds(sheet: &Sheet, of: &[Ground]) -> Grounds {
    let area = sheet.frame.grown(2.0 * STEP);
    let mut base = Field::over(area, STEP);
    // The hex of each node after the edge has been displaced; the art continues to the neat line.
    let mut owner = vec![u16::MAX; base.v.len()];
    let (mut east, mut south) = (Fbm::new(61), Fbm::new(62));
    for (i, o) in owner.iter_mut().enumerate() {
        let q = base.node(i);
        let (x, y) = (q.x / 62.0, q.y / 62.0);
        // At a scale where single hexes matter, the edge of a ground must stay close to its hexes.
        let shake = p(east.at(x, y), south.at(x, y)) * (if sheet.desert { 0.2 } else { 0.31 } * HEX);
        let warped = sheet.hex_at(q + shake).or_else(|| sheet.hex_at(q));
        if let Some(h) = warped {
            *o = h as u16;
        }
    }
    spread(&mut owner, base.w, base.h, (0.7 * HEX / STEP) as usize);
    let mut kinds = of.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    let mut areas = Vec::new();
    for g in kinds.into_iter().filter(|g| *g != Ground::Clear) {
        for (v, o) in base.v.iter_mut().zip(&owner) {
            let inside = of.get(*o as usize).is_some_and(|k| g.covers(*k));
            *v = f32::from(u8::from(inside));
        }
        let mut f = base.clone();
        f.blur(2, 3);
        areas.push((g, f));
    }
    let mut levels: Vec<i16> = sheet.map.elevation.iter().copied().filter(|e| *e > 0).collect();
    levels.sort_unstable();
    levels.dedup();
    let heights = levels
        .into_iter()
        .map(|level| {
            for (v, o) in base.v.iter_mut().zip(&owner) {
                let high = sheet.map.elevation.get(*o as usize).is_some_and(|e| *e >= level);
                *v = f32::from(u8::from(high));
            }
            let mut f = base.clone();
            f.blur(3, 3);
            f
        })
        .collect();
    Grounds { areas, heights }
}

/// Gives nodes beyond the board the hex next to them, up to `reach` nodes away.
fn spread(owner: &mut [u16], w: usize, h: usize, reach: usize) {
    let mut edge: Vec<usize> = (0..owner.len()).filter(|i| owner[*i] != u16::MAX).collect();
    for _ in 0..reach {
        let mut next = Vec::new();
        for i in edge {
            let (x, y) = (i % w, i / w);
            let mut give = |j: usize| {
                if owner[j] == u16::MAX {
                    owner[j] = owner[i];
                    next.push(j);
                }
            };
            if x > 0 {
                give(i - 1);
            }
            if x + 1 < w {
                give(i + 1);
            }
            if y > 0 {
                give(i - w);
            }
            if y + 1 < h {
                give(i + w);
            }
        }
        edge = next;
    }
}

/// Outlines of everything above `level` that is visible in the view.
pub(crate) fn outline(sheet: &Sheet, f: &Field, level: f32) -> String {
    let mut d = String::new();
    for ring in f.contours(level) {
        if ring.len() >= 8 && Rect::of(ring.iter().copied()).meets(&sheet.view) {
            path_ring(&mut d, &simplified(&ring, 0.8));
        }
    }
    d
}

/// Tints of all areas; textures come after the relief.
pub(crate) fn draw_fills(pen: &mut Pen, sheet: &Sheet, grounds: &Grounds) {
    pen.open("ground", "stroke=\"none\"");
    for (g, f) in &grounds.areas {
        let fill = g.fill();
        // A thin halo of the same colour makes the edge soft.
        let soft = [
            Ground::Forest,
            Ground::WoodedRough,
            Ground::Swamp,
            Ground::Sand,
            Ground::DryBrush,
            Ground::DryScrub,
            Ground::DrySand,
            Ground::Palms,
        ];
        if soft.contains(g) {
            pen.path(&outline(sheet, f, 0.28), &format!("fill=\"{fill}\" fill-opacity=\"0.4\""));
        }
        pen.path(&outline(sheet, f, 0.5), &format!("fill=\"{fill}\""));
    }
    if let Some(f) = grounds.area(Ground::WadiBed) {
        desert::banks(pen, sheet, f);
    }
    if sheet.desert {
        let cliffs = hexsides::sheer_sides(sheet);
        desert::heights(pen, sheet, &grounds.heights, |q| cliffs.iter().any(|c| c.dist(q) < 0.34 * HEX));
        pen.close();
        return;
    }
    // Heights in steps of one brown, each with its contour.
    for f in &grounds.heights {
        let d = outline(sheet, f, 0.5);
        pen.path(&d, "fill=\"#a87c46\" fill-opacity=\"0.17\" stroke=\"#8a5f2c\" stroke-opacity=\"0.75\" stroke-width=\"1.3\"");
    }
    pen.close();
}
