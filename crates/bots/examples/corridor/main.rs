//! Holland '44 between bots.
//!
//! `corridor match LEVEL LEVEL SCENARIO PAIRS [SEED]` plays pairs with swapped seats and prints how they went; SCENARIO is one,
//! several with commas between them, or `all`. `corridor ladder` does the same and prints only the table.
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
            "corridor match|ladder|campaign LEVEL LEVEL SCENARIO COUNT [SEED], or course … SEED, or tables FILE…"
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
    if !["match", "ladder"].contains(&what.as_str()) {
        return Err(format!("no command `{what}`"));
    }
    let mut tally = Tally::default();
    println!(
        "| Scenario | Games | Won | as Allied | as German | s a game | longest phase, s |\n|---|---|---|---|---|---|---|"
    );
    let scenarios: Vec<&str> =
        if scenario == "all" { SCENARIOS.to_vec() } else { scenario.split(',').collect() };
    for scenario in &scenarios {
        let setup = Setup { scenario: (*scenario).into(), ..setup.clone() };
        let played = matches(&game, &setup, [&a, &b], seed..seed + count, what == "match")?;
        println!("{}", played.row(scenario));
        tally.add(&played);
    }
    if scenarios.len() > 1 {
        println!("{}", tally.row("all"));
    }
    Ok(())
}

/// All scenarios, the longest last.
const SCENARIOS: [&str; 5] = ["eindhoven", "nijmegen", "arnhem", "short_game", "campaign"];

/// How many games the first bot played and won in each seat, and how long its phases took.
#[derive(Default)]
struct Tally {
    games: [f32; 2],
    won: [f32; 2],
    seconds: f32,
    longest: f32,
    faults: u32,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        for seat in 0..2 {
            self.games[seat] += other.games[seat];
            self.won[seat] += other.won[seat];
        }
        self.seconds += other.seconds;
        self.longest = self.longest.max(other.longest);
        self.faults += other.faults;
    }

    fn row(&self, what: &str) -> String {
        let [games, won] = [self.games, self.won].map(|seats| seats.iter().sum::<f32>());
        let (low, high) = wilson(won, games);
        let faults = if self.faults > 0 { format!(" ({} refused)", self.faults) } else { String::new() };
        format!(
            "| {what} | {games} | {:.0} % ({:.0}–{:.0}) | {} of {} | {} of {} | {:.1} | {:.1}{faults} |",
            100.0 * won / games,
            100.0 * low,
            100.0 * high,
            self.won[0],
            self.games[0],
            self.won[1],
            self.games[1],
            self.seconds / games,
            self.longest
        )
    }
}

/// Pairs of games with swapped seats; each is printed as it ends if `tell`.
fn matches(
    game: &Arc<dyn Game>,
    setup: &Setup,
    make: [Maker; 2],
    seeds: std::ops::Range<u64>,
    tell: bool,
) -> Result<Tally, String> {
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
        if tell {
            println!("{seed}: as Allied {}; as German {}", line[0], line[1]);
        }
    };
    let mut tally = Tally::default();
    for pair in arena::pairs(game, setup, make, seeds, &done) {
        for (seat, game) in pair?.games.iter().enumerate() {
            let own = game.thinking[seat];
            tally.add(&Tally {
                seconds: game.thinking.iter().map(|thinking| thinking.total.as_secs_f32()).sum(),
                longest: own.longest.as_secs_f32(),
                faults: own.faults,
                ..Tally::default()
            });
            tally.games[seat] += 1.0;
            tally.won[seat] += f32::from(u8::from(game.outcome.winner == Some(Seat(seat as u8))));
        }
    }
    Ok(tally)
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
