//! Where a unit can move, and the cheapest path there (8.1).
//!
//! Most steps of a search depend on terrain alone, which is precomputed ([`LandSteps`]). What a unit meets near an enemy
//! or a marker is looked up by [`March`]. Where hexes are counted or nothing is paid, the plain search asks the rule for
//! one step ([`Holland::step`]); the fast one is tested against it.

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};
use zocbond::{
    MarkerAt, Piece, Points, Topology, UnitId, UnitSet, bonds,
    moves::{
        LandSteps, MAX_BUDGET, Met, Obstacles, SHUT,
        layered::{Layered, LayeredStep, Standing},
        tiring::{self, TIRES, Tiring, Trek},
    },
};

use crate::frame::Mode;
use crate::movement::{Mover, Stride};
use crate::muster::Muster;
use crate::options::Switch;
use crate::pack::Side;
use crate::state::{Bridge, Marks, Order, State};
use crate::world::Holland;

/// The number of Woods hexes entered is part of a path's state (8.6.1): none, one, or two and more.
const WOODS: u8 = tiring::LAYERS as u8;

/// Kinds of movers for which the terrain is the same: by [`Holland::kind`].
const KINDS: usize = 5;

/// The costs of the steps out of a hex, in parts of a point ([`crate::land::Land::part`]): [`SHUT`] where the terrain
/// bars them or leaves them open, such as crossing water, and with [`TIRES`] into Woods off the road (8.6.1).
type Steps = LandSteps<u8, Bridge, KINDS>;

/// The hexes of Traffic markers and Unknown units (24.2, 25.2).
type Markers = ([MarkerAt; 6], HexSet);

/// Memory for searches of moves, and what is kept from one to the next.
#[derive(Debug, Default)]
pub struct Room {
    search: Found,
    /// The same for the mode whose search serves two.
    wide: Found,
    land: Steps,
    obstacles: Obstacles<Markers>,
}

/// The result of a search: of the fast one wherever it can be used.
#[derive(Debug, Default)]
struct Found {
    fast: Tiring,
    /// What is carried along a way: whether water was crossed (8.5.4).
    plain: Layered<bool>,
    by_fast: bool,
    /// Twelfths in a part of a point.
    part: u16,
}

impl Found {
    fn hexes(&self) -> &HexSet {
        if self.by_fast { self.fast.hexes() } else { self.plain.hexes() }
    }

    /// The end of the best path to a hex.
    #[inline]
    fn standing(&self, hex: HexId) -> Option<Standing<bool>> {
        if !self.by_fast {
            return self.plain.standing(hex).copied();
        }
        let Standing { hex, layer, cost, hexes, stop, carry: () } = self.fast.standing(hex)?;
        // Whoever pays does not cross water.
        Some(Standing { hex, layer, cost: cost * self.part, hexes, stop, carry: false })
    }

