//! The map behind the figures: its picture once, with the results drawn over it.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
};

use anyhow::{Context, Result, anyhow};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use kernel::{Game, board::Board};

use super::{
    count::{Picture, Share},
    film::Piece,
};
use crate::sim::Study;

/// Width of the embedded picture, in pixels.
const PIXELS: f64 = 1500.0;
const QUALITY: u8 = 68;
/// How much of the map's own contrast is left under the figures.
const INK: f64 = 0.62;

/// The map as a data URL.
pub fn picture(game: &dyn Game, study: &Study, language: &str) -> Result<String> {
    let svg = game.map_svg(&study.setup, language)?;
    let board = game.board(&study.setup)?;
    let png = atlas::render::png(&svg, (PIXELS / f64::from(board.width.max(1.0))) as f32)
        .map_err(|e| anyhow!("the map cannot be drawn: {e}"))?;
    let mut reader = png::Decoder::new(png.as_slice()).read_info().context("the map's picture")?;
    let mut pixels = vec![0; reader.output_buffer_size()];
    let info = reader.next_frame(&mut pixels).context("the map's picture")?;
    let channels = info.color_type.samples();
    let mut rgb = Vec::with_capacity(pixels.len() / channels * 3);
    for pixel in pixels[..info.buffer_size()].chunks_exact(channels) {
        let colour = if channels >= 3 { [pixel[0], pixel[1], pixel[2]] } else { [pixel[0]; 3] };
        let grey = colour.iter().map(|c| f64::from(*c)).sum::<f64>() / 3.0;
        // Paler and greyer, so that what is drawn over it stands out.
        rgb.extend(colour.map(|c| {
            let soft = 0.45 * f64::from(c) + 0.55 * grey;
            (255.0 - INK * (255.0 - soft)) as u8
        }));
    }
    let mut jpeg = Vec::new();
    jpeg_encoder::Encoder::new(&mut jpeg, QUALITY)
        .encode(&rgb, info.width as u16, info.height as u16, jpeg_encoder::ColorType::Rgb)
        .context("the map's picture")?;
    Ok(format!("data:image/jpeg;base64,{}", STANDARD.encode(jpeg)))
}

/// A board's geometry, as far as needed for drawing over it.
pub struct Ground<'a> {
    board: &'a Board,
    /// Neighbours of each cell.
    near: Vec<Vec<usize>>,
    index: HashMap<&'a str, usize>,
    /// Length of a side of a cell.
    side: f32,
}

