//! Compiles geography into a hex map: positions, rivers with banks, lists of roads, outlines of woods, and military
//! lines become terrain, hexsides and areas, in the pack format that the `atlas` crate reads.
//!
//! The result depends on the sources alone, so that compiling twice gives the same bytes.

mod draft;
mod emit;
mod fit;
mod georef;
mod grid;
mod ground;
mod military;
mod rivers;
mod roads;
mod source;
mod world;
mod wurzburg;

use std::path::Path;

use atlas::{Map, MapError};

pub use source::Sources;
pub use world::World;

/// Why a source folder cannot be compiled.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{file}: {why}")]
    Read { file: &'static str, why: String },
    #[error("{file}: {item}: {why}")]
    Field { file: &'static str, item: String, why: String },
    #[error("the sources do not fit together:\n{}", .0.join("\n"))]
    Problems(Vec<String>),
    #[error("the compiled map is not sound: {0}")]
    Map(#[from] MapError),
}

/// Put at the top of every compiled file.
const NOTE: &str = "Compiled from the folder geo by `cargo xtask map`. Do not edit: correct the sources there, \
                    or geo/corrections.toml.";

/// Compiles a folder of sources with the head of a map (its grid and kinds) and an overlay of hand corrections; returns
/// the pack's files as names and texts.
pub fn compile(sources: &Path, head: &str, corrections: &str) -> Result<Vec<(&'static str, String)>, Error> {
    let compiled = if sources.join(wurzburg::SLOPES).exists() {
        wurzburg::emit(sources, head)?
    } else if sources.join(draft::FILE).exists() {
        draft::emit(sources, head)?
    } else {
        let sources = Sources::read(sources)?;
        let mut world = World::new(&sources)?;
        world.lay()?;
        if !world.problems.is_empty() {
            return Err(Error::Problems(world.problems));
        }
        world.emit()
    };
    let mut map = Map::from_files(&[("map.toml", head), ("compiled", &compiled)])?;
    map.apply_overlay("corrections.toml", corrections)?;
    Ok(map.to_files(NOTE))
}

impl World<'_> {
    /// Decides every layer of the map, each from those before it.
    pub fn lay(&mut self) -> Result<(), Error> {
        self.lay_rivers()?;
        self.lay_bridges()?;
        self.lay_ground()?;
        self.lay_towns()?;
        self.lay_lakes()?;
        self.lay_roads()?;
        self.lay_military()?;
        self.lay_edges()?;
        self.drop_idle_bridges();
        Ok(())
    }
}