    /// Writes the last hexes of the best path to a hex.
    #[inline]
    fn trace(&self, hex: HexId, path: &mut [HexId]) {
        let places = path.iter_mut().rev();
        if self.by_fast {
            places.zip(self.fast.back(hex)).for_each(|(place, hex)| *place = hex);
        } else {
            places.zip(self.plain.back(hex)).for_each(|(place, hex)| *place = hex);
        }
    }
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::default();
    static MUSTER: RefCell<Muster> = RefCell::default();
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

impl Trek for March<'_> {
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
    fn find(&mut self, rules: &Holland, s: &State, m: &Mover, starts: &[HexId]) {
        let Room { search, land, obstacles, .. } = self;
        let part = rules.land.part;
        let budget = m.allowance.twelfths() / part;
        let pays = rules.most_hexes(s, m).is_none() && !rules.moves_free(m);
        search.part = part;
        let extra = rules.land.extra_after_two.filter(|_| pays && usize::from(budget) <= MAX_BUDGET);
        let Some(extra) = extra else {
            search.by_fast = false;
            return Self::find_free(&mut search.plain, land, obstacles.all(), rules, s, m, starts);
        };
        search.by_fast = true;
        let parts = |points: u8| Points::whole(points.into()).twelfths() / part;
        let t = &rules.pack.tables;
        let shy = m.mech && m.mode == Mode::Extended;
        let leave = match m.start {
            Some(start) if shy && s.field.near_enemy(m.side, start) => SHUT.into(), // 8.4
            Some(start) if s.field.in_ezoc(m.side, start) => parts(t.movement.leave_ezoc), // 7.2
            _ => 0,
        };
        let jams = m.mech && m.side == Side::Allied;
        let mut march = March {
            rules,
            s,
            m,
            land,
            kind: Holland::kind(m),
            obstacles: obstacles.all(),
            leave,
            extra,
            stops: !(rules.on(Switch::ReconSlips) && rules.counter(m.unit).recon_circle), // 2.4.6
            shy,
            traffic: if jams { parts(t.traffic.extra_cost) } else { 0 }, // 24.2
        };
        let sources = rules.sources_of(s, m, None, starts).map(|at| {
            let Standing { hex, layer, cost, hexes, stop, .. } = at;
            Standing { hex, layer, cost: cost / part, hexes, stop, carry: () }
        });
        search.fast.search(&mut march, sources, budget);
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
            if known & TIRES != 0 {
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
        if m.mech && m.mode == Mode::Extended {
            KINDS - 1 // 8.4: by road only
        } else {
            Self::kind_of(m.mech, m.vehicle)
        }
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
        if next.woods > 0 && cost < SHUT { cost | TIRES } else { cost }
    }

    /// One step, decided by the rule itself.
    fn layered_step(
        &self,
        s: &State,
        m: &Mover,
        at: &Standing<bool>,
        to: HexId,
    ) -> Option<LayeredStep<bool>> {
        let next = self.step(s, m, Some(stride(at)), to).ok()?;
        let cost = next.spent.twelfths() - at.cost;
        Some(LayeredStep { cost, layer: next.woods, stop: next.stopped, carry: next.crossed })
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
            room.find(self, s, m, starts);
            self.list_reached(s, m, 0, &room.search, &mut each);
            debug_assert!(self.same_as_by_steps(s, m, starts, &room.search));
        });
    }

    /// The same for every mode in turn, with its index in [`Mode::ALL`].
    pub fn reach_by_mode(
        &self,
        s: &State,
        unit: UnitId,
        starts: &[HexId],
        mut each: impl FnMut(Mode, HexId, &[HexId], Points),
    ) {
        ROOM.with_borrow_mut(|room| {
            room.update(self, s, self.counter(unit).side);
            let extended = self.mover(s, unit, Mode::Extended).ok();
            let mut found_wide = false;
            for mode in Mode::ALL {
                let Ok(m) = self.mover(s, unit, mode) else { continue };
                if m.start.is_none() && starts.is_empty() {
                    continue;
                }
                // On foot, Extended Movement continues where normal movement ends: one search serves both (8.4).
                let both = extended.filter(|m| {
                    matches!(mode, Mode::Normal | Mode::Extended) && !m.mech && !self.moves_free(m)
                });
                match both {
                    Some(wide) if !found_wide => {
                        room.find(self, s, &wide, starts);
                        std::mem::swap(&mut room.search, &mut room.wide);
                        found_wide = true;
                    }
                    Some(_) => {}
                    None => room.find(self, s, &m, starts),
                }
                let found = if both.is_some() { &room.wide } else { &room.search };
                self.list_reached(s, &m, 0, found, &mut |hex, path, spent| each(mode, hex, path, spent));
                debug_assert!(self.same_as_by_steps(s, &m, starts, found));
            }
        });
    }

    /// The hexes of a search in which the mover can end; `begun`: hexes entered before the search.
    fn list_reached(
        &self,
        s: &State,
        m: &Mover,
        begun: u8,
        found: &Found,
        each: &mut impl FnMut(HexId, &[HexId], Points),
    ) {
        let mut path = [HexId::NONE; u8::MAX as usize];
        let alone = self.fits_alone(s, m.unit);
        let own = s.field.held(m.side);
        let near = s.field.near(m.side.enemy());
        found.hexes().each(|hex| {
            let Some(at) = found.standing(hex) else { return };
            if at.hexes == begun || at.cost > m.allowance.twelfths() {
                return;
            }
            // 6.3, 8.4: a quick form of `may_end` for hexes without own units
            let may_end = if own.contains(hex) {
                self.may_end(s, m, &stride(&at)).is_ok()
            } else {
                alone && !(m.mode == Mode::Extended && near.contains(hex))
            };
            debug_assert_eq!(may_end, self.may_end(s, m, &stride(&at)).is_ok());
            if !may_end {
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

    /// The same from the mover's current hex, each step decided by the rule itself.
    pub fn reach_on(
        &self,
        s: &State,
        m: &Mover,
        from: Stride,
        mut each: impl FnMut(HexId, &[HexId], Points),
    ) {
        ROOM.with_borrow_mut(|Room { search, .. }| {
            search.by_fast = false;
            self.find_by_steps(s, m, Some(from), &[], &mut search.plain);
            self.list_reached(s, m, from.hexes, search, &mut each);
        });
    }

    /// The plain search, against which the fast one is tested.
    fn find_by_steps(
        &self,
        s: &State,
        m: &Mover,
        from: Option<Stride>,
        starts: &[HexId],
        search: &mut Layered<bool>,
    ) {
        let sources = self.sources_of(s, m, from, starts);
        let budget = m.allowance.twelfths();
        search.search_on(&self.land.topology, WOODS, sources, budget, |at, _, to| {
            self.layered_step(s, m, at, to)
        });
    }

    fn same_as_by_steps(&self, s: &State, m: &Mover, starts: &[HexId], found: &Found) -> bool {
        let mut plain = Layered::default();
        self.find_by_steps(s, m, None, starts, &mut plain);
        let within = |at: Standing<bool>| at.cost <= m.allowance.twelfths();
        let hexes = found.hexes().iter().filter(|hex| found.standing(*hex).is_some_and(within));
        hexes.clone().eq(plain.hexes().iter())
            && hexes.into_iter().all(|hex| {
                let mut path = [HexId::NONE; u8::MAX as usize];
                let length = plain.standing(hex).map_or(0, |at| usize::from(at.hexes) + 1);
                found.trace(hex, &mut path[..length]);
                let back = path[..length].iter().rev().copied().take_while(|hex| *hex != HexId::NONE);
                found.standing(hex) == plain.standing(hex).copied() && back.eq(plain.back(hex))
            })
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
            MUSTER.with_borrow_mut(|muster| *muster.able(self, s, room, side))
        })
    }
}
