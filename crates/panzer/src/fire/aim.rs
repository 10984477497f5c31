//! One shot computed before it is fired: Range Factor, modifiers, AP Hit Number, angle, penetration (4.4.3.2). Pure.

use hexgrid::HexId;
use serde::{Deserialize, Serialize};

use super::bearing::{self, Angle};
use crate::pack::advanced::HindranceKind;
use crate::{
    action::Shot,
    los::End,
    pack::{Cover, FieldOfFire, advanced::RangeFactor},
    piece::Ammo,
    rules::Panzer,
    state::{Command, Flags, State},
    units::{Gun, UnitId},
};

/// Direct Fire or Overwatch Fire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    #[default]
    Direct,
    Overwatch,
}

impl Kind {
    pub const fn key(self) -> &'static str {
        match self {
            Kind::Direct => "direct",
            Kind::Overwatch => "overwatch",
        }
    }
}

/// Least and greatest row of the AP Hit Table (4.4.3.2.3).
pub const ROWS: (i8, i8) = (-10, 5);

/// A shot that might be fired.
#[derive(Clone, Copy, Debug)]
pub struct Shooting {
    pub unit: UnitId,
    pub gun: u8,
    pub target: UnitId,
    pub kind: Kind,
    /// The target is known to have Move or Short Halt (4.4.3.2.2).
    pub moving: bool,
    /// 6.5.2: the Basic Game has only AP fire.
    pub ammo: Ammo,
    /// 5.14
    pub dual: Dual,
    /// 5.16.2: ammunition limits in effect.
    pub limits: u8,
    /// 7.18
    pub pinning: bool,
}

impl Shooting {
    pub const fn new(shot: Shot, target: UnitId, kind: Kind, moving: bool) -> Shooting {
        Shooting {
            unit: shot.unit,
            gun: shot.gun,
            target,
            kind,
            moving,
            ammo: shot.ammo,
            dual: Dual::None,
            limits: 0,
            pinning: shot.pinning,
        }
    }
}

/// 5.14: whether a weapon fires beside another of its unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dual {
    #[default]
    None,
    /// At the same target.
    Same,
    Other,
}

/// Where a modifier comes from (4.4.3.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    TargetSize,
    TargetMoving,
    Cover(Cover),
    ShortHalt,
    ShooterDamaged,
    Smoke(u8),
    Overwatch,
    OverwatchAdjust,
    /// 6.5.2.4: those of the Advanced Game.
    ShooterSuppressed,
    AmmoLimit,
    TransportedFire,
    HeatHaze,
    DualFire,
    UnitGrade,
    /// 5.11: smoke, barrages, fires and dust, with the number of occurrences.
    Hindrance(HindranceKind, u8),
    /// 6.1.4.3.13
    Sun,
    /// 7.1.5.1, 7.1.5.2
    Hesitating,
    Broken,
}

impl Cause {
    pub const fn rule(self) -> &'static str {
        match self {
            Cause::ShooterSuppressed
            | Cause::AmmoLimit
            | Cause::TransportedFire
            | Cause::HeatHaze
            | Cause::DualFire
            | Cause::Hindrance(..)
            | Cause::UnitGrade => "6.5.2.4",
            Cause::Sun => "6.1.4.3.13",
            Cause::Hesitating => "7.1.5.1",
            Cause::Broken => "7.1.5.2",
            _ => "4.4.3.2.2",
        }
    }

    pub const fn key(self) -> &'static str {
        match self {
            Cause::TargetSize => "target_size",
            Cause::TargetMoving => "target_moving",
            Cause::Cover(Cover::Light) => "light_cover",
            Cause::Cover(Cover::Medium) => "medium_cover",
            Cause::Cover(_) => "heavy_cover",
            Cause::ShortHalt => "short_halt",
            Cause::ShooterDamaged => "shooter_damaged",
            Cause::Smoke(_) => "brew_up_smoke",
            Cause::Overwatch => "overwatch",
            Cause::OverwatchAdjust => "overwatch_adjust",
            Cause::ShooterSuppressed => "shooter_suppressed",
            Cause::AmmoLimit => "ammo_limit",
            Cause::TransportedFire => "transported_fire",
            Cause::HeatHaze => "heat_haze",
            Cause::DualFire => "dual_fire",
            Cause::UnitGrade => "unit_grade",
            Cause::Hindrance(kind, _) => kind.key(),
            Cause::Sun => "sun_blinding",
            Cause::Hesitating => "shooter_hesitating",
            Cause::Broken => "shooter_broken",
        }
    }
}

