//! The value of a position.

use ::holland::{
    Holland, State,
    frame::{Frame, Phase},
    pack::{ScenarioVictory, Side},
    state::{Bridge, Marks, Order, Place},
};
use hexgrid::{HexId, HexSet};
use zocbond::{Piece, Span, UnitId};

use super::{
    lore::{Aim, Kind, of_the_ground_army},
    sight::{self, Allies, Who},
    staff::Staff,
};
use crate::bond::{
    arrival::{Arrival, TURN},
    chance::{logistic, time_to_advance},
};

/// The value of a game that is decided.
const WON: f32 = 1_000.0;
/// How many turns ahead enemy attacks on Allied gains are considered.
const STROKE: f32 = 1.6;
/// Beyond this many turns from the far bank distance makes no difference.
pub const FAR: f32 = 18.0;
/// The route of the ground army is searched this many turns ahead, even beyond the time it is credited with.
const AHEAD: f32 = 16.0;
/// Range of points over which the fear of reaching the German victory level grows, in the long games and at Arnhem.
const COLLAPSE: f32 = 1.5;
const COLLAPSE_ARNHEM: f32 = 0.7;
/// The share of its value that strength keeps when it is of no more use.
const SPENT: f32 = 0.1;
/// The value of a combat factor in units of the evaluation.
pub const FACTOR: f32 = 0.5;

/// The value of a position to the Allied side.
pub fn allied(staff: &Staff, s: &State) -> f32 {
    if let Some((winner, _)) = s.winner {
        let margin = score(&staff.rules, s);
        return margin + if winner == Side::Allied { WON } else { -WON };
    }
    Judgement::new(staff, s).total(staff, s)
}

/// An evaluated position.
#[derive(Debug)]
pub struct Judgement {
    /// When the ground army, and when any unit, could reach each hex.
    pub ground: Arrival,
    pub any: Arrival,
    /// The chance of each aim to be Allied in the end.
    pub chances: Vec<f32>,
    /// The expected value of the ground.
    pub land: f32,
    /// How near the ground army is to the far bank.
    pub urge: f32,
}

impl Judgement {
    pub fn new(staff: &Staff, s: &State) -> Judgement {
        let left = turns_left(&staff.rules, s, Side::Allied);
        let within = (credited(staff, left) + 2.5).max(AHEAD.min(left + 4.0));
        let Allies { ground, any, to_shore } = sight::allies(staff, s, within, FAR);
        let chances = chances(staff, s, &ground, &any);
        let (beyond, urge) = to_shore.map_or((0.0, 0.0), |ways| beyond(staff, s, &ways));
        let land = land(staff, s, &chances, beyond);
        Judgement { ground, any, chances, land, urge }
    }

    pub fn total(&self, staff: &Staff, s: &State) -> f32 {
        let weights = &staff.weights;
        self.land + weights.factor * life(staff, s) * strength(&staff.rules, s) + weights.urge * self.urge
    }
}

/// The expected value of aims and bridgeheads: each by itself, and together against what the scenario requires.
fn land(staff: &Staff, s: &State, chances: &[f32], beyond: f32) -> f32 {
    let (rules, weights) = (&*staff.rules, &staff.weights);
    let v = rules.pack.victory;
    let (mut sum, mut total) = (0.0, 0.0);
    for (aim, chance) in staff.lore.aims.iter().zip(chances) {
        if aim.kind != Kind::Beyond {
            total += aim.weight * chance;
            sum += aim.points * chance;
        }
    }
    let german = f32::from(rules.german_points(s)) / 2.0;
    let mut out = -weights.loss * german;
    let needed = match rules.victory() {
        ScenarioVictory::Campaign => {
            let most = f32::from(v.bridgehead_most) / 2.0;
            let points = (beyond * f32::from(v.bridgehead_unit) / 2.0).min(most);
            (sum, total) = (sum + points, total + points);
            let already = if s.decisive > 0 { 0.5 } else { 0.0 };
            out += weights.decisive * logistic((beyond - f32::from(v.decisive_units) + 0.5) / 0.8 + already);
            f32::from(v.allied_needed) / 2.0
        }
        ScenarioVictory::Short => {
            total += 1.5 * beyond.min(6.0);
            sum = beyond;
            f32::from(v.short_units)
        }
        ScenarioVictory::Arnhem { loss_limit, .. } => {
            let limit = f32::from(*loss_limit) / 2.0;
            out -= weights.collapse * logistic((german - limit + 0.5) / COLLAPSE_ARNHEM);
            1.0
        }
        ScenarioVictory::Nijmegen { needed, .. } | ScenarioVictory::Road { needed, .. } => f32::from(*needed),
    };
    if matches!(rules.victory(), ScenarioVictory::Campaign | ScenarioVictory::Short) {
        let limit = f32::from(v.german_automatic) / 2.0;
        out -= weights.collapse * logistic((german - limit + 1.0) / COLLAPSE); // 26.3
    }
    let width = if needed <= 2.0 { 0.4 } else { 1.2 };
    out + weights.hex * total + weights.threshold * logistic((sum - needed + 0.5 * width) / width)
}

