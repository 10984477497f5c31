//! A drawing parsed from its SVG into a list of shapes in painting order, each with its bounds, so that a small part of
//! a large sheet can be painted without touching the rest.
//!
//! Only what the [pen](super::ink) writes is understood; anything else is an error and never silently dropped. Texts
//! are turned into outlines by `usvg`, and only when they are large enough to be read.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Path, PathBuilder, Point, Stroke, StrokeDash, Transform,
};
use resvg::usvg::tiny_skia_path::PathVerb;
use resvg::usvg::{self, fontdb};
use roxmltree::{Document, Node};

use super::fonts;
use super::outline;

/// An upright rectangle in the units of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub x0: f32,
    pub y0: f32,
    pub x1: f32,
    pub y1: f32,
}

impl Bounds {
    pub fn of(points: &[Point]) -> Self {
        let none = Bounds { x0: f32::MAX, y0: f32::MAX, x1: f32::MIN, y1: f32::MIN };
        points.iter().fold(none, |b, q| Bounds {
            x0: b.x0.min(q.x),
            y0: b.y0.min(q.y),
            x1: b.x1.max(q.x),
            y1: b.y1.max(q.y),
        })
    }

    pub fn grown(self, by: f32) -> Self {
        Bounds { x0: self.x0 - by, y0: self.y0 - by, x1: self.x1 + by, y1: self.y1 + by }
    }

    pub fn meets(&self, o: &Self) -> bool {
        self.x0 <= o.x1 && o.x0 <= self.x1 && self.y0 <= o.y1 && o.y0 <= self.y1
    }

    pub fn covers(&self, o: &Self) -> bool {
        self.x0 <= o.x0 && self.y0 <= o.y0 && self.x1 >= o.x1 && self.y1 >= o.y1
    }

    pub fn common(&self, o: &Self) -> Self {
        Bounds { x0: self.x0.max(o.x0), y0: self.y0.max(o.y0), x1: self.x1.min(o.x1), y1: self.y1.min(o.y1) }
    }
}

/// A stretch of a path from one move to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Where its verbs and points begin; they end where the next run's begin.
    pub verbs: u32,
    pub points: u32,
    pub bounds: Bounds,
}

/// Something filled and stroked with plain colours.
#[derive(Debug)]
pub(super) struct Shape {
    pub path: Path,
    pub runs: Vec<Run>,
    /// The bounds including the width of its stroke.
    pub bounds: Bounds,
    pub fill: Option<(Color, FillRule)>,
    pub stroke: Option<(Color, Stroke)>,
    /// A halo is painted below what it surrounds.
    pub stroke_first: bool,
}

impl Shape {
    fn new(
        path: Path,
        fill: Option<(Color, FillRule)>,
        stroke: Option<(Color, Stroke)>,
        stroke_first: bool,
    ) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        let mut points = 0;
        let starts = path.verbs().iter().enumerate().filter_map(|(verb, kind)| {
            let at = points;
            points += arity(*kind);
            (*kind == PathVerb::Move).then_some((verb as u32, at as u32))
        });
        let starts: Vec<(u32, u32)> = starts.collect();
        for (n, (verbs, from)) in starts.iter().copied().enumerate() {
            let to = starts.get(n + 1).map_or(path.points().len(), |next| next.1 as usize);
            runs.push(Run { verbs, points: from, bounds: Bounds::of(&path.points()[from as usize..to]) });
        }
        let reach = stroke.as_ref().map_or(0.0, |(_, stroke)| reach(stroke));
        let bounds = Bounds::of(path.points()).grown(reach);
        Shape { path, runs, bounds, fill, stroke, stroke_first }
    }
}

/// How far a stroke may reach beyond its path: a mitred corner sticks out.
pub(super) fn reach(stroke: &Stroke) -> f32 {
    let corner = if stroke.line_join == LineJoin::Miter { stroke.miter_limit } else { 1.5 };
    stroke.width / 2.0 * corner.max(1.5)
}

/// How many points follow a verb.
pub(super) const fn arity(verb: PathVerb) -> usize {
    match verb {
        PathVerb::Move | PathVerb::Line => 1,
        PathVerb::Quad => 2,
        PathVerb::Cubic => 3,
        PathVerb::Close => 0,
    }
}

/// One step of painting.
#[derive(Debug)]
pub(super) enum Op {
    Shape {
        shape: Shape,
        clip: Option<usize>,
    },
    Text {
        text: usize,
        clip: Option<usize>,
    },
    /// Everything up to the matching [`Op::Flatten`] is painted as one layer of this opacity.
    Layer(f32),
    Flatten,
}

