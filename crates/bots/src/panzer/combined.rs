//! Combined arms, for the Advanced Game: what a weapon does to a unit on foot or behind armor, artillery, assaults, cover,
//! transport, and Commands that are shared.

use ::panzer::{
    Panzer,
    action::{Action, Part, Shot, Subject},
    fire::{Fate, Shooting},
    frame::Frame,
    pack::{
        Cover,
        advanced::{
            AdvancedTables, Altitude, Angle, Damage, GpModifier, Location, Outcome, RangeFactor, Slope,
            Speed, TargetType, lookup,
        },
    },
    piece::{Ammo, Arm, Defense, Piece},
    play::Cx,
    state::{Command, Flags, State},
    units::{UnitId, UnitSet},
};
use hexgrid::{Direction, HexId};
use rulebook::flow;

use super::{
    artillery,
    commander::{Commander, Script},
    picture::Picture,
    plan::Plan,
};
use crate::Thought;

/// The share of its value that a unit loses by a state.
const SUPPRESSED: f32 = 0.12;
const TRACK: f32 = 0.35;
const DAMAGED: f32 = 0.45;
const HALF: f32 = 0.5;

/// The GP factors evaluated last, and their effect.
type Shares = Option<((RangeFactor, u8), [f32; 8])>;

/// Expected share of a target's value that GP fire destroys at a range: for each cover, without and with Full Cover.
pub fn gp_shares(
    rules: &Panzer,
    shooter: &Piece,
    gun: usize,
    target: &Piece,
    range: u32,
    known: &mut Shares,
) -> [f32; 8] {
    const COVERS: [Cover; 4] = [Cover::None, Cover::Light, Cover::Medium, Cover::Heavy];
    let (Some(game), Some(arm)) = (rules.advanced.as_deref(), shooter.arms.get(gun)) else { return [0.0; 8] };
    let tables = game.tables();
    let row = match (arm.attached, arm.weapon.gp) {
        (Some(may), _) if !may.gp_direct => None,
        (_, row) => row,
    };
    let Some(row) = row.filter(|row| range >= u32::from(row.min_range)) else { return [0.0; 8] };
    let Some((factor, gpf)) = row.at(range.max(1)) else { return [0.0; 8] };
    if let Some((of, shares)) = known
        && *of == (factor, gpf)
    {
        return *shares;
    }
    let grade = i16::from(tables.gp_grade(shooter.grade, factor));
    let shares = std::array::from_fn(|n| {
        let (cover, full) = (COVERS[n / 2], n % 2 == 1);
        let gpd = match target.gpd {
            Defense::Vehicle(gpd) => (gpd.value, gpd.target),
            Defense::Foot(card) => (tables.foot_defense(&card, cover, full, false), TargetType::S),
        };
        let net = grade + type_and_cover(tables, target, cover, lookup::Fire::Direct);
        gp_share(tables, (factor, gpf), arm.weapon.effectiveness, target, gpd, net)
    });
    *known = Some(((factor, gpf), shares));
    shares
}

/// Modifiers of GP fire for the type of a vehicle and for its cover (6.5.4.3).
pub fn type_and_cover(tables: &AdvancedTables, target: &Piece, cover: Cover, fire: lookup::Fire) -> i16 {
    let of = |modifier: GpModifier| i16::from(tables.gp_modifier(modifier, fire).unwrap_or(0));
    if !target.vehicle() {
        return 0;
    }
    let kind = match target.target_type() {
        TargetType::A => of(GpModifier::TargetTypeA),
        TargetType::P => of(GpModifier::TargetTypeP),
        TargetType::S => 0,
    };
    kind + match cover {
        Cover::Medium => of(GpModifier::VehicleMediumCover),
        Cover::Heavy => of(GpModifier::VehicleHeavyCover),
        Cover::None | Cover::Light => 0,
    }
}

