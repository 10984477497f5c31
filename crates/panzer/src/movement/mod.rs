//! The Movement Phase (4.5): one vehicle at a time, its plan carried out part by part, each part open to Overwatch.

mod bar;
pub mod cost;
mod foot;
mod listing;
mod question;
pub mod reach;
mod walk;

use hexgrid::{Direction, HexId};
use kernel::Refusal;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{
    action::{Go, Move, Part, Plan},
    pack::{Side, Traction},
    rules::Panzer,
    state::{Command, Flags, Place, State},
    units::{UnitId, UnitSet},
};
pub use bar::Bar;
pub use cost::Cursor;
pub use question::{Movement, Revise};
pub use walk::{open, revise, slowed, step};

/// The move that is being made (4.5.1.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walk {
    pub active: bool,
    pub unit: UnitId,
    /// At path or road speed (4.5.1.1.5).
    pub along: bool,
    /// What is left of the plan.
    pub plan: Plan,
    pub spent: u8,
    /// At path or road speed: the cross-country cost of the same path, in case the move leaves the road (4.5.1.1.5).
    pub across: u8,
    /// The extra cost of the hex that was entered by a track, if it is left by another hexside (4.5.1.1.11);
    /// [`u8::MAX`]: it may not be.
    pub track_debt: u8,
    /// Hexes entered, and how many of them by road, path and track.
    pub hexes: u8,
    pub roads: u8,
    pub paths: u8,
    pub tracks: u8,
    /// Hexsides turned in this hex (4.5.1.1.4).
    pub turned: u8,
    /// Points were spent on turning (4.5.1.1.3).
    pub turn_paid: bool,
    /// How often the allowance is halved for the unit's state before its move: Damaged (3.7), Suppressed (6.6.2).
    pub halved: u8,
    /// 6.6.4.2: levels of height that a Quickmarch has changed.
    pub climbed: u8,
    /// Damaged or Suppressed during the move, when this much had been spent, by road and across country: half of what
    /// was left is lost each time (4.4.3.2.6, 6.6.2).
    pub slowed_at: [Option<[u8; 2]>; 3],
    /// Fired at since the plan was made.
    pub interrupted: bool,
    /// Its owner declared that it stays (4.5.1.1.8).
    pub stays: bool,
    /// 6.6.7.1.1: half of the allowance has been paid for mounting and dismounting in this hex.
    #[serde(default)]
    pub loaded: bool,
    /// Units that mounted and dismounted in this move.
    #[serde(default)]
    pub on: UnitSet,
    #[serde(default)]
    pub off: UnitSet,
    /// The unit that has spent its allowance to mount, and the vehicle.
    #[serde(default)]
    pub boarding: Option<(UnitId, UnitId)>,
    /// 6.6.10: it has overrun a unit, coming from this hex.
    #[serde(default)]
    pub overran: Option<HexId>,
    /// 6.6.10: the target, now that it is in the hex.
    #[serde(default)]
    pub overruns: Option<UnitId>,
    /// 6.6.1.1: the unit that has just dismounted, and where: it may attack at once.
    #[serde(default)]
    pub landed: Option<(UnitId, HexId)>,
    /// 6.6.1.1: enemies that the passengers had spotted before the move.
    #[serde(default)]
    pub seen: UnitSet,
    /// 6.1.4.3.1: inside the building of its hex; on an upper floor or the roof.
    pub inside: bool,
    pub up: bool,
    /// The cost paid for the Alley with the last part: continuing into the building takes it into account (6.6.3).
    pub alley: u8,
    /// The next part leads to another hex.
    pub leaving: bool,
    /// The last hex was entered in reverse (6.1.4.3.7).
    pub backed: bool,
    /// 6.1.4.1.2: its Improved Position is to make it partly hull down.
    pub partly: bool,
    /// Something has stopped it in its hex (7.31).
    pub halted: bool,
}

impl Panzer {
    /// Whether a vehicle may still move in this phase (4.5.1).
    pub fn may_move(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        let here = u.on_map() || u.place == Place::Held && self.due(s, unit);
        here && u.command.moves() && !u.is(Flags::MOVED) && !u.passenger() && self.in_turn(s, unit)
    }

    /// Whether a held vehicle may enter the map this turn.
    pub fn due(&self, s: &State, unit: UnitId) -> bool {
        self.entries[unit.index()].as_ref().is_some_and(|entry| entry.turn <= s.turn)
    }

