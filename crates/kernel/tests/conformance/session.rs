//! Undo, takebacks, secrets and resuming in a session.

use std::sync::Arc;

use kernel::session::Line;
use kernel::{Catalog, Pending, Refusal, Session, Stop, Viewer};

use super::outpost::{BLUE, RED, game, setup};

fn open(dice: &[u8]) -> Session {
    Session::scripted(game(), setup(), dice.to_vec()).unwrap()
}

fn play(session: &mut Session, lines: &[&str]) {
    for line in lines {
        let (side, action) = line.split_once(": ").unwrap();
        let seat = if side == "red" { RED } else { BLUE };
        session.act(seat, action).unwrap_or_else(|stop| panic!("{line}: {stop}"));
    }
}

const START: [&str; 4] = ["red: decoy r1", "blue: decoy b1", "red: order advance", "blue: order ambush"];

/// r2 walks up to b2, which may fire.
const AMBUSH: [&str; 5] =
    ["red: move r2 b2 b3", "blue: hold fire", "red: done", "blue: done", "red: order advance"];

fn key(result: Result<impl Sized, Refusal>) -> String {
    result.err().map(|r| r.why.key.to_string()).unwrap_or_default()
}

fn texts(lines: &[Line]) -> Vec<String> {
    let catalog = Catalog::of_game(&*game(), "en").unwrap();
    lines.iter().map(|line| catalog.render(&line.entry.message, &())).collect()
}

#[test]
fn shared_words_are_read_once_for_each_language() {
    let game = game();
    for language in kernel::catalog::LANGUAGES {
        let shared = Catalog::shared(&*game, language).unwrap();
        assert_eq!(*shared, Catalog::of_game(&*game, language).unwrap());
        assert!(Arc::ptr_eq(&shared, &Catalog::shared(&*game, language).unwrap()));
    }
    assert_ne!(Catalog::shared(&*game, "en").unwrap(), Catalog::shared(&*game, "ja").unwrap());
}

#[test]
fn one_undoes_ones_own_last_decisions() {
    let mut session = open(&[]);
    play(&mut session, &START);
    let before = session.table().snapshot();
    play(&mut session, &["red: move r1 a2", "red: move r3 c2"]);
    assert_eq!(key(session.undo(BLUE)), "kernel.undo_other");
    assert_eq!(session.undo(RED), Ok(5));
    assert_eq!(session.undo(RED), Ok(4));
    assert_eq!(session.table().snapshot(), before);
    assert_eq!(key(session.undo(RED)), "kernel.undo_other");
    // Orders have been shown.
    assert_eq!(key(session.undo(BLUE)), "kernel.undo_revealed");
    assert_eq!(key(open(&[]).undo(RED)), "kernel.undo_nothing");
    // The journal keeps what was undone.
    assert_eq!(session.journal().records.len(), 8);
    assert_eq!(session.len(), 4);
}

#[test]
fn dice_and_the_other_sides_decisions_bar_undo() {
    let mut session = open(&[3]);
    play(&mut session, &START);
    play(&mut session, &AMBUSH[..2]);
    assert_eq!(key(session.undo(RED)), "kernel.undo_other");
    assert_eq!(session.undo(BLUE), Ok(5));
    play(&mut session, &["blue: fire b2"]);
    assert_eq!(key(session.undo(BLUE)), "kernel.undo_rolled");
}

#[test]
fn a_takeback_needs_consent_and_rolls_nothing_again() {
    let mut session = open(&[3, 6]);
    play(&mut session, &START);
    let before = session.table().snapshot();
    play(&mut session, &["red: move r2 b2 b3", "blue: fire b2"]);
    assert_eq!(key(session.answer_takeback(BLUE, true)), "kernel.takeback_none");
    assert_eq!(session.request_takeback(RED, None).unwrap().to, 4);
    assert_eq!(key(session.request_takeback(BLUE, None)), "kernel.takeback_open");
    assert_eq!(key(session.answer_takeback(RED, true)), "kernel.takeback_own");
    assert_eq!(session.answer_takeback(BLUE, false), Ok(false));
    assert_eq!((session.len(), session.request()), (6, None));

    session.request_takeback(RED, Some(4)).unwrap();
    assert_eq!(session.answer_takeback(BLUE, true), Ok(true));
    assert_eq!(session.table().snapshot(), before);
    // The 3 is spent: the same shot rolls the 6 now.
    play(&mut session, &["red: move r2 b2 b3"]);
    assert_eq!(session.act(BLUE, "fire b2").unwrap().applied.rolls, [6]);

    // A request lapses when somebody decides, and can be withdrawn.
    session.request_takeback(BLUE, None).unwrap();
    assert_eq!(key(session.withdraw_takeback(RED)), "kernel.takeback_own");
    play(&mut session, &["red: done"]);
    assert_eq!(session.request(), None);
    session.request_takeback(BLUE, Some(0)).unwrap();
    session.withdraw_takeback(BLUE).unwrap();
    assert_eq!(key(session.request_takeback(RED, Some(7))), "kernel.takeback_range");
}