/// Expected share of a target's worth that one GP attack destroys (6.5.4.4).
pub fn gp_share(
    tables: &AdvancedTables,
    (factor, gpf): (RangeFactor, u8),
    effectiveness: Option<u8>,
    target: &Piece,
    (gpd, kind): (u8, TargetType),
    net: i16,
) -> f32 {
    let cell = tables.gp_cell(gpf, gpd);
    let mut share = 0.0;
    // Every fifth face is accurate enough.
    for roll in (3..=100i16).step_by(5) {
        let outcome = lookup::outcome(cell, roll + net);
        share += if target.vehicle() {
            let result = match effectiveness {
                Some(most) => tables.heavy_result(outcome, kind, gpd, most, roll + net, true),
                None => tables.small_arms_result(outcome, kind, factor, roll + net, gpf),
            };
            match result {
                lookup::VehicleResult::None => 0.0,
                lookup::VehicleResult::Suppressed => SUPPRESSED,
                lookup::VehicleResult::Damage => DAMAGED,
                lookup::VehicleResult::Track => TRACK,
                lookup::VehicleResult::Destroyed { .. } => 1.0,
            }
        } else {
            match outcome {
                Outcome::NoEffect => 0.0,
                Outcome::Suppressed => SUPPRESSED,
                Outcome::Effective if target.half.is_some() => HALF,
                Outcome::Effective => 1.0,
            }
        };
    }
    share / 20.0
}

/// Expected share of a vehicle's worth that one AP hit destroys, from the front and from the rear.
pub fn hit_share(rules: &Panzer, arm: &Arm, penetration: u8, target: UnitId) -> [f32; 2] {
    let (Some(game), Some(piece)) = (rules.advanced.as_deref(), rules.piece(target)) else { return [0.0; 2] };
    if !piece.vehicle() {
        return [0.0; 2];
    }
    [Angle::Front, Angle::Rear].map(|angle| {
        let mut share = 0.0;
        for index in 1..=10 {
            match game.tables().location(angle, index, false, lookup::HullDown::None) {
                None => {}
                Some(Location::Track) => share += TRACK,
                Some(place) if penetration < rules.armor_at(target, angle, place, Slope::Level) => {}
                Some(_) => {
                    let each = (1..=10).map(|die| {
                        match game.tables().ap_damage(&arm.weapon, die, piece.target_type()) {
                            Damage::None => 0.05,
                            Damage::Damaged => DAMAGED,
                            Damage::KnockedOut | Damage::BrewedUp => 1.0,
                        }
                    });
                    share += each.sum::<f32>() / 10.0;
                }
            }
        }
        share / 10.0
    })
}

/// The value of a fire as a share of the target's value: what it changes.
pub fn worth(rules: &Panzer, s: &State, shot: &Shooting) -> (f32, f32) {
    let before = Fate::now(s, shot.target);
    let mut after = before;
    rules.foretell(s, shot, &mut after);
    let vehicle = rules.is_vehicle(shot.target);
    let value = |fate: &Fate| {
        let bit = |bit: usize, worth: f32| fate.with(bit) as f32 * worth;
        let middle = bit(Fate::TRACK, if vehicle { TRACK } else { HALF });
        fate.out() as f32 + bit(Fate::SUPPRESSED, SUPPRESSED) + middle + bit(Fate::DAMAGED, DAMAGED)
    };
    ((value(&after) - value(&before)).max(0.0), after.out() as f32)
}

/// The frames that only the Advanced Game has.
pub fn script(commander: &Commander, cx: &Cx, plan: &Plan, out: &mut Script) {
    match cx.frame {
        Frame::Indirect(_) => artillery::calls(commander, cx, plan, out),
        Frame::Assault(_) => assault(commander, cx, plan, out),
        // The vehicle that is being attacked comes first.
        Frame::Support => out.push(Thought::plain(Action::Support(cx.s.assault.target))),
        Frame::NamePrimary => {
            let lead = cx.s.assault.fighting.iter().copied();
            let squad = lead.clone().find(|unit| cx.rules.squad(cx.s, *unit));
            out.extend(
                squad.or_else(|| lead.clone().next()).map(|unit| Thought::plain(Action::Primary(unit))),
            );
        }
        // A moving unit is harder to hit.
        Frame::LandShow | Frame::AssaultShow | Frame::AirShow => {
            out.extend([Action::Show, Action::Decline].map(Thought::plain));
        }
        Frame::Plot(_) => artillery::plot(commander, cx, out),
        Frame::Air => sortie(commander, cx, out),
        Frame::Flight => pass(cx, out),
        Frame::Pivot(_) => pivot(cx, out),
        Frame::FullCover(_) => cover(commander, cx, plan, out),
        _ => {
            // The first option that is not a "no".
            let mut options = Vec::new();
            flow::options(cx, Subject::Phase, &mut options);
            let last = options.pop();
            out.extend(last.into_iter().chain(options).map(Thought::plain));
        }
    }
}

