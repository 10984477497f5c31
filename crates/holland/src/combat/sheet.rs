//! The odds of a combat (9.7, 9.8, 10).

use hexgrid::HexId;
use zocbond::{List, Piece, UnitId};

use crate::frame::Combat;
use crate::land::Water;
use crate::options::Switch;
use crate::pack::{ArmorKind, Morale, Side};
use crate::refusal::{Bar, refuse};
use crate::state::{Fighters, Marks, Order, State};
use crate::world::Holland;

/// Shifts in columns, right positive, with their rule.
pub type Shifts = List<(&'static str, i8), 8>;

/// A combat worked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    pub attack: u16,
    pub defense: u16,
    pub shifts: Shifts,
    /// Attackers whose factor is halved, with the first reason.
    pub halved: List<(UnitId, &'static str), 48>,
    pub doubled: bool,
    /// Defenders with what their factor counts.
    pub defenders: List<(UnitId, u16), 48>,
    /// Column of the CRT.
    pub column: u8,
    pub morale_shift: bool,
}

impl Holland {
    /// The units of the attacked hex that count (2.4.7, 13.6).
    pub fn defenders(&self, s: &State, side: Side, hex: HexId) -> Fighters {
        let all = || self.stack(s, side, hex);
        let fights = |u: &UnitId| !self.counter(*u).categories.train;
        let counts = |u: &UnitId| fights(u) && !s.unit(*u).has(Marks::RETREATED);
        if all().any(|u| counts(&u)) {
            all().filter(counts).collect()
        } else if all().any(|u| fights(&u)) {
            all().filter(fights).collect()
        } else {
            all().collect()
        }
    }

    /// The water, if any, across which a unit in `from` attacks.
    pub fn water_between(&self, from: HexId, target: HexId) -> Water {
        let Some(d) = self.land.topology.direction(from, target) else { return Water::None };
        self.side_toward(from, d).water
    }

    fn rating(&self, unit: UnitId, attacks: bool) -> Option<i8> {
        let (rating, kind) = self.counter(unit).armor?;
        // 10.3.3: Jagdpanzer attack with their rating less one
        Some(rating as i8 - i8::from(attacks && kind == ArmorKind::Jagdpanzer))
    }

    fn is_armor(&self, unit: UnitId) -> bool {
        self.counter(unit).armor.is_some_and(|(_, kind)| kind != ArmorKind::Flak) // 2.4.4
    }

    /// Why an attacker's factor is halved, if it is (10.1: at most once).
    fn halving(&self, s: &State, c: &Combat, unit: UnitId, best: Option<i8>) -> Option<&'static str> {
        let u = s.unit(unit);
        let own = self.counter(unit);
        let from = u.hex()?;
        let on_target = from == c.target;
        let lead = self.formation(s, c.lead);
        let same = self.formation(s, unit) == lead || own.also == Some(lead);
        let vehicle = own.categories.vehicle;
        let water = self.water_between(from, c.target);
        if !same && Some(unit) != c.attached {
            return Some("10.2"); // 10.2
        }
        if self.is_armor(unit) && self.rating(unit, true) < best {
            return Some("10.4"); // 10.4
        }
        if matches!(water, Water::Canal | Water::MajorRiver | Water::Lake) {
            return Some("10.8.2"); // 10.8.2, 9.5.2
        }
        let mut soft = self.land.at(c.target).vehicles_halved || self.land.at(from).vehicles_halved;
        if self.on(Switch::PolderRoads) {
            // H-08: in the alternative reading, not along a road
            soft &= self
                .land
                .topology
                .direction(from, c.target)
                .is_none_or(|d| self.side_toward(from, d).road.is_none());
        }
        if vehicle && (soft && !on_target || water == Water::MinorRiver) {
            return Some("10.8.4"); // 10.8.4, 9.5.1
        }
        if u.oos > 0 {
            return Some("18.4"); // 18.4
        }
        if u.has(Marks::ENGAGED) {
            return Some("11.5"); // 11.5
        }
        if u.has(Marks::SCATTERED) {
            return Some("22.3.6"); // 22.3.6
        }
        if u.has(Marks::ON_ENEMY) && !self.on(Switch::LandedFull) {
            return Some("22.3.5"); // 22.3.5
        }
        u.has(Marks::SPENT).then_some("20.2") // 20.2
    }

    /// Compute a combat; refused if no factor counts.
    pub fn sheet(&self, s: &State, c: &Combat) -> Result<Sheet, Bar> {
        let defenders = self.defenders(s, c.side.enemy(), c.target);
        let ground = self.land.at(c.target);
        let best = defenders.iter().filter_map(|u| self.rating(*u, false)).max();
        let mut halved = List::new();
        let mut attack = 0u16;
        for unit in &c.attackers {
            let mut factor = u16::from(self.face(s, *unit).attack);
            if let Some(rule) = self.halving(s, c, *unit, best) {
                factor = factor.div_ceil(2); // 10.1
                halved.add((*unit, rule));
            }
            attack += factor;
        }
        // 10.8.3: all attack across water or out of Marsh
        let across = |unit: &UnitId| {
            s.unit(*unit).hex().is_some_and(|from| {
                from != c.target
                    && (self.water_between(from, c.target) != Water::None
                        || self.land.at(from).doubles_if_all_out)
            })
        };
        let all_across = c.attackers.iter().all(across);
        let mut defense = 0u16;
        let mut counted = List::new();
        for unit in &defenders {
            let vehicle = self.counter(*unit).categories.vehicle;
            let double = all_across || ground.doubled && !vehicle; // 10.8.1, 10.5.1, 10.8.3
            let half = s.unit(*unit).order != Order::Good; // 14.2
            let printed = u16::from(self.face(s, *unit).defense);
            let factor = match (double, half) {
                (true, false) => printed * 2,
                (false, true) => printed.div_ceil(2),
                _ => printed, // 10.1
            };
            counted.add((*unit, factor));
            defense += factor;
        }
        if attack == 0 {
            return refuse("9.3", "refuse.no_attack"); // 9.3
        }
        let mut shifts = self.armor_shifts(s, c, &defenders, best);
        let morale = self.morale_shift(s, c, &defenders);
        if morale > 0 {
            shifts.add(("10.6", morale)); // 10.6
        }
        let all_vehicles = defenders.iter().all(|u| self.counter(*u).categories.vehicle);
        if all_vehicles && defenders.iter().any(|u| self.is_armor(*u)) {
            shifts.add(("10.5.2", 1)); // 10.5.2
        }
        if !c.guns.is_empty() {
            shifts.add(("17.6.2", c.guns.len() as i8)); // 17.6.2
        }
        if c.air {
            shifts.add(("10.7", 1)); // 10.7
        }
        let total: i8 = shifts.iter().map(|(_, n)| n).sum();
        let last = self.pack.tables.crt.columns.len() as i32 - 1;
        let column = (odds_column(attack, defense) + i32::from(total)).clamp(0, last); // 9.8
        Ok(Sheet {
            attack,
            defense,
            shifts,
            halved,
            doubled: all_across || ground.doubled,
            defenders: counted,
            column: column as u8,
            morale_shift: morale > 0,
        })
    }

    /// 10.3
    fn armor_shifts(&self, s: &State, c: &Combat, defenders: &[UnitId], best: Option<i8>) -> Shifts {
        let ground = self.land.at(c.target);
        if ground.no_armor_shift {
            return Shifts::new(); // 10.3.3
        }
        let gives = |unit: &UnitId| {
            let Some(from) = s.unit(*unit).hex() else { return false };
            let Some(d) = self.land.topology.direction(from, c.target) else { return false };
            let side = self.side_toward(from, d);
            let dry = side.water == Water::None || self.bridged(&s.field, from, d); // 10.3.4
            let soft = ground.by_road_only || self.land.at(from).by_road_only;
            self.is_armor(*unit)
                && self.rating(*unit, true) > best
                && dry
                && (!soft || self.by_way(&s.field, from, d)) // 10.3.1, 10.3.3
        };
        if c.attackers.iter().any(gives) {
            return Shifts::one(("10.3.1", 1)); // 10.3.1
        }
        let attacks = c.attackers.iter().any(|u| self.is_armor(*u));
        let infantry = defenders.iter().any(|u| self.counter(*u).categories.infantry);
        if !attacks && infantry && defenders.iter().any(|u| self.is_armor(*u)) {
            return Shifts::one(("10.3.2", -1)); // 10.3.2
        }
        Shifts::new()
    }

    /// 10.6
    fn morale_shift(&self, _: &State, c: &Combat, defenders: &[UnitId]) -> i8 {
        let level = |m: Morale| m as i8 - Morale::Regular as i8;
        let attacker = level(self.counter(c.lead).morale).max(0);
        let fighters = |u: &&UnitId| self.counter(**u).categories.infantry || self.is_armor(**u);
        let morale = |u: &UnitId| level(self.counter(*u).morale);
        let best = defenders.iter().filter(fighters).map(morale).max();
        let defender = best.or_else(|| defenders.iter().map(morale).max()).unwrap_or(0);
        (attacker - defender).max(0)
    }
}

/// 9.7: the column of the odds before shifts; 1-3 is column 0.
pub fn odds_column(attack: u16, defense: u16) -> i32 {
    let (attack, defense) = (i32::from(attack.max(1)), i32::from(defense.max(1)));
    if attack >= defense { attack / defense + 1 } else { 3 - (defense + attack - 1) / attack }
}

#[cfg(test)]
mod tests {
    use super::odds_column;

    #[test]
    // rule: 9.7
    fn odds_round_for_the_defender() {
        for (attack, defense, column) in [
            (1, 3, 0),
            (1, 2, 1),
            (2, 3, 1),
            (3, 3, 2),
            (5, 3, 2),
            (6, 3, 3),
            (21, 3, 8),
            (1, 4, -1),
            (30, 3, 11),
        ] {
            assert_eq!(odds_column(attack, defense), column, "{attack} to {defense}");
        }
    }
}
