//! The content: data cards, tables, boards, scenarios. Numbers are in `packs/panzer`, with their sources; these are the
//! types that the rules read.

pub mod advanced;
mod boards;
mod cards;
mod check;
mod combined;
mod files;
mod force;
mod scenarios;
mod tables;

use std::sync::{Arc, OnceLock};

use atlas::Map;
use hexgrid::Direction;
use serde::{Deserialize, Serialize};

use crate::field::{Field, Terrain};
pub use advanced::{Advanced, ScenarioExtras, UnitExtras};
pub use boards::{BoardPlace, Overlay, OverlayPlace};
pub use check::Finding;
pub use files::{embedded as embedded_files, words};
pub use force::{Budget, Draw, ForceError, MEETING, Meeting};
pub use rulebook::files::{PackError, PackFiles};

/// One of the two sides. Nations belong to one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Side {
    #[default]
    Axis,
    Allied,
}

impl Side {
    pub const ALL: [Side; 2] = [Side::Axis, Side::Allied];

    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    #[inline]
    #[must_use]
    pub const fn enemy(self) -> Side {
        match self {
            Side::Axis => Side::Allied,
            Side::Allied => Side::Axis,
        }
    }

    pub const fn key(self) -> &'static str {
        match self {
            Side::Axis => "axis",
            Side::Allied => "allied",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Nation {
    #[default]
    German,
    Italian,
    British,
    American,
    /// In the Advanced Game only.
    French,
}

impl Nation {
    pub const fn side(self) -> Side {
        match self {
            Nation::German | Nation::Italian => Side::Axis,
            Nation::British | Nation::American | Nation::French => Side::Allied,
        }
    }
}

/// Traction mode (4.5.1.1.1), and the movement of Advanced Game units that are not vehicles (6.6.4, 6.6.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Traction {
    #[default]
    #[serde(rename = "T")]
    Tracked,
    #[serde(rename = "H")]
    HalfTracked,
    #[serde(rename = "W")]
    Wheeled,
    /// 6.6.4.4: motorcycle units.
    #[serde(rename = "M")]
    Motorcycle,
    /// 6.6.4.1
    #[serde(rename = "L")]
    Leg,
    /// 6.6.5: a gun moved by hand.
    #[serde(rename = "G")]
    Gun,
}

impl Traction {
    pub const ALL: [Traction; 6] = [
        Traction::Tracked,
        Traction::HalfTracked,
        Traction::Wheeled,
        Traction::Motorcycle,
        Traction::Leg,
        Traction::Gun,
    ];

    /// Whether it moves in any direction regardless of its facing, and pays nothing for turning (6.6.4.1, 6.6.5).
    pub const fn on_foot(self) -> bool {
        matches!(self, Traction::Leg | Traction::Gun)
    }
}

/// The Movement Factor: `4T 6-9` (4.5.1.1.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Movement {
    pub cross_country: u8,
    pub traction: Traction,
    pub path: u8,
    pub road: u8,
}

/// 4.4.3.1, 4.4.3.1.4, 4.4.3.1.5: where a mount may fire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldOfFire {
    #[default]
    #[serde(rename = "360", alias = "all")]
    All,
    Front,
    Rear,
}

/// AP row: range bounds and penetration by Range Factor P, S, M, L, E (4.4.3.2.1, 4.4.3.2.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApRow {
    pub range: [u8; 5],
    pub penetration: [u8; 5],
}

impl ApRow {
    /// 4.4.3.2.1: the Range Factor, 0 to 4 for P, S, M, L, E; none beyond maximum range.
    pub fn factor(&self, range: u32) -> Option<usize> {
        self.range.iter().position(|bound| u32::from(*bound) >= range)
    }
}

/// The kind of a vehicle, for its counter and for the force builder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    #[default]
    Tank,
    TankDestroyer,
    AssaultGun,
    SelfPropelledGun,
    ArmoredCar,
    /// A gun on a truck (portee, autocannone).
    GunTruck,
    HalfTrack,
    Carrier,
    Tractor,
    Truck,
    Car,
    /// Of the Advanced Game (5.1, 5.2).
    Squad,
    HalfSquad,
    Section,
    TowedGun,
}

/// A weapon as mounted on a card.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mount {
    pub weapon: String,
    /// What the card prints, such as `50mm L/42 KwK 38`.
    pub name: String,
    /// TT: 0 Non-Turreted, 1–3 Turreted, 360 Turretless 360° (4.4.3.1).
    pub turret_turn: u16,
    pub field_of_fire: FieldOfFire,
    /// None: no AP row, so no AP fire (4.4.3).
    pub ap: Option<ApRow>,
    pub coax: bool,
}

