//! What a position is worth.

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
    field::{Field, TURN},
    staff::Staff,
};

/// A decided game.
const WON: f32 = 1_000.0;

/// Worth of a position to the German side.
pub fn german(staff: &Staff, s: &State) -> f32 {
    let rules = &*staff.rules;
    if let Some(ending) = s.ending {
        let margin = score(rules, s);
        return margin + if ending.winner == Some(Side::German) { WON } else { -WON };
    }
    let field = Field::new(staff, s, Side::German);
    with_field(staff, s, &field)
}

/// … with the German arrival times worked out.
pub fn with_field(staff: &Staff, s: &State, field: &Field) -> f32 {
    let (rules, weights) = (&*staff.rules, &staff.weights);
    let (sum, total) = prospects(staff, s, field);
    total * weights.hex
        + weights.threshold * threshold(rules, sum)
        + weights.factor * strength(rules, s)
        + urge(staff, s)
}

/// The chance of each aim to be German at the end.
pub fn chances(staff: &Staff, s: &State, field: &Field) -> Vec<f32> {
    let rules = &*staff.rules;
    let roads = supply::road_hexes(rules, s, Side::German);
    let left = turns_left(rules, s);
    let pace = staff.weights.pace;
    staff.lore.aims.iter().map(|aim| chance(rules, s, field, &roads, left, pace, aim.hex)).collect()
}

/// Chances of all Victory Hexes together: those that count for the threshold, and by their weights.
fn prospects(staff: &Staff, s: &State, field: &Field) -> (f32, f32) {
    let (mut sum, mut total) = (0.0, 0.0);
    for (aim, chance) in staff.lore.aims.iter().zip(chances(staff, s, field)) {
        total += chance * aim.weight;
        sum += if aim.weight >= 1.0 { chance } else { 0.0 };
    }
    (sum + exits(&staff.rules, s), total)
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

/// The German player turns that are still to move, the one being played included.
fn turns_left(rules: &Ardennes, s: &State) -> f32 {
    let after = f32::from(rules.scenario.last_turn.saturating_sub(s.turn));
    let now = s.side == Side::German
        && !s.night
        && matches!(s.phase, Phase::ArtillerySupply | Phase::Fuel | Phase::Bridge | Phase::Movement);
    let fights = s.side == Side::German && !s.night && matches!(s.phase, Phase::Rally | Phase::Combat);
    after
        + if now {
            1.0
        } else if fights {
            0.3
        } else {
            0.0
        }
}

/// How likely the Germans control a Victory Hex at the end.
fn chance(
    rules: &Ardennes,
    s: &State,
    field: &Field,
    roads: &hexgrid::HexSet,
    left: f32,
    pace: f32,
    hex: hexgrid::HexId,
) -> f32 {
    if s.control(hex) == Side::German {
        let line = rules.first_edition() || roads.contains(hex);
        let base = if line { 0.97 } else { 0.5 };
        let threatened =
            s.near[Side::Allied.index()].contains(hex) && !s.held[Side::German.index()].contains(hex);
        return if threatened && left > 0.5 { base * 0.75 } else { base };
    }
    let arrival = f32::from(field.at(hex)) / f32::from(TURN);
    0.9 / (1.0 + (-1.7 * (left * pace - arrival)).exp()) * (left * 2.0).min(1.0)
}

/// 0 far below the number of hexes that wins, 1 far above it.
fn threshold(rules: &Ardennes, sum: f32) -> f32 {
    let needed = match rules.scenario.victory {
        VictoryRule::Points { needed, .. } => f32::from(needed),
        _ => f32::from(rules.tables().victory.west_map_hexes),
    };
    1.0 / (1.0 + (-(sum - needed + 0.5) / 1.2).exp())
}

/// What a unit is worth in its present state.
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

/// Units want to be where they can do something: the attacker near what is not yet his, the defender near what is
/// threatened.
fn urge(staff: &Staff, s: &State) -> f32 {
    let (rules, lore, weights) = (&*staff.rules, &staff.lore, &staff.weights);
    let open: Vec<_> = lore.aims.iter().filter(|aim| s.control(aim.hex) == Side::Allied).collect();
    let pull = |hex: hexgrid::HexId| {
        open.iter().map(|aim| aim.near[hex.index()] * (0.4 + 0.6 * aim.weight)).fold(0.0, f32::max)
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

/// How far the Germans have come, in the scenario's own terms.
pub fn score(rules: &Ardennes, s: &State) -> f32 {
    let tally = Tally::of(rules, s);
    if let VictoryRule::Points { per_hex, exit_attack, .. } = rules.scenario.victory {
        return f32::from(points(&tally, per_hex, exit_attack));
    }
    let east = tally.all - tally.west_map;
    f32::from(tally.west_map) + 0.1 * f32::from(east) + f32::from(tally.exited) / 6.0
}
