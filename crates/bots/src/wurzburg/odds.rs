//! What fire is likely to do: attacks and Strikes with the rules' own sheets, die by die.

use ::wurzburg::{
    action::Part,
    fire::{FireKind, retreat_hexes},
    movement::{Mover, Reach, Way},
    state::{Flags, OpKind, Place, State},
    units::{Side, Symbol, UnitId, UnitSet, set_of},
};
use hexgrid::HexId;

use super::Staff;

/// What a side loses with a hex that does not score, in steps: its position, and cohesion by the retreat.
const GROUND: f32 = 0.6;
/// What one more point of Adjusted Defense Strength counts in the choice of a firing position, in points of fire.
const COVER: f32 = 1.5;
/// What an enemy next to a firing position, but not in the objective, counts in that choice.
const FLANK: f32 = 0.25;
/// What a step that is expected to fall on the way there counts in that choice.
const PERIL: f32 = 6.0;
/// What a Disrupted step is worth, in steps destroyed: of maneuver units, of artillery, and a whole HQ.
const SHAKEN: f32 = 0.25;
const SILENCED: f32 = 0.3;
const CUT_OFF: f32 = 0.6;
/// Enemy artillery answers most calls, but not all.
const ANSWERED: f32 = 0.8;

/// An attack: where the units fire from, and what comes of it in steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Attack {
    pub posts: Vec<(UnitId, HexId)>,
    pub kills: f32,
    pub losses: f32,
    /// The chance that no defender is left in the hex.
    pub clears: f32,
}

/// The Adjusted Defense Strength and the steps of each unit, strongest first.
type Targets = Vec<(u16, u8)>;

/// 18.3.3: the steps that these hits remove.
fn absorb(targets: &Targets, mut hits: u16) -> u8 {
    let mut lost = 0;
    for (strength, steps) in targets {
        let here = (hits / strength).min(u16::from(*steps));
        hits -= here * strength;
        lost += here as u8;
        if here < u16::from(*steps) {
            break;
        }
    }
    lost
}

fn all(targets: &Targets) -> u8 {
    targets.iter().map(|(_, steps)| steps).sum()
}

impl Staff {
    /// The mean of something over the ten rolls on the Combat Results Table (18.2).
    fn over_rolls(&self, total: f32, mut of: impl FnMut(u16) -> f32) -> f32 {
        let effective = (total / 2.0).floor() as i32;
        let hits = |roll| (effective + i32::from(self.rules.tables.hit_modifier(roll))).max(0) as u16;
        (1..=10).map(|roll| of(hits(roll))).sum::<f32>() / 10.0
    }

    fn targets(&self, s: &State, units: impl IntoIterator<Item = (UnitId, u8)>, kind: FireKind) -> Targets {
        let strength = |unit| self.rules.defense(s, unit, kind).max(1);
        let mut list: Targets = units.into_iter().map(|(unit, steps)| (strength(unit), steps)).collect();
        list.sort_unstable_by(|a, b| b.cmp(a));
        list
    }

    /// The hexes next to an objective from which a unit could fire at it, and the steps it may lose on the way to each.
    fn sites(
        &self,
        s: &State,
        side: Side,
        kind: Option<OpKind>,
        unit: UnitId,
        hex: HexId,
    ) -> Vec<(HexId, f32)> {
        let rules = &*self.rules;
        let row = rules.field.board.neighbour_row(hex);
        let here = s.unit(unit).hex;
        let mut out: Vec<(HexId, f32)> =
            row.iter().copied().filter(|at| *at == here && here != HexId::NONE).map(|at| (at, 0.0)).collect();
        // Without a kind, the operation is under way: a unit without movement left stays where it is.
        if here == HexId::NONE || kind.is_none() && !rules.movable(s, unit) {
            return out;
        }
        let force = set_of([unit]);
        let mut mover = match kind {
            Some(kind) => Mover::new(rules, s, side, Way::Operation(kind), force),
            None => rules.mover(s, side, force),
        };
        if kind.is_some() {
            mover.rested();
        }
        let moved = kind.is_none() && s.op.moved.contains(unit);
        Reach::with(&mover, |reach| {
            for at in row.iter().copied().filter(|at| *at != HexId::NONE && *at != here) {
                let Some(way) = reach.cost(at).and_then(|_| reach.path(&mover, at)) else { continue };
                // The hex where it began is left without fire.
                let mut left: Vec<HexId> = moved.then_some(here).into_iter().collect();
                left.extend_from_slice(&way[..way.len().saturating_sub(1)]);
                out.push((at, self.peril(s, side, force, &left)));
            }
        });
        out
    }

