//! Transport (6.6.7): room, mounting, dismounting, emergency bail-out.

use hexgrid::{Direction, HexId};
use kernel::Refusal;
use smallvec::SmallVec;

use crate::{
    action::Action,
    event::Event,
    movement::{Bar, Walk},
    pack::advanced::Room,
    piece::UnitKind,
    play::{Cx, Play},
    rules::Panzer,
    state::{Command, Flags, Place, Spot, State},
    units::{UnitId, UnitSet},
};

/// Why a unit may not mount or dismount: a rule and the message key.
pub type Why = (&'static str, &'static str);

/// The passengers of a vehicle.
pub type Riders = SmallVec<[UnitId; 8]>;

impl Panzer {
    /// 6.6.7.1: the room a unit takes in a vehicle; a half-squad takes less.
    pub fn room_of(&self, s: &State, unit: UnitId) -> Room {
        let Some(piece) = self.piece(unit) else { return Room::default() };
        match &piece.half {
            Some(half) if s.unit(unit).is(Flags::REDUCED) => half.passenger,
            _ => piece.passenger,
        }
    }

    /// The passengers after everything done in the move so far.
    pub fn riders(&self, s: &State, vehicle: UnitId, walk: &Walk) -> Riders {
        let mut riders = self.passengers(s, vehicle);
        let gun = self.piece(vehicle).and_then(|piece| piece.portee).map(|portee| portee.gun);
        riders.extend(gun.filter(|gun| s.unit(*gun).place == Place::Portee)); // 5.2.1
        if walk.unit == vehicle {
            riders.retain(|unit| !walk.off.contains(*unit));
            riders.extend(walk.on.iter().filter(|unit| s.unit(*unit).aboard != vehicle));
        }
        riders
    }

    /// 6.6.7.1: whether the vehicle has room for one more.
    fn room_for(&self, s: &State, unit: UnitId, vehicle: UnitId, riders: &[UnitId]) -> Option<Why> {
        if self.own_portee(s, unit, vehicle) {
            return (!riders.is_empty()).then_some(("5.2.1", "transport.taken"));
        }
        let Some(piece) = self.piece(vehicle).filter(|piece| piece.vehicle()) else {
            return Some(("6.6.7.1", "transport.none"));
        };
        // 5.2.1: without its gun a portee is a truck.
        let truck = piece.portee.filter(|_| s.unit(vehicle).is(Flags::UNLOADED));
        let room = truck.map_or(piece.transport, |portee| portee.room);
        let need = self.room_of(s, unit);
        if need == Room::default() || self.piece(unit).is_none_or(|piece| piece.vehicle() || piece.motorcycle)
        {
            return Some(("6.6.7.1", "transport.passenger"));
        }
        let towed = |unit: UnitId| self.piece(unit).is_some_and(|piece| piece.kind == UnitKind::Towed);
        // Either Leg units or one towed unit.
        if riders.iter().any(|rider| towed(*rider)) || towed(unit) && !riders.is_empty() {
            return Some(("6.6.7.1", "transport.taken"));
        }
        let leg: u8 = riders.iter().map(|rider| self.room_of(s, *rider).leg).sum();
        (need.towed > room.towed || need.leg.saturating_add(leg) > room.leg)
            .then_some(("6.6.7.1", "transport.room"))
    }

    /// 6.6.7.1.1: an unsuppressed squad, half-squad or section without a weapon may also mount and dismount from an
    /// adjacent hex.
    pub fn nimble(&self, s: &State, unit: UnitId) -> bool {
        let piece = self.piece(unit);
        piece.is_some_and(|piece| piece.leg() && !piece.weapon_section()) && !s.unit(unit).suppressed()
    }

