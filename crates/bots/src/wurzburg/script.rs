//! Rules of thumb for each question: plan by distance, attack where the exchange pays, move toward the objective of the
//! operation, fire with everything.

use ::wurzburg::{
    Wurzburg,
    action::{Action, Commit, Force, Part, Who},
    fire::FireKind,
    frame::Frame,
    movement::Reach,
    state::{OpKind, Payer, State},
    units::{FormationId, Side, UnitId, UnitSet, set_of},
};
use hexgrid::{HexId, SideId};

use super::Staff;

/// An attack is made only if its expected gain exceeds its cost by this much.
const WORTH: f32 = 0.4;
/// What a scoring hex adds to an attack on it.
const GOAL: f32 = 3.0;
/// Weight of own losses relative to enemy losses.
const CARE: f32 = 0.8;
/// An attack on a scoring hex must destroy at least this much of what it loses.
const FAIR: f32 = 0.7;
/// What a step that is expected to fall to Infiltration Fire is worth, in hexes nearer to the objective.
const PERIL: f32 = 2.0;
/// A force that would lose more steps than this to Infiltration Fire stops.
const STOP: f32 = 0.8;
/// Other units of the side in the hex to which a unit marches.
const CROWD: f32 = 0.4;
/// Bridges are blown only if an enemy is this near, in hexes.
const NEAR_BRIDGE: u32 = 6;
/// How far HQs, artillery and engineers stay behind the foremost units, and away from the enemy.
const REAR: u32 = 4;

fn strength(rules: &Wurzburg, s: &State, unit: UnitId) -> f32 {
    f32::from(rules.counter(unit).attack) * f32::from(s.unit(unit).steps)
}

impl Staff {
    /// The distance of the nearest enemy ground unit.
    fn enemy_near(&self, s: &State, side: Side, hex: HexId) -> u32 {
        let enemies = self
            .rules
            .units_of(side.enemy())
            .iter()
            .filter(|unit| s.unit(**unit).on_map() && self.rules.counter(**unit).symbol.ground());
        enemies.map(|unit| self.rules.field.distance(s.unit(*unit).hex, hex)).min().unwrap_or(99)
    }

    /// What the regiment should do this turn: fight nearby enemies, otherwise move closer.
    fn desired(&self, s: &State, formation: FormationId) -> OpKind {
        let mut nearest = 99;
        let mut steps = 0;
        for unit in self.rules.units_of_formation(s, formation).filter(|unit| s.unit(*unit).on_map()) {
            nearest = nearest.min(self.enemy_near(s, Side::Wp, s.unit(unit).hex));
            steps += s.unit(unit).steps;
        }
        match nearest {
            _ if steps < 2 => OpKind::March,
            0..=2 => OpKind::Assault,
            3..=7 => OpKind::HastyAttack,
            _ => OpKind::March,
        }
    }

    /// The expected value of an attack: steps destroyed minus steps lost, and the hex.
    pub(super) fn exchange(&self, s: &State, side: Side, commit: &Commit) -> f32 {
        let rules = &*self.rules;
        let Some(hex) = commit.objective.some() else { return 0.0 };
        let reach = if commit.kind == OpKind::Assault { 3 } else { 6 };
        let mut members: Vec<Part> = Vec::new();
        for force in &commit.forces {
            if let Who::Formation(formation) = force.who {
                let units = rules
                    .units_of_formation(s, formation)
                    .filter(|unit| !s.unit(*unit).is(::wurzburg::state::Flags::USED));
                members.extend(Part::whole(units));
            }
            members.extend(force.parts());
        }
        members.retain(|part| {
            let u = s.unit(part.unit);
            u.on_map() && rules.field.distance(u.hex, hex) <= reach
        });
        let share = |part: &Part| {
            let steps = s.unit(part.unit).steps;
            part.steps.filter(|_| steps > 0).map_or(1.0, |part| f32::from(part) / f32::from(steps))
        };
        let fire: f32 =
            members.iter().map(|part| share(part) * strength(rules, s, part.unit)).sum::<f32>() / 2.0;
        let close = rules.field.terrain(hex).close();
        let fire = if close { fire * 0.6 } else { fire };
        let defenders = rules.stack(s, side.enemy(), hex);
        let (mut kills, mut hits) = (0.0, fire);
        let mut list: Vec<(u16, u8)> = defenders
            .iter()
            .map(|unit| (rules.defense(s, *unit, FireKind::Offensive).max(1), s.unit(*unit).steps))
            .collect();
        list.sort_unstable_by(|a, b| b.cmp(a));
        for (defense, steps) in list {
            let taken = (hits / f32::from(defense)).min(f32::from(steps));
            kills += taken;
            hits -= taken * f32::from(defense);
        }
        let around = rules.around(s, hex, side.enemy());
        let back: f32 = defenders.iter().map(|unit| strength(rules, s, *unit)).sum::<f32>() / 2.0
            + around.iter().map(|unit| strength(rules, s, *unit)).sum::<f32>() / 6.0;
        let soft =
            members.iter().map(|part| f32::from(rules.counter(part.unit).defense) + 1.0).fold(1.0, f32::max);
        let loss = back / soft;
        let goal = if self.goals.contains(&hex) { GOAL } else { 0.0 };
        let taken = if kills + 0.5 >= defenders.iter().map(|u| f32::from(s.unit(*u).steps)).sum() {
            1.0
        } else {
            0.0
        };
        let fair = if kills + taken >= FAIR * loss { 0.4 + 0.6 * taken } else { 0.0 };
        kills - CARE * loss + taken + goal * fair
    }

