//! Where a unit can move, and the cheapest path there (8.1).
//!
//! Most steps of a search depend on terrain alone, which is precomputed ([`LandSteps`]). What a unit meets near an enemy
//! or a marker is looked up by [`March`]. Where hexes are counted or nothing is paid, the plain search asks the rule for
//! one step ([`Holland::step`]); the fast one is tested against it.

mod by_steps;
mod searched;
#[cfg(test)]
mod tests;

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};
use zocbond::{
    MarkerAt, Piece, Points, Topology, UnitId, UnitSet, bonds,
    moves::{
        LandSteps, MAX_BUDGET, Met, Obstacles, SHUT,
        escalating::{self, ESCALATES, EscalatingGuide, EscalatingSearch},
        layered::{Layered, LayeredStep, Standing},
    },
};

use crate::candidates::MoveCandidates;
use crate::frame::Mode;
use crate::movement::{Mover, Stride};
use crate::options::Switch;
use crate::pack::Side;
use crate::state::{Bridge, Marks, Order, State, Way};
use crate::world::Holland;
use searched::{Searched, Told};

/// The number of Woods hexes entered is part of a path's state (8.6.1): none, one, or two and more.
const WOODS: u8 = escalating::LAYERS as u8;

/// Kinds of movers for which the terrain is the same: by [`Holland::kind`].
const KINDS: usize = 5;
/// The last of them: mechanized units in Extended Movement, by road only (8.4).
const BY_ROAD: usize = KINDS - 1;

/// The costs of the steps out of a hex, in parts of a point ([`crate::land::Land::part`]): [`SHUT`] where the terrain
/// bars them or leaves them open, such as crossing water, and with [`ESCALATES`] into Woods off the road (8.6.1).
type Steps = LandSteps<u8, Bridge, KINDS>;

/// The hexes of Traffic markers and Unknown units (24.2, 25.2).
type Markers = ([MarkerAt; 6], HexSet);

/// Memory for searches of moves, and what is kept from one to the next.
#[derive(Debug, Default)]
pub struct Room {
    /// The fast search: on foot, and of the mechanized ones by road only (8.4).
    fast: [Kept; 2],
    plain: Layered<bool>,
    land: Steps,
    obstacles: Obstacles<Markers>,
    told: Option<Told>,
}

/// A fast search, and what it was made for: the way to an option that was listed is found in it again.
#[derive(Debug, Default)]
struct Kept {
    search: EscalatingSearch,
    of: Option<Searched>,
}

/// The result of a search: of the fast one wherever it can be used.
enum Found<'a> {
    Fast(&'a EscalatingSearch, March<'a>),
    /// The state of a path is whether it has crossed water (8.5.4).
    Plain(&'a Layered<bool>),
}

impl Found<'_> {
    fn hexes(&self) -> &HexSet {
        match self {
            Found::Fast(search, _) => search.hexes(),
            Found::Plain(search) => search.hexes(),
        }
    }

    /// The end of the best path to a hex.
    fn standing(&self, hex: HexId) -> Option<Standing<bool>> {
        match self {
            Found::Fast(search, march) => {
                let Standing { hex, layer, cost, hexes, stop, carry: () } = search.standing(hex)?;
                // The fast search is only for movers that pay, and these do not cross water.
                Some(Standing { hex, layer, cost: cost * march.rules.land.part, hexes, stop, carry: false })
            }
            Found::Plain(search) => search.standing(hex).copied(),
        }
    }

    /// Writes the last hexes of the best path to a hex.
    fn trace(&mut self, hex: HexId, path: &mut [HexId]) {
        let places = path.iter_mut().rev();
        match self {
            Found::Fast(search, march) => {
                places.zip(search.back(march, hex)).for_each(|(place, hex)| *place = hex);
            }
            Found::Plain(search) => places.zip(search.back(hex)).for_each(|(place, hex)| *place = hex),
        }
    }
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::default();
    static CANDIDATES: RefCell<MoveCandidates> = RefCell::default();
}

