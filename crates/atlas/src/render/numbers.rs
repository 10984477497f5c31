//! The numbers of hexes, and of the boards of a geomorphic map.

use hexgrid::HexId;

use super::fonts::{Face, width};
use super::geom::{HEX, Rect, p, path_lines};
use super::ink::{Pen, Type};
use super::labels::weight;
use super::mask::Mask;
use super::sheet::Sheet;

/// Hex numbers at the top of the hex, moved aside where something more important is.
pub(crate) fn draw_hexes(pen: &mut Pen, sheet: &Sheet, mask: &Mask) {
    let size = 9.2;
    let t = Type {
        face: Face::Regular,
        size,
        spacing: 0.2,
        fill: "#5b564a",
        halo: (if sheet.desert { "#f3e7c8" } else { "#f1ecdd" }, 1.6),
        anchor: "middle",
    };
    let level = Type { face: Face::Bold, size: 11.5, fill: "#7d4a1a", ..t };
    pen.open("numbers", "");
    for id in sheet.map.board.ids() {
        let h = id.index();
        let c = sheet.centre[h];
        if !sheet.sees(c, HEX) {
            continue;
        }
        let label = number(sheet, id);
        let w = width(t.face, label, size, 0.2);
        let spots = [
            (0.0, -0.4),
            (-0.17, -0.395),
            (0.17, -0.395),
            (0.0, -0.3),
            (-0.3, -0.27),
            (0.3, -0.27),
            (0.0, -0.2),
        ];
        let best = spots
            .iter()
            .enumerate()
            .map(|(k, (dx, dy))| {
                let q = c + p(dx * HEX, dy * HEX);
                let cost = k as f64 * 9.0 + mask.cost(&Rect::around(q, w, size * 0.72), weight);
                (q, cost)
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((q, _)) = best {
            pen.text(q + p(0.0, size * 0.34), 0.0, label, &t);
        }
        let height = sheet.map.elevation(id);
        if sheet.desert && height != 0 {
            pen.text(c + p(0.0, 0.37 * HEX), 0.0, &height.to_string(), &level);
        }
    }
    pen.close();
}

/// The number as it is printed in the hex: without the letter of the map sheet where figures follow it.
fn number<'a>(sheet: &'a Sheet, id: HexId) -> &'a str {
    let label = sheet.map.board.label(id);
    // The board number is printed once on the board, not in each of its hexes.
    let of_board = label.trim_start_matches(|c: char| c.is_ascii_digit());
    if of_board.starts_with(|c: char| c.is_ascii_alphabetic()) && of_board.len() < label.len() {
        return of_board;
    }
    let bare = label.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    if bare.len() == 4 && bare.bytes().all(|b| b.is_ascii_digit()) { bare } else { label }
}

/// The number of each board of a geomorphic map, with its own north.
pub(crate) fn draw_boards(pen: &mut Pen, sheet: &Sheet) {
    let labels = sheet.map.board.labels();
    let numbered =
        |s: &&hexgrid::labels::Sheet| !s.prefix.is_empty() && s.prefix.bytes().all(|b| b.is_ascii_digit());
    let boards: Vec<_> = labels.sheets().iter().filter(numbered).collect();
    if boards.is_empty() {
        return;
    }
    let t = Type {
        face: Face::Bold,
        size: 24.0,
        spacing: 0.0,
        fill: "#f7efd8",
        halo: ("", 0.0),
        anchor: "middle",
    };
    pen.group("class=\"boards\"");
    for board in boards {
        // The orientation hex: the third column's first whole hex.
        let Some(h) = sheet.map.board.id(labels.hex_on(board, 3, 1)).map(HexId::index) else { continue };
        let c = sheet.centre[h];
        if !sheet.sees(c, HEX) {
            continue;
        }
        let up = if board.turned { -1.0 } else { 1.0 };
        let mut arrow = String::new();
        path_lines(
            &mut arrow,
            &[c + p(0.0, -40.0 * up), c + p(-9.0, -22.0 * up), c + p(9.0, -22.0 * up)],
            true,
        );
        pen.path(&arrow, "fill=\"#6b4a25\"");
        pen.circle(c, 23.0, "fill=\"#6b4a25\" stroke=\"#f7efd8\" stroke-width=\"2\"");
        pen.text(c + p(0.0, 8.5), 0.0, &board.prefix, &t);
    }
    pen.close();
}
