//! Actions of units in a Movement Phase besides moving: Improved Positions (15.8), Trucks (12.61), Night markers
//! (25.33), the air support roll (15.6), von der Heydte (27.2).

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use zocbond::UnitSet;

use super::bar::Bar;
use crate::{
    action::{Action, Units},
    event::{Elimination, Event},
    flags::Flags,
    pack::{Landing, Side, UnitId},
    place::Place,
    play::{Cx, Play},
    rules::Ardennes,
    state::{State, Unit},
};

/// 25.35: quarter points that a unit with a Night marker may have spent at most.
const NIGHT_QUARTERS: u8 = 4;

impl Unit {
    /// 25.33–25.35: do its own markers and its move allow it to have a Night marker?
    pub(super) fn may_wait_for_night(&self, rules: &Ardennes) -> bool {
        const BARS: Flags = Flags(
            Flags::NIGHT.0
                | Flags::ENGAGED.0
                | Flags::OOS.0
                | Flags::DISRUPTED.0
                | Flags::TACTICAL.0
                | Flags::ON_ROAD.0
                | Flags::PRIME_MOVER.0,
        );
        // 1E 25.3 counts hexes, not points, and being Engaged does not matter.
        let hexes = rules.night_counts_hexes();
        let bars = if hexes { BARS.without(Flags::ENGAGED) } else { BARS };
        !self.is(bars) && (self.spent <= NIGHT_QUARTERS || hexes)
    }
}

impl Ardennes {
    /// 15.8: may the unit start an Improved Position?
    pub fn may_dig(&self, s: &State, side: Side, unit: UnitId) -> Result<HexId, Bar> {
        self.may_move(s, side, unit)?;
        let hex = self.digger(s, unit)?;
        let u = s.unit(unit);
        if u.spent > 0 || s.walk.units.contains(unit) {
            return Err(Bar::unit("15.8", "ip.moved"));
        }
        if u.is(Flags::OOS) {
            return Err(Bar::unit("15.8", "ip.oos"));
        }
        if u.is(Flags::ON_ROAD) {
            return Err(Bar::unit("12.2", "ip.strategic"));
        }
        if self.land.settlements.contains(hex) || self.digs_as_it_likes() && self.land.hex(hex).west_wall {
            return Err(Bar::hex("15.8", "ip.settlement", hex));
        }
        if s.improved.contains(hex) || s.digging.contains(hex) {
            return Err(Bar::hex("15.8", "ip.there", hex));
        }
        Ok(hex)
    }

    /// 15.8: may the unit finish the Improved Position in its hex?
    pub fn may_finish(&self, s: &State, side: Side, unit: UnitId) -> Result<HexId, Bar> {
        if self.counter(unit).side != side {
            return Err(Bar::unit("11.1", "not_yours"));
        }
        let hex = self.digger(s, unit)?;
        if !s.digging.contains(hex) {
            return Err(Bar::hex("15.8", "ip.none", hex));
        }
        if s.stack(hex).any(|u| s.unit(u).is(Flags::DUG)) {
            return Err(Bar::hex("15.8", "ip.next_turn", hex));
        }
        if s.unit(unit).is(Flags::MOVED) {
            return Err(Bar::unit("15.8", "ip.moved"));
        }
        Ok(hex)
    }

    /// 1E 15.8: may the unit abandon the Improved Position of its hex? It may do so at will.
    pub fn may_fill(&self, s: &State, side: Side, unit: UnitId) -> Result<(), Bar> {
        if self.counter(unit).side != side {
            return Err(Bar::unit("11.1", "not_yours"));
        }
        let hex = s.unit(unit).hex().ok_or(Bar::unit("15.8", "not_in_play"))?;
        if !self.digs_as_it_likes() || !(s.improved.contains(hex) || s.digging.contains(hex)) {
            return Err(Bar::hex("15.8", "ip.none", hex));
        }
        Ok(())
    }

    /// Which units can build: Infantry-type (1E: all but silhouettes and artillery).
    #[inline]
    fn builds(&self, unit: UnitId) -> bool {
        let counter = self.counter(unit);
        if self.digs_as_it_likes() { !counter.silhouette && !counter.artillery } else { counter.infantry }
    }

    /// The hex in which the unit may build: it must be neither Disrupted nor Engaged.
    fn digger(&self, s: &State, unit: UnitId) -> Result<HexId, Bar> {
        if !self.builds(unit) {
            return Err(Bar::unit("15.8", "ip.who"));
        }
        let u = s.unit(unit);
        if u.is(Flags::DISRUPTED) {
            return Err(Bar::unit("18.2", "ip.disrupted"));
        }
        if u.is(Flags::ENGAGED) {
            return Err(Bar::unit("16.5", "engaged"));
        }
        u.hex().ok_or(Bar::unit("15.8", "not_in_play"))
    }