/// The route onto the map that passes over most enemies, in points; no aircraft flies if there is nothing to attack.
fn sortie(commander: &Commander, cx: &Cx, out: &mut Script) {
    let mut options = Vec::new();
    flow::options(cx, Subject::Phase, &mut options);
    let mut best: Option<(f32, Action)> = None;
    for option in options {
        let Action::Fly(order) = &option else { continue };
        let (mut worth, mut at, mut flown) = (0.0, order.hex, 0);
        while let Some(next) = cx.rules.field.neighbour(at, order.facing) {
            at = next;
            flown += 1;
            for unit in cx.s.in_hex(at).filter(|unit| !cx.s.unit(*unit).is(Flags::BAILED)) {
                let price = commander.rules.worth(cx.side, unit) as f32;
                let enemy = cx.rules.vehicle(unit).side != cx.side;
                // Targets at the edge cannot be attacked in time.
                worth += if !enemy {
                    -price
                } else if flown > 1 {
                    price
                } else {
                    0.0
                };
            }
        }
        // Low and slow for guns and rockets; bombs fall from Medium, a dive begins High.
        let craft = &cx.s.air.craft[usize::from(order.craft)];
        let card = cx.rules.craft_card(craft);
        let bombs = cx.rules.armed_with(craft, ::panzer::air::Arms::Bombs);
        let altitude = match card {
            Some(card) if bombs && card.dive_bomber => Altitude::High,
            _ if bombs => Altitude::Medium,
            _ => Altitude::Low,
        };
        if order.altitude != altitude || order.speed == Speed::Fast {
            continue;
        }
        if worth > 0.0 && best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, option));
        }
    }
    out.extend(best.map(|(_, action)| Thought::plain(action)));
    out.push(Thought::plain(Action::Done));
}

/// Attacks what has been acquired; acquires what is straight ahead; otherwise flies on.
fn pass(cx: &Cx, out: &mut Script) {
    let mut options = Vec::new();
    flow::options(cx, Subject::Phase, &mut options);
    let flight = &cx.s.air.flight;
    let mut ahead = Vec::new();
    let mut at = flight.hex;
    while let Some(next) = cx.rules.field.neighbour(at, flight.facing) {
        ahead.push(next);
        at = next;
    }
    let attack = options.iter().find(|action| matches!(action, Action::AirAttack { .. }));
    let near = |action: &&Action| match action {
        Action::Acquire(unit) => ahead.contains(&cx.s.unit(*unit).hex),
        _ => false,
    };
    let acquire = || options.iter().find(near).filter(|_| flight.target.some().is_none());
    out.extend(attack.or_else(acquire).cloned().map(Thought::plain));
    out.push(Thought::plain(Action::FlyOn));
}

/// Close Assaults and Hand-to-Hand that promise more than they risk.
fn assault(commander: &Commander, cx: &Cx, plan: &Plan, out: &mut Script) {
    let (mut subjects, mut options) = (Vec::new(), Vec::new());
    flow::subjects(cx, &mut subjects);
    let mut best: Option<(f32, Action)> = None;
    for subject in subjects.into_iter().filter(|subject| *subject != Subject::Phase) {
        options.clear();
        flow::options(cx, subject, &mut options);
        for action in &options {
            let Action::Assault { target, attackers } = action else { continue };
            let units: Vec<UnitId> = attackers.iter().map(|a| a.unit).collect();
            let mut advanced = UnitSet::EMPTY;
            attackers.iter().filter(|a| a.advance.some().is_some()).for_each(|a| advanced.insert(a.unit));
            let worth = commander.lore.kind(*target).points;
            let risk: f32 = units.iter().map(|unit| commander.lore.kind(*unit).points).sum();
            let value = if cx.rules.is_vehicle(*target) {
                let Some(aim) = cx.rules.close_aim(cx.s, &units, advanced, *target, false) else { continue };
                let effective = (1..=100i16).filter(|roll| roll + aim.net > aim.s).count() as f32 / 100.0;
                effective * worth - 0.15 * plan.caution * risk
            } else {
                let win = cx.rules.hand_aim(cx.s, &units, advanced, *target).chance() as f32;
                win * worth - (1.0 - win) * 0.7 * plan.caution * risk
            };
            if value > 0.0 && best.as_ref().is_none_or(|(most, _)| value > *most) {
                best = Some((value, action.clone()));
            }
        }
    }
    out.extend(best.map(|(_, action)| Thought::plain(action)));
    out.push(Thought::plain(Action::Done));
}

