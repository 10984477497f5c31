//! Lines that lead overland, hex by hex, from a unit into a set of hexes: those with a supply road, or with units in supply.
//! Not into enemy units, not into or across enemy bonds; an empty hex in enemy ZOC may only be the first hex entered.

use hexgrid::{Direction, HexId, HexSet};

use crate::{FieldOf, List, Side, System, bonds::bars_trace};

/// No line is longer than this.
pub const LONGEST: usize = 6;

/// No more hexes than these are within reach of the longest line.
type Ring = List<HexId, { 3 * LONGEST * (LONGEST + 1) + 1 }>;

/// Does a line of at most so many hexes lead from this hex to one that is a `goal`? The same as [`all`] for one hex.
pub fn leads<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    side: G::Side,
    from: HexId,
    hexes: usize,
    mut goal: impl FnMut(HexId) -> bool,
) -> bool {
    if goal(from) {
        return true;
    }
    let near = field.near(side.enemy());
    let mut seen = *field.held(side.enemy());
    seen.insert(from);
    let mut ring = Ring::one(from);
    for length in 0..hexes.min(LONGEST) {
        let mut next = Ring::new();
        for hex in &ring {
            for (direction, to) in rules.topology().around(*hex).iter().copied().enumerate() {
                if to == HexId::NONE || seen.contains(to) {
                    continue;
                }
                // Bonds have ends next to the hex entered.
                let barred = length > 0 && field.in_open_ezoc(side, to)
                    || near.contains(to)
                        && bars_trace(rules, field, side, *hex, Direction::from_index(direction)).is_some();
                if barred {
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

/// Every hex from which a line of at most so many hexes leads into `goal`, the goal included.
pub fn all<G: System>(rules: &G, field: &FieldOf<G>, side: G::Side, goal: &HexSet, hexes: usize) -> HexSet {
    // Lines whose every hex is free of open EZOC; the exception for the first hex comes last.
    let mut clear = *goal;
    let mut frontier = *goal;
    let mut one_less = clear;
    for length in 0..hexes {
        if length + 1 == hexes {
            one_less = clear;
        }
        let mut next = HexSet::new();
        for hex in &frontier {
            if field.in_open_ezoc(side, hex) {
                continue;
            }
            for from in behind(rules, field, side, hex) {
                if clear.insert(from) {
                    next.insert(from);
                }
            }
        }
        frontier = next;
    }
    let mut out = clear;
    for hex in &one_less {
        if hexes > 0 && field.in_open_ezoc(side, hex) {
            for from in behind(rules, field, side, hex) {
                out.insert(from);
            }
        }
    }
    out
}

/// The neighbours from which a line may step into `hex`, EZOC left aside.
fn behind<'a, G: System>(
    rules: &'a G,
    field: &'a FieldOf<G>,
    side: G::Side,
    hex: HexId,
) -> impl Iterator<Item = HexId> + 'a {
    let blocked = field.enemy_in(side, hex);
    Direction::ALL.into_iter().filter_map(move |direction| {
        let from = rules.topology().neighbour(hex, direction)?;
        let open = !blocked
            && !field.enemy_in(side, from)
            && bars_trace(rules, field, side, from, direction.opposite()).is_none();
        open.then_some(from)
    })
}

/// The shortest line of at most so many hexes from a hex into `goal`: its hexes, both ends included.
pub fn path<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    side: G::Side,
    from: HexId,
    goal: &HexSet,
    hexes: usize,
) -> Option<Vec<HexId>> {
    if goal.contains(from) {
        return Some(vec![from]);
    }
    let mut ways = vec![vec![from]];
    let mut seen = HexSet::new();
    seen.insert(from);
    for length in 0..hexes {
        let mut longer = Vec::new();
        for way in ways {
            let here = *way.last()?;
            for direction in Direction::ALL {
                let Some(to) = rules.topology().neighbour(here, direction) else { continue };
                let barred = seen.contains(to)
                    || field.enemy_in(side, to)
                    || (length > 0 && field.in_open_ezoc(side, to))
                    || bars_trace(rules, field, side, here, direction).is_some();
                if barred {
                    continue;
                }
                seen.insert(to);
                let mut next = way.clone();
                next.push(to);
                if goal.contains(to) {
                    return Some(next);
                }
                longer.push(next);
            }
        }
        ways = longer;
    }
    None
}