    /// 6.6.7.1.1: what prevents a unit from mounting a vehicle in this hex.
    pub fn bar_to_mount(
        &self,
        s: &State,
        unit: UnitId,
        vehicle: UnitId,
        hex: HexId,
        riders: &[UnitId],
    ) -> Option<Why> {
        let (u, v) = (s.unit(unit), s.unit(vehicle));
        match () {
            () if self.vehicle(unit).side != self.vehicle(vehicle).side => Some(("6.6.7", "transport.own")),
            () if !u.on_map() || !v.on_map() || v.is(Flags::BAILED) => Some(("6.6.7", "transport.gone")),
            () if u.passenger() => Some(("6.6.7", "transport.aboard")),
            () if u.command != Command::Move => Some(("6.6.7.1.1", "transport.needs_move")),
            () if u.is(Flags::MOVED) || u.paid > 0 => Some(("6.6.7.1.1", "transport.spent")),
            () if u.is(Flags::FULL_COVER) => Some(("6.1.4.2", "transport.full_cover")),
            () if !self.beside(s, unit, hex, u.hex) => Some(("6.6.7.1.1", "transport.too_far")),
            () => self.room_for(s, unit, vehicle, riders),
        }
    }

    /// Whether the unit is in the vehicle's hex, or adjacent if it is nimble, without a cliff or similar obstacle
    /// between.
    fn beside(&self, s: &State, unit: UnitId, vehicle: HexId, at: HexId) -> bool {
        if vehicle == at {
            return true;
        }
        let traction = self.vehicle(unit).movement.traction;
        let through = self.field.board.direction_to(at, vehicle);
        let passable = |d: Direction| self.entry_cost(s, traction, at, d, false, false).is_ok();
        self.nimble(s, unit) && through.is_some_and(passable)
    }

    /// 6.6.7.1.1: what prevents a passenger from dismounting into a hex; its vehicle is in `from`.
    pub fn bar_to_dismount(&self, s: &State, unit: UnitId, from: HexId, to: HexId) -> Option<Why> {
        let u = s.unit(unit);
        if u.is(Flags::MOVED) {
            return Some(("6.6.7.1.1", "transport.spent"));
        }
        if from == to {
            return self.bar_to_stand(s, unit, to);
        }
        let traction = self.vehicle(unit).movement.traction;
        let passable = |d: Direction| self.entry_cost(s, traction, from, d, false, false).is_ok();
        match self.field.board.direction_to(from, to) {
            Some(through) if self.nimble(s, unit) && passable(through) => self.bar_to_stand(s, unit, to),
            _ => Some(("6.6.7.1.1", "transport.not_there")),
        }
    }

    /// 6.6.4.1: prohibited terrain may be entered only aboard; not with enemies (4.5.1.1.10).
    fn bar_to_stand(&self, s: &State, unit: UnitId, hex: HexId) -> Option<Why> {
        let traction = self.vehicle(unit).movement.traction;
        match () {
            () if self.enemies_in(s, unit, hex) => Some(("4.5.1.1.10", "transport.enemy")),
            () if self.terrain_cost(traction, hex).is_none() && !self.on_way(hex) => {
                Some(("6.6.4.1", "transport.terrain"))
            }
            () => None,
        }
    }

    /// 6.6.7.1.1: half of a vehicle's allowance, the cost of mounting and dismounting in one hex.
    pub fn half_allowance(&self, s: &State, unit: UnitId) -> u8 {
        self.allowance(s, &Walk { unit, halved: self.halved(s, unit), ..Walk::default() }) / 2
    }

    /// What prevents mounting and dismounting outside the vehicle's own move: it must not move, or have ended its move
    /// with enough points left.
    fn bar_to_serve(&self, s: &State, vehicle: UnitId, before: bool) -> Option<Why> {
        let v = s.unit(vehicle);
        let free = !v.command.moves()
            || v.is(Flags(Flags::LOADED.0 | Flags::TRACK.0))
            || if v.is(Flags::MOVED) { v.left >= self.half_allowance(s, vehicle) } else { before };
        match () {
            () if s.walk.active => Some(("4.5.1.1", "transport.moving")),
            () if free => None,
            () if self.has_yet_to_move(s, vehicle) => Some(("6.6.7.1.1", "transport.in_its_move")),
            () => Some(("6.6.7.1.1", "transport.half")),
        }
    }

