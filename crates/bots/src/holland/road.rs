//! The road behind the army. In a scenario that counts places joined by road (S5.4) a German unit that walks onto the road,
//! or next to an empty hex of it, behind the army takes every place beyond. So the last turn's first task is to keep it.

use ::holland::{
    Action, Holland, State,
    pack::{ScenarioVictory, Side},
    state::Place,
};
use hexgrid::{HexId, HexSet};
use zocbond::{Piece, UnitId};

use super::{
    guards::defends,
    lore::Kind,
    manoeuvre::{Draft, goes_to},
    sight,
    staff::Staff,
    value,
};

/// How many turns of the Germans' usual pace they may make in one turn when they hurry.
const HURRY: f32 = 1.6;
/// The value of a unit that attacks elsewhere, by attack factor, in hexes of the road.
const FACTOR: f32 = 0.05;

/// The road from the sources to the places that count now, where that matters: on the last turn of the Allies.
pub fn kept(staff: &Staff, s: &State) -> HexSet {
    let rules = &*staff.rules;
    let ScenarioVictory::Road { needed, .. } = rules.victory() else { return HexSet::new() };
    if value::turns_left(rules, s, Side::Allied) > 1.0 {
        return HexSet::new();
    }
    let sources = rules.source_hexes(s, Side::Allied);
    let net = rules.by_road(s, Side::Allied, &sources);
    let places = staff.lore.aims.iter().filter(|aim| aim.kind == Kind::Place).flat_map(|aim| &aim.hexes);
    let ours = places.copied().filter(|hex| net.contains(*hex) && s.field.last_holder(*hex) == Side::Allied);
    let ours: Vec<HexId> = ours.collect();
    if ours.len() + 1 < usize::from(*needed) {
        return HexSet::new();
    }
    paths(rules, &net, &sources, &ours)
}

/// The shortest ways by road through a net from some hexes to others.
fn paths(rules: &Holland, net: &HexSet, from: &[HexId], to: &[HexId]) -> HexSet {
    let topology = &rules.land.topology;
    let mut before = vec![HexId::NONE; rules.map.board.len()];
    let mut seen: HexSet = from.iter().copied().filter(|hex| net.contains(*hex)).collect();
    let mut queue: Vec<HexId> = seen.iter().collect();
    let mut at = 0;
    while let Some(hex) = queue.get(at).copied() {
        at += 1;
        for next in topology.neighbours(hex) {
            let road =
                topology.direction(hex, next).is_some_and(|d| rules.side_toward(hex, d).road.is_some());
            if road && net.contains(next) && seen.insert(next) {
                before[next.index()] = hex;
                queue.push(next);
            }
        }
    }
    let mut out = HexSet::new();
    for goal in to {
        let mut hex = *goal;
        while hex != HexId::NONE && out.insert(hex) {
            hex = before[hex.index()];
        }
    }
    out
}

/// Hexes of the road that the enemy could cut in its next turn.
fn open(staff: &Staff, s: &State, road: &HexSet) -> usize {
    let stops = sight::stops(staff, s, Side::German, HURRY);
    let cut = |hex: HexId| {
        let near = || staff.rules.land.topology.neighbours(hex).any(|near| stops.contains(near));
        !s.field.held(Side::Allied).contains(hex) && (stops.contains(hex) || near())
    };
    road.iter().filter(|hex| cut(*hex)).count()
}

/// Moves units where they keep most of the road, and returns them with those that keep it where they are.
pub fn keep(draft: &mut Draft, busy: &[UnitId]) -> Vec<UnitId> {
    let staff = draft.staff;
    let rules = &*staff.rules;
    let road = if draft.side == Side::Allied { kept(staff, &draft.w) } else { HexSet::new() };
    let mut keepers: Vec<UnitId> = Vec::new();
    let mut left = if road.is_empty() { 0 } else { open(staff, &draft.w, &road) };
    let near =
        |hex: HexId| road.contains(hex) || rules.land.topology.neighbours(hex).any(|n| road.contains(n));
    while left > 0 && !draft.unforeseen {
        let mut best: Option<(f32, UnitId, Action)> = None;
        for unit in sight::army(&draft.w, Side::Allied) {
            if !defends(rules, unit) || busy.contains(&unit) || keepers.contains(&unit) {
                continue;
            }
            let cost = FACTOR * f32::from(rules.face(&draft.w, unit).attack);
            for action in draft.options(unit) {
                let Some(hex) = goes_to(&action).filter(|hex| near(*hex)) else { continue };
                let mut after = draft.w.clone();
                rules.put(&mut after, unit, Place::Hex(hex));
                let gain = left as f32 - open(staff, &after, &road) as f32 - cost;
                if gain > 0.5 && best.is_none_or(|(most, ..)| gain > most) {
                    best = Some((gain, unit, action));
                }
            }
        }
        let Some((_, unit, action)) = best else { break };
        keepers.push(unit);
        if draft.act(action) {
            left = open(staff, &draft.w, &road);
        }
    }
    // Whoever stands on the road stays, unless the road is safe without it.
    if left > 0 || !keepers.is_empty() {
        for unit in sight::army(&draft.w, Side::Allied) {
            let hex = draft.w.unit(unit).hex();
            if !keepers.contains(&unit) && defends(rules, unit) && hex.is_some_and(|hex| road.contains(hex)) {
                let mut after = draft.w.clone();
                rules.take_off(&mut after, unit, Place::Aside);
                if open(staff, &after, &road) > left {
                    keepers.push(unit);
                }
            }
        }
    }
    keepers
}
