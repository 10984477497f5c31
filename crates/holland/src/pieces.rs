//! Counters that change: replacements (20.3, 22.7), Breakdown units, rebuilding and merging (21), Engineers as ferries
//! (23.3.3), bridging units that return (23.4).

use hexgrid::{HexId, HexSet, SideId};
use kernel::{Dice, Log, Stop};
use zocbond::{List, Piece, UnitId};

use crate::event::{Event, seat};
use crate::land::Water;
use crate::options::Switch;
use crate::pack::{Half, Side};
use crate::refusal::{Bar, Legal, refuse};
use crate::state::{Marks, Place, State};
use crate::world::Holland;

impl Holland {
    /// Give a unit a step: it flips to its full side, or a Remnant becomes its parent's reduced side (20.3). Returns
    /// the unit that has it.
    pub fn gain_step(&self, s: &mut State, unit: UnitId) -> UnitId {
        let Some(hex) = s.unit(unit).hex() else { return unit };
        if self.counter(unit).pool.is_none() {
            let u = s.unit_mut(unit);
            u.lost = u.lost.saturating_sub(1);
            zocbond::board::reassess(self, &mut s.field, hex);
            return unit;
        }
        let Some(parent) = s.unit(unit).parent else { return unit };
        let old = *s.unit(unit);
        self.take_off(s, unit, Place::Aside);
        s.unit_mut(unit).parent = None;
        self.put(s, parent, Place::Hex(hex));
        let new = s.unit_mut(parent);
        new.lost = self.counter(parent).sides - 1;
        new.marks = Marks(old.marks.0 & !Marks::OTHER_FACE.0);
        new.oos = old.oos;
        parent
    }

    /// Whether one more step fits into the unit's hex (6.1). Where units are counted (H-01), it always does.
    fn room_for_step(&self, s: &State, side: Side, hex: HexId) -> Legal {
        let (points, _) = self.weight(s, side, hex, None);
        if points >= self.pack.tables.stacking.points && !self.on(Switch::ThreeUnits) {
            return refuse("6.1", "refuse.stacking"); // 6.1
        }
        Ok(())
    }

    /// 20.3: a reduced unit or a Remnant on the map.
    pub fn may_replace(&self, s: &State, side: Side, unit: UnitId) -> Legal {
        let c = self.counter(unit);
        let u = s.unit(unit);
        let remnant = c.pool.is_some() && !c.breakdown_piece;
        let parent = u.parent.filter(|_| remnant);
        let can = if remnant { parent.is_some_and(|p| self.counter(p).replaceable) } else { c.replaceable };
        let fit = c.side == side
            && can
            && s.left > 0
            && u.hex().is_some()
            && (remnant || u.lost > 0)
            && u.oos == 0
            && u.good_order()
            && !u.has(Marks::ENGAGED)
            && !u.has(Marks::SCATTERED);
        let Some(hex) = u.hex().filter(|_| fit) else {
            return refuse("20.3", "refuse.replacement"); // 20.3
        };
        self.room_for_step(s, side, hex)
    }

    /// 20.3: a unit of one or two steps returns from the Dead Pile.
    pub fn may_return(&self, s: &State, side: Side, unit: UnitId, to: Place) -> Legal {
        self.may_return_by(s, side, unit, to, &self.source_roads(s, side))
    }

    /// The same with the roads that lead to the side's sources.
    fn may_return_by(&self, s: &State, side: Side, unit: UnitId, to: Place, roads: &HexSet) -> Legal {
        if !self.could_return(s, side, unit) {
            return refuse("20.3", "refuse.replacement"); // 20.3
        }
        self.may_return_to(s, side, unit, to, roads)
    }

    /// 20.3: a unit of one or two steps in the Dead Pile, and a step to bring it back.
    pub fn could_return(&self, s: &State, side: Side, unit: UnitId) -> bool {
        let c = self.counter(unit);
        c.side == side
            && c.replaceable
            && !c.three_steps
            && s.left > 0
            && s.unit(unit).at() == Place::Dead
            && !self.units().any(|u| s.unit(u).parent == Some(unit) && s.unit(u).in_game())
    }

