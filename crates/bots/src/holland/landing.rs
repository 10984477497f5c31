//! Airborne landings (22): which unit lands where today, and whether a Supply Head is flown supplies.

use ::holland::{Action, Holland, State, event::seat, pack::Side, state::Marks};
use hexgrid::HexId;
use zocbond::{Piece, UnitId};

use super::{
    posts::Picture,
    sight::menace,
    staff::{Script, Staff},
    value::worth,
};
use crate::{Thought, bond::choose};

/// For each of our units near an aim, the aim counts as this many hexes further away.
const CROWD: f32 = 0.6;

/// The Airlanding Phase: one landing after the other, since each is decided by a die.
pub fn land(staff: &Staff, s: &State, out: &mut Script) {
    let (rules, weights) = (&*staff.rules, &staff.weights);
    let picture = Picture::new(staff, s);
    let menace = menace(rules, s, Side::German);
    let goals = goals(staff, &picture, s);
    let mut odds: Vec<Option<f32>> = vec![None; rules.map.board.len()];
    let mut best: Option<(f32, Action)> = None;
    for action in choose::options(rules, s, seat(Side::Allied)) {
        let score = match &action {
            Action::Land { unit, hex } => {
                let risk = *odds[hex.index()].get_or_insert_with(|| {
                    let odds = rules.landing_odds(s, *hex);
                    let steps = f32::from(odds.one_step + 2 * odds.two_steps);
                    (weights.scatter * f32::from(6 - odds.whole) + weights.crash * steps) / 6.0
                });
                let fear = 0.08 * menace[hex.index()].min(20.0);
                2.0 + 0.3 * worth(rules, s, *unit)
                    - risk
                    - fear
                    - 0.25 * far_from_aims(rules, &goals, s, *unit, *hex)
                    + 0.1 * rules.stack(s, Side::Allied, *hex).count().min(2) as f32
            }
            Action::Resupply(head) => resupply(rules, s, *head),
            // Each unit is landed where it serves best.
            Action::LandAll(_) => continue,
            _ => 0.0,
        };
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, action));
        }
    }
    out.push(Thought::plain(best.map_or(Action::Done, |(_, action)| action)));
}

/// Open aims, and how strongly each attracts: less the more of our units are near it already.
fn goals(staff: &Staff, picture: &Picture, s: &State) -> Vec<(HexId, f32)> {
    let rules = &*staff.rules;
    let near = |hex: HexId| {
        let around = rules.map.board.range(hex, 3);
        around.map(|at| rules.stack(s, Side::Allied, at).count()).sum::<usize>() as f32
    };
    let aims = staff.lore.aims.iter().zip(&picture.open).filter(|(_, open)| **open > 0.1);
    aims.flat_map(|(aim, open)| aim.hexes.iter().map(move |hex| (*hex, open)))
        .map(|(hex, open)| (hex, 2.0 * open - CROWD * near(hex).min(6.0)))
        .collect()
}

/// Distance from where a unit would land to what its side wants there, or to its Supply Head.
fn far_from_aims(rules: &Holland, goals: &[(HexId, f32)], s: &State, unit: UnitId, hex: HexId) -> f32 {
    let distance = |to: HexId| rules.map.board.distance(hex, to) as f32;
    if let Some(head) = rules.counter(unit).supply_head.and_then(|head| s.unit(head).hex())
        && (rules.counter(unit).categories.artillery || rules.counter(unit).supply_head_piece)
    {
        return distance(head);
    }
    let far = goals.iter().map(|(to, draw)| distance(*to) - draw);
    far.fold(20.0, f32::min).max(0.0)
}

/// 22.6: worth an Airlanding Point if the division depends on air supply.
fn resupply(rules: &Holland, s: &State, head: UnitId) -> f32 {
    let Some(hex) = s.unit(head).hex() else { return 0.0 };
    let net = rules.by_road(s, Side::Allied, &rules.source_hexes(s, Side::Allied));
    let reach = rules.overland(s, Side::Allied, hex, rules.pack.tables.supply.overland);
    if !reach.is_disjoint(&net) {
        return -1.0;
    }
    if s.unit(head).has(Marks::DEPLETED) { 7.0 } else { 3.0 }
}
