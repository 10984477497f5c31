//! How soon a side could reach each hex from the current position: one search from all its units, or backwards from a
//! goal. Zones of control stop movement, Bonds block it, enemy stacks must be beaten, and every such obstacle costs
//! time.

use hexgrid::{Direction, HexId, HexSet};

/// One turn.
pub const TURN: u16 = 84;
/// Anything later than this counts as never.
pub const NEVER_THERE: u16 = 1_800;
/// The time of an impossible step: longer than any other.
pub const BARRED: u16 = u16::MAX / 2;

/// A step into a neighbouring hex.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub to: HexId,
    pub time: u16,
}

/// Memory of a search, reused between searches.
#[derive(Debug, Default)]
pub struct Buckets(Vec<Vec<u16>>);

impl Buckets {
    fn prepare(&mut self) {
        self.0.resize(usize::from(NEVER_THERE), Vec::new());
    }
}

/// What a side moves through. `bars` says whether a Bond closes a hexside.
#[derive(Debug)]
pub struct Going<'a, B> {
    /// By hex and direction.
    pub steps: &'a [[Step; 6]],
    /// The time that each hex costs in addition to its terrain.
    pub block: &'a [u16],
    /// Hexes with units of the side, which no Bond closes.
    pub own: &'a HexSet,
    /// Hexes adjacent to an enemy: only there can a Bond be.
    pub contact: &'a HexSet,
    /// Time to break a bond.
    pub bond: u16,
    pub bars: B,
}

/// Arrival times of a side, in parts of a turn.
#[derive(Debug, Clone)]
pub struct Arrival {
    pub time: Vec<u16>,
    /// The previous hex on the fastest path.
    pub from: Vec<HexId>,
}

impl Arrival {
    /// Arrival times before any unit has started.
    pub fn nowhere(hexes: usize) -> Arrival {
        Arrival { time: vec![NEVER_THERE; hexes], from: vec![HexId::NONE; hexes] }
    }

    #[inline]
    pub fn at(&self, hex: HexId) -> u16 {
        self.time[hex.index()]
    }

    /// Spreads from these starts (hex and time) as far as units get within `most`.
    pub fn spread<B: Fn(HexId, Direction) -> bool>(
        &mut self,
        starts: impl Iterator<Item = (HexId, u16)>,
        going: &Going<B>,
        most: u16,
        buckets: &mut Buckets,
    ) {
        buckets.prepare();
        let buckets = &mut buckets.0;
        for (hex, start) in starts {
            if start < self.time[hex.index()] {
                self.time[hex.index()] = start;
                self.from[hex.index()] = HexId::NONE;
                buckets[usize::from(start)].push(hex.0);
            }
        }
        for now in 0..most {
            let mut at = 0;
            // Steps take time, so a bucket never grows while it is being read.
            while let Some(&index) = buckets[usize::from(now)].get(at) {
                at += 1;
                let hex = HexId(index);
                if self.time[hex.index()] != now {
                    continue;
                }
                let contact = going.contact.contains(hex);
                for (d, step) in going.steps[hex.index()].iter().enumerate() {
                    let to = step.to;
                    let mut total = now + step.time + going.block[to.index()];
                    let known = self.time[to.index()].min(most);
                    if total >= known {
                        continue;
                    }
                    if (contact || going.contact.contains(to))
                        && !going.own.contains(to)
                        && (going.bars)(hex, Direction::from_index(d))
                    {
                        total += going.bond;
                        if total >= known {
                            continue;
                        }
                    }
                    self.time[to.index()] = total;
                    self.from[to.index()] = hex;
                    buckets[usize::from(total)].push(to.0);
                }
            }
            buckets[usize::from(now)].clear();
        }
        // Starts later than `most` are dropped.
        for bucket in &mut buckets[usize::from(most)..] {
            bucket.clear();
        }
    }

    /// How much the fastest paths to these goals pass through each hex, weighted.
    pub fn flow(&self, goals: impl Iterator<Item = (HexId, f32)>) -> Vec<f32> {
        let mut flow = vec![0.0; self.time.len()];
        for (goal, weight) in goals {
            if self.at(goal) >= NEVER_THERE {
                continue;
            }
            let mut at = goal;
            while at != HexId::NONE {
                flow[at.index()] += weight;
                at = self.from[at.index()];
            }
        }
        flow
    }
}

/// Time from each hex to the nearest of these goals, at most `most`. `next`: the neighbours of each hex by direction.
pub fn back<B: Fn(HexId, Direction) -> bool>(
    goals: impl Iterator<Item = HexId>,
    next: &[[HexId; 6]],
    going: &Going<B>,
    most: u16,
    buckets: &mut Buckets,
) -> Vec<u16> {
    buckets.prepare();
    let buckets = &mut buckets.0;
    let mut time = vec![most; next.len()];
    for goal in goals {
        time[goal.index()] = 0;
        buckets[0].push(goal.0);
    }
    for now in 0..most {
        let mut at = 0;
        while let Some(&index) = buckets[usize::from(now)].get(at) {
            at += 1;
            let to = HexId(index);
            if time[to.index()] != now {
                continue;
            }
            let contact = going.contact.contains(to);
            let entering = now + going.block[to.index()];
            for (d, from) in next[to.index()].into_iter().enumerate() {
                if from == HexId::NONE || time[from.index()] <= now {
                    continue;
                }
                let forth = Direction::from_index(d).opposite();
                let mut total = entering + going.steps[from.index()][forth.index()].time;
                if total >= time[from.index()] {
                    continue;
                }
                if (contact || going.contact.contains(from))
                    && !going.own.contains(to)
                    && (going.bars)(from, forth)
                {
                    total += going.bond;
                    if total >= time[from.index()] {
                        continue;
                    }
                }
                time[from.index()] = total;
                buckets[usize::from(total)].push(from.0);
            }
        }
        buckets[usize::from(now)].clear();
    }
    time
}
