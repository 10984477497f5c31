//! The Ardennes '44 pack: units, formations, tables, turn track, scenarios.
//!
//! A [`Pack`] is plain data. Strings of the files are resolved to dense ids while loading
//! ([`UnitId`], [`FormationId`] …), so that play never touches a string.

mod ids;
mod scenario;
mod tables;
mod terrain;
mod unit;
mod world;

pub use ids::*;
pub use scenario::*;
pub use tables::*;
pub use terrain::*;
pub use unit::*;
pub use world::*;

/// Everything the rules need that is not the map itself.
#[derive(Clone, PartialEq, Debug)]
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
}

impl Pack {
    pub fn unit(&self, id: UnitId) -> &UnitDef {
        &self.units[id.index()]
    }

    /// The unit with this slug.
    pub fn unit_by_slug(&self, slug: &str) -> Option<UnitId> {
        self.units.iter().position(|u| u.id == slug).map(|i| UnitId(i as u16))
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

    /// The turn of that number (from 1).
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
