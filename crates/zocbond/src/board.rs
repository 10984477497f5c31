//! Placing and removing counters. Everything that depends on where units stand (stacks, zones of control, which hexes
//! are near which units) is kept up to date here and nowhere else.

use hexgrid::{HexId, HexSet};

use crate::{
    FieldOf, Key, Link, Piece, PlaceOf, Side, Stamp, System, UnitId,
    system::FULL_ZOC,
    zoc::{exerts, sources},
};

/// Move a unit to another place. This is the only way to move a counter.
pub fn put<G: System>(rules: &G, field: &mut FieldOf<G>, unit: UnitId, to: PlaceOf<G>) {
    let side = rules.side_of(unit);
    let (from, to_hex) = (field.unit(unit).hex(), G::Unit::hex_of(to));
    let reach = from.map_or(0, |from| rules.zoc_reach(field, unit, from));
    field.unit_mut(unit).set_place(to, Key::KEY);
    if let Some(from) = from {
        unlink::<G>(field, unit, from);
        let left = recount(rules, field, from, side);
        if reach & !left != 0 || !field.held(side).contains(from) {
            refresh_around(rules, field, from, side);
        }
    }
    if from.is_none() || to_hex.is_none() {
        note_presence::<G>(field, side, unit);
        field.changes.come_or_go();
    }
    if let Some(hex) = to_hex {
        let below = field.top[hex.index()];
        field.unit_mut(unit).set_below(below, Key::KEY);
        field.top[hex.index()] = Link(unit.0);
        field.changes.restack(hex);
        arrive(rules, field, unit, hex);
    }
    field.stands[side.index()].renew();
    field.renew_stamp();
}

/// Take a unit off the map, permanently or temporarily: its markers are removed.
pub fn take_off<G: System>(rules: &G, field: &mut FieldOf<G>, unit: UnitId, to: PlaceOf<G>) {
    put(rules, field, unit, to);
    field.unit_mut(unit).clear_markers();
}

/// To be called when the effect of the units of a hex on the hexes around it has changed for a reason other than
/// movement: a unit lost or regained its ZOC, or a bridge of the hex was blown or repaired.
pub fn reassess<G: System>(rules: &G, field: &mut FieldOf<G>, hex: HexId) {
    for side in G::Side::ALL {
        if field.held(side).contains(hex) {
            recount(rules, field, hex, side);
            refresh_around(rules, field, hex, side);
            field.stands[side.index()].renew();
        }
    }
    field.renew_stamp();
}

/// Add what a unit that has entered a hex contributes to the sets.
fn arrive<G: System>(rules: &G, field: &mut FieldOf<G>, unit: UnitId, hex: HexId) {
    let topology = rules.topology();
    let i = rules.side_of(unit).index();
    if rules.forms_bonds(field, unit, hex) {
        field.bonding[i].insert(hex);
    }
    let reach = rules.zoc_reach(field, unit, hex);
    let full = reach == FULL_ZOC;
    let first = field.held[i].insert(hex);
    let first_full = full && field.full_zoc[i].insert(hex);
    let partial = !full && reach != 0;
    if !first && !first_full && !partial {
        return;
    }
    if let Some(nearby) = topology.nearby(hex) {
        nearby.insert(&mut field.near[i], u8::MAX);
        nearby.insert(&mut field.zoc[i], reach);
        return;
    }
    for (direction, to) in topology.around(hex).iter().enumerate() {
        field.near[i].insert(*to);
        if reach >> direction & 1 == 1 {
            field.zoc[i].insert(*to);
        }
    }
}

/// Recompute what `side` has in a hex; returns the directions in which its ZOC reaches from there.
fn recount<G: System>(rules: &G, field: &mut FieldOf<G>, hex: HexId, side: G::Side) -> u8 {
    let i = side.index();
    let (mut held, mut reach, mut bonding) = (false, 0, false);
    for unit in field.stack(hex).filter(|unit| rules.side_of(*unit) == side) {
        held = true;
        reach |= rules.zoc_reach(field, unit, hex);
        bonding = bonding || rules.forms_bonds(field, unit, hex);
    }
    field.held[i].set(hex, held);
    field.full_zoc[i].set(hex, reach == FULL_ZOC);
    field.bonding[i].set(hex, bonding);
    reach
}