impl<'a> Ground<'a> {
    pub fn new(board: &'a Board) -> Ground<'a> {
        let distance = |(x1, y1): (f32, f32), (x2, y2): (f32, f32)| (x1 - x2).hypot(y1 - y2);
        let side = match board.outline.as_slice() {
            [a, b, ..] => distance(*a, *b),
            _ => 40.0,
        };
        // Centres of neighbours are one cell's width apart: √3 sides.
        let reach = side * 3f32.sqrt() * 1.1;
        let key = |x: f32, y: f32| ((x / reach) as i32, (y / reach) as i32);
        let mut blocks: HashMap<(i32, i32), Vec<usize>> = HashMap::new();
        for (at, cell) in board.cells.iter().enumerate() {
            blocks.entry(key(cell.x, cell.y)).or_default().push(at);
        }
        let near = board.cells.iter().enumerate().map(|(at, cell)| {
            let (bx, by) = key(cell.x, cell.y);
            let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (bx + dx, by + dy)));
            around
                .filter_map(|block| blocks.get(&block))
                .flatten()
                .copied()
                .filter(|other| {
                    let o = &board.cells[*other];
                    *other != at && distance((cell.x, cell.y), (o.x, o.y)) < reach
                })
                .collect()
        });
        let near = near.collect();
        let index = board.cells.iter().enumerate().map(|(at, cell)| (cell.id.as_str(), at)).collect();
        Ground { board, near, index, side }
    }

    fn open(&self, class: &str) -> String {
        format!("<svg class=\"{class}\" viewBox=\"0 0 {:.0} {:.0}\">", self.board.width, self.board.height)
    }

    fn cell(&self, out: &mut String, at: usize) {
        let cell = &self.board.cells[at];
        for (corner, (dx, dy)) in self.board.outline.iter().enumerate() {
            let _ =
                write!(out, "{}{:.0} {:.0}", if corner == 0 { 'M' } else { 'L' }, cell.x + dx, cell.y + dy);
        }
        out.push('z');
    }

    /// The border between cells inside and outside.
    fn border(&self, inside: &dyn Fn(usize) -> bool) -> String {
        let mut out = String::new();
        for (at, near) in self.near.iter().enumerate() {
            if !inside(at) {
                continue;
            }
            let a = &self.board.cells[at];
            for b in near.iter().filter(|other| !inside(**other)).map(|other| &self.board.cells[*other]) {
                let (mx, my) = (a.x.midpoint(b.x), a.y.midpoint(b.y));
                let (dx, dy) = (b.x - a.x, b.y - a.y);
                let scale = self.side / 2.0 / dx.hypot(dy).max(1e-3);
                let (px, py) = (-dy * scale, dx * scale);
                let _ = write!(out, "M{:.0} {:.0}L{:.0} {:.0}", mx - px, my - py, mx + px, my + py);
            }
        }
        out
    }

    /// What each seat holds beyond its initial cells, darker the more often, and the line that the first seat holds in
    /// half of the games.
    pub fn front(&self, picture: &Picture, start: &[Vec<bool>], colours: &[String]) -> String {
        const STEPS: usize = 10;
        let mut out = self.open("over");
        for (seat, held) in picture.held.iter().enumerate() {
            let mut paths = vec![String::new(); STEPS + 1];
            for (at, share) in held.iter().enumerate() {
                let had = start.get(seat).and_then(|row| row.get(at)).copied().unwrap_or(false);
                let step = (share * STEPS as f64).round() as usize;
                if !had && step > 0 && at < self.board.cells.len() {
                    self.cell(&mut paths[step], at);
                }
            }
            let colour = colours.get(seat).map_or("#888", String::as_str);
            for (step, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
                let opacity = 0.12 + 0.63 * step as f64 / STEPS as f64;
                let _ = write!(out, "<path d=\"{path}\" fill=\"{colour}\" fill-opacity=\"{opacity:.2}\"/>");
            }
        }
        if let Some(first) = start.first().filter(|row| row.iter().any(|held| *held)) {
            let line = self.border(&|at| first.get(at).copied().unwrap_or(false));
            let _ = write!(
                out,
                "<path d=\"{line}\" fill=\"none\" stroke=\"#2b2a26\" stroke-width=\"7\" stroke-dasharray=\"22 14\" stroke-opacity=\"0.7\"/>"
            );
        }
        if let Some(first) = picture.held.first() {
            let line = self.border(&|at| first.get(at).is_some_and(|share| *share >= 0.5));
            let _ = write!(
                out,
                "<path d=\"{line}\" fill=\"none\" stroke=\"#c0392b\" stroke-width=\"12\" stroke-linecap=\"round\"/>"
            );
        }
        out + "</svg>"
    }

    /// Marks as discs, larger the more often.
    pub fn marks(&self, marks: &[(String, Share)]) -> String {
        let mut out = self.open("over");
        // The small ones are on top.
        for (at, share) in marks {
            let cells: Vec<_> =
                at.split('/').filter_map(|id| self.index.get(id)).map(|at| &self.board.cells[*at]).collect();
            if cells.is_empty() {
                continue;
            }
            let n = cells.len() as f32;
            let (x, y) =
                (cells.iter().map(|c| c.x).sum::<f32>() / n, cells.iter().map(|c| c.y).sum::<f32>() / n);
            let _ = write!(
                out,
                "<circle cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"{:.0}\" fill=\"#c0392b\" fill-opacity=\"0.65\" stroke=\"#7b1f14\" stroke-width=\"3\"><title>{} {}</title></circle>",
                10.0 + 34.0 * share.value.sqrt(),
                super::chart::escape(at),
                super::chart::percent(share.value)
            );
        }
        out + "</svg>"
    }

    /// Units as small counters, those of one cell in a slanting pile.
    pub fn pieces(&self, pieces: &[Piece], colours: &[String]) -> String {
        let (width, height) = (self.side * 1.15, self.side * 0.72);
        let step = self.side * 0.14;
        let mut out = String::new();
        let mut below = (String::new(), 0u8);
        for piece in pieces {
            let Some(cell) = self.index.get(piece.at.as_str()).map(|at| &self.board.cells[*at]) else {
                continue;
            };
            if below.0 == piece.at {
                below.1 = below.1.saturating_add(1);
            } else {
                below = (piece.at.clone(), 0);
            }
            let lift = f32::from(below.1) * step;
            let (x, y) = (cell.x - width / 2.0 + lift, cell.y - height / 2.0 - lift);
            let colour = colours.get(usize::from(piece.seat.0)).map_or("#888", String::as_str);
            let _ = write!(
                out,
                "<g><title>{} {}</title><rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" rx=\"4\" fill=\"{colour}\" stroke=\"#fffdf6\" stroke-width=\"3\"/><text x=\"{:.0}\" y=\"{:.0}\" font-size=\"{:.0}\" text-anchor=\"middle\" fill=\"#fffdf6\">{}</text></g>",
                super::chart::escape(&piece.name),
                super::chart::escape(&piece.text),
                x + width / 2.0,
                y + height * 0.68,
                height * 0.5,
                super::chart::escape(&piece.text)
            );
        }
        out
    }

    /// Places that a side holds, as discs in its colour, with their names; a name that several cells share is written once.
    pub fn towns(&self, towns: &BTreeMap<String, usize>, colours: &[String], language: &str) -> String {
        let mut out = String::new();
        let mut named: Vec<&str> = Vec::new();
        for (at, seat) in towns {
            let Some(cell) = self.index.get(at.as_str()).map(|at| &self.board.cells[*at]) else { continue };
            let colour = colours.get(*seat).map_or("#888", String::as_str);
            let (x, y) = (cell.x, cell.y);
            let _ = write!(
                out,
                "<circle cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"{:.0}\" fill=\"{colour}\" stroke=\"#fffdf6\" stroke-width=\"6\"/>",
                self.side * 0.62
            );
            let name = cell.names.get(language).or(cell.name.as_ref()).map(String::as_str);
            let Some(name) = name.filter(|name| !named.contains(name)) else { continue };
            named.push(name);
            let _ = write!(
                out,
                "<text x=\"{x:.0}\" y=\"{:.0}\" font-size=\"{:.0}\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{colour}\" stroke=\"#fffdf6\" stroke-width=\"8\" paint-order=\"stroke\">{}</text>",
                y + self.side * 1.5,
                self.side * 0.95,
                super::chart::escape(name)
            );
        }
        out
    }

    /// The name of a mark's place: its named cells, otherwise its cells.
    pub fn name(&self, at: &str, language: &str) -> String {
        let names: Vec<&str> = at
            .split('/')
            .filter_map(|id| self.index.get(id))
            .filter_map(|at| {
                let cell = &self.board.cells[*at];
                cell.names.get(language).or(cell.name.as_ref()).map(String::as_str)
            })
            .collect();
        if names.is_empty() { at.to_owned() } else { format!("{} ({at})", names.join(" / ")) }
    }
}
