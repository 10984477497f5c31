//! Exact chances of a fire in the Advanced Game before anything is rolled: every face of the dice is counted.

use super::{Blast, Shooting, bearing};
use crate::{
    action::Shot,
    gp::GpAim,
    pack::advanced::{
        Angle, Damage, Location, Module, Outcome, Slope, TargetType,
        lookup::{VehicleResult, outcome},
    },
    piece::Ammo,
    rules::Panzer,
    state::{Flags, State},
    units::UnitId,
};

/// The possible states of a unit afterwards, with the chance of each: combinations of [`Fate::SUPPRESSED`],
/// [`Fate::TRACK`] and [`Fate::DAMAGED`] (or [`Fate::REDUCED`] on foot), and two ways of being out of action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fate(pub [f64; 10]);

impl Fate {
    pub const SUPPRESSED: usize = 1;
    pub const TRACK: usize = 2;
    pub const DAMAGED: usize = 4;
    /// A half-squad, stored in place of a track hit.
    pub const REDUCED: usize = 2;
    /// Knocked Out, or eliminated on foot.
    pub const OUT: usize = 8;
    pub const BREWED_UP: usize = 9;

    /// As the unit is now.
    pub fn now(s: &State, unit: UnitId) -> Fate {
        let u = s.unit(unit);
        let bit = |flag: Flags, bit: usize| if u.is(flag) { bit } else { 0 };
        let at = bit(Flags::SUPPRESSED, Fate::SUPPRESSED)
            | bit(Flags::TRACK, Fate::TRACK)
            | bit(Flags::REDUCED, Fate::REDUCED)
            | bit(Flags(Flags::TURRET.0 | Flags::HULL.0), Fate::DAMAGED);
        let mut fate = Fate([0.0; 10]);
        fate.0[at] = 1.0;
        fate
    }

    /// The chance of all states with this bit; states out of action do not count.
    pub fn with(&self, bit: usize) -> f64 {
        (0..8).filter(|at| at & bit > 0).map(|at| self.0[at]).sum()
    }

    pub fn out(&self) -> f64 {
        self.0[Fate::OUT] + self.0[Fate::BREWED_UP]
    }

    /// What is new since `start`, by the worst effect: nothing, suppressed, a track hit (on foot: reduced), damaged,
    /// out of action, brewed up.
    pub fn changes(&self, start: &Fate) -> [f64; 6] {
        let now = start.0.iter().position(|p| *p > 0.0).unwrap_or(0);
        let mut sums = [0.0, 0.0, 0.0, 0.0, self.0[Fate::OUT], self.0[Fate::BREWED_UP]];
        for (at, p) in self.0.iter().enumerate().take(8) {
            let worst = match at & !now {
                0 => 0,
                new if new & Fate::DAMAGED > 0 => 3,
                new if new & Fate::TRACK > 0 => 2,
                _ => 1,
            };
            sums[worst] += p;
        }
        sums
    }

    /// Move a share of what is alive by one event.
    fn step(&mut self, event: &Step) {
        let before = self.0;
        for (at, p) in before.into_iter().enumerate().take(8).filter(|(_, p)| *p > 0.0) {
            let mut go = |to: usize, share: f64| {
                self.0[at] -= p * share;
                self.0[to] += p * share;
            };
            go(at | Fate::SUPPRESSED, event.suppressed);
            go(at | Fate::TRACK, event.track);
            // 6.5.2.2.4: a second time it is knocked out.
            go(if at & Fate::DAMAGED > 0 { Fate::OUT } else { at | Fate::DAMAGED }, event.damaged);
            go(Fate::OUT, event.out);
            go(Fate::BREWED_UP, event.brewed_up);
        }
    }
}

/// Chances of one event.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    /// It penetrates without effect.
    no_damage: f64,
    suppressed: f64,
    track: f64,
    damaged: f64,
    out: f64,
    brewed_up: f64,
}

impl Step {
    fn add(&mut self, result: VehicleResult, p: f64) {
        match result {
            VehicleResult::None => {}
            VehicleResult::Suppressed => self.suppressed += p,
            VehicleResult::Damage => self.damaged += p,
            VehicleResult::Track => self.track += p,
            VehicleResult::Destroyed { brew_up } => {
                let burns = f64::from(brew_up.min(10)) / 10.0;
                self.brewed_up += p * burns;
                self.out += p * (1.0 - burns);
            }
        }
    }

