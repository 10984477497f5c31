//! Combat (9 to 16): declaring, the steps of a combat and its results.

pub mod advance;
pub mod retreat;
pub mod sheet;

use hexgrid::HexId;
use kernel::{Dice, Log, Stop};
use zocbond::{Piece, UnitId};

use crate::event::{Event, seat};
use crate::frame::{Combat, CombatStep, Frame, Phase};
use crate::land::{Water, around};
use crate::movement::{Legal, refuse};
use crate::pack::{Advance, Chooser, Disorder, Morale, Side};
use crate::state::{Bridge, Marks, Order, Place, State};
use crate::world::Holland;

impl Holland {
    /// 9.3, 9.5: may this unit attack that hex?
    pub fn may_attack(&self, s: &State, unit: UnitId, target: HexId) -> Legal {
        let c = self.counter(unit);
        let u = s.unit(unit);
        let Some(from) = u.hex() else { return refuse("9.1", "refuse.not_on_map") };
        let on_target = from == target && u.has(Marks::ON_ENEMY);
        let d = self.land.topology.direction(from, target);
        if d.is_none() && !on_target {
            return refuse("9.1", "refuse.not_adjacent"); // 9.1
        }
        if u.has(Marks::ON_ENEMY) && !on_target {
            return refuse("22.3.5", "refuse.on_enemy"); // 22.3.5
        }
        if u.has(Marks::ATTACKED) {
            return refuse("9.1", "refuse.attacked"); // 9.1
        }
        if !u.good_order() {
            return refuse("14.2", "refuse.disordered"); // 14.2
        }
        if c.categories.artillery {
            return refuse("17.7", "refuse.gun_attack"); // 17.7
        }
        if c.categories.train {
            return refuse("2.4.7", "refuse.train"); // 2.4.7
        }
        if u.has(Marks::REPL) {
            return refuse("20.4", "refuse.repl"); // 20.4
        }
        if let Some(d) = d.filter(|_| !on_target) {
            let row = self.side_toward(from, d);
            let great =
                matches!(row.water, Water::MajorRiver | Water::Lake) && !self.bridged(&s.field, from, d);
            // 9.5.3: an Engineer in the hex from which the units attack, which have not moved
            let engineer = self
                .stack(s, c.side, from)
                .any(|e| self.counter(e).engineer && s.unit(e).good_order() && !s.unit(e).has(Marks::MOVED));
            if great && (!engineer || u.has(Marks::MOVED)) {
                return refuse("9.5.3", "refuse.river_assault"); // 9.5.3
            }
        }
        Ok(())
    }

    /// Who may attack a hex now.
    pub fn attackers(&self, s: &State, side: Side, target: HexId) -> Vec<UnitId> {
        let group = breakthrough_group(s);
        let hexes = std::iter::once(target).chain(around(&self.land.topology, target).map(|(_, h)| h));
        hexes
            .flat_map(|hex| self.stack(s, side, hex).collect::<Vec<_>>())
            .filter(|u| group.as_ref().is_none_or(|(hex, _)| s.unit(*u).hex() == Some(*hex)))
            .filter(|u| self.may_attack(s, *u, target).is_ok() && self.face(s, *u).attack > 0)
            .collect()
    }

    /// Hexes that a side may attack now.
    pub fn targets(&self, s: &State, side: Side) -> Vec<HexId> {
        let enemy = side.enemy();
        let mut out: Vec<HexId> = s.field.held(enemy).iter().collect();
        if side == Side::Allied {
            out.extend(s.unknown.iter().filter(|h| !s.field.held(enemy).contains(*h)));
        }
        let again = breakthrough_group(s).is_some();
        out.retain(|hex| {
            self.land.in_play.contains(*hex)
                && (again || !s.attacked.contains(*hex))
                && (s.field.near(side).contains(*hex) || s.field.held(side).contains(*hex))
                && !self.attackers(s, side, *hex).is_empty()
        });
        out
    }