    /// Where a vehicle's move starts: in its hex, or at an entry hex, which it pays for.
    pub fn start(&self, s: &State, unit: UnitId, along: bool, entry: HexId) -> Result<Cursor, Bar> {
        let u = s.unit(unit);
        let inside = u.is(Flags::INSIDE) && self.is_vehicle(unit);
        let halved = self.halved(s, unit);
        let walk = Walk { unit, along, halved, inside, up: u.is(Flags::UP), ..Walk::default() };
        if u.on_map() {
            let mut at = Cursor { hex: u.hex, facing: u.facing, walk };
            if u.paid > 0 {
                // 6.6.1.1: the advance of an assault that lapsed is part of the move.
                (at.walk.spent, at.walk.across, at.walk.hexes) = (u.paid, u.paid, 1);
            }
            if u.is(Flags::LOADED) {
                // 6.6.7.1.1: paid before it moves.
                self.load(s, &mut at.walk)?;
            }
            return Ok(at);
        }
        let facing = self.entries[unit.index()].as_ref().map_or(u.facing, |e| e.facing);
        if entry == HexId::NONE {
            return Ok(Cursor { hex: entry, facing, walk });
        }
        let traction = self.vehicle(unit).movement.traction;
        let cost = if along { self.road_cost(traction) } else { self.terrain_cost(traction, entry) };
        let cost = cost.ok_or(Bar::Prohibited(self.field.terrain(entry)))?;
        let mut at = Cursor { hex: entry, facing, walk };
        at.walk.spent = cost; // 4.5.1.1.3: the first hex is always possible
        at.walk.across = self.terrain_cost(traction, entry).unwrap_or(u8::MAX);
        at.walk.hexes = 1;
        if along {
            at.walk.roads = 1;
        }
        Ok(at)
    }

    /// The cursor of the move that is being made.
    pub fn walking(&self, s: &State) -> Cursor {
        let u = s.unit(s.walk.unit);
        Cursor { hex: u.hex, facing: u.facing, walk: s.walk }
    }

    /// 4.5.1.1.5: the current move leaves the path or road: all of it is paid for across country.
    pub fn off_road(&self, s: &State) -> Cursor {
        let at = self.walking(s);
        if !at.walk.along {
            return at;
        }
        let slowed_at = at.walk.slowed_at.map(|at| at.map(|[_, across]| [across; 2]));
        let spent = at.walk.across;
        let walk = Walk { along: false, spent, slowed_at, roads: 0, paths: 0, tracks: 0, ..at.walk };
        Cursor { walk, ..at }
    }

    /// Whether a move that was fired at in its last hex can still do anything (4.5.1.1).
    fn may_go_on(&self, s: &State) -> bool {
        let [along, across] = [self.walking(s), self.off_road(s)];
        [along, across].iter().take(1 + usize::from(along.walk.along)).any(|at| {
            let mut more = false;
            reach::with_reach(self, s, at, |reach| {
                reach.ends(self, s, |to, facing, _| more |= (to, facing) != (at.hex, at.facing));
            });
            more
        })
    }

    /// The plan of `move … to …`: the cheapest.
    pub fn resolve(&self, s: &State, go: &Go) -> Result<Move, Refusal> {
        let start = self.begin(s, go.unit, go.along, go.entry)?;
        let plan = reach::with_reach(self, s, &start, |reach| reach.plan(self, s, go.to, go.facing));
        match plan {
            Some(plan) => Ok(Move { unit: go.unit, along: go.along, entry: go.entry, plan }),
            None => self.why_not(s, &start, go.to),
        }
    }

    /// Why a hex cannot be reached: what blocks its last step, or that it is too far.
    pub fn why_not<T>(&self, s: &State, start: &Cursor, to: HexId) -> Result<T, Refusal> {
        let unit = start.walk.unit;
        if self.enemies_in(s, unit, to) {
            return Err(Bar::EndsWithEnemy(to).refuse(self, unit));
        }
        // One hex is always possible (4.5.1.1.3): what bars the step itself is the reason, not the allowance.
        if let Some(facing) = start.hex.some().and_then(|hex| self.field.board.direction_to(hex, to)) {
            let mut at = Cursor { facing, ..*start };
            if let Err(found) = self.take(s, &mut at, Part::Forward)
                && !matches!(found, Bar::Allowance { .. })
            {
                return Err(found.refuse(self, unit));
            }
        }
        let traction = self.vehicle(unit).movement.traction;
        let mut bar = None;
        for direction in Direction::ALL {
            let Some(from) = self.field.neighbour(to, direction) else { continue };
            match self.entry_cost(s, traction, from, direction.opposite(), start.walk.along, false) {
                Ok(_) => {
                    let left = self.allowance(s, &start.walk).saturating_sub(start.walk.spent);
                    return self
                        .no("4.5.1.1.3", "move.too_far")
                        .unit("unit", unit)
                        .hex("hex", to)
                        .number("left", left)
                        .into();
                }
                Err(found) => bar = bar.or(Some(found)),
            }
        }
        Err(bar.unwrap_or(Bar::MapEdge).refuse(self, unit))
    }