/// The clip of a group.
#[derive(Debug)]
pub(super) struct Clip {
    pub path: Path,
    pub bounds: Bounds,
    /// Is the clip just its bounds?
    pub upright: bool,
}

#[derive(Debug)]
pub(super) struct Scene {
    pub width: f32,
    pub height: f32,
    pub ops: Vec<Op>,
    pub clips: Vec<Clip>,
    texts: Vec<Text>,
    /// The paths that texts follow.
    courses: String,
    scale: f32,
    view_box: String,
    small: OnceLock<Vec<Vec<Shape>>>,
    great: OnceLock<Vec<Vec<Shape>>>,
}

/// A text as written in the SVG, with the groups around it.
#[derive(Debug)]
struct Text {
    markup: String,
    /// Height of its type in pixels at scale 1.
    size: f32,
}

/// Texts up to this size (mostly hex numbers) are numerous, and legible only when zoomed in.
const SMALL: f32 = 10.0;

/// Style inherited from the enclosing groups.
#[derive(Clone, Debug)]
struct Style {
    fill: Option<[u8; 3]>,
    fill_opacity: f32,
    rule: FillRule,
    stroke: Option<[u8; 3]>,
    stroke_opacity: f32,
    width: f32,
    cap: LineCap,
    join: LineJoin,
    dash: Vec<f32>,
    stroke_first: bool,
    transform: Transform,
    clip: Option<usize>,
}

type Result<T> = std::result::Result<T, String>;

impl Scene {
    pub fn read(svg: &str) -> Result<Self> {
        let document = Document::parse(svg).map_err(|e| e.to_string())?;
        let root = document.root_element();
        let number = |name: &str| root.attribute(name).and_then(|v| v.parse::<f32>().ok());
        let (width, height) =
            number("width").zip(number("height")).ok_or("the root needs width and height")?;
        let view_box =
            root.attribute("viewBox").map_or_else(|| format!("0 0 {width} {height}"), str::to_owned);
        let [x, y, w, _] = numbers(&view_box)?[..] else { return Err(format!("viewBox=\"{view_box}\"")) };
        if w <= 0.0 || width <= 0.0 || height <= 0.0 {
            return Err("the picture has no size".into());
        }
        let scale = width / w;
        let mut scene = Scene {
            width,
            height,
            ops: Vec::new(),
            clips: Vec::new(),
            texts: Vec::new(),
            courses: String::new(),
            scale,
            view_box,
            small: OnceLock::new(),
            great: OnceLock::new(),
        };
        let style = Style {
            fill: Some([0; 3]),
            fill_opacity: 1.0,
            rule: FillRule::Winding,
            stroke: None,
            stroke_opacity: 1.0,
            width: 1.0,
            cap: LineCap::Butt,
            join: LineJoin::Miter,
            dash: Vec::new(),
            stroke_first: false,
            transform: Transform::from_translate(-x, -y).post_scale(scale, scale),
            clip: None,
        };
        let mut clips = HashMap::new();
        for child in root.children().filter(Node::is_element) {
            scene.element(svg, child, &style, "", &mut clips)?;
        }
        Ok(scene)
    }

