//! Air attacks (6.7.3): every unit and all terrain in the pattern, friendly or enemy, is attacked separately.

use hexgrid::HexId;
use kernel::Stop;
use smallvec::SmallVec;

use super::{Arms, Craft, Strike};
use crate::{
    event::Event,
    fire::Blast,
    frame::Frame,
    gp::{hurt_foot, hurt_vehicle_by},
    pack::{
        Side,
        advanced::{
            Altitude, BailResult, GpModifier, RangeFactor, Speed,
            lookup::{Fire, outcome},
        },
    },
    play::Play,
    rules::Panzer,
    state::{Flags, State},
    units::UnitId,
    works,
};

/// The source of a modifier of an air attack (6.7.3.5, 6.5.4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AirCause {
    Modifier(GpModifier),
    Grade,
}

impl AirCause {
    pub const fn key(self) -> &'static str {
        match self {
            AirCause::Modifier(modifier) => modifier.key(),
            AirCause::Grade => "unit_grade",
        }
    }
}

/// How an aircraft approaches its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approach {
    pub craft: Craft,
    pub arms: Arms,
    pub altitude: Altitude,
    pub speed: Speed,
    pub range: u8,
}

impl Panzer {
    /// 6.7.3.2 to 6.7.3.4: GP factor, range factor and effectiveness of an aircraft's weapon.
    pub fn air_factor(&self, craft: &Craft, arms: Arms, range: u8) -> Option<(RangeFactor, u8, Option<u8>)> {
        let card = self.craft_card(craft)?;
        match arms {
            // 6.7.3.2: always at range factor P.
            Arms::Strafing => Some((RangeFactor::P, card.strafing.factor, card.strafing.effectiveness)),
            Arms::Bombs => card.bombs.map(|bombs| (RangeFactor::P, bombs.factor, bombs.effectiveness)),
            // 6.7.3.4: by range, as ground weapons.
            Arms::Rockets => {
                let rockets = card.rockets?;
                let (factor, gpf) = rockets.row.at(u32::from(range))?;
                Some((factor, gpf, Some(rockets.effectiveness)))
            }
        }
    }

    /// 6.7.3.5: the modifiers of the aircraft itself, whatever its target.
    pub fn air_line(&self, how: &Approach, mut each: impl FnMut(AirCause, i8)) {
        let Some(game) = self.advanced.as_deref() else { return };
        let tables = game.tables();
        let mut count = |modifier: GpModifier, applies: bool| {
            if applies && let Some(value) = tables.gp_modifier(modifier, Fire::Air) {
                each(AirCause::Modifier(modifier), value);
            }
        };
        count(GpModifier::ShooterDamaged, how.craft.damaged > 0);
        count(GpModifier::ShooterSuppressed, how.craft.suppressed());
        count(GpModifier::AirLow, how.altitude == Altitude::Low);
        count(GpModifier::AirMedium, how.altitude == Altitude::Medium);
        count(GpModifier::AirFast, how.speed == Speed::Fast);
        // Strafing reads the grade table at Extreme range; bombs have no grade.
        let column = match how.arms {
            Arms::Strafing => Some(RangeFactor::E),
            Arms::Bombs => None,
            Arms::Rockets => self.air_factor(&how.craft, how.arms, how.range).map(|(factor, ..)| factor),
        };
        if let (Some(column), Some(def)) = (column, self.craft_def(&how.craft)) {
            let grade = tables.gp_grade(def.grade, column);
            if grade != 0 {
                each(AirCause::Grade, grade);
            }
        }
    }

    /// 6.5.4.3: the modifiers of a target attacked from above.
    pub fn air_target(&self, s: &State, target: UnitId, moving: bool, mut each: impl FnMut(AirCause, i8)) {
        self.blast_target(s, target, moving, Fire::Air, |modifier, value| {
            each(AirCause::Modifier(modifier), value);
        });
    }