/// The cost to the Allies of losing a unit permanently, besides its strength: the half point of 26.1, which costs more
/// the nearer the German player is to the number that ends the game.
pub fn half_point(staff: &Staff, s: &State) -> f32 {
    let (rules, weights) = (&*staff.rules, &staff.weights);
    let (limit, width) = match rules.victory() {
        ScenarioVictory::Campaign | ScenarioVictory::Short => {
            (f32::from(rules.pack.victory.german_automatic) / 2.0 - 1.0, COLLAPSE)
        }
        ScenarioVictory::Arnhem { loss_limit, .. } => (f32::from(*loss_limit) / 2.0 - 0.5, COLLAPSE_ARNHEM),
        ScenarioVictory::Nijmegen { .. } | ScenarioVictory::Road { .. } => return 0.5 * weights.loss,
    };
    let german = f32::from(rules.german_points(s)) / 2.0;
    let nearer = logistic((german + 0.5 - limit) / width) - logistic((german - limit) / width);
    0.5 * weights.loss + weights.collapse * nearer
}

/// The half points that the German player scores if a unit is lost as a whole (26.1). A piece counts as the unit that it
/// is the last of.
pub fn halves(rules: &Holland, s: &State, unit: UnitId) -> f32 {
    let c = rules.counter(unit);
    if c.side == Side::German {
        return 0.0;
    }
    let parent = s.unit(unit).parent;
    let scored = match parent {
        Some(parent) => {
            let others = || {
                rules.units().any(|u| u != unit && s.unit(u).parent == Some(parent) && s.unit(u).in_game())
            };
            if s.unit(parent).at() != Place::Dead || others() {
                return 0.0;
            }
            rules.counter(parent)
        }
        None => c,
    };
    let v = rules.pack.victory;
    f32::from(match scored {
        c if c.pool.is_some() || c.categories.train && !c.supply_head_piece => 0,
        c if c.supply_head_piece => v.supply_head,
        c if c.three_steps => v.three_step_unit,
        _ => v.other_unit,
    })
}

/// The cost to its owner of losing a unit as a whole; `point`: what a half point is worth now ([`half_point`]).
pub fn perish(rules: &Holland, s: &State, unit: UnitId, point: f32) -> f32 {
    FACTOR * worth(rules, s, unit) + point * halves(rules, s, unit)
}

/// The turns that an advance is credited with.
pub fn credited(staff: &Staff, left: f32) -> f32 {
    time_to_advance(left, staff.weights.pace, staff.weights.reach)
}

