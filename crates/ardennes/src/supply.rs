//! Supply lines and Out of Supply (23.1–23.5). What follows for units that are cut off is in [`crate::surrender`].
//!
//! A supply line is an Overland element of a few hexes and a Road element of any length. Both are found from their
//! far end: first every hex from which a Road element leads to a source, then every hex from which an Overland
//! element leads there. One search serves all units of a side.

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};
use kernel::Stop;

use crate::{
    event::Event,
    flags::Flags,
    list::{Array, List},
    pack::{Side, UnitId},
    place::Place,
    play::Play,
    rules::Ardennes,
    stamp::Stamp,
    state::{Bridge, MAX_BRIDGES, MarkerAt, State, same_bridges},
};

/// 23.3: the longest Overland element.
pub(crate) const OVERLAND: usize = 4;

/// 23.1: the phasing player checks all own units on the map.
pub fn check_supply(play: &mut Play) -> Result<(), Stop> {
    let (rules, side) = (play.rules, play.s.side);
    let roads = road_hexes(rules, play.s, side);
    let (mut asked, mut traced) = (HexSet::new(), HexSet::new());
    for unit in rules.units_of(side) {
        // 6.1: the shortage ends here; whether the unit stays Out of Supply is seen below.
        play.s.unit_mut(unit).flags.clear(Flags::NO_FUEL);
        let ok = match play.s.unit(unit).place() {
            Place::Hex(hex) => {
                if asked.insert(hex) && traces(rules, play.s, side, hex, &roads) {
                    traced.insert(hex);
                }
                traced.contains(hex)
            }
            // 23.2
            Place::Box(_) | Place::Blocking(_) | Place::Due | Place::Track => true,
            _ => continue,
        };
        if ok == play.s.unit(unit).is(Flags::OOS) {
            let flags = &mut play.s.unit_mut(unit).flags;
            if ok {
                flags.clear(Flags::OOS);
            } else {
                flags.set(Flags::OOS);
            }
            play.tell(Event::Supply { unit, supplied: ok });
        }
    }
    Ok(())
}

