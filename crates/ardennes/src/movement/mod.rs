//! Movement (11, 12): the Movement Phase and everything that may be decided in it.

pub mod bar;
pub mod candidates;
pub mod crossing;
mod deeds;
mod listing;
mod markers;
pub mod plan;
pub mod profile;
mod question;
pub mod reach;
mod step;
#[cfg(test)]
mod tests;
mod walk;

use hexgrid::HexId;
use kernel::{Refusal, Stop};

use bar::Bar;
use deeds::refuse;
use listing::list_moves;
use reach::with_reach;

pub use deeds::remove_empty_positions;
pub use question::{Infiltrate, InterruptedMove, Movement, Overstacked};
pub use walk::entered;
pub use zocbond::moves::Pace;

use crate::{
    action::{Action, Mode, Move},
    flags::Flags,
    frame::Walk,
    pack::{BoxId, EntryId, Side, UnitId},
    place::Place,
    play::{Cx, Play},
    rules::Ardennes,
    state::{State, Unit},
};

/// The cost of a hex of Tactical Movement in lists of costs: one point (11.3).
pub(crate) const TACTICAL_HEX: u16 = 4;

/// Flags that last for one Movement Phase of their owner.
const OF_THE_PHASE: Flags = Flags(
    Flags::MOVED.0
        | Flags::TACTICAL.0
        | Flags::ARRIVED.0
        | Flags::MARKER_USED.0
        | Flags::MARKER_LAID.0
        | Flags::LANDED.0,
);

/// 12.7, 15.8: before anybody moves.
pub fn open(play: &mut Play) -> Result<(), Stop> {
    let side = play.s.side;
    play.s.walk = Walk::default();
    play.s.roadblock_passed = [false; 2];
    play.s.night_stacks[side.index()] = 0;
    play.s.recombined = 0;
    if side == Side::Allied {
        (play.s.air_rolled, play.s.air_left) = (false, 0);
    }
    play.rules.begin_afresh(play.s, side, OF_THE_PHASE | Flags::DUG);
    // 12.7: the marker of a unit that used SM is available to any unit, including the same one.
    let used = Flags::STRATEGIC | Flags::NIGHT;
    play.rules.units_where(play.s, side, |u| u.is(used)).each(|unit| play.unmark(unit, used));
    // 15.8: a position begun in an earlier turn is finished if a qualified unit is still there.
    let begun = play.s.digging;
    for hex in &begun {
        let able = |u: UnitId| play.rules.may_finish(play.s, side, u).is_ok();
        if play.s.stack(hex).any(able) {
            deeds::finish_position(play, hex);
        }
    }
    Ok(())
}

/// 15.8, 12.7, 33.3: after the last move.
pub fn close(play: &mut Play) -> Result<(), Stop> {
    let (rules, side) = (play.rules, play.s.side);
    // 12.7: a marker that was not used again is removed.
    let unused = |u: &Unit| u.is(Flags::ON_ROAD) && !u.is(Flags::MARKER_USED);
    for unit in &rules.units_where(play.s, side, |u| unused(u) || u.is_at(Place::Due)) {
        if unused(play.s.unit(unit)) {
            play.unmark(unit, Flags::ON_ROAD);
        }
        // 27.2: the drop is possible on its turn only.
        if play.s.unit(unit).is_at(Place::Due) && rules.counter(unit).parachutist {
            rules.take_off(play.s, unit, Place::Gone);
        }
    }
    remove_empty_positions(play);
    crate::traffic::after_enemy_passed(play, side)
}

/// 1E 8.3 and 17.4: an overstacked hex of the side at the end of its Movement Phase.
fn overstacked(rules: &Ardennes, s: &State, side: Side) -> Option<HexId> {
    if !rules.overstacks_for_a_while() {
        return None;
    }
    s.held(side).iter().find(|hex| rules.overload(s, *hex, &[]).is_some())
}

/// 1E 8.3: overstacking found in a side's own Movement Phase may also be resolved by step losses.
fn cured_by_losses(cx: &Cx) -> bool {
    cx.rules.overstacks_for_a_while() && cx.s.phase.is_movement()
}

