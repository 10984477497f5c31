//! The fast searches find the same as walking step by step.

use std::collections::BTreeMap;

use hexgrid::{Direction, HexId};
use kernel::{Dice, Log, Pending, Rules as _, Setup, erased::random_action};
use rand_core::{RngCore as _, SeedableRng as _};
use zocbond::moves::costs::{MARGIN, NEIGHBOUR_BYTES, PATTERNS, Pattern};

use super::{
    profile::{ANY_HEXES, Profile},
    reach::with_reach,
};
use crate::{
    Ardennes44,
    action::{Mode, Path},
    game,
    pack::{Side, UnitId},
    rules::Ardennes,
    state::State,
};

/// Costs of all hexes that the unit reaches, using only the rule for one step.
fn walked(rules: &Ardennes, s: &State, p: &Profile) -> BTreeMap<HexId, u16> {
    let mut costs = BTreeMap::new();
    let mut open: Vec<(HexId, u16, Path, bool)> = Vec::new();
    if p.start == HexId::NONE {
        for door in rules.doors(s, p).iter().filter(|door| rules.door_bar(s, p, door.hex).is_none()) {
            let cost = if p.free { super::TACTICAL_HEX } else { door.cost };
            if p.hexes > 0 && (p.free || cost <= p.left) {
                open.push((door.hex, cost, Path::default(), s.in_ezoc(p.side, door.hex)));
            }
        }
    } else {
        open.push((p.start, 0, Path::default(), false));
    }
    let short = p.hexes != ANY_HEXES;
    let entered = u8::from(p.start == HexId::NONE);
    while let Some((hex, cost, path, stop)) = open.pop() {
        // If hexes are limited, every path is tried.
        if !short && costs.get(&hex).is_some_and(|known| *known <= cost) {
            continue;
        }
        let known = costs.entry(hex).or_insert(cost);
        *known = cost.min(*known);
        if stop || short && path.len() >= usize::from(p.hexes - entered) {
            continue;
        }
        let crossed = short && {
            let mut at = p.start;
            path.iter().any(|direction| {
                let hard = at != HexId::NONE && !p.vehicle && rules.crossing(s, at, direction).hard();
                at = rules.land.edge(at, direction).to;
                hard
            })
        };
        for direction in Direction::ALL {
            let Ok(pace) = rules.pace(s, p, hex, direction, crossed) else { continue };
            let to = rules.land.edge(hex, direction).to;
            let total = cost + if p.free { super::TACTICAL_HEX } else { pace.cost };
            let shifts = short && p.shift && path.is_empty();
            let mut longer = path;
            if short && to == p.start || !(p.free || total <= p.left || shifts) || !longer.push(direction) {
                continue;
            }
            open.push((to, total, longer, pace.stop));
        }
    }
    costs.remove(&p.start);
    costs
}

/// Compares what a unit reaches in every mode; returns the number of hexes.
fn compare(rules: &Ardennes, s: &State, side: Side, unit: UnitId) -> usize {
    let mut hexes = 0;
    for mode in Mode::ALL {
        let Ok(p) = rules.profile(s, side, unit, mode) else { continue };
        let mut found = BTreeMap::new();
        with_reach(rules, s, &p, |reach| {
            reach.each(&p, |hex, cost| {
                found.insert(hex, cost);
            });
        });
        assert_eq!(found, walked(rules, s, &p), "{mode:?} {}, turn {}", rules.pack.unit(unit).id, s.turn);
        hexes += found.len();
    }
    hexes
}

/// A random game in which some units are checked now and then.
fn play(scenario: &str, edition: &str, options: &[&str], decisions: u64, every: u64) -> usize {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let setup = Setup {
        scenario: scenario.into(),
        edition: Some(edition.into()),
        options: options.iter().map(|o| (*o).to_owned()).collect(),
        ..Setup::default()
    };
    let rules = game.rules(&setup).expect("it is shipped");
    let mut s = game::start(&rules).expect("it opens");
    let (mut dice, mut log) = (Dice::from_number(3), Log::default());
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
    let mut hexes = 0;
    for decision in 0..decisions {
        let Pending::One(seat) = rules.pending(&s) else { break };
        if decision % every == 0 {
            let side = crate::play::side(seat);
            let units: Vec<UnitId> =
                rules.units_of(side).filter(|u| s.unit(*u).may_come_or_stand()).collect();
            for _ in 0..units.len().min(3) {
                hexes += compare(&rules, &s, side, units[rng.next_u32() as usize % units.len()]);
            }
        }
        let action = random_action(&rules, &s, seat, &mut rng, &mut Vec::new(), &mut Vec::new())
            .expect("somebody who is asked can answer");
        log.clear();
        rules.apply(&mut s, seat, &action, &mut dice, &mut log).expect("listed options are legal");
        dice.forget();
    }
    hexes
}

// rule: 9.2
// rule: 10.2
// rule: 11.4
// rule: 24.2
// rule: 29.3
#[test]
fn searching_is_walking() {
    assert!(play("campaign", "2e", &["fuel_dumps", "roadblocks"], 1_200, 11) > 5_000);
    assert!(play("six_turn", "2e", &[], 600, 23) > 1_000);
    assert!(play("campaign", "1e", &["fuel_dumps"], 900, 11) > 1_000);
}

/// A search is slow if it finds no pattern.
#[test]
fn all_hexes_share_a_few_patterns_of_neighbours() {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    let rules =
        game.rules(&Setup { scenario: "campaign".into(), ..Setup::default() }).expect("it is shipped");
    let board = &rules.map.board;
    let mut patterns: Vec<Pattern> = Vec::new();
    for hex in board.ids() {
        let pattern = Pattern::of(hex, board.neighbour_row(hex)).expect("the map is numbered by columns");
        for (direction, to) in board.neighbours(hex) {
            let place = usize::from(NEIGHBOUR_BYTES[direction.index()]);
            assert_eq!(hex.index() + usize::from(pattern.0[place]), to.index() + MARGIN);
        }
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    assert!(patterns.len() <= PATTERNS, "{patterns:?}");
}

/// Updating ZOC is slow if the neighbours of a hex are not in runs of consecutive ids.
#[test]
fn most_hexes_have_their_neighbours_in_runs() {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    for (scenario, least) in [("campaign", 80), ("six_turn", 70)] {
        let setup = Setup { scenario: scenario.into(), ..Setup::default() };
        let land = &game.rules(&setup).expect("it is shipped").land;
        let inland = land.in_play.iter().filter(|hex| land.topology().nearby(*hex).is_some()).count();
        assert!(inland * 100 > land.in_play.len() * least);
    }
}

#[test]
#[ignore = "takes minutes"]
fn searching_is_walking_for_long() {
    for scenario in ["campaign", "extended", "patton", "six_turn"] {
        play(scenario, "2e", &["fuel_dumps", "roadblocks"], 6_000, 2);
    }
    play("campaign", "1e", &["fuel_dumps", "ccb9"], 6_000, 2);
}
