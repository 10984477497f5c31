//! The search for rules in which the cost of a step depends on the path before it: Dijkstra's algorithm over hexes and
//! layers. A layer is whatever the cost of a step may depend on besides the hex, such as the number of woods hexes
//! entered. Layers are ordered by merit: whatever is possible from one layer is possible from every lower one at no
//! higher cost, and no step leads to a lower layer. The search asks the game about every step;
//! [`Search`](super::Search) is faster where terrain alone decides, and is tested against this one.
//!
//! Which of several equally cheap paths is found does not depend on the order of the search: it is the shorter one, and
//! among those the one whose last hex but one comes first by cost, length and number.

use hexgrid::{Direction, HexId, HexSet};

use super::{Door, Goal};
use crate::{Path, Topology};

/// The end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing<T = ()> {
    pub hex: HexId,
    pub layer: u8,
    pub cost: u16,
    /// Hexes entered since the source.
    pub hexes: u8,
    /// The move ends there.
    pub stop: bool,
    /// What else the game needs to know about the path. Of several equally good paths to this hex in this layer, that
    /// of the one found first is kept.
    pub carry: T,
}

/// A possible step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayeredStep<T = ()> {
    pub cost: u16,
    /// The layer that it leads to.
    pub layer: u8,
    /// The move ends there.
    pub stop: bool,
    pub carry: T,
}

/// No node.
const NONE: u32 = u32::MAX;

/// The best path to a hex in a layer. Paths that must end there are kept apart from those that can continue.
#[derive(Clone, Copy, Debug)]
struct Node<T> {
    /// The search that it belongs to, so that nodes of earlier searches need not be cleared.
    made: u32,
    at: Standing<T>,
    /// The previous node; [`NONE`] for a source.
    from: u32,
}

impl<T> Node<T> {
    /// Paths are compared by cost, then by length.
    const fn key(&self) -> (u16, u8) {
        (self.at.cost, self.at.hexes)
    }
}

/// Cost and length of a path in one number, so that one comparison orders by cost, then by length.
const fn front<T>(at: &Standing<T>) -> u32 {
    (at.cost as u32) << 8 | at.hexes as u32
}

/// One search after the other in the same memory.
#[derive(Debug)]
pub struct Layered<T = ()> {
    made: u32,
    layers: usize,
    nodes: Vec<Node<T>>,
    /// By cost: the last of the nodes offered with it, as an index into `offers`.
    buckets: Vec<u32>,
    /// A node, and the offer before it with the same cost.
    offers: Vec<(u32, u32)>,
    /// Hexes reached, cheapest first.
    reached: Vec<Goal>,
    hexes: HexSet,
    /// By hex of `hexes`: the best node in it.
    best: Vec<u32>,
    /// By hex and layer: cost and length of the best path that can continue, in one small table, because it is
    /// read for every neighbour; [`NONE`] for none.
    fronts: Vec<u32>,
}

impl<T> Default for Layered<T> {
    fn default() -> Self {
        Layered {
            made: 0,
            layers: 1,
            nodes: Vec::new(),
            buckets: Vec::new(),
            offers: Vec::new(),
            reached: Vec::new(),
            hexes: HexSet::EMPTY,
            best: Vec::new(),
            fronts: Vec::new(),
        }
    }
}

impl<T: Copy + Default> Layered<T> {
    /// Everything that can be reached from these hexes within the budget, starting in layer 0. `step` is called for
    /// every step out of a hex in a layer, except to hexes off the map. Layers are numbered from 0 to `layers` - 1.
    pub fn search(
        &mut self,
        topology: &Topology,
        layers: u8,
        sources: &[(Door, bool)],
        budget: u16,
        step: impl FnMut(&Standing<T>, Direction, HexId) -> Option<LayeredStep<T>>,
    ) {
        let sources = sources.iter().map(|(door, stop)| Standing {
            hex: door.hex,
            layer: 0,
            cost: door.cost,
            hexes: 0,
            stop: *stop,
            carry: T::default(),
        });
        self.search_on(topology, layers, sources, budget, step);
    }

    /// The same, starting from paths that have already begun.
    pub fn search_on(
        &mut self,
        topology: &Topology,
        layers: u8,
        sources: impl IntoIterator<Item = Standing<T>>,
        budget: u16,
        mut step: impl FnMut(&Standing<T>, Direction, HexId) -> Option<LayeredStep<T>>,
    ) {
        self.begin(topology.len(), layers, budget);
        for source in sources {
            if source.cost <= budget {
                self.offer(source, NONE);
            }
        }
        for cost in 0..=budget {
            loop {
                let last = std::mem::replace(&mut self.buckets[usize::from(cost)], NONE);
                let mut next = last;
                while next != NONE {
                    let (node, before) = self.offers[next as usize];
                    next = before;
                    let at = self.nodes[node as usize].at;
                    // Skip it if a cheaper path has been found since, or if a path in a lower layer is at least as
                    // good.
                    if at.cost == cost && !self.is_outdone(node, &at) {
                        self.settle(node);
                        if !at.stop {
                            self.spread(topology, node, at, budget, &mut step);
                        }
                    }
                }
                if last == NONE {
                    break;
                }
            }
        }
    }

    fn begin(&mut self, hexes: usize, layers: u8, budget: u16) {
        self.layers = usize::from(layers.max(1));
        self.made = self.made.wrapping_add(1);
        let nodes = hexes * self.layers * 2;
        if self.nodes.len() < nodes || self.made == 0 {
            let at =
                Standing { hex: HexId::NONE, layer: 0, cost: 0, hexes: 0, stop: false, carry: T::default() };
            self.made = 1;
            self.nodes.clear();
            self.nodes.resize(nodes, Node { made: 0, at, from: NONE });
        }
        if self.best.len() < hexes {
            self.best.resize(hexes, NONE);
        }
        // Clear what the last search offered, even if it numbered its layers differently.
        for (node, _) in &self.offers {
            self.fronts[*node as usize / 2] = NONE;
        }
        if self.fronts.len() < nodes / 2 {
            self.fronts.resize(nodes / 2, NONE);
        }
        self.buckets.clear();
        self.buckets.resize(usize::from(budget) + 1, NONE);
        self.offers.clear();
        self.reached.clear();
        self.hexes = HexSet::EMPTY;
    }