    /// 20.3: where it may return.
    pub fn may_return_to(&self, s: &State, side: Side, unit: UnitId, to: Place, roads: &HexSet) -> Legal {
        let c = self.counter(unit);
        match to {
            Place::Box(area) => {
                let open = |h: &HexId| self.land.in_play.contains(*h);
                let own = self
                    .land
                    .areas
                    .get(usize::from(area))
                    .is_some_and(|a| a.side == side && a.hexes.iter().any(open));
                if own && side == Side::German { Ok(()) } else { refuse("20.3", "refuse.replacement_place") } // 20.3
            }
            Place::Hex(hex) if roads.contains(hex) => {
                let ground = self.land.at(hex);
                let town = (ground.town || ground.city) && s.field.last_holder(hex) == side;
                let edge = || self.land.areas.iter().any(|a| a.side == side && a.hexes.contains(&hex));
                if !(town || edge()) || self.closed(s, side, hex) || s.field.near_enemy(side, hex) {
                    return refuse("20.3", "refuse.replacement_place"); // 20.3
                }
                let points = self.weight(s, side, hex, None).0 + c.faces[usize::from(c.sides - 1)].stacking;
                let full = if self.on(Switch::ThreeUnits) {
                    !self.fits(s, unit, hex)
                } else {
                    points > self.pack.tables.stacking.points
                };
                if full {
                    return refuse("6.1", "refuse.stacking"); // 6.1
                }
                Ok(())
            }
            _ => refuse("20.3", "refuse.replacement_place"), // 20.3
        }
    }

    pub fn return_unit(&self, s: &mut State, unit: UnitId, to: Place, log: &mut Log<Event>) {
        s.left -= 1;
        self.put(s, unit, to);
        let u = s.unit_mut(unit);
        u.lost = self.counter(unit).sides - 1; // 20.3: at its lowest side
        u.mark(Marks::REPL, true); // 20.4
        log.push(Event::Replaced { unit });
    }

    /// 22.7: the airborne replacements of a formation, and where they land.
    pub fn check_refit(&self, s: &State, units: &[UnitId]) -> Result<(u8, HexId), Bar> {
        let Some(first) = units.first().copied() else { return refuse("22.7", "refuse.refit") };
        let formation = self.formation(s, first);
        let Some(id) = self.pack.formations.get(usize::from(formation)).map(|f| f.id.as_str()) else {
            return refuse("22.7", "refuse.refit"); // 22.7
        };
        let known = ["1ab", "82ab", "101ab", "pol"].contains(&id);
        if !known || s.turn < 6 || s.refitted.contains(formation) || units.len() > 2 {
            return refuse("22.7", "refuse.refit"); // 22.7
        }
        if s.points == 0 {
            return refuse("22.2", "refuse.no_landing_points"); // 22.2
        }
        let head = self.counter(s.unit(first).parent.unwrap_or(first)).supply_head;
        let at = if id == "pol" { s.unit(first).hex() } else { head.and_then(|h| s.unit(h).hex()) };
        let Some(at) = at else { return refuse("22.7", "refuse.no_supply_head") }; // 22.7
        for (i, unit) in units.iter().enumerate() {
            let (c, u) = (self.counter(*unit), s.unit(*unit));
            let remnant = c.pool.is_some() && !c.breakdown_piece && u.parent.is_some();
            let fit = c.side == Side::Allied
                && self.formation(s, *unit) == formation
                && !units[..i].contains(unit)
                && (remnant || c.pool.is_none() && u.lost > 0)
                && u.good_order()
                && u.oos == 0
                && u.hex().is_some_and(|h| self.map.board.distance(h, at) <= 3);
            let Some(hex) = u.hex().filter(|_| fit) else { return refuse("22.7", "refuse.refit") }; // 22.7
            self.room_for_step(s, Side::Allied, hex)?;
        }
        Ok((formation, at))
    }

    pub fn refit(
        &self,
        s: &mut State,
        units: &[UnitId],
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        let (formation, at) = self.check_refit(s, units)?;
        let modifier = self.landing_modifier(s, at);
        let die = log.roll(dice, seat(Side::Allied), 6, modifier, "roll.refit", "22.7")?;
        let row = self.landing_row(die as i8 + modifier);
        s.points -= 1;
        s.landed_today = true;
        s.refitted.add(formation);
        let steps = match (row.scattered, row.steps) {
            (false, _) => 2,
            (true, 0) => 1,
            _ => 0,
        }; // 22.7
        for unit in units.iter().take(steps) {
            let unit = self.gain_step(s, *unit);
            s.unit_mut(unit).mark(Marks::REPL, true); // 20.4
            log.push(Event::Replaced { unit });
        }
        if steps == 0 {
            log.push(Event::Resupplied { unit: units[0], arrived: false });
        }
        Ok(())
    }

    // 21: Breakdown units

