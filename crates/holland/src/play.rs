//! Whether an action is legal, and what it does.

use hexgrid::HexId;
use kernel::{Dice, Log, RefusalKind, Seat, Stop};
use zocbond::{MarkerAt, Piece, UnitId};

use crate::action::Action;
use crate::event::{Event, seat, side_of};
use crate::frame::{Ahead, CombatStep, Frame, Mode, Phase};
use crate::pack::Side;
use crate::refusal::{Bar, Legal, not_now, refuse};
use crate::state::{Bridge, Marks, Place, State};
use crate::world::Holland;

impl Holland {
    /// The seat that must decide; `None` when the game is over.
    pub fn awaited(&self, s: &State) -> Option<Seat> {
        Some(seat(match s.frame() {
            Frame::Over => return None,
            Frame::Phase(side, _) => *side,
            Frame::Moving { party, .. } | Frame::Halted { party, .. } => self.counter(party.units[0]).side,
            Frame::Withdrawal(units) => self.counter(units[0]).side,
            Frame::Advancing { unit, .. } => self.counter(*unit).side,
            Frame::Flight(units) => self.counter(units[0]).side,
            Frame::Demolition { .. } => Side::German,
            Frame::Combat(c) => match c.step {
                CombatStep::Bridges
                | CombatStep::CallOff
                | CombatStep::Support
                | CombatStep::Advance(_)
                | CombatStep::Breakthrough => c.side,
                CombatStep::Stand | CombatStep::Length | CombatStep::Retreat => c.side.enemy(),
                CombatStep::StandLoss { chooser, .. } => chooser, // 12.4
                CombatStep::AttackerLoss | CombatStep::DefenderLoss => {
                    let effect = &self.pack.results[usize::from(c.result.unwrap_or(0))];
                    let loser = if c.step == CombatStep::AttackerLoss { c.side } else { c.side.enemy() };
                    match effect.chooser {
                        crate::pack::Chooser::Owner => loser,
                        crate::pack::Chooser::Opponent => loser.enemy(), // 11.3
                    }
                }
            },
        }))
    }

    pub fn own(&self, side: Side, unit: UnitId) -> Legal {
        let mine = self.counters.get(unit.index()).is_some_and(|c| c.side == side);
        if mine { Ok(()) } else { refuse("-", "refuse.not_yours") }
    }