    /// How severe it is, for the owner's choice of the side that is hit.
    fn harm(&self) -> f64 {
        self.out + self.brewed_up + 0.5 * self.damaged + 0.3 * self.track
    }
}

impl Panzer {
    /// 5.16.2: the chance that the ammunition of a shot is short.
    fn short(&self, s: &State, shot: &Shooting) -> f64 {
        let uses = self.advanced.as_deref().is_some_and(|game| game.uses(Module::AmmoLimits));
        let Some(arm) = self.arm(shot.unit, shot.gun).filter(|_| uses) else { return 0.0 };
        let only_heat = arm.weapon.ap.is_none() && arm.weapon.heat.is_some();
        let basic = if only_heat { arm.ammo.basic.or(arm.ammo.heat) } else { arm.ammo.basic };
        let limit = match shot.ammo {
            Ammo::Apcr => arm.ammo.apcr,
            Ammo::Heat if !only_heat => arm.ammo.heat,
            _ => basic.filter(|_| !self.supplied(s, shot.unit)),
        };
        limit.map_or(0.0, |limit| f64::from(10 - limit.min(10)) / 10.0)
    }

    /// The effect of one shot on the fate of its target.
    pub fn foretell(&self, s: &State, shot: &Shooting, fate: &mut Fate) {
        let short = if shot.limits > 0 { 0.0 } else { self.short(s, shot) };
        let mut whole = Fate([0.0; 10]);
        // 5.16.2.2: instead of the special ammunition basic AP is fired.
        let instead = if matches!(shot.ammo, Ammo::Apcr | Ammo::Heat) { Ammo::Ap } else { shot.ammo };
        let ways = [(1.0 - short, *shot), (short, Shooting { limits: 1, ammo: instead, ..*shot })];
        for (p, shot) in ways.into_iter().filter(|(p, _)| *p > 0.0) {
            let mut after = *fate;
            if shot.ammo == Ammo::Gp {
                if let Some(aim) = self.gp_aim(s, &shot) {
                    self.foretell_gp(s, &shot, &aim, &mut after);
                }
            } else {
                self.foretell_ap(s, &shot, &mut after);
            }
            for (sum, one) in whole.0.iter_mut().zip(after.0) {
                *sum += p * one;
            }
        }
        *fate = whole;
    }

    /// The effect of GP fire on the fate of its target.
    pub fn foretell_gp(&self, s: &State, shot: &Shooting, aim: &GpAim, fate: &mut Fate) {
        if !self.is_vehicle(shot.target) {
            foretell_foot(self.squad_card(shot.target), (aim.n, aim.s), aim.net, fate);
            return;
        }
        let mut step = Step::default();
        for roll in 1..=100i16 {
            step.add(self.gp_on_vehicle(shot, aim, roll + aim.net), 0.01);
        }
        if self.covered_track(s, shot.unit, shot.target) {
            step.track = 0.0; // 6.5.4.4.2
        }
        fate.step(&step);
    }

    /// The effect of an attack from above on the fate of its target (6.5.1.13, 6.7.3).
    pub fn foretell_blast(&self, target: UnitId, blast: &Blast, fate: &mut Fate) {
        if !self.is_vehicle(target) {
            foretell_foot(self.squad_card(target), (blast.n, blast.s), blast.net, fate);
            return;
        }
        let Some(game) = self.advanced.as_deref() else { return };
        let (tables, mut step) = (game.tables(), Step::default());
        for roll in 1..=100i16 {
            step.add(blast.on_vehicle(tables, roll + blast.net, true), 0.01);
        }
        fate.step(&step);
    }

    /// Whether it is the counter of a squad, which has a half-squad side.
    fn squad_card(&self, unit: UnitId) -> bool {
        self.piece(unit).is_some_and(|piece| piece.half.is_some())
    }

    /// What one hit of a shot does, and how likely no, one, two or three hits are.
    fn hit_of(&self, s: &State, shot: &Shooting) -> Option<(Step, [f64; 4])> {
        let aim = self.aim(s, shot).filter(|aim| aim.number > 0)?;
        let board = &self.field.board;
        let (u, t) = (s.unit(shot.unit), s.unit(shot.target));
        let angles = bearing::hit_sides(t.facing, board.hex(t.hex), board.hex(u.hex));
        let hits = angles.iter().map(|angle| self.one_hit(s, shot, *angle, aim.penetration));
        // 6.5.2.2: on the line the owner chooses the less vulnerable side.
        let hit = hits.min_by(|a, b| a.harm().total_cmp(&b.harm()))?;
        let fired = Shot { ammo: shot.ammo, ..Shot::ap(shot.unit, shot.gun) };
        let mut count = [0.0; 4];
        for roll in 1..=100 {
            count[usize::from(self.hits(fired, shot.limits, aim.number, roll).min(3))] += 0.01;
        }
        Some((hit, count))
    }

