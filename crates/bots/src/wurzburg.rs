//! The mind for Air & Armor: Würzburg: the value of a position, for the baseline that looks one decision ahead.

mod odds;
mod script;
mod ways;
mod worth;

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, Mutex},
};

use ::wurzburg::{
    Wurzburg,
    action::Action,
    pack::VictoryWhat,
    play::{seat as seat_of, side},
    state::{Flags, State},
    units::{OpKind, Side, UnitId},
};
use hexgrid::HexId;
use kernel::{Erased, Rules, Seat, Table, Viewer};
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

use crate::{Bot, Choice, Level, Mind, Thought, Watch};

/// The game's id in the catalogue.
pub const GAME: &str = "wurzburg";

/// The value of a victory point, and of a game that is won.
const POINT: f32 = 10.0;
const WON: f32 = 10_000.0;
/// One hex nearer to a goal, for each step of a unit.
const PACE: f32 = 0.12;
/// One hex nearer to the objective, for a unit of an attack.
const CLOSE_IN: f32 = 0.6;
/// An operation carried out, a formation activated, an attack planned: to avoid idleness.
const ACT: f32 = 0.4;
/// The value of a step that an attack might destroy, before it is fired.
const PROMISE: f32 = 3.0;
/// A step next to the enemy in the open.
const EXPOSED: f32 = 0.15;

/// A hex that the Warsaw Pact wants to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Goal {
    hex: HexId,
    /// What it scores: for holding it, or for each step that gets there.
    points: f32,
    /// If true, the side that holds it scores; otherwise each step that leaves the map there or is there scores.
    holds: bool,
}

#[derive(Debug)]
pub struct Staff {
    rules: Arc<Wurzburg>,
    goals: Vec<Goal>,
    /// The ways in the position looked at last.
    kept: Mutex<Option<(u64, Arc<ways::Ways>)>>,
}

fn steps(s: &State, unit: UnitId) -> f32 {
    f32::from(s.unit(unit).steps)
}

impl Staff {
    /// Hits that the participants near the objective might score, in steps of its strongest defender.
    fn promise(&self, s: &State) -> f32 {
        let Some(hex) = s.op.objective.some() else { return 0.0 };
        let rules = &*self.rules;
        let near = |unit: &UnitId| rules.field.distance(s.unit(*unit).hex, hex) <= 1;
        let fire: f32 =
            s.op.members
                .iter()
                .filter(|unit| s.unit(*unit).on_map() && near(unit))
                .map(|unit| f32::from(rules.counter(unit).attack) * steps(s, unit) / 2.0)
                .sum();
        let defenders = rules.stack(s, s.op.side.enemy(), hex);
        let strongest = defenders
            .iter()
            .map(|unit| rules.defense(s, *unit, ::wurzburg::fire::FireKind::Offensive))
            .max()
            .unwrap_or(0);
        if strongest == 0 { 0.0 } else { (fire / f32::from(strongest)).min(4.0) }
    }

    /// The value of a side's position, apart from points.
    fn stand(&self, s: &State, side: Side) -> f32 {
        let rules = &*self.rules;
        let ways = self.ways(s);
        let mut sum = 0.0;
        for unit in rules.units_of(side) {
            let u = s.unit(*unit);
            if !u.on_map() {
                continue;
            }
            if rules.counter(*unit).symbol.maneuver() {
                sum -= PACE * steps(s, *unit) * ways.far(u.hex).min(20.0);
                let close = rules.field.terrain(u.hex).close();
                if !close && rules.next_to(s, u.hex, side.enemy()) {
                    sum -= EXPOSED * steps(s, *unit);
                }
            }
            if u.is(Flags::USED) {
                sum += ACT * 0.1;
            }
        }
        for (n, f) in s.formations.iter().enumerate() {
            let id = ::wurzburg::units::FormationId(n as u8);
            if rules.formation(id).side == side {
                sum += ACT * f32::from(u8::from(f.activated));
                sum += ACT * f32::from(u8::from(f.plan.kind != OpKind::March));
            }
        }
        if s.op.side == side && !s.op.members.is_empty() {
            sum += ACT;
            sum += PROMISE * self.promise(s);
            if let Some(hex) = s.op.objective.some() {
                for unit in s.op.members.iter().filter(|unit| s.unit(*unit).on_map()) {
                    let far = rules.field.distance(s.unit(unit).hex, hex).min(12) as f32;
                    sum -= CLOSE_IN * (far - 1.0).max(0.0) * 0.2 * steps(s, unit).min(3.0);
                }
                sum += ACT;
            }
        }
        sum
    }
}

