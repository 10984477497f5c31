//! Declaring attacks (9.1 to 9.5, 10.2, 16, 17.6): who may attack what, and which guns can help.

use hexgrid::{HexId, HexSet};
use zocbond::{List, Piece, UnitId};

use crate::frame::{CombatStep, Frame};
use crate::land::{Water, around};
use crate::pack::Side;
use crate::refusal::{Legal, refuse};
use crate::state::{Fighters, Marks, State};
use crate::world::Holland;

impl Holland {
    /// 9.3, 9.5: whether this unit may attack that hex.
    pub fn may_attack(&self, s: &State, unit: UnitId, target: HexId) -> Legal {
        let c = self.counter(unit);
        let u = s.unit(unit);
        let Some(from) = u.hex() else { return refuse("9.1", "refuse.not_on_map") };
        if u.has(Marks::TRIED) {
            return refuse("27.1", "refuse.disengaged"); // 27.1, 9.3
        }
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
            return refuse(u.order.rule(), "refuse.disordered"); // 14.2, 14.3
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
            // 9.5.3: a Good Order Engineer in the hex; no unit there has moved more than one hex
            let engineer = self
                .stack(s, c.side, from)
                .any(|e| self.counter(e).engineer && s.unit(e).good_order() && !s.unit(e).has(Marks::FAR));
            // and the marker was placed in the Movement Phase
            if great && (!engineer || u.has(Marks::FAR) || u.has(Marks::ADVANCED)) {
                return refuse("9.5.3", "refuse.river_assault"); // 9.5.3
            }
            // 8.5.3: an Engineer that has carried units attacks only in a Major River Assault
            if c.engineer && u.has(Marks::CROSSED) && !great {
                return refuse("8.5.3", "refuse.engineer_busy"); // 8.5.3
            }
        }
        Ok(())
    }

    /// Who may attack a hex now.
    pub fn attackers(&self, s: &State, side: Side, target: HexId) -> Fighters {
        self.each_attacker(s, side, target).collect()
    }

    fn each_attacker<'a>(
        &'a self,
        s: &'a State,
        side: Side,
        target: HexId,
    ) -> impl Iterator<Item = UnitId> + 'a {
        // 16.3, 16.4: after a breakthrough those who have advanced, and others where the hex has not been attacked
        let again = in_breakthrough(s);
        let fresh = !again || !s.attacked.contains(target);
        let hexes = std::iter::once(target).chain(around(&self.land.topology, target).map(|(_, h)| h));
        hexes
            .flat_map(move |hex| self.stack(s, side, hex))
            .filter(move |u| fresh || s.unit(*u).has(Marks::ADVANCED))
            .filter(move |u| !again || !self.is_spent_by_advance(s, *u))
            .filter(move |u| self.may_attack(s, *u, target).is_ok())
    }

    /// 16.2: a Non-Mechanized unit that advanced more than one hex is in no group.
    fn is_spent_by_advance(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        u.has(Marks::ADVANCED) && u.has(Marks::FAR_AHEAD) && !self.mechanized(s, unit)
    }

    /// Hexes that a side may attack now.
    pub fn targets(&self, s: &State, side: Side) -> Vec<HexId> {
        let mut out = Vec::new();
        self.each_target(s, side, |hex| {
            out.push(hex);
            true
        });
        out
    }

    /// May a side attack anything?
    pub fn any_target(&self, s: &State, side: Side) -> bool {
        let mut any = false;
        self.each_target(s, side, |_| {
            any = true;
            false
        });
        any
    }

    /// Hexes that a side may attack, one after the other, until `each` says stop.
    pub fn each_target(&self, s: &State, side: Side, mut each: impl FnMut(HexId) -> bool) {
        let held = s.field.held(side.enemy());
        let mut close = s.field.near(side) | s.field.held(side);
        close.intersect_with(&self.land.in_play);
        let mut unknown = HexSet::EMPTY;
        if side == Side::Allied {
            unknown = &s.unknown - held;
        }
        let first = self.due_first(s, side);
        let mut look =
            |hex: HexId| !close.contains(hex) || !self.is_open_target(s, side, hex, &first) || each(hex);
        if held.iter().all(&mut look) {
            unknown.iter().all(&mut look);
        }
    }

    /// May a side attack this hex?
    pub fn is_target(&self, s: &State, side: Side, hex: HexId) -> bool {
        let held =
            s.field.held(side.enemy()).contains(hex) || side == Side::Allied && s.unknown.contains(hex);
        let close = s.field.near(side).contains(hex) || s.field.held(side).contains(hex);
        held && close
            && self.land.in_play.contains(hex)
            && self.is_open_target(s, side, hex, &self.due_first(s, side))
    }

    /// 9.6: hexes that must be attacked before all others.
    fn due_first(&self, s: &State, side: Side) -> List<HexId, 32> {
        if in_breakthrough(s) { List::new() } else { self.auto_ds_due(s, side) }
    }

    /// Is there anybody who may attack the enemies of this hex, which is in reach?
    fn is_open_target(&self, s: &State, side: Side, hex: HexId, first: &[HexId]) -> bool {
        let again = in_breakthrough(s);
        if !again && s.attacked.contains(hex) || !first.is_empty() && !first.contains(&hex) {
            return false; // 9.1, 9.6
        }
        // 9.3: AF 0 cannot attack alone
        let (mut able, mut strong) = (!again, false);
        self.each_attacker(s, side, hex).any(|u| {
            able |= s.unit(u).has(Marks::ADVANCED);
            strong |= self.face(s, u).attack > 0;
            able && strong
        })
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
        let again = in_breakthrough(s);
        if s.attacked.contains(target) && !again {
            return refuse("9.1", "refuse.hex_attacked"); // 9.1
        }
        if again {
            self.check_group(s, target, with)?;
        } else {
            // 9.6: marked hexes first, by those who marked them at least
            let first = self.auto_ds_due(s, side);
            if !first.is_empty() && !first.contains(target) {
                return refuse("9.6", "refuse.auto_ds_first"); // 9.6
            }
            let marked = s.auto_ds.iter().find(|(hex, _)| *hex == target);
            if marked
                .is_some_and(|(_, units)| first.contains(target) && units.iter().any(|u| !with.contains(u)))
            {
                return refuse("9.6", "refuse.auto_ds_units"); // 9.6
            }
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
            if !may.contains(*unit) {
                return refuse("9.3", "refuse.cannot_attack"); // 9.3
            }
        }
        // 22.3.5: all units that landed on the enemy attack it, and a hex is attacked once
        let landed = |u: &UnitId| s.unit(*u).has(Marks::ON_ENEMY) && !with.contains(u);
        if self.stack(s, side, target).any(|u| landed(&u) && self.may_attack(s, u, target).is_ok()) {
            return refuse("22.3.5", "refuse.must_attack"); // 22.3.5
        }
        if !with.is_empty() && with.iter().all(|u| self.face(s, *u).attack == 0) {
            return refuse("9.3", "refuse.no_attack"); // 9.3
        }
        if with.is_empty() || !with.contains(&lead) {
            return refuse("10.2", "refuse.no_lead"); // 10.2
        }
        // 10.2, 23.3.2: not a Support unit unless there is no other of its formation
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

    /// 16.2: one stack of units that have advanced; with a Non-Mechanized unit in it, by one hex at most. 16.4: others join only
    /// against a hex that has not been attacked.
    fn check_group(&self, s: &State, target: HexId, with: &[UnitId]) -> Legal {
        let group: Fighters = with.iter().copied().filter(|u| s.unit(*u).has(Marks::ADVANCED)).collect();
        let hex = group.first().and_then(|u| s.unit(*u).hex());
        if group.is_empty() || group.iter().any(|u| s.unit(*u).hex() != hex) {
            return refuse("16.2", "refuse.group"); // 16.2
        }
        let foot = group.iter().any(|u| !self.mechanized(s, *u));
        if foot && group.iter().any(|u| s.unit(*u).has(Marks::FAR_AHEAD)) {
            return refuse("16.2", "refuse.group_foot"); // 16.2
        }
        if group.len() < with.len() && s.attacked.contains(target) {
            return refuse("16.4", "refuse.joining"); // 16.3, 16.4
        }
        Ok(())
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

    /// May a Combat Phase end?
    pub fn check_end_of_attacks(&self, s: &State, side: Side) -> Legal {
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

    /// Is there a gun that may support a combat?
    pub fn any_gun(&self, s: &State, side: Side, target: HexId, fighting: &[UnitId]) -> bool {
        s.field.in_game(side).iter().any(|gun| self.barred_gun(s, side, target, fighting, gun).is_none())
    }

    /// 17.4, 17.5, 17.6.1, 18.5: guns that may support a combat of `side` at `target`.
    pub fn guns(&self, s: &State, side: Side, target: HexId, fighting: &[UnitId]) -> Fighters {
        let own = s.field.in_game(side).iter();
        own.filter(|gun| self.barred_gun(s, side, target, fighting, *gun).is_none()).collect()
    }

    /// Whether this artillery unit may support the combat.
    pub fn check_gun(&self, s: &State, side: Side, target: HexId, fighting: &[UnitId], gun: UnitId) -> Legal {
        match self.barred_gun(s, side, target, fighting, gun) {
            Some((rule, key)) => refuse(rule, key),
            None => Ok(()),
        }
    }

    /// The rule that prevents an artillery unit from supporting a combat, and the message key.
    fn barred_gun(
        &self,
        s: &State,
        side: Side,
        target: HexId,
        fighting: &[UnitId],
        gun: UnitId,
    ) -> Option<(&'static str, &'static str)> {
        let Some(c) = self.counters.get(gun.index()) else { return Some(("17.6", "refuse.guns")) };
        let u = s.unit(gun);
        let hex = u.hex().filter(|_| c.side == side && c.categories.artillery);
        let Some(hex) = hex else { return Some(("17.6", "refuse.guns")) };
        let ready =
            !u.has(Marks::FIRED) && !u.has(Marks::GUN_MOVED) && !u.has(Marks::ENGAGED) && u.good_order();
        if !ready {
            return Some(("17.6.1", "refuse.gun_not_ready"));
        }
        if hex == target {
            return Some(("17.7", "refuse.guns"));
        }
        if self.map.board.distance(hex, target) > u32::from(c.range) {
            return Some(("17.4", "refuse.gun_range"));
        }
        let of_command = |f: &UnitId| {
            let formation = self.formation(s, *f);
            formation == c.formation || Some(formation) == c.also // 17.5, 23.8
        };
        let bound = side == Side::German || c.airborne;
        (bound && !fighting.iter().any(of_command)).then_some(("17.5", "refuse.gun_command"))
    }
}

/// 16: a Breakthrough Combat may be declared now.
fn in_breakthrough(s: &State) -> bool {
    matches!(s.frame(), Frame::Combat(c) if c.step == CombatStep::Breakthrough)
}
