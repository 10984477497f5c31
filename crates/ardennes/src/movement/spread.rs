//! The search behind every list of moves: Dijkstra's, with one bucket for each quarter point. Movement allowances are
//! small, so a bucket is a short list; the memory is kept from search to search.

use hexgrid::{Direction, HexId};

use super::{
    lay::{MARGIN, PATTERNS, Pattern, Patterns, Row, Steps, at},
    obstacles::Obstacles,
    profile::Profile,
    reach::Door,
};
use crate::{
    action::Path,
    rules::Ardennes,
    state::State,
    terrain::{ASK, HEXES},
};

/// More quarter points than anybody has: 14 MP of Strategic Movement (12.1) with room to spare.
const MAX_BUDGET: usize = 126;
/// One bucket for each number of points left.
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
    /// The best way to each hex, with a [`MARGIN`] on both sides.
    best: [Way; HEXES + 2 * MARGIN],
    /// For each number of points left the last hex that was offered with it, as a place in `offers`; [`NOBODY`] for none.
    buckets: [u16; BUCKETS],
    offered: usize,
    /// Hexes reached with their costs, cheapest first.
    reached: [(HexId, u8); HEXES],
    /// … how many.
    count: usize,
    /// What was to be spent.
    purse: usize,
    offers: [Offer; OFFERS],
}

/// A way to a hex, or none, written in one piece.
#[derive(Clone, Copy, Debug)]
struct Way(u16);

impl Way {
    const NONE: Way = Way(0);

    /// What it leaves, and the direction by which the hex was entered, or [`SOURCE`].
    #[inline]
    fn new(left: usize, entered: u8) -> Way {
        Way((left + 1) as u8 as u16 | u16::from(entered) << 8)
    }

    /// How good it is: what it leaves of the budget, and one. Nothing is worse than no way, so that one comparison tells
    /// whether a step leads to something better.
    #[inline]
    fn worth(self) -> usize {
        usize::from(self.0 as u8)
    }

    fn entered(self) -> u8 {
        (self.0 >> 8) as u8
    }
}

/// A way to a hex that was the best so far: in the lower half the hex, the [kind](Row::kind) of its row and
/// [`Offer::END`]; in the upper half the offer before it that leaves as much.
#[derive(Clone, Copy, Debug)]
struct Offer(u32);

impl Offer {
    /// The move ends there, or nothing is left that would pay a step.
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

/// All that a search goes by, besides the land.
struct Setting<'a> {
    rules: &'a Ardennes,
    s: &'a State,
    p: &'a Profile,
    obstacles: &'a Obstacles,
}

impl Default for Spread {
    fn default() -> Self {
        Spread(Box::new(Ways::NONE))
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
        steps: &mut Steps,
        obstacles: &Obstacles,
        sources: &[Door],
        budget: u16,
    ) {
        let setting = Setting { rules, s, p, obstacles };
        let ways = &mut *self.0;
        ways.start_anew(usize::from(budget).min(MAX_BUDGET));
        ways.offer_sources(&setting, steps, sources);
        ways.spread(&setting, steps);
    }

    pub fn reached(&self) -> &[(HexId, u8)] {
        &self.0.reached[..self.0.count.min(HEXES)]
    }

    pub fn cost(&self, hex: HexId) -> Option<u16> {
        let left = self.0.best_to(hex).worth().checked_sub(1)?;
        Some((self.0.purse - left) as u16)
    }

    /// The cheapest way to a hex: its source, and the steps.
    pub fn way(&self, rules: &Ardennes, hex: HexId) -> Option<(HexId, Path)> {
        self.cost(hex)?;
        let (mut here, mut path) = (hex, Path::default());
        while let Ok(direction) = Direction::try_from(self.0.best_to(here).entered()) {
            if !path.push_front(direction) {
                return None;
            }
            here = rules.land.beyond(here, direction.opposite()).some()?;
        }
        Some((here, path))
    }

    /// Does the cheapest way enter the hex in this direction?
    pub fn enters(&self, hex: HexId, direction: Direction) -> bool {
        usize::from(self.0.best_to(hex).entered()) == direction.index()
    }
}

