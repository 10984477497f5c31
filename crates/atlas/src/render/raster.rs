//! From SVG to pixels.

use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};

use super::paint;
use super::scene::Scene;

/// Why a picture could not be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RasterError {
    #[error("the SVG cannot be read: {0}")]
    Svg(String),
    #[error(
        "a picture of {width} x {height} pixels cannot be made: 1 to {} on each side are allowed",
        MAX_SIDE
    )]
    Size { width: u64, height: u64 },
    #[error("the PNG cannot be written: {0}")]
    Encode(String),
}

/// The longest side of a picture in pixels.
pub const MAX_SIDE: u64 = 32_000;

/// A picture that can be rendered at any scale, as a whole or in parts.
#[derive(Debug)]
pub struct Picture {
    scene: Scene,
}

impl Picture {
    pub fn new(svg: &str) -> Result<Self, RasterError> {
        Ok(Self { scene: Scene::read(svg).map_err(RasterError::Svg)? })
    }

    /// Width and height in pixels at scale 1.
    pub fn size(&self) -> (f32, f32) {
        (self.scene.width, self.scene.height)
    }

    /// The rectangle of `w` x `h` pixels whose upper left corner is (`x`, `y`) in the picture at this scale.
    pub fn pixels(&self, scale: f32, x: u32, y: u32, w: u32, h: u32) -> Result<Pixmap, RasterError> {
        let bad = || RasterError::Size { width: u64::from(w), height: u64::from(h) };
        if u64::from(w) > MAX_SIDE || u64::from(h) > MAX_SIDE || !scale.is_finite() || scale <= 0.0 {
            return Err(bad());
        }
        let mut map = Pixmap::new(w, h).ok_or_else(bad)?;
        paint::paint(&self.scene, scale, x as f32, y as f32, &mut map);
        Ok(map)
    }

    /// The whole picture as a PNG.
    pub fn png(&self, scale: f32) -> Result<Vec<u8>, RasterError> {
        let (w, h) = self.size();
        let map = self.pixels(scale, 0, 0, (w * scale).ceil() as u32, (h * scale).ceil() as u32)?;
        map.encode_png().map_err(|e| RasterError::Encode(e.to_string()))
    }
}

/// Side of a tile in pixels.
pub const TILE: u32 = 512;

/// The picture cut into square tiles at several zoom levels, for a client that loads what it shows.
///
/// At level 0 the longer side of the picture fits into one tile; every level doubles the scale. Tile (0, 0) is the
/// upper left one; tiles at the right and lower edge are full size, transparent beyond the picture.
#[derive(Debug)]
pub struct Tiles {
    picture: Picture,
}

impl Tiles {
    pub fn new(svg: &str) -> Result<Self, RasterError> {
        Ok(Self { picture: Picture::new(svg)? })
    }

    /// Pixels per SVG unit at a level.
    pub fn scale(&self, level: u8) -> f32 {
        let (w, h) = self.picture.size();
        TILE as f32 / w.max(h) * 2f32.powi(i32::from(level.min(12)))
    }

    /// Width and height of the whole picture in pixels at a level.
    pub fn pixels(&self, level: u8) -> (u32, u32) {
        let (w, h) = self.picture.size();
        let k = self.scale(level);
        ((w * k).ceil() as u32, (h * k).ceil() as u32)
    }

    /// How many tiles a level has across and down.
    pub fn count(&self, level: u8) -> (u32, u32) {
        let (w, h) = self.pixels(level);
        (w.div_ceil(TILE), h.div_ceil(TILE))
    }

    /// One tile as a PNG; `None` if the level has no such tile.
    pub fn tile(&self, level: u8, x: u32, y: u32) -> Result<Option<Vec<u8>>, RasterError> {
        let (nx, ny) = self.count(level);
        if x >= nx || y >= ny {
            return Ok(None);
        }
        let map = self.picture.pixels(self.scale(level), x * TILE, y * TILE, TILE, TILE)?;
        tile_png(&map).map(Some)
    }
}

/// A tile as a PNG, with fast compression: it is drawn while a client waits for it.
fn tile_png(map: &Pixmap) -> Result<Vec<u8>, RasterError> {
    // Opaque tiles, which are all except those at the edge, are written without alpha, which saves a quarter.
    let opaque = map.pixels().iter().all(PremultipliedColorU8::is_opaque);
    let mut data = Vec::with_capacity(map.data().len());
    for q in map.pixels() {
        let q = q.demultiply();
        data.extend([q.red(), q.green(), q.blue()]);
        if !opaque {
            data.push(q.alpha());
        }
    }
    let encode = || -> Result<Vec<u8>, png::EncodingError> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, map.width(), map.height());
        encoder.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_filter(png::Filter::Up);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&data)?;
        writer.finish()?;
        Ok(out)
    };
    encode().map_err(|e| RasterError::Encode(e.to_string()))
}

/// An SVG text as a PNG, `scale` pixels to the SVG unit.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, RasterError> {
    Picture::new(svg)?.png(scale)
}
