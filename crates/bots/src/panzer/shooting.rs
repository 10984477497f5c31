//! Fire: which unit fires at which (4.4.1), when Overwatch is worth its shot (4.4.2), which side is hit (4.4.3.2.4).

use ::panzer::{
    action::{Action, Shots},
    fire::{Kind, Result, Shooting},
    frame::{Frame, Trigger},
    pack::advanced::Angle,
    play::Cx,
    state::{Command, Flags, State},
    units::UnitId,
};

use super::{
    artillery, combined,
    commander::{Commander, Script},
    gunnery::{self, Blow},
    picture::Picture,
    plan::Plan,
    why,
};
use crate::Thought;

/// A vehicle that can fire, and its possible targets.
struct Shooter {
    unit: UnitId,
    targets: Vec<(UnitId, Blow)>,
}

fn shooters(commander: &Commander, cx: &Cx, kind: Kind) -> Vec<Shooter> {
    let who = gunnery::candidates(cx.rules, cx.s, kind, false);
    let enemies = cx.rules.units_of(cx.side.enemy());
    let mine = cx.rules.units_of(cx.side).iter().filter(|unit| {
        let u = cx.s.unit(**unit);
        // 6.6.7.2: passengers fire under the Command of their vehicle.
        let command = u.aboard.some().map_or(u.command, |vehicle| cx.s.unit(vehicle).command);
        let ready = match kind {
            Kind::Direct => command.fires(),
            Kind::Overwatch => command == Command::Overwatch,
        };
        ready && u.on_map() && !u.is(Flags::FIRED)
    });
    let shooter = |unit: &UnitId| {
        let blow = |target: &UnitId| commander.blow(&who, *unit, *target, 0).map(|blow| (*target, blow));
        let targets: Vec<_> = enemies.iter().filter_map(blow).collect();
        (!targets.is_empty()).then_some(Shooter { unit: *unit, targets })
    };
    mine.filter_map(shooter).collect()
}

/// A target for each shooter, so that together they can expect the most: shots at one target share what is left of it.
fn share_out(picture: &Picture, shooters: &[Shooter]) -> Vec<usize> {
    let mut at = vec![usize::MAX; shooters.len()];
    // What is left of a target after these have fired.
    let left = |at: &[usize], target: UnitId, but: usize| {
        let mut left = 1.0;
        for (n, shooter) in shooters.iter().enumerate() {
            if n != but
                && let Some((other, blow)) = shooter.targets.get(at[n])
                && *other == target
            {
                left *= 1.0 - blow.share;
            }
        }
        left
    };
    for _ in 0..4 {
        let mut changed = false;
        for n in 0..shooters.len() {
            let value = |(target, blow): &(UnitId, Blow)| {
                blow.share * picture.prize(*target) * left(&at, *target, n) + 1e-4 * blow.hit
            };
            let values = shooters[n].targets.iter().map(value).enumerate();
            let best = values.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| index);
            changed |= at[n] != best;
            at[n] = best;
        }
        if !changed {
            break;
        }
    }
    at
}

/// Direct Fire at one target; the rest is decided when it has been resolved.
pub fn direct(commander: &Commander, cx: &Cx, plan: &Plan, out: &mut Script) {
    let shooters = shooters(commander, cx, Kind::Direct);
    if shooters.is_empty() && cx.rules.advanced.is_none() {
        out.push(Thought::plain(Action::Done));
        return;
    }
    let picture = Picture::new(commander, cx.s, cx.side, plan);
    let smoke = artillery::direct_smoke(&picture, cx, |unit| {
        let targets = shooters.iter().filter(|shooter| shooter.unit == unit).flat_map(|s| &s.targets);
        targets.map(|(target, blow)| blow.share * picture.prize(*target)).fold(0.0, f32::max)
    });
    out.extend(smoke.map(Thought::plain));
    if shooters.is_empty() {
        out.push(Thought::plain(Action::Done));
        return;
    }
    let at = share_out(&picture, &shooters);
    let mut best: Option<(f32, UnitId)> = None;
    for (shooter, target) in shooters.iter().zip(&at) {
        let (target, blow) = shooter.targets[*target];
        let value = blow.share * picture.prize(target);
        if best.is_none_or(|(most, _)| value > most) {
            best = Some((value, target));
        }
    }
    let Some((_, target)) = best else { return };
    let mut shots = Shots::new();
    let mut lives = 1.0;
    for (shooter, at) in shooters.iter().zip(&at) {
        // 4.4.1: a unit that has no other target fires along.
        let bound = shooter.targets.len() == 1;
        let (aimed, blow) = shooter.targets[*at];
        if aimed == target || bound && shooter.targets[0].0 == target {
            shots.push(combined::shot(shooter.unit, blow.gun, blow.ammo));
            lives *= 1.0 - blow.kill;
        }
    }
    let why = why::fire(cx.rules, "why.fire", target, shots.len(), 1.0 - lives);
    out.push(Thought { action: Action::Fire { target, shots }, why: Some(why) });
}

