//! Who might do something in a Movement Phase, and who is under a marker, kept with the position. After a decision only the
//! units that it changed are looked at again, and those whose case depends on others. Whoever finds the muster out of date
//! looks at all units instead.

use hexgrid::{HexId, HexSet};

use crate::{
    flags::Flags,
    frame::Frame,
    list::List,
    pack::{Side, UnitId},
    play::Cx,
    rules::Ardennes,
    stacking::KINDS,
    stamp::Stamp,
    state::{State, Unit, UnitSet},
};

/// SM, Truck and Prime Mover markers (12, 22.3).
pub(super) const MARKERS: Flags = Flags(Flags::STRATEGIC.0 | Flags::TRUCK.0 | Flags::PRIME_MOVER.0);

/// So many units are looked at one by one after a decision: a stack that moves, the one that it left, and more.
const FEW: usize = 24;

/// So many stacks are weighed one by one: after a Combat Phase more have changed than after a move.
const MANY: usize = 96;

/// The muster of the side that moves. It says nothing about the game: all compare equal, and it is not written down.
#[derive(Clone, Copy, Debug, Default)]
pub struct Muster {
    of: Option<When>,
    able: UnitSet,
    /// Under one of the [`MARKERS`].
    marked: UnitSet,
    /// So many of those markers of 12.4 are in use; none while that is to be counted again.
    markers_in_use: Option<u8>,
    /// Breakdown units and Engaged ones that are not free to move: what they may do depends on their stack and on the
    /// pools (26).
    unsteady: UnitSet,
    /// Hexes with units of either side where there is no room for one more of this kind (8.1).
    full: [HexSet; KINDS],
    /// The table whose stacks were weighed for that; none if all must be.
    weighed: Option<Stamp>,
    /// Hexes whose stacks have changed since then.
    restacked: List<HexId, MANY>,
    /// Units of both sides touched since it was taken.
    changed: List<UnitId, FEW>,
    /// … the last of them.
    last: Option<UnitId>,
    /// Counters came onto the map or left it since then: the pools may be others.
    pools_changed: bool,
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
    /// By day and after the first turn nothing but markers keeps a unit from moving.
    ordinary: bool,
    /// At night, but the first, nobody without a Night marker moves, and nobody gets one (25.31).
    quiet: bool,
    /// 25.33: so many stacks may wait for the night that follows, if one does.
    night_limit: u8,
    /// … and one more could.
    night_markers: bool,
}

impl When {
    fn now(rules: &Ardennes, s: &State, side: Side) -> When {
        let night_limit = if rules.night_follows(s) { rules.tables().markers.night[side.index()] } else { 0 };
        When {
            table: rules.stamp,
            side,
            turn: s.turn,
            night: s.night,
            ordinary: !s.night && !rules.turn_one(s) && !rules.first_edition(),
            quiet: s.night && !rules.first_night(s) && night_limit == 0 && !rules.first_edition(),
            night_limit,
            night_markers: s.night_stacks[side.index()] < night_limit,
        }
    }

    /// Is it still so?
    fn holds(&self, rules: &Ardennes, s: &State, side: Side) -> bool {
        self.is_of(rules, side)
            && (self.turn, self.night) == (s.turn, s.night)
            && self.night_markers == (s.night_stacks[side.index()] < self.night_limit)
    }

    fn is_of(&self, rules: &Ardennes, side: Side) -> bool {
        self.table.same(rules.stamp) && self.side == side
    }
}

impl Muster {
    /// A unit is about to change.
    #[inline]
    pub fn touch(&mut self, id: UnitId, unit: &Unit) {
        if self.last != Some(id) {
            self.note(id, unit.hex());
        }
    }

    fn note(&mut self, unit: UnitId, hex: Option<HexId>) {
        self.last = Some(unit);
        if !self.changed.push(unit) {
            self.forget();
        }
        if let Some(hex) = hex {
            self.restack(hex);
        }
    }