    /// 25.33, 25.34: may these units get a Night marker together?
    pub fn may_mark_night(&self, s: &State, side: Side, units: &[UnitId]) -> Result<(), (UnitId, Bar)> {
        let Some(&first) = units.first() else { return Err((UnitId(0), Bar::unit("25.33", "night.nobody"))) };
        let hex = s.unit(first).hex();
        for (at, &unit) in units.iter().enumerate() {
            self.may_have_night_marker(s, side, unit).map_err(|bar| (unit, bar))?;
            if s.unit(unit).hex() != hex || units[..at].contains(&unit) {
                return Err((unit, Bar::unit("25.33", "night.one_stack")));
            }
        }
        let limit = self.tables().markers.night[side.index()];
        let marked = hex.is_some_and(|hex| s.stack(hex).any(|u| s.unit(u).is(Flags::NIGHT)));
        if s.night_stacks[side.index()] >= limit && !marked {
            return Err((first, Bar::count("25.33", "night.markers", limit)));
        }
        Ok(())
    }

    pub(crate) fn may_have_night_marker(&self, s: &State, side: Side, unit: UnitId) -> Result<(), Bar> {
        let u = s.unit(unit);
        if self.counter(unit).side != side {
            return Err(Bar::unit("11.1", "not_yours"));
        }
        if u.hex().is_none() {
            return Err(Bar::unit("25.33", "not_in_play"));
        }
        if !self.night_follows(s) {
            return Err(Bar::unit("25.33", "night.pm_only"));
        }
        if u.may_wait_for_night(self) {
            return Ok(());
        }
        if u.is(Flags::NIGHT) {
            return Err(Bar::unit("25.33", "night.marked"));
        }
        // 25.34
        if u.is(Flags::ENGAGED) {
            return Err(Bar::unit("25.34", "night.engaged"));
        }
        if u.is(Flags::OOS) {
            return Err(Bar::unit("25.34", "night.oos"));
        }
        if u.is(Flags::DISRUPTED) {
            return Err(Bar::unit("25.34", "night.disrupted"));
        }
        Err(Bar::unit("25.35", "night.one_point"))
    }

    /// Is this a PM turn, with a night to come?
    pub(super) fn night_follows(&self, s: &State) -> bool {
        !s.night && self.pack.turn(s.turn).is_some_and(crate::pack::Turn::night_follows)
    }

    /// 27.2: is this von der Heydte, waiting for its drop?
    pub fn may_drop(&self, s: &State, side: Side, unit: UnitId) -> Result<(), Bar> {
        let counter = self.counter(unit);
        if counter.side != side || !counter.parachutist || s.unit(unit).place() != Place::Due {
            return Err(Bar::unit("27.2", "drop.who"));
        }
        Ok(())
    }

    pub fn drop_bar(&self, s: &State, side: Side, hex: HexId) -> Option<Bar> {
        if !self.land.hex(hex).drop_zone {
            return Some(Bar::hex("27.2", "drop.terrain", hex));
        }
        if s.enemy_in(side, hex) {
            return Some(Bar::hex("27.2", "enemy_there", hex));
        }
        if s.in_ezoc(side, hex) {
            return Some(Bar::hex("27.2", "drop.ezoc", hex));
        }
        None
    }

    /// 15.6: may air support be rolled for now?
    pub fn may_roll_air(&self, s: &State, side: Side) -> bool {
        side == Side::Allied && !s.night && !s.air_rolled && s.turn >= self.tables().air_from_turn
    }
}

/// 1E 15.8: units that can do nothing but abandon the Improved Position of their hex; `able` can do more.
pub(super) fn fillers<'a>(cx: &Cx<'a>, able: &'a UnitSet) -> impl Iterator<Item = UnitId> + 'a {
    let (rules, s, side) = (cx.rules, cx.s, cx.side);
    let own = rules.digs_as_it_likes().then(|| rules.units_of(side)).into_iter().flatten();
    own.filter(move |unit| !able.contains(*unit) && rules.may_fill(s, side, *unit).is_ok())
}

