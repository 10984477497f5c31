//! Everywhere a vehicle can go, with the cheapest path: a flood over hexes and facings.

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};
use kernel::Stamp;

use super::{Cursor, Walk, bar::Bar};
use crate::{
    action::{Part, Plan},
    rules::Panzer,
    state::{Flags, State},
    units::UnitId,
};

const UNREACHED: u8 = u8::MAX;
/// No node before this one.
const START: u32 = u32::MAX;

/// A node of the flood: a hex, as entered with this facing.
#[derive(Clone, Copy)]
struct Node {
    cost: u8,
    /// Road hexes minus path hexes of the path here (4.5.1.1.5).
    balance: i8,
    tracks: bool,
    hexes: u8,
    /// Entered in reverse.
    back: bool,
    /// Owed if the hex is left off the track that it was entered by (4.5.1.1.11).
    debt: u8,
    from: u32,
}

const EMPTY: Node =
    Node { cost: UNREACHED, balance: 0, tracks: false, hexes: 0, back: false, debt: 0, from: START };

/// The result of a flood; its memory is reused.
pub struct Reach {
    nodes: Vec<Node>,
    /// Nodes that have a cost.
    found: Vec<u32>,
    /// Their hexes, each once.
    hexes: Vec<HexId>,
    queue: Vec<Vec<u32>>,
    start: Option<Cursor>,
    /// Hexes with enemy vehicles, in which no move may end (4.5.1.1.10).
    enemies: HexSet,
    /// What a cross-country move may spend.
    limit: u8,
    /// It is towing: no reverse (6.6.7.1).
    tows: bool,
    /// The rules, position and move it was computed for.
    of: Option<(Stamp, Stamp, UnitId, bool, HexId)>,
}

impl std::fmt::Debug for Reach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reach").field("found", &self.found.len()).finish_non_exhaustive()
    }
}

const NOTHING: Reach = Reach {
    nodes: Vec::new(),
    found: Vec::new(),
    hexes: Vec::new(),
    queue: Vec::new(),
    start: None,
    enemies: HexSet::EMPTY,
    limit: 0,
    tows: false,
    of: None,
};

thread_local! {
    /// Across country and by road: both are often asked for one after the other.
    static REACH: RefCell<[Reach; 2]> = const { RefCell::new([NOTHING, NOTHING]) };
}

/// Compute where a move can continue, or use the result already computed for this position.
pub fn with_reach<T>(rules: &Panzer, s: &State, start: &Cursor, then: impl FnOnce(&Reach) -> T) -> T {
    REACH.with_borrow_mut(|both| {
        let reach = &mut both[usize::from(start.walk.along)];
        let key = (rules.stamp, s.stamp, start.walk.unit, start.walk.along, start.hex);
        let same = |of: &(Stamp, Stamp, UnitId, bool, HexId)| {
            of.0.same(key.0) && of.1.same(key.1) && (of.2, of.3, of.4) == (key.2, key.3, key.4)
        };
        if !reach.of.as_ref().is_some_and(same) || reach.start != Some(*start) {
            reach.run(rules, s, start);
            reach.of = Some(key);
        }
        then(reach)
    })
}

fn node(hex: HexId, facing: Direction) -> u32 {
    (hex.index() * 6 + facing.index()) as u32
}

fn place(node: u32) -> (HexId, Direction) {
    (HexId((node / 6) as u16), Direction::from_index((node % 6) as usize))
}

impl Reach {
    fn run(&mut self, rules: &Panzer, s: &State, start: &Cursor) {
        let size = rules.field.count() * 6;
        if self.nodes.len() != size {
            self.nodes.clear();
            self.nodes.resize(size, EMPTY);
        } else {
            for n in &self.found {
                self.nodes[*n as usize] = EMPTY;
            }
        }
        self.found.clear();
        self.hexes.clear();
        self.queue.iter_mut().for_each(Vec::clear);
        self.start = Some(*start);
        let walk = start.walk;
        self.limit = rules.allowance(s, &walk);
        self.tows = rules.tows(s, walk.unit);
        self.enemies.clear();
        for enemy in rules.units_of(rules.vehicle(walk.unit).side.enemy()) {
            if let Some(hex) = s.unit(*enemy).hex.some().filter(|_| !s.unit(*enemy).is(Flags::BAILED)) {
                self.enemies.insert(hex);
            }
        }
        let first = node(start.hex, start.facing);
        self.nodes[first as usize] = Node {
            cost: walk.spent,
            balance: walk.roads as i8 - walk.paths as i8,
            tracks: walk.tracks > 0,
            hexes: walk.hexes,
            back: false,
            debt: walk.track_debt,
            from: START,
        };
        self.found.push(first);
        self.hexes.push(start.hex);
        self.line_up(walk.spent, first);
        let mut cost = walk.spent;
        while usize::from(cost) < self.queue.len() {
            while let Some(n) = self.queue[usize::from(cost)].pop() {
                if self.nodes[n as usize].cost != cost {
                    continue;
                }
                if walk.along && !rules.vehicle(walk.unit).movement.traction.on_foot() {
                    self.spread_along(rules, s, n);
                } else if cost < self.limit || n == first {
                    self.spread(rules, s, n);
                }
            }
            cost += 1;
        }
    }

