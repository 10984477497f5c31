//! The fast search for rules in which steps of one kind tire a unit: after the first few of them each costs more. It
//! finds the same paths as [`Layered`](super::Layered), the plain one that it is tested against, but reads the costs of
//! steps from rows of terrain, compares all six steps out of a hex without branches, and asks the game about obstacles
//! only.

use hexgrid::{Direction, HexId, HexSet};

use super::{MAX_BUDGET, Met, SHUT, layered::Standing};
use crate::{HEXES, Topology};

/// Paths differ by how many tiring steps they contain: none, one, or two and more.
pub const LAYERS: usize = 3;

/// Set in the cost of a step that tires.
pub const TIRES: u8 = 0x80;

/// Nodes of a hex: one for each layer, and one that is not used.
const PER_HEX: usize = 4;
/// No offer.
const NOBODY: u32 = u32::MAX;

/// What the search needs to know about one unit in one mode. Every step costs something.
pub trait Trek {
    fn topology(&self) -> &Topology;

    /// The hex of the unit; [`HexId::NONE`] if it is off the map.
    fn start(&self) -> HexId;

    /// The cost of leaving the start.
    fn leave(&self) -> u16;

    /// What a tiring step costs in addition after two others.
    fn extra(&self) -> u8;

    /// The costs of the steps out of a hex by direction: [`SHUT`] if barred, with [`TIRES`] if it tires.
    fn steps(&mut self, hex: HexId) -> [u8; 6];

    /// Hexes in which something other than terrain matters.
    fn obstacles(&self) -> &HexSet;

    /// The effect of a step that the terrain allows into one of those hexes; `None` if something there bars it.
    fn meet(&self, from: HexId, direction: Direction, to: HexId) -> Option<Met>;
}

/// Memory for one search after another.
#[derive(Debug)]
pub struct Tiring(Box<Ways>);

/// The best path to a hex in a layer.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// What the path leaves of the budget, plus one; 0 for no path.
    worth: u8,
    /// Hexes entered since the source.
    hexes: u8,
    from: Link,
}

impl Node {
    const NONE: Node = Node { worth: 0, hexes: 0, from: Link::SOURCE };

    /// Paths are compared by cost, then by length. The better one is greater.
    const fn merit(self) -> u16 {
        (self.worth as u16) << 8 | (u8::MAX - self.hexes) as u16
    }
}

/// The previous node of a path, and whether the path must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link(u16);

impl Link {
    const END: u16 = 1 << 15;
    const SOURCE: Link = Link(Self::END - 1);

    const fn node(self) -> Option<u16> {
        let node = self.0 & !Self::END;
        if node == Self::SOURCE.0 { None } else { Some(node) }
    }

    const fn ends(self) -> bool {
        self.0 & Self::END != 0
    }
}

const _: () = assert!(HEXES * PER_HEX < Link::END as usize, "a node and a flag fit into a link");

#[derive(Debug)]
struct Ways {
    /// By hex and layer: the greatest [`Node::worth`] in this layer or a lower one.
    worth: [[u8; PER_HEX]; HEXES],
    /// By hex and layer.
    nodes: [Node; HEXES * PER_HEX],
    /// By number of points left: the last offer with it.
    buckets: [u32; MAX_BUDGET + 2],
    /// A node, and the offer before it with the same number of points left.
    offers: Vec<(u16, u32)>,
    /// The hexes reached, and by hex the best of its nodes.
    hexes: HexSet,
    best: [u16; HEXES],
    budget: usize,
}

impl Default for Tiring {
    fn default() -> Self {
        Tiring(Box::new(Ways::NONE))
    }
}

impl Tiring {
    /// Everything that can be reached from these hexes within the budget, which is at most [`MAX_BUDGET`]. The costs of
    /// the sources are in the search's parts of a point.
    pub fn search<T: Trek>(
        &mut self,
        trek: &mut T,
        sources: impl IntoIterator<Item = Standing>,
        budget: u16,
    ) {
        let ways = &mut *self.0;
        ways.start_anew(usize::from(budget).min(MAX_BUDGET));
        for source in sources {
            if let Some(left) = ways.budget.checked_sub(usize::from(source.cost)) {
                let layer = usize::from(source.layer).min(LAYERS - 1);
                ways.offer(source.hex, layer, left, source.hexes, Link::SOURCE, source.stop);
            }
        }
        ways.spread(trek);
    }

    /// The hexes reached, including the sources.
    pub fn hexes(&self) -> &HexSet {
        &self.0.hexes
    }

    /// The end of the best path to a hex.
    pub fn standing(&self, hex: HexId) -> Option<Standing> {
        let ways = &*self.0;
        ways.hexes.contains(hex).then(|| {
            let index = ways.best[at(hex)];
            let node = ways.node(index);
            Standing {
                hex,
                layer: (index as usize % PER_HEX) as u8,
                cost: (ways.budget + 1 - usize::from(node.worth)) as u16,
                hexes: node.hexes,
                stop: node.from.ends(),
                carry: (),
            }
        })
    }

    /// The hexes of the best path to a hex, from its end back to its source.
    pub fn back(&self, hex: HexId) -> impl Iterator<Item = HexId> + '_ {
        let mut next = self.0.hexes.contains(hex).then(|| self.0.best[at(hex)]);
        std::iter::from_fn(move || {
            let here = next?;
            next = self.0.node(here).from.node();
            Some(hex_of(here))
        })
    }
}

/// The index of a hex in arrays of [`HEXES`]; [`HexId::NONE`] gets the last one, which no board uses.
#[inline]
fn at(hex: HexId) -> usize {
    hex.index() % HEXES
}

#[inline]
fn hex_of(node: u16) -> HexId {
    HexId(node / PER_HEX as u16)
}