    /// Whether a vehicle with a Move Command has not moved yet, so that its passengers dismount in the course of its move
    /// (6.6.7.1.1).
    pub fn has_yet_to_move(&self, s: &State, vehicle: UnitId) -> bool {
        let v = s.unit(vehicle);
        v.command.moves() && !v.is(Flags(Flags::MOVED.0 | Flags::LOADED.0 | Flags::TRACK.0))
    }

    /// 6.6.7.1.1: the cost of a part of a vehicle's move in which a unit mounts or dismounts.
    pub(crate) fn load(&self, s: &State, walk: &mut Walk) -> Result<(), Bar> {
        if walk.loaded {
            return Ok(());
        }
        let half = self.limit(s, walk) / 2;
        if walk.spent.saturating_add(half) > self.limit(s, walk) {
            return Err(Bar::Allowance { cost: half, left: self.limit(s, walk).saturating_sub(walk.spent) });
        }
        walk.spent += half;
        walk.across = walk.across.saturating_add(half);
        walk.turn_paid |= half > 0;
        walk.loaded = true;
        Ok(())
    }

    /// 6.6.7.1: whether it is towing, and so cannot reverse.
    pub fn tows(&self, s: &State, unit: UnitId) -> bool {
        self.advanced.is_some()
            && s.ids().any(|other| {
                s.unit(other).aboard == unit
                    && s.unit(other).on_map()
                    && self.piece(other).is_some_and(|piece| piece.kind == UnitKind::Towed)
            })
    }

    /// Vehicles that a unit could mount now, by its own move.
    pub fn rides(&self, s: &State, unit: UnitId) -> SmallVec<[UnitId; 8]> {
        let u = s.unit(unit);
        if self.advanced.is_none() || u.command != Command::Move || self.is_vehicle(unit) {
            return SmallVec::new();
        }
        let mine = self.units_of(self.vehicle(unit).side).iter().copied();
        let near = |vehicle: &UnitId| {
            let v = s.unit(*vehicle);
            u.on_map() && v.on_map() && self.field.range(u.hex, v.hex) <= 1
        };
        mine.filter(|vehicle| near(vehicle) && self.may_mount(s, unit, *vehicle).is_none()).collect()
    }

    /// What prevents a unit from mounting a vehicle by its own move.
    pub fn may_mount(&self, s: &State, unit: UnitId, vehicle: UnitId) -> Option<Why> {
        let v = s.unit(vehicle);
        if !v.on_map() {
            return Some(("6.6.7", "transport.gone"));
        }
        let riders = self.passengers(s, vehicle);
        let bar = self.bar_to_mount(s, unit, vehicle, v.hex, &riders);
        // 5.2.1: loading the gun takes all of the truck's movement.
        let spent = self.own_portee(s, unit, vehicle)
            && v.command.moves()
            && v.is(Flags(Flags::MOVED.0 | Flags::LOADED.0));
        bar.or(spent.then_some(("5.2.1", "transport.portee_moved")))
            .or_else(|| self.bar_to_serve(s, vehicle, true))
    }

    /// Whether there is a vehicle that could take the unit, so that a Move is useful to it (6.6.7.1.1).
    pub fn could_ride(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        u.on_map()
            && self.units_of(self.vehicle(unit).side).iter().any(|vehicle| {
                s.unit(*vehicle).on_map()
                    && self.field.range(u.hex, s.unit(*vehicle).hex) <= 1
                    && self.room_for(s, unit, *vehicle, &self.passengers(s, *vehicle)).is_none()
            })
    }

    /// Whether a passenger may dismount anywhere outside its vehicle's move.
    pub fn may_dismount(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        let Some(vehicle) = self.carried_by(s, unit) else { return false };
        !u.is(Flags::MOVED) && self.in_turn(s, unit) && self.bar_to_serve(s, vehicle, false).is_none()
    }

