//! Draws maps and counters: paper, ink, and nothing that a printed map would not have.
//!
//! [`svg`] turns a [`Map`] into one SVG text whose layers are groups with ids (`ground`, `water`, `roads`, `labels` …);
//! with the feature `png`, [`png`] and [`Tiles`] turn that into pixels. The appearance of a terrain, hexside or road is
//! chosen by the style that its kind declares in the pack, so that a new game needs no code here for the common ones.
//!
//! The picture is the same for the same map on every run: all irregularity comes from hashes of positions.

pub mod counter;
mod desert;
mod field;
mod fonts;
mod geom;
mod ground;
mod hexsides;
mod ink;
mod labels;
mod legend;
mod margin;
mod mask;
mod numbers;
#[cfg(feature = "png")]
mod outline;
mod overlays;
#[cfg(feature = "png")]
mod paint;
mod position;
#[cfg(feature = "png")]
mod raster;
mod relief;
mod roads;
#[cfg(feature = "png")]
mod scene;
mod sheet;
mod silhouette;
mod symbol;
#[cfg(test)]
mod tests;
mod texture;
mod towns;
mod water;
mod words;
mod zones;

use std::fmt::Write as _;

use hexgrid::HexId;

use crate::map::Map;
use crate::names::Lang;
use geom::{HEX, Rect, num, p, pair};
use ink::Pen;
use overlays::LineKind;
use sheet::Sheet;

pub use counter::{Counter, Mark, Morale};
pub use fonts::{bundled as bundled_fonts, has_glyph};
pub use position::PlacedCounter;
#[cfg(feature = "png")]
pub use raster::{MAX_SIDE, Picture, RasterError, TILE, Tiles, png};
pub use symbol::Symbol;

/// A part of the picture that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Part {
    Relief,
    Texture,
    Grid,
    Numbers,
    Labels,
    /// Tint of what a side holds at the start.
    Control,
    /// Set-up and other areas.
    Setup,
    Borders,
    Boundaries,
    Front,
    Victory,
    /// Fuel dumps, bottlenecks and the like.
    Marks,
    Entries,
    Frame,
    Legend,
}

/// A set of layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parts(u32);

impl Parts {
    pub const ALL: Self = Self(u32::MAX);

    /// The map with its names only, without margin and overlays: what a table shows under counters.
    pub const LAND: Self = Self::ALL
        .without(Part::Control)
        .without(Part::Setup)
        .without(Part::Boundaries)
        .without(Part::Front)
        .without(Part::Entries)
        .without(Part::Frame)
        .without(Part::Legend);

    pub const fn with(self, part: Part) -> Self {
        Self(self.0 | 1 << part as u8)
    }

    pub const fn without(self, part: Part) -> Self {
        Self(self.0 & !(1 << part as u8))
    }

    pub const fn has(self, part: Part) -> bool {
        self.0 >> part as u8 & 1 == 1
    }
}

/// What is drawn, and how.
#[derive(Clone, Debug)]
pub struct Options {
    pub lang: Lang,
    /// Pixels of the SVG from flat to flat of a hex.
    pub hex_pixels: f64,
    pub parts: Parts,
    /// Only the box around these hexes; all where empty.
    pub region: Vec<HexId>,
    /// The title; the map's own name if `None`.
    pub title: Option<String>,
    pub subtitle: Option<String>,
    /// Kilometres from flat to flat of a hex, for the scale bar; without it there is no bar.
    pub hex_km: Option<f64>,
    /// Where north is: degrees clockwise from the top of the sheet.
    pub north: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            lang: Lang::En,
            hex_pixels: 80.0,
            parts: Parts::ALL,
            region: Vec::new(),
            title: None,
            subtitle: None,
            hex_km: None,
            north: 0.0,
        }
    }
}

/// The map as SVG.
pub fn svg(map: &Map, options: &Options) -> String {
    let mut sheet = Sheet::new(map, options.lang);
    crop(&mut sheet, options);
    let (pen, area) = draw_map(&sheet, options);
    finish(pen, area, options)
}

