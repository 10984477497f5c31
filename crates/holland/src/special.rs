//! Dismounting (8.7), Automatic DS (9.6), Disengagement (27.1), Isolation Attrition (27.2), the choice of the Lead
//! Formation (10.2), and abbreviated decisions.

use hexgrid::HexId;
use kernel::{Dice, Log, Stop};
use zocbond::{List, Piece, UnitId};

use crate::action::Action;
use crate::combat::sheet::odds_column;
use crate::event::{Event, seat};
use crate::frame::{Combat, CombatStep, Frame};
use crate::land::Water;
use crate::options::Switch;
use crate::pack::{Morale, Side};
use crate::refusal::{Legal, refuse};
use crate::state::{Fighters, Marks, State, Steps, Units, Way};
use crate::world::Holland;

/// The column of 10-1 (9.6).
const AUTOMATIC: i32 = 11;

impl Holland {
    /// 8.7: dismount or mount at the start of the unit's move, outside EZOC.
    pub fn check_dismount(&self, s: &State, side: Side, unit: UnitId, on: bool) -> Legal {
        let u = s.unit(unit);
        let Some(hex) = u.hex() else { return refuse("8.7", "refuse.dismount") }; // 8.7
        let fit = self.counter(unit).side == side
            && self.may_dismount(s, unit)
            && u.has(Marks::DISMOUNTED) != on
            && !u.has(Marks::MOVED)
            && !u.has(Marks::ENGAGED)
            && !u.has(Marks::FERRY)
            && !u.has(Marks::ON_ENEMY);
        if !fit || s.field.in_ezoc(side, hex) {
            return refuse("8.7", "refuse.dismount"); // 8.7
        }
        Ok(())
    }

    pub fn dismount(&self, s: &mut State, unit: UnitId, on: bool, log: &mut Log<Event>) {
        let u = s.unit_mut(unit);
        u.mark(Marks::DISMOUNTED, on);
        if !on {
            u.mark(Marks::MOVED, true); // 8.7: mounting costs the whole allowance
        }
        log.push(Event::Dismounted { unit, on });
    }

    /// 9.6: whether these units may mark that hex.
    pub fn check_auto_ds(&self, s: &State, side: Side, target: HexId, with: &[UnitId]) -> Legal {
        let ground = self.land.at(target);
        let marked = s.auto_ds.iter().any(|(hex, _)| *hex == target);
        if self.is_night(s) || ground.town || ground.city || marked {
            return refuse("9.6", "refuse.auto_ds"); // 9.6, 20.1
        }
        if !s.field.held(side.enemy()).contains(target) {
            return refuse("9.1", "refuse.nobody_there"); // 9.1
        }
        for (i, unit) in with.iter().enumerate() {
            if with[..i].contains(unit) || self.counters.get(unit.index()).is_none_or(|c| c.side != side) {
                return refuse("9.6", "refuse.auto_ds"); // 9.6
            }
            self.may_attack(s, *unit, target)?;
            let water = s.unit(*unit).hex().map_or(Water::None, |from| self.water_between(from, target));
            let busy = s.auto_ds.iter().any(|(_, units)| units.contains(*unit));
            if water != Water::None || busy {
                return refuse("9.6", "refuse.auto_ds"); // 9.6
            }
        }
        let Some((lead, attached)) = self.best_command(s, with, target) else {
            return refuse("9.6", "refuse.auto_ds"); // 9.6
        };
        let c = Combat::new(side, target, Fighters::of(with), lead, attached);
        let sheet = self.sheet(s, &c)?;
        let total: i32 = sheet.shifts.iter().map(|(_, n)| i32::from(*n)).sum();
        if odds_column(sheet.attack, sheet.defense) + total < AUTOMATIC {
            return refuse("9.6", "refuse.auto_ds"); // 9.6
        }
        Ok(())
    }

    pub fn mark_auto_ds(
        &self,
        s: &mut State,
        side: Side,
        target: HexId,
        with: &[UnitId],
        log: &mut Log<Event>,
    ) {
        for unit in with {
            s.unit_mut(*unit).mark(Marks::MOVED, true);
        }
        let enemies: Fighters = self.stack(s, side.enemy(), target).collect();
        for unit in enemies {
            s.unit_mut(unit).mark(Marks::AUTO_DS, true);
        }
        zocbond::board::reassess(self, &mut s.field, target);
        s.auto_ds.push((target, Fighters::of(with)));
        log.push(Event::AutoDs { target });
    }

