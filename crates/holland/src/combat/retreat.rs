//! Retreats and flight (13, 14.3), step losses (11.3, 11.4).

use std::cell::{Cell, RefCell};
use std::ops::Range;

use hexgrid::{Direction, HexId, HexSet};
use kernel::{Dice, Log, Stop};
use zocbond::{
    Piece, Topology, UnitId, bonds,
    combat::{home, retreat},
};

use crate::event::Event;
use crate::frame::{Frame, Phase};
use crate::kept::Position;
use crate::land::{Water, around};
use crate::options::Switch;
use crate::pack::Side;
use crate::state::{Marks, Order, Place, State, Steps};
use crate::world::Holland;

/// What a route has met.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    ezoc: bool,
    /// Hexes entered off the road.
    off_road: u8,
    water: bool,
}

/// The most hexes that a retreat continues if there is no room (13.5).
const MOST_ON: u8 = 3;

/// How well a route satisfies the priorities of 13.2: how much it breaks them, the first priority first.
type Rank = [u8; 5];

/// The retreat of one unit, for the shared search.
struct Retreating<'a> {
    rules: &'a Holland,
    s: &'a State,
    unit: UnitId,
    start: HexId,
    hexes: u8,
    /// Hexes nearer to a source than its present hex (13.2 C).
    nearer: HexSet,
    /// Search routes that end in a full hex (13.5) instead of those that end where there is room.
    into_full: bool,
    /// Whether a full hex was met at the end of a route.
    met_full: Cell<bool>,
}

impl retreat::Retreat for Retreating<'_> {
    type Tally = Met;
    type Rank = Rank;
    type Exit = u8;

    fn topology(&self) -> &Topology {
        &self.rules.land.topology
    }

    fn start(&self) -> HexId {
        self.start
    }

    fn hexes(&self) -> u8 {
        self.hexes
    }

    fn away(&self, hex: HexId) -> u32 {
        self.rules.map.board.distance(self.start, hex)
    }

    fn step(&self, met: Met, from: HexId, d: Direction, to: HexId, first: bool) -> Option<Met> {
        let (rules, s) = (self.rules, self.s);
        if !rules.may_retreat(s, self.unit, from, d, to, first) {
            return None;
        }
        let row = rules.side_toward(from, d);
        let dry = row.water == Water::None || rules.bridged(&s.field, from, d);
        Some(Met {
            ezoc: met.ezoc || s.field.in_open_ezoc(rules.counter(self.unit).side, to),
            off_road: met.off_road + u8::from(!(row.road.is_some() && dry)),
            water: met.water || !dry,
        })
    }

    fn rank(&self, end: HexId, met: Met, best: Option<Rank>) -> Option<Rank> {
        let vehicle = self.rules.counter(self.unit).categories.vehicle;
        let rank = [
            u8::from(self.away(end) != u32::from(self.hexes)), // 13.2 A
            met.ezoc.into(),                                   // 13.2 B
            u8::from(!self.nearer.contains(end)),              // 13.2 C
            if vehicle { met.off_road } else { 0 },            // 13.2 D
            met.water.into(),                                  // 13.2 E
        ];
        let worse = best.is_some_and(|best| rank > best);
        if worse {
            return None;
        }
        let full = !self.rules.fits(self.s, self.unit, end); // 13.5
        self.met_full.set(self.met_full.get() || full);
        (full == self.into_full).then_some(rank)
    }

    /// 13.7 is handled separately: leaving the map is possible regardless of the priorities.
    fn way_out(&self, _: HexId, _: Met) -> Option<(u8, Rank)> {
        None
    }

    fn may_wind(&self) -> bool {
        false
    }
}

impl Holland {
    /// 11.4: one step; a three-step unit on its reduced side is replaced by a Remnant. Returns the unit or Remnant
    /// afterwards, if any.
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

    /// 11.4: the unit itself, or its Remnant once it is reduced to that.
    pub fn stand_in(&self, s: &State, unit: UnitId) -> UnitId {
        if s.unit(unit).at() != Place::Dead {
            return unit;
        }
        let side = self.counter(unit).side;
        let remnant = |u: &UnitId| s.unit(*u).parent == Some(unit) && !self.counter(*u).breakdown_piece;
        s.field.in_game(side).iter().find(remnant).unwrap_or(unit)
    }

