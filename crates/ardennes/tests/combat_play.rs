//! Random combats from the opening positions of both editions: every listed option is legal, nothing gets stuck, and
//! the sets derived from the counters stay correct.

use std::sync::OnceLock;

use ardennes::{Ardennes44, game, state::State};
use kernel::{Dice, Log, Pending, Rules as _, Setup, erased::random_action};
use rand_core::{RngCore, SeedableRng};

/// Recomputing the board's sets gives the same result.
fn assert_sets_are_current(rules: &ardennes::Ardennes, s: &State) {
    let mut again = *s;
    rules.refresh_all(&mut again);
    // Everything is compared: counters, stacks, sets and bridges.
    assert!(again.field == s.field);
    assert!(
        s.held(ardennes::pack::Side::German).is_disjoint(s.held(ardennes::pack::Side::Allied)),
        "both sides in one hex"
    );
}

fn fight(edition: &str, scenario: &str, seed: u64, decisions: usize) -> usize {
    static GAME: OnceLock<Ardennes44> = OnceLock::new();
    let game = GAME.get_or_init(|| Ardennes44::new().expect("the shipped pack and map are sound"));
    let setup = Setup { scenario: scenario.into(), edition: Some(edition.into()), ..Setup::default() };
    let rules = game.rules(&setup).expect("a shipped scenario");
    let mut s = game::start(&rules).expect("it opens");
    let mut dice = Dice::from_number(seed);
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut log = Log::default();
    let (mut subjects, mut actions) = (Vec::new(), Vec::new());
    let mut attacks = 0;
    for n in 0..decisions {
        let Pending::One(who) = rules.pending(&s) else { break };
        let action = random_action(&rules, &s, who, &mut rng, &mut subjects, &mut actions)
            .unwrap_or_else(|| panic!("{edition} {scenario} {seed} {n}: nothing to do at {:?}", s.top()));
        let verdict = rules.verdict(&s, who, &action);
        assert!(verdict.is_legal(), "{edition} {n} {:?}: {action:?}: {verdict:?}", s.top());
        let text = rules.notate(&s, &action);
        let read = rules.parse(&s, who, &text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        assert_eq!(read, action, "{text}");
        attacks += usize::from(matches!(action, ardennes::action::Action::Attack(_)));
        log.clear();
        rules
            .apply(&mut s, who, &action, &mut dice, &mut log)
            .unwrap_or_else(|e| panic!("{edition} {seed} {n}: {text}: {e}"));
        if rng.next_u32() % 16 == 0 {
            assert_sets_are_current(&rules, &s);
        }
    }
    attacks
}

#[test]
fn random_fights_second_edition() {
    for seed in 0..2 {
        assert!(fight("2e", "campaign", seed, 1200) > 3);
    }
    fight("2e", "patton", 7, 1200);
}

#[test]
fn random_fights_first_edition() {
    for seed in 0..2 {
        assert!(fight("1e", "campaign", seed, 1200) > 3);
    }
}
