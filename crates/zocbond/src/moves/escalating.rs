//! The fast search for rules in which steps of one kind escalate: after the first few of them each costs more. It
//! finds the same paths as [`Layered`](super::Layered), the plain one that it is tested against, but reads the costs of
//! steps from rows of terrain, compares all six steps out of a hex without branches, and asks the game about obstacles
//! only. It keeps no paths: the one that is wanted is found from its end, by the costs.

use hexgrid::{Direction, HexId, HexSet};

use super::{MAX_BUDGET, Met, SHUT, layered::Standing};
use crate::{HEXES, Topology};

/// Paths differ by how many escalating steps they contain: none, one, or two and more.
pub const LAYERS: usize = 3;
const LAST: usize = LAYERS - 1;
/// Places for the layers of a hex: one is not used.
const PER_HEX: usize = 4;

/// Set in the cost of a step that escalates.
pub const ESCALATES: u8 = 0x80;

/// No offer.
const NOBODY: u32 = u32::MAX;

/// What the search needs to know about one unit in one mode. Every step costs something, and whether the move ends in a
/// hex does not depend on the step by which it is entered.
pub trait EscalatingGuide {
    fn topology(&self) -> &Topology;

    /// The hex of the unit; [`HexId::NONE`] if it is off the map.
    fn start(&self) -> HexId;

    /// The cost of leaving the start.
    fn leave(&self) -> u16;

    /// What an escalating step costs in addition after two others.
    fn extra(&self) -> u8;

    /// The costs of the steps out of a hex by direction: [`SHUT`] if barred, with [`ESCALATES`] if it escalates.
    fn steps(&mut self, hex: HexId) -> [u8; 6];

    /// Hexes in which something other than terrain matters.
    fn obstacles(&self) -> &HexSet;

    /// The effect of a step that the terrain allows into one of those hexes; `None` if something there bars it.
    fn meet(&self, from: HexId, direction: Direction, to: HexId) -> Option<Met>;
}

/// Memory for one search after another.
#[derive(Debug)]
pub struct EscalatingSearch(Box<Ways>);

/// How good a path is, the greater the better: in the upper byte what it leaves of the budget, plus one; in the lower
/// one the number of hexes entered, counted down from 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Merit(u16);

impl Merit {
    /// No path: less than any.
    const NONE: Merit = Merit(u8::MAX as u16);
    /// More than any path.
    const UNBEATEN: Merit = Merit(u16::MAX);

    const fn new(left: usize, hexes: u8) -> Merit {
        Merit((left as u16 + 1) << 8 | (u8::MAX - hexes) as u16)
    }

    /// After one more step.
    #[inline]
    const fn after(self, cost: u16) -> Merit {
        Merit(self.0.saturating_sub(cost << 8 | 1))
    }

    /// After a delay in the hex just entered.
    #[inline]
    const fn delayed(self, delay: u16) -> Merit {
        Merit(self.0.saturating_sub(delay << 8))
    }

    #[inline]
    const fn worth(self) -> usize {
        (self.0 >> 8) as usize
    }

    #[inline]
    const fn hexes(self) -> u8 {
        u8::MAX - self.0 as u8
    }
}

/// A hex and a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Node {
    hex: HexId,
    layer: u8,
}

impl Node {
    #[inline]
    fn layer(self) -> usize {
        usize::from(self.layer).min(LAST)
    }

    /// The layer after one more step, which escalates or does not.
    #[inline]
    fn layer_after(self, escalates: u8) -> usize {
        usize::from(self.layer + escalates).min(LAST)
    }
}

/// The best paths to a hex, by layer.
type Layers = [Merit; PER_HEX];

#[derive(Debug)]
struct Ways {
    /// By hex and layer: the best path that leads there in this layer or a lower one.
    best: [Layers; HEXES],
    /// By number of points left: the last offer with it.
    buckets: [u32; MAX_BUDGET + 2],
    /// A node, and the offer before it with the same number of points left.
    offers: Vec<(Node, u32)>,
    /// The hexes reached, also in the order of their costs.
    hexes: HexSet,
    reached: Vec<HexId>,
    /// Hexes in which a move ends.
    ends: HexSet,
    sources: Vec<(Node, Merit)>,
    budget: usize,
}

impl Default for EscalatingSearch {
    fn default() -> Self {
        EscalatingSearch(Box::new(Ways::NONE))
    }
}

