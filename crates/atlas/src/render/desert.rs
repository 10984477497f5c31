//! Desert terrain: stones, dunes, wadi beds, palms; and hills with hachures down their slopes.

use super::field::Field;
use super::geom::{
    HEX, P, Rect, noise, p, pair, path_circle, path_lines, path_spline, resampled, simplified, swing, unit,
};
use super::ground::outline;
use super::ink::Pen;
use super::sheet::Sheet;
use super::texture::{Block, Place, scatter};

/// Short strokes of dry grass, far apart.
pub(super) fn brush(pen: &mut Pen, place: &Place, f: &Field) {
    pen.group("fill=\"none\" stroke-linecap=\"round\"");
    scatter(
        place.view,
        15.0,
        201,
        pen,
        |b, q, i, j| {
            if f.at(q) < 0.56 || place.mask.at(q) != 0 || unit(i, j, 202) < 0.34 {
                return;
            }
            let s = 0.8 + 0.5 * unit(i, j, 203);
            for (dx, h) in [(-2.6, 3.4), (0.0, 4.8), (2.6, 3.2)] {
                path_lines(&mut b.d[0], &[q, q + p(dx, -h) * s], false);
            }
        },
        &["stroke=\"#8d8348\" stroke-width=\"0.9\" stroke-opacity=\"0.8\""],
    );
    pen.close();
}

/// Thorny bushes: a round crown with a shadow to the south-east.
pub(super) fn scrub(pen: &mut Pen, place: &Place, f: &Field) {
    scatter(
        place.view,
        13.4,
        211,
        pen,
        |b, q, i, j| {
            if f.at(q) < 0.55 || place.mask.at(q) != 0 || unit(i, j, 212) < 0.24 {
                return;
            }
            let r = 2.2 + 1.7 * unit(i, j, 213);
            path_circle(&mut b.d[0], q + p(0.5 * r, 0.6 * r), r);
            path_circle(&mut b.d[1], q, r * 0.95);
            path_circle(&mut b.d[2], q - p(0.3 * r, 0.34 * r), r * 0.5);
        },
        &["fill=\"#7b6a35\" fill-opacity=\"0.5\"", "fill=\"#8f8a4b\"", "fill=\"#aaa463\""],
    );
}

/// Broken rock: angular blocks, each with a lit face.
pub(super) fn stones(pen: &mut Pen, place: &Place, f: &Field) {
    scatter(
        place.view,
        10.5,
        221,
        pen,
        |b, q, i, j| {
            if f.at(q) < 0.54 || place.mask.at(q) != 0 || unit(i, j, 222) < 0.22 {
                return;
            }
            let r = 1.8 + 2.9 * unit(i, j, 223) * unit(i, j, 224);
            let turn = 6.3 * unit(i, j, 225);
            let corner = |k: u32| {
                let a = turn + f64::from(k) * 1.257;
                q.polar(a, r * (0.72 + 0.4 * unit(i * 7 + i64::from(k), j, 226)))
            };
            let block: Vec<P> = (0..5).map(corner).collect();
            let shadow: Vec<P> = block.iter().map(|c| *c + p(0.9, 1.1)).collect();
            path_lines(&mut b.d[0], &shadow, true);
            path_lines(&mut b.d[1], &block, true);
            // The face towards the light.
            let lit: Vec<P> = block.iter().map(|c| q + (*c - q) * 0.55 - p(0.3 * r, 0.34 * r)).collect();
            path_lines(&mut b.d[2], &lit, true);
        },
        &["fill=\"#5d4526\" fill-opacity=\"0.55\"", "fill=\"#a5875a\"", "fill=\"#cdb084\""],
    );
}

