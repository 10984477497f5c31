//! The cost of one step of a move, and what forbids it (4.5.1.1.2 to 4.5.1.1.11). Pure.

use hexgrid::{Direction, HexId};

use super::{Walk, bar::Bar};
use crate::{
    action::Part,
    field::Edge,
    pack::{Traction, advanced::FeatureKind},
    rules::Panzer,
    state::{Command, Flags, State},
    units::UnitId,
};

/// A moving vehicle: its hex, its facing, what it has spent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cursor {
    pub hex: HexId,
    pub facing: Direction,
    pub walk: Walk,
}

/// No way through.
const BARRED: u8 = u8::MAX;

/// Which of [`Panzer::steps`].
const fn steps_of(traction: Traction, along: bool) -> usize {
    traction as usize + if along { Traction::ALL.len() } else { 0 }
}

/// A cost from the Basic Game's table, or from that of the Advanced Game for units other than vehicles.
fn extra(basic: &[Option<u8>; 3], more: Option<&[Option<u8>; 3]>, traction: Traction) -> Option<u8> {
    let n = traction as usize;
    basic.get(n).copied().unwrap_or_else(|| more.and_then(|more| more[n - basic.len()]))
}

impl Panzer {
    /// Levels of height between two neighbours; a crest between equal hexes counts as one.
    pub fn levels(&self, from: HexId, to: HexId, edge: Edge) -> u8 {
        let levels = self.field.elevation(from).abs_diff(self.field.elevation(to));
        if edge.any(Edge::CREST) { levels.max(1) } else { levels }
    }

    /// The cost of going forward through a hexside, with everything on it except smoke; `along`: at path or road speed.
    fn hexside_cost(
        &self,
        traction: Traction,
        from: HexId,
        direction: Direction,
        along: bool,
    ) -> Result<u8, Bar> {
        let to = self.field.neighbour(from, direction).ok_or(Bar::MapEdge)?;
        let edge = self.field.edge(from, direction);
        let tables = self.tables();
        if edge.any(Edge::CLIFF) {
            return Err(Bar::Cliff); // 4.1.4.1.5
        }
        let bridge = self.field.ground(from).bridge || self.field.ground(to).bridge;
        if bridge && !edge.any(Edge::WAY) {
            return Err(Bar::Bridge); // 4.5.1.1.6
        }
        let leg = traction == Traction::Leg;
        if along && !leg && !edge.any(Edge::WAY) {
            return Err(Bar::OffWay); // 4.5.1.1.5
        }
        if along && leg && !self.quick_ground(to) {
            return Err(Bar::QuickGround(to)); // 6.6.4.2
        }
        let more = self.advanced.as_deref().map(crate::piece::AdvancedGame::tables);
        let cost = if along && !leg || edge.any(Edge::TRACK) && !traction.on_foot() {
            self.road_cost(traction) // 4.5.1.1.5, 4.5.1.1.11: regardless of terrain
        } else {
            self.terrain_cost(traction, to) // 4.5.1.1.2
        };
        let mut cost = cost.ok_or(Bar::Prohibited(self.field.terrain(to)))?;
        // A road, path or track through a wall is a gap in it.
        if !edge.any(Edge::WAY) {
            if edge.any(Edge::WALL) {
                cost += extra(&tables.wall, more.map(|t| &t.wall), traction).ok_or(Bar::Wall)?;
            }
            if edge.any(Edge::HEDGEROW) {
                cost += extra(&tables.hedgerow, more.map(|t| &t.hedgerow), traction).ok_or(Bar::Hedgerow)?;
            }
            if edge.any(Edge::DEFILADE) {
                cost += extra(&tables.defilade, more.map(|t| &t.defilade), traction).ok_or(Bar::Defilade)?;
            }
        }
        let levels = self.levels(from, to, edge);
        if levels > 0 {
            let n = usize::from(levels) - 1;
            let row = tables.levels.get(n).ok_or(Bar::Levels(levels))?;
            let height = extra(row, more.map(|t| &t.levels[n]), traction).ok_or(Bar::Levels(levels))?;
            // 4.5.1.1.5: one less where a path or road leads up or down; not for units on foot (6.6.4.1).
            let way = edge.any(Edge::ROAD.with(Edge::PATH)) && !traction.on_foot();
            cost += height - u8::from(way).min(height);
        }
        Ok(cost)
    }

