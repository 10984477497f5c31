//! GP fire (6.5.4): GP factor against GP defense, the modified roll, and what it does to every class of target.

use kernel::Stop;
use smallvec::SmallVec;

use crate::{
    bail,
    event::Event,
    fire::{Dual, Kind, Shooting, bearing},
    los::End,
    movement,
    pack::{
        Cover, FieldOfFire, Side,
        advanced::{
            BailResult, GpModifier, GpRow, HindranceKind, Outcome, RangeFactor, TargetType,
            lookup::{self, VehicleResult, outcome},
        },
    },
    piece::{Defense, UnitKind},
    play::Play,
    rules::Panzer,
    state::{Command, Flags, Place, State},
    suppress,
    units::UnitId,
    works,
};

/// Where a modifier of GP fire comes from (6.5.4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpCause {
    Modifier(GpModifier),
    /// The shooter's Unit Grade.
    Grade,
    /// 5.11: a hindrance on the line, with its number of occurrences.
    Hindrance(HindranceKind, u8),
    /// 6.1.4.3.13
    Sun,
}

impl GpCause {
    pub const fn key(self) -> &'static str {
        match self {
            GpCause::Modifier(modifier) => modifier.key(),
            GpCause::Grade => "unit_grade",
            GpCause::Hindrance(kind, _) => kind.key(),
            GpCause::Sun => "sun_blinding",
        }
    }
}

/// GP fire as computed before the roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpAim {
    pub range: u32,
    pub factor: RangeFactor,
    pub gpf: u8,
    pub gpd: u8,
    pub target: TargetType,
    pub net: i16,
    /// Up to N no effect, up to S suppressed (6.5.4.4).
    pub n: i16,
    pub s: i16,
}

impl Panzer {
    /// The GP row with which a weapon fires directly (6.5.4.1); a half-squad has its own.
    pub fn gp_row(&self, s: &State, unit: UnitId, gun: u8) -> Option<GpRow> {
        let piece = self.piece(unit)?;
        let arm = piece.arms.get(usize::from(gun))?;
        // 5.1.3.2, 5.1.3.3, 5.1.3.5: machineguns fire GP, anti-tank rifles and flamethrowers do not.
        if arm.attached.is_some_and(|may| !may.gp_direct) {
            return None;
        }
        if gun == 0
            && s.unit(unit).is(Flags::REDUCED)
            && let Some(half) = &piece.half
        {
            return Some(half.gp);
        }
        match (arm.fixed_gp, arm.weapon.heat.or(arm.weapon.ap)) {
            // 5.1.3.4: at the ranges of its AP fire.
            (Some(fixed), Some(heat)) => {
                Some(GpRow { range: heat.row.range, factor: [fixed; 5], min_range: 1 })
            }
            // 5.16.1: some guns received high-explosive shells only late.
            _ => arm
                .weapon
                .gp
                .filter(|_| self.advanced.as_deref().is_none_or(|g| g.has_come(arm.weapon.available.gp))),
        }
    }

    /// 6.5.4.2: GP defense of a unit; `moving`: a Leg or towed unit with Move or Short Halt.
    pub fn gp_defense(&self, s: &State, unit: UnitId, moving: bool) -> Option<(u8, TargetType)> {
        let game = self.advanced.as_deref()?;
        let (piece, u) = (&game.pieces[unit.index()], s.unit(unit));
        u.hex.some()?;
        if let Some(vehicle) = u.aboard.some() {
            // 6.5.4.2.3
            let covered = game.pieces[vehicle.index()].covered_transport;
            return Some((game.tables().passenger_defense(covered), TargetType::S));
        }
        Some(match piece.gpd {
            Defense::Vehicle(gpd) => (gpd.value, gpd.target), // 6.5.4.2.1
            Defense::Foot(card) => {
                let card = match &piece.half {
                    Some(half) if u.is(Flags::REDUCED) => half.gpd,
                    _ => card,
                };
                let crawls = self.crawling(s, unit, moving); // 6.6.4.3: not moving here
                let cover = self.combat_cover_of(s, unit);
                let full = u.is(Flags::FULL_COVER);
                (game.tables().foot_defense(&card, cover, full, moving && !crawls), TargetType::S)
            }
        })
    }

