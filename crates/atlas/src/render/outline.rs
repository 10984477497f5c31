//! Parses SVG path data into paths.

use std::f32::consts::FRAC_PI_2;

use resvg::tiny_skia::{PathBuilder, Point, Rect};

/// Reads path data: `M L H V C Q A Z`, absolute and relative.
pub(super) fn read(d: &str, out: &mut PathBuilder) -> Result<(), String> {
    let mut text = Cursor { bytes: d.as_bytes(), at: 0 };
    let mut now = Point::zero();
    let mut start = now;
    let mut command = b' ';
    while let Some(next) = text.peek() {
        if next.is_ascii_alphabetic() {
            command = next;
            text.at += 1;
        } else if command == b'M' {
            command = b'L';
        } else if command == b'm' {
            command = b'l';
        } else if matches!(command, b' ' | b'Z' | b'z') {
            return Err(text.wrong(d));
        }
        let from = if command.is_ascii_lowercase() { now } else { Point::zero() };
        let point = |text: &mut Cursor| -> Result<Point, String> {
            let (x, y) = text.number().zip(text.number()).ok_or_else(|| text.wrong(d))?;
            Ok(Point::from_xy(from.x + x, from.y + y))
        };
        match command.to_ascii_uppercase() {
            b'M' => {
                now = point(&mut text)?;
                start = now;
                out.move_to(now.x, now.y);
            }
            b'L' => {
                now = point(&mut text)?;
                out.line_to(now.x, now.y);
            }
            b'H' => {
                now.x = from.x + text.number().ok_or_else(|| text.wrong(d))?;
                out.line_to(now.x, now.y);
            }
            b'V' => {
                now.y = from.y + text.number().ok_or_else(|| text.wrong(d))?;
                out.line_to(now.x, now.y);
            }
            b'Q' => {
                let by = point(&mut text)?;
                now = point(&mut text)?;
                out.quad_to(by.x, by.y, now.x, now.y);
            }
            b'C' => {
                let (a, b) = (point(&mut text)?, point(&mut text)?);
                now = point(&mut text)?;
                out.cubic_to(a.x, a.y, b.x, b.y, now.x, now.y);
            }
            b'A' => {
                let mut value = || text.number().ok_or("an arc has seven numbers");
                let (rx, ry, turn, large, sweep) = (value()?, value()?, value()?, value()?, value()?);
                let to = point(&mut text)?;
                arc(out, now, (rx, ry), turn.to_radians(), large != 0.0, sweep != 0.0, to);
                now = to;
            }
            b'Z' => {
                out.close();
                now = start;
            }
            _ => return Err(text.wrong(d)),
        }
    }
    Ok(())
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&mut self) -> Option<u8> {
        while self.bytes.get(self.at).is_some_and(|b| matches!(b, b' ' | b',' | b'\n')) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    fn number(&mut self) -> Option<f32> {
        let minus = self.peek()? == b'-';
        self.at += usize::from(minus);
        let (mut value, mut scale, mut digits) = (0_u64, 1.0_f64, 0);
        let mut behind = false;
        while let Some(b) = self.bytes.get(self.at) {
            match b {
                b'0'..=b'9' if digits < 15 => {
                    value = value * 10 + u64::from(b - b'0');
                    digits += 1;
                    if behind {
                        scale *= 10.0;
                    }
                }
                b'.' if !behind => behind = true,
                _ => break,
            }
            self.at += 1;
        }
        let value = (value as f64 / scale) as f32;
        (digits > 0).then_some(if minus { -value } else { value })
    }

    fn wrong(&self, d: &str) -> String {
        let here: String = d.get(self.at.saturating_sub(12)..).unwrap_or_default().chars().take(24).collect();
        format!("path data is not understood near `{here}`")
    }
}