impl Ways {
    #[allow(clippy::large_stack_arrays)] // a constant, which goes to the heap
    const NONE: Ways = Ways {
        best: [Way::NONE; HEXES + 2 * MARGIN],
        buckets: [NOBODY; BUCKETS],
        offered: 0,
        reached: [(HexId::NONE, 0); HEXES],
        count: 0,
        purse: 0,
        offers: [Offer(0); OFFERS],
    };

    fn start_anew(&mut self, purse: usize) {
        for &(hex, _) in &self.reached[..self.count.min(HEXES)] {
            self.best[MARGIN + at(hex)] = Way::NONE;
        }
        self.buckets.fill(NOBODY);
        (self.offered, self.count, self.purse) = (0, 0, purse);
    }

    #[inline]
    fn best_to(&self, hex: HexId) -> Way {
        self.best[MARGIN + at(hex)]
    }

    fn offer_sources(&mut self, setting: &Setting, steps: &Steps, sources: &[Door]) {
        let (p, purse) = (setting.p, self.purse);
        let affordable = |door: &&Door| usize::from(door.cost) <= purse;
        for (n, source) in sources.iter().enumerate().filter(|(_, door)| affordable(door)) {
            // Of a hex that is named twice the last counts.
            let mut later = sources[n + 1..].iter().filter(affordable);
            if later.any(|later| later.hex == source.hex) {
                continue;
            }
            let left = purse - usize::from(source.cost);
            let start = source.hex == p.start;
            if start && (p.leave > 0 || p.echternach) {
                self.push(source.hex, left, SOURCE, Offer::SPECIAL); // 9.2, 29.2
            } else {
                let stop = !start && setting.s.in_ezoc(p.side, source.hex); // 13.1
                self.offer(steps, source.hex, left, SOURCE, stop);
            }
        }
    }

    /// From the hexes that were offered to all others.
    fn spread(&mut self, setting: &Setting, steps: &mut Steps) {
        let (anything, purse) = (setting.obstacles.anything(), self.purse);
        let mut count = 0;
        for left in (0..=purse).rev() {
            while let Some(mut next) = self.take_all_at(left) {
                while next != NOBODY {
                    let offer = self.offers[usize::from(next) % OFFERS];
                    next = offer.before();
                    let here = offer.hex();
                    if self.best_to(here).worth() != left + 1 {
                        continue; // a cheaper way was found since
                    }
                    self.reached[count % HEXES] = (here, (purse - left) as u8);
                    count += 1;
                    if offer.is(Offer::END | Offer::SPECIAL) {
                        if !offer.is(Offer::END) {
                            self.go_on(setting, steps, here, left);
                        }
                        continue;
                    }
                    let pattern = offer.pattern(steps.patterns);
                    let (mut better, paid) = self.better(here, pattern, steps.rows[at(here)], left);
                    while better != 0 {
                        let place = better.trailing_zeros() & !7;
                        better &= better - 1;
                        let direction = place as u8 / 8;
                        let left = (paid >> place) as usize % 128;
                        let to = here.index() + usize::from(pattern.0[usize::from(direction)]) - MARGIN;
                        let to = HexId((to % HEXES) as u16);
                        if anything.contains(to) {
                            self.meet(setting, steps, here, direction, to, left);
                        } else {
                            self.offer(steps, to, left, direction, false);
                        }
                    }
                }
            }
        }
        self.count = count;
    }

    /// All offers that leave so much: the last of them, and with it those before.
    #[inline]
    fn take_all_at(&mut self, left: usize) -> Option<u16> {
        let last = std::mem::replace(&mut self.buckets[left % BUCKETS], NOBODY);
        (last != NOBODY).then_some(last)
    }

    /// A better way to a hex. Its row is read now, and once more when the hex is taken: by then it is near.
    #[inline]
    fn offer(&mut self, steps: &Steps, hex: HexId, left: usize, entered: u8, stop: bool) {
        let row = steps.rows[at(hex)];
        let end = if stop || left < usize::from(row.cheapest()) { Offer::END } else { 0 };
        self.push(hex, left, entered, u32::from(row.kind()) << Offer::KIND | end);
    }