    fn begin(&self, s: &State, unit: UnitId, along: bool, entry: HexId) -> Result<Cursor, Refusal> {
        if s.walk.active && s.walk.unit == unit {
            return if along { Ok(self.walking(s)) } else { self.leave_road(s) };
        }
        self.check_entry(s, unit, entry)?;
        self.start(s, unit, along, entry).map_err(|bar| bar.refuse(self, unit))
    }

    /// 4.5.1.1.5: off the road only within the allowance across country.
    fn leave_road(&self, s: &State) -> Result<Cursor, Refusal> {
        let at = self.off_road(s);
        let allowance = self.allowance(s, &at.walk);
        if s.walk.along && at.walk.spent > allowance && at.walk.hexes > 1 {
            let bar = Bar::Allowance { cost: at.walk.spent, left: allowance };
            return Err(bar.refuse(self, at.walk.unit));
        }
        Ok(at)
    }

    fn check_entry(&self, s: &State, unit: UnitId, entry: HexId) -> Result<(), Refusal> {
        let u = s.unit(unit);
        if u.on_map() {
            return match entry.some() {
                Some(hex) => self.no("4.5.1.1", "move.no_entry").unit("unit", unit).hex("hex", hex).into(),
                None => Ok(()),
            };
        }
        let gate = self.entries[unit.index()].as_ref();
        match (u.place, gate) {
            (Place::Held, Some(gate)) if gate.turn > s.turn => {
                self.no("4.5.1.1.9", "move.not_due").unit("unit", unit).number("turn", gate.turn).into()
            }
            (Place::Held, Some(gate)) if entry.some().is_some_and(|hex| gate.hexes.contains(&hex)) => Ok(()),
            (Place::Held, _) => self.no("4.5.1.1.9", "move.entry").unit("unit", unit).into(),
            _ => self.no("4.5.1", "move.gone").unit("unit", unit).into(),
        }
    }

    /// A vehicle whose turn it is to move (4.5).
    fn check_mover(&self, s: &State, side: Side, unit: UnitId) -> Result<(), Refusal> {
        self.own(side, unit)?;
        let u = s.unit(unit);
        if u.place.eliminated() || u.place == Place::Exited {
            return self.no("4.5.1", "move.gone").unit("unit", unit).into();
        }
        if !u.command.moves() {
            return self.no("4.2.1", "move.no_command").unit("unit", unit).into();
        }
        if u.is(Flags::MOVED) {
            return self.no("4.5.1.1", "move.moved").unit("unit", unit).into();
        }
        if u.passenger() {
            return self.no("6.6.7", "move.passenger").unit("unit", unit).into();
        }
        if !self.in_turn(s, unit) {
            return self.no("7.42", "move.not_its_turn").unit("unit", unit).into();
        }
        Ok(())
    }

    /// 6.5.2.2.1: a vehicle with a track hit, or an abandoned one, cannot move.
    fn check_mobile(&self, s: &State, unit: UnitId) -> Result<(), Refusal> {
        let u = s.unit(unit);
        match () {
            () if u.is(Flags::TRACK) => self.no("6.5.2.2.1", "move.track").unit("unit", unit).into(),
            () if u.is(Flags::BAILED) => self.no("5.15", "move.abandoned").unit("unit", unit).into(),
            // 6.6.5: not by hand.
            () if self.vehicle(unit).movement.traction == Traction::Gun
                && self.vehicle(unit).movement.cross_country == 0 =>
            {
                self.no("6.6.5", "command.immobile").unit("unit", unit).into()
            }
            () => Ok(()),
        }
    }

    /// Whether the whole plan is possible from here.
    pub fn check_move(&self, s: &State, order: &Move) -> Result<(), Refusal> {
        let start = self.begin(s, order.unit, order.along, order.entry)?;
        self.follow(s, &start, &order.plan).map_err(|bar| bar.refuse(self, order.unit))?;
        Ok(())
    }
}

