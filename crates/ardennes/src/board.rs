//! Putting counters down and taking them up. Everything that depends on where units stand (stacks, zones of
//! control, who is near whom) is kept up to date here and nowhere else.

use hexgrid::{Direction, HexId};

use crate::{
    flags::Flags,
    pack::{Side, Terrain, UnitId},
    place::Place,
    rules::Ardennes,
    state::{Link, State},
};

impl Ardennes {
    /// Put a unit somewhere else: the one way to move a counter.
    pub fn put(&self, s: &mut State, unit: UnitId, to: Place) {
        let side = self.counter(unit).side;
        if let Some(from) = s.unit(unit).hex() {
            unlink(s, unit, from);
            match s.stack(from).next() {
                Some(top) => s.muster.touch(top),
                None => s.muster.leave(from),
            }
            s.unit_mut(unit).set_place(to);
            self.refresh(s, from, side);
        }
        s.unit_mut(unit).set_place(to);
        note_presence(s, side, unit);
        // 13.7: in a Box or Blocking Position a unit has no ZOC and no stacking limit.
        if let Some(hex) = to.hex() {
            let below = s.first[hex.index()];
            s.unit_mut(unit).next = below.0;
            s.first[hex.index()] = Link(unit.0);
            self.refresh(s, hex, side);
        }
        s.stamp.renew();
    }

    /// Take a unit off the map for good or for a while: its markers come off.
    pub fn take_off(&self, s: &mut State, unit: UnitId, to: Place) {
        self.put(s, unit, to);
        let u = s.unit_mut(unit);
        u.flags = Flags::NONE;
        (u.spent, u.group, u.points) = (0, 0, 0);
    }

    /// Work out the sets again for what `side` has in `hex`.
    fn refresh(&self, s: &mut State, hex: HexId, side: Side) {
        let i = side.index();
        let rough = self.land.hex(hex).is(Terrain::WoodedRough);
        let (mut held, mut full, mut bonding) = (false, false, false);
        for unit in s.stack(hex) {
            let counter = self.counter(unit);
            held = true;
            full |= !counter.silhouette;
            // 10.1, 10.3
            bonding |= counter.bonds() && !(counter.silhouette && rough && self.silhouettes_bond_limited());
        }
        let before = (s.held[i].contains(hex), s.full_zoc[i].contains(hex));
        let lost = before.0 && !held || before.1 && !full;
        assign(&mut s.held[i], hex, held);
        assign(&mut s.full_zoc[i], hex, full);
        assign(&mut s.bonding[i], hex, bonding);
        if lost {
            for around in self.land.neighbours(hex) {
                self.refresh_zoc(s, around, side);
            }
        } else if before != (held, full) {
            let reach = if full { u8::MAX } else { self.land.hex(hex).silhouette_zoc };
            for (direction, edge) in self.land.edges(hex).iter().enumerate() {
                if edge.to == HexId::NONE {
                    continue;
                }
                s.near[i].insert(edge.to);
                if reach >> direction & 1 == 1 {
                    s.zoc[i].insert(edge.to);
                }
            }
        }
    }

    /// 9.1, 9.4: does the side's ZOC reach the hex, and does one of its units stand next to it?
    fn refresh_zoc(&self, s: &mut State, hex: HexId, side: Side) {
        let i = side.index();
        let (mut near, mut zoc) = (false, false);
        for direction in Direction::ALL {
            let Some(from) = self.land.neighbour(hex, direction) else { continue };
            if s.held[i].contains(from) {
                near = true;
                zoc = s.full_zoc[i].contains(from) || self.silhouette_reaches(from, direction.opposite());
                if zoc {
                    break;
                }
            }
        }
        assign(&mut s.near[i], hex, near);
        assign(&mut s.zoc[i], hex, zoc);
    }

    #[inline]
    fn silhouette_reaches(&self, from: HexId, direction: Direction) -> bool {
        self.land.hex(from).silhouette_zoc >> direction.index() & 1 == 1
    }

    /// All sets from scratch: after a position was laid out by hand, and to check the upkeep above.
    pub fn refresh_all(&self, s: &mut State) {
        for side in Side::ALL {
            for unit in self.units_of(side) {
                note_presence(s, side, unit);
            }
        }
        for hex in &self.land.in_play {
            for side in Side::ALL {
                if s.holder(hex).is_none_or(|holder| holder == side) || s.held[side.index()].contains(hex) {
                    self.refresh(s, hex, side);
                }
            }
        }
        for hex in &self.land.in_play {
            for side in Side::ALL {
                self.refresh_zoc(s, hex, side);
            }
        }
        s.stamp.renew();
    }
}

fn note_presence(s: &mut State, side: Side, unit: UnitId) {
    if s.unit(unit).in_game() {
        s.in_game[side.index()].insert(unit);
    } else {
        s.in_game[side.index()].remove(unit);
    }
}

fn unlink(s: &mut State, unit: UnitId, from: HexId) {
    let next = s.unit(unit).next;
    let head = &mut s.first[from.index()];
    if head.0 == unit.0 {
        head.0 = next;
    } else {
        let mut at = head.0;
        while s.units[at as usize].next != unit.0 {
            at = s.units[at as usize].next;
        }
        s.units[at as usize].next = next;
    }
    s.unit_mut(unit).next = u16::MAX;
}

fn assign(set: &mut hexgrid::HexSet, hex: HexId, on: bool) {
    if on {
        set.insert(hex);
    } else {
        set.remove(hex);
    }
}
