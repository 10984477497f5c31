//! Movement (8): the cost of a step, where a unit can go, and the move with its interruptions.

use hexgrid::{Direction, HexId};
use kernel::RefusalKind;
use serde::{Deserialize, Serialize};
use zocbond::{Array, List, Points, UnitId, bonds};

use crate::frame::Mode;
use crate::land::Water;
use crate::options::Switch;
use crate::pack::{Crossing, Half, Side};
use crate::refusal::{Bar, Legal, refuse};
use crate::state::{Marks, Order, Place, State, Units};
use crate::world::Holland;

/// The state of a unit's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stride {
    pub at: HexId,
    pub spent: Points,
    /// Hexes entered.
    pub hexes: u8,
    /// 8.6.1: Woods entered off the road, up to 2.
    pub woods: u8,
    /// 8.5.4: an unbridged Canal, Major River or Lake has been crossed.
    pub crossed: bool,
    /// It must stop here (7.2).
    pub stopped: bool,
}

impl Stride {
    /// Before the first step.
    pub const fn start(at: HexId) -> Stride {
        Stride { at, spent: Points::ZERO, hexes: 0, woods: 0, crossed: false, stopped: false }
    }
}

/// A moving unit, or the units of a stack that move together (8.1): each pays its own costs, all stop together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Party {
    pub units: Units,
    /// Their hex and what all have in common; `None` before they enter the map.
    pub at: Option<Stride>,
    /// What each has spent.
    pub spent: Array<Points, 12>,
}

impl Party {
    /// Units before their first step.
    pub fn new(units: Units, start: Option<HexId>) -> Party {
        Party { units, at: start.map(Stride::start), spent: Array::default() }
    }

    pub fn hex(&self) -> Option<HexId> {
        self.at.map(|at| at.at)
    }

    /// The state of one unit's move.
    fn stride(&self, i: usize) -> Option<Stride> {
        self.at.map(|at| Stride { spent: self.spent[i], ..at })
    }
}

/// The edge hexes of an area and the nearest ones of its neighbours: capacity for more than a map edge has.
pub type EntryHexes = List<HexId, 96>;

/// The properties of a move.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    pub unit: UnitId,
    pub side: Side,
    pub mode: Mode,
    pub mech: bool,
    pub vehicle: bool,
    pub allowance: Points,
    pub start: Option<HexId>,
    /// Steps of the same stack that cross water before it (8.5.3, 8.5.6).
    pub ahead: u8,
    /// The stack that it moves with; empty for a single unit.
    pub with: Units,
}

impl Holland {
    /// Whether this unit may move at all in this mode, and how far.
    pub fn mover(&self, s: &State, unit: UnitId, mode: Mode) -> Result<Mover, Bar> {
        let u = s.unit(unit);
        if u.has(Marks::MOVED) {
            return refuse("8.2", "refuse.moved"); // 8.2
        }
        self.going_on(s, unit, mode)
    }