    /// 5.11, 6.5.2.4: what hinders fire between two hexes with units at these heights, each kind with its number of occurrences.
    pub fn hindrances(&self, s: &State, a: End, b: End, mut each: impl FnMut(HindranceKind, u8)) {
        let mut brewed = self.smoke_between(s, a, b);
        let counts = |area: &&crate::indirect::Area| !area.young;
        if let (Some(game), true) =
            (self.advanced.as_deref(), s.indirect.areas.iter().any(|area| counts(&area)))
        {
            let tables = &game.tables().ap.hindrances;
            let lower = a.1.min(b.1);
            let mut kept: SmallVec<[usize; 8]> = SmallVec::new();
            self.los.hexes_on(a.0, b.0, |hex| {
                if !s.indirect.areas.cover(hex) {
                    return;
                }
                // 5.11: of several in one hex only the largest counts; smoke lower than both units does not.
                let here = s.indirect.areas.iter().enumerate().filter(|(_, area)| {
                    let height = tables[area.kind.index()].height;
                    counts(area) && area.hexes.contains(&hex) && self.los.height(hex) + height > lower
                });
                let Some((n, area)) = here.min_by_key(|(_, area)| tables[area.kind.index()].gp) else {
                    return;
                };
                let mut one = hexgrid::HexSet::EMPTY;
                one.insert(hex);
                let brew_up = s.smoke.contains(hex)
                    && !s.new_smoke.contains(hex)
                    && self.los.smoke(a, b, &one, self.options.smoke_at_any_height) > 0;
                let larger = tables[area.kind.index()].gp <= tables[HindranceKind::BrewUpSmoke.index()].gp;
                if brew_up && larger {
                    brewed = brewed.saturating_sub(1);
                }
                if (!brew_up || larger) && !kept.contains(&n) {
                    kept.push(n);
                }
            });
            for kind in HindranceKind::ALL {
                let times = kept.iter().filter(|n| s.indirect.areas[**n].kind == kind).count();
                if times > 0 {
                    each(kind, times as u8);
                }
            }
        }
        if brewed > 0 {
            each(HindranceKind::BrewUpSmoke, brewed);
        }
    }

    /// Every modifier of direct GP fire (6.5.4.3).
    pub fn gp_modifiers(
        &self,
        s: &State,
        shot: &Shooting,
        factor: RangeFactor,
        mut each: impl FnMut(GpCause, i8),
    ) {
        let Some(game) = self.advanced.as_deref() else { return };
        let tables = game.tables();
        let (u, t) = (s.unit(shot.unit), s.unit(shot.target));
        let (mine, theirs) = (&game.pieces[shot.unit.index()], &game.pieces[shot.target.index()]);
        let mut count = |modifier: GpModifier, applies: bool| {
            if applies && let Some(value) = tables.gp_modifier(modifier, lookup::Fire::Direct) {
                each(GpCause::Modifier(modifier), value);
            }
        };
        let passenger = t.passenger();
        let vehicle = theirs.vehicle();
        if vehicle {
            count(GpModifier::TargetVehicleMoving, shot.moving);
            count(GpModifier::TargetTypeP, theirs.target_type() == TargetType::P);
            count(GpModifier::TargetTypeA, theirs.target_type() == TargetType::A);
            let cover = self.combat_cover_of(s, shot.target);
            count(GpModifier::VehicleMediumCover, cover == Cover::Medium);
            count(GpModifier::VehicleHeavyCover, cover == Cover::Heavy);
        } else if !passenger {
            count(GpModifier::LegCrawling, self.crawling(s, shot.target, shot.moving));
            count(GpModifier::OverWallOrDefilade, self.behind_hexside(u.hex, t.hex));
            count(GpModifier::HastyEntrenchment, t.is(Flags::ENTRENCHED));
        }
        let range = self.field.range(u.hex, t.hex);
        // 6.1.3: passengers are spotted with their vehicle.
        let seen = t.aboard.some().map_or(theirs, |vehicle| &game.pieces[vehicle.index()]);
        let hazy = game.extras.conditions.heat_haze
            && range >= u32::from(tables.ap.heat_haze_range[seen.spotted_as as usize]);
        count(GpModifier::HeatHaze, hazy);
        count(GpModifier::PinningFire, shot.pinning);
        let coax = mine.coax_mg && factor == RangeFactor::P && theirs.target_type() != TargetType::A;
        count(GpModifier::CoaxMg, coax);
        self.gp_line(s, shot, self.end(s, shot.target), factor, each);
    }

