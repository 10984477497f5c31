//! Supply lines and Out of Supply (23.1–23.5). What follows for units that are cut off is in [`crate::surrender`].
//!
//! A supply line is an Overland element of a few hexes and a Road element of any length. Who wants to know of every hex finds both
//! from their far end: first every hex from which a Road element leads to a source, then every hex from which an Overland
//! element leads there.

mod roads;

use hexgrid::{Direction, HexId, HexSet};
use kernel::Stop;

use crate::{
    event::Event,
    flags::Flags,
    list::List,
    pack::{Side, UnitId},
    place::Place,
    play::Play,
    rules::Ardennes,
    state::{State, Unit},
};

pub use roads::{Roads, road_hexes, with_roads};

/// 23.3: the longest Overland element.
pub(crate) const OVERLAND: usize = 4;

/// 23.1: the phasing player checks all own units on the map.
pub fn check_supply(play: &mut Play) -> Result<(), Stop> {
    let (rules, side) = (play.rules, play.s.side);
    let traced = with_roads(rules, play.s, side, |roads| stacks_in_supply(rules, play.s, side, roads));
    let supplied = |u: &Unit| match u.place() {
        Place::Hex(hex) => traced.contains(hex),
        // 23.2
        Place::Box(_) | Place::Blocking(_) | Place::Due | Place::Track => true,
        _ => !u.is(Flags::OOS),
    };
    let changes = |u: &Unit| supplied(u) == u.is(Flags::OOS);
    for unit in &rules.units_where(play.s, side, |u| u.is(Flags::NO_FUEL) || changes(u)) {
        let u = play.s.unit_mut(unit);
        // 6.1: the shortage ends here; whether the unit stays Out of Supply is another matter.
        u.flags.clear(Flags::NO_FUEL);
        if changes(u) {
            u.flags.0 ^= Flags::OOS.0;
            let supplied = !u.is(Flags::OOS);
            play.tell(Event::Supply { unit, supplied });
        }
    }
    Ok(())
}

/// The hexes with units of the side from which a supply line leads to a source (23.3).
fn stacks_in_supply(rules: &Ardennes, s: &State, side: Side, roads: &mut Roads) -> HexSet {
    let stacks = s.held(side);
    // Mostly one look is enough, or one at the hexes beside: what those find spares the others long ways.
    let mut traced: HexSet = stacks.iter().filter(|hex| roads.lead_straight_home(*hex)).collect();
    for hex in &(stacks - &traced) {
        let traces =
            roads.lead_straight_home_beside(hex) || leads(rules, s, side, hex, |to| roads.lead_home(to));
        traced.set(hex, traces);
    }
    debug_assert_eq!(traced, stacks & &overland(rules, s, side, &roads.all()));
    traced
}

/// Can this unit trace a supply line now (23.3)? Whatever the markers say.
pub fn supplied(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    match s.unit(unit).place() {
        Place::Hex(hex) => {
            let side = rules.counter(unit).side;
            with_roads(rules, s, side, |roads| leads(rules, s, side, hex, |to| roads.lead_home(to)))
        }
        Place::Box(_) | Place::Blocking(_) => true, // 23.2
        _ => false,
    }
}

/// The hexes from which a unit of the side traces a supply line (23.3).
pub fn supplied_hexes(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    overland(rules, s, side, &road_hexes(rules, s, side))
}

/// Does a Road element lead from this hex to a source (7.9, 33.2)?
pub fn road_supply(rules: &Ardennes, s: &State, side: Side, hex: HexId) -> bool {
    with_roads(rules, s, side, |roads| roads.lead_home(hex))
}

/// Does an Overland element lead from this hex into `goal` (23.3)? The same as [`overland`] for one hex.
pub fn traces(rules: &Ardennes, s: &State, side: Side, from: HexId, goal: &HexSet) -> bool {
    leads(rules, s, side, from, |hex| goal.contains(hex))
}

