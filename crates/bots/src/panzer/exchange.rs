//! The effect of both sides' fire on each other in the next turns, if all units stayed where they are: the better gun
//! at a distance, the hull-down position behind a crest, two against one. Expected values throughout; what is left of a
//! vehicle fires on.

use ::panzer::{
    pack::Side,
    state::{Flags, Spot, State},
    units::UnitId,
};

use super::{commander::Commander, gunnery::Stand};

/// Can a target be fired at?
#[derive(Clone, Copy, Debug, PartialEq)]
enum Seen {
    Never,
    /// Only once it has fired itself.
    Fired,
    Now,
}

/// One vehicle's shot at another.
#[derive(Clone, Copy, Debug)]
struct Line {
    share: f32,
    seen: Seen,
}

/// Vehicles of one side.
#[derive(Debug)]
struct Force {
    stands: Vec<Stand>,
    spots: Vec<Spot>,
    /// By own vehicle, then by enemy.
    lines: Vec<Line>,
}

/// Memory of a computation.
#[derive(Debug, Default)]
pub struct Scratch {
    /// What is left of each vehicle, before and after a volley, and which have fired; by side.
    left: [Vec<f32>; 2],
    after: [Vec<f32>; 2],
    fired: [Vec<bool>; 2],
}

#[derive(Debug)]
pub struct Exchange<'a> {
    commander: &'a Commander,
    /// This side, and the enemy.
    forces: [Force; 2],
    /// The number of turns that are computed.
    turns: u32,
}

const NO_LINE: Line = Line { share: 0.0, seen: Seen::Never };

impl<'a> Exchange<'a> {
    pub fn new(commander: &'a Commander, s: &State, side: Side) -> Exchange<'a> {
        let rules = &*commander.rules;
        let force = |side: Side| {
            let there = |unit: &UnitId| {
                let u = s.unit(*unit);
                u.on_map() && !u.passenger() && !u.is(Flags::BAILED)
            };
            let here = || rules.units_of(side).iter().copied().filter(there);
            Force {
                stands: here().map(|unit| commander.stand(s, unit)).collect(),
                spots: here().map(|unit| s.unit(unit).spot).collect(),
                lines: Vec::new(),
            }
        };
        let ahead = u32::from(rules.scenario.turns.saturating_sub(s.turn)) + 1;
        let turns = ahead.min(commander.weights.rounds as u32);
        let mut exchange = Exchange { commander, forces: [force(side), force(side.enemy())], turns };
        let (mine, theirs) = (exchange.forces[0].stands.len(), exchange.forces[1].stands.len());
        for force in &mut exchange.forces {
            force.lines.resize(mine * theirs, NO_LINE);
        }
        for own in 0..mine {
            exchange.draw_lines(own);
        }
        exchange
    }

    /// Computes the lines between one own vehicle and all enemies.
    fn draw_lines(&mut self, own: usize) {
        let c = self.commander;
        let [me, them] = &mut self.forces;
        let foes = them.stands.len();
        let (stand, spot) = (me.stands[own], me.spots[own]);
        let visible = c.rules.los.visible_from(stand.hex);
        let shown = c.seen_from(&stand, spot);
        let fired = c.seen_from(&stand, Spot::Fire);
        let count = me.stands.len();
        for (n, foe) in them.stands.iter().enumerate() {
            let (out, back) = (&mut me.lines[own * foes + n], &mut them.lines[n * count + own]);
            (*out, *back) = (NO_LINE, NO_LINE);
            let range = c.rules.field.range(stand.hex, foe.hex);
            if !visible.contains(foe.hex) && stand.hex != foe.hex {
                continue;
            }
            let line = |from: &Stand, at: &Stand, now: u32, later: u32| {
                let kind = c.lore.kind(from.unit);
                if range > later || range > kind.reach || !kind.combat {
                    return NO_LINE;
                }
                let seen = if range <= now { Seen::Now } else { Seen::Fired };
                Line { share: c.shot(from, at, range, 0), seen }
            };
            let (foe_now, foe_later) = (c.seen_from(foe, them.spots[n]), c.seen_from(foe, Spot::Fire));
            *out = line(&stand, foe, foe_now, foe_later);
            *back = line(foe, &stand, shown, fired);
        }
    }

    /// Points that this side can expect to gain over the enemy.
    pub fn balance(&self, scratch: &mut Scratch) -> f32 {
        let w = &self.commander.weights;
        for (n, force) in self.forces.iter().enumerate() {
            let count = force.stands.len();
            for list in [&mut scratch.left[n], &mut scratch.after[n]] {
                list.clear();
                list.resize(count, 1.0);
            }
            scratch.fired[n].clear();
            scratch.fired[n].resize(count, false);
        }
        let (mut sum, mut weight) = (0.0, 1.0);
        for turn in 0..self.turns {
            for n in 0..2 {
                self.volley(n, turn, scratch);
            }
            for n in 0..2 {
                let sign = if n == 0 { -1.0 } else { 1.0 };
                for (at, stand) in self.forces[n].stands.iter().enumerate() {
                    let lost = scratch.left[n][at] - scratch.after[n][at];
                    sum += sign * weight * lost * stand.worth;
                    scratch.left[n][at] = scratch.after[n][at];
                }
            }
            weight *= w.fade;
        }
        sum
    }

    /// Each vehicle of a side fires at the target from which it gains most.
    fn volley(&self, n: usize, turn: u32, scratch: &mut Scratch) {
        let (force, other) = (&self.forces[n], 1 - n);
        let targets = &self.forces[other].stands;
        let count = targets.len();
        if count == 0 {
            return;
        }
        for (own, lines) in force.lines.chunks_exact(count).enumerate() {
            let strength = scratch.left[n][own];
            let mut best = (0.0, usize::MAX);
            for (at, line) in lines.iter().enumerate() {
                let open = match line.seen {
                    Seen::Never => false,
                    Seen::Fired => turn > 0 && scratch.fired[other][at],
                    Seen::Now => true,
                };
                let gain = line.share * targets[at].worth * scratch.after[other][at];
                if open && gain > best.0 {
                    best = (gain, at);
                }
            }
            if best.1 != usize::MAX {
                scratch.after[other][best.1] *= 1.0 - strength * lines[best.1].share;
                scratch.fired[n][own] = true;
            }
        }
    }
}