/// What penetration against armor does (4.4.3.2.5, 4.4.3.2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Result {
    /// Not penetrated.
    NoEffect,
    /// Penetrated, with penetration equal to the armor.
    NoDamage,
    Damaged,
    KnockedOut,
    BrewedUp,
}

impl Result {
    pub const ALL: [Result; 5] =
        [Result::NoEffect, Result::NoDamage, Result::Damaged, Result::KnockedOut, Result::BrewedUp];

    pub const fn key(self) -> &'static str {
        match self {
            Result::NoEffect => "no_effect",
            Result::NoDamage => "no_damage",
            Result::Damaged => "damaged",
            Result::KnockedOut => "knocked_out",
            Result::BrewedUp => "brewed_up",
        }
    }
}

/// A shot worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    pub range: u32,
    /// 0 to 4 for P, S, M, L, E (4.4.3.2.1).
    pub factor: usize,
    /// Before it is limited to the table's rows.
    pub net: i8,
    /// AP Hit Number; 0: impossible (4.4.3.2.3).
    pub number: u8,
    pub angle: Angle,
    pub penetration: u8,
}

impl Panzer {
    /// The gun of a shot; none if the vehicle has no such gun.
    pub fn gun(&self, unit: UnitId, gun: u8) -> Option<&Gun> {
        self.vehicle(unit).guns.get(usize::from(gun))
    }

    /// Does the gun bear on a hex from where its vehicle stands and faces? (4.4.3.1)
    pub fn bears(&self, s: &State, unit: UnitId, gun: &Gun, on: HexId) -> bool {
        let u = s.unit(unit);
        let arc = match self.piece(unit) {
            // 5.1.1: a Suppressed Leg unit fires only to its front.
            Some(piece) if piece.leg() && u.suppressed() => FieldOfFire::Front,
            Some(piece) if piece.platform && self.optional(16) => FieldOfFire::All, // 7.16
            _ => gun.arc,
        };
        bearing::bears(arc, u.facing, self.field.board.hex(u.hex), self.field.board.hex(on))
    }

    /// Brew-Up smoke hexes that hinder fire between two hexes with units at these heights (4.4.3.2.2).
    pub fn smoke_between(&self, s: &State, a: End, b: End) -> u8 {
        if s.smoke.is_empty() {
            return 0;
        }
        let mut smoke = s.smoke;
        smoke.subtract(&s.new_smoke); // not before the end of the player step that created it
        self.los.smoke(a, b, &smoke, self.options.smoke_at_any_height)
    }