    /// The modifiers that depend only on the shooter and the line of fire, whatever the target in a hex.
    pub fn gp_line(
        &self,
        s: &State,
        shot: &Shooting,
        to: End,
        factor: RangeFactor,
        mut each: impl FnMut(GpCause, i8),
    ) {
        let Some(game) = self.advanced.as_deref() else { return };
        let tables = game.tables();
        let u = s.unit(shot.unit);
        let mine = &game.pieces[shot.unit.index()];
        let mut count = |modifier: GpModifier, applies: bool| {
            if applies && let Some(value) = tables.gp_modifier(modifier, lookup::Fire::Direct) {
                each(GpCause::Modifier(modifier), value);
            }
        };
        let halts = u.command == Command::ShortHalt && shot.kind == Kind::Direct && !u.passenger();
        count(GpModifier::ShooterShortHalt, halts);
        count(GpModifier::ShooterDamaged, u.is(Flags::TURRET));
        count(GpModifier::ShooterSuppressed, u.suppressed());
        count(GpModifier::ShooterHesitating, u.is(Flags::HESITATES)); // 7.1.5.1
        count(GpModifier::ShooterBroken, u.is(Flags::BROKEN)); // 7.1.5.2
        if shot.kind == Kind::Overwatch {
            // 6.5.3, 6.5.4.3: Leg and towed units always fire within their field of fire.
            let ahead = !self.adjusts(shot.unit) || self.faces(s, shot);
            count(GpModifier::Overwatch, ahead);
            count(GpModifier::OverwatchAdjust, !ahead);
        }
        count(GpModifier::AmmoLimit, shot.limits > 0);
        count(GpModifier::TransportedFire, u.passenger());
        // 7.15: hand-held weapons fire CE ammunition (5.1.3.4).
        let ce = self.optional(15) && self.arm(shot.unit, shot.gun).is_some_and(|arm| arm.fixed_gp.is_some());
        count(GpModifier::CeAmmunition, ce);
        count(GpModifier::DualFireSame, shot.dual == Dual::Same);
        count(GpModifier::DualFireOther, shot.dual == Dual::Other);
        self.hindrances(s, self.end(s, shot.unit), to, |kind, times| {
            each(GpCause::Hindrance(kind, times), tables.ap.hindrances[kind.index()].gp * times as i8);
        });
        if let Some(sun) = &game.extras.conditions.sun_blinding
            && self.into_the_sun(&sun.edge, u.hex, to.0)
        {
            each(GpCause::Sun, sun.gp);
        }
        let grade = tables.gp_grade(mine.grade, factor);
        if grade != 0 {
            each(GpCause::Grade, grade);
        }
    }

    /// Whether the unit has the greater modifier for Overwatch fire outside its front: vehicles, and guns on platform
    /// mounts (7.16).
    pub fn adjusts(&self, unit: UnitId) -> bool {
        self.is_vehicle(unit) || self.optional(16) && self.piece(unit).is_some_and(|piece| piece.platform)
    }

    /// 6.1.4.3.13: whether the line of fire, extended beyond the target, reaches this map edge first.
    pub fn into_the_sun(&self, edge: &str, from: hexgrid::HexId, to: hexgrid::HexId) -> bool {
        if from == to {
            return false;
        }
        let ((x0, y0), (x1, y1)) = (self.field.place(from), self.field.place(to));
        let bounds = self.field.extent();
        let (dx, dy) = (x1 - x0, y1 - y0);
        let time = |d: f64, here: f64, low: f64, high: f64| match () {
            () if d > 1e-9 => (high - here) / d,
            () if d < -1e-9 => (low - here) / d,
            () => f64::MAX,
        };
        let (tx, ty) = (time(dx, x1, bounds[0], bounds[1]), time(dy, y1, bounds[2], bounds[3]));
        let reached = match () {
            () if tx < ty && dx > 0.0 => "east",
            () if tx < ty => "west",
            () if dy > 0.0 => "south",
            () => "north",
        };
        edge.eq_ignore_ascii_case(reached)
    }