    /// 21.1, 21.2
    pub fn check_breakdown(&self, s: &State, side: Side, unit: UnitId) -> Legal {
        let c = self.counter(unit);
        let u = s.unit(unit);
        let fit = c.side == side
            && c.pool.is_none()
            && c.breakdown.is_some()
            && u.hex().is_some()
            && u.lost == 0
            && c.sides == 2
            && (!u.has(Marks::MOVED) || self.in_combat_phase(s))
            && !u.has(Marks::ADVANCED);
        if !fit {
            return refuse("21.1", "refuse.breakdown"); // 21.1
        }
        if !u.good_order() || u.has(Marks::ENGAGED) {
            return refuse("21.2", "refuse.breakdown"); // 21.2
        }
        if self.free_piece(s, c.breakdown).is_none() {
            return refuse("21.2", "refuse.no_counter"); // 21.2
        }
        Ok(())
    }

    /// 21.1: flip the unit and place a Breakdown unit beside it. Returns the new piece.
    pub fn break_down(&self, s: &mut State, unit: UnitId, log: &mut Log<Event>) -> Option<UnitId> {
        let hex = s.unit(unit).hex()?;
        let piece = self.free_piece(s, self.counter(unit).breakdown)?;
        s.unit_mut(unit).lost = 1;
        let old = *s.unit(unit);
        self.put(s, piece, Place::Hex(hex));
        let allowance = self.face(s, unit).allowance;
        self.show_face(s, piece, allowance);
        let new = s.unit_mut(piece);
        (new.parent, new.oos) = (Some(unit), old.oos);
        for mark in
            [Marks::SPENT, Marks::SCATTERED, Marks::LANDED, Marks::ENTERED, Marks::REPL, Marks::DISMOUNTED]
        {
            new.mark(mark, old.has(mark));
        }
        log.push(Event::BrokenDown { unit, piece });
        Some(piece)
    }

    /// 11.4, 21.1: a piece of a two-faced pool shows the face with its parent's allowance.
    pub fn show_face(&self, s: &mut State, piece: UnitId, wanted: u8) {
        let c = self.counter(piece);
        let other = c.faces[0].allowance != wanted && c.faces[1].allowance == wanted;
        s.unit_mut(piece).mark(Marks::OTHER_FACE, other);
    }