impl EscalatingSearch {
    /// Everything that can be reached from these hexes within the budget, which is at most [`MAX_BUDGET`]. The costs of
    /// the sources are in the search's parts of a point.
    pub fn search<T: EscalatingGuide>(
        &mut self,
        guide: &mut T,
        sources: impl IntoIterator<Item = Standing>,
        budget: u16,
    ) {
        let ways = &mut *self.0;
        ways.start_anew(usize::from(budget).min(MAX_BUDGET));
        for source in sources {
            if let Some(left) = ways.budget.checked_sub(usize::from(source.cost)) {
                let layer = usize::from(source.layer).min(LAST);
                let node = Node { hex: source.hex, layer: layer as u8 };
                let merit = Merit::new(left, source.hexes);
                if merit > ways.best[at(source.hex)][layer] {
                    ways.ends.set(source.hex, source.stop);
                    ways.offer(source.hex, layer, merit);
                }
                ways.sources.push((node, merit));
            }
        }
        ways.spread(guide);
    }

    /// The hexes reached, including the sources.
    #[inline]
    pub fn hexes(&self) -> &HexSet {
        &self.0.hexes
    }

    /// The same, cheapest first.
    #[inline]
    pub fn reached(&self) -> &[HexId] {
        &self.0.reached
    }

    /// Those that cost no more than this.
    pub fn reached_within(&self, cost: u16) -> &[HexId] {
        let reached = &self.0.reached;
        &reached[..reached.partition_point(|hex| self.cost(*hex).is_some_and(|its| its <= cost))]
    }

    /// The cost of the best path to a hex.
    #[inline]
    pub fn cost(&self, hex: HexId) -> Option<u16> {
        let worth = self.0.best[at(hex)][LAST].worth();
        (self.0.budget + 1).checked_sub(worth).filter(|_| worth > 0).map(|cost| cost as u16)
    }

    /// The end of the best path to a hex.
    pub fn standing(&self, hex: HexId) -> Option<Standing> {
        let (node, merit) = self.0.end(hex)?;
        let cost = (self.0.budget + 1 - merit.worth()) as u16;
        let stop = self.0.ends.contains(hex);
        Some(Standing { hex, layer: node.layer, cost, hexes: merit.hexes(), stop, carry: () })
    }

    /// The hexes of the best path to a hex, from its end back to its source. `guide` is that of the search.
    pub fn back<T: EscalatingGuide>(&self, guide: &mut T, hex: HexId) -> impl Iterator<Item = HexId> {
        let mut last: Option<(Node, Merit)> = None;
        std::iter::from_fn(move || {
            last = match last {
                None => self.0.end(hex),
                Some((node, merit)) => self.0.before(guide, node, merit),
            };
            Some(last?.0.hex)
        })
    }
}

/// The index of a hex in arrays of [`HEXES`]; [`HexId::NONE`] gets the last one, which no board uses.
#[inline]
fn at(hex: HexId) -> usize {
    hex.index().min(HEXES - 1)
}

impl Ways {
    #[allow(clippy::large_stack_arrays)] // a constant, which goes to the heap
    const NONE: Ways = {
        let mut best = [[Merit::NONE; PER_HEX]; HEXES];
        best[HEXES - 1] = [Merit::UNBEATEN; PER_HEX]; // no step leads off the map
        Ways {
            best,
            buckets: [NOBODY; MAX_BUDGET + 2],
            offers: Vec::new(),
            hexes: HexSet::EMPTY,
            reached: Vec::new(),
            ends: HexSet::EMPTY,
            sources: Vec::new(),
            budget: 0,
        }
    };

    fn start_anew(&mut self, budget: usize) {
        for hex in &self.reached {
            self.best[at(*hex)] = [Merit::NONE; PER_HEX];
        }
        (self.hexes, self.ends) = (HexSet::EMPTY, HexSet::EMPTY);
        self.reached.clear();
        self.sources.clear();
        self.buckets.fill(NOBODY);
        self.offers.clear();
        self.budget = budget;
    }

    fn spread<T: EscalatingGuide>(&mut self, guide: &mut T) {
        for left in (0..=self.budget).rev() {
            let mut next = std::mem::replace(&mut self.buckets[left], NOBODY);
            while next != NOBODY {
                let (node, before) = self.offers[next as usize];
                next = before;
                // A cheaper path may have been found since, or one in a lower layer that is at least as good.
                let merit = self.best[at(node.hex)][node.layer()];
                if merit.worth() == left + 1 && !self.is_outdone(node, merit) {
                    if self.hexes.insert(node.hex) {
                        self.reached.push(node.hex);
                    }
                    if !self.ends.contains(node.hex) {
                        self.go_on(guide, node, merit);
                    }
                }
            }
            debug_assert_eq!(self.buckets[left], NOBODY, "every step costs something");
        }
    }

    #[inline]
    fn is_outdone(&self, node: Node, merit: Merit) -> bool {
        node.layer > 0 && self.best[at(node.hex)][node.layer() - 1] >= merit
    }

