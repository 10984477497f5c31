//! Which units may fire at what, with which weapon, and why not (4.4.1, 4.4.2, 4.4.3).

use kernel::Refusal;
use smallvec::SmallVec;

use super::{Kind, Shooting};
use crate::{
    action::Shot,
    pack::{ApRow, FieldOfFire, Side},
    piece::Ammo,
    rules::Panzer,
    state::{Command, Flags, State},
    units::{Gun, UnitId, UnitSet},
};

/// The fire that is being declared.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    pub rules: &'a Panzer,
    pub s: &'a State,
    pub kind: Kind,
    /// As if it had the necessary Command: for what may be commanded, and for what the other side must expect.
    pub supposed: bool,
}

/// Why a vehicle may not fire at a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bar {
    OffMap,
    Unarmed,
    NoAp,
    Fired,
    Command,
    Friend,
    Gone,
    NotSpotted,
    NotTriggered,
    Aimed,
    OutOfRange,
    FieldOfFire(FieldOfFire),
    Impossible,
    /// 5.6
    TooNear,
    /// 5.15
    Abandoned,
    /// 6.5.2: AP fire is only ever at vehicles.
    NotVehicle,
    /// No such ammunition, or not yet (5.16.1).
    NoAmmo,
    /// No GP row for direct fire (6.5.4).
    NoGp,
    /// 6.1.4.1.2
    HullDown,
    /// 7.17
    WeaponLost,
    /// 5.1.3
    UpperFloor,
    /// 7.18
    Pinning,
    /// 6.1.3: part of its transport.
    Passenger,
    /// 6.6.7.2: of passengers only Leg units may fire, with hand-held weapons.
    Transported,
    /// 7.42
    NotItsTurn,
    /// 6.2.1.1.4: too far from the targets of others under the same Command.
    SharedTarget,
}

