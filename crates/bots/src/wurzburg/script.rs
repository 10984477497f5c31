//! Rules of thumb for each question: plan and attack where the exchange pays, move to the firing positions that it was
//! reckoned with, stand where the enemy wants to pass, fire where it hurts most.

use ::wurzburg::{
    action::{Action, Commit, Force, Part, Payload, Who, Work},
    fire::FireKind,
    frame::Frame,
    state::{Flags, OpKind, Payer, State, Variant},
    units::{Side, UnitId},
};
use hexgrid::{HexId, SideId};

use super::{
    Staff,
    worth::{WORTH, strength},
};

/// A Strike is made only if it promises this much, in steps, for each artillery unit and for each Air Point.
const SHELLS: f32 = 0.35;
const SORTIE: f32 = 0.5;
/// What an average aircraft does: its Attack Strength.
const BOMBS: f32 = 10.0;
/// A March is made if a unit finds a place that is better by this much.
const BETTER: f32 = 0.8;
/// What a step that is expected to fall to Infiltration Fire is worth, in hexes nearer to the objective.
const PERIL: f32 = 2.0;
/// A force that would lose more steps than this to Infiltration Fire stops.
const STOP: f32 = 0.8;
/// Bridges are blown only if an enemy is this near, in hexes.
const NEAR_BRIDGE: u32 = 6;

