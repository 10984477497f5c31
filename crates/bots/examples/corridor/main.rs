//! Holland '44 between bots.
//!
//! `corridor match LEVEL LEVEL SCENARIO PAIRS [SEED]` plays pairs with swapped seats and prints how they went.
//! `corridor campaign LEVEL LEVEL SCENARIO GAMES [SEED]` plays games with the first level as Allies and prints for each a line of
//! JSON: when the ground army crossed which bridge, how long Arnhem bridge was held, how far north the army stood on each turn.
//! `corridor tables FILE…` makes tables of such lines.
//! `corridor course LEVEL LEVEL SCENARIO SEED [moves]` tells one game turn by turn.
//!
//! With `GROGNARD_OVERLAY=FILE` the pack is corrected by an overlay, to try out numbers.

mod course;
mod note;
mod tables;

use std::sync::Arc;

use bots::{
    arena,
    holland::{GAME, Staff},
    named,
};
use holland::Holland44;
use kernel::{Game, Seat, Setup};
use note::Note;

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|what| what == "tables") {
        return tables::print(&args[1..]);
    }
    let [what, first, second, scenario, count, rest @ ..] = &args[..] else {
        return Err(
            "corridor match|campaign LEVEL LEVEL SCENARIO COUNT [SEED], or course … SEED, or tables FILE…"
                .into(),
        );
    };
    let number = |text: &String| text.parse::<u64>().map_err(|e| format!("{text}: {e}"));
    let game: Arc<dyn Game> = Arc::new(Holland44::new().map_err(|e| e.to_string())?);
    let overlay = match std::env::var("GROGNARD_OVERLAY") {
        Ok(file) => Some(std::fs::read_to_string(&file).map_err(|e| format!("{file}: {e}"))?),
        Err(_) => None,
    };
    let setup = Setup { game: GAME.into(), scenario: scenario.clone(), overlay, ..Setup::default() };
    let (a, b) = (named::<Staff>(GAME, first)?, named::<Staff>(GAME, second)?);
    let count = number(count)?;
    if what == "course" {
        return course::tell(&*game, &setup, [&a, &b], count, !rest.is_empty());
    }
    let seed = rest.first().map_or(Ok(1), number)?;
    if what == "campaign" {
        return campaigns(&*game, &setup, [&a, &b], seed..seed + count);
    }
    let done = |seed: u64, pair: &arena::Pair| {
        let line = pair.games.each_ref().map(|game| {
            let [allied, german] = game.thinking;
            format!(
                "{} {:.1}, {} dec, {:.1?}/{:.1?} (longest {:.1?}/{:.1?}, faults {}/{})",
                game.outcome.winner.map_or("draw", |w| if w.0 == 0 { "Allied" } else { "German" }),
                game.score.unwrap_or(0.0),
                game.decisions,
                allied.total,
                german.total,
                allied.longest,
                german.longest,
                allied.faults,
                german.faults,
            )
        });
        println!("{seed}: {first} as Allied: {}; as German: {}", line[0], line[1]);
    };
    let (mut won, mut better, mut games) = ([0.0; 2], 0.0, 0.0);
    for pair in arena::pairs(&game, &setup, [&a, &b], seed..seed + count, &done) {
        let pair = pair?;
        better += pair.better();
        games += 2.0;
        for (seat, game) in pair.games.iter().enumerate() {
            won[seat] += f32::from(u8::from(game.outcome.winner == Some(Seat(seat as u8))));
        }
    }
    let (low, high) = wilson(won[0] + won[1], games);
    println!(
        "{first} – {second} on {scenario}: {} of {games} games ({:.0}–{:.0} %), as Allied {}, as German {}; {:.0}% of pairs better",
        won[0] + won[1],
        100.0 * low,
        100.0 * high,
        won[0],
        won[1],
        200.0 * better / games
    );
    Ok(())
}

/// 95 % range of a share.
pub(crate) fn wilson(won: f32, games: f32) -> (f32, f32) {
    let z = 1.96f32;
    let p = won / games;
    let middle = (p + z * z / (2.0 * games)) / (1.0 + z * z / games);
    let half = z * (p * (1.0 - p) / games + z * z / (4.0 * games * games)).sqrt() / (1.0 + z * z / games);
    (middle - half, middle + half)
}

pub(crate) type Maker<'a> = &'a (dyn Fn(u64) -> Option<Box<dyn bots::Bot>> + Sync);

fn campaigns(
    game: &dyn Game,
    setup: &Setup,
    make: [Maker; 2],
    seeds: std::ops::Range<u64>,
) -> Result<(), String> {
    for seed in seeds {
        let bot = |which: usize| make[which](seed.wrapping_mul(7) + which as u64).ok_or("no such bot");
        let (mut allied, mut german) = (bot(0)?, bot(1)?);
        let mut note = Note::default();
        let played = arena::play(game, setup, [&mut *allied, &mut *german], seed, &mut note)?;
        note.seed = seed;
        note.score = played.score;
        note.winner = played.outcome.winner.map(|winner| winner.0);
        note.why = played.outcome.why.key.to_string();
        note.longest = played.thinking.map(|thinking| thinking.longest.as_secs_f32());
        note.total = played.thinking.map(|thinking| thinking.total.as_secs_f32());
        note.faults = played.thinking.map(|thinking| thinking.faults);
        println!("{}", serde_json::to_string(&note).map_err(|e| e.to_string())?);
    }
    Ok(())
}