    fn element<'a>(
        &mut self,
        svg: &str,
        node: Node<'a, '_>,
        outer: &Style,
        groups: &str,
        clips: &mut HashMap<&'a str, usize>,
    ) -> Result<()> {
        match node.tag_name().name() {
            "g" => {
                let (style, opacity) = inherited(node, outer, clips)?;
                // The attributes of enclosing groups that a text needs; opacity and clip are handled here.
                let mut inner = format!("{groups}<g");
                let kept = |name: &str| !matches!(name, "id" | "class" | "opacity" | "clip-path");
                for attribute in node.attributes().filter(|a| kept(a.name())) {
                    inner.push_str(&format!(" {}=\"{}\"", attribute.name(), attribute.value()));
                }
                inner.push('>');
                if opacity < 1.0 {
                    self.ops.push(Op::Layer(opacity));
                }
                for child in node.children().filter(Node::is_element) {
                    self.element(svg, child, &style, &inner, clips)?;
                }
                if opacity < 1.0 {
                    self.ops.push(Op::Flatten);
                }
            }
            "clipPath" => {
                let id = node.attribute("id").ok_or("a clipPath needs an id")?;
                let shape =
                    node.children().find(Node::is_element).ok_or("a clipPath needs something in it")?;
                let path = outline_of(shape, outer.transform)?.ok_or("an empty clipPath")?;
                let upright = shape.tag_name().name() == "rect" && shape.attribute("rx").is_none();
                clips.insert(id, self.clips.len());
                self.clips.push(Clip { bounds: Bounds::of(path.points()), path, upright });
            }
            "text" => {
                let size = node.attribute("font-size").and_then(|v| v.parse::<f32>().ok());
                let size = size.ok_or("a text needs a font-size")? * self.scale;
                let mut markup = groups.to_owned();
                let body = &svg[node.range()];
                // The number identifies it among the outlines.
                markup.push_str(&format!("<text id=\"t{}\"{}", self.texts.len(), &body["<text".len()..]));
                markup.push_str(&"</g>".repeat(groups.matches("<g").count()));
                self.ops.push(Op::Text { text: self.texts.len(), clip: outer.clip });
                self.texts.push(Text { markup, size });
            }
            "path" | "rect" | "circle" => {
                let (style, opacity) = inherited(node, outer, clips)?;
                if let Some(id) = node.attribute("id")
                    && let Some(d) = node.attribute("d")
                {
                    self.courses.push_str(&format!("<path id=\"{id}\" d=\"{d}\"/>"));
                }
                let (fill, stroke) = style.paints(opacity);
                if (fill.is_some() || stroke.is_some())
                    && let Some(path) = outline_of(node, style.transform)?
                {
                    let shape = Shape::new(path, fill, stroke, style.stroke_first);
                    self.ops.push(Op::Shape { shape, clip: style.clip });
                }
            }
            other => return Err(format!("<{other}> is not drawn here")),
        }
        Ok(())
    }

    /// Height of a text's type in pixels at scale 1.
    pub fn text_size(&self, text: usize) -> f32 {
        self.texts[text].size
    }

    /// The outlines of a text.
    pub fn glyphs(&self, text: usize) -> &[Shape] {
        let is_small = |text: &Text| text.size <= SMALL;
        let (slot, small) =
            if is_small(&self.texts[text]) { (&self.small, true) } else { (&self.great, false) };
        let all = slot.get_or_init(|| {
            let wanted = self.texts.iter().filter(|text| is_small(text) == small);
            let markup: String = wanted.map(|text| text.markup.as_str()).collect();
            self.set(&markup)
        });
        all.get(text).map_or(&[], Vec::as_slice)
    }

    /// Converts texts to outlines, indexed by their numbers; those that are not in `markup` have no outlines.
    fn set(&self, markup: &str) -> Vec<Vec<Shape>> {
        let mut out: Vec<Vec<Shape>> = Vec::new();
        out.resize_with(self.texts.len(), Vec::new);
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"{}\"><defs>{}</defs>{markup}</svg>",
            self.width, self.height, self.view_box, self.courses
        );
        let options = usvg::Options {
            fontdb: font_set(),
            font_family: "Grognard Condensed".into(),
            ..usvg::Options::default()
        };
        // The markup was parsed before, so this cannot fail; if it did, a picture without texts is better than none.
        if let Ok(tree) = usvg::Tree::from_str(&svg, &options) {
            gather(tree.root(), Transform::identity(), None, &mut out);
        }
        out
    }
}

/// Collects the outlines of all texts below a group; `at` is the transform from the whole picture to it.
fn gather(group: &usvg::Group, at: Transform, of: Option<usize>, out: &mut [Vec<Shape>]) {
    let at = at.pre_concat(group.transform());
    for node in group.children() {
        match node {
            usvg::Node::Group(inner) => gather(inner, at, of, out),
            usvg::Node::Text(text) => {
                let number = text.id().strip_prefix('t').and_then(|n| n.parse().ok());
                gather(text.flattened(), at, number, out);
            }
            usvg::Node::Path(path) => {
                let Some(shapes) = of.and_then(|n| out.get_mut(n)) else { continue };
                shapes.extend(glyph_shape(path, at));
            }
            usvg::Node::Image(_) => {}
        }
    }
}

fn glyph_shape(path: &usvg::Path, at: Transform) -> Option<Shape> {
    let colour = |paint: &usvg::Paint, opacity: usvg::Opacity| match paint {
        usvg::Paint::Color(c) => Some(Color::from_rgba8(c.red, c.green, c.blue, opacity.to_u8())),
        _ => None,
    };
    let fill = path.fill().and_then(|f| Some((colour(f.paint(), f.opacity())?, FillRule::Winding)));
    let stroke = path.stroke().and_then(|s| {
        let mut pen = s.to_tiny_skia();
        pen.width *= at.get_scale().0;
        Some((colour(s.paint(), s.opacity())?, pen))
    });
    let outline = path.data().clone().transform(at)?;
    Some(Shape::new(outline, fill, stroke, path.paint_order() == usvg::PaintOrder::StrokeAndFill))
}