    /// Precompute the cost of every hexside.
    pub(crate) fn measure_steps(&mut self) {
        let field = &self.field;
        self.tracks =
            field.hexes().any(|hex| Direction::ALL.into_iter().any(|d| field.edge(hex, d).any(Edge::TRACK)));
        for along in [false, true] {
            let kinds = if self.advanced.is_some() { Traction::ALL.len() } else { 3 };
            for traction in Traction::ALL.into_iter().take(kinds) {
                let mut steps = Vec::with_capacity(self.field.count() * 6);
                for hex in self.field.hexes() {
                    for direction in Direction::ALL {
                        let cost = self.hexside_cost(traction, hex, direction, along);
                        steps.push(cost.unwrap_or(BARRED));
                    }
                }
                self.steps[steps_of(traction, along)] = steps;
            }
        }
    }

    /// The cost of entering a hex through a hexside.
    #[inline]
    pub fn entry_cost(
        &self,
        s: &State,
        traction: Traction,
        from: HexId,
        direction: Direction,
        along: bool,
        back: bool,
    ) -> Result<(HexId, u8), Bar> {
        let mut cost = self.steps[steps_of(traction, along)][from.index() * 6 + direction.index()];
        if cost == BARRED {
            return Err(self.hexside_cost(traction, from, direction, along).err().unwrap_or(Bar::MapEdge));
        }
        let to = self.field.neighbour(from, direction).ok_or(Bar::MapEdge)?;
        cost = self.works_cost(s, traction, to, cost)?; // 6.1.4.3
        if s.smoke.contains(to) {
            cost += self.tables().modifiers.smoke_enter; // 4.5.1.1.2
        } else {
            cost += self.murk_cost(s, traction, to); // 6.1.4.3.12
        }
        Ok((to, if back { cost * 2 } else { cost })) // 4.5.1.1.7
    }

    /// The Turn cost of a hex (4.5.1.1.4), including smoke (4.5.1.1.2).
    pub fn turn_cost(&self, s: &State, hex: HexId, along: bool) -> u8 {
        let mut turn = if along { self.tables().road.turn } else { self.effects(hex).turn };
        if let Some(game) = self.advanced.as_deref().filter(|_| self.rubble(s, hex)) {
            turn = game.tables().rubble.turn;
        }
        let smoke = match () {
            () if s.smoke.contains(hex) => self.tables().modifiers.smoke_turn,
            () => self.murk_cost(s, Traction::Tracked, hex),
        };
        turn + smoke
    }

    /// 4.5.1.1.4: the first hexside in a hex is free, two or three cost once.
    pub fn turning(&self, s: &State, hex: HexId, along: bool, turned: u8, by: u8) -> u8 {
        let due = by > 0 && turned < 2 && turned + by >= 2;
        if due { self.turn_cost(s, hex, along) } else { 0 }
    }

    /// 4.5.1.1.1, 3.7: the points that a move may spend in its present state.
    pub fn allowance(&self, s: &State, walk: &Walk) -> u8 {
        let factor = &self.vehicle(walk.unit).movement;
        let printed = match () {
            () if !walk.along || walk.tracks > 0 => factor.cross_country, // 4.5.1.1.11
            // 6.6.4.2: the Quickmarch allowance.
            () if walk.roads > walk.paths || factor.traction == Traction::Leg => factor.road,
            () => factor.path, // 4.5.1.1.5: equal numbers count as path
        };
        // 7.36: half of the road and path allowance at night.
        let night = self.optional(36) && walk.along && factor.traction != Traction::Leg;
        let printed = if night { (printed / 2).max(factor.cross_country.min(printed)) } else { printed };
        let halt = u8::from(s.unit(walk.unit).command == Command::ShortHalt);
        let allowance = (printed >> (halt + walk.halved)).max(1); // 3.7
        // 4.4.3.2.6, 6.6.2: half of what was left of the kind of movement in use, each time.
        let slowed = walk.slowed_at.iter().flatten();
        slowed.fold(allowance, |left, [spent, _]| spent.saturating_add(left.saturating_sub(*spent) / 2))
    }

