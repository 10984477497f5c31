//! AP fire of the Advanced Game (6.5.2): ammunition, rate of fire, spread, hit angle and location, armor, damage.

use kernel::{Refusal, Stop};
use rulebook::flow::Question;
use smallvec::SmallVec;

use super::{Dual, Kind, Shooting, bearing};
use crate::{
    action::{Action, Shot, Subject},
    ammo, bail,
    event::Event,
    frame::Frame,
    gp,
    pack::Side,
    pack::advanced::{Angle, Armor, BailResult, Damage, Location, Module, Rate, Slope, TargetType},
    piece::Ammo,
    play::{At, Cx, Play},
    rules::Panzer,
    state::{Flags, Place, Spot, State},
    units::UnitId,
};

/// One shot, AP or GP.
pub(super) fn fire(play: &mut Play, shot: Shot, target: UnitId, kind: Kind) -> Result<(), Stop> {
    let u = *play.s.unit(shot.unit);
    let bears = play.rules.gun(shot.unit, shot.gun).is_some_and(|gun| {
        play.s.unit(target).on_map() && play.rules.bears(play.s, shot.unit, gun, play.s.unit(target).hex)
    });
    // 5.14: a unit suppressed since the declaration fires only one weapon; the other is spent.
    let before = play.s.fire.shots.iter().take(usize::from(play.s.fire.next).saturating_sub(1));
    let second = u.suppressed() && before.into_iter().any(|other| other.unit == shot.unit);
    // 4.4.1: a target that is gone is still fired at; 5.1.1: a Leg unit suppressed meanwhile has lost its field of
    // fire.
    if !bears || second || !u.on_map() {
        spot(play, shot);
        play.tell(Event::Wasted { unit: shot.unit, target });
        return Ok(());
    }
    let limited = ammo::check(play, shot)?;
    (play.s.fire.ammo, play.s.fire.limits) = (limited.ammo, limited.limits);
    let shooting = play.rules.current(play.s, shot, target, kind);
    play.s.unit_mut(target).set(Flags::UNDER_FIRE); // 6.8.3.1.2
    if limited.ammo == Ammo::Gp {
        spot(play, shot);
        play.then(&[Frame::BailOut]);
        return gp::resolve_all(play, &shooting);
    }
    let aim = play.rules.aim(play.s, &shooting).filter(|aim| aim.number > 0);
    let Some(aim) = aim else {
        spot(play, shot);
        play.tell(Event::Wasted { unit: shot.unit, target });
        return Ok(());
    };
    let side = play.rules.vehicle(shot.unit).side;
    let roll = play.roll(side, "roll.ap_hit", "4.4.3.2.3")?;
    let hits = play.rules.hits(shot, limited.limits, aim.number, roll);
    play.tell(Event::Fired {
        unit: shot.unit,
        target,
        factor: aim.factor as u8,
        net: aim.net,
        number: aim.number,
        roll,
        hit: hits > 0,
    });
    spot(play, shot);
    play.s.fire.hits = std::iter::repeat_n(target, usize::from(hits)).collect();
    // 5.1.3.4: a hand-held weapon also attacks the passengers, whether the vehicle is hit or not.
    let splash = play.rules.arm(shot.unit, shot.gun).is_some_and(|arm| arm.fixed_gp.is_some())
        && !play.rules.passengers(play.s, target).is_empty();
    if splash && hits == 0 {
        play.then(&[Frame::Splash, Frame::BailOut]);
    }
    if hits > 0 {
        if hits > 1 {
            play.tell(Event::Hits { unit: shot.unit, target, hits });
        }
        play.then(if splash {
            &[Frame::Strike, Frame::Splash, Frame::BailOut]
        } else {
            &[Frame::Strike, Frame::BailOut]
        });
        if hits > 1 && !play.rules.spread_targets(play.s).is_empty() {
            play.then(&[Frame::Spread]);
        }
    }
    Ok(())
}

fn spot(play: &mut Play, shot: Shot) {
    mark(play, shot.unit, shot.gun);
}

/// 4.4.1, 6.1.3: the Spot counter of a unit that fires a weapon; Small Arms alone give a lesser one, and never replace
/// a greater.
pub fn mark(play: &mut Play, unit: UnitId, gun: u8) {
    let small = play.rules.arm(unit, gun).is_some_and(|arm| {
        arm.weapon.small_arms
            || arm.weapon.small_arms_for_spotting
            || arm.attached.is_some_and(|may| may.sa_for_spotting)
    });
    mark_as(play, unit, small);
}

