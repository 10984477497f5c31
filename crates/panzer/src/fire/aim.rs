//! One shot worked out before it is fired: Range Factor, modifiers, AP Hit Number, angle, penetration (4.4.3.2). Pure.

use hexgrid::HexId;
use serde::{Deserialize, Serialize};

use super::bearing::{self, Angle};
use crate::{
    pack::{Cover, FieldOfFire},
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
}

impl Cause {
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
        }
    }
}

/// The rule of every one of them.
pub const MODIFIERS: &str = "4.4.3.2.2";

/// What penetration against armor does (4.4.3.2.5, 4.4.3.2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Result {
    /// Not penetrated.
    NoEffect,
    /// Penetrated by nothing to spare.
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
    /// Before it is held to the table's rows.
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
        bearing::bears(gun.arc, u.facing, self.field.board.hex(u.hex), self.field.board.hex(on))
    }

    /// Brew-Up smoke hexes that hinder fire between two hexes (4.4.3.2.2).
    pub fn smoke_between(&self, s: &State, a: HexId, b: HexId) -> u8 {
        if s.smoke.is_empty() {
            return 0;
        }
        let mut smoke = s.smoke;
        smoke.subtract(&s.new_smoke); // not before the player step that made it ends
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
        let cover = self.combat_cover(s, t.hex);
        count(Cause::Cover(cover), table.hit_cover[cover as usize]);
        if u.command == Command::ShortHalt && shot.kind == Kind::Direct {
            count(Cause::ShortHalt, table.short_halt);
        }
        if u.is(Flags::DAMAGED) {
            count(Cause::ShooterDamaged, table.shooter_damaged);
        }
        let smoke = self.smoke_between(s, u.hex, t.hex);
        count(Cause::Smoke(smoke), table.brew_up_smoke * smoke as i8);
        if shot.kind == Kind::Overwatch {
            let rear = self.gun(shot.unit, shot.gun).is_some_and(|gun| gun.arc == FieldOfFire::Rear);
            let ahead = if rear { u.facing.opposite() } else { u.facing };
            let board = &self.field.board;
            if bearing::in_sector(ahead, board.hex(u.hex), board.hex(t.hex)) {
                count(Cause::Overwatch, table.overwatch);
            } else {
                count(Cause::OverwatchAdjust, table.overwatch_adjust);
            }
        }
    }

    /// The whole shot; none beyond maximum range or without such a gun.
    pub fn aim(&self, s: &State, shot: &Shooting) -> Option<Aim> {
        let gun = self.gun(shot.unit, shot.gun)?;
        let (u, t) = (s.unit(shot.unit), s.unit(shot.target));
        let range = self.field.range(u.hex, t.hex);
        let factor = gun.range_factor(range)?; // 4.4.3.2.1
        let mut net = 0i8;
        self.modifiers(s, shot, |_, value| net = net.saturating_add(value));
        let board = &self.field.board;
        Some(Aim {
            range,
            factor,
            net,
            number: self.hit_number(net, factor),
            angle: bearing::hit_angle(t.facing, board.hex(t.hex), board.hex(u.hex)),
            penetration: gun.ap.penetration[factor],
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