/// Ground units that may be expected beyond the river, and how near the ground army is to it, by attack factors and
/// turns.
fn beyond(staff: &Staff, s: &State, ways: &[Vec<u16>; 2]) -> (f32, f32) {
    let (rules, lore) = (&*staff.rules, &staff.lore);
    let Some(far) = &lore.beyond else { return (0.0, 0.0) };
    let left = turns_left(rules, s, Side::Allied);
    let time = credited(staff, left);
    let most = FAR;
    let supplied = matches!(rules.victory(), ScenarioVictory::Campaign);
    let (mut count, mut urge) = (0.0, 0.0);
    for unit in sight::army(s, Side::Allied) {
        if !of_the_ground_army(rules, unit) || rules.face(s, unit).allowance == 0 {
            continue;
        }
        let ways = &ways[usize::from(rules.counter(unit).categories.mechanized)];
        let turns = match s.unit(unit).at() {
            Place::Hex(hex) if far.contains(hex) => {
                let fed = !supplied || s.unit(unit).oos == 0;
                count += if fed { 0.9 } else { 0.3 };
                0.0
            }
            Place::Hex(hex) => f32::from(ways[hex.index()]) / f32::from(TURN),
            Place::Box(area) => {
                let hexes = rules.land.areas.get(usize::from(area)).map_or(&[][..], |a| &a.hexes);
                let nearest = hexes.iter().map(|hex| ways[hex.index()]).min().unwrap_or(u16::MAX);
                f32::from(nearest) / f32::from(TURN) + 0.3
            }
            _ => most,
        };
        if turns > 0.0 {
            // Not all units that could go there do: the road has room for some of them in each turn.
            count += 0.35 * logistic(staff.weights.slope * (time - turns)) * (left * 2.0).min(1.0);
        }
        urge -= f32::from(rules.face(s, unit).attack) * turns.min(most);
    }
    (count, urge * 0.1)
}

/// The chance of each aim to be Allied in the end.
fn chances(staff: &Staff, s: &State, ground: &Arrival, any: &Arrival) -> Vec<f32> {
    let (rules, weights) = (&*staff.rules, &staff.weights);
    let left = turns_left(rules, s, Side::Allied);
    let time = credited(staff, left);
    let net = rules.by_road(s, Side::Allied, &rules.source_hexes(s, Side::Allied));
    let answer = turns_left(rules, s, Side::German).min(1.0);
    let german = sight::arrivals(staff, s, Side::German, Who::Everybody, STROKE);
    let danger = |hexes: &[HexId]| {
        if answer <= 0.0 {
            return 0.0;
        }
        let soonest = hexes.iter().map(|hex| german.at(*hex)).min().unwrap_or(u16::MAX);
        weights.danger * logistic(4.0 * (0.9 * answer - turns(soonest)))
    };
    let in_time =
        |arrival: f32| weights.sure * logistic(weights.slope * (time - arrival)) * (left * 2.0).min(1.0);
    let chance = |aim: &Aim| match aim.kind {
        Kind::Place => {
            let lost = |hex: &&HexId| s.field.last_holder(**hex) != Side::Allied;
            let take = aim.hexes.iter().filter(lost).map(|hex| any.at(*hex)).max();
            match take {
                None if linked(&net, &aim.hexes) => weights.kept * (1.0 - danger(&aim.hexes)),
                take => {
                    let link = aim.hexes.iter().map(|hex| ground.at(*hex)).min().unwrap_or(u16::MAX);
                    in_time(turns(link.max(take.unwrap_or(0))))
                }
            }
        }
        Kind::Hold => {
            let ours = aim.hexes.iter().all(|hex| s.field.held(Side::Allied).contains(*hex));
            if ours {
                weights.kept * (1.0 - danger(&aim.hexes))
            } else {
                in_time(turns(aim.hexes.iter().map(|hex| any.at(*hex)).max().unwrap_or(u16::MAX)))
            }
        }
        Kind::Bridge(bridge) => match s.field.bridge(bridge.into()) {
            Bridge::IntactAllied => weights.kept * (1.0 - 0.5 * danger(&aim.hexes)),
            Bridge::Repair(Side::Allied, _) => 0.6,
            state if state.intact() => {
                let soonest = aim.hexes.iter().map(|hex| any.at(*hex)).min().unwrap_or(u16::MAX);
                let stands = if rules.may_blow_now(s, bridge) { 0.45 } else { 0.95 };
                stands * in_time(turns(soonest))
            }
            _ => 0.15 * (left / 4.0).min(1.0),
        },
        Kind::Clear => {
            match aim.wanted(s, Side::Allied).count() {
                0 => weights.kept * (1.0 - danger(&aim.hexes)),
                // Every stack in the zone must be driven out.
                stacks => 0.55 * 0.7f32.powi(stacks as i32 - 1) * in_time(0.5),
            }
        }
        Kind::Beyond => 0.0,
    };
    staff.lore.aims.iter().map(chance).collect()
}