/// Flat sand: fine stipple in faint ripples.
pub(super) fn sand(pen: &mut Pen, place: &Place, f: &Field) {
    scatter(
        place.view,
        8.2,
        231,
        pen,
        |b, q, i, j| {
            let ripple = ((q.y + 0.35 * q.x) / 21.0 + 1.2 * noise(q.x / 90.0, q.y / 90.0, 232)).fract().abs();
            if f.at(q) > 0.52 && place.mask.at(q) == 0 && unit(i, j, 233) > 0.4 + 0.5 * ripple {
                path_circle(&mut b.d[0], q, 0.55 + 0.35 * unit(i, j, 234));
            }
        },
        &["fill=\"#b08f4e\" fill-opacity=\"0.6\""],
    );
}

/// Dunes: long curved crests with the shade on their lee side.
pub(super) fn dunes(pen: &mut Pen, place: &Place, f: &Field) {
    pen.group("fill=\"none\" stroke-linecap=\"round\"");
    scatter(
        place.view,
        24.0,
        241,
        pen,
        |b, q, i, j| {
            if f.at(q) < 0.6 || place.mask.at(q) != 0 {
                return;
            }
            let l = 10.0 + 6.0 * unit(i, j, 242);
            // The prevailing wind blows from the north-west.
            let along = p(0.83, -0.55);
            let bow = along.right() * (3.4 + 2.0 * unit(i, j, 243));
            let crest = [
                q - along * l,
                q + bow * 0.75 - along * (0.4 * l),
                q + bow,
                q + along * (0.55 * l) + bow * 0.5,
                q + along * l,
            ];
            path_spline(&mut b.d[1], &crest);
            let lee: Vec<P> = crest.iter().map(|c| *c + p(1.5, 2.3)).collect();
            path_spline(&mut b.d[0], &lee);
        },
        &[
            "stroke=\"#b98a42\" stroke-width=\"4.2\" stroke-opacity=\"0.32\"",
            "stroke=\"#fbeec6\" stroke-width=\"1.7\" stroke-opacity=\"0.95\"",
        ],
    );
    pen.close();
    sand(pen, place, f);
}

/// Gravel on the floor of a wadi.
pub(super) fn wadi(pen: &mut Pen, place: &Place, f: &Field) {
    scatter(
        place.view,
        8.6,
        251,
        pen,
        |b, q, i, j| {
            if f.at(q) > 0.72 && place.mask.at(q) == 0 && unit(i, j, 252) > 0.5 {
                path_circle(&mut b.d[0], q, 0.6 + 0.8 * unit(i, j, 253) * unit(i, j, 254));
            }
        },
        &["fill=\"#8d6c40\" fill-opacity=\"0.7\""],
    );
}

/// The banks of wadis: a dark edge with ticks down to the bed.
pub(super) fn banks(pen: &mut Pen, sheet: &Sheet, f: &Field) {
    let edge = outline(sheet, f, 0.5);
    pen.path(&edge, "fill=\"none\" stroke=\"#6d4c26\" stroke-width=\"2\" stroke-opacity=\"0.85\"");
    let mut ticks = String::new();
    for ring in rings(sheet, f) {
        for (k, w) in ring.windows(2).enumerate() {
            let t = (w[1] - w[0]).unit();
            // The bed lies on the left hand of the ring.
            let down = t.right() * -1.0;
            let l = 6.5 + 4.5 * unit(k as i64, w[0].x as i64, 261);
            path_lines(&mut ticks, &[w[0] - t * 1.1, w[0] + t * 1.1, w[0] + down * l], true);
        }
    }
    pen.path(&ticks, "fill=\"#6d4c26\" fill-opacity=\"0.75\"");
}

/// Closed rings around everything above one half, with points at equal distances.
fn rings(sheet: &Sheet, f: &Field) -> Vec<Vec<P>> {
    f.contours(0.5)
        .into_iter()
        .filter(|r| r.len() >= 8 && Rect::of(r.iter().copied()).meets(&sheet.view))
        .map(|r| {
            let mut r = simplified(&r, 0.8);
            r.push(r[0]);
            resampled(&r, 8.0)
        })
        .collect()
}

