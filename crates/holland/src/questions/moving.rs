//! Movement Phases (8), interrupted moves (5.4, 8.10, 25.4), and units that disengaged (27.1).

use hexgrid::{HexId, HexSet};
use kernel::{Refusal, Stop};
use rulebook::flow::Question;
use zocbond::{Piece, UnitId};

use crate::action::{Action, Subject};
use crate::flow::{At, Cx, Play, assert_legal, keep_legal};
use crate::frame::{Frame, Mode, Stage};
use crate::land::around;
use crate::movement::{Party, Stride};
use crate::pack::Side;
use crate::questions::phases::end_phase;
use crate::refusal::{Legal, not_now, refuse};
use crate::state::{Marks, Place, State, Units, Way};
use crate::world::Holland;

/// 8.1
#[derive(Debug)]
pub struct Movement;

/// Actions that belong to no unit.
const PHASE_DEEDS: [Action; 2] = [Action::Done, Action::Look];

impl Movement {
    fn may(cx: &Cx, action: &Action) -> Legal {
        let Cx { rules, s, side, .. } = *cx;
        match action {
            Action::Move { unit, also, mode, path } => rules.check_move(s, side, *unit, also, *mode, path),
            Action::MoveOut { unit, also, mode, path } => {
                rules.check_move_out(s, side, *unit, also, *mode, path)
            }
            Action::Dismount(unit) | Action::Mount(unit) => {
                rules.own(side, *unit)?;
                rules.check_dismount(s, side, *unit, matches!(action, Action::Dismount(_)))
            }
            Action::Breakdown(unit) => {
                rules.own(side, *unit)?;
                rules.check_breakdown(s, side, *unit)
            }
            Action::Rebuild { unit, with } => rules.check_rebuild(s, side, *unit, *with),
            Action::Merge { unit, with } => rules.check_merge(s, side, *unit, *with),
            Action::AutoDs { target, with } => rules.check_auto_ds(s, side, *target, with),
            Action::Leave(unit) => rules.check_leave(s, side, *unit),
            Action::Shift { unit, area } => rules.check_shift(s, side, *unit, *area),
            Action::Place { unit, hex } => {
                rules.own(side, *unit)?;
                rules.check_place(s, *unit, *hex)
            }
            Action::Reveal(hex) => rules.check_reveal(s, side, *hex),
            Action::Look => rules.check_look(s, side),
            Action::Done if rules.must_leave_ezoc(s, side) => refuse("14.2", "refuse.must_leave"), // 14.2
            Action::Done => Ok(()),
            _ => not_now(),
        }
    }

    /// May the phase be ended, or something else done that is no unit's affair?
    fn phase_acts(cx: &Cx) -> bool {
        PHASE_DEEDS.iter().any(|action| Self::may(cx, action).is_ok())
    }

    /// The Unknown units that may be revealed now.
    fn revealed(cx: &Cx) -> HexSet {
        let first = cx.s.unknown.iter().next();
        let turn = first.is_some_and(|hex| cx.rules.check_reveal(cx.s, cx.side, hex).is_ok());
        if turn { cx.s.unknown } else { HexSet::EMPTY }
    }
}

