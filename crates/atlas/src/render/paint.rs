//! Paints a part of a scene. What lies outside the part is cut away before painting, without any visible difference: a
//! line that runs beside the part can be drawn straight, and a stroke can be interrupted outside the view.

use std::collections::HashMap;

use resvg::tiny_skia::{
    FillRule, Mask, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Point, Shader, Transform,
};
use resvg::usvg::tiny_skia_path::PathVerb;

use super::scene::{Bounds, Clip, Op, Run, Scene, Shape, arity, reach};

/// Type lower than this many pixels cannot be read; it would only be grey.
const LEGIBLE: f32 = 3.2;

/// Paints the part of the scene whose upper left corner is (`x`, `y`) at this scale.
pub(super) fn paint(scene: &Scene, scale: f32, x: f32, y: f32, map: &mut Pixmap) {
    let size = (map.width() as f32, map.height() as f32);
    // One more pixel on all sides, for anti-aliasing.
    let edge = 1.5 / scale;
    let view = Bounds { x0: x / scale, y0: y / scale, x1: (x + size.0) / scale, y1: (y + size.1) / scale };
    let sheet = Bounds { x0: 0.0, y0: 0.0, x1: scene.width, y1: scene.height };
    let mut painter = Painter {
        scene,
        scale,
        view: view.grown(edge),
        seen: view.common(&sheet),
        transform: Transform::from_scale(scale, scale).post_translate(-x, -y),
        masks: HashMap::new(),
    };
    let mut layers: Vec<(Pixmap, f32)> = Vec::new();
    let mut at = 0;
    while let Some(op) = scene.ops.get(at) {
        at += 1;
        match op {
            Op::Layer(opacity) => {
                let end = at + flattened(&scene.ops[at..]);
                let visible = scene.ops[at..end].iter().any(|op| painter.shows(op));
                match Pixmap::new(map.width(), map.height()) {
                    Some(layer) if visible => layers.push((layer, *opacity)),
                    _ => at = end + 1,
                }
            }
            Op::Flatten => {
                if let Some((layer, opacity)) = layers.pop() {
                    let below = layers.last_mut().map_or(&mut *map, |(layer, _)| layer);
                    let paint = PixmapPaint { opacity, ..PixmapPaint::default() };
                    below.draw_pixmap(0, 0, layer.as_ref(), &paint, Transform::identity(), None);
                }
            }
            Op::Shape { .. } | Op::Text { .. } => {
                let top = layers.last_mut().map_or(&mut *map, |(layer, _)| layer);
                painter.draw(op, top);
            }
        }
    }
    crop(map, (scene.width * scale - x).ceil(), (scene.height * scale - y).ceil());
}

/// The index of the end of the layer that starts at the first of these steps.
fn flattened(ops: &[Op]) -> usize {
    let mut open = 1;
    let end = ops.iter().position(|op| {
        open += i32::from(matches!(op, Op::Layer(_))) - i32::from(matches!(op, Op::Flatten));
        open == 0
    });
    end.unwrap_or(ops.len())
}

/// Erases what was painted beyond the picture's lower right corner.
fn crop(map: &mut Pixmap, width: f32, height: f32) {
    let across = map.width() as usize;
    let (width, height) = (width.max(0.0) as usize, height.max(0.0) as usize);
    let row = across * 4;
    for (n, row) in map.data_mut().chunks_exact_mut(row).enumerate() {
        let kept = if n < height { width.min(across) } else { 0 };
        row[kept * 4..].fill(0);
    }
}

struct Painter<'a> {
    scene: &'a Scene,
    scale: f32,
    view: Bounds,
    /// The visible part of the picture itself.
    seen: Bounds,
    transform: Transform,
    /// None if a clip hides nothing visible.
    masks: HashMap<usize, Option<Mask>>,
}

