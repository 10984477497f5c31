//! How far a force can move, and the cheapest paths.

use std::cell::RefCell;

use hexgrid::{Direction, HexId};
use smallvec::SmallVec;

use super::{Mover, Path, Traits};
use crate::kept::Position;

const FAR: u8 = u8::MAX;

/// A hex that can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    pub hex: HexId,
    /// Movement Points spent, in quarters.
    pub cost: u8,
}

/// Costs to every hex: twice, for forces that may use roads later and for those that may not any more (16.5).
#[derive(Debug, Default)]
pub struct Reach {
    cost: Vec<[u8; 2]>,
    from: Vec<[(HexId, bool); 2]>,
    touched: Vec<HexId>,
    buckets: Vec<Vec<(HexId, bool)>>,
    /// 37.4 item 3: hexes in which a careful exit ends, with its cost; no path continues from there.
    careful: SmallVec<[(HexId, u8); 6]>,
    /// Entries of one bucket that are postponed.
    late: Vec<(HexId, bool)>,
    /// The force it was computed for, and the position.
    of: Option<(Position, Traits)>,
}

/// How many results are kept: an offer of several units needs each of them for each objective.
const KEPT: usize = 8;

/// The results computed last, and which of them is replaced next.
#[derive(Default)]
struct Shelf {
    reaches: [Reach; KEPT],
    oldest: usize,
}

thread_local! {
    static SHELF: RefCell<Shelf> = RefCell::default();
}

impl Reach {
    /// Compute the reach of a force, and use it. It is kept for the position: the list, the check and the decision
    /// itself need the same one.
    pub fn with<T>(mover: &Mover, look: impl FnOnce(&Reach) -> T) -> T {
        let of = Position::of(mover.rules, mover.s);
        // It is taken out of the store, so that its user can compute others.
        let (at, mut reach) = SHELF.with_borrow_mut(|shelf| {
            let known = |reach: &Reach| {
                let (Some(of), Some((position, traits))) = (&of, &reach.of) else { return false };
                position.same(of) && traits == mover.traits()
            };
            let at = shelf.reaches.iter().position(known).unwrap_or_else(|| {
                let at = shelf.oldest;
                shelf.oldest = (at + 1) % KEPT;
                shelf.reaches[at].of = None;
                at
            });
            (at, std::mem::take(&mut shelf.reaches[at]))
        });
        if reach.of.is_none() {
            crate::refusal::quietly(|| reach.flood(mover));
            reach.of = of.map(|of| (of, *mover.traits()));
        } else if cfg!(debug_assertions) {
            let mut anew = Reach::default();
            crate::refusal::quietly(|| anew.flood(mover));
            assert!(anew.hexes(mover).eq(reach.hexes(mover)), "the reach that was kept is another");
        }
        let answer = look(&reach);
        SHELF.with_borrow_mut(|shelf| shelf.reaches[at] = reach);
        answer
    }

