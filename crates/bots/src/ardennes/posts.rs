//! Where units without an attack go: the attacker's toward the aims, the defender's into the enemy's way.

use ::ardennes::{
    Ardennes,
    action::{Action, Mode, Move},
    flags::Flags,
    pack::{Side, UnitId, VictoryRule},
    place::Place,
    state::State,
    supply,
};
use hexgrid::{HexId, HexSet};

use super::{
    field::{Field, TURN},
    manoeuvre::Draft,
    picture::{Picture, distances, menace},
    value::{self, worth},
    ways::Ways,
};
use crate::bond::line;

/// Attack factors for which a Night marker is worthwhile.
const NIGHT_STRENGTH: f32 = 5.0;
/// From this distance on infantry uses Trucks.
const TRUCKS_FROM: u8 = 7;
/// The most enemy paths that the Bonds of one unit are credited with closing.
const LONGEST_LINE: f32 = 3.0;
/// Paratroopers may wait this many turns for others; longer waits are all the same.
const LONGEST_WAIT: f32 = 4.0;
/// Beyond this distance from the enemy no unit is threatened.
const FAR: u8 = 10;

pub struct Posts {
    busy: Vec<UnitId>,
    /// Units that stay where they are.
    bound: Vec<UnitId>,
    picture: Picture,
    /// The strength that the enemy could bring against each hex.
    menace: Vec<f32>,
    /// Hexes to the nearest enemy.
    distance: Vec<u8>,
    supplied: HexSet,
    /// Attack or defense factors already assigned to each aim.
    care: Vec<f32>,
    /// Paths of the attacker.
    ways: Option<Ways>,
    /// How likely each aim of the attacker is lost again while no unit is in it.
    danger: Vec<f32>,
    /// The share of its full value that strength still has.
    life: f32,
    /// Enemy hexes under attack with good chances.
    beaten: Vec<HexId>,
    /// The unit that must not stay where it is.
    leaves: Option<UnitId>,
}

#[derive(Clone, Copy, Debug)]
struct Post {
    action: Option<Action>,
    hex: HexId,
    score: f32,
}

impl Posts {
    /// `busy`: units that have a task; `bound`: units that stay where they are; `beaten`: enemy hexes under attack with
    /// good chances.
    pub fn new(draft: &Draft, busy: &[UnitId], bound: &[UnitId], beaten: &[HexId]) -> Posts {
        let (rules, s, side) = (&*draft.staff.rules, &draft.w, draft.side);
        let ways = (side == Side::German).then(|| {
            let mut after = *s;
            clear(rules, &mut after, beaten);
            Ways::new(draft.staff, &after)
        });
        let danger = match side {
            Side::German => abandoned(draft, busy),
            Side::Allied => vec![0.0; draft.staff.lore.aims.len()],
        };
        Posts {
            busy: busy.to_vec(),
            bound: bound.to_vec(),
            ways,
            picture: Picture::new(draft.staff, s, draft.plan),
            menace: menace(rules, s, side.enemy()),
            distance: distances(rules, s, side.enemy(), FAR),
            supplied: supply::supplied_hexes(rules, s, side),
            care: vec![0.0; draft.staff.lore.aims.len()],
            danger,
            life: value::life(draft.staff, s),
            beaten: beaten.to_vec(),
            leaves: None,
        }
    }

    pub fn fill(&mut self, draft: &mut Draft) {
        let rules = &*draft.staff.rules;
        let mut units: Vec<(u32, UnitId)> = rules
            .units_of(draft.side)
            .filter(|unit| !self.busy.contains(unit))
            .filter(|unit| {
                matches!(draft.w.unit(*unit).place(), Place::Hex(_) | Place::Due | Place::Box(_))
                    && !draft.w.unit(*unit).is(Flags::MOVED)
            })
            .map(|unit| (self.urgency(rules, &draft.w, unit), unit))
            .collect();
        units.sort_by_key(|(urgency, unit)| (*urgency, unit.0));
        for (_, unit) in units {
            if draft.unforeseen {
                return;
            }
            let post =
                if self.bound.contains(&unit) { self.stay(draft, unit) } else { self.best(draft, unit) };
            let Some(post) = post else { continue };
            self.look_after(draft, unit, post.hex);
            if let Some(action) = post.action {
                draft.act(action);
            }
        }
    }

