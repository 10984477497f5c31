//! The luck of a trial: how much better shots did than could be expected of them.

use ::panzer::{
    action::Action,
    event::Event,
    fire::{Angle, Fate, Result, Shooting, bearing},
    frame::Frame,
    pack::Side,
    state::{Flags, State},
    units::UnitId,
};
use kernel::{Log, log::Event as Logged};

use super::commander::Commander;

/// May shots be resolved after this decision?
pub fn risky(s: &State, action: &Action) -> bool {
    let open = |frame: &Frame| {
        matches!(frame, Frame::Shot | Frame::Strike | Frame::Splash | Frame::Spread | Frame::HitAngle)
    };
    matches!(action, Action::Fire { .. }) || s.frames.iter().any(open)
}

/// Points that a side owes to luck between two positions.
pub fn of(commander: &Commander, before: &State, after: &State, log: &Log<Event>, side: Side) -> f32 {
    if commander.rules.advanced.is_some() {
        of_fates(commander, before, after, log, side)
    } else {
        of_hits(commander, before, log, side)
    }
}

/// In the Basic Game only the hit is a matter of luck (4.4.3.2.3).
fn of_hits(commander: &Commander, before: &State, log: &Log<Event>, side: Side) -> f32 {
    let guns = |unit: UnitId| {
        let declared = log.events().iter().find_map(|event| match event {
            Logged::Game(Event::Declared { unit: who, gun, .. }) if *who == unit => Some(*gun),
            _ => None,
        });
        declared.or_else(|| before.fire.shots.iter().find(|shot| shot.unit == unit).map(|shot| shot.gun))
    };
    let mut sum = 0.0;
    // The effect of earlier shots on a target.
    let mut hurt: Option<UnitId> = None;
    for event in log.events() {
        match event {
            Logged::Game(Event::Fired { unit, target, factor, number, hit, .. }) => {
                let Some(gun) = guns(*unit) else { continue };
                let damaged = before.unit(*target).is(Flags::DAMAGED) || hurt == Some(*target);
                let share = hurts(commander, before, (*unit, gun, *factor), *target, damaged);
                let gain = (f32::from(u8::from(*hit)) - f32::from(*number) / 100.0) * share;
                sum += if commander.rules.vehicle(*unit).side == side { gain } else { -gain };
            }
            Logged::Game(Event::Hit { target, result: Result::Damaged, .. }) => hurt = Some(*target),
            _ => {}
        }
    }
    sum
}

/// Points that a hit brings in the Basic Game.
fn hurts(
    commander: &Commander,
    s: &State,
    (unit, gun, factor): (UnitId, u8, u8),
    target: UnitId,
    damaged: bool,
) -> f32 {
    let rules = &*commander.rules;
    let Some(gun) = rules.gun(unit, gun) else { return 0.0 };
    let (from, at) = (s.unit(unit), s.unit(target));
    if !from.on_map() || !at.on_map() {
        return 0.0;
    }
    let half = f32::from(rules.scenario.victory.damaged_percent) / 100.0;
    let penetration = gun.ap.penetration[usize::from(factor)];
    let by = |rear: usize| match rules.damage(penetration, rules.vehicle(target).armor[rear]) {
        Result::NoEffect | Result::NoDamage => 0.0,
        _ if damaged => 1.0 - half,
        Result::Damaged => half,
        Result::KnockedOut | Result::BrewedUp => 1.0,
    };
    let board = &rules.field.board;
    let share = match bearing::hit_angle(at.facing, board.hex(at.hex), board.hex(from.hex)) {
        Angle::Front => by(0),
        Angle::Rear => by(1),
        Angle::Line => by(0).min(by(1)),
    };
    share * commander.lore.kind(target).points
}

