//! How soon either side could reach each hex from the current position.

use std::cell::RefCell;

use ::holland::{
    Holland, State,
    land::{BridgeKind, Water},
    pack::Side,
    state::{Bridge, Marks, Order, Place},
};
use hexgrid::{Direction, HexId, HexSet};
use zocbond::{Piece, Span, UnitId, bonds};

use super::{
    lore::{BY_BOAT, BY_ENGINEER, of_the_ground_army, over_bridge},
    staff::Staff,
};
use crate::bond::arrival::{self, Arrival, BARRED, Buckets, Going, Step, TURN};

/// Water that needs an Engineer is crossed with the help of one within this distance.
const WITH_ENGINEER: u32 = 7;

#[derive(Default)]
struct Scratch {
    buckets: Buckets,
    block: Vec<u16>,
    /// On foot and mechanized, with bridges in their present state.
    steps: [Vec<[Step; 6]>; 2],
    starts: Vec<(HexId, u16)>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::default());
}

impl Scratch {
    fn prepare(&mut self, staff: &Staff, s: &State, side: Side) {
        for (mine, known) in self.steps.iter_mut().zip(&staff.lore.steps) {
            mine.clone_from(known);
        }
        bridges(staff, s, side, &mut self.steps);
        self.block.clear();
        self.block.resize(staff.rules.map.board.len(), 0);
        obstacles(staff, s, side, &mut self.block);
    }
}

/// Adds the bridges in their present state: the time that crossing each of them takes a side.
fn bridges(staff: &Staff, s: &State, side: Side, steps: &mut [Vec<[Step; 6]>; 2]) {
    let (rules, weights) = (&*staff.rules, &staff.weights);
    for (i, bridge) in rules.land.bridges.iter().enumerate() {
        if bridge.kind == BridgeKind::Ferry {
            continue;
        }
        let [a, b] = bridge.hexes;
        if !rules.land.in_play.contains(a) || !rules.land.in_play.contains(b) {
            continue;
        }
        let now = s.field.bridge(i);
        let mended = match (now, side) {
            (Bridge::Repair(Side::Allied, n), Side::Allied) => u16::from(n) * TURN,
            (_, Side::Allied) => weights.repair as u16,
            // 5.9: the German player repairs no bridge over a major river.
            _ if rules.land.sides[bridge.side.index()].water == Water::MajorRiver => BARRED,
            _ => weights.repair as u16 + TURN,
        };
        let feared = side == Side::Allied && rules.may_blow_now(s, i as u16);
        for (from, to) in [(a, b), (b, a)] {
            let Some(d) = rules.land.topology.direction(from, to) else { continue };
            for (mechanized, steps) in [false, true].into_iter().zip(steps.iter_mut()) {
                let step = &mut steps[from.index()][d.index()];
                let whole = over_bridge(rules, from, to, mechanized);
                let boat = step.time;
                step.time = if now.intact() {
                    let fear = if feared { (weights.wired * weights.repair) as u16 } else { 0 };
                    whole.saturating_add(fear).min(boat)
                } else {
                    whole.saturating_add(mended).min(boat)
                };
            }
        }
    }
    // Without an Engineer nearby, units stay on their bank.
    let engineers = || s.field.in_game(side).iter().filter(|unit| rules.counter(*unit).engineer);
    let places: Vec<HexId> = engineers().filter_map(|unit| s.unit(unit).hex()).collect();
    let near = |hex: HexId| places.iter().any(|at| rules.map.board.distance(*at, hex) <= WITH_ENGINEER);
    for (hex, d) in &staff.lore.by_engineer {
        let step = &mut steps[0][hex.index()][usize::from(*d)];
        if step.time == BY_ENGINEER && !near(*hex) {
            step.time = 3 * BY_ENGINEER;
        }
    }
    // 23.3.3
    for (engineer, at) in s.ferries.iter().filter(|_| side == Side::Allied) {
        let ends = rules.map.board.side_hexes(*at);
        let ([Some(a), Some(b)], true) = (ends, s.unit(*engineer).hex().is_some()) else { continue };
        for (from, to) in [(a, b), (b, a)] {
            let Some(d) = rules.land.topology.direction(from, to) else { continue };
            for steps in steps.iter_mut() {
                let step = &mut steps[from.index()][d.index()];
                step.time = step.time.min(BY_BOAT);
            }
        }
    }
}

