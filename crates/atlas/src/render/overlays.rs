//! Layers printed over the land that can be hidden: set-up areas, boundaries, fronts, borders, marks in hexes.

use std::collections::BTreeSet;

use hexgrid::HexId;

use super::fonts::{Face, width};
use super::geom::{HEX, P, Rect, p, path_lines, path_ring, path_spline, relaxed, resampled, spline, star};
use super::ink::{Pen, Type};
use super::mask::{Mask, by};
use super::sheet::Sheet;
use super::water::{chains, extend_to_frame, thinned};
use crate::map::{Area, Layer, Spot};

/// The outlines of a set of hexes as loops of vertices, the set on the right hand.
pub(crate) fn loops(sheet: &Sheet, inside: impl Fn(usize) -> bool) -> Vec<Vec<P>> {
    let mut next: std::collections::BTreeMap<u32, Vec<u32>> = std::collections::BTreeMap::new();
    for h in 0..sheet.centre.len() {
        if !inside(h) {
            continue;
        }
        for d in 0..6 {
            if !sheet.neighbour(h, d).is_some_and(&inside) {
                let (a, b) = (sheet.vertex[h][(d + 5) % 6], sheet.vertex[h][d]);
                next.entry(a).or_default().push(b);
            }
        }
    }
    let mut out = Vec::new();
    while let Some(start) = next.keys().next().copied() {
        let mut ring = Vec::new();
        let mut v = start;
        while let Some(list) = next.get_mut(&v) {
            let Some(to) = list.pop() else { break };
            if list.is_empty() {
                next.remove(&v);
            }
            ring.push(sheet.vertices[v as usize]);
            v = to;
            if v == start {
                break;
            }
        }
        if ring.len() > 2 {
            out.push(ring);
        }
    }
    out
}

/// A loop of [`loops`] moved inwards.
pub(crate) fn inset(ring: &[P], by: f64) -> Vec<P> {
    let n = ring.len();
    (0..n)
        .map(|i| {
            let (a, b, c) = (ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]);
            let (u, v) = ((b - a).unit().right(), (c - b).unit().right());
            let m = (u + v).unit();
            b + m * (by / m.dot(u).max(0.3))
        })
        .collect()
}

