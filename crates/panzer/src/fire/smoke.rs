//! Smoke by direct fire (6.1.4.3.10): instead of AP or GP fire, into a hex that the unit sees.

use hexgrid::{Direction, HexId, HexSet};
use kernel::{Refusal, Stop};

use super::Candidate;
use crate::{
    action::Action,
    event::Event,
    indirect::{Area, Source},
    pack::advanced::{HindranceKind, Module},
    play::{Cx, Play},
    rules::Panzer,
    state::{Flags, State},
    units::UnitId,
};

impl Panzer {
    /// The weapon with which a unit fires smoke; engineers throw it into the next hex, with what they carry.
    pub fn smoke_gun(&self, unit: UnitId) -> Option<u8> {
        let game = self.advanced.as_deref().filter(|game| game.uses(Module::Smoke))?;
        let piece = &game.pieces[unit.index()];
        let gun = piece.arms.iter().position(|arm| arm.weapon.smoke).map(|n| n as u8);
        let pots = piece.engineer && piece.leg() || self.grenades(unit);
        gun.or_else(|| pots.then_some(0))
    }

    /// 7.22: squads and half-squads with smoke grenades.
    fn grenades(&self, unit: UnitId) -> bool {
        use crate::{pack::advanced::LegSize, piece::UnitKind};
        let squad = matches!(
            self.piece(unit).map(|piece| piece.kind),
            Some(UnitKind::Leg(LegSize::Squad | LegSize::HalfSquad))
        );
        squad && self.optional(22)
    }

    /// 7.9: a vehicle with smoke dischargers that it has not used this turn.
    pub fn may_discharge(&self, s: &State, unit: UnitId) -> bool {
        let u = s.unit(unit);
        self.optional(9)
            && u.on_map()
            && !u.is(Flags(Flags::BAILED.0 | Flags::DISCHARGED.0))
            && self.piece(unit).is_some_and(|piece| piece.dischargers.is_some())
    }

    /// What keeps a unit from firing smoke into a hex, all else granted.
    fn bar_to_smoke(&self, s: &State, unit: UnitId, hex: HexId) -> Option<(&'static str, &'static str)> {
        const RULE: &str = "6.1.4.3.10";
        let (Some(gun), u) = (self.smoke_gun(unit), s.unit(unit)) else { return Some((RULE, "smoke.none")) };
        let range = self.field.range(u.hex, hex);
        let shells = self.arm(unit, gun).is_some_and(|arm| arm.weapon.smoke);
        let thrown = self.grenades(unit) && !u.suppressed(); // 7.22: own hex or the next one
        let engineer = self.piece(unit).is_some_and(|piece| piece.engineer);
        let reach = if shells {
            self.gp_row(s, unit, gun).is_some_and(|row| row.at(range).is_some())
        } else {
            range == 1 && (engineer || thrown) || range == 0 && thrown
        };
        let side = self.vehicle(unit).side;
        // It is fire: what keeps the weapon from firing keeps it from firing smoke.
        let arm = self.arm(unit, gun).filter(|_| shells);
        let restricted = arm.is_some_and(|arm| arm.hull_restricted) && self.sits_hull_down(s, unit);
        let upstairs = u.is(Flags::UP) && !self.field.ground(u.hex).desert_buildings;
        let held = arm.and_then(|arm| arm.attached).is_some_and(|may| !may.from_upper_floor);
        match () {
            () if u.passenger() => Some((RULE, "smoke.none")),
            () if restricted => Some(("6.1.4.1.2", "fire.hull_down")),
            () if upstairs && held => Some(("5.1.3", "fire.upper_floor")),
            () if shells && self.weapon_lost(s, unit, gun) => Some(("7.17", "fire.weapon_lost")),
            () if !reach => Some((RULE, "smoke.range")),
            () if !self.sees_hex(s, unit, hex) => Some((RULE, "smoke.sight")),
            () if !self.gun(unit, gun).is_some_and(|gun| self.bears(s, unit, gun, hex)) => {
                Some((RULE, "smoke.field"))
            }
            () if hex != u.hex && s.in_hex(hex).any(|other| self.vehicle(other).side == side) => {
                Some((RULE, "smoke.friend"))
            }
            () => None,
        }
    }

    /// Hexes worth a shell: with an enemy or adjacent to one, each once.
    pub fn smoke_points(&self, s: &State, unit: UnitId) -> impl Iterator<Item = HexId> {
        let able = self.smoke_gun(unit).is_some() && s.unit(unit).on_map();
        let enemies = if able { self.units_of(self.vehicle(unit).side.enemy()) } else { &[] };
        let around = move |at: HexId| {
            let next = Direction::ALL.into_iter().filter_map(move |d| self.field.neighbour(at, d));
            std::iter::once(at).chain(next)
        };
        let near = enemies.iter().filter_map(|enemy| s.unit(*enemy).hex.some()).flat_map(around);
        let mut seen = HexSet::EMPTY;
        near.filter(move |hex| {
            let new = !seen.contains(*hex);
            seen.insert(*hex);
            new && self.bar_to_smoke(s, unit, *hex).is_none()
        })
    }

