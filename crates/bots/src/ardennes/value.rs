//! The value of a position.

use ::ardennes::{
    Ardennes,
    flags::Flags,
    pack::{Side, UnitId, VictoryRule},
    phase::Phase,
    place::Place,
    state::State,
    supply,
    victory::{Tally, points},
};

use super::{
    areas,
    field::{Field, TURN},
    learned,
    plan::SECTORS,
    staff::Staff,
    weights::Weights,
};
use crate::bond::chance;

/// The value of a game that is decided.
const WON: f32 = 1_000.0;

/// The value of a position to the German side.
pub fn german(staff: &Staff, s: &State) -> f32 {
    let rules = &*staff.rules;
    if let Some(ending) = s.ending {
        let margin = score(rules, s);
        let won = if ending.winner == Some(Side::German) { 1.0 } else { -1.0 };
        // Half of it depends on how close the result was: that makes a few trials more informative.
        let near = match rules.scenario.victory {
            VictoryRule::Points { .. } => 2.0 * threshold(rules, margin) - 1.0,
            _ => won,
        };
        return margin + 0.5 * WON * (won + near);
    }
    let field = Field::new(staff, s, Side::German);
    with_field(staff, s, &field)
}

/// The same value, for callers that already have the German arrival times.
pub fn with_field(staff: &Staff, s: &State, field: &Field) -> f32 {
    let (rules, weights) = (&*staff.rules, &staff.weights);
    let raid = if f32::from(s.turn) >= weights.raid_from { weights.raid } else { 0.0 };
    ground(staff, s, &chances(staff, s, field), &[1.0; SECTORS])
        + weights.factor * life(staff, s) * strength(rules, s)
        + urge(staff, s)
        - weights.areas * (raid * intrusion(staff, s) + weights.expose * areas::danger(staff, s))
}

/// The parts of a position's value, for measuring how well they predict the result.
#[derive(Clone, Debug)]
pub struct Foresight {
    /// The chance of each Victory Hex to be German at the end, and whether it counts as German now.
    pub chances: Vec<f32>,
    pub held: Vec<bool>,
    /// Turns until the Germans could be there, and the Allies.
    pub arrival: Vec<[f32; 2]>,
    /// Points for units that left.
    pub exits: f32,
    /// German minus Allied strength, the share of its value that it still has, and the attraction of units to aims.
    pub strength: f32,
    pub life: f32,
    pub urge: f32,
    /// Remaining player turns of both sides.
    pub left: [f32; 2],
}

impl Foresight {
    pub fn new(staff: &Staff, s: &State) -> Foresight {
        let rules = &*staff.rules;
        let field = Field::new(staff, s, Side::German);
        let allied = Field::within(staff, s, Side::Allied, 4.0);
        let turns = |field: &Field, aim: &super::lore::Aim| f32::from(field.at(aim.hex)) / f32::from(TURN);
        let roads = supply::road_hexes(rules, s, Side::German);
        let aims = &staff.lore.aims;
        let held = |aim: &super::lore::Aim| {
            s.control(aim.hex) == Side::German && (rules.victory_without_a_road() || roads.contains(aim.hex))
        };
        Foresight {
            chances: chances(staff, s, &field),
            held: aims.iter().map(held).collect(),
            arrival: aims.iter().map(|aim| [turns(&field, aim), turns(&allied, aim)]).collect(),
            exits: exits(rules, s),
            strength: strength(rules, s),
            life: life(staff, s),
            urge: urge(staff, s),
            left: [Side::German, Side::Allied].map(|side| turns_left(rules, s, side)),
        }
    }
}

/// 30.3: how near the Allies are to victory by units in German set-up areas; 1 if they need only stay.
pub fn intrusion(staff: &Staff, s: &State) -> f32 {
    let (rules, areas) = (&*staff.rules, &staff.lore.areas);
    let numbers = &rules.tables().victory;
    let taken = rules
        .on_map(s, Side::Allied)
        .filter(|unit| !s.unit(*unit).is(Flags::OOS))
        .filter_map(|unit| s.unit(unit).hex())
        .fold(0u32, |bits, hex| bits | areas[hex.index()]);
    match i32::from(numbers.allied_areas) - taken.count_ones() as i32 {
        ..=0 => 1.0 + f32::from(s.areas_checks),
        1 => 0.35,
        2 => 0.1,
        _ => 0.0,
    }
}