impl Mind for Staff {
    type Rules = Wurzburg;
    type Plan = ();
    type Numbers = ();
    const POINT: f32 = POINT;

    fn with(rules: Arc<Wurzburg>, (): ()) -> Staff {
        let mut goals: Vec<Goal> = Vec::new();
        for rule in &rules.scenario.victory {
            let goal = |hex, holds| Goal { hex, points: f32::from(rule.points), holds };
            let zone = |id| rules.scenario.zone(id);
            match &rule.what {
                VictoryWhat::Control { hexes } | VictoryWhat::ControlAll { hexes } => {
                    goals.extend(hexes.iter().map(|hex| goal(*hex, true)));
                }
                VictoryWhat::Exit { zone: id } | VictoryWhat::RegionSteps { zone: id }
                    if rule.side == Side::Wp =>
                {
                    goals.extend(zone(id).iter().flat_map(|zone| zone.iter()).map(|hex| goal(hex, false)));
                }
                _ => {}
            }
        }
        goals.retain(|goal| rules.area.contains(goal.hex));
        Staff { rules, goals, kept: Mutex::default() }
    }

    fn rules(&self) -> &Arc<Wurzburg> {
        &self.rules
    }

    fn value(&self, s: &State, seat: Seat) -> f32 {
        let me = side(seat);
        if let Some(ending) = s.ending {
            let sign = match ending.winner {
                Some(winner) if winner == me => 1.0,
                Some(_) => -1.0,
                None => 0.0,
            };
            return sign * WON;
        }
        let points = |side| self.rules.score(s, side).total() as f32;
        let mine = POINT * (points(me) - points(me.enemy()));
        mine + self.stand(s, me) - self.stand(s, me.enemy())
    }

    /// 11.2, 12.3: hidden steps are spread evenly over the unknown counters; hidden plans are assumed to be Marches.
    fn make_plausible(&self, s: &mut State, seat: Seat, _: &mut dyn RngCore) {
        let rules = &*self.rules;
        let viewer = Viewer::Seat(seat);
        let known: Vec<bool> = s.ids().map(|unit| rules.knows_steps(s, viewer, unit)).collect();
        for pool in &rules.pools {
            let hidden: Vec<UnitId> =
                pool.units.iter().copied().filter(|u| s.unit(*u).on_map() && !known[u.index()]).collect();
            let mut left: u8 = hidden.iter().map(|unit| s.unit(*unit).steps).sum();
            let mut places = hidden.len() as u8;
            for unit in hidden {
                let share = left.div_ceil(places.max(1));
                s.unit_mut(unit).steps = share;
                left -= share;
                places -= 1;
            }
        }
        if side(seat) == Side::Nato {
            for n in 0..s.formations.len() as u8 {
                let id = ::wurzburg::units::FormationId(n);
                if !rules.knows_plan(s, viewer, id) {
                    s.formation_mut(id).plan = ::wurzburg::state::Plan::default();
                }
            }
        }
        s.stamp.renew();
    }

    fn fingerprint(&self, s: &State) -> u64 {
        let mut hasher = DefaultHasher::new();
        for u in &s.units {
            (u.hex, u.steps, u.flags.0, u.mp).hash(&mut hasher);
        }
        (s.turn, s.frames.len(), s.op.moved.len()).hash(&mut hasher);
        hasher.finish()
    }

    fn usual(&self, _: Level) {}

    fn in_haste(&self, (): &()) {}

    fn plans(&self, _: &State, _: Seat, (): &(), _: usize, _: &mut dyn RngCore, _: &mut Vec<()>) {}