/// A vehicle's data card (1.6).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    pub id: String,
    /// `G-9B`; empty if no rulebook names it.
    pub card: String,
    pub name: String,
    pub nation: Nation,
    pub kind: Kind,
    /// First and last year in North Africa.
    pub years: [u16; 2],
    pub movement: Movement,
    pub open_top: bool,
    /// Target size, −2 to +2.
    pub size: i8,
    /// Basic armor, front and rear (4.4.3.2.5).
    pub armor: [u8; 2],
    /// A combat vehicle (4.1.1).
    pub armed: bool,
    pub mounts: Vec<Mount>,
    /// SB: 0 for every vehicle of this game (4.4.3.2.2).
    pub stabilization: u8,
    pub points: u16,
    /// The whole card as in the pack, with the fields that only the Advanced Game reads and the list of those that are
    /// `known` from a printed card.
    pub printed: toml::Table,
}

impl Card {
    /// Whether a value is known from a printed card (`basic_armor.front`), not derived from history.
    pub fn is_known(&self, field: &str) -> bool {
        let known = self.printed.get("known").and_then(toml::Value::as_array);
        known.is_some_and(|list| list.iter().any(|k| k.as_str() == Some(field)))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Cover {
    #[default]
    None,
    Light,
    Medium,
    Heavy,
}

/// A line of the Terrain Effects Chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerrainEffects {
    /// Of the terrain itself, by storey for buildings (4.1.4.1).
    pub height: i8,
    pub cover_spot: Cover,
    pub cover_combat: Cover,
    /// Entry cost by traction; None = prohibited (4.5.1.1.2).
    pub cost: [Option<u8>; 3],
    /// Turning 2 or 3 hexsides (4.5.1.1.4).
    pub turn: u8,
}

/// The game cards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tables {
    /// AP Hit Table: `ap_hit[5 - net][range factor]`, 0 = impossible (4.4.3.2.3).
    pub ap_hit: [[u8; 5]; 16],
    /// Spotting Range Table, column V: `spotting[2 - net]` (4.1.3).
    pub spotting: [u8; 8],
    /// Terrain Effects Chart by [`Terrain`].
    pub terrain: [TerrainEffects; Terrain::ALL.len()],
    /// A vehicle in a building hex stands in the Alley (4.1.4.1.3).
    pub alley: TerrainEffects,
    /// The rows `bridge` and `road` of the chart: on a bridge (4.5.1.1.6), at path or road speed (4.5.1.1.5).
    pub bridge: TerrainEffects,
    pub road: TerrainEffects,
    /// Extra cost by traction, None = prohibited: wall, hedgerow, defilade hexsides.
    pub wall: [Option<u8>; 3],
    pub hedgerow: [Option<u8>; 3],
    pub defilade: [Option<u8>; 3],
    /// Extra cost by levels of height change, 1 and 2 (4.5.1.1.2); None = over the limit.
    pub levels: [[Option<u8>; 3]; 2],
    pub modifiers: Modifiers,
    pub sight: SightFigures,
}

/// Heights of things that are not terrain of a hex, and the divisors of blind zones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SightFigures {
    pub crest: i8,
    pub hedgerow: i8,
    /// Brew-Up smoke (4.1.4.1.9).
    pub smoke: i8,
    /// For an obstacle 1, 2, 3 levels below the higher unit (4.1.4.2.4).
    pub divisors: [u8; 3],
}

/// Row modifiers (4.1.3, 4.4.3.2.2) and the figures of 3.7, 4.4.3.2.6 and 4.5.1.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// Spotting, by [`Cover`].
    pub spot_cover: [i8; 4],
    pub spot_move: i8,
    pub spot_fire: i8,
    /// AP Hit, by [`Cover`].
    pub hit_cover: [i8; 4],
    pub target_moving: i8,
    pub short_halt: i8,
    pub shooter_damaged: i8,
    pub brew_up_smoke: i8,
    pub overwatch: i8,
    pub overwatch_adjust: i8,
    /// Least difference of penetration and armor for Damaged, KO, BU (4.4.3.2.6).
    pub damaged: u8,
    pub knocked_out: u8,
    pub brewed_up: u8,
    /// Vehicles in a hex that make it overstacked (3.8).
    pub overstacked: u8,
    /// Brew-Up smoke: extra cost to enter, and of a paid turn (4.5.1.1.2).
    pub smoke_enter: u8,
    pub smoke_turn: u8,
}

