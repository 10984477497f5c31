//! Advance after combat (15).

use hexgrid::HexId;
use zocbond::{Piece, UnitId, bonds, zoc};

use crate::frame::Combat;
use crate::land::{Water, around};
use crate::options::Switch;
use crate::pack::{Advance, Side};
use crate::state::{Marks, State};
use crate::world::Holland;

impl Holland {
    /// How far a unit may advance, without and with the Road Bonus (15.2, 15.3, 15.7).
    fn advance_length(&self, s: &State, unit: UnitId, kind: Advance) -> (u8, u8) {
        let c = self.counter(unit);
        let t = self.pack.tables.advance;
        let base = match kind {
            Advance::Limited => return (1, 1),
            Advance::Regular => t.regular,
            Advance::Bonus => t.bonus,
        };
        let base = if self.on(Switch::LongAdvances) {
            base.max(2) + u8::from(kind == Advance::Bonus && self.mechanized(s, unit))
        } else {
            base
        }; // H-11
        if s.unit(unit).oos >= 2 || s.turn == 1 && c.side == Side::German {
            return (1, 1); // 15.7
        }
        let circle = c.recon_circle && !self.on(Switch::ReconSlips);
        let base = base + if circle { t.recon_circle } else { 0 }; // 15.2, 2.4.6
        (base, base + if self.mechanized(s, unit) { t.road_bonus } else { 0 }) // 15.3
    }

    /// 15.1
    pub fn may_advance(&self, s: &State, c: &Combat, unit: UnitId) -> bool {
        let own = self.counter(unit);
        let u = s.unit(unit);
        c.attackers.contains(&unit)
            && u.hex().is_some()
            && !own.categories.artillery
            && !own.categories.train
            && !u.has(Marks::ADVANCED)
            && self.allowance(s, unit) > 0
    }

    /// Every way a unit may advance.
    pub fn advances(&self, s: &State, c: &Combat, unit: UnitId, kind: Advance) -> Vec<Vec<HexId>> {
        let mut out = Vec::new();
        let Some(start) = s.unit(unit).hex().filter(|_| self.may_advance(s, c, unit)) else { return out };
        let lengths = self.advance_length(s, unit, kind);
        self.extend_advance(s, c, unit, kind, lengths, &mut vec![start], true, &mut out);
        out.retain(|way| way.last().is_some_and(|end| self.fits(s, unit, *end))); // 15.7
        out
    }

    #[expect(clippy::too_many_arguments)]
    fn extend_advance(
        &self,
        s: &State,
        c: &Combat,
        unit: UnitId,
        kind: Advance,
        (plain, road): (u8, u8),
        way: &mut Vec<HexId>,
        by_road: bool,
        out: &mut Vec<Vec<HexId>>,
    ) {
        let from = way[way.len() - 1];
        let first = way.len() == 1;
        if !first && self.land.at(from).stops_advance {
            return; // 15.6
        }
        for (d, to) in around(&self.land.topology, from) {
            if way.contains(&to) {
                continue;
            }
            let row = self.side_toward(from, d);
            let stays =
                by_road && row.advance_bonus && (row.water == Water::None || self.bridged(&s.field, from, d));
            let limit = if stays { road } else { plain };
            if way.len() > usize::from(limit) || kind == Advance::Limited && to != c.target {
                continue; // 15.2, 15.3
            }
            if !self.may_step_forward(s, c, unit, from, to, first) {
                continue;
            }
            way.push(to);
            out.push(way[1..].to_vec());
            self.extend_advance(s, c, unit, kind, (plain, road), way, stays, out);
            way.pop();
        }
    }

    /// 15.4, 15.5
    fn may_step_forward(
        &self,
        s: &State,
        c: &Combat,
        unit: UnitId,
        from: HexId,
        to: HexId,
        first: bool,
    ) -> bool {
        let side = self.counter(unit).side;
        let vehicle = self.counter(unit).categories.vehicle;
        let Some(d) = self.land.topology.direction(from, to) else { return false };
        let row = self.side_toward(from, d);
        let dry = row.water == Water::None || self.bridged(&s.field, from, d);
        let by_road = row.road.is_some() && dry;
        let soft = self.land.at(from).by_road_only || self.land.at(to).by_road_only;
        let vacated = to == c.target;
        if self.barred_by_enemy(s, side, to) || side == Side::Allied && s.unknown.contains(to) {
            return false;
        }
        if !vacated && bonds::bars(self, &s.field, side, from, d).is_some() {
            return false; // 15.4
        }
        // 15.4: from one hex in a unit's ZOC straight into another only as the first step
        let enemy = side.enemy();
        let near = |x: HexId| self.land.topology.direction(x, to).is_some();
        let same = zoc::sources(self, &s.field, enemy, from)
            .any(|x| near(x) && zoc::exerts(self, &s.field, enemy, x, to));
        if !first && same {
            return false;
        }
        let wet = match row.water {
            Water::None => true,
            _ if dry => true,
            Water::MinorRiver | Water::Canal => first && !vehicle, // 15.5
            Water::MajorRiver | Water::Lake => first && vacated && !vehicle, // 15.5
        };
        wet && !(vehicle && soft && !by_road)
    }
}
