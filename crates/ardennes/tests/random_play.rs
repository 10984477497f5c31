//! Random players play whole games: every listed option is accepted, nothing gets stuck, and the sets derived from the
//! counters are correct.

use ardennes::{Ardennes44, action::Action, frame::Frame, game, rules::Ardennes, state::State};
use kernel::{Dice, Log, Pending, Rules as _, Seat, Setup, erased::random_action};
use rand_core::SeedableRng;

/// Plays a game to its end; returns the number of decisions.
fn play(rules: &Ardennes, seed: u64, limit: u32) -> (State, u32) {
    let mut state = game::start(rules).expect("the scenario opens");
    let mut dice = Dice::from_number(seed);
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let (mut subjects, mut actions) = (Vec::new(), Vec::new());
    let mut log = Log::default();
    let mut decisions = 0;
    while decisions < limit {
        let Pending::One(seat) = rules.pending(&state) else { break };
        // 32.1: the die for the fuel dumps is rolled within a secret decision.
        assert!(
            state.top() == Frame::HideFuelDumps || has_choice(rules, &state, seat),
            "asked without a choice at {:?} (turn {}, {:?}): {:?}",
            state.top(),
            state.turn,
            state.phase,
            listed(rules, &state, seat)
        );
        let action = random_action(rules, &state, seat, &mut rng, &mut subjects, &mut actions)
            .unwrap_or_else(|| {
                panic!("nothing to do at {:?} (turn {}, {:?})", state.top(), state.turn, state.phase)
            });
        log.clear();
        if let Err(stop) = rules.apply(&mut state, seat, &action, &mut dice, &mut log) {
            panic!(
                "decision {decisions}: `{}` was listed and refused: {stop:?}",
                rules.notate(&state, &action)
            );
        }
        dice.forget();
        decisions += 1;
    }
    (state, decisions)
}

/// Does the seat have more than one choice? An option with open parts counts as more than one, and so does a move:
/// it stands for every way to its hex. (A unit that must leave, 18.2, may have a single hex to go to.)
fn has_choice(rules: &Ardennes, state: &State, seat: Seat) -> bool {
    let (mut subjects, mut actions) = (Vec::new(), Vec::new());
    rules.subjects(state, seat, &mut subjects);
    // The phase itself comes first and has at most one option.
    subjects.iter().rev().any(|subject| {
        rules.options(state, seat, *subject, &mut actions);
        actions.len() > 1
            || actions.first().is_some_and(|one| {
                matches!(one, Action::Move(_)) || rules.template(state, seat, one).is_some()
            })
    })
}