    /// Whether the target is in the firing unit's front field (or rear field, for a gun that points to the rear)
    /// (4.4.3.2.2).
    pub fn faces(&self, s: &State, shot: &Shooting) -> bool {
        let u = s.unit(shot.unit);
        let rear = self.gun(shot.unit, shot.gun).is_some_and(|gun| gun.arc == FieldOfFire::Rear);
        let ahead = if rear { u.facing.opposite() } else { u.facing };
        let board = &self.field.board;
        bearing::in_sector(ahead, board.hex(u.hex), board.hex(s.unit(shot.target).hex))
    }

    /// Direct GP fire as a whole; `None` inside minimum or beyond maximum range, or without such a weapon.
    pub fn gp_aim(&self, s: &State, shot: &Shooting) -> Option<GpAim> {
        let game = self.advanced.as_deref()?;
        let row = self.gp_row(s, shot.unit, shot.gun)?;
        let range = self.field.range(s.unit(shot.unit).hex, s.unit(shot.target).hex);
        let (factor, gpf) = row.at(range.max(1))?;
        let (gpd, target) = self.gp_defense(s, shot.target, shot.moving)?;
        let mut net = 0;
        self.gp_modifiers(s, shot, factor, |_, value| net += i16::from(value));
        let (n, s) = game.tables().gp_cell(gpf, gpd);
        Some(GpAim { range, factor, gpf, gpd, target, net, n, s })
    }

    /// Direct fire at the terrain of a hex (6.5.4.2.5): the factor, and the modifiers of the shooter and of the line. None for
    /// Small Arms, and out of range.
    pub fn shelling(&self, s: &State, shot: &Shooting, hex: hexgrid::HexId) -> Option<works::Shelling> {
        let heavy = self.arm(shot.unit, shot.gun)?.weapon.effectiveness.is_some();
        let row = self.gp_row(s, shot.unit, shot.gun)?;
        let range = self.field.range(s.unit(shot.unit).hex, hex);
        let (factor, gpf) = row.at(range.max(1))?;
        let mut net = 0;
        self.gp_line(s, shot, (hex, self.field.height(hex)), factor, |_, value| net += i16::from(value));
        let side = self.vehicle(shot.unit).side;
        heavy.then_some(works::Shelling { side, gpf, net, at_once: false })
    }

    /// 6.5.4.4.2, 6.5.4.4.3: what a modified total does to a vehicle.
    pub fn gp_on_vehicle(&self, shot: &Shooting, aim: &GpAim, total: i16) -> VehicleResult {
        let Some(game) = self.advanced.as_deref() else { return VehicleResult::None };
        let outcome = outcome((aim.n, aim.s), total);
        let arm = self.arm(shot.unit, shot.gun);
        match arm.and_then(|arm| arm.weapon.effectiveness) {
            Some(most) => game.tables().heavy_result(outcome, aim.target, aim.gpd, most, total, true),
            None => game.tables().small_arms_result(outcome, aim.target, aim.factor, total, aim.gpf),
        }
    }
}

/// 6.5.4.4: a direct shot: the target, then each of its passengers (6.5.4.2.3).
pub fn resolve(play: &mut Play, shot: &Shooting) -> Result<(), Stop> {
    let Some(aim) = play.rules.gp_aim(play.s, shot) else { return Ok(()) };
    attack(play, shot, &aim)?;
    if !play.rules.is_vehicle(shot.target) {
        return Ok(());
    }
    passengers(play, shot, shot.target)
}

/// 6.5.4.2.3: each passenger of a vehicle, with a separate roll, whether the vehicle still exists or not.
pub fn passengers(play: &mut Play, shot: &Shooting, vehicle: UnitId) -> Result<(), Stop> {
    for passenger in play.rules.passengers(play.s, vehicle) {
        let at = Shooting { target: passenger, moving: false, ..*shot };
        if let Some(aim) = play.rules.gp_aim(play.s, &at) {
            attack(play, &at, &aim)?;
        }
    }
    Ok(())
}

/// 6.5.4.4: units first, then the terrain that the target occupies, by a weapon that is not Small Arms (6.5.4.2.5).
pub fn resolve_all(play: &mut Play, shot: &Shooting) -> Result<(), Stop> {
    let before = *play.s.unit(shot.target);
    let shelling = play.rules.shelling(play.s, shot, before.hex);
    let vulnerable = play.rules.vulnerable(play.s, before.hex);
    let occupied: SmallVec<[works::Against; 4]> = (vulnerable.into_iter())
        .filter(|against| play.rules.occupies(play.s, shot.target, against.target))
        .collect();
    resolve(play, shot)?;
    if let Some(shelling) = shelling {
        for against in occupied {
            works::batter(play, shelling, before.hex, against)?;
        }
    }
    Ok(())
}