impl Painter<'_> {
    fn shows(&self, op: &Op) -> bool {
        match op {
            Op::Shape { shape, .. } => shape.bounds.meets(&self.view),
            Op::Text { text, .. } => {
                self.scene.text_size(*text) * self.scale >= LEGIBLE
                    && self.scene.glyphs(*text).iter().any(|shape| shape.bounds.meets(&self.view))
            }
            Op::Layer(_) | Op::Flatten => false,
        }
    }

    fn draw(&mut self, op: &Op, map: &mut Pixmap) {
        if !self.shows(op) {
            return;
        }
        let (shapes, clip) = match op {
            Op::Shape { shape, clip } => (std::slice::from_ref(shape), clip),
            Op::Text { text, clip } => (self.scene.glyphs(*text), clip),
            Op::Layer(_) | Op::Flatten => return,
        };
        if let Some(clip) = clip {
            let about = &self.scene.clips[*clip];
            if !about.bounds.meets(&self.view) {
                return;
            }
            let (seen, transform) = (&self.seen, self.transform);
            self.masks.entry(*clip).or_insert_with(|| mask(about, seen, transform, map));
        }
        let mask = clip.and_then(|clip| self.masks[&clip].as_ref());
        for shape in shapes.iter().filter(|shape| shape.bounds.meets(&self.view)) {
            if shape.stroke_first {
                self.stroke(shape, map, mask);
                self.fill(shape, map, mask);
            } else {
                self.fill(shape, map, mask);
                self.stroke(shape, map, mask);
            }
        }
    }

    fn fill(&self, shape: &Shape, map: &mut Pixmap, mask: Option<&Mask>) {
        let Some((colour, rule)) = shape.fill else { return };
        let paint = Paint { shader: Shader::SolidColor(colour), ..Paint::default() };
        // What has no area cannot be filled.
        let flat = |path: &Path| path.bounds().width() == 0.0 || path.bounds().height() == 0.0;
        let mut draw = |path: &Path| {
            if !flat(path) {
                map.fill_path(path, &paint, rule, self.transform, mask);
            }
        };
        if self.view.covers(&shape.bounds) {
            draw(&shape.path);
        } else if let Some(path) = cut(shape, &self.view, around) {
            draw(&path);
        }
    }

    fn stroke(&self, shape: &Shape, map: &mut Pixmap, mask: Option<&Mask>) {
        let Some((colour, pen)) = &shape.stroke else { return };
        let paint = Paint { shader: Shader::SolidColor(*colour), ..Paint::default() };
        if self.view.covers(&shape.bounds) {
            map.stroke_path(&shape.path, &paint, pen, self.transform, mask);
            return;
        }
        let view = self.view.grown(reach(pen));
        // Dashes are measured from the beginning of a line.
        let how = if pen.dash.is_some() { whole } else { lifted };
        if let Some(path) = cut(shape, &view, how) {
            map.stroke_path(&path, &paint, pen, self.transform, mask);
        }
    }
}

/// None if the clip hides nothing.
fn mask(clip: &Clip, seen: &Bounds, transform: Transform, map: &Pixmap) -> Option<Mask> {
    if clip.upright && clip.bounds.grown(0.01).covers(seen) {
        return None;
    }
    let mut mask = Mask::new(map.width(), map.height())?;
    mask.fill_path(&clip.path, FillRule::Winding, true, transform);
    Some(mask)
}

/// The runs of a shape that meet the view; those that cross its edge are cut by `how`.
fn cut(shape: &Shape, view: &Bounds, how: fn(&[Piece], &Bounds, &mut PathBuilder)) -> Option<Path> {
    let mut out = PathBuilder::new();
    let mut pieces = Vec::new();
    for (n, run) in shape.runs.iter().enumerate().filter(|(_, run)| run.bounds.meets(view)) {
        take_apart(&shape.path, run, shape.runs.get(n + 1), &mut pieces);
        if view.covers(&run.bounds) || pieces.len() < SHORT {
            whole(&pieces, view, &mut out);
        } else {
            how(&pieces, view, &mut out);
        }
    }
    out.finish()
}

/// Cutting runs shorter than this costs more than it saves.
const SHORT: usize = 8;

/// A piece of a run: start, control points, end. `Close` returns to the beginning.
#[derive(Clone, Copy)]
struct Piece {
    verb: PathVerb,
    from: Point,
    points: [Point; 3],
}