/// Overwatch: fires if the shot is good enough for the moment.
pub fn overwatch(commander: &Commander, cx: &Cx, plan: &Plan, out: &mut Script) {
    let watching = cx.rules.units_of(cx.side).iter().any(|unit| {
        let u = cx.s.unit(*unit);
        u.on_map() && u.command == Command::Overwatch && !u.is(Flags::FIRED)
    });
    if !watching {
        out.extend([Action::HoldAll, Action::Hold].map(Thought::plain));
        return;
    }
    let shooters = shooters(commander, cx, Kind::Overwatch);
    if shooters.is_empty() {
        out.push(Thought::plain(Action::Hold));
        return;
    }
    let w = &commander.weights;
    let least = match cx.frame {
        // The target turns before it has moved.
        Frame::Window(Trigger::Turn) if cx.s.walk.hexes == 0 => w.watch_begin,
        Frame::Window(Trigger::Turn | Trigger::Hex) => w.watch_way,
        Frame::Window(Trigger::Stay) => w.watch_end,
        _ => w.watch_fire,
    };
    let picture = Picture::new(commander, cx.s, cx.side, plan);
    // The best target; then the units that add enough to it, best first.
    let mut best: Option<(f32, UnitId)> = None;
    for (target, blow) in shooters.iter().flat_map(|shooter| &shooter.targets) {
        let value = blow.share * picture.prize(*target);
        if blow.share >= least && best.is_none_or(|(most, _)| value > most) {
            best = Some((value, *target));
        }
    }
    if let Some((_, target)) = best {
        let mut at_it: Vec<(UnitId, Blow)> = shooters
            .iter()
            .filter_map(|shooter| {
                shooter.targets.iter().find(|(t, _)| *t == target).map(|(_, blow)| (shooter.unit, *blow))
            })
            .collect();
        at_it.sort_by(|a, b| b.1.share.total_cmp(&a.1.share));
        let (mut left, mut lives) = (1.0, 1.0);
        let mut shots = Shots::new();
        for (unit, blow) in at_it {
            if blow.share * left < least {
                break;
            }
            left *= 1.0 - blow.share;
            lives *= 1.0 - blow.kill;
            shots.push(combined::shot(unit, blow.gun, blow.ammo));
        }
        let why = why::fire(cx.rules, "why.overwatch", target, shots.len(), 1.0 - lives);
        out.push(Thought { action: Action::Fire { target, shots }, why: Some(why) });
    } else {
        out.push(Thought::plain(Action::Hold));
    }
}

/// The side on which a hit along the line does less damage.
pub fn angle(commander: &Commander, s: &State) -> Action {
    let rules = &*commander.rules;
    let target = s.fire.target;
    let shot = s.fire.shots.get(usize::from(s.fire.next).wrapping_sub(1));
    let damage = |rear: bool| {
        let aim = shot.and_then(|shot| {
            let moving = rules.known_to_move(s, target);
            rules.aim(s, &Shooting::new(*shot, target, s.fire.kind, moving))
        });
        aim.map_or(Result::NoEffect, |aim| {
            rules.damage(aim.penetration, rules.vehicle(target).armor[usize::from(rear)])
        })
    };
    let rear = (damage(true) as u8) < damage(false) as u8;
    Action::Angle(if rear { Angle::Rear } else { Angle::Front })
}