/// A line of hexsides with its corners rounded; several pieces where it is broken.
pub(crate) fn line_points(sheet: &Sheet, area: &Area) -> Vec<Vec<P>> {
    let mut pairs: Vec<(u32, u32)> = area.line.iter().map(|s| sheet.side_vertices(*s)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    chains(&pairs)
        .into_iter()
        .map(|walk| {
            let pts: Vec<P> = walk.iter().map(|v| sheet.vertices[*v as usize]).collect();
            let mut line = relaxed(&resampled(&pts, 6.0), 4);
            for end in [walk[walk.len() - 1], walk[0]] {
                if sheet.on_edge(end) {
                    extend_to_frame(sheet, &mut line);
                }
                line.reverse();
            }
            line
        })
        .collect()
}

pub(super) fn style(k: &str, style: &str) -> String {
    if style.is_empty() { k.to_string() } else { style.to_string() }
}

/// Fortified lines and other extras of the terrain: tint and a toothed edge.
pub(crate) fn draw_works(pen: &mut Pen, sheet: &Sheet) {
    pen.open("works", "");
    for (i, k) in sheet.map.terrain_kinds.iter().enumerate() {
        if k.layer != Layer::Extra {
            continue;
        }
        let has = |h: usize| sheet.map.terrain(HexId(h as u16)).contains(crate::map::TerrainId(i as u8));
        match style(&k.id, &k.style).as_str() {
            "west_wall" | "fortified" | "fortification" | "fortified_line" => {
                let mut tint = String::new();
                let mut teeth = String::new();
                let mut wall = String::new();
                for ring in loops(sheet, has) {
                    let soft = inset(&ring, 6.0);
                    path_lines(&mut tint, &inset(&ring, 1.5), true);
                    path_lines(&mut wall, &soft, true);
                    toothed(&mut teeth, &soft);
                }
                pen.path(&tint, "fill=\"#6f6a60\" fill-opacity=\"0.17\"");
                pen.path(&wall, "fill=\"none\" stroke=\"#5a554b\" stroke-width=\"1.5\"");
                pen.path(&teeth, "fill=\"#5a554b\"");
            }
            "minefield" => {
                let mut dots = String::new();
                for h in (0..sheet.centre.len()).filter(|h| has(*h)) {
                    for dx in [-26.0, -13.0, 0.0, 13.0, 26.0] {
                        super::geom::path_circle(
                            &mut dots,
                            sheet.centre[h] + p(dx, 28.0 + if (dx as i32) % 2 == 0 { 0.0 } else { 5.0 }),
                            2.6,
                        );
                    }
                }
                pen.path(&dots, "fill=\"#3b3a36\"");
            }
            "airfield" => {
                for h in (0..sheet.centre.len()).filter(|h| has(*h)) {
                    let c = sheet.centre[h];
                    let mut d = String::new();
                    path_lines(&mut d, &[c + p(-24.0, 10.0), c + p(24.0, -10.0)], false);
                    path_lines(&mut d, &[c + p(-14.0, -14.0), c + p(10.0, 18.0)], false);
                    pen.path(
                        &d,
                        "fill=\"none\" stroke=\"#8a8378\" stroke-width=\"6\" stroke-linecap=\"round\"",
                    );
                    pen.path(
                        &d,
                        "fill=\"none\" stroke=\"#d9d2c2\" stroke-width=\"3.4\" stroke-linecap=\"round\"",
                    );
                }
            }
            // Drawn with the roads.
            "road_bridge" => {}
            _ => {
                // Any other extra: a faint outline, so that nothing declared is invisible.
                let mut d = String::new();
                for ring in loops(sheet, has) {
                    path_lines(&mut d, &inset(&ring, 7.0), true);
                }
                pen.path(&d, "fill=\"#8a7f68\" fill-opacity=\"0.1\" stroke=\"#8a7f68\" stroke-width=\"1.4\" stroke-dasharray=\"2 3\"");
            }
        }
    }
    pen.close();
}

/// Small triangles pointing outwards from a loop.
fn toothed(d: &mut String, ring: &[P]) {
    let mut closed = ring.to_vec();
    closed.push(ring[0]);
    let pts = resampled(&closed, 11.5);
    for w in pts.windows(2) {
        let u = (w[1] - w[0]).unit();
        let (a, b) = (w[0].lerp(w[1], 0.18), w[0].lerp(w[1], 0.82));
        path_lines(d, &[a, b, a.lerp(b, 0.5) - u.right() * 5.4], true);
    }
}

/// Bridges that fill a hex: a span over what lies under the road.
pub(crate) fn draw_hex_bridges(pen: &mut Pen, sheet: &Sheet, roads: &super::roads::Roads) {
    let Some(kind) = sheet.map.terrain_kinds.iter().position(|k| style(&k.id, &k.style) == "road_bridge")
    else {
        return;
    };
    pen.group("fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
    for id in sheet.map.board.ids() {
        let h = id.index();
        if !sheet.map.terrain(id).contains(crate::map::TerrainId(kind as u8))
            || !sheet.sees(sheet.centre[h], HEX)
        {
            continue;
        }
        let at = roads.hub[h];
        let near = roads.in_hex[h].iter().min_by(|a, b| a.0.dist(at).total_cmp(&b.0.dist(at)));
        let (at, along, half) = near.map_or((at, p(1.0, 0.0), 2.8), |(q, t, half)| (*q, *t, *half));
        let span = super::roads::Span { at, along, half, water: 0.36 * HEX };
        super::roads::span(pen, &span, crate::map::BridgeState::Intact);
    }
    pen.close();
}

const fn lettering(size: f64, fill: &'static str) -> Type {
    Type { face: Face::Bold, size, spacing: 0.6, fill, halo: ("#f1ecdd", 3.0), anchor: "middle" }
}

/// Tint of what one side holds.
pub(crate) fn draw_control(pen: &mut Pen, sheet: &Sheet) {
    pen.open("control", "");
    let tints = ["#59606b", "#6b7048", "#8a6d45", "#7b4f6d"];
    // The side that holds less is tinted, the other is left plain.
    let mut held = vec![0usize; sheet.map.factions.len()];
    for h in 0..sheet.centre.len() {
        let holder = sheet.map.control(HexId(h as u16));
        if let Some(n) = holder.and_then(|f| held.get_mut(f.0 as usize)) {
            *n += 1;
        }
    }
    for (i, n) in held.iter().enumerate() {
        if *n == 0 || *n * 2 > sheet.centre.len() {
            continue;
        }
        let mut d = String::new();
        for ring in loops(sheet, |h| sheet.map.control(HexId(h as u16)).is_some_and(|f| f.0 as usize == i)) {
            path_ring(&mut d, &ring);
        }
        pen.path(&d, &format!("fill=\"{}\" fill-opacity=\"0.05\"", tints[i % tints.len()]));
    }
    pen.close();
}

/// Whether an area of this kind says where units may be set up.
pub(crate) fn is_setup(kind: &str) -> bool {
    matches!(kind, "setup" | "set_up" | "assembly" | "rear" | "deployment")
}

/// Set-up areas, assembly areas and rear zones: one line where two meet, and their names.
pub(crate) fn draw_areas(pen: &mut Pen, sheet: &Sheet, mask: &mut Mask) {
    pen.open("setup", "");
    let shown = || sheet.map.areas.iter().filter(|a| !a.hexes.is_empty() && is_setup(&a.kind));
    // What a hex belongs to, as a set of bits; more areas than bits only share an edge line.
    let mut member = vec![0u64; sheet.centre.len()];
    for (i, area) in shown().enumerate() {
        for h in &area.hexes {
            if let Some(m) = member.get_mut(h.index()) {
                *m |= 1 << (i % 64);
            }
        }
    }
    let mut tint = String::new();
    for ring in loops(sheet, |h| member[h] != 0) {
        path_lines(&mut tint, &ring, true);
    }
    pen.path(&tint, "fill=\"#3e5a72\" fill-opacity=\"0.035\"");
    let mut sides: Vec<(u32, u32)> = sheet
        .map
        .board
        .side_ids()
        .filter(|s| {
            let [a, b] = sheet.map.board.side_hexes(*s).map(|h| h.map_or(0, |h| member[h.index()]));
            a != b
        })
        .map(|s| sheet.side_vertices(s))
        .collect();
    sides.sort_unstable();
    let mut d = String::new();
    for walk in chains(&sides) {
        let pts: Vec<P> = walk.iter().map(|v| sheet.vertices[*v as usize]).collect();
        path_lines(&mut d, &pts, false);
    }
    pen.path(&d, "fill=\"none\" stroke=\"#f3eee0\" stroke-opacity=\"0.5\" stroke-width=\"3.4\"");
    pen.path(&d, SETUP_LINE);
    for area in shown() {
        let name = sheet.word(&area.name);
        if name.is_empty() {
            continue;
        }
        let t = lettering(15.5, "#33506a");
        let w = width(t.face, name, t.size, t.spacing);
        let mine: Vec<P> = area.hexes.iter().map(|h| sheet.centre[h.index()]).collect();
        let mid = mine.iter().fold(P::default(), |s, q| s + *q) * (1.0 / mine.len().max(1) as f64);
        let best = mine
            .iter()
            .flat_map(|c| [-26.0, -10.0, 12.0, 28.0].map(|dy| *c + p(0.0, dy)))
            .map(|q| {
                let b = Rect::around(q, w, t.size);
                let cost = q.dist(mid) * 2.0
                    + mask.cost(&b, |bits| if bits & (by::TEXT | by::MARK) != 0 { 40.0 } else { 1.5 });
                (q, cost)
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((q, _)) = best {
            mask.rect(&Rect::around(q, w, t.size), by::TEXT);
            pen.text(q + p(0.0, t.size * 0.35), 0.0, name, &t);
        }
    }
    pen.close();
}

/// Reserves the space of lines printed over the map, so that names avoid them.
pub(crate) fn reserve_lines(sheet: &Sheet, mask: &mut Mask, shown: impl Fn(LineKind) -> bool) {
    for area in sheet.map.areas.iter().filter(|a| !a.line.is_empty()) {
        let kind = LineKind::of(&area.kind);
        if shown(kind) {
            let what = if kind == LineKind::Border { by::ROAD } else { by::MARK };
            for line in line_points(sheet, area) {
                mask.line(&line, 3.2, what);
            }
        }
    }
}

/// Lines of hexsides: borders of countries, army boundaries, the front.
pub(crate) fn draw_lines(pen: &mut Pen, sheet: &Sheet, mask: &mut Mask, kind: LineKind) {
    let id = match kind {
        LineKind::Border => "borders",
        LineKind::Boundary => "boundaries",
        LineKind::Front => "front",
    };
    pen.open(id, "fill=\"none\" stroke-linejoin=\"round\"");
    for area in sheet.map.areas.iter().filter(|a| !a.line.is_empty() && LineKind::of(&a.kind) == kind) {
        for line in line_points(sheet, area) {
            draw_line(pen, &line, kind);
            if kind == LineKind::Boundary {
                name_boundary(pen, sheet, mask, area, &line);
            }
        }
    }
    for f in &sheet.map.features {
        if let (Spot::Line(pts), Some(k)) = (&f.at, line_feature(&f.kind))
            && k == kind
        {
            let pts: Vec<P> = pts.iter().map(|q| sheet.point(*q)).collect();
            draw_line(pen, &resampled(&spline(&pts, 6, false), 6.0), kind);
        }
    }
    pen.close();
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Border,
    Boundary,
    Front,
}

impl LineKind {
    pub fn of(kind: &str) -> Self {
        match kind {
            "front" | "front_line" => Self::Front,
            "border" | "state_border" | "country" => Self::Border,
            _ => Self::Boundary,
        }
    }
}

/// The kind of line for a feature of the pack; `None` if its kind is not printed as a line.
pub(crate) fn line_feature(kind: &str) -> Option<LineKind> {
    matches!(
        kind,
        "front" | "front_line" | "border" | "state_border" | "country" | "boundary" | "army_boundary"
    )
    .then(|| LineKind::of(kind))
}

pub(crate) fn draw_line(pen: &mut Pen, line: &[P], kind: LineKind) {
    let mut d = String::new();
    path_spline(&mut d, &thinned(line));
    match kind {
        LineKind::Border => {
            pen.path(&d, "stroke=\"#8a5a80\" stroke-opacity=\"0.2\" stroke-width=\"9\"");
            pen.path(&d, "stroke=\"#7a4a70\" stroke-width=\"1.5\" stroke-dasharray=\"11 3.5 2 3.5\"");
        }
        LineKind::Boundary => {
            pen.path(&d, "stroke=\"#f3eee0\" stroke-opacity=\"0.6\" stroke-width=\"5.5\"");
            pen.path(&d, "stroke=\"#3a3d44\" stroke-width=\"3\" stroke-dasharray=\"15 5 3 5\"");
        }
        LineKind::Front => {
            pen.path(&d, "stroke=\"#f3eee0\" stroke-opacity=\"0.55\" stroke-width=\"6.4\"");
            pen.path(
                &d,
                "stroke=\"#a1332b\" stroke-opacity=\"0.9\" stroke-width=\"3.4\" stroke-dasharray=\"13 6\"",
            );
        }
    }
}

/// Army names on both sides of a boundary, where the name has two parts, and the size mark between them.
fn name_boundary(pen: &mut Pen, sheet: &Sheet, mask: &mut Mask, area: &Area, line: &[P]) {
    let name = sheet.word(&area.name);
    let (above, below) = name.split_once(" / ").unwrap_or((name, ""));
    if name.is_empty() || line.len() < 40 {
        return;
    }
    let t = lettering(15.0, "#3a3d44");
    let w = width(t.face, above, t.size, t.spacing).max(width(t.face, below, t.size, t.spacing));
    let best = (8..line.len() - 8)
        .step_by(4)
        .map(|i| {
            let q = line[i];
            let u = (line[i + 8] - line[i - 8]).unit();
            let b = Rect::around(q, w, 52.0);
            let fits = sheet.view.grown(-10.0).covers(&b);
            let cost = mask.cost(&b, |bits| if bits & by::TEXT != 0 { 30.0 } else { 2.0 })
                + 900.0 * u.y.abs()
                + if fits { 0.0 } else { 1e7 };
            (q, cost)
        })
        .min_by(|a, b| a.1.total_cmp(&b.1));
    let Some((q, cost)) = best else { return };
    if cost > 1e6 {
        return;
    }
    mask.rect(&Rect::around(q, w, 52.0), by::TEXT);
    pen.text(q + p(0.0, -12.0), 0.0, above, &t);
    if !below.is_empty() {
        pen.text(q + p(0.0, 22.0), 0.0, below, &t);
    }
}

/// Rings of Victory Hexes.
pub(crate) fn draw_victory(pen: &mut Pen, sheet: &Sheet) {
    pen.open("victory", "fill=\"none\" stroke-linejoin=\"round\"");
    let won: BTreeSet<usize> = sheet.map.victory.iter().map(|v| v.hex.index()).collect();
    let mut rings = String::new();
    let mut stars = String::new();
    for h in won.iter().filter(|h| **h < sheet.centre.len()) {
        path_lines(&mut rings, &inset(&sheet.corners[*h], 4.4), true);
        let corner = sheet.corners[*h][0].lerp(sheet.centre[*h], 0.24);
        path_lines(&mut stars, &star(corner, 5, 6.6, 2.9), true);
    }
    pen.path(&rings, "stroke=\"#f6efd8\" stroke-opacity=\"0.8\" stroke-width=\"4.6\"");
    pen.path(&rings, "stroke=\"#b8902a\" stroke-width=\"2.4\"");
    pen.path(&stars, "fill=\"#d9b23c\" stroke=\"#6d5412\" stroke-width=\"0.8\"");
    pen.close();
}

/// The line of set-up areas.
pub(crate) const SETUP_LINE: &str = "fill=\"none\" stroke=\"#33506a\" stroke-opacity=\"0.85\" stroke-width=\"1.8\" stroke-dasharray=\"7 4.5\" stroke-linejoin=\"round\"";

/// How a bottleneck is marked.
pub(crate) const BOTTLENECK: &str = "fill=\"#d9a62c\" fill-opacity=\"0.14\" stroke=\"#b07d12\" stroke-width=\"2\" stroke-dasharray=\"0.1 4.6\" stroke-linecap=\"round\"";

/// Marks in hexes: fuel dumps, bottlenecks, supply sources.
pub(crate) fn draw_marks(pen: &mut Pen, sheet: &Sheet) {
    pen.open("marks", "");
    for area in sheet.map.areas_of("bottleneck") {
        let mut d = String::new();
        for ring in loops(sheet, |h| area.hexes.contains(HexId(h as u16))) {
            path_lines(&mut d, &inset(&ring, 3.0), true);
        }
        pen.path(&d, BOTTLENECK);
    }
    for area in sheet.map.areas_of("landing_zone") {
        super::zones::draw_landing_zone(pen, sheet, area);
    }
    for f in &sheet.map.features {
        let Spot::Hex(hex) = f.at else { continue };
        let h = hex.index();
        if h >= sheet.centre.len() || !sheet.sees(sheet.centre[h], HEX) {
            continue;
        }
        match f.kind.as_str() {
            "fuel_dump" | "fuel" => {
                let c = sheet.centre[h] + p(-27.0, 17.0);
                jerrycan(pen, c);
                let t = lettering(11.0, "#7c1f18");
                pen.text(c + p(0.0, 4.6), 0.0, short(&f.id), &Type { fill: "#ffffff", halo: ("", 0.0), ..t });
            }
            "unknown" => super::zones::draw_unknown(pen, sheet.centre[h]),
            _ => {}
        }
    }
    pen.close();
}

/// The last word of an id: `fuel_dump_a` is marked A.
fn short(id: &str) -> &str {
    id.rsplit(['_', '-', ' ']).next().unwrap_or(id)
}

pub(crate) fn jerrycan(pen: &mut Pen, c: P) {
    let mut d = String::new();
    path_lines(
        &mut d,
        &[c + p(-6.5, -6.0), c + p(-3.5, -9.0), c + p(6.5, -9.0), c + p(6.5, 9.0), c + p(-6.5, 9.0)],
        true,
    );
    pen.path(&d, "fill=\"#9a3128\" stroke=\"#f3eee0\" stroke-width=\"1.6\" stroke-linejoin=\"round\" paint-order=\"stroke\"");
    let mut h = String::new();
    path_lines(&mut h, &[c + p(-1.5, -9.5), c + p(-1.5, -12.0), c + p(4.5, -12.0), c + p(4.5, -9.5)], false);
    pen.path(&h, "fill=\"none\" stroke=\"#9a3128\" stroke-width=\"1.7\"");
}