impl Staff {
    /// The next move of an attack: to the firing position that the unit was given; units that cannot reach one follow.
    fn close_in(&self, s: &State, side: Side, options: &[Action]) -> Option<Action> {
        let rules = &*self.rules;
        let objective = s.op.objective.some()?;
        let parts: Vec<Part> = s.op.members.iter().map(Part::all).collect();
        let attack = self.attack(s, side, None, &parts, objective)?;
        let mut best: Option<(f32, &Action)> = None;
        for action in options {
            let Action::Move { parts, path } = action else { continue };
            let [Part { unit, steps: None }] = parts[..] else { continue };
            let Some(to) = path.last().copied() else { continue };
            let post = attack.posts.iter().find(|post| post.0 == unit).map(|post| post.1);
            let peril = self.peril_to(s, side, unit, to);
            let from = s.unit(unit).hex;
            let worth = match post {
                // A force that was stopped by an enemy does not go on into its fire.
                Some(_) if s.op.moved.contains(unit) && peril > STOP => continue,
                Some(post) if to == post && post != from => 10.0 - PERIL * peril,
                Some(_) => continue,
                // It keeps out of the fire, and comes nearer for the next time.
                None if from == HexId::NONE || !rules.field.adjacent(from, objective) => {
                    let far = |hex: HexId| {
                        if hex == HexId::NONE { 30.0 } else { rules.field.distance(hex, objective) as f32 }
                    };
                    let prize = 3.0 * self.worth_to(s, side, to);
                    prize + far(from) - far(to) - PERIL * (peril + self.danger(s, side, unit, to))
                }
                None => continue,
            };
            if worth > 0.25 && best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, action));
            }
        }
        best.map(|(_, action)| action.clone())
    }

    /// The decision for a question with a rule of thumb; none: evaluate each option.
    pub(super) fn thumb(&self, s: &State, side: Side, options: &[Action]) -> Option<Action> {
        let find = |wanted: fn(&Action) -> bool| options.iter().find(|action| wanted(action)).cloned();
        let best = |value: &dyn Fn(&Action) -> Option<f32>| {
            let scored = options.iter().filter_map(|action| value(action).map(|worth| (worth, action)));
            scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(worth, action)| (worth, action.clone()))
        };
        let done = || find(|action| matches!(action, Action::Done | Action::Hold | Action::Pass));
        match s.top() {
            Frame::Planning => best(&|action| match action {
                Action::Plan { formation, kind, payer } => {
                    let now = s.formation(*formation).plan.kind;
                    if now != OpKind::March || *kind == now || *payer == Payer::MainEffort {
                        return None;
                    }
                    // Off-map points serve everybody, so that an HQ's are spent first.
                    let dear = if *payer == Payer::OffMap { 0.01 } else { 0.0 };
                    let (wanted, gain) = self.desired(s, *formation);
                    (wanted == *kind).then_some(gain - dear)
                }
                _ => None,
            })
            .map(|(_, action)| action)
            .or_else(done),
            Frame::Maneuver => best(&|action| match action {
                Action::Activate(formation) => {
                    let units = self.rules.units_of(side).iter().filter(|unit| s.unit(**unit).on_map());
                    let mine =
                        units.filter(|u| self.rules.below(s, self.rules.counter(**u).formation, *formation));
                    Some(mine.map(|u| 1.0 / (1.0 + self.enemy_near(s, side, s.unit(*u).hex) as f32)).sum())
                }
                _ => None,
            })
            .map(|(_, action)| action)
            .or_else(done),
            Frame::Leads | Frame::ShiftLead(_) => best(&|action| match action {
                Action::Lead(unit) => {
                    // 12.3.2.1: who starts farther away may not go next to the enemy.
                    let hex = s.unit(*unit).hex;
                    let units = self.rules.units_of_formation(s, self.rules.counter(*unit).formation);
                    let near = units
                        .filter(|other| s.unit(*other).on_map())
                        .filter(|other| self.rules.field.distance(s.unit(*other).hex, hex) <= 3);
                    let steps: f32 = near.map(|other| f32::from(s.unit(other).steps)).sum();
                    Some(steps - 0.2 * self.enemy_near(s, side, hex) as f32)
                }
                _ => None,
            })
            .map(|(_, action)| action),
            Frame::Operations | Frame::Reserve(_) => self.operation(s, side, options).or_else(done),
            Frame::Movement if s.op.objective != HexId::NONE && s.op.kind.offensive() => {
                let storm = find(|action| matches!(action, Action::Storm { .. }));
                storm.or_else(|| self.close_in(s, side, options)).or_else(done)
            }
            Frame::Movement => best(&|action| match action {
                Action::Move { parts, path } => {
                    // Whole units only: rules of thumb do not split units.
                    let unit = parts.iter().all(|p| p.steps.is_none()).then(|| parts.first())??.unit;
                    let to = *path.last()?;
                    let from = s.unit(unit).hex;
                    let gain = self.place(s, side, unit, to)
                        - if from == HexId::NONE { -60.0 } else { self.place(s, side, unit, from) };
                    if gain <= 0.25 {
                        return None;
                    }
                    let gain = gain - PERIL * self.peril_to(s, side, unit, to);
                    (gain > 0.25).then_some(gain)
                }
                Action::Exit(units) => Some(5.0 * units.len() as f32),
                Action::Storm { .. } => Some(8.0),
                Action::Lift { parts, lz, .. } => {
                    let unit = parts.first()?.unit;
                    let from = s.unit(unit).hex;
                    let gain = self.place(s, side, unit, *lz)
                        - if from == HexId::NONE { -60.0 } else { self.place(s, side, unit, from) };
                    (gain > 1.0).then_some(gain)
                }
                _ => None,
            })
            .map(|(_, action)| action)
            .or_else(done),
            Frame::Infiltration | Frame::DefensiveFire | Frame::OffensiveFire | Frame::RetreatFire => {
                let kind = match s.top() {
                    Frame::Infiltration => FireKind::Infiltration,
                    Frame::DefensiveFire => FireKind::Defensive,
                    Frame::OffensiveFire => FireKind::Offensive,
                    _ => FireKind::Retreat,
                };
                best(&|action| match action {
                    Action::Fire { target, with } => Some(self.harm(s, kind, *target, with)),
                    _ => None,
                })
                .map(|(_, action)| action)
                .or_else(done)
            }
            Frame::Call(_) => best(&|action| match action {
                Action::Call { with, .. } => {
                    Some(with.iter().map(|part| 1.0 + strength(&self.rules, s, part.unit)).sum())
                }
                _ => None,
            })
            .map(|(_, action)| action)
            .or_else(done),
            Frame::Strike => best(&|action| match action {
                Action::Strike { what: Payload::Fire, with, air, hex, .. } => {
                    let rules = &*self.rules;
                    let total = if *air > 0 {
                        let close = rules.field.terrain(*hex).close();
                        BOMBS * f32::from(*air) * if close { 0.5 } else { 1.0 }
                    } else {
                        let steps = |part: &Part| (part.unit, part.steps.unwrap_or(s.unit(part.unit).steps));
                        let with: Vec<(UnitId, u8)> = with.iter().map(steps).collect();
                        rules.reckon(s, FireKind::Strike, *hex, &with).sum() as f32
                    };
                    let price = if *air > 0 { SORTIE * f32::from(*air) } else { SHELLS * with.len() as f32 };
                    let harm = self.strike(s, side, *hex, total);
                    (harm > price).then_some(harm - price)
                }
                Action::Strike { with, hex, .. } => {
                    // Mines and gas: on many steps.
                    let steps: u8 =
                        self.rules.stack(s, side.enemy(), *hex).iter().map(|u| s.unit(*u).steps).sum();
                    (steps > 2).then_some(0.2 * f32::from(steps) - SHELLS * with.len() as f32)
                }
                _ => None,
            })
            .map(|(_, action)| action)
            .or_else(done),
            Frame::Recon => best(&|action| match action {
                Action::Recon { hex, payer } => {
                    let attempt = self.rules.attempt(s, side, *hex, *payer).ok()?;
                    let chance = 11.0 - f32::from(attempt.number) + f32::from(attempt.modifier());
                    Some(chance + self.rules.stack(s, side.enemy(), *hex).len() as f32)
                }
                _ => None,
            })
            .map(|(_, action)| action)
            .or_else(done),
            Frame::Jamming => find(|action| matches!(action, Action::Jam(_))).or_else(done),
            Frame::CounterBattery => best(&|action| match action {
                Action::Counter { target, hq, gun, spotter } => {
                    let rules = &*self.rules;
                    let number = ::wurzburg::support::battery_number(rules, s, *hq, *spotter, *target)?;
                    let chance = f32::from(11_u8.saturating_sub(number)) / 10.0;
                    // 23.4.3: only the target is hit.
                    let defense = f32::from(rules.defense(s, *target, FireKind::CounterBattery).max(1));
                    let steps = f32::from(s.unit(*target).steps);
                    let harm = (strength(rules, s, *gun) / 2.0 / defense).min(steps);
                    (chance * harm > SHELLS).then_some(chance * harm)
                }
                _ => None,
            })
            .map(|(_, action)| action)
            .or_else(done),
            Frame::FlakFire | Frame::DropFlak(_) | Frame::AntiAircraft => {
                find(|action| matches!(action, Action::Flak(_) | Action::Sam)).or_else(done)
            }
            Frame::GoOn => {
                let here = s.walk.force.iter().next().map_or(HexId::NONE, |unit| s.unit(unit).hex);
                let peril = self.peril(s, side, s.walk.force, &[here]);
                let stop = (peril > STOP).then(|| find(|action| matches!(action, Action::Stop))).flatten();
                stop.or_else(|| find(|action| matches!(action, Action::GoOn)))
            }
            Frame::OnTheWay | Frame::FlakChoice | Frame::AirChoice => {
                find(|action| matches!(action, Action::GoOn))
            }
            Frame::Demolition => {
                let near = |bridge: SideId| {
                    let banks = self.rules.banks(bridge);
                    banks.into_iter().any(|hex| self.enemy_near(s, side, hex) <= NEAR_BRIDGE)
                };
                let blow = options.iter().find(|action| matches!(action, Action::Blow(at) if near(*at)));
                blow.cloned().or_else(done)
            }
            Frame::FlyHome(_) => find(|action| matches!(action, Action::Home)),
            Frame::Fly => best(&|action| match action {
                Action::Fly(path) => {
                    let hex = *path.last()?;
                    Some(self.enemy_near(s, side, hex) as f32)
                }
                _ => None,
            })
            .map(|(_, action)| action),
            Frame::Paradrop => find(|action| matches!(action, Action::Paradrop)).or_else(done),
            Frame::Advance => best(&|action| match action {
                Action::Advance(Part { unit, steps: None }) => self.advances(s, side, *unit),
                _ => None,
            })
            .map(|(_, action)| action)
            .or_else(done),
            Frame::Engineering(_) => best(&|action| match action {
                Action::Work { unit, work: Work::Improve, .. } => {
                    let hex = s.unit(*unit).hex;
                    let stack = self.rules.stack(s, side, hex);
                    let guarded = stack.iter().any(|other| self.rules.counter(*other).symbol.maneuver());
                    (guarded && self.enemy_near(s, side, hex) <= 8).then_some(1.0)
                }
                Action::Work { work: Work::BuildBridge, side: bridge, .. } if side == Side::Wp => {
                    let banks = self.rules.banks(*bridge);
                    let [a, b] = banks[..] else { return None };
                    let ways = self.ways(s);
                    let less = (ways.far(a) - ways.far(b)).abs();
                    (less > 4.0).then_some(less)
                }
                Action::Work { work: Work::Charges, side: bridge, .. } if side == Side::Nato => {
                    let banks = self.rules.banks(*bridge);
                    banks.into_iter().any(|hex| self.enemy_near(s, side, hex) <= NEAR_BRIDGE).then_some(2.0)
                }
                _ => None,
            })
            .map(|(_, action)| action)
            .or_else(done),
            _ => None,
        }
    }

    /// Regiments that are planned for an Assault attack a hex together (13.4.1).
    fn together(&self, s: &State, side: Side, options: &[Action]) -> Option<(f32, Action)> {
        let mut best: Option<(f32, Action)> = None;
        let alone = |action: &Action| match action {
            Action::Commit(commit)
                if commit.kind == OpKind::Assault && !commit.airmobile && commit.bridge.is_none() =>
            {
                Some((commit.objective.some()?, commit.forces.first()?.clone()))
            }
            _ => None,
        };
        let mut seen: Vec<HexId> = Vec::new();
        for (hex, first) in options.iter().filter_map(alone) {
            if seen.contains(&hex) {
                continue;
            }
            seen.push(hex);
            let mut forces: Vec<Force> = Vec::new();
            for (_, force) in options.iter().filter_map(alone).filter(|(at, _)| *at == hex) {
                let bare = force.with.is_empty() && matches!(force.who, Who::Formation(_));
                if bare && !forces.iter().any(|other| other.who == force.who) {
                    forces.push(force);
                }
            }
            if forces.len() < 2 || !matches!(first.who, Who::Formation(_)) {
                continue;
            }
            let commit = Commit {
                kind: OpKind::Assault,
                variant: Variant::Plain,
                forces: forces.into_iter().collect(),
                objective: hex,
                bridge: None,
                airmobile: false,
            };
            let Some(worth) = self.exchange(s, side, &commit) else { continue };
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, Action::Commit(commit)));
            }
        }
        best
    }

    /// The next operation: the best attack, otherwise a March to a better place.
    fn operation(&self, s: &State, side: Side, options: &[Action]) -> Option<Action> {
        let mut best: Option<(f32, Action)> = None;
        let mut offer = |worth: f32, action: &Action| {
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, action.clone()));
            }
        };
        for action in options {
            match action {
                Action::Commit(commit) if commit.objective.some().is_some() => {
                    // Overruns and Close Attacks are decided by other odds; these rules of thumb leave them alone.
                    let more = match commit.variant {
                        Variant::Plain => 0.0,
                        Variant::Gegenangriff => 0.1,
                        Variant::Overrun | Variant::Close => continue,
                    };
                    if let Some(worth) = self.exchange(s, side, commit).filter(|worth| *worth > WORTH) {
                        // Command Points are not spent without need.
                        offer(worth + more - 0.01 * commit.forces.len() as f32, action);
                    }
                }
                // A planned attack that finds nothing to attack still moves.
                Action::Commit(Commit { forces, kind, .. }) if side == Side::Wp => {
                    let [Force { who: Who::Formation(formation), .. }] = &forces[..] else { continue };
                    let units = self.rules.units_of_formation(s, *formation);
                    let gain = units
                        .filter(|unit| !s.unit(*unit).is(Flags::USED))
                        .map(|unit| self.better_place(s, side, unit, *kind))
                        .fold(0.0, f32::max);
                    let units = self.rules.units_of_formation(s, *formation);
                    let grab = units
                        .filter(|unit| !s.unit(*unit).is(Flags::USED))
                        .map(|unit| self.grab(s, side, unit, *kind))
                        .fold(0.0, f32::max);
                    if grab > 0.0 {
                        offer(grab, action);
                    } else if gain > BETTER {
                        offer(0.1, action);
                    }
                }
                Action::March { units, formation, base, .. } => {
                    let regiment = formation.some().filter(|_| !base && units.is_empty());
                    let gain = match regiment {
                        Some(id) => self
                            .rules
                            .units_of_formation(s, id)
                            .map(|unit| self.better_place(s, side, unit, OpKind::March))
                            .fold(0.0, f32::max),
                        None => {
                            let all = units.iter().map(|p| self.better_place(s, side, p.unit, OpKind::March));
                            let best = all.fold(0.0, f32::max);
                            // The base marches once: with everybody (12.5.1).
                            best + if side == Side::Wp { units.len() as f32 } else { 0.0 }
                        }
                    };
                    if gain > BETTER {
                        offer(0.05 + 0.0001 * gain.min(100.0), action);
                    }
                }
                _ => {}
            }
        }
        if let Some((worth, action)) = self.together(s, side, options).filter(|(worth, _)| *worth > WORTH) {
            offer(worth, &action);
        }
        best.map(|(_, action)| action)
    }
}
