//! Everything that is neither moving, landing nor declaring attacks: one small policy for each kind of decision.

use ::holland::{
    Action, State,
    event::side_of,
    frame::{CombatStep, Frame, Phase},
    pack::{Face, Side},
    state::Place,
};
use hexgrid::HexId;
use kernel::Seat;
use rand_core::RngCore;
use zocbond::{Piece, UnitId};

use super::{
    combat, landing, manoeuvre, odds,
    plan::{Pick, Plan},
    posts::Picture,
    pursuit,
    staff::{Script, Staff},
    value::{half_point, worth},
    why,
};
use crate::{
    Mind, Thought,
    bond::choose::{best_of, options},
    search::expected,
};

/// The most options that are evaluated, and when time is short.
const LOOKS: usize = 24;
const GLANCES: usize = 6;
/// The value in factors of taking back the point that the German player has for a lost unit (26.1).
const POINT_BACK: f32 = 3.0;
/// Factors that a Remnant gains when it becomes a unit again.
const REMNANT: f32 = 5.0;
/// The least gain for which a bridge is blown.
const BLOW_GAIN: f32 = 0.1;

pub fn decide(staff: &Staff, s: &State, who: Seat, plan: &Plan, rng: &mut dyn RngCore, out: &mut Script) {
    let side = side_of(who);
    match s.frame() {
        Frame::Phase(_, phase) => match phase {
            Phase::Replacement => replacements(staff, s, who, out),
            Phase::Artillery => ready(staff, s, who, out),
            Phase::Bridge => bridges(staff, s, who, rng, out),
            Phase::Airlanding => landing::land(staff, s, out),
            Phase::Movement => manoeuvre::phase(staff, s, side, plan, out),
            Phase::Combat => combat::attack(staff, s, side, plan, out),
            // Traffic, and frames where the only decision is to go on.
            _ => traffic(staff, s, who, out),
        },
        Frame::Demolition { bridge, .. } => demolition(staff, s, who, *bridge, plan, rng, out),
        Frame::Combat(c) => match c.step {
            CombatStep::Support => combat::give_support(staff, s, plan, out),
            CombatStep::Stand => combat::stand(staff, s, plan, out),
            CombatStep::AttackerLoss | CombatStep::DefenderLoss | CombatStep::StandLoss { .. } => {
                losses(staff, s, who, out);
            }
            CombatStep::Advance(_) => pursuit::advance(staff, s, side, plan, out),
            CombatStep::Breakthrough => combat::attack(staff, s, side, plan, out),
            _ => {}
        },
        _ => {}
    }
    if out.is_empty() {
        best_of(staff, s, who, if plan.quick { GLANCES } else { LOOKS }, rng, out);
    }
}

/// 20.3: the unit that gains most, on the map or from the Dead Pile; units return near the enemy.
fn replacements(staff: &Staff, s: &State, who: Seat, out: &mut Script) {
    let rules = &*staff.rules;
    let side = side_of(who);
    let factors = |face: Face| f32::from(face.attack) + f32::from(face.defense);
    let gain = |action: &Action| match action {
        // A Remnant becomes its parent again.
        Action::Replace(unit) if rules.counter(*unit).pool.is_some() => REMNANT,
        Action::Replace(unit) if s.unit(*unit).hex().is_some() => {
            factors(rules.counter(*unit).faces[0]) - factors(rules.face(s, *unit))
        }
        Action::Return { unit, to } => {
            let c = rules.counter(*unit);
            let lowest = c.faces[usize::from(c.sides.max(1)) - 1];
            let far = match to {
                Place::Hex(hex) => rules.distance_to(s, side.enemy(), *hex).min(20) as f32,
                _ => 20.0,
            };
            factors(lowest) - 0.1 * far + if side == Side::Allied { POINT_BACK } else { 0.0 }
        }
        _ => 0.0,
    };
    let mut best: Option<(f32, Action)> = None;
    for action in options(rules, s, who) {
        let gain = gain(&action);
        if gain > 0.0 && best.as_ref().is_none_or(|(most, _)| gain > *most) {
            best = Some((gain, action));
        }
    }
    // Remaining steps are decided afterwards.
    out.push(Thought::plain(best.map_or(Action::Done, |(_, action)| action)));
}

/// 17.3: the artillery nearest to the enemy first.
fn ready(staff: &Staff, s: &State, who: Seat, out: &mut Script) {
    let rules = &*staff.rules;
    let enemy = side_of(who).enemy();
    let near =
        |unit: UnitId| s.unit(unit).hex().map_or(u32::MAX, |hex| rules.distance_to(s, enemy, hex).max(1));
    let mut guns: Vec<(u32, UnitId)> = options(rules, s, who)
        .into_iter()
        .filter_map(|action| if let Action::Ready(unit) = action { Some((near(unit), unit)) } else { None })
        .collect();
    guns.sort_by_key(|(distance, unit)| (*distance, unit.0));
    out.extend(guns.into_iter().map(|(_, unit)| Thought::plain(Action::Ready(unit))));
    out.push(Thought::plain(Action::Done));
}

