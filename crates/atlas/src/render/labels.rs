//! Lettering: every name gets the cheapest of its candidate spots, the important ones first.
//!
//! The cost of a spot is what it covers (water, houses, roads, other names) plus its distance from the best position.
//! Taken spots are marked on the mask, so the placement is linear in the number of names.

use std::collections::BTreeMap;

use hexgrid::HexId;

use super::fonts::{Face, width};
use super::geom::{HEX, P, Rect, length, offset, p, path_spline, relaxed, resampled};
use super::ink::{Pen, Type};
use super::mask::{Mask, by};
use super::roads::Span;
use super::sheet::Sheet;
use super::towns::{Size, Town, extent};
use super::water::{Water, Waters};
use crate::map::{BridgeKind, RoadId};

const INK: &str = "#2b2a26";
const HALO: &str = "#f3eee0";

/// A straight label that has been placed.
#[derive(Clone, Debug)]
struct StraightLabel {
    at: P,
    text: String,
    kind: Type,
    class: &'static str,
    opacity: f64,
}

/// A label along a line.
#[derive(Clone, Debug)]
struct CurvedLabel {
    line: Vec<P>,
    text: String,
    kind: Type,
}

/// All lettering of a sheet.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    straight: Vec<StraightLabel>,
    curved: Vec<CurvedLabel>,
    /// Small marks for places without houses.
    dots: Vec<P>,
}

const fn kind(face: Face, size: f64, fill: &'static str, halo: f64) -> Type {
    Type { face, size, spacing: 0.0, fill, halo: (HALO, halo), anchor: "middle" }
}

pub(super) fn weight(bits: u8) -> f64 {
    let mut w = 0.0;
    for (bit, cost) in
        [(by::TEXT, 40.0), (by::WATER, 7.0), (by::HOUSE, 6.0), (by::ROAD, 1.6), (by::MARK, 5.0)]
    {
        if bits & bit != 0 {
            w += cost;
        }
    }
    w
}

/// How a place is lettered.
fn place_type(class: &str, size: Option<Size>) -> (Type, &'static str, bool) {
    match (class, size) {
        ("city", _) => {
            let mut t = kind(Face::Bold, 29.0, INK, 5.0);
            t.spacing = 2.6;
            (t, "city", true)
        }
        ("town" | "fortress", _) => (kind(Face::Bold, 19.5, INK, 4.4), "town", false),
        ("village", _) => (kind(Face::Medium, 14.2, INK, 3.6), "village", false),
        ("hamlet" | "farm" | "crossroads" | "oasis" | "well", _) => {
            (kind(Face::Regular, 11.8, "#3f3c35", 3.2), "hamlet", false)
        }
        (_, Some(_)) => (kind(Face::Medium, 14.2, INK, 3.6), "village", false),
        _ => (kind(Face::Nature, 15.0, "#4a4434", 3.2), "landmark", false),
    }
}

fn is_nature(class: &str) -> bool {
    matches!(
        class,
        "region"
            | "forest"
            | "woods"
            | "ridge"
            | "hills"
            | "plateau"
            | "valley"
            | "moor"
            | "landmark"
            | "heights"
            | "desert"
            | "country"
    )
}

pub(crate) fn labels(
    sheet: &Sheet,
    towns: &BTreeMap<usize, Town>,
    hubs: &[P],
    waters: &Waters,
    spans: &[Span],
    mask: &mut Mask,
) -> Labels {
    let mut out = Labels::default();
    let mut order: Vec<&crate::map::Place> = sheet
        .map
        .places
        .iter()
        .filter(|q| q.hex.index() < sheet.centre.len() && sheet.sees(sheet.centre[q.hex.index()], HEX))
        .collect();
    order.sort_by(|a, b| (rank(&a.class), a.importance, &a.id).cmp(&(rank(&b.class), b.importance, &b.id)));
    let (nature, people): (Vec<_>, Vec<_>) = order.into_iter().partition(|q| is_nature(&q.class));
    let big = |q: &&crate::map::Place| matches!(q.class.as_str(), "city" | "town" | "fortress");
    for place in people.iter().copied().filter(|q| big(q)) {
        name_place(sheet, place, towns, hubs, mask, &mut out);
    }
    rivers(sheet, waters, mask, &mut out);
    name_crossings(sheet, waters, spans, mask, &mut out);
    for place in people.iter().copied().filter(|q| !big(q)) {
        name_place(sheet, place, towns, hubs, mask, &mut out);
    }
    for place in nature {
        name_nature(sheet, place, mask, &mut out);
    }
    out
}