/// The time that each hex costs a side in addition to its terrain.
fn obstacles(staff: &Staff, s: &State, side: Side, block: &mut [u16]) {
    let (rules, weights) = (&*staff.rules, &staff.weights);
    let enemy = side.enemy();
    let stops: HexSet = s.field.zoc(enemy) - s.field.held(side);
    for hex in &stops {
        block[hex.index()] = weights.stopped as u16;
    }
    let fight = |factors: f32| (weights.fight + weights.fight_factor * factors) as u16;
    for hex in s.field.held(enemy) {
        block[hex.index()] = fight(f32::from(defense(rules, s, enemy, hex).min(24)));
    }
    if side == Side::Allied {
        for hex in &s.unknown {
            block[hex.index()] = block[hex.index()].max(fight(weights.unknown)); // 25.2
        }
        let delay = u16::from(rules.pack.tables.traffic.extra_cost) * TURN / 5;
        for hex in s.traffic.iter().filter_map(|marker| marker.hex()) {
            block[hex.index()] += delay; // 24.2
        }
    }
}

/// Defense of a hex, by the units there and the terrain (10.8.1, 14.2).
pub fn defense(rules: &Holland, s: &State, side: Side, hex: HexId) -> u16 {
    let doubled = rules.land.at(hex).doubled;
    let mut sum = 0;
    for unit in rules.stack(s, side, hex) {
        let printed = u16::from(rules.face(s, unit).defense);
        let vehicle = rules.counter(unit).categories.vehicle;
        sum += match (doubled && !vehicle, s.unit(unit).order == Order::Good) {
            (true, true) => 2 * printed,
            (false, false) => printed.div_ceil(2),
            _ => printed,
        };
    }
    sum
}

/// Which units set out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    GroundArmy,
    /// All but the ground army.
    Airborne,
    Everybody,
}

/// Where units of a side start, and when.
fn starts(
    staff: &Staff,
    s: &State,
    side: Side,
    who: Who,
    mechanized: bool,
    mut each: impl FnMut(HexId, u16),
) {
    let rules = &*staff.rules;
    for unit in s.field.in_game(side) {
        let c = rules.counter(unit);
        let face = rules.face(s, unit);
        if c.categories.artillery
            || c.categories.mechanized != mechanized
            || face.attack == 0
            || face.allowance == 0
            || who == Who::GroundArmy && !of_the_ground_army(rules, unit)
            || who == Who::Airborne && of_the_ground_army(rules, unit)
        {
            continue;
        }
        let u = s.unit(unit);
        let mut start = 0;
        if u.has(Marks::ENGAGED) || !u.good_order() || u.oos > 0 {
            start += staff.weights.held_up as u16;
        }
        if c.garrison && !u.has(Marks::FREE) {
            start += 3 * TURN;
        }
        match u.at() {
            Place::Hex(hex) => each(hex, start),
            Place::Box(area) => {
                let Some(area) = rules.land.areas.get(usize::from(area)) else { continue };
                for hex in area.hexes.iter().filter(|hex| rules.land.in_play.contains(**hex)) {
                    each(*hex, start + TURN / 6);
                }
            }
            _ => {}
        }
    }
}

fn going<'a>(
    staff: &'a Staff,
    s: &'a State,
    side: Side,
    steps: &'a [[Step; 6]],
    block: &'a [u16],
) -> Going<'a, impl Fn(HexId, Direction) -> bool> {
    let rules = &*staff.rules;
    Going {
        steps,
        block,
        own: s.field.held(side),
        contact: s.field.near(side.enemy()),
        bond: staff.weights.bond as u16,
        bars: move |hex, d| bonds::bars(rules, &s.field, side, hex, d).is_some(),
    }
}

/// How soon the Allies could be where.
#[derive(Debug)]
pub struct Allies {
    /// When the ground army, and when anybody, could be in each hex.
    pub ground: Arrival,
    pub any: Arrival,
    /// The time from each hex to the far bank, on foot and mechanized, where the scenario asks for it.
    pub to_shore: Option<[Vec<u16>; 2]>,
}

