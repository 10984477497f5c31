//! Counters: the cardboard squares on the map.
//!
//! A [`Counter`] is plain data that any game can fill; [`draw`] draws it at a position and size on a picture, and
//! [`svg`] draws a single counter alone.

use super::fonts::{Face, width};
use super::geom::{P, Rect, num, p, path_circle, path_lines};
use super::ink::{Pen, Type};
use super::symbol::{self, Symbol};

/// Morale of a unit: shown as the box of its defense.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Morale {
    /// A red box.
    Elite,
    #[default]
    Veteran,
    /// A white box.
    Green,
}

/// States of a unit; each has its own shape, not only a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A torn corner.
    Disrupted,
    /// Two torn corners.
    Broken,
    /// Crossed swords.
    Engaged,
    /// An empty can.
    OutOfSupply,
    /// A wheel.
    StrategicMovement,
    /// A filled muzzle.
    Fired,
    /// A hollow muzzle.
    Ready,
    /// An earthwork under the counter.
    ImprovedPosition,
}

/// A counter as it is printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// Ground colour, `#rrggbb`; [`nation_ground`] has the usual ones.
    pub ground: String,
    /// Colour of the bar of army or corps.
    pub bar: Option<String>,
    pub symbol: Symbol,
    /// Size mark above the symbol: `II`, `III`, `X`, `XX` …
    pub size: String,
    /// Left of the symbol, bold: division or brigade.
    pub left: String,
    /// Right of the symbol: regiment or battalion.
    pub right: String,
    pub attack: String,
    pub defense: String,
    pub movement: String,
    pub morale: Morale,
    pub stacking: Option<u8>,
    /// Tank Quality, and whether it is printed red.
    pub quality: Option<(u8, bool)>,
    pub range: Option<u8>,
    /// The reduced side has a stripe.
    pub reduced: bool,
    pub marks: Vec<Mark>,
    /// Degrees clockwise that the counter faces; draws the front wedge.
    pub facing: Option<i16>,
}

/// Ground colour of a nation or branch; field grey for names that are not known.
pub fn nation_ground(nation: &str) -> &'static str {
    match nation {
        "us" | "american" => "#5d6540",
        "british" | "commonwealth" => "#cbb98e",
        "waffen_ss" | "ss" => "#2f3032",
        "fallschirmjaeger" => "#54687b",
        "soviet" => "#a04a2c",
        "gdr" | "nva" => "#6f6456",
        "bundeswehr" | "west_german" => "#5c6a58",
        "italian" => "#b9bd95",
        "dak" | "afrika_korps" => "#d3bb82",
        "eighth_army" => "#d9c39a",
        "polish" => "#8c5e55",
        _ => "#626d69",
    }
}

/// Colour of the bar for a named army or corps colour.
pub fn bar_colour(name: &str) -> Option<&'static str> {
    Some(match name {
        "red" => "#c0392b",
        "grey" | "gray" => "#b9bcba",
        "blue" => "#3f78b5",
        "green" => "#4f9a54",
        "purple" => "#8a5aa3",
        "maroon" => "#8f3346",
        "orange" => "#dd8a2e",
        "yellow" => "#e3c443",
        "beige" | "tan" => "#dccba3",
        "white" => "#f3f1ea",
        "black" => "#26272a",
        _ => return None,
    })
}

/// Relative luminance of `#rrggbb`; that of middle grey for anything else.
fn luminance(colour: &str) -> f64 {
    let part = |i: usize| -> Option<f64> {
        let v = f64::from(u8::from_str_radix(colour.get(i..i + 2)?, 16).ok()?) / 255.0;
        Some(if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) })
    };
    match (part(1), part(3), part(5)) {
        (Some(r), Some(g), Some(b)) => 0.2126 * r + 0.7152 * g + 0.0722 * b,
        _ => 0.18,
    }
}

const LIGHT: &str = "#fbfaf4";
const DARK: &str = "#1b1a17";

/// The colour of figures that stands out on this ground: light or dark, whichever has more contrast.
pub fn figures_on(ground: &str) -> &'static str {
    if contrast(LIGHT, ground) >= contrast(DARK, ground) { LIGHT } else { DARK }
}

