//! Where a unit can move, and at what cost: Dijkstra's algorithm over small integer costs.
//!
//! The game says what each step costs; the flood knows only the board. Its memory is reused from one run to the next,
//! so that only the first run allocates; incrementing a run number invalidates the previous results.

use crate::{Board, Direction, HexId, HexSet};

/// The game's answer about one step from a hex to its neighbour. Costs are in the game's smallest unit, such as quarter
/// movement points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// May enter at this cost, and move on.
    Enter(u16),
    /// May enter at this cost, but must stop there. (Through another hexside it may be allowed to move on, at another
    /// cost; the flood keeps both.)
    EnterAndStop(u16),
    Forbidden,
}

/// The reusable memory and the result of a search.
#[derive(Clone, Debug)]
pub struct Flood {
    /// The best paths into each hex: one that may go on, and one that must stop.
    ways: Vec<[Way; 2]>,
    /// The mark of cost 0; marks of earlier runs are lower than all of this run's.
    base: u32,
    /// Paths that cost more than this had not been settled when the search ended.
    limit: u16,
    reached: Vec<HexId>,
    queue: Queue,
}

const GOING: usize = 0;
const STOPPING: usize = 1;

/// A path into a hex.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The run number in the high half, and 65,535 minus the cost in the low half. Of two marks the higher one is
    /// better, and any mark of this run is better than any of an earlier one.
    mark: u32,
    /// The last step's direction.
    from: u8,
    /// Did this path put the hex on the list of those reached?
    listed: bool,
}

/// Stands for the direction by which a source was entered.
const SOURCE: u8 = 6;
const UNTOUCHED: Way = Way { mark: 0, from: SOURCE, listed: false };

impl Default for Flood {
    fn default() -> Self {
        Flood::new()
    }
}

impl Flood {
    /// The highest budget; a higher one counts as this.
    pub const MAX_BUDGET: u16 = u16::MAX - 1;

    /// Takes its memory at the first run.
    pub fn new() -> Flood {
        let (ways, reached) = (Vec::new(), Vec::new());
        Flood { ways, base: u16::MAX.into(), limit: 0, reached, queue: Queue::new() }
    }

    /// Finds every hex that can be reached from `source` within the budget.
    ///
    /// `step` is asked about each step from a hex that can be moved on from, at most once for each.
    pub fn run(
        &mut self,
        board: &Board,
        source: HexId,
        budget: u16,
        step: impl FnMut(HexId, Direction, HexId) -> Step,
    ) {
        self.run_until(board, &[(source, 0)], budget, step, |_| false);
    }

    /// Searches only until `target` is reached, and returns the cost.
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

    /// Searches from several hexes, each with an initial cost, until `goal` holds for the next cheapest hex, and
    /// returns that hex. The goal may hold for a source.
    pub fn run_until(
        &mut self,
        board: &Board,
        sources: &[(HexId, u16)],
        budget: u16,
        mut step: impl FnMut(HexId, Direction, HexId) -> Step,
        mut goal: impl FnMut(HexId) -> bool,
    ) -> Option<HexId> {
        let budget = budget.min(Self::MAX_BUDGET);
        self.forget(board, budget);
        for &(source, cost) in sources {
            if board.checked(source).is_some() && cost <= budget {
                self.offer(source, GOING, cost, SOURCE);
            }
        }
        while let Some((entry, cost)) = self.queue.pop() {
            let (here, kind) = (entry.hex(), entry.kind());
            let mark = self.base - u32::from(cost);
            let ways = &mut self.ways[here.index()];
            // A cheaper path was found after this entry was queued.
            if ways[kind].mark != mark {
                continue;
            }
            let other = ways[1 - kind];
            if other.mark < mark || !other.listed {
                ways[kind].listed = true;
                self.reached.push(here);
                if goal(here) {
                    self.limit = cost;
                    return Some(here);
                }
            }
            if kind == STOPPING {
                continue;
            }
            for (direction, &to) in Direction::ALL.into_iter().zip(board.neighbour_row(here)) {
                // No step makes a path cheaper.
                if to == HexId::NONE || self.ways[to.index()][GOING].mark >= mark {
                    continue;
                }
                let (price, kind) = match step(here, direction, to) {
                    Step::Enter(price) => (price, GOING),
                    Step::EnterAndStop(price) => (price, STOPPING),
                    Step::Forbidden => continue,
                };
                let total = u32::from(cost) + u32::from(price);
                if total <= u32::from(budget) {
                    self.offer(to, kind, total as u16, direction as u8);
                }
            }
        }
        None
    }

