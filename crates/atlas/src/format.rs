//! The files of a map as people write them; `docs/PACKS.md` explains every key.
//!
//! The same schema is used for the pack's files, a map written into a lab file and an overlay. Labels keep their
//! position in the file so that an error can name the line.

use std::collections::BTreeMap;
use std::fmt;

use hexgrid::Labels;
use serde::{
    Deserialize, Deserializer,
    de::{IntoDeserializer, MapAccess, Visitor, value::MapAccessDeserializer},
};
use toml::Spanned;

use crate::{
    map::{BoardPoint, BridgeKind, BridgeState, HexsideKind, Props, RoadClass, TerrainKind},
    names::Names,
};

/// A hex number or a hexside (`E1005/E1006`, at the edge `E1601:s`) as written.
pub(crate) type Label = Spanned<String>;
/// Labels by kind.
pub(crate) type ByKind = BTreeMap<Label, Vec<Label>>;

/// A file of a map, or the `[map]` table of a lab file or an overlay.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct MapFile {
    pub id: Option<Spanned<String>>,
    pub name: Option<Names>,
    pub factions: Option<Vec<String>>,
    pub default_source: Option<String>,
    pub grid: Option<Spanned<Grid>>,
    pub terrain_kind: Vec<TerrainKind>,
    pub hexside_kind: Vec<HexsideKind>,
    pub road_class: Vec<RoadClass>,
    /// The hexes of a map written in a lab file.
    pub rows: Option<Spanned<(u16, u16)>>,
    pub columns: Option<Spanned<(u16, u16)>>,
    /// The ground of every hex that no list names.
    pub default: Option<Label>,
    pub terrain: ByKind,
    /// Hexes by height.
    pub elevation: ByKind,
    pub hexside: ByKind,
    /// Slopes, each as the lower hex, then the higher: `2126>2227`.
    pub uphill: Vec<Label>,
    /// Short for `hexside.river`, `hexside.lake`, `hexside.meuse`.
    pub river: Vec<Label>,
    pub lake: Vec<Label>,
    pub meuse: Vec<Label>,
    pub bridge: BTreeMap<Label, BridgeTable>,
    /// Chains of hexes by road class.
    pub road: BTreeMap<Label, Vec<Vec<Label>>>,
    /// Roads that leave the map, by hexside of the edge.
    pub road_exit: BTreeMap<Label, RoadExitDef>,
    pub supply: ByKind,
    pub control: BTreeMap<Label, Spanned<String>>,
    /// Hexes by the faction that holds them: the pack's form of `control`.
    pub held: ByKind,
    /// Short for places that only have a name: hex to name.
    pub places: BTreeMap<Label, Names>,
    pub place: Vec<PlaceDef>,
    pub watercourse: Vec<WatercourseDef>,
    pub area: Vec<AreaDef>,
    pub entry: Vec<EntryDef>,
    pub r#box: Vec<BoxDef>,
    pub victory: Vec<VictoryDef>,
    pub feature: Vec<FeatureDef>,
    pub alias: Vec<AliasDef>,
    /// Hexes and hexsides by where their facts come from.
    pub source: ByKind,
    /// What an overlay removes.
    pub remove: Remove,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Grid {
    pub labels: Scheme,
    /// First and last column and row, where the map is not every hex of the scheme.
    pub columns: Option<(u16, u16)>,
    pub rows: Option<(u16, u16)>,
}

/// A label scheme: the name of one that the program knows, or its description.
#[derive(Clone, Debug)]
pub(crate) enum Scheme {
    Known(String),
    Given(Labels),
}

