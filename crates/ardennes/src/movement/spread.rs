//! The search behind every list of moves: Dijkstra's, with one bucket for each quarter point. Movement allowances are
//! small, so a bucket is a short list; the memory is kept from search to search.

use hexgrid::{Direction, HexId, HexSet};

use super::{
    lay::{Known, Lay},
    profile::Profile,
    reach::Door,
};
use crate::{action::Path, rules::Ardennes, state::State};

/// More quarter points than anybody has: 14 MP of Strategic Movement (12.1) with room to spare.
const MAX_BUDGET: usize = 127;
/// Room for every hex of a board: a power of two, so that no index needs to be checked.
const HEXES: usize = HexSet::CAPACITY;
/// No offer.
const NOBODY: u16 = u16::MAX;
/// In place of the direction by which a source was entered.
const SOURCE: u8 = 6;

#[derive(Debug)]
pub(super) struct Spread {
    /// Counts searches, so that nothing has to be wiped.
    epoch: u32,
    nodes: Box<[Node; HEXES]>,
    /// For each cost the last hex that was offered at it, as a place in `offers`; [`NOBODY`] for none.
    buckets: [u16; MAX_BUDGET + 1],
    /// A hex, and the one offered before it at the same cost.
    offers: Vec<(HexId, u16)>,
    /// Hexes reached with their costs, cheapest first.
    reached: Vec<(HexId, u8)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    epoch: u32,
    cost: u8,
    /// The direction by which it was entered.
    from: u8,
    /// The move ends here.
    stop: bool,
    done: bool,
}

/// A hex's place in the nodes. [`HexId::NONE`] shares the last one, which no board reaches.
#[inline]
fn at(hex: HexId) -> usize {
    hex.index() % HEXES
}

impl Default for Spread {
    fn default() -> Self {
        let buckets = [NOBODY; MAX_BUDGET + 1];
        let nodes = vec![Node::default(); HEXES].into_boxed_slice();
        let nodes = nodes.try_into().expect("there are as many as that");
        Spread { epoch: 0, nodes, buckets, offers: Vec::new(), reached: Vec::new() }
    }
}

impl Spread {
    /// Everything that can be reached from these hexes, each with what it has cost already. Steps that the lay of the
    /// land does not decide are asked about; all of them for a unit with rules of its own.
    pub fn search(
        &mut self,
        rules: &Ardennes,
        s: &State,
        p: &Profile,
        lay: &mut Lay,
        sources: &[Door],
        budget: u16,
    ) {
        let budget = usize::from(budget).min(MAX_BUDGET);
        let own = &s.held[p.side.index()];
        self.start_anew();
        for source in sources {
            if usize::from(source.cost) <= budget {
                let stop = p.start == HexId::NONE && s.in_ezoc(p.side, source.hex); // 13.1
                self.offer(source.hex, source.cost as u8, SOURCE, stop);
            }
        }
        for cost in 0..=budget {
            while let Some(&(here, before)) = self.offers.get(usize::from(self.buckets[cost])) {
                self.buckets[cost] = before;
                let node = &mut self.nodes[at(here)];
                if node.done || usize::from(node.cost) != cost {
                    continue; // a cheaper way was found since
                }
                node.done = true;
                self.reached.push((here, cost as u8));
                if node.stop {
                    continue;
                }
                let row = lay.row(rules, s, p, here);
                let neighbours = rules.map.board.neighbour_row(here);
                let mut open = row.open();
                while open != 0 {
                    let direction = open.trailing_zeros() as usize;
                    open &= open - 1;
                    let to = neighbours[direction];
                    let before = self.cost_so_far(to);
                    if before <= cost {
                        continue;
                    }
                    let (step, stop) = match row.step(direction, to, own) {
                        Known::Shut => continue,
                        // 9.2
                        Known::Open { cost, stop } if here == p.start => (u16::from(cost) + p.leave, stop),
                        Known::Open { cost, stop } => (u16::from(cost), stop),
                        // A hard crossing is made from the start or beside it (1E 11.4), so no way makes two.
                        Known::Ask => match rules.pace(s, p, here, Direction::from_index(direction), false) {
                            Ok(pace) => (pace.cost, pace.stop),
                            Err(_) => continue,
                        },
                    };
                    let total = cost + usize::from(step);
                    if total <= budget && total < before {
                        self.offer(to, total as u8, direction as u8, stop);
                    }
                }
            }
        }
    }

    fn start_anew(&mut self) {
        self.reached.clear();
        self.offers.clear();
        self.buckets.fill(NOBODY);
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.nodes.fill(Node::default());
            self.epoch = 1;
        }
    }

    #[inline]
    fn cost_so_far(&self, hex: HexId) -> usize {
        let node = &self.nodes[at(hex)];
        if node.epoch == self.epoch { usize::from(node.cost) } else { usize::MAX }
    }

    #[inline]
    fn offer(&mut self, hex: HexId, cost: u8, from: u8, stop: bool) {
        self.nodes[at(hex)] = Node { epoch: self.epoch, cost, from, stop, done: false };
        let bucket = &mut self.buckets[usize::from(cost)];
        self.offers.push((hex, *bucket));
        *bucket = (self.offers.len() - 1) as u16;
    }

    pub fn reached(&self) -> &[(HexId, u8)] {
        &self.reached
    }

    pub fn cost(&self, hex: HexId) -> Option<u16> {
        let node = self.nodes[at(hex)];
        (node.epoch == self.epoch && node.done).then_some(u16::from(node.cost))
    }

    /// The cheapest way to a hex: its source, and the steps.
    pub fn way(&self, rules: &Ardennes, hex: HexId) -> Option<(HexId, Path)> {
        self.cost(hex)?;
        let (mut here, mut back) = (hex, Path::default());
        while let Ok(direction) = Direction::try_from(self.nodes[at(here)].from) {
            back.push(direction.opposite());
            here = rules.map.board.neighbour(here, direction.opposite())?;
        }
        Some((here, back.reversed()))
    }
}
