//! The data of the game: map, counters, tables and scenarios of `packs/wurzburg`.

mod files;
mod forces;
mod kinds;
mod scenarios;
mod tables;

use std::sync::{Arc, OnceLock};

use atlas::Map;
use serde::Deserialize;

pub use files::{embedded as embedded_files, words};
pub use forces::{Forces, Formation, FormationId, Piece, PieceId, Pool, PoolId, Profile, TypeId, UnitType};
pub use kinds::*;
pub use rulebook::files::{PackError, PackFiles};
pub use scenarios::{
    Arrival, ArrivalMode, Automatic, BlownBeforePlay, Level, Paradrop, Payer, Placement, Planned, Points,
    Release, Scenario, ShortVersion, SideSetup, VictoryRule, VictoryWhat,
};
pub use tables::*;

/// A kind of marker and how many a full game needs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marker {
    pub id: String,
    pub rule: String,
    pub count: u16,
    /// What the number limits in play, if anything.
    pub limit: Option<String>,
    pub source: Mark,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkerFile {
    marker: Vec<Marker>,
}

/// Everything in `packs/wurzburg`.
#[derive(Clone, Debug)]
pub struct Pack {
    pub map: Map,
    pub forces: Forces,
    pub markers: Vec<Marker>,
    pub tables: Arc<Tables>,
    pub scenarios: Vec<Scenario>,
}

impl Pack {
    /// The pack built into the program, read once.
    pub fn embedded() -> Result<&'static Arc<Pack>, &'static PackError> {
        static PACK: OnceLock<Result<Arc<Pack>, PackError>> = OnceLock::new();
        PACK.get_or_init(|| {
            let map = atlas::packs::wurzburg_map().map_err(|e| PackError::at("map", e.to_string()))?;
            Pack::read(&embedded_files(), map.clone()).map(Arc::new)
        })
        .as_ref()
    }

    /// Reads the files of a pack onto its map.
    pub fn read(files: &PackFiles, map: Map) -> Result<Pack, PackError> {
        let forces = forces::read(files)?;
        let tables = Arc::new(tables::read(files, &forces)?);
        let scenarios = scenarios::read(files, &forces, &map)?;
        let markers = files.parse::<MarkerFile>("markers.toml")?.marker;
        Ok(Pack { map, forces, markers, tables, scenarios })
    }

    /// The pack as an overlay corrects it, map and files, and what the overlay changes.
    pub fn corrected(&self, overlay: &str) -> Result<(Pack, Vec<String>), PackError> {
        let mut map = self.map.clone();
        let of_map =
            map.apply_overlay("overlay", overlay).map_err(|e| PackError::at("overlay", e.to_string()))?;
        let mut files = embedded_files();
        let of_pack = files.lay(overlay)?;
        // The lines of files that an overlay has changed are not those of the shipped ones.
        let pack = Pack::read(&files, map).map_err(|e| {
            let file = e.at.split_once(':').map_or(&*e.at, |(file, _)| file);
            PackError::at("overlay", format!("{file}: {}", e.why))
        })?;
        let changes = of_map.iter().map(ToString::to_string).chain(of_pack.iter().map(ToString::to_string));
        Ok((pack, changes.collect()))
    }

    pub fn piece(&self, id: PieceId) -> &Piece {
        &self.forces.pieces[id.index()]
    }

    pub fn unit_type(&self, id: TypeId) -> &UnitType {
        &self.forces.types[id.index()]
    }

    /// The kind of unit that a counter is.
    pub fn type_of(&self, piece: PieceId) -> &UnitType {
        self.unit_type(self.piece(piece).unit_type)
    }

    pub fn formation(&self, id: FormationId) -> &Formation {
        &self.forces.formations[id.index()]
    }

    pub fn pool(&self, id: PoolId) -> &Pool {
        &self.forces.pools[id.index()]
    }

    pub fn piece_ids(&self) -> impl Iterator<Item = PieceId> + use<> {
        (0..self.forces.pieces.len()).map(|i| PieceId(i as u16))
    }

    pub fn formation_ids(&self) -> impl Iterator<Item = FormationId> + use<> {
        (0..self.forces.formations.len()).map(|i| FormationId(i as u8))
    }

    pub fn find_piece(&self, id: &str) -> Option<PieceId> {
        self.forces.pieces.iter().position(|p| p.id == id).map(|i| PieceId(i as u16))
    }

    /// A formation by its id, ignoring case.
    pub fn find_formation(&self, id: &str) -> Option<FormationId> {
        self.forces
            .formations
            .iter()
            .position(|f| f.id.eq_ignore_ascii_case(id))
            .map(|i| FormationId(i as u8))
    }

    pub fn find_type(&self, id: &str) -> Option<TypeId> {
        self.forces.types.iter().position(|t| t.id == id).map(|i| TypeId(i as u8))
    }

    pub fn scenario(&self, id: &str) -> Option<&Scenario> {
        self.scenarios.iter().find(|scenario| scenario.id == id)
    }

    /// 7.3: whether one formation is above the other, or both are the same.
    pub fn in_chain(&self, a: FormationId, b: FormationId) -> bool {
        self.forces.ancestors(a).any(|x| x == b) || self.forces.ancestors(b).any(|x| x == a)
    }

    /// The terrain of a hex on a map with this pack's kinds: the settlement, or otherwise the ground.
    pub fn terrain_of(map: &Map, hex: hexgrid::HexId) -> Terrain {
        let kind = map.settlement(hex).unwrap_or_else(|| map.ground(hex));
        Terrain::parse(&map.terrain_kind(kind).id).unwrap_or(Terrain::Clear)
    }
}
