//! The search behind every list of moves: Dijkstra's, with one bucket for each quarter point. Movement allowances are
//! small, so a bucket is a short list; the memory is kept from search to search.

use hexgrid::{Direction, HexId, HexSet};

use super::{
    lay::{Lay, Row},
    obstacles::Obstacles,
    profile::Profile,
    reach::Door,
};
use crate::{action::Path, rules::Ardennes, state::State};

/// More quarter points than anybody has: 14 MP of Strategic Movement (12.1) with room to spare.
const MAX_BUDGET: usize = 127;
/// Room for every hex of a board: a power of two, so that no index needs to be checked.
const HEXES: usize = HexSet::CAPACITY;
/// Room for every offer: a hex is offered once for each neighbour at most, and once as a source.
const OFFERS: usize = 8 * HEXES;
/// No offer.
const NOBODY: u16 = u16::MAX;
/// In place of the direction by which a source was entered.
const SOURCE: u8 = 6;
/// What is noted of a hex beside its cost: the direction by which it was entered, or [`SOURCE`], and this bit.
const STOP: u8 = 0x40;
const DIRECTION: u8 = 7;
/// The cost of a hex to which no way was found yet.
const FAR: u8 = u8::MAX;

#[derive(Debug)]
pub(super) struct Spread {
    ways: Ways,
    /// Hexes reached with their costs, cheapest first.
    reached: Vec<(HexId, u8)>,
}

/// The cheapest ways found so far.
#[derive(Debug)]
struct Ways {
    costs: Box<[u8; HEXES]>,
    /// How each hex was entered; of the last search where `costs` is not [`FAR`].
    entered: Box<[u8; HEXES]>,
    /// For each cost the last hex that was offered at it, as a place in `offers`; [`NOBODY`] for none.
    buckets: [u16; MAX_BUDGET + 1],
    /// A hex, and the one offered before it at the same cost.
    offers: Box<[(HexId, u16); OFFERS]>,
    offered: usize,
}

/// A hex's place in the arrays. [`HexId::NONE`] shares the last one, which no board reaches.
#[inline]
fn at(hex: HexId) -> usize {
    hex.index() % HEXES
}

impl Default for Spread {
    fn default() -> Self {
        let offers = vec![(HexId::NONE, NOBODY); OFFERS].into_boxed_slice();
        let ways = Ways {
            costs: Box::new([FAR; HEXES]),
            entered: Box::new([SOURCE; HEXES]),
            buckets: [NOBODY; MAX_BUDGET + 1],
            offers: offers.try_into().expect("there are as many as that"),
            offered: 0,
        };
        Spread { ways, reached: Vec::with_capacity(HEXES) }
    }
}

impl Spread {
    /// Everything that can be reached from these hexes, each with what it has cost already. Whatever is not land is looked
    /// at only in hexes that have it, and only when a cheaper way leads there.
    pub fn search(
        &mut self,
        rules: &Ardennes,
        s: &State,
        p: &Profile,
        lay: &mut Lay,
        obstacles: &Obstacles,
        sources: &[Door],
        budget: u16,
    ) {
        let budget = usize::from(budget).min(MAX_BUDGET);
        let board = &rules.map.board;
        let (ways, reached) = (&mut self.ways, &mut self.reached);
        ways.start_anew();
        reached.clear();
        let affordable = |door: &&Door| usize::from(door.cost) <= budget;
        for (n, source) in sources.iter().enumerate().filter(|(_, door)| affordable(door)) {
            // Of a hex that is named twice the last counts.
            let mut later = sources[n + 1..].iter().filter(affordable);
            if !later.any(|later| later.hex == source.hex) {
                let stop = p.start == HexId::NONE && s.in_ezoc(p.side, source.hex); // 13.1
                ways.offer(source.hex, source.cost.into(), SOURCE, stop);
            }
        }
        for cost in 0..=budget {
            while let Some(here) = ways.next_at(cost) {
                if usize::from(ways.costs[at(here)]) != cost {
                    continue; // a cheaper way was found since
                }
                reached.push((here, cost as u8));
                if ways.entered[at(here)] & STOP != 0 {
                    continue;
                }
                let row = lay.row(rules, s, p, here);
                if here == p.start {
                    let spent = cost + usize::from(p.leave); // 9.2
                    let ask = if p.echternach { row.ask | rules.echternach_bit() } else { row.ask };
                    let row = Row { ask, ..row };
                    ways.go_on(rules, s, p, obstacles, here, row, [cost, spent, budget]);
                    continue;
                }
                if row.ask != 0 {
                    ways.go_on(rules, s, p, obstacles, here, row, [cost, cost, budget]);
                    continue;
                }
                if cost + usize::from(row.cheapest) > budget {
                    continue;
                }
                let neighbours = board.neighbour_row(here);
                let mut cheaper = ways.cheaper(neighbours, &row, cost, budget);
                while cheaper != 0 {
                    let direction = cheaper.trailing_zeros() as usize % 6;
                    cheaper &= cheaper - 1;
                    let (to, total) = (neighbours[direction], cost + usize::from(row.steps[direction]));
                    if obstacles.anything.contains(to) {
                        ways.meet(rules, s, p, obstacles, here, direction, to, [total, budget]);
                    } else {
                        ways.offer(to, total, direction as u8, false);
                    }
                }
            }
        }
    }