impl Question<Holland> for Movement {
    usual!("prompt.movement", "8.1");

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let Cx { rules, s, side, .. } = *cx;
        if !rules.able(s, side).is_empty()
            || rules.check_look(s, side).is_ok()
            || !Self::revealed(cx).is_empty()
            // 9.6: whoever stands beside the enemy may announce an attack.
            || !s.field.held(side).is_disjoint(s.field.near(side.enemy()))
        {
            return None;
        }
        // A unit that cannot move may still be able to do something where it is.
        let mut any = false;
        for unit in s.field.in_game(side) {
            rules.each_deed(s, side, unit, |_| any = true);
            if any {
                return None;
            }
        }
        Some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend(Self::phase_acts(cx).then_some(Subject::Phase));
        out.extend(cx.rules.able(cx.s, cx.side).iter().map(Subject::Unit));
        out.extend(Self::revealed(cx).iter().map(Subject::Hex));
    }

    fn one_subject(
        &self,
        cx: &Cx,
        _: &mut Vec<Subject>,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Option<Subject> {
        let done = usize::from(Self::phase_acts(cx));
        let (able, hexes) = (cx.rules.able(cx.s, cx.side), Self::revealed(cx));
        let count = done + able.len() + hexes.len();
        let n = if count > 0 { choose(count) } else { return None };
        let subject = match n.checked_sub(done) {
            None => Some(Subject::Phase),
            Some(n) if n < able.len() => able.iter().nth(n).map(Subject::Unit),
            Some(n) => hexes.iter().nth(n - able.len()).map(Subject::Hex),
        };
        debug_assert!({
            let mut list = Vec::new();
            self.subjects(cx, &mut list);
            list.len() == count && list.get(n).copied() == subject
        });
        subject
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let from = out.len();
        match subject {
            Subject::Phase => out.extend(PHASE_DEEDS),
            Subject::Hex(hex) => out.push(Action::Reveal(hex)),
            Subject::Unit(unit) if cx.rules.counter(unit).side == cx.side => {
                return cx.rules.list_moves(cx.s, cx.side, unit, out);
            }
            _ => {}
        }
        keep_legal(out, from, |action| Self::may(cx, action));
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        let Play { rules, s, dice, log } = play;
        match action {
            Action::Move { unit, also, mode, path } => {
                let way = rules.way_meant(s, *unit, also, *mode, path);
                rules.set_out(s, *unit, also, *mode, way, false);
            }
            Action::MoveOut { unit, also, mode, path } => rules.set_out(s, *unit, also, *mode, *path, true),
            Action::Dismount(unit) => rules.dismount(s, *unit, true, log),
            Action::Mount(unit) => rules.dismount(s, *unit, false, log),
            Action::Breakdown(unit) => {
                rules.break_down(s, *unit, log);
            }
            Action::Rebuild { unit, with } => rules.rebuild(s, *unit, *with, log),
            Action::Merge { unit, with } => rules.merge(s, *unit, *with, log),
            Action::AutoDs { target, with } => rules.mark_auto_ds(s, at.side, *target, with, log),
            Action::Leave(unit) => {
                rules.leave(s, *unit, log);
                s.unit_mut(*unit).mark(Marks::MOVED, true);
            }
            Action::Shift { unit, area } => {
                rules.put(s, *unit, Place::Box(*area));
                s.unit_mut(*unit).mark(Marks::MOVED, true);
            }
            Action::Place { unit, hex } => rules.place(s, *unit, *hex, log),
            Action::Reveal(hex) => rules.reveal(s, *hex, dice, log)?,
            Action::Look => rules.look(s, dice, log)?,
            _ => return end_phase(play, at),
        }
        Ok(())
    }
}

/// A move was interrupted: the units may use their remaining points differently (5.4, 25.4).
#[derive(Debug)]
pub struct Halted;

impl Halted {
    fn may(cx: &Cx, action: &Action) -> Legal {
        let (rules, s) = (cx.rules, cx.s);
        let Frame::Halted { party, mode } = s.frame() else { return not_now() };
        let Action::Move { unit, also, mode: named, path } = action else {
            return if matches!(action, Action::Halt | Action::Done) { Ok(()) } else { not_now() };
        };
        let same = party.units.contains(*unit)
            && also.iter().all(|u| party.units.contains(*u))
            && (also.is_empty() || also.len() + 1 == party.units.len());
        if !same || named != mode && *named != Mode::Normal {
            return not_now();
        }
        if path.is_empty() {
            return refuse("8.1", "refuse.no_path");
        }
        let end = rules.check_way(s, party, *mode, path)?;
        rules.may_all_end(s, &end, *mode)
    }
}

