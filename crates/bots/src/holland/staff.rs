//! The staff: the mind that plays both sides of Holland '44.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::Duration,
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

use super::{duties, lore::Lore, manoeuvre, plan::Plan, sight, value, weights::Weights};
use crate::{
    Level, Mind, Thought,
    search::{Effort, Polish},
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

impl Mind for Staff {
    type Rules = Holland;
    type Plan = Plan;
    type Numbers = Weights;

    fn numbers(level: Level) -> Weights {
        let usual = Weights::default();
        match level {
            // Tries out plans up to the end of its next turn, and leaves its places as German only for something.
            Level::Veteran => {
                Weights { plans: 6.0, finalists: 4.0, depth: 2.0, patience: 1.25, still: 0.35, ..usual }
            }
            // Also improves the best plan unit by unit, and plays trials of the last turns to the end.
            Level::Elite => Weights {
                plans: 8.0,
                finalists: 6.0,
                rounds: 2.0,
                depth: 2.0,
                patience: 1.25,
                still: 0.35,
                to_end: 2.0,
                tries: 6.0,
                others: 1.0,
                polishing: 6.0,
                seconds: 10.0,
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
        let Weights { caution, drive, hold, .. } = self.weights;
        Plan { caution, drive, hold, quick: level < Level::Regular }
    }

    fn effort(&self, _: Level) -> Option<Effort> {
        let weights = &self.weights;
        (weights.plans >= 2.0).then_some(Effort {
            width: weights.plans as usize,
            finalists: weights.finalists as usize,
            // This number, or a multiple of it, shows every face of a die once.
            trials: 6,
            rounds: weights.rounds as u32,
            depth: weights.depth as u8,
            time: Duration::from_secs_f32(weights.seconds.clamp(0.1, 3_600.0)),
        })
    }

    fn in_haste(&self, plan: &Plan) -> Plan {
        Plan { quick: true, ..*plan }
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
        let moving = *s.frame() == Frame::Phase(side, Phase::Movement);
        let near = value::turns_left(&self.rules, s, side) <= self.weights.ending;
        if moving && !begun && near {
            usual.variants(width, rng, out);
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
            Some((winner, _)) if s.turn >= self.rules.scenario.last_turn => {
                let won = if winner == Side::Allied { DECIDED } else { -DECIDED };
                let allied = won + self.weights.hex * value::score(&self.rules, s);
                if side_of(seat) == Side::Allied { allied } else { -allied }
            }
            _ => self.value(s, seat),
        }
    }

    fn neighbours(&self, s: &State, seat: Seat, script: &[Thought<Action>], out: &mut Vec<Script>) {
        if *s.frame() == Frame::Phase(side_of(seat), Phase::Movement) {
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
            time: Duration::from_secs_f32(weights.polishing.clamp(0.1, 3_600.0)),
        })
    }

    fn judged(&self, start: &State, now: &State, depth: u8) -> bool {
        let left = |side: Side| value::turns_left(&self.rules, start, side);
        if left(Side::Allied).max(left(Side::German)) <= self.weights.to_end {
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