    /// The strength of the best guns that could support fire at a hex (22.2), at most so many.
    fn support(&self, s: &State, side: Side, hex: HexId, most: usize, fits: impl Fn(UnitId) -> bool) -> f32 {
        let rules = &*self.rules;
        let mut guns: Vec<f32> = rules
            .units_of(side)
            .iter()
            .copied()
            .filter(|gun| rules.counter(*gun).symbol.artillery())
            .filter(|gun| rules.counter(*gun).symbol != Symbol::RocketArtillery)
            .filter(|gun| rules.can_shoot(s, *gun) && rules.gun_reaches(s, *gun, hex) && fits(*gun))
            .map(|gun| super::worth::strength(rules, s, gun))
            .collect();
        guns.sort_unstable_by(|a, b| b.total_cmp(a));
        guns.iter().take(most).sum()
    }

    /// How these units would attack a hex, and with what result. `kind`: of an operation that has not begun. None if
    /// none of them can fire at it.
    pub(super) fn attack(
        &self,
        s: &State,
        side: Side,
        kind: Option<OpKind>,
        parts: &[Part],
        hex: HexId,
    ) -> Option<Attack> {
        let rules = &*self.rules;
        let assault = kind.unwrap_or(s.op.kind) == OpKind::Assault;
        let mut d = s.draft();
        (d.op.side, d.op.objective) = (side, hex);
        d.op.shot.clear();
        d.op.spent.clear();
        d.op.called = UnitSet::EMPTY;
        let mut team: Vec<(UnitId, u8)> = Vec::new();
        for part in parts {
            let u = s.unit(part.unit);
            let steps = part.steps.unwrap_or(u.steps);
            let fights = rules.counter(part.unit).symbol.maneuver() && rules.counter(part.unit).attack > 0;
            if steps > 0 && fights && (u.on_map() || kind.is_none()) {
                team.push((part.unit, steps));
            }
        }
        team.sort_by_key(|(unit, steps)| {
            std::cmp::Reverse(u32::from(rules.counter(*unit).attack) * u32::from(*steps))
        });
        let mut attack = Attack::default();
        let mut firing: Vec<(UnitId, u8, HexId, f32)> = Vec::new();
        let limit = rules.step_limit(side);
        for (unit, steps) in &team {
            let (was, place) = (s.unit(*unit).hex, s.unit(*unit).place);
            let mut best: Option<(f32, HexId, f32, f32)> = None;
            for (at, peril) in self.sites(s, side, kind, *unit, hex) {
                d.put(*unit, Place::Map, at);
                let stack = rules.stack(&d, side, at);
                let there: u8 = firing.iter().filter(|post| post.2 == at).map(|post| post.1).sum();
                let legal = there + steps <= limit && rules.may_stack(&d, &stack);
                let fire = rules.reckon(&d, FireKind::Offensive, hex, &[(*unit, *steps)]).sum() as f32;
                let flank: f32 = rules
                    .around(&d, at, side.enemy())
                    .into_iter()
                    .filter(|enemy| d.unit(*enemy).hex != hex)
                    .map(|enemy| super::worth::strength(rules, &d, enemy))
                    .sum();
                let cover = f32::from(rules.defense(&d, *unit, FireKind::Defensive));
                let worth =
                    fire + COVER * cover - FLANK * flank - PERIL * peril + if at == was { 0.5 } else { 0.0 };
                if legal && best.is_none_or(|(most, ..)| worth > most) {
                    best = Some((worth, at, fire, peril));
                }
            }
            match best {
                Some((_, at, fire, peril)) => {
                    attack.losses += peril;
                    d.put(*unit, Place::Map, at);
                    firing.push((*unit, *steps, at, fire));
                    attack.posts.push((*unit, at));
                }
                None => d.put(*unit, place, was),
            }
        }
        if firing.is_empty() {
            return None;
        }
        d.op.members = set_of(firing.iter().map(|post| post.0));
        let left = self.defensive_fire(&mut attack, &d, side, assault, &firing);
        // The Offensive Fire of those who are left, with artillery (18.8).
        let own: f32 = firing.iter().zip(&left).map(|((.., fire), left)| fire * left).sum();
        let callers = rules.callers(s);
        let purpose = if assault { ::wurzburg::support::Use::Wide } else { ::wurzburg::support::Use::Narrow };
        let mine = |gun| callers.is_empty() || callers.iter().any(|hq| rules.in_pool(s, *hq, gun, purpose));
        let guns = self.support(s, side, hex, if assault { 2 } else { 1 }, mine);
        let defenders = rules.stack(&d, side.enemy(), hex);
        let with_steps = |unit: &UnitId| (*unit, d.unit(*unit).steps.max(1));
        let list = self.targets(&d, defenders.iter().map(with_steps), FireKind::Offensive);
        let shaken = defenders
            .iter()
            .any(|unit| d.unit(*unit).is(Flags::DISRUPTED) || d.unit(*unit).is(Flags::MASKED));
        d.op.fired = d.op.members;
        let way_out =
            !shaken && defenders.first().is_some_and(|unit| !retreat_hexes(rules, &d, *unit).is_empty());
        let hold = GROUND + self.worth_to(s, side, hex);
        let strongest = list.first().map_or(0, |(strength, _)| *strength);
        let mut clears = 0.0;
        attack.kills = self.over_rolls(own + guns, |hits| {
            let stands = absorb(&list, hits);
            let dead = stands == all(&list);
            if way_out && hits >= strongest {
                // 18.4: the defender retreats if that costs him less than the hex.
                let leaves = absorb(&list, hits - strongest);
                let stay = f32::from(stands) + if dead { hold } else { 0.0 };
                if f32::from(leaves) + hold < stay {
                    clears += 0.1;
                    return f32::from(leaves);
                }
            }
            clears += if dead { 0.1 } else { 0.0 };
            f32::from(stands)
        });
        attack.clears = clears;
        Some(attack)
    }

