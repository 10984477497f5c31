//! Distances on the map, ignoring terrain.

use hexgrid::{HexId, HexSet};

/// Hexes to the nearest of a set, at most `most`.
pub fn distances<I: Iterator<Item = HexId>>(
    set: &HexSet,
    hexes: usize,
    most: u8,
    neighbours: impl Fn(HexId) -> I,
) -> Vec<u8> {
    let mut distance = vec![most; hexes];
    let mut ring: Vec<HexId> = set.iter().collect();
    for hex in &ring {
        distance[hex.index()] = 0;
    }
    for step in 1..most {
        let mut next = Vec::new();
        for hex in ring {
            for near in neighbours(hex) {
                if distance[near.index()] > step {
                    distance[near.index()] = step;
                    next.push(near);
                }
            }
        }
        ring = next;
    }
    distance
}