    /// Both `verdict` and `apply` call this, so they cannot disagree.
    pub fn check(&self, s: &State, who: Seat, action: &Action) -> Legal {
        if self.awaited(s) != Some(who) {
            return Err(Bar::of_kind("-", "kernel.not_awaited", RefusalKind::OutOfTurn));
        }
        let side = side_of(who);
        match (s.frame(), action) {
            (Frame::Phase(_, phase), action) => self.check_in_phase(s, side, *phase, action),
            (Frame::Demolition { .. }, Action::Hold) => Ok(()),
            (Frame::Demolition { bridge, others, .. }, Action::Blow(b) | Action::HoldAt(b)) => {
                if b == bridge || others.contains(*b) { Ok(()) } else { refuse("5.4", "refuse.demolition") } // 8.10
            }
            (Frame::Flight(units), Action::Retreat { unit, path }) if units.contains(*unit) => {
                self.check_route(s, *unit, 2, path)
            }
            (Frame::Flight(units), Action::RetreatOut { unit, path }) if units.contains(*unit) => {
                self.check_exit(s, *unit, 2, path)
            }
            (Frame::Halted { .. }, Action::Halt | Action::Done) => Ok(()),
            (Frame::Halted { party, mode }, Action::Move { unit, also, mode: m, path }) => {
                let same = party.units.contains(*unit)
                    && also.iter().all(|u| party.units.contains(*u))
                    && (also.is_empty() || also.len() + 1 == party.units.len());
                if !same || m != mode && *m != Mode::Normal {
                    return not_now();
                }
                if path.is_empty() {
                    return refuse("8.1", "refuse.no_path");
                }
                let end = self.check_way(s, party, *mode, path)?;
                self.may_all_end(s, &end, *mode)
            }
            (Frame::Withdrawal(units), Action::Withdraw { unit, path } | Action::Retreat { unit, path }) => {
                let mut open = false;
                self.each_withdrawal(s, *unit, |way| open |= way == *path);
                if units.contains(*unit) && open {
                    Ok(())
                } else {
                    refuse("27.1", "refuse.route") // 27.1
                }
            }
            (Frame::Combat(c), action) => match (c.step, action) {
                (CombatStep::CallOff, Action::CallOff) => Ok(()),
                (CombatStep::CallOff, Action::GoOn) => {
                    // 9.4 step 2: at least one attacker can still attack; otherwise the refusal of the first one
                    let mut may = c.attackers.iter().map(|u| self.may_attack(s, *u, c.target));
                    let first = may.next().unwrap_or(Ok(()));
                    first.or_else(|bar| if may.any(|may| may.is_ok()) { Ok(()) } else { Err(bar) })
                }
                (CombatStep::Support, Action::Support { guns, air }) => {
                    self.check_support(s, side, c.target, &c.attackers, guns, *air)
                }
                (CombatStep::AttackerLoss, Action::Lose(unit)) => {
                    if self.loss_candidates(s, c).contains(*unit) {
                        Ok(())
                    } else {
                        refuse("11.3", "refuse.loser")
                    }
                    // 11.3
                }
                (CombatStep::DefenderLoss, Action::Lose(unit)) => {
                    let may = self.defenders(s, c.side.enemy(), c.target);
                    if may.contains(*unit) { Ok(()) } else { refuse("11.3", "refuse.loser") } // 11.3
                }
                (CombatStep::StandLoss { .. }, Action::Lose(unit)) => {
                    if c.attackers.contains(*unit) { Ok(()) } else { refuse("12.4", "refuse.loser") } // 12.4
                }
                (CombatStep::Stand, Action::GiveWay) => Ok(()),
                (CombatStep::Stand, Action::Stand { lead, gun }) => {
                    if !self.may_stand(s, c).contains(*lead) {
                        return refuse("12.3", "refuse.stand"); // 12.3
                    }
                    let units = self.defenders(s, side, c.target);
                    gun.map_or(Ok(()), |gun| self.check_gun(s, side, c.target, &units, gun)) // 17.6.3
                }
                (_, Action::Length(n)) => {
                    let effect = &self.pack.results[usize::from(c.result.unwrap_or(0))];
                    let fits = effect.retreat.is_some_and(|[low, high]| (low..=high).contains(n));
                    if !fits {
                        return refuse("13.1", "refuse.length"); // 13.1
                    }
                    if c.step == CombatStep::Length { Ok(()) } else { not_now() }
                }
                (CombatStep::Retreat, Action::Retreat { unit, path }) => {
                    if !c.retreating.contains(*unit) {
                        return refuse("13.2", "refuse.not_next"); // 13.2
                    }
                    self.check_route(s, *unit, c.length, path)
                }
                (CombatStep::Retreat, Action::RetreatOut { unit, path }) => {
                    if !c.retreating.contains(*unit) {
                        return refuse("13.2", "refuse.not_next"); // 13.2
                    }
                    self.check_exit(s, *unit, c.length, path)
                }
                (CombatStep::Advance(_), Action::Breakdown(unit)) => {
                    self.own(side, *unit)?;
                    if !c.attackers.contains(*unit) {
                        return refuse("21.1", "refuse.breakdown"); // 21.1
                    }
                    self.check_breakdown(s, side, *unit)
                }
                (CombatStep::Advance(kind), Action::Advance { unit, path }) => {
                    self.own(side, *unit)?;
                    self.check_advance(s, c, *unit, kind, path)?;
                    // No hex twice.
                    let mut open = false;
                    self.each_advance(s, c, *unit, kind, |way| {
                        open = way == *path;
                        !open
                    });
                    if open {
                        Ok(())
                    } else {
                        refuse("15.2", "refuse.advance") // 15.2
                    }
                }
                (CombatStep::Advance(_) | CombatStep::Breakthrough, Action::Done) => Ok(()),
                (CombatStep::Breakthrough, Action::Attack { target, with, lead, attached }) => {
                    let Some(lead) = lead else { return refuse("10.2", "refuse.no_lead") };
                    self.check_attack(s, side, *target, with, *lead, *attached)
                }
                (CombatStep::Breakthrough, Action::Planned { .. }) => self.check_planned(s, side, action),
                _ => not_now(),
            },
            _ => not_now(),
        }
    }

