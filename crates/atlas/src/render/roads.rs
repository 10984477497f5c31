//! Roads: continuous curves through the hexes, and the bridges that carry them over water.

use std::collections::{BTreeMap, HashMap, HashSet};

use hexgrid::HexId;

use super::fonts::Face;
use super::geom::{HEX, P, p, path_lines, path_spline, resampled, spline, swing};
use super::ink::{Pen, Type};
use super::sheet::{Sheet, wobble};
use super::water::{Water, Waters, begin, crossing, thinned};
use crate::map::{BridgeKind, BridgeState};

/// How a road is drawn; chosen by the style that a road class declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Road {
    Rail,
    Track,
    Forest,
    Secondary,
    Primary,
    Autobahn,
}

impl Road {
    /// The style by name; a class with an unknown style is drawn by its rank (`0` is the best of the map).
    pub fn by_style(style: &str, rank: usize) -> Self {
        match style {
            "autobahn" | "motorway" | "highway" => Self::Autobahn,
            "primary" | "major" | "main" | "road" => Self::Primary,
            "secondary" | "minor" => Self::Secondary,
            "forest" | "forest_road" => Self::Forest,
            "track" | "trail" | "path" => Self::Track,
            "rail" | "railroad" | "railway" => Self::Rail,
            _ if rank == 0 => Self::Primary,
            _ => Self::Secondary,
        }
    }

    /// Half the width with casing.
    pub fn half(self) -> f64 {
        match self {
            Self::Autobahn => 5.4,
            Self::Primary => 4.0,
            Self::Secondary => 2.8,
            Self::Forest => 2.4,
            Self::Track | Self::Rail => 1.8,
        }
    }
}

/// A road without branches.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    pub road: Road,
    pub line: Vec<P>,
}

/// All roads of a sheet.
#[derive(Debug, Default)]
pub(crate) struct Roads {
    pub lanes: Vec<Lane>,
    /// Where the roads of a hex meet (also the middle of its town).
    pub hub: Vec<P>,
    /// Points of roads in each hex, with the direction of the road and its half width.
    pub in_hex: Vec<Vec<(P, P, f64)>>,
}

/// A road end in a hex: direction, style, point on the hexside.
#[derive(Clone, Copy, Debug)]
struct Exit {
    d: usize,
    road: Road,
    at: P,
}

pub(crate) fn style_of(sheet: &Sheet, id: crate::map::RoadId) -> Road {
    match sheet.map.road_classes.get(id.0 as usize) {
        Some(c) => Road::by_style(if c.style.is_empty() { &c.id } else { &c.style }, id.0 as usize),
        None => Road::Secondary,
    }
}

