//! Where the Warsaw Pact wants to go, over roads and bridges as they are, and which hexes its ways lead through.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use ::wurzburg::{
    Wurzburg,
    field::{DRY, Edge},
    state::State,
    units::{Side, UnitId},
};
use hexgrid::{Direction, Flood, HexId, Step};

use super::{Goal, Staff};

/// Costs are in quarters of a Movement Point. A road by which a force passes at its usual pace.
const ROAD: u16 = 2;
/// The Main without a bridge: a bridge must be built, or the regiment crosses by itself.
const MAIN: u16 = 60;
const SAALE: u16 = 8;
/// How much farther a force goes for one more point that a hex scores.
const PULL: u16 = 6;
/// A goal that its side holds already: somebody may have to come back to it, but others come first.
const HELD: u16 = 80;
/// Farther ways than this are not looked for.
const BUDGET: u16 = 2000;

/// Ways of the Warsaw Pact in one position.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// Hexes to the nearest goal, for every hex.
    far: Vec<f32>,
    /// The steps of maneuver units whose way leads through each hex, and the greatest number of them.
    flow: Vec<f32>,
    most: f32,
}

impl Ways {
    /// How far a hex is from what the Warsaw Pact wants, in Movement Points.
    pub fn far(&self, hex: HexId) -> f32 {
        self.far.get(hex.index()).copied().unwrap_or(99.0)
    }

    /// The share of the Warsaw Pact's strength that wants to come through a hex, from 0 to 1.
    pub fn flow(&self, hex: HexId) -> f32 {
        if self.most <= 0.0 { 0.0 } else { self.flow.get(hex.index()).copied().unwrap_or(0.0) / self.most }
    }

    fn new(rules: &Wurzburg, s: &State, goals: &[Goal]) -> Ways {
        let board = &rules.field.board;
        let held = |hex: HexId| {
            rules.holdable.iter().position(|at| *at == hex).is_some_and(|n| s.control[n] == Side::Wp)
        };
        let top = goals.iter().map(|goal| goal.points).fold(0.0, f32::max);
        let sources: Vec<(HexId, u16)> = goals
            .iter()
            .map(|goal| {
                let less = (top - goal.points).max(0.0) as u16 * PULL;
                (goal.hex, less + if goal.holds && held(goal.hex) { HELD } else { 0 })
            })
            .collect();
        let mut flood = Flood::new();
        // Backwards: the step is from `to` into `here`.
        let cost = |here: HexId, direction: Direction, to: HexId| {
            if !rules.area.contains(to) {
                return Step::Forbidden;
            }
            let back = direction.opposite();
            let edge = rules.field.edge(to, back);
            if rules.road(s, to, back).is_some() {
                return Step::Enter(ROAD);
            }
            if edge.any(Edge::IMPASSABLE) {
                return Step::Forbidden;
            }
            let n = rules.field.river(to, back);
            let bridged = n == DRY || s.crossings[usize::from(n)].military.is_some();
            let river = match () {
                () if bridged || !edge.any(Edge::RIVER) => 0,
                () if edge.any(Edge::MAIN) => MAIN,
                () => SAALE,
            };
            let slope = if edge.any(Edge::UP) { 4 } else { 0 };
            Step::Enter(u16::from(rules.tables.terrain(rules.field.terrain(here)).mp) * 4 + river + slope)
        };
        flood.run_until(board, &sources, BUDGET, cost, |_| false);
        let hexes = (0..board.len()).map(|n| HexId(n as u16));
        let far: Vec<f32> =
            hexes.map(|hex| flood.cost(hex).map_or(99.0, |cost| f32::from(cost) / 4.0)).collect();
        let mut ways = Ways { flow: vec![0.0; far.len()], far, most: 0.0 };
        for unit in rules.units_of(Side::Wp) {
            let u = s.unit(*unit);
            if !u.on_map() || !rules.counter(*unit).symbol.maneuver() {
                continue;
            }
            let (mut here, steps) = (u.hex, f32::from(u.steps));
            loop {
                ways.flow[here.index()] += steps;
                let next = board.neighbour_row(here).iter().copied().filter(|hex| *hex != HexId::NONE);
                let next = next.min_by(|a, b| ways.far(*a).total_cmp(&ways.far(*b)));
                match next.filter(|hex| ways.far(*hex) < ways.far(here)) {
                    Some(hex) => here = hex,
                    None => break,
                }
            }
        }
        ways.most = ways.flow.iter().copied().fold(0.0, f32::max);
        ways
    }
}

impl Staff {
    /// The ways in this position; they are kept until control, bridges or the units of the Warsaw Pact change.
    pub(super) fn ways(&self, s: &State) -> Arc<Ways> {
        let rules = &*self.rules;
        let mut hasher = DefaultHasher::new();
        for unit in rules.units_of(Side::Wp) {
            let u = s.unit(*unit);
            (u.hex, u.steps).hash(&mut hasher);
        }
        for side in &s.control {
            (*side as u8).hash(&mut hasher);
        }
        for crossing in &s.crossings {
            (crossing.blown, crossing.military.is_some()).hash(&mut hasher);
        }
        let key = hasher.finish();
        let mut kept = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match &*kept {
            Some((of, ways)) if *of == key => Arc::clone(ways),
            _ => {
                let ways = Arc::new(Ways::new(rules, s, &self.goals));
                *kept = Some((key, Arc::clone(&ways)));
                ways
            }
        }
    }

    /// The distance of the nearest enemy maneuver unit.
    pub(super) fn enemy_near(&self, s: &State, side: Side, hex: HexId) -> u32 {
        let rules = &*self.rules;
        let fights = |unit: &&UnitId| s.unit(**unit).on_map() && rules.counter(**unit).symbol.maneuver();
        let enemies = rules.units_of(side.enemy()).iter().filter(fights);
        enemies.map(|unit| rules.field.distance(s.unit(*unit).hex, hex)).min().unwrap_or(99)
    }
}
