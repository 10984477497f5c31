//! Starting a move: which moves of units and stacks are allowed (8.1, 14.2, 19.3 to 19.6).

use hexgrid::HexId;
use zocbond::{Piece, Points, UnitId};

use crate::frame::{Frame, Mode};
use crate::movement::{Party, Stride};
use crate::pack::Side;
use crate::refusal::{Bar, Legal, refuse};
use crate::state::{Marks, Place, State, Units, Way};
use crate::world::Holland;

impl Holland {
    /// 19.5: leaving at the end of a move costs 1 MP, or one hex of Tactical Movement.
    pub fn check_move_out(
        &self,
        s: &State,
        side: Side,
        unit: UnitId,
        also: &[UnitId],
        mode: Mode,
        path: &[HexId],
    ) -> Legal {
        let party = self.party(s, side, unit, also, mode)?;
        if party.at.is_none() {
            return refuse("19.5", "refuse.leave"); // 19.5
        }
        let end = self.check_way(s, &party, mode, path)?;
        let Some(at) = end.at else { return refuse("19.5", "refuse.leave") };
        let area = self.land.area_of(at.at);
        let own = area.is_some_and(|a| self.land.areas[usize::from(a)].side == Side::German);
        let mut cost = Points::whole(self.pack.tables.movement.exit_map.into());
        if path.is_empty() && s.field.in_ezoc(side, at.at) {
            cost += Points::whole(self.pack.tables.movement.leave_ezoc.into()); // 7.2
        }
        let enough = |(i, unit): (usize, &UnitId)| {
            self.going_on(s, *unit, mode).is_ok_and(|m| {
                self.most_hexes(s, &m).is_none_or(|most| at.hexes < most)
                    && (self.moves_free(&m) || end.spent[i] + cost <= m.allowance)
            })
        };
        let enough = end.units.iter().enumerate().all(enough);
        if side != Side::German || !own || !enough || at.stopped && !path.is_empty() {
            return refuse("19.5", "refuse.leave"); // 19.5, 19.7, 8.9
        }
        Ok(())
    }

    /// The units that move together (8.1): each may move in this mode, and all are in one hex.
    fn party(&self, s: &State, side: Side, unit: UnitId, also: &[UnitId], mode: Mode) -> Result<Party, Bar> {
        self.own(side, unit)?;
        let start = self.mover(s, unit, mode)?.start;
        let mut units = Units::one(unit);
        for other in also {
            self.own(side, *other)?;
            let together = start.is_some() && s.unit(*other).hex() == start && !units.contains(*other);
            // 17.2: a Moved marker is for one artillery unit
            if !together || mode == Mode::Gun || !units.push(*other) {
                return refuse("8.1", "refuse.not_together"); // 8.1
            }
            self.mover(s, *other, mode)?;
        }
        Ok(Party::new(units, start))
    }

    /// 14.2: a Disrupted unit must leave an EZOC if it can.
    pub fn must_leave_ezoc(&self, s: &State, side: Side) -> bool {
        s.field.in_game(side).iter().any(|unit| {
            let u = s.unit(unit);
            let Some(hex) = u.hex() else { return false };
            if u.good_order() || u.has(Marks::MOVED) || !s.field.in_ezoc(side, hex) {
                return false;
            }
            let Ok(m) = self.mover(s, unit, Mode::Tactical) else { return false };
            let here = Stride::start(hex);
            self.land
                .topology
                .neighbours(hex)
                .any(|to| self.step(s, &m, Some(here), to).is_ok_and(|at| self.may_end(s, &m, &at).is_ok()))
        })
    }