impl Ways {
    #[allow(clippy::large_stack_arrays)] // a constant, which goes to the heap
    const NONE: Ways = {
        let mut worth = [[0; PER_HEX]; HEXES];
        worth[HEXES - 1] = [u8::MAX; PER_HEX]; // no step leads off the map
        Ways {
            worth,
            nodes: [Node::NONE; HEXES * PER_HEX],
            buckets: [NOBODY; MAX_BUDGET + 2],
            offers: Vec::new(),
            hexes: HexSet::EMPTY,
            best: [0; HEXES],
            budget: 0,
        }
    };

    fn start_anew(&mut self, budget: usize) {
        let Ways { worth, nodes, hexes, .. } = self;
        hexes.each(|hex| {
            worth[at(hex)] = [0; PER_HEX];
            nodes[at(hex) * PER_HEX..][..PER_HEX].fill(Node::NONE);
        });
        self.hexes = HexSet::EMPTY;
        self.buckets.fill(NOBODY);
        self.offers.clear();
        self.budget = budget;
    }

    #[inline]
    fn node(&self, index: u16) -> Node {
        self.nodes[usize::from(index) % (HEXES * PER_HEX)]
    }

    fn spread<T: Trek>(&mut self, trek: &mut T) {
        for left in (0..=self.budget).rev() {
            let mut next = std::mem::replace(&mut self.buckets[left], NOBODY);
            while next != NOBODY {
                let (index, before) = self.offers[next as usize];
                next = before;
                let node = self.node(index);
                // A cheaper path may have been found since, or one in a lower layer that is at least as good.
                if usize::from(node.worth) == left + 1 && !self.is_outdone(index, node) {
                    self.settle(index, node);
                    if !node.from.ends() {
                        self.go_on(trek, index, node.hexes, left);
                    }
                }
            }
            debug_assert_eq!(self.buckets[left], NOBODY, "every step costs something");
        }
    }

    #[inline]
    fn is_outdone(&self, index: u16, node: Node) -> bool {
        (1..=index % PER_HEX as u16).any(|lower| {
            let other = self.node(index - lower);
            other.worth > 0 && other.merit() >= node.merit()
        })
    }

    #[inline]
    fn settle(&mut self, index: u16, node: Node) {
        let hex = hex_of(index);
        let better = self.hexes.insert(hex) || {
            let known = self.best[at(hex)];
            let merit = self.node(known).merit();
            node.merit() > merit || node.merit() == merit && index < known
        };
        if better {
            self.best[at(hex)] = index;
        }
    }

    /// Make offers for the steps out of a hex. Branches that depend on the terrain are mispredicted, so all six steps are
    /// compared before any is taken.
    #[inline]
    fn go_on<T: Trek>(&mut self, trek: &mut T, index: u16, hexes: u8, mut left: usize) {
        let here = hex_of(index);
        let layer = usize::from(index) % PER_HEX;
        if here == trek.start() && hexes == 0 {
            let Some(less) = left.checked_sub(usize::from(trek.leave())) else { return };
            left = less;
        }
        let extra = if layer == LAYERS - 1 { trek.extra() } else { 0 };
        let steps = trek.steps(here);
        let around = *trek.topology().around(here);
        let (mut worths, mut open) = ([0; 6], 0);
        for (direction, (step, to)) in steps.iter().zip(around).enumerate() {
            let tires = step >> 7;
            let cost = (step & SHUT) + extra * tires;
            let layer = (layer + usize::from(tires)).min(LAYERS - 1);
            // Of equally cheap paths the better one is found when the offer is made.
            let worth = (left as u8 + 1).saturating_sub(cost);
            open |= u8::from(worth >= self.worth[at(to)][layer].max(1)) << direction;
            worths[direction] = worth;
        }
        while open != 0 {
            let direction = open.trailing_zeros() as usize % 6;
            open &= open - 1;
            let (to, mut left) = (around[direction], usize::from(worths[direction]) - 1);
            let layer = (layer + usize::from(steps[direction] >> 7)).min(LAYERS - 1);
            let mut stop = false;
            if trek.obstacles().contains(to) {
                let Some(met) = trek.meet(here, Direction::from_index(direction), to) else { continue };
                let Some(less) = left.checked_sub(usize::from(met.delay)) else { continue };
                (left, stop) = (less, met.stop);
            }
            self.offer(to, layer, left, hexes.saturating_add(1), Link(index), stop);
        }
    }

    #[inline]
    fn offer(&mut self, hex: HexId, layer: usize, left: usize, hexes: u8, from: Link, stop: bool) {
        let worth = (left + 1) as u8;
        let index = at(hex) * PER_HEX + layer;
        let known = self.nodes[index];
        let new = Node { worth, hexes, from: if stop { Link(from.0 | Link::END) } else { from } };
        if known.worth >= worth {
            let equal = new.merit() == known.merit();
            if new.merit() > known.merit() || equal && self.comes_before(from, known.from) {
                self.nodes[index] = new;
            }
            return;
        }
        self.nodes[index] = new;
        for known in &mut self.worth[at(hex)][layer..LAYERS] {
            *known = worth.max(*known);
        }
        let bucket = &mut self.buckets[left % (MAX_BUDGET + 2)];
        self.offers.push((index as u16, *bucket));
        *bucket = self.offers.len() as u32 - 1;
    }

    /// Which of two nodes is preferred as the predecessor of a third.
    fn comes_before(&self, from: Link, other: Link) -> bool {
        let (Some(from), Some(other)) = (from.node(), other.node()) else {
            return false; // the source named first is kept
        };
        let merits = (self.node(from).merit(), self.node(other).merit());
        merits.0 > merits.1 || merits.0 == merits.1 && from < other
    }
}