    /// 9.6: the marked units have their ZOC again when the phase ends.
    pub fn lift_auto_ds(&self, s: &mut State) {
        for unit in self.units() {
            if !s.unit(unit).has(Marks::AUTO_DS) {
                continue;
            }
            s.unit_mut(unit).mark(Marks::AUTO_DS, false);
            if let Some(hex) = s.unit(unit).hex() {
                zocbond::board::reassess(self, &mut s.field, hex);
            }
        }
    }

    /// 9.6: hexes marked Auto DS that can still be attacked by those who marked them.
    pub fn auto_ds_due(&self, s: &State, side: Side) -> List<HexId, 32> {
        let able = |(hex, units): &&(HexId, Fighters)| {
            s.field.held(side.enemy()).contains(*hex)
                && !s.attacked.contains(*hex)
                && !units.is_empty()
                && units.iter().all(|u| self.may_attack(s, *u, *hex).is_ok())
        };
        s.auto_ds.iter().filter(able).map(|(hex, _)| *hex).collect()
    }

    // 10.2

    /// 6.5, 10.2: the Lead Unit and attached unit that give the attack the best column and most factors; all Allied
    /// nations attack together.
    pub fn best_command(
        &self,
        s: &State,
        with: &[UnitId],
        target: HexId,
    ) -> Option<(UnitId, Option<UnitId>)> {
        let mut best: Option<((u8, u16, bool, Morale), UnitId, Option<UnitId>)> = None;
        for lead in with {
            let formation = self.formation(s, *lead);
            let line = with.iter().any(|u| self.formation(s, *u) == formation && !self.counter(*u).support);
            if self.counter(*lead).support && line {
                continue; // 10.2
            }
            let attached = self.best_attached(s, with, *lead, target);
            let c = Combat::new(self.counter(*lead).side, target, Fighters::of(with), *lead, attached);
            let (column, attack) = self.sheet(s, &c).map_or((0, 0), |sheet| (sheet.column, sheet.attack));
            let rank = (column, attack, !self.counter(*lead).support, self.counter(*lead).morale);
            if best.as_ref().is_none_or(|(old, ..)| rank > *old) {
                best = Some((rank, *lead, attached));
            }
        }
        best.map(|(_, lead, attached)| (lead, attached))
    }

    /// The unit of another formation that gains most from being attached.
    pub fn best_attached(&self, s: &State, with: &[UnitId], lead: UnitId, target: HexId) -> Option<UnitId> {
        let side = self.counter(lead).side;
        let total = |attached: Option<UnitId>| {
            let c = Combat::new(side, target, Fighters::of(with), lead, attached);
            self.sheet(s, &c).map_or(0, |sheet| sheet.attack)
        };
        let formation = self.formation(s, lead);
        let others = with.iter().copied().filter(|u| self.formation(s, *u) != formation);
        others.max_by_key(|u| (total(Some(*u)), std::cmp::Reverse(u.0)))
    }

    // 27.1

    pub fn check_disengage(&self, s: &State, side: Side, units: &[UnitId]) -> Legal {
        let fought = self.units().any(|u| s.unit(u).has(Marks::ATTACKED) && self.counter(u).side == side);
        if !self.on(Switch::Disengagement) || fought || !s.attacked.is_empty() {
            return refuse("27.1", "refuse.disengage"); // 27.1
        }
        let hex = units.first().and_then(|u| s.unit(*u).hex());
        for (i, unit) in units.iter().enumerate() {
            let (c, u) = (self.counter(*unit), s.unit(*unit));
            let near = hex.is_some_and(|h| s.field.near_enemy(side, h));
            let fit = c.side == side
                && hex.is_some()
                && u.hex() == hex
                && !units[..i].contains(unit)
                && !u.has(Marks::TRIED)
                && !u.has(Marks::ON_ENEMY)
                && (u.has(Marks::ENGAGED) || near)
                && u.good_order();
            if !fit || !self.can_withdraw(s, *unit) {
                return refuse("27.1", "refuse.disengage"); // 27.1
            }
        }
        Ok(())
    }

