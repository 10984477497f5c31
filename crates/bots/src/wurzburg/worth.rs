//! The value of attacks, moves and places, for the rules of thumb of [`super::script`].

use ::wurzburg::{
    Wurzburg,
    action::{Commit, Part, Who},
    field::Terrain,
    movement::{Mover, Reach, Way},
    state::{Flags, OpKind, State},
    units::{FormationId, Side, UnitId, UnitSet, set_of},
};
use hexgrid::HexId;

use super::{Goal, Staff, odds::Attack};

/// An attack is made only if it promises more than this, in points.
pub(super) const WORTH: f32 = 0.2;
/// Weight of own losses relative to enemy losses: the Warsaw Pact must take what it wants, and has the numbers.
const CARE: [f32; 2] = [0.75, 1.0];
/// What a cleared hex is worth that does not score, and how much more if the attacker's ways lead through it.
const TAKEN: f32 = 0.4;
const BREAK: f32 = 1.0;
/// A regiment with the enemy within this many hexes plans to close in rather than to march.
const NEAR: u32 = 7;
/// What a hex is worth to NATO that all ways of the Warsaw Pact lead through.
const BARS: f32 = 3.0;
/// Other units of the side in the hex to which a unit marches.
const CROWD: f32 = 0.4;
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

    pub(super) fn exchange(&self, s: &State, side: Side, commit: &Commit) -> Option<f32> {
        let hex = commit.objective.some()?;
        let attack = self.attack(s, side, Some(commit.kind), &self.members(s, commit), hex)?;
        Some(self.gain(s, side, hex, &attack))
    }

    /// The most that a unit can win by walking into scoring hexes that nobody defends.
    pub(super) fn grab(&self, s: &State, side: Side, unit: UnitId, kind: OpKind) -> f32 {
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
                // The fire of enemies next to the hex at a unit that moves there.
                let left = 1.0 - self.danger(s, side, unit, goal.hex) / f32::from(u.steps);
                self.worth_to(s, side, goal.hex) * left
                    - CARE[side.index()] * (1.0 - left) * f32::from(u.steps)
            };
            near.filter(|goal| reach.cost(goal.hex).is_some()).map(worth).fold(0.0, f32::max)
        })
    }

    /// The operation that promises most to a regiment, and how much: to attack a hex in reach, or else to march.
    pub(super) fn desired(&self, s: &State, formation: FormationId) -> (OpKind, f32) {
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
    pub(super) fn peril_to(&self, s: &State, side: Side, unit: UnitId, to: HexId) -> f32 {
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
    pub(super) fn place(&self, s: &State, side: Side, unit: UnitId, hex: HexId) -> f32 {
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
        // A unit that is already next to the enemy has been fired at before; one that moves there is fired at now.
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
    pub(super) fn better_place(&self, s: &State, side: Side, unit: UnitId, kind: OpKind) -> f32 {
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

    /// 18.5: what an advance into the Objective Hex is worth to a unit; none: it stays.
    pub(super) fn advances(&self, s: &State, side: Side, unit: UnitId) -> Option<f32> {
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
}
