//! The geographic source files of a map, as people write them.

use std::{collections::BTreeMap, fs, path::Path};

use serde::{Deserialize, de::DeserializeOwned};

use crate::{Error, emit::quote};

/// A position: latitude, longitude.
pub type LatLon = [f64; 2];

/// Everything that the compiler reads.
#[derive(Debug)]
pub struct Sources {
    pub fit: Fit,
    pub places: Vec<Place>,
    pub rivers: Rivers,
    pub roads: Vec<Road>,
    pub woods: Vec<Wood>,
    pub military: Military,
    pub features: Features,
    pub names: BTreeMap<(NameKind, String), NameRow>,
}

#[derive(Debug, Deserialize)]
pub struct Fit {
    pub transform: Transform,
    pub extent: Extent,
    pub rubber_sheet: RubberSheet,
    pub control: Vec<Control>,
}

/// A stated fact that the fit satisfies: this point lies in this hex (or one of them), or on this hexside.
#[derive(Debug, Deserialize)]
pub struct Control {
    pub kind: String,
    pub hexes: Vec<String>,
    pub states: String,
}

/// Kilometres east and north of the origin from column and row: `x = x[0] + x[1]*u + x[2]*v`.
#[derive(Debug, Deserialize)]
pub struct Transform {
    pub lat0: f64,
    pub lon0: f64,
    pub km_per_deg_lon: f64,
    pub km_per_deg_lat: f64,
    pub x_from_uv: [f64; 3],
    pub y_from_uv: [f64; 3],
}

#[derive(Debug, Deserialize)]
pub struct Extent {
    pub east: Sheet,
    pub west: Sheet,
    pub west_1e: Shift,
}

#[derive(Debug, Deserialize)]
pub struct Sheet {
    pub col_min: i32,
    pub visible_col_min: Option<i32>,
    pub col_max: i32,
    pub row_min: i32,
    pub row_max: i32,
    #[serde(default)]
    pub col_shift: i32,
    #[serde(default)]
    pub row_shift: i32,
}

#[derive(Debug, Deserialize)]
pub struct Shift {
    pub col_shift: i32,
    pub row_shift: i32,
}

#[derive(Debug, Deserialize)]
pub struct RubberSheet {
    pub sigma_km: f64,
    pub points_xy: Vec<[f64; 2]>,
    pub coeff_uv: Vec<[f64; 2]>,
}

/// A row of the gazetteer. `pin` is a hex fixed by a stated fact or by the bank of a river.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    pub name: String,
    pub lat: f64,
    pub lon: f64,
    pub population: Option<u32>,
    pub country: String,
    pub map: String,
    pub hex: String,
    pub hex_1e: String,
    pub class: String,
    pub source: String,
    pub pin: String,
    pub note: String,
}

/// A row of the name list: a name of the sources in the interface's languages.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameRow {
    pub kind: NameKind,
    pub name: String,
    pub en: String,
    pub ko: String,
    pub ja: String,
    /// In the local spelling, if that is not the English form.
    pub local: String,
}

impl NameRow {
    /// The name in the pack format.
    pub fn to_toml(&self) -> String {
        let local =
            if self.local.is_empty() { String::new() } else { format!(", local = {}", quote(&self.local)) };
        format!("{{ en = {}, ko = {}, ja = {}{local} }}", quote(&self.en), quote(&self.ko), quote(&self.ja))
    }
}

