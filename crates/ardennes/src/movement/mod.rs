//! Movement (11, 12): the Movement Phase and all that may be decided in it.

pub mod bar;
pub mod crossing;
mod deeds;
mod listing;
mod markers;
pub mod muster;
pub mod plan;
pub mod profile;
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
pub use walk::entered;
pub use zocbond::moves::Pace;

use crate::{
    action::{Action, Mode, Move},
    event::Elimination,
    flags::Flags,
    frame::{Frame, Walk},
    pack::{BoxId, EntryId, Side, UnitId},
    place::Place,
    play::{Cx, Play},
    reinforce,
    rules::Ardennes,
    state::{State, Unit},
    subject::Subject,
};

/// What a hex of Tactical Movement counts as in lists of costs: one point (11.3).
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
    // 12.7: the marker of a unit that used SM is free for anybody, itself included.
    let used = Flags::STRATEGIC | Flags::NIGHT;
    play.rules.units_where(play.s, side, |u| u.is(used)).each(|unit| play.unmark(unit, used));
    // 15.8: what was begun in an earlier turn is finished where a qualified unit still stands.
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
    // 12.7: a marker not used again is gone.
    let unused = |u: &Unit| u.is(Flags::ON_ROAD) && !u.is(Flags::MARKER_USED);
    for unit in &rules.units_where(play.s, side, |u| unused(u) || u.is_at(Place::Due)) {
        if unused(play.s.unit(unit)) {
            play.unmark(unit, Flags::ON_ROAD);
        }
        // 27.2: the drop belongs to its turn.
        if play.s.unit(unit).is_at(Place::Due) && rules.counter(unit).parachutist {
            rules.take_off(play.s, unit, Place::Gone);
        }
    }
    remove_empty_positions(play);
    crate::traffic::after_enemy_passed(play, side)
}

/// 1E 8.3 and 17.4: hexes of the side that hold too much at the end of its Movement Phase.
fn overstacked(rules: &Ardennes, s: &State, side: Side) -> Option<HexId> {
    if !rules.overstacks_for_a_while() {
        return None;
    }
    s.held(side).iter().find(|hex| rules.overload(s, *hex, &[]).is_some())
}

/// 1E 8.3: overstacking found in the own Movement Phase may be cured by step losses as well.
fn cured_by_losses(cx: &Cx) -> bool {
    cx.rules.overstacks_for_a_while() && cx.s.phase.is_movement()
}

/// Nothing to decide?
pub fn forced(cx: &Cx) -> Option<Action> {
    match cx.frame {
        Frame::Movement => {
            let idle = !cx.rules.may_roll_air(cx.s, cx.side) && nobody_can_act(cx);
            idle.then_some(Action::Done)
        }
        Frame::Walk => (!cx.rules.walk_goes_on(cx.s, cx.side)).then_some(Action::Halt),
        _ => None,
    }
}