/// An arc as SVG means it, as cubic pieces of at most a quarter turn.
fn arc(
    out: &mut PathBuilder,
    from: Point,
    (rx, ry): (f32, f32),
    turn: f32,
    large: bool,
    sweep: bool,
    to: Point,
) {
    let (mut rx, mut ry) = (rx.abs(), ry.abs());
    if rx < 1e-6 || ry < 1e-6 || from == to {
        out.line_to(to.x, to.y);
        return;
    }
    let (sin, cos) = turn.sin_cos();
    // Half the vector between the ends, in the ellipse's own axes.
    let (dx, dy) = ((from.x - to.x) / 2.0, (from.y - to.y) / 2.0);
    let (x, y) = (cos * dx + sin * dy, cos * dy - sin * dx);
    let stretch = (x / rx).powi(2) + (y / ry).powi(2);
    if stretch > 1.0 {
        rx *= stretch.sqrt();
        ry *= stretch.sqrt();
    }
    let free = ((rx * ry).powi(2) - (rx * y).powi(2) - (ry * x).powi(2)).max(0.0);
    let mut k = (free / ((rx * y).powi(2) + (ry * x).powi(2))).sqrt();
    if large == sweep {
        k = -k;
    }
    let (cx, cy) = (k * rx * y / ry, -k * ry * x / rx);
    let first = ((y - cy) / ry).atan2((x - cx) / rx);
    let last = ((-y - cy) / ry).atan2((-x - cx) / rx);
    let mut angle = last - first;
    if sweep && angle <= 0.0 {
        angle += 4.0 * FRAC_PI_2;
    } else if !sweep && angle >= 0.0 {
        angle -= 4.0 * FRAC_PI_2;
    }
    let centre = (
        cos * cx - sin * cy + f32::midpoint(from.x, to.x),
        sin * cx + cos * cy + f32::midpoint(from.y, to.y),
    );
    let place =
        |u: f32, v: f32| (centre.0 + cos * rx * u - sin * ry * v, centre.1 + sin * rx * u + cos * ry * v);
    let pieces = (angle.abs() / FRAC_PI_2 - 1e-3).ceil().max(1.0);
    let step = angle / pieces;
    let t = 4.0 / 3.0 * (step / 4.0).tan();
    for piece in 0..pieces as u32 {
        let (s0, c0) = (first + step * piece as f32).sin_cos();
        let (s1, c1) = (first + step * (piece + 1) as f32).sin_cos();
        let (a, b) = (place(c0 - t * s0, s0 + t * c0), place(c1 + t * s1, s1 - t * c1));
        let end = if piece + 1 == pieces as u32 { (to.x, to.y) } else { place(c1, s1) };
        out.cubic_to(a.0, a.1, b.0, b.1, end.0, end.1);
    }
}

/// A rectangle with round corners of radius `r`.
pub(super) fn rounded(out: &mut PathBuilder, x: f32, y: f32, w: f32, h: f32, r: f32) {
    let r = r.min(w / 2.0).min(h / 2.0);
    if r <= 0.0 {
        if let Some(rect) = Rect::from_xywh(x, y, w, h) {
            out.push_rect(rect);
        }
        return;
    }
    // Length of a cubic's handles for a quarter circle.
    let k = r * 0.552_284_8;
    let (x1, y1) = (x + w, y + h);
    out.move_to(x + r, y);
    out.line_to(x1 - r, y);
    out.cubic_to(x1 - r + k, y, x1, y + r - k, x1, y + r);
    out.line_to(x1, y1 - r);
    out.cubic_to(x1, y1 - r + k, x1 - r + k, y1, x1 - r, y1);
    out.line_to(x + r, y1);
    out.cubic_to(x + r - k, y1, x, y1 - r + k, x, y1 - r);
    out.line_to(x, y + r);
    out.cubic_to(x, y + r - k, x + r - k, y, x + r, y);
    out.close();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(d: &str) -> [f32; 4] {
        let mut out = PathBuilder::new();
        read(d, &mut out).unwrap();
        let b = out.finish().unwrap().compute_tight_bounds().unwrap();
        [b.left(), b.top(), b.right(), b.bottom()].map(|v| (v * 100.0).round() / 100.0)
    }

    #[test]
    fn path_data_is_read() {
        assert_eq!(bounds("M1 2L3-4.5l1 1Z"), [1.0, -4.5, 4.0, 2.0]);
        assert_eq!(bounds("M0 0 10 0 10 5"), [0.0, 0.0, 10.0, 5.0]);
        assert_eq!(bounds("m1 1h4v.5H-1V2z"), [-1.0, 1.0, 5.0, 2.0]);
        assert_eq!(bounds("M0 0Q5 10 10 0C10 -4 0 -4 0 0"), [0.0, -3.0, 10.0, 5.0]);
        // A circle as two arcs, as the pen writes it.
        assert_eq!(bounds("M-3 0a3 3 0 1 1 6 0a3 3 0 1 1 -6 0"), [-3.0, -3.0, 3.0, 3.0]);
        // The short way round, and radii that are too small for their ends.
        assert_eq!(bounds("M0 0A5 5 0 0 1 5 5"), [0.0, 0.0, 5.0, 5.0]);
        assert_eq!(bounds("M0 0A1 1 0 0 0 8 0"), [0.0, 0.0, 8.0, 4.0]);
    }

    #[test]
    fn nonsense_is_refused() {
        for bad in ["1 2", "M1", "M1 1L", "M1 1Z5 5", "M1 1S2 2 3 3", "M1 1A2 2 0 0", "M1 1L1e3 2", "M- 1"] {
            assert!(read(bad, &mut PathBuilder::new()).is_err(), "{bad}");
        }
    }
}
