//! The ground: adjacent terrain of one kind forms one area with an irregular edge, filled and textured by its style.

use super::desert;
use super::field::Field;
use super::geom::{
    Fbm, HEX, P, Rect, noise, p, pair, path_circle, path_lines, path_ring, simplified, swing, unit,
};
use super::ink::Pen;
use super::mask::Mask;
use super::overlays;
use super::relief::Relief;
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
    areas: Vec<(Ground, Field)>,
    /// Land at or above each height of the map, lowest first.
    heights: Vec<Field>,
}

const STEP: f64 = 5.0;

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
        let cliffs = overlays::sheer_sides(sheet);
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

/// Calls `f` for a jittered lattice of points inside `view`, block by block, so that each block makes paths of its own.
pub(super) fn scatter(
    view: Rect,
    pitch: f64,
    seed: u32,
    pen: &mut Pen,
    mut f: impl FnMut(&mut Block, P, i64, i64),
    attrs: &[&str],
) {
    let block = 700.0;
    let cells = (block / pitch).round() as i64;
    let size = cells as f64 * pitch;
    let (bx0, bx1) = ((view.x0 / size).floor() as i64, (view.x1 / size).ceil() as i64);
    let (by0, by1) = ((view.y0 / size).floor() as i64, (view.y1 / size).ceil() as i64);
    // Layer by layer over all blocks, so that shadows of one block are never on top of crowns of another.
    let mut blocks = Vec::new();
    for by in by0..by1 {
        for bx in bx0..bx1 {
            let mut b = Block { d: vec![String::new(); attrs.len()] };
            for j in by * cells..(by + 1) * cells {
                for i in bx * cells..(bx + 1) * cells {
                    // Every second row is shifted, to make the lattice less visible.
                    let odd = if j.rem_euclid(2) == 1 { 0.5 } else { 0.0 };
                    let q = p(
                        (i as f64 + odd + 0.42 * swing(i, j, seed)) * pitch,
                        (j as f64 + 0.42 * swing(i, j, seed + 1)) * pitch,
                    );
                    if view.contains(q) {
                        f(&mut b, q, i, j);
                    }
                }
            }
            blocks.push(b);
        }
    }
    for (k, a) in attrs.iter().enumerate() {
        for b in &blocks {
            pen.path(&b.d[k], a);
        }
    }
}

/// Paths under construction, one per layer of a texture.
pub(super) struct Block {
    pub d: Vec<String>,
}

/// What a texture needs to know about the sheet.
pub(super) struct Place<'a> {
    pub view: Rect,
    pub mask: &'a Mask,
    relief: &'a Relief,
}

pub(crate) fn draw_textures(pen: &mut Pen, sheet: &Sheet, grounds: &Grounds, relief: &Relief, mask: &Mask) {
    pen.open("texture", "stroke=\"none\"");
    let place = Place { view: sheet.view.grown(10.0), mask, relief };
    for (g, f) in &grounds.areas {
        match g {
            Ground::LightWoods => light_woods(pen, &place, f, grounds.area(Ground::Forest)),
            Ground::Forest => forest(pen, &place, f, grounds.area(Ground::WoodedRough)),
            Ground::WoodedRough => wooded_rough(pen, &place, f),
            Ground::Rough | Ground::Heights => {
                hachures(pen, &place, f, "#8a6d45", if *g == Ground::Rough { 13.0 } else { 17.0 });
            }
            Ground::Swamp => swamp(pen, &place, f),
            Ground::Polder => polder(pen, &place, f),
            Ground::WetWoods => light_woods(pen, &place, f, None),
            Ground::Sand => sand(pen, &place, f),
            Ground::Scrub => scrub(pen, &place, f),
            Ground::Orchard => orchard(pen, &place, f),
            _ => dry_texture(pen, &place, f, *g, grounds.area(Ground::Dunes)),
        }
    }
    pen.close();
}

/// Textures of dry country.
fn dry_texture(pen: &mut Pen, place: &Place, f: &Field, g: Ground, dunes: Option<&Field>) {
    match g {
        Ground::DryBrush => desert::brush(pen, place, f),
        Ground::DryScrub => desert::scrub(pen, place, f),
        Ground::Stones => desert::stones(pen, place, f),
        Ground::DrySand => {
            // Dunes have their own stipple.
            let mut flat = f.clone();
            if let Some(d) = dunes {
                flat.v.iter_mut().zip(&d.v).for_each(|(v, d)| *v -= d);
            }
            desert::sand(pen, place, &flat);
        }
        Ground::Dunes => desert::dunes(pen, place, f),
        Ground::WadiBed => desert::wadi(pen, place, f),
        Ground::Palms => desert::palms(pen, place, f, false),
        Ground::PalmGrove => desert::palms(pen, place, f, true),
        _ => {}
    }
}