fn attack(play: &mut Play, shot: &Shooting, aim: &GpAim) -> Result<(), Stop> {
    let side = play.rules.vehicle(shot.unit).side;
    let roll = play.roll(side, "roll.gp", "6.5.4.4")?;
    let total = i16::from(roll) + aim.net;
    let result = outcome((aim.n, aim.s), total);
    play.s.unit_mut(shot.target).set(Flags::UNDER_FIRE); // 6.8.3.1.2
    play.tell(Event::GpFire {
        unit: shot.unit,
        target: shot.target,
        gpf: aim.gpf,
        gpd: aim.gpd,
        net: aim.net,
        roll,
        outcome: result,
    });
    if play.rules.is_vehicle(shot.target) {
        let result = play.rules.gp_on_vehicle(shot, aim, total);
        hurt_vehicle(play, shot.unit, shot.target, result, true)
    } else {
        play.log.reveal(); // 6.5.4.2.2: its defense tells whether it is moving
        // 7.18: it can only pin.
        let result = if shot.pinning { result.min(Outcome::Suppressed) } else { result };
        hurt_foot(play, shot.target, result, BailResult::SuppressedDirect)
    }
}

/// 6.5.4.4.2: the effect on a vehicle; `direct`: by direct fire, which does not break the track of a hull down vehicle.
pub fn hurt_vehicle(
    play: &mut Play,
    by: UnitId,
    unit: UnitId,
    result: VehicleResult,
    direct: bool,
) -> Result<(), Stop> {
    // 6.1.4.1, 6.5.4.4.2: only for a shot against the covered side.
    let covered = direct && play.rules.covered_track(play.s, by, unit);
    hurt_vehicle_by(play, play.rules.vehicle(by).side, unit, result, covered)
}

/// The same for fire of a side, without a firing unit; `covered`: its track cannot be hit.
pub fn hurt_vehicle_by(
    play: &mut Play,
    side: Side,
    unit: UnitId,
    result: VehicleResult,
    covered: bool,
) -> Result<(), Stop> {
    match result {
        VehicleResult::None => {}
        VehicleResult::Suppressed => suppress::suppress(play, unit),
        VehicleResult::Damage => {
            // An unarmed vehicle is always hit in the hull: nothing is rolled.
            let mut turret = false;
            if play.rules.armed(play.s, unit) {
                let die = play.roll_ten(side, "roll.damage", "6.5.4.4.2")?;
                let game = play.rules.advanced.as_deref();
                turret = game.is_some_and(|game| game.tables().damages_turret(die, true));
            }
            damage(play, unit, turret);
        }
        VehicleResult::Track => {
            if !covered {
                track_hit(play, unit)?;
            }
        }
        VehicleResult::Destroyed { brew_up } => {
            let die = play.roll_ten(side, "roll.brew_up", "6.5.4.4.2")?;
            let place = if die <= brew_up { Place::BrewedUp } else { Place::KnockedOut };
            destroy(play, unit, place);
        }
    }
    Ok(())
}

/// 6.5.4.4.3: the effect on a Leg or towed unit.
pub fn hurt_foot(play: &mut Play, unit: UnitId, result: Outcome, test: BailResult) -> Result<(), Stop> {
    let u = *play.s.unit(unit);
    match result {
        Outcome::NoEffect => {} // 6.5.4.4.1
        Outcome::Suppressed => {
            suppress::suppress(play, unit);
            // 6.5.4.5: not one that was Suppression/On before.
            if u.passenger() && !u.is(Flags::SUPPRESSED_ON) {
                bail::note(play, unit, test, false);
            }
        }
        Outcome::Effective if play.rules.squad(play.s, unit) => {
            play.s.unit_mut(unit).set(Flags::REDUCED);
            play.tell(Event::Reduced { unit });
            lose_weapons(play, unit)?;
            suppress::suppress(play, unit);
            if u.passenger() && !u.is(Flags::SUPPRESSED_ON) {
                bail::note(play, unit, test, false);
            }
        }
        Outcome::Effective => bail::eliminate(play, unit),
    }
    Ok(())
}

