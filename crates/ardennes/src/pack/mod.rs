//! The Ardennes '44 pack: units, formations, tables, turn track, scenarios.
//!
//! A [`Pack`] is plain data. Strings of the files are resolved to dense ids while loading
//! ([`UnitId`], [`FormationId`] …), so that play never touches a string.

mod check;
mod doc;
mod error;
mod facts;
mod files;
mod ids;
mod load;
mod load_scenarios;
mod load_tables;
mod map_check;
mod overlay;
mod raw;
mod scenario;
mod tables;
mod terrain;
mod unit;
mod world;

use std::{path::Path, sync::Arc};

pub use check::{Finding, Severity, check};
pub use error::PackError;
pub use files::PackFiles;
pub use ids::*;
pub use map_check::check_map;
pub use rulebook::changes::Change;
pub use scenario::*;
pub use tables::*;
pub use terrain::*;
pub use unit::*;
pub use world::*;

/// Everything the rules need except the map itself.
#[derive(Clone, Debug)]
pub struct Pack {
    /// Combat units, then the counters of the Breakdown and Remnant pools.
    pub units: Vec<UnitDef>,
    pub formations: Vec<FormationDef>,
    pub corps: Vec<CorpsDef>,
    pub pools: Vec<PoolDef>,
    pub optional_groups: Vec<OptionalGroup>,
    /// Entry Hexes A to M.
    pub entries: Vec<EntryDef>,
    pub boxes: Vec<BoxDef>,
    pub areas: Vec<AreaDef>,
    pub victory_hexes: Vec<VictoryHex>,
    pub places: Places,
    /// Turns 1 to 30.
    pub turns: Vec<Turn>,
    pub scenarios: Vec<Scenario>,
    /// By [`Edition::index`].
    pub tables: [Tables; 2],
    /// The files as one document, for overlays.
    doc: Arc<doc::Doc>,
}

impl Pack {
    /// The pack built into the program.
    pub fn embedded() -> Result<Self, PackError> {
        Self::load(&PackFiles::embedded())
    }

    /// A pack from a directory laid out as `packs/ardennes44`.
    pub fn from_dir(dir: &Path) -> Result<Self, PackError> {
        Self::load(&PackFiles::from_dir(dir)?)
    }

    /// Reads and resolves all files.
    pub fn load(files: &PackFiles) -> Result<Self, PackError> {
        load::build(&doc::Doc::read(files)?)
    }

    pub fn unit(&self, id: UnitId) -> &UnitDef {
        &self.units[id.index()]
    }

    /// The unit with this slug. A slug may be cut at a hyphen if only one unit matches: `de-2pz-304` is
    /// `de-2pz-304-pzg`.
    pub fn unit_by_slug(&self, slug: &str) -> Option<UnitId> {
        let exact = self.units.iter().position(|u| u.id == slug);
        let cut = || {
            let mut longer = self
                .units
                .iter()
                .enumerate()
                .filter(|(_, u)| u.id.strip_prefix(slug).is_some_and(|rest| rest.starts_with('-')));
            let first = longer.next()?.0;
            longer.next().is_none().then_some(first)
        };
        exact.or_else(cut).map(|i| UnitId(i as u16))
    }

    pub fn formation(&self, id: FormationId) -> &FormationDef {
        &self.formations[id.index()]
    }

    pub fn tables(&self, edition: Edition) -> &Tables {
        &self.tables[edition.index()]
    }

    pub fn scenario(&self, id: &str) -> Option<&Scenario> {
        self.scenarios.iter().find(|s| s.id == id)
    }

    /// The turn with this number (from 1).
    pub fn turn(&self, turn: u8) -> Option<&Turn> {
        self.turns.get(usize::from(turn).checked_sub(1)?)
    }

    /// Units that arrive on this turn for this side, optional ones included (13.1).
    pub fn arrivals(&self, turn: u8, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.units
            .iter()
            .enumerate()
            .filter(move |(_, u)| u.side == side && u.arrival().is_some_and(|a| a.turn == turn))
            .map(|(i, _)| UnitId(i as u16))
    }
}