pub(crate) fn roads(sheet: &Sheet, waters: &Waters, town: &[Option<P>]) -> Roads {
    let n = sheet.centre.len();
    let mut exits: Vec<Vec<Exit>> = vec![Vec::new(); n];
    for (hex, list) in exits.iter_mut().enumerate() {
        for d in 0..6 {
            if let Some(id) = sheet.side(hex, d).road {
                let side = sheet.side_vertices(sheet.side_id(hex, d));
                let at = if let Some(w) = waters.sides.get(&side) {
                    crossing(sheet, side, *w)
                } else {
                    let (a, b) = (sheet.vertices[side.0 as usize], sheet.vertices[side.1 as usize]);
                    a.lerp(b, 0.5 + 0.13 * swing(i64::from(side.0), i64::from(side.1), 41))
                };
                list.push(Exit { d, road: style_of(sheet, id), at });
            }
        }
    }
    let hub: Vec<P> = (0..n).map(|h| hub_of(sheet, h, &exits[h], town[h])).collect();
    // At each hub exits are paired into through roads; unpaired ones end there.
    let mut partner: HashMap<(usize, usize), usize> = HashMap::new();
    for (hex, list) in exits.iter().enumerate() {
        for (a, b) in pairs(list, hub[hex]) {
            partner.insert((hex, a), b);
            partner.insert((hex, b), a);
        }
    }
    let road_at = |hex: usize, d: usize| exits[hex].iter().find(|e| e.d == d);
    let mut used: HashSet<(usize, usize)> = HashSet::new();
    let mut lanes = Vec::new();
    // Lanes begin at unpaired ends; whatever is left are loops.
    let mut starts: Vec<(usize, usize)> = Vec::new();
    let mut loops: Vec<(usize, usize)> = Vec::new();
    for (hex, list) in exits.iter().enumerate() {
        for e in list {
            let ends_here = !partner.contains_key(&(hex, e.d));
            if ends_here { &mut starts } else { &mut loops }.push((hex, e.d));
        }
    }
    // Roads from the map's edge.
    let edge: Vec<(usize, usize)> =
        loops.iter().copied().filter(|(h, d)| sheet.neighbour(*h, *d).is_none()).collect();
    for (h, d) in edge {
        if used.contains(&(h, d)) {
            continue;
        }
        // Walk inwards from the edge: the lane starts beyond the neat line.
        let Some(e) = road_at(h, d) else { continue };
        let mut pts = vec![outside(sheet, h, d, e.at), e.at];
        used.insert((h, d));
        let road = e.road;
        if let Some(next) = partner.get(&(h, d)).copied() {
            pts.push(hub[h]);
            walk(sheet, &exits, &partner, &hub, &mut used, (h, next), &mut pts);
        } else {
            pts.push(hub[h]);
        }
        lanes.push(lane(road, &pts));
    }
    for (h, d) in starts.into_iter().chain(loops) {
        if used.contains(&(h, d)) {
            continue;
        }
        let Some(e) = road_at(h, d) else { continue };
        let road = e.road;
        let mut pts = vec![hub[h]];
        if let Some(q) = beyond(sheet, &exits, &hub, h) {
            pts.insert(0, q);
        }
        walk(sheet, &exits, &partner, &hub, &mut used, (h, d), &mut pts);
        lanes.push(lane(road, &pts));
    }
    let lanes: Vec<Lane> = lanes.into_iter().flat_map(|l| split_by_ground(sheet, l)).collect();
    let mut in_hex: Vec<Vec<(P, P, f64)>> = vec![Vec::new(); n];
    for l in &lanes {
        for w in l.line.windows(2) {
            if let Some(h) = sheet.hex_at(w[0]) {
                in_hex[h].push((w[0], (w[1] - w[0]).unit(), l.road.half()));
            }
        }
    }
    let hub = hub.into_iter().map(wobble).collect();
    Roads { lanes, hub, in_hex }
}

/// Cuts a road where it enters or leaves hexes in which it is of another kind (a Forest Road).
fn split_by_ground(sheet: &Sheet, lane: Lane) -> Vec<Lane> {
    let style_at = |q: P| {
        let hex = sheet.hex_at(q)?;
        let id = HexId(hex as u16);
        let (_, road) = sheet.map.roads_of(id).find(|(_, road)| style_of(sheet, *road) == lane.road)?;
        let within = sheet.map.road_within(id, road)?;
        Some(Road::by_style(&within.style, usize::from(road.0)))
    };
    let mut out: Vec<Lane> = Vec::new();
    for q in &lane.line {
        let road = style_at(*q).unwrap_or(lane.road);
        match out.last_mut() {
            Some(run) if run.road == road => run.line.push(*q),
            // The runs share a point, so that no gap shows.
            Some(run) => {
                run.line.push(*q);
                out.push(Lane { road, line: vec![*q] });
            }
            None => out.push(Lane { road, line: vec![*q] }),
        }
    }
    out.retain(|run| run.line.len() > 1);
    out
}

/// Follows a road out of `hex` over side `d` as long as it has a partner in the next hex.
fn walk(
    sheet: &Sheet,
    exits: &[Vec<Exit>],
    partner: &HashMap<(usize, usize), usize>,
    hub: &[P],
    used: &mut HashSet<(usize, usize)>,
    from: (usize, usize),
    pts: &mut Vec<P>,
) {
    let (mut hex, mut d) = from;
    loop {
        if !used.insert((hex, d)) {
            return;
        }
        let Some(e) = exits[hex].iter().find(|e| e.d == d) else { return };
        pts.push(e.at);
        let Some(next) = sheet.neighbour(hex, d) else {
            pts.push(outside(sheet, hex, d, e.at));
            return;
        };
        let back = (d + 3) % 6;
        used.insert((next, back));
        pts.push(hub[next]);
        let Some(on) = partner.get(&(next, back)) else {
            pts.extend(beyond(sheet, exits, hub, next));
            return;
        };
        (hex, d) = (next, *on);
    }
}