    /// 13.3: whether a retreating unit may take this step.
    fn may_retreat(
        &self,
        s: &State,
        unit: UnitId,
        from: HexId,
        d: Direction,
        to: HexId,
        first: bool,
    ) -> bool {
        let side = self.counter(unit).side;
        !self.closed(s, side, to)
            && (first || !s.field.in_open_ezoc(side, to)) // 7.10
            && bonds::bars(self, &s.field, side, from, d).is_none()
            && self.passable(s, unit, from, d, to)
    }

    /// 13.3: whether terrain lets a retreating unit pass.
    fn passable(&self, s: &State, unit: UnitId, from: HexId, d: Direction, to: HexId) -> bool {
        let row = self.side_toward(from, d);
        let dry = row.water == Water::None || self.bridged(&s.field, from, d);
        if !self.counter(unit).categories.vehicle {
            return dry || !matches!(row.water, Water::MajorRiver | Water::Lake);
        }
        let soft = self.land.at(from).by_road_only || self.land.at(to).by_road_only;
        dry && (!soft || self.by_way(&s.field, from, d))
    }

    /// 13.2 C: the hexes that are fewer hexes from an open source than the unit's hex, over terrain that it may cross;
    /// for airborne units their Supply Head counts as a source.
    fn nearer_supply(&self, s: &State, unit: UnitId, start: HexId) -> HexSet {
        let side = self.counter(unit).side;
        let mut sources: HexSet = HexSet::new();
        self.each_source(s, side, |hex| {
            sources.insert(hex);
        });
        let head = self.counter(s.unit(unit).parent.unwrap_or(unit)).supply_head;
        sources.extend(head.and_then(|h| s.unit(h).hex()));
        let enemy = s.field.held(side.enemy());
        home::nearer_than(&self.land.topology, &sources, start, |from, d, to| {
            !enemy.contains(to) && self.passable(s, unit, to, d.opposite(), from)
        })
    }

    /// 13.2, 13.5: the routes a unit may retreat by, of the given length or, where the stack is full, longer (13.5); empty if it
    /// has nowhere to go.
    pub fn routes(&self, s: &State, unit: UnitId, length: u8) -> Vec<Steps> {
        self.with_routes(s, unit, length, <[Steps]>::to_vec)
    }

    /// The same, looked at where they are kept: a retreat is asked about several times before it is made.
    pub fn with_routes<T>(&self, s: &State, unit: UnitId, length: u8, look: impl FnOnce(&[Steps]) -> T) -> T {
        ROUTES.with_borrow_mut(|kept| {
            if !kept.of.is_some_and(|of| of.is(self, s)) {
                kept.of = Some(Position::of(self, s));
                kept.found.clear();
                kept.routes.clear();
            }
            let Kept { found, routes, memory, .. } = kept;
            let known = found.iter().find(|(of, _)| *of == (unit, length)).map(|(_, places)| places.clone());
            let places = known.unwrap_or_else(|| {
                let first = routes.len();
                self.each_route(s, unit, length, memory, |route| routes.push(route));
                found.push(((unit, length), first..routes.len()));
                first..routes.len()
            });
            let routes = &routes[places];
            debug_assert!({
                let mut plain = Vec::new();
                self.each_route(s, unit, length, &mut Vec::new(), |route| plain.push(route));
                plain[..] == *routes
            });
            look(routes)
        })
    }

    /// Has it anywhere to go?
    pub fn can_retreat(&self, s: &State, unit: UnitId, length: u8) -> bool {
        self.with_routes(s, unit, length, |routes| !routes.is_empty())
    }

