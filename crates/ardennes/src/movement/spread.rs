//! The search behind every list of moves: Dijkstra's, with one bucket for each quarter point. Movement allowances are
//! small, so a bucket is a short list; the memory is kept from search to search.

use hexgrid::{Direction, HexId};

use super::{
    lay::{HEXES, Lay, Row, at},
    obstacles::Obstacles,
    profile::Profile,
    reach::Door,
};
use crate::{action::Path, rules::Ardennes, state::State};

/// More quarter points than anybody has: 14 MP of Strategic Movement (12.1) with room to spare.
const MAX_BUDGET: usize = 126;
/// One bucket for each number of points left, and one for none.
const BUCKETS: usize = MAX_BUDGET + 2;
/// Room for every offer: a hex is offered once for each neighbour at most, and once as a source.
const OFFERS: usize = 8 * HEXES;
/// No offer.
const NOBODY: u16 = u16::MAX;
/// In place of the direction by which a source was entered.
const SOURCE: u8 = 6;

/// One search after the other in the same memory.
#[derive(Debug)]
pub(super) struct Spread(Box<Ways>);

/// The cheapest ways found so far.
#[derive(Debug)]
struct Ways {
    /// What the best way to a hex leaves of the budget, and one: nothing is left where no way leads, so that one comparison
    /// tells whether a step can be paid and whether it leads to something better.
    left: Box<[u8; NUMBERS]>,
    /// The direction by which a hex was entered, or [`SOURCE`]; of the last search where something is left.
    entered: [u8; HEXES],
    /// For each number of points left the last hex that was offered with it, as a place in `offers`; [`NOBODY`] for none.
    buckets: [u16; BUCKETS],
    offers: Box<[Offer; OFFERS]>,
    offered: usize,
    /// Hexes reached with their costs, cheapest first.
    reached: [(HexId, u8); HEXES],
    /// … how many.
    count: usize,
    /// What was to be spent, and one.
    purse: usize,
}

/// Every number that a hex can have, [`HexId::NONE`] among them: no index needs to be checked or cut.
const NUMBERS: usize = 1 << 16;

/// A way to a hex that was the best so far.
#[derive(Clone, Copy, Debug)]
struct Offer {
    /// The hex, with [`Offer::STOP`] or [`Offer::START`].
    hex: u16,
    /// The offer before it that leaves as much.
    before: u16,
}

impl Offer {
    /// The move ends there.
    const STOP: u16 = 0x8000;
    /// The unit stands there.
    const START: u16 = 0x4000;

    #[inline]
    fn hex(self) -> HexId {
        HexId(self.hex % HEXES as u16)
    }
}

impl Default for Spread {
    fn default() -> Self {
        let offers = vec![Offer { hex: 0, before: NOBODY }; OFFERS].into_boxed_slice();
        Spread(Box::new(Ways {
            left: vec![0; NUMBERS].into_boxed_slice().try_into().expect("there are as many as that"),
            entered: [SOURCE; HEXES],
            buckets: [NOBODY; BUCKETS],
            offers: offers.try_into().expect("there are as many as that"),
            offered: 0,
            reached: [(HexId::NONE, 0); HEXES],
            count: 0,
            purse: 0,
        }))
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
        let purse = budget + 1;
        let (land, anything) = (&rules.land, obstacles.anything());
        let ways = &mut *self.0;
        ways.start_anew(rules.land.hexes.len(), purse);
        let affordable = |door: &&Door| usize::from(door.cost) <= budget;
        for (n, source) in sources.iter().enumerate().filter(|(_, door)| affordable(door)) {
            // Of a hex that is named twice the last counts.
            let mut later = sources[n + 1..].iter().filter(affordable);
            if !later.any(|later| later.hex == source.hex) {
                let flag = if source.hex == p.start {
                    Offer::START
                } else if s.in_ezoc(p.side, source.hex) {
                    Offer::STOP // 13.1
                } else {
                    0
                };
                ways.offer(source.hex, purse - usize::from(source.cost), SOURCE, flag);
            }
        }
        for left in (1..=purse).rev() {
            while let Some(mut next) = ways.take_all_at(left) {
                while next != NOBODY {
                    let offer = ways.offers[usize::from(next) % OFFERS];
                    next = offer.before;
                    let here = offer.hex();
                    if usize::from(ways.left[here.index()]) != left {
                        continue; // a cheaper way was found since
                    }
                    ways.reached[ways.count % HEXES] = (here, (purse - left) as u8);
                    ways.count += 1;
                    if offer.hex & Offer::STOP != 0 {
                        continue;
                    }
                    let row = lay.quick_row(p.mover, here);
                    if row.ask != 0 || offer.hex & Offer::START != 0 {
                        let row = lay.row(rules, s, p, here);
                        ways.go_on(rules, s, p, obstacles, here, row, left);
                        continue;
                    }
                    if left <= usize::from(row.cheapest) {
                        continue;
                    }
                    let neighbours = land.around(here);
                    let (mut better, steps) = ways.better(neighbours, &row, left);
                    while better != 0 {
                        let place = better.trailing_zeros() & !7;
                        better &= better - 1;
                        let Some(&to) = neighbours.get(place as usize / 8) else { break };
                        let left = left - (steps >> place) as usize % 256;
                        let direction = place as u8 / 8;
                        if anything.contains(to) {
                            ways.meet(rules, s, p, obstacles, here, direction, to, left);
                        } else {
                            ways.offer(to, left, direction, 0);
                        }
                    }
                }
            }
        }
    }