/// A way on the search's terms.
fn standing(at: &Stride) -> Standing<bool> {
    let Stride { at: hex, spent, hexes, woods, crossed, stopped } = *at;
    Standing { hex, layer: woods, cost: spent.twelfths(), hexes, stop: stopped, carry: crossed }
}

fn stride(at: &Standing<bool>) -> Stride {
    let Standing { hex, layer, cost, hexes, stop, carry } = *at;
    let spent = Points::from_twelfths(cost);
    Stride { at: hex, spent, hexes, woods: layer, crossed: carry, stopped: stop }
}

/// A unit that pays for its steps and whose hexes are not counted, for the fast search.
struct March<'a> {
    rules: &'a Holland,
    s: &'a State,
    m: &'a Mover,
    land: &'a mut Steps,
    kind: usize,
    obstacles: &'a HexSet,
    leave: u16,
    extra: u8,
    /// 7.2: it stops where it enters an EZOC.
    stops: bool,
    /// 8.4: it keeps away from enemies.
    shy: bool,
    /// 24.2: what Traffic costs it.
    traffic: u16,
}

impl<'a> March<'a> {
    fn new(
        rules: &'a Holland,
        s: &'a State,
        m: &'a Mover,
        land: &'a mut Steps,
        obstacles: &'a HexSet,
    ) -> March<'a> {
        let parts = |points: u8| Points::whole(points.into()).twelfths() / rules.land.part;
        let t = &rules.pack.tables;
        let kind = Holland::kind(m);
        let shy = kind == BY_ROAD;
        let leave = match m.start {
            Some(start) if shy && s.field.near_enemy(m.side, start) => SHUT.into(), // 8.4
            Some(start) if s.field.in_ezoc(m.side, start) => parts(t.movement.leave_ezoc), // 7.2
            _ => 0,
        };
        let jams = m.mech && m.side == Side::Allied;
        March {
            rules,
            s,
            m,
            land,
            kind,
            obstacles,
            leave,
            extra: rules.land.extra_after_two.unwrap_or_default(),
            stops: !(rules.on(Switch::ReconSlips) && rules.counter(m.unit).recon_circle), // 2.4.6
            shy,
            traffic: if jams { parts(t.traffic.extra_cost) } else { 0 }, // 24.2
        }
    }
}

impl EscalatingGuide for March<'_> {
    fn topology(&self) -> &Topology {
        &self.rules.land.topology
    }

    #[inline]
    fn start(&self) -> HexId {
        self.m.start.unwrap_or(HexId::NONE)
    }

    #[inline]
    fn leave(&self) -> u16 {
        self.leave
    }

    #[inline]
    fn extra(&self) -> u8 {
        self.extra
    }

    #[inline]
    fn steps(&mut self, hex: HexId) -> [u8; 6] {
        let March { rules, s, m, .. } = *self;
        *self.land.row(self.kind, hex, || Direction::ALL.map(|d| rules.land_step(s, m, hex, d)))
    }

    #[inline]
    fn obstacles(&self) -> &HexSet {
        self.obstacles
    }

    fn meet(&self, from: HexId, direction: Direction, to: HexId) -> Option<Met> {
        let March { rules, s, m, .. } = *self;
        let near = s.field.near_enemy(m.side, to);
        let barred = rules.barred_by_enemy(s, m.side, to) // 6.4
            || m.side == Side::Allied && s.unknown.contains(to) // 25.2
            || self.shy && near // 8.4
            || near && bonds::bars(rules, &s.field, m.side, from, direction).is_some(); // 7.5
        if barred {
            return None;
        }
        let ezoc = near && s.field.in_ezoc(m.side, to);
        if ezoc && s.unit(m.unit).order != Order::Good {
            return None; // 14.2, 14.3
        }
        let jammed = self.traffic > 0 && s.traffic.iter().any(|t| t.hex() == Some(to));
        Some(Met { delay: if jammed { self.traffic } else { 0 }, stop: ezoc && self.stops })
    }
}

