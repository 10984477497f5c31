//! Towns: houses along the roads, on a tinted footprint; the larger the place, the more rows of houses.

use std::collections::BTreeMap;

use super::geom::{HEX, P, Rect, p, path_circle, path_lines, swing, turned_rect, unit};
use super::ink::Pen;
use super::roads::Roads;
use super::sheet::Sheet;
use super::water::{Waters, begin};

/// Size of a built-up place; chosen by the style that a settlement declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Size {
    Hamlet,
    Village,
    Town,
    City,
}

impl Size {
    pub fn by_style(style: &str) -> Option<Self> {
        match style {
            "city" | "major_city" | "built_up" => Some(Self::City),
            "town" | "fortress" | "desert_town" | "desert_fort" => Some(Self::Town),
            "village" => Some(Self::Village),
            "hamlet" | "farm" | "oasis" | "well" => Some(Self::Hamlet),
            _ => None,
        }
    }

    /// How far the houses reach from the middle.
    pub fn radius(self) -> f64 {
        match self {
            Self::Hamlet => 0.07 * HEX,
            Self::Village => 0.18 * HEX,
            Self::Town => 0.3 * HEX,
            Self::City => 0.5 * HEX,
        }
    }

    fn rows(self) -> usize {
        match self {
            Self::Hamlet | Self::Village => 1,
            Self::Town => 3,
            Self::City => 5,
        }
    }

    fn most(self) -> usize {
        match self {
            Self::Hamlet => 3,
            Self::Village => 12,
            Self::Town => 46,
            Self::City => 130,
        }
    }
}

/// A house or block: middle, direction of its long side, length, depth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct House {
    pub at: P,
    pub along: P,
    pub l: f64,
    pub w: f64,
}

/// A built-up hex with its houses.
#[derive(Clone, Debug)]
pub(crate) struct Town {
    pub size: Size,
    pub hub: P,
    pub houses: Vec<House>,
    /// Flat-roofed, of mud brick or stone.
    pub flat: bool,
}

/// Size and middle of the settlement of each hex.
pub(crate) fn sites(sheet: &Sheet) -> (Vec<Option<Size>>, Vec<Option<P>>) {
    let map = sheet.map;
    let n = sheet.centre.len();
    let mut size = vec![None; n];
    for (h, s) in size.iter_mut().enumerate() {
        let hex = hexgrid::HexId(h as u16);
        if let Some(kind) = map.settlement(hex) {
            let k = map.terrain_kind(kind);
            *s = Some(
                Size::by_style(if k.style.is_empty() { &k.id } else { &k.style }).unwrap_or(Size::Village),
            );
        }
    }
    let mut mid: Vec<Option<P>> = vec![None; n];
    for (h, s) in size.iter().enumerate() {
        if s.is_some() {
            mid[h] = Some(sheet.centre[h]);
        }
    }
    for place in &map.places {
        let h = place.hex.index();
        if let (Some(at), Some(s)) = (place.at, size.get(h).copied().flatten()) {
            // Near enough to the middle that the houses stay in their own hex.
            let room = match s {
                Size::City => 0.0,
                Size::Town => 0.11 * HEX,
                _ => 0.19 * HEX,
            };
            let v = sheet.point(at) - sheet.centre[h];
            let k = if v.len() > room { room / v.len().max(1e-9) } else { 1.0 };
            mid[h] = Some(sheet.centre[h] + v * k);
        }
    }
    (size, mid)
}

