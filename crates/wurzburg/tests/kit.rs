//! The kernel's test-kit on every scenario: options are legal, notation and states round-trip, replay and undo agree, and
//! nothing hidden leaks.

use std::sync::Arc;

use kernel::{Setup, Viewer, testkit::Kit};
use rand_core::RngCore;
use wurzburg::{
    AirAndArmor, Wurzburg, game,
    play::seat,
    state::{Chit, Mine, OpKind, Payer, Place, State},
    units::{FormationId, Side, UnitId},
};

/// 12.4: which division's Main Effort chit lies face down is hidden.
fn shuffle_chits(state: &mut State, rng: &mut dyn RngCore) {
    let mut hidden: Vec<usize> = (0..state.formations.len())
        .filter(|n| matches!(state.formations[*n].chit, Chit::Held | Chit::Laid(_)))
        .collect();
    while hidden.len() > 1 {
        let (a, b) = (hidden.remove(0), hidden[rng.next_u32() as usize % hidden.len()]);
        let chit = state.formations[a].chit;
        state.formations[a].chit = state.formations[b].chit;
        state.formations[b].chit = chit;
    }
}

/// The same position with other secrets: steps of undetected units (11.2), plans (12.3), real and dummy minefields (37.1).
fn scramble(rules: &Wurzburg, state: &State, viewer: Viewer, rng: &mut dyn RngCore) -> State {
    let mut other = state.clone();
    for side in Side::ALL.into_iter().filter(|side| !viewer.knows(seat(*side))) {
        for pool in &rules.pools {
            let hidden: Vec<UnitId> = pool
                .units
                .iter()
                .copied()
                .filter(|unit| {
                    rules.counter(*unit).side == side
                        && state.unit(*unit).place == Place::Map
                        && !rules.knows_steps(state, viewer, *unit)
                })
                .collect();
            let total: u8 = hidden.iter().map(|unit| state.unit(*unit).steps).sum();
            let Some(last) = hidden.last() else { continue };
            let mut left = total;
            for unit in &hidden {
                let most = rules.counter(*unit).max_steps.min(left);
                let steps = if unit == last {
                    left.min(rules.counter(*unit).max_steps)
                } else {
                    (rng.next_u32() % (u32::from(most) + 1)) as u8
                };
                other.unit_mut(*unit).steps = steps;
                left -= steps;
            }
            if left > 0 {
                for unit in &hidden {
                    other.unit_mut(*unit).steps = state.unit(*unit).steps;
                }
            }
        }
        if side == Side::Wp {
            for n in 0..other.formations.len() as u8 {
                let id = FormationId(n);
                if rules.planned(state, id) && !rules.knows_plan(state, viewer, id) {
                    let f = other.formation_mut(id);
                    f.plan.kind = OpKind::ALL[rng.next_u32() as usize % 4];
                    f.plan.payer = if f.plan.kind == OpKind::March { Payer::None } else { Payer::OffMap };
                }
            }
            shuffle_chits(&mut other, rng);
        }
        for mark in &mut other.marks {
            if mark.mine_owner == side && mark.mine != Mine::None && !mark.mine_known {
                mark.mine = if rng.next_u32().is_multiple_of(2) { Mine::Real } else { Mine::Dummy };
            }
        }
    }
    other
}

/// What a player may ask at any time, about his own units and the others'.
fn questions(rules: &Wurzburg, state: &State) -> Vec<String> {
    let mut list: Vec<String> =
        ["victory", "points", "operation", "zoc wp", "zoc nato"].map(str::to_owned).to_vec();
    for side in Side::ALL {
        let shown = |unit: &&UnitId| state.unit(**unit).on_map();
        for unit in rules.units_of(side).iter().filter(shown).take(3) {
            let id = rules.id(*unit);
            let hex = rules.field.label(state.unit(*unit).hex);
            list.extend([
                format!("unit {id}"),
                format!("stack {hex}"),
                format!("moves {id}"),
                format!("command {id}"),
                format!("fire {id} -> {hex} defensive"),
                format!("defense {id}"),
            ]);
        }
    }
    list.push("plan 24MRR".into());
    list
}

fn check(scenario: &str, options: &[&str], seeds: std::ops::Range<u64>, every: u32) {
    let game = AirAndArmor::new().expect("the shipped pack is sound");
    let setup = Setup {
        scenario: scenario.into(),
        options: options.iter().map(|o| (*o).to_owned()).collect(),
        ..Setup::default()
    };
    let rules = Arc::new(game.rules(&setup).expect("the scenario is known"));
    let start = game::start(&rules).expect("it opens");
    let (mine, asked) = (Arc::clone(&rules), Arc::clone(&rules));
    let kit = Kit::new(rules, start)
        .seeds(seeds)
        .max_decisions(60_000)
        .every(every)
        .scramble(move |state, viewer, rng| scramble(&mine, state, viewer, rng))
        .questions(move |state, _| questions(&asked, state));
    match kit.run() {
        Ok(summary) => assert!(summary.scrambled > 0, "{scenario}: nothing was ever hidden"),
        Err(failure) => panic!("{scenario} {options:?}: {failure}"),
    }
}

#[test]
fn first_contact() {
    check("first-contact", &[], 0..6, 5);
}

// rule: 42.0
// rule: 43.0
#[test]
fn first_contact_with_every_option() {
    check("first-contact", &["overrun", "close_attack"], 20..28, 8);
}

/// All scenarios play to their end; the long ones are looked into at few moments.
#[test]
fn the_short_scenarios() {
    check("gate-at-hambach", &[], 10..12, 60);
    check("race-for-the-bridges", &[], 12..13, 100);
    check("mist-over-the-main", &["gas"], 13..14, 60);
}

#[test]
fn the_long_scenarios() {
    check("last-brigade", &["overrun", "close_attack"], 14..15, 90);
    check("bear-trap", &[], 15..16, 150);
}

// rule: 11.1
#[test]
fn the_players_set_up_themselves() {
    check("first-contact", &["free_setup"], 30..32, 40);
}

/// The first turns of the campaign.
#[test]
fn the_campaign_begins() {
    start_of("sixty-miles", &["gas"], 600);
}

/// Sixteen turns take many minutes in a build without optimization.
#[test]
#[ignore = "takes long; run it with --run-ignored"]
fn the_campaign() {
    check("sixty-miles", &["gas"], 16..17, 4000);
}

fn start_of(id: &str, options: &[&str], decisions: usize) {
    let game = AirAndArmor::new().expect("the shipped pack is sound");
    let setup = Setup {
        scenario: id.into(),
        options: options.iter().map(|o| (*o).to_owned()).collect(),
        ..Setup::default()
    };
    let rules = Arc::new(game.rules(&setup).expect("the scenario is known"));
    let start = game::start(&rules).expect("it opens");
    let mine = Arc::clone(&rules);
    let kit = Kit::new(rules, start)
        .seeds(0..1)
        .max_decisions(decisions)
        .may_stop()
        .every(200)
        .scramble(move |state, viewer, rng| scramble(&mine, state, viewer, rng));
    if let Err(failure) = kit.run() {
        panic!("{id}: {failure}");
    }
}