    /// A move along a path, or to a distant hex ([`Holland::way_meant`]).
    pub fn check_move(
        &self,
        s: &State,
        side: Side,
        unit: UnitId,
        also: &[UnitId],
        mode: Mode,
        path: &[HexId],
    ) -> Legal {
        let party = self.party(s, side, unit, also, mode)?;
        let way = self.way_meant(s, unit, also, mode, path);
        if also.is_empty() && way[..] != *path {
            // A search has found it, so nothing forbids it.
            debug_assert!(self.check_along(s, &party, mode, &way).is_ok());
            return Ok(());
        }
        if let (Some(from), [to]) = (party.hex(), path)
            && self.land.in_play.contains(*to)
            && self.land.topology.direction(from, *to).is_none()
        {
            return Err(self.nearest_refusal(s, unit, mode, *to));
        }
        self.check_along(s, &party, mode, &way)
    }

    /// The same for a path that is written out.
    fn check_along(&self, s: &State, party: &Party, mode: Mode, way: &[HexId]) -> Legal {
        let first = way.first();
        if party.at.is_none() {
            let unit = party.units[0];
            if first.is_none_or(|h| !self.entry_hexes(s, unit).contains(*h)) {
                let beside = first.is_some_and(|h| self.neighbour_area_has(s, unit, *h));
                return if beside {
                    refuse("19.4", "refuse.entry_open") // 19.4
                } else {
                    refuse("19.3", "refuse.entry") // 19.3
                };
            }
        }
        if first.is_none() {
            return refuse("8.1", "refuse.no_path");
        }
        let end = self.check_way(s, party, mode, way)?;
        self.may_all_end(s, &end, mode)
    }

    /// The path that an action means: a distant hex alone stands for the cheapest one there, of a stack the cheapest of one
    /// of its units that all can take. What cannot be reached stays as it is written.
    pub fn way_meant(&self, s: &State, unit: UnitId, also: &[UnitId], mode: Mode, path: &[HexId]) -> Way {
        let written = Way::of(path);
        let &[to] = path else { return written };
        let start = s.unit(unit).hex();
        let near = match start {
            Some(start) => !self.is_distant(Some(start), &[], to),
            None => !self.is_distant(None, &self.entry_hexes(s, unit), to),
        };
        if near {
            return written;
        }
        let found = if also.is_empty() {
            self.way_to(s, unit, mode, to)
        } else {
            let party = self.party(s, self.counter(unit).side, unit, also, mode);
            party.ok().and_then(|party| {
                let mut ways = party.units.iter().filter_map(|u| self.way_to(s, *u, mode, to));
                ways.find(|way| self.check_along(s, &party, mode, way).is_ok())
            })
        };
        found.unwrap_or(written)
    }

    /// 19.5: a unit at the map edge leaves without another step, in any mode that it may use.
    pub fn check_leave(&self, s: &State, side: Side, unit: UnitId) -> Legal {
        let normal = self.check_move_out(s, side, unit, &[], Mode::Normal, &[]);
        if normal.is_ok() { normal } else { self.check_move_out(s, side, unit, &[], Mode::Tactical, &[]) }
    }

    /// 19.6
    pub fn check_shift(&self, s: &State, side: Side, unit: UnitId, area: u8) -> Legal {
        self.own(side, unit)?;
        let Place::Box(here) = s.unit(unit).at() else { return refuse("19.6", "refuse.not_in_box") };
        let next = side == Side::German && self.land.areas[usize::from(here)].next.contains(&area);
        if !next || s.unit(unit).has(Marks::MOVED) {
            return refuse("19.6", "refuse.box"); // 19.6
        }
        Ok(())
    }

    /// Start the move of these units.
    pub fn set_out(&self, s: &mut State, unit: UnitId, also: &[UnitId], mode: Mode, way: Way, out: bool) {
        let start = s.unit(unit).hex();
        let units: Units = std::iter::once(unit).chain(also.iter().copied()).collect();
        for unit in &units {
            s.unit_mut(*unit).mark(Marks::MOVED, true);
        }
        if mode == Mode::Gun {
            s.moved_markers[self.counter(unit).side.index()] -= 1; // 17.2
            s.unit_mut(unit).mark(Marks::GUN_MOVED, true);
        }
        let party = Party::new(units, start);
        s.frames.push(Frame::Moving { party, mode, way, done: 0, out });
    }
}