    fn check_exit(&self, s: &State, unit: UnitId, length: u8, path: &[HexId]) -> Legal {
        let mut open = false;
        self.each_exit(s, unit, length, |way, _| open |= way[..] == *path);
        if open {
            Ok(())
        } else {
            refuse("13.7", "refuse.leave") // 13.7
        }
    }

    /// 9.4 step 4
    pub fn check_support(
        &self,
        s: &State,
        side: Side,
        target: HexId,
        attackers: &[UnitId],
        guns: &[UnitId],
        air: bool,
    ) -> Legal {
        for (i, gun) in guns.iter().enumerate() {
            if guns[..i].contains(gun) {
                return refuse("17.6.1", "refuse.twice"); // 17.6.1
            }
            self.check_gun(s, side, target, attackers, *gun)?;
        }
        if guns.len() > usize::from(self.pack.tables.artillery.attack_guns) {
            return refuse("17.6.2", "refuse.guns_many"); // 17.6.2
        }
        if air && (side == Side::German || s.air == 0) {
            return refuse("10.7", "refuse.air"); // 10.7
        }
        Ok(())
    }

    /// An attack that names its support (9.4).
    fn check_planned(&self, s: &State, side: Side, action: &Action) -> Legal {
        let Action::Planned { target, with, lead, attached, guns, air } = action else {
            return not_now();
        };
        let Some(lead) = lead else { return refuse("10.2", "refuse.no_lead") }; // 10.2
        self.check_attack(s, side, *target, with, *lead, *attached)?;
        self.check_support(s, side, *target, with, guns, *air)
    }

    fn check_route(&self, s: &State, unit: UnitId, length: u8, path: &[HexId]) -> Legal {
        if self.with_routes(s, unit, length, |routes| routes.iter().any(|r| r[..] == *path)) {
            Ok(())
        } else {
            refuse("13.2", "refuse.route") // 13.2
        }
    }

