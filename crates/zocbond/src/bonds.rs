//! Bonds: two units of one side exactly two hexes apart close the hex between them, or the hexside between their two
//! common neighbours, to the enemy.

use hexgrid::{Direction, HexId};

use crate::{FieldOf, Side, System};

/// A bond of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bond {
    /// Through this hex, between these two hexes.
    Hex { through: HexId, ends: [HexId; 2] },
    /// Along the hexside between these two hexes; an end is [`HexId::NONE`] at the edge of the map.
    Hexside { along: [HexId; 2], ends: [HexId; 2] },
}

/// The enemy Hex Bond that closes a hex to `side`, unless a unit of `side` in that hex negates it.
#[inline]
pub fn hex_bond_against<G: System>(rules: &G, field: &FieldOf<G>, side: G::Side, hex: HexId) -> Option<Bond> {
    if field.held(side).contains(hex) {
        return None;
    }
    hex_bond_of(rules, field, side.enemy(), hex)
}

/// The bond of `owner` through a hex, ignoring negation.
#[inline]
fn hex_bond_of<G: System>(rules: &G, field: &FieldOf<G>, owner: G::Side, hex: HexId) -> Option<Bond> {
    // Both ends are neighbours, so most hexes need no further test.
    if !field.near(owner).contains(hex) {
        return None;
    }
    let bonding = field.bonding(owner);
    let around = rules.topology().around(hex);
    (0..3).find_map(|d| {
        let ends = [around[d], around[d + 3]];
        // The map edge is no partner for Hex Bonds. The terrain is tested last, because its table is rarely in the
        // cache.
        let bound = ends.iter().all(|end| *end != HexId::NONE && bonding.contains(*end))
            && rules.bond_axes(field, hex) >> d & 1 == 1;
        bound.then_some(Bond::Hex { through: hex, ends })
    })
}

/// The enemy Hexside Bond that a unit of `side` in `from` would cross in this direction. It is negated while units of
/// `side` are on both sides of it; the moving unit itself counts on this side.
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

/// The same for a supply line or another trace, which involves no moving unit: both hexes must be occupied to negate
/// the bond.
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

/// The bond of `owner` along a hexside, ignoring negation.
fn hexside_bond_of<G: System>(
    rules: &G,
    field: &FieldOf<G>,
    owner: G::Side,
    from: HexId,
    to: Direction,
    beyond: HexId,
) -> Option<Bond> {
    // An end that is a unit is adjacent to both hexes.
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

/// Every bond of a side that is in force, with both kinds of negation applied. Where bonds of the two sides cross each
/// other, both remain in force.
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

/// The enemy bond that keeps a unit of `side` in `from` from stepping in this direction.
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

/// The enemy bond that stops a supply line or another trace of `side` on this step.
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
