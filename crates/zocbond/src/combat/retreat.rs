//! The routes of a retreat: all those that satisfy the priorities best.

use hexgrid::{Direction, HexId};

use crate::{Path, Topology};

/// The longest retreat of any result.
pub const MAX_HEXES: usize = 8;

/// What the search needs to know about the retreat of one unit.
pub trait Retreat {
    /// What a route has met so far; the default value at its start.
    type Tally: Copy + Default;
    /// How well a route satisfies the priorities: smaller is better.
    type Rank: Copy + Ord;
    /// Where a route leads off the map.
    type Exit: Copy;

    fn topology(&self) -> &Topology;
    fn start(&self) -> HexId;
    /// Its length, at most [`MAX_HEXES`].
    fn hexes(&self) -> u8;
    /// Distance from the start, in hexes, ignoring terrain and units.
    fn away(&self, hex: HexId) -> u32;

    /// Extend a route by one hex: the new tally, or `None` if something bars the step. `first` if it is the first step
    /// of the route.
    fn step(
        &self,
        so_far: Self::Tally,
        from: HexId,
        direction: Direction,
        to: HexId,
        first: bool,
    ) -> Option<Self::Tally>;

    /// The rank of a full route that ends here; `None` if it may not end here, or if a quick test shows that it is
    /// worse than `best`.
    fn rank(&self, end: HexId, met: Self::Tally, best: Option<Self::Rank>) -> Option<Self::Rank>;

    /// Whether a route that is not full may leave the map from here, and with which rank.
    fn way_out(&self, from: HexId, met: Self::Tally) -> Option<(Self::Exit, Self::Rank)>;

    /// Whether routes must be tried that do not lead away from the start with every step, even if some do: needed where
    /// a way off the map may wind.
    fn may_wind(&self) -> bool;
}

/// One way to retreat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Route<R, E> {
    pub path: Path,
    /// The last hex on the map.
    pub end: HexId,
    /// Where the route leaves the map from there, if it does.
    pub out: Option<E>,
    pub rank: R,
}

/// Put the routes that satisfy the priorities best into `routes`, which must be empty. It stays so if the unit cannot
/// retreat.
pub fn best_routes<R: Retreat>(retreat: &R, routes: &mut Vec<Route<R::Rank, R::Exit>>) {
    let mut search = Search { retreat, trail: [HexId::NONE; MAX_HEXES + 1], outward: true, routes };
    search.trail[0] = retreat.start();
    // A route that ends at its full distance leads away from its start with every step, so most retreats need not try
    // the others.
    if !retreat.may_wind() {
        search.extend(0, Path::default(), R::Tally::default());
    }
    if search.routes.is_empty() {
        search.outward = false;
        search.extend(0, Path::default(), R::Tally::default());
    }
}

struct Search<'a, R: Retreat> {
    retreat: &'a R,
    trail: [HexId; MAX_HEXES + 1],
    /// Try only steps that lead away from the start.
    outward: bool,
    routes: &'a mut Vec<Route<R::Rank, R::Exit>>,
}

impl<R: Retreat> Search<'_, R> {
    /// Keep a route if none so far is better.
    fn note(&mut self, route: Route<R::Rank, R::Exit>) {
        match self.routes.first() {
            Some(best) if best.rank < route.rank => return,
            Some(best) if best.rank > route.rank => self.routes.clear(),
            _ => {}
        }
        self.routes.push(route);
    }

    fn extend(&mut self, depth: usize, path: Path, met: R::Tally) {
        let (retreat, here) = (self.retreat, self.trail[depth]);
        if depth == usize::from(retreat.hexes()).min(MAX_HEXES) {
            let best = self.routes.first().map(|route| route.rank);
            if let Some(rank) = retreat.rank(here, met, best) {
                self.note(Route { path, end: here, out: None, rank });
            }
            return;
        }
        if let Some((out, rank)) = retreat.way_out(here, met) {
            self.note(Route { path, end: here, out: Some(out), rank });
        }
        for direction in Direction::ALL {
            let Some(to) = retreat.topology().neighbour(here, direction) else { continue };
            // No hex is entered twice.
            let closed = if self.outward {
                retreat.away(to) as usize <= depth
            } else {
                self.trail[..=depth].contains(&to)
            };
            if closed {
                continue;
            }
            let Some(met) = retreat.step(met, here, direction, to, depth == 0) else { continue };
            let mut longer = path;
            longer.push(direction);
            self.trail[depth + 1] = to;
            self.extend(depth + 1, longer, met);
        }
    }
}