fn leads(rules: &Ardennes, s: &State, side: Side, from: HexId, mut goal: impl FnMut(HexId) -> bool) -> bool {
    /// No more hexes than these are that near.
    type Ring = List<HexId, { 3 * OVERLAND * (OVERLAND + 1) + 1 }>;
    if goal(from) {
        return true;
    }
    let near = s.near(side.enemy());
    let mut seen = *s.held(side.enemy());
    seen.insert(from);
    let mut ring = Ring::one(from);
    for length in 0..OVERLAND {
        let mut next = Ring::new();
        for hex in &ring {
            for (direction, to) in rules.land.around(*hex).iter().copied().enumerate() {
                if to == HexId::NONE || seen.contains(to) {
                    continue;
                }
                // 23.3: only the first hex may lie in an EZOC. Bonds have ends next to the hex entered.
                let barred = length > 0 && s.in_open_ezoc(side, to)
                    || near.contains(to)
                        && rules.bond_bars_trace(s, side, *hex, Direction::from_index(direction)).is_some();
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

/// Every hex from which a road of at most `hexes` hexes leads to one of `goals`, as a Road element would go (33.2).
pub fn along_road(rules: &Ardennes, s: &State, side: Side, goals: &HexSet, hexes: u8) -> HexSet {
    let mut reach = *goals;
    let mut frontier = *goals;
    for _ in 0..hexes {
        frontier = one_road_hex_back(rules, s, side, &frontier, &mut reach);
    }
    reach
}

/// The hexes one step behind `frontier` on a Road element, added to `reach`.
fn one_road_hex_back(
    rules: &Ardennes,
    s: &State,
    side: Side,
    frontier: &HexSet,
    reach: &mut HexSet,
) -> HexSet {
    let mut next = HexSet::new();
    for hex in frontier {
        if !road_enters(rules, s, side, hex) {
            continue;
        }
        for direction in Direction::ALL {
            let Some(from) = rules.land.neighbour(hex, direction) else { continue };
            if !reach.contains(from) && road_steps(rules, s, side, from, direction.opposite()) {
                reach.insert(from);
                next.insert(from);
            }
        }
    }
    next
}

/// May a Road element enter this hex (23.3)?
fn road_enters(rules: &Ardennes, s: &State, side: Side, hex: HexId) -> bool {
    let enemy = side.enemy();
    if s.enemy_in(side, hex) || s.in_open_ezoc(side, hex) {
        return false;
    }
    if s.roadblocks[enemy.index()].iter().any(|at| at.hex() == Some(hex)) {
        return false; // 33.1
    }
    // 1E 23.3: an enemy-controlled Town is no obstacle.
    let hostile_town = !rules.first_edition()
        && rules.land.hex(hex).town_or_city()
        && s.control(hex) == enemy
        && !s.held(side).contains(hex);
    !hostile_town
}

/// May a Road element go this way: a road, an intact bridge, no enemy Bond (23.3, 10.2)? The hex entered is judged by
/// [`road_enters`].
fn road_steps(rules: &Ardennes, s: &State, side: Side, from: HexId, direction: Direction) -> bool {
    rules.crossing(s, from, direction).road
        && !s.enemy_in(side, from)
        && rules.bond_bars_trace(s, side, from, direction).is_none()
}

/// Every hex from which an Overland element leads into `goal`, the goal included (23.3, 23.6).
pub fn overland(rules: &Ardennes, s: &State, side: Side, goal: &HexSet) -> HexSet {
    // Lines whose every hex is free of open EZOC; the exception for the first hex comes last.
    let mut clear = *goal;
    let mut frontier = *goal;
    let mut one_less = clear;
    for length in 0..OVERLAND {
        if length == OVERLAND - 1 {
            one_less = clear;
        }
        let mut next = HexSet::new();
        for hex in &frontier {
            if s.in_open_ezoc(side, hex) {
                continue;
            }
            for from in behind(rules, s, side, hex) {
                if clear.insert(from) {
                    next.insert(from);
                }
            }
        }
        frontier = next;
    }
    // 23.3: the first hex may lie in an EZOC.
    let mut out = clear;
    for hex in &one_less {
        if s.in_open_ezoc(side, hex) {
            for from in behind(rules, s, side, hex) {
                out.insert(from);
            }
        }
    }
    out
}

/// The neighbours from which an Overland element may step into `hex`, EZOC left aside (23.3): any terrain, but no
/// enemy unit and no enemy Bond.
fn behind<'a>(rules: &'a Ardennes, s: &'a State, side: Side, hex: HexId) -> impl Iterator<Item = HexId> + 'a {
    let blocked = s.enemy_in(side, hex);
    Direction::ALL.into_iter().filter_map(move |direction| {
        let from = rules.land.neighbour(hex, direction)?;
        let open = !blocked
            && !s.enemy_in(side, from)
            && rules.bond_bars_trace(s, side, from, direction.opposite()).is_none();
        open.then_some(from)
    })
}

/// A supply line of a unit's hex, for people: the hexes from the unit to the source (23.3). None if there is none.
pub fn line(rules: &Ardennes, s: &State, side: Side, from: HexId) -> Option<Vec<HexId>> {
    let road = road_hexes(rules, s, side);
    let mut path = vec![from];
    if !road.contains(from) {
        path = overland_path(rules, s, side, from, &road)?;
    }
    let at = *path.last()?;
    let sources = roads::open_sources(rules, s, side);
    // Along the road: breadth first, so that the shortest is shown.
    let mut came: std::collections::HashMap<HexId, HexId> = std::collections::HashMap::new();
    let mut queue = std::collections::VecDeque::from([at]);
    while let Some(hex) = queue.pop_front() {
        if sources.contains(hex) {
            let mut back = vec![hex];
            let mut here = hex;
            while here != at {
                here = *came.get(&here)?;
                back.push(here);
            }
            back.pop();
            path.extend(back.into_iter().rev());
            return Some(path);
        }
        for direction in Direction::ALL {
            let Some(to) = rules.land.neighbour(hex, direction) else { continue };
            let fits = to != at
                && !came.contains_key(&to)
                && road.contains(to)
                && road_enters(rules, s, side, to)
                && road_steps(rules, s, side, hex, direction);
            if fits {
                came.insert(to, hex);
                queue.push_back(to);
            }
        }
    }
    None
}

/// The shortest Overland element from a hex into `goal` (23.3).
fn overland_path(rules: &Ardennes, s: &State, side: Side, from: HexId, goal: &HexSet) -> Option<Vec<HexId>> {
    let mut ways = vec![vec![from]];
    let mut seen = HexSet::new();
    seen.insert(from);
    for length in 0..OVERLAND {
        let mut longer = Vec::new();
        for way in ways {
            let here = *way.last()?;
            for direction in Direction::ALL {
                let Some(to) = rules.land.neighbour(here, direction) else { continue };
                let barred = seen.contains(to)
                    || s.enemy_in(side, to)
                    || (length > 0 && s.in_open_ezoc(side, to))
                    || rules.bond_bars_trace(s, side, here, direction).is_some();
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
