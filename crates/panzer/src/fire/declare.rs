//! Which units may fire at what, and the declaration of all fire at one target before any of it is resolved (4.4.1).

use kernel::{Refusal, Slot, SlotKind, Stop, Template};
use rand_core::RngCore;
use rulebook::flow::Question;
use smallvec::SmallVec;

use super::{Fire, Kind, Shooting};
use crate::{
    action::{Action, Shot, Shots, Subject},
    event::Event,
    frame::Frame,
    pack::{ApRow, FieldOfFire, Side, advanced::LegSize},
    piece::{Ammo, UnitKind},
    play::{At, Cx, Play},
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
enum Bar {
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
    fn ready(&self, unit: UnitId) -> Result<(), Bar> {
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
    fn targets(&self, side: Side) -> UnitSet {
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

    fn shot(&self, shot: Shot, target: UnitId) -> Result<(), Bar> {
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
    fn choices(&self, unit: UnitId) -> u32 {
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
    fn bound(&self, side: Side) -> SmallVec<[(UnitId, UnitId); 64]> {
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
    fn sharing(&self, side: Side, target: UnitId, shots: &[Shot]) -> impl Iterator<Item = UnitId> {
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
    fn bound_to(&self, unit: UnitId, target: UnitId) -> bool {
        self.kind == Kind::Direct
            && !self.s.unit(unit).passenger()
            && self.may_fire(unit, target)
            && self.choices(unit) == 1
    }

    /// May the unit fire at all now? (6.1.4.3.10: smoke needs no target.)
    pub(super) fn fires(&self, unit: UnitId) -> Result<(), Refusal> {
        self.ready(unit).map_err(|bar| self.refuse(bar, Shot::ap(unit, 0), unit))
    }

    fn refuse(&self, bar: Bar, shot: Shot, target: UnitId) -> Refusal {
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

/// 6.2.1.1.4: the effect of a shared Command on the others: their targets must be near this one, their Overwatch is
/// spent.
fn share(play: &mut Play, kind: Kind, unit: UnitId, target: UnitId) {
    let group = play.rules.group_of(play.s, unit);
    if group == 0 {
        return;
    }
    let side = play.rules.vehicle(unit).side;
    let entry = (side, group, play.s.unit(target).hex);
    if !play.s.shared_targets.contains(&entry) {
        play.s.shared_targets.push(entry);
    }
    if kind == Kind::Overwatch {
        for other in play.rules.units_of(side) {
            if play.rules.group_of(play.s, *other) == group {
                play.s.unit_mut(*other).set(Flags::FIRED);
            }
        }
    }
}

/// 6.6.9: a hull down position is lost when a Short Halt is revealed.
pub fn give_up_position(s: &mut State, unit: UnitId) {
    if s.unit(unit).command.moves() {
        s.unit_mut(unit)
            .clear(Flags(Flags::HULL_DOWN.0 | Flags::PARTLY_HULL_DOWN.0 | Flags::HULL_DOWN_REVERSE.0));
    }
}

impl Panzer {
    /// 6.2.1.1.3: the group that a unit shares its Command with; a passenger belongs to its vehicle (6.6.7).
    pub fn group_of(&self, s: &State, unit: UnitId) -> u8 {
        let u = s.unit(unit);
        u.aboard.some().map_or(u.group, |vehicle| s.unit(vehicle).group)
    }

    /// 6.2.1.1.4: every two targets of one shared Command are within command range of each other.
    pub fn shared_target(&self, s: &State, unit: UnitId, hex: hexgrid::HexId) -> bool {
        let group = self.group_of(s, unit);
        if group == 0 || s.shared_targets.is_empty() {
            return true;
        }
        let (side, range) = (self.vehicle(unit).side, self.sharing_range(s, unit));
        let others = s.shared_targets.iter().filter(|(of, n, _)| (*of, *n) == (side, group));
        others.into_iter().all(|(.., other)| self.field.range(*other, hex) <= range)
    }

    /// The command range of the formation whose Command a unit shares.
    fn sharing_range(&self, s: &State, unit: UnitId) -> u32 {
        let commanded = s.unit(unit).aboard.some().unwrap_or(unit);
        self.command_range(self.piece(commanded).map_or(0, |piece| piece.formation))
    }

    /// The same for two shots of one declaration (5.14, 6.2.1.1.4).
    fn shared_shots(&self, s: &State, one: Shot, other: Shot, target: UnitId) -> bool {
        let group = self.group_of(s, one.unit);
        if group == 0 || self.group_of(s, other.unit) != group {
            return true;
        }
        let [a, b] = [one, other].map(|shot| s.unit(shot.target(target)).hex);
        self.field.range(a, b) <= self.sharing_range(s, one.unit)
    }

    /// 5.14: whether the unit may fire several weapons at once: vehicles with several, squads and half-squads; not
    /// sections, and not Suppressed units.
    pub fn may_dual(&self, s: &State, unit: UnitId) -> bool {
        self.piece(unit).is_some_and(|piece| {
            piece.arms.len() > 1
                && piece.kind != UnitKind::Leg(LegSize::Section)
                && !s.unit(unit).suppressed()
        })
    }

    /// 4.4.3.2.2: a target whose Command is known to be Move or Short Halt.
    pub fn known_to_move(&self, s: &State, target: UnitId) -> bool {
        let t = s.unit(target);
        t.command.moves() && t.is(Flags::REVEALED)
    }
}

fn candidate<'a>(cx: &Cx<'a>) -> Candidate<'a> {
    Candidate { rules: cx.rules, s: cx.s, kind: kind_of(cx.frame), supposed: false }
}

fn kind_of(frame: Frame) -> Kind {
    match frame {
        Frame::DirectFire(_) => Kind::Direct,
        _ => Kind::Overwatch,
    }
}

/// All fire at one target, for any action that can be written (4.4.1).
pub(crate) fn check_shots(cx: &Cx, target: UnitId, shots: &[Shot]) -> Result<(), Refusal> {
    let who = candidate(cx);
    if shots.is_empty() {
        return cx.rules.no("4.4.1", "fire.nobody").unit("target", target).into();
    }
    for (n, shot) in shots.iter().enumerate() {
        cx.rules.own(cx.side, shot.unit)?;
        if shots[..n].iter().any(|other| other.unit == shot.unit) && !cx.rules.may_dual(cx.s, shot.unit) {
            // 4.4.1, 4.4.3.2.1: one weapon per fire.
            let rule = if cx.rules.advanced.is_some() { "5.14" } else { "4.4.1" };
            return cx.rules.no(rule, "fire.twice").unit("unit", shot.unit).into();
        }
        if shots[..n].iter().any(|other| other.unit == shot.unit && other.gun == shot.gun) {
            return cx.rules.no("5.14", "fire.twice").unit("unit", shot.unit).into();
        }
        let at = shot.target(target);
        who.shot(*shot, at).map_err(|bar| who.refuse(bar, *shot, at))?;
        if shots[..n].iter().any(|other| !cx.rules.shared_shots(cx.s, *shot, *other, target)) {
            return Err(who.refuse(Bar::SharedTarget, *shot, at));
        }
        // 5.14: another target belongs to the declaration only if a unit fires at both.
        let joined = |other: &Shot| {
            let both = shots.iter().filter(|one| one.unit == other.unit).map(|one| one.target(target));
            other.target(target) == at && both.into_iter().any(|one| one != at)
        };
        if at != target && !shots.iter().any(joined) {
            return cx
                .rules
                .no("5.14", "fire.other_target")
                .unit("unit", shot.unit)
                .unit("target", at)
                .into();
        }
    }
    // 6.2.1.1.4: units that share Overwatch fire together.
    let absent =
        who.sharing(cx.side, target, shots).find(|unit| !shots.iter().any(|shot| shot.unit == *unit));
    if let Some(unit) = absent {
        return cx.rules.no("6.2.1.1.4", "fire.shared_overwatch").unit("unit", unit).into();
    }
    let left_out = cx
        .rules
        .units_of(cx.side)
        .iter()
        .find(|unit| !shots.iter().any(|shot| shot.unit == **unit) && who.bound_to(**unit, target));
    match left_out {
        Some(unit) => cx.rules.no("4.4.1", "fire.left_out").unit("unit", *unit).unit("target", target).into(),
        None => Ok(()),
    }
}

/// Own vehicles with a shot, and enemies at which several may fire together.
pub fn subjects(cx: &Cx, out: &mut Vec<Subject>) {
    let who = candidate(cx);
    let targets = who.targets(cx.side);
    // Targets at which one vehicle can fire, and those at which several can.
    let (mut once, mut several) = (UnitSet::EMPTY, UnitSet::EMPTY);
    for unit in cx.rules.units_of(cx.side) {
        if who.ready(*unit).is_err() {
            continue;
        }
        let mut able = false;
        for target in targets.iter().filter(|target| who.may_fire(*unit, *target)) {
            able = true;
            if once.contains(target) {
                several.insert(target);
            }
            once.insert(target);
        }
        let smokes = || who.kind == Kind::Direct && cx.rules.has_smoke_point(cx.s, *unit);
        out.extend((able || smokes()).then_some(Subject::Unit(*unit)));
    }
    out.extend(several.iter().map(Subject::Target));
}

pub fn options(cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
    let who = candidate(cx);
    match subject {
        Subject::Unit(unit) if cx.rules.vehicle(unit).side == cx.side => {
            if who.kind == Kind::Direct {
                super::smoke::options(cx, unit, out);
            }
            let bound = who.bound(cx.side);
            for target in who.targets(cx.side).iter() {
                for shot in who.shots(unit, target) {
                    let mut shots = Shots::new();
                    shots.push(shot);
                    include_bound(&who, &bound, target, &mut shots);
                    include_sharing(&who, cx.side, target, &mut shots);
                    out.push(Action::Fire { target, shots });
                }
            }
        }
        Subject::Target(target)
            if cx.rules.vehicle(target).side != cx.side
                && cx.rules.units_of(cx.side).iter().any(|unit| who.may_fire(*unit, target)) =>
        {
            out.push(Action::Fire { target, shots: Shots::new() });
        }
        _ => {}
    }
}

/// Units with no other target must join the fire.
fn include_bound(who: &Candidate, bound: &[(UnitId, UnitId)], target: UnitId, shots: &mut Shots) {
    for (unit, _) in bound.iter().filter(|(_, only)| *only == target) {
        if !shots.iter().any(|shot| shot.unit == *unit)
            && let Some(shot) = who.shots(*unit, target).next()
        {
            shots.push(shot);
        }
    }
}

/// 6.2.1.1.4: units that share the Overwatch of one of them must join the fire.
fn include_sharing(who: &Candidate, side: Side, target: UnitId, shots: &mut Shots) {
    let more: SmallVec<[UnitId; 8]> = who.sharing(side, target, shots).collect();
    for unit in more {
        if !shots.iter().any(|shot| shot.unit == unit)
            && let Some(shot) = who.shots(unit, target).next()
        {
            shots.push(shot);
        }
    }
}

/// `A`, or `A#2` where the vehicle has several AP guns.
pub fn shot_words(rules: &Panzer, shot: Shot) -> String {
    let mut words = rules.id(shot.unit).to_owned();
    if rules.vehicle(shot.unit).guns.len() > 1 {
        words.push_str(&format!("#{}", shot.gun + 1));
    }
    if rules.advanced.is_some() {
        words.push(':');
        words.push_str(if shot.pinning { "pin" } else { shot.ammo.key() });
        if let Some(at) = shot.at.some() {
            words.push('>');
            words.push_str(rules.id(at));
        }
    }
    words
}

/// The sheet of a fire that names no shooters yet.
pub fn template(cx: &Cx, action: &Action) -> Option<Template> {
    let Action::Fire { target, shots } = action else { return None };
    if !shots.is_empty() {
        return None;
    }
    let who = candidate(cx);
    let (mut candidates, mut suggested) = (Vec::new(), Vec::new());
    for unit in cx.rules.units_of(cx.side) {
        for (n, shot) in who.shots(*unit, *target).enumerate() {
            let words = shot_words(cx.rules, shot);
            if n == 0 && (who.bound_to(*unit, *target) || suggested.is_empty()) {
                suggested.push(words.clone());
            }
            candidates.push(words);
        }
    }
    let shooters = Slot {
        words: format!("fire {} with", cx.rules.id(*target)),
        kind: SlotKind::Units,
        label: "slot.shooters".into(),
        min: 1,
        max: candidates.len() as u16,
        suggested,
        candidates,
    };
    Some(Template { parts: vec![shooters] })
}

/// Fill a skeleton: some of the units that can fire, and all that must.
pub(crate) fn fill(cx: &Cx, action: &mut Action, rng: &mut dyn RngCore) -> bool {
    let Action::Fire { target, shots } = action else { return true };
    if !shots.is_empty() {
        return true;
    }
    let who = candidate(cx);
    let mut coins = rng.next_u64();
    for unit in cx.rules.units_of(cx.side) {
        if let Some(shot) = who.shots(*unit, *target).next() {
            if coins & 1 == 1 || who.bound_to(*unit, *target) {
                shots.push(shot);
            }
            coins = coins.rotate_right(1);
        }
    }
    include_sharing(&who, cx.side, *target, shots);
    !shots.is_empty()
}

/// 4.4.1: Direct Fire of one player; units that must fire do so before the step ends.
#[derive(Debug)]
pub struct DirectFire;

impl Question<Panzer> for DirectFire {
    fn asks(&self, _: &Panzer, s: &State, frame: Frame) -> Option<Side> {
        frame.player().and_then(|player| s.side_of(player))
    }

    fn forced(&self, cx: &Cx) -> Option<Action> {
        let who = candidate(cx);
        // Passengers may fire and are asked (6.6.7.2).
        let smokes = |unit: UnitId| {
            let u = cx.s.unit(unit);
            u.command.fires() && !u.is(Flags::FIRED) && cx.rules.has_smoke_point(cx.s, unit)
        };
        let asked = |unit: &UnitId| {
            who.must_fire(*unit) || cx.s.unit(*unit).passenger() && who.choices(*unit) > 0 || smokes(*unit)
        };
        let nobody = !cx.rules.units_of(cx.side).iter().any(asked);
        nobody.then_some(Action::Done)
    }

    fn subjects(&self, cx: &Cx, out: &mut Vec<Subject>) {
        // Units that must fire do so first; passengers need not (6.6.7.2).
        if self.check(cx, &Action::Done).is_ok() {
            out.push(Subject::Phase);
        }
        subjects(cx, out);
        if out.is_empty() {
            out.push(Subject::Phase);
        }
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend(self.check(cx, &Action::Done).is_ok().then_some(Action::Done));
        } else {
            options(cx, subject, out);
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Fire { target, shots } => check_shots(cx, *target, shots),
            Action::Smoke { unit, hex } => super::smoke::check(cx, &candidate(cx), *unit, *hex),
            Action::Discharge { unit } => super::smoke::check_discharge(cx, *unit),
            Action::Done => {
                // 4.2.1, 4.4.1: Fire and Short Halt are binding.
                let who = candidate(cx);
                match cx.rules.units_of(cx.side).iter().find(|unit| who.must_fire(**unit)) {
                    Some(unit) => cx.rules.no("4.4.1", "fire.must").unit("unit", *unit).into(),
                    None => Ok(()),
                }
            }
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        match action {
            Action::Fire { target, shots } => declare(play, Kind::Direct, *target, shots, &[]),
            Action::Smoke { unit, hex } => super::smoke::fire(play, *unit, *hex)?,
            Action::Discharge { unit } => super::smoke::discharge(play, *unit)?,
            _ => play.pop(),
        }
        Ok(())
    }
}

/// 4.4.1: Commands are revealed, and all named units have fired, whatever the result. The shots follow.
pub fn declare(play: &mut Play, kind: Kind, target: UnitId, shots: &Shots, then: &[Frame]) {
    for shot in shots {
        let commanded = play.s.unit(shot.unit).aboard.some().unwrap_or(shot.unit);
        play.reveal(commanded);
        give_up_position(play.s, commanded);
        play.s.unit_mut(shot.unit).set(Flags::FIRED);
        let target = shot.target(target);
        play.tell(Event::Declared { kind, target, unit: shot.unit, gun: shot.gun });
        share(play, kind, shot.unit, target);
    }
    // 5.14: target by target, in the order in which they were named.
    let mut targets = SmallVec::<[UnitId; 2]>::from_slice(&[target]);
    for shot in shots {
        if !targets.contains(&shot.target(target)) {
            targets.push(shot.target(target));
        }
    }
    let in_order = targets.iter().flat_map(|at| shots.iter().filter(|shot| shot.target(target) == *at));
    let in_order: Shots = in_order.copied().collect();
    play.s.fire = Fire { kind, target, shots: in_order, ..Fire::default() };
    play.then(then);
    play.then(&[Frame::Shot]);
    for at in targets.iter().rev() {
        play.s.aimed.insert(*at);
        ask_to_show(play, *at);
    }
}

/// 4.4.3.2.2: the owner of a target with a hidden Command is asked.
fn ask_to_show(play: &mut Play, target: UnitId) {
    let t = play.s.unit(target);
    // Asked whatever the Command is: the question itself must not reveal it.
    // 6.5.4.2.2: Leg and towed units may not keep their Command secret, and would gain nothing by it.
    let asked = play.rules.is_vehicle(target);
    if asked && !t.is(Flags::REVEALED) {
        play.s.fire.asked.push(target);
        play.then(&[Frame::ShowCommand]);
    }
}