/// The map with counters on it: each hex shows its stack, the last counter given on top.
pub fn position(map: &Map, counters: &[PlacedCounter], options: &Options) -> String {
    let mut sheet = Sheet::new(map, options.lang);
    crop(&mut sheet, options);
    let (mut pen, area) = draw_map(&sheet, options);
    position::draw(&mut pen, &sheet, counters);
    finish(pen, area, options)
}

/// Narrows the sheet to the requested region.
fn crop(sheet: &mut Sheet, options: &Options) {
    let wanted = Rect::of(
        options
            .region
            .iter()
            .filter(|h| h.index() < sheet.corners.len())
            .flat_map(|h| sheet.corners[h.index()]),
    );
    if wanted.width() > 0.0 {
        sheet.frame = wanted;
        sheet.view = wanted;
    }
}

/// Draws everything and returns the visible area of the sheet.
fn draw_map(sheet: &Sheet, options: &Options) -> (Pen, Rect) {
    let parts = options.parts;
    let styles = ground::styles(sheet);
    // The ground is independent of what lies on it, so both are computed in parallel to show the first picture sooner.
    let (grounds, (waters, roads, towns, relief)) = both(
        || ground::grounds(sheet, &styles),
        || {
            let waters = water::waters(sheet);
            let (sizes, middles) = towns::sites(sheet);
            let roads = roads::roads(sheet, &waters, &middles);
            let towns = towns::towns(sheet, &sizes, &roads, &waters);
            let relief = relief::relief(sheet, &waters, |h| styles[h].steepness());
            (waters, roads, towns, relief)
        },
    );
    let spans = roads::spans(sheet, &roads, &waters);

    let mut mask = mask::Mask::over(sheet.frame);
    for r in &waters.ribbons {
        mask.line(&r.line, r.water.width() / 2.0 + 2.5, mask::by::WATER);
    }
    for l in &roads.lanes {
        mask.line(&l.line, l.road.half() + 2.0, mask::by::ROAD);
    }
    for h in towns.values().flat_map(|t| &t.houses) {
        mask.disc(h.at, 7.5, mask::by::HOUSE);
    }
    for s in &spans {
        mask.disc(s.at, 9.0, mask::by::MARK);
    }
    if parts.has(Part::Marks) {
        zones::reserve(sheet, &mut mask);
    }
    overlays::reserve_lines(sheet, &mut mask, |kind| {
        parts.has(match kind {
            LineKind::Border => Part::Borders,
            LineKind::Boundary => Part::Boundaries,
            LineKind::Front => Part::Front,
        })
    });
    let labels = if parts.has(Part::Labels) {
        labels::labels(sheet, &towns, &roads.hub, &waters, &spans, &mut mask)
    } else {
        labels::Labels::default()
    };

    let mut pen = Pen::default();
    let f = sheet.frame;
    pen.out.push_str("<clipPath id=\"neatline\">");
    pen.rect(p(f.x0, f.y0), f.width(), f.height(), "");
    pen.out.push_str("</clipPath>\n<g id=\"map\" clip-path=\"url(#neatline)\">\n");
    pen.rect(p(f.x0, f.y0), f.width(), f.height(), &format!("id=\"paper\" fill=\"{}\"", sheet.paper()));
    let (land, texture) = both(
        || {
            let mut pen = Pen::default();
            ground::draw_fills(&mut pen, sheet, &grounds);
            if parts.has(Part::Relief) {
                relief::draw(&mut pen, sheet, &relief);
            }
            pen
        },
        || {
            let mut pen = Pen::default();
            if parts.has(Part::Texture) {
                texture::draw_textures(&mut pen, sheet, &grounds, &relief, &mask);
            }
            pen
        },
    );
    pen.out.push_str(&land.out);
    pen.out.push_str(&texture.out);
    if parts.has(Part::Control) {
        overlays::draw_control(&mut pen, sheet);
    }
    overlays::draw_works(&mut pen, sheet);
    hexsides::draw_hexsides(&mut pen, sheet);
    water::draw(&mut pen, Some(sheet), &waters);
    if parts.has(Part::Grid) {
        draw_grid(&mut pen, sheet);
    }
    if parts.has(Part::Borders) {
        overlays::draw_lines(&mut pen, sheet, &mut mask, LineKind::Border);
    }
    towns::draw_footprints(&mut pen, Some(sheet), towns.values());
    roads::draw(&mut pen, Some(sheet), &roads);
    roads::draw_bridges(&mut pen, sheet, &spans);
    overlays::draw_hex_bridges(&mut pen, sheet, &roads);
    towns::draw_houses(&mut pen, Some(sheet), towns.values());
    if parts.has(Part::Setup) {
        overlays::draw_areas(&mut pen, sheet, &mut mask);
    }
    if parts.has(Part::Boundaries) {
        overlays::draw_lines(&mut pen, sheet, &mut mask, LineKind::Boundary);
    }
    if parts.has(Part::Front) {
        overlays::draw_lines(&mut pen, sheet, &mut mask, LineKind::Front);
    }
    if parts.has(Part::Victory) {
        overlays::draw_victory(&mut pen, sheet);
    }
    if parts.has(Part::Marks) {
        overlays::draw_marks(&mut pen, sheet);
    }
    if parts.has(Part::Numbers) {
        numbers::draw_hexes(&mut pen, sheet, &mask);
        numbers::draw_boards(&mut pen, sheet);
    }
    if parts.has(Part::Labels) {
        labels::draw(&mut pen, &labels);
    }
    pen.close();
    let mut area = f;
    if parts.has(Part::Frame) {
        margin::draw_frame(&mut pen, sheet);
        area = f.grown(margin::MARGIN);
    }
    if parts.has(Part::Entries) {
        margin::draw_entries(&mut pen, sheet);
        area = f.grown(margin::MARGIN);
    }
    if parts.has(Part::Legend) {
        let height = legend::draw_legend(&mut pen, sheet, &relief, options);
        area.y1 = f.y1 + margin::MARGIN + height;
    }
    (pen, area)
}

