//! The staff: the mind that plays both sides of Holland '44.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use ::holland::{
    Action, Holland, State,
    event::side_of,
    frame::{Frame, Phase},
    pack::Side,
    state::Marks,
};
use kernel::Seat;
use rand_core::RngCore;
use zocbond::Piece;

use super::{
    duties,
    lore::Lore,
    manoeuvre,
    plan::{Pick, Plan},
    sight, value,
    weights::Weights,
};
use crate::{
    Level, Mind, Thought,
    search::{self, Effort, Polish},
};

/// Half of what winning on the last turn counts for in a trial.
const DECIDED: f32 = 40.0;

/// The game's id in the catalogue.
pub const GAME: &str = "holland44";

#[derive(Debug)]
pub struct Staff {
    pub(super) rules: Arc<Holland>,
    pub(super) lore: Lore,
    pub(super) weights: Weights,
}

pub(super) type Script = Vec<Thought<Action>>;

/// Share of the time for a Movement Phase that one decision in combat may take.
const ANSWERING: f32 = 0.1;

impl Staff {
    /// The small scenarios are so short that every trial can be played to the end.
    fn is_small(&self) -> bool {
        self.lore.beyond.is_none()
    }

    /// Are trials played to the end with so many turns to go?
    fn is_close(&self, left: f32) -> bool {
        self.is_small() || left <= self.weights.to_end
    }
}

impl Mind for Staff {
    type Rules = Holland;
    type Plan = Plan;
    type Numbers = Weights;

    fn numbers(level: Level) -> Weights {
        let usual = Weights::default();
        match level {
            // Tries out plans, and on the last two turns of a small scenario every unit's move and answers in combat.
            Level::Veteran => Weights {
                plans: 6.0,
                finalists: 6.0,
                depth: 2.0,
                answers: 3.0,
                ending: 2.0,
                tries: 6.0,
                others: 1.0,
                seconds: 6.0,
                polishing: 4.0,
                ..usual
            },
            // The same in every turn, with more plans, places and trials.
            Level::Elite => Weights {
                plans: 8.0,
                finalists: 8.0,
                rounds: 2.0,
                depth: 2.0,
                answers: 5.0,
                to_end: 2.0,
                tries: 8.0,
                others: 2.0,
                seconds: 8.0,
                polishing: 8.0,
                ..usual
            },
            _ => usual,
        }
    }

    fn with(rules: Arc<Holland>, weights: Weights) -> Staff {
        let lore = Lore::new(&rules, &weights);
        Staff { rules, lore, weights }
    }

    fn rules(&self) -> &Arc<Holland> {
        &self.rules
    }

    fn value(&self, s: &State, seat: Seat) -> f32 {
        let allied = value::allied(self, s);
        if side_of(seat) == Side::Allied { allied } else { -allied }
    }

    fn fingerprint(&self, s: &State) -> u64 {
        let mut hasher = DefaultHasher::new();
        (s.turn, s.frames.len(), s.points, s.left, s.air).hash(&mut hasher);
        if let Some(Frame::Phase(side, phase)) = s.frames.first() {
            (side.index(), *phase as u8).hash(&mut hasher);
        }
        for unit in self.rules.units() {
            let u = s.unit(unit);
            (u.hex().map(|hex| hex.0), u.marks.0, u.lost, u.order as u8, u.oos).hash(&mut hasher);
        }
        for marker in &s.traffic {
            marker.hex().map(|hex| hex.0).hash(&mut hasher);
        }
        hasher.finish()
    }

    fn usual(&self, level: Level) -> Plan {
        let Weights { caution, drive, hold, rough, .. } = self.weights;
        let quick = level < Level::Regular;
        Plan { caution, drive, hold, rough, eager: 1.0, patience: 0.0, quick, pick: Pick::Usual }
    }

    fn effort(&self, _: Level) -> Option<Effort> {
        let weights = &self.weights;
        let (plans, finalists) = (weights.plans as usize, weights.finalists as usize);
        (plans >= 2).then(|| Effort {
            rounds: weights.rounds as u32,
            depth: weights.depth as u8,
            ..Effort::comparing(plans, finalists, weights.seconds)
        })
    }