/// Is there no unit left that could do anything? A handful that might are looked at closely; of more than that one can, unless
/// they are guns that wait for Prime Movers (22.3).
fn nobody_can_act(cx: &Cx) -> bool {
    const HANDFUL: usize = 8;
    thread_local! {
        static OPTIONS: std::cell::RefCell<Vec<Action>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    let able = muster::able(cx);
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

pub fn subjects(cx: &Cx, out: &mut Vec<Subject>) {
    match cx.frame {
        Frame::Movement => {
            out.push(Subject::Phase);
            muster::able(cx).each(|unit| out.push(Subject::Unit(unit)));
        }
        Frame::Walk => {
            out.push(Subject::Phase);
            out.extend(cx.s.walk.units.first().map(|u| Subject::Unit(*u)));
        }
        Frame::Overstacked(hex) => out.extend(cx.s.stack(hex).map(Subject::Unit)),
        _ => out.push(Subject::Phase),
    }
}

/// The subject with the number that is chosen, of a Movement Phase.
pub fn one_subject(cx: &Cx, choose: impl FnOnce(usize) -> usize) -> Option<Subject> {
    let able = muster::able(cx);
    match choose(1 + able.len()).checked_sub(1) {
        None => Some(Subject::Phase),
        Some(at) => able.iter().nth(at).map(Subject::Unit),
    }
}

pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    match (cx.frame, subject) {
        (Frame::Movement, Subject::Phase) => {
            if cx.rules.may_roll_air(cx.s, cx.side) {
                out.push(Action::Air);
            }
            if kept_by(cx).is_none() {
                out.push(Action::Done);
            }
        }
        (Frame::Movement, Subject::Unit(unit)) => unit_options(cx, unit, out),
        (Frame::Walk, Subject::Phase) => out.push(Action::Halt),
        (Frame::Walk, Subject::Unit(unit)) if cx.s.walk.units.first() == Some(&unit) => {
            let (mode, units) = (cx.s.walk.mode, &cx.s.walk.units);
            list_moves(cx, units, 1 << mode as u8, out);
        }
        (Frame::Infiltrate, Subject::Phase) => {
            out.push(Action::Infiltrate { attempt: true });
            out.push(Action::Infiltrate { attempt: false });
        }
        (Frame::Overstacked(hex), Subject::Unit(unit)) if cx.s.unit(unit).hex() == Some(hex) => {
            out.push(Action::Remove { unit });
            if cured_by_losses(cx) {
                out.push(Action::Lose { unit });
            }
        }
        _ => {}
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

/// 12.7: an unused marker may be taken off at any time.
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

/// The unit that keeps the phase from ending, with rule and key.
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

/// 1E 27.8: the CCB of the 9th Armored, ordered to St-Vith, may not stay where it is if it could go there.
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

/// 31.2: the airborne units use their markers on their turn.
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

pub fn check(cx: &Cx, action: &Action) -> Result<(), Refusal> {
    let (rules, s, side) = (cx.rules, cx.s, cx.side);
    match (cx.frame, action) {
        (Frame::Movement, Action::Done) => may_end(cx),
        (Frame::Movement, Action::Move(mv)) => rules.check_move(s, side, mv).map(|_| ()),
        (Frame::Movement, Action::Air) => {
            if rules.may_roll_air(s, side) {
                Ok(())
            } else {
                rules.no("15.6", "air.not_now").into()
            }
        }
        (Frame::Movement, Action::Place { unit, hex }) => {
            refuse(rules, s, *unit, rules.may_place_engineer(s, side, *unit, *hex))
        }
        (Frame::Movement, Action::Send { unit, to }) => {
            refuse(rules, s, *unit, rules.may_send(s, side, *unit, *to))
        }
        (Frame::Movement, Action::Block { unit, entry }) => {
            refuse(rules, s, *unit, rules.may_block(s, side, *unit, *entry))
        }
        (Frame::Movement, Action::Dig { unit }) => {
            refuse(rules, s, *unit, rules.may_dig(s, side, *unit)).map(|_| ())
        }
        (Frame::Movement, Action::Finish { unit }) => {
            refuse(rules, s, *unit, rules.may_finish(s, side, *unit)).map(|_| ())
        }
        (Frame::Movement, Action::Fill { unit }) => refuse(rules, s, *unit, rules.may_fill(s, side, *unit)),
        (Frame::Movement, Action::Load { unit }) => refuse(rules, s, *unit, rules.may_load(s, side, *unit)),
        (Frame::Movement, Action::Unload { unit }) => {
            refuse(rules, s, *unit, may_unload(rules, s, side, *unit))
        }
        (Frame::Movement, Action::Night { units }) => {
            rules.may_mark_night(s, side, units).map_err(|(unit, bar)| bar.refuse(rules, s, unit))
        }
        (Frame::Movement, Action::Drop { unit, hex }) => {
            let may = rules.may_drop(s, side, *unit);
            let may = may.and_then(|()| rules.drop_bar(s, side, *hex).map_or(Ok(()), Err));
            refuse(rules, s, *unit, may)
        }
        (Frame::Movement, Action::Breakdown { .. } | Action::Recombine { .. }) => {
            crate::breakdown::check(cx, action)
        }
        (Frame::Walk, Action::Halt) => Ok(()),
        (Frame::Walk, Action::Move(mv)) => {
            if mv.units != s.walk.units || mv.mode != s.walk.mode {
                return rules.no("11.1", "walk.other").into();
            }
            rules.check_move(s, side, mv).map(|_| ())
        }
        (Frame::Infiltrate, Action::Infiltrate { .. }) => Ok(()),
        (Frame::Overstacked(hex), Action::Remove { unit }) if s.unit(*unit).hex() == Some(hex) => Ok(()),
        (Frame::Overstacked(hex), Action::Lose { unit })
            if s.unit(*unit).hex() == Some(hex) && cured_by_losses(cx) =>
        {
            Ok(())
        }
        _ => Err(rules.not_now()),
    }
}

/// Plan a move and make it.
pub fn go(play: &mut Play, side: Side, mv: &Move) -> Result<(), Stop> {
    let plan = play.rules.check_move(play.s, side, mv)?;
    walk::make(play, side, mv, &plan)
}

pub fn apply(play: &mut Play, frame: Frame, side: Side, action: &Action) -> Result<(), Stop> {
    match *action {
        Action::Done => match overstacked(play.rules, play.s, side) {
            Some(hex) => play.then(&[Frame::Overstacked(hex)]),
            None => play.pop(),
        },
        Action::Move(ref mv) => {
            if frame == Frame::Walk {
                play.pop();
            }
            go(play, side, mv)?;
        }
        Action::Halt => {
            play.pop();
            let hex = play.s.walk.units.first().and_then(|u| play.s.unit(*u).hex());
            walk::finish(play);
            // 8.3: a move broken off in a full hex
            if let Some(hex) = hex.filter(|hex| play.rules.overload(play.s, *hex, &[]).is_some()) {
                play.then(&[Frame::Overstacked(hex)]);
            }
        }
        Action::Infiltrate { attempt } => walk::infiltrate(play, attempt)?,
        Action::Air => deeds::roll_air(play)?,
        Action::Place { unit, hex } => reinforce::place_engineer(play, unit, hex),
        Action::Send { unit, to } => reinforce::send(play, unit, to),
        Action::Block { unit, entry } => reinforce::block(play, unit, entry),
        Action::Dig { unit } => deeds::dig(play, unit),
        Action::Finish { unit } => {
            if let Some(hex) = play.s.unit(unit).hex() {
                deeds::finish_position(play, hex);
            }
        }
        Action::Load { unit } => deeds::load(play, unit),
        Action::Unload { unit } => play.unmark(unit, Flags::ON_ROAD),
        Action::Night { units } => deeds::mark_night(play, side, &units),
        Action::Drop { unit, hex } => deeds::drop_unit(play, unit, hex)?,
        Action::Breakdown { .. } | Action::Recombine { .. } => crate::breakdown::apply(play, action)?,
        Action::Lose { unit } => {
            // What is still too much is found at the end of the phase.
            play.pop();
            crate::combat::losses::lose_step(play, unit);
        }
        Action::Fill { unit } => {
            if let Some(hex) = play.s.unit(unit).hex() {
                deeds::fill_position(play, hex);
            }
        }
        Action::Remove { unit } => {
            play.eliminate(unit, Elimination::Stacking);
            if let Frame::Overstacked(hex) = frame
                && play.rules.overload(play.s, hex, &[]).is_none()
            {
                play.pop();
            }
        }
        _ => {}
    }
    Ok(())
}

/// 25.34, in words.
pub fn may_have_night_marker(rules: &Ardennes, s: &State, side: Side, unit: UnitId) -> Result<(), Refusal> {
    refuse(rules, s, unit, rules.may_have_night_marker(s, side, unit))
}