impl Room {
    /// Forget which searches were made.
    fn forget(&mut self) {
        self.fast.iter_mut().for_each(|kept| kept.of = None);
        self.told = None;
    }

    /// Update what does not depend on the unit.
    fn update(&mut self, rules: &Holland, s: &State, side: Side) {
        self.land.update(rules.stamp, s.field.stamp(), s.field.bridges(), &rules.land.bridge_ends);
        let unknown = if side == Side::Allied { s.unknown } else { HexSet::EMPTY };
        let slow = || {
            let mut slow = unknown;
            slow.extend(s.traffic.iter().filter_map(|at| at.hex()));
            slow
        };
        self.obstacles.update(rules.stamp, &s.field, side, (s.traffic, unknown), slow, None);
    }

    /// Everything that the mover can reach.
    fn find<'a>(&'a mut self, rules: &'a Holland, s: &'a State, m: &'a Mover, starts: &[HexId]) -> Found<'a> {
        let Room { fast, plain, land, obstacles, .. } = self;
        let Some(budget) = rules.budget(s, m) else {
            Self::find_free(plain, land, obstacles.all(), rules, s, m, starts);
            return Found::Plain(plain);
        };
        let Kept { search, of } = &mut fast[usize::from(Holland::kind(m) == BY_ROAD)];
        let mut march = March::new(rules, s, m, land, obstacles.all());
        if !of.as_ref().is_some_and(|of| of.serves(rules, s, m, budget)) {
            let part = rules.land.part;
            let sources = rules.sources_of(s, m, None, starts).map(|at| {
                let Standing { hex, layer, cost, hexes, stop, .. } = at;
                Standing { hex, layer, cost: cost / part, hexes, stop, carry: () }
            });
            search.search(&mut march, sources, budget);
            *of = Some(Searched::now(rules, s, m, budget));
        }
        Found::Fast(search, march)
    }

    /// The same where hexes are counted or nothing is paid.
    fn find_free(
        search: &mut Layered<bool>,
        land: &mut Steps,
        obstacles: &HexSet,
        rules: &Holland,
        s: &State,
        m: &Mover,
        starts: &[HexId],
    ) {
        let most = rules.most_hexes(s, m);
        let free = rules.moves_free(m);
        let part = rules.land.part;
        let kind = Holland::kind(m);
        // The first step has rules of its own (7.2, 8.4, 8.5.2), but away from the enemy they concern water only.
        let first_is_plain = m.start.is_some_and(|hex| !obstacles.contains(hex));
        // The six steps out of a hex are queried one after the other.
        let mut row = (HexId::NONE, [SHUT; 6]);
        let step = |at: &Standing<bool>, d: Direction, to: HexId| {
            if most.is_some_and(|most| at.hexes >= most) {
                return None;
            }
            let plain = (at.hexes > 0 || first_is_plain) && !obstacles.contains(to);
            if plain && row.0 != at.hex {
                let steps = || Direction::ALL.map(|d| rules.land_step(s, m, at.hex, d));
                row = (at.hex, *land.row(kind, at.hex, steps));
            }
            let known = if plain { row.1[d.index()] } else { SHUT };
            if known == SHUT {
                // Only movement that pays nothing (8.3.1, 17.2) may do what the terrain leaves open, such as crossing water.
                if plain && !free {
                    return None;
                }
                return rules.layered_step(s, m, at, to);
            }
            let mut cost = u16::from(known & SHUT) * part;
            let mut layer = at.layer;
            if known & ESCALATES != 0 {
                if layer == WOODS - 1 {
                    cost += rules.land.at(to).extra_after_two.twelfths(); // 8.6.1
                }
                layer = (layer + 1).min(WOODS - 1);
            }
            Some(LayeredStep { cost: if free { 0 } else { cost }, layer, stop: false, carry: at.carry })
        };
        let sources = rules.sources_of(s, m, None, starts);
        search.search_on(&rules.land.topology, WOODS, sources, m.allowance.twelfths(), step);
    }
}

