//! Putting counters down and taking them up. Everything that depends on where units stand (stacks, zones of
//! control, who is near whom) is kept up to date here and nowhere else.

use hexgrid::{HexId, HexSet};

use crate::{
    counter::Counter,
    flags::Flags,
    pack::{Side, Terrain, UnitId},
    place::Place,
    rules::Ardennes,
    stamp::Stamp,
    state::{Link, State},
};

impl Ardennes {
    /// Put a unit somewhere else: the one way to move a counter.
    pub fn put(&self, s: &mut State, unit: UnitId, to: Place) {
        let side = self.counter(unit).side;
        let (from, to_hex) = (s.unit(unit).hex(), to.hex());
        s.unit_mut(unit).set_place(to);
        if let Some(from) = from {
            unlink(s, unit, from);
            self.refresh(s, from, side);
        }
        if from.is_none() || to_hex.is_none() {
            note_presence(s, side, unit);
            s.muster.come_or_go();
        }
        // 13.7: in a Box or Blocking Position a unit has no ZOC and no stacking limit.
        if let Some(hex) = to_hex {
            let below = s.first[hex.index()];
            s.unit_mut(unit).next = below.0;
            s.first[hex.index()] = Link(unit.0);
            s.muster.restack(hex);
            self.arrive(s, unit, hex);
        }
        s.stands[side.index()].renew();
        s.stamp.renew();
    }

    /// Take a unit off the map for good or for a while: its markers come off.
    pub fn take_off(&self, s: &mut State, unit: UnitId, to: Place) {
        self.put(s, unit, to);
        let u = s.unit_mut(unit);
        u.flags = Flags::NONE;
        (u.spent, u.group, u.points) = (0, 0, 0);
    }

    /// A unit has come to a hex: what it adds to the sets.
    fn arrive(&self, s: &mut State, unit: UnitId, hex: HexId) {
        let counter = self.counter(unit);
        let i = counter.side.index();
        if self.bonds_in(counter, hex) {
            s.bonding[i].insert(hex);
        }
        let full = !counter.silhouette;
        let first = s.held[i].insert(hex);
        let first_full = full && s.full_zoc[i].insert(hex);
        if !first && !first_full {
            return;
        }
        // The table of the land is large and seldom at hand: it is read only for silhouette tanks.
        let reach = if full { u8::MAX } else { self.land.hex(hex).silhouette_zoc };
        if let Some(nearby) = self.land.nearby(hex) {
            nearby.insert(&mut s.near[i], u8::MAX);
            nearby.insert(&mut s.zoc[i], reach);
            return;
        }
        for (direction, to) in self.land.around(hex).iter().enumerate() {
            s.near[i].insert(*to);
            if reach >> direction & 1 == 1 {
                s.zoc[i].insert(*to);
            }
        }
    }

    /// 10.1, 10.3
    fn bonds_in(&self, counter: &Counter, hex: HexId) -> bool {
        let rough = || self.land.hex(hex).is(Terrain::WoodedRough);
        counter.bonds() && !(counter.silhouette && self.silhouettes_bond_limited() && rough())
    }

    /// Work out the sets again for what `side` has left in `hex`.
    fn refresh(&self, s: &mut State, hex: HexId, side: Side) {
        let i = side.index();
        let (mut held, mut full, mut bonding) = (false, false, false);
        for unit in s.stack(hex) {
            let counter = self.counter(unit);
            held = true;
            full |= !counter.silhouette;
            bonding = bonding || self.bonds_in(counter, hex);
        }
        let lost = s.held[i].contains(hex) && !held || s.full_zoc[i].contains(hex) && !full;
        s.held[i].set(hex, held);
        s.full_zoc[i].set(hex, full);
        s.bonding[i].set(hex, bonding);
        if lost {
            self.refresh_around(s, hex, side);
        }
    }

    /// Work out the ZOC of `side` again for the neighbours of a hex that it left.
    fn refresh_around(&self, s: &mut State, hex: HexId, side: Side) {
        let i = side.index();
        let Some(nearby) = self.land.nearby(hex) else {
            self.land.neighbours(hex).for_each(|to| self.refresh_zoc(s, to, side));
            return;
        };
        let near = nearby.members(&s.held[i]).beside_neighbours();
        let full = nearby.members(&s.full_zoc[i]).beside_neighbours();
        let (mut zoc, mut tanks) = (full, near & !full);
        while tanks != 0 {
            let direction = tanks.trailing_zeros() as usize;
            let reached = self.zoc_from(s, side, self.land.around(hex)[direction]).next().is_some();
            zoc |= u8::from(reached) << direction;
            tanks &= tanks - 1;
        }
        nearby.remove(&mut s.near[i], !near);
        nearby.remove(&mut s.zoc[i], !zoc);
        debug_assert!(self.land.neighbours(hex).all(|to| {
            let (near, zoc) = any_of(self.land.around(to), &s.held[i], &s.full_zoc[i]);
            let zoc = zoc || self.zoc_from(s, side, to).next().is_some();
            (near, zoc) == (s.near[i].contains(to), s.zoc[i].contains(to))
        }));
    }

    /// 9.1, 9.4: does the side's ZOC reach the hex, and does one of its units stand next to it?
    #[inline(never)]
    fn refresh_zoc(&self, s: &mut State, hex: HexId, side: Side) {
        let i = side.index();
        let (near, full) = any_of(self.land.around(hex), &s.held[i], &s.full_zoc[i]);
        // Mostly that settles it: the rest are silhouette tanks.
        let tanks = near != full;
        let zoc = full | (tanks && self.zoc_from(s, side, hex).next().is_some());
        s.near[i].set(hex, near);
        s.zoc[i].set(hex, zoc);
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
        s.stands.iter_mut().for_each(Stamp::renew);
        s.stamp.renew();
    }
}

/// Is one of these in the first set, and in the second? All are looked at: nobody can guess which it is, or whether.
fn any_of(row: &[HexId; 6], a: &HexSet, b: &HexSet) -> (bool, bool) {
    row.iter().fold((false, false), |any, hex| (any.0 | a.contains(*hex), any.1 | b.contains(*hex)))
}

fn note_presence(s: &mut State, side: Side, unit: UnitId) {
    let in_game = s.unit(unit).in_game();
    s.in_game[side.index()].set(unit, in_game);
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
