//! The pen: writes SVG elements in layers.

use std::fmt::Write as _;

use super::fonts::Face;
use super::geom::{P, num, pair};

/// An SVG text under construction.
#[derive(Debug, Default)]
pub(crate) struct Pen {
    pub out: String,
}

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Type {
    pub face: Face,
    pub size: f64,
    pub spacing: f64,
    pub fill: &'static str,
    /// Colour and width of the halo; width 0 for none.
    pub halo: (&'static str, f64),
    pub anchor: &'static str,
}

impl Pen {
    pub fn open(&mut self, id: &str, attrs: &str) {
        let _ = write!(self.out, "<g id=\"{id}\" class=\"layer {id}\"");
        if !attrs.is_empty() {
            self.out.push(' ');
            self.out.push_str(attrs);
        }
        self.out.push_str(">\n");
    }

    /// Opens a group without an id.
    pub fn group(&mut self, attrs: &str) {
        let _ = writeln!(self.out, "<g {attrs}>");
    }

    pub fn close(&mut self) {
        self.out.push_str("</g>\n");
    }

    /// Writes a path, unless `d` is empty.
    pub fn path(&mut self, d: &str, attrs: &str) {
        if !d.is_empty() {
            let _ = writeln!(self.out, "<path {attrs} d=\"{d}\"/>");
        }
    }

    pub fn circle(&mut self, c: P, r: f64, attrs: &str) {
        self.out.push_str("<circle cx=\"");
        num(&mut self.out, c.x);
        self.out.push_str("\" cy=\"");
        num(&mut self.out, c.y);
        self.out.push_str("\" r=\"");
        num(&mut self.out, r);
        let _ = writeln!(self.out, "\" {attrs}/>");
    }

    pub fn rect(&mut self, at: P, w: f64, h: f64, attrs: &str) {
        self.out.push_str("<rect x=\"");
        num(&mut self.out, at.x);
        self.out.push_str("\" y=\"");
        num(&mut self.out, at.y);
        self.out.push_str("\" width=\"");
        num(&mut self.out, w.max(0.0));
        self.out.push_str("\" height=\"");
        num(&mut self.out, h.max(0.0));
        let _ = writeln!(self.out, "\" {attrs}/>");
    }

    /// A text with its baseline at `at`, turned by `degrees`.
    pub fn text(&mut self, at: P, degrees: f64, text: &str, t: &Type) {
        self.out.push_str("<text ");
        if degrees.abs() > 0.05 {
            self.out.push_str("transform=\"translate(");
            pair(&mut self.out, "", at);
            self.out.push_str(") rotate(");
            num(&mut self.out, degrees);
            self.out.push_str(")\" ");
        } else {
            self.out.push_str("x=\"");
            num(&mut self.out, at.x);
            self.out.push_str("\" y=\"");
            num(&mut self.out, at.y);
            self.out.push_str("\" ");
        }
        self.type_attrs(text, t);
        self.out.push('>');
        escape(&mut self.out, text);
        self.out.push_str("</text>\n");
    }

    fn type_attrs(&mut self, text: &str, t: &Type) {
        self.out.push_str(&t.face.attrs(text));
        self.out.push_str(" font-size=\"");
        num(&mut self.out, t.size);
        let _ = write!(self.out, "\" fill=\"{}\"", t.fill);
        if t.anchor != "start" {
            let _ = write!(self.out, " text-anchor=\"{}\"", t.anchor);
        }
        if t.spacing.abs() > 0.01 {
            self.out.push_str(" letter-spacing=\"");
            num(&mut self.out, t.spacing);
            self.out.push('"');
        }
        if t.halo.1 > 0.0 {
            let _ = write!(self.out, " stroke=\"{}\" stroke-width=\"", t.halo.0);
            num(&mut self.out, t.halo.1);
            self.out.push_str("\" stroke-linejoin=\"round\" paint-order=\"stroke\"");
        }
    }

    /// A text along a path that has been defined under `path_id`, centred on it.
    pub fn text_on(&mut self, path_id: &str, text: &str, t: &Type) {
        self.out.push_str("<text ");
        self.type_attrs(text, t);
        let _ = write!(self.out, "><textPath href=\"#{path_id}\" startOffset=\"50%\">");
        escape(&mut self.out, text);
        self.out.push_str("</textPath></text>\n");
    }
}

/// Writes escaped text; control characters that XML forbids are dropped.
pub(crate) fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
}
