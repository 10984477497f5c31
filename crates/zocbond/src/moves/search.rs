//! The search behind every list of moves: Dijkstra's algorithm with one bucket for each number of points left. Movement
//! allowances are small, so a bucket is a short list; the memory is reused from search to search.

use hexgrid::{Direction, HexId};

use super::{
    ASK, Door, Goal, Guide, MAX_BUDGET,
    costs::{MARGIN, NEIGHBOUR_BYTES, PATTERNS, Pattern, Patterns, Row, Steps, at, direction_at},
};
use crate::{HEXES, Path, Topology};

/// One bucket for each number of points left.
const BUCKETS: usize = MAX_BUDGET + 2;
/// Capacity for every offer: a hex is offered at most once for each neighbour, and once as a source.
const OFFERS: usize = 8 * HEXES;
/// Capacity for every step out of the hexes that are settled at once.
const QUEUE: usize = 8 * HEXES;
/// No offer.
const NOBODY: u16 = u16::MAX;
/// Stored instead of a direction for sources: no direction has this [byte](NEIGHBOUR_BYTES).
const SOURCE: u8 = 0;

/// Memory for one search after another.
#[derive(Debug)]
pub struct Search(Box<Ways>);

/// The cheapest paths found so far.
#[derive(Debug)]
struct Ways {
    /// What the best path to each hex leaves of the budget, plus one; 0 for no path, so that one comparison shows
    /// whether a step leads to a better one. Has a [`MARGIN`] at both ends.
    worth: [u8; HEXES + 2 * MARGIN],
    /// The [byte](NEIGHBOUR_BYTES) of the direction in which that path enters the hex, or [`SOURCE`].
    entered: [u8; HEXES],
    /// For each number of points left, the last offer with it, as an index into `offers`; [`NOBODY`] for none.
    buckets: [u16; BUCKETS],
    offered: usize,
    /// Hexes reached, cheapest first.
    reached: [Goal; HEXES],
    /// Entries of `reached`.
    count: usize,
    /// The budget.
    purse: usize,
    offers: [Offer; OFFERS],
    queue: Queue,
}

/// Steps that lead to a better path, in the order in which they are to be made.
#[derive(Debug)]
struct Queue {
    /// The hexes they start from, as the lower halves of their offers.
    from: [u16; QUEUE + 8],
    /// Their directions, as [bytes](NEIGHBOUR_BYTES).
    places: [u8; QUEUE + 8],
}

impl Queue {
    #[allow(clippy::large_stack_arrays)] // a constant, which goes to the heap
    const NONE: Queue = Queue { from: [0; QUEUE + 8], places: [0; QUEUE + 8] };

    /// Append the steps out of a hex that are set in `steps`, one bit per byte; returns the new length. Branch-free:
    /// always write eight entries, advance by the number that count.
    #[inline]
    fn add(&mut self, count: usize, from: u16, steps: u8) -> usize {
        let places = IN_ORDER[usize::from(steps)];
        let at = count % QUEUE;
        self.from[at..at + 8].fill(from);
        self.places[at..at + 8].copy_from_slice(&places.to_le_bytes());
        count + (places >> 56) as usize
    }
}

/// For each combination of [`NEIGHBOUR_BYTES`]: the numbers of those that are set, one byte each, in the order of their
/// directions; the highest byte holds their count.
const IN_ORDER: [u64; 256] = {
    let mut all = [0; 256];
    let mut bits = 0;
    while bits < all.len() {
        let (mut direction, mut count, mut places) = (0, 0, 0);
        while direction < NEIGHBOUR_BYTES.len() {
            let place = NEIGHBOUR_BYTES[direction] as u64;
            if bits >> place & 1 == 1 {
                places |= place << (8 * count);
                count += 1;
            }
            direction += 1;
        }
        all[bits] = places | count << 56;
        bits += 1;
    }
    all
};

/// A path to a hex that was the best so far. The lower half holds the hex, the [kind](Row::kind) of its row and
/// [`Offer::END`]; the upper half holds the previous offer with the same number of points left.
#[derive(Clone, Copy, Debug)]
struct Offer(u32);

impl Offer {
    /// The move ends there.
    const END: u32 = 1 << 15;
    const KIND: u32 = 12;
    const SPECIAL: u32 = (Row::SPECIAL as u32) << Self::KIND;

    #[inline]
    fn hex(self) -> HexId {
        HexId((self.0 % HEXES as u32) as u16)
    }

    #[inline]
    fn is(self, flags: u32) -> bool {
        self.0 & flags != 0
    }

    #[inline]
    fn pattern(self, patterns: &Patterns) -> &Pattern {
        &patterns[(self.0 >> Self::KIND) as usize % PATTERNS]
    }

    #[inline]
    fn before(self) -> u16 {
        (self.0 >> 16) as u16
    }
}

impl Default for Search {
    fn default() -> Self {
        Search(Box::new(Ways::NONE))
    }
}

