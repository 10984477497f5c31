//! Who might do something in a Movement Phase, and who is under a marker, kept with the position. After a decision only the
//! units that it changed are looked at again, and those whose case depends on others. Whoever finds the muster out of date
//! looks at all units instead.

use hexgrid::{
    HexId, HexSet,
    set::{BitSet, Index},
};

use crate::{
    flags::Flags,
    frame::Frame,
    pack::{Side, UnitId},
    play::Cx,
    rules::Ardennes,
    stacking::KINDS,
    stamp::Stamp,
    state::{State, Unit, UnitSet},
};

/// SM, Truck and Prime Mover markers (12, 22.3).
pub(super) const MARKERS: Flags = Flags(Flags::STRATEGIC.0 | Flags::TRUCK.0 | Flags::PRIME_MOVER.0);

/// The muster of the side that moves. It says nothing about the game: all compare equal, and it is not written down.
#[derive(Clone, Copy, Debug, Default)]
pub struct Muster {
    of: Option<When>,
    able: UnitSet,
    /// Under one of the [`MARKERS`].
    marked: UnitSet,
    /// Breakdown units and Engaged ones that are not free to move: what they may do depends on their stack and on the
    /// pools (26).
    unsteady: UnitSet,
    /// Hexes with own units where there is no room for one more of this kind (8.1).
    full: [HexSet; KINDS],
    /// Units of both sides touched since it was taken; of a stack that was left, the one on top.
    changed: UnitSet,
}

impl PartialEq for Muster {
    fn eq(&self, _: &Muster) -> bool {
        true
    }
}

/// All that decides for every unit alike.
#[derive(Clone, Copy, Debug)]
struct When {
    table: Stamp,
    side: Side,
    turn: u8,
    night: bool,
    /// 25.33: a Night marker could still be placed.
    night_markers: bool,
}

impl When {
    fn now(rules: &Ardennes, s: &State, side: Side) -> When {
        let night_markers = rules.night_follows(s) && rules.night_marker_left(s, side);
        When { table: rules.stamp, side, turn: s.turn, night: s.night, night_markers }
    }

    /// By day and after the first turn nothing but markers keeps a unit from moving.
    fn is_ordinary(&self, rules: &Ardennes, s: &State) -> bool {
        !self.night && !rules.turn_one(s) && !rules.first_edition()
    }

    fn is(&self, other: &When) -> bool {
        self.table.same(other.table)
            && (self.side, self.turn, self.night, self.night_markers)
                == (other.side, other.turn, other.night, other.night_markers)
    }
}

impl Muster {
    /// A unit is about to change.
    #[inline]
    pub fn touch(&mut self, unit: UnitId) {
        self.changed.insert(unit);
    }

    /// Nobody is left in a hex.
    pub fn leave(&mut self, hex: HexId) {
        for full in &mut self.full {
            full.remove(hex);
        }
    }

    /// All units are about to change.
    pub fn forget(&mut self) {
        self.of = None;
    }

    fn holds(&self, when: &When) -> bool {
        self.of.is_some_and(|of| of.is(when)) && self.changed.is_empty()
    }
}

/// Bring the muster up to date before the side is asked.
pub fn take(rules: &Ardennes, s: &mut State, side: Side) {
    let when = When::now(rules, s, side);
    let mends = s.muster.of.is_some_and(|of| of.is(&when));
    let again = if mends {
        UnitSet::union_of([&s.muster.changed, &s.muster.unsteady])
    } else {
        s.muster = Muster::default();
        s.in_game[side.index()]
    };
    let ordinary = when.is_ordinary(rules, s);
    again.each(|unit| {
        let (u, own) = (s.unit(unit), s.in_game[side.index()].contains(unit));
        let free = ordinary && u.is_free();
        let able = own && (free || is_able(rules, s, &when, unit));
        let marked = own && u.is(MARKERS);
        let unsteady = own && !free && (u.parent().is_some() || u.is(Flags::ENGAGED));
        let stack = u.hex().filter(|_| own).map(|hex| (hex, rules.kinds_without_room(s, hex)));
        let muster = &mut s.muster;
        set(&mut muster.able, unit, able);
        set(&mut muster.marked, unit, marked);
        set(&mut muster.unsteady, unit, unsteady);
        if let Some((hex, mut kinds)) = stack {
            if mends {
                muster.leave(hex);
            }
            while let Some(full) = muster.full.get_mut(kinds.trailing_zeros() as usize) {
                full.insert(hex);
                kinds &= kinds - 1;
            }
        }
    });
    (s.muster.of, s.muster.changed) = (Some(when), UnitSet::EMPTY);
}

fn set<I: Index, const WORDS: usize>(members: &mut BitSet<I, WORDS>, member: I, on: bool) {
    if on {
        members.insert(member);
    } else {
        members.remove(member);
    }
}

/// Might the unit do something? A quick look, before options are worked out.
fn is_able(rules: &Ardennes, s: &State, when: &When, unit: UnitId) -> bool {
    let u = s.unit(unit);
    if !u.may_come_or_stand() {
        false
    } else if u.is(Flags::MOVED) {
        u.hex().is_some()
            && (when.night_markers && u.may_wait_for_night(rules.edition)
                || u.parent().is_some() && crate::breakdown::may_recombine(rules, s, unit))
    } else {
        when.is_ordinary(rules, s) && u.is_free()
            || rules.has_something_to_do(s, when.side, unit, when.night_markers)
    }
}

impl Unit {
    /// On the map or beside it, and under no marker that keeps it from moving.
    fn is_free(&self) -> bool {
        self.may_come_or_stand() && !self.is(Flags::MOVED | Flags::ENGAGED | Flags::LANDED | Flags::DISRUPTED)
    }
}

/// The units that might do something.
pub(super) fn able(cx: &Cx) -> UnitSet {
    debug_assert_eq!(cx.frame, Frame::Movement);
    let when = When::now(cx.rules, cx.s, cx.side);
    let look = || {
        let own = &cx.s.in_game[cx.side.index()];
        own.iter().filter(|unit| is_able(cx.rules, cx.s, &when, *unit)).collect::<UnitSet>()
    };
    if cx.s.muster.holds(&when) {
        debug_assert_eq!(cx.s.muster.able, look(), "the muster is out of date");
        return cx.s.muster.able;
    }
    look()
}

/// The units of a side under one of the [`MARKERS`].
pub(super) fn under_marker(rules: &Ardennes, s: &State, side: Side) -> UnitSet {
    let look =
        || s.in_game[side.index()].iter().filter(|unit| s.unit(*unit).is(MARKERS)).collect::<UnitSet>();
    if s.muster.holds(&When::now(rules, s, side)) {
        debug_assert_eq!(s.muster.marked, look(), "the muster is out of date");
        return s.muster.marked;
    }
    look()
}

/// Hexes with units of its side where there is no room for the unit (8.1). None if nobody knows.
pub(super) fn full<'a>(rules: &Ardennes, s: &'a State, unit: UnitId) -> Option<&'a HexSet> {
    let side = rules.counter(unit).side;
    let kind = rules.kind_of(s, unit).filter(|_| s.muster.holds(&When::now(rules, s, side)))?;
    let full = &s.muster.full[kind];
    let right = |hex: HexId| full.contains(hex) == (rules.kinds_without_room(s, hex) >> kind & 1 == 1);
    debug_assert!(s.held[side.index()].iter().all(right), "the muster is out of date");
    debug_assert!(full.is_subset(&s.held[side.index()]), "the muster is out of date");
    Some(full)
}
