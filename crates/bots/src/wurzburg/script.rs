//! Rules of thumb for each question: plan and attack where the exchange pays, move to the firing positions that it was
//! reckoned with, stand where the enemy wants to pass, fire where it hurts most.

use ::wurzburg::{
    Wurzburg,
    action::{Action, Commit, Force, Part, Payload, Who, Work},
    field::Terrain,
    fire::FireKind,
    frame::Frame,
    movement::{Mover, Reach, Way},
    state::{Flags, OpKind, Payer, State, Variant},
    units::{FormationId, Side, UnitId, UnitSet, set_of},
};
use hexgrid::{HexId, SideId};

use super::{Goal, Staff, odds::Attack};

/// An attack is made only if it promises more than this, in points.
const WORTH: f32 = 0.2;
/// Weight of own losses relative to enemy losses: the Warsaw Pact must take what it wants, and has the numbers.
const CARE: [f32; 2] = [0.75, 1.0];
/// What a cleared hex is worth that does not score, and how much more if the attacker's ways lead through it.
const TAKEN: f32 = 0.4;
const BREAK: f32 = 1.0;
/// A Strike is made only if it promises this much, in steps, for each artillery unit and for each Air Point.
const SHELLS: f32 = 0.35;
const SORTIE: f32 = 0.5;
/// What an average aircraft does: its Attack Strength.
const BOMBS: f32 = 10.0;
/// A regiment with the enemy within this many hexes plans to close in rather than to march.
const NEAR: u32 = 7;
/// A March is made if a unit finds a place that is better by this much.
const BETTER: f32 = 0.8;
/// What a step that is expected to fall to Infiltration Fire is worth, in hexes nearer to the objective.
const PERIL: f32 = 2.0;
/// A force that would lose more steps than this to Infiltration Fire stops.
const STOP: f32 = 0.8;
/// What a hex is worth to NATO that all ways of the Warsaw Pact lead through.
const BARS: f32 = 3.0;
/// Other units of the side in the hex to which a unit marches.
const CROWD: f32 = 0.4;
/// Bridges are blown only if an enemy is this near, in hexes.
const NEAR_BRIDGE: u32 = 6;
/// How far HQs, artillery and engineers stay behind the foremost units, and away from the enemy.
const REAR: u32 = 4;

pub(super) fn strength(rules: &Wurzburg, s: &State, unit: UnitId) -> f32 {
    f32::from(rules.counter(unit).attack) * f32::from(s.unit(unit).steps)
}

impl Staff {
    /// What taking a hex, or keeping it, is worth in points to a side that does not hold it.
    pub(super) fn worth_to(&self, s: &State, side: Side, hex: HexId) -> f32 {
        let held = self.rules.holdable.iter().position(|at| *at == hex).map(|n| s.control[n]);
        let here = self.goals.iter().filter(|goal| goal.hex == hex && goal.holds && held != Some(side));
        here.map(|goal| goal.points).sum()
    }

    /// The unused units of a regiment with those of its force that are named.
    fn members(&self, s: &State, commit: &Commit) -> Vec<Part> {
        let mut members: Vec<Part> = Vec::new();
        for force in &commit.forces {
            if let Who::Formation(formation) = force.who {
                let units = self.rules.units_of_formation(s, formation);
                members.extend(Part::whole(units.filter(|unit| !s.unit(*unit).is(Flags::USED))));
            }
            members.extend(force.parts());
        }
        members
    }

    /// What an attack gains, in points: steps destroyed less steps lost, and the hex.
    pub(super) fn gain(&self, s: &State, side: Side, hex: HexId, attack: &Attack) -> f32 {
        let through = if side == Side::Wp { BREAK * self.ways(s).flow(hex) } else { 0.0 };
        attack.kills - CARE[side.index()] * attack.losses
            + attack.clears * (TAKEN + through + self.worth_to(s, side, hex))
    }

    fn exchange(&self, s: &State, side: Side, commit: &Commit) -> Option<f32> {
        let hex = commit.objective.some()?;
        let attack = self.attack(s, side, Some(commit.kind), &self.members(s, commit), hex)?;
        Some(self.gain(s, side, hex, &attack))
    }

