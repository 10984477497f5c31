//! Retreats and flight (13, 14.3), step losses (11.3, 11.4).

use hexgrid::HexId;
use kernel::Log;
use zocbond::{Piece, UnitId, bonds};

use crate::event::Event;
use crate::land::{Water, around};
use crate::options::Switch;
use crate::pack::Side;
use crate::state::{Marks, Order, Place, State};
use crate::world::Holland;

impl Holland {
    /// 11.4: one step; a three-step unit on its reduced side lives on as a Remnant. Returns whoever stands for the unit
    /// afterwards.
    pub fn lose_step(&self, s: &mut State, unit: UnitId, log: &mut Log<Event>) -> Option<UnitId> {
        let c = self.counter(unit);
        let lost = s.unit(unit).lost + 1;
        if lost < c.sides {
            s.unit_mut(unit).lost = lost;
            log.push(Event::Lost { unit });
            if let Some(hex) = s.unit(unit).hex() {
                zocbond::board::reassess(self, &mut s.field, hex);
            }
            return Some(unit);
        }
        let piece = self.free_piece(s, c.remnant);
        if let (Some(piece), Some(hex)) = (piece, s.unit(unit).hex()) {
            let old = *s.unit(unit);
            let allowance = self.face(s, unit).allowance;
            self.take_off(s, unit, Place::Dead);
            self.put(s, piece, Place::Hex(hex));
            self.show_face(s, piece, allowance);
            let other = s.unit(piece).has(Marks::OTHER_FACE);
            let new = s.unit_mut(piece);
            (new.marks, new.oos, new.parent) = (old.marks, old.oos, Some(unit));
            new.mark(Marks::OTHER_FACE, other);
            log.push(Event::Lost { unit });
            self.set_order(s, piece, old.order);
            return Some(piece);
        }
        self.eliminate(s, unit, log);
        None
    }

    pub fn eliminate(&self, s: &mut State, unit: UnitId, log: &mut Log<Event>) {
        let pool = self.counter(unit).pool.is_some();
        self.take_off(s, unit, if pool { Place::Aside } else { Place::Dead });
        self.note_loss(s, unit);
        log.push(Event::Eliminated { unit });
    }

    /// The formation that a unit, or the parent of a Remnant, belongs to.
    pub fn formation(&self, s: &State, unit: UnitId) -> u8 {
        s.unit(unit).parent.map_or(self.counter(unit).formation, |p| self.counter(p).formation)
    }

    /// 13.3: may a retreating unit go this way?
    fn may_retreat(&self, s: &State, unit: UnitId, from: HexId, to: HexId, first: bool) -> bool {
        let side = self.counter(unit).side;
        let Some(d) = self.land.topology.direction(from, to) else { return false };
        let row = self.side_toward(from, d);
        let dry = row.water == Water::None || self.bridged(&s.field, from, d);
        let vehicle = self.counter(unit).categories.vehicle;
        let soft = self.land.at(from).by_road_only || self.land.at(to).by_road_only;
        let by_road = row.road.is_some() && dry;
        !self.closed(s, side, to)
            && bonds::bars(self, &s.field, side, from, d).is_none()
            && (first || !s.field.in_open_ezoc(side, to)) // 7.10
            && (dry || !matches!(row.water, Water::MajorRiver | Water::Lake))
            && (!vehicle || dry && (!soft || by_road))
    }

    /// 13.2, 13.5: the routes a unit may retreat by, of the given length or, where the stack is full, longer (13.5); empty if it
    /// is eliminated (13.3).
    pub fn routes(&self, s: &State, unit: UnitId, length: u8) -> Vec<Vec<HexId>> {
        let Some(start) = s.unit(unit).hex() else { return Vec::new() };
        if self.cannot_retreat(s, unit) {
            return Vec::new();
        }
        for more in 0..3 {
            let mut all = Vec::new();
            self.extend_route(s, unit, &mut vec![start], usize::from(length + more), &mut all);
            all.retain(|route: &Vec<HexId>| route.last().is_some_and(|end| self.fits(s, unit, *end)));
            if !all.is_empty() {
                return self.best_routes(s, unit, start, all);
            }
        }
        Vec::new()
    }

    /// 13.3: MA 0; 13.8: a German gun without a Moved marker. An Engineer on its Ferry side is turned back first (23.3.3).
    pub fn cannot_retreat(&self, s: &State, unit: UnitId) -> bool {
        let c = self.counter(unit);
        self.face(s, unit).allowance == 0
            || c.categories.artillery && c.side == Side::German && !s.unit(unit).has(Marks::GUN_MOVED)
    }

