//! Where a unit can get to, and at what cost: Dijkstra's search over small integer costs.
//!
//! The game says what each step costs; the flood knows only the board. Its memory is kept from one run to the next,
//! so that a run allocates nothing and forgets the last one by counting up a number.

use crate::{Board, Direction, HexId, HexSet};

/// What the game says of one step from a hex to its neighbour. Costs are in the game's smallest
/// unit, such as quarter movement points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// May enter at this cost, and move on.
    Enter(u16),
    /// May enter at this cost, but must stop there. (By another side it may be allowed to move on, at another cost; the
    /// flood keeps both.)
    EnterAndStop(u16),
    Forbidden,
}

/// The reusable memory and the result of a search.
#[derive(Clone, Debug)]
pub struct Flood {
    records: Vec<Record>,
    /// Records of other runs carry other numbers.
    epoch: u32,
    reached: Vec<HexId>,
    queue: Queue,
}

/// What is known of a hex.
#[derive(Clone, Copy, Debug)]
struct Record {
    epoch: u32,
    /// Least cost to stand here and be free to move on.
    go: u16,
    /// Least cost to stand here having had to stop.
    stop: u16,
    go_from: u8,
    stop_from: u8,
    reached: Reached,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reached {
    No,
    Going,
    Stopping,
}

/// A cost that no budget allows.
const UNREACHED: u16 = u16::MAX;
/// In place of the direction by which a source was entered.
const SOURCE: u8 = 6;

impl Default for Flood {
    fn default() -> Self {
        Flood::new()
    }
}

impl Flood {
    /// The highest budget; a higher one counts as this.
    pub const MAX_BUDGET: u16 = UNREACHED - 1;

    /// Takes its memory at the first run.
    pub fn new() -> Flood {
        Flood { records: Vec::new(), epoch: 0, reached: Vec::new(), queue: Queue::new() }
    }

    /// Finds every hex that can be reached from `source` within the budget.
    ///
    /// `step` is asked about each step from a hex that can be moved on from; once or never for each.
    pub fn run(
        &mut self,
        board: &Board,
        source: HexId,
        budget: u16,
        step: impl FnMut(HexId, Direction, HexId) -> Step,
    ) {
        self.run_until(board, &[(source, 0)], budget, step, |_| false);
    }

    /// Searches only until `target` is reached, and gives the cost.
    pub fn run_to(
        &mut self,
        board: &Board,
        source: HexId,
        target: HexId,
        budget: u16,
        step: impl FnMut(HexId, Direction, HexId) -> Step,
    ) -> Option<u16> {
        let found = self.run_until(board, &[(source, 0)], budget, step, |hex| hex == target)?;
        self.cost(found)
    }

    /// Searches from several hexes, each with what it has cost already, until `goal` holds for the next
    /// cheapest hex, and gives that hex. The goal may hold for a source.
    pub fn run_until(
        &mut self,
        board: &Board,
        sources: &[(HexId, u16)],
        budget: u16,
        mut step: impl FnMut(HexId, Direction, HexId) -> Step,
        mut goal: impl FnMut(HexId) -> bool,
    ) -> Option<HexId> {
        let budget = budget.min(Self::MAX_BUDGET);
        self.forget(board);
        for &(source, cost) in sources {
            if board.checked(source).is_some() && cost <= budget {
                self.offer_go(source, cost, SOURCE);
            }
        }
        while let Some((entry, cost)) = self.queue.pop() {
            let here = entry.hex();
            let record = &mut self.records[here.index()];
            // A cheaper way was found after this entry was queued.
            let current = if entry.stopping() { record.stop } else { record.go };
            if current != cost {
                continue;
            }
            if record.reached == Reached::No {
                record.reached = if entry.stopping() { Reached::Stopping } else { Reached::Going };
                self.reached.push(here);
                if goal(here) {
                    return Some(here);
                }
            }
            if entry.stopping() {
                continue;
            }
            for (direction, &to) in Direction::ALL.into_iter().zip(board.neighbour_row(here)) {
                if to == HexId::NONE || self.go_cost(to) <= cost {
                    continue;
                }
                let (price, stops) = match step(here, direction, to) {
                    Step::Enter(price) => (price, false),
                    Step::EnterAndStop(price) => (price, true),
                    Step::Forbidden => continue,
                };
                let Some(total) = cost.checked_add(price).filter(|&total| total <= budget) else {
                    continue;
                };
                if stops {
                    self.offer_stop(to, total, direction as u8);
                } else {
                    self.offer_go(to, total, direction as u8);
                }
            }
        }
        None
    }