/// What a unit may do besides moving, for the list of its options. One look at the counter and its markers rules out
/// nearly everything.
pub(super) fn list(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    /// Runs the full check only if the quick one passes; the quick one never refuses what the full one allows.
    fn may(quick: bool, close: impl Fn() -> bool) -> bool {
        debug_assert!(quick || !close());
        quick && close()
    }
    const BOUND: Flags =
        Flags(Flags::MOVED.0 | Flags::LANDED.0 | Flags::ENGAGED.0 | Flags::DISRUPTED.0 | Flags::OOS.0);
    let (rules, s, side) = (cx.rules, cx.s, cx.side);
    let (counter, u) = (rules.counter(unit), s.unit(unit));
    let free = !u.is(BOUND);
    let digs = free && u.spent == 0 && rules.builds(unit);
    if may(digs, || rules.may_dig(s, side, unit).is_ok()) {
        out.push(Action::Dig { unit });
    }
    let begun = u.hex().is_some_and(|hex| s.digging.contains(hex));
    if may(begun, || rules.may_finish(s, side, unit).is_ok()) {
        out.push(Action::Finish { unit });
    }
    if rules.digs_as_it_likes() && rules.may_fill(s, side, unit).is_ok() {
        out.push(Action::Fill { unit });
    }
    let walks = counter.side == Side::Allied && !counter.mechanized && !counter.artillery;
    if may(free && walks, || rules.may_load(s, side, unit).is_ok()) {
        out.push(Action::Load { unit });
    }
    if super::may_unload(rules, s, side, unit).is_ok() {
        out.push(Action::Unload { unit });
    }
    let waits = rules.night_follows(s) && u.may_wait_for_night(rules);
    if may(waits, || rules.may_mark_night(s, side, &[unit]).is_ok()) {
        let hex = u.hex().unwrap_or(HexId::NONE);
        let all: Units = s.stack(hex).filter(|u| rules.may_have_night_marker(s, side, *u).is_ok()).collect();
        if all.len() > 1 {
            out.push(Action::Night { units: all });
        }
        out.push(Action::Night { units: Units::one(unit) });
    }
    crate::breakdown::options(cx, unit, out);
}

pub fn dig(play: &mut Play, unit: UnitId) {
    if let Some(hex) = play.s.unit(unit).hex() {
        play.s.digging.insert(hex);
        play.s.unit_mut(unit).flags.set(Flags::MOVED);
        play.mark(unit, Flags::DUG);
        play.tell(Event::ImprovedPosition { hex, finished: false });
    }
}

pub fn finish_position(play: &mut Play, hex: HexId) {
    play.s.digging.remove(hex);
    play.s.improved.insert(hex);
    play.tell(Event::ImprovedPosition { hex, finished: true });
}

/// 1E 15.8: abandoned at will.
pub fn fill_position(play: &mut Play, hex: HexId) {
    play.s.improved.remove(hex);
    play.s.digging.remove(hex);
    play.tell(Event::ImprovedPositionGone { hex });
}

/// 15.8: empty Improved Positions are removed.
pub fn remove_empty_positions(play: &mut Play) {
    for which in [true, false] {
        let set = if which { play.s.improved } else { play.s.digging };
        for hex in &set {
            if !play.s.occupied(hex) {
                play.s.improved.remove(hex);
                play.s.digging.remove(hex);
                play.tell(Event::ImprovedPositionGone { hex });
            }
        }
    }
}

pub fn load(play: &mut Play, unit: UnitId) {
    play.mark(unit, Flags::TRUCK);
    play.s.unit_mut(unit).flags.set(Flags::MARKER_USED | Flags::MOVED);
}

pub fn mark_night(play: &mut Play, side: Side, units: &Units) {
    let hex = units.first().and_then(|u| play.s.unit(*u).hex());
    let marked = hex.is_some_and(|hex| play.s.stack(hex).any(|u| play.s.unit(u).is(Flags::NIGHT)));
    if !marked {
        play.s.night_stacks[side.index()] += 1;
    }
    for unit in units {
        play.mark(*unit, Flags::NIGHT);
    }
}

/// 27.2: the drop and its die.
pub fn drop_unit(play: &mut Play, unit: UnitId, hex: HexId) -> Result<(), Stop> {
    let side = play.rules.counter(unit).side;
    let die = play.roll(side, 0, "roll.von_der_heydte", "27.2")?;
    let landing = play.rules.tables().von_der_heydte.get(die);
    play.tell(Event::Landing { unit, landing });
    if landing == Landing::Eliminated {
        play.eliminate(unit, Elimination::Landing);
        return Ok(());
    }
    play.rules.put(play.s, unit, Place::Hex(hex));
    play.tell(Event::Placed { unit, hex });
    play.s.unit_mut(unit).flags.set(Flags::LANDED | Flags::MOVED | Flags::ARRIVED);
    if landing == Landing::Reduced {
        play.mark(unit, Flags::REDUCED);
    }
    super::walk::entered(play, side, hex)
}

/// 15.6
pub fn roll_air(play: &mut Play) -> Result<(), Stop> {
    let die = play.roll(Side::Allied, 0, "roll.air_support", "15.6")?;
    let markers = play.rules.tables().air.get(die);
    play.s.air_rolled = true;
    play.s.air_left = markers;
    play.tell(Event::AirSupport { markers });
    Ok(())
}

/// The refusal as a message.
pub(super) fn refuse<T>(
    rules: &Ardennes,
    s: &State,
    unit: UnitId,
    result: Result<T, Bar>,
) -> Result<T, Refusal> {
    result.map_err(|bar| bar.refuse(rules, s, unit))
}