    /// The vehicle from which a unit can dismount.
    pub fn carried_by(&self, s: &State, unit: UnitId) -> Option<UnitId> {
        let u = s.unit(unit);
        u.aboard.some().filter(|_| u.on_map()).or_else(|| self.portee_under(s, unit))
    }
}

/// `dismount D1 1H6 NE`
pub fn check(cx: &Cx, unit: UnitId, hex: HexId) -> Result<(), Refusal> {
    let (rules, s) = (cx.rules, cx.s);
    rules.own(cx.side, unit)?;
    let bar = match rules.carried_by(s, unit) {
        None => Some(("6.6.7", "transport.not_aboard")),
        Some(_) if !rules.in_turn(s, unit) => Some(("7.42", "transport.not_its_turn")),
        Some(vehicle) => rules
            .bar_to_serve(s, vehicle, false)
            .or_else(|| rules.bar_to_dismount(s, unit, s.unit(vehicle).hex, hex)),
    };
    match bar {
        None => Ok(()),
        Some((rule, key)) => rules.no(rule, key).unit("unit", unit).into(),
    }
}

/// Everywhere a passenger can dismount.
pub fn options(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    let (rules, s) = (cx.rules, cx.s);
    let Some(vehicle) = rules.carried_by(s, unit).filter(|_| rules.may_dismount(s, unit)) else { return };
    let from = s.unit(vehicle).hex;
    let around = Direction::ALL.into_iter().filter_map(|d| rules.field.neighbour(from, d));
    for hex in std::iter::once(from).chain(around) {
        if rules.bar_to_dismount(s, unit, from, hex).is_none() {
            let off = |facing| Action::Dismount { unit, hex, facing };
            out.extend(Direction::ALL.map(off));
        }
    }
    attacks(cx, unit, from, |hex, facing, target| {
        out.push(Action::DismountAssault { unit, hex, facing, target });
    });
}

/// Dismount from a vehicle that is not moving now.
pub fn apply(play: &mut Play, unit: UnitId, hex: HexId, facing: Direction) {
    let vehicle = play.s.unit(unit).aboard;
    pay(play, vehicle);
    dismount(play, unit, hex, facing);
}

/// `dismount D1 1H6 NE assault B`: the same, with an attack at once (6.6.1.1).
pub fn check_attack(cx: &Cx, unit: UnitId, hex: HexId, target: UnitId) -> Result<(), Refusal> {
    check(cx, unit, hex)?;
    match cx.rules.bar_to_dismount_attack(cx.s, unit, hex, target) {
        None => Ok(()),
        Some((rule, key)) => cx.rules.no(rule, key).unit("unit", unit).unit("target", target).into(),
    }
}

/// Every attack that a passenger could make from where it can dismount.
pub fn attacks(cx: &Cx, unit: UnitId, from: HexId, mut each: impl FnMut(HexId, Direction, UnitId)) {
    let (rules, s) = (cx.rules, cx.s);
    let around = Direction::ALL.into_iter().filter_map(|d| rules.field.neighbour(from, d));
    for hex in std::iter::once(from).chain(around) {
        if rules.bar_to_dismount(s, unit, from, hex).is_some() {
            continue;
        }
        for target in rules.units_of(cx.side.enemy()) {
            let Some(facing) =
                s.unit(*target).hex.some().and_then(|to| rules.field.board.direction_to(hex, to))
            else {
                continue;
            };
            if rules.bar_to_dismount_attack(s, unit, hex, *target).is_none() {
                each(hex, facing, *target);
            }
        }
    }
}