    /// An attack as declared (9.4 step 1).
    pub fn check_attack(
        &self,
        s: &State,
        side: Side,
        target: HexId,
        with: &[UnitId],
        lead: UnitId,
        attached: Option<UnitId>,
    ) -> Legal {
        let again = breakthrough_group(s).is_some();
        if s.attacked.contains(target) && !again {
            return refuse("9.1", "refuse.hex_attacked"); // 9.1
        }
        let enemy =
            s.field.held(side.enemy()).contains(target) || side == Side::Allied && s.unknown.contains(target);
        if !enemy {
            return refuse("9.1", "refuse.nobody_there"); // 9.1
        }
        let may = self.attackers(s, side, target);
        for (i, unit) in with.iter().enumerate() {
            if with[..i].contains(unit) {
                return refuse("9.2", "refuse.twice"); // 9.2
            }
            if self.counters.get(unit.index()).is_none_or(|c| c.side != side) {
                return refuse("9.1", "refuse.not_yours");
            }
            self.may_attack(s, *unit, target)?;
            if !may.contains(unit) {
                return refuse("9.3", "refuse.cannot_attack"); // 9.3
            }
        }
        if with.is_empty() || !with.contains(&lead) {
            return refuse("10.2", "refuse.no_lead"); // 10.2
        }
        // 10.2: not a Support unit unless there is no other of its formation
        let formation = self.formation(s, lead);
        let other = with.iter().any(|u| self.formation(s, *u) == formation && !self.counter(*u).support);
        if self.counter(lead).support && other {
            return refuse("10.2", "refuse.support_lead"); // 10.2
        }
        if attached.is_some_and(|a| !with.contains(&a) || self.formation(s, a) == formation) {
            return refuse("10.2", "refuse.attached"); // 10.2
        }
        Ok(())
    }

    /// Guns that may support a combat of `side` at `target` (17.4 to 17.6).
    pub fn guns(&self, s: &State, side: Side, target: HexId, fighting: &[UnitId]) -> Vec<UnitId> {
        self.units()
            .filter(|gun| {
                let c = self.counter(*gun);
                let u = s.unit(*gun);
                let Some(hex) = u.hex() else { return false };
                let for_whom = match (side, c.airborne) {
                    (Side::German, _) | (_, true) => fighting.iter().any(|f| {
                        let formation = self.formation(s, *f);
                        formation == c.formation || Some(formation) == c.also // 17.5, 23.8
                    }),
                    _ => true,
                };
                c.side == side
                    && c.categories.artillery
                    && !u.has(Marks::FIRED)
                    && !u.has(Marks::GUN_MOVED)
                    && !u.has(Marks::ENGAGED)
                    && u.good_order()
                    && hex != target // 17.7
                    && self.map.board.distance(hex, target) <= u32::from(c.range) // 17.4
                    && for_whom
            })
            .collect()
    }

