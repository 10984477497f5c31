//! Supply lines and Out of Supply (23.1–23.5). The consequences for units that are cut off are in [`crate::surrender`].
//!
//! A supply line is an Overland element of a few hexes and a Road element of any length. To find all supplied hexes,
//! both are traced from their far end: first every hex from which a Road element leads to a source, then every hex from
//! which an Overland element leads there.

mod roadblocks;
mod roads;

use hexgrid::{Direction, HexId, HexSet};
use kernel::Stop;

use crate::{
    event::Event,
    flags::Flags,
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
        // 6.1: the shortage ends here; the unit may still be Out of Supply for other reasons.
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
    // Usually one look at the hex, or at the adjacent hexes, is enough: their results spare the others long searches.
    let mut traced: HexSet = stacks.iter().filter(|hex| roads.lead_straight_home(*hex)).collect();
    for hex in &(stacks - &traced) {
        let traces =
            roads.lead_straight_home_beside(hex) || leads(rules, s, side, hex, |to| roads.lead_home(to));
        traced.set(hex, traces);
    }
    debug_assert_eq!(traced, stacks & &overland(rules, s, side, &roads.all()));
    traced
}

/// Can this unit trace a supply line now (23.3)? Independent of its markers.
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

fn leads(rules: &Ardennes, s: &State, side: Side, from: HexId, goal: impl FnMut(HexId) -> bool) -> bool {
    if let Some(shut) = roadblocks::shut(rules, s, side) {
        return roadblocks::leads(rules, s, side, from, &shut, goal);
    }
    zocbond::supply::overland::leads(rules, s, side, from, OVERLAND, goal)
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

/// Adds the hexes one step behind `frontier` on a Road element to `reach`.
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
    // 23.2: with this option only an enemy unit blocks a line to its source.
    let spared = rules.options.ezoc_spares_sources && rules.land.sources[side.index()].contains(hex);
    if s.enemy_in(side, hex) || s.in_open_ezoc(side, hex) && !spared {
        return false;
    }
    if s.roadblocks[enemy.index()].iter().any(|at| at.hex() == Some(hex)) {
        return false; // 33.1
    }
    // 1E 23.3: an enemy-controlled Town does not block.
    let hostile_town = !rules.towns_let_supply_pass()
        && rules.land.hex(hex).town_or_city()
        && s.control(hex) == enemy
        && !s.held(side).contains(hex);
    !hostile_town || spared
}

/// May a Road element take this step: a road, an intact bridge, no enemy Bond (23.3, 10.2)? The hex entered is checked
/// by [`road_enters`].
fn road_steps(rules: &Ardennes, s: &State, side: Side, from: HexId, direction: Direction) -> bool {
    rules.crossing(s, from, direction).road
        && !s.enemy_in(side, from)
        && rules.bond_bars_trace(s, side, from, direction).is_none()
}

/// Every hex from which an Overland element leads into `goal`, including the goal (23.3, 23.6).
pub fn overland(rules: &Ardennes, s: &State, side: Side, goal: &HexSet) -> HexSet {
    if let Some(shut) = roadblocks::shut(rules, s, side) {
        let to = |from: HexId| roadblocks::leads(rules, s, side, from, &shut, |hex| goal.contains(hex));
        let near = goal.iter().flat_map(|hex| rules.map.board.range(hex, OVERLAND as u16));
        let near = &near.collect::<HexSet>() & &rules.land.in_play;
        return near
            .iter()
            .filter(|from| goal.contains(*from) || !s.enemy_in(side, *from) && to(*from))
            .collect();
    }
    zocbond::supply::overland::all(rules, s, side, goal, OVERLAND)
}

/// A supply line from a unit's hex, for display: the hexes from the unit to the source (23.3). None if there is none.
pub fn line(rules: &Ardennes, s: &State, side: Side, from: HexId) -> Option<Vec<HexId>> {
    let road = road_hexes(rules, s, side);
    let mut path = zocbond::supply::overland::path(rules, s, side, from, &road, OVERLAND)?;
    let at = *path.last()?;
    let sources = roads::open_sources(rules, s, side);
    // Along the road, breadth first, so that the shortest line is shown.
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