/// 6.6.7.1.1: what a vehicle with a Move or Short Halt pays outside its move: in advance, or from the points left.
fn pay(play: &mut Play, vehicle: UnitId) {
    let half = play.rules.half_allowance(play.s, vehicle);
    let v = play.s.unit_mut(vehicle);
    if v.command.moves() && !v.is(Flags::LOADED) {
        v.left = v.left.saturating_sub(half);
        v.set(Flags::LOADED);
    }
}

/// 6.6.7.1.1: it has spent its allowance and gets Spot/Move.
pub fn dismount(play: &mut Play, unit: UnitId, hex: HexId, facing: Direction) {
    if play.s.unit(unit).place == Place::Portee {
        crate::portee::unload(play, unit); // 5.2.1
    }
    let u = play.s.unit_mut(unit);
    u.aboard = UnitId::NONE;
    (u.hex, u.facing) = (hex, facing);
    u.set(Flags(Flags::MOVED.0 | Flags::LEFT.0));
    play.tell(Event::Dismounted { unit, hex, facing });
    play.place_spot(unit, Spot::Move);
    play.s.stamp.renew();
}

/// 6.6.6, 7.31: a unit that has dismounted is in a barrage, or on mines.
pub fn landed(play: &mut Play, unit: UnitId) -> Result<(), kernel::Stop> {
    crate::works::step_on(play, unit)?;
    crate::indirect::entered(play, unit);
    Ok(())
}

/// 6.6.7.1.2: in the vehicle's hex, suppressed.
pub fn bail(play: &mut Play, unit: UnitId, facing: Direction) {
    let u = play.s.unit_mut(unit);
    u.aboard = UnitId::NONE;
    u.facing = facing;
    u.set(Flags(Flags::MOVED.0 | Flags::LEFT.0));
    play.tell(Event::LeftVehicle { unit });
    play.place_spot(unit, Spot::Move);
    crate::suppress::suppress(play, unit);
    play.s.stamp.renew();
}

/// 6.6.7.1.1: the unit has spent its allowance and mounts, unless fire prevented it.
pub fn board(play: &mut Play, unit: UnitId, vehicle: UnitId) {
    let (u, v) = (play.s.unit(unit), play.s.unit(vehicle));
    let able = u.on_map()
        && v.on_map()
        && !v.is(Flags::BAILED)
        && (u.hex == v.hex || play.rules.nimble(play.s, unit));
    if !able {
        return;
    }
    if play.rules.own_portee(play.s, unit, vehicle) {
        crate::portee::load(play, unit, vehicle); // 5.2.1
        return;
    }
    let own_move = play.s.walk.unit == unit;
    if own_move {
        pay(play, vehicle);
    }
    let v = play.s.unit(vehicle);
    let (hex, facing) = (v.hex, v.facing);
    crate::works::leave(play.s, unit); // 6.1.4.3.6: it is no longer in the entrenchment or on the floor
    let u = play.s.unit_mut(unit);
    u.aboard = vehicle;
    (u.hex, u.facing) = (hex, facing);
    // 6.6.7: passengers have no Command and no Spot counter of their own.
    (u.command, u.group, u.spot) = (Command::NoCommand, 0, Spot::None);
    u.clear(Flags::NEW_SPOT);
    play.tell(Event::Mounted { unit, vehicle });
    play.s.stamp.renew();
}

/// A vehicle that enters or leaves the map takes its passengers along (6.6.7).
pub fn carry(play: &mut Play, vehicle: UnitId, place: Place) {
    if play.rules.advanced.is_none() {
        return;
    }
    let v = play.s.unit(vehicle);
    let (hex, facing) = (v.hex, v.facing);
    let rides =
        |unit: &UnitId| play.s.unit(*unit).aboard == vehicle && play.s.unit(*unit).place != Place::Portee;
    let riders: UnitSet = play.s.ids().filter(rides).fold(UnitSet::EMPTY, |mut set, unit| {
        set.insert(unit);
        set
    });
    for unit in riders.iter() {
        let u = play.s.unit_mut(unit);
        (u.place, u.hex, u.facing) = (place, hex, facing);
    }
}