    /// Whether an enemy, a wreck or overstacking in a hex denies path and road movement through it (4.5.1.1.5).
    fn way_denied(&self, s: &State, unit: UnitId, hex: HexId) -> Result<(), Bar> {
        if s.wrecks.contains(hex) {
            return Err(Bar::Wreck(hex));
        }
        let side = self.vehicle(unit).side;
        let mut count = 1;
        for other in s.in_hex(hex).filter(|other| *other != unit) {
            let (o, u) = (self.vehicle(other), s.unit(other));
            if u.passenger() {
                continue;
            }
            // 6.6.4.1: Leg units on foot do not deny it; detached guns, motorcycles and abandoned vehicles do.
            if o.side != side && o.movement.traction != Traction::Leg {
                return Err(Bar::Enemy(hex));
            }
            if matches!(o.movement.traction, Traction::Gun | Traction::Motorcycle) || u.is(Flags::BAILED) {
                return Err(Bar::Wreck(hex));
            }
            count += u8::from(o.stacks);
        }
        if count >= self.tables().modifiers.overstacked { Err(Bar::Overstacked(hex)) } else { Ok(()) }
    }

    /// 4.5.1.1.6: a bridge that a road leads to is a road hex, whatever continues at its other end.
    fn road_bridge(&self, hex: HexId) -> bool {
        self.field.ground(hex).bridge
            && Direction::ALL.into_iter().any(|d| self.field.edge(hex, d).any(Edge::ROAD))
    }

    /// 4.5.1.1.11: how much more the terrain of a hex entered along a track costs than the track. It is owed if the hex
    /// is not left by a hexside of the track, or of the path or road that continues it.
    pub(super) fn track_debt(
        &self,
        traction: Traction,
        from: HexId,
        direction: Direction,
        to: HexId,
        back: bool,
    ) -> u8 {
        if !self.tracks || !self.field.edge(from, direction).any(Edge::TRACK) {
            return 0;
        }
        if traction.on_foot() {
            return 0;
        }
        let road = self.road_cost(traction).unwrap_or(0);
        let extra = self.terrain_cost(traction, to).map(|cost| cost.saturating_sub(road));
        extra.map_or(u8::MAX, |extra| if back { extra.saturating_mul(2) } else { extra })
    }

    /// What is owed for the hex that is left through this hexside (4.5.1.1.11).
    pub(super) fn off_track(&self, walk: &Walk, hex: HexId, direction: Direction) -> Result<u8, Bar> {
        match walk.track_debt {
            0 => Ok(0),
            _ if self.field.edge(hex, direction).any(Edge::WAY) => Ok(0),
            u8::MAX => Err(Bar::Prohibited(self.field.terrain(hex))),
            debt => Ok(debt),
        }
    }

    /// One part of a move whose further parts are known: a hex that will be left off the track is paid for in full when
    /// it is entered (4.5.1.1.11).
    pub fn take_next(
        &self,
        s: &State,
        at: &mut Cursor,
        part: Part,
        rest: impl Iterator<Item = Part> + Clone,
    ) -> Result<u8, Bar> {
        // 6.6.3: a vehicle that leaves a building for another hex pays only for that hex.
        let steps = |next: Part| matches!(next, Part::Forward | Part::Back | Part::Exit { .. });
        let next = rest.clone().find(|next| !matches!(next, Part::Turn(_)));
        at.walk.leaving = next.is_some_and(steps);
        let cost = self.take(s, at, part)?;
        if at.walk.along
            || at.walk.track_debt == 0
            || !matches!(part, Part::Forward | Part::Back | Part::Overrun(_))
        {
            return Ok(cost);
        }
        let mut facing = at.facing;
        for next in rest {
            if let Part::Turn(to) = next {
                facing = to;
            }
            if matches!(next, Part::Door | Part::Floor) {
                break;
            }
            let Some(through) = next.through(facing) else { continue };
            let owed = self.off_track(&at.walk, at.hex, through)?;
            if owed > 0 {
                self.pay(s, &mut at.walk, owed)?;
                at.walk.track_debt = 0;
            }
            return Ok(cost.saturating_add(owed));
        }
        Ok(cost)
    }

    /// 6.1.4.3.7: a vehicle that has entered the hex of an Improved Position goes no farther in this move.
    #[inline]
    pub(super) fn holds_vehicles(&self, s: &State, unit: UnitId, hex: HexId) -> bool {
        s.works.hexes.contains(hex)
            && self.is_vehicle(unit)
            && s.works.has(hex, FeatureKind::ImprovedPosition)
    }

