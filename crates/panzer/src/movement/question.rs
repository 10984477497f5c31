//! The questions during movement: which unit moves where (4.5.1.1), and how an interrupted move continues (4.4.2).

use hexgrid::HexId;
use kernel::{Refusal, Stop};
use rulebook::flow::Question;

use super::{
    listing::{ends, exits, overruns, searches, unloads},
    reach, revise, walk,
};
use crate::{
    action::{Action, Move, Part, Plan, Subject},
    frame::Frame,
    pack::Side,
    play::{At, Cx, Play},
    rules::Panzer,
    state::State,
    transport,
    units::UnitId,
};

/// 4.5.1: one side moves its units, one after the other.
#[derive(Debug)]
pub struct Movement;

/// Whether the unit may do anything in its own movement.
fn acts(cx: &Cx, unit: UnitId) -> bool {
    cx.rules.may_move(cx.s, unit) || cx.rules.may_dismount(cx.s, unit)
}

impl Question<Panzer> for Movement {
    fn asks(&self, _: &Panzer, _: &State, frame: Frame) -> Option<Side> {
        let Frame::Movement(side) = frame else { return None };
        Some(side)
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let nobody = !cx.rules.units_of(cx.side).iter().any(|unit| acts(cx, *unit));
        (nobody || cx.s.staying).then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.push(Subject::Phase);
        let movers = cx.rules.units_of(cx.side).iter().filter(|unit| acts(cx, **unit));
        out.extend(movers.map(|unit| Subject::Unit(*unit)));
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => out.extend(self.check(cx, &Action::Done).is_ok().then_some(Action::Done)),
            Subject::Unit(unit) if cx.rules.vehicle(unit).side == cx.side => {
                if cx.rules.carried_by(cx.s, unit).is_some() {
                    transport::options(cx, unit, out);
                } else if cx.rules.may_move(cx.s, unit) {
                    self.moves(cx, unit, out);
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let (rules, s) = (cx.rules, cx.s);
        match action {
            Action::Move(order) => {
                rules.check_mover(s, cx.side, order.unit)?;
                // 6.6.7.1.1: a move that only mounts or dismounts does not need a mobile unit or vehicle.
                if order.plan.iter().any(Part::moves) {
                    rules.check_mobile(s, order.unit)?;
                }
                rules.check_move(s, order)?;
                rules.check_column(s, order)?;
                let start = rules.begin(s, order.unit, order.along, order.entry)?;
                let end =
                    rules.follow(s, &start, &order.plan).map_err(|bar| bar.refuse(rules, order.unit))?;
                rules.check_group(s, order.unit, end.hex)
            }
            Action::Go(go) => {
                rules.check_mover(s, cx.side, go.unit)?;
                rules.check_mobile(s, go.unit)?;
                let order = rules.resolve(s, go)?;
                rules.check_column(s, &order)?;
                rules.check_group(s, go.unit, go.to)
            }
            Action::Stay { unit } => {
                rules.check_mover(s, cx.side, *unit)?;
                rules.check_group(s, *unit, s.unit(*unit).hex)
            }
            Action::Done => {
                // Units that have not moved stay.
                let waiting = rules.units_of(cx.side).iter().filter(|unit| rules.may_move(s, **unit));
                waiting.into_iter().try_for_each(|unit| rules.check_group(s, *unit, s.unit(*unit).hex))
            }
            Action::Dismount { unit, hex, .. } => transport::check(cx, *unit, *hex),
            Action::DismountAssault { unit, hex, target, .. } => {
                transport::check_attack(cx, *unit, *hex, *target)
            }
            Action::Discharge { unit } => crate::fire::smoke::check_discharge(cx, *unit),
            _ => Err(rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, at: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Move(order) => walk::set_out(play, order),
            Action::Go(go) => {
                let order = play.rules.resolve(play.s, go)?;
                walk::set_out(play, &order);
            }
            Action::Stay { unit } => {
                let order = Move { unit: *unit, along: false, entry: HexId::NONE, plan: Plan::default() };
                walk::set_out(play, &order);
            }
            // 7.2: a hidden enemy is found in the hex, and the unit stays aboard.
            Action::Dismount { hex, .. } | Action::DismountAssault { hex, .. }
                if crate::hidden::meet(play, at.side.enemy(), &[*hex]) => {}
            Action::Dismount { unit, hex, facing } => {
                transport::apply(play, *unit, *hex, *facing);
                transport::landed(play, *unit)?;
            }
            Action::DismountAssault { unit, hex, facing, target } => {
                transport::apply(play, *unit, *hex, *facing);
                crate::assault::dismount_attack(play, *unit, *target);
                transport::landed(play, *unit)?;
            }
            Action::Discharge { unit } => {
                crate::fire::smoke::discharge(play, *unit)?;
                play.s.stamp.renew();
            }
            Action::Done => walk::rest_stay(play, at.side),
            _ => {}
        }
        Ok(())
    }
}

impl Movement {
    /// Everything that a unit which may move can do.
    fn moves(&self, cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
        let (rules, s) = (cx.rules, cx.s);
        for vehicle in rules.rides(s, unit) {
            let plan = Plan::from_iter([Part::Mount(vehicle)]);
            let order = Move { unit, along: false, entry: HexId::NONE, plan };
            out.extend(self.check(cx, &Action::Move(order)).is_ok().then_some(Action::Move(order)));
        }
        if rules.check_group(s, unit, s.unit(unit).hex).is_ok() {
            out.push(Action::Stay { unit });
        }
        out.extend(rules.may_discharge(s, unit).then_some(Action::Discharge { unit }));
        if rules.check_mobile(s, unit).is_err() {
            return;
        }
        if s.unit(unit).on_map() {
            unloads(cx, unit, out);
            overruns(cx, unit, out);
            searches(cx, unit, out);
            ends(cx, unit, false, HexId::NONE, out);
            if rules.on_way(s.unit(unit).hex) || rules.may_march(s, unit) {
                ends(cx, unit, true, HexId::NONE, out);
            }
            exits(cx, unit, out);
            for part in [Part::Door, Part::Floor] {
                let plan = Plan::from_iter([part]);
                let order = Move { unit, along: false, entry: HexId::NONE, plan };
                let able = rules.advanced.is_some() && rules.field.terrain(s.unit(unit).hex).building();
                if able && rules.check_move(s, &order).is_ok() {
                    out.push(Action::Move(order));
                }
            }
        } else if let Some(gate) = &rules.entries[unit.index()] {
            for entry in &gate.hexes {
                ends(cx, unit, false, *entry, out);
            }
        }
    }
}

/// 4.4.2, 4.5.1.1: a unit that was fired at continues as planned, stops, or uses the rest differently.
#[derive(Debug)]
pub struct Revise;

impl Revise {
    /// The moving unit continues, by road only if it came by road.
    fn same(cx: &Cx, unit: UnitId, along: bool) -> Result<(), Refusal> {
        let walk = &cx.s.walk;
        // 4.5.1.1.5: a move by road may leave the road; a cross-country move cannot become one by road.
        if unit == walk.unit && (walk.along || !along) {
            return Ok(());
        }
        // 4.5.1.1: finish one before the next.
        cx.rules.no("4.5.1.1", "move.one_at_a_time").unit("unit", walk.unit).into()
    }
}

impl Question<Panzer> for Revise {
    fn asks(&self, rules: &Panzer, s: &State, _: Frame) -> Option<Side> {
        Some(rules.vehicle(s.walk.unit).side)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        out.extend([Subject::Phase, Subject::Unit(cx.s.walk.unit)]);
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        match subject {
            Subject::Phase => {
                let both = [Action::GoOn, Action::Stop].into_iter();
                out.extend(both.filter(|action| self.check(cx, action).is_ok()));
            }
            Subject::Unit(unit) if unit == cx.s.walk.unit => {
                ends(cx, unit, false, HexId::NONE, out);
                if cx.s.walk.along {
                    ends(cx, unit, true, HexId::NONE, out);
                }
            }
            _ => {}
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let (rules, s) = (cx.rules, cx.s);
        match action {
            // 6.2.1.1.4: the group still ends its move together, as far as it can.
            Action::Move(order) => {
                Self::same(cx, order.unit, order.along)?;
                rules.check_move(s, order)?;
                rules.check_column(s, order)?;
                let start = rules.begin(s, order.unit, order.along, order.entry)?;
                let end =
                    rules.follow(s, &start, &order.plan).map_err(|bar| bar.refuse(rules, order.unit))?;
                rules.check_group(s, order.unit, end.hex)
            }
            Action::Go(go) => {
                Self::same(cx, go.unit, go.along)?;
                let order = rules.resolve(s, go)?;
                rules.check_column(s, &order)?;
                rules.check_group(s, go.unit, go.to)
            }
            Action::GoOn => {
                let start = rules.walking(s);
                rules.follow(s, &start, &s.walk.plan).map_err(|bar| bar.refuse(rules, s.walk.unit))?;
                Ok(())
            }
            Action::Stop => {
                stop(rules, s)?;
                // A column may have to stop where its road is blocked.
                if rules.in_column(s, s.walk.unit) {
                    return Ok(());
                }
                rules.check_group(s, s.walk.unit, s.unit(s.walk.unit).hex)
            }
            _ => Err(rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        let order = match action {
            Action::Move(order) => *order,
            Action::Go(go) => play.rules.resolve(play.s, go)?,
            Action::Stop => {
                play.pop();
                revise(play, Plan::default());
                return Ok(());
            }
            _ => {
                play.pop();
                play.s.walk.interrupted = false;
                return Ok(());
            }
        };
        play.pop();
        if play.s.walk.along && !order.along {
            // 4.5.1.1.5
            play.s.walk = play.rules.off_road(play.s).walk;
        }
        revise(play, order.plan);
        Ok(())
    }
}

/// Whether the interrupted move may end here: in the hex of an enemy only if there is no way out (4.5.1.1.10).
fn stop(rules: &Panzer, s: &State) -> Result<(), Refusal> {
    let at = rules.walking(s);
    match rules.may_end(s, &at, false) {
        Err(bar @ super::Bar::EndsWithEnemy(_)) => {
            let mut leaves = false;
            reach::with_reach(rules, s, &at, |reach| reach.ends(rules, s, |_, _, _| leaves = true));
            let off = rules.off_road(s);
            if at.walk.along {
                reach::with_reach(rules, s, &off, |reach| reach.ends(rules, s, |_, _, _| leaves = true));
            }
            if leaves { Err(bar.refuse(rules, at.walk.unit)) } else { Ok(()) }
        }
        _ => Ok(()),
    }
}