    /// Every modifier of a shot (4.4.3.2.2), in the order of the table.
    pub fn modifiers(&self, s: &State, shot: &Shooting, mut each: impl FnMut(Cause, i8)) {
        let table = &self.tables().modifiers;
        let (u, t) = (s.unit(shot.unit), s.unit(shot.target));
        let mut count = |cause, value: i8| {
            if value != 0 {
                each(cause, value);
            }
        };
        count(Cause::TargetSize, self.vehicle(shot.target).size);
        if shot.moving {
            count(Cause::TargetMoving, table.target_moving);
        }
        let cover = self.combat_cover_of(s, shot.target);
        count(Cause::Cover(cover), table.hit_cover[cover as usize]);
        if u.command == Command::ShortHalt && shot.kind == Kind::Direct && !u.passenger() {
            count(Cause::ShortHalt, table.short_halt);
        }
        // 6.5.2.2.4: in the Advanced Game only a damaged turret.
        if u.is(Flags::DAMAGED) || u.is(Flags::TURRET) {
            count(Cause::ShooterDamaged, table.shooter_damaged);
        }
        match self.advanced.as_deref() {
            None => {
                let smoke = self.smoke_between(s, self.end(s, shot.unit), self.end(s, shot.target));
                count(Cause::Smoke(smoke), table.brew_up_smoke * smoke as i8);
            }
            Some(game) => {
                self.hindrances(s, self.end(s, shot.unit), self.end(s, shot.target), |kind, times| {
                    let value = game.tables().ap.hindrances[kind.index()].ap * times as i8;
                    match kind {
                        HindranceKind::BrewUpSmoke => count(Cause::Smoke(times), value),
                        kind => count(Cause::Hindrance(kind, times), value),
                    }
                });
            }
        }
        if shot.kind == Kind::Overwatch {
            // 6.5.4.3: Leg and towed units always fire within their field of fire.
            if !self.adjusts(shot.unit) || self.faces(s, shot) {
                count(Cause::Overwatch, table.overwatch);
            } else {
                count(Cause::OverwatchAdjust, table.overwatch_adjust);
            }
        }
        let Some(game) = self.advanced.as_deref() else { return };
        let tables = game.tables();
        if u.suppressed() {
            count(Cause::ShooterSuppressed, tables.ap.shooter_suppressed);
        }
        if u.is(Flags::HESITATES) {
            count(Cause::Hesitating, tables.ap.shooter_hesitating);
        }
        if u.is(Flags::BROKEN) {
            count(Cause::Broken, tables.ap.shooter_broken);
        }
        match shot.limits {
            0 => {}
            1 => count(Cause::AmmoLimit, tables.ap.ammo_limit),
            _ => count(Cause::AmmoLimit, tables.ap.both_limits), // 5.16.2.2
        }
        if u.passenger() {
            count(Cause::TransportedFire, tables.ap.transported_fire);
        }
        let range = self.field.range(u.hex, t.hex);
        if game.extras.conditions.heat_haze && range >= u32::from(tables.ap.heat_haze_range[0]) {
            count(Cause::HeatHaze, tables.ap.heat_haze);
        }
        if let Some(sun) = &game.extras.conditions.sun_blinding
            && self.into_the_sun(&sun.edge, u.hex, t.hex)
        {
            count(Cause::Sun, sun.ap); // 6.1.4.3.13
        }
        match shot.dual {
            Dual::None => {}
            Dual::Same => count(Cause::DualFire, tables.ap.dual_fire_same),
            Dual::Other => count(Cause::DualFire, tables.ap.dual_fire_other),
        }
        let row = self.ap_row(shot.unit, shot.gun, shot.ammo);
        if let Some(factor) = row.and_then(|row| row.factor(range)) {
            let grade = game.pieces[shot.unit.index()].grade;
            count(Cause::UnitGrade, tables.ap_grade(grade, RangeFactor::ALL[factor]));
        }
    }

    /// The complete shot; `None` beyond maximum range or without such a gun.
    pub fn aim(&self, s: &State, shot: &Shooting) -> Option<Aim> {
        let row = self.ap_row(shot.unit, shot.gun, shot.ammo)?;
        let (u, t) = (s.unit(shot.unit), s.unit(shot.target));
        let range = self.field.range(u.hex, t.hex);
        let factor = row.factor(range)?; // 4.4.3.2.1
        let mut net = 0i8;
        self.modifiers(s, shot, |_, value| net = net.saturating_add(value));
        let board = &self.field.board;
        Some(Aim {
            range,
            factor,
            net,
            number: self.hit_number(net, factor),
            angle: bearing::hit_angle(t.facing, board.hex(t.hex), board.hex(u.hex)),
            penetration: row.penetration[factor],
        })
    }

    /// The AP Hit Table (4.4.3.2.3); 0 where no shot is possible.
    pub fn hit_number(&self, net: i8, factor: usize) -> u8 {
        let row = net.clamp(ROWS.0, ROWS.1);
        self.tables().ap_hit[(ROWS.1 - row) as usize][factor]
    }

    /// 4.4.3.2.5, 4.4.3.2.6
    pub fn damage(&self, penetration: u8, armor: u8) -> Result {
        let table = &self.tables().modifiers;
        match penetration.checked_sub(armor) {
            None => Result::NoEffect,
            Some(d) if d >= table.brewed_up => Result::BrewedUp,
            Some(d) if d >= table.knocked_out => Result::KnockedOut,
            Some(d) if d >= table.damaged => Result::Damaged,
            Some(_) => Result::NoDamage,
        }
    }
}
