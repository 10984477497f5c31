//! Hexsides that are not water: crests, slopes and walls, each with its own hatch.

use super::geom::{HEX, P, pair, path_spline, resampled, spline};
use super::ink::Pen;
use super::overlays::style;
use super::sheet::{Sheet, wobble};
use super::water::{chains, thinned};

/// Draws all of them.
pub(crate) fn draw_hexsides(pen: &mut Pen, sheet: &Sheet) {
    pen.open("hexsides", "stroke-linecap=\"round\" stroke-linejoin=\"round\"");
    for (i, k) in sheet.map.hexside_kinds.iter().enumerate() {
        if k.water || k.lake {
            continue;
        }
        let id = crate::map::HexsideId(i as u8);
        let mut pairs: Vec<(u32, u32)> = sheet
            .map
            .board
            .side_ids()
            .filter(|s| sheet.map.side(*s).kinds.contains(id))
            .map(|s| sheet.side_vertices(s))
            .collect();
        pairs.sort_unstable();
        let lines: Vec<Vec<P>> = chains(&pairs)
            .into_iter()
            .map(|w| fall_to_the_right(sheet, w))
            .map(|w| {
                let pts: Vec<P> = w.iter().map(|v| sheet.soft_vertex(*v)).collect();
                resampled(&spline(&pts, 6, false), 5.0).into_iter().map(wobble).collect()
            })
            .map(|line| downhill(sheet, line))
            .collect();
        draw_hexside_kind(pen, &style(&k.id, &k.style), &lines);
    }
    pen.close();
}

/// The chain reversed if necessary, so that the higher hexes of its slopes are to its left, where the map names them.
fn fall_to_the_right(sheet: &Sheet, mut chain: Vec<u32>) -> Vec<u32> {
    let map = sheet.map;
    let slopes = map.board.side_ids().filter_map(|s| Some((sheet.side_vertices(s), map.side(s).uphill?)));
    let high: std::collections::BTreeMap<(u32, u32), hexgrid::HexId> =
        slopes.map(|((a, b), hex)| ((a.min(b), a.max(b)), hex)).collect();
    let mut votes = 0;
    for pair in chain.windows(2) {
        let key = (pair[0].min(pair[1]), pair[0].max(pair[1]));
        let Some(hex) = high.get(&key) else { continue };
        let (a, b) = (sheet.vertices[pair[0] as usize], sheet.vertices[pair[1] as usize]);
        let right = (b - a).unit().right();
        let aside = sheet.centre[hex.index()] - a;
        votes += if right.x * aside.x + right.y * aside.y < 0.0 { 1 } else { -1 };
    }
    if votes < 0 {
        chain.reverse();
    }
    chain
}

/// The line reversed if necessary, so that the lower ground is to its right, where the map has heights.
fn downhill(sheet: &Sheet, mut line: Vec<P>) -> Vec<P> {
    let height = |q: P| sheet.hex_at(q).map_or(0, |h| i32::from(sheet.map.elevation[h]));
    let fall: i32 = line
        .windows(2)
        .map(|w| {
            let aside = (w[1] - w[0]).unit().right() * (0.3 * HEX);
            let mid = w[0].lerp(w[1], 0.5);
            (height(mid - aside) - height(mid + aside)).signum()
        })
        .sum();
    if fall < 0 {
        line.reverse();
    }
    line
}

/// The middles of hexsides where a hill falls sheer.
pub(crate) fn sheer_sides(sheet: &Sheet) -> Vec<P> {
    let sheer = |k: &crate::map::HexsideKind| {
        matches!(style(&k.id, &k.style).as_str(), "cliff" | "escarpment" | "bluff")
    };
    let kinds: Vec<crate::map::HexsideId> = (0u8..)
        .zip(&sheet.map.hexside_kinds)
        .filter(|(_, k)| sheer(k))
        .map(|(i, _)| crate::map::HexsideId(i))
        .collect();
    sheet
        .map
        .board
        .side_ids()
        .filter(|s| kinds.iter().any(|k| sheet.map.side(*s).kinds.contains(*k)))
        .filter_map(|s| sheet.hex_of_side(s))
        .map(|(h, d)| sheet.side_mid(h, d))
        .collect()
}

/// Draws lines of one kind, also for the legend.
pub(crate) fn draw_hexside_kind(pen: &mut Pen, style: &str, lines: &[Vec<P>]) {
    let mut spine = String::new();
    let mut hatch = String::new();
    let ticks = |d: &mut String, line: &[P], from: f64, to: f64, every: usize| {
        for i in (0..line.len()).step_by(every) {
            let t = (line[(i + 1).min(line.len() - 1)] - line[i.saturating_sub(1)]).unit().right();
            pair(d, "M", line[i] + t * from);
            pair(d, "L", line[i] + t * to);
        }
    };
    for line in lines {
        path_spline(&mut spine, &thinned(line));
        match style {
            "crest" | "ridge" => ticks(&mut hatch, line, -5.5, 5.5, 1),
            "desert_crest" => ticks(&mut hatch, line, -7.0, 7.0, 1),
            "slope" | "slopes" | "escarpment" | "cliff" | "bluff" => ticks(&mut hatch, line, 0.0, 9.0, 1),
            "wall" | "hedge" | "embankment" | "dike" => ticks(&mut hatch, line, -3.2, 3.2, 2),
            _ => ticks(&mut hatch, line, -6.0, 6.0, 1),
        }
    }
    let (colour, w, h) = match style {
        "crest" | "ridge" => ("#7a5c34", 1.6, 1.0),
        "desert_crest" => ("#5a3212", 3.0, 1.6),
        "escarpment" | "cliff" | "bluff" => ("#5b4427", 2.4, 1.5),
        "slope" | "slopes" => ("#8a6d45", 1.0, 1.1),
        "hedge" => ("#5d7448", 3.0, 1.6),
        "wall" | "embankment" | "dike" => ("#5a554b", 2.2, 1.2),
        // Wooded rough and whatever else makes a hexside hard to cross.
        _ => ("#4c4a2c", 0.8, 1.3),
    };
    pen.path(&hatch, &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{h}\""));
    pen.path(&spine, &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{w}\""));
}
