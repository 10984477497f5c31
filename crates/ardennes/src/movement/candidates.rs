//! The units that may act in a Movement Phase, and those under a marker, cached with the position. After a decision
//! only the units that it changed are checked again, and those that depend on others. If the cache is out of date, all
//! units are checked.

use hexgrid::{HexId, HexSet};
use zocbond::UnitSet;

use crate::{
    flags::Flags,
    frame::Frame,
    list::List,
    pack::{Side, UnitId},
    play::Cx,
    rules::Ardennes,
    stacking::KINDS,
    stamp::Stamp,
    state::{State, Unit},
};

/// SM, Truck and Prime Mover markers (12, 22.3).
pub(super) const MARKERS: Flags = Flags(Flags::STRATEGIC.0 | Flags::TRUCK.0 | Flags::PRIME_MOVER.0);

/// What is cached for the side that moves. It is not part of the game: all values compare equal, and it is not
/// serialized.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveCandidates {
    of: Option<ValidFor>,
    able: UnitSet,
    /// Under one of the [`MARKERS`].
    marked: UnitSet,
    /// How many markers of 12.4 are in use; none if they must be counted again.
    markers_in_use: Option<u8>,
    /// Breakdown units, and Engaged units that are not free to move: what they may do depends on their stack and on the
    /// pools (26).
    needs_recheck: UnitSet,
    /// Hexes with units of either side where there is no room for one more of this kind (8.1).
    full: [HexSet; KINDS],
    /// The stamp of the position whose stacks were checked for `full`; none if all must be checked.
    weighed: Option<Stamp>,
}

impl PartialEq for MoveCandidates {
    fn eq(&self, _: &MoveCandidates) -> bool {
        true
    }
}

/// What the cache is valid for: every condition that applies to all units alike.
#[derive(Clone, Copy, Debug)]
struct ValidFor {
    table: Stamp,
    side: Side,
    turn: u8,
    night: bool,
    /// By day and after the first turn only markers keep a unit from moving.
    ordinary: bool,
    /// At night, except the first, no unit without a Night marker moves, and none gets one (25.31).
    quiet: bool,
    /// 25.33: this many stacks may wait for the following night, if there is one.
    night_limit: u8,
    /// One more stack may get a Night marker.
    night_markers: bool,
}

impl ValidFor {
    fn now(rules: &Ardennes, s: &State, side: Side) -> ValidFor {
        let night_limit = if rules.night_follows(s) { rules.tables().markers.night[side.index()] } else { 0 };
        ValidFor {
            table: rules.stamp,
            side,
            turn: s.turn,
            night: s.night,
            ordinary: !s.night && !rules.turn_one(s) && !rules.checks_every_unit(),
            quiet: s.night && !rules.first_night(s) && night_limit == 0 && !rules.checks_every_unit(),
            night_limit,
            night_markers: s.night_stacks[side.index()] < night_limit,
        }
    }

    fn holds(&self, rules: &Ardennes, s: &State, side: Side) -> bool {
        self.is_of(rules, side)
            && (self.turn, self.night) == (s.turn, s.night)
            && self.night_markers == (s.night_stacks[side.index()] < self.night_limit)
    }

    fn is_of(&self, rules: &Ardennes, side: Side) -> bool {
        self.table.same(rules.stamp) && self.side == side
    }
}

impl State {
    /// Does the cache belong to this side, and is it up to date for units and stacks?
    fn candidates_hold(&self, rules: &Ardennes, side: Side) -> bool {
        self.changes().none() && self.candidates.of.is_some_and(|of| of.is_of(rules, side))
    }
}

/// Brings the cache up to date before the side is asked.
pub fn take(rules: &Ardennes, s: &mut State, side: Side) {
    let weighed = s.candidates.weighed.is_some_and(|table| table.same(rules.stamp));
    let stacks = s.changes().stacks().copied().filter(|_| weighed);
    let stacks = stacks.unwrap_or_else(|| {
        weigh_all(rules, s);
        List::new()
    });
    let units = s.changes().units().copied();
    match s.candidates.of.filter(|of| of.holds(rules, s, side)).zip(units) {
        Some((when, units)) => mend(rules, s, &when, &units, &stacks),
        None => take_anew(rules, s, ValidFor::now(rules, s, side), &stacks),
    }
    if s.candidates.markers_in_use.is_none() {
        s.candidates.markers_in_use = Some(rules.count_markers(s, &s.candidates.marked));
    }
    s.forget_changes();
}

#[inline(never)]
fn take_anew(rules: &Ardennes, s: &mut State, when: ValidFor, stacks: &[HexId]) {
    let own = *s.in_game(when.side);
    // Changed in place because it is large.
    let candidates = &mut s.candidates;
    (candidates.of, candidates.markers_in_use) = (Some(when), None);
    let all = if when.quiet { UnitSet::EMPTY } else { own };
    (candidates.able, candidates.marked, candidates.needs_recheck) = (all, UnitSet::EMPTY, UnitSet::EMPTY);
    own.each(|unit| {
        // By day most units may move and have no marker, at night most may not: only the others need a closer look.
        let u = s.unit(unit);
        let alike = if when.quiet { u.sleeps() } else { when.ordinary && u.is_free() };
        if !alike || u.is(MARKERS) {
            look_at(rules, s, &when, unit);
        }
    });
    for hex in stacks {
        weigh(rules, s, *hex);
    }
}

#[inline(never)]
fn weigh_all(rules: &Ardennes, s: &mut State) {
    s.candidates.full.iter_mut().for_each(HexSet::clear);
    let held = s.held(Side::German) | s.held(Side::Allied);
    held.each(|hex| weigh(rules, s, hex));
    s.candidates.weighed = Some(rules.stamp);
}