    /// 18.6: the steps that a force may lose to Infiltration Fire if it leaves these hexes.
    fn peril(&self, s: &State, side: Side, force: UnitSet, hexes: &[HexId]) -> f32 {
        let rules = &*self.rules;
        let own: f32 = force.iter().map(|unit| f32::from(s.unit(unit).steps)).sum();
        let hard = force.iter().map(|unit| f32::from(rules.counter(unit).defense)).fold(0.0, f32::max) + 1.0;
        let fire = |hex: &HexId| {
            let enemies = rules.around(s, *hex, side.enemy());
            enemies.iter().map(|unit| strength(rules, s, *unit)).sum::<f32>() / 2.0
        };
        (hexes.iter().map(fire).sum::<f32>() / hard).min(own)
    }

    /// The steps that a unit may lose on its way to a hex.
    fn peril_to(&self, s: &State, side: Side, unit: UnitId, to: HexId) -> f32 {
        let rules = &*self.rules;
        let (force, from) = (set_of([unit]), s.unit(unit).hex);
        if from == HexId::NONE {
            return 0.0;
        }
        // The hex where it began is left without fire.
        let mut left: Vec<HexId> = s.op.moved.contains(unit).then_some(from).into_iter().collect();
        if !rules.field.adjacent(from, to) {
            let mover = rules.mover(s, side, force);
            let way = Reach::with(&mover, |reach| reach.path(&mover, to)).unwrap_or_default();
            left.extend_from_slice(&way[..way.len().saturating_sub(1)]);
        }
        self.peril(s, side, force, &left)
    }

    /// Where a side wants its units: the nearest scoring hex that it does not hold, or the most threatened one that it
    /// does.
    fn aim(&self, s: &State, side: Side, from: HexId) -> Option<HexId> {
        let rules = &*self.rules;
        let held = |hex: &HexId| {
            rules.holdable.iter().position(|at| at == hex).is_some_and(|n| s.control[n] == side)
        };
        let far = |hex: &HexId| rules.field.distance(*hex, from);
        let open = self.goals.iter().copied().filter(|hex| !held(hex)).min_by_key(far);
        let threatened = || {
            let danger = |hex: &HexId| self.enemy_near(s, side, *hex) * 2 + far(hex);
            self.goals.iter().copied().filter(held).min_by_key(danger)
        };
        match side {
            Side::Wp => open.or_else(threatened),
            Side::Nato => threatened().or(open),
        }
    }