/// Hills: a tint for each level, its edge, and hachures down the slope except where it is sheer.
pub(super) fn heights(pen: &mut Pen, sheet: &Sheet, levels: &[Field], sheer: impl Fn(P) -> bool) {
    for f in levels {
        let edge = outline(sheet, f, 0.5);
        pen.path(&edge, "fill=\"#b06f2f\" fill-opacity=\"0.17\" stroke=\"#8a5a28\" stroke-opacity=\"0.55\" stroke-width=\"1.2\"");
        let mut wedges = String::new();
        for ring in rings(sheet, f) {
            for (k, w) in ring.windows(2).enumerate() {
                if !sheet.sees(w[0], 20.0) || sheer(w[0]) {
                    continue;
                }
                let t = (w[1] - w[0]).unit();
                let down = t.right();
                let l = 9.0
                    + 5.0 * swing(k as i64, w[0].y as i64, 271).abs()
                    + if k % 2 == 0 { 4.0 } else { 0.0 };
                path_lines(&mut wedges, &[w[0] - t * 1.2, w[0] + t * 1.2, w[0] + down * l], true);
            }
        }
        pen.path(&wedges, "fill=\"#7f5226\" fill-opacity=\"0.5\"");
    }
}

/// Date palms: fronds around a crown, a shadow beside it; the denser, the closer they stand.
pub(super) fn palms(pen: &mut Pen, place: &Place, f: &Field, dense: bool) {
    scatter(
        place.view,
        if dense { 15.5 } else { 22.0 },
        281,
        pen,
        |b, q, i, j| {
            if f.at(q) < 0.58 || place.mask.at(q) != 0 || unit(i, j, 282) < if dense { 0.08 } else { 0.2 } {
                return;
            }
            palm(b, q, 6.4 + 2.0 * unit(i, j, 283), 6.3 * unit(i, j, 284));
        },
        &[
            "fill=\"#5d5a2c\" fill-opacity=\"0.42\"",
            "fill=\"#5f7a3a\"",
            "fill=\"#86a052\"",
            "fill=\"#6b4a25\"",
        ],
    );
}

fn palm(b: &mut Block, q: P, r: f64, turn: f64) {
    path_circle(&mut b.d[0], q + p(0.45 * r, 0.6 * r), r * 0.82);
    for k in 0..8 {
        let a = turn + f64::from(k) * 0.785;
        let tip = q.polar(a, r);
        let side = (tip - q).unit().right() * (0.2 * r);
        let mid = q.lerp(tip, 0.45);
        let layer = 1 + usize::from(k % 2 == 1);
        let d = &mut b.d[layer];
        pair(d, "M", q);
        pair(d, "Q", mid + side * 1.5);
        pair(d, " ", tip);
        pair(d, "Q", mid - side * 0.8);
        pair(d, " ", q);
        d.push('Z');
    }
    path_circle(&mut b.d[3], q, 0.13 * r);
}

/// Size of a swatch's hachures in the legend.
pub(super) fn level_swatch(pen: &mut Pen, r: Rect) {
    pen.rect(p(r.x0, r.y0), r.width(), r.height(), "rx=\"4\" fill=\"#ebdab3\"");
    for k in 1..=3 {
        let x = r.x0 + r.width() * f64::from(k) / 4.0;
        pen.rect(p(x, r.y0), r.x1 - x, r.height(), "fill=\"#b06f2f\" fill-opacity=\"0.17\"");
        let mut d = String::new();
        let mut y = r.y0 + 2.0;
        while y < r.y1 {
            path_lines(&mut d, &[p(x, y - 1.2), p(x, y + 1.2), p(x - 0.11 * HEX, y)], true);
            y += 6.0;
        }
        pen.path(&d, "fill=\"#7f5226\" fill-opacity=\"0.5\"");
    }
}