/// 7.17: a squad that became a half-squad may lose its attached weapons.
pub fn lose_weapons(play: &mut Play, unit: UnitId) -> Result<(), Stop> {
    let Some(game) = play.rules.advanced.as_deref().filter(|_| play.rules.optional(17)) else {
        return Ok(());
    };
    let most = game.tables().optional.attached_weapon_loss.lost_max;
    let side = play.rules.vehicle(unit).side;
    for (n, arm) in game.pieces[unit.index()].arms.iter().enumerate() {
        if arm.attached.is_none() || play.rules.weapon_lost(play.s, unit, n as u8) {
            continue;
        }
        let roll = play.roll_ten(side, "roll.weapon_loss", "7.17")?;
        if roll <= most {
            play.s.unit_mut(unit).lost |= 1 << (n.saturating_sub(1) % 8);
            play.tell(Event::WeaponLost { unit, gun: n as u8 });
        }
    }
    Ok(())
}

impl Panzer {
    /// 7.17: whether this attached weapon is lost.
    pub fn weapon_lost(&self, s: &State, unit: UnitId, gun: u8) -> bool {
        gun > 0 && s.unit(unit).lost >> ((gun - 1) % 8) & 1 == 1
    }

    /// A squad at full strength.
    pub fn squad(&self, s: &State, unit: UnitId) -> bool {
        let piece = self.piece(unit);
        piece.is_some_and(|p| {
            p.kind == UnitKind::Leg(crate::pack::advanced::LegSize::Squad) && p.half.is_some()
        }) && !s.unit(unit).is(Flags::REDUCED)
    }
}

/// 6.5.2.2.4: turret or hull damage; the second time it is knocked out.
pub fn damage(play: &mut Play, unit: UnitId, turret: bool) {
    if play.s.unit(unit).is(Flags(Flags::TURRET.0 | Flags::HULL.0)) {
        destroy(play, unit, Place::KnockedOut);
        return;
    }
    play.s.unit_mut(unit).set(if turret { Flags::TURRET } else { Flags::HULL });
    play.tell(Event::Damage { unit, turret });
    crate::morale::shaken(play, unit); // 7.1.2
    if !turret && play.s.walk.active && play.s.walk.unit == unit {
        movement::slowed(play.s);
    }
    bail::note(play, unit, BailResult::Damaged, false);
}

/// 6.5.2.2.1: it can no longer move; with 7.21 the running gear may stay intact.
pub fn track_hit(play: &mut Play, unit: UnitId) -> Result<(), Stop> {
    if let Some(game) = play.rules.advanced.as_deref().filter(|_| play.rules.optional(21)) {
        let most = game.tables().optional.variable_track_damage.breaks_max;
        let roll = play.roll_ten(play.rules.vehicle(unit).side.enemy(), "roll.track", "7.21")?;
        if roll > most {
            play.tell(Event::TrackHolds { unit, roll });
            return Ok(());
        }
    }
    let repeated = play.s.unit(unit).is(Flags::TRACK);
    play.s.unit_mut(unit).set(Flags::TRACK);
    play.tell(Event::TrackHit { unit });
    bail::note(play, unit, BailResult::TrackHit, repeated);
    Ok(())
}

/// Knocked Out or Brewed Up: its wreck stays; a Brew Up suppresses its friends in the hex (6.5.2.5).
pub fn destroy(play: &mut Play, unit: UnitId, place: Place) {
    let hex = play.s.unit(unit).hex;
    crate::morale::lost(play, unit); // 7.1.2
    play.tell(Event::Destroyed { unit, place });
    crate::fire::eliminated(play, unit, place);
    let result = if place == Place::BrewedUp { BailResult::BrewUp } else { BailResult::KnockOut };
    bail::note(play, unit, result, false);
    if place != Place::BrewedUp {
        return;
    }
    let side = play.rules.vehicle(unit).side;
    for other in play.rules.units_of(side) {
        let u = play.s.unit(*other);
        let covered = u
            .aboard
            .some()
            .is_some_and(|vehicle| play.rules.piece(vehicle).is_some_and(|piece| piece.covered_transport));
        if u.on_map() && u.hex == hex && !covered {
            suppress::suppress(play, *other);
        }
    }
}
