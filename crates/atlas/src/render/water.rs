//! Rivers and lakes: ribbons that meander along the hexsides.

use std::collections::{BTreeMap, HashMap};

use super::geom::{HEX, P, noise, p, path_spline, relaxed, resampled, spline, swing};
use super::ink::Pen;
use super::sheet::Sheet;

/// How water is drawn; chosen by the style that a hexside kind declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Water {
    Wadi,
    Stream,
    Canal,
    River,
    Major,
    Lake,
}

impl Water {
    /// The style by name; plain rivers for water that names none.
    pub fn by_style(style: &str, lake: bool) -> Self {
        match style {
            "lake" | "reservoir" => Self::Lake,
            "major_river" | "broad_river" | "meuse" | "rhine" | "estuary" => Self::Major,
            "stream" | "creek" | "brook" => Self::Stream,
            "canal" => Self::Canal,
            "wadi" => Self::Wadi,
            _ if lake => Self::Lake,
            _ => Self::River,
        }
    }

    /// Width of the ribbon with its banks.
    pub fn width(self) -> f64 {
        match self {
            Self::Wadi => 5.0,
            Self::Stream => 3.2,
            Self::Canal => 7.4,
            Self::River => 8.2,
            Self::Major => 18.0,
            Self::Lake => 30.0,
        }
    }

    fn meander(self) -> f64 {
        match self {
            Self::Canal => 0.0,
            Self::Major => 0.055 * HEX,
            Self::Lake => 0.05 * HEX,
            _ => 0.085 * HEX,
        }
    }
}

/// One piece of water without branches.
#[derive(Clone, Debug)]
pub(crate) struct Ribbon {
    pub water: Water,
    /// Index into the map's watercourses.
    pub course: Option<usize>,
    /// Smooth centre line, points about 6 units apart.
    pub line: Vec<P>,
}

/// All water of a sheet.
#[derive(Debug, Default)]
pub(crate) struct Waters {
    pub ribbons: Vec<Ribbon>,
    /// Water of a hexside, by its vertices.
    pub sides: HashMap<(u32, u32), Water>,
}

/// Where water crosses under a road on this hexside: the middle of the ribbon.
pub(crate) fn crossing(sheet: &Sheet, side: (u32, u32), water: Water) -> P {
    sheet.soft_side(side, water.meander())[2]
}

pub(crate) fn waters(sheet: &Sheet) -> Waters {
    let map = sheet.map;
    let mut sides: HashMap<(u32, u32), Water> = HashMap::new();
    for id in map.board.side_ids() {
        for kind in map.side(id).kinds.iter() {
            let Some(k) = map.hexside_kinds.get(kind.0 as usize) else { continue };
            if k.water || k.lake {
                let style = if k.style.is_empty() { &k.id } else { &k.style };
                let water = Water::by_style(style, k.lake);
                let e = sides.entry(sheet.side_vertices(id)).or_insert(water);
                *e = (*e).max(water);
            }
        }
    }
    let mut owner: HashMap<(u32, u32), usize> = HashMap::new();
    for (i, course) in map.watercourses.iter().enumerate() {
        for side in &course.hexsides {
            owner.entry(sheet.side_vertices(*side)).or_insert(i);
        }
    }
    // Chains of one river and one style; ordered maps keep the picture the same on every run.
    let mut groups: BTreeMap<(Water, usize), Vec<(u32, u32)>> = BTreeMap::new();
    for (side, water) in &sides {
        let course = owner.get(side).copied().unwrap_or(usize::MAX);
        groups.entry((*water, course)).or_default().push(*side);
    }
    let mut ribbons = Vec::new();
    for ((water, course), mut list) in groups {
        list.sort_unstable();
        for chain in chains(&list) {
            let line = ribbon_line(sheet, &chain, water);
            ribbons.push(Ribbon { water, course: (course != usize::MAX).then_some(course), line });
        }
    }
    for (i, course) in map.watercourses.iter().enumerate() {
        for line in stream_lines(sheet, course, &sides) {
            ribbons.push(Ribbon { water: Water::Stream, course: Some(i), line });
        }
    }
    Waters { ribbons, sides }
}