impl Holland {
    /// Movers of one kind pay the same costs and have the same restrictions, as far as terrain is concerned (2.2.2,
    /// 8.4).
    fn kind(m: &Mover) -> usize {
        if m.mech && m.mode == Mode::Extended { BY_ROAD } else { Self::kind_of(m.mech, m.vehicle) }
    }

    const fn kind_of(mech: bool, vehicle: bool) -> usize {
        mech as usize + 2 * vehicle as usize
    }

    /// What the terrain says about a step ([`Steps`]).
    fn land_step(&self, s: &State, m: &Mover, hex: HexId, d: Direction) -> u8 {
        let Some(to) = self.land.topology.neighbour(hex, d) else { return SHUT };
        let mode = if m.mech && m.mode == Mode::Extended { Mode::Extended } else { Mode::Normal };
        let here = Stride::start(hex);
        let mut next = Stride { at: to, ..here };
        let Ok(cost) = self.cross(s, &Mover { mode, ..*m }, &here, d, &mut next) else { return SHUT };
        let cost = (cost.twelfths() / self.land.part).min(SHUT.into()) as u8;
        if next.woods > 0 && cost < SHUT { cost | ESCALATES } else { cost }
    }

    /// How a search begins: as far as the mover has come, or where it may enter.
    fn sources_of(
        &self,
        s: &State,
        m: &Mover,
        from: Option<Stride>,
        starts: &[HexId],
    ) -> impl Iterator<Item = Standing<bool>> {
        let begun = from.or(m.start.map(Stride::start));
        let starts = if begun.is_some() { &[] } else { starts };
        let entered = starts.iter().filter_map(|hex| self.step(s, m, None, *hex).ok());
        begun.into_iter().chain(entered).map(|at| standing(&at))
    }

    /// What the mover may spend, in parts of a point, if the fast search can be used: it pays, its hexes are not counted.
    fn budget(&self, s: &State, m: &Mover) -> Option<u16> {
        let budget = m.allowance.twelfths() / self.land.part;
        let pays = self.most_hexes(s, m).is_none() && !self.moves_free(m);
        (pays && self.land.extra_after_two.is_some() && usize::from(budget) <= MAX_BUDGET).then_some(budget)
    }

    /// Every hex in which the mover can end, with the cheapest path there.
    pub fn reach(
        &self,
        s: &State,
        m: &Mover,
        starts: &[HexId],
        mut each: impl FnMut(HexId, &[HexId], Points),
    ) {
        ROOM.with_borrow_mut(|room| {
            room.update(self, s, m.side);
            // Mover and starts may be imagined.
            room.forget();
            let mut found = room.find(self, s, m, starts);
            self.list_reached(s, m, 0, &mut found, &mut each);
            debug_assert!(self.same_as_by_steps(s, m, starts, &mut found));
            room.forget();
        });
    }

    /// The cheapest path of a unit to a hex in which it can end; to one that was listed before, it is found without a search.
    pub fn way_to(&self, s: &State, unit: UnitId, mode: Mode, to: HexId) -> Option<Way> {
        ROOM.with_borrow_mut(|room| {
            if let Some(way) = room.told.as_ref().and_then(|told| told.again(self, s, unit, mode, to)) {
                debug_assert_eq!(Some(way), self.find_way(s, room, unit, mode, to));
                return Some(way);
            }
            let way = self.find_way(s, room, unit, mode, to)?;
            let m = self.mover(s, unit, mode).ok()?;
            room.told = Some(Told { of: Searched::now(self, s, &m, 0), mode, to, way });
            Some(way)
        })
    }

