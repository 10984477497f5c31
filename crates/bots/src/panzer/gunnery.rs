//! The value of a shot before it is fired: the chance to hit, and the effect of a hit, computed exactly by the rules.

use ::panzer::{
    Panzer,
    action::Shot,
    fire::{Angle, Candidate, Kind, Result, Shooting, bearing},
    pack::{Cover, FieldOfFire},
    piece::Ammo,
    spotting,
    state::{Flags, Spot, State},
    units::UnitId,
};
use hexgrid::{Direction, HexId};

use super::{combined, commander::Commander, lore::FAR};

/// The approximate share of GP fire's effect that an entrenchment lets through (6.5.4.3).
const DUG_IN: f32 = 0.7;

/// The shelter that the terrain of a hex, and entrenchments in it, give a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shelter {
    pub combat: Cover,
    pub spotting: Cover,
    /// 6.1.4.2: lies in Full Cover.
    pub full: bool,
    /// 6.1.4.3.6: in an entrenchment.
    pub dug: bool,
}

impl Shelter {
    /// Which of the figures of [`super::lore::Effect::gp`] applies.
    pub const fn index(&self) -> usize {
        self.combat as usize * 2 + self.full as usize
    }
}

/// A vehicle where it is, or might be.
#[derive(Clone, Copy, Debug)]
pub struct Stand {
    pub unit: UnitId,
    pub kind: u8,
    pub hex: HexId,
    pub facing: Direction,
    pub damaged: bool,
    /// Points for destroying it.
    pub worth: f32,
    pub shelter: Shelter,
}

/// A shot with the most effective gun.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blow {
    pub gun: u8,
    pub ammo: Ammo,
    /// Chance of a hit.
    pub hit: f32,
    /// Share of the target's worth that is expected to be destroyed.
    pub share: f32,
    /// Chance that the target is out of the game.
    pub kill: f32,
}

impl Commander {
    pub fn stand(&self, s: &State, unit: UnitId) -> Stand {
        let u = s.unit(unit);
        let kind = self.lore.kind[unit.index()];
        Stand {
            unit,
            kind,
            hex: u.hex,
            facing: u.facing,
            damaged: u.is(Flags::DAMAGED),
            worth: self.lore.kinds[usize::from(kind)].points,
            shelter: self.shelter_of(s, unit),
        }
    }

    /// The shelter that a unit has where it is.
    fn shelter_of(&self, s: &State, unit: UnitId) -> Shelter {
        let (rules, u) = (&*self.rules, s.unit(unit));
        if rules.advanced.is_none() || !u.on_map() {
            return u
                .hex
                .some()
                .map_or(Shelter::default(), |hex| self.shelter(self.lore.kind[unit.index()], hex));
        }
        Shelter {
            combat: rules.combat_cover_of(s, unit),
            spotting: rules.spotting_cover_of(s, unit),
            full: u.is(Flags::FULL_COVER),
            dug: u.is(Flags::ENTRENCHED),
        }
    }

    /// The shelter that the terrain of a hex gives a kind of unit that has just arrived.
    pub fn shelter(&self, kind: u8, hex: HexId) -> Shelter {
        let rules = &*self.rules;
        let effects = rules.effects(hex);
        let plain =
            Shelter { combat: effects.cover_combat, spotting: effects.cover_spot, ..Shelter::default() };
        // 6.1.4.3.1: Leg units occupy the building.
        match rules.advanced.as_deref() {
            Some(game) if self.lore.kinds[usize::from(kind)].leg => {
                let chart = &game.tables().terrain[rules.field.ground(hex).terrain as usize];
                Shelter { combat: chart.cover_combat, spotting: chart.cover_spot, ..plain }
            }
            _ => plain,
        }
    }

    /// The share of a vehicle's value that a hit destroys: 0 nothing, 1 Damaged, 2 knocked out.
    pub fn harm(&self, harm: u8, damaged: bool) -> f32 {
        match (harm, damaged) {
            (0, _) => 0.0,
            (1, false) => self.weights.crippled,
            (_, true) => self.weights.rest,
            (_, false) => 1.0,
        }
    }

    /// A shot along an unobstructed line; smoke is not counted. `extra` is added to the modifiers.
    pub fn shot(&self, from: &Stand, at: &Stand, range: u32, extra: i8) -> f32 {
        let (shooter, target) = (&self.lore.kinds[usize::from(from.kind)], usize::from(at.kind));
        let range = range as usize;
        if range >= FAR {
            return 0.0;
        }
        let board = &self.rules.field.board;
        let (a, b) = (board.hex(from.hex), board.hex(at.hex));
        let table = &self.rules.tables().modifiers;
        let hurt = if from.damaged { table.shooter_damaged } else { 0 };
        let cover = table.hit_cover[at.shelter.combat as usize];
        let net = self.lore.kinds[target].size + cover + hurt + extra;
        let angle = bearing::hit_angle(at.facing, b, a);
        let advanced = self.rules.advanced.is_some();
        let mut best = 0.0f32;
        for gun in &shooter.guns {
            let effect = gun.effects[target][range];
            if advanced {
                let through = match angle {
                    Angle::Front => effect.through[0],
                    Angle::Rear => effect.through[1],
                    Angle::Line => effect.through[0].min(effect.through[1]),
                };
                let hit = match effect.factor {
                    factor @ 0..=4 => f32::from(self.rules.hit_number(net, usize::from(factor))) / 100.0,
                    _ => 0.0,
                };
                let dug = if at.shelter.dug { DUG_IN } else { 1.0 };
                let gp = effect.gp[at.shelter.index()] * dug * (1.0 + 0.06 * f32::from(extra)).max(0.3);
                let ready =
                    if bearing::bears(gun.arc, from.facing, a, b) { 1.0 } else { self.weights.turning };
                best = best.max((hit * through).max(gp) * ready);
                continue;
            }
            let harm = match angle {
                Angle::Front => effect.harm[0],
                Angle::Rear => effect.harm[1],
                Angle::Line => effect.harm[0].min(effect.harm[1]),
            };
            if effect.factor > 4 || harm == 0 {
                continue;
            }
            let hit = f32::from(self.rules.hit_number(net, usize::from(effect.factor))) / 100.0;
            let bears = bearing::bears(gun.arc, from.facing, a, b);
            let ready = if bears { 1.0 } else { self.weights.turning };
            best = best.max(hit * self.harm(harm, at.damaged) * ready);
        }
        best
    }