    /// Is there such a hex?
    pub fn has_smoke_point(&self, s: &State, unit: UnitId) -> bool {
        self.smoke_points(s, unit).next().is_some()
    }
}

pub fn check(cx: &Cx, who: &Candidate, unit: UnitId, hex: HexId) -> Result<(), Refusal> {
    cx.rules.own(cx.side, unit)?;
    who.fires(unit)?;
    match cx.rules.bar_to_smoke(cx.s, unit, hex) {
        None => Ok(()),
        Some((rule, key)) => cx.rules.no(rule, key).unit("unit", unit).hex("hex", hex).into(),
    }
}

pub fn options(cx: &Cx, unit: UnitId, out: &mut Vec<Action>) {
    let u = cx.s.unit(unit);
    if u.command.fires() && !u.is(Flags::FIRED) && !u.is(Flags::BAILED) {
        out.extend(cx.rules.smoke_points(cx.s, unit).map(|hex| Action::Smoke { unit, hex }));
    }
}

/// It counts as fire: the Command is revealed, Spot/Fire is placed, and Overwatch may answer. It hinders from the
/// Assault Step on.
pub fn fire(play: &mut Play, unit: UnitId, hex: HexId) -> Result<(), Stop> {
    let Some(gun) = play.rules.smoke_gun(unit) else { return Ok(()) };
    play.reveal(unit);
    play.s.unit_mut(unit).set(Flags::FIRED);
    play.s.triggers.insert(unit);
    // 6.1.4.3.10: Spot/Fire; a mortar's is that of Small Arms (5.1.3.1), a smoke pot's is not.
    let shells = play.rules.arm(unit, gun).is_some_and(|arm| arm.weapon.smoke);
    if shells {
        super::mark(play, unit, gun);
    } else {
        super::mark_as(play, unit, false);
    }
    super::give_up_position(play.s, unit);
    // 5.16.2.3: smoke is always limited; without shells nothing lands.
    let uses = play.rules.advanced.as_deref().is_some_and(|game| game.uses(Module::AmmoLimits));
    let engineer = play.rules.piece(unit).is_some_and(|piece| piece.engineer);
    let grenades = play.rules.advanced.as_deref().filter(|_| !shells && !engineer);
    let thrown = grenades.map(|game| game.tables().optional.infantry_smoke.ammo_limit); // 7.22.2
    let limit = play.rules.arm(unit, gun).and_then(|arm| arm.ammo.smoke).or(thrown).filter(|_| uses);
    if let Some(limit) = limit {
        let roll = play.roll_ten(play.rules.vehicle(unit).side, "roll.ammo", "5.16.2")?;
        let limited = roll > limit;
        play.tell(Event::AmmoLimit { source: Source::Unit { unit, gun }, roll, limit, limited });
        if limited {
            return Ok(());
        }
    }
    play.tell(Event::Smoked { unit, hex });
    let hexes = smallvec::smallvec![hex];
    play.s.indirect.areas.push(Area {
        mission: 0,
        kind: HindranceKind::SmokeClosed,
        hexes,
        off: false,
        young: true,
    });
    Ok(())
}

/// 7.9: smoke around the vehicle at once, until the next Counter Adjustment.
pub fn discharge(play: &mut Play, unit: UnitId) -> Result<(), Stop> {
    let Some(game) = play.rules.advanced.as_deref() else { return Ok(()) };
    play.s.unit_mut(unit).set(Flags::DISCHARGED);
    let Some(limit) = play.rules.piece(unit).and_then(|piece| piece.dischargers) else { return Ok(()) };
    if game.uses(Module::AmmoLimits) {
        let roll = play.roll_ten(play.rules.vehicle(unit).side, "roll.ammo", "5.16.2")?;
        let limited = roll > limit;
        play.tell(Event::AmmoLimit { source: Source::Unit { unit, gun: 0 }, roll, limit, limited });
        if limited {
            return Ok(());
        }
    }
    let hex = play.s.unit(unit).hex;
    play.tell(Event::Smoked { unit, hex });
    let kind = HindranceKind::SmokeClosed;
    play.s.indirect.areas.push(Area {
        mission: 0,
        kind,
        hexes: smallvec::smallvec![hex],
        off: true,
        young: false,
    });
    Ok(())
}

/// 7.9
pub fn check_discharge(cx: &Cx, unit: UnitId) -> Result<(), Refusal> {
    cx.rules.own(cx.side, unit)?;
    if cx.rules.may_discharge(cx.s, unit) {
        Ok(())
    } else {
        cx.rules.no("7.9", "smoke.dischargers").unit("unit", unit).into()
    }
}