/// Is there no unit left that can do anything? If only a handful might, each is checked in full; if there are more, one
/// of them can, unless all are artillery that waits for Prime Movers (22.3).
fn nobody_can_act(cx: &Cx) -> bool {
    const HANDFUL: usize = 8;
    thread_local! {
        static OPTIONS: std::cell::RefCell<Vec<Action>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    let able = candidates::able(cx);
    (&able - &cx.rules.guns[cx.side.index()]).len() <= HANDFUL
        && OPTIONS.with_borrow_mut(|options| {
            options.clear();
            !able.iter().any(|unit| {
                unit_options(cx, unit, options);
                !options.is_empty()
            })
        })
}

impl Ardennes {
    fn has_something_to_do(&self, s: &State, side: Side, unit: UnitId, night_markers: bool) -> bool {
        let u = s.unit(unit);
        match u.place() {
            Place::Hex(_) => {
                self.may_move(s, side, unit).is_ok()
                    || night_markers && self.may_have_night_marker(s, side, unit).is_ok()
                    || u.parent().is_some() && crate::breakdown::may_recombine(self, s, unit)
                    // 26.2: Engaged units may not move, but they may break down.
                    || u.is(Flags::ENGAGED) && crate::breakdown::may(self, s, unit)
            }
            Place::Box(_) | Place::Blocking(_) => !s.night && self.may_move(s, side, unit).is_ok(),
            Place::Due => !s.night && !u.is(Flags::MOVED),
            _ => false,
        }
    }

    /// 18.2: a Disrupted unit in an EZOC must leave it if it can.
    fn must_leave(&self, s: &State, side: Side) -> Option<UnitId> {
        self.units_of(side).find(|unit| {
            let u = s.unit(*unit);
            u.is(Flags::DISRUPTED)
                && !u.is(Flags::MOVED)
                && u.hex().is_some_and(|hex| s.in_ezoc(side, hex))
                && self.can_leave(s, side, *unit)
        })
    }

    fn can_leave(&self, s: &State, side: Side, unit: UnitId) -> bool {
        let Ok(p) = self.profile(s, side, unit, Mode::Tactical) else { return false };
        with_reach(self, s, &p, |reach| {
            let mut free = false;
            reach.each(&p, |hex, _| free |= self.end_bar(s, &p, &[unit], hex).is_none());
            free
        })
    }
}

fn unit_options(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    let (rules, s, side) = (cx.rules, cx.s, cx.side);
    if rules.counter(unit).side != side {
        return;
    }
    let place = s.unit(unit).place();
    if rules.may_drop(s, side, unit).is_ok() {
        let zones = rules.land.in_play.iter().filter(|hex| rules.drop_bar(s, side, *hex).is_none());
        out.extend(zones.map(|hex| Action::Drop { unit, hex }));
        return;
    }
    if place == Place::Due && rules.is_engineer(unit) {
        let open =
            rules.land.towns.iter().filter(|hex| rules.may_place_engineer(s, side, unit, *hex).is_ok());
        out.extend(open.map(|hex| Action::Place { unit, hex }));
        return;
    }
    let modes = rules.counter(unit).modes;
    list_moves(cx, &[unit], modes, out);
    if !matches!(place, Place::Hex(_)) {
        for to in (0..rules.pack.boxes.len() as u8).map(BoxId) {
            if rules.may_send(s, side, unit, to).is_ok() {
                out.push(Action::Send { unit, to });
            }
        }
        for entry in (0..rules.pack.entries.len() as u8).map(EntryId) {
            if rules.may_block(s, side, unit, entry).is_ok() {
                out.push(Action::Block { unit, entry });
            }
        }
    }
    deeds::list(cx, unit, out);
}

/// 12.7: an unused marker may be removed at any time.
fn may_unload(rules: &Ardennes, s: &State, side: Side, unit: UnitId) -> Result<(), Bar> {
    let u = s.unit(unit);
    if rules.counter(unit).side != side {
        return Err(Bar::unit("11.1", "not_yours"));
    }
    if !u.is(Flags::ON_ROAD) || u.is(Flags::MARKER_USED) {
        return Err(Bar::unit("12.7", "strategic.no_marker_on"));
    }
    Ok(())
}

/// The unit that keeps the phase from ending, with rule and message key.
fn kept_by(cx: &Cx) -> Option<(&'static str, &'static str, UnitId)> {
    if let Some(unit) = cx.rules.must_leave(cx.s, cx.side) {
        return Some(("18.2", "disrupted.must_leave", unit));
    }
    if let Some(unit) = ccb9_must_go(cx) {
        return Some(("27.8", "ccb9.must_go", unit));
    }
    must_enter(cx.rules, cx.s, cx.side).map(|unit| ("31.2", "airborne.must_enter", unit))
}

/// May the phase be ended?
fn may_end(cx: &Cx) -> Result<(), Refusal> {
    kept_by(cx).map_or(Ok(()), |(rule, key, unit)| cx.rules.no(rule, key).unit("unit", unit).into())
}

/// 1E 27.8: CCB of the 9th Armored, ordered to St-Vith, may not stay where it is if it could move there.
fn ccb9_must_go(cx: &Cx) -> Option<UnitId> {
    let (rules, s, side) = (cx.rules, cx.s, cx.side);
    if side != Side::Allied || s.night {
        return None;
    }
    rules.units_of(side).find(|unit| {
        let Some(from) = s.unit(*unit).hex().filter(|from| rules.ccb9_is_away(s, *unit, *from)) else {
            return false;
        };
        !s.unit(*unit).is(Flags::MOVED)
            && rules.modes(s, side, *unit).any(|p| {
                with_reach(rules, s, &p, |reach| {
                    let mut nearer = false;
                    reach.each(&p, |hex, _| {
                        nearer |= hex != from && rules.end_bar(s, &p, &[*unit], hex).is_none();
                    });
                    nearer
                })
            })
    })
}

/// 31.2: the airborne units must use their markers on their turn.
fn must_enter(rules: &Ardennes, s: &State, side: Side) -> Option<UnitId> {
    if side != Side::Allied || !rules.airborne_turn(s) {
        return None;
    }
    let enters = |u: &UnitId| {
        rules.profile(s, side, *u, Mode::Truck).is_ok_and(|p| {
            with_reach(rules, s, &p, |reach| {
                let mut any = false;
                reach.each(&p, |hex, _| any |= rules.end_bar(s, &p, &[*u], hex).is_none());
                any
            })
        })
    };
    rules.units_of(side).find(|u| rules.airborne_now(s, *u) && enters(u))
}

/// Plans a move and makes it.
pub fn go(play: &mut Play, side: Side, mv: &Move) -> Result<(), Stop> {
    let plan = play.rules.check_move(play.s, side, mv)?;
    walk::make(play, side, mv, &plan)
}

/// 25.34, as a message.
pub fn may_have_night_marker(rules: &Ardennes, s: &State, side: Side, unit: UnitId) -> Result<(), Refusal> {
    refuse(rules, s, unit, rules.may_have_night_marker(s, side, unit))
}
