//! The commander: the mind that plays both sides of Panzer.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use ::panzer::{
    Panzer,
    action::{Action, Plan as Way},
    frame::Frame,
    phase::Phase,
    play::{Cx, side},
    state::{Command, Flags, State},
};
use kernel::Seat;
use rand_core::RngCore;

use super::{commands, lore::Lore, manoeuvre, plan::Plan, shooting, value, weights::Weights};
use crate::{Level, Mind, Thought, search::Effort};

/// The game's id in the catalogue.
pub const GAME: &str = "panzer";

#[derive(Debug)]
pub struct Commander {
    pub(super) rules: Arc<Panzer>,
    pub(super) lore: Lore,
    pub(super) weights: Weights,
}

pub(super) type Script = Vec<Thought<Action>>;

impl Mind for Commander {
    type Rules = Panzer;
    type Plan = Plan;
    type Numbers = Weights;

    fn with(rules: Arc<Panzer>, weights: Weights) -> Commander {
        Commander { lore: Lore::new(&rules), rules, weights }
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

    /// A whole turn, or two, is played out for each plan.
    fn effort(&self, level: Level) -> Option<Effort> {
        let (width, trials, depth, seconds) = match level {
            Level::Veteran => (6, 2, 1, 4),
            Level::Elite => (10, 4, 2, 12),
            _ => return None,
        };
        let time = std::time::Duration::from_secs(seconds);
        Some(Effort { width, finalists: width, trials, rounds: 3, depth, time })
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
        let fresh = || {
            let mine = self.rules.units_of(side(seat));
            mine.iter().all(|unit| s.unit(*unit).command == Command::NoCommand)
        };
        if s.top() == Frame::Commands && fresh() {
            usual.variants(width, rng, out);
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

    fn judged(&self, start: &State, now: &State, depth: u8) -> bool {
        now.turn >= start.turn.saturating_add(depth)
            && now.phase == Phase::Command
            && now.committed == [false; 2]
    }
}
