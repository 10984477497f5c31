//! Compiles geography into a hex map: positions, rivers with banks, lists of roads, outlines of woods, and the lines of
//! armies become terrain, hexsides and areas, in the pack format that the `atlas` crate reads.
//!
//! The result depends on the sources alone, so that compiling twice gives the same bytes.

mod fit;
mod grid;
mod ground;
mod military;
mod rivers;
mod roads;
mod source;
mod world;

pub use source::Sources;
pub use world::World;

/// Why a source folder cannot be compiled.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{file}: {why}")]
    Read { file: &'static str, why: String },
    #[error("{file}: {item}: {why}")]
    Field { file: &'static str, item: String, why: String },
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