impl Panzer {
    /// 6.2.1.1.4: units that share a Move end it within command range of one another. Whether this remains possible if
    /// this unit ends in a hex: members that have moved must be near; those yet to move must be able to come near.
    fn group_end(&self, s: &State, unit: UnitId, hex: HexId) -> bool {
        let u = s.unit(unit);
        if u.group == 0 || hex == HexId::NONE {
            return true;
        }
        if self.in_column(s, unit) {
            return self.column_end(s, unit, hex);
        }
        let range = self.command_range(self.piece(unit).map_or(0, |piece| piece.formation));
        self.units_of(self.vehicle(unit).side).iter().all(|other| {
            let o = s.unit(*other);
            let counts = *other != unit
                && o.group == u.group
                && o.on_map()
                // A unit that can no longer move is left behind (6.5.2.2.1).
                && !o.is(Flags(Flags::TRACK.0 | Flags::BAILED.0));
            let m = self.vehicle(*other).movement;
            let most = u32::from(m.cross_country.max(m.road).max(m.path).max(1));
            let further = if o.is(Flags::MOVED) { 0 } else { most };
            !counts || self.field.range(o.hex, hex) <= range + further
        })
    }

    /// 6.2.1.1.3: a vehicle of a road column ends its move in the hex of another one or adjacent to it, or where one
    /// that has yet to move can join it.
    fn column_end(&self, s: &State, unit: UnitId, hex: HexId) -> bool {
        let group = s.unit(unit).group;
        let mut others = self.units_of(self.vehicle(unit).side).iter().filter(|other| {
            let o = s.unit(**other);
            **other != unit
                && o.group == group
                && o.on_map()
                && !o.is(Flags(Flags::TRACK.0 | Flags::BAILED.0))
        });
        let near = |other: &UnitId| {
            let (o, m) = (s.unit(*other), self.vehicle(*other).movement);
            let further = if o.is(Flags::MOVED) { 0 } else { u32::from(m.road.max(m.path)) };
            self.field.range(o.hex, hex) <= 1 + further
        };
        let alone = others.clone().next().is_none();
        alone || others.any(near)
    }

    /// 6.2.1.1.3: a column moves at path or road speed and keeps its order: no vehicle passes through another's hex.
    fn check_column(&self, s: &State, order: &Move) -> Result<(), Refusal> {
        let unit = order.unit;
        if !self.in_column(s, unit) || order.plan.is_empty() {
            return Ok(());
        }
        let steps = order.plan.iter().any(|part| part.through(Direction::D0).is_some());
        if steps && !order.along {
            return self.no("6.2.1.1.3", "move.column").unit("unit", unit).into();
        }
        let (u, mut passed) = (s.unit(unit), SmallVec::<[HexId; 32]>::new());
        let (mut hex, mut facing) = (u.hex, u.facing);
        for part in order.plan.iter() {
            if let Part::Turn(to) = part {
                facing = to;
            }
            if let Some(to) = part.through(facing).and_then(|way| self.field.neighbour(hex, way)) {
                hex = to;
                passed.push(hex);
            }
        }
        passed.pop(); // its end
        let mates = self.units_of(self.vehicle(unit).side).iter();
        let overtaken =
            mates.filter(|other| **other != unit && s.unit(**other).group == u.group).find(|other| {
                let o = s.unit(**other);
                o.on_map() && o.hex != u.hex && passed.contains(&o.hex)
            });
        match overtaken {
            Some(other) => {
                self.no("6.2.1.1.3", "move.column_order").unit("unit", unit).unit("other", *other).into()
            }
            None => Ok(()),
        }
    }

    /// Whether there is any hex where this unit could end its move within command range of its group.
    fn group_reachable(&self, s: &State, unit: UnitId) -> bool {
        if self.group_end(s, unit, s.unit(unit).hex) {
            return true;
        }
        if self.check_mobile(s, unit).is_err() {
            return false;
        }
        // A move that was interrupted goes on from where it is.
        let begun = s.walk.active && s.walk.unit == unit;
        [false, true].into_iter().any(|along| {
            let start = match begun {
                true if along && !s.walk.along => return false,
                true if along => Ok(self.walking(s)),
                true => self.leave_road(s).map_err(|_| ()),
                false => self.start(s, unit, along, HexId::NONE).map_err(|_| ()),
            };
            let Ok(start) = start else { return false };
            let mut found = false;
            reach::with_reach(self, s, &start, |reach| {
                reach.ends(self, s, |to, _, _| found |= self.group_end(s, unit, to));
            });
            found
        })
    }

    /// 6.2.1.1.4: refused if the unit could do better.
    fn check_group(&self, s: &State, unit: UnitId, hex: HexId) -> Result<(), Refusal> {
        if self.group_end(s, unit, hex) || !self.group_reachable(s, unit) {
            return Ok(());
        }
        self.no("6.2.1.1.4", "move.group").unit("unit", unit).into()
    }
}

/// The Command assumed for a question about moves: Move, unless the vehicle has Short Halt.
pub fn supposed(command: Command) -> Command {
    if command == Command::ShortHalt { command } else { Command::Move }
}