/// Runs two functions in parallel.
fn both<A: Send, B>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        // A panic in the other thread is passed on.
        (one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), other)
    })
}

fn draw_grid(pen: &mut Pen, sheet: &Sheet) {
    let mut d = String::new();
    for id in sheet.map.board.side_ids() {
        let (a, b) = sheet.side_vertices(id);
        let (a, b) = (sheet.vertices[a as usize], sheet.vertices[b as usize]);
        if sheet.sees(a, HEX) {
            pair(&mut d, "M", a);
            pair(&mut d, "L", b);
        }
    }
    pen.open("grid", "");
    pen.path(&d, "fill=\"none\" stroke=\"#2b2a26\" stroke-opacity=\"0.35\" stroke-width=\"0.9\"");
    pen.close();
}

/// Wraps the drawing into a file of the right size.
fn finish(pen: Pen, area: Rect, options: &Options) -> String {
    let k = options.hex_pixels.clamp(1.0, 2000.0) / HEX;
    let mut out = String::with_capacity(pen.out.len() + 400);
    out.push_str("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
    num(&mut out, area.width() * k);
    out.push_str("\" height=\"");
    num(&mut out, area.height() * k);
    out.push_str("\" viewBox=\"");
    for v in [area.x0, area.y0, area.width(), area.height()] {
        num(&mut out, v);
        out.push(' ');
    }
    out.pop();
    out.push_str("\">\n");
    let _ = write!(
        out,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#f5f1e6\"/>",
        area.x0,
        area.y0,
        area.width(),
        area.height()
    );
    out.push('\n');
    out.push_str(&pen.out);
    out.push_str("</svg>\n");
    out
}
