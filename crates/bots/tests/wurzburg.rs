//! The baseline opponent of Würzburg.

use bots::{Level, arena, make};
use kernel::Setup;
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
