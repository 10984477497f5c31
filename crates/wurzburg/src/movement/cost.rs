//! The cost of a hex for a force, and whether it may enter it at all (16.1 to 16.5, 16.8, 17).

use std::ops::{Deref, DerefMut};

use hexgrid::{Direction, HexId, HexSet};

use crate::{
    field::Edge,
    pack::Road,
    rules::Wurzburg,
    state::{Flags, HexMark, Mine, State},
    units::{OpKind, Side, Symbol, UnitId, UnitSet},
};

/// Quarters of a Movement Point.
pub const QUARTERS: u8 = 4;

/// The kind of movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// In an operation of its own side.
    Operation(OpKind),
    /// 19.4
    Reaction,
}

/// A river hexside: whether it is bridged, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum River {
    None,
    /// An intact civil bridge (17.3).
    Civil,
    /// A military bridge that the mover may use (34.4).
    Military,
    Saale,
    Main,
}

/// A force about to move.
#[derive(Clone, Copy, Debug)]
pub struct Mover<'a> {
    pub rules: &'a Wurzburg,
    pub s: &'a State,
    traits: Traits,
    /// What is in front of it, for searches over many hexes.
    front: Option<&'a Front>,
}

/// What the rules need to know about all units of a force together; accessed as fields of its [`Mover`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traits {
    pub side: Side,
    pub way: Way,
    pub force: UnitSet,
    pub from: HexId,
    /// Left and allowed, in quarters.
    pub mp: u8,
    pub allowance: u8,
    /// Has not moved in this operation: minimum movement is possible (16.2).
    pub fresh: bool,
    /// 37.4 item 3: it leaves its minefield carefully, for one hex only.
    pub careful: bool,
    pub leg: bool,
    pub(super) dummy: Option<UnitId>,
    pub(super) maneuver: bool,
    pub(super) engineer: Option<UnitId>,
    pub(super) far_from_lead: Option<UnitId>,
    pub(super) shattered: Option<UnitId>,
    /// In an airmobile operation (29.3.4).
    pub(super) airmobile: Option<UnitId>,
    pub(super) tactical: bool,
    /// What the force may still spend on roads in a WP Hasty Attack (16.5).
    pub(super) road_left: u8,
    /// 42.0 step 8: it charges through, past this hex.
    pub(super) charges: HexId,
}

impl Deref for Mover<'_> {
    type Target = Traits;

    #[inline]
    fn deref(&self) -> &Traits {
        &self.traits
    }
}

impl DerefMut for Mover<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Traits {
        &mut self.traits
    }
}

/// What is in front of a side: hexes with enemy ground units, hexes adjacent to them, hexes with markers, and all of
/// these together.
#[derive(Clone, Copy, Debug)]
pub struct Front {
    pub(super) enemy: HexSet,
    pub(super) near: HexSet,
    pub(super) marked: HexSet,
    pub(super) special: HexSet,
}

/// The cost of a hexside where no enemies, markers, rivers, cities or map edges matter: most of them.
#[derive(Clone, Copy, Debug)]
pub struct Ground {
    pub(super) to: HexId,
    /// The usual cost (16.1.1).
    pub(super) plain: u8,
    /// The cost by road (16.4.1); 0 where there is none.
    pub(super) road: u8,
    /// None of these matters here, whatever happens.
    pub(super) ordinary: bool,
}

/// One step of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// In quarters; 255 where only minimum movement allows it.
    pub cost: u8,
    pub road: bool,
    /// After it, no more road movement (16.5).
    pub tactical: bool,
}