    /// Every way back of so many hexes, priorities left aside.
    pub fn ways_back(&self, s: &State, unit: UnitId, length: u8) -> Vec<Vec<HexId>> {
        let mut all = Vec::new();
        if let Some(start) = s.unit(unit).hex() {
            self.extend_route(s, unit, &mut vec![start], usize::from(length), &mut all);
        }
        all
    }

    fn extend_route(
        &self,
        s: &State,
        unit: UnitId,
        way: &mut Vec<HexId>,
        length: usize,
        out: &mut Vec<Vec<HexId>>,
    ) {
        if way.len() == length + 1 {
            out.push(way[1..].to_vec());
            return;
        }
        let from = way[way.len() - 1];
        let first = way.len() == 1;
        for (_, to) in around(&self.land.topology, from) {
            if !way.contains(&to) && self.may_retreat(s, unit, from, to, first) {
                way.push(to);
                self.extend_route(s, unit, way, length, out);
                way.pop();
            }
        }
    }

    /// 13.2: each priority counts as far as the ones before it leave a choice.
    fn best_routes(
        &self,
        s: &State,
        unit: UnitId,
        start: HexId,
        mut routes: Vec<Vec<HexId>>,
    ) -> Vec<Vec<HexId>> {
        let side = self.counter(unit).side;
        let board = &self.map.board;
        let keep = |routes: &mut Vec<Vec<HexId>>, test: &dyn Fn(&Vec<HexId>) -> bool| {
            if routes.iter().any(test) {
                routes.retain(test);
            }
        };
        let end = |r: &Vec<HexId>| r.last().copied().unwrap_or(start);
        keep(&mut routes, &|r| board.distance(start, end(r)) == r.len() as u32); // 13.2 A
        keep(&mut routes, &|r| r.iter().all(|h| !s.field.in_open_ezoc(side, *h))); // 13.2 B
        let head = self.counter(s.unit(unit).parent.unwrap_or(unit)).supply_head;
        let mut home = self.source_hexes(s, side);
        home.extend(head.and_then(|h| s.unit(h).hex()));
        let far = |h: HexId| home.iter().map(|x| board.distance(*x, h)).min().unwrap_or(0);
        let now = far(start);
        keep(&mut routes, &|r| far(end(r)) < now); // 13.2 C
        let steps = |r: &Vec<HexId>| {
            let mut from = start;
            let mut out = Vec::new();
            for to in r {
                if let Some(d) = self.land.topology.direction(from, *to) {
                    out.push((from, d));
                }
                from = *to;
            }
            out
        };
        if self.counter(unit).categories.vehicle {
            keep(&mut routes, &|r| steps(r).iter().all(|(h, d)| self.side_toward(*h, *d).road.is_some())); // 13.2 D
        }
        keep(&mut routes, &|r| {
            steps(r)
                .iter()
                .all(|(h, d)| self.side_toward(*h, *d).water == Water::None || self.bridged(&s.field, *h, *d))
        }); // 13.2 E
        routes
    }

    /// Carries a unit back along a route; what it becomes (13.9, 14.1, 14.2).
    pub fn retreat(&self, s: &mut State, unit: UnitId, route: &[HexId], rout: bool, log: &mut Log<Event>) {
        let Some(end) = route.last().copied() else { return };
        let before = s.unit(unit).order;
        self.put(s, unit, Place::Hex(end));
        if s.unit(unit).has(Marks::FERRY) {
            self.set_ferry(s, unit, None); // 23.3.3
        }
        let u = s.unit_mut(unit);
        u.mark(Marks::ENGAGED, false); // 13.9
        u.mark(Marks::SCATTERED, false);
        u.mark(Marks::RETREATED, true);
        if self.counter(unit).categories.artillery {
            s.unit_mut(unit).mark(Marks::FIRED, true); // 13.8
        }
        log.push(Event::Retreated { unit, to: end });
        let order = if rout || before != Order::Good { Order::FullRetreat } else { Order::Disrupted }; // 14.1
        self.set_order(s, unit, order);
        log.push(Event::Ordered { unit, order });
        if rout && before == Order::Disrupted {
            if self.on(Switch::DisruptedDie) {
                self.eliminate(s, unit, log); // 14.2, H-10: the other reading
            } else {
                self.lose_step(s, unit, log); // 14.2
            }
        }
    }
}