/// Contrast of two colours by WCAG, 1 to 21.
pub fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// A colour mixed with black (`k` < 0) or white (`k` > 0).
fn mixed(colour: &str, k: f64) -> String {
    let to = if k < 0.0 { 0.0 } else { 255.0 };
    let part = |i: usize| {
        let v = colour.get(i..i + 2).and_then(|t| u8::from_str_radix(t, 16).ok()).map_or(110.0, f64::from);
        (v + (to - v) * k.abs()).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", part(1), part(3), part(5))
}

fn type_of(face: Face, size: f64, fill: &'static str, anchor: &'static str) -> Type {
    Type { face, size, spacing: 0.0, fill, halo: ("", 0.0), anchor }
}

/// Draws a text no wider than `most`, at a smaller size if necessary.
fn fitted(pen: &mut Pen, at: P, text: &str, mut t: Type, most: f64) {
    let w = width(t.face, text, t.size, 0.0);
    let mut at = at;
    if w > most {
        at.y -= t.size * 0.35 * (1.0 - most / w);
        t.size *= most / w;
    }
    pen.text(at, 0.0, text, &t);
}

/// Draws a counter with its upper left corner at (`x`, `y`), `side` units wide.
pub(crate) fn draw(pen: &mut Pen, c: &Counter, at: P, side: f64) {
    let k = side / 100.0;
    let mut t = String::from("transform=\"translate(");
    num(&mut t, at.x);
    t.push(' ');
    num(&mut t, at.y);
    t.push_str(&format!(") scale({k:.4})\""));
    pen.group(&t);
    face(pen, c);
    pen.close();
}

/// The counter in a square of 100 units.
fn face(pen: &mut Pen, c: &Counter) {
    let ground = if c.ground.len() == 7 && c.ground.starts_with('#') && c.ground.is_ascii() {
        c.ground.as_str()
    } else {
        "#626d69"
    };
    let ink = figures_on(ground);
    if c.marks.contains(&Mark::ImprovedPosition) {
        earthwork(pen);
    }
    // A shadow in two soft steps, then the card with a lighter upper edge.
    pen.rect(p(2.5, 4.0), 100.0, 100.0, "rx=\"8\" fill=\"#1b1a17\" fill-opacity=\"0.16\"");
    pen.rect(p(1.2, 2.0), 100.0, 100.0, "rx=\"8\" fill=\"#1b1a17\" fill-opacity=\"0.26\"");
    let edge = mixed(ground, -0.45);
    pen.rect(
        p(0.6, 0.6),
        98.8,
        98.8,
        &format!("rx=\"7.5\" fill=\"{ground}\" stroke=\"{edge}\" stroke-width=\"1.3\""),
    );
    let lit = mixed(ground, 0.22);
    let mut rim = String::new();
    path_lines(&mut rim, &[p(2.2, 92.0), p(2.2, 8.5), p(3.8, 3.8), p(8.5, 2.2), p(92.0, 2.2)], false);
    pen.path(&rim, &format!("fill=\"none\" stroke=\"{lit}\" stroke-width=\"1.4\" stroke-opacity=\"0.7\""));
    if let Some(bar) = c.bar.as_deref().filter(|b| b.len() == 7 && b.is_ascii()) {
        pen.rect(p(1.3, 59.2), 97.4, 6.2, &format!("fill=\"{bar}\" stroke=\"{edge}\" stroke-width=\"0.6\""));
    }
    if c.reduced {
        pen.rect(p(1.3, 66.6), 97.4, 4.0, &format!("fill=\"{ink}\" fill-opacity=\"0.85\""));
    }
    if !c.size.is_empty() {
        fitted(pen, p(50.0, 18.5), &c.size, type_of(Face::Bold, 15.0, ink, "middle"), 34.0);
    }
    let frame = Rect { x0: 29.0, y0: 23.5, x1: 71.0, y1: 53.5 };
    match &c.symbol {
        Symbol::Vehicle(_) => {
            symbol::draw(pen, &c.symbol, Rect { x0: 20.0, y0: 21.5, x1: 80.0, y1: 49.5 }, ink, ground);
        }
        Symbol::Text(text) => {
            fitted(pen, p(50.0, 46.0), text, type_of(Face::Bold, 24.0, ink, "middle"), 44.0);
        }
        other => {
            symbol::draw(pen, other, frame, DARK, &mixed(ground, if ink == LIGHT { 0.72 } else { 0.55 }));
        }
    }
    draw_names(pen, c, ink);
    draw_factors(pen, c, ink);
    draw_corners(pen, c);
    for m in &c.marks {
        draw_mark(pen, *m);
    }
    if let Some(deg) = c.facing {
        pen.group(&format!("transform=\"rotate({deg} 50 50)\""));
        let mut d = String::new();
        path_lines(&mut d, &[p(40.0, 1.5), p(60.0, 1.5), p(50.0, -9.0)], true);
        pen.path(
            &d,
            &format!("fill=\"{DARK}\" stroke=\"{LIGHT}\" stroke-width=\"1.5\" stroke-linejoin=\"round\""),
        );
        pen.close();
    }
}

/// Division left (bold), regiment or battalion right. A silhouette fills the middle, so both are then below it.
fn draw_names(pen: &mut Pen, c: &Counter, ink: &'static str) {
    let wide = matches!(c.symbol, Symbol::Vehicle(_));
    let (x, y, room) = if wide { (4.5, 57.4, 44.0) } else { (4.0, 43.5, 23.0) };
    let size = if wide { 12.5 } else { 16.0 };
    if !c.left.is_empty() {
        fitted(pen, p(x, y), &c.left, type_of(Face::Bold, size, ink, "start"), room);
    }
    if !c.right.is_empty() {
        fitted(pen, p(100.0 - x, y), &c.right, type_of(Face::Medium, size, ink, "end"), room);
    }
}

fn draw_factors(pen: &mut Pen, c: &Counter, ink: &'static str) {
    let size = 29.0;
    let base = 94.0;
    let dash = 6.6;
    let parts = [c.attack.as_str(), c.defense.as_str(), c.movement.as_str()];
    let shown: Vec<&str> = parts.into_iter().filter(|t| !t.is_empty()).collect();
    if shown.is_empty() {
        return;
    }
    let gap = 3.4;
    let box_pad = if c.morale == Morale::Veteran { 0.0 } else { 2.6 };
    let raw = shown.iter().map(|t| width(Face::Bold, t, size, 0.0)).sum::<f64>()
        + (shown.len() - 1) as f64 * (dash + 2.0 * gap)
        + if c.defense.is_empty() { 0.0 } else { 2.0 * box_pad };
    let k = (92.0 / raw).min(1.0);
    let size = size * k;
    let mut x = 50.0 - raw * k / 2.0;
    for (i, t) in shown.iter().enumerate() {
        let is_defense = !c.defense.is_empty() && std::ptr::eq(*t, c.defense.as_str());
        let w = width(Face::Bold, t, size, 0.0);
        let mut fill = ink;
        if is_defense && c.morale != Morale::Veteran {
            let (paint, edge) =
                if c.morale == Morale::Elite { ("#b3271e", "#f6eee4") } else { ("#fbfaf4", DARK) };
            pen.rect(
                p(x, base - size * 0.78),
                w + 2.0 * box_pad * k,
                size * 0.87,
                &format!("rx=\"2\" fill=\"{paint}\" stroke=\"{edge}\" stroke-width=\"1.2\""),
            );
            fill = figures_on(paint);
            x += box_pad * k;
        }
        pen.text(p(x, base), 0.0, t, &type_of(Face::Bold, size, fill, "start"));
        x += w;
        if is_defense {
            x += box_pad * k;
        }
        if i + 1 < shown.len() {
            x += gap * k;
            pen.rect(p(x, base - size * 0.36), dash * k, 3.0 * k, &format!("fill=\"{ink}\""));
            x += (dash + gap) * k;
        }
    }
}

/// Stacking box (upper left), Tank Quality (upper right), range of artillery (below it).
fn draw_corners(pen: &mut Pen, c: &Counter) {
    if let Some(n) = c.stacking {
        pen.rect(
            p(4.5, 5.0),
            15.0,
            16.0,
            &format!("rx=\"2\" fill=\"#efeadb\" stroke=\"{DARK}\" stroke-width=\"1\""),
        );
        pen.text(p(12.0, 18.0), 0.0, &n.to_string(), &type_of(Face::Bold, 14.5, DARK, "middle"));
    }
    if let Some((n, red)) = c.quality {
        let (paint, ink) = if red { ("#b3271e", LIGHT) } else { ("#efeadb", DARK) };
        pen.circle(p(87.0, 13.0), 9.4, &format!("fill=\"{paint}\" stroke=\"{DARK}\" stroke-width=\"1\""));
        pen.text(p(87.0, 18.2), 0.0, &n.to_string(), &type_of(Face::Bold, 15.0, ink, "middle"));
    }
    if let Some(n) = c.range {
        pen.rect(
            p(77.0, 4.5),
            18.5,
            16.0,
            &format!("rx=\"1.5\" fill=\"#e9d9a8\" stroke=\"{DARK}\" stroke-width=\"1.4\""),
        );
        pen.text(p(86.2, 17.6), 0.0, &n.to_string(), &type_of(Face::Bold, 14.5, DARK, "middle"));
    }
}

/// A bank of earth that shows on all sides of the counter.
fn earthwork(pen: &mut Pen) {
    pen.rect(
        p(-7.0, -7.0),
        114.0,
        114.0,
        "rx=\"13\" fill=\"#8a744f\" stroke=\"#4c3d25\" stroke-width=\"1.6\"",
    );
    let mut d = String::new();
    for i in 0..10 {
        let t = f64::from(i) * 11.0 + 0.5;
        for (a, b) in [
            (p(t, -6.5), p(t, -1.0)),
            (p(t, 106.5), p(t, 101.0)),
            (p(-6.5, t), p(-1.0, t)),
            (p(106.5, t), p(101.0, t)),
        ] {
            path_lines(&mut d, &[a, b], false);
        }
    }
    pen.path(&d, "fill=\"none\" stroke=\"#4c3d25\" stroke-width=\"1.4\"");
}

fn draw_mark(pen: &mut Pen, mark: Mark) {
    let torn = |pen: &mut Pen, right: bool| {
        let x = |v: f64| if right { 100.0 - v } else { v };
        let mut d = String::new();
        path_lines(
            &mut d,
            &[
                p(x(-1.0), -1.0),
                p(x(38.0), -1.0),
                p(x(31.0), 6.0),
                p(x(29.0), 12.0),
                p(x(20.0), 16.0),
                p(x(18.0), 23.0),
                p(x(9.0), 27.0),
                p(x(7.0), 33.0),
                p(x(-1.0), 40.0),
            ],
            true,
        );
        pen.path(&d, "fill=\"#f3eee0\" stroke=\"#a8231b\" stroke-width=\"2.6\" stroke-linejoin=\"round\"");
    };
    let tab = |pen: &mut Pen, y: f64| {
        pen.rect(p(-9.0, y), 20.0, 20.0, "rx=\"4\" fill=\"#f7f2e4\" stroke=\"#1b1a17\" stroke-width=\"1.3\"");
    };
    let mut d = String::new();
    match mark {
        Mark::Disrupted => torn(pen, true),
        Mark::Broken => {
            torn(pen, true);
            torn(pen, false);
        }
        Mark::Engaged => {
            tab(pen, 66.0);
            path_lines(&mut d, &[p(-5.0, 82.0), p(7.0, 70.0)], false);
            path_lines(&mut d, &[p(-5.0, 70.0), p(7.0, 82.0)], false);
            path_lines(&mut d, &[p(-5.5, 78.0), p(-1.0, 82.5)], false);
            path_lines(&mut d, &[p(7.5, 78.0), p(3.0, 82.5)], false);
            pen.path(&d, "fill=\"none\" stroke=\"#a8231b\" stroke-width=\"2.2\" stroke-linecap=\"round\"");
        }
        Mark::OutOfSupply => {
            tab(pen, 44.0);
            path_lines(
                &mut d,
                &[p(-4.0, 50.0), p(-1.0, 47.5), p(6.0, 47.5), p(6.0, 61.0), p(-4.0, 61.0)],
                true,
            );
            path_lines(&mut d, &[p(-6.0, 62.0), p(8.5, 46.5)], false);
            pen.path(&d, "fill=\"none\" stroke=\"#1b1a17\" stroke-width=\"1.8\" stroke-linejoin=\"round\"");
        }
        Mark::StrategicMovement => {
            tab(pen, 22.0);
            path_circle(&mut d, p(1.0, 32.0), 7.0);
            path_circle(&mut d, p(1.0, 32.0), 1.8);
            for (a, b) in [(p(1.0, 25.0), p(1.0, 39.0)), (p(-6.0, 32.0), p(8.0, 32.0))] {
                path_lines(&mut d, &[a, b], false);
            }
            pen.path(&d, "fill=\"none\" stroke=\"#1b1a17\" stroke-width=\"1.7\"");
        }
        Mark::Fired | Mark::Ready => {
            pen.rect(
                p(89.0, 40.0),
                20.0,
                20.0,
                "rx=\"4\" fill=\"#f7f2e4\" stroke=\"#1b1a17\" stroke-width=\"1.3\"",
            );
            path_circle(&mut d, p(99.0, 50.0), 5.6);
            let fill = if mark == Mark::Fired { "#1b1a17" } else { "none" };
            pen.path(&d, &format!("fill=\"{fill}\" stroke=\"#1b1a17\" stroke-width=\"2.2\""));
        }
        Mark::ImprovedPosition => {}
    }
}

/// Room around the square for shadow, tabs and wedge.
const ROOM: f64 = 12.0;

/// A picture of one counter, `pixels` wide with the room for its shadow.
pub fn svg(c: &Counter, pixels: u32) -> String {
    let mut pen = Pen::default();
    draw(&mut pen, c, P::default(), 100.0);
    let all = 100.0 + 2.0 * ROOM;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{pixels}\" height=\"{pixels}\" viewBox=\"{} {} {all} {all}\">\n{}</svg>\n",
        -ROOM, -ROOM, pen.out
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Counter {
        Counter {
            ground: nation_ground("us").into(),
            bar: bar_colour("purple").map(Into::into),
            size: "III".into(),
            left: "106".into(),
            right: "422".into(),
            attack: "4".into(),
            defense: "5".into(),
            movement: "5".into(),
            morale: Morale::Green,
            stacking: Some(3),
            quality: Some((4, true)),
            reduced: true,
            marks: vec![Mark::Disrupted, Mark::OutOfSupply, Mark::ImprovedPosition],
            ..Counter::default()
        }
    }

    #[test]
    fn figures_can_be_read_on_every_ground() {
        let nations = [
            "us",
            "british",
            "german",
            "waffen_ss",
            "fallschirmjaeger",
            "soviet",
            "gdr",
            "bundeswehr",
            "italian",
            "dak",
            "eighth_army",
            "polish",
        ];
        for n in nations {
            let g = nation_ground(n);
            assert!(contrast(figures_on(g), g) >= 4.5, "{n}: {:.2}", contrast(figures_on(g), g));
        }
        for box_ground in ["#b3271e", "#fbfaf4"] {
            assert!(contrast(figures_on(box_ground), box_ground) >= 4.5);
        }
    }

    #[test]
    fn a_counter_says_what_it_is_told() {
        let text = svg(&sample(), 200);
        for word in [">106<", ">422<", ">III<", ">4<", ">5<"] {
            assert!(text.contains(word), "{word}");
        }
        assert!(!text.contains("NaN"));
    }

    #[test]
    fn odd_input_gives_a_plain_counter() {
        let odd = Counter {
            ground: "grün".into(),
            bar: Some("<".into()),
            left: "<&>".into(),
            ..Counter::default()
        };
        let text = svg(&odd, 64);
        assert!(text.contains("&lt;&amp;&gt;") && text.contains("#626d69"));
    }

    #[test]
    fn every_symbol_of_the_packs_is_known() {
        for name in [
            "infantry",
            "parachute",
            "glider",
            "mountain",
            "engineer",
            "fortress",
            "mech_infantry",
            "motorized_infantry",
            "recon",
            "flak",
            "artillery",
            "nebelwerfer",
            "armor",
        ] {
            assert!(Symbol::by_name(name).is_some(), "{name}");
        }
        assert_eq!(Symbol::by_name("submarine"), None);
    }
}
