//! The opponents of Holland '44.

use std::sync::Arc;

use bots::{Level, arena, holland::GAME, make};
use holland::Holland44;
use kernel::{Game, Setup};

fn setup(scenario: &str) -> Setup {
    Setup { game: GAME.into(), scenario: scenario.into(), ..Setup::default() }
}

fn bot(level: Level) -> impl Fn(u64) -> Option<Box<dyn bots::Bot>> + Sync {
    move |seed: u64| make(GAME, level, seed)
}

/// Plays whole games of both sides, and everything it chooses is legal.
#[test]
fn recruit_plays_to_the_end() {
    let game = Holland44::new().expect("the shipped pack loads");
    let (recruit, random) = (bot(Level::Recruit), bot(Level::Random));
    let pair = arena::pair(&game, &setup("nijmegen"), [&recruit, &random], 1).expect("both play to the end");
    for (n, played) in pair.games.iter().enumerate() {
        assert_eq!(played.thinking[n].faults, 0, "game {n}: Recruit chose something illegal");
        assert!(played.score.is_some(), "game {n}: the arena knows the score");
    }
}

/// The scenario for a first game, from both sides.
#[test]
fn regular_plays_eindhoven_from_both_sides() {
    let game = Holland44::new().expect("the shipped pack loads");
    let (regular, random) = (bot(Level::Regular), bot(Level::Random));
    let pair = arena::pair(&game, &setup("eindhoven"), [&regular, &random], 3).expect("both play to the end");
    for (n, played) in pair.games.iter().enumerate() {
        assert_eq!(played.thinking[n].faults, 0, "game {n}: Regular chose something illegal");
    }
}

/// A hex that counts only while a unit is there keeps its last unit: this game was lost on the last turn, when the only
/// unit at the bridge marched off to an attack (S4.4).
#[test]
fn the_last_unit_stays_at_the_bridge() {
    let game = Holland44::new().expect("the shipped pack loads");
    let seed = 6014u64;
    let mut regular = make(GAME, Level::Regular, seed * 7).expect("there is a Regular");
    let mut random = make(GAME, Level::Random, seed * 7 + 1).expect("there is a random bot");
    let bots: [&mut dyn bots::Bot; 2] = [&mut *regular, &mut *random];
    let played = arena::play(&game, &setup("nijmegen"), bots, seed, &mut ()).expect("it ends");
    assert_eq!(played.outcome.winner, Some(kernel::Seat(0)), "{:?}", played.score);
}

/// On the first day every unit lands, and nobody is left in the air.
#[test]
fn the_first_drop_is_made() {
    let game = Holland44::new().expect("the shipped pack loads");
    let mut table = game.open(&setup("nijmegen")).expect("the scenario opens");
    let mut bot = make(GAME, Level::Regular, 7).expect("there is a Regular");
    let seat = kernel::Seat(0);
    let mut dice = kernel::Dice::from_number(11);
    let cancel = std::sync::atomic::AtomicBool::new(false);
    for _ in 0..200 {
        let prompt = table.prompt(seat).message.key;
        if prompt != "prompt.airlanding" {
            break;
        }
        let choice = bot.choose(&*table, seat, &cancel).expect("it decides");
        table.apply(seat, &choice.action, &mut dice).expect("what it decides is legal");
    }
    let view = table.view(kernel::Viewer::Seat(seat));
    let waiting = view.pieces.iter().filter(|piece| piece.at == "airlanding").count();
    let landed = view.pieces.iter().filter(|piece| piece.seat == Some(seat) && piece.at.len() == 4).count();
    assert!(landed >= 8, "{landed} units have landed, {waiting} wait");
}

/// The Player is offered every level.
#[test]
fn all_levels_are_offered() {
    assert_eq!(bots::levels(GAME), &Level::OPPONENTS);
    let _: Arc<dyn Game> = Arc::new(Holland44::new().expect("the shipped pack loads"));
    for level in Level::ALL {
        assert!(make(GAME, level, 1).is_some(), "{level}");
    }
}
