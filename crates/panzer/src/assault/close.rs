//! Close Assault (6.6.1.1): Leg units against a vehicle.

use kernel::Stop;

use super::won;
use crate::{
    event::Event,
    frame::Frame,
    gp,
    pack::advanced::{
        CloseAssaultModifier, LegSize, TargetType,
        lookup::{VehicleResult, outcome},
    },
    play::Play,
    rules::Panzer,
    state::{Flags, Place, State},
    units::{UnitId, UnitSet},
};

/// Where a modifier comes from (6.6.1.1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseCause {
    Modifier(CloseAssaultModifier),
    /// The primary attacker's Unit Grade.
    Grade,
}

impl CloseCause {
    pub const fn key(self) -> &'static str {
        match self {
            CloseCause::Modifier(modifier) => modifier.key(),
            CloseCause::Grade => "unit_grade",
        }
    }
}

/// A Close Assault as computed before the roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CloseAim {
    pub gpf: u8,
    pub gpd: u8,
    pub net: i16,
    pub n: i16,
    pub s: i16,
    /// d10 up to it brews up.
    pub brew_up: u8,
    pub flamethrower: bool,
}

impl Panzer {
    /// 6.6.1.1.2: whether squads in its hex support a vehicle: its own passengers always, others as far as their number
    /// and their owner's decision allow.
    pub fn supported(&self, s: &State, vehicle: UnitId) -> bool {
        if self.carries_support(s, vehicle) || s.assault.supported.contains(vehicle) {
            return true;
        }
        let kept = s.assault.unsupported && s.assault.target == vehicle;
        !kept && self.support_left(s, vehicle)
    }

    /// Squads that are not Broken (7.1.5.2) give support, sections never do.
    fn support_of(&self, s: &State, unit: UnitId) -> u8 {
        let Some(game) = self.advanced.as_deref() else { return 0 };
        let tables = &game.tables().assault;
        match self.leg_size(s, unit).filter(|_| !s.unit(unit).is(Flags::BROKEN)) {
            Some(LegSize::Squad) => tables.support_squad,
            Some(LegSize::HalfSquad) => tables.support_half_squad,
            _ => 0,
        }
    }

    fn carries_support(&self, s: &State, vehicle: UnitId) -> bool {
        let hex = s.unit(vehicle).hex;
        s.in_hex(hex).any(|unit| s.unit(unit).aboard == vehicle && self.support_of(s, unit) > 0)
    }

    /// How many more vehicles the squads on foot in a vehicle's hex can support.
    fn support_room(&self, s: &State, vehicle: UnitId) -> usize {
        let (hex, side) = (s.unit(vehicle).hex, self.vehicle(vehicle).side);
        let on_foot = |unit: &UnitId| self.vehicle(*unit).side == side && !s.unit(*unit).passenger();
        let room: u8 = s.in_hex(hex).filter(on_foot).map(|unit| self.support_of(s, unit)).sum();
        let taken = s.assault.supported.iter().filter(|v| *v != vehicle && s.unit(*v).hex == hex).count();
        usize::from(room).saturating_sub(taken)
    }

    /// Whether its owner can still support this vehicle with squads on foot.
    pub(super) fn support_left(&self, s: &State, vehicle: UnitId) -> bool {
        self.support_room(s, vehicle) > 0
    }

    /// Whether there is support for every vehicle of the hex, so that keeping it gains nothing.
    pub(super) fn support_for_all(&self, s: &State, vehicle: UnitId) -> bool {
        let (hex, side) = (s.unit(vehicle).hex, self.vehicle(vehicle).side);
        let wants = |unit: &UnitId| {
            self.is_vehicle(*unit)
                && self.vehicle(*unit).side == side
                && (*unit == vehicle || !s.assault.supported.contains(*unit))
                && self.needs_support(s, *unit)
        };
        s.in_hex(hex).filter(wants).count() <= self.support_room(s, vehicle)
    }

    /// 6.6.1.1.2: whether the terrain requires support and the vehicle has none aboard. An abandoned vehicle is not
    /// defended.
    pub(super) fn needs_support(&self, s: &State, vehicle: UnitId) -> bool {
        let u = s.unit(vehicle);
        self.is_vehicle(vehicle)
            && !u.is(Flags::BAILED)
            && self.support_ground(s, vehicle)
            && !self.carries_support(s, vehicle)
    }

    fn support_ground(&self, s: &State, vehicle: UnitId) -> bool {
        self.chart(s, vehicle).is_some_and(|chart| chart.support) && !s.unit(vehicle).is(Flags::IMPROVED)
    }