impl Search {
    /// Compute everything that can be reached from these hexes, each with the cost already spent there. Obstacles are
    /// examined only in hexes that have any, and only when a cheaper path leads there.
    pub fn search<G: Guide>(&mut self, guide: &G, steps: &mut Steps, sources: &[Door], budget: u16) {
        let ways = &mut *self.0;
        ways.start_anew(usize::from(budget).min(MAX_BUDGET));
        ways.offer_sources(guide, steps, sources);
        ways.spread(guide, steps);
    }

    pub fn reached(&self) -> &[Goal] {
        &self.0.reached[..self.0.count.min(HEXES)]
    }

    pub fn cost(&self, hex: HexId) -> Option<u16> {
        let left = self.0.worth_of(hex).checked_sub(1)?;
        Some((self.0.purse - left) as u16)
    }

    /// The cheapest path to a hex: its source and its steps.
    pub fn way(&self, topology: &Topology, hex: HexId) -> Option<(HexId, Path)> {
        self.cost(hex)?;
        let (mut here, mut path) = (hex, Path::default());
        while let Some(direction) = direction_at(self.0.entered[at(here)]) {
            if !path.push_front(direction) {
                return None;
            }
            here = topology.beyond(here, direction.opposite()).some()?;
        }
        Some((here, path))
    }

    /// Whether the cheapest path enters the hex in this direction.
    pub fn enters(&self, hex: HexId, direction: Direction) -> bool {
        self.0.worth_of(hex) > 0 && self.0.entered[at(hex)] == NEIGHBOUR_BYTES[direction.index()]
    }
}

impl Ways {
    #[allow(clippy::large_stack_arrays)] // a constant, which goes to the heap
    const NONE: Ways = Ways {
        worth: [0; HEXES + 2 * MARGIN],
        entered: [SOURCE; HEXES],
        buckets: [NOBODY; BUCKETS],
        offered: 0,
        reached: [Goal::NONE; HEXES],
        count: 0,
        purse: 0,
        offers: [Offer(0); OFFERS],
        queue: Queue::NONE,
    };

    fn start_anew(&mut self, purse: usize) {
        for goal in &self.reached[..self.count.min(HEXES)] {
            self.worth[MARGIN + at(goal.hex())] = 0;
        }
        self.buckets.fill(NOBODY);
        (self.offered, self.count, self.purse) = (0, 0, purse);
    }

    #[inline]
    fn worth_of(&self, hex: HexId) -> usize {
        usize::from(self.worth[MARGIN + at(hex)])
    }

    fn offer_sources<G: Guide>(&mut self, guide: &G, steps: &Steps, sources: &[Door]) {
        let purse = self.purse;
        let affordable = |door: &&Door| usize::from(door.cost) <= purse;
        for (n, source) in sources.iter().enumerate().filter(|(_, door)| affordable(door)) {
            // If a hex is named twice, the last one counts.
            let mut later = sources[n + 1..].iter().filter(affordable);
            if later.any(|later| later.hex == source.hex) {
                continue;
            }
            let left = purse - usize::from(source.cost);
            let start = source.hex == guide.start();
            if start && (guide.leave() > 0 || guide.ask_from_start() != 0) {
                self.push(source.hex, left, SOURCE, Offer::SPECIAL);
            } else {
                let stop = !start && guide.stops_in(source.hex);
                self.offer(steps, source.hex, left, SOURCE, stop);
            }
        }
    }

    /// Extend the search from the hexes on offer to all others. The common path has no branch that depends on the data.
    fn spread<G: Guide>(&mut self, guide: &G, steps: &mut Steps) {
        let (mut count, purse) = (0, self.purse);
        for left in (0..=purse).rev() {
            while let Some(mut next) = self.take_all_at(left) {
                let mut queued = 0;
                while next != NOBODY {
                    let offer = self.offers[usize::from(next) % OFFERS];
                    next = offer.before();
                    let here = offer.hex();
                    if self.worth_of(here) != left + 1 {
                        continue; // a cheaper path has been found since
                    }
                    self.reached[count % HEXES] = Goal::new(here, (purse - left) as u16);
                    count += 1;
                    if offer.is(Offer::END | Offer::SPECIAL) {
                        if !offer.is(Offer::END) {
                            self.offer_queued(guide, steps, queued, left);
                            queued = 0;
                            self.go_on(guide, steps, here, left);
                        }
                        continue;
                    }
                    let better = self.better(here, offer.pattern(steps.patterns), steps.rows[at(here)], left);
                    queued = self.queue.add(queued, offer.0 as u16, better);
                }
                self.offer_queued(guide, steps, queued, left);
            }
        }
        self.count = count;
    }

