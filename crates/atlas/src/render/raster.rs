//! From SVG to pixels, through `resvg` with the bundled fonts only.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use resvg::tiny_skia::{IntRect, Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use super::fonts;

/// Why a picture could not be made.
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

fn font_set() -> Arc<fontdb::Database> {
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

/// A picture ready to be turned into pixels at any scale.
#[derive(Debug)]
pub struct Picture {
    tree: Tree,
}

impl Picture {
    pub fn new(svg: &str) -> Result<Self, RasterError> {
        let options =
            Options { fontdb: font_set(), font_family: "Grognard Condensed".into(), ..Options::default() };
        let tree = Tree::from_str(svg, &options).map_err(|e| RasterError::Svg(e.to_string()))?;
        Ok(Self { tree })
    }

    /// Width and height in pixels at scale 1.
    pub fn size(&self) -> (f32, f32) {
        (self.tree.size().width(), self.tree.size().height())
    }

    /// The rectangle of `w` x `h` pixels whose upper left corner is (`x`, `y`) in the picture at this scale.
    pub fn pixels(&self, scale: f32, x: u32, y: u32, w: u32, h: u32) -> Result<Pixmap, RasterError> {
        let bad = || RasterError::Size { width: u64::from(w), height: u64::from(h) };
        if u64::from(w) > MAX_SIDE || u64::from(h) > MAX_SIDE || !scale.is_finite() || scale <= 0.0 {
            return Err(bad());
        }
        let mut map = Pixmap::new(w, h).ok_or_else(bad)?;
        let t = Transform::from_scale(scale, scale).post_translate(-(x as f32), -(y as f32));
        resvg::render(&self.tree, t, &mut map.as_mut());
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
/// At level 0 the longer side of the picture fits into one tile; every level doubles the scale. Tile (0, 0) is the upper
/// left one; tiles at the right and lower edge are full size, transparent beyond the picture.
#[derive(Debug)]
pub struct Tiles {
    picture: Picture,
    /// The last blocks that were drawn, newest at the back.
    recent: Mutex<VecDeque<Block>>,
}

/// Tiles on each side of a block. Whoever asks for a tile asks for its neighbours next, and drawing sixteen at once costs
/// little more than drawing one.
const BLOCK: u32 = 4;
/// How many blocks are kept.
const KEPT: usize = 6;

#[derive(Debug)]
struct Block {
    level: u8,
    x: u32,
    y: u32,
    /// Row by row; rows are `across` tiles long.
    tiles: Vec<Vec<u8>>,
    across: u32,
}

impl Tiles {
    pub fn new(svg: &str) -> Result<Self, RasterError> {
        Ok(Self { picture: Picture::new(svg)?, recent: Mutex::default() })
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

    /// One tile as a PNG; `None` where the level has no such tile.
    pub fn tile(&self, level: u8, x: u32, y: u32) -> Result<Option<Vec<u8>>, RasterError> {
        let (nx, ny) = self.count(level);
        if x >= nx || y >= ny {
            return Ok(None);
        }
        let (bx, by) = (x / BLOCK, y / BLOCK);
        let pick = |b: &Block| b.tiles.get(((y - by * BLOCK) * b.across + x - bx * BLOCK) as usize).cloned();
        // A poisoned lock only means that another thread died while it held a cache.
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(b) = recent.iter().find(|b| (b.level, b.x, b.y) == (level, bx, by)) {
            return Ok(pick(b));
        }
        let block = self.block(level, bx, by)?;
        let tile = pick(&block);
        recent.push_back(block);
        if recent.len() > KEPT {
            recent.pop_front();
        }
        Ok(tile)
    }

    /// All tiles of a level, block by block.
    pub fn level(&self, level: u8, mut each: impl FnMut(u32, u32, Vec<u8>)) -> Result<(), RasterError> {
        let (nx, ny) = self.count(level);
        for by in 0..ny.div_ceil(BLOCK) {
            for bx in 0..nx.div_ceil(BLOCK) {
                let block = self.block(level, bx, by)?;
                for (i, tile) in block.tiles.into_iter().enumerate() {
                    let i = i as u32;
                    each(bx * BLOCK + i % block.across, by * BLOCK + i / block.across, tile);
                }
            }
        }
        Ok(())
    }

    fn block(&self, level: u8, x: u32, y: u32) -> Result<Block, RasterError> {
        let (nx, ny) = self.count(level);
        let across = (nx - x * BLOCK).min(BLOCK);
        let down = (ny - y * BLOCK).min(BLOCK);
        let side = BLOCK * TILE;
        let all = self.picture.pixels(self.scale(level), x * side, y * side, across * TILE, down * TILE)?;
        let mut tiles = Vec::with_capacity((across * down) as usize);
        for j in 0..down {
            for i in 0..across {
                let area = IntRect::from_xywh((i * TILE) as i32, (j * TILE) as i32, TILE, TILE);
                let part =
                    area.and_then(|a| all.clone_rect(a)).ok_or(RasterError::Size { width: 0, height: 0 })?;
                tiles.push(part.encode_png().map_err(|e| RasterError::Encode(e.to_string()))?);
            }
        }
        Ok(Block { level, x, y, tiles, across })
    }
}

/// An SVG text as a PNG, `scale` pixels to the SVG unit.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, RasterError> {
    Picture::new(svg)?.png(scale)
}