/// Every listed option in its notation.
fn listed(rules: &Ardennes, state: &State, seat: Seat) -> Vec<String> {
    let (mut subjects, mut actions, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    rules.subjects(state, seat, &mut subjects);
    for subject in subjects {
        rules.options(state, seat, subject, &mut actions);
        texts.extend(actions.iter().map(|action| rules.notate(state, action)));
    }
    texts
}

fn check_sets(rules: &Ardennes, state: &State) {
    let mut fresh = *state;
    rules.refresh_all(&mut fresh);
    assert!(fresh == *state, "the sets kept along the way differ from those worked out afresh");
}

/// The supply line of one unit and those of all units follow the same rule (23.3).
fn check_supply(rules: &Ardennes, state: &State) {
    use ardennes::{pack::Side, supply};
    for side in Side::ALL {
        let (roads, all) =
            (supply::road_hexes(rules, state, side), supply::supplied_hexes(rules, state, side));
        for hex in state.held(side) {
            assert_eq!(
                supply::traces(rules, state, side, hex, &roads),
                all.contains(hex),
                "{}",
                rules.label(hex)
            );
        }
    }
}

// rule: 23.3
#[test]
fn random_campaigns_end() {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    for (scenario, edition) in
        [("campaign", "2e"), ("six_turn", "2e"), ("patton", "2e"), ("st_vith", "2e"), ("campaign", "1e")]
    {
        let setup = Setup { scenario: scenario.into(), edition: Some(edition.into()), ..Setup::default() };
        let rules = game.rules(&setup).expect("the scenario is known");
        for seed in 0..1 {
            let (state, decisions) = play(&rules, seed, 200_000);
            assert!(state.ending.is_some(), "{scenario} {edition}: not over after {decisions} decisions");
            check_sets(&rules, &state);
            check_supply(&rules, &state);
        }
    }
}

/// Artillery that waits for Prime Movers, overstacked hexes in the 1st edition: a side that can only say `done` is not
/// asked.
#[test]
fn nobody_is_asked_without_a_choice() {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    for (scenario, edition) in [("six_turn", "2e"), ("patton", "2e"), ("six_turn", "1e")] {
        let options = vec!["fuel_dumps".to_owned()];
        let setup =
            Setup { scenario: scenario.into(), edition: Some(edition.into()), options, ..Setup::default() };
        let rules = game.rules(&setup).expect("the scenario is known");
        for seed in 0..4 {
            play(&rules, seed, 200_000);
        }
    }
}

/// The changes that a server sends after each decision add up to the view.
#[test]
fn changes_lead_from_view_to_view() {
    use kernel::{
        View, Viewer,
        view::{Piece, changed_panels},
    };

    fn sorted(mut pieces: Vec<Piece>) -> Vec<Piece> {
        pieces.sort_by(|a, b| a.id.cmp(&b.id));
        pieces
    }
    /// Returns the view after the decision.
    fn check(rules: &Ardennes, seen: View, before: &State, after: &State, viewer: Viewer) -> View {
        let changes = rules.changes(before, after, viewer).expect("this game has them");
        let View { turn, mut pieces, mut markers, panels, lines, extra } = seen;
        pieces.retain(|p| !changes.gone.contains(&p.id) && !changes.pieces.iter().any(|q| q.id == p.id));
        pieces.extend(changes.pieces);
        markers = changes.markers.unwrap_or(markers);
        let panels = changed_panels(panels, changes.panels, changes.panel_order.as_deref());
        let mut wanted = rules.view(after, viewer);
        wanted.pieces = sorted(wanted.pieces);
        assert_eq!(changes.turn.or(turn), wanted.turn);
        assert_eq!(sorted(pieces), wanted.pieces);
        assert_eq!((&markers, &panels), (&wanted.markers, &wanted.panels));
        assert_eq!(
            (changes.lines.unwrap_or(lines), changes.extra.unwrap_or(extra)),
            (wanted.lines.clone(), wanted.extra.clone())
        );
        wanted
    }

    /// This many decisions in a row are viewed by the same viewer, so that the view after one decision serves as the view before the next.
    const IN_A_ROW: usize = 20;

    let game = Ardennes44::new().expect("the pack is read");
    for (scenario, options) in [("campaign", vec!["fuel_dumps".to_owned()]), ("six_turn", Vec::new())] {
        let setup =
            Setup { game: "ardennes44".into(), scenario: scenario.into(), options, ..Setup::default() };
        let rules = game.rules(&setup).expect("a shipped scenario");
        let mut state = game::start(&rules).expect("the scenario opens");
        // The shipped deployment, so that the rest is play.
        let (mut dice, mut log) = (Dice::from_number(5), Log::default());
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(5);
        let viewers = [Viewer::Spectator, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1))];
        let mut seen = None;
        for decision in 0..900 {
            let Pending::One(seat) = rules.pending(&state) else { break };
            let deploy = rules
                .parse(&state, seat, "deploy")
                .ok()
                .filter(|a| rules.verdict(&state, seat, a).is_legal());
            let action = deploy.unwrap_or_else(|| {
                random_action(&rules, &state, seat, &mut rng, &mut Vec::new(), &mut Vec::new())
                    .expect("something can be done")
            });
            let before = state;
            log.clear();
            rules.apply(&mut state, seat, &action, &mut dice, &mut log).expect("it was listed");
            let viewer = viewers[decision / IN_A_ROW % viewers.len()];
            if decision.is_multiple_of(IN_A_ROW) {
                seen = None;
            }
            let known = seen.take().unwrap_or_else(|| rules.view(&before, viewer));
            seen = Some(check(&rules, known, &before, &state, viewer));
        }
    }
}
