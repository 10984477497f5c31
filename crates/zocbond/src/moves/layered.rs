//! The plain search: Dijkstra's over hexes and layers. A layer is what a step's cost may depend on besides the hex: how many
//! hexes of woods were entered, whether a river was crossed. Slower than [`Search`](super::Search) and without its
//! tricks, which it serves to check.

use hexgrid::{Direction, HexId};

use super::{Door, Goal};
use crate::{Path, Topology};

/// A step that can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayeredStep {
    pub cost: u16,
    /// The layer that it leads to.
    pub layer: u8,
    /// The move ends there.
    pub stop: bool,
}

/// A hex in a layer, and whether the move has ended in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    hex: HexId,
    layer: u8,
    stop: bool,
}

/// How the cheapest way enters a node.
#[derive(Clone, Copy, Debug)]
struct Entered {
    cost: u16,
    /// The node before it and the direction from there; none for a source.
    from: Option<(u32, Direction)>,
}

/// One search after the other in the same memory.
#[derive(Debug, Default)]
pub struct Layered {
    layers: u8,
    nodes: Vec<Option<Entered>>,
    /// Nodes by cost, whose neighbours have not been looked at.
    buckets: Vec<Vec<u32>>,
    /// Hexes reached, cheapest first.
    reached: Vec<Goal>,
    /// By hex: the cheapest node in it.
    best: Vec<Option<u32>>,
}

impl Layered {
    /// Everything that can be reached from these hexes within the budget, beginning in layer 0. `step` is asked about every
    /// step out of a hex in a layer; hexes off the map are not asked about. Layers are numbered from 0 to `layers` - 1.
    pub fn search(
        &mut self,
        topology: &Topology,
        layers: u8,
        sources: &[(Door, bool)],
        budget: u16,
        mut step: impl FnMut(HexId, u8, Direction, HexId) -> Option<LayeredStep>,
    ) {
        self.layers = layers.max(1);
        self.nodes.clear();
        self.nodes.resize(topology.len() * usize::from(self.layers) * 2, None);
        self.best.clear();
        self.best.resize(topology.len(), None);
        self.buckets.iter_mut().for_each(Vec::clear);
        self.buckets.resize_with(usize::from(budget) + 1, Vec::new);
        self.reached.clear();
        for (door, stop) in sources.iter().filter(|(door, _)| door.cost <= budget) {
            self.offer(Node { hex: door.hex, layer: 0, stop: *stop }, door.cost, None);
        }
        for cost in 0..=budget {
            while let Some(at) = self.buckets[usize::from(cost)].pop() {
                if self.nodes[at as usize].is_none_or(|entered| entered.cost != cost) {
                    continue; // a cheaper way was found since
                }
                let node = self.node(at);
                if self.best[node.hex.index()].is_none() {
                    self.best[node.hex.index()] = Some(at);
                    self.reached.push(Goal::new(node.hex, cost));
                }
                if node.stop {
                    continue;
                }
                for direction in Direction::ALL {
                    let Some(to) = topology.neighbour(node.hex, direction) else { continue };
                    let Some(step) = step(node.hex, node.layer, direction, to) else { continue };
                    let Some(total) = cost.checked_add(step.cost).filter(|total| *total <= budget) else {
                        continue;
                    };
                    debug_assert!(step.layer < self.layers, "there is no such layer");
                    let layer = step.layer.min(self.layers - 1);
                    self.offer(Node { hex: to, layer, stop: step.stop }, total, Some((at, direction)));
                }
            }
        }
    }

    fn index(&self, node: Node) -> u32 {
        ((node.hex.index() * usize::from(self.layers) + usize::from(node.layer)) * 2 + usize::from(node.stop))
            as u32
    }

    fn node(&self, index: u32) -> Node {
        let (stop, rest) = (index % 2 == 1, index / 2);
        let layers = u32::from(self.layers);
        Node { hex: HexId((rest / layers) as u16), layer: (rest % layers) as u8, stop }
    }

    fn offer(&mut self, node: Node, cost: u16, from: Option<(u32, Direction)>) {
        let at = self.index(node);
        let known = &mut self.nodes[at as usize];
        if known.is_none_or(|known| cost < known.cost) {
            *known = Some(Entered { cost, from });
            self.buckets[usize::from(cost)].push(at);
        }
    }

    /// The hexes reached, cheapest first, those of the sources included.
    pub fn reached(&self) -> &[Goal] {
        &self.reached
    }

    pub fn cost(&self, hex: HexId) -> Option<u16> {
        let at = (*self.best.get(hex.index())?)?;
        self.nodes[at as usize].map(|entered| entered.cost)
    }

    /// The cheapest way to a hex: its source, and the steps. None if it is not reached or the way is longer than a
    /// [`Path`] can hold.
    pub fn way(&self, hex: HexId) -> Option<(HexId, Path)> {
        let mut at = (*self.best.get(hex.index())?)?;
        let mut path = Path::default();
        while let Some((from, direction)) = self.nodes[at as usize]?.from {
            if !path.push_front(direction) {
                return None;
            }
            at = from;
        }
        Some((self.node(at).hex, path))
    }
}