    /// One automatic step of the combat on top; false if somebody must decide.
    pub fn fight(&self, s: &mut State, dice: &mut Dice, log: &mut Log<Event>) -> Result<bool, Stop> {
        let Some(Frame::Combat(c)) = s.frames.last().cloned() else { return Ok(false) };
        let mut c = *c;
        let set = |s: &mut State, c: Combat| {
            if let Some(frame) = s.frames.last_mut() {
                *frame = Frame::Combat(Box::new(c));
            }
        };
        c.attackers.retain(|u| s.unit(*u).hex().is_some());
        match c.step {
            CombatStep::Bridges => {
                if c.side == Side::Allied
                    && let Some(bridge) = self.wired_crossing(s, &c)
                {
                    set(s, c);
                    s.frames.push(Frame::Demolition { bridge, crossing: true }); // 5.4
                    return Ok(true);
                }
                c.step = CombatStep::Support;
                let cannot = c.attackers.iter().any(|u| self.may_attack(s, *u, c.target).is_err());
                if cannot {
                    c.step = CombatStep::CallOff;
                }
                set(s, c);
                Ok(true)
            }
            CombatStep::CallOff => {
                // 9.4 step 2: those who can no longer attack stay out; the attack goes on with the others, or not at all
                let target = c.target;
                c.attackers.retain(|u| self.may_attack(s, *u, target).is_ok());
                if c.attackers.contains(&c.lead) {
                    c.step = CombatStep::Support;
                    set(s, c);
                } else {
                    log.push(Event::CalledOff { target });
                    s.frames.pop();
                }
                Ok(true)
            }
            CombatStep::AttackerLoss => {
                let effect = &self.pack.results[usize::from(c.result.unwrap_or(0))];
                if effect.attacker_steps == 0 || c.attackers.is_empty() {
                    c.step = CombatStep::DefenderLoss;
                    set(s, c);
                    return Ok(true);
                }
                let candidates = self.loss_candidates(s, &c);
                if let [only] = candidates[..] {
                    self.take_loss(s, only, dice, log);
                    return Ok(true);
                }
                set(s, c);
                Ok(false)
            }
            CombatStep::DefenderLoss => {
                let effect = &self.pack.results[usize::from(c.result.unwrap_or(0))];
                let defenders = self.defenders(s, c.side.enemy(), c.target);
                if effect.defender_steps == 0 || defenders.is_empty() {
                    self.after_losses(s, c, log);
                    return Ok(true);
                }
                if let [only] = defenders[..] {
                    set(s, c);
                    self.take_loss(s, only, dice, log);
                    return Ok(true);
                }
                set(s, c);
                Ok(false)
            }
            CombatStep::Stand => {
                if self.may_stand(s, &c).is_empty() {
                    self.begin_retreat(s, c);
                    return Ok(true);
                }
                set(s, c);
                Ok(false)
            }
            CombatStep::Retreat => {
                c.retreating.retain(|u| s.unit(*u).hex() == Some(c.target));
                let Some(unit) = c.retreating.first().copied() else {
                    self.end_of_retreat(s, c, log);
                    return Ok(true);
                };
                let train = self.counter(unit).categories.train && c.retreating.len() == 1; // 2.4.7
                let broken = s.unit(unit).order == Order::FullRetreat; // 14.3
                let again = s.unit(unit).has(Marks::RETREATED)
                    && c.retreating.iter().any(|u| !s.unit(*u).has(Marks::RETREATED)); // 13.6
                let routes =
                    if train || broken || again { Vec::new() } else { self.routes(s, unit, c.length) };
                if routes.is_empty() {
                    set(s, c);
                    self.eliminate(s, unit, log); // 13.3
                    return Ok(true);
                }
                set(s, c);
                Ok(false)
            }
            CombatStep::Advance(kind) => {
                let any = c.attackers.iter().any(|u| !self.advances(s, &c, *u, kind).is_empty());
                if any {
                    set(s, c);
                    return Ok(false);
                }
                self.end_advance(s, c);
                Ok(true)
            }
            CombatStep::Breakthrough => {
                let side = c.side;
                set(s, c);
                if self.targets(s, side).is_empty() {
                    s.frames.pop();
                    return Ok(true);
                }
                Ok(false)
            }
            CombatStep::Support => {
                let may = self.guns(s, c.side, c.target, &c.attackers);
                if may.is_empty() && !(c.side == Side::Allied && s.air > 0) {
                    set(s, c);
                    self.roll_combat(s, dice, log)?;
                    return Ok(true);
                }
                set(s, c);
                Ok(false)
            }
            CombatStep::StandLoss { .. } => {
                if let [only] = c.attackers[..] {
                    set(s, c);
                    self.take_loss(s, only, dice, log);
                    return Ok(true);
                }
                set(s, c);
                Ok(false)
            }
            CombatStep::Length => {
                set(s, c);
                Ok(false)
            }
        }
    }

    /// A Wired bridge that an attacker attacks across (5.4).
    fn wired_crossing(&self, s: &State, c: &Combat) -> Option<u16> {
        c.attackers.iter().find_map(|u| {
            let from = s.unit(*u).hex()?;
            let d = self.land.topology.direction(from, c.target)?;
            self.side_toward(from, d).bridge.filter(|b| self.may_blow_now(s, *b))
        })
    }

