//! What can be done: subjects and options of whoever decides.

use hexgrid::{HexId, HexSet};
use kernel::Seat;
use zocbond::{Piece, UnitId};

use crate::action::{Action, Subject};
use crate::event::side_of;
use crate::frame::{CombatStep, Frame, Mode, Phase};
use crate::land::around;
use crate::movement::Stride;
use crate::options::Switch;
use crate::pack::Side;
use crate::state::{Fighters, Marks, Place, State, Units, Way};
use crate::world::Holland;

impl Holland {
    pub fn list_subjects(&self, s: &State, who: Seat, out: &mut Vec<Subject>) {
        if self.awaited(s) != Some(who) {
            return;
        }
        let side = side_of(who);
        match s.frame() {
            Frame::Phase(_, phase) => {
                if self.phase_acts(s, who) {
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
                        out.extend(self.able(s, side).iter().map(Subject::Unit));
                        if self.turn_for_revealing(s, side) {
                            out.extend(s.unknown.iter().map(Subject::Hex));
                        }
                    }
                    Phase::Bridge => {
                        let legal = |action: Action| self.check(s, who, &action).is_ok();
                        if side == Side::Allied {
                            let engineers =
                                s.field.in_game(side).iter().filter(|u| {
                                    self.counter(*u).engineer && self.ferry_deeds(s, *u).any(legal)
                                });
                            out.extend(engineers.map(Subject::Unit));
                        }
                        let able = bridges.filter(|b| bridge_deeds(*b).into_iter().any(legal));
                        out.extend(able.map(Subject::Bridge));
                    }
                    Phase::Combat => {
                        self.each_target(s, side, |hex| {
                            out.push(Subject::Hex(hex));
                            true
                        });
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
                    self.each_target(s, side, |hex| {
                        out.push(Subject::Hex(hex));
                        true
                    });
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

    /// One of the subjects by its number: in a Movement Phase without a list of them.
    pub fn pick_subject(
        &self,
        s: &State,
        who: Seat,
        out: &mut Vec<Subject>,
        choose: impl FnOnce(usize) -> usize,
    ) -> Option<Subject> {
        if !matches!(s.frame(), Frame::Phase(_, Phase::Movement)) || self.awaited(s) != Some(who) {
            self.list_subjects(s, who, out);
            return kernel::rules::chosen(out, choose);
        }
        let side = side_of(who);
        let done = usize::from(self.phase_acts(s, who));
        let able = self.able(s, side);
        let hexes = if self.turn_for_revealing(s, side) { s.unknown } else { HexSet::EMPTY };
        let count = done + able.len() + hexes.len();
        let n = if count > 0 { choose(count) } else { return None };
        let units = able.iter().map(Subject::Unit);
        let subject = match n.checked_sub(done) {
            None => Some(Subject::Phase),
            Some(n) if n < able.len() => units.into_iter().nth(n),
            Some(n) => hexes.iter().map(Subject::Hex).nth(n - able.len()),
        };
        debug_assert!({
            let mut list = Vec::new();
            self.list_subjects(s, who, &mut list);
            list.len() == count && list.get(n).copied() == subject
        });
        subject
    }

    /// May the phase be ended, or something else done that is no unit's affair?
    fn phase_acts(&self, s: &State, who: Seat) -> bool {
        PHASE_DEEDS.iter().any(|action| self.check(s, who, action).is_ok())
    }

    /// Is there anything to do in a Movement Phase but to end it?
    pub fn anybody_moves(&self, s: &State, side: Side) -> bool {
        if !self.able(s, side).is_empty()
            || self.check_look(s, side).is_ok()
            || self.turn_for_revealing(s, side)
        {
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

    /// What an Engineer might do in a Bridge Phase (23.3.3).
    fn ferry_deeds(&self, s: &State, unit: UnitId) -> impl Iterator<Item = Action> + '_ {
        let hex = s.unit(unit).hex();
        let sides = hex.into_iter().flat_map(move |hex| {
            around(&self.land.topology, hex).map(move |(d, _)| self.map.board.side(hex, d))
        });
        let ferries = sides.map(move |side| Action::Ferry { unit, side });
        hex.map(|_| Action::Pack(unit)).into_iter().chain(ferries)
    }

    /// Hexes in which a Traffic marker may be laid (24.4).
    pub fn traffic_hexes(&self, s: &State) -> HexSet {
        if s.traffic.iter().all(|t| t.hex().is_some()) {
            return HexSet::EMPTY;
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
        free
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
            Place::Holding => self.places_of(s, unit).next().is_some(),
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
            (Frame::Phase(..), Subject::Phase) => out.extend(PHASE_DEEDS),
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
                out.extend(self.ferry_deeds(s, u));
            }
            (Frame::Phase(_, Phase::Combat), Subject::Unit(u)) => {
                out.extend([Action::Disengage(Units::one(u)), Action::Breakdown(u)]);
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
                self.each_withdrawal(s, u, |path| out.push(Action::Withdraw { unit: u, path }));
                return self.assert_legal(s, who, &out[before..]);
            }
            (Frame::Phase(_, Phase::Artillery), Subject::Unit(u)) => out.push(Action::Ready(u)),
            (Frame::Phase(_, Phase::Bridge), Subject::Bridge(b)) => {
                out.extend(bridge_deeds(b));
            }
            (Frame::Phase(_, Phase::Airlanding), Subject::Unit(u)) => {
                out.push(Action::Resupply(u));
                if self.check_refit(s, &[u]).is_ok() {
                    out.push(Action::Refit(Units::one(u)));
                    let others = self.units().filter(|o| o.0 > u.0 && self.check_refit(s, &[u, *o]).is_ok());
                    out.extend(others.map(|o| Action::Refit(Units::of(&[u, o]))));
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
                if self.is_target(s, side, target) {
                    out.push(Action::Attack { target, with: Fighters::new(), lead: None, attached: None });
                }
                return;
            }
            (Frame::Phase(_, Phase::Traffic), Subject::Marker(marker)) => {
                let free =
                    s.traffic.get(usize::from(marker).wrapping_sub(1)).is_some_and(|t| t.hex().is_none());
                if free {
                    out.extend(self.traffic_hexes(s).iter().map(|hex| Action::Traffic { marker, hex }));
                }
                return;
            }
            (Frame::Demolition { bridge, .. }, Subject::Bridge(b)) => {
                out.extend([Action::Blow(b), if b == *bridge { Action::Hold } else { Action::HoldAt(b) }]);
            }
            (Frame::Flight(units), Subject::Unit(u)) if units.contains(u) => {
                self.list_retreats(s, u, 2, out);
                return self.assert_legal(s, who, &out[before..]);
            }
            (Frame::Combat(c), subject) => match (c.step, subject) {
                (CombatStep::CallOff, Subject::Phase) => out.extend([Action::GoOn, Action::CallOff]),
                (CombatStep::Support, Subject::Phase) => {
                    let guns = self.guns(s, side, c.target, &c.attackers);
                    let air = side == Side::Allied && s.air > 0;
                    let most = usize::from(self.pack.tables.artillery.attack_guns);
                    let mut list = |guns: Units| {
                        out.push(Action::Support { guns, air: false });
                        if air {
                            out.push(Action::Support { guns, air: true });
                        }
                    };
                    list(Units::new());
                    if most >= 1 {
                        guns.iter().for_each(|gun| list(Units::one(*gun)));
                    }
                    for (i, a) in guns.iter().enumerate().filter(|_| most >= 2) {
                        guns[i + 1..].iter().for_each(|b| list(Units::of(&[*a, *b])));
                    }
                    return self.assert_legal(s, who, &out[before..]);
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
                    return self.assert_legal(s, who, &out[before..]);
                }
                (CombatStep::Length, Subject::Phase) => out.extend([Action::Length(2), Action::Length(3)]),
                (CombatStep::Retreat, Subject::Unit(u)) if c.retreating.contains(u) => {
                    self.list_retreats(s, u, c.length, out);
                    return self.assert_legal(s, who, &out[before..]);
                }
                (CombatStep::Advance(kind), Subject::Unit(u)) if self.counter(u).side == side => {
                    self.each_advance(s, c, u, kind, |path| {
                        out.push(Action::Advance { unit: u, path });
                        true
                    });
                    return self.assert_legal(s, who, &out[before..]);
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

    fn list_retreats(&self, s: &State, unit: UnitId, length: u8, out: &mut Vec<Action>) {
        self.with_routes(s, unit, length, |routes| {
            out.extend(routes.iter().map(|path| Action::Retreat { unit, path: *path }));
        });
        self.each_exit(s, unit, length, |path, _| out.push(Action::RetreatOut { unit, path }));
    }

    /// What the rule itself lists need not be checked one by one; debug builds do.
    fn assert_legal(&self, s: &State, who: Seat, listed: &[Action]) {
        debug_assert!(listed.iter().all(|action| self.check(s, who, action).is_ok()));
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
            out.extend(self.places_of(s, unit).map(|hex| Action::Place { unit, hex }));
        }
    }
}

/// What is done in a phase by no unit.
const PHASE_DEEDS: [Action; 2] = [Action::Done, Action::Look];

/// What might be done with a bridge in a Bridge Phase.
fn bridge_deeds(bridge: u16) -> [Action; 3] {
    [Action::Blow(bridge), Action::Wire(bridge), Action::Repair(bridge)]
}
