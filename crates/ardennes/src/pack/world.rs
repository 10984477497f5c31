//! Everything in the pack that is neither a unit nor a rules table: formations, the turn track, places on the map edge,
//! set-up areas, optional groups.

use serde::{Deserialize, Serialize};

use super::ids::{AreaId, BoxId, CorpsId, FormationId, HexRef, Side, Source, UnitId};
use super::terrain::Ground;
use super::unit::{Army, Colour, EntrySet};

/// Kind of formation (2.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FormationKind {
    PanzerDivision,
    PanzergrenadierDivision,
    InfantryDivision,
    ParachuteDivision,
    MountainDivision,
    ArmoredDivision,
    AirborneDivision,
    Brigade,
    CavalryGroup,
}

/// A division, brigade or cavalry group: the units that share a bold ID (2.5, 14.31).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormationDef {
    /// Stable slug, also the message key of its name, e.g. `2pz`.
    pub id: String,
    /// As printed on counters and in tables, e.g. `2 Pz`.
    pub label: String,
    pub side: Side,
    pub kind: FormationKind,
    pub army: Option<Army>,
    pub corps: Option<CorpsId>,
    pub colour: Colour,
    /// A Panzer division for the fuel result "any one Pz Div" (6.4).
    pub panzer: bool,
    /// Fuel Shortage Table that names it: 1, 2 or 0 for none.
    pub fuel_table: u8,
    /// Its German set-up area.
    pub area: Option<AreaId>,
    /// In order of [`Pack::units`](super::Pack::units).
    pub units: Vec<UnitId>,
}

/// A corps: set-up code of the Germans (2.7), colour of the Allies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CorpsDef {
    pub id: String,
    pub label: String,
    pub side: Side,
    pub army: Option<Army>,
}

/// A kind of Breakdown unit or Remnant, with its counters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PoolDef {
    pub id: String,
    pub side: Side,
    pub remnant: bool,
    /// Its counters, consecutive in [`Pack::units`](super::Pack::units).
    pub first: UnitId,
    pub count: u8,
    pub count_source: Source,
}

impl PoolDef {
    /// The pool's counters.
    pub fn counters(&self) -> impl Iterator<Item = UnitId> + use<> {
        (self.first.0..self.first.0 + u16::from(self.count)).map(UnitId)
    }
}

/// Sky (28.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sky {
    Overcast,
    Clear,
}

/// One AM or PM turn of the track.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    pub turn: u8,
    /// Day of December 1944.
    pub day: u8,
    pub pm: bool,
    pub ground: Ground,
    pub sky: Sky,
    /// Replacement steps of the Night turn that follows: German, Allied. 0 on AM turns (25.21).
    pub replacements: [u8; 2],
    pub replacements_source: Source,
    /// Greif marker that leaves the game this turn; 0 = none (24.6).
    pub greif_removed: u8,
    /// Message keys of the turn's special events.
    pub events: Vec<String>,
}

impl Turn {
    /// A Night turn follows every PM turn (25.1).
    pub const fn night_follows(&self) -> bool {
        self.pm
    }
}

/// An Entry Hex (3.2). All are supply sources of their side (23.2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryDef {
    /// `A` … `M`.
    pub letter: char,
    pub hex: HexRef,
    pub side: Side,
    /// Sector of an Allied Entry Hex (13.4).
    pub off_map_box: Option<BoxId>,
    /// Germans may leave here for Antwerp (11.9, 30.2).
    pub antwerp_exit: bool,
    /// The German army to which this Entry Hex belongs while army boundaries are in force (1E 11.10).
    pub army: Option<Army>,
    pub source: String,
}

/// An Off-Map Box (11.9, 13.4–13.8). Each of its Entry Hexes has one Blocking Position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoxDef {
    pub id: String,
    pub entries: EntrySet,
    pub adjacent: Vec<BoxId>,
    pub source: String,
}

/// A German division's set-up area (31.1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AreaDef {
    pub formation: FormationId,
    pub corps: CorpsId,
    pub army: Army,
    pub hexes: Vec<HexRef>,
    /// Hexes closed to the division's red-coded units (26 VG, 31.1).
    pub closed_to_red: Vec<HexRef>,
}

/// What a Victory Hex counts for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VictoryKind {
    Town,
    Bastogne,
    Meuse,
    Liege,
    Entry,
}

/// A Victory Hex (30.2, 31.2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VictoryHex {
    pub hex: HexRef,
    pub place: String,
    pub kind: VictoryKind,
    pub points: u8,
    pub source: String,
}

/// A numbered bridge (31.1) or one named by a scenario.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BridgeState {
    Intact,
    Blown,
    UnderConstruction,
}

/// Places named by individual rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// Rule 24.7.
    pub st_vith: HexRef,
    pub bottleneck: Vec<HexRef>,
    /// Rule 7.8: the two hexes of the bridge hexside.
    pub ouren: [HexRef; 2],
    /// Rule 29.2: from, to.
    pub echternach_crossing: [HexRef; 2],
    /// Rule 29.2.
    pub echternach_formation: FormationId,
    /// Rule 31.5.
    pub bastogne: Vec<HexRef>,
    /// Rule 32.1.
    pub fuel_dumps: Vec<HexRef>,
    /// Rule 1E 24.8
    pub roadblocks_1e: Vec<HexRef>,
    /// Rule 1E 27.7: closed to the Allies on turns 1–2.
    pub closed_area_1e: AreaId,
}

/// A group of optional units (1E 33).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionalGroup {
    pub id: String,
    pub side: Side,
    pub rule: String,
    pub units: Vec<UnitId>,
}
