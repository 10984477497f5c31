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
    fire::{Angle, Result, bearing},
    frame::Frame,
    phase::Phase,
    play::{Cx, side},
    state::{Command, Flags, State},
    units::UnitId,
};
use kernel::{Log, Seat, log::Event as Logged};
use rand_core::RngCore;

use super::{
    combined, commands, lore::Lore, manoeuvre, picture::Known, plan::Plan, shooting, value, weights::Weights,
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

    /// Hashes what both sides know, and one's own Commands; hidden ones are guessed anew every time.
    fn fingerprint(&self, s: &State) -> u64 {
        let mut hasher = DefaultHasher::new();
        (s.turn, s.phase, s.frames.len(), s.committed).hash(&mut hasher);
        for unit in &s.units {
            (unit.hex.0, unit.facing.index(), unit.place as u8, unit.flags.0).hash(&mut hasher);
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
            Level::Veteran => (8, 4.0 * w.trials, w.depth + 1.0, 8.0),
            Level::Elite => (10, 12.0 * w.trials, w.depth + 1.0, 16.0),
            _ => return None,
        };
        let vehicles = self.lore.kind.len().max(1) as f32;
        let trials = (trials * (MANY / vehicles).min(2.0)).max(1.0) as u32;
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

    const KNOWS_LUCK: bool = true;

    /// In this game only the hit is a matter of luck (4.4.3.2.3).
    fn luck(&self, before: &State, log: &Log<Event>, seat: Seat) -> f32 {
        let side = side(seat);
        let guns = |unit: UnitId| {
            let declared = log.events().iter().find_map(|event| match event {
                Logged::Game(Event::Declared { unit: who, gun, .. }) if *who == unit => Some(*gun),
                _ => None,
            });
            declared.or_else(|| before.fire.shots.iter().find(|shot| shot.unit == unit).map(|shot| shot.gun))
        };
        let mut sum = 0.0;
        // The effect of earlier shots on a target.
        let mut hurt: Option<UnitId> = None;
        for event in log.events() {
            match event {
                Logged::Game(Event::Fired { unit, target, factor, number, hit, .. }) => {
                    let Some(gun) = guns(*unit) else { continue };
                    let damaged = before.unit(*target).is(Flags::DAMAGED) || hurt == Some(*target);
                    let share = self.hurts(before, (*unit, gun, *factor), *target, damaged);
                    let gain = (f32::from(u8::from(*hit)) - f32::from(*number) / 100.0) * share;
                    sum += if self.rules.vehicle(*unit).side == side { gain } else { -gain };
                }
                Logged::Game(Event::Hit { target, result: Result::Damaged, .. }) => hurt = Some(*target),
                _ => {}
            }
        }
        self.weights.luck * sum
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
        // It looks one turn ahead; after styles were compared over four turns, no further gain was measured (docs/BOTS.md).
        if level != Level::Regular {
            return None;
        }
        let (tries, sweeps) = (w.tries as u32, w.sweeps as u32);
        let time = Duration::from_secs_f32(3.0 * w.patience);
        (tries > 0).then_some(Polish { tries, sweeps, depth: w.ahead as u8, time })
    }

    fn judged(&self, start: &State, now: &State, depth: u8) -> bool {
        now.turn >= start.turn.saturating_add(depth)
            && now.phase == Phase::Command
            && now.committed == [false; 2]
    }
}

impl Commander {
    /// Points that a hit brings.
    fn hurts(&self, s: &State, (unit, gun, factor): (UnitId, u8, u8), target: UnitId, damaged: bool) -> f32 {
        let rules = &*self.rules;
        let Some(gun) = rules.gun(unit, gun) else { return 0.0 };
        let (from, at) = (s.unit(unit), s.unit(target));
        if !from.on_map() || !at.on_map() {
            return 0.0;
        }
        let half = f32::from(rules.scenario.victory.damaged_percent) / 100.0;
        let penetration = gun.ap.penetration[usize::from(factor)];
        let by = |rear: usize| match rules.damage(penetration, rules.vehicle(target).armor[rear]) {
            Result::NoEffect | Result::NoDamage => 0.0,
            _ if damaged => 1.0 - half,
            Result::Damaged => half,
            Result::KnockedOut | Result::BrewedUp => 1.0,
        };
        let board = &rules.field.board;
        let share = match bearing::hit_angle(at.facing, board.hex(at.hex), board.hex(from.hex)) {
            Angle::Front => by(0),
            Angle::Rear => by(1),
            Angle::Line => by(0).min(by(1)),
        };
        share * self.lore.kind(target).points
    }
}