/// The enemy that is nearest to a hex, and how far.
fn nearest(cx: &Cx, hex: HexId) -> Option<(UnitId, u32)> {
    let enemies = cx.rules.units_of(cx.side.enemy()).iter().copied();
    let here = enemies.filter(|unit| cx.s.unit(*unit).on_map() && !cx.s.unit(*unit).is(Flags::BAILED));
    here.map(|unit| (unit, cx.rules.field.range(hex, cx.s.unit(unit).hex))).min_by_key(|(_, range)| *range)
}

/// Guns and suppressed units face the nearest enemy (6.8.1).
fn pivot(cx: &Cx, out: &mut Script) {
    for unit in cx.rules.units_of(cx.side) {
        let u = cx.s.unit(*unit);
        let gun = cx.rules.piece(*unit).is_some_and(|piece| !piece.leg());
        if !cx.rules.on_foot(cx.s, *unit) || !gun && !u.suppressed() {
            continue;
        }
        let Some((enemy, _)) = nearest(cx, u.hex) else { continue };
        let (from, to) = (u.hex, cx.s.unit(enemy).hex);
        // The adjacent hex that is nearest to the enemy.
        let ahead = Direction::ALL.into_iter().filter_map(|d| Some((d, cx.rules.field.neighbour(from, d)?)));
        let best = ahead.min_by_key(|(d, hex)| (cx.rules.field.range(*hex, to), u.facing.angle_to(*d)));
        if let Some((facing, _)) = best.filter(|(facing, _)| *facing != u.facing) {
            out.push(Thought::plain(Action::Pivot { unit: *unit, facing }));
        }
    }
    out.push(Thought::plain(Action::Done));
}

/// How near the enemy must be for infantry to take Full Cover.
const NEAR: u32 = 12;

/// Units that hold or support are in Full Cover; units that advance leave it (6.8.2).
fn cover(commander: &Commander, cx: &Cx, plan: &Plan, out: &mut Script) {
    let picture = Picture::new(commander, cx.s, cx.side, plan);
    for unit in cx.rules.units_of(cx.side) {
        let u = cx.s.unit(*unit);
        if !cx.rules.may_take_cover(cx.s, *unit) {
            continue;
        }
        let near = nearest(cx, u.hex).map_or(u32::MAX, |(_, range)| range);
        let gun = cx.rules.piece(*unit).is_some_and(|piece| !piece.leg());
        let holds = commander.lore.aims.iter().any(|aim| aim.hexes.contains(u.hex));
        // Is there an aim worth moving to?
        let drawn = picture.pull(*unit, u.hex).0 > commander.weights.stir && !holds && !gun;
        let down = near <= NEAR && (gun || holds || !drawn || u.suppressed());
        let down = down && !(drawn && near > 4 && picture.want > 1.0);
        if down != u.is(Flags::FULL_COVER) {
            out.push(Thought::plain(Action::Cover { unit: *unit, on: down }));
        }
    }
    out.push(Thought::plain(Action::Done));
}