    pub fn check_in_phase(&self, s: &State, side: Side, phase: Phase, action: &Action) -> Legal {
        match (phase, action) {
            (Phase::Replacement, Action::Replace(unit)) => {
                self.own(side, *unit)?;
                self.may_replace(s, side, *unit)
            }
            (Phase::Replacement, Action::Return { unit, to }) => {
                self.own(side, *unit)?;
                self.may_return(s, side, *unit, *to)
            }
            (Phase::Bridge, Action::Ferry { unit, side: at }) => {
                self.own(side, *unit)?;
                self.check_ferry(s, side, *unit, *at)
            }
            (Phase::Bridge, Action::Pack(unit)) => {
                self.own(side, *unit)?;
                self.check_pack_up(s, side, *unit)
            }
            (Phase::Airlanding, Action::Refit(units)) => self.check_refit(s, units).map(|_| ()),
            (Phase::Movement, Action::Dismount(unit)) => {
                self.own(side, *unit)?;
                self.check_dismount(s, side, *unit, true)
            }
            (Phase::Movement, Action::Mount(unit)) => {
                self.own(side, *unit)?;
                self.check_dismount(s, side, *unit, false)
            }
            (Phase::Movement | Phase::Combat, Action::Breakdown(unit)) => {
                self.own(side, *unit)?;
                self.check_breakdown(s, side, *unit)
            }
            (Phase::Movement, Action::Rebuild { unit, with }) => self.check_rebuild(s, side, *unit, *with),
            (Phase::Movement, Action::Merge { unit, with }) => self.check_merge(s, side, *unit, *with),
            (Phase::Movement, Action::AutoDs { target, with }) => self.check_auto_ds(s, side, *target, with),
            (Phase::Movement, Action::MoveOut { unit, also, mode, path }) => {
                self.check_move_out(s, side, *unit, also, *mode, path)
            }
            (Phase::Movement, Action::Done) => {
                if self.must_leave_ezoc(s, side) {
                    return refuse("14.2", "refuse.must_leave"); // 14.2
                }
                Ok(())
            }
            (Phase::Combat, Action::Disengage(units)) => self.check_disengage(s, side, units),
            (Phase::Combat, Action::Planned { .. }) => self.check_planned(s, side, action),
            (Phase::Artillery, Action::Ready(unit)) => {
                self.own(side, *unit)?;
                self.may_ready(s, side, *unit)
            }
            (Phase::Bridge, Action::Blow(b)) if side == Side::German => self.check_blow(s, *b),
            (Phase::Bridge, Action::Wire(b)) if side == Side::German => self.check_wire(s, *b),
            (Phase::Bridge, Action::Repair(b)) => {
                if s.field.bridge((*b).into()) != Bridge::Blown {
                    return refuse("5.8", "refuse.not_blown"); // 5.8
                }
                self.check_repair(s, side, *b).map(|_| ())
            }
            (Phase::Airlanding, Action::Land { unit, hex }) => {
                self.own(side, *unit)?;
                self.check_land(s, *unit, *hex)
            }
            (Phase::Airlanding, Action::Resupply(unit)) => {
                self.own(side, *unit)?;
                self.check_resupply(s, *unit).map(|_| ())
            }
            (Phase::Airlanding, Action::Done) if s.turn == 1 => {
                let waits = self.units().any(|u| {
                    s.unit(u).at() == Place::Airlanding
                        && self.first_hexes(u).iter().any(|h| self.check_land(s, u, *h).is_ok())
                });
                if waits { refuse("22.8", "refuse.all_land") } else { Ok(()) } // 22.8
            }
            (Phase::Movement, Action::Move { unit, also, mode, path }) => {
                self.check_move(s, side, *unit, also, *mode, path)
            }
            (Phase::Movement, Action::Leave(unit)) => self.check_leave(s, side, *unit),
            (Phase::Movement, Action::Shift { unit, area }) => self.check_shift(s, side, *unit, *area),
            (Phase::Movement, Action::Place { unit, hex }) => {
                self.own(side, *unit)?;
                self.check_place(s, *unit, *hex)
            }
            (Phase::Movement, Action::Reveal(hex)) => self.check_reveal(s, side, *hex),
            (Phase::Movement, Action::Look) => self.check_look(s, side),
            (Phase::Combat, Action::Attack { target, with, lead, attached }) => {
                let Some(lead) = lead else { return refuse("10.2", "refuse.no_lead") }; // 10.2
                self.check_attack(s, side, *target, with, *lead, *attached)
            }
            (Phase::Combat, Action::Done) => {
                let must = self.units().any(|u| {
                    s.unit(u).has(Marks::ON_ENEMY)
                        && self.counter(u).side == side
                        && s.unit(u).hex().is_some_and(|h| self.is_target(s, side, h))
                });
                if must {
                    return refuse("22.3.5", "refuse.must_attack"); // 22.3.5
                }
                if !self.auto_ds_due(s, side).is_empty() {
                    return refuse("9.6", "refuse.auto_ds_first"); // 9.6
                }
                Ok(())
            }
            (Phase::Traffic, Action::Traffic { marker, hex }) => self.check_traffic(s, *marker, *hex),
            (_, Action::Done) => Ok(()),
            _ => not_now(),
        }
    }

    pub fn act(
        &self,
        s: &mut State,
        who: Seat,
        action: &Action,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        self.check(s, who, action)?;
        self.decide(s, action, dice, log)?;
        self.settle(s, dice, log)
    }