#[test]
fn what_is_decided_in_secret_stays_secret_until_all_have_decided() {
    let mut session = open(&[]);
    play(&mut session, &START[..3]);
    let told = |session: &Session, viewer| texts(&session.log(viewer, 0)).join(" ");
    assert!(told(&session, Viewer::Seat(RED)).contains("Order: advance."));
    assert!(!told(&session, Viewer::Seat(BLUE)).contains("advance"));
    assert!(!told(&session, Viewer::Spectator).contains("advance"));
    let actions = |session: &Session, viewer| -> Vec<Option<String>> {
        session.history(viewer).into_iter().map(|m| m.action).collect()
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(actions(&session, Viewer::Seat(BLUE)), [None, some("decoy b1"), None]);
    assert_eq!(
        actions(&session, Viewer::Referee),
        [some("decoy r1"), some("decoy b1"), some("order advance")]
    );

    // Red changes its mind; then both are known, and the log changes from red's order on.
    assert_eq!(session.undo(RED), Ok(2));
    play(&mut session, &["red: order advance"]);
    let done = session.act(BLUE, "order ambush").unwrap();
    assert_eq!(done.from, 2);
    assert!(told(&session, Viewer::Spectator).contains("Orders: Red advance, Blue ambush."));
    assert_eq!(
        actions(&session, Viewer::Seat(BLUE)),
        [None, some("decoy b1"), some("order advance"), some("order ambush")]
    );
    // The decoys are secret until the game is over.
    session.resign(BLUE).unwrap();
    assert_eq!(actions(&session, Viewer::Spectator)[0], some("decoy r1"));
}

// rule: 2.2
#[test]
fn a_hidden_decision_is_disclosed_when_the_game_says_so() {
    let mut session = open(&[]);
    play(&mut session, &["red: decoy r1", "blue: decoy b1"]);
    let first = |session: &Session, viewer| {
        let all = session.history(viewer);
        (all[0].action.clone(), all[0].redacted.clone())
    };
    // A redacted form of the hidden decision may be read.
    assert_eq!(first(&session, Viewer::Seat(BLUE)), (None, Some("decoy …".into())));
    assert_eq!(first(&session, Viewer::Seat(RED)), (Some("decoy r1".into()), None));
    play(&mut session, &["red: order advance", "blue: order advance", "red: move r1 a2", "red: done"]);
    // An attack shows red's decoy. Blue's stays hidden.
    play(&mut session, &["blue: move b2 b3 b2", "blue: attack a2 with b2"]);
    assert_eq!(first(&session, Viewer::Seat(BLUE)), (Some("decoy r1".into()), None));
    assert_eq!(session.history(Viewer::Seat(RED))[1].action, None);
}

// rule: 4.3
#[test]
fn a_die_may_be_rolled_for_one_side_only() {
    let mut session = open(&[5]);
    play(&mut session, &START[..3]);
    play(&mut session, &["blue: order advance", "red: move r2 b2 b3", "red: done", "blue: scout b2 b3"]);
    let last = |viewer| session.history(viewer).pop().unwrap();
    assert_eq!(last(Viewer::Seat(BLUE)).rolls, [5]);
    assert_eq!(last(Viewer::Referee).rolls, [5]);
    for viewer in [Viewer::Seat(RED), Viewer::Spectator] {
        assert_eq!(last(viewer).action.as_deref(), Some("scout b2 b3"));
        assert!(last(viewer).rolls.is_empty());
        let read = texts(&session.log(viewer, 6));
        assert_eq!(read, ["b2 scouted b3."]);
    }
    let read = texts(&session.log(Viewer::Seat(BLUE), 6));
    assert_eq!(
        read,
        ["b2 scouted b3.", "Scouting: rolled 5, modifier 0.", "The scouts saw that r2 is a troop."]
    );
    assert!(session.has_private_lines());
    session.resign(RED).unwrap();
    assert_eq!(session.history(Viewer::Spectator).pop().unwrap().rolls, [5]);
}

// rule: 8
#[test]
fn several_may_decide_in_the_open_in_any_order() {
    let mut session = open(&[]);
    play(&mut session, &START);
    play(&mut session, &["red: move r2 b2", "red: done", "blue: done"]);
    assert!(matches!(session.pending(), Pending::Any(seats) if seats.contains(RED) && seats.contains(BLUE)));
    play(&mut session, &["blue: done"]);
    // Nothing is secret: red reads what blue did, and blue cannot decide twice.
    assert_eq!(session.history(Viewer::Seat(RED)).pop().unwrap().action.as_deref(), Some("done"));
    assert!(session.act(BLUE, "done").is_err());
    play(&mut session, &["red: draw back r2 b1"]);
    assert!(matches!(session.pending(), Pending::Each(_)), "the next turn has begun");
}

// rule: 5.3
#[test]
fn a_standing_answer_ends_when_a_piece_is_lost() {
    let mut session = open(&[6, 1]);
    play(&mut session, &START);
    play(&mut session, &["red: move r2 b2 b3", "blue: hold fire all"]);
    // Blue is not asked again, however close they come.
    play(&mut session, &["red: move r3 c2 c3"]);
    assert_eq!(session.pending(), Pending::One(RED));
    // b2 is lost, which bears on the answer.
    play(&mut session, &["red: attack b4 with r2", "red: move r4 d2 d3"]);
    assert_eq!(session.pending(), Pending::One(BLUE));
    assert_eq!(session.undo(RED), Ok(8));
}

#[test]
fn a_secret_decision_can_be_undone_while_the_other_has_decided() {
    let mut session = open(&[]);
    play(&mut session, &["red: decoy r1"]);
    assert_eq!(session.undo(RED), Ok(0));
    play(&mut session, &["blue: decoy b1"]);
    assert_eq!(session.len(), 1);
    assert_eq!(key(session.undo(RED)), "kernel.undo_other");
    play(&mut session, &["red: decoy r2", "blue: order ambush"]);
    // Both decoys are named: that round is closed, although orders are secret, too.
    assert_eq!(session.undo(BLUE), Ok(2));
    assert_eq!(key(session.undo(RED)), "kernel.undo_revealed");
}

#[test]
fn only_who_is_asked_decides_and_resigning_ends_it() {
    let mut session = open(&[]);
    play(&mut session, &START);
    let refused = |stop: Result<_, Stop>| match stop {
        Err(Stop::Illegal(refusal)) => refusal.why.key.to_string(),
        _ => String::new(),
    };
    assert_eq!(refused(session.act(BLUE, "done")), "kernel.not_awaited");
    assert_eq!(refused(session.act(kernel::Seat(9), "done")), "kernel.not_awaited");
    assert_eq!(refused(session.act(RED, "dance")), "kernel.bad_notation");
    assert_eq!(key(session.resign(kernel::Seat(2))), "kernel.not_awaited");
    session.resign(RED).unwrap();
    let Pending::Over(outcome) = session.pending() else { panic!("not over") };
    assert_eq!(outcome.winner, Some(BLUE));
    let catalog = Catalog::of_game(&*game(), "ko").unwrap();
    assert_eq!(catalog.render(&outcome.why, &()), "적군이 기권했습니다.");
    assert_eq!(refused(session.act(RED, "done")), "kernel.game_over");
    assert_eq!(key(session.resign(BLUE)), "kernel.game_over");
    assert_eq!(key(session.undo(RED)), "kernel.game_over");
}

#[test]
fn a_session_is_taken_up_again() {
    let seed = kernel::dice::seed_from_number(5);
    let mut session = Session::open(game(), setup(), seed).unwrap();
    play(&mut session, &START);
    play(&mut session, &["red: move r2 b2 b3"]);
    let snapshot = session.snapshot().unwrap();
    play(&mut session, &["blue: fire b2"]);
    session.request_takeback(RED, Some(3)).unwrap();
    session.answer_takeback(BLUE, true).unwrap();
    play(&mut session, &["blue: order ambush", "red: move r2 b2 b3"]);

    let journal = session.journal().clone();
    let with = Session::resume(game(), journal.clone(), Some(seed), Some(snapshot.clone())).unwrap();
    let without = Session::resume(game(), journal.clone(), Some(seed), None).unwrap();
    for mut resumed in [with, without] {
        assert_eq!(resumed.table().snapshot(), session.table().snapshot());
        assert_eq!(resumed.log(Viewer::Referee, 0), session.log(Viewer::Referee, 0));
        assert_eq!(resumed.history(Viewer::Spectator), session.history(Viewer::Spectator));
        // The dice continue where they stood.
        let again = session.table_at(session.len()).unwrap().snapshot();
        assert_eq!(again, session.table().snapshot());
        let rolls = resumed.act(BLUE, "fire b2").unwrap().applied.rolls;
        let mut copy = Session::resume(game(), session.journal().clone(), Some(seed), None).unwrap();
        assert_eq!(copy.act(BLUE, "fire b2").unwrap().applied.rolls, rolls);
    }
    // Without the seed the game can be read, but no dice can be rolled.
    let mut blind = Session::resume(game(), journal.clone(), None, None).unwrap();
    assert!(matches!(blind.act(BLUE, "fire b2"), Err(Stop::Dice(_))));
    // A snapshot of another game is refused.
    let mut other = open(&[]);
    play(&mut other, &START);
    assert!(Session::resume(game(), other.journal().clone(), None, Some(snapshot)).is_err());
    assert!(Session::resume(game(), journal, Some([0; 32]), None).is_err());
}