    fn each_route(
        &self,
        s: &State,
        unit: UnitId,
        length: u8,
        routes: &mut Vec<retreat::Route<Rank, u8>>,
        mut each: impl FnMut(Steps),
    ) {
        let Some(start) = s.unit(unit).hex().filter(|_| !self.cannot_retreat(s, unit)) else { return };
        let nearer = self.nearer_supply(s, unit, start);
        let retreating = |hexes: u8, into_full: bool| {
            let hexes = hexes.min(retreat::MAX_HEXES as u8);
            let met_full = Cell::new(false);
            Retreating { rules: self, s, unit, start, hexes, nearer, into_full, met_full }
        };
        let hexes_of = |route: &retreat::Route<Rank, u8>| -> Steps {
            let mut at = start;
            let along = route.path.iter().map(|d| {
                at = self.land.topology.beyond(at, d);
                at
            });
            along.collect()
        };
        routes.clear();
        let search = retreating(length, false);
        retreat::best_routes(&search, routes);
        for route in routes.iter() {
            each(hexes_of(route));
        }
        let best = routes.first().map(|route| route.rank);
        let mut any = best.is_some();
        // A unit that withdraws by one hex (27.1) does not press on.
        if search.met_full.get() && length > 1 {
            routes.clear();
            retreat::best_routes(&retreating(length, true), routes);
            let as_good = |rank| best.is_none_or(|best| rank <= best);
            for route in routes.iter().filter(|route| as_good(route.rank)) {
                any |= self.go_on(s, unit, start, length + MOST_ON, &mut hexes_of(route), &mut each);
            }
        }
        for more in 1..=MOST_ON {
            if any {
                return;
            }
            routes.clear();
            retreat::best_routes(&retreating(length + more, false), routes);
            for route in routes.iter() {
                each(hexes_of(route));
            }
            any = !routes.is_empty();
        }
    }

    /// 13.5: from a full hex on, hex by hex, until there is room; is there any?
    fn go_on(
        &self,
        s: &State,
        unit: UnitId,
        start: HexId,
        most: u8,
        way: &mut Steps,
        each: &mut impl FnMut(Steps),
    ) -> bool {
        let Some(here) = way.last().copied().filter(|_| way.len() < usize::from(most)) else { return false };
        let mut any = false;
        for (d, to) in around(&self.land.topology, here) {
            let open = to != start && !way.contains(to) && self.may_retreat(s, unit, here, d, to, false);
            if !open || !way.push(to) {
                continue;
            }
            if self.fits(s, unit, to) {
                each(*way);
                any = true;
            } else {
                any |= self.go_on(s, unit, start, most, way, each);
            }
            way.pop();
        }
        any
    }

    /// 13.3: MA 0; 13.8: German artillery without a Moved marker. An Engineer on its Ferry side is flipped first
    /// (23.3.3).
    pub fn cannot_retreat(&self, s: &State, unit: UnitId) -> bool {
        let c = self.counter(unit);
        self.face(s, unit).allowance == 0
            || c.categories.artillery && c.side == Side::German && !s.unit(unit).has(Marks::GUN_MOVED)
    }

    /// Retreats off the map by German Entry Areas: the hexes on the map, and the box. They fulfil the length (13.7).
    pub fn exits(&self, s: &State, unit: UnitId, length: u8) -> Vec<(Steps, u8)> {
        let mut out = Vec::new();
        self.each_exit(s, unit, length, |way, area| out.push((way, area)));
        out
    }

    /// Can it retreat off the map?
    pub fn has_exit(&self, s: &State, unit: UnitId, length: u8) -> bool {
        let mut any = false;
        self.each_exit(s, unit, length, |_, _| any = true);
        any
    }

    pub fn each_exit(&self, s: &State, unit: UnitId, length: u8, mut each: impl FnMut(Steps, u8)) {
        if self.counter(unit).side == Side::German
            && let Some(start) = s.unit(unit).hex()
            && self.land.out[start.index()] < length
            && !self.cannot_retreat(s, unit)
        {
            self.extend_exits(s, unit, start, length, &mut Steps::new(), &mut each);
        }
    }

    fn extend_exits(
        &self,
        s: &State,
        unit: UnitId,
        start: HexId,
        length: u8,
        way: &mut Steps,
        each: &mut impl FnMut(Steps, u8),
    ) {
        let here = way.last().copied().unwrap_or(start);
        let area = self.land.area_of(here);
        if let Some(area) = area.filter(|a| self.land.areas[usize::from(*a)].side == Side::German) {
            each(*way, area);
        }
        for (d, to) in around(&self.land.topology, here) {
            // Not where the edge is too far for what is left of the length.
            let near = usize::from(self.land.out[to.index()]) + way.len() + 1 < usize::from(length);
            if near
                && to != start
                && !way.contains(to)
                && self.may_retreat(s, unit, here, d, to, way.is_empty())
            {
                way.add(to);
                self.extend_exits(s, unit, start, length, way, each);
                way.pop();
            }
        }
    }