    fn flood(&mut self, mover: &Mover) {
        let front = mover.rules.front(mover.s, mover.side);
        let mover = &mover.before(&front);
        let hexes = mover.rules.field.board.len();
        if self.cost.len() != hexes {
            self.cost = vec![[FAR; 2]; hexes];
            self.from = vec![[(HexId::NONE, false); 2]; hexes];
            self.touched.clear();
        }
        for hex in self.touched.drain(..) {
            self.cost[hex.index()] = [FAR; 2];
        }
        self.buckets.iter_mut().for_each(Vec::clear);
        self.careful.clear();
        if mover.from == HexId::NONE {
            return;
        }
        let spent = mover.allowance.saturating_sub(mover.mp);
        let most = usize::from(mover.allowance) + 1;
        self.buckets.resize_with(most.max(self.buckets.len()), Vec::new);
        self.touch(mover.from, false, spent, (HexId::NONE, false));
        self.buckets[usize::from(spent).min(most - 1)].push((mover.from, false));
        let unhindered = mover.unhindered();
        let mut minimum: SmallVec<[(HexId, bool, HexId); 6]> = SmallVec::new();
        for bucket in usize::from(spent)..most {
            // Of paths with the same cost, those that keep away from the enemy come first.
            let late = &mut self.late;
            late.clear();
            self.buckets[bucket].retain(|at| {
                let near = mover.near(at.0);
                if near {
                    late.push(*at);
                }
                !near
            });
            self.buckets[bucket].extend_from_slice(late);
            let mut n = 0;
            while n < self.buckets[bucket].len() {
                let (hex, tactical) = self.buckets[bucket][n];
                n += 1;
                if usize::from(self.cost[hex.index()][usize::from(tactical)]) != bucket {
                    continue;
                }
                let first = hex == mover.from;
                let grounds = &mover.rules.grounds[hex.index()];
                let plain = unhindered && !front.special.contains(hex);
                for (direction, ground) in Direction::ALL.into_iter().zip(grounds) {
                    let step = if plain && ground.ordinary && !front.special.contains(ground.to) {
                        let step = mover.quick_step(ground, bucket as u8, tactical);
                        debug_assert_eq!(
                            mover.step(hex, direction, bucket as u8, tactical),
                            Some((ground.to, step)),
                        );
                        Some((ground.to, step))
                    } else {
                        mover.step(hex, direction, bucket as u8, tactical)
                    };
                    let Some((to, step)) = step else { continue };
                    let total = bucket + usize::from(step.cost);
                    if mover.leg || total >= most {
                        if mover.affords(bucket as u8, step.cost, first) {
                            minimum.push((to, step.tactical, hex));
                        }
                        continue;
                    }
                    // A real minefield ends the move; one not known to be real may do so too (37.4).
                    let better = total < usize::from(self.cost[to.index()][usize::from(step.tactical)]);
                    if better {
                        self.touch(to, step.tactical, total as u8, (hex, tactical));
                        self.buckets[total].push((to, step.tactical));
                    }
                }
            }
        }
        self.careful = careful(mover, spent);
        for (to, tactical, from) in minimum {
            if self.cost[to.index()] == [FAR; 2] {
                // 16.2: the only hex of the move, at any cost.
                self.touch(to, tactical, mover.allowance, (from, false));
            }
        }
    }

    fn touch(&mut self, hex: HexId, tactical: bool, cost: u8, from: (HexId, bool)) {
        if self.cost[hex.index()] == [FAR; 2] {
            self.touched.push(hex);
        }
        self.cost[hex.index()][usize::from(tactical)] = cost;
        self.from[hex.index()][usize::from(tactical)] = from;
    }

    /// The cost of a careful exit to a hex.
    fn careful_cost(&self, hex: HexId) -> u8 {
        self.careful.iter().find(|(to, _)| *to == hex).map_or(FAR, |(_, cost)| *cost)
    }

    /// The cost of reaching a hex.
    pub fn cost(&self, hex: HexId) -> Option<u8> {
        let [a, b] = *self.cost.get(hex.index())?;
        Some(a.min(b).min(self.careful_cost(hex))).filter(|cost| *cost != FAR)
    }

    /// Every hex that can be reached, without the start.
    pub fn hexes<'a>(&'a self, mover: &'a Mover) -> impl Iterator<Item = Reached> + 'a {
        let only = |(hex, _): &(HexId, u8)| self.cost[hex.index()] == [FAR; 2];
        let careful = self.careful.iter().filter(move |at| only(at)).map(|(hex, _)| *hex);
        let there = self.touched.iter().copied().chain(careful).filter(|hex| *hex != mover.from);
        there.filter_map(|hex| Some(Reached { hex, cost: self.cost(hex)? }))
    }

    /// The cheapest path to a hex, without the start.
    pub fn path(&self, mover: &Mover, to: HexId) -> Option<Path> {
        let [a, b] = *self.cost.get(to.index())?;
        let careful = self.careful_cost(to);
        if careful != FAR && careful <= a.min(b) {
            return Some([to].into_iter().collect());
        }
        if a.min(b) == FAR || to == mover.from {
            return None;
        }
        let mut at = (to, b < a);
        let mut path = SmallVec::new();
        while at.0 != mover.from && at.0 != HexId::NONE {
            path.push(at.0);
            at = self.from[at.0.index()][usize::from(at.1)];
        }
        path.reverse();
        Some(path)
    }
}

/// The hexes that a force can reach by a careful exit from its minefield, with their costs (37.4 item 3).
fn careful(mover: &Mover, spent: u8) -> SmallVec<[(HexId, u8); 6]> {
    let mut out = SmallVec::new();
    if !mover.in_mines(mover.from) || mover.leg {
        return out;
    }
    let mut careful = *mover;
    careful.careful = true;
    for direction in Direction::ALL {
        if let Some((to, step)) = careful.step(mover.from, direction, spent, false)
            && careful.affords(spent, step.cost, true)
        {
            out.push((to, spent.saturating_add(step.cost).min(mover.allowance)));
        }
    }
    out
}