/// The kind of thing that bears the name: a town and its river may share it, but not in every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NameKind {
    Place,
    River,
    Text,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rivers {
    pub river: Vec<River>,
    pub bridge: Vec<Bridge>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct River {
    pub name: String,
    pub into: Option<String>,
    pub reach: Vec<Reach>,
    #[serde(default)]
    pub via: Vec<String>,
    #[serde(default)]
    pub note: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReachClass {
    /// Hexsides of the Meuse.
    Meuse,
    /// Hexsides of a river.
    River,
    /// A wooded gorge: the river runs through its hexes.
    Valley,
    /// A stream without effect, which is only drawn.
    Minor,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reach {
    pub class: ReachClass,
    pub points: Vec<LatLon>,
    /// Places with their bank, looking downstream; `through` = the river runs through the hex.
    #[serde(default)]
    pub places: Vec<(String, Bank)>,
    /// Hexsides the course must follow.
    pub via: Option<Vec<String>>,
    #[serde(default)]
    pub note: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bank {
    Left,
    Right,
    Through,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bridge {
    pub place: String,
    pub river: String,
    pub lat: f64,
    pub lon: f64,
    pub hexside: Option<String>,
    pub near: Option<String>,
    pub state: Option<String>,
    pub number: Option<u8>,
    #[serde(default)]
    pub stated: bool,
    /// `gorge`: on the edge of a Wooded Rough hex.
    #[serde(default)]
    pub site: String,
    #[serde(default)]
    pub note: String,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Roads {
    road: Vec<Road>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Road {
    #[serde(default)]
    pub name: String,
    pub class: RoadClass,
    #[serde(default)]
    pub places: Vec<String>,
    #[serde(default)]
    pub path: Vec<String>,
    #[serde(default)]
    pub note: String,
    #[serde(default)]
    pub source: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoadClass {
    Primary,
    Secondary,
    /// A track through the woods: a secondary road that never leaves them for two hexes.
    Forest,
}

impl RoadClass {
    pub const fn id(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            // 11.8: a secondary road becomes a Forest Road by the terrain of its hex.
            Self::Secondary | Self::Forest => "secondary",
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Woods {
    wood: Vec<Wood>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wood {
    pub name: String,
    pub class: WoodClass,
    pub poly: Vec<LatLon>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WoodClass {
    /// Cuts a clearing.
    Clear,
    Light,
    Forest,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Military {
    pub westwall: Westwall,
    pub front: Front,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Westwall {
    pub line: Vec<LatLon>,
    #[serde(default)]
    pub add: Vec<String>,
    #[serde(default)]
    pub remove: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Front {
    pub line: Vec<LatLon>,
    #[serde(default)]
    pub note: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Features {
    pub lake: Vec<Lake>,
    pub town_hexes: Vec<TownHexes>,
    pub wooded_rough: Vec<WoodedRough>,
    pub landmark: Vec<Landmark>,
    pub army_boundary: Vec<ArmyBoundary>,
    pub setup: Vec<Setup>,
    pub entry: Vec<Entry>,
    pub exit_edge: ExitEdge,
    pub victory: Vec<Victory>,
    pub bottleneck: Bottleneck,
    pub dump: Vec<Dump>,
    pub border: Vec<Border>,
    pub r#box: Vec<OffMapBox>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lake {
    pub name: String,
    pub river: String,
    #[serde(default)]
    pub near: Vec<LatLon>,
    #[serde(default)]
    pub hexsides: Vec<String>,
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TownHexes {
    pub place: String,
    pub hexes: Vec<String>,
    pub class: String,
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WoodedRough {
    pub hexes: Vec<String>,
    pub why: String,
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Landmark {
    pub name: String,
    pub lat: f64,
    pub lon: f64,
    /// `region` (a landscape) or `landmark` (a spot).
    pub class: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmyBoundary {
    pub between: [String; 2],
    pub line: Vec<LatLon>,
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    pub division: String,
    pub corps: String,
    pub army: String,
    pub hexes: Vec<String>,
    #[serde(default)]
    pub note: String,
    #[serde(default)]
    pub source: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub id: String,
    pub side: String,
    #[serde(rename = "box")]
    pub sector: Option<String>,
    pub hex: Option<String>,
    pub road_to: Option<String>,
    pub from_place: Option<String>,
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExitEdge {
    pub from_1e: String,
    pub to: String,
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Victory {
    pub map: String,
    pub places: Vec<String>,
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bottleneck {
    pub hexes: Vec<String>,
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dump {
    pub id: String,
    pub lat: f64,
    pub lon: f64,
    #[serde(default)]
    pub note: String,
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Border {
    pub name: String,
    /// Rivers that the border follows.
    #[serde(default)]
    pub follows: Vec<String>,
    pub line: Vec<LatLon>,
}

/// An off-map box; its entries are those that name it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OffMapBox {
    pub id: String,
    pub name: toml::Table,
    #[serde(default)]
    pub adjacent: Vec<String>,
    #[serde(default)]
    pub blocking: bool,
    pub source: String,
}

impl Sources {
    /// Reads the folder of source files.
    pub fn read(dir: &Path) -> Result<Self, Error> {
        Ok(Self {
            fit: toml_file(dir, "fit.toml")?,
            places: csv_file(dir, "gazetteer.csv")?,
            rivers: toml_file(dir, "rivers.toml")?,
            roads: toml_file::<Roads>(dir, "roads.toml")?.road,
            woods: toml_file::<Woods>(dir, "woods.toml")?.wood,
            military: toml_file(dir, "westwall.toml")?,
            features: toml_file(dir, "features.toml")?,
            names: names(dir)?,
        })
    }
}

/// The name list by kind and name.
pub fn names(dir: &Path) -> Result<BTreeMap<(NameKind, String), NameRow>, Error> {
    let rows = csv_file::<NameRow>(dir, "names.csv")?;
    Ok(rows.into_iter().map(|row| ((row.kind, row.name.clone()), row)).collect())
}

fn text(dir: &Path, name: &'static str) -> Result<String, Error> {
    fs::read_to_string(dir.join(name)).map_err(|e| Error::Read { file: name, why: e.to_string() })
}

pub fn toml_file<T: DeserializeOwned>(dir: &Path, name: &'static str) -> Result<T, Error> {
    toml::from_str(&text(dir, name)?).map_err(|e| Error::Read { file: name, why: e.to_string() })
}

pub fn csv_file<T: DeserializeOwned>(dir: &Path, name: &'static str) -> Result<Vec<T>, Error> {
    csv::Reader::from_reader(text(dir, name)?.as_bytes())
        .into_deserialize()
        .collect::<Result<_, _>>()
        .map_err(|e| Error::Read { file: name, why: e.to_string() })
}