/// 5: blow bridges that the enemy would use, wire those that may have to be blown, repair those we need.
fn bridges(staff: &Staff, s: &State, who: Seat, rng: &mut dyn RngCore, out: &mut Script) {
    let rules = &*staff.rules;
    let now = staff.value(s, who);
    let mut best: Option<(f32, Action)> = None;
    for action in options(rules, s, who) {
        let gain = match action {
            Action::Wire(_) => 2.0,
            Action::Repair(_) => 1.0,
            Action::Blow(_) | Action::Ferry { .. } | Action::Pack(_) => {
                expected(staff, s, who, &action, rng).map_or(0.0, |value| value - now - BLOW_GAIN)
            }
            _ => 0.0,
        };
        if gain > 0.0 && best.as_ref().is_none_or(|(most, _)| gain > *most) {
            best = Some((gain, action));
        }
    }
    if let Some((_, action)) = best {
        let why = match action {
            Action::Blow(bridge) => Some(why::bridge(rules, "why.blow", bridge)),
            Action::Repair(bridge) => Some(why::bridge(rules, "why.repair", bridge)),
            _ => None,
        };
        out.push(Thought { action, why });
    } else {
        out.push(Thought::plain(Action::Done));
    }
}

/// 5.4: the enemy is at the bridge.
fn demolition(
    staff: &Staff,
    s: &State,
    who: Seat,
    bridge: u16,
    plan: &Plan,
    rng: &mut dyn RngCore,
    out: &mut Script,
) {
    let blow = Action::Blow(bridge);
    let mut better = || {
        let gone = expected(staff, s, who, &blow, rng);
        let left = expected(staff, s, who, &Action::Hold, rng);
        gone.zip(left).is_none_or(|(gone, left)| gone >= left)
    };
    let blows = match plan.pick {
        Pick::Usual => better(),
        Pick::Nth(_) => true,
        Pick::None => false,
    };
    if blows {
        let why = Some(why::bridge(&staff.rules, "why.blow", bridge));
        out.push(Thought { action: blow, why });
    }
    out.push(Thought::plain(Action::Hold));
}

/// 11.3: one's own least valuable step, the enemy's most valuable.
fn losses(staff: &Staff, s: &State, who: Seat, out: &mut Script) {
    let rules = &*staff.rules;
    let me = side_of(who);
    let point = half_point(staff, s);
    let cost = |action: &Action| match action {
        Action::Lose(unit) => {
            let cost = odds::step_cost(staff, s, *unit, point) + 0.01 * worth(rules, s, *unit);
            if rules.counter(*unit).side == me { cost } else { -cost }
        }
        _ => f32::MAX,
    };
    let best = options(rules, s, who).into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b)));
    out.extend(best.map(Thought::plain));
}

/// 24.3: markers go where most of the ground army must pass.
fn traffic(staff: &Staff, s: &State, who: Seat, out: &mut Script) {
    let rules = &*staff.rules;
    let picture = Picture::new(staff, s);
    let ahead = |hex: HexId| {
        // Behind the last column a marker delays nobody.
        let time = f32::from(picture.judged.ground.at(hex)) / f32::from(crate::bond::arrival::TURN);
        picture.flow[hex.index()] * if time > 0.0 && time < 1.5 { 1.0 } else { 0.2 }
    };
    let mut numbers: Vec<u8> = Vec::new();
    let mut hexes: Vec<HexId> = Vec::new();
    for action in options(rules, s, who) {
        if let Action::Traffic { marker, hex } = action {
            if !numbers.contains(&marker) {
                numbers.push(marker);
            }
            if !hexes.contains(&hex) {
                hexes.push(hex);
            }
        }
    }
    hexes.sort_by(|a, b| ahead(*b).total_cmp(&ahead(*a)).then(a.0.cmp(&b.0)));
    let mut taken: Vec<HexId> = Vec::new();
    for marker in numbers {
        let apart = |hex: &HexId| taken.iter().all(|other| rules.map.board.distance(*hex, *other) > 1);
        let Some(hex) = hexes.iter().copied().find(apart) else { break };
        let why = taken.is_empty().then(|| why::place(rules, "why.traffic", hex));
        taken.push(hex);
        out.push(Thought { action: Action::Traffic { marker, hex }, why });
    }
    out.push(Thought::plain(Action::Done));
}

/// Does the question have a few answers that trials can compare?
pub fn has_answers(frame: &Frame) -> bool {
    match frame {
        Frame::Phase(_, Phase::Combat) | Frame::Demolition { .. } => true,
        Frame::Combat(c) => {
            matches!(c.step, CombatStep::Stand | CombatStep::Advance(_) | CombatStep::Breakthrough)
        }
        _ => false,
    }
}

/// Is the phase itself the only frame?
pub fn at_rest(s: &State) -> bool {
    matches!(s.frame(), Frame::Phase(Side::Allied | Side::German, _))
}
