//! Why a force may not enter a hex (16.1.3, 16.8, 17.2).

use hexgrid::{Direction, HexId};
use kernel::Refusal;

use super::cost::{Mover, River, Way};
use crate::{
    field::DRY,
    state::Mine,
    units::{OpKind, Side},
};

impl Mover<'_> {
    /// 16.8.2, 16.8.3, 16.8.4, 16.8.5, 13.2.3, 12.3.2.4: why the force may not enter this hex, which is adjacent to an
    /// enemy.
    pub(super) fn adjacent_refusal(&self, to: HexId) -> Option<Refusal> {
        let rules = self.rules;
        if let Some(unit) = self.dummy {
            return Some(rules.no("11.3", "move.dummy_adjacent").unit("unit", unit).hex("hex", to).into());
        }
        if let Some(unit) = self.shattered {
            return Some(rules.no("16.8.7", "move.shattered").unit("unit", unit).hex("hex", to).into());
        }
        if let Some(unit) = self.far_from_lead {
            return Some(rules.no("12.3.2.1", "move.far_from_lead").unit("unit", unit).hex("hex", to).into());
        }
        if let Some(unit) = self.engineer.filter(|_| !self.maneuver) {
            // 12.9.3: with a maneuver unit, or where one already is.
            let maneuver = |other| {
                let counter = rules.counter(other);
                counter.side == self.side && counter.symbol.maneuver()
            };
            let stands = self.s.in_hex(to).any(maneuver);
            if !stands {
                return Some(
                    rules.no("12.9.3", "move.engineer_alone").unit("unit", unit).hex("hex", to).into(),
                );
            }
        }
        let offensive = match self.way {
            Way::Operation(kind) => kind.offensive(),
            Way::Reaction => to == self.s.op.objective,
        };
        if offensive || rules.protected(self.s, self.side, &self.force, to) {
            return None;
        }
        let rule = match self.way {
            Way::Operation(OpKind::March) => "16.8.3",
            Way::Operation(OpKind::Reserve) => "16.8.4",
            Way::Reaction => "16.8.5",
            Way::Operation(_) => "16.8",
        };
        Some(rules.no(rule, "move.adjacent").hex("hex", to).into())
    }

    /// Why a force may not enter the map by this hex because of enemies next to it or what is in it. It is near its Lead
    /// Unit marker (12.3.2.3).
    pub fn entry_refusal(mut self, to: HexId) -> Option<Refusal> {
        self.far_from_lead = None;
        let near = if self.near(to) { self.adjacent_refusal(to) } else { None };
        near.or_else(|| self.ground_refusal(to))
    }

    /// 29.3.4: why an airmobile unit may not end its move in a hex.
    pub fn end_refusal(&self, to: HexId) -> Option<Refusal> {
        let unit = self.airmobile?;
        let objective = self.s.op.objective.some();
        if !self.near(to) || objective.is_some_and(|hex| self.rules.field.adjacent(hex, to)) {
            return None;
        }
        Some(self.rules.no("29.3.4", "move.airmobile").unit("unit", unit).hex("hex", to).into())
    }

    /// 16.8.7, 31.2: restrictions of single hexes: minefields, enemy positions, cities, bridges (11.3, 31.2).
    pub(super) fn hazard_refusal(&self, from: HexId, direction: Direction, to: HexId) -> Option<Refusal> {
        if let Some(refusal) = self.ground_refusal(to) {
            return Some(refusal);
        }
        let (rules, unit) = (self.rules, self.dummy?);
        let n = rules.field.river(from, direction);
        if self.side == Side::Wp
            && n != DRY
            && rules.river(self.s, self.side, from, direction) == River::Civil
            && !self.s.crossings[usize::from(n)].crossed
            && !rules.wp_bridges.contains(&n)
        {
            return Some(rules.no("38.1.2", "move.dummy_bridge").unit("unit", unit).hex("hex", to).into());
        }
        None
    }

    /// The same wherever the force comes from.
    fn ground_refusal(&self, to: HexId) -> Option<Refusal> {
        let rules = self.rules;
        let mark = self.mark(to);
        if let Some(unit) = self.shattered
            && mark.is_some_and(|mark| mark.mine != Mine::None)
        {
            return Some(rules.no("31.2", "move.shattered_mines").unit("unit", unit).hex("hex", to).into());
        }
        if self.side == Side::Wp
            && rules.field.terrain(to) == crate::field::Terrain::City
            && rules.empty_city(self.s, to)
            && rules.air_assault_alone(self.side, &self.force)
        {
            return Some(rules.no("29.6.5", "move.city").hex("hex", to).into());
        }
        let unit = self.dummy?;
        let no = |key| Some(rules.no("11.3", key).unit("unit", unit).hex("hex", to).into());
        if mark.is_some_and(|mark| mark.mine != Mine::None) {
            return no("move.dummy_mines");
        }
        if mark.is_some_and(|mark| mark.improved == Some(self.side.enemy())) {
            return no("move.dummy_position");
        }
        let held = rules.holdable.iter().position(|hex| *hex == to).map(|n| self.s.control[n]);
        if rules.field.terrain(to) == crate::field::Terrain::City && held == Some(self.side.enemy()) {
            return no("move.dummy_city");
        }
        None
    }

    /// 17.4, 17.5: why the force cannot cross a river hexside.
    pub fn landing_refusal(&self, from: HexId, to: HexId, rule: &'static str) -> Option<Refusal> {
        let rules = self.rules;
        let Some(direction) = rules.field.toward(from, to) else {
            return Some(rules.no("16.0", "move.not_adjacent").hex("from", from).hex("hex", to).into());
        };
        if !rules.area.contains(to) {
            return Some(rules.no("46.6", "move.outside").hex("hex", to).into());
        }
        if self.barred(to) {
            return Some(rules.no(rule, "move.enemy").hex("hex", to).into());
        }
        if self.kept_objective(to) {
            return Some(rules.no("13.5.3", "move.objective").hex("hex", to).into());
        }
        if self.near(to)
            && let Some(refusal) = self.adjacent_refusal(to)
        {
            return Some(refusal);
        }
        if let Some(refusal) = self.end_refusal(to) {
            return Some(refusal);
        }
        self.hazard_refusal(from, direction, to)
    }

    /// Why a step is not possible at any cost.
    pub fn refusal(&self, from: HexId, to: HexId) -> Option<Refusal> {
        let rules = self.rules;
        let Some(direction) = rules.field.toward(from, to) else {
            return Some(rules.no("16.0", "move.not_adjacent").hex("from", from).hex("hex", to).into());
        };
        if !rules.area.contains(to) {
            return Some(rules.no("46.6", "move.outside").hex("hex", to).into());
        }
        if self.barred(to) {
            return Some(rules.no("16.8.8", "move.enemy").hex("hex", to).into());
        }
        if self.kept_objective(to) {
            return Some(rules.no("13.5.3", "move.objective").hex("hex", to).into());
        }
        if self.near(to)
            && let Some(refusal) = self.adjacent_refusal(to)
        {
            return Some(refusal);
        }
        if let Some(refusal) = self.hazard_refusal(from, direction, to) {
            return Some(refusal);
        }
        if self.step(from, direction, 0, false).is_none() {
            let river = rules.river(self.s, self.side, from, direction) == River::Main;
            let (rule, key) = if river { ("17.2", "move.main") } else { ("16.1.3", "move.impassable") };
            return Some(rules.no(rule, key).hex("from", from).hex("hex", to).into());
        }
        None
    }
}
