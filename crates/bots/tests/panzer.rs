//! The bots of Panzer in play: legal, reproducible, blind to hidden Commands, quick to stop.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use bots::{
    Bot, Choice, Level, Mind, Player, make,
    panzer::{Commander, GAME, Weights},
};
use kernel::{Catalog, Dice, Erased, Game, Pending, Seat, Setup, Table};
use panzer::{Panzer, PanzerNorthAfrica, pack::Side, play::seat, state::Command};

fn game() -> PanzerNorthAfrica {
    PanzerNorthAfrica::new().expect("the shipped pack is sound")
}

fn open(scenario: &str) -> Box<dyn Table> {
    let setup = Setup { game: GAME.into(), scenario: scenario.into(), ..Setup::default() };
    game().open(&setup).expect("the scenario is known")
}

fn asked(table: &dyn Table) -> Option<Seat> {
    table.pending().first()
}

/// A player that compares plans as its level does, but few of them: tests run unoptimised.
fn brief(level: Level, seed: u64) -> Box<dyn Bot> {
    if level < Level::Regular {
        return make(GAME, level, seed).expect("there is such a bot");
    }
    let weights = Weights {
        plans: 3.0,
        trials: 0.0,
        depth: 1.0,
        tries: 1.0,
        runs: 4.0,
        patience: 100.0,
        ..Weights::default()
    };
    let study = move |rules| Commander::with(rules, weights);
    Box::new(Player::<Commander>::studying(level, seed, study))
}

/// Plays this many decisions, or to the end; every choice must be legal. Returns them.
fn play(table: &mut dyn Table, levels: [Level; 2], seed: u64, decisions: usize) -> Vec<Choice> {
    let mut bots = levels.map(|level| brief(level, seed));
    let mut dice = Dice::from_number(seed);
    let cancel = AtomicBool::new(false);
    let mut choices = Vec::new();
    while choices.len() < decisions
        && let Some(asked) = asked(table)
    {
        let choice = bots[usize::from(asked.0)].choose(table, asked, &cancel).expect("the seat is asked");
        table.apply(asked, &choice.action, &mut dice).unwrap_or_else(|stop| {
            panic!("{levels:?}, decision {}: {}: {stop}", choices.len(), choice.action)
        });
        choices.push(choice);
    }
    choices
}

#[test]
fn regular_plays_to_the_end_and_says_why() {
    let mut table = open("chouigui");
    let choices = play(&mut *table, [Level::Regular; 2], 1, 20_000);
    assert!(matches!(table.pending(), Pending::Over(_)), "{} decisions", choices.len());
    let said: Vec<_> = choices.iter().filter_map(|choice| choice.why.as_ref()).collect();
    for key in ["why.orders", "why.fire", "why.move"] {
        assert!(said.iter().any(|why| why.key.starts_with(key)), "{key}: {said:?}");
    }
    for language in ["en", "ko", "ja"] {
        let text = game().messages(language).expect("the game speaks it");
        let words = Catalog::parse(text, language).expect("the file is sound");
        for why in &said {
            let sentence = words.render(why, &());
            assert!(sentence != why.key && !sentence.contains('{'), "{language}: {sentence}");
        }
    }
}

#[test]
fn all_scenarios_are_played_legally() {
    for scenario in &game().info().scenarios {
        let mut table = open(&scenario.id);
        play(&mut *table, [Level::Regular, Level::Recruit], 2, 60);
    }
}

#[test]
fn greedy_plays_legally() {
    let mut table = open("hafid-duel");
    play(&mut *table, [Level::Greedy, Level::Random], 3, 40);
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let again = || play(&mut *open("bir-el-gubi"), [Level::Regular; 2], 5, 200);
    assert_eq!(again(), again());
}