fn crown(b: &mut Block, q: P, r: f64) {
    path_circle(&mut b.d[0], q + p(0.28 * r, 0.38 * r), r);
    path_circle(&mut b.d[1], q, r * 0.94);
    path_circle(&mut b.d[2], q - p(0.24 * r, 0.3 * r), r * 0.5);
}

fn light_woods(pen: &mut Pen, place: &Place, f: &Field, denser: Option<&Field>) {
    scatter(
        place.view,
        12.5,
        71,
        pen,
        |b, q, i, j| {
            let clump = noise(q.x / 58.0, q.y / 58.0, 73) + 0.35 * swing(i, j, 74);
            if clump > 0.06
                && f.at(q) > 0.62
                && denser.is_none_or(|d| d.at(q) < 0.25)
                && place.mask.at(q) == 0
            {
                crown(b, q, 3.4 + 1.6 * unit(i, j, 75));
            }
        },
        &["fill=\"#98a673\" fill-opacity=\"0.75\"", "fill=\"#b4c28c\"", "fill=\"#cbd5a8\""],
    );
}

fn forest(pen: &mut Pen, place: &Place, f: &Field, rough: Option<&Field>) {
    scatter(
        place.view,
        9.6,
        81,
        pen,
        |b, q, i, j| {
            let v = f.at(q);
            let edge = if v > 0.75 { 0.0 } else { 0.35 };
            if v > 0.5
                && unit(i, j, 84) > edge
                && rough.is_none_or(|d| d.at(q) < 0.5)
                && place.mask.at(q) == 0
            {
                crown(b, q, 4.1 + 1.7 * unit(i, j, 85));
            }
        },
        &["fill=\"#768d58\" fill-opacity=\"0.85\"", "fill=\"#95ac73\"", "fill=\"#b0c38f\""],
    );
}

fn wooded_rough(pen: &mut Pen, place: &Place, f: &Field) {
    scatter(
        place.view,
        10.4,
        91,
        pen,
        |b, q, i, j| {
            if f.at(q) > 0.5 && unit(i, j, 94) > 0.3 && place.mask.at(q) == 0 {
                crown(b, q, 3.9 + 1.5 * unit(i, j, 95));
            }
        },
        &["fill=\"#586740\" fill-opacity=\"0.85\"", "fill=\"#768859\"", "fill=\"#94a375\""],
    );
    hachures(pen, place, f, "#3d3a26", 9.0);
}

/// Short wedges down the slope, thick above: the steeper, the longer and heavier.
fn hachures(pen: &mut Pen, place: &Place, f: &Field, colour: &str, pitch: f64) {
    scatter(
        place.view,
        pitch,
        101,
        pen,
        |b, q, i, j| {
            if f.at(q) < 0.55 || place.mask.at(q) != 0 {
                return;
            }
            let g = place.relief.height.gradient(q);
            let slope = (g.len() * 1.9).min(1.0);
            let down = if g.len() > 1e-4 { g.unit() * -1.0 } else { p(0.6, 0.8) };
            let len = 4.5 + 8.5 * slope + 2.0 * swing(i, j, 103);
            let w = 0.5 + 1.0 * slope;
            if slope < 0.12 && unit(i, j, 104) > 0.35 {
                return;
            }
            let side = down.right() * w;
            path_lines(&mut b.d[0], &[q - side, q + side, q + down * len], true);
        },
        &[&format!("fill=\"{colour}\" fill-opacity=\"0.62\"")],
    );
}

/// Tufts of reed over short water strokes.
fn swamp(pen: &mut Pen, place: &Place, f: &Field) {
    pen.group("fill=\"none\" stroke-linecap=\"round\"");
    scatter(
        place.view,
        19.0,
        111,
        pen,
        |b, q, i, j| {
            if f.at(q) < 0.6 || place.mask.at(q) != 0 {
                return;
            }
            let l = 5.0 + 3.0 * unit(i, j, 113);
            path_lines(&mut b.d[0], &[q - p(l, 0.0), q + p(l, 0.0)], false);
            if unit(i, j, 114) > 0.4 {
                for (dx, h) in [(-2.6, 4.0), (0.0, 6.2), (2.6, 4.4)] {
                    path_lines(&mut b.d[1], &[q - p(0.0, 0.8), q + p(dx, -h)], false);
                }
            }
        },
        &["stroke=\"#5f8fa8\" stroke-width=\"1.1\"", "stroke=\"#5d7448\" stroke-width=\"1\""],
    );
    pen.close();
}

