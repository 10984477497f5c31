//! GP fire (6.5.4): GP factor against GP defense, the modified roll, and what it does to every class of target.

use kernel::Stop;
use smallvec::SmallVec;

use crate::{
    bail,
    event::Event,
    fire::{Dual, Kind, Shooting, bearing},
    movement,
    pack::{
        Cover, FieldOfFire,
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
};

/// Where a modifier of GP fire comes from (6.5.4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpCause {
    Modifier(GpModifier),
    /// The shooter's Unit Grade.
    Grade,
    /// 5.11: something on the line, so often.
    Hindrance(HindranceKind, u8),
}

impl GpCause {
    pub const fn key(self) -> &'static str {
        match self {
            GpCause::Modifier(modifier) => modifier.key(),
            GpCause::Grade => "unit_grade",
            GpCause::Hindrance(kind, _) => kind.key(),
        }
    }
}

/// GP fire worked out before the roll.
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
    /// The GP row with which a weapon fires directly (6.5.4.1); the squad's other side has its own.
    pub fn gp_row(&self, s: &State, unit: UnitId, gun: u8) -> Option<GpRow> {
        let piece = self.piece(unit)?;
        let arm = piece.arms.get(usize::from(gun))?;
        if arm.attached.is_some_and(|may| !may.gp_direct) {
            return None;
        }
        if gun == 0
            && s.unit(unit).is(Flags::REDUCED)
            && let Some(half) = &piece.half
        {
            return Some(half.gp);
        }
        match (arm.fixed_gp, arm.weapon.heat) {
            // 5.1.3.4: at the ranges of its AP fire.
            (Some(fixed), Some(heat)) => {
                Some(GpRow { range: heat.row.range, factor: [fixed; 5], min_range: 1 })
            }
            _ => arm.weapon.gp,
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
                let crawls = u.is(Flags::CRAWLED); // 6.6.4.3: not moving here
                let cover = self.combat_cover_of(s, unit);
                let full = u.is(Flags::FULL_COVER);
                (game.tables().foot_defense(&card, cover, full, moving && !crawls), TargetType::S)
            }
        })
    }

    /// 5.11, 6.5.2.4: what hinders fire between two hexes, each kind with how often it counts.
    pub fn hindrances(
        &self,
        s: &State,
        a: hexgrid::HexId,
        b: hexgrid::HexId,
        mut each: impl FnMut(HindranceKind, u8),
    ) {
        let mut brewed = self.smoke_between(s, a, b);
        let counts = |area: &&crate::indirect::Area| !area.young;
        if let (Some(game), true) =
            (self.advanced.as_deref(), s.indirect.areas.iter().any(|area| counts(&area)))
        {
            let tables = &game.tables().ap.hindrances;
            let lower = self.los.height(a).min(self.los.height(b));
            let mut kept: SmallVec<[usize; 8]> = SmallVec::new();
            self.los.hexes_on(a, b, |hex| {
                // 5.11: of several in one hex only the largest counts; smoke that both look over does not.
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
            count(GpModifier::LegCrawling, t.is(Flags::CRAWLED));
            count(GpModifier::OverWallOrDefilade, self.behind_hexside(u.hex, t.hex));
            count(GpModifier::HastyEntrenchment, t.is(Flags::ENTRENCHED));
        }
        let halts = u.command == Command::ShortHalt && shot.kind == Kind::Direct && !u.passenger();
        count(GpModifier::ShooterShortHalt, halts);
        count(GpModifier::ShooterDamaged, u.is(Flags::TURRET));
        count(GpModifier::ShooterSuppressed, u.suppressed());
        if shot.kind == Kind::Overwatch {
            // 6.5.4.3: Leg and towed units always fire within their field of fire.
            let ahead = !mine.vehicle() || self.faces(s, shot);
            count(GpModifier::Overwatch, ahead);
            count(GpModifier::OverwatchAdjust, !ahead);
        }
        count(GpModifier::AmmoLimit, shot.limits > 0);
        let range = self.field.range(u.hex, t.hex);
        let hazy = game.extras.conditions.heat_haze
            && range >= u32::from(tables.ap.heat_haze_range[theirs.spotted_as as usize]);
        count(GpModifier::HeatHaze, hazy);
        count(GpModifier::TransportedFire, u.passenger());
        count(GpModifier::DualFireSame, shot.dual == Dual::Same);
        count(GpModifier::DualFireOther, shot.dual == Dual::Other);
        let coax = mine.coax_mg && factor == RangeFactor::P && theirs.target_type() != TargetType::A;
        count(GpModifier::CoaxMg, coax);
        self.hindrances(s, u.hex, t.hex, |kind, times| {
            each(GpCause::Hindrance(kind, times), tables.ap.hindrances[kind.index()].gp * times as i8);
        });
        let grade = tables.gp_grade(mine.grade, factor);
        if grade != 0 {
            each(GpCause::Grade, grade);
        }
    }

    /// Is the target within the field in front of the firer (behind it, for a gun mounted so)? (4.4.3.2.2)
    pub fn faces(&self, s: &State, shot: &Shooting) -> bool {
        let u = s.unit(shot.unit);
        let rear = self.gun(shot.unit, shot.gun).is_some_and(|gun| gun.arc == FieldOfFire::Rear);
        let ahead = if rear { u.facing.opposite() } else { u.facing };
        let board = &self.field.board;
        bearing::in_sector(ahead, board.hex(u.hex), board.hex(s.unit(shot.target).hex))
    }

    /// Direct GP fire as a whole; none inside minimum or beyond maximum range, or without such a weapon.
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
    for passenger in play.rules.passengers(play.s, shot.target) {
        let at = Shooting { target: passenger, moving: false, ..*shot };
        if let Some(aim) = play.rules.gp_aim(play.s, &at) {
            attack(play, &at, &aim)?;
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
        hurt_foot(play, shot.target, result, BailResult::SuppressedDirect);
        Ok(())
    }
}

/// 6.5.4.4.2: what becomes of a vehicle; `direct`: by direct fire, which does not break the track of one hull down.
pub fn hurt_vehicle(
    play: &mut Play,
    by: UnitId,
    unit: UnitId,
    result: VehicleResult,
    direct: bool,
) -> Result<(), Stop> {
    let side = play.rules.vehicle(by).side;
    match result {
        VehicleResult::None => {}
        VehicleResult::Suppressed => suppress::suppress(play, unit),
        VehicleResult::Damage => {
            // An unarmed vehicle is always hit in the hull: nothing is rolled.
            let mut turret = false;
            if play.rules.vehicle(unit).combat {
                let die = play.roll_ten(side, "roll.damage", "6.5.4.4.2")?;
                let game = play.rules.advanced.as_deref();
                turret = game.is_some_and(|game| game.tables().damages_turret(die, true));
            }
            damage(play, unit, turret);
        }
        VehicleResult::Track => {
            let hull_down = play.s.unit(unit).is(Flags(Flags::HULL_DOWN.0 | Flags::PARTLY_HULL_DOWN.0))
                || play.rules.sits_hull_down(play.s, unit);
            if !(direct && hull_down) {
                track_hit(play, unit);
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

/// 6.5.4.4.3: what becomes of a Leg or towed unit.
pub fn hurt_foot(play: &mut Play, unit: UnitId, result: Outcome, test: BailResult) {
    let u = *play.s.unit(unit);
    match result {
        Outcome::NoEffect => {}
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
            suppress::suppress(play, unit);
            if u.passenger() && !u.is(Flags::SUPPRESSED_ON) {
                bail::note(play, unit, test, false);
            }
        }
        Outcome::Effective => bail::eliminate(play, unit),
    }
}

impl Panzer {
    /// A squad at full strength.
    pub fn squad(&self, s: &State, unit: UnitId) -> bool {
        let piece = self.piece(unit);
        piece.is_some_and(|p| {
            p.kind == UnitKind::Leg(crate::pack::advanced::LegSize::Squad) && p.half.is_some()
        }) && !s.unit(unit).is(Flags::REDUCED)
    }
}

/// 6.5.2.2.4: turret or hull; a second time it is knocked out.
pub fn damage(play: &mut Play, unit: UnitId, turret: bool) {
    if play.s.unit(unit).is(Flags(Flags::TURRET.0 | Flags::HULL.0)) {
        destroy(play, unit, Place::KnockedOut);
        return;
    }
    play.s.unit_mut(unit).set(if turret { Flags::TURRET } else { Flags::HULL });
    play.tell(Event::Damage { unit, turret });
    if !turret && play.s.walk.active && play.s.walk.unit == unit {
        movement::slowed(play.s);
    }
    bail::note(play, unit, BailResult::Damaged, false);
}

/// 6.5.2.2.1: it moves no more.
pub fn track_hit(play: &mut Play, unit: UnitId) {
    let repeated = play.s.unit(unit).is(Flags::TRACK);
    play.s.unit_mut(unit).set(Flags::TRACK);
    play.tell(Event::TrackHit { unit });
    bail::note(play, unit, BailResult::TrackHit, repeated);
}

/// Knocked Out or Brewed Up: its wreck stays; a Brew Up suppresses its friends in the hex (6.5.2.5).
pub fn destroy(play: &mut Play, unit: UnitId, place: Place) {
    let hex = play.s.unit(unit).hex;
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
