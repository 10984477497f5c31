//! A game's map as the client draws it.

use atlas::{Map, Plan};
use hexgrid::HexId;
use kernel::board::{Board, BoxInfo, Cell};

/// The board of the hexes that are in play. `terrain` lists the message keys of what is in a hex; what runs along its
/// sides and through it is added from the map.
pub fn board(
    map: &Map,
    hexes: impl Iterator<Item = HexId> + Clone,
    terrain: impl Fn(HexId) -> Vec<String>,
    boxes: Vec<BoxInfo>,
) -> Board {
    let plan = Plan::new(map, hexes);
    let cells = plan.hexes.into_iter().map(|hex| {
        let mut terrain = terrain(hex.id);
        terrain.extend(map.around(hex.id));
        let id = map.label(hex.id).to_owned();
        Cell { id, x: hex.x, y: hex.y, name: hex.name, names: hex.names, terrain }
    });
    Board { width: plan.width, height: plan.height, outline: plan.outline, cells: cells.collect(), boxes }
}

/// The message keys of every kind of terrain in a hex, for games whose terrain is just what the map says.
pub fn terrain_of(map: &Map, hex: HexId) -> Vec<String> {
    map.terrain(hex).iter().map(|kind| format!("terrain.{}", map.terrain_kind(kind).id)).collect()
}