/// Recompute the ZOC of `side` in the neighbours of a hex.
fn refresh_around<G: System>(rules: &G, field: &mut FieldOf<G>, hex: HexId, side: G::Side) {
    let topology = rules.topology();
    let i = side.index();
    let Some(nearby) = topology.nearby(hex) else {
        topology.neighbours(hex).for_each(|to| refresh_zoc(rules, field, to, side));
        return;
    };
    let near = nearby.members(&field.held[i]).beside_neighbours();
    let full = nearby.members(&field.full_zoc[i]).beside_neighbours();
    let (mut zoc, mut limited) = (full, near & !full);
    while limited != 0 {
        let direction = limited.trailing_zeros() as usize;
        let reached = sources(rules, field, side, topology.around(hex)[direction]).next().is_some();
        zoc |= u8::from(reached) << direction;
        limited &= limited - 1;
    }
    nearby.insert(&mut field.zoc[i], zoc);
    nearby.remove(&mut field.near[i], !near);
    nearby.remove(&mut field.zoc[i], !zoc);
    debug_assert!(topology.neighbours(hex).all(|to| {
        let near = topology.neighbours(to).any(|from| field.held[i].contains(from));
        let zoc = topology.neighbours(to).any(|from| exerts(rules, field, side, from, to));
        (near, zoc) == (field.near[i].contains(to), field.zoc[i].contains(to))
    }));
}

/// Recompute whether the side's ZOC reaches the hex, and whether one of its units is adjacent to it.
#[inline(never)]
fn refresh_zoc<G: System>(rules: &G, field: &mut FieldOf<G>, hex: HexId, side: G::Side) {
    let i = side.index();
    let (near, full) = any_of(rules.topology().around(hex), &field.held[i], &field.full_zoc[i]);
    // Only units with a limited ZOC need the slower test.
    let zoc = full | (near != full && sources(rules, field, side, hex).next().is_some());
    field.near[i].set(hex, near);
    field.zoc[i].set(hex, zoc);
}

/// Recompute all sets from scratch: after a position has been set up directly, and to check the incremental updates
/// above. `units` are all counters of the game.
pub fn refresh_all<G: System>(rules: &G, field: &mut FieldOf<G>, units: impl IntoIterator<Item = UnitId>) {
    for unit in units {
        note_presence::<G>(field, rules.side_of(unit), unit);
    }
    for hex in rules.topology().in_play() {
        for side in G::Side::ALL {
            recount(rules, field, hex, side);
        }
    }
    for hex in rules.topology().in_play() {
        for side in G::Side::ALL {
            refresh_zoc(rules, field, hex, side);
        }
    }
    field.stands.iter_mut().for_each(Stamp::renew);
    field.renew_stamp();
}

/// Whether one of these hexes is in the first set, and whether one is in the second. Tests all six without branching,
/// since the result cannot be predicted.
fn any_of(row: &[HexId; 6], a: &HexSet, b: &HexSet) -> (bool, bool) {
    row.iter().fold((false, false), |any, hex| (any.0 | a.contains(*hex), any.1 | b.contains(*hex)))
}

fn note_presence<G: System>(field: &mut FieldOf<G>, side: G::Side, unit: UnitId) {
    let in_game = field.unit(unit).in_game();
    field.in_game[side.index()].set(unit, in_game);
}

fn unlink<G: System>(field: &mut FieldOf<G>, unit: UnitId, from: HexId) {
    let next = field.unit(unit).below();
    let top = &mut field.top[from.index()];
    if *top == Link(unit.0) {
        *top = next;
    } else {
        let mut above = top.unit();
        while let Some(other) = above {
            let below = field.unit(other).below();
            if below == Link(unit.0) {
                field.units[other.index()].set_below(next, Key::KEY);
                break;
            }
            above = below.unit();
        }
    }
    field.unit_mut(unit).set_below(Link::NONE, Key::KEY);
}