    /// The stack of a hex changes.
    pub fn restack(&mut self, hex: HexId) {
        if self.restacked.last() != Some(&hex) && !self.restacked.push(hex) {
            self.weighed = None;
        }
    }

    /// A counter comes onto the map or leaves it.
    pub fn come_or_go(&mut self) {
        self.pools_changed = true;
    }

    /// All units are about to change, but not what their stacks weigh.
    pub fn forget(&mut self) {
        self.of = None;
    }

    /// Is it the muster of this side, and up to date as far as units and stacks go?
    fn is_of(&self, rules: &Ardennes, side: Side) -> bool {
        self.changed.is_empty() && self.of.is_some_and(|of| of.is_of(rules, side))
    }
}

/// Bring the muster up to date before the side is asked.
pub fn take(rules: &Ardennes, s: &mut State, side: Side) {
    if !s.muster.weighed.is_some_and(|table| table.same(rules.stamp)) {
        weigh_all(rules, s);
    }
    match s.muster.of.filter(|of| of.holds(rules, s, side)) {
        Some(when) => mend(rules, s, &when),
        None => take_anew(rules, s, When::now(rules, s, side)),
    }
    if s.muster.markers_in_use.is_none() {
        s.muster.markers_in_use = Some(rules.count_markers(s, &s.muster.marked));
    }
    (s.muster.last, s.muster.pools_changed) = (None, false);
    s.muster.changed.clear();
    s.muster.restacked.clear();
}

#[inline(never)]
fn take_anew(rules: &Ardennes, s: &mut State, when: When) {
    let own = s.in_game[when.side.index()];
    // In its place: it is large.
    let muster = &mut s.muster;
    (muster.of, muster.markers_in_use) = (Some(when), None);
    let all = if when.quiet { UnitSet::EMPTY } else { own };
    (muster.able, muster.marked, muster.unsteady) = (all, UnitSet::EMPTY, UnitSet::EMPTY);
    own.each(|unit| {
        // By day most may move and have no marker, at night most sleep: only the others need a closer look.
        let u = s.unit(unit);
        let alike = if when.quiet { u.sleeps() } else { when.ordinary && u.is_free() };
        if !alike || u.is(MARKERS) {
            look_at(rules, s, &when, unit);
        }
    });
    for n in 0..s.muster.restacked.len() {
        weigh(rules, s, s.muster.restacked[n]);
    }
}

#[inline(never)]
fn weigh_all(rules: &Ardennes, s: &mut State) {
    s.muster.full.iter_mut().for_each(HexSet::clear);
    let held = &s.held[0] | &s.held[1];
    held.each(|hex| weigh(rules, s, hex));
    s.muster.weighed = Some(rules.stamp);
    s.muster.restacked.clear();
}

fn mend(rules: &Ardennes, s: &mut State, when: &When) {
    for n in 0..s.muster.changed.len() {
        look_at(rules, s, when, s.muster.changed[n]);
    }
    for n in 0..s.muster.restacked.len() {
        let hex = s.muster.restacked[n];
        weigh(rules, s, hex);
        let mut next = s.stack(hex).next();
        while let Some(other) = next {
            if s.muster.unsteady.contains(other) {
                look_at(rules, s, when, other);
            }
            next = s.below(other);
        }
    }
    // 1E 26.1, 26.4: who may break down depends on all, and recombinations are counted.
    if s.muster.pools_changed || rules.first_edition() {
        let unsteady = s.muster.unsteady;
        unsteady.each(|unit| look_at(rules, s, when, unit));
    }
}

fn look_at(rules: &Ardennes, s: &mut State, when: &When, unit: UnitId) {
    let (u, own) = (s.unit(unit), s.in_game[when.side.index()].contains(unit));
    let free = when.ordinary && u.is_free();
    let able = own && (free || is_able(rules, s, when, unit));
    let marked = own && u.is(MARKERS);
    let unsteady = own && !free && (u.parent().is_some() || u.is(Flags::ENGAGED));
    if marked || s.muster.marked.contains(unit) {
        s.muster.markers_in_use = None;
    }
    s.muster.able.set(unit, able);
    s.muster.marked.set(unit, marked);
    s.muster.unsteady.set(unit, unsteady);
}