/// Splits hexsides into walks along vertices that do not branch.
pub(crate) fn chains(sides: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut at: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (i, (a, b)) in sides.iter().enumerate() {
        at.entry(*a).or_default().push(i);
        at.entry(*b).or_default().push(i);
    }
    let mut used = vec![false; sides.len()];
    let mut out = Vec::new();
    let ends = at.iter().filter(|(_, l)| l.len() != 2).map(|(v, _)| *v);
    let rest = at.keys().copied();
    for start in ends.chain(rest) {
        while let Some(first) = at[&start].iter().copied().find(|i| !used[*i]) {
            let mut walk = vec![start];
            let mut side = first;
            let mut v = start;
            loop {
                used[side] = true;
                v = if sides[side].0 == v { sides[side].1 } else { sides[side].0 };
                walk.push(v);
                let here = &at[&v];
                match here.iter().copied().find(|i| !used[*i]) {
                    Some(i) if here.len() == 2 => side = i,
                    _ => break,
                }
            }
            out.push(walk);
        }
    }
    out
}

fn ribbon_line(sheet: &Sheet, walk: &[u32], water: Water) -> Vec<P> {
    let mut pts: Vec<P> = Vec::with_capacity(walk.len() * 4 + 2);
    for w in walk.windows(2) {
        let side = (w[0].min(w[1]), w[0].max(w[1]));
        let mut piece = sheet.soft_side(side, water.meander());
        if w[0] > w[1] {
            piece.reverse();
        }
        if pts.is_empty() {
            pts.push(piece[0]);
        }
        // The corners of the hex grid are cut: only the ends of a chain keep their vertex.
        pts.extend_from_slice(&piece[1..]);
    }
    let closed = walk.len() > 2 && walk.first() == walk.last();
    let n = pts.len();
    let mut line = resampled(&spline(&pts, 6, false), 6.0);
    if !closed && n > 2 {
        for end in [walk[walk.len() - 1], walk[0]] {
            if sheet.on_edge(end) {
                extend_to_frame(sheet, &mut line);
            }
            line.reverse();
        }
    }
    relaxed(&line, if water >= Water::Major { 3 } else { 2 })
}

/// Extends a line that ends at the map's edge to the neat line.
pub(crate) fn extend_to_frame(sheet: &Sheet, line: &mut Vec<P>) {
    let n = line.len();
    if n < 3 {
        return;
    }
    let end = line[n - 1];
    let f = sheet.frame;
    // Straight out over the nearest edge, mixed with the direction of the line.
    let outs = [
        (end.x - f.x0, p(-1.0, 0.0)),
        (f.x1 - end.x, p(1.0, 0.0)),
        (end.y - f.y0, p(0.0, -1.0)),
        (f.y1 - end.y, p(0.0, 1.0)),
    ];
    let out = outs.iter().min_by(|a, b| a.0.total_cmp(&b.0)).map_or(p(0.0, -1.0), |o| o.1);
    let dir = ((end - line[n - 3]).unit() + out * 1.2).unit();
    for k in 1..=12 {
        line.push(end + dir * (6.0 * f64::from(k)));
    }
}

/// The part of a river that runs through hexes, not along hexsides: its natural course if the pack has one, otherwise
/// from hex to hex, joined to the hexsides where the river continues.
fn stream_lines(
    sheet: &Sheet,
    course: &crate::map::Watercourse,
    sides: &HashMap<(u32, u32), Water>,
) -> Vec<Vec<P>> {
    let mut out: Vec<Vec<P>> = course
        .course
        .iter()
        .map(|line| {
            let pts: Vec<P> = line.iter().map(|q| sheet.point(*q)).collect();
            let last = pts.len().saturating_sub(1);
            let bends: Vec<P> = resampled(&spline(&pts, 6, false), 13.0)
                .into_iter()
                .enumerate()
                .map(|(i, q)| if i == 0 || i == last { q } else { brook(q) })
                .collect();
            resampled(&spline(&bends, 4, false), 5.0)
        })
        .filter(|line: &Vec<P>| line.len() > 1)
        .collect();
    let mut run: Vec<usize> = Vec::new();
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for hex in &course.through {
        let h = hex.index();
        if h >= sheet.centre.len() {
            continue;
        }
        let joins = run.last().is_none_or(|last| (0..6).any(|d| sheet.neighbour(*last, d) == Some(h)));
        if !joins {
            runs.push(std::mem::take(&mut run));
        }
        run.push(h);
    }
    runs.push(run);
    for run in runs.into_iter().filter(|r| !r.is_empty()) {
        let mut pts: Vec<P> = run
            .iter()
            .map(|h| {
                let k = *h as i64;
                sheet.centre[*h] + p(swing(k, 1, 31) * 16.0, 11.0 + swing(k, 2, 31) * 12.0)
            })
            .collect();
        // Both ends continue to the nearest corner that already has water.
        for end in [true, false] {
            let (hex, from) = if end { (run[run.len() - 1], pts[pts.len() - 1]) } else { (run[0], pts[0]) };
            let near = sheet.vertex[hex]
                .iter()
                .filter(|v| sides.keys().any(|(a, b)| a == *v || b == *v))
                .min_by(|a, b| {
                    let d = |v: u32| sheet.vertices[v as usize].dist(from);
                    d(**a).total_cmp(&d(**b))
                });
            if let Some(v) = near {
                let q = sheet.soft_vertex(*v);
                if end {
                    pts.push(q);
                } else {
                    pts.insert(0, q);
                }
            }
        }
        if pts.len() > 1 {
            let rough: Vec<P> = resampled(&pts, 16.0)
                .iter()
                .enumerate()
                .map(|(i, q)| if i == 0 { *q } else { brook(*q) })
                .collect();
            let mut line = resampled(&spline(&rough, 4, false), 6.0);
            let n = line.len();
            line[n - 1] = pts[pts.len() - 1];
            out.push(line);
        }
    }
    out
}

