//! The value of an attack: every die of the Combat Results Table, the Fire Fight and the Determined Defense weighted by
//! its effect on both sides (14, 16). Factors, shifts and columns come from the rules.

use ::ardennes::{
    Ardennes,
    action::Attack,
    combat::{
        determined, fire_fight,
        retreat::{self, Ezoc, Want},
        strength::{self, Sheet},
        support::{self, Need},
    },
    flags::Flags,
    pack::{CombatResult, ResultEffect, Side, UnitId},
    state::State,
};
use hexgrid::HexId;

use super::{value::worth, weights::Weights};
use crate::bond::chance::Leaf;

/// The value of a combat factor in the evaluator's units.
pub const FACTOR: f32 = 0.5;

/// An evaluated attack.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prospect {
    /// Expected value to the attacker, in the evaluator's units.
    pub value: f32,
    /// The chance that the hex is emptied.
    pub falls: f32,
    /// Odds with all shifts known beforehand, as a rung of the odds ladder.
    pub rung: i16,
    pub shift: i8,
}

/// The parameters of the evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Stakes {
    /// Value of the hex to the attacker.
    pub gain: f32,
    /// Weight of the attacker's losses.
    pub caution: f32,
    /// The share of its full value that strength still has.
    pub life: f32,
    /// The value of Engaging an enemy, which then cannot get away.
    pub pinned: f32,
    /// The value of a Breakthrough, besides the ground gained.
    pub breakthrough: f32,
}

impl Stakes {
    pub fn new(weights: &Weights, gain: f32, caution: f32, life: f32) -> Stakes {
        let (pinned, breakthrough) = (life * weights.pinned, life * weights.breakthrough);
        Stakes { gain, caution, life, pinned, breakthrough }
    }
}

/// The defenders of a hex in the current position: computed once for all attacks on them.
#[derive(Clone, Debug)]
pub struct Defence {
    units: Vec<UnitId>,
    /// Cost of the first step.
    step: f32,
    steps_left: u8,
    /// The cost of a retreat of 2 and of more hexes.
    retreat: [f32; 2],
    worth: f32,
    /// Can artillery support them (22.8)?
    gun: bool,
}

impl Defence {
    pub fn new(rules: &Ardennes, s: &State, side: Side, target: HexId) -> Defence {
        let (defend, stand_by) = strength::defenders(s, target);
        let units: Vec<UnitId> = defend.iter().copied().collect();
        let mut retreat = [0.0; 2];
        for (cost, hexes) in retreat.iter_mut().zip([2u8, 4]) {
            for unit in &units {
                *cost += retreat_cost(rules, s, *unit, hexes, &units);
            }
            for unit in &stand_by {
                *cost += FACTOR * worth(rules, s, *unit); // 17.5
            }
        }
        Defence {
            step: least(rules, s, &units),
            steps_left: units.iter().map(|u| rules.steps(s, *u)).sum(),
            worth: units.iter().map(|u| worth(rules, s, *u)).sum(),
            gun: defending_gun(rules, s, side, target, &units),
            units,
            retreat,
        }
    }
}

impl Defence {
    /// The same defense without artillery.
    #[must_use]
    pub fn silent(&self) -> Defence {
        Defence { gun: false, ..self.clone() }
    }
}

/// The cost of the cheapest step that these units can lose.
fn least(rules: &Ardennes, s: &State, units: &[UnitId]) -> f32 {
    units.iter().map(|u| step_cost(rules, s, *u)).min_by(f32::total_cmp).unwrap_or(0.0)
}

struct Fight<'a> {
    rules: &'a Ardennes,
    s: &'a State,
    sheet: &'a Sheet,
    stakes: Stakes,
    attackers: &'a [UnitId],
    defence: &'a Defence,
    /// Cost of the attacker's first step.
    attacker_step: f32,
}

