//! The map a game plays on.
//!
//! Two halves: dense arrays indexed by [`HexId`] that the rules read in their inner loops (terrain, elevation,
//! hexsides, roads, bridges, control), and lists that people and pictures read (places, watercourses, areas, entries,
//! boxes). What terrain *does* is the game's business; the map only knows what is where, under kinds that its pack
//! declares.

mod ids;

use std::collections::BTreeMap;

use hexgrid::{Board, Direction, HexId, HexSet, LabelError, SideId};
use serde::{Deserialize, Serialize};

use crate::names::Names;

pub use ids::{BridgeId, FactionId, HexsideId, HexsideSet, RoadId, TerrainId, TerrainSet};

/// The role of a terrain kind in a hex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The ground itself: every hex has exactly one (clear, forest, sand …).
    #[default]
    Ground,
    /// Built-up: at most one per hex, on top of the ground (village, town, city).
    Settlement,
    /// Anything else in the hex (West Wall, minefield, crest …).
    Extra,
}

/// A kind of terrain that the pack declares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerrainKind {
    pub id: String,
    pub name: Names,
    #[serde(default)]
    pub layer: Layer,
    /// Which drawing style the renderer uses; the kind's own id where empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub style: String,
}

/// A kind of hexside feature that the pack declares (river, lake, crest, wall …).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HexsideKind {
    pub id: String,
    pub name: Names,
    /// Water needs a bridge where a road crosses it, and runs in continuous chains.
    #[serde(default)]
    pub water: bool,
    /// Standing water: no bridge can cross it.
    #[serde(default)]
    pub lake: bool,
    /// Which drawing style the renderer uses; the kind's own id where empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub style: String,
}

/// A class of road that the pack declares; listed best first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoadClass {
    pub id: String,
    pub name: Names,
    /// Which drawing style the renderer uses; the class's own id where empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub style: String,
    /// A different name and style inside some terrain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<RoadWithin>,
}

/// A road of this class becomes another kind in a hex of this ground, unless a road of a better class runs there, too
/// (a Forest Road).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoadWithin {
    /// Grounds, by id.
    pub terrain: Vec<String>,
    pub name: Names,
    pub style: String,
}

/// What lies on one hexside; the same from both of its hexes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Side {
    pub kinds: HexsideSet,
    /// The best road that crosses the hexside; on the edge of the board, the road that leaves the map there.
    pub road: Option<RoadId>,
    pub bridge: Option<BridgeId>,
    /// The higher of its two hexes, if the hexside is a slope and the map says which.
    pub uphill: Option<HexId>,
}

/// A point of the map: x east, y south, in hex circumradii from the centre of axial hex (0, 0), which is
/// `hexgrid::Layout::new(orientation, 1.0)`.
pub type BoardPoint = [f32; 2];

/// The state of a bridge at the start of the game; play keeps its own record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BridgeState {
    #[default]
    Intact,
    Blown,
    UnderConstruction,
}

/// How a crossing carries units across the water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BridgeKind {
    /// Carries the road of its hexside.
    #[default]
    Road,
    /// A railway bridge without a road.
    Railroad,
    /// No bridge at all: boats between two landings.
    Ferry,
}

impl BridgeKind {
    pub const fn id(self) -> &'static str {
        match self {
            Self::Road => "road",
            Self::Railroad => "railroad",
            Self::Ferry => "ferry",
        }
    }
}

/// A bridge or ferry on a hexside.
#[derive(Clone, Debug, PartialEq)]
pub struct Bridge {
    pub side: SideId,
    pub name: Names,
    pub kind: BridgeKind,
    pub state: BridgeState,
    /// The number that a scenario uses for it.
    pub number: Option<u8>,
    /// What the game's rules say of this bridge alone.
    pub props: Props,
    pub source: String,
}

/// A named river with its course, from source to mouth.
#[derive(Clone, Debug, PartialEq)]
pub struct Watercourse {
    pub id: String,
    pub name: Names,
    /// The id of the river or lake it flows into.
    pub into: Option<String>,
    /// Its hexsides in order downstream.
    pub hexsides: Vec<SideId>,
    /// The hexes that it runs through the middle of, in order downstream.
    pub through: Vec<HexId>,
    /// Reaches without effect in the game, as lines in board coordinates, for the picture only.
    pub course: Vec<Vec<BoardPoint>>,
    pub source: String,
}