/// The displaced position of a point of a brook's straight course.
fn brook(q: P) -> P {
    let (x, y) = (q.x / 23.0, q.y / 23.0);
    q + p(noise(x, y, 35), noise(x, y, 36)) * 7.0
}

const BANK: &str = "#3f6f8f";
const BODY: &str = "#8fb9cf";

/// Draws everything visible on the sheet, or everything for a sample without a sheet.
pub(crate) fn draw(pen: &mut Pen, sheet: Option<&Sheet>, waters: &Waters) {
    begin(pen, sheet, "water", "fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
    let passes: [(Water, f64, &str, &str); 18] = [
        // Banks of all waters first, then their surfaces, so that tributaries open into their river.
        (Water::Wadi, 5.0, "#b09a6a", "stroke-dasharray=\"9 4\""),
        (Water::Stream, 3.4, BANK, "stroke-opacity=\"0.75\""),
        (Water::Canal, 8.2, "#27506f", ""),
        (Water::River, 8.4, BANK, ""),
        (Water::Major, 25.0, "#cfc9ae", "stroke-opacity=\"0.75\""),
        (Water::Major, 19.0, "#355f80", ""),
        (Water::Lake, 34.0, "#cfc9ae", "stroke-opacity=\"0.75\""),
        (Water::Lake, 29.0, "#355f80", ""),
        (Water::Wadi, 2.6, "#e6dcb8", ""),
        (Water::Stream, 1.9, BODY, ""),
        (Water::Canal, 4.6, "#b9d6e0", ""),
        (Water::River, 5.8, BODY, ""),
        (Water::Major, 16.0, "#7fadc8", ""),
        (Water::Lake, 26.4, "#7fadc8", ""),
        // Waterlines: an engraver's way of showing depth.
        (Water::Major, 10.0, "#94bdd3", ""),
        (Water::Major, 4.5, "#a6cadb", ""),
        (Water::Lake, 19.0, "#94bdd3", ""),
        (Water::Lake, 11.0, "#a6cadb", ""),
    ];
    for (water, width, colour, extra) in passes {
        let mut d = String::new();
        for r in waters.ribbons.iter().filter(|r| r.water == water) {
            if sheet.is_none_or(|s| r.line.iter().any(|q| s.sees(*q, 40.0))) {
                let thin: Vec<P> = thinned(&r.line);
                path_spline(&mut d, &thin);
            }
        }
        pen.path(&d, &format!("stroke=\"{colour}\" stroke-width=\"{width}\" {extra}"));
    }
    pen.close();
}

/// Every second point, ends kept: enough for a spline.
pub(crate) fn thinned(line: &[P]) -> Vec<P> {
    let n = line.len();
    line.iter().enumerate().filter(|(i, _)| i % 2 == 0 || i + 1 == n).map(|(_, q)| *q).collect()
}

/// Opens a named layer on a sheet, or a plain group for a sample in the legend: an id may occur only once in a file.
pub(crate) fn begin(pen: &mut Pen, sheet: Option<&Sheet>, id: &str, attrs: &str) {
    if sheet.is_some() {
        pen.open(id, attrs);
    } else {
        pen.group(attrs);
    }
}
