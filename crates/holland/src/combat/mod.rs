//! Combat (9 to 16): declaring, the steps of a combat and its results.

pub mod advance;
mod declare;
mod phase;
pub mod retreat;
pub mod sheet;

use hexgrid::HexId;
use kernel::{Dice, Log, Stop};
use zocbond::{List, Piece, UnitId};

use crate::event::{Event, seat};
use crate::frame::{Combat, CombatStep, Frame, Phase};
use crate::options::Switch;
use crate::pack::{Advance, Chooser, CombatResult, Disorder, Morale, Side};
use crate::state::{Bridge, Fighters, Marks, Order, State, Units};
use crate::world::Holland;

impl Holland {
    /// What the result of a combat does.
    pub fn effect(&self, c: &Combat) -> &CombatResult {
        &self.pack.results[usize::from(c.result.unwrap_or(0))]
    }

    /// 9.4 steps 1 and 2: the bridges that are attacked across are decided. Units that can no longer attack stay out.
    pub fn begin_combat(&self, s: &mut State, log: &mut Log<Event>) {
        let Frame::Combat(mut c) = *s.frame() else { return };
        c.attackers.retain(|u| s.unit(u).hex().is_some());
        if c.side == Side::Allied
            && let Some(bridge) = self.wired_crossing(s, &c)
        {
            set_combat(s, &c);
            s.frames.push(Frame::Demolition { bridge, others: List::new(), crossing: true }); // 5.4
            return;
        }
        let target = c.target;
        if self.nobody_attacks(s, &c) {
            if c.blown {
                c.step = CombatStep::CallOff;
                return set_combat(s, &c);
            }
            return self.call_off(s, c, log);
        }
        c.attackers.retain(|u| self.may_attack(s, u, target).is_ok());
        if !c.attackers.contains(c.lead)
            && let Some((lead, attached)) = self.best_command(s, &c.attackers, target)
        {
            (c.lead, c.attached) = (lead, attached);
        }
        c.step = CombatStep::Support;
        if c.blown {
            c.step = CombatStep::CallOff; // 9.4 step 2: the attacker may call off the attack
        } else if let Some((guns, air)) = c.plan.take() {
            // 9.4 step 4: as the attack was declared
            let may = self.guns(s, c.side, target, &c.attackers);
            c.guns = guns.into_iter().filter(|g| may.contains(*g)).collect();
            c.air = air && s.air > 0;
            c.step = CombatStep::Roll;
        }
        set_combat(s, &c);
    }

    /// 11.2: a step that nobody loses.
    pub fn pass_loss(&self, s: &mut State, log: &mut Log<Event>) {
        let Frame::Combat(mut c) = *s.frame() else { return };
        if c.step == CombatStep::AttackerLoss {
            c.step = CombatStep::DefenderLoss;
            set_combat(s, &c);
        } else {
            self.after_losses(s, c, log);
        }
    }

    /// Whether a unit that must retreat is lost whatever its route (2.4.7, 13.6, 14.3).
    pub fn doomed(&self, s: &State, c: &Combat, unit: UnitId) -> bool {
        let u = s.unit(unit);
        let again = u.has(Marks::RETREATED) && c.retreating.iter().any(|u| !s.unit(*u).has(Marks::RETREATED)); // 13.6
        c.only_trains || self.is_broken(s, unit) || again
    }

    /// 14.3: whether the unit is lost if it must retreat.
    pub fn is_broken(&self, s: &State, unit: UnitId) -> bool {
        let spared = self.on(Switch::FullRetreatZoc) && self.steps(s, unit) > 1; // H-19
        s.unit(unit).order == Order::FullRetreat && !spared
    }

    /// 9.4 step 2: whether none of the attackers can attack now.
    pub fn nobody_attacks(&self, s: &State, c: &Combat) -> bool {
        c.attackers.iter().all(|u| self.may_attack(s, *u, c.target).is_err())
    }

    fn only_trains(&self, units: &[UnitId]) -> bool {
        units.iter().all(|u| self.counter(*u).categories.train)
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
    pub fn loss_candidates(&self, s: &State, c: &Combat) -> Fighters {
        let effect = self.effect(c);
        let alive: Fighters = c.attackers.iter().copied().filter(|u| s.unit(*u).hex().is_some()).collect();
        // 10.2: the Lead Unit takes it if it gave a Morale Shift
        if effect.chooser == Chooser::Owner && c.morale_shift && alive.contains(c.lead) {
            return Fighters::one(c.lead);
        }
        alive
    }

    /// The step asked for by the combat on top is lost by this unit.
    pub fn take_loss(&self, s: &mut State, unit: UnitId, log: &mut Log<Event>) {
        let Some(Frame::Combat(mut c)) = s.frames.last().copied() else { return };
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
            set_combat(s, &c);
        } else {
            self.after_losses(s, c, log);
        }
    }

