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

/// Where units that were placed freely stand, and how far each is from the nearest enemy.
fn deployed(rules: &ardennes::Ardennes, how: &str) -> Vec<(ardennes::pack::UnitId, u32)> {
    let mut state = game::start(rules).expect("the scenario opens");
    let seat = ardennes::play::seat(ardennes::pack::Side::German);
    for text in [how, "done"] {
        let action = rules.parse(&state, seat, text).expect("it is notation");
        let (mut dice, mut log) = (kernel::Dice::from_number(1), kernel::Log::default());
        rules
            .apply(&mut state, seat, &action, &mut dice, &mut log)
            .unwrap_or_else(|stop| panic!("{how}: {stop:?}"));
    }
    let at = |unit| state.unit(unit).place().hex();
    let foes: Vec<_> = rules.units_of(ardennes::pack::Side::Allied).filter_map(at).collect();
    let board = &rules.map.board;
    let far = |hex| foes.iter().map(|foe| board.distance(hex, *foe)).min().unwrap_or(u32::MAX);
    rules.units_of(ardennes::pack::Side::German).filter_map(|unit| Some((unit, far(at(unit)?)))).collect()
}

// rule: 31.1
#[test]
fn armor_in_front_places_everybody_and_brings_the_tanks_nearer() {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    for (scenario, edition) in
        [("campaign", Edition::Second), ("campaign", Edition::First), ("six_turn", Edition::Second)]
    {
        let setup =
            Setup { scenario: scenario.into(), edition: Some(edition.key().into()), ..Setup::default() };
        let rules = game.rules(&setup).expect("it is shipped");
        let (listed, forward) = (deployed(&rules, "deploy"), deployed(&rules, "deploy armor"));
        assert_eq!(listed.len(), forward.len(), "{scenario} {edition:?}: everybody has a place");
        let tanks = |units: &[(ardennes::pack::UnitId, u32)]| {
            let far: Vec<u32> =
                units.iter().filter(|(unit, _)| rules.counter(*unit).tank).map(|(_, far)| *far).collect();
            f64::from(far.iter().sum::<u32>()) / far.len() as f64
        };
        assert!(tanks(&forward) < tanks(&listed) - 0.5, "{} and {}", tanks(&forward), tanks(&listed));
    }
}