/// The expected value of the Victory Hexes: each by itself, and their number against what the scenario requires.
pub fn ground(staff: &Staff, s: &State, chances: &[f32], sectors: &[f32; SECTORS]) -> f32 {
    let weights = &staff.weights;
    let mut sum = exits(&staff.rules, s);
    let mut total = weights.exited * sum;
    for (aim, chance) in staff.lore.aims.iter().zip(chances) {
        total += chance * aim.weight * sectors[aim.sector];
        sum += if aim.weight >= 1.0 { *chance } else { 0.0 };
    }
    total * weights.hex + weights.threshold * threshold(&staff.rules, sum)
}

/// The chance of each aim to be German at the end.
pub fn chances(staff: &Staff, s: &State, field: &Field) -> Vec<f32> {
    let (rules, weights) = (&*staff.rules, &staff.weights);
    if weights.learned > 0.0 {
        return learned::chances(staff, s, field);
    }
    let roads = supply::road_hexes(rules, s, Side::German);
    let left = turns_left(rules, s, Side::German);
    let time = time_to_advance(weights, left);
    let danger = dangers(staff, s);
    let aims = staff.lore.aims.iter().zip(danger);
    aims.map(|(aim, danger)| {
        if s.control(aim.hex) == Side::German {
            // 30.1: without a road to a source it does not count, but there may be time to open one.
            let line = rules.victory_without_a_road() || roads.contains(aim.hex);
            let kept = if line { weights.kept } else { 0.1 + 0.4 * (left / 2.0).min(1.0) };
            return kept * (1.0 - danger);
        }
        let arrival = f32::from(field.at(aim.hex)) / f32::from(TURN);
        weights.sure / (1.0 + (-weights.slope * (time - arrival)).exp()) * (left * 2.0).min(1.0)
    })
    .collect()
}

/// The effective turns of an advance, given the turns that are left.
pub fn time_to_advance(weights: &Weights, left: f32) -> f32 {
    chance::time_to_advance(left, weights.pace, weights.reach)
}

/// The share of its full value that strength has now: less near the end, when it will not be used any more.
pub fn life(staff: &Staff, s: &State) -> f32 {
    let lifetime = staff.weights.lifetime;
    if lifetime <= 0.0 {
        return 1.0;
    }
    // The Allies move last.
    let answer = if s.side == Side::German && !s.night { 0.5 } else { 0.0 };
    let left = f32::from(staff.rules.scenario.last_turn.saturating_sub(s.turn)) + answer;
    (left / lifetime).clamp(SPENT, 1.0)
}

/// The share of its value that strength keeps when it is of no more use.
const SPENT: f32 = 0.08;

/// How many turns ahead enemy attacks on German gains are considered.
const STROKE: f32 = 1.6;

/// How likely the Allies are to recapture each aim soon; 0 for aims that are theirs.
pub fn dangers(staff: &Staff, s: &State) -> Vec<f32> {
    let left = turns_left(&staff.rules, s, Side::Allied).min(1.0);
    let aims = &staff.lore.aims;
    if left <= 0.0 || !aims.iter().any(|aim| s.control(aim.hex) == Side::German) {
        return vec![0.0; aims.len()];
    }
    let field = Field::within(staff, s, Side::Allied, STROKE);
    let danger = |aim: &super::lore::Aim| {
        if s.control(aim.hex) == Side::Allied {
            return 0.0;
        }
        let arrival = f32::from(field.at(aim.hex)) / f32::from(TURN);
        staff.weights.danger / (1.0 + (-4.0 * (0.9 * left - arrival)).exp())
    };
    aims.iter().map(danger).collect()
}

/// Victory points for exits (31.2).
fn exits(rules: &Ardennes, s: &State) -> f32 {
    match rules.scenario.victory {
        VictoryRule::Points { exit_attack, .. } if exit_attack > 0 => {
            f32::from(s.exited_attack) / f32::from(exit_attack)
        }
        _ => f32::from(s.exited_attack) / 6.0,
    }
}