    pub fn reached(&self) -> &[(HexId, u8)] {
        &self.0.reached[..self.0.count.min(HEXES)]
    }

    pub fn cost(&self, hex: HexId) -> Option<u16> {
        let left = usize::from(self.0.left[hex.index()]);
        (left > 0).then(|| (self.0.purse - left) as u16)
    }

    /// The cheapest way to a hex: its source, and the steps.
    pub fn way(&self, rules: &Ardennes, hex: HexId) -> Option<(HexId, Path)> {
        self.cost(hex)?;
        let (mut here, mut first) = (hex, Path::MAX);
        let mut steps = [Direction::ALL[0]; Path::MAX];
        while let Ok(direction) = Direction::try_from(self.0.entered[at(here)]) {
            first = first.checked_sub(1)?;
            steps[first] = direction;
            here = rules.map.board.neighbour(here, direction.opposite())?;
        }
        Some((here, steps[first..].iter().copied().collect()))
    }

    /// Was the hex entered straight from a source, and in which direction?
    pub fn step_from_source(&self, rules: &Ardennes, hex: HexId) -> Option<Direction> {
        let direction = Direction::try_from(self.0.entered[at(hex)]).ok()?;
        let from = rules.land.around(hex)[direction.opposite().index()];
        (self.0.entered[at(from)] == SOURCE).then_some(direction)
    }
}

impl Ways {
    fn start_anew(&mut self, hexes: usize, purse: usize) {
        // In pieces: larger ones are cleared by an instruction that is slow to begin.
        self.left[..hexes.min(NUMBERS)].chunks_mut(1024).for_each(|piece| piece.fill(0));
        self.buckets.fill(NOBODY);
        (self.offered, self.count, self.purse) = (0, 0, purse);
    }

    /// All offers that leave so much: the last of them, and with it those before.
    #[inline]
    fn take_all_at(&mut self, left: usize) -> Option<u16> {
        let last = std::mem::replace(&mut self.buckets[left % BUCKETS], NOBODY);
        (last != NOBODY).then_some(last)
    }

    #[inline]
    fn offer(&mut self, hex: HexId, left: usize, entered: u8, flag: u16) {
        self.left[hex.index()] = left as u8;
        self.entered[at(hex)] = entered;
        let bucket = &mut self.buckets[left % BUCKETS];
        self.offers[self.offered % OFFERS] = Offer { hex: hex.0 | flag, before: *bucket };
        *bucket = self.offered as u16;
        self.offered += 1;
    }

    /// The directions in which a step can be paid and leaves more than any way there so far: the highest bit of the byte of
    /// each; and the steps in the same places. All six are compared at once, in the bytes of one word; no number in them is
    /// above 127.
    #[inline]
    fn better(&self, neighbours: &[HexId; 6], row: &Row, left: usize) -> (u64, u64) {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const HIGHEST: u64 = 0x80 * ONES;
        /// Two bytes of the row are no steps: nothing is better there.
        const NO_STEPS: u64 = 0x7F7F << 48;
        let mut there = NO_STEPS;
        for (direction, to) in neighbours.iter().enumerate() {
            there |= u64::from(self.left[to.index()]) << (8 * direction);
        }
        let [a, b, c, d, e, f] = row.steps;
        let steps = u64::from_le_bytes([a, b, c, d, e, f, 0, 0]);
        // The highest bit stays where no more is taken away than there is.
        let paid = ((left as u64 * ONES) | HIGHEST) - steps;
        let more = (paid | HIGHEST) - (there + ONES);
        (paid & more & HIGHEST, steps)
    }

    fn offer_if_better(&mut self, hex: HexId, left: usize, direction: u8, stop: bool) {
        if left > usize::from(self.left[hex.index()]) {
            self.offer(hex, left, direction, if stop { Offer::STOP } else { 0 });
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
        direction: u8,
        to: HexId,
        left: usize,
    ) {
        if let Some(met) = obstacles.met(rules, s, p, from, direction.into(), to) {
            let left = left.saturating_sub(usize::from(met.delay));
            self.offer_if_better(to, left, direction, met.stop);
        }
    }

    /// From a hex with steps that must be asked about, or from the start, which may cost something to leave (9.2).
    fn go_on(
        &mut self,
        rules: &Ardennes,
        s: &State,
        p: &Profile,
        obstacles: &Obstacles,
        here: HexId,
        row: Row,
        left: usize,
    ) {
        let (mut ask, mut leave) = (row.ask, 0);
        if here == p.start {
            ask |= if p.echternach { rules.echternach_bit() } else { 0 };
            leave = usize::from(p.leave);
        }
        let neighbours = rules.land.around(here);
        for (direction, (&to, step)) in (0..).zip(neighbours.iter().zip(row.steps)) {
            if ask >> direction & 1 == 1 {
                // A hard crossing is made from the start or beside it (1E 11.4), so no way makes two.
                if let Ok(pace) = rules.pace(s, p, here, Direction::from_index(direction.into()), false) {
                    let left = left.saturating_sub(usize::from(pace.cost));
                    self.offer_if_better(to, left, direction, pace.stop);
                }
                continue;
            }
            let left = left.saturating_sub(leave + usize::from(step));
            if left <= usize::from(self.left[to.index()]) {
                continue;
            }
            if obstacles.anything().contains(to) {
                self.meet(rules, s, p, obstacles, here, direction, to, left);
            } else {
                self.offer(to, left, direction, 0);
            }
        }
    }
}