    /// The most that a unit can win by walking into scoring hexes that nobody defends.
    fn grab(&self, s: &State, side: Side, unit: UnitId, kind: OpKind) -> f32 {
        let rules = &*self.rules;
        let u = s.unit(unit);
        if u.hex == HexId::NONE || u.steps == 0 || !rules.counter(unit).symbol.maneuver() {
            return 0.0;
        }
        let open = |goal: &&Goal| {
            goal.holds
                && !rules.holds(s, goal.hex, side.enemy())
                && rules.field.distance(goal.hex, u.hex) <= 12
        };
        let mut near = self.goals.iter().filter(open).peekable();
        if near.peek().is_none() {
            return 0.0;
        }
        let mut mover = Mover::new(rules, s, side, Way::Operation(kind), set_of([unit]));
        mover.rested();
        Reach::with(&mover, |reach| {
            let worth = |goal: &Goal| {
                // What the enemy next to it does to whoever comes.
                let left = 1.0 - self.danger(s, side, unit, goal.hex) / f32::from(u.steps);
                self.worth_to(s, side, goal.hex) * left
                    - CARE[side.index()] * (1.0 - left) * f32::from(u.steps)
            };
            near.filter(|goal| reach.cost(goal.hex).is_some()).map(worth).fold(0.0, f32::max)
        })
    }

    /// The operation that promises most to a regiment, and how much: to attack a hex in reach, or else to march.
    fn desired(&self, s: &State, formation: FormationId) -> (OpKind, f32) {
        let rules = &*self.rules;
        let parts: Vec<Part> = rules
            .units_of_formation(s, formation)
            .filter(|unit| s.unit(*unit).on_map() && !s.unit(*unit).is(Flags::USED))
            .map(Part::all)
            .collect();
        let hexes: Vec<HexId> = parts.iter().map(|part| s.unit(part.unit).hex).collect();
        let near = |hex: HexId| hexes.iter().map(|own| rules.field.distance(*own, hex)).min().unwrap_or(99);
        let (enemies, _) = rules.presence(s, Side::Nato);
        let mut best = (OpKind::March, WORTH);
        for hex in &enemies {
            for kind in [OpKind::Assault, OpKind::HastyAttack] {
                let mp = u32::from(rules.tables.operations.of(kind).mp);
                if near(hex) > mp + 1 {
                    continue;
                }
                if let Some(attack) = self.attack(s, Side::Wp, Some(kind), &parts, hex) {
                    let gain = self.gain(s, Side::Wp, hex, &attack);
                    if gain > best.1 {
                        best = (kind, gain);
                    }
                }
            }
        }
        for kind in [OpKind::HastyAttack, OpKind::March] {
            let most = parts.iter().map(|part| self.grab(s, Side::Wp, part.unit, kind)).fold(0.0, f32::max);
            // A March costs nothing.
            if most > 0.0 && most >= best.1 {
                best = (kind, most);
            }
        }
        // Close to the enemy a March leads nowhere (16.8.3).
        let closest = enemies.iter().map(near).min().unwrap_or(99);
        if best == (OpKind::March, WORTH) && (2..=NEAR).contains(&closest) {
            best = (OpKind::HastyAttack, 0.1);
        }
        best
    }