/// Passengers dismount where the enemy is near or the goal is reached; units on foot mount where the way is long.
pub fn transport(commander: &Commander, cx: &Cx) -> Option<Action> {
    let rules = cx.rules;
    for unit in rules.units_of(cx.side) {
        let u = cx.s.unit(*unit);
        // A gun stays on its portee, from which it fires as well.
        if u.on_map() && u.passenger() && rules.may_dismount(cx.s, *unit) {
            let near = nearest(cx, u.hex).map_or(u32::MAX, |(_, range)| range);
            let there = commander.lore.aims.iter().any(|aim| {
                let time = aim.time[usize::from(commander.lore.kind[unit.index()])][u.hex.index()];
                aim.objective.is_some() && time <= 1.0
            });
            if near <= 8 || there {
                let mut options = Vec::new();
                flow::options(cx, Subject::Unit(*unit), &mut options);
                let value = |action: &Action| match action {
                    Action::Dismount { hex, facing, .. } => {
                        let kind = commander.lore.kind[unit.index()];
                        let cover = commander.shelter(kind, *hex).combat as u8;
                        let ahead = nearest(cx, *hex).and_then(|(enemy, _)| {
                            let next = rules.field.neighbour(*hex, *facing)?;
                            Some(rules.field.range(next, cx.s.unit(enemy).hex) as f32)
                        });
                        f32::from(cover) - 0.01 * ahead.unwrap_or(0.0)
                    }
                    _ => f32::MIN,
                };
                let best = options.into_iter().max_by(|a, b| value(a).total_cmp(&value(b)));
                if best.is_some() {
                    return best;
                }
            }
        }
        if u.on_map() && !u.passenger() && rules.may_move(cx.s, *unit) && !rules.is_vehicle(*unit) {
            let near = nearest(cx, u.hex).map_or(u32::MAX, |(_, range)| range);
            let far = commander
                .lore
                .aims
                .iter()
                .filter(|aim| aim.objective.is_some())
                .all(|aim| aim.time[usize::from(commander.lore.kind[unit.index()])][u.hex.index()] > 4.0);
            let goes = rules.rides(cx.s, *unit).into_iter().find(|vehicle| {
                let v = cx.s.unit(*vehicle);
                !v.is(Flags::MOVED) && v.command == Command::Move
            });
            if let Some(vehicle) = goes.filter(|_| far && near > NEAR) {
                let plan = std::iter::once(Part::Mount(vehicle)).collect();
                let order = ::panzer::action::Move { unit: *unit, along: false, entry: HexId::NONE, plan };
                return Some(Action::Move(order));
            }
        }
    }
    None
}

/// 6.2.1.1: where Commands are scarce, units that want the same one share it with a neighbour.
pub fn share(cx: &Cx, wanted: &[(UnitId, Command)], out: &mut Script) {
    let mut sim = cx.s.clone();
    for unit in cx.rules.units_of(cx.side) {
        let u = sim.unit_mut(*unit);
        (u.command, u.group) = (Command::NoCommand, 0);
    }
    let mut groups: Vec<(UnitSet, Command)> = Vec::new();
    let mut next = 1;
    for (unit, command) in wanted.iter().copied().filter(|(_, command)| *command != Command::NoCommand) {
        if cx.rules.may_command(&sim, unit, command).is_err() {
            continue;
        }
        if cx.rules.command_left(&sim, unit).is_ok() {
            sim.unit_mut(unit).command = command;
            groups.push((UnitSet::one(unit), command));
            continue;
        }
        let joins = groups.iter_mut().find(|(units, of)| {
            let mut with = *units;
            with.insert(unit);
            *of == command && cx.rules.may_share(&sim, with, command).is_ok()
        });
        if let Some((units, _)) = joins {
            units.insert(unit);
            for member in units.iter() {
                let u = sim.unit_mut(member);
                (u.command, u.group) = (command, next);
            }
            next = if next == u8::MAX { 1 } else { next + 1 };
        }
    }
    for (units, command) in groups {
        let action = match (units.len(), units.iter().next()) {
            (1, Some(unit)) => Action::Command { unit, command },
            _ => Action::Share { units, command },
        };
        out.push(Thought::plain(action));
    }
}

/// The shot of a declaration with the ammunition that was chosen for it.
pub fn shot(unit: UnitId, gun: u8, ammo: Ammo) -> Shot {
    Shot { ammo, ..Shot::ap(unit, gun) }
}