    /// Starts a run that ignores the previous one.
    fn forget(&mut self, board: &Board, budget: u16) {
        const RUN: u32 = 1 << 16;
        self.base = self.base.checked_add(RUN).unwrap_or_else(|| {
            // The run numbers start again.
            self.ways.clear();
            RUN | u32::from(u16::MAX)
        });
        self.limit = budget;
        self.reached.clear();
        self.queue.clear();
        if self.ways.len() < board.len() {
            self.ways.resize(board.len(), [UNTOUCHED; 2]);
            self.reached.reserve(board.len());
            // No step is queued more than once.
            self.queue.reserve(board.len() * 6);
        }
    }

    /// Records a path into a hex if it is better than those known.
    #[inline]
    fn offer(&mut self, hex: HexId, kind: usize, cost: u16, from: u8) {
        let mark = self.base - u32::from(cost);
        let ways = &mut self.ways[hex.index()];
        // A path that must stop is useless if one that may move on costs no more.
        if mark > ways[kind].mark && mark > ways[GOING].mark {
            ways[kind] = Way { mark, from, listed: false };
            self.queue.push(Entry::new(hex, kind), cost);
        }
    }

    /// The settled path of one kind into a hex, with its cost.
    #[inline]
    fn way(&self, hex: HexId, kind: usize) -> Option<(Way, u16)> {
        let way = self.ways.get(hex.index())?[kind];
        let cost = u16::try_from(self.base.checked_sub(way.mark)?).ok()?;
        (cost <= self.limit).then_some((way, cost))
    }

    /// The cheapest settled path into a hex, and whether it must stop there.
    #[inline]
    fn best(&self, hex: HexId) -> Option<(Way, u16, bool)> {
        match (self.way(hex, GOING), self.way(hex, STOPPING)) {
            (Some((_, go)), Some((way, cost))) if cost < go => Some((way, cost, true)),
            (Some((way, cost)), _) => Some((way, cost, false)),
            (None, Some((way, cost))) => Some((way, cost, true)),
            (None, None) => None,
        }
    }

    /// The least cost of a hex; `None` if it was not reached.
    ///
    /// A search that ended at its goal has reached the hexes that cost no more than the goal.
    #[inline]
    pub fn cost(&self, hex: HexId) -> Option<u16> {
        self.best(hex).map(|(_, cost, _)| cost)
    }

    /// The least cost of a hex with permission to move on from it; `None` if there is no such path.
    #[inline]
    pub fn cost_to_pass(&self, hex: HexId) -> Option<u16> {
        self.way(hex, GOING).map(|(_, cost)| cost)
    }

    /// Does the cheapest path into a hex end the move there?
    pub fn must_stop(&self, hex: HexId) -> bool {
        self.best(hex).is_some_and(|(_, _, stops)| stops)
    }

    /// The hexes reached, cheapest first, the sources among them; after a search for a goal, the goal last.
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
        let mut next = self.best(hex).map(|(way, ..)| (hex, way.from));
        std::iter::from_fn(move || {
            let (here, from) = next?;
            next = Direction::try_from(from).ok().and_then(|direction| {
                let before = board.neighbour(here, direction.opposite())?;
                Some((before, self.way(before, GOING)?.0.from))
            });
            Some(here)
        })
    }

    /// Writes the cheapest path from the source to a hex into `path`; returns whether there is one.
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
}

/// A hex and the kind of path into it.
#[derive(Clone, Copy, Debug)]
struct Entry(u16);

impl Entry {
    fn new(hex: HexId, kind: usize) -> Entry {
        Entry((hex.0 << 1) | kind as u16)
    }

    fn hex(self) -> HexId {
        HexId(self.0 >> 1)
    }

    fn kind(self) -> usize {
        usize::from(self.0 & 1)
    }
}

/// Entries by cost: a window of buckets, one for each cost, and a list for costs beyond the window.
#[derive(Clone, Debug)]
struct Queue {
    /// The cost of bucket 0.
    base: u16,
    /// Which buckets hold anything; the heads of the others are meaningless.
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

    fn reserve(&mut self, entries: usize) {
        self.links.reserve(entries);
        self.beyond.reserve(entries);
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

    /// Moves the window to the cheapest entry beyond it; `None` if there is none.
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
