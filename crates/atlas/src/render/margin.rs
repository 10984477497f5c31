//! Around the map: neat line, entry marks, and where the roads lead.

use super::fonts::{Face, width};
use super::geom::{HEX, P, Rect, p, path_lines, star};
use super::ink::{Pen, Type};
use super::sheet::Sheet;
use super::zones;
use crate::map::Spot;

/// Paper left around the neat line.
pub(crate) const MARGIN: f64 = 0.95 * HEX;
pub(super) const INK: &str = "#2b2a26";

pub(super) const fn plain(face: Face, size: f64, anchor: &'static str) -> Type {
    Type { face, size, spacing: 0.0, fill: INK, halo: ("", 0.0), anchor }
}

/// The double rule around the map.
pub(crate) fn draw_frame(pen: &mut Pen, sheet: &Sheet) {
    let f = sheet.frame;
    pen.open("frame", "fill=\"none\"");
    let rule = |pen: &mut Pen, grow: f64, w: f64| {
        let g = f.grown(grow);
        pen.rect(p(g.x0, g.y0), g.width(), g.height(), &format!("stroke=\"{INK}\" stroke-width=\"{w}\""));
    };
    rule(pen, 0.8, 1.6);
    rule(pen, 7.0, 4.2);
    pen.close();
}

/// The exit from the map at an edge hex: the point on the neat line and the direction.
fn way_out(sheet: &Sheet, h: usize) -> (P, P) {
    let (c, f) = (sheet.centre[h], sheet.frame);
    let edges = [
        (c.x - f.x0, p(f.x0, c.y), p(-1.0, 0.0)),
        (f.x1 - c.x, p(f.x1, c.y), p(1.0, 0.0)),
        (c.y - f.y0, p(c.x, f.y0), p(0.0, -1.0)),
        (f.y1 - c.y, p(c.x, f.y1), p(0.0, 1.0)),
    ];
    let best = edges.iter().min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or((c, p(0.0, -1.0)), |e| (e.1, e.2))
}

/// Is the hex at the neat line of what is shown? Where the picture cuts through the map there is no edge.
fn at_neat_line(sheet: &Sheet, h: usize) -> bool {
    let c = sheet.centre[h];
    sheet.map.board.is_edge(hexgrid::HexId(h as u16))
        && sheet.frame.contains(c)
        && !sheet.frame.grown(-1.1 * HEX).contains(c)
}

/// Entry marks beside the map, and where the roads lead.
pub(crate) fn draw_entries(pen: &mut Pen, sheet: &Sheet) {
    pen.open("entries", "");
    let mut taken: Vec<Rect> = Vec::new();
    for e in &sheet.map.entries {
        let faction = sheet.map.factions.get(e.side.0 as usize).map_or("", String::as_str);
        // An entry area has its mark in the middle of its stretch of the edge.
        let Some(h) = e.hexes.get(e.hexes.len() / 2).map(|h| h.index()).filter(|h| *h < sheet.centre.len())
        else {
            continue;
        };
        if !at_neat_line(sheet, h) {
            continue;
        }
        if e.hexes.len() > 1 {
            zones::entry_bar(pen, sheet, e, entry_colours(faction).0, |h| way_out(sheet, h));
        }
        let (at, out) = way_out(sheet, h);
        let c = at + out * (0.5 * HEX);
        let mut arrow = String::new();
        let tip = at + out * 10.0;
        let back = at + out * 20.0;
        path_lines(&mut arrow, &[tip, back + out.right() * 9.0, back - out.right() * 9.0], true);
        pen.path(&arrow, "fill=\"#2b2a26\"");
        let text = e.id.rsplit(['_', '-', ' ']).next().unwrap_or(&e.id).to_uppercase();
        entry_mark(pen, c, faction, &text);
        taken.push(Rect::around(c, 64.0, 64.0));
    }
    let t = Type { fill: "#5a5040", ..plain(Face::Nature, 15.0, "middle") };
    for f in &sheet.map.features {
        let Spot::Hexside(side) = f.at else { continue };
        if !matches!(f.kind.as_str(), "exit" | "exit_road" | "road_exit" | "leads_to") {
            continue;
        }
        let Some((h, _)) = sheet.hex_of_side(side) else { continue };
        let name = sheet.word(&f.name);
        if name.is_empty() || !at_neat_line(sheet, h) {
            continue;
        }
        let (at, out) = way_out(sheet, h);
        let w = width(t.face, name, t.size, 0.0);
        // The name runs along the edge, so that it stays within the margin, and begins beyond any mark there.
        let along = p(-out.y.abs(), out.x.abs());
        let degrees = if out.x.abs() > 0.5 { -90.0 } else { 0.0 };
        for shift in [0.0, 46.0 + w / 2.0, -46.0 - w / 2.0, 60.0 + w, -60.0 - w] {
            let c = at + out * 26.0 + along * shift;
            let b = if degrees == 0.0 { Rect::around(c, w, t.size) } else { Rect::around(c, t.size, w) };
            let room = sheet.frame.grown(MARGIN - 4.0).covers(&b);
            if room && !taken.iter().any(|r| r.meets(&b)) {
                taken.push(b.grown(3.0));
                let base = if degrees == 0.0 { c + p(0.0, t.size * 0.35) } else { c + p(t.size * 0.35, 0.0) };
                pen.text(base, degrees, name, &t);
                break;
            }
        }
    }
    pen.close();
}

/// Colours of a side's entry marks: ground and edge.
fn entry_colours(faction: &str) -> (&'static str, &'static str) {
    match faction {
        "german" | "axis" | "italian" => ("#565b5f", "#26282b"),
        "soviet" | "warsaw_pact" | "wp" => ("#9a3a2c", "#4a140d"),
        _ => ("#5e6b41", "#2b331b"),
    }
}

/// A nation's mark with the letter of the entry.
pub(crate) fn entry_mark(pen: &mut Pen, c: P, faction: &str, text: &str) {
    let (ground, edge) = entry_colours(faction);
    pen.circle(c + p(1.5, 2.0), 29.0, "fill=\"#2b2a26\" fill-opacity=\"0.22\"");
    pen.circle(c, 28.0, &format!("fill=\"{ground}\" stroke=\"{edge}\" stroke-width=\"1.8\""));
    let mut d = String::new();
    if matches!(faction, "german" | "axis") {
        // The straight-armed cross.
        let (a, b) = (8.5, 23.0);
        path_lines(
            &mut d,
            &[
                c + p(-a, -b),
                c + p(a, -b),
                c + p(a, -a),
                c + p(b, -a),
                c + p(b, a),
                c + p(a, a),
                c + p(a, b),
                c + p(-a, b),
                c + p(-a, a),
                c + p(-b, a),
                c + p(-b, -a),
                c + p(-a, -a),
            ],
            true,
        );
    } else {
        path_lines(&mut d, &star(c, 5, 26.0, 12.4), true);
    }
    pen.path(&d, "fill=\"#f3eee0\"");
    let size = if text.chars().count() > 2 { 12.0 } else { 18.0 };
    pen.text(c + p(0.0, size * 0.36), 0.0, text, &plain(Face::Bold, size, "middle"));
}