    /// The least cost of a hex; `None` if it was not reached.
    #[inline]
    pub fn cost(&self, hex: HexId) -> Option<u16> {
        let record = self.record(hex)?;
        match record.reached {
            Reached::No => None,
            Reached::Going => Some(record.go),
            Reached::Stopping => Some(record.stop),
        }
    }

    /// The least cost of a hex with leave to move on from it; `None` if there is no such way. Of use after a whole run.
    #[inline]
    pub fn cost_to_pass(&self, hex: HexId) -> Option<u16> {
        self.record(hex).map(|record| record.go).filter(|&cost| cost != UNREACHED)
    }

    /// Whether the cheapest way into a hex ends the move there.
    pub fn must_stop(&self, hex: HexId) -> bool {
        self.record(hex).is_some_and(|record| record.reached == Reached::Stopping)
    }

    /// The hexes reached, cheapest first, the sources among them.
    pub fn reached(&self) -> &[HexId] {
        &self.reached
    }

    /// The hexes reached as a set.
    pub fn reached_set(&self) -> HexSet {
        self.reached.iter().copied().collect()
    }

    /// The cheapest path to a hex, walked backwards: the hex itself first, the source last. Empty if it was not
    /// reached. `board` must be the one of the run.
    pub fn path_back<'a>(&'a self, board: &'a Board, hex: HexId) -> impl Iterator<Item = HexId> + 'a {
        let mut next = self.record(hex).filter(|r| r.reached != Reached::No).map(|record| {
            let stops = record.reached == Reached::Stopping;
            (hex, if stops { record.stop_from } else { record.go_from })
        });
        std::iter::from_fn(move || {
            let (here, from) = next?;
            next = Direction::try_from(from).ok().and_then(|direction| {
                let before = board.neighbour(here, direction.opposite())?;
                Some((before, self.record(before)?.go_from))
            });
            Some(here)
        })
    }

    /// The cheapest path to a hex from its source to itself, written over `path`; says whether there is one.
    pub fn path_into(&self, board: &Board, hex: HexId, path: &mut Vec<HexId>) -> bool {
        path.clear();
        path.extend(self.path_back(board, hex));
        path.reverse();
        !path.is_empty()
    }

    /// The cheapest path to a hex from its source to itself; empty if it was not reached.
    pub fn path(&self, board: &Board, hex: HexId) -> Vec<HexId> {
        let mut path = Vec::new();
        self.path_into(board, hex, &mut path);
        path
    }

    fn forget(&mut self, board: &Board) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            // After four thousand million runs the numbers start again.
            self.records.clear();
            self.epoch = 1;
        }
        if self.records.len() < board.len() {
            self.records.resize(board.len(), Record::untouched(0));
        }
        self.reached.clear();
        self.queue.clear();
    }

    fn record(&self, hex: HexId) -> Option<&Record> {
        self.records.get(hex.index()).filter(|record| record.epoch == self.epoch)
    }

    #[inline]
    fn go_cost(&self, hex: HexId) -> u16 {
        let record = &self.records[hex.index()];
        if record.epoch == self.epoch { record.go } else { UNREACHED }
    }

    #[inline]
    fn touch(&mut self, hex: HexId) -> &mut Record {
        let record = &mut self.records[hex.index()];
        if record.epoch != self.epoch {
            *record = Record::untouched(self.epoch);
        }
        record
    }

    #[inline]
    fn offer_go(&mut self, hex: HexId, cost: u16, from: u8) {
        let record = self.touch(hex);
        if cost < record.go {
            record.go = cost;
            record.go_from = from;
            self.queue.push(Entry::new(hex, false), cost);
        }
    }

    #[inline]
    fn offer_stop(&mut self, hex: HexId, cost: u16, from: u8) {
        let record = self.touch(hex);
        // Whoever may move on at this cost has nothing from having to stop.
        if cost < record.stop && cost < record.go {
            record.stop = cost;
            record.stop_from = from;
            self.queue.push(Entry::new(hex, true), cost);
        }
    }
}