    /// One part of a move: changes the cursor and returns the cost.
    pub fn take(&self, s: &State, at: &mut Cursor, part: Part) -> Result<u8, Bar> {
        let unit = at.walk.unit;
        let landed = at.walk.landed.take();
        match part {
            Part::Turn(facing) => {
                let by = at.facing.angle_to(facing);
                // 5.5, 6.6.4.1: units on foot turn at no cost.
                let foot = self.vehicle(unit).movement.traction.on_foot();
                let cost = if foot { 0 } else { self.turning(s, at.hex, at.walk.along, at.walk.turned, by) };
                let left = self.limit(s, &at.walk).saturating_sub(at.walk.spent);
                if cost > left {
                    return Err(Bar::TurnAllowance { cost, left }); // 4.5.1.1.4
                }
                at.facing = facing;
                at.walk.alley = 0;
                at.walk.turned = at.walk.turned.saturating_add(by);
                at.walk.turn_paid |= cost > 0;
                at.walk.spent += cost;
                if at.walk.along {
                    let across = self.turning(s, at.hex, false, at.walk.turned.saturating_sub(by), by);
                    at.walk.across = at.walk.across.saturating_add(across);
                }
                Ok(cost)
            }
            Part::Door => self.door(s, at),
            Part::Floor => self.floor(s, at),
            Part::Partly => {
                let free = s.works.has(at.hex, FeatureKind::ImprovedPosition);
                if !self.is_vehicle(unit) || !free {
                    return Err(Bar::NoPosition(at.hex));
                }
                at.walk.partly = true;
                Ok(0)
            }
            Part::Forward | Part::Back => {
                let back = part == Part::Back;
                let direction = if back { at.facing.opposite() } else { at.facing }; // 3.3
                if back && self.tows(s, unit) {
                    return Err(Bar::Towing);
                }
                let traction = self.vehicle(unit).movement.traction;
                if at.walk.inside {
                    return Err(Bar::Inside); // 6.6.3
                }
                if at.walk.up {
                    return Err(Bar::Upstairs); // 6.6.4.1
                }
                if at.walk.hexes > 0 && self.holds_vehicles(s, unit, at.hex) {
                    return Err(Bar::ImprovedPosition(at.hex));
                }
                let (to, mut cost) = self.entry_cost(s, traction, at.hex, direction, at.walk.along, back)?;
                self.ride_step(s, at, to, direction)?;
                if traction.on_foot() {
                    at.walk.climbed += self.foot_step(s, at, to, direction)?;
                } else if at.walk.along {
                    let across = self.entry_cost(s, traction, at.hex, direction, false, back);
                    at.walk.across = at.walk.across.saturating_add(across.map_or(u8::MAX, |(_, cost)| cost));
                } else {
                    cost = cost.saturating_add(self.off_track(&at.walk, at.hex, direction)?);
                }
                at.walk.track_debt = self.track_debt(traction, at.hex, direction, to, back);
                if at.walk.along && !traction.on_foot() {
                    self.way_denied(s, unit, to)?;
                    let edge = self.field.edge(at.hex, direction);
                    if edge.any(Edge::ROAD) || self.road_bridge(to) {
                        at.walk.roads += 1;
                    } else if edge.any(Edge::PATH) {
                        at.walk.paths += 1;
                    } else {
                        at.walk.tracks += 1;
                    }
                }
                self.pay(s, &mut at.walk, cost)?;
                at.hex = to;
                at.walk.hexes += 1;
                at.walk.turned = 0;
                at.walk.loaded = false;
                at.walk.backed = back;
                at.walk.alley = self.terrain_cost(traction, to).unwrap_or(0);
                Ok(cost)
            }
            Part::Mount(other) => self.take_mount(s, at, other),
            Part::Overrun(target) => self.take_overrun(s, at, target),
            Part::Assault(target) => {
                // 6.6.1.1: only a unit that has just dismounted.
                let Some((attacker, from)) = landed else {
                    return Err(Bar::Fight("6.6.1.1", "assault.mounted", target, target));
                };
                match self.bar_to_dismount_attack(s, attacker, from, target) {
                    Some((rule, key)) => Err(Bar::Fight(rule, key, attacker, target)),
                    None => Ok(0),
                }
            }
            Part::Search { partial, facing, .. } => self.take_search(s, at, partial, facing),
            Part::Dismount { unit: passenger, hex, .. } => {
                let before = at.walk.spent;
                let aboard = self.riders(s, unit, &at.walk).contains(&passenger);
                let bar = if aboard {
                    self.bar_to_dismount(s, passenger, at.hex, hex)
                } else {
                    Some(("6.6.7", "transport.not_aboard"))
                };
                if let Some((rule, key)) = bar {
                    return Err(Bar::Transport(rule, key, passenger));
                }
                self.load(s, &mut at.walk)?;
                at.walk.off.insert(passenger);
                at.walk.landed = Some((passenger, hex));
                Ok(at.walk.spent - before)
            }
            Part::Bail { unit: passenger, .. } => {
                // 6.6.7.1.2
                let bar = match () {
                    () if !self.riders(s, unit, &at.walk).contains(&passenger) => "transport.not_aboard",
                    () if s.unit(passenger).suppressed() => "transport.bail_suppressed",
                    () if self.enemies_in(s, passenger, at.hex) => "transport.enemy",
                    () => {
                        at.walk.off.insert(passenger);
                        return Ok(0);
                    }
                };
                Err(Bar::Transport("6.6.7.1.2", bar, passenger))
            }
            Part::Exit { back } => {
                if at.walk.inside || at.walk.up {
                    return Err(if at.walk.up { Bar::Upstairs } else { Bar::Inside });
                }
                let direction = if back { at.facing.opposite() } else { at.facing };
                if self.field.neighbour(at.hex, direction).is_some() {
                    return Err(Bar::NotAtEdge);
                }
                let owed = self.off_track(&at.walk, at.hex, direction)?;
                // 4.5.1.1.9: as for the terrain of the hex that is left.
                let traction = self.vehicle(unit).movement.traction;
                let cost = if at.walk.along {
                    self.road_cost(traction)
                } else {
                    self.terrain_cost(traction, at.hex)
                };
                let cost = cost.ok_or(Bar::Prohibited(self.field.terrain(at.hex)))?;
                let cost = if back { cost * 2 } else { cost }.saturating_add(owed);
                self.pay(s, &mut at.walk, cost)?;
                at.walk.hexes += 1;
                at.hex = HexId::NONE;
                Ok(cost)
            }
        }
    }