/// Names of the crossings that matter: over great rivers, of the best roads, railway bridges and ferries.
fn name_crossings(sheet: &Sheet, waters: &Waters, spans: &[Span], mask: &mut Mask, out: &mut Labels) {
    let mut t = kind(Face::NatureBold, 11.6, "#1f3f57", 3.0);
    t.spacing = 0.1;
    for (bridge, span) in sheet.map.bridges.iter().zip(spans) {
        let great = waters.sides.get(&sheet.side_vertices(bridge.side)).is_some_and(|w| *w >= Water::Major);
        let first = sheet.map.side(bridge.side).road == Some(RoadId(0));
        let text = sheet.word(&bridge.name);
        if text.is_empty()
            || !(great || first || bridge.kind != BridgeKind::Road)
            || !sheet.sees(span.at, HEX)
        {
            continue;
        }
        // In games that number their bridges the number marks them.
        if bridge.number.is_some() || sheet.map.bridges.iter().all(|b| b.kind == BridgeKind::Road) {
            continue;
        }
        let w = width(t.face, text, t.size, t.spacing);
        let around = Rect::around(span.at, span.water + 12.0, span.water + 8.0);
        let Some((c, _)) = best_spot(sheet, mask, &around, w, t.size, false) else { continue };
        mask.rect(&Rect::around(c, w, t.size * 0.74).grown(1.6), by::TEXT);
        let at = p(c.x, c.y + t.size * 0.35);
        out.straight.push(StraightLabel {
            at,
            text: text.to_string(),
            kind: t,
            class: "crossing",
            opacity: 1.0,
        });
    }
}

fn rank(class: &str) -> u8 {
    match class {
        "city" => 0,
        "town" | "fortress" => 1,
        "village" => 2,
        _ => 3,
    }
}

fn name_place(
    sheet: &Sheet,
    place: &crate::map::Place,
    towns: &BTreeMap<usize, Town>,
    hubs: &[P],
    mask: &mut Mask,
    out: &mut Labels,
) {
    let h = place.hex.index();
    let (mut t, class, caps) = place_type(&place.class, towns.get(&h).map(|t| t.size));
    let name = sheet.word(&place.name);
    if name.is_empty() {
        return;
    }
    let text = if caps { name.to_uppercase() } else { name.to_string() };
    if text.chars().any(|c| c as u32 > 0x2e00) {
        // East Asian scripts read well a little smaller and need no extra spacing.
        t.size *= 0.88;
        t.spacing *= 0.4;
    }
    let around = cluster(sheet, h, towns);
    let around = around.unwrap_or_else(|| {
        let q = place.at.map_or(hubs[h], |at| {
            let q = sheet.point(at);
            if q.dist(sheet.centre[h]) > 0.45 * HEX { hubs[h] } else { q }
        });
        let q = if towns.contains_key(&h) { hubs[h] } else { q };
        out.dots.push(q);
        mask.disc(q, 3.4, by::HOUSE);
        Rect::around(q, 6.5, 6.5)
    });
    let w = width(t.face, &text, t.size, t.spacing);
    let best = best_spot(sheet, mask, &around, w, t.size, place.class == "city");
    let Some((c, _)) = best else { return };
    let b = Rect::around(c, w, t.size * 0.74);
    mask.rect(&b.grown(1.6), by::TEXT);
    out.straight.push(StraightLabel { at: p(c.x, c.y + t.size * 0.35), text, kind: t, class, opacity: 1.0 });
}

/// Box around the houses of a hex and of the hexes of the same town that have no name of their own.
fn cluster(sheet: &Sheet, h: usize, towns: &BTreeMap<usize, Town>) -> Option<Rect> {
    let own = towns.get(&h)?;
    let mut seen = vec![h];
    let mut i = 0;
    let mut area = extent(own);
    while i < seen.len() {
        for d in 0..6 {
            let Some(n) = sheet.neighbour(seen[i], d) else { continue };
            let joins = towns.get(&n).is_some_and(|t| t.size == own.size && t.size >= Size::Town)
                && !seen.contains(&n)
                && !sheet.map.places.iter().any(|q| q.hex == HexId(n as u16));
            if joins {
                let e = extent(&towns[&n]);
                area = Rect::of([p(area.x0, area.y0), p(area.x1, area.y1), p(e.x0, e.y0), p(e.x1, e.y1)]);
                seen.push(n);
            }
        }
        i += 1;
    }
    Some(area)
}

