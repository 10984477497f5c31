//! The bots of Ardennes '44 in play: legal, reproducible, blind to what is hidden, quick to stop.

use std::{
    cell::RefCell,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use ardennes::{Ardennes, Ardennes44, pack::Side, play::seat};
use bots::{
    Bot, Choice, Level, Watch,
    ardennes::{GAME, Staff},
    make, named,
};
use kernel::{Catalog, Dice, Erased, Game, Pending, Setup, Table};

fn setup(scenario: &str, options: &[&str]) -> Setup {
    Setup {
        game: "ardennes44".into(),
        scenario: scenario.into(),
        options: options.iter().map(|o| (*o).to_owned()).collect(),
        ..Setup::default()
    }
}

fn open(setup: &Setup) -> Box<dyn Table> {
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    game.open(setup).expect("the scenario is known")
}

/// Plays this many decisions; every choice must be legal. Returns them.
fn play(table: &mut dyn Table, levels: [Level; 2], seed: u64, decisions: usize) -> Vec<Choice> {
    let mut bots = levels.map(|level| make(GAME, level, seed).expect("there is such a bot"));
    let mut dice = Dice::from_number(seed);
    let cancel = AtomicBool::new(false);
    let mut choices = Vec::new();
    while choices.len() < decisions {
        let Pending::One(asked) = table.pending() else { break };
        let choice = bots[usize::from(asked.0)].choose(table, asked, &cancel).expect("the seat is asked");
        table.apply(asked, &choice.action, &mut dice).unwrap_or_else(|stop| {
            panic!("{levels:?}, decision {}: {}: {stop}", choices.len(), choice.action)
        });
        choices.push(choice);
    }
    choices
}

/// The scenario for a first game, played to its end from both sides.
#[test]
fn regular_plays_st_vith_to_the_end() {
    for levels in [[Level::Regular, Level::Recruit], [Level::Recruit, Level::Regular]] {
        let mut table = open(&setup("st_vith", &[]));
        play(&mut *table, levels, 3, 5_000);
        assert!(matches!(table.pending(), Pending::Over(_)), "{levels:?}");
    }
}

#[test]
fn regular_plays_legally_and_says_why() {
    let mut table = open(&setup("six_turn", &[]));
    let choices = play(&mut *table, [Level::Regular; 2], 1, 260);
    assert_eq!(choices.len(), 260);
    let said: Vec<_> = choices.iter().filter_map(|choice| choice.why.as_ref()).collect();
    assert!(said.iter().any(|why| why.key.starts_with("why.gather")), "{said:?}");
    assert!(said.iter().any(|why| why.key.starts_with("why.attack")), "{said:?}");
    let game = Ardennes44::new().expect("the shipped pack and map are sound");
    for language in ["en", "ko", "ja"] {
        let text = game.messages(language).expect("the game speaks it");
        let words = Catalog::parse(text, language).expect("the file is sound");
        for why in &said {
            let sentence = words.render(why, &());
            assert!(sentence != why.key && !sentence.contains('{'), "{language}: {sentence}");
        }
    }
}

#[test]
fn recruits_play_legally() {
    let mut table = open(&setup("eight_turn", &["fuel_dumps", "roadblocks"]));
    assert_eq!(play(&mut *table, [Level::Recruit; 2], 2, 200).len(), 200);
}

#[test]
fn greedy_plays_legally() {
    let mut table = open(&setup("six_turn", &[]));
    assert_eq!(play(&mut *table, [Level::Greedy, Level::Random], 3, 6).len(), 6);
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let again = || {
        let mut table = open(&setup("campaign", &[]));
        play(&mut *table, [Level::Regular; 2], 5, 40)
    };
    assert_eq!(again(), again());
}

#[test]
fn a_german_bot_does_not_see_which_dump_is_real() {
    // rule: 32.1
    let mut table = open(&setup("six_turn", &["fuel_dumps"]));
    play(&mut *table, [Level::Recruit; 2], 4, 8);
    let erased = table.as_any().downcast_ref::<Erased<Ardennes>>().expect("it is that game's table");
    let choose = |real: usize| {
        let mut state = erased.state;
        for (index, dump) in state.dumps.iter_mut().enumerate() {
            dump.real = index == real;
        }
        let other = Erased::new(Arc::clone(&erased.rules), state);
        let mut bot = make("ardennes44", Level::Regular, 9).expect("there is such a bot");
        bot.choose(&other, seat(Side::German), &AtomicBool::new(false))
    };
    assert!(matches!(table.pending(), Pending::One(asked) if asked == seat(Side::German)));
    assert_eq!(choose(0), choose(1));
    assert_eq!(choose(1), choose(2));
}

/// A bot that compares plans in every Movement Phase, not only in the last.
fn searching() -> Box<dyn Bot> {
    let maker = named::<Staff>(GAME, "veteran:ending=1000").expect("the name is sound");
    maker(7).expect("there is such a bot")
}

#[test]
fn a_cancelled_search_ends_at_once_and_legally() {
    let mut table = open(&setup("six_turn", &[]));
    // Up to the first Movement Phase, where it would think for seconds.
    play(&mut *table, [Level::Regular; 2], 6, 2);
    let Pending::One(asked) = table.pending() else { panic!("somebody is asked") };
    let mut bot = searching();
    let started = Instant::now();
    let choice = bot.choose(&*table, asked, &AtomicBool::new(true)).expect("a choice is made");
    assert!(table.verdict(asked, &choice.action).is_legal());
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn a_search_tells_how_far_it_is() {
    let mut table = open(&setup("six_turn", &[]));
    play(&mut *table, [Level::Regular; 2], 6, 2);
    let Pending::One(asked) = table.pending() else { panic!("somebody is asked") };
    let mut bot = searching();
    let (stop, told) = (AtomicBool::new(false), RefCell::new(Vec::new()));
    let tell = |share: f32| {
        told.borrow_mut().push(share);
        // A few plans are enough.
        stop.store(told.borrow().len() >= 4, Ordering::Relaxed);
    };
    let choice = bot.ponder(&*table, asked, &Watch::telling(&stop, &tell)).expect("a choice is made");
    assert!(table.verdict(asked, &choice.action).is_legal());
    let told = told.into_inner();
    assert_eq!(told.len(), 4, "it stopped when it was told to");
    assert!(told.is_sorted() && told[0] < told[3] && told.iter().all(|share| (0.0..=1.0).contains(share)));
}

#[test]
fn nobody_answers_for_a_seat_that_is_not_asked() {
    let table = open(&setup("six_turn", &[]));
    let Pending::One(asked) = table.pending() else { panic!("somebody is asked") };
    let mut bot = make("ardennes44", Level::Regular, 7).expect("there is such a bot");
    assert_eq!(bot.choose(&*table, asked.other(), &AtomicBool::new(false)), None);
}