    /// 6.7.3: the attack on one unit.
    pub fn air_aim(&self, s: &State, how: &Approach, target: UnitId, moving: bool) -> Option<Blast> {
        let game = self.advanced.as_deref()?;
        let (factor, gpf, effectiveness) = self.air_factor(&how.craft, how.arms, how.range)?;
        let foot_moves = !self.is_vehicle(target) && s.unit(target).command.moves();
        let (gpd, kind) = self.gp_defense(s, target, foot_moves)?;
        let mut net = 0;
        self.air_line(how, |_, value| net += i16::from(value));
        self.air_target(s, target, moving, |_, value| net += i16::from(value));
        let (n, suppressed) = game.tables().gp_cell(gpf, gpd);
        Some(Blast { factor, gpf, gpd, target: kind, effectiveness, net, n, s: suppressed })
    }

    /// 6.7.3.2 to 6.7.3.4: the hexes of an attack on a hex ahead.
    pub fn air_pattern(
        &self,
        arms: Arms,
        altitude: Altitude,
        speed: Speed,
        dive: bool,
        target: HexId,
        facing: hexgrid::Direction,
    ) -> SmallVec<[HexId; 4]> {
        let mut hexes: SmallVec<[HexId; 4]> = SmallVec::from_slice(&[target]);
        let Some(game) = self.advanced.as_deref() else { return hexes };
        let air = &game.tables().air;
        let count = match (arms, speed) {
            (Arms::Strafing, Speed::Slow) => air.strafing_slow,
            (Arms::Strafing, Speed::Fast) => air.strafing_fast,
            (Arms::Bombs, _) if dive => 1,
            (Arms::Bombs, _) => 2,
            (Arms::Rockets, _) => 1,
        };
        let mut at = target;
        for _ in 1..count {
            let Some(next) = self.field.neighbour(at, facing) else { break };
            hexes.push(next);
            at = next;
        }
        if arms == Arms::Bombs && !dive && altitude == Altitude::High {
            // 6.7.3.3: the two hexes that touch both of them.
            for beside in [facing.clockwise(), facing.counter_clockwise()] {
                hexes.extend(self.field.neighbour(target, beside));
            }
        }
        hexes
    }
}

/// The attack that is being resolved, as the aircraft stands.
fn approach(s: &State) -> Option<Approach> {
    let strike = &s.air.strike;
    let flight = &s.air.flight;
    Some(Approach {
        craft: *s.air.craft.get(usize::from(flight.craft))?,
        arms: strike.arms?,
        altitude: strike.altitude.unwrap_or(flight.altitude),
        speed: flight.speed,
        range: strike.range,
    })
}

/// All units in the hexes, passengers with their vehicles; the next one is last.
pub(super) fn queue(s: &State, rules: &Panzer, hexes: &[HexId]) -> SmallVec<[UnitId; 16]> {
    let mut queue = SmallVec::new();
    for hex in hexes {
        for unit in s.in_hex(*hex).filter(|unit| s.unit(*unit).on_map() && !s.unit(*unit).passenger()) {
            queue.push(unit);
            queue.extend(rules.passengers(s, unit));
        }
    }
    queue.reverse();
    queue
}

/// The next unit of the pattern; after the last one, the terrain and the bail-out tests.
pub fn next(play: &mut Play) -> Result<(), Stop> {
    let Some(target) = play.s.air.strike.queue.pop() else {
        terrain(play)?;
        play.s.air.strike = Strike::default();
        if !play.s.bail.is_empty() {
            play.then(&[Frame::BailOut]);
        }
        return Ok(());
    };
    let u = *play.s.unit(target);
    let vehicle = play.rules.is_vehicle(target) && !u.is(Flags::BAILED);
    let strike = &mut play.s.air.strike;
    strike.target = target;
    strike.moving = vehicle && u.is(Flags::REVEALED) && u.command.moves();
    match () {
        () if !u.on_map() => play.then(&[Frame::AirNext]),
        // 6.5.4.3: the owner may show a hidden Command. A crash asks no question.
        () if vehicle && !u.is(Flags::REVEALED) && strike.crash.is_none() => {
            play.then(&[Frame::AirShow, Frame::AirHit, Frame::AirNext]);
        }
        () => play.then(&[Frame::AirHit, Frame::AirNext]),
    }
    Ok(())
}