    pub fn reached(&self) -> &[(HexId, u8)] {
        &self.reached
    }

    pub fn cost(&self, hex: HexId) -> Option<u16> {
        let cost = self.ways.costs[at(hex)];
        (cost != FAR).then_some(u16::from(cost))
    }

    /// The cheapest way to a hex: its source, and the steps.
    pub fn way(&self, rules: &Ardennes, hex: HexId) -> Option<(HexId, Path)> {
        self.cost(hex)?;
        let (mut here, mut back) = (hex, Path::default());
        while let Ok(direction) = Direction::try_from(self.ways.entered[at(here)] & DIRECTION) {
            back.push(direction.opposite());
            here = rules.map.board.neighbour(here, direction.opposite())?;
        }
        Some((here, back.reversed()))
    }

    /// Was the hex entered straight from a source, and in which direction?
    pub fn step_from_source(&self, rules: &Ardennes, hex: HexId) -> Option<Direction> {
        let direction = Direction::try_from(self.ways.entered[at(hex)] & DIRECTION).ok()?;
        let from = rules.map.board.neighbour_row(hex)[direction.opposite().index()];
        (self.ways.entered[at(from)] & DIRECTION == SOURCE).then_some(direction)
    }
}

impl Ways {
    fn start_anew(&mut self) {
        for (hex, _) in &self.offers[..self.offered % OFFERS] {
            self.costs[at(*hex)] = FAR;
        }
        self.offered = 0;
        self.buckets.fill(NOBODY);
    }

    /// The last hex that was offered at this cost.
    #[inline]
    fn next_at(&mut self, cost: usize) -> Option<HexId> {
        let bucket = &mut self.buckets[cost % (MAX_BUDGET + 1)];
        if *bucket == NOBODY {
            return None;
        }
        let (hex, before) = self.offers[usize::from(*bucket) % OFFERS];
        *bucket = before;
        Some(hex)
    }

    #[inline]
    fn offer(&mut self, hex: HexId, cost: usize, from: u8, stop: bool) {
        self.costs[at(hex)] = cost as u8;
        self.entered[at(hex)] = if stop { from | STOP } else { from };
        let bucket = &mut self.buckets[cost % (MAX_BUDGET + 1)];
        self.offers[self.offered % OFFERS] = (hex, *bucket);
        *bucket = self.offered as u16;
        self.offered += 1;
    }

    /// The directions in which a cheaper way leads on, as bits: found without branches, for nobody could guess them.
    #[inline]
    fn cheaper(&self, neighbours: &[HexId; 6], row: &Row, cost: usize, budget: usize) -> u8 {
        let mut cheaper = 0;
        for (direction, (to, step)) in neighbours.iter().zip(row.steps).enumerate() {
            let total = cost + usize::from(step);
            let limit = usize::from(self.costs[at(*to)]).min(budget + 1);
            cheaper |= u8::from(total < limit) << direction;
        }
        cheaper
    }

    fn offer_if_cheaper(&mut self, hex: HexId, cost: usize, budget: usize, from: u8, stop: bool) {
        if cost <= budget && cost < usize::from(self.costs[at(hex)]) {
            self.offer(hex, cost, from, stop);
        }
    }

    /// Into a hex with something in it besides land.
    fn meet(
        &mut self,
        rules: &Ardennes,
        s: &State,
        p: &Profile,
        obstacles: &Obstacles,
        from: HexId,
        direction: usize,
        to: HexId,
        [total, budget]: [usize; 2],
    ) {
        if let Some(met) = obstacles.met(rules, s, p, from, direction, to) {
            let total = total + usize::from(met.delay);
            self.offer_if_cheaper(to, total, budget, direction as u8, met.stop);
        }
    }

    /// From a hex with steps that must be asked about, or from the start, which may cost something to leave.
    fn go_on(
        &mut self,
        rules: &Ardennes,
        s: &State,
        p: &Profile,
        obstacles: &Obstacles,
        here: HexId,
        row: Row,
        [cost, spent, budget]: [usize; 3],
    ) {
        let neighbours = rules.map.board.neighbour_row(here);
        for (direction, (&to, step)) in neighbours.iter().zip(row.steps).enumerate() {
            if row.ask >> direction & 1 == 1 {
                // A hard crossing is made from the start or beside it (1E 11.4), so no way makes two.
                if let Ok(pace) = rules.pace(s, p, here, Direction::from_index(direction), false) {
                    let total = cost + usize::from(pace.cost);
                    self.offer_if_cheaper(to, total, budget, direction as u8, pace.stop);
                }
                continue;
            }
            let total = spent + usize::from(step);
            if total > budget || total >= usize::from(self.costs[at(to)]) {
                continue;
            }
            if obstacles.anything.contains(to) {
                self.meet(rules, s, p, obstacles, here, direction, to, [total, budget]);
            } else {
                self.offer(to, total, direction as u8, false);
            }
        }
    }
}
