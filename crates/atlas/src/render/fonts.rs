//! The bundled fonts and the widths of texts set in them.
//!
//! They are subsets of open fonts (see `packs/fonts/README.md`) under names of their own, so that a picture looks the
//! same on every machine whatever fonts it has.

use std::sync::OnceLock;

use skrifa::charmap::Charmap;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, MetadataProvider as _};

/// A face of the bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Face {
    /// Serif italic: rivers, woods, regions.
    Nature,
    NatureBold,
    /// Upright serif: titles.
    Title,
    /// Condensed sans: places, figures.
    Regular,
    Medium,
    Bold,
}

macro_rules! font {
    ($name:literal) => {
        include_bytes!(concat!("../../../../packs/fonts/", $name)).as_slice()
    };
}

/// Every font file of the bundle.
pub fn bundled() -> [&'static [u8]; 10] {
    [
        font!("GrognardSerif-Italic.ttf"),
        font!("GrognardSerif-SemiBoldItalic.ttf"),
        font!("GrognardSerif-SemiBold.ttf"),
        font!("GrognardCondensed-Regular.ttf"),
        font!("GrognardCondensed-Medium.ttf"),
        font!("GrognardCondensed-Bold.ttf"),
        font!("GrognardHangul-Regular.otf"),
        font!("GrognardHangul-Bold.otf"),
        font!("GrognardKana-Regular.otf"),
        font!("GrognardKana-Bold.otf"),
    ]
}

impl Face {
    fn index(self) -> usize {
        match self {
            Self::Nature => 0,
            Self::NatureBold => 1,
            Self::Title => 2,
            Self::Regular => 3,
            Self::Medium => 4,
            Self::Bold => 5,
        }
    }

    /// The SVG attributes that choose this face for `text`.
    pub fn attrs(self, text: &str) -> String {
        let family = match script(text) {
            Script::Hangul => "Grognard Hangul, Noto Sans KR, sans-serif",
            Script::Kana => "Grognard Kana, Noto Sans JP, sans-serif",
            Script::Latin if self.index() < 3 => "Grognard Serif, 'Source Serif 4', Georgia, serif",
            Script::Latin => "Grognard Condensed, Fira Sans Condensed, Arial Narrow, sans-serif",
        };
        let (weight, italic) = match (self, script(text)) {
            (Self::Nature, Script::Latin) => (400, true),
            (Self::NatureBold, Script::Latin) => (600, true),
            (Self::Title, Script::Latin) => (600, false),
            (Self::Medium, Script::Latin) => (500, false),
            (Self::Nature | Self::Regular | Self::Medium, _) => (400, false),
            _ => (700, false),
        };
        let style = if italic { " font-style=\"italic\"" } else { "" };
        format!("font-family=\"{family}\" font-weight=\"{weight}\"{style}")
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Hangul,
    Kana,
}

fn script(text: &str) -> Script {
    let mut found = Script::Latin;
    for c in text.chars() {
        match c {
            '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}' => return Script::Hangul,
            '\u{3000}'..='\u{9fff}' => found = Script::Kana,
            _ => {}
        }
    }
    found
}

/// What setting a line needs of a font.
struct Metrics {
    glyphs: Charmap<'static>,
    advances: GlyphMetrics<'static>,
    em: f64,
}

impl Metrics {
    fn read(data: &'static [u8]) -> Option<Metrics> {
        let font = FontRef::new(data).ok()?;
        let (size, place) = (Size::unscaled(), LocationRef::default());
        Some(Metrics {
            glyphs: font.charmap(),
            advances: font.glyph_metrics(size, place),
            em: f64::from(font.metrics(size, place).units_per_em),
        })
    }

    /// How far a character advances, for a size of 1.
    fn advance(&self, c: char) -> Option<f64> {
        let glyph = self.glyphs.map(c)?;
        Some(f64::from(self.advances.advance_width(glyph)?) / self.em)
    }
}

fn faces() -> &'static [Option<Metrics>; 10] {
    static FACES: OnceLock<[Option<Metrics>; 10]> = OnceLock::new();
    FACES.get_or_init(|| bundled().map(Metrics::read))
}

/// Width of a text set in `size` with `spacing` units between letters.
pub(crate) fn width(face: Face, text: &str, size: f64, spacing: f64) -> f64 {
    let set = faces();
    let order = [face.index(), 7, 9];
    text.chars()
        .map(|c| {
            let em = order.iter().find_map(|i| set[*i].as_ref()?.advance(c));
            em.unwrap_or(0.55) * size + spacing
        })
        .sum()
}

/// Whether the bundle can draw this character.
pub fn has_glyph(c: char) -> bool {
    faces().iter().flatten().any(|f| f.glyphs.map(c).is_some())
}