    /// 11.3: who may lose the attacker's step.
    pub fn loss_candidates(&self, s: &State, c: &Combat) -> Vec<UnitId> {
        let effect = &self.pack.results[usize::from(c.result.unwrap_or(0))];
        let alive: Vec<UnitId> = c.attackers.iter().copied().filter(|u| s.unit(*u).hex().is_some()).collect();
        // 10.2: the Lead Unit takes it if it gave a Morale Shift
        if effect.chooser == Chooser::Owner && c.morale_shift && alive.contains(&c.lead) {
            return vec![c.lead];
        }
        alive
    }

    /// The step asked for by the combat on top is lost by this unit.
    pub fn take_loss(&self, s: &mut State, unit: UnitId, _dice: &mut Dice, log: &mut Log<Event>) {
        let Some(Frame::Combat(c)) = s.frames.last().cloned() else { return };
        let mut c = *c;
        let attacker = self.counter(unit).side == c.side;
        let after = self.lose_step(s, unit, log);
        if let CombatStep::StandLoss { hold, lead, defender, .. } = c.step {
            replace(&mut c.attackers, unit, after);
            return self.after_stand(s, c, hold, lead, defender, log);
        }
        if attacker {
            replace(&mut c.attackers, unit, after);
            if c.lead == unit {
                c.lead = after.or_else(|| c.attackers.first().copied()).unwrap_or(unit);
            }
            c.step = CombatStep::DefenderLoss;
            if let Some(frame) = s.frames.last_mut() {
                *frame = Frame::Combat(Box::new(c));
            }
        } else {
            self.after_losses(s, c, log);
        }
    }

    /// 11.1: what follows when the steps of the result are lost.
    fn after_losses(&self, s: &mut State, mut c: Combat, log: &mut Log<Event>) {
        let effect = &self.pack.results[usize::from(c.result.unwrap_or(0))];
        let defenders = self.defenders(s, c.side.enemy(), c.target);
        let empty = defenders.is_empty();
        c.step = if effect.engaged {
            for unit in defenders {
                s.unit_mut(unit).mark(Marks::ENGAGED, true); // 11.5
                log.push(Event::Engaged { unit });
            }
            return self.end_combat(s, c, log);
        } else if empty {
            match effect.advance {
                Some(kind) => CombatStep::Advance(kind), // 13.4, 15.2
                None => return self.end_combat(s, c, log),
            }
        } else if effect.retreat.is_none() {
            return self.end_combat(s, c, log);
        } else if effect.determined_defense {
            CombatStep::Stand // 12.1
        } else {
            CombatStep::Length // 13.1
        };
        c.length = effect.retreat.map_or(2, |r| r[0]);
        if let Some(frame) = s.frames.last_mut() {
            *frame = Frame::Combat(Box::new(c));
        }
    }

    /// 12.3: units that may lead a Determined Defense.
    pub fn may_stand(&self, s: &State, c: &Combat) -> Vec<UnitId> {
        let defenders = self.defenders(s, c.side.enemy(), c.target);
        let good: Vec<UnitId> = defenders
            .into_iter()
            .filter(|u| {
                let own = self.counter(*u);
                s.unit(*u).good_order() && !own.categories.train && !own.categories.artillery // 12.6
            })
            .collect();
        let line: Vec<UnitId> = good.iter().copied().filter(|u| !self.counter(*u).support).collect();
        if line.is_empty() { good } else { line }
    }

