//! Measures two levels against each other: `match regular greedy six_turn 10 [first seed]` plays ten pairs with swapped
//! seats and prints the results.

use std::sync::Arc;

use bots::{
    ardennes::{GAME, Staff},
    arena, named,
};
use kernel::{Game, Setup};

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, scenario, pairs, rest @ ..] = &args[..] else {
        return Err("match LEVEL LEVEL SCENARIO PAIRS [SEED]".into());
    };
    let levels = [first, second].map(|text| text.split(':').next().unwrap_or_default().to_owned());
    let number = |text: &String| text.parse::<u64>().map_err(|e| format!("{text}: {e}"));
    let pairs = number(pairs)?;
    let seed = rest.first().map_or(Ok(1), number)?;
    let game: Arc<dyn Game> = Arc::new(ardennes::Ardennes44::new().map_err(|e| e.to_string())?);
    let setup = Setup { game: GAME.into(), scenario: scenario.clone(), ..Setup::default() };
    let (a, b) = (named::<Staff>(GAME, first)?, named::<Staff>(GAME, second)?);
    let done = |seed: u64, pair: &arena::Pair| {
        let line = pair.games.each_ref().map(|game| {
            let [german, allied] = game.thinking;
            format!(
                "{} {} pts, {} dec, {:.1?}/{:.1?} (longest {:.1?}/{:.1?}, faults {}/{})",
                game.outcome.winner.map_or("draw", |w| if w.0 == 0 { "German" } else { "Allied" }),
                game.score.unwrap_or(0.0),
                game.decisions,
                german.total,
                allied.total,
                german.longest,
                allied.longest,
                german.faults,
                allied.faults,
            )
        });
        println!("{seed}: {} as German: {}; as Allied: {}", levels[0], line[0], line[1]);
    };
    let played = arena::pairs(&game, &setup, [&a, &b], seed..seed + pairs, &done);
    let (mut points, mut better, mut count) = (0.0, 0.0, 0.0);
    let mut german = [0.0; 2];
    for pair in played {
        let pair = pair?;
        points += pair.points();
        better += pair.better();
        count += 1.0;
        for (sum, game) in german.iter_mut().zip(&pair.games) {
            *sum += game.score.unwrap_or(0.0);
        }
    }
    println!(
        "{} {:.1}% of {} games, {:.1}% of pairs better; mean German score {:.2} against {:.2}",
        levels[0],
        50.0 * points / count,
        2.0 * count,
        100.0 * better / count,
        german[0] / count,
        german[1] / count
    );
    Ok(())
}