    /// Make offers for the steps out of a hex. Branches that depend on the terrain are mispredicted, so all six steps are
    /// compared before any is taken.
    #[inline]
    fn go_on<T: EscalatingGuide>(&mut self, guide: &mut T, node: Node, merit: Merit) {
        let here = node.hex;
        let merit = merit.delayed(leaving(guide, here, merit));
        let extra = if node.layer() == LAST { u16::from(guide.extra()) } else { 0 };
        let (stay, up) = (node.layer(), node.layer_after(1) - node.layer());
        let steps = guide.steps(here);
        // Most hexes are reached with too little left for any further step.
        let least = steps.iter().fold(SHUT, |least, step| least.min(step & SHUT));
        if merit.worth() <= usize::from(least) {
            return;
        }
        let around = *guide.topology().around(here);
        let (mut merits, mut open) = ([Merit::NONE; 6], 0);
        for (direction, (step, to)) in steps.iter().zip(around).enumerate() {
            let escalates = step >> 7;
            let new = merit.after(u16::from(step & SHUT) + extra * u16::from(escalates));
            let layer = stay + (usize::from(escalates) & up);
            open |= u8::from(new > self.best[at(to)][layer % PER_HEX]) << direction;
            merits[direction] = new;
        }
        while open != 0 {
            let direction = open.trailing_zeros() as usize % 6;
            open &= open - 1;
            let (to, mut new) = (around[direction], merits[direction]);
            let layer = node.layer_after(steps[direction] >> 7);
            if guide.obstacles().contains(to) {
                let Some(met) = guide.meet(here, Direction::from_index(direction), to) else { continue };
                new = new.delayed(met.delay);
                if new <= self.best[at(to)][layer] {
                    continue;
                }
                self.ends.set(to, met.stop);
            }
            self.offer(to, layer, new);
        }
    }

    /// Offer a path that is better than any so far.
    #[inline]
    fn offer(&mut self, hex: HexId, layer: usize, merit: Merit) {
        for (other, best) in self.best[at(hex)].iter_mut().enumerate() {
            let new = if other >= layer { merit } else { Merit::NONE };
            *best = new.max(*best);
        }
        let bucket = &mut self.buckets[(merit.worth() - 1) % (MAX_BUDGET + 2)];
        self.offers.push((Node { hex, layer: layer as u8 }, *bucket));
        *bucket = self.offers.len() as u32 - 1;
    }

    /// The end of the best path to a hex.
    fn end(&self, hex: HexId) -> Option<(Node, Merit)> {
        let best = &self.best[at(hex)];
        let merit = best[LAST];
        let layer = best.iter().position(|other| *other == merit)?;
        self.hexes.contains(hex).then_some((Node { hex, layer: layer as u8 }, merit))
    }

    /// The last node but one of the best path to a node. Of several it is the best, and of equal ones the first by number,
    /// as in the plain search.
    fn before<T: EscalatingGuide>(&self, guide: &mut T, node: Node, merit: Merit) -> Option<(Node, Merit)> {
        if self.sources.contains(&(node, merit)) {
            return None;
        }
        let mut found: Option<(Node, Merit)> = None;
        for direction in Direction::ALL {
            let Some(from) = guide.topology().neighbour(node.hex, direction) else { continue };
            let best = self.best[at(from)];
            let shorter = |other: &Merit| other.worth() > 0 && other.hexes() + 1 == merit.hexes();
            if !best.iter().any(shorter) || !self.hexes.contains(from) || self.ends.contains(from) {
                continue;
            }
            let toward = direction.opposite();
            let step = guide.steps(from)[toward.index()];
            let met = guide.obstacles().contains(node.hex).then(|| guide.meet(from, toward, node.hex));
            let Some(met) = met.unwrap_or(Some(Met::NOTHING)) else { continue };
            for (layer, its) in best.into_iter().enumerate().take(LAYERS) {
                let other = Node { hex: from, layer: layer as u8 };
                if !shorter(&its) || self.is_outdone(other, its) {
                    continue;
                }
                let escalates = step >> 7;
                let extra = if layer == LAST { guide.extra() } else { 0 };
                let cost = u16::from((step & SHUT) + extra * escalates);
                let leads_here = other.layer_after(escalates) == node.layer()
                    && its.delayed(leaving(guide, from, its)).after(cost).delayed(met.delay) == merit;
                let better = found.is_none_or(|(known, best)| its > best || its == best && other < known);
                if leads_here && better {
                    found = Some((other, its));
                }
            }
        }
        debug_assert!(found.is_some(), "every path begins at a source");
        found
    }
}

/// What it costs to leave this hex besides the step itself.
#[inline]
fn leaving<T: EscalatingGuide>(guide: &T, here: HexId, merit: Merit) -> u16 {
    if here == guide.start() && merit.hexes() == 0 { guide.leave() } else { 0 }
}