/// How a unit comes into play.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// Labels of hexes as the scenario's field has them.
    At { hex: String, facing: Direction },
    /// Held off the map until this turn; enters by one of these hexes with this facing (4.5.1.1.9).
    Enters { turn: u8, hexes: Vec<String>, facing: Direction },
}

/// A vehicle of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitDef {
    /// As notation writes it: `A1`, `B-3`.
    pub id: String,
    pub side: Side,
    /// [`Card::id`]
    pub card: String,
    pub formation: String,
    pub start: Start,
    /// What only the Advanced Game says about it.
    pub extras: UnitExtras,
}

/// How an objective is captured (3.6); the scenario may say otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capture {
    /// 3.6: occupied at the start and at the end of one turn.
    #[default]
    WholeTurn,
    /// Belongs to the side that was there last.
    Entered,
    /// Counts only while occupied at the end of the scenario.
    Occupied,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    /// Message key is `objective.` and this, or the board's own name for the place.
    pub id: String,
    /// All of these hexes are one objective.
    pub hexes: Vec<String>,
    pub points: [u16; 2],
    pub capture: Capture,
    pub held_by: Option<Side>,
}

/// Victory points and levels of a scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Victory {
    /// Points for each enemy vehicle KO or BU: a fixed number, or its card's points where 0.
    pub per_vehicle: [u16; 2],
    /// Points for a Damaged vehicle, as percent of `per_vehicle`.
    pub damaged_percent: u8,
    /// Points for each own vehicle that left by the map edges named, and those edges.
    pub per_exit: [u16; 2],
    pub exit_hexes: [Vec<String>; 2],
    /// Levels for a side, best first: key (`victory.level.X`) and the least lead in points.
    pub levels: [Vec<(String, i32)>; 2],
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// Its name is the message `scenario.ID.name`, its history `scenario.ID.history`.
    pub id: String,
    /// `1941-11-23`; empty for a battle that was never fought.
    pub date: String,
    pub boards: Vec<BoardPlace>,
    pub overlays: Vec<OverlayPlace>,
    /// Flat-roofed buildings (4.1.4.1.3.1).
    pub desert_buildings: bool,
    pub special: Special,
    pub turns: u8,
    pub minutes: u16,
    pub units: Vec<UnitDef>,
    /// A side that may set up freely: where (labels). Empty: as listed.
    pub zones: [Vec<String>; 2],
    /// Which side sets up first, where both may.
    pub sets_up_first: Side,
    pub objectives: Vec<Objective>,
    pub victory: Victory,
    /// Set for a scenario of the Advanced Game.
    pub advanced: Option<Box<ScenarioExtras>>,
}

/// Who is First Player when both sides roll the same (4.3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// 4.3.1: both roll again.
    #[default]
    Reroll,
    Axis,
    Allied,
    /// The previous turn's First Player; on the first turn both roll again.
    Keep,
}

/// Special Conditions that any scenario may state.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Special {
    /// 4.3.1
    #[serde(default)]
    pub initiative_tie: Ties,
    /// 4.1.4.1.3: storeys of every building hex that `storeys` does not name.
    pub all_storeys: Option<u8>,
    /// 4.1.4.1.3: storeys by hex.
    #[serde(default)]
    pub storeys: std::collections::BTreeMap<String, u8>,
    /// 4.5.1.1.11: `road` and `path`: these count as tracks. Hexes: only between them.
    #[serde(default)]
    pub tracks: Vec<String>,
    /// 4.1.4.1.3.1
    #[serde(default)]
    pub desert_buildings: bool,
}

impl Special {
    /// Apply these conditions to the terrain.
    pub fn lay(&self, field: &mut Field) -> Result<(), String> {
        let count =
            |n: u8| if (1..=9).contains(&n) { Ok(n) } else { Err(format!("{n} storeys: expected 1 to 9")) };
        if let Some(all) = self.all_storeys {
            let all = count(all)?;
            for hex in field.hexes() {
                if field.terrain(hex).building() {
                    field.ground_mut(hex).storeys = all;
                }
            }
        }
        let find = |field: &Field, label: &str| {
            field.find(label).ok_or_else(|| format!("there is no hex {label} on its map"))
        };
        for (label, storeys) in &self.storeys {
            let hex = find(field, label)?;
            if !field.terrain(hex).building() {
                return Err(format!("storeys of {label}: there is no building (4.1.4.1.3)"));
            }
            field.ground_mut(hex).storeys = count(*storeys)?;
        }
        let mut only = crate::field::HexSet::EMPTY;
        let (mut roads, mut paths) = (false, false);
        for word in &self.tracks {
            match word.as_str() {
                "road" | "roads" => roads = true,
                "path" | "paths" => paths = true,
                label => {
                    only.insert(find(field, label)?);
                }
            }
        }
        if !self.tracks.is_empty() {
            let both = !roads && !paths;
            field.ways_to_tracks(roads || both, paths || both, (!only.is_empty()).then_some(&only));
        }
        if self.desert_buildings {
            field.use_desert_buildings();
        }
        Ok(())
    }
}

