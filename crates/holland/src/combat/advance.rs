//! Advance after combat (15).

use hexgrid::{Direction, HexId};
use zocbond::{Piece, Topology, UnitId, bonds, combat::advance, zoc};

use crate::frame::{Ahead, Combat};
use crate::land::Water;
use crate::options::Switch;
use crate::pack::{Advance, Side};
use crate::refusal::{Legal, refuse};
use crate::state::{Marks, State, Steps};
use crate::world::Holland;

/// The advance of one unit after a combat.
#[derive(Clone, Copy, Debug)]
pub struct Advancing<'a> {
    rules: &'a Holland,
    s: &'a State,
    c: &'a Combat,
    unit: UnitId,
}

/// The same after a result, for the shared search.
struct Onward<'a> {
    by: Advancing<'a>,
    kind: Advance,
    /// How far it may advance, without and with the Road Bonus.
    hexes: (u8, u8),
    /// It has followed roads so far.
    by_road: bool,
}

impl advance::Advance for Onward<'_> {
    fn topology(&self) -> &Topology {
        &self.by.rules.land.topology
    }

    // 15.2, 15.3
    fn hexes(&self, by_road: bool) -> u8 {
        if by_road && self.by_road { self.hexes.1 } else { self.hexes.0 }
    }

    fn road_bonus(&self, from: HexId, direction: Direction) -> bool {
        self.by.rules.bonus_road(self.by.s, from, direction)
    }

    fn may_step(&self, from: HexId, _: Direction, to: HexId, first: bool) -> bool {
        (self.kind != Advance::Limited || to == self.by.c.target) && self.by.step(from, to, first).is_ok()
    }

    // 15.7
    fn may_end(&self, hex: HexId) -> bool {
        self.by.rules.fits(self.by.s, self.by.unit, hex)
    }

    // 15.6
    fn stops_in(&self, hex: HexId) -> bool {
        self.by.rules.land.at(hex).stops_advance
    }
}

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
        if self.is_held_short(s, unit) {
            return (1, 1); // 15.7
        }
        let circle = c.recon_circle && !self.on(Switch::ReconSlips);
        let base = base + if circle { t.recon_circle } else { 0 }; // 15.2, 2.4.6
        (base, base + if self.mechanized(s, unit) { t.road_bonus } else { 0 }) // 15.3
    }

    /// How far a unit that may still advance has advanced; `None` if it may not (15.1).
    pub fn ahead_of(&self, s: &State, c: &Combat, unit: UnitId) -> Option<Ahead> {
        let own = self.counter(unit);
        let u = s.unit(unit);
        // 15.1: whoever attacked and can move, but for guns and Trains
        let able = c.attackers.contains(unit)
            && u.hex().is_some()
            && !own.categories.artillery
            && !own.categories.train
            && self.allowance(s, unit) > 0;
        let ahead = match c.ahead {
            Some((going, ahead)) if going == unit => Some(ahead), // 5.4
            _ => (!u.has(Marks::ADVANCED)).then_some(Ahead::START),
        };
        ahead.filter(|_| able)
    }

    /// The advance of a unit after a combat.
    pub fn advancing<'a>(&'a self, s: &'a State, c: &'a Combat, unit: UnitId) -> Advancing<'a> {
        Advancing { rules: self, s, c, unit }
    }

    /// Every way a unit may advance.
    pub fn advances(&self, s: &State, c: &Combat, unit: UnitId, kind: Advance) -> Vec<Steps> {
        let mut out = Vec::new();
        self.advancing(s, c, unit).each(kind, |way| {
            out.push(way);
            true
        });
        out
    }

    /// Whether a road with the Road Bonus leads in this direction (15.3).
    fn bonus_road(&self, s: &State, from: HexId, d: Direction) -> bool {
        let row = self.side_toward(from, d);
        row.advance_bonus && (row.water == Water::None || self.bridged(&s.field, from, d))
    }

    /// The same to a neighbour.
    pub fn gives_road_bonus(&self, s: &State, from: HexId, to: HexId) -> bool {
        self.land.topology.direction(from, to).is_some_and(|d| self.bonus_road(s, from, d))
    }

    /// 15.7: whether the unit may advance only one hex.
    fn is_held_short(&self, s: &State, unit: UnitId) -> bool {
        s.unit(unit).oos >= 2 || s.turn == 1 && self.counter(unit).side == Side::German
    }
}