    /// How good a hex is for a unit in the current operation.
    fn place(&self, s: &State, side: Side, unit: UnitId, hex: HexId) -> f32 {
        let rules = &*self.rules;
        let close = if rules.field.terrain(hex).close() { 0.4 } else { 0.0 };
        if let Some(objective) = s.op.objective.some().filter(|_| rules.counter(unit).symbol.maneuver()) {
            let far = rules.field.distance(hex, objective);
            let others =
                rules.around(s, hex, side.enemy()).iter().any(|other| s.unit(*other).hex != objective);
            let crowd = rules.stack(s, side, hex).iter().filter(|other| **other != unit).count() as f32;
            return -(far as f32 - 1.0).max(0.0) + close - if others { 0.3 } else { 0.0 } - 0.1 * crowd;
        }
        let exposed = if rules.next_to(s, hex, side.enemy()) { 0.6 } else { 0.0 };
        let Some(aim) = self.aim(s, side, hex) else { return close - exposed };
        let far = rules.field.distance(hex, aim) as f32;
        if rules.counter(unit).symbol.maneuver() {
            let others = rules.stack(s, side, hex).iter().filter(|other| **other != unit).count();
            return -far + close - exposed - CROWD * others as f32;
        }
        // Units that cannot attack stay behind those that can.
        let foremost = rules
            .units_of(side)
            .iter()
            .filter(|unit| s.unit(**unit).on_map() && rules.counter(**unit).symbol.maneuver())
            .map(|unit| rules.field.distance(s.unit(*unit).hex, aim))
            .min();
        let post = foremost.map_or(far, |foremost| (far - (foremost + REAR) as f32).abs());
        let threat = REAR.saturating_sub(self.enemy_near(s, side, hex)) as f32;
        -post + close - exposed - 2.0 * threat
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
            Frame::Planning => {
                let plan = options.iter().find(|action| match action {
                    Action::Plan { formation, kind, payer } => {
                        let now = s.formation(*formation).plan.kind;
                        let free = now == OpKind::March && *payer != Payer::MainEffort;
                        free && *kind != now && *kind == self.desired(s, *formation)
                    }
                    _ => false,
                });
                plan.cloned().or_else(done)
            }
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
            Frame::Leads => best(&|action| match action {
                Action::Lead(unit) => Some(-(self.enemy_near(s, side, s.unit(*unit).hex) as f32)),
                _ => None,
            })
            .map(|(_, action)| action),
            Frame::Operations | Frame::Reserve(_) => self.operation(s, side, options).or_else(done),
            Frame::Movement => best(&|action| match action {
                Action::Move { parts, path } => {
                    // Whole units only: rules of thumb do not split units.
                    let unit = parts.iter().all(|p| p.steps.is_none()).then(|| parts.first())??.unit;
                    let to = *path.last()?;
                    let from = s.unit(unit).hex;
                    let gain = self.place(s, side, unit, to)
                        - if from == HexId::NONE { -30.0 } else { self.place(s, side, unit, from) };
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
                        - if from == HexId::NONE { -30.0 } else { self.place(s, side, unit, from) };
                    (gain > 1.0).then_some(gain)
                }
                _ => None,
            })
            .map(|(_, action)| action)
            .or_else(done),
            Frame::Infiltration | Frame::DefensiveFire | Frame::OffensiveFire | Frame::RetreatFire => {
                best(&|action| match action {
                    Action::Fire { with, .. } => {
                        Some(with.iter().map(|part| strength(&self.rules, s, part.unit)).sum())
                    }
                    _ => None,
                })
                .map(|(_, action)| action)
                .or_else(done)
            }
            Frame::Call(_) | Frame::Strike => best(&|action| match action {
                Action::Call { with, .. } => {
                    Some(with.iter().map(|part| 1.0 + strength(&self.rules, s, part.unit)).sum())
                }
                Action::Strike { with, air: 0, hex, .. } => {
                    let worth = self.rules.stack(s, side.enemy(), *hex).len() as f32;
                    Some(worth + with.iter().map(|part| strength(&self.rules, s, part.unit)).sum::<f32>())
                }
                Action::Strike { air, .. } => Some(4.0 * f32::from(*air)),
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
            Frame::Jamming | Frame::CounterBattery => options
                .iter()
                .find(|action| matches!(action, Action::Jam(_) | Action::Counter { .. }))
                .cloned()
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
            Frame::Advance => find(|action| matches!(action, Action::Advance(_))).or_else(done),
            _ => None,
        }
    }

    /// The next operation: the best exchange, otherwise a March toward what counts.
    fn operation(&self, s: &State, side: Side, options: &[Action]) -> Option<Action> {
        let mut best: Option<(f32, &Action)> = None;
        let mut offer = |worth: f32, action| {
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, action));
            }
        };
        for action in options {
            match action {
                Action::Commit(commit) if commit.objective.some().is_some() => {
                    let worth = self.exchange(s, side, commit);
                    if worth > WORTH {
                        offer(worth, action);
                    }
                }
                // A planned attack that finds nothing to attack still moves.
                Action::Commit(Commit { forces, kind, .. })
                    if *kind != OpKind::Reserve || side == Side::Wp =>
                {
                    let [Force { who: Who::Formation(_), .. }] = &forces[..] else { continue };
                    offer(0.1, action);
                }
                Action::March { units, formation, .. } => {
                    let ready = units.iter().any(|part| {
                        let hex = s.unit(part.unit).hex;
                        let aim = self.aim(s, side, hex);
                        let far = aim.map_or(0, |aim| self.rules.field.distance(aim, hex));
                        hex == HexId::NONE || far > 2 && self.enemy_near(s, side, hex) > 2
                    });
                    if ready || formation.some().is_some() && units.is_empty() {
                        offer(0.05, action);
                    }
                }
                _ => {}
            }
        }
        best.map(|(_, action)| action.clone())
    }
}