/// The cheapest middle for a text of width `w` beside the box.
fn best_spot(sheet: &Sheet, mask: &Mask, around: &Rect, w: f64, size: f64, over: bool) -> Option<(P, f64)> {
    let h = size * 0.74;
    let c = around.centre();
    let gap = 2.4 + size * 0.08;
    let (east, west) = (around.x1 + gap + w / 2.0, around.x0 - gap - w / 2.0);
    let (north, south) = (around.y0 - gap - h / 2.0, around.y1 + gap + h / 2.0);
    let mut spots: Vec<(P, f64)> = Vec::with_capacity(40);
    // East, then above and below, then west: the order cartographers teach.
    for (k, dy) in [0.0, -0.45, 0.45, -0.9, 0.9].iter().enumerate() {
        let k = k as f64;
        spots.push((p(east, c.y + dy * h), 6.0 * k));
        spots.push((p(west, c.y + dy * h), 26.0 + 6.0 * k));
    }
    for (k, dx) in [0.0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75].iter().enumerate() {
        let k = k as f64;
        spots.push((p(c.x + dx * w, south), 14.0 + 5.0 * k));
        spots.push((p(c.x + dx * w, north), 22.0 + 5.0 * k));
    }
    for far in [1.7, 2.6] {
        for (dx, dy) in [
            (0.0, 1.0),
            (0.0, -1.0),
            (1.0, 0.0),
            (-1.0, 0.0),
            (0.7, 0.8),
            (-0.7, 0.8),
            (0.7, -0.8),
            (-0.7, -0.8),
        ] {
            let q = p(
                c.x + dx * (around.width() / 2.0 + w / 2.0 + gap * far),
                c.y + dy * (around.height() / 2.0 + h / 2.0 + gap * far * 1.6),
            );
            spots.push((q, 90.0 * far));
        }
    }
    if over {
        spots.push((c, 30.0));
    }
    let frame = sheet.frame.grown(-4.0);
    let mut best: Option<(P, f64)> = None;
    for (q, base) in spots {
        let b = Rect::around(q, w, h);
        if !frame.covers(&b) {
            continue;
        }
        let cover = |bits: u8| {
            // A city's name may cover its own houses.
            if over && bits & by::TEXT == 0 {
                weight(bits & !by::HOUSE) + if bits & by::HOUSE != 0 { 0.5 } else { 0.0 }
            } else {
                weight(bits)
            }
        };
        let cost = base + mask.cost(&b.grown(1.0), cover);
        if best.is_none_or(|(_, c)| cost < c) {
            best = Some((q, cost));
        }
    }
    best
}

fn name_nature(sheet: &Sheet, place: &crate::map::Place, mask: &mut Mask, out: &mut Labels) {
    let (size, fill, spacing, opacity) = match place.class.as_str() {
        "region" | "plateau" | "desert" => (23.0, "#6a5a3c", 9.0, 0.78),
        "country" => (34.0, "#7b4f6d", 14.0, 0.6),
        "forest" | "woods" | "moor" => (18.0, "#3e5030", 4.0, 0.9),
        "ridge" | "hills" | "heights" | "valley" => (16.5, "#6a5232", 3.6, 0.9),
        _ => (14.0, "#55492f", 1.2, 0.95),
    };
    let name = sheet.word(&place.name);
    if name.is_empty() {
        return;
    }
    let caps = matches!(place.class.as_str(), "region" | "plateau" | "desert" | "country");
    let text = if caps { name.to_uppercase() } else { name.to_string() };
    let mut t = kind(Face::NatureBold, size, fill, size * 0.2);
    t.spacing = spacing;
    let home = place.at.map_or(sheet.centre[place.hex.index()], |q| sheet.point(q));
    // A long name may be set in two lines.
    let lines: Vec<&str> = if width(t.face, &text, size, spacing) > 3.2 * HEX {
        text.split(' ').collect()
    } else {
        vec![text.as_str()]
    };
    let w = lines.iter().map(|l| width(t.face, l, size, spacing)).fold(0.0, f64::max);
    let lead = size * 1.15;
    let h = lead * lines.len() as f64 - size * 0.3;
    let frame = sheet.frame.grown(-4.0);
    let mut best: Option<(P, f64)> = None;
    for iy in -7..=7 {
        for ix in -6..=6 {
            let q = home + p(f64::from(ix) * 16.0, f64::from(iy) * 12.0);
            let b = Rect::around(q, w, h);
            if !frame.covers(&b) {
                continue;
            }
            let cost = 0.9 * q.dist(home) + mask.cost(&b, weight);
            if best.is_none_or(|(_, c)| cost < c) {
                best = Some((q, cost));
            }
        }
    }
    let Some((c, _)) = best else { return };
    for (i, l) in lines.iter().enumerate() {
        let y = c.y - h / 2.0 + size * 0.72 + lead * i as f64;
        let lw = width(t.face, l, size, spacing);
        mask.rect(&Rect::around(p(c.x, y - size * 0.33), lw, size * 0.8), by::TEXT);
        out.straight.push(StraightLabel {
            at: p(c.x + spacing / 2.0, y),
            text: (*l).to_string(),
            kind: t,
            class: "nature",
            opacity,
        });
    }
}

