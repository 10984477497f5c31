//! Landing zones, Unknown markers and entry areas: what an airborne operation prints on and beside its map.

use hexgrid::HexId;

use super::fonts::Face;
use super::geom::{HEX, P, p, path_lines};
use super::ink::{Pen, Type};
use super::mask::{Mask, by};
use super::overlays::{inset, loops};
use super::sheet::Sheet;
use crate::map::{Area, Entry, Spot};

/// The line of landing zones.
pub(crate) const LANDING: &str = "fill=\"#5d8a4e\" fill-opacity=\"0.16\" stroke=\"#2f6b39\" stroke-width=\"2.2\" stroke-dasharray=\"9 3.5\" stroke-linejoin=\"round\"";

const fn letter(size: f64, fill: &'static str) -> Type {
    Type { face: Face::Bold, size, spacing: 0.0, fill, halo: ("#f1ecdd", 3.0), anchor: "middle" }
}

/// Position of a landing zone's sign in its hex.
fn landing_spot(centre: P) -> P {
    centre + p(-0.27 * HEX, 0.17 * HEX)
}

fn unknown_spot(centre: P) -> P {
    centre + p(0.3 * HEX, 0.2 * HEX)
}

/// Reserves the space of the signs, so that names avoid them.
pub(crate) fn reserve(sheet: &Sheet, mask: &mut Mask) {
    for hex in sheet.map.areas_of("landing_zone").flat_map(|a| a.hexes.iter()) {
        let at = landing_spot(sheet.centre[hex.index()]);
        mask.disc(at + p(0.0, 5.0), 15.0, by::MARK);
    }
    for f in sheet.map.features_of("unknown") {
        if let Spot::Hex(hex) = f.at {
            mask.disc(unknown_spot(sheet.centre[hex.index()]), 9.0, by::MARK);
        }
    }
}

/// A landing zone: its outline, a canopy, and the letter of the units that land there.
pub(crate) fn draw_landing_zone(pen: &mut Pen, sheet: &Sheet, area: &Area) {
    let mut d = String::new();
    for ring in loops(sheet, |h| area.hexes.contains(HexId(h as u16))) {
        path_lines(&mut d, &inset(&ring, 3.6), true);
    }
    pen.path(&d, LANDING);
    let text = area.props.get("letter").and_then(|v| v.as_str()).unwrap_or(sheet.word(&area.name));
    for hex in &area.hexes {
        let c = sheet.centre[hex.index()];
        if sheet.sees(c, HEX) {
            let at = landing_spot(c);
            canopy(pen, at);
            pen.text(at + p(0.0, 17.0), 0.0, text, &letter(15.0, "#245a30"));
        }
    }
}

/// A parachute.
pub(crate) fn canopy(pen: &mut Pen, c: P) {
    let mut dome = String::new();
    let arc: Vec<P> = (0..=10)
        .map(|i| {
            c + p(-8.5 + 1.7 * f64::from(i), -7.4 * (std::f64::consts::PI * f64::from(i) / 10.0).sin() - 3.0)
        })
        .collect();
    path_lines(&mut dome, &arc, true);
    pen.path(&dome, "fill=\"#f4efdf\" stroke=\"#245a30\" stroke-width=\"1.3\" stroke-linejoin=\"round\"");
    let mut cords = String::new();
    for x in [-8.5, -3.0, 3.0, 8.5] {
        path_lines(&mut cords, &[c + p(x, -3.0), c + p(0.0, 5.0)], false);
    }
    pen.path(&cords, "fill=\"none\" stroke=\"#245a30\" stroke-width=\"0.9\"");
}

/// Draws a garrison of unknown strength at the start.
pub(crate) fn draw_unknown(pen: &mut Pen, c: P) {
    let at = unknown_spot(c);
    pen.circle(at, 8.2, "fill=\"#5b6066\" stroke=\"#f1ecdd\" stroke-width=\"1.4\"");
    pen.text(at + p(0.0, 4.4), 0.0, "?", &Type { halo: ("", 0.0), ..letter(12.5, "#ffffff") });
}

/// The stretch of the edge that an entry area takes up: a bar beside the neat line, hex by hex.
pub(crate) fn entry_bar(
    pen: &mut Pen,
    sheet: &Sheet,
    entry: &Entry,
    colour: &str,
    way_out: impl Fn(usize) -> (P, P),
) {
    let mut d = String::new();
    for hex in &entry.hexes {
        let h = hex.index();
        let (at, out) = way_out(h);
        let along = out.right();
        let half = if out.x.abs() > 0.5 { 0.433 * HEX } else { 0.5 * HEX };
        let base = at + out * 13.5;
        if sheet.sees(sheet.centre[h], 2.0 * HEX) {
            path_lines(&mut d, &[base - along * half, base + along * half], false);
        }
    }
    pen.path(&d, &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"6\""));
}
