//! The staff: the mind that plays both sides of Ardennes '44.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use ::ardennes::{
    Ardennes,
    action::Action,
    flags::Flags,
    frame::Frame,
    pack::Side,
    phase::Phase,
    play::{Cx, side},
    state::State,
};
use kernel::Seat;
use rand_core::RngCore;

use super::{combat, duties, lore::Lore, manoeuvre, plan::Plan, value, weights::Weights};
use crate::{Level, Mind, Thought, search::Effort};

/// The game's id in the catalogue.
pub const GAME: &str = "ardennes44";

#[derive(Debug)]
pub struct Staff {
    pub(super) rules: Arc<Ardennes>,
    pub(super) lore: Arc<Lore>,
    pub(super) weights: Weights,
    /// Distinguishes staffs in caches.
    pub(super) number: u64,
    /// Judges for the Allied side, if that side has different weights.
    allied: Option<Box<Staff>>,
}

impl Staff {
    /// The staff that judges for a seat.
    fn of(&self, seat: Seat) -> &Staff {
        self.allied.as_deref().filter(|_| side(seat) == Side::Allied).unwrap_or(self)
    }
}

pub(super) type Script = Vec<Thought<Action>>;

impl Mind for Staff {
    type Rules = Ardennes;
    type Plan = Plan;
    type Numbers = Weights;

    /// Experience from earlier campaigns: how far an offensive gets before the enemy's reserves arrive, and what one's
    /// own strength is still worth on the last day.
    fn numbers(level: Level) -> Weights {
        let usual = Weights::default();
        // Hold what one has: garrisons that grow with what may come, reserves that go where many roads lead through and where the enemy will come, towns that
        // nobody leaves while he could walk in, positions that block a path, set-up areas behind the front (30.3). In the
        // campaign, go for the hexes that win it, however far away, in the end for as many as are missing, and spare nothing.
        let steady = Weights {
            enough: 6.0,
            stout: 0.15,
            stoutest: 2.5,
            positions: 10.0,
            towns: 2.0,
            foresee: 1.5,
            linger: 4.0,
            scout: 4.0,
            hub: 6.0,
            hub_from: 0.24,
            hold_out: 3.0,
            backwater: 0.05,
            focus: 1.0,
            lifetime: 8.0,
            reserve: 4.0,
            keep: 1.0,
            rear: 1.5,
            rear_enough: 4.0,
            areas: 200.0,
            detour: 0.1,
            far_fade: 3.0,
            surprise: 1.5,
            screen: 1.5,
            relief: 3.0,
            ..usual
        };
        // A veteran evaluates in full where every unit goes, and tries out plans only when trials can be played to the
        // end. In the campaign it always considers how near the Allies are to the set-up areas. As German it uses the
        // chances of the Victory Hexes fitted to many games.
        let seasoned = Weights {
            reach: 4.0,
            lifetime: 3.0,
            exited: 1.0,
            raid: 1.0,
            allied_raid_from: 12.0,
            areas: 100.0,
            watch: 1.0,
            expose: 1.6,
            learned: 1.0,
            urge_german: 0.1,
            looks_german: 3.0,
            far_looks: 3.0,
            follow: 1.0,
            plans: 6.0,
            finalists: 3.0,
            ending: 1.0,
            ..steady
        };
        match level {
            Level::Veteran => seasoned,
            // Elite uses the fitted chances on both sides, evaluates more places and makes more trials.
            Level::Elite => Weights {
                allied_learned: 1.0,
                urge_allied: 0.03,
                looks_german: 12.0,
                far_looks: 6.0,
                finalists: 6.0,
                rounds: 2.0,
                ..seasoned
            },
            Level::Regular => steady,
            _ => usual,
        }
    }

    fn with(rules: Arc<Ardennes>, weights: Weights) -> Staff {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let staff = |weights: Weights, allied| Staff {
            rules: Arc::clone(&rules),
            lore: Arc::new(Lore::new(&rules, weights.detour)),
            weights,
            number,
            allied,
        };
        staff(weights, weights.of_allied().map(|weights| Box::new(staff(weights, None))))
    }

    fn rules(&self) -> &Arc<Ardennes> {
        &self.rules
    }

    fn value(&self, s: &State, seat: Seat) -> f32 {
        let german = value::german(self.of(seat), s);
        if side(seat) == Side::German { german } else { -german }
    }

    fn fingerprint(&self, s: &State) -> u64 {
        let mut hasher = DefaultHasher::new();
        (s.turn, s.night, s.side as u8, s.phase, s.frames.len()).hash(&mut hasher);
        for unit in s.units() {
            (unit.hex().map(|hex| hex.0), unit.flags.0, unit.spent).hash(&mut hasher);
        }
        for side in s.traffic {
            side.map(|at| at.0.0).hash(&mut hasher);
        }
        hasher.finish()
    }

    fn usual(&self, level: Level) -> Plan {
        let weights = &self.weights;
        Plan {
            caution: weights.caution,
            drive: weights.drive,
            hold: weights.hold,
            night: level >= Level::Veteran,
            quick: level < Level::Regular || weights.haste > 0.0,
            ..Plan::USUAL
        }
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
        let near = value::turns_left(&self.rules, s, side(seat)) <= self.weights.ending;
        // One plan per phase: after an unforeseen die roll the usual style continues.
        let begun = self.rules.units_of(s.side).any(|unit| s.unit(unit).is(Flags::MOVED | Flags::NIGHT));
        if s.top() == Frame::Movement && s.phase == Phase::Movement && s.side == side(seat) && !begun && near
        {
            if self.weights.learned > 0.0 && side(seat) == Side::German {
                usual.endings(width, out);
            } else {
                usual.variants(side(seat), width, rng, out);
            }
        }
    }

    fn script(&self, s: &State, seat: Seat, plan: &Plan, rng: &mut dyn RngCore, out: &mut Script) {
        let cx = Cx { rules: &self.rules, s, side: side(seat), frame: s.top() };
        let staff = self.of(seat);
        match cx.frame {
            Frame::Movement => manoeuvre::phase(staff, &cx, plan, out),
            Frame::Attacks | Frame::Breakthrough | Frame::Counterattack => {
                combat::attack(staff, &cx, plan, out);
            }
            _ => duties::decide(staff, &cx, plan, rng, out),
        }
    }

    fn outlook(&self, s: &State, seat: Seat, usual: &Plan) -> f32 {
        let cx = Cx { rules: &self.rules, s, side: side(seat), frame: Frame::Attacks };
        let staff = self.of(seat);
        staff.value(s, seat) + combat::promise(staff, &cx, usual) - combat::peril(staff, &cx)
    }

    fn die(&self) -> Option<u8> {
        Some(6)
    }

    fn judged(&self, start: &State, now: &State, depth: u8) -> bool {
        // A player turn is half a step: with depth 1 the enemy's reply is seen, with 2 one's own next turn.
        let half = |s: &State| 2 * u32::from(s.turn) + u32::from(s.side == Side::Allied);
        let at_rest = matches!(now.top(), Frame::ReadyArtillery { .. } | Frame::Bridges | Frame::Movement);
        half(now) > half(start) + u32::from(depth) && at_rest && !now.night
    }
}