pub(crate) fn towns(
    sheet: &Sheet,
    sizes: &[Option<Size>],
    roads: &Roads,
    waters: &Waters,
) -> BTreeMap<usize, Town> {
    let mut wet: Vec<Vec<(P, f64)>> = vec![Vec::new(); sheet.centre.len()];
    for r in &waters.ribbons {
        for q in &r.line {
            if let Some(h) = sheet.hex_at(*q) {
                wet[h].push((*q, r.water.width() / 2.0));
            }
        }
    }
    let mut out = BTreeMap::new();
    for (h, size) in sizes.iter().enumerate() {
        let Some(size) = *size else { continue };
        if !sheet.sees(sheet.centre[h], HEX) {
            continue;
        }
        let near: Vec<usize> =
            std::iter::once(h).chain((0..6).filter_map(|d| sheet.neighbour(h, d))).collect();
        let streets: Vec<(P, P, f64)> = near
            .iter()
            .flat_map(|n| roads.in_hex[*n].iter().copied())
            .filter(|(q, _, _)| q.dist(roads.hub[h]) < size.radius() + 20.0)
            .collect();
        let water: Vec<(P, f64)> = near.iter().flat_map(|n| wet[*n].iter().copied()).collect();
        out.insert(h, build(sheet, h, size, roads.hub[h], &streets, &water));
    }
    out
}

fn build(sheet: &Sheet, hex: usize, size: Size, hub: P, streets: &[(P, P, f64)], water: &[(P, f64)]) -> Town {
    let key = hex as i64;
    let mut houses: Vec<House> = Vec::new();
    let (base_l, base_w) = match size {
        Size::Hamlet => (5.4, 4.2),
        Size::Village => (7.0, 5.2),
        Size::Town => (8.4, 6.4),
        Size::City => (10.2, 7.6),
    };
    // At a hundred metres per hex, single houses are visible.
    let (base_l, base_w, rows, most, radius) = if sheet.desert {
        (16.0, 12.0, 2, 14, 0.4 * HEX)
    } else {
        (base_l, base_w, size.rows(), size.most(), size.radius())
    };
    let mut own: Vec<(P, P, f64)> = streets.to_vec();
    if own.is_empty() {
        // No road on the map: an invented lane gives the houses a line to follow.
        let u = P::default().polar(std::f64::consts::PI * unit(key, 1, 151), 1.0);
        own.extend((-5..=5).map(|k| (hub + u * (f64::from(k) * 5.0), u, 1.5)));
    }
    // Nearest to the middle first, so that the centre is dense and the edge sparse.
    own.sort_by(|a, b| a.0.dist(hub).total_cmp(&b.0.dist(hub)));
    for row in 0..rows {
        for (i, (q, t, half)) in own.iter().enumerate() {
            for side in [-1.0, 1.0] {
                let k = (key * 997 + i as i64, row as i64 * 2 + i64::from(side > 0.0));
                let l = base_l * (0.72 + 0.6 * unit(k.0, k.1, 152));
                let w = base_w * (0.75 + 0.45 * unit(k.0, k.1, 153));
                let back = half + 1.0 + base_w / 2.0 + row as f64 * (base_w + 2.4);
                let at = *q + t.right() * (side * (back + 0.6 * swing(k.0, k.1, 154)));
                let reach = radius * (0.86 + 0.16 * swing(k.0, k.1, 155));
                if at.dist(hub) > reach
                    || (row > 0 && unit(k.0, k.1, 156) < 0.12)
                    || sheet.hex_at(at).is_some_and(|h| h != hex && size < Size::City)
                {
                    continue;
                }
                let house = House { at, along: *t, l, w };
                if fits(&house, &houses, &own, water) {
                    houses.push(house);
                }
            }
            if houses.len() >= most {
                break;
            }
        }
    }
    Town { size, hub, houses, flat: sheet.desert }
}