fn mend(rules: &Ardennes, s: &mut State, when: &ValidFor, units: &[UnitId], stacks: &[HexId]) {
    for unit in units {
        look_at(rules, s, when, *unit);
    }
    for &hex in stacks {
        weigh(rules, s, hex);
        let mut next = s.stack(hex).next();
        while let Some(other) = next {
            if s.candidates.needs_recheck.contains(other) {
                look_at(rules, s, when, other);
            }
            next = s.below(other);
        }
    }
    // 1E 26.1, 26.4: whether a unit may break down depends on all units, and recombinations are counted.
    if s.changes().came_or_went() || rules.checks_every_unit() {
        let needs_recheck = s.candidates.needs_recheck;
        needs_recheck.each(|unit| look_at(rules, s, when, unit));
    }
}

fn look_at(rules: &Ardennes, s: &mut State, when: &ValidFor, unit: UnitId) {
    let (u, own) = (s.unit(unit), s.in_game(when.side).contains(unit));
    let free = when.ordinary && u.is_free();
    let able = own && (free || is_able(rules, s, when, unit));
    let marked = own && u.is(MARKERS);
    let needs_recheck = own && !free && (u.parent().is_some() || u.is(Flags::ENGAGED));
    if marked || s.candidates.marked.contains(unit) {
        s.candidates.markers_in_use = None;
    }
    s.candidates.able.set(unit, able);
    s.candidates.marked.set(unit, marked);
    s.candidates.needs_recheck.set(unit, needs_recheck);
}

/// For which kinds of unit is the stack full?
fn weigh(rules: &Ardennes, s: &mut State, hex: HexId) {
    let kinds = if s.occupied(hex) { rules.kinds_without_room(s, hex) } else { 0 };
    for (kind, full) in s.candidates.full.iter_mut().enumerate() {
        full.set(hex, kinds >> kind & 1 == 1);
    }
}

/// Might the unit do something? A quick check, before options are computed.
fn is_able(rules: &Ardennes, s: &State, when: &ValidFor, unit: UnitId) -> bool {
    let u = s.unit(unit);
    if !u.may_come_or_stand() {
        false
    } else if u.is(Flags::MOVED) {
        u.hex().is_some()
            && (when.night_markers && u.may_wait_for_night(rules)
                || u.parent().is_some() && crate::breakdown::may_recombine(rules, s, unit))
    } else {
        when.ordinary && u.is_free() || rules.has_something_to_do(s, when.side, unit, when.night_markers)
    }
}

impl Unit {
    /// On the map or in a box next to it, and under no marker that keeps it from moving.
    fn is_free(&self) -> bool {
        self.may_come_or_stand() && !self.is(Flags::MOVED | Flags::ENGAGED | Flags::LANDED | Flags::DISRUPTED)
    }

    /// It can do nothing at night: no Night marker, and no part of it to detach or to rejoin (26.2, 26.4).
    fn sleeps(&self) -> bool {
        !self.is(Flags::NIGHT | Flags::ENGAGED) && self.parent().is_none()
    }
}

/// The units that might do something.
pub(super) fn able(cx: &Cx) -> UnitSet {
    debug_assert_eq!(cx.frame, Frame::Movement);
    let candidates = &cx.s.candidates;
    let holds = cx.s.candidates_hold(cx.rules, cx.side)
        && candidates.of.is_some_and(|when| when.holds(cx.rules, cx.s, cx.side));
    if holds {
        debug_assert_eq!(candidates.able, look_for_able(cx), "the cache is out of date");
        return candidates.able;
    }
    look_for_able(cx)
}

#[inline(never)]
fn look_for_able(cx: &Cx) -> UnitSet {
    let when = ValidFor::now(cx.rules, cx.s, cx.side);
    let own = cx.s.in_game(cx.side);
    own.iter().filter(|unit| is_able(cx.rules, cx.s, &when, *unit)).collect()
}

/// The units of a side under one of the [`MARKERS`].
pub(super) fn under_marker(rules: &Ardennes, s: &State, side: Side) -> UnitSet {
    if s.candidates_hold(rules, side) {
        debug_assert_eq!(s.candidates.marked, look_for_marked(s, side), "the cache is out of date");
        return s.candidates.marked;
    }
    look_for_marked(s, side)
}

#[inline(never)]
fn look_for_marked(s: &State, side: Side) -> UnitSet {
    s.in_game(side).iter().filter(|unit| s.unit(*unit).is(MARKERS)).collect()
}

/// Markers of 12.4 that a side has in use.
pub(super) fn markers_in_use(rules: &Ardennes, s: &State, side: Side) -> u8 {
    let count = || rules.count_markers(s, &look_for_marked(s, side));
    match s.candidates.markers_in_use.filter(|_| s.candidates_hold(rules, side)) {
        Some(in_use) => {
            debug_assert_eq!(in_use, count(), "the cache is out of date");
            in_use
        }
        None => count(),
    }
}

/// Hexes with units of its side where there is no room for the unit (8.1), and some hexes with enemy units, where it
/// cannot end its move anyway. None if this is not cached.
pub(super) fn full<'a>(rules: &Ardennes, s: &'a State, unit: UnitId) -> Option<&'a HexSet> {
    let side = rules.counter(unit).side;
    let kind = rules.kind_of(s, unit).filter(|_| s.candidates_hold(rules, side))?;
    let full = &s.candidates.full[kind];
    let right = |hex: HexId| full.contains(hex) == (rules.kinds_without_room(s, hex) >> kind & 1 == 1);
    debug_assert!(rules.land.in_play.iter().all(right), "the cache is out of date");
    Some(full)
}