/// A place with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub id: String,
    pub hex: HexId,
    pub name: Names,
    /// `city`, `town`, `village`, `hamlet`, `landmark`, `region` …: how it is drawn.
    pub class: String,
    /// 0 is shown even when zoomed out, larger numbers only when zoomed in.
    pub importance: u8,
    /// Its position in board coordinates; if missing, the middle of its hex.
    pub at: Option<BoardPoint>,
    pub source: String,
}

/// A set of hexes, or a line of hexsides, with a meaning: set-up area, rear zone, boundary, border, front.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    pub id: String,
    pub kind: String,
    pub name: Names,
    pub hexes: HexSet,
    /// A chain of hexsides (boundaries, borders, front lines), in order.
    pub line: Vec<SideId>,
    pub props: Props,
    pub source: String,
}

/// Where units enter the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub id: String,
    pub side: FactionId,
    pub hexes: Vec<HexId>,
    /// The off-map box behind it.
    pub sector: Option<String>,
    pub name: Names,
    pub props: Props,
    pub source: String,
}

/// A box beside the map that holds units.
#[derive(Clone, Debug, PartialEq)]
pub struct OffMapBox {
    pub id: String,
    pub name: Names,
    pub adjacent: Vec<String>,
    /// The entries tied to it, each with one blocking position where `blocking` is set.
    pub entries: Vec<String>,
    pub blocking: bool,
    pub props: Props,
    pub source: String,
}

/// A hex that counts for victory.
#[derive(Clone, Debug, PartialEq)]
pub struct VictoryHex {
    pub hex: HexId,
    /// The id of the place it belongs to.
    pub place: String,
    pub source: String,
}

/// A hex from which a side draws supply.
#[derive(Clone, Debug, PartialEq)]
pub struct SupplySource {
    pub hex: HexId,
    pub side: FactionId,
    pub source: String,
}

/// Where a feature is.
#[derive(Clone, Debug, PartialEq)]
pub enum Spot {
    Hex(HexId),
    Hexside(SideId),
    /// A line in board coordinates.
    Line(Vec<BoardPoint>),
}

/// Anything a game wants to mark that has no array of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    pub kind: String,
    pub id: String,
    pub name: Names,
    pub at: Spot,
    pub props: Props,
    pub source: String,
}

/// Free-form properties of an area, entry, box or feature.
pub type Props = BTreeMap<String, toml::Value>;

/// A map: what is where. Read from files by [`Map::from_files`] or [`Map::inline`], and read-only afterwards.
#[derive(Clone, Debug)]
pub struct Map {
    pub id: String,
    pub name: Names,
    pub board: Board,
    pub terrain_kinds: Vec<TerrainKind>,
    pub hexside_kinds: Vec<HexsideKind>,
    pub road_classes: Vec<RoadClass>,
    /// The player sides to which control, supply and entries refer.
    pub factions: Vec<String>,
    pub bridges: Vec<Bridge>,
    pub watercourses: Vec<Watercourse>,
    pub places: Vec<Place>,
    pub areas: Vec<Area>,
    pub entries: Vec<Entry>,
    pub boxes: Vec<OffMapBox>,
    pub victory: Vec<VictoryHex>,
    pub supply: Vec<SupplySource>,
    pub features: Vec<Feature>,
    /// Other numbers of a hex, by numbering (`"1e"`): label there to hex.
    pub aliases: BTreeMap<String, BTreeMap<String, HexId>>,
    /// The source of everything that does not name its own.
    pub default_source: String,
    pub(crate) ground: Vec<TerrainId>,
    pub(crate) terrain: Vec<TerrainSet>,
    pub(crate) elevation: Vec<i16>,
    pub(crate) sides: Vec<Side>,
    pub(crate) control: Vec<Option<FactionId>>,
    /// Sources of single hexes and hexsides that are not the default.
    pub(crate) hex_sources: BTreeMap<HexId, String>,
    pub(crate) side_sources: BTreeMap<SideId, String>,
}

impl Map {
    /// The ground of a hex (clear, forest …).
    #[inline]
    pub fn ground(&self, hex: HexId) -> TerrainId {
        self.ground[hex.index()]
    }