    /// 6.6.7.1.1: a unit mounts a vehicle, in its own move or in the vehicle's.
    fn take_mount(&self, s: &State, at: &mut Cursor, other: UnitId) -> Result<u8, Bar> {
        let unit = at.walk.unit;
        if self.is_vehicle(unit) {
            let before = at.walk.spent;
            let riders = self.riders(s, unit, &at.walk);
            if at.walk.on.contains(other) || at.walk.off.contains(other) {
                return Err(Bar::Transport("6.6.7.1.1", "transport.spent", other));
            }
            if let Some((rule, key)) = self.bar_to_mount(s, other, unit, at.hex, &riders) {
                return Err(Bar::Transport(rule, key, other));
            }
            if self.own_portee(s, other, unit) {
                // 5.2.1: all of the truck's movement.
                if at.walk.spent > 0 || at.walk.hexes > 0 || at.walk.turned > 0 {
                    return Err(Bar::Transport("5.2.1", "transport.portee_moved", other));
                }
                at.walk.spent = self.limit(s, &at.walk);
                (at.walk.turn_paid, at.walk.loaded) = (true, true);
                at.walk.hexes += 1;
            } else {
                self.load(s, &mut at.walk)?;
            }
            at.walk.on.insert(other);
            return Ok(at.walk.spent - before);
        }
        // It spends its whole allowance.
        if at.walk.spent > 0 || at.walk.hexes > 0 {
            return Err(Bar::Transport("6.6.7.1.1", "transport.spent", unit));
        }
        // What was checked at the start still holds on arrival.
        let begun = s.walk.active && s.walk.unit == unit;
        if let Some((rule, key)) = self.may_mount(s, unit, other).filter(|_| !begun) {
            return Err(Bar::Transport(rule, key, unit));
        }
        at.walk.spent = self.limit(s, &at.walk);
        at.walk.hexes += 1;
        Ok(at.walk.spent)
    }

