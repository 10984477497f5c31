//! Movement (11, 12): the Movement Phase and all that may be decided in it.

pub mod bar;
pub mod crossing;
mod deeds;
mod lay;
mod markers;
pub mod muster;
mod obstacles;
pub mod plan;
pub mod profile;
pub mod reach;
mod spread;
mod step;
#[cfg(test)]
mod tests;
mod walk;

use hexgrid::{HexId, HexSet};
use kernel::{Refusal, Stop};

use bar::Bar;
use deeds::refuse;
use reach::with_reach;

pub use deeds::remove_empty_positions;
pub use step::Pace;
pub use walk::entered;

use crate::{
    action::{Action, Mode, Move, Path, Units},
    event::Elimination,
    flags::Flags,
    frame::{Frame, Walk},
    list::List,
    pack::{BoxId, EntryId, Side, UnitId},
    place::Place,
    play::{Cx, Play},
    reinforce,
    rules::Ardennes,
    state::State,
    subject::Subject,
    terrain::SHUT,
};

/// What a hex of Tactical Movement counts as in lists of costs: one point (11.3).
pub(crate) const TACTICAL_HEX: u16 = 4;

/// Flags that last for one Movement Phase of their owner.
const OF_THE_PHASE: Flags =
    Flags(Flags::MOVED.0 | Flags::TACTICAL.0 | Flags::ARRIVED.0 | Flags::MARKER_USED.0 | Flags::LANDED.0);

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
    for unit in play.rules.units_of(side) {
        let u = play.s.unit_mut(unit);
        u.spent = 0;
        u.flags.clear(OF_THE_PHASE | Flags::DUG);
        // 12.7: the marker of a unit that used SM is free for anybody, itself included.
        if u.is(Flags::STRATEGIC | Flags::NIGHT) {
            play.unmark(unit, Flags::STRATEGIC | Flags::NIGHT);
        }
    }
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
    let side = play.s.side;
    for unit in play.rules.units_of(side) {
        let u = play.s.unit(unit);
        // 12.7: a marker not used again is gone.
        if u.is(Flags::ON_ROAD) && !u.is(Flags::MARKER_USED) {
            play.unmark(unit, Flags::ON_ROAD);
        }
        // 27.2: the drop belongs to its turn.
        let waits = play.s.unit(unit).place() == Place::Due;
        if waits && play.rules.counter(unit).parachutist {
            play.rules.take_off(play.s, unit, Place::Gone);
        }
    }
    remove_empty_positions(play);
    crate::traffic::after_enemy_passed(play, side)
}

/// 1E 8.3 and 17.4: hexes of the side that hold too much at the end of its Movement Phase.
fn overstacked(rules: &Ardennes, s: &State, side: Side) -> Option<HexId> {
    if !rules.first_edition() {
        return None;
    }
    s.held[side.index()].iter().find(|hex| rules.overload(s, *hex, &[]).is_some())
}

/// Nothing to decide?
pub fn forced(cx: &Cx) -> Option<Action> {
    match cx.frame {
        Frame::Movement => {
            let idle = !cx.rules.may_roll_air(cx.s, cx.side) && nobody_can_act(cx);
            (idle && overstacked(cx.rules, cx.s, cx.side).is_none()).then_some(Action::Done)
        }
        Frame::Walk => (!cx.rules.walk_goes_on(cx.s, cx.side)).then_some(Action::Halt),
        _ => None,
    }
}

/// Is there no unit left that could do anything? A handful that might are looked at closely; of more than that one can.
fn nobody_can_act(cx: &Cx) -> bool {
    const HANDFUL: usize = 4;
    thread_local! {
        static OPTIONS: std::cell::RefCell<Vec<Action>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    let able = muster::able(cx);
    able.iter().nth(HANDFUL).is_none()
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

    fn night_marker_left(&self, s: &State, side: Side) -> bool {
        s.night_stacks[side.index()] < self.tables().markers.night[side.index()]
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
            for unit in &muster::able(cx) {
                out.push(Subject::Unit(unit));
            }
        }
        Frame::Walk => {
            out.push(Subject::Phase);
            out.extend(cx.s.walk.units.first().map(|u| Subject::Unit(*u)));
        }
        Frame::Overstacked(hex) => out.extend(cx.s.stack(hex).map(Subject::Unit)),
        _ => out.push(Subject::Phase),
    }
}

pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    match (cx.frame, subject) {
        (Frame::Movement, Subject::Phase) => {
            if cx.rules.may_roll_air(cx.s, cx.side) {
                out.push(Action::Air);
            }
            if may_end(cx).is_ok() {
                out.push(Action::Done);
            }
        }
        (Frame::Movement, Subject::Unit(unit)) => unit_options(cx, unit, out),
        (Frame::Walk, Subject::Phase) => out.push(Action::Halt),
        (Frame::Walk, Subject::Unit(unit)) if cx.s.walk.units.first() == Some(&unit) => {
            list_moves(cx, unit, cx.s.walk.mode, &cx.s.walk.units, &mut HexSet::new(), out);
        }
        (Frame::Infiltrate, Subject::Phase) => {
            out.push(Action::Infiltrate { attempt: true });
            out.push(Action::Infiltrate { attempt: false });
        }
        (Frame::Overstacked(hex), Subject::Unit(unit)) if cx.s.unit(unit).hex() == Some(hex) => {
            out.push(Action::Remove { unit });
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
    if rules.may_move(s, side, unit).is_ok() {
        let mut listed = HexSet::EMPTY;
        for mode in Mode::ALL.into_iter().filter(|mode| rules.ever_moves(unit, *mode)) {
            list_moves(cx, unit, mode, &[unit], &mut listed, out);
        }
    }
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
    if rules.may_dig(s, side, unit).is_ok() {
        out.push(Action::Dig { unit });
    }
    if rules.may_finish(s, side, unit).is_ok() {
        out.push(Action::Finish { unit });
    }
    if rules.may_load(s, side, unit).is_ok() {
        out.push(Action::Load { unit });
    }
    if may_unload(rules, s, side, unit).is_ok() {
        out.push(Action::Unload { unit });
    }
    if rules.may_mark_night(s, side, &[unit]).is_ok() {
        let hex = s.unit(unit).hex().unwrap_or(HexId::NONE);
        let all: Units = s.stack(hex).filter(|u| rules.may_have_night_marker(s, side, *u).is_ok()).collect();
        if all.len() > 1 {
            out.push(Action::Night { units: all });
        }
        out.push(Action::Night { units: Units::one(unit) });
    }
    crate::breakdown::options(cx, unit, out);
}

/// Every place where a unit can end a move in one mode, but those that a milder mode has listed already.
fn list_moves(
    cx: &Cx,
    unit: UnitId,
    mode: Mode,
    units: &[UnitId],
    listed: &mut HexSet,
    out: &mut Vec<Action>,
) {
    let (rules, s) = (cx.rules, cx.s);
    let Ok(p) = rules.profile(s, cx.side, unit, mode) else { return };
    if p.free && !tactical_reaches_more(rules, s, &p, units, listed) {
        return;
    }
    let exits = &rules.land.exits[cx.side.index()];
    let off_map = p.start == HexId::NONE;
    let beside: HexSet = p.start.some().into_iter().flat_map(|start| rules.land.neighbours(start)).collect();
    let close = close_look(rules, s, &p, units, listed, &beside);
    let party: Units = units.iter().copied().collect();
    let by = |entry, to, path, out| Action::Move(Move { units: party, mode, entry, to, path, out });
    let plain = by(HexId::NONE, HexId::NONE, Path::default(), false);
    with_reach(rules, s, &p, |reach| {
        // A neighbouring hex is written with the way to it: named alone it means the single step.
        let path_to = |hex: HexId| {
            if beside.contains(hex) { reach.path_beside(rules, &p, hex) } else { Path::default() }
        };
        let mut left_to = ExitsListed::default();
        if !off_map && exits.contains(p.start) && may_exit(cx, &p, p.start, 0, &mut left_to) {
            out.push(by(HexId::NONE, p.start, Path::default(), true));
        }
        for &(hex, cost) in reach.hexes(&p) {
            if close.as_ref().is_some_and(|close| !close.contains(hex)) {
                listed.insert(hex);
                out.push(plain);
                if let Some(Action::Move(mv)) = out.last_mut() {
                    mv.to = hex;
                }
                continue;
            }
            if hex == p.start {
                continue;
            }
            if !off_map && exits.contains(hex) && may_exit(cx, &p, hex, cost.into(), &mut left_to) {
                out.push(by(HexId::NONE, hex, path_to(hex), true));
            }
            if listed.contains(hex) || !rules.may_end_in(s, &p, units, hex) {
                continue;
            }
            // 1E 11.4: the cheapest way may make a second crossing, which the search does not see.
            if p.counts_crossings() {
                let legal = reach
                    .way(rules, &p, hex)
                    .is_some_and(|(entry, path)| rules.walk_cost(s, &p, entry, &path).is_ok());
                if !legal {
                    continue;
                }
            }
            let door = off_map && rules.is_entry_for(s, unit, hex);
            if door && reach.way(rules, &p, hex).is_none_or(|(_, path)| !path.is_empty()) {
                continue; // named alone, a door means coming in there
            }
            listed.insert(hex);
            let entry = if door { hex } else { HexId::NONE };
            out.push(by(entry, hex, path_to(hex), false));
        }
    });
}

/// The hexes that are looked at closely. A move to any other that it reaches ends there, is named by it alone and has not been
/// listed. None: all are looked at.
fn close_look(
    rules: &Ardennes,
    s: &State,
    p: &profile::Profile,
    units: &[UnitId],
    listed: &HexSet,
    beside: &HexSet,
) -> Option<HexSet> {
    if units.len() > 1 || s.ccb9_bound || p.counts_crossings() {
        return None;
    }
    let exits = &rules.land.exits[p.side.index()];
    let mut close = HexSet::union_of([listed, beside, exits, &s.held[0], &s.held[1]]);
    if p.start == HexId::NONE {
        close.union_with(&rules.land.entry_hexes);
        close.union_with(&rules.land.west_edge);
    }
    // See `end_bar`: 11.2, and 12.2 about others under a marker next to it.
    if p.mode == Mode::Extended {
        close.union_with(&s.near[p.side.enemy().index()]);
    }
    if p.roads_only && muster::under_marker(rules, s, p.side).iter().any(|other| other != p.unit) {
        close.union_with(&s.near[p.side.index()]);
    }
    Some(close)
}

/// Is there a hex so near that Tactical Movement might lead there, and only that? Milder modes mostly go as far (11.3).
fn tactical_reaches_more(
    rules: &Ardennes,
    s: &State,
    p: &profile::Profile,
    units: &[UnitId],
    listed: &HexSet,
) -> bool {
    const RINGS: u8 = 2;
    if p.start == HexId::NONE || p.hexes > RINGS {
        return true;
    }
    let is_more = |hex: HexId| {
        hex != p.start
            && !listed.contains(hex)
            && !s.enemy_in(p.side, hex)
            && rules.may_end_in(s, p, units, hex)
    };
    let steps = rules.land.steps(p.mover, rules.ground(s));
    let next_to = |hex: HexId| {
        let neighbours = steps[hex.index()].into_iter().zip(*rules.map.board.neighbour_row(hex));
        neighbours.filter(|(step, _)| *step != SHUT).map(|(_, to)| to)
    };
    next_to(p.start).any(|hex| is_more(hex) || p.hexes == RINGS && next_to(hex).any(is_more))
}

/// Ways off the map that are listed already: the cheapest to each Box, and one to Antwerp or beyond.
#[derive(Default)]
struct ExitsListed {
    boxes: List<BoxId, 8>,
    for_good: bool,
}

/// Does the move lead off the map from this hex, and where none has been listed to yet (11.9)?
fn may_exit(cx: &Cx, p: &profile::Profile, hex: HexId, cost: u16, listed: &mut ExitsListed) -> bool {
    let exit_cost = u16::from(cx.rules.tables().movement.exit_quarters);
    if p.free || cost + exit_cost > p.left {
        return false;
    }
    match cx.rules.exit_by(cx.s, p, hex) {
        Ok(plan::Exit::Box(id)) => !listed.boxes.contains(id) && listed.boxes.push(id),
        Ok(_) => !std::mem::replace(&mut listed.for_good, true),
        Err(_) => false,
    }
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

/// May the phase be ended?
fn may_end(cx: &Cx) -> Result<(), Refusal> {
    if let Some(unit) = cx.rules.must_leave(cx.s, cx.side) {
        return cx.rules.no("18.2", "disrupted.must_leave").unit("unit", unit).into();
    }
    if let Some(unit) = must_enter(cx.rules, cx.s, cx.side) {
        return cx.rules.no("31.2", "airborne.must_enter").unit("unit", unit).into();
    }
    Ok(())
}

/// 31.2: the airborne units use their markers on their turn.
fn must_enter(rules: &Ardennes, s: &State, side: Side) -> Option<UnitId> {
    let airborne =
        rules.scenario.airborne.filter(|a| a.turn == s.turn && side == Side::Allied && !s.night)?;
    let waiting =
        |u: &UnitId| rules.counter(*u).has(crate::pack::Tag::Airborne) && s.unit(*u).place() == Place::Due;
    let enters = |u: &UnitId| {
        rules.profile(s, side, *u, Mode::Truck).is_ok_and(|p| {
            with_reach(rules, s, &p, |reach| {
                let mut any = false;
                reach.each(&p, |hex, _| any |= rules.end_bar(s, &p, &[*u], hex).is_none());
                any
            })
        })
    };
    let _ = airborne;
    rules.units_of(side).find(|u| waiting(u) && enters(u))
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
        _ => Err(rules.not_now()),
    }
}

pub fn apply(play: &mut Play, frame: Frame, side: Side, action: &Action) -> Result<(), Stop> {
    match *action {
        Action::Done => match overstacked(play.rules, play.s, side) {
            Some(hex) => play.then(&[Frame::Overstacked(hex)]),
            None => play.pop(),
        },
        Action::Move(ref mv) => {
            let plan = play.rules.check_move(play.s, side, mv)?;
            if frame == Frame::Walk {
                play.pop();
            }
            walk::make(play, side, mv, &plan)?;
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