    fn effort_at(&self, level: Level, s: &State) -> Option<Effort> {
        let effort = self.effort(level)?;
        if matches!(s.frame(), Frame::Phase(_, Phase::Movement)) {
            return Some(effort);
        }
        Some(Effort { rounds: 1, time: effort.time.mul_f32(ANSWERING), ..effort })
    }

    fn faith(&self, start: &State) -> f32 {
        // The prospects of an answer in combat say nothing about its dice.
        if matches!(start.frame(), Frame::Phase(_, Phase::Movement)) { self.weights.faith } else { 0.0 }
    }

    fn in_haste(&self, plan: &Plan) -> Plan {
        Plan { quick: plan.quick || self.weights.haste > 0.0, pick: Pick::Usual, ..*plan }
    }

    fn plans(
        &self,
        s: &State,
        seat: Seat,
        usual: &Plan,
        width: usize,
        rng: &mut dyn RngCore,
        out: &mut Vec<Plan>,
    ) {
        let side = side_of(seat);
        let begun = sight::army(s, side).into_iter().any(|unit| s.unit(unit).has(Marks::MOVED));
        let left = value::turns_left(&self.rules, s, side);
        if self.is_small() && left > self.weights.ending {
            return;
        }
        match s.frame() {
            Frame::Phase(_, Phase::Movement) if !begun => usual.variants(width, rng, out),
            frame if self.weights.answers >= 2.0 && self.is_close(left) && duties::has_answers(frame) => {
                let few = Pick::ALL.into_iter().take(self.weights.answers as usize);
                out.extend(few.map(|pick| Plan { pick, ..*usual }));
            }
            _ => {}
        }
    }

    fn script(&self, s: &State, seat: Seat, plan: &Plan, rng: &mut dyn RngCore, out: &mut Script) {
        duties::decide(self, s, seat, plan, rng, out);
    }

    fn outlook(&self, s: &State, seat: Seat, usual: &Plan) -> f32 {
        self.value(s, seat) + manoeuvre::promise(self, s, side_of(seat), usual)
    }

    fn die(&self) -> Option<u8> {
        Some(6)
    }

    /// A game that is decided on its last turn is worth more the clearer it is: few trials are won by one plan and lost
    /// by another.
    fn judge(&self, s: &State, seat: Seat, _: f32) -> f32 {
        match s.winner {
            Some((winner, _)) => {
                let won = if winner == Side::Allied { DECIDED } else { -DECIDED };
                let allied = if s.turn >= self.rules.scenario.last_turn {
                    won + self.weights.hex * value::score(&self.rules, s)
                } else {
                    won + value::Judgement::new(self, s).total(self, s)
                };
                if side_of(seat) == Side::Allied { allied } else { -allied }
            }
            _ => self.value(s, seat),
        }
    }

    fn neighbours(&self, s: &State, seat: Seat, script: &[Thought<Action>], out: &mut Vec<Script>) {
        let left = value::turns_left(&self.rules, s, side_of(seat));
        if self.is_close(left) && *s.frame() == Frame::Phase(side_of(seat), Phase::Movement) {
            manoeuvre::neighbours(self, s, side_of(seat), script, out);
        }
    }

    fn polish(&self, _: Level) -> Option<Polish> {
        let weights = &self.weights;
        (weights.tries >= 1.0).then_some(Polish {
            tries: weights.tries as u32,
            sweeps: weights.sweeps as u32,
            depth: weights.depth as u8,
            runs: u32::MAX,
            time: search::time_limit(weights.polishing),
        })
    }

    fn judged(&self, start: &State, now: &State, depth: u8) -> bool {
        let left = |side: Side| value::turns_left(&self.rules, start, side);
        if self.is_close(left(Side::Allied).max(left(Side::German))) {
            return false;
        }
        // A player turn is half a step: with depth 1 the enemy's reply is seen, with 2 one's own next turn.
        let half = |s: &State| {
            let german = matches!(s.frames.first(), Some(Frame::Phase(Side::German, _)));
            2 * u32::from(s.turn) + u32::from(german)
        };
        half(now) > half(start) + u32::from(depth) && duties::at_rest(now)
    }
}
