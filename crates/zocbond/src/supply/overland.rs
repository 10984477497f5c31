//! Lines that lead overland, hex by hex, from a unit to a set of hexes: those with a supply road, or with units in
//! supply. They may not enter enemy units, nor enter or cross enemy bonds; an empty hex in enemy ZOC may only be the
//! first hex entered.

use hexgrid::{Direction, HexId, HexSet};

use crate::{FieldOf, List, Side, System, bonds::bars_trace};

/// The longest line, in hexes.
pub const LONGEST: usize = 6;

/// Capacity for every hex within reach of the longest line.
type Ring = List<HexId, { 3 * LONGEST * (LONGEST + 1) + 1 }>;

/// Whether a line of at most `hexes` hexes leads from this hex to a `goal`. The same as [`all`] for one hex.
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
                // The ends of a bond are adjacent to the hex entered.
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
                next.add(to);
            }
        }
        ring = next;
    }
    false
}

/// [`leads`] with the `closed` and `cross` of [`all_by`]: it ends at the first hex of the goal, and asks what is cheap
/// first. [`reached_by`] is the plain way.
pub fn leads_by<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    side: G::Side,
    (from, goal): (HexId, &HexSet),
    hexes: usize,
    closed: impl Fn(HexId) -> bool,
    cross: impl Fn(HexId, Direction, HexId) -> Option<bool>,
) -> bool {
    if hexes > LONGEST {
        return !reached_by(rules, field, side, (from, goal), hexes, closed, cross).is_disjoint(goal);
    }
    if goal.contains(from) {
        return true;
    }
    let near = field.near(side.enemy());
    // Without and with a step that a line may contain only once.
    let mut seen = [HexSet::EMPTY; 2];
    seen[0].insert(from);
    let mut rings = [Ring::one(from), Ring::new()];
    for length in 0..hexes {
        let mut next = [Ring::new(), Ring::new()];
        for (before, ring) in rings.iter().enumerate() {
            for hex in ring {
                for (direction, to) in rules.topology().around(*hex).iter().copied().enumerate() {
                    if to == HexId::NONE || seen[0].contains(to) || seen[before].contains(to) || closed(to) {
                        continue;
                    }
                    let direction = Direction::from_index(direction);
                    let Some(harder) = cross(*hex, direction, to) else { continue };
                    let hard = before + usize::from(harder);
                    // The ends of a bond are adjacent to the hex entered.
                    let barred = hard > 1
                        || seen[hard].contains(to)
                        || length > 0 && field.in_open_ezoc(side, to)
                        || near.contains(to) && bars_trace(rules, field, side, *hex, direction).is_some();
                    if barred {
                        continue;
                    }
                    if goal.contains(to) {
                        return true;
                    }
                    seen[hard].insert(to);
                    next[hard].add(to);
                }
            }
        }
        rings = next;
    }
    false
}

/// The hexes that lines of at most `hexes` hexes from here reach, as far as the nearest hex of `until`. `closed` and
/// `cross` as in [`all_by`], which is the same for all starts at once.
pub fn reached_by<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    side: G::Side,
    (from, until): (HexId, &HexSet),
    hexes: usize,
    closed: impl Fn(HexId) -> bool,
    cross: impl Fn(HexId, Direction, HexId) -> Option<bool>,
) -> HexSet {
    // Without and with a step that a line may contain only once.
    let mut seen = [HexSet::EMPTY; 2];
    seen[0].insert(from);
    let mut rings = seen;
    for length in 0..hexes {
        if rings.iter().all(HexSet::is_empty) || rings.iter().any(|ring| !ring.is_disjoint(until)) {
            break;
        }
        let mut next = [HexSet::EMPTY; 2];
        for (hard, ring) in rings.iter().enumerate() {
            ring.each(|hex| {
                for direction in Direction::ALL {
                    let Some(to) = rules.topology().neighbour(hex, direction) else { continue };
                    let Some(harder) = cross(hex, direction, to) else { continue };
                    let hard = hard + usize::from(harder);
                    let barred = hard > 1
                        || seen[0].contains(to)
                        || seen[hard].contains(to)
                        || closed(to)
                        || length > 0 && field.in_open_ezoc(side, to)
                        || bars_trace(rules, field, side, hex, direction).is_some();
                    if !barred {
                        next[hard].insert(to);
                    }
                }
            });
        }
        for (seen, next) in seen.iter_mut().zip(&next) {
            seen.union_with(next);
        }
        rings = next;
    }
    &seen[0] | &seen[1]
}

/// Every hex from which a line of at most `hexes` hexes leads to `goal`, including the goal itself.
pub fn all<G: System>(rules: &G, field: &FieldOf<G>, side: G::Side, goal: &HexSet, hexes: usize) -> HexSet {
    let enemy = field.held(side.enemy());
    let mut out = all_by(rules, field, side, goal, hexes, |hex| enemy.contains(hex), |_, _, _| Some(false));
    out.subtract(&(enemy - goal));
    out
}

/// The same where more than enemy units may close a hex, and terrain may bar a step. `cross` of a hex, a direction and
/// the next hex says whether the step is free (`Some(false)`), of a kind that a line may contain only once
/// (`Some(true)`), or barred (`None`).
pub fn all_by<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    side: G::Side,
    goal: &HexSet,
    hexes: usize,
    closed: impl Fn(HexId) -> bool,
    cross: impl Fn(HexId, Direction, HexId) -> Option<bool>,
) -> HexSet {
    // Lines on which no hex is in open EZOC, without and with one such step; the exception for the first hex is added
    // last.
    let mut clear = [*goal, HexSet::EMPTY];
    let mut frontier = clear;
    let mut one_less = clear;
    let behind = |hex: HexId, hard: usize, seen: &[HexSet; 2], each: &mut dyn FnMut(HexId, usize)| {
        if closed(hex) {
            return;
        }
        for direction in Direction::ALL {
            let Some(from) = rules.topology().neighbour(hex, direction) else { continue };
            if seen[0].contains(from) {
                continue;
            }
            let onward = direction.opposite();
            let Some(hard) = cross(from, onward, hex).map(|more| hard + usize::from(more)) else { continue };
            let known = hard > 1 || hard == 1 && seen[1].contains(from);
            if !known && bars_trace(rules, field, side, from, onward).is_none() {
                each(from, hard);
            }
        }
    };
    for length in 0..hexes {
        if length + 1 == hexes {
            one_less = clear;
        }
        let mut next = [HexSet::EMPTY; 2];
        for (hard, ring) in frontier.iter().enumerate() {
            ring.each(|hex| {
                if !field.in_open_ezoc(side, hex) {
                    behind(hex, hard, &clear, &mut |from, hard| {
                        next[hard].insert(from);
                    });
                }
            });
        }
        for (clear, next) in clear.iter_mut().zip(&next) {
            clear.union_with(next);
        }
        frontier = next;
    }
    let mut out = &clear[0] | &clear[1];
    if hexes > 0 {
        for (hard, hexes) in one_less.iter().enumerate() {
            hexes.each(|hex| {
                if field.in_open_ezoc(side, hex) {
                    behind(hex, hard, &[HexSet::EMPTY; 2], &mut |from, _| {
                        out.insert(from);
                    });
                }
            });
        }
    }
    out
}

/// The shortest line of at most `hexes` hexes from a hex to `goal`: its hexes, including both ends.
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