#[test]
fn a_bot_does_not_see_hidden_commands() {
    // rule: 4.2.1
    let mut table = open("chouigui");
    let mut seen = 0;
    for step in 0..30 {
        play(&mut *table, [Level::Regular; 2], 7 + step, 9);
        let Some(asked) = asked(&*table) else { break };
        let erased = table.as_any().downcast_ref::<Erased<Panzer>>().expect("it is that game's table");
        let choose = |command: Command| {
            let mut state = erased.state.clone();
            let enemy = if asked == seat(Side::Axis) { Side::Allied } else { Side::Axis };
            for unit in erased.rules.units_of(enemy) {
                let u = state.unit_mut(*unit);
                if u.on_map() && !u.is(panzer::state::Flags::REVEALED) {
                    u.command = command;
                }
            }
            state.stamp.renew();
            let other = Erased::new(Arc::clone(&erased.rules), state);
            let mut bot = brief(Level::Regular, 9);
            bot.choose(&other, asked, &AtomicBool::new(false))
        };
        let choices = [Command::Move, Command::Overwatch, Command::NoCommand].map(choose);
        assert_eq!(choices[0], choices[1], "decision {step}");
        assert_eq!(choices[1], choices[2], "decision {step}");
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn a_cancelled_search_ends_at_once_and_legally() {
    let table = open("alam-halfa");
    let asked = asked(&*table).expect("somebody is asked");
    let mut bot = make(GAME, Level::Elite, 7).expect("there is such a bot");
    let started = Instant::now();
    let choice = bot.choose(&*table, asked, &AtomicBool::new(true)).expect("a choice is made");
    assert!(table.verdict(asked, &choice.action).is_legal());
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn one_bot_sits_in_both_seats_of_a_secret_phase() {
    // Both place Commands at once: what was planned for one seat is not carried out by the other.
    let mut table = open("chouigui");
    let mut bot = brief(Level::Regular, 1);
    let mut dice = Dice::from_number(1);
    let cancel = AtomicBool::new(false);
    let mut placed = [0; 2];
    while let Pending::One(seat) = table.pending() {
        table.apply(seat, "deploy", &mut dice).expect("sides set up first");
    }
    for n in 0..200u8 {
        let Pending::Each(seats) = table.pending() else { break };
        let both: Vec<Seat> = seats.iter().collect();
        let seat = both[usize::from(n) % both.len()];
        let choice = bot.choose(&*table, seat, &cancel).expect("the seat is asked");
        placed[usize::from(seat.0)] += usize::from(choice.action.starts_with("command"));
        table.apply(seat, &choice.action, &mut dice).expect("the choice is legal");
    }
    assert_eq!(placed, [6, 12], "every vehicle has its Command");
}

#[test]
fn every_level_plays_the_advanced_game_to_the_end() {
    let pairs =
        [[Level::Greedy, Level::Recruit], [Level::Regular, Level::Greedy], [Level::Recruit, Level::Regular]];
    for (n, levels) in pairs.into_iter().enumerate() {
        let mut table = open("picket-at-the-well");
        let choices = play(&mut *table, levels, n as u64, 20_000);
        assert!(matches!(table.pending(), Pending::Over(_)), "{levels:?}: {} decisions", choices.len());
    }
}

#[test]
fn the_higher_levels_play_the_advanced_game_legally() {
    let mut table = open("picket-at-the-well");
    let choices = play(&mut *table, [Level::Veteran, Level::Elite], 4, 30);
    assert!(choices.iter().any(|choice| choice.why.is_some()), "{choices:?}");
}

#[test]
fn bots_find_legal_decisions_in_every_advanced_scenario() {
    let game = game();
    for scenario in &game.pack().advanced.scenarios {
        let mut table = open(&scenario.id);
        let choices = play(&mut *table, [Level::Recruit; 2], 3, 400);
        let over = matches!(table.pending(), Pending::Over(_));
        assert!(over || choices.len() == 400, "{}: {} decisions", scenario.id, choices.len());
    }
}

// rule: 7.2
#[test]
fn a_plan_is_kept_whatever_is_guessed_of_hidden_units() {
    let setup = Setup {
        game: GAME.into(),
        scenario: "longstop".into(),
        options: vec!["hidden_units".into()],
        ..Setup::default()
    };
    let mut table = game().open(&setup).expect("the scenario is known");
    let choices = play(&mut *table, [Level::Regular; 2], 4, 40);
    let repeated =
        choices.windows(2).find(|two| two[0].action.starts_with("command") && two[0].action == two[1].action);
    assert!(repeated.is_none(), "the same Command twice: {repeated:?}");
    assert!(choices.iter().filter(|choice| choice.action.starts_with("command")).count() > 10);
}