    /// Make offers for the steps in the queue, from hexes with this much left.
    #[inline]
    fn offer_queued<G: Guide>(&mut self, guide: &G, steps: &Steps, queued: usize, left: usize) {
        let anything = guide.obstacles();
        for n in 0..queued.min(QUEUE) {
            let (from, place) = (Offer(self.queue.from[n].into()), self.queue.places[n] % 8);
            let here = from.hex();
            let left = left - usize::from(steps.rows[at(here)].step(place));
            let to = here.index() + usize::from(from.pattern(steps.patterns).0[usize::from(place)]) - MARGIN;
            let to = HexId((to % HEXES) as u16);
            if left < self.worth_of(to) {
                continue; // another step in the queue led there
            }
            if anything.contains(to) {
                self.meet(guide, steps, here, place, to, left);
            } else {
                self.offer(steps, to, left, place, false);
            }
        }
    }

    /// All offers with this many points left: returns the last, which links to those before it.
    #[inline]
    fn take_all_at(&mut self, left: usize) -> Option<u16> {
        let last = std::mem::replace(&mut self.buckets[left % BUCKETS], NOBODY);
        (last != NOBODY).then_some(last)
    }

    /// Offer a better path to a hex. Reading its row now brings it into the cache for later.
    #[inline]
    fn offer(&mut self, steps: &Steps, hex: HexId, left: usize, entered: u8, stop: bool) {
        let kind = u32::from(steps.rows[at(hex)].kind());
        self.push(hex, left, entered, kind << Offer::KIND | if stop { Offer::END } else { 0 });
    }

    #[inline]
    fn push(&mut self, hex: HexId, left: usize, entered: u8, flags: u32) {
        self.worth[MARGIN + at(hex)] = (left + 1) as u8;
        self.entered[at(hex)] = entered;
        let bucket = &mut self.buckets[left % BUCKETS];
        self.offers[self.offered % OFFERS] = Offer(u32::from(hex.0) | flags | u32::from(*bucket) << 16);
        *bucket = self.offered as u16;
        self.offered += 1;
    }

    /// The steps that can be paid for and lead to a better path than any so far, one bit per [byte](NEIGHBOUR_BYTES).
    /// All six are compared at once, in the bytes of one word; no byte exceeds 127.
    #[inline]
    fn better(&self, here: HexId, pattern: &Pattern, row: Row, left: usize) -> u8 {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const HIGHEST: u64 = 0x80 * ONES;
        /// The bytes of the hex itself and of the hex above the upper neighbour are ignored.
        const OF_STEPS: u64 = ONES & !0x00FF_00FF;
        /// Gathers the lowest bits of eight bytes in the highest byte.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let (before, after) = pattern.columns();
        let (here, worth) = (at(here), &self.worth);
        let two = |place: usize| u16::from_le_bytes([worth[place], worth[place + 1]]);
        let four = |place: usize| u32::from(two(place)) | u32::from(two(place + 2)) << 16;
        let there = u64::from(four(here + MARGIN - 2))
            | u64::from(two(here + before)) << 32
            | u64::from(two(here + after)) << 48;
        // The highest bit of a byte survives where the subtraction does not underflow.
        let paid = ((left as u64 * ONES) | HIGHEST) - row.0;
        let more = (paid | HIGHEST) - there;
        (((paid & more) >> 7 & OF_STEPS).wrapping_mul(GATHER) >> 56) as u8
    }

    fn offer_if_better(&mut self, steps: &Steps, hex: HexId, left: usize, place: u8, stop: bool) {
        if left >= self.worth_of(hex) {
            self.offer(steps, hex, left, place, stop);
        }
    }

    /// Enter a hex with an obstacle.
    #[inline(never)]
    fn meet<G: Guide>(&mut self, guide: &G, steps: &Steps, from: HexId, byte: u8, to: HexId, left: usize) {
        if let Some(direction) = direction_at(byte)
            && let Some(met) = guide.meet(from, direction, to)
            && let Some(left) = left.checked_sub(usize::from(met.delay))
        {
            self.offer_if_better(steps, to, left, byte, met.stop);
        }
    }

    /// Extend the search from a hex with steps that must be asked about or have not been computed, or from the start if
    /// leaving it costs something.
    #[inline(never)]
    fn go_on<G: Guide>(&mut self, guide: &G, steps: &mut Steps, here: HexId, left: usize) {
        let row = steps.row(guide, here);
        let (mut ask, mut leave) = (0, 0);
        if here == guide.start() {
            (ask, leave) = (guide.ask_from_start(), usize::from(guide.leave()));
        }
        let neighbours = guide.topology().around(here);
        for ((direction, &to), byte) in Direction::ALL.into_iter().zip(neighbours).zip(NEIGHBOUR_BYTES) {
            let step = row.step(byte);
            if step == ASK || ask >> direction.index() & 1 == 1 {
                if let Some(pace) = guide.pace(here, direction, false)
                    && let Some(left) = left.checked_sub(usize::from(pace.cost))
                {
                    self.offer_if_better(steps, to, left, byte, pace.stop);
                }
                continue;
            }
            let left = left.checked_sub(leave + usize::from(step));
            let Some(left) = left.filter(|left| *left >= self.worth_of(to)) else { continue };
            if guide.obstacles().contains(to) {
                self.meet(guide, steps, here, byte, to, left);
            } else {
                self.offer(steps, to, left, byte, false);
            }
        }
    }
}