    /// The chance of each result of one AP shot (6.5.2), with the ammunition as it is supposed to be.
    pub fn ap_chances(&self, s: &State, shot: &Shooting) -> [(&'static str, f64); 7] {
        let (hit, count) = self.hit_of(s, shot).unwrap_or((Step::default(), [1.0, 0.0, 0.0, 0.0]));
        let start = Fate::now(s, shot.target);
        let mut fate = start;
        self.foretell_ap(s, shot, &mut fate);
        let [same, _, track, damaged, out, brewed_up] = fate.changes(&start);
        // Hits that do nothing, and among them one that penetrated.
        let blank = 1.0 - hit.track - hit.damaged - hit.out - hit.brewed_up;
        let outside = blank - hit.no_damage;
        let penetrated = |(n, p): (i32, &f64)| p * (blank.powi(n) - outside.powi(n));
        let no_damage: f64 = (1..).zip(&count[1..]).map(penetrated).sum();
        [
            ("miss", count[0]),
            ("no_effect", (same - count[0] - no_damage).max(0.0)),
            ("no_damage", no_damage),
            ("track_hit", track),
            ("damaged", damaged),
            ("knocked_out", out),
            ("brewed_up", brewed_up),
        ]
    }

    fn foretell_ap(&self, s: &State, shot: &Shooting, fate: &mut Fate) {
        let Some((hit, count)) = self.hit_of(s, shot) else { return };
        let mut whole = Fate([0.0; 10]);
        let mut after = *fate;
        for (n, p) in count.into_iter().enumerate() {
            if n > 0 {
                after.step(&hit);
            }
            for (sum, one) in whole.0.iter_mut().zip(after.0) {
                *sum += p * one;
            }
        }
        *fate = whole;
    }

    /// 6.5.2.2 to 6.5.2.5: what one hit does from an angle, over both dice.
    fn one_hit(&self, s: &State, shot: &Shooting, angle: Angle, penetration: u8) -> Step {
        let mut step = Step::default();
        let (Some(game), Some(arm)) = (self.advanced.as_deref(), self.arm(shot.unit, shot.gun)) else {
            return step;
        };
        let slope = self.slope(s, shot.unit, shot.target);
        let hull_down = self.hull_down(s, shot.unit, shot.target, angle);
        let kind = self.piece(shot.target).map_or(TargetType::A, crate::piece::Piece::target_type);
        for index in 1..=10 {
            match game.tables().location(angle, index, slope == Slope::Falling, hull_down) {
                None => {}
                Some(Location::Track) => step.track += 0.1,
                Some(place) if penetration < self.armor_at(shot.target, angle, place, slope) => {}
                Some(_) => {
                    for units in 1..=10 {
                        match game.tables().ap_damage(&arm.weapon, units, kind) {
                            Damage::None => step.no_damage += 0.01,
                            Damage::Damaged => step.damaged += 0.01,
                            Damage::KnockedOut => step.out += 0.01,
                            Damage::BrewedUp => step.brewed_up += 0.01,
                        }
                    }
                }
            }
        }
        step
    }
}

/// 6.5.4.4.3: a Leg or towed unit.
fn foretell_foot(squad: bool, numbers: (i16, i16), net: i16, fate: &mut Fate) {
    let (mut suppressed, mut effective) = (0.0, 0.0);
    for roll in 1..=100i16 {
        match outcome(numbers, roll + net) {
            Outcome::NoEffect => {}
            Outcome::Suppressed => suppressed += 0.01,
            Outcome::Effective => effective += 0.01,
        }
    }
    let before = fate.0;
    for (at, p) in before.into_iter().enumerate().take(8).filter(|(_, p)| *p > 0.0) {
        let mut go = |to: usize, share: f64| {
            fate.0[at] -= p * share;
            fate.0[to] += p * share;
        };
        go(at | Fate::SUPPRESSED, suppressed);
        let whole = squad && at & Fate::REDUCED == 0;
        go(if whole { at | Fate::REDUCED | Fate::SUPPRESSED } else { Fate::OUT }, effective);
    }
}