/// Of which kinds of units can a stack take no more?
fn weigh(rules: &Ardennes, s: &mut State, hex: HexId) {
    let kinds = if s.occupied(hex) { rules.kinds_without_room(s, hex) } else { 0 };
    for (kind, full) in s.muster.full.iter_mut().enumerate() {
        full.set(hex, kinds >> kind & 1 == 1);
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
        when.ordinary && u.is_free() || rules.has_something_to_do(s, when.side, unit, when.night_markers)
    }
}

impl Unit {
    /// On the map or beside it, and under no marker that keeps it from moving.
    fn is_free(&self) -> bool {
        self.may_come_or_stand() && !self.is(Flags::MOVED | Flags::ENGAGED | Flags::LANDED | Flags::DISRUPTED)
    }

    /// Nothing lets it do anything at night: no Night marker, and no part of it to break off or to rejoin (26.2, 26.4).
    fn sleeps(&self) -> bool {
        !self.is(Flags::NIGHT | Flags::ENGAGED) && self.parent().is_none()
    }
}

/// The units that might do something.
pub(super) fn able(cx: &Cx) -> UnitSet {
    debug_assert_eq!(cx.frame, Frame::Movement);
    let muster = &cx.s.muster;
    let holds =
        muster.is_of(cx.rules, cx.side) && muster.of.is_some_and(|when| when.holds(cx.rules, cx.s, cx.side));
    if holds {
        debug_assert_eq!(muster.able, look_for_able(cx), "the muster is out of date");
        return muster.able;
    }
    look_for_able(cx)
}

#[inline(never)]
fn look_for_able(cx: &Cx) -> UnitSet {
    let when = When::now(cx.rules, cx.s, cx.side);
    let own = &cx.s.in_game[cx.side.index()];
    own.iter().filter(|unit| is_able(cx.rules, cx.s, &when, *unit)).collect()
}

/// The units of a side under one of the [`MARKERS`].
pub(super) fn under_marker(rules: &Ardennes, s: &State, side: Side) -> UnitSet {
    if s.muster.is_of(rules, side) {
        debug_assert_eq!(s.muster.marked, look_for_marked(s, side), "the muster is out of date");
        return s.muster.marked;
    }
    look_for_marked(s, side)
}

#[inline(never)]
fn look_for_marked(s: &State, side: Side) -> UnitSet {
    s.in_game[side.index()].iter().filter(|unit| s.unit(*unit).is(MARKERS)).collect()
}

/// Markers of 12.4 that a side has in use.
pub(super) fn markers_in_use(rules: &Ardennes, s: &State, side: Side) -> u8 {
    let count = || rules.count_markers(s, &look_for_marked(s, side));
    match s.muster.markers_in_use.filter(|_| s.muster.is_of(rules, side)) {
        Some(in_use) => {
            debug_assert_eq!(in_use, count(), "the muster is out of date");
            in_use
        }
        None => count(),
    }
}

/// Hexes with units of its side where there is no room for the unit (8.1), and some where it cannot end its move anyway, with
/// units of the other side. None if nobody knows.
pub(super) fn full<'a>(rules: &Ardennes, s: &'a State, unit: UnitId) -> Option<&'a HexSet> {
    let side = rules.counter(unit).side;
    let kind = rules.kind_of(s, unit).filter(|_| s.muster.is_of(rules, side))?;
    let full = &s.muster.full[kind];
    let right = |hex: HexId| full.contains(hex) == (rules.kinds_without_room(s, hex) >> kind & 1 == 1);
    debug_assert!(rules.land.in_play.iter().all(right), "the muster is out of date");
    Some(full)
}