    /// The best place of a unit.
    fn best(&mut self, draft: &Draft, unit: UnitId) -> Option<Post> {
        if draft.staff.rules.counter(unit).artillery {
            self.battery(draft, unit)
        } else if draft.side == Side::German {
            self.advance(draft, unit)
        } else {
            self.defend(draft, unit)
        }
    }

    /// The way to the best place of a unit that must not stay where it is.
    pub fn away(&mut self, draft: &Draft, unit: UnitId) -> Option<Action> {
        self.leaves = Some(unit);
        let post = self.best(draft, unit);
        self.leaves = None;
        post?.action
    }

    /// 15.8, 12.61: Improved Positions that were begun are finished, and infantry far behind loads onto Trucks.
    pub fn prepare(&self, draft: &mut Draft) {
        let rules = &*draft.staff.rules;
        let units: Vec<UnitId> = rules.on_map(&draft.w, draft.side).collect();
        for unit in units {
            let Some(hex) = draft.w.unit(unit).hex() else { continue };
            if rules.counter(unit).mechanized || rules.counter(unit).artillery || draft.unforeseen {
                continue;
            }
            let bound = draft.staff.weights.markers > 0.0 && self.bound.contains(&unit);
            let free = !self.busy.contains(&unit) && !bound;
            let far = self.distance[hex.index()] >= TRUCKS_FROM && free;
            let wanted = draft.options(unit).into_iter().find(|action| match action {
                Action::Finish { .. } => true,
                Action::Load { .. } => far,
                _ => false,
            });
            if let Some(action) = wanted {
                draft.act(action);
            }
        }
    }