    /// The most that a move may spend while its end is not known: at path and road speed the greater allowance may
    /// apply in the end (4.5.1.1.5).
    pub(crate) fn limit(&self, s: &State, walk: &Walk) -> u8 {
        if walk.along && walk.tracks == 0 && self.vehicle(walk.unit).movement.traction != Traction::Leg {
            self.allowance(s, &Walk { roads: walk.paths + 1, ..*walk })
        } else {
            self.allowance(s, walk)
        }
    }

    /// 6.6.3: enter or leave the building of the hex. Directly from another hex it costs no more than the building.
    fn door(&self, s: &State, at: &mut Cursor) -> Result<u8, Bar> {
        let entry = self.building_entry(s, at.walk.unit, at.hex)?;
        let traction = self.vehicle(at.walk.unit).movement.traction;
        let cost = match at.walk.inside {
            true if at.walk.leaving => 0,
            true => self.terrain_cost(traction, at.hex).unwrap_or(0),
            false if at.walk.alley > 0 && at.walk.backed => return Err(Bar::DoorReverse),
            false => entry.cost.saturating_sub(at.walk.alley),
        };
        // 4.5.1.1.3: one hex, here including the building in it, is always possible; but not after the vehicle was
        // slowed during the move.
        let first = at.walk.hexes <= 1 && !at.walk.turn_paid && at.walk.slowed_at[0].is_none();
        if first && !at.walk.inside {
            at.walk.spent = at.walk.spent.saturating_add(cost);
        } else {
            self.pay(s, &mut at.walk, cost)?;
        }
        at.walk.inside = !at.walk.inside;
        at.walk.turned = 0;
        Ok(cost)
    }

    /// 6.1.4.3.1, 6.6.4.1: a floor up or down.
    fn floor(&self, s: &State, at: &mut Cursor) -> Result<u8, Bar> {
        let Some(game) = self.advanced.as_deref() else { return Err(Bar::FloorLeg) };
        if !self.piece(at.walk.unit).is_some_and(crate::piece::Piece::leg) {
            return Err(Bar::FloorLeg);
        }
        if self.crawls(s, at.walk.unit) {
            return Err(Bar::CrawlHeight); // 6.6.4.3
        }
        if at.walk.along {
            return Err(Bar::QuickGround(at.hex)); // 6.6.4.2
        }
        if !self.upper_floor(s, at.hex) {
            return Err(Bar::NoFloor(at.hex));
        }
        let cost = game.tables().movement.building_step;
        self.pay(s, &mut at.walk, cost)?;
        at.walk.up = !at.walk.up;
        Ok(cost)
    }

    pub(crate) fn pay(&self, s: &State, walk: &mut Walk, cost: u8) -> Result<(), Bar> {
        let limit = self.limit(s, walk);
        // 4.5.1.1.3: one hex is always possible, if nothing was spent on turning.
        let first = walk.hexes == 0 && !walk.turn_paid;
        if walk.spent.saturating_add(cost) > limit && !first {
            return Err(Bar::Allowance { cost, left: limit.saturating_sub(walk.spent) });
        }
        walk.spent = walk.spent.saturating_add(cost);
        Ok(())
    }

    /// Whether the move may end at the cursor. `turned`: its last part was a turn.
    pub fn may_end(&self, s: &State, at: &Cursor, turned: bool) -> Result<(), Bar> {
        let walk = &at.walk;
        let foot = self.vehicle(walk.unit).movement.traction.on_foot();
        if walk.along {
            if walk.hexes == 0 {
                return Err(Bar::NoHexAlong);
            }
            if turned && !foot {
                return Err(Bar::TurnAtEnd);
            }
            let allowance = self.allowance(s, walk);
            if walk.spent > allowance && walk.hexes > 1 {
                return Err(Bar::Allowance { cost: walk.spent, left: allowance });
            }
        }
        // 6.6.10.1: the end of an overrun is known only when it is over.
        let overruns = walk.overran.is_some() && s.walk.overran.is_none();
        if at.hex != HexId::NONE && !overruns && self.enemies_in(s, walk.unit, at.hex) {
            return Err(Bar::EndsWithEnemy(at.hex)); // 4.5.1.1.10
        }
        Ok(())
    }
}