    /// 9.4 step 5: the roll.
    pub fn roll_combat(&self, s: &mut State, dice: &mut Dice, log: &mut Log<Event>) -> Result<(), Stop> {
        let Some(Frame::Combat(c)) = s.frames.last().cloned() else { return Ok(()) };
        let mut c = *c;
        let Ok(sheet) = self.sheet(s, &c) else {
            log.push(Event::CalledOff { target: c.target });
            s.frames.pop();
            return Ok(());
        };
        for gun in &c.guns {
            s.unit_mut(*gun).mark(Marks::FIRED, true); // 17.1
        }
        if c.air {
            s.air -= 1; // 10.7
        }
        let die = log.roll(dice, seat(c.side), 6, 0, "roll.combat", "11.1")?;
        let code = &self.pack.tables.crt.rows[usize::from(die) - 1][usize::from(sheet.column)];
        let result = self.pack.results.iter().position(|r| r.code == *code).unwrap_or(0) as u8;
        log.push(Event::Fought { odds: (sheet.attack, sheet.defense), column: sheet.column, die, result });
        for unit in &c.attackers {
            s.unit_mut(*unit).mark(Marks::ATTACKED, true);
            s.unit_mut(*unit).mark(Marks::ADVANCED, false);
        }
        s.attacked.insert(c.target);
        c.morale_shift = sheet.morale_shift;
        c.result = Some(result);
        c.step = CombatStep::AttackerLoss; // 11.2
        if let Some(frame) = s.frames.last_mut() {
            *frame = Frame::Combat(Box::new(c));
        }
        Ok(())
    }

    /// 12.2: the Determined Defense is rolled for.
    pub fn stand(
        &self,
        s: &mut State,
        lead: UnitId,
        gun: Option<UnitId>,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let Some(Frame::Combat(c)) = s.frames.last().cloned() else { return Ok(()) };
        let mut c = *c;
        let table = &self.pack.tables.determined;
        let mut modifier = match self.counter(lead).morale {
            Morale::Elite => table.elite,
            Morale::Low => table.low,
            Morale::Regular => 0,
        };
        if let Some(gun) = gun {
            s.unit_mut(gun).mark(Marks::FIRED, true); // 17.6.3
            modifier += table.artillery;
        }
        let die = log.roll(dice, seat(c.side.enemy()), 6, modifier, "roll.determined", "12.2")?;
        let cell = table.cell(self.land.at(c.target).column, die as i8 + modifier);
        log.push(Event::Stood { unit: lead, holds: cell.hold });
        // 12.4: for 1/1 the defender names the attacker's unit, for 1/0 its owner
        let chooser = if cell.defender > 0 { c.side.enemy() } else { c.side };
        if cell.attacker > 0 && !c.attackers.is_empty() {
            c.step = CombatStep::StandLoss { chooser, hold: cell.hold, lead, defender: cell.defender };
            if let Some(frame) = s.frames.last_mut() {
                *frame = Frame::Combat(Box::new(c));
            }
            return Ok(());
        }
        self.after_stand(s, c, cell.hold, lead, cell.defender, log);
        Ok(())
    }

    /// The rest of a Determined Defense, when the attacker's step is lost.
    fn after_stand(
        &self,
        s: &mut State,
        mut c: Combat,
        hold: bool,
        lead: UnitId,
        steps: u8,
        log: &mut Log<Event>,
    ) {
        if steps > 0 {
            self.lose_step(s, lead, log); // 12.3
        }
        let defenders = self.defenders(s, c.side.enemy(), c.target);
        if hold {
            if defenders.is_empty() {
                c.step = CombatStep::Advance(Advance::Limited); // 12.5
            } else {
                for unit in defenders {
                    s.unit_mut(unit).mark(Marks::ENGAGED, true); // 12.2
                    log.push(Event::Engaged { unit });
                }
                return self.end_combat(s, c, log);
            }
        } else if defenders.is_empty() {
            c.step = CombatStep::Advance(Advance::Regular); // 12.5
        } else {
            return self.begin_retreat(s, c);
        }
        if let Some(frame) = s.frames.last_mut() {
            *frame = Frame::Combat(Box::new(c));
        }
    }

    pub fn begin_retreat(&self, s: &mut State, mut c: Combat) {
        c.step = CombatStep::Retreat;
        c.retreating = self.stack(s, c.side.enemy(), c.target).collect();
        // 13.6: those who came back here in this phase go first, and are eliminated with the stack
        c.retreating.sort_by_key(|u| !s.unit(*u).has(Marks::RETREATED));
        if let Some(frame) = s.frames.last_mut() {
            *frame = Frame::Combat(Box::new(c));
        }
    }