    /// The best gun of a vehicle against a target, computed by the rules themselves; none if it may not fire.
    pub fn blow(&self, who: &Candidate, unit: UnitId, target: UnitId, extra: i8) -> Option<Blow> {
        let (rules, s) = (who.rules, who.s);
        let moving = rules.known_to_move(s, target);
        let damaged = s.unit(target).is(Flags::DAMAGED);
        let mut best: Option<Blow> = None;
        if rules.advanced.is_some() {
            for shot in who.shots(unit, target) {
                let shooting = Shooting::new(shot, target, who.kind, moving);
                let (share, kill) = combined::worth(rules, s, &shooting);
                let share = share * haste(extra);
                if best.is_none_or(|b| share > b.share) {
                    best = Some(Blow { gun: shot.gun, ammo: shot.ammo, hit: share, share, kill });
                }
            }
            return best;
        }
        for gun in who.guns(unit, target) {
            let shooting = Shooting::new(Shot::ap(unit, gun), target, who.kind, moving);
            let Some(aim) = rules.aim(s, &shooting) else { continue };
            let hit = f32::from(rules.hit_number(aim.net + extra, aim.factor)) / 100.0;
            let harm = Self::effect(rules, aim.angle, aim.penetration, target);
            let share = hit * self.harm(harm, damaged);
            let kill = if harm == 2 || harm == 1 && damaged { hit } else { 0.0 };
            if best.is_none_or(|b| share > b.share) {
                best = Some(Blow { gun, ammo: Ammo::Ap, hit, share, kill });
            }
        }
        best
    }

    /// The same shot with a further modifier. In the Advanced Game it changes all shots alike, so nothing is computed
    /// again.
    pub fn hasty(&self, who: &Candidate, blow: &Blow, unit: UnitId, target: UnitId, extra: i8) -> Blow {
        if who.rules.advanced.is_none() {
            return self.blow(who, unit, target, extra).unwrap_or_default();
        }
        let share = blow.share * haste(extra);
        Blow { hit: share, share, ..*blow }
    }

    fn effect(rules: &Panzer, angle: Angle, penetration: u8, target: UnitId) -> u8 {
        let of = |armor: u8| match rules.damage(penetration, armor) {
            Result::NoEffect | Result::NoDamage => 0,
            Result::Damaged => 1,
            Result::KnockedOut | Result::BrewedUp => 2,
        };
        let [front, rear] = rules.vehicle(target).armor;
        match angle {
            Angle::Front => of(front),
            Angle::Rear => of(rear),
            Angle::Line => of(front).min(of(rear)),
        }
    }

    /// How far away a unit with such a counter can be spotted (4.1.3, 6.1.3).
    pub fn seen_from(&self, at: &Stand, spot: Spot) -> u32 {
        let rules = &*self.rules;
        let cover = rules.tables().modifiers.spot_cover[at.shelter.spotting as usize];
        let mut net = cover + rules.spot_modifier(spot);
        if let Some(game) = rules.advanced.as_deref() {
            net += if at.shelter.full { game.tables().target_full_cover } else { 0 };
            return u32::from(
                game.tables().spotting_range(net, self.lore.kinds[usize::from(at.kind)].spotted_as),
            );
        }
        let row = net.clamp(spotting::ROWS.0, spotting::ROWS.1);
        u32::from(rules.tables().spotting[(spotting::ROWS.1 - row) as usize])
    }

    /// Does the kind have a gun that fires only ahead or behind?
    pub fn fixed_gun(&self, kind: u8) -> bool {
        self.lore.kinds[usize::from(kind)].guns.iter().any(|gun| gun.arc != FieldOfFire::All)
    }
}

/// What a Short Halt or Overwatch leaves of the effect of a shot (4.4.3.2.2), approximately.
fn haste(extra: i8) -> f32 {
    (1.0 + 0.05 * f32::from(extra)).clamp(0.3, 1.0)
}

/// Which units may fire at what now.
pub fn candidates<'a>(rules: &'a Panzer, s: &'a State, kind: Kind, supposed: bool) -> Candidate<'a> {
    Candidate { rules, s, kind, supposed }
}