/// Evaluates an attack whose units are already in the hexes from which they would attack.
pub fn weigh(rules: &Ardennes, s: &State, defence: &Defence, attack: &Attack, stakes: Stakes) -> Prospect {
    let sheet = strength::sheet(rules, s, attack);
    let fight = Fight::new(rules, s, &sheet, &attack.units, defence, stakes);
    let base = sheet.rung() + i16::from(sheet.shift());
    let mut sum = Leaf::default();
    let defender = sheet.attacker.enemy();
    let jabos = sheet.attacker == Side::German && support::clear_sky(rules, s);
    let guns = defence.gun;
    let tables = rules.tables();
    // Surprise (27.8.3) gives a shift in half of the cases.
    let surprise: &[i16] = if attack.surprise { &[0, 1] } else { &[0] };
    for more in surprise {
        let p = 1.0 / surprise.len() as f32;
        for jabo in 1..=6i8 {
            let away = if jabos { i16::from(tables.jabos.get(jabo)) } else { 0 };
            if !jabos && jabo > 1 {
                break;
            }
            let p = if jabos { p / 6.0 } else { p };
            for die in 1..=6i8 {
                if !guns && die > 1 {
                    break;
                }
                let p = if guns { p / 6.0 } else { p };
                let mut left = 0;
                if guns {
                    let fire = tables.defensive_artillery.get(defender, die);
                    if fire.tot {
                        sum.add(p, fight.result(CombatResult::A1)); // 22.8
                        continue;
                    }
                    left = i16::from(fire.shifts_left);
                }
                let column = strength::column(tables, base + more - away - left);
                for row in &tables.crt.rows {
                    sum.add(p / 6.0, fight.result(row[column]));
                }
            }
        }
    }
    Prospect { value: sum.value, falls: sum.falls, rung: base, shift: sheet.shift() }
}

/// Is pressing a Fire Fight in the current combat worth more than Eng? Returns the Lead Unit to press with (16.2).
pub fn press(rules: &Ardennes, s: &State, leads: &[UnitId], stakes: Stakes) -> Option<UnitId> {
    let attack = s.combat.attack();
    let sheet = strength::sheet(rules, s, &attack);
    let defence = Defence::new(rules, s, s.combat.attacker.enemy(), attack.target);
    let fight = Fight::new(rules, s, &sheet, &attack.units, &defence, stakes);
    let from_crt = s.combat.result.map_or(0, |r| rules.tables().results[r.index()].fire_fight_drm);
    let engage = fight.result(CombatResult::Eng).value;
    leads
        .iter()
        .map(|lead| (fight.fire_fight(*lead, from_crt).value, *lead))
        .filter(|(value, _)| *value > engage)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, lead)| lead)
}

/// Is a Determined Defense in the current combat worth more than giving way? Returns the Lead Unit (16.7). `gain` is
/// the value of the hex to the attacker.
pub fn stand(rules: &Ardennes, s: &State, leads: &[UnitId], stakes: Stakes) -> Option<UnitId> {
    let attack = s.combat.attack();
    let sheet = strength::sheet(rules, s, &attack);
    let defence = Defence::new(rules, s, s.combat.attacker.enemy(), attack.target);
    let fight = Fight::new(rules, s, &sheet, &attack.units, &defence, stakes);
    let retreat = fight.retreat_leaf(s.combat.retreat, false);
    leads
        .iter()
        .map(|lead| (fight.determined(*lead, retreat).value, *lead))
        .filter(|(value, _)| *value < retreat.value)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, lead)| lead)
}

/// The cost of the next step to the owner of a unit.
pub fn step_cost(rules: &Ardennes, s: &State, unit: UnitId) -> f32 {
    let whole = worth(rules, s, unit);
    if rules.steps(s, unit) < 2 {
        return FACTOR * whole;
    }
    let back = rules.counter(unit).back;
    let left = 1.0 + f32::from(back.attack) + 1.1 * f32::from(back.defense);
    FACTOR * (whole - left).max(0.5)
}

fn defending_gun(rules: &Ardennes, s: &State, side: Side, target: HexId, fighting: &[UnitId]) -> bool {
    let need = Need { side, target, attack: false, fighting, from_blocking: false };
    let mut guns = rules.on_map(s, side).filter(|u| rules.counter(*u).artillery);
    guns.any(|gun| support::silent(rules, s, gun, &need).is_none())
}

impl<'a> Fight<'a> {
    fn new(
        rules: &'a Ardennes,
        s: &'a State,
        sheet: &'a Sheet,
        attackers: &'a [UnitId],
        defence: &'a Defence,
        stakes: Stakes,
    ) -> Self {
        Fight { rules, s, sheet, stakes, attackers, defence, attacker_step: least(rules, s, attackers) }
    }

    fn result(&self, result: CombatResult) -> Leaf {
        let effect = self.rules.tables().results[result.index()];
        if effect.fire_fight {
            // 16.2: the attacker's choice.
            let engage = self.result(CombatResult::Eng);
            let best = self
                .attackers
                .iter()
                .filter(|lead| self.can_lead(**lead))
                .min_by_key(|lead| self.lead_drm(**lead))
                .map(|lead| self.fire_fight(*lead, effect.fire_fight_drm));
            return best.filter(|leaf| leaf.value > engage.value).unwrap_or(engage);
        }
        self.effect(&effect)
    }