fn linked(net: &HexSet, hexes: &[HexId]) -> bool {
    hexes.iter().any(|hex| net.contains(*hex))
}

fn turns(time: u16) -> f32 {
    f32::from(time) / f32::from(TURN)
}

/// The player turns that a side still has, including the current one.
pub fn turns_left(rules: &Holland, s: &State, side: Side) -> f32 {
    let after = f32::from(rules.scenario.last_turn.saturating_sub(s.turn));
    let Some(Frame::Phase(whose, phase)) = s.frames.first() else { return after };
    if *whose != side {
        // The Allies move first.
        return after + if side == Side::German { 1.0 } else { 0.0 };
    }
    after
        + match phase {
            Phase::Combat => 0.3,
            Phase::Traffic => 0.0,
            _ => 1.0,
        }
}

/// The share of its full value that strength has now: less near the end, when it will not be used any more.
pub fn life(staff: &Staff, s: &State) -> f32 {
    let left = f32::from(staff.rules.scenario.last_turn.saturating_sub(s.turn)) + 0.5;
    (left / staff.weights.lifetime.max(0.1)).clamp(SPENT, 1.0)
}

/// The value of a unit in its present state.
pub fn worth(rules: &Holland, s: &State, unit: UnitId) -> f32 {
    let c = rules.counter(unit);
    let u = s.unit(unit);
    let face = rules.face(s, unit);
    let base = if c.supply_head_piece {
        8.0
    } else if c.categories.artillery {
        4.0
    } else if c.categories.train {
        2.0
    } else {
        1.0 + f32::from(face.attack)
            + 1.1 * f32::from(face.defense)
            + if c.armor.is_some() { 1.0 } else { 0.0 }
            + if c.three_steps { 2.0 } else { 0.0 }
    };
    let mut state: f32 = match u.order {
        Order::Good => 1.0,
        Order::Disrupted => 0.82,
        Order::FullRetreat => 0.55,
    };
    state -= [0.0, 0.15, 0.35][usize::from(u.oos.min(2))];
    if u.has(Marks::ENGAGED) {
        state -= 0.04;
    }
    if u.has(Marks::SCATTERED) {
        state -= 0.05;
    }
    if u.has(Marks::DEPLETED) {
        state -= 0.3;
    }
    base * state.max(0.1)
}

/// Allied minus German strength.
fn strength(rules: &Holland, s: &State) -> f32 {
    let mut sum = 0.0;
    for unit in rules.units() {
        let share = match s.unit(unit).at() {
            Place::Hex(_) => 1.0,
            Place::Box(_) | Place::Holding | Place::Coming | Place::Airlanding => 0.9,
            Place::Aside | Place::Unknown | Place::Dead => continue,
        };
        let worth = share * worth(rules, s, unit);
        sum += if rules.counter(unit).side == Side::Allied { worth } else { -worth };
    }
    sum
}

/// Allied progress in the scenario's own terms.
pub fn score(rules: &Holland, s: &State) -> f32 {
    let german = f32::from(rules.german_points(s)) / 2.0;
    match rules.victory() {
        ScenarioVictory::Campaign => f32::from(rules.allied_points(s)) / 2.0 - 0.1 * german,
        ScenarioVictory::Short => {
            f32::from(rules.ground_units(s, &rules.land.north_of_waal, false)) - 0.1 * german
        }
        ScenarioVictory::Arnhem { hex, .. } => {
            let there = rules.map.hex(hex).is_ok_and(|h| s.field.held(Side::Allied).contains(h));
            f32::from(u8::from(there)) * 10.0 - german
        }
        ScenarioVictory::Road { hexes, .. } => f32::from(rules.joined(s, hexes)) - 0.1 * german,
        ScenarioVictory::Nijmegen { bridges, zones, hex, .. } => {
            f32::from(rules.nijmegen_points(s, bridges, zones, hex)) - 0.1 * german
        }
    }
}