    pub fn disengage(
        &self,
        s: &mut State,
        units: &[UnitId],
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let t = self.pack.tables.disengagement;
        let mut away = Units::new();
        for unit in units {
            let c = self.counter(*unit);
            let mut modifier = match c.morale {
                Morale::Elite => t.elite,
                Morale::Low => t.low,
                Morale::Regular => 0,
            };
            if c.armor.is_some_and(|(_, kind)| kind != crate::pack::ArmorKind::Flak) {
                modifier += t.armor;
            }
            let die = log.roll(dice, seat(c.side), 6, modifier, "roll.disengagement", "27.1")?;
            let roll = die as i8 + modifier;
            s.unit_mut(*unit).mark(Marks::TRIED, true);
            if roll <= t.fails_up_to {
                continue;
            }
            let mut left = Some(*unit);
            if roll == t.step_at {
                left = self.lose_step(s, *unit, log); // 27.1
            }
            if let Some(unit) = left {
                s.unit_mut(unit).mark(Marks::TRIED, true);
                away.add(unit);
            }
        }
        if !away.is_empty() {
            s.frames.push(Frame::Withdrawal(away));
        }
        Ok(())
    }

    /// 27.1: one or two hexes by 13.2; only an Engaged unit may enter an EZOC, as its first hex.
    pub fn withdrawals(&self, s: &State, unit: UnitId) -> Vec<Steps> {
        let mut out = Vec::new();
        self.each_withdrawal(s, unit, |way| out.push(way));
        out
    }

    /// Has it anywhere to go?
    pub fn can_withdraw(&self, s: &State, unit: UnitId) -> bool {
        let mut any = false;
        self.each_withdrawal(s, unit, |_| any = true);
        any
    }

    pub fn each_withdrawal(&self, s: &State, unit: UnitId, mut each: impl FnMut(Steps)) {
        let side = self.counter(unit).side;
        let engaged = s.unit(unit).has(Marks::ENGAGED);
        let open =
            |r: &Steps| r.iter().enumerate().all(|(i, h)| !s.field.in_ezoc(side, *h) || engaged && i == 0);
        for length in [1, 2] {
            self.with_routes(s, unit, length, |routes| {
                let full = routes.iter().filter(|r| r.len() == usize::from(length) && open(r));
                full.for_each(|r| each(*r));
            });
        }
    }

    pub fn withdraw(
        &self,
        s: &mut State,
        unit: UnitId,
        path: &[HexId],
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        self.has_gone(s, unit);
        let retreated = s.unit(unit).has(Marks::RETREATED);
        self.fall_back(s, unit, path, log);
        s.unit_mut(unit).mark(Marks::RETREATED, retreated);
        self.reveal_along(s, unit, path, dice, log)
    }

    /// A unit that flees or withdraws has done so, or cannot.
    pub fn has_gone(&self, s: &mut State, unit: UnitId) {
        let over = match s.frames.last_mut() {
            Some(Frame::Flight(units)) => {
                units.retain(|u| u != unit);
                units.is_empty()
            }
            Some(Frame::Withdrawal(units)) => {
                units.retain(|u| u != unit);
                units.is_empty()
            }
            _ => false,
        };
        if over {
            s.frames.pop();
        }
    }

    // 27.2

    /// A unit that has been out of supply for long and is far from supplied units.
    pub fn isolated(&self, s: &State, unit: UnitId) -> bool {
        let side = self.counter(unit).side;
        let Some(hex) = s.unit(unit).hex().filter(|_| s.unit(unit).oos >= 2) else { return false };
        let near = self.overland(s, side, hex, self.pack.tables.supply.overland);
        let helps = |u: UnitId| u != unit && s.unit(u).oos == 0 && !self.counter(u).categories.train;
        let helped = near.iter().any(|h| self.stack(s, side, h).any(helps));
        !helped
    }