    /// The ground and everything on it.
    #[inline]
    pub fn terrain(&self, hex: HexId) -> TerrainSet {
        self.terrain[hex.index()]
    }

    /// The built-up terrain of a hex (village, town, city).
    pub fn settlement(&self, hex: HexId) -> Option<TerrainId> {
        self.terrain(hex).iter().find(|k| self.terrain_kinds[k.0 as usize].layer == Layer::Settlement)
    }

    #[inline]
    pub fn elevation(&self, hex: HexId) -> i16 {
        self.elevation[hex.index()]
    }

    /// What lies on a hexside.
    #[inline]
    pub fn side(&self, side: SideId) -> Side {
        self.sides[side.index()]
    }

    /// What lies on the hexside in this direction; the board's edge has one too.
    #[inline]
    pub fn side_toward(&self, hex: HexId, direction: Direction) -> Side {
        self.sides[self.board.side(hex, direction).index()]
    }

    /// The bridge on a hexside.
    pub fn bridge(&self, side: SideId) -> Option<&Bridge> {
        self.side(side).bridge.map(|id| &self.bridges[id.0 as usize])
    }

    /// The side that holds a hex at the start of the game.
    #[inline]
    pub fn control(&self, hex: HexId) -> Option<FactionId> {
        self.control[hex.index()]
    }

    /// A terrain kind by its id.
    pub fn terrain_id(&self, id: &str) -> Option<TerrainId> {
        self.terrain_kinds.iter().position(|k| k.id == id).map(|i| TerrainId(i as u8))
    }

    /// A hexside kind by its id.
    pub fn hexside_id(&self, id: &str) -> Option<HexsideId> {
        self.hexside_kinds.iter().position(|k| k.id == id).map(|i| HexsideId(i as u8))
    }

    /// A road class by its id.
    pub fn road_id(&self, id: &str) -> Option<RoadId> {
        self.road_classes.iter().position(|k| k.id == id).map(|i| RoadId(i as u8))
    }

    /// A player side by its id.
    pub fn faction_id(&self, id: &str) -> Option<FactionId> {
        self.factions.iter().position(|k| k == id).map(|i| FactionId(i as u8))
    }

    pub fn terrain_kind(&self, id: TerrainId) -> &TerrainKind {
        &self.terrain_kinds[id.0 as usize]
    }

    pub fn hexside_kind(&self, id: HexsideId) -> &HexsideKind {
        &self.hexside_kinds[id.0 as usize]
    }

    pub fn road_class(&self, id: RoadId) -> &RoadClass {
        &self.road_classes[id.0 as usize]
    }

    /// The hexside kinds that are water.
    pub fn water_kinds(&self) -> HexsideSet {
        self.kinds_that(|k| k.water)
    }

    /// The hexside kinds that no bridge can cross.
    pub fn lake_kinds(&self) -> HexsideSet {
        self.kinds_that(|k| k.lake)
    }

    fn kinds_that(&self, test: impl Fn(&HexsideKind) -> bool) -> HexsideSet {
        self.hexside_kinds
            .iter()
            .enumerate()
            .filter(|(_, k)| test(k))
            .map(|(i, _)| HexsideId(i as u8))
            .collect()
    }

    /// The hex with this label.
    pub fn hex(&self, label: &str) -> Result<HexId, LabelError> {
        self.board.find(label)
    }

    /// The label of a hex.
    pub fn label(&self, hex: HexId) -> &str {
        self.board.label(hex)
    }

    /// A hexside as its two hexes, `E1005/E1006`; on the board's edge, the hex and the direction: `E1601:s`.
    pub fn side_label(&self, side: SideId) -> String {
        match self.board.side_hexes(side) {
            [Some(a), Some(b)] => {
                let (a, b) = if a <= b { (a, b) } else { (b, a) };
                format!("{}/{}", self.label(a), self.label(b))
            }
            [Some(a), None] => self.edge_label(a, self.board.hexside(side).direction()),
            [None, Some(b)] => self.edge_label(b, self.board.hexside(side).direction().opposite()),
            [None, None] => String::new(),
        }
    }

    fn edge_label(&self, hex: HexId, direction: Direction) -> String {
        format!("{}:{}", self.label(hex), self.board.orientation().compass(direction))
    }

