//! Builds the terrain that the rules read from a map.

use atlas::{Layer, Map};
use hexgrid::{Direction, HexId};

use super::{Edge, Field, Ground, Terrain};

/// Why a map cannot be used for this game: the hex or hexside, and its fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {why}")]
pub struct FieldError {
    pub place: String,
    pub why: String,
}

impl Field {
    /// The terrain of a map that uses the kinds of `packs/panzer/map/kinds.toml`.
    ///
    /// Hexsides between two elevations are slopes unless the map lists them as cliffs or crests; a map that lists any slope
    /// lists all of them, and every other edge of its hills is sheer (4.1.4.1.5).
    pub fn from_map(map: &Map) -> Result<Field, FieldError> {
        let mut field = Field::level(map.board.clone());
        for hex in map.board.ids() {
            *field.ground_mut(hex) = ground(map, hex)?;
        }
        let kinds: Vec<(Edge, Option<atlas::HexsideId>)> = [
            (Edge::SLOPE, "slope"),
            (Edge::CREST, "crest"),
            (Edge::CLIFF, "cliff"),
            (Edge::WALL, "wall"),
            (Edge::HEDGEROW, "hedgerow"),
            (Edge::DEFILADE, "defilade"),
        ]
        .into_iter()
        .map(|(edge, id)| (edge, map.hexside_id(id)))
        .collect();
        let roads = [(Edge::ROAD, "road"), (Edge::PATH, "path"), (Edge::TRACK, "track")]
            .map(|(edge, id)| (edge, map.road_id(id)));
        let slopes_listed = kinds[0]
            .1
            .is_some_and(|slope| map.board.side_ids().any(|side| map.side(side).kinds.contains(slope)));
        for hex in map.board.ids() {
            for d in Direction::ALL {
                let side = map.side_toward(hex, d);
                let mut edge = Edge::default();
                for (kind, id) in &kinds {
                    if id.is_some_and(|id| side.kinds.contains(id)) {
                        edge = edge.with(*kind);
                    }
                }
                if let Some((way, _)) = roads.iter().find(|(_, id)| id.is_some() && *id == side.road) {
                    edge = edge.with(*way);
                }
                if let Some(other) = map.board.neighbour(hex, d) {
                    edge = height_change(&field, hex, other, edge, slopes_listed)
                        .map_err(|why| FieldError { place: map.side_label(map.board.side(hex, d)), why })?;
                }
                field.edges[hex.index()][d.index()] = edge;
            }
        }
        Ok(field)
    }
}

fn ground(map: &Map, hex: HexId) -> Result<Ground, FieldError> {
    let error = |why: String| FieldError { place: map.label(hex).to_owned(), why };
    let named = |id: atlas::TerrainId| map.terrain_kind(id).id.as_str();
    // A settlement is the principal terrain of its hex (1.2).
    let principal = map.settlement(hex).unwrap_or(map.ground(hex));
    let terrain = Terrain::parse(named(principal)).ok_or_else(|| {
        error(format!("terrain `{}` is none of the Terrain Effects Chart", named(principal)))
    })?;
    let bridge =
        map.terrain(hex).iter().any(|id| map.terrain_kind(id).layer == Layer::Extra && named(id) == "bridge");
    if bridge && !matches!(terrain, Terrain::Gully | Terrain::Water) {
        return Err(error("a bridge needs a gully or water under it (4.1.4.1.6)".into()));
    }
    let elevation = i8::try_from(map.elevation(hex))
        .ok()
        .filter(|e| (-9..=9).contains(e))
        .ok_or_else(|| error(format!("elevation {}: expected -9 to 9", map.elevation(hex))))?;
    Ok(Ground {
        terrain,
        elevation,
        storeys: u8::from(terrain.building()),
        bridge,
        desert_buildings: false,
        ditch: false,
    })
}

/// The effect of a change of elevation on a hexside (4.1.4.1.5).
fn height_change(field: &Field, a: HexId, b: HexId, edge: Edge, slopes_listed: bool) -> Result<Edge, String> {
    let level = field.elevation(a) == field.elevation(b);
    if level {
        return match edge {
            e if e.any(Edge::SLOPE) => {
                Err("a slope lies between two elevations, here both are equal (4.1.4.1.5)".into())
            }
            e if e.any(Edge::CLIFF) => {
                Err("a cliff lies between two elevations, here both are equal (4.1.4.1.5)".into())
            }
            e => Ok(e),
        };
    }
    if edge.any(Edge::CLIFF) && edge.any(Edge::SLOPE.with(Edge::CREST)) {
        return Err("a cliff is no slope and no crest (4.1.4.1.5)".into());
    }
    if edge.any(Edge::CLIFF.with(Edge::SLOPE).with(Edge::CREST)) {
        return Ok(edge);
    }
    Ok(edge.with(if slopes_listed { Edge::CLIFF } else { Edge::SLOPE }))
}