/// 6.5.4.4: one attack.
pub fn hit(play: &mut Play) -> Result<(), Stop> {
    let strike = play.s.air.strike.clone();
    let target = strike.target;
    let Some(game) = play.rules.advanced.as_deref() else { return Ok(()) };
    let (aim, side, gate) = match strike.crash {
        Some(side) => (crash_aim(play.rules, play.s, target), side, false),
        None => {
            let how = approach(play.s);
            let aim = how.and_then(|how| play.rules.air_aim(play.s, &how, target, strike.moving));
            (aim, play.rules.air_side().unwrap_or_default(), true)
        }
    };
    let Some(aim) = aim else { return Ok(()) };
    let roll = play.roll(side, "roll.air", "6.7.3")?;
    let total = i16::from(roll) + aim.net;
    let result = outcome((aim.n, aim.s), total);
    play.s.unit_mut(target).set(Flags::UNDER_FIRE); // 6.8.3.1.2
    play.tell(Event::AirAttack {
        craft: play.s.air.flight.craft,
        target,
        gpf: aim.gpf,
        gpd: aim.gpd,
        net: aim.net,
        roll,
        outcome: result,
    });
    if !play.rules.is_vehicle(target) {
        play.log.reveal(); // 6.5.4.2.2: its defense tells whether it is moving
        return hurt_foot(play, target, result, BailResult::SuppressedDirect);
    }
    let result = aim.on_vehicle(game.tables(), total, gate);
    hurt_vehicle_by(play, side, target, result, false)
}

/// 6.7.4.2.1: the effect of a crashing aircraft on a unit, regardless of armor.
fn crash_aim(rules: &Panzer, s: &State, target: UnitId) -> Option<Blast> {
    let game = rules.advanced.as_deref()?;
    let gpf = game.tables().air.crash_factor;
    let foot_moves = !rules.is_vehicle(target) && s.unit(target).command.moves();
    let (gpd, kind) = rules.gp_defense(s, target, foot_moves)?;
    let mut net = 0;
    let moving = s.unit(target).is(Flags::REVEALED) && s.unit(target).command.moves();
    rules.air_target(s, target, moving, |_, value| net += i16::from(value));
    let (n, suppressed) = game.tables().gp_cell(gpf, gpd);
    let effectiveness = Some(10);
    Some(Blast { factor: RangeFactor::P, gpf, gpd, target: kind, effectiveness, net, n, s: suppressed })
}

/// 6.5.4.2.5, 6.7.3.2: all vulnerable terrain of the pattern, but not by Small Arms.
fn terrain(play: &mut Play) -> Result<(), Stop> {
    let strike = play.s.air.strike.clone();
    let shelling = match strike.crash {
        Some(side) => {
            let gpf = play.rules.advanced.as_deref().map_or(0, |game| game.tables().air.crash_factor);
            Some(works::Shelling { side, gpf, net: 0, at_once: false })
        }
        None => approach(play.s).and_then(|how| {
            let (_, gpf, effectiveness) = play.rules.air_factor(&how.craft, how.arms, how.range)?;
            effectiveness?;
            let mut net = 0;
            play.rules.air_line(&how, |_, value| net += i16::from(value));
            let side: Side = play.rules.air_side()?;
            Some(works::Shelling { side, gpf, net, at_once: false })
        }),
    };
    let Some(shelling) = shelling else { return Ok(()) };
    for hex in &strike.hexes {
        works::shell_hex(play, shelling, *hex, None)?;
        if strike.crash.is_some() {
            works::ignite(play, shelling.side, *hex)?; // 7.35
        }
    }
    Ok(())
}