impl Candidate<'_> {
    /// Has the vehicle a shot to fire at all?
    pub(super) fn ready(&self, unit: UnitId) -> Result<(), Bar> {
        let (u, v) = (self.s.unit(unit), self.rules.vehicle(unit));
        if !u.on_map() {
            return Err(Bar::OffMap);
        }
        if !self.rules.armed(self.s, unit) {
            return Err(Bar::Unarmed);
        }
        if v.guns.is_empty() {
            return Err(Bar::NoAp); // 4.4.3
        }
        if u.is(Flags::BAILED) {
            return Err(Bar::Abandoned); // 5.15
        }
        if u.is(Flags::FIRED) {
            return Err(Bar::Fired); // 4.4.1
        }
        if self.kind == Kind::Direct && !self.rules.in_turn(self.s, unit) {
            return Err(Bar::NotItsTurn);
        }
        // 6.6.7.2: passengers fire under the Command of their vehicle.
        let carrier = u.aboard.some();
        if carrier.is_some() && !self.rules.piece(unit).is_some_and(crate::piece::Piece::leg) {
            return Err(Bar::Transported);
        }
        let commander = self.s.unit(carrier.unwrap_or(unit));
        let commanded = match self.kind {
            Kind::Direct => commander.command.fires(),
            Kind::Overwatch => commander.command == Command::Overwatch,
        };
        let supposed = self.supposed && (carrier.is_none() || !commander.is(Flags::REVEALED));
        if commanded || supposed { Ok(()) } else { Err(Bar::Command) }
    }

    /// The targets that this side may fire at, as far as this is the same for all its vehicles.
    pub(super) fn targets(&self, side: Side) -> UnitSet {
        let enemies = self.rules.set_of(side.enemy()).without(self.s.aimed);
        match self.kind {
            Kind::Direct => enemies,
            Kind::Overwatch => enemies.and(self.s.triggers), // 4.4.2
        }
    }

    /// May this vehicle fire at that one with this kind of fire?
    fn target(&self, unit: UnitId, target: UnitId) -> Result<(), Bar> {
        if self.rules.vehicle(unit).side == self.rules.vehicle(target).side {
            return Err(Bar::Friend);
        }
        if !self.s.unit(target).on_map() {
            return Err(Bar::Gone);
        }
        if self.s.unit(target).passenger() {
            return Err(Bar::Passenger);
        }
        match self.kind {
            // 4.4.1: spotted by the firer itself in this turn's Spotting Phase.
            Kind::Direct if !self.s.spotters[target.index()].contains(unit) => Err(Bar::NotSpotted),
            Kind::Overwatch if !self.s.triggers.contains(target) => Err(Bar::NotTriggered), // 4.4.2
            // 4.4.2: spotted at the moment of declaration.
            Kind::Overwatch if !self.rules.spots(self.s, unit, target) => Err(Bar::NotSpotted),
            _ if self.s.aimed.contains(target) => Err(Bar::Aimed),
            _ if !self.rules.shared_target(self.s, unit, self.s.unit(target).hex) => Err(Bar::SharedTarget),
            _ => Ok(()),
        }
    }

    /// Whether this gun may fire at the target, everything else being allowed.
    fn gun(&self, shot: Shot, target: UnitId) -> Result<(), Bar> {
        let gun = self.rules.gun(shot.unit, shot.gun).ok_or(Bar::NoAp)?;
        let to = self.s.unit(target).hex;
        if self.rules.advanced.is_some() {
            return self.weapon(shot, gun, target);
        }
        if shot.ammo != Ammo::Ap {
            return Err(Bar::NoAmmo); // 4.4.3
        }
        if self.rules.field.range(self.s.unit(shot.unit).hex, to) > gun.maximum_range() {
            return Err(Bar::OutOfRange); // 3.5.2
        }
        if !self.rules.bears(self.s, shot.unit, gun, to) {
            return Err(Bar::FieldOfFire(gun.arc)); // 4.4.3.1
        }
        if self.impossible(shot, gun.ap, target) { Err(Bar::Impossible) } else { Ok(()) }
    }

    /// The same in the Advanced Game, with the ammunition of the shot (6.5.2, 6.5.4).
    fn weapon(&self, shot: Shot, gun: &Gun, target: UnitId) -> Result<(), Bar> {
        let rules = self.rules;
        if rules.weapon_lost(self.s, shot.unit, shot.gun) {
            return Err(Bar::WeaponLost); // 7.17
        }
        // 5.1.3.1, 5.1.3.4: mortars and hand-held anti-tank weapons may not fire from upper floors, but may from a
        // desert roof.
        let u = self.s.unit(shot.unit);
        let upstairs = u.is(Flags::UP) && !rules.field.ground(u.hex).desert_buildings;
        let held = rules.arm(shot.unit, shot.gun).and_then(|arm| arm.attached);
        if upstairs && held.is_some_and(|may| !may.from_upper_floor) {
            return Err(Bar::UpperFloor);
        }
        // 7.18: Small Arms at Leg and towed units.
        if shot.pinning {
            let small = rules.arm(shot.unit, shot.gun).is_some_and(|arm| arm.weapon.small_arms);
            if !rules.optional(18) || !small || rules.is_vehicle(target) || shot.ammo != Ammo::Gp {
                return Err(Bar::Pinning);
            }
        }
        let arm = rules.arm(shot.unit, shot.gun).ok_or(Bar::NoAp)?;
        let to = self.s.unit(target).hex;
        let range = rules.field.range(self.s.unit(shot.unit).hex, to);
        if !rules.bears(self.s, shot.unit, gun, to) {
            let leg = rules.piece(shot.unit).is_some_and(crate::piece::Piece::leg);
            return Err(Bar::FieldOfFire(if leg { FieldOfFire::Front } else { gun.arc })); // 4.4.3.1, 5.1.1
        }
        if self.s.unit(shot.unit).passenger() && arm.attached.is_some_and(|may| !may.from_transport) {
            return Err(Bar::Transported); // 6.6.7.2
        }
        if arm.hull_restricted && rules.sits_hull_down(self.s, shot.unit) {
            return Err(Bar::HullDown); // 6.1.4.1.2
        }
        if shot.ammo == Ammo::Gp {
            let row = rules.gp_row(self.s, shot.unit, shot.gun).ok_or(Bar::NoGp)?;
            if arm.fixed_gp.is_some() && rules.is_vehicle(target) {
                return Err(Bar::NoGp); // 5.1.3.4
            }
            return match range {
                0 => Ok(()),
                _ if range < u32::from(row.min_range) => Err(Bar::TooNear), // 5.6
                _ if row.at(range).is_none() => Err(Bar::OutOfRange),       // 3.5.2
                _ => Ok(()),
            };
        }
        if !rules.is_vehicle(target) {
            return Err(Bar::NotVehicle); // 6.5.2
        }
        let row = rules.ap_row(shot.unit, shot.gun, shot.ammo).ok_or(match shot.ammo {
            Ammo::Ap => Bar::NoAp,
            _ => Bar::NoAmmo, // 5.16.1
        })?;
        if row.factor(range).is_none() {
            return Err(Bar::OutOfRange); // 3.5.2
        }
        if self.impossible(shot, row, target) { Err(Bar::Impossible) } else { Ok(()) }
    }

    /// 4.4.3.2.3: whether no roll can hit.
    fn impossible(&self, shot: Shot, row: ApRow, target: UnitId) -> bool {
        let range = self.rules.field.range(self.s.unit(shot.unit).hex, self.s.unit(target).hex);
        // At most Range Factors some roll always hits, whatever the modifiers.
        if row.factor(range).is_some_and(|factor| !self.rules.doubtful[factor]) {
            return false;
        }
        let moving = self.rules.known_to_move(self.s, target);
        let shooting = Shooting::new(shot, target, self.kind, moving);
        self.rules.aim(self.s, &shooting).is_none_or(|aim| aim.number == 0)
    }

    pub(super) fn shot(&self, shot: Shot, target: UnitId) -> Result<(), Bar> {
        self.ready(shot.unit)?;
        self.target(shot.unit, target)?;
        self.gun(shot, target)
    }

    /// Why this very shot cannot be fired, if Command and spotting are granted.
    pub fn bar_to_shot(&self, shot: Shot, target: UnitId) -> Option<Refusal> {
        // 6.6.7.2: a gun that is towed or carried does not fire.
        let carried = self.s.unit(shot.unit).passenger()
            && !self.rules.piece(shot.unit).is_some_and(crate::piece::Piece::leg);
        let bar = if carried { Err(Bar::Transported) } else { self.gun(shot, target) };
        bar.err().map(|bar| self.refuse(bar, shot, target))
    }

    /// May this very shot be fired?
    pub fn may_shoot(&self, shot: Shot, target: UnitId) -> bool {
        self.shot(shot, target).is_ok()
    }

    /// The guns with which a vehicle may fire at a target.
    pub fn guns(&self, unit: UnitId, target: UnitId) -> impl Iterator<Item = u8> {
        let able = self.ready(unit).is_ok() && self.target(unit, target).is_ok();
        let guns = if able { self.rules.vehicle(unit).guns.len() as u8 } else { 0 };
        (0..guns).filter(move |gun| self.gun(Shot::ap(unit, *gun), target).is_ok())
    }

    /// Every shot that a unit may fire at a target: guns, and in the Advanced Game their ammunition.
    pub fn shots(&self, unit: UnitId, target: UnitId) -> impl Iterator<Item = Shot> {
        let able = self.ready(unit).is_ok() && self.target(unit, target).is_ok();
        let guns = if able { self.rules.vehicle(unit).guns.len() as u8 } else { 0 };
        let kinds = if self.rules.advanced.is_some() { Ammo::ALL.len() } else { 1 };
        let all = (0..guns).flat_map(move |gun| {
            Ammo::ALL.into_iter().take(kinds).map(move |ammo| Shot { ammo, ..Shot::ap(unit, gun) })
        });
        all.filter(move |shot| self.gun(*shot, target).is_ok())
    }

    pub fn may_fire(&self, unit: UnitId, target: UnitId) -> bool {
        self.shots(unit, target).next().is_some()
    }

    /// How many targets a vehicle could fire at; 2 stands for several.
    pub(super) fn choices(&self, unit: UnitId) -> u32 {
        if self.ready(unit).is_err() {
            return 0;
        }
        let targets = self.targets(self.rules.vehicle(unit).side);
        targets.iter().filter(|target| self.may_fire(unit, *target)).take(2).count() as u32
    }

    /// 4.4.1: has Fire or Short Halt, a target, and has not fired.
    pub fn must_fire(&self, unit: UnitId) -> bool {
        // 6.6.7.2: passengers may, nobody makes them.
        self.kind == Kind::Direct && !self.s.unit(unit).passenger() && self.choices(unit) > 0
    }

    /// Vehicles that must fire and can fire at nothing but one target, each with that target.
    pub(super) fn bound(&self, side: Side) -> SmallVec<[(UnitId, UnitId); 64]> {
        let mut bound = SmallVec::new();
        if self.kind == Kind::Overwatch {
            return bound; // 4.4.2: nobody must
        }
        let targets = self.targets(side);
        let bound_by_command = |unit: &UnitId| !self.s.unit(*unit).passenger() && self.ready(*unit).is_ok();
        for unit in self.rules.units_of(side).iter().filter(|unit| bound_by_command(unit)) {
            let mut able = targets.iter().filter(|target| self.may_fire(*unit, *target));
            if let (Some(target), None) = (able.next(), able.next()) {
                bound.push((*unit, target));
            }
        }
        bound
    }

    /// 6.2.1.1.4: the units that share the Overwatch of one of these and can fire at the target.
    pub(super) fn sharing(&self, side: Side, target: UnitId, shots: &[Shot]) -> impl Iterator<Item = UnitId> {
        let mut groups = SmallVec::<[u8; 8]>::new();
        if self.kind == Kind::Overwatch {
            let of = shots.iter().map(|shot| self.rules.group_of(self.s, shot.unit));
            groups.extend(of.filter(|group| *group > 0));
        }
        // Passengers may join the fire but need not (6.6.7.2).
        let mine = self.rules.units_of(side).iter().copied().filter(|unit| !self.s.unit(*unit).passenger());
        mine.filter(move |unit| groups.contains(&self.s.unit(*unit).group) && self.may_fire(*unit, target))
    }

    /// Whether it must fire and has no other target.
    pub(super) fn bound_to(&self, unit: UnitId, target: UnitId) -> bool {
        self.kind == Kind::Direct
            && !self.s.unit(unit).passenger()
            && self.may_fire(unit, target)
            && self.choices(unit) == 1
    }

    /// May the unit fire at all now? (6.1.4.3.10: smoke needs no target.)
    pub(super) fn fires(&self, unit: UnitId) -> Result<(), Refusal> {
        self.ready(unit).map_err(|bar| self.refuse(bar, Shot::ap(unit, 0), unit))
    }

    pub(super) fn refuse(&self, bar: Bar, shot: Shot, target: UnitId) -> Refusal {
        let (rules, unit) = (self.rules, shot.unit);
        let no = match bar {
            Bar::OffMap => rules.no("4.4.1", "fire.off_map"),
            Bar::Unarmed => rules.no("4.4.3", "fire.unarmed"),
            Bar::NoAp => rules.no("4.4.3", "fire.no_ap"),
            Bar::Fired => rules.no("4.4.1", "fire.fired"),
            // 6.6.7.2: it is that of the vehicle.
            Bar::Command if self.s.unit(unit).passenger() => rules.no("6.6.7.2", "fire.carrier_command"),
            Bar::Command if self.kind == Kind::Overwatch => rules.no("4.4.2", "fire.no_overwatch"),
            Bar::Command => rules.no("4.2.1", "fire.no_command"),
            Bar::Friend => rules.no("4.4.1", "fire.friend"),
            Bar::Gone => rules.no("4.4.1", "fire.gone"),
            Bar::NotSpotted if self.kind == Kind::Overwatch => rules.no("4.4.2", "fire.not_spotted_now"),
            Bar::NotSpotted => rules.no("4.4.1", "fire.not_spotted"),
            Bar::NotTriggered => rules.no("4.4.2", "fire.not_triggered"),
            Bar::Aimed => rules.no("4.4.1", "fire.aimed"),
            Bar::OutOfRange => rules.no("3.5.2", "fire.range"),
            Bar::FieldOfFire(FieldOfFire::Rear) => rules.no("4.4.3.1.5", "fire.rear_field"),
            Bar::FieldOfFire(_) => rules.no("4.4.3.1.4", "fire.front_field"),
            Bar::Impossible => rules.no("4.4.3.2.3", "fire.impossible"),
            Bar::NotItsTurn => rules.no("7.42", "fire.not_its_turn"),
            Bar::TooNear => rules.no("5.6", "fire.too_near"),
            Bar::Abandoned => rules.no("5.15", "fire.abandoned"),
            Bar::NotVehicle => rules.no("6.5.2", "fire.not_vehicle"),
            Bar::NoAmmo if rules.advanced.is_none() => rules.no("4.4.3", "fire.only_ap"),
            Bar::NoAmmo => rules.no("5.16.1", "fire.no_ammo"),
            Bar::NoGp => rules.no("6.5.4", "fire.no_gp"),
            Bar::HullDown => rules.no("6.1.4.1.2", "fire.hull_down"),
            Bar::WeaponLost => rules.no("7.17", "fire.weapon_lost"),
            Bar::UpperFloor => rules.no("5.1.3", "fire.upper_floor"),
            Bar::Pinning => rules.no("7.18", "fire.pinning"),
            Bar::Passenger => rules.no("6.1.3", "fire.passenger"),
            Bar::Transported => rules.no("6.6.7.2", "fire.transported"),
            Bar::SharedTarget => rules.no("6.2.1.1.4", "fire.shared_target"),
        };
        no.unit("unit", unit).unit("target", target).into()
    }
}
