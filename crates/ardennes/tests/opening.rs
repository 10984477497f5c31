//! Every scenario opens, and its sequence of play runs through.

use ardennes::{Ardennes44, game, pack::Edition};
use kernel::{Rules as _, Setup};

#[test]
fn every_scenario_opens() {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    for scenario in &game.pack().scenarios {
        for edition in &scenario.editions {
            let setup = Setup {
                scenario: scenario.id.clone(),
                edition: Some(edition.key().into()),
                ..Setup::default()
            };
            let rules = game.rules(&setup).unwrap_or_else(|e| panic!("{} {edition:?}: {e}", scenario.id));
            let state = game::start(&rules).unwrap_or_else(|e| panic!("{} {edition:?}: {e}", scenario.id));
            assert!(!matches!(rules.pending(&state), kernel::Pending::Over(_)), "{}", scenario.id);
        }
    }
    assert!(game.pack().scenarios.iter().any(|s| s.editions.contains(&Edition::First)));
}

#[test]
fn a_state_is_small_enough_to_copy() {
    assert!(std::mem::size_of::<ardennes::state::State>() <= 28 * 1024);
}