    #[inline]
    fn spread(
        &mut self,
        topology: &Topology,
        from: u32,
        at: Standing<T>,
        budget: u16,
        step: &mut impl FnMut(&Standing<T>, Direction, HexId) -> Option<LayeredStep<T>>,
    ) {
        for (direction, to) in Direction::ALL.into_iter().zip(*topology.around(at.hex)) {
            if to == HexId::NONE || self.is_behind(to, &at) {
                continue;
            }
            let Some(step) = step(&at, direction, to) else { continue };
            debug_assert!(usize::from(step.layer) < self.layers, "there is no such layer");
            debug_assert!(step.layer >= at.layer, "layers do not fall");
            let cost = at.cost.saturating_add(step.cost);
            if cost <= budget {
                let LayeredStep { layer, stop, carry, .. } = step;
                let hexes = at.hexes.saturating_add(1);
                self.offer(Standing { hex: to, layer, cost, hexes, stop, carry }, from);
            }
        }
    }

    #[inline]
    fn offer(&mut self, at: Standing<T>, from: u32) {
        let layer = usize::from(at.layer).min(self.layers - 1);
        let index = (at.hex.index() * self.layers + layer) * 2 + usize::from(at.stop);
        let known = self.nodes[index];
        if known.made == self.made {
            let (new, old) = ((at.cost, at.hexes), known.key());
            if new > old || new == old && !self.comes_before(from, known.from) {
                return;
            }
            if new == old {
                (self.nodes[index].from, self.nodes[index].at.carry) = (from, at.carry);
                return;
            }
        }
        self.nodes[index] = Node { made: self.made, at, from };
        if !at.stop {
            self.fronts[index / 2] = front(&at);
        }
        let bucket = &mut self.buckets[usize::from(at.cost)];
        self.offers.push((index as u32, *bucket));
        *bucket = self.offers.len() as u32 - 1;
    }

    /// Whether a path in a lower layer is at least as good.
    #[inline]
    fn is_outdone(&self, node: u32, at: &Standing<T>) -> bool {
        (1..=usize::from(at.layer)).any(|lower| {
            let other = &self.nodes[node as usize - 2 * lower];
            other.made == self.made && other.key() <= (at.cost, at.hexes)
        })
    }

    /// Whether the hex is already reached by a path that no step from here can improve. This is so for about half of
    /// the neighbours, which then need not be asked about.
    #[inline]
    fn is_behind(&self, hex: HexId, at: &Standing<T>) -> bool {
        let first = hex.index() * self.layers;
        let here = front(at);
        let behind = self.fronts[first..=first + usize::from(at.layer)].iter().any(|known| *known <= here);
        debug_assert_eq!(
            behind,
            (0..=usize::from(at.layer)).any(|layer| {
                let known = &self.nodes[(first + layer) * 2];
                known.made == self.made && known.key() <= (at.cost, at.hexes)
            })
        );
        behind
    }

    /// Which of two nodes is preferred as the predecessor of a third.
    fn comes_before(&self, node: u32, other: u32) -> bool {
        if node == NONE || other == NONE {
            return false; // the source named first is kept
        }
        (self.nodes[node as usize].key(), node) < (self.nodes[other as usize].key(), other)
    }

    #[inline]
    fn settle(&mut self, node: u32) {
        let at = &self.nodes[node as usize].at;
        let best = &mut self.best[at.hex.index()];
        if self.hexes.insert(at.hex) {
            *best = node;
            self.reached.push(Goal::new(at.hex, at.cost));
        } else {
            let known = &self.nodes[*best as usize];
            if (self.nodes[node as usize].key(), node) < (known.key(), *best) {
                *best = node;
            }
        }
    }

    /// The hexes reached, cheapest first, including the sources.
    pub fn reached(&self) -> &[Goal] {
        &self.reached
    }

    /// The same as a set.
    pub fn hexes(&self) -> &HexSet {
        &self.hexes
    }

    fn best(&self, hex: HexId) -> Option<&Node<T>> {
        self.hexes.contains(hex).then(|| &self.nodes[self.best[hex.index()] as usize])
    }

    /// The end of the best path to a hex.
    pub fn standing(&self, hex: HexId) -> Option<&Standing<T>> {
        self.best(hex).map(|node| &node.at)
    }

    pub fn cost(&self, hex: HexId) -> Option<u16> {
        self.best(hex).map(|node| node.at.cost)
    }

    /// The hexes of the best path to a hex, from its end back to its source.
    pub fn back(&self, hex: HexId) -> impl Iterator<Item = HexId> + '_ {
        let mut next = self.best(hex);
        std::iter::from_fn(move || {
            let node = next?;
            next = self.nodes.get(node.from as usize);
            Some(node.at.hex)
        })
    }

    /// The cheapest path to a hex: its source and its steps. `None` if the hex is not reached or the path is longer
    /// than a [`Path`] can hold.
    pub fn way(&self, topology: &Topology, hex: HexId) -> Option<(HexId, Path)> {
        self.best(hex)?;
        let (mut source, mut path) = (hex, Path::default());
        for before in self.back(hex).skip(1) {
            if !path.push_front(topology.direction(before, source)?) {
                return None;
            }
            source = before;
        }
        Some((source, path))
    }
}