/// The same where it is known whether it counts as Small Arms.
pub fn mark_as(play: &mut Play, unit: UnitId, small: bool) {
    // 6.6.7.2: the Spot counter for fire of passengers is placed on their vehicle.
    let marked = play.s.unit(unit).aboard.some().unwrap_or(unit);
    let u = play.s.unit_mut(marked);
    if !small {
        u.set(Flags::FIRED_HEAVY);
        play.place_spot(marked, Spot::Fire);
    } else if !u.is(Flags::FIRED_HEAVY) && u.spot != Spot::Fire {
        play.place_spot(marked, Spot::FireSmallArms);
    }
}

impl Panzer {
    /// A shot of the declaration that is being resolved, as it stands now.
    pub fn current(&self, s: &State, shot: Shot, target: UnitId, kind: Kind) -> Shooting {
        // 6.5.4.2.2: a Leg or towed unit that has Move or Short Halt moves, shown or not.
        let moving = if self.is_vehicle(target) {
            self.known_to_move(s, target)
        } else {
            s.unit(target).command.moves()
        };
        // 5.14: together with another weapon of the unit, at the same or at another target.
        // 6.6.7.2: passengers firing together with their vehicle's weapons; only they have the modifier.
        let carrier = s.unit(shot.unit).aboard;
        let beside = |other: &&Shot| {
            other.unit == shot.unit && other.gun != shot.gun || carrier.some() == Some(other.unit)
        };
        let mut others = s.fire.shots.iter().filter(beside);
        let aboard = carrier.some().is_some();
        let burdened = aboard || self.arm(shot.unit, shot.gun).is_some_and(|arm| arm.dual);
        let mine = shot.target(s.fire.target);
        let dual = match others.next() {
            None if carrier.some().is_some_and(|vehicle| s.unit(vehicle).is(Flags::FIRED)) => Dual::Other,
            None => Dual::None,
            Some(_) if !burdened => Dual::None,
            Some(other) if other.target(s.fire.target) == mine => Dual::Same,
            Some(_) => Dual::Other,
        };
        let shooting = Shooting::new(shot, target, kind, moving);
        Shooting { ammo: s.fire.ammo, limits: s.fire.limits, dual, ..shooting }
    }

    /// 6.5.2.1: how many hits a roll gives; a limit leaves the Normal rate (5.16.2.1).
    pub fn hits(&self, shot: Shot, limits: u8, number: u8, roll: u8) -> u8 {
        let Some(game) = self.advanced.as_deref() else { return u8::from(roll <= number) };
        let rate = match self.arm(shot.unit, shot.gun) {
            Some(arm) if limits == 0 && game.uses(Module::RateOfFire) => arm.rate,
            _ => Rate::N,
        };
        game.tables().hits(rate, number, roll)
    }

    /// 6.5.2.1: the targets that further hits may be assigned to: within command range (by the firing unit's own grade)
    /// of the first target, legal targets with a hit number no lower than its.
    pub fn spread_targets(&self, s: &State) -> SmallVec<[UnitId; 8]> {
        let mut list = SmallVec::new();
        let (Some(shot), Some(game)) = (s.fire.shot(), self.advanced.as_deref()) else { return list };
        let first = s.fire.aimed_at();
        let grade = game.pieces[shot.unit.index()].grade;
        let range = u32::from(game.tables().command_range[grade.index()]);
        let number = |target: UnitId| {
            let shooting = Shooting {
                moving: self.known_to_move(s, target),
                ..self.current(s, shot, target, s.fire.kind)
            };
            self.aim(s, &shooting).map_or(0, |aim| aim.number)
        };
        let least = number(first);
        for unit in self.units_of(self.vehicle(first).side) {
            let (t, gun) = (s.unit(*unit), self.gun(shot.unit, shot.gun));
            let legal = *unit != first
                && t.on_map()
                && self.is_vehicle(*unit)
                && self.field.range(t.hex, s.unit(first).hex) <= range
                && gun.is_some_and(|gun| self.bears(s, shot.unit, gun, t.hex))
                && self.shared_target(s, shot.unit, t.hex) // 6.2.1.1.4
                && self.may_see(s, shot.unit, *unit);
            if legal && number(*unit) >= least {
                list.push(*unit);
            }
        }
        list
    }

    /// A target of the fire that is being resolved: spotted in the Spotting Phase; for Overwatch it has triggered it and
    /// is spotted now (4.4.2).
    fn may_see(&self, s: &State, unit: UnitId, target: UnitId) -> bool {
        match s.fire.kind {
            Kind::Direct => s.spotters[target.index()].contains(unit),
            Kind::Overwatch => s.triggers.contains(target) && self.spots(s, unit, target),
        }
    }

    /// 6.5.2.3: the armor of a vehicle at a location.
    pub fn armor_at(&self, target: UnitId, angle: Angle, location: Location, slope: Slope) -> u8 {
        let Some(piece) = self.piece(target) else { return 0 };
        // S-type: 0 everywhere.
        let Some(armor) = piece.armor.filter(|_| piece.target_type() != TargetType::S) else { return 0 };
        armor_of(&armor, angle, location, slope)
    }