    /// 25.33: strong stacks near the enemy that have nothing to attack now will fight at night, and again in the
    /// morning.
    pub fn mark_for_night(&mut self, draft: &mut Draft) {
        let rules = &*draft.staff.rules;
        let pm = rules.pack.turn(draft.w.turn).is_some_and(::ardennes::pack::Turn::night_follows);
        if !pm || draft.w.night || draft.side == Side::Allied {
            return;
        }
        let mut stacks: Vec<(f32, HexId)> = Vec::new();
        for hex in draft.w.held(draft.side) {
            let distance = self.distance[hex.index()];
            let mut strength = 0.0;
            for unit in draft.w.stack(hex).filter(|u| !self.busy.contains(u)) {
                let counter = rules.counter(unit);
                let reach = if counter.mechanized { 4 } else { 2 };
                if !counter.artillery && distance <= reach && !draft.w.unit(unit).is(Flags::MOVED) {
                    strength += f32::from(rules.factors(&draft.w, unit).attack);
                }
            }
            let (pull, _) = self.pull(draft, hex, true);
            if strength >= NIGHT_STRENGTH {
                stacks.push((strength * (0.3 + pull), hex));
            }
        }
        stacks.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, hex) in stacks.into_iter().take(3) {
            let units: Vec<UnitId> = draft.w.stack(hex).filter(|u| !self.busy.contains(u)).collect();
            let fit = |u: &UnitId| {
                rules.may_mark_night(&draft.w, draft.side, &[*u]).is_ok() && !rules.counter(*u).artillery
            };
            let fit: ::ardennes::action::Units = units.iter().copied().filter(|u| fit(u)).collect();
            if !fit.is_empty() && draft.act(Action::Night { units: fit }) {
                self.busy.extend(fit.iter().copied());
            }
        }
    }

    /// Units at the front first, units off the map last.
    fn urgency(&self, rules: &Ardennes, s: &State, unit: UnitId) -> u32 {
        let counter = rules.counter(unit);
        let far = s.unit(unit).hex().map_or(u32::from(FAR) + 1, |hex| u32::from(self.distance[hex.index()]));
        far * 4 + if counter.artillery { 50 } else { 0 } + u32::from(!counter.mechanized)
    }

    /// Every place where the unit could be at the end of the phase; staying comes first.
    pub fn places(&self, draft: &Draft, unit: UnitId) -> Vec<(HexId, Option<Action>)> {
        let mut places = Vec::new();
        let here = draft.w.unit(unit).hex().filter(|_| self.leaves != Some(unit));
        if let Some(hex) = here {
            places.push((hex, None));
        }
        let mut dig = None;
        for action in draft.options(unit) {
            match action {
                Action::Move(Move { to, out: false, .. }) => places.push((to, Some(action))),
                Action::Place { hex, .. } | Action::Drop { hex, .. } => places.push((hex, Some(action))),
                Action::Dig { .. } => dig = Some(action),
                _ => {}
            }
        }
        // 15.8: a unit that stays under threat digs in.
        if let (Some(hex), Some(dig)) = (here, dig)
            && self.menace[hex.index()] > 0.0
            && draft.staff.rules.land.hex(hex).dcb[draft.side.index()] < 2
        {
            places[0].1 = Some(dig);
        }
        places
    }

    /// Staying in place, digging in if that helps.
    fn stay(&self, draft: &Draft, unit: UnitId) -> Option<Post> {
        let here = draft.w.unit(unit).hex()?;
        let (hex, action) = *self.places(draft, unit).first().filter(|(hex, _)| *hex == here)?;
        Some(Post { action, hex, score: 0.0 })
    }

    /// How near a hex is to what the side wants or must guard, and to which aim.
    fn pull(&self, draft: &Draft, hex: HexId, mechanized: bool) -> (f32, usize) {
        let mut best = (0.0, usize::MAX);
        for (index, aim) in draft.staff.lore.aims.iter().enumerate() {
            let german = draft.w.control(aim.hex) == Side::German;
            if german && draft.side == Side::German {
                continue;
            }
            let wanted = match draft.side {
                // What can still be reached counts more than what is too far away.
                Side::German => {
                    0.5 * self.picture.focus[index] * aim.wanted(0.35, 0.65) * draft.plan.sectors[aim.sector]
                        + 0.6 * self.picture.open[index]
                }
                Side::Allied => self.picture.open[index] + if german { 0.1 } else { 0.0 },
            };
            let near = match &self.ways {
                Some(ways) => ways.near(mechanized, index, hex),
                None => aim.near[hex.index()],
            };
            let crowd = draft.staff.weights.crowd * self.picture.focus[index];
            let pull = near * wanted / (1.0 + self.care[index] / crowd);
            if pull > best.0 {
                best = (pull, index);
            }
        }
        best
    }

    fn look_after(&mut self, draft: &Draft, unit: UnitId, hex: HexId) {
        let (_, aim) = self.pull(draft, hex, draft.staff.rules.counter(unit).mechanized);
        if let Some(care) = self.care.get_mut(aim) {
            let factors = draft.staff.rules.factors(&draft.w, unit);
            *care += f32::from(if draft.side == Side::German { factors.attack } else { factors.defense });
        }
    }

    /// The loss that the side risks with the unit there.
    fn risk(&self, draft: &Draft, unit: UnitId, hex: HexId) -> f32 {
        let menace = self.menace[hex.index()].min(20.0);
        if menace <= 0.0 {
            return 0.0;
        }
        let (rules, s) = (&*draft.staff.rules, &draft.w);
        let own = f32::from(rules.factors(s, unit).defense);
        let here = s.unit(unit).hex() == Some(hex);
        let mates: f32 = s
            .stack(hex)
            .filter(|u| *u != unit && rules.counter(*u).side == draft.side)
            .map(|u| f32::from(rules.factors(s, u).defense))
            .sum();
        let mut bonus = f32::from(rules.land.hex(hex).dcb[draft.side.index()]);
        if here && s.improved.contains(hex) {
            bonus = bonus.max(2.0);
        }
        let defense = own + mates + bonus.min(own + mates);
        let odds = menace / defense.max(1.0);
        let loss = ((odds - 1.2) / 6.0).clamp(0.0, 0.6);
        draft.plan.caution * self.life * draft.staff.weights.risk * loss * 0.5 * worth(rules, s, unit)
    }

    fn common(&self, draft: &Draft, unit: UnitId, hex: HexId, action: Option<Action>) -> f32 {
        let (rules, s) = (&*draft.staff.rules, &draft.w);
        let mut score = -self.risk(draft, unit, hex);
        if !self.supplied.contains(hex) {
            score -= draft.staff.weights.cut_off;
        }
        if let Some(Action::Move(Move { mode: Mode::Strategic | Mode::Truck, .. })) = action
            && self.distance[hex.index()] < 3
        {
            score -= 2.0; // 12.5
        }
        let enemy_hex = s.control(hex) != draft.side;
        for (aim, danger) in draft.staff.lore.aims.iter().zip(&self.danger) {
            if aim.hex == hex {
                let mine = draft.staff.weights.hex * aim.weight;
                let alone = s.stack(hex).all(|other| other == unit);
                score += match (enemy_hex, alone) {
                    (true, _) => 0.8 * mine,
                    (false, true) => draft.plan.hold * draft.staff.weights.garrison * danger * mine,
                    (false, false) => 0.0,
                };
            }
        }
        if rules.land.hex(hex).has_road() && rules.counter(unit).mechanized {
            score += 0.15;
        }
        score
    }

    fn advance(&self, draft: &Draft, unit: UnitId) -> Option<Post> {
        let (rules, weights) = (&*draft.staff.rules, &draft.staff.weights);
        let attack = f32::from(rules.factors(&draft.w, unit).attack);
        let mechanized = rules.counter(unit).mechanized;
        let left = f32::from(rules.scenario.last_turn.saturating_sub(draft.w.turn));
        let mut posts: Vec<Post> = Vec::new();
        let places = self.places(draft, unit);
        // 27.2: paratroopers who land far ahead of everybody else are lost, and what they take has no road to a source (30.1).
        let drops = places.iter().any(|(_, action)| matches!(action, Some(Action::Drop { .. })));
        let relief = (drops && weights.relief > 0.0)
            .then(|| Field::within(draft.staff, &draft.w, Side::German, LONGEST_WAIT));
        for (hex, action) in places {
            let pull = self.pull(draft, hex, mechanized).0.max(self.way_out(draft, mechanized, hex, left));
            let mut score = self.common(draft, unit, hex, action)
                + (weights.march + weights.march_attack * attack) * pull;
            if let Some(relief) = &relief {
                score -= weights.relief * (f32::from(relief.at(hex)) / f32::from(TURN)).min(LONGEST_WAIT);
            }
            // A unit adjacent to the enemy pins it and can attack next turn.
            if self.distance[hex.index()] == 1 {
                score += weights.contact;
            }
            posts.push(Post { action, hex, score });
        }
        posts.sort_by(|a, b| b.score.total_cmp(&a.score));
        if let Some(out) = self.leave(draft, unit, attack)
            && posts.first().is_none_or(|post| out.score > post.score)
        {
            return Some(out);
        }
        let looks = match draft.staff.lore.decisive {
            _ if draft.plan.quick => 1,
            true => weights.far_looks as usize,
            false => weights.looks_german as usize,
        };
        let here = draft.w.unit(unit).hex();
        let stay = posts.iter().skip(looks).find(|post| here == Some(post.hex)).copied();
        posts.truncate(looks);
        if looks > 1 && weights.expose > 0.0 && draft.staff.lore.decisive {
            posts.extend(stay); // 30.3: it may be what blocks the way.
        }
        if posts.len() < 2 {
            return posts.first().copied();
        }
        let mut best: Option<Post> = None;
        for mut post in posts {
            let mut after = taken(draft, unit, post.hex);
            if weights.follow > 0.0 {
                clear(rules, &mut after, &self.beaten);
            }
            let german = value::german(draft.staff, &after);
            post.score = weights.rough_german * post.score + german;
            if best.is_none_or(|other| post.score > other.score) {
                best = Some(post);
            }
        }
        best
    }

    /// Attraction of the edge where units may exit, if there is time to get there (31.2).
    fn way_out(&self, draft: &Draft, mechanized: bool, hex: HexId, left: f32) -> f32 {
        let turns = self.ways.as_ref().and_then(|ways| ways.turns_out(mechanized, hex));
        let weights = &draft.staff.weights;
        turns.map_or(0.0, |turns| {
            let in_time = 1.0 / (1.0 + (-2.0 * (value::time_to_advance(weights, left) - turns)).exp());
            weights.exit * in_time * (-turns / weights.fade).exp()
        })
    }

    /// Exiting the map, if that is what the unit can do for victory (11.9, 31.2).
    fn leave(&self, draft: &Draft, unit: UnitId, attack: f32) -> Option<Post> {
        let VictoryRule::Points { exit_attack, .. } = draft.staff.rules.scenario.victory else { return None };
        if exit_attack == 0 {
            return None;
        }
        let score = 0.8 * draft.staff.weights.hex * attack / f32::from(exit_attack);
        draft.options(unit).into_iter().find_map(|action| match action {
            Action::Move(Move { to, out: true, .. }) if self.supplied.contains(to) => {
                Some(Post { action: Some(action), hex: to, score })
            }
            _ => None,
        })
    }

    fn defend(&mut self, draft: &Draft, unit: UnitId) -> Option<Post> {
        let (rules, weights) = (&*draft.staff.rules, &draft.staff.weights);
        let defense = f32::from(rules.factors(&draft.w, unit).defense);
        let mut posts: Vec<Post> = Vec::new();
        for (hex, action) in self.places(draft, unit) {
            let (pull, _) = self.pull(draft, hex, false);
            let around: f32 = rules.land.neighbours(hex).map(|n| self.picture.flow[n.index()]).sum();
            let block = 1.2 * self.picture.flow[hex.index()] + 0.4 * around;
            let mut score = self.common(draft, unit, hex, action)
                + draft.plan.hold * weights.block * block.min(4.0)
                + (weights.guard + weights.guard_defense * defense) * pull;
            if self.menace[hex.index()] > 0.0 {
                score += weights.cover * f32::from(rules.land.hex(hex).dcb[Side::Allied.index()]);
                score += weights.bonds * bonds_with(rules, &draft.w, draft.side, unit, hex);
                if weights.line > 0.0 {
                    let closed = line::closed(rules, &draft.w, draft.side, unit, hex, &self.picture.flow);
                    score += draft.plan.hold * weights.line * closed.min(LONGEST_LINE);
                }
                if draft.w.unit(unit).hex() == Some(hex) && draft.w.improved.contains(hex) {
                    score += draft.plan.hold * weights.dug_in;
                }
            }
            posts.push(Post { action, hex, score });
        }
        posts.sort_by(|a, b| b.score.total_cmp(&a.score));
        // Far from the enemy and its paths a quick evaluation is enough.
        let quiet = |post: &Post| {
            self.menace[post.hex.index()] <= 0.0
                && self.picture.flow[post.hex.index()] <= 0.0
                && draft.w.control(post.hex) == draft.side
        };
        let glance = draft.plan.quick || posts.iter().take(weights.looks_allied as usize).all(quiet);
        posts.truncate(if glance { 1 } else { weights.looks_allied as usize });
        if let [post] = posts[..] {
            // The enemy's paths change only where a unit has moved in.
            if draft.w.unit(unit).hex() != Some(post.hex) && self.picture.flow[post.hex.index()] > 0.0 {
                let mut after = draft.w;
                rules.put(&mut after, unit, Place::Hex(post.hex));
                self.picture = Picture::new(draft.staff, &after, draft.plan);
            }
            return Some(post);
        }
        let mut best: Option<(Post, Field)> = None;
        for mut post in posts {
            let after = taken(draft, unit, post.hex);
            let field = Field::new(draft.staff, &after, Side::German);
            let german = value::with_field(draft.staff, &after, &field);
            post.score = weights.rough * post.score - draft.plan.hold * german;
            if best.as_ref().is_none_or(|(other, _)| post.score > other.score) {
                best = Some((post, field));
            }
        }
        let (post, field) = best?;
        self.picture = Picture::with(draft.staff, &draft.w, draft.plan, &field);
        Some(post)
    }

    /// Artillery: in range of the enemy but not adjacent, and no pointless move that keeps it from firing (22).
    fn battery(&self, draft: &Draft, unit: UnitId) -> Option<Post> {
        let rules = &*draft.staff.rules;
        let counter = rules.counter(unit);
        let here = draft.w.unit(unit).hex();
        let mut best: Option<Post> = None;
        for (hex, action) in self.places(draft, unit) {
            let distance = self.distance[hex.index()];
            let mut score = self.common(draft, unit, hex, action);
            score += match distance {
                0 | 1 => -3.0,
                d if d <= counter.range.saturating_sub(1) => 3.0 - 0.1 * f32::from(d),
                d => 2.5 - 0.35 * f32::from(d),
            };
            if Some(hex) != here {
                score -= 0.6;
                let ready = !draft.w.unit(unit).is(Flags::FIRED);
                let shifts = here.is_some_and(|from| rules.distance(from, hex) == 1);
                if ready && !shifts {
                    score -= 1.0; // 22.1, 22.3
                }
            }
            if best.is_none_or(|post| score > post.score) {
                best = Some(Post { action, hex, score });
            }
        }
        best
    }
}

