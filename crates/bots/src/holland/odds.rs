//! The value of an attack: every die of the Combat Results Table and the Determined Defense weighted by its effect on
//! both sides (11, 12). Factors, shifts and columns come from the rules.

use ::holland::{
    Holland, State,
    frame::{Combat, CombatStep},
    pack::{Chooser, CombatResult, Disorder, Morale, Side},
    state::Marks,
};
use hexgrid::HexId;
use zocbond::{List, UnitId};

use super::{
    staff::Staff,
    value::{FACTOR, half_point, halves, perish, worth},
};
use crate::bond::chance::Leaf;

/// The worth of a Remnant, which a unit of three steps leaves behind.
const REMNANT: f32 = 4.0;

/// An evaluated attack.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prospect {
    /// Expected value to the attacker, in the evaluator's units.
    pub value: f32,
    /// The chance that the hex is emptied.
    pub falls: f32,
    /// Column of the CRT with all shifts.
    pub column: u8,
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
}

/// The defenders of a hex in the current position: computed once for all attacks on them.
#[derive(Clone, Debug)]
pub struct Defence {
    units: Vec<UnitId>,
    /// Cost of the first step: the cheapest and the most expensive.
    step: [f32; 2],
    steps_left: u8,
    /// The cost of a retreat, with disruption and as a Full Retreat.
    retreat: [f32; 2],
    worth: f32,
    /// The unit that would lead a Determined Defense, and its modifier.
    lead: Option<(UnitId, i8)>,
}

impl Defence {
    pub fn new(staff: &Staff, s: &State, side: Side, target: HexId) -> Defence {
        let rules = &*staff.rules;
        let units = rules.defenders(s, side, target);
        let mut retreat = [0.0; 2];
        let point = half_point(staff, s);
        for unit in &units {
            let whole = FACTOR * worth(rules, s, *unit);
            if !rules.can_retreat(s, *unit, 2) || !s.unit(*unit).good_order() {
                let lost = perish(rules, s, *unit, point);
                retreat[0] += lost;
                retreat[1] += lost;
            } else {
                retreat[0] += 0.18 * whole;
                retreat[1] += 0.42 * whole;
            }
        }
        for unit in rules.stack(s, side, target).filter(|unit| !units.contains(*unit)) {
            let more = 0.6 * perish(rules, s, unit, point);
            for cost in &mut retreat {
                *cost += more;
            }
        }
        let table = &rules.pack.tables.determined;
        let guns = rules.guns(s, side, target, &units);
        let lead = units
            .iter()
            .filter(|unit| {
                let c = rules.counter(**unit);
                s.unit(**unit).good_order() && !c.categories.train && !c.categories.artillery
            })
            .max_by_key(|unit| (!rules.counter(**unit).support, rules.counter(**unit).morale))
            .map(|unit| {
                let morale = match rules.counter(*unit).morale {
                    Morale::Elite => table.elite,
                    Morale::Low => table.low,
                    Morale::Regular => 0,
                };
                (*unit, morale + if guns.is_empty() { 0 } else { table.artillery })
            });
        Defence {
            step: steps(staff, s, &units),
            steps_left: units.iter().map(|unit| rules.steps(s, *unit)).sum(),
            worth: units.iter().map(|unit| worth(rules, s, *unit)).sum(),
            units: units.to_vec(),
            retreat,
            lead,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }
}

/// The cheapest and the most expensive step that these units can lose.
fn steps(staff: &Staff, s: &State, units: &[UnitId]) -> [f32; 2] {
    let point = half_point(staff, s);
    let costs = || units.iter().map(|unit| step_cost(staff, s, *unit, point));
    [costs().fold(f32::MAX, f32::min).min(100.0), costs().fold(0.0, f32::max)]
}

/// The cost of the next step to the owner of a unit; `point`: the present value of a half point for the German player.
pub fn step_cost(staff: &Staff, s: &State, unit: UnitId, point: f32) -> f32 {
    let rules = &*staff.rules;
    let c = rules.counter(unit);
    let remnant = c.three_steps && c.pool.is_none(); // 11.4
    let last = s.unit(unit).lost + 1 >= c.sides;
    if last && !remnant {
        return perish(rules, s, unit, point);
    }
    let whole = worth(rules, s, unit);
    let left = if last {
        REMNANT
    } else {
        let back = c.faces[1];
        1.0 + f32::from(back.attack) + 1.1 * f32::from(back.defense)
    };
    let steps = f32::from(c.sides + u8::from(remnant));
    FACTOR * (whole - left).max(0.5) + staff.weights.wear * point * halves(rules, s, unit) / steps
}

/// An attack in the rules' own form, not yet declared.
pub fn combat(side: Side, target: HexId, attackers: &[UnitId], lead: UnitId) -> Combat {
    Combat { step: CombatStep::Support, ..Combat::new(side, target, List::of(attackers), lead, None) }
}

struct Fight<'a> {
    staff: &'a Staff,
    stakes: Stakes,
    defence: &'a Defence,
    /// Cost of the attacker's first step: the cheapest and the most expensive.
    step: [f32; 2],
    target: HexId,
}