/// Names of rivers beside their course, repeated on long ones.
fn rivers(sheet: &Sheet, waters: &Waters, mask: &mut Mask, out: &mut Labels) {
    let mut of: BTreeMap<usize, Vec<(Water, &[P])>> = BTreeMap::new();
    for r in &waters.ribbons {
        if let Some(c) = r.course {
            of.entry(c).or_default().push((r.water, &r.line));
        }
    }
    // Great rivers first.
    let mut order: Vec<(usize, Water, f64)> = of
        .iter()
        .map(|(c, parts)| {
            let top = parts.iter().map(|q| q.0).max().unwrap_or(Water::Stream);
            (*c, top, parts.iter().map(|q| length(q.1)).sum())
        })
        .collect();
    order.sort_by(|a, b| b.1.cmp(&a.1).then(b.2.total_cmp(&a.2)).then(a.0.cmp(&b.0)));
    for (c, _, _) in order {
        let name = sheet.word(&sheet.map.watercourses[c].name);
        if name.is_empty() {
            continue;
        }
        let mut named = Vec::new();
        for (water, line) in &of[&c] {
            let size = match water {
                Water::Major | Water::Lake => 24.0,
                Water::River | Water::Canal => 16.0,
                Water::Stream | Water::Wadi => 12.5,
            };
            let mut t = kind(Face::NatureBold, size, "#2c5d80", 3.4);
            t.spacing = size * 0.09;
            let w = width(t.face, name, size, t.spacing) + 4.0;
            along(sheet, mask, line, water.width(), w, &t, name, &mut named, out);
        }
    }
}