pub(super) fn font_set() -> Arc<fontdb::Database> {
    static SET: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    SET.get_or_init(|| {
        let mut db = fontdb::Database::new();
        for data in fonts::bundled() {
            db.load_font_data(data.to_vec());
        }
        db.set_sans_serif_family("Grognard Condensed");
        db.set_serif_family("Grognard Serif");
        Arc::new(db)
    })
    .clone()
}

impl Style {
    /// Fill and stroke of an element with an opacity of its own.
    fn paints(&self, opacity: f32) -> (Option<(Color, FillRule)>, Option<(Color, Stroke)>) {
        let colour = |[r, g, b]: [u8; 3], alpha: f32| {
            Color::from_rgba8(r, g, b, (alpha * opacity * 255.0).round().clamp(0.0, 255.0) as u8)
        };
        let k = self.transform.get_scale().0;
        let fill = self.fill.map(|fill| (colour(fill, self.fill_opacity), self.rule));
        let stroke = self.stroke.filter(|_| self.width > 0.0).map(|stroke| {
            let pen = Stroke {
                width: self.width * k,
                line_cap: self.cap,
                line_join: self.join,
                dash: StrokeDash::new(self.dash.iter().map(|d| d * k).collect(), 0.0),
                ..Stroke::default()
            };
            (colour(stroke, self.stroke_opacity), pen)
        });
        (fill, stroke)
    }
}

/// The style inside an element, and how opaque the element is as a whole.
fn inherited(node: Node, outer: &Style, clips: &HashMap<&str, usize>) -> Result<(Style, f32)> {
    let mut style = outer.clone();
    let mut opacity = 1.0;
    for attribute in node.attributes() {
        let value = attribute.value();
        let number = || value.parse::<f32>().map_err(|_| format!("{}=\"{value}\"", attribute.name()));
        match attribute.name() {
            "fill" => style.fill = colour(value)?,
            "stroke" => style.stroke = colour(value)?,
            "fill-opacity" => style.fill_opacity = number()?,
            "stroke-opacity" => style.stroke_opacity = number()?,
            "opacity" => opacity = number()?,
            "stroke-width" => style.width = number()?,
            "stroke-linecap" => {
                style.cap = match value {
                    "butt" => LineCap::Butt,
                    "round" => LineCap::Round,
                    "square" => LineCap::Square,
                    other => return Err(format!("stroke-linecap=\"{other}\"")),
                };
            }
            "stroke-linejoin" => {
                style.join = match value {
                    "miter" => LineJoin::Miter,
                    "round" => LineJoin::Round,
                    "bevel" => LineJoin::Bevel,
                    other => return Err(format!("stroke-linejoin=\"{other}\"")),
                };
            }
            "fill-rule" => {
                style.rule = match value {
                    "nonzero" => FillRule::Winding,
                    "evenodd" => FillRule::EvenOdd,
                    other => return Err(format!("fill-rule=\"{other}\"")),
                };
            }
            "paint-order" => {
                style.stroke_first = match value {
                    "stroke" => true,
                    "normal" => false,
                    other => return Err(format!("paint-order=\"{other}\"")),
                };
            }
            "stroke-dasharray" => style.dash = numbers(value)?,
            "transform" => style.transform = outer.transform.pre_concat(transform(value)?),
            "clip-path" => {
                let id = value.strip_prefix("url(#").and_then(|v| v.strip_suffix(')'));
                let known = id.and_then(|id| clips.get(id));
                style.clip = Some(*known.ok_or_else(|| format!("clip-path=\"{value}\" is not there"))?);
            }
            "id" | "class" | "d" | "x" | "y" | "width" | "height" | "rx" | "cx" | "cy" | "r" => {}
            other => return Err(format!("the attribute {other} is not understood here")),
        }
    }
    Ok((style, opacity))
}

/// `#rrggbb`, `#rgb` or `none`.
fn colour(text: &str) -> Result<Option<[u8; 3]>> {
    let bad = || format!("the colour `{text}` is not written as #rrggbb");
    if text == "none" {
        return Ok(None);
    }
    let hex = text.strip_prefix('#').filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit())).ok_or_else(bad)?;
    let digits = |from: usize, to: usize| u8::from_str_radix(&hex[from..to], 16).map_err(|_| bad());
    match hex.len() {
        6 => Ok(Some([digits(0, 2)?, digits(2, 4)?, digits(4, 6)?])),
        3 => Ok(Some([digits(0, 1)? * 17, digits(1, 2)? * 17, digits(2, 3)? * 17])),
        _ => Err(bad()),
    }
}