/// Removes all units from these hexes.
fn clear(rules: &Ardennes, s: &mut State, hexes: &[HexId]) {
    for hex in hexes {
        while let Some(unit) = s.stack(*hex).next() {
            rules.put(s, unit, Place::Dead);
        }
    }
}

/// The position with a unit in another hex.
fn taken(draft: &Draft, unit: UnitId, hex: HexId) -> State {
    let mut after = draft.w;
    if draft.w.unit(unit).hex() != Some(hex) {
        draft.staff.rules.put(&mut after, unit, Place::Hex(hex));
        after.set_control(hex, draft.side);
    }
    after
}

/// How likely each German aim is lost again if all units without another task left it.
fn abandoned(draft: &Draft, busy: &[UnitId]) -> Vec<f32> {
    let rules = &*draft.staff.rules;
    let mut after = draft.w;
    for aim in draft.staff.lore.aims.iter().filter(|aim| draft.w.control(aim.hex) == Side::German) {
        for unit in draft.w.stack(aim.hex).filter(|unit| !busy.contains(unit)) {
            rules.put(&mut after, unit, Place::Dead);
        }
    }
    value::dangers(draft.staff, &after)
}

/// ZOC Bonds that the unit would form from a hex (10.1).
fn bonds_with(rules: &Ardennes, s: &State, side: Side, unit: UnitId, hex: HexId) -> f32 {
    let mut bonds: f32 = 0.0;
    let alone = |at: HexId| s.stack(at).all(|u| u == unit);
    for d in 0..6 {
        let Some(middle) = rules.land.edges(hex)[d].to.some() else { continue };
        for far in [rules.land.edges(middle)[d].to, rules.land.edges(middle)[(d + 1) % 6].to] {
            if let Some(far) = far.some()
                && s.bonding(side).contains(far)
                && !alone(far)
            {
                bonds += 1.0;
            }
        }
    }
    bonds.min(2.0)
}