    fn find_way(&self, s: &State, room: &mut Room, unit: UnitId, mode: Mode, to: HexId) -> Option<Way> {
        let m = self.mover(s, unit, mode).ok()?;
        let starts = self.entry_hexes(s, unit);
        room.update(self, s, m.side);
        let mut found = room.find(self, s, &m, &starts);
        let at = found.standing(to).filter(|at| at.hexes > 0 && at.cost <= m.allowance.twelfths())?;
        self.may_end(s, &m, &stride(&at)).ok()?;
        let mut way = [HexId::NONE; Way::CAPACITY];
        let way = way.get_mut(..usize::from(at.hexes))?;
        found.trace(to, way);
        Some(Way::of(way))
    }

    /// Every hex in which a unit can end a move, with the mode and the path of an action that leads there: for each hex the
    /// first of its modes. The path to a distant hex is not written out; [`Holland::way_meant`] finds it again.
    pub fn list_ends(&self, s: &State, unit: UnitId, mut each: impl FnMut(Mode, &[HexId])) {
        let starts = self.entry_hexes(s, unit);
        let extended = self.mover(s, unit, Mode::Extended).ok();
        let mut listed = HexSet::EMPTY;
        ROOM.with_borrow_mut(|room| {
            room.update(self, s, self.counter(unit).side);
            for mode in Mode::ALL {
                let Ok(m) = self.mover(s, unit, mode) else { continue };
                if m.start.is_none() && starts.is_empty() || !self.reaches_more(s, &m, &listed) {
                    continue;
                }
                // On foot, Extended Movement continues where normal movement ends: one search serves both (8.4).
                let both = mode == Mode::Normal && !m.mech && self.budget(s, &m).is_some();
                let wide = extended.as_ref().filter(|wide| both && self.budget(s, wide).is_some());
                let mut found = room.find(self, s, wide.unwrap_or(&m), &starts);
                self.list_new(s, &m, &starts, &mut found, &mut listed, |path| each(mode, path));
                debug_assert!(self.same_as_by_steps(s, &m, &starts, &mut found));
            }
        });
    }

    /// Might Tactical Movement lead to a hex that is not listed? Other modes usually go as far.
    fn reaches_more(&self, s: &State, m: &Mover, listed: &HexSet) -> bool {
        let Some(start) = m.start.filter(|_| m.mode == Mode::Tactical) else { return true };
        if self.pack.tables.movement.tactical_hexes > 2 {
            return true;
        }
        let topology = &self.land.topology;
        let more = |hex: HexId| {
            !listed.contains(hex)
                && hex != start
                && !self.barred_by_enemy(s, m.side, hex)
                && self.fits(s, m.unit, hex)
        };
        topology.neighbours(start).any(|hex| more(hex) || topology.neighbours(hex).any(more))
    }

    /// The hexes of a search in which the mover can end and that are not listed yet, each with the path of an action.
    fn list_new(
        &self,
        s: &State,
        m: &Mover,
        starts: &[HexId],
        found: &mut Found,
        listed: &mut HexSet,
        mut each: impl FnMut(&[HexId]),
    ) {
        let Found::Fast(search, march) = found else {
            // Where hexes are counted, paths are short enough to be written out.
            return self.list_reached(s, m, 0, found, &mut |hex, path, _| {
                if listed.insert(hex) {
                    each(path);
                }
            });
        };
        let allowance = m.allowance.twelfths() / self.land.part;
        let alone = self.fits_alone(s, m.unit);
        // Only these hexes need a closer look: they may hold units, or naming the hex alone may mean a single step.
        let mut close = *s.field.held(m.side);
        match m.start {
            Some(start) => {
                close.insert(start);
                close.extend(self.land.topology.neighbours(start));
            }
            None => close.extend(starts.iter().copied()),
        }
        let near = s.field.near(m.side.enemy());
        let mut path = [HexId::NONE; Way::CAPACITY];
        close.union_with(listed);
        if m.mode == Mode::Extended {
            close.union_with(near);
        }
        for &hex in search.reached_within(allowance) {
            if !close.contains(hex) {
                if alone {
                    listed.insert(hex);
                    each(&[hex]);
                }
                continue;
            }
            if listed.contains(hex) || m.mode == Mode::Extended && near.contains(hex) {
                continue; // 8.4
            }
            let Some(at) = search.standing(hex).filter(|at| at.hexes > 0) else { continue };
            if !self.fits(s, m.unit, hex) {
                continue; // 6.1
            }
            let length = if self.is_distant(m.start, starts, hex) { 1 } else { usize::from(at.hexes) };
            let Some(path) = path.get_mut(..length) else { continue };
            path.iter_mut().rev().zip(search.back(march, hex)).for_each(|(place, hex)| *place = hex);
            listed.insert(hex);
            each(path);
        }
    }