    /// 11.1: what follows after the step losses of the result.
    fn after_losses(&self, s: &mut State, mut c: Combat, log: &mut Log<Event>) {
        let effect = self.effect(&c);
        let defenders = self.defenders(s, c.side.enemy(), c.target);
        let empty = defenders.is_empty();
        c.step = if effect.engaged || self.on(Switch::ExchangeEngages) && effect.code == "EX" && !empty {
            for unit in defenders {
                s.unit_mut(unit).mark(Marks::ENGAGED, true); // 11.5
                log.push(Event::Engaged { unit });
            }
            return self.end_combat(s, &c, log);
        } else if empty {
            self.occupy(s, &c);
            match effect.advance {
                Some(kind) => CombatStep::Advance(kind), // 13.4, 15.2
                None => return self.end_combat(s, &c, log),
            }
        } else if effect.retreat.is_none() {
            return self.end_combat(s, &c, log);
        } else if effect.determined_defense {
            CombatStep::Stand // 12.1
        } else {
            self.name_retreating(s, &mut c);
            CombatStep::Length // 13.1
        };
        c.length = effect.retreat.map_or(2, |r| r[0]);
        set_combat(s, &c);
    }

    /// 12.3: units that may lead a Determined Defense.
    pub fn may_stand(&self, s: &State, c: &Combat) -> Fighters {
        let defenders = self.defenders(s, c.side.enemy(), c.target);
        let idle = |u: &UnitId| self.counter(*u).categories.train || self.counter(*u).categories.artillery;
        if defenders.iter().all(idle) {
            return Fighters::new(); // 12.6
        }
        let fit = |u: &UnitId| s.unit(*u).good_order() && !self.counter(*u).categories.train;
        let good: Fighters = defenders.into_iter().filter(fit).collect();
        let line: Fighters = good.iter().copied().filter(|u| !self.counter(*u).support).collect();
        if line.is_empty() { good } else { line }
    }

    /// 9.4 step 5: the roll.
    pub fn roll_combat(&self, s: &mut State, dice: &mut Dice, log: &mut Log<Event>) -> Result<(), Stop> {
        let Some(Frame::Combat(mut c)) = s.frames.last().copied() else { return Ok(()) };
        let Ok(sheet) = self.sheet(s, &c) else {
            self.call_off(s, c, log);
            return Ok(());
        };
        if c.air || !c.guns.is_empty() {
            log.push(Event::Support { side: c.side, target: c.target, guns: c.guns, air: c.air });
        }
        for gun in &c.guns {
            s.unit_mut(*gun).mark(Marks::FIRED, true); // 17.1
        }
        if c.air {
            s.air -= 1; // 10.7
        }
        let automatic = self.is_automatic(s, &c);
        let (die, code) = if automatic {
            (0, "DS") // 9.6: without a roll
        } else {
            let die = log.roll(dice, seat(c.side), 6, 0, "roll.combat", "11.1")?;
            let row = &self.pack.tables.crt.rows[usize::from(die).clamp(1, 6) - 1];
            (die, row[usize::from(sheet.column)].as_str())
        };
        s.auto_ds.retain(|(hex, _)| *hex != c.target);
        let result = self.pack.results.iter().position(|r| r.code == code).unwrap_or(0) as u8;
        let shift = sheet.shifts.iter().map(|(_, n)| n).sum();
        log.push(Event::Fought {
            odds: (sheet.attack, sheet.defense),
            shift,
            column: sheet.column,
            die,
            result,
        });
        for unit in &c.attackers {
            s.unit_mut(*unit).mark(Marks::ATTACKED, true);
            s.unit_mut(*unit).mark(Marks::ADVANCED, false);
            s.unit_mut(*unit).mark(Marks::FAR_AHEAD, false);
        }
        s.attacked.insert(c.target);
        c.morale_shift = sheet.morale_shift;
        c.result = Some(result);
        c.step = CombatStep::AttackerLoss; // 11.2
        set_combat(s, &c);
        Ok(())
    }

    /// 12.2: what is added to the die of a Determined Defense.
    pub fn stand_modifier(&self, lead: UnitId, gun: bool) -> i8 {
        let table = &self.pack.tables.determined;
        let morale = match self.counter(lead).morale {
            Morale::Elite => table.elite,
            Morale::Low => table.low,
            Morale::Regular => 0,
        };
        morale + if gun { table.artillery } else { 0 } // 17.6.3
    }