/// The player turns that a side still has, including the current one.
pub fn turns_left(rules: &Ardennes, s: &State, side: Side) -> f32 {
    let after = f32::from(rules.scenario.last_turn.saturating_sub(s.turn));
    // The Germans move first.
    if s.side != side {
        return after + if side == Side::Allied && !s.night { 1.0 } else { 0.0 };
    }
    let this = match s.phase {
        _ if s.night => 0.0,
        Phase::ArtillerySupply | Phase::Fuel | Phase::Bridge | Phase::Movement => 1.0,
        Phase::Rally | Phase::Combat => 0.3,
        _ => 0.0,
    };
    after + this
}

/// Near 0 far below the number of hexes that wins, near 1 far above it.
fn threshold(rules: &Ardennes, sum: f32) -> f32 {
    let needed = match rules.scenario.victory {
        VictoryRule::Points { needed, .. } => f32::from(needed),
        _ => f32::from(rules.tables().victory.west_map_hexes),
    };
    1.0 / (1.0 + (-(sum - needed + 0.5) / 1.2).exp())
}

/// The value of a unit in its present state.
pub fn worth(rules: &Ardennes, s: &State, unit: UnitId) -> f32 {
    let counter = rules.counter(unit);
    let u = s.unit(unit);
    let factors = rules.factors(s, unit);
    let base = if counter.artillery {
        4.0
    } else {
        1.0 + f32::from(factors.attack)
            + 1.1 * f32::from(factors.defense)
            + if counter.tank { 1.0 } else { 0.0 }
    };
    let mut state = 1.0;
    if u.is(Flags::BROKEN) {
        state -= 0.35;
    } else if u.is(Flags::DISRUPTED) {
        state -= 0.18;
    }
    if u.is(Flags::ISOLATED) {
        state -= 0.3;
    } else if u.is(Flags::OOS) {
        state -= 0.15;
    }
    if u.is(Flags::ENGAGED) {
        state -= 0.04;
    }
    base * state
}

/// German minus Allied strength.
fn strength(rules: &Ardennes, s: &State) -> f32 {
    let of = |side: Side| -> f32 {
        rules
            .units_of(side)
            .map(|unit| match s.unit(unit).place() {
                Place::Hex(_) => worth(rules, s, unit),
                Place::Box(_) | Place::Blocking(_) | Place::Due => 0.9 * worth(rules, s, unit),
                Place::Antwerp if side == Side::Allied => 0.9 * worth(rules, s, unit),
                _ => 0.0,
            })
            .sum()
    };
    of(Side::German) - of(Side::Allied)
}

/// Units should be where they are useful: the attacker's near aims it does not hold yet, the defender's near aims that
/// are threatened.
fn urge(staff: &Staff, s: &State) -> f32 {
    let (rules, lore, weights) = (&*staff.rules, &staff.lore, &staff.weights);
    let open: Vec<_> = lore.aims.iter().filter(|aim| s.control(aim.hex) == Side::Allied).collect();
    let pull = |hex: hexgrid::HexId| {
        open.iter().map(|aim| aim.near[hex.index()] * aim.wanted(0.4, 0.6)).fold(0.0, f32::max)
    };
    let mut sum = 0.0;
    for unit in rules.on_map(s, Side::German) {
        let counter = rules.counter(unit);
        if let Some(hex) = s.unit(unit).hex().filter(|_| !counter.artillery) {
            sum += weights.urge_german * f32::from(rules.factors(s, unit).attack) * pull(hex);
        }
    }
    for unit in rules.on_map(s, Side::Allied) {
        if let Some(hex) = s.unit(unit).hex() {
            sum -= weights.urge_allied * f32::from(rules.factors(s, unit).defense) * pull(hex);
        }
    }
    sum
}

/// German progress in the scenario's own terms.
pub fn score(rules: &Ardennes, s: &State) -> f32 {
    let tally = Tally::of(rules, s);
    if let VictoryRule::Points { per_hex, exit_attack, .. } = rules.scenario.victory {
        return f32::from(points(&tally, per_hex, exit_attack));
    }
    let east = tally.all - tally.west_map;
    f32::from(tally.west_map) + 0.1 * f32::from(east) + f32::from(tally.exited) / 6.0
}