/// Where a road that ends in a half hex at the edge of a board continues.
fn beyond(sheet: &Sheet, exits: &[Vec<Exit>], hub: &[P], hex: usize) -> Option<P> {
    let edge = (0..6).any(|d| sheet.neighbour(hex, d).is_none());
    match exits[hex][..] {
        [e] if sheet.desert && edge => Some(hub[hex] + (hub[hex] - e.at).unit() * HEX),
        _ => None,
    }
}

/// A point beyond the neat line where a road leaves the map.
fn outside(sheet: &Sheet, hex: usize, d: usize, at: P) -> P {
    let out = (sheet.side_mid(hex, d) - sheet.centre[hex]).unit();
    at + out * (0.75 * HEX)
}

fn lane(road: Road, pts: &[P]) -> Lane {
    let line = resampled(&spline(pts, 10, false), 5.0);
    Lane { road, line: line.into_iter().map(wobble).collect() }
}

fn hub_of(sheet: &Sheet, hex: usize, exits: &[Exit], town: Option<P>) -> P {
    let chord = (exits.len() == 2).then(|| exits[0].at.lerp(exits[1].at, 0.5));
    if let Some(q) = town {
        // The place moves towards the road, the more the sharper the road would have to turn.
        return chord.map_or(q, |c| {
            let turn = (exits[0].at - q).unit().dot((exits[1].at - q).unit());
            q.lerp(c, if turn > 0.0 { 0.55 } else { 0.35 })
        });
    }
    let c = sheet.centre[hex];
    let k = hex as i64;
    let jitter = p(swing(k, 1, 42), swing(k, 2, 42)) * 6.5;
    // A road that only passes through cuts the corner.
    chord.map_or(c, |q| c.lerp(q, if sheet.desert { 0.85 } else { 0.45 })) + jitter
}

/// Pairs of exits that one road joins: same style, as straight as can be.
fn pairs(exits: &[Exit], hub: P) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    for i in 0..exits.len() {
        for j in i + 1..exits.len() {
            let (a, b) = (&exits[i], &exits[j]);
            if a.road != b.road {
                continue;
            }
            // -1 for straight on, 1 for a hairpin.
            let turn = (a.at - hub).unit().dot((b.at - hub).unit());
            if exits.len() == 2 || turn < 0.35 {
                all.push((turn, i, j));
            }
        }
    }
    all.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    let mut taken = [false; 6];
    let mut out = Vec::new();
    for (_, i, j) in all {
        if !taken[exits[i].d] && !taken[exits[j].d] {
            taken[exits[i].d] = true;
            taken[exits[j].d] = true;
            out.push((exits[i].d, exits[j].d));
        }
    }
    out
}

/// Draws everything visible on the sheet, or everything for a sample without a sheet.
pub(crate) fn draw(pen: &mut Pen, sheet: Option<&Sheet>, roads: &Roads) {
    begin(pen, sheet, "roads", "fill=\"none\" stroke-linejoin=\"round\"");
    let mut d: BTreeMap<Road, String> = BTreeMap::new();
    for l in &roads.lanes {
        if sheet.is_none_or(|s| l.line.iter().any(|q| s.sees(*q, 30.0))) {
            path_spline(d.entry(l.road).or_default(), &thinned(&l.line));
        }
    }
    // Tracks are the only roads in a desert.
    let desert = sheet.is_some_and(|s| s.desert);
    let (track, dash) =
        if desert { (2.2, "stroke-dasharray=\"8 4\"") } else { (1.3, "stroke-dasharray=\"5 4\"") };
    let passes: [(Road, f64, &str, &str); 12] = [
        (Road::Track, track * 2.0, "#f4efdf", "stroke-opacity=\"0.7\""),
        (Road::Forest, 5.0, "#f4efdf", "stroke-opacity=\"0.75\" stroke-linecap=\"round\""),
        (Road::Secondary, 5.6, "#f7f2e4", "stroke-linecap=\"round\""),
        (Road::Track, track, "#7b6a52", dash),
        (Road::Forest, 2.2, "#6d5a43", "stroke-dasharray=\"7.5 4\""),
        (Road::Secondary, 2.7, "#86715a", "stroke-linecap=\"round\""),
        (Road::Rail, 2.0, "#4a4742", ""),
        (Road::Primary, 9.0, "#fbf8ee", "stroke-linecap=\"round\""),
        (Road::Primary, 6.6, "#6d3325", "stroke-linecap=\"round\""),
        (Road::Primary, 4.4, "#b2573f", "stroke-linecap=\"round\""),
        (Road::Autobahn, 10.6, "#6d3325", "stroke-linecap=\"round\""),
        (Road::Autobahn, 7.8, "#d99a5a", "stroke-linecap=\"round\""),
    ];
    for (road, width, colour, extra) in passes {
        if let Some(d) = d.get(&road) {
            pen.path(d, &format!("stroke=\"{colour}\" stroke-width=\"{width}\" {extra}"));
        }
    }
    if let Some(d) = d.get(&Road::Autobahn) {
        pen.path(d, "stroke=\"#fbf8ee\" stroke-width=\"1.2\"");
    }
    if let Some(d) = d.get(&Road::Rail) {
        pen.path(d, "stroke=\"#4a4742\" stroke-width=\"6\" stroke-dasharray=\"1.4 9\"");
    }
    pen.close();
}