/// In the Advanced Game what became of each target is compared with its fate as the rules foretold it. Abandoned
/// vehicles (5.15) and passengers are left out on both sides.
fn of_fates(commander: &Commander, before: &State, after: &State, log: &Log<Event>, side: Side) -> f32 {
    let rules = &*commander.rules;
    let fire = &after.fire;
    let mut seen: Vec<(UnitId, Fate)> = Vec::new();
    for shot in &fire.shots {
        let target = shot.target(fire.target);
        if !seen.iter().any(|(unit, _)| *unit == target) {
            seen.push((target, Fate::now(before, target)));
        }
    }
    for event in log.events() {
        let (unit, target) = match event {
            Logged::Game(Event::Fired { unit, target, .. } | Event::GpFire { unit, target, .. }) => {
                (*unit, *target)
            }
            _ => continue,
        };
        let shot = fire.shots.iter().find(|shot| shot.unit == unit && shot.target(fire.target) == target);
        let fate = seen.iter_mut().find(|(seen, _)| *seen == target);
        let (Some(shot), Some((_, fate))) = (shot, fate) else { continue };
        if before.unit(target).on_map() && before.unit(unit).on_map() {
            let shooting = Shooting::new(*shot, target, fire.kind, rules.known_to_move(before, target));
            rules.foretell(before, &shooting, fate);
        }
    }
    let damaged = f32::from(rules.scenario.victory.damaged_percent) / 100.0;
    let mut sum = 0.0;
    for (target, fate) in &seen {
        let lost = |s: &State| {
            let u = s.unit(*target);
            let hurt = Flags(Flags::TURRET.0 | Flags::HULL.0 | Flags::TRACK.0 | Flags::REDUCED.0);
            if u.place.eliminated() {
                1.0
            } else if u.is(hurt) {
                damaged
            } else {
                0.0
            }
        };
        let out = fate.out() as f32;
        let hurt: f64 = (0..8).filter(|at| at & (Fate::TRACK | Fate::DAMAGED) > 0).map(|at| fate.0[at]).sum();
        let gain = (lost(after) - out - damaged * hurt as f32) * commander.lore.kind(*target).points;
        sum += if rules.vehicle(*target).side == side { -gain } else { gain };
    }
    sum
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ::panzer::{PanzerNorthAfrica, game::start};
    use kernel::{Dice, Rules, Seat, Setup};
    use rand_chacha::ChaCha8Rng;
    use rand_core::SeedableRng;

    use super::*;
    use crate::Mind;

    /// What a side does in its usual style.
    fn decide(commander: &Commander, s: &State, seat: Seat, rng: &mut ChaCha8Rng) -> Action {
        let rules = &*commander.rules;
        let mut script = Vec::new();
        commander.script(s, seat, &super::super::Plan::USUAL, rng, &mut script);
        let legal = script.into_iter().find(|thought| rules.verdict(s, seat, &thought.action).is_legal());
        legal.map_or_else(
            || {
                kernel::erased::random_action(rules, s, seat, rng, &mut Vec::new(), &mut Vec::new())
                    .expect("a seat that is asked has a decision")
            },
            |thought| thought.action,
        )
    }

    /// Over many dice the luck of a fire in the Advanced Game is nothing, and it is not nothing each time.
    #[test]
    fn luck_averages_to_nothing() {
        let setup = Setup { scenario: "picket-at-the-well".into(), ..Setup::default() };
        let game = PanzerNorthAfrica::new().expect("the shipped pack is sound");
        let rules = Arc::new(game.rules(&setup).expect("it is known"));
        let commander = Commander::study(Arc::clone(&rules));
        let (mut rng, mut dice) = (ChaCha8Rng::seed_from_u64(1), Dice::from_number(1));
        let mut s = start(&rules).expect("it begins");
        let mut fires = 0;
        for _ in 0..4_000 {
            if fires == 6 {
                break;
            }
            let Some(seat) = rules.pending(&s).first() else {
                // The next game, with other dice.
                s = start(&rules).expect("it begins");
                continue;
            };
            let action = decide(&commander, &s, seat, &mut rng);
            if matches!(action, Action::Fire { .. }) {
                let outcomes: Vec<f32> = (0..150)
                    .map(|number| {
                        let (mut now, mut dice) = (s.clone(), Dice::from_number(number));
                        let (mut asked, mut action, mut sum) = (seat, action.clone(), 0.0);
                        while risky(&now, &action) {
                            let (before, mut log) = (now.clone(), Log::default());
                            rules.apply(&mut now, asked, &action, &mut dice, &mut log).expect("it is legal");
                            sum += of(&commander, &before, &now, &log, Side::Axis);
                            let open = rules.pending(&now).first();
                            let Some(next) = open.filter(|_| risky(&now, &Action::Done)) else { break };
                            asked = next;
                            action = decide(&commander, &now, asked, &mut rng);
                        }
                        sum
                    })
                    .collect();
                let count = outcomes.len() as f32;
                let mean = outcomes.iter().sum::<f32>() / count;
                let spread = outcomes.iter().map(|luck| (luck - mean).powi(2)).sum::<f32>() / count;
                if spread > 0.0 {
                    let error = (spread / count).sqrt();
                    assert!(mean.abs() < 4.0 * error, "{action:?}: {mean} ± {error}");
                    fires += 1;
                }
            }
            rules.apply(&mut s, seat, &action, &mut dice, &mut Log::default()).expect("it is legal");
        }
        assert_eq!(fires, 6, "fires with something to gain");
    }
}