impl Question<Holland> for Halted {
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        let Frame::Halted { party, mode } = s.frame() else { return None };
        rules.decider(s).filter(|_| rules.can_go_on(s, party, *mode))
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        if let Frame::Halted { party, .. } = cx.s.frame() {
            out.push(Subject::Unit(party.units[0]));
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let (rules, s) = (cx.rules, cx.s);
        let (Frame::Halted { party, mode }, Subject::Unit(unit)) = (s.frame(), subject) else { return };
        if unit != party.units[0] {
            return;
        }
        let (from, mode, mut also) = (out.len(), *mode, party.units);
        out.push(Action::Halt);
        also.retain(|other| other != unit);
        if let (Ok(m), Some(at)) = (rules.going_on(s, unit, mode), party.at) {
            let here = Stride { spent: party.spent[0], ..at };
            rules.reach_on(s, &m, here, |_, path, _| {
                out.push(Action::Move { unit, also, mode, path: path.iter().copied().collect() });
            });
        }
        keep_legal(out, from, |action| Self::may(cx, action));
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        Ok(Self::may(cx, action)?)
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let halted = play.s.frames.pop();
        if let (Some(Frame::Halted { party, mode }), Action::Move { path, .. }) = (halted, action) {
            play.s.frames.push(Frame::Moving { party, mode, way: *path, done: 0, out: false });
        }
        Ok(())
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.halted", "8.10")
    }

    fn no(&self) -> Option<Action> {
        Some(Action::Halt)
    }
}

/// 27.1: units that disengaged move one or two hexes each.
#[derive(Debug)]
pub struct Withdrawal;

impl Withdrawal {
    /// A unit that has nowhere to go.
    fn stuck(rules: &Holland, s: &State) -> Option<UnitId> {
        let Frame::Withdrawal(units) = s.frame() else { return None };
        units.iter().copied().find(|u| s.unit(*u).hex().is_none() || !rules.can_withdraw(s, *u))
    }
}