    /// The rule that limits a unit to Tactical Movement (8.3), if any.
    fn bound_to_tactical(&self, s: &State, unit: UnitId) -> Option<&'static str> {
        let c = self.counter(unit);
        let u = s.unit(unit);
        if u.order == Order::Disrupted {
            Some("14.2")
        } else if u.has(Marks::SCATTERED) {
            Some("22.3.6")
        } else if u.has(Marks::SPENT) {
            Some("20.2")
        } else if u.oos >= 2 {
            Some("18.4")
        } else if c.supply_head_piece {
            Some("18.3.1")
        } else if s.turn == 1 && c.side == Side::German {
            Some("23.1")
        } else {
            None
        }
    }

    /// The same for a unit that may already have begun its move.
    pub fn going_on(&self, s: &State, unit: UnitId, mode: Mode) -> Result<Mover, Bar> {
        let c = self.counter(unit);
        let u = s.unit(unit);
        let face = crate::pack::Face { allowance: self.allowance(s, unit), ..self.face(s, unit) };
        let table = self.pack.tables.movement;
        if u.has(Marks::ENGAGED) {
            return refuse("11.5", "refuse.engaged"); // 11.5
        }
        if face.allowance == 0 {
            return refuse("2.3.4", "refuse.immobile"); // 2.3.4
        }
        if u.has(Marks::ON_ENEMY) {
            return refuse("22.3.5", "refuse.on_enemy"); // 22.3.5
        }
        if c.bridging && self.repairs(s, unit) {
            return refuse("5.8", "refuse.repairing"); // 5.8
        }
        if c.garrison && !self.is_free_garrison(s, unit) {
            return refuse("23.7", "refuse.garrison"); // 23.7
        }
        let bound = self.bound_to_tactical(s, unit);
        let tactical_only = bound.is_some();
        let allowance = match mode {
            Mode::Normal => {
                if let Some(rule) = bound {
                    return Err(Bar::of_kind(rule, "refuse.tactical_only", RefusalKind::OtherMode));
                }
                face.allowance
            }
            Mode::Tactical => {
                if face.allowance < 2 {
                    return refuse("8.3.1", "refuse.too_slow"); // 8.3.1
                }
                0
            }
            Mode::Extended => {
                let barred = tactical_only
                    || !u.good_order()
                    || u.oos > 0
                    || c.categories.artillery
                    || c.categories.train
                    || u.has(Marks::LANDED); // 8.4
                if barred {
                    return refuse("8.4", "refuse.no_extended"); // 8.4
                }
                face.allowance + table.extended_bonus
            }
            Mode::Gun => {
                // The artillery unit that took the last marker continues with it.
                let none_left = s.moved_markers[c.side.index()] == 0 && !u.has(Marks::GUN_MOVED);
                let barred = !c.categories.artillery || none_left || u.has(Marks::LANDED); // 17.2, 22.5
                if barred || tactical_only {
                    return refuse("17.2", "refuse.no_moved_marker"); // 17.2
                }
                table.artillery_moved
            }
        };
        if u.has(Marks::REPL) && mode == Mode::Extended {
            return refuse("20.4", "refuse.repl"); // 20.4
        }
        Ok(Mover {
            unit,
            side: c.side,
            mode,
            mech: self.mechanized(s, unit),
            vehicle: c.categories.vehicle,
            allowance: Points::whole(allowance.into()),
            start: match u.at() {
                Place::Hex(hex) => Some(hex),
                _ => None,
            },
            ahead: 0,
            with: Units::new(),
        })
    }

    /// How many hexes the mover may enter, where they are counted (8.3.1, 17.2, 20.4).
    pub fn most_hexes(&self, s: &State, m: &Mover) -> Option<u8> {
        if s.unit(m.unit).has(Marks::REPL) {
            return Some(1); // 20.4
        }
        match m.mode {
            Mode::Tactical => Some(self.pack.tables.movement.tactical_hexes), // 8.3.1
            Mode::Normal if self.counter(m.unit).categories.artillery => Some(1), // 17.2
            _ => None,
        }
    }

    /// Whether it pays nothing, regardless of terrain (8.3.1, 17.2).
    pub fn moves_free(&self, m: &Mover) -> bool {
        m.mode == Mode::Tactical || m.mode == Mode::Normal && self.counter(m.unit).categories.artillery
    }

    /// One step of a unit or a stack (8.1).
    pub fn step_all(&self, s: &State, party: &Party, mode: Mode, to: HexId) -> Result<Party, Bar> {
        let mut next = *party;
        let mut ahead = 0;
        for (i, unit) in party.units.iter().enumerate() {
            let m = Mover { ahead, with: party.units, ..self.going_on(s, *unit, mode)? };
            let at = self.step(s, &m, party.stride(i), to)?;
            next.spent[i] = at.spent;
            let stopped = i > 0 && next.at.is_some_and(|at| at.stopped);
            next.at = Some(Stride { stopped: at.stopped || stopped, ..at });
            ahead += self.ferry_steps(s, *unit);
        }
        Ok(next)
    }

    /// Where a unit or a stack may end its move (6.3, 8.4).
    pub fn may_all_end(&self, s: &State, party: &Party, mode: Mode) -> Legal {
        let Some(at) = party.at else { return refuse("8.1", "refuse.no_path") };
        if let [unit] = party.units[..] {
            let m = self.going_on(s, unit, mode)?;
            return self.may_end(s, &m, &at);
        }
        if !self.all_fit(s, &party.units, at.at) {
            return refuse("6.1", "refuse.stacking"); // 6.1
        }
        let side = self.counter(party.units[0]).side;
        if mode == Mode::Extended && s.field.near_enemy(side, at.at) {
            return refuse("8.4", "refuse.extended_adjacent"); // 8.4
        }
        Ok(())
    }

    /// Check the rest of the path of a unit or a stack from its present hex; returns its end.
    pub fn check_way(&self, s: &State, party: &Party, mode: Mode, way: &[HexId]) -> Result<Party, Bar> {
        let mut at = *party;
        for hex in way {
            if !self.land.in_play.contains(*hex) {
                return refuse("8.1", "refuse.off_map");
            }
            at = self.step_all(s, &at, mode, *hex)?;
        }
        Ok(at)
    }

    /// One step of a move; `from` is the present state, `None` for the first hex of a unit that enters the map.
    pub fn step(&self, s: &State, m: &Mover, from: Option<Stride>, to: HexId) -> Result<Stride, Bar> {
        let most = self.most_hexes(s, m);
        let free = self.moves_free(m);
        let here = from.unwrap_or(Stride {
            at: to,
            spent: Points::ZERO,
            hexes: 0,
            woods: 0,
            crossed: false,
            stopped: false,
        });
        if here.stopped {
            return refuse("7.2", "refuse.stopped"); // 7.2
        }
        if self.barred_by_enemy(s, m.side, to) {
            return refuse("6.4", "refuse.enemy"); // 6.4
        }
        if m.side == Side::Allied && s.unknown.contains(to) {
            return refuse("25.2", "refuse.unknown"); // 25.2
        }
        if most.is_some_and(|n| here.hexes >= n) {
            let rule = match m.mode {
                _ if s.unit(m.unit).has(Marks::REPL) => "20.4",
                Mode::Normal => "17.2",
                _ => "8.3.1",
            };
            return Err(Bar::of_kind(rule, "refuse.too_far", RefusalKind::TooFar)); // 8.3.1, 17.2, 20.4
        }
        let mut next = Stride { at: to, hexes: here.hexes + 1, ..here };
        let ground = self.land.at(to);
        let column = usize::from(m.mech);
        let mut cost;
        match from {
            None => {
                // 19.3: the road rate along a road, otherwise the hex's own cost
                let road =
                    self.land.entry_roads.iter().filter(|(hex, _)| *hex == to).map(|(_, c)| c[column]).min();
                if road.is_none() && m.vehicle && ground.by_road_only {
                    return refuse("8.6.2", "refuse.road_only"); // 8.6.2
                }
                if road.is_none() && m.mech && m.mode == Mode::Extended {
                    return refuse("8.4", "refuse.extended_road"); // 8.4
                }
                cost = road.unwrap_or(if m.mech { ground.mech } else { ground.foot });
                if m.mech && road.is_some() {
                    // 19.3: units that entered before on the same road
                    let before = s.entered_at.iter().find(|(hex, _)| *hex == to).map_or(0, |(_, n)| *n);
                    cost += Points::thirds(before.into());
                }
            }
            Some(_) => {
                let d = self.land.topology.direction(here.at, to);
                let Some(d) = d else { return refuse("8.1", "refuse.not_adjacent") };
                // 8.3.3, H-03: the alternative reading lets Infiltration cross Bonds into Woods, Town and City
                let slips = self.on(Switch::InfiltrateBonds) && self.infiltrates(s, m, to);
                if !slips && bonds::bars(self, &s.field, m.side, here.at, d).is_some() {
                    return refuse("7.5", "refuse.bond"); // 7.5
                }
                cost = self.cross(s, m, &here, d, &mut next)?;
                let first = m.start == Some(here.at) && here.hexes == 0;
                if first && m.mode == Mode::Extended && m.mech && s.field.near_enemy(m.side, here.at) {
                    return refuse("8.4", "refuse.extended_adjacent"); // 8.4
                }
                if first && !free && s.field.in_ezoc(m.side, here.at) {
                    cost += Points::whole(self.pack.tables.movement.leave_ezoc.into()); // 7.2
                }
            }
        }
        if m.mech && m.side == Side::Allied && s.traffic.iter().any(|t| t.hex() == Some(to)) {
            cost += Points::whole(self.pack.tables.traffic.extra_cost.into()); // 24.2, 24.5
        }
        if !free {
            next.spent += cost;
            if next.spent > m.allowance {
                return refuse("8.1", "refuse.no_points"); // 8.1
            }
        }
        let order = s.unit(m.unit).order;
        if s.field.in_ezoc(m.side, to) {
            if order != Order::Good {
                return refuse(order.rule(), "refuse.disordered_ezoc"); // 14.2, 14.3
            }
            let slips = self.on(Switch::ReconSlips) && self.counter(m.unit).recon_circle; // 2.4.6
            next.stopped = !self.infiltrates(s, m, to) && !slips; // 7.2, 7.3, 8.3.2
        }
        if m.mode == Mode::Extended && m.mech && s.field.near_enemy(m.side, to) {
            return refuse("8.4", "refuse.extended_adjacent"); // 8.4
        }
        Ok(next)
    }

    /// 8.3.3: Non-Vehicle units in Good Order continue through Woods, Town and City by Tactical Movement; motorized
    /// ones if dismounted.
    pub fn infiltrates(&self, s: &State, m: &Mover, to: HexId) -> bool {
        m.mode == Mode::Tactical
            && !m.vehicle
            && !m.mech
            && s.unit(m.unit).good_order()
            && self.land.at(to).infiltration
    }

    /// 6.4; a Supply Head alone does not stop an enemy (18.3.1).
    pub fn barred_by_enemy(&self, s: &State, side: Side, hex: HexId) -> bool {
        s.field.enemy_in(side, hex)
            && self.stack(s, side.enemy(), hex).any(|u| !self.counter(u).supply_head_piece)
    }

    /// The cost of crossing a hexside into the next hex.
    pub fn cross(
        &self,
        s: &State,
        m: &Mover,
        here: &Stride,
        d: Direction,
        next: &mut Stride,
    ) -> Result<Points, Bar> {
        let side = *self.side_toward(here.at, d);
        let to = next.at;
        let (ground, left) = (self.land.at(to), self.land.at(here.at));
        let column = usize::from(m.mech);
        let bridge = side.bridge.filter(|b| s.field.bridge((*b).into()) != crate::state::Bridge::Blown);
        let standing = bridge.is_some() && self.bridged(&s.field, here.at, d);
        let rail = standing
            && bridge.is_some_and(|b| self.land.bridges[usize::from(b)].kind == atlas::BridgeKind::Railroad);
        let ferry = bridge.filter(|b| self.land.bridges[usize::from(*b)].kind == atlas::BridgeKind::Ferry);
        if let Some(road) = side.road.filter(|_| side.water == Water::None || standing) {
            return Ok(road[column]); // 8.8
        }
        if m.mode == Mode::Extended && m.mech {
            return refuse("8.4", "refuse.extended_road"); // 8.4
        }
        let pontoon = self.ferry_at(s, m.side, self.map.board.side(here.at, d));
        let carried = rail || ferry.is_some() || pontoon.is_some();
        if m.vehicle && !carried && (ground.by_road_only || left.by_road_only) {
            return refuse("8.6.2", "refuse.road_only"); // 8.6.2
        }
        let mut cost = if m.mech { ground.mech } else { ground.foot };
        if ground.extra_after_two > Points::ZERO {
            if here.woods >= 2 {
                cost += ground.extra_after_two; // 8.6.1
            }
            next.woods = (here.woods + 1).min(2);
        }
        if side.water == Water::None {
            return Ok(cost);
        }
        if rail {
            let row = self.pack.tables.railroad_bridge;
            cost += Points::whole(if m.mech { row.mech } else { row.foot }.into()); // 8.5.5
            return Ok(cost);
        }
        if let Some(engineer) = pontoon {
            self.by_engineer_ferry(s, m, here, engineer)?; // 23.3.3
            next.crossed = true;
            return Ok(cost);
        }
        if let Some(ferry) = ferry {
            self.by_ferry(s, m, here, to, ferry)?;
            next.crossed = true;
            return Ok(cost);
        }
        match side.crossing {
            None => {
                if m.vehicle {
                    return refuse("8.5.1", "refuse.vehicle_river"); // 8.5.1
                }
                cost += if m.mech { side.mech } else { side.foot }; // 8.5.1
            }
            Some(crossing) => {
                let canal = crossing == Crossing::Tactical;
                let rule = if canal { "8.5.2" } else { "8.5.3" };
                if here.crossed {
                    return refuse("8.5.4", "refuse.water_twice"); // 8.5.4
                }
                if m.mode != Mode::Tactical {
                    return Err(Bar::of_kind(rule, "refuse.water", RefusalKind::OtherMode)); // 8.5.2, 8.5.3
                }
                if here.hexes > 0 || canal && m.vehicle {
                    return refuse(rule, "refuse.water"); // 8.5.2, 8.5.3
                }
                if !canal && self.engineer_for(s, m, here.at, to).is_none() {
                    return refuse("8.5.3", "refuse.no_engineer"); // 8.5.3
                }
                next.crossed = true;
            }
        }
        Ok(cost)
    }

    /// 8.5.6
    fn by_ferry(&self, s: &State, m: &Mover, here: &Stride, to: HexId, ferry: u16) -> Legal {
        let used = s.ferried[m.side.index()].iter().filter(|b| **b == ferry).count();
        let ezoc = s.field.in_ezoc(m.side, here.at) || s.field.in_ezoc(m.side, to);
        let full = used + usize::from(m.ahead) >= usize::from(self.pack.tables.movement.ferry_steps);
        if m.mode != Mode::Tactical {
            return Err(Bar::of_kind("8.5.6", "refuse.ferry", RefusalKind::OtherMode)); // 8.5.6
        }
        if ezoc || full || here.crossed {
            return refuse("8.5.6", "refuse.ferry"); // 8.5.6
        }
        if self.ferry_steps(s, m.unit) > 1 {
            return refuse("8.5.6", "refuse.ferry_steps"); // 8.5.6
        }
        Ok(())
    }

    /// 23.3.3: units cross by Tactical Movement, three steps per phase, even into an EZOC.
    fn by_engineer_ferry(&self, s: &State, m: &Mover, here: &Stride, engineer: UnitId) -> Legal {
        let room = self.carried_by(s, engineer) + m.ahead + self.ferry_steps(s, m.unit)
            <= self.pack.tables.movement.engineer_steps;
        if m.mode != Mode::Tactical {
            return Err(Bar::of_kind("23.3.3", "refuse.ferry", RefusalKind::OtherMode)); // 23.3.3
        }
        if here.crossed || !room {
            return refuse("23.3.3", "refuse.ferry"); // 23.3.3
        }
        Ok(())
    }

    /// Steps that a unit needs on a ferry; a Supply Head counts as one (8.5.6).
    pub fn ferry_steps(&self, s: &State, unit: UnitId) -> u8 {
        let c = self.counter(unit);
        if c.supply_head_piece { 1 } else { self.face(s, unit).stacking.max(1) }
    }

    /// 8.5.3: an Engineer in one of the two hexes that has not moved and has room for the unit. One that moves alone helps itself.
    pub fn engineer_for(&self, s: &State, m: &Mover, a: HexId, b: HexId) -> Option<UnitId> {
        let most = self.pack.tables.movement.engineer_steps;
        [a, b].into_iter().flat_map(|hex| self.stack(s, m.side, hex)).find(|u| {
            let e = s.unit(*u);
            let itself = *u == m.unit && m.with.len() <= 1;
            self.counter(*u).engineer
                && e.good_order()
                && (itself || *u != m.unit && !m.with.contains(*u) && !e.has(Marks::MOVED))
                && !e.has(Marks::FERRY)
                && self.carried_by(s, *u) + m.ahead + self.ferry_steps(s, m.unit) <= most
        })
    }

    /// Where the move may end (6.3, 8.4).
    pub fn may_end(&self, s: &State, m: &Mover, at: &Stride) -> Legal {
        if !self.fits(s, m.unit, at.at) {
            return refuse("6.1", "refuse.stacking"); // 6.1
        }
        if m.mode == Mode::Extended && s.field.near_enemy(m.side, at.at) {
            return refuse("8.4", "refuse.extended_adjacent"); // 8.4
        }
        Ok(())
    }

    /// The whole path of a move, checked.
    pub fn check_path(&self, s: &State, m: &Mover, path: &[HexId]) -> Result<Stride, Bar> {
        let mut at = m.start.map(Stride::start);
        for hex in path {
            if !self.land.in_play.contains(*hex) {
                return refuse("8.1", "refuse.off_map");
            }
            at = Some(self.step(s, m, at, *hex)?);
        }
        let Some(end) = at.filter(|_| !path.is_empty()) else { return refuse("8.1", "refuse.no_path") };
        self.may_end(s, m, &end)?;
        Ok(end)
    }

    /// 19.2, 19.3, 19.4, 23.5: the edge hexes by which a unit off the map may enter.
    pub fn entry_hexes(&self, s: &State, unit: UnitId) -> EntryHexes {
        let area = match s.unit(unit).at() {
            Place::Box(area) => area,
            Place::Holding if self.counter(unit).side == Side::German => match self.pack.boxes.first() {
                Some(b) if s.turn >= b.from_turn + u8::from(self.on(Switch::LateReserve)) => {
                    self.pack.areas.iter().position(|a| a.id == b.entry).map_or(u8::MAX, |i| i as u8) // 23.5
                }
                _ => return EntryHexes::new(),
            },
            _ => return EntryHexes::new(),
        };
        let Some(a) = self.land.areas.get(usize::from(area)) else { return EntryHexes::new() };
        let open = |hex: &HexId| {
            self.land.in_play.contains(*hex)
                && !s.field.enemy_in(a.side, *hex)
                && !s.field.in_ezoc(a.side, *hex)
        };
        let mut out: EntryHexes =
            a.hexes.iter().copied().filter(|h| self.land.in_play.contains(*h)).collect();
        if out.iter().any(open) {
            return out;
        }
        // 19.4: units of a closed area may also enter by the nearest hex of a neighbouring area
        let own = out.len();
        for next in &a.beside {
            let free = self.land.areas[usize::from(*next)].hexes.iter().copied().filter(open);
            let far = |hex: &HexId| a.hexes.iter().map(|h| self.map.board.distance(*h, *hex)).min();
            if let Some(hex) = free.min_by_key(far) {
                out.add(hex);
            }
        }
        out.rotate_left(own);
        out
    }

    /// Whether the hex belongs to an area next to the one whose box the unit is in (19.4).
    pub fn neighbour_area_has(&self, s: &State, unit: UnitId, hex: HexId) -> bool {
        let Place::Box(area) = s.unit(unit).at() else { return false };
        let beside = self.land.areas.get(usize::from(area)).into_iter().flat_map(|a| &a.beside);
        beside.into_iter().any(|next| self.land.areas[usize::from(*next)].hexes.contains(&hex))
    }

    pub fn is_night(&self, s: &State) -> bool {
        self.turn(s).half == Half::Night
    }
}
