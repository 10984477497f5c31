//! What can be done: subjects and options of whoever decides.

use hexgrid::{Direction, HexId, HexSet};
use kernel::Seat;
use zocbond::{Piece, UnitId};

use crate::action::{Action, Subject};
use crate::event::side_of;
use crate::frame::{CombatStep, Frame, Mode, Phase};
use crate::movement::Stride;
use crate::options::Switch;
use crate::pack::Side;
use crate::state::{Marks, Place, State, Units, Way};
use crate::world::Holland;

impl Holland {
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
                    Phase::Airlanding => {
                        let mine = self.units().filter(|u| self.counter(*u).side == side);
                        out.extend(mine.filter(|u| self.could_land(s, *u)).map(Subject::Unit));
                    }
                    Phase::Replacement => {
                        let mut roads = None;
                        for unit in self.units().filter(|u| self.counter(*u).side == side) {
                            let mut returns = || {
                                let roads = roads.get_or_insert_with(|| self.source_roads(s, side));
                                self.return_places(s, side, unit, roads).next().is_some()
                            };
                            if self.may_replace(s, side, unit).is_ok()
                                || self.could_return(s, side, unit) && returns()
                            {
                                out.push(Subject::Unit(unit));
                            }
                        }
                    }
                    Phase::Artillery => {
                        let mine = self.units().filter(|u| self.may_ready(s, side, *u).is_ok());
                        out.extend(mine.map(Subject::Unit));
                    }
                    Phase::Weather | Phase::Recovery | Phase::Supply => {}
                    Phase::Movement => {
                        self.each_able(s, side, |unit| {
                            out.push(Subject::Unit(unit));
                            true
                        });
                        if self.turn_for_revealing(s, side) {
                            out.extend(s.unknown.iter().map(Subject::Hex));
                        }
                    }
                    Phase::Bridge => {
                        let mut some = Vec::new();
                        if side == Side::Allied {
                            let engineers = self.units().filter(|u| {
                                self.counter(*u).side == side
                                    && self.counter(*u).engineer
                                    && s.unit(*u).hex().is_some()
                            });
                            for unit in engineers {
                                some.clear();
                                self.list_options(s, who, Subject::Unit(unit), &mut some);
                                if !some.is_empty() {
                                    out.push(Subject::Unit(unit));
                                }
                            }
                        }
                        for b in bridges {
                            some.clear();
                            self.list_options(s, who, Subject::Bridge(b), &mut some);
                            if !some.is_empty() {
                                out.push(Subject::Bridge(b));
                            }
                        }
                    }
                    Phase::Combat => {
                        out.extend(self.targets(s, side).into_iter().map(Subject::Hex));
                        if self.on(Switch::Disengagement) {
                            let able = self.units().filter(|u| self.check_disengage(s, side, &[*u]).is_ok());
                            out.extend(able.map(Subject::Unit));
                        }
                    }
                    Phase::Traffic => {
                        let hexes = self.traffic_hexes(s);
                        let free = (1..=6)
                            .filter(|n| s.traffic[usize::from(*n) - 1].hex().is_none() && !hexes.is_empty());
                        out.extend(free.map(Subject::Marker));
                    }
                }
            }
            Frame::Flight(units) => out.extend(units.iter().map(|u| Subject::Unit(*u))),
            Frame::Withdrawal(units) => out.extend(units.iter().map(|u| Subject::Unit(*u))),
            Frame::Halted { party, .. } => out.push(Subject::Unit(party.units[0])),
            Frame::Demolition { bridge, others, .. } => {
                out.extend(std::iter::once(bridge).chain(others).map(|b| Subject::Bridge(*b)));
            }
            Frame::Combat(c) => match c.step {
                CombatStep::Advance(kind) => {
                    out.push(Subject::Phase);
                    let able = c.attackers.iter().filter(|u| self.could_advance(s, c, **u, kind));
                    out.extend(able.map(|u| Subject::Unit(*u)));
                }
                CombatStep::Breakthrough => {
                    out.push(Subject::Phase);
                    out.extend(self.targets(s, side).into_iter().map(Subject::Hex));
                }
                CombatStep::StandLoss { .. } => out.extend(c.attackers.iter().map(|u| Subject::Unit(*u))),
                CombatStep::Retreat => out.extend(c.retreating.iter().map(|u| Subject::Unit(*u))),
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

    /// Is there anything to do in a Movement Phase but to end it?
    pub fn anybody_moves(&self, s: &State, side: Side) -> bool {
        let mut any = false;
        self.each_able(s, side, |_| {
            any = true;
            false
        });
        if any || self.turn_for_revealing(s, side) {
            return true;
        }
        // 9.6: whoever stands beside the enemy may announce an attack.
        if !s.field.held(side).is_disjoint(s.field.near(side.enemy())) {
            return true;
        }
        // Actions that a unit may take without moving.
        let mut some = Vec::new();
        s.field.in_game(side).iter().any(|unit| {
            self.list_moves(s, side, unit, &mut some);
            !some.is_empty()
        })
    }

    fn turn_for_revealing(&self, s: &State, side: Side) -> bool {
        s.unknown.iter().next().is_some_and(|hex| self.check_reveal(s, side, hex).is_ok())
    }

    /// Hexes in which a Traffic marker may be laid (24.4).
    pub fn traffic_hexes(&self, s: &State) -> Vec<HexId> {
        if s.traffic.iter().all(|t| t.hex().is_some()) {
            return Vec::new();
        }
        // `traffic_fits` for all hexes at once.
        let mut near = *s.field.held(Side::German);
        for _ in 1..self.pack.tables.traffic.distance_from_german {
            near = self.and_around(&near);
        }
        let markers: HexSet = s.traffic.iter().filter_map(|t| t.hex()).collect();
        let mut free = &self.source_roads(s, Side::Allied) - &near;
        free.subtract(&self.and_around(&markers));
        free.intersect_with(&self.land.traffic_roads);
        debug_assert!(
            self.source_roads(s, Side::Allied)
                .iter()
                .all(|hex| { free.contains(hex) == self.traffic_fits(s, hex).is_ok() })
        );
        free.iter().collect()
    }

    /// A set of hexes with their neighbours.
    pub fn and_around(&self, hexes: &HexSet) -> HexSet {
        let mut wider = *hexes;
        hexes.each(|hex| wider.extend(self.land.topology.neighbours(hex)));
        wider
    }

    /// Whether this unit could do anything in an Airlanding Phase.
    fn could_land(&self, s: &State, unit: UnitId) -> bool {
        self.check_resupply(s, unit).is_ok()
            || self.check_refit(s, &[unit]).is_ok()
            || s.unit(unit).at() == Place::Airlanding
                && self.landing_hexes(s, unit).iter().any(|hex| self.check_land(s, unit, hex).is_ok())
    }

    /// A quick test: whether this unit could do anything in a Movement Phase.
    pub fn could_move(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        if !u.in_game() || u.has(Marks::MOVED) {
            return false;
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
                    let step = |to: &HexId| {
                        self.step(s, &m, None, *to).is_ok_and(|at| self.may_end(s, &m, &at).is_ok())
                    };
                    if entries.iter().any(step) {
                        return true;
                    }
                }
            }
        }
        match u.at() {
            Place::Box(_) => false,
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
            (Frame::Phase(_, Phase::Replacement), Subject::Unit(u)) => {
                if self.counter(u).side == side && self.may_replace(s, side, u).is_ok() {
                    out.push(Action::Replace(u));
                }
                if self.could_return(s, side, u) {
                    let roads = self.source_roads(s, side);
                    let places = self.return_places(s, side, u, &roads);
                    out.extend(places.map(|to| Action::Return { unit: u, to }));
                }
                return;
            }
            (Frame::Phase(_, Phase::Bridge), Subject::Unit(u)) => {
                out.push(Action::Pack(u));
                if let Some(hex) = s.unit(u).hex() {
                    let near = Direction::ALL
                        .into_iter()
                        .filter(|d| self.land.topology.neighbour(hex, *d).is_some());
                    out.extend(near.map(|d| Action::Ferry { unit: u, side: self.map.board.side(hex, d) }));
                }
            }
            (Frame::Phase(_, Phase::Combat), Subject::Unit(u)) => {
                out.extend([Action::Disengage(vec![u]), Action::Breakdown(u)]);
            }
            (Frame::Halted { party, mode }, Subject::Unit(u)) if u == party.units[0] => {
                out.push(Action::Halt);
                let (mode, mut also) = (*mode, party.units);
                also.retain(|other| other != u);
                if let (Ok(m), Some(at)) = (self.going_on(s, u, mode), party.at) {
                    let from = Stride { spent: party.spent[0], ..at };
                    self.reach_on(s, &m, from, |_, path, _| {
                        out.push(Action::Move { unit: u, also, mode, path: path.iter().copied().collect() });
                    });
                }
            }
            (Frame::Withdrawal(units), Subject::Unit(u)) if units.contains(u) => {
                let ways = self.withdrawals(s, u);
                out.extend(ways.into_iter().map(|path| Action::Withdraw { unit: u, path }));
            }
            (Frame::Phase(_, Phase::Artillery), Subject::Unit(u)) => out.push(Action::Ready(u)),
            (Frame::Phase(_, Phase::Bridge), Subject::Bridge(b)) => {
                out.extend([Action::Blow(b), Action::Wire(b), Action::Repair(b)]);
            }
            (Frame::Phase(_, Phase::Airlanding), Subject::Unit(u)) => {
                out.push(Action::Resupply(u));
                if self.check_refit(s, &[u]).is_ok() {
                    out.push(Action::Refit(vec![u]));
                    let others = self.units().filter(|o| o.0 > u.0 && self.check_refit(s, &[u, *o]).is_ok());
                    out.extend(others.map(|o| Action::Refit(vec![u, o])));
                }
                if s.unit(u).at() == Place::Airlanding {
                    let hexes = self.landing_hexes(s, u);
                    out.extend(hexes.iter().map(|hex| Action::Land { unit: u, hex }));
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
                let free =
                    s.traffic.get(usize::from(marker).wrapping_sub(1)).is_some_and(|t| t.hex().is_none());
                if free {
                    out.extend(self.traffic_hexes(s).into_iter().map(|hex| Action::Traffic { marker, hex }));
                }
                return;
            }
            (Frame::Demolition { bridge, .. }, Subject::Bridge(b)) => {
                out.extend([Action::Blow(b), if b == *bridge { Action::Hold } else { Action::HoldAt(b) }]);
            }
            (Frame::Flight(units), Subject::Unit(u)) if units.contains(u) => {
                let routes = self.routes(s, u, 2);
                out.extend(routes.into_iter().map(|path| Action::Retreat { unit: u, path }));
                let exits = self.exits(s, u, 2).into_iter();
                out.extend(exits.map(|(path, _)| Action::RetreatOut { unit: u, path }));
            }
            (Frame::Combat(c), subject) => match (c.step, subject) {
                (CombatStep::CallOff, Subject::Phase) => out.extend([Action::GoOn, Action::CallOff]),
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
                    let exits = self.exits(s, u, c.length).into_iter();
                    out.extend(exits.map(|(path, _)| Action::RetreatOut { unit: u, path }));
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
        self.reach_by_mode(s, unit, &starts, |mode, _, path, _| {
            out.push(Action::Move { unit, also: Units::new(), mode, path: Way::of(path) });
        });
        if self.check_leave(s, side, unit).is_ok() {
            out.push(Action::Leave(unit));
        }
        for action in [Action::Dismount(unit), Action::Mount(unit), Action::Breakdown(unit)] {
            if self.check_in_phase(s, side, Phase::Movement, &action).is_ok() {
                out.push(action);
            }
        }
        if let Some(hex) = s.unit(unit).hex() {
            for with in self.stack(s, side, hex).filter(|u| *u != unit) {
                if self.check_rebuild(s, side, unit, with).is_ok() {
                    out.push(Action::Rebuild { unit, with });
                }
                if self.check_merge(s, side, unit, with).is_ok() {
                    out.push(Action::Merge { unit, with });
                }
            }
        }
        if let Place::Box(here) = s.unit(unit).at() {
            for area in self.land.areas[usize::from(here)].next.iter().copied() {
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