    /// A path that names this hex alone means the cheapest one there, not a single step.
    pub fn is_distant(&self, start: Option<HexId>, starts: &[HexId], hex: HexId) -> bool {
        match start {
            Some(start) => self.land.topology.direction(start, hex).is_none(),
            None => !starts.contains(&hex),
        }
    }

    /// The hexes of a search in which the mover can end; `begun`: hexes entered before the search.
    fn list_reached(
        &self,
        s: &State,
        m: &Mover,
        begun: u8,
        found: &mut Found,
        each: &mut impl FnMut(HexId, &[HexId], Points),
    ) {
        let mut path = [HexId::NONE; u8::MAX as usize];
        let hexes = *found.hexes();
        hexes.each(|hex| {
            let Some(at) = found.standing(hex) else { return };
            if at.hexes == begun
                || at.cost > m.allowance.twelfths()
                || self.may_end(s, m, &stride(&at)).is_err()
            {
                return;
            }
            let length = usize::from(at.hexes - begun);
            found.trace(hex, &mut path[..length]);
            each(hex, &path[..length], Points::from_twelfths(at.cost));
        });
    }

    /// 6.1: whether it would fit into an empty hex.
    fn fits_alone(&self, s: &State, unit: UnitId) -> bool {
        self.counter(unit).categories.train || self.within_limit(s, std::iter::once(unit))
    }

    /// Can the unit take a step in normal movement onto land where nobody is? Most can, and this is seen at one look; where it says
    /// no, a closer look is needed.
    pub fn surely_moves(&self, s: &State, room: &Room, unit: UnitId) -> bool {
        let (c, u) = (self.counter(unit), s.unit(unit));
        let (own, obstacles) = (s.field.held(c.side), room.obstacles.all());
        let Some(hex) = u.hex().filter(|hex| !obstacles.contains(*hex)) else { return false };
        let bound = u.has(Marks::BEARING_ON_MOVES)
            || !u.good_order()
            || u.oos > 0
            || c.garrison
            || c.bridging // 5.8
            || c.supply_head_piece
            || s.turn == 1; // 23.1
        let kind = Self::kind_of(self.mechanized(s, unit), c.categories.vehicle);
        let Some(row) = room.land.known(kind, hex).filter(|_| !bound) else { return false };
        let allowance = Points::whole(self.face(s, unit).allowance.into());
        let steps = row.iter().zip(self.land.topology.around(hex));
        let open = |(step, to): (&u8, &HexId)| {
            let cost = step & SHUT;
            cost < SHUT
                && u16::from(cost) * self.land.part <= allowance.twelfths()
                && !obstacles.contains(*to)
                && !own.contains(*to)
        };
        allowance > Points::ZERO && steps.into_iter().any(open) && self.fits_alone(s, unit)
    }

    /// Units of a side that might do something in a Movement Phase.
    pub fn able(&self, s: &State, side: Side) -> UnitSet {
        ROOM.with_borrow_mut(|room| {
            room.update(self, s, side);
            CANDIDATES.with_borrow_mut(|candidates| *candidates.able(self, s, room, side))
        })
    }
}