impl Advancing<'_> {
    /// Every way the unit may advance, until `each` says stop.
    pub fn each(self, kind: Advance, mut each: impl FnMut(Steps) -> bool) {
        let Advancing { rules, s, c, unit } = self;
        let (Some(start), Some(ahead)) = (s.unit(unit).hex(), rules.ahead_of(s, c, unit)) else { return };
        if ahead.hexes > 0 && rules.land.at(start).stops_advance {
            return; // 15.6
        }
        let hexes = rules.advance_length(s, unit, kind);
        let onward = Onward { by: self, kind, hexes, by_road: ahead.by_road };
        advance::ways_until(&onward, start, ahead.hexes, &mut |path, _| {
            let mut at = start;
            each(
                path.iter()
                    .map(|d| {
                        at = rules.land.topology.beyond(at, d);
                        at
                    })
                    .collect(),
            )
        });
    }

    /// May the unit advance anywhere?
    pub fn is_possible(self, kind: Advance) -> bool {
        let mut any = false;
        self.each(kind, |_| {
            any = true;
            false
        });
        any
    }

    /// 15.4, 15.5: whether it may take this step; if not, the rule that forbids it.
    pub fn step(self, from: HexId, to: HexId, first: bool) -> Legal {
        let Advancing { rules, s, c, unit } = self;
        let side = rules.counter(unit).side;
        let vehicle = rules.counter(unit).categories.vehicle;
        let Some(d) = rules.land.topology.direction(from, to) else {
            return refuse("15.2", "refuse.not_adjacent");
        };
        let row = rules.side_toward(from, d);
        let dry = row.water == Water::None || rules.bridged(&s.field, from, d);
        let soft = rules.land.at(from).by_road_only || rules.land.at(to).by_road_only;
        let vacated = to == c.target;
        if rules.barred_by_enemy(s, side, to) {
            return refuse("6.4", "refuse.enemy");
        }
        if side == Side::Allied && s.unknown.contains(to) {
            return refuse("25.2", "refuse.unknown");
        }
        if !vacated && bonds::bars(rules, &s.field, side, from, d).is_some() {
            return refuse("15.4", "refuse.bond"); // 15.4
        }
        // 15.4: only the first step may go directly from one hex of a unit's ZOC to another
        let enemy = side.enemy();
        let near = |x: HexId| rules.land.topology.direction(x, to).is_some();
        let same = || {
            zoc::sources(rules, &s.field, enemy, from)
                .any(|x| near(x) && zoc::exerts(rules, &s.field, enemy, x, to))
        };
        if !first && same() {
            return refuse("15.4", "refuse.advance_zoc");
        }
        let wet = match row.water {
            Water::None => true,
            _ if dry => true,
            Water::MinorRiver | Water::Canal => first && !vehicle, // 15.5
            Water::MajorRiver | Water::Lake => first && vacated && !vehicle, // 15.5
        };
        if !wet {
            return refuse("15.5", "refuse.advance_water");
        }
        if vehicle && soft && !rules.by_way(&s.field, from, d) {
            return refuse("15.5", "refuse.road_only");
        }
        Ok(())
    }

    /// Check an advance along this path.
    pub fn check(self, kind: Advance, path: &[HexId]) -> Legal {
        let Advancing { rules, s, c, unit } = self;
        let (Some(start), Some(ahead)) = (s.unit(unit).hex(), rules.ahead_of(s, c, unit)) else {
            return refuse("15.1", "refuse.advance_who"); // 15.1
        };
        let (mut at, mut hexes, mut by_road) = (start, ahead.hexes, ahead.by_road);
        for to in path {
            if kind == Advance::Limited && *to != c.target {
                return refuse("15.2", "refuse.advance_limited"); // 15.2
            }
            self.step(at, *to, hexes == 0)?;
            if hexes > 0 && rules.land.at(at).stops_advance {
                return refuse("15.6", "refuse.advance_marsh"); // 15.6
            }
            by_road &= rules.gives_road_bonus(s, at, *to);
            (at, hexes) = (*to, hexes + 1);
        }
        let (most, by_bonus) = rules.advance_length(s, unit, kind);
        if hexes > if by_road { by_bonus } else { most } {
            let bound = rules.is_held_short(s, unit) && kind != Advance::Limited;
            return if bound {
                refuse("15.7", "refuse.advance_one")
            } else {
                refuse("15.2", "refuse.advance_far")
            };
        }
        if !rules.fits(s, unit, at) {
            return refuse("15.7", "refuse.stacking"); // 15.7
        }
        Ok(())
    }
}