    /// One unit retreats (13.2).
    pub fn retreat_by(&self, s: &mut State, unit: UnitId, route: &[HexId], log: &mut Log<Event>) {
        let Some(Frame::Combat(c)) = s.frames.last() else { return };
        let effect = &self.pack.results[usize::from(c.result.unwrap_or(0))];
        let rout = effect.state == Some(Disorder::FullRetreat);
        self.retreat(s, unit, route, rout, log);
    }

    fn end_of_retreat(&self, s: &mut State, mut c: Combat, log: &mut Log<Event>) {
        let effect = &self.pack.results[usize::from(c.result.unwrap_or(0))];
        let kind = effect.advance.unwrap_or(Advance::Regular);
        let landed: Vec<UnitId> =
            self.stack(s, c.side, c.target).filter(|u| s.unit(*u).has(Marks::ON_ENEMY)).collect();
        for unit in landed {
            s.unit_mut(unit).mark(Marks::ON_ENEMY, false); // 22.3.5: the hex is theirs
            s.unit_mut(unit).mark(Marks::ADVANCED, true);
        }
        zocbond::board::reassess(self, &mut s.field, c.target);
        if s.field.held(c.side).contains(c.target) {
            s.field.set_control(c.target, c.side);
        }
        c.step = CombatStep::Advance(kind);
        if c.attackers.is_empty() {
            return self.end_combat(s, c, log);
        }
        if let Some(frame) = s.frames.last_mut() {
            *frame = Frame::Combat(Box::new(c));
        }
    }

    /// The attacker has done with advancing.
    pub fn end_advance(&self, s: &mut State, mut c: Combat) {
        let effect = &self.pack.results[usize::from(c.result.unwrap_or(0))];
        let fit = |u: &UnitId| {
            let x = s.unit(*u);
            // 16.6
            x.has(Marks::ADVANCED)
                && x.oos == 0
                && !x.has(Marks::ENGAGED)
                && !x.has(Marks::SCATTERED)
                && !x.has(Marks::SPENT)
                && !x.has(Marks::ON_ENEMY)
        };
        let group: Vec<UnitId> = c.attackers.iter().copied().filter(fit).collect();
        if !effect.breakthrough || group.is_empty() {
            s.frames.pop();
            return;
        }
        // 16.2: one stack
        let hex = s.unit(group[0]).hex();
        for unit in c.attackers.clone() {
            let joins = group.contains(&unit) && s.unit(unit).hex() == hex;
            s.unit_mut(unit).mark(Marks::ATTACKED, !joins);
            s.unit_mut(unit).mark(Marks::ADVANCED, joins);
        }
        c.step = CombatStep::Breakthrough;
        if let Some(frame) = s.frames.last_mut() {
            *frame = Frame::Combat(Box::new(c));
        }
    }

    /// A combat without retreat or advance is over; landed units that did not clear their hex are lost (22.3.5).
    fn end_combat(&self, s: &mut State, c: Combat, log: &mut Log<Event>) {
        s.frames.pop();
        if !self.stack(s, c.side.enemy(), c.target).next().is_some_and(|_| true) {
            return;
        }
        let landed: Vec<UnitId> =
            self.stack(s, c.side, c.target).filter(|u| s.unit(*u).has(Marks::ON_ENEMY)).collect();
        for unit in landed {
            self.eliminate(s, unit, log); // 22.3.5
        }
    }

    /// End of a side's Combat Phase (3.3, 11.5, 20.2, 22.3.5).
    pub fn end_combat_phase(&self, s: &mut State, side: Side, log: &mut Log<Event>) {
        let night = self.is_night(s);
        let am = self.turn(s).half == crate::pack::Half::Am;
        for unit in self.units() {
            let own = self.counter(unit).side == side;
            if own && s.unit(unit).has(Marks::ON_ENEMY) {
                self.eliminate(s, unit, log); // 22.3.5
                continue;
            }
            let u = s.unit_mut(unit);
            if own {
                u.mark(Marks::ENGAGED, false); // 11.5
                if night && u.has(Marks::ATTACKED) {
                    u.mark(Marks::SPENT, true); // 20.2
                }
                if am {
                    u.mark(Marks::REPL, false); // 20.4
                }
            }
            u.mark(Marks::ATTACKED, false);
            u.mark(Marks::ADVANCED, false);
            u.mark(Marks::RETREATED, false);
            u.mark(Marks::FLED, false);
        }
        s.attacked = hexgrid::HexSet::new();
    }

