//! How soon a side could reach each hex from the current position: enemy units must be beaten, zones of control stop
//! movement, ZOC Bonds block it, blown bridges and traffic delay it. One search from all its units.

use std::cell::RefCell;

use ::ardennes::{
    Ardennes,
    flags::Flags,
    pack::{Ground, Side},
    state::{Bridges, State},
    terrain::{ASK, Class, Mover, NEVER, cost_index},
};
use hexgrid::{Direction, HexId, HexSet};

use super::{staff::Staff, value::time_to_advance, weights::Weights};
pub use crate::bond::arrival::TURN;
use crate::bond::arrival::{self, Arrival, BARRED, Buckets, Going, NEVER_THERE, Step};

/// Time for a quarter movement point of a mechanized unit (28 of them a turn).
pub const MECHANIZED: u32 = 3;
/// Time for a quarter movement point on foot (14 of them a turn).
const FOOT: u32 = 6;
/// Crossing an unbridged river or a roadless Wooded Rough side takes Tactical Movement, half a turn (11.4, 11.6).
const CROSSING_QUARTERS: u32 = 7;
/// Arrivals later than the remaining time plus this many turns are not searched for.
const TOO_LATE: f32 = 2.5;

/// Arrival times of a side, in parts of a turn.
#[derive(Debug, Clone)]
pub struct Field(Arrival);

#[derive(Default)]
struct Scratch {
    buckets: Buckets,
    block: Vec<u16>,
    roads: Roads,
}

/// The time of every step on foot and for mechanized units, with bridges in their present state.
#[derive(Default)]
struct Roads {
    /// The staff, ground and bridges for which the steps were computed.
    made_for: Option<(u64, Ground, Bridges)>,
    /// By hex and direction.
    steps: [Vec<[Step; 6]>; 2],
}

impl Roads {
    fn prepare(&mut self, staff: &Staff, s: &State) {
        let rules = &*staff.rules;
        let (whose, ground) = (staff.number, rules.ground(s));
        let made = self.made_for.as_ref();
        if made.is_some_and(|(a, b, bridges)| *a == whose && *b == ground && bridges.same_intact(s.bridges()))
        {
            return;
        }
        for (mechanized, steps) in [false, true].into_iter().zip(&mut self.steps) {
            let (mover, class) =
                if mechanized { (Mover::Vehicle, Class::Mechanized) } else { (Mover::Foot, Class::Foot) };
            let cost = cost_index(class, ground);
            let pace = if mechanized { MECHANIZED } else { FOOT };
            steps.clear();
            for (hex, known) in rules.map.board.ids().zip(rules.land.steps(mover, ground)) {
                steps.push(std::array::from_fn(|d| {
                    let to = staff.lore.next[hex.index()][d];
                    let quarters = match known[d] {
                        _ if to == HexId::NONE => return Step { to: hex, time: BARRED },
                        known if known < ASK => Some(u32::from(known)),
                        _ => hard_step(rules, s, hex, d, cost, mechanized),
                    };
                    let time = quarters.map_or(BARRED, |quarters| (quarters.min(254) * pace).max(1) as u16);
                    Step { to, time }
                }));
            }
        }
        self.made_for = Some((whose, ground, *s.bridges()));
    }
}

impl Scratch {
    fn prepare(&mut self, staff: &Staff, s: &State, side: Side) {
        let rules = &*staff.rules;
        self.block.clear();
        self.block.resize(rules.map.board.len(), 0);
        obstacles(rules, &staff.weights, s, side, &mut self.block);
        self.roads.prepare(staff, s);
    }
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::default());
}

impl Field {
    pub fn new(staff: &Staff, s: &State, side: Side) -> Field {
        // Arrivals long after the end of the game count as never.
        let left = f32::from(staff.rules.scenario.last_turn.saturating_sub(s.turn)) + 1.0;
        let turns = time_to_advance(&staff.weights, left) + TOO_LATE;
        Field::within(staff, s, side, turns)
    }

    /// Arrival times within this many turns.
    pub fn within(staff: &Staff, s: &State, side: Side, turns: f32) -> Field {
        let mut field = Arrival::nowhere(staff.rules.map.board.len());
        let most = ((turns * f32::from(TURN)) as u16).min(NEVER_THERE);
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.prepare(staff, s, side);
            for mechanized in [true, false] {
                let going =
                    going(staff, s, side, &scratch.roads.steps[usize::from(mechanized)], &scratch.block);
                field.spread(starts(staff, s, side, mechanized), &going, most, &mut scratch.buckets);
            }
        });
        Field(field)
    }

    #[inline]
    pub fn at(&self, hex: HexId) -> u16 {
        self.0.at(hex)
    }

    /// How much the fastest paths to these goals pass through each hex, weighted.
    pub fn flow(&self, goals: impl Iterator<Item = (HexId, f32)>) -> Vec<f32> {
        self.0.flow(goals)
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
        own: s.held(side),
        contact: s.near(side.enemy()),
        bond: staff.weights.bond as u16,
        bars: move |hex, d| rules.bond_bars(s, side, hex, d).is_some(),
    }
}