/// Drained land: long narrow fields between straight ditches that keep one direction for a stretch.
fn polder(pen: &mut Pen, place: &Place, f: &Field) {
    pen.group("fill=\"none\" stroke-linecap=\"butt\"");
    scatter(
        place.view,
        27.0,
        151,
        pen,
        |b, _, i, j| {
            // The fields of one polder are parallel: their direction belongs to a block of lattice points.
            let (bi, bj) = (i.div_euclid(5), j.div_euclid(4));
            let angle =
                std::f64::consts::PI * (unit(bi, bj, 153) * 4.0).floor() / 4.0 + 0.22 * swing(bi, bj, 154);
            let along = p(angle.cos(), angle.sin());
            let across = along.right();
            let middle = p((i as f64 + 0.5) * 27.0, (j as f64 + 0.5) * 27.0);
            for k in -1..=1 {
                let at = middle
                    + across * (f64::from(k) * 8.4)
                    + along * (4.0 * swing(i, j * 3 + i64::from(k), 155));
                let half = 9.5 + 2.5 * swing(i, j * 3 + i64::from(k), 156);
                let (from, to) = (at - along * half, at + along * half);
                let dry = [from, at, to].iter().any(|q| f.at(*q) < 0.6 || place.mask.at(*q) != 0);
                if !dry {
                    path_lines(&mut b.d[0], &[from, to], false);
                }
            }
            let (from, to) = (middle + along * 12.0 - across * 9.0, middle + along * 12.0 + across * 9.0);
            if unit(i, j, 157) > 0.55 && [from, to].iter().all(|q| f.at(*q) > 0.6 && place.mask.at(*q) == 0) {
                path_lines(&mut b.d[1], &[from, to], false);
            }
        },
        &["stroke=\"#a4c4c1\" stroke-width=\"0.9\"", "stroke=\"#8db4b8\" stroke-width=\"1\""],
    );
    pen.close();
}

/// Stipple that thickens into ripples.
fn sand(pen: &mut Pen, place: &Place, f: &Field) {
    scatter(
        place.view,
        7.6,
        121,
        pen,
        |b, q, i, j| {
            let ripple = (q.y / 17.0 + 1.4 * noise(q.x / 60.0, q.y / 60.0, 123)).fract().abs();
            if f.at(q) > 0.55 && place.mask.at(q) == 0 && unit(i, j, 124) > 0.25 + 0.6 * ripple {
                path_circle(&mut b.d[0], q, 0.7 + 0.4 * unit(i, j, 125));
            }
        },
        &["fill=\"#a98a4c\" fill-opacity=\"0.8\""],
    );
}

/// Low bushes: small tufts with a dot of shadow.
fn scrub(pen: &mut Pen, place: &Place, f: &Field) {
    scatter(
        place.view,
        14.0,
        131,
        pen,
        |b, q, i, j| {
            if f.at(q) < 0.58 || place.mask.at(q) != 0 || unit(i, j, 133) < 0.3 {
                return;
            }
            path_circle(&mut b.d[0], q + p(0.9, 0.7), 2.0);
            for (dx, dy) in [(-2.2, -2.6), (0.0, -4.0), (2.2, -2.6)] {
                pair(&mut b.d[1], "M", q + p(0.5, 0.6));
                pair(&mut b.d[1], "L", q + p(dx - 0.5, dy));
                pair(&mut b.d[1], "L", q + p(-0.5, 0.6));
            }
        },
        &["fill=\"#a8a06a\"", "fill=\"#77793f\""],
    );
}

/// Trees in rows.
fn orchard(pen: &mut Pen, place: &Place, f: &Field) {
    scatter(
        place.view,
        13.0,
        141,
        pen,
        |b, q, i, j| {
            let straight = p(i as f64 * 13.0, j as f64 * 13.0);
            if f.at(straight) > 0.6 && place.mask.at(q) == 0 {
                crown(b, straight, 3.4);
            }
        },
        &["fill=\"#98a673\" fill-opacity=\"0.7\"", "fill=\"#a9bb80\"", "fill=\"#c5d1a0\""],
    );
}

/// One swatch for the legend: the fill and a few strokes of the texture, inside `area`.
pub(crate) fn swatch(pen: &mut Pen, g: Ground, area: Rect, relief: &Relief) {
    let mut f = Field::over(area, STEP);
    f.v.fill(1.0);
    let mask = Mask::over(area);
    let place = Place { view: area, mask: &mask, relief };
    let clip = Field { v: vec![1.0; f.v.len()], ..f.clone() };
    match g {
        Ground::LightWoods => light_woods(pen, &place, &clip, None),
        Ground::Forest => forest(pen, &place, &clip, None),
        Ground::WoodedRough => wooded_rough(pen, &place, &clip),
        Ground::Rough | Ground::Heights => hachures(pen, &place, &clip, "#8a6d45", 13.0),
        Ground::Swamp => swamp(pen, &place, &clip),
        Ground::Polder => polder(pen, &place, &clip),
        Ground::WetWoods => {
            polder(pen, &place, &clip);
            light_woods(pen, &place, &clip, None);
        }
        Ground::Sand => sand(pen, &place, &clip),
        Ground::Scrub => scrub(pen, &place, &clip),
        Ground::Orchard => orchard(pen, &place, &clip),
        _ => dry_texture(pen, &place, &clip, g, None),
    }
}
