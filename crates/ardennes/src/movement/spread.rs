//! The search behind every list of moves: Dijkstra's, with one bucket for each quarter point. Movement allowances are
//! small, so a bucket is a short list; the memory is kept from search to search.

use hexgrid::{Direction, HexId};

use super::{profile::Profile, reach::Door};
use crate::{
    action::Path,
    rules::Ardennes,
    state::State,
    terrain::{ASK, SHUT},
};

/// More quarter points than anybody has: 14 MP of Strategic Movement (12.1) with room to spare.
const MAX_BUDGET: usize = 127;
/// In place of the direction by which a source was entered.
const SOURCE: u8 = 6;

#[derive(Debug)]
pub(super) struct Spread {
    /// Counts searches, so that nothing has to be wiped.
    epoch: u32,
    nodes: Vec<Node>,
    buckets: Vec<Vec<u16>>,
    /// Hexes reached, cheapest first.
    reached: Vec<HexId>,
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

impl Default for Spread {
    fn default() -> Self {
        let buckets = (0..=MAX_BUDGET).map(|_| Vec::new()).collect();
        Spread { epoch: 0, nodes: Vec::new(), buckets, reached: Vec::new() }
    }
}

impl Spread {
    /// Everything that can be reached from these hexes, each with what it has cost already. `special` hexes and steps
    /// that the map alone does not decide are asked about.
    pub fn search(
        &mut self,
        rules: &Ardennes,
        s: &State,
        p: &Profile,
        special: &hexgrid::HexSet,
        sources: &[Door],
        budget: u16,
    ) {
        let budget = usize::from(budget).min(MAX_BUDGET);
        let table = rules.land.steps(p.mover, rules.ground(s));
        self.start_anew(table.len());
        for source in sources {
            if usize::from(source.cost) <= budget {
                let stop = p.start == HexId::NONE && s.in_ezoc(p.side, source.hex); // 13.1
                self.offer(source.hex, source.cost as u8, SOURCE, stop);
            }
        }
        for cost in 0..=budget {
            while let Some(index) = self.buckets[cost].pop() {
                let here = HexId(index);
                let node = &mut self.nodes[here.index()];
                if node.done || usize::from(node.cost) != cost {
                    continue; // a cheaper way was found since
                }
                node.done = true;
                self.reached.push(here);
                if self.nodes[here.index()].stop {
                    continue;
                }
                let ask_all = p.slow || special.contains(here);
                let steps = table[here.index()];
                for (direction, to) in rules.map.board.neighbour_row(here).iter().enumerate() {
                    let known = steps[direction];
                    // 29.2 opens one river hexside.
                    if known == SHUT && !(p.echternach && rules.land.echternach == Some([here, *to])) {
                        continue;
                    }
                    let before = self.cost_so_far(*to);
                    if before <= cost {
                        continue;
                    }
                    if known != ASK && !ask_all && !special.contains(*to) {
                        let total = cost + usize::from(known);
                        if total <= budget && total < before {
                            self.offer(*to, total as u8, direction as u8, false);
                        }
                        continue;
                    }
                    // A hard crossing is made from the start or beside it (1E 11.4), so no way makes two.
                    let Ok(pace) = rules.pace(s, p, here, Direction::from_index(direction), false) else {
                        continue;
                    };
                    let total = cost + usize::from(pace.cost);
                    if total <= budget && total < before {
                        self.offer(*to, total as u8, direction as u8, pace.stop);
                    }
                }
            }
        }
        for bucket in &mut self.buckets[..=budget] {
            bucket.clear();
        }
    }

    fn start_anew(&mut self, hexes: usize) {
        self.reached.clear();
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.nodes.clear();
            self.epoch = 1;
        }
        if self.nodes.len() < hexes {
            self.nodes.resize(hexes, Node::default());
        }
    }

    #[inline]
    fn cost_so_far(&self, hex: HexId) -> usize {
        let node = &self.nodes[hex.index()];
        if node.epoch == self.epoch { usize::from(node.cost) } else { usize::MAX }
    }

    #[inline]
    fn offer(&mut self, hex: HexId, cost: u8, from: u8, stop: bool) {
        self.nodes[hex.index()] = Node { epoch: self.epoch, cost, from, stop, done: false };
        self.buckets[usize::from(cost)].push(hex.0);
    }

    pub fn reached(&self) -> &[HexId] {
        &self.reached
    }

    pub fn cost(&self, hex: HexId) -> Option<u16> {
        let node = self.nodes.get(hex.index()).filter(|node| node.epoch == self.epoch && node.done)?;
        Some(u16::from(node.cost))
    }

    /// The cheapest way to a hex: its source, and the steps.
    pub fn way(&self, rules: &Ardennes, hex: HexId) -> Option<(HexId, Path)> {
        self.cost(hex)?;
        let (mut at, mut back) = (hex, Path::default());
        while let Ok(direction) = Direction::try_from(self.nodes[at.index()].from) {
            back.push(direction.opposite());
            at = rules.map.board.neighbour(at, direction.opposite())?;
        }
        Some((at, back.reversed()))
    }
}
