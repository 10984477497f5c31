//! The commander: the mind that plays both sides of Panzer.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::Duration,
};

use ::panzer::{
    Panzer,
    action::{Action, Plan as Way},
    event::Event,
    frame::Frame,
    phase::Phase,
    play::{Cx, side},
    state::{Command, Flags, Place, State},
};
use kernel::{Log, Seat};
use rand_core::RngCore;

use super::{
    combined, commands, lore::Lore, luck, manoeuvre, picture::Known, plan::Plan, shooting, value,
    weights::Weights,
};
use crate::{
    Level, Mind, Thought,
    search::{Effort, Polish},
};

/// The game's id in the catalogue.
pub const GAME: &str = "panzer";

/// The number of vehicles for which the number of trials is calibrated.
const MANY: f32 = 40.0;

#[derive(Debug)]
pub struct Commander {
    pub(super) rules: Arc<Panzer>,
    pub(super) lore: Lore,
    pub(super) weights: Weights,
    pub(super) known: Known,
}

pub(super) type Script = Vec<Thought<Action>>;

impl Mind for Commander {
    type Rules = Panzer;
    type Plan = Plan;
    type Numbers = Weights;

    fn with(rules: Arc<Panzer>, mut weights: Weights) -> Commander {
        if rules.advanced.is_some() {
            (weights.hunt, weights.hungry, weights.pressed) =
                (weights.slow_hunt, weights.slow_hungry, weights.slow_pressed);
        }
        Commander { lore: Lore::new(&rules, weights.reach), rules, weights, known: Known::default() }
    }

    fn rules(&self) -> &Arc<Panzer> {
        &self.rules
    }

    fn value(&self, s: &State, seat: Seat) -> f32 {
        value::of(self, &self.rules.bare(s), side(seat))
    }

    /// 4.2.1: Commands are hidden until they are shown, and so is the destination of a moving vehicle. A unit with a
    /// target in sight probably fires, others probably move or watch.
    fn make_plausible(&self, s: &mut State, seat: Seat, rng: &mut dyn RngCore) {
        let enemy = side(seat).enemy();
        if s.top() == Frame::Commands {
            // The enemy has placed its Commands, or will: in trials it does so by its own judgement.
            s.committed[enemy.index()] = false;
        }
        let placed = s.committed[enemy.index()];
        for unit in self.rules.units_of(enemy) {
            if s.unit(*unit).is(Flags::REVEALED) {
                continue;
            }
            let luck = rng.next_u32() % 100;
            let command = match luck {
                _ if !placed || !self.rules.commandable(s, *unit) => Command::NoCommand,
                0..30 if s.unit(*unit).on_map() && !self.lore.kind(*unit).guns.is_empty() => {
                    Command::Overwatch
                }
                0..75 if self.rules.may_command(s, *unit, Command::Fire).is_ok() => Command::Fire,
                _ => Command::Move,
            };
            s.unit_mut(*unit).command = command;
        }
        if s.walk.active && self.rules.vehicle(s.walk.unit).side == enemy {
            s.walk.plan = Way::default();
        }
        s.stamp.renew();
    }

    /// Hashes what both sides know: Commands and the places of hidden units (7.2) are guessed anew every time.
    fn fingerprint(&self, s: &State) -> u64 {
        let mut hasher = DefaultHasher::new();
        (s.turn, s.phase, s.frames.len(), s.committed).hash(&mut hasher);
        for unit in &s.units {
            let facing = if unit.place == Place::Hidden { 0 } else { unit.facing.index() };
            (unit.hex.0, facing, unit.place as u8, unit.flags.0).hash(&mut hasher);
        }
        hasher.finish()
    }

    fn usual(&self, _: Level) -> Plan {
        Plan::USUAL
    }

    /// A whole turn is played out for each plan, fewer times the more vehicles there are.
    fn effort(&self, level: Level) -> Option<Effort> {
        let w = &self.weights;
        let (width, trials, depth, seconds) = match level {
            Level::Regular => (w.plans as usize, w.trials, w.depth, 2.0),
            Level::Veteran => (8, 2.0 * w.trials, w.depth, 6.0),
            Level::Elite => (10, 4.0 * w.trials, w.depth + 1.0, 16.0),
            _ => return None,
        };
        let trials = (trials * self.scale()).max(1.0) as u32;
        let time = Duration::from_secs_f32(seconds * w.patience);
        Some(Effort { width, finalists: width, trials, rounds: 3, depth: depth as u8, time })
    }

    const KEEPS_MANNER: bool = true;