    /// 6.5.2.3.1: the firing unit's height compared with the target's.
    pub fn slope(&self, s: &State, firer: UnitId, target: UnitId) -> Slope {
        match self.height_of(s, firer).cmp(&self.height_of(s, target)) {
            std::cmp::Ordering::Equal => Slope::Level,
            std::cmp::Ordering::Less => Slope::Rising,
            std::cmp::Ordering::Greater => Slope::Falling,
        }
    }
}

/// 6.5.2.3.2, 6.5.2.3.3
fn armor_of(armor: &Armor, angle: Angle, location: Location, slope: Slope) -> u8 {
    if location == Location::Deck {
        return armor.deck;
    }
    let front_rear = &armor.front_rear[slope as usize];
    let sides = &armor.sides[slope as usize];
    match (angle, location) {
        (Angle::Front | Angle::Rear, Location::TurretFront) => front_rear[0],
        (Angle::Front | Angle::Rear, Location::TurretRear) => front_rear[1],
        (Angle::Front | Angle::Rear, Location::HullFront) => front_rear[2],
        (Angle::Front | Angle::Rear, _) => front_rear[3],
        (_, Location::TurretFront) => sides[0],
        (_, Location::TurretSide) => sides[1],
        (_, Location::TurretRear) => sides[2],
        (_, Location::HullFront) => sides[3],
        (_, Location::HullSide) => sides[4],
        _ => sides[5],
    }
}

/// The angles among which the target's owner chooses (4.4.3.2.4, 6.5.2.2).
pub fn angles(rules: &Panzer, s: &State) -> SmallVec<[Angle; 4]> {
    if rules.advanced.is_none() {
        return SmallVec::from_slice(&[Angle::Front, Angle::Rear]);
    }
    let Some(shot) = s.fire.shot() else { return SmallVec::new() };
    let t = s.unit(s.fire.struck());
    let board = &rules.field.board;
    let (Some(to), Some(from)) = (t.hex.some(), s.unit(shot.unit).hex.some()) else { return SmallVec::new() };
    bearing::hit_sides(t.facing, board.hex(to), board.hex(from))
}

/// 4.4.3.2.5, 6.5.2.2: on the line between two sides of a vehicle, its owner chooses which is hit.
#[derive(Debug)]
pub struct HitAngle;