#[cfg(test)]
mod tests {
    use zocbond::System;

    use super::*;
    use crate::ardennes::areas::tests::campaign;

    // rule: 10.1
    #[test]
    fn a_bond_closes_the_path_between_two_units() {
        let (staff, mut s) = campaign();
        let rules = &*staff.rules;
        let free = |unit: &UnitId| {
            let counter = rules.counter(*unit);
            s.unit(*unit).hex().is_none() && !counter.artillery && !counter.silhouette
        };
        let units: Vec<UnitId> = rules.units_of(Side::Allied).filter(free).take(2).collect();
        let topology = rules.topology();
        let ends = |hex: HexId| {
            let middle = topology.around(hex)[0];
            let far = if middle == HexId::NONE { middle } else { topology.around(middle)[0] };
            (hex, middle, far)
        };
        let empty =
            |hex: HexId| hex != HexId::NONE && !s.occupied(hex) && !s.near(Side::Allied).contains(hex);
        let (here, middle, far) = topology
            .in_play()
            .iter()
            .map(ends)
            .find(|(here, middle, far)| {
                [*here, *middle, *far].into_iter().all(empty) && rules.bond_axes(&s, *middle) & 1 == 1
            })
            .expect("open ground");
        let mut flow = vec![0.0; topology.len().max(rules.map.board.len())];
        flow[middle.index()] = 2.0;
        let by = |s: &State| line::closed(rules, s, Side::Allied, units[0], here, &flow);
        assert_eq!(by(&s), 0.0, "a unit alone closes nothing");
        rules.put(&mut s, units[1], Place::Hex(far));
        assert_eq!(by(&s), 2.0, "two hexes apart");
        let mut close = s;
        rules.put(&mut close, units[0], Place::Hex(far));
        rules.put(&mut close, units[1], Place::Dead);
        assert_eq!(by(&close), 0.0, "not with itself");
    }
}