impl<'de> Deserialize<'de> for Scheme {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrTable;
        impl<'de> Visitor<'de> for NameOrTable {
            type Value = Scheme;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the name of a label scheme, or its description")
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<Scheme, E> {
                Ok(Scheme::Known(v.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Scheme, A::Error> {
                Labels::deserialize(MapAccessDeserializer::new(map)).map(Scheme::Given)
            }
        }
        deserializer.deserialize_any(NameOrTable)
    }
}

/// A bridge: its state alone, or a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct BridgeTable {
    /// Written as a state alone: what else is known of a bridge there is kept.
    pub state_only: bool,
    pub name: Names,
    pub kind: BridgeKind,
    pub state: BridgeState,
    pub number: Option<u8>,
    pub props: Props,
    pub source: Option<String>,
}

impl<'de> Deserialize<'de> for BridgeTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Default, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        struct Table {
            name: Names,
            kind: BridgeKind,
            state: BridgeState,
            number: Option<u8>,
            props: Props,
            source: Option<String>,
        }
        struct StateOrTable;
        impl<'de> Visitor<'de> for StateOrTable {
            type Value = BridgeTable;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("intact, blown or under_construction, or a table { state, kind, name, number, props, source }")
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<BridgeTable, E> {
                let state = BridgeState::deserialize(v.into_deserializer())?;
                Ok(BridgeTable { state_only: true, state, ..BridgeTable::default() })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<BridgeTable, A::Error> {
                let Table { name, kind, state, number, props, source } =
                    Table::deserialize(MapAccessDeserializer::new(map))?;
                Ok(BridgeTable { state_only: false, name, kind, state, number, props, source })
            }
        }
        deserializer.deserialize_any(StateOrTable)
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoadExitDef {
    pub class: Spanned<String>,
    #[serde(default)]
    pub to: Names,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaceDef {
    pub id: Spanned<String>,
    pub hex: Label,
    pub name: Names,
    pub class: String,
    #[serde(default)]
    pub importance: u8,
    /// Offset from the hex's centre, in circumradii: east, south.
    pub at: Option<BoardPoint>,
    pub source: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatercourseDef {
    pub id: Spanned<String>,
    pub name: Names,
    pub into: Option<Spanned<String>>,
    #[serde(default)]
    pub hexsides: Vec<Label>,
    #[serde(default)]
    pub through: Vec<Label>,
    #[serde(default)]
    pub course: Vec<Vec<BoardPoint>>,
    pub source: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AreaDef {
    pub id: Spanned<String>,
    pub kind: String,
    #[serde(default)]
    pub name: Names,
    #[serde(default)]
    pub hexes: Vec<Label>,
    #[serde(default)]
    pub line: Vec<Label>,
    #[serde(default)]
    pub props: Props,
    pub source: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntryDef {
    pub id: Spanned<String>,
    pub side: Spanned<String>,
    pub hexes: Vec<Label>,
    pub sector: Option<Spanned<String>>,
    #[serde(default)]
    pub name: Names,
    #[serde(default)]
    pub props: Props,
    pub source: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoxDef {
    pub id: Spanned<String>,
    pub name: Names,
    #[serde(default)]
    pub adjacent: Vec<Spanned<String>>,
    #[serde(default)]
    pub entries: Vec<Spanned<String>>,
    /// One blocking position for each entry.
    #[serde(default)]
    pub blocking: bool,
    #[serde(default)]
    pub props: Props,
    pub source: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VictoryDef {
    pub hex: Label,
    #[serde(default)]
    pub place: String,
    pub source: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FeatureDef {
    pub kind: Spanned<String>,
    #[serde(default)]
    pub id: String,
    #[serde(default)]
    pub name: Names,
    pub hex: Option<Label>,
    pub hexside: Option<Label>,
    pub line: Option<Vec<BoardPoint>>,
    #[serde(default)]
    pub props: Props,
    pub source: Option<String>,
}

/// Another numbering of the same hexes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AliasDef {
    pub numbering: Spanned<String>,
    pub labels: Scheme,
}

/// What an overlay removes from a map.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Remove {
    pub terrain: ByKind,
    pub hexside: ByKind,
    pub bridge: Vec<Label>,
    pub road: Vec<Vec<Label>>,
    pub place: Vec<Spanned<String>>,
    pub area: Vec<Spanned<String>>,
    pub victory: Vec<Label>,
    pub supply: Vec<Label>,
}

/// Why a map cannot be used: where, what is wrong, and what would be accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {why}", .line.map(|l| format!(":{l}")).unwrap_or_default())]
pub struct MapError {
    pub file: String,
    pub line: Option<usize>,
    /// The field and what is wrong with it.
    pub why: String,
}

/// A file's name and text, for saying where in it something is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub file: &'a str,
    pub text: &'a str,
}

impl Text<'_> {
    /// An error at the place of a label.
    pub fn at<T>(&self, what: &Spanned<T>, why: impl Into<String>) -> MapError {
        self.error(Some(what.span().start), why)
    }

    pub fn error(&self, offset: Option<usize>, why: impl Into<String>) -> MapError {
        let line = offset.map(|o| 1 + self.text.bytes().take(o).filter(|b| *b == b'\n').count());
        MapError { file: self.file.to_owned(), line, why: why.into() }
    }

    pub fn parse<'de, T: Deserialize<'de>>(&self, text: &'de str) -> Result<T, MapError> {
        toml::from_str(text).map_err(|e| self.error(e.span().map(|s| s.start), e.message().to_owned()))
    }
}
