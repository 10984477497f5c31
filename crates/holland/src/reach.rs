//! Where a unit can move, and the cheapest path there (8.1).
//!
//! Most steps of a search depend on terrain alone, which is precomputed ([`LandSteps`]). Near an enemy, a marker or
//! water, the rule for one step ([`Holland::step`]) decides.

use std::cell::RefCell;

use hexgrid::{Direction, HexId, HexSet};
use zocbond::{
    MarkerAt, Piece, Points, UnitId, UnitSet,
    moves::{
        LandSteps, Obstacles,
        layered::{Layered, LayeredStep, Standing},
    },
};

use crate::frame::Mode;
use crate::movement::{Mover, Stride};
use crate::muster::Muster;
use crate::pack::Side;
use crate::state::{Bridge, Marks, State};
use crate::world::Holland;

/// The number of Woods hexes entered is part of a path's state (8.6.1): none, one, or two and more.
const WOODS: u8 = 3;

/// What the terrain says about a step that no unit, marker or water affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LandStep {
    cost: Points,
    /// 8.6.1: it enters Woods off the road.
    woods: bool,
}

/// Kinds of movers for which the terrain is the same: by [`Holland::kind`].
const KINDS: usize = 5;

/// The hexes of Traffic markers and Unknown units (24.2, 25.2).
type Markers = ([MarkerAt; 6], HexSet);

/// Memory for searches of moves, and what is kept from one to the next.
#[derive(Debug, Default)]
pub struct Room {
    /// What is carried along a way: whether water was crossed (8.5.4).
    search: Layered<bool>,
    /// The same for the mode whose search serves two.
    wide: Layered<bool>,
    /// `None` where the rule for one step must be asked.
    land: LandSteps<Option<LandStep>, Bridge, KINDS>,
    obstacles: Obstacles<Markers>,
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

    /// What the terrain says about the steps out of a hex.
    fn land<'a>(
        land: &'a mut LandSteps<Option<LandStep>, Bridge, KINDS>,
        rules: &Holland,
        s: &State,
        m: &Mover,
        hex: HexId,
    ) -> &'a [Option<LandStep>; 6] {
        let kind = Holland::kind(m);
        land.row(kind, hex, || Direction::ALL.map(|d| rules.land_step(s, m, hex, d)))
    }

    /// Everything that the mover can reach.
    fn find(&mut self, rules: &Holland, s: &State, m: &Mover, starts: &[HexId]) {
        let Room { search, land, obstacles, .. } = self;
        let most = rules.most_hexes(s, m);
        let free = rules.moves_free(m);
        let obstacles = obstacles.all();
        // The first step has rules of its own (7.2, 8.4, 8.5.2), but away from the enemy they concern water only.
        let first_is_plain = m.start.is_some_and(|hex| !obstacles.contains(hex));
        // The six steps out of a hex are queried one after the other.
        let mut row = (HexId::NONE, [None; 6]);
        let step = |at: &Standing<bool>, d: Direction, to: HexId| {
            if most.is_some_and(|most| at.hexes >= most) {
                return None;
            }
            let plain = (at.hexes > 0 || first_is_plain) && !obstacles.contains(to);
            if plain && row.0 != at.hex {
                row = (at.hex, *Self::land(land, rules, s, m, at.hex));
            }
            let known = if plain { row.1[d.index()] } else { None };
            let Some(known) = known else {
                // Only movement that pays nothing (8.3.1, 17.2) may do what the terrain leaves open, such as crossing water.
                if plain && !free {
                    return None;
                }
                return rules.layered_step(s, m, at, to);
            };
            let mut cost = known.cost;
            let mut layer = at.layer;
            if known.woods {
                if layer == WOODS - 1 {
                    cost += rules.land.at(to).extra_after_two; // 8.6.1
                }
                layer = (layer + 1).min(WOODS - 1);
            }
            let cost = if free { 0 } else { cost.twelfths() };
            Some(LayeredStep { cost, layer, stop: false, carry: at.carry })
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

    /// What the terrain says about a step, if that decides it: `None` where the step is barred, or water must be
    /// crossed by Tactical Movement.
    fn land_step(&self, s: &State, m: &Mover, hex: HexId, d: Direction) -> Option<LandStep> {
        let to = self.land.topology.neighbour(hex, d)?;
        let mode = if m.mech && m.mode == Mode::Extended { Mode::Extended } else { Mode::Normal };
        let here = Stride::start(hex);
        let mut next = Stride { at: to, ..here };
        let cost = self.cross(s, &Mover { mode, ..*m }, &here, d, &mut next).ok()?;
        Some(LandStep { cost, woods: next.woods > 0 })
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
        found: &Layered<bool>,
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
            // 6.3, 8.4: a quick form of `may_end` for hexes without units
            let may_end = if own.contains(hex) || near.contains(hex) {
                self.may_end(s, m, &stride(at)).is_ok()
            } else {
                alone
            };
            debug_assert_eq!(may_end, self.may_end(s, m, &stride(at)).is_ok());
            if !may_end {
                return;
            }
            let length = usize::from(at.hexes - begun);
            for (place, hex) in path[..length].iter_mut().rev().zip(found.back(hex)) {
                *place = hex;
            }
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
            self.find_by_steps(s, m, Some(from), &[], search);
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

    fn same_as_by_steps(&self, s: &State, m: &Mover, starts: &[HexId], found: &Layered<bool>) -> bool {
        let mut plain = Layered::default();
        self.find_by_steps(s, m, None, starts, &mut plain);
        let within = |at: &Standing<bool>| at.cost <= m.allowance.twelfths();
        let hexes = found.hexes().iter().filter(|hex| found.standing(*hex).is_some_and(within));
        hexes.clone().eq(plain.hexes().iter())
            && hexes
                .into_iter()
                .all(|hex| found.standing(hex) == plain.standing(hex) && found.back(hex).eq(plain.back(hex)))
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
        let open = |(step, to): (&Option<LandStep>, &HexId)| {
            step.is_some_and(|step| step.cost <= allowance) && !obstacles.contains(*to) && !own.contains(*to)
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