/// Evaluates an attack whose units are already in the hexes from which they would attack, with this many additional
/// shifts. None if no unit's factor counts.
pub fn weigh(
    staff: &Staff,
    s: &State,
    defence: &Defence,
    c: &Combat,
    shifts: i8,
    stakes: Stakes,
) -> Option<Prospect> {
    let rules = &*staff.rules;
    let sheet = rules.sheet(s, c).ok()?;
    let last = rules.pack.tables.crt.columns.len() as i32 - 1;
    let column = (i32::from(sheet.column) + i32::from(shifts)).clamp(0, last) as u8;
    let fight = Fight { staff, stakes, defence, step: steps(staff, s, &c.attackers), target: c.target };
    let mut sum = Leaf::default();
    for row in &staff.lore.results {
        let result = &rules.pack.results[usize::from(row[usize::from(column)])];
        sum.add(1.0 / 6.0, fight.effect(result));
    }
    Some(Prospect { value: sum.value, falls: sum.falls, column })
}

/// Is a Determined Defense in the current combat worth more than giving way?
pub fn stands(staff: &Staff, s: &State, c: &Combat, stakes: Stakes, gun: bool) -> bool {
    let rules = &*staff.rules;
    let mut defence = Defence::new(staff, s, c.side.enemy(), c.target);
    if !gun && let Some((_, modifier)) = &mut defence.lead {
        let guns = rules.guns(s, c.side.enemy(), c.target, &defence.units);
        *modifier -= if guns.is_empty() { 0 } else { rules.pack.tables.determined.artillery };
    }
    let fight =
        Fight { staff, stakes, defence: &defence, step: steps(staff, s, &c.attackers), target: c.target };
    let result = &rules.pack.results[usize::from(c.result.unwrap_or(0))];
    let retreat = fight.retreat(result);
    fight.determined(retreat).is_some_and(|leaf| leaf.value < retreat.value)
}

impl Fight<'_> {
    fn effect(&self, result: &CombatResult) -> Leaf {
        let Stakes { caution, life, .. } = self.stakes;
        let dear = usize::from(result.chooser == Chooser::Opponent);
        let mut leaf = Leaf::default();
        leaf.value -= caution * life * f32::from(result.attacker_steps) * self.step[dear];
        leaf.value += life * f32::from(result.defender_steps) * self.defence.step[dear];
        if result.defender_steps >= self.defence.steps_left {
            leaf.falls = 1.0;
            leaf.value += self.stakes.gain;
            return leaf;
        }
        if result.retreat.is_some() {
            let retreat = self.retreat(result);
            let stand = self.determined(retreat).filter(|_| result.determined_defense);
            leaf.add(1.0, stand.filter(|leaf| leaf.value < retreat.value).unwrap_or(retreat));
        } else if result.engaged {
            leaf.value += life * (self.staff.weights.pinned + 0.04 * FACTOR * self.defence.worth);
        }
        leaf
    }

    fn retreat(&self, result: &CombatResult) -> Leaf {
        let rout = result.state == Some(Disorder::FullRetreat);
        let mut value = self.stakes.gain + self.stakes.life * self.defence.retreat[usize::from(rout)];
        if rout {
            value += 0.25 * self.stakes.gain; // 15.2: the Bonus Advance
        }
        if result.breakthrough {
            value += self.stakes.life * self.staff.weights.breakthrough;
        }
        Leaf { value, falls: 1.0 }
    }

    /// 12.2
    fn determined(&self, retreat: Leaf) -> Option<Leaf> {
        let (_, modifier) = self.defence.lead?;
        let rules = &*self.staff.rules;
        let column = rules.land.at(self.target).column;
        let Stakes { caution, life, gain } = self.stakes;
        let mut sum = Leaf::default();
        for die in 1..=6 {
            let cell = rules.pack.tables.determined.cell(column, die + modifier);
            let pinned = life * self.staff.weights.pinned;
            let mut leaf = if cell.hold { Leaf { value: pinned, ..Leaf::default() } } else { retreat };
            leaf.value += life * f32::from(cell.defender) * self.defence.step[0];
            leaf.value -= caution * life * f32::from(cell.attacker) * self.step[0];
            if cell.hold && cell.defender >= self.defence.steps_left {
                leaf.value += gain; // 12.5
                leaf.falls = 1.0;
            }
            sum.add(1.0 / 6.0, leaf);
        }
        Some(sum)
    }
}

/// Could this unit attack in the coming Combat Phase, wherever it is (9.3)?
pub fn able(rules: &Holland, s: &State, unit: UnitId) -> bool {
    let c = rules.counter(unit);
    let u = s.unit(unit);
    !c.categories.artillery
        && !c.categories.train
        && rules.face(s, unit).attack > 0
        && u.good_order()
        && !u.has(Marks::REPL)
        && !u.has(Marks::ATTACKED)
}
