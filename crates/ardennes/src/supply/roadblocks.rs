//! Overland elements in the 1st edition, where a Roadblock blocks them as it blocks roads (1E 24.8).

use hexgrid::{Direction, HexId, HexSet};

use super::OVERLAND;
use crate::{pack::Side, rules::Ardennes, state::State};

/// The hexes of enemy Roadblocks, if they block the supply lines of a side.
pub fn shut(rules: &Ardennes, s: &State, side: Side) -> Option<HexSet> {
    if !rules.roadblock_stops_columns() {
        return None;
    }
    let shut: HexSet = s.roadblocks[side.enemy().index()].iter().filter_map(|at| at.hex()).collect();
    (!shut.is_empty()).then_some(shut)
}

/// Does an Overland element lead from this hex to a goal without entering a blocked hex (23.3)?
pub fn leads(
    rules: &Ardennes,
    s: &State,
    side: Side,
    from: HexId,
    shut: &HexSet,
    mut goal: impl FnMut(HexId) -> bool,
) -> bool {
    if goal(from) {
        return true;
    }
    let mut seen = s.held(side.enemy()) | shut;
    seen.insert(from);
    let mut ring = vec![from];
    for length in 0..OVERLAND {
        let mut next = Vec::new();
        for hex in &ring {
            for direction in Direction::ALL {
                let Some(to) = rules.land.neighbour(*hex, direction).filter(|to| !seen.contains(*to)) else {
                    continue;
                };
                // 23.3: only the first hex may be in an EZOC.
                let in_ezoc = length > 0 && s.in_open_ezoc(side, to);
                if in_ezoc || rules.bond_bars_trace(s, side, *hex, direction).is_some() {
                    continue;
                }
                if goal(to) {
                    return true;
                }
                seen.insert(to);
                next.push(to);
            }
        }
        ring = next;
    }
    false
}
