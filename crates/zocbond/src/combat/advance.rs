//! Advances after combat: every way that a unit may go.

use hexgrid::{Direction, HexId};

use crate::{Path, Topology};

/// The longest advance of any result.
pub const MAX_HEXES: usize = 6;

/// What a search asks about the advance of one unit.
pub trait Advance {
    fn topology(&self) -> &Topology;

    /// How many hexes it may go; `by_road`: with every step along a road that gives the bonus.
    fn hexes(&self, by_road: bool) -> u8;

    /// Does the road that leads this way give the bonus?
    fn road_bonus(&self, from: HexId, direction: Direction) -> bool;

    /// May it take this step? `first`: it is the first hex of its advance.
    fn may_step(&self, from: HexId, direction: Direction, to: HexId, first: bool) -> bool;

    /// May the advance end here?
    fn may_end(&self, hex: HexId) -> bool;

    /// Must it end here?
    fn stops_in(&self, hex: HexId) -> bool;
}

/// Every advance from a hex, of which `used` hexes have been used up already: the way and where it ends. No hex twice.
pub fn ways<A: Advance>(advance: &A, from: HexId, used: u8, each: &mut dyn FnMut(Path, HexId)) {
    ways_until(advance, from, used, &mut |path, end| {
        each(path, end);
        true
    });
}

/// The same, until `each` says stop.
pub fn ways_until<A: Advance>(advance: &A, from: HexId, used: u8, each: &mut dyn FnMut(Path, HexId) -> bool) {
    let mut trail = [HexId::NONE; MAX_HEXES + 1];
    trail[0] = from;
    extend(advance, &mut trail, 0, used, Path::default(), true, each);
}

fn extend<A: Advance>(
    advance: &A,
    trail: &mut [HexId; MAX_HEXES + 1],
    depth: usize,
    used: u8,
    path: Path,
    by_road: bool,
    each: &mut dyn FnMut(Path, HexId) -> bool,
) -> bool {
    if depth == MAX_HEXES {
        return true;
    }
    let here = trail[depth];
    for direction in Direction::ALL {
        let Some(to) = advance.topology().neighbour(here, direction) else { continue };
        let by_road = by_road && advance.road_bonus(here, direction);
        if used >= advance.hexes(by_road) || trail[..=depth].contains(&to) {
            continue;
        }
        if !advance.may_step(here, direction, to, used == 0) {
            continue;
        }
        let mut longer = path;
        longer.push(direction);
        trail[depth + 1] = to;
        if advance.may_end(to) && !each(longer, to) {
            return false;
        }
        if !advance.stops_in(to) && !extend(advance, trail, depth + 1, used + 1, longer, by_road, each) {
            return false;
        }
    }
    true
}