    fn line_up(&mut self, cost: u8, n: u32) {
        let at = usize::from(cost);
        if self.queue.len() <= at {
            self.queue.resize_with(at + 1, Vec::new);
        }
        self.queue[at].push(n);
    }

    /// The move up to a node, as far as costs depend on it.
    fn cursor(&self, n: u32) -> Option<Cursor> {
        let start = self.start?;
        let here = self.nodes[n as usize];
        let (hex, facing) = place(n);
        let walk = if here.from == START {
            start.walk
        } else {
            Walk {
                spent: here.cost,
                hexes: here.hexes,
                roads: here.balance.max(0) as u8,
                paths: (-here.balance).max(0) as u8,
                tracks: u8::from(here.tracks),
                turned: 0,
                // Once points were spent on turning, no further hex is free anyway.
                turn_paid: true,
                track_debt: here.debt,
                climbed: (-here.balance).max(0) as u8,
                inside: false,
                ..start.walk
            }
        };
        Some(Cursor { hex, facing, walk })
    }

    /// Across country: every hexside, forward and in reverse, with the necessary turn.
    fn spread(&mut self, rules: &Panzer, s: &State, n: u32) {
        let Some(start) = self.start else { return };
        let here = self.nodes[n as usize];
        let (hex, facing) = place(n);
        let begins = here.from == START;
        let turned = if begins { start.walk.turned } else { 0 };
        let traction = rules.vehicle(start.walk.unit).movement.traction;
        let owes = Walk { track_debt: here.debt, ..Walk::default() };
        if traction.on_foot() {
            self.spread_on_foot(rules, s, n);
            return;
        }
        if begins && start.walk.inside {
            return; // 6.6.3: it must leave the building first
        }
        if here.hexes > 0 && rules.holds_vehicles(s, start.walk.unit, hex) {
            return; // 6.1.4.3.7
        }
        for to in Direction::ALL {
            let turn = rules.turning(s, hex, false, turned, facing.angle_to(to));
            if turn > 0 && here.cost + turn > self.limit {
                continue; // 4.5.1.1.4
            }
            // 4.5.1.1.3: one hex is always possible, if nothing was spent on turning.
            let one_hex = begins && here.hexes == 0 && turn == 0 && !start.walk.turn_paid;
            for back in [false, true].into_iter().take(if self.tows { 1 } else { 2 }) {
                let through = if back { to.opposite() } else { to };
                let Ok((next, cost)) = rules.entry_cost(s, traction, hex, through, false, back) else {
                    continue;
                };
                let mut cost = here.cost.saturating_add(turn).saturating_add(cost);
                let mut debt = 0;
                if rules.tracks {
                    // 4.5.1.1.11
                    let Ok(owed) = rules.off_track(&owes, hex, through) else { continue };
                    cost = cost.saturating_add(owed);
                    debt = rules.track_debt(traction, hex, through, next, back);
                }
                if cost <= self.limit || one_hex {
                    let hexes = here.hexes + 1;
                    self.arrive(next, to, Node { cost, hexes, back, debt, from: n, ..EMPTY });
                }
            }
        }
    }

    /// On foot: in any direction, without turning costs (6.6.4.1).
    fn spread_on_foot(&mut self, rules: &Panzer, s: &State, n: u32) {
        let Some(here) = self.cursor(n) else { return };
        for to in Direction::ALL {
            let mut at = Cursor { facing: to, ..here };
            if rules.take(s, &mut at, Part::Forward).is_ok() {
                let (cost, hexes, balance) = (at.walk.spent, at.walk.hexes, -(at.walk.climbed as i8));
                self.arrive(at.hex, to, Node { cost, hexes, balance, from: n, ..EMPTY });
            }
        }
    }

    /// At path or road speed (4.5.1.1.5).
    fn spread_along(&mut self, rules: &Panzer, s: &State, n: u32) {
        let Some(here) = self.cursor(n) else { return };
        for direction in Direction::ALL {
            for back in [false, true] {
                let facing = if back { direction.opposite() } else { direction };
                let mut at = here;
                if facing != at.facing && rules.take(s, &mut at, Part::Turn(facing)).is_err() {
                    continue;
                }
                let part = if back { Part::Back } else { Part::Forward };
                if rules.take(s, &mut at, part).is_err() {
                    continue;
                }
                let walk = at.walk;
                let balance = walk.roads as i8 - walk.paths as i8;
                let (cost, hexes, tracks) = (walk.spent, walk.hexes, walk.tracks > 0);
                self.arrive(at.hex, at.facing, Node { cost, balance, tracks, hexes, back, debt: 0, from: n });
            }
        }
    }