fn numbers(text: &str) -> Result<Vec<f32>> {
    let parts = text.split([' ', ',']).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().map_err(|_| format!("`{part}` is no number"))).collect()
}

/// `translate(x y) rotate(d [x y]) scale(k)`, in any order.
fn transform(text: &str) -> Result<Transform> {
    let mut all = Transform::identity();
    for part in text.split(')').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, values) = part.split_once('(').ok_or_else(|| format!("transform=\"{text}\""))?;
        let step = match (name.trim(), &numbers(values)?[..]) {
            ("translate", [x, y]) => Transform::from_translate(*x, *y),
            ("rotate", [degrees]) => Transform::from_rotate(*degrees),
            ("rotate", [degrees, x, y]) => Transform::from_rotate_at(*degrees, *x, *y),
            ("scale", [k]) => Transform::from_scale(*k, *k),
            ("scale", [x, y]) => Transform::from_scale(*x, *y),
            _ => return Err(format!("transform=\"{text}\" is not understood here")),
        };
        all = all.pre_concat(step);
    }
    Ok(all)
}

/// The path of an element; none where it is empty.
fn outline_of(node: Node, at: Transform) -> Result<Option<Path>> {
    let number = |name: &str| -> Result<f32> {
        let value = node.attribute(name).unwrap_or("0");
        value.parse().map_err(|_| format!("{name}=\"{value}\""))
    };
    let mut out = PathBuilder::new();
    match node.tag_name().name() {
        "path" => outline::read(node.attribute("d").unwrap_or_default(), &mut out)?,
        "circle" => out.push_circle(number("cx")?, number("cy")?, number("r")?),
        "rect" => {
            let (x, y, w, h) = (number("x")?, number("y")?, number("width")?, number("height")?);
            outline::rounded(&mut out, x, y, w, h, number("rx")?);
        }
        other => return Err(format!("<{other}> has no outline")),
    }
    Ok(out.finish().and_then(|path| path.transform(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(inner: &str) -> Result<Scene> {
        Scene::read(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"10\" viewBox=\"0 0 40 20\">{inner}</svg>"
        ))
    }

    #[test]
    fn shapes_know_where_they_are() {
        let scene = scene(
            "<g stroke=\"#102030\" stroke-width=\"2\" stroke-linejoin=\"round\"><path fill=\"none\" d=\"M2 2L6 2M10 10L10 14\"/></g>",
        )
        .unwrap();
        let [Op::Shape { shape, clip: None }] = &scene.ops[..] else { panic!("{:?}", scene.ops) };
        assert_eq!(shape.runs.len(), 2);
        assert_eq!(shape.runs[1].bounds, Bounds { x0: 5.0, y0: 5.0, x1: 5.0, y1: 7.0 });
        assert!(shape.bounds.covers(&Bounds { x0: 0.5, y0: 0.5, x1: 5.5, y1: 7.5 }));
        assert!(shape.fill.is_none() && shape.stroke.as_ref().unwrap().1.width == 1.0);
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for bad in [
            "<image/>",
            "<path d=\"M1 1X\"/>",
            "<path d=\"M1 1L2 2\" fill=\"red\"/>",
            "<g filter=\"url(#f)\"/>",
            "<g clip-path=\"url(#none)\"/>",
            "<g transform=\"skewX(2)\"/>",
            "<text>no size</text>",
        ] {
            assert!(scene(bad).is_err(), "{bad}");
        }
        assert!(Scene::read("<svg/>").is_err());
        assert!(Scene::read("nonsense").is_err());
    }

    #[test]
    fn texts_become_outlines_when_they_are_wanted() {
        let scene = scene(
            "<g fill=\"#101010\"><text x=\"5\" y=\"10\" font-size=\"30\">A &amp; B</text>\
             <text x=\"5\" y=\"10\" font-size=\"8\" fill=\"#ff0000\">7</text></g>",
        )
        .unwrap();
        assert!(scene.small.get().is_none() && scene.great.get().is_none());
        assert!(!scene.glyphs(0).is_empty());
        assert!(scene.small.get().is_none());
        let small = &scene.glyphs(1)[0];
        assert_eq!(small.fill.unwrap().0, Color::from_rgba8(255, 0, 0, 255));
        assert_eq!((scene.text_size(0), scene.text_size(1)), (15.0, 4.0));
    }
}