    fn script(&self, s: &State, seat: Seat, (): &(), rng: &mut dyn RngCore, out: &mut Vec<Thought<Action>>) {
        let (mut subjects, mut options) = (Vec::new(), Vec::new());
        self.rules.subjects(s, seat, &mut subjects);
        for subject in subjects {
            self.rules.options(s, seat, subject, &mut options);
        }
        if let Some(action) = self.thumb(s, side(seat), &options) {
            out.push(Thought::plain(action));
            return;
        }
        let mut best: Option<(f32, Action)> = None;
        for action in options {
            let Some(value) = crate::search::expected(self, s, seat, &action, rng) else { continue };
            if best.as_ref().is_none_or(|(most, _)| value > *most) {
                best = Some((value, action));
            }
        }
        out.extend(best.map(|(_, action)| Thought::plain(action)));
    }

    fn outlook(&self, s: &State, seat: Seat, (): &()) -> f32 {
        self.value(s, seat)
    }

    fn die(&self) -> Option<u8> {
        Some(10)
    }

    fn judged(&self, start: &State, now: &State, _: u8) -> bool {
        now.turn > start.turn
    }
}

/// Decides by rules of thumb where it has one, and otherwise by the value of the resulting position.
#[derive(Debug)]
pub struct Officer {
    rng: ChaCha8Rng,
    mind: Option<Staff>,
    /// The turn, and decisions made in it.
    turn: (u16, u32),
}

/// Options that it evaluates for one decision, and decisions in a turn after which it chooses at random.
const LOOKS: usize = 200;
const PATIENCE: u32 = 1500;

impl Officer {
    pub fn new(seed: u64) -> Officer {
        Officer { rng: ChaCha8Rng::seed_from_u64(seed), mind: None, turn: (0, 0) }
    }

    /// At another table everything is studied again.
    fn sit_down(&mut self, rules: &Arc<Wurzburg>) {
        if !self.mind.as_ref().is_some_and(|mind| Arc::ptr_eq(&mind.rules, rules)) {
            self.mind = Some(Staff::study(Arc::clone(rules)));
        }
    }
}

impl Bot for Officer {
    fn worth(&mut self, table: &dyn Table, seat: Seat) -> Option<f64> {
        let erased = table.as_any().downcast_ref::<Erased<Wurzburg>>()?;
        self.sit_down(&erased.rules);
        crate::player::judged(self.mind.as_ref()?, table, &erased.state, seat)
    }

    fn ponder(&mut self, table: &dyn Table, seat: Seat, watch: &Watch<'_>) -> Option<Choice> {
        let erased = table.as_any().downcast_ref::<Erased<Wurzburg>>()?;
        self.sit_down(&erased.rules);
        let turn = table.turn();
        self.turn = if self.turn.0 == turn { (turn, self.turn.1 + 1) } else { (turn, 1) };
        let plain = |action: String| Some(Choice { action, why: None });
        // In a hurry it plays many positions out: the decisions are not those of one game.
        if self.turn.1 > PATIENCE && !watch.stopped() {
            return plain(table.random_action(seat, &mut self.rng)?);
        }
        let mind = self.mind.as_ref()?;
        let state = mind.believed(&erased.state, seat, &mut self.rng);
        let (mut subjects, mut options) = (Vec::new(), Vec::new());
        mind.rules.subjects(&state, seat, &mut subjects);
        for subject in subjects {
            mind.rules.options(&state, seat, subject, &mut options);
        }
        let thumb = mind.thumb(&state, side(seat), &options);
        // A guess may be wrong, so the real table has the last word.
        let legal = |action: &Action| erased.rules.verdict(&erased.state, seat, action).is_legal();
        let action = thumb
            .filter(legal)
            .or_else(|| crate::greedy::best(mind, &state, seat, LOOKS, &mut self.rng, watch).filter(legal));
        match action {
            Some(action) => plain(erased.rules.notate(&erased.state, &action)),
            None => plain(table.random_action(seat, &mut self.rng)?),
        }
    }
}

/// The lead of the Warsaw Pact in points. None for a table of another game.
pub fn score(table: &dyn Table) -> Option<f32> {
    let erased = table.as_any().downcast_ref::<Erased<Wurzburg>>()?;
    let [wp, nato] = Side::ALL.map(|side| erased.rules.score(&erased.state, side).total());
    debug_assert_eq!(seat_of(Side::Wp), Seat(0));
    Some((wp - nato) as f32)
}