    /// 12.2: roll for the Determined Defense.
    pub fn stand(
        &self,
        s: &mut State,
        lead: UnitId,
        gun: Option<UnitId>,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let Some(Frame::Combat(mut c)) = s.frames.last().copied() else { return Ok(()) };
        let table = &self.pack.tables.determined;
        let modifier = self.stand_modifier(lead, gun.is_some());
        if let Some(gun) = gun {
            s.unit_mut(gun).mark(Marks::FIRED, true); // 17.6.3
        }
        let die = log.roll(dice, seat(c.side.enemy()), 6, modifier, "roll.determined", "12.2")?;
        let cell = table.cell(self.land.at(c.target).column, die as i8 + modifier);
        log.push(Event::Stood { unit: lead, holds: cell.hold });
        // 12.4: for 1/1 the defender chooses the attacker's unit, for 1/0 its owner
        let defender_names = cell.defender > 0 || self.on(Switch::DefenderNames);
        let chooser = if defender_names { c.side.enemy() } else { c.side };
        if cell.attacker > 0 && !c.attackers.is_empty() {
            c.step = CombatStep::StandLoss { chooser, hold: cell.hold, lead, defender: cell.defender };
            set_combat(s, &c);
            return Ok(());
        }
        self.after_stand(s, c, cell.hold, lead, cell.defender, log);
        Ok(())
    }