    /// Carry out a decision that has been checked, without what follows from it.
    pub fn decide(
        &self,
        s: &mut State,
        action: &Action,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let Some(side) = self.awaited(s).map(side_of) else { return Ok(()) };
        match action {
            Action::Move { unit, also, mode, path } => match s.frame() {
                Frame::Halted { party, mode } => {
                    let (party, mode) = (*party, *mode);
                    s.frames.pop();
                    s.frames.push(Frame::Moving { party, mode, way: *path, done: 0, out: false });
                }
                _ => self.set_out(s, *unit, also, *mode, *path, false),
            },
            Action::MoveOut { unit, also, mode, path } => self.set_out(s, *unit, also, *mode, *path, true),
            Action::Halt => {
                s.frames.pop();
            }
            Action::Planned { target, with, lead, attached, guns, air } => {
                if let Some(lead) = lead {
                    let plan = Some((*guns, *air));
                    self.declare(s, side, *target, with, *lead, *attached, plan, dice, log)?;
                }
            }
            Action::CallOff => {
                if let Frame::Combat(c) = *s.frame() {
                    self.call_off(s, c, log);
                }
            }
            Action::GoOn => {
                if let Some(Frame::Combat(c)) = s.frames.last_mut() {
                    c.step = CombatStep::Support;
                    c.plan = None;
                }
            }
            Action::Dismount(unit) => self.dismount(s, *unit, true, log),
            Action::Mount(unit) => self.dismount(s, *unit, false, log),
            Action::AutoDs { target, with } => self.mark_auto_ds(s, side, *target, with, log),
            Action::Disengage(units) => self.disengage(s, units, dice, log)?,
            Action::Withdraw { unit, path } => self.withdraw(s, *unit, path, dice, log)?,
            Action::Breakdown(unit) => {
                let piece = self.break_down(s, *unit, log);
                if let (Some(piece), Some(Frame::Combat(c))) = (piece, s.frames.last_mut()) {
                    c.attackers.push(piece); // 21.1: before it advances
                    s.unit_mut(piece).mark(Marks::ATTACKED, true);
                }
            }
            Action::Rebuild { unit, with } => self.rebuild(s, *unit, *with, log),
            Action::Merge { unit, with } => self.merge(s, *unit, *with, log),
            Action::Return { unit, to } => self.return_unit(s, *unit, *to, log),
            Action::Refit(units) => self.refit(s, units, dice, log)?,
            Action::Ferry { unit, side: at } => {
                self.set_ferry(s, *unit, Some(*at));
                log.push(Event::Ferry { unit: *unit, at: Some(*at) });
            }
            Action::Pack(unit) => {
                self.set_ferry(s, *unit, None);
                log.push(Event::Ferry { unit: *unit, at: None });
            }
            Action::RetreatOut { unit, path } => self.retreat_out(s, *unit, path, log),
            Action::Leave(unit) => {
                self.leave(s, *unit, log);
                s.unit_mut(*unit).mark(Marks::MOVED, true);
            }
            Action::Shift { unit, area } => {
                self.put(s, *unit, Place::Box(*area));
                s.unit_mut(*unit).mark(Marks::MOVED, true);
            }
            Action::Place { unit, hex } => self.place(s, *unit, *hex, log),
            Action::Land { unit, hex } => self.land_unit(s, *unit, *hex, dice, log)?,
            Action::Resupply(unit) => self.resupply(s, *unit, dice, log)?,
            Action::Ready(unit) => {
                s.unit_mut(*unit).mark(Marks::FIRED, false);
                s.left = s.left.saturating_sub(u8::from(side == Side::German)); // 17.3
                log.push(Event::Ready { unit: *unit });
            }
            Action::Replace(unit) => {
                s.left -= 1;
                let unit = self.gain_step(s, *unit);
                s.unit_mut(unit).mark(Marks::REPL, true); // 20.4
                log.push(Event::Replaced { unit });
            }
            Action::Blow(bridge) => {
                self.leave_bridge(s, *bridge);
                let blown = self.blow(s, *bridge, dice, log)?;
                if let Some(Frame::Combat(c)) = s.frames.last_mut()
                    && c.step == CombatStep::Bridges
                {
                    c.blown |= blown; // 9.4 step 2
                }
            }
            Action::Hold => {
                if let Frame::Demolition { bridge, crossing, .. } = *s.frame() {
                    self.hold_bridge(s, bridge, crossing, log);
                }
            }
            Action::HoldAt(bridge) => {
                if let Frame::Demolition { crossing, .. } = *s.frame() {
                    self.hold_bridge(s, *bridge, crossing, log);
                }
            }
            Action::Wire(bridge) => {
                self.set_bridge(s, *bridge, Bridge::ToBeWired); // 5.3
                s.wired_now.push(*bridge);
                log.push(Event::Bridge { bridge: *bridge, to: Bridge::ToBeWired });
            }
            Action::Repair(bridge) => self.start_repair(s, side, *bridge, log)?,
            Action::Reveal(hex) => self.reveal(s, *hex, dice, log)?,
            Action::Look => self.look(s, dice, log)?,
            Action::Attack { target, with, lead, attached } => {
                if let Some(lead) = lead {
                    self.declare(s, side, *target, with, *lead, *attached, None, dice, log)?;
                }
            }
            Action::Support { guns, air } => {
                if let Some(Frame::Combat(c)) = s.frames.last_mut() {
                    (c.guns, c.air) = (*guns, *air);
                }
                self.roll_combat(s, dice, log)?;
            }
            Action::Lose(unit) => self.take_loss(s, *unit, dice, log),
            Action::Stand { lead, gun } => self.stand(s, *lead, *gun, dice, log)?,
            Action::GiveWay => {
                if let Some(Frame::Combat(c)) = s.frames.last().copied() {
                    self.begin_retreat(s, c);
                }
            }
            Action::Length(n) => {
                if let Some(Frame::Combat(mut c)) = s.frames.last().copied() {
                    c.length = *n;
                    self.begin_retreat(s, c);
                }
            }
            Action::Retreat { unit, path } => match s.frame() {
                Frame::Flight(_) => self.flee(s, *unit, path, dice, log)?,
                Frame::Withdrawal(_) => self.withdraw(s, *unit, path, dice, log)?,
                _ => self.retreat_by(s, *unit, path, dice, log)?,
            },
            Action::Advance { unit, path } => {
                let mut before = Ahead::START;
                if let Some(Frame::Combat(c)) = s.frames.last_mut() {
                    let going = c.ahead.take().filter(|(going, _)| going == unit);
                    before = going.map_or(Ahead::START, |(_, ahead)| ahead);
                }
                s.frames.push(Frame::Advancing { unit: *unit, way: *path, done: 0, before });
            }
            Action::Traffic { marker, hex } => {
                s.traffic[usize::from(*marker) - 1] = MarkerAt(*hex);
                log.push(Event::Traffic { marker: *marker, at: Some(*hex) });
            }
            Action::Done => match *s.frame() {
                Frame::Phase(side, phase) => self.end_phase(s, side, phase, dice, log)?,
                Frame::Combat(c) => match c.step {
                    CombatStep::Advance(_) => self.end_advance(s, c),
                    _ => self.end_breakthrough(s, &c, &[]),
                },
                Frame::Halted { .. } => {
                    s.frames.pop();
                }
                _ => {}
            },
        }
        Ok(())
    }

    fn start_repair(&self, s: &mut State, side: Side, bridge: u16, log: &mut Log<Event>) -> Result<(), Stop> {
        let left = self.check_repair(s, side, bridge)?;
        if side == Side::Allied && self.column_at(s, bridge) {
            s.by_column.push(bridge); // 5.8
        }
        let to = Bridge::Repair(side, left);
        self.set_bridge(s, bridge, to);
        log.push(Event::Bridge { bridge, to });
        Ok(())
    }
}