/// The Allies, within this many turns; the path to the far bank within this many.
pub fn allies(staff: &Staff, s: &State, turns: f32, to_shore: f32) -> Allies {
    let most = parts(turns);
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.prepare(staff, s, Side::Allied);
        let Scratch { buckets, block, steps, starts: set_out } = scratch;
        let mut spread = |arrival: &mut Arrival, who: Who| {
            for mechanized in [true, false] {
                set_out.clear();
                starts(staff, s, Side::Allied, who, mechanized, |hex, start| set_out.push((hex, start)));
                let going = going(staff, s, Side::Allied, &steps[usize::from(mechanized)], block);
                arrival.spread(set_out.iter().copied(), &going, most, buckets);
            }
        };
        let mut ground = Arrival::nowhere(staff.rules.map.board.len());
        spread(&mut ground, Who::GroundArmy);
        // A hex that the ground army reaches first counts for all units.
        let mut any = ground.clone();
        spread(&mut any, Who::Airborne);
        let wanted = staff.lore.beyond.is_some();
        let to_shore = wanted.then(|| back(staff, s, Side::Allied, &staff.lore.shore, to_shore, scratch));
        Allies { ground, any, to_shore }
    })
}

/// When units of a side could be in each hex, within so many turns.
pub fn arrivals(staff: &Staff, s: &State, side: Side, who: Who, turns: f32) -> Arrival {
    let most = parts(turns);
    let mut arrival = Arrival::nowhere(staff.rules.map.board.len());
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.prepare(staff, s, side);
        for mechanized in [true, false] {
            let mut set_out = Vec::new();
            starts(staff, s, side, who, mechanized, |hex, start| set_out.push((hex, start)));
            let going = going(staff, s, side, &scratch.steps[usize::from(mechanized)], &scratch.block);
            arrival.spread(set_out.into_iter(), &going, most, &mut scratch.buckets);
        }
    });
    arrival
}

/// Paths to goals over prepared terrain.
fn back(
    staff: &Staff,
    s: &State,
    side: Side,
    goals: &[HexId],
    turns: f32,
    scratch: &mut Scratch,
) -> [Vec<u16>; 2] {
    let most = parts(turns);
    [false, true].map(|mechanized| {
        let going = going(staff, s, side, &scratch.steps[usize::from(mechanized)], &scratch.block);
        arrival::back(goals.iter().copied(), &staff.lore.next, &going, most, &mut scratch.buckets)
    })
}

/// Paths to several groups of goals, each on foot and mechanized; none for a group that nobody heads for.
pub fn ways_to_each(
    staff: &Staff,
    s: &State,
    side: Side,
    groups: &[Vec<HexId>],
    turns: impl Fn(usize) -> f32,
) -> Vec<Option<[Vec<u16>; 2]>> {
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.prepare(staff, s, side);
        let mut ways = |(i, goals): (usize, &Vec<HexId>)| {
            (!goals.is_empty()).then(|| back(staff, s, side, goals, turns(i), scratch))
        };
        groups.iter().enumerate().map(&mut ways).collect()
    })
}

fn parts(turns: f32) -> u16 {
    ((turns * f32::from(TURN)) as u16).min(arrival::NEVER_THERE - 1)
}

/// A rough estimate of the attack factors that a side could bring against each hex in its next turn.
pub fn menace(rules: &Holland, s: &State, side: Side) -> Vec<f32> {
    let mut menace = vec![0.0; rules.map.board.len()];
    for unit in s.field.in_game(side) {
        let c = rules.counter(unit);
        let attack = f32::from(rules.face(s, unit).attack);
        let u = s.unit(unit);
        let Some(hex) = u.hex() else { continue };
        if c.categories.artillery || attack == 0.0 || !u.good_order() {
            continue;
        }
        let reach = match c.categories.mechanized {
            _ if u.has(Marks::ENGAGED) || rules.face(s, unit).allowance == 0 => 1,
            true => 4,
            false => 3,
        };
        for near in rules.map.board.range(hex, reach) {
            let distance = rules.map.board.distance(hex, near).max(1);
            menace[near.index()] += attack * if distance > 2 { 0.5 } else { 1.0 };
        }
    }
    menace
}

/// Units of a side that are on the map or in a box next to it.
pub fn army(s: &State, side: Side) -> Vec<UnitId> {
    s.field.in_game(side).iter().collect()
}