impl Piece {
    fn to(&self) -> Point {
        self.points[arity(self.verb).max(1) - 1]
    }

    /// The outer sides of the view on which the whole piece lies, as bits.
    fn beside(&self, view: &Bounds) -> u8 {
        let all = self.points.iter().take(arity(self.verb).max(1)).chain([&self.from]);
        all.fold(0b1111, |sides, q| {
            sides
                & (u8::from(q.x < view.x0)
                    | u8::from(q.x > view.x1) << 1
                    | u8::from(q.y < view.y0) << 2
                    | u8::from(q.y > view.y1) << 3)
        })
    }

    fn put(&self, out: &mut PathBuilder) {
        let [a, b, c] = self.points;
        match self.verb {
            PathVerb::Quad => out.quad_to(a.x, a.y, b.x, b.y),
            PathVerb::Cubic => out.cubic_to(a.x, a.y, b.x, b.y, c.x, c.y),
            PathVerb::Line | PathVerb::Move | PathVerb::Close => out.line_to(a.x, a.y),
        }
    }
}

/// The pieces of a run, including the closing line.
fn take_apart(path: &Path, run: &Run, next: Option<&Run>, out: &mut Vec<Piece>) {
    out.clear();
    let verbs = &path.verbs()[run.verbs as usize..next.map_or(path.verbs().len(), |r| r.verbs as usize)];
    let mut points = &path.points()[run.points as usize..];
    let start = points[0];
    let mut from = start;
    for verb in verbs {
        let (own, rest) = points.split_at(arity(*verb));
        points = rest;
        if *verb == PathVerb::Move {
            continue;
        }
        let mut piece = Piece { verb: *verb, from, points: [start; 3] };
        piece.points[..own.len()].copy_from_slice(own);
        from = piece.to();
        out.push(piece);
    }
}

/// Adds the pieces unchanged.
fn whole(pieces: &[Piece], _: &Bounds, out: &mut PathBuilder) {
    let Some(first) = pieces.first() else { return };
    out.move_to(first.from.x, first.from.y);
    for piece in pieces {
        match piece.verb {
            PathVerb::Close => out.close(),
            _ => piece.put(out),
        }
    }
}

/// For fills: consecutive pieces on one side of the view become one straight line there, which encloses the same points
/// of the view.
fn around(pieces: &[Piece], view: &Bounds, out: &mut PathBuilder) {
    let Some(first) = pieces.first() else { return };
    out.move_to(first.from.x, first.from.y);
    let mut skipped: Option<(u8, Point)> = None;
    for piece in pieces {
        let beside = piece.beside(view);
        let shared = skipped.map_or(beside, |(sides, _)| sides & beside);
        if shared != 0 {
            skipped = Some((shared, piece.to()));
            continue;
        }
        if let Some((_, to)) = skipped.take() {
            out.line_to(to.x, to.y);
        }
        if beside != 0 {
            skipped = Some((beside, piece.to()));
        } else {
            piece.put(out);
        }
    }
    if let Some((_, to)) = skipped {
        out.line_to(to.x, to.y);
    }
    out.close();
}

/// For strokes: pieces beside the view are skipped. The view has been enlarged by the reach of the stroke, so the ends
/// that this creates are not visible.
fn lifted(pieces: &[Piece], view: &Bounds, out: &mut PathBuilder) {
    let Some(lift) = pieces.iter().position(|piece| piece.beside(view) != 0) else {
        whole(pieces, view, out);
        return;
    };
    // A closed line is started at a skipped piece, so that the corner at its first point stays a corner.
    let closed = pieces.last().is_some_and(|piece| piece.verb == PathVerb::Close);
    let begin = if closed { lift } else { 0 };
    let mut down = false;
    for n in 0..pieces.len() {
        let piece = &pieces[(begin + n) % pieces.len()];
        if piece.beside(view) != 0 {
            down = false;
            continue;
        }
        if !down {
            out.move_to(piece.from.x, piece.from.y);
            down = true;
        }
        piece.put(out);
    }
}