impl Question<Panzer> for HitAngle {
    fn asks(&self, rules: &Panzer, s: &State, _: Frame) -> Option<Side> {
        Some(rules.vehicle(s.fire.struck()).side)
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject == Subject::Phase {
            out.extend(angles(cx.rules, cx.s).into_iter().map(Action::Angle));
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Angle(angle) if angles(cx.rules, cx.s).contains(angle) => Ok(()),
            _ => Err(cx.rules.not_now()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Action::Angle(angle) = action {
            let frame = match play.rules.advanced {
                None => Frame::Penetration { rear: *angle == Angle::Rear },
                Some(_) => Frame::Location { angle: *angle },
            };
            play.then(&[frame]);
        }
        Ok(())
    }
}

/// 5.1.3.4: the fixed GP factor of a hand-held weapon against each passenger of the vehicle it was fired at.
pub fn splash(play: &mut Play) -> Result<(), Stop> {
    let Some(shot) = play.s.fire.shot() else { return Ok(()) };
    let target = play.s.fire.aimed_at();
    let shooting = play.rules.current(play.s, shot, target, play.s.fire.kind);
    gp::passengers(play, &Shooting { ammo: Ammo::Gp, ..shooting }, target)
}

/// 6.5.2.2: the next hit of the shot; one at a target that is gone is absorbed.
pub fn strike(play: &mut Play) {
    while let Some(target) = play.s.fire.hits.first().copied() {
        if play.s.unit(target).on_map() {
            break;
        }
        play.s.fire.hits.remove(0);
    }
    if play.s.fire.hits.is_empty() {
        return;
    }
    play.then(&[Frame::Strike]);
    let angles = angles(play.rules, play.s);
    match angles[..] {
        [] => {
            play.s.fire.hits.remove(0);
        }
        [angle] => play.then(&[Frame::Location { angle }]),
        _ => play.then(&[Frame::HitAngle]),
    }
}

/// 6.5.2.2 to 6.5.2.5: the location of the hit, whether it penetrates, and its effect.
pub fn locate(play: &mut Play, angle: Angle) -> Result<(), Stop> {
    let (Some(shot), Some(game)) = (play.s.fire.shot(), play.rules.advanced.as_deref()) else {
        return Ok(());
    };
    let target = play.s.fire.struck();
    play.s.fire.hits.remove(0);
    let rules = play.rules;
    let side = rules.vehicle(shot.unit).side;
    let roll = play.roll(side, "roll.ap_location", "6.5.2.2")?;
    // Tens die for the location, units die for the damage; 0 counts as 10.
    let ten = |die: u8| if die == 0 { 10 } else { die };
    let (index, units) = (ten(roll / 10 % 10), ten(roll % 10));
    let slope = rules.slope(play.s, shot.unit, target);
    let hull_down = rules.hull_down(play.s, shot.unit, target, angle);
    let place = game.tables().location(angle, index, slope == Slope::Falling, hull_down);
    let shooting = rules.current(play.s, shot, target, play.s.fire.kind);
    let penetration = rules.aim(play.s, &shooting).map_or(0, |aim| aim.penetration);
    let Some(location) = place else {
        play.tell(Event::HullDownMiss { unit: shot.unit, target, angle, roll });
        return Ok(());
    };
    if location == Location::Track {
        play.tell(Event::Located {
            unit: shot.unit,
            target,
            angle,
            location,
            roll,
            penetration: 0,
            armor: 0,
        });
        return gp::track_hit(play, target);
    }
    let armor = rules.armor_at(target, angle, location, slope);
    let mut penetration = penetration;
    if rules.optional(12) {
        // 7.12: a separate roll for each hit.
        let die = play.roll_ten(side, "roll.penetration", "7.12")?;
        let table = &game.tables().optional.variable_penetration.change;
        let change =
            table.iter().find(|[most, _]| i16::from(die) <= i16::from(*most)).map_or(0, |[_, by]| *by);
        penetration = penetration.saturating_add_signed(change);
    }
    play.tell(Event::Located { unit: shot.unit, target, angle, location, roll, penetration, armor });
    if penetration < armor {
        return Ok(());
    }
    let Some(arm) = rules.arm(shot.unit, shot.gun) else { return Ok(()) };
    // 7.11: a vehicle that burns easily.
    let marked = rules.optional(11) && rules.piece(target).is_some_and(|piece| piece.brew_up_mark);
    let units = if marked {
        units.saturating_add_signed(game.tables().optional.brew_up.modifier).min(10)
    } else {
        units
    };
    let soft = rules.piece(target).map_or(TargetType::A, crate::piece::Piece::target_type);
    let result = game.tables().ap_damage(&arm.weapon, units, soft);
    play.tell(Event::ApDamage { target, result });
    match result {
        Damage::None => bail::note(play, target, BailResult::NoDamage, false),
        Damage::Damaged => gp::damage(play, target, location.turret()),
        Damage::KnockedOut => gp::destroy(play, target, Place::KnockedOut),
        Damage::BrewedUp => gp::destroy(play, target, Place::BrewedUp),
    }
    Ok(())
}

/// 6.5.2.1: which hits of a burst go to other vehicles near the target.
#[derive(Debug)]
pub struct Spread;

impl Question<Panzer> for Spread {
    fn asks(&self, rules: &Panzer, s: &State, _: Frame) -> Option<Side> {
        s.fire.shot().map(|shot| rules.vehicle(shot.unit).side)
    }

    fn options(&self, cx: &Cx, subject: Subject, out: &mut Vec<Action>) {
        if subject != Subject::Phase {
            return;
        }
        // Every way to give further hits to one other vehicle, and to nobody.
        out.push(Action::Spread(SmallVec::new()));
        let extra = cx.s.fire.hits.len().saturating_sub(1);
        for unit in cx.rules.spread_targets(cx.s) {
            out.push(Action::Spread(std::iter::once(unit).collect()));
            if extra > 1 {
                out.push(Action::Spread(SmallVec::from_slice(&[unit, unit])));
            }
        }
    }

    fn check(&self, cx: &Cx, action: &Action) -> Result<(), Refusal> {
        let Action::Spread(targets) = action else { return Err(cx.rules.not_now()) };
        let allowed = cx.rules.spread_targets(cx.s);
        // 6.5.2.1: one hit stays on the original target.
        if targets.len() > cx.s.fire.hits.len().saturating_sub(1) {
            return cx.rules.no("6.5.2.1", "fire.spread_many").into();
        }
        match targets.iter().find(|unit| !allowed.contains(unit)) {
            Some(unit) => cx.rules.no("6.5.2.1", "fire.spread").unit("target", *unit).into(),
            None => Ok(()),
        }
    }

    fn apply(&self, play: &mut Play, _: At, action: &Action) -> Result<(), Stop> {
        play.pop();
        if let Action::Spread(targets) = action {
            let last = play.s.fire.hits.len();
            for (n, unit) in targets.iter().enumerate() {
                if let Some(hit) = last.checked_sub(n + 1).and_then(|at| play.s.fire.hits.get_mut(at)) {
                    *hit = *unit;
                    play.tell(Event::SpreadTo { target: *unit });
                }
            }
        }
        Ok(())
    }
}