    /// The places that lie in a hex, most important first.
    pub fn places_in(&self, hex: HexId) -> impl Iterator<Item = &Place> {
        let mut here: Vec<&Place> = self.places.iter().filter(|p| p.hex == hex).collect();
        here.sort_by_key(|p| p.importance);
        here.into_iter()
    }

    pub fn place(&self, id: &str) -> Option<&Place> {
        self.places.iter().find(|p| p.id == id)
    }

    pub fn area(&self, id: &str) -> Option<&Area> {
        self.areas.iter().find(|a| a.id == id)
    }

    /// The areas of one kind (`setup`, `rear`, `boundary` …).
    pub fn areas_of(&self, kind: &str) -> impl Iterator<Item = &Area> {
        self.areas.iter().filter(move |a| a.kind == kind)
    }

    pub fn entry(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.id == id)
    }

    pub fn off_map_box(&self, id: &str) -> Option<&OffMapBox> {
        self.boxes.iter().find(|b| b.id == id)
    }

    /// The features of one kind.
    pub fn features_of(&self, kind: &str) -> impl Iterator<Item = &Feature> {
        self.features.iter().filter(move |f| f.kind == kind)
    }

    /// The Victory Hexes as a set.
    pub fn victory_hexes(&self) -> HexSet {
        self.victory.iter().map(|v| v.hex).collect()
    }

    /// Whether a river runs through the middle of the hex.
    pub fn river_through(&self, hex: HexId) -> bool {
        self.watercourses.iter().any(|w| w.through.contains(&hex))
    }

    /// What a road of a class becomes inside a hex, if its class says that it is another kind there.
    pub fn road_within(&self, hex: HexId, road: RoadId) -> Option<&RoadWithin> {
        let within = self.road_classes.get(road.0 as usize)?.within.as_ref()?;
        let ground = &self.terrain_kind(self.ground(hex)).id;
        let better = || self.roads_of(hex).any(|(_, other)| other.0 < road.0);
        (within.terrain.contains(ground) && !better()).then_some(within)
    }

    /// The roads that leave a hex, with their class, including a road off the map.
    pub fn roads_of(&self, hex: HexId) -> impl Iterator<Item = (Direction, RoadId)> {
        Direction::ALL.into_iter().filter_map(move |d| self.side_toward(hex, d).road.map(|r| (d, r)))
    }

    /// What runs through a hex and lies on its hexsides, each kind once, as message keys: `road.primary`,
    /// `road.secondary.within` (a road with a different name in this ground), `hexside.river`, `terrain.bridge`.
    pub fn around(&self, hex: HexId) -> Vec<String> {
        let sides = || Direction::ALL.map(|d| self.side_toward(hex, d)).into_iter();
        let roads = sides().filter_map(|side| side.road).map(|road| {
            let within = if self.road_within(hex, road).is_some() { ".within" } else { "" };
            format!("road.{}{within}", self.road_class(road).id)
        });
        let kinds = sides()
            .flat_map(|side| side.kinds.iter())
            .map(|kind| format!("hexside.{}", self.hexside_kind(kind).id));
        let bridges = sides().filter_map(|side| side.bridge).map(|_| String::from("terrain.bridge"));
        let mut keys = Vec::new();
        for key in roads.chain(kinds).chain(bridges) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }

    /// The hex with this number in another numbering, such as the first edition's.
    pub fn alias(&self, numbering: &str, label: &str) -> Option<HexId> {
        self.aliases.get(numbering)?.get(label).copied()
    }

    /// The number of a hex in another numbering; `None` if it has none there.
    pub fn alias_of(&self, numbering: &str, hex: HexId) -> Option<&str> {
        self.aliases.get(numbering)?.iter().find(|(_, h)| **h == hex).map(|(label, _)| label.as_str())
    }

    /// Where the terrain of a hex comes from.
    pub fn hex_source(&self, hex: HexId) -> &str {
        self.hex_sources.get(&hex).unwrap_or(&self.default_source)
    }

    /// Where the facts about a hexside come from.
    pub fn side_source(&self, side: SideId) -> &str {
        self.side_sources.get(&side).unwrap_or(&self.default_source)
    }
}