#[allow(clippy::too_many_arguments)]
fn along(
    sheet: &Sheet,
    mask: &mut Mask,
    line: &[P],
    ribbon: f64,
    w: f64,
    t: &Type,
    name: &str,
    named: &mut Vec<P>,
    out: &mut Labels,
) {
    let pitch = 6.0;
    let need = (w / pitch).ceil() as usize;
    if line.len() < need + 2 {
        return;
    }
    let apart = if ribbon > 12.0 { 15.0 * HEX } else { 11.0 * HEX };
    let easy = relaxed(&resampled(line, pitch), 12);
    let mut choices: Vec<(f64, bool, usize, bool)> = Vec::new();
    for left in [true, false] {
        for start in (0..easy.len() - need.min(easy.len() - 1)).step_by(2) {
            let piece = &easy[start..=(start + need).min(easy.len() - 1)];
            let (a, b) = (piece[0], piece[piece.len() - 1]);
            if !sheet.view.contains(a)
                || !sheet.view.contains(b)
                || !sheet.frame.grown(-14.0).contains(a)
                || !sheet.frame.grown(-14.0).contains(b)
            {
                continue;
            }
            let flip = b.x < a.x;
            let mid = side_line(piece, flip, left, ribbon, t.size, 0.36);
            let mut bend = 0.0;
            for k in (4..mid.len().saturating_sub(4)).step_by(2) {
                let (u, v) = ((mid[k] - mid[k - 4]).unit(), (mid[k + 4] - mid[k]).unit());
                bend += u.cross(v).abs().powi(2) * 900.0;
            }
            let steep = (mid[mid.len() - 1] - mid[0]).unit().y.abs();
            let mut cover = 0.0;
            for (k, q) in mid.iter().enumerate() {
                let n = (mid[(k + 1).min(mid.len() - 1)] - mid[k.saturating_sub(1)]).unit().right();
                for o in [-0.36, 0.0, 0.36] {
                    let bits = mask.at(*q + n * (o * t.size));
                    cover += weight(bits) * 12.0;
                }
            }
            let cost = bend + 60.0 * steep.powi(3) + cover + if left { 0.0 } else { 14.0 };
            choices.push((cost, left, start, flip));
        }
    }
    choices.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.2, x.1).cmp(&(y.2, y.1))));
    for (cost, left, start, flip) in choices {
        let piece = &easy[start..=(start + need).min(easy.len() - 1)];
        let mid = piece[piece.len() / 2];
        // The first name of a river is placed almost anywhere; repeats only where there is room.
        let limit = if named.is_empty() { 2400.0 } else { 420.0 };
        if cost > limit || named.iter().any(|q| q.dist(mid) < apart) {
            continue;
        }
        let base = side_line(piece, flip, left, ribbon, t.size, 0.0);
        // The inner side of a bend is shorter; a text that does not fit would lose letters.
        if length(&base) < w - 3.0 {
            continue;
        }
        named.push(mid);
        for q in side_line(piece, flip, left, ribbon, t.size, 0.36) {
            mask.disc(q, t.size * 0.52, by::TEXT);
        }
        out.curved.push(CurvedLabel { line: lengthened(&base, 12.0), text: name.to_string(), kind: *t });
    }
}

/// The line for a text beside a river: `lift` is the height above the baseline, in parts of the type size.
fn side_line(piece: &[P], flip: bool, left: bool, ribbon: f64, size: f64, lift: f64) -> Vec<P> {
    let mut pts = piece.to_vec();
    if flip {
        pts.reverse();
    }
    // Reading direction fixed, "left" of it is above the river.
    let up = ribbon / 2.0 + size * 0.3 + 1.5;
    let down = ribbon / 2.0 + size * 0.82 + 1.5;
    let by = if left { -up - lift * size } else { down - lift * size };
    relaxed(&offset(&pts, by), 5)
}

/// The line with both ends extended.
fn lengthened(line: &[P], by: f64) -> Vec<P> {
    let n = line.len();
    let mut out = Vec::with_capacity(n + 2);
    out.push(line[0] + (line[0] - line[2.min(n - 1)]).unit() * by);
    out.extend_from_slice(line);
    out.push(line[n - 1] + (line[n - 1] - line[n.saturating_sub(3)]).unit() * by);
    out
}

pub(crate) fn draw(pen: &mut Pen, labels: &Labels) {
    pen.open("labels", "");
    for q in &labels.dots {
        pen.circle(*q, 2.9, "fill=\"#f7f2e4\" stroke=\"#3f3c35\" stroke-width=\"1.3\"");
    }
    for (i, b) in labels.curved.iter().enumerate() {
        let mut d = String::new();
        let thin: Vec<P> = b.line.iter().step_by(3).copied().chain(b.line.last().copied()).collect();
        path_spline(&mut d, &thin);
        pen.path(&d, &format!("id=\"course{i}\" fill=\"none\" stroke=\"none\""));
        pen.text_on(&format!("course{i}"), &b.text, &b.kind);
    }
    // Small names below, large ones on top.
    for class in ["nature", "hamlet", "landmark", "crossing", "village", "town", "city"] {
        let mine: Vec<&StraightLabel> = labels.straight.iter().filter(|l| l.class == class).collect();
        if mine.is_empty() {
            continue;
        }
        pen.group(&format!("class=\"{class}\""));
        for l in mine {
            if l.opacity < 1.0 {
                pen.group(&format!("opacity=\"{}\"", l.opacity));
                pen.text(l.at, 0.0, &l.text, &l.kind);
                pen.close();
            } else {
                pen.text(l.at, 0.0, &l.text, &l.kind);
            }
        }
        pen.close();
    }
    pen.close();
}