    /// 18.7: expected losses by Defensive Fire; the share of each unit's steps that is left.
    fn defensive_fire(
        &self,
        attack: &mut Attack,
        d: &State,
        side: Side,
        assault: bool,
        firing: &[(UnitId, u8, HexId, f32)],
    ) -> Vec<f32> {
        let rules = &*self.rules;
        let mut sites: Vec<(HexId, f32)> = Vec::new();
        for (.., at, _) in firing {
            if !sites.iter().any(|(hex, _)| hex == at) {
                sites.push((*at, 0.0));
            }
        }
        // Whoever can fire at a single hex does; the others add to where most fire goes already.
        let mut free: Vec<(usize, UnitId, u8)> = Vec::new();
        for (n, (hex, _)) in sites.iter().enumerate() {
            for (unit, steps) in rules.guns(d, FireKind::Defensive, *hex) {
                free.push((n, unit, steps));
            }
        }
        let choices: Vec<usize> =
            free.iter().map(|(_, unit, _)| free.iter().filter(|other| other.1 == *unit).count()).collect();
        let mut order: Vec<usize> = (0..free.len()).collect();
        order.sort_by_key(|n| choices[*n]);
        let mut done: Vec<UnitId> = Vec::new();
        for (_, unit, steps) in order.into_iter().map(|n| &free[n]) {
            if done.contains(unit) {
                continue;
            }
            done.push(*unit);
            let fire =
                |n: usize| rules.reckon(d, FireKind::Defensive, sites[n].0, &[(*unit, *steps)]).sum() as f32;
            let best = free
                .iter()
                .filter(|(_, other, _)| other == unit)
                .map(|(n, ..)| (sites[*n].1 + fire(*n), *n))
                .max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((sum, n)) = best {
                sites[n].1 = sum;
            }
        }
        let enemy = side.enemy();
        let most = if assault && enemy == Side::Nato { 2 } else { 1 };
        let busiest = sites.iter().enumerate().max_by(|a, b| a.1.1.total_cmp(&b.1.1)).map_or(0, |(n, _)| n);
        let dag = |gun: UnitId| enemy == Side::Nato || rules.counter(gun).dag;
        let guns = ANSWERED * self.support(d, enemy, sites[busiest].0, most, dag);
        sites[busiest].1 += guns;
        let mut left: Vec<f32> = vec![1.0; firing.len()];
        for (hex, fire) in &sites {
            if *fire <= 0.0 {
                continue;
            }
            let here = || firing.iter().filter(|post| post.2 == *hex).map(|post| (post.0, post.1));
            let list = self.targets(d, here(), FireKind::Defensive);
            let lost = self.over_rolls(*fire, |hits| f32::from(absorb(&list, hits)));
            attack.losses += lost;
            let share = 1.0 - lost / f32::from(all(&list).max(1));
            for (post, left) in firing.iter().zip(&mut left) {
                if post.2 == *hex {
                    *left = share;
                }
            }
        }
        left
    }