    /// 6.6.1.1.2: every modifier of a Close Assault by these units of one hex, the primary attacker first.
    pub fn close_modifiers(
        &self,
        s: &State,
        attackers: &[UnitId],
        advanced: UnitSet,
        target: UnitId,
        moving: bool,
        mut each: impl FnMut(CloseCause, i16),
    ) {
        use CloseAssaultModifier as M;
        let (Some(game), Some(primary)) = (self.advanced.as_deref(), attackers.first()) else { return };
        let tables = game.tables();
        let (piece, t) = (&game.pieces[target.index()], s.unit(target));
        let mut count = |modifier: M, times: usize| {
            if times > 0 {
                let value = i16::from(tables.close_modifier(modifier)) * times as i16;
                each(CloseCause::Modifier(modifier), value);
            }
        };
        count(M::AdvanceAttack, usize::from(attackers.iter().any(|a| advanced.contains(*a))));
        let uphill = self.levels_above(s, target, s.unit(*primary).hex, *primary) == 1;
        count(M::UphillAttack, usize::from(uphill));
        let dismounts = attackers.iter().any(|a| s.assault.dismounted.contains(*a));
        count(M::DismountAttack, usize::from(dismounts));
        count(M::VsMovingVehicle, usize::from(moving));
        count(M::VsSuppressedVehicle, usize::from(t.suppressed()));
        count(M::VsHesitating, usize::from(t.is(Flags::HESITATES)));
        count(M::VsBroken, usize::from(t.is(Flags::BROKEN)));
        count(M::VsVehicleWithC, usize::from(piece.close_assault_c));
        let needs = self.support_ground(s, target);
        count(M::VehicleInUnsupportedHex, usize::from(needs && !self.supported(s, target)));
        for (size, modifier) in [
            (LegSize::Section, M::AdditionalSection),
            (LegSize::HalfSquad, M::AdditionalHalfSquad),
            (LegSize::Squad, M::AdditionalSquad),
        ] {
            count(modifier, attackers[1..].iter().filter(|a| self.leg_size(s, **a) == Some(size)).count());
        }
        count(M::VsPType, usize::from(piece.target_type() == TargetType::P));
        count(M::VsSType, usize::from(piece.target_type() == TargetType::S));
        count(M::AttackerFlamethrower, usize::from(attackers.iter().any(|a| self.flamethrower(s, *a))));
        let grade = self.assault_grade(*primary);
        if grade != 0 {
            each(CloseCause::Grade, i16::from(grade));
        }
    }

    /// 6.6.1.1.1: the complete computation before the roll.
    pub fn close_aim(
        &self,
        s: &State,
        attackers: &[UnitId],
        advanced: UnitSet,
        target: UnitId,
        moving: bool,
    ) -> Option<CloseAim> {
        let game = self.advanced.as_deref()?;
        let size = self.leg_size(s, *attackers.first()?)?;
        let (gpd, _) = self.gp_defense(s, target, false)?;
        let mut net = 0;
        self.close_modifiers(s, attackers, advanced, target, moving, |_, value| net += value);
        let row = game.tables().assault.close[size as usize];
        let (n, suppressed) = game.tables().close_assault_cell(size, gpd);
        let flamethrower = attackers.iter().any(|a| self.flamethrower(s, *a));
        let gpd = gpd.min(game.tables().assault.gpd_max);
        Some(CloseAim { gpf: row.gpf, gpd, net, n, s: suppressed, brew_up: row.brew_up, flamethrower })
    }

    /// 6.6.1.1.3
    pub fn close_result(&self, s: &State, primary: UnitId, aim: &CloseAim, total: i16) -> VehicleResult {
        let (Some(game), Some(size)) = (self.advanced.as_deref(), self.leg_size(s, primary)) else {
            return VehicleResult::None;
        };
        game.tables().close_assault(size, aim.gpd, total, aim.flamethrower)
    }
}

/// 6.6.1.1.1, 6.6.1.1.3: the fight of one hex against the vehicle.
pub(super) fn resolve(play: &mut Play) -> Result<(), Stop> {
    let target = play.s.assault.target;
    let hex = play.s.unit(target).hex;
    let fighting = play.s.assault.fighting.clone();
    let Some(primary) = fighting.first().copied() else { return Ok(()) };
    let advanced = play.s.assault.advanced;
    let moving = play.s.assault.moving;
    let Some(aim) = play.rules.close_aim(play.s, &fighting, advanced, target, moving) else { return Ok(()) };
    let side = play.rules.vehicle(primary).side;
    let result = if play.s.unit(target).is(Flags::BAILED) {
        // 6.6.1.1.3: it is not defended.
        VehicleResult::Destroyed { brew_up: if aim.flamethrower { 10 } else { aim.brew_up } }
    } else {
        let roll = play.roll(side, "roll.close_assault", "6.6.1.1.1")?;
        let total = i16::from(roll) + aim.net;
        play.s.unit_mut(target).set(Flags::UNDER_FIRE);
        play.tell(Event::CloseAssault {
            unit: primary,
            target,
            gpf: aim.gpf,
            gpd: aim.gpd,
            net: aim.net,
            roll,
            outcome: outcome((aim.n, aim.s), total),
        });
        play.rules.close_result(play.s, primary, &aim, total)
    };
    match result {
        // 6.6.1.1.3: a flamethrower always brews it up.
        VehicleResult::Destroyed { .. } if aim.flamethrower => gp::destroy(play, target, Place::BrewedUp),
        // Terrain has no influence: a track can be hit even if the vehicle is hull down.
        result => gp::hurt_vehicle(play, primary, target, result, false)?,
    }
    crate::morale::forced(play, target); // 7.1.3
    if aim.flamethrower {
        crate::works::ignite(play, side, hex)?; // 7.35
    }
    if !play.s.unit(target).on_map() {
        won(play, hex);
    }
    if !play.s.bail.is_empty() {
        play.then(&[Frame::BailOut]);
    }
    Ok(())
}
