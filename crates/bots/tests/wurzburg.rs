//! The baseline opponent of Würzburg.

use std::sync::atomic::AtomicBool;

use bots::{Level, arena, make};
use kernel::{Dice, Setup};
use wurzburg::AirAndArmor;

/// Greedy plays whole games of both sides, and everything it chooses is legal.
#[test]
fn greedy_plays_to_the_end() {
    let game = AirAndArmor::new().expect("the shipped pack loads");
    let setup = Setup { game: "wurzburg".into(), scenario: "first-contact".into(), ..Setup::default() };
    let bot = |level: Level| move |seed: u64| make("wurzburg", level, seed);
    let (greedy, random) = (bot(Level::Greedy), bot(Level::Random));
    let pair = arena::pair(&game, &setup, [&greedy, &random], 1).expect("both play to the end");
    for (n, played) in pair.games.iter().enumerate() {
        assert_eq!(played.thinking[n].faults, 0, "game {n}: greedy chose something illegal");
        assert!(played.score.is_some(), "game {n}: the arena knows the score");
    }
}

/// Positions are played out in a hurry: what it decides then is still judged.
#[test]
fn hurried_greedy_decides_better_than_random() {
    use kernel::Game as _;
    let game = AirAndArmor::new().expect("the shipped pack loads");
    let setup = Setup { game: "wurzburg".into(), scenario: "first-contact".into(), ..Setup::default() };
    let hurry = AtomicBool::new(true);
    let mut bots =
        [Level::Greedy, Level::Random].map(|level| make("wurzburg", level, 2).expect("there is such a bot"));
    let mut judge = make("wurzburg", Level::Greedy, 1).expect("there is such a bot");
    // What the decisions of each are worth to the side that takes them.
    let mut gains = [0.0; 2];
    for seed in 0..4 {
        let mut table = game.open(&setup).expect("it opens");
        let mut dice = Dice::from_number(seed);
        for _ in 0..40 {
            let Some(seat) = table.pending().first() else { break };
            let Some(before) = judge.worth(&*table, seat) else { break };
            let mut last = String::new();
            for (bot, gain) in bots.iter_mut().zip(&mut gains) {
                last = bot.choose(&*table, seat, &hurry).expect("it chooses").action;
                let mut after = table.clone_table();
                after.apply(seat, &last, &mut dice.clone()).expect("it is legal");
                *gain += judge.worth(&*after, seat).map_or(0.0, |after| after - before);
            }
            table.apply(seat, &last, &mut dice).expect("it is legal");
        }
    }
    assert!(gains[0] > gains[1] + 0.5, "greedy and random: {gains:?}");
}