    /// The rest of a Determined Defense, after the attacker's step loss.
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
                self.occupy(s, &c);
                c.step = CombatStep::Advance(Advance::Limited); // 12.5
            } else {
                for unit in defenders {
                    s.unit_mut(unit).mark(Marks::ENGAGED, true); // 12.2
                    log.push(Event::Engaged { unit });
                }
                return self.end_combat(s, &c, log);
            }
        } else if defenders.is_empty() {
            self.occupy(s, &c);
            c.step = CombatStep::Advance(Advance::Regular); // 12.5
        } else {
            return self.begin_retreat(s, c);
        }
        set_combat(s, &c);
    }

    pub fn begin_retreat(&self, s: &mut State, mut c: Combat) {
        c.step = CombatStep::Retreat;
        self.name_retreating(s, &mut c);
        set_combat(s, &c);
    }

    /// 13.2: all units in the hex retreat.
    fn name_retreating(&self, s: &State, c: &mut Combat) {
        c.retreating = self.stack(s, c.side.enemy(), c.target).collect();
        c.only_trains = self.only_trains(&c.retreating);
    }

    /// One unit retreats (13.2).
    pub fn retreat_by(
        &self,
        s: &mut State,
        unit: UnitId,
        route: &[HexId],
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let Some(Frame::Combat(c)) = s.frames.last() else { return Ok(()) };
        let effect = self.effect(c);
        let rout = effect.state == Some(Disorder::FullRetreat);
        if s.unit(unit).order == Order::FullRetreat {
            self.lose_step(s, unit, log); // 14.3, H-19: the alternative reading
        }
        self.retreat(s, unit, route, rout, log);
        self.reveal_along(s, unit, route, dice, log)
    }

    /// 13.7: a German unit retreats off the map into the box of an area; it keeps its state there.
    pub fn retreat_out(&self, s: &mut State, unit: UnitId, path: &[HexId], log: &mut Log<Event>) {
        let length = match s.frame() {
            Frame::Combat(c) => c.length,
            _ => 2,
        };
        let exit = self.exits(s, unit, length).into_iter().find(|(way, _)| way[..] == *path);
        let Some((_, area)) = exit else { return };
        let rout = match s.frame() {
            Frame::Combat(c) => {
                let effect = self.effect(c);
                Some(effect.state == Some(Disorder::FullRetreat))
            }
            _ => None,
        };
        self.has_gone(s, unit);
        self.retreat_off(s, unit, area, rout, log);
    }

    /// 9.6: whether the hex is marked and attacked by the units that marked it.
    pub fn is_automatic(&self, s: &State, c: &Combat) -> bool {
        !c.breakthrough
            && s.auto_ds
                .iter()
                .any(|(hex, units)| *hex == c.target && units.iter().all(|u| c.attackers.contains(*u)))
    }

    /// 9.4 step 2: units then count as not having attacked.
    pub fn call_off(&self, s: &mut State, c: Combat, log: &mut Log<Event>) {
        s.frames.pop();
        log.push(Event::CalledOff { target: c.target });
        if c.breakthrough {
            self.end_breakthrough(s, &c, &[]);
        }
    }

    /// No Breakthrough Combat, or no other: all units except `but` count as having attacked.
    pub fn end_breakthrough(&self, s: &mut State, c: &Combat, but: &[UnitId]) {
        if matches!(s.frame(), Frame::Combat(x) if x.step == CombatStep::Breakthrough) {
            s.frames.pop();
        }
        for unit in c.attackers.iter().filter(|u| !but.contains(u)) {
            let u = s.unit_mut(*unit);
            u.mark(Marks::ATTACKED, true);
            u.mark(Marks::ADVANCED, false);
            u.mark(Marks::FAR_AHEAD, false);
        }
    }

    /// 22.3.5: units that landed on the enemy have cleared the hex.
    fn occupy(&self, s: &mut State, c: &Combat) {
        let landed: Fighters =
            self.stack(s, c.side, c.target).filter(|u| s.unit(*u).has(Marks::ON_ENEMY)).collect();
        for unit in landed {
            s.unit_mut(unit).mark(Marks::ON_ENEMY, false); // 22.3.5: the hex is theirs
            s.unit_mut(unit).mark(Marks::ADVANCED, true);
        }
        zocbond::board::reassess(self, &mut s.field, c.target);
        if s.field.held(c.side).contains(c.target) {
            s.field.set_control(c.target, c.side);
        }
    }

    pub fn end_of_retreat(&self, s: &mut State, mut c: Combat, log: &mut Log<Event>) {
        let effect = self.effect(&c);
        let kind = effect.advance.unwrap_or(Advance::Regular);
        self.occupy(s, &c);
        c.step = CombatStep::Advance(kind);
        if c.attackers.is_empty() {
            return self.end_combat(s, &c, log);
        }
        set_combat(s, &c);
    }

    /// The attacker has finished advancing.
    pub fn end_advance(&self, s: &mut State, mut c: Combat) {
        let effect = self.effect(&c);
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
        let group: Fighters = c.attackers.iter().copied().filter(fit).collect();
        // 16.1, 16.5
        if !effect.breakthrough || group.is_empty() {
            s.frames.pop();
            for unit in &c.attackers {
                s.unit_mut(*unit).mark(Marks::ADVANCED, false);
                s.unit_mut(*unit).mark(Marks::FAR_AHEAD, false);
            }
            return;
        }
        for unit in c.attackers {
            let joins = group.contains(unit);
            s.unit_mut(unit).mark(Marks::ATTACKED, !joins);
            s.unit_mut(unit).mark(Marks::ADVANCED, joins);
        }
        c.step = CombatStep::Breakthrough;
        set_combat(s, &c);
    }

    /// A combat without retreat or advance is over; landed units that did not clear their hex are lost (22.3.5).
    fn end_combat(&self, s: &mut State, c: &Combat, log: &mut Log<Event>) {
        s.frames.pop();
        if !self.stack(s, c.side.enemy(), c.target).next().is_some_and(|_| true) {
            return;
        }
        let landed: Fighters =
            self.stack(s, c.side, c.target).filter(|u| s.unit(*u).has(Marks::ON_ENEMY)).collect();
        for unit in landed {
            self.eliminate(s, unit, log); // 22.3.5
        }
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
        plan: Option<(Units, bool)>,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        log.push(Event::Attack { side, target, with: Fighters::of(with) });
        if s.unknown.contains(target) {
            self.reveal(s, target, dice, log)?;
        }
        if !s.field.held(side.enemy()).contains(target) {
            log.push(Event::CalledOff { target }); // 9.4 step 1
            return Ok(());
        }
        let mut breakthrough = false;
        if let Frame::Combat(c) = *s.frame() {
            breakthrough = true;
            self.end_breakthrough(s, &c, with);
        }
        let mut c = Combat::new(side, target, Fighters::of(with), lead, attached);
        (c.breakthrough, c.plan) = (breakthrough, plan);
        s.frames.push(Frame::Combat(c));
        Ok(())
    }

    pub fn in_combat_phase(&self, s: &State) -> bool {
        s.frames.iter().any(|f| matches!(f, Frame::Phase(_, Phase::Combat)))
    }

    pub fn bridge_state(&self, s: &State, bridge: u16) -> Bridge {
        s.field.bridge(bridge.into())
    }
}

/// The combat on top has changed.
fn set_combat(s: &mut State, c: &Combat) {
    if let Some(frame) = s.frames.last_mut() {
        *frame = Frame::Combat(*c);
    }
}

fn replace(list: &mut Fighters, old: UnitId, new: Option<UnitId>) {
    match (list.iter().position(|u| *u == old), new) {
        (Some(i), Some(new)) => list[i] = new,
        (Some(_), None) => list.retain(|u| u != old),
        (None, _) => {}
    }
}