/// The terrain of a scenario on this map.
fn ground(scenario: &Scenario, map: &Map) -> Result<Field, String> {
    let mut field = Field::from_map(map).map_err(|e| e.to_string())?;
    if scenario.desert_buildings {
        field.use_desert_buildings();
    }
    scenario.special.lay(&mut field)?;
    Ok(field)
}

/// Everything in `packs/panzer`.
#[derive(Clone, Debug)]
pub struct Pack {
    pub cards: Vec<Card>,
    pub tables: Tables,
    /// The geomorphic boards, by number.
    pub boards: Vec<(u16, Map)>,
    pub overlays: Vec<Overlay>,
    pub scenarios: Vec<Scenario>,
    /// Cards, tables and scenarios of the Advanced Game.
    pub advanced: Arc<Advanced>,
    /// A map with the kinds of terrain and nothing else, for maps in lab files.
    pub kinds: Map,
}

impl Pack {
    /// The pack built into the program, read once.
    pub fn embedded() -> Result<&'static Arc<Pack>, &'static PackError> {
        static PACK: OnceLock<Result<Arc<Pack>, PackError>> = OnceLock::new();
        PACK.get_or_init(|| Pack::read(&embedded_files()).map(Arc::new)).as_ref()
    }

    /// The shipped pack as an overlay corrects it, and what the overlay changes.
    pub fn corrected(overlay: &str) -> Result<(Pack, Vec<String>), PackError> {
        let mut files = embedded_files();
        let changes = files.lay(overlay)?;
        // The lines of files that an overlay has changed are not those of the shipped ones.
        let pack = Pack::read(&files).map_err(|e| {
            let file = e.at.split_once(':').map_or(&*e.at, |(file, _)| file);
            PackError::at("overlay", format!("{file}: {}", e.why))
        })?;
        Ok((pack, changes.iter().map(ToString::to_string).collect()))
    }

    /// Reads the files of a pack.
    pub fn read(files: &PackFiles) -> Result<Pack, PackError> {
        let (kinds, boards) = boards::read(files)?;
        let overlays = boards::read_overlays(files, &kinds)?;
        let cards = cards::read(files)?;
        let advanced = Arc::new(Advanced::read(files, &cards)?);
        Ok(Pack {
            cards,
            advanced,
            tables: tables::read(files)?,
            scenarios: scenarios::read(files)?,
            boards,
            overlays,
            kinds,
        })
    }

    pub fn card(&self, id: &str) -> Option<&Card> {
        self.cards.iter().find(|card| card.id == id)
    }

    pub fn scenario(&self, id: &str) -> Option<&Scenario> {
        self.scenarios.iter().find(|scenario| scenario.id == id)
    }

    /// The joined boards of a scenario, as a map and as the terrain that the rules read.
    pub fn field(&self, scenario: &Scenario) -> Result<(Map, Field), PackError> {
        let map = self.lay(&scenario.id, &scenario.boards, &scenario.overlays)?;
        let field =
            ground(scenario, &map).map_err(|why| PackError::at(format!("scenario {}", scenario.id), why))?;
        Ok((map, field))
    }

    /// The same with the changes of a `[map]` table (docs/LAB.md). The scenario's special conditions lose the storeys of
    /// buildings that are no longer there.
    pub fn changed_field(&self, scenario: &mut Scenario, map: &toml::Table) -> Result<(Map, Field), String> {
        let shipped =
            self.lay(&scenario.id, &scenario.boards, &scenario.overlays).map_err(|e| e.to_string())?;
        crate::field::lab::change(shipped, map, |map| {
            let plain = Field::from_map(map).map_err(|e| e.to_string())?;
            let built = |label: &str| plain.find(label).is_some_and(|hex| plain.terrain(hex).building());
            scenario.special.storeys.retain(|label, _| built(label));
            ground(scenario, map)
        })
    }

    /// A map written in the `[map]` table of a lab file (docs/LAB.md).
    pub fn lab_field(&self, map: &toml::Table) -> Result<(Map, Field), String> {
        crate::field::lab::read(&self.kinds, map, |map, overlays| self.overlays_on(map, overlays))
    }
}