impl<'a> Mover<'a> {
    pub fn new(rules: &'a Wurzburg, s: &'a State, side: Side, way: Way, force: UnitSet) -> Mover<'a> {
        let traits = Traits {
            side,
            way,
            force,
            from: HexId::NONE,
            mp: u8::MAX,
            allowance: 0,
            fresh: true,
            careful: false,
            leg: false,
            dummy: None,
            maneuver: false,
            engineer: None,
            far_from_lead: None,
            shattered: None,
            airmobile: None,
            tactical: false,
            road_left: u8::MAX,
            charges: HexId::NONE,
        };
        let mut mover = Mover { rules, s, traits, front: None };
        for unit in &force {
            let u = s.unit(unit);
            let counter = rules.counter(unit);
            mover.from = u.hex;
            // 16.6.2: the least of all units of the force.
            mover.mp = mover.mp.min(match way {
                Way::Operation(_) => u.mp,
                Way::Reaction => rules.tables.operations.reaction.mp * QUARTERS,
            });
            let allowance = rules.allowance(s, unit, way);
            mover.allowance = mover.allowance.max(allowance);
            mover.road_left = mover.road_left.min(allowance);
            mover.fresh &= !s.op.moved.contains(unit) || way == Way::Reaction;
            mover.leg |= counter.leg;
            mover.maneuver |= counter.symbol.maneuver();
            mover.tactical |= u.is(Flags::TACTICAL);
            if u.dummy() {
                mover.dummy = Some(unit);
            }
            if counter.symbol == Symbol::Engineer {
                mover.engineer = Some(unit);
            }
            if rules.shattered(s, unit) {
                mover.shattered = Some(unit);
            }
            if s.op.airmobile && counter.airmobile && way != Way::Reaction {
                mover.airmobile = Some(unit);
            }
            // 12.3.2.1: WP units of a regiment's operation that started too far from the Lead Unit marker.
            let regiment = side == Side::Wp && !s.op.base && way != Way::Reaction;
            if regiment && !s.op.near_lead.contains(unit) {
                mover.far_from_lead = Some(unit);
            }
        }
        if mover.mp == u8::MAX {
            mover.mp = 0;
        }
        // 16.5: half of the least allowance, less what has been spent of it.
        let least = mover.road_left;
        mover.road_left = (least / 2).saturating_sub(least.saturating_sub(mover.mp));
        mover
    }

    /// No steps are split off: a dummy moves (11.3).
    pub fn as_dummy(&mut self, unit: UnitId) {
        self.dummy = Some(unit);
        self.maneuver = false;
    }

    /// With a precomputed front.
    #[must_use]
    pub fn before(self, front: &'a Front) -> Mover<'a> {
        Mover { front: Some(front), ..self }
    }

    pub fn traits(&self) -> &Traits {
        &self.traits
    }

    /// For questions about tactical movement (16.4).
    pub fn keep_off_roads(&mut self) {
        self.tactical = true;
    }

    /// 42.0 step 8: a force that charges through must not move adjacent to enemies outside the Objective Hex.
    pub fn charge(&mut self, objective: HexId) {
        self.charges = objective;
        self.fresh = false;
    }

    /// Whether a hex may not be entered because of enemies in it, or because the force charges past them.
    pub(super) fn barred(&self, hex: HexId) -> bool {
        let enemy = self.side.enemy();
        let held = match self.front {
            Some(front) => front.enemy.contains(hex),
            None => self.rules.holds(self.s, hex, enemy),
        };
        held || self.charges != HexId::NONE && {
            let row = self.rules.field.board.neighbour_row(hex);
            let passed = |near: &HexId| *near != self.charges && self.rules.holds(self.s, *near, enemy);
            hex == self.charges || row.iter().any(passed)
        }
    }

    /// Whether a hex is adjacent to an enemy. A charging force may not enter such a hex.
    pub fn near(&self, hex: HexId) -> bool {
        self.charges == HexId::NONE
            && match self.front {
                Some(front) => front.near.contains(hex),
                None => self.rules.next_to(self.s, hex, self.side.enemy()),
            }
    }

    /// For questions about an operation other than the current one: no unit has moved or started too far from its
    /// marker.
    pub fn rested(&mut self) {
        let least = self.force.iter().map(|unit| self.rules.allowance(self.s, unit, self.way)).min();
        let least = least.unwrap_or(0);
        let traits = &mut self.traits;
        (traits.mp, traits.allowance, traits.road_left) = (least, least, least / 2);
        self.far_from_lead = None;
        self.fresh = true;
    }

    /// The markers of a hex.
    pub(super) fn mark(&self, hex: HexId) -> Option<&HexMark> {
        if self.front.is_none_or(|front| front.marked.contains(hex)) { self.s.mark(hex) } else { None }
    }

    pub(super) fn obstacle(&self, hex: HexId) -> bool {
        self.mark(hex).is_some_and(|mark| mark.obstacle)
    }

    /// 16.4: whether road movement is allowed with these Movement Points spent.
    fn road_right(&self, spent: u8, cost: u8) -> bool {
        match self.way {
            Way::Operation(OpKind::March | OpKind::Reserve) => true,
            // 16.5: only within the first half, and paid for entirely from it.
            Way::Operation(OpKind::HastyAttack) => {
                let before = self.allowance.saturating_sub(self.mp);
                let now = spent.saturating_sub(before).saturating_add(cost);
                self.side == Side::Wp && now <= self.road_left
            }
            Way::Operation(OpKind::Assault) | Way::Reaction => false,
        }
    }

    fn entitled(&self) -> bool {
        match self.way {
            Way::Operation(OpKind::March | OpKind::Reserve) => true,
            Way::Operation(OpKind::HastyAttack) => self.side == Side::Wp,
            Way::Operation(OpKind::Assault) | Way::Reaction => false,
        }
    }

    /// 16.8.6: whether road movement into or out of this hex is allowed (16.4).
    fn road_near(&self, hex: HexId) -> bool {
        !self.near(hex) || self.rules.protected(self.s, self.side, &self.force, hex)
    }

    /// 16.4.1: the cost by a road that leads over the hexside.
    fn road_cost(&self, road: Road, to: HexId) -> u8 {
        let movement = &self.rules.tables.movement;
        let cost = self.rules.road_quarters(road, to);
        let smoke = if self.mark(to).is_some_and(|mark| mark.smoke) { movement.smoke * QUARTERS } else { 0 };
        cost + smoke
    }

    /// 16.1.1: normal costs, given the road over the hexside; `None` where terrain forbids it.
    fn plain_cost(&self, from: HexId, direction: Direction, to: HexId, road: Option<Road>) -> Option<u8> {
        let rules = self.rules;
        let movement = &rules.tables.movement;
        if self.way == Way::Reaction && road.is_some() && !self.obstacle(to) {
            // 19.4: exactly 1 MP along any road; an Obstacle cancels those of its hex (16.4.3).
            return Some(movement.reaction_along_any * QUARTERS);
        }
        let edge = rules.field.edge(from, direction);
        let mut cost = rules.tables.terrain(rules.field.terrain(to)).mp;
        cost += match rules.river(self.s, self.side, from, direction) {
            River::None => 0,
            River::Civil | River::Military => movement.bridge,
            River::Saale => movement.saale_unbridged, // 17.1, 17.0
            River::Main => return None,               // 17.2
        };
        if edge.any(Edge::IMPASSABLE) && road.is_none() {
            return None; // 16.1.3
        }
        if edge.any(Edge::UP) {
            cost += movement.slope_up;
        }
        if let Some(mark) = self.mark(to) {
            cost += u8::from(mark.obstacle) * movement.obstacle + u8::from(mark.smoke) * movement.smoke;
        }
        Some(cost * QUARTERS)
    }

    /// Whether the force can afford it. 16.2: minimum movement as the only hex of a move.
    pub fn affords(&self, spent: u8, cost: u8, first: bool) -> bool {
        if self.leg {
            // 29.3.1, 16.1.2: leg infantry one hex
            return first && self.fresh;
        }
        u16::from(spent) + u16::from(cost) <= u16::from(self.allowance) || (first && self.fresh)
    }

    /// The cheapest way across a hexside, regardless of what is left.
    pub fn step(
        &self,
        from: HexId,
        direction: Direction,
        spent: u8,
        tactical: bool,
    ) -> Option<(HexId, Step)> {
        let to = self.rules.field.neighbour(from, direction)?;
        if !self.rules.area.contains(to) || self.barred(to) {
            return None; // 16.8.8
        }
        if self.kept_objective(to) {
            return None; // 13.5.3
        }
        let near = self.near(to);
        if near && self.adjacent_refusal(to).is_some() {
            return None;
        }
        if self.hazardous(to) && self.hazard_refusal(from, direction, to).is_some() {
            return None;
        }
        let road = self.rules.road(self.s, from, direction);
        // 16.4.3, 16.4.4: no road into an Obstacle, none out of a minefield it started in.
        if let Some(road) = road.filter(|_| !tactical && !self.tactical && self.entitled()) {
            let cost = self.road_cost(road, to);
            if self.road_right(spent, cost)
                && !self.obstacle(to)
                && !self.in_mines(from)
                && self.road_near(from)
                && self.road_near(to)
            {
                return Some((to, Step { cost, road: true, tactical }));
            }
        }
        let cost = match self.plain_cost(from, direction, to, road) {
            Some(cost) => cost,
            // 16.2: leg infantry can climb Impassable Slopes.
            None if self.leg && self.rules.river(self.s, self.side, from, direction) != River::Main => 0,
            None => return None,
        };
        // 37.4 item 3: a forced exit.
        let forced = if self.in_mines(from) && !self.careful {
            self.rules.tables.movement.minefield_forced_exit * QUARTERS
        } else {
            0
        };
        let cost = cost.saturating_add(forced);
        // 16.5: after a tactical step next to the enemy a WP Hasty Attack stays tactical.
        let hasty = self.way == Way::Operation(OpKind::HastyAttack) && self.side == Side::Wp;
        Some((to, Step { cost, road: false, tactical: tactical || (hasty && near) }))
    }

    /// Whether only costs matter for this force, as long as neither enemies nor markers are near.
    pub(super) fn unhindered(&self) -> bool {
        !self.leg
            && self.dummy.is_none()
            && self.shattered.is_none()
            && self.charges == HexId::NONE
            && !self.s.op.kept
    }

    /// [`Mover::step`] for an unhindered force, across an ordinary hexside between hexes without anything special: most
    /// steps of a search, without the conditions.
    #[inline]
    pub(super) fn quick_step(&self, ground: &Ground, spent: u8, tactical: bool) -> Step {
        let by_road = ground.road > 0 && !tactical && !self.tactical && self.entitled();
        if by_road && self.road_right(spent, ground.road) {
            return Step { cost: ground.road, road: true, tactical };
        }
        // 19.4
        let reacts = self.way == Way::Reaction && ground.road > 0;
        let along = self.rules.tables.movement.reaction_along_any * QUARTERS;
        Step { cost: if reacts { along } else { ground.plain }, road: false, tactical }
    }

    /// 13.5.3: an Objective Hex that was found empty and kept may not be entered by movement.
    pub(super) fn kept_objective(&self, to: HexId) -> bool {
        self.s.op.kept && to == self.s.op.objective && self.way != Way::Reaction
    }

    /// 37.4 item 3: whether it starts in a minefield that it did not lay.
    pub fn in_mines(&self, hex: HexId) -> bool {
        hex == self.from
            && self.mark(hex).is_some_and(|mark| mark.mine == Mine::Real)
            && !self.force.iter().all(|unit| self.s.unit(unit).is(Flags::LAYER))
    }

    /// Whether [`Mover::hazard_refusal`] can apply to this hex.
    #[inline]
    fn hazardous(&self, to: HexId) -> bool {
        let city = || self.rules.field.terrain(to) == crate::field::Terrain::City;
        self.dummy.is_some() || self.shattered.is_some() || self.side == Side::Wp && city()
    }

    /// 17.5 step 3: the normal cost of a far-bank hex, ignoring the river hexside.
    pub fn bank_cost(&self, from: HexId, direction: Direction, to: HexId) -> u8 {
        let movement = &self.rules.tables.movement;
        let mut cost = self.rules.tables.terrain(self.rules.field.terrain(to)).mp;
        if self.rules.field.edge(from, direction).any(Edge::UP) {
            cost += movement.slope_up;
        }
        if let Some(mark) = self.mark(to) {
            cost += u8::from(mark.obstacle) * movement.obstacle + u8::from(mark.smoke) * movement.smoke;
        }
        cost * QUARTERS
    }
}
