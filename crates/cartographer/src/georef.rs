//! From latitude and longitude to the hexes of a board, for maps that are defined hex by hex.

use std::path::Path;

use atlas::Map;
use hexgrid::{Board, HexId, Layout, Point};
use serde::Deserialize;

use crate::{
    Error,
    draft::segment_distance,
    fit::Projection,
    source::{self, LatLon, toml_file},
};

#[derive(Debug, Deserialize)]
struct FitFile {
    transform: source::Transform,
    rubber_sheet: source::RubberSheet,
    control: Vec<Control>,
}

/// A point whose hex or hexside is stated.
#[derive(Debug, Deserialize)]
pub(crate) struct Control {
    name: String,
    lat: f64,
    lon: f64,
    /// `in` a hex, or on a `side` between two.
    pub kind: String,
    pub hexes: Vec<String>,
    /// What states it.
    pub states: String,
}

/// A board, and the positions of places on it.
pub(crate) struct Georeference {
    pub board: Board,
    pub layout: Layout,
    projection: Projection,
    scale: [f64; 2],
    pub control: Vec<Control>,
}

impl Georeference {
    /// Reads the fit of a source folder for the board that the map's head declares. The fit counts from the centre of
    /// line 0, place 0, as the board does; `scale` converts its coordinates to those of the board. A control point that
    /// does not fall into its stated hex, or next to its stated hexside, is added to the problems.
    pub fn read(dir: &Path, head: &str, scale: [f64; 2], problems: &mut Vec<String>) -> Result<Self, Error> {
        let fit: FitFile = toml_file(dir, "fit.toml")?;
        let board = Map::from_files(&[("map.toml", head)])?.board;
        let layout = Layout::new(board.orientation(), 1.0);
        let projection = Projection::new(&fit.transform, &fit.rubber_sheet);
        let geo = Self { board, layout, projection, scale, control: fit.control };
        let misplaced = geo.control.iter().filter(|control| !geo.meets(control));
        problems.extend(
            misplaced.map(|c| format!("{} does not fall where it is stated: {}", c.name, c.hexes.join(", "))),
        );
        Ok(geo)
    }

    /// The position of a latitude and longitude on the board.
    pub fn point(&self, [lat, lon]: LatLon) -> Point {
        let (u, v) = self.projection.uv(lat, lon);
        Point::new(self.scale[0] * u, self.scale[1] * v)
    }

    pub fn hex_at(&self, p: Point) -> Option<HexId> {
        self.board.id(self.layout.hex_at(p))
    }

    fn meets(&self, control: &Control) -> bool {
        let p = self.point([control.lat, control.lon]);
        let hexes: Vec<Option<HexId>> = control.hexes.iter().map(|h| self.board.find(h).ok()).collect();
        match (control.kind.as_str(), &hexes[..]) {
            ("side", [Some(a), Some(b)]) => self.board.side_between(*a, *b).is_some_and(|side| {
                let [x, y] = self.layout.side(self.board.hexside(side));
                segment_distance(p, x, y) <= 0.27 * 3f64.sqrt()
            }),
            ("in", all) => self.hex_at(p).is_some_and(|here| all.contains(&Some(here))),
            _ => false,
        }
    }
}
