//! The textures of the ground: trees, hachures, reeds, dunes, scattered over each area by its style.

use super::desert;
use super::field::Field;
use super::geom::{P, Rect, noise, p, pair, path_circle, path_lines, swing, unit};
use super::ground::{Ground, Grounds, STEP};
use super::ink::Pen;
use super::mask::Mask;
use super::relief::Relief;
use super::sheet::Sheet;

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
