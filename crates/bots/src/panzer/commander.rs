//! The commander: the mind that plays both sides of Panzer.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use ::panzer::{
    Panzer,
    action::{Action, Plan as Way},
    event::Event,
    frame::Frame,
    phase::Phase,
    play::{Cx, side},
    state::{Command, Flags, State},
};
use kernel::{Log, Seat, log::Event as Logged};
use rand_core::RngCore;

use super::{commands, lore::Lore, manoeuvre, picture::Known, plan::Plan, shooting, value, weights::Weights};
use crate::{Level, Mind, Thought, search::Effort};

/// The game's id in the catalogue.
pub const GAME: &str = "panzer";

/// Vehicles of a battle for which trials are counted.
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

    fn with(rules: Arc<Panzer>, weights: Weights) -> Commander {
        Commander { lore: Lore::new(&rules), rules, weights, known: Known::default() }
    }

    fn rules(&self) -> &Arc<Panzer> {
        &self.rules
    }

    fn value(&self, s: &State, seat: Seat) -> f32 {
        value::of(self, s, side(seat))
    }

    /// 4.2.1: Commands are hidden until they are shown, and so is where a vehicle on the move is bound for. Who has a target
    /// in sight probably fires, who has not probably moves or watches.
    fn guess(&self, s: &mut State, seat: Seat, rng: &mut dyn RngCore) {
        let enemy = side(seat).enemy();
        if s.top() == Frame::Commands {
            // He has placed them, or will: in trials he does so by his own judgement.
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

    /// Of what both sides know, and one's own Commands; hidden ones are guessed anew every time.
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

    /// A whole turn is played out for each plan, less often the more vehicles there are.
    fn effort(&self, level: Level) -> Option<Effort> {
        let w = &self.weights;
        let (width, trials, seconds) = match level {
            Level::Regular => (w.plans as usize, w.trials, 4.0),
            Level::Veteran => (10, 3.0 * w.trials, 8.0),
            Level::Elite => (14, 8.0 * w.trials, 20.0),
            _ => return None,
        };
        let vehicles = self.lore.kind.len().max(1) as f32;
        let trials = (trials * (MANY / vehicles).min(2.0)).max(1.0) as u32;
        let time = std::time::Duration::from_secs_f32(seconds * w.patience);
        Some(Effort { width, finalists: width, trials, rounds: 3, depth: 1, time })
    }

    /// What comes after a script is played in the usual manner, in trials as at the table.
    fn in_haste(&self, _: &Plan) -> Plan {
        Plan { quick: true, ..Plan::USUAL }
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
        let cx = Cx { rules: &self.rules, s, side: side(seat), frame: s.top() };
        let w = &self.weights;
        match cx.frame {
            Frame::Commands if w.each > 0.0 => {
                if let Some((unit, ways)) = commands::hardest(self, &cx, usual, w.each as usize) {
                    out.extend(ways.iter().map(|way| Plan { set: Some((unit, *way)), ..*usual }).take(width));
                }
            }
            Frame::Commands if commands::fresh(&cx) => usual.variants(width, rng, out),
            _ => {}
        }
    }

    fn script(&self, s: &State, seat: Seat, plan: &Plan, _: &mut dyn RngCore, out: &mut Script) {
        let cx = Cx { rules: &self.rules, s, side: side(seat), frame: s.top() };
        match cx.frame {
            Frame::Commands => commands::place(self, &cx, plan, out),
            Frame::DirectFire(_) => shooting::direct(self, &cx, plan, out),
            Frame::Overwatch { .. } | Frame::Window(_) | Frame::Answer(_) => {
                shooting::overwatch(self, &cx, plan, out);
            }
            Frame::Movement(_) => manoeuvre::next(self, &cx, plan, out),
            Frame::Revise => manoeuvre::revise(self, &cx, plan, out),
            // 4.4.3.2.2: who moves is harder to hit.
            Frame::ShowCommand => out.extend([Action::Show, Action::Decline].map(Thought::plain)),
            Frame::HitAngle => out.push(Thought::plain(shooting::angle(self, s))),
            // 4.3.2: who fires first also moves last, and sees what the other does.
            Frame::ChooseOrder(_) => out.push(Thought::plain(Action::Order { first: true })),
            Frame::SetUp(_) => out.push(Thought::plain(Action::Deploy)),
            _ => out.push(Thought::plain(Action::Done)),
        }
    }

    /// Commands promise nothing before they meet the enemy's: trials decide.
    fn outlook(&self, _: &State, _: Seat, _: &Plan) -> f32 {
        0.0
    }

    /// In this game only the hit is a matter of luck (4.4.3.2.3).
    fn luck(&self, log: &Log<Event>, seat: Seat) -> f32 {
        let side = side(seat);
        let of = |event: &Logged<Event>| match event {
            Logged::Game(Event::Fired { unit, target, factor, number, hit, .. }) => {
                let (shooter, kind) = (self.lore.kind(*unit), self.lore.kind[target.index()]);
                let share = shooter.hits[usize::from(kind)].get(usize::from(*factor)).copied().unwrap_or(0.0);
                let gain = (f32::from(u8::from(*hit)) - f32::from(*number) / 100.0)
                    * share
                    * self.lore.kind(*target).points;
                if self.rules.vehicle(*unit).side == side { gain } else { -gain }
            }
            _ => 0.0,
        };
        self.weights.luck * log.events().iter().map(of).sum::<f32>()
    }

    fn judged(&self, start: &State, now: &State, depth: u8) -> bool {
        now.turn >= start.turn.saturating_add(depth)
            && now.phase == Phase::Command
            && now.committed == [false; 2]
    }
}