    fn can_lead(&self, lead: UnitId) -> bool {
        // 16.2: the Lead Unit must be able to advance into the hex.
        let Some(from) = self.s.unit(lead).hex() else { return true };
        !self.rules.counter(lead).vehicle
            || self
                .rules
                .way(self.s, from, self.sheet.target)
                .is_some_and(::ardennes::combat::ground::Way::open_to_vehicles)
    }

    fn lead_drm(&self, lead: UnitId) -> i8 {
        fire_fight::lead_drm(self.rules, self.s, self.sheet.target, &self.defence.units, lead)
    }

    fn fire_fight(&self, lead: UnitId, from_crt: i8) -> Leaf {
        let drm = self.lead_drm(lead) + from_crt;
        let table = &self.rules.tables().fire_fight.table;
        let mut sum = Leaf::default();
        for die in 1..=6 {
            let effect = self.rules.tables().results[table.get(die + drm).index()];
            sum.add(1.0 / 6.0, self.effect(&effect));
        }
        sum
    }

    fn effect(&self, effect: &ResultEffect) -> Leaf {
        let mut leaf = Leaf::default();
        let life = self.stakes.life;
        leaf.value -= self.stakes.caution * life * f32::from(effect.attacker_steps) * self.attacker_step;
        leaf.value += life * f32::from(effect.defender_steps) * self.defence.step;
        let destroyed = effect.defender_steps >= self.defence.steps_left;
        if destroyed {
            leaf.falls = 1.0;
            leaf.value += self.stakes.gain;
            return leaf;
        }
        if effect.retreat > 0 {
            let retreat = self.retreat_leaf(effect.retreat, effect.breakthrough);
            let able = |u: &&UnitId| !self.s.unit(**u).is(Flags::DISRUPTED);
            let stands = effect.determined_defense && self.defence.units.iter().any(|u| able(&u));
            let best = if stands {
                // 16.7: the defender's choice.
                let lead = self.defence.units.iter().filter(able).min_by_key(|u| self.stand_drm(**u));
                lead.map(|lead| self.determined(*lead, retreat))
                    .filter(|leaf| leaf.value < retreat.value)
                    .unwrap_or(retreat)
            } else {
                retreat
            };
            leaf.add(1.0, best);
        } else if effect.engaged {
            leaf.value += self.stakes.pinned + 0.04 * life * FACTOR * self.defence.worth;
            if effect.attackers_advantage {
                leaf.value += 0.4 * life;
            }
        }
        leaf
    }

    fn retreat_leaf(&self, hexes: u8, breakthrough: bool) -> Leaf {
        let far = usize::from(hexes > 2);
        let mut value = self.stakes.gain + self.stakes.life * self.defence.retreat[far];
        if hexes > 2 {
            value += 0.25 * self.stakes.gain; // Bonus Advance (19.1)
        }
        if breakthrough {
            value += self.stakes.breakthrough;
        }
        Leaf { value, falls: 1.0 }
    }

    fn stand_drm(&self, lead: UnitId) -> i8 {
        let (target, dcb) = (self.sheet.target, self.sheet.bonus.counted);
        determined::drm(self.rules, self.s, target, lead, dcb, self.attackers, &self.defence.units)
    }

    fn determined(&self, lead: UnitId, retreat: Leaf) -> Leaf {
        let drm = self.stand_drm(lead);
        let table = &self.rules.tables().determined_defense.table;
        let life = self.stakes.life;
        let lead_step = life * step_cost(self.rules, self.s, lead);
        let mut sum = Leaf::default();
        for die in 1..=6 {
            let row = table.get(die + drm);
            let mut leaf =
                if row.success { Leaf { value: self.stakes.pinned, ..Leaf::default() } } else { retreat };
            leaf.value += f32::from(row.defender_steps) * lead_step;
            leaf.value -= self.stakes.caution * life * f32::from(row.attacker_steps) * self.attacker_step;
            if row.success && row.defender_steps >= self.defence.steps_left {
                leaf.value += self.stakes.gain; // 16.74
                leaf.falls = 1.0;
            }
            sum.add(1.0 / 6.0, leaf);
        }
        sum
    }
}

/// The cost of a retreat of this many hexes to the owner of a unit.
fn retreat_cost(rules: &Ardennes, s: &State, unit: UnitId, hexes: u8, party: &[UnitId]) -> f32 {
    let whole = FACTOR * worth(rules, s, unit);
    if retreat::doomed(rules, s, unit, hexes).is_some() {
        return whole;
    }
    let want = Want { hexes, ezoc: Ezoc::First, party };
    if retreat::best_rank(rules, s, unit, want).is_none() {
        return whole; // 17.2
    }
    let artillery = if rules.counter(unit).artillery { 0.3 } else { 0.0 };
    whole * (artillery + if hexes > 2 { 0.33 } else { 0.18 })
}