/// Can this unit trace a supply line now (23.3)? Whatever the markers say.
pub fn supplied(rules: &Ardennes, s: &State, unit: UnitId) -> bool {
    match s.unit(unit).place() {
        Place::Hex(hex) => {
            let side = rules.counter(unit).side;
            traces(rules, s, side, hex, &road_hexes(rules, s, side))
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
    road_hexes(rules, s, side).contains(hex)
}

/// Sources that no enemy unit occupies (23.2).
fn open_sources(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    &(&rules.land.sources[side.index()] & &rules.land.in_play) - &s.held[side.enemy().index()]
}

/// Every hex from which a Road element leads to a source (23.3). The net is kept with all that it depends on, and found again
/// only when something of that has changed.
pub fn road_hexes(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    /// A net, and what it holds for.
    #[derive(Default)]
    struct Net {
        of: Option<Depends>,
        hexes: HexSet,
    }
    thread_local! {
        static NETS: RefCell<([Net; 2], Roads)> = RefCell::default();
    }
    // A map of a lab file that names no source of a side does not ask about its supply.
    if rules.land.sources[side.index()].is_empty() {
        return rules.land.in_play;
    }
    NETS.with_borrow_mut(|(nets, roads)| {
        let net = &mut nets[side.index()];
        if !net.of.as_ref().is_some_and(|of| of.hold(rules, s, side)) {
            net.hexes = find_road_hexes(rules, s, side, roads);
            net.of = Some(Depends::of(rules, s, side));
        }
        net.hexes
    })
}

/// All that a side's supply lines along the road depend on, apart from the map.
struct Depends {
    table: Stamp,
    enemy: HexSet,
    enemy_zoc: HexSet,
    enemy_bonding: HexSet,
    /// Own units where it matters that they are there.
    own: HexSet,
    german_towns: HexSet,
    roadblocks: [[MarkerAt; 2]; 2],
    bridges: Array<Bridge, MAX_BRIDGES>,
}

impl Depends {
    fn of(rules: &Ardennes, s: &State, side: Side) -> Depends {
        let enemy = side.enemy().index();
        Depends {
            table: rules.stamp,
            enemy: s.held[enemy],
            enemy_zoc: s.zoc[enemy],
            enemy_bonding: s.bonding[enemy],
            own: Self::own(rules, s, side),
            german_towns: &s.german_control & &rules.land.towns,
            roadblocks: s.roadblocks,
            bridges: s.bridges,
        }
    }

    fn hold(&self, rules: &Ardennes, s: &State, side: Side) -> bool {
        let enemy = side.enemy().index();
        self.table.same(rules.stamp)
            && self.enemy == s.held[enemy]
            && self.enemy_zoc == s.zoc[enemy]
            && self.enemy_bonding == s.bonding[enemy]
            && self.own == Self::own(rules, s, side)
            && self.german_towns == &s.german_control & &rules.land.towns
            && self.roadblocks == s.roadblocks
            && same_bridges(&self.bridges, &s.bridges)
    }

    /// Own units next to an enemy negate EZOC and Bonds (10.4, 23.3), those in towns open them.
    fn own(rules: &Ardennes, s: &State, side: Side) -> HexSet {
        &s.held[side.index()] & &(&s.near[side.enemy().index()] | &rules.land.towns)
    }
}

/// Room for every hex of a board: a power of two, so that no index needs to be checked.
const HEXES: usize = HexSet::CAPACITY;

/// Where the roads lead, with bridges as they are, and room for a search. Three neighbours come first, for few hexes have
/// more; a hex with fewer stands in for those it lacks.
struct Roads {
    of: Option<(Stamp, Array<Bridge, MAX_BRIDGES>)>,
    links: Box<[[HexId; 6]; HEXES]>,
    open: Box<[HexId; HEXES]>,
    /// One for each hex that was met, in a byte of its own: bits of one word would wait for each other.
    seen: Box<[u8; HEXES]>,
}

impl Default for Roads {
    fn default() -> Self {
        let links = vec![[HexId::NONE; 6]; HEXES].into_boxed_slice();
        Roads {
            of: None,
            links: links.try_into().expect("there are as many as that"),
            open: Box::new([HexId::NONE; HEXES]),
            seen: Box::new([0; HEXES]),
        }
    }
}

impl Roads {
    fn update(&mut self, rules: &Ardennes, s: &State) {
        let before =
            self.of.as_ref().filter(|(table, _)| table.same(rules.stamp)).map(|(_, bridges)| bridges);
        let Some(before) = before else {
            for hex in rules.map.board.ids() {
                self.links[hex.index() % HEXES] = Self::links(rules, s, hex);
            }
            self.of = Some((rules.stamp, s.bridges));
            return;
        };
        if same_bridges(before, &s.bridges) {
            return;
        }
        let changed = before.iter().zip(s.bridges.iter()).zip(&rules.land.bridges);
        for (_, ends) in changed.filter(|((before, now), _)| before.intact() != now.intact()) {
            for hex in ends.iter().copied().filter_map(HexId::some) {
                self.links[hex.index() % HEXES] = Self::links(rules, s, hex);
            }
        }
        self.of = Some((rules.stamp, s.bridges));
    }

    fn links(rules: &Ardennes, s: &State, hex: HexId) -> [HexId; 6] {
        let mut links = [hex; 6];
        let open = rules.land.edges(hex).iter().filter(|edge| edge.to != HexId::NONE);
        let open = open.filter(|edge| Ardennes::crossing_of(s, edge).road);
        for (link, edge) in links.iter_mut().zip(open) {
            *link = edge.to;
        }
        links
    }
}

fn find_road_hexes(rules: &Ardennes, s: &State, side: Side, roads: &mut Roads) -> HexSet {
    roads.update(rules, s);
    let Roads { links, open, seen, .. } = roads;
    let sources = open_sources(rules, s, side);
    let closed = closed_to_roads(rules, s, side);
    let (enemy, near) = (&s.held[side.enemy().index()], &s.near[side.enemy().index()]);
    let loud = &closed | near;
    seen.fill(0);
    // No road leads on from an enemy unit's hex: it needs no second look either.
    enemy.each(|hex| seen[hex.index() % HEXES] = 1);
    let (mut next, mut count) = (0, 0);
    let mut add = |open: &mut [HexId; HEXES], count: &mut usize, to: HexId| {
        // A hex is put in the queue whether it is new or not, and stays there if it is: nobody could guess which.
        let met = std::mem::replace(&mut seen[to.index() % HEXES], 1);
        open[*count % HEXES] = to;
        *count += usize::from(met ^ 1);
    };
    sources.each(|source| add(open, &mut count, source));
    while next < count {
        let hex = open[next % HEXES];
        next += 1;
        if loud.contains(hex) {
            if closed.contains(hex) {
                continue;
            }
            let mut ways = open_roads(rules, s, side, hex);
            while ways != 0 {
                add(open, &mut count, rules.map.board.neighbour_row(hex)[ways.trailing_zeros() as usize]);
                ways &= ways - 1;
            }
            continue;
        }
        let [a, b, c, more @ ..] = links[hex.index() % HEXES];
        add(open, &mut count, a);
        add(open, &mut count, b);
        add(open, &mut count, c);
        if more[0] != hex {
            for to in more {
                add(open, &mut count, to);
            }
        }
    }
    let mut net = HexSet::of_bytes(&seen[..]);
    net.subtract(enemy);
    net
}

/// The directions from which a Road element may come into a hex next to enemies, as bits: as [`road_steps`].
fn open_roads(rules: &Ardennes, s: &State, side: Side, hex: HexId) -> u8 {
    let land = rules.land.hex(hex);
    let open = |direction: usize| {
        let edge = &rules.land.edges(hex)[direction];
        let back = Direction::from_index(direction).opposite();
        Ardennes::crossing_of(s, edge).road && rules.bond_bars_trace(s, side, edge.to, back).is_none()
    };
    let roads = land.dry_roads | land.bridge_roads;
    (0..6).filter(|d| roads >> d & 1 == 1 && open(*d)).fold(0, |bits, d| bits | 1 << d)
}

/// The hexes that no Road element enters: [`road_enters`] for the whole map.
fn closed_to_roads(rules: &Ardennes, s: &State, side: Side) -> HexSet {
    let enemy = side.enemy();
    let mut closed = s.zoc[enemy.index()];
    // 1E 23.3: an enemy-controlled Town is no obstacle.
    if !rules.first_edition() {
        let mut hostile = rules.land.towns;
        match enemy {
            Side::German => hostile.intersect_with(&s.german_control),
            Side::Allied => hostile.subtract(&s.german_control),
        }
        // 33.1: a Roadblock controls its hex.
        for hex in s.roadblocks.iter().flatten().filter_map(|at| at.hex()) {
            hostile.remove(hex);
            if rules.land.towns.contains(hex) && s.control(hex) == enemy {
                hostile.insert(hex);
            }
        }
        closed.union_with(&hostile);
    }
    closed.subtract(&s.held[side.index()]);
    closed.union_with(&s.held[enemy.index()]);
    closed.extend(s.roadblocks[enemy.index()].iter().filter_map(|at| at.hex()));
    closed
}

/// Does an Overland element lead from this hex into `goal` (23.3)? The same as [`overland`] for one hex.
pub fn traces(rules: &Ardennes, s: &State, side: Side, from: HexId, goal: &HexSet) -> bool {
    /// No more hexes than these are that near.
    type Ring = List<HexId, { 3 * OVERLAND * (OVERLAND + 1) + 1 }>;
    if goal.contains(from) {
        return true;
    }
    let near = &s.near[side.enemy().index()];
    let mut seen = s.held[side.enemy().index()];
    seen.insert(from);
    let mut ring = Ring::one(from);
    for length in 0..OVERLAND {
        let mut next = Ring::new();
        for hex in &ring {
            for (direction, edge) in rules.land.edges(*hex).iter().enumerate() {
                let to = edge.to;
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
                if goal.contains(to) {
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
        && !s.held[side.index()].contains(hex);
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
    let sources = open_sources(rules, s, side);
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
