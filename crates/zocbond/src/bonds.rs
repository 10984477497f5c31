//! Bonds: two units of one side that are exactly two hexes apart close the hex between them, or the hexside between their
//! two common neighbours, to the enemy.

use hexgrid::{Direction, HexId};

use crate::{FieldOf, Side, System};

/// A bond of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bond {
    /// Through this hex, between these two.
    Hex { through: HexId, ends: [HexId; 2] },
    /// Along the side between these two hexes; an end is [`HexId::NONE`] at the map's edge.
    Hexside { along: [HexId; 2], ends: [HexId; 2] },
}

/// The Hex Bond of the enemies of `side` that closes a hex to it, unless one of its own units is there and negates it.
#[inline]
pub fn hex_bond_against<G: System>(rules: &G, field: &FieldOf<G>, side: G::Side, hex: HexId) -> Option<Bond> {
    if field.held(side).contains(hex) {
        return None;
    }
    hex_bond_of(rules, field, side.enemy(), hex)
}

/// The bond that `owner` has through a hex, negation left aside.
#[inline]
fn hex_bond_of<G: System>(rules: &G, field: &FieldOf<G>, owner: G::Side, hex: HexId) -> Option<Bond> {
    // Both ends are neighbours: most hexes need no closer look.
    if !field.near(owner).contains(hex) {
        return None;
    }
    let bonding = field.bonding(owner);
    let around = rules.topology().around(hex);
    (0..3).find_map(|d| {
        let ends = [around[d], around[d + 3]];
        // Never with the map's edge. The land is asked last: its table is seldom in the cache.
        let bound = ends.iter().all(|end| *end != HexId::NONE && bonding.contains(*end))
            && rules.bond_axes(field, hex) >> d & 1 == 1;
        bound.then_some(Bond::Hex { through: hex, ends })
    })
}

/// The Hexside Bond of the enemies of `side` that a unit standing in `from` would cross in this direction. It is negated
/// while units of `side` are on both sides of it: the unit itself is on this one.
#[inline]
pub fn hexside_bond_against<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    side: G::Side,
    from: HexId,
    to: Direction,
) -> Option<Bond> {
    let beyond = rules.topology().neighbour(from, to)?;
    if field.held(side).contains(beyond) {
        return None;
    }
    hexside_bond_of(rules, field, side.enemy(), from, to, beyond)
}

/// The same for a supply line or another trace, which no unit walks: both hexes must be held to negate it.
pub fn hexside_bond_across<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    side: G::Side,
    from: HexId,
    to: Direction,
) -> Option<Bond> {
    let beyond = rules.topology().neighbour(from, to)?;
    let own = field.held(side);
    if own.contains(from) && own.contains(beyond) {
        return None;
    }
    hexside_bond_of(rules, field, side.enemy(), from, to, beyond)
}

/// The bond that `owner` has along a hexside, negation left aside.
fn hexside_bond_of<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    owner: G::Side,
    from: HexId,
    to: Direction,
    beyond: HexId,
) -> Option<Bond> {
    // An end that is a unit is a neighbour of both hexes.
    if !field.near(owner).contains(from) {
        return None;
    }
    let bonding = field.bonding(owner);
    let around = rules.topology().around(from);
    let ends = [around[to.counter_clockwise().index()], around[to.clockwise().index()]];
    let units = ends.iter().filter(|end| **end != HexId::NONE && bonding.contains(**end)).count();
    let edge_of_map = ends.contains(&HexId::NONE);
    // The map's edge is a partner for Hexside Bonds.
    let paired = units == 2 || units == 1 && edge_of_map;
    let bound = paired && rules.bond_sides(field, from) >> to.index() & 1 == 1;
    bound.then_some(Bond::Hexside { along: [from, beyond], ends })
}

/// Every bond of a side that stands now, with both kinds of negation applied. Bonds of the two sides that cross each other
/// both stand.
pub fn all<G: System>(rules: &G, field: &FieldOf<G>, owner: G::Side, mut each: impl FnMut(Bond)) {
    let topology = rules.topology();
    for hex in topology.in_play() {
        if !field.near(owner).contains(hex) {
            continue;
        }
        let around = topology.around(hex);
        let bonding = field.bonding(owner);
        let enemy = field.held(owner.enemy());
        for d in 0..3 {
            let ends = [around[d], around[d + 3]];
            let bound = rules.bond_axes(field, hex) >> d & 1 == 1
                && !enemy.contains(hex)
                && ends.iter().all(|end| *end != HexId::NONE && bonding.contains(*end));
            if bound {
                each(Bond::Hex { through: hex, ends });
            }
        }
        for direction in Direction::ALL {
            let Some(beyond) = around[direction.index()].some().filter(|b| *b > hex) else { continue };
            if !(enemy.contains(hex) && enemy.contains(beyond))
                && let Some(bond) = hexside_bond_of(rules, field, owner, hex, direction, beyond)
            {
                each(bond);
            }
        }
    }
}

/// The enemy Bond that keeps a unit of `side` in `from` from stepping this way.
#[inline]
pub fn bars<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    side: G::Side,
    from: HexId,
    to: Direction,
) -> Option<Bond> {
    let beyond = rules.topology().neighbour(from, to)?;
    hexside_bond_against(rules, field, side, from, to)
        .or_else(|| hex_bond_against(rules, field, side, beyond))
}

/// The enemy Bond that stops a supply line or another trace of `side` on this step.
#[inline]
pub fn bars_trace<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    side: G::Side,
    from: HexId,
    to: Direction,
) -> Option<Bond> {
    let beyond = rules.topology().neighbour(from, to)?;
    hexside_bond_across(rules, field, side, from, to).or_else(|| hex_bond_against(rules, field, side, beyond))
}
