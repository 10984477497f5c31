//! The strip below the map: title, scale, north arrow and the legend.

use super::fonts::{Face, width};
use super::geom::{HEX, P, Rect, p, path_lines, path_spline, star};
use super::ground::Ground;
use super::hexsides;
use super::ink::{Pen, Type};
use super::margin::{INK, MARGIN, entry_mark, plain};
use super::overlays::{self, LineKind};
use super::relief::Relief;
use super::roads::{self, Lane, Road, Roads, Span};
use super::sheet::Sheet;
use super::texture;
use super::towns::{self, House, Size, Town};
use super::water::{self, Ribbon, Water, Waters};
use super::words::word;
use super::zones;
use super::{Options, Part};
use crate::map::{BridgeKind, BridgeState, Layer, Spot};

/// One entry of the legend.
struct Item<'a> {
    text: String,
    draw: Box<dyn Fn(&mut Pen, Rect) + 'a>,
}

fn flat_line(r: Rect) -> Vec<P> {
    let y = r.centre().y;
    (0..=12)
        .map(|i| {
            let t = f64::from(i) / 12.0;
            p(r.x0 + 2.0 + (r.width() - 4.0) * t, y + 3.0 * (t * std::f64::consts::TAU).sin())
        })
        .collect()
}

fn items<'a>(sheet: &'a Sheet, relief: &'a Relief, options: &'a Options) -> Vec<Item<'a>> {
    let map = sheet.map;
    let lang = sheet.lang;
    let mut out: Vec<Item> = Vec::new();
    let style = |id: &str, s: &str| if s.is_empty() { id.to_string() } else { s.to_string() };
    for (i, k) in map.terrain_kinds.iter().enumerate() {
        let id = crate::map::TerrainId(i as u8);
        if !map.terrain.iter().any(|t| t.contains(id)) && !map.ground.contains(&id) {
            continue;
        }
        let text = sheet.word(&k.name).to_string();
        let s = style(&k.id, &k.style);
        let draw: Box<dyn Fn(&mut Pen, Rect)> = match k.layer {
            Layer::Ground => Box::new(move |pen, r| {
                let g = Ground::by_style(&s);
                let clip = format!("swatch{i}");
                pen.out.push_str(&format!("<clipPath id=\"{clip}\">"));
                pen.rect(p(r.x0, r.y0), r.width(), r.height(), "rx=\"4\"");
                pen.out.push_str("</clipPath>\n");
                let fill = if g == Ground::Clear { sheet.paper() } else { g.fill() };
                pen.rect(p(r.x0, r.y0), r.width(), r.height(), &format!("rx=\"4\" fill=\"{fill}\""));
                pen.group(&format!("clip-path=\"url(#{clip})\""));
                texture::swatch(pen, g, r, relief);
                pen.close();
                pen.rect(
                    p(r.x0, r.y0),
                    r.width(),
                    r.height(),
                    "rx=\"4\" fill=\"none\" stroke=\"#2b2a26\" stroke-opacity=\"0.5\" stroke-width=\"1\"",
                );
            }),
            Layer::Settlement => Box::new(move |pen, r| {
                let size = Size::by_style(&s).unwrap_or(Size::Village);
                let town = sample_town(size, r, sheet.desert);
                towns::draw_footprints(pen, None, std::iter::once(&town));
                towns::draw_houses(pen, None, std::iter::once(&town));
            }),
            Layer::Extra if s == "road_bridge" => Box::new(move |pen, r| {
                let c = r.centre();
                let lane =
                    Lane { road: Road::Secondary, line: vec![p(r.x0 + 8.0, c.y), c, p(r.x1 - 8.0, c.y)] };
                roads::draw(pen, None, &Roads { lanes: vec![lane], ..Roads::default() });
                pen.group("fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
                let span = Span { at: c, along: p(1.0, 0.0), half: 2.8, water: 26.0 };
                roads::span(pen, &span, BridgeState::Intact);
                pen.close();
            }),
            Layer::Extra => Box::new(move |pen, r| {
                let b = r.grown(-2.0);
                pen.rect(
                    p(b.x0, b.y0),
                    b.width(),
                    b.height(),
                    "fill=\"#6f6a60\" fill-opacity=\"0.17\" stroke=\"#5a554b\" stroke-width=\"1.4\"",
                );
                let mut d = String::new();
                for k in 0..6 {
                    let x = b.x0 + 5.0 + f64::from(k) * (b.width() - 10.0) / 5.0;
                    path_lines(&mut d, &[p(x - 4.0, b.y0), p(x + 4.0, b.y0), p(x, b.y0 - 5.4)], true);
                }
                pen.path(&d, "fill=\"#5a554b\"");
            }),
        };
        out.push(Item { text, draw });
    }
    if sheet.desert && map.elevation.iter().any(|e| *e > 0) {
        out.push(Item { text: word("levels", lang).into(), draw: Box::new(super::desert::level_swatch) });
    }
    for (i, k) in map.hexside_kinds.iter().enumerate() {
        let id = crate::map::HexsideId(i as u8);
        if !map.sides.iter().any(|s| s.kinds.contains(id)) {
            continue;
        }
        let s = style(&k.id, &k.style);
        let (wet, lake) = (k.water || k.lake, k.lake);
        out.push(Item {
            text: sheet.word(&k.name).to_string(),
            draw: Box::new(move |pen, r| {
                if wet {
                    let water = Water::by_style(&s, lake);
                    // Round ends of wide water stay within the swatch.
                    let cut = water.width() / 2.0 - 2.0;
                    let line = flat_line(Rect { x0: r.x0 + cut, x1: r.x1 - cut, ..r });
                    let ribbon = Ribbon { water, course: None, line };
                    let w = Waters { ribbons: vec![ribbon], ..Waters::default() };
                    water::draw(pen, None, &w);
                } else {
                    hexsides::draw_hexside_kind(pen, &s, &[flat_line(r)]);
                }
            }),
        });
    }
    for (i, k) in map.road_classes.iter().enumerate() {
        if !map.sides.iter().any(|s| s.road == Some(crate::map::RoadId(i as u8))) {
            continue;
        }
        let own = (Road::by_style(&style(&k.id, &k.style), i), &k.name);
        let within = k.within.as_ref().map(|w| (Road::by_style(&w.style, i), &w.name));
        for (road, name) in std::iter::once(own).chain(within) {
            out.push(Item {
                text: sheet.word(name).to_string(),
                draw: Box::new(move |pen, r| {
                    let r = Roads { lanes: vec![Lane { road, line: flat_line(r) }], ..Roads::default() };
                    roads::draw(pen, None, &r);
                }),
            });
        }
    }
    for (state, key) in [
        (BridgeState::Intact, "bridge"),
        (BridgeState::Blown, "bridge_blown"),
        (BridgeState::UnderConstruction, "bridge_building"),
    ] {
        if map.bridges.iter().any(|b| b.state == state && b.kind == BridgeKind::Road) {
            out.push(Item {
                text: word(key, lang).into(),
                draw: Box::new(move |pen, r| {
                    let c = r.centre();
                    let water = Waters {
                        ribbons: vec![Ribbon {
                            water: Water::River,
                            course: None,
                            line: vec![p(c.x, r.y0), c, p(c.x, r.y1)],
                        }],
                        ..Waters::default()
                    };
                    water::draw(pen, None, &water);
                    let lane =
                        Lane { road: Road::Primary, line: vec![p(r.x0 + 8.0, c.y), c, p(r.x1 - 8.0, c.y)] };
                    roads::draw(pen, None, &Roads { lanes: vec![lane], ..Roads::default() });
                    pen.group("fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
                    roads::span(pen, &Span { at: c, along: p(1.0, 0.0), half: 4.0, water: 8.0 }, state);
                    pen.close();
                }),
            });
        }
    }
    for (kind, key) in [(BridgeKind::Railroad, "railroad_bridge"), (BridgeKind::Ferry, "ferry")] {
        if map.bridges.iter().any(|b| b.kind == kind) {
            out.push(Item {
                text: word(key, lang).into(),
                draw: Box::new(move |pen, r| {
                    let c = r.centre();
                    let line = vec![p(c.x, r.y0 + 6.0), c, p(c.x, r.y1 - 6.0)];
                    let ribbon = Ribbon { water: Water::River, course: None, line };
                    water::draw(pen, None, &Waters { ribbons: vec![ribbon], ..Waters::default() });
                    pen.group("fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
                    let span = Span { at: c, along: p(1.0, 0.0), half: 4.0, water: 10.0 };
                    if kind == BridgeKind::Ferry {
                        roads::ferry(pen, &span);
                    } else {
                        roads::rail_span(pen, &span, BridgeState::Intact);
                    }
                    pen.close();
                }),
            });
        }
    }
    let line_item = |kind: LineKind, key: &str| Item {
        text: word(key, lang).into(),
        draw: Box::new(move |pen: &mut Pen, r: Rect| {
            pen.group("fill=\"none\"");
            overlays::draw_line(pen, &flat_line(r), kind);
            pen.close();
        }),
    };
    for (kind, key, part) in [
        (LineKind::Front, "front", Part::Front),
        (LineKind::Boundary, "boundary", Part::Boundaries),
        (LineKind::Border, "border", Part::Borders),
    ] {
        let any = map.areas.iter().any(|a| !a.line.is_empty() && LineKind::of(&a.kind) == kind)
            || map
                .features
                .iter()
                .any(|f| matches!(f.at, Spot::Line(_)) && overlays::line_feature(&f.kind) == Some(kind));
        if any && options.parts.has(part) {
            out.push(line_item(kind, key));
        }
    }
    if options.parts.has(Part::Setup) && map.areas.iter().any(|a| overlays::is_setup(&a.kind)) {
        out.push(Item {
            text: word("setup", lang).into(),
            draw: Box::new(|pen, r| {
                let b = r.grown(-3.0);
                pen.rect(p(b.x0, b.y0), b.width(), b.height(), overlays::SETUP_LINE);
            }),
        });
    }
    if options.parts.has(Part::Victory) && !map.victory.is_empty() {
        out.push(Item {
            text: word("victory", lang).into(),
            draw: Box::new(|pen, r| {
                let c = r.centre();
                let hex: Vec<P> =
                    (0..6).map(|i| c.polar(f64::from(i) * std::f64::consts::FRAC_PI_3, 22.0)).collect();
                let mut d = String::new();
                path_lines(&mut d, &hex, true);
                pen.path(&d, "fill=\"none\" stroke=\"#b8902a\" stroke-width=\"2.6\"");
                let mut s = String::new();
                path_lines(&mut s, &star(c, 5, 8.0, 3.5), true);
                pen.path(&s, "fill=\"#d9b23c\" stroke=\"#6d5412\" stroke-width=\"0.8\"");
            }),
        });
    }
    if options.parts.has(Part::Marks) && map.areas_of("bottleneck").next().is_some() {
        out.push(Item {
            text: word("bottleneck", lang).into(),
            draw: Box::new(|pen, r| {
                let b = r.grown(-3.0);
                pen.rect(p(b.x0, b.y0), b.width(), b.height(), overlays::BOTTLENECK);
            }),
        });
    }
    if options.parts.has(Part::Marks) && map.areas_of("landing_zone").next().is_some() {
        out.push(Item {
            text: word("landing_zone", lang).into(),
            draw: Box::new(|pen, r| {
                let b = r.grown(-3.0);
                pen.rect(p(b.x0, b.y0), b.width(), b.height(), zones::LANDING);
                zones::canopy(pen, r.centre() + p(0.0, 2.0));
            }),
        });
    }
    if options.parts.has(Part::Marks) && map.features_of("unknown").next().is_some() {
        out.push(Item {
            text: word("unknown", lang).into(),
            draw: Box::new(|pen, r| zones::draw_unknown(pen, r.centre() - p(0.3 * HEX, 0.2 * HEX))),
        });
    }
    if options.parts.has(Part::Marks) && map.features_of("fuel_dump").next().is_some() {
        out.push(Item {
            text: word("fuel_dump", lang).into(),
            draw: Box::new(|pen, r| overlays::jerrycan(pen, r.centre() + p(0.0, 2.0))),
        });
    }
    if options.parts.has(Part::Entries) {
        for (i, faction) in map.factions.iter().enumerate() {
            if map.entries.iter().any(|e| e.side.0 as usize == i) {
                out.push(Item {
                    text: word("entry", lang).into(),
                    draw: Box::new(move |pen, r| {
                        let c = r.centre();
                        pen.group(&format!("transform=\"translate({:.1} {:.1}) scale(0.72)\"", c.x, c.y));
                        entry_mark(pen, P::default(), faction, "");
                        pen.close();
                    }),
                });
            }
        }
    }
    out
}

/// A few houses along a street, for the legend.
fn sample_town(size: Size, r: Rect, flat: bool) -> Town {
    let c = r.centre();
    let (cols, rows) = match size {
        Size::Hamlet => (1, 1),
        Size::Village => (3, 2),
        Size::Town => (5, 3),
        Size::City => (7, 4),
    };
    let mut houses = Vec::new();
    for j in 0..rows {
        for i in 0..cols {
            let q = p(
                c.x + (f64::from(i) - f64::from(cols - 1) / 2.0) * 9.6,
                c.y + (f64::from(j) - f64::from(rows - 1) / 2.0) * 9.0,
            );
            let wide = 6.0 + 2.0 * super::geom::unit(i.into(), j.into(), 5);
            houses.push(House { at: q, along: p(1.0, 0.0), l: wide, w: 6.0 });
        }
    }
    Town { size, hub: c, houses, flat }
}

const ROW: f64 = 52.0;
const SWATCH: (f64, f64) = (70.0, 38.0);
const TITLE: f64 = 9.6 * HEX;

/// Positions of the items in the margin below the map.
struct Plan {
    rows: usize,
    columns: Vec<f64>,
    beside: bool,
}

fn plan(items: &[Item], room: f64, beside: bool) -> Plan {
    for rows in 4.. {
        let columns: Vec<f64> = items
            .chunks(rows)
            .map(|c| {
                c.iter().map(|i| width(Face::Medium, &i.text, 19.0, 0.0)).fold(0.0, f64::max)
                    + SWATCH.0
                    + 52.0
            })
            .collect();
        if columns.iter().sum::<f64>() <= room || rows >= items.len().max(4) {
            return Plan { rows, columns, beside };
        }
    }
    Plan { rows: 4, columns: Vec::new(), beside }
}

/// Draws the strip below the map and returns its height.
pub(crate) fn draw_legend(pen: &mut Pen, sheet: &Sheet, relief: &Relief, options: &Options) -> f64 {
    let items = items(sheet, relief, options);
    let f = sheet.frame;
    let beside = f.width() > 2.2 * TITLE;
    let room = f.width() - if beside { TITLE } else { 0.0 } - 40.0;
    let plan = plan(&items, room, beside);
    let title_height = 4.0 * ROW;
    let list_height = plan.rows as f64 * ROW;
    let height = if plan.beside { list_height.max(title_height) } else { list_height + title_height } + 44.0;
    let top = f.y1 + MARGIN;
    pen.open("legend", "");
    pen.rect(
        p(f.x0 - 7.0, top),
        f.width() + 14.0,
        height,
        &format!("rx=\"3\" fill=\"#f3efe2\" stroke=\"{INK}\" stroke-width=\"1.6\""),
    );
    draw_title(pen, sheet, options, p(f.x0 + 26.0, top + 22.0));
    let (x0, y0) =
        if plan.beside { (f.x0 + TITLE, top + 22.0) } else { (f.x0 + 20.0, top + 22.0 + title_height) };
    // Columns share the remaining room.
    let spare =
        ((room - plan.columns.iter().sum::<f64>()) / plan.columns.len().max(1) as f64).clamp(0.0, 90.0);
    let mut x = x0;
    for (c, chunk) in items.chunks(plan.rows).enumerate() {
        for (r, item) in chunk.iter().enumerate() {
            let y = y0 + r as f64 * ROW + (ROW - SWATCH.1) / 2.0;
            let area = Rect { x0: x, y0: y, x1: x + SWATCH.0, y1: y + SWATCH.1 };
            (item.draw)(pen, area);
            pen.text(
                p(x + SWATCH.0 + 14.0, y + SWATCH.1 / 2.0 + 6.6),
                0.0,
                &item.text,
                &plain(Face::Medium, 19.0, "start"),
            );
        }
        x += plan.columns.get(c).copied().unwrap_or(0.0) + spare;
    }
    pen.close();
    height + MARGIN * 0.5
}

fn draw_title(pen: &mut Pen, sheet: &Sheet, options: &Options, at: P) {
    let title = options.title.clone().unwrap_or_else(|| sheet.word(&sheet.map.name).to_string());
    let mut t = plain(Face::Title, 50.0, "start");
    t.spacing = 1.5;
    let wide = width(t.face, &title, t.size, t.spacing);
    let most = TITLE - 190.0;
    if wide > most {
        t.size *= most / wide;
        t.spacing = 0.5;
    }
    pen.text(at + p(0.0, 46.0), 0.0, &title, &t);
    if let Some(sub) = &options.subtitle {
        let t = Type { fill: "#5a5040", ..plain(Face::NatureBold, 25.0, "start") };
        pen.text(at + p(2.0, 84.0), 0.0, sub, &t);
    }
    if let Some(km) = options.hex_km.filter(|k| *k > 0.01) {
        scale_bar(pen, sheet, at + p(4.0, 150.0), HEX / km);
    }
    north_arrow(pen, at + p(TITLE - 120.0, 100.0), options.north, word("north", sheet.lang));
}

fn scale_bar(pen: &mut Pen, sheet: &Sheet, at: P, unit: f64) {
    // The longest round length that fits under the title.
    let step = [0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0]
        .into_iter()
        .rfind(|s| s * unit * 4.0 <= 0.62 * TITLE)
        .unwrap_or(0.1);
    let t = plain(Face::Regular, 16.0, "middle");
    for i in 0..4 {
        let fill = if i % 2 == 0 { INK } else { "#f3efe2" };
        pen.rect(
            at + p(f64::from(i) * step * unit, 0.0),
            step * unit,
            9.0,
            &format!("fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.2\""),
        );
    }
    for i in 0..=4 {
        let v = f64::from(i) * step;
        let text = if v.fract() < 0.01 { format!("{v:.0}") } else { format!("{v:.1}") };
        pen.text(at + p(v * unit, 28.0), 0.0, &text, &t);
    }
    pen.text(
        at + p(4.0 * step * unit + 16.0, 10.0),
        0.0,
        word("km", sheet.lang),
        &plain(Face::Regular, 16.0, "start"),
    );
}

fn north_arrow(pen: &mut Pen, c: P, degrees: f64, letter: &str) {
    pen.group(&format!("transform=\"rotate({degrees:.1} {:.1} {:.1})\"", c.x, c.y));
    let mut dark = String::new();
    let mut light = String::new();
    path_lines(&mut dark, &[c + p(0.0, -56.0), c + p(0.0, 34.0), c + p(-17.0, 52.0)], true);
    path_lines(&mut light, &[c + p(0.0, -56.0), c + p(0.0, 34.0), c + p(17.0, 52.0)], true);
    pen.path(
        &dark,
        &format!("fill=\"{INK}\" stroke=\"{INK}\" stroke-width=\"1.2\" stroke-linejoin=\"round\""),
    );
    pen.path(
        &light,
        &format!("fill=\"#f3efe2\" stroke=\"{INK}\" stroke-width=\"1.2\" stroke-linejoin=\"round\""),
    );
    let mut ring = String::new();
    path_spline(
        &mut ring,
        &(0..=16).map(|i| c.polar(std::f64::consts::TAU * f64::from(i) / 16.0, 26.0)).collect::<Vec<P>>(),
    );
    pen.path(&ring, &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"0.9\" stroke-opacity=\"0.6\""));
    pen.text(c + p(0.0, -62.0), 0.0, letter, &plain(Face::Title, 24.0, "middle"));
    pen.close();
}