    /// Steps destroyed by fire at units of an operation, a force, or defenders.
    pub(super) fn harm(&self, s: &State, kind: FireKind, hex: HexId, with: &[Part]) -> f32 {
        let rules = &*self.rules;
        let guns = rules.guns(s, kind, hex);
        let steps = |part: &Part| {
            let left = guns.iter().find(|(unit, _)| *unit == part.unit).map_or(0, |(_, steps)| *steps);
            (part.unit, part.steps.unwrap_or(left))
        };
        let with: Vec<(UnitId, u8)> = with.iter().map(steps).collect();
        let sheet = rules.reckon(s, kind, hex, &with);
        let units = rules.subject_to(s, kind, hex);
        let list = self.targets(s, units.iter().map(|unit| (unit, s.unit(unit).steps)), kind);
        self.over_rolls(sheet.total as f32, |hits| f32::from(absorb(&list, hits)))
    }

    /// 23.1, 23.2, 23.3: what a Fire Strike of this total strength does to a hex, in steps.
    pub(super) fn strike(&self, s: &State, side: Side, hex: HexId, total: f32) -> f32 {
        let rules = &*self.rules;
        let mut units: Vec<(u16, UnitId)> = rules
            .stack(s, side.enemy(), hex)
            .into_iter()
            .map(|unit| (rules.defense(s, unit, FireKind::Strike).max(1), unit))
            .collect();
        units.sort_unstable();
        self.over_rolls(total, |hits| {
            let (mut rest, mut worth) = (hits, 0.0);
            for (strength, unit) in &units {
                let steps = u16::from(s.unit(*unit).steps);
                let lost = (rest / strength).min(steps);
                rest -= lost * strength;
                worth += f32::from(lost);
                if lost < steps && *strength <= hits && !s.unit(*unit).is(Flags::DISRUPTED) {
                    let counter = rules.counter(*unit);
                    worth += match counter.symbol {
                        Symbol::Hq => CUT_OFF,
                        symbol if symbol.artillery() => SILENCED * f32::from(steps - lost),
                        _ => SHAKEN * f32::from(steps - lost),
                    };
                }
            }
            worth
        })
    }

    /// Steps that a unit may lose to the fire of the enemies next to a hex that it enters (18.6, 18.7).
    pub(super) fn danger(&self, s: &State, side: Side, unit: UnitId, hex: HexId) -> f32 {
        let rules = &*self.rules;
        let close = rules.field.terrain(hex).close();
        let fire: f32 = rules
            .around(s, hex, side.enemy())
            .into_iter()
            .filter(|enemy| rules.may_fire(s, *enemy, FireKind::Defensive))
            .map(|enemy| {
                let halved = close && !rules.counter(enemy).symbol.infantry();
                super::worth::strength(rules, s, enemy) * if halved { 0.5 } else { 1.0 }
            })
            .sum();
        let own = f32::from(rules.counter(unit).defense) + if close { 1.0 } else { 0.0 };
        (fire / 2.0 / own.max(1.0)).min(f32::from(s.unit(unit).steps))
    }
}
