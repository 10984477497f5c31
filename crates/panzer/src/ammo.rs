//! Ammunition: what may be fired and when, and its limits (5.16).

use kernel::Stop;

use crate::{
    action::Shot,
    event::Event,
    indirect::Source,
    pack::{ApRow, advanced::Module},
    piece::{Ammo, Arm},
    play::Play,
    rules::Panzer,
    state::{Flags, State},
    units::UnitId,
};

/// The effect of a limit on a shot (5.16.2.1, 5.16.2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limited {
    /// What is fired instead.
    pub ammo: Ammo,
    /// How many limits are in effect.
    pub limits: u8,
}

impl Panzer {
    pub fn arm(&self, unit: UnitId, gun: u8) -> Option<&Arm> {
        self.piece(unit)?.arms.get(usize::from(gun))
    }

    /// The AP row of a weapon for an ammunition, if it has it and it was available at the date (5.16.1).
    pub fn ap_row(&self, unit: UnitId, gun: u8, ammo: Ammo) -> Option<ApRow> {
        let Some(game) = self.advanced.as_deref() else {
            return if ammo == Ammo::Ap { self.gun(unit, gun).map(|gun| gun.ap) } else { None };
        };
        let arm = self.arm(unit, gun)?;
        if arm.attached.is_some_and(|may| !may.ap) {
            return None;
        }
        let there = |from| game.has_come(from);
        let row = match ammo {
            Ammo::Ap => arm.weapon.ap,
            Ammo::Apcr => arm.weapon.apcr.filter(|_| there(arm.weapon.available.apcr)),
            // 6.5.2.3.4: CE shells, with a row of their own.
            Ammo::Heat => arm.weapon.heat.filter(|_| there(arm.weapon.available.heat)),
            Ammo::Gp => None,
        };
        row.map(|ammo| ammo.row)
    }

    /// 5.16.2.4: the weapon of a Leg or towed unit has unlimited ammunition beside its transport, or where it was set
    /// up.
    pub fn supplied(&self, s: &State, unit: UnitId) -> bool {
        if self.is_vehicle(unit) {
            return false;
        }
        let u = s.unit(unit);
        let hauler = u.hauler.some().map(|hauler| s.unit(hauler));
        let by_transport =
            hauler.is_some_and(|t| t.on_map() && !t.is(Flags::BAILED) && self.field.range(t.hex, u.hex) <= 1);
        by_transport || u.store != hexgrid::HexId::NONE && u.store == u.hex
    }
}

/// 5.16.2: the ammunition rolls before a shot, and their effect.
pub fn check(play: &mut Play, shot: Shot) -> Result<Limited, Stop> {
    let mut result = Limited { ammo: shot.ammo, limits: 0 };
    let Some(game) = play.rules.advanced.as_deref() else { return Ok(result) };
    let Some(arm) = play.rules.arm(shot.unit, shot.gun) else { return Ok(result) };
    if !game.uses(Module::AmmoLimits) {
        return Ok(result);
    }
    let (mut limit, weapon) = (arm.ammo, &arm.weapon);
    if weapon.ap.is_none() && weapon.heat.is_some() {
        limit.basic = limit.heat.or(limit.basic); // 5.16.2.1: HEAT is its only AP ammunition
        limit.heat = None;
    }
    let special = match shot.ammo {
        Ammo::Apcr => limit.apcr,
        Ammo::Heat => limit.heat,
        _ => None,
    };
    if let Some(limit) = special
        && roll(play, shot, limit)?
    {
        // 5.16.2.2: fire basic AP instead.
        result = Limited { ammo: Ammo::Ap, limits: 1 };
    }
    let basic = special.is_none() || result.limits > 0;
    if basic
        && let Some(limit) = limit.basic
        && !play.rules.supplied(play.s, shot.unit)
        && roll(play, shot, limit)?
    {
        result.limits += 1;
    }
    Ok(result)
}

/// 5.16.2: above this number the limit takes effect.
fn roll(play: &mut Play, shot: Shot, limit: u8) -> Result<bool, Stop> {
    let side = play.rules.vehicle(shot.unit).side;
    let roll = play.roll_ten(side, "roll.ammo", "5.16.2")?;
    let limited = roll > limit;
    let source = Source::Unit { unit: shot.unit, gun: shot.gun };
    play.tell(Event::AmmoLimit { source, roll, limit, limited });
    Ok(limited)
}