/// Whether a house overlaps no other, no street and no water.
fn fits(h: &House, others: &[House], streets: &[(P, P, f64)], water: &[(P, f64)]) -> bool {
    let box_dist = |q: P, b: &House| -> f64 {
        let d = q - b.at;
        let (x, y) = (d.dot(b.along).abs() - b.l / 2.0, d.dot(b.along.right()).abs() - b.w / 2.0);
        x.max(y)
    };
    let corners = turned_rect(h.at, h.along, h.l, h.w);
    let clear = others.iter().all(|o| {
        if o.at.dist(h.at) > 40.0 {
            return true;
        }
        let theirs = turned_rect(o.at, o.along, o.l, o.w);
        corners.iter().chain([&h.at]).all(|c| box_dist(*c, o) > 0.9)
            && theirs.iter().chain([&o.at]).all(|c| box_dist(*c, h) > 0.9)
    });
    clear
        && streets.iter().all(|(q, _, half)| box_dist(*q, h) > half - 0.4)
        && water.iter().all(|(q, half)| box_dist(*q, h) > *half + 0.8)
}

/// The tinted ground under the houses; below the roads.
pub(crate) fn draw_footprints<'a>(
    pen: &mut Pen,
    sheet: Option<&Sheet>,
    towns: impl Iterator<Item = &'a Town>,
) {
    begin(pen, sheet, "footprints", "stroke=\"none\"");
    let mut rim = String::new();
    let mut body = String::new();
    for t in towns {
        let r = match t.size {
            Size::Hamlet => continue,
            Size::Village => 6.2,
            Size::Town => 8.2,
            Size::City => 10.0,
        };
        for h in &t.houses {
            path_circle(&mut rim, h.at, r + 1.3);
            path_circle(&mut body, h.at, r);
        }
    }
    let (edge, ground) =
        if sheet.is_some_and(|s| s.desert) { ("#b58f5c", "#e2caa0") } else { ("#b9a08e", "#dfcfbf") };
    pen.path(&rim, &format!("fill=\"{edge}\" fill-opacity=\"0.55\""));
    pen.path(&body, &format!("fill=\"{ground}\""));
    pen.close();
}

pub(crate) fn draw_houses<'a>(pen: &mut Pen, sheet: Option<&Sheet>, towns: impl Iterator<Item = &'a Town>) {
    begin(pen, sheet, "towns", "stroke-linejoin=\"round\"");
    let mut drawn = [Houses::default(), Houses::default()];
    for t in towns {
        let out = &mut drawn[usize::from(t.flat)];
        for h in &t.houses {
            path_lines(&mut out.shadow, &turned_rect(h.at + p(0.9, 1.1), h.along, h.l, h.w), true);
            path_lines(&mut out.walls, &turned_rect(h.at, h.along, h.l, h.w), true);
            let lit = h.along.right() * (if h.along.right().y > 0.0 { -1.0 } else { 1.0 });
            let roof = if t.flat {
                // A terrace behind its parapet.
                turned_rect(h.at, h.along, h.l - 2.4, h.w - 2.4)
            } else {
                // The lit half of the roof.
                turned_rect(h.at + lit * (h.w * 0.22), h.along, h.l * 0.96, h.w * 0.46)
            };
            path_lines(&mut out.roofs, &roof, true);
        }
    }
    let inks = [
        ("fill=\"#7d6259\" stroke=\"#4a3831\" stroke-width=\"0.7\"", "fill=\"#95786c\""),
        ("fill=\"#b08d5c\" stroke=\"#5f4322\" stroke-width=\"0.8\"", "fill=\"#efe0bd\""),
    ];
    for (houses, (walls, roofs)) in drawn.iter().zip(inks) {
        pen.path(&houses.shadow, "fill=\"#3b2f29\" fill-opacity=\"0.35\"");
        pen.path(&houses.walls, walls);
        pen.path(&houses.roofs, roofs);
    }
    pen.close();
}

/// Paths of houses under construction.
#[derive(Default)]
struct Houses {
    shadow: String,
    walls: String,
    roofs: String,
}

/// The box around a town's houses.
pub(crate) fn extent(t: &Town) -> Rect {
    let r = Rect::of(t.houses.iter().flat_map(|h| turned_rect(h.at, h.along, h.l, h.w)));
    if t.houses.is_empty() { Rect::around(t.hub, 8.0, 8.0) } else { r }
}