    /// 18.6: the steps that a force may lose to Infiltration Fire if it leaves these hexes.
    pub(super) fn peril(&self, s: &State, side: Side, force: UnitSet, hexes: &[HexId]) -> f32 {
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

    /// How good a hex is for a unit that does not attack.
    fn place(&self, s: &State, side: Side, unit: UnitId, hex: HexId) -> f32 {
        let rules = &*self.rules;
        let ways = self.ways(s);
        let counter = rules.counter(unit);
        let here = s.unit(unit).hex == hex;
        let terrain = rules.field.terrain(hex);
        let cover = match () {
            () if terrain.close() => 0.5,
            () if counter.symbol.infantry() && terrain == Terrain::LightWoods => 0.3,
            () => 0.0,
        };
        let position = s.mark(hex).and_then(|mark| mark.improved) == Some(side);
        let cover = cover + if position { 1.0 } else { 0.0 };
        // Who is next to the enemy already has had his fire; who comes there gets it.
        let danger = if here { 0.0 } else { self.danger(s, side, unit, hex) };
        let near = self.enemy_near(s, side, hex);
        if !counter.symbol.maneuver() {
            return cover - 2.0 * danger + self.rear(s, side, hex, near);
        }
        let mut stack = rules.stack(s, side, hex);
        if !stack.contains(&unit) {
            stack.push(unit);
        }
        // 14.4: a masked unit is of no use.
        let masked = if rules.may_stack(s, &stack) { 0.0 } else { 3.0 };
        let alone = !stack.iter().any(|other| *other != unit && rules.counter(*other).symbol.maneuver());
        let crowd = masked + if alone { 0.0 } else { CROWD };
        let goal: f32 =
            self.goals.iter().filter(|goal| goal.hex == hex && goal.holds).map(|goal| goal.points).sum();
        // The first unit in a scoring hex holds it.
        let hold = if alone { goal.min(4.0) * if near <= 6 { 1.0 } else { 0.5 } } else { 0.0 };
        let hold = hold + 2.0 * self.worth_to(s, side, hex);
        match side {
            Side::Wp => hold + cover - ways.far(hex) - danger - crowd,
            Side::Nato => {
                let row = rules.field.board.neighbour_row(hex);
                let beside =
                    row.iter().filter(|at| **at != HexId::NONE).map(|at| ways.flow(*at)).fold(0.0, f32::max);
                let bars = ways.flow(hex).max(0.6 * beside);
                // A line: friends two or three hexes away, none in the same place.
                let friends = rules
                    .units_of(side)
                    .iter()
                    .filter(|other| **other != unit && s.unit(**other).on_map())
                    .filter(|other| rules.counter(**other).symbol.maneuver())
                    .filter(|other| (2..=3).contains(&rules.field.distance(s.unit(**other).hex, hex)))
                    .count();
                let line = 0.15 * friends.min(2) as f32;
                let idle = 0.15 * near.saturating_sub(6).min(10) as f32;
                BARS * bars + hold + cover + line - danger - crowd - idle
            }
        }
    }

    /// Units that cannot attack stay behind those that can, but near enough to serve them.
    fn rear(&self, s: &State, side: Side, hex: HexId, near: u32) -> f32 {
        let rules = &*self.rules;
        let own = rules
            .units_of(side)
            .iter()
            .filter(|unit| s.unit(**unit).on_map() && rules.counter(**unit).symbol.maneuver())
            .map(|unit| rules.field.distance(s.unit(*unit).hex, hex))
            .min()
            .unwrap_or(0);
        let threat = REAR.saturating_sub(near) as f32;
        let far = near.saturating_sub(REAR + 2) as f32;
        -2.0 * threat - 0.5 * far - 0.3 * own.saturating_sub(3) as f32
    }

    /// The best place that a unit could reach by this operation, and how much better it is than where it is.
    fn better_place(&self, s: &State, side: Side, unit: UnitId, kind: OpKind) -> f32 {
        let rules = &*self.rules;
        if s.unit(unit).hex == HexId::NONE {
            return 9.0;
        }
        let now = self.place(s, side, unit, s.unit(unit).hex);
        let mut mover = Mover::new(rules, s, side, Way::Operation(kind), set_of([unit]));
        mover.rested();
        Reach::with(&mover, |reach| {
            let places = reach.hexes(&mover).map(|to| self.place(s, side, unit, to.hex) - now);
            places.fold(0.0, f32::max)
        })
    }

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
                // Who was stopped by what he met does not run on into its fire.
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
            Frame::Leads => best(&|action| match action {
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

    /// 18.5: what an advance into the Objective Hex is worth to a unit; none: it stays.
    fn advances(&self, s: &State, side: Side, unit: UnitId) -> Option<f32> {
        let rules = &*self.rules;
        let hex = s.op.objective.some()?;
        let first = rules.stack(s, side, hex).is_empty();
        let scores = self.worth_to(s, side, hex);
        let ways = self.ways(s);
        let from = s.unit(unit).hex;
        let nearer = if side == Side::Wp { ways.far(from) - ways.far(hex) } else { 0.0 };
        let danger = 0.5 * (self.danger(s, side, unit, hex) - self.danger(s, side, unit, from));
        let leaves = self.goals.iter().any(|goal| goal.holds && goal.hex == from)
            && rules
                .stack(s, side, from)
                .iter()
                .filter(|other| rules.counter(**other).symbol.maneuver())
                .count()
                < 2;
        let gain =
            if first { scores + 0.4 } else { 0.0 } + 0.5 * nearer - danger - if leaves { 3.0 } else { 0.0 };
        // The steadiest unit goes first.
        (gain > 0.0).then(|| gain + 0.1 * f32::from(rules.counter(unit).defense))
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