    /// A style is kept to the end of a trial.
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
        let world = self.rules.world(s, side(seat));
        let cx = Cx { rules: &self.rules, s: &world, side: side(seat), frame: s.top() };
        if cx.frame == Frame::Commands && commands::fresh(&cx) {
            usual.variants(width, rng, out);
        }
    }

    fn script(&self, s: &State, seat: Seat, plan: &Plan, rng: &mut dyn RngCore, out: &mut Script) {
        let world = self.rules.world(s, side(seat));
        let cx = Cx { rules: &self.rules, s: &world, side: side(seat), frame: s.top() };
        match cx.frame {
            // In a trial neither side knows how the other thinks.
            Frame::Commands if plan.quick && *plan == (Plan { quick: true, ..Plan::USUAL }) => {
                let plain = (rng.next_u32() as f32) < self.weights.plain * u32::MAX as f32;
                commands::place(self, &cx, &Plan { plain, ..*plan }, out);
            }
            Frame::Commands => commands::place(self, &cx, plan, out),
            Frame::DirectFire(_) => shooting::direct(self, &cx, plan, out),
            Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer { .. } => {
                shooting::overwatch(self, &cx, plan, out);
            }
            Frame::Movement(_) => manoeuvre::next(self, &cx, plan, out),
            Frame::Revise => manoeuvre::revise(self, &cx, plan, out),
            // 4.4.3.2.2: a moving unit is harder to hit.
            Frame::ShowCommand => out.extend([Action::Show, Action::Decline].map(Thought::plain)),
            // 6.5.2.2: in the Advanced Game the choice is between the two sides that the line divides.
            Frame::HitAngle if self.rules.advanced.is_some() => {
                let angles = ::panzer::fire::angles(&self.rules, s);
                out.extend(angles.into_iter().map(|angle| Thought::plain(Action::Angle(angle))));
            }
            Frame::HitAngle => out.push(Thought::plain(shooting::angle(self, s))),
            Frame::Spread => out.push(Thought::plain(Action::Spread(std::iter::empty().collect()))),
            // 4.3.2: the side that fires first also moves last, and sees what the other does.
            Frame::ChooseOrder(_) => out.push(Thought::plain(Action::Order { first: true })),
            Frame::SetUp(_) => out.push(Thought::plain(Action::Deploy)),
            Frame::Plot(_)
            | Frame::Indirect(_)
            | Frame::LandShow
            | Frame::Misdirect
            | Frame::Assault(_)
            | Frame::Support
            | Frame::NamePrimary
            | Frame::AssaultShow
            | Frame::Occupy
            | Frame::Air
            | Frame::Flight
            | Frame::AaWindow
            | Frame::AirShow
            | Frame::Pivot(_)
            | Frame::FullCover(_) => combined::script(self, &cx, plan, out),
            _ => out.push(Thought::plain(Action::Done)),
        }
    }

    /// Commands have no prospects before they meet the enemy's: trials decide.
    fn outlook(&self, _: &State, _: Seat, _: &Plan) -> f32 {
        0.0
    }

    fn risky(&self, s: &State, action: &Action) -> bool {
        luck::risky(s, action)
    }

    fn luck(&self, before: &State, after: &State, log: &Log<Event>, seat: Seat) -> f32 {
        self.weights.luck * luck::of(self, before, after, log, side(seat))
    }

    fn judge(&self, s: &State, seat: Seat, luck: f32) -> f32 {
        value::judged(self, &self.rules.bare(s), side(seat), luck)
    }

    fn neighbours(&self, s: &State, seat: Seat, script: &[Thought<Action>], out: &mut Vec<Script>) {
        let world = self.rules.world(s, side(seat));
        let cx = Cx { rules: &self.rules, s: &world, side: side(seat), frame: s.top() };
        if cx.frame == Frame::Commands {
            commands::neighbours(self, &cx, script, out);
        }
    }

    fn explain(&self, s: &State, seat: Seat, script: &mut Script) {
        let world = self.rules.world(s, side(seat));
        let cx = Cx { rules: &self.rules, s: &world, side: side(seat), frame: s.top() };
        if cx.frame == Frame::Commands {
            commands::explain(self, &cx, script);
        }
    }

    fn polish(&self, level: Level) -> Option<Polish> {
        let w = &self.weights;
        // Every level goes on from what the one below does: more trials of each alternative, and more of them.
        let (tries, sweeps, runs, seconds) = match level {
            Level::Regular => (w.tries, w.sweeps, w.runs, 3.0),
            Level::Veteran => (1.5 * w.tries, 2.0 * w.sweeps, 4.0 * w.runs, 8.0),
            Level::Elite => (3.0 * w.tries, 3.0 * w.sweeps, 12.0 * w.runs, 20.0),
            _ => return None,
        };
        (tries >= 1.0).then_some(Polish {
            tries: tries as u32,
            sweeps: sweeps as u32,
            depth: w.ahead as u8,
            runs: (runs * self.scale()) as u32,
            time: Duration::from_secs_f32(seconds * w.patience),
        })
    }

    fn judged(&self, start: &State, now: &State, depth: u8) -> bool {
        now.turn >= start.turn.saturating_add(depth)
            && now.phase == Phase::Command
            && now.committed == [false; 2]
    }
}

impl Commander {
    /// How many trials are made, relative to a battle of [`MANY`] units: with more units each one takes longer.
    fn scale(&self) -> f32 {
        (MANY / self.lore.kind.len().max(1) as f32).min(2.0)
    }
}
