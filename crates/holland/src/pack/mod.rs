//! The content of Holland '44: counters, tables, turn track, places and scenarios, read from `packs/holland44` and
//! corrected by overlays.

pub mod check;
mod tables;
mod unit;

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use rulebook::changes::Change;
use rulebook::doc::{Doc, DocError, ListKind, Schema};
use serde::Deserialize;

pub use tables::*;
pub use unit::*;

macro_rules! embed {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../packs/holland44/", $path)))),*]
    };
}

/// The shipped files, in the order in which their units are numbered.
const FILES: &[(&str, &str)] = embed![
    "types.toml",
    "formations.toml",
    "units/allied-airborne.toml",
    "units/allied-xxx-corps.toml",
    "units/allied-flanks.toml",
    "units/german-1st-parachute-army.toml",
    "units/german-ii-ss-corps.toml",
    "units/german-tettau.toml",
    "units/german-feldt.toml",
    "units/german-15th-army.toml",
    "pools.toml",
    "turns.toml",
    "tables.toml",
    "terrain.toml",
    "places.toml",
    "unknown.toml",
    "victory.toml",
    "scenarios.toml",
    "facts.toml",
];

/// The list of rule numbers.
pub const RULES: &str = include_str!("../../../../packs/holland44/rules.tsv");

const fn list(name: &'static str, key: &'static str, open: bool) -> ListKind {
    ListKind { name, key, open }
}

const SCHEMA: Schema = Schema {
    lists: &[
        list("formation", "id", true),
        list("unit", "id", true),
        list("pool", "id", true),
        list("turn", "turn", false),
        list("result", "code", false),
        list("area", "id", false),
        list("zone", "id", true),
        list("bridge", "id", false),
        list("ferry", "id", false),
        list("bank", "id", false),
        list("box", "id", false),
        list("victory_place", "id", true),
        list("scenario", "id", false),
        list("detached", "label", false),
        list("arrivals", "turn", false),
    ],
    tables: &[
        "type",
        "weather",
        "demolition",
        "crt",
        "determined",
        "landing",
        "recovery",
        "disengagement",
        "isolation",
        "stacking",
        "movement",
        "advance",
        "artillery",
        "supply",
        "traffic",
        "hex",
        "road",
        "hexside",
        "railroad_bridge",
        "unknown",
        "victory",
        "counters",
    ],
};

/// Totals of a turn's arrivals: units, attack without artillery, defense, steps.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arrivals {
    turn: u8,
    allied: Option<[u16; 4]>,
    german: Option<[u16; 4]>,
}

#[derive(Clone, Debug, Deserialize)]
struct Raw {
    formation: Vec<Formation>,
    unit: Vec<Unit>,
    pool: Vec<Pool>,
    turn: Vec<Turn>,
    result: Vec<CombatResult>,
    area: Vec<Area>,
    zone: Vec<Zone>,
    bridge: Vec<NamedCrossing>,
    ferry: Vec<NamedCrossing>,
    bank: Vec<Bank>,
    r#box: Vec<HoldingBox>,
    victory_place: Vec<VictoryPlace>,
    scenario: Vec<Scenario>,
    detached: Vec<Detached>,
    arrivals: Vec<Arrivals>,
    r#type: BTreeMap<String, Categories>,
    unknown: Unknown,
    victory: Victory,
    counters: BySide,
    #[serde(flatten)]
    tables: Tables,
}

/// The pack of Holland '44.
#[derive(Clone, Debug)]
pub struct Pack {
    /// The files as one document, for overlays.
    doc: Arc<Doc>,
    pub types: BTreeMap<String, Categories>,
    pub formations: Vec<Formation>,
    pub units: Vec<Unit>,
    pub pools: Vec<Pool>,
    pub turns: Vec<Turn>,
    pub tables: Tables,
    pub results: Vec<CombatResult>,
    pub areas: Vec<Area>,
    pub zones: Vec<Zone>,
    pub bridges: Vec<NamedCrossing>,
    pub ferries: Vec<NamedCrossing>,
    pub banks: Vec<Bank>,
    pub boxes: Vec<HoldingBox>,
    pub unknown: Unknown,
    pub victory: Victory,
    pub victory_places: Vec<VictoryPlace>,
    pub scenarios: Vec<Scenario>,
    pub detached: Vec<Detached>,
    counters: BySide,
    arrivals: Vec<Arrivals>,
}

impl Pack {
    /// The pack built into the program, read once.
    pub fn embedded() -> Result<&'static Pack, &'static DocError> {
        static PACK: OnceLock<Result<Pack, DocError>> = OnceLock::new();
        PACK.get_or_init(|| Doc::read(SCHEMA, FILES.iter().copied()).and_then(Pack::build)).as_ref()
    }

    fn build(doc: Doc) -> Result<Pack, DocError> {
        let raw: Raw =
            doc.table().try_into().map_err(|e| DocError::new("packs/holland44", "", e.to_string()))?;
        let pack = Pack {
            types: raw.r#type,
            formations: raw.formation,
            units: raw.unit,
            pools: raw.pool,
            turns: raw.turn,
            tables: raw.tables,
            results: raw.result,
            areas: raw.area,
            zones: raw.zone,
            bridges: raw.bridge,
            ferries: raw.ferry,
            banks: raw.bank,
            boxes: raw.r#box,
            unknown: raw.unknown,
            victory: raw.victory,
            victory_places: raw.victory_place,
            scenarios: raw.scenario,
            detached: raw.detached,
            counters: raw.counters,
            arrivals: raw.arrivals,
            doc: Arc::new(doc),
        };
        let faults = pack.references();
        match faults.first() {
            None => Ok(pack),
            Some(fault) => Err(DocError::new("packs/holland44", "", fault.clone())),
        }
    }

    /// Apply an overlay to the pack, which is unchanged on an error. `[map]` belongs to the map and is ignored here.
    pub fn apply_overlay(&mut self, overlay: &str) -> Result<Vec<Change>, DocError> {
        let mut doc = Doc::clone(&self.doc);
        doc.lay(overlay)?;
        let pack = Pack::build(doc).map_err(|e| {
            DocError::new("overlay", "", if e.item.is_empty() { e.why } else { e.to_string() })
        })?;
        let changes = self.doc.diff(&pack.doc);
        *self = pack;
        Ok(changes)
    }

    pub fn unit(&self, id: &str) -> Option<&Unit> {
        self.units.iter().find(|unit| unit.id == id)
    }

    pub fn pool(&self, id: &str) -> Option<&Pool> {
        self.pools.iter().find(|pool| pool.id == id)
    }

    pub fn scenario(&self, id: &str) -> Option<&Scenario> {
        self.scenarios.iter().find(|scenario| scenario.id == id)
    }

    /// The categories of a unit's type; [`Pack::references`] has checked that it exists.
    pub fn categories(&self, r#type: &str) -> Categories {
        self.types.get(r#type).copied().unwrap_or_default()
    }

    /// A result of the CRT by its code.
    pub fn result(&self, code: &str) -> Option<&CombatResult> {
        self.results.iter().find(|result| result.code == code)
    }
}