    fn pack_type(&self, s: &State, unit: UnitId) -> Option<&str> {
        let of = s.unit(unit).parent.unwrap_or(unit);
        match (self.counter(of).unit, self.counter(unit).pool) {
            (Some(i), _) => Some(&self.pack.units[usize::from(i)].r#type),
            (None, Some(p)) => Some(&self.pack.pools[usize::from(p)].r#type),
            (None, None) => None,
        }
    }

    /// 21.4, 21.5: both in one hex out of EZOC, in Good Order, in supply, not Engaged.
    fn together(&self, s: &State, side: Side, units: [UnitId; 2], rule: &'static str) -> Result<HexId, Bar> {
        let [a, b] = units.map(|u| s.unit(u));
        let same = a.hex().filter(|h| b.hex() == Some(*h) && units[0] != units[1]);
        let fit = units.iter().all(|u| {
            let x = s.unit(*u);
            self.counter(*u).side == side && x.good_order() && x.oos == 0 && !x.has(Marks::ENGAGED)
        });
        match same.filter(|h| fit && !s.field.in_ezoc(side, *h)) {
            Some(hex) => Ok(hex),
            None => refuse(rule, "refuse.together"), // 21.4, 21.5
        }
    }

    /// 21.4
    pub fn check_rebuild(&self, s: &State, side: Side, unit: UnitId, with: UnitId) -> Legal {
        self.together(s, side, [unit, with], "21.4")?;
        let (c, u) = (self.counter(unit), s.unit(unit));
        let alike = self.formation(s, unit) == self.formation(s, with)
            && self.pack_type(s, unit) == self.pack_type(s, with);
        let remnant = c.pool.is_some() && !c.breakdown_piece && u.parent.is_some();
        let reduced = c.pool.is_none() && u.lost > 0;
        if !self.counter(with).breakdown_piece || !alike || !(remnant || reduced) {
            return refuse("21.4", "refuse.rebuild"); // 21.4
        }
        Ok(())
    }

    pub fn rebuild(&self, s: &mut State, unit: UnitId, with: UnitId, log: &mut Log<Event>) {
        self.take_off(s, with, Place::Aside);
        s.unit_mut(with).parent = None;
        let unit = self.gain_step(s, unit);
        s.unit_mut(unit).mark(Marks::MOVED, true);
        log.push(Event::Rebuilt { unit, with });
    }

    /// 21.5
    pub fn check_merge(&self, s: &State, side: Side, unit: UnitId, with: UnitId) -> Legal {
        if side != Side::German {
            return refuse("21.5", "refuse.merge"); // 21.5
        }
        self.together(s, side, [unit, with], "21.5")?;
        let two_steps = |u: UnitId| {
            let c = self.counter(u);
            c.pool.is_none() && c.sides == 2 && !c.three_steps && s.unit(u).lost == 1
        };
        let remnant = self.counter(with).pool.is_some() && !self.counter(with).breakdown_piece;
        if !two_steps(unit)
            || !(two_steps(with) || remnant)
            || self.pack_type(s, unit) != self.pack_type(s, with)
        {
            return refuse("21.5", "refuse.merge"); // 21.5
        }
        Ok(())
    }

    pub fn merge(&self, s: &mut State, unit: UnitId, with: UnitId, log: &mut Log<Event>) {
        self.take_off(s, with, Place::Aside); // 21.5: removed for good
        s.unit_mut(with).parent = None;
        let unit = self.gain_step(s, unit);
        s.unit_mut(unit).mark(Marks::MOVED, true);
        log.push(Event::Rebuilt { unit, with });
    }

    // 23.3.3: Engineers as ferries

    /// Steps that an Engineer has carried in this phase.
    pub fn carried_by(&self, s: &State, engineer: UnitId) -> u8 {
        s.carried.iter().find(|(u, _)| *u == engineer).map_or(0, |(_, n)| *n)
    }

    pub fn carry(&self, s: &mut State, engineer: UnitId, unit: UnitId) {
        let steps = self.ferry_steps(s, unit);
        s.unit_mut(engineer).mark(Marks::CROSSED, true); // 8.5.3
        match s.carried.iter_mut().find(|(u, _)| *u == engineer) {
            Some((_, n)) => *n += steps,
            None => s.carried.add((engineer, steps)),
        }
    }

    /// 23.3.1, 23.3.3: the Engineer that has a ferry at a hexside.
    pub fn ferry_at(&self, s: &State, side: Side, hexside: SideId) -> Option<UnitId> {
        let at = s.ferries.iter().find(|(u, at)| *at == hexside && self.counter(*u).side == side);
        at.map(|(u, _)| *u)
    }

    pub fn set_ferry(&self, s: &mut State, unit: UnitId, side: Option<SideId>) {
        s.ferries.retain(|(u, _)| u != unit);
        if let Some(side) = side {
            s.ferries.add((unit, side));
        }
        s.unit_mut(unit).mark(Marks::FERRY, side.is_some());
    }

    /// 23.3.3: in the Allied Bridge Phase an Engineer is flipped to its Ferry side.
    pub fn check_ferry(&self, s: &State, side: Side, unit: UnitId, hexside: SideId) -> Legal {
        let c = self.counter(unit);
        let u = s.unit(unit);
        let fit =
            side == Side::Allied && c.side == side && c.engineer && u.good_order() && !u.has(Marks::FERRY);
        let touches = u.hex().is_some_and(|h| self.map.board.side_hexes(hexside).contains(&Some(h)));
        let both =
            self.map.board.side_hexes(hexside).iter().flatten().all(|h| self.land.in_play.contains(*h));
        let wet = matches!(
            self.land.sides.get(hexside.index()).map(|x| x.water),
            Some(Water::MajorRiver | Water::Canal | Water::Lake)
        );
        if !fit || !touches || !wet || !both || self.ferry_at(s, side, hexside).is_some() {
            return refuse("23.3.3", "refuse.ferry_side"); // 23.3.3
        }
        Ok(())
    }

    pub fn check_pack_up(&self, s: &State, side: Side, unit: UnitId) -> Legal {
        let mine = self.counter(unit).side == side && s.unit(unit).has(Marks::FERRY);
        if mine { Ok(()) } else { refuse("23.3.3", "refuse.ferry_side") } // 23.3.3
    }

    // 23.4

    /// A lost bridging unit returns in the Night turn after next.
    pub fn note_loss(&self, s: &mut State, unit: UnitId) {
        s.ferries.retain(|(u, _)| u != unit);
        if self.counter(unit).bridging {
            let nights = self.pack.turns.iter().filter(|t| t.half == Half::Night && t.turn > s.turn);
            if let Some(turn) = nights.map(|t| t.turn).nth(1) {
                s.coming_back.add((unit, turn)); // 23.4
            }
        }
    }

    pub fn bring_back(&self, s: &mut State) {
        let due: List<UnitId, 16> =
            s.coming_back.iter().filter(|(_, t)| *t <= s.turn).map(|(u, _)| *u).collect();
        s.coming_back.retain(|(u, _)| !due.contains(u));
        for unit in due {
            let formation = self.pack.formations.get(usize::from(self.counter(unit).formation));
            let area = if formation.is_some_and(|f| f.id == "8c") { "M" } else { "N" };
            if let Some(i) = self.pack.areas.iter().position(|a| a.id == area) {
                self.put(s, unit, Place::Box(i as u8));
                s.unit_mut(unit).lost = 0;
            }
        }
    }
}