    /// The effects of every retreat on a unit besides its order: its new hex, and removal of markers (13.8, 13.9, 18.6,
    /// 23.3.3).
    pub fn fall_back(&self, s: &mut State, unit: UnitId, route: &[HexId], log: &mut Log<Event>) {
        let Some(end) = route.last().copied() else { return };
        let side = self.counter(unit).side;
        for hex in route {
            self.take_control(s, *hex, side); // 18.6
        }
        self.put(s, unit, Place::Hex(end));
        self.unmark_retreated(s, unit);
        log.push(Event::Retreated { unit, to: end });
    }

    fn unmark_retreated(&self, s: &mut State, unit: UnitId) {
        if s.unit(unit).has(Marks::FERRY) {
            self.set_ferry(s, unit, None); // 23.3.3
        }
        let gun = self.counter(unit).categories.artillery;
        let fighting = matches!(s.frames.first(), Some(Frame::Phase(_, Phase::Combat)));
        let u = s.unit_mut(unit);
        u.mark(Marks::ENGAGED, false); // 13.9
        u.mark(Marks::SCATTERED, false);
        u.mark(Marks::RETREATED, fighting); // 13.6
        if gun {
            u.mark(Marks::FIRED, true); // 13.8
        }
    }

    /// 25.3 A: a retreating Allied unit reveals Unknown units.
    pub fn reveal_along(
        &self,
        s: &mut State,
        unit: UnitId,
        route: &[HexId],
        dice: &mut Dice,
        log: &mut Log<Event>,
    ) -> Result<(), Stop> {
        if self.counter(unit).side == Side::Allied && !self.on(Switch::RevealedByAttack) {
            for hex in route {
                for n in *self.land.topology.around(*hex) {
                    if s.unknown.contains(n) {
                        self.reveal(s, n, dice, log)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Retreat a unit along a route, with its new order (13.9, 14.1, 14.2).
    pub fn retreat(&self, s: &mut State, unit: UnitId, route: &[HexId], rout: bool, log: &mut Log<Event>) {
        let before = s.unit(unit).order;
        self.fall_back(s, unit, route, log);
        self.disorder(s, unit, before, rout, log);
    }

    /// 14.1, 14.2: the order of a unit that has retreated.
    fn disorder(&self, s: &mut State, unit: UnitId, before: Order, rout: bool, log: &mut Log<Event>) {
        let order = if rout || before != Order::Good { Order::FullRetreat } else { Order::Disrupted }; // 14.1
        self.set_order(s, unit, order);
        log.push(Event::Ordered { unit, order });
        if rout && before == Order::Disrupted {
            if self.on(Switch::DisruptedDie) {
                self.eliminate(s, unit, log); // 14.2, H-10: the alternative reading
            } else {
                self.lose_step(s, unit, log); // 14.2
            }
        }
    }

    /// 13.7: a German unit retreats off the map into the box of an area; it keeps its state there.
    pub fn retreat_off(
        &self,
        s: &mut State,
        unit: UnitId,
        area: u8,
        rout: Option<bool>,
        log: &mut Log<Event>,
    ) {
        let before = s.unit(unit).order;
        self.put(s, unit, Place::Box(area));
        self.unmark_retreated(s, unit);
        log.push(Event::Left { unit });
        if let Some(rout) = rout {
            self.disorder(s, unit, before, rout, log);
        }
    }
}

/// The routes that were found in a position.
#[derive(Default)]
struct Kept {
    of: Option<Position>,
    /// By unit and length: where its routes stand among all.
    found: Vec<((UnitId, u8), Range<usize>)>,
    routes: Vec<Steps>,
    /// Memory for the search.
    memory: Vec<retreat::Route<Rank, u8>>,
}

thread_local! {
    static ROUTES: RefCell<Kept> = RefCell::default();
}