/// Where the units of a side start, and when.
fn starts<'a>(
    staff: &'a Staff,
    s: &'a State,
    side: Side,
    mechanized: bool,
) -> impl Iterator<Item = (HexId, u16)> + 'a {
    let rules = &*staff.rules;
    rules.on_map(s, side).filter_map(move |unit| {
        let counter = rules.counter(unit);
        if counter.artillery || counter.mechanized != mechanized {
            return None;
        }
        let hex = s.unit(unit).hex()?;
        let mut start = 0;
        if s.unit(unit).is(Flags::ENGAGED | Flags::DISRUPTED | Flags::OOS) {
            start += staff.weights.held_up as u16;
        }
        if rules.factors(s, unit).attack < 2 {
            start += staff.weights.weak as u16;
        }
        Some((hex, start))
    })
}

/// A step that the tables do not decide: its cost in quarters, or none.
fn hard_step(
    rules: &Ardennes,
    s: &State,
    hex: HexId,
    d: usize,
    cost: usize,
    mechanized: bool,
) -> Option<u32> {
    let edge = &rules.land.edges(hex)[d];
    let crossing = rules.crossing(s, hex, Direction::from_index(d));
    if crossing.lake || mechanized && !crossing.open_to_vehicles() {
        return None;
    }
    if !mechanized && crossing.hard() {
        return Some(CROSSING_QUARTERS);
    }
    let enter = rules.land.hex(edge.to).enter[cost];
    let quarters = if crossing.road { edge.road[cost].min(enter) } else { enter };
    match (quarters, mechanized) {
        (NEVER, true) => None,
        (NEVER, false) => Some(CROSSING_QUARTERS),
        (quarters, _) => Some(u32::from(quarters)),
    }
}

/// The time that units of a side, mechanized or on foot, need from each hex to the nearest of these goals, at most
/// `most`.
pub fn back(
    staff: &Staff,
    s: &State,
    side: Side,
    mechanized: bool,
    goals: impl Iterator<Item = HexId>,
    most: u16,
) -> Vec<u16> {
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.prepare(staff, s, side);
        let going = going(staff, s, side, &scratch.roads.steps[usize::from(mechanized)], &scratch.block);
        arrival::back(goals, &staff.lore.next, &going, most, &mut scratch.buckets)
    })
}

/// The time that each hex costs a side in addition to its terrain.
fn obstacles(rules: &Ardennes, weights: &Weights, s: &State, side: Side, block: &mut [u16]) {
    let enemy = side.enemy();
    let stops: HexSet = s.zoc(enemy) - s.held(side);
    for hex in &stops {
        block[hex.index()] = weights.stopped as u16;
    }
    for hex in s.held(enemy) {
        let factors = f32::from(defense(rules, s, enemy, hex).min(20));
        block[hex.index()] = (weights.fight + weights.fight_factor * factors) as u16;
    }
    for at in s.traffic[enemy.index()].iter().chain(&s.roadblocks[enemy.index()]) {
        if let Some(hex) = at.hex() {
            block[hex.index()] += 8 * MECHANIZED as u16;
        }
    }
    if side == Side::German {
        for hex in &rules.land.bottleneck {
            block[hex.index()] += rules.delay(s, side, hex) * MECHANIZED as u16;
        }
    }
}

/// Defense of a hex including its bonus, by the units there (15.1).
pub fn defense(rules: &Ardennes, s: &State, side: Side, hex: HexId) -> u8 {
    let mut sum = 0u8;
    let mut covered = false;
    let mut silhouettes = true;
    for unit in s.stack(hex) {
        let counter = rules.counter(unit);
        let factor = rules.factors(s, unit).defense;
        sum = sum.saturating_add(factor);
        if !counter.artillery && !counter.parentheses && !s.unit(unit).is(Flags::ON_ROAD) {
            covered = true;
            silhouettes &= counter.silhouette;
        }
    }
    let mut bonus = rules.land.hex(hex).dcb[side.index()];
    let effects = &rules.tables().terrain;
    if s.improved.contains(hex) {
        bonus = bonus.max(effects.improved_position_dcb);
    }
    if silhouettes {
        bonus = bonus.min(effects.silhouette_dcb_cap);
    }
    if covered { sum + bonus.min(sum) } else { sum }
}