    /// A hex is entered with this facing: recorded if it is the first time, or cheaper than before.
    fn arrive(&mut self, hex: HexId, facing: Direction, new: Node) {
        let to = node(hex, facing);
        let old = self.nodes[to as usize];
        let better = new.cost < old.cost || new.cost == old.cost && new.balance > old.balance;
        if !better || old.cost != UNREACHED && old.from == START {
            return;
        }
        if old.cost == UNREACHED {
            let facings = &self.nodes[hex.index() * 6..hex.index() * 6 + 6];
            if facings.iter().all(|n| n.cost == UNREACHED) {
                self.hexes.push(hex);
            }
            self.found.push(to);
        }
        self.nodes[to as usize] = new;
        self.line_up(new.cost, to);
    }

    /// Each hex and facing in which the move may end, with its cost; the present hex comes first.
    pub fn ends(&self, rules: &Panzer, s: &State, mut each: impl FnMut(HexId, Direction, u8)) {
        for hex in &self.hexes {
            let ends = self.facings(rules, s, *hex);
            for (facing, end) in Direction::ALL.into_iter().zip(ends) {
                if let Some((cost, _)) = end {
                    each(*hex, facing, cost);
                }
            }
        }
    }

    /// For each facing the cheapest end in a hex: its cost, and its node.
    fn facings(&self, rules: &Panzer, s: &State, hex: HexId) -> [Option<(u8, u32)>; 6] {
        let mut ends = [None; 6];
        let Some(start) = self.start else { return ends };
        if self.enemies.contains(hex) {
            return ends; // 4.5.1.1.10
        }
        let foot = rules.vehicle(start.walk.unit).movement.traction.on_foot();
        let due = if foot { 0 } else { rules.turn_cost(s, hex, false) };
        for arrival in Direction::ALL {
            let n = node(hex, arrival);
            let here = self.nodes[n as usize];
            if here.cost == UNREACHED {
                continue;
            }
            if start.walk.along && !foot {
                // 4.5.1.1.5: it keeps the facing of its arrival.
                if self.cursor(n).is_some_and(|at| rules.may_end(s, &at, false).is_ok()) {
                    better(&mut ends[arrival.index()], here.cost, n);
                }
                continue;
            }
            let turned = if here.from == START { start.walk.turned } else { 0 };
            let left = self.limit.saturating_sub(here.cost);
            for facing in Direction::ALL {
                let by = arrival.angle_to(facing);
                // 4.5.1.1.4: the first hexside in a hex is free, two or three cost once.
                let cost = if by > 0 && turned < 2 && turned + by >= 2 { due } else { 0 };
                if cost <= left || cost == 0 {
                    better(&mut ends[facing.index()], here.cost.saturating_add(cost), n);
                }
            }
        }
        ends
    }

    /// The cheapest end in a hex with this facing: its cost, and its node.
    fn best(&self, rules: &Panzer, s: &State, hex: HexId, facing: Direction) -> Option<(u8, u32)> {
        self.facings(rules, s, hex)[facing.index()]
    }

    pub fn cost(&self, rules: &Panzer, s: &State, hex: HexId, facing: Direction) -> Option<u8> {
        self.best(rules, s, hex, facing).map(|(cost, _)| cost)
    }

    /// The plan of the cheapest path to a hex and facing.
    pub fn plan(&self, rules: &Panzer, s: &State, hex: HexId, facing: Direction) -> Option<Plan> {
        let (_, last) = self.best(rules, s, hex, facing)?;
        let mut way = smallvec::SmallVec::<[u32; 32]>::new();
        let mut n = last;
        way.push(n);
        while self.nodes[n as usize].from != START {
            n = self.nodes[n as usize].from;
            way.push(n);
        }
        let mut plan = Plan::default();
        let mut facing_now = place(n).1;
        for n in way.iter().rev().skip(1) {
            let (_, arrival) = place(*n);
            if arrival != facing_now {
                plan.push(Part::Turn(arrival));
                facing_now = arrival;
            }
            plan.push(if self.nodes[*n as usize].back { Part::Back } else { Part::Forward });
        }
        if facing != facing_now {
            plan.push(Part::Turn(facing));
        }
        Some(plan)
    }
}

/// Keep the cheaper end.
fn better(end: &mut Option<(u8, u32)>, cost: u8, n: u32) {
    if end.is_none_or(|(old, _)| cost < old) {
        *end = Some((cost, n));
    }
}

impl Panzer {
    /// Follow a plan from the cursor: the cursor it leads to, or the first part that is not possible.
    pub fn follow(&self, s: &State, start: &Cursor, plan: &Plan) -> Result<Cursor, Bar> {
        let mut at = *start;
        let mut rest = plan.iter();
        while let Some(part) = rest.next() {
            if at.hex == HexId::NONE {
                return Err(Bar::Gone);
            }
            self.take_next(s, &mut at, part, rest.clone())?;
        }
        let turned = matches!(plan.len().checked_sub(1).and_then(|n| plan.get(n)), Some(Part::Turn(_)));
        self.may_end(s, &at, turned)?;
        Ok(at)
    }
}