    /// 14.4: the Recovery Phase of a side.
    pub fn recovery_phase(
        &self,
        s: &mut State,
        side: Side,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let am = self.turn(s).half == crate::pack::Half::Am;
        let table = self.pack.tables.recovery;
        for unit in self.units().filter(|u| self.counter(*u).side == side) {
            let u = s.unit_mut(unit);
            u.mark(Marks::SCATTERED, false); // 22.3.6
            if am {
                u.mark(Marks::SPENT, false); // 20.2
            }
            let order = u.order;
            if order == Order::Good || !matches!(u.at(), Place::Hex(_) | Place::Box(_)) {
                continue;
            }
            let ezoc = s.unit(unit).hex().is_some_and(|hex| s.field.in_ezoc(side, hex));
            if ezoc {
                let modifier = match self.counter(unit).morale {
                    Morale::Elite => table.elite,
                    Morale::Low => table.low,
                    Morale::Regular => 0,
                };
                let die = log.roll(dice, seat(side), 6, modifier, "roll.recovery", "14.4.2")?;
                if die as i8 + modifier < table.from {
                    continue; // 14.4.2
                }
            }
            let better = if order == Order::FullRetreat { Order::Disrupted } else { Order::Good }; // 14.4
            self.set_order(s, unit, better);
            log.push(Event::Ordered { unit, order: better });
        }
        Ok(())
    }

    /// A declared attack becomes the combat on top; an Unknown unit in the hex is revealed first (25.3 B).
    pub fn declare(
        &self,
        s: &mut State,
        side: Side,
        target: HexId,
        with: &[UnitId],
        lead: UnitId,
        attached: Option<UnitId>,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let breakthrough = matches!(s.frame(), Frame::Combat(_));
        if breakthrough {
            s.frames.pop();
        }
        log.push(Event::Attack { side, target, with: with.to_vec() });
        if s.unknown.contains(target) {
            self.reveal(s, target, dice, log)?;
        }
        if !s.field.held(side.enemy()).contains(target) {
            log.push(Event::CalledOff { target }); // 9.4 step 1
            return Ok(());
        }
        s.frames.push(Frame::Combat(Box::new(Combat {
            side,
            target,
            attackers: with.to_vec(),
            lead,
            attached,
            guns: Vec::new(),
            air: false,
            breakthrough,
            result: None,
            morale_shift: false,
            step: CombatStep::Bridges,
            retreating: Vec::new(),
            length: 2,
        })));
        Ok(())
    }

    pub fn in_combat_phase(&self, s: &State) -> bool {
        s.frames.iter().any(|f| matches!(f, Frame::Phase(_, Phase::Combat)))
    }

    pub fn bridge_state(&self, s: &State, bridge: u16) -> Bridge {
        s.field.bridge(bridge.into())
    }
}

fn replace(list: &mut Vec<UnitId>, old: UnitId, new: Option<UnitId>) {
    match (list.iter().position(|u| *u == old), new) {
        (Some(i), Some(new)) => list[i] = new,
        (Some(i), None) => {
            list.remove(i);
        }
        (None, _) => {}
    }
}

/// 16: the hex of the group that may fight a Breakthrough Combat, and the combat it follows.
fn breakthrough_group(s: &State) -> Option<(HexId, Side)> {
    match s.frame() {
        Frame::Combat(c) if c.step == CombatStep::Breakthrough => {
            let moved = c.attackers.iter().find(|u| s.unit(**u).has(Marks::ADVANCED))?;
            Some((s.unit(*moved).hex()?, c.side))
        }
        _ => None,
    }
}