impl Question<Holland> for Withdrawal {
    fn asks(&self, rules: &Holland, s: &State, _: Stage) -> Option<Side> {
        rules.decider(s).filter(|_| Self::stuck(rules, s).is_none())
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        if let Frame::Withdrawal(units) = cx.s.frame() {
            out.extend(units.iter().map(|u| Subject::Unit(*u)));
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        let (Frame::Withdrawal(units), Subject::Unit(unit)) = (cx.s.frame(), subject) else { return };
        if units.contains(unit) {
            let from = out.len();
            cx.rules.each_withdrawal(cx.s, unit, |path| out.push(Action::Withdraw { unit, path }));
            assert_legal(cx, &out[from..]);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let (Frame::Withdrawal(units), Action::Withdraw { unit, path } | Action::Retreat { unit, path }) =
            (cx.s.frame(), action)
        else {
            return Ok(not_now()?);
        };
        let mut open = false;
        cx.rules.each_withdrawal(cx.s, *unit, |way| open |= way == *path);
        if units.contains(*unit) && open {
            Ok(())
        } else {
            Ok(refuse("27.1", "refuse.route")?) // 27.1
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let (Action::Withdraw { unit, path } | Action::Retreat { unit, path }) = action else {
            return Ok(());
        };
        play.rules.withdraw(play.s, *unit, path, play.dice, play.log)
    }

    fn prompt(&self) -> (&'static str, &'static str) {
        ("prompt.withdrawal", "27.1")
    }
}

impl Holland {
    /// Whether an interrupted move can continue.
    fn can_go_on(&self, s: &State, party: &Party, mode: Mode) -> bool {
        let Some(at) = party.at else { return false };
        party.units.iter().all(|u| s.unit(*u).hex() == Some(at.at))
            && around(&self.land.topology, at.at).any(|(_, to)| {
                self.step_all(s, party, mode, to).is_ok_and(|end| self.may_all_end(s, &end, mode).is_ok())
            })
    }

    /// 27.1: a unit that disengaged and has nowhere to go stays.
    pub fn leave_behind(&self, s: &mut State) {
        if let Some(unit) = Withdrawal::stuck(self, s) {
            s.unit_mut(unit).mark(Marks::ENGAGED, false); // 11.5
            self.has_gone(s, unit);
        }
    }

    /// A quick test: whether this unit could do anything in a Movement Phase.
    pub fn could_move(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        if !u.in_game() {
            return false;
        }
        let joins = self.could_join(s, unit);
        if joins || u.has(Marks::MOVED) {
            return joins;
        }
        let side = self.counter(unit).side;
        // 19.6: cheaper to test than a path onto the map
        let shifts = |area: &u8| self.check_shift(s, side, unit, *area).is_ok();
        if let Place::Box(here) = u.at()
            && self.land.areas[usize::from(here)].next.iter().any(shifts)
        {
            return true;
        }
        let entries = self.entry_hexes(s, unit);
        let modes = Mode::ALL.into_iter().filter_map(|mode| self.mover(s, unit, mode).ok());
        for m in modes {
            let steps = |from: Option<Stride>, to| {
                self.step(s, &m, from, to).is_ok_and(|at| self.may_end(s, &m, &at).is_ok())
            };
            let any = match m.start {
                Some(hex) => {
                    let here = Some(Stride::start(hex));
                    self.land.topology.neighbours(hex).any(|to| steps(here, to))
                }
                None => entries.iter().any(|to| steps(None, *to)),
            };
            if any {
                return true;
            }
        }
        match u.at() {
            Place::Box(_) => false,
            Place::Holding => self.places_of(s, unit).next().is_some(),
            _ => self.check_leave(s, side, unit).is_ok(),
        }
    }

    /// 21.4, 21.5: whether the unit can be rebuilt or merged with one of its hex, also after it has moved.
    fn could_join(&self, s: &State, unit: UnitId) -> bool {
        let (u, side) = (s.unit(unit), self.counter(unit).side);
        let Some(hex) = u.hex().filter(|_| u.lost > 0 || u.parent.is_some()) else { return false };
        self.stack(s, side, hex).filter(|other| *other != unit).any(|with| {
            self.check_rebuild(s, side, unit, with).is_ok() || self.check_merge(s, side, unit, with).is_ok()
        })
    }

    fn list_moves(&self, s: &State, side: Side, unit: UnitId, out: &mut Vec<Action>) {
        // An option is copied as a whole and then changed in place: built field by field it would be read right after being
        // written, which stalls.
        let plain =
            Action::Move { unit, also: Units::new(), mode: Mode::Normal, path: Way::one(HexId::NONE) };
        self.list_ends(s, unit, |listed, hexes| {
            out.extend_from_slice(std::slice::from_ref(&plain));
            if let Some(Action::Move { mode, path, .. }) = out.last_mut() {
                *mode = listed;
                match hexes {
                    [end] => path[0] = *end,
                    _ => *path = Way::of(hexes),
                }
            }
        });
        self.each_deed(s, side, unit, |deed| out.push(deed));
    }

    /// What a unit may do besides moving from hex to hex.
    fn each_deed(&self, s: &State, side: Side, unit: UnitId, mut each: impl FnMut(Action)) {
        if self.check_leave(s, side, unit).is_ok() {
            each(Action::Leave(unit));
        }
        if self.check_dismount(s, side, unit, true).is_ok() {
            each(Action::Dismount(unit));
        }
        if self.check_dismount(s, side, unit, false).is_ok() {
            each(Action::Mount(unit));
        }
        if self.check_breakdown(s, side, unit).is_ok() {
            each(Action::Breakdown(unit));
        }
        if let Some(hex) = s.unit(unit).hex() {
            for with in self.stack(s, side, hex).filter(|u| *u != unit) {
                if self.check_rebuild(s, side, unit, with).is_ok() {
                    each(Action::Rebuild { unit, with });
                }
                if self.check_merge(s, side, unit, with).is_ok() {
                    each(Action::Merge { unit, with });
                }
            }
        }
        if let Place::Box(here) = s.unit(unit).at() {
            for area in self.land.areas[usize::from(here)].next.iter().copied() {
                if self.check_shift(s, side, unit, area).is_ok() {
                    each(Action::Shift { unit, area });
                }
            }
        }
        if s.unit(unit).at() == Place::Holding && side == Side::Allied {
            self.places_of(s, unit).for_each(|hex| each(Action::Place { unit, hex }));
        }
    }
}