    pub fn isolation_attrition(
        &self,
        s: &mut State,
        side: Side,
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        if !self.on(Switch::Isolation) {
            return Ok(());
        }
        let t = self.pack.tables.isolation;
        let cut: List<UnitId, 128> = self
            .units()
            .filter(|u| self.counter(*u).side == side && !self.counter(*u).categories.train)
            .filter(|u| self.isolated(s, *u))
            .collect();
        for unit in cut {
            let Some(hex) = s.unit(unit).hex() else { continue };
            let c = self.counter(unit);
            let mut modifier = 0;
            if c.morale == Morale::Elite || side == Side::Allied {
                modifier += t.elite_or_allied;
            }
            if c.morale == Morale::Low {
                modifier += t.low;
            }
            let reach = self.overland(s, side, hex, u8::MAX);
            let city = |h: HexId| self.land.at(h).city && s.field.last_holder(h) == side;
            if reach.iter().any(city) {
                modifier += t.city;
            }
            let die = log.roll(dice, seat(side), 6, modifier, "roll.isolation", "27.2")?;
            if die as i8 + modifier <= t.loss_up_to {
                self.lose_step(s, unit, log); // 27.2
            }
        }
        Ok(())
    }

    /// `stand` without a unit: by the only unit that can lead (12.3). If none can, the first defender is named, and
    /// refused.
    pub fn read_stand(&self, s: &State, text: &str) -> Option<Action> {
        let rest = text.trim().strip_prefix("stand")?;
        let Frame::Combat(c) = s.frame() else { return None };
        let lead = match self.may_stand(s, c)[..] {
            [only] => only,
            [] => *self.defenders(s, c.side.enemy(), c.target).first()?,
            _ => return None,
        };
        self.read_action(&format!("stand {}{rest}", self.counter(lead).id)).ok()
    }

    /// Complete an abbreviated decision: an attack without its Lead Unit, a Remnant named by its parent.
    pub fn in_full(&self, s: &State, action: Action) -> Action {
        let action = match action {
            Action::Retreat { unit, path } => Action::Retreat { unit: self.stand_in(s, unit), path },
            Action::Advance { unit, path } => Action::Advance { unit: self.stand_in(s, unit), path },
            Action::Lose(unit) => Action::Lose(self.stand_in(s, unit)),
            Action::Stand { lead, gun } => Action::Stand { lead: self.stand_in(s, lead), gun },
            // A path may be written with its starting hex.
            Action::Move { unit, also, mode, path }
                if path.len() > 1 && path.first().copied() == s.unit(unit).hex() =>
            {
                Action::Move { unit, also, mode, path: Way::of(&path[1..]) }
            }
            other => other,
        };
        let last = |path: &[HexId]| if let [only] = path { Some(*only) } else { None };
        match action {
            Action::Retreat { unit, path } => {
                let length = match s.frame() {
                    Frame::Combat(c) => c.length,
                    _ => 2,
                };
                let to = last(&path)
                    .filter(|to| s.unit(unit).hex().is_some_and(|h| self.map.board.distance(h, *to) > 1));
                let far = to
                    .and_then(|to| self.routes(s, unit, length).into_iter().find(|r| r.last() == Some(&to)));
                Action::Retreat { unit, path: far.unwrap_or(path) }
            }
            Action::Advance { unit, path } => {
                let to = last(&path)
                    .filter(|to| s.unit(unit).hex().is_some_and(|h| self.map.board.distance(h, *to) > 1));
                let far = match (s.frame(), to) {
                    (Frame::Combat(c), Some(to)) => match c.step {
                        CombatStep::Advance(kind) => {
                            self.advances(s, c, unit, kind).into_iter().find(|w| w.last() == Some(&to))
                        }
                        _ => None,
                    },
                    _ => None,
                };
                Action::Advance { unit, path: far.unwrap_or(path) }
            }
            Action::Attack { target, with, lead: None, attached: None } if !with.is_empty() => {
                let (lead, attached) = self.best_command(s, &with, target).unzip();
                Action::Attack { target, with, lead, attached: attached.flatten() }
            }
            Action::Planned { target, with, lead: None, attached: None, guns, air } if !with.is_empty() => {
                let (lead, attached) = self.best_command(s, &with, target).unzip();
                Action::Planned { target, with, lead, attached: attached.flatten(), guns, air }
            }
            other => other,
        }
    }
}