    #[inline]
    fn push(&mut self, hex: HexId, left: usize, entered: u8, flags: u32) {
        self.best[MARGIN + at(hex)] = Way::new(left, entered);
        let bucket = &mut self.buckets[left % BUCKETS];
        self.offers[self.offered % OFFERS] = Offer(u32::from(hex.0) | flags | u32::from(*bucket) << 16);
        *bucket = self.offered as u16;
        self.offered += 1;
    }

    /// The directions in which a step can be paid and leads to something better than any way there so far: the highest bit of
    /// the byte of each; and in the other bits what the steps leave. All six are compared at once, in the bytes of one word;
    /// no number in them is above 127.
    #[inline]
    fn better(&self, here: HexId, pattern: &Pattern, row: Row, left: usize) -> (u64, u64) {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const HIGHEST: u64 = 0x80 * ONES;
        /// The two bytes above the steps count for nothing.
        const OF_STEPS: u64 = HIGHEST >> 16;
        let here = at(here);
        let [_, _, before, _, after, ..] = pattern.0;
        let (before, after) = (here + usize::from(before), here + usize::from(after));
        let worth_at = |place: usize| self.best[place].worth() as u64;
        let there = worth_at(here + MARGIN + 1)
            | worth_at(before + 1) << 8
            | worth_at(before) << 16
            | worth_at(here + MARGIN - 1) << 24
            | worth_at(after) << 32
            | worth_at(after + 1) << 40;
        // The highest bit stays where no more is taken away than there is.
        let paid = ((left as u64 * ONES) | HIGHEST) - row.0;
        let more = (paid | HIGHEST) - there;
        (paid & more & OF_STEPS, paid)
    }

    fn offer_if_better(&mut self, steps: &Steps, hex: HexId, left: usize, direction: u8, stop: bool) {
        if left >= self.best_to(hex).worth() {
            self.offer(steps, hex, left, direction, stop);
        }
    }

    /// Into a hex with something in it besides land.
    #[inline(never)]
    fn meet(&mut self, setting: &Setting, steps: &Steps, from: HexId, direction: u8, to: HexId, left: usize) {
        let Setting { rules, s, p, obstacles } = *setting;
        if let Some(met) = obstacles.met(rules, s, p, from, direction.into(), to)
            && let Some(left) = left.checked_sub(usize::from(met.delay))
        {
            self.offer_if_better(steps, to, left, direction, met.stop);
        }
    }

    /// From a hex with steps that must be asked about or are not known yet, or from the start if it costs something to leave it
    /// (9.2).
    #[inline(never)]
    fn go_on(&mut self, setting: &Setting, steps: &mut Steps, here: HexId, left: usize) {
        let Setting { rules, s, p, obstacles } = *setting;
        let row = steps.row(rules, s, p, here);
        let (mut ask, mut leave) = (0, 0);
        if here == p.start {
            ask = if p.echternach { rules.echternach_bit() } else { 0 };
            leave = usize::from(p.leave);
        }
        let neighbours = rules.land.around(here);
        for (direction, (&to, step)) in (0..).zip(neighbours.iter().zip(row.steps())) {
            if step == ASK || ask >> direction & 1 == 1 {
                // A hard crossing is made from the start or beside it (1E 11.4), so no way makes two.
                if let Ok(pace) = rules.pace(s, p, here, Direction::from_index(direction.into()), false)
                    && let Some(left) = left.checked_sub(usize::from(pace.cost))
                {
                    self.offer_if_better(steps, to, left, direction, pace.stop);
                }
                continue;
            }
            let left = left.checked_sub(leave + usize::from(step));
            let Some(left) = left.filter(|left| *left >= self.best_to(to).worth()) else { continue };
            if obstacles.anything().contains(to) {
                self.meet(setting, steps, here, direction, to, left);
            } else {
                self.offer(steps, to, left, direction, false);
            }
        }
    }
}