/// A bridge as drawn: its position, the direction of its road, the width of the water.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub at: P,
    pub along: P,
    pub half: f64,
    pub water: f64,
}

pub(crate) fn spans(sheet: &Sheet, roads: &Roads, waters: &Waters) -> Vec<Span> {
    sheet
        .map
        .bridges
        .iter()
        .filter_map(|b| {
            let (hex, d) = sheet.hex_of_side(b.side)?;
            let side = sheet.side_vertices(b.side);
            let water = waters.sides.get(&side).copied().unwrap_or(Water::River);
            let at = wobble(crossing(sheet, side, water));
            let nearest = [Some(hex), sheet.neighbour(hex, d)]
                .into_iter()
                .flatten()
                .flat_map(|h| roads.in_hex[h].iter())
                .filter(|(q, _, _)| q.dist(at) < 9.0)
                .min_by(|a, b| a.0.dist(at).total_cmp(&b.0.dist(at)));
            let across = (sheet.side_mid(hex, d) - sheet.centre[hex]).unit();
            let (along, half) = nearest.map_or((across, 2.8), |(_, t, h)| (*t, *h));
            let along = if along.dot(across) < 0.0 { along * -1.0 } else { along };
            Some(Span { at, along, half, water: water.width() })
        })
        .collect()
}

