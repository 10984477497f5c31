//! Ready-made deployments (11.1) where a side sets up freely: that of the scenario, and one close to the enemy.
//!
//! They are worked out from what both sides know, the scenario: where it puts the enemy or lets it enter.

use hexgrid::{HexId, HexSet};

use crate::{
    rules::Wurzburg,
    state::State,
    units::{Side, UnitId},
};

/// How the units stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Where the scenario lists them.
    Listed,
    /// Maneuver units as near the enemy as their zones allow, the others where the scenario lists them.
    Forward,
}

impl Layout {
    pub const ALL: [Layout; 2] = [Layout::Listed, Layout::Forward];
}

/// Where the enemy stands or enters.
fn expected(rules: &Wurzburg, side: Side) -> HexSet {
    let scenario = &rules.scenario;
    let enemy = |piece| rules.unit_of_piece(piece).is_some_and(|unit| rules.counter(unit).side != side);
    let standing: HexSet = scenario.setup.iter().filter(|at| enemy(at.piece)).map(|at| at.hex).collect();
    if !standing.is_empty() {
        return standing;
    }
    let arrivals = scenario.arrivals.iter().filter(|arrival| arrival.side != side);
    arrivals
        .filter_map(|arrival| scenario.zone(&arrival.zone))
        .flat_map(|zone| zone.iter().collect::<Vec<_>>())
        .collect()
}

/// Where each unit of a side would stand. Units that the scenario does not list, or that may not be moved, are left out.
pub fn places(rules: &Wurzburg, s: &State, side: Side, layout: Layout) -> Vec<(UnitId, HexId)> {
    let mut s = s.clone();
    let enemy = expected(rules, side);
    let near = |hex: HexId| enemy.iter().map(|foe| rules.field.distance(hex, foe)).min().unwrap_or(0);
    let listed: Vec<_> =
        rules.scenario.setup.iter().filter_map(|at| Some((rules.unit_of_piece(at.piece)?, at))).collect();
    let own = |unit: &UnitId| rules.counter(*unit).side == side && s.unit(*unit).on_map();
    let mut units: Vec<(UnitId, HexId)> =
        listed.iter().map(|(unit, at)| (*unit, at.hex)).filter(|(unit, _)| own(unit)).collect();
    // First everybody returns to the list, so that a layout does not depend on the one before.
    for (unit, home) in &units {
        s.shift(*unit, *home);
    }
    if layout == Layout::Listed {
        return units;
    }
    for (unit, at) in &mut units {
        let zone =
            rules.piece_of(*unit).and_then(|piece| rules.scenario.setup_zone(&rules.pack.forces, piece));
        let Some(zone) = zone.filter(|_| rules.counter(*unit).symbol.maneuver()) else { continue };
        let fits = |hex: HexId| {
            let mut there = rules.stack(&s, side, hex);
            there.push(*unit);
            hex == *at || !rules.holds(&s, hex, side.enemy()) && rules.may_stack(&s, &there)
        };
        let home = *at;
        if let Some(hex) = zone
            .iter()
            .filter(|hex| fits(*hex))
            .min_by_key(|hex| (near(*hex), rules.field.distance(*hex, home), *hex))
        {
            s.shift(*unit, hex);
            *at = hex;
        }
    }
    units
}