impl Record {
    const fn untouched(epoch: u32) -> Record {
        Record {
            epoch,
            go: UNREACHED,
            stop: UNREACHED,
            go_from: SOURCE,
            stop_from: SOURCE,
            reached: Reached::No,
        }
    }
}

/// A hex and whether the way into it ends there.
#[derive(Clone, Copy, Debug)]
struct Entry(u16);

impl Entry {
    fn new(hex: HexId, stopping: bool) -> Entry {
        Entry(hex.0 << 1 | u16::from(stopping))
    }

    fn hex(self) -> HexId {
        HexId(self.0 >> 1)
    }

    fn stopping(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Entries by cost: a window of buckets, one for each cost, and a list of what lies beyond the window.
#[derive(Clone, Debug)]
struct Queue {
    /// The cost of bucket 0.
    base: u16,
    /// Which buckets hold anything; the heads of the others mean nothing.
    occupied: [u64; WINDOW / 64],
    heads: [u32; WINDOW],
    links: Vec<Link>,
    beyond: Vec<(Entry, u16)>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    entry: Entry,
    next: u32,
}

/// 64 movement points in quarters: most moves fit in one window.
const WINDOW: usize = 256;
const END: u32 = u32::MAX;

impl Queue {
    fn new() -> Queue {
        Queue {
            base: 0,
            occupied: [0; WINDOW / 64],
            heads: [END; WINDOW],
            links: Vec::new(),
            beyond: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.base = 0;
        self.occupied = [0; WINDOW / 64];
        self.links.clear();
        self.beyond.clear();
    }

    /// Costs never fall below the last one popped.
    #[inline]
    fn push(&mut self, entry: Entry, cost: u16) {
        let bucket = usize::from(cost - self.base);
        if bucket >= WINDOW {
            self.beyond.push((entry, cost));
            return;
        }
        let (word, bit) = (bucket / 64, 1 << (bucket % 64));
        let next = if self.occupied[word] & bit == 0 { END } else { self.heads[bucket] };
        self.occupied[word] |= bit;
        self.heads[bucket] = self.links.len() as u32;
        self.links.push(Link { entry, next });
    }

    /// The cheapest entry.
    #[inline]
    fn pop(&mut self) -> Option<(Entry, u16)> {
        loop {
            for (word, bits) in self.occupied.iter_mut().enumerate() {
                if *bits == 0 {
                    continue;
                }
                let bucket = word * 64 + bits.trailing_zeros() as usize;
                let link = self.links[self.heads[bucket] as usize];
                self.heads[bucket] = link.next;
                if link.next == END {
                    *bits &= *bits - 1;
                }
                return Some((link.entry, self.base + bucket as u16));
            }
            self.move_window()?;
        }
    }

    /// Starts the window at the cheapest entry beyond it; `None` if there is none.
    #[cold]
    fn move_window(&mut self) -> Option<()> {
        self.base = self.beyond.iter().map(|&(_, cost)| cost).min()?;
        self.links.clear();
        let mut index = 0;
        while let Some(&(entry, cost)) = self.beyond.get(index) {
            if usize::from(cost - self.base) < WINDOW {
                self.beyond.swap_remove(index);
                self.push(entry, cost);
            } else {
                index += 1;
            }
        }
        Some(())
    }
}