pub(crate) fn draw_bridges(pen: &mut Pen, sheet: &Sheet, spans: &[Span]) {
    pen.open("bridges", "fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
    for (bridge, s) in sheet.map.bridges.iter().zip(spans) {
        if !sheet.sees(s.at, 40.0) {
            continue;
        }
        match bridge.kind {
            BridgeKind::Road => span(pen, s, bridge.state),
            BridgeKind::Railroad => rail_span(pen, s, bridge.state),
            BridgeKind::Ferry => ferry(pen, s),
        }
        if let Some(n) = bridge.number {
            let c = s.at + s.along.right() * (s.half + 11.0);
            badge(pen, c, &n.to_string(), bridge.state);
        }
    }
    pen.close();
}

/// One drawn span: deck, parapets with flared ends; broken and red-edged when blown, dashed when being built.
pub(crate) fn span(pen: &mut Pen, s: &Span, state: BridgeState) {
    let (u, v) = (s.along, s.along.right());
    let l = s.water / 2.0 + 4.0;
    let w = s.half + 1.6;
    let rail = |side: f64, from: f64, to: f64| -> Vec<P> {
        let flare = |k: f64| if k.abs() >= l { 3.4 } else { 0.0 };
        let mut pts = Vec::new();
        if from <= -l {
            pts.push(s.at - u * (l + 3.2) + v * (side * (w + flare(l))));
        }
        pts.push(s.at + u * from + v * (side * w));
        pts.push(s.at + u * to + v * (side * w));
        if to >= l {
            pts.push(s.at + u * (l + 3.2) + v * (side * (w + flare(l))));
        }
        pts
    };
    let mut rails = String::new();
    match state {
        BridgeState::Blown => {
            // The gap shows the river again; the stumps are ragged.
            let mut gap = String::new();
            path_lines(&mut gap, &[s.at - v * (w - 0.5), s.at + v * (w - 0.5)], false);
            let g = (l * 0.42).max(3.4);
            pen.path(
                &gap,
                &format!("stroke=\"#8fb9cf\" stroke-width=\"{:.1}\" stroke-linecap=\"butt\"", g * 2.0),
            );
            for side in [-1.0, 1.0] {
                path_lines(&mut rails, &rail(side, -l, -g), false);
                path_lines(&mut rails, &rail(side, g, l), false);
            }
            for end in [-1.0, 1.0] {
                let mut zig = Vec::new();
                for k in 0..=4 {
                    let t = f64::from(k) / 2.0 - 1.0;
                    let z = if k % 2 == 0 { 0.0 } else { 2.6 };
                    zig.push(s.at + u * (end * (g - z)) + v * (t * w));
                }
                path_lines(&mut rails, &zig, false);
            }
            pen.path(&rails, "stroke=\"#f7efe2\" stroke-width=\"3.8\"");
            pen.path(&rails, "stroke=\"#a8231b\" stroke-width=\"2\"");
        }
        BridgeState::UnderConstruction | BridgeState::Intact => {
            for side in [-1.0, 1.0] {
                path_lines(&mut rails, &rail(side, -l, l), false);
            }
            let dash = if state == BridgeState::Intact {
                ""
            } else {
                "stroke-dasharray=\"3.2 2.8\" stroke-linecap=\"butt\""
            };
            pen.path(&rails, "stroke=\"#f4efdf\" stroke-width=\"3.4\"");
            pen.path(&rails, &format!("stroke=\"#2b2a26\" stroke-width=\"1.7\" {dash}"));
        }
    }
}

/// A railway bridge: a short stretch of line with its sleepers, carried by the same span.
pub(crate) fn rail_span(pen: &mut Pen, s: &Span, state: BridgeState) {
    let (u, v) = (s.along, s.along.right());
    let l = s.water / 2.0 + 13.0;
    let mut line = String::new();
    path_lines(&mut line, &[s.at - u * l, s.at + u * l], false);
    pen.path(&line, "stroke=\"#f4efdf\" stroke-width=\"6.4\"");
    pen.path(&line, "stroke=\"#3a3833\" stroke-width=\"1.6\"");
    let mut sleepers = String::new();
    let n = (2.0 * l / 4.2) as i32;
    for k in 0..=n {
        let c = s.at + u * (f64::from(k) / f64::from(n.max(1)) * 2.0 * l - l);
        path_lines(&mut sleepers, &[c - v * 3.2, c + v * 3.2], false);
    }
    pen.path(&sleepers, "stroke=\"#3a3833\" stroke-width=\"1.3\" stroke-linecap=\"butt\"");
    span(pen, &Span { half: 4.2, ..*s }, state);
}

/// A ferry: its line over the water, and a boat.
pub(crate) fn ferry(pen: &mut Pen, s: &Span) {
    let u = s.along;
    let l = s.water / 2.0 + 5.0;
    let mut line = String::new();
    path_lines(&mut line, &[s.at - u * l, s.at + u * l], false);
    pen.path(&line, "stroke=\"#1f4a68\" stroke-width=\"1.8\" stroke-dasharray=\"3 2.4\"");
    pen.circle(s.at, 8.6, "fill=\"#f4efdf\" stroke=\"#1f4a68\" stroke-width=\"1.5\"");
    let c = s.at + p(0.0, 1.6);
    let mut hull = String::new();
    path_lines(&mut hull, &[c + p(-5.6, -1.2), c + p(5.6, -1.2), c + p(3.6, 2.6), c + p(-3.6, 2.6)], true);
    path_lines(&mut hull, &[c + p(-1.8, -4.6), c + p(2.2, -4.6), c + p(2.2, -1.2), c + p(-1.8, -1.2)], true);
    pen.path(&hull, "fill=\"#1f4a68\" stroke=\"none\"");
}

fn badge(pen: &mut Pen, c: P, text: &str, state: BridgeState) {
    let ground = match state {
        BridgeState::Blown => "#a8231b",
        BridgeState::UnderConstruction => "#b98017",
        BridgeState::Intact => "#4a4742",
    };
    pen.circle(c, 7.0, &format!("fill=\"{ground}\" stroke=\"#f7f2e4\" stroke-width=\"1.2\""));
    let t = Type {
        face: Face::Bold,
        size: 10.5,
        spacing: 0.0,
        fill: "#ffffff",
        halo: ("", 0.0),
        anchor: "middle",
    };
    pen.text(c + p(0.0, 3.7), 0.0, text, &t);
}
