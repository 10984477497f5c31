//! May it be done, and what follows; what can be done at all.

use hexgrid::HexId;
use kernel::{Dice, Log, Refusal, Seat, Stop};
use zocbond::{MarkerAt, Piece, UnitId};

use crate::action::{Action, Subject};
use crate::event::{Event, seat, side_of};
use crate::frame::{CombatStep, Frame, Mode, Phase};
use crate::movement::{Legal, refuse};
use crate::pack::Side;
use crate::state::{Bridge, Marks, Place, State};
use crate::world::Holland;

impl Holland {
    /// Who must decide; nobody when the game is over.
    pub fn awaited(&self, s: &State) -> Option<Seat> {
        Some(seat(match s.frame() {
            Frame::Over => return None,
            Frame::Phase(side, _) => *side,
            Frame::Moving { unit, .. } | Frame::Advancing { unit, .. } | Frame::Flight(unit) => {
                self.counter(*unit).side
            }
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

    fn own(&self, side: Side, unit: UnitId) -> Legal {
        let mine = self.counters.get(unit.index()).is_some_and(|c| c.side == side);
        if mine { Ok(()) } else { refuse("-", "refuse.not_yours") }
    }

    /// Both `verdict` and `apply` ask here, so they cannot disagree.
    pub fn check(&self, s: &State, who: Seat, action: &Action) -> Legal {
        if self.awaited(s) != Some(who) {
            return refuse("-", "kernel.not_awaited");
        }
        let side = side_of(who);
        match (s.frame(), action) {
            (Frame::Phase(_, phase), action) => self.check_in_phase(s, side, *phase, action),
            (Frame::Demolition { .. }, Action::Hold) => Ok(()),
            (Frame::Demolition { bridge, .. }, Action::Blow(b)) if b == bridge => Ok(()),
            (Frame::Flight(unit), Action::Retreat { unit: u, path }) if u == unit => {
                self.check_route(s, *unit, 2, path)
            }
            (Frame::Combat(c), action) => match (c.step, action) {
                (CombatStep::Support, Action::Support { guns, air }) => {
                    let may = self.guns(s, side, c.target, &c.attackers);
                    let many = guns.len() > usize::from(self.pack.tables.artillery.attack_guns);
                    let twice = guns.iter().enumerate().any(|(i, g)| guns[..i].contains(g));
                    if many || twice || guns.iter().any(|g| !may.contains(g)) {
                        return refuse("17.6", "refuse.guns"); // 17.6
                    }
                    if *air && (side == Side::German || s.air == 0) {
                        return refuse("10.7", "refuse.air"); // 10.7
                    }
                    Ok(())
                }
                (CombatStep::AttackerLoss, Action::Lose(unit)) => {
                    if self.loss_candidates(s, c).contains(unit) {
                        Ok(())
                    } else {
                        refuse("11.3", "refuse.loser")
                    }
                    // 11.3
                }
                (CombatStep::DefenderLoss, Action::Lose(unit)) => {
                    let may = self.defenders(s, c.side.enemy(), c.target);
                    if may.contains(unit) { Ok(()) } else { refuse("11.3", "refuse.loser") } // 11.3
                }
                (CombatStep::StandLoss { .. }, Action::Lose(unit)) => {
                    if c.attackers.contains(unit) { Ok(()) } else { refuse("12.4", "refuse.loser") } // 12.4
                }
                (CombatStep::Stand, Action::GiveWay) => Ok(()),
                (CombatStep::Stand, Action::Stand { lead, gun }) => {
                    if !self.may_stand(s, c).contains(lead) {
                        return refuse("12.3", "refuse.stand"); // 12.3
                    }
                    let units = self.defenders(s, side, c.target);
                    let guns = self.guns(s, side, c.target, &units);
                    if gun.is_some_and(|g| !guns.contains(&g)) {
                        return refuse("17.6.3", "refuse.guns"); // 17.6.3
                    }
                    Ok(())
                }
                (CombatStep::Length, Action::Length(n)) => {
                    let effect = &self.pack.results[usize::from(c.result.unwrap_or(0))];
                    let fits = effect.retreat.is_some_and(|[low, high]| (low..=high).contains(n));
                    if fits { Ok(()) } else { refuse("13.1", "refuse.length") } // 13.1
                }
                (CombatStep::Retreat, Action::Retreat { unit, path }) => {
                    if c.retreating.first() != Some(unit) {
                        return refuse("13.2", "refuse.not_next"); // 13.2
                    }
                    self.check_route(s, *unit, c.length, path)
                }
                (CombatStep::Advance(kind), Action::Advance { unit, path }) => {
                    self.own(side, *unit)?;
                    if self.advances(s, c, *unit, kind).contains(path) {
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
                _ => refuse("-", "refuse.not_now"),
            },
            _ => refuse("-", "refuse.not_now"),
        }
    }

    fn check_route(&self, s: &State, unit: UnitId, length: u8, path: &[HexId]) -> Legal {
        if self.routes(s, unit, length).iter().any(|r| r == path) {
            Ok(())
        } else {
            refuse("13.2", "refuse.route") // 13.2
        }
    }

    fn check_in_phase(&self, s: &State, side: Side, phase: Phase, action: &Action) -> Legal {
        match (phase, action) {
            (Phase::Replacement, Action::Replace(unit)) => {
                self.own(side, *unit)?;
                self.may_replace(s, side, *unit)
            }
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
            (Phase::Movement, Action::Move { unit, mode, path }) => {
                self.check_move(s, side, *unit, *mode, path)
            }
            (Phase::Movement, Action::Leave(unit)) => self.check_leave(s, side, *unit).map(|_| ()),
            (Phase::Movement, Action::Shift { unit, area }) => self.check_shift(s, side, *unit, *area),
            (Phase::Movement, Action::Place { unit, hex }) => {
                self.own(side, *unit)?;
                self.check_place(s, *unit, *hex)
            }
            (Phase::Movement, Action::Reveal(hex)) => self.check_reveal(s, side, *hex),
            (Phase::Combat, Action::Attack { target, with, lead, attached }) => {
                let Some(lead) = lead else { return refuse("10.2", "refuse.no_lead") }; // 10.2
                self.check_attack(s, side, *target, with, *lead, *attached)
            }
            (Phase::Combat, Action::Done) => {
                let must = self.units().any(|u| {
                    s.unit(u).has(Marks::ON_ENEMY)
                        && self.counter(u).side == side
                        && s.unit(u).hex().is_some_and(|h| self.targets(s, side).contains(&h))
                });
                if must { refuse("22.3.5", "refuse.must_attack") } else { Ok(()) } // 22.3.5
            }
            (Phase::Traffic, Action::Traffic { marker, hex }) => self.check_traffic(s, *marker, *hex),
            (_, Action::Done) => Ok(()),
            _ => refuse("-", "refuse.not_now"),
        }
    }

    fn check_move(&self, s: &State, side: Side, unit: UnitId, mode: Mode, path: &[HexId]) -> Legal {
        self.own(side, unit)?;
        let m = self.mover(s, unit, mode)?;
        if m.start.is_none() {
            let entry = self.entry_hexes(s, unit);
            if path.first().is_none_or(|h| !entry.contains(h)) {
                return refuse("19.3", "refuse.entry"); // 19.3
            }
        }
        self.check_path(s, &m, path).map(|_| ())
    }

    /// 19.5
    fn check_leave(&self, s: &State, side: Side, unit: UnitId) -> Result<u8, Refusal> {
        self.own(side, unit)?;
        self.mover(s, unit, Mode::Normal)?;
        let area = s.unit(unit).hex().and_then(|h| self.land.area_of(h));
        let german = |a: &u8| side == Side::German && self.land.areas[usize::from(*a)].side == Side::German;
        area.filter(german).map_or_else(|| refuse("19.5", "refuse.leave"), Ok) // 19.5
    }

    /// 19.6
    fn check_shift(&self, s: &State, side: Side, unit: UnitId, area: u8) -> Legal {
        self.own(side, unit)?;
        let Place::Box(here) = s.unit(unit).at() else { return refuse("19.6", "refuse.not_in_box") };
        let next = side == Side::German && self.land.areas[usize::from(here)].next.contains(&area);
        if !next || s.unit(unit).has(Marks::MOVED) {
            return refuse("19.6", "refuse.box"); // 19.6
        }
        Ok(())
    }

    /// 25.3 C
    fn check_reveal(&self, s: &State, side: Side, hex: HexId) -> Legal {
        let moved = self.units().any(|u| self.counter(u).side == Side::German && s.unit(u).has(Marks::MOVED));
        if side != Side::German || s.turn < 3 || moved || !s.unknown.contains(hex) {
            return refuse("25.3", "refuse.reveal"); // 25.3
        }
        Ok(())
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
        let side = side_of(who);
        match action {
            Action::Move { unit, mode, path } => {
                s.unit_mut(*unit).mark(Marks::MOVED, true);
                if *mode == Mode::Gun {
                    s.moved_markers[side.index()] -= 1; // 17.2
                    s.unit_mut(*unit).mark(Marks::GUN_MOVED, true);
                }
                s.frames.push(Frame::Moving { unit: *unit, mode: *mode, rest: path.clone() });
            }
            Action::Leave(unit) => {
                if let Ok(area) = self.check_leave(s, side, *unit) {
                    self.put(s, *unit, Place::Box(area));
                    s.unit_mut(*unit).mark(Marks::MOVED, true);
                    log.push(Event::Left { unit: *unit });
                }
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
                s.left -= 1;
                log.push(Event::Ready { unit: *unit });
            }
            Action::Replace(unit) => {
                s.left -= 1;
                let u = s.unit_mut(*unit);
                u.lost -= 1;
                u.mark(Marks::REPL, true);
                log.push(Event::Replaced { unit: *unit });
            }
            Action::Blow(bridge) => {
                if matches!(s.frame(), Frame::Demolition { .. }) {
                    s.frames.pop();
                }
                self.blow(s, *bridge, dice, log)?;
            }
            Action::Hold => {
                if let Some(Frame::Demolition { bridge, crossing }) = s.frames.pop()
                    && crossing
                {
                    self.set_bridge(s, bridge, Bridge::IntactAllied); // 5.4
                    log.push(Event::Bridge { bridge, to: Bridge::IntactAllied });
                }
            }
            Action::Wire(bridge) => {
                self.set_bridge(s, *bridge, Bridge::ToBeWired); // 5.3
                log.push(Event::Bridge { bridge: *bridge, to: Bridge::ToBeWired });
            }
            Action::Repair(bridge) => self.start_repair(s, side, *bridge, log)?,
            Action::Reveal(hex) => self.reveal(s, *hex, dice, log)?,
            Action::Attack { target, with, lead, attached } => {
                if let Some(lead) = lead {
                    self.declare(s, side, *target, with, *lead, *attached, dice, log)?;
                }
            }
            Action::Support { guns, air } => {
                if let Some(Frame::Combat(c)) = s.frames.last_mut() {
                    (c.guns, c.air) = (guns.clone(), *air);
                }
                self.roll_combat(s, dice, log)?;
            }
            Action::Lose(unit) => self.take_loss(s, *unit, dice, log),
            Action::Stand { lead, gun } => self.stand(s, *lead, *gun, dice, log)?,
            Action::GiveWay => {
                if let Some(Frame::Combat(c)) = s.frames.last().cloned() {
                    self.begin_retreat(s, *c);
                }
            }
            Action::Length(n) => {
                if let Some(Frame::Combat(c)) = s.frames.last().cloned() {
                    let mut c = *c;
                    c.length = *n;
                    self.begin_retreat(s, c);
                }
            }
            Action::Retreat { unit, path } => match s.frame() {
                Frame::Flight(_) => self.flee(s, *unit, path, log),
                _ => self.retreat_by(s, *unit, path, log),
            },
            Action::Advance { unit, path } => {
                s.unit_mut(*unit).mark(Marks::ADVANCED, true);
                s.frames.push(Frame::Advancing { unit: *unit, rest: path.clone() });
            }
            Action::Traffic { marker, hex } => {
                s.traffic[usize::from(*marker) - 1] = MarkerAt(*hex);
                log.push(Event::Traffic { marker: *marker, at: Some(*hex) });
            }
            Action::Done => match s.frame().clone() {
                Frame::Phase(side, phase) => self.end_phase(s, side, phase, dice, log)?,
                Frame::Combat(c) => match c.step {
                    CombatStep::Advance(_) => self.end_advance(s, *c),
                    _ => {
                        s.frames.pop();
                    }
                },
                _ => {}
            },
        }
        self.settle(s, dice, log)
    }

    fn start_repair(&self, s: &mut State, side: Side, bridge: u16, log: &mut Log<Event>) -> Result<(), Stop> {
        let left = self.check_repair(s, side, bridge)?;
        for hex in self.land.bridges[usize::from(bridge)].hexes {
            let columns: Vec<UnitId> =
                self.stack(s, side, hex).filter(|u| self.counter(*u).bridging).collect();
            for unit in columns {
                s.unit_mut(unit).mark(Marks::REPAIRS, true); // 5.8
            }
        }
        let to = Bridge::Repair(side, left);
        self.set_bridge(s, bridge, to);
        log.push(Event::Bridge { bridge, to });
        Ok(())
    }

    // What can be done

    pub fn list_subjects(&self, s: &State, who: Seat, out: &mut Vec<Subject>) {
        if self.awaited(s) != Some(who) {
            return;
        }
        let side = side_of(who);
        match s.frame() {
            Frame::Phase(_, phase) => {
                if self.check(s, who, &Action::Done).is_ok() {
                    out.push(Subject::Phase);
                }
                let bridges = 0..self.land.bridges.len() as u16;
                match phase {
                    Phase::Replacement | Phase::Artillery | Phase::Airlanding => {
                        let mut some = Vec::new();
                        for unit in self.units().filter(|u| self.counter(*u).side == side) {
                            some.clear();
                            self.list_options(s, who, Subject::Unit(unit), &mut some);
                            if !some.is_empty() {
                                out.push(Subject::Unit(unit));
                            }
                        }
                    }
                    Phase::Movement => {
                        let mine =
                            self.units().filter(|u| self.counter(*u).side == side && self.could_move(s, *u));
                        out.extend(mine.map(Subject::Unit));
                        if self.turn_for_revealing(s, side) {
                            out.extend(s.unknown.iter().map(Subject::Hex));
                        }
                    }
                    Phase::Bridge => {
                        let mut some = Vec::new();
                        for b in bridges {
                            some.clear();
                            self.list_options(s, who, Subject::Bridge(b), &mut some);
                            if !some.is_empty() {
                                out.push(Subject::Bridge(b));
                            }
                        }
                    }
                    Phase::Combat => out.extend(self.targets(s, side).into_iter().map(Subject::Hex)),
                    Phase::Traffic => {
                        let hexes = self.traffic_hexes(s);
                        let free = (1..=6)
                            .filter(|n| s.traffic[usize::from(*n) - 1].hex().is_none() && !hexes.is_empty());
                        out.extend(free.map(Subject::Marker));
                    }
                }
            }
            Frame::Flight(unit) => out.push(Subject::Unit(*unit)),
            Frame::Demolition { bridge, .. } => out.push(Subject::Bridge(*bridge)),
            Frame::Combat(c) => match c.step {
                CombatStep::Advance(kind) => {
                    out.push(Subject::Phase);
                    let able = c.attackers.iter().filter(|u| !self.advances(s, c, **u, kind).is_empty());
                    out.extend(able.map(|u| Subject::Unit(*u)));
                }
                CombatStep::Breakthrough => {
                    out.push(Subject::Phase);
                    out.extend(self.targets(s, side).into_iter().map(Subject::Hex));
                }
                CombatStep::StandLoss { .. } => out.extend(c.attackers.iter().map(|u| Subject::Unit(*u))),
                CombatStep::Retreat => out.extend(c.retreating.first().map(|u| Subject::Unit(*u))),
                CombatStep::AttackerLoss => {
                    out.extend(self.loss_candidates(s, c).into_iter().map(Subject::Unit));
                }
                CombatStep::DefenderLoss => {
                    out.extend(self.defenders(s, c.side.enemy(), c.target).into_iter().map(Subject::Unit));
                }
                _ => out.push(Subject::Phase),
            },
            _ => {}
        }
    }

    fn turn_for_revealing(&self, s: &State, side: Side) -> bool {
        s.unknown.iter().next().is_some_and(|hex| self.check_reveal(s, side, hex).is_ok())
    }

    /// Hexes in which a Traffic marker may be laid (24.4).
    pub fn traffic_hexes(&self, s: &State) -> Vec<HexId> {
        let net = self.by_road(s, Side::Allied, &self.source_hexes(s, Side::Allied));
        let Some(marker) = (1..=6u8).find(|n| s.traffic[usize::from(*n) - 1].hex().is_none()) else {
            return Vec::new();
        };
        net.iter().filter(|h| self.traffic_road(*h) && self.check_traffic(s, marker, *h).is_ok()).collect()
    }

    /// A first look: could this unit do anything in a Movement Phase?
    fn could_move(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        if !u.in_game() || u.has(Marks::MOVED) {
            return false;
        }
        let modes = Mode::ALL.into_iter().filter_map(|mode| self.mover(s, unit, mode).ok());
        for m in modes {
            match m.start {
                Some(hex) => {
                    let here = crate::movement::Stride::start(hex);
                    let step = |to: &HexId| {
                        self.step(s, &m, Some(here), *to).is_ok_and(|at| self.may_end(s, &m, &at).is_ok())
                    };
                    if self.land.topology.neighbours(hex).any(|to| step(&to)) {
                        return true;
                    }
                }
                None => {
                    let entries = self.entry_hexes(s, unit);
                    let step = |to: &HexId| {
                        self.step(s, &m, None, *to).is_ok_and(|at| self.may_end(s, &m, &at).is_ok())
                    };
                    if entries.iter().any(step) {
                        return true;
                    }
                }
            }
        }
        let side = self.counter(unit).side;
        match u.at() {
            Place::Box(here) => {
                let next = &self.land.areas[usize::from(here)].next;
                next.iter().any(|area| self.check_shift(s, side, unit, *area).is_ok())
            }
            Place::Holding => self.land.in_play.iter().any(|h| self.check_place(s, unit, h).is_ok()),
            _ => self.check_leave(s, side, unit).is_ok(),
        }
    }

    pub fn list_options(&self, s: &State, who: Seat, subject: Subject, out: &mut Vec<Action>) {
        if self.awaited(s) != Some(who) {
            return;
        }
        let side = side_of(who);
        let before = out.len();
        match (s.frame(), subject) {
            (Frame::Phase(..), Subject::Phase) => out.push(Action::Done),
            (Frame::Phase(_, Phase::Replacement), Subject::Unit(u)) => out.push(Action::Replace(u)),
            (Frame::Phase(_, Phase::Artillery), Subject::Unit(u)) => out.push(Action::Ready(u)),
            (Frame::Phase(_, Phase::Bridge), Subject::Bridge(b)) => {
                out.extend([Action::Blow(b), Action::Wire(b), Action::Repair(b)]);
            }
            (Frame::Phase(_, Phase::Airlanding), Subject::Unit(u)) => {
                out.push(Action::Resupply(u));
                if s.unit(u).at() == Place::Airlanding {
                    let hexes: Vec<HexId> =
                        if s.turn == 1 { self.first_hexes(u) } else { self.land.in_play.iter().collect() };
                    out.extend(hexes.into_iter().map(|hex| Action::Land { unit: u, hex }));
                }
            }
            (Frame::Phase(_, Phase::Movement), Subject::Hex(hex)) => out.push(Action::Reveal(hex)),
            (Frame::Phase(_, Phase::Movement), Subject::Unit(u)) if self.counter(u).side == side => {
                self.list_moves(s, side, u, out);
                return;
            }
            (Frame::Phase(_, Phase::Combat) | Frame::Combat(_), Subject::Hex(target)) => {
                if self.targets(s, side).contains(&target) {
                    out.push(Action::Attack { target, with: Vec::new(), lead: None, attached: None });
                }
                return;
            }
            (Frame::Phase(_, Phase::Traffic), Subject::Marker(marker)) => {
                out.extend(self.traffic_hexes(s).into_iter().map(|hex| Action::Traffic { marker, hex }));
            }
            (Frame::Demolition { bridge, .. }, Subject::Bridge(b)) if b == *bridge => {
                out.extend([Action::Blow(b), Action::Hold]);
            }
            (Frame::Flight(unit), Subject::Unit(u)) if u == *unit => {
                let routes = self.routes(s, u, 2);
                out.extend(routes.into_iter().map(|path| Action::Retreat { unit: u, path }));
            }
            (Frame::Combat(c), subject) => match (c.step, subject) {
                (CombatStep::Support, Subject::Phase) => {
                    let guns = self.guns(s, side, c.target, &c.attackers);
                    let air = side == Side::Allied && s.air > 0;
                    let most = usize::from(self.pack.tables.artillery.attack_guns);
                    let mut sets: Vec<Vec<UnitId>> = vec![Vec::new()];
                    sets.extend(guns.iter().map(|g| vec![*g]));
                    if most >= 2 {
                        for (i, a) in guns.iter().enumerate() {
                            sets.extend(guns[i + 1..].iter().map(|b| vec![*a, *b]));
                        }
                    }
                    for guns in sets {
                        out.push(Action::Support { guns: guns.clone(), air: false });
                        if air {
                            out.push(Action::Support { guns, air: true });
                        }
                    }
                }
                (
                    CombatStep::AttackerLoss | CombatStep::DefenderLoss | CombatStep::StandLoss { .. },
                    Subject::Unit(u),
                ) => {
                    out.push(Action::Lose(u));
                }
                (CombatStep::Stand, Subject::Phase) => {
                    out.push(Action::GiveWay);
                    let units = self.defenders(s, side, c.target);
                    let guns = self.guns(s, side, c.target, &units);
                    for lead in self.may_stand(s, c) {
                        out.push(Action::Stand { lead, gun: None });
                        out.extend(guns.iter().map(|g| Action::Stand { lead, gun: Some(*g) }));
                    }
                }
                (CombatStep::Length, Subject::Phase) => out.extend([Action::Length(2), Action::Length(3)]),
                (CombatStep::Retreat, Subject::Unit(u)) => {
                    let routes = self.routes(s, u, c.length);
                    out.extend(routes.into_iter().map(|path| Action::Retreat { unit: u, path }));
                }
                (CombatStep::Advance(kind), Subject::Unit(u)) => {
                    let ways = self.advances(s, c, u, kind);
                    out.extend(ways.into_iter().map(|path| Action::Advance { unit: u, path }));
                }
                (CombatStep::Advance(_) | CombatStep::Breakthrough, Subject::Phase) => out.push(Action::Done),
                _ => {}
            },
            _ => {}
        }
        let mut kept = before;
        for i in before..out.len() {
            if self.check(s, who, &out[i]).is_ok() {
                out.swap(kept, i);
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    fn list_moves(&self, s: &State, side: Side, unit: UnitId, out: &mut Vec<Action>) {
        let starts = self.entry_hexes(s, unit);
        for mode in Mode::ALL {
            let Ok(m) = self.mover(s, unit, mode) else { continue };
            if m.start.is_none() && starts.is_empty() {
                continue;
            }
            self.reach(s, &m, &starts, |_, path, _| {
                out.push(Action::Move { unit, mode, path: path.to_vec() });
            });
        }
        if self.check_leave(s, side, unit).is_ok() {
            out.push(Action::Leave(unit));
        }
        if let Place::Box(here) = s.unit(unit).at() {
            for area in self.land.areas[usize::from(here)].next.clone() {
                if self.check_shift(s, side, unit, area).is_ok() {
                    out.push(Action::Shift { unit, area });
                }
            }
        }
        if s.unit(unit).at() == Place::Holding && side == Side::Allied {
            let hexes = self.land.in_play.iter().filter(|h| self.check_place(s, unit, *h).is_ok());
            out.extend(hexes.map(|hex| Action::Place { unit, hex }));
        }
    }
}
